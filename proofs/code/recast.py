"""``recast_layout``: elements made narrower, or joined to wider ones."""

from __future__ import annotations

from typing import Any

from ...model import recast as module
from ...model.errors import RecastRefuted
from ...model.htuple import flatten
from ...model.layout import Layout
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, layout, volume


def narrowed(rank: int) -> Check:
    """Each element becomes ``ratio``: at a coordinate and a place e inside it, the offset is ratio·L(c) + e."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        ratio = run.integer("ratio", 2, is_size=True)
        r = module._narrowed(a, ratio)
        run.ended(End.RETURNED)
        run.show(volume(r.shape), "==", volume(a.shape) * ratio, "every element becomes as many")
        crd = [index_below(run, f"c{k}", s) for k, (s, _) in enumerate(a.modes)]
        place = index_below(run, "e", ratio)
        old = sum([c * d for c, (_, d) in zip(crd, a.modes, strict=True)])
        modes = r.modes
        unit_place = next((k for k, (s, d) in enumerate(a.modes) if s != 1 and d == 1), None)
        if unit_place is not None:
            run.show(len(modes), "==", rank, "where a mode has stride 1, it grows")
            run.show(modes[unit_place][0], "==", a.modes[unit_place][0] * ratio, "where a mode has stride 1, it grows")
        if len(modes) > rank:
            digits = [place, *crd]
        else:
            unit = next(k for k, (s, _) in enumerate(a.modes) if run.known(modes[k][0], "==", s * ratio))
            digits = [c * ratio + place if k == unit else c for k, c in enumerate(crd)]
        for digit, (s, _) in zip(digits, modes, strict=True):
            run.show(digit, "<", s, "the new coordinate is in bounds")
        new = sum([c * d for c, (_, d) in zip(digits, modes, strict=True)])
        run.show(new, "==", ratio * old + place, "R(c, e) = ratio·L(c) + e")

    return check


def widened(rank: int) -> Check:
    """``ratio`` elements become one: each place e inside a new element at c is an old one, at ratio·R(c) + e."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        ratio = run.integer("ratio", 2, is_size=True)
        try:
            r = module._widened_by_mode(a, ratio)
        except RecastRefuted as refusal:
            assert refusal.witness is not None
            offset = refusal.witness.values["offset"]
            if "coordinate" in refusal.witness.values:
                run.ended(End.REFUSED, "an element starts inside a wider one")
                run.show(
                    value_at(a, flatten(refusal.witness.values["coordinate"])), "==", offset, "the witness's offset"
                )
                run.show(offset % ratio, "!=", 0, "it starts inside a wider element")
            else:
                run.ended(End.HANDED_OVER, "elements that are not side by side (no statement about other layouts)")
                run.show(offset % ratio, "==", 0, "the witness starts a wider element")
            return
        run.ended(End.RETURNED)
        run.show(volume(r.shape) * ratio, "==", volume(a.shape), "as many elements as there were")
        crd = [index_below(run, f"c{k}", s) for k, (s, _) in enumerate(r.modes)]
        place = index_below(run, "e", ratio)
        left, step = place, 1
        digits = list(crd)
        for k in sorted(range(rank), key=lambda k: a.modes[k][1]):
            s, d = a.modes[k]
            n, _ = r.modes[k]
            if s == n:
                continue
            run.show(d, "==", step, "the modes inside an element have strides 1, s₀, s₀s₁, …")
            inside = s // n
            digits[k] = crd[k] * inside + left % inside
            left, step = left // inside, step * inside
        for digit, (s, _) in zip(digits, a.modes, strict=True):
            run.show(digit, "<", s, "the old coordinate is in bounds")
        run.show(value_at(a, digits), "==", ratio * value_at(r, crd) + place, "L(old) = ratio·R(c) + e")

    return check


def value_at(a: Any, crd: Any) -> Any:
    """Σ digit·stride."""
    return sum([c * d for c, (_, d) in zip(crd, a.modes, strict=True)])


CODE = (
    Code(
        "code.recast.narrower",
        "model.recast._narrowed",
        "Narrower elements: the value at a coordinate and a place inside it is ratio·L(c) + e.",
        rank_at_most(3, "integer strides, any ratio"),
        {f"rank {rank}": narrowed(rank) for rank in (1, 2, 3)},
        "other strides are not scaled",
        lambda: standing_in(module, _narrowed=_unscaled),
    ),
    Code(
        "code.recast.wider",
        "model.recast._widened_by_mode",
        "Wider elements: every place inside a new element is an old one at ratio·R(c) + e; a refusal names an element "
        "that starts inside a wider one.",
        rank_at_most(2, "integer strides, any ratio"),
        {f"rank {rank}": widened(rank) for rank in (1, 2)},
        "strides rounded up instead of refused",
        lambda: standing_in(module, _widened_by_mode=_rounded),
    ),
)


def _unscaled(a: Any, ratio: Any) -> Any:
    """A fault: the mode of stride 1 grows, the other strides stay."""
    unit = next((k for k, (s, d) in enumerate(a.modes) if d == 1 and s > 1), 0)
    sizes = tuple([s * ratio if k == unit else s for k, (s, _) in enumerate(a.modes)])
    return Layout.of(sizes, tuple([1 if k == unit else d for k, (_, d) in enumerate(a.modes)]))


def _rounded(a: Any, ratio: Any) -> Any:
    """A fault: strides that are no multiples are rounded up."""
    inside = module._inside(a, ratio)
    modes = [inside.get(k, (s, -(-d // ratio))) for k, (s, d) in enumerate(a.modes)]
    return Layout.of(tuple([s for s, _ in modes]), tuple([d for _, d in modes]))
