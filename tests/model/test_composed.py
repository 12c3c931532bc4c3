"""Composed layouts: f(offset + L(c)), as CuTe prints them."""

from hypothesis import given

from veritile import F2, ComposedLayout, E, InputError, Layout, Swizzle, layout, parse

from . import postconditions as post
from .strategies import composed


@given(composed())
def test_evaluation(a: ComposedLayout) -> None:
    for i in range(post.size_of(a.shape)):
        assert a(i) == a.function(a.offset + post.value_of(a.layout, i))  # type: ignore[arg-type, operator]
        assert a.in_bounds(i) and a(post.natural_of(i, a.shape)) == a(i)
    assert not a.in_bounds(post.size_of(a.shape)) and len(a) == len(a.layout)  # type: ignore[arg-type]


def test_chains_of_functions() -> None:
    a = parse("S<1,0,1> o 1 o S<2,0,2> o 0 o (4,4):(4,1)")
    assert isinstance(a, ComposedLayout)
    assert [a(i) for i in range(16)] == [
        Swizzle(1, 0, 1)(1 + Swizzle(2, 0, 2)(layout("(4,4):(4,1)")(i))) for i in range(16)
    ]
    through = parse("(4,8):(8,1) o 0 o (4,8):(e0,e1)")
    assert through((1, 1)) == 9 and through(31) == 31


def test_what_does_not_compose() -> None:
    for inner, offset in ((layout("4:e0"), 0), (layout("4:f1"), 0), (layout("4:1"), E(0)), (layout("4:1"), F2(1))):
        post.raises(InputError, lambda inner=inner, offset=offset: ComposedLayout(Swizzle(1, 0, 1), offset, inner))
    assert ComposedLayout(Layout(4, 2), 1, Layout(3, 1))(2) == 6
