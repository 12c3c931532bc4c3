"""What the findings page tells of other people's tools and kernels: ``python -m bench.findings``.

With ``--audit FILE``, what ``python -m bench.audit --json FILE`` wrote, it writes ``reports/pages/kernels.json``: every
operation there that is wrong, with the smallest question that shows the fault. With ``--dsl`` it runs the programs of
``bench/dsl/`` and writes ``reports/pages/dsl.json``: each with what it printed. Else it asks the tools and writes
``reports/pages/peers.json``: the questions, each tool's version and answers. Nothing is judged here; the page is made
from both by ``veritile report --findings``. Needs ``make oracles`` (and ``make oracles-dsl`` for the CuTe DSL).
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.oracles.peers import PEERS, ask
from veritile import Layout, layout
from veritile.reports.audit import file_text, place_of

QUESTIONS: list[tuple[str, str, Any]] = [
    ("composition", "(6,2):(1,7)", "(3,2):(2,3)"),
    ("composition", "(4,6,8):(2,3,5)", "6:3"),
    ("composition", "(4,6,8):(2,3,5)", "6:1"),
    ("composition", "(4,2,8):(3,12,97)", "3:3"),
    ("composition", "(3,6,2):(7,8,6)", "3:4"),
    ("composition", "(2,2,2):(0,1,1)", "3:3"),
    ("composition", "(4,3):(1,4)", "(2,3):(3,2)"),
    ("composition", "(2,2):(0,1)", "2:2"),
    ("complement", "(2,6):(3,2)", 24),
    ("complement", "(2,2):(1,3)", 12),
    ("complement", "(2,3):(1,3)", 18),
    ("complement", "(4,8):(1,2)", 64),
    ("complement", "3:2", 12),
    ("divide", "24:1", "(2,2):(1,3)"),
    ("divide", "12:1", "3:2"),
    ("divide", "(3,4):(4,1)", "4:1"),
    ("logical_product", "(6,6):(16,3)", "6:3"),
]
DSL = Path(__file__).parent / "dsl"
PAGES = Path(__file__).parents[1] / "reports" / "pages"
OUT = PAGES / "peers.json"
# The smallest question that shows a fault, by the file and the operation that the audit names; and the package.
REPRODUCERS: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
    # Eight lanes store a vector of eight elements each to eight rows of 128 bytes: rows 0 and 1 are not told apart.
    ("flash_attn/cute/flash_bwd_postprocess.py", "cute.tiled.copy.partition_D"): (
        "flash-attn-4",
        {"access": "(8,8):(1,8)", "layout": "S<3,4,3> o 0 o (8,64):(64,1)", "element_bits": 16, "vector": 8},
    ),
}


def as_data(operand: Any) -> Any:
    """An operand as the worker takes it."""
    if isinstance(operand, int):
        return operand
    read = layout(operand)
    return [read.shape, read.stride]


def faults(told: Mapping[str, Any], python: str) -> dict[str, Any]:
    """What an audit found, with its questions: all that is wrong, and what is outside and has a question here.

    KeyError for an operation that is wrong and has no question.
    """
    found = []
    for one in told["operations"]:
        key = (file_text(one["file"]), one["operation"])
        if one["verdict"] != "wrong" and (one["verdict"] != "outside" or key not in REPRODUCERS):
            continue
        package, banks = REPRODUCERS[key]
        code = f"from importlib import metadata; print(metadata.version({package!r}))"
        version = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        kept = ("target", "verdict", "source", "operation", "operands", "reason", "advice")
        told_of = {"package": package, "version": version, "place": place_of(one), **{key: one[key] for key in kept}}
        found.append({**told_of, "banks": banks})
    return {"faults": found}


def programs(python: str) -> dict[str, Any]:
    """The programs of ``bench/dsl/``, each with what it prints; CalledProcessError for one that fails."""
    found = []
    for path in sorted(DSL.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        title = (ast.get_docstring(ast.parse(source)) or "").splitlines()
        done = subprocess.run([python, path], capture_output=True, text=True, check=True)
        right = " ".join(line.strip("# ") for line in source.split("# right: ")[1].splitlines())
        code = source.split('"""', 2)[2].split("# right: ")[0].strip()
        printed = done.stdout.strip()
        found.append({"name": path.name, "title": title[0], "code": code, "printed": printed, "right": right})
    version = subprocess.run(
        [python, "-c", "from importlib import metadata; print(metadata.version('nvidia-cutlass-dsl'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    return {"version": version, "programs": found}


def main(arguments: list[str] | None = None) -> int:
    """Asks every tool that is there, and writes what they said; 1 when one is missing and ``--all`` was given."""
    parser = argparse.ArgumentParser(prog="python -m bench.findings", description=__doc__)
    parser.add_argument("--python", help="the interpreter that has other people's tools")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when the answers differ from the file's")
    parser.add_argument("-o", type=Path, default=OUT, metavar="FILE")
    parser.add_argument("--audit", type=Path, metavar="FILE", help="write the faults of this audit, and ask no tool")
    parser.add_argument("--dsl", action="store_true", help="run the programs of bench/dsl, and ask no tool")
    given = parser.parse_args(arguments)
    if given.dsl:
        told_of = programs(given.python or sys.executable)
        (PAGES / "dsl.json").write_text(json.dumps(told_of, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"dsl.json: {len(told_of['programs'])} programs")
        return 0
    if given.audit is not None:
        told_ = faults(json.loads(given.audit.read_text(encoding="utf-8")), given.python or sys.executable)
        (PAGES / "kernels.json").write_text(json.dumps(told_, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"kernels.json: {len(told_['faults'])} faults")
        return 0
    questions = [[operation, as_data(a), as_data(b)] for operation, a, b in QUESTIONS]
    told: dict[str, Any] = {
        "questions": [{"operation": operation, "operands": [a, b]} for operation, a, b in QUESTIONS],
        "tools": [],
    }
    for peer in PEERS:
        replies = ask(peer, questions, given.python)
        if replies.version is None:
            print(f"{peer} is not installed: {replies.reason}", file=sys.stderr)
            continue
        answers = [
            {"kind": "layout", "text": str(Layout.of(*rest))} if kind == "layout" else {"kind": kind, "text": rest[0]}
            for kind, *rest in replies.answers
        ]
        told["tools"].append({"name": peer, "version": replies.version, "answers": answers})
    text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    if given.check:
        return 0 if given.o.read_text(encoding="utf-8") == text else 1
    given.o.write_text(text, encoding="utf-8")
    print(f"{given.o.name}: {len(QUESTIONS)} questions, {len(told['tools'])} tools")
    return 0


if __name__ == "__main__":
    sys.exit(main())
