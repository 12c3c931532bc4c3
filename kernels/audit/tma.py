"""Rules for TMA: how it is told of a tensor, in which order it moves a part, and which boxes a copy moves.

``cute_nvgpu.atom.make_non_exec_tiled_tma_load``, ``…_store``, ``…_reduce``
    The box walks through the tensor, in global memory and by whole units of 16 bytes, as shared memory does; the
    tensor's coordinates start at 0, have its sizes, and name the axes of the box.
``cute_nvgpu.atom.make_exec_tma``
    The same atom, ready to be called: family, element, box, and what its kind says of CTAs and multicast.
``cute_nvgpu.atom.tma_partition``
    Shared memory and coordinates in the order in which TMA moves them.
``boxes``, of ``cute.copy`` (:mod:`.tiled`)
    Every box is a run of shared memory that starts where it may, and its coordinates walk through the box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from ...model.composed import ComposedLayout
from ...model.htuple import leaves, text_of
from ...model.htuple import size as size_of
from ...model.inverse import right_inverse
from ...model.layout import Layout
from ...model.names import Expr
from ...model.semimodule import CoordinateStride
from ...model.swizzle import Swizzle
from ...proofs.contracts.tma import SHARED, UNIT
from .atoms import tma_box
from .contracts import BYTE_MODES
from .definitions import modes_of
from .fragments import other_element
from .partitions import decided
from .tiling import (
    POINTS,
    Array,
    Axis,
    Fault,
    Ground,
    Partition,
    Table,
    Unsettled,
    base_of,
    check_start,
    compare,
    indices_of,
    offsets_at,
    paths,
    plain_result,
    spread,
)
from .types import AtomType, CoordTensorType, MemRefType, TupleType, Type, bits_of
from .verdict import OUTSIDE, Call, Decision, right, rule

FAMILIES = ("tma_load", "tma_store", "tma_reduce")
MADE = "non_exec_tiled_"  # before the family of an atom that is not ready to be called
_KIND = re.compile(r"kind = #cute_nvgpu\.\w+<(\w+)>")


# What the atom tells


def instruction_values(atom: Type) -> int:
    """The elements that one TMA instruction moves."""
    if not isinstance(atom, AtomType):
        raise Unsettled(f"{atom.text[:60]} is no atom")
    bits = atom.option("copy_bits")
    element = next((b for b in map(bits_of, atom.flags) if b), None)
    if bits is None or element is None or int(bits) % element:
        raise Unsettled(f"the atom {atom.family} does not tell how much it moves")
    return int(bits) // element


def memory_order(shared: Type, whole: bool = False) -> tuple[Array, int]:
    """The places of shared memory's tile in the order of its offsets, and how many of them are side by side.

    Where the longest run from offset 0 does not hold the whole tile, runs follow one another in the tile's order. The
    tile is the first mode, or the ``whole`` of the layout.
    """
    layout: Any = shared.layout
    if isinstance(layout, ComposedLayout) and isinstance(layout.function, Swizzle):
        layout = layout.layout
    if not isinstance(layout, Layout):
        raise Unsettled(f"{shared.text[:60]} is no tensor")
    tile = layout if whole else next(iter(layout))
    indices_of(tile)
    run = right_inverse(tile)
    total, longest = size_of(tile.shape), size_of(run.shape)
    if total % longest:
        raise Unsettled(f"the {longest} elements side by side do not divide the tile's {total}")
    axis = Axis(tile, np.zeros((1, 1)), 1, run)
    return spread(axis, np.arange(total)), longest


# Atoms and coordinates of a tensor


@rule(*(f"cute_nvgpu.atom.make_{MADE}{family}" for family in FAMILIES))
def make_tma(call: Call) -> Decision:
    """The atom and the coordinates of a tensor for TMA."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        tensor, shared, places = operands[:3]
        atom, coordinates = results
        if not isinstance(tensor, MemRefType) or not isinstance(tensor.layout, Layout):
            raise Unsettled(f"{tensor.text[:60]} is no plain tensor")
        if tensor.space not in ("gmem", "generic"):
            return Fault(f"the tensor is in {tensor.space}, and TMA's is in gmem", {}, "gmem", tensor.space)
        if not isinstance(coordinates, CoordTensorType) or not isinstance(coordinates.layout, Layout):
            raise Unsettled(f"{coordinates.text[:60]} has no coordinates")
        if not isinstance(places.layout, Layout):
            raise Unsettled(f"{places.text[:60]} is no layout of coordinates")
        basis = tma_box(atom)
        if basis is None or not isinstance(atom, AtomType):
            raise Unsettled(f"{atom.text[:60]} has no box")
        family = call.operation.name.rpartition("make_")[2]
        if atom.family != family:
            return Fault("the atom is of another family", {}, family, atom.family)
        kind = _KIND.search(call.operation.properties)
        if kind is not None and kind[1] not in atom.flags:
            return Fault("the atom is of another kind", {}, kind[1], ", ".join(atom.flags))
        element = next(filter(bits_of, atom.flags), "")
        fault = other_element(tensor.element, element) or _from_zero(coordinates, basis)
        if fault is not None:
            return fault
        fault = _axes_named(tensor, coordinates, basis)
        if fault is not None:
            return fault
        return _box_walked(shared, places.layout, basis, instruction_values(atom))

    return decided(call, decide)


def _from_zero(coordinates: CoordTensorType, basis: Layout) -> Fault | None:
    """The whole tensor starts at 0 along each axis of the box; Unsettled where it has other axes."""
    start, axes = list(leaves(coordinates.base)), len(basis)
    if len(start) != axes:  # CuTe DSL leaves out an axis along which the tensor has one element
        raise Unsettled(f"the coordinates have {len(start)} axes, the box {axes}")
    if all(type(x) is int and x == 0 for x in start):
        return None
    reason = "the coordinates of a whole tensor start at 0 along each axis of the box"
    return Fault(reason, {}, text_of((0,) * axes), text_of(coordinates.base))


def _is_size(got: Any, size: Any, coordinates: CoordTensorType, ground: Ground) -> bool:
    """Whether a size is the tensor's: the same number, or one of run time whose divisor follows."""
    if isinstance(size, int) or isinstance(got, int):
        return bool(got == size)
    claimed = {one.name: one.divisor for one in coordinates.dynamic}
    return ground.divides(prod(claimed[name] for name in got.names), ground.steps(size))


def _axis(stride: Any) -> int | None:
    """The axis along which a stride steps by one coordinate; None where it does anything else."""
    terms = stride.terms if isinstance(stride, CoordinateStride) else ()
    return terms[0][0][0] if len(terms) == 1 and terms[0][1] == 1 and len(terms[0][0]) == 1 else None


def _axes_named(tensor: MemRefType, coordinates: CoordTensorType, basis: Layout) -> Fault | None:
    """Each mode of the tensor is the axis whose basis names it, once; a mode of size 1, or without steps, is none."""
    layout: Any = tensor.layout
    end: Any = coordinates.layout
    places = [path for path, _ in paths(layout.shape)]
    if len(places) != len(list(leaves(end.shape))):
        return Fault("the coordinates have other modes than the tensor", {}, text_of(layout.shape), text_of(end.shape))
    named: dict[tuple[int, ...], int] = {}
    for axis, nested in enumerate(basis.stride):
        stride, *more = leaves(nested)
        if more:
            raise Unsettled(f"the box {basis} has nested modes")
        terms = stride.terms if isinstance(stride, CoordinateStride) else ()
        if len(terms) != 1 or terms[0][1] != 1:
            raise Unsettled(f"axis {axis} of the box {basis} is no one mode of the tensor")
        named[terms[0][0]] = axis
    bases = dict(zip(places, leaves(end.stride), strict=True))
    sizes = list(leaves(end.shape))
    ground = Ground.under(tensor)
    for k, (path, stride, size) in enumerate(zip(bases, bases.values(), leaves(layout.shape), strict=True)):
        if not _is_size(sizes[k], size, coordinates, ground):
            return Fault(f"mode {text_of(path)} has another size", {"mode": path}, str(size), str(sizes[k]))
        known = tuple(leaves(layout.stride))[k]
        got = _axis(stride)
        path = path if isinstance(layout.shape, tuple) else (0,)
        if (size == 1 and got is None) or (known == 0 and stride == 0):
            continue
        if path not in named or got != named[path]:
            told = named.get(path, "none")
            return Fault(
                f"mode {text_of(path)} of the tensor is another axis of the box", {"mode": path}, told, str(stride)
            )
        if got == 0 and isinstance(known, Expr):
            raise Unsettled("whether the first axis of the box is contiguous in memory is known only at run time")
        if got == 0 and known != 1:
            return Fault("the first axis of the box is not contiguous in memory", {"mode": path}, 1, str(known))
        if size != 1 and got != 0 and isinstance(known, int) and known * (tensor.element_bits or 0) % (8 * UNIT):
            reason = f"mode {text_of(path)} steps by {known} elements, and TMA by whole units of {UNIT} bytes"
            return Fault(reason, {"mode": path}, 8 * UNIT, known * (tensor.element_bits or 0))
    return None


def _box_walked(shared: Type, places: Layout, basis: Layout, values: int) -> Fault | str | None:
    """In the order of shared memory, the elements of one instruction are the box, its first axis fastest."""
    layout: Any = shared.layout
    if isinstance(layout, ComposedLayout):
        swizzle = layout.function
        if layout.offset != 0 or not isinstance(swizzle, Swizzle) or (swizzle.bits and swizzle not in BYTE_MODES):
            raise Unsettled(f"{swizzle} o {layout.offset} of shared memory is none that is known of TMA")
        layout = layout.layout
    if not isinstance(layout, Layout):
        raise Unsettled(f"{shared.text[:60]} is no layout of shared memory")
    order, longest = memory_order(shared, whole=True)
    if size_of(places.shape) != len(order):
        return Fault(
            "the tile has another number of elements than shared memory", {}, len(order), size_of(places.shape)
        )
    if size_of(basis.shape) != values:
        raise Unsettled(f"the box {text_of(basis.shape)} is not the {values} elements of an instruction")
    if longest < values:
        return Fault(f"one instruction moves {values} elements, and {longest} lie side by side", {}, values, longest)
    ground = Ground()
    got = offsets_at(places, order[:values], ground)
    wanted = offsets_at(basis, np.arange(values), ground)
    zero = np.zeros(values, dtype=np.int64)
    for key in {*got, *wanted}:
        bad = np.nonzero(got.get(key, zero) != wanted.get(key, zero))[0]
        if len(bad):
            i = int(bad[0])
            reason = f"the box {basis} does not walk through the tile as shared memory does"
            told = {name: _told(table, i) for name, table in (("expected", got), ("got", wanted))}
            return Fault(reason, {"element": i}, told["expected"], told["got"])
    return None


def _told(table: dict[Any, Array], index: int) -> str:
    return Ground().told({key: int(part[index]) for key, part in table.items()})


@rule("cute_nvgpu.atom.make_exec_tma")
def make_exec_tma(call: Call) -> Decision:
    """The atom as it was, ready to be called."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | Decision | str | None:
        before, after = operands[0], results[0]
        if not isinstance(before, AtomType) or not isinstance(after, AtomType):
            raise Unsettled(f"{before.text[:60]} is no atom")
        if not before.family.startswith(MADE):
            raise Unsettled(f"the atom {before.family} is none for TMA of tiles")
        for name, old, new in _said_of(before, after):
            if old is None or new is None:
                raise Unsettled(f"the atom does not tell its {name}")
            if old != new:
                return Fault(f"the atom has another {name}", {}, old, new)
        return right("definition")

    return decided(call, decide)


def _said_of(before: AtomType, after: AtomType) -> Iterator[tuple[str, Any, Any]]:
    """What both types tell of a TMA atom, by name: before and after it is ready to be called."""
    yield "family", before.family.removeprefix(MADE), after.family
    yield "element", next(filter(bits_of, before.flags), None), next(filter(bits_of, after.flags), None)
    for name in ("copy_bits", "tma_gbasis"):
        yield name, before.option(name), after.option(name)
    kind = next((flag for flag in before.flags if not bits_of(flag)), None)
    if before.family == f"{MADE}tma_reduce":
        yield "kind", kind, after.option("kind")
    elif kind is not None:
        yield "number of CTAs", "2" if "2sm" in kind else "1", after.option("num_cta")
        yield "multicast", "multicast" in kind, after.option("mcast") == "true"


# Parts


@rule("cute_nvgpu.atom.tma_partition")
def tma_partition(call: Call) -> Decision:
    """Shared memory and coordinates in the order of shared memory, one instruction's elements first."""
    return decided(call, _tma_part)


def _tma_part(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
    atom, crd, ctas, shared, tensor = operands
    values = instruction_values(atom)
    assert isinstance(atom, AtomType)  # of another type instruction_values tells nothing
    bits = shared.element_bits if isinstance(shared, MemRefType) else None
    moved = int(atom.option("copy_bits") or 0)
    if bits is not None and bits * values != moved:
        reason = f"the atom moves {values} elements at a time, {moved} bits, and here an element has {bits}"
        return Fault(reason, {}, moved, bits * values)
    order, groups = memory_order(shared)
    count = len(order)
    if not isinstance(ctas.layout, Layout) or not isinstance(crd, TupleType):
        raise Unsettled(f"{ctas.text[:60]} is no layout of CTAs")
    numbers = indices_of(ctas.layout)
    shares = int(numbers.max()) + 1
    if values % shares:
        raise Unsettled(f"{values} elements are not shared out among {shares} CTAs")
    meant = [numbers[crd.value]] if isinstance(crd.value, int) and crd.value < len(numbers) else np.unique(numbers)
    starts = np.array([int(n) * (values // shares) for n in meant])
    box = _box(atom)
    for name, side, result in (("shared memory", shared, results[0]), ("the tensor", tensor, results[1])):
        layout: Any = side.layout
        if not isinstance(layout, Layout) or not isinstance(result.layout, Layout):
            raise Unsettled(f"{name} {side.layout} is no plain layout")
        modes = list(layout)
        if size_of(modes[0].shape) != count:
            return Fault(
                f"{name} has another number of elements than the other side", {}, count, size_of(modes[0].shape)
            )
        partition = Partition((Axis(modes[0], order[None, :], 0),), tuple(modes[1:]), np.arange(1))
        ground = Ground.under(side, result)
        fault = compare(partition, plain_result(result.layout, result.dynamic), ground, "element")
        if fault is not None:
            return Fault(f"{name}: {fault.reason}", fault.where, fault.expected, fault.got)
        first = Partition((Axis(modes[0], order[starts][:, None], 0),), (), starts)
        fault = check_start(side, result, base_of(first, ground), ground, starts)
        if fault is not None:
            return Fault(f"{name}: {fault.reason}", fault.where, fault.expected, fault.got)
    if groups < values:
        return Fault(
            f"one instruction moves {values} elements, and {groups} lie side by side in shared memory",
            {},
            values,
            groups,
        )
    if box is None:
        return None
    if prod(box) != values:
        raise Unsettled(f"the box {text_of(box)} is not the {values} elements of an instruction")
    return _is_box(box, tensor, order[:values])


def _box(atom: Type) -> tuple[int, ...] | None:
    """The extents of one instruction's box, or None where its modes are nested."""
    made = tma_box(atom)
    if made is None or any(isinstance(s, tuple) and len(s) > 1 for s in made.shape):
        return None
    return tuple(map(size_of, made.shape))


def _is_box(box: tuple[int, ...], tensor: Type, order: Array) -> Fault | str | None:
    """The elements of an instruction, in the order of shared memory, are the box's, as far as coordinates are given."""
    if not isinstance(tensor, CoordTensorType):
        return None
    layout: Any = tensor.layout
    ground = Ground.under(tensor)
    return _walked(box, offsets_at(next(iter(layout)), order, ground), len(order), ground)


# Boxes of a copy


def boxes(atom: AtomType, source: Type, destination: Type) -> Fault | str | None:
    """TMA's instructions move whole boxes: each a run of shared memory from 128 bytes on, each a box of coordinates.

    Which swizzle TMA's descriptor has is in no type: that it is the one of shared memory is not asked.
    """
    values = instruction_values(atom)
    shared, places = (destination, source) if atom.family == "tma_load" else (source, destination)
    if not isinstance(shared, MemRefType) or shared.space not in ("smem", "dsmem"):
        raise Unsettled(f"{shared.text[:60]} is no shared memory")
    if not isinstance(places, CoordTensorType):
        raise Unsettled(f"{places.text[:60]} has no coordinates")
    return _runs(shared, values, int(atom.option("copy_bits") or 0)) or _boxes_walked(atom, places, values)


def _runs(shared: MemRefType, values: int, bits: int) -> Fault | None:
    """Each box is a run, and each starts at a multiple of what TMA asks of an address of shared memory."""
    if not isinstance(shared.layout, Layout):
        raise Unsettled("shared memory lies behind a swizzle of elements, and whether TMA has the same is in no type")
    if shared.swizzle is not None and shared.swizzle.bits and shared.swizzle not in BYTE_MODES:
        raise Unsettled(f"the swizzle {shared.swizzle} of shared memory is none that is known of TMA")
    element = shared.element_bits
    if element is None or element * values != bits:
        told = f"{values} elements of {shared.element} are not the {bits} bits that one instruction moves"
        return Fault(told, {}, bits, None if element is None else element * values)
    first, *others = modes_of(shared.layout)
    run = indices_of(first)
    if not len(run):
        raise Unsettled(f"{first} has no elements")
    if len(run) % values:
        return Fault(f"{len(run)} elements are no whole boxes of {values}", {}, f"a multiple of {values}", len(run))
    boxes = run.reshape(-1, values)
    wanted = boxes[:, :1] + np.arange(values)
    bad = np.argwhere(boxes != wanted)
    if len(bad):
        box, i = (int(x) for x in bad[0])
        where = {"box": box, "element": i}
        return Fault("a box is no run of shared memory", where, int(wanted[box, i]), int(boxes[box, i]))
    return _box_starts(shared, boxes[:, 0] * element, others, element)


def _box_starts(shared: MemRefType, starts: Array, others: list[Layout], element: int) -> Fault | None:
    """Boxes start whole multiples of 128 bytes apart, and the pointer is known to be one; ``starts`` are bits."""
    unit = 8 * SHARED
    bad = np.nonzero(starts % unit)[0]
    if len(bad):
        box = int(bad[0])
        reason = f"box {box} starts {int(starts[box]) / 8:g} bytes on, which is no multiple of {SHARED}"
        return Fault(reason, {"box": box}, f"a multiple of {SHARED}", f"{int(starts[box]) / 8:g}")
    ground = Ground.under(shared)
    for size, stride in (mode for other in others for mode in other.modes):
        steps = {key: c * element for key, c in ground.steps(stride).items()}
        if size == 1 or ground.divides(unit, steps):
            continue
        reason = f"boxes start {stride} elements apart, which is no multiple of {SHARED} bytes"
        if isinstance(stride, int):
            return Fault(reason, {"stride": stride}, f"a multiple of {SHARED}", f"{stride * element / 8:g}")
        return Fault(f"{reason} for every value", {}, verdict=OUTSIDE)
    known = shared.align if shared.align is not None else max(1, element // 8)
    if known % SHARED:
        reason = f"TMA asks for an address of {SHARED} bytes, and shared memory is known to be a multiple of {known}"
        return Fault(reason, {}, verdict=OUTSIDE)
    return None


def _boxes_walked(atom: AtomType, places: CoordTensorType, values: int) -> Fault | str | None:
    """The coordinates of each box walk through it."""
    box = tma_box(atom)
    layout: Any = places.layout
    if box is None or not isinstance(layout, Layout):
        raise Unsettled(f"{atom.family} has no box, or {places.text[:60]} is no plain tensor of coordinates")
    sizes = [size_of(s) for s in box.shape]
    if values % prod(sizes):
        raise Unsettled(f"{values} elements are no whole number to each place of the box {text_of(box.shape)}")
    axes = len(list(leaves(places.base)))
    if axes != len(sizes):
        raise Unsettled(f"the coordinates have {axes} axes, the box {len(sizes)}")
    first = modes_of(layout)[0]
    count = size_of(first.shape)
    if not isinstance(count, int) or count % values or count > POINTS:
        raise Unsettled(f"the {count} coordinates are no whole boxes of {values}")
    ground = Ground.under(places)
    return _walked(tuple(sizes), offsets_at(first, np.arange(count), ground), values, ground)


def _walked(box: tuple[int, ...], table: Table, values: int, ground: Ground) -> Fault | str | None:
    """The coordinates of each box, ``values`` elements after another, walk through it, its first axis fastest.

    A tile that does not step along an axis at all is one of a tensor that ends there, which is noted: the instruction
    goes by its first coordinate, and what is outside is filled with zeros. Elements narrower than what TMA counts step
    by a part of a coordinate along the first axis.
    """
    narrow = values // prod(box)  # elements to one place of the box
    index = np.arange(values)
    note = None
    for axis, size in enumerate(box):
        index, digit = np.divmod(index, size * narrow)
        got = table.pop(((axis,), ()), np.zeros(values, dtype=np.int64)).reshape(-1, values)
        moved, wanted = (got - got[:, :1]) * narrow, digit * ground.scale
        bad = np.argwhere((moved != wanted) | (got[:, :1] % ground.scale != 0))
        if len(bad) and not got.any():
            note = f"the tensor does not step along axis {axis}, and the box {text_of(box)} does"
        elif len(bad):
            at, i = (int(x) for x in bad[0])
            reason = f"the box {text_of(box)} has another coordinate along axis {axis}"
            told = [str(Fraction(int(x), ground.scale * narrow)) for x in (wanted[i], moved[at, i])]
            return Fault(reason, {"box": at, "element": i}, *told)
        narrow = 1
    if any((part.reshape(-1, values) != part.reshape(-1, values)[:, :1]).any() for part in table.values()):
        raise Unsettled("the coordinates of a box step along axes that the box does not have")
    return note
