"""Divides: tiles and rests, multiset kept, overhang counted (§3.5.2)."""

from collections import Counter

import pytest
from hypothesis import given

from veritile import (
    DivideRefuted,
    InputError,
    Layout,
    decide_divide,
    flat_divide,
    layout,
    logical_divide,
    parse_tiler,
    tiled_divide,
    zipped_divide,
)

from . import postconditions as post
from .strategies import any_layouts, chains, forward


@pytest.mark.parametrize(
    ("a", "t", "r"),
    [
        ("24:3", "8:3", "(8,3):(9,3)"),
        ("(8,16):(20,1)", "<4:1,8:2>", "((4,2),(8,2)):((20,80),(2,1))"),
        ("4:3", "4", "(4,1):(3,0)"),
        ("(5,8):(1,5)", "(2,4)", "((2,3),(4,2)):((1,2),(5,20))"),
        ("(8,16):(1,8)", "(_,4)", "(8,(4,4)):(1,(8,32))"),
        ("((2,3),8):((1,2),6)", "((2,3),4)", "(((2,1),(3,1)),(4,2)):(((1,0),(2,0)),(6,24))"),
    ],
)
def test_examples(a: str, t: str, r: str) -> None:
    got = logical_divide(layout(a), parse_tiler(t))
    assert got.shape == layout(r).shape
    assert post.table(got) == post.table(layout(r))


@given(any_layouts(3), forward(2) | chains(2))
def test_divides(a: Layout, t: Layout) -> None:
    try:
        answer = decide_divide(a, t)
    except DivideRefuted as refusal:
        assert refusal.witness is not None
        return
    post.holds_divide(a, t, answer.result, answer.out_of_range)
    assert answer.exact == answer.in_bounds == (answer.out_of_range == 0)
    assert bool(answer.notes) == (answer.out_of_range > 0)


@pytest.mark.parametrize(("size", "outside"), [(8, 0), (9, 3), (11, 1), (12, 0)])
def test_overhang_is_counted(size: int, outside: int) -> None:
    answer = decide_divide(Layout(size, 3), 4)
    assert answer.out_of_range == outside
    post.holds_divide(Layout(size, 3), layout("4:1"), answer.result, outside)


def test_forms_hold_the_same_elements() -> None:
    a, t = layout("(8,6,4):(1,8,48)"), (4, 3)
    want = Counter(post.table(a))
    for divide in (logical_divide, zipped_divide, tiled_divide, flat_divide):
        assert Counter(post.table(divide(a, t))) == want
    assert str(zipped_divide(a, t)) == "((4,3),(2,2,4)):((1,8),(4,24,48))"
    assert str(tiled_divide(a, t)) == "((4,3),2,2,4):((1,8),4,24,48)"
    assert str(flat_divide(a, t)) == "(4,3,2,2,4):(1,8,4,24,48)"


def test_a_trailing_size_one_decides_nothing() -> None:
    assert post.table(logical_divide(layout("(6,1):(1,40)"), 4)) == post.table(logical_divide(layout("6:1"), 4))


@pytest.mark.parametrize("t", ["4:0", "(4,3):(1,2)", "4:-1", "(2,3):(1,3)"])
def test_tiles_that_do_not_tile(t: str) -> None:
    refusal = post.raises(DivideRefuted, lambda: logical_divide(layout("24:1"), layout(t)))
    post.holds_complement_refusal(layout(t), refusal.witness)


@pytest.mark.parametrize("t", [0, -1, (2, 2, 2), "4", 1.5, layout("4:e0"), layout("4:f1"), ((2, 2), 2), True])
def test_what_is_no_tiler(t: object) -> None:
    post.raises(InputError, lambda: logical_divide(layout("(4,8)"), t))


@pytest.mark.parametrize(("t", "kind"), [("4:e0", "coordinate"), ("4:f1", "F2")])
def test_a_tile_that_gives_no_integers_is_named(t: str, kind: str) -> None:
    refusal = post.raises(InputError, lambda: logical_divide(layout("8:1"), layout(t)))
    assert str(refusal) == f"the tile {t} gives {kind} offsets: divide by integers, or by mode"


def test_nothing_to_divide() -> None:
    assert logical_divide(layout("(4,8)"), None) == layout("(4,8)")
    post.raises(InputError, lambda: zipped_divide(layout("(4,8)"), None))
    post.raises(InputError, lambda: decide_divide(layout("(4,8)"), 2, "raked"))


def test_huge() -> None:
    a = Layout((2**40, 3**30), (3**30, 1))
    answer = decide_divide(a, (2**20, 3**10))
    assert answer.exact and answer.result((2**20, 3**10)) == 2**20 * 3**30 + 3**10
    assert decide_divide(Layout(2**80 + 1), 2**40).out_of_range == 2**40 - 1


def test_the_ragged_mode_of_a_nested_tiler_is_named_by_its_path() -> None:
    answer = decide_divide(layout("((5,3),4)"), ((2, None), None))
    assert answer.out_of_range == 12 and "of mode 0.0" in answer.notes[0]
    answer = decide_divide(layout("(4,(3,5))"), (None, (None, 2)))
    assert "of mode 1.1" in answer.notes[0]
    answer = decide_divide(layout("(4,(5,3))"), (None, (2, None)))
    assert "of mode 1.0" in answer.notes[0]
