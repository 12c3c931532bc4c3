"""What a stride may be: an integer, a coordinate, or an element of F₂ (paper §2.3, definitions 2.15 and 2.16).

An element is added to its like and scaled by integers. The integer 0 is the zero of every semimodule. Elements of
different semimodules do not add: ``InputError``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .errors import InputError
from .names import Expr

Element = Any  # int, CoordinateStride or F2


@dataclass(frozen=True, eq=False)
class CoordinateStride:
    """An integer combination of basis coordinates e₀, e₁, … (definition 2.16, the instance Z^S).

    ``terms`` holds (path, scale) pairs, sorted, no scale zero; a path of several steps is the basis of a nested mode.
    Write ``E(0)``, ``2 * E(1)``, ``E(0) + 6 * E(1)``, ``E(0, 1)``.

    >>> str(E(0) + 2 * E(1)), str(0 * E(0)), str(-E(1)), str(3 * E(0, 1))
    ('e0+2e1', '0', '-e1', '3@1@0')
    """

    terms: tuple[tuple[tuple[int, ...], Any], ...]  # a scale is an integer, or an expression with names

    def __add__(self, other: Element) -> CoordinateStride:
        if isinstance(other, int) and other == 0:
            return self
        if not isinstance(other, CoordinateStride):
            raise InputError(f"{self} and {other} belong to different semimodules")
        scales = dict(self.terms)
        for path, scale in other.terms:
            scales[path] = scales.get(path, 0) + scale
        paths = sorted(path for path, scale in scales.items() if scale)
        for shorter, longer in pairwise(paths):
            if longer[: len(shorter)] == shorter:
                raise InputError(f"{self} and {other} name a mode both whole and by parts")
        return CoordinateStride(tuple((path, scales[path]) for path in paths))

    __radd__ = __add__

    def __mul__(self, scale: int) -> CoordinateStride:
        return CoordinateStride(tuple((path, s * scale) for path, s in self.terms if s * scale))

    __rmul__ = __mul__

    def __neg__(self) -> CoordinateStride:
        return self * -1

    def __sub__(self, other: Element) -> CoordinateStride:
        return self + -other

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CoordinateStride):
            return self.terms == other.terms
        return type(other) is int and other == 0 and not self.terms

    def __hash__(self) -> int:
        return hash(self.terms) if self.terms else hash(0)

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        terms: tuple[tuple[tuple[int, ...], Any], ...] = self.terms
        for path, scale in terms:
            if not isinstance(scale, int):  # an expression with names
                basis = f"*e{path[0]}" if len(path) == 1 else "".join(f"@{step}" for step in reversed(path))
                named = str(scale)
                inside = f"({named})" if re.search(r"[-+]", named) else named
                text += f"{'+' if text else ''}{inside}{basis}"
                continue
            sign = "-" if scale < 0 else "+" if text else ""
            if len(path) == 1:
                text += f"{sign}{'' if abs(scale) == 1 else abs(scale)}e{path[0]}"
            else:
                text += f"{sign}{abs(scale)}" + "".join(f"@{step}" for step in reversed(path))
        return text

    __repr__ = __str__


def E(*path: int) -> CoordinateStride:
    """The basis coordinate e_path: 1 in the mode that ``path`` leads to."""
    if not path or any(not isinstance(step, int) or step < 0 for step in path):
        raise InputError(f"a basis coordinate needs a path of mode numbers, not {path}")
    return CoordinateStride(((tuple(path), 1),))


@dataclass(frozen=True, eq=False)
class F2:
    """A vector over F₂, its bits those of an integer: + is XOR, scaling is the carry-less product (§2.3).

    Scaling by integers is that of polynomials over F₂, so a·(b·m) = (ab)·m fails: see the claims on doubt 6.

    >>> F2(9) + F2(3), 2 * F2(9), 3 * F2(5), 3 * (3 * F2(1))
    (f10, f18, f15, f5)
    """

    bits: int

    def __post_init__(self) -> None:
        if self.bits < 0:
            raise InputError("an element of F2 has no sign")

    def __add__(self, other: Element) -> F2:
        if isinstance(other, int) and other == 0:
            return self
        if not isinstance(other, F2):
            raise InputError(f"{self} and {other} belong to different semimodules")
        return F2(self.bits ^ other.bits)

    __radd__ = __add__
    __sub__ = __add__

    def __neg__(self) -> F2:
        return self

    def __mul__(self, scale: int) -> F2:
        if scale < 0:
            raise InputError("F2 has no product with a negative integer")
        bits, product, shift = self.bits, 0, 0
        while scale:
            if scale & 1:
                product ^= bits << shift
            scale >>= 1
            shift += 1
        return F2(product)

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return self.bits != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, F2):
            return self.bits == other.bits
        return type(other) is int and other == 0 and not self.bits

    def __hash__(self) -> int:
        return hash(("F2", self.bits)) if self.bits else hash(0)

    def __str__(self) -> str:
        return f"f{self.bits}"

    __repr__ = __str__


def semimodule_of(elements: Iterable[Element]) -> str:
    """``'integer'``, ``'coordinate'`` or ``'F2'``: where the elements live; InputError when they are mixed.

    >>> semimodule_of([1, 0, -3]), semimodule_of([E(0), 0]), semimodule_of([F2(3)])
    ('integer', 'coordinate', 'F2')
    """
    first = None
    for element in elements:
        if type(element) is int and element == 0:
            continue
        kind = kind_of(element)
        if first is None:
            first = element
        elif kind != kind_of(first):
            raise InputError(f"{first} and {element} belong to different semimodules")
    return "integer" if first is None else kind_of(first)


def kind_of(element: Element) -> str:
    """The semimodule of one element; InputError for what is no stride."""
    if isinstance(element, int) and not isinstance(element, bool):
        return "integer"
    if isinstance(element, CoordinateStride):
        return "coordinate"
    if isinstance(element, F2):
        return "F2"
    if isinstance(element, Expr):
        return "integer"
    raise InputError(f"{element!r} is no stride: an integer, a coordinate or an element of F2 is meant")


def as_integer(value: Element) -> int:
    """An integer offset as itself, one in F₂ as the integer that its bits write.

    >>> as_integer(5), as_integer(F2(5))
    (5, 5)
    """
    return value.bits if isinstance(value, F2) else int(value)
