"""GEMM (2.6.2 of the paper): C(m,n) += Σₖ A(m,k)·B(n,k), plain multiply–add, whatever the layouts of A, B and C are.

The three tensors are functions of two integral coordinates, so the modes may be as deep as they like: NT, TN, NTT,
BLIS, GETT and CONV (B through an overlapping im2col layout) are rows of one kernel; a third mode makes a batch. One
thread–value layout over the (M, N) tile of a block deals out the elements of C. Judged by correctness, not by speed.
"""

from dataclasses import dataclass
from typing import Any

from ..model.errors import InputError
from ..model.layout import Layout
from ..model.properties import cosize, size
from .build import Operand
from .element import decode, element
from .lower import Host, dsl_layout, dsl_type

NAME = "gemm"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")


@dataclass(frozen=True)
class GemmPlan:
    """A (M,K[,L]), B (N,K[,L]), C (M,N[,L]); sums in ``accumulator``; ``map`` is (threads, values) onto a tile.

    The map's values are ((m values, n values)): a thread holds their product of elements.
    """

    element: str
    accumulator: str
    output: str
    a: Layout
    b: Layout
    c: Layout
    tile: tuple[int, int]
    map: Layout

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """M, N, K and L."""
        return size(self.c[0]), size(self.c[1]), size(self.a[1]), size(self.c[2]) if len(self.c) > 2 else 1

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return size(self.map[0])


def plan_gemm(
    a: Layout,
    b: Layout,
    c: Layout,
    name: str = "f32",
    *,
    output: str | None = None,
    accumulator: str | None = None,
    tile: tuple[int, int] = (32, 32),
) -> GemmPlan:
    """The plan; the paper's preconditions on sizes are checked.

    >>> plan = plan_gemm(Layout((8, 6), (1, 8)), Layout((5, 6), (1, 5)), Layout((8, 5), (1, 8)))
    >>> plan.sizes, str(plan.map)
    ((8, 5, 6, 1), '((16,16),(2,2)):((1,32),(16,512))')
    """
    ranks = {len(a), len(b), len(c)}
    if ranks not in ({2}, {3}):
        raise InputError("GEMM takes three layouts of rank 2, or of rank 3 with a batch mode")
    pairs = [("M", a[0], c[0]), ("N", b[0], c[1]), ("K", a[1], b[1])]
    if ranks == {3}:
        pairs += [("L", a[2], c[2]), ("L", b[2], c[2])]
    for mode, left, right in pairs:
        if size(left) != size(right):
            raise InputError(f"GEMM needs equal sizes of {mode}: {size(left)} and {size(right)}")
    height, width = tile
    tv = Layout(((16, 16), (height // 16, width // 16)), ((1, height), (16, 16 * height)))
    wide = accumulator or ("f64" if name == "f64" else "f32")
    return GemmPlan(name, wide, output or name, a, b, c, tile, tv)


def im2col(
    image: tuple[int, int, int, int, int], channel_stride: int, filter_: tuple[int, int, int], strides: tuple[int, ...]
) -> Layout:
    """An image (N, D, H, W, C) as the ((N,Z,P,Q),(C,T,R,S)) tensor of a convolution without padding: windows overlap.

    ``strides`` are those of N, D, H, W; ``channel_stride`` that of C; ``filter_`` is (T, R, S).

    >>> str(im2col((1, 1, 4, 4, 2), 1, (1, 3, 3), (32, 32, 8, 2)))
    '((1,1,2,2),(2,1,3,3)):((32,32,8,2),(1,32,8,2))'
    """
    n, depth, height, width, channels = image
    t, r, s = filter_
    if min(depth - t, height - r, width - s) < 0:
        raise InputError(f"a filter {filter_} is larger than the image {image[1:4]}")
    return Layout(
        ((n, depth - t + 1, height - r + 1, width - s + 1), (channels, t, r, s)),
        (tuple(strides), (channel_stride, *strides[1:])),
    )


def operands(plan: GemmPlan) -> tuple[Operand, ...]:
    """A, B, and C, which is read and written."""
    return (
        Operand("a", plan.element, int(cosize(plan.a)), element(plan.element).bytes),  # type: ignore[arg-type]
        Operand("b", plan.element, int(cosize(plan.b)), element(plan.element).bytes),  # type: ignore[arg-type]
        Operand("c", plan.output, int(cosize(plan.c)), element(plan.output).bytes, True),  # type: ignore[arg-type]
    )


def expects(plan: GemmPlan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show: elements, one at a time."""
    reads = {element(plan.element).bits, element(plan.output).bits}
    return {("ld", "global"): reads, ("st", "global"): {element(plan.output).bits}}, ("fma.rn",)


def host(plan: GemmPlan) -> Host:
    """The host function: A, B, C, stream."""
    import cutlass
    import cutlass.cute as cute

    rows, columns, depth, batches = plan.sizes
    wide, out = dsl_type(plan.accumulator), dsl_type(plan.output)
    batched = len(plan.c) > 2
    across, down = -(-columns // plan.tile[1]), -(-rows // plan.tile[0])
    many, wide_many = plan.map[1].shape

    @cute.kernel  # type: ignore[untyped-decorator]
    def gemm_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):  # type: ignore[no-untyped-def]
        thread, _, _ = cute.arch.thread_idx()
        bm, bn, batch = cute.arch.block_idx()
        coordinates = cute.local_tile(
            cute.make_identity_tensor((down * plan.tile[0], across * plan.tile[1])), plan.tile, (bm, bn)
        )
        where = cute.composition(coordinates, dsl_layout(plan.map))
        left = cute.make_rmem_tensor(many, wide)
        right = cute.make_rmem_tensor(wide_many, wide)
        sums = cute.make_rmem_tensor((many, wide_many), wide)
        sums.fill(0.0)
        left.fill(0.0)
        right.fill(0.0)
        for k in cutlass.range(depth):
            for i in cutlass.range_constexpr(many):
                m = where[thread, (i, 0)][0]
                if m < rows:
                    left[i] = a[(m, k, batch) if batched else (m, k)].to(wide)
            for j in cutlass.range_constexpr(wide_many):
                n = where[thread, (0, j)][1]
                if n < columns:
                    right[j] = b[(n, k, batch) if batched else (n, k)].to(wide)
            for i in cutlass.range_constexpr(many):
                for j in cutlass.range_constexpr(wide_many):
                    sums[i, j] = sums[i, j] + left[i] * right[j]
        for i in cutlass.range_constexpr(many):
            for j in cutlass.range_constexpr(wide_many):
                at = where[thread, (i, j)]
                if cute.elem_less(at, (rows, columns)):
                    crd = (at[0], at[1], batch) if batched else (at[0], at[1])
                    c[crd] = (c[crd].to(wide) + sums[i, j]).to(out)

    @cute.jit  # type: ignore[untyped-decorator]
    def gemm_host(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        gemm_kernel(
            cute.make_tensor(a, dsl_layout(plan.a)),
            cute.make_tensor(b, dsl_layout(plan.b)),
            cute.make_tensor(c, dsl_layout(plan.c)),
        ).launch(grid=[down, across, batches], block=[plan.threads, 1, 1], stream=stream)

    return gemm_host


def matrix(layout: Layout, buffer: Any, name: str) -> Any:
    """The float64 values of a buffer seen through a layout of rank 2 or 3: (rows, columns, batch)."""
    import numpy as np

    parts = [np.array([int(mode(i)) for i in range(size(mode))]) for mode in layout]
    if len(parts) == 2:
        parts.append(np.zeros(1, int))
    at = parts[0][:, None, None] + parts[1][None, :, None] + parts[2][None, None, :]
    return decode(buffer[at], name)


def reference(plan: GemmPlan, a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    """The exact C + A·Bᵗ in float64, and |C| + |A|·|B|ᵗ, which the bound is made of: both (M, N, L)."""
    import numpy as np

    left, right = matrix(plan.a, a, plan.element), matrix(plan.b, b, plan.element)
    before = matrix(plan.c, c, plan.output)
    exact = before + np.einsum("mkl,nkl->mnl", left, right)
    return exact, np.abs(before) + np.einsum("mkl,nkl->mnl", np.abs(left), np.abs(right))


def bound(plan: GemmPlan, exact: Any, magnitude: Any) -> Any:
    """K products added one after the other, each sum rounded once (fma), then C added: (K + 1)·u·(|C| + |A||B|), and
    one rounding to the output type. Products of 16-bit elements are exact in float32."""
    import numpy as np

    u = element(plan.accumulator).epsilon
    inner = (plan.sizes[2] + 1) * u * magnitude * 1.01
    return inner + element(plan.output).epsilon * (np.abs(exact) + inner) + 2.0**-126


def emulate(plan: GemmPlan, a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    """The map walked block by block, thread by thread, in float64: (M, N, L), and how often each was written."""
    import numpy as np

    rows, columns, _, batches = plan.sizes
    left, right = matrix(plan.a, a, plan.element), matrix(plan.b, b, plan.element)
    found, seen = matrix(plan.c, c, plan.output).copy(), np.zeros((rows, columns, batches), int)
    height, width = plan.tile
    for bm in range(-(-rows // height)):
        for bn in range(-(-columns // width)):
            for step in range(size(plan.map)):
                index = plan.map(step)
                m, n = bm * height + index % height, bn * width + index // height
                if m < rows and n < columns:
                    found[m, n] += np.einsum("kl,kl->l", left[m], right[n])
                    seen[m, n] += 1
    return found, seen
