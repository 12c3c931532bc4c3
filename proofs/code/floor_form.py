"""The floor form: equal to the layout; its runs, its carries, and the closed form for boxes without a carry."""

from __future__ import annotations

from typing import Any

from ...model import floor_form as module
from ...model.errors import Undecided
from ...model.floor_form import FloorForm
from ...model.layout import Layout
from ...smt.symbolic import Cut, End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, layout, only_symbolic, outside, value

JUMPS = 2  # jumps of floors that are followed before the path is cut
CANCELLED = "runs that go on past carries that cancel (jump by jump)"
ENUMERATED = "boxes whose top corner carries, which are enumerated (_enumerate_carries, vectorised)"


def equals_layout(rank: int) -> Check:
    """FloorForm.of(L)(x) = L(x) for every integer x; every floor has P > 1 and E ≠ 0."""

    def check(run: Run) -> None:
        a = layout(run, "L", rank)
        form = FloorForm.of(a)
        run.ended(End.RETURNED)
        for _, p, e in form.floors:
            run.show(1, "<", p, "a floor has P > 1")
            run.show(0, "!=", e, "a floor has E ≠ 0")
        x = run.integer("x")
        wanted = value(a, x)
        run.show(form((x,)), "==", wanted, "D·x + Σ E·⌊x/P⌋ = L(x)")

    return check


def equals_by_axes(run: Run) -> None:
    """Over the modes ((0,),(1,)) of ((s,s),s): one axis each."""
    flat = layout(run, "L", 3)
    (s0, s1, s2), (d0, d1, d2) = flat.shape, flat.stride
    form = FloorForm.of(Layout.of(((s0, s1), s2), ((d0, d1), d2)), ((0,), (1,)))
    run.ended(End.RETURNED)
    x, y = run.integer("x"), run.integer("y")
    wanted = value(Layout.of((s0, s1), (d0, d1)), x) + d2 * y
    run.show(form((x, y)), "==", wanted, "the sum over the axes = L((x,y))")


def any_form(run: Run, floors: int) -> FloorForm:
    """A form with one axis and so many floors, all with P > 1 and E ≠ 0: what layouts of one more mode have."""
    found = []
    for k in range(floors):
        p, e = run.integer(f"P{k}", 2, is_size=True), run.integer(f"E{k}")
        run.assume(e, "!=", 0)
        found.append((0, p, e))
    return FloorForm(((),), (run.integer("D"),), tuple(found))


def at(form: FloorForm, x: Any) -> Any:
    """D·x + Σ E·⌊x/P⌋, written out."""
    total = form.slopes[0] * x
    for _, p, e in form.floors:
        total = total + e * (x // p)
    return total


def longest_run(floors: int) -> Check:
    """run: f(i) = i·f(1) for all i below the result, and not at it, where it is below the limit."""

    def check(run: Run) -> None:
        form = any_form(run, floors)
        d, limit = run.integer("d"), run.integer("limit", 1, is_size=True)
        with only_symbolic(run, standing_in(module, EVENTS=JUMPS)):
            try:
                m = form.run((d,), limit)
            except Undecided:
                if run.is_symbolic:
                    raise Cut(CANCELLED) from None
                raise
        is_whole = run.known(m, "==", limit)
        run.ended(End.RETURNED, "the whole" if is_whole else "a part")
        run.show(1, "<=", m, "a run has an element")
        run.show(m, "<=", limit, "a run is no longer than asked for")
        if not is_whole:
            run.show(at(form, m * d), "!=", m * at(form, d), "the run ends: A(m·d) ≠ m·A(d)")
        i = index_below(run, "i", m)
        run.show(at(form, i * d), "==", i * at(form, d), "A(i·d) = i·A(d) inside the run")

    return check


def carries(steps: int, floors: int) -> Check:
    """carry: A(Σ cᵢ·xᵢ) − Σ cᵢ·A(xᵢ) for any integers."""

    def check(run: Run) -> None:
        form = any_form(run, floors)
        moves = [run.integer(f"x{k}") for k in range(steps)]
        crd = [run.integer(f"c{k}") for k in range(steps)]
        carry = form.carry(crd, [(x,) for x in moves])
        run.ended(End.RETURNED)
        apart = sum([c * at(form, x) for c, x in zip(crd, moves, strict=True)])
        together = at(form, sum([c * x for c, x in zip(crd, moves, strict=True)]))
        run.show(carry, "==", together - apart, "A(Σ cx) = Σ c·A(x) + carry")

    return check


def no_carry(steps: int, floors: int) -> Check:
    """first_carry: where it says None by its closed form, A adds up over the whole box."""

    def check(run: Run) -> None:
        form = any_form(run, floors)
        moves = [run.integer(f"x{k}") for k in range(steps)]
        sizes = [run.integer(f"n{k}", 1, is_size=True) for k in range(steps)]
        with only_symbolic(run, standing_in(module, _enumerate_carries=outside(ENUMERATED))):
            where, how = form.first_carry(sizes, [(x,) for x in moves])
        run.ended(End.RETURNED, f"{'none' if where is None else 'found'}, {how}")
        if where is None:
            crd = [index_below(run, f"c{k}", n) for k, n in enumerate(sizes)]
        else:
            crd = list(where)
            for c, n in zip(crd, sizes, strict=True):
                run.show(0, "<=", c, "the coordinate lies in the box")
                run.show(c, "<", n, "the coordinate lies in the box")
        apart = sum([c * at(form, x) for c, x in zip(crd, moves, strict=True)])
        together = at(form, sum([c * x for c, x in zip(crd, moves, strict=True)]))
        run.show(together, "==" if where is None else "!=", apart, "A(Σ cx) = Σ c·A(x) on the box")

    return check


def _one_less(self: FloorForm, step: Any, limit: Any) -> Any:
    """A fault: the first carry rounded down."""
    wrapping = [(p, step[axis] % p, e) for axis, p, e in self.floors if step[axis] % p]
    if not wrapping:
        return limit
    return min([limit, *[p // r for p, r, _ in wrapping]])


def _no_slope(axis: int, modes: Any, floors: list[Any]) -> Any:
    """A fault: the coefficient of a floor without the part of the mode before."""
    p, slope = 1, None
    for s, d in modes:
        if slope is None:
            slope = d
        elif d:
            floors.append((axis, p, d))
        p = p * s
    return slope


def _top_forgotten(self: FloorForm, sizes: Any, steps: Any) -> Any:
    """A fault: the corner taken one too low."""
    for axis, p, _ in self.floors:
        if sum([(n - 2) * (x[axis] % p) for n, x in zip(sizes, steps, strict=True)]) >= p:
            return module._enumerate_carries(list(self.floors), tuple(sizes), tuple(steps))
    return None, "closed-form"


CODE = (
    Code(
        "code.floor-form.of",
        "model.floor_form.FloorForm.of, __call__",
        "The floor form of a layout is the layout, at every integer and over its modes.",
        rank_at_most(4, "one axis; two axes at rank 3"),
        {
            **{f"rank {rank}": equals_layout(rank) for rank in (1, 2, 3, 4)},
            "two axes": equals_by_axes,
        },
        "E_k = D_k in place of D_k − S_{k−1}·D_{k−1}",
        lambda: standing_in(module, _add_floors=_no_slope),
    ),
    Code(
        "code.floor-form.run",
        "model.floor_form.FloorForm.run",
        "run returns the longest m up to the limit with A(i·d) = i·A(d) for all i < m.",
        rank_at_most(3, "at most 2 floors; no carries that cancel"),
        {f"{floors} floors": longest_run(floors) for floors in (0, 1, 2)},
        "the first carry rounded down",
        lambda: standing_in(FloorForm, run=_one_less),
        gaps=(CANCELLED,),
    ),
    Code(
        "code.floor-form.carry",
        "model.floor_form.FloorForm.carry",
        "carry is what A(Σ c·x) exceeds Σ c·A(x) by, for all integers.",
        rank_at_most(3, "at most 2 floors, at most 3 steps"),
        {f"{steps} steps, {floors} floors": carries(steps, floors) for steps, floors in ((1, 1), (2, 2), (3, 2))},
        "the steps not reduced",
        lambda: standing_in(
            FloorForm, carry=lambda self, c, x: sum([e * (c[0] * x[0][0] // p) for _, p, e in self.floors])
        ),
    ),
    Code(
        "code.floor-form.first-carry",
        "model.floor_form.FloorForm.first_carry",
        "Where first_carry finds no floor that the top corner reaches, A adds up over the whole box.",
        rank_at_most(3, "at most 2 floors, at most 4 modes of a box"),
        {
            f"{steps} modes, {floors} floors": no_carry(steps, floors)
            for steps, floors in ((1, 1), (2, 1), (2, 2), (3, 2), (4, 1))
        },
        "the corner taken one too low",
        lambda: standing_in(FloorForm, first_carry=_top_forgotten),
        gaps=(ENUMERATED,),
    ),
)
