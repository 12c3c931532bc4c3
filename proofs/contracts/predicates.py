"""Predicates: for a ragged tile the guard lets exactly the elements inside take part, whole vectors at a time.

Along every axis a tensor of some extent is covered by whole tiles, the last of which may stick out. A guard looks at
one coordinate of each vector, its first or its last, and admits the vector when every guarded coordinate is below its
limit. Axes are independent, so that what is admitted is a box; its ends decide everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from ...model import htuple
from ...model.errors import InputError, Witness
from ...model.htuple import HTuple, compatible, text_of
from ...model.layout import Layout
from ...model.properties import POINTS, size
from ...model.semimodule import as_integer
from .obligation import Obligation
from .rule import Rule

PTX = "PTX ISA, Predicated Execution: a guard admits or drops an instruction as a whole"
WHOLE = Rule("predicates.whole", "no vector straddles two tiles", "ours: a vector is one thread's, of one tile")
INSIDE = Rule("predicates.inside", "the guard admits no element outside", PTX)
COVERED = Rule("predicates.covered", "every element inside is admitted, or left to the scalar tail", PTX)
ONCE = Rule("predicates.once", "the scalar tail and the admitted vectors share no element", "ours")
SHAPE = Rule(
    "predicates.shape",
    "there is one predicate for each vector that the copy issues",
    "ours: CuTe copies take a predicate for each rest coordinate",
)
ACTIVE = Rule(
    "predicates.active", "a thread is on when its first element is inside, and then all of its vector is", PTX
)


@dataclass(frozen=True)
class Guard:
    """How a ragged tensor is guarded, by axis.

    ``extents``  the elements of the tensor along each axis       ``tiles``  of the tile
    ``axis``     the axis along which vectors lie                 ``vector`` elements of one
    ``limits``   what coordinates are compared with, below which they pass; None: not looked at; () for the extents
    ``test``     ``first`` or ``last``: the coordinate of a vector that is looked at
    ``tail``     [start, stop) along ``axis`` that scalars cover; None: no tail
    """

    extents: tuple[int, ...]
    tiles: tuple[int, ...]
    vector: int = 1
    axis: int = 0
    limits: tuple[int | None, ...] = ()
    test: str = "first"
    tail: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        ranks = {len(self.extents), len(self.tiles), len(self.limits) or len(self.extents)}
        if len(ranks) != 1:
            raise InputError("extents, tiles and limits have one number an axis each")
        if min(*self.extents, *self.tiles, self.vector, 1) < 1:
            raise InputError("extents, tiles and vectors are at least 1")
        if not 0 <= self.axis < len(self.extents):
            raise InputError(f"{self.axis} is no axis of {text_of(self.extents)}")
        if self.test not in ("first", "last"):
            raise InputError(f"a guard looks at the first or the last coordinate of a vector, not {self.test}")

    def admits(self, crd: tuple[int, ...]) -> bool:
        """Whether the vector that holds the element at ``crd`` passes: the definition, for any coordinate."""
        start = crd[self.axis] - crd[self.axis] % self.vector
        seen = list(crd)
        seen[self.axis] = start + (self.vector - 1 if self.test == "last" else 0)
        limits = self.limits or self.extents
        return all(limit is None or c < limit for c, limit in zip(seen, limits, strict=True))

    def padded(self) -> tuple[int, ...]:
        """The extents rounded up to whole tiles."""
        return tuple(-(-n // t) * t for n, t in zip(self.extents, self.tiles, strict=True))

    def ends(self) -> tuple[int, ...]:
        """By axis, the first coordinate that is not admitted: what is admitted is the box below."""
        v = self.vector
        if not self.limits and self.test == "first" and self.tiles[self.axis] % v == 0:  # then no tile ends before
            return tuple(-(-n // v) * v if axis == self.axis else n for axis, n in enumerate(self.extents))
        found = []
        for axis, (end, limit) in enumerate(zip(self.padded(), self.limits or self.extents, strict=True)):
            if limit is not None and axis == self.axis:
                limit = max(limit, 0)
                limit = limit // v * v if self.test == "last" else -(-limit // v) * v
            found.append(end if limit is None else max(min(end, limit), 0))
        return tuple(found)


def decide_predicates(guard: Guard) -> list[Obligation]:
    """Whether the guard admits exactly the elements inside; what sticks out, and what a scalar tail must cover.

    >>> for o in decide_predicates(Guard((100,), (64,), vector=8)):
    ...     print(o.verdict.value, o.reason)
    proved a tile of 64 is a whole number of vectors of 8
    refuted the vector at (96) is admitted, and 4 of its elements lie outside, the first at (100)
    proved all 100 elements inside are covered
    proved there is no tail
    >>> last = Guard((100,), (64,), vector=8, test="last", tail=(96, 100))
    >>> [o.verdict.value for o in decide_predicates(last)]
    ['proved', 'proved', 'proved', 'proved']
    """
    return [_whole(guard), _inside(guard), _covered(guard), _apart(guard)]


def tiles_of(guard: Guard) -> dict[str, Any]:
    """How many tiles there are along each axis, and what of the last is in range and out of it.

    >>> tiles_of(Guard((100,), (64,)))
    {'tiles': [2], 'inside': [36], 'outside': [28]}
    """
    padded = guard.padded()
    outside = [p - n for p, n in zip(padded, guard.extents, strict=True)]
    return {
        "tiles": [p // t for p, t in zip(padded, guard.tiles, strict=True)],
        "inside": [t - o for t, o in zip(guard.tiles, outside, strict=True)],
        "outside": outside,
    }


def _at(guard: Guard, axis: int, coordinate: int) -> tuple[int, ...]:
    return tuple(coordinate if a == axis else 0 for a in range(len(guard.extents)))


def _whole(guard: Guard) -> Obligation:
    tile, v = guard.tiles[guard.axis], guard.vector
    if tile % v == 0:
        return WHOLE.holds(f"a tile of {tile} is a whole number of vectors of {v}", **tiles_of(guard))
    start = tile - tile % v
    return WHOLE.refuted(
        f"the vector at {text_of(_at(guard, guard.axis, start))} ends in the next tile: {v} does not divide {tile}",
        Witness("predicate", {"coordinate": _at(guard, guard.axis, start), "width": v, "tile": tile}),
    )


def _inside(guard: Guard) -> Obligation:
    ends = guard.ends()
    for axis, (end, extent) in enumerate(zip(ends, guard.extents, strict=True)):
        if end > extent and all(e > 0 for e in ends):
            crd = _at(guard, axis, extent)
            witness = Witness("admitted", {"coordinate": crd, "extents": guard.extents})
            if axis == guard.axis and extent % guard.vector:
                start = extent - extent % guard.vector
                stop = min(start + guard.vector, end)
                return INSIDE.refuted(
                    f"the vector at {text_of(_at(guard, axis, start))} is admitted, and {stop - extent} of its "
                    f"elements lie outside, the first at {text_of(crd)}",
                    witness,
                    tail=[start, extent],
                )
            return INSIDE.refuted(
                f"{text_of(crd)} lies outside {text_of(guard.extents)} and is admitted",
                witness,
            )
    return INSIDE.holds("nothing outside is admitted")


def _covered(guard: Guard) -> Obligation:
    ends = guard.ends()
    for axis, (end, extent) in enumerate(zip(ends, guard.extents, strict=True)):
        if axis != guard.axis and end < extent:
            return _dropped(guard, _at(guard, axis, end))
    end, extent = ends[guard.axis], guard.extents[guard.axis]
    start, stop = guard.tail or (extent, extent)
    if end < extent and (start > end or stop < extent):
        missing = end if start > end or stop <= end else stop
        return _dropped(guard, _at(guard, guard.axis, missing))
    return COVERED.holds(f"all {prod(guard.extents)} elements inside are covered")


def _dropped(guard: Guard, crd: tuple[int, ...]) -> Obligation:
    extent = guard.extents[guard.axis]
    start = extent - extent % guard.vector
    return COVERED.refuted(
        f"{text_of(crd)} lies inside {text_of(guard.extents)}, and neither a vector nor the tail covers it",
        Witness("dropped", {"coordinate": crd, "extents": guard.extents}),
        tail=[start, extent],
    )


def _apart(guard: Guard) -> Obligation:
    if guard.tail is None:
        return ONCE.holds("there is no tail")
    start, stop = guard.tail
    end = guard.ends()[guard.axis]
    if start < end and start < stop:
        crd = _at(guard, guard.axis, start)
        return ONCE.refuted(
            f"{text_of(crd)} is covered by a vector and by the tail",
            Witness("twice", {"coordinate": crd, "tail": guard.tail}),
        )
    return ONCE.holds(f"the tail begins at {start}, after the last vector")


def decide_predicate_shape(predicate: HTuple, rest: HTuple) -> Obligation:
    """Whether a predicate tensor of one shape serves a copy whose rest modes (after the vector) have another.

    >>> decide_predicate_shape((1, (2, 1)), (1, (1,))).reason
    'the copy asks for (1,(1)) predicates, and (1,(2,1)) are given'
    """
    told = f"the copy asks for {text_of(rest)} predicates, and {text_of(predicate)} are given"
    if compatible(rest, predicate) or compatible(predicate, rest):
        return SHAPE.holds(told, "definition")
    wanted, given = htuple.size(rest), htuple.size(predicate)
    pairs = list(zip(_modes(rest), _modes(predicate), strict=False))
    mode = next((i for i, (a, b) in enumerate(pairs) if htuple.size(a) != htuple.size(b)), len(pairs))
    values = {"mode": mode, "expected": rest, "got": predicate, "sizes": (wanted, given)}
    return SHAPE.refuted(told, Witness("shape", values), "definition")


def _modes(shape: HTuple) -> tuple[Any, ...]:
    return shape if isinstance(shape, tuple) else (shape,)


def decide_active(tv: Layout, elements: int, vector: int) -> Obligation:
    """Which threads have something to do when ``elements`` are left, at one predicate for each vector of values.

    ``tv`` maps (thread, value) to the index of an element.

    >>> o = decide_active(Layout((256, 8), (8, 1)), 16, 8)
    >>> o.reason, o.details["active"], o.details["predicates"]
    ('threads 0 to 1 are on, 254 are off', 2, 1)
    >>> decide_active(Layout((256, 8), (8, 1)), 20, 8).witness.as_dict()
    {'kind': 'predicate', 'coordinate': (2, 4), 'offset': 20, 'extent': 20}
    """
    if len(tv) != 2:
        raise InputError(f"a thread–value layout has two modes, (threads, values); {tv} has {len(tv)}", str(tv), 0)
    threads, values = size(tv[0]), size(tv[1])
    if values % vector:
        return ACTIVE.refuted(
            f"a thread has {values} values, no whole number of vectors of {vector}",
            Witness("predicate", {"values": values, "width": vector}),
        )
    if threads * values > POINTS:
        return ACTIVE.open(f"{threads * values} pairs would have to be enumerated, more than {POINTS}")
    on: list[int] = []
    for thread in range(threads):
        for start in range(0, values, vector):
            first = as_integer(tv((thread, start)))
            if first >= elements:
                continue
            if thread not in on[-1:]:
                on.append(thread)
            for value in range(start + 1, start + vector):
                place = as_integer(tv((thread, value)))
                if place >= elements:
                    return ACTIVE.refuted(
                        f"thread {thread} is on for element {first}, and its vector reaches {place}",
                        Witness("predicate", {"coordinate": (thread, value), "offset": place, "extent": elements}),
                        "enumeration",
                    )
    run = f"threads {on[0]} to {on[-1]}" if on and on == list(range(on[0], on[-1] + 1)) else f"{len(on)} threads"
    return ACTIVE.holds(
        f"{run} are on, {threads - len(on)} are off",
        "enumeration",
        active=len(on),
        off=threads - len(on),
        predicates=values // vector,
    )
