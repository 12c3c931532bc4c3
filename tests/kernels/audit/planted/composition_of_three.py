"""A composition that jumps over the first mode of three: the DSL answers with another function."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((4, 6, 8), stride=(2, 3, 5))
    picked = cute.composition(rows, cute.make_layout(6, stride=3))  # fault: composition, wrong
    data[cute.crd2idx(thread % 6, picked)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((4, 6, 8), stride=(2, 3, 5))
    picked = cute.composition(rows, cute.make_layout(6, stride=4))
    data[cute.crd2idx(thread % 6, picked)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
