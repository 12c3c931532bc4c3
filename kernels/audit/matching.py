"""Whether the type that an operation returned says what it should: the same numbers, the same function.

A result's ``?`` is known at run time alone. What is asked of it is what its type claims: that it is a multiple of its
divisor. :class:`Unknown` stands for it; it fits every number of which that is shown. Where the number is known when the
kernel is traced, a ``?`` hides it: such a result fits, and is not shown to be right (:func:`hidden`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...model.htuple import HTuple, congruent, flatten, leaves, text_of
from ...model.layout import Layout
from ...model.semimodule import CoordinateStride
from .sizes import Number, Stride, divisible, is_static, plain, quotient, same, times

Mode = tuple[Number, Stride]
Pair = tuple[str, Any, Any]  # a place of a result, what is expected there, what it has


@dataclass(frozen=True)
class Unknown:
    """A ``?`` of a result, a multiple of ``divisor``."""

    divisor: int = 1

    def __str__(self) -> str:
        return "?" if self.divisor == 1 else f"?{{div={self.divisor}}}"


@dataclass(frozen=True)
class Fault:
    """What a result says that it should not: ``expected`` and ``got`` in the ``place`` named; ``leaf`` its number."""

    place: str
    expected: Any
    got: Any
    leaf: int | None = None

    def __str__(self) -> str:
        return f"the {self.place} should be {self.expected}, not {self.got}"


def fits(expected: Stride, got: Any) -> bool:
    """Whether a number of a result can only be what is expected.

    >>> from ...model.names import Expr
    >>> fits(4, 4), fits(4, Unknown()), fits(8 * Expr.of("n0"), Unknown(4)), fits(6, Unknown(4)), fits(Expr.of("n0"), 4)
    (True, True, True, False, False)
    """
    if isinstance(got, CoordinateStride):
        if not isinstance(expected, CoordinateStride) or len(expected.terms) != len(got.terms):
            return False
        return all(p == q and fits(x, y) for (p, x), (q, y) in zip(expected.terms, got.terms, strict=True))
    if isinstance(got, Unknown):
        return not isinstance(expected, CoordinateStride) and divisible(expected, got.divisor)
    return same(expected, got)


def match_tuple(expected: HTuple, got: HTuple, place: str = "value") -> Fault | None:
    """The first number in which two HTuples differ; None where the result fits."""
    if not congruent(expected, got):
        return Fault("profile", text_of(expected), text_of(got))
    for leaf, (x, y) in enumerate(zip(flatten(expected), flatten(got), strict=True)):
        if x is None and y is None:
            continue
        if x is None or y is None or not fits(x, y):
            return Fault(place, "_" if x is None else x, "_" if y is None else y, leaf)
    return None


def match_layout(expected: Layout, got: Layout) -> Fault | None:
    """The first number in which two layouts of one profile differ; the stride of a mode of size 1 does not matter.

    >>> str(match_layout(Layout((4, 8)), Layout((4, 8), (1, 5))))
    'the stride of mode 1 should be 4, not 5'
    """
    if not congruent(expected.shape, got.shape):
        return Fault("profile", expected, got)
    for leaf, (mode, found) in enumerate(zip(_modes(expected), _modes(got), strict=True)):
        if not fits(mode[0], found[0]):
            return Fault(f"size of mode {leaf}", mode[0], found[0], leaf)
        if not (is_one(mode[0]) or fits(mode[1], found[1])):
            return Fault(f"stride of mode {leaf}", mode[1], found[1], leaf)
    return None


def same_function(expected: Layout, got: Layout) -> bool:
    """Whether ``got`` gives what ``expected`` gives at every index in bounds, whatever its profile.

    Both are coalesced, then walked side by side: a mode that is longer than its partner is split. What a ``?`` stands
    for is bound as it is met.

    >>> same_function(Layout((4, 8)), Layout(32)), same_function(Layout((4, 8)), Layout((4, 8), (1, 8)))
    (True, False)
    """
    return _walked(expected, got) is not None


def _walked(expected: Layout, got: Layout) -> list[Pair] | None:
    """The numbers that stand for each other where two layouts are one function; None where they are not shown to be."""
    wanted = coalesced(_modes(expected))
    found: list[tuple[int, Any, Any]] = [(k, n, d) for k, (n, d) in enumerate(_modes(got)) if not is_one(n)]
    if all(not _has_unknown((n, d)) for _, n, d in found):
        found = [(k, n, d) for k, (n, d) in enumerate(coalesced([(n, d) for _, n, d in found]))]
    wanted, found = wanted[::-1], found[::-1]
    pairs: list[Pair] = []
    while wanted and found:
        (size, stride), (k, n, d) = wanted.pop(), found.pop()
        if isinstance(n, Unknown):
            if divisible(size, n.divisor) and fits(stride, d):
                pairs.append((f"the size of mode {k}", size, n))
                n = size
            elif n.divisor == 1:
                pairs.append((f"the size of mode {k}", 1, n))
                wanted.append((size, stride))  # it is 1, and its stride does not matter
                continue
            else:
                return None
        if not fits(stride, d):
            return None
        pairs.append((f"the stride of mode {k}", stride, d))
        if same(size, n):
            continue
        shorter = quotient(size, n)
        if shorter is not None and not (isinstance(shorter, int) and shorter < 1):
            wanted.append((shorter, times(stride, n)))
            continue
        longer = quotient(n, size)
        if longer is None:
            return None
        found.append((k, longer, times(stride, size)))
    pairs += [(f"the size of mode {k}", 1, n) for k, n, _ in found]
    return pairs if not wanted and all(isinstance(n, Unknown) and n.divisor == 1 for _, n, _ in found) else None


def hidden(expected: Any, got: Any, place: str = "value") -> frozenset[tuple[str, str]]:
    """The places of a result that fits where a ``?`` hides a number that is known, with the number.

    >>> sorted(hidden(Layout((4, 8)), Layout.of((4, Unknown()), (Unknown(), 4))))
    [('the size of mode 1', '8'), ('the stride of mode 0', '1')]
    >>> from ...model.names import Expr
    >>> sorted(hidden((4, Expr.of("n0")), (Unknown(), Unknown())))
    [('value 0', '4')]
    """
    pairs: list[Pair] = []
    if not isinstance(expected, Layout):
        both = enumerate(zip(leaves(expected), leaves(got), strict=True))
        pairs = [(f"{place} {k}" if isinstance(expected, tuple) else f"the {place}", x, y) for k, (x, y) in both]
    elif match_layout(expected, got) is None:
        for k, (mode, found) in enumerate(zip(_modes(expected), _modes(got), strict=True)):
            pairs.append((f"the size of mode {k}", mode[0], found[0]))
            if not is_one(mode[0]):
                pairs.append((f"the stride of mode {k}", mode[1], found[1]))
    else:
        pairs = _walked(expected, got) or []
    return frozenset((where, str(x)) for where, x, y in pairs if _hides(x, y))


def _hides(expected: Any, got: Any) -> bool:
    if isinstance(got, CoordinateStride):
        scales = dict(expected.terms)
        return any(_hides(scales[path], scale) for path, scale in got.terms)
    return isinstance(got, Unknown) and is_static(expected)


def coalesced(modes: list[Mode]) -> list[Mode]:
    """The modes with those of size 1 left out and those that go on joined, where that is shown."""
    joined: list[Mode] = []
    for size, stride in modes:
        if is_one(size):
            continue
        if joined and same(stride, times(joined[-1][1], joined[-1][0])):
            joined[-1] = (plain(joined[-1][0] * size), joined[-1][1])
        else:
            joined.append((size, stride))
    return joined


def is_one(size: Any) -> bool:
    """Whether a size is 1 whatever the names are."""
    return isinstance(size, int) and size == 1


def refines(coarse: HTuple, shape: HTuple) -> bool:
    """Whether ``shape`` refines ``coarse``: under each of its numbers the sizes multiply to it.

    A ``?`` under a number takes what the others leave.

    >>> refines((4, 6), (4, (2, 3))), refines((4, 6), (2, 12)), refines((4, 6), (4, (2, Unknown())))
    (True, False, True)
    """
    if isinstance(coarse, tuple):
        return isinstance(shape, tuple) and len(coarse) == len(shape) and all(map(refines, coarse, shape))
    known: Number = 1
    unknown = 0
    for size in flatten(shape):
        if isinstance(size, Unknown):
            unknown += 1
        else:
            known = plain(known * size)
    if not unknown:
        return same(coarse, known)
    return quotient(coarse, known) is not None


def _modes(layout: Layout) -> list[tuple[Any, Any]]:
    return list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))


def _has_unknown(mode: tuple[Any, Any]) -> bool:
    size, stride = mode
    if isinstance(stride, CoordinateStride):
        return isinstance(size, Unknown) or any(isinstance(scale, Unknown) for _, scale in stride.terms)
    return isinstance(size, Unknown) or isinstance(stride, Unknown)


__all__ = [
    "Fault",
    "Unknown",
    "coalesced",
    "fits",
    "hidden",
    "is_one",
    "match_layout",
    "match_tuple",
    "refines",
    "same_function",
]
