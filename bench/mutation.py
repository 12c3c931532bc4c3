"""Faults planted in the shipped code, and who catches them: ``python -m bench.mutation [OPERATION …]``.

Each fault changes one place of one function (a comparison, an arithmetic operator, a number, min for max, a condition
dropped, a pair swapped, another sort key) in a temporary copy of the package. Two judges look at it, each in a process
of its own: *paths*, the symbolic checks of ``proofs/code``, and *tests*, the fast tests of ``tests/model``. A fault
that changes nothing that can be observed is no fault: those are listed in EQUIVALENT with the reason, and another
takes the place. Exits 1 when a fault is caught by neither.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("model", "smt", "proofs", "kernels", "reports")
PATH_SECONDS, TEST_SECONDS = 40, 60


@dataclass(frozen=True)
class Target:
    """The code of one operation, and who judges it."""

    file: str
    functions: tuple[str, ...]
    claims: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = {
    "coordinates": Target(
        "coordinate",
        ("_idx2crd", "_crd2idx", "idx2crd", "crd2idx", "natural", "is_in_bounds", "_check_shape"),
        ("code.coordinates",),
        ("coordinate",),
    ),
    "evaluation": Target("layout", ("_at_index", "_inner", "compact_stride"), ("code.evaluation",), ("layout",)),
    "coalesce": Target("coalesce", ("coalesce", "_continues", "from_modes"), ("code.coalesce",), ("coalesce",)),
    "floor form": Target(
        "floor_form",
        ("_add_floors", "__call__", "run", "carry", "first_carry"),
        ("code.floor-form.of", "code.floor-form.run", "code.floor-form.carry", "code.floor-form.first-carry"),
        ("floor_form", "composition"),
    ),
    "composition": Target(
        "composition",
        ("_compose_leaves", "in_bounds", "_refuse", "_refuse_run", "_witness"),
        ("code.composition", "code.composition.in-bounds", "code.composition.whole", "code.composition.leaves"),
        ("composition",),
    ),
    "complement": Target(
        "complement",
        ("_chain", "decide_complement", "decide_extended_complement", "_gaps", "_hole"),
        ("code.complement.bounded", "code.complement.extended"),
        ("complement",),
    ),
    "left inverse": Target(
        "inverse", ("_left_chain", "decide_left_inverse", "_left_of_axis"), ("code.left-inverse",), ("inverse",)
    ),
    "right inverse": Target(
        "inverse", ("_right_of_axis", "decide_right_inverse"), ("code.right-inverse",), ("inverse",)
    ),
    "divide": Target(
        "divide", ("_divide_one", "_divide", "decide_divide"), ("code.divide", "code.divide.by-mode"), ("divide",)
    ),
    "product": Target(
        "product",
        ("decide_product", "_repeat", "_arranged", "_zipped", "_padded"),
        ("code.product", "code.product.forms"),
        ("product",),
    ),
    "recast": Target(
        "recast",
        ("_narrowed", "_scaled", "_widened_by_mode", "_inside"),
        ("code.recast.narrower", "code.recast.wider"),
        ("recast",),
    ),
    "properties": Target(
        "properties",
        (
            "image_prefix",
            "decide_injective",
            "_by_stride",
            "contiguous_run",
            "_first_coalesced_difference",
            "offset_range",
        ),
        ("code.image-prefix", "code.injective", "code.contiguous-run", "code.equal", "code.offset-range"),
        ("properties",),
    ),
}

# Changes that nobody can observe, as "function: before → after", with the reason.
EQUIVALENT: dict[str, str] = {
    "decide_left_inverse: if s > 1: → if s >= 1:": "a mode of size 1 gives a left inverse as right",
    "_continues: return s & s - 1 == 0 and following == d * s or (not d and (not following)) → "
    "return s & s - 2 == 0 and following == d * s or (not d and (not following))": (
        "s ≥ 2 here, and s AND (s − 2) is 0 for powers of two alone: odd numbers share the lowest bit, and for s = 2t "
        "it is 2·(t AND (t − 1))"
    ),
    "_left_chain: if first < 0: → if first <= 0:": "modes of stride 0 are left out before",
    "_left_chain: if first < 0: → if first < 1:": "modes of stride 0 are left out before",
    "_gaps: reach = 1 + sum(((s - 1) * d for s, d in [*live, *gaps])) → "
    "reach = 1 + sum(((s - 1) * d for s, d in [*gaps, *live]))": "a sum has no order",
    "_padded: return joined(modes + [Layout.of(1, 0)] * (rank - len(modes))) → "
    "return joined(modes + [Layout.of(1, 1)] * (rank - len(modes)))": "the stride of a mode of size 1 changes no value",
    "decide_right_inverse: if s > 1: → if s >= 1:": "coalesce drops the modes of size 1 again",
    "_right_of_axis: modes = [mode for mode in axis.modes if mode[1]] → "
    "modes = [mode for mode in axis.modes if mode[2]]": (
        "a stride of 0 then sends the question to the search, which finds the same"
    ),
}

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
}


@dataclass(frozen=True)
class Fault:
    """One changed place: the whole source of the file with it, and the change in a line."""

    operation: str
    function: str
    line: int
    change: str
    source: str

    @property
    def name(self) -> str:
        """How EQUIVALENT names it."""
        return f"{self.function}: {self.change}"


def faults(operation: str, count: int, seed: int = 1) -> list[Fault]:
    """So many faults of an operation, spread over its functions and kinds of change."""
    target = TARGETS[operation]
    tree = ast.parse((ROOT / "model" / f"{target.file}.py").read_text(encoding="utf-8"))
    found = [fault for fault in _all_faults(operation, target, tree) if fault.name not in EQUIVALENT]
    Random(f"{seed} {operation}").shuffle(found)
    by_function: dict[str, list[Fault]] = {}
    for fault in found:
        by_function.setdefault(fault.function, []).append(fault)
    chosen: list[Fault] = []
    while len(chosen) < count and any(by_function.values()):
        for function in target.functions:
            if by_function.get(function) and len(chosen) < count:
                chosen.append(by_function[function].pop())
    return chosen


def _all_faults(operation: str, target: Target, tree: ast.Module) -> Iterator[Fault]:
    places = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in target.functions]
    for function in places:
        for index, node in enumerate(_body(function)):
            for number, _ in enumerate(_changes(node)):
                copy = deepcopy(tree)
                twin = next(n for n in ast.walk(copy) if isinstance(n, ast.FunctionDef) and n.lineno == function.lineno)
                changed = _body(twin)[index]
                statement = _statement(twin, changed)
                before, whole = _first_line(statement), ast.unparse(twin)
                list(_changes(changed))[number]()
                after = _first_line(statement)
                if ast.unparse(twin) == whole:
                    continue
                line = getattr(node, "lineno", function.lineno)
                yield Fault(operation, function.name, line, f"{before} → {after}", ast.unparse(copy))


def _statement(function: ast.FunctionDef, node: ast.AST) -> ast.stmt:
    """The innermost statement that holds a node."""
    holding = [part for part in ast.walk(function) if isinstance(part, ast.stmt) and node in set(ast.walk(part))]
    return holding[-1]


def _first_line(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]


def _body(function: ast.FunctionDef) -> list[ast.AST]:
    skipped: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.AnnAssign | ast.Assert) and not (
            isinstance(node, ast.AnnAssign) and node.value is not None
        ):
            skipped |= set(ast.walk(node))
        if isinstance(node, ast.AnnAssign):
            skipped |= set(ast.walk(node.annotation))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            skipped.add(node)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            skipped |= set(node.comparators)  # the order of what is looked through changes nothing
        # What is about other semimodules and other kinds of layouts is not what the checks are about.
        if isinstance(node, ast.If) and any(
            isinstance(part, ast.Constant) and part.value in ("F2", "coordinate") for part in ast.walk(node.test)
        ):
            skipped |= {part for one in (node.test, *node.body) for part in ast.walk(one)} | {node}
        if isinstance(node, ast.If) and "isinstance" in ast.unparse(node.test):
            skipped |= set(ast.walk(node.test)) | {node}
    skipped |= set(ast.walk(function.args))
    for node in ast.walk(function):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            skipped |= set(ast.walk(node.type))
    if function.returns is not None:
        skipped |= set(ast.walk(function.returns))
    return [node for node in ast.walk(function) if node not in skipped]


def _changes(node: ast.AST) -> Iterator[Any]:
    """What can be broken at a node; each call breaks it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
        yield lambda: node.ops.__setitem__(0, _COMPARE[type(node.ops[0])]())
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _ARITHMETIC:
        yield lambda: setattr(node, "op", _ARITHMETIC[type(node.op)]())
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda: setattr(node, "value", node.value + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.BinOp):
        inner = node.operand.left
        if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.USub):

            def round_down() -> None:
                node.op = ast.UAdd()
                node.operand = ast.BinOp(inner.operand, ast.FloorDiv(), node.operand.right)  # type: ignore[attr-defined]

            yield round_down
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        yield lambda: setattr(node.func, "id", "max" if node.func.id == "min" else "min")  # type: ignore[attr-defined]
    if isinstance(node, ast.BoolOp):
        yield lambda: setattr(node, "values", node.values[:1])
        yield lambda: setattr(node, "values", node.values[1:])
    if isinstance(node, ast.If):
        yield lambda: setattr(node, "test", ast.Constant(False))
    if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
        yield lambda: node.elts.reverse()
    if isinstance(node, ast.List) and len(node.elts) == 2:
        yield lambda: node.elts.reverse()
    if isinstance(node, ast.Break):
        yield lambda: setattr(node, "__class__", ast.Pass)


def planted(fault: Fault, folder: Path) -> None:
    """The package in ``folder``, linked file by file, with the one file changed."""
    package = folder / "veritile"
    package.mkdir()
    for entry in (ROOT / "veritile").iterdir():
        (package / entry.name).symlink_to(entry)
    for room in ROOMS:
        if room != "model":
            (package / room).symlink_to(ROOT / room)
    (package / "model").mkdir()
    for entry in (ROOT / "model").glob("*.py"):
        if entry.stem != TARGETS[fault.operation].file:
            (package / "model" / entry.name).symlink_to(entry)
    (package / "model" / f"{TARGETS[fault.operation].file}.py").write_text(fault.source, encoding="utf-8")


def by_paths(claims: list[str]) -> dict[str, Any]:
    """What the symbolic checks say of the package that this process imports; stops at the first that objects."""
    from veritile.proofs.code.checks import explored
    from veritile.proofs.code.claims import CODE

    for name in claims:
        for check_name, check in CODE[name].checks.items():
            report = explored(check_name, check, CODE[name], stop_at_first=True)
            if report.witness is not None:
                told = ", ".join(f"{k}={v}" for k, v in report.witness.items() if k != "relation")
                return {"caught": True, "how": f"{name}, {check_name}: {told}"}
            if report.open_ends:
                return {"caught": True, "how": f"{name}, {check_name}: not proved: {report.open_ends[0]}"}
    return {"caught": False, "how": "every path is proved"}


def judged(fault: Fault) -> dict[str, Any]:
    """Both judges on one fault."""
    target = TARGETS[fault.operation]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        planted(fault, folder)
        environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONSAFEPATH"] = "1"  # the planted package before the one in this folder
        paths = _run([sys.executable, "-m", "bench.mutation", "--paths", *target.claims], environment, PATH_SECONDS)
        files = [f"tests/model/test_{test}.py" for test in target.tests]
        options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"]
        tests = _run([sys.executable, "-m", "pytest", *options, *files], environment, TEST_SECONDS)
    answer: dict[str, Any] = {"operation": fault.operation, "function": fault.function, "line": fault.line}
    answer |= {"change": fault.change, "paths": {"caught": True, "how": "does not end"}, "tests": "does not end"}
    if paths is not None:
        try:
            answer["paths"] = json.loads(paths.stdout.splitlines()[-1])
        except (IndexError, json.JSONDecodeError):
            last = (paths.stderr.strip().splitlines() or ["died"])[-1]
            answer["paths"] = {"caught": True, "how": last}
    if tests is not None:
        failed = [line for line in tests.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        answer["tests"] = "" if tests.returncode == 0 else (failed or [f"exit status {tests.returncode}"])[0]
    return answer


def _run(command: list[str], environment: dict[str, str], seconds: int) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return None


def word(answer: dict[str, Any]) -> str:
    """By whom a fault was caught."""
    if answer["paths"]["caught"]:
        return "both" if answer["tests"] else "paths"
    return "tests" if answer["tests"] else "nobody"


def main(arguments: list[str] | None = None) -> int:
    """Plants the faults and prints a line for each; 1 when one was caught by nobody."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutation", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("operations", nargs="*", help=f"{', '.join(TARGETS)}; all by default")
    parser.add_argument("--count", type=int, default=10, help="faults of each operation (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write what was found there")
    parser.add_argument("--paths", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.paths:
        print(json.dumps(by_paths(given.paths), default=str))
        return 0
    if strange := set(given.operations) - set(TARGETS):
        parser.error(f"unknown operation {min(strange)}")
    started = time.monotonic()
    wanted = [f for name in given.operations or TARGETS for f in faults(name, given.count, given.seed)]
    answers = []
    with ThreadPoolExecutor(given.processes) as pool:
        for answer in pool.map(judged, wanted):
            answers.append(answer)
            print(
                f"{word(answer):7} {answer['operation']:14} {answer['function']}:{answer['line']}  {answer['change']}"
            )
            print(
                f"        paths: {answer['paths']['how'][:150]}\n        tests: {(answer['tests'] or 'pass')[:150]}",
                flush=True,
            )
    counts = Counter(map(word, answers))
    told = ", ".join(f"{n} by {who}" for who, n in sorted(counts.items()))
    print(f"\n{len(answers)} faults: {told}; {time.monotonic() - started:.0f} s")
    if given.json:
        given.json.write_text(json.dumps(answers, indent=2, default=str) + "\n", encoding="utf-8")
    return 1 if counts["nobody"] else 0


if __name__ == "__main__":
    sys.exit(main())
