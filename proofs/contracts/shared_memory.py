"""Shared memory: buffers lie within a block's capacity, apart from one another, each aligned for what uses it.

The capacities are the CUDA programming guide's (compute capabilities, maximum amount of shared memory per thread block,
the opt-in figure). A compiler need not check them: the CuTe DSL 4.8.1 compiles 400 kB without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...model import f2
from ...model.composed import AnyLayout, ComposedLayout
from ...model.errors import InputError, Witness
from ...model.htuple import size as size_of
from ...model.htuple import text_of
from ...model.layout import Layout
from ...model.properties import image_prefix, offset_range, refute_within
from ...model.swizzle import Swizzle
from .banks import linear_columns
from .obligation import Obligation
from .rule import CLOSED_FORM, ENUMERATION, Rule

CAPACITY = {80: 166_912, 86: 101_376, 89: 101_376, 120: 101_376, 90: 232_448, 100: 232_448, 103: 232_448}
"""Bytes that one block can have, by compute capability without its dot."""

CAPACITY_RULE = Rule(
    "shared_memory.capacity",
    "the buffers end within the shared memory that one block can have",
    "CUDA programming guide, compute capabilities: maximum amount of shared memory per thread block",
)
DISJOINT = Rule("shared_memory.disjoint", "buffers that are in use at the same step share no byte", "ours")
ALIGNED = Rule(
    "shared_memory.aligned",
    "each buffer starts at a multiple of its alignment, and of the period of its swizzle",
    "PTX ISA, shared memory matrix layout and swizzling modes: the pattern repeats with the address",
)
EXTENT = Rule("shared_memory.extent", "each buffer holds every element of its layout", "ours")


@dataclass(frozen=True)
class Buffer:
    """One buffer: its place and size in bytes, what it must be aligned to, and when it is in use.

    ``offset``        bytes from the start of the block's shared memory; None: to be placed by :func:`place`
    ``alignment``     bytes that its start must be a multiple of
    ``layout``        what lies in it, in elements of ``element_bits``: checked against the size, and its swizzle
                      against the alignment
    ``by_address``    whether the swizzle acts on addresses, as TMA, wgmma and a swizzled pointer do; one that acts on
                      offsets from the start of the buffer needs no alignment
    ``live``          first and last step at which it holds something: buffers of disjoint steps may share bytes
    """

    name: str
    size: int
    offset: int | None = None
    alignment: int = 1
    layout: AnyLayout | None = None
    element_bits: int = 8
    live: tuple[int, int] | None = None
    by_address: bool = True

    def __post_init__(self) -> None:
        for what, number, least in (
            ("size", self.size, 1),
            ("alignment", self.alignment, 1),
            ("bits", self.element_bits, 1),
        ):
            if not isinstance(number, int) or isinstance(number, bool) or number < least:
                raise InputError(f"buffer {self.name}: the {what} must be a positive integer, not {number}")
        if self.alignment & (self.alignment - 1):
            raise InputError(f"buffer {self.name}: an alignment is a power of two, not {self.alignment}")
        if self.offset is not None and (
            not isinstance(self.offset, int) or isinstance(self.offset, bool) or self.offset < 0
        ):
            raise InputError(f"buffer {self.name}: an offset is an integer of at least 0, not {self.offset}")
        if self.live is not None and not self.live[0] <= self.live[1]:
            raise InputError(
                f"buffer {self.name}: in use from step {self.live[0]} to {self.live[1]}, which is before it"
            )


def buffer_of(name: str, layout: AnyLayout, element_bits: int, **more: Any) -> Buffer:
    """The buffer that a layout needs: its whole extent in bytes, aligned to its swizzle and at least to 16.

    >>> from ...model.notation import parse
    >>> a = buffer_of("A", parse("S<3,3,3> o 0 o (8,64):(64,1)"), 16)
    >>> a.size, a.alignment
    (1024, 1024)
    """
    alignment = max(16, swizzle_alignment(layout, element_bits))
    return Buffer(
        name, _extent(layout, element_bits), alignment=alignment, layout=layout, element_bits=element_bits, **more
    )


def _extent(layout: AnyLayout, element_bits: int) -> int:
    """Bytes from the start of the buffer to the end of its last element."""
    return -(-(_range(layout)[0] + 1) * element_bits // 8)


def _range(layout: AnyLayout) -> tuple[int, str]:
    """The greatest offset, none being negative, and how it was found.

    A swizzle permutes aligned blocks: a layout that fills whole ones keeps its greatest offset. Where the whole is
    linear in bits it is the greatest XOR of the columns. Otherwise every offset is looked at.
    """
    if isinstance(layout, Layout) and layout.semimodule == "coordinate":
        raise InputError(f"the offsets of {layout} are coordinates, not places in shared memory")
    if isinstance(layout, ComposedLayout) and isinstance(layout.function, Swizzle) and layout.offset == 0:
        inner = layout.layout
        if isinstance(inner, Layout):
            low, high = offset_range(inner)
            if low == 0 and (high + 1) % (1 << layout.function.period_bits) == 0 and image_prefix(inner) == high + 1:
                return high, CLOSED_FORM
        total = size_of(layout.shape)
        columns = linear_columns(Layout(total), layout) if f2.is_power_of_two(total) else None
        if columns is not None and isinstance(inner, Layout):
            return f2.span_maximum(columns[0]), CLOSED_FORM
    low, high = offset_range(layout)
    if low < 0:
        raise InputError(f"{layout} reaches {low}, before the start of its buffer")
    return high, CLOSED_FORM if isinstance(layout, Layout) else ENUMERATION


def swizzle_alignment(layout: AnyLayout, element_bits: int) -> int:
    """Bytes that the start of a swizzled buffer must be a multiple of: the period of its swizzle; 1 without one.

    A swizzle exchanges bits of the address, so offsets and addresses agree only where the start has none of its bits:
    1,024 bytes for the mode of 128 bytes, 512 and 256 for those of 64 and 32.

    >>> from ...model.notation import parse
    >>> [swizzle_alignment(parse(f"S<{b},4,3> o 0 o (8,128):(128,1)"), 8) for b in (0, 1, 2, 3)]
    [1, 256, 512, 1024]
    """
    found = 1
    while isinstance(layout, ComposedLayout):
        if isinstance(layout.function, Swizzle) and layout.function.bits:
            found = max(found, (1 << layout.function.period_bits) * element_bits // 8)
        if not isinstance(layout.layout, (Layout, ComposedLayout)):
            break
        layout = layout.layout
    return found


def place(buffers: Sequence[Buffer], start: int = 0) -> list[Buffer]:
    """Buffers one after the other, each at the next multiple of its alignment; those with an offset keep it.

    >>> [b.offset for b in place([Buffer("a", 10), Buffer("b", 8, alignment=16), Buffer("c", 4)])]
    [0, 16, 24]
    """
    placed = []
    for buffer in buffers:
        if buffer.offset is None:
            buffer = replace(buffer, offset=-(-start // buffer.alignment) * buffer.alignment)
        assert buffer.offset is not None
        start = max(start, buffer.offset + buffer.size)
        placed.append(buffer)
    return placed


def capacity_of(sm: int) -> int:
    """Bytes of shared memory that a block can have on ``sm``; InputError for one that is not known.

    >>> capacity_of(90)
    232448
    """
    if sm not in CAPACITY:
        raise InputError(
            f"the capacity of sm_{sm} is not known here: {', '.join(f'sm_{k}' for k in sorted(CAPACITY))} are"
        )
    return CAPACITY[sm]


def decide_shared_memory(buffers: Sequence[Buffer], sm: int, base_alignment: int = 1024) -> list[Obligation]:
    """Capacity, disjointness, and for each buffer alignment and extent.

    ``base_alignment`` is what the start of the block's shared memory is a multiple of. Buffers without an offset are
    placed one after the other.

    >>> [o.verdict.value for o in decide_shared_memory([Buffer("a", 1024), Buffer("b", 512)], 90)]
    ['proved', 'proved', 'proved', 'proved']
    >>> decide_shared_memory([Buffer("a", 1024, 0), Buffer("b", 512, 1023)], 90)[1].reason
    'a (bytes 0 to 1023) and b (bytes 1023 to 1534) share byte 1023'
    """
    if not buffers:
        raise InputError("shared memory needs one buffer at least")
    names = [b.name for b in buffers]
    if len(set(names)) < len(names):
        raise InputError(f"two buffers are named {next(n for n in names if names.count(n) > 1)}")
    placed = place(buffers)
    found = [_within(placed, sm), _apart(placed)]
    for buffer in placed:
        found.append(_aligned(buffer, base_alignment))
        if buffer.layout is not None:
            found.append(EXTENT.decide(partial(_holds, buffer)))
    return found


def _within(buffers: Sequence[Buffer], sm: int) -> Obligation:
    limit = capacity_of(sm)
    last = max(buffers, key=_end)
    total = _end(last)
    if total <= limit:
        return CAPACITY_RULE.holds(f"{total} of {limit} bytes", bytes=total, capacity=limit)
    reason = f"{last.name} ends at byte {total}, {total - limit} beyond the {limit} of sm_{sm}"
    witness = Witness("capacity", {"buffer": last.name, "end": total, "capacity": limit})
    return CAPACITY_RULE.refuted(reason, witness, bytes=total, capacity=limit)


def _end(buffer: Buffer) -> int:
    assert buffer.offset is not None
    return buffer.offset + buffer.size


def _apart(buffers: Sequence[Buffer]) -> Obligation:
    """No byte belongs to two buffers that are in use at one step; of all pairs, the first in the order given."""
    for i, first in enumerate(buffers):
        for second in buffers[i + 1 :]:
            assert first.offset is not None and second.offset is not None
            byte = max(first.offset, second.offset)
            if byte < min(_end(first), _end(second)) and _meet(first.live, second.live):
                told = " and ".join(f"{b.name} (bytes {b.offset} to {_end(b) - 1})" for b in (first, second))
                reason = f"{told} share byte {byte}"
                return DISJOINT.fails(reason, "overlap", buffers=(first.name, second.name), byte=byte)
    return DISJOINT.holds(f"{len(buffers)} buffers, no two of which meet")


def _meet(first: tuple[int, int] | None, second: tuple[int, int] | None) -> bool:
    return first is None or second is None or max(first[0], second[0]) <= min(first[1], second[1])


def _aligned(buffer: Buffer, base_alignment: int) -> Obligation:
    assert buffer.offset is not None
    needed = buffer.alignment
    if buffer.layout is not None and buffer.by_address:
        needed = max(needed, swizzle_alignment(buffer.layout, buffer.element_bits))
    details: dict[str, Any] = {"buffer": buffer.name, "alignment": needed, "offset": buffer.offset}
    start = buffer.offset
    reason = f"{buffer.name} starts at byte {start}, {start % needed} past a multiple of {needed}"
    if base_alignment % needed:
        # The base may be any multiple of its alignment: of two that follow each other, one leaves the buffer astray.
        start += next(k * base_alignment for k in (1, 2) if (start + k * base_alignment) % needed)
        reason = f"shared memory starts at a multiple of {base_alignment} bytes only, and {buffer.name} needs {needed}"
    if start % needed == 0:
        return ALIGNED.holds(f"{buffer.name} starts at byte {start}, a multiple of {needed}", **details)
    witness = Witness("alignment", {"buffer": buffer.name, "offset": start, "multiple": needed})
    return ALIGNED.refuted(reason, witness, **details)


def _holds(buffer: Buffer) -> Obligation:
    """The layout's last element ends inside the buffer."""
    assert buffer.layout is not None
    greatest, evidence = _range(buffer.layout)
    needed = -(-(greatest + 1) * buffer.element_bits // 8)
    details: dict[str, Any] = {"buffer": buffer.name, "needed": needed, "size": buffer.size}
    if needed <= buffer.size:
        reason = f"{buffer.layout} takes {needed} of the {buffer.size} bytes of {buffer.name}"
        return EXTENT.holds(reason, evidence, **details)
    coordinate, offset = _outside(buffer.layout, buffer.size * 8 // buffer.element_bits)
    end = -(-(offset + 1) * buffer.element_bits // 8)
    reason = f"{buffer.name} has {buffer.size} bytes, and its element at {text_of(coordinate)} ends at byte {end}"
    witness = Witness("outside", {"coordinate": coordinate, "offset": offset})
    return EXTENT.refuted(reason, witness, evidence, **details)


def _outside(layout: AnyLayout, elements: int) -> tuple[Any, Any]:
    if elements < 1:
        return 0, layout(0)
    witness = refute_within(layout, elements)
    assert witness is not None
    return witness.values["coordinate"], witness.values["offset"]
