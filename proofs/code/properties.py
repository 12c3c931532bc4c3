"""Closed forms of properties: the image's prefix, injectivity, contiguous runs, the first difference, the range."""

from __future__ import annotations

from typing import Any

from ...model import properties as module
from ...model.coalesce import coalesce
from ...model.htuple import flatten
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, layout, only_symbolic, outside, value, volume

SEARCHED = "layouts whose strides do not exceed one another's reach (find_zero, a search)"


def prefix(rank: int) -> Check:
    """image_prefix: everything below is an offset, it is none itself."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank, least=0)
        n = module.image_prefix(a)
        run.ended(End.RETURNED)
        order = sorted(range(rank), key=lambda k: flatten(a.stride)[k])
        offset = index_below(run, "x", n)
        reach: Any = 0
        chosen = []
        for k in order:
            s, d = a.modes[k]
            if d <= reach + 1:
                chosen.append(k)
                reach = reach + (s - 1) * d
        left = offset
        for k in reversed(chosen):
            s, d = a.modes[k]
            if d == 0:
                continue
            digit = left // d
            if digit > s - 1:
                digit = s - 1
            run.show(0, "<=", digit, "a digit in bounds")
            left = left - digit * d
        run.show(left, "==", 0, "what lies below is an offset")
        digits = [index_below(run, f"c{k}", s) for k, (s, _) in enumerate(a.modes)]
        _ = [digits[k] == 0 for k in order]  # each case apart
        run.show(sum([c * d for c, (_, d) in zip(digits, a.modes, strict=True)]), "!=", n, "it is no offset itself")

    return check


def injective(rank: int, least: int | None = None) -> Check:
    """refute_injective: None where each stride exceeds what the smaller reach; a stride of 0 gives the witness."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank, least=least)
        with only_symbolic(run, standing_in(module, find_zero=outside(SEARCHED))):
            witness = module.refute_injective(a)
        if witness is not None:
            run.ended(End.RETURNED, "a collision")
            first, second = flatten(witness.values["coordinate"]), flatten(witness.values["other"])
            for crd in (first, second):
                for c, s in zip(crd, flatten(a.shape), strict=True):
                    run.show(0, "<=", c, "the witness lies in L")
                    run.show(c, "<", s, "the witness lies in L")
            one, two = (sum([c * d for c, (_, d) in zip(crd, a.modes, strict=True)]) for crd in (first, second))
            run.show(one, "==", two, "two coordinates share an offset")
            run.show(int(first != second), "==", 1, "they are two")
            return
        run.ended(End.RETURNED, "injective")
        steps = []
        for k, (s, _) in enumerate(a.modes):
            step = run.integer(f"e{k}")
            run.assume(step, "<", s)
            run.assume(0 - s, "<", step)
            steps.append(step)
        run.assume(sum([e * d for e, (_, d) in zip(steps, a.modes, strict=True)]), "==", 0)
        for k in sorted(range(rank), key=lambda k: abs(flatten(a.stride)[k]), reverse=True):
            run.show(steps[k], "==", 0, "two coordinates of one offset are the same")

    return check


def contiguous(rank: int) -> Check:
    """contiguous_run: L(i) = i below it, and not at it, unless L ends there."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        k = module.contiguous_run(a)
        run.ended(End.RETURNED)
        run.show(1, "<=", k, "L(0) = 0")
        if k < volume(a.shape):
            run.show(value(a, k), "!=", k, "the run ends where it says")
        else:
            run.show(k, "==", volume(a.shape), "the run is no longer than L")
        x = index_below(run, "x", k)
        run.show(value(a, x), "==", x, "L(x) = x inside the run")

    return check


def difference(ranks: tuple[int, int]) -> Check:
    """The first index at which two layouts differ; None when they are one function."""

    def check(run: Run) -> None:
        a, b = layout(run, "A", ranks[0]), layout(run, "B", ranks[1])
        index = module._first_difference(a, b)
        run.ended(End.RETURNED, "equal" if index is None else "different")
        if index is None:
            run.show(volume(a.shape), "==", volume(b.shape), "equal layouts have one size")
            x = index_below(run, "x", volume(a.shape))
            run.show(value(a, x), "==", value(b, x), "equal layouts have one value at each index")
            return
        in_a, in_b = index < volume(a.shape), index < volume(b.shape)
        if in_a and in_b:
            run.show(value(a, index), "!=", value(b, index), "they differ where it says")
        else:
            run.show(int(bool(in_a)) + int(bool(in_b)), "==", 1, "one ends where it says, the other does not")
        x = index_below(run, "x", index)
        run.show(value(a, x), "==", value(b, x), "they do not differ before")

    return check


def extent(rank: int) -> Check:
    """offset_range: every offset lies in it, both ends are offsets."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        low, high = module.offset_range(a)
        run.ended(End.RETURNED)
        digits = [index_below(run, f"c{k}", s) for k, (s, _) in enumerate(a.modes)]
        offset = sum([c * d for c, (_, d) in zip(digits, a.modes, strict=True)])
        run.show(low, "<=", offset, "no offset is lower")
        run.show(offset, "<=", high, "no offset is higher")
        least: Any = 0
        for s, d in a.modes:
            least = least + (s - 1) * d if d < 0 else least
        run.show(low, "==", least, "the least is that of the last digits of the negative strides")

    return check


def _covered_too_far(a: Any) -> Any:
    """A fault: every size counted whole."""
    covered: Any = 1
    for s, d in module._by_stride(list(a.modes)):
        if d > covered:
            break
        covered = covered + s * d
    return covered


def _equal_strides_pass(a: Any) -> Any:
    """A fault: a stride that only equals what the smaller ones reach passes."""
    reach: Any = 0
    for s, d in module._by_stride(list(a.modes)):
        if d < reach:
            raise ValueError("a search")
        reach = reach + (s - 1) * d
    return None


CODE = (
    Code(
        "code.image-prefix",
        "model.properties.image_prefix",
        "image_prefix is the least n ≥ 0 that is no offset.",
        rank_at_most(2, "no negative strides"),
        {f"rank {rank}": prefix(rank) for rank in (1, 2)},
        "every size counted whole",
        lambda: standing_in(module, image_prefix=_covered_too_far),
    ),
    Code(
        "code.injective",
        "model.properties.refute_injective",
        "Where each stride exceeds what the smaller ones reach, no two coordinates share an offset; a stride of 0 has "
        "its witness.",
        rank_at_most(3, "integer strides; none negative at rank 3"),
        {"rank 1": injective(1), "rank 2": injective(2), "rank 3": injective(3, 0)},
        "a stride that only equals what the smaller ones reach passes",
        lambda: standing_in(module, refute_injective=_equal_strides_pass),
        gaps=(SEARCHED,),
    ),
    Code(
        "code.contiguous-run",
        "model.properties.contiguous_run",
        "contiguous_run is the largest k ≤ |L| with L(i) = i for every i < k.",
        rank_at_most(3, "integer strides"),
        {f"rank {rank}": contiguous(rank) for rank in (1, 2, 3)},
        "the stride of the first mode is not looked at",
        lambda: standing_in(module, contiguous_run=lambda a: coalesce(a).modes[0][0]),
    ),
    Code(
        "code.equal",
        "model.properties._first_difference",
        "The first difference of two layouts is the first index at which they differ or only one has a value.",
        rank_at_most(2, "integer strides"),
        {f"ranks {m} and {n}": difference((m, n)) for m, n in ((1, 1), (1, 2), (2, 1), (2, 2))},
        "the end of the longer mode",
        lambda: standing_in(module, min=max),
    ),
    Code(
        "code.offset-range",
        "model.properties.offset_range",
        "Every offset lies in offset_range, and its least is one.",
        rank_at_most(3, "integer strides"),
        {f"rank {rank}": extent(rank) for rank in (1, 2, 3)},
        "negative strides not counted",
        lambda: standing_in(module, offset_range=lambda a: (0, sum([(s - 1) * d for s, d in a.modes if d > 0]))),
    ),
)
