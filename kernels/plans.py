"""What a kernel's plan owes: each kernel's own plan as a plan of contracts, and back again.

``certified(module, plan, architecture)`` gives the :class:`~veritile.proofs.plan.Plan` whose obligations the kernel
owes. It holds the kernel's plan as plain data under ``kernel``; ``kernel_plan`` reads that back, so that a certificate
of the plan is all that the gate needs. A kernel of one's own defines ``owes(plan, architecture)`` in its module: the
sections of its plan, as in TOML; the kernels here have theirs in this file.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from math import gcd
from typing import Any

from ..model.complement import complement
from ..model.composed import AnyLayout, ComposedLayout
from ..model.composition import composition
from ..model.errors import InputError
from ..model.htuple import unflatten
from ..model.layout import Layout
from ..model.notation import parse
from ..model.properties import cosize, size
from ..model.semimodule import as_integer
from ..proofs.plan import Plan, plan_of
from .element import element

Sections = dict[str, Any]


def certified(module: Any, plan: Any, architecture: str) -> Plan:
    """All that the kernel of a module owes for this plan on an architecture.

    >>> from . import copy
    >>> plan = copy.plan_copy(Layout(20003), Layout(20003), "f32")
    >>> made = certified(copy, plan, "sm_80")
    >>> made.verdict().value, kernel_plan(copy, made) == plan
    ('proved', True)
    """
    owes: Callable[[Any, str], Sections] = getattr(module, "owes", None) or OWES[module.NAME]
    data = {"name": module.NAME, "arch": architecture, **owes(plan, architecture)}
    data["kernel"] = {"name": module.NAME, "plan": as_data(plan)}
    return plan_of(data, module.NAME)


def kernel_plan(module: Any, plan: Plan) -> Any:
    """The kernel's own plan out of a plan of contracts; InputError where there is none of this kernel."""
    if not plan.kernel:
        raise InputError(f"the plan {plan.name} is no kernel's: it has no part kernel")
    if plan.kernel.get("name") != module.NAME:
        raise InputError(f"the plan is one of the kernel {plan.kernel.get('name')}, not of {module.NAME}")
    return from_data(plan_class(module), plan.kernel.get("plan"))


def plan_class(module: Any) -> type[Any]:
    """The dataclass that a kernel's plan is: the one of the module whose name ends in Plan."""
    found = [
        one
        for name, one in vars(module).items()
        if isinstance(one, type) and is_dataclass(one) and name.endswith("Plan") and one.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise InputError(f"{module.__name__} defines {len(found)} dataclasses named …Plan, not one")
    return found[0]


# A dataclass as plain data: layouts as they are written, numbers with a point as hexadecimal text, nothing left out.


def as_data(value: Any) -> Any:
    """Plain data of a kernel's plan: texts, integers, true and false, lists and tables; None is left out of a table.

    >>> as_data((1, Layout((2, 3)), 0.5))
    [1, '(2,3):(1,2)', '0x1.0000000000000p-1']
    """
    if is_dataclass(value) and not isinstance(value, type | Layout | ComposedLayout):
        parts = ((f.name, getattr(value, f.name)) for f in fields(value))
        return {name: as_data(part) for name, part in parts if part is not None}
    if isinstance(value, tuple):
        return [as_data(part) for part in value]
    if isinstance(value, float):
        return value.hex()
    return value if isinstance(value, bool | int | str) else str(value)


def from_data(kind: Any, data: Any) -> Any:
    """A value of a type from its plain data; InputError where it is not understood."""
    try:
        return _read(kind, data)
    except InputError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        raise InputError(f"the kernel's plan is not understood: {str(problem).splitlines()[0]}") from None


def _read(kind: Any, data: Any) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind in (Layout, ComposedLayout) or (origin in _UNIONS and {Layout, ComposedLayout} <= set(inner)):
        return _layout(kind, data)
    if origin in _UNIONS:
        return None if data is None else _read(next(one for one in inner if one is not type(None)), data)
    if origin is tuple:
        if not isinstance(data, list | tuple):
            raise InputError(f"a list is expected, not {data}")
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_read(inner[0], part) for part in data)
        return tuple(_read(one, part) for one, part in zip(inner, data, strict=True))
    if is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        known = {f.name for f in fields(kind)}
        if not isinstance(data, dict) or not set(data) <= known:
            raise InputError(f"a table with {', '.join(sorted(known))} is expected")
        return kind(**{name: _read(hints[name], part) for name, part in data.items()})  # type: ignore[operator]
    if kind is float:
        return float.fromhex(data)
    if kind is Any:
        return parse(data) if isinstance(data, str) else data
    if type(data) is not kind:
        raise InputError(f"{kind.__name__} is expected, not {data}")
    return data


_UNIONS = (typing.Union, types.UnionType)


def _layout(kind: Any, data: Any) -> Any:
    found = parse(data) if isinstance(data, str) else None
    if not isinstance(found, Layout | ComposedLayout) or (kind is Layout and not isinstance(found, Layout)):
        raise InputError(f"a layout is expected, not {data}")
    return found


# What each kernel owes, as sections of a plan.


def _tensor(name: str, kind: str, layout: AnyLayout, align: int, *offsets: int, bits: int = 31) -> Sections:
    given = {"offsets": [o for o in offsets if o]} if any(offsets) else {}
    return {"name": name, "element": kind, "layout": str(layout), "align": align, "index_bits": bits, **given}


def _map(name: str, layout: Layout, tile: tuple[int, ...], **more: Any) -> Sections:
    return {"name": name, "layout": str(layout), "tile": list(tile), **more}


def _guard(name: str, extents: tuple[int, ...], tiles: tuple[int, ...], vector: int = 1, axis: int = 0) -> Sections:
    return {"name": name, "extents": list(extents), "tiles": list(tiles), "vector": vector, "axis": axis}


def _copy(
    name: str, source: str, destination: str, tiles: tuple[AnyLayout, AnyLayout], vector: int, **more: Any
) -> Sections:
    made = {"name": name, "source": source, "destination": destination, "vector": vector}
    return {**made, "source_tile": str(tiles[0]), "destination_tile": str(tiles[1]), **more}


def _apart(ld: int, extent: int) -> int:
    """A leading dimension at which a tile's rows lie apart: the tensor's own, or where its rows are shorter than the
    tile's, and what sticks out is guarded, a longer one of the same residue modulo every vector's elements.

    >>> _apart(100, 64), _apart(1, 8), _apart(65, 256)
    (100, 17, 257)
    """
    return ld if ld >= extent else ld + -(-(extent - ld) // 16) * 16


def _tile(height: int, width: int, ld: int) -> Layout:
    """A row-major tile of a tensor with a leading dimension."""
    return Layout((height, width), (_apart(ld, width), 1))


def _whole(source: str, destination: str, layouts: tuple[Layout, Layout]) -> Sections:
    """The whole of a tensor copied by elements: no two are written to one place."""
    return _copy("all", source, destination, layouts, 1)


def _blocks(layout: Layout) -> Sections:
    """Every tile is some block's, and no two blocks share one."""
    return _map("blocks", Layout((layout.shape, 1), (layout.stride, 0)), (size(layout),))


def _same(what: str, given: AnyLayout, meant: AnyLayout) -> None:
    """InputError where a part of a kernel's plan is not what the rest of it says."""
    if given != meant and str(given) != str(meant):
        raise InputError(f"{what} is {given}, and {meant} follows from the rest of the plan")


def _owes_copy(plan: Any, architecture: str) -> Sections:
    bits = element(plan.element).bits
    firsts = [(as_integer(plan.source(p.first)), as_integer(plan.destination(p.first))) for p in plan.parts]
    reach = max(int(cosize(plan.source)), int(cosize(plan.destination)))  # type: ignore[arg-type]
    wide = 63 if reach * bits // 8 > 2**31 else 31
    made: Sections = {
        "tensor": [
            _tensor("source", plan.element, plan.source, plan.align, *(f[0] for f in firsts), bits=wide),
            _tensor("destination", plan.element, plan.destination, plan.align, *(f[1] for f in firsts), bits=wide),
        ],
        "map": [],
        "copy": [],
        "guard": [],
        "threads": size(plan.parts[0].cover[0]),
        "walk": [_walk(plan)],
    }
    for number, (part, first) in enumerate(zip(plan.parts, firsts, strict=True)):
        name = f"part {number}"
        _same(f"the source of {name}", part.source, composition(plan.source, part.order))
        _same(f"the destination of {name}", part.destination, composition(plan.destination, part.order))
        threads, values, blocks = part.cover.shape
        steps = part.cover.stride
        cover = Layout((threads, (values, blocks)), (steps[0], (steps[1], steps[2])))
        made["map"].append(_map(name, cover, (size(cover),)))
        made["guard"].append(_guard(name, (part.accesses,), (size(part.cover[0]) * values,)))
        apart = [_tensor(f"{side} of {name}", plan.element, layout, _known(plan.align, offset * bits // 8), bits=wide)
                 for side, layout, offset in zip(("source", "destination"), (part.source, part.destination), first,
                                                 strict=True)]  # fmt: skip
        made["tensor"] += apart
        if wide == 63 and reach <= 2**31:
            # Addresses are of 64 bits, and the offsets in elements that they are made of still of 32.
            sides = zip(("source", "destination"), (part.source, part.destination), strict=True)
            made["tensor"] += [_tensor(f"{side} of {name} by elements", "i8", layout, 1) for side, layout in sides]
        tiles = (part.source, part.destination)
        made["copy"].append(_copy(name, f"source of {name}", f"destination of {name}", tiles, part.vector))
    return made


def _known(align: int, offset: int) -> int:
    """The greatest power of two that divides a pointer's alignment and an offset, both in bytes."""
    return gcd(align, offset) if offset else align


def _walk(plan: Any) -> Sections:
    """The domain of a copy as a run beside a rest, and its parts as pieces of the run."""
    total, parts = size(plan.source), plan.parts
    starts = [0]
    if len(parts) == 1:
        run, rest = Layout(total), Layout(1, 0)
    else:
        step = as_integer(parts[0].order[0].stride) or 1
        whole = parts[1].first // step
        beside = size(parts[0].order) // max(whole, 1)
        run = Layout(whole + size(parts[1].order) // max(beside, 1), step)
        rest = complement(run, total)
        starts.append(whole)
    orders = [str(part.order) for part in parts]
    found: Sections = {"name": "domain", "domain": total, "run": str(run), "rest": str(rest), "starts": starts}
    if any(part.first != start * as_integer(run.modes[0][1]) for part, start in zip(parts, starts, strict=True)):
        raise InputError("the parts of a copy do not begin where the pieces of its run do")
    return {**found, "orders": orders}


def _owes_transpose(plan: Any, architecture: str) -> Sections:
    kind, (height, width) = plan.element, plan.tile
    read, write = size(plan.reading[1][0]), size(plan.writing[1][0])
    lds, ldd = plan.source.stride[0], plan.destination.stride[1]
    rows = _tile(height, width, lds)
    columns = Layout((height, width), (1, _apart(ldd, height)))
    registers = Layout((height, width), (width, 1)), Layout((height, width), (1, height))
    down = -(-plan.shape[0] // height)
    _same("blocks", Layout(size(plan.blocks)), Layout(down * -(-plan.shape[1] // width)))
    return {
        "threads": plan.threads,
        "tile": {"rows": height, "columns": width},
        "tensor": [
            _tensor("source", kind, plan.source, plan.align, height * lds, width),
            _tensor("destination", kind, plan.destination, plan.align, height, width * ldd),
        ],
        "buffer": [{"name": "tile", "element": kind, "layout": str(plan.shared), "swizzles": "offsets"}],
        "map": [
            _map("reading", plan.reading, plan.tile),
            _map("writing", plan.writing, plan.tile),
            _blocks(plan.blocks),
        ],
        "guard": [
            _guard("rows read", plan.shape, plan.tile, read, 1),
            _guard("columns written", plan.shape, plan.tile, write, 0),
        ],
        "copy": [
            _copy("take", "source", "registers", (rows, registers[0]), read, map="reading", **_extent(plan, 1, read)),
            _copy("put", "registers", "tile", (registers[0], plan.shared), read, map="reading"),
            _copy("get", "tile", "registers", (plan.shared, registers[1]), 1, map="writing"),
            _copy(
                *("give", "registers", "destination", (registers[1], columns), write),
                map="writing",
                **_extent(plan, 0, write),
            ),
            _whole("source", "destination", (plan.source, plan.destination)),
        ],
        "access": [
            {"name": "put", "buffer": "tile", "layout": str(plan.reading), "vector": read},
            {"name": "get", "buffer": "tile", "layout": str(plan.writing), "vector": 1},
        ]
        if min(read, write) * element(kind).bytes == 16  # no bank is promised to be free for narrower vectors
        else [],
    }


def _extent(plan: Any, axis: int, vector: int) -> Sections:
    return {"extent": plan.shape[axis]} if vector > 1 and plan.shape[axis] % plan.tile[axis] else {}


def _owes_rowwise(plan: Any, architecture: str) -> Sections:
    kind, (height, width), vector = plan.element, plan.tile, size(plan.map[1][0])
    ld = plan.layout.stride[0]
    tile, registers = _tile(height, width, ld), Layout((height, width), (width, 1))
    edges = {"extent": plan.shape[1]} if plan.ragged and vector > 1 else {}
    taken = (height * plan.blocks * plan.turns, width * plan.cluster)
    if taken[0] < plan.shape[0] or taken[1] < plan.shape[1]:
        raise InputError(f"the CTAs reach {taken} of {plan.shape}")
    made: Sections = {
        "threads": plan.threads,
        "cluster": [1, plan.cluster, 1],
        "tile": {"rows": height, "columns": width},
        "tensor": [
            _tensor("X", kind, plan.layout, plan.align, height * ld, width),
            _tensor("Y", kind, plan.layout, plan.align, height * ld, width),
        ],
        "map": [_map("rows", plan.map, plan.tile)],
        "guard": [_guard("rows", plan.shape, plan.tile, vector, 1)],
        "copy": [
            _copy("load", "X", "registers", (tile, registers), vector, map="rows", **edges),
            _copy("store", "registers", "Y", (registers, tile), vector, map="rows", **edges),
            _whole("X", "Y", (plan.layout, plan.layout)),
        ],
        "reduction": [{"name": plan.operation, "lanes": min(32, plan.row_threads)}],
    }
    if plan.operation == "rmsnorm":
        made["tensor"].append(_tensor("W", kind, plan.weight, plan.align, width))
        broadcast = Layout((height, width), (0, 1))
        made["copy"].append(_copy("weights", "W", "registers", (broadcast, registers), vector, map="rows", **edges))
    if plan.warps * plan.cluster > 1:
        figures = 2 if plan.operation == "softmax" else 1
        count = figures * plan.warps * plan.cluster * height * min(2, plan.turns)
        made["buffer"] = [{"name": "figures", "element": "f32", "layout": f"{count}:1"}]
    return made


def _owes_gemm(plan: Any, architecture: str) -> Sections:
    rows, columns, _, _ = plan.sizes
    size_ = element(plan.element).bytes, element(plan.output).bytes
    return {
        "threads": plan.threads,
        "tile": {"m": plan.tile[0], "n": plan.tile[1]},
        "tensor": [
            _tensor("A", plan.element, plan.a, size_[0]),
            _tensor("B", plan.element, plan.b, size_[0]),
            _tensor("C", plan.output, plan.c, size_[1]),
        ],
        "map": [_map("C", plan.map, plan.tile)],
        "guard": [_guard("C", (rows, columns), plan.tile)],
        "gemm": [{"name": "C", "a": str(plan.a), "b": str(plan.b), "c": str(plan.c)}],
    }


def _tile_copy(
    name: str, source: str, buffer: str, layout: Layout, shared: AnyLayout, vector: int, extent: int | None, tile: int
) -> Sections:
    more = {"extent": extent} if extent is not None and extent % tile else {}
    return _copy(name, source, buffer, (layout, shared), vector, map=name, op="cp.async.cg", **more)


def _stage(shared: ComposedLayout) -> ComposedLayout:
    """One stage of a tile whose last mode counts stages, which follow each other."""
    inner = shared.layout
    assert isinstance(inner, Layout)
    one = Layout(inner.shape[:2], inner.stride[:2])
    if inner.stride[2] != size(one):
        raise InputError(f"the stages of {shared} do not follow each other")
    return ComposedLayout(shared.function, shared.offset, one)


def _of_atom(layout: Layout, rows: int, into: int) -> Layout:
    """A map onto a tile of ``rows`` as one onto a tile of ``into`` rows, of which it stays in the first."""
    strides = [d % rows + d // rows * into for _, d in layout.modes]
    return Layout(layout.shape, unflatten(strides, layout.shape))


def _operand_tile(layout: Layout, rows: int, depth: int, major: str) -> Layout:
    """A tile (rows, depth) of an operand in memory, K-major or MN-major."""
    if major == "K":
        return _tile(rows, depth, layout.stride[0])
    return Layout((rows, depth), (1, _apart(layout.stride[1], rows)))


def _owes_sm80(plan: Any, architecture: str) -> Sections:
    kind, out = plan.element, plan.output
    rows, columns, depth = plan.sizes
    bm, bn, bk = plan.tile
    ldc = plan.c.stride[0]
    tiles = _operand_tile(plan.a, bm, bk, plan.major[0]), _operand_tile(plan.b, bn, bk, plan.major[1])
    edges = [(depth, bk) if mode == "K" else (extent, tile)
             for mode, extent, tile in zip(plan.major, (rows, columns), (bm, bn), strict=True)]  # fmt: skip
    axes = [1 if mode == "K" else 0 for mode in plan.major]
    matrices = [f"(8,8):(1,{tile})" if mode == "K" else f"(8,8):({tile},1)"
                for mode, tile in zip(plan.major, (bm, bn), strict=True)]  # fmt: skip
    vector = size(plan.store[1][0])
    offsets = {"swizzles": "offsets"}
    a, b = _stage(plan.shared_a), _stage(plan.shared_b)
    registers = Layout((bm, bn), (bn, 1))
    threads, values = plan.owners.shape, plan.owners.stride
    fragment = Layout((threads[0][:2], threads[1][:2]), (values[0][:2], values[1][:2]))
    if plan.padded_rows * bm < rows or size(plan.blocks) // plan.padded_rows * bn < columns:
        raise InputError("the blocks do not reach all of C")
    return {
        "threads": plan.threads,
        "tile": {"m": bm, "n": bn, "k": bk},
        "tensor": [
            _tensor("A", kind, plan.a, plan.align, bm * plan.a.stride[0], bk * plan.a.stride[1]),
            _tensor("B", kind, plan.b, plan.align, bn * plan.b.stride[0], bk * plan.b.stride[1]),
            _tensor("C", out, plan.c, vector * element(out).bytes, bm * ldc, bn),
        ],
        "buffer": [
            {"name": "sA", "element": kind, "layout": str(a), "stages": plan.stages, "live": [0, 1]} | offsets,
            {"name": "sB", "element": kind, "layout": str(b), "stages": plan.stages, "live": [0, 1]} | offsets,
            {"name": "sC", "element": out, "layout": str(plan.shared_c), "live": [2, 3], "offset": 0} | offsets,
        ],
        "map": [
            _map("load A", plan.load_a, (bm, bk)),
            _map("load B", plan.load_b, (bn, bk)),
            _map("owners", plan.owners, (bm, bn)),
            _map("fragment of C", _of_atom(fragment, bm, 16), (16, 8), atom="mma.m16n8k16.c"),
            _map("store", plan.store, (bm, bn)),
            _blocks(plan.blocks),
        ],
        "copy": [
            _tile_copy("load A", "A", "sA", tiles[0], a, 8, *edges[0]),
            _tile_copy("load B", "B", "sB", tiles[1], b, 8, *edges[1]),
            _copy("put C", "registers", "sC", (registers, plan.shared_c), 2, map="owners"),
            _copy("get C", "sC", "registers", (plan.shared_c, registers), vector, map="store"),
            _copy(
                *("store C", "registers", "C", (registers, _tile(bm, bn, ldc)), vector),
                map="store",
                **({"extent": columns} if columns % bn and vector > 1 else {}),
            ),
        ],
        "guard": [
            _guard("A", (rows, depth), (bm, bk), 8, axes[0]),
            _guard("B", (columns, depth), (bn, bk), 8, axes[1]),
            _guard("C", (rows, columns), (bm, bn), vector, 1),
        ],
        "access": [
            {"name": "cp.async A", "buffer": "sA", "layout": str(plan.load_a), "vector": 8},
            {"name": "cp.async B", "buffer": "sB", "layout": str(plan.load_b), "vector": 8},
            {"name": "ldmatrix A", "buffer": "sA", "layout": matrices[0], "vector": 8},
            {"name": "ldmatrix B", "buffer": "sB", "layout": matrices[1], "vector": 8},
        ],
        "groups": [{"name": "mainloop", "stages": plan.stages, "ahead": plan.stages - 1, "open": plan.stages - 2}],
        "gemm": [_product(plan)],
    }


def _product(plan: Any) -> Sections:
    return {"name": "C", "a": str(plan.a), "b": str(plan.b), "c": str(plan.c)}


def _event(agent: str, do: str, loop: bool = False, **more: Any) -> Sections:
    return {"agent": agent, "do": do, **({"loop": True} if loop else {}), **more}


def _owes_sm90(plan: Any, architecture: str) -> Sections:
    from .gemm_sm90 import BUFFERS, CONSUMERS

    kind, out = plan.element, plan.output
    rows, columns, _ = plan.sizes
    (bm, bn, bk), (cm, cn) = plan.tile, plan.cluster
    a, b = _stage(plan.shared_a), _stage(plan.shared_b)
    inner = plan.shared_c.layout
    one = ComposedLayout(plan.shared_c.function, plan.shared_c.offset, Layout(inner.shape[:2], inner.stride[:2]))
    if inner.stride[2:] != (size(one), size(one) * BUFFERS):
        raise InputError(f"the buffers of {plan.shared_c} do not follow each other")
    threads, values = plan.owners.shape, plan.owners.stride
    across = Layout((threads[0], (*threads[1][:2], bn // 8)), (values[0], values[1]))
    down = size(plan.blocks) // plan.blocks.shape[1]
    if down * cm * bm < rows or plan.blocks.shape[1] * cn * bn < columns:
        raise InputError("the blocks do not reach all of C")
    consumer = {"arrivals": 4, "reads": "wgmma", "partners": cm + cn - 1}
    consumer |= {} if plan.promote else {"pending": 1, "lag": 1}
    groups = [f"group {g}" for g in range(CONSUMERS)]
    both = {"on": ["sA", "sB"]}
    return {
        "threads": plan.threads,
        "cluster": [cm * cn, 1, 1],
        "tile": {"m": bm, "n": bn, "k": bk},
        "tensor": [
            _tensor("A", kind, plan.a, plan.align, bits=63),
            _tensor("B", kind, plan.b, plan.align, bits=63),
            _tensor("C", out, plan.c, plan.align, bits=63),
        ],
        "buffer": [
            {"name": "barriers", "bytes": 16 * plan.stages},
            {"name": "sA", "element": kind, "layout": str(a), "stages": plan.stages},
            {"name": "sB", "element": kind, "layout": str(b), "stages": plan.stages},
            {"name": "sC", "element": out, "layout": str(one), "stages": BUFFERS * CONSUMERS},
        ],
        "operand": [{"buffer": "sA", "major": plan.major[0]}, {"buffer": "sB", "major": plan.major[1]}],
        "tma": [
            _bulk("load A", "A", "sA", (bm // cn if plan.major[0] == "K" else 64, bk), 128, cn),
            _bulk("load B", "B", "sB", (bn // cm if plan.major[1] == "K" else 64, bk), 128, cm),
            _bulk("store C", "C", "sC", (64, plan.line), 128, 1),
        ],
        "map": [
            _map("owners", plan.owners, (64, plan.line)),
            _map("accumulator", across, (64, bn), atom=f"wgmma.m64n{bn}.d"),
            _blocks(plan.blocks),
        ],
        "ring": [
            {
                "name": "mainloop",
                "stages": plan.stages,
                "copies": ["load A", "load B"],
                "expected_bytes": plan.stage_bytes,
                "full_count": 1,
                "empty_count": plan.consumer_arrivals,
                "producer": [{"name": "tma warp"}],
                "consumer": [{"name": name, **consumer} for name in groups],
            }
        ],
        "event": [
            _event("tma warp", "init", barrier="full"),
            _event("tma warp", "init", barrier="empty"),
            _event("tma warp", "fence-init"),
            _event("tma warp", "sync", agents=["tma warp", *groups]),
            _event("tma warp", "tma-load", True, barrier="full", **both),
            _event("group 0", "wait", True, barrier="full"),
            _event("group 0", "wgmma-fence", True),
            _event("group 0", "wgmma", True, registers=["acc"], **both),
            _event("group 0", "wgmma-commit", True),
            _event("group 0", "wgmma-wait", True),
            _event("group 0", "arrive", True, barrier="empty"),
            _event("tma warp", "wait", True, barrier="empty"),
            _event("group 0", "use", registers=["acc"]),
            _event("group 0", "write", on=["sC"]),
            _event("group 0", "fence-proxy-async"),
            _event("group 0", "tma-store", on=["sC"]),
            _event("group 0", "bulk-commit"),
            _event("group 0", "bulk-wait-read"),
            _event("group 0", "exit"),
        ],
        "gemm": [_product(plan)],
    }


def _bulk(name: str, tensor: str, buffer: str, box: tuple[int, int], swizzle: int, multicast: int) -> Sections:
    made = {"name": name, "tensor": tensor, "buffer": buffer, "box": list(box), "swizzle": swizzle}
    return {**made, "keep": True, **({"multicast": multicast} if multicast > 1 else {})}


def _owes_sm100(plan: Any, architecture: str) -> Sections:
    kind, out = plan.element, plan.output
    rows, columns, _ = plan.sizes
    bm, bn, bk = plan.tile
    a, b = _stage(plan.shared_a), _stage(plan.shared_b)
    ldc = plan.c.stride[0]
    registers = Layout((bm, bn), (bn, 1))
    if size(plan.blocks) // plan.blocks.shape[1] * bm < rows or plan.blocks.shape[1] * bn < columns:
        raise InputError("the blocks do not reach all of C")
    if plan.accumulators != Layout((128, bn), (65536, 1)) or bm != 128:
        raise InputError(f"a tile of 128 rows lies in tensor memory as (128,{bn}):(65536,1), not {plan.accumulators}")
    return {
        "threads": plan.threads,
        "tile": {"m": bm, "n": bn, "k": bk},
        "tensor": [
            _tensor("A", kind, plan.a, plan.align, bits=63),
            _tensor("B", kind, plan.b, plan.align, bits=63),
            _tensor("C", out, plan.c, plan.align, bm * ldc, bn),
        ],
        "buffer": [
            {"name": "barriers", "bytes": 16 * (plan.stages + 1) + 16},
            {"name": "sA", "element": kind, "layout": str(a), "stages": plan.stages},
            {"name": "sB", "element": kind, "layout": str(b), "stages": plan.stages},
        ],
        "operand": [
            {"buffer": "sA", "major": plan.major[0], "instruction": "any"},
            {"buffer": "sB", "major": plan.major[1], "instruction": "any"},
        ],
        "tma": [
            _bulk("load A", "A", "sA", (bm if plan.major[0] == "K" else 64, bk), 128, 1),
            _bulk("load B", "B", "sB", (bn if plan.major[1] == "K" else 64, bk), 128, 1),
        ],
        "map": [_map("owners", plan.owners, (bm, bn)), _blocks(plan.blocks)],
        "copy": [
            _copy(
                *("store C", "registers", "C", (registers, _tile(bm, bn, ldc)), plan.vector),
                map="owners",
                **({"extent": columns} if columns % bn else {}),
            )
        ],
        "guard": [_guard("C", (rows, columns), (bm, bn), plan.vector, 1)],
        "ring": [
            {
                "name": "mainloop",
                "stages": plan.stages,
                "copies": ["load A", "load B"],
                "expected_bytes": plan.stage_bytes,
                "full_count": 1,
                "empty_count": 1,
                "producer": [{"name": "tma warp"}],
                "consumer": [{"name": "mma warp", "reads": "tcgen05"}],
            }
        ],
        "tmem": {
            "allocation": [{"name": "all", "columns": plan.columns, "live": [0, 9]}],
            "region": [{"name": "sums", "allocation": "all", "column": 0, "columns": bn, "live": [1, 8]}],
            "access": [{"warp": w, "lane": 32 * w} for w in range(4)],
            "step": [
                {"do": "alloc", "allocation": "all", "columns": plan.columns},
                {"do": "use", "allocation": "all"},
                {"do": "relinquish"},
                {"do": "dealloc", "allocation": "all", "columns": plan.columns},
                {"do": "exit"},
            ],
        },
        "event": [
            _event("mma warp", "init", barrier="ready"),
            _event("mma warp", "fence-init"),
            _event("mma warp", "sync", agents=["mma warp", "epilogue"]),
            _event("mma warp", "umma", registers=["sums"]),
            _event("mma warp", "umma-commit", barrier="ready"),
            _event("epilogue", "wait", barrier="ready"),
            _event("epilogue", "tmem-fence-after"),
            _event("epilogue", "tmem-load", on=["sums"], registers=["r"]),
            _event("epilogue", "tmem-wait-load"),
            _event("epilogue", "use", registers=["r"]),
        ],
        "gemm": [_product(plan)],
    }


def _owes_evaluate(plan: Any, architecture: str) -> Sections:
    from .evaluate import of_operation

    made: Sections = {"threads": plan.threads, "tensor": [], "map": [], "guard": []}
    made["tensor"].append(_tensor("offsets", "i64", Layout(max(plan.offsets[-1], 1)), 8))
    for number, item in enumerate(plan.items):
        cover = plan.cover(item)
        if item.operation is not None:
            _same(f"the layout of item {number}", item.layout, of_operation(item.operation, *item.operands).layout)
        made["tensor"].append(_tensor(f"item {number}", "i8", item.layout, 1))
        made["map"].append(_map(f"item {number}", cover, (size(cover),)))
        made["guard"].append(_guard(f"item {number}", (item.count,), (plan.threads,)))
    return made


OWES: dict[str, Callable[[Any, str], Sections]] = {
    "copy": _owes_copy,
    "transpose": _owes_transpose,
    "rowwise": _owes_rowwise,
    "gemm": _owes_gemm,
    "gemm_sm80": _owes_sm80,
    "gemm_sm90": _owes_sm90,
    "gemm_sm100": _owes_sm100,
    "evaluate": _owes_evaluate,
}

__all__ = ["OWES", "as_data", "certified", "from_data", "kernel_plan", "plan_class"]
