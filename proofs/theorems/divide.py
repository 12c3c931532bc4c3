"""Divide and product (paper §3.5.1, §3.5.2), from the complement's bijection. B's modes are taken sorted by stride."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import INT, Function, conj, div, eq, iff, implies, ints, mod
from ..language import Instance, Mutant, theorem
from ..rules import Proof
from .complement import chain, complement, left, number, right, top
from .instances import as_layout, modes, numbers, total
from .instances import chain as random_chain
from .modes import A, B, in_bounds, size, value

n, u, c, e, c2, e2, x, t = ints("n u c e c2 e2 x t")
h = Function("h", (INT,), INT)
_star = complement(B, 1, u)


def _draw(rng: Random) -> Instance:
    b = random_chain(rng, 3) if rng.random() < 0.85 else modes(rng, 2, 3, 0, 6)
    reach = b[-1][0] * b[-1][1]
    a = modes(rng, 3, 4)
    return {
        "A": a,
        "B": b,
        "u": max(1, -(-total(a) // max(reach, 1))) if rng.random() < 0.7 else rng.randint(1, 3),
        "c": rng.randint(0, total(b) - 1) if rng.random() < 0.9 else rng.randint(0, 30),
        "e": rng.randint(0, 6),
        "c2": rng.randint(0, total(b) - 1),
        "e2": rng.randint(0, 6),
        "x": rng.randint(-2, 40),
        "h": as_layout(modes(rng, 2, 3, 0, 6)),
    }


@theorem(
    "divide.size",
    "With u = ⌈n/t⌉, u·t is the least multiple of t that is at least n; it is n exactly where t divides n.",
    given=(n, t),
    hypotheses=(n >= 1, t >= 1),
    conclusion=conj(
        div(n + t - 1, t) >= 1,
        div(n + t - 1, t) * t >= n,
        div(n + t - 1, t) * t < n + t,
        iff(eq(div(n + t - 1, t) * t, n), eq(mod(n, t), 0)),
    ),
    instance=numbers(n=(-1, 40), t=(0, 9)),
    mutants=(
        Mutant("rounded down", conclusion=div(n, t) * t >= n),
        Mutant("always exact", conclusion=eq(div(n + t - 1, t) * t, n)),
        Mutant("one more", conclusion=div(n + t, t) * t < n + t),
    ),
    source="paper §3.5.2",
)
def divide_size(p: Proof) -> None:
    p.division(n + t - 1, t)
    p.division(n, t)
    q = div(n, t)
    for case in p.cases(eq(mod(n, t), 0), mod(n, t) >= 1):
        shift = 0 if case.is_first else 1
        rest = t - 1 if case.is_first else mod(n, t) - 1
        case.have(eq(n + t - 1, t * (q + shift) + rest))
        case.use("euclid.unique", x=n + t - 1, b=t, q=q + shift, r=rest)
        case.have(eq(div(n + t - 1, t) * t, (q + shift) * t))
        case.use("euclid.bounds", x=n + t - 1, b=t, n=1)
        case.done()


@theorem(
    "divide.rearranges",
    "A⊘B = A∘(B, B*) takes every x of Z_(u·top) once: at one c of the tile and one e of the rest, where its "
    "value is A(x). "
    "So size and multiset of A are preserved where u·top = |A|.",
    given=(A, B, u, x, c, e),
    hypotheses=(u >= 1, chain(B, 1), x >= 0, x < u * top(B)),
    conclusion=conj(
        eq(size(B) * size(_star), u * top(B)),
        in_bounds(left(B, 1, x), B),
        in_bounds(right(B, 1, x), _star),
        eq(value(A, value(B, left(B, 1, x)) + value(_star, right(B, 1, x))), value(A, x)),
        implies(
            conj(in_bounds(c, B), in_bounds(e, _star), eq(value(B, c) + value(_star, e), x)),
            conj(eq(c, left(B, 1, x)), eq(e, right(B, 1, x))),
        ),
    ),
    instance=_draw,
    mutants=(
        Mutant("without the chain", hypotheses=(u >= 1, x >= 0, x < u * top(B))),
        Mutant("x beyond", hypotheses=(u >= 1, chain(B, 1), x >= 0)),
        Mutant("the tile alone", conclusion=eq(value(A, value(B, left(B, 1, x))), value(A, x))),
    ),
    source="paper §3.5.2, [30]",
)
def rearranges(p: Proof) -> None:
    p.use("complement.bijection", A=B)
    y = value(B, left(B, 1, x)) + value(_star, right(B, 1, x))
    p.have(eq(y, x))
    p.have(eq(value(A, y), value(A, x)))
    p.done()


@theorem(
    "divide.tile",
    "The first mode of A⊘B is A∘B: at e = 0 the value is A(B(c)).",
    given=(A, B, u, c),
    hypotheses=(),
    conclusion=eq(value(A, value(B, c) + value(_star, 0)), value(A, value(B, c))),
    instance=_draw,
    mutants=(
        Mutant("at e = 1", conclusion=eq(value(A, value(B, c) + value(_star, 1)), value(A, value(B, c)))),
        Mutant("the values add", conclusion=eq(value(A, value(B, c)), value(A, c) + value(B, c))),
        Mutant("the rest first", conclusion=eq(value(A, value(_star, c)), value(A, value(B, c)))),
    ),
    source="paper §3.5.2, [30]",
)
def tile(p: Proof) -> None:
    p.use("modes.zero", A=_star)
    p.have(eq(value(B, c) + value(_star, 0), value(B, c)))
    p.done()


def _inside(rng: Random) -> Instance:
    i = _draw(rng)
    star = complement.on(i["B"], 1, i["u"])
    return i | {"x": value.on(i["B"], i["c"]) + value.on(star, i["e"])}


@theorem(
    "divide.overhang",
    "Each coordinate (c, e) of the divide in bounds has an x = B(c) + B*(e) below u·top that no other has. With "
    "divide.rearranges: those outside A are one for each |A| ≤ x < u·top, u·top − |A| of them.",
    given=(B, u, c, e, x),
    hypotheses=(u >= 1, chain(B, 1), in_bounds(c, B), in_bounds(e, _star), eq(value(B, c) + value(_star, e), x)),
    conclusion=conj(x >= 0, x < u * top(B), eq(c, left(B, 1, x)), eq(e, right(B, 1, x))),
    instance=_inside,
    mutants=(
        Mutant(
            "without the chain",
            hypotheses=(u >= 1, in_bounds(c, B), in_bounds(e, _star), eq(value(B, c) + value(_star, e), x)),
        ),
        Mutant(
            "e out of bounds",
            hypotheses=(u >= 1, chain(B, 1), in_bounds(c, B), e >= 0, eq(value(B, c) + value(_star, e), x)),
        ),
        Mutant("below top", conclusion=x < top(B)),
    ),
    source="paper §3.5.2, made exact",
)
def overhang(p: Proof) -> None:
    n = number(B, 1, c, e)
    p.use("complement.bijection", A=B)
    p.use("complement.number", A=B, p=1)
    p.use("complement.number-positive", A=B, p=1)
    p.have(eq(n, x))
    p.done()


@theorem(
    "product.shifts",
    "In A⊗B = (A, A*∘B) the copies of A at different offsets of B do not meet: A(c) + A*(e) = A(c') + A*(e') "
    "only where "
    "c = c' and e = e', at all integers e, e'.",
    given=(B, u, c, e, c2, e2),
    hypotheses=(u >= 1, chain(B, 1), in_bounds(c, B), in_bounds(c2, B)),
    conclusion=iff(eq(value(B, c) + value(_star, e), value(B, c2) + value(_star, e2)), conj(eq(c, c2), eq(e, e2))),
    instance=lambda rng: (lambda i: i | ({"c2": i["c"], "e2": i["e"]} if rng.random() < 0.3 else {}))(_draw(rng)),
    mutants=(
        Mutant("without the chain", hypotheses=(u >= 1, in_bounds(c, B), in_bounds(c2, B))),
        Mutant("c out of bounds", hypotheses=(u >= 1, chain(B, 1), in_bounds(c2, B), c >= 0)),
        Mutant(
            "copies in place",
            conclusion=iff(eq(value(B, c) + value(B, c2), value(B, c2) + value(_star, e2)), conj(eq(c, c2), eq(e, e2))),
        ),
    ),
    source="paper §3.5.1",
)
def shifts(p: Proof) -> None:
    y = value(B, c) + value(_star, e)
    p.use("complement.bijection", A=B, x=y)
    p.use("complement.bijection", A=B, x=y, c=c2, e=e2)
    p.done()


@theorem(
    "product.injective",
    "A⊗B is injective iff B is: two coordinates (c, b) and (c', b') share an offset iff c = c' and B(b) = B(b').",
    given=(B, h, u, c, e, c2, e2),
    hypotheses=(u >= 1, chain(B, 1), in_bounds(c, B), in_bounds(c2, B)),
    conclusion=iff(
        eq(value(B, c) + value(_star, h(e)), value(B, c2) + value(_star, h(e2))), conj(eq(c, c2), eq(h(e), h(e2)))
    ),
    instance=lambda rng: (lambda i: i | ({"c2": i["c"]} if rng.random() < 0.5 else {}))(_draw(rng)),
    mutants=(
        Mutant("without the chain", hypotheses=(u >= 1, in_bounds(c, B), in_bounds(c2, B))),
        Mutant(
            "B may repeat",
            conclusion=iff(
                eq(value(B, c) + value(_star, h(e)), value(B, c2) + value(_star, h(e2))), conj(eq(c, c2), eq(e, e2))
            ),
        ),
        Mutant(
            "B in place of A*∘B",
            conclusion=iff(eq(value(B, c) + h(e), value(B, c2) + h(e2)), conj(eq(c, c2), eq(h(e), h(e2)))),
        ),
    ),
    source="paper §3.5.1",
)
def injective(p: Proof) -> None:
    p.use("product.shifts", e=h(e), e2=h(e2))
    p.done()
