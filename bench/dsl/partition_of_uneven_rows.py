"""A partition counts tiles along a mode of parts as if it had no parts"""

import os

os.environ.update(CUTE_DSL_NO_CACHE="1", CUTE_DSL_ARCH="sm_90a")
import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor


@cute.kernel
def kernel(t: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    tensor = cute.make_tensor(t.iterator, cute.make_layout(((6, 2), 4), stride=((1, 8), 16)))
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32, num_bits_per_copy=32)
    tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((4, 4)), cute.make_layout((1, 1)))
    print("part:", tiled.get_slice(thread).partition_S(tensor).layout)


@cute.jit
def host(t: cute.Tensor):
    kernel(t).launch(grid=(1, 1, 1), block=(16, 1, 1))


compiled = cute.compile(host, make_fake_tensor(cutlass.Float32, (4096,), stride=(1,), assumed_align=16))

# right: 12 rows are 3 tiles of 4, not 4; thread 0 has rows 0, 4 and 8, which lie at 0, 4 and 10, where the part has
#   0, 4, 8, 12
