"""A kernel with a composition that the DSL gets wrong; nothing is compiled when this file is run."""

import cutlass
from cutlass import cute


@cute.kernel
def kernel(t: cute.Tensor, n: cutlass.Int32):
    a = cute.make_layout((6, 2), stride=(1, 7))
    b = cute.make_layout((3, 2), stride=(2, 3))
    c = cute.composition(a, b)
    thread, _, _ = cute.arch.thread_idx()
    if n > 3:
        t[thread] = cutlass.Float32(cute.size(c))


@cute.jit
def host(t: cute.Tensor, n: cutlass.Int32):
    kernel(t, n).launch(grid=(1, 1, 1), block=(32, 1, 1))


def make(threads: int):
    @cute.jit
    def made(t: cute.Tensor):
        kernel(t, 3).launch(grid=(1, 1, 1), block=(threads, 1, 1))

    return made


def make_with_arguments():
    return host, cute.runtime.make_fake_tensor(cutlass.Float32, (128,), stride=(1,)), 3


def compile_itself():
    cute.compile(*make_with_arguments())


class Object:
    @cute.jit
    def __call__(self, t: cute.Tensor):
        kernel(t, 3).launch(grid=(1, 1, 1), block=(32, 1, 1))


def make_object():
    return Object()
