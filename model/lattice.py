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
    for found in _zeros(box, _reaches(box), len(box) - 1, 0, budget):
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


def _zeros(
    box: list[Range], reaches: list[tuple[int, int, int]], top: int, total: int, budget: list[int]
) -> Iterator[list[int]]:
    """Coefficients of the strides 0…top whose sum is −total, small ones of the largest stride first."""
    least, greatest, g = reaches[top + 1]
    if not least <= -total <= greatest or (total % g if g else total):
        return
    if top < 0:
        yield []
        return
    budget[0] -= 1
    if budget[0] < 0:
        raise Undecided(f"more than {NODES} partial sums were tried for two coordinates with one offset")
    low, high, d = box[top]
    least, greatest, g = reaches[top]
    # c·d must lie in [−total − greatest, −total − least] and be ≡ −total modulo g
    first, last = sorted((-total - greatest, -total - least)) if d > 0 else sorted((total + least, total + greatest))
    size = abs(d)
    low, high = max(low, -(-first // size)), min(high, last // size)
    step = 1
    if g:
        common = gcd(size, g)
        if total % common:
            return
        step = g // common
        if step > 1:
            residue = (-total // common if d > 0 else total // common) * pow(size // common, -1, step) % step
            low += (residue - low) % step
    for c in sorted(range(low, high + 1, step), key=abs) if (high - low) // step < 4096 else range(low, high + 1, step):
        for rest in _zeros(box, reaches, top - 1, total + c * d, budget):
            yield [*rest, c]
