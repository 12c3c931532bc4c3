"""GEMM on Blackwell: TMA into a ring of stages, tcgen05.mma from shared memory, accumulators in tensor memory.

C = A·Bᵗ with C (M,N):(ldc,1); A is (M,K):(lda,1), K-major, or (M,K):(1,lda), MN-major, and B (N,K) likewise; 16-bit
elements. One warp copies and one multiplies; four warps read the accumulators from tensor memory, warp w lanes
32w…32w+31, one row of C a thread, and store them. Compiled and proved only: it was never run, for want of such a card.
"""

from dataclasses import dataclass
from typing import Any

from ..model.composed import ComposedLayout
from ..model.concatenate import concatenate
from ..model.divide import zipped_divide
from ..model.errors import InputError
from ..model.layout import Layout
from ..model.properties import cosize, size
from ..model.swizzle import Swizzle
from .build import Operand
from .element import element
from .gemm_sm80 import bound, operand_layout, raster, reference, ring, values_of
from .lower import Host, byte_swizzle, descriptor_layout, dsl_layout, dsl_major, dsl_type
from .tables import table

NAME = "gemm_sm100"
ARCHITECTURES = ("sm_100a",)
SHARED_BYTES = 232448
DEPTH = 16
"""K of an instruction on 16-bit elements (PTX, tcgen05.mma, kind::f16)."""
COLUMNS = 512
"""Columns of tensor memory, 32 bits each, of 128 lanes."""


@dataclass(frozen=True)
class Sm100Plan:
    """See the module; ``tile`` is (M, N, K) of a CTA, ``columns`` of tensor memory are taken.

    ``accumulators`` is (row, column) of the tile onto tensor memory, +1 a column and +65536 a lane, as PTX addresses
    it; ``owners`` is (threads, values) of the reading warps onto the tile; ``major`` says which mode of A, of B, is
    contiguous: K or MN.
    """

    element: str
    output: str
    a: Layout
    b: Layout
    c: Layout
    align: int
    tile: tuple[int, int, int]
    stages: int
    shared_a: ComposedLayout
    shared_b: ComposedLayout
    accumulators: Layout
    owners: Layout
    blocks: Layout
    columns: int
    piece: int = 32
    major: tuple[str, str] = ("K", "K")

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N, K."""
        return self.c.shape[0], self.c.shape[1], self.a.shape[1]

    @property
    def threads(self) -> int:
        """Threads of a CTA: four warps read tensor memory; the first also multiplies, a fifth copies."""
        return 160

    @property
    def vector(self) -> int:
        """Elements of C in a store of 16 bytes."""
        return 16 // element(self.output).bytes

    @property
    def stage_bytes(self) -> int:
        """Bytes that arrive at a stage's barrier."""
        return (self.tile[0] + self.tile[1]) * self.tile[2] * element(self.element).bytes

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a CTA, barriers and alignment included."""
        return self.stages * self.stage_bytes + 16 * (self.stages + 1) + 1024


def plan_gemm_sm100(
    m: int,
    n: int,
    k: int,
    name: str = "bf16",
    *,
    output: str = "bf16",
    lda: int | None = None,
    ldb: int | None = None,
    ldc: int | None = None,
    align: int = 16,
    tile: tuple[int, int] = (128, 256),
    stages: int = 4,
    group: int = 8,
    major: tuple[str, str] = ("K", "K"),
) -> Sm100Plan:
    """The plan; C's rows are stored by vectors of 16 bytes, so N and ldc are multiples of that.

    >>> plan = plan_gemm_sm100(512, 512, 256)
    >>> plan.columns, str(plan.accumulators), str(plan.owners)
    (256, '(128,256):(65536,1)', '((32,4),256):((1,32),128)')
    >>> plan = plan_gemm_sm100(512, 512, 256, major=("MN", "K"))
    >>> str(plan.a), str(plan.shared_a)
    ('(512,256):(1,512)', 'S<3,3,3> o 0 o ((64,2),64,4):((1,4096),64,8192)')
    """
    kind, out = element(name), element(output)
    along = tuple(k if mode == "K" else extent for mode, extent in zip(major, (m, n), strict=True))
    lda, ldb, ldc = lda or along[0], ldb or along[1], ldc or n
    bm, bn = tile
    bk = 128 // kind.bytes
    if kind.bits != 16 or kind.fraction == 0 or out.bits not in (16, 32) or out.fraction == 0:
        raise InputError("gemm_sm100 takes 16-bit floating elements and gives 16-bit ones or float32")
    if any(mode not in ("K", "MN") for mode in major):
        raise InputError("an operand is K-major or MN-major")
    if lda < along[0] or ldb < along[1] or ldc < n or align % 16:
        raise InputError("leading dimensions are no shorter than rows, addresses multiples of 16")
    if bm != 128 or bn not in (64, 128, 256):
        raise InputError(f"a tile is 128 by 64, 128 or 256, not {bm} by {bn}")
    for what, ld, bytes_ in (("lda", lda, 2), ("ldb", ldb, 2), ("ldc", ldc, out.bytes), ("N", n, out.bytes)):
        if ld * bytes_ % 16:
            raise InputError(f"rows start at multiples of 16 bytes: {what} = {ld} is not a multiple of {16 // bytes_}")
    swizzle = Swizzle(3, 3, 3)
    return Sm100Plan(
        name,
        output,
        operand_layout(m, k, lda, major[0]),
        operand_layout(n, k, ldb, major[1]),
        Layout((m, n), (ldc, 1)),
        align,
        (bm, bn, bk),
        stages,
        ComposedLayout(swizzle, 0, ring(bm, bk, stages, major[0])),
        ComposedLayout(swizzle, 0, ring(bn, bk, stages, major[1])),
        Layout((bm, bn), (65536, 1)),
        Layout(((32, 4), bn), ((1, 32), bm)),
        raster(-(-m // bm), -(-n // bn), group),
        bn,
        major=major,
    )


def operands(plan: Sm100Plan) -> tuple[Operand, ...]:
    """A, B and C."""
    return (
        Operand("a", plan.element, int(cosize(plan.a)), plan.align),  # type: ignore[arg-type]
        Operand("b", plan.element, int(cosize(plan.b)), plan.align),  # type: ignore[arg-type]
        Operand("c", plan.output, int(cosize(plan.c)), plan.align, True, False),  # type: ignore[arg-type]
    )


def steps_of(shared: ComposedLayout) -> Layout:
    """A shared tile (rows, K, stages) without its swizzle, as the instruction has it: ((rows, 16), 1, K/16, stages).

    >>> str(steps_of(plan_gemm_sm100(512, 512, 256).shared_a))
    '((128,16),1,4,4):((64,1),0,16,8192)'
    """
    rows, depth, stages = shared.layout  # type: ignore[misc]
    inner, outer = zipped_divide(concatenate(rows, depth), (size(rows), DEPTH))
    return concatenate(inner, *outer, stages)


def expects(plan: Sm100Plan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show."""
    names = ("tcgen05.alloc", "tcgen05.mma", "tcgen05.ld", "tcgen05.wait::ld", "tcgen05.commit", "tcgen05.dealloc")
    return {("st", "global"): {128}}, (*names, "cp.async.bulk.tensor.2d")


def host(plan: Sm100Plan) -> Host:
    """The host function: A, B, C, stream."""
    import cutlass
    import cutlass.cute as cute
    from cutlass import pipeline
    from cutlass.cute.nvgpu import cpasync, tcgen05

    kind, out = dsl_type(plan.element), dsl_type(plan.output)
    bm, bn, bk = plan.tile
    rows, columns, depth = plan.sizes
    stages, piece = plan.stages, plan.piece
    steps = -(-depth // bk)
    padded = size(plan.blocks) // plan.blocks.shape[1]
    vector = plan.vector
    vectors = piece // vector

    def tiles(shared: ComposedLayout) -> Any:
        """A shared tile as the instruction takes it, its swizzle in bytes."""
        s = byte_swizzle(shared.function, kind.width)  # type: ignore[arg-type]
        return cute.make_composed_layout(cute.make_swizzle(s.bits, s.base, s.shift), 0, dsl_layout(steps_of(shared)))

    @cute.kernel  # type: ignore[untyped-decorator]
    def sm100_kernel(  # type: ignore[no-untyped-def]
        tiled: cute.TiledMma,
        tma_a: cute.CopyAtom,
        a: cute.Tensor,
        tma_b: cute.CopyAtom,
        b: cute.Tensor,
        c: cute.Tensor,
        layout_a: cute.ComposedLayout,
        layout_b: cute.ComposedLayout,
    ):
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        block, _, _ = cute.arch.block_idx()
        index = dsl_layout(plan.blocks)(block)
        at_m, at_n = index % padded, index // padded
        memory = cutlass.memory.SmemAllocator()
        barriers = memory.allocate_array(cutlass.Int64, 2 * stages)
        finished = memory.allocate_array(cutlass.Int64, 2)
        address = memory.allocate_array(cutlass.Int32, 1)
        tile_a = memory.allocate_tensor(kind, layout_a.outer, byte_alignment=1024, swizzle=layout_a.inner)
        tile_b = memory.allocate_tensor(kind, layout_b.outer, byte_alignment=1024, swizzle=layout_b.inner)
        one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
        ring = pipeline.PipelineTmaUmma.create(
            num_stages=stages,
            producer_group=one,
            consumer_group=one,
            tx_count=plan.stage_bytes,
            barrier_storage=barriers,
        )
        whole = pipeline.PipelineUmmaAsync.create(
            num_stages=1,
            producer_group=one,
            consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 128),
            barrier_storage=finished,
        )
        if warp == 0:
            cute.arch.alloc_tmem(plan.columns, address)
        cute.arch.sync_threads()
        base = cute.arch.retrieve_tmem_ptr(cutlass.Float32, 16, address)

        part = tiled.get_slice(0)
        parts_a = part.partition_A(cute.local_tile(a, (bm, bk), (at_m, None)))
        parts_b = part.partition_B(cute.local_tile(b, (bn, bk), (at_n, None)))
        left, right = tiled.make_fragment_A(tile_a), tiled.make_fragment_B(tile_b)
        sums = cute.make_tensor(base, tiled.make_fragment_C(tiled.partition_shape_C((bm, bn))).layout)
        to_a, from_a = cpasync.tma_partition(
            tma_a, 0, cute.make_layout(1), cute.group_modes(tile_a, 0, 3), cute.group_modes(parts_a, 0, 3)
        )
        to_b, from_b = cpasync.tma_partition(
            tma_b, 0, cute.make_layout(1), cute.group_modes(tile_b, 0, 3), cute.group_modes(parts_b, 0, 3)
        )
        if warp == 4:
            filling = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, stages)
            for step in cutlass.range(steps, unroll=1):
                ring.producer_acquire(filling)
                barrier = ring.producer_get_barrier(filling)
                cute.copy(tma_a, from_a[None, step], to_a[None, filling.index], tma_bar_ptr=barrier)
                cute.copy(tma_b, from_b[None, step], to_b[None, filling.index], tma_bar_ptr=barrier)
                filling.advance()
            ring.producer_tail(filling)
        if warp == 0:
            draining = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, stages)
            filled = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
            whole.producer_acquire(filled)
            tiled.set(tcgen05.Field.ACCUMULATE, False)
            for _step in cutlass.range(steps, unroll=1):
                ring.consumer_wait(draining)
                for p in cutlass.range_constexpr(bk // DEPTH):
                    at = (None, None, p, draining.index)
                    cute.gemm(tiled, sums, left[at], right[at], sums)
                    tiled.set(tcgen05.Field.ACCUMULATE, True)
                ring.consumer_release(draining)
                draining.advance()
            whole.producer_commit(filled)
        if warp < 4:
            ready = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
            whole.consumer_wait(ready)
            flat = cute.make_tensor(base, cute.zipped_divide(dsl_layout(plan.accumulators), (bm, piece)))
            atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition(piece)), cutlass.Float32)
            read = tcgen05.make_tmem_copy(atom, flat[None, (0, 0)])
            mine = read.get_slice(thread)
            taken = mine.partition_S(flat)
            owners = dsl_layout(plan.owners)
            given = cute.composition(cute.local_tile(c, (bm, bn), (at_m, at_n)), owners)
            where = cute.composition(
                cute.local_tile(cute.make_identity_tensor((rows, columns)), (bm, bn), (at_m, at_n)), owners
            )
            store = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), out, num_bits_per_copy=128)
            for q in cutlass.range_constexpr(bn // piece):
                got = cute.make_rmem_tensor(mine.partition_D(flat)[None, None, (0, 0)].shape, cutlass.Float32)
                cute.copy(read, taken[None, None, (0, q)], got)
                cute.arch.fence_view_async_tmem_load()
                rounded = cute.make_rmem_tensor((vector, vectors), out)
                rounded.store(cute.make_tensor(got.iterator, cute.make_layout((vector, vectors))).load().to(out))
                lines = cute.zipped_divide(given[thread, None], (vector,))
                for v in cutlass.range_constexpr(vectors):
                    if cute.elem_less(where[thread, q * piece + vector * v], (rows, columns)):
                        cute.copy(store, rounded[None, v], lines[None, q * vectors + v])
            whole.consumer_release(ready)
            cute.arch.barrier(barrier_id=1, number_of_threads=128)
            if warp == 0:
                cute.arch.relinquish_tmem_alloc_permit()
                cute.arch.dealloc_tmem(base, plan.columns)

    @cute.jit  # type: ignore[untyped-decorator]
    def sm100_host(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        shape = (bm, bn, DEPTH)
        majors = [dsl_major(mode) for mode in plan.major]
        op = tcgen05.MmaF16BF16Op(
            kind, cutlass.Float32, shape, tcgen05.CtaGroup.ONE, tcgen05.OperandSource.SMEM, *majors
        )
        tiled = cute.make_tiled_mma(op)
        layout_a, layout_b = tiles(plan.shared_a), tiles(plan.shared_b)
        load = cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE)
        tensor_a = cute.make_tensor(a, descriptor_layout(plan.a))
        tensor_b = cute.make_tensor(b, descriptor_layout(plan.b))
        tma_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(
            load, tensor_a, cute.select(layout_a, mode=[0, 1, 2]), plan.tile, tiled
        )
        tma_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(
            load, tensor_b, cute.select(layout_b, mode=[0, 1, 2]), plan.tile, tiled
        )
        sm100_kernel(
            tiled, tma_a, view_a, tma_b, view_b, cute.make_tensor(c, dsl_layout(plan.c)), layout_a, layout_b
        ).launch(grid=[size(plan.blocks), 1, 1], block=[plan.threads, 1, 1], stream=stream)

    return sm100_host


def emulate(plan: Sm100Plan, a: Any, b: Any) -> tuple[Any, Any]:
    """The plan's maps walked block by block: sums into tensor memory by ``accumulators``, out by ``owners``.

    Gives C (M, N) in float64 and how often each element was stored.
    """
    import numpy as np

    rows, columns, _ = plan.sizes
    bm, bn, _ = plan.tile
    padded = size(plan.blocks) // plan.blocks.shape[1]
    exact = values_of(plan.a, a, plan.element) @ values_of(plan.b, b, plan.element).T
    found, seen = np.full((rows, columns), np.nan), np.zeros((rows, columns), int)
    owned, places = table(plan.owners), table(plan.accumulators)
    where, slots = np.unique(places, return_inverse=True)
    for block in range(size(plan.blocks)):
        index = plan.blocks(block)
        m0, n0 = index % padded * bm, index // padded * bn
        sums = np.full((bn, bm), np.nan)  # in the order of coordinates
        part = exact[m0 : m0 + bm, n0 : n0 + bn]
        sums[: part.shape[1], : part.shape[0]] = part.T
        tensor_memory = np.full(len(where), np.nan)
        tensor_memory[slots] = sums.ravel()
        m, n = m0 + owned % bm, n0 + owned // bm
        inside = (m < rows) & (n < columns)
        found[m[inside], n[inside]] = tensor_memory[slots[owned[inside]]]
        np.add.at(seen, (m[inside], n[inside]), 1)
    return found, seen


__all__ = ["ARCHITECTURES", "NAME", "Sm100Plan", "bound", "emulate", "host", "operands", "plan_gemm_sm100", "reference"]
