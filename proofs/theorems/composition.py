"""Composition (paper §3.3): when A∘B exists, by modes and by runs, and when divisibility is enough."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random
from typing import Any

from ...model.composition import composition as composition_of_model
from ...model.layout import Layout
from ...smt.terms import BOOL, INT, Function, Term, as_term, conj, disj, div, eq, iff, implies, ints, ite, mod, ne
from ..language import All, Instance, ListSort, Mutant, Recursive, always, every, theorem
from ..rules import Proof
from .coalesce import coal
from .instances import as_layout, compact_or_not, merged, modes, numbers, total
from .modes import MODES, A, B, cat, cons, in_bounds, one, size, value

i, j, k, m, n, t, x = ints("i j k m n t x")
R = MODES.variable("R")
f = Function("f", (INT,), INT)

# One mode: which functions on Z_n are layouts.


def _runs(rng: Random) -> Instance:
    r = compact_or_not(rng, 3, 4)
    layout = as_layout(r)
    m, g = rng.randint(1, 4), rng.randint(-3, 6)
    return {
        "m": m,
        "R": r,
        "x": rng.randint(-2, 40),
        "f": lambda v: g * (v % m) + layout(v // m) if m > 1 else layout(v),
    }


@theorem(
    "composition.run-sound",
    "A run of m values that repeats, f(i + m·j) = i·f(1) + f(m·j), over j ↦ f(m·j) = R(j), is the layout (m:f(1), R).",
    given=(f, m, R, x),
    hypotheses=(
        m >= 1,
        always(
            (i, j),
            implies(conj(i >= 0, i < m, j >= 0, j < size(R)), eq(f(i + m * j), i * f(1) + f(m * j))),
            ((as_term(0), m), (as_term(0), size(R))),
        ),
        every(j, 0, size(R), eq(f(m * j), value(R, j))),
    ),
    conclusion=conj(
        eq(size(cons(m, f(1), R)), m * size(R)),
        implies(in_bounds(x, cons(m, f(1), R)), eq(value(cons(m, f(1), R), x), f(x))),
        implies(eq(f(x), x * f(1)), eq(value(one(m, f(1)), x), f(x))),
    ),
    instance=_runs,
    mutants=(
        Mutant("any function", conclusion=eq(value(one(m, f(1)), x), f(x))),
        Mutant("m left out of the second mode", conclusion=eq(f(m * x), value(cons(m, f(1), R), x))),
        Mutant("stride f(m)", conclusion=implies(in_bounds(x, cons(m, f(m), R)), eq(value(cons(m, f(m), R), x), f(x)))),
    ),
)
def run_sound(p: Proof) -> None:
    L = cons(m, f(1), R)
    p.unfold(value(L, x), value(one(m, f(1)), x))
    p.use("modes.digits-in-bounds", s=m, d=f(1), A=R)
    division = p.division(x, m)
    a, b = mod(x, m), div(x, m)
    _, repeats, represents = p.theorem.hypotheses
    p.at(repeats, a, b)
    p.at(represents, b)
    p.have(eq(a + m * b, x), division, m >= 1)
    p.have(eq(f(a + m * b), f(x)))
    p.done()


# What is left of a layout after its longest run of m values: where the run ends within the first mode, its tail.
strip: Recursive = Recursive(
    "strip",
    MODES,
    base=lambda s, d, m: one(s, d),
    step=lambda s, d, T, m: ite(conj(eq(m, s), s >= 2), T, strip(T, div(m, s))),
    parameters={"m": INT},
    result="Modes",
)


def _longest(layout: Any, n: int) -> int:
    return next((i for i in range(n) if layout(i) != i * layout(1)), n)


def _with_run(rng: Random) -> Instance:
    r = compact_or_not(rng, 4, 4)
    m = _longest(as_layout(r), total(r))
    return {
        "R": r,
        "m": m if rng.random() < 0.9 else rng.randint(1, 9),
        "i": rng.randint(-1, 9),
        "j": rng.randint(-3, 9),
    }


_RUN = (
    m >= 2,
    m < size(R),
    every(k, 0, m, eq(value(R, k), k * value(R, 1))),
    ne(value(R, m), m * value(R, 1)),
)


@theorem(
    "composition.run-complete",
    "Where a layout R has a longest run R(k) = k·R(1) for k < m, R(m) ≠ m·R(1), m < |R|: m divides |R|, the run "
    "repeats "
    "in every block, and j ↦ R(m·j) is a layout again.",
    given=(R, m, i, j),
    hypotheses=_RUN,
    conclusion=conj(
        eq(size(R), m * size(strip(R, m))),
        eq(value(R, m * j), value(strip(R, m), j)),
        implies(conj(i >= 0, i < m), eq(value(R, i + m * j), i * value(R, 1) + value(R, m * j))),
    ),
    instance=_with_run,
    mutants=(
        Mutant(
            "a shorter run",
            hypotheses=(m >= 2, m < size(R), every(k, 0, m, eq(value(R, k), k * value(R, 1)))),
            instance=lambda rng: {"R": ((6, 1), (2, 9)), "m": rng.randint(2, 6), "i": 0, "j": rng.randint(0, 3)},
        ),
        Mutant("i beyond the run", conclusion=eq(value(R, i + m * j), i * value(R, 1) + value(R, m * j))),
        Mutant("the block's size for the rest", conclusion=eq(size(R), m + size(strip(R, m)))),
    ),
)
def run_complete(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(value(one(s, d), m), value(one(s, d), 1))
        p.have(eq(d * m, m * d))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(strip(L, m), size(L))
        linear = every(k, 0, m, eq(value(L, k), k * value(L, 1)))

        def digit(q: Proof, a: Term | int, b: Term | int) -> None:
            q.use("modes.first-digit", s=s, d=d, A=T, i=a, j=b)

        for case in p.cases(eq(s, 1), s >= 2):
            if case.is_first:
                for at in (m, m * j, i + m * j):
                    case.use("coalesce.size-one", d=d, A=T, x=at)
                case.use("coalesce.size-one", d=d, A=T, x=1)

                def same(q: Proof, k: Term) -> None:
                    q.suppose()
                    q.use("coalesce.size-one", d=d, A=T, x=k)
                    q.at(linear, k)
                    q.have(eq(k * value(L, 1), k * value(T, 1)))
                    q.done()

                case.every(every(k, 0, m, eq(value(T, k), k * value(T, 1))), same)
                case.have(eq(m * value(L, 1), m * value(T, 1)))
                case.have(eq(i * value(L, 1), i * value(T, 1)))
                case.use("euclid.bounds", x=m, b=1, n=0)
                case.have(eq(value(L, m), value(T, m)))
                case.have(eq(value(L, 1), value(T, 1)))
                case.ih()
                case.have(eq(value(strip(L, m), j), value(strip(T, m), j)))
                case.done()
                continue
            case.use("modes.zero", A=T)
            digit(case, 1, 0)
            digit(case, 0, 1)
            case.have(eq(value(L, 1), d))
            for which, inner in enumerate(case.cases(m < s, eq(m, s), m > s)):
                if which == 0:
                    digit(inner, m, 0)
                    inner.have(eq(d * m, m * d))
                    inner.done()
                elif which == 1:
                    digit(inner, 0, j)
                    inner.have(eq(strip(L, m), T))
                    inner.have(eq(value(L, m * j), value(T, j)))
                    for last in inner.cases(conj(i >= 0, i < m), disj(i < 0, i >= m)):
                        if last.is_first:
                            digit(last, i, j)
                            last.have(eq(value(L, i + m * j), d * i + value(T, j)))
                            last.have(eq(i * value(L, 1), d * i))
                        last.done()
                else:
                    _longer(inner, s, d, T, linear, digit)

    p.induction(R, MODES, base, step)


def _longer(p: Proof, s: Term, d: Term, T: Term, linear: Any, digit: Any) -> None:
    """The run goes on beyond the first mode, s < m: then s divides m, and T has a longest run of m/s."""
    L, q = cons(s, d, T), div(m, s)
    division = p.division(m, s)
    p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=m)
    digit(p, mod(m, s), q)
    digit(p, 0, q)
    p.have(eq(mod(m, s) + s * q, m), division, s >= 2)
    p.have(eq(value(L, m), d * mod(m, s) + value(T, q)))
    for case in p.cases(mod(m, s) >= 1, eq(mod(m, s), 0)):
        if case.is_first:
            case.use("euclid.product-positive", x=s, y=q)
            case.use("euclid.bounds", x=m, b=s, n=0)
            case.have(s * q < m)
            case.at(linear, s * q)
            case.have(eq(value(L, s * q), (s * q) * d))
            case.have(eq(m * value(L, 1), m * d))
            case.have(eq(m * d, (mod(m, s) + s * q) * d), division, s >= 2)
            case.done()
            continue
        case.have(q >= 2)
        case.at(linear, s)
        case.have(eq(value(T, 1), s * d))

        def shorter(r: Proof, k: Term) -> None:
            r.suppose()
            digit(r, 0, k)
            r.use("euclid.product-positive", x=s, y=k)
            r.use("euclid.product-positive", x=s, y=q - k - 1)
            r.have(s * k < m)
            r.at(linear, s * k)
            r.have(eq(k * value(T, 1), k * (s * d)))
            r.have(eq((s * k) * value(L, 1), (s * k) * d))
            r.done()

        case.every(every(k, 0, q, eq(value(T, k), k * value(T, 1))), shorter)
        case.have(eq(m, s * q))
        case.have(eq(q * value(T, 1), q * (s * d)))
        case.have(eq(m * value(L, 1), (s * q) * d))
        case.have(ne(value(T, q), q * value(T, 1)))
        case.have(q < size(T))
        case.ih(m=q, i=div(i, s), j=j)
        rest = strip(T, q)
        case.have(eq(strip(L, m), rest))
        case.have(eq(size(L), m * size(rest)))
        digit(case, 0, q * j)
        case.have(eq(m * j, s * (q * j)))
        case.have(eq(value(L, m * j), value(T, q * j)))
        case.have(eq(value(L, m * j), value(strip(L, m), j)))
        for at in case.cases(conj(i >= 0, i < m), disj(i < 0, i >= m)):
            if at.is_first:
                a, b = mod(i, s), div(i, s)
                split = at.division(i, s)
                at.use("euclid.bounds", x=i, b=s, n=q)
                digit(at, a, b + q * j)
                at.have(eq(i + m * j, a + s * (b + q * j)))
                at.have(eq(value(L, i + m * j), d * a + value(T, b + q * j)))
                at.have(eq(b * value(T, 1), b * (s * d)))
                at.have(eq(i * d, (a + s * b) * d), split, s >= 2)
                at.have(eq(i * value(L, 1), i * d))
                at.have(eq(value(L, i + m * j), i * value(L, 1) + value(L, m * j)))
            at.done()


# Several modes: a list of leaves of B, each with a coordinate c, its stride x, and the candidate R for it.

LEAVES = ListSort("Leaves", {}, {"c": INT, "x": INT, "R": "Modes"})
L = LEAVES.variable("L")
none, more = LEAVES.base, LEAVES.cons
offset: Recursive = Recursive("offset", LEAVES, base=lambda: 0, step=lambda c, x, R, T: c * x + offset(T))  # B(c)
parts: Recursive = Recursive(  # Σ A(cₖ·xₖ)
    "parts",
    LEAVES,
    base=lambda A: 0,
    step=lambda c, x, R, T, A: value(A, c * x) + parts(T, A),
    parameters={"A": "Modes"},
)
result: Recursive = Recursive("result", LEAVES, base=lambda: 0, step=lambda c, x, R, T: value(R, c) + result(T))  # R(c)
by_leaf: Recursive = Recursive(  # Rₖ(cₖ) = A(cₖ·xₖ) for every leaf
    "by_leaf",
    LEAVES,
    base=lambda A: True,
    step=lambda c, x, R, T, A: conj(eq(value(R, c), value(A, c * x)), by_leaf(T, A)),
    parameters={"A": "Modes"},
    result=BOOL,
)
origin: Recursive = Recursive(
    "origin", LEAVES, base=lambda: none(), step=lambda c, x, R, T: more(0, x, R, origin(T)), result="Leaves"
)
only: Recursive = Recursive(  # the coordinate with all entries 0 but the k-th
    "only",
    LEAVES,
    base=lambda k: none(),
    step=lambda c, x, R, T, k: ite(eq(k, 0), more(c, x, R, origin(T)), more(0, x, R, only(T, k - 1))),
    parameters={"k": INT},
    result="Leaves",
)


def _leaves(rng: Random) -> Instance:
    a = modes(rng, 3, 4, -3, 6)
    layout = as_layout(a)
    made = []
    for _ in range(rng.randint(0, 3)):
        x, c = rng.choice([1, 2, 4, 8, rng.randint(-3, 9)]), rng.randint(0, 3)
        right = ((4, layout(x)),) if rng.random() < 0.8 else modes(rng, 2, 3)
        made.append((c, x, right))
    return {"A": a, "L": tuple(made)}


@theorem(
    "composition.origin",
    "At coordinate 0 every layout is 0.",
    given=(L,),
    hypotheses=(),
    conclusion=conj(eq(offset(origin(L)), 0), eq(result(origin(L)), 0)),
    instance=_leaves,
    mutants=(
        Mutant("at any coordinate", conclusion=eq(offset(L), 0)),
        Mutant("the result anywhere", conclusion=eq(result(L), 0)),
        Mutant("one", conclusion=eq(offset(origin(L)), 1)),
    ),
)
def at_origin(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(origin(none()), offset(none()), result(none()))
        p.done()

    def step(p: Proof, c: Term, x: Term, R: Term, T: Term) -> None:
        p.unfold(origin(more(c, x, R, T)), offset(more(0, x, R, origin(T))), result(more(0, x, R, origin(T))))
        p.use("modes.zero", A=R)
        p.ih()
        p.done()

    p.induction(L, LEAVES, base, step)


@theorem(
    "composition.sufficient",
    "Existence, one way: where Rₖ(c) = A(c·xₖ) for every leaf and A adds up over the leaves, R = (R₀,R₁,…) is "
    "A∘B there.",
    given=(A, L),
    hypotheses=(by_leaf(L, A),),
    conclusion=conj(
        eq(result(L), parts(L, A)), iff(eq(result(L), value(A, offset(L))), eq(value(A, offset(L)), parts(L, A)))
    ),
    instance=_leaves,
    mutants=(
        Mutant("a leaf may differ", hypotheses=()),
        Mutant("without adding up", conclusion=eq(result(L), value(A, offset(L)))),
        Mutant("negated", conclusion=ne(result(L), parts(L, A))),
    ),
    source="paper §3.3.2, made exact",
)
def sufficient(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(result(none()), parts(none(), A), offset(none()))
        p.done()

    def step(p: Proof, c: Term, x: Term, R: Term, T: Term) -> None:
        p.unfold(by_leaf(more(c, x, R, T), A), result(more(c, x, R, T)), parts(more(c, x, R, T), A))
        p.ih()
        p.done()

    p.induction(L, LEAVES, base, step)


def _alone(L: Term) -> All:
    """R = A∘B at each coordinate that has one entry of L."""
    return always((k,), implies(k >= 0, eq(result(only(L, k)), value(A, offset(only(L, k))))))


@theorem(
    "composition.necessary-by-leaf",
    "Existence, the other way: where R = A∘B at every coordinate with one entry, Rₖ(c) = A(c·xₖ) for every leaf.",
    given=(A, L),
    hypotheses=(_alone(L),),
    conclusion=by_leaf(L, A),
    instance=_leaves,
    mutants=(
        Mutant("where nothing is known", hypotheses=()),
        Mutant("known at the whole coordinate only", hypotheses=(eq(result(L), value(A, offset(L))),)),
        Mutant("and A adds up", conclusion=eq(value(A, offset(L)), parts(L, A))),
    ),
    source="paper §3.3.2, made exact",
)
def necessary_by_leaf(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(by_leaf(none(), A))
        p.done()

    def step(p: Proof, c: Term, x: Term, R: Term, T: Term) -> None:
        whole = more(c, x, R, T)
        p.unfold(by_leaf(whole, A), only(whole, 0))
        p.unfold(result(more(c, x, R, origin(T))), offset(more(c, x, R, origin(T))))
        p.use("composition.origin", L=T)
        p.at(_alone(whole), 0)
        p.have(eq(value(R, c), value(A, c * x)))

        def tail(q: Proof, k: Term) -> None:
            q.suppose()
            q.unfold(only(whole, k + 1))
            q.unfold(result(more(0, x, R, only(T, k))), offset(more(0, x, R, only(T, k))))
            q.use("modes.zero", A=R)
            q.at(_alone(whole), k + 1)
            q.have(eq(only(whole, k + 1), more(0, x, R, only(T, k))))
            q.done()

        p.every(_alone(T), tail)
        p.ih()
        p.done()

    p.induction(L, LEAVES, base, step)


@theorem(
    "composition.exists-iff",
    "A∘B exists iff per-mode representable and additive: where R = (R₀,R₁,…) is A∘B at the coordinates with one "
    "entry, every "
    "Rₖ(cₖ) is A(cₖ·xₖ), and R is A∘B at the whole coordinate exactly where A adds up there (the converse: "
    "composition.sufficient).",
    given=(A, L),
    hypotheses=(_alone(L),),
    conclusion=conj(by_leaf(L, A), iff(eq(result(L), value(A, offset(L))), eq(value(A, offset(L)), parts(L, A)))),
    instance=_leaves,
    mutants=(
        Mutant("leaves unknown", hypotheses=()),
        Mutant("always equal", conclusion=eq(result(L), value(A, offset(L)))),
        Mutant("always additive", conclusion=eq(value(A, offset(L)), parts(L, A))),
    ),
    source="paper §3.3.2, made exact",
)
def exists_iff(p: Proof) -> None:
    p.use("composition.necessary-by-leaf")
    p.use("composition.sufficient")
    p.done()


# Divisibility [20], [21], read mode by mode with truncation.

by_division: Recursive = Recursive(
    "by_division",
    MODES,
    base=lambda s, d, n, t: one(n, d * t),
    step=lambda s, d, T, n, t: ite(
        eq(mod(t, s), 0),
        by_division(T, n, div(t, s)),
        ite(n <= div(s, t), one(n, d * t), cons(div(s, t), d * t, by_division(T, div(n, div(s, t)), 1))),
    ),
    parameters={"n": INT, "t": INT},
    result="Modes",
)
divides: Recursive = Recursive(
    "divides",
    MODES,
    base=lambda s, d, n, t: True,
    step=lambda s, d, T, n, t: disj(
        conj(eq(mod(t, s), 0), divides(T, n, div(t, s))),
        conj(
            ne(mod(t, s), 0),
            eq(mod(s, t), 0),
            disj(n <= div(s, t), conj(eq(mod(n, div(s, t)), 0), divides(T, div(n, div(s, t)), 1))),
        ),
    ),
    parameters={"n": INT, "t": INT},
    result=BOOL,
)


def _dividing(rng: Random) -> Instance:
    a = tuple((rng.choice([1, 2, 2, 3, 4, 6]), rng.randint(-4, 9)) for _ in range(rng.randint(1, 4)))
    return {
        "A": a,
        "n": rng.choice([1, 2, 3, 4, 6, 8, 12]),
        "t": rng.choice([1, 1, 2, 3, 4, 6, 8, 12]),
        "i": rng.randint(-1, 12),
    }


def _divided(instance: Instance) -> bool:
    layout = composition_of_model(as_layout(instance["A"]), Layout(instance["n"], instance["t"]))
    return isinstance(layout, Layout) and layout(instance["i"]) == as_layout(instance["A"])(
        instance["i"] * instance["t"]
    )


@theorem(
    "composition.divisibility",
    "A∘(n:t) under stride and shape divisibility [20], [21], read mode by mode up to the truncation: each mode "
    "s:d has s | t "
    "and is passed over with t/s, or t | s and gives s/t:d·t, which holds all n or divides it; the last takes "
    "what is left.",
    given=(A, n, t, i),
    hypotheses=(n >= 1, t >= 1, divides(A, n, t)),
    conclusion=conj(
        eq(size(by_division(A, n, t)), n),
        implies(conj(i >= 0, i < n), eq(value(by_division(A, n, t), i), value(A, i * t))),
    ),
    instance=_dividing,
    mutants=(
        Mutant("without divisibility", hypotheses=(n >= 1, t >= 1)),
        Mutant("past the end of B", conclusion=eq(value(by_division(A, n, t), i), value(A, i * t))),
        Mutant(
            "strides not scaled",
            conclusion=implies(conj(i >= 0, i < n), eq(value(by_division(A, n, t), i), value(A, i))),
        ),
    ),
    meaning=lambda e: not 0 <= e["i"] < e["n"] or _divided(e),
    source="paper §3.3, [19]-[21]",
)
def divisibility(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(by_division(one(s, d), n, t), size(one(n, d * t)), value(one(n, d * t), i), value(one(s, d), i * t))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(by_division(cons(s, d, T), n, t), divides(cons(s, d, T), n, t), value(cons(s, d, T), i * t))
        whole = p.division(t, s)
        part = p.division(s, t)
        for case in p.cases(eq(mod(t, s), 0), ne(mod(t, s), 0)):
            q = div(t, s) if case.is_first else div(s, t)
            if case.is_first:
                case.have(eq(t, s * q), whole, s >= 1, eq(mod(t, s), 0))
                case.have(q >= 1)
                case.have(eq(i * t, 0 + s * (i * q)), eq(t, s * q))
                case.use("euclid.digits", x=0, b=s, k=i * q)
                case.have(eq(div(i * t, s), i * q))
                case.have(eq(mod(i * t, s), 0))
                case.ih(t=q)
                case.have(eq(d * mod(i * t, s), 0))
                case.done()
                continue
            case.have(eq(mod(s, t), 0))
            case.have(eq(s, t * q), part, t >= 1, eq(mod(s, t), 0))
            case.have(q >= 1)
            case.use("euclid.scaled", x=i, d=t, b=q)
            case.have(eq(div(i * t, s), div(i, q)))
            case.have(eq(mod(i * t, s), t * mod(i, q)))
            case.have(eq(d * mod(i * t, s), (d * t) * mod(i, q)))
            case.use("modes.zero", A=T)
            for inner in case.cases(n <= q, n > q):
                if inner.is_first:
                    inner.unfold(size(one(n, d * t)), value(one(n, d * t), i))
                    for at in inner.cases(conj(i >= 0, i < n), disj(i < 0, i >= n)):
                        if at.is_first:
                            at.use("euclid.small", x=i, b=q)
                            at.have(eq((d * t) * mod(i, q), (d * t) * i))
                        at.done()
                else:
                    r = div(n, q)
                    rest = by_division(T, r, 1)
                    inner.unfold(size(cons(q, d * t, rest)), value(cons(q, d * t, rest), i))
                    whole = inner.division(n, q)
                    inner.have(eq(n, q * r))
                    inner.have(r >= 1)
                    inner.ih(n=r, t=1, i=div(i, q))
                    inner.use("euclid.bounds", x=i, b=q, n=r)
                    inner.have(eq(size(cons(q, d * t, rest)), n))
                    inner.done()

    p.induction(A, MODES, base, step)


@theorem(
    "composition.truncation",
    "Modes past the part that is used do not matter: (A, B)(x) = A(x) for x in bounds of A (apparent violations, "
    "§3.3.3).",
    given=(A, B, x),
    hypotheses=(in_bounds(x, A),),
    conclusion=eq(value(cat(A, B), x), value(A, x)),
    instance=merged(numbers(x=(-1, 30)), A=lambda g: modes(g, 3), B=lambda g: modes(g, 2)),
    mutants=(
        Mutant("past the end", hypotheses=(x >= 0,)),
        Mutant("negative", hypotheses=(x < size(A),)),
        Mutant("B in front", conclusion=eq(value(cat(B, A), x), value(A, x))),
    ),
    source="paper §3.3.3",
)
def truncation(p: Proof) -> None:
    p.use("modes.concatenation", i=x, j=0)
    p.use("modes.zero", A=B)
    p.done()


never_carries: Recursive = Recursive(  # (n−1) times each digit of t stays within its mode
    "never_carries",
    MODES,
    base=lambda s, d, n, t: True,
    step=lambda s, d, T, n, t: conj((n - 1) * mod(t, s) < s, never_carries(T, n, div(t, s))),
    parameters={"n": INT, "t": INT},
    result=BOOL,
)


@theorem(
    "composition.diagonal",
    "Where no digit of t ever carries, (n−1)·digit < size in every mode but the last, A∘(n:t) = n:A(t).",
    given=(A, n, t, i),
    hypotheses=(never_carries(A, n, t), i >= 0, i < n),
    conclusion=conj(eq(value(A, i * t), i * value(A, t)), eq(value(one(n, value(A, t)), i), value(A, i * t))),
    instance=lambda rng: (
        lambda a: {
            "A": a,
            "n": rng.randint(1, 5),
            "t": rng.choice([1, rng.randint(-5, 60), total(a)]),
            "i": rng.randint(-1, 5),
        }
    )(modes(rng, 3, 9)),
    mutants=(
        Mutant("carries allowed", hypotheses=(i >= 0, i < n)),
        Mutant("i beyond n", hypotheses=(never_carries(A, n, t), i >= 0)),
        Mutant("i negative", hypotheses=(never_carries(A, n, t), i < n)),
    ),
    meaning=lambda e: as_layout(e["A"])(e["i"] * e["t"]) == e["i"] * as_layout(e["A"])(e["t"]),
)
def diagonal(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        single = one(s, d)
        p.unfold(value(single, i * t), value(single, t), value(one(n, value(single, t)), i))
        p.have(eq(i * value(single, t), i * (d * t)))
        p.have(eq(value(single, t) * i, i * (d * t)))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L, digit, rest = cons(s, d, T), mod(t, s), div(t, s)
        p.unfold(never_carries(L, n, t), value(L, t), value(one(n, value(L, t)), i))
        division = p.division(t, s)
        p.ih(t=rest)
        p.use("euclid.product-positive", x=i, y=digit)
        p.use("euclid.product-positive", x=n - 1 - i, y=digit)
        p.have(eq((n - 1 - i) * digit, (n - 1) * digit - i * digit))
        p.have(eq(i * t, i * digit + s * (i * rest)), division, s >= 1)
        p.use("modes.first-digit", s=s, d=d, A=T, i=i * digit, j=i * rest)
        p.have(eq(value(L, i * t), d * (i * digit) + value(T, i * rest)))
        p.have(eq(i * value(L, t), i * (d * digit + value(T, rest))))
        p.have(eq(value(L, t) * i, i * value(L, t)))
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "composition.unique",
    "A∘B is one function, and its canonical form one layout: two layouts of one size with the same values "
    "coalesce alike.",
    given=(f, A, B),
    hypotheses=(
        eq(size(A), size(B)),
        every(i, 0, size(A), eq(value(A, i), f(i))),
        every(i, 0, size(B), eq(value(B, i), f(i))),
    ),
    conclusion=eq(coal(A), coal(B)),
    instance=lambda rng: (
        lambda a: {"A": a, "B": coal.on(a) if rng.random() < 0.8 else compact_or_not(rng), "f": as_layout(a)}
    )(compact_or_not(rng)),
    mutants=(
        Mutant("the layouts themselves", conclusion=eq(A, B)),
        Mutant(
            "sizes may differ",
            hypotheses=(every(i, 0, size(A), eq(value(A, i), f(i))), every(i, 0, size(B), eq(value(B, i), f(i)))),
            instance=lambda rng: {"A": ((2, 1),), "B": ((rng.randint(2, 4), 1),), "f": lambda v: v},
        ),
        Mutant(
            "one value not compared",
            hypotheses=(
                eq(size(A), size(B)),
                every(i, 0, size(A), eq(value(A, i), f(i))),
                every(i, 0, size(B) - 1, eq(value(B, i), f(i))),
            ),
            instance=lambda rng: {"A": ((2, 1),), "B": ((2, rng.randint(1, 4)),), "f": lambda v: v},
        ),
    ),
)
def unique(p: Proof) -> None:
    first, second = p.theorem.hypotheses[1:]

    def same(q: Proof, i: Term) -> None:
        q.suppose()
        q.at(first, i)
        q.at(second, i)
        q.done()

    p.every(every(i, 0, size(A), eq(value(A, i), value(B, i))), same)
    p.use("coalesce.complete")
    p.done()


g, h, r, u = (Function(name, (INT,), INT) for name in "ghru")


def _three(rng: Random) -> Instance:
    a, b, c = (as_layout(modes(rng, 2, 3, 0, 3)) for _ in range(3))
    m, n = rng.randint(1, 30), rng.randint(1, 4)
    return {
        "f": a,
        "g": b,
        "h": c,
        "r": lambda v: a(b(v)) if 0 <= v < m else 99 + v,
        "u": lambda v: b(c(v)) if 0 <= v < n else 77,
        "m": m,
        "n": n,
        "i": rng.randint(0, 4),
    }


@theorem(
    "composition.associative",
    "(A∘B)∘C = A∘(B∘C) where both sides exist and C's image lies in Z_|B|: as functions on Z_|C|.",
    given=(f, g, h, r, u, m, n, i),
    hypotheses=(
        every(k, 0, m, eq(r(k), f(g(k)))),
        every(k, 0, n, eq(u(k), g(h(k)))),
        every(k, 0, n, conj(h(k) >= 0, h(k) < m)),
        i >= 0,
        i < n,
    ),
    conclusion=eq(r(h(i)), f(u(i))),
    instance=_three,
    mutants=(
        Mutant(
            "image of C outside",
            hypotheses=(
                every(k, 0, m, eq(r(k), f(g(k)))),
                every(k, 0, n, eq(u(k), g(h(k)))),
                i >= 0,
                i < n,
            ),
        ),
        Mutant("i beyond C", hypotheses=(every(k, 0, m, eq(r(k), f(g(k)))), every(k, 0, n, eq(u(k), g(h(k)))), i >= n)),
        Mutant("other order", conclusion=eq(r(h(i)), u(f(i)))),
    ),
    source="paper §3.3",
)
def associative(p: Proof) -> None:
    first, second, image = p.theorem.hypotheses[:3]
    p.at(image, i)
    p.at(second, i)
    p.at(first, h(i))
    p.have(eq(f(u(i)), f(g(h(i)))))
    p.done()


@theorem(
    "composition.identities",
    "The identity n:1 changes nothing on either side: I(A(i)) = A(i), and A(I(i)) = A(i), at every integer.",
    given=(A, n, i),
    hypotheses=(n >= 1,),
    conclusion=conj(
        eq(value(one(n, 1), value(A, i)), value(A, i)),
        eq(value(A, value(one(n, 1), i)), value(A, i)),
    ),
    instance=merged(numbers(n=(1, 9), i=(-20, 60)), A=modes),
    mutants=(
        Mutant("n:2", conclusion=eq(value(one(n, 2), value(A, i)), value(A, i))),
        Mutant("n:−1", conclusion=eq(value(A, value(one(n, -1), i)), value(A, i))),
        Mutant("A for the identity", conclusion=eq(value(A, value(A, i)), value(A, i))),
    ),
    source="paper §3.3",
)
def identities(p: Proof) -> None:
    p.unfold(value(one(n, 1), value(A, i)), value(one(n, 1), i))
    p.have(eq(value(one(n, 1), i), i))
    p.done()
