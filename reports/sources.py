"""Where a claim stands in the source: the file and line that define its name."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from .run import Entry


def placed(entries: Iterable[Entry]) -> list[Entry]:
    """The entries, claims of the library with the file and line at which their name is written, where it is."""
    known = _lines()
    found = []
    for entry in entries:
        place = known.get(entry.name) if entry.kind == "claim" and entry.file is None else None
        found.append(entry if place is None else replace(entry, file=place[0], line=place[1]))
    return found


@cache
def _lines() -> dict[str, tuple[str, int]]:
    """Name → (path from the repository's root, line), for every name that is written as a string in proofs/."""
    spec = find_spec("..proofs", __package__)
    roots = list(spec.submodule_search_locations or ()) if spec else []
    found: dict[str, tuple[str, int]] = {}
    for root in roots:
        for path in sorted(Path(root).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                    name = node.args[0].value
                    if isinstance(name, str) and "." in name and " " not in name:
                        found.setdefault(name, (f"proofs/{path.relative_to(root).as_posix()}", node.lineno))
    return found
