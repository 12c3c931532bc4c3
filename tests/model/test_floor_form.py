"""The floor form equals the layout at every integer, and its carries are what is not linear."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import Layout, Undecided
from veritile.model.floor_form import FloorForm

from . import postconditions as post
from .strategies import chains, coordinate_layouts, layouts


@given(layouts(4) | chains(4) | coordinate_layouts(3), st.integers(-300, 300))
def test_equals_the_layout(a: Layout, x: int) -> None:
    assert FloorForm.of(a)((x,)) == post.value_of(a, x)


@given(layouts(4) | chains(4), st.integers(-40, 40), st.integers(1, 40))
def test_runs(a: Layout, d: int, limit: int) -> None:
    first = post.value_of(a, d)
    run = next((m for m in range(1, limit) if post.value_of(a, d * m) != first * m), limit)
    assert FloorForm.of(a).run((d,), limit) == run


@pytest.mark.parametrize(
    ("a", "d", "run"),
    [
        (Layout((4, 4, 8), (0, 1, 3)), 15, 5),  # carries of 1 and −1 cancel at 2, 3 and 4; at 5 there is one alone
        (Layout((4, 4, 8), (0, 1, 4)), 15, 2),
        (Layout((4, 4, 64), (0, 1, 3)), 5, 7),
        (Layout((8, 2, 64), (1, 9, 17)), 15, 9),
        (Layout((2, 4, 64), (0, 1, 3)), 5, 5),  # one floor jumps three times before they part
        (Layout((3, 2, 64), (0, 1, 1)), 5, 4),
    ],
)
def test_a_run_goes_on_where_carries_cancel(a: Layout, d: int, run: int) -> None:
    values = [post.value_of(a, d * m) for m in range(64)]
    assert run == next(m for m in range(1, 64) if values[m] != values[1] * m)
    assert [FloorForm.of(a).run((d,), limit) for limit in (run - 1, run, run + 1, 64)] == [run - 1, run, run, run]


@given(layouts(3) | chains(3), st.lists(st.tuples(st.integers(1, 6), st.integers(-20, 20)), min_size=1, max_size=3))
def test_carries(a: Layout, box: list[tuple[int, int]]) -> None:
    form, b = FloorForm.of(a), Layout(tuple(n for n, _ in box), tuple(d for _, d in box))
    carries = []
    for i in range(post.size_of(b.shape)):
        crd = post.natural_of(i, b.shape)
        total = sum(post.value_of(a, d) * c for (_, d), c in zip(box, crd, strict=True))
        assert form.carry(crd, [(d,) for _, d in box]) == post.value_of(a, b(i)) - total
        if post.value_of(a, b(i)) != total:
            carries.append(crd)
    where, how = form.first_carry([n for n, _ in box], [(d,) for _, d in box])
    assert where == (carries[0] if carries else None) and how in ("closed-form", "enumeration")


def test_large_boxes() -> None:
    form = FloorForm.of(Layout((2**40, 2**40), (1, 2**40 + 1)))
    assert form.first_carry([2**20, 2**20], [(1,), (2**20,)])[0] is None
    where, _ = form.first_carry([2**20, 2**20], [(1,), (2**20 + 1,)])
    assert where is not None and form.carry(where, [(1,), (2**20 + 1,)]) != 0
    outcome = post.only_ours(lambda: form.first_carry([2**30, 2**30, 2**30], [(1,), (3,), (5,)]))
    assert isinstance(outcome, (tuple, Undecided))
