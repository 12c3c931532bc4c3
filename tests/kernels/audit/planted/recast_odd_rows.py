"""Two 16-bit elements read as one of 32 bits where rows begin at odd elements."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((8, 4), stride=(1, 9))
    picked = cute.recast_layout(32, 16, rows)  # fault: recast, wrong or outside
    data[cute.crd2idx(thread % 16, picked)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((8, 4), stride=(1, 10))
    picked = cute.recast_layout(32, 16, rows)
    data[cute.crd2idx(thread % 16, picked)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
