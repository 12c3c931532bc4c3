"""The complement of a layout whose modes interleave: the DSL gives a mode of extent 0."""

import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    block = cute.make_layout((2, 6), stride=(3, 2))
    rest = cute.complement(block, 24)  # fault: complement, wrong
    data[cute.rank(rest)] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    block = cute.make_layout((2, 6), stride=(1, 2))
    rest = cute.complement(block, 24)
    data[cute.rank(rest)] = 0.0


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
