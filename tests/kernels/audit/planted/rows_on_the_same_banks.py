"""A swizzle for rows of 128 bytes on rows of 256: two rows in eight stay on the same banks."""

import cutlass
import cutlass.cute as cute
from kit import compiled, tiled_copy


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.utils.SmemAllocator()
    shared = memory.allocate_tensor(
        cutlass.BFloat16,
        cute.make_layout((32, 128), stride=(128, 1)),
        byte_alignment=128,
        swizzle=cute.make_swizzle(3, 4, 3),
    )
    rows = cute.make_tensor(data.iterator, cute.make_layout((32, 128), stride=(128, 1)))
    tiled = tiled_copy(cutlass.BFloat16, 128, cute.make_layout((32, 4)), cute.make_layout((1, 8)))
    part = tiled.get_slice(thread)
    cute.copy(tiled, part.partition_S(rows), part.partition_D(shared))  # fault: copy, wrong


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.utils.SmemAllocator()
    shared = memory.allocate_tensor(
        cutlass.BFloat16,
        cute.make_layout((32, 128), stride=(128, 1)),
        byte_alignment=128,
        swizzle=cute.make_swizzle(3, 4, 4),
    )
    rows = cute.make_tensor(data.iterator, cute.make_layout((32, 128), stride=(128, 1)))
    tiled = tiled_copy(cutlass.BFloat16, 128, cute.make_layout((32, 4)), cute.make_layout((1, 8)))
    part = tiled.get_slice(thread)
    cute.copy(tiled, part.partition_S(rows), part.partition_D(shared))


def fault():
    compiled(faulty, dtype=cutlass.BFloat16)


def twin():
    compiled(clean, dtype=cutlass.BFloat16)
