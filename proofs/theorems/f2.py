"""Strides in F₂ and modes of size 2^k (paper §2.4.4): linear in the bits of the index, a binary matrix, and coalesced.

The mode 2^k:f_v takes k bits c of the index to the carry-less product c·v: the bit r of it is the parity of c_j AND
v_(r−j). The matrix of a layout has the values at 1, 2, 4, … as columns, as Triton's linear layouts have them.
"""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from collections.abc import Callable
from random import Random

from ...model.binary import apply_matrix, binary_matrix, from_binary_matrix
from ...model.coalesce import coalesce
from ...model.layout import Layout
from ...model.semimodule import F2
from ...smt.terms import BOOL, INT, Function, Term, as_term, conj, disj, eq, iff, implies, ints, ite, neg, xor
from ..language import Counted, Instance, ListSort, Mutant, Recursive, always, every, theorem
from ..rules import Proof

# One bit of the offset is a parity of bits of the index: the row of it, bit by bit, beside those of two indices.

ROWS = ListSort("Rows", {}, {"i": BOOL, "j": BOOL, "m": BOOL})
R = ROWS.variable("R")
none, more = ROWS.base, ROWS.cons


def _parity(name: str, pick: Callable[[Term, Term], Term]) -> Recursive:
    made: list[Recursive] = []
    made.append(
        Recursive(
            name, ROWS, base=lambda: False, step=lambda i, j, m, T: xor(conj(pick(i, j), m), made[0](T)), result=BOOL
        )
    )
    return made[0]


of_first = _parity("of_first", lambda i, j: i)
of_second = _parity("of_second", lambda i, j: j)
of_both = _parity("of_both", xor)


@theorem(
    "f2.linear",
    "A layout with strides in F₂ and modes of size 2^k is linear: L(i XOR j) = L(i) XOR L(j), bit by bit of the "
    "offset, for "
    "index words of any length. So it is the binary matrix whose columns are its values at 1, 2, 4, …",
    given=(R,),
    hypotheses=(),
    conclusion=iff(of_both(R), xor(of_first(R), of_second(R))),
    instance=lambda rng: {"R": tuple(tuple(rng.random() < 0.5 for _ in range(3)) for _ in range(rng.randint(0, 8)))},
    mutants=(
        Mutant("OR for XOR", conclusion=iff(of_both(R), disj(of_first(R), of_second(R)))),
        Mutant("the second left out", conclusion=iff(of_both(R), of_first(R))),
        Mutant("never", conclusion=implies(of_both(R), neg(xor(of_first(R), of_second(R))))),
    ),
    source="paper §2.4.4",
)
def linear(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(of_both(none()), of_first(none()), of_second(none()))
        p.done()

    def step(p: Proof, i: Term, j: Term, m: Term, T: Term) -> None:
        L = more(i, j, m, T)
        p.unfold(of_both(L), of_first(L), of_second(L))
        p.ih()
        p.done()

    p.induction(R, ROWS, base, step)


# The layout itself: its modes, the index as a word of which ``bit`` reads one bit, the mode's bits from o on.

bit = Function("bit", (INT, INT), BOOL, lambda e, v, r: r >= 0 and bool(v >> r & 1))
BITS = ListSort("BitModes", {}, {"k": INT, "v": INT}, guard=lambda *mode: mode[0] >= 0 if mode else as_term(True))
L, M = BITS.variable("L"), BITS.variable("M")
empty, front = BITS.base, BITS.cons
k, l_, v, u, x, o, r, j, n, i = ints("k l v u x o r j n i")

mode_at: Counted = Counted(  # the bit r of the mode of n bits and stride v, at the bits o, …, o + n − 1 of the index
    "mode_at",
    zero=lambda v, x, o, r: False,
    step=lambda n, v, x, o, r: xor(mode_at(n - 1, v, x, o, r), conj(bit(x, o + n - 1), bit(v, r - (n - 1)))),
    parameters={"v": INT, "x": INT, "o": INT, "r": INT},
    result=BOOL,
)
value_at: Recursive = Recursive(
    "value_at",
    BITS,
    base=lambda x, o, r: False,
    step=lambda k, v, T, x, o, r: xor(mode_at(k, v, x, o, r), value_at(T, x, o + k, r)),
    parameters={"x": INT, "o": INT, "r": INT},
    result=BOOL,
)
width: Recursive = Recursive("width", BITS, base=lambda: 0, step=lambda k, v, T: k + width(T))
entry: Recursive = Recursive(  # the matrix: row r of the column j
    "entry",
    BITS,
    base=lambda j, r: False,
    step=lambda k, v, T, j, r: ite(j < k, conj(j >= 0, bit(v, r - j)), entry(T, j - k, r)),
    parameters={"j": INT, "r": INT},
    result=BOOL,
)
applied: Counted = Counted(  # the XOR of the first n columns at the bits of the index
    "applied",
    zero=lambda L, x, o, r: False,
    step=lambda n, L, x, o, r: xor(applied(n - 1, L, x, o, r), conj(bit(x, o + n - 1), entry(L, n - 1, r))),
    parameters={"L": "BitModes", "x": INT, "o": INT, "r": INT},
    result=BOOL,
)
single: Recursive = Recursive(
    "single", BITS, base=lambda: True, step=lambda k, v, T: conj(eq(k, 1), single(T)), result=BOOL
)
column: Recursive = Recursive(
    "column",
    BITS,
    base=lambda j: 0,
    step=lambda k, v, T, j: ite(eq(j, 0), v, column(T, j - 1)),
    parameters={"j": INT},
)

BitModes = tuple[tuple[int, int], ...]


def _bit_modes(rng: Random) -> BitModes:
    return tuple((rng.randint(0, 3), rng.getrandbits(4)) for _ in range(rng.randint(0, 3)))


def _as_layout(value: BitModes) -> Layout:
    if not value:
        return Layout.of(1, 0)
    return Layout.of(tuple(1 << k for k, _ in value), tuple(F2(v) or 0 for _, v in value))


def _total(value: BitModes) -> int:
    return sum(k for k, _ in value)


def _words(rng: Random) -> Instance:
    modes = _bit_modes(rng)
    other = modes if rng.random() < 0.5 else tuple((1, c) for c in binary_matrix(_as_layout(modes)))
    k, v = rng.randint(0, 3), rng.getrandbits(4)
    return {
        "L": modes,
        "M": other,
        "k": k,
        "l": rng.randint(0, 3),
        "v": v,
        "u": v << k if rng.random() < 0.7 else rng.getrandbits(4),
        "x": rng.getrandbits(9),
        "o": rng.randint(0, 2),
        "r": rng.randint(-1, 7),
        "j": rng.randint(-1, 7),
        "n": rng.randint(0, 3),
        "i": 0,
    }


def _unit(rng: Random) -> Instance:
    made = _words(rng)
    place = made["o"] + made["j"]
    return made | {"x": 1 << place if place >= 0 else 0}


def _is_the_model(e: Instance) -> bool:
    """The model's layout has the same bit, and so has its matrix; and the layout that the matrix makes."""
    layout = _as_layout(e["L"])
    index = e["x"] & ((1 << _total(e["L"])) - 1)
    offset, columns = layout(index), binary_matrix(layout)
    word = offset.bits if isinstance(offset, F2) else offset
    back = from_binary_matrix(columns)(index)
    is_set = bool(value_at.on(e["L"], index, 0, e["r"]))
    read = e["r"] >= 0 and bool(word >> e["r"] & 1)
    return is_set == read and word == apply_matrix(columns, index) == (back.bits if isinstance(back, F2) else back)


@theorem(
    "f2.first-columns",
    "The first n ≤ k columns of (2^k:f_v, T) are what n bits of its first mode make.",
    given=(L, k, v, x, o, r, n),
    hypotheses=(n >= 0, n <= k),
    conclusion=iff(applied(n, front(k, v, L), x, o, r), mode_at(n, v, x, o, r)),
    instance=_words,
    mutants=(
        Mutant("n > k", hypotheses=(n >= 0, k >= 0)),
        Mutant("from another bit on", conclusion=iff(applied(n, front(k, v, L), x, o, r), mode_at(n, v, x, o + 1, r))),
        Mutant("of T", conclusion=iff(applied(n, L, x, o, r), mode_at(n, v, x, o, r))),
    ),
)
def first_columns(p: Proof) -> None:
    p.descent(n)
    p.unfold(applied(n, front(k, v, L), x, o, r), mode_at(n, v, x, o, r))
    for case in p.cases(eq(n, 0), n >= 1):
        if not case.is_first:
            case.unfold(entry(front(k, v, L), n - 1, r))
            case.ih(n=n - 1)
        case.done()


@theorem(
    "f2.later-columns",
    "n columns more than k of (2^k:f_v, T) are those of the mode XOR n columns of T, k bits later.",
    given=(L, k, v, x, o, r, n),
    hypotheses=(n >= 0, k >= 0),
    conclusion=iff(applied(k + n, front(k, v, L), x, o, r), xor(mode_at(k, v, x, o, r), applied(n, L, x, o + k, r))),
    instance=_words,
    mutants=(
        Mutant(
            "not later",
            conclusion=iff(
                applied(k + n, front(k, v, L), x, o, r), xor(mode_at(k, v, x, o, r), applied(n, L, x, o, r))
            ),
        ),
        Mutant("the mode alone", conclusion=iff(applied(k + n, front(k, v, L), x, o, r), mode_at(k, v, x, o, r))),
        Mutant("T alone", conclusion=iff(applied(k + n, front(k, v, L), x, o, r), applied(n, L, x, o + k, r))),
    ),
)
def later_columns(p: Proof) -> None:
    p.descent(n)
    p.unfold(applied(n, L, x, o + k, r))
    for case in p.cases(eq(n, 0), n >= 1):
        if case.is_first:
            case.use("f2.first-columns", n=k)
        else:
            case.unfold(applied(k + n, front(k, v, L), x, o, r), entry(front(k, v, L), k + n - 1, r))
            case.ih(n=n - 1)
        case.done()


@theorem(
    "f2.width",
    "A layout has no negative number of bits.",
    given=(L,),
    hypotheses=(),
    conclusion=width(L) >= 0,
    instance=_words,
    mutants=(
        Mutant("at least one", conclusion=width(L) >= 1),
        Mutant("at most four", conclusion=width(L) <= 4),
        Mutant("none", conclusion=eq(width(L), 0)),
    ),
)
def no_negative_width(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(width(empty()))
        p.done()

    def step(p: Proof, k: Term, v: Term, T: Term) -> None:
        p.unfold(width(front(k, v, T)))
        p.ih()
        p.done()

    p.induction(L, BITS, base, step)


@theorem(
    "f2.matrix",
    "A layout with strides in F₂ and modes of size 2^k is its binary matrix: at every index, every bit of the offset "
    "is that of the XOR of the columns at the bits of the index.",
    given=(L, x, o, r),
    hypotheses=(),
    conclusion=iff(value_at(L, x, o, r), applied(width(L), L, x, o, r)),
    instance=_words,
    mutants=(
        Mutant("a column left out", conclusion=iff(value_at(L, x, o, r), applied(width(L) - 1, L, x, o, r))),
        Mutant("the next row", conclusion=iff(value_at(L, x, o, r), applied(width(L), L, x, o, r + 1))),
        Mutant("another index", conclusion=iff(value_at(L, x, o, r), applied(width(L), L, x + 1, o, r))),
    ),
    meaning=_is_the_model,
    source="paper §2.4.4; Triton's linear layouts",
)
def matrix(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(value_at(empty(), x, o, r), width(empty()), applied(0, empty(), x, o, r))
        p.done()

    def step(p: Proof, k: Term, v: Term, T: Term) -> None:
        p.unfold(value_at(front(k, v, T), x, o, r), width(front(k, v, T)))
        p.use("f2.width", L=T)
        p.use("f2.later-columns", L=T, k=k, v=v, n=width(T))
        p.ih(o=o + k)
        p.done()

    p.induction(L, BITS, base, step)


_IS_UNIT = always((i,), iff(bit(x, i), eq(i, o + j)))


@theorem(
    "f2.no-column-before",
    "Before its first column a matrix has none.",
    given=(L, j, r),
    hypotheses=(j < 0,),
    conclusion=neg(entry(L, j, r)),
    instance=lambda rng: _words(rng) | {"j": rng.randint(-3, 1)},
    mutants=(
        Mutant("any j", hypotheses=()),
        Mutant("j = 0", hypotheses=(j <= 0,)),
        Mutant("the other way", conclusion=entry(L, j, r)),
    ),
)
def no_column_before(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(entry(empty(), j, r))
        p.done()

    def step(p: Proof, k: Term, v: Term, T: Term) -> None:
        p.unfold(entry(front(k, v, T), j, r))
        p.done()

    p.induction(L, BITS, base, step)


@theorem(
    "f2.unit-mode",
    "At an index whose one bit is the j-th of a mode, the mode is its stride moved up by j; elsewhere it is 0.",
    given=(n, v, x, o, r, j),
    hypotheses=(n >= 0, _IS_UNIT),
    conclusion=iff(mode_at(n, v, x, o, r), conj(j >= 0, j < n, bit(v, r - j))),
    instance=_unit,
    mutants=(
        Mutant("any index", hypotheses=(n >= 0,), instance=_words),
        Mutant("moved down", conclusion=iff(mode_at(n, v, x, o, r), conj(j >= 0, j < n, bit(v, r + j)))),
        Mutant("past the mode", conclusion=iff(mode_at(n, v, x, o, r), conj(j >= 0, bit(v, r - j)))),
    ),
)
def unit_mode(p: Proof) -> None:
    p.descent(n)
    p.unfold(mode_at(n, v, x, o, r))
    for case in p.cases(eq(n, 0), n >= 1):
        if not case.is_first:
            case.at(_IS_UNIT, o + n - 1)
            case.ih(n=n - 1)
            for at in case.cases(eq(j, n - 1), disj(j < n - 1, j > n - 1)):
                at.done()
        else:
            case.done()


@theorem(
    "f2.columns",
    "The column j is the value at the index 2^j: 0 where the layout has no such bit.",
    given=(L, x, o, r, j),
    hypotheses=(_IS_UNIT,),
    conclusion=iff(value_at(L, x, o, r), entry(L, j, r)),
    instance=_unit,
    mutants=(
        Mutant("any index", hypotheses=(), instance=_words),
        Mutant("the next column", conclusion=iff(value_at(L, x, o, r), entry(L, j + 1, r))),
        Mutant("never 0", conclusion=value_at(L, x, o, r)),
    ),
    source="paper §2.4.4; Triton's linear layouts",
)
def columns_are_values(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(value_at(empty(), x, o, r), entry(empty(), j, r))
        p.done()

    def step(p: Proof, k: Term, v: Term, T: Term) -> None:
        p.unfold(value_at(front(k, v, T), x, o, r), entry(front(k, v, T), j, r))
        p.use("f2.unit-mode", n=k, v=v)

        def later(p: Proof, i: Term) -> None:
            p.at(_IS_UNIT, i)
            p.done()

        p.every(always((i,), iff(bit(x, i), eq(i, o + k + (j - k)))), later)
        p.ih(o=o + k, j=j - k)
        for case in p.cases(j < k, j >= k):
            if case.is_first:
                case.use("f2.no-column-before", L=T, j=j - k)
            case.done()

    p.induction(L, BITS, base, step)


@theorem(
    "f2.from-matrix",
    "From columns to a layout and back: modes 2:f_c with the columns c have that matrix.",
    given=(L, j, r),
    hypotheses=(single(L), j >= 0, j < width(L)),
    conclusion=iff(entry(L, j, r), bit(column(L, j), r)),
    instance=lambda rng: (
        _words(rng) | {"L": tuple((1, rng.getrandbits(4)) for _ in range(rng.randint(1, 5))), "j": rng.randint(-1, 4)}
    ),
    mutants=(
        Mutant("larger modes", hypotheses=(j >= 0, j < width(L)), instance=_words),
        Mutant("the next column", conclusion=iff(entry(L, j, r), bit(column(L, j + 1), r))),
        Mutant("another row", conclusion=iff(entry(L, j, r), bit(column(L, j), r + 1))),
    ),
    source="paper §2.4.4; Triton's linear layouts",
)
def from_matrix(p: Proof) -> None:
    def base(p: Proof) -> None:
        p.unfold(width(empty()))
        p.done()

    def step(p: Proof, k: Term, v: Term, T: Term) -> None:
        made = front(k, v, T)
        p.unfold(single(made), width(made), entry(made, j, r), column(made, j))
        for case in p.cases(eq(j, 0), j >= 1):
            if not case.is_first:
                case.ih(j=j - 1)
            case.done()

    p.induction(L, BITS, base, step)


_SAME_COLUMNS = every(j, 0, width(L), iff(entry(L, j, r), entry(M, j, r)))


@theorem(
    "f2.same-columns",
    "The first n columns of two matrices that agree on them make the same of every index.",
    given=(L, M, x, o, r, n, j),
    hypotheses=(n >= 0, n <= width(L), _SAME_COLUMNS),
    conclusion=iff(applied(n, L, x, o, r), applied(n, M, x, o, r)),
    instance=_words,
    mutants=(
        Mutant("matrices unknown", hypotheses=(n >= 0, n <= width(L)), instance=lambda rng: _words(rng) | {"M": ()}),
        Mutant("another index", conclusion=iff(applied(n, L, x, o, r), applied(n, M, x + 1, o, r))),
        Mutant("a column more", conclusion=iff(applied(n, L, x, o, r), applied(n + 1, M, x, o, r))),
    ),
)
def same_columns(p: Proof) -> None:
    p.descent(n)
    p.unfold(applied(n, L, x, o, r), applied(n, M, x, o, r))
    for case in p.cases(eq(n, 0), n >= 1):
        if not case.is_first:
            case.at(_SAME_COLUMNS, n - 1)
            case.ih(n=n - 1)
        case.done()


@theorem(
    "f2.faithful",
    "From a layout to its matrix and back nothing is lost: layouts of as many bits with one matrix are one function, "
    "bit by bit of the offset. With f2.from-matrix: the layout made of a layout's columns is it.",
    given=(L, M, x, o, r, j),
    hypotheses=(eq(width(L), width(M)), _SAME_COLUMNS),
    conclusion=iff(value_at(L, x, o, r), value_at(M, x, o, r)),
    instance=_words,
    mutants=(
        Mutant(
            "matrices unknown",
            hypotheses=(eq(width(L), width(M)),),
            instance=lambda rng: _words(rng) | {"L": ((1, 1),), "M": ((1, 2),)},
        ),
        Mutant(
            "more bits",
            hypotheses=(_SAME_COLUMNS,),
            instance=lambda rng: _words(rng) | {"L": ((1, 1),), "M": ((1, 1), (1, 2))},
        ),
        Mutant("another row", conclusion=iff(value_at(L, x, o, r), value_at(M, x, o, r + 1))),
    ),
    meaning=_is_the_model,
    source="paper §2.4.4; Triton's linear layouts",
)
def faithful(p: Proof) -> None:
    p.use("f2.matrix")
    p.use("f2.matrix", L=M)
    p.use("f2.width")
    p.use("f2.same-columns", n=width(L))
    p.done()


_MOVED = always((i,), iff(bit(u, i), bit(v, i - k)))


@theorem(
    "f2.merged-mode",
    "A mode of k + l bits is its first k, and l with the stride moved up by k.",
    given=(k, l_, v, u, x, o, r),
    hypotheses=(k >= 0, l_ >= 0, _MOVED),
    conclusion=iff(mode_at(k + l_, v, x, o, r), xor(mode_at(k, v, x, o, r), mode_at(l_, u, x, o + k, r))),
    instance=_words,
    mutants=(
        Mutant("any stride", hypotheses=(k >= 0, l_ >= 0)),
        Mutant("k bits alone", conclusion=iff(mode_at(k + l_, v, x, o, r), mode_at(k, v, x, o, r))),
        Mutant(
            "the same bits of the index",
            conclusion=iff(mode_at(k + l_, v, x, o, r), xor(mode_at(k, v, x, o, r), mode_at(l_, u, x, o, r))),
        ),
    ),
)
def merged_mode(p: Proof) -> None:
    p.descent(l_)
    p.unfold(mode_at(l_, u, x, o + k, r))
    for case in p.cases(eq(l_, 0), l_ >= 1):
        if not case.is_first:
            case.unfold(mode_at(k + l_, v, x, o, r))
            case.at(_MOVED, r - (l_ - 1))
            case.ih(l=l_ - 1)
        case.done()


def _coalesces(e: Instance) -> bool:
    """The model's coalesce makes of the pair in front of L what it makes of the one mode, and keeps every value."""
    pair = ((e["k"], e["v"]), (e["l"], e["u"]), *e["L"])
    layout, found = _as_layout(pair), coalesce(_as_layout(pair))
    is_merged = e["u"] != e["v"] << e["k"] or found == coalesce(_as_layout(((e["k"] + e["l"], e["v"]), *e["L"])))
    return is_merged and all(found(index) == layout(index) for index in range(min(1 << _total(pair), 64)))


@theorem(
    "f2.coalesce",
    "Modes 2^k:f_v and 2^l:f_u merge into 2^(k+l):f_v where u = 2^k·v: same values, bit by bit of the offset.",
    given=(L, k, l_, v, u, x, o, r),
    hypotheses=(k >= 0, l_ >= 0, _MOVED),
    conclusion=iff(value_at(front(k, v, front(l_, u, L)), x, o, r), value_at(front(k + l_, v, L), x, o, r)),
    instance=_words,
    mutants=(
        Mutant("any stride", hypotheses=(k >= 0, l_ >= 0)),
        Mutant(
            "the other stride",
            conclusion=iff(value_at(front(k, v, front(l_, u, L)), x, o, r), value_at(front(k + l_, u, L), x, o, r)),
        ),
        Mutant(
            "the first mode alone",
            conclusion=iff(value_at(front(k, v, front(l_, u, L)), x, o, r), value_at(front(k, v, L), x, o, r)),
        ),
    ),
    meaning=_coalesces,
    source="paper §3.2 with §2.3",
)
def merges(p: Proof) -> None:
    p.use("f2.merged-mode")
    p.unfold(value_at(front(k, v, front(l_, u, L)), x, o, r), value_at(front(l_, u, L), x, o + k, r))
    p.unfold(value_at(front(k + l_, v, L), x, o, r))
    p.done()
