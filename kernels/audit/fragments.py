"""Rules for what an MMA's operands live in.

``cute.mma.make_fragment``
    What the instruction takes the operand from, of a part that has the values of an atom. Registers: as many as the
    part has elements, the values of an atom side by side. A view of descriptors of shared memory: each atom's
    descriptor is as far on as its elements are, in units of 16 bytes. Tensor memory: elements lie where the instruction
    has them, no two at one place, without gaps.

Where an accumulator of ``tcgen05.mma`` lies (PTX ISA, data path layouts): with M = 128 for one CTA, or M = 256 for two,
row r of a CTA is lane r. With M = 64 for one CTA, row r is lane r mod 16 + 32 · (r / 16). With M = 128 for two CTAs
each has 64 rows, lanes 0 to 63 for the first half of the columns, and lanes 64 to 127 for the other; A in tensor memory
lies in both halves of the lanes there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...proofs.contracts.tmem_shapes import COLUMNS, LANE_STEP, LANES
from .partitions import OPERANDS, decided, known_mma, operand_of
from .tiling import POINTS, Array, Fault, Unsettled, indices_of, same_place
from .types import AtomType, MemRefType, TiledMmaType, TupleType, Type, ViewType, bits_of
from .verdict import Call, Decision, rule

DESCRIPTOR_BITS = 128


@rule("cute.mma.make_fragment")
def make_fragment(call: Call) -> Decision:
    """What holds a thread's part of A, B or C."""

    def decide(operands: tuple[Type, ...], results: tuple[Type, ...]) -> Fault | str | None:
        mma, part = operands
        result = results[0]
        if not isinstance(mma, TiledMmaType):
            raise Unsettled(f"{mma.text[:60]} is no tiled MMA")
        operand = operand_of(call)
        shape = part.value if isinstance(part, TupleType) else part.layout.shape if part.layout is not None else None
        if not isinstance(shape, tuple) or not isinstance(result.layout, Layout):
            raise Unsettled(f"{part.text[:60]} is no part of an operand")
        name, known = OPERANDS[operand], known_mma(mma.atom)
        fault = other_home(mma.atom, name, operand, result)
        fault = fault or other_count(name, size_of(known.operands[operand].shape[1]), shape[0], "part")
        if fault is not None:
            return fault
        if isinstance(result, ViewType):
            return _descriptors(part, result)
        if isinstance(result, MemRefType):
            fault = other_element(known.elements[operand], result.element)
            if fault is not None:
                return fault
            if result.swizzle is not None:
                return Fault("a fragment has no swizzle", {}, "none", str(result.swizzle))
        if isinstance(result, MemRefType) and result.space == "tmem":
            return _tensor_memory(mma.atom, operand, shape, result)
        fault = _same_sizes(shape, result.layout)
        if fault is not None:
            return fault
        if isinstance(result, MemRefType) and result.space == "rmem":
            return _registers(result)
        raise Unsettled(f"{result.text[:60]} is no place for a fragment")

    return decided(call, decide)


def home_of(atom: AtomType, operand: int) -> str:
    """Where an instruction takes an operand from: registers, tensor memory, or shared memory by descriptors."""
    family, kind = atom.family, atom.option("frag_kind")
    if family == "sm80.mma":
        return "rmem"
    if family not in ("sm90.mma", "sm100.mma", "sm100.mma_bs"):
        raise Unsettled(f"where {family} takes its operands from is not known here")
    near = "rmem" if family == "sm90.mma" else "tmem"
    return near if operand == 2 or (operand == 0 and kind == f"{near[0]}s") else "descriptors"


def other_home(atom: AtomType, name: str, operand: int, part: Type) -> Fault | None:
    """A fault where an operand is held in another memory than its instruction takes it from."""
    home, got = home_of(atom, operand), part.space if isinstance(part, MemRefType) else "descriptors"
    if home == got:
        return None
    return Fault(f"{name} is in {got}, and the instruction takes it from {home}", {}, home, got)


def other_count(name: str, wanted: int, values: Any, what: str = "fragment") -> Fault | None:
    """A fault where a fragment has other than the ``wanted`` values for an atom; ``values`` is their shape."""
    count = size_of(values)
    if not isinstance(count, int):
        raise Unsettled(f"how many values of an atom {name} has is known only at run time")
    if count == wanted:
        return None
    return Fault(f"the {what} has {count} values of {name} for an atom, which takes {wanted}", {}, wanted, count)


def other_element(wanted: str, got: str) -> Fault | None:
    """A fault where elements have another width than an atom's; Unsettled where only their names differ.

    Integers of that width hold any: CuTe DSL has ``tf32`` in ``i32``.

    >>> other_element("bf16", "f32").reason, other_element("bf16", "bf16"), other_element("tf32", "i32")
    ('the atom takes elements of bf16, and here they are f32', None, None)
    """
    if got in (wanted, f"i{bits_of(wanted)}"):
        return None
    reason = f"the atom takes elements of {wanted}, and here they are {got}"
    if bits_of(wanted) is None or bits_of(wanted) == bits_of(got):
        raise Unsettled(reason)
    return Fault(reason, {}, wanted, got)


def _same_sizes(shape: tuple[Any, ...], layout: Layout) -> Fault | None:
    """Every mode has as many elements as the part's."""
    wanted, got = [size_of(s) for s in shape], [size_of(mode.shape) for mode in layout]
    if len(wanted) != len(got):
        return Fault(f"the fragment has {len(got)} modes", {}, len(wanted), len(got))
    for mode, (w, g) in enumerate(zip(wanted, got, strict=True)):
        if not isinstance(w, int) or not isinstance(g, int):
            raise Unsettled(f"mode {mode} of the fragment is known only at run time")
        if w != g:
            return Fault(f"mode {mode} of the fragment has {g} elements", {"mode": mode}, w, g)
    return None


def _registers(result: MemRefType) -> Fault | None:
    """Each element has a register of its own, none is left over, and an atom's values are side by side."""
    layout: Any = result.layout
    values = indices_of(layout[0])
    bad = np.nonzero(values != np.arange(len(values)))[0]
    if len(bad):
        i = int(bad[0])
        return Fault("the values of one atom are not side by side", {"value": i}, i, int(values[i]))
    return one_to_one(layout, "register")


def one_to_one(layout: Layout, what: str) -> Fault | None:
    """Two indices that share an offset, or an offset that is left out; None where each from 0 on is taken once."""
    table = indices_of(layout)
    places, first = np.unique(table, return_index=True)
    twice = same_place(table)
    if twice is not None:
        place = int(table[twice[0]])
        return Fault(f"two elements share {what} {place}", {"element": twice[0], "other": twice[1]}, "two", place)
    bad = np.nonzero(places != np.arange(len(places)))[0]
    if len(bad):
        i = int(bad[0])
        return Fault(f"{what} {i} is left out", {"element": int(first[i])}, i, int(places[i]))
    return None


def _descriptors(part: Type, result: ViewType) -> Fault | None:
    """Descriptors of the atoms' tiles: as far on as the tiles are."""
    if not isinstance(part, MemRefType) or not isinstance(part.layout, Layout):
        raise Unsettled(f"{part.text[:60]} is no plain tensor in shared memory")
    if part.space != "smem":
        return Fault(f"the part is in {part.space}, and descriptors are of smem", {}, "smem", part.space)
    bits = part.element_bits
    layout: Any = result.layout
    if bits is None:
        raise Unsettled(f"the width of {part.element} is not known")
    fault = _same_sizes((1, *part.layout.shape[1:]), layout)
    if fault is not None:
        return fault
    for mode, (tiles, views) in enumerate(zip(part.layout, layout, strict=True)):
        if mode == 0:
            continue
        wanted, got = indices_of(tiles) * bits, indices_of(views) * DESCRIPTOR_BITS
        bad = np.nonzero(wanted != got)[0]
        if len(bad):
            i = int(bad[0])
            where = {"mode": mode, "tile": i}
            if wanted[i] % DESCRIPTOR_BITS:
                return Fault(
                    f"the tile starts {int(wanted[i]) // 8} bytes on, inside a unit of 16",
                    where,
                    "16n",
                    int(wanted[i]) // 8,
                )
            reason = "a descriptor is not as far on as its tile, in units of 16 bytes"
            return Fault(reason, where, int(wanted[i]) // DESCRIPTOR_BITS, int(got[i]) // DESCRIPTOR_BITS)
    return None


def _tensor_memory(atom: AtomType, operand: int, shape: Any, result: MemRefType) -> Fault | None:
    """An operand in tensor memory: where the instruction has it, each element at a place of its own."""
    layout: Any = result.layout
    wanted = atom_places(atom, operand, result)
    fault = _same_sizes((len(wanted), *shape[1:]), layout)
    packed = 32 // (result.element_bits or 32)
    return fault or displaced(layout[0], wanted) or _distinct_places(layout, packed, packed if operand == 2 else 1)


def atom_places(atom: AtomType, operand: int, tensor: MemRefType) -> Array:
    """Where the instruction has the elements of A or C in tensor memory, as offsets in elements of the tensor.

    Elements of A lie side by side in a column of 32 bits; one of C has a column for itself, whatever its width, as
    ``tcgen05.ld.pack::16b`` takes it. Unsettled for an operand that is not known to lie there.
    """
    bits = tensor.element_bits
    if bits is None or 32 % bits or operand == 1:
        raise Unsettled(f"the operand {OPERANDS[operand]} of {atom.family} in tensor memory is not known here")
    known = known_mma(atom)
    rows, columns = known.tile(operand)
    packed = 32 // bits
    rows //= known.threads
    if operand == 0 and rows == 64 and known.threads == 2:
        rows = 128  # the 64 rows of a CTA lie in both halves of the lanes
    if operand == 0:
        return accumulator_places(rows, columns, known.threads, LANE_STEP * packed)
    return accumulator_places(rows, columns, known.threads, LANE_STEP) * packed


def displaced(values: Layout, wanted: Array) -> Fault | None:
    """The first element of an atom that is not where the instruction has it in tensor memory."""
    got = indices_of(values)
    bad = np.nonzero(got != wanted)[0]
    if not len(bad):
        return None
    i = int(bad[0])
    reason = "an element is not where the instruction has it, as column + 65536 · lane in 32-bit columns"
    return Fault(reason, {"value": i}, int(wanted[i]), int(got[i]))


def accumulator_places(rows: int, columns: int, ctas: int, lane: int) -> Array:
    """Where the elements (row, column) of a CTA's accumulator lie, the rows fastest; Unsettled for other extents.

    >>> accumulator_places(64, 8, 2, 65536)[[1, 64 * 4]].tolist() == [65536, 64 * 65536]
    True
    """
    row, column = np.divmod(np.arange(rows * columns), rows)[::-1]
    if rows == 128:
        return row * lane + column
    if rows == 64 and ctas == 1:
        return (row % 16 + row // 16 * 32) * lane + column
    if rows == 64 and ctas == 2 and columns % 2 == 0:
        half = columns // 2
        return (row + column // half * 64) * lane + column % half
    raise Unsettled(f"where an accumulator of {rows} rows for {ctas} CTAs lies is not known here")


def _distinct_places(layout: Layout, packed: int, step: int) -> Fault | None:
    """No two elements share a place, all columns exist, and none is left out between two that are used.

    A column of 32 bits has ``packed`` elements; used is every ``step``-th.
    """
    if size_of(layout.shape) > POINTS:
        raise Unsettled(f"{size_of(layout.shape)} elements would have to be looked at, more than {POINTS}")
    table = indices_of(layout)
    lane = LANE_STEP * packed
    column = table % lane  # in elements, of which a column of 32 bits holds some
    if int(table.max()) >= LANES * lane or int(column.max()) >= COLUMNS * packed:
        i = int(np.argmax(column))
        return Fault(
            "a column lies outside tensor memory", {"element": i}, f"below {COLUMNS}", int(column[i]) // packed
        )
    used = np.unique(column)
    bad = np.nonzero(used != step * np.arange(len(used)))[0]
    if len(bad):
        i = int(bad[0])
        element = int(np.nonzero(column == used[i])[0][0])
        reason = f"element {i} of a lane of tensor memory is left out"
        return Fault(reason, {"element": element}, step * i, int(used[i]))
    twice = same_place(table)
    if twice is not None:
        place = int(table[twice[0]])
        reason = f"two elements share lane {place // lane}, column {place % lane // packed} of tensor memory"
        return Fault(reason, {"element": twice[0], "other": twice[1]}, "two places", place)
    return None
