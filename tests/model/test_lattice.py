"""Zeros of combinations over a box, against trying all."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from veritile.model.lattice import find_zero

RANGE = st.tuples(st.integers(-4, 0), st.integers(0, 4), st.integers(-12, 12).filter(bool))


@given(st.lists(RANGE, max_size=4))
def test_against_all(ranges: list[tuple[int, int, int]]) -> None:
    found = find_zero(ranges, any)
    exists = any(
        any(cs) and sum(c * d for c, (_, _, d) in zip(cs, ranges, strict=True)) == 0
        for cs in product(*(range(low, high + 1) for low, high, _ in ranges))
    )
    assert (found is not None) == exists
    if found is not None:
        assert any(found) and sum(c * d for c, (_, _, d) in zip(found, ranges, strict=True)) == 0
        assert all(low <= c <= high for c, (low, high, _) in zip(found, ranges, strict=True))


def test_far_apart() -> None:
    n = 2**200
    assert find_zero([(-n, n, 1), (-n, n, n)], any) is not None
    assert find_zero([(-n, n, 1), (-n, n, n + 1)], any) is None
    assert find_zero([(1 - n, n - 1, 1), (1 - n, n - 1, n)], any) is None
