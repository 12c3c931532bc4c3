"""The audit around one's own ``cute.compile``, in one's own process: a DSL that dies takes the process with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...model.errors import InputError, VeritileError
from .audit import Memory, allowed_names, as_dict, audit_text, report
from .trace import Traced, tracing, version


class AuditFailed(VeritileError):
    """An operation is wrong or stays open; ``report`` is what ``veritile audit --json`` prints."""

    def __init__(self, told: dict[str, Any]):
        super().__init__("\n".join(fault_lines(told)))
        self.report = told


@dataclass
class Session:
    """What was audited; ``report`` is there once the block is left, as ``veritile audit --json`` prints it."""

    traces: list[Traced] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0, 1 or 3, as of the command."""
        return int(self.report["summary"]["exit"])


@contextmanager
def auditing(allow: str | Iterable[str] = (), *, select: str | None = None, strict: bool = True) -> Iterator[Session]:
    """Audits every compile in the block, when the block is left; source lines are on in it.

    ``allow``, one or several, and ``select`` are as ``--allow`` and ``--kernel`` of the command. AuditFailed where an
    operation is wrong or stays open, not where ``strict`` is off. InputError where nothing was compiled, NoDSL where
    CuTe DSL is missing. An exception in the block goes through, and nothing is audited then.

    The DSL runs in this process: where it dies on a signal, so does the process; ``veritile audit`` outlives that.
    """
    names = allowed_names(allow)
    session = Session()
    with tracing(session.traces.append) as clock:
        yield session
    if not session.traces:
        raise InputError("nothing was traced: the block compiles no kernel, or a cache gave it")
    memory: Memory = {}
    traces = [as_dict(audit_text(one.text, one.name, memory, select)) for one in session.traces]
    if select is not None and not any(one["kernels"] for one in traces):
        raise InputError(f"no kernel that was traced fits {select}")
    target = {"title": "this process", "arch": None, "error": None, "traces": traces, "events": [], "dsl": version()}
    session.report = report([{**target, **clock.as_dict()}], names)
    if strict and session.exit_code:
        raise AuditFailed(session.report)


def fault_lines(told: dict[str, Any]) -> list[str]:
    """The counts, then a line an operation that is not right.

    >>> one = {"verdict": "wrong", "operation": "cute.slice", "file": "k.py", "line": 3, "column": 5, "reason": "so"}
    >>> summary = {"right": 4, "wrong": 1, "outside": 0, "not_checked": 0}
    >>> print("\\n".join(fault_lines({"operations": [one], "summary": summary})))
    audit: 4 right, 1 wrong, 0 outside, 0 not checked
    k.py:3:5: wrong: cute.slice: so
    """
    summary = told["summary"]
    counts = ", ".join(
        f"{summary[key]} {key.replace('_', ' ')}" for key in ("right", "wrong", "outside", "not_checked")
    )
    lines = [f"audit: {counts}"]
    for one in told["operations"]:
        if one["verdict"] != "right":
            place = f"{one['file']}:{one['line']}:{one['column']}: " if one["file"] else ""
            lines.append(f"{place}{one['verdict']}: {one['operation']}: {one['reason']}")
    return lines
