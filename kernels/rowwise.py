"""Row-wise kernels, softmax and RMSNorm: a row block a CTA, or a cluster of CTAs for long rows.

One thread–value layout over the (rows, columns) tile gives loads, coordinates, predicates and stores; a row's elements
stay in registers between reading and writing. Reductions go from a thread to its warp by a butterfly of shuffles, from
the warps to the CTA through shared memory, from the CTAs to the cluster through each other's shared memory.

Softmax takes the maximum of a warp's part of a row first and the sum of exponentials relative to it, so that warps
exchange once, a pair (maximum, sum). A row with no mass (all -inf) gives zeros; a NaN or +inf gives a row of NaN.
"""

from dataclasses import dataclass
from math import gcd, log2
from typing import Any

from ..model.errors import InputError
from ..model.layout import Layout
from ..model.properties import cosize, size
from .build import Operand
from .element import decode, element
from .lower import Host, dsl_layout, dsl_type, expected_hint, keeping, known_hint

NAME = "rowwise"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
OPERATIONS = ("softmax", "rmsnorm")
WARP = 32
LOWEST = -3.4028234663852886e38
"""The least finite float32: what is subtracted from a row whose maximum is -inf."""
FOREVER = 1 << 62
MEASURED: dict[tuple[str, int], tuple[tuple[int, tuple[int, int, int, int | None, bool]], ...]] = {
    ("softmax", 2): (
        (1024, (16, 1024, 1, None, False)),
        (2048, (16, 128, 1, None, False)),
        (8192, (32, 512, 1, None, False)),
        (16384, (32, 256, 1, 4, False)),
        (32768, (32, 256, 1, 8, False)),
        (FOREVER, (32, 128, 1, 8, False)),
    ),
    ("softmax", 4): (
        (1024, (8, 1024, 1, None, False)),
        (2048, (8, 128, 1, None, False)),
        (4096, (8, 1024, 1, None, False)),
        (8192, (8, 128, 1, 1, False)),
        (16384, (32, 256, 1, 8, False)),
        (FOREVER, (32, 128, 1, 8, False)),
    ),
    ("rmsnorm", 2): (
        (4096, (16, 128, 1, None, False)),
        (8192, (32, 128, 1, 2, False)),
        (16384, (32, 128, 1, 4, False)),
        (32768, (32, 128, 4, 8, True)),
        (FOREVER, (32, 128, 8, 8, True)),
    ),
    ("rmsnorm", 4): (
        (2048, (8, 1024, 1, None, False)),
        (4096, (8, 512, 1, 2, False)),
        (8192, (8, 128, 1, 2, False)),
        (32768, (16, 128, 1, 8, False)),
        (FOREVER, (32, 128, 1, 8, False)),
    ),
}
"""By operation and bytes of an element: up to this length, (elements a thread, threads, turns, CTAs a row, late).

What was fastest on an H200; without a number of CTAs, as few as hold a row.
"""


@dataclass(frozen=True)
class RowwisePlan:
    """``operation`` along the rows of ``layout`` (M,N):(ld,1), in and out; pointers are multiples of ``align`` bytes.

    ``tile`` is (rows, columns) of a CTA and ``map`` its ((threads of a row, rows), (vector, rest)) onto the tile's
    colexicographic index; ``cluster`` CTAs share a row; a CTA takes ``turns`` row blocks,
    the next one loading while it works on one. ``epsilon`` is RMSNorm's. ``load`` is what the second-level
    cache is told of rows read (:data:`~.lower.EVICTION`); ``late`` has RMSNorm's weights read once the sum is known,
    not beside the row.
    """

    operation: str
    element: str
    layout: Layout
    align: int
    tile: tuple[int, int]
    map: Layout
    cluster: int = 1
    turns: int = 1
    epsilon: float = 1e-6
    load: str = "evict_last"
    late: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.layout.shape

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return size(self.map[0])

    @property
    def row_threads(self) -> int:
        """Threads of a CTA on one row."""
        return self.map[0].shape[0]

    @property
    def warps(self) -> int:
        """Warps of a CTA on one row; 1 when a warp holds several rows."""
        return max(1, self.row_threads // WARP)

    @property
    def blocks(self) -> int:
        """CTAs along the rows; turn t of CTA b takes row block b + t·blocks."""
        return -(-self.shape[0] // (self.tile[0] * self.turns))

    @property
    def ragged(self) -> bool:
        """Whether columns of a tile lie outside."""
        return self.tile[1] * self.cluster != self.shape[1]

    @property
    def weight(self) -> Layout:
        """RMSNorm's weights as a tensor of the same shape: one for all rows."""
        return Layout(self.shape, (0, 1))


def plan_rowwise(
    operation: str,
    rows: int,
    columns: int,
    name: str = "f32",
    *,
    ld: int | None = None,
    align: int = 16,
    threads: int | None = None,
    row_threads: int | None = None,
    cluster: int | None = None,
    held: int | None = None,
    turns: int | None = None,
    load: str = "evict_last",
    late: bool | None = None,
) -> RowwisePlan:
    """The plan that keeps about ``held`` elements a thread in registers.

    >>> plan = plan_rowwise("softmax", 1024, 1000, "bf16")
    >>> plan.tile, str(plan.map), plan.cluster, plan.ragged
    ((16, 1024), '((64,16),(8,2)):((128,1),(16,8192))', 1, True)
    >>> plan_rowwise("rmsnorm", 4096, 65536, "f32").cluster
    8
    """
    if operation not in OPERATIONS:
        raise InputError(f"no row-wise operation {operation}: one of {', '.join(OPERATIONS)}")
    ld = ld or columns
    if ld < columns:
        raise InputError(f"rows of {columns} do not fit a leading dimension of {ld}")
    bytes_ = element(name).bytes
    usual = _measured(operation, columns, bytes_)
    held, threads, turns = held or usual["held"], threads or usual["threads"], turns or usual["turns"]
    late = usual["late"] if late is None else late
    vector = gcd(columns, ld, min(16, align) // bytes_)
    if cluster is None:
        cluster = usual["cluster"] or 1
        most = 1024 if usual["cluster"] else 512  # threads of a row in one CTA
        while cluster < 8 and columns > cluster * most * held:
            cluster *= 2
    share = -(-columns // cluster)
    if row_threads is None:
        row_threads = 8
        while row_threads < 1024 and row_threads * held < share:
            row_threads *= 2
    threads = max(threads, row_threads)
    rest = -(-share // (vector * row_threads))
    height = threads // row_threads
    width = vector * row_threads * rest
    if cluster > 1 and width >= columns:
        # The tiles along a row would be one, and a coordinate past a single tile comes back to it.
        raise InputError(f"a cluster of {cluster} is too large for {columns} columns: one CTA holds them")
    turns = min(turns, -(-rows // height))
    # A mode of one element has stride 0: it adds nothing, and takes no alignment away.
    across, down = vector * height, 1 if height > 1 else 0
    tv = Layout(((row_threads, height), (vector, rest)), ((across, down), (height, across * row_threads)))
    matrix, tile = Layout((rows, columns), (ld, 1)), (height, width)
    return RowwisePlan(operation, name, matrix, align, tile, tv, cluster, turns, load=known_hint(load), late=late)


def _measured(operation: str, columns: int, bytes_: int) -> dict[str, Any]:
    """The choices for rows of this length, by the names of :func:`plan_rowwise`."""
    choices = next(found for longest, found in MEASURED[operation, 2 if bytes_ == 2 else 4] if columns <= longest)
    return dict(zip(("held", "threads", "turns", "cluster", "late"), choices, strict=True))


def operands(plan: RowwisePlan) -> tuple[Operand, ...]:
    """Source, weights (RMSNorm), and destination buffers."""
    count = int(cosize(plan.layout))  # type: ignore[arg-type]
    weights = (Operand("weight", plan.element, plan.shape[1], plan.align),) if plan.operation == "rmsnorm" else ()
    return (
        Operand("source", plan.element, count, plan.align),
        *weights,
        Operand("destination", plan.element, count, plan.align, True, False),
    )


def expects(plan: RowwisePlan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show."""
    bits = {plan.map[1].shape[0] * element(plan.element).bits}
    far = ("st.async", "mapa", "mbarrier.try_wait") if plan.cluster > 1 else ()
    return {("ld", "global"): bits, ("st", "global"): bits}, ("shfl.sync.bfly", *far, *expected_hint(plan.load))


def host(plan: RowwisePlan) -> Host:
    """The host function: source, (weights,) destination, stream."""
    import cutlass
    import cutlass.cute as cute
    from cutlass import Float32

    kind = dsl_type(plan.element)
    height = plan.tile[0]
    vector, rest = plan.map[1].shape
    count = vector * rest
    softmax = plan.operation == "softmax"
    group = min(WARP, plan.row_threads)
    warps, cluster = plan.warps, plan.cluster
    partials = warps * cluster
    figures = 2 if softmax else 1
    spread = 1 if partials <= 8 else group  # lanes that share the reading of a row's figures
    each = -(-partials // spread)
    columns = plan.shape[1]
    guarded = plan.ragged or plan.shape[0] != height * plan.blocks * plan.turns
    copies = min(2, plan.turns)
    log2e = 1.4426950408889634

    def folded(values: Any, function: Any) -> Any:
        """Values combined by pairs, a tree."""
        while len(values) > 1:
            pairs = [function(values[i], values[i + 1]) for i in range(0, len(values) - 1, 2)]
            values = pairs + ([values[-1]] if len(values) % 2 else [])
        return values[0]

    def of_warp(value: Any, function: Any) -> Any:
        """The combination over the threads of a warp on one row, in each of them."""
        return cute.arch.warp_reduction(value, function, threads_in_group=group)

    def add(a: Any, b: Any) -> Any:
        return a + b

    def finite(top: Any) -> Any:
        """The maximum to subtract; a row without a finite one gets a finite stand-in, so that -inf gives no mass."""
        return cute.arch.fmax(top, Float32(LOWEST))

    width = vector * kind.width

    @cute.jit
    def weighted(weights, where, scale, thread):  # type: ignore[no-untyped-def]
        """RMSNorm's weights of this thread's columns."""
        vectors = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), kind, num_bits_per_copy=width)
        for i in cutlass.range_constexpr(rest):
            if cutlass.const_expr(plan.ragged):
                if where[thread, (0, i)][1] < columns:
                    cute.copy(vectors, weights[thread, (None, i)], scale[None, i])
            else:
                cute.copy(vectors, weights[thread, (None, i)], scale[None, i])

    @cute.jit
    def exchanged(parts, thread, buffers, barriers, turn):  # type: ignore[no-untyped-def]
        """This thread's share of the figures of all warps on its row, from all CTAs of the cluster.

        Turns take two buffers in turn: who writes turn t + 2 has had every figure of turn t + 1, and those were sent by
        warps that had read turn t.
        """
        figures = len(parts)
        row, warp = thread // plan.row_threads, thread % plan.row_threads // WARP
        buffer = buffers[None, None, None, turn % copies]
        if cutlass.const_expr(cluster == 1):
            if thread % group == 0:
                for figure in cutlass.range_constexpr(figures):
                    buffer[figure, warp, row] = parts[figure]
            cute.arch.sync_threads()
        else:
            barrier = barriers + turn % copies
            if thread == 0:
                cute.arch.mbarrier_arrive_and_expect_tx(barrier, 4 * figures * partials * height)
            own = cute.make_rmem_tensor(figures, Float32)
            for figure in cutlass.range_constexpr(figures):
                own[figure] = parts[figure]
            bits = cute.recast_tensor(own, cutlass.Int32)
            slot = cute.arch.block_idx_in_cluster() * warps + warp
            peer = thread % group
            if peer < cluster:
                cute.arch.store_async_dsmem(
                    buffer[None, slot, row].iterator,
                    tuple(bits[figure] for figure in range(figures)) if figures > 1 else bits[0],
                    barrier,
                    peer,
                )
            cute.arch.mbarrier_wait(barrier, turn // copies % 2)
        mine = cute.make_rmem_tensor((figures, each), Float32)
        for i in cutlass.range_constexpr(each):
            for figure in cutlass.range_constexpr(figures):
                mine[figure, i] = Float32(LOWEST) if figures > 1 and figure == 0 else Float32(0.0)
            slot = i if spread == 1 else thread % spread + i * spread
            if cutlass.const_expr(each * spread == partials):
                cute.autovec_copy(buffer[None, slot, row], mine[None, i])
            else:
                if slot < partials:
                    cute.autovec_copy(buffer[None, slot, row], mine[None, i])
        return [[mine[figure, i] for i in range(each)] for figure in range(figures)]

    def of_row(values: Any, function: Any) -> Any:
        """The combination of all warps' figures, once every thread, or every lane in turn, holds its share of them."""
        return cute.arch.warp_reduction(folded(values, function), function, threads_in_group=spread)

    @cute.jit
    def loaded(source, where, into, thread):  # type: ignore[no-untyped-def]
        """A row block's elements on their way into registers; outside the matrix the reduction's identity."""
        vectors = cute.make_copy_atom(cute.nvgpu.CopyG2ROp(), kind, num_bits_per_copy=width)
        kept = keeping(plan.load)
        if cutlass.const_expr(guarded):
            into.fill(-kind.inf if softmax else kind(0.0))
        for i in cutlass.range_constexpr(rest):
            if cutlass.const_expr(guarded):
                if cute.elem_less(where[thread, (0, i)], plan.shape):
                    cute.copy(vectors, source[thread, (None, i)], into[None, i], **kept)
            else:
                cute.copy(vectors, source[thread, (None, i)], into[None, i], **kept)

    @cute.jit
    def worked(held, weights, scale, given, where, thread, buffers, barriers, turn):  # type: ignore[no-untyped-def]
        """The operation on a row block in registers, stored."""
        values = cute.make_rmem_tensor((vector, rest), Float32)
        values.store(held.load().to(Float32))
        if cutlass.const_expr(softmax):
            top = of_warp(folded([values[i] for i in range(count)], cute.arch.fmax), cute.arch.fmax)
            base = finite(top)
            for i in cutlass.range_constexpr(count):
                values[i] = cute.math.exp2((values[i] - base) * log2e, fastmath=True)
            total = of_warp(folded([values[i] for i in range(count)], add), add)
            factor = Float32(1.0)
            if cutlass.const_expr(partials > 1):
                bases, totals = exchanged([base, total], thread, buffers, barriers, turn)
                most = of_row(bases, cute.arch.fmax)
                total = of_row(
                    [t * cute.math.exp2((b - most) * log2e, fastmath=True) for b, t in zip(bases, totals, strict=True)],
                    add,
                )
                factor = cute.math.exp2((base - most) * log2e, fastmath=True)
            inverse = Float32(0.0)
            if total != 0.0:
                inverse = cute.arch.rcp_approx(total)
            factor = factor * inverse
            for i in cutlass.range_constexpr(count):
                values[i] = values[i] * factor
        else:
            total = of_warp(folded([values[i] * values[i] for i in range(count)], add), add)
            if cutlass.const_expr(partials > 1):
                (totals,) = exchanged([total], thread, buffers, barriers, turn)
                total = of_row(totals, add)
            if cutlass.const_expr(plan.late):
                weighted(weights, where, scale, thread)
            factor = cute.math.rsqrt(total * (1.0 / columns) + plan.epsilon, fastmath=True)
            for i in cutlass.range_constexpr(count):
                values[i] = values[i] * factor * scale[i].to(Float32)
        held.store(values.load().to(kind))
        vectors = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), kind, num_bits_per_copy=width)
        for i in cutlass.range_constexpr(rest):
            if cutlass.const_expr(guarded):
                if cute.elem_less(where[thread, (0, i)], plan.shape):
                    cute.copy(vectors, held[None, i], given[thread, (None, i)])
            else:
                cute.copy(vectors, held[None, i], given[thread, (None, i)])

    @cute.kernel  # type: ignore[untyped-decorator]
    def rowwise_kernel(source: cute.Tensor, weight: cute.Tensor | None, destination: cute.Tensor):  # type: ignore[no-untyped-def]
        thread, _, _ = cute.arch.thread_idx()
        down, across, _ = cute.arch.block_idx()
        tv = dsl_layout(plan.map)
        buffers, barriers = None, None
        if cutlass.const_expr(partials > 1):
            memory = cutlass.memory.SmemAllocator()
            slots = cute.make_layout((figures, partials, height, copies))
            buffers = memory.allocate_tensor(Float32, slots, byte_alignment=16)
            if cutlass.const_expr(cluster > 1):
                barriers = memory.allocate_array(cutlass.Int64, copies)
                if thread == 0:
                    for i in cutlass.range_constexpr(copies):
                        cute.arch.mbarrier_init(barriers + i, 1)
                    cute.arch.mbarrier_init_fence()
                cute.arch.cluster_arrive_relaxed()
        identity = cute.make_identity_tensor(plan.shape)
        where = cute.composition(cute.local_tile(identity, plan.tile, (down, across)), tv)
        held = cute.make_rmem_tensor((vector, rest), kind)
        loaded(cute.composition(cute.local_tile(source, plan.tile, (down, across)), tv), where, held, thread)
        scale = cute.make_rmem_tensor((vector, rest), kind)
        weights = None
        if cutlass.const_expr(not softmax):
            weights = cute.composition(cute.local_tile(weight, plan.tile, (0, across)), tv)
            if cutlass.const_expr(not plan.late):
                weighted(weights, where, scale, thread)
        if cutlass.const_expr(cluster > 1):
            cute.arch.cluster_wait()
        if cutlass.const_expr(plan.turns == 1):
            given = cute.composition(cute.local_tile(destination, plan.tile, (down, across)), tv)
            worked(held, weights, scale, given, where, thread, buffers, barriers, 0)
        else:
            ahead = cute.make_rmem_tensor((vector, rest), kind)
            for turn in cutlass.range(plan.turns, unroll=1):
                here, next_ = down + turn * plan.blocks, down + (turn + 1) * plan.blocks
                if turn + 1 < plan.turns:
                    following = cute.composition(cute.local_tile(source, plan.tile, (next_, across)), tv)
                    coming = cute.composition(cute.local_tile(identity, plan.tile, (next_, across)), tv)
                    loaded(following, coming, ahead, thread)
                given = cute.composition(cute.local_tile(destination, plan.tile, (here, across)), tv)
                at = cute.composition(cute.local_tile(identity, plan.tile, (here, across)), tv)
                worked(held, weights, scale, given, at, thread, buffers, barriers, turn)
                held.store(ahead.load())

    def launch(source: Any, weight: Any, destination: Any, stream: Any) -> None:
        layout = dsl_layout(plan.layout)
        weights = cute.make_tensor(weight, dsl_layout(plan.weight)) if weight is not None else None
        rowwise_kernel(cute.make_tensor(source, layout), weights, cute.make_tensor(destination, layout)).launch(
            grid=[plan.blocks, cluster, 1],
            block=[plan.threads, 1, 1],
            cluster=[1, cluster, 1] if cluster > 1 else None,
            stream=stream,
        )

    @cute.jit  # type: ignore[untyped-decorator]
    def softmax_host(source: cute.Pointer, destination: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        launch(source, None, destination, stream)

    @cute.jit  # type: ignore[untyped-decorator]
    def rmsnorm_host(source: cute.Pointer, weight: cute.Pointer, destination: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        launch(source, weight, destination, stream)

    return softmax_host if softmax else rmsnorm_host


def reference(plan: RowwisePlan, source: Any, *weights: Any) -> Any:
    """The exact rows in float64, from the values as stored: shape (M, N)."""
    import numpy as np

    x = rows_of(plan, source)
    if plan.operation == "rmsnorm":
        with np.errstate(invalid="ignore"):
            mean = np.mean(x * x, axis=1, keepdims=True)
            return x / np.sqrt(mean + plan.epsilon) * decode(weights[0], plan.element)
    with np.errstate(invalid="ignore"):
        top = np.max(x, axis=1, keepdims=True)
        mass = np.exp(x - np.where(top == -np.inf, 0.0, top))
        total = np.sum(mass, axis=1, keepdims=True)
        return np.where(total == 0, 0.0, mass / np.where(total == 0, 1.0, total))


def rows_of(plan: RowwisePlan, buffer: Any) -> Any:
    """The float64 values of a buffer as (M, N)."""
    import numpy as np

    rows, columns = plan.shape
    at = np.arange(rows)[:, None] * plan.layout.stride[0] + np.arange(columns)
    return decode(buffer[at], plan.element)


def bound(plan: RowwisePlan, expected: Any) -> Any:
    """How far a right answer may be from the exact one, element by element; derived, not tuned.

    u is float32's unit roundoff 2^-24. A sum over a tree of depth d of positive terms errs by d·u relatively. RMSNorm:
    the squares and their sum, the mean, rsqrt (2 ulp: CUDA's table of rsqrt.approx), two products. Softmax: an
    exponent t = (x - m)·log2(e) errs by 2u|t|, so exp2 by 2u|t|·ln 2 and its own 2 ulp, twice (relative to the warp,
    then to the row), the sum, rcp (1 ulp), two products; |t|·ln 2 is at most -ln(p) + ln(N) for a result p. Then one
    rounding to the element type, and its smallest subnormal where the result is not a normal number.
    """
    import numpy as np

    u = 2.0**-24
    kind = element(plan.element)
    depth = int(log2(max(plan.shape[1], 2))) + 4
    size_ = np.abs(expected)
    if plan.operation == "rmsnorm":
        relative = np.full_like(size_, (depth + 2) * u / 2 + 4 * u + 4 * u)
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            exponent = np.where(size_ > 0, -np.log(size_), 104.0) + np.log(plan.shape[1])
        relative = (2 * (2 * exponent + 4) + depth + 2 * np.log(plan.shape[1]) + 2 + 4) * u
    floor = 2.0 ** (2 - 2 ** (kind.exponent - 1) - (kind.fraction if kind.bits == 16 else 0))
    return size_ * (relative + kind.epsilon * (1 + relative)) + max(floor, 2.0**-126)


def emulate(plan: RowwisePlan, source: Any, *weights: Any) -> tuple[Any, Any]:
    """The thread–value map walked CTA by CTA, each thread's elements reduced in the kernel's order, in float64.

    Gives the rows (M, N) and how often each element was written.
    """
    import numpy as np

    rows, columns = plan.shape
    height, width = plan.tile
    x = rows_of(plan, source)
    found, seen = np.full((rows, columns), np.nan), np.zeros((rows, columns), int)
    threads, held = size(plan.map[0]), size(plan.map[1])
    steps = np.array([[plan.map((t, v)) for v in range(held)] for t in range(threads)])
    for down in range(plan.blocks * plan.turns):
        parts = []
        for across in range(plan.cluster):
            m, n = down * height + steps % height, across * width + steps // height
            inside = (m < rows) & (n < columns)
            fill = -np.inf if plan.operation == "softmax" else 0.0
            parts.append((m, n, inside, np.where(inside, x[np.minimum(m, rows - 1), np.minimum(n, columns - 1)], fill)))
        of_row = [np.arange(threads) // plan.row_threads == r for r in range(height)]
        for r in range(height):
            mine = [(m[of_row[r]], n[of_row[r]], i[of_row[r]], v[of_row[r]]) for m, n, i, v in parts]
            everything = np.concatenate([v.ravel() for *_, v in mine])
            if plan.operation == "softmax":
                top = max(float(np.max(everything)), LOWEST)
                total = float(np.sum(np.exp(everything - top)))
            else:
                scale = 1 / np.sqrt(np.sum(everything**2) / columns + plan.epsilon)
            for m, n, i, v in mine:
                if plan.operation == "softmax":
                    y = np.exp(v - top) / total if total else np.zeros_like(v)
                else:
                    y = v * scale * decode(weights[0], plan.element)[np.minimum(n, columns - 1)]
                found[m[i], n[i]] = y[i]
                np.add.at(seen, (m[i], n[i]), 1)
    return found, seen
