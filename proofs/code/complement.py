"""The bounded and the extended complement: gaps between sorted strides, as long as these form a divisor chain.

That (L, L*) is a bijection is shown by its form: its modes, in the order of their strides, are those of a compact
layout (every stride the product of the sizes before), which is the identity permuted.
"""

from __future__ import annotations

from typing import Any

from ...model import complement as module
from ...model import properties
from ...model.errors import ComplementRefuted
from ...model.htuple import flatten
from ...model.layout import Layout
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, is_mixed_radix, layout, only_symbolic, outside, volume

SEARCHED = "collisions of a layout whose strides are no chain (find_zero, a search)"
FILLED = "gaps of a layout whose strides are no chain (_gaps tries each by a search)"


def bounded(rank: int, least: int | None) -> Check:
    """complement: (L, L*) is compact, its size the least that reaches the bound; a refusal has no chain."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank, least=least)
        bound = run.integer("N", 1, is_size=True)
        stops = (
            standing_in(properties, find_zero=outside(SEARCHED)),
            standing_in(module, _forced=lambda _: None),  # it only looks for a smaller witness
        )
        with only_symbolic(run, *stops):
            try:
                answer = module.decide_complement(a, bound)
            except ComplementRefuted as refusal:
                refused(run, a, refusal)
                return
        run.ended(End.RETURNED)
        result = answer.result
        both = [*a.modes, *result.modes]
        reached = is_mixed_radix(run, both, "the modes of (L, L*) are those of a compact layout")
        run.show(volume(a.shape) * volume(result.shape), "==", reached, "|L|·|L*| = M")
        run.show(bound, "<=", reached, "M ≥ N")
        increasing(run, result)
        top = least_period(a)
        run.show(reached - top, "<", bound, "no smaller M: one period less is below N")
        run.show(reached % top, "==", 0, "M is a multiple of the period")
        run.show(answer.out_of_range, "==", reached - bound, "what overhangs is counted")

    return check


def least_period(a: Layout) -> Any:
    """Size·stride of the mode of the largest stride: what every M is a multiple of (theorem on complements)."""
    live = sorted([mode for mode in a.modes if mode[0] != 1], key=lambda mode: mode[1])
    return live[-1][0] * live[-1][1] if live else 1


def increasing(run: Run, a: Layout) -> None:
    """L*(x−1) < L*(x): each stride exceeds what the modes before reach together."""
    reach: Any = 0
    for s, d in a.modes:
        if s == 1:
            continue
        run.show(reach, "<", d, "L* is ordered")
        reach = reach + (s - 1) * d


def refused(run: Run, a: Layout, refusal: ComplementRefuted) -> None:
    """The witness holds, and the sorted strides are no divisor chain: then nothing completes L (theorem)."""
    assert refusal.witness is not None
    kind, values = refusal.witness.kind, refusal.witness.values
    run.ended(End.HANDED_OVER, f"{kind}: no divisor chain (theorem on complements)")
    if kind == "negative":
        crd = flatten(values["coordinate"])
        for c, s in zip(crd, flatten(a.shape), strict=True):
            run.show(0, "<=", c, "the witness lies in L")
            run.show(c, "<", s, "the witness lies in L")
        run.show(sum([c * d for c, (_, d) in zip(crd, a.modes, strict=True)]), "<", 0, "an offset is negative")
        return
    if kind == "collision":
        first, second = flatten(values["coordinate"]), flatten(values["other"])
        for crd in (first, second):
            for c, s in zip(crd, flatten(a.shape), strict=True):
                run.show(0, "<=", c, "the witness lies in L")
                run.show(c, "<", s, "the witness lies in L")
        one, two = (sum([c * d for c, (_, d) in zip(crd, a.modes, strict=True)]) for crd in (first, second))
        run.show(one, "==", two, "two coordinates share an offset")
        return
    run.show(0, "<", values["offset"], "0 is an offset of every layout")
    digits = [index_below(run, f"c{k}", s) for k, s in enumerate(flatten(a.shape))]
    _ = [c == 0 for c in digits]  # each case apart
    reached = sum([c * d for c, (_, d) in zip(digits, a.modes, strict=True)])
    run.show(reached, "!=", values["offset"], "the hole is no offset of L")
    top: Any = 1
    for s, d in sorted([mode for mode in a.modes if mode[0] != 1], key=lambda mode: mode[1]):
        if d % top != 0:
            return
        top = s * d
    run.show(0, "==", 1, "a stride is no multiple of the period before")


def extended(rank: int) -> Check:
    """extended_complement of a chain: its modes and the live ones of L are compact up to 1:top, the last."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        stops = (
            standing_in(properties, find_zero=outside(FILLED)),
            standing_in(module, refute_injective=outside(FILLED), decide_injective=outside(FILLED)),
        )
        with only_symbolic(run, *stops):
            try:
                answer = module.decide_extended_complement(a)
            except ComplementRefuted as refusal:
                assert refusal.witness is not None
                if refusal.witness.kind != "negative":
                    raise
                refused(run, a, refusal)
                return
        run.ended(End.RETURNED)
        *gaps, (last, top) = answer.result.modes
        run.show(last, "==", 1, "the last mode has size 1 and goes on")
        live = [(s, d) for s, d in a.modes if s != 1 and d != 0]
        if not run.is_symbolic and not is_chain(live):
            return
        reached = is_mixed_radix(run, [*live, *gaps], "the live modes of L and the gaps are compact")
        run.show(top, "==", reached, "and end where the last mode begins")
        increasing(run, answer.result)
        has_zero = any(s != 1 and d == 0 for s, d in a.modes)
        run.show(int(bool(answer.exact)), "==", int(not has_zero), "exact unless a mode of stride 0 was left out")

    return check


def is_chain(live: list[tuple[int, int]]) -> bool:
    """Whether the sorted strides are multiples of the period before, for plain numbers."""
    top = 1
    for s, d in sorted(live, key=lambda mode: mode[1]):
        if d % top:
            return False
        top = s * d
    return True


def _unchecked(a: Layout) -> Any:
    """A fault: a chain is taken for granted."""
    gaps, top = [], 1
    for s, d in module._sorted_modes(a):
        if d > top:
            gaps.append((d // top, top))
        top = s * d
    return gaps, top


CODE = (
    Code(
        "code.complement.bounded",
        "model.complement.decide_complement",
        "Where complement returns L*, (L, L*) is a bijection onto Z_M, L* is ordered and M is the least multiple of "
        "the period that reaches N; where it refuses, the witness holds (those that _forced counts out only on "
        "numbers) and the strides are no divisor chain.",
        rank_at_most(2, "any integer strides"),
        {f"rank {rank}": bounded(rank, None) for rank in (1, 2)},
        "the chain is not checked",
        lambda: standing_in(module, _chain=_unchecked, _check_tiles=lambda *_: None),
        gaps=(SEARCHED,),
    ),
    Code(
        "code.complement.extended",
        "model.complement.decide_extended_complement",
        "Where the live strides form a divisor chain, they and the gaps are compact up to the last mode 1:top.",
        rank_at_most(2, "any integer strides"),
        {f"rank {rank}": extended(rank) for rank in (1, 2)},
        "the chain is not checked",
        lambda: standing_in(module, _gaps=lambda a: (*_unchecked(a), True, ("closed-form",))),
        gaps=(FILLED,),
    ),
)
