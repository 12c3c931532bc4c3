"""HTuples: profiles and their order (§2.1)."""

import pytest
from hypothesis import given

from veritile.model import htuple

from . import postconditions as post
from .strategies import any_layouts


@given(any_layouts(3), any_layouts(3))
def test_against_a_second_writing(a: object, b: object) -> None:
    p, q = a.shape, b.shape  # type: ignore[attr-defined]
    assert htuple.flatten(p) == tuple(post.leaves(p)) and htuple.size(p) == post.size_of(p)
    assert htuple.unflatten(htuple.flatten(p), p) == p
    assert htuple.congruent(p, q) == (post.profile(p) == post.profile(q))
    assert htuple.compatible(p, q) == post.refines(q, p)
    assert htuple.weakly_congruent(p, q) or not htuple.congruent(p, q)
    if htuple.compatible(p, q) and htuple.compatible(q, p):
        assert p == q


def test_examples_beside_their_twins() -> None:
    assert htuple.compatible((4, 6), (4, (2, 3))) and not htuple.compatible((4, 6), (4, (2, 4)))
    assert htuple.compatible(24, (4, 6)) and not htuple.compatible(25, (4, 6)) and not htuple.compatible((4, 6), 24)
    assert htuple.compatible((24,), (24,)) and not htuple.compatible((24,), 24) and htuple.compatible(24, (24,))
    assert htuple.weakly_congruent(1, (2, 3)) and not htuple.weakly_congruent((2, 3), 1)
    assert (htuple.rank(7), htuple.depth(7), htuple.rank((7,)), htuple.depth((7,))) == (1, 0, 1, 1)
    assert htuple.at((4, (2, 3)), (1, 0)) == 2 and htuple.text_of(((2, None), (4,))) == "((2,_),(4))"


def test_bad_places() -> None:
    for flat in ((1,), (1, 2, 3)):
        with pytest.raises(ValueError):
            htuple.unflatten(flat, (1, 2))
    for path in ((2,), (0, 0)):
        with pytest.raises(IndexError):
            htuple.at((4, (2, 3)), path)
