"""What a kernel owes for what it builds: ownership, vectors, banks, and offsets of 31 bits, for types of the IR.

``owned``
    A tiled copy's thread–value layout takes every element of its tile exactly once. Threads or values along which
    nothing moves (stride 0) are given the same element: a replication, which loads may want and stores only repeat. It
    is noted. Any other element with two owners, or without one, is ``wrong``: what was meant to be copied once is
    copied twice, by threads that do not know of each other, or not at all.
``vector_fault``
    One instruction of a copy atom moves adjacent elements from an address that is a multiple of its width. Where the
    types show that the elements are apart, or the address is not, it is ``wrong``. A swizzle that exchanges less than a
    vector (its 2^M below the vector) tears it: ``wrong``.
``bank_contract``
    How many words one bank of shared memory is asked for at once. That costs time, not results: it is noted on a
    decision that is ``right``. One case is ``outside``: the swizzle has the bits of a mode of 32, 64 or 128 bytes
    counted in bytes (``S<B,4,3>``) on offsets in other elements, the access has conflicts, and the same mode counted
    in those elements has fewer. Results are unaffected where all accesses go through that layout; what the hardware
    (TMA, wgmma, tcgen05) takes for that mode lies elsewhere.
``with_offsets``
    Where all sizes and strides are known when the kernel is compiled, CuTe DSL computes offsets in 32 bits, unless a
    coordinate has 64. An offset in bounds that needs more than 32 is ``wrong``, one that needs 32 ``outside``: it holds
    where the sign is known. Of sizes known only at run time nothing is said.
``shared_offsets``
    Two coordinates of a copy's destination that share an offset are written twice: ``wrong``. Modes along which nothing
    moves (stride 0) are noted.
``unguarded``
    A copy of a thread's whole part, which no predicate and no branch guards, of a tensor whose last tile hangs over its
    end touches what is not the tensor's: ``wrong``.
``touched``
    Threads that slice a tensor by their index stay inside it, and no two of them store to one element
    (:mod:`.threads`).

The questions are those of :mod:`veritile.proofs.contracts`; here they are asked of types.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ...model.composed import AnyLayout, ComposedLayout
from ...model.errors import Undecided
from ...model.htuple import flatten, leaves, text_of
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.names import Expr
from ...model.properties import decide_injective
from ...model.swizzle import Swizzle
from ...proofs.contracts.banks import PHASE_LANES, WARP, Conflict, Request, conflict_of, mode_in_elements
from ...proofs.contracts.offsets import decide_offsets
from ...proofs.contracts.ownership import decide_ownership
from .definitions import modes_of
from .tiling import Array, Fault, Unsettled, indices_of, swizzled
from .types import MemRefType, TupleType, Type
from .verdict import OUTSIDE, RIGHT, Call, Decision, outside, wrong

MOST_PHASES = 64
BYTE_MODES = {mode_in_elements(span, 8): span for span in (32, 64, 128)}
COMPUTES_OFFSETS = frozenset(
    (
        "cute.slice",
        "cute.memref.load",
        "cute.memref.store",
        "cute.local_tile",
        "cute.local_partition",
        "cute.tiled.copy.partition_S",
        "cute.tiled.copy.partition_D",
        "cute.tiled.mma.partition",
    )
)
"""Operations that add the offset of a coordinate to a pointer."""


# Ownership


@lru_cache(maxsize=4096)
def owned(tv: Layout, tile: int, meant: int = 1) -> Fault | str | None:
    """Whether each of a tile's elements has one owner; a note where more than the ``meant`` ones have it.

    >>> owned(Layout((4, 2), (2, 1)), 8) is None, owned(Layout(((4, 2), 2), ((2, 0), 1)), 8)
    (True, 'each element is held 2 times')
    >>> owned(Layout((4, 2), (1, 1)), 8).reason
    '3 owned elements have several owners: (0,1) and (1,0), as (thread, value), both own 1'
    """
    if len(tv) != 2:
        raise Unsettled(f"{tv} has not two modes, threads and values")
    table = indices_of(tv)
    copies = size_of(tv.shape) // int(np.prod([s for s, d in tv.modes if d != 0], initial=1))
    kept = moving(tv) if copies > 1 else tv
    once = indices_of(kept)
    if len(once) == tile and len(np.unique(once)) == tile and int(once.min()) == 0 and int(once.max()) == tile - 1:
        return None if copies <= meant else f"each element is held {copies // meant} times"
    if len(table) == 0:
        raise Unsettled(f"{tv} has no elements")
    for obligation in decide_ownership(kept, tile)[1:]:
        if obligation.witness is not None:
            values = obligation.witness.values
            where = {name: value for name, value in values.items() if name != "expected"}
            return Fault(obligation.reason, where, "one owner", values.get("offset", values.get("element", "another")))
    raise Unsettled(f"who owns the {tile} elements of {tv} was not decided")


def moving(layout: Layout) -> Layout:
    """The layout with one element along every mode where nothing moves.

    >>> print(moving(Layout((4, (2, 3)), (0, (1, 0)))))
    (1,(2,1)):(0,(1,0))
    """
    return Layout.of(_without_rests(layout.shape, layout.stride), layout.stride)


def _without_rests(shape: Any, stride: Any) -> Any:
    """The shape with modes of one element where nothing moves."""
    if isinstance(shape, tuple):
        return tuple(_without_rests(s, d) for s, d in zip(shape, stride, strict=True))
    return 1 if stride == 0 else shape


# Vectors


def vector_fault(tensor: MemRefType, bits: int) -> Fault | None:
    """Why one instruction of ``bits`` bits cannot take the first elements of each group of a thread's part, or None.

    The first mode of the part are the values of an atom after another, as many as a vector has one after another.
    """
    element = tensor.element_bits
    if element is None or bits % element:
        raise Unsettled(f"{bits} bits are no whole number of elements of {tensor.element}")
    width = bits // element
    layout: Any = tensor.layout
    if isinstance(layout, ComposedLayout):
        if not isinstance(layout.function, Swizzle):
            raise Unsettled(f"{layout} is no layout after a swizzle")
        torn = _torn(layout.function, width, 1, f"{width} elements")
        if torn is not None:
            return torn
        layout = layout.layout
    if tensor.swizzle is not None:
        torn = _torn(tensor.swizzle, bits // 8, max(1, element // 8), f"{bits // 8} bytes")
        if torn is not None:
            return torn
    return _apart(layout, width) or _unaligned(tensor, layout, width, bits)


def _torn(swizzle: Swizzle, width: int, step: int, told: str) -> Fault | None:
    """A swizzle that exchanges parts of a vector, with the first offset whose successor is elsewhere."""
    if swizzle.bits == 0 or 1 << swizzle.base >= width:
        return None
    first = swizzle.source_mask & -swizzle.source_mask
    for start in range(0, 2 * first + width, width):
        for within in range(step, width, step):
            got = swizzle(start + within) - swizzle(start)
            if got != within:
                reason = f"{swizzle} exchanges {1 << swizzle.base} at a time, and tears vectors of {told}"
                return Fault(reason, {"offset": start + within}, swizzle(start) + within, swizzle(start + within))
    return None


def _apart(layout: Layout, width: int) -> Fault | None:
    """The first place inside a vector that does not follow the one before."""
    mode = modes_of(layout)[0]
    below = 1
    for size, stride in zip(flatten(mode.shape), flatten(mode.stride), strict=True):
        if below >= width:
            return None
        if not isinstance(size, int):
            raise Unsettled(f"the values {mode} are known only at run time")
        if size == 1:
            continue
        if isinstance(stride, Expr):
            raise Unsettled(f"how far apart the values {mode} are is known only at run time")
        if stride != below:
            reason = f"one instruction moves {width} adjacent elements, and the values {mode} are apart"
            return Fault(reason, {"value": below}, below, stride)
        below *= size
    if below < width:
        return Fault(f"one instruction moves {width} elements, and {mode} has {below}", {}, width, below)
    return None


def _unaligned(tensor: MemRefType, layout: Layout, width: int, bits: int) -> Fault | None:
    """What is known of the pointer and of every other stride is a multiple of the vector."""
    element = tensor.element_bits or 8
    known = tensor.align if tensor.align is not None else max(1, element // 8)
    if tensor.space != "rmem" and known % (bits // 8):
        reason = f"one instruction moves {bits // 8} bytes from an address that is known to be a multiple of {known}"
        return Fault(reason, {}, f"a multiple of {bits // 8}", known)
    divisors = {one.name: one.divisor for one in tensor.dynamic}
    below = 1
    for size, stride in zip(leaves(layout.shape), leaves(layout.stride), strict=True):
        starts = below >= width
        below *= size if isinstance(size, int) and not starts else 1
        if not starts or size == 1 or tensor.space == "rmem":
            continue
        if isinstance(stride, Expr):
            step = divisors.get(stride.single or "", 1)
        elif isinstance(stride, int):
            step = stride
        else:
            raise Unsettled(f"{layout} gives coordinates")
        if step % width:
            reason = f"vectors of {width} elements start {stride} elements apart, which is no multiple"
            return Fault(reason, {"stride": str(stride)}, f"a multiple of {width}", step)
    return None


# Banks


def banks(addresses: Array, access_bytes: int) -> Conflict | None:
    """The worst phase of the first warp; ``addresses`` are bytes, [thread, vector]. None where no such access exists.

    >>> rows = np.arange(8)[:, None] * 128
    >>> banks(rows, 16).degree, banks(rows + 16 * np.arange(8)[:, None], 16).degree
    (8, 1)
    """
    lanes = PHASE_LANES.get(access_bytes)
    if lanes is None:
        return None
    worst: Conflict | None = None
    phases = 0
    for number in range(addresses.shape[1]):
        for first in range(0, min(WARP, len(addresses)), lanes):
            phases += 1
            if phases > MOST_PHASES:
                return worst
            part = addresses[first : first + lanes, number]
            found = conflict_of((Request(first + k, int(a)) for k, a in enumerate(part)), access_bytes)
            if worst is None or found.degree > worst.degree:
                worst = found
    return worst


def bank_contract(tensor: MemRefType, plain: Array, bits: int) -> Fault | str | None:
    """What an access of shared memory costs; ``plain`` are offsets before any swizzle, [thread, value], in elements.

    A note for conflicts; a fault that is ``outside`` for a swizzle that counts bytes on other elements, and has
    conflicts by that.
    """
    element = tensor.element_bits
    if tensor.space != "smem" or element is None or element % 8 or bits % element or plain.shape[1] % (bits // element):
        return None
    starts = plain[:, :: bits // element]
    layout = tensor.layout
    function = layout.function if isinstance(layout, ComposedLayout) else None
    if function is not None and not isinstance(function, Swizzle):
        return None
    found = banks(_bytes(starts, element, function, tensor.swizzle), bits // 8)
    if found is None or found.degree <= 1:
        return None
    told = (
        f"{found.degree} lanes of a phase ask bank {found.bank} for different words, "
        f"lanes {found.lanes[0]} and {found.lanes[1]} for the words {found.words[0]} and {found.words[1]}"
    )
    span = BYTE_MODES.get(function) if function is not None else None
    if span is None or element == 8:
        return f"bank conflicts: {told}"
    meant = mode_in_elements(span, element)
    other = banks(_bytes(starts, element, meant, tensor.swizzle), bits // 8)
    if other is None or other.degree >= found.degree:
        return f"bank conflicts: {told}"
    reason = (
        f"{function} is the mode of {span} bytes counted in bytes, on offsets in elements of {element} bits: {told}; "
        f"{meant}, that mode in elements, has {other.degree}. "
        "It costs time; results are unaffected where all that is shared goes through this layout"
    )
    advice = f"count the swizzle in elements, {meant}, or give it to the pointer, which counts bytes"
    where = {"lanes": found.lanes[:2], "words": found.words[:2]}
    return Fault(reason, where, f"{other.degree}-way", f"{found.degree}-way", advice, OUTSIDE)


def _bytes(offsets: Array, element: int, function: Swizzle | None, pointer: Swizzle | None) -> Array:
    """Addresses of offsets in elements: first the layout's swizzle, then the pointer's, which counts bytes."""
    moved = offsets if function is None else swizzled(function, offsets)
    address = moved * element // 8
    return address if pointer is None else swizzled(pointer, address)


# Destinations


def shared_offsets(tensor: MemRefType) -> Fault | str | None:
    """Two coordinates of a destination that share an offset; a note where a mode does not move.

    Of sizes and strides of run time nothing is said; Unsettled where a search ends before it has decided.

    >>> from .types import read_type
    >>> shared_offsets(read_type('!cute.memref<f32, smem, "(16,32):(16,1)">')).reason
    'the coordinates (1,0) and (0,16) of the destination share the offset 16'
    """
    return offsets_apart(tensor)[0]


@lru_cache(maxsize=4096)
def offsets_apart(tensor: MemRefType) -> tuple[Fault | str | None, tuple[str, ...]]:
    """:func:`shared_offsets` with its evidence, none where nothing is asked."""
    layout: Any = tensor.layout
    if isinstance(layout, ComposedLayout):
        layout = layout.layout if isinstance(layout.function, Swizzle) else None
    if not isinstance(layout, Layout) or tensor.space not in ("gmem", "smem", "dsmem", "rmem"):
        return None, ()
    if any(type(x) is not int for x in (*leaves(layout.shape), *leaves(layout.stride))):
        return None, ()
    kept = moving(layout)
    try:
        witness, how = decide_injective(kept)
    except Undecided as stop:
        raise Unsettled(f"whether two coordinates of the destination {kept} share an offset: {stop}") from None
    if witness is not None:
        one, other, offset = (witness.values[name] for name in ("coordinate", "other", "offset"))
        one, other = sorted((one, other), key=str, reverse=True)
        reason = f"the coordinates {text_of(one)} and {text_of(other)} of the destination share the offset {offset}"
        return Fault(reason, {"coordinate": one, "other": other}, "two offsets", offset), (how,)
    return "the destination does not move along every mode" if kept.shape != layout.shape else None, (how,)


# Offsets


@lru_cache(maxsize=16384)
def beyond_31_bits(tensor: MemRefType) -> Fault | None:
    """An offset of more than 31 bits, if all sizes and strides are known when the kernel is compiled.

    >>> from .types import read_type
    >>> beyond_31_bits(read_type('!cute.memref<f32, gmem, "(65536,65536):(65536,1)">')).reason
    'offsets are computed in 32 bits, and that of (32768,0) is 2147483648'
    >>> beyond_31_bits(read_type('!cute.memref<f32, gmem, "(65536,32768):(32768,1)">')) is None
    True
    """
    layout: AnyLayout | None = tensor.layout
    if not isinstance(layout, Layout) or tensor.space != "gmem":
        return None
    if any(type(x) is not int for x in (*leaves(layout.shape), *leaves(layout.stride))):
        return None
    if sum((s - 1) * abs(d) for s, d in layout.modes) < 1 << 31:
        return None
    for bits in (32, 31):
        # What passes 32 bits wraps whatever the sign is taken to be; what passes 31 does where there is one.
        witness = decide_offsets(layout, bits, 8)[0].witness
        if witness is not None:
            crd, value, held = (witness.values[name] for name in ("coordinate", "value", "held_as"))
            reason = f"offsets are computed in 32 bits, and that of {text_of(crd)} is {value}"
            return Fault(reason, {"coordinate": crd, "bits": bits}, value, held, "give the coordinate in 64 bits")
    return None


def with_offsets(call: Call, decision: Decision) -> Decision:
    """The decision, less where the operation is right but computes offsets that do not fit its 32 bits."""
    if decision.verdict != RIGHT or call.operation.name not in COMPUTES_OFFSETS:
        return decision
    if any(one.bits > 32 for kind in call.operands if isinstance(kind, TupleType) for one in kind.dynamic):
        return decision
    for kind in call.operands:
        fault = beyond_31_bits(_nameless(kind)) if isinstance(kind, MemRefType) else None
        if fault is not None:
            got = text_of_layout(kind)
            if fault.where["bits"] == 31:
                return outside(fault.reason, got=got, advice=fault.advice)
            return wrong(fault.reason, fault.witness, got=got, advice=fault.advice)
    return decision


def _nameless(tensor: MemRefType) -> MemRefType:
    return tensor if not tensor.dynamic else replace(tensor, dynamic=())


def text_of_layout(kind: Type) -> str:
    """A type as notation: its layout, or its text."""
    layout = kind.layout
    return kind.text if layout is None else str(layout)
