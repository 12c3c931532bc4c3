"""Layouts: one function for every coordinate set, past the end too (§2.4)."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import F2, E, InputError, Layout, depth, layout, rank, size

from . import postconditions as post
from .strategies import any_layouts, layouts

EXAMPLES = [
    ("(4,8):(1,4)", 32),
    ("(4,8):(8,1)", 32),
    ("(4,8):(1,5)", 32),
    ("(4,(4,2)):(4,(1,16))", 32),
    ("((2,2),(4,2)):((1,8),(2,16))", 32),
    ("((2,2),(2,4)):((0,2),(0,4))", 32),
    ("(4,8):(e0,e1)", 32),
    ("(4,(4,2)):(e1,(e0,6e1))", 32),
    ("(4,(4,3)):(f1,(f5,f16))", 48),
]


@pytest.mark.parametrize(("text", "n"), EXAMPLES)
def test_examples(text: str, n: int) -> None:
    a = layout(text)
    assert size(a) == n and str(a) == text and a(0) == 0
    post.agrees_everywhere(a)


def test_the_paper_s_value() -> None:
    a = layout("((2,2),(4,2)):((1,8),(2,16))")
    assert a(22) == a((2, 5)) == a(((0, 1), (1, 1))) == 26


@given(any_layouts(3))
def test_every_coarsening_is_the_same_function(a: Layout) -> None:
    post.agrees_everywhere(a)


@given(layouts(3), st.integers(-1000, 1000))
def test_past_the_end(a: Layout, i: int) -> None:
    assert a(i) == post.value_of(a, i)
    assert a.in_bounds(i) == (0 <= i < size(a))


def test_the_last_mode_is_not_reduced() -> None:
    assert layout("(3,1):(1,4)")(3) == 4 and layout("3:1")(3) == 3
    assert layout("(4,8):(1,4)")((5, 9)) == 41 and not layout("(4,8)").in_bounds((5, 9))
    assert layout("(4,(2,3)):(1,(4,8))")((0, 7)) == 4 + 3 * 8


@pytest.mark.parametrize(
    ("shape", "stride"),
    [
        ((4, 0), None),
        ((4, -1), None),
        ((4, 2.0), None),
        ((4, True), None),
        ((4, "8"), None),
        ((4, 8), (1,)),
        ((4, 8), 1),
        (4, (1,)),
        ((4, 8), (1, (2,))),
        ((4, 8), (1, E(0))),
        ((4, 8), (F2(1), 2)),
        ((4, 8), (F2(1), E(0))),
        ((4, 8), (1, None)),
        ((4, 8), (1, True)),
        ((4, 8), (1, 0.5)),
    ],
)
def test_what_is_no_layout(shape: object, stride: object) -> None:
    post.raises(InputError, lambda: Layout(shape, stride))


@pytest.mark.parametrize(
    "crd", [(1, 2, 3), (1,), ((0, 0), 1), (1, (0, 0)), "3", 1.5, (1, 1.5), None, (None, 1), [1, 2]]
)
def test_what_is_no_coordinate(crd: object) -> None:
    post.raises(InputError, lambda: layout("(4,8):(1,4)")(crd))
    assert not layout("(4,8):(1,4)").in_bounds(crd)


def test_zero_belongs_to_every_semimodule() -> None:
    assert layout("(4,8):(0,e0)").semimodule == "coordinate"
    assert Layout((4, 8), (F2(0), F2(1))).stride == (0, F2(1))
    assert Layout(4, 0 * E(1)).stride == 0
    post.has_plain_zeros(Layout((2, 2), (F2(0), F2(1))))


def test_modes_rank_depth() -> None:
    a = layout("((2,2),(4,2)):((1,8),(2,16))")
    assert [str(mode) for mode in a] == ["(2,2):(1,8)", "(4,2):(2,16)"] and a[-1] == a[1]
    assert (rank(a), depth(a), len(a)) == (2, 2, 2)
    assert (rank(layout("8")), depth(layout("8")), layout("8")[0]) == (1, 0, layout("8"))
    with pytest.raises(IndexError):
        a[2]
    with pytest.raises(IndexError):
        layout("8")[1]


def test_immutable_hashable_picklable() -> None:
    a = layout("(4,8):(e0,2e1)")
    with pytest.raises(AttributeError):
        a.shape = (8, 4)  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(a)) == a and hash(a) == hash(layout("(4,8):(e0,2e1)"))
    assert layout("(4,8):(1,4)") != layout("32:1") and layout("(4)") != layout("4")


def test_huge() -> None:
    a = Layout((2**100, 3**50), (3**50, 1))
    assert a(2**100) == 1 and a((2**100 - 1, 3**50 - 1)) == 2**100 * 3**50 - 1
    assert a(-1) == (2**100 - 1) * 3**50 - 1
