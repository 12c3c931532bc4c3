"""``coalesce``: the same function in bounds, of the same size, with nothing left to merge."""

from __future__ import annotations

from ...model import coalesce as module
from ...model.htuple import flatten
from ...model.layout import Layout
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, layout, value, volume


def coalesced(rank: int) -> Check:
    """Size, values at every index in bounds, and the form: no mode of size 1, no two that merge."""

    def check(run: Run) -> None:
        a = layout(run, "A", rank)
        r = module.coalesce(a)
        run.ended(End.RETURNED)
        _same(run, a, r)
        sizes, strides = flatten(r.shape), flatten(r.stride)
        run.show(1, "<=", len(sizes), "a layout has a mode")
        if len(sizes) > 1:
            for s in sizes:
                run.show(1, "<", s, "no mode has size 1")
        for s, d, following in zip(sizes, strides, strides[1:], strict=False):
            run.show(s * d, "!=", following, "no mode continues the one before")

    return check


def by_profile(run: Run) -> None:
    """((s,s),s) by its two modes: each part coalesced, the value at a pair of indices kept."""
    flat = layout(run, "A", 3)
    (s0, s1, s2), (d0, d1, d2) = flat.shape, flat.stride
    a = Layout.of(((s0, s1), s2), ((d0, d1), d2))
    r = module.coalesce(a, (None, None))
    run.ended(End.RETURNED)
    run.show(len(r), "==", 2, "the rank of the profile is kept")
    for part, of in zip(r, a, strict=True):
        _same(run, of, part)


def _same(run: Run, a: Layout, r: Layout) -> None:
    run.show(volume(r.shape), "==", volume(a.shape), "|R| = |A|")
    x = index_below(run, "x", volume(a.shape))
    wanted = value(a, x)
    run.show(r(x), "==", wanted, "R(x) = A(x) in bounds")


CODE = (
    Code(
        "code.coalesce",
        "model.coalesce.coalesce",
        "coalesce returns R with |R| = |A| and R(x) = A(x) for x in bounds, without modes of size 1 or that merge.",
        rank_at_most(3, "integer strides; a profile of two modes at rank 3"),
        {**{f"rank {rank}": coalesced(rank) for rank in (1, 2, 3)}, "by the profile (_,_)": by_profile},
        "a mode of equal stride taken for one that continues",
        lambda: standing_in(module, _continues=lambda s, d, following: bool(following == d)),
    ),
)
