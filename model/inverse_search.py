"""Right inverses, and layouts within a set, that no closed form gives: exhaustive searches, within a budget."""

from __future__ import annotations

from .errors import Undecided
from .htuple import size

POINTS = 1 << 16  # coordinates tabulated
NODES = 1 << 18  # choices tried

IndexedMode = tuple[int, int, int]  # size, stride, stride of the index


def offset_at(modes: list[IndexedMode]) -> dict[int, int]:
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
    return search_right_in(offset_at(modes))


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
