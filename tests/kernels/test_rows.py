"""The rows of the validation: what they are drawn from, and that an origin is moved."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from veritile.kernels import evaluate, validate
from veritile.kernels.bundle import certificate_of
from veritile.kernels.gate import GateClosed, admit
from veritile.kernels.plans import certified
from veritile.kernels.rows import divides_along, random_results, rows
from veritile.model.composition import composition
from veritile.model.errors import InputError, Refuted
from veritile.model.layout import Layout
from veritile.model.notation import layout


@pytest.mark.parametrize("operation", evaluate.OPERATIONS)
def test_results_of_operations_are_the_models(operation: str) -> None:
    plan = random_results(operation, 20)
    assert len({str(item) for item in plan.items}) > 10
    for item in plan.items:
        assert item.operation == operation
        assert item.layout == evaluate.OPERATIONS[operation](*item.operands)


def test_an_item_that_is_not_what_its_operation_gives_is_refused() -> None:
    wrong = evaluate.Item(Layout((2, 3), (6, 3)), "integral", "composition", (layout("(6,2):(8,2)"), layout("6:2")))
    with pytest.raises(InputError, match=r"the layout of item 0 is \(2,3\):\(6,3\), and \(3,2\):\(16,2\) follows"):
        certified(evaluate, evaluate.EvaluatePlan((wrong,)), "sm_80")


def test_no_item_is_drawn_where_the_model_says_there_is_no_result() -> None:
    with pytest.raises(Refuted):
        evaluate.of_operation("composition", layout("(4,6,8):(2,3,5)"), layout("6:3"))


@pytest.mark.parametrize(
    ("a", "count", "stride", "taken"),
    [
        ("(6,2):(8,2)", 6, 2, True),
        ("(6,2):(8,2)", 3, 4, False),
        ("(3,2):(2,1)", 2, 4, False),
        ("(3,2):(2,1)", 2, 3, True),
        ("(4,6,8):(2,3,5)", 6, 3, False),
        ("24:1", 7, 5, True),
    ],
)
def test_cutes_rule_of_divisibility(a: str, count: int, stride: int, taken: bool) -> None:
    assert divides_along(layout(a), count, stride) is taken
    if taken:
        composition(layout(a), Layout(count, stride))


class Moved:
    """An admitted kernel that is only pretended to run."""

    def __init__(self, title: str, *, refuses: bool = True, right: bool = True) -> None:
        self.row = rows([title])[0]
        real = admit("copy", certificate_of(self.row, "sm_90a"))
        self.plan, self.operands, self.refuses, self.right = real.plan, real.operands, refuses, right
        self.check_address = real.check_address

    def compile(self) -> Any:
        return None

    def run(self, device: Any, arrays: dict[str, Any], built: Any, *, shift: int = 0) -> dict[str, Any]:
        if shift and self.refuses:
            self.check_address("source", shift)
        blank = np.frombuffer(b"\xff" * arrays["source"].nbytes, arrays["source"].dtype)
        found = self.row.module.reference(self.plan, arrays["source"], blank.copy())
        return {"destination": found if self.right or not shift else blank}


@pytest.mark.parametrize(
    ("title", "options", "holds", "told"),
    [
        ("copy/1D-1024/f32", {}, True, "4 bytes off is refused"),
        ("copy/1D-1024/f32", {"refuses": False}, False, "an origin 4 bytes off was not refused"),
        ("copy/1D-ragged-unaligned/f32", {}, True, "4 bytes off as well"),
        ("copy/1D-ragged-unaligned/f32", {"right": False}, False, "4 bytes off: 20003 of 20003 elements differ"),
    ],
)
def test_an_origin_off_its_alignment(title: str, options: dict[str, bool], holds: bool, told: str) -> None:
    kernel = Moved(title, **options)
    result = validate.ran(kernel.row, kernel, SimpleNamespace(architecture="sm_90a"))  # type: ignore[arg-type]
    assert (result.holds, told in result.reason) == (holds, True), result


def test_the_gate_refuses_an_address_off_its_alignment() -> None:
    kernel = admit("copy", certificate_of(rows(["copy/1D-1024/f32"])[0], "sm_90a"))
    kernel.check_address("source", 4096)
    with pytest.raises(GateClosed, match="multiples of 16"):
        kernel.check_address("source", 4096 + 8)


def test_products_have_rows_of_zeros_infinities_and_nan() -> None:
    row = rows(["gemm/NT/f32"])[0]
    plan = row.make()
    arrays = validate.inputs(row, plan)
    expected, _ = row.module.reference(plan, arrays["a"], arrays["b"], np.zeros_like(arrays["c"]))
    assert (expected[0] == 0).all() and np.isinf(expected[1:3]).all() and np.isnan(expected[3]).all()
    assert np.isfinite(expected[4:]).all() and (np.sign(expected[1]) == -np.sign(expected[2])).all()
