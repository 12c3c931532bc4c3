"""Shared memory by banks and phases, and a swizzle before and after."""

from __future__ import annotations

from typing import Any

from ...model.composed import ComposedLayout
from ...model.errors import InputError
from ...model.swizzle import Swizzle
from ...proofs.contracts.banks import BANKS, Access, Conflict, conflict_of
from .canvas import LINE, Cell, Drawing, Grid, excerpt_note, tint_of

MOST = 256  # phases that are looked through
SIDE = 64


def draw_banks(access: Access) -> Drawing:
    """The worst phase: the words that its lanes ask for, a column a bank; a bank that is asked for several is framed.

    >>> from ...model.notation import parse
    >>> draw_banks(Access(parse("(8,8):(1,8)"), parse("(8,64):(64,1)"), 16, 8)).description[:56]
    '32 banks across, rows of 128 bytes down; each cell names'
    """
    phases = []
    for number, phase in enumerate(access.phases()):
        if number >= MOST:
            break
        requests = access.requests(*phase)
        phases.append((conflict_of(requests, access.access_bytes), number, phase, requests))
    worst: Conflict
    worst, number, (warp, vector, _), requests = max(phases, key=lambda found: (found[0].degree, -found[1]))
    lanes: dict[int, list[int]] = {}
    for request in requests:
        first, last = request.address // 4, (request.address + access.access_bytes - 1) // 4
        for word in range(first, last + 1):
            lanes.setdefault(word, []).append(request.lane)
    lines = sorted({word // BANKS for word in lanes})
    per_bank = [len({word for word in lanes if word % BANKS == bank}) for bank in range(BANKS)]

    def cell(i: int, j: int) -> Cell | None:
        mine = lanes.get(lines[i] * BANKS + j)
        if not mine:
            return None
        text = f"L{mine[0]}" + (f"+{len(mine) - 1}" if len(mine) > 1 else "")
        return Cell(text, tint_of(mine[0]), is_bad=per_bank[j] > 1)

    several = sum(n > 1 for n in per_bank)
    notes = [
        f"phase {number + 1} of {len(phases)}{' (of those looked at)' if len(phases) == MOST else ''}: "
        f"warp {warp}, vector {vector}, {len(requests)} lanes of {access.access_bytes} bytes",
        f"degree {worst.degree}: " + (
            "no bank is asked for two words" if worst.degree <= 1
            else f"{several} banks are asked for several words (framed); bank {worst.bank} for {worst.degree}"
        ),
    ]  # fmt: skip
    drawing = Drawing(
        f"Bank conflicts of {access.tv} on {access.layout}",
        f"{BANKS} banks across, rows of 128 bytes down; each cell names the lane that asks for the word. "
        + "; ".join(notes),
    )
    drawing.text(8, 18, f"{access.tv}  on  {access.layout}, {access.element_bits}-bit elements", "h")
    grid = Grid(len(lines), BANKS, cell, row_label=lambda i: f"byte {lines[i] * BANKS * 4}")
    _, bottom = grid.draw(drawing, 8, 28)
    drawing.lines(8, bottom + LINE, [*notes, *excerpt_note(len(lines), BANKS)])
    return drawing


def swizzle_of(layout: Any) -> Swizzle:
    """The swizzle itself, or the one in front of a composed layout; InputError where there is none."""
    found = layout.function if isinstance(layout, ComposedLayout) else layout
    if not isinstance(found, Swizzle):
        raise InputError(f"a swizzle such as S<3,4,3> is needed here, not {layout}")
    return found


def draw_swizzle(swizzle: Swizzle) -> Drawing:
    """One period of a swizzle, in units of 2^M offsets, before and after.

    >>> draw_swizzle(Swizzle(3, 4, 3)).description
    'Two grids of 8 rows and 8 columns, units of 16 offsets, before and after: 56 of 64 units move.'
    """
    rows, columns = 1 << swizzle.bits, 1 << abs(swizzle.shift)
    if rows > SIDE or columns > SIDE:
        raise InputError(f"one period of {swizzle} is too large for a picture")
    unit = 1 << swizzle.base

    def before(i: int, j: int) -> Cell:
        return Cell(str(i * columns + j), tint_of(j))

    def after(i: int, j: int) -> Cell:
        number = i * columns + j
        moved = swizzle(number * unit) // unit
        return Cell(str(moved), tint_of(moved % columns))

    moving = sum(swizzle(k * unit) != k * unit for k in range(rows * columns))
    drawing = Drawing(
        f"The swizzle {swizzle}, before and after",
        f"Two grids of {rows} rows and {columns} columns, units of {unit} offsets, before and after: "
        f"{moving} of {rows * columns} units move.",
    )
    drawing.text(8, 18, "before", "h")
    right, bottom = Grid(rows, columns, before).draw(drawing, 8, 28)
    drawing.text(right + 36, 18, f"after {swizzle}", "h")
    Grid(rows, columns, after).draw(drawing, right + 36, 28)
    drawing.lines(8, bottom + LINE, [f"units of {unit} offsets; tinted by the column before; {moving} of them move"])
    return drawing
