"""Kernels of nvidia-cutlass-operators: each function compiles one that the package's interface finds."""

import cutlass.operators as ops
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from .environment import architecture
from .fake import fake


def _compile(name: str, arguments: ops.RuntimeArguments) -> None:
    """Compile the first operator of the class that takes the arguments."""
    sm = architecture().removeprefix("sm_")
    found = [one for one in ops.get_operators(arguments, target_sm=sm) if type(one).__name__ == name]
    found[0].compile(arguments)


def _dense(name: str, rows: int = 4096) -> None:
    with FakeTensorMode():
        _compile(name, ops.GemmArguments(fake(1, rows, 1024), fake(1, 1024, 2048), fake(1, rows, 2048), torch.float32))


def gemm_sm80() -> None:
    _dense("Sm80TensorOpGemmOperator")


def gemm_sm90() -> None:
    _dense("Sm90StaticPersistentGemmOperator")


def gemm_sm100() -> None:
    _dense("PersistentDenseGemmOperator")


def gemm_sm100_epilogue() -> None:
    _dense("PersistentDenseGemmEFCOperator")


def gemm_sm100_preferred_cluster() -> None:
    _dense("PersistentDenseGemmPreferredClusterOperator")


def gemm_sm100_narrow() -> None:
    """Few rows; B with K contiguous."""
    with FakeTensorMode():
        b = fake(1, 2048, 1024).transpose(1, 2)
        _compile("TgvGemmOperator", ops.GemmArguments(fake(1, 16, 1024), b, fake(1, 16, 2048), torch.float32))


def gemm_sm100_mixed() -> None:
    with FakeTensorMode():
        a = fake(1, 4096, 1024, dtype=torch.int8)
        _compile(
            "MixedInputGemmOperator", ops.GemmArguments(a, fake(1, 1024, 2048), fake(1, 4096, 2048), torch.float32)
        )


def gemm_sm100_block_scaled() -> None:
    with FakeTensorMode():
        a, b = fake(1, 4096, 1024, dtype=torch.float8_e4m3fn), fake(1, 2048, 1024, dtype=torch.float8_e4m3fn)
        scales = [fake(1, rows, 32, dtype=torch.float8_e8m0fnu) for rows in (4096, 2048)]
        mode, swizzle = ops.ScaleMode.Blockwise1x32, ops.ScaleSwizzleMode.Swizzle32x4x4
        _compile(
            "PersistentDenseBlockScaledGemmOperator",
            ops.GemmArguments(
                ops.ScaledOperand(a, scales[0], mode, swizzle),
                ops.ScaledOperand(b.transpose(1, 2), scales[1], mode, swizzle),
                fake(1, 4096, 2048),
                torch.float32,
            ),
        )


def gemm_sm100_grouped() -> None:
    with FakeTensorMode():
        _compile(
            "ContiguousOffset2D3DGemmDenseOperator",
            ops.IndexPtrGroupedGemmArguments(
                fake(4096, 1024),
                fake(4, 2048, 1024).transpose(1, 2),
                fake(4096, 2048),
                torch.float32,
                offsets=fake(4, dtype=torch.int32),
                offsets_along="m",
            ),
        )
