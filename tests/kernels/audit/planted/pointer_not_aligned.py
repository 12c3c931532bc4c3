"""Vectors of 128 bits from a pointer that is aligned to 8 bytes."""

import cutlass
import cutlass.cute as cute
from kit import compiled, tiled_copy


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.utils.SmemAllocator()
    shared = memory.allocate_tensor(cutlass.Float32, cute.make_layout((16, 32), stride=(32, 1)), byte_alignment=128)
    rows = cute.make_tensor(data.iterator + 2, cute.make_layout((16, 32), stride=(32, 1)))
    tiled = tiled_copy(cutlass.Float32, 128, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 4)))
    part = tiled.get_slice(thread)
    cute.copy(tiled, part.partition_S(rows), part.partition_D(shared))  # fault: copy, wrong


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.utils.SmemAllocator()
    shared = memory.allocate_tensor(cutlass.Float32, cute.make_layout((16, 32), stride=(32, 1)), byte_alignment=128)
    rows = cute.make_tensor(data.iterator + 4, cute.make_layout((16, 32), stride=(32, 1)))
    tiled = tiled_copy(cutlass.Float32, 128, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 4)))
    part = tiled.get_slice(thread)
    cute.copy(tiled, part.partition_S(rows), part.partition_D(shared))


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
