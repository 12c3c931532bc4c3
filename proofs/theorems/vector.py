"""Vectorisation and the rows of the instruction table (paper §3.4.2, §3.4.4)."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...smt.terms import INT, Function, Term, as_term, conj, div, eq, implies, ints, mod, ne
from ..language import All, Instance, Mutant, always, every, theorem
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


_VECTOR = every(i, 0, k, conj(v(i) >= 0, v(i) < n, eq(a(v(i)), i), eq(b(v(i)), i)))


def _one_to_one(f: Function) -> All:
    return always(
        (i, j),
        implies(conj(i >= 0, i < n, j >= 0, j < n, eq(f(i), f(j))), eq(i, j)),
        ((as_term(0), n), (as_term(0), n)),
    )


_PLACES = (
    conj(r(m) >= 0, r(m) < n, eq(a(r(m)), m)),
    conj(s(m) >= 0, s(m) < n, eq(b(s(m)), m)),
)


@theorem(
    "vector.widest",
    "For A and B injective on Z_n, a common vector ends where their right inverses first differ: with "
    "A(R(m)) = B(R'(m)) = m and R(m) ≠ R'(m) no v into Z_n has A(v(i)) = B(v(i)) = i for all i < k with k > m.",
    given=(a, b, r, s, v, m, k, n),
    hypotheses=(_one_to_one(a), _one_to_one(b), *_PLACES, m >= 0, ne(r(m), s(m)), _VECTOR),
    conclusion=k <= m,
    instance=_draw,
    mutants=(
        Mutant(
            "R(m) = R'(m) allowed",
            hypotheses=(_one_to_one(a), _one_to_one(b), *_PLACES, m >= 0, _VECTOR),
            instance=lambda g: _draw(g) | dict.fromkeys("abrsv", lambda i: i) | {"m": g.randint(0, 3), "k": 3},
        ),
        Mutant("strictly shorter", conclusion=k < m),
        Mutant(
            "B not injective",
            hypotheses=(_one_to_one(a), *_PLACES, m >= 0, ne(r(m), s(m)), _VECTOR),
            instance=lambda g: {
                "a": lambda i: i,
                "b": lambda i: i % 2,
                "r": lambda i: i,
                "s": lambda i: i + 2,
                "v": lambda i: i,
                "m": g.randint(0, 1),
                "k": 2,
                "n": 4,
            },
        ),
    ),
    source="paper §3.4.2",
)
def widest(p: Proof) -> None:
    p.at(_VECTOR, m)
    p.at(_one_to_one(a), v(m), r(m))
    p.at(_one_to_one(b), v(m), s(m))
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
