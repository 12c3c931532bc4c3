"""A divide as tiles on the grid of a layout's elements, and a complement filling the gaps of an image."""

from __future__ import annotations

from typing import Any

from ...model import htuple
from ...model.complement import complement
from ...model.coordinate import as_coordinate, crd2idx
from ...model.divide import decide_divide
from ...model.errors import ComplementRefuted, InputError
from ...model.layout import Layout, plain
from ...model.semimodule import CoordinateStride, E
from ...model.tiler import Tiler
from .canvas import FULL, LINE, Cell, Drawing, Grid, excerpt_note, levels, shown, tint_of
from .layouts import sides

MOST = 1 << 16
WIDE = 32  # offsets a row


def draw_divide(layout: Any, tiler: Tiler) -> Drawing:
    """The elements of a layout with the number of their tile and their place in it; tiles are tinted.

    >>> from ...model.notation import parse, parse_tiler
    >>> picture = draw_divide(parse("(8,8):(1,8)"), parse_tiler("<4:1,4:2>"))
    >>> "4 tiles of 16 elements" in picture.description
    True
    """
    plain(layout, "a divide")
    answer = decide_divide(layout, tiler, "zipped")  # refused here, with its own sentence, where there is none
    by_mode = isinstance(tiler, (tuple, list)) and isinstance(layout.shape, tuple)
    elements = Layout(layout.shape, _basis(layout.shape)) if by_mode else Layout(layout.shape)
    pieces = decide_divide(elements, tiler, "zipped").result
    inside, tiles = htuple.size(pieces.shape[0]), htuple.size(pieces.shape[1])
    if inside * tiles > MOST:
        raise InputError(f"{inside * tiles} elements are too many for a picture")
    owner: dict[int, tuple[int, int]] = {}
    for t in range(tiles):
        for place in range(inside):
            where = as_coordinate(pieces((place, t)), layout.shape)
            if layout.in_bounds(where):
                owner[crd2idx(where, layout.shape)] = (t, place)
    down, across = sides(layout.shape)
    rows, columns = htuple.size(down), htuple.size(across)

    def cell(i: int, j: int) -> Cell:
        found = owner.get(i + rows * j)
        if found is None:
            return Cell("–", is_hole=True)
        return Cell(f"{found[0]}.{found[1]}", tint_of(found[0]), is_marked=found[1] == 0)

    notes = [f"{tiles} tiles of {inside} elements: each cell holds tile.place, the first of a tile framed"]
    notes += [f"{answer.out_of_range} places fall outside"] if answer.out_of_range else []
    notes += [f"offsets: {answer.result}", *excerpt_note(rows, columns)]
    drawing = Drawing(
        f"{layout} divided by {_tiler_text(tiler)}",
        f"A grid of {rows} rows and {columns} columns, the elements of the layout. " + "; ".join(notes),
    )
    drawing.text(8, 18, f"{layout}  ⊘  {_tiler_text(tiler)}", "h")
    _, bottom = Grid(rows, columns, cell, levels(down), levels(across)).draw(drawing, 8, 28)
    drawing.lines(8, bottom + LINE, notes)
    return drawing


def _basis(shape: Any, path: tuple[int, ...] = ()) -> Any:
    """One axis for each mode of the top, its parts in order."""
    strides: list[Any] = []
    for k, mode in enumerate(shape):
        scale: list[int] = [1]

        def step(s: int, k: int = k, scale: list[int] = scale) -> CoordinateStride:
            found, scale[0] = E(k) * scale[0], scale[0] * s
            return found

        strides.append(htuple.map_leaves(step, mode))
    return tuple(strides)


def _tiler_text(tiler: Any) -> str:
    if isinstance(tiler, (tuple, list)):
        return f"<{','.join(map(_tiler_text, tiler))}>"
    return "_" if tiler is None else str(tiler)


def draw_complement(layout: Any, bound: int) -> Drawing:
    """The offsets below the end of a tiling: each with the shift of the layout that reaches it.

    >>> from ...model.notation import parse
    >>> draw_complement(parse("(2,2):(1,6)"), 24).title
    'The complement of (2,2):(1,6) below 24'
    >>> "nothing can reach 2" in draw_complement(parse("(2,2):(1,3)"), 12).description
    True
    """
    plain(layout, "complement")
    total = htuple.size(layout.shape)
    if total > MOST or bound > MOST:
        raise InputError(f"more than {MOST} offsets are too many for a picture")
    notes: list[str] = []
    hole: int | None = None
    meets: int | None = None
    try:
        found: Any = complement(layout, bound)
        if htuple.size(found.shape) * total > MOST:
            raise InputError(f"more than {MOST} offsets are too many for a picture")
        shifts = [found(k) for k in range(htuple.size(found.shape))]
        notes.append(f"L* = {found}: each cell holds an offset / the number of its shift, those of L itself framed")
    except ComplementRefuted as refusal:
        found, shifts = None, [0]
        values = refusal.witness.values if refusal.witness is not None else {}
        if "coordinate" not in values and isinstance(values.get("offset"), int):
            hole, meets = values["offset"], values.get("meets")
            notes.append(f"nothing can reach {hole} without a collision" + (f" at {meets}" if meets else ""))
        notes.append(refusal.reason)
    image = [layout(i) for i in range(total)]
    if layout.semimodule != "integer" or any(offset < 0 for offset in image):
        raise InputError(f"only a layout of offsets from 0 up is drawn with its complement, not {layout}")
    reached: dict[int, list[int]] = {}
    for k, shift in enumerate(shifts):
        for offset in image:
            reached.setdefault(shift + offset, []).append(k)
    end = max([*reached, bound - 1, hole or 0, meets or 0]) + 1
    columns = min(WIDE, end)
    rows = -(-end // columns)

    def cell(i: int, j: int) -> Cell | None:
        offset = i * columns + j
        if offset >= end:
            return None
        by = reached.get(offset, [])
        if offset in (hole, meets):
            return Cell(str(offset), is_bad=True, is_hole=offset == hole)
        if not by:
            return Cell(str(offset), is_hole=found is not None)
        text = f"{offset}/{by[0]}" if found is not None else str(offset)
        return Cell(text, tint_of(by[0]), is_marked=by[0] == 0, is_double=len(by) > 1)

    notes += excerpt_note(rows, columns)
    drawing = Drawing(
        f"The complement of {layout} below {bound}", f"The offsets from 0 to {end - 1}. " + "; ".join(notes)
    )
    drawing.text(8, 18, f"L = {layout}, N = {bound}", "h")
    label = lambda i: str(i * columns)  # noqa: E731
    _, bottom = Grid(rows, columns, cell, row_label=label).draw(drawing, 8, 28)
    drawing.lines(8, bottom + LINE, notes)
    return drawing


__all__ = ["FULL", "draw_complement", "draw_divide", "shown"]
