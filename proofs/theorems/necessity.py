"""Which layouts can be completed at all: a set of offsets tiles Z_N with L only over a divisor chain.

After de Bruijn. L = (A, R), A the modes that are known to form a chain with top P, R the rest, sorted by stride. The
set J tiles with L: every x of Z_N is L(c) + j for one coordinate c and one j of J. Below the first stride of R, J has
period P (``block``); so that stride is a multiple of P (``step``), and what was known of (A, P) holds of A with the
next mode, and its top (``invariants``).
"""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import BOOL, INT, Function, Term, as_term, conj, disj, div, eq, iff, implies, ints, mod, neg
from ..language import All, Instance, Mutant, Recursive, always, every, theorem
from ..rules import Proof
from .coalesce import head_size, head_stride
from .complement import chain, complement
from .instances import small_chain, total
from .modes import MODES, A, cat, cons, in_bounds, one, size, value

R = MODES.variable("R")
P, N, z, lo, x, t, j, c, i, a = ints("P N z lo x t j c i a")
J = Function("J", (INT,), BOOL)
at = Function("at", (INT,), INT)  # the coordinate of L that an element of Z_N is reached from

ascending: Recursive = Recursive(  # sizes of at least 2, strides that do not fall, from lo on
    "ascending",
    MODES,
    base=lambda s, d, lo: conj(s >= 2, d >= lo),
    step=lambda s, d, T, lo: conj(s >= 2, d >= lo, ascending(T, d)),
    parameters={"lo": INT},
    result=BOOL,
)

D, S = head_stride(R), head_size(R)
L = cat(A, R)


def _tiles(L: Term) -> tuple[All, All]:
    """J and L tile Z_N: ``at`` leads each x to its coordinate; each sum lies in Z_N and comes from one coordinate."""
    return (
        every(x, 0, N, conj(at(x) >= 0, at(x) < size(L), J(x - value(L, at(x))))),
        always(
            (c, j),
            implies(
                conj(c >= 0, c < size(L), J(j)),
                conj(j >= 0, value(L, c) + j < N, eq(at(value(L, c) + j), c)),
            ),
            ((as_term(0), size(L)), (as_term(0), N)),
        ),
    )


def _known(A: Term, P: Term, z: Term) -> tuple[All, All, All, All]:
    """A and the part of J below P tile Z_P; A has an offset beyond each of that part; its offsets are not negative."""
    return (
        every(t, 0, P, at(t) < size(A)),
        every(j, 1, P, implies(J(j), j < value(A, z))),
        always(
            (a, j),
            implies(conj(a >= 0, a < size(A), J(j), j < P), value(A, a) + j < P),
            ((as_term(0), size(A)), (as_term(0), P)),
        ),
        every(a, 0, size(A), value(A, a) >= 0),
    )


_REACHED, _SUMS = _tiles(L)
_BELOW, _BEYOND, _WITHIN, _POSITIVE = _known(A, P, z)
_PLAIN = (N >= 1, P >= 1, lo >= 1, ascending(R, lo), in_bounds(z, A))
_GIVEN = (J, at, A, R, P, z, lo, N)
_ALL = (*_PLAIN, _REACHED, _SUMS, _BELOW, _BEYOND, _WITHIN, _POSITIVE)


def _draw(rng: Random) -> Instance:
    modes = small_chain(rng, 12)
    cut = rng.randint(0, len(modes) - 1)
    first, rest = modes[:cut] or ((1, 0),), modes[cut:]
    u = rng.randint(1, 2)
    offsets = [value.on(modes, i) for i in range(total(modes))]
    own = complement.on(modes, 1, u)
    others = [value.on(own, i) for i in range(total(own))]
    coordinates = {o + r: i for i, o in enumerate(offsets) for r in others}
    reach = 1 if not cut else first[-1][0] * first[-1][1]
    return {
        "A": first,
        "R": rest,
        "P": reach,
        "z": 0 if not cut else total(first) // first[-1][0] * (first[-1][0] - 1),
        "lo": rng.randint(1, rest[0][1]),
        "N": len(coordinates),
        "J": lambda v: v in others,
        "at": lambda v: coordinates.get(v, 0),
        "x": rng.randint(0, rest[0][1] - 1),
        "t": rng.randint(0, rest[0][0] * rest[0][1] - 1),
        "a": rng.randint(0, total(first) - 1),
        "i": rng.randint(-1, 4),
        "j": rng.choice(others) if rng.random() < 0.8 else rng.randint(0, 9),
        "c": rng.randint(0, total(modes) - 1),
    }


def _broken(rng: Random) -> Instance:
    """(2,2):(1,3) with A = 2:1 known and 3 no multiple of 2."""
    return {
        "A": ((2, 1),),
        "R": ((2, 3),),
        "P": 2,
        "z": 1,
        "lo": 1,
        "N": 4,
        "J": lambda v: v == 0,
        "at": lambda v: v % 2,
        "x": rng.randint(0, 2),
        "t": rng.randint(0, 5),
        "a": rng.randint(0, 3),
        "i": rng.randint(0, 3),
        "j": rng.randint(0, 3),
        "c": rng.randint(0, 3),
    }


def _beyond(rng: Random) -> Instance:
    e = _draw(rng)
    return e | {"x": e["t"], "t": e["j"]}


def _at_the_last_digit(rng: Random) -> Instance:
    e = _draw(rng)
    return e | {"a": total(e["A"]) * (e["R"][0][0] - 1)}


_UNTILED = Mutant("no tiling", hypotheses=(*_PLAIN, *_known(A, P, z)), instance=_broken)
_UNREACHED = Mutant(
    "a tiling that leaves holes",
    hypotheses=(*_PLAIN, _SUMS, *_known(A, P, z)),
    instance=lambda rng: _broken(rng) | {"N": 5, "at": lambda v: {1: 1, 3: 2, 4: 3}.get(v, 0)},
)


@theorem(
    "necessity.head",
    "The first mode of a list that ascends: its size is at least 2, its stride at least lo, its values are multiples.",
    given=(R, lo, i),
    hypotheses=(ascending(R, lo),),
    conclusion=conj(S >= 2, lo <= D, size(R) >= S, implies(conj(i >= 0, i < S), eq(value(R, i), D * i))),
    instance=_draw,
    mutants=(
        Mutant("any i", conclusion=eq(value(R, i), D * i)),
        Mutant("size 3", conclusion=S >= 3),
        Mutant("stride above lo", conclusion=lo < D),
    ),
)
def head(p: Proof) -> None:
    def last(p: Proof, s: Term, d: Term) -> None:
        M = one(s, d)
        p.unfold(ascending(M, lo), head_size(M), head_stride(M), size(M), value(M, i))
        p.done()

    def longer(p: Proof, s: Term, d: Term, T: Term) -> None:
        M = cons(s, d, T)
        p.unfold(ascending(M, lo), head_size(M), head_stride(M), size(M))
        p.use("modes.size-positive", A=T)
        p.use("euclid.product-positive", x=s, y=size(T))
        p.use("modes.zero", A=T)
        for case in p.cases(conj(i >= 0, i < s), disj(i < 0, i >= s)):
            if case.is_first:
                case.use("modes.first-digit", s=s, d=d, A=T, i=i, j=0)
            case.done()

    p.split(R, MODES, last, longer)


@theorem(
    "necessity.least",
    "Where a list ascends from lo ≥ 1 no coordinate ≥ 0 has a negative offset, and from 1 on none is below the stride.",
    given=(R, lo, j),
    hypotheses=(ascending(R, lo), lo >= 1, j >= 0),
    conclusion=conj(value(R, j) >= 0, implies(j >= 1, value(R, j) >= D)),
    instance=_draw,
    mutants=(
        Mutant("at 0 too", conclusion=value(R, j) >= D),
        Mutant("above the first stride", conclusion=implies(j >= 1, value(R, j) > D)),
        Mutant(
            "any order",
            hypotheses=(lo >= 1, j >= 0),
            instance=lambda rng: {"R": ((2, 5), (2, rng.randint(1, 9))), "lo": 1, "j": rng.randint(0, 3)},
        ),
    ),
)
def least(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        M = one(s, d)
        p.unfold(ascending(M, lo), value(M, j), head_stride(M))
        p.use("euclid.product-positive", x=d, y=j)
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        M = cons(s, d, T)
        p.unfold(ascending(M, lo), value(M, j), head_stride(M))
        p.use("euclid.bounds", x=j, b=s, n=0)
        p.ih(lo=d, j=div(j, s))
        p.use("necessity.head", R=T, lo=d, i=0)
        p.division(j, s)
        p.use("euclid.product-positive", x=d, y=mod(j, s))
        for case in p.cases(mod(j, s) >= 1, conj(eq(mod(j, s), 0), div(j, s) >= 1), eq(j, 0)):
            case.done()

    p.induction(R, MODES, base, step)


@theorem(
    "necessity.coordinate",
    "A coordinate a of A and one i of R make the coordinate a + |A|·i of (A, R), and their offsets add.",
    given=(A, R, a, i),
    hypotheses=(in_bounds(a, A), in_bounds(i, R)),
    conclusion=conj(in_bounds(a + size(A) * i, L), eq(value(L, a + size(A) * i), value(A, a) + value(R, i))),
    instance=_draw,
    mutants=(
        Mutant("a out of bounds", hypotheses=(a >= 0, in_bounds(i, R)), instance=_broken),
        Mutant("i out of bounds", hypotheses=(in_bounds(a, A), i >= 0), instance=_broken),
        Mutant("coordinates add", conclusion=eq(value(L, a + i), value(A, a) + value(R, i))),
    ),
)
def coordinate(p: Proof) -> None:
    p.use("modes.concatenation", B=R, i=a, j=i)
    p.use("euclid.product-positive", x=size(A), y=i)
    p.use("euclid.product-positive", x=size(A), y=size(R) - 1 - i)
    p.have(eq(size(A) * (size(R) - 1 - i), size(A) * size(R) - size(A) - size(A) * i))
    p.done()


@theorem(
    "necessity.parts",
    "A coordinate of (A, R) in bounds is one of A and one of R in bounds, and its offset the sum of theirs.",
    given=(A, R, c),
    hypotheses=(in_bounds(c, L),),
    conclusion=conj(
        in_bounds(mod(c, size(A)), A),
        in_bounds(div(c, size(A)), R),
        eq(c, mod(c, size(A)) + size(A) * div(c, size(A))),
        eq(value(L, c), value(A, mod(c, size(A))) + value(R, div(c, size(A)))),
    ),
    instance=_draw,
    mutants=(
        Mutant("c out of bounds", hypotheses=(c >= 0,), instance=lambda rng: _broken(rng) | {"c": rng.randint(0, 9)}),
        Mutant("c itself a coordinate of A", conclusion=in_bounds(c, A)),
        Mutant("offsets of c", conclusion=eq(value(L, c), value(A, c) + value(R, c))),
    ),
)
def parts(p: Proof) -> None:
    p.use("modes.size-positive")
    p.division(c, size(A))
    p.use("modes.concatenation", B=R, i=mod(c, size(A)), j=div(c, size(A)))
    p.use("euclid.bounds", x=c, b=size(A), n=size(R))
    p.have(eq(mod(c, size(A)) + size(A) * div(c, size(A)), c))
    p.done()


@theorem(
    "necessity.first",
    "0 is in J; the first stride of R is below N, is reached from |A| alone, and is at least P.",
    given=_GIVEN,
    hypotheses=_ALL,
    conclusion=conj(J(0), D < N, eq(at(D), size(A)), D >= P),
    instance=_draw,
    mutants=(
        Mutant("above P", conclusion=D > P),
        _UNTILED,
        Mutant("reached from 0", conclusion=eq(at(D), 0)),
    ),
)
def first(p: Proof) -> None:
    origin, offset = at(0), value(L, at(0))
    p.at(_REACHED, 0)
    p.at(_SUMS, origin, 0 - offset)
    p.use("necessity.parts", c=origin)
    p.at(_POSITIVE, mod(origin, size(A)))
    p.use("necessity.least", j=div(origin, size(A)))
    p.have(eq(0 - offset, 0))
    p.have(J(0))
    p.use("necessity.head", i=1)
    p.use("modes.size-positive")
    p.use("modes.zero")
    p.use("necessity.coordinate", a=0, i=1)
    p.have(eq(value(L, size(A)), D))
    p.at(_SUMS, size(A), 0)
    p.have(eq(at(D), size(A)))
    p.at(_BELOW, D)
    p.done()


def _member(p: Proof, a: Term) -> None:
    """A coordinate of A alone: its offset in (A, R) is that in A."""
    p.use("necessity.coordinate", a=a, i=0)
    p.have(eq(value(L, a), value(A, a)))


def _common(p: Proof) -> None:
    p.use("necessity.first")
    p.use("necessity.head", i=1)
    p.use("modes.size-positive")
    p.use("modes.size-positive", A=R)
    p.use("modes.zero")
    p.use("modes.zero", A=R)
    _member(p, as_term(0))


@theorem(
    "necessity.block",
    "Below the first stride of R, J repeats with period P: x is in J exactly where x mod P is.",
    given=(*_GIVEN, x),
    hypotheses=(*_ALL, x >= 0, x < D),
    conclusion=iff(J(x), J(mod(x, P))),
    instance=_draw,
    mutants=(
        Mutant("beyond the stride", hypotheses=(*_ALL, x >= 0), instance=_beyond),
        Mutant("everywhere in J", conclusion=J(x)),
        Mutant("no tiling", hypotheses=(*_PLAIN, *_known(A, P, z), x >= 0, x < D), instance=_broken),
    ),
)
def block(p: Proof) -> None:
    p.descent(x)
    _common(p)
    rest, k = mod(x, P), div(x, P)
    division = p.division(x, P)
    for case in p.cases(x < P, x >= P):
        if case.is_first:
            case.use("euclid.small", b=P)
            case.done()
            continue
        for side in case.cases(conj(J(rest), neg(J(x))), conj(J(x), neg(J(rest))), iff(J(x), J(rest))):
            if side.number == 0:
                _only_below(side, division)
            elif side.number == 1:
                _only_above(side, k, division)
            else:
                side.done()


def _only_below(p: Proof, division: Term) -> None:
    """x mod P in J and x not: then x = A(a) + y with a smaller y in J, so x mod P = A(a) + (y mod P) twice."""
    c, rest = at(x), mod(x, P)
    y = x - value(L, c)
    p.at(_REACHED, x)
    p.at(_SUMS, c, y)
    p.use("necessity.parts", c=c)
    a, i = mod(c, size(A)), div(c, size(A))
    p.use("necessity.least", j=i)
    p.at(_POSITIVE, a)
    for far in p.cases(i >= 1, eq(i, 0)):
        if far.is_first:
            far.done()
            continue
        far.have(eq(value(L, c), value(A, a)))
        for zero in far.cases(eq(value(A, a), 0), value(A, a) >= 1):
            if zero.is_first:
                zero.have(eq(y, x))
                zero.done()
                continue
            zero.ih(x=y)
            low = mod(y, P)
            under = zero.division(y, P)
            zero.have(J(low))
            zero.have(conj(low >= 0, low < P), under, P >= 1)
            zero.at(_WITHIN, a, low)
            zero.have(eq(x, value(A, a) + low + P * div(y, P)))
            zero.use("euclid.digits", x=value(A, a) + low, b=P, k=div(y, P))
            zero.have(eq(rest, value(A, a) + low))
            _member(zero, a)
            zero.at(_SUMS, a, low)
            zero.at(_SUMS, 0, rest)
            zero.have(eq(at(rest), a))
            zero.have(eq(at(rest), 0))
            zero.done()


def _only_above(p: Proof, k: Term, division: Term) -> None:
    """x in J and x mod P not: then x mod P = A(a) + y with y in J, and x = A(a) + (y + P·k) as well as 0 + x."""
    rest = mod(x, P)
    p.have(conj(rest >= 0, rest < P), division, P >= 1)
    a = at(rest)
    p.at(_REACHED, rest)
    p.at(_BELOW, rest)
    _member(p, a)
    y = rest - value(L, a)
    p.at(_SUMS, a, y)
    p.at(_POSITIVE, a)
    for zero in p.cases(eq(value(A, a), 0), value(A, a) >= 1):
        if zero.is_first:
            zero.have(eq(y, rest))
            zero.done()
            continue
        zero.use("euclid.bounds", x=x, b=P, n=0)
        zero.use("euclid.product-positive", x=P, y=k)
        zero.use("euclid.digits", x=y, b=P, k=k)
        zero.have(eq(x, rest + P * k), division, P >= 1)
        zero.ih(x=y + P * k)
        zero.have(J(y + P * k))
        zero.at(_SUMS, a, y + P * k)
        zero.at(_SUMS, 0, x)
        zero.have(eq(value(L, a) + (y + P * k), x))
        zero.have(eq(at(x), a))
        zero.have(eq(at(x), 0))
        zero.done()


@theorem(
    "necessity.step",
    "The first stride of R is a multiple of P, the top of the chain before it.",
    given=_GIVEN,
    hypotheses=_ALL,
    conclusion=eq(mod(D, P), 0),
    instance=_draw,
    mutants=(_UNTILED, _UNREACHED, Mutant("of 2·P", conclusion=eq(mod(D, 2 * P), 0))),
    source="ours, after de Bruijn",
)
def step_theorem(p: Proof) -> None:
    _common(p)
    r, k = mod(D, P), div(D, P)
    division = p.division(D, P)
    p.use("euclid.bounds", x=D, b=P, n=0)
    p.use("euclid.product-positive", x=P, y=k)
    for case in p.cases(eq(r, 0), r >= 1):
        if case.is_first:
            case.done()
            continue
        a = at(r)
        case.at(_REACHED, r)
        case.at(_BELOW, r)
        _member(case, a)
        y = r - value(L, a)
        case.at(_SUMS, a, y)
        case.at(_POSITIVE, a)
        case.have(eq(D, P * k + r), division, P >= 1)
        for zero in case.cases(value(A, a) >= 1, eq(value(A, a), 0)):
            if zero.is_first:
                # D = A(a) + (y + P·k), and D is reached from |A|.
                zero.use("euclid.digits", x=y, b=P, k=k)
                zero.use("necessity.block", x=y + P * k)
                zero.have(J(y + P * k))
                zero.at(_SUMS, a, y + P * k)
                zero.have(eq(value(L, a) + (y + P * k), D))
                zero.done()
                continue
            # r itself is in J, so A has an offset beyond it: D + (A(z) − r) = A(z) + P·k.
            zero.have(eq(y, r))
            zero.have(J(r))
            zero.at(_BEYOND, r)
            zero.use("euclid.digits", x=0, b=P, k=k)
            zero.use("necessity.block", x=P * k)
            zero.have(J(P * k))
            zero.at(_WITHIN, z, 0)
            _member(zero, z)
            zero.at(_SUMS, z, P * k)
            u = value(A, z) - r
            b = at(u)
            zero.at(_REACHED, u)
            zero.at(_BELOW, u)
            _member(zero, b)
            w = u - value(L, b)
            zero.use("necessity.coordinate", a=b, i=1)
            zero.have(eq(value(L, b + size(A)), value(A, b) + D))
            zero.at(_SUMS, b + size(A), w)
            zero.have(eq(value(L, b + size(A)) + w, value(L, z) + P * k))
            zero.have(eq(z, b + size(A)))
            zero.done()


@theorem(
    "necessity.reach",
    "Below the top S·D of R's first mode every t is reached from a coordinate of A and of that mode, and J has nothing "
    "from D on.",
    given=(*_GIVEN, t),
    hypotheses=(*_ALL, t >= 0, t < D * S),
    conclusion=conj(at(t) >= 0, at(t) < size(A) * S, implies(J(t), t < D)),
    instance=_draw,
    mutants=(
        Mutant("from A alone", conclusion=at(t) < size(A)),
        Mutant("nothing of J at all", conclusion=neg(J(t))),
        Mutant("beyond the top", hypotheses=(*_ALL, t >= 0), conclusion=implies(J(t), t < D), instance=_beyond),
    ),
)
def reach_theorem(p: Proof) -> None:
    _common(p)
    p.use("necessity.step")
    q, y = div(t, D), mod(t, D)
    over = p.division(t, D)
    p.use("euclid.bounds", x=t, b=D, n=S)
    p.have(conj(y >= 0, y < D), over, lo >= 1, lo <= D)
    w, m = mod(y, P), div(y, P)
    under = p.division(y, P)
    p.use("euclid.bounds", x=y, b=P, n=0)
    p.use("euclid.product-positive", x=P, y=m)
    p.have(conj(w >= 0, w < P), under, P >= 1)
    a = at(w)
    p.at(_REACHED, w)
    p.at(_BELOW, w)
    _member(p, a)
    v = w - value(L, a)
    p.at(_SUMS, a, v)
    p.at(_POSITIVE, a)
    p.use("euclid.digits", x=v, b=P, k=m)
    p.have(eq(y, w + P * m), under, P >= 1)
    p.use("necessity.block", x=v + P * m)
    p.have(J(v + P * m))
    p.use("necessity.head", i=q)
    p.use("necessity.coordinate", a=a, i=q)
    p.at(_SUMS, a + size(A) * q, v + P * m)
    p.have(eq(t, D * q + y), over, lo >= 1, lo <= D)
    p.have(eq(value(L, a + size(A) * q) + (v + P * m), t))
    p.have(eq(at(t), a + size(A) * q))
    p.use("euclid.product-positive", x=size(A), y=q)
    p.use("euclid.product-positive", x=size(A), y=S - 1 - q)
    p.have(eq(size(A) * (S - 1 - q), size(A) * S - size(A) - size(A) * q))
    p.have(conj(at(t) >= 0, at(t) < size(A) * S))
    p.at(_SUMS, 0, t)
    p.have(implies(J(t), eq(at(t), 0)))
    for case in p.cases(t < D, t >= D):
        if not case.is_first:
            case.use("euclid.bounds", x=t, b=D, n=1)
        case.done()


_next = cat(A, one(S, D))


@theorem(
    "necessity.invariants",
    "What was known of A and P holds of A with the first mode of R, and its top.",
    given=(*_GIVEN, a, j),
    hypotheses=_ALL,
    conclusion=conj(
        eq(size(_next), size(A) * S),
        in_bounds(size(A) * (S - 1), _next),
        implies(conj(J(j), j >= 1, j < D * S), j < value(_next, size(A) * (S - 1))),
        implies(conj(in_bounds(a, _next), J(j), j < D * S), value(_next, a) + j < D * S),
        implies(in_bounds(a, _next), value(_next, a) >= 0),
    ),
    instance=_draw,
    mutants=(
        Mutant(
            "below D",
            conclusion=implies(conj(in_bounds(a, _next), J(j), j < D * S), value(_next, a) + j < D),
            instance=_at_the_last_digit,
        ),
        Mutant("the first offset beyond", conclusion=implies(conj(J(j), j >= 1, j < D * S), j < value(_next, 1))),
        Mutant("sizes add", conclusion=eq(size(_next), size(A) + S)),
    ),
)
def invariants(p: Proof) -> None:
    _common(p)
    p.use("necessity.step")
    p.unfold(size(one(S, D)), value(one(S, D), S - 1), value(one(S, D), 0))
    p.use("modes.concatenation", B=one(S, D), i=0, j=0)
    p.have(eq(size(_next), size(A) * S))
    p.use("necessity.coordinate", R=one(S, D), a=0, i=S - 1)
    p.have(eq(value(_next, size(A) * (S - 1)), D * (S - 1)))
    p.have(D * (S - 1) >= D)
    p.at(_SUMS, 0, j)
    for case in p.cases(conj(J(j), j < D * S), disj(neg(J(j)), j >= D * S)):
        if case.is_first:
            case.have(j >= 0)
            case.use("necessity.reach", t=j)
            case.use("necessity.block", x=j)
            m, e, low = div(D, P), div(j, P), mod(j, P)
            under = case.division(j, P)
            top_ = case.division(D, P)
            case.have(conj(low >= 0, low < P), under, P >= 1)
            case.have(eq(D, P * m), top_, P >= 1, eq(mod(D, P), 0))
            case.use("euclid.bounds", x=j, b=P, n=m)
            case.use("euclid.product-positive", x=P, y=m - 1 - e)
            case.have(eq(P * (m - 1 - e), P * m - P - P * e))
            case.have(eq(j, P * e + low), under, P >= 1)
        for side in case.cases(in_bounds(a, _next), disj(a < 0, a >= size(_next))):
            if side.is_first:
                side.use("necessity.parts", R=one(S, D), c=a)
                b, q = mod(a, size(A)), div(a, size(A))
                side.unfold(value(one(S, D), q))
                side.at(_POSITIVE, b)
                side.use("euclid.product-positive", x=D, y=q)
                side.use("euclid.product-positive", x=D, y=S - 1 - q)
                side.have(eq(D * (S - 1 - q), D * S - D - D * q))
                side.have(value(_next, a) >= 0)
                if case.is_first:
                    side.at(_WITHIN, b, low)
                    side.have(value(A, b) + j < D)
                    side.have(value(_next, a) + j < D * S)
            side.done()


s0, d0 = ints("s0 d0")


@theorem(
    "necessity.regroup",
    "((A, s:d), T) = (A, (s:d, T)) as lists of modes.",
    given=(A, s0, d0, R),
    hypotheses=(s0 >= 1,),
    conclusion=eq(cat(cat(A, one(s0, d0)), R), cat(A, cons(s0, d0, R))),
    instance=lambda rng: _draw(rng) | {"s0": rng.randint(1, 3), "d0": rng.randint(-3, 9)},
    mutants=(
        Mutant("the other way round", conclusion=eq(cat(cat(A, one(s0, d0)), R), cat(R, cons(s0, d0, A)))),
        Mutant("mode in front", conclusion=eq(cat(cat(one(s0, d0), A), R), cat(A, cons(s0, d0, R)))),
        Mutant("mode dropped", conclusion=eq(cat(cat(A, one(s0, d0)), R), cat(A, R))),
    ),
)
def regroup(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(cat(one(s, d), one(s0, d0)), cat(cons(s, d, one(s0, d0)), R), cat(one(s0, d0), R))
        p.unfold(cat(one(s, d), cons(s0, d0, R)))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(cat(cons(s, d, T), one(s0, d0)), cat(cons(s, d, cat(T, one(s0, d0))), R))
        p.unfold(cat(cons(s, d, T), cons(s0, d0, R)))
        p.ih()
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "necessity.chain-after",
    "Where J tiles with (A, R) and A forms a chain with top P, the modes of R go on with the chain.",
    given=_GIVEN,
    hypotheses=_ALL,
    conclusion=chain(R, P),
    instance=_draw,
    mutants=(_UNTILED, _UNREACHED, Mutant("from 2·P on", conclusion=chain(R, 2 * P))),
    source="ours, after de Bruijn",
)
def chain_after(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        M = one(s, d)
        p.unfold(chain(M, P), head_stride(M), ascending(M, lo))
        p.use("necessity.step", R=M)
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        M, B = cons(s, d, T), cat(A, one(s, d))
        before, after = cat(A, M), cat(B, T)
        p.unfold(chain(M, P), head_stride(M), head_size(M), ascending(M, lo))
        p.use("necessity.step", R=M)
        p.use("necessity.regroup", s0=s, d0=d, R=T)
        p.have(eq(after, before))
        reached, sums = _tiles(before)

        def same_reached(q: Proof, x: Term) -> None:
            q.suppose()
            q.at(reached, x)
            q.done()

        def same_sums(q: Proof, c: Term, j: Term) -> None:
            q.at(sums, c, j)
            q.done()

        reached_after, sums_after = _tiles(after)
        p.every(reached_after, same_reached)
        p.every(sums_after, same_sums)
        below, beyond, within, positive = _known(B, s * d, size(A) * (s - 1))

        def known(q: Proof, a: Term | int, j: Term | int) -> None:
            q.use("necessity.invariants", R=M, a=a, j=j)
            q.have(eq(cat(A, one(head_size(M), head_stride(M))), B))

        def is_below(q: Proof, t: Term) -> None:
            q.suppose()
            known(q, 0, 0)
            q.have(eq(head_stride(M) * head_size(M), s * d))
            q.use("necessity.reach", R=M, t=t)
            q.have(eq(size(A) * head_size(M), size(B)))
            q.done()

        def is_beyond(q: Proof, j: Term) -> None:
            known(q, 0, j)
            q.have(eq(head_stride(M) * head_size(M), s * d))
            q.have(eq(size(A) * (head_size(M) - 1), size(A) * (s - 1)))
            q.done()

        def is_within(q: Proof, a: Term, j: Term) -> None:
            known(q, a, j)
            q.have(eq(head_stride(M) * head_size(M), s * d))
            q.done()

        def is_positive(q: Proof, a: Term) -> None:
            known(q, a, 0)
            q.done()

        p.every(below, is_below)
        p.every(beyond, is_beyond)
        p.every(within, is_within)
        p.every(positive, is_positive)
        known(p, 0, 0)
        p.have(eq(size(A) * (head_size(M) - 1), size(A) * (s - 1)))
        p.have(in_bounds(size(A) * (s - 1), B))
        p.use("euclid.product-positive", x=s, y=d)
        p.ih(A=B, P=s * d, z=size(A) * (s - 1), lo=d)
        p.done()

    p.induction(R, MODES, base, step)


@theorem(
    "complement.necessary",
    "If any set of offsets tiles Z_N with L, its modes of size ≥ 2 in ascending order, then they form a divisor chain.",
    given=(J, at, R, N),
    hypotheses=(N >= 1, ascending(R, 1), *_tiles(R)),
    conclusion=chain(R, 1),
    instance=lambda rng: (lambda e: e | {"R": (*(m for m in e["A"] if m[0] > 1), *e["R"])})(_draw(rng)),
    mutants=(
        Mutant(
            "no tiling",
            hypotheses=(N >= 1, ascending(R, 1)),
            instance=lambda rng: _broken(rng) | {"R": ((2, 1), (2, rng.randint(2, 5)))},
        ),
        Mutant(
            "holes",
            hypotheses=(N >= 1, ascending(R, 1), _tiles(R)[1]),
            instance=lambda rng: (
                _broken(rng) | {"R": ((2, 1), (2, 3)), "N": 5, "at": lambda v: {0: 0, 1: 1, 3: 2, 4: 3}.get(v, 0)}
            ),
        ),
        Mutant("from 2 on", conclusion=chain(R, 2)),
    ),
    source="ours, after de Bruijn; paper §3.5",
)
def necessary(p: Proof) -> None:
    E = one(1, 0)
    whole = cat(E, R)
    reached, sums = _tiles(R)
    p.unfold(cat(E, R), size(E))
    p.use("modes.size-positive", A=R)
    p.use("modes.zero", A=R)
    p.at(reached, 0)
    p.use("necessity.least", lo=1, j=at(0))
    p.at(sums, at(0), 0 - value(R, at(0)))
    p.have(eq(0 - value(R, at(0)), 0))
    p.have(J(0))
    p.at(sums, 0, 0)
    p.have(eq(at(0), 0))

    def same(q: Proof, c: Term) -> None:
        q.use("coalesce.size-one", d=0, A=R, x=c)
        q.have(eq(value(whole, c), value(R, c)))
        q.have(eq(size(whole), size(R)))

    def same_reached(q: Proof, x: Term) -> None:
        q.suppose()
        q.at(reached, x)
        same(q, at(x))
        q.have(eq(x - value(whole, at(x)), x - value(R, at(x))))
        q.done()

    def same_sums(q: Proof, c: Term, j: Term) -> None:
        q.at(sums, c, j)
        same(q, c)
        q.have(eq(value(whole, c) + j, value(R, c) + j))
        q.done()

    reached_after, sums_after = _tiles(whole)
    p.every(reached_after, same_reached)
    p.every(sums_after, same_sums)
    below, beyond, within, positive = _known(E, as_term(1), as_term(0))

    def at_origin(q: Proof, t: Term) -> None:
        q.suppose()
        q.have(eq(t, 0))
        q.done()

    def is_within(q: Proof, a: Term, j: Term) -> None:
        q.unfold(value(E, a))
        q.done()

    def is_positive(q: Proof, a: Term) -> None:
        q.unfold(value(E, a))
        q.done()

    p.every(below, at_origin)
    p.every(beyond, lambda q, j: q.done())
    p.every(within, is_within)
    p.every(positive, is_positive)
    p.use("necessity.chain-after", A=E, P=1, z=0, lo=1)
    p.done()
