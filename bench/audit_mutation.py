"""Faults put into what right operations returned, and those that the audit does not find.

``python -m bench.audit --json saved.json``, then ``python -m bench.audit_mutation saved.json``. One number of a
result's type, its element, its space or its swizzle is changed at a time, and the operation is decided again: a line an
operation with how many changes are ``wrong``, ``not right`` otherwise, and still ``right``. Of those, ``same`` are
types that say nothing else (the stride of a mode of one element, a divisor that claims less), ``left`` are those that
do: a number that is the kernel's own choice, told by no operand, or a fault that is not found. An example is printed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veritile.kernels.audit.audit import decide, tables
from veritile.kernels.audit.matching import Unknown, fits, match_layout
from veritile.kernels.audit.operands import read_operands, read_results
from veritile.kernels.audit.text import Operation
from veritile.kernels.audit.types import PointerType, TiledCopyType, TiledMmaType, UnknownType, read_type
from veritile.kernels.audit.verdict import RIGHT, WRONG
from veritile.model.composed import ComposedLayout
from veritile.model.layout import Layout
from veritile.model.names import Expr

NUMBER = re.compile(r"(?<![\w.])\d+(?!\w)")
WORDS = (("bf16", "f32"), ("f32", "bf16"), ("smem", "gmem"), ("gmem", "smem"), ("rmem", "smem"), ("tmem", "smem"))
SWIZZLE = re.compile(r", S<\d,\d,\d>(?! o)")
Question = tuple[str, tuple[str, ...], tuple[str, ...]]  # properties, types of operands, of results


@dataclass
class Row:
    """What became of the changes to the results of one kind of operation."""

    operations: int = 0
    wrong: int = 0
    other: int = 0
    same: int = 0
    left: list[tuple[str, str]] = field(default_factory=list)


def changed(text: str) -> Iterator[str]:
    """A type with one thing changed.

    >>> list(changed('!cute.layout<"8:1">'))
    ['!cute.layout<"9:1">', '!cute.layout<"16:1">', '!cute.layout<"8:2">']
    """
    for number in NUMBER.finditer(text):
        value, before = int(number[0]), text[: number.start()]
        # An alignment is a power of two; twice 0 is 0, and twice 1 is one more.
        others = {2 * value} if before.endswith("align<") else {value + 1, max(1, 2 * value)}
        for other in sorted(others):
            yield f"{before}{other}{text[number.end() :]}"
    for old, new in WORDS:
        if re.search(rf"\b{old}\b", text):
            yield re.sub(rf"\b{old}\b", new, text, count=1)
    if SWIZZLE.search(text):
        yield SWIZZLE.sub("", text, count=1)


def says_nothing_else(before: str, after: str) -> bool:
    """Whether a type tells only what another does, or less.

    >>> layout = '!cute.layout<"(1,8):(0,1)">'
    >>> says_nothing_else(layout, layout.replace("(0,", "(7,")), says_nothing_else(layout, layout.replace("8", "9"))
    (True, False)
    """
    old, new = read_type(before), read_type(after)
    if isinstance(old, PointerType) and isinstance(new, PointerType):
        kept = (old.element, old.space, old.swizzle) == (new.element, new.space, new.swizzle)
        if not kept or (old.align or 1) % (new.align or 1):
            return False
    if isinstance(old, TiledCopyType) and isinstance(new, TiledCopyType):
        return _same((old.layout_tv, old.tiler), (new.layout_tv, new.tiler)) and old.atom == new.atom
    if isinstance(old, TiledMmaType) and isinstance(new, TiledMmaType):
        return _same((old.atom_layout, old.permutation), (new.atom_layout, new.permutation)) and old.atom == new.atom
    (one,), (other,) = read_operands((old,)), read_results((new,))
    return _same((one.layout, one.value), (other.layout, other.value)) and type(old) is type(new)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, ComposedLayout) and isinstance(other, ComposedLayout):
        return one.function == other.function and _same((one.offset, one.layout), (other.offset, other.layout))
    if isinstance(one, Layout) and isinstance(other, Layout):
        return match_layout(one, other) is None
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, (int, Expr)) and isinstance(other, (int, Expr, Unknown)):
        return fits(one, other)
    return bool(one == other)


def right_ones(operations: Iterable[dict[str, Any]]) -> dict[str, list[Question]]:
    """By name, each right operation that has a result, once."""
    found: dict[str, set[Question]] = defaultdict(set)
    for one in operations:
        if one["verdict"] == RIGHT and one["results"]:
            found[one["operation"]].add((one["properties"], tuple(one["operands"]), tuple(one["results"])))
    return {name: sorted(found[name]) for name in sorted(found)}


def sweep(name: str, questions: Iterable[Question]) -> Row:
    """What the audit says of every change to the results of these operations."""
    rules, row = tables()[0], Row()
    for properties, operands, results in questions:
        row.operations += 1
        values = tuple(f"%{number}" for number in range(len(operands)))
        for place, before in enumerate(results):
            for after in changed(before):
                if isinstance(read_type(after), UnknownType):
                    continue
                got = (*results[:place], after, *results[place + 1 :])
                made = Operation(name, values, ("%r",) * len(got), properties, operands, got, None, "kernel", 1)
                verdict = decide(made, rules)[0].verdict
                if verdict == WRONG:
                    row.wrong += 1
                elif verdict != RIGHT:
                    row.other += 1
                elif says_nothing_else(before, after):
                    row.same += 1
                else:
                    row.left.append((before, after))
    return row


def main(arguments: list[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="bench.audit_mutation", description=__doc__)
    parser.add_argument("saved", type=Path, help="what veritile audit --json printed")
    parser.add_argument("--most", type=int, default=200, metavar="N", help="operations of a name, taken at random")
    parser.add_argument("--only", default="", metavar="WORD", help="operations whose name has it")
    options = parser.parse_args(arguments)
    chance = random.Random(1)
    print(f"{'operation':46} {'':>9} {'wrong':>7} {'not right':>9} {'same':>6} {'left':>6}")
    for name, questions in right_ones(json.loads(options.saved.read_text(encoding="utf-8"))["operations"]).items():
        if options.only not in name:
            continue
        row = sweep(name, chance.sample(questions, min(options.most, len(questions))))
        of = f"{row.operations}/{len(questions)}"
        print(f"{name:46} {of:>9} {row.wrong:7} {row.other:9} {row.same:6} {len(row.left):6}", flush=True)
        for before, after in sorted(row.left, key=lambda pair: len(pair[0]))[:1]:
            print(f"    {before} -> {after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
