"""Zeros of an integer combination over a box: Σ cᵢ·dᵢ = 0 with lowᵢ ≤ cᵢ ≤ highᵢ, which is what collisions are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd

from .errors import Undecided

NODES = 1 << 18

Range = tuple[int, int, int]  # low, high, stride; low ≤ 0 ≤ high


def find_zero(ranges: list[Range], accept: Callable[[list[int]], bool]) -> list[int] | None:
    """The first zero that ``accept`` takes, or None when there is none; strides must not be 0.

    Search from the largest stride down: what is left must lie within the reach of the smaller strides and be a
    multiple of their common divisor, so that a chain of strides leaves one choice a level. Raises Undecided after
    NODES partial sums.

    >>> find_zero([(-3, 3, 1), (-2, 2, 2)], any)
    [2, -1]
    >>> find_zero([(-3, 3, 1), (-7, 7, 4)], any) is None
    True
    """
    order = sorted(range(len(ranges)), key=lambda i: abs(ranges[i][2]))
    box = [ranges[i] for i in order]
    budget = [NODES]
    if not box:
        return [] if accept([]) else None
    for found in _zeros(box, _reaches(box), budget):
        result = [0] * len(box)
        for place, c in zip(order, found, strict=True):
            result[place] = c
        if accept(result):
            return result
    return None


def _reaches(box: list[Range]) -> list[tuple[int, int, int]]:
    """For each count of smallest strides: the least and greatest sum of their terms, and their common divisor."""
    reaches = [(0, 0, 0)]
    for low, high, d in box:
        least, greatest, g = reaches[-1]
        ends = (low * d, high * d)
        reaches.append((least + min(ends), greatest + max(ends), gcd(g, d)))
    return reaches


def _zeros(box: list[Range], reaches: list[tuple[int, int, int]], budget: list[int]) -> Iterator[list[int]]:
    """Coefficients of all strides whose sum is 0, depth first from the largest stride down, small ones first."""
    chosen: list[int] = []
    totals = [0]
    levels: list[Iterator[int]] = [_coefficients(box, reaches, len(box) - 1, 0, budget)]
    while levels:
        c = next(levels[-1], None)
        if c is None:
            levels.pop()
            totals.pop()
            if chosen:
                chosen.pop()
            continue
        top = len(box) - len(levels)
        total = totals[-1] + c * box[top][2]
        if top == 0:
            if total == 0:
                yield [c, *reversed(chosen)]
            continue
        chosen.append(c)
        totals.append(total)
        levels.append(_coefficients(box, reaches, top - 1, total, budget))


def _coefficients(
    box: list[Range], reaches: list[tuple[int, int, int]], top: int, total: int, budget: list[int]
) -> Iterator[int]:
    """What the stride ``top`` may be taken with, when the larger ones sum to ``total``.

    What is left must lie within the reach of the smaller strides and be a multiple of their common divisor g.
    """
    least, greatest, g = reaches[top + 1]
    if not least <= -total <= greatest or (total % g if g else total):
        return iter(())
    budget[0] -= 1
    if budget[0] < 0:
        raise Undecided(f"more than {NODES} partial sums were tried for two coordinates with one offset")
    low, high, d = box[top]
    least, greatest, g = reaches[top]
    first, last = sorted((-total - greatest, -total - least)) if d > 0 else sorted((total + least, total + greatest))
    size = abs(d)
    low, high = max(low, -(-first // size)), min(high, last // size)
    step = 1
    if g:
        common = gcd(size, g)
        if total % common:
            return iter(())
        step = g // common
        if step > 1:
            residue = (-total // common if d > 0 else total // common) * pow(size // common, -1, step) % step
            low += (residue - low) % step
    wanted = range(low, high + 1, step)
    return iter(sorted(wanted, key=abs) if len(wanted) < 4096 else wanted)
