"""``Layout.__call__``: the offset at every admissible coordinate, in bounds or not."""

from __future__ import annotations

from typing import Any

from ...model import layout as module
from ...model.htuple import flatten, unflatten
from ...model.layout import Layout
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, layout, value


def at_an_index(rank: int) -> Check:
    """L(x) for every integer x."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        x = run.integer("x")
        got = a(x)
        run.ended(End.RETURNED)
        run.show(got, "==", value(a, x), "L(x) = Σ digit·stride")

    return check


def at_a_coordinate(profile: Any, coarse: Any) -> Check:
    """L(c) for any coordinate c of a coarser profile: each part evaluates its modes."""

    def check(run: Run) -> None:
        flat = layout(run, "L", 3)
        a = Layout.of(unflatten(flat.shape, profile), unflatten(flat.stride, profile))
        parts = tuple(run.integer(f"c{k}") for k in range(len(flatten(coarse))))
        crd = unflatten(parts, coarse)
        got = a(crd)
        run.ended(End.RETURNED)
        run.show(got, "==", _by_parts(a, crd), "L(c) = Σ L_k(c_k)")

    return check


def compact(profile: Any) -> Check:
    """The layout that a shape alone makes: strides 1, s₀, s₀s₁, …, so that L(x) = x."""

    def check(run: Run) -> None:
        sizes = [run.integer(f"s{k}", 1, is_size=True) for k in range(len(flatten(profile)))]
        shape = unflatten(sizes, profile)
        a = Layout.of(shape, module.compact_stride(shape))
        run.ended(End.RETURNED)
        x = run.integer("x")
        run.show(value(a, x), "==", x, "L(x) = x")

    return check


def _by_parts(a: Layout, crd: Any) -> Any:
    if not isinstance(crd, tuple):
        return value(a, crd)
    total: Any = 0
    for part, c in zip(zip(a.shape, a.stride, strict=True), crd, strict=True):
        total = total + _by_parts(Layout.of(*part), c)
    return total


def _all_reduced(index: Any, modes: Any) -> Any:
    """A fault: the last mode is reduced too."""
    offset: Any = 0
    for s, d in modes:
        index, digit = divmod(index, s)
        offset = offset + d * digit
    return offset


CODE = (
    Code(
        "code.evaluation",
        "model.layout.Layout.__call__, compact_stride",
        "A layout's value at an admissible coordinate, in bounds or not, is the natural coordinate times the stride; "
        "without strides it is the index itself.",
        rank_at_most(4, "flat at an index; rank 3 nested at coordinates"),
        {
            **{f"rank {rank}, an index": at_an_index(rank) for rank in (1, 2, 3, 4)},
            "((s,s),s) at (x,y)": at_a_coordinate(((0, 0), 0), (0, 0)),
            "(s,(s,s)) at (x,y)": at_a_coordinate((0, (0, 0)), (0, 0)),
            "(s,(s,s)) at (x,(y,z))": at_a_coordinate((0, (0, 0)), (0, (0, 0))),
            "(s,s,s) without strides": compact((0, 0, 0)),
            "((s,s),s) without strides": compact(((0, 0), 0)),
        },
        "the last mode of an index reduced",
        lambda: standing_in(module, _at_index=_all_reduced),
    ),
)
