"""Coalesce: the same function in bounds, with the least rank there is (§3.2)."""

from itertools import product

import pytest
from hypothesis import given

from veritile import InputError, Layout, coalesce, decide_coalesce, layout
from veritile.model.coalesce import from_modes

from . import postconditions as post
from .strategies import any_layouts, chains, coordinate_layouts, f2_layouts, layouts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(2,(1,6)):(1,(6,2))", "12:1"),
        ("((4,3),5):((15,1),3)", "(4,15):(15,1)"),
        ("(4,8):(1,4)", "32:1"),
        ("(4,8):(1,5)", "(4,8):(1,5)"),
        ("(4,8):(0,0)", "32:0"),
        ("(4,8):(0,1)", "(4,8):(0,1)"),
        ("(1,1):(7,9)", "1:0"),
        ("(3,1):(1,4)", "3:1"),
        ("(2,2):(-1,-2)", "4:-1"),
        ("(2,2):(-1,2)", "(2,2):(-1,2)"),
        ("(2,3):(e0,2e0)", "6:e0"),
        ("(2,3):(e0,2e1)", "(2,3):(e0,2e1)"),
        ("(2,2):(f1,f2)", "4:f1"),
        ("(3,2):(f1,f3)", "(3,2):(f1,f3)"),  # as integers these would merge; the table is 0,1,2,3,2,1
        ("(2,2):(f3,f6)", "4:f3"),
        ("(3,2):(0,f1)", "(3,2):(0,f1)"),
        ("(3,2):(f0,f0)", "6:0"),
        ("(3,2,2):(f0,f0,f1)", "(6,2):(0,f1)"),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert coalesce(layout(text)) == layout(expected)
    assert decide_coalesce(layout(text)).result == layout(expected)
    post.holds_coalesce(layout(text), coalesce(layout(text)))


def test_f2_does_not_merge_like_integers() -> None:
    assert [v.bits if v else 0 for v in post.table(layout("(3,2):(f1,f3)"))] == [0, 1, 2, 3, 2, 1]


@given(any_layouts(4))
def test_same_function(a: Layout) -> None:
    r = coalesce(a)
    post.holds_coalesce(a, r)
    assert coalesce(r) == r


@given(layouts(3) | chains(3) | coordinate_layouts(3))
def test_least_rank(a: Layout) -> None:
    assert len(coalesce(a)) == post.least_rank(post.table(a))


@given(f2_layouts(3, powers=True))
def test_least_rank_over_f2_with_powers_of_two(a: Layout) -> None:
    assert len(coalesce(a)) == post.least_rank(post.table(a))


def test_by_profile() -> None:
    assert coalesce(layout("(2,(1,6)):(1,(6,2))"), (None, None)) == layout("(2,6):(1,2)")
    assert coalesce(layout("((4,3),5):((15,1),3)"), (None, None)) == layout("((4,3),5):((15,1),3)")
    assert coalesce(layout("((2,2),(2,2))"), (None,)) == layout("(4,(2,2)):(1,(4,8))")
    assert coalesce(layout("((2,2),(2,2))"), (None, (None, None))) == layout("(4,(2,2)):(1,(4,8))")
    post.raises(InputError, lambda: coalesce(layout("(2,2)"), (None, None, None)))
    post.raises(InputError, lambda: coalesce(layout("4"), (None,)))
    post.raises(InputError, lambda: coalesce(layout("(4,4)"), ((None, None),)))


def test_every_small_layout() -> None:
    for s in product(range(1, 5), repeat=2):
        for d in product(range(-2, 9), repeat=2):
            a = Layout(s, d)
            r = coalesce(a)
            post.holds_coalesce(a, r)
            assert len(r) == post.least_rank(post.table(a))


def test_huge() -> None:
    assert coalesce(Layout((2**70, 3**50, 5))) == Layout(2**70 * 3**50 * 5, 1)
    assert coalesce(Layout((2**70, 3), (1, 2**70 + 1))) == Layout((2**70, 3), (1, 2**70 + 1))


def test_rank_zero() -> None:
    assert from_modes([]) == layout("1:0")
