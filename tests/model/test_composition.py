"""Composition: R(c) = A(B(c)) wherever a layout compatible with B does it, else a witness (§3.3)."""

import random
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import (
    F2,
    ComposedLayout,
    CompositionRefuted,
    E,
    InputError,
    Layout,
    Swizzle,
    composition,
    decide_composition,
    equal,
    layout,
    parse,
)
from veritile.model.composition import in_bounds
from veritile.model.coordinate import as_coordinate

from . import postconditions as post
from .strategies import chains, coordinate_layouts, f2_layouts, forward, layouts

EXACT = [
    # paper, §3.3
    ("7:11", "3:4", "3:44"),
    ("7:11", "(3,5):(6,3)", "(3,5):(66,33)"),
    ("(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)"),
    ("(4,2,8):(3,12,97)", "3:3", "3:9"),
    ("(3,6,2):(7,8,6)", "3:4", "3:15"),
    # §3.3.4, the FP64 C partitioning on five data layouts
    ("(8,8):(1,8)", "((4,8),2):((16,1),8)", "((4,8),2):((16,1),8)"),
    ("(8,8):(8,1)", "((4,8),2):((16,1),8)", "((4,8),2):((2,8),1)"),
    ("(8,8):(1,9)", "((4,8),2):((16,1),8)", "((4,8),2):((18,1),9)"),
    ("(8,8):(f1,f9)", "((4,8),2):((16,1),8)", "((4,8),2):((f18,f1),f9)"),
    ("(8,8):(e0,e1)", "((4,8),2):((16,1),8)", "((4,8),2):((2e1,e0),e1)"),
    # a trailing size-1 mode is not reduced away past the end: (3,1):(1,4) sends 3 to 4
    ("(3,1):(1,4)", "2:3", "2:4"),
    ("3:1", "2:3", "2:3"),
    # coordinates into modes, nested too
    ("(4,8):(8,1)", "(2,2):(2e0,4e1)", "(2,2):(16,4)"),
    ("(4,8):(8,1)", "(4,8):(e0,e1)", "(4,8):(8,1)"),
    ("(4,(2,3)):(1,(4,8))", "(2,3):(1@0@1,1@1@1)", "(2,3):(4,8)"),
    ("(4,8):(8,1)", "4:e0+e1", "4:9"),
    ("(4,8):(8,1)", "4:0", "4:0"),
    # backwards
    ("8:1", "8:-1", "8:-1"),
    ("8:-1", "8:-1", "8:1"),
    ("(4,8):(1,4)", "(2,2):(-1,-4)", "(2,2):(-1,-4)"),
    ("(2,2):(1,5)", "2:-1", "2:-4"),
    # size 1 everywhere
    ("(1,4,1):(9,2,7)", "(1,2,1):(5,2,3)", "(1,2,1):(0,4,0)"),
    ("1:5", "4:1", "4:5"),
    ("1:0", "1:3", "1:0"),
    ("(5):(2)", "((2)):((2))", "((2)):((4))"),
]

REFUSED = [
    ("(6,2):(1,7)", "(3,2):(2,3)", {"kind": "difference", "coordinate": (2, 1), "index": 5, "expected": 8, "got": 7}),
    ("(4,6,8):(2,3,5)", "6:3", {"kind": "difference", "coordinate": 2, "index": 2, "expected": 7, "got": 12}),
    ("(4,6,8):(2,3,5)", "6:1", {"kind": "run", "coordinate": 4, "index": 4, "expected": 3, "got": 8}),
    ("(3,1):(1,4)", "4:1", {"kind": "run", "coordinate": 3, "index": 3, "expected": 4, "got": 3}),
]


@pytest.mark.parametrize(("a", "b", "r"), EXACT)
def test_examples(a: str, b: str, r: str) -> None:
    got = composition(layout(a), layout(b))
    assert isinstance(got, Layout)
    post.holds_composition(layout(a), layout(b), got)
    assert equal(got, layout(r))
    assert got.shape == layout(r).shape


@pytest.mark.parametrize(("a", "b", "witness"), REFUSED)
def test_refusals(a: str, b: str, witness: dict[str, object]) -> None:
    refusal = post.raises(CompositionRefuted, lambda: composition(layout(a), layout(b)))
    post.holds_composition_refusal(layout(a), layout(b), refusal.witness)
    assert not post.composition_exists(layout(a), layout(b))
    got = refusal.witness.as_dict()
    assert got["index"] == witness["index"] or got["kind"] != witness["kind"]
    assert got["expected"] == post.value_of(layout(a), post.value_of(layout(b), got["index"]))


@pytest.mark.parametrize(
    ("a", "fits", "fails"),
    [
        ("(6,2):(1,7)", "(3,2):(1,3)", "(3,2):(2,3)"),
        ("(4,6,8):(2,3,5)", "8:1", "6:1"),
        ("(4,6,8):(2,3,5)", "4:4", "8:4"),
        ("(4,6,8):(2,3,5)", "6:4", "6:3"),
        ("(8,8):(8,1)", "3:3", "4:3"),
        ("(10,2):(16,4)", "(3,4):(1,5)", "(3,4):(1,6)"),
        ("(4,8):(1,5)", "4:1", "5:1"),
    ],
)
def test_a_valid_case_beside_its_twin(a: str, fits: str, fails: str) -> None:
    assert post.checked_composition(composition, layout(a), layout(fits)) is not None
    assert post.checked_composition(composition, layout(a), layout(fails)) is None


@given(st.one_of(layouts(4), chains(4)), st.one_of(layouts(3), chains(3)))
def test_integers(a: Layout, b: Layout) -> None:
    post.checked_composition(composition, a, b)


@given(coordinate_layouts(), layouts(3))
def test_coordinates_come_out(a: Layout, b: Layout) -> None:
    post.checked_composition(composition, a, b)


@given(
    st.one_of(layouts(2), forward(3), chains(3), f2_layouts(3)).filter(lambda a: isinstance(a.shape, tuple)),
    st.data(),
)
def test_coordinates_go_in(a: Layout, data: st.DataObject) -> None:
    nested = isinstance(a.shape[-1], tuple) and len(a.shape[-1]) > 1
    over_f2 = a.semimodule == "F2"
    b = data.draw(coordinate_layouts(3, len(a.shape), nested=nested, negative=not over_f2))
    post.checked_composition(composition, a, b)


@given(f2_layouts(3), forward(3))
def test_f2_of_any_size(a: Layout, b: Layout) -> None:
    post.checked_composition(composition, a, b)


@given(f2_layouts(3, powers=True), forward(2))
def test_f2_of_powers_of_two(a: Layout, b: Layout) -> None:
    post.checked_composition(composition, a, b)


@given(layouts(3))
def test_identities(a: Layout) -> None:
    right = composition(a, Layout(a.shape))
    post.holds_composition(a, Layout(a.shape), right)  # type: ignore[arg-type]
    assert equal(right, a)
    low, high = min(post.table(a)), max(post.table(a))
    if low >= 0:
        assert equal(composition(Layout(high + 1), a), a)


@given(layouts(3), st.one_of(layouts(2), chains(3)))
def test_in_bounds_is_what_it_says(a: Layout, b: Layout) -> None:
    inside = all(0 <= v < post.size_of(a.shape) for v in post.table(b))
    assert in_bounds(a, b) == inside
    with suppress(CompositionRefuted):
        assert decide_composition(a, b).in_bounds == inside


@pytest.mark.parametrize(
    ("a", "b", "inside"),
    [
        ("(4,8):(1,4)", "(4,8):(e0,e1)", True),
        ("(4,8):(1,4)", "(4,9):(e0,e1)", False),
        ("(4,8):(1,4)", "(5,8):(e0,e1)", False),
        ("(4,8):(1,4)", "(8,4):(e1,e0)", True),
        ("(4,8):(1,4)", "(4,2,8):(e0,0,e1)", True),
    ],
)
def test_coordinates_in_bounds_axis_by_axis(a: str, b: str, inside: bool) -> None:
    assert decide_composition(layout(a), layout(b)).in_bounds == inside
    assert in_bounds(layout(a), layout(b), ((0,), (1,))) == inside


def test_a_refusal_says_what_does_not_add_up() -> None:
    refusal = post.raises(CompositionRefuted, lambda: composition(layout("(6,2):(1,7)"), layout("(3,2):(2,3)")))
    assert "the parts of its modes do not add up" in str(refusal)


@given(layouts(3), st.integers(1, 9), st.integers(1, 40))
def test_a_huge_mode_is_decided_like_a_small_one(a: Layout, s: int, d: int) -> None:
    """A last mode of 2^70 or more elements changes nothing for a B that does not reach it."""
    wide = Layout((*post.leaves(a.shape), 1 << 70), (*post.leaves(a.stride), 1 << 90))
    r = post.checked_composition(composition, wide, Layout(s, d))
    if r is not None:
        assert post.checked_composition(composition, wide, Layout((s, 4), (d, post.size_of(a.shape) << 8))) is not None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (((1 << 40), (1 << 40)), ((1 << 20), (1 << 20))),
        (((3 << 40), (5 << 40)), ((1 << 20), (1 << 30))),
        ((7**30, 5**30), (7**12, 7**3)),
    ],
)
@pytest.mark.parametrize("strides", [(1, 0), (0, 1), (1, 2**80), (-(2**70), 3)])
def test_beyond_sixty_four_bits(a: tuple[int, int], b: tuple[int, int], strides: tuple[int, int]) -> None:
    A = Layout(a, strides)
    for B in (Layout(b, (1, b[0])), Layout(b, (b[1], 1)), Layout(b, (a[0], 1)), Layout(b[0], a[0] - 1)):
        post.checked_composition(composition, A, B, exhaustive=False)


def test_seventy_digits_of_witness() -> None:
    big = 10**70
    refusal = post.raises(CompositionRefuted, lambda: composition(Layout((big, 2), (1, 3)), Layout(big + 1, 1)))
    post.holds_composition_refusal(Layout((big, 2), (1, 3)), Layout(big + 1, 1), refusal.witness)
    assert refusal.witness.values["index"] == big


def test_mixed_semimodules_are_bad_input() -> None:
    post.raises(InputError, lambda: composition(Layout((4, 8)), Layout(4, F2(1))))
    post.raises(InputError, lambda: composition(Layout((4, 8)), Layout(4, E(2))))
    post.raises(InputError, lambda: composition(Layout((4, 8)), Layout((2, 2), (E(1), E(1, 0)))))
    post.raises(InputError, lambda: composition(Layout((4, 8)), Layout(2, E(0, 0))))


def test_formal_compositions_are_evaluated_right() -> None:
    swizzled = composition(parse("S<2,0,2>"), layout("(3,5):(5,1)"))
    assert isinstance(swizzled, ComposedLayout)
    assert [swizzled(i) for i in range(15)] == [Swizzle(2, 0, 2)(layout("(3,5):(5,1)")(i)) for i in range(15)]
    again = composition(swizzled, layout("(3,2):(1,6)"))
    assert [again(i) for i in range(6)] == [swizzled(layout("(3,2):(1,6)")(i)) for i in range(6)]
    ragged = composition(composition(parse("S<1,0,1>"), layout("(6,2):(1,7)")), layout("(3,2):(2,3)"))
    b, a = layout("(3,2):(2,3)"), layout("(6,2):(1,7)")
    assert [ragged(i) for i in range(6)] == [Swizzle(1, 0, 1)(a(b(i))) for i in range(6)]


def test_as_coordinate_reads_nested_paths() -> None:
    assert as_coordinate(E(1, 0) + 2 * E(1, 1), (4, (2, 3))) == (0, (1, 2))
    assert as_coordinate(3 * E(0), (4, (2, 3))) == (3, 0)
    assert as_coordinate(7, (4, 8)) == 7


def test_zero_strides_are_the_integer_zero() -> None:
    post.has_plain_zeros(composition(layout("(1):(f9)"), layout("6:0")))  # type: ignore[arg-type]
    post.has_plain_zeros(composition(layout("(3,2):(e1,0)"), layout("(2,1):(0,1)")))  # type: ignore[arg-type]


def small(sizes: range, strides: range) -> list[Layout]:
    one = [Layout(s, d) for s, d in product(sizes, strides)]
    two = [Layout(s, d) for s in product(sizes, repeat=2) for d in product(strides, repeat=2)]
    return one + two


def test_all_small_pairs_sampled() -> None:
    everything = small(range(1, 5), range(-2, 9))
    rng = random.Random(7)
    for _ in range(1500):
        post.checked_composition(composition, rng.choice(everything), rng.choice(everything))


@pytest.mark.slow
def test_all_pairs_of_rank_two_and_one() -> None:
    ones = [Layout(s, d) for s, d in product(range(1, 7), range(-2, 9))]
    for a in [Layout(s, d) for s in product(range(1, 5), repeat=2) for d in product(range(0, 9, 1), repeat=2)]:
        for b in ones:
            post.checked_composition(composition, a, b)


@pytest.mark.sweep
def test_many_pairs_of_rank_two() -> None:
    everything = small(range(1, 5), range(-2, 9))
    rng = random.Random(11)
    for _ in range(100_000):
        post.checked_composition(composition, rng.choice(everything), rng.choice(everything))
