"""Coalesce (paper §3.2): it keeps the values in bounds, and what it gives is the only list without mergeable modes."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random
from typing import Any

from ...model.coalesce import coalesce as coalesce_of_model
from ...smt.terms import BOOL, INT, Term, conj, disj, div, eq, implies, ints, ite, mod, ne
from ..language import Mutant, Recursive, every, theorem
from ..rules import Proof
from .instances import as_layout, compact_or_not, merged, modes, numbers
from .modes import MODES, A, B, cat, cons, in_bounds, one, size, value

s, d, r, k, e, x, i, j = ints("s d r k e x i j")

head_size: Recursive = Recursive("head_size", MODES, base=lambda s, d: s, step=lambda s, d, T: s)
head_stride: Recursive = Recursive("head_stride", MODES, base=lambda s, d: d, step=lambda s, d, T: d)
canonical: Recursive = (
    Recursive(  # no mode of size 1 (a layout of size 1 is 1:0), no mode that continues the one before
        "canonical",
        MODES,
        base=lambda s, d: disj(s >= 2, conj(eq(s, 1), eq(d, 0))),
        step=lambda s, d, T: conj(s >= 2, head_size(T) >= 2, ne(head_stride(T), s * d), canonical(T)),
        result=BOOL,
    )
)
join: Recursive = Recursive(  # a mode s:d put in front of a list without mergeable modes
    "join",
    MODES,
    base=lambda r, k, s, d: ite(
        eq(s, 1), one(r, k), ite(eq(r, 1), one(s, d), ite(eq(k, s * d), one(s * r, d), cons(s, d, one(r, k))))
    ),
    step=lambda r, k, T, s, d: ite(
        eq(s, 1), cons(r, k, T), ite(eq(k, s * d), cons(s * r, d, T), cons(s, d, cons(r, k, T)))
    ),
    parameters={"s": INT, "d": INT},
    result="Modes",
)
coal: Recursive = Recursive(
    "coalesce",
    MODES,
    base=lambda s, d: ite(eq(s, 1), one(1, 0), one(s, d)),
    step=lambda s, d, T: join(coal(T), s, d),
    result="Modes",
)


def _same_values(R: Term, L: Term, x: Term) -> Term:
    return implies(in_bounds(x, L), eq(value(R, x), value(L, x)))


@theorem(
    "coalesce.size-one",
    "A mode of size 1 that is not the last one goes without a trace: (1:d, T)(x) = T(x) at every integer x.",
    given=(d, A, x),
    hypotheses=(),
    conclusion=conj(eq(value(cons(1, d, A), x), value(A, x)), eq(size(cons(1, d, A)), size(A))),
    instance=merged(numbers(d=(-9, 9), x=(-40, 90)), A=modes),
    mutants=(
        Mutant("size 2", conclusion=eq(value(cons(2, d, A), x), value(A, x))),
        Mutant("as the last mode", conclusion=eq(value(cons(2, d, one(1, x)), x), value(one(2, d), x))),
        Mutant("size counted", conclusion=eq(size(cons(1, d, A)), size(A) + 1)),
    ),
    source="paper §3.2",
)
def size_one(p: Proof) -> None:
    p.unfold(value(cons(1, d, A), x), size(cons(1, d, A)))
    p.use("euclid.bounds", b=1, n=0)
    p.have(eq(d * mod(x, 1), 0))
    p.done()


@theorem(
    "coalesce.merge",
    "A mode that continues the one before merges with it, at every integer: (s:d, r:s·d, T) = (s·r:d, T).",
    given=(s, d, r, A, x),
    hypotheses=(s >= 1, r >= 1),
    conclusion=conj(
        eq(value(cons(s, d, cons(r, s * d, A)), x), value(cons(s * r, d, A), x)),
        eq(value(cons(s, d, one(r, s * d)), x), value(one(s * r, d), x)),
        eq(size(cons(s, d, cons(r, s * d, A))), size(cons(s * r, d, A))),
        eq(size(cons(s, d, one(r, s * d))), s * r),
    ),
    instance=merged(numbers(s=(0, 5), d=(-5, 9), r=(0, 5), x=(-40, 90)), A=modes),
    mutants=(
        Mutant("any second stride", conclusion=eq(value(cons(s, d, cons(r, d, A)), x), value(cons(s * r, d, A), x))),
        Mutant(
            "stride of the second mode kept",
            conclusion=eq(value(cons(s, d, one(r, s * d)), x), value(one(s * r, s * d), x)),
        ),
        Mutant("sizes add", conclusion=eq(value(cons(s, d, cons(r, s * d, A)), x), value(cons(s + r, d, A), x))),
    ),
    source="paper §3.2",
)
def merge(p: Proof) -> None:
    q = div(x, s)
    p.unfold(value(cons(s, d, cons(r, s * d, A)), x), value(cons(r, s * d, A), q))
    p.unfold(value(cons(s, d, one(r, s * d)), x), value(one(r, s * d), q), value(one(s * r, d), x))
    p.unfold(value(cons(s * r, d, A), x), size(cons(s, d, cons(r, s * d, A))), size(cons(r, s * d, A)))
    p.unfold(size(cons(s * r, d, A)), size(cons(s, d, one(r, s * d))), size(one(r, s * d)))
    law = p.use("euclid.nested", a=s, b=r)
    division = p.division(x, s)
    p.have(eq(d * mod(x, s * r), d * (mod(x, s) + s * mod(q, r))), law)
    p.have(eq(d * x, d * (s * q + mod(x, s))), division, s >= 1)
    p.have(eq(s * (r * size(A)), (s * r) * size(A)))
    p.done()


@theorem(
    "coalesce.trailing-one",
    "A trailing mode 1:e changes nothing in bounds; past the end it adds e for each round of |A|, and so differs "
    "there.",
    given=(A, e, i, j),
    hypotheses=(in_bounds(i, A),),
    conclusion=conj(
        eq(value(cat(A, one(1, e)), i), value(A, i)),
        eq(value(cat(A, one(1, e)), i + size(A) * j), value(A, i) + e * j),
        eq(size(cat(A, one(1, e))), size(A)),
    ),
    instance=merged(numbers(e=(-5, 9), i=(-1, 30), j=(-4, 9)), A=lambda g: modes(g, 3)),
    mutants=(
        Mutant("past the end too", conclusion=eq(value(cat(A, one(1, e)), i + size(A) * j), value(A, i + size(A) * j))),
        Mutant("i out of bounds", hypotheses=()),
        Mutant("size + 1", conclusion=eq(size(cat(A, one(1, e))), size(A) + 1)),
    ),
    source="paper §3.2, and §2.2 past the end",
)
def trailing_one(p: Proof) -> None:
    p.use("modes.concatenation", B=one(1, e))
    p.use("modes.concatenation", B=one(1, e), j=0)
    p.unfold(size(one(1, e)), value(one(1, e), j), value(one(1, e), 0))
    p.done()


@theorem(
    "coalesce.second-value",
    "Where the first mode has two elements, the value at 1 is its stride, and |L| ≥ its size.",
    given=(A,),
    hypotheses=(head_size(A) >= 2,),
    conclusion=conj(eq(value(A, 1), head_stride(A)), size(A) >= head_size(A)),
    instance=merged(A=modes),
    mutants=(
        Mutant("size 1 allowed", hypotheses=()),
        Mutant("strictly larger", conclusion=size(A) > head_size(A)),
        Mutant("the value at 2", conclusion=eq(value(A, 2), 2 * head_stride(A))),
    ),
)
def second_value(p: Proof) -> None:
    def last(p: Proof, s: Term, d: Term) -> None:
        p.unfold(head_size(one(s, d)), head_stride(one(s, d)), value(one(s, d), 1), size(one(s, d)))
        p.done()

    def longer(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(head_size(L), head_stride(L), size(L))
        p.use("modes.first-digit", s=s, d=d, A=T, i=1, j=0)
        p.use("modes.zero", A=T)
        p.use("modes.size-positive", A=T)
        p.use("euclid.product-positive", x=s, y=size(T))
        p.done()

    p.split(A, MODES, last, longer)


@theorem(
    "coalesce.join",
    "A mode put in front of a list without mergeable modes, merged where it can be: values, size, and no "
    "mergeable modes.",
    given=(A, s, d, x),
    hypotheses=(s >= 1, canonical(A)),
    conclusion=conj(
        canonical(join(A, s, d)),
        eq(size(join(A, s, d)), size(cons(s, d, A))),
        _same_values(join(A, s, d), cons(s, d, A), x),
    ),
    instance=merged(numbers(s=(1, 4), d=(-3, 4), x=(-3, 60)), A=lambda g: modes(g, 3, 4, -3, 8)),
    mutants=(
        Mutant("mergeable modes inside", hypotheses=(s >= 1,)),
        Mutant("past the end too", conclusion=eq(value(join(A, s, d), x), value(cons(s, d, A), x))),
        Mutant("merged always", conclusion=eq(join(A, s, d), cons(s * head_size(A), d, A))),
    ),
)
def join_lemma(p: Proof) -> None:
    p.use("modes.digits-in-bounds")
    p.unfold(value(cons(s, d, A), x))
    p.division(x, s)

    def last(p: Proof, r: Term, k: Term) -> None:
        p.unfold(join(one(r, k), s, d), canonical(one(r, k)), size(one(r, k)), canonical(one(s, d)))
        p.unfold(canonical(one(s * r, d)), size(one(s * r, d)), size(cons(s, d, one(r, k))), size(one(s, d)))
        p.unfold(canonical(cons(s, d, one(r, k))), head_size(one(r, k)), head_stride(one(r, k)))
        p.unfold(value(one(r, k), div(x, s)), value(one(s * r, d), x), value(one(s, d), x))
        p.unfold(value(cons(s, d, one(r, k)), x))
        for case in p.cases(eq(s, 1), conj(s >= 2, eq(r, 1)), conj(s >= 2, r >= 2)):
            if case.is_first:
                case.use("coalesce.size-one", A=one(r, k))
                case.done()
                continue
            case.use("euclid.product-positive", x=s, y=r)
            case.use("euclid.bounds", b=s, n=1)
            for inner in case.cases(eq(k, s * d), ne(k, s * d)):
                if inner.is_first:
                    inner.use("coalesce.merge", r=r, A=A)
                inner.have(implies(conj(x >= 0, x < s), eq(div(x, s), 0)))
                inner.have(implies(conj(x >= 0, x < s), eq(mod(x, s), x)))
                inner.done()

    def longer(p: Proof, r: Term, k: Term, T: Term) -> None:
        R = cons(r, k, T)
        p.unfold(join(R, s, d), canonical(R), canonical(cons(s * r, d, T)), canonical(cons(s, d, R)))
        p.unfold(head_size(R), head_stride(R))
        for case in p.cases(eq(s, 1), conj(s >= 2, eq(k, s * d)), conj(s >= 2, ne(k, s * d))):
            if case.is_first:
                case.use("coalesce.size-one", A=R)
            case.use("euclid.product-positive", x=s, y=r)
            case.use("coalesce.merge", r=r, A=T)
            case.have(eq((s * r) * d, r * (s * d)))
            case.done()

    p.split(A, MODES, last, longer)


@theorem(
    "coalesce.values",
    "Coalesce keeps the size and, in bounds, every value; what it gives has no size-1 and no mergeable modes.",
    given=(A, x),
    hypotheses=(),
    conclusion=conj(canonical(coal(A)), eq(size(coal(A)), size(A)), _same_values(coal(A), A, x)),
    instance=merged(numbers(x=(-3, 100)), A=compact_or_not),
    mutants=(
        Mutant("past the end too", conclusion=eq(value(coal(A), x), value(A, x))),
        Mutant("nothing to do", conclusion=eq(coal(A), A)),
        Mutant("not canonical", conclusion=ne(size(coal(A)), size(A))),
    ),
    meaning=lambda e: _modes_of(coalesce_of_model(as_layout(e["A"]))) == coal.on(e["A"]),
    source="paper §3.2",
)
def values(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        p.unfold(
            coal(L), canonical(L), canonical(one(1, 0)), size(L), size(one(1, 0)), value(L, x), value(one(1, 0), x)
        )
        for case in p.cases(eq(s, 1), s >= 2):
            case.have(implies(conj(x >= 0, x < 1), eq(d * x, 0)))
            case.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(coal(L), value(L, x), value(cons(s, d, coal(T)), x), size(cons(s, d, coal(T))))
        p.ih(x=div(x, s))
        p.use("coalesce.join", A=coal(T), s=s, d=d)
        p.use("modes.digits-in-bounds", s=s, d=d, A=T)
        p.done()

    p.induction(A, MODES, base, step)


def _coalesced(rng: Random) -> Any:
    a = compact_or_not(rng)
    return {"A": a, "B": coal.on(a)}


def _often_coalesced(rng: Random) -> Any:
    return _coalesced(rng) if rng.random() < 0.7 else _pair(rng)


def _modes_of(layout: Any) -> Any:
    return tuple(layout.modes)


def _pair(rng: Random) -> Any:
    first = compact_or_not(rng, 3, 3)
    if rng.random() < 0.7:
        first = coal.on(first)
    second = first if rng.random() < 0.7 else compact_or_not(rng, 3, 3)
    return {"A": first, "B": second}


@theorem(
    "coalesce.unique",
    "Two layouts without size-1 and mergeable modes that have one size and the same values in bounds are the "
    "same layout.",
    given=(A, B),
    hypotheses=(
        canonical(A),
        canonical(B),
        eq(size(A), size(B)),
        every(i, 0, size(A), eq(value(A, i), value(B, i))),
    ),
    conclusion=eq(A, B),
    instance=_pair,
    mutants=(
        Mutant(
            "mergeable modes allowed",
            hypotheses=(eq(size(A), size(B)), every(i, 0, size(A), eq(value(A, i), value(B, i)))),
            instance=_coalesced,
        ),
        Mutant(
            "sizes may differ",
            hypotheses=(canonical(A), canonical(B), every(i, 0, size(A), eq(value(A, i), value(B, i)))),
            instance=lambda rng: {"A": ((rng.randint(2, 3), 1),), "B": ((rng.randint(2, 9), 1),)},
        ),
        Mutant(
            "values at 1 only",
            hypotheses=(canonical(A), canonical(B), eq(size(A), size(B)), every(i, 0, 2, eq(value(A, i), value(B, i)))),
            instance=lambda rng: {"A": ((4, 1),), "B": ((2, 1), (2, rng.randint(1, 4)))},
        ),
    ),
    source="paper §3.2, made exact",
)
def unique(p: Proof) -> None:
    def base(p: Proof, s: Term, d: Term) -> None:
        L = one(s, d)
        equal = every(i, 0, size(L), eq(value(L, i), value(B, i)))
        p.unfold(canonical(L), size(L), value(L, 1))

        def last(p: Proof, r: Term, k: Term) -> None:
            p.unfold(canonical(one(r, k)), size(one(r, k)), value(one(r, k), 1))
            p.at(equal, 1)
            p.have(eq(s, r))
            p.have(eq(d, k))
            p.done()

        def longer(p: Proof, r: Term, k: Term, T: Term) -> None:
            p.unfold(canonical(cons(r, k, T)), size(cons(r, k, T)), value(L, r))
            p.use("coalesce.second-value", A=T)
            p.use("modes.first-digit", s=r, d=k, A=T, i=1, j=0)
            p.use("modes.first-digit", s=r, d=k, A=T, i=0, j=1)
            p.use("modes.zero", A=T)
            p.have(r * size(T) >= r + r)
            p.at(equal, 1)
            p.at(equal, r)
            p.have(eq(d, k))
            p.have(eq(d * r, r * k))
            p.done()

        p.split(B, MODES, last, longer)

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        equal = every(i, 0, size(L), eq(value(L, i), value(B, i)))
        p.unfold(canonical(L), size(L))
        p.use("coalesce.second-value", A=T)
        p.use("modes.first-digit", s=s, d=d, A=T, i=1, j=0)
        p.use("modes.first-digit", s=s, d=d, A=T, i=0, j=1)
        p.use("modes.zero", A=T)
        p.have(s * size(T) >= s + s)
        p.at(equal, 1)
        p.at(equal, s)

        def last(p: Proof, r: Term, k: Term) -> None:
            p.unfold(value(one(r, k), 1), value(one(r, k), s), size(one(r, k)))
            p.have(eq(d, k))
            p.have(eq(k * s, s * d))
            p.done()

        def longer(p: Proof, r: Term, k: Term, U: Term) -> None:
            M = cons(r, k, U)
            p.unfold(canonical(M), size(M))
            p.use("coalesce.second-value", A=U)
            p.use("modes.first-digit", s=r, d=k, A=U, i=1, j=0)
            p.use("modes.first-digit", s=r, d=k, A=U, i=0, j=1)
            p.use("modes.zero", A=U)
            p.have(r * size(U) >= r + r)
            p.at(equal, r)
            p.have(eq(d, k))
            for which, case in enumerate(p.cases(s < r, r < s, eq(s, r))):
                if which == 0:
                    case.use("modes.first-digit", s=r, d=k, A=U, i=s, j=0)
                    case.have(eq(k * s, s * d))
                    case.done()
                elif which == 1:
                    case.use("modes.first-digit", s=s, d=d, A=T, i=r, j=0)
                    case.have(eq(d * r, r * k))
                    case.done()
                else:
                    case.have(eq(size(T), size(U)))

                    def tails(q: Proof, j: Term) -> None:
                        q.suppose()
                        q.use("modes.first-digit", s=s, d=d, A=T, i=0, j=j)
                        q.use("modes.first-digit", s=r, d=k, A=U, i=0, j=j)
                        q.use("euclid.product-positive", x=s, y=j)
                        q.use("euclid.product-positive", x=s, y=size(T) - j - 1)
                        q.have(s * j < s * size(T))
                        q.at(equal, s * j)
                        q.done()

                    case.every(every(i, 0, size(T), eq(value(T, i), value(U, i))), tails)
                    case.ih(B=U)
                    case.done()

        p.split(B, MODES, last, longer)

    p.induction(A, MODES, base, step)


@theorem(
    "coalesce.complete",
    "Two layouts of one size have the same values in bounds exactly where coalesce makes the same layout of them.",
    given=(A, B),
    hypotheses=(eq(size(A), size(B)), every(i, 0, size(A), eq(value(A, i), value(B, i)))),
    conclusion=eq(coal(A), coal(B)),
    instance=_often_coalesced,
    mutants=(
        Mutant("the layouts are the same", conclusion=eq(A, B)),
        Mutant(
            "sizes may differ",
            hypotheses=(every(i, 0, size(A), eq(value(A, i), value(B, i))),),
            instance=lambda rng: {"A": ((2, 1),), "B": ((rng.randint(2, 5), 1),)},
        ),
        Mutant(
            "one value not compared",
            hypotheses=(eq(size(A), size(B)), every(i, 0, size(A) - 1, eq(value(A, i), value(B, i)))),
            instance=lambda rng: {"A": ((2, 1),), "B": ((2, rng.randint(1, 5)),)},
        ),
    ),
)
def complete(p: Proof) -> None:
    p.use("coalesce.values", x=0)
    p.use("coalesce.values", A=B, x=0)

    def same(q: Proof, i: Term) -> None:
        q.suppose()
        q.use("coalesce.values", x=i)
        q.use("coalesce.values", A=B, x=i)
        q.at(p.theorem.hypotheses[1], i)
        q.done()

    p.every(every(i, 0, size(coal(A)), eq(value(coal(A), i), value(coal(B), i))), same)
    p.use("coalesce.unique", A=coal(A), B=coal(B))
    p.done()
