"""A thread–value layout on its tile: who owns each element; elements owned twice and by nobody are marked."""

from __future__ import annotations

from typing import Any

from ...model import htuple
from ...model.errors import InputError
from ...model.htuple import HTuple
from ...model.semimodule import CoordinateStride
from .canvas import LINE, Cell, Drawing, Grid, excerpt_note, levels, tint_of
from .layouts import sides

MOST = 1 << 16  # pairs of thread and value


def draw_tv(tv: Any, tile: HTuple) -> Drawing:
    """The tile with T (thread) and V (value) in every cell, tinted by thread.

    >>> from ...model.notation import parse
    >>> draw_tv(parse("((4,8),2):((16,1),8)"), (8, 8)).description[:62]
    'A tile of 8 rows and 8 columns; each cell names its thread and'
    >>> "2 elements have no owner (struck through)" in draw_tv(parse("(2,1):(1,0)"), (2, 2)).description
    True
    """
    if htuple.rank(tv.shape) != 2:
        raise InputError(f"a thread-value layout has two modes, threads and values; {tv} has {htuple.rank(tv.shape)}")
    threads, values = htuple.size(tv.shape[0]), htuple.size(tv.shape[1])
    if threads * values > MOST:
        raise InputError(f"{threads * values} pairs of thread and value are too many for a picture")
    down, across = sides(tile)
    rows, columns = htuple.size(down), htuple.size(across)
    owners: dict[int, list[tuple[int, int]]] = {}
    outside = 0
    for v in range(values):
        for t in range(threads):
            index = _index(tv((t, v)), tile)
            if index is not None and 0 <= index < rows * columns:
                owners.setdefault(index, []).append((t, v))
            else:
                outside += 1

    def cell(i: int, j: int) -> Cell:
        mine = sorted(owners.get(i + rows * j, []))
        if not mine:
            return Cell("–", is_hole=True)
        text = f"T{mine[0][0]}V{mine[0][1]}"
        more = f"+{len(mine) - 1}" if len(mine) > 1 else ""
        return Cell(text + more, tint_of(mine[0][0]), is_bad=len(mine) > 1)

    twice = [index for index, mine in sorted(owners.items()) if len(mine) > 1]
    holes = rows * columns - len(owners)
    notes = [f"{threads} threads (T), {values} values each (V)"]
    if twice:
        first = " and ".join(f"T{t}V{v}" for t, v in sorted(owners[twice[0]])[:2])
        at = f"({twice[0] % rows},{twice[0] // rows})"
        notes.append(f"{len(twice)} elements have several owners (framed): at {at} {first}")
    notes += [f"{holes} elements have no owner (struck through)"] if holes else []
    notes += [f"{outside} pairs fall outside the tile"] if outside else []
    notes += excerpt_note(rows, columns)
    drawing = Drawing(
        f"The thread–value layout {tv} on a tile {htuple.text_of(tile)}",
        f"A tile of {rows} rows and {columns} columns; each cell names its thread and value. " + "; ".join(notes),
    )
    drawing.text(8, 18, f"{tv}  on  {htuple.text_of(tile)}", "h")
    _, bottom = Grid(rows, columns, cell, levels(down), levels(across)).draw(drawing, 8, 28)
    drawing.lines(8, bottom + LINE, notes)
    return drawing


def _index(place: Any, tile: HTuple) -> int | None:
    """The index in the tile of an integral offset or of a coordinate; None outside."""
    if not isinstance(place, CoordinateStride):
        return place if isinstance(place, int) else None
    modes = tile if isinstance(tile, tuple) else (tile,)
    index, scale = 0, 1
    along = dict(place.terms)
    for k, mode in enumerate(modes):
        c = along.pop((k,), 0)
        if not 0 <= c < htuple.size(mode):
            return None
        index += scale * c
        scale *= htuple.size(mode)
    return None if along else index
