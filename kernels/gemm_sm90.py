"""GEMM on Hopper: TMA, an mbarrier ring, wgmma, warp specialisation, persistent tiles; 16-bit and 8-bit elements.

C = A·Bᵗ with C (M,N):(ldc,1); A is (M,K):(lda,1), K-major, or of 16-bit elements (M,K):(1,lda), MN-major, and B
likewise. One warp of the first warp group copies the operands'
tiles, as wide as one swizzle atom, into a ring of stages, each multicast to the CTAs of the cluster that share it; two
warp groups multiply, 64 rows each, and release a stage once no wgmma reads it; C leaves by TMA through two small
buffers a warp group. ``blocks`` maps a piece of work to the cluster's tile.

For 8-bit elements the tensor core keeps fewer bits than float32 while it accumulates; each K tile's sum is promoted:
added to float32 accumulators of its own.
"""

from dataclasses import dataclass
from typing import Any

from ..model.composed import ComposedLayout
from ..model.errors import InputError
from ..model.layout import Layout
from ..model.properties import cosize, size
from ..model.swizzle import Swizzle
from .build import Operand
from .element import element
from .gemm_sm80 import operand_layout, raster, reference, ring, values_of
from .lower import Host, byte_swizzle, descriptor_layout, dsl_layout, dsl_major, dsl_type, shared_tensor
from .tables import table

NAME = "gemm_sm90"
ARCHITECTURES = ("sm_90a",)
CONSUMERS = 2
GROUP = 128
"""Threads of a warp group."""
LINE = 128
"""Bytes of a row of C's buffers: a swizzle's span."""
BUFFERS = 2
SHARED_BYTES = 232448
ACCUMULATED_BITS = 13
"""Fraction bits that wgmma keeps of 8-bit elements' products while it accumulates: a model, ``measured``."""


@dataclass(frozen=True)
class Sm90Plan:
    """See the module; ``tile`` is (M, N, K) of a CTA, ``cluster`` (along M, along N), ``ctas`` those that fit at once.

    ``shared_a`` and ``shared_b`` have a mode of stages, ``shared_c`` (rows of a warp group, columns, buffers, groups);
    ``owners`` is (threads, values) of a warp group onto one buffer's tile; ``major`` says which mode of A, of B, is
    contiguous: K or MN.
    """

    element: str
    output: str
    a: Layout
    b: Layout
    c: Layout
    align: int
    tile: tuple[int, int, int]
    cluster: tuple[int, int]
    stages: int
    shared_a: ComposedLayout
    shared_b: ComposedLayout
    shared_c: ComposedLayout
    owners: Layout
    blocks: Layout
    ctas: int
    promote: bool
    major: tuple[str, str] = ("K", "K")
    registers: tuple[int, int] = (40, 232)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N, K."""
        return self.c.shape[0], self.c.shape[1], self.a.shape[1]

    @property
    def line(self) -> int:
        """Columns of one of C's buffers."""
        return LINE // element(self.output).bytes

    @property
    def threads(self) -> int:
        """Threads of a CTA: a producing warp group and the consumers."""
        return GROUP * (1 + CONSUMERS)

    @property
    def stage_bytes(self) -> int:
        """Bytes that arrive at a stage's barrier: whole boxes, what lies outside the tensors included."""
        return (self.tile[0] + self.tile[1]) * self.tile[2] * element(self.element).bytes

    @property
    def consumer_arrivals(self) -> int:
        """Arrivals that free a stage: once a consuming warp, from every CTA that a multicast reaches."""
        return (self.cluster[0] + self.cluster[1] - 1) * CONSUMERS * GROUP // 32

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a CTA, barriers and alignment included."""
        out = size(self.shared_c) * element(self.output).bytes
        return self.stages * self.stage_bytes + out + 16 * self.stages + 1024


def plan_gemm_sm90(
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
    tile: tuple[int, int] | None = None,
    cluster: tuple[int, int] = (2, 1),
    stages: int | None = None,
    group: int = 8,
    ctas: int = 132,
    major: tuple[str, str] = ("K", "K"),
) -> Sm90Plan:
    """The plan; TMA takes rows that start at multiples of 16 bytes.

    >>> plan = plan_gemm_sm90(4096, 4096, 4096)
    >>> plan.tile, plan.stages, str(plan.shared_a), plan.stage_bytes, plan.consumer_arrivals
    ((128, 256, 64), 4, 'S<3,3,3> o 0 o (128,64,4):(64,1,8192)', 49152, 16)
    >>> plan_gemm_sm90(4096, 4096, 4096, "e4m3").tile
    (128, 128, 128)
    >>> plan = plan_gemm_sm90(4096, 4096, 4096, output="f32", major=("MN", "K"))
    >>> str(plan.a), str(plan.shared_a), plan.line
    ('(4096,4096):(1,4096)', 'S<3,3,3> o 0 o ((64,2),64,4):((1,4096),64,8192)', 32)
    """
    kind, out = element(name), element(output)
    promote = kind.bits == 8
    along = tuple(k if mode == "K" else extent for mode, extent in zip(major, (m, n), strict=True))
    lda, ldb, ldc = lda or along[0], ldb or along[1], ldc or n
    if kind.bits not in (8, 16) or kind.fraction == 0 or out.bits not in (16, 32) or out.fraction == 0:
        raise InputError("gemm_sm90 takes 16-bit or 8-bit floating elements and gives 16-bit ones or float32")
    if any(mode not in ("K", "MN") for mode in major) or (kind.bits == 8 and major != ("K", "K")):
        raise InputError("an operand is K-major, or of 16-bit elements MN-major")
    for what, count, bits in (("lda", lda, kind.bits), ("ldb", ldb, kind.bits), ("ldc", ldc, out.bits)):
        if count * bits % 128:
            raise InputError(f"TMA needs rows at multiples of 16 bytes: {what} = {count} elements of {bits} bits")
    if n * out.bits % 128:  # measured: a store of rows of 200 bytes wrote 208; loads end where they should
        raise InputError(f"a TMA store writes whole 16 bytes, past the row's end too: N = {n} of {out.bits} bits")
    if lda < along[0] or ldb < along[1] or ldc < n or align % 16:
        raise InputError("leading dimensions are no shorter than rows, addresses multiples of 16")
    bm, bn = tile or (128, 128 if promote else 256)
    bk = 128 // kind.bytes
    if bm != 64 * CONSUMERS or bn % 64 or bn > 256:
        raise InputError(f"a tile is {64 * CONSUMERS} by a multiple of 64 up to 256, not {bm} by {bn}")
    if any(mode == "MN" and rows // 64 % by for mode, rows, by in zip(major, (bm, bn), reversed(cluster), strict=True)):
        raise InputError(f"boxes of 64 rows of a tile {bm} by {bn} are not divided among a cluster of {cluster}")
    line = LINE // out.bytes
    buffers = CONSUMERS * BUFFERS * 64 * LINE
    per_stage = (bm + bn) * bk * kind.bytes
    stages = stages or min(8, (SHARED_BYTES - 2048 - buffers) // per_stage)
    across, down = -(-n // (bn * cluster[1])), -(-m // (bm * cluster[0]))
    while down % group:
        group -= 1
    swizzle = Swizzle(3, 7 - kind.bits.bit_length() + 1, 3)
    return Sm90Plan(
        name,
        output,
        operand_layout(m, k, lda, major[0]),
        operand_layout(n, k, ldb, major[1]),
        Layout((m, n), (ldc, 1)),
        align,
        (bm, bn, bk),
        cluster,
        stages,
        ComposedLayout(swizzle, 0, ring(bm, bk, stages, major[0])),
        ComposedLayout(swizzle, 0, ring(bn, bk, stages, major[1])),
        ComposedLayout(
            Swizzle(3, 7 - out.bits.bit_length() + 1, 3),
            0,
            Layout((64, line, BUFFERS, CONSUMERS), (line, 1, 64 * line, 64 * line * BUFFERS)),
        ),
        Layout(((4, 8, 4), (2, 2, line // 8)), ((128, 1, 16), (64, 8, 512))),
        raster(down, across, group),
        ctas,
        promote,
        major,
    )


def operands(plan: Sm90Plan) -> tuple[Operand, ...]:
    """A, B and C."""
    return (
        Operand("a", plan.element, int(cosize(plan.a)), plan.align),  # type: ignore[arg-type]
        Operand("b", plan.element, int(cosize(plan.b)), plan.align),  # type: ignore[arg-type]
        Operand("c", plan.output, int(cosize(plan.c)), plan.align, True, False),  # type: ignore[arg-type]
    )


def expects(plan: Sm90Plan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show."""
    shape = f"m64n{plan.tile[1]}k{32 if plan.promote else 16}"
    names = (f"wgmma.mma_async.sync.aligned.{shape}", "wgmma.fence", "cp.async.bulk.tensor.2d", "setmaxnreg.inc")
    return {("st", "shared"): {2 * element(plan.output).bits}}, (*names, "fence.proxy.async", "mbarrier.try_wait")


def host(plan: Sm90Plan) -> Host:
    """The host function: A, B, C, stream."""
    import cutlass
    import cutlass.cute as cute
    from cutlass import pipeline
    from cutlass.cute.nvgpu import cpasync, warpgroup

    kind, out = dsl_type(plan.element), dsl_type(plan.output)
    bm, bn, bk = plan.tile
    cm, cn = plan.cluster
    stages = plan.stages
    steps = -(-plan.sizes[2] // bk)
    works, down = size(plan.blocks), size(plan.blocks) // plan.blocks.shape[1]
    clusters = min(works, plan.ctas // (cm * cn))
    line = plan.line
    pieces, atoms = bn // line, line // 8
    tiles = (-(-plan.sizes[0] // 64), -(-plan.sizes[1] // line))
    instruction = 32 if plan.promote else 16
    parts = bk // instruction

    def box(shared: ComposedLayout) -> Any:
        """One stage of a shared tile, for the descriptor: its swizzle in bytes."""
        s = byte_swizzle(shared.function, kind.width)  # type: ignore[arg-type]
        stride = shared.layout.stride  # type: ignore[union-attr]
        return cute.make_composed_layout(
            cute.make_swizzle(s.bits, s.base, s.shift),
            0,
            dsl_layout(Layout(shared.shape[:2], stride[:2])),
        )

    def multiply_op() -> Any:
        shape = (64, bn, instruction)
        majors = [dsl_major(mode) for mode in plan.major]
        smem = warpgroup.OperandSource.SMEM
        if plan.promote:
            return warpgroup.MmaF8Op(kind, kind, cutlass.Float32, shape, smem, *majors)
        return warpgroup.MmaF16BF16Op(kind, cutlass.Float32, shape, smem, *majors)

    @cute.kernel  # type: ignore[untyped-decorator]
    def sm90_kernel(  # type: ignore[no-untyped-def]
        tiled: cute.TiledMma,
        tma_a: cute.CopyAtom,
        a: cute.Tensor,
        tma_b: cute.CopyAtom,
        b: cute.Tensor,
        tma_c: cute.CopyAtom,
        c: cute.Tensor,
    ):
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        block, _, _ = cute.arch.block_idx()
        rank = cute.arch.make_warp_uniform(cute.arch.block_idx_in_cluster())
        rank_m, rank_n = rank % cm, rank // cm
        first = block // (cm * cn)
        if warp == 0:
            cpasync.prefetch_descriptor(tma_a)
            cpasync.prefetch_descriptor(tma_b)
            cpasync.prefetch_descriptor(tma_c)
        memory = cutlass.memory.SmemAllocator()
        barriers = memory.allocate_array(cutlass.Int64, 2 * stages)
        tile_a = shared_tensor(memory, plan.element, plan.shared_a)
        tile_b = shared_tensor(memory, plan.element, plan.shared_b)
        tile_c = shared_tensor(memory, plan.output, plan.shared_c)
        ring = pipeline.PipelineTmaAsync.create(
            num_stages=stages,
            producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
            consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, plan.consumer_arrivals),
            tx_count=plan.stage_bytes,
            barrier_storage=barriers,
            cta_layout_vmnk=cute.make_layout((1, cm, cn, 1)),
        )
        order = dsl_layout(plan.blocks)
        if warp < GROUP // 32:
            cute.arch.setmaxregister_decrease(plan.registers[0])
            if warp == 0:
                to_a, from_a = cpasync.tma_partition(
                    tma_a,
                    rank_n,
                    cute.make_layout(cn),
                    cute.group_modes(tile_a, 0, 2),
                    cute.group_modes(cute.local_tile(a, (bm, bk), (None, None)), 0, 2),
                )
                to_b, from_b = cpasync.tma_partition(
                    tma_b,
                    rank_m,
                    cute.make_layout(cm),
                    cute.group_modes(tile_b, 0, 2),
                    cute.group_modes(cute.local_tile(b, (bn, bk), (None, None)), 0, 2),
                )
                mask_a = sum(1 << (cm * j) for j in range(cn)) << rank_m
                mask_b = ((1 << cm) - 1) << (cm * rank_n)
                state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, stages)
                for work in cutlass.range(first, works, clusters, unroll=1):
                    index = order(work)
                    at_m, at_n = index % down * cm + rank_m, index // down * cn + rank_n
                    for step in cutlass.range(steps, unroll=1):
                        ring.producer_acquire(state)
                        barrier = ring.producer_get_barrier(state)
                        cute.copy(
                            tma_a,
                            from_a[None, at_m, step],
                            to_a[None, state.index],
                            tma_bar_ptr=barrier,
                            mcast_mask=cutlass.Int16(mask_a) if cutlass.const_expr(cn > 1) else None,
                        )
                        cute.copy(
                            tma_b,
                            from_b[None, at_n, step],
                            to_b[None, state.index],
                            tma_bar_ptr=barrier,
                            mcast_mask=cutlass.Int16(mask_b) if cutlass.const_expr(cm > 1) else None,
                        )
                        ring.producer_commit(state)
                        state.advance()
                ring.producer_tail(state)
        else:
            cute.arch.setmaxregister_increase(plan.registers[1])
            mine = thread - GROUP
            consumer, member = mine // GROUP, mine % GROUP
            consumer = cute.arch.make_warp_uniform(consumer)
            part = tiled.get_slice(mine)
            left = tiled.make_fragment_A(part.partition_A(tile_a))
            right = tiled.make_fragment_B(part.partition_B(tile_b))
            shape = tiled.partition_shape_C((bm, bn))
            sums = tiled.make_fragment_C(shape)
            promoted = tiled.make_fragment_C(shape) if cutlass.const_expr(plan.promote) else sums
            own = tile_c[None, None, None, consumer]
            owners = dsl_layout(plan.owners)
            pair = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), out, num_bits_per_copy=2 * out.width)
            put_c, into_c = cpasync.tma_partition(
                tma_c,
                0,
                cute.make_layout(1),
                cute.group_modes(own, 0, 2),
                cute.group_modes(cute.local_tile(c, (64, line), (None, None)), 0, 2),
            )
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, stages)
            done = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, stages)
            for work in cutlass.range(first, works, clusters, unroll=1):
                index = order(work)
                at_m, at_n = index % down * cm + rank_m, index // down * cn + rank_n
                if cutlass.const_expr(plan.promote):
                    promoted.fill(0.0)
                    for _step in cutlass.range(steps, unroll=1):
                        ring.consumer_wait(state)
                        warpgroup.fence()
                        tiled.set(warpgroup.Field.ACCUMULATE, False)
                        for p in cutlass.range_constexpr(parts):
                            at = (None, None, p, state.index)
                            cute.gemm(tiled, sums, left[at], right[at], sums)
                            tiled.set(warpgroup.Field.ACCUMULATE, True)
                        warpgroup.commit_group()
                        warpgroup.wait_group(0)
                        ring.consumer_release(state)
                        state.advance()
                        promoted.store(promoted.load() + sums.load())
                else:
                    ring.consumer_wait(state)
                    warpgroup.fence()
                    tiled.set(warpgroup.Field.ACCUMULATE, False)
                    for p in cutlass.range_constexpr(parts):
                        at = (None, None, p, state.index)
                        cute.gemm(tiled, sums, left[at], right[at], sums)
                        tiled.set(warpgroup.Field.ACCUMULATE, True)
                    warpgroup.commit_group()
                    state.advance()
                    for _step in cutlass.range(1, steps, unroll=1):
                        ring.consumer_wait(state)
                        warpgroup.fence()
                        for p in cutlass.range_constexpr(parts):
                            at = (None, None, p, state.index)
                            cute.gemm(tiled, sums, left[at], right[at], sums)
                        warpgroup.commit_group()
                        warpgroup.wait_group(1)
                        ring.consumer_release(done)
                        done.advance()
                        state.advance()
                    warpgroup.wait_group(0)
                    ring.consumer_release(done)
                    done.advance()
                rounded = promoted.load().to(out)
                values = cute.make_rmem_tensor(cute.size(sums), out)
                values.store(rounded)
                chosen = cute.make_tensor(
                    values.iterator, cute.make_layout((2, 2, atoms, pieces), stride=(1, 2, 4, 4 * atoms))
                )
                for piece in cutlass.range_constexpr(pieces):
                    buffer = piece % BUFFERS
                    if warp % 4 == 0:
                        cute.arch.cp_async_bulk_wait_group(BUFFERS - 1, read=True)
                    cute.arch.barrier(barrier_id=1 + consumer, number_of_threads=GROUP)
                    target = cute.composition(own[None, None, buffer], owners)
                    for j in cutlass.range_constexpr(atoms):
                        for h in cutlass.range_constexpr(2):
                            cute.copy(pair, chosen[None, h, j, piece], target[member, (None, h, j)])
                    cute.arch.fence_proxy("async.shared", space="cta")
                    cute.arch.barrier(barrier_id=1 + consumer, number_of_threads=GROUP)
                    # A tile past the end is left out, not clipped: past a single tile its coordinate comes back to it.
                    tile_m, tile_n = at_m * CONSUMERS + consumer, at_n * pieces + piece
                    if warp % 4 == 0:
                        if cute.elem_less((tile_m, tile_n), tiles):
                            cute.copy(tma_c, put_c[None, buffer], into_c[None, tile_m, tile_n])
                        cute.arch.cp_async_bulk_commit_group()
            if warp % 4 == 0:
                cute.arch.cp_async_bulk_wait_group(0, read=True)

    @cute.jit  # type: ignore[untyped-decorator]
    def sm90_host(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        one, many = cpasync.CopyBulkTensorTileG2SOp(), cpasync.CopyBulkTensorTileG2SMulticastOp()
        tensor_a = cute.make_tensor(a, descriptor_layout(plan.a))
        tensor_b = cute.make_tensor(b, descriptor_layout(plan.b))
        tensor_c = cute.make_tensor(c, descriptor_layout(plan.c))
        tma_a, view_a = cpasync.make_tiled_tma_atom(
            many if cn > 1 else one, tensor_a, box(plan.shared_a), (bm, bk), num_multicast=cn
        )
        tma_b, view_b = cpasync.make_tiled_tma_atom(
            many if cm > 1 else one, tensor_b, box(plan.shared_b), (bn, bk), num_multicast=cm
        )
        buffer = cute.make_composed_layout(
            cute.make_swizzle(3, 4, 3), 0, cute.make_layout((64, line), stride=(line, 1))
        )
        tma_c, view_c = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), tensor_c, buffer, (64, line))
        tiled = cute.make_tiled_mma(cute.make_mma_atom(multiply_op()), (CONSUMERS, 1, 1))
        sm90_kernel(tiled, tma_a, view_a, tma_b, view_b, tma_c, view_c).launch(
            grid=[clusters * cm * cn, 1, 1],
            block=[plan.threads, 1, 1],
            cluster=[cm * cn, 1, 1],
            min_blocks_per_mp=1,
            stream=stream,
        )

    return sm90_host


def bound(plan: Sm90Plan, exact: Any, magnitude: Any) -> Any:
    """How far a right answer may be from the exact one.

    16-bit elements: as gemm_sm80's, K·2^-23·|A||B|. 8-bit elements: within a K tile each of its additions may lose
    2^-ACCUMULATED_BITS of the magnitude, tile by tile; the promoted sums are float32, one rounding a tile. One
    rounding to the output type follows.
    """
    depth = plan.sizes[2]
    if plan.promote:
        steps = -(-depth // plan.tile[2])
        inner = (plan.tile[2] // 32 * 2.0**-ACCUMULATED_BITS + steps * 2.0**-24) * magnitude
    else:
        inner = depth * 2.0**-23 * magnitude
    return inner + element(plan.output).epsilon * (abs(exact) + inner) + 2.0**-126


def emulate(plan: Sm90Plan, a: Any, b: Any) -> tuple[Any, Any]:
    """The plan's maps walked work by work, CTA by CTA, warp group by warp group, C through its swizzled buffers.

    Gives C (M, N) in float64 and how often each element was stored.
    """
    import numpy as np

    rows, columns, _ = plan.sizes
    bm, bn, _ = plan.tile
    cm, cn = plan.cluster
    line = plan.line
    left, right = values_of(plan.a, a, plan.element), values_of(plan.b, b, plan.element)
    down = size(plan.blocks) // plan.blocks.shape[1]
    found, seen = np.full((rows, columns), np.nan), np.zeros((rows, columns), int)
    shape = plan.shared_c.shape
    places, owned = table(plan.shared_c).reshape(shape, order="F"), table(plan.owners)
    for work in range(size(plan.blocks)):
        index = plan.blocks(work)
        for rank in range(cm * cn):
            at_m, at_n = index % down * cm + rank % cm, index // down * cn + rank // cm
            for consumer in range(CONSUMERS):
                for piece in range(bn // line):
                    m0, n0 = at_m * bm + 64 * consumer, at_n * bn + line * piece
                    padded = np.zeros((64, left.shape[1])), np.zeros((line, left.shape[1]))
                    for values, origin, into in ((left, m0, padded[0]), (right, n0, padded[1])):
                        got = values[origin : origin + len(into)]
                        into[: len(got)] = got
                    sums = padded[0] @ padded[1].T
                    memory = np.full(size(plan.shared_c), np.nan)
                    place = places[:, :, piece % BUFFERS, consumer]
                    memory[place[owned % 64, owned // 64]] = sums[owned % 64, owned // 64]
                    high, wide = max(min(64, rows - m0), 0), max(min(line, columns - n0), 0)
                    found[m0 : m0 + high, n0 : n0 + wide] = memory[place[:high, :wide]]
                    seen[m0 : m0 + high, n0 : n0 + wide] += 1
    return found, seen


__all__ = ["ARCHITECTURES", "NAME", "Sm90Plan", "bound", "emulate", "host", "operands", "plan_gemm_sm90", "reference"]
