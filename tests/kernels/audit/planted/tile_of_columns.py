"""Tiles by mode, of three in rows of four: wrong tiler for one of the two modes."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout(((4, 3), 8), stride=((3, 1), 12))
    picked = cute.zipped_divide(rows, (cute.make_layout(3), cute.make_layout(4)))  # fault: divide, wrong or outside
    data[cute.crd2idx(thread % 12, picked)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout(((4, 3), 8), stride=((3, 1), 12))
    picked = cute.zipped_divide(rows, (cute.make_layout(2), cute.make_layout(4)))
    data[cute.crd2idx(thread % 12, picked)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
