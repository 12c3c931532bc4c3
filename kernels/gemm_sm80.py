"""GEMM on mma.sync: a ring of cp.async stages in swizzled shared memory, ldmatrix, m16n8k16, float32 accumulators.

C = A·Bᵗ with C (M,N):(ldc,1); A is (M,K):(lda,1), K-major, or (M,K):(1,lda), MN-major, and B likewise. The plan holds
the maps: who loads which vector of an operand's tile (``load_a``, ``load_b``), where it lies in shared memory
(``shared_a``, ``shared_b``), who owns which accumulator (``owners``), who stores which vector of C (``store``) by way
of ``shared_c``, and which tile a block takes.
Fragments of the next 16 columns are loaded while the current ones are multiplied.
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
from .element import decode, element
from .lower import Host, dsl_layout, dsl_type
from .tables import table

NAME = "gemm_sm80"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
ATOM = (16, 8, 16)
"""m16n8k16, the shape of mma.sync for 16-bit elements."""


@dataclass(frozen=True)
class Sm80Plan:
    """See the module; ``tile`` is (M, N, K) of a block, ``warps`` (along M, along N), ``stages`` the ring's length.

    ``major`` says which mode of A, of B, is contiguous: K or MN.
    """

    element: str
    output: str
    a: Layout
    b: Layout
    c: Layout
    align: int
    tile: tuple[int, int, int]
    warps: tuple[int, int]
    stages: int
    load_a: Layout
    load_b: Layout
    shared_a: ComposedLayout
    shared_b: ComposedLayout
    shared_c: ComposedLayout
    owners: Layout
    store: Layout
    blocks: Layout
    major: tuple[str, str] = ("K", "K")

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N, K."""
        return self.c.shape[0], self.c.shape[1], self.a.shape[1]

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return 32 * self.warps[0] * self.warps[1]

    @property
    def padded_rows(self) -> int:
        """Tile rows that ``blocks`` counts, some of them perhaps beyond the matrix."""
        return self.blocks.shape[0] * self.blocks.shape[2]

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a block; C's tile takes the operands' place."""
        operands_ = size(self.shared_a) + size(self.shared_b)
        out = size(self.shared_c) * element(self.output).bytes
        return max(operands_ * element(self.element).bytes, out)


def plan_gemm_sm80(
    m: int,
    n: int,
    k: int,
    name: str = "bf16",
    *,
    output: str | None = None,
    lda: int | None = None,
    ldb: int | None = None,
    ldc: int | None = None,
    align: int = 16,
    tile: tuple[int, int, int] = (128, 128, 64),
    warps: tuple[int, int] = (2, 2),
    stages: int = 3,
    group: int = 8,
    major: tuple[str, str] = ("K", "K"),
) -> Sm80Plan:
    """The plan; rows, or columns, must start at multiples of 16 bytes, as cp.async of 16 bytes needs.

    >>> plan = plan_gemm_sm80(512, 512, 256)
    >>> str(plan.load_a), str(plan.shared_a), plan.shared_bytes
    ('((8,16),(8,8)):((1024,1),(128,16))', 'S<3,3,3> o 0 o (128,64,3):(64,1,8192)', 98304)
    >>> plan_gemm_sm80(512, 512, 100)
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: cp.async of 8 elements needs what is contiguous, and its steps, to be multiples of 8: A has 100, 100
    """  # noqa: E501
    output = output or name
    along = tuple(k if mode == "K" else extent for mode, extent in zip(major, (m, n), strict=True))
    lda, ldb, ldc = lda or along[0], ldb or along[1], ldc or n
    if element(name).bits != 16 or align % 16:
        raise InputError("gemm_sm80 takes 16-bit elements at addresses that are multiples of 16")
    if any(mode not in ("K", "MN") for mode in major):
        raise InputError("an operand is K-major or MN-major")
    for name_, extent, ld in (("A", along[0], lda), ("B", along[1], ldb)):
        if gcd(extent, ld) % 8:
            what = "cp.async of 8 elements needs what is contiguous, and its steps, to be multiples of 8"
            raise InputError(f"{what}: {name_} has {extent}, {ld}")
    if lda < along[0] or ldb < along[1] or ldc < n:
        raise InputError(f"leading dimensions {lda}, {ldb}, {ldc} are too short for {along[0]}, {along[1]} and {n}")
    bm, bn, bk = tile
    threads = 32 * warps[0] * warps[1]
    if (
        bk != 64
        or bm % (16 * warps[0])
        or bn % (16 * warps[1])
        or bm % (threads // 8)
        or bn % (threads // 8)
        or bm % 64
        or bn % 64
    ):
        raise InputError(f"{warps} warps do not tile {tile}: K is 64, M and N whole atoms and load passes")
    vector = gcd(n, ldc, 16 // element(output).bytes)
    lines = bn // vector
    store_rows = threads // min(lines, threads)
    wide = element(output).bits == 32
    bits = bn.bit_length() - 1
    return Sm80Plan(
        name,
        output,
        operand_layout(m, k, lda, major[0]),
        operand_layout(n, k, ldb, major[1]),
        Layout((m, n), (ldc, 1)),
        align,
        tile,
        warps,
        stages,
        _loading(bm, threads, major[0]),
        _loading(bn, threads, major[1]),
        ComposedLayout(Swizzle(3, 3, 3), 0, ring(bm, bk, stages, major[0])),
        ComposedLayout(Swizzle(3, 3, 3), 0, ring(bn, bk, stages, major[1])),
        ComposedLayout(Swizzle(2 if wide else 3, 3, bits - 3), 0, Layout((bm, bn), (bn, 1))),
        _owners(bm, bn, warps),
        Layout(
            ((lines, store_rows), (vector, bm // store_rows)),
            ((vector * bm, 1 if store_rows > 1 else 0), (bm, store_rows)),
        ),
        raster(-(-m // bm), -(-n // bn), group),
        major,
    )


def operand_layout(rows: int, depth: int, ld: int, major: str) -> Layout:
    """A or B in global memory: each row contiguous, K-major, or each column, MN-major; ``ld`` to the next.

    >>> str(operand_layout(4, 8, 16, "K")), str(operand_layout(4, 8, 16, "MN"))
    ('(4,8):(16,1)', '(4,8):(1,16)')
    """
    return Layout((rows, depth), (ld, 1) if major == "K" else (1, ld))


def ring(rows: int, depth: int, stages: int, major: str) -> Layout:
    """Stages of a tile, each row contiguous, or each column of 64 rows, the next 64 behind them.

    >>> str(ring(128, 64, 4, "K")), str(ring(128, 64, 4, "MN"))
    ('(128,64,4):(64,1,8192)', '((64,2),64,4):((1,4096),64,8192)')
    """
    if major == "K":
        return Layout((rows, depth, stages), (depth, 1, rows * depth))
    if rows == 64:
        return Layout((64, depth, stages), (1, 64, rows * depth))
    return Layout(((64, rows // 64), depth, stages), ((1, 64 * depth), 64, rows * depth))


def _loading(rows: int, threads: int, major: str) -> Layout:
    """((8 vectors of a row of 64, rows at once), (8 elements, passes)) onto the (rows, 64) tile, or along K."""
    passes = threads // 8
    if major == "MN":
        across = threads // (rows // 8)
        return Layout(((rows // 8, across), (8, 64 // across)), ((8, rows), (1, rows * across)))
    return Layout(((8, passes), (8, rows // passes)), ((8 * rows, 1), (rows, passes)))


def _owners(rows: int, columns: int, warps: tuple[int, int]) -> Layout:
    """PTX's m16n8 accumulator, lane 4r+q holding (r, 2q), (r, 2q+1), (r+8, 2q), (r+8, 2q+1), repeated over the tile."""
    wm, wn = warps
    return Layout(
        ((4, 8, wm, wn), (2, 2, rows // (16 * wm), columns // (8 * wn))),
        ((2 * rows, 1, 16, 8 * rows), (rows, 8, 16 * wm, 8 * wn * rows)),
    )


def raster(down: int, across: int, group: int) -> Layout:
    """Which tile a block takes: ``group`` tile rows side by side, so that blocks at work share operands in L2.

    The index counts down a column of tiles, padded to whole groups.

    >>> str(raster(5, 4, 8)), str(raster(16, 4, 8))
    ('(5,4,1):(1,5,5)', '(8,4,2):(1,16,8)')
    """
    group = min(group, down)
    rest = -(-down // group)
    return Layout((group, across, rest), (1, group * rest, group))


def operands(plan: Sm80Plan) -> tuple[Operand, ...]:
    """A, B and C."""
    out = plan.store[1].shape[0] * element(plan.output).bytes
    return (
        Operand("a", plan.element, int(cosize(plan.a)), plan.align),  # type: ignore[arg-type]
        Operand("b", plan.element, int(cosize(plan.b)), plan.align),  # type: ignore[arg-type]
        Operand("c", plan.output, int(cosize(plan.c)), out, True, False),  # type: ignore[arg-type]
    )


def expects(plan: Sm80Plan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show."""
    out = element(plan.output).bits
    line = out * plan.store[1].shape[0]
    wide = {("cp.async", "shared"): {128}, ("st", "shared"): {2 * out}, ("st", "global"): {line}}
    names = {"K": "ldmatrix.sync.aligned.m8n8.x4.shared", "MN": "ldmatrix.sync.aligned.m8n8.x4.trans"}
    return wide, ("cp.async.cg", *(names[mode] for mode in sorted(set(plan.major))), "mma.sync.aligned.m16n8k16")


def host(plan: Sm80Plan) -> Host:
    """The host function: A, B, C, stream."""
    import cutlass
    import cutlass.cute as cute
    from cutlass.cute.nvgpu import cpasync, warp

    kind, out = dsl_type(plan.element), dsl_type(plan.output)
    rows, columns, depth = plan.sizes
    bm, bn, bk = plan.tile
    stages = plan.stages
    steps, fragments = -(-depth // bk), bk // ATOM[2]
    vector = plan.store[1].shape[0]
    ragged_m, ragged_n, ragged_k = rows % bm != 0, columns % bn != 0, depth % bk != 0

    def loader(source: Any, limits: Any, coordinates: Any, tile: Any, mapping: Any, thread: Any, ragged: bool) -> Any:
        """A function that starts the loads of k tile ``step`` into ``stage``."""
        atom = cute.make_copy_atom(
            cpasync.CopyG2SOp(cache_mode=cpasync.LoadCacheMode.GLOBAL), kind, num_bits_per_copy=128
        )
        lowered = dsl_layout(mapping)
        passes = mapping[1].shape[1]

        def start(step: Any, stage: Any) -> None:
            taken = cute.composition(source[None, None, step], lowered)
            where = cute.composition(coordinates[None, None, step], lowered)
            put = cute.composition(tile[None, None, stage], lowered)
            for i in range(passes):
                if ragged:
                    inside = cute.make_rmem_tensor(1, cutlass.Boolean)
                    inside[0] = cute.elem_less(where[thread, (0, i)], limits)
                    whole = cute.make_tensor(inside.iterator, cute.make_layout(8, stride=0))
                    cute.copy(atom, taken[thread, (None, i)], put[thread, (None, i)], pred=whole)
                else:
                    cute.copy(atom, taken[thread, (None, i)], put[thread, (None, i)])

        return start

    @cute.kernel  # type: ignore[untyped-decorator]
    def sm80_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):  # type: ignore[no-untyped-def]
        thread, _, _ = cute.arch.thread_idx()
        block, _, _ = cute.arch.block_idx()
        index = dsl_layout(plan.blocks)(block)
        at_m, at_n = index % plan.padded_rows, index // plan.padded_rows
        if at_m * bm < rows:
            base = cutlass.memory.SmemAllocator().allocate(plan.shared_bytes, 1024)
            words = cute.recast_ptr(base, dtype=kind)
            tile_a = cute.make_tensor(words, dsl_layout(plan.shared_a))
            tile_b = cute.make_tensor(words + size(plan.shared_a), dsl_layout(plan.shared_b))
            load_a = loader(
                cute.local_tile(a, (bm, bk), (at_m, None)),
                (rows, depth),
                cute.local_tile(cute.make_identity_tensor((rows, depth)), (bm, bk), (at_m, None)),
                tile_a,
                plan.load_a,
                thread,
                ragged_m or ragged_k,
            )
            load_b = loader(
                cute.local_tile(b, (bn, bk), (at_n, None)),
                (columns, depth),
                cute.local_tile(cute.make_identity_tensor((columns, depth)), (bn, bk), (at_n, None)),
                tile_b,
                plan.load_b,
                thread,
                ragged_n or ragged_k,
            )
            for stage in cutlass.range_constexpr(stages - 1):
                if cutlass.const_expr(stage < steps):
                    load_a(stage, stage)
                    load_b(stage, stage)
                cute.arch.cp_async_commit_group()

            tiled = cute.make_tiled_mma(
                warp.MmaF16BF16Op(kind, cutlass.Float32, ATOM),
                cute.make_layout((plan.warps[0], plan.warps[1], 1)),
                permutation_mnk=(16 * plan.warps[0], 16 * plan.warps[1], 16),
            )
            mine = tiled.get_slice(thread)
            part_a = tiled.make_fragment_A(mine.partition_A(tile_a[None, None, 0]))
            part_b = tiled.make_fragment_B(mine.partition_B(tile_b[None, None, 0]))
            sums = tiled.make_fragment_C(tiled.partition_shape_C((bm, bn)))
            sums.fill(0.0)
            # MN-major: a matrix's rows lie along K, and each is turned as it is loaded.
            matrices = [cute.make_copy_atom(warp.LdMatrix8x8x16bOp(mode == "MN", 4), kind) for mode in plan.major]
            copy_a, copy_b = cute.make_tiled_copy_A(matrices[0], tiled), cute.make_tiled_copy_B(matrices[1], tiled)
            from_a, from_b = copy_a.get_slice(thread), copy_b.get_slice(thread)
            shared_a, shared_b = from_a.partition_S(tile_a), from_b.partition_S(tile_b)
            into_a, into_b = from_a.retile(part_a), from_b.retile(part_b)

            cute.arch.cp_async_wait_group(stages - 2)
            cute.arch.sync_threads()
            cute.copy(copy_a, shared_a[None, None, 0, 0], into_a[None, None, 0])
            cute.copy(copy_b, shared_b[None, None, 0, 0], into_b[None, None, 0])
            read, write = cutlass.Int32(0), cutlass.Int32(stages - 1)
            for step in cutlass.range(steps, unroll=1):
                for f in cutlass.range_constexpr(fragments):
                    if cutlass.const_expr(f == 0):
                        if step + stages - 1 < steps:
                            load_a(step + stages - 1, write)
                            load_b(step + stages - 1, write)
                        cute.arch.cp_async_commit_group()
                        write = write + 1
                        if write == stages:
                            write = cutlass.Int32(0)
                    if cutlass.const_expr(f == fragments - 1):
                        read = read + 1
                        if read == stages:
                            read = cutlass.Int32(0)
                        cute.arch.cp_async_wait_group(stages - 2)
                        cute.arch.sync_threads()
                    g = (f + 1) % fragments
                    cute.copy(copy_a, shared_a[None, None, g, read], into_a[None, None, g])
                    cute.copy(copy_b, shared_b[None, None, g, read], into_b[None, None, g])
                    cute.gemm(tiled, sums, part_a[None, None, f], part_b[None, None, f], sums)
            cute.arch.cp_async_wait_group(0)
            cute.arch.sync_threads()

            tile_c = cute.make_tensor(cute.recast_ptr(base, dtype=out), dsl_layout(plan.shared_c))
            owned = cute.composition(tile_c, dsl_layout(plan.owners))
            values = cute.make_rmem_tensor(cute.size(sums), out)
            values.store(sums.load().to(out))
            pairs = cute.make_tensor(values.iterator, cute.make_layout((2, cute.size(sums) // 2)))
            pair = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), out, num_bits_per_copy=2 * out.width)
            down, across = plan.owners[1].shape[2], plan.owners[1].shape[3]
            for j in cutlass.range_constexpr(across):
                for i in cutlass.range_constexpr(down):
                    for h in cutlass.range_constexpr(2):
                        held = pairs[None, h + 2 * (i + down * j)]
                        cute.copy(pair, held, owned[thread, (None, h, i, j)])
            cute.arch.sync_threads()
            store = dsl_layout(plan.store)
            ready = cute.composition(tile_c, store)
            given = cute.composition(cute.local_tile(c, (bm, bn), (at_m, at_n)), store)
            where = cute.composition(
                cute.local_tile(cute.make_identity_tensor((rows, columns)), (bm, bn), (at_m, at_n)), store
            )
            atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), out, num_bits_per_copy=vector * out.width)
            line = cute.make_rmem_tensor((vector, plan.store[1].shape[1]), out)
            for i in cutlass.range_constexpr(plan.store[1].shape[1]):
                cute.copy(atom, ready[thread, (None, i)], line[None, i])
                if cutlass.const_expr(ragged_m or ragged_n):
                    if cute.elem_less(where[thread, (0, i)], (rows, columns)):
                        cute.copy(atom, line[None, i], given[thread, (None, i)])
                else:
                    cute.copy(atom, line[None, i], given[thread, (None, i)])

    @cute.jit  # type: ignore[untyped-decorator]
    def sm80_host(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        sm80_kernel(
            cute.make_tensor(a, dsl_layout(plan.a)),
            cute.make_tensor(b, dsl_layout(plan.b)),
            cute.make_tensor(c, dsl_layout(plan.c)),
        ).launch(grid=[size(plan.blocks), 1, 1], block=[plan.threads, 1, 1], stream=stream)

    return sm80_host


def reference(plan: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The exact A·Bᵗ in float64, and |A|·|B|ᵗ, which the bound is made of: both (M, N)."""
    import numpy as np

    left, right = values_of(plan.a, a, plan.element), values_of(plan.b, b, plan.element)
    return left @ right.T, np.abs(left) @ np.abs(right).T


def values_of(layout: Layout, buffer: Any, name: str) -> Any:
    """The float64 values of a buffer through a layout of two plain modes."""
    import numpy as np

    rows, columns = layout.shape
    at = np.arange(rows)[:, None] * layout.stride[0] + np.arange(columns) * layout.stride[1]
    return decode(buffer[at], name)


def bound(plan: Any, exact: Any, magnitude: Any) -> Any:
    """How far a right answer may be from the exact one.

    Products of 16-bit elements are exact in float32. A tensor core adds a group of products and the accumulator with
    alignment to the largest and truncation; each of at most K additions then loses at most 2^-23 of the magnitude:
    K·2^-23·|A||B| bounds every order of them. One rounding to the output type follows.
    """
    inner = plan.sizes[2] * 2.0**-23 * magnitude
    return inner + element(plan.output).epsilon * (abs(exact) + inner) + 2.0**-126


def emulate(plan: Sm80Plan, a: Any, b: Any) -> tuple[Any, Any]:
    """The plan's maps walked block by block: operands through the swizzled stages, C through its owners and its tile.

    Gives C (M, N) in float64 and how often each element was stored.
    """
    import numpy as np

    rows, columns, depth = plan.sizes
    bm, bn, bk = plan.tile
    left, right = values_of(plan.a, a, plan.element), values_of(plan.b, b, plan.element)
    found, seen = np.full((rows, columns), np.nan), np.zeros((rows, columns), int)
    table_a, table_b, table_c = table(plan.shared_a), table(plan.shared_b), table(plan.shared_c)
    load_a, load_b, owned, stored = (table(one) for one in (plan.load_a, plan.load_b, plan.owners, plan.store))
    for block in range(size(plan.blocks)):
        index = plan.blocks(block)
        m0, n0 = index % plan.padded_rows * bm, index // plan.padded_rows * bn
        if m0 >= rows:
            continue
        sums = np.zeros((bm, bn))
        memory_a, memory_b = np.full(len(table_a), np.nan), np.full(len(table_b), np.nan)
        for step in range(-(-depth // bk)):
            stage = step % plan.stages
            for values, origin, at, places, memory, height in (
                (left, m0, load_a, table_a, memory_a, bm),
                (right, n0, load_b, table_b, memory_b, bn),
            ):
                memory[places[stage * height * bk : (stage + 1) * height * bk]] = np.nan
                r, k = origin + at % height, step * bk + at // height
                inside = (r < len(values)) & (k < depth)
                taken = values[np.minimum(r, len(values) - 1), np.minimum(k, depth - 1)]
                memory[places[stage * height * bk + at]] = np.where(inside, taken, 0.0)
            tile_a = memory_a[table_a[stage * bm * bk : (stage + 1) * bm * bk]].reshape(bk, bm).T
            tile_b = memory_b[table_b[stage * bn * bk : (stage + 1) * bn * bk]].reshape(bk, bn).T
            sums += tile_a @ tile_b.T
        memory = np.full(len(table_c), np.nan)
        memory[table_c[owned]] = sums[owned % bm, owned // bm]
        m, n = m0 + stored % bm, n0 + stored // bm
        inside = (m < rows) & (n < columns)
        found[m[inside], n[inside]] = memory[table_c[stored[inside]]]
        np.add.at(seen, (m[inside], n[inside]), 1)
    return found, seen
