"""A composition as three linked grids: where B sends a coordinate, what A has there, and what a layout would need."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...model import htuple
from ...model.coordinate import as_coordinate, crd2idx, idx2crd
from ...model.errors import CompositionRefuted
from ...model.htuple import text_of
from .canvas import LINE, Cell, Drawing, Grid, levels
from .layouts import layout_grid, sides


def draw_composition(a: Any, b: Any, coordinate: Any = None) -> Drawing:
    """B, A and A∘B with one coordinate traced through: the failing one, the given one, or the last.

    >>> from ...model.notation import parse
    >>> draw_composition(parse("(6,2):(1,7)"), parse("(3,2):(2,3)")).description
    'Three grids. B sends (2,1) to 7; A has 8 at 7; the only layout that could be A∘B has 7 at (2,1): none exists.'
    """
    from ...model.composition import composition

    got: Any = None
    result: Any = None
    try:
        result = composition(a, b)
    except CompositionRefuted as refusal:
        if refusal.witness is not None:
            coordinate = refusal.witness.values.get("coordinate", coordinate)
            got = refusal.witness.values.get("got")
    if coordinate is None:
        coordinate = idx2crd(htuple.size(b.shape) - 1, b.shape)
    index = crd2idx(coordinate, b.shape)
    middle = b(coordinate)
    value = a(as_coordinate(middle, a.shape))
    there = crd2idx(as_coordinate(middle, a.shape), a.shape)
    where = text_of(coordinate)
    fails = got is not None
    ends = (
        f"the only layout that could be A∘B has {got} at {where}: none exists."
        if fails
        else f"A∘B = {result} has {value} at {where}."
    )
    drawing = Drawing(
        f"The composition of {a} and {b}, traced through {where}",
        f"Three grids. B sends {where} to {middle}; A has {value} at {middle}; {ends}",
    )
    at_b, at_a = {index}, {there}
    first = layout_grid(b, *((at_b, None) if fails else (None, at_b)))
    second = layout_grid(a, *((at_a, None) if fails else (None, at_a)))
    third = _result_grid(a, b, index, got if fails else None)
    x, lowest = 8.0, 0.0
    corners: list[tuple[float, float, float] | None] = []  # left, right, and the height of the traced row
    for name, grid, place in (
        (f"B = {b}", first, index),
        (f"A = {a}", second, there),
        ("A(B(c))", third, index),
    ):
        drawing.text(x, 18, name, "h")
        right, bottom = grid.draw(drawing, x, 28)
        at = grid.places.get((place % grid.rows, place // grid.rows)) if place >= 0 else None
        corners.append(None if at is None else (x, right, at[1] + 11))
        lowest = max(lowest, bottom)
        x = max(right, x + 7.6 * len(name)) + 44
    for start, end in pairwise(corners):
        if start is not None and end is not None:
            drawing.arrow(start[1] + 3, start[2], end[0], end[2])
    notes = [f"B{where} = {middle}" if where.startswith("(") else f"B({where}) = {middle}", f"A({middle}) = {value}"]
    if corners[1] is None:
        notes[-1] += ", past the cells that are drawn"
    y = drawing.lines(8, lowest + LINE + 4, [f"{notes[0]},  {notes[1]}"])
    drawing.text(
        8, y, f"expected {value}, got {got}: no layout" if fails else f"A∘B = {result}", "bad" if fails else "k"
    )
    return drawing


def _result_grid(a: Any, b: Any, index: int, got: Any) -> Grid:
    down, across = sides(b.shape)
    rows, columns = htuple.size(down), htuple.size(across)

    def cell(i: int, j: int) -> Cell:
        k = i + rows * j
        value = a(as_coordinate(b(k), a.shape))
        here = k == index
        text = f"{value}≠{got}" if here and got is not None else str(value)
        return Cell(text, 0, is_bad=here and got is not None, is_marked=here and got is None)

    return Grid(rows, columns, cell, levels(down), levels(across))
