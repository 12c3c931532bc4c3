"""Searches for inverses: what they find is an inverse, and the largest."""

from hypothesis import assume, given
from hypothesis import strategies as st

from veritile import Layout
from veritile.model.inverse_search import search_right, search_within

from . import postconditions as post
from .strategies import chains, layouts


@given(layouts(2) | chains(3))
def test_right_even_where_a_closed_form_decides(a: Layout) -> None:
    assume(post.size_of(a.shape) <= 48)
    r = post.as_one(search_right(post.indexed(a)))
    post.holds_right_inverse(a, r)
    assert post.size_of(r.shape) == post.largest_right_inverse(a)


@given(st.sets(st.integers(1, 12), max_size=5))
def test_within(others: set[int]) -> None:
    indices = [0, *sorted(others)]
    values = post.table(post.as_one(search_within(indices)))
    assert len(set(values)) == len(values) and set(values) <= set(indices)
