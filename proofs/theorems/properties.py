"""Injective and onto by the reach of smaller strides: what :mod:`veritile.model.properties` decides in closed form.

The modes are taken with their strides in ascending order. While each stride is more than the smaller ones reach
together, no two coordinates share an offset; while none is more than the number of offsets covered, none is left out.
"""

# ruff: noqa: D103 — what each proof proves stands above it.

from __future__ import annotations

from random import Random

from ...model.properties import image_prefix, is_injective
from ...smt.terms import BOOL, INT, Term, conj, div, eq, ints, ite, mod
from ..language import Instance, Mutant, Recursive, theorem
from ..rules import Proof
from .instances import as_layout, modes, total
from .modes import MODES, A, cons, in_bounds, one, size, value

x, y, r, n, z = ints("x y r n z")

spread: Recursive = Recursive(  # every stride is more than r and what the modes before it reach
    "spread",
    MODES,
    base=lambda s, d, r: d > r,
    step=lambda s, d, T, r: conj(d > r, spread(T, r + (s - 1) * d)),
    parameters={"r": INT},
    result=BOOL,
)
dense: Recursive = Recursive(  # every stride is positive and at most n, the number of offsets covered so far
    "dense",
    MODES,
    base=lambda s, d, n: conj(d >= 1, d <= n),
    step=lambda s, d, T, n: conj(d >= 1, d <= n, dense(T, n + (s - 1) * d)),
    parameters={"n": INT},
    result=BOOL,
)
covered: Recursive = Recursive(  # n, and what the modes reach beyond it
    "covered",
    MODES,
    base=lambda s, d, n: n + (s - 1) * d,
    step=lambda s, d, T, n: covered(T, n + (s - 1) * d),
    parameters={"n": INT},
)


def _digit(s: Term, d: Term, rest: Term) -> Term:
    """The most of the stride that fits into ``rest``: ⌊rest/d⌋, but at most s − 1."""
    return ite(div(rest, d) < s, div(rest, d), s - 1)


# An offset z below ``covered`` is reached up to a rest below n: the largest stride takes what it can, then the next.
rest: Recursive = Recursive(
    "rest",
    MODES,
    base=lambda s, d, n, z: z - d * _digit(s, d, z),
    step=lambda s, d, T, n, z: rest(T, n + (s - 1) * d, z) - d * _digit(s, d, rest(T, n + (s - 1) * d, z)),
    parameters={"n": INT, "z": INT},
)
place: Recursive = Recursive(
    "place",
    MODES,
    base=lambda s, d, n, z: _digit(s, d, z),
    step=lambda s, d, T, n, z: _digit(s, d, rest(T, n + (s - 1) * d, z)) + s * place(T, n + (s - 1) * d, z),
    parameters={"n": INT, "z": INT},
)


def _spreads(rng: Random) -> Instance:
    made, reach = [], rng.randint(0, 2)
    start = reach
    for _ in range(rng.randint(1, 3)):
        s, d = rng.randint(1, 4), reach + rng.randint(1, 4)
        made.append((s, d))
        reach += (s - 1) * d
    a = tuple(made) if rng.random() < 0.9 else modes(rng, 3, 4, 0, 9)
    return {"A": a, "r": start, "x": rng.randint(0, total(a) - 1), "y": rng.randint(0, total(a) - 1)}


@theorem(
    "properties.spread",
    "Where every stride is more than r and what the smaller ones reach together, two coordinates in bounds whose "
    "offsets are within r of one another are the same: with r = 0, the layout is injective.",
    given=(A, r, x, y),
    hypotheses=(
        r >= 0,
        spread(A, r),
        in_bounds(x, A),
        in_bounds(y, A),
        value(A, x) - value(A, y) <= r,
        value(A, y) - value(A, x) <= r,
    ),
    conclusion=eq(x, y),
    instance=_spreads,
    mutants=(
        Mutant(
            "without the spread",
            hypotheses=(
                r >= 0,
                in_bounds(x, A),
                in_bounds(y, A),
                value(A, x) - value(A, y) <= r,
                value(A, y) - value(A, x) <= r,
            ),
        ),
        Mutant(
            "one more than r apart",
            hypotheses=(
                r >= 0,
                spread(A, r),
                in_bounds(x, A),
                in_bounds(y, A),
                value(A, x) - value(A, y) <= r + 1,
                value(A, y) - value(A, x) <= r + 1,
            ),
        ),
        Mutant(
            "out of bounds",
            hypotheses=(
                r >= 0,
                spread(A, r),
                x >= 0,
                y >= 0,
                value(A, x) - value(A, y) <= r + 2,
                value(A, y) - value(A, x) <= r,
            ),
        ),
    ),
    meaning=lambda e: e["x"] == e["y"] and (e["r"] > 0 or is_injective(as_layout(e["A"]))),
    source="ours",
)
def spread_is_injective(p: Proof) -> None:
    def apart(p: Proof, d: Term, i: Term, j: Term) -> None:
        for number, case in enumerate(p.cases(eq(i, j), i > j, i < j)):
            if number:
                case.use("euclid.product-positive", x=d, y=(i - j, j - i)[number - 1])
            case.done()

    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(spread(L, r), size(L), value(L, x), value(L, y))
        apart(p, d, x, y)

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(spread(L, r), value(L, x), value(L, y))
        divisions = []
        for index in (x, y):
            divisions.append(p.division(index, s))
            p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=index)
        i, j = mod(x, s), mod(y, s)
        p.use("euclid.product-positive", x=d, y=s - 1)
        p.use("euclid.product-positive", x=d, y=s - 1 - i + j)
        p.use("euclid.product-positive", x=d, y=s - 1 - j + i)
        p.ih(r=r + (s - 1) * d, x=div(x, s), y=div(y, s))
        p.have(eq(div(x, s), div(y, s)))
        p.have(eq(d * i - d * j, value(L, x) - value(L, y)))
        apart(p, d, i, j)

    p.induction(A, MODES, base, step)


def _denses(rng: Random) -> Instance:
    made, reach = [], rng.randint(1, 3)
    start = reach
    for _ in range(rng.randint(1, 3)):
        s, d = rng.randint(1, 4), rng.randint(1, reach)
        made.append((s, d))
        reach += (s - 1) * d
    a = tuple(made) if rng.random() < 0.9 else modes(rng, 3, 4, 0, 9)
    return {"A": a, "n": start, "z": rng.randint(0, reach - 1) if rng.random() < 0.9 else rng.randint(-2, 40)}


_DENSE = (n >= 1, dense(A, n), z >= 0, z < covered(A, n))
_REACHED = conj(
    rest(A, n, z) >= 0,
    rest(A, n, z) < n,
    place(A, n, z) >= 0,
    place(A, n, z) < size(A),
    eq(value(A, place(A, n, z)) + rest(A, n, z), z),
)


@theorem(
    "properties.dense",
    "Where every stride is positive and at most the number of offsets covered so far, every offset below all that is "
    "covered is that of a coordinate in bounds, up to a rest below n: with n = 1, the layout is onto Z_covered.",
    given=(A, n, z),
    hypotheses=_DENSE,
    conclusion=_REACHED,
    instance=_denses,
    mutants=(
        Mutant("a stride of one more", hypotheses=(n >= 1, dense(A, n + 1), z >= 0, z < covered(A, n))),
        Mutant("one offset more", hypotheses=(n >= 1, dense(A, n), z >= 0, z <= covered(A, n))),
        Mutant("negative offsets", hypotheses=(n >= 1, dense(A, n), z < covered(A, n))),
    ),
    meaning=lambda e: e["n"] > 1 or image_prefix(as_layout(e["A"])) > e["z"],
    source="ours",
)
def dense_is_onto(p: Proof) -> None:
    def takes(p: Proof, s: Term, d: Term, w: Term) -> None:
        """0 ≤ w < n + (s−1)·d leaves a rest below n, at a digit below s."""
        division = p.division(w, d)
        q = div(w, d)
        p.use("euclid.bounds", x=w, b=d, n=s)
        p.have(d >= 1)
        p.have(eq(w, d * q + mod(w, d)), division, d >= 1)
        for case in p.cases(q < s, q >= s):
            i = _digit(s, d, w)
            case.have(eq(i, q if case.is_first else s - 1))
            case.have(eq(d * i, d * q if case.is_first else d * (s - 1)))
            if not case.is_first:
                case.use("euclid.product-positive", x=d, y=q - (s - 1))
            case.done()

    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(dense(L, n), covered(L, n), size(L), rest(L, n, z), place(L, n, z), value(L, place(L, n, z)))
        takes(p, s, d, z)

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        m = n + (s - 1) * d
        p.unfold(dense(L, n), covered(L, n), rest(L, n, z), place(L, n, z))
        p.use("euclid.product-positive", x=d, y=s - 1)
        p.ih(n=m)
        w, k = rest(T, m, z), place(T, m, z)
        i = _digit(s, d, w)
        p.unfold(value(L, place(L, n, z)))
        p.use("euclid.bounds", x=w, b=d, n=s)
        p.have(conj(i >= 0, i < s))
        p.use("euclid.digits", x=i, b=s, k=k)
        p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=i + s * k)
        takes(p, s, d, w)

    p.induction(A, MODES, base, step)
