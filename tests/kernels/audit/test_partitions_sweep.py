"""Random partitions against plain loops: right where every point agrees, wrong where one does not."""

from itertools import product
from random import Random
from typing import Any

import pytest

from veritile.kernels.audit.verdict import RIGHT, WRONG
from veritile.model.htuple import flatten, size, text_of, unflatten
from veritile.model.layout import Layout
from veritile.model.swizzle import Swizzle

from .calling import decide, mutants_of_layout

THREAD = '!cute.coord<"?">'


def shuffled(rng: Random, sizes: tuple[int, ...], gap: int = 1) -> tuple[int, ...]:
    """Compact strides in some order, the whole ``gap`` apart."""
    strides, step = [0] * len(sizes), gap
    for i in rng.sample(range(len(sizes)), len(sizes)):
        strides[i], step = step, step * sizes[i]
    return tuple(strides)


class Random2D:
    """A tiled copy of powers of two and a tensor of two modes that it divides."""

    def __init__(self, rng: Random):
        self.vector = rng.choice([1, 2, 4])
        threads, values = rng.choice([4, 8]), self.vector * rng.choice([1, 2])
        rows = rng.choice([2, 4])
        self.tile = rows, threads * values // rows
        self.tv = Layout((threads, values), shuffled(rng, (threads, values)))
        rests = rng.choice([1, 2, 4]), rng.choice([1, 2])
        shape: Any = tuple(t * r for t, r in zip(self.tile, rests, strict=True))
        shape = tuple((2, s // 2) if s > 2 and rng.random() < 0.5 else s for s in shape)
        self.tensor = Layout(shape, unflatten(shuffled(rng, flatten(shape)), shape))
        self.rests = rests
        self.swizzle = (
            Swizzle(rng.choice([1, 2]), rng.choice([0, 2]), rng.choice([2, 3])) if rng.random() < 0.4 else None
        )

    @property
    def operands(self) -> tuple[str, str, str]:
        atom = f"!cute_nvgpu.atom.universal_copy<f32, {32 * self.vector} b>"
        tiler = f"[{self.tile[0]}:1;{self.tile[1]}:1]"
        copy = f'!cute.tiled_copy<{atom}, layout_copy_tv = <"{self.tv}">, tiler_mn = <"{tiler}">>'
        behind = f"{self.swizzle} o 0 o " if self.swizzle else ""
        return copy, f'!cute.memref<f32, gmem, "{behind}{self.tensor}">', THREAD

    def at(self, thread: int, value: int, rest: tuple[int, ...]) -> int:
        """The offset of a thread's value in a tile, as the definition says."""
        place = self.tv((thread, value))
        crd = (place % self.tile[0] + self.tile[0] * rest[0], place // self.tile[0] + self.tile[1] * rest[1])
        offset = self.tensor(crd)
        return self.swizzle(offset) if self.swizzle else offset

    def agrees(self, result: Layout) -> bool:
        """Whether a result is the definition at every point."""
        if len(result) != 3 or [size(m.shape) for m in result] != [size(self.tv.shape[1]), *self.rests]:
            return False
        for thread in range(self.tv.shape[0]):
            start = self.at(thread, 0, (0, 0))
            for v, m, n in product(*(range(size(mode.shape)) for mode in result)):
                if self.at(thread, v, (m, n)) - start != result((v, m, n)):
                    return False
        return True

    def guessed(self) -> Layout:
        """The result whose modes step as thread 0 does, in twos."""
        sizes = (size(self.tv.shape[1]), *self.rests)
        shape = tuple((2,) * (s.bit_length() - 1) if s > 2 else s for s in sizes)
        strides = []
        for axis, s in enumerate(sizes):
            for bit in range(max(1, s.bit_length() - 1)):
                crd = [0, 0, 0]
                crd[axis] = (1 << bit) if s > 1 else 0
                strides.append(self.at(0, crd[0], (crd[1], crd[2])) - self.at(0, 0, (0, 0)))
        return Layout(shape, unflatten(strides, shape))


@pytest.mark.parametrize("seed", range(60))
def test_verdicts_are_those_of_plain_loops(seed: int) -> None:
    case = Random2D(Random(seed))
    layout = case.guessed()
    text = f'!cute.memref<f32, gmem, "{text_of(layout.shape)}:{text_of(layout.stride)}">'
    agreed = 0
    for result in (text, *mutants_of_layout(text)):
        shape, _, stride = result.split('"')[1].rpartition(":")
        other = Layout(*(_tuple(part) for part in (shape, stride)))
        expected = RIGHT if case.agrees(other) else WRONG
        found = decide("cute.tiled.copy.partition_S", case.operands, (result,))
        assert found.verdict == expected, (case.operands, result, found.reason)
        agreed += expected == RIGHT
    assert agreed or case.swizzle  # behind a swizzle threads may differ, and no layout be right


def _tuple(text: str) -> Any:
    """A tuple of integers as it is written: ``(4)`` has one mode."""
    if not text.startswith("("):
        return int(text)
    parts, level, begin = [], 0, 1
    for i, c in enumerate(text):
        level += (c == "(") - (c == ")")
        if (c == "," and level == 1) or (c == ")" and level == 0):
            parts.append(_tuple(text[begin:i]))
            begin = i + 1
    return tuple(parts)
