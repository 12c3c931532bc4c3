"""Right and left inverses: largest, checked at every element, refused only where none exists (§3.4)."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veritile import (
    InverseRefuted,
    Layout,
    Undecided,
    composition,
    decide_left_inverse,
    equal,
    layout,
    left_inverse,
    right_inverse,
)

from . import postconditions as post
from .strategies import chains, coordinate_layouts, f2_layouts, forward, layouts

RIGHT = [
    ("(4,8):(1,4)", "32:1"),
    ("(4,8):(8,1)", "(8,4):(4,1)"),
    ("(3,7,5):(5,15,1)", "(5,21):(21,1)"),
    ("(4,8):(1,5)", "4:1"),
    ("(4,8):(e0,e1)", "(4,8):(1,4)"),
    ("((2,2),(2,4)):((0,1),(0,2))", "(2,4):(2,8)"),  # the row that circulates, (2,2):(4,8), is no inverse
    ("(2,3):(1,1)", "(2,2):(1,4)"),
    ("8:2", "1:0"),
    ("8:0", "1:0"),
    ("8:-1", "1:0"),
    ("(2,2):(-1,1)", "2:2"),
    ("(4,(4,2)):(e1,(e0,6e1))", "(4,4):(4,1)"),
    ("(2,2,2):(1,5,-3)", "(2,2):(1,6)"),  # 2 = 5 - 3 is an offset: the search goes past the sorted strides
    ("(2,2,2):(1,5,-9)", "2:1"),
    ("(6,8):(10,2)", "1:0"),  # 10 is reached in two ways, and 1 in none
    ("(4,5,6):(8,12,1)", "6:20"),
    (f"({2**70},{2**70}):(2,4)", "1:0"),
    (f"({2**40},2):(1,{-(2**50)})", f"{2**40}:1"),  # too large to search, and no need: all offsets differ
    (f"({2**40},3):(1,{-(2**50)})", f"{2**40}:1"),
    ("(2,2):(f1,f3)", "(2,2):(f1,f3)"),
]
LEFT = [
    ("(4,8):(1,4)", "32:1"),
    ("(4,8):(8,1)", "(8,4):(4,1)"),
    ("(4,8):(1,5)", "(5,8):(1,4)"),
    ("((2,2),(2,4)):((0,2),(0,4))", "(2,2,4):(0,2,8)"),
    ("(4,(4,2)):(e1,(e0,6e1))", "(4,(6,2)):(4,(1,16))"),
    ("(2,2):(2,3)", "(2,3):(1,1)"),
    ("(2,5):(8,1)", "(8,2):(2,1)"),
]


@pytest.mark.parametrize(("text", "expected"), RIGHT)
def test_right_examples(text: str, expected: str) -> None:
    r = right_inverse(layout(text))
    assert equal(r, layout(expected)), str(r)
    post.holds_right_inverse(layout(text), r)


def test_the_row_that_circulates_is_no_right_inverse() -> None:
    a = layout("((2,2),(2,4)):((0,1),(0,2))")
    assert a(layout("(2,2):(4,8)")(1)) != 1


@pytest.mark.parametrize(("text", "expected"), LEFT)
def test_left_examples(text: str, expected: str) -> None:
    r = left_inverse(layout(text))
    post.holds_left_inverse(layout(text), r)
    post.holds_left_inverse(layout(text), layout(expected))


@pytest.mark.parametrize(("has", "has_not"), [("(2,2):(2,3)", "(3,3):(2,3)"), ("8:3", "(3,2):(3,2)")])
def test_a_left_inverse_beside_none(has: str, has_not: str) -> None:
    post.holds_left_inverse(layout(has), left_inverse(layout(has)))
    try:
        post.holds_left_inverse(layout(has_not), left_inverse(layout(has_not)))
    except InverseRefuted as refusal:
        assert refusal.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4:0", "1:0"),
        ("4:1", "4:1"),
        ("1:0", "1:0"),
        ("8:-8", "(8,8):(0,-1)"),
        ("8:8", "(8,8):(0,1)"),
        ("(1,2):(5,-1)", "2:-1"),
        ("(4,3):(0,-2)", "(2,3):(0,-4)"),
    ],
)
def test_left_inverses_of_one_live_mode(text: str, expected: str) -> None:
    """As many offsets as coordinates, also where the last mode is not reduced and its size changes no value."""
    assert left_inverse(layout(text)) == layout(expected)
    post.holds_left_inverse(layout(text), layout(expected))


def test_tensor_memory_addresses() -> None:
    for text in ("(128,160):(65536,1)", "(1,128):(1,16384)", "(8,(16,4)):(1,(16384,524288))"):
        post.holds_left_inverse(layout(text), left_inverse(layout(text)))


@given(st.one_of(layouts(2), forward(3), chains(3)))
def test_right_is_right_and_largest(a: Layout) -> None:
    assume(post.size_of(a.shape) <= 48)
    r = right_inverse(a)
    post.holds_right_inverse(a, r)
    assert post.size_of(r.shape) == post.largest_right_inverse(a)


@given(st.one_of(layouts(2), forward(2), chains(3)))
def test_left(a: Layout) -> None:
    assume(post.size_of(a.shape) <= 48)
    try:
        answer = decide_left_inverse(a)
    except InverseRefuted:
        return
    post.holds_left_inverse(a, answer.result)
    assert answer.exact == (len(set(post.table(a))) == post.size_of(a.shape))


@given(f2_layouts(3, powers=True))
def test_over_f2(a: Layout) -> None:
    post.holds_right_inverse(a, right_inverse(a))
    post.holds_left_inverse(a, left_inverse(a))


@given(
    coordinate_layouts(3, 2, diagonal=False).filter(
        lambda a: len({p for d in post.leaves(a.stride) if d for p, _ in d.terms}) == 2
    )
)
def test_along_two_axes(a: Layout) -> None:
    post.holds_right_inverse(a, right_inverse(a))
    try:
        r = left_inverse(a)
    except InverseRefuted:
        return
    post.holds_left_inverse(a, r)


@pytest.mark.parametrize("text", ["(2):(3e0)", "(4):(e0)", "(3,3):(3e0,e0)", "(2):(-e0)"])
def test_along_one_axis_the_inverse_keeps_its_rank(text: str) -> None:
    a = layout(text)
    assert isinstance(left_inverse(a).shape, tuple) and len(left_inverse(a).shape) == 1
    post.holds_left_inverse(a, left_inverse(a))
    post.holds_right_inverse(a, right_inverse(a))
    back = composition(left_inverse(a), a)
    assert [back(i) for i in range(post.size_of(a.shape))] == list(range(post.size_of(a.shape)))


@pytest.mark.parametrize("text", ["(33,65):(66,2)", "(100,100):(101,100)", "4096:-1", "(64,64):(1,3)", "8:-8"])
def test_left_answers_within_its_budget(text: str) -> None:
    r = post.only_ours(lambda: left_inverse(layout(text)))
    if isinstance(r, Layout):
        post.holds_left_inverse(layout(text), r)


@pytest.mark.parametrize("d", [2**61, 10**17 + 3])
def test_left_of_far_strides(d: int) -> None:
    r = post.only_ours(lambda: left_inverse(Layout((2, 2), (d, d + 1))))
    if isinstance(r, Layout):
        post.holds_left_inverse(Layout((2, 2), (d, d + 1)), r)


def test_every_small_left_inverse_is_found() -> None:
    """Refused only where brute force over all chains of two boundaries finds none."""
    for s in product(range(1, 4), repeat=2):
        for d in product(range(0, 5), repeat=2):
            a = Layout(s, d)
            try:
                post.holds_left_inverse(a, left_inverse(a))
            except InverseRefuted:
                reach = max(post.table(a)) + 1
                for p, q in product(range(1, reach + 1), repeat=2):
                    for strides in product(range(-4, post.size_of(s) + 1), repeat=2):
                        r = Layout((p, q), strides)
                        assert any(not 0 <= r(v) < post.size_of(s) or a(r(v)) != v for v in post.table(a)), (
                            f"{a} has the left inverse {r}"
                        )


def test_huge() -> None:
    a = Layout((2**40, 3**20), (3**20, 1))
    post.holds_right_inverse(a, right_inverse(a))
    post.holds_left_inverse(a, left_inverse(a))


def test_what_is_too_large_to_search_is_undecided() -> None:
    post.raises(Undecided, lambda: right_inverse(Layout((2**40, 2**40), (1, 1))))
