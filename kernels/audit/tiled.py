"""Rules for what is built of atoms, and for what is done with it.

``cute.make_tiled_copy``
    The thread–value layout is made of whole atoms, and owns every element of its tile once (:mod:`.contracts`).
``cute.make_tiled_mma``
    Every atom has threads of its own, numbered without gaps, and a permutation takes every place once, whole atoms.
``cute_nvgpu.atom.make_tmem_copy``
    As a tiled copy; and each warp reaches its own 32 lanes, as the instruction walks through them.
``cute.copy``, ``cute.copy_atom_call``
    Source and destination have the same elements, in memories that the instruction reaches, no two of the destination
    at one place, and one instruction can move a vector of them (:mod:`.contracts`).
    By TMA: its boxes (:mod:`.tma`).
``cute.memref.load``, ``cute.memref.store``
    The offset fits (:mod:`.contracts`), the tensor has the coordinate, and what is moved is of its elements' type.
``cute.gemm``
    The atoms of A, B and C along M, N and K agree; an atom's values are where, as many and as wide as the instruction
    takes them; no two of D have one place.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from ...model.composed import ComposedLayout
from ...model.errors import Witness
from ...model.htuple import leaves, text_of
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...proofs.contracts.banks import WARP
from ...proofs.contracts.tmem_shapes import LANE_STEP, LANES
from .atoms import CopyAtom, copy_atom
from .contracts import offsets_apart, owned, shared_offsets, vector_fault
from .definitions import modes_of
from .fragments import atom_places, displaced, other_count, other_element, other_home
from .partitions import copy_elements, decided, known_copy, known_mma, tile_modes, tiled_axes
from .tiling import Fault, Ground, Unsettled, added, indices_of, offsets_at, same_place, spread_of
from .tma import FAMILIES, boxes
from .types import (
    AtomType,
    MemRefType,
    TiledCopyType,
    TiledMmaType,
    TupleType,
    Type,
    ViewType,
    bits_of,
)
from .verdict import OUTSIDE, Call, Decision, not_checked, right, rule, several, wrong

BULK_BYTES = 16  # what addresses and the size of a bulk copy are multiples of (PTX ISA)
SHARED, GLOBAL = ("smem", "generic"), ("gmem", "generic")
CLUSTER = (*SHARED, "dsmem")
HOMES = {  # where an instruction takes its source from, and where it puts it
    "ldsm": (SHARED, ("rmem",)),
    "stsm": (("rmem",), SHARED),
    "simt_async_copy": (GLOBAL, SHARED),
    "bulk_copy_g2s": (GLOBAL, CLUSTER),
    "bulk_copy_s2g": (SHARED, GLOBAL),
    "tmem_load": (("tmem",), ("rmem",)),
    "tmem_store": (("rmem",), ("tmem",)),
    "universal_copy": (("rmem", *CLUSTER, "gmem"),) * 2,
}


@rule("cute.make_tiled_copy")
def make_tiled_copy(call: Call) -> Decision:
    """A tiled copy owns its tile."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        copy = results[0]
        if not isinstance(copy, TiledCopyType):
            raise Unsettled(f"{copy.text[:60]} is no tiled copy")
        other = _other_atom(operands[0], copy.atom)
        if other is not None:
            return other
        return tiled_copy_fault(copy)

    return decided(call, decide)


def _other_atom(given: Type, built: AtomType) -> Fault | None:
    """A fault where what is built has another atom than it was given."""
    if not isinstance(given, AtomType):
        raise Unsettled(f"{given.text[:60]} is no atom")
    return None if given.text == built.text else Fault("the result has another atom", {}, given.text, built.text)


def tiled_copy_fault(copy: TiledCopyType) -> Fault | str | None:
    """Whether a tiled copy is made of whole atoms and owns its tile; a note where elements are replicated."""
    atom = copy_atom(copy.atom)
    held = 1
    if atom is not None:
        held = size_of(atom.reference.shape) // len(np.unique(indices_of(atom.reference)))
    tile = tile_modes(copy.tiler)
    for mode in tile:
        spread_of(mode)
    fault = owned(copy.layout_tv, prod(size_of(mode.shape) for mode in tile), held)
    if isinstance(fault, Fault):
        return fault
    atom = known_copy(copy.atom)
    threads, values = (size_of(s) for s in copy.layout_tv.shape)
    for what, count, whole in (("threads", threads, atom.threads), ("values", values, atom.values)):
        if count % whole:
            return Fault(f"{count} {what} are no whole number of atoms of {whole}", {}, f"a multiple of {whole}", count)
    return fault


@rule("cute.make_tiled_mma")
def make_tiled_mma(call: Call) -> Decision:
    """A tiled MMA's atoms and permutation."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        mma = results[0]
        if not isinstance(mma, TiledMmaType):
            raise Unsettled(f"{mma.text[:60]} is no tiled MMA")
        other = _other_atom(operands[0], mma.atom)
        if other is not None:
            return other
        return _atoms_apart(mma) or _permuted(mma)

    return decided(call, decide)


def _atoms_apart(mma: TiledMmaType) -> Fault | None:
    """Atoms are numbered once each, from 0 on."""
    numbers = indices_of(mma.atom_layout)
    wanted = np.arange(len(numbers))
    if len(mma.atom_layout) != 3:
        return Fault("atoms are laid over M, N and K", {}, 3, len(mma.atom_layout))
    wrong = np.nonzero(np.sort(numbers) != wanted)[0]
    if not len(wrong):
        return None
    number = int(wrong[0])
    shared = [int(i) for i in np.nonzero(numbers == np.sort(numbers)[number])[0][:2]]
    told = "two atoms have the same threads" if len(shared) > 1 else "threads are left out between two atoms"
    return Fault(f"{told}: {mma.atom_layout}", {"atoms": tuple(shared)}, number, int(np.sort(numbers)[number]))


def _permuted(mma: TiledMmaType) -> Fault | None:
    atom = known_mma(mma.atom)
    permutations = mma.permutation if isinstance(mma.permutation, tuple) else ()
    for mode, permutation in enumerate(permutations):
        if not isinstance(permutation, Layout):
            continue
        whole = atom.extents[mode] * size_of(mma.atom_layout.shape[mode])
        spread_of(permutation)
        if size_of(permutation.shape) % whole:
            reason = (
                f"the permutation {permutation} of mode {'MNK'[mode]} is no whole number of atoms, which take {whole}"
            )
            return Fault(reason, {"mode": mode}, f"a multiple of {whole}", size_of(permutation.shape))
    return None


@rule("cute_nvgpu.atom.make_tmem_copy")
def make_tmem_copy(call: Call) -> Decision:
    """A tiled copy of tensor memory: each warp its own lanes."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        copy, tensor = results[0], operands[1]
        if not isinstance(copy, TiledCopyType) or not isinstance(tensor, MemRefType):
            raise Unsettled(f"{copy.text[:60]} is no tiled copy of tensor memory")
        if tensor.space != "tmem":
            return Fault(f"the tensor is in {tensor.space}, and the copy is of tensor memory", {}, "tmem", tensor.space)
        other = _other_atom(operands[0], copy.atom) or other_element(next(iter(copy.atom.flags), ""), tensor.element)
        if other is not None:
            return other
        found = tiled_copy_fault(copy)
        return found if isinstance(found, Fault) else _lanes(copy, tensor) or found

    return decided(call, decide)


def _lanes(copy: TiledCopyType, tensor: MemRefType) -> Fault | None:
    """Each warp takes the rectangle that its instruction walks through, in the 32 lanes that it reaches."""
    atom = copy_atom(copy.atom)
    bits = tensor.element_bits
    if atom is None or bits is None or not isinstance(tensor.layout, Layout) or 32 % bits:
        raise Unsettled(f"{tensor.text[:60]} is no plain tensor in tensor memory")
    side = "source" if copy.atom.family == "tmem_load" else "destination"
    elements = copy_elements(copy, side)[::WARP]
    modes = modes_of(tensor.layout)
    axes = tiled_axes(elements, copy.tiler)
    if len(modes) < len(axes):
        raise Unsettled(f"{tensor.layout} has fewer modes than the tiler")
    ground = Ground.under(tensor)
    parts = []
    for mode, (place, _, tile) in zip(modes, axes, strict=False):
        if tile is not None:
            place = spread_of(tile)[0][place]
        parts.append(offsets_at(mode, place, ground))
    table = added(*parts).get(((), ()), np.zeros(elements.shape, dtype=np.int64))
    lane = LANE_STEP * (32 // bits)
    memory: Any = atom.source if side == "source" else atom.destination
    columns, lanes = memory.shape[1]
    index = np.arange(columns * lanes)
    wanted = index % columns + index // columns * lane
    repeated = table.reshape(len(table), -1, columns * lanes)
    for warp, rectangles in enumerate(repeated):
        for rectangle in rectangles:
            bad = np.nonzero(rectangle - rectangle[0] != wanted)[0]
            if len(bad):
                i = int(bad[0])
                reason = f"value {i} of warp {warp} is not where the instruction finds it, from its first on"
                return Fault(reason, {"warp": warp, "value": i}, int(wanted[i]), int(rectangle[i] - rectangle[0]))
            first = int(rectangle[0]) // lane
            low = WARP * (warp % (LANES // WARP))
            if not (low <= first and first + lanes <= low + WARP):
                reason = f"warp {warp} reaches the lanes {low} to {low + WARP - 1} of tensor memory"
                return Fault(reason, {"warp": warp}, f"{low} to {low + WARP - lanes}", first)
    return None


@rule("cute_nvgpu.atom.make_s2t_copy", "cute_nvgpu.atom.get_copy_s2t_smem_desc_view")
def shared_to_tensor_memory(call: Call) -> Decision:
    """Copies from shared to tensor memory: their atom is not known here."""
    return not_checked("the atom s2t_copy is not known here")


# Copies and products


@rule("cute.copy", "cute.copy_atom_call")
def copy(call: Call) -> Decision:
    """A copy of parts: the same elements, in vectors that exist."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | Decision | str | None:
        if len(operands) < 3:
            raise Unsettled("a copy has an atom, a source and a destination")
        given, source, destination = operands[:3]
        atom = given.atom if isinstance(given, TiledCopyType) else given
        if not isinstance(atom, AtomType):
            raise Unsettled(f"{given.text[:60]} is no atom")
        is_bulk = atom.family.startswith("bulk_copy")
        values, parts = zip(_counts(source), _counts(destination), strict=True)
        if parts[0] != parts[1]:
            return Fault(f"the source has {parts[0]} parts, the destination {parts[1]}", {}, *parts)
        known = None if is_bulk or atom.family in FAMILIES else known_copy(atom)
        fault = _other_home(atom, source, destination)
        fault = fault or _same_values(known, source, destination, values) or _same_width(source, destination)
        if fault is not None:
            return fault
        if is_bulk:
            return _bulk(source, destination)
        note = boxes(atom, source, destination) if known is None else None
        if isinstance(note, Fault):
            return note
        fault = _two_at_one_place(destination)
        if fault is not None:
            return fault
        apart = offsets_apart(destination)[1] if isinstance(destination, MemRefType) else ()
        if known is None:
            return right(several(["enumeration", "closed-form", *apart]), note or "")
        if known.bits is None:
            return right(several(["definition", *apart]))
        for name, side in (("source", source), ("destination", destination)):
            is_matrix = (atom.family, name) in (("ldsm", "destination"), ("stsm", "source"))
            if isinstance(side, MemRefType) and not is_matrix and side.space in ("gmem", "smem", "dsmem", "rmem"):
                fault = vector_fault(side, known.bits)
                if fault is not None:
                    return Fault(f"the {name}: {fault.reason}", fault.where, fault.expected, fault.got)
        return right(several(["closed-form", *apart]))

    return decided(call, decide)


def _bulk(source: Type, destination: Type) -> Fault | None:
    """A bulk copy moves one run of whole units of 16 bytes."""
    for name, side in (("source", source), ("destination", destination)):
        if not isinstance(side, MemRefType) or not isinstance(side.layout, Layout) or side.element_bits is None:
            raise Unsettled(f"{side.text[:60]} is no plain tensor")
        if side.swizzle is not None and side.swizzle.bits:
            raise Unsettled(f"the {name} lies behind {side.swizzle}, and a bulk copy moves bytes in their order")
        count = size_of(side.layout.shape)
        if not isinstance(count, int):
            raise Unsettled("the number of elements is known only at run time")
        if not count:
            raise Unsettled(f"{side.layout} has no elements")
        if count * side.element_bits % (BULK_BYTES * 8):
            return Fault(f"the {name} has no whole units of {BULK_BYTES} bytes", {}, BULK_BYTES, count)
        if (side.align or 1) % BULK_BYTES:
            return Fault(f"the {name} is not known to be a multiple of {BULK_BYTES} bytes", {}, BULK_BYTES, side.align)
        run = indices_of(side.layout)
        bad = np.nonzero(run != np.arange(count))[0]
        if len(bad):
            i = int(bad[0])
            return Fault(f"the {name} of a bulk copy is no run", {"element": i}, i, int(run[i]))
    return None


def _counts(side: Type) -> tuple[int, int]:
    """How many values a side has in its first mode, and how many parts in the others."""
    layout: Any = side.layout
    if isinstance(layout, ComposedLayout):
        layout = layout.layout
    if not isinstance(layout, Layout):
        raise Unsettled(f"{side.text[:60]} is no tensor")
    shape = layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
    values, parts = size_of(shape[0]), size_of(shape[1:])
    if not isinstance(values, int) or not isinstance(parts, int):
        raise Unsettled("the number of values or of parts is known only at run time")
    return values, parts


def _same_values(known: CopyAtom | None, source: Type, destination: Type, values: tuple[int, int]) -> Fault | None:
    """Both sides have as many whole atoms; as many values where TMA or a bulk copy moves them.

    An atom's sides may have other numbers of values: a lane of ``ldmatrix`` x2 names 8 elements, and is given 4.
    """
    whole, what = (1, 1), "values"
    if known is not None:
        whole = _values_of(known, known.source, source), _values_of(known, known.destination, destination)
        what = "atoms"
    for name, count, one in zip(("source", "destination"), values, whole, strict=True):
        if count % one:
            reason = f"the {count} values of the {name} are no whole number of atoms of {one}"
            return Fault(reason, {}, f"a multiple of {one}", count)
    counts = values[0] // whole[0], values[1] // whole[1]
    if counts[0] == counts[1]:
        return None
    return Fault(f"the source has {counts[0]} {what}, the destination {counts[1]}", {}, *counts)


def _values_of(known: CopyAtom, layout: Layout, side: Type) -> int:
    """How many values of a side one instruction takes: of a vector as many as it has bits, whatever the atom's type."""
    bits = side.element_bits if isinstance(side, MemRefType) else None
    if known.threads == 1 and known.bits is not None and bits is not None and known.bits % bits == 0:
        return known.bits // bits
    return size_of(layout.shape[1])


def _other_home(atom: AtomType, source: Type, destination: Type) -> Fault | None:
    """A side in a memory that the instruction does not reach."""
    homes = HOMES.get(atom.family, (None, None))
    for name, side, home in zip(("source", "destination"), (source, destination), homes, strict=True):
        if home is not None and isinstance(side, MemRefType) and side.space not in home:
            reason = f"the {name} is in {side.space}, which {atom.family} does not reach"
            return Fault(reason, {}, " or ".join(home), side.space)
    return None


def _two_at_one_place(destination: Type) -> Fault | None:
    found = shared_offsets(destination) if isinstance(destination, MemRefType) else None
    return found if isinstance(found, Fault) else None


def _same_width(source: Type, destination: Type) -> Fault | None:
    if not isinstance(source, MemRefType) or not isinstance(destination, MemRefType):
        return None
    one, other = source.element_bits, destination.element_bits
    if one == other:
        return None
    reason = f"the source has elements of {source.element}, the destination of {destination.element}"
    if one is None or other is None:
        raise Unsettled(reason)
    return Fault(reason, {}, source.element, destination.element)


@rule("cute.memref.load", "cute.memref.store")
def access(call: Call) -> Decision:
    """One element at a coordinate: one of the tensor's, and an offset that fits (:mod:`.contracts`)."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | Decision | str | None:
        tensor, crd = operands[:2]
        layout: Any = tensor.layout
        if not isinstance(crd, TupleType) or layout is None:
            raise Unsettled(f"{tensor.text[:60]} is no tensor")
        if isinstance(tensor, MemRefType):
            for moved in (*operands[2:], *results):
                fault = _other_value(tensor, moved)
                if fault is not None:
                    return fault
        while isinstance(layout, ComposedLayout):
            layout = layout.layout
        beyond = next(_beyond(crd.value, layout.shape, layout.stride), None)
        if beyond is None:
            return right("definition")
        part, shape, stride = beyond
        reason = f"the coordinate {text_of(crd.value)} is not in {text_of(layout.shape)}"
        where = {"coordinate": part, "size": size_of(shape)}
        if all(type(d) is int and d == 0 for d in leaves(stride)):
            reason += ": nothing moves along there, and results are unaffected"
            return Fault(reason, where, verdict=OUTSIDE)
        return wrong(reason, Witness(OUTSIDE, where), got=str(tensor.layout))

    return decided(call, decide)


def _other_value(tensor: MemRefType, moved: Type) -> Fault | None:
    """A fault where what is loaded or stored has another width than the tensor's elements."""
    if moved.text == tensor.element:
        return None
    bits = bits_of(moved.text)
    if tensor.element_bits is None or bits is None or bits == tensor.element_bits:
        raise Unsettled(f"the tensor has elements of {tensor.element}, and {moved.text[:40]} is moved")
    return Fault("what is moved is no element of the tensor", {}, tensor.element, moved.text)


def _beyond(crd: Any, shape: Any, stride: Any) -> Iterator[tuple[int, Any, Any]]:
    """The numbers of a coordinate that are not in their modes, each with its mode; what is open is left out."""
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple) or len(crd) != len(shape):
            raise Unsettled(f"{text_of(crd)} is no coordinate of {text_of(shape)}")
        for parts in zip(crd, shape, stride, strict=True):
            yield from _beyond(*parts)
    elif type(crd) is int and all(type(s) is int for s in leaves(shape)) and not 0 <= crd < size_of(shape):
        yield crd, shape, stride


@rule("cute.gemm")
def gemm(call: Call) -> Decision:
    """D += A·B on fragments: the atoms along M, N and K agree, and each fragment is what the instruction takes."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | Decision | str | None:
        # With factors for blocks of A and B each is followed by them.
        taken = {5: (1, 2, 3, 4), 7: (1, 2, 4, 6)}.get(len(operands))
        if taken is None:
            raise Unsettled(f"a product of {len(operands)} operands is not known here")
        given = operands[0].atom if isinstance(operands[0], TiledMmaType) else operands[0]
        if not isinstance(given, AtomType):
            raise Unsettled(f"{given.text[:60]} is no atom")
        parts = [operands[number] for number in taken]
        fault = _atoms_agree(parts)
        for name, operand, part in zip("DABC", (2, 0, 1, 2), parts, strict=True):
            fault = fault or _fragment(given, name, operand, part)
        if fault is not None:
            return fault
        if len(operands) == 7:
            raise Unsettled("where the factors for blocks of A and B lie is not known here")
        return right("enumeration")

    return decided(call, decide)


def _atoms_agree(parts: list[Type]) -> Fault | None:
    """D, A, B and C have the same numbers of atoms along M, N and K."""
    shapes = []
    for kind in parts:
        layout = kind.layout
        if not isinstance(layout, Layout) or not isinstance(layout.shape, tuple):
            raise Unsettled(f"{kind.text[:60]} is no fragment")
        shapes.append([size_of(s) for s in layout.shape[1:]])
    d, a, b, c = shapes
    if any(not isinstance(x, int) for shape in shapes for x in shape):
        raise Unsettled("the number of atoms is known only at run time")
    if d != c:
        return Fault("D and C have other atoms", {}, tuple(c), tuple(d))
    if len(d) != 2 or not (1 <= len(a) <= 2 and 1 <= len(b) <= 2):
        raise Unsettled(f"fragments of {len(d) + 1}, {len(a) + 1} and {len(b) + 1} modes are not known here")
    pairs = (("M", d[:1], a[:1]), ("N", d[1:2], b[:1]), ("K", a[1:2] or [1], b[1:2] or [1]))
    for name, one, other in pairs:
        if one != other:
            return Fault(f"there are other numbers of atoms along {name}", {}, one[0], other[0])
    return None


def _fragment(atom: AtomType, name: str, operand: int, part: Type) -> Fault | None:
    """Whether one atom's values of an operand are where, as many and as wide as its instruction takes them."""
    known, layout = known_mma(atom), part.layout
    assert isinstance(layout, Layout)
    values = layout[0]
    if not isinstance(part, (MemRefType, ViewType)):
        raise Unsettled(f"{name} is {part.text[:60]}")
    fault = other_home(atom, name, operand, part)
    if fault is not None:
        return fault
    if not isinstance(part, MemRefType):
        return other_count(name, 1, values.shape)
    fault = other_element(known.elements[operand], part.element)
    if fault is not None:
        return Fault(f"{name}: {fault.reason}", fault.where, fault.expected, fault.got)
    if part.space == "tmem":
        wanted = atom_places(atom, operand, part)
        fault = other_count(name, len(wanted), values.shape) or displaced(values, wanted)
    else:
        fault = other_count(name, size_of(known.operands[operand].shape[1]), values.shape)
    if fault is None and name == "D":
        fault = _shared_values(layout)
    return fault


def _shared_values(layout: Layout) -> Fault | None:
    """Two values of the result that have one place."""
    table = indices_of(layout)
    twice = same_place(table)
    if twice is None:
        return None
    one, other = twice
    reason = f"the values {one} and {other} of D have one place, {int(table[one])}"
    return Fault(reason, {"value": one, "other": other}, "two places", int(table[one]))
