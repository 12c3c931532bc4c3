"""What fits a result, and what does not."""

from __future__ import annotations

import pytest

from veritile.kernels.audit.matching import Unknown, fits, match_layout, match_tuple, refines, same_function
from veritile.model.layout import Layout
from veritile.model.names import Expr
from veritile.model.semimodule import CoordinateStride, E

N = Expr.of("n0")
U = Unknown()


@pytest.mark.parametrize(
    ("expected", "good", "bad"),
    [
        (4, 4, 5),
        (4, Unknown(2), Unknown(3)),
        (8 * N, Unknown(8), Unknown(16)),
        (8 * N, 8 * N, 8),
        (E(1), E(1), E(0)),
        (E(1) * 4, CoordinateStride((((1,), Unknown(4)),)), CoordinateStride((((1,), Unknown(8)),))),
        (3, U, E(0)),
        (E(0), E(0), U),
    ],
)
def test_what_fits_a_number(expected: object, good: object, bad: object) -> None:
    assert fits(expected, good)
    assert not fits(expected, bad)


def test_a_tuple_tells_which_number_differs() -> None:
    assert match_tuple((4, (2, None)), (4, (U, None))) is None
    fault = match_tuple((4, (2, 3)), (4, (2, 5)))
    assert fault is not None
    assert (fault.leaf, fault.expected, fault.got) == (2, 3, 5)
    assert match_tuple((4, (2, 3)), (4, 2, 3)) is not None
    assert match_tuple((4, None), (4, 0)) is not None


def test_the_stride_of_a_mode_of_size_one_does_not_matter() -> None:
    assert match_layout(Layout((4, 1)), Layout((4, 1), (1, 0))) is None
    assert match_layout(Layout((4, 2)), Layout((4, 2), (1, 0))) is not None


@pytest.mark.parametrize(
    ("expected", "good", "bad"),
    [
        (Layout(32), Layout((4, 8)), Layout((4, 8), (1, 8))),
        (Layout((2, 6), (1, 2)), Layout((3, 4), (1, 3)), Layout((3, 4), (1, 4))),
        (Layout.of((8 * N,), (1,)), Layout.of((4, Unknown(2)), (1, 4)), Layout.of((4, Unknown(4)), (1, 4))),
        (Layout.of((8 * N,), (1,)), Layout.of((4, U), (1, 4)), Layout.of((4, U), (1, 5))),
        (Layout(8), Layout.of((Unknown(8), U), (1, 7)), Layout.of((Unknown(8), Unknown(2)), (1, 7))),
        (Layout(8, 3), Layout.of((U, U), (1, 3)), Layout.of((U, U), (1, 2))),
        (Layout((2, 4), (E(0), 2 * E(0))), Layout(8, E(0)), Layout(8, E(1))),
    ],
)
def test_the_same_function_in_other_modes(expected: Layout, good: Layout, bad: Layout) -> None:
    assert same_function(expected, good)
    assert not same_function(expected, bad)


def test_a_shape_refines_another() -> None:
    assert refines((4, 6), (4, (2, 3)))
    assert not refines((4, 6), (4, (2, 2)))
    assert not refines((4, 6), (4, 2, 3))
    assert refines(8 * N, (8, U))
    assert not refines(8 * N + 1, (8, U))
