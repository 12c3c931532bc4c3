"""Offsets are computed in 32 bits: an element beyond is another one, and nothing says so"""

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
    rows = cute.make_tensor(t.iterator, cute.make_layout(64, stride=2**27))
    rows[thread] = 1.0


@cute.jit
def host(t: cute.Tensor):
    kernel(t).launch(grid=(1, 1, 1), block=(64, 1, 1))


compiled = cute.compile(host, make_fake_tensor(cutlass.Float32, (4096,), stride=(1,), assumed_align=16))
print(*(line.strip() for line in compiled.__ptx__.splitlines() if "shl" in line or "mul.wide" in line), sep="\n")

# right: thread 32 stores at 32 times 2^27 = 2^32 elements; shl.b32 gives 0, the element of thread 0
