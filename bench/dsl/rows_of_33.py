"""A copy of 128 bits becomes four of 32, without a word, where rows are 33 elements apart"""

import os
import tempfile

os.environ.update(
    CUTE_DSL_NO_CACHE="1", CUTE_DSL_ARCH="sm_90a", CUTE_DSL_KEEP="ptx", CUTE_DSL_DUMP_DIR=tempfile.mkdtemp()
)
import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor


@cute.kernel
def kernel(t: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    tensor = cute.make_tensor(t.iterator, cute.make_layout((2, 32), stride=(33, 1)))
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32, num_bits_per_copy=128)
    tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((1, 8)), cute.make_layout((1, 4)))
    part = tiled.get_slice(thread).partition_S(tensor)
    values = cute.make_fragment_like(part)
    cute.copy(tiled, part, values)
    for k in cutlass.range_constexpr(8):
        t[100 + thread * 8 + k] = values[k]


@cute.jit
def host(t: cute.Tensor):
    kernel(t).launch(grid=(1, 1, 1), block=(8, 1, 1))


compiled = cute.compile(host, make_fake_tensor(cutlass.Float32, (4096,), stride=(1,), assumed_align=16))
print(sum("ld.global.b32" in line for line in compiled.__ptx__.splitlines()), "loads of 32 bits")

# right: 2 loads of 128 bits, as with stride 32, or a refusal; results are unaffected
