"""Properties: closed forms against plain evaluation, witnesses read back, both sides of every edge."""

import pytest
from hypothesis import given

from veritile import (
    InputError,
    Layout,
    Undecided,
    contiguous_run,
    cosize,
    equal,
    is_bijective,
    is_contiguous,
    is_disjoint,
    is_injective,
    is_onto,
    is_within,
    layout,
    parse,
)
from veritile.model import properties

from . import postconditions as post
from .strategies import any_layouts, chains, composed, coordinate_layouts, f2_layouts, forward, layouts

MANY = layouts(3) | chains(3) | f2_layouts(3) | composed()


@given(MANY | coordinate_layouts(3))
def test_injective(a: Layout) -> None:
    values = post.table(a)
    witness = properties.refute_injective(a)
    assert (witness is None) == (len(set(values)) == len(values)) == is_injective(a)
    if witness is not None:
        post.holds_witness(a, witness)


@given(MANY)
def test_onto_within_bijective(a: Layout) -> None:
    values = [post.as_integer(v) for v in post.table(a)]
    top = max(values)
    for n in {1, 2, len(values), len(values) + 1, max(top, 1), max(top + 1, 1), max(top + 2, 1)}:
        onto, within = properties.refute_onto(a, n), properties.refute_within(a, n)
        bijective = properties.refute_bijective(a, n)
        assert (onto is None) == (set(range(n)) <= set(values)) == is_onto(a, n)
        assert (within is None) == (min(values) >= 0 and top < n) == is_within(a, n)
        assert (bijective is None) == (sorted(values) == list(range(n))) == is_bijective(a, n)
        if onto is not None:
            assert onto.values["offset"] == min(set(range(n)) - set(values))
        for witness in (within, bijective):
            if witness is not None:
                post.holds_witness(a, witness)


@given(MANY)
def test_extent_and_run(a: Layout) -> None:
    values = [post.as_integer(v) for v in post.table(a)]
    assert cosize(a) == max(values) - min(*values, 0) + 1
    run = next((i for i, v in enumerate(values) if v != i), len(values))
    assert contiguous_run(a) == run
    assert (is_contiguous(a, run) if run else True) and not is_contiguous(a, run + 1)


@given(coordinate_layouts(3))
def test_extent_of_coordinates(a: Layout) -> None:
    paths = sorted({p for d in post.leaves(a.stride) if d for p, _ in d.terms})
    reach = [[dict(v.terms).get(p, 0) if v else 0 for v in post.table(a)] for p in paths]
    if paths:
        assert cosize(a) == tuple(max(r) - min(r) + 1 for r in reach)


@given(layouts(2) | chains(2) | f2_layouts(2), forward(2) | f2_layouts(2))
def test_pairs(a: Layout, b: Layout) -> None:
    shared = (set(post.table(a)) & set(post.table(b))) - {0}
    witness = properties.refute_disjoint(a, b)
    assert (witness is None) == (not shared) == is_disjoint(a, b)
    if witness is not None:
        w = witness.values
        assert a(w["coordinate"]) == b(w["other"]) == w["offset"] != 0
    witness = properties.refute_equal(a, b)
    one, other = post.table(a), post.table(b)
    assert (witness is None) == (one == other) == equal(a, b)
    if witness is not None:
        i = witness.values["index"]
        assert one[:i] == other[:i] and (i >= min(len(one), len(other)) or one[i] != other[i])


@given(any_layouts(3))
def test_equal_to_itself_by_another_name(a: Layout) -> None:
    flat = Layout(tuple(post.leaves(a.shape)), tuple(post.leaves(a.stride)))
    assert equal(a, flat) and equal(flat, a)


@pytest.mark.parametrize("power", [10, 60, 200])
def test_closed_forms_at_any_size(power: int) -> None:
    n = 2**power
    a, padded = Layout((n, n), (n, 1)), Layout((n, n), (1, n + 1))
    assert is_bijective(a) and is_injective(padded) and not is_bijective(padded)
    assert is_onto(padded, n) and not is_onto(padded, n + 1)
    assert cosize(padded) == n * n + n - 1 and contiguous_run(padded) == n
    assert not is_injective(Layout((n, n), (1, n - 1))) and is_disjoint(Layout(n, 1), Layout(n, n))
    assert not is_disjoint(Layout(n, 1), Layout(n, n - 1)) and not equal(a, padded)
    witness = properties.refute_injective(Layout((n, n), (1, n - 1)))
    assert witness is not None
    post.holds_witness(Layout((n, n), (1, n - 1)), witness)


def test_bad_bounds_and_semimodules() -> None:
    for n in (0, -1, True, 1.5, None):
        post.raises(InputError, lambda n=n: is_onto(layout("4:1"), n))
        post.raises(InputError, lambda n=n: is_within(layout("4:1"), n))
        post.raises(InputError, lambda n=n: is_contiguous(layout("4:1"), n))
    for check in (is_onto, is_within, is_bijective):
        post.raises(InputError, lambda check=check: check(layout("(4,8):(e0,e1)"), 4))
    post.raises(InputError, lambda: contiguous_run(layout("(4,8):(e0,e1)")))


def test_swizzled() -> None:
    a = parse("S<3,4,3> o 0 o (8,64):(64,1)")
    assert is_bijective(a) and cosize(a) == 512 and not is_injective(parse("S<3,4,3> o 0 o (8,64):(32,1)"))


def test_what_hides_in_a_composed_layout_is_ours() -> None:
    a = parse("(4,8):(e0,e1) o 0 o 4:1")
    for call in (cosize, is_injective, contiguous_run, is_bijective):
        outcome = post.only_ours(lambda call=call: call(a))
        assert outcome is not None


def test_undecided_is_no_answer() -> None:
    hard = Layout((1009, 1013, 1019, 1021), tuple(10**18 + k * k * k for k in (1, 7, 31, 101)))
    outcome = post.only_ours(lambda: is_injective(hard))
    assert isinstance(outcome, (bool, Undecided))


def test_contiguous_runs_over_f2() -> None:
    assert contiguous_run(layout("(4,2):(f1,f8)")) == 4
    assert contiguous_run(layout("(4,2):(f1,f4)")) == 8
    assert contiguous_run(layout("(4,2):(f2,f1)")) == 1


@pytest.mark.parametrize("text", ["(4,1,8):(8,0,1)", "(4,1,8):(8,1,1)", "(1,4):(0,1)", "(1,4,1):(9,-1,9)"])
def test_modes_of_one_element_take_no_search(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(properties, "find_zero", lambda *_: pytest.fail("a search"))
    assert properties.refute_injective(layout(text)) is None
