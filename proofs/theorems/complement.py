"""The complement (paper §3.5): where the sorted modes form a divisor chain, L and L* read the digits of one number.

With prefix p the modes s:d of L, d = p·g, leave gaps of g; L* fills them by g:p, and the last mode of L*, u:top with
top = s·d of the last mode of L, repeats the whole u times. At p = 1 the pair (L, L*) is a bijection onto Z_(u·top).
"""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import BOOL, INT, Function, Term, as_term, conj, disj, div, eq, iff, implies, ints, mod, neg
from ..language import All, Instance, Mutant, Recursive, always, every, theorem
from ..rules import Proof
from .instances import as_layout, modes, small_chain, total
from .instances import chain as random_chain
from .modes import MODES, A, cons, in_bounds, one, size, value

p_, u, c, e, y, x, N = ints("p u c e y x N")

chain: Recursive = Recursive(  # every stride is positive and a multiple of what the modes before it reach
    "chain",
    MODES,
    base=lambda s, d, p: conj(d >= 1, eq(mod(d, p), 0)),
    step=lambda s, d, T, p: conj(d >= 1, eq(mod(d, p), 0), chain(T, s * d)),
    parameters={"p": INT},
    result=BOOL,
)
top: Recursive = Recursive("top", MODES, base=lambda s, d: s * d, step=lambda s, d, T: top(T))
complement: Recursive = Recursive(
    "complement",
    MODES,
    base=lambda s, d, p, u: cons(div(d, p), p, one(u, s * d)),
    step=lambda s, d, T, p, u: cons(div(d, p), p, complement(T, s * d, u)),
    parameters={"p": INT, "u": INT},
    result="Modes",
)
# The number that the coordinates c of L and e of L* stand for, in units of p; and the coordinates of a number.
number: Recursive = Recursive(
    "number",
    MODES,
    base=lambda s, d, p, c, e: mod(e, div(d, p)) + div(d, p) * (c + s * div(e, div(d, p))),
    step=lambda s, d, T, p, c, e: (
        mod(e, div(d, p)) + div(d, p) * (mod(c, s) + s * number(T, s * d, div(c, s), div(e, div(d, p))))
    ),
    parameters={"p": INT, "c": INT, "e": INT},
)
left: Recursive = Recursive(
    "left",
    MODES,
    base=lambda s, d, p, y: mod(div(y, div(d, p)), s),
    step=lambda s, d, T, p, y: mod(div(y, div(d, p)), s) + s * left(T, s * d, div(div(y, div(d, p)), s)),
    parameters={"p": INT, "y": INT},
)
right: Recursive = Recursive(
    "right",
    MODES,
    base=lambda s, d, p, y: mod(y, div(d, p)) + div(d, p) * div(div(y, div(d, p)), s),
    step=lambda s, d, T, p, y: mod(y, div(d, p)) + div(d, p) * right(T, s * d, div(div(y, div(d, p)), s)),
    parameters={"p": INT, "y": INT},
)


def _chains(rng: Random) -> Instance:
    p = rng.choice([1, 1, 2, 3])
    a = random_chain(rng, 3, p) if rng.random() < 0.9 else modes(rng, 2, 3, 0, 9)
    return {
        "A": a,
        "p": p,
        "u": rng.randint(1, 3),
        "c": rng.randint(0, total(a) - 1) if rng.random() < 0.9 else rng.randint(-2, 12),
        "e": rng.randint(-3, 20),
        "y": rng.randint(-5, 90),
        "x": rng.randint(-2, 60),
    }


def _gap(p: Proof, s: Term, d: Term, prefix: Term) -> Term:
    """d = p·g with g ≥ 1, from the chain; and s·d ≥ 1."""
    g = div(d, prefix)
    division = p.division(d, prefix)
    p.have(eq(mod(d, prefix), 0))
    p.have(eq(d, prefix * g), division, eq(mod(d, prefix), 0), prefix >= 1)
    p.have(g >= 1)
    p.use("euclid.product-positive", x=s, y=d)
    p.have(s * d >= 1)
    return g


_CHAIN = (p_ >= 1, u >= 1, chain(A, p_))


@theorem(
    "complement.number",
    "A coordinate of L and one of L* add up to p times a number from which both are read back: (L, L*) is "
    "injective, with L* at every integer.",
    given=(A, p_, u, c, e),
    hypotheses=(*_CHAIN, in_bounds(c, A)),
    conclusion=conj(
        eq(value(A, c) + value(complement(A, p_, u), e), p_ * number(A, p_, c, e)),
        eq(left(A, p_, number(A, p_, c, e)), c),
        eq(right(A, p_, number(A, p_, c, e)), e),
    ),
    instance=_chains,
    mutants=(
        Mutant("without the chain", hypotheses=(p_ >= 1, u >= 1, in_bounds(c, A))),
        Mutant("c out of bounds", hypotheses=_CHAIN),
        Mutant(
            "gaps from another prefix",
            conclusion=eq(value(A, c) + value(complement(A, 1, u), e), p_ * number(A, p_, c, e)),
        ),
    ),
    source="paper §3.5, [28]",
)
def one_to_one(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(chain(L, p_), complement(L, p_, u), size(L), value(L, c), number(L, p_, c, e))
        g = _gap(p, s, d, p_)
        b, h = mod(e, g), div(e, g)
        p.unfold(value(cons(g, p_, one(u, s * d)), e), value(one(u, s * d), h))
        n = number(L, p_, c, e)
        p.unfold(left(L, p_, n), right(L, p_, n))
        division = p.division(e, g)
        p.use("euclid.digits", x=b, b=g, k=c + s * h)
        p.use("euclid.digits", x=c, b=s, k=h)
        p.have(eq(e, g * h + b), division, g >= 1)
        p.have(eq(div(n, g), c + s * h))
        p.have(eq(mod(n, g), b))
        p.have(eq(left(L, p_, n), c))
        p.have(eq(right(L, p_, n), e))
        p.have(eq(d * c, (p_ * g) * c))
        p.have(eq((s * d) * h, (s * (p_ * g)) * h))
        p.have(eq(value(L, c) + value(complement(L, p_, u), e), d * c + p_ * b + (s * d) * h))
        p.have(eq(p_ * n, p_ * (b + g * (c + s * h))))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(chain(L, p_), complement(L, p_, u), value(L, c), number(L, p_, c, e))
        g = _gap(p, s, d, p_)
        a, i, b, h = mod(c, s), div(c, s), mod(e, g), div(e, g)
        p.unfold(value(cons(g, p_, complement(T, s * d, u)), e))
        n, m = number(L, p_, c, e), number(T, s * d, i, h)
        p.unfold(left(L, p_, n), right(L, p_, n))
        over = p.division(e, g)
        under = p.division(c, s)
        p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=c)
        p.ih(p=s * d, c=i, e=h)
        p.use("euclid.digits", x=b, b=g, k=a + s * m)
        p.use("euclid.digits", x=a, b=s, k=m)
        p.have(eq(e, g * h + b), over, g >= 1)
        p.have(eq(c, s * i + a), under, s >= 1)
        p.have(eq(div(n, g), a + s * m))
        p.have(eq(mod(n, g), b))
        p.have(eq(left(L, p_, n), c))
        p.have(eq(right(L, p_, n), e))
        p.have(eq(d * a, (p_ * g) * a))
        p.have(eq((s * d) * m, (s * (p_ * g)) * m))
        p.have(eq(value(L, c) + value(complement(L, p_, u), e), d * a + p_ * b + (s * d) * m))
        p.have(eq(p_ * n, p_ * (b + g * (a + s * m))))
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "complement.number-positive",
    "The number of coordinates ≥ 0 is ≥ 0.",
    given=(A, p_, c, e),
    hypotheses=(p_ >= 1, chain(A, p_), c >= 0, e >= 0),
    conclusion=number(A, p_, c, e) >= 0,
    instance=_chains,
    mutants=(
        Mutant("e may be negative", hypotheses=(p_ >= 1, chain(A, p_), c >= 0)),
        Mutant("c may be negative", hypotheses=(p_ >= 1, chain(A, p_), e >= 0)),
        Mutant("positive", conclusion=number(A, p_, c, e) >= 1),
    ),
)
def number_positive(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(chain(L, p_), number(L, p_, c, e))
        g = _gap(p, s, d, p_)
        p.division(e, g)
        p.use("euclid.bounds", x=e, b=g, n=0)
        p.use("euclid.product-positive", x=s, y=div(e, g))
        p.use("euclid.product-positive", x=g, y=c + s * div(e, g))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(chain(L, p_), number(L, p_, c, e))
        g = _gap(p, s, d, p_)
        p.division(e, g)
        p.division(c, s)
        p.use("euclid.bounds", x=e, b=g, n=0)
        p.use("euclid.bounds", x=c, b=s, n=0)
        p.ih(p=s * d, c=div(c, s), e=div(e, g))
        inner = number(T, s * d, div(c, s), div(e, g))
        p.use("euclid.product-positive", x=s, y=inner)
        p.use("euclid.product-positive", x=g, y=mod(c, s) + s * inner)
        p.done()

    p.induction(A, MODES, base, step)


@theorem(
    "complement.digits",
    "Every number is read off at a coordinate of L in bounds and one of L*; its multiple of p is the sum of the "
    "two offsets.",
    given=(A, p_, u, y),
    hypotheses=_CHAIN,
    conclusion=conj(
        in_bounds(left(A, p_, y), A),
        eq(value(A, left(A, p_, y)) + value(complement(A, p_, u), right(A, p_, y)), p_ * y),
        implies(y >= 0, right(A, p_, y) >= 0),
    ),
    instance=_chains,
    mutants=(
        Mutant("without the chain", hypotheses=(p_ >= 1, u >= 1)),
        Mutant("p left out", conclusion=eq(value(A, left(A, p_, y)) + value(complement(A, p_, u), right(A, p_, y)), y)),
        Mutant("negative y", conclusion=right(A, p_, y) >= 0),
    ),
    source="paper §3.5",
)
def onto(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(chain(L, p_), complement(L, p_, u), size(L), left(L, p_, y), right(L, p_, y))
        g = _gap(p, s, d, p_)
        b, q = mod(y, g), div(y, g)
        a, h = mod(q, s), div(q, s)
        p.unfold(value(L, left(L, p_, y)), value(cons(g, p_, one(u, s * d)), b + g * h), value(one(u, s * d), h))
        first = p.division(y, g)
        second = p.division(q, s)
        p.use("euclid.digits", x=b, b=g, k=h)
        p.use("euclid.bounds", x=y, b=g, n=0)
        p.use("euclid.bounds", x=q, b=s, n=0)
        for case in p.cases(h >= 0, h < 0):
            if case.is_first:
                case.use("euclid.product-positive", x=g, y=h)
            case.have(implies(y >= 0, right(L, p_, y) >= 0))
            case.have(eq(y, g * q + b), first, g >= 1)
            case.have(eq(q, s * h + a), second, s >= 1)
            case.have(eq(y, g * (s * h + a) + b), eq(y, g * q + b), eq(q, s * h + a))
            case.have(eq(p_ * y, p_ * (g * (s * h + a) + b)))
            case.have(eq(d * a, (p_ * g) * a))
            case.have(eq((s * d) * h, (s * (p_ * g)) * h))
            case.have(eq(value(complement(L, p_, u), right(L, p_, y)), p_ * b + (s * d) * h))
            case.have(eq(value(L, left(L, p_, y)), d * a))
            case.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(chain(L, p_), complement(L, p_, u), left(L, p_, y), right(L, p_, y))
        g = _gap(p, s, d, p_)
        b, q = mod(y, g), div(y, g)
        a, h = mod(q, s), div(q, s)
        lower, higher = left(T, s * d, h), right(T, s * d, h)
        p.ih(p=s * d, y=h)
        p.unfold(value(cons(g, p_, complement(T, s * d, u)), b + g * higher))
        first = p.division(y, g)
        second = p.division(q, s)
        p.use("euclid.digits", x=b, b=g, k=higher)
        p.use("euclid.digits", x=a, b=s, k=lower)
        p.use("modes.first-digit", s=s, d=d, A=T, i=a, j=lower)
        p.use("modes.digits-in-bounds", s=s, d=d, A=T, x=a + s * lower)
        p.use("euclid.bounds", x=y, b=g, n=0)
        p.use("euclid.bounds", x=q, b=s, n=0)
        p.have(implies(y >= 0, higher >= 0))
        for case in p.cases(higher >= 0, higher < 0):
            if case.is_first:
                case.use("euclid.product-positive", x=g, y=higher)
            case.have(implies(y >= 0, right(L, p_, y) >= 0))
            case.have(eq(y, g * q + b), first, g >= 1)
            case.have(eq(q, s * h + a), second, s >= 1)
            case.have(eq(y, g * (s * h + a) + b), eq(y, g * q + b), eq(q, s * h + a))
            case.have(eq(p_ * y, p_ * (g * (s * h + a) + b)))
            case.have(eq(d * a, (p_ * g) * a))
            case.have(eq((s * d) * h, (s * (p_ * g)) * h))
            case.have(eq(value(complement(L, p_, u), right(L, p_, y)), p_ * b + value(complement(T, s * d, u), higher)))
            case.have(eq(value(L, left(L, p_, y)), d * a + value(T, lower)))
            case.done()

    p.induction(A, MODES, base, step)


@theorem(
    "complement.size",
    "|L|·|L*|·p = u·top; and a number lies below |L|·|L*| exactly where its coordinate in L* is in bounds.",
    given=(A, p_, u, y),
    hypotheses=(*_CHAIN, y >= 0),
    conclusion=conj(
        eq(p_ * (size(A) * size(complement(A, p_, u))), u * top(A)),
        iff(y < size(A) * size(complement(A, p_, u)), right(A, p_, y) < size(complement(A, p_, u))),
    ),
    instance=_chains,
    mutants=(
        Mutant("without the chain", hypotheses=(p_ >= 1, u >= 1, y >= 0)),
        Mutant("u left out", conclusion=eq(p_ * (size(A) * size(complement(A, p_, u))), top(A))),
        Mutant(
            "≤", conclusion=iff(y <= size(A) * size(complement(A, p_, u)), right(A, p_, y) < size(complement(A, p_, u)))
        ),
    ),
    source="paper §3.5",
)
def sizes(p: Proof) -> None:
    def finish(p: Proof, s: Term, d: Term, g: Term, below: Term, high: Term, rest: Term, limit: Term) -> None:
        """y < g·s·limit iff ⌊⌊y/g⌋/s⌋ < limit; and b + g·high < g·rest iff high < rest."""
        q = div(y, g)
        p.use("euclid.nested", x=y, a=g, b=s)
        p.use("euclid.bounds", x=y, b=g * s, n=limit)
        p.use("euclid.digits", x=mod(y, g), b=g, k=high)
        p.use("euclid.bounds", x=mod(y, g) + g * high, b=g, n=rest)
        p.have(eq((g * s) * limit, below))
        p.have(iff(y < below, div(q, s) < limit))

    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(chain(L, p_), complement(L, p_, u), size(L), right(L, p_, y), top(L))
        g = _gap(p, s, d, p_)
        p.unfold(size(cons(g, p_, one(u, s * d))), size(one(u, s * d)))
        p.division(y, g)
        finish(p, s, d, g, s * (g * u), div(div(y, g), s), u, u)
        p.have(eq(size(complement(L, p_, u)), g * u))
        p.have(eq(size(L) * size(complement(L, p_, u)), s * (g * u)))
        p.have(eq(p_ * (s * (g * u)), u * (s * (p_ * g))))
        p.have(eq(u * (s * d), u * (s * (p_ * g))))
        p.have(eq(p_ * (size(L) * size(complement(L, p_, u))), p_ * (s * (g * u))))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L, M = cons(s, d, T), complement(T, s * d, u)
        p.unfold(chain(L, p_), complement(L, p_, u), size(L), right(L, p_, y), top(L))
        g = _gap(p, s, d, p_)
        h = div(div(y, g), s)
        p.unfold(size(cons(g, p_, M)))
        p.division(y, g)
        p.use("euclid.bounds", x=y, b=g, n=0)
        p.use("euclid.bounds", x=div(y, g), b=s, n=0)
        p.ih(p=s * d, y=h)
        product = size(T) * size(M)
        finish(p, s, d, g, (s * size(T)) * (g * size(M)), right(T, s * d, h), size(M), product)
        p.have(eq(size(complement(L, p_, u)), g * size(M)))
        p.have(eq(size(L) * size(complement(L, p_, u)), (s * size(T)) * (g * size(M))))
        p.have(eq(p_ * ((s * size(T)) * (g * size(M))), (s * (p_ * g)) * product))
        p.have(eq((s * d) * product, (s * (p_ * g)) * product))
        p.have(eq(p_ * (size(L) * size(complement(L, p_, u))), p_ * ((s * size(T)) * (g * size(M)))))
        p.done()

    p.induction(A, MODES, base, step)


_star = complement(A, 1, u)
_SORTED = (u >= 1, chain(A, 1))


@theorem(
    "complement.bijection",
    "Where L is sorted and its modes form a divisor chain, (L, L*) is a bijection onto Z_(u·top): each x is L(c) + "
    "L*(e) for "
    "exactly one c and one e in bounds, and every such sum lies in it.",
    given=(A, u, x, c, e),
    hypotheses=_SORTED,
    conclusion=conj(
        eq(size(A) * size(_star), u * top(A)),
        implies(
            conj(x >= 0, x < u * top(A)),
            conj(
                in_bounds(left(A, 1, x), A),
                in_bounds(right(A, 1, x), _star),
                eq(value(A, left(A, 1, x)) + value(_star, right(A, 1, x)), x),
            ),
        ),
        implies(
            conj(in_bounds(c, A), eq(value(A, c) + value(_star, e), x)),
            conj(eq(c, left(A, 1, x)), eq(e, right(A, 1, x))),
        ),
        implies(
            conj(in_bounds(c, A), in_bounds(e, _star)),
            conj(value(A, c) + value(_star, e) >= 0, value(A, c) + value(_star, e) < u * top(A)),
        ),
    ),
    instance=lambda rng: (lambda i: i | {"A": i["A"] if i["p"] == 1 else ((2, 1), (2, rng.choice([2, 3, 4, 5])))})(
        _chains(rng)
    ),
    mutants=(
        Mutant("without the chain", hypotheses=(u >= 1,)),
        Mutant("onto Z_top", conclusion=eq(size(A) * size(_star), top(A))),
        Mutant("c out of bounds", conclusion=implies(eq(value(A, c) + value(_star, e), x), eq(c, left(A, 1, x)))),
    ),
    source="paper §3.5, made exact",
)
def bijection(p: Proof) -> None:
    n = number(A, 1, c, e)
    p.use("complement.digits", p=1, y=x)
    for case in p.cases(x >= 0, x < 0):
        if case.is_first:
            case.use("complement.size", p=1, y=x)
        else:
            case.use("complement.size", p=1, y=0)
        for inner in case.cases(in_bounds(c, A), disj(c < 0, c >= size(A))):
            if inner.is_first:
                inner.use("complement.number", p=1)
                for at in inner.cases(e >= 0, e < 0):
                    if at.is_first:
                        at.use("complement.number-positive", p=1)
                        at.use("complement.size", p=1, y=n)
                    at.done()
            else:
                inner.done()


@theorem(
    "complement.ordered",
    "L* increases at every integer, by at least p: L*(e) + p ≤ L*(e + 1).",
    given=(A, p_, u, e),
    hypotheses=_CHAIN,
    conclusion=value(complement(A, p_, u), e) + p_ <= value(complement(A, p_, u), e + 1),
    instance=_chains,
    mutants=(
        Mutant("without the chain", hypotheses=(p_ >= 1, u >= 1)),
        Mutant("by more than p", conclusion=value(complement(A, p_, u), e) + p_ < value(complement(A, p_, u), e + 1)),
        Mutant("by p exactly", conclusion=eq(value(complement(A, p_, u), e) + p_, value(complement(A, p_, u), e + 1))),
    ),
    source="paper §3.5, [29]",
)
def ordered(p: Proof) -> None:
    def both(p: Proof, d: Term, s: Term, rest: Term, fall: Term) -> None:
        """L* = (g:p, rest), and rest increases by at least s·d."""
        g = _gap(p, s, d, p_)
        b, h = mod(e, g), div(e, g)
        M = cons(g, p_, rest)
        division = p.division(e, g)
        p.use("euclid.product-positive", x=s - 1, y=d)
        p.have(s * d >= d)
        for case in p.cases(b + 1 < g, eq(b + 1, g)):
            case.use("modes.first-digit", s=g, d=p_, A=rest, i=b, j=h)
            if case.is_first:
                case.use("modes.first-digit", s=g, d=p_, A=rest, i=b + 1, j=h)
                case.have(eq(e, b + g * h), division, g >= 1)
                case.have(eq(e + 1, b + 1 + g * h))
                case.have(eq(value(M, e + 1), p_ * (b + 1) + value(rest, h)))
            else:
                case.use("modes.first-digit", s=g, d=p_, A=rest, i=0, j=h + 1)
                case.have(eq(e, b + g * h), division, g >= 1)
                case.have(eq(e + 1, g * (h + 1)))
                case.have(eq(value(M, e + 1), value(rest, h + 1)))
                case.have(eq(p_ * b, p_ * g - p_))
            case.have(eq(value(M, e), p_ * b + value(rest, h)))
            case.done()

    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(chain(one(s, d), p_), complement(one(s, d), p_, u))
        h = div(e, div(d, p_))
        rest = one(u, s * d)
        p.unfold(value(rest, h), value(rest, h + 1))
        fall = p.have(value(rest, h) + s * d <= value(rest, h + 1))
        both(p, d, s, rest, fall)

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        p.unfold(chain(cons(s, d, T), p_), complement(cons(s, d, T), p_, u))
        h = div(e, div(d, p_))
        p.use("euclid.product-positive", x=s, y=d)
        fall = p.ih(p=s * d, e=h)
        both(p, d, s, complement(T, s * d, u), fall)

    p.induction(A, MODES, base, step)


@theorem(
    "complement.disjoint",
    "The images meet in 0 alone, with L* evaluated at every integer: L(c) = L*(e) makes c = e = 0. This is [28] "
    "for integral coordinates.",
    given=(A, u, c, e),
    hypotheses=(*_SORTED, in_bounds(c, A), eq(value(A, c), value(_star, e))),
    conclusion=conj(eq(c, 0), eq(e, 0)),
    instance=lambda rng: (
        _chains(rng)
        | ({"c": 0, "e": 0} if rng.random() < 0.5 else {"A": ((2, rng.choice([1, 2])), (2, rng.choice([2, 3, 4, 8])))})
    ),
    mutants=(
        Mutant("without the chain", hypotheses=(u >= 1, in_bounds(c, A), eq(value(A, c), value(_star, e)))),
        Mutant("c out of bounds", hypotheses=(*_SORTED, eq(value(A, c), value(_star, e)))),
        Mutant("sums as well", hypotheses=(*_SORTED, in_bounds(c, A)), conclusion=eq(value(A, c) + value(_star, e), 0)),
    ),
    source="paper §3.5, [28]",
)
def disjoint(p: Proof) -> None:
    p.use("modes.zero")
    p.use("modes.zero", A=_star)
    p.use("modes.size-positive")
    p.use("complement.number", p=1, e=0)
    p.use("complement.number", p=1, c=0)
    p.done()


S, J, K = (Function(name, (INT,), BOOL) for name in ("S", "J", "K"))
a_, b_ = Function("a", (INT,), INT), Function("b", (INT,), INT)
i, j, k = ints("i j k")


def _tiles(J: Function, a: Function) -> tuple[All, ...]:
    """Each x of Z_N is a(x) + j for one element a(x) of S and one j of J, and for no other."""
    return (
        every(k, 0, N, conj(S(a(k)), J(k - a(k)))),
        always(
            (i, j),
            implies(conj(S(i), J(j)), conj(j >= 0, i + j < N, eq(a(i + j), i))),
            ((as_term(0), N), (as_term(0), N)),
        ),
    )


def _tilings(rng: Random) -> Instance:
    a = small_chain(rng)
    layout = as_layout(a)
    u_ = rng.randint(1, 2)
    star = as_layout(complement.on(a, 1, u_))
    n = u_ * a[-1][0] * a[-1][1]
    own = {layout(v) for v in range(total(a))}
    rest = [star(v) for v in range(n // total(a))]
    table = {s + r: s for s in own for r in rest}
    return {
        "S": lambda v: v in own,
        "J": lambda v: v in rest,
        "K": lambda v: v in rest,
        "a": lambda v: table.get(v, 0),
        "b": lambda v: table.get(v, 0),
        "N": n,
        "x": rng.randint(0, n - 1),
    }


_SMALL = {"N": 4, "S": lambda v: v in (0, 1), "J": lambda v: v in (0, 2), "a": lambda v: v % 2, "b": lambda v: 0}


@theorem(
    "complement.unique",
    "What tiles Z_N together with a given set of offsets ≥ 0 that has 0 is unique: two sets J and K that do are equal.",
    given=(S, J, K, a_, b_, N, x),
    hypotheses=(
        S(0),
        always((i,), implies(S(i), i >= 0)),
        *_tiles(J, a_),
        *_tiles(K, b_),
        x >= 0,
        x < N,
    ),
    conclusion=iff(J(x), K(x)),
    instance=_tilings,
    mutants=(
        Mutant(
            "K need not tile",
            hypotheses=(S(0), *_tiles(J, a_), x >= 0, x < N),
            instance=lambda rng: {**_SMALL, "K": lambda v: v in (0, 1), "x": rng.randint(0, 3)},
        ),
        Mutant(
            "negative offsets allowed",
            hypotheses=(*_tiles(J, a_), *_tiles(K, b_), x >= 0, x < N),
            instance=lambda rng: {
                "N": 1,
                "S": lambda v: v == -1,
                "J": lambda v: v == 1,
                "K": lambda v: v in (1, 0),
                "a": lambda v: -1,
                "b": lambda v: -1,
                "x": 0,
            },
        ),
        Mutant("and equal to S", conclusion=iff(J(x), S(x))),
    ),
    source="ours",
)
def unique(p: Proof) -> None:
    nonneg = p.theorem.hypotheses[1]
    have_j, one_j, have_k, one_k = p.theorem.hypotheses[2:6]
    p.descent(x)
    for case in p.cases(conj(J(x), neg(K(x))), conj(K(x), neg(J(x))), iff(J(x), K(x))):
        for a, other, have, single in ((b_, K, have_k, one_j), (a_, J, have_j, one_k)):
            if (case.is_first and other is K) or (case.number == 1 and other is J):
                # x = a(x) + rest with rest smaller than x, so that both sets have it; but x = 0 + x too.
                rest = x - a(x)
                case.at(have, x)
                case.at(nonneg, a(x))
                for far in case.cases(eq(a(x), 0), a(x) >= 1):
                    if not far.is_first:
                        far.at(one_k if other is K else one_j, a(x), rest)
                        far.have(conj(rest >= 0, rest < x))
                        far.ih(x=rest)
                        far.at(single, a(x), rest)
                        far.at(single, 0, x)
                    far.done()
                break
        else:
            case.done()
