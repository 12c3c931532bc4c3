"""Inverses that no closed form gives: exhaustive searches over all layouts, within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

from .errors import Undecided
from .htuple import size

POINTS = 1 << 16  # coordinates tabulated
NODES = 1 << 18  # choices tried

IndexedMode = tuple[int, int, int]  # size, stride, stride of the index


def _offset_at(modes: list[IndexedMode]) -> dict[int, int]:
    """The offset at every index of the modes; Undecided beyond POINTS of them."""
    points = size(tuple(s for s, _, _ in modes))
    if points > POINTS:
        raise Undecided(f"an inverse of {points} coordinates would have to be searched for, more than {POINTS}")
    table = [(0, 0)]
    for s, d, index in modes:
        table = [(i + index * c, x + d * c) for c in range(s) for i, x in table]
    return dict(table)


def search_right(modes: list[IndexedMode]) -> list[tuple[int, int]]:
    """The modes of the largest R with L(R(k)) = k, R into the indices of the given modes.

    R's next stride is an index whose offset is the number of elements so far; every such index and every length of
    its mode is tried. No R is longer than the offsets 0, 1, … go without a gap.
    """
    return search_right_in(_offset_at(modes))


def search_right_in(offset_at: dict[int, int]) -> list[tuple[int, int]]:
    """:func:`search_right` over the indices given, each with its offset."""
    indices_of: dict[int, list[int]] = {}
    for index, offset in sorted(offset_at.items()):
        indices_of.setdefault(offset, []).append(index)
    prefix = next(n for n in range(len(offset_at) + 1) if n not in indices_of)
    best: list[tuple[int, int]] = []
    best_size = 1
    budget = [NODES]

    def extend(found: list[tuple[int, int]], reached: list[int]) -> None:
        nonlocal best, best_size
        count = len(reached)
        if count > best_size:
            best, best_size = list(found), count
        for stride in indices_of.get(count, ()):
            if prefix // count * count <= best_size:
                return
            longest = _longest_mode(offset_at, reached, stride, count, budget)
            for n in range(longest, 1, -1):
                extend([*found, (n, stride)], [base + stride * c for c in range(n) for base in reached])

    extend([], [0])
    return best


def _longest_mode(offset_at: dict[int, int], reached: list[int], stride: int, count: int, budget: list[int]) -> int:
    """How many steps of ``stride`` keep L(R(k)) = k."""
    n = 1
    while all(offset_at.get(base + stride * n) == k + count * n for k, base in enumerate(reached)):
        n += 1
        budget[0] -= 1
    budget[0] -= 1
    if budget[0] < 0:
        raise Undecided(f"more than {NODES} choices were tried for the largest right inverse")
    return n


def search_within(indices: list[int]) -> list[tuple[int, int]]:
    """The modes of the largest injective layout whose values are among ``indices``, ascending and with 0 among them.

    An injective layout can be rearranged by stride, so strides are tried in ascending order.
    """
    allowed = set(indices)
    best: list[tuple[int, int]] = []
    best_size = 1
    budget = [NODES]

    def extend(found: list[tuple[int, int]], reached: set[int]) -> None:
        nonlocal best, best_size
        if len(reached) > best_size:
            best, best_size = list(found), len(reached)
        for stride in indices:
            if best_size == len(allowed):
                return
            if stride == 0 or (found and stride < found[-1][1]):
                continue
            grown, n = set(reached), 1
            while True:
                budget[0] -= 1
                if budget[0] < 0:
                    raise Undecided(f"more than {NODES} choices were tried for the largest layout of zeros")
                step = {x + stride * n for x in reached}
                if not step <= allowed or step & grown:
                    break
                grown |= step
                n += 1
                extend([*found, (n, stride)], set(grown))

    extend([], {0})
    return best


@dataclass(frozen=True)
class _Solutions:
    """All integer solutions of the equations so far: ``point`` plus any integer combination of ``basis``."""

    point: tuple[int, ...]
    basis: tuple[tuple[int, ...], ...]

    def with_unknown(self) -> _Solutions:
        """One more unknown, free."""
        n = len(self.point)
        return _Solutions((*self.point, 0), (*((*b, 0) for b in self.basis), (*[0] * n, 1)))

    def with_equation(self, row: list[int], value: int) -> _Solutions | None:
        """One more equation; None when no integer solution is left.

        Euclid's algorithm on what the basis vectors give brings all but one of them to zero.
        """
        missing = value - sum(a * x for a, x in zip(row, self.point, strict=True))
        gives = [(sum(a * x for a, x in zip(row, b, strict=True)), b) for b in self.basis]
        kept = [b for g, b in gives if g == 0]
        live = [(g, b) for g, b in gives if g]
        while len(live) > 1:
            live.sort(key=lambda pair: abs(pair[0]))
            g, b = live[0]
            rest = []
            for other, vector in live[1:]:
                q = other // g
                vector = tuple(v - q * x for v, x in zip(vector, b, strict=True))
                if other - q * g:
                    rest.append((other - q * g, vector))
                else:
                    kept.append(vector)
            live = [(g, b), *rest]
        if not live:
            return self if missing == 0 else None
        g, b = live[0]
        if missing % g:
            return None
        return _Solutions(tuple(x + missing // g * y for x, y in zip(self.point, b, strict=True)), tuple(kept))


def search_left(modes: list[IndexedMode]) -> list[tuple[int, int]] | None:
    """Modes of a layout R with R(y) an index of offset y, for every offset y; None when there is none.

    A layout is a chain of mode sizes and a stride for each; sizes that are prime suffice, as others coalesce from
    them. For a given chain the strides solve linear equations over the integers, one for each offset. Offsets are
    taken in ascending order: a boundary beyond an offset does not touch its digits, so each boundary is placed just
    before the offsets that it reaches. With negative offsets every digit matters, and whole chains are tried.
    """
    indices_of: dict[int, list[int]] = {}
    for index, offset in _offset_at(modes).items():
        indices_of.setdefault(offset, []).append(index)
    wanted = sorted(indices_of.items())
    budget = [NODES]
    start = _Solutions((0,), ((1,),))
    if wanted[0][0] >= 0:
        return _search(_State(0, (), 1, start), wanted, True, budget)
    for sizes in _chains([], 1, max(abs(offset) for offset, _ in wanted)):
        known = start
        for _ in sizes:
            known = known.with_unknown()
        found = _search(_State(0, tuple(sizes), size(tuple(sizes)), known), wanted, False, budget)
        if found is not None:
            return found
    return None


@dataclass(frozen=True)
class _State:
    """The offsets before ``at`` are placed: mode ``sizes`` of product ``top``, and the equations ``known``."""

    at: int
    sizes: tuple[int, ...]
    top: int
    known: _Solutions


def _search(
    start: _State, wanted: list[tuple[int, list[int]]], boundaries: bool, budget: list[int]
) -> list[tuple[int, int]] | None:
    """Depth first from ``start`` until every offset is placed; ``boundaries`` lets modes be added on the way."""
    stack = [iter([start])]
    while stack:
        state = next(stack[-1], None)
        if state is None:
            stack.pop()
            continue
        budget[0] -= 1
        if budget[0] < 0:
            raise Undecided(f"more than {NODES} choices were tried for a left inverse")
        if state.at == len(wanted):
            last = max(-(-(wanted[-1][0] + 1) // state.top), 1 if boundaries else 2)
            return list(zip([*state.sizes, last], state.known.point, strict=True))
        stack.append(_next_states(state, wanted, boundaries, budget))
    return None


def _next_states(
    state: _State, wanted: list[tuple[int, list[int]]], boundaries: bool, budget: list[int]
) -> Iterator[_State]:
    """The next offset placed on each of its indices, then each boundary that reaches it but none before it."""
    offset, indices = wanted[state.at]
    row = _digits(offset, state.sizes)
    for index in indices:
        solutions = state.known.with_equation(row, index)
        if solutions is not None:
            yield _State(state.at + 1, state.sizes, state.top, solutions)
    if not boundaries:
        return
    previous = wanted[state.at - 1][0] if state.at else 0
    for factor in _factors(previous // state.top + 1, offset, state.top, budget):
        yield _State(state.at, (*state.sizes, factor), state.top * factor, state.known.with_unknown())


def _factors(first: int, offset: int, top: int, budget: list[int]) -> Iterator[int]:
    """Sizes for the next mode: up to the offset itself if that is a boundary, then every prime that comes as far."""
    if offset % top == 0 and offset // top > 1:
        yield offset // top
    for n in range(max(first, 2), offset // top + 1):
        budget[0] -= 1
        if budget[0] < 0:
            raise Undecided(f"more than {NODES} choices were tried for a left inverse")
        if _is_prime(n):
            yield n


def _chains(sizes: list[int], top: int, reach: int) -> Iterator[list[int]]:
    """Chains of prime sizes, ended by the first whose product exceeds ``reach``: later boundaries change nothing."""
    if top > reach:
        yield sizes
        return
    for prime in filter(_is_prime, range(2, reach // top + 1)):
        yield from _chains([*sizes, prime], top * prime, reach)
    yield [*sizes, reach // top + 1]


def _digits(offset: int, sizes: Sequence[int]) -> list[int]:
    digits = []
    for s in sizes:
        offset, digit = divmod(offset, s)
        digits.append(digit)
    return [*digits, offset]


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % k for k in range(2, isqrt(n) + 1))
