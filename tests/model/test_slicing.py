"""Slices: offset + part(kept) = L(c) wherever the kept coordinates lie (§2.5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import ComposedLayout, InputError, Layout, decide_slice, layout, parse, parse_coordinate, slice_

from . import postconditions as post
from .strategies import any_layouts, composed, slices


@given(any_layouts(3), st.data())
def test_layouts(a: Layout, data: st.DataObject) -> None:
    crd = data.draw(slices(a.shape))
    post.holds_slice(a, crd, *slice_(a, crd))
    assert decide_slice(a, crd).in_bounds


@given(composed(), st.data())
def test_swizzled(a: ComposedLayout, data: st.DataObject) -> None:
    crd = data.draw(slices(a.shape))
    post.holds_slice(a, crd, *slice_(a, crd))


@pytest.mark.parametrize(
    ("text", "crd", "part", "offset"),
    [
        ("((2,2),(4,2)):((1,8),(2,16))", "(_,(1,_))", "((2,2),2):((1,8),16)", 2),
        ("(4,8):(1,4)", "(1,_)", "(8):(4)", 1),
        ("(4,8):(1,4)", "(1,2)", "1:0", 9),
        ("(4,8):(1,4)", "9", "1:0", 9),
        ("S<1,0,2> o 0 o (2,5):(1,2)", "(_,4)", "(2):(1)", 8),
        ("S<1,0,1> o 0 o (3,2):(1,3)", "(_,1)", "S<1,0,1> o 3 o (3):(1)", 0),
    ],
)
def test_examples(text: str, crd: str, part: str, offset: int) -> None:
    got, shift = slice_(parse(text), parse_coordinate(crd))  # type: ignore[arg-type]
    assert (str(got), shift) == (part, offset)


@pytest.mark.parametrize("text", ["(4,8):(1,4)", "8:2", "((2,2),3):((1,8),2)"])
def test_keeping_everything_keeps_the_layout(text: str) -> None:
    assert slice_(layout(text), None) == (layout(text), 0)


def test_out_of_bounds_is_told() -> None:
    assert decide_slice(layout("(4,8):(1,4)"), (4, None)).in_bounds is False
    assert decide_slice(layout("(4,8):(1,4)"), (3, None)).in_bounds is True


def test_bad_input() -> None:
    for crd in ((None,), (None, None, None), ((0, None), None), "_", (None, 1.5)):
        post.raises(InputError, lambda crd=crd: slice_(layout("(4,8):(1,4)"), crd))
    post.raises(InputError, lambda: slice_(parse("16:3 o 0 o S<2,0,2>"), (None,)))  # type: ignore[arg-type]
