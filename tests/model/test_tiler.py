"""Tilers: integers, layouts, `_`, and tuples of them, by mode (§3.3.5)."""

import pytest

from veritile import E, InputError, Layout, composition, equal, layout, tile
from veritile.model.tiler import as_layout

from . import postconditions as post


@pytest.mark.parametrize("text", ["(8,16):(1,8)", "(8,16):(16,1)", "(8,16):(20,1)", "(8,16):(e0,e1)"])
def test_four_ways_to_take_four_by_eight(text: str) -> None:
    a = layout(text)
    ways = [
        tile(a, (4, 8)),
        tile(a, [layout("4:1"), layout("8:1")]),
        tile(a, (4, layout("8:1"))),
        composition(a, Layout((4, 8), (E(0), E(1)))),
    ]
    assert all(equal(w, ways[0]) for w in ways)  # type: ignore[arg-type]
    assert all(ways[0]((i, j)) == a((i, j)) for i in range(4) for j in range(8))


def test_keeping_modes_and_refusals() -> None:
    a = layout("(8,16):(1,8)")
    assert tile(a, None) == a and tile(a, (None, 4)) == layout("(8,4):(1,8)")
    assert tile(a, (layout("4:2"), None))((1, 0)) == 2
    assert as_layout(4) == layout("4:1")
    for bad in (0, -4, "4", 4.0, True, (1, 2, 3)):
        post.raises(InputError, lambda bad=bad: tile(a, bad))
