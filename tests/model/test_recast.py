"""Recast: the same bits in elements of another width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout, RecastRefuted, layout, parse, recast_layout

from . import postconditions as post
from .strategies import chains, composed, layouts

BITS = st.sampled_from((4, 6, 8, 12, 16, 32, 64))


@given(layouts(3) | chains(3), BITS, BITS)
def test_same_bits(a: Layout, before: int, after: int) -> None:
    try:
        r = recast_layout(a, before, after)
    except RecastRefuted as refusal:
        assert after % before or after > before
        assert refusal.witness is not None
        return
    assert isinstance(r, Layout)
    post.is_legal(r)
    post.holds_recast(a, before, after, r)


@given(composed(), st.sampled_from((8, 16, 32)), st.sampled_from((8, 16, 32, 64)))
def test_same_bits_with_a_swizzle(a: object, before: int, after: int) -> None:
    try:
        r = recast_layout(a, before, after)  # type: ignore[arg-type]
    except RecastRefuted:
        return
    post.holds_recast(a, before, after, r)


@pytest.mark.parametrize(
    ("text", "before", "after", "r"),
    [
        ("16:1", 16, 32, "8:1"),
        ("(1,1):(0,0)", 64, 16, "(4,1):(1,0)"),
        ("(8,64):(64,1)", 16, 8, "(8,128):(128,1)"),
        ("(8,64):(64,1)", 16, 128, "(8,8):(8,1)"),
        ("4:2", 16, 8, "(2,4):(1,4)"),
        ("8:1", 8, 12, None),
        ("12:1", 8, 12, "8:1"),
        ("15:1", 16, 32, None),
        ("(4,4):(1,6)", 16, 64, None),
        ("(4,4):(1,8)", 16, 64, "(1,4):(0,2)"),
        ("(2,4):(1,8)", 16, 32, "(1,4):(0,4)"),
        ("(2,4):(1,7)", 16, 32, None),
        ("(2,3,2):(1,8,2)", 16, 64, "(1,3,1):(0,2,0)"),
        ("4:-1", 16, 32, None),
        ("8:0", 16, 32, None),
        ("8:0", 16, 8, "(2,8):(1,0)"),
        ("(1,4,1):(2,2,1)", 16, 8, "(1,4,2):(4,4,1)"),  # of the modes of one element that with stride 1 is lengthened
        ("(1,4,1):(2,2,2)", 16, 8, "(2,4,1):(1,4,4)"),  # else the first
    ],
)
def test_examples_beside_their_twins(text: str, before: int, after: int, r: str | None) -> None:
    a = layout(text)
    assert post.can_recast(a, before, after) == (r is not None)
    if r is None:
        post.raises(RecastRefuted, lambda: recast_layout(a, before, after))
        return
    got = recast_layout(a, before, after)
    assert got == layout(r)
    post.holds_recast(a, before, after, got)


@pytest.mark.parametrize(("text", "before", "after"), [("S<0,0,1> o 0 o 8:1", 8, 16), ("(6,2):(1,6)", 16, 64)])
def test_what_falls_into_whole_elements_is_not_refused(text: str, before: int, after: int) -> None:
    a = parse(text)
    post.holds_recast(a, before, after, recast_layout(a, before, after))  # type: ignore[arg-type]


def test_bad_input() -> None:
    for bits in (0, -8, True, 1.5, None):
        post.raises(InputError, lambda bits=bits: recast_layout(layout("8:1"), bits, 16))
        post.raises(InputError, lambda bits=bits: recast_layout(layout("8:1"), 16, bits))
    for text in ("4:e0", "4:f1"):
        post.raises(InputError, lambda text=text: recast_layout(layout(text), 16, 8))
    post.raises(RecastRefuted, lambda: recast_layout(parse("S<1,0,3> o 0 o 16:1"), 8, 16))


def test_huge() -> None:
    assert recast_layout(Layout((2**40, 2**70), (2**70, 1)), 8, 32) == Layout((2**40, 2**68), (2**68, 1))


def test_a_mode_of_one_element_stays_and_its_stride_is_rounded_up() -> None:
    """As CuTe has it: the profile is kept though a stride that is never taken is no multiple."""
    assert str(recast_layout(layout("(4,1):(1,3)"), 16, 32)) == "(2,1):(1,2)"
    assert str(recast_layout(layout("(4,1):(1,4)"), 16, 32)) == "(2,1):(1,2)"
    post.raises(RecastRefuted, lambda: recast_layout(layout("(4,2):(1,3)"), 16, 32))


def test_the_first_run_that_divides_neither_way_is_the_witness() -> None:
    """3 elements from offset 0 on, and an element of 4: what comes after makes it no better."""
    refusal = post.raises(RecastRefuted, lambda: recast_layout(layout("(3,4):(1,1)"), 16, 64))
    assert refusal.witness.values == {"offset": 0}
    twin = post.raises(RecastRefuted, lambda: recast_layout(layout("(4,3):(1,1)"), 16, 64))
    assert twin.witness.values == {"coordinate": (0, 1), "offset": 1}


@pytest.mark.parametrize("text", ["4:2", "8:1", "(4,2):(2,8)", "(1,4):(0,3)", "S<2,0,3> o 0 o 32:1"])
def test_elements_of_one_width_stay_as_they_are(text: str) -> None:
    assert str(recast_layout(parse(text), 16, 16)) == text


def test_wider_elements_add_no_mode() -> None:
    assert str(recast_layout(layout("(2,4):(1,2)"), 16, 32)) == "(1,4):(0,1)"
    assert str(recast_layout(layout("(4,2):(4,1)"), 16, 32)) == "(4,1):(2,0)"
