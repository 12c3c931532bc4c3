"""Walks: agreement with the definition on random pieces, and the off-by-one twins."""

from hypothesis import given
from hypothesis import strategies as st

from veritile import Layout
from veritile.proofs.contracts.walk import Walk, decide_walk


def visits_once(walk: Walk) -> bool:
    """The definition: every element of the domain exactly once."""
    step = walk.run.modes[0][1]
    places = [
        start * step + order(i)
        for start, order in zip(walk.starts, walk.orders, strict=True)
        for i in range(len_of(order))
    ]
    return sorted(places) == list(range(walk.domain))


def len_of(layout: Layout) -> int:
    from veritile import size

    return size(layout)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 3), st.integers(1, 4), st.integers(-1, 1))
def test_a_proved_walk_visits_every_element_once(vector: int, whole: int, tail: int, rest: int, error: int) -> None:
    length = vector * whole + tail
    pieces: list[Layout] = [Layout((vector, (whole, rest)), (1, (vector, length)))]
    starts = [0]
    if tail:
        pieces.append(Layout((max(tail + error, 1), rest), (1, length)))
        starts.append(vector * whole)
    walk = Walk(length * rest, Layout(length), Layout(rest, length), tuple(starts), tuple(pieces))
    proved = all(o.verdict.value == "proved" for o in decide_walk(walk))
    assert proved == visits_once(walk)


def test_twins() -> None:
    good = Walk(11, Layout(11), Layout(1, 0), (0, 8), (Layout((4, 2)), Layout(3)))
    assert {o.verdict.value for o in decide_walk(good)} == {"proved"} and visits_once(good)
    for bad in (
        Walk(12, Layout(11), Layout(1, 0), (0, 8), (Layout((4, 2)), Layout(3))),
        Walk(11, Layout(11), Layout(1, 0), (0, 7), (Layout((4, 2)), Layout(3))),
        Walk(11, Layout(11), Layout(1, 0), (1, 8), (Layout((4, 2)), Layout(3))),
        Walk(11, Layout(11), Layout(1, 0), (0, 8), (Layout((4, 2), (1, 3)), Layout(3))),
        Walk(11, Layout(11), Layout(1, 0), (0, 8), (Layout((4, 2)), Layout(3, 2))),
    ):
        found = [o for o in decide_walk(bad) if o.verdict.value == "refuted"]
        assert found and all(o.witness for o in found) and not visits_once(bad)
