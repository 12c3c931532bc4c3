"""A ring of stages run as threads would run it, in a random order: barriers with one parity bit, agents as generators.

Nothing of proofs/contracts/machine.py is used here: it is a second telling of what barriers do, to confirm witnesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from veritile.proofs.contracts.pipelines import Consumer, Producer, Ring

Blocked = Callable[[], bool]


class Wrong(Exception):
    """The run went wrong."""


class Barrier:
    def __init__(self, count: int):
        self.count, self.pending, self.bytes, self.bit = count, count, 0, 0

    def add(self, arrivals: int = 0, expected: int = 0, landed: int = 0) -> None:
        self.bytes += expected - landed
        self.pending -= arrivals
        if self.pending < 0:
            raise Wrong("too many arrivals")
        if self.pending == 0 and self.bytes == 0:
            self.pending, self.bit = self.count, 1 - self.bit

    def passed(self, parity: int) -> bool:
        return self.bit != parity


class Stage:
    def __init__(self) -> None:
        self.holds, self.landed, self.readers = -1, 0, set[str]()


class World:
    def __init__(self, ring: Ring, iterations: int):
        self.ring, self.n = ring, iterations
        self.full = [Barrier(ring.full_count) for _ in range(ring.stages)]
        self.empty = [Barrier(ring.empty_count) for _ in range(ring.stages)]
        self.stages = [Stage() for _ in range(ring.stages)]
        self.flight: list[Callable[[], None]] = []
        self.reading: dict[str, list[tuple[int, int]]] = {}
        self.names = [f"{c.name}/{p}" for c in ring.consumers for p in range(c.partners)]
        self.parts = max(1, len(ring.landing)) * len(ring.producers)

    def begin(self, s: int) -> None:
        stage = self.stages[s]
        if stage.holds >= 0 and stage.landed == self.parts and stage.readers != set(self.names):
            raise Wrong("overwritten")

    def land(self, s: int, i: int) -> None:
        stage = self.stages[s]
        if stage.holds != i:
            stage.holds, stage.landed, stage.readers = i, 0, set()
        stage.landed += 1

    def check(self, s: int, i: int) -> None:
        if (self.stages[s].holds, self.stages[s].landed) != (i, self.parts):
            raise Wrong("not what was meant")


def producer(w: World, p: Producer) -> Iterator[Blocked | None]:
    S = w.ring.stages
    for i in range(w.n if p.iterations is None else p.iterations):
        s = i % S
        yield lambda s=s, i=i: w.empty[s].passed((i // S + p.parity) % 2)
        w.begin(s)
        if w.ring.landing or w.ring.expected:
            w.full[s].add(p.arrivals, expected=w.ring.expected)
            for count in w.ring.landing:
                w.flight.append(lambda s=s, i=i, count=count: (w.land(s, i), w.full[s].add(landed=count)))
        else:
            w.land(s, i)
            w.full[s].add(p.arrivals)
        yield None
    if w.ring.tail:
        last = w.n if p.iterations is None else p.iterations
        for i in range(last, last + S):
            yield lambda i=i: w.empty[i % S].passed((i // S + p.parity) % 2)


def consumer(w: World, c: Consumer, name: str) -> Iterator[Blocked | None]:
    S, groups = w.ring.stages, []
    n = w.n if c.iterations is None else c.iterations
    for i in range(n):
        s = i % S
        yield lambda s=s, i=i: w.full[s].passed((i // S + c.parity) % 2)
        w.check(s, i)
        if c.reads == "ld":
            w.stages[s].readers.add(name)
        else:
            groups.append((s, i))
            w.flight.append(lambda s=s, i=i, g=(s, i): (w.check(s, i), w.stages[s].readers.add(name), groups.remove(g)))
            yield lambda i=i: all(g[1] > i - c.pending for g in groups)
        if i >= c.lag:
            w.empty[(i - c.lag) % S].add(c.arrivals)
        yield None
    yield lambda: not groups
    for i in range(max(0, n - c.lag), n):
        w.empty[i % S].add(c.arrivals)


def run(ring: Ring, iterations: int, seed: int) -> str | None:
    """What goes wrong in one random order; None when all ends well."""
    rng, w = Random(seed), World(ring, iterations)
    agents: list[list[Any]] = [[producer(w, p), None] for p in ring.producers]
    for c in ring.consumers:
        agents += [[consumer(w, c, f"{c.name}/{p}"), None] for p in range(c.partners)]
    try:
        for agent in agents:
            agent[1] = next(agent[0])
        while agents:
            ready = [a for a in agents if a[1] is None or a[1]()]
            choices: list[Any] = [*ready, *w.flight]
            if not choices:
                return "deadlock"
            chosen = rng.choice(choices)
            if chosen in w.flight:
                w.flight.remove(chosen)
                chosen()
                continue
            try:
                chosen[1] = next(chosen[0])
            except StopIteration:
                agents.remove(chosen)
        for landing in w.flight:
            landing()
        if any(s.holds >= 0 and s.readers != set(w.names) for s in w.stages):
            return "not drained"
    except Wrong as wrong:
        return str(wrong)
    return None
