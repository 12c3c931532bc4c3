"""One operation judged: evidence for each verdict."""

from __future__ import annotations

from veritile.kernels.audit.definitions import Expected, composition
from veritile.kernels.audit.judging import first_difference, judge, zero_size
from veritile.kernels.audit.matching import Unknown
from veritile.kernels.audit.verdict import NOT_CHECKED, OUTSIDE, RIGHT, WRONG
from veritile.model.layout import Layout
from veritile.model.names import Expr

from .calling import decide

N, M, D = Expr.of("n0"), Expr.of("n1"), Expr.of("d2")


def test_a_difference_is_found_by_evaluation_alone() -> None:
    witness, _ = first_difference(lambda i: i, Layout((4, 2), (1, 5)))
    assert witness is not None
    assert witness.values == {"coordinate": (0, 1), "index": 4, "expected": 4, "got": 5}
    assert first_difference(lambda i: i if i < 4 else None, Layout((4, 2), (1, 5))) == (None, True)
    assert first_difference(lambda i: i, Layout(1 << 20)) == (None, False)


def test_a_large_result_that_differs_late_is_wrong_where_the_layouts_part() -> None:
    a = Layout((1 << 12, 1 << 12))
    found = judge(composition, (a, Layout((1 << 12, 1 << 12))), Layout((1 << 12, 1 << 12), (1, (1 << 12) + 1)))
    assert found.verdict == WRONG
    assert found.witness is not None
    assert found.witness.values["expected"] == 1 << 12


def test_sizes_of_zero() -> None:
    assert zero_size(Layout.of((2, 0), (1, 2))) == 1
    assert zero_size(Layout((2, 1))) is None
    assert judge(composition, (Layout(8), Layout(4)), Layout.of((4, 0), (1, 4))).verdict == WRONG


def test_cases_of_a_name() -> None:
    a = Layout.of((8 * N, 16 * M), (1, 8 * D))
    got = Layout.of((Unknown(8), Unknown()), (1, Unknown(8)))
    assert judge(composition, (a, Layout(16)), got).verdict == RIGHT
    assert judge(composition, (a, Layout(16)), Layout.of((Unknown(8), Unknown()), (2, Unknown(8)))).verdict == WRONG
    three = judge(
        composition, (Layout.of((3 * N, M), (1, D)), Layout(8)), Layout.of((Unknown(), Unknown()), (1, Unknown()))
    )
    assert three.verdict == OUTSIDE
    assert "not at n0 = 1" in three.reason


def test_what_differs_without_a_coordinate_is_not_checked() -> None:
    found = judge(
        lambda a: Expected(Layout(8), 8, lambda i: 2 * i if i > 1 << 17 else None), (Layout(8),), Layout(8, 2)
    )
    assert found.verdict == RIGHT  # nowhere defined: nothing differs
    large = Layout(1 << 20)
    found = judge(lambda a: Expected(None, 1 << 20, lambda i: i, reason="too large"), (large,), large)
    assert found.verdict == NOT_CHECKED


def test_a_fault_that_shows_past_the_coordinates_that_are_looked_at_in_order() -> None:
    # Mode 3 first moves at index 128 · 256 · (tiles along mode 0), and only where a name is above 256.
    operands = ["coord_tensor (?,?,?) (?,?,?):(1@1,1@0,1@2)", "tile [128:1;256:1]"]
    result = "coord_tensor (?,?,?) (128,256,?,?,?):(1@1,1@0,128@1,256@0,1@2)"
    assert decide("flat_divide", operands, result).verdict == RIGHT
    for other in ("256@1", "257@0", "512@0", "0"):
        found = decide("flat_divide", operands, result.replace("256@0", other))
        assert found.verdict == WRONG and found.witness is not None, other
        assert found.witness.values["expected"] != found.witness.values["got"]
