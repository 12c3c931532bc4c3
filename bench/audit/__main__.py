"""Audits the kernels of the recipe and prints every figure: ``python -m bench.audit --python PYTHON``.

PYTHON is an interpreter with the extra ``audit``; this one where none is named.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from veritile.kernels.audit.audit import report
from veritile.kernels.audit.isolation import Limits, audit_targets
from veritile.kernels.audit.recipe import read_recipe
from veritile.kernels.audit.verdict import NOT_CHECKED, VERDICTS

RECIPE = Path(__file__).with_name("recipe.toml")
CLASSES = {
    "composition": ("composition",),
    "coalesce": ("coalesce", "filter", "filter_zeros"),
    "complement": ("complement",),
    "inverses": ("right_inverse", "left_inverse"),
    "divides": ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"),
    "products": ("logical_product", "blocked_product", "raked_product", "zipped_product", "tiled_product"),
    "local_tile": ("local_tile",),
    "slice": ("slice", "dice"),
    "tile_to_shape": ("tile_to_shape",),
    "recast": ("recast_layout", "recast_iter"),
    "group_modes": ("group_modes",),
    "tiled copy and MMA": ("make_tiled_copy", "make_tiled_mma", "atom.make_tmem_copy", "atom.make_s2t_copy"),
    "partitions": ("tiled.copy.partition_S", "tiled.copy.partition_D", "tiled.mma.partition", "tiled.copy.retile"),
    "tma_partition": ("atom.tma_partition",),
}
"""The classes of operations by name, without their dialect. Those of make_layout_tv are found by their source line."""
TV = "make_layout_tv"
LEAST_SHARE = 0.9  # of the operations of a class that are decided
MOST_RATIO, MOST_MORE = 1.3, 1000.0  # of a compile with source lines, or milliseconds more
KERNELS = {"kernels": 25, "sm_90a": 5, "sm_100a": 5}
_SYMBOL = re.compile(r"kernel_cutlass_(.*?)(_object_at|_tensor|_None|_{3})")


def main(arguments: list[str] | None = None) -> int:
    """Audit, print, and exit 1 where a figure is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.audit", description=__doc__)
    parser.add_argument("parts", nargs="*", help="titles in the recipe, or parts of them; all by default")
    parser.add_argument("--python", help="the interpreter that has CuTe DSL and the packages")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time; more spoil the times (default 1)")
    parser.add_argument("--budget", type=float, default=300.0, help="seconds for one target (default 300)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all that was found there")
    given = parser.parse_args(arguments)
    targets = [one for one in read_recipe(RECIPE) if not given.parts or any(part in one.title for part in given.parts)]
    if not targets:
        parser.error("no title in the recipe has that in it")
    root = str(RECIPE.parent.parent.parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    found = audit_targets(
        targets, jobs=given.jobs, limits=Limits(given.budget), python=given.python, on_target=print_target
    )
    told = report(found)
    if given.json:
        given.json.write_text(json.dumps(told, indent=1) + "\n")
    missed = print_figures(told, whole=not given.parts)
    print("\nmissed: " + "; ".join(missed) if missed else "\nevery figure is reached")
    return 1 if missed else 0


def print_target(told: Mapping[str, Any]) -> None:
    """A line while it runs."""
    print(f"{told['title']}: {told['error'] or 'done'}", file=sys.stderr, flush=True)


def print_figures(told: Mapping[str, Any], whole: bool) -> list[str]:
    """Prints all figures; which of them are missed."""
    summary, operations = told["summary"], told["operations"]
    return [
        *print_kernels(summary, whole),
        *print_classes(operations),
        *print_wrong(operations),
        *print_unread(summary),
        *print_times(summary["targets"]),
    ]


def kernel_class(symbol: str) -> str:
    """The method and class of the kernel that a symbol was made from; two classes may share one ``@cute.kernel``.

    >>> kernel_class("kernel_cutlass_kernel_quacksoftmaxSoftmax_object_at__tensorptrbf16_0")
    'kernel_quacksoftmaxSoftmax'
    """
    found = _SYMBOL.match(symbol)
    return found[1] if found else symbol


def print_kernels(summary: Mapping[str, Any], whole: bool) -> list[str]:
    """How many classes of kernels, by architecture and package."""
    functions: dict[str, set[str]] = {"kernels": set()}
    for target in summary["targets"]:
        names = {kernel_class(name) for name in target["kernels"]}
        for group in ("kernels", target["arch"], target["title"].partition("/")[0]):
            functions.setdefault(group, set()).update(names)
    print(f"{len(functions.pop('kernels'))} kernel classes in {len(summary['targets'])} targets", end=": ")
    print(", ".join(f"{len(names)} {group}" for group, names in sorted(functions.items())))
    errors = [f"{one['title']}: {one['error']}" for one in summary["targets"] if one["error"]]
    print(*errors, sep="\n")
    functions["kernels"] = set().union(*functions.values())
    few = [f"{len(functions.get(group, ()))} of {least} {group}" for group, least in KERNELS.items()]
    few = [text for text in few if int(text.split()[0]) < int(text.split()[2])] if whole else []
    return [*errors, *few]


def classes_of(operations: Iterable[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Every operation of a class, with it; what a raked product stands beside on a line makes a TV layout too."""
    known = list(operations)
    names = {name: kind for kind, members in CLASSES.items() for name in members}
    lines = {place_of(one) for one in known if one["operation"] == "cute.raked_product"}
    found = []
    for one in known:
        name = one["operation"].partition(".")[2]
        if name in names:
            found.append((names[name], one))
            if place_of(one) in lines:
                found.append((TV, one))
    return found


def place_of(one: Mapping[str, Any]) -> tuple[Any, ...]:
    """The target and the source line."""
    return one["target"], one["file"], one["line"]


def print_classes(operations: list[Mapping[str, Any]]) -> list[str]:
    """The four counts of every class, of all, and the reasons of what was not checked."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in (*CLASSES, TV)}
    reasons: Counter[tuple[str, str, str]] = Counter()
    for kind, one in classes_of(operations):
        counts[kind][one["verdict"]] += one["count"]
    for one in operations:
        if one["verdict"] in ("outside", NOT_CHECKED):
            reasons[one["operation"], one["verdict"], one["reason"]] += one["count"]
    everything: Counter[str] = Counter()
    for one in operations:
        everything[one["verdict"]] += one["count"]
    print(f"\n{'class':20}" + "".join(f"{verdict:>13}" for verdict in VERDICTS) + f"{'checked':>10}")
    missed = []
    for kind, count in {**counts, "all operations": everything}.items():
        total = sum(count.values())
        share = (total - count[NOT_CHECKED]) / total if total else None
        cells = "".join(f"{count[verdict]:13,}" for verdict in VERDICTS)
        print(f"{kind:20}{cells}{'-' if share is None else f'{share:.1%}':>10}")
        if share is not None and share < LEAST_SHARE and kind in counts:
            missed.append(f"{kind} {share:.1%}")
    print("\nthe rest, by reason")
    for (name, verdict, reason), number in reasons.most_common():
        print(f"{number:8,}  {verdict}: {name}: {reason}")
    return missed


def print_wrong(operations: Iterable[Mapping[str, Any]]) -> list[str]:
    """Every operation that is wrong, once."""
    wrong = [one for one in operations if one["verdict"] == "wrong"]
    for one in wrong:
        print(f"\nwrong: {one['operation']} at {one['file']}:{one['line']} in {one['target']}, {one['count']} times")
        print(f"  {one['operands']} -> {one['results']}\n  {one['reason']} {one['witness'] or ''}")
    return []


def print_unread(summary: Mapping[str, Any]) -> list[str]:
    """Lines, operations and types that were not understood."""
    print(f"\n{len(summary['unread'])} lines unread", *summary["unread"][:20], sep="\n")
    for kind in ("unknown_operations", "unknown_types"):
        print(f"{kind.replace('_', ' ')}: {summary[kind] or 'none'}")
    return [f"{len(summary['unread'])} lines unread"] if summary["unread"] else []


def print_times(targets: Iterable[Mapping[str, Any]]) -> list[str]:
    """What an audit adds to a compile with source lines, imports apart."""
    missed, compiles, audits = [], 0.0, 0.0
    print(f"\n{'target':48}{'compile s':>10}{'audit s':>9}{'ratio':>7}")
    for one in targets:
        if one["error"] or not one.get("compile_ms") or one.get("audit_ms") is None:
            continue
        compile_ms, audit_ms = one["compile_ms"], one["audit_ms"]
        ratio = (compile_ms + audit_ms) / compile_ms
        compiles, audits = compiles + compile_ms, audits + audit_ms
        fine = ratio <= MOST_RATIO or audit_ms <= MOST_MORE
        print(f"{one['title']:48}{compile_ms / 1000:10.2f}{audit_ms / 1000:9.2f}{ratio:7.2f}{'' if fine else '  slow'}")
        if not fine:
            missed.append(f"{one['title']} takes {ratio:.2f} times its compile")
    if compiles:
        print(f"{'all':48}{compiles / 1000:10.2f}{audits / 1000:9.2f}{(compiles + audits) / compiles:7.2f}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
