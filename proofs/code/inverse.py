"""The left inverse of a chain of strides, and the right inverse by sorted strides."""

from __future__ import annotations

from typing import Any

from ...model import inverse as module
from ...model import properties
from ...model.layout import Layout
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, layout, only_symbolic, outside, value, volume

SEARCHED = "layouts whose strides are no chain (search_left, search_right)"
COLLISIONS = "collisions of a layout whose strides do not exceed one another's reach (find_zero, a search)"


def left(rank: int) -> Check:
    """L(L†(L(k))) = L(k), and L†(L(k)) is an index of L; where no stride is 0, it is k."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        stops = standing_in(module, search_left=outside(SEARCHED), refute_injective=lambda _: None)
        with only_symbolic(run, stops):
            r = module.decide_left_inverse(a).result
        run.ended(End.RETURNED)
        k = index_below(run, "k", volume(a.shape))
        offset = value(a, k)
        back = value(r, offset)
        run.show(0, "<=", back, "L†(L(k)) is an index of L")
        run.show(back, "<", volume(a.shape), "L†(L(k)) is an index of L")
        run.show(value(a, back), "==", offset, "L(L†(L(k))) = L(k)")
        if all(s == 1 or d != 0 for s, d in a.modes) and run.is_symbolic:
            run.show(back, "==", k, "L†(L(k)) = k")

    return check


def right(rank: int) -> Check:
    """L(L‡(k)) = k below the size of L‡, which is no offset of L where no stride is negative: none is larger."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        stops = (
            standing_in(module, search_right=outside(SEARCHED), _is_offset=lambda *_: False, _check_right=lambda *_: 0),
            standing_in(properties, find_zero=outside(COLLISIONS)),
        )
        with only_symbolic(run, *stops):
            r = module.decide_right_inverse(a).result
        run.ended(End.RETURNED)
        k = index_below(run, "k", volume(r.shape))
        run.show(value(a, value(r, k)), "==", k, "L(L‡(k)) = k")
        if all(s == 1 or d >= 0 for s, d in a.modes):
            digits = [index_below(run, f"c{i}", s) for i, (s, _) in enumerate(a.modes)]
            _ = [c == 0 for c in digits]  # each case apart
            offset = sum([c * d for c, (_, d) in zip(digits, a.modes, strict=True)])
            run.show(offset, "!=", volume(r.shape), "no coordinate has the next offset")

    return check


def _fits_unchecked(live: Any) -> Any:
    """A fault: what fits is not looked at."""
    modes: list[Any] = []
    if not live:
        return modes
    if live[0][1] < 1:
        return None
    if live[0][1] > 1:
        modes.append((live[0][1], 0))
    for (s, d, index), following in zip(live, [*live[1:], None], strict=True):
        if following is None:
            modes.append((s, index))
        elif following[1] % d:
            return None
        else:
            modes.append((following[1] // d, index))
    return modes


def _without_check(axis: Any) -> Any:
    """A fault: the modes sorted by stride, whatever the strides are."""
    found = [(s, index) for s, d, index in sorted([m for m in axis.modes if m[1]], key=lambda mode: mode[1])]
    if not found:
        return Layout.of(1, 0), "closed-form"
    return Layout.of(*(tuple([mode[k] for mode in found]) for k in (0, 1))), "closed-form"


CODE = (
    Code(
        "code.left-inverse",
        "model.inverse.decide_left_inverse",
        "Where the live strides form a chain, the left inverse sends every offset of L back to an index that has it.",
        rank_at_most(2, "integer strides"),
        {f"rank {rank}": left(rank) for rank in (1, 2)},
        "sizes that do not fit between the strides",
        lambda: standing_in(module, _left_chain=_fits_unchecked),
        gaps=(SEARCHED,),
    ),
    Code(
        "code.right-inverse",
        "model.inverse.decide_right_inverse",
        "Where all other strides exceed what they reach, or each stride what the smaller ones reach, the modes of "
        "strides 1, s₀, s₀s₁, … give a right inverse, and no larger one exists where no stride is negative. What "
        "_is_offset rules out by a search is proved there, and taken from the search where a stride is negative.",
        rank_at_most(2, "integer strides"),
        {f"rank {rank}": right(rank) for rank in (1, 2)},
        "the strides are not compared with what was reached",
        lambda: standing_in(module, _right_of_axis=_without_check),
        gaps=(SEARCHED, COLLISIONS),
    ),
)
