"""A layout as its list of modes: value at an index, size, concatenation (paper §2.2, §2.4).

``value`` is the layout at an integral coordinate as the paper defines it, the last mode not reduced: at every integer,
in bounds or not. Nesting does not matter there; at a natural coordinate a layout is the sum of its modes.
"""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from ...smt.terms import INT, Term, conj, div, eq, implies, ints, mod
from ..language import ListSort, Mutant, Recursive, theorem
from ..rules import Proof
from .instances import as_layout, merged, modes, numbers, total

MODES = ListSort("Modes", {"s": INT, "d": INT}, {"s": INT, "d": INT}, guard=lambda s, d: s >= 1)
one, cons = MODES.base, MODES.cons
A, B = MODES.variable("A"), MODES.variable("B")
x, y, i, j, s, d, n = ints("x y i j s d n")

value: Recursive = Recursive(
    "value",
    MODES,
    base=lambda s, d, x: d * x,
    step=lambda s, d, T, x: d * mod(x, s) + value(T, div(x, s)),
    parameters={"x": INT},
)
size: Recursive = Recursive("size", MODES, base=lambda s, d: s, step=lambda s, d, T: s * size(T))
cat: Recursive = Recursive(
    "cat",
    MODES,
    base=lambda s, d, B: cons(s, d, B),
    step=lambda s, d, T, B: cons(s, d, cat(T, B)),
    parameters={"B": "Modes"},
    result="Modes",
)

SIZES = ListSort("Sizes", {}, {"s": INT})
sizes: Recursive = Recursive(
    "sizes",
    MODES,
    base=lambda s, d: SIZES.cons(s, SIZES.base()),
    step=lambda s, d, T: SIZES.cons(s, sizes(T)),
    result="Sizes",
)


def in_bounds(index: Term, layout: Term) -> Term:
    """0 ≤ index < |layout|."""
    return conj(index >= 0, index < size(layout))


@theorem(
    "modes.size-positive",
    "Every layout has at least one coordinate.",
    given=(A,),
    hypotheses=(),
    conclusion=size(A) >= 1,
    instance=merged(A=modes),
    mutants=(
        Mutant("at least two", conclusion=size(A) >= 2),
        Mutant("at most nine", conclusion=size(A) <= 9),
        Mutant("negative", conclusion=size(A) < 0),
    ),
    meaning=lambda e: total(e["A"]) >= 1,
)
def size_positive(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(size(one(s, d)))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(size(cons(s, d, T)))
        p.ih()
        p.use("euclid.product-positive", x=s, y=size(T))
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "modes.zero",
    "L(0) = 0.",
    given=(A,),
    hypotheses=(),
    conclusion=eq(value(A, 0), 0),
    instance=merged(A=modes),
    mutants=(
        Mutant("L(1) = 0", conclusion=eq(value(A, 1), 0)),
        Mutant("L(0) = 1", conclusion=eq(value(A, 0), 1)),
        Mutant("L(|L|) = 0", conclusion=eq(value(A, size(A)), 0)),
    ),
    meaning=lambda e: as_layout(e["A"])(0) == 0,
    source="paper §2.4",
)
def zero(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(value(one(s, d), 0))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(value(cons(s, d, T), 0))
        p.use("euclid.small", x=0, b=s)
        p.ih()
        p.have(eq(d * mod(0, s), 0))
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "modes.first-digit",
    "For 0 ≤ i < s: (s:d, T)(i + s·j) = d·i + T(j), for every integer j.",
    given=(s, d, A, i, j),
    hypotheses=(i >= 0, i < s),
    conclusion=eq(value(cons(s, d, A), i + s * j), d * i + value(A, j)),
    instance=merged(numbers(s=(1, 5), d=(-5, 9), i=(-1, 6), j=(-5, 30)), A=modes),
    mutants=(
        Mutant("i = s allowed", hypotheses=(i >= 0, i <= s)),
        Mutant("i may be negative", hypotheses=(i < s,)),
        Mutant("j not passed on", conclusion=eq(value(cons(s, d, A), i + s * j), d * i + value(A, i + s * j))),
    ),
    meaning=lambda e: (
        as_layout(((e["s"], e["d"]), *e["A"]))(e["i"] + e["s"] * e["j"]) == e["d"] * e["i"] + as_layout(e["A"])(e["j"])
    ),
    source="paper §2.2",
)
def first_digit(p: Proof) -> None:
    p.use("euclid.digits", x=i, b=s, k=j)
    p.unfold(value(cons(s, d, A), i + s * j))
    p.done()


@theorem(
    "modes.digits-in-bounds",
    "An index of (s:d, T) in bounds is i + s·j with i = x mod s and j = ⌊x/s⌋ in bounds of T, and the other way round.",
    given=(s, d, A, x),
    hypotheses=(s >= 1,),
    conclusion=conj(
        eq(size(cons(s, d, A)), s * size(A)),
        implies(in_bounds(x, cons(s, d, A)), in_bounds(div(x, s), A)),
        implies(in_bounds(div(x, s), A), in_bounds(x, cons(s, d, A))),
    ),
    instance=merged(numbers(s=(1, 5), d=(-5, 9), x=(-5, 60)), A=modes),
    mutants=(
        Mutant("x itself in bounds of T", conclusion=implies(in_bounds(x, cons(s, d, A)), in_bounds(x, A))),
        Mutant(
            "one index more",
            conclusion=implies(conj(x >= 0, x <= size(cons(s, d, A))), in_bounds(div(x, s), A)),
        ),
        Mutant("negative x", conclusion=implies(x < size(cons(s, d, A)), in_bounds(div(x, s), A))),
    ),
    source="paper §2.2",
)
def digits_in_bounds(p: Proof) -> None:
    p.unfold(size(cons(s, d, A)))
    p.use("euclid.bounds", b=s, n=size(A))
    p.division(x, s)
    p.have(implies(div(x, s) >= 0, x >= 0))
    p.done()


@theorem(
    "modes.concatenation",
    "(A, B) at an index: (A,B)(i + |A|·j) = A(i) + B(j) for 0 ≤ i < |A| and every integer j; |(A,B)| = |A|·|B|.",
    given=(A, B, i, j),
    hypotheses=(in_bounds(i, A),),
    conclusion=conj(
        eq(value(cat(A, B), i + size(A) * j), value(A, i) + value(B, j)), eq(size(cat(A, B)), size(A) * size(B))
    ),
    instance=merged(numbers(i=(-1, 12), j=(-5, 30)), A=lambda r: modes(r, 3, 4), B=lambda r: modes(r, 2, 4)),
    mutants=(
        Mutant("i out of bounds", hypotheses=(i >= 0,)),
        Mutant("j not divided", conclusion=eq(value(cat(A, B), i + j), value(A, i) + value(B, j))),
        Mutant("sizes add", conclusion=eq(size(cat(A, B)), size(A) + size(B))),
    ),
    meaning=lambda e: (
        as_layout(e["A"] + e["B"])(e["i"] + total(e["A"]) * e["j"])
        == as_layout(e["A"])(e["i"]) + as_layout(e["B"])(e["j"])
    ),
    source="paper §3.1",
)
def concatenation(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(cat(one(s, d), B), size(one(s, d)), size(cons(s, d, B)), value(one(s, d), i))
        p.use("modes.first-digit", s=s, d=d, A=B)
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(cat(cons(s, d, T), B), size(cons(s, d, T)), size(cons(s, d, cat(T, B))), value(cons(s, d, T), i))
        division = p.division(i, s)
        p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=i)
        p.ih(i=div(i, s))
        inner = div(i, s) + size(T) * j
        p.have(eq(i + (s * size(T)) * j, mod(i, s) + s * inner), division, s >= 1)
        p.have(eq(i + size(cons(s, d, T)) * j, mod(i, s) + s * inner))
        p.use("modes.first-digit", s=s, d=d, A=cat(T, B), i=mod(i, s), j=inner)
        p.algebra((s * size(T)) * size(B), s * (size(T) * size(B)))
        p.have(eq(size(cat(cons(s, d, T), B)), size(cons(s, d, T)) * size(B)))
        p.done()

    p.induction(A, MODES, base, step)
