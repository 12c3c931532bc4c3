"""Common vectors and nullspaces, against brute force (§3.4.2)."""

import pytest
from hypothesis import assume, given

from veritile import InputError, Layout, layout, max_common_layout, max_common_vector, nullspace

from . import postconditions as post
from .strategies import chains, coordinate_layouts, f2_layouts, forward, layouts


@given(layouts(2) | chains(3) | forward(3), layouts(2) | chains(3) | forward(3))
def test_longest_common(a: Layout, b: Layout) -> None:
    assume(max(post.size_of(a.shape), post.size_of(b.shape)) <= 64)
    v = max_common_layout(a, b)
    for k, index in enumerate(post.table(v)):
        assert a(index) == b(index) == k and a.in_bounds(index) and b.in_bounds(index)
    assert max_common_vector(a, b) == post.size_of(v.shape) == post.longest_common(a, b)


@given(forward(3) | chains(3))
def test_with_itself(a: Layout) -> None:
    assume(post.size_of(a.shape) <= 64)
    assert max_common_vector(a, a) == post.largest_right_inverse(a)


@given(layouts(2) | f2_layouts(2) | coordinate_layouts(2))
def test_nullspace(a: Layout) -> None:
    values = post.table(nullspace(a))
    zeros = [i for i, v in enumerate(post.table(a)) if not v]
    assert len(set(values)) == len(values) and set(values) <= set(zeros)
    if len(zeros) <= 16:
        assert len(values) == post.largest_nullspace(a)


@pytest.mark.parametrize(
    ("a", "b", "k"),
    [
        ("(2,3):(1,2)", "(2,3):(1,2)", 6),
        ("(4,8):(1,4)", "(4,8):(8,1)", 1),
        ("(4,8):(1,8)", "(4,8):(1,4)", 4),
        ("(4,8):(1,5)", "(4,8):(1,4)", 4),
        ("(2,2):(0,1)", "(2,2):(0,1)", 2),
    ],
)
def test_examples(a: str, b: str, k: int) -> None:
    assert max_common_vector(layout(a), layout(b)) == max_common_vector(layout(b), layout(a)) == k


def test_not_injective_depends_on_the_choice() -> None:
    """(2,2):(0,1) and (2,2):(1,0): K is 1 or 2, by the inverse taken; the largest has it at index 3."""
    assert str(max_common_layout(layout("(2,2):(0,1)"), layout("(2,2):(1,0)"))) == "2:3"


def test_large_and_bad() -> None:
    assert max_common_vector(Layout((2**40, 2**40)), Layout((2**40, 2**40), (1, 2**41))) == 2**40
    assert max_common_vector(Layout((2048, 2048), (1, 0)), Layout((2048, 2048), (1, 0))) == 2048
    assert nullspace(Layout((2**40, 2**40), (1, 0))) == Layout(2**40, 2**40)
    assert nullspace(layout("(1048576,1048576):(e0,0)")) == Layout(2**20, 2**20)
    post.raises(InputError, lambda: max_common_layout(layout("4:e0"), layout("4:e0")))
    post.raises(InputError, lambda: max_common_layout(layout("4:f1"), layout("4:1")))
