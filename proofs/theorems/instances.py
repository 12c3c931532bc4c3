"""Random instances that theorems are evaluated on: small numbers, short lists of modes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from ...model.layout import Layout
from ..language import Instance

Modes = tuple[tuple[int, int], ...]


def numbers(**ranges: tuple[int, int]) -> Callable[[Random], Instance]:
    """Integers, each from its own range, ends included.

    >>> numbers(x=(1, 1), y=(2, 2))(Random(0))
    {'x': 1, 'y': 2}
    """
    return lambda rng: {name: rng.randint(low, high) for name, (low, high) in ranges.items()}


def modes(rng: Random, rank: int = 4, size: int = 5, low: int = -9, high: int = 20) -> Modes:
    """A list of (size, stride)."""
    return tuple((rng.randint(1, size), rng.randint(low, high)) for _ in range(rng.randint(1, rank)))


def compact_or_not(rng: Random, rank: int = 4, size: int = 4) -> Modes:
    """Modes of which some continue the one before, and some have size 1."""
    made: list[tuple[int, int]] = []
    for _ in range(rng.randint(1, rank)):
        s = rng.choice([1, 2, 2, 3, size])
        follows = made and rng.random() < 0.5
        made.append((s, made[-1][0] * made[-1][1] if follows else rng.randint(-4, 9)))
    return tuple(made)


def chain(rng: Random, rank: int = 3, prefix: int = 1) -> Modes:
    """Modes whose strides form a divisor chain over ``prefix``."""
    made, p = [], prefix
    for _ in range(rng.randint(1, rank)):
        d = p * rng.randint(1, 3)
        s = rng.randint(1, 4)
        made.append((s, d))
        p = s * d
    return tuple(made)


def small_chain(rng: Random, limit: int = 16) -> Modes:
    """A divisor chain of sizes ≥ 2 with size·stride of its last mode at most ``limit``: all pairs can be looked at."""
    while True:
        made = tuple((s, d) for s, d in chain(rng, 3) if s > 1)
        if made and made[-1][0] * made[-1][1] <= limit:
            return made


def as_layout(value: Modes) -> Layout:
    """The layout with these modes."""
    return Layout(tuple(s for s, _ in value), tuple(d for _, d in value))


def total(value: Modes) -> int:
    """The size of a list of modes."""
    n = 1
    for s, _ in value:
        n *= s
    return n


def merged(*draws: Callable[[Random], Instance], **more: Callable[[Random], Any]) -> Callable[[Random], Instance]:
    """Several generators as one."""

    def draw(rng: Random) -> Instance:
        instance: Instance = {}
        for one in draws:
            instance |= one(rng)
        return instance | {name: make(rng) for name, make in more.items()}

    return draw
