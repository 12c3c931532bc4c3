"""Kernels of quack-kernels: each function compiles one, through the package's own way, with its own fake tensors."""

from cutlass import BFloat16, Float32, Int64
from quack import gemm_interface
from quack.cross_entropy import CrossEntropy, CrossEntropyBackward
from quack.rms_final_reduce import _compile_rms_final_reduce
from quack.rmsnorm import _compile_rmsnorm_bwd, _compile_rmsnorm_fwd
from quack.rotary import RotaryKernel
from quack.softmax import Softmax, SoftmaxBackward
from quack.split_k_reduce import _compile_split_k_reduce
from quack.topk import TopK, TopKBackward
from quack.transform.hadamard import HadamardTransform
from torch._subclasses.fake_tensor import FakeTensorMode

from .environment import launching
from .fake import fake


def softmax() -> None:
    Softmax.compile(BFloat16, BFloat16, 4096)


def softmax_cluster() -> None:
    Softmax.compile(BFloat16, BFloat16, 65536)


def softmax_bwd() -> None:
    SoftmaxBackward.compile(BFloat16, BFloat16, BFloat16, 8192)


def rmsnorm() -> None:
    _compile_rmsnorm_fwd(BFloat16, BFloat16, None, BFloat16, None, None, 4096, True, False, False, False)


def rmsnorm_bwd() -> None:
    _compile_rmsnorm_bwd(4096, BFloat16, BFloat16, BFloat16, BFloat16, False, None, None, True)


def cross_entropy() -> None:
    CrossEntropy.compile(BFloat16, Int64, None, 32000, True, False, None, 1)


def cross_entropy_bwd() -> None:
    CrossEntropyBackward.compile(BFloat16, Int64, 32000, None)


def topk() -> None:
    TopK.compile(BFloat16, 1024, 32, True)


def topk_bwd() -> None:
    TopKBackward.compile(BFloat16, BFloat16, BFloat16, 1024, 32, True)


def hadamard() -> None:
    HadamardTransform.compile(BFloat16, 4096, False)


def rotary() -> None:
    RotaryKernel.compile(BFloat16, BFloat16, None, None, 128, False, False)


def split_k_reduce() -> None:
    _compile_split_k_reduce(BFloat16, 4, False, 4, 1, 0, None, None, None)


def rms_final_reduce() -> None:
    _compile_rms_final_reduce(Float32, 64)


def gemm() -> None:
    """Dense, of the class that the architecture asks for; its launch is refused after the compile."""
    with FakeTensorMode(), launching():
        gemm_interface.gemm(fake(4096, 1024), fake(1024, 2048), tuned=False)


def gemm_gelu() -> None:
    """The same with an activation in its epilogue."""
    with FakeTensorMode(), launching():
        gemm_interface.gemm_act(fake(4096, 1024), fake(1024, 2048), activation="gelu_tanh_approx", tuned=False)
