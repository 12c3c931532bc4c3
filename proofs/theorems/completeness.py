"""Completeness (paper §2.4.3), read pointwise: every f on Z_N with f(0) = 0 is that chain of layouts, value by value.

The algebraic reading, that the chain is a composition of layouts in the sense of 3.3, is another claim and false.
"""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import BOOL, INT, Function, Term, conj, eq, implies, ints, ite
from ..language import Counted, Instance, Mutant, Recursive, every, theorem
from ..rules import Proof
from .modes import MODES, A, cons, one, value

i, j, k, t, x, N = ints("i j k t x N")
f = Function("f", (INT,), INT)

power: Counted = Counted("power", zero=lambda: 1, step=lambda n: 2 * power(n - 1))  # 2^n


def layer(k: Term | int, x: Term | int) -> Term:
    """(k,1):(1,2(k−1)) at x: sends k to 2(k−1) and what is below k to itself."""
    return value(cons(k, 1, one(1, 2 * (k - 1))), x)


# The layers k = n + 2, …, 4, 3, the first of them applied first.
layers: Counted = Counted(
    "layers", zero=lambda x: x, step=lambda n, x: layers(n - 1, layer(n + 2, x)), parameters={"x": INT}
)
all_two: Recursive = Recursive(
    "all_two", MODES, base=lambda s, d: eq(s, 2), step=lambda s, d, T: conj(eq(s, 2), all_two(T)), result=BOOL
)
length: Recursive = Recursive("length", MODES, base=lambda s, d: 1, step=lambda s, d, T: 1 + length(T))
stride_at: Recursive = Recursive(
    "stride_at",
    MODES,
    base=lambda s, d, k: d,
    step=lambda s, d, T, k: ite(eq(k, 0), d, stride_at(T, k - 1)),
    parameters={"k": INT},
)


def _draw(rng: Random) -> Instance:
    n = rng.randint(1, 7)
    a = tuple((2, rng.randint(-9, 9)) for _ in range(n)) if rng.random() < 0.9 else ((3, 1), (2, 5), (2, 3))
    strides = [d for _, d in a]
    return {
        "A": a,
        "N": n + 1,
        "f": lambda v: 0 if v == 0 else strides[v - 1] if 0 < v <= len(strides) else 1,
        "i": rng.randint(0, n),
        "k": rng.randint(-1, n),
        "j": rng.randint(-1, 6),
        "t": rng.randint(-1, 5),
        "x": rng.randint(-9, 40),
    }


@theorem(
    "completeness.layer",
    "One layer (k,1):(1,2(k−1)): x ↦ x for 0 ≤ x < k, and t·k ↦ t·2(k−1) for every t.",
    given=(k, t, x),
    hypotheses=(k >= 1,),
    conclusion=conj(implies(conj(x >= 0, x < k), eq(layer(k, x), x)), eq(layer(k, k * t), 2 * (k - 1) * t)),
    instance=_draw,
    mutants=(
        Mutant("k itself kept", conclusion=implies(conj(x >= 0, x <= k), eq(layer(k, x), x))),
        Mutant("to 2k", conclusion=eq(layer(k, k * t), 2 * k * t)),
        Mutant("negative x kept", conclusion=implies(x < k, eq(layer(k, x), x))),
    ),
    source="paper §2.4.3",
)
def one_layer(p: Proof) -> None:
    last = one(1, 2 * (k - 1))
    p.unfold(value(last, 0), value(last, t))
    p.use("modes.first-digit", s=k, d=1, A=last, i=0, j=t)
    for case in p.cases(conj(x >= 0, x < k), conj(x >= 0, x >= k), x < 0):
        if case.is_first:
            case.use("modes.first-digit", s=k, d=1, A=last, i=x, j=0)
        case.done()


@theorem(
    "completeness.top",
    "The layers j + 2, …, 3 send 2^t·(j+2) to 2^(t+j+1).",
    given=(j, t),
    hypotheses=(j >= 0, t >= 0),
    conclusion=eq(layers(j, (j + 2) * power(t)), power(t + j + 1)),
    instance=_draw,
    mutants=(
        Mutant("one power less", conclusion=eq(layers(j, (j + 2) * power(t)), power(t + j))),
        Mutant("another number", conclusion=eq(layers(j, (j + 1) * power(t)), power(t + j + 1))),
        Mutant("t may be negative", hypotheses=(j >= 0,)),
    ),
)
def top_element(p: Proof) -> None:
    p.descent(j)
    for case in p.cases(eq(j, 0), j >= 1):
        case.unfold(layers(j, (j + 2) * power(t)), power(t + 1))
        if not case.is_first:
            case.use("completeness.layer", k=j + 2, t=power(t), x=0)
            case.have(eq(layer(j + 2, (j + 2) * power(t)), (j + 1) * power(t + 1)))
            case.ih(j=j - 1, t=t + 1)
        case.done()


@theorem(
    "completeness.layers",
    "The rightmost N − 3 layouts send i to 2^(i−1): for 1 ≤ i ≤ j + 2, and 0 to 0.",
    given=(j, i),
    hypotheses=(j >= 0, i >= 0, i <= j + 2),
    conclusion=eq(layers(j, i), ite(eq(i, 0), 0, power(i - 1))),
    instance=_draw,
    mutants=(
        Mutant("2^i", conclusion=eq(layers(j, i), ite(eq(i, 0), 0, power(i)))),
        Mutant("i beyond", hypotheses=(j >= 0, i >= 0)),
        Mutant("0 to 1", conclusion=eq(layers(j, i), power(i - 1))),
    ),
    source="paper §2.4.3",
)
def all_layers(p: Proof) -> None:
    p.descent(j)
    p.unfold(layers(j, i), power(0), power(1))
    for case in p.cases(eq(j, 0), conj(j >= 1, i < j + 2), conj(j >= 1, eq(i, j + 2))):
        if case.is_first:
            case.unfold(power(i - 1), power(0))
            for at in case.cases(eq(i, 0), eq(i, 1), eq(i, 2)):
                at.done()
        elif case.number == 1:
            case.use("completeness.layer", k=j + 2, x=i)
            case.ih(j=j - 1)
            case.done()
        else:
            case.use("completeness.top", t=0)
            case.have(eq((j + 2) * power(0), i))
            case.have(eq(layers(j, i), power(j + 1)))
            case.done()


@theorem(
    "completeness.powers",
    "A layout of modes of size 2 has its k-th stride at 2^k.",
    given=(A, k),
    hypotheses=(all_two(A), k >= 0, k < length(A)),
    conclusion=eq(value(A, power(k)), stride_at(A, k)),
    instance=_draw,
    mutants=(
        Mutant("other sizes", hypotheses=(k >= 0, k < length(A))),
        Mutant("the stride after", conclusion=eq(value(A, power(k)), stride_at(A, k + 1))),
        Mutant("past the end", hypotheses=(all_two(A), k >= 0)),
    ),
)
def powers(p: Proof) -> None:

    def base(p: Proof, s: Term, d: Term) -> None:
        p.unfold(all_two(one(s, d)), length(one(s, d)), value(one(s, d), power(k)), stride_at(one(s, d), k), power(k))
        p.have(eq(k, 0))
        p.have(eq(power(k), 1))
        p.have(eq(d * power(k), d))
        p.done()

    def step(p: Proof, s: Term, d: Term, T: Term) -> None:
        L = cons(s, d, T)
        p.unfold(all_two(L), length(L), stride_at(L, k), power(k))
        for case in p.cases(eq(k, 0), k >= 1):
            if case.is_first:
                case.use("modes.first-digit", s=s, d=d, A=T, i=1, j=0)
                case.use("modes.zero", A=T)
                case.have(eq(power(k), 1 + s * 0))
            else:
                case.ih(k=k - 1)
                case.use("modes.first-digit", s=s, d=d, A=T, i=0, j=power(k - 1))
                case.have(eq(power(k), 0 + s * power(k - 1)))
            case.done()

    p.induction(A, MODES, base, step)


@theorem(
    "completeness.pointwise",
    "Every f on Z_N with f(0) = 0, N ≥ 3, is (2,2,…,2):(f(1),…,f(N−1)) after (3,1):(1,4), (4,1):(1,6), …, "
    "(N−1,1):(1,2(N−2)), "
    "the last of these first: at every i of Z_N, each layout evaluated as the paper defines, out of bounds too.",
    given=(f, A, N, i),
    hypotheses=(
        N >= 3,
        all_two(A),
        eq(length(A), N - 1),
        every(k, 0, N - 1, eq(stride_at(A, k), f(k + 1))),
        eq(f(0), 0),
        i >= 0,
        i < N,
    ),
    conclusion=eq(value(A, layers(N - 3, i)), f(i)),
    instance=_draw,
    mutants=(
        Mutant(
            "f(0) unknown",
            hypotheses=(
                N >= 3,
                all_two(A),
                eq(length(A), N - 1),
                every(k, 0, N - 1, eq(stride_at(A, k), f(k + 1))),
                i >= 0,
                i < N,
            ),
            instance=lambda rng: (
                _draw(rng) | {"f": (lambda v: 7 + v), "A": ((2, 8), (2, 9)), "N": 3, "i": rng.randint(0, 2)}
            ),
        ),
        Mutant("one layer less", conclusion=eq(value(A, layers(N - 4, i)), f(i))),
        Mutant("without layers", conclusion=eq(value(A, i), f(i))),
    ),
    source="paper §2.4.3, made exact",
)
def pointwise(p: Proof) -> None:
    p.use("completeness.layers", j=N - 3)
    for case in p.cases(eq(i, 0), i >= 1):
        if case.is_first:
            case.use("modes.zero")
        else:
            case.use("completeness.powers", k=i - 1)
            case.at(p.theorem.hypotheses[3], i - 1)
        case.done()
