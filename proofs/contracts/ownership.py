"""Ownership: a thread–value layout over a tile gives every element to exactly one (thread, value) pair.

A thread–value (TV) layout has two modes: (thread, value) ↦ element of the tile, an index in colexicographic order or a
coordinate. ``threads`` are launched, ``active`` of them, from thread 0 on, are let through by a guard; a thread that
the layout lacks still evaluates it past its end, and takes what is not its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...model import htuple
from ...model.composed import AnyLayout
from ...model.composition import composition
from ...model.concatenate import concatenate
from ...model.coordinate import crd2idx, idx2crd
from ...model.errors import InputError, Refuted, Undecided, Witness
from ...model.htuple import HTuple, text_of
from ...model.inverse import right_inverse
from ...model.layout import Layout
from ...model.product import raked_product
from ...model.properties import POINTS, offsets, refute_bijective, refute_injective, refute_onto, refute_within, size
from ...model.semimodule import CoordinateStride, as_integer
from .obligation import Obligation
from .rule import Rule

SEED = "ours: one thread–value map drives partitions, predicates and copies, so it must own every element once"
THREADS = Rule("ownership.threads", "exactly the threads that the layout has take part", SEED)
WITHIN = Rule("ownership.within", "every (thread, value) pair owns an element of the tile", SEED)
ONCE = Rule("ownership.once", "no two (thread, value) pairs own the same element", SEED)
ALL = Rule("ownership.all", "every element of the tile is owned", SEED)
COMPACT = Rule(
    "ownership.compact",
    "the thread and the value layout are one-to-one onto their sizes",
    "ours: raked product, §3.5.1",
)
SHOWN = 8  # elements or threads that are listed by name


def decide_ownership(
    tv: AnyLayout, tile: HTuple, threads: int | None = None, active: int | None = None
) -> list[Obligation]:
    """Whether the threads that take part own every element of ``tile`` exactly once: four rules, each decided.

    ``tile`` is a shape; ``threads`` how many are launched (those of the layout if not given); ``active`` how many of
    them a guard lets through (all if not given). InputError for a layout that has not two modes, or too few threads.

    >>> from ...model.notation import layout
    >>> [o.verdict.value for o in decide_ownership(layout("((8,4),(4,2)):((16,1),(4,128))"), (4, 64))]
    ['proved', 'proved', 'proved', 'proved']
    >>> bad = decide_ownership(layout("((8,4),(4,2)):((16,1),(4,64))"), (4, 64))
    >>> print("\\n".join(o.reason for o in bad[2:]))
    64 owned elements have several owners: (0,4) and (4,0), as (thread, value), both own 64
    64 of 256 elements are owned by nobody: 192 to 199, …
    """
    if len(tv) != 2:
        raise InputError(f"a thread–value layout has two modes, (threads, values); {tv} has {len(tv)}", str(tv), 0)
    owned = htuple.size(tv.shape[0])
    launched = owned if threads is None else threads
    taking_part = launched if active is None else min(active, launched)
    if taking_part < 1:
        raise InputError(f"at least one thread takes part, not {taking_part}")
    owners = _Owners(tv, tile, taking_part)
    return [
        THREADS.decide(lambda: _threads(owners, owned, launched)),
        WITHIN.decide(lambda: _within(owners)),
        ONCE.decide(lambda: _once(owners)),
        ALL.decide(lambda: _all(owners)),
    ]


class _Owners:
    """The pairs that take part, and what they own; elements as indices of the tile."""

    def __init__(self, tv: AnyLayout, tile: HTuple, taking_part: int):
        self.tv = tv
        self.tile = tile
        self.elements = htuple.size(tile)
        self.threads = taking_part
        self.values = htuple.size(tv.shape[1])
        self.layout = _restricted(tv, taking_part)
        self.is_coordinate = isinstance(tv, Layout) and tv.semimodule == "coordinate"
        if self.is_coordinate:
            self.rank = _axes(tv, tile)

    def at(self, thread: int, value: int) -> int | None:
        """The element of a pair, None for one outside the tile."""
        place = self.tv((thread, value))
        if self.is_coordinate:
            crd = _coordinate(place, self.rank)
            extents = [htuple.size(s) for s in _modes(self.tile)]
            if not all(0 <= c < s for c, s in zip(crd, extents, strict=True)):
                return None
            return sum(c * w for c, w in zip(crd, _weights(extents), strict=True))
        index = as_integer(place)
        return index if 0 <= index < self.elements else None

    def plain(self) -> AnyLayout | None:
        """The pairs that take part as a layout of indices; None where there is none, or some leave an axis."""
        if self.layout is None or not self.is_coordinate:
            return self.layout
        return _linear(self.layout, self.tile, self.rank)

    @property
    def total(self) -> int:
        """How many pairs take part."""
        return self.threads * self.values

    @cached_property
    def owned(self) -> list[tuple[tuple[int, int], int | None]]:
        """Every pair with its element, values of one thread together; Undecided where they are too many."""
        if self.total > POINTS:
            raise Undecided(f"{self.total} pairs would have to be enumerated, more than {POINTS}")
        plain = self.plain()
        pairs = [(t, v) for t in range(self.threads) for v in range(self.values)]
        if plain is None:
            return [(pair, self.at(*pair)) for pair in pairs]
        table = [e if 0 <= e < self.elements else None for e in map(as_integer, offsets(plain))]
        return [((t, v), table[t + self.threads * v]) for t, v in pairs]

    def pair(self, crd: Any) -> tuple[int, int]:
        """A coordinate of ``plain()`` as (thread, value)."""
        shape = self.layout.shape  # type: ignore[union-attr]
        if not isinstance(crd, tuple):
            return crd % self.threads, crd // self.threads
        return crd2idx(crd[0], shape[0]), crd2idx(crd[1], shape[1])

    def counts(self) -> Counter[int]:
        """How often each element is owned."""
        return Counter(element for _, element in self.owned if element is not None)

    def told(self, element: int) -> str:
        """An element as a coordinate of the tile."""
        return text_of(idx2crd(element, self.tile))


def _restricted(tv: AnyLayout, threads: int) -> AnyLayout | None:
    """The thread–value layout on its first ``threads``, past its end too; None where that is no layout."""
    if threads == htuple.size(tv.shape[0]):
        return tv
    if not isinstance(tv, Layout):
        return None
    try:
        first = composition(tv[0], Layout(threads))
    except (Refuted, Undecided):
        return None
    assert isinstance(first, Layout)
    return concatenate(first, tv[1])


def _axes(tv: AnyLayout, tile: HTuple) -> int:
    rank = htuple.rank(tile)
    assert isinstance(tv, Layout)
    for _, d in tv.modes:
        if isinstance(d, CoordinateStride) and any(len(path) != 1 or path[0] >= rank for path, _ in d.terms):
            raise InputError(f"{d} is no axis of the tile {text_of(tile)}", str(tv), 0)
    return rank


def _coordinate(place: Any, rank: int) -> list[int]:
    terms = dict(place.terms) if isinstance(place, CoordinateStride) else {}
    return [terms.get((axis,), 0) for axis in range(rank)]


def _modes(tile: HTuple) -> tuple[Any, ...]:
    return tile if isinstance(tile, tuple) else (tile,)


def _weights(extents: list[int]) -> list[int]:
    weights = [1]
    for s in extents[:-1]:
        weights.append(weights[-1] * s)
    return weights


def _linear(layout: AnyLayout, tile: HTuple, rank: int) -> Layout | None:
    """Coordinates as indices, where every axis stays inside the tile; None where one leaves it."""
    assert isinstance(layout, Layout)
    extents = [htuple.size(s) for s in _modes(tile)]
    strides = [_coordinate(d, rank) for _, d in layout.modes]
    for axis, extent in enumerate(extents):
        steps = [(s - 1) * d[axis] for (s, _), d in zip(layout.modes, strides, strict=True)]
        if sum(step for step in steps if step < 0) < 0 or sum(step for step in steps if step > 0) >= extent:
            return None
    flat = [sum(c * w for c, w in zip(d, _weights(extents), strict=True)) for d in strides]
    return Layout.of(layout.shape, htuple.unflatten(flat, layout.shape))


def _threads(owners: _Owners, owned: int, launched: int) -> Obligation:
    running = owners.threads
    if running == owned:
        spare = f"; threads {owned} to {launched - 1} are kept out" if launched > owned else ""
        return THREADS.holds(
            f"{owned} threads take part, as many as the layout has{spare}", "definition", threads=owned
        )
    if running > owned:
        element = owners.at(owned, 0)
        taken = "outside the tile" if element is None else f"element {owners.told(element)}"
        witness = Witness("thread", {"thread": owned, "value": 0, "element": element})
        return THREADS.refuted(
            f"threads {owned} to {running - 1} must be off: the layout has {owned}, and the first would take {taken}",
            witness,
            "definition",
            off=[owned, running],
        )
    element = owners.at(running, 0)
    witness = Witness("thread", {"thread": running, "value": 0, "element": element})
    return THREADS.refuted(
        f"threads {running} to {owned - 1} of the layout do not take part: what they own is left",
        witness,
        "definition",
        absent=[running, owned],
    )


def _within(owners: _Owners) -> Obligation:
    plain = owners.plain()
    if plain is not None:
        beyond = refute_within(plain, owners.elements)
        if beyond is None:
            return WITHIN.holds(f"all lie among the {owners.elements} elements", "closed-form")
        if owners.total > POINTS:
            first = owners.pair(beyond.values["coordinate"])
            return WITHIN.refuted(
                f"thread {first[0]}, value {first[1]} lies outside the {owners.elements} elements of the tile",
                Witness("outside", {"coordinate": first, "offset": owners.tv(first)}),
                "closed-form",
            )
    outside = [pair for pair, element in owners.owned if element is None]
    if not outside:
        return WITHIN.holds(f"all lie among the {owners.elements} elements", f"enumeration ({owners.total} pairs)")
    first = outside[0]
    lost = Counter(t for t, _ in outside)
    whole = [t for t in sorted(lost) if lost[t] == owners.values]
    return WITHIN.refuted(
        f"{len(outside)} of {owners.total} pairs lie outside the tile and need a predicate, "
        f"the first thread {first[0]}, value {first[1]}"
        + (f"; threads {_listed(whole)} have nothing and must be off" if whole else ""),
        Witness("outside", {"coordinate": first, "offset": owners.tv(first)}),
        f"enumeration ({owners.total} pairs)",
        outside=len(outside),
        off=whole,
    )


def _once(owners: _Owners) -> Obligation:
    plain = owners.plain()
    found = None if plain is None else refute_injective(plain)
    if plain is not None and found is None:
        return ONCE.holds("no two pairs meet", "closed-form")
    if found is not None and owners.total > POINTS:
        first, second = owners.pair(found.values["coordinate"]), owners.pair(found.values["other"])
        if owners.at(*first) is None:
            raise Undecided("pairs meet outside the tile, and there are too many to look at all")
        return ONCE.refuted(f"{_meeting(first, second, owners)}", _met(first, second, owners), "closed-form")
    seen: dict[int, tuple[int, int]] = {}
    met: tuple[tuple[int, int], tuple[int, int]] | None = None
    counts: Counter[int] = Counter()
    for pair, element in owners.owned:
        if element is None:
            continue
        counts[element] += 1
        if met is None and element in seen:
            met = seen[element], pair
        seen.setdefault(element, pair)
    how = f"enumeration ({owners.total} pairs)"
    if met is None:
        return ONCE.holds("no two pairs meet in the tile", how)
    several = sum(1 for n in counts.values() if n > 1)
    return ONCE.refuted(
        f"{several} owned elements have several owners: {_meeting(*met, owners)}",
        _met(*met, owners),
        how,
        shared=several,
        extra=sum(counts.values()) - len(counts),
    )


def _meeting(first: tuple[int, int], second: tuple[int, int], owners: _Owners) -> str:
    return f"{text_of(first)} and {text_of(second)}, as (thread, value), both own {owners.tv(first)}"


def _met(first: tuple[int, int], second: tuple[int, int], owners: _Owners) -> Witness:
    return Witness("collision", {"coordinate": first, "other": second, "offset": owners.tv(first)})


def _all(owners: _Owners) -> Obligation:
    plain = owners.plain()
    if plain is not None:
        missing = refute_onto(plain, owners.elements)
        if missing is None:
            return ALL.holds(f"all {owners.elements} elements are owned", "closed-form")
        if max(owners.total, owners.elements) > POINTS:
            first = missing.values["offset"]
            return ALL.refuted(f"element {owners.told(first)} is owned by nobody", missing, "closed-form")
    if owners.elements > POINTS:
        raise Undecided(f"{owners.elements} elements would have to be looked at, more than {POINTS}")
    counts = owners.counts()
    left = [e for e in range(owners.elements) if e not in counts]
    if not left:
        return ALL.holds(f"all {owners.elements} elements are owned", f"enumeration ({owners.elements} elements)")
    return ALL.refuted(
        f"{len(left)} of {owners.elements} elements are owned by nobody: {_listed(left)}",
        Witness("unreachable", {"offset": left[0]}),
        f"enumeration ({owners.elements} elements)",
        missed=len(left),
        elements=left[:SHOWN],
    )


def _listed(numbers: list[int]) -> str:
    """The first few numbers, a run as its ends.

    >>> _listed([4, 5, 6]), _listed([0, 2, 5]), _listed(list(range(20)))
    ('4 to 6', '0, 2, 5', '0 to 7, …')
    """
    head = numbers[:SHOWN]
    run = len(head) > 2 and head == list(range(head[0], head[-1] + 1))
    text = f"{head[0]} to {head[-1]}" if run else ", ".join(map(str, head))
    return text + (", …" if len(numbers) > SHOWN else "")


@dataclass(frozen=True)
class TV:
    """A tiler, the shape of a tile, with the thread–value layout over it."""

    tiler: HTuple
    layout: Layout


def make_layout_tv(threads: Layout, values: Layout) -> TV:
    """The tile that ``threads`` make when each owns a block of ``values``, and its thread–value layout.

    Both map a coordinate to a number, of the thread and of the value, by mode; in the tile each thread's block is
    contiguous. Raises Refuted where either is not one-to-one onto its size: then a number is missing or given twice.

    >>> tv = make_layout_tv(Layout((4, 8), (8, 1)), Layout((2, 4), (4, 1)))
    >>> tv.tiler, str(tv.layout)
    ((8, 32), '((8,4),(4,2)):((32,2),(8,1))')
    """
    tv = decide_layout_tv(threads, values)[0]
    if tv is None:
        raise Refuted(f"{threads} and {values} make no thread–value layout", _compact(threads, values).witness)
    return tv


def decide_layout_tv(threads: Layout, values: Layout) -> tuple[TV | None, list[Obligation]]:
    """:func:`make_layout_tv` with what it owes: compact operands, and a result that owns every element once."""
    compact = _compact(threads, values)
    if compact.witness is not None:
        return None, [compact]
    block = raked_product(threads, values)
    inverse = right_inverse(block)
    layout = composition(inverse, Layout((size(threads), size(values))))
    assert isinstance(layout, Layout)
    tiler = tuple(size(mode) for mode in block)
    return TV(tiler, layout), [compact, *decide_ownership(layout, tiler)]


def _compact(threads: Layout, values: Layout) -> Obligation:
    for part, what in ((threads, "thread"), (values, "value")):
        witness = refute_bijective(part)
        if witness is not None:
            return COMPACT.refuted(f"the {what} layout {part} is not one-to-one onto its {size(part)}", witness)
    return COMPACT.holds("both are", "closed-form")
