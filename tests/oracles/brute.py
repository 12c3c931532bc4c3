"""What a layout operation must answer, found by trying everything.

This module shares no code with ``model/`` and none of its rules. A layout is a pair ``(shape, stride)`` of integers
or nested tuples; it becomes a table of integers as early as possible, and every question is then put to tables:

* a table *is a layout* when one of the ordered factorisations of its length reproduces it (all of them are tried);
* a bounded complement is found by tiling: the least offset that is not yet covered must start the next copy;
* a right inverse is found by trying every first stride, every size, then every next stride;
* a left inverse is found by trying every chain of prime mode sizes and solving for the strides exactly, in integers.

An *answer* is ``("layout", shape, stride)``, ``("refused", witness)`` or ``("unknown",)``. The ``check_*`` functions
return ``"right"``, ``"wrong"``, ``"wrongly refused"`` or ``"unknown"``.

What the figures cover: integer strides of any sign, zero included; sizes and offsets small enough for 64-bit tables
(the benchmarks stay at sizes up to 64). Left inverses are decided for every such layout, also those with negative
offsets or that are not injective. There the inverse is evaluated past its end (and below zero) as the extended domain
defines, and its values must be integral coordinates of the layout in bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import gcd, prod
from typing import Any

import numpy as np

HTuple = Any
"""An integer, or a tuple of such."""
Pair = tuple[HTuple, HTuple]
"""A layout: shape, stride."""
Table = np.ndarray

RIGHT, WRONG, WRONGLY_REFUSED, UNKNOWN = "right", "wrong", "wrongly refused", "unknown"


# --------------------------------------------------------------------------------------------------------------------
# Layouts as pairs


def leaves(tree: HTuple) -> tuple[int, ...]:
    """The elements of an HTuple, left to right.

    >>> leaves(((2, 2), (4, 2)))
    (2, 2, 4, 2)
    """
    if isinstance(tree, tuple):
        return tuple(leaf for part in tree for leaf in leaves(part))
    return (tree,)


def size(shape: HTuple) -> int:
    """The number of coordinates of a shape."""
    return prod(leaves(shape))


def same_profile(one: HTuple, other: HTuple) -> bool:
    """Whether two HTuples nest in the same way."""
    if isinstance(one, tuple) != isinstance(other, tuple):
        return False
    if not isinstance(one, tuple):
        return True
    return len(one) == len(other) and all(same_profile(a, b) for a, b in zip(one, other, strict=True))


def compatible(coarse: HTuple, fine: HTuple) -> bool:
    """Whether ``fine`` refines ``coarse`` (definition 2.7): an integer of equal size, or mode by mode.

    >>> compatible((4, 6), (4, (2, 3))), compatible((4, (2, 3)), (4, 6)), compatible(24, (4, 6))
    (True, False, True)
    """
    if not isinstance(coarse, tuple):
        return bool(coarse == size(fine))
    return (
        isinstance(fine, tuple)
        and len(coarse) == len(fine)
        and all(compatible(c, f) for c, f in zip(coarse, fine, strict=True))
    )


def well_formed(layout: Pair) -> bool:
    """Positive integer sizes and a stride of the same profile."""
    shape, stride = layout
    return same_profile(shape, stride) and all(isinstance(s, int) and s > 0 for s in leaves(shape))


def at(layout: Pair, index: Table) -> Table:
    """The layout's values at integral coordinates of any size and sign: the last mode is not reduced.

    >>> at(((4, 2), (1, 10)), np.array([0, 5, 8, -1])).tolist()
    [0, 11, 20, -7]
    """
    sizes, strides = leaves(layout[0]), leaves(layout[1])
    rest = np.asarray(index, dtype=np.int64)
    total = np.zeros_like(rest)
    for s, d in zip(sizes[:-1], strides[:-1], strict=True):
        total += rest % s * d
        rest = rest // s
    return total + rest * strides[-1]


def table(layout: Pair) -> Table:
    """The layout's values at 0, 1, …, size-1.

    >>> table(((2, 3), (3, 1))).tolist()
    [0, 3, 1, 4, 2, 5]
    """
    return at(layout, np.arange(size(layout[0])))


# --------------------------------------------------------------------------------------------------------------------
# Which tables are layouts


@cache
def ordered_factorisations(n: int) -> tuple[tuple[int, ...], ...]:
    """Every way to write n as an ordered product of factors of at least two.

    >>> ordered_factorisations(12)
    ((12,), (2, 6), (2, 2, 3), (2, 3, 2), (3, 4), (3, 2, 2), (4, 3), (6, 2))
    """
    if n == 1:
        return ((),)
    found: list[tuple[int, ...]] = [(n,)]
    for first in range(2, n // 2 + 1):
        if n % first == 0:
            found += [(first, *rest) for rest in ordered_factorisations(n // first)]
    return tuple(found)


@cache
def _digits(factors: tuple[int, ...]) -> tuple[Table, Table]:
    """Where each mode's unit coordinate lies, and the digits of every index."""
    units, digits, unit = [], [], 1
    index = np.arange(prod(factors))
    for factor in factors:
        units.append(unit)
        digits.append(index // unit % factor)
        unit *= factor
    return np.array(units), np.stack(digits, axis=1)


def layouts_of(values: Table) -> Iterator[Pair]:
    """Every flat layout without size-1 modes that has this table: the strides are forced at the unit coordinates.

    >>> list(layouts_of(np.array([0, 1, 2, 3])))
    [((4,), (1,)), ((2, 2), (1, 2))]
    >>> list(layouts_of(np.array([0, 1, 2, 5])))
    []
    """
    if len(values) == 1:
        if values[0] == 0:
            yield (1,), (0,)
        return
    for factors in ordered_factorisations(len(values)):
        units, digits = _digits(factors)
        strides = values[units]
        if np.array_equal(digits @ strides, values):
            yield factors, tuple(int(d) for d in strides)


def shortest_layout(values: Table) -> Pair | None:
    """A layout of least rank with this table, or None.

    >>> shortest_layout(np.array([0, 2, 1, 3]))
    ((2, 2), (2, 1))
    """
    return min(layouts_of(values), key=lambda found: len(found[0]), default=None)


# --------------------------------------------------------------------------------------------------------------------
# Composition


@dataclass(frozen=True)
class Truth:
    """What is to be answered: the table, and a layout with it, or None when there is none."""

    table: Table | None
    answer: Pair | None
    why: str = ""
    bound: int = 0


def _refill(profile: HTuple, parts: Iterator[HTuple]) -> HTuple:
    if isinstance(profile, tuple):
        return tuple(_refill(p, parts) for p in profile)
    return next(parts)


def composition_truth(a: Pair, b: Pair) -> Truth:
    """Decide whether a layout refining B has the table of A∘B.

    Over each leaf of B the layout must have the table of A along that leaf (all other coordinates are zero there), so
    all factorisations of that leaf are tried; the parts then determine the whole, which is compared everywhere.

    >>> composition_truth(((6, 2), (1, 7)), ((3, 2), (2, 3))).answer is None
    True
    >>> composition_truth(((3, 6, 2), (7, 8, 6)), (3, 4)).answer
    (3, 15)
    """
    wanted = at(a, table(b))
    shapes: list[HTuple] = []
    strides: list[HTuple] = []
    for s, d in zip(leaves(b[0]), leaves(b[1]), strict=True):
        part = shortest_layout(at(a, np.arange(s) * d))
        if part is None:
            return Truth(wanted, None, f"A along the leaf {s}:{d} is no layout")
        shapes.append(part[0] if len(part[0]) > 1 else part[0][0])
        strides.append(part[1] if len(part[1]) > 1 else part[1][0])
    answer = _refill(b[0], iter(shapes)), _refill(b[0], iter(strides))
    if not np.array_equal(table(answer), wanted):
        return Truth(wanted, None, "the parts do not add up")
    return Truth(wanted, answer)


def _settle(answer: tuple[Any, ...], exists: bool, holds: Any) -> str:
    if answer[0] == "unknown":
        return UNKNOWN
    if answer[0] == "refused":
        return WRONGLY_REFUSED if exists else RIGHT
    layout = answer[1], answer[2]
    return RIGHT if exists and well_formed(layout) and holds(layout) else WRONG


def check_composition(a: Pair, b: Pair, answer: tuple[Any, ...], truth: Truth | None = None) -> str:
    """Judge an answer to A∘B: it must refine B's shape and have the table of A∘B."""
    truth = truth or composition_truth(a, b)
    wanted = truth.table

    def holds(r: Pair) -> bool:
        return wanted is not None and compatible(b[0], r[0]) and np.array_equal(table(r), wanted)

    return _settle(answer, truth.answer is not None, holds)


# --------------------------------------------------------------------------------------------------------------------
# Bounded complement


def complement_truth(layout: Pair, bound: int) -> Truth:
    """The ordered layout whose translates of L's image tile Z_M, for the least M ≥ bound that has one.

    In a tiling of Z_M by translates of a set that holds 0 and no negative offset, the least uncovered offset can only
    be covered by the translate that starts there. So the translates are forced, one after another; a collision refutes
    every M at once.

    >>> complement_truth(((4, 8), (8, 1)), 64).answer, complement_truth((4, 2), 9).answer
    (((2,), (32,)), ((2, 2), (1, 8)))
    >>> complement_truth(((2, 3), (1, 3)), 18).why
    'offset 2 cannot be covered'
    """
    offsets = table(layout)
    if len(set(offsets.tolist())) < len(offsets):
        return Truth(None, None, "not injective")
    if offsets.min() < 0:
        return Truth(None, None, "negative offset")
    image = sum(1 << int(x) for x in offsets)
    covered, starts = 0, []
    limit = 8 * (bound + int(offsets.max()) + 1)
    while covered.bit_length() <= limit:
        start = (~covered & (covered + 1)).bit_length() - 1
        if covered & (image << start):
            return Truth(None, None, f"offset {start} cannot be covered")
        covered |= image << start
        starts.append(start)
        if covered & (covered + 1) == 0 and covered.bit_length() >= bound:
            values = np.array(starts)
            answer = shortest_layout(values)
            if answer is not None:
                return Truth(values, answer, bound=covered.bit_length())
    raise RuntimeError(f"tiling not settled below {limit}: {layout}, {bound}")


def check_complement(layout: Pair, bound: int, answer: tuple[Any, ...], truth: Truth | None = None) -> str:
    """Judge a bounded complement: ordered, with (L, L*) a bijection onto Z_M for the least M."""
    truth = truth or complement_truth(layout, bound)

    def holds(r: Pair) -> bool:
        if size(r[0]) * size(layout[0]) != truth.bound:
            return False
        rests = table(r)
        if np.any(np.diff(rests) <= 0):
            return False
        sums = np.sort((rests[:, None] + table(layout)[None, :]).ravel())
        return np.array_equal(sums, np.arange(truth.bound))

    return _settle(answer, truth.answer is not None, holds)


def is_disjoint_complement(layout: Pair, other: Pair) -> bool:
    """Whether another layout is ordered and (L, other) is injective on its coordinates: a partial complement."""
    if not well_formed(other) or size(other[0]) * size(layout[0]) > 1 << 20:
        return False
    rests = table(other)
    sums = (rests[:, None] + table(layout)[None, :]).ravel()
    return bool(np.all(np.diff(rests) > 0)) and len(np.unique(sums)) == len(sums)


# --------------------------------------------------------------------------------------------------------------------
# Logical divide


def divide_truth(a: Pair, b: Pair) -> tuple[Truth, Truth]:
    """The logical divide of A by a layout B, and the complement of B that it rests on.

    A is first replaced by the layout of least rank with its table, which is what decides the values past its end.

    >>> divide_truth((24, 3), (8, 3))[0].answer
    ((8, (3,)), (9, (3,)))
    """
    rest = complement_truth(b, size(a[0]))
    if rest.answer is None:
        return Truth(None, None, rest.why), rest
    short = shortest_layout(table(a))
    assert short is not None
    return composition_truth(short, ((b[0], rest.answer[0]), (b[1], rest.answer[1]))), rest


def check_divide(a: Pair, b: Pair, answer: tuple[Any, ...], truth: tuple[Truth, Truth] | None = None) -> str:
    """Judge a logical divide: two modes, tile and rest, refining B and its complement, right at every coordinate."""
    truth = truth or divide_truth(a, b)
    whole, rest = truth

    def holds(r: Pair) -> bool:
        assert rest.answer is not None
        assert whole.table is not None
        if not isinstance(r[0], tuple) or len(r[0]) != 2 or not compatible(b[0], r[0][0]):
            return False
        if not _refines(r[0][1], rest.answer[0]):
            return False
        return np.array_equal(table(r), whole.table)

    return _settle(answer, whole.answer is not None, holds)


def _refines(fine: HTuple, coarse: HTuple) -> bool:
    """Whether every boundary between modes of the coarse shape is one of the fine shape too."""
    return _boundaries(coarse) <= _boundaries(fine) and size(fine) == size(coarse)


def _boundaries(shape: HTuple) -> set[int]:
    found, unit = {1}, 1
    for s in leaves(shape):
        unit *= s
        found.add(unit)
    return found


# --------------------------------------------------------------------------------------------------------------------
# Right inverse


def right_inverse_truth(layout: Pair) -> Truth:
    """The largest R into Z_|L| with L(R(k)) = k, by trying every chain of strides and sizes.

    >>> right_inverse_truth(((2, 3), (1, 1))).bound, right_inverse_truth(((4, 8), (1, 5))).answer
    (4, ((4,), (1,)))
    """
    offsets = table(layout).tolist()
    sources: dict[int, list[int]] = {}
    for k, x in enumerate(offsets):
        sources.setdefault(x, []).append(k)
    run = 0
    while run in sources:
        run += 1
    reach = [frozenset(sources[k]) for k in range(run)]
    best: tuple[int, tuple[int, ...], tuple[int, ...]] = (1, (), ())
    seen: set[tuple[int, ...]] = set()
    stack: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [((0,), (), ())]
    while stack and best[0] < run:
        values, shape, stride = stack.pop()
        n = len(values)
        if n > best[0]:
            best = n, shape, stride
        if n >= run:
            continue
        for step in sources[n]:
            if shape and step == shape[-1] * stride[-1]:
                continue  # the same mode, longer: that size was tried on its own
            grown = values
            for i in range(1, run // n):
                more = tuple(v + step * i for v in values)
                if not all(m in reach[n * i + j] for j, m in enumerate(more)):
                    break
                grown += more
                if grown not in seen:
                    seen.add(grown)
                    stack.append((grown, (*shape, i + 1), (*stride, step)))
    n, shape, stride = best
    if n == 1:
        return Truth(np.zeros(1, dtype=np.int64), ((1,), (0,)), bound=1)
    return Truth(table((shape, stride)), (shape, stride), bound=n)


def check_right_inverse(layout: Pair, answer: tuple[Any, ...], truth: Truth | None = None) -> str:
    """Judge a right inverse: into Z_|L|, L(R(k)) = k on all of Z_|R|, and no longer one exists."""
    truth = truth or right_inverse_truth(layout)

    def holds(r: Pair) -> bool:
        n = size(r[0])
        if n != truth.bound:
            return False
        values = table(r)
        if values.min() < 0 or values.max() >= size(layout[0]):
            return False
        return np.array_equal(table(layout)[values], np.arange(n))

    return _settle(answer, True, holds)


# --------------------------------------------------------------------------------------------------------------------
# Left inverse: chains of primes, and strides by exact elimination


@cache
def _primes(limit: int) -> tuple[int, ...]:
    return tuple(n for n in range(2, limit + 1) if all(n % p for p in range(2, int(n**0.5) + 1)))


Row = tuple[tuple[int, ...], int]
"""Integer coefficients of the strides, and the value that they must give."""


def _reduce(basis: tuple[Row, ...], row: Row) -> tuple[tuple[int, ...], int, int]:
    """Eliminate the pivots of an echelon basis from a row; the last number is the factor its own value got."""
    coefficients, value, factor = list(row[0]), 0, 1
    for known, rhs in basis:
        pivot = next(i for i, c in enumerate(known) if c)
        if coefficients[pivot]:
            keep, take = known[pivot], coefficients[pivot]
            common = gcd(keep, take)
            keep, take = keep // common, take // common
            for i in range(len(coefficients)):
                coefficients[i] = coefficients[i] * keep - (known[i] if i < len(known) else 0) * take
            value = value * keep - rhs * take
            factor *= keep
    return tuple(coefficients), value, factor


def _grow(basis: tuple[Row, ...], row: tuple[int, ...], choices: tuple[int, ...]) -> Iterator[tuple[Row, ...]]:
    """The bases that follow from demanding that a row give one of some values."""
    coefficients, value, factor = _reduce(basis, (row, 0))
    if not any(coefficients):
        if any(factor * choice + value == 0 for choice in choices):
            yield basis
        return
    for choice in choices:
        rhs = factor * choice + value
        common = gcd(rhs, *coefficients)
        yield (*basis, (tuple(c // common for c in coefficients), rhs // common))


def solve_integers(rows: tuple[Row, ...], width: int) -> tuple[int, ...] | None:
    """An integer solution of a system of independent integer equations, or None: unimodular column operations.

    >>> solve_integers((((2, 3), 1),), 2), solve_integers((((2, 4), 1),), 2)
    ((-1, 1), None)
    """
    matrix = [[*row, *[0] * (width - len(row))] for row, _ in rows]
    unimodular = [[int(i == j) for j in range(width)] for i in range(width)]
    everything = matrix + unimodular
    done = 0
    solution: list[int] = []
    for r, row in enumerate(matrix):
        while sum(1 for c in row[done:] if c) > 1:
            small = min((c for c in range(done, width) if row[c]), key=lambda c: abs(row[c]))
            for c in range(done, width):
                if c != small and row[c]:
                    times = row[c] // row[small]
                    for line in everything:
                        line[c] -= times * line[small]
        pivot = next((c for c in range(done, width) if row[c]), None)
        known = sum(row[i] * solution[i] for i in range(done))
        missing = rows[r][1] - known
        if pivot is None:
            if missing:
                return None
            continue
        for line in everything:
            line[done], line[pivot] = line[pivot], line[done]
        if missing % row[done]:
            return None
        solution.append(missing // row[done])
        done += 1
    return tuple(sum(line[i] * solution[i] for i in range(done)) for line in unimodular)


def _digit_row(x: int, sizes: tuple[int, ...], tail: bool) -> tuple[int, ...]:
    digits = []
    for s in sizes:
        digits.append(x % s)
        x //= s
    return (*digits, x) if tail else tuple(digits)


def left_inverse_truth(layout: Pair) -> Truth:
    """A layout R with R(L(k)) in Z_|L| and L(R(L(k))) = L(k) for every k, or the fact that there is none.

    Splitting a mode of R only adds freedom, so it is enough to try every sequence of prime mode sizes until the product
    passes the largest offset; the strides are then the unknowns of linear equations, one for each offset, whose right
    side is a coordinate with that offset (every such coordinate is tried). Offsets below zero are met by a last mode
    that is evaluated at -1.

    >>> left_inverse_truth(((2, 2), (2, 3))).answer is None, left_inverse_truth(((3, 3), (2, 3))).answer is None
    (False, True)
    """
    offsets = table(layout).tolist()
    sources: dict[int, list[int]] = {}
    for k, x in enumerate(offsets):
        sources.setdefault(x, []).append(k)
    choices = {x: tuple(ks) for x, ks in sources.items() if x}
    above = sorted(x for x in choices if x > 0)
    below = sorted((x for x in choices if x < 0), reverse=True)
    top = max(above[-1] + 1 if above else 1, -below[-1] if below else 1)
    primes = _primes(max(2 * top, 2))

    def demand(basis: tuple[Row, ...], todo: list[int], sizes: tuple[int, ...], tail: bool) -> Iterator[Any]:
        if not todo:
            yield basis
            return
        for grown in _grow(basis, _digit_row(todo[0], sizes, tail), choices[todo[0]]):
            yield from demand(grown, todo[1:], sizes, tail)

    def search(sizes: tuple[int, ...], unit: int, basis: tuple[Row, ...]) -> Pair | None:
        width = len(sizes)
        if unit >= top:
            for full in demand(basis, below, sizes, True):
                strides = solve_integers(full, width + 1)
                if strides is not None:
                    return (*sizes, 1), strides
            return None
        for p in primes:
            wide = (*sizes, p)
            new = [x for x in above if unit <= x < unit * p]
            for grown in demand(basis, new, wide, False):
                if len(grown) > len(basis) and solve_integers(grown, width + 1) is None:
                    continue
                near = [x for x in below if -x <= unit * p]
                if near and next(demand(grown, near, wide, True), None) is None:
                    continue
                found = search(wide, unit * p, grown)
                if found is not None:
                    return found
            if unit * p >= top:
                break  # a larger last prime changes nothing
        return None

    answer = search((), 1, ())
    if answer is None:
        return Truth(None, None, "no chain of primes has integer strides")
    return Truth(None, answer)


def check_left_inverse(layout: Pair, answer: tuple[Any, ...], truth: Truth | None = None) -> str:
    """Judge a left inverse: R(L(k)) in Z_|L| and L(R(L(k))) = L(k) for every k."""
    truth = truth or left_inverse_truth(layout)

    def holds(r: Pair) -> bool:
        offsets = table(layout)
        back = at(r, offsets)
        if back.min() < 0 or back.max() >= len(offsets):
            return False
        return np.array_equal(offsets[back], offsets)

    return _settle(answer, truth.answer is not None, holds)
