"""What people and programs read of an audit, made from the object that ``veritile audit --json`` prints."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ..model.errors import Witness
from . import markdown as md
from . import sarif as sarif_
from .run import Report, here, report_of
from .terminal import Paint, count, plain_paint, printable, witness_text

Told = Mapping[str, Any]
STYLES = {"right": "proved", "wrong": "refuted", "outside": "unknown", "not checked": "unknown"}
MOST_PLACES = 3  # of operations that stay open for one reason
MOST_UNREAD = 5
WIDTH = 12  # of the verdict's column
_QUOTED = re.compile(r'"([^"]*)"')
_TILED = re.compile(r'(?:layout_copy_tv|atom_layout_MNK) = <"([^"]*)">')


def text_lines(told: Told, paint: Paint = plain_paint) -> list[str]:
    """The audit for a terminal: every fault, what stays open by reason, the counts, the times."""
    operations, summary = told["operations"], told["summary"]
    lines: list[str] = []
    for one in operations:
        if one["verdict"] == "wrong":
            lines += [*_fault_lines(one, paint), ""]
    for (verdict, name, reason), places, number in _open(operations):
        head = f"{paint(STYLES[verdict], verdict.ljust(WIDTH))} {printable(name)}"
        lines += [f"{head} ({number})" if number > 1 else head, f"{' ' * WIDTH} {printable(reason)}"]
        lines += [f"{' ' * WIDTH} at {printable(place)}{printable(source)}" for place, source in places[:MOST_PLACES]]
        if len(places) > MOST_PLACES:
            lines.append(f"{' ' * WIDTH} and at {count(len(places) - MOST_PLACES, 'place')} more")
    for line in summary["unread"][:MOST_UNREAD]:
        lines.append(f"{paint('unknown', 'unread'.ljust(WIDTH))} {printable(line)}")
    return [*lines, *_summary_lines(summary)]


def _fault_lines(one: Told, paint: Paint) -> list[str]:
    head = f"{paint('refuted', 'wrong'.ljust(WIDTH))} {printable(place_of(one))}: {printable(one['operation'])}"
    body = _fault_body(one)
    return [head, *(f"{' ' * WIDTH} {printable(line)}" for line in body)]


def _fault_body(one: Told) -> list[str]:
    """The source line, operands, the two values, what is right, and what to write instead."""
    lines = []
    if one["source"]:
        lines.append(str(one["source"]).strip())
    times = f", {one['count']} times" if one["count"] > 1 else ""
    lines.append(f"in {short_kernel(one['kernel'])}{times}")
    if one["operands"]:
        lines.append(f"of {' and '.join(map(type_text, one['operands']))}")
    if one["reason"]:
        lines.append(str(one["reason"]))
    if one["witness"]:
        lines.append(witness_text(_witness(one["witness"])))
    got = one["got"] or ", ".join(map(type_text, one["results"]))
    right = f"; right is {one['expected']}" if one["expected"] else ""  # the reason says where there is none
    if got:  # what gives nothing, as a copy, has said it all
        lines.append(f"the DSL gives {got}{right}")
    if one["advice"]:
        lines.append(f"instead: {one['advice']}")
    return lines


def _open(operations: list[Told]) -> list[tuple[tuple[str, str, str], list[tuple[str, str]], int]]:
    """What is outside or not checked, by verdict, operation and reason: places with sources, how many operations."""
    found: dict[tuple[str, str, str], tuple[dict[str, str], int]] = {}
    for one in operations:
        if one["verdict"] in ("outside", "not checked"):
            key = (one["verdict"], one["operation"], one["reason"] or "")
            places, number = found.get(key, ({}, 0))
            places[place_of(one)] = f": {one['source'].strip()}" if one["source"] else ""
            found[key] = (places, number + one["count"])
    ordered = sorted(found.items(), key=lambda one: (one[0][0] != "outside", -one[1][1], one[0]))
    return [(key, list(places.items()), number) for key, (places, number) in ordered]


def _summary_lines(summary: Told) -> list[str]:
    lines = []
    for one in summary["targets"]:
        if one["error"]:
            lines.append(f"{printable(one['title'])}: {printable(one['error'])}")
            continue
        arch = f" for {one['arch']}" if one["arch"] else ""
        lines.append(f"{printable(one['title'])}: {count(len(one['kernels']), 'kernel')}{arch}")
    told = ", ".join(f"{summary[key]} {key.replace('_', ' ')}" for key in ("right", "wrong", "outside", "not_checked"))
    more = f" ({summary['allowed']} of these allowed)" if summary["allowed"] else ""
    lines.append(f"{count(summary['operations'], 'layout operation')}: {told}{more}")
    lines.append(
        f"{count(summary['no_layout'], 'other operation')} without layout work, "
        f"{count(len(summary['unread']), 'line')} unread; "
        + ", ".join(f"{key} {summary[f'{key}_ms'] / 1000:.2f} s" for key in ("compile", "reading", "deciding"))
    )
    return lines


def markdown(told: Told) -> str:
    """The audit for a pull request or an issue."""
    operations, summary = told["operations"], told["summary"]
    names = ("right", "wrong", "outside", "not checked")
    lines = ["# Audit", ""]
    lines += md.table(names, [[str(summary[name.replace(" ", "_")]) for name in names]])
    for one in operations:
        if one["verdict"] == "wrong":
            lines += ["", f"## {md.code(place_of(one))}: {md.code(one['operation'])}", "", *md.block(_fault_body(one))]
    open_ = _open(operations)
    if open_:
        rows = [
            [verdict, md.code(name, True), str(number), md.prose(reason), md.code(places[0][0], True)]
            for (verdict, name, reason), places, number in open_
        ]
        lines += ["", "## Open", "", *md.table(["verdict", "operation", "number", "reason", "first at"], rows)]
    lines += ["", "## By operation", ""]
    lines += md.table(
        ["operation", *names],
        ([md.code(name, True), *(str(of[word]) for word in names)] for name, of in summary["by_operation"].items()),
    )
    lines += ["", *(md.prose(line) + "  " for line in _summary_lines(summary))]
    return "\n".join(lines).rstrip() + "\n"


def sarif(told: Told) -> dict[str, Any]:
    """The audit as SARIF 2.1.0: a result for every operation that is not right."""
    report = report_of({**told, "operations": [one for one in told["operations"] if one["verdict"] != "right"]})
    return sarif_.render(Report(report.entries, report.title, here(), report.time_ms))


def place_of(one: Told) -> str:
    """Where an operation is written, as ``file:line:column``.

    >>> place_of({"file": "/x/site-packages/quack/softmax.py", "line": 12, "column": 4})
    'quack/softmax.py:12:4'
    >>> place_of({"file": None, "line": None, "column": None})
    'an unknown place'
    """
    if not one["file"]:
        return "an unknown place"
    parts = [file_text(one["file"]), one["line"], one["column"]]
    return ":".join(str(part) for part in parts if part is not None)


def file_text(file: str) -> str:
    """A file's path from the current folder or from its package's, where it lies below one.

    >>> file_text("/x/lib/python3.11/site-packages/quack/softmax.py"), file_text("kernel.py")
    ('quack/softmax.py', 'kernel.py')
    """
    path = PurePath(file)
    if "site-packages" in path.parts:
        last = len(path.parts) - path.parts[::-1].index("site-packages")
        return PurePath(*path.parts[last:]).as_posix()
    if path.is_absolute() and path.is_relative_to(os.getcwd()):
        return path.relative_to(os.getcwd()).as_posix()
    return path.as_posix()


def short_kernel(symbol: str) -> str:
    """A kernel's symbol without what the DSL puts around the name, and not too long.

    >>> short_kernel("kernel_cutlass_k_tensorptrf32gmemalign16odiv41_0"), short_kernel("")
    ('k_tensorptrf32gmemalign16odiv41_0', 'the module')
    """
    name = symbol.removeprefix("kernel_cutlass_").removeprefix("cutlass_")
    return "the module" if not name else name if len(name) <= 60 else f"{name[:57]}…"


def type_text(text: str) -> str:
    """The layout in a type as the DSL prints it, where it holds one; the thread–value layout of what is tiled.

    >>> type_text('!cute.layout<"(6,2):(1,7)">'), type_text("i32")
    ('(6,2):(1,7)', 'i32')
    >>> type_text('!cute.coord_tensor<"(0,0)", "(8,4):(1@0,1@1)">')
    '(8,4):(1@0,1@1)'
    """
    tiled = _TILED.search(text)
    if tiled:
        return tiled[1]
    found = _QUOTED.findall(text)
    if text.startswith("!cute_nvgpu."):
        found = [one for one in found if ":" in one]
    return found[-1] if found else text


def _witness(told: Mapping[str, Any]) -> Witness:
    values = {name: _tuple(value) for name, value in told.items() if name != "kind"}
    return Witness(str(told.get("kind", "")), values)


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
