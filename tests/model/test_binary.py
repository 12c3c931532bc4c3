from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile.model.binary import apply_matrix, binary_matrix, from_binary_matrix
from veritile.model.errors import InputError
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
