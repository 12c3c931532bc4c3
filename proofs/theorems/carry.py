"""What a layout fails to be linear by: carries, and nothing else. The exact condition for distribution over modes."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random
from typing import Any

from ...model.floor_form import FloorForm
from ...smt.terms import BOOL, INT, Term, conj, disj, div, eq, iff, implies, ints, ite, mod, ne
from ..language import ListSort, Mutant, Recursive, theorem
from ..rules import Proof
from .floor_form import floors
from .instances import as_layout, merged, modes, numbers
from .modes import MODES, A, cons, one, sizes, value

x, y, P, e, j, w = ints("x y P e j w")


def _carry(x: Term, y: Term, P: Term) -> Term:
    return ite(mod(x, P) + mod(y, P) >= P, 1, 0)


carries: Recursive = Recursive(
    "carries",
    MODES,
    base=lambda s, d, P, e, x, y: (d - e) * _carry(x, y, P),
    step=lambda s, d, T, P, e, x, y: (d - e) * _carry(x, y, P) + carries(T, P * s, s * d, x, y),
    parameters={"P": INT, "e": INT, "x": INT, "y": INT},
)


@theorem(
    "carry.floors",
    "The floors of x + y are those of x and of y, and (D_k − S_{k−1}·D_{k−1}) more for each carry at P_k.",
    given=(A, P, e, x, y),
    hypotheses=(P >= 1,),
    conclusion=eq(floors(A, P, e, x + y), floors(A, P, e, x) + floors(A, P, e, y) + carries(A, P, e, x, y)),
    instance=merged(numbers(P=(0, 5), e=(-5, 9), x=(-40, 60), y=(-40, 60)), A=modes),
    mutants=(
        Mutant("no carries", conclusion=eq(floors(A, P, e, x + y), floors(A, P, e, x) + floors(A, P, e, y))),
        Mutant(
            "carries taken away",
            conclusion=eq(floors(A, P, e, x + y), floors(A, P, e, x) + floors(A, P, e, y) - carries(A, P, e, x, y)),
        ),
        Mutant(
            "carries of another prefix",
            conclusion=eq(floors(A, P, e, x + y), floors(A, P, e, x) + floors(A, P, e, y) + carries(A, P + 1, e, x, y)),
        ),
    ),
)
def floors_of_a_sum(p: Proof) -> None:
    c = _carry(x, y, P)

    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(floors(L, P, e, x + y), floors(L, P, e, x), floors(L, P, e, y), carries(L, P, e, x, y))
        law = p.use("euclid.carry", b=P)
        p.have(eq((d - e) * div(x + y, P), (d - e) * (div(x, P) + div(y, P) + c)), law)
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(floors(L, P, e, x + y), floors(L, P, e, x), floors(L, P, e, y), carries(L, P, e, x, y))
        law = p.use("euclid.carry", b=P)
        p.have(eq((d - e) * div(x + y, P), (d - e) * (div(x, P) + div(y, P) + c)), law)
        p.use("euclid.product-positive", x=P, y=s)
        p.ih(P=P * s, e=s * d)
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "carry.law",
    "A(x+y) = A(x) + A(y) + Σ_k carry_k(x,y)·(D_k − S_{k−1}·D_{k−1}), carry_k = 1 where x mod P_k + y mod P_k ≥ P_k.",
    given=(A, x, y),
    hypotheses=(),
    conclusion=eq(value(A, x + y), value(A, x) + value(A, y) + carries(A, 1, 0, x, y)),
    instance=merged(numbers(x=(-40, 90), y=(-40, 90)), A=modes),
    mutants=(
        Mutant("no carries", conclusion=eq(value(A, x + y), value(A, x) + value(A, y))),
        Mutant(
            "carries taken away", conclusion=eq(value(A, x + y), value(A, x) + value(A, y) - carries(A, 1, 0, x, y))
        ),
        Mutant(
            "difference for sum", conclusion=eq(value(A, x - y), value(A, x) - value(A, y) + carries(A, 1, 0, x, y))
        ),
    ),
    meaning=lambda i: (
        (a := as_layout(i["A"]))(i["x"] + i["y"])
        == a(i["x"]) + a(i["y"]) + FloorForm.of(a).carry((1, 1), ((i["x"],), (i["y"],)))
    ),
    latex=r"A(x+y) = A(x) + A(y) + \sum_k c_k (D_k - S_{k-1} D_{k-1})",
)
def law(p: Proof) -> None:
    p.use("carry.floors", P=1, e=0)
    for at in (x + y, x, y):
        p.use("floor-form", x=at)
    p.done()


# Many summands: a list of steps, each with a coordinate c of n and a stride x into A.

STEPS = ListSort("Steps", {}, {"c": INT, "n": INT, "x": INT})
none, more = STEPS.base, STEPS.cons
L = STEPS.variable("L")


def _sum(name: str, term: Any, **parameters: str) -> Recursive:
    made: list[Recursive] = []
    made.append(
        Recursive(
            name,
            STEPS,
            base=lambda *extra: 0,
            step=lambda c, n, x, T, *extra: term(c, n, x, *extra) + made[0](T, *extra),
            parameters=parameters,
        )
    )
    return made[0]


reach = _sum("reach", lambda c, n, x: c * x)  # Σ c·x
quotients = _sum("quotients", lambda c, n, x, P: c * div(x, P), P=INT)  # Σ c·⌊x/P⌋
rests = _sum("rests", lambda c, n, x, P: c * mod(x, P), P=INT)  # Σ c·(x mod P)
corner = _sum("corner", lambda c, n, x, P: (n - 1) * mod(x, P), P=INT)  # the same at the top of the box
values = _sum("values", lambda c, n, x, A: c * value(A, x), A="Modes")  # Σ c·A(x)
all_floors = _sum("all_floors", lambda c, n, x, A, P, e: c * floors(A, P, e, x), A="Modes", P=INT, e=INT)
inside: Recursive = Recursive(
    "inside",
    STEPS,
    base=lambda: True,
    step=lambda c, n, x, T: conj(c >= 0, c < n, inside(T)),
    result=BOOL,
)
multi: Recursive = Recursive(
    "multi",
    MODES,
    base=lambda s, d, P, e, L: (d - e) * div(rests(L, P), P),
    step=lambda s, d, T, P, e, L: (d - e) * div(rests(L, P), P) + multi(T, P * s, s * d, L),
    parameters={"P": INT, "e": INT, "L": "Steps"},
)
free: Recursive = Recursive(  # no mode that starts anew (E ≠ 0) has a carry at the top corner
    "free",
    MODES,
    base=lambda s, d, P, e, L: disj(eq(d, e), corner(L, P) < P),
    step=lambda s, d, T, P, e, L: conj(disj(eq(d, e), corner(L, P) < P), free(T, P * s, s * d, L)),
    parameters={"P": INT, "e": INT, "L": "Steps"},
    result=BOOL,
)


def steps(rng: Random, rank: int = 3) -> tuple[tuple[int, int, int], ...]:
    """A list of (c, n, x), mostly with 0 ≤ c < n."""
    made = []
    for _ in range(rng.randint(0, rank)):
        n = rng.randint(1, 4)
        made.append(
            (
                rng.randint(0, n - 1) if rng.random() < 0.95 else rng.randint(-2, 5),
                n,
                rng.choice([1, 2, 4, 6, 12, rng.randint(-9, 30)]),
            )
        )
    return tuple(made)


def _model_carry(instance: Any) -> int:
    moves = [(x,) for _, _, x in instance["L"]]
    return int(FloorForm.of(as_layout(instance["A"])).carry([c for c, _, _ in instance["L"]], moves))


@theorem(
    "carry.many-quotient",
    "⌊Σ c·x/P⌋ = Σ c·⌊x/P⌋ + ⌊Σ c·(x mod P)/P⌋ for any number of summands.",
    given=(L, P),
    hypotheses=(P >= 1,),
    conclusion=conj(
        eq(reach(L), P * quotients(L, P) + rests(L, P)),
        eq(div(reach(L), P), quotients(L, P) + div(rests(L, P), P)),
    ),
    instance=merged(numbers(P=(0, 9)), L=steps),
    mutants=(
        Mutant("rests dropped", conclusion=eq(div(reach(L), P), quotients(L, P))),
        Mutant("at most one carry", conclusion=eq(div(reach(L), P), quotients(L, P) + ite(rests(L, P) >= P, 1, 0))),
        Mutant("P = 0 allowed", hypotheses=(P >= 0,)),
    ),
    latex=r"\lfloor \sum_i c_i x_i / P \rfloor = \sum_i c_i \lfloor x_i/P \rfloor"
    r" + \lfloor \sum_i c_i (x_i \bmod P) / P \rfloor",
)
def many_quotient(p: Proof) -> None:
    def finish(p: Proof, L: Term) -> None:
        p.have(eq(reach(L), P * quotients(L, P) + rests(L, P)))
        p.use("euclid.many", b=P, q=quotients(L, P), x=rests(L, P))
        p.done()

    def base(p: Proof) -> None:
        p.unfold(reach(none()), quotients(none(), P), rests(none(), P))
        finish(p, none())

    def step(p: Proof, c: Term, n: Term, x: Term, T: Term) -> None:
        L = more(c, n, x, T)
        p.unfold(reach(L), quotients(L, P), rests(L, P))
        p.ih()
        division = p.division(x, P)
        p.have(eq(c * x, c * (P * div(x, P) + mod(x, P))), division, P >= 1)
        finish(p, L)

    p.induction(L, STEPS, base, step)


s0, d0 = ints("s0 d0")
T0 = MODES.variable("T0")


@theorem(
    "carry.floors-by-mode",
    "Σ c·(floors of a list at x) is the floor of its first mode at all x, and the rest.",
    given=(L, s0, d0, T0, P, e),
    hypotheses=(s0 >= 1,),
    conclusion=conj(
        eq(all_floors(L, one(s0, d0), P, e), (d0 - e) * quotients(L, P)),
        eq(all_floors(L, cons(s0, d0, T0), P, e), (d0 - e) * quotients(L, P) + all_floors(L, T0, P * s0, s0 * d0)),
    ),
    instance=merged(numbers(s0=(1, 4), d0=(-4, 9), P=(1, 5), e=(-4, 9)), L=steps, T0=lambda r: modes(r, 2)),
    mutants=(
        Mutant("e left out", conclusion=eq(all_floors(L, one(s0, d0), P, e), d0 * quotients(L, P))),
        Mutant(
            "prefix kept",
            conclusion=eq(
                all_floors(L, cons(s0, d0, T0), P, e), (d0 - e) * quotients(L, P) + all_floors(L, T0, P, s0 * d0)
            ),
        ),
        Mutant(
            "expected stride kept",
            conclusion=eq(
                all_floors(L, cons(s0, d0, T0), P, e), (d0 - e) * quotients(L, P) + all_floors(L, T0, P * s0, d0)
            ),
        ),
    ),
)
def floors_by_mode(p: Proof) -> None:
    single, longer = one(s0, d0), cons(s0, d0, T0)

    def base(p: Proof) -> None:
        p.unfold(all_floors(none(), single, P, e), all_floors(none(), longer, P, e), quotients(none(), P))
        p.unfold(all_floors(none(), T0, P * s0, s0 * d0))
        p.done()

    def step(p: Proof, c: Term, n: Term, x: Term, T: Term) -> None:
        L = more(c, n, x, T)
        p.unfold(all_floors(L, single, P, e), all_floors(L, longer, P, e), quotients(L, P))
        p.unfold(all_floors(L, T0, P * s0, s0 * d0))
        first = p.unfold(floors(single, P, e, x))
        second = p.unfold(floors(longer, P, e, x))
        p.have(eq(c * floors(single, P, e, x), c * ((d0 - e) * div(x, P))), first, s0 >= 1)
        p.have(
            eq(c * floors(longer, P, e, x), c * ((d0 - e) * div(x, P) + floors(T0, P * s0, s0 * d0, x))),
            second,
            s0 >= 1,
        )
        p.ih()
        p.done()

    p.induction(L, STEPS, base, step)


@theorem(
    "carry.many-floors",
    "The floors at Σ c·x are Σ c·(those at x), and E·⌊Σ c·(x mod P)/P⌋ more at each P.",
    given=(A, L, P, e),
    hypotheses=(P >= 1,),
    conclusion=eq(floors(A, P, e, reach(L)), all_floors(L, A, P, e) + multi(A, P, e, L)),
    instance=merged(numbers(P=(0, 5), e=(-4, 9)), A=lambda r: modes(r, 3), L=steps),
    mutants=(
        Mutant("no carries", conclusion=eq(floors(A, P, e, reach(L)), all_floors(L, A, P, e))),
        Mutant("e doubled", conclusion=eq(floors(A, P, e, reach(L)), all_floors(L, A, P, e) + multi(A, P, 2 * e, L))),
        Mutant("prefix + 1", conclusion=eq(floors(A, P, e, reach(L)), all_floors(L, A, P, e) + multi(A, P + 1, e, L))),
    ),
)
def many_floors(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(floors(one(s, d), P, e, reach(L)), multi(one(s, d), P, e, L))
        law = p.use("carry.many-quotient")
        p.use("carry.floors-by-mode", s0=s, d0=d, T0=A)
        p.have(eq((d - e) * div(reach(L), P), (d - e) * (quotients(L, P) + div(rests(L, P), P))), law)
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(floors(cons(s, d, T), P, e, reach(L)), multi(cons(s, d, T), P, e, L))
        law = p.use("carry.many-quotient")
        p.use("carry.floors-by-mode", s0=s, d0=d, T0=T)
        p.have(eq((d - e) * div(reach(L), P), (d - e) * (quotients(L, P) + div(rests(L, P), P))), law)
        p.use("euclid.product-positive", x=P, y=s)
        p.ih(P=P * s, e=s * d)
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "carry.values",
    "Σ c·A(x) by floors.",
    given=(L, A),
    hypotheses=(),
    conclusion=eq(values(L, A), all_floors(L, A, 1, 0)),
    instance=merged(A=modes, L=steps),
    mutants=(
        Mutant("prefix 2", conclusion=eq(values(L, A), all_floors(L, A, 2, 0))),
        Mutant("first stride reduced", conclusion=eq(values(L, A), all_floors(L, A, 1, 1))),
        Mutant("A at the sum", conclusion=eq(value(A, reach(L)), all_floors(L, A, 1, 0))),
    ),
)
def values_by_floors(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(values(none(), A), all_floors(none(), A, 1, 0))
        p.done()

    def step(p: Proof, c: Term, n: Term, x: Term, T: Term) -> None:
        p.unfold(values(more(c, n, x, T), A), all_floors(more(c, n, x, T), A, 1, 0))
        form = p.use("floor-form", x=x)
        p.have(eq(c * value(A, x), c * floors(A, 1, 0, x)), form)
        p.ih()
        p.done()

    p.induction(L, STEPS, base, step)


@theorem(
    "carry.many",
    "A(Σ c·x) = Σ c·A(x) + Σ_k (D_k − S_{k−1}·D_{k−1})·⌊Σ c·(x mod P_k)/P_k⌋, for any rank and any number of summands.",
    given=(A, L),
    hypotheses=(),
    conclusion=eq(value(A, reach(L)), values(L, A) + multi(A, 1, 0, L)),
    instance=merged(A=modes, L=steps),
    mutants=(
        Mutant("no carries", conclusion=eq(value(A, reach(L)), values(L, A))),
        Mutant("carries taken away", conclusion=eq(value(A, reach(L)), values(L, A) - multi(A, 1, 0, L))),
        Mutant("prefix begins at 2", conclusion=eq(value(A, reach(L)), values(L, A) + multi(A, 2, 0, L))),
    ),
    meaning=lambda i: (
        as_layout(i["A"])(sum(c * x for c, _, x in i["L"]))
        == sum(c * as_layout(i["A"])(x) for c, _, x in i["L"]) + _model_carry(i)
    ),
    latex=r"A(\sum_i c_i x_i) = \sum_i c_i A(x_i) + \sum_k E_k \lfloor \sum_i c_i (x_i \bmod P_k)/P_k \rfloor",
)
def many(p: Proof) -> None:
    p.use("carry.many-floors", P=1, e=0)
    p.use("carry.values")
    p.use("floor-form", x=reach(L))
    p.done()


@theorem(
    "carry.distribution-exact",
    "A adds up over the modes of B at a coordinate exactly where Σ_k (D_k − S_{k−1}·D_{k−1})·⌊Σ c·(x mod "
    "P_k)/P_k⌋ = 0.",
    given=(A, L),
    hypotheses=(),
    conclusion=iff(eq(value(A, reach(L)), values(L, A)), eq(multi(A, 1, 0, L), 0)),
    instance=merged(A=lambda r: modes(r, 3, 4, -2, 4), L=steps),
    mutants=(
        Mutant("always", conclusion=eq(value(A, reach(L)), values(L, A))),
        Mutant("only where no carry", conclusion=iff(eq(value(A, reach(L)), values(L, A)), eq(rests(L, 2), 0))),
        Mutant("negated", conclusion=iff(eq(value(A, reach(L)), values(L, A)), ne(multi(A, 1, 0, L), 0))),
    ),
    source="paper §3.3.2, repaired",
)
def distribution_exact(p: Proof) -> None:
    p.use("carry.many")
    p.done()


@theorem(
    "carry.corner",
    "Within a box 0 ≤ c < n the rests Σ c·(x mod P) are at least 0 and largest at the top corner: no carry "
    "there, none anywhere.",
    given=(L, P),
    hypotheses=(P >= 1, inside(L)),
    conclusion=conj(
        rests(L, P) >= 0,
        rests(L, P) <= corner(L, P),
        implies(corner(L, P) < P, eq(div(rests(L, P), P), 0)),
    ),
    instance=merged(numbers(P=(1, 40)), L=steps),
    mutants=(
        Mutant("c outside the box", hypotheses=(P >= 1,)),
        Mutant("strictly below the corner", conclusion=rests(L, P) < corner(L, P)),
        Mutant("≤ P for < P", conclusion=implies(corner(L, P) <= P, eq(div(rests(L, P), P), 0))),
    ),
)
def corner_lemma(p: Proof) -> None:
    def finish(p: Proof, L: Term) -> None:
        p.have(conj(rests(L, P) >= 0, rests(L, P) <= corner(L, P)))
        p.division(rests(L, P), P)
        p.use("euclid.bounds", b=P, x=rests(L, P), n=1)
        p.done()

    def base(p: Proof) -> None:
        p.unfold(rests(none(), P), corner(none(), P))
        finish(p, none())

    def step(p: Proof, c: Term, n: Term, x: Term, T: Term) -> None:
        L = more(c, n, x, T)
        p.unfold(rests(L, P), corner(L, P), inside(L))
        p.ih()
        p.division(x, P)
        r = mod(x, P)
        p.use("euclid.product-positive", x=c, y=r)
        p.use("euclid.product-positive", x=n - 1 - c, y=r)
        p.algebra((n - 1 - c) * r, (n - 1) * r - c * r)
        finish(p, L)

    p.induction(L, STEPS, base, step)


@theorem(
    "carry.free",
    "Where no mode of A that starts anew has a carry at the top corner, all carries cancel in the whole box.",
    given=(A, P, e, L),
    hypotheses=(P >= 1, inside(L), free(A, P, e, L)),
    conclusion=eq(multi(A, P, e, L), 0),
    instance=merged(numbers(P=(1, 4), e=(-2, 4)), A=lambda r: modes(r, 3, 5, -1, 3), L=lambda r: steps(r, 2)),
    mutants=(
        Mutant("carries allowed", hypotheses=(P >= 1, inside(L))),
        Mutant("outside the box", hypotheses=(P >= 1, free(A, P, e, L))),
        Mutant("another e", conclusion=eq(multi(A, P, e + 1, L), 0)),
    ),
)
def free_of_carries(p: Proof) -> None:
    def first(p: Proof, d: Term) -> None:
        p.use("carry.corner")
        for case in p.cases(eq(d, e), corner(L, P) < P):
            case.have(eq((d - e) * div(rests(L, P), P), 0))
            case.done()

    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(multi(one(s, d), P, e, L), free(one(s, d), P, e, L))
        first(p, d)

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(multi(cons(s, d, T), P, e, L), free(cons(s, d, T), P, e, L))
        p.use("euclid.product-positive", x=P, y=s)
        p.ih(P=P * s, e=s * d)
        first(p, d)

    p.induction(A, MODES, base, step)


@theorem(
    "carry.distribution-sufficient",
    "Where no mode of A that starts anew has a carry at the top corner of B, A∘(B₀,B₁,…) adds up over the modes of B.",
    given=(A, L),
    hypotheses=(inside(L), free(A, 1, 0, L)),
    conclusion=eq(value(A, reach(L)), values(L, A)),
    instance=merged(A=lambda r: modes(r, 3, 6, -1, 3), L=lambda r: steps(r, 3)),
    mutants=(
        Mutant("carries allowed", hypotheses=(inside(L),)),
        Mutant("outside the box", hypotheses=(free(A, 1, 0, L),)),
        Mutant("first mode left out", hypotheses=(inside(L), free(A, 2, 0, L))),
    ),
    meaning=lambda i: _model_carry(i) == 0,
    source="paper §3.3.2, repaired",
)
def distribution_sufficient(p: Proof) -> None:
    p.use("carry.free", P=1, e=0)
    p.use("carry.many")
    p.done()


# Necessary when strides are unconstrained: for each place of a carry there are strides with which it shows.

compact: Recursive = Recursive(
    "compact",
    MODES,
    base=lambda s, d, w: one(s, w),
    step=lambda s, d, T, w: cons(s, w, compact(T, s * w)),
    parameters={"w": INT},
    result="Modes",
)
unit: Recursive = Recursive(
    "unit",
    MODES,
    base=lambda s, d, j: one(s, ite(eq(j, 0), 1, 0)),
    step=lambda s, d, T, j: ite(eq(j, 0), cons(s, 1, compact(T, s)), cons(s, 0, unit(T, j - 1))),
    parameters={"j": INT},
    result="Modes",
)
count: Recursive = Recursive(
    "count",
    MODES,
    base=lambda s, d, P, j, L: ite(eq(j, 0), div(rests(L, P), P), 0),
    step=lambda s, d, T, P, j, L: ite(eq(j, 0), div(rests(L, P), P), count(T, P * s, j - 1, L)),
    parameters={"P": INT, "j": INT, "L": "Steps"},
)


@theorem(
    "carry.compact",
    "A list of modes that continue one another has no carries; strides replaced, the sizes stay.",
    given=(A, P, w, L),
    hypotheses=(),
    conclusion=conj(eq(multi(compact(A, w), P, w, L), 0), eq(sizes(compact(A, w)), sizes(A))),
    instance=merged(numbers(P=(1, 5), w=(-4, 6)), A=modes, L=steps),
    mutants=(
        Mutant("another w", conclusion=eq(multi(compact(A, w + 1), P, w, L), 0)),
        Mutant("e = 0", conclusion=eq(multi(compact(A, w), P, 0, L), 0)),
        Mutant("any list", conclusion=eq(multi(A, P, w, L), 0)),
    ),
)
def compact_has_none(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(compact(one(s, d), w), multi(one(s, w), P, w, L), sizes(one(s, d)), sizes(one(s, w)))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(compact(cons(s, d, T), w), multi(cons(s, w, compact(T, s * w)), P, w, L))
        p.unfold(sizes(cons(s, d, T)), sizes(cons(s, w, compact(T, s * w))))
        p.ih(P=P * s, w=s * w)
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "carry.unit",
    "With strides 0 before the mode j, 1 at it, and continued after it, the carries come to the count of those at j.",
    given=(A, P, j, L),
    hypotheses=(),
    conclusion=conj(eq(multi(unit(A, j), P, 0, L), count(A, P, j, L)), eq(sizes(unit(A, j)), sizes(A))),
    instance=merged(numbers(P=(1, 5), j=(-1, 4)), A=modes, L=steps),
    mutants=(
        Mutant("the mode after", conclusion=eq(multi(unit(A, j), P, 0, L), count(A, P, j + 1, L))),
        Mutant("another prefix", conclusion=eq(multi(unit(A, j), P, 0, L), count(A, P + 1, j, L))),
        Mutant("none", conclusion=eq(multi(unit(A, j), P, 0, L), 0)),
    ),
)
def unit_shows_the_count(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        stride = ite(eq(j, 0), 1, 0)
        p.unfold(unit(one(s, d), j), multi(one(s, stride), P, 0, L), count(one(s, d), P, j, L))
        p.unfold(sizes(one(s, d)), sizes(one(s, stride)))
        for case in p.cases(eq(j, 0), ne(j, 0)):
            case.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(unit(cons(s, d, T), j), count(cons(s, d, T), P, j, L), sizes(cons(s, d, T)))
        for case in p.cases(eq(j, 0), ne(j, 0)):
            if case.is_first:
                case.unfold(multi(cons(s, 1, compact(T, s)), P, 0, L), sizes(cons(s, 1, compact(T, s))))
                case.use("carry.compact", A=T, P=P * s, w=s)
            else:
                case.unfold(multi(cons(s, 0, unit(T, j - 1)), P, 0, L), sizes(cons(s, 0, unit(T, j - 1))))
                case.ih(P=P * s, j=j - 1)
            case.done()

    p.induction(A, MODES, base, step)


@theorem(
    "carry.distribution-necessary",
    "When strides are unconstrained, carry-free is necessary: a carry at any mode j makes some layout of that "
    "shape not add up.",
    given=(A, j, L),
    hypotheses=(ne(count(A, 1, j, L), 0),),
    conclusion=conj(ne(value(unit(A, j), reach(L)), values(L, unit(A, j))), eq(sizes(unit(A, j)), sizes(A))),
    instance=merged(numbers(j=(0, 3)), A=modes, L=steps),
    mutants=(
        Mutant("for any strides", conclusion=ne(value(A, reach(L)), values(L, A))),
        Mutant("without a carry", hypotheses=()),
        Mutant("the mode before", conclusion=ne(value(unit(A, j - 1), reach(L)), values(L, unit(A, j - 1)))),
    ),
    source="paper §3.3.2, repaired",
)
def distribution_necessary(p: Proof) -> None:
    p.use("carry.unit", P=1)
    p.use("carry.many", A=unit(A, j))
    p.done()
