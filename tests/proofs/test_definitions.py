"""The plain definitions, against the oracle that shares no code with them."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from veritile.model.layout import Layout
from veritile.proofs.definitions import (
    composition_missing,
    coordinates,
    evaluate,
    images_meet,
    is_layout,
    largest_right_inverse,
    left_inverse_wrong,
    right_inverse_wrong,
    tiles,
    volume,
)
from veritile.proofs.paper.complement import REACH, least_tiling
from veritile.proofs.paper.inverses import left_inverses

from ..oracles import brute


def _flat(most: int, strides: st.SearchStrategy[int], sizes: int = 4) -> st.SearchStrategy[Layout]:
    modes = st.lists(st.tuples(st.integers(1, sizes), strides), min_size=1, max_size=most)
    return modes.map(lambda m: Layout(tuple(s for s, _ in m), tuple(d for _, d in m)))


def _pair(L: Layout) -> tuple[object, object]:
    return (L.shape, L.stride)


@given(_flat(3, st.integers(-3, 9)), _flat(2, st.integers(-2, 9)))
def test_a_composition_is_missing_where_the_oracle_finds_none(a: Layout, b: Layout) -> None:
    exists = brute.composition_truth(_pair(a), _pair(b)).answer is not None
    assert (composition_missing(a, b) is None) == exists


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8))
def test_a_table_is_a_layout_where_the_oracle_finds_one(rest: list[int]) -> None:
    import numpy as np

    values = [0, *rest]
    assert is_layout(values) == (brute.shortest_layout(np.array(values)) is not None)


@given(_flat(2, st.integers(-1, 9)), st.integers(1, 12))
def test_the_least_tiling_is_the_oracles(L: Layout, n: int) -> None:
    truth, found = brute.complement_truth(_pair(L), n), least_tiling(L, n)
    if truth.answer is None:
        assert found is None
    elif (least := volume(L.shape) * brute.size(truth.answer[0])) <= REACH:
        assert found is not None
        assert found[0] == least


@given(_flat(2, st.integers(-2, 6)))
def test_the_largest_right_inverse_is_the_oracles(L: Layout) -> None:
    best = largest_right_inverse(L)
    assert right_inverse_wrong(best, L) is None
    assert brute.check_right_inverse(_pair(L), ("layout", *_pair(best))) == brute.RIGHT


def test_left_inverses_are_missing_where_the_oracle_finds_none() -> None:
    for stride in product(range(1, 5), repeat=2):
        L = Layout((3, 3), stride)
        if len({L(i) for i in range(9)}) < 9:
            continue
        found = left_inverses(L)
        assert (found is not None) == (brute.left_inverse_truth(_pair(L)).answer is not None)
        assert found is None or left_inverse_wrong(found, L) is None


@given(_flat(3, st.integers(-3, 9)))
def test_the_value_by_definition_is_the_layouts(L: Layout) -> None:
    assert all(L(c) == evaluate(L, c) for c in coordinates(L.shape))


def test_a_tiling_covers_everything_once() -> None:
    for offsets in ([0], [0, 1], [0, 2], [0, 1, 4, 5], [0, 3, 6]):
        for n in range(1, 25):
            found = tiles(offsets, n)
            if found is not None:
                assert sorted(b + j for b in offsets for j in found) == list(range(n))


def test_images_that_meet_past_the_end_are_seen() -> None:
    L, star = Layout(8, 3), Layout(3, 1)
    assert images_meet(L, star, range(1, volume(star.shape))) is None
    assert images_meet(L, star, range(1, 9)) == {"kind": "collision", "coordinate": 3, "other": 1, "offset": 3}
