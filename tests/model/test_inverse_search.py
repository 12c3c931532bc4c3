"""Searches for inverses: what they find is an inverse, and the largest."""

from hypothesis import assume, given
from hypothesis import strategies as st

from veritile import Layout, Undecided
from veritile.model.inverse_search import search_left, search_right, search_within

from . import postconditions as post
from .strategies import chains, layouts


def indexed(a: Layout) -> list[tuple[int, int, int]]:
    modes, unit = [], 1
    for s, d in post.modes_of(a):
        if s > 1:
            modes.append((s, d, unit))
        unit *= s
    return modes


def as_one(modes: list[tuple[int, int]]) -> Layout:
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)) if modes else Layout(1, 0)


@given(layouts(2) | chains(3))
def test_right_even_where_a_closed_form_decides(a: Layout) -> None:
    assume(post.size_of(a.shape) <= 48)
    r = as_one(search_right(indexed(a)))
    post.holds_right_inverse(a, r)
    assert post.size_of(r.shape) == post.largest_right_inverse(a)


@given(layouts(2) | chains(2))
def test_left_even_where_a_closed_form_decides(a: Layout) -> None:
    assume(post.size_of(a.shape) <= 32)
    try:
        found = search_left(indexed(a))
    except Undecided:
        return
    if found is not None:
        post.holds_left_inverse(a, as_one(found))


@given(st.sets(st.integers(1, 12), max_size=5))
def test_within(others: set[int]) -> None:
    indices = [0, *sorted(others)]
    values = post.table(as_one(search_within(indices)))
    assert len(set(values)) == len(values) and set(values) <= set(indices)
