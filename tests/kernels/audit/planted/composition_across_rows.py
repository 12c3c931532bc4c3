"""A composition whose second mode straddles two rows: the DSL answers with the right operand itself."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((6, 2), stride=(1, 7))
    picked = cute.composition(rows, cute.make_layout((3, 2), stride=(2, 3)))  # fault: composition, wrong
    data[cute.crd2idx(thread % 6, picked)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    rows = cute.make_layout((6, 2), stride=(1, 7))
    picked = cute.composition(rows, cute.make_layout((3, 2), stride=(2, 6)))
    data[cute.crd2idx(thread % 6, picked)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
