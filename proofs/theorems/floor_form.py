"""The floor form: A(x) = D·x + Σ E·⌊x/P⌋ at every integer x, for every rank. ``model/floor_form.py`` computes with it.

The sum runs over the modes k ≥ 1 with P the product of the sizes before k and E = D_k − S_{k−1}·D_{k−1}; the mode 0
adds D_0·⌊x/1⌋.
"""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from typing import Any

from ...model.floor_form import FloorForm
from ...smt.terms import INT, Term, div, eq, ints, mod
from ..language import Mutant, Recursive, theorem
from ..rules import Proof
from .instances import as_layout, merged, modes, numbers
from .modes import MODES, A, cons, one, value

x, P, e = ints("x P e")

# The floors of the modes of a list that begins at prefix product P; e is what the mode before leads to expect of the
# first stride (0 at the very beginning).
floors: Recursive = Recursive(
    "floors",
    MODES,
    base=lambda s, d, P, e, x: (d - e) * div(x, P),
    step=lambda s, d, T, P, e, x: (d - e) * div(x, P) + floors(T, P * s, s * d, x),
    parameters={"P": INT, "e": INT, "x": INT},
)


@theorem(
    "floor-form.tail",
    "The floors of a list that begins at P come to T(⌊x/P⌋) − e·⌊x/P⌋.",
    given=(A, P, e, x),
    hypotheses=(P >= 1,),
    conclusion=eq(floors(A, P, e, x), value(A, div(x, P)) - e * div(x, P)),
    instance=merged(numbers(P=(0, 6), e=(-9, 9), x=(-60, 99)), A=modes),
    mutants=(
        Mutant("e added", conclusion=eq(floors(A, P, e, x), value(A, div(x, P)) + e * div(x, P))),
        Mutant("P left out", conclusion=eq(floors(A, P, e, x), value(A, x) - e * x)),
        Mutant("one prefix too far", conclusion=eq(floors(A, P + 1, e, x), value(A, div(x, P)) - e * div(x, P))),
    ),
)
def tail(p: Proof) -> None:
    q = div(x, P)

    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(floors(one(s, d), P, e, x), value(one(s, d), q))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(floors(cons(s, d, T), P, e, x), value(cons(s, d, T), q))
        p.use("euclid.nested", a=P, b=s)
        p.ih(P=P * s, e=s * d)
        division = p.division(q, s)
        p.have(eq(d * q, d * (s * div(q, s) + mod(q, s))), division, s >= 1)
        p.done()

    p.induction(A, MODES, base, step)


def _meaning(instance: Any) -> bool:
    layout = as_layout(instance["A"])
    return bool(FloorForm.of(layout)((instance["x"],)) == layout(instance["x"]))


@theorem(
    "floor-form",
    "A(x) = D_0·x + Σ_{k≥1} (D_k − S_{k−1}·D_{k−1})·⌊x/P_k⌋ at every integer x, P_k = S_0⋯S_{k−1}, for every rank.",
    given=(A, x),
    hypotheses=(),
    conclusion=eq(value(A, x), floors(A, 1, 0, x)),
    instance=merged(numbers(x=(-60, 300)), A=modes),
    mutants=(
        Mutant("prefix begins at 2", conclusion=eq(value(A, x), floors(A, 2, 0, x))),
        Mutant("first stride reduced by 1", conclusion=eq(value(A, x), floors(A, 1, 1, x))),
        Mutant("linear", conclusion=eq(value(A, x), value(A, 1) * x)),
    ),
    meaning=_meaning,
    source="ours, from paper §2.2",
    latex=r"A(x) = D_0 x + \sum_{k \ge 1} (D_k - S_{k-1} D_{k-1}) \lfloor x / P_k \rfloor",
)
def floor_form(p: Proof) -> None:
    p.use("floor-form.tail", P=1, e=0)
    p.use("euclid.bounds", b=1, n=0)
    p.done()
