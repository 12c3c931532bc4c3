"""What every picture is put together from: a drawing with its palette, and a grid of cells with nested borders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil
from operator import mul
from typing import Any

from ...model.htuple import HTuple, flatten
from ..markup import Markup, clean, closed

CHARACTER = 7.3  # width of one, in a monospaced font of 12
LINE = 18
COLOURS = 8
FULL = 64  # rows or columns that are drawn whole
HEAD, TAIL = 24, 8  # what an excerpt keeps of a longer side

# Light and dark by turns; the eight tints are told apart in lightness too, and every cell carries its value as text.
_LIGHT = {
    "ink": "#1b1f24", "faint": "#57606a", "paper": "#ffffff", "line": "#8c959f", "edge": "#24292f", "bad": "#b3001b",
    "badfill": "#ffd7d9", "good": "#0b6e2d",
    "q0": "#dbeafe", "q1": "#fde9c8", "q2": "#d3f2dc", "q3": "#f6d9ec", "q4": "#cdeef0", "q5": "#efe6a8",
    "q6": "#dcd6fb", "q7": "#e3e3e3",
}  # fmt: skip
_DARK = {
    "ink": "#f0f3f6", "faint": "#b1bac4", "paper": "#0d1117", "line": "#6e7681", "edge": "#c9d1d9", "bad": "#ff9492",
    "badfill": "#5c1a1f", "good": "#7ee2a0",
    "q0": "#1f3a63", "q1": "#5a4113", "q2": "#174a2a", "q3": "#5a2149", "q4": "#11494d", "q5": "#4d480f",
    "q6": "#39307a", "q7": "#3a3f46",
}  # fmt: skip


def _variables(colours: dict[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in colours.items())


def palette(light: str, dark: str) -> str:
    """The style of every picture; ``light`` and ``dark`` are the selectors that the palettes go to."""
    rules = [
        f"{light}{{{_variables(_LIGHT)}}}",
        dark.replace("{}", "{" + _variables(_DARK) + "}"),
        "svg.vt{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;max-width:100%;"
        "height:auto;background:var(--paper)}",
        "svg.vt text{fill:var(--ink)}svg.vt .c text{text-anchor:middle}svg.vt .k text,svg.vt text.k{fill:var(--faint)}",
        "svg.vt .r text{text-anchor:end}svg.vt .l text{text-anchor:start}svg.vt text.h{font-weight:700}",
        "svg.vt path{fill:none}svg.vt .g1{stroke:var(--line);stroke-width:.6}"
        "svg.vt .g2{stroke:var(--edge);stroke-width:1.3}svg.vt .g4{stroke:var(--edge);stroke-width:2.3}"
        "svg.vt .g3{stroke:var(--edge);stroke-width:3}",
        "svg.vt .bad{stroke:var(--bad);stroke-width:2.5}svg.vt .dup{stroke:var(--bad);stroke-width:1.4;"
        "stroke-dasharray:4 2}svg.vt text.bad,svg.vt .bad text{fill:var(--bad);stroke:none;font-weight:700}",
        "svg.vt .hole{stroke:var(--bad);stroke-width:1}svg.vt .arrow{stroke:var(--bad);stroke-width:2}"
        "svg.vt .tip{fill:var(--bad)}svg.vt .mark{stroke:var(--edge);stroke-width:2.4}svg.vt .p{fill:var(--paper)}",
        *(f"svg.vt .q{k}{{fill:var(--q{k})}}" for k in range(COLOURS)),
        "svg.vt .qx{fill:var(--badfill)}",
    ]
    return "".join(rules)


STYLE = palette("svg.vt", "@media (prefers-color-scheme:dark){svg.vt{}}")
PAGE_STYLE = palette(":root", "@media (prefers-color-scheme:dark){:root:not([data-theme=light]){}}") + (
    f":root[data-theme=dark]{{{_variables(_DARK)}}}"
)


@dataclass
class Drawing:
    """A picture in the making; ``title`` names it, ``description`` says in words what it shows."""

    title: str
    description: str = ""
    width: float = 0.0
    height: float = 0.0
    parts: list[Markup] = field(default_factory=list)

    def add(self, part: Markup) -> None:
        """Another part, over those before."""
        self.parts.append(part)

    def reach(self, x: float, y: float) -> None:
        """The picture goes at least as far as this point."""
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x: float, y: float, text: str, class_: str | None = None, shorten: int = 120) -> None:
        """A line of text from ``x`` on, its base at ``y``."""
        text = clean(text)
        text = text if len(text) <= shorten else text[: shorten - 1] + "…"
        self.add(closed("text", text, x=number(x), y=number(y), class_=class_))
        self.reach(x + CHARACTER * (len(text) + (2 if class_ == "h" else 1)), y + 6)

    def lines(self, x: float, y: float, lines: Sequence[str], class_: str | None = "k") -> float:
        """Lines of text below one another; where the next would go."""
        for line in lines:
            self.text(x, y, line, class_)
            y += LINE
        return y

    def path(self, d: str, class_: str) -> None:
        """An outline."""
        self.add(closed("path", d=d, class_=class_))

    def arrow(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """From one place to another on the right, bent, with a tip."""
        bend = max(18.0, (x1 - x0) / 3)
        self.path(
            f"M{number(x0)} {number(y0)}C{number(x0 + bend)} {number(y0)} {number(x1 - bend)} {number(y1)} "
            f"{number(x1 - 7)} {number(y1)}",
            "arrow",
        )
        self.path(f"M{number(x1)} {number(y1)}l-9 -4.5v9z", "tip")

    def svg(self, standalone: bool = True) -> Markup:
        """The picture; ``standalone`` with its own style, else for a page that has PAGE_STYLE."""
        width, height = number(self.width + 10), number(self.height + 8)
        key = hashlib.sha256("".join([self.title, *self.parts]).encode("utf-8", "replace")).hexdigest()[:10]
        return closed(
            "svg",
            closed("title", self.title, id=f"t{key}"),
            closed("desc", self.description or self.title, id=f"d{key}"),
            closed("style", Markup(STYLE)) if standalone else None,
            self.parts,
            xmlns="http://www.w3.org/2000/svg",
            class_="vt",
            role="img",
            aria_labelledby=f"t{key} d{key}",
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
        )


def number(x: float) -> str:
    """A coordinate, without what no eye sees.

    >>> number(12.0), number(7.25)
    ('12', '7.2')
    """
    return f"{x:.1f}".removesuffix(".0")


def shown(extent: int, other: int = 1) -> list[int | None]:
    """The places of one side that are drawn, beside another; None is where the excerpt leaves some out.

    Where a side is longer than FULL both are cut, so that what is left can be read.

    >>> shown(3), len(shown(64)), len(shown(65)), len(shown(64, 128)), shown(128)[23:27]
    ([0, 1, 2], 64, 33, 33, [23, None, 120, 121])
    """
    if extent <= HEAD + TAIL or max(extent, other) <= FULL:
        return list(range(extent))
    return [*range(HEAD), None, *range(extent - TAIL, extent)]


def excerpt_note(rows: int, columns: int) -> list[str]:
    """A sentence when not all is drawn."""
    drawn = [sum(place is not None for place in shown(*sides)) for sides in ((rows, columns), (columns, rows))]
    if drawn == [rows, columns]:
        return []
    return [f"an excerpt: {drawn[0]} of {rows} rows and {drawn[1]} of {columns} columns are drawn"]


def levels(shape: HTuple) -> list[int]:
    """The places at which a nested mode begins anew: prefix products of the leaves.

    >>> levels((2, (4, 3))), levels(8)
    ([2, 8], [])
    """
    return list(accumulate(flatten(shape), mul))[:-1]


@dataclass
class Cell:
    """What one cell shows: its text, one of eight tints, and marks."""

    text: str
    tint: int | None = None
    is_bad: bool = False
    is_double: bool = False
    is_hole: bool = False
    is_marked: bool = False


@dataclass
class Grid:
    """Cells in rows and columns, from the corner ``x``, ``y`` on; drawn by :meth:`draw`."""

    rows: int
    columns: int
    cell: Callable[[int, int], Cell | None]
    row_levels: Sequence[int] = ()
    column_levels: Sequence[int] = ()
    labels: bool = True
    row_label: Callable[[int], str] = str
    column_label: Callable[[int], str] = str
    least: float = 24.0
    places: dict[tuple[int, int], tuple[float, float]] = field(default_factory=dict)
    size: tuple[float, float] = (0.0, 0.0)

    def draw(self, drawing: Drawing, x: float, y: float) -> tuple[float, float]:
        """Draws it; the corner opposite. ``places`` then holds the corners of cells, ``size`` theirs."""
        rows, columns = shown(self.rows, self.columns), shown(self.columns, self.rows)
        cells = {(i, j): self.cell(i, j) for i in rows if i is not None for j in columns if j is not None}
        widest = max([len(clean(c.text)) for c in cells.values() if c is not None] + [1])
        heads = max([len(self.column_label(j)) for j in columns if j is not None], default=0) if self.labels else 0
        w, h = ceil(max(self.least, CHARACTER * max(widest, heads) + 8)), 22
        self.size = (w, h)
        side = max(len(self.row_label(i)) for i in rows if i is not None) * CHARACTER + 8 if self.labels else 0.0
        left, top = ceil(x + side), y + (LINE if self.labels else 0)
        xs, right = _positions(columns, left, w)
        ys, bottom = _positions(rows, top, h)
        self.places = {(i, j): (xs[j], ys[i]) for i, j in cells}
        self._fill(drawing, cells)
        self._rules(drawing, xs, ys)
        texts = []
        for (i, j), cell in cells.items():
            if cell is not None and cell.text:
                texts.append(closed("text", cell.text, x=number(xs[j] + w / 2), y=number(ys[i] + 15)))
        drawing.add(closed("g", texts, class_="c"))
        self._marks(drawing, cells)
        if self.labels:
            told = [
                closed("text", self.column_label(j), x=number(xj + w / 2), y=number(top - 5)) for j, xj in xs.items()
            ]
            drawing.add(closed("g", told, class_="c k"))
            told = [closed("text", self.row_label(i), x=number(left - 6), y=number(yi + 15)) for i, yi in ys.items()]
            drawing.add(closed("g", told, class_="r k"))
        if None in columns:
            drawing.text(left + columns.index(None) * w + 2, top + 14, "…", "k")
        if None in rows:
            drawing.text(left + 6, top + rows.index(None) * h + 12, "⋮", "k")
        drawing.reach(right, bottom)
        return right, bottom

    def _fill(self, drawing: Drawing, cells: dict[tuple[int, int], Cell | None]) -> None:
        """The tints, neighbours in a row together."""
        w, h = self.size
        runs: dict[tuple[str, float], list[list[float]]] = {}
        for key, cell in cells.items():
            if cell is None or (cell.tint is None and not cell.is_bad):
                continue
            tint = "qx" if cell.is_bad else f"q{(cell.tint or 0) % COLOURS}"
            x, y = self.places[key]
            row = runs.setdefault((tint, y), [])
            if row and row[-1][1] == x:
                row[-1][1] = x + w
            else:
                row.append([x, x + w])
        paths: dict[str, list[str]] = {}
        for (tint, y), row in runs.items():
            paths.setdefault(tint, []).extend(
                f"M{number(x0)} {number(y)}H{number(x1)}v{number(h)}H{number(x0)}z" for x0, x1 in row
            )
        for tint, parts in sorted(paths.items()):
            drawing.path("".join(parts), tint)

    def _rules(self, drawing: Drawing, xs: dict[int, float], ys: dict[int, float]) -> None:
        """Lines between cells, heavier where a nested mode begins anew, heaviest around."""
        w, h = self.size
        lines: dict[int, list[str]] = {1: [], 2: [], 4: [], 3: []}
        for y0, y1 in _runs(ys, h):
            for j, x in xs.items():
                lines[_weight(j, self.column_levels)].append(f"M{number(x)} {number(y0)}V{number(y1)}")
                if j + 1 not in xs:
                    weight = 3 if j == self.columns - 1 else 1
                    lines[weight].append(f"M{number(x + w)} {number(y0)}V{number(y1)}")
        for x0, x1 in _runs(xs, w):
            for i, y in ys.items():
                lines[_weight(i, self.row_levels)].append(f"M{number(x0)} {number(y)}H{number(x1)}")
                if i + 1 not in ys:
                    weight = 3 if i == self.rows - 1 else 1
                    lines[weight].append(f"M{number(x0)} {number(y + h)}H{number(x1)}")
        for weight, parts in lines.items():
            if parts:
                drawing.path("".join(parts), f"g{weight}")

    def _marks(self, drawing: Drawing, cells: dict[tuple[int, int], Cell | None]) -> None:
        w, h = self.size
        kinds: dict[str, list[str]] = {}
        for key, cell in cells.items():
            if cell is None:
                continue
            x, y = self.places[key]
            if cell.is_hole:
                kinds.setdefault("hole", []).append(
                    f"M{number(x + 3)} {number(y + h - 3)}L{number(x + w - 3)} {number(y + 3)}"
                )
            for on, name in ((cell.is_double, "dup"), (cell.is_bad, "bad"), (cell.is_marked, "mark")):
                if on:
                    kinds.setdefault(name, []).append(
                        f"M{number(x + 2)} {number(y + 2)}h{number(w - 4)}v{number(h - 4)}h-{number(w - 4)}z"
                    )
        for name, parts in kinds.items():
            drawing.path("".join(parts), name)


def _positions(places: Sequence[int | None], start: float, step: float) -> tuple[dict[int, float], float]:
    found = {place: start + k * step for k, place in enumerate(places) if place is not None}
    return found, start + len(places) * step


def _runs(positions: dict[int, float], step: float) -> list[tuple[float, float]]:
    """The stretches without a gap."""
    runs: list[tuple[float, float]] = []
    for at in positions.values():
        if runs and abs(runs[-1][1] - at) < 0.01:
            runs[-1] = (runs[-1][0], at + step)
        else:
            runs.append((at, at + step))
    return runs


def _weight(place: int, at: Sequence[int]) -> int:
    if place == 0:
        return 3
    begun = len({level for level in at if level > 1 and place % level == 0})
    return (1, 2, 4)[min(begun, 2)]


def tint_of(value: Any) -> int:
    """A tint for a whole number, the same for the same."""
    return int(value) % COLOURS
