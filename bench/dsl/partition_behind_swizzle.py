"""A partition of a swizzled tensor is the same for all threads where it is not"""

import os

os.environ.update(CUTE_DSL_NO_CACHE="1", CUTE_DSL_ARCH="sm_90a")
import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor


@cute.kernel
def kernel(t: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    memory = cutlass.memory.SmemAllocator()
    rows = cute.make_layout((96, 16))
    mixed = cute.make_composed_layout(cute.make_swizzle(1, 4, 3), 0, rows)
    tensor = memory.allocate_tensor(cutlass.BFloat16, mixed, 128)
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.BFloat16, num_bits_per_copy=32)
    tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((2, 1)))
    print("part:", tiled.get_slice(thread).partition_D(tensor).layout)


@cute.jit
def host(t: cute.Tensor):
    kernel(t).launch(grid=(1, 1, 1), block=(128, 1, 1))


compiled = cute.compile(host, make_fake_tensor(cutlass.Float32, (4096,), stride=(1,), assumed_align=16))

# right: thread 1 has (0,1) and (32,1), at 96 and 128, which S<1,4,3> takes to 96 and 144: 48 apart, where the part
#   has 32
