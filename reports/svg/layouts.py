"""A layout as a grid of its offsets: the first mode down, the others across, nested modes set off by heavier lines."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...model import htuple
from ...model.htuple import HTuple, flatten
from ...model.semimodule import F2
from .canvas import LINE, Cell, Drawing, Grid, excerpt_note, levels, shown

COUNTED = 1 << 14  # coordinates whose offsets are compared with one another


def sides(shape: HTuple) -> tuple[HTuple, HTuple]:
    """The shape that goes down, and the one that goes across.

    >>> sides((4, (2, 8))), sides(7), sides((2, 3, 4))
    ((4, (2, 8)), (1, 7), (2, (3, 4)))
    """
    if isinstance(shape, tuple) and len(shape) > 1:
        return shape[0], shape[1] if len(shape) == 2 else shape[1:]
    return 1, shape


def layout_grid(layout: Any, bad: set[int] | None = None, marked: set[int] | None = None) -> Grid:
    """The grid of a layout's offsets; ``bad`` and ``marked`` are indices to point at."""
    down, across = sides(layout.shape)
    rows, columns = htuple.size(down), htuple.size(across)
    total = rows * columns
    known = [layout(i) for i in range(total)] if total <= COUNTED else None
    counts = Counter(known) if known is not None else Counter()
    scale = _scale(layout, rows, columns)

    def cell(i: int, j: int) -> Cell:
        index = i + rows * j
        offset = layout(index)
        return Cell(
            str(offset),
            scale(offset),
            is_bad=bool(bad) and index in (bad or ()),
            is_double=counts[offset] > 1,
            is_marked=bool(marked) and index in (marked or ()),
        )

    return Grid(rows, columns, cell, levels(down), levels(across))


def _scale(layout: Any, rows: int, columns: int) -> Any:
    """The tint of an offset: eighths of the range that is drawn for integers, none for coordinates."""
    drawn = [
        layout(i + rows * j)
        for i in shown(rows, columns)
        if i is not None
        for j in shown(columns, rows)
        if j is not None
    ]
    values = [offset.bits if isinstance(offset, F2) else offset for offset in drawn]
    if not all(isinstance(value, int) for value in values):
        return lambda offset: 0
    low, high = min(values), max(values)
    return lambda offset: 8 * ((offset.bits if isinstance(offset, F2) else offset) - low) // (high - low + 1)


def draw_layout(layout: Any) -> Drawing:
    """A layout; offsets that several coordinates share are dashed, those that none has are named.

    >>> from ...model.notation import parse
    >>> picture = draw_layout(parse("(4,8):(1,5)"))
    >>> picture.title, "7 offsets below 39 are not reached: 4, 9, 14" in picture.description
    ('The layout (4,8):(1,5)', True)
    """
    down, across = sides(layout.shape)
    rows, columns = htuple.size(down), htuple.size(across)
    notes = [*sharing(layout), *excerpt_note(rows, columns)]
    nesting = any(isinstance(side, tuple) and len(flatten(side)) > 1 for side in (down, across))
    drawing = Drawing(
        f"The layout {layout}",
        f"A grid of {rows} rows (the first mode) and {columns} columns (the others); each cell holds its offset. "
        + ("Heavier lines part nested modes. " if nesting else "")
        + "; ".join(notes),
    )
    drawing.text(8, 18, str(layout), "h")
    _, bottom = layout_grid(layout).draw(drawing, 8, 28)
    drawing.lines(8, bottom + LINE, notes)
    return drawing


def sharing(layout: Any) -> list[str]:
    """What the picture cannot say by itself: offsets that are shared, and those below the last that none has."""
    total = htuple.size(layout.shape)
    if total > COUNTED:
        return []
    counts = Counter(layout(i) for i in range(total))
    told = []
    shared = [offset for offset, n in counts.items() if n > 1]
    if shared:
        told.append(f"{_plural(len(shared), 'offset')} shared (dashed): {_listed(shared)}")
    if all(isinstance(offset, int) for offset in counts) and min(counts) >= 0:
        holes = [n for n in range(min(max(counts) + 1, COUNTED)) if n not in counts]
        if holes:
            told.append(f"{_plural(len(holes), 'offset')} below {max(counts) + 1} are not reached: {_listed(holes)}")
    return told


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _listed(values: list[Any], most: int = 8) -> str:
    return ", ".join(map(str, values[:most])) + (", …" if len(values) > most else "")
