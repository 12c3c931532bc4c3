"""A swizzle in bytes where a layout's is in elements: two rows in eight stay on the same banks."""

import cutlass
import cutlass.cute as cute
from kit import compiled, tiled_copy


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.utils.SmemAllocator()
    rows = cute.make_layout((32, 64), stride=(64, 1))
    mixed = cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, rows)
    shared = memory.allocate_tensor(cutlass.BFloat16, mixed, byte_alignment=128)
    tiled = tiled_copy(cutlass.BFloat16, 128, cute.make_layout((32, 4)), cute.make_layout((1, 8)))
    part = tiled.get_slice(thread).partition_D(shared)  # fault: partition_D, outside
    part.fill(0.0)


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.utils.SmemAllocator()
    rows = cute.make_layout((32, 64), stride=(64, 1))
    mixed = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, rows)
    shared = memory.allocate_tensor(cutlass.BFloat16, mixed, byte_alignment=128)
    tiled = tiled_copy(cutlass.BFloat16, 128, cute.make_layout((32, 4)), cute.make_layout((1, 8)))
    part = tiled.get_slice(thread).partition_D(shared)
    part.fill(0.0)


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
