"""Transpose through swizzled shared memory: a row-major tile is read by rows and written by columns.

One tile a block. Two thread–value layouts over the tile, ``reading`` and ``writing``, are composed with the global
tiles, with the tile in shared memory and with the tile of coordinates, so that one map gives addresses, coordinates and
predicates. The swizzle exchanges vectors by the vector's row block, so that neither the rows' vectors nor the columns'
elements meet in a bank.
"""

from dataclasses import dataclass
from math import gcd
from typing import Any

from ..model.composed import ComposedLayout
from ..model.errors import InputError
from ..model.layout import Layout
from ..model.properties import cosize, size
from ..model.swizzle import Swizzle
from .build import Operand
from .element import element
from .lower import Host, dsl_layout, dsl_type, expected_hint, keeping, known_hint
from .tables import table

NAME = "transpose"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
LANES = 8
"""Threads side by side along a written column: eight vectors of 16 bytes are a line of 128."""


@dataclass(frozen=True)
class TransposePlan:
    """``source`` (M,N):(lds,1) to ``destination`` (M,N):(1,ldd), both pointers multiples of ``align`` bytes.

    ``tile`` is (rows, columns); ``reading`` and ``writing`` are (threads, (vector, rest…)) onto the tile's
    colexicographic index; ``shared`` places the tile in shared memory; ``blocks`` maps a block to its tile's index.
    ``load`` is what the second-level cache is told of what is read (:data:`~.lower.EVICTION`).
    """

    element: str
    source: Layout
    destination: Layout
    align: int
    tile: tuple[int, int]
    reading: Layout
    writing: Layout
    shared: ComposedLayout
    blocks: Layout
    load: str = "evict_last"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.source.shape

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return size(self.reading[0])

    @property
    def ragged(self) -> bool:
        """Whether a tile crosses an edge."""
        return any(n % t for n, t in zip(self.shape, self.tile, strict=True))


def plan_transpose(
    rows: int,
    columns: int,
    name: str = "f32",
    *,
    lds: int | None = None,
    ldd: int | None = None,
    align: int = 16,
    tile: tuple[int, int] | None = None,
    threads: int | None = None,
    group: int = 0,
    load: str = "evict_last",
) -> TransposePlan:
    """The plan at the widest vectors that both leading dimensions and both sizes keep whole.

    >>> plan = plan_transpose(4096, 4096, "bf16")
    >>> str(plan.shared), str(plan.writing)
    ('S<3,3,7> o 0 o (128,128):(128,1)', '((8,64),(8,2,2)):((8,128),(1,64,8192))')
    >>> str(plan_transpose(1001, 513, "f32").reading[1])
    '(1,16):(64,4)'
    """
    lds, ldd = lds or columns, ldd or rows
    if lds < columns or ldd < rows:
        raise InputError(f"rows of {columns} and columns of {rows} do not fit leading dimensions {lds} and {ldd}")
    bytes_ = element(name).bytes
    big = bytes_ == 2 and min(rows, columns) >= 512
    height, width = tile = tile or ((128, 128) if big else (64, 64))
    threads = threads or (512 if big else 256)
    most = min(16, align) // bytes_
    whole = 16 // bytes_
    read, write = gcd(columns, lds, most), gcd(rows, ldd, most)
    if threads * read % width or height % (threads * read // width) or height % (LANES * write):
        raise InputError(f"{threads} threads with vectors of {read} and {write} do not tile {tile}")
    passes = threads * read // width
    reading = Layout(((width // read, passes), (read, height // passes)), ((read * height, 1), (height, passes)))
    writing = Layout(
        ((LANES, threads // LANES), (write, height // (LANES * write), width * LANES // threads)),
        ((write, height), (1, LANES * write, height * threads // LANES)),
    )
    swizzle = Swizzle(3, whole.bit_length() - 1, width.bit_length() - 1)
    shared = ComposedLayout(swizzle, 0, Layout((height, width), (width, 1)))
    return TransposePlan(
        name,
        Layout((rows, columns), (lds, 1)),
        Layout((rows, columns), (1, ldd)),
        align,
        tile,
        reading,
        writing,
        shared,
        _raster(-(-rows // height), -(-columns // width), group),
        known_hint(load),
    )


def _raster(down: int, across: int, group: int) -> Layout:
    """The order of the tiles: ``group`` tile rows are walked together where they divide, else tile row by tile row."""
    if group > 1 and down % group == 0:
        return Layout((group, across, down // group), (1, down, group))
    return Layout((across, down), (down, 1))


def operands(plan: TransposePlan) -> tuple[Operand, ...]:
    """Source and destination buffers."""
    return (
        Operand("source", plan.element, int(cosize(plan.source)), plan.align),  # type: ignore[arg-type]
        Operand("destination", plan.element, int(cosize(plan.destination)), plan.align, True, False),  # type: ignore[arg-type]
    )


def expects(plan: TransposePlan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show: vectors to and from global memory, elements out of the tile."""
    bits = element(plan.element).bits
    read, write = bits * plan.reading[1].shape[0], bits * plan.writing[1].shape[0]
    return {
        ("ld", "global"): {read},
        ("st", "shared"): {read},
        ("ld", "shared"): {bits},
        ("st", "global"): {write},
    }, ("bar.sync", *expected_hint(plan.load))


def host(plan: TransposePlan) -> Host:
    """The host function: two pointers and a stream."""
    import cutlass
    import cutlass.cute as cute

    kind = dsl_type(plan.element)
    bits = element(plan.element).bits
    down = -(-plan.shape[0] // plan.tile[0])
    read_vector, read_rest = plan.reading[1].shape
    write_vector, write_lanes, write_rest = plan.writing[1].shape

    @cute.kernel  # type: ignore[untyped-decorator]
    def transpose_kernel(source: cute.Tensor, destination: cute.Tensor):  # type: ignore[no-untyped-def]
        thread, _, _ = cute.arch.thread_idx()
        block, _, _ = cute.arch.block_idx()
        index = dsl_layout(plan.blocks)(block)
        at = (index % down, index // down)
        memory = cutlass.memory.SmemAllocator().allocate(size(plan.shared) * bits // 8, 128)
        tile = cute.make_tensor(cute.recast_ptr(memory, dtype=kind), dsl_layout(plan.shared))
        reading, writing = dsl_layout(plan.reading), dsl_layout(plan.writing)
        coordinates = cute.local_tile(cute.make_identity_tensor(plan.shape), plan.tile, at)

        taken = cute.composition(cute.local_tile(source, plan.tile, at), reading)
        put = cute.composition(tile, reading)
        where = cute.composition(coordinates, reading)
        read = cute.make_copy_atom(cute.nvgpu.CopyG2ROp(), kind, num_bits_per_copy=bits * read_vector)
        kept = keeping(plan.load)
        held = cute.make_rmem_tensor((read_vector, read_rest), kind)
        for i in cutlass.range_constexpr(read_rest):
            if cutlass.const_expr(plan.ragged):
                if cute.elem_less(where[thread, (0, i)], plan.shape):
                    cute.copy(read, taken[thread, (None, i)], held[None, i], **kept)
            else:
                cute.copy(read, taken[thread, (None, i)], held[None, i], **kept)
        vector = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), kind, num_bits_per_copy=bits * read_vector)
        for i in cutlass.range_constexpr(read_rest):
            cute.copy(vector, held[None, i], put[thread, (None, i)])
        cute.arch.sync_threads()

        got = cute.composition(tile, writing)
        given = cute.composition(cute.local_tile(destination, plan.tile, at), writing)
        where = cute.composition(coordinates, writing)
        column = cute.make_rmem_tensor((write_vector, write_lanes, write_rest), kind)
        for i in cutlass.range_constexpr(write_rest):
            for j in cutlass.range_constexpr(write_lanes):
                for e in cutlass.range_constexpr(write_vector):
                    column[e, j, i] = got[thread, (e, j, i)]
        vector = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), kind, num_bits_per_copy=bits * write_vector)
        for i in cutlass.range_constexpr(write_rest):
            for j in cutlass.range_constexpr(write_lanes):
                if cutlass.const_expr(plan.ragged):
                    if cute.elem_less(where[thread, (0, j, i)], plan.shape):
                        cute.copy(vector, column[None, j, i], given[thread, (None, j, i)])
                else:
                    cute.copy(vector, column[None, j, i], given[thread, (None, j, i)])

    @cute.jit  # type: ignore[untyped-decorator]
    def transpose_host(source: cute.Pointer, destination: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        transpose_kernel(
            cute.make_tensor(source, dsl_layout(plan.source)),
            cute.make_tensor(destination, dsl_layout(plan.destination)),
        ).launch(grid=[size(plan.blocks), 1, 1], block=[plan.threads, 1, 1], stream=stream)

    return transpose_host


def reference(plan: TransposePlan, source: Any, destination: Any) -> Any:
    """The destination's buffer after destination(m, n) = source(m, n)."""
    found = destination.copy()
    for m in range(plan.shape[0]):
        for n in range(plan.shape[1]):
            found[plan.destination((m, n))] = source[plan.source((m, n))]
    return found


def emulate(plan: TransposePlan, source: Any, destination: Any) -> tuple[Any, Any]:
    """The plan's maps walked block by block, thread by thread, through a poisoned shared tile.

    Gives the buffer written and how often each element (m + n·M) was.
    """
    import numpy as np

    rows, columns = plan.shape
    height, width = plan.tile
    down = -(-rows // height)
    found, seen = destination.copy(), np.zeros(rows * columns, int)
    reading, writing, places = table(plan.reading), table(plan.writing), table(plan.shared)
    for block in range(size(plan.blocks)):
        index = plan.blocks(block)
        origin = (index % down * height, index // down * width)
        shared = np.full(size(plan.shared), -1).astype(source.dtype)
        for steps, reads in ((reading, True), (writing, False)):
            m, n = origin[0] + steps % height, origin[1] + steps // height
            inside = (m < rows) & (n < columns)
            m, n, place = m[inside], n[inside], places[steps[inside]]
            if reads:
                shared[place] = source[m * plan.source.stride[0] + n * plan.source.stride[1]]
            else:
                found[m * plan.destination.stride[0] + n * plan.destination.stride[1]] = shared[place]
                np.add.at(seen, m + n * rows, 1)
    return found, seen
