"""Inverses (paper §3.4.1, §3.4.3): the right one of a sorted layout is the largest; a left one from a divisor chain."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import BOOL, INT, Function, Term, conj, disj, div, eq, implies, ints, mod, ne, neg
from ..language import Instance, Mutant, Recursive, every, theorem
from ..rules import Proof
from .carry import compact
from .complement import chain, complement, number, top
from .complement import left as left_of
from .complement import right as right_of
from .instances import as_layout, merged, modes, numbers, total
from .instances import chain as random_chain
from .modes import MODES, A, B, cat, cons, in_bounds, one, size, value

c, i, j, k, w, x, n, m, lo, p_, P = ints("c i j k w x n m lo p P")

above: Recursive = Recursive(  # every stride is more than lo
    "above",
    MODES,
    base=lambda s, d, lo: d > lo,
    step=lambda s, d, T, lo: conj(d > lo, above(T, lo)),
    parameters={"lo": INT},
    result=BOOL,
)


@theorem(
    "inverse.compact",
    "Modes that continue one another from stride w on are multiplication by w, at every integer.",
    given=(A, w, x),
    hypotheses=(),
    conclusion=conj(eq(value(compact(A, w), x), w * x), eq(size(compact(A, w)), size(A))),
    instance=merged(numbers(w=(-5, 9), x=(-40, 90)), A=modes),
    mutants=(
        Mutant("any layout", conclusion=eq(value(A, x), w * x)),
        Mutant("w + 1", conclusion=eq(value(compact(A, w), x), (w + 1) * x)),
        Mutant("w + x", conclusion=eq(value(compact(A, w), x), w + x)),
    ),
)
def compact_is_scaling(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(compact(one(s, d), w), value(one(s, w), x), size(one(s, w)), size(one(s, d)))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        M = cons(s, w, compact(T, s * w))
        p.unfold(compact(cons(s, d, T), w), value(M, x), size(M), size(cons(s, d, T)))
        p.ih(w=s * w, x=div(x, s))
        division = p.division(x, s)
        p.have(eq(w * x, w * (s * div(x, s) + mod(x, s))), division, s >= 1)
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "inverse.above",
    "Where every stride is more than lo ≥ 0, every offset at a coordinate ≥ 1 is more than lo, and none is negative.",
    given=(A, lo, j),
    hypotheses=(lo >= 0, above(A, lo), j >= 0),
    conclusion=conj(value(A, j) >= 0, implies(j >= 1, value(A, j) > lo)),
    instance=merged(numbers(lo=(-2, 5), j=(-2, 40)), A=lambda g: modes(g, 3, 4, 0, 12)),
    mutants=(
        Mutant("strides at least lo", hypotheses=(lo >= 0, j >= 0, above(A, lo - 1))),
        Mutant("at coordinate 0", conclusion=value(A, j) > lo),
        Mutant("negative coordinates", hypotheses=(lo >= 0, above(A, lo))),
    ),
)
def above_lemma(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(above(one(s, d), lo), value(one(s, d), j))
        p.use("euclid.product-positive", x=d, y=j)
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(above(cons(s, d, T), lo), value(cons(s, d, T), j))
        p.use("euclid.bounds", x=j, b=s, n=0)
        p.ih(j=div(j, s))
        p.division(j, s)
        p.use("euclid.product-positive", x=d, y=mod(j, s))
        for case in p.cases(mod(j, s) >= 1, conj(eq(mod(j, s), 0), div(j, s) >= 1), eq(j, 0)):
            case.done()

    p.induction(A, MODES, base, step)


_sorted = cat(compact(A, 1), B)


@theorem(
    "inverse.right",
    "L = (C, T) with C compact and every stride of T more than |C|: |C|:1 is a right inverse, L(k) = k for k < "
    "|C|, and the "
    "largest: no index ≥ 0 has the offset |C|.",
    given=(A, B, k, x),
    hypotheses=(above(B, size(A)), k >= 0, k < size(A), x >= 0),
    conclusion=conj(eq(value(_sorted, k), k), ne(value(_sorted, x), size(A)), eq(value(one(size(A), 1), k), k)),
    instance=merged(numbers(k=(-1, 9), x=(-2, 90)), A=lambda g: modes(g, 2, 3), B=lambda g: modes(g, 2, 4, 0, 24)),
    mutants=(
        Mutant("strides of T unknown", hypotheses=(k >= 0, k < size(A), x >= 0)),
        Mutant("strides of |C| allowed", hypotheses=(above(B, size(A) - 1), k >= 0, k < size(A), x >= 0)),
        Mutant("|C| reached", conclusion=ne(value(_sorted, x), size(A) - 1)),
    ),
    source="paper §3.4.1",
)
def right_inverse(p: Proof) -> None:
    C = compact(A, 1)
    p.use("inverse.compact", w=1, x=k)
    p.use("inverse.compact", w=1, x=mod(x, size(A)))
    p.use("modes.size-positive")
    p.use("modes.zero", A=B)
    p.use("modes.concatenation", A=C, i=k, j=0)
    p.have(eq(value(_sorted, k), k))
    division = p.division(x, size(A))
    a, q = mod(x, size(A)), div(x, size(A))
    p.use("modes.concatenation", A=C, i=a, j=q)
    p.use("euclid.bounds", b=size(A), n=0)
    p.use("inverse.above", A=B, lo=size(A), j=q)
    p.have(eq(a + size(A) * q, x), division, size(A) >= 1)
    p.have(eq(size(C) * q, size(A) * q))
    p.have(eq(value(_sorted, x), a + value(B, q)))
    p.unfold(value(one(size(A), 1), k))
    for case in p.cases(q >= 1, eq(q, 0)):
        case.done()


f, r = Function("f", (INT,), INT), Function("r", (INT,), INT)


@theorem(
    "inverse.right-size",
    "No right inverse is longer than the image goes without a gap: where no index of Z_n has the offset m, "
    "f(r(k)) = k on "
    "Z_s with r into Z_n makes s ≤ m; and r is injective.",
    given=(f, r, n, m, k, i, j),
    hypotheses=(
        every(i, 0, n, ne(f(i), m)),
        every(i, 0, k, conj(r(i) >= 0, r(i) < n, eq(f(r(i)), i))),
        m >= 0,
    ),
    conclusion=conj(
        k <= m,
        implies(conj(i >= 0, i < k, j >= 0, j < k, eq(r(i), r(j))), eq(i, j)),
    ),
    instance=lambda rng: (
        lambda a, n: {
            "f": as_layout(a),
            "n": n,
            "m": rng.randint(0, 6),
            "k": rng.randint(0, 4),
            "i": rng.randint(0, 4),
            "j": rng.randint(0, 4),
            "r": lambda v: next((q for q in range(n) if as_layout(a)(q) == v), -1),
        }
    )(a := modes(rng, 2, 3, 1, 3), total(a)),
    mutants=(
        Mutant("m may be reached", hypotheses=(every(i, 0, k, conj(r(i) >= 0, r(i) < n, eq(f(r(i)), i))), m >= 0)),
        Mutant(
            "r may leave Z_n",
            hypotheses=(every(i, 0, n, ne(f(i), m)), every(i, 0, k, eq(f(r(i)), i)), m >= 0),
            instance=lambda rng: {
                "f": lambda v: v,
                "r": lambda v: v,
                "n": 2,
                "m": 2,
                "k": rng.randint(0, 5),
                "i": 0,
                "j": 0,
            },
        ),
        Mutant("strictly", conclusion=k < m),
    ),
    source="paper §3.4.1",
)
def right_size(p: Proof) -> None:
    missing, law = p.theorem.hypotheses[:2]
    p.at(law, m)
    p.at(missing, r(m))
    p.at(law, i)
    p.at(law, j)
    p.done()


left_inverse: Recursive = Recursive(
    "left_inverse",
    MODES,
    base=lambda s, d, p, w: cons(div(d, p), 0, one(s, w)),
    step=lambda s, d, T, p, w: cons(div(d, p), 0, cons(s, w, left_inverse(T, s * d, w * s))),
    parameters={"p": INT, "w": INT},
    result="Modes",
)


def _draw(rng: Random) -> Instance:
    p = rng.choice([1, 1, 2])
    a = random_chain(rng, 3, p) if rng.random() < 0.85 else modes(rng, 2, 3, 1, 6)
    return {
        "A": a,
        "p": p,
        "w": rng.randint(-3, 5),
        "c": rng.randint(0, total(a) - 1) if rng.random() < 0.9 else total(a) + 1,
    }


@theorem(
    "inverse.left-number",
    "From the number that L(c) is in units of p, the left inverse with weight w reads w·c.",
    given=(A, p_, w, c),
    hypotheses=(p_ >= 1, chain(A, p_), in_bounds(c, A)),
    conclusion=eq(value(left_inverse(A, p_, w), number(A, p_, c, 0)), w * c),
    instance=_draw,
    mutants=(
        Mutant("w left out", conclusion=eq(value(left_inverse(A, p_, w), number(A, p_, c, 0)), c)),
        Mutant("the offset for the number", conclusion=eq(value(left_inverse(A, p_, w), value(A, c)), w * c)),
        Mutant("gaps kept", conclusion=eq(value(left_inverse(A, 1, w), number(A, p_, c, 0)), w * c)),
    ),
)
def left_number(p: Proof) -> None:
    def gap(p: Proof, d: Term) -> Term:
        g = div(d, p_)
        p.division(d, p_)
        p.have(g >= 1)
        p.use("euclid.small", x=0, b=g)
        return g

    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(chain(L, p_), size(L), number(L, p_, c, 0), left_inverse(L, p_, w))
        g = gap(p, d)
        p.have(eq(number(L, p_, c, 0), 0 + g * c))
        p.use("modes.first-digit", s=g, d=0, A=one(s, w), i=0, j=c)
        p.unfold(value(one(s, w), c))
        p.have(eq(value(left_inverse(L, p_, w), number(L, p_, c, 0)), w * c))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        a, q = mod(c, s), div(c, s)
        p.unfold(chain(L, p_), number(L, p_, c, 0), left_inverse(L, p_, w))
        g = gap(p, d)
        p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=c)
        p.use("euclid.product-positive", x=s, y=d)
        p.ih(p=s * d, w=w * s, c=q)
        rest, n = left_inverse(T, s * d, w * s), number(T, s * d, q, 0)
        division = p.division(c, s)
        p.have(eq(number(L, p_, c, 0), g * (a + s * n)))
        p.use("modes.first-digit", s=g, d=0, A=cons(s, w, rest), i=0, j=a + s * n)
        p.use("modes.first-digit", s=s, d=w, A=rest, i=a, j=n)
        p.have(eq(w * c, w * (s * q + a)), division, s >= 1)
        p.have(eq(value(left_inverse(L, p_, w), number(L, p_, c, 0)), w * a + (w * s) * q))
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "inverse.left",
    "Where L is sorted and its modes form a divisor chain, (g₀,s₀,g₁,s₁,…):(0,1,0,s₀,…) with the gaps g is a left "
    "inverse: L†(L(c)) = c on Z_|L|, hence L(L†(L(c))) = L(c).",
    given=(A, c),
    hypotheses=(chain(A, 1), in_bounds(c, A)),
    conclusion=conj(
        eq(value(left_inverse(A, 1, 1), value(A, c)), c),
        eq(value(A, value(left_inverse(A, 1, 1), value(A, c))), value(A, c)),
    ),
    instance=_draw,
    mutants=(
        Mutant("without the chain", hypotheses=(in_bounds(c, A),)),
        Mutant("a right inverse too", conclusion=eq(value(A, value(left_inverse(A, 1, 1), c)), c)),
        Mutant("weights from 2", conclusion=eq(value(left_inverse(A, 1, 2), value(A, c)), c)),
    ),
    source="paper §3.4.3",
)
def left(p: Proof) -> None:
    p.use("complement.number", p=1, u=1, e=0)
    p.use("modes.zero", A=complement(A, 1, 1))
    p.use("inverse.left-number", p=1, w=1)
    p.have(eq(value(A, c), number(A, 1, c, 0)))
    p.have(eq(value(left_inverse(A, 1, 1), value(A, c)), c))
    p.done()


b, t = Function("b", (INT,), INT), Function("t", (INT,), INT)


@theorem(
    "inverse.generalised",
    "Where B★ is a bijection of Z_n and B⁺ its inverse, B★B⁺B★ = B★ and B⁺B★B⁺ = B⁺; where B⁺ is only a right "
    "inverse on the "
    "image's full size, both hold as well.",
    given=(b, t, n, m, i, k),
    hypotheses=(
        every(k, 0, m, conj(t(k) >= 0, t(k) < n, eq(b(t(k)), k))),
        every(k, 0, n, conj(b(k) >= 0, b(k) < m)),
        i >= 0,
    ),
    conclusion=conj(implies(i < n, eq(b(t(b(i))), b(i))), implies(i < m, eq(t(b(t(i))), t(i)))),
    instance=lambda rng: (
        lambda n, m: {
            "n": n,
            "m": m,
            "b": lambda v: v % m,
            "t": lambda v: v,
            "i": rng.randint(-1, 9),
            "k": 0,
        }
    )(rng.randint(1, 8), rng.randint(1, 8)),
    mutants=(
        Mutant(
            "t is no right inverse",
            hypotheses=(every(k, 0, n, conj(b(k) >= 0, b(k) < m)), i >= 0),
            instance=lambda rng: {
                "n": 2,
                "m": 2,
                "b": lambda v: v,
                "t": lambda v: 1 - v if v in (0, 1) else v,
                "i": 0,
                "k": 0,
            },
        ),
        Mutant(
            "image larger than m",
            hypotheses=(every(k, 0, m, conj(t(k) >= 0, t(k) < n, eq(b(t(k)), k))), i >= 0),
            instance=lambda rng: {"n": 3, "m": 1, "b": lambda v: v, "t": lambda v: 0, "i": 2, "k": 0},
        ),
        Mutant("a left inverse too", conclusion=implies(i < n, eq(t(b(i)), i))),
    ),
    source="paper §3.5.2, [31]",
)
def generalised(p: Proof) -> None:
    right, image = p.theorem.hypotheses[:2]
    p.at(right, i)
    p.at(image, i)
    p.at(right, b(i))
    p.done()


# The inverse of (L, L*) as a layout: the digits of a number lead to those of c and of e, c with weight w, e with v.
completed: Recursive = Recursive(
    "completed",
    MODES,
    base=lambda s, d, p, u, w, v: cons(div(d, p), v, cons(s, w, one(u, v * div(d, p)))),
    step=lambda s, d, T, p, u, w, v: cons(div(d, p), v, cons(s, w, completed(T, s * d, u, w * s, v * div(d, p)))),
    parameters={"p": INT, "u": INT, "w": INT, "v": INT},
    result="Modes",
)
u, v, y, e = ints("u v y e")


def _completed_draw(rng: Random) -> Instance:
    i = _draw(rng)
    reach = i["A"][-1][0] * i["A"][-1][1]
    return i | {
        "u": rng.randint(1, 3),
        "v": rng.randint(-3, 5),
        "y": rng.randint(-20, 90),
        "x": rng.randint(-2, max(3 * reach, 2)),
        "e": rng.randint(0, 6) if rng.random() < 0.9 else -1,
    }


@theorem(
    "inverse.completed-digits",
    "The modes (g₀,s₀,g₁,s₁,…,u):(v,w,v·g₀,w·s₀,…) read, at every integer y, w times the coordinate of L and v times "
    "that of L* which y stands for.",
    given=(A, p_, u, w, v, y),
    hypotheses=(p_ >= 1, u >= 1, chain(A, p_)),
    conclusion=eq(value(completed(A, p_, u, w, v), y), w * left_of(A, p_, y) + v * right_of(A, p_, y)),
    instance=_completed_draw,
    mutants=(
        Mutant(
            "the weight of L* from 1",
            conclusion=eq(value(completed(A, p_, u, w, 1), y), w * left_of(A, p_, y) + v * right_of(A, p_, y)),
        ),
        Mutant(
            "the weights swapped",
            conclusion=eq(value(completed(A, p_, u, w, v), y), v * left_of(A, p_, y) + w * right_of(A, p_, y)),
        ),
        Mutant("L alone", conclusion=eq(value(completed(A, p_, u, w, v), y), w * left_of(A, p_, y))),
    ),
)
def completed_digits(p: Proof) -> None:
    def digits(p: Proof, s: Term, d: Term, rest: Term) -> tuple[Term, Term, Term]:
        """g, y mod g and the digit of s, with the value of (g:v, s:w, rest) at y spelt out."""
        g = div(d, p_)
        p.division(d, p_)
        p.have(g >= 1)
        h = div(y, g)
        M = cons(s, w, rest)
        p.unfold(value(cons(g, v, M), y), value(M, h))
        return g, h, M

    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(chain(L, p_), completed(L, p_, u, w, v), left_of(L, p_, y), right_of(L, p_, y))
        g, h, _ = digits(p, s, d, one(u, v * div(d, p_)))
        q = div(h, s)
        p.unfold(value(one(u, v * g), q))
        p.algebra((v * g) * q, v * (g * q))
        p.algebra(v * (mod(y, g) + g * q), v * mod(y, g) + v * (g * q))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(chain(L, p_), completed(L, p_, u, w, v), left_of(L, p_, y), right_of(L, p_, y))
        g, h, _ = digits(p, s, d, completed(T, s * d, u, w * s, v * div(d, p_)))
        q = div(h, s)
        p.use("euclid.product-positive", x=s, y=d)
        p.ih(p=s * d, w=w * s, v=v * g, y=q)
        a, b = left_of(T, s * d, q), right_of(T, s * d, q)
        p.algebra(w * (mod(h, s) + s * a), w * mod(h, s) + (w * s) * a)
        p.algebra(v * (mod(y, g) + g * b), v * mod(y, g) + (v * g) * b)
        p.done()

    p.induction(A, MODES, base, step)


_star = complement(A, 1, u)
_pair = cat(A, _star)
_back = completed(A, 1, u, 1, size(A))


@theorem(
    "inverse.completed",
    "Where L is sorted and its modes form a divisor chain, (L, L*) is a bijection of Z_(u·top) whose inverse is a "
    "layout, (g₀,s₀,g₁,s₁,…,u):(|L|,1,|L|g₀,s₀,…): each undoes the other, past the end too where c is in bounds.",
    given=(A, u, x, c, e),
    hypotheses=(u >= 1, chain(A, 1)),
    conclusion=conj(
        implies(
            conj(x >= 0, x < u * top(A)),
            conj(in_bounds(value(_back, x), _pair), eq(value(_pair, value(_back, x)), x)),
        ),
        implies(in_bounds(c, A), eq(value(_back, value(_pair, c + size(A) * e)), c + size(A) * e)),
    ),
    instance=_completed_draw,
    mutants=(
        Mutant("without the chain", hypotheses=(u >= 1,)),
        Mutant("at every x", conclusion=in_bounds(value(_back, x), _pair)),
        Mutant(
            "L* first",
            conclusion=implies(
                in_bounds(c, A),
                eq(value(completed(A, 1, u, size(_star), 1), value(_pair, c + size(A) * e)), c + size(A) * e),
            ),
        ),
    ),
    source="paper §3.5.2, [31]",
)
def completed_inverse(p: Proof) -> None:
    a, b = left_of(A, 1, x), right_of(A, 1, x)
    p.use("modes.size-positive")
    p.use("complement.bijection")
    p.use("inverse.completed-digits", p=1, w=1, v=size(A), y=x)
    p.have(eq(value(_back, x), a + size(A) * b))
    for case in p.cases(conj(x >= 0, x < u * top(A)), disj(x < 0, x >= u * top(A))):
        if case.is_first:
            case.use("modes.concatenation", B=_star, i=a, j=b)
            case.have(eq(value(_pair, value(_back, x)), x))
            case.use("euclid.product-positive", x=size(A), y=b)
            case.use("euclid.product-positive", x=size(A), y=size(_star) - 1 - b)
            case.algebra(size(A) * (size(_star) - 1 - b), size(A) * size(_star) - size(A) - size(A) * b)
            case.have(in_bounds(value(_back, x), _pair))
        for inner in case.cases(in_bounds(c, A), neg(in_bounds(c, A))):
            if inner.is_first:
                at = value(A, c) + value(_star, e)
                inner.use("modes.concatenation", B=_star, i=c, j=e)
                inner.use("complement.bijection", x=at)
                inner.use("inverse.completed-digits", p=1, w=1, v=size(A), y=at)
                inner.have(eq(value(_back, at), left_of(A, 1, at) + size(A) * right_of(A, 1, at)))
                inner.have(eq(value(_back, value(_pair, c + size(A) * e)), c + size(A) * e))
            inner.done()


source = Function("source", (INT,), INT)


@theorem(
    "inverse.generalised-only",
    "The other way: where B★ takes Z_n onto Z_m (k is its value at source(k)), any B⁺ with B★B⁺B★ = B★ on Z_n is a "
    "right inverse of full size, B★(B⁺(k)) = k for every k of Z_m. So a layout is a reflexive generalised inverse only "
    "where it is a right inverse of size m, and by inverse.generalised it is one there.",
    given=(b, t, source, n, m, i, k, x),
    hypotheses=(
        every(k, 0, m, conj(source(k) >= 0, source(k) < n, eq(b(source(k)), k))),
        every(i, 0, n, eq(b(t(b(i))), b(i))),
        x >= 0,
        x < m,
    ),
    conclusion=eq(b(t(x)), x),
    instance=lambda rng: (
        lambda n, m: {
            "n": n,
            "m": m,
            "b": lambda v: v % m,
            "t": lambda v: v + m * (v % 2) if v + m < n else v,
            "source": lambda v: v,
            "x": rng.randint(-1, 8),
            "i": 0,
            "k": 0,
        }
    )(rng.randint(4, 9), rng.randint(1, 5)),
    mutants=(
        Mutant(
            "not onto",
            hypotheses=(every(i, 0, n, eq(b(t(b(i))), b(i))), x >= 0, x < m),
            instance=lambda rng: {
                "n": 2,
                "m": 4,
                "b": lambda v: 2 * v if v in (0, 1) else 0,
                "t": lambda v: v // 2,
                "source": lambda v: v,
                "x": 1,
                "i": 0,
                "k": 0,
            },
        ),
        Mutant(
            "B⁺ unknown",
            hypotheses=(every(k, 0, m, conj(source(k) >= 0, source(k) < n, eq(b(source(k)), k))), x >= 0, x < m),
            instance=lambda rng: {
                "n": 2,
                "m": 2,
                "b": lambda v: v,
                "t": lambda v: 0,
                "source": lambda v: v,
                "x": 1,
                "i": 0,
                "k": 0,
            },
        ),
        Mutant("a left inverse too", conclusion=eq(t(b(x)), x)),
    ),
    source="paper §3.5.2, [31]",
)
def generalised_only(p: Proof) -> None:
    onto, law = p.theorem.hypotheses[:2]
    p.at(onto, x)
    p.at(law, source(x))
    p.done()
