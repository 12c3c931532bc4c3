"""The search for a left inverse: what it finds is one, and where it finds none a solver finds none either (§3.4.3)."""

from collections.abc import Iterator
from itertools import product

import pytest
import z3
from hypothesis import given

from veritile import Layout, Undecided
from veritile.model import left_inverse_search
from veritile.model.left_inverse_search import search_left
from veritile.model.notation import layout

from . import postconditions as post
from .strategies import chains, layouts


@given(layouts(3) | chains(2))
def test_left_even_where_a_closed_form_decides(a: Layout) -> None:
    try:
        found = search_left(post.indexed(a))
    except Undecided:
        return
    if found is not None:
        post.holds_left_inverse(a, post.as_one(found))


@pytest.mark.parametrize(
    ("has", "has_not"),
    [
        ("(16,16,9):(3,4,4)", "(12,12,9):(3,4,4)"),  # not injective, chains of six boundaries
        ("(8,2):(2,5)", "(8,3):(2,5)"),
        ("(2,7,3):(2,5,35)", "(16,7,20):(2,5,16)"),
        ("(40,21):(12,8)", "(40,21):(12,9)"),
        ("(6,5,5):(0,2,6)", "(6,5,5):(0,2,5)"),  # an index of a mode of stride 0 is free
        ("(3,3):(-2,5)", "(3,3):(-3,2)"),
    ],
)
def test_found_beside_none(has: str, has_not: str) -> None:
    found = search_left(post.indexed(layout(has)))
    assert found is not None
    post.holds_left_inverse(layout(has), post.as_one(found))
    assert search_left(post.indexed(layout(has_not))) is None


def test_far_strides_are_computed_exactly() -> None:
    a = Layout((2, 2), (1 << 70, 3 << 70))
    found = search_left(post.indexed(a))
    assert found is not None
    post.holds_left_inverse(a, post.as_one(found))


def test_a_spent_budget_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_inverse_search, "NODES", 100)
    with pytest.raises(Undecided, match="more than 100 choices"):
        search_left(post.indexed(layout("(12,12,9):(3,4,4)")))


def agree(a: Layout) -> None:
    found = search_left(post.indexed(a))
    if found is None:
        assert not solver_finds(a), f"{a} has a left inverse"
    else:
        post.holds_left_inverse(a, post.as_one(found))


def test_none_where_a_solver_finds_none() -> None:
    for s in product((2, 3), repeat=2):
        for d in product((-3, -2, 1, 2, 3, 4), repeat=2):
            agree(Layout(s, d))


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(4, 3), (2, 5), (2, 2, 2), (3, 2, 2)])
def test_none_where_a_solver_finds_none_in_a_sweep(sizes: tuple[int, ...]) -> None:
    strides = range(-2, 6) if len(sizes) == 2 else range(0, 6)
    for d in product(strides, repeat=len(sizes)):
        agree(Layout(sizes, d))


def solver_finds(a: Layout) -> bool:
    """Whether some layout sends every offset to an index of it: every chain of sizes, strides by a solver."""
    indices: dict[int, list[int]] = {}
    for index, offset in enumerate(post.table(a)):
        indices.setdefault(offset, []).append(index)
    reach = max(map(abs, indices)) + 1
    for sizes in chains_of_sizes(reach):
        strides = [z3.Int(f"e{k}") for k in range(len(sizes) + 1)]
        solver = z3.Solver()
        for offset, allowed in indices.items():
            rest, value = offset, z3.IntVal(0)
            for s, e in zip(sizes, strides, strict=False):
                value, rest = value + rest % s * e, rest // s
            value = value + rest * strides[-1]
            solver.add(z3.Or([value == index for index in allowed]))
        if solver.check() == z3.sat:
            return True
    return False


def chains_of_sizes(reach: int) -> Iterator[tuple[int, ...]]:
    """Sizes of modes but the last, until their product is beyond every offset: later ones change nothing."""
    yield ()
    for s in range(2, reach + 1):
        for rest in chains_of_sizes(-(-reach // s)) if s < reach else [()]:
            yield (s, *rest)


def test_the_solver_can_find_one() -> None:
    assert solver_finds(layout("(2,2):(2,3)")) and not solver_finds(layout("(3,3):(2,3)"))
