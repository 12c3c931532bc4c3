"""Four warps in a tiled MMA on three tiles: two of them own the same elements of C."""

import cutlass
import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.nvgpu.warp.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (16, 8, 16))
    tiled = cute.make_tiled_mma(atom, cute.make_layout((2, 2, 1), stride=(1, 1, 0)))  # fault: tiled_mma, wrong
    rows = cute.make_tensor(data.iterator, cute.make_layout((32, 16), stride=(16, 1)))
    part = tiled.get_slice(thread).partition_C(rows)
    part.fill(0.0)


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.nvgpu.warp.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (16, 8, 16))
    tiled = cute.make_tiled_mma(atom, cute.make_layout((2, 2, 1), stride=(1, 2, 0)))
    rows = cute.make_tensor(data.iterator, cute.make_layout((32, 16), stride=(16, 1)))
    part = tiled.get_slice(thread).partition_C(rows)
    part.fill(0.0)


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
