"""What everything rests on: division with remainder, for all integers and every divisor ≥ 1."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from ...smt.terms import conj, div, eq, iff, implies, ints, ite, mod
from ..language import Mutant, theorem
from ..rules import Proof
from .instances import numbers

x, y, z, a, b, d, q, r, k, n = ints("x y z a b d q r k n")


@theorem(
    "euclid.product-positive",
    "A product of two integers that are ≥ 0 is ≥ 0, and of two that are ≥ 1 is at least either of them.",
    given=(x, y),
    hypotheses=(x >= 0, y >= 0),
    conclusion=conj(x * y >= 0, implies(y >= 1, x * y >= x), implies(x >= 1, x * y >= y)),
    instance=numbers(x=(-3, 20), y=(-3, 20)),
    mutants=(
        Mutant("y may be negative", hypotheses=(x >= 0,)),
        Mutant("strictly larger", conclusion=implies(y >= 1, x * y > x)),
        Mutant("without y ≥ 1", conclusion=x * y >= x),
    ),
)
def product_positive(p: Proof) -> None:
    for case in p.cases(x * y >= 0, x * y < 0):
        case.done()


@theorem(
    "euclid.unique",
    "A quotient and a remainder are the only ones: b·q + r = x with 0 ≤ r < b makes q = ⌊x/b⌋ and r = x mod b.",
    given=(x, b, q, r),
    hypotheses=(b >= 1, eq(x, b * q + r), r >= 0, r < b),
    conclusion=conj(eq(div(x, b), q), eq(mod(x, b), r)),
    instance=lambda rng: (lambda e: e | {"x": e["b"] * e["q"] + e["r"]})(numbers(b=(1, 9), q=(-9, 9), r=(-2, 10))(rng)),
    mutants=(
        Mutant("r = b allowed", hypotheses=(b >= 1, eq(x, b * q + r), r >= 0, r <= b)),
        Mutant("r may be negative", hypotheses=(b >= 1, eq(x, b * q + r), r < b)),
        Mutant("quotient rounded up", conclusion=eq(div(x + b - 1, b), q)),
    ),
)
def unique(p: Proof) -> None:
    p.division(x, b)
    for case in p.cases(div(x, b) < q, div(x, b) > q, eq(div(x, b), q)):
        case.done()


@theorem(
    "euclid.nested",
    "⌊⌊x/a⌋/b⌋ = ⌊x/(a·b)⌋, and x mod (a·b) = x mod a + a·(⌊x/a⌋ mod b).",
    given=(x, a, b),
    hypotheses=(a >= 1, b >= 1),
    conclusion=conj(
        a * b >= 1, eq(div(div(x, a), b), div(x, a * b)), eq(mod(x, a * b), mod(x, a) + a * mod(div(x, a), b))
    ),
    instance=numbers(x=(-99, 99), a=(-1, 9), b=(-1, 9)),
    mutants=(
        Mutant("a + b for a·b", conclusion=eq(div(div(x, a), b), div(x, a + b))),
        Mutant("remainder not scaled", conclusion=eq(mod(x, a * b), mod(x, a) + mod(div(x, a), b))),
        Mutant("remainder scaled by b", conclusion=eq(mod(x, a * b), mod(x, a) + b * mod(div(x, a), b))),
        Mutant("sizes may be 0", hypotheses=()),
    ),
)
def nested(p: Proof) -> None:
    i = div(x, a)
    by = (p.division(x, a), p.division(i, b), p.theorem.hypotheses[0], p.theorem.hypotheses[1])
    quotient, rest = div(i, b), mod(x, a) + a * mod(i, b)
    p.use("euclid.product-positive", x=a, y=b)
    p.have(rest >= 0, *by)
    p.have(rest < a * b, *by)
    p.have(eq(x, (a * b) * quotient + rest), *by)
    p.have(a * b >= 1)
    p.use("euclid.unique", b=a * b, q=quotient, r=rest)
    p.done()


@theorem(
    "euclid.scaled",
    "A common factor goes: ⌊d·x/(d·b)⌋ = ⌊x/b⌋ and d·x mod d·b = d·(x mod b).",
    given=(x, d, b),
    hypotheses=(d >= 1, b >= 1),
    conclusion=conj(d * b >= 1, eq(div(d * x, d * b), div(x, b)), eq(mod(d * x, d * b), d * mod(x, b))),
    instance=numbers(x=(-50, 50), d=(-2, 9), b=(-2, 9)),
    mutants=(
        Mutant("remainder not scaled", conclusion=eq(mod(d * x, d * b), mod(x, b))),
        Mutant("numerator not scaled", conclusion=eq(div(x, d * b), div(x, b))),
        Mutant("d may be negative", hypotheses=(b >= 1,)),
    ),
)
def scaled(p: Proof) -> None:
    divide = p.division(x, b)
    p.have(eq(d * x, (d * b) * div(x, b) + d * mod(x, b)))
    p.have(eq(d * (b - mod(x, b)), d * b - d * mod(x, b)), divide)
    p.use("euclid.product-positive", x=d, y=mod(x, b))
    p.use("euclid.product-positive", x=d, y=b - mod(x, b))
    p.use("euclid.product-positive", x=d, y=b)
    p.have(d * mod(x, b) < d * b)
    p.use("euclid.unique", x=d * x, b=d * b, q=div(x, b), r=d * mod(x, b))
    p.done()


@theorem(
    "euclid.shifted",
    "Whole multiples pass through: ⌊(x + b·k)/b⌋ = ⌊x/b⌋ + k, and the remainder stays.",
    given=(x, b, k),
    hypotheses=(b >= 1,),
    conclusion=conj(eq(div(x + b * k, b), div(x, b) + k), eq(mod(x + b * k, b), mod(x, b))),
    instance=numbers(x=(-50, 50), b=(-1, 9), k=(-9, 9)),
    mutants=(
        Mutant("k for b·k", conclusion=eq(div(x + k, b), div(x, b) + k)),
        Mutant("quotient without k", conclusion=eq(div(x + b * k, b), div(x, b))),
        Mutant("remainder plus k", conclusion=eq(mod(x + b * k, b), mod(x, b) + k)),
    ),
)
def shifted(p: Proof) -> None:
    p.division(x, b)
    p.have(eq(x + b * k, b * (div(x, b) + k) + mod(x, b)))
    p.use("euclid.unique", x=x + b * k, q=div(x, b) + k, r=mod(x, b))
    p.done()


@theorem(
    "euclid.digits",
    "Two digits are read back: for 0 ≤ x < b, ⌊(x + b·k)/b⌋ = k and (x + b·k) mod b = x.",
    given=(x, b, k),
    hypotheses=(x >= 0, x < b),
    conclusion=conj(eq(div(x + b * k, b), k), eq(mod(x + b * k, b), x)),
    instance=numbers(x=(-2, 10), b=(1, 9), k=(-9, 9)),
    mutants=(
        Mutant("x = b allowed", hypotheses=(x >= 0, x <= b)),
        Mutant("x may be negative", hypotheses=(x < b, b >= 1)),
        Mutant("k + 1", conclusion=eq(div(x + b * k, b), k + 1)),
    ),
)
def digits(p: Proof) -> None:
    p.use("euclid.unique", x=x + b * k, q=k, r=x)
    p.done()


@theorem(
    "euclid.small",
    "For 0 ≤ x < b: ⌊x/b⌋ = 0 and x mod b = x.",
    given=(x, b),
    hypotheses=(x >= 0, x < b),
    conclusion=conj(eq(div(x, b), 0), eq(mod(x, b), x)),
    instance=numbers(x=(-3, 9), b=(1, 9)),
    mutants=(
        Mutant("x = b allowed", hypotheses=(x >= 0, x <= b)),
        Mutant("x may be negative", hypotheses=(x < b, b >= 1)),
        Mutant("quotient 1", conclusion=eq(div(x, b), 1)),
    ),
)
def small(p: Proof) -> None:
    p.use("euclid.unique", q=0, r=x)
    p.done()


@theorem(
    "euclid.bounds",
    "For b ≥ 1 and x ≥ 0: ⌊x/b⌋ ≥ 0; and ⌊x/b⌋ < n exactly where x < b·n; and ⌊x/1⌋ = x.",
    given=(x, b, n),
    hypotheses=(b >= 1,),
    conclusion=conj(implies(x >= 0, div(x, b) >= 0), iff(div(x, b) < n, x < b * n), eq(div(x, 1), x), eq(mod(x, 1), 0)),
    instance=numbers(x=(-30, 60), b=(0, 9), n=(-3, 9)),
    mutants=(
        Mutant("≤ for <", conclusion=iff(div(x, b) <= n, x <= b * n)),
        Mutant("x may be negative", conclusion=div(x, b) >= 0),
        Mutant("positive", conclusion=implies(x >= 0, div(x, b) >= 1)),
    ),
)
def bounds(p: Proof) -> None:
    p.division(x, b)
    p.division(x, 1)
    p.have(implies(x >= 0, div(x, b) >= 0))
    for case in p.cases(div(x, b) < n, div(x, b) >= n):
        case.algebra(b * (n - div(x, b)), b * n - b * div(x, b))
        case.algebra(b * (n - div(x, b) - 1), b * n - b * div(x, b) - b)
        case.algebra(b * (div(x, b) - n), b * div(x, b) - b * n)
        case.use("euclid.product-positive", x=b, y=n - div(x, b) - 1) if case.is_first else case.use(
            "euclid.product-positive", x=b, y=div(x, b) - n
        )
        case.done()


@theorem(
    "euclid.carry",
    "⌊(x+y)/b⌋ = ⌊x/b⌋ + ⌊y/b⌋ + c with c = 1 where x mod b + y mod b ≥ b, and c = 0 elsewhere.",
    given=(x, y, b),
    hypotheses=(b >= 1,),
    conclusion=eq(div(x + y, b), div(x, b) + div(y, b) + ite(mod(x, b) + mod(y, b) >= b, 1, 0)),
    instance=numbers(x=(-50, 50), y=(-50, 50), b=(0, 9)),
    mutants=(
        Mutant("> for ≥", conclusion=eq(div(x + y, b), div(x, b) + div(y, b) + ite(mod(x, b) + mod(y, b) > b, 1, 0))),
        Mutant("no carry", conclusion=eq(div(x + y, b), div(x, b) + div(y, b))),
        Mutant(
            "carry of −1", conclusion=eq(div(x + y, b), div(x, b) + div(y, b) - ite(mod(x, b) + mod(y, b) >= b, 1, 0))
        ),
    ),
    latex=r"\lfloor (x+y)/b\rfloor = \lfloor x/b\rfloor + \lfloor y/b\rfloor + [x \bmod b + y \bmod b \ge b]",
)
def carry(p: Proof) -> None:
    p.division(x, b)
    p.division(y, b)
    rest = mod(x, b) + mod(y, b)
    for case in p.cases(rest >= b, rest < b):
        c = 1 if case.is_first else 0
        quotient = div(x, b) + div(y, b) + c
        case.have(eq(x + y, b * quotient + (rest - b * c)))
        case.use("euclid.unique", x=x + y, q=quotient, r=rest - b * c)
        case.done()


@theorem(
    "euclid.many",
    "A multiple and a rest: ⌊(b·q + x)/b⌋ = q + ⌊x/b⌋; it is q exactly where 0 ≤ x < b.",
    given=(x, b, q),
    hypotheses=(b >= 1,),
    conclusion=conj(eq(div(b * q + x, b), q + div(x, b)), iff(eq(div(b * q + x, b), q), conj(x >= 0, x < b))),
    instance=numbers(x=(-20, 30), b=(0, 9), q=(-9, 9)),
    mutants=(
        Mutant("x ≤ b", conclusion=iff(eq(div(b * q + x, b), q), conj(x >= 0, x <= b))),
        Mutant("x may be negative", conclusion=iff(eq(div(b * q + x, b), q), x < b)),
        Mutant("without ⌊x/b⌋", conclusion=eq(div(b * q + x, b), q)),
    ),
)
def many(p: Proof) -> None:
    p.use("euclid.shifted", k=q)
    p.algebra(b * q + x, x + b * q)
    p.division(x, b)
    p.use("euclid.bounds", n=1)
    p.use("euclid.bounds", n=0)
    p.done()
