"""Tensors: T(c) = *(e + L(c)), slices and copies (§2.5, §2.6.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout, Tensor, copy, layout, parse

from . import postconditions as post
from .strategies import forward, slices


@given(forward(3), st.data())
def test_slicing_a_tensor(a: Layout, data: st.DataObject) -> None:
    t = Tensor(lambda x: x, a, 7)
    crd = data.draw(slices(a.shape))
    part = t[crd]
    if isinstance(part, Tensor):
        post.holds_slice(Layout(a.shape, a.stride), crd, part.layout, part.start - 7)
    else:
        assert part == 7 + a(crd)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("8:1", "8:1"),
        ("(8,2,3):(1,16,32)", "(8,2,3):(1,16,32)"),
        ("(2,3,2):(42,1,128)", "12:1"),
        ("12:1", "(2,3,2):(42,1,128)"),
        ("7:0", "7:1"),
        ("7:0", "7:0"),
        ("(8,3):(1,8)", "(8,3):(3,1)"),
        ("(8,(3,5)):(1,(57,8))", "(8,15):(1,8)"),
    ],
)
def test_the_paper_s_copies(source: str, target: str) -> None:
    src, dst = Tensor(list(range(200)), layout(source)), Tensor([-1] * 200, layout(target))
    copy(src, dst)
    assert all(dst[i] == src[i] for i in range(len(src)))
    assert len(set(dst.data)) <= len(src) + 1  # type: ignore[arg-type]


def test_refusals() -> None:
    t = Tensor(list(range(8)), layout("(2,4):(4,1)"))
    for call in (
        lambda: t[8],
        lambda: t[-1],
        lambda: t[2, 0],
        lambda: t[0, 0, 0],
        lambda: Tensor([1], layout("2:1"))[1],
        lambda: Tensor([1, 2], layout("2:-1"))[1],
        lambda: copy(t, Tensor([0] * 9, layout("9:1"))),
        lambda: Tensor("ab", layout("2:1")).__setitem__(0, "c"),
    ):
        post.raises(InputError, call)
    assert list(Tensor("abcdefgh", layout("(2,4):(4,1)"))) == list("aebfcgdh")
    swizzled = Tensor(range(16), parse("S<2,0,2> o 0 o (4,4):(4,1)"))
    assert [swizzled[1, None][j] for j in range(4)] == [swizzled[1, j] for j in range(4)] == [5, 4, 7, 6]
