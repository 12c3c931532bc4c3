"""An array of 2^34 elements and coordinates of 32 bits: the offset of its last rows wraps round."""

import cutlass
import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    rows = cute.make_tensor(data.iterator, cute.make_layout((262144, 65536), stride=(65536, 1)))
    row = rows[block, None]  # fault: slice, outside or wrong
    row[thread] = 0.0


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    rows = cute.make_tensor(data.iterator, cute.make_layout((262144, 65536), stride=(65536, 1)))
    row = rows[cutlass.Int64(block), None]
    row[thread] = 0.0


def fault():
    compiled(faulty, blocks=262144)


def twin():
    compiled(clean, blocks=262144)
