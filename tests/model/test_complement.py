"""Complements: bounded, extended and partial, three things with three names (§3.5)."""

import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import (
    ComplementRefuted,
    InputError,
    Layout,
    complement,
    decide_complement,
    decide_partial_complement,
    extended_complement,
    layout,
    partial_complement,
)

from . import postconditions as post
from .strategies import chains, f2_layouts, forward, layouts

module = sys.modules[complement.__module__]  # the package names the function like its file


def checked(a: Layout, bound: int) -> Layout | None:
    try:
        answer = decide_complement(a, bound)
    except ComplementRefuted as refusal:
        post.holds_complement_refusal(a, refusal.witness)
        return None
    post.holds_complement(a, bound, answer.result, answer.out_of_range)
    assert answer.exact == (answer.out_of_range == 0)
    return answer.result


@pytest.mark.parametrize(
    ("text", "bound", "expected"),
    [
        ("(2,2):(1,6)", 24, "(3,2):(2,12)"),
        ("4:2", 8, "2:1"),
        ("(4,8):(1,4)", 32, "1:0"),
        ("(4,8):(1,4)", 33, "2:32"),
        ("(4,8):(8,1)", 64, "2:32"),
        ("(4,8):(1,8)", 64, "2:4"),
        ("8:3", 24, "3:1"),
        ("1:0", 5, "5:1"),
        ("(1,1):(3,9)", 5, "5:1"),
        ("4:1", 1, "1:0"),
        ("4:1", 5, "2:4"),
        ("(2,2):(f1,f4)", 8, "2:f2"),
        ("2:f3", 4, "2:f1"),
    ],
)
def test_bounded_examples(text: str, bound: int, expected: str) -> None:
    assert checked(layout(text), bound) == layout(expected)


@pytest.mark.parametrize(
    ("text", "kind", "twin"),
    [
        ("(2,3):(1,3)", "unreachable", "(2,3):(1,2)"),
        ("(4,3):(1,2)", "collision", "(4,3):(1,4)"),
        ("4:-1", "negative", "4:1"),
        ("4:0", "collision", "4:2"),
        ("(2,2):(0,1)", "collision", "(2,2):(2,1)"),
        ("(4,8):(1,5)", "unreachable", "(4,8):(1,8)"),
    ],
)
def test_refusals_beside_their_twins(text: str, kind: str, twin: str) -> None:
    refusal = post.raises(ComplementRefuted, lambda: complement(layout(text), 24))
    assert refusal.witness.kind == kind
    post.holds_complement_refusal(layout(text), refusal.witness)
    assert checked(layout(twin), 24) is not None


@given(st.one_of(chains(3), forward(3), layouts(2)), st.integers(1, 70))
def test_bounded(a: Layout, bound: int) -> None:
    checked(a, bound)


@given(f2_layouts(3, powers=True), st.sampled_from((1, 2, 5, 16, 64)))
def test_bounded_over_f2(a: Layout, bound: int) -> None:
    checked(a, bound)


def test_bounds_that_are_none() -> None:
    for bound in (0, -1, True, 2.0, None, "8"):
        post.raises(InputError, lambda bound=bound: complement(layout("4:1"), bound))
        post.raises(InputError, lambda bound=bound: partial_complement(layout("4:1"), bound))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(4,8):(1,4)", "1:32"),
        ("(4,8):(8,1)", "1:32"),
        ("(4,8):(1,5)", "1:40"),
        ("(4,8):(1,8)", "(2,1):(4,64)"),
        ("(2,3):(2,6)", "(2,1):(1,18)"),  # no chain, and the gap of two below the first stride is filled
        ("(2,3):(2,4)", "(2,1):(1,12)"),
        ("(4,2):(2,3)", "1:10"),  # 9 is reached, past size times stride of either mode
        ("(2,2):(2,3)", "1:6"),
        ("(2,3):(3,7)", "(3,1):(1,21)"),
        ("(3,4):(4,1)", "1:12"),
        ("4:0", "1:1"),
    ],
)
def test_extended_examples(text: str, expected: str) -> None:
    assert extended_complement(layout(text)) == layout(expected)
    post.holds_extended(layout(text), layout(expected))


def test_extended_of_a_broadcast_as_the_paper_has_it() -> None:
    r = extended_complement(layout("((2,2),(2,4)):((0,2),(0,4))"))
    assert r == layout("(2,1):(1,16)")
    post.holds_extended(layout("((2,2),(2,4)):((0,2),(0,4))"), r)


def test_extended_of_coordinates() -> None:
    assert str(extended_complement(layout("(4,8):(e0,e1)"))) == "(1,1):(4e0,8e1)"
    # the paper's row (1,1):(4e0,4e1) meets the layout: 4e1 = L(0,4)
    assert layout("(4,8):(e0,e1)")((0, 4)) == layout("(1,1):(4e0,4e1)")((0, 1))


@given(st.one_of(forward(3), layouts(2), chains(3)))
def test_extended(a: Layout) -> None:
    try:
        r = extended_complement(a)
    except ComplementRefuted as refusal:
        assert min(post.table(a)) < 0
        post.holds_witness(a, refusal.witness)
        return
    post.holds_extended(a, r, 2 * max(post.table(a)) + 20)


@given(st.one_of(forward(3), layouts(2), chains(3)), st.integers(1, 80))
def test_partial(a: Layout, bound: int) -> None:
    try:
        answer = decide_partial_complement(a, bound)
    except ComplementRefuted as refusal:
        assert min(post.table(a)) < 0
        post.holds_witness(a, refusal.witness)
        return
    post.holds_partial(a, bound, answer.result)
    if answer.exact:
        post.holds_complement(a, bound, answer.result, 0)


def test_partial_is_labelled() -> None:
    answer = decide_partial_complement(layout("(2,3):(1,3)"), 18)
    assert str(answer.result) == "2:9" and answer.exact is False and answer.notes[0].startswith("partial")


@pytest.mark.parametrize("text", ["(2,2):(f1,f4)", "(2,2):(f1,f2)", "2:f3", "(3,2):(f1,f4)", "4:f0"])
def test_extended_and_partial_over_f2_refuse_or_answer(text: str) -> None:
    post.only_ours(lambda: extended_complement(layout(text)))
    post.only_ours(lambda: partial_complement(layout(text), 16))


def forced(a: Layout) -> tuple[list[int], set[int]]:
    """Counting up, the shifts that every tiling needs before two of them meet, and the offsets they cover."""
    image, covered, shifts, least = post.table(a), set[int](), [], 0
    while True:
        while least in covered:
            least += 1
        shift = {least + x for x in image}
        if shift & covered:
            return shifts, covered
        covered |= shift
        shifts.append(least)


def test_the_hole_that_is_found_without_counting_up_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the last stride alone breaks the chain: not covered by what is forced, and every shift there collides."""
    monkeypatch.setattr(module, "FORCED", 0)
    holes, strides = set(), (1, 2, 3, 4, 6, 8, 12)
    tried = [(s, d) for s in product((2, 3), repeat=2) for d in product(strides, range(1, 20))]
    tried += [(s, d) for s in product((2, 3), repeat=3) for d in product(strides, strides, range(4, 40, 3))]
    for s, d in tried:
        a = Layout(s, d)
        if sorted(d) != list(d) or chain_of(s[:-1], d[:-1]) is None:
            continue
        try:
            complement(a, 5)
        except ComplementRefuted as refusal:
            if refusal.witness is None or refusal.witness.kind != "unreachable":
                continue
            hole, image, covered = refusal.witness.values["offset"], post.table(a), forced(a)[1]
            assert hole not in covered, a
            for x in image:
                assert hole < x or {hole - x + y for y in image} & covered, (str(a), hole, x)
            holes.add((len(s), hole))
    assert len(holes) > 20


def chain_of(s: tuple[int, ...], d: tuple[int, ...]) -> int | None:
    """What a divisor chain covers, None where the strides are none."""
    top = 1
    for n, stride in zip(s, d, strict=True):
        if stride % top:
            return None
        top = n * stride
    return top


def test_every_small_layout() -> None:
    for s in product(range(1, 4), repeat=2):
        for d in product(range(0, 7), repeat=2):
            for bound in (1, 7, 12):
                checked(Layout(s, d), bound)


def test_huge() -> None:
    top = 3 * 2**90
    assert complement(Layout((3, 2**40), (2**90, 1)), top) == Layout(2**50, 2**40)
    assert decide_complement(Layout(2**70), 2**70 + 1).out_of_range == 2**70 - 1
    post.raises(ComplementRefuted, lambda: complement(Layout((2**70, 2), (1, 2**70 + 1)), 2**80))
