"""What an operation does to a tensor besides its layout."""

from __future__ import annotations

import pytest

from veritile.kernels.audit.symbolic import Unsettled
from veritile.kernels.audit.tensors import aligned, moved_base, moved_pointer, shifted
from veritile.kernels.audit.types import PointerType
from veritile.kernels.audit.verdict import NOT_CHECKED, WRONG
from veritile.model.names import Expr
from veritile.model.semimodule import CoordinateStride, E

N = Expr.of("n0")


def pointer(align: int | None, element: str = "bf16", space: str = "smem") -> PointerType:
    return PointerType("", element=element, space=space, align=align)


@pytest.mark.parametrize(
    ("offset", "good", "bad"), [(0, 128, 256), (8, 16, 32), (12, 8, 16), (8 * N, 16, 32), (64 * N + 4, 8, 16)]
)
def test_an_alignment_follows_from_the_offset(offset: object, good: int, bad: int) -> None:
    assert aligned(pointer(128), pointer(good), offset) is None
    found = aligned(pointer(128), pointer(bad), offset)
    assert found is not None
    assert found.verdict == WRONG


def test_an_alignment_left_out_is_that_of_an_element() -> None:
    assert aligned(pointer(None), pointer(2), N) is None
    assert aligned(pointer(None), pointer(4), 0) is not None
    assert aligned(pointer(16, "f32"), pointer(None, "f32"), N) is None


def test_an_offset_in_tensor_memory_is_no_number_of_bytes() -> None:
    assert aligned(pointer(16, "f32", "tmem"), pointer(16, "f32", "tmem"), 1) is None
    found = aligned(pointer(16, "f32", "tmem"), pointer(32, "f32", "tmem"), 1)
    assert found is not None and found.verdict == WRONG


def test_the_alignment_of_elements_of_no_known_width_is_not_checked() -> None:
    assert aligned(pointer(16, "surprise"), pointer(None, "surprise"), 1) is None
    found = aligned(pointer(16, "surprise"), pointer(16, "surprise"), 1)
    assert found is not None and found.verdict == NOT_CHECKED


def test_a_pointer_keeps_what_it_points_to() -> None:
    assert moved_pointer(pointer(16), pointer(16), 8) is None
    for other in (pointer(16, "f16"), pointer(16, "bf16", "gmem")):
        found = moved_pointer(pointer(16), other, 8)
        assert found is not None
        assert found.verdict == WRONG


def test_a_base_moves_along_axes() -> None:
    assert shifted((0, (1, 2)), 3 * E(1, 0)) == (0, (4, 2))
    assert shifted((0, 5), CoordinateStride((((1,), 8 * N),))) == (0, 8 * N + 5)
    assert shifted(4, 3) == 7
    assert moved_base((0, 5), 2 * E(1), (0, 7)) is None
    assert moved_base((0, 5), 2 * E(1), (0, 8)) is not None
    for base, offset in (((0, 5), 3), ((0, 5), E(2)), ((0, (1, 2)), E(1))):
        with pytest.raises(Unsettled):
            shifted(base, offset)
