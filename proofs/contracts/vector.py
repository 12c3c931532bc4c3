"""Vector width: what must hold before one instruction moves several elements, six conditions decided one by one.

A copy dst(i) = src(i) is vectorised by v when its elements fall into groups of v that are an aligned block of v
offsets in the source and one in the destination, in the same order; a group may be moved more than once. That is the
definition; for layouts that are injective with positive strides, broadcast modes aside, a closed form decides it
(``contiguous`` and ``leading`` below), a swizzle that moves whole vectors (2^M ≥ v) changes nothing, and everything
else is enumerated.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ...model.composed import AnyLayout, ComposedLayout
from ...model.composition import composition
from ...model.coordinate import idx2crd
from ...model.errors import InputError, Refuted, Undecided, Witness
from ...model.htuple import flatten, unflatten
from ...model.inverse import right_inverse
from ...model.layout import Layout
from ...model.properties import POINTS, offsets, refute_injective, size
from ...model.swizzle import Swizzle
from ...model.vector import max_common_vector
from ..verdict import Verdict
from .obligation import Obligation, verdict_of
from .rule import Rule

PTX_ALIGNED = "PTX ISA, Addresses as Operands: an address is a multiple of the size of the access"
CONTIGUOUS = Rule(
    "vector.contiguous", "the elements of a vector are adjacent in source and destination", "PTX ISA, ld and st: .vec"
)
OWNED = Rule("vector.owned", "one thread owns all elements of a vector", "ours: an instruction is one thread's")
ALIGNED = Rule("vector.aligned", "both pointers, with every offset added, are a multiple of the vector", PTX_ALIGNED)
LEADING = Rule("vector.leading", "every stride that can start a vector is a multiple of it", PTX_ALIGNED)
PREDICATED = Rule(
    "vector.predicated",
    "no predicate changes inside a vector",
    "PTX ISA, Predicated Execution: a guard is an instruction's",
)
SUPPORTED = Rule("vector.supported", "the instruction has this width on this architecture", "PTX ISA, ld, st, cp.async")

OPS: dict[str, dict[int, int]] = {
    "ld.global": {8: 50, 16: 50, 32: 50, 64: 50, 128: 50, 256: 100},
    "st.global": {8: 50, 16: 50, 32: 50, 64: 50, 128: 50, 256: 100},
    "ld.shared": {8: 50, 16: 50, 32: 50, 64: 50, 128: 50},
    "st.shared": {8: 50, 16: 50, 32: 50, 64: 50, 128: 50},
    "cp.async": {32: 80, 64: 80, 128: 80},
    "cp.async.cg": {128: 80},
}
"""Bits that an instruction moves for one thread, each with the least architecture that has it (sm_NN)."""

WIDEST_BITS = max(bits for widths in OPS.values() for bits in widths)

PATHS = {
    ("global", "shared"): ("ld.global", "st.shared"),
    ("global", "register"): ("ld.global",),
    ("register", "global"): ("st.global",),
    ("shared", "register"): ("ld.shared",),
    ("register", "shared"): ("st.shared",),
    ("shared", "global"): ("ld.shared", "st.global"),
    ("global", "global"): ("ld.global", "st.global"),
}
"""The instructions of a synchronous copy between two spaces; asynchronous ones go from global to shared only."""


@dataclass(frozen=True)
class Copy:
    """One thread's copy, or with ``tv`` one of a tile by many threads: what the six conditions are about.

    ``source``, ``destination``    layouts of one size, in elements of ``element_bits``
    ``align``                      bytes that the two pointers are known to be multiples of
    ``source_offsets``, ``destination_offsets``   elements that are added to a pointer: tile and domain offsets, or the
                                   strides that they are multiples of
    ``tv``                         (thread, value) ↦ index of the tile; without it all belongs to one thread
    ``extent``                     elements along the vector that a predicate admits; None: no predicate, or whole tiles
    ``op``, ``spaces``, ``arch``   the instruction, or None for a synchronous copy between two spaces; sm_NN

    InputError for sizes that differ, and for what is no integer layout.
    """

    source: AnyLayout
    destination: AnyLayout
    element_bits: int
    align: tuple[int, int]
    source_offsets: tuple[int, ...] = ()
    destination_offsets: tuple[int, ...] = ()
    tv: Layout | None = None
    extent: int | None = None
    op: str | None = None
    spaces: tuple[str, str] = ("global", "shared")
    arch: int = 80

    def __post_init__(self) -> None:
        if size(self.source) != size(self.destination):
            raise InputError(
                f"{self.source} and {self.destination} have {size(self.source)} and {size(self.destination)} elements"
            )
        for layout in (self.source, self.destination):
            if isinstance(layout, Layout) and layout.semimodule != "integer":
                raise InputError(f"a vector is adjacent in memory, and the offsets of {layout} are {layout.semimodule}")
        if self.element_bits < 1 or min(self.align) < 1:
            raise InputError("an element has at least one bit, an alignment at least one byte")
        if self.op is not None and self.op not in OPS:
            raise InputError(f"an instruction is {', '.join(OPS)}, not {self.op}")
        if self.op is None and self.spaces not in PATHS:
            raise InputError(f"no copy goes from {self.spaces[0]} to {self.spaces[1]}")
        if self.tv is not None and len(self.tv) != 2:
            raise InputError(f"a thread–value layout has two modes, (threads, values); {self.tv} has {len(self.tv)}")

    def parts(self) -> tuple[AnyLayout, AnyLayout] | None:
        """Source and destination over (thread, value); None where one of them is no layout."""
        if self.tv is None:
            return self.source, self.destination
        if not isinstance(self.source, Layout) or not isinstance(self.destination, Layout):
            return None
        try:
            return composition(self.source, self.tv), composition(self.destination, self.tv)
        except Refuted:
            return None


def decide_vector(copy: Copy, width: int) -> list[Obligation]:
    """The six conditions for vectors of ``width`` elements.

    >>> copy = Copy(Layout((2, 3)), Layout((2, 3)), 32, (16, 16))
    >>> [o.verdict.value for o in decide_vector(copy, 2)]
    ['proved', 'proved', 'proved', 'proved', 'proved', 'proved']
    >>> [(o.name, o.reason) for o in decide_vector(copy, 4) if o.verdict.value == "refuted"]
    [('vector.contiguous', '6 elements are adjacent in both, and 4 does not divide that'),
     ('vector.owned', 'a thread owns 6 adjacent elements, and 4 does not divide that')]
    """
    if width < 1:
        raise InputError(f"a vector has at least one element, not {width}")
    return [
        CONTIGUOUS.decide(lambda: _contiguous(copy, width)),
        OWNED.decide(lambda: _owned(copy, width)),
        _aligned(copy, width),
        LEADING.decide(lambda: _leading(copy, width)),
        _predicated(copy, width),
        _supported(copy, width),
    ]


def widest_vector(copy: Copy) -> tuple[int, list[Obligation], list[Obligation]]:
    """The largest power of two of elements that is proved legal, its conditions, and those that keep it from more.

    The last are those of a wider one that was not decided, where there is one: then it is not known to be the widest.
    0 where not even one element may be moved; the conditions are then those of one.

    >>> widest_vector(Copy(Layout((2, 3)), Layout((2, 3)), 32, (16, 16)))[0]
    2
    >>> widest_vector(Copy(Layout(8), Layout(8), 32, (16, 8)))[0]
    2
    """
    widths = [1 << k for k in range(WIDEST_BITS.bit_length()) if copy.element_bits << k <= WIDEST_BITS] or [1]
    tried = {width: decide_vector(copy, width) for width in widths}
    best = max((width for width in widths if verdict_of(tried[width]) is Verdict.PROVED), default=0)
    wider = [width for width in widths if width > best]
    unknown = next((tried[width] for width in wider if verdict_of(tried[width]) is Verdict.UNKNOWN), None)
    held = tried[best or 1]
    return best, held, unknown or (tried[wider[0]] if wider else decide_vector(copy, 2 * best))


def _bits(copy: Copy, width: int) -> int:
    return copy.element_bits * width


# 1, 2: adjacent, and one thread's


def _contiguous(copy: Copy, width: int) -> Obligation:
    return _adjacent(CONTIGUOUS, copy.source, copy.destination, width, "{run} elements are adjacent in both")


def _owned(copy: Copy, width: int) -> Obligation:
    told = "a thread owns {run} adjacent elements"
    if copy.tv is None:
        return _adjacent(OWNED, copy.source, copy.destination, width, told)
    parts = copy.parts()
    is_met = parts is not None and _plain_pair(copy.source, copy.destination, width) is None
    if parts is None or is_met or _plain_pair(*parts, width) is None:
        if parts is not None and _keeps_blocks(*parts, width, len(parts[0][0].modes)):  # type: ignore[index]
            return OWNED.holds(f"every {width} adjacent elements are one thread's", run=width)
        if parts is None or not is_met or _plain_pair(*parts, width) is None:
            return _enumerated_ownership(copy, width)
    return _adjacent(OWNED, parts[0][1], parts[1][1], width, told)  # type: ignore[index]


def _adjacent(rule: Rule, source: AnyLayout, destination: AnyLayout, width: int, told: str) -> Obligation:
    if width == 1:
        return rule.holds("one element is adjacent to itself", "definition", run=1)
    plain = _plain_pair(source, destination, width)
    if plain is not None:
        run = max_common_vector(plain.source, plain.destination)
        text = told.format(run=run)
        if run % width == 0:
            return rule.holds(f"{text}, a multiple of {width}", run=run)
        sides = zip(("source", "destination"), (source, destination), (plain.source, plain.destination), strict=True)
        after = {name: _after(_unswizzled(side, width), stripped, run) for name, side, stripped in sides}
        witness = Witness("run", {"run": run, "width": width, **after})
        return rule.refuted(f"{text}, and {width} does not divide that", witness, run=run)
    found = _refute_groups(source, destination, width)
    if found is None or not found[0]:
        return rule.holds(f"every {width} are adjacent in both", "enumeration", run=width)
    return rule.refuted(found[1], found[2], "enumeration")


def _unswizzled(layout: AnyLayout, width: int) -> AnyLayout:
    """The layout before a swizzle that moves whole blocks of ``width``; as it is where it does not.

    >>> from ...model.notation import parse
    >>> str(_unswizzled(parse("S<3,3,4> o 0 o (128,32):(1,128)"), 8))
    '(128,32):(1,128)'
    """
    if (
        isinstance(layout, ComposedLayout)
        and isinstance(layout.function, Swizzle)
        and isinstance(layout.layout, Layout)
        and layout.offset % width == 0
        and (1 << layout.function.base) % width == 0
    ):
        return layout.layout
    return layout


@dataclass(frozen=True)
class _Plain:
    """Two layouts with positive strides, injective; ``broadcast`` are strides of modes along which one side rests.

    Broadcast modes start vectors and are in none: (side, stride of the other side). Modes along which both rest repeat
    whole vectors, and are left out.
    """

    source: Layout
    destination: Layout
    broadcast: tuple[tuple[str, int], ...] = ()


def _plain_pair(source: AnyLayout, destination: AnyLayout, width: int) -> _Plain | None:
    """What the closed form applies to, for vectors of ``width``; None where only the definition decides.

    >>> pair = _plain_pair(Layout((4, 2), (1, 0)), Layout((4, 2)), 4)
    >>> str(pair.source), str(pair.destination), pair.broadcast
    ('(4,1):(1,0)', '(4,1):(1,0)', (('destination', 4),))
    """
    first, second = _unswizzled(source, width), _unswizzled(destination, width)
    if not isinstance(first, Layout) or not isinstance(second, Layout):
        return None
    if any(s > 1 and d < 0 for layout in (first, second) for s, d in layout.modes):
        return None
    if _is_injective(first) and _is_injective(second):
        return _Plain(first, second)
    if [s for s, _ in first.modes] != [s for s, _ in second.modes]:
        return None
    both = [s > 1 and d == 0 == e for (s, d), (_, e) in zip(first.modes, second.modes, strict=True)]
    first, second = _without(first, both), _without(second, both)
    for side, resting, moving in (("destination", first, second), ("source", second, first)):
        rests = [s > 1 and d == 0 for s, d in resting.modes]
        if _is_injective(moving) and _is_injective(_without(resting, rests)):
            strides = tuple((side, d) for (_, d), rest in zip(moving.modes, rests, strict=True) if rest)
            return _Plain(_without(first, rests), _without(second, rests), strides)
    return None


def _is_injective(layout: Layout) -> bool:
    return all(s == 1 or d > 0 for s, d in layout.modes) and refute_injective(layout) is None


def _without(layout: Layout, dropped: list[bool]) -> Layout:
    """The layout flat, with some modes of one element instead."""
    modes = [(1, 0) if drop else mode for mode, drop in zip(layout.modes, dropped, strict=True)]
    return Layout.of(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def _after(side: AnyLayout, stripped: Layout, run: int) -> Any:
    """Where a side has the offset that follows the run, None where it has none; broadcast modes do not add to it."""
    assert isinstance(side, Layout)
    layout = side if _is_injective(side) else stripped
    inverse = right_inverse(layout)
    return unflatten(flatten(idx2crd(inverse(run), layout.shape)), side.shape) if size(inverse) > run else None


def _fills(places: list[int], width: int) -> bool:
    """Whether every place of a block is there, all equally often: as often as the vector is moved."""
    counts = Counter(place % width for place in places)
    return len(counts) == width and len(set(counts.values())) == 1


def _keeps_blocks(source: AnyLayout, destination: AnyLayout, width: int, threads: int = 0) -> bool:
    """Whether the modes that step inside a vector are one run, the same in both, of whole vectors; others step over it.

    Then each run is made of whole groups, whether or not other modes meet. The first ``threads`` modes are not part of
    the run.

    >>> _keeps_blocks(Layout((4, 8), (2, 1)), Layout((4, 8), (8, 1)), 2), _keeps_blocks(Layout(6), Layout(6), 4)
    (True, False)
    """
    first, second = _unswizzled(source, width), _unswizzled(destination, width)
    if not isinstance(first, Layout) or not isinstance(second, Layout):
        return False
    if len(first.modes) != len(second.modes):
        return False
    run = []
    for i, ((s, d), (t, e)) in enumerate(zip(first.modes, second.modes, strict=True)):
        if s != t:
            return False
        if s > 1 and (d % width or e % width):
            if d != e or i < threads:
                return False
            run.append((d, s))
    reach = 1
    for d, s in sorted(run, key=lambda step: step[0]):
        if d != reach:
            return False
        reach = reach * s
    return bool(reach % width == 0)


def _refute_groups(source: AnyLayout, destination: AnyLayout, width: int) -> tuple[bool, str, Witness] | None:
    """By the definition: an index that belongs to no group of ``width``, and whether the first group fails already."""
    if _keeps_blocks(source, destination, width):
        return None
    if size(source) > POINTS:
        raise Undecided(f"{size(source)} elements would have to be looked at, more than {POINTS}")
    pairs = list(zip(offsets(source), offsets(destination), strict=True))
    groups: dict[tuple[int, int], list[int]] = {}
    for index, (a, b) in enumerate(pairs):
        groups.setdefault((a // width, b // width), []).append(index)
    first = None
    for key, members in groups.items():
        in_order = all(pairs[i][0] % width == pairs[i][1] % width for i in members)
        if in_order and _fills([pairs[i][0] for i in members], width):
            continue
        broken = pairs[members[0]][0] == pairs[0][0] or key == (pairs[0][0] // width, pairs[0][1] // width)
        if first is None or broken:
            a, b = pairs[members[0]]
            index = members[0]
            reason = (
                f"index {index} is at {a} in the source and {b} in the destination, "
                f"and {len(members)} of {width} elements share these two blocks"
            )
            values = {"index": index, "source": a, "destination": b, "width": width, "members": len(members)}
            first = (broken, reason, Witness("group", values))
            if broken:
                break
    return first


def _enumerated_ownership(copy: Copy, width: int) -> Obligation:
    """With threads whose parts are no layouts: groups of one thread, by the definition."""
    assert copy.tv is not None
    if size(copy.tv) > POINTS:
        raise Undecided(f"{size(copy.tv)} elements would have to be looked at, more than {POINTS}")
    threads = size(copy.tv[0])
    source, destination = offsets(copy.source), offsets(copy.destination)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for place, index in enumerate(offsets(copy.tv)):
        groups.setdefault((place % threads, source[index] // width, destination[index] // width), []).append(index)
    for (thread, a, _), members in groups.items():
        if not _fills([source[i] for i in members], width):
            values = {"thread": thread, "index": members[0], "width": width, "members": len(members)}
            return OWNED.refuted(
                f"thread {thread} owns {len(members)} of the {width} elements from {a * width} on",
                Witness("group", values),
                "enumeration",
            )
    return OWNED.holds(f"every {width} adjacent elements are one thread's", "enumeration", run=width)


# 3, 4: aligned at the start, and at every start


def _aligned(copy: Copy, width: int) -> Obligation:
    bits = _bits(copy, width)
    if bits % 8:
        return ALIGNED.refuted(
            f"{width} elements of {copy.element_bits} bits are no whole bytes",
            Witness("alignment", {"width": width, "bits": bits, "multiple_of": 8}),
            "definition",
        )
    bytes_ = bits // 8
    sides = zip(("source", "destination"), copy.align, (copy.source_offsets, copy.destination_offsets), strict=True)
    for side, align, added in sides:
        if align % bytes_:
            return ALIGNED.refuted(
                f"the {side} is known to be a multiple of {align} bytes, and a vector has {bytes_}",
                Witness("alignment", {"side": side, "address": align, "multiple_of": bytes_}),
                "definition",
            )
        wrong = next((offset for offset in added if offset % width), None)
        if wrong is not None:
            return ALIGNED.refuted(
                f"the offset of {wrong} elements moves the {side} by {_amount(wrong * copy.element_bits)}, "
                f"no multiple of {bytes_} bytes",
                Witness("alignment", {"side": side, "offset": wrong, "multiple_of": width}),
                "definition",
            )
    return ALIGNED.holds(f"both start at multiples of {bytes_} bytes", "definition", bytes=bytes_)


def _amount(bits: int) -> str:
    return f"{bits // 8} bytes" if bits % 8 == 0 else f"{bits} bits"


def _leading(copy: Copy, width: int) -> Obligation:
    if width == 1:
        return LEADING.holds("every element may start", "definition")
    if _plain_pair(copy.source, copy.destination, width) is None and _keeps_blocks(
        copy.source, copy.destination, width
    ):
        return LEADING.holds(f"all other strides are multiples of {width}")
    plain = _plain_pair(*(copy.parts() or (copy.source, copy.destination)), width)
    if plain is not None:
        starts = list(plain.broadcast)
        for side, layout in (("source", plain.source), ("destination", plain.destination)):
            run = size(right_inverse(layout))
            starts += [(side, d) for s, d in layout.modes if s > 1 and d >= run]
        for side, stride in starts:
            if stride % width:
                return LEADING.refuted(
                    f"a stride of {stride} in the {side} starts a vector that is no multiple of {width}",
                    Witness("stride", {"side": side, "offset": stride, "multiple_of": width}),
                )
        return LEADING.holds(f"all other strides are multiples of {width}")
    found = _refute_groups(copy.source, copy.destination, width)
    if found is None or found[0]:
        return LEADING.holds("all groups are like the first", "enumeration")
    return LEADING.refuted(found[1], found[2], "enumeration")


# 5, 6: predicates and instructions


def _predicated(copy: Copy, width: int) -> Obligation:
    if copy.extent is None:
        return PREDICATED.holds("nothing is predicated", "definition")
    if copy.extent % width == 0:
        return PREDICATED.holds(f"the extent {copy.extent} is a multiple of {width}", "definition")
    start = copy.extent - copy.extent % width
    return PREDICATED.refuted(
        f"the vector at {start} has {copy.extent % width} of {width} elements inside the extent {copy.extent}: "
        "a narrower vector or a scalar tail",
        Witness("predicate", {"coordinate": start, "extent": copy.extent, "width": width}),
        "definition",
        tail=[start, copy.extent],
    )


def _supported(copy: Copy, width: int) -> Obligation:
    bits = _bits(copy, width)
    used = (copy.op,) if copy.op is not None else PATHS[copy.spaces]
    for op in used:
        if op.startswith("cp.async") and copy.spaces != ("global", "shared"):
            return SUPPORTED.refuted(
                f"{op} copies from global to shared memory only, not from {copy.spaces[0]} to {copy.spaces[1]}",
                Witness("instruction", {"op": op, "from": copy.spaces[0], "to": copy.spaces[1]}),
                "definition",
            )
        widths = [b for b, arch in OPS[op].items() if copy.arch >= arch]
        if bits not in widths:
            known = ", ".join(map(str, widths)) or "none"
            return SUPPORTED.refuted(
                f"{op} on sm_{copy.arch} moves {known} bits, not {bits}",
                Witness("instruction", {"op": op, "arch": copy.arch, "bits": bits}),
                "definition",
            )
    return SUPPORTED.holds(f"{' and '.join(used)} move {bits} bits", "definition", bits=bits)


def decide_atom(copy: Copy, atom_bits: int) -> list[Obligation]:
    """The six conditions for an atom of ``atom_bits``, which must be a whole number of elements.

    >>> copy = Copy(Layout((1, 1)), Layout((1, 1)), 32, (16, 16))
    >>> [o.name for o in decide_atom(copy, 128) if o.verdict.value == "refuted"]
    ['vector.contiguous', 'vector.owned']
    """
    if atom_bits % copy.element_bits:
        return [
            SUPPORTED.refuted(
                f"{atom_bits} bits are no whole number of elements of {copy.element_bits}",
                Witness("instruction", {"bits": atom_bits, "element_bits": copy.element_bits}),
                "definition",
            )
        ]
    return decide_vector(copy, atom_bits // copy.element_bits)
