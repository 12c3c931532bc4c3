"""Rules for partitions: what a tiled copy or a tiled MMA gives a thread of a tensor, against its definition.

``cute.tiled.copy.partition_S``, ``…_D``
    The tensor divided by the tiler; in a tile, the elements that the thread–value layout names, as the source or the
    destination side of the atom has them.
``cute.tiled.mma.partition``, ``…_shape``
    The tensor, permuted, divided among the atoms; in an atom, what A, B or C of it gives. The shape of that.
``cute.tiled.copy.retile``
    A thread's registers in the order of another tiled copy.

A tile that hangs over the tensor's end is no fault: CuTe rounds the number of tiles up, and only coordinates inside are
compared.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...model.composed import ComposedLayout
from ...model.errors import InputError
from ...model.htuple import flatten, text_of
from ...model.htuple import size as size_of
from ...model.inverse import right_inverse
from ...model.layout import Layout
from ...model.names import Expr
from ...model.swizzle import Swizzle
from ...proofs.contracts.banks import WARP
from .atoms import CopyAtom, MmaAtom, copy_atom, mma_atom
from .contracts import bank_contract, offsets_apart, shared_offsets, text_of_layout
from .definitions import modes_of
from .tiling import (
    Array,
    Axis,
    Fault,
    Ground,
    Partition,
    Result,
    Table,
    Unsettled,
    added,
    base_of,
    check_count,
    check_kept,
    check_pointer,
    check_start,
    compare,
    compare_behind,
    compare_swizzled,
    indices_of,
    is_identity,
    offsets_at,
    plain_result,
    spread,
    swizzled,
    tiles_of,
)
from .types import (
    AtomType,
    MemRefType,
    TiledCopyType,
    TiledMmaType,
    TupleType,
    Type,
    read_type,
)
from .verdict import OUTSIDE, RIGHT, Call, Decision, also, not_checked, outside, right, rule, several, wrong

OPERANDS = "ABC"
SIDES = {"cute.tiled.copy.partition_S": "source", "cute.tiled.copy.partition_D": "destination"}


def typed(call: Call) -> tuple[tuple[Type, ...], tuple[Type, ...]]:
    """The types of operands and results, no two with a name in common."""
    operands = tuple(read_type(kind.text, f"{'abcdgh'[min(k, 5)]}{k}_") for k, kind in enumerate(call.operands))
    return operands, tuple(read_type(kind.text, f"r{k}_") for k, kind in enumerate(call.results))


def decided(call: Call, decide: Any, evidence: str = "") -> Decision:
    """What ``decide`` says of operands and results; not checked where it says that it cannot.

    A fault, a whole decision, or a note of what is right. By enumeration, where nothing else is named: of places, or of
    a period of them and in closed form from there on, where an operand has numbers of run time.
    """
    operands, results = typed(call)
    is_open = any(kind.dynamic for kind in operands if not isinstance(kind, TupleType))  # of coordinates all are tried
    evidence = evidence or several(["enumeration", *(["closed-form"] if is_open else [])])
    try:
        found = decide(operands, results)
    except (Unsettled, InputError) as reason:
        return not_checked(str(reason).splitlines()[0])
    if isinstance(found, Decision):
        return found
    if isinstance(found, Fault):
        got = "; ".join(text_of_layout(kind) for kind in results) or None
        if found.verdict == OUTSIDE:
            return outside(found.reason, got=got, advice=found.advice, evidence=evidence)
        return wrong(found.reason, found.witness, got=got, advice=found.advice)
    return right(evidence, found or "")


def known_copy(atom: AtomType) -> CopyAtom:
    """The copy atom that a type names; Unsettled for one that is not known here."""
    found = copy_atom(atom)
    if found is None:
        raise Unsettled(f"the atom {atom.family} is not known here")
    return found


def known_mma(atom: AtomType) -> MmaAtom:
    """The MMA atom that a type names; Unsettled for one that is not known here."""
    found = mma_atom(atom)
    if found is None:
        raise Unsettled(f"the atom {atom.family} {' '.join(atom.flags)} is not known here")
    return found


# Tiled copies


@rule(*SIDES)
def partition_copy(call: Call) -> Decision:
    """A thread's part of a copy's source or destination."""
    side = SIDES[call.operation.name]
    found = decided(call, lambda operands, results: _copy_part(operands, results[0], side))
    tensor = call.operands[1]
    is_asked = found.verdict == RIGHT and side == "destination" and isinstance(tensor, MemRefType)
    return also(found, offsets_apart(tensor)[1]) if is_asked else found


def _copy_part(operands: tuple[Type, ...], result: Type, side: str) -> Fault | str | None:
    copy, tensor, thread = operands
    if not isinstance(copy, TiledCopyType):
        raise Unsettled(f"{copy.text[:60]} is no tiled copy")
    axes = copy_axes(copy, side)
    found = part_of(tensor, result, axes, thread)
    if isinstance(found, Fault) or not isinstance(tensor, MemRefType):
        return found
    notes = [found] if found else []
    for told in (
        shared_offsets(tensor) if side == "destination" else None,
        _banks(copy, tensor, axes) if tensor.space == "smem" else None,
    ):
        if isinstance(told, Fault):
            return told
        notes += [told] if told else []
    return "; ".join(notes) or None


def _banks(copy: TiledCopyType, tensor: MemRefType, axes: list[tuple[Array, int, Layout | None]]) -> Fault | str | None:
    """What the first warp's access of the first tile costs; None where that is not known, or nothing."""
    atom = copy_atom(copy.atom)
    if atom is None or atom.bits is None:
        return None
    layout: Any = tensor.layout
    offset: Any = 0
    if isinstance(layout, ComposedLayout):
        offset, layout = layout.offset, layout.layout
    if not isinstance(layout, Layout) or not isinstance(offset, int):
        return None
    modes = modes_of(layout)
    ground = Ground.under(tensor)
    divided = [Axis(mode, start[:WARP], step, tile) for mode, (start, step, tile) in zip(modes, axes, strict=False)]
    table = added(*(offsets_at(axis.mode, spread(axis, axis.start), ground) for axis in divided))
    if set(table) - {((), ())}:
        return None
    return bank_contract(tensor, table.get(((), ()), np.zeros_like(divided[0].start)) + offset, atom.bits)


def copy_elements(copy: TiledCopyType, side: str) -> Array:
    """[thread, value] ↦ place in the tile, as a side of the copy's atom has it.

    >>> from .types import read_type
    >>> text = '!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 64 b>, layout_copy_tv = <"(2,2):(2,1)">, '
    >>> copy_elements(read_type(text + 'tiler_mn = <"[4:1]">>'), "source").tolist()
    [[0, 1], [2, 3]]
    """
    atom, tv = known_copy(copy.atom), copy.layout_tv
    if len(tv) != 2:
        raise Unsettled(f"{tv} has not two modes, threads and values")
    threads, values = size_of(tv.shape[0]), size_of(tv.shape[1])
    if threads % atom.threads or values % atom.values:
        raise Unsettled(f"{tv} is no multiple of the atom's {atom.threads} threads and {atom.values} values")
    table = indices_of(tv).reshape(values, threads).T
    order = _reordered(atom, side)
    lanes = len(order)
    thread, value = order % atom.threads, order // atom.threads
    groups = np.arange(threads // atom.threads)[:, None, None, None] * atom.threads
    repeats = np.arange(values // atom.values)[None, None, :, None] * atom.values
    # [group of threads, lane, repetition of the atom's values, value of the side]
    picked = table[groups + thread[None, :, None, :], repeats + value[None, :, None, :]]
    return picked.reshape(threads // atom.threads * lanes, -1)


def _reordered(atom: CopyAtom, side: str) -> Array:
    """[thread, value] of a side ↦ thread + threads · value of the reference that has the same element."""
    layout = atom.source if side == "source" else atom.destination
    inverse = indices_of(right_inverse(atom.reference))
    threads, values = size_of(layout.shape[0]), size_of(layout.shape[1])
    return inverse[indices_of(layout)].reshape(values, threads).T


def copy_axes(copy: TiledCopyType, side: str) -> list[tuple[Array, int, Layout | None]]:
    """For each tiled mode: [thread, value] ↦ place in the tile, the tile's size, and the tiler where it is no run."""
    elements = copy_elements(copy, side)
    return tiled_axes(elements, copy.tiler)


def tile_modes(tiler: Any) -> tuple[Layout, ...]:
    """What a tiler takes of each mode; Unsettled where it is not by mode."""
    modes = tiler if isinstance(tiler, tuple) else (tiler,)
    if not all(isinstance(mode, Layout) for mode in modes):
        raise Unsettled(f"the tiler {tiler} is not by mode")
    return modes


def tiled_axes(elements: Array, tiler: Any) -> list[tuple[Array, int, Layout | None]]:
    """Places of a whole tile as places of its modes, the first fastest."""
    modes = tile_modes(tiler)
    sizes = [size_of(mode.shape) for mode in modes]
    if elements.size and (elements.min() < 0 or elements.max() >= int(np.prod(sizes))):
        raise Unsettled(f"a thread has the element {int(elements.max())} of a tile of {int(np.prod(sizes))}")
    found = []
    for mode, size in zip(modes, sizes, strict=True):
        elements, place = np.divmod(elements, size)
        found.append((place, size, None if is_identity(mode) else mode))
    return found


def part_of(
    tensor: Type, result: Type, axes: list[tuple[Array, int, Layout | None]], thread: Type | None
) -> Fault | str | None:
    """The result against the definition: the tensor's modes divided as the axes say, for the threads that are meant."""
    threads = _unlike(_threads_meant(thread, axes[0][0].shape[0]), [start for start, _, _ in axes])
    layout: Any = tensor.layout
    if layout is None or result.layout is None:
        raise Unsettled(f"{tensor.text[:60]} is no tensor")
    function: Any = None
    offset: Any = 0
    if isinstance(layout, ComposedLayout):
        function, offset, layout = layout.function, layout.offset, layout.layout
        if not isinstance(function, Swizzle) or not isinstance(layout, Layout) or not isinstance(offset, int):
            raise Unsettled(f"the tensor {tensor.layout} is no layout after a swizzle")
    modes = modes_of(layout)
    if len(modes) < len(axes):
        raise Unsettled(f"the tensor {layout} has fewer than {len(axes)} modes")
    divided = tuple(
        Axis(mode, start[threads], step, spread) for mode, (start, step, spread) in zip(modes, axes, strict=False)
    )
    partition = Partition(divided, tuple(modes[len(axes) :]), threads)
    fault = _compare(partition, function, offset, tensor, result)
    return fault if fault is not None else _overhang(divided)


def _compare(partition: Partition, function: Swizzle | None, offset: int, tensor: Type, result: Type) -> Fault | None:
    ground = Ground.under(tensor, result)
    end: Any = result.layout
    start = base_of(partition, ground)
    if function is None:
        fault = compare(partition, plain_result(end, result.dynamic), ground)
        return fault or check_start(tensor, result, start, ground, partition.threads)
    if not isinstance(tensor, MemRefType) or not isinstance(result, MemRefType):
        raise Unsettled(f"a part of {tensor.text[:40]}, behind a swizzle, has become {result.text[:40]}")
    if isinstance(end, ComposedLayout):
        fault = compare_behind(partition, function, offset, end, result, tensor.element_bits)
        return fault or check_pointer(tensor, result)
    zero = np.zeros(len(partition.threads), dtype=np.int64)
    moved: Table = {((), ()): swizzled(function, start.get(((), ()), zero) + offset)}
    return compare_swizzled(partition, function, offset, plain_result(end, result.dynamic)) or check_start(
        tensor, result, moved, Ground(), partition.threads
    )


def _overhang(axes: tuple[Axis, ...]) -> str | None:
    for number, axis in enumerate(axes):
        if not axis.step:
            continue  # the values of an atom, which are no tiles
        size, count = size_of(axis.mode.shape), tiles_of(axis)
        if isinstance(size, int) and count is not None and size % axis.step:
            return f"the last tile hangs over the {size} elements of mode {number}"
    return None


def _unlike(threads: Array, starts: list[Array]) -> Array:
    """The threads without those that have the same elements as one before."""
    first: dict[bytes, int] = {}
    for t in threads:
        first.setdefault(b"".join(start[t].tobytes() for start in starts), int(t))
    return np.array(list(first.values()))


def _threads_meant(thread: Type | None, count: int) -> Array:
    """The numbers of the threads that a coordinate may be: all where it is known only at run time."""
    if thread is None:
        return np.arange(count)
    value = thread.value if isinstance(thread, TupleType) else None
    if isinstance(thread, TupleType) and isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < count:
            raise Unsettled(f"there is no thread {value} among {count}")
        return np.array([value])
    if isinstance(value, Expr) and isinstance(thread, TupleType) and value.single is not None:
        return np.arange(0, count, thread.dynamic[0].divisor)
    if not isinstance(thread, TupleType):
        return np.arange(count)
    raise Unsettled(f"the thread {text_of(value)} is no one number")


@lru_cache(maxsize=4096)
def hanging(copy: TiledCopyType, tensor: MemRefType, side: str) -> dict[str, Any] | None:
    """A thread's coordinate in the last tile that lies past the tensor's end, and the size there; None where none does.

    >>> text = '!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 64 b>, layout_copy_tv = <"(4,2):(2,1)">, '
    >>> copy, rows = read_type(text + 'tiler_mn = <"[8:1]">>'), read_type('!cute.memref<f32, gmem, "(12):(1)">')
    >>> hanging(copy, rows, "source")
    {'thread': 2, 'mode': 0, 'coordinate': 12, 'size': 12}
    """
    layout: Any = tensor.layout
    layout = layout.layout if isinstance(layout, ComposedLayout) else layout
    if not isinstance(layout, Layout):
        return None
    modes = modes_of(layout)
    for number, (mode, (start, step, tile)) in enumerate(zip(modes, copy_axes(copy, side), strict=False)):
        axis = Axis(mode, start, step, tile)
        count, size = tiles_of(axis), size_of(mode.shape)
        if count is None:
            continue
        place = spread(axis, start + step * (count - 1))
        beyond = np.argwhere(place >= size)
        if len(beyond):
            thread, value = (int(x) for x in beyond[0])
            return {"thread": thread, "mode": number, "coordinate": int(place[thread, value]), "size": size}
    return None


# Tiled MMAs


@rule("cute.tiled.mma.partition")
def partition_mma(call: Call) -> Decision:
    """A thread's part of A, B or C."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        mma, tensor, thread = operands
        axes = mma_axes(mma, operand_of(call))
        return part_of(tensor, results[0], axes, thread)

    return decided(call, decide)


def operand_of(call: Call) -> int:
    """Which operand an operation is about: 0 for A, 1 for B, 2 for C."""
    properties = call.operation.properties
    for number in range(3):
        if f"operand_id = {number} : i32" in properties:
            return number
    raise Unsettled(f"no operand of an MMA is named in {properties[:60]}")


def mma_axes(mma: Type, operand: int) -> list[tuple[Array, int, Layout | None]]:
    """For both modes of an operand: [thread, value] ↦ place in the first atoms, how far those go, the permutation."""
    if not isinstance(mma, TiledMmaType):
        raise Unsettled(f"{mma.text[:60]} is no tiled MMA")
    atom = known_mma(mma.atom)
    rows, columns = atom.tile(operand)
    layout = atom.operands[operand]
    table = indices_of(layout).reshape(size_of(layout.shape[1]), atom.threads).T
    atoms = size_of(mma.atom_layout.shape)
    where = [_place(mma.atom_layout, k, np.arange(atoms)) for k in range(3)]
    first, second = ((0, 2), (1, 2), (0, 1))[operand]
    if len(mma.atom_layout) != 3:
        raise Unsettled(f"the atoms {mma.atom_layout} are not laid over M, N and K")
    found = []
    for mode, extent, place in ((first, rows, table % rows), (second, columns, table // rows)):
        # [atom, thread of it, value]: threads of one atom are numbered one after another.
        at = place[None, :, :] + extent * where[mode][:, None, None]
        across = size_of(mma.atom_layout.shape[mode])
        permutation = mma.permutation[mode] if isinstance(mma.permutation, tuple) else None
        spread = None
        if permutation is not None:
            if not isinstance(permutation, Layout):
                raise Unsettled(f"the permutation {permutation} is no layout")
            size = size_of(permutation.shape)
            if size % (extent * across):
                raise Unsettled(
                    f"the permutation {permutation} is no multiple of the {extent * across} that atoms take"
                )
            # A permutation that keeps the order still rounds the mode up to whole permutations.
            spread = permutation
        found.append((at.reshape(atoms * atom.threads, -1), extent * across, spread))
    return found


def _place(layout: Layout, mode: int, index: Array) -> Array:
    """The coordinate along a mode of each atom's number: (number / stride) mod size, as a compact layout has it."""
    shape, stride = layout.shape[mode], layout.stride[mode]
    total = np.zeros_like(index)
    scale = 1
    for size, step in zip(flatten(shape), flatten(stride), strict=True):
        if size > 1:
            if not isinstance(step, int) or step < 1:
                raise Unsettled(f"the atoms {layout} have several threads at one place")
            total = total + index // step % size * scale
        scale *= size
    return total


@rule("cute.tiled.mma.partition_shape")
def partition_shape(call: Call) -> Decision:
    """The shape of a part of A, B or C: values, then atoms along both modes, then the other modes."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        mma, shape = operands[0], operands[1]
        result = results[0]
        if not isinstance(shape, TupleType) or not isinstance(result, TupleType):
            raise Unsettled(f"{shape.text[:60]} is no shape")
        axes = mma_axes(mma, operand_of(call))
        whole = shape.value if isinstance(shape.value, tuple) else (shape.value,)
        if len(whole) < 2:
            raise Unsettled(f"the shape {text_of(shape.value)} has fewer than two modes")
        compact = [Layout.of(s, _zeros(s)) for s in whole]
        divided = [Axis(mode, start, step, spread) for mode, (start, step, spread) in zip(compact, axes, strict=False)]
        wanted = [axes[0][0].shape[1], *map(tiles_of, divided), *map(size_of, whole[2:])]
        got = [size_of(part) for part in result.value] if isinstance(result.value, tuple) else [size_of(result.value)]
        if len(got) != len(wanted):
            return Fault(f"the shape has {len(got)} modes", {}, len(wanted), len(got))
        for place, (w, g) in enumerate(zip(wanted, got, strict=True)):
            if isinstance(w, int) and isinstance(g, int) and w != g:
                return Fault(f"mode {place} of the shape has {g} elements", {"mode": place}, w, g)
            if isinstance(g, int) != isinstance(w, int):
                raise Unsettled(f"mode {place} of the shape is known only at run time")
        fault = _claimed(divided, compact[2:], result, Ground.under(shape, result))
        if fault is not None:
            return fault
        return _overhang(tuple(divided))

    return decided(call, decide, "closed-form")  # the sizes alone are compared


def _claimed(divided: list[Axis], others: list[Layout], result: TupleType, ground: Ground) -> Fault | None:
    """What a shape claims of its numbers of run time follows from the sizes."""
    whole = result.value if isinstance(result.value, tuple) else (result.value,)
    modes = [Layout.of(s, _zeros(s)) for s in whole]
    ends = Result(modes[0], {one.name: one for one in result.dynamic})
    for number, (axis, rest) in enumerate(zip(divided, modes[1:], strict=False)):
        fault = check_count(number, axis, rest, ends, ground) if tiles_of(axis) is None else None
        if fault is not None:
            return fault
    for mode, kept in zip(others, modes[1 + len(divided) :], strict=True):
        fault = check_kept(mode, kept, ends, ground)
        if fault is not None:
            return fault
    ends.settle()
    return None


def _zeros(shape: Any) -> Any:
    return tuple(map(_zeros, shape)) if isinstance(shape, tuple) else 0


# Retiling


@rule("cute.tiled.copy.retile")
def retile(call: Call) -> Decision:
    """A thread's registers, made for one partition, in the order in which a tiled copy takes them."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        copy, tensor = operands
        if not isinstance(copy, TiledCopyType) or not isinstance(tensor.layout, Layout):
            raise Unsettled(f"{tensor.text[:60]} is no plain tensor")
        modes = list(tensor.layout)
        tiled = copy.tiler if isinstance(copy.tiler, tuple) else (copy.tiler,)
        if len(modes) < 1 + len(tiled):
            raise Unsettled(f"the tensor {tensor.layout} has fewer than {1 + len(tiled)} modes")
        axes = fragment_axes(copy, modes)
        partition = Partition(axes, tuple(modes[len(axes) :]), np.arange(1))
        ground = Ground.under(tensor, results[0])
        end: Any = results[0].layout
        fault = compare(partition, plain_result(end, results[0].dynamic), ground)
        start = base_of(partition, ground)
        fault = fault or check_start(tensor, results[0], start, ground, partition.threads)
        return fault or _overhang(axes)

    return decided(call, decide)


def fragment_axes(copy: TiledCopyType, modes: list[Layout]) -> tuple[Axis, ...]:
    """The modes of a fragment (V, M, N, …) as a tiled copy walks through them.

    The V values of a fragment are as many consecutive values of the copy's thread–value layout. Groups of V values
    stand in the tile as a grid, and the fragment numbers them along each mode of the tile.
    """
    tv = copy.layout_tv
    values = size_of(tv.shape[1])
    held = size_of(modes[0].shape)
    if not isinstance(held, int):
        raise Unsettled("a fragment whose values are known only at run time")
    if values % held and held % values:
        raise Unsettled(f"{held} values of a fragment and {values} of the copy divide neither each other")
    index = np.arange(max(values, held))
    table = indices_of(tv).reshape(values, -1)[:, 0]
    places = [place for place, _, _ in tiled_axes(table, copy.tiler)]
    axes = [Axis(modes[0], (index % held)[None, :], 0)]
    groups = index // held
    total = 1
    for mode, place in zip(modes[1:], places, strict=False):
        corner = place.reshape(-1, min(held, values)).min(axis=1)
        lines, number = np.unique(corner, return_inverse=True)
        axes.append(Axis(mode, number[groups][None, :], len(lines)))
        total *= len(lines)
    if total != len(index) // held:
        raise Unsettled(f"the {len(index) // held} groups of {held} values are no grid in the tile")
    return tuple(axes)
