"""What is particular to strides in F₂: linear maps of bits, and composition with them (paper §2.3, doubt 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .coordinate import as_coordinate
from .errors import InputError, Undecided
from .htuple import at, leaves
from .layout import Layout
from .semimodule import CoordinateStride, Element, as_integer

POINTS = 1 << 18  # coordinates evaluated one by one before a question is given up


def is_power_of_two(n: int) -> bool:
    """Whether n is 1, 2, 4, …"""
    return n > 0 and n & (n - 1) == 0


def compose_leaves(a: Layout, b: Layout, paths: Any, refuse: Callable[..., Exception]) -> tuple[list[list[Any]], str]:
    """The modes of A∘B for A over F₂, a list for each leaf of B, and how they were established.

    A mode of 2^k elements is linear in the bits of its index, so its layout is read off at the powers of two. A mode
    of another size is tried in every ordered factorisation, longest first mode first. The whole is then right where
    A is linear in the bits of its coordinates and the steps of B never carry, in closed form where no mode was tried;
    elsewhere every coordinate is compared.
    """

    def value(offset: Element) -> Element:
        return a(as_coordinate(offset, a.shape))

    forms: list[list[Any]] = []
    for leaf, (s, d) in enumerate(b.modes):
        table = _Table(partial(_value_at, value, d), s)
        modes = _bit_modes(table, s) if is_power_of_two(s) else _search(table, s, 1)
        if modes is None:
            raise _refuse_leaf(a, b, leaf, refuse)
        forms.append([(n, d * k, v or 0) for n, k, v in modes] or [(1, d, 0)])
    flat = [mode for modes in forms for mode in modes]
    if _is_linear(a, paths) and _never_carries(flat, paths):
        return forms, "closed-form" if all(is_power_of_two(s) for s, _ in b.modes) else "enumeration"
    where = _first_difference(flat, value)
    if where is not None:
        raise refuse(forms, where)
    return forms, "enumeration"


def _value_at(value: Callable[[Element], Element], stride: Element, index: int) -> Element:
    return value(stride * index)


class _Table:
    """f(0), …, f(s−1), evaluated once each, when asked."""

    def __init__(self, function: Callable[[int], Element], size: int):
        self.function, self.size = function, size
        self.known: dict[int, Element] = {}

    def __call__(self, index: int) -> Element:
        if index not in self.known:
            if len(self.known) > POINTS:
                raise Undecided(f"more than {POINTS} values over F2 were needed")
            self.known[index] = self.function(index)
        return self.known[index]


def _bit_modes(f: _Table, s: int) -> list[tuple[int, int, Element]]:
    """The modes (size, first index, value) that a linear f must have."""
    modes: list[tuple[int, int, Element]] = []
    for bit in range(s.bit_length() - 1):
        v = f(1 << bit)
        if modes and v == modes[-1][2] * modes[-1][0]:
            modes[-1] = (modes[-1][0] * 2, modes[-1][1], modes[-1][2])
        else:
            modes.append((2, 1 << bit, v))
    return modes


def _search(f: _Table, s: int, scale: int) -> list[tuple[int, int, Element]] | None:
    """Modes of sizes whose product is s with f(scale·(i + n·j)) = i·v + f(scale·n·j); None when there are none."""
    if s == 1:
        return []
    v = f(scale)
    for n in sorted((n for n in range(2, s + 1) if s % n == 0), reverse=True):
        if all(f(scale * (i + n * j)) == v * i + f(scale * n * j) for j in range(s // n) for i in range(1, n)):
            rest = _search(f, s // n, scale * n)
            if rest is not None:
                return [(n, scale, v), *rest]
    return None


def _is_linear(a: Layout, paths: Any) -> bool:
    """Whether A is linear in the bits of each coordinate: every mode but the last of an axis has 2^k elements."""
    return all(is_power_of_two(s) for path in paths for s in list(leaves(at(a.shape, path)))[:-1])


def _never_carries(flat: list[Any], paths: Any) -> bool:
    """Whether the steps, taken at every bit of their modes, have no bit in common: sums are then XORs."""
    for path in paths:
        seen = 0
        for n, d, _ in flat:
            x = d if isinstance(d, int) else dict(d.terms).get(path, 0)
            if not path and isinstance(d, CoordinateStride):
                return False
            if x < 0 or (not is_power_of_two(n) and x & (x - 1)):
                return False
            for bit in range((n - 1).bit_length()):
                if seen & x << bit:
                    return False
                seen |= x << bit
    return True


def _first_difference(flat: list[Any], value: Callable[[Element], Element]) -> tuple[int, ...] | None:
    points = 1
    for n, _, _ in flat:
        points *= n
    if points > POINTS:
        where = _difference_at_bits(flat, value)
        if where is not None:
            return where
        raise Undecided(f"a composition over F2 with carries has {points} coordinates, more than {POINTS}")
    for index in range(points):
        digits: list[int] = []
        offset: Element = 0
        got: Element = 0
        rest = index
        for n, d, v in flat:
            rest, digit = divmod(rest, n)
            digits.append(digit)
            offset, got = offset + d * digit, v * digit + got
        if value(offset) != got:
            return tuple(digits)
    return None


def _difference_at_bits(flat: list[Any], value: Callable[[Element], Element]) -> tuple[int, ...] | None:
    """A coordinate with at most two bits set at which value and sum differ."""
    bits = [(k, 1 << bit) for k, (n, _, _) in enumerate(flat) for bit in range((n - 1).bit_length())]
    for first in range(len(bits)):
        for second in range(first + 1):
            where = [0] * len(flat)
            for k, digit in {bits[first], bits[second]}:
                where[k] += digit
            offset: Element = sum((d * c for (_, d, _), c in zip(flat, where, strict=True)), 0)
            got: Element = sum((v * c for (_, _, v), c in zip(flat, where, strict=True)), 0)
            if all(c < n for (n, _, _), c in zip(flat, where, strict=True)) and value(offset) != got:
                return tuple(where)
    return None


def _refuse_leaf(a: Layout, b: Layout, leaf: int, refuse: Callable[..., Exception]) -> Exception:
    """No factorisation of the leaf fits: the witness is where the longest linear start of it ends."""
    s, d = b.modes[leaf]
    reason = f"no layout over F2 has the values of {a} at the first {s} multiples of {d}"
    first = a(as_coordinate(d, a.shape))
    index = next(i for i in range(s) if a(as_coordinate(d * i, a.shape)) != first * i)
    forms = [[(s if k == leaf else 1, d, first)] for k, _ in enumerate(b.modes)]
    return refuse(forms, [index if k == leaf else 0 for k, _ in enumerate(b.modes)], reason)


def bit_sources(layout: Layout) -> list[tuple[int, int]]:
    """(index, offset) at every power of two of every mode; the sizes must be powers of two.

    >>> from .semimodule import F2
    >>> bit_sources(Layout((4, 2), (F2(1), F2(5))))
    [(1, 1), (2, 2), (4, 5)]
    """
    sources, scale = [], 1
    for s, d in layout.modes:
        sources += [(scale << bit, as_integer(d) << bit) for bit in range(s.bit_length() - 1)]
        scale *= s
    return sources


def bit_vectors(layout: Layout) -> list[int]:
    """The offsets at every power of two of every mode: the columns of the layout's binary matrix."""
    return [vector for _, vector in bit_sources(layout)]


def span_maximum(vectors: list[int]) -> int:
    """The largest XOR of any of ``vectors``.

    >>> span_maximum([5, 9, 3])
    15
    """
    best = 0
    for vector in reversed(echelon(vectors)):
        best = max(best, best ^ vector)
    return best


def echelon(vectors: list[int]) -> list[int]:
    """A basis of the span, each with a leading bit of its own, ascending.

    >>> echelon([3, 5, 6]), echelon([0])
    ([3, 5], [])
    """
    basis: dict[int, int] = {}
    for vector in vectors:
        while vector:
            top = vector.bit_length()
            if top not in basis:
                basis[top] = vector
                break
            vector ^= basis[top]
    return [basis[top] for top in sorted(basis)]


def check_is_f2(layout: Layout) -> None:
    """InputError unless the layout's sizes are powers of two."""
    for s, _ in layout.modes:
        if not is_power_of_two(s):
            raise InputError(f"over F2 this is defined for sizes that are powers of two, not {s} in {layout}")
