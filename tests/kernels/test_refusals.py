"""What plans refuse, each with the figure that is wrong."""

from dataclasses import replace
from typing import Any

import pytest

from veritile.kernels import copy, evaluate, gemm, gemm_sm80, gemm_sm90, gemm_sm100, rowwise, transpose
from veritile.kernels.build import BuildFailed, build
from veritile.kernels.plans import certified
from veritile.model.composed import ComposedLayout
from veritile.model.errors import InputError
from veritile.model.layout import Layout
from veritile.model.swizzle import Swizzle
from veritile.proofs.verdict import Verdict

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
        (lambda: gemm_sm100.plan_gemm_sm100(64, 64, 64, major=("M", "K")), "K-major or MN-major"),
        (lambda: gemm_sm100.plan_gemm_sm100(72, 64, 64, lda=64, major=("MN", "K")), "no shorter than rows"),
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


@pytest.mark.parametrize(("columns", "height"), [(64, "64"), (128, "(64,2)"), (256, "(64,4)")])
def test_sm100s_tiles_are_what_the_instruction_takes(columns: int, height: str) -> None:
    """``measured``: CuTe DSL 4.8.1's helper for tcgen05 makes the same layouts of A and B, for both majors."""
    texts = {}
    for major in ("K", "MN"):
        plan = gemm_sm100.plan_gemm_sm100(512, 512, 256, tile=(128, columns), major=(major, major))
        texts[major] = [str(gemm_sm100.steps_of(shared)) for shared in (plan.shared_a, plan.shared_b)]
    stage = 64 * columns
    step = "1" if columns == 64 else "(1,4096)"
    assert texts["K"] == [
        "((128,16),1,4,4):((64,1),0,16,8192)",
        f"(({columns},16),1,4,4):((64,1),0,16,{stage})",
    ]
    assert texts["MN"] == [
        "(((64,2),16),1,4,4):(((1,4096),64),0,1024,8192)",
        f"(({height},16),1,4,4):(({step},64),0,1024,{stage})",
    ]


@pytest.mark.parametrize(
    ("module", "planner"), [(gemm_sm90, gemm_sm90.plan_gemm_sm90), (gemm_sm100, gemm_sm100.plan_gemm_sm100)]
)
def test_an_operand_of_the_other_major_is_refuted(module: Any, planner: Any) -> None:
    """The instruction's major, the tile in shared memory and the tensor in global memory are one choice."""
    plan, other = planner(512, 512, 256, major=("MN", "K")), planner(512, 512, 256)
    arch = module.ARCHITECTURES[0]
    assert certified(module, plan, arch).verdict() is Verdict.PROVED
    for wrong in ({"major": other.major}, {"shared_a": other.shared_a}, {"a": other.a}):
        assert certified(module, replace(plan, **wrong), arch).verdict() is Verdict.REFUTED
