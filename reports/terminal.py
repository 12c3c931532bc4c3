"""What people read at a terminal: answers, witnesses, and pictures of layouts, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..model import htuple
from ..model.errors import Witness
from ..model.htuple import text_of
from .reply import Reply

Paint = Callable[[str, str], str]  # (style, text) -> text; a style is a verdict, "result" or "dim"


def plain_paint(style: str, text: str) -> str:
    """No colour."""
    return text


def printable(text: str) -> str:
    """``text`` with everything that a terminal would obey, and not show, as ``?``.

    >>> printable("a\\x1b[31mb\\u202ec")
    'a?[31mb?c'
    """
    return text if text.isprintable() else "".join(ch if ch.isprintable() else "?" for ch in text)


def reply_lines(reply: Reply, paint: Paint = plain_paint) -> list[str]:
    """An answer: the result, then how it is known; or the verdict with its reason and witness.

    >>> print("\\n".join(reply_lines(Reply("proved", result=6, evidence=("definition",)))))
    6
      proved (instance; definition)
    """
    if reply.verdict == "proved":
        head = [] if reply.result is None else [paint("result", printable(str(reply.result)))]
        known = f"{paint('proved', 'proved')} ({'; '.join(map(printable, (reply.scope, *reply.evidence)))})"
        lines = [*head, ("  " if head else "") + "; ".join([known, *_qualities(reply)])]
    else:
        lines = [f"{paint(reply.verdict, reply.verdict)}: {printable(reply.reason or 'no reason was given')}"]
        if reply.witness is not None:
            lines.append(f"  {printable(witness_text(reply.witness))}")
    lines += [f"  {printable(note)}" for note in reply.notes]
    return [*lines, *map(printable, reply.lines)]


def _qualities(reply: Reply) -> list[str]:
    found = []
    if reply.in_bounds is not None:
        found.append("in bounds" if reply.in_bounds else "not in bounds")
    if reply.exact is not None:
        found.append("exact" if reply.exact else "not exact")
    if reply.out_of_range != 0:
        found.append(f"{count(reply.out_of_range, 'coordinate')} out of range")
    return found


def count(number: object, thing: str) -> str:
    """``1 coordinate``, ``3 coordinates``.

    >>> count(1, "claim"), count(3, "claim")
    ('1 claim', '3 claims')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def witness_text(witness: Witness) -> str:
    """A witness as one sentence.

    >>> witness_text(Witness("difference", {"coordinate": (2, 1), "index": 5, "expected": 8, "got": 7}))
    'at coordinate (2,1), index 5: expected 8, got 7'
    >>> witness_text(Witness("collision", {"coordinate": (2, 0), "other": (0, 1), "offset": 2}))
    'coordinates (2,0) and (0,1) share the offset 2'
    >>> witness_text(Witness("unreachable", {"offset": 4}))
    'nothing reaches the offset 4'
    """
    values = {name: _value_text(value) for name, value in witness.values.items() if name != "names"}
    if "names" in witness.values and not values:
        return ", ".join(f"{name} = {value}" for name, value in witness.values["names"].items())
    if witness.kind in ("difference", "run") and {"coordinate", "expected", "got"} <= values.keys():
        place = f"at coordinate {values['coordinate']}"
        if values.get("index", values["coordinate"]) != values["coordinate"]:
            place += f", index {values['index']}"
        return f"{place}: expected {values['expected']}, got {values['got']}"
    if witness.kind == "collision" and {"coordinate", "other", "offset"} <= values.keys():
        return f"coordinates {values['coordinate']} and {values['other']} share the offset {values['offset']}"
    if witness.kind in ("negative", "outside") and {"coordinate", "offset"} <= values.keys():
        return f"coordinate {values['coordinate']} has the offset {values['offset']}"
    if witness.kind == "unreachable" and set(values) == {"offset"}:
        return f"nothing reaches the offset {values['offset']}"
    if witness.kind == "trace":
        return f"a run of {count(len(witness.values['steps']), 'step')}"
    if witness.kind == "element" and set(values) == {"offset"}:
        return f"the new element at offset {values['offset']} is not kept together"
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _value_text(value: Any) -> str:
    return "nothing" if value is None else text_of(value) if isinstance(value, tuple) else str(value)


def picture(layout: Any, rows: int = 16, columns: int = 16, width: int = 96) -> list[str]:
    """The offsets as a grid: the first mode down, the others across; ``…`` where it is cut.

    >>> from ..model.layout import Layout
    >>> print("\\n".join(picture(Layout((2, 4), (1, 5)))))
          0  1  2  3
     0 |  0  5 10 15
     1 |  1  6 11 16
    """
    shape = layout.shape
    first, rest = (shape[0], shape[1:]) if isinstance(shape, tuple) and len(shape) > 1 else (1, shape)
    down, across = htuple.size(first), htuple.size(rest)
    table = [[str(layout(i + down * j)) for j in range(min(across, columns))] for i in range(min(down, rows))]
    widest = max(len(text) for row in table for text in row)
    if widest > width - 8:
        return ["  (the offsets are too long for a picture)"]
    cell = max(widest, len(str(len(table[0]) - 1)))
    shown = min(len(table[0]), max(1, (width - 8) // (cell + 1)))
    label = max(2, len(str(len(table) - 1)))
    more = " …" if shown < across else ""
    head = " " * (label + 2) + "".join(f" {j:>{cell}}" for j in range(shown)) + more
    lines = [
        f"{i:>{label}} |" + "".join(f" {text:>{cell}}" for text in row[:shown]) + more for i, row in enumerate(table)
    ]
    return [head, *lines, *([f"{'…':>{label}}"] if len(table) < down else [])]


def table_lines(rows: Iterable[tuple[str, str]], indent: str = "  ") -> list[str]:
    """Two columns, the first padded.

    >>> table_lines([("size", "32"), ("injective", "yes")])
    ['  size       32', '  injective  yes']
    """
    known = list(rows)
    pad = max((len(name) for name, _ in known), default=0)
    return [f"{indent}{name:<{pad}}  {printable(value)}".rstrip() for name, value in known]
