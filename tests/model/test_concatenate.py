"""Concatenation, modes and groups (§3.1)."""

from hypothesis import given

from veritile import InputError, Layout, concatenate, flatten_layout, group_modes, layout, select

from . import postconditions as post
from .strategies import any_layouts, layouts


@given(layouts(2), layouts(2), layouts(2))
def test_concatenation_adds(a: Layout, b: Layout, c: Layout) -> None:
    whole = concatenate(a, b, c)
    assert list(whole) == [a, b, c]
    for i in range(post.size_of(a.shape)):
        last = post.size_of(c.shape) - 1
        assert whole((i, 0, last)) == a(i) + c(last)


@given(any_layouts(3))
def test_regrouping_keeps_the_function(a: Layout) -> None:
    assert post.table(flatten_layout(a)) == post.table(a)
    assert list(select(a, *range(len(a)))) == list(a)
    assert post.table(group_modes(a, 0, len(a))) == post.table(a)
    if len(a) > 1:
        assert list(select(a, -1, 0)) == [a[-1], a[0]]


def test_refusals() -> None:
    for call in (
        lambda: concatenate(),
        lambda: concatenate(layout("4:2"), layout("3:e0")),
        lambda: concatenate(layout("4:f2"), layout("3:2")),
        lambda: select(layout("(4,8)"), 2),
        lambda: group_modes(layout("(4,8)"), 1, 1),
        lambda: group_modes(layout("(4,8)"), 0, 3),
    ):
        post.raises(InputError, call)
    assert concatenate(layout("4:0"), layout("3:e0")).semimodule == "coordinate"
