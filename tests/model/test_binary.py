from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile.model.binary import apply_matrix, binary_matrix, from_binary_matrix, solve_linear
from veritile.model.errors import InputError, InverseRefuted
from veritile.model.layout import Layout
from veritile.model.notation import layout
from veritile.model.properties import size
from veritile.model.semimodule import as_integer
from veritile.model.swizzle import Swizzle


@given(st.lists(st.integers(0, 255), min_size=1, max_size=7))
def test_there_and_back(columns: list[int]) -> None:
    made = from_binary_matrix(columns)
    assert size(made) == 2 ** len(columns)
    assert all(as_integer(made(i)) == apply_matrix(columns, i) for i in range(size(made)))
    if made.semimodule == "F2":
        assert list(binary_matrix(made)) == columns


@given(st.integers(1, 3), st.integers(0, 2), st.integers(-4, 4).filter(bool))
def test_a_swizzle_is_its_matrix(bits: int, base: int, shift: int) -> None:
    swizzle = Swizzle(bits, base, shift)
    columns = binary_matrix(swizzle)
    assert all(apply_matrix(columns, x) == swizzle(x) for x in range(1 << swizzle.period_bits))


def test_integers_that_carry_are_no_matrix() -> None:
    assert binary_matrix(layout("(4,2):(2,1)")) == (2, 4, 1)
    with pytest.raises(InputError, match="carry"):
        binary_matrix(layout("(4,2):(1,3)"))
    with pytest.raises(InputError, match="powers of two"):
        binary_matrix(Layout(6, 1))


COLUMNS = st.lists(st.integers(0, 15), min_size=1, max_size=5)


@given(COLUMNS, COLUMNS)
def test_the_linear_map_between_two_layouts(a: list[int], b: list[int]) -> None:
    """A(C(x)) = B(x) at every x; refused exactly where A has not every offset of B."""
    first, second = from_binary_matrix(a), from_binary_matrix(b)
    images = [{apply_matrix(columns, x) for x in range(1 << len(columns))} for columns in (a, b)]
    try:
        c = solve_linear(first, second)
    except InverseRefuted as refusal:
        assert refusal.witness is not None
        index, offset = refusal.witness.values["index"], refusal.witness.values["offset"]
        assert apply_matrix(b, index) == offset and offset not in images[0]
        return
    assert images[1] <= images[0]
    assert all(apply_matrix(a, as_integer(c(x))) == apply_matrix(b, x) for x in range(1 << len(b)))


@given(COLUMNS)
def test_from_a_layout_to_itself_every_input_stays(a: list[int]) -> None:
    """With the free inputs kept as they are there is one such map between a layout and itself."""
    made = from_binary_matrix(a)
    c = solve_linear(made, made)
    assert [as_integer(c(x)) for x in range(1 << len(a))] == list(range(1 << len(a)))


def test_an_input_that_changes_nothing_is_kept_or_left_out() -> None:
    a, twin = layout("(2,2,2):(f1,f2,f0)"), layout("(2,2,2):(f1,f2,f3)")
    assert binary_matrix(solve_linear(a, layout("(2,2,2):(f2,f1,f0)"))) == (2, 1, 4)
    assert binary_matrix(solve_linear(a, layout("(2,2):(f2,f1)"))) == (2, 1)
    assert binary_matrix(solve_linear(twin, layout("(2,2,2):(f2,f1,f0)"))) == (2, 1, 7)
