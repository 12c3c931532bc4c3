"""Products: every element of B becomes a shift of A that meets no other (§3.5.1)."""

from collections import Counter

import pytest
from hypothesis import given

from veritile import InputError, Layout, ProductRefuted, decide_product, layout, logical_product
from veritile.model.product import FORMS

from . import postconditions as post
from .strategies import chains, coordinate_layouts, forward, layouts


@pytest.mark.parametrize(
    ("form", "r"),
    [
        ("logical", "((3,4),(2,5)):((4,1),(12,24))"),
        ("blocked", "((3,2),(4,5)):((4,12),(1,24))"),
        ("raked", "((2,3),(5,4)):((12,4),(24,1))"),
        ("zipped", "((3,4),(2,5)):((4,1),(12,24))"),
        ("tiled", "((3,4),2,5):((4,1),12,24)"),
        ("flat", "(3,4,2,5):(4,1,12,24)"),
    ],
)
def test_the_paper_s_pair(form: str, r: str) -> None:
    assert str(decide_product(layout("(3,4):(4,1)"), layout("(2,5):(1,2)"), form).result) == r


@pytest.mark.parametrize(
    ("a", "b", "blocked", "raked"),
    [
        ("(3,4):(4,1)", "(1,5):(0,1)", "(3,(4,5)):(4,(1,12))", "(3,(5,4)):(4,(12,1))"),
        ("(3,4):(4,1)", "5:1", "((3,5),4):((4,12),1)", "((5,3),4):((12,4),1)"),
        ("(1,4):(0,1)", "(1,5):(0,1)", "(1,(4,5)):(0,(1,4))", "(1,(5,4)):(0,(4,1))"),
    ],
)
def test_a_mode_of_one_element_is_not_nested(a: str, b: str, blocked: str, raked: str) -> None:
    assert str(decide_product(layout(a), layout(b), "blocked").result) == blocked
    assert str(decide_product(layout(a), layout(b), "raked").result) == raked


@given(
    forward(3) | chains(3) | layouts(2) | coordinate_layouts(2, negative=False, diagonal=False), forward(2) | layouts(2)
)
def test_shifts_do_not_meet(a: Layout, b: Layout) -> None:
    try:
        r = logical_product(a, b)
    except ProductRefuted as refusal:
        assert refusal.witness is not None
        return
    post.holds_product(a, b, r)
    for form in FORMS[3:]:
        assert Counter(post.table(decide_product(a, b, form).result)) == Counter(post.table(r))


@given(chains(2), chains(2))
def test_blocked_and_raked_hold_the_same_elements(a: Layout, b: Layout) -> None:
    for form in ("blocked", "raked"):
        try:
            want = Counter(post.table(logical_product(a, b)))
            r = decide_product(a, b, form).result
        except ProductRefuted:
            continue
        assert Counter(post.table(r)) == want
        assert len(r) == max(len(a), len(b))


@pytest.mark.parametrize("text", ["(2,2):(f1,f4)", "2:f3", "(3,2):(f1,f4)"])
def test_over_f2_is_answered_or_refused(text: str) -> None:
    post.only_ours(lambda: logical_product(layout(text), layout("2:1")))


def test_refusals_and_bad_input() -> None:
    refusal = post.raises(ProductRefuted, lambda: logical_product(layout("4:-1"), layout("2:1")))
    assert refusal.witness.kind == "negative"
    post.raises(InputError, lambda: decide_product(layout("4:1"), 2, "other"))
    post.raises(InputError, lambda: decide_product(layout("4:1"), (2, 2)))
    post.raises(InputError, lambda: decide_product(layout("4:1"), 0))
    post.raises(InputError, lambda: decide_product(layout("4:1"), (None,), "zipped"))


def test_by_mode_and_huge() -> None:
    assert str(logical_product(layout("(4,2):(1,4)"), (3, None))) == "((4,3),2):((1,4),4)"
    r = logical_product(Layout(2**70, 1), Layout(2**70, 1))
    assert r == Layout((2**70, 2**70), (1, 2**70))
