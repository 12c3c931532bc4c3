"""A run of a pipeline as a timeline: a row an agent, a column a step, the step at which it goes wrong marked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .canvas import CHARACTER, LINE, Cell, Drawing, Grid, tint_of

STEPS = 60
_SHORT = {"waits": "wait", "arrives": "arrive", "copies": "copy", "reads": "read", "begins": "begin", "lands": "land"}


def draw_timeline(steps: Sequence[str], fault: str, title: str = "A run of a pipeline") -> Drawing:
    """A run as ``agent: what it does`` lines, and what goes wrong after the last.

    >>> draw_timeline(["p: waits on empty[0] for parity 1", "c: reads version 0 of stage[0]"], "a race").description
    '2 steps of 2 agents (p, c), in order; after the last: a race. 1 p: waits on empty[0] for parity 1. 2 c: reads \
version 0 of stage[0].'
    """
    told = [tuple(step.split(": ", 1)) if ": " in step else ("", step) for step in steps[:STEPS]]
    agents = list(dict.fromkeys(agent for agent, _ in told)) or [""]
    left = [f"{len(steps) - STEPS} more steps are not drawn"] if len(steps) > STEPS else []
    columns = len(told) + 1

    def cell(i: int, j: int) -> Cell | None:
        if j == len(told):
            return Cell("✕", is_bad=True) if i == agents.index(told[-1][0] if told else "") else None
        agent, what = told[j]
        return Cell(_short(what), tint_of(i), is_marked=j == len(told) - 1) if agents[i] == agent else None

    listed = ". ".join(f"{k} {step}" for k, step in enumerate(steps[:STEPS], 1))
    drawing = Drawing(
        title,
        f"{len(steps)} steps of {len(agents)} agents ({', '.join(agents)}), in order; after the last: {fault}. "
        f"{listed}.",
    )
    drawing.text(8, 18, title, "h")
    pad = max(map(len, agents))
    grid = Grid(
        len(agents),
        columns,
        cell,
        row_label=lambda i: agents[i].ljust(pad),
        column_label=lambda j: str(j + 1) if j < len(told) else "",
        least=CHARACTER * 3,
    )
    _, bottom = grid.draw(drawing, 8, 28)
    y = drawing.lines(8, bottom + LINE, [f"{k:>3} {step}" for k, step in enumerate(steps[:STEPS], 1)], None)
    drawing.text(8, y, f"  ✕ {fault}", "bad")
    drawing.lines(8, y + LINE, left)
    return drawing


def _short(what: str) -> str:
    """A step in a word and the stage that it is about."""
    word = next((short for long, short in _SHORT.items() if long in what), what.split(" ")[0])[:7]
    place = re.search(r"\[(\d+)\]", what)
    return f"{word}{f' {place[1]}' if place else ''}"
