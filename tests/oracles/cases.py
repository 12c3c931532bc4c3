"""Seeded random questions: layouts with sizes to 64, some that operations accept and some that they must refuse.

Strides come from several sources, chosen anew for every case: compact layouts in any order of modes, padded ones,
chains with gaps, small integers at random, and these with some strides set to zero or below. About half of the
compositions stay inside A.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

from .brute import Pair, leaves, size

OPERATIONS = ("composition", "complement", "divide", "right_inverse", "left_inverse")
LIMIT = 64
_BLOCK = 500


def random_sizes(rng: Random, rank: int, limit: int = LIMIT) -> tuple[int, ...]:
    """Sizes of a rank whose product stays below a limit; powers of two are frequent, ones are rare."""
    sizes: list[int] = []
    for left in range(rank, 0, -1):
        room = limit // prod(sizes)
        most = max(1, int(room ** (1 / left) * rng.choice((1, 1, 2))))
        most = min(most, room)
        kind = rng.random()
        if kind < 0.06 or most < 2:
            sizes.append(1)
        elif kind < 0.5:
            sizes.append(2 ** rng.randint(1, most.bit_length() - 1))
        else:
            sizes.append(rng.randint(2, most))
    rng.shuffle(sizes)
    return tuple(sizes)


def random_strides(rng: Random, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Strides for some sizes: compact, padded, a chain with gaps, or arbitrary; sometimes zero or negative ones."""
    order = list(range(len(sizes)))
    if rng.random() < 0.75:
        rng.shuffle(order)
    kind = rng.choice(("compact", "padded", "gaps", "gaps", "any", "any", "small"))
    strides = [0] * len(sizes)
    unit = rng.choice((1, 1, 1, 2, 3)) if kind == "gaps" else 1
    for mode in order:
        if kind in ("any", "small"):
            strides[mode] = rng.randint(0, rng.choice((12, 40)) if kind == "any" else 4)
            continue
        strides[mode] = unit
        unit *= sizes[mode]
        if kind == "gaps":
            unit *= rng.choice((1, 1, 2, 3))
        elif kind == "padded":
            unit += rng.choice((0, 0, 1, 2))
    for mode in range(len(sizes)):
        kind_of = rng.random()
        if kind_of < 0.06:
            strides[mode] = 0
        elif kind_of < 0.09:
            strides[mode] = -strides[mode]
    return tuple(strides)


def nest(rng: Random, sizes: tuple[int, ...], strides: tuple[int, ...]) -> Pair:
    """A layout of these leaves: an integer at rank one, otherwise flat or with some neighbours in a mode together."""
    if len(sizes) == 1:
        return sizes[0], strides[0]
    if len(sizes) > 2 and rng.random() < 0.4:
        cut = rng.randint(1, len(sizes) - 1)
        left, right = nest(rng, sizes[:cut], strides[:cut]), nest(rng, sizes[cut:], strides[cut:])
        return (left[0], right[0]), (left[1], right[1])
    return sizes, strides


def random_layout(rng: Random) -> Pair:
    """A layout with one to four leaves, rarely one."""
    sizes = random_sizes(rng, rng.choice((1, 2, 2, 3, 3, 4, 4)))
    return nest(rng, sizes, random_strides(rng, sizes))


def _aligned(rng: Random, a: Pair, sizes: tuple[int, ...], inside: bool) -> tuple[int, ...]:
    """Strides for B that lie at or near the boundaries between A's modes; inside A when asked for."""
    units, unit = [1], 1
    for s in leaves(a[0]):
        unit *= s
        units.append(unit)
    strides: list[int] = []
    room = size(a[0]) - 1
    for s in sizes:
        base = rng.choice(units)
        divisor = rng.choice([d for d in range(1, base + 1) if base % d == 0])
        d = rng.choice((base, divisor, base * rng.randint(1, 3), rng.randint(0, 12)))
        if inside:
            d = min(d, room // max(1, s - 1)) if s > 1 else d
            room -= (s - 1) * d
        strides.append(d)
    return tuple(strides)


def composition_case(rng: Random) -> list[Any]:
    """A of rank one to four, B of rank one to three; B stays inside A for half of them."""
    inside = rng.random() < 0.5
    for _ in range(20):
        a = random_layout(rng)
        sizes = random_sizes(rng, rng.randint(1, 3), rng.choice((16, LIMIT)))
        if rng.random() < 0.7:
            strides = _aligned(rng, a, sizes, inside)
            if not inside and rng.random() < 0.1:
                strides = tuple(rng.choice((d, -d, 0)) for d in strides)
        else:
            strides = random_strides(rng, sizes)
        ends = [(s - 1) * d for s, d in zip(sizes, strides, strict=True)]
        low, high = sum(min(e, 0) for e in ends), sum(max(e, 0) for e in ends)
        if inside == (low == 0 and high < size(a[0])):
            break
    return ["composition", a, nest(rng, sizes, strides)]


def complement_case(rng: Random) -> list[Any]:
    """A layout, and a bound below, at or above what it covers."""
    layout = random_layout(rng)
    reach = 1 + sum((s - 1) * abs(d) for s, d in zip(leaves(layout[0]), leaves(layout[1]), strict=True))
    bound = rng.choice((rng.randint(1, 2 * reach), reach, reach * rng.randint(1, 4), rng.randint(1, 256)))
    return ["complement", layout, bound]


def divide_case(rng: Random) -> list[Any]:
    """A layout and a tiler, dividing it or not."""
    a = random_layout(rng)
    sizes = random_sizes(rng, rng.randint(1, 3), rng.choice((8, 16, 16, LIMIT)))
    kind = rng.random()
    if kind < 0.35:
        strides: tuple[int, ...] = tuple(prod(sizes[:i]) for i in range(len(sizes)))
    elif kind < 0.75:
        strides = _aligned(rng, a, sizes, rng.random() < 0.7)
    else:
        strides = random_strides(rng, sizes)
    return ["divide", a, nest(rng, sizes, strides)]


def inverse_case(rng: Random, operation: str) -> list[Any]:
    """A layout to invert."""
    return [operation, random_layout(rng)]


def cases(operation: str, count: int, seed: int, first: int = 0) -> Iterator[list[Any]]:
    """Questions ``first`` … ``first + count - 1`` of an operation; they depend on the seed, not on the split."""
    for block in range(first // _BLOCK, (first + count + _BLOCK - 1) // _BLOCK):
        rng = Random(f"{seed}/{operation}/{block}")
        for i in range(block * _BLOCK, (block + 1) * _BLOCK):
            case = _case(rng, operation)
            if first <= i < first + count:
                yield case


def _case(rng: Random, operation: str) -> list[Any]:
    if operation == "composition":
        return composition_case(rng)
    if operation == "complement":
        return complement_case(rng)
    if operation == "divide":
        return divide_case(rng)
    return inverse_case(rng, operation)
