"""What the planted kernels share: a kernel compiled with fake arguments, without a GPU and without torch."""

from collections.abc import Callable
from typing import Any

import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import make_fake_tensor


def compiled(
    kernel: Callable[..., Any],
    *,
    threads: int = 128,
    blocks: int = 1,
    dtype: Any = cutlass.Float32,
    size: int = 1 << 16,
) -> None:
    """Compile a kernel of one tensor, ``size`` elements in a row, aligned to 16 bytes."""

    @cute.jit
    def host(data: cute.Tensor) -> None:
        kernel(data).launch(grid=(blocks, 1, 1), block=(threads, 1, 1))

    cute.compile(host, make_fake_tensor(dtype, (size,), stride=(1,), assumed_align=16))


def tiled_copy(dtype: Any, bits: int, threads: cute.Layout, values: cute.Layout) -> cute.TiledCopy:
    """A tiled copy with vectors of some bits."""
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), dtype, num_bits_per_copy=bits)
    return cute.make_tiled_copy_tv(atom, threads, values)
