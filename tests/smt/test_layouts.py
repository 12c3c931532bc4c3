"""Layouts as solver terms against layouts as functions; least models."""

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from veritile.model.errors import Undecided
from veritile.model.layout import Layout
from veritile.smt.layouts import Question, SymbolicLayout, read_layout

FLAT = st.lists(st.tuples(st.integers(1, 5), st.integers(-6, 6)), min_size=1, max_size=3)


@given(FLAT, st.integers(-40, 80))
def test_a_term_has_the_value_of_the_layout(modes: list[tuple[int, int]], x: int) -> None:
    L = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    q = Question()
    value = q.unknown("value")
    q.know(value == SymbolicLayout.of(L).at_index(q, x))
    assert q.find() == {"value": L(x)}
    assert q.refute(value != L(x)) is None


@given(FLAT, st.integers(0, 60))
def test_so_it_has_as_a_bit_vector(modes: list[tuple[int, int]], x: int) -> None:
    L = Layout(tuple(s for s, _ in modes), tuple(abs(d) for _, d in modes))
    q = Question(bits=16)
    index, value = q.unknown("index", x, x), q.unknown("value", 0, 2**14)
    q.know(value == SymbolicLayout.of(L).at_index(q, index))
    model = q.find()
    assert model is not None
    assert model["value"] == L(x)


def test_a_bit_vector_needs_both_bounds() -> None:
    with pytest.raises(ValueError, match="both bounds"):
        Question(bits=8).unknown("x", 0)


@pytest.mark.parametrize("bits", [None, 12])
def test_the_least_model_is_least_in_order_of_the_measures(bits: int | None) -> None:
    q = Question(bits=bits)
    x, y = q.unknown("x", 0, 50), q.unknown("y", 0, 50)
    assert q.smallest([x + y, y], 3 * x + 5 * y == 41) == {"x": 2, "y": 7}
    assert q.smallest([x], x > 60) is None


def test_what_is_asked_does_not_stay() -> None:
    q = Question()
    x = q.unknown("x", 0)
    assert q.find(x == 3) == {"x": 3}
    assert q.find(x == 4) == {"x": 4}
    assert q.smallest([x], x > 4) == {"x": 5}
    assert q.smallest([x]) == {"x": 0}


def test_division_is_euclidean_below_zero_too() -> None:
    for x in range(-7, 8):
        q = Question()
        quotient, rest = q.divide(x, 3)
        assert q.refute(z3.Or(quotient != x // 3, rest != x % 3)) is None


def test_a_solver_that_gives_up_is_undecided() -> None:
    q = Question(budget_ms=1)
    a, b, c, n = (q.unknown(name, 2) for name in "abcn")
    q.know(a * a * a * n + b * b * b * n == c * c * c * n)
    with pytest.raises(Undecided, match="z3 gave up"):
        q.find()


def test_a_model_reads_back_as_a_layout() -> None:
    q = Question()
    A = SymbolicLayout.unknown(q, "A", 2, sizes=(2, 9), strides=(1, 9))
    model = q.smallest([A.shape[0], A.shape[1], A.stride[0]], A.at_index(q, 7) == 8, A.shape[0] == 6)
    assert model is not None
    assert read_layout(model, "A")(7) == 8
    assert read_layout({"B_s0": 4, "B_d0": -2}, "B") == Layout(4, -2)


def test_inside_is_the_domain() -> None:
    q = Question()
    A = SymbolicLayout.of(Layout((2, 3), (1, 2)))
    c = [q.unknown("c0"), q.unknown("c1")]
    q.know(A.inside(c))
    found = set()
    while model := q.find():
        found.add((model["c0"], model["c1"]))
        q.know(z3.Or(c[0] != model["c0"], c[1] != model["c1"]))
    assert found == {(i, j) for i in range(2) for j in range(3)}
