"""Coordinates: in bounds and extended as two types; colexicographic order (§2.2)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import Extended, InBounds, InputError, crd2idx, idx2crd
from veritile.model.coordinate import is_admissible, is_in_bounds, natural

from . import postconditions as post
from .strategies import layouts

SHAPES = layouts(3).map(lambda a: a.shape)


@given(SHAPES)
def test_both_ways_in_bounds(shape: object) -> None:
    crds = [idx2crd(i, shape) for i in range(post.size_of(shape))]
    assert crds == list(InBounds(shape)) == list(post.coordinates(shape, post.coarsenings(shape)[-1]))
    assert [crd2idx(c, shape) for c in crds] == list(range(len(InBounds(shape))))
    for form in post.coarsenings(shape):
        for i, crd in enumerate(post.coordinates(shape, form)):
            assert crd2idx(crd, shape) == i and natural(crd, shape) == crds[i] and is_in_bounds(crd, shape)


@given(SHAPES, st.integers(-500, 500))
def test_any_integer(shape: object, i: int) -> None:
    crd = idx2crd(i, shape)
    assert crd == post.natural_of(i, shape) and crd2idx(crd, shape) == i
    assert (crd in InBounds(shape)) == (0 <= i < post.size_of(shape)) and crd in Extended(shape)
    assert crd in Extended(shape, congruent_only=True)


def test_examples() -> None:
    assert idx2crd(22, ((2, 2), (4, 2))) == ((0, 1), (1, 1)) and crd2idx((2, 5), ((2, 2), (4, 2))) == 22
    assert idx2crd(3, (3, 1)) == (0, 1) and idx2crd(32, (4, 8)) == (0, 8) and idx2crd(-1, (4, 8)) == (3, -1)
    assert not is_in_bounds((3, 8), (4, 8)) and is_admissible((3, 8), (4, 8)) and not is_admissible((1, 2), 8)
    assert is_in_bounds((1, 1), (4, 8)) and not is_in_bounds((1, 1), 8) and not is_in_bounds((1, 1, 1), (4, 8))
    assert natural((1, 2), (2, 4)) == (1, 2)
    assert 5 in Extended((2, 3)) and 5 not in Extended((2, 3), congruent_only=True)
    assert len(InBounds((2, (3, 4)))) == 24


def test_every_small_shape() -> None:
    for shape in product(range(1, 4), repeat=3):
        assert sorted(crd2idx(c, shape) for c in InBounds(shape)) == list(range(post.size_of(shape)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: crd2idx((1, 2), 6),
        lambda: crd2idx((1, 2, 3), (2, 2)),
        lambda: crd2idx("1", (2, 2)),
        lambda: idx2crd(7, (0, 2)),
        lambda: idx2crd("x", (1, 2)),
        lambda: natural((1, 2), 6),
        lambda: natural((1, "2"), (2, 2)),
    ],
)
def test_bad_input(call: object) -> None:
    post.raises(InputError, call)  # type: ignore[arg-type]
