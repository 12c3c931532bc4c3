"""The complement of a layout that reaches an element twice."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    block = cute.make_layout((6, 4), stride=(1, 4))
    rest = cute.complement(block, 48)  # fault: complement, wrong or outside
    data[cute.rank(rest)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    block = cute.make_layout((4, 6), stride=(1, 4))
    rest = cute.complement(block, 48)
    data[cute.rank(rest)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
