"""The wrong tiler: threads own elements past the end of the tile."""

import cutlass
import cutlass.cute as cute
from kit import compiled


@cute.kernel
def faulty(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32, num_bits_per_copy=32)
    values = cute.make_layout((128, 4), stride=(1, 128))
    tiled = cute.make_tiled_copy(atom, values, (16, 16))  # fault: tiled_copy, wrong
    slice_ = tiled.get_slice(thread)
    tile = cute.make_tensor(data.iterator, cute.make_layout((16, 32), stride=(32, 1)))
    copy = cute.make_tensor(data.iterator + 512, cute.make_layout((16, 32), stride=(32, 1)))
    cute.copy(tiled, slice_.partition_S(tile), slice_.partition_D(copy))  # follows from the fault


@cute.kernel
def clean(data: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32, num_bits_per_copy=32)
    values = cute.make_layout((128, 4), stride=(1, 128))
    tiled = cute.make_tiled_copy(atom, values, (16, 32))
    slice_ = tiled.get_slice(thread)
    tile = cute.make_tensor(data.iterator, cute.make_layout((16, 32), stride=(32, 1)))
    copy = cute.make_tensor(data.iterator + 512, cute.make_layout((16, 32), stride=(32, 1)))
    cute.copy(tiled, slice_.partition_S(tile), slice_.partition_D(copy))


def fault():
    compiled(faulty)


def twin():
    compiled(clean)
