"""The audit of one trace: every operation of it decided by its rule, counted, and told as plain data."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from ...model.errors import InputError
from . import verdict
from .contracts import with_offsets
from .guards import reached, unguarded
from .no_layout import is_constant
from .text import FUNCTIONS, Module, Operation, Place, read
from .threads import touched
from .types import UnknownType, read_type
from .verdict import NOT_CHECKED, OUTSIDE, RIGHT, VERDICTS, WRONG, Call, Decision, asked, not_checked

RULE_MODULES: tuple[str, ...] = ("no_layout", "algebra", "structure", "partitions", "fragments", "tma", "tiled")
"""The modules of this package that hold the rules: importing them fills the tables of :mod:`.verdict`."""


Memory = dict[Any, tuple[Decision, str | None]]
"""Decisions by name, properties and types, each with the type that could not be read."""


@cache
def tables() -> tuple[Mapping[str, verdict.Rule], Mapping[str, str]]:
    """The rules, and the operations that do no layout work with the reason, all modules of rules imported."""
    for name in RULE_MODULES:
        import_module(f".{name}", __package__)
    return verdict.RULES, verdict.NO_LAYOUT


@dataclass(frozen=True)
class Checked:
    """An operation with what was decided of it."""

    operation: Operation
    decision: Decision


@dataclass
class Audit:
    """What was decided of one trace.

    ``checked`` are the operations that do layout work, in their order, the unknown ones among them; ``no_layout``
    counts the others by name, constants among them, ``unknown`` the operations and ``unknown_types`` the types that
    nothing here knows. ``unread`` are the lines that were not understood. Times are seconds.
    """

    name: str
    checked: tuple[Checked, ...] = ()
    kernels: tuple[str, ...] = ()
    no_layout: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    unknown_types: Counter[str] = field(default_factory=Counter)
    unread: tuple[str, ...] = ()
    reading: float = 0.0
    deciding: float = 0.0


def audit_text(text: str, name: str = "", memory: Memory | None = None, select: str | None = None) -> Audit:
    """The audit of a trace's text.

    ``memory`` keeps decisions by types, from one trace to the next; ``select`` is a pattern of kernels
    (:func:`is_selected`): what is in no such kernel is left out.
    """
    begun = time.perf_counter()
    module = read(text)
    read_at = time.perf_counter()
    found = audit_module(module, name, memory, select)
    found.reading = read_at - begun
    found.deciding = time.perf_counter() - read_at
    return found


def audit_module(module: Module, name: str = "", memory: Memory | None = None, select: str | None = None) -> Audit:
    """The audit of a trace that was read; the operands as of :func:`audit_text`."""
    rules, no_layout = tables()
    known: Memory = {} if memory is None else memory
    found = Audit(name, kernels=tuple(one for one in module.kernels if is_selected(one, select)))
    functions = {0, *(one.line for one in module.operations if one.name in FUNCTIONS)}
    checked = []
    for operation in module.operations:
        if not is_selected(operation.kernel, select):
            continue
        if is_no_layout(operation.name, no_layout) or asked(partial(is_constant, operation)) is True:
            found.no_layout[operation.name] += 1
            continue
        key = (operation.name, operation.properties, operation.operand_types, operation.result_types)
        if key not in known:
            known[key] = decide(operation, rules)
        decision, unknown_type = known[key]
        if operation.name not in rules:
            found.unknown[operation.name] += 1
        if unknown_type is not None:
            found.unknown_types[unknown_type] += 1
        checked.append(Checked(operation, reached(operation, decision, functions)))
    without = {**touched(module), **unguarded(one.operation for one in checked)}
    found.checked = tuple(
        replace(one, decision=without[one.operation.line])
        if one.operation.line in without and one.decision.verdict == RIGHT
        else one
        for one in checked
    )
    found.unread = tuple(f"{one.line_number}: {one.text.strip()[:200]}" for one in module.unread)
    return found


def is_no_layout(name: str, table: Mapping[str, str]) -> bool:
    """Whether an operation is named as one that does no layout work, itself or by its dialect.

    >>> is_no_layout("arith.addi", {"arith.": "numbers"}), is_no_layout("cute.size", {"arith.": "numbers"})
    (True, False)
    """
    return name in table or name.partition(".")[0] + "." in table


def decide(operation: Operation, rules: Mapping[str, verdict.Rule]) -> tuple[Decision, str | None]:
    """What the rule of an operation says, ``not checked`` where there is none; and the type that could not be read."""
    rule = rules.get(operation.name)
    if rule is None:
        return not_checked("unknown operation"), None
    types = (*operation.operand_types, *operation.result_types)
    read_types = asked(lambda: [read_type(text) for text in types])
    if isinstance(read_types, Decision):
        return read_types, None
    for one in read_types:
        if isinstance(one, UnknownType):
            return not_checked(f"unknown type {one.text[:120]}: {one.reason}"), one.text.partition("<")[0]
    count = len(operation.operand_types)
    call = Call(operation, tuple(read_types[:count]), tuple(read_types[count:]))
    return asked(lambda: with_offsets(call, rule(call))), None


# as plain data


def as_dict(audit: Audit) -> dict[str, Any]:
    """The audit as JSON-ready data.

    Operations that are the same, at the same place and with the same types, are told once with their ``count``.
    """
    told: dict[Any, dict[str, Any]] = {}
    for one in audit.checked:
        operation = one.operation
        key = (operation.kernel, operation.name, operation.properties, operation.operand_types, operation.result_types,
               operation.place, one.decision.verdict, one.decision.reason)  # fmt: skip
        if key in told:
            told[key]["count"] += 1
        else:
            told[key] = operation_as_dict(one)
    return {
        "name": audit.name,
        "kernels": list(audit.kernels),
        "operations": list(told.values()),
        "no_layout": dict(audit.no_layout),
        "unknown_operations": dict(audit.unknown),
        "unknown_types": dict(audit.unknown_types),
        "unread": list(audit.unread),
        "reading_ms": round(audit.reading * 1000, 1),
        "deciding_ms": round(audit.deciding * 1000, 1),
    }


def theirs(place: Place | None) -> Place | None:
    """The place, unless it lies in this package, which is the caller that CuTe DSL names where it has no user's frame.

    >>> theirs(Place("kernel.py", 3, 4)) is None, theirs(Place(__file__, 3, 4)) is None
    (False, True)
    """
    return None if place is None or _is_ours(place.file) else place


@cache
def _is_ours(file: str) -> bool:
    return Path(file).resolve().parent == Path(__file__).resolve().parent


def operation_as_dict(one: Checked) -> dict[str, Any]:
    """One operation with its decision, as JSON-ready data."""
    operation, decision, place = one.operation, one.decision, theirs(one.operation.place)
    witness = decision.witness
    return {
        "kernel": operation.kernel,
        "operation": operation.name,
        "verdict": decision.verdict,
        "reason": decision.reason or None,
        "file": place.file if place and place.line else None,
        "line": place.line if place and place.line else None,
        "column": place.column + 1 if place and place.line else None,  # the DSL counts columns from 0
        "source": place.source if place else None,
        "callers": [str(caller) for caller in place.callers] if place else [],
        "operands": list(operation.operand_types),
        "results": list(operation.result_types),
        "properties": operation.properties,
        "witness": None if witness is None else _plain(witness.as_dict()),
        "expected": decision.expected,
        "got": decision.got,
        "advice": decision.advice,
        "evidence": decision.evidence or None,
        "count": 1,
    }


def _plain(value: Any) -> Any:
    """JSON-ready: tuples as lists, offsets that are no integers in their notation."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def is_selected(kernel: str, pattern: str | None) -> bool:
    """Whether a kernel's symbol fits a pattern: a part of it, or with ``*`` all of it.

    >>> is_selected("kernel_cutlass_softmax_tensor_0", "softmax"), is_selected("kernel_cutlass_k_0", "softmax")
    (True, False)
    >>> is_selected("kernel_cutlass_softmax_tensor_0", "*_0"), is_selected("kernel_cutlass_softmax_tensor_0", None)
    (True, True)
    """
    if pattern is None:
        return True
    return fnmatchcase(kernel, pattern) if any(sign in pattern for sign in "*?[") else pattern in kernel


def counts(operations: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many operations have each verdict, all four always told."""
    found: Counter[str] = Counter()
    for one in operations:
        found[one["verdict"]] += one["count"]
    return {verdict_: found[verdict_] for verdict_ in VERDICTS}


def report(targets: Iterable[Mapping[str, Any]], allowed: str | Iterable[str] = ()) -> dict[str, Any]:
    """``{"operations": […], "summary": {…}}`` of targets as :func:`.isolation.audit_targets` tells them.

    The summary has the counts of all four verdicts, those by operation, what is not known here, times, and ``exit``.
    """
    known, names = list(targets), allowed_names(allowed)
    operations: list[dict[str, Any]] = []
    unknown: Counter[str] = Counter()
    unknown_types: Counter[str] = Counter()
    by_operation: dict[str, Counter[str]] = {}
    no_layout, unread, told = 0, [], []
    for target in known:
        for trace in target["traces"]:
            operations += [{"target": target["title"], **one} for one in trace["operations"]]
            unknown.update(trace["unknown_operations"])
            unknown_types.update(trace["unknown_types"])
            no_layout += sum(trace["no_layout"].values())
            unread += [f"{trace['name']}: {line}" for line in trace["unread"]]
        operations += [{"target": target["title"], **one} for one in target["events"]]
        told.append(
            {
                **{
                    key: target.get(key)
                    for key in ("title", "arch", "dsl", "error", "time_ms", "import_ms", "compile_ms", "audit_ms")
                },
                "kernels": [name for trace in target["traces"] for name in trace["kernels"]],
                # the text is asked for while the DSL compiles, and read afterwards
                "reading_ms": round(
                    target.get("listening_ms", 0.0) + sum(trace["reading_ms"] for trace in target["traces"]), 1
                ),
                "deciding_ms": round(sum(trace["deciding_ms"] for trace in target["traces"]), 1),
            }
        )
    for one in operations:
        by_operation.setdefault(one["operation"], Counter())[one["verdict"]] += one["count"]
    code = exit_code(operations, names)
    if code != 1 and any(one["error"] for one in told):
        code = 2
    elif code == 0 and unread and "unread" not in names:
        code = 3
    elif code == 0 and not all(target["traces"] for target in known):
        code = 3  # what may stay open is no answer for a target in which nothing was traced
    return {
        "operations": operations,
        "summary": {
            "targets": told,
            "kernels": sum(len(one["kernels"]) for one in told),
            "operations": sum(one["count"] for one in operations),
            **{name.replace(" ", "_"): number for name, number in counts(operations).items()},
            "allowed": sum(
                one["count"]
                for one in operations
                if one["verdict"] in (OUTSIDE, NOT_CHECKED) and is_allowed(one, names)
            ),
            "by_operation": {
                name: {verdict_: of[verdict_] for verdict_ in VERDICTS} for name, of in sorted(by_operation.items())
            },
            "no_layout": no_layout,
            "unread": unread,
            "unknown_operations": dict(unknown),
            "unknown_types": dict(unknown_types),
            **{key: _sum(told, key) for key in ("compile_ms", "reading_ms", "deciding_ms")},
            "exit": code,
        },
    }


def _sum(told: list[dict[str, Any]], key: str) -> float:
    return round(sum(one[key] or 0.0 for one in told), 1)


def allowed_names(allow: str | Iterable[str]) -> tuple[str, ...]:
    """What may stay open: a text is one name, not its letters, of which most reasons have one. InputError for no text.

    >>> allowed_names("cute.copy"), allowed_names(["cute.copy", "unread"])
    (('cute.copy',), ('cute.copy', 'unread'))
    """
    names = (allow,) if isinstance(allow, str) else tuple(allow)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"what may stay open is named by a text, not {name!r}")
    return names


def is_allowed(one: Mapping[str, Any], allowed: str | Iterable[str]) -> bool:
    """Whether ``--allow`` names an operation or its reason: a name, a pattern of names, or words of the reason.

    >>> one = {"operation": "cute.recast_layout", "reason": "unknown operation"}
    >>> [is_allowed(one, [name]) for name in ("cute.recast_layout", "recast_*", "unknown operation", "slice")]
    [True, True, True, False]
    """
    name, reason = str(one["operation"]), str(one.get("reason") or "").lower()
    short = name.partition(".")[2]
    return any(
        fnmatchcase(name, pattern) or fnmatchcase(short, pattern) or (pattern.strip() and pattern.lower() in reason)
        for pattern in allowed_names(allowed)
    )


def exit_code(operations: Iterable[Mapping[str, Any]], allowed: str | Iterable[str] = ()) -> int:
    """1 where an operation is wrong; 3 where one is outside or not checked that is not allowed; 0 else.

    >>> exit_code([{"operation": "cute.slice", "verdict": "right"}])
    0
    >>> one = {"operation": "cute.slice", "verdict": "not checked", "reason": "too large"}
    >>> exit_code([one]), exit_code([one], ["cute.slice"]), exit_code([{**one, "verdict": "wrong"}], ["cute.slice"])
    (3, 0, 1)
    """
    known, names = list(operations), allowed_names(allowed)
    if any(one["verdict"] == WRONG for one in known):
        return 1
    open_ = [one for one in known if one["verdict"] in (OUTSIDE, NOT_CHECKED) and not is_allowed(one, names)]
    return 3 if open_ else 0


__all__ = [
    "RIGHT",
    "Audit",
    "Checked",
    "allowed_names",
    "as_dict",
    "audit_module",
    "audit_text",
    "counts",
    "exit_code",
    "is_allowed",
]
