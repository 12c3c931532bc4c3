"""A kernel of docs/audit.md: which composition it does is a constant of its host function."""

import cutlass
from cutlass import cute


@cute.kernel
def gather(x: cute.Tensor, o: cute.Tensor, picks: cutlass.Constexpr):
    """Thread i writes element i of o: the element of x that a composed layout names."""
    table = cute.make_layout((6, 2), stride=(1, 7))
    order = cute.make_layout((3, 2), stride=picks)
    mine = cute.composition(table, order)
    thread, _, _ = cute.arch.thread_idx()
    tiles = cute.zipped_divide(o, (6,))
    tiles[(thread, 0)] = x[mine(thread)]


@cute.jit
def host(x: cute.Tensor, o: cute.Tensor, picks: cutlass.Constexpr):
    """Launches six threads."""
    gather(x, o, picks).launch(grid=(1, 1, 1), block=(6, 1, 1))
