"""What plans refuse, each with the figure that is wrong."""

import pytest

from veritile.kernels import copy, evaluate, gemm, gemm_sm80, gemm_sm90, gemm_sm100, rowwise, transpose
from veritile.kernels.build import BuildFailed, build
from veritile.model.composed import ComposedLayout
from veritile.model.errors import InputError
from veritile.model.layout import Layout
from veritile.model.swizzle import Swizzle

SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (lambda: copy.plan_copy(Layout(8), Layout(9)), "source has 8, destination 9"),
        (lambda: copy.plan_copy(Layout(8), Layout(8), load="evict"), "usual, evict_first, evict_last, not evict"),
        (lambda: transpose.plan_transpose(64, 64, load="last"), "a cache is told one of"),
        (lambda: rowwise.plan_rowwise("softmax", 4, 64, load="streaming"), "a cache is told one of"),
        (lambda: transpose.plan_transpose(64, 64, lds=60), "60"),
        (lambda: transpose.plan_transpose(64, 64, tile=(48, 40)), "do not tile"),
        (lambda: rowwise.plan_rowwise("max", 4, 4), "softmax, rmsnorm"),
        (lambda: rowwise.plan_rowwise("softmax", 4, 100, ld=99), "99"),
        (lambda: rowwise.plan_rowwise("softmax", 4, 32, cluster=8), "too large"),
        (lambda: gemm.plan_gemm(Layout((4, 5)), Layout((6, 7)), Layout((4, 6))), "sizes of K: 5 and 7"),
        (lambda: gemm.plan_gemm(Layout((4, 5)), Layout((6, 5)), Layout((4, 6, 2))), "rank"),
        (lambda: gemm.im2col((1, 1, 2, 2, 1), 1, (1, 3, 3), (4, 4, 2, 1)), "larger than the image"),
        (lambda: gemm_sm80.plan_gemm_sm80(64, 64, 100), "100"),
        (lambda: gemm_sm80.plan_gemm_sm80(64, 64, 64, "f32"), "16-bit"),
        (lambda: gemm_sm80.plan_gemm_sm80(64, 64, 64, tile=(100, 128, 64)), "do not tile"),
        (lambda: gemm_sm90.plan_gemm_sm90(64, 100, 64, ldc=104), "N = 100"),
        (lambda: gemm_sm90.plan_gemm_sm90(64, 64, 100), "lda = 100"),
        (lambda: gemm_sm90.plan_gemm_sm90(64, 64, 64, "f32"), "16-bit or 8-bit"),
        (lambda: gemm_sm100.plan_gemm_sm100(64, 64, 64, tile=(64, 64)), "64 by 64"),
        (lambda: evaluate.plan_evaluate((evaluate.Item(SWIZZLED, "runtime"),)), "plain layouts"),
        (lambda: evaluate.plan_evaluate((evaluate.Item(Layout(4), "backwards"),)), "backwards"),
    ],
)
def test_refused(plan: object, words: str) -> None:
    """One line, with what is wrong."""
    with pytest.raises(InputError) as refusal:
        plan()  # type: ignore[operator]
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_alignment_narrows_the_vector() -> None:
    """Pointers that are promised 4 bytes are read by 4 bytes."""
    assert copy.plan_copy(Layout(64), Layout(64), "f32").bits == 128
    assert copy.plan_copy(Layout(64), Layout(64), "f32", align=4).bits == 32
    assert rowwise.plan_rowwise("softmax", 4, 64, "bf16", align=8).map.shape[1][0] == 4  # type: ignore[index]


def test_turns_stop_at_the_rows() -> None:
    """A single row block is not visited again: a coordinate past a mode of one element comes back to it."""
    plan = rowwise.plan_rowwise("softmax", 2, 1024, "bf16", turns=8)
    assert plan.turns == 1


def test_a_failing_compile_is_one_line() -> None:
    """Whatever the compiler raises becomes BuildFailed."""
    cute = pytest.importorskip("cutlass.cute")
    assert cute

    def broken() -> None:
        raise ValueError("no\nsuch thing")

    with pytest.raises(BuildFailed) as failure:
        build(broken, (), "sm_80")
    assert "\n" not in str(failure.value)
