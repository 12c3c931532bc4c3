"""A product that ends the process: its tile does not fit between what the block leaves free."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block = cute.make_layout((6, 6), stride=(16, 3))
    picked = cute.logical_product(block, cute.make_layout(6, stride=3))  # fault: product, not checked
    data[cute.crd2idx(thread, picked)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block = cute.make_layout((6, 6), stride=(6, 1))
    picked = cute.logical_product(block, cute.make_layout(6, stride=3))
    data[cute.crd2idx(thread, picked)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
