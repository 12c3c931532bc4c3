"""Bank conflicts: how many words one bank of shared memory is asked for at once, and the swizzles that prevent it.

Shared memory has 32 banks of 4-byte words; word w lies in bank w mod 32 (CUDA programming guide, shared memory of each
compute capability). A warp's access is served in phases, and lanes that want the same word of a bank are served
together. The *degree* of a phase is the largest number of distinct words that one bank is asked for. How many lanes a
phase has is stated in no manual and ``measured``: 32 lanes for accesses up to 4 bytes, 16 for 8 bytes, 8 for 16 bytes,
and the 8 row addresses of one matrix for ldmatrix and stmatrix.

Buffers are taken to start at a multiple of 128 bytes, and of the swizzle's period where there is one (see
:mod:`.shared_memory`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...model import f2
from ...model.composed import AnyLayout, ComposedLayout
from ...model.coordinate import as_coordinate, idx2crd
from ...model.errors import InputError, Undecided, Witness
from ...model.htuple import text_of
from ...model.layout import Layout
from ...model.properties import POINTS, offset_range, refute_within, size
from ...model.semimodule import as_integer
from ...model.swizzle import Swizzle
from ..verdict import Verdict
from .obligation import Obligation
from .rule import ENUMERATION, Rule

if TYPE_CHECKING:
    from ...smt.smtlib import Obligation as Question

BANKS, WORD_BITS, WARP = 32, 32, 32
PHASE_LANES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}
"""Lanes that are served together, by the bytes that each asks for."""
MATRIX_ROWS = 8
LISTED = 64  # phases whose degrees are told one by one
MAX_BITS = 3
"""B of the largest swizzle that is searched for: 8 chunks of 16 bytes are all that a row of 128 bytes has."""


@dataclass(frozen=True)
class Request:
    """One lane's access in a phase: the byte at which it starts."""

    lane: int
    address: int


@dataclass(frozen=True)
class Conflict:
    """What one phase does: its degree, and the bank, words and lanes (one for each word) that show it."""

    degree: int
    bank: int
    words: tuple[int, ...]
    lanes: tuple[int, ...]


def phase_lanes(access_bytes: int) -> int:
    """How many lanes a phase has for accesses of this many bytes; InputError for a width that no access has.

    >>> phase_lanes(4), phase_lanes(8), phase_lanes(16)
    (32, 16, 8)
    """
    if access_bytes not in PHASE_LANES:
        raise InputError(f"an access of shared memory has 1, 2, 4, 8 or 16 bytes, not {access_bytes}")
    return PHASE_LANES[access_bytes]


def conflict_of(requests: Iterable[Request], access_bytes: int) -> Conflict:
    """The degree of one phase by plain evaluation: every word of every lane is put into its bank.

    >>> conflict_of([Request(lane, 128 * lane) for lane in range(4)], 4)
    Conflict(degree=4, bank=0, words=(0, 32, 64, 96), lanes=(0, 1, 2, 3))
    >>> conflict_of([Request(lane, 4 * (lane // 2)) for lane in range(4)], 4).degree
    1
    """
    banks: dict[int, dict[int, int]] = {}
    for request in requests:
        first, last = request.address // 4, (request.address + access_bytes - 1) // 4
        for word in range(first, last + 1):
            banks.setdefault(word % BANKS, {}).setdefault(word, request.lane)
    if not banks:
        return Conflict(0, 0, (), ())
    bank = max(banks, key=lambda b: (len(banks[b]), -b))
    found = sorted(banks[bank].items())
    return Conflict(len(found), bank, tuple(w for w, _ in found), tuple(lane for _, lane in found))


@dataclass(frozen=True)
class Access:
    """Threads that read or write a shared tile, ``vector`` elements at a time.

    ``tv`` sends (thread, value) to an index (or coordinate) of the tile, ``layout`` that to an offset in elements of
    ``element_bits``. Values are taken ``vector`` by ``vector`` in their order; 32 consecutive threads are a warp.
    InputError unless an access has 1, 2, 4, 8 or 16 bytes, the vector divides the values, and the tile is reached.
    """

    tv: Layout
    layout: AnyLayout
    element_bits: int
    vector: int

    def __post_init__(self) -> None:
        if not isinstance(self.tv, Layout):
            raise InputError(f"a thread-value layout is S:D, with threads and values as its modes, not {self.tv}")
        if not isinstance(self.layout, (Layout, ComposedLayout)):
            raise InputError(f"a layout of shared memory is S:D, or a swizzle o 0 o S:D, not {self.layout}")
        for name, number in (("bits of an element", self.element_bits), ("elements of a vector", self.vector)):
            if type(number) is not int or number < 1:
                raise InputError(f"the {name} must be a positive integer, not {number}")
        if len(self.tv) > 2:
            raise InputError(f"a thread-value layout has two modes, threads and values; {self.tv} has {len(self.tv)}")
        if self.tv.semimodule == "F2":
            raise InputError(f"{self.tv} gives bits, not indices of a tile")
        if isinstance(self.layout, Layout) and self.layout.semimodule == "coordinate":
            raise InputError(f"the offsets of {self.layout} are coordinates, not places in shared memory")
        if self.element_bits * self.vector % 8:
            raise InputError(f"{self.vector} elements of {self.element_bits} bits are no whole number of bytes")
        phase_lanes(self.access_bytes)
        if self.values % self.vector:
            raise InputError(f"{self.values} values a thread are no whole number of vectors of {self.vector}")

    @property
    def threads(self) -> int:
        """How many threads take part."""
        return size(self.tv[0]) if len(self.tv) == 2 else size(self.tv)

    @property
    def values(self) -> int:
        """How many elements each has."""
        return size(self.tv[1]) if len(self.tv) == 2 else 1

    @property
    def access_bytes(self) -> int:
        """Bytes of one lane's access."""
        return self.element_bits * self.vector // 8

    @property
    def lanes(self) -> int:
        """Lanes of a phase."""
        return phase_lanes(self.access_bytes)

    def index(self, thread: int, value: int) -> Any:
        """The tile's index or coordinate that a thread's value has."""
        return self.tv((thread, value)) if len(self.tv) == 2 else self.tv(thread)

    def offset(self, thread: int, value: int) -> int:
        """The offset in elements at which a thread's value lies."""
        return as_integer(self.layout(as_coordinate(self.index(thread, value), self.layout.shape)))

    def with_layout(self, layout: AnyLayout) -> Access:
        """The same threads on another layout of the tile."""
        return Access(self.tv, layout, self.element_bits, self.vector)

    def phases(self) -> Iterator[tuple[int, int, int]]:
        """(warp, number of the vector, first lane) of every phase."""
        for warp in range(-(-self.threads // WARP)):
            for number in range(self.values // self.vector):
                for lane in range(0, min(WARP, self.threads - WARP * warp), self.lanes):
                    yield warp, number, lane

    def requests(self, warp: int, number: int, lane: int) -> list[Request]:
        """The requests of one phase, in bytes."""
        last = min(lane + self.lanes, self.threads - WARP * warp)
        return [
            Request(k, self.offset(WARP * warp + k, number * self.vector) * self.element_bits // 8)
            for k in range(lane, last)
        ]

    @cached_property
    def columns(self) -> tuple[list[int], list[int]] | None:
        """The offsets at each power of two of the thread and of the value, when the whole is linear in their bits.

        None where that does not follow from the modes: sizes that are no powers of two, or sums that carry.
        """
        return linear_columns(self.tv, self.layout)


def linear_columns(tv: Layout, layout: AnyLayout) -> tuple[list[int], list[int]] | None:
    """The columns of layout∘tv as a map of bits (threads, values), up to a constant; None when it may not be one.

    A sum of steps is their XOR when no two have a bit in common, and the digits of an index are its bits when the
    sizes are powers of two; a swizzle is linear. Then f(x) = f(0) XOR the columns of the bits of x.

    >>> linear_columns(Layout((4, 2), (2, 1)), Layout((8, 2), (1, 8)))
    ([2, 4], [1])
    >>> linear_columns(Layout((4, 2), (2, 1)), Layout((8, 2), (5, 40))) is None
    True
    """
    swizzles: list[Swizzle] = []
    constant = 0
    while isinstance(layout, ComposedLayout):
        if not isinstance(layout.function, Swizzle) or (constant and layout.offset):
            return None
        swizzles.append(layout.function)
        if type(layout.offset) is not int or layout.offset < 0:
            return None
        constant = constant or layout.offset
        if not isinstance(layout.layout, (Layout, ComposedLayout)):
            return None
        if layout.offset and not isinstance(layout.layout, Layout):
            return None
        layout = layout.layout
    split = len(tv[0].modes) if len(tv) == 2 else len(tv.modes)
    steps: list[list[int]] = []
    for s, d in tv.modes:
        if not f2.is_power_of_two(s) or type(d) is not int or d < 0:
            return None
        steps.append([d << bit for bit in range(s.bit_length() - 1)])
    flat = [x for part in steps for x in part]
    index_bits = _or_if_disjoint(flat)
    places = _index_places(layout, index_bits) if index_bits is not None else None
    if places is None:
        return None
    carries = layout.semimodule == "integer"
    if carries and _or_if_disjoint([*places.values(), constant]) is None:
        return None

    def column(x: int) -> int:
        value = 0
        for bit in range(x.bit_length()):
            if x >> bit & 1:
                value ^= places[bit]
        for swizzle in reversed(swizzles):
            value = swizzle(value)
        return value

    found = [[column(x) for x in part] for part in steps]
    return [c for part in found[:split] for c in part], [c for part in found[split:] for c in part]


def _or_if_disjoint(steps: Sequence[int]) -> int | None:
    """All bits of the steps, or None when two share one."""
    seen = 0
    for step in steps:
        if seen & step:
            return None
        seen |= step
    return seen


def _index_places(layout: Layout, used: int) -> dict[int, int] | None:
    """The offset of each bit of an index that is used; None when a size that matters is no power of two."""
    places: dict[int, int] = {}
    bit = 0
    modes = layout.modes
    for k, (s, d) in enumerate(modes):
        step = as_integer(d)
        last = k == len(modes) - 1
        if step < 0 or (not f2.is_power_of_two(s) and not last):
            return None
        count = max(0, used.bit_length() - bit) if last else s.bit_length() - 1
        for b in range(count):
            if used >> bit & 1:
                places[bit] = step << b
            bit += 1
    return places


# Vectors and conflicts, decided


_GUIDE = "CUDA programming guide, shared memory banks; phases: measured"
INSIDE = Rule("banks.inside", "every (thread, value) has a place in the layout", "ours")
VECTOR = Rule(
    "banks.vector",
    "the elements of each vector lie side by side, aligned to its bytes",
    "PTX ISA, Addresses as Operands: an address is a multiple of the size of the access",
)
CONFLICT_FREE = Rule("banks.conflict_free", "in every phase, no bank is asked for two distinct words", _GUIDE)
MATRIX = Rule(
    "banks.matrix",
    "in each phase of ldmatrix or stmatrix, the 8 rows of a matrix lie in distinct banks",
    "PTX ISA, ldmatrix and stmatrix: 8 addresses a matrix, 16 bytes a row; phases: measured",
)
UNITS = Rule(
    "banks.swizzle_units",
    "a swizzle for TMA or wgmma is a mode of 32, 64 or 128 bytes, counted in elements as the offsets are",
    "PTX ISA, swizzling modes; CUDA driver API, cuTensorMapEncodeTiled",
)


def decide_banks(access: Access) -> list[Obligation]:
    """The tile is reached, vectors are whole and aligned, and no phase has a conflict.

    >>> from ...model.notation import layout, parse
    >>> rows = layout("(8,8):(1,8)")  # lane r reads 8 elements of row r, as ldmatrix does
    >>> [o.reason for o in decide_banks(Access(rows, layout("(8,64):(64,1)"), 16, 8))][-1]
    '8-way: lanes 0 and 1 of warp 0 ask bank 0 for the words 0 and 32'
    >>> [o.verdict.value for o in decide_banks(Access(rows, parse("S<3,3,3> o 0 o (8,64):(64,1)"), 16, 8))]
    ['proved', 'proved', 'proved']
    """
    inside = INSIDE.decide(lambda: _inside(access))
    if inside.verdict is not Verdict.PROVED:
        told = "a place is missing, or not known to be there"
        return [inside, VECTOR.open(told), CONFLICT_FREE.open(told)]
    whole = VECTOR.decide(lambda: _whole(access))
    if whole.verdict is not Verdict.PROVED:
        return [inside, whole, CONFLICT_FREE.open("a vector is not one access, or not known to be")]
    return [inside, whole, CONFLICT_FREE.decide(lambda: _conflict_free(access))]


def degree_of(access: Access) -> int:
    """The largest degree of any phase, for vectors that are whole.

    >>> from ...model.notation import layout, parse
    >>> [degree_of(Access(layout("(32,1):(1,32)"), parse(text), 32, 1))
    ...  for text in ("(32,32):(32,1)", "S<5,0,5> o 0 o (32,32):(32,1)", "S<5,0,6> o 0 o (32,32):(32,1)")]
    [32, 1, 2]
    """
    closed = closed_degree(access)
    return closed if closed is not None else max(_phase_degrees(access).values())


def closed_degree(access: Access) -> int | None:
    """The degree of every phase in closed form, or None when the access is not linear in bits.

    The first words of the lanes of a phase are an affine space of bits, spanned by the columns of the lane's bits.
    Every bank that is hit holds as many of them as there are with the same bank: 2^(rank of the words − rank of their
    banks). It is the same in every phase, since those differ by a constant only. The other words of a lane's access
    follow its first in banks of their own, because accesses are aligned.

    >>> closed_degree(Access(Layout((32, 1), (2, 1)), Layout(64), 32, 1))
    2
    """
    columns = access.columns
    if columns is None:
        return None
    lane_bits = access.lanes.bit_length() - 1
    words = [c * access.element_bits // WORD_BITS for c in columns[0][:lane_bits]]
    return 1 << len(f2.echelon(words)) - len(f2.echelon([w % BANKS for w in words]))


def _phase_degrees(access: Access) -> dict[tuple[int, int, int], int]:
    _check_points(access)
    return {phase: conflict_of(access.requests(*phase), access.access_bytes).degree for phase in access.phases()}


def _check_points(access: Access) -> None:
    points = access.threads * access.values
    if points > POINTS:
        raise Undecided(f"{points} values would have to be enumerated, more than {POINTS}")


def _conflict_free(access: Access) -> Obligation:
    closed = closed_degree(access)
    if closed is not None:
        degrees = dict.fromkeys(islice(access.phases(), LISTED), closed)
        count = -(-access.threads // access.lanes) * (access.values // access.vector)
        evidence = f"closed-form (ranks over F2, the same in {_phases(count)})"
        degree, phase = closed, next(iter(access.phases()))
    else:
        degrees = _phase_degrees(access)
        count = len(degrees)
        evidence = f"enumeration ({count} phases)"
        degree = max(degrees.values())
        phase = next(p for p, d in degrees.items() if d == degree)
    details: dict[str, Any] = {
        "degree": degree,
        "minimum": 1,
        "access_bytes": access.access_bytes,
        "phase_lanes": access.lanes,
        "phases": count,
        "by_phase": [
            {"warp": w, "vector": number, "lane": lane, "degree": d}
            for (w, number, lane), d in list(degrees.items())[:LISTED]
        ],
    }
    if degree == 1:
        return CONFLICT_FREE.holds(f"1-way in {_phases(count)}, the least there is", evidence, **details)
    conflict = conflict_of(access.requests(*phase), access.access_bytes)
    reason = (
        f"{degree}-way: lanes {conflict.lanes[0]} and {conflict.lanes[1]} of warp {phase[0]} ask bank {conflict.bank} "
        f"for the words {conflict.words[0]} and {conflict.words[1]}"
    )
    witness = _witness(conflict, warp=phase[0], value=phase[1] * access.vector)
    return CONFLICT_FREE.refuted(reason, witness, evidence, **details)


def _phases(count: int) -> str:
    return "its one phase" if count == 1 else f"each of {count} phases"


def _witness(conflict: Conflict, **where: int) -> Witness:
    found = {"bank": conflict.bank, "lanes": conflict.lanes[:2], "words": conflict.words[:2], "degree": conflict.degree}
    return Witness("bank", {**where, **found})


def _inside(access: Access) -> Obligation:
    """Every index that the threads ask for is one of the tile."""
    total = size(access.layout)
    if access.tv.semimodule == "integer":
        low, high = offset_range(access.tv)
        if low >= 0 and high < total:
            return INSIDE.holds(f"indices {low} to {high} of {total}")
        witness = refute_within(access.tv, total)
        assert witness is not None
        where = f"(thread, value) {text_of(witness.values['coordinate'])} asks for {witness.values['offset']}"
        return INSIDE.refuted(f"the tile has {total} elements, and {where}", witness)
    _check_points(access)
    for thread in range(access.threads):
        for value in range(access.values):
            coordinate = as_coordinate(access.index(thread, value), access.layout.shape)
            if not access.layout.in_bounds(coordinate):
                reason = f"thread {thread}, value {value} asks for {text_of(coordinate)}"
                return INSIDE.fails(reason, "outside", ENUMERATION, coordinate=(thread, value), offset=coordinate)
    return INSIDE.holds("every coordinate", ENUMERATION)


def _whole(access: Access) -> Obligation:
    """The elements of each vector lie side by side, and start at a multiple of its bytes."""
    told = f"every vector of {access.vector} is whole and aligned to its {access.access_bytes} bytes"
    if access.vector == 1:
        return VECTOR.holds("every access is one element")
    columns = access.columns
    if columns is not None and _is_zero_based(access.layout, access.vector):
        inner = columns[1][: access.vector.bit_length() - 1]
        outer = [*columns[0], *columns[1][len(inner) :]]
        if inner == [1 << b for b in range(len(inner))] and all(c % access.vector == 0 for c in outer):
            return VECTOR.holds(told)
    _check_points(access)
    evidence = f"{ENUMERATION} ({access.threads * access.values} values)"
    for thread in range(access.threads):
        for start in range(0, access.values, access.vector):
            first = access.offset(thread, start)
            if first % access.vector:
                reason = f"the vector of thread {thread} at value {start} starts at element {first}"
                place: dict[str, Any] = {"coordinate": (thread, start), "offset": first, "multiple": access.vector}
                return VECTOR.fails(f"{reason}, no multiple of {access.vector}", "alignment", evidence, **place)
            for k in range(1, access.vector):
                got = access.offset(thread, start + k)
                if got != first + k:
                    reason = f"value {start + k} of thread {thread} is not beside the one before it"
                    place = {"coordinate": (thread, start + k), "expected": first + k, "got": got}
                    return VECTOR.fails(reason, "difference", evidence, **place)
    return VECTOR.holds(told, evidence)


def _is_zero_based(layout: AnyLayout, vector: int) -> bool:
    """Whether the constant of a composed layout leaves vectors aligned."""
    while isinstance(layout, ComposedLayout):
        if type(layout.offset) is not int or layout.offset % vector:
            return False
        if not isinstance(layout.layout, (Layout, ComposedLayout)):
            return False
        layout = layout.layout
    return True


def decide_matrix_banks(rows: Sequence[int]) -> Obligation:
    """The phases of ldmatrix or stmatrix: 8 row addresses (in bytes, 16 bytes a row) for each of its matrices.

    >>> decide_matrix_banks([128 * r for r in range(8)]).reason
    '8-way: rows 0 and 1 of matrix 0 start in bank 0, at the words 0 and 32'
    >>> decide_matrix_banks([144 * r for r in range(8)]).verdict.value
    'proved'
    """
    if len(rows) not in (8, 16, 32):
        raise InputError(f"ldmatrix and stmatrix have 8, 16 or 32 row addresses, not {len(rows)}")
    evidence = f"{ENUMERATION} ({len(rows) // MATRIX_ROWS} phases)"
    for lane, address in enumerate(rows):
        if address % 16:
            reason = f"the row address {address} of lane {lane} is no multiple of 16"
            return MATRIX.fails(reason, "alignment", evidence, coordinate=lane, offset=address, multiple=16)
    found = [
        conflict_of([Request(r, rows[first + r]) for r in range(MATRIX_ROWS)], 16)
        for first in range(0, len(rows), MATRIX_ROWS)
    ]
    degree = max(c.degree for c in found)
    matrix, conflict = next((i, c) for i, c in enumerate(found) if c.degree == degree)
    details = {"degree": degree, "minimum": 1, "degrees": [c.degree for c in found]}
    if degree == 1:
        return MATRIX.holds(f"1-way in {_phases(len(found))}, the least there is", evidence, **details)
    a, b = conflict.lanes[:2]
    reason = (
        f"{degree}-way: rows {a} and {b} of matrix {matrix} start in bank {conflict.bank}, "
        f"at the words {conflict.words[0]} and {conflict.words[1]}"
    )
    return MATRIX.refuted(reason, _witness(conflict, matrix=matrix), evidence, **details)


# Units of a swizzle


def mode_in_elements(span_bytes: int, element_bits: int) -> Swizzle:
    """The swizzle of TMA's and wgmma's modes of 32, 64 and 128 bytes, as it acts on offsets in elements.

    In bytes they are S<1,4,3>, S<2,4,3> and S<3,4,3>: chunks of 16 bytes are exchanged.

    >>> [str(mode_in_elements(128, bits)) for bits in (8, 16, 32)], str(mode_in_elements(32, 16))
    (['S<3,4,3>', 'S<3,3,3>', 'S<3,2,3>'], 'S<1,3,3>')
    """
    if span_bytes not in (32, 64, 128):
        raise InputError(f"the swizzle modes have 32, 64 or 128 bytes, not {span_bytes}")
    if element_bits not in (4, 8, 16, 32, 64, 128):
        raise InputError(f"the swizzle modes act on elements of 4 to 128 bits, a power of two, not {element_bits}")
    return Swizzle({32: 1, 64: 2, 128: 3}[span_bytes], 4 - (element_bits.bit_length() - 4), 3)


def _span_of(swizzle: Swizzle) -> int | None:
    """The mode that a swizzle of byte offsets is."""
    return {1: 32, 2: 64, 3: 128}.get(swizzle.bits) if (swizzle.base, swizzle.shift) == (4, 3) else None


def decide_swizzle_units(layout: AnyLayout, element_bits: int) -> Obligation:
    """The swizzle in front of a layout of elements is one of the hardware's modes, counted in those elements.

    >>> from ...model.notation import parse
    >>> decide_swizzle_units(parse("S<3,4,3> o 0 o (32,8):(1,32)"), 32).reason
    'S<3,4,3> is the 128-byte mode in bytes; on offsets in elements of 32 bits that mode is S<3,2,3>'
    >>> decide_swizzle_units(parse("S<3,2,3> o 0 o (32,8):(1,32)"), 32).verdict.value
    'proved'
    """
    modes = {mode_in_elements(span, element_bits): span for span in (32, 64, 128)}
    if isinstance(layout, Layout) or (isinstance(layout.function, Swizzle) and not layout.function.bits):
        return UNITS.holds("there is no swizzle", "definition")
    swizzle = layout.function
    if not isinstance(swizzle, Swizzle):
        raise InputError(f"{layout} begins with no swizzle")
    if swizzle in modes:
        told = f"{swizzle} is the {modes[swizzle]}-byte mode in elements of {element_bits} bits"
        return UNITS.holds(told, "definition")
    span = _span_of(swizzle)
    if span is None:
        reason = f"{swizzle} is no mode of 32, 64 or 128 bytes in elements of {element_bits} bits"
        right = min(modes, key=lambda m: (abs(m.bits - swizzle.bits), m.bits))
    else:
        right = mode_in_elements(span, element_bits)
        offsets = f"on offsets in elements of {element_bits} bits that mode is {right}"
        reason = f"{swizzle} is the {span}-byte mode in bytes; {offsets}"
    return UNITS.refuted(reason, _first_moved(layout, right), "definition", mode=str(right))


def _first_moved(layout: ComposedLayout, right: Swizzle) -> Witness:
    """The first index that the right swizzle sends elsewhere; where none is in the layout, the first such offset."""
    for index in range(min(size(layout), POINTS)):
        got = layout(index)
        expected = right(layout.offset + layout.layout(index))
        if got != expected:
            values = {"coordinate": idx2crd(index, layout.shape), "index": index, "expected": expected, "got": got}
            return Witness("difference", values)
    swizzle = layout.function
    assert isinstance(swizzle, Swizzle)
    reach = max(swizzle.period_bits, right.period_bits)
    offset = next(1 << bit for bit in range(reach) if swizzle(1 << bit) != right(1 << bit))
    return Witness("difference", {"offset": offset, "expected": right(offset), "got": swizzle(offset)})


# The search for a swizzle


@dataclass(frozen=True)
class Suggestion:
    """A swizzle that serves every access, or None when there is none; how that is known; how many were tried."""

    swizzle: Swizzle | None
    layout: AnyLayout | None
    evidence: tuple[str, ...]
    tried: int
    notes: tuple[str, ...] = ()


def plain_layout(layout: AnyLayout) -> Layout:
    """The layout behind a swizzle: what another swizzle is looked for."""
    if isinstance(layout, ComposedLayout) and isinstance(layout.function, Swizzle) and layout.offset == 0:
        layout = layout.layout if isinstance(layout.layout, Layout) else layout
    if not isinstance(layout, Layout):
        raise InputError(f"a swizzle is sought for S:D, or in place of the one in S<B,M,S> o 0 o S:D, not for {layout}")
    return layout


def candidates(vector: int, element_bits: int, greatest: int) -> Iterator[Swizzle]:
    """Every swizzle with 1 ≤ B ≤ 3 and |S| ≥ B that keeps vectors whole and can end a conflict, smallest B first.

    ``greatest`` is the greatest offset. M ≥ log2(vector) keeps a vector in one piece. Any other swizzle leaves every
    conflict as it is (:func:`idle`, decided by solvers): it reads bits that are 0 in every offset, or writes bits from
    128 bytes on, which say nothing of the bank; unless it moves bits from inside a word there, which can make two
    words one.

    >>> [str(s) for s in candidates(8, 16, 511) if s.bits == 3]
    ['S<3,3,3>', 'S<3,4,3>', 'S<3,5,3>', 'S<3,3,4>', 'S<3,4,4>', 'S<3,3,5>']
    """
    low, top, below, bits = _bounds(vector, element_bits, greatest)
    for b in range(1, MAX_BITS + 1):
        for shift in range(b, max(bits, top) + 1):
            for base in range(low, min(top, bits - shift)):
                yield Swizzle(b, base, shift)
        for shift in range(b, max(bits, top) + 1):
            for base in range(low, bits):
                if base + shift < top or (base < below and base + shift < bits):
                    yield Swizzle(b, base, -shift)


def _bounds(vector: int, element_bits: int, greatest: int) -> tuple[int, int, int, int]:
    """Bits of an offset: inside a vector, up to the end of 128 bytes, inside a word, and in all."""
    top = (BANKS * WORD_BITS // element_bits).bit_length() - 1
    below = max(0, (WORD_BITS // element_bits).bit_length() - 1)
    return (vector - 1).bit_length(), top, below, greatest.bit_length()


def suggest_swizzle(accesses: Sequence[Access], modes_only: bool = False, budget: float = 5.0) -> Suggestion:
    """The smallest swizzle with B ≤ 3 under which no phase of any access conflicts; the search is complete.

    The accesses read and write one tile: their layouts are the same. ``modes_only`` keeps to the modes of 32, 64 and
    128 bytes, all that TMA and wgmma know. Of swizzles with one B the first is taken that does not enlarge the buffer,
    then the one with the least shift and base. Where every access is linear in bits, that there is none is also put to
    a solver, with B, M and S unknown (evidence ``smt``).

    >>> from ...model.notation import layout
    >>> L = layout("(8,64):(64,1)")
    >>> writer, reader = (Access(layout(tv), L, 16, 8) for tv in ("((8,8),8):((64,1),8)", "(8,8):(1,8)"))
    >>> str(suggest_swizzle([writer, reader]).swizzle)
    'S<3,3,3>'
    """
    if not accesses:
        raise InputError("a swizzle is sought for one access at least")
    base = plain_layout(accesses[0].layout)
    if any(plain_layout(a.layout) != base or a.element_bits != accesses[0].element_bits for a in accesses):
        raise InputError("the accesses that a swizzle serves have one layout and one element")
    element_bits = accesses[0].element_bits
    plain = [a.with_layout(base) for a in accesses]
    low, greatest = offset_range(base)
    if low < 0:
        raise InputError(f"{base} has negative offsets, which a swizzle does not permute")
    vector = max(a.vector for a in accesses)
    phases = _phase_starts(plain)
    if _serves(Swizzle(0, 0, 3), phases, element_bits):
        return Suggestion(Swizzle(0, 0, 3), base, ("no swizzle is needed",), 1)
    if modes_only:
        space = [mode_in_elements(span, element_bits) for span in (32, 64, 128)]
        space = [s for s in space if s.base >= (vector - 1).bit_length()]
    else:
        space = list(candidates(vector, element_bits, greatest))
    best: list[tuple[tuple[int, int, int, int, int], Swizzle]] = []
    tried = 0
    for swizzle in space:
        if best and swizzle.bits > best[0][1].bits:
            break
        tried += 1
        if _serves(swizzle, phases, element_bits):
            grows = _grows(swizzle, base, greatest)
            best.append(((swizzle.bits, grows, swizzle.shift < 0, abs(swizzle.shift), swizzle.base), swizzle))
    if best:
        key, swizzle = min(best, key=lambda item: item[0])
        notes = (f"the buffer grows by {key[1]} elements",) if key[1] else ()
        told = (f"enumeration ({tried} swizzles)",)
        return Suggestion(swizzle, ComposedLayout(swizzle, 0, base), told, tried, notes)
    told = (f"enumeration (all {tried} swizzles{' that TMA and wgmma know' if modes_only else ' with B <= 3'})",)
    return Suggestion(None, None, told + (() if modes_only else solver_evidence(plain, budget)), tried)


Phases = list[tuple[int, ...]]


def _phase_starts(accesses: Sequence[Access]) -> Phases:
    """The distinct sets of start offsets, in elements, that phases have."""
    found: dict[tuple[int, ...], None] = {}
    for access in accesses:
        columns = access.columns
        if columns is not None:
            starts = [0]
            for c in columns[0][: access.lanes.bit_length() - 1]:
                starts += [c ^ s for s in starts]
            found[tuple(sorted(set(starts)))] = None
            continue
        _check_points(access)
        for warp, number, lane in access.phases():
            last = min(lane + access.lanes, access.threads - WARP * warp)
            offsets = {access.offset(WARP * warp + k, number * access.vector) for k in range(lane, last)}
            found[tuple(sorted(offsets))] = None
    return list(found)


def _serves(swizzle: Swizzle, phases: Phases, element_bits: int) -> bool:
    """Whether no phase conflicts: accesses are aligned, so the first word of each decides."""
    for starts in phases:
        seen: dict[int, int] = {}
        for start in starts:
            word = swizzle(start) * element_bits // WORD_BITS
            if seen.setdefault(word % BANKS, word) != word:
                return False
    return True


def _grows(swizzle: Swizzle, base: Layout, greatest: int) -> int:
    """By how many elements the swizzled layout reaches beyond the plain one."""
    if (greatest + 1) % (1 << swizzle.period_bits) == 0:
        return 0
    return max(0, offset_range(ComposedLayout(swizzle, 0, base))[1] - greatest)


# The same question for a solver


class _Swizzles:
    """A swizzle with B, M and S unknown, B ≤ 3, S ≥ B and M ≥ ``low``, on offsets as bit-vectors; S > 0 if ``down``."""

    def __init__(self, low: int, element_bits: int, reach: int, down: bool):
        from ...smt.terms import bit_vector, bits_le, variable

        self.width = 2 * reach + 6
        self.element_bits, self.down = element_bits, down
        self.b, self.m, self.s = (variable(name, bit_vector(self.width)) for name in "bms")
        self.limits = (
            bits_le(self.b, self.number(MAX_BITS)),
            bits_le(self.number(low), self.m),
            bits_le(self.m, self.number(reach)),
            bits_le(self.b, self.s),
            bits_le(self.s, self.number(reach)),
        )

    def number(self, value: int) -> Any:
        from ...smt.terms import bits

        return bits(value, self.width)

    def image(self, offset: Any) -> Any:
        """What the swizzle makes of an offset."""
        from ...smt.terms import bitwise

        one = self.number(1)
        mask = bitwise("bvshl", bitwise("bvsub", bitwise("bvshl", one, self.b), one), self.m)
        if self.down:
            return bitwise("bvxor", offset, bitwise("bvand", bitwise("bvlshr", offset, self.s), mask))
        return bitwise("bvxor", offset, bitwise("bvshl", bitwise("bvand", offset, mask), self.s))

    def conflict(self, difference: Any) -> Any:
        """That offsets with this XOR lie in two words of one bank: all is linear, so their own values do not matter."""
        from ...smt.terms import bitwise, conj, eq, ne

        if self.element_bits <= WORD_BITS:
            below = (WORD_BITS // self.element_bits).bit_length() - 1
            word = bitwise("bvlshr", difference, self.number(below))
        else:
            word = bitwise("bvshl", difference, self.number((self.element_bits // WORD_BITS).bit_length() - 1))
        return conj(eq(bitwise("bvand", word, self.number(BANKS - 1)), self.number(0)), ne(word, self.number(0)))


def unserved(accesses: Sequence[Access], down: bool) -> Question:
    """That no swizzle with B ≤ 3, |S| ≥ B and whole vectors serves, for accesses that are linear in bits; B, M, S free.

    An obligation on bit-vectors: two lanes of a phase conflict when the XOR of their offsets is sent to another word of
    the same bank, so for every B, M and S the span of some phase must hold an offset that is. ``down`` is S > 0,
    otherwise S < 0. M and S reach to the end of the offsets and of 128 bytes; beyond they do nothing more.
    """
    from ...smt.smtlib import Obligation as Question
    from ...smt.terms import disj

    element_bits = accesses[0].element_bits
    spans = {s for starts in _phase_starts(accesses) for s in starts if s}
    low, top, _, bits = _bounds(max(a.vector for a in accesses), element_bits, max(spans, default=1))
    swizzles = _Swizzles(low, element_bits, max(bits, top + 1), down)
    conflicts = [swizzles.conflict(swizzles.image(swizzles.number(delta))) for delta in sorted(spans)]
    return Question(f"banks.no-swizzle.{'down' if down else 'up'}", swizzles.limits, disj(*conflicts))


def idle(vector: int, element_bits: int, greatest: int, down: bool) -> Question:
    """That a swizzle which is none of the :func:`candidates` ends no conflict: an obligation, B, M, S and δ free.

    δ is the XOR of two offsets up to ``greatest``, that is any number of as many bits.
    """
    from ...smt.smtlib import Obligation as Question
    from ...smt.terms import bit_vector, bits_le, bitwise, conj, disj, neg, variable

    low, top, below, bits = _bounds(vector, element_bits, greatest)
    reach = max(bits, top) + 2
    swizzles = _Swizzles(low, element_bits, reach, down)
    number = swizzles.number
    delta = variable("d", bit_vector(swizzles.width))

    def less(term: Any, limit: int) -> Any:
        return bits_le(term, number(limit - 1)) if limit else bits_le(number(1), number(0))

    far = bitwise("bvadd", swizzles.m, swizzles.s)
    if down:
        tried = conj(less(swizzles.m, top), less(far, bits))
    else:
        inside = disj(less(far, top), conj(less(swizzles.m, below), less(far, bits)))
        tried = conj(less(swizzles.m, bits), inside)
    hypotheses = (*swizzles.limits, neg(tried), less(delta, 1 << bits), swizzles.conflict(delta))
    return Question(f"banks.idle.{'down' if down else 'up'}", hypotheses, swizzles.conflict(swizzles.image(delta)))


def solver_evidence(accesses: Sequence[Access], budget: float = 5.0, solver: str = "z3") -> tuple[str, ...]:
    """One line when a solver agrees that no swizzle serves; nothing where the accesses are not linear in bits.

    Raises AssertionError when the solver finds a swizzle that the search did not.
    """
    from ...smt.solvers import ask

    if any(a.columns is None for a in accesses):
        return ()
    decisions = [ask(solver, unserved(accesses, down).text, budget) for down in (True, False)]
    answers = {d.answer for d in decisions}
    if "sat" in answers:
        raise AssertionError("the search for a swizzle missed one that the solver finds")
    if answers != {"unsat"}:
        return ()
    return (f"smt (no B <= 3, M, S at all; {solver} {decisions[0].version})",)
