"""A tile of four in rows of six with a gap between them: it does not divide, and the DSL answers all the same."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((6, 2), stride=(1, 7))
    picked = cute.logical_divide(rows, cute.make_layout(4))  # fault: divide, wrong or outside
    data[cute.crd2idx(thread % 12, picked)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((6, 2), stride=(1, 7))
    picked = cute.logical_divide(rows, cute.make_layout(3))
    data[cute.crd2idx(thread % 12, picked)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
