"""Numbers that are not known when a kernel is traced: what holds of them whatever they are.

A number is an integer or an :class:`~...model.names.Expr`. A name that begins with ``n`` is a size, at least 1; any
other is an integer of either sign. A type's ``?{div=8}`` is 8 times a name, so what its divisibility gives is plain
arithmetic on coefficients. What is answered here holds for every value of the names; False says that it was not shown.

A stride is a number, or numbers along axes (:class:`CoordinateStride`), whose own ``+`` and ``*`` ask whether a scale
is zero: with names that is unknown, so :func:`plus` and :func:`times` stand beside them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...model.names import Call, Expr, as_number
from ...model.semimodule import CoordinateStride

Number = Any  # int or Expr
Stride = Any  # Number or CoordinateStride


def is_static(number: Number) -> bool:
    """Whether a number is a plain integer."""
    return isinstance(number, int)


def plain(number: Number) -> Number:
    """An expression without names as the integer that it is."""
    return number if isinstance(number, int) else as_number(number)


def divisible(number: Number, by: int) -> bool:
    """Whether ``number`` is a multiple of ``by`` whatever the names are.

    >>> divisible(8 * Expr.of("n0"), 4), divisible(8 * Expr.of("n0") + 4, 8)
    (True, False)
    """
    if by == 1:
        return True
    if isinstance(number, int):
        return number % by == 0
    return all(c.denominator == 1 and c.numerator % by == 0 for c in number.terms.values())


def quotient(number: Number, by: Number) -> Number | None:
    """The whole number ``number / by``; None where it is not shown to be whole.

    >>> n = Expr.of("n0")
    >>> str(quotient(8 * n, 4)), quotient(n, 4), str(quotient(6 * n * n, 3 * n)), quotient(12, 5)
    ('2*n0', None, '2*n0', None)
    >>> str(quotient(16 * n * Expr.of("n1") + 16 * n, Expr.of("n1") + 1))
    '16*n0'
    """
    if isinstance(number, int) and isinstance(by, int):
        return number // by if by and number % by == 0 else None
    if isinstance(by, Expr) and len(by.terms) > 1:
        return _long_division(Expr.of(number), by)
    found = plain(Expr.of(number) / by)
    if isinstance(found, int):
        return found
    whole = all(
        c.denominator == 1 and all(isinstance(a, str) or a.kind != "exact" for a in m) for m, c in found.terms.items()
    )
    return found if whole else None


def _long_division(number: Expr, by: Expr) -> Number | None:
    """The quotient of two polynomials where there is no rest: leading terms first, by degree and then by name."""
    lead = max(by.terms, key=_order)
    whole = Expr({})
    for _ in range(16):
        if not number.terms:
            return plain(whole)
        top = max(number.terms, key=_order)
        left = list(top)
        for atom in lead:
            if atom not in left:
                return None
            left.remove(atom)
        ratio = number.terms[top] / by.terms[lead]
        if ratio.denominator != 1:
            return None
        part = Expr({tuple(left): ratio})
        whole, number = whole + part, number - part * by
    return None


def _order(monomial: tuple[Any, ...]) -> tuple[int, list[str]]:
    return len(monomial), [str(atom) for atom in monomial]


def least(number: Number) -> int | Fraction | None:
    """The least value of a number over all its names, or None where it is not shown to have one.

    Every name that is a size is put at least 1: n = 1 + t, and a polynomial in t without negative coefficients is
    least at t = 0.

    >>> n = Expr.of("n0")
    >>> least(8 * n - 3), least(n * n - n), least(5 - n), least(Expr.of("c0"))
    (Fraction(5, 1), Fraction(0, 1), None, None)
    """
    if isinstance(number, int):
        return number
    shifted: dict[tuple[Any, ...], Fraction] = {}
    for monomial, c in number.terms.items():
        parts: dict[tuple[Any, ...], Fraction] = {(): c}
        for atom in monomial:
            low = _least_of(atom)
            if low is None:
                return None
            grown: dict[tuple[Any, ...], Fraction] = {}
            for m, k in parts.items():
                if low:
                    grown[m] = grown.get(m, Fraction(0)) + k * low
                key = tuple(sorted((*m, atom), key=str))
                grown[key] = grown.get(key, Fraction(0)) + k
            parts = grown
        for m, k in parts.items():
            shifted[m] = shifted.get(m, Fraction(0)) + k
    if any(k < 0 for m, k in shifted.items() if m):
        return None
    return shifted.get((), Fraction(0))


def _least_of(atom: Any) -> int | None:
    """A lower bound of a name or a call that is never undercut; None: none is known."""
    if isinstance(atom, str):
        return 1 if atom.startswith("n") else None
    call: Call = atom
    low, over = least(call.left), least(call.right)
    if low is None or over is None or over <= 0 or low < 0:
        return None
    return 1 if call.kind == "ceil" and low > 0 else 0


def is_below(small: Number, large: Number) -> bool:
    """Whether ``small < large`` whatever the names are.

    >>> is_below(7, 8 * Expr.of("n0")), is_below(8, 8 * Expr.of("n0"))
    (True, False)
    """
    if isinstance(small, int) and isinstance(large, int):
        return small < large
    low = least(Expr.of(large) - small)
    return low is not None and low > 0


def at_most(small: Number, large: Number) -> bool:
    """Whether ``small ≤ large`` whatever the names are."""
    return is_below(small, large + 1)


def rounded_up(number: Number, by: Number) -> Number:
    """⌈number / by⌉.

    >>> rounded_up(9, 4), str(rounded_up(Expr.of("n0"), 4)), str(rounded_up(8 * Expr.of("n0"), 4))
    (3, 'ceil(n0/4)', '2*n0')
    """
    return plain(-(-number // by))


def rest(number: Number, by: Number) -> Number | None:
    """``number mod by`` for a ``number`` that is not negative; None where it is not known.

    >>> n = Expr.of("n0")
    >>> rest(8 * n, 4), rest(3, 8 * n), rest(n, 8)
    (0, 3, None)
    """
    if isinstance(number, int) and isinstance(by, int):
        return number % by
    if quotient(number, by) is not None:
        return 0
    low = least(number)
    if low is not None and low >= 0 and is_below(number, by):
        return number
    return None


def times(stride: Stride, number: Number) -> Stride:
    """A stride times a number."""
    if isinstance(stride, CoordinateStride):
        if isinstance(number, int) and number == 0:
            return 0
        return CoordinateStride(tuple((path, plain(scale * number)) for path, scale in stride.terms))
    return plain(stride * number)


def plus(first: Stride, second: Stride) -> Stride:
    """The sum of two strides or offsets; ValueError where an integer meets an axis."""
    if not isinstance(first, CoordinateStride) and not isinstance(second, CoordinateStride):
        return plain(first + second)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, int) and one == 0:
            return other
    if not isinstance(first, CoordinateStride) or not isinstance(second, CoordinateStride):
        raise ValueError(f"{first} and {second} belong to different semimodules")
    scales = dict(first.terms)
    for path, scale in second.terms:
        scales[path] = plain(scales.get(path, 0) + scale)
    kept = sorted((path, scale) for path, scale in scales.items() if not (isinstance(scale, int) and scale == 0))
    return CoordinateStride(tuple(kept)) if kept else 0


def is_zero(stride: Stride) -> bool:
    """Whether a stride is zero whatever the names are."""
    return isinstance(stride, int) and stride == 0


def same(first: Stride, second: Stride) -> bool:
    """Whether two strides are the same expression."""
    if isinstance(first, CoordinateStride) or isinstance(second, CoordinateStride):
        return (
            isinstance(first, CoordinateStride) and isinstance(second, CoordinateStride) and first.terms == second.terms
        )
    return bool(first == second)
