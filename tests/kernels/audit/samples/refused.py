"""A kernel whose complement has a size of zero for ``k`` 3, which the DSL refuses to count; none for ``k`` 6."""

import cutlass
from cutlass import Constexpr, cute

SIZE = 24


@cute.kernel
def kernel(g: cute.Tensor, k: Constexpr):
    layout = cute.make_layout((2, 6), stride=(3, 2)) if k == 3 else cute.make_layout((2, 6), stride=(6, 1))
    c = cute.complement(layout, SIZE)
    # the DSL makes the complement, and refuses to ask for its size
    g[cute.size(c)] = cutlass.Float32(2)


@cute.jit
def host(g: cute.Tensor, k: Constexpr):
    kernel(g, k).launch(grid=(1, 1, 1), block=(32, 1, 1))
