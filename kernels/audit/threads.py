"""Which elements the threads of a kernel touch by slices of their own, where the launch is known: ends, and owners.

A tensor that a kernel is given is divided, sliced by the index of the thread and of the block, and copied, as
``TensorSSA.load`` and ``store`` do it. Where its layout is known when the kernel is compiled, and so are the numbers of
threads and blocks, each address is a sum of layouts at those indices, and is computed:

* an offset past the tensor's last one is ``wrong``, on either side of the copy;
* an element that two threads store is ``wrong``. Threads along which nothing moves (stride 0) repeat one store, and
  are none.

Only copies with no predicate, in the kernel's own region, by universal atoms are asked: a branch or a loop may guard
the others. Only slices whose other parts are known or the index of a block are followed. Of all else nothing is said;
an offset past the end of a row that lies in the next row is not found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...model.errors import Witness
from ...model.htuple import leaves
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.names import Expr
from .contracts import moving
from .definitions import modes_of
from .text import Module, Operation
from .tiling import POINTS, Array, Unsettled, indices_of
from .types import AtomType, MemRefType, TiledCopyType, TupleType, read_type
from .verdict import Decision, asked, wrong

THREAD = "thread"
INDICES = {"nvvm.read.ptx.sreg.tid.x": THREAD} | {f"nvvm.read.ptx.sreg.ctaid.{axis}": f"block {axis}" for axis in "xyz"}
KEEPS_POINTER = frozenset(
    "cute." + name
    for name in (
        "get_iter",
        "make_view",
        "group_modes",
        "append_to_rank",
        "coalesce",
        "composition",
        "logical_divide",
        "zipped_divide",
        "tiled_divide",
        "flat_divide",
    )
)
"""Operations whose result begins where their first operand does."""
_THREADS = re.compile(r"nvvm\.reqntid = array<i32: (\d+), \d+, \d+>")
_GRID = re.compile(r"exact_grid_dim = array<i64: (\d+), (\d+), (\d+)>")


@dataclass(frozen=True)
class Part:
    """Where a part begins: the ``layout`` of the whole, a constant, and layouts at indices of :data:`INDICES`."""

    layout: Layout
    constant: int = 0
    terms: tuple[tuple[str, Layout], ...] = ()


def touched(module: Module) -> dict[int, Decision]:
    """By the line of a copy in the text: what threads touch that is not the tensor's, or that two of them store.

    By that of a slice or a copy: that this was not found out, by a mistake of ours.
    """
    found: dict[int, Decision] = {}
    launches = {one.line: launch for one in module.operations if (launch := _launch(one))}
    for line, counts in launches.items():
        inside = [one for one in module.operations if one.around == line]
        if not any(one.name == "cute.slice" for one in inside):
            continue
        parts = {
            one.name: part
            for one in module.arguments
            if one.line == line + 1 and isinstance(part := asked(partial(_whole, one.type)), Part)
        }
        indices: dict[str, str] = {}
        coordinates: dict[str, Operation] = {}
        for one in inside:
            if one.name in INDICES:
                indices[one.results[0]] = INDICES[one.name]
            elif one.name == "cute.make_coord":
                coordinates[one.results[0]] = one
            elif one.name in KEEPS_POINTER and one.operands and one.operands[0] in parts:
                parts.update(dict.fromkeys(one.results, parts[one.operands[0]]))
            elif one.name == "cute.slice" and one.operands[0] in parts and one.operands[1] in coordinates:
                coordinate = coordinates[one.operands[1]]
                names = [indices.get(name) for name in coordinate.operands]
                sliced = asked(partial(_sliced, parts[one.operands[0]], one, names))
                if isinstance(sliced, Decision):
                    found[one.line] = sliced
                elif sliced is not None:
                    parts[one.results[0]] = sliced
            elif one.name == "cute.copy" and len(one.operands) == 3:
                decision = asked(partial(_copied, one, parts, counts))
                if decision is not None:
                    found[one.line] = decision
    return found


def _launch(operation: Operation) -> dict[str, int] | None:
    """How many values each index has in a kernel; None where the operation is no kernel, or that is not known."""
    if operation.name != "cuda.kernel":
        return None
    threads, grid = _THREADS.search(operation.properties), _GRID.search(operation.properties)
    if threads is None or grid is None:
        return None
    return {THREAD: int(threads[1])} | {f"block {axis}": int(n) for axis, n in zip("xyz", grid.groups(), strict=True)}


def _whole(text: str) -> Part | None:
    if not text.startswith("!cute.memref"):
        return None
    kind = read_type(text)
    layout = kind.layout
    if not isinstance(kind, MemRefType) or kind.space != "gmem" or kind.swizzle is not None or not _is_known(layout):
        return None
    assert isinstance(layout, Layout)
    return Part(layout)


def _is_known(layout: Any) -> bool:
    return isinstance(layout, Layout) and all(type(x) is int for x in (*leaves(layout.shape), *leaves(layout.stride)))


def _sliced(part: Part, operation: Operation, names: list[str | None]) -> Part | None:
    """The part that a slice leaves; None where a part of its coordinate is not one of the indices."""
    tensor, coordinate = (read_type(text) for text in operation.operand_types)
    layout = tensor.layout
    if not isinstance(coordinate, TupleType) or not _is_known(layout) or None in names:
        return None
    assert isinstance(layout, Layout)
    at: list[tuple[Any, Layout]] = []
    if not _pair(coordinate.value, layout, at):
        return None
    open_ = [mode for value, mode in at if isinstance(value, Expr)]
    if len(open_) != len(names):
        return None
    constant = sum(int(mode(value)) for value, mode in at if isinstance(value, int) and value < size_of(mode.shape))
    if any(isinstance(value, int) and not 0 <= value < size_of(mode.shape) for value, mode in at):
        return None
    terms = tuple((str(name), mode) for name, mode in zip(names, open_, strict=True))
    return Part(part.layout, part.constant + constant, (*part.terms, *terms))


def _pair(value: Any, layout: Layout, at: list[tuple[Any, Layout]]) -> bool:
    """The numbers of a coordinate with the modes that they are of; False where the profiles do not fit."""
    if isinstance(value, tuple):
        modes = modes_of(layout)
        return len(modes) == len(value) and all(_pair(x, mode, at) for x, mode in zip(value, modes, strict=True))
    if value is not None:
        at.append((value, layout))
    return True


def _copied(copy: Operation, parts: dict[str, Part], counts: dict[str, int]) -> Decision | None:
    atom = read_type(copy.operand_types[0])
    if isinstance(atom, TiledCopyType) or not isinstance(atom, AtomType) or atom.family != "universal_copy":
        return None
    for side, name, text in zip(("source", "destination"), copy.operands[1:], copy.operand_types[1:], strict=True):
        part, values = parts.get(name), read_type(text).layout
        if part is None or not part.terms or not _is_known(values):
            continue
        assert isinstance(values, Layout)
        try:
            decision = _past_the_end(side, part, values, counts)
            if decision is None and side == "destination":
                decision = _shared(part, values, counts)
        except Unsettled:
            continue
        if decision is not None:
            return decision
    return None


def _at(mode: Layout, count: int) -> Array:
    """The offsets of the first indices. Unsettled where the mode has fewer, or none."""
    if not 0 < count <= size_of(mode.shape):
        raise Unsettled(f"{count} indices of {mode}")
    return indices_of(mode)[:count]


def _offsets(values: Layout) -> Array:
    """The offsets of what a thread copies. Unsettled where it copies nothing: a size of zero is another rule's."""
    offsets = indices_of(values)
    if not len(offsets):
        raise Unsettled(f"{values} has no elements")
    return offsets


def _past_the_end(side: str, part: Part, values: Layout, counts: dict[str, int]) -> Decision | None:
    bases: dict[str, Array] = {}
    for name, mode in part.terms:
        base = _at(mode, counts[name])
        bases[name] = bases[name] + base if name in bases else base
    offsets = _offsets(values)
    at = {name: int(base.argmax()) for name, base in bases.items()} | {"value": int(offsets.argmax())}
    offset = part.constant + sum(int(base.max()) for base in bases.values()) + int(offsets.max())
    last = sum((s - 1) * max(d, 0) for s, d in part.layout.modes)
    if offset <= last:
        return None
    told = ", ".join(f"{name} {index}" for name, index in at.items())
    reason = f"nothing guards the copy, and it touches offset {offset} of the {side}, whose last is {last}: {told}"
    witness = Witness("difference", {**at, "expected": f"at most {last}", "got": offset})
    return wrong(reason, witness, got=str(part.layout), advice="guard the copy, or take a tile that divides the tensor")


def _shared(part: Part, values: Layout, counts: dict[str, int]) -> Decision | None:
    own = [mode for name, mode in part.terms if name == THREAD]
    if len(own) != 1:
        return None
    mode, count = own[0], counts[THREAD]
    starts, offsets = _at(mode, count), _offsets(moving(values))
    threads = np.nonzero(_first_of_each(mode, count))[0]
    if len(threads) * len(offsets) > POINTS:
        raise Unsettled("too many elements")
    table = (starts[threads, None] + offsets[None, :]).ravel()
    order = np.argsort(table, kind="stable")
    owner = order // len(offsets)
    twice = np.nonzero((table[order][1:] == table[order][:-1]) & (owner[1:] != owner[:-1]))[0]
    if not len(twice):
        return None
    pairs = [divmod(int(order[k]), len(offsets)) for k in (twice[0], twice[0] + 1)]
    one, other = ((int(threads[thread]), value) for thread, value in pairs)
    offset = int(table[order][twice[0]])
    reason = (
        f"two threads store to one address: ({one[0]},{one[1]}) and ({other[0]},{other[1]}), as (thread, value), "
        f"both to offset {offset}"
    )
    witness = Witness("overlap", {"coordinate": one, "other": other, "offset": offset})
    return wrong(reason, witness, got=f"({mode},{values})", advice="give each element one thread")


def _first_of_each(mode: Layout, count: int) -> Array:
    """Which indices are 0 along every mode where nothing moves."""
    index = np.arange(count, dtype=np.int64)
    keep = np.ones(count, dtype=bool)
    for size, stride in mode.modes:
        index, digit = np.divmod(index, size)
        if stride == 0:
            keep &= digit == 0
    return keep
