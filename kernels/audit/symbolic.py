"""Compositions and complements whose sizes or strides have names: decided for every value of them, or under conditions.

With names the model's operations are run here on expressions. What they need to ask, whether one number divides
another or stays below it, is asked of :mod:`.sizes`; what is not shown there becomes a condition, and the answer holds
where the conditions do. The result is proved by its floor form, as in :mod:`...model.floor_form`: each mode of the
result steps through A without a carry inside one mode of A, and the steps of all modes together stay below every
place where A could carry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...model.htuple import HTuple, at, flatten, leaves, unflatten
from ...model.layout import Layout
from ...model.names import Expr
from ...model.semimodule import CoordinateStride
from .matching import coalesced, is_one
from .sizes import (
    Number,
    Stride,
    at_most,
    is_below,
    is_static,
    is_zero,
    least,
    plain,
    quotient,
    rest,
    rounded_up,
    times,
)

Mode = tuple[Number, Stride]


class Unsettled(Exception):
    """Nothing is known of the question here; the sentence says what is missing.

    ``split`` is a name and a number, where the values below that number, one by one, and those from it on, as one,
    are easier questions.
    """

    def __init__(self, sentence: str, split: tuple[str, int] | None = None):
        super().__init__(sentence)
        self.split = split


MOST_CASES = 32


def _split_at(number: Number, limit: Number) -> tuple[str, int] | None:
    """The name n and the least value of it from which a ``number`` k·n reaches ``limit``; None where it is no such."""
    if is_static(number) or not is_static(limit) or len(number.terms) != 1:
        return None
    ((monomial, scale),) = number.terms.items()
    if len(monomial) != 1 or not isinstance(monomial[0], str) or not monomial[0].startswith("n") or scale <= 0:
        return None
    first = int(-(-limit // scale))
    return (monomial[0], first) if 1 < first <= MOST_CASES else None


@dataclass
class Conditions:
    """What a result needs and was not shown: sentences, in the order met."""

    needed: list[str] = field(default_factory=list)

    def need(self, sentence: str) -> None:
        """Note a condition once."""
        if sentence not in self.needed:
            self.needed.append(sentence)


def compose(a: Layout, b: Layout, conditions: Conditions) -> Layout:
    """A∘B, each leaf of B replaced by its modes in A; Unsettled where that is not found.

    >>> n = Expr.of("n0")
    >>> str(compose(Layout.of((8 * n, 5), (1, 8 * n)), Layout((4, 2)), Conditions()))
    '(4,2):(1,4)'
    """
    axes = _axes(a, b)
    found: list[list[tuple[Number, dict[Any, Number], Stride]]] = []
    for size, stride in zip(flatten(b.shape), flatten(b.stride), strict=True):
        if is_one(size) or is_zero(stride):
            found.append([(size, {}, 0)])
            continue
        path, step = _step(stride, axes)
        found.append([(n, {path: x}, d) for n, x, d in _leaf(axes[path], size, step, conditions)])
    for path, modes in axes.items():
        _check_carries(path, modes, found, conditions)
    shape = unflatten([_grouped([n for n, _, _ in modes]) for modes in found], b.shape)
    stride = unflatten([_grouped([d for _, _, d in modes]) for modes in found], b.shape)
    return Layout.of(shape, stride)


def _grouped(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def _axes(a: Layout, b: Layout) -> dict[Any, list[Mode]]:
    """The coalesced modes of A along each axis that B's offsets have; () is the whole of A."""
    paths = {path for d in leaves(b.stride) if isinstance(d, CoordinateStride) for path, _ in d.terms}
    if not paths:
        return {(): modes_of(a.shape, a.stride)}
    try:
        return {path: modes_of(at(a.shape, path), at(a.stride, path)) for path in sorted(paths)}
    except IndexError:
        raise Unsettled(f"{b} gives coordinates that {a} does not have") from None


def modes_of(shape: HTuple, stride: HTuple) -> list[Mode]:
    """The leaf modes, coalesced where that is shown; one of size 1 where all are."""
    return coalesced(list(zip(flatten(shape), flatten(stride), strict=True))) or [(1, 0)]


def _step(stride: Stride, axes: dict[Any, list[Mode]]) -> tuple[Any, Number]:
    if isinstance(stride, CoordinateStride):
        if len(stride.terms) != 1:
            raise Unsettled(f"the stride {stride} points along several axes")
        return stride.terms[0]
    if () not in axes:
        raise Unsettled("strides of integers beside strides of coordinates")
    return (), stride


def _leaf(modes: list[Mode], s: Number, d: Number, conditions: Conditions) -> list[tuple[Number, Number, Stride]]:
    """The modes (size, step in A, value there) of i ↦ A(i·d) for i < s."""
    if len(modes) == 1:
        return [(s, d, times(modes[0][1], d))]
    low = least(d)
    if low is None or low < 1:
        raise Unsettled(f"a stride {d} whose sign is not known, through several modes")
    found: list[tuple[Number, Number, Stride]] = []
    left, through, step = s, d, d
    for size, stride in modes[:-1]:
        skipped = quotient(through, size)
        if skipped is not None:
            through = skipped
            continue
        room = quotient(size, through)
        if room is None:
            if is_below((left - 1) * through, size):
                return [*found, (left, step, times(stride, through))]
            conditions.need(f"{through} divides {size}")
            room = plain(Expr.of(size) / through)
        if at_most(left, room):
            return [*found, (left, step, times(stride, through))]
        more = quotient(left, room)
        if more is None:
            # Either the leaf ends inside this mode or it fills it a whole number of times.
            conditions.need(f"{left} <= {room} or {room} divides {left}")
            raise Unsettled(" and ".join(conditions.needed), _split_at(room, left))
        found.append((room, step, times(stride, through)))
        step = plain(step * room)
        left, through = more, 1
        if is_one(left):
            return found
    return [*found, (left, step, times(modes[-1][1], through))]


def _check_carries(path: Any, modes: list[Mode], found: list[Any], conditions: Conditions) -> None:
    """All steps of the result together stay below every place P where A could carry; a multiple of P never does."""
    place: Number = 1
    for size, _ in modes[:-1]:
        place = plain(place * size)
        reach: Number = 0
        for n, steps, _ in (mode for parts in found for mode in parts):
            step = steps.get(path, 0)
            if is_zero(step):
                continue
            inside = rest(step, place)
            if inside is None:
                raise Unsettled(f"{step} < {place} or {place} divides {step}", _split_at(place, plain(step + 1)))
            reach = plain(reach + (n - 1) * inside)
        if not is_below(reach, place):
            conditions.need(f"{reach} < {place}")
            raise Unsettled(" and ".join(conditions.needed), _split_at(place, plain(reach + 1)))


def complement(layout: Layout, bound: Number) -> Layout:
    """The bounded complement of a layout for ``bound``: gaps between its sorted modes, then ⌈bound / top⌉ of them all.

    Unsettled where the strides are no chain of multiples, or their order is not known.

    >>> str(complement(Layout((2, 2), (1, 8)), Expr.of("n0")))
    '(4,ceil(n0/16)):(2,16)'
    """
    gaps: list[Mode] = []
    top: Number = 1
    for s, d in _sorted(coalesced(list(zip(flatten(layout.shape), flatten(layout.stride), strict=True)))):
        low = least(d) if not isinstance(d, CoordinateStride) else None
        gap = quotient(d, top) if low is not None and low > 0 else None
        if gap is None:
            raise Unsettled(f"whether {d} is a multiple of {top}")
        if not is_one(gap):
            gaps.append((gap, top))
        top = plain(d * s)
    gaps.append((rounded_up(bound, top), top))
    gaps = [mode for mode in gaps if not is_one(mode[0])] or [(1, 0)]
    return Layout.of(_grouped([s for s, _ in gaps]), _grouped([d for _, d in gaps]))


def _sorted(modes: list[Mode]) -> list[Mode]:
    """Modes by their strides; Unsettled where one of two is not shown to be the smaller."""
    found: list[Mode] = []
    for mode in modes:
        if isinstance(mode[1], CoordinateStride):
            raise Unsettled(f"the stride {mode[1]} is a coordinate")
        where = 0
        while where < len(found) and at_most(found[where][1], mode[1]):
            where += 1
        if where < len(found) and not at_most(mode[1], found[where][1]):
            raise Unsettled(f"which of {mode[1]} and {found[where][1]} is the smaller")
        found.insert(where, mode)
    return found


def cosize(layout: Layout) -> Number:
    """The last offset and one: 1 + Σ (s − 1)·d; Unsettled where the sign of a stride is not known.

    >>> str(cosize(Layout.of((4, Expr.of("n0")), (1, 4))))
    '4*n0'
    """
    total: Number = 1
    for s, d in zip(flatten(layout.shape), flatten(layout.stride), strict=True):
        if is_one(s):
            continue
        low = None if isinstance(d, CoordinateStride) else least(d)
        if low is None or low < 0:
            raise Unsettled(f"the sign of the stride {d}")
        total = plain(total + (s - 1) * d)
    return total


__all__ = ["Conditions", "Unsettled", "complement", "compose", "cosize", "modes_of"]
