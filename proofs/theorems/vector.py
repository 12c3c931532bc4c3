"""Vectorisation and the rows of the instruction table (paper §3.4.2, §3.4.4)."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import INT, Function, Term, conj, div, eq, implies, ints, mod, ne
from ..language import Instance, Mutant, every, theorem
from ..rules import Proof
from .instances import numbers
from .modes import cons, one, value

i, j, k, m, n, x, lane, column = ints("i j k m n x lane column")
a, b, r, s, v = (Function(name, (INT,), INT) for name in "abrsv")


def _draw(rng: Random) -> Instance:
    n = 8
    p, q = list(range(n)), list(range(n))
    cut = rng.randint(0, n)
    tail = q[cut:]
    rng.shuffle(tail)
    q = q[:cut] + tail
    m = next((i for i in range(n) if p[i] != q[i]), 0)
    return {
        "a": lambda i: p[i] if 0 <= i < n else -1,
        "b": lambda i: q.index(i) if 0 <= i < n else -2,
        "r": lambda i: p[i] if 0 <= i < n else -3,
        "s": lambda i: q[i] if 0 <= i < n else -4,
        "v": lambda i: i,
        "m": m,
        "n": n,
        "k": rng.randint(0, m + 1),
    }


@theorem(
    "vector.widest",
    "For injective A and B with right inverses R and R' to at least m, the common vector ends where they first "
    "differ: with "
    "R(m) ≠ R'(m) no map v has A(v(i)) = B(v(i)) = i for all i < k with k > m.",
    given=(a, b, r, s, v, m, k, n),
    hypotheses=(
        every(i, 0, n, conj(eq(a(r(i)), i), eq(b(s(i)), i))),
        every(i, 0, n, conj(eq(r(a(i)), i), eq(s(b(i)), i))),
        m >= 0,
        m < n,
        ne(r(m), s(m)),
        every(i, 0, k, conj(v(i) >= 0, v(i) < n, eq(a(v(i)), i), eq(b(v(i)), i))),
    ),
    conclusion=k <= m,
    instance=_draw,
    mutants=(
        Mutant(
            "R(m) = R'(m) allowed",
            hypotheses=(every(i, 0, k, conj(v(i) >= 0, v(i) < n, eq(a(v(i)), i), eq(b(v(i)), i))), m >= 0, m < n),
            instance=lambda g: _draw(g) | {"b": lambda i: i, "a": lambda i: i, "m": 1, "k": 3},
        ),
        Mutant("strictly shorter", conclusion=k < m),
        Mutant(
            "A alone",
            hypotheses=(every(i, 0, k, eq(a(v(i)), i)), m >= 0, ne(r(m), s(m))),
            instance=lambda g: _draw(g) | {"a": lambda i: i, "k": 9},
        ),
    ),
    source="paper §3.4.2",
)
def widest(p: Proof) -> None:
    laws, unique = p.theorem.hypotheses[:2]
    vector = p.theorem.hypotheses[5]
    p.at(vector, m)
    p.at(laws, m)
    p.at(unique, v(m))
    p.have(implies(k > m, eq(v(m), r(m))))
    p.have(implies(k > m, eq(v(m), s(m))))
    p.done()


TMEM = cons(512, 1, one(128, 16384))  # columns first: 512 of stride 1, 128 lanes of stride 16384


@theorem(
    "tmem.inverse",
    "TMEM, 128 lanes × 512 columns: the offset column + 16384·lane has exactly that coordinate, and TMEM leads "
    "it back.",
    given=(column, lane),
    hypotheses=(column >= 0, column < 512),
    conclusion=conj(
        eq(mod(column + 16384 * lane, 16384), column),
        eq(div(column + 16384 * lane, 16384), lane),
        eq(value(TMEM, column + 512 * lane), column + 16384 * lane),
    ),
    instance=numbers(column=(-3, 520), lane=(-1, 130)),
    mutants=(
        Mutant("column 512", hypotheses=(column >= 0, column <= 512)),
        Mutant("512 columns apart", conclusion=eq(value(TMEM, column + 512 * lane), column + 512 * lane)),
        Mutant("lanes 8192 apart", conclusion=eq(div(column + 16384 * lane, 8192), lane)),
    ),
    source="paper §3.4.4",
)
def tmem_inverse(p: Proof) -> None:
    p.use("modes.first-digit", s=512, d=1, A=one(128, 16384), i=column, j=lane)
    p.unfold(value(one(128, 16384), lane))
    p.use("euclid.digits", x=column, b=16384, k=lane)
    p.done()


def _row(name: str, statement: str, row: Term, size: int, column: Term, lane: Term, wrong: Term) -> None:
    @theorem(
        name,
        statement,
        given=(i,),
        hypotheses=(i >= 0, i < size),
        conclusion=conj(
            eq(value(row, i), column + 16384 * lane),
            column >= 0,
            column < 512,
            lane >= 0,
            lane < 128,
            eq(value(TMEM, column + 512 * lane), value(row, i)),
        ),
        instance=numbers(i=(-2, size + 2)),
        mutants=(
            Mutant(
                "past the end",
                hypotheses=(i >= 0, i <= 4 * size),
                conclusion=lane < 128,
                instance=numbers(i=(0, 4 * size)),
            ),
            Mutant("lanes one stride closer", conclusion=eq(value(wrong, i), column + 16384 * lane)),
            Mutant("always in lane 0", conclusion=eq(lane, 0)),
        ),
        source="paper §3.4.4",
    )
    def proof(p: Proof) -> None:
        for term in (row, row.args[2]):
            if term.data is cons:
                p.unfold(value(term, i if term is row else div(i, row.args[0])))
        last = row.args[2]
        inner = div(i, row.args[0])
        if last.data is cons:
            p.unfold(value(last.args[2], div(inner, last.args[0])))
            p.division(inner, last.args[0])
        else:
            p.unfold(value(last, inner))
        p.division(i, row.args[0])
        p.use("tmem.inverse", column=column, lane=lane)
        p.done()


_row(
    "tmem.32x32b.x1",
    "32x32b.x1, (1,128):(1,16384), reads offsets of TMEM only, one coordinate in bounds each.",
    cons(1, 1, one(128, 16384)),
    128,
    mod(i, 1),
    div(i, 1),
    cons(1, 1, one(128, 8192)),
)
_row(
    "tmem.32x32b.x2",
    "32x32b.x2, (2,128):(1,16384), reads offsets of TMEM only, one coordinate in bounds each.",
    cons(2, 1, one(128, 16384)),
    256,
    mod(i, 2),
    div(i, 2),
    cons(2, 1, one(128, 8192)),
)
_row(
    "tmem.16x256b.x1",
    "16x256b.x1, (8,(16,4)):(1,(16384,32·16384)), reads offsets of TMEM only, one coordinate in bounds each.",
    cons(8, 1, cons(16, 16384, one(4, 32 * 16384))),
    512,
    mod(i, 8),
    mod(div(i, 8), 16) + 32 * div(div(i, 8), 16),
    cons(8, 1, cons(16, 8192, one(4, 32 * 16384))),
)
