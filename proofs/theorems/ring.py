"""A ring of stages with two barriers each: what holds of a stage after any number of rounds; that none waits forever.

One stage, at any moment. The barrier ``full`` has completed w phases, ``empty`` E phases. Of the producers take any
one: it has passed its wait p times and has filled f times (its arrival made, its bytes landed). Of the consumers take
any one: it has passed its wait q times and has released r times. Arrivals of a round weigh b and a; a phase of ``full``
is complete when M have arrived, one of ``empty`` when N have. What the *other* producers and consumers have brought to
the phase that is under way is y and x. A wait sees one bit of the count of completed phases: the producer of round p
passes when E and p are of one parity, the consumer of round q when w and q are not.

``safe`` below is kept by every step that any agent can make, in any order: so it holds for rings of any depth, any
number of iterations and of agents, and any skew between them. Where a step is of another agent, ``safe`` is assumed of
that agent before the step: it holds of all agents at the beginning, and each step keeps it for all.
"""

# ruff: noqa: D103 — what each proof proves stands above it.

from __future__ import annotations

from random import Random
from typing import Any

from ...smt.terms import Term, as_term, conj, eq, implies, ints, ite, mod, ne
from ..language import Instance, Mutant, theorem
from ..rules import Proof
from .instances import numbers

E, w, p, f, q, r = ints("E w p f q r")
a, b, x, y, M, N = ints("a b x y M N")
p2, f2, b2, q2, r2, a2 = ints("p2 f2 b2 q2 r2 a2")
i, j, k, n, s, t, S, d = ints("i j k n s t S d")
STATE = (E, w, p, f, q, r, a, b, x, y, M, N)


def safe(E: Any, w: Any, p: Any, f: Any, q: Any, r: Any, a: Any, b: Any, x: Any, y: Any, M: Any, N: Any) -> Term:
    """Nobody is a round ahead of what it waits for, and no phase is complete that is said to be under way."""
    E, w, p, f, q, r = map(as_term, (E, w, p, f, q, r))
    a, b, x, y, M, N = map(as_term, (a, b, x, y, M, N))
    order = (E >= 0, r >= E, r <= q, q <= w, w <= f, f <= p, p <= E + 1)
    parts = (a >= 1, b >= 1, x >= 0, x <= N - a, y >= 0, y <= M - b)
    return conj(*order, *parts, x + ite(r > E, a, 0) < N, y + ite(f > w, b, 0) < M)


def same_parity(u: Term, v: Term) -> Term:
    """What one bit can tell."""
    return eq(mod(u, 2), mod(v, 2))


def states(rng: Random) -> Instance:
    """A state that is mostly safe."""
    e = rng.randint(0, 4)
    cuts = sorted(rng.randint(0, 5) for _ in range(1))[0]
    chain = [e + (place < cuts) for place in range(5)]  # p f w q r
    if rng.random() < 0.15:
        chain[rng.randint(0, 4)] += rng.choice([-1, 1])
    a, b = rng.randint(1, 3), rng.randint(1, 3)
    one, two = rng.randint(0, 3), rng.randint(0, 3)
    big_n, big_m = a + one, b + two
    return {
        **dict(zip(("p", "f", "w", "q", "r"), chain, strict=True)),
        **{"E": e, "a": a, "b": b, "N": big_n, "M": big_m},
        **{"x": rng.randint(0, one), "y": rng.randint(0, two)},
    }


def with_another(rng: Random) -> Instance:
    """A state and another agent of each kind."""
    made = states(rng)
    e, w = made["E"], made["w"]
    r2 = rng.choice([e, e, e + 1])
    f2 = rng.choice([w, w, w + 1])
    q2 = rng.choice([r2, min(r2 + 1, w)])
    p2 = rng.choice([f2, e + 1])
    other = {"r2": r2, "q2": q2, "f2": f2, "p2": p2, "a2": rng.randint(1, 2), "b2": rng.randint(1, 2)}
    return {**made, **other}


SAFE = safe(*STATE)


@theorem(
    "ring.start",
    "Before the first round, with 1 ≤ a ≤ N and 1 ≤ b ≤ M, a stage is safe.",
    given=(a, b, M, N),
    hypotheses=(a >= 1, a <= N, b >= 1, b <= M),
    conclusion=safe(0, 0, 0, 0, 0, 0, a, b, 0, 0, M, N),
    instance=numbers(a=(0, 3), b=(0, 3), M=(0, 4), N=(0, 4)),
    mutants=(
        Mutant("a count of 0", hypotheses=(a >= 0, a <= N, b >= 1, b <= M)),
        Mutant("more arrivals than the count", hypotheses=(a >= 1, a <= N + 1, b >= 1, b <= M)),
        Mutant("a round too early", conclusion=safe(0, 1, 0, 0, 0, 0, a, b, 0, 0, M, N)),
    ),
)
def start(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.produce",
    "A producer whose wait on empty passes finds every round before released (r = p), and keeps the stage safe.",
    given=STATE,
    hypotheses=(SAFE, same_parity(E, p)),
    conclusion=conj(eq(E, p), eq(r, p), eq(q, p), eq(w, p), eq(f, p), safe(E, w, p + 1, f, q, r, a, b, x, y, M, N)),
    instance=states,
    mutants=(
        Mutant("the phase bit starts as the consumer's", hypotheses=(SAFE, ne(mod(E, 2), mod(p, 2)))),
        Mutant("no wait", hypotheses=(SAFE,)),
        Mutant(
            "a ring not in order: p may be two rounds ahead",
            hypotheses=(conj(E >= 0, r >= E, r <= q, q <= w, w <= f, f <= p, p <= E + 2), same_parity(E, p)),
            instance=lambda rng: {
                **states(rng),
                "p": (e := rng.randint(0, 3)) + 2,
                "E": e,
                "r": e,
                "q": e + 1,
                "w": e + 1,
                "f": e + 2,
            },
        ),
    ),
    source="PTX ISA, mbarrier.test_wait: a parity names the phase under way or the one before",
)
def produce(proof: Proof) -> None:
    proof.division(E, 2)
    proof.division(p, 2)
    proof.have(eq(E, p))
    proof.done()


@theorem(
    "ring.fill",
    "A fill that lands is of the round under way (f = w); the last of M completes the phase; the stage stays safe.",
    given=STATE,
    hypotheses=(SAFE, f < p),
    conclusion=conj(
        eq(f, w),
        implies(eq(y + b, M), safe(E, w + 1, p, f + 1, q, r, a, b, x, 0, M, N)),
        implies(y + b < M, safe(E, w, p, f + 1, q, r, a, b, x, y, M, N)),
        y + b <= M,
    ),
    instance=states,
    mutants=(
        Mutant("a fill without its wait", hypotheses=(SAFE,)),
        Mutant("the phase completes early", conclusion=safe(E, w + 1, p, f, q, r, a, b, x, y, M, N)),
        Mutant("two phases", conclusion=implies(eq(y + b, M), safe(E, w + 2, p, f + 1, q, r, a, b, x, 0, M, N))),
    ),
)
def fill(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.fill-other",
    "The same when another producer's fill lands.",
    given=(*STATE, p2, f2, b2),
    hypotheses=(SAFE, w <= f2, f2 < p2, p2 <= E + 1, b2 >= 1, y + b2 <= M - b),
    conclusion=conj(
        eq(f2, w),
        implies(eq(y + b2 + ite(f > w, b, 0), M), safe(E, w + 1, p, f, q, r, a, b, x, 0, M, N)),
        implies(y + b2 + ite(f > w, b, 0) < M, safe(E, w, p, f, q, r, a, b, x, y + b2, M, N)),
    ),
    instance=with_another,
    mutants=(
        Mutant("it fills twice in a phase", hypotheses=(SAFE, w <= f2, f2 <= p2, p2 <= E + 1, b2 >= 1)),
        Mutant("it need not wait", hypotheses=(SAFE, w <= f2, b2 >= 1, y + b2 <= M - b)),
        Mutant("its weight is forgotten", conclusion=safe(E, w + 1, p, f, q, r, a, b, x, 0, M, N)),
    ),
)
def fill_other(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.consume",
    "A consumer whose wait on full passes finds its own round written (w = q + 1), and keeps the stage safe.",
    given=STATE,
    hypotheses=(SAFE, ne(mod(w, 2), mod(q, 2))),
    conclusion=conj(eq(w, q + 1), safe(E, w, p, f, q + 1, r, a, b, x, y, M, N)),
    instance=states,
    mutants=(
        Mutant("the phase bit starts as the producer's", hypotheses=(SAFE, same_parity(w, q))),
        Mutant("no wait", hypotheses=(SAFE,)),
        Mutant("released on the way", conclusion=safe(E + 1, w, p, f, q + 1, r, a, b, x, y, M, N)),
    ),
    source="PTX ISA, mbarrier.test_wait: a parity names the phase under way or the one before",
)
def consume(proof: Proof) -> None:
    proof.division(w, 2)
    proof.division(q, 2)
    proof.have(eq(w, q + 1))
    proof.done()


@theorem(
    "ring.release",
    "A release is of the round under way (r = E); the last of N completes the phase; the stage stays safe.",
    given=STATE,
    hypotheses=(SAFE, r < q),
    conclusion=conj(
        eq(r, E),
        implies(eq(x + a, N), safe(E + 1, w, p, f, q, r + 1, a, b, 0, y, M, N)),
        implies(x + a < N, safe(E, w, p, f, q, r + 1, a, b, x, y, M, N)),
        x + a <= N,
    ),
    instance=states,
    mutants=(
        Mutant("a release without a wait", hypotheses=(SAFE,)),
        Mutant("the phase never completes", conclusion=safe(E, w, p, f, q, r + 1, a, b, x, y, M, N)),
        Mutant("of the round after", conclusion=eq(r, E + 1)),
    ),
)
def release(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.release-other",
    "The same when another consumer releases.",
    given=(*STATE, q2, r2, a2),
    hypotheses=(SAFE, r2 >= E, r2 < q2, q2 <= w, a2 >= 1, x + a2 <= N - a),
    conclusion=conj(
        eq(r2, E),
        implies(eq(x + a2 + ite(r > E, a, 0), N), safe(E + 1, w, p, f, q, r, a, b, 0, y, M, N)),
        implies(x + a2 + ite(r > E, a, 0) < N, safe(E, w, p, f, q, r, a, b, x + a2, y, M, N)),
    ),
    instance=with_another,
    mutants=(
        Mutant("it releases twice in a phase", hypotheses=(SAFE, r2 >= E, r2 <= q2, q2 <= w, a2 >= 1)),
        Mutant("it need not wait", hypotheses=(SAFE, r2 >= E, a2 >= 1, x + a2 <= N - a)),
        Mutant("this consumer is not waited for", conclusion=safe(E + 1, w, p, f, q, r, a, b, 0, y, M, N)),
    ),
)
def release_other(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.advance",
    "An (index, phase) state that wraps at S is (i mod S, ⌊i/S⌋) at iteration i: s and k with i = S·k + s, 0 ≤ s < S.",
    given=(i, k, s, S),
    hypotheses=(eq(i, S * k + s), s >= 0, s < S),
    conclusion=conj(
        implies(eq(s + 1, S), eq(i + 1, S * (k + 1))),
        implies(ne(s + 1, S), conj(s + 1 < S, eq(i + 1, S * k + (s + 1)))),
    ),
    instance=lambda rng: {
        "S": (z := rng.randint(1, 5)),
        "k": (u := rng.randint(0, 6)),
        "s": (v := rng.randint(0, z - 1)),
        "i": z * u + v,
    },
    mutants=(
        Mutant("the phase is not flipped", conclusion=implies(eq(s + 1, S), eq(i + 1, S * k))),
        Mutant(
            "it wraps one late",
            conclusion=implies(eq(s, S), eq(i + 1, S * k + s)),
            hypotheses=(eq(i, S * k + s),),
            instance=lambda rng: {"S": 2, "k": 1, "s": 2, "i": 4},
        ),
        Mutant("never wraps", conclusion=s + 1 < S),
    ),
)
def advance(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.stage",
    "Two iterations i < j of one stage are S or more apart, and rounds k < t of it.",
    given=(i, j, k, t, s, S),
    hypotheses=(S >= 1, eq(i, S * k + s), eq(j, S * t + s), i < j),
    conclusion=conj(k + 1 <= t, i + S <= j),
    instance=lambda rng: {
        "S": (z := rng.randint(1, 4)),
        "k": (u := rng.randint(0, 4)),
        "s": (v := rng.randint(0, z - 1)),
        "i": z * u + v,
        "t": (o := rng.randint(0, 5)),
        "j": z * o + v,
    },
    mutants=(
        Mutant("two rounds apart", conclusion=k + 2 <= t),
        Mutant("more than S apart", conclusion=i + S < j),
        Mutant(
            "other stages too",
            hypotheses=(S >= 1, i < j),
            instance=numbers(S=(2, 4), i=(0, 5), j=(0, 9), k=(0, 2), t=(0, 2), s=(0, 3)),
        ),
    ),
)
def stage(proof: Proof) -> None:
    proof.algebra(S * t + s - (S * k + s), S * (t - k))
    proof.have(S * (t - k) >= 1)
    for case in proof.cases(t - k <= 0, t - k >= 1):
        if case.is_first:
            case.have(S * (k - t) >= 0)
            case.algebra(S * (t - k), 0 - S * (k - t))
            case.done()
        else:
            case.have(S * (t - k - 1) >= 0)
            case.algebra(S * (t - k), S * (t - k - 1) + S)
            case.done()


@theorem(
    "ring.owes",
    "A wait on empty that does not pass has a consumer to blame: one that has not released (r = E).",
    given=STATE,
    hypotheses=(SAFE, ne(mod(E, 2), mod(p, 2))),
    conclusion=conj(eq(p, E + 1), implies(eq(x, N - a), eq(r, E))),
    instance=states,
    mutants=(
        Mutant("a wait that passes", hypotheses=(SAFE, same_parity(E, p))),
        Mutant("this one, whatever the others did", conclusion=eq(r, E)),
        Mutant("no wait", hypotheses=(SAFE,)),
    ),
)
def owes(proof: Proof) -> None:
    proof.division(E, 2)
    proof.division(p, 2)
    proof.have(eq(p, E + 1))
    proof.done()


@theorem(
    "ring.progress",
    "A consumer that lags d < S iterations with its releases and owes iteration i − S, which producer i waits for, is"
    " itself before iteration i: what it waits for was issued, so it lands, and the consumer goes on.",
    given=(S, d, i, j, k),
    hypotheses=(S >= 1, d <= S - 1, k <= i - S, j <= k + d),
    conclusion=j < i,
    instance=numbers(S=(1, 4), d=(0, 4), i=(0, 12), j=(0, 12), k=(0, 12)),
    mutants=(
        Mutant("a lag of S", hypotheses=(S >= 1, d <= S, k <= i - S, j <= k + d)),
        Mutant("two iterations before", conclusion=j + 1 < i),
        Mutant("it owes nothing", hypotheses=(S >= 1, d <= S - 1, k <= i, j <= k + d)),
    ),
)
def progress(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.drained",
    "When all agents are through as many rounds, empty has completed them all: the ring is drained.",
    given=STATE,
    hypotheses=(SAFE, eq(r, p), eq(x, ite(r > E, N - a, 0))),
    conclusion=eq(E, p),
    instance=states,
    mutants=(
        Mutant("one has not released", hypotheses=(SAFE, eq(x, ite(r > E, N - a, 0)))),
        Mutant("the others have not", hypotheses=(SAFE, eq(r, p))),
        Mutant("a round more", conclusion=eq(E, p + 1)),
    ),
)
def drained(proof: Proof) -> None:
    proof.done()


groups, pending, issued = ints("groups pending issued")


@theorem(
    "ring.groups",
    "With P = d tiles issued ahead, a group a tile and one more each iteration, waiting until at most W groups are open"
    " leaves tile k complete at iteration k when W ≤ P − 1.",
    given=(d, k, pending, groups),
    hypotheses=(pending <= d - 1, eq(groups, d + k)),
    conclusion=k < groups - pending,
    instance=numbers(d=(1, 5), k=(0, 9), pending=(0, 5), groups=(0, 14)),
    mutants=(
        Mutant("one more open", hypotheses=(pending <= d, eq(groups, d + k))),
        Mutant("no group is committed at the tail", hypotheses=(pending <= d - 1, groups <= d + k)),
        Mutant("the next tile too", conclusion=k + 1 < groups - pending),
    ),
    source="PTX ISA, cp.async.wait_group",
)
def complete_groups(proof: Proof) -> None:
    proof.done()


@theorem(
    "ring.refill",
    "Tile i + d takes the stage of tile j = i + d − t·S, t ≥ 1; with d ≤ S − 1 that is of an iteration before i.",
    given=(i, j, d, t, S),
    hypotheses=(S >= 1, d <= S - 1, t >= 1, eq(j, i + d - S * t)),
    conclusion=j < i,
    instance=lambda rng: {
        "S": (z := rng.randint(1, 4)),
        "d": (u := rng.randint(0, 4)),
        "t": (v := rng.randint(0, 3)),
        "i": (w := rng.randint(0, 9)),
        "j": w + u - z * v,
    },
    mutants=(
        Mutant("as many ahead as stages", hypotheses=(S >= 1, d <= S, t >= 1, eq(j, i + d - S * t))),
        Mutant("the same round", hypotheses=(S >= 1, d <= S - 1, t >= 0, eq(j, i + d - S * t))),
        Mutant("two iterations before", conclusion=j + 1 < i),
    ),
)
def refill(proof: Proof) -> None:
    proof.have(S * (t - 1) >= 0)
    proof.algebra(S * t, S * (t - 1) + S)
    proof.done()
