"""One model of a run, which every rendering is made from: claims, questions, certificates, kernels, versions, times.

A run comes from :meth:`veritile.proofs.runner.Run.as_dict`, from ``veritile prove --json`` or from a report in JSON.
Nothing is decided here: a verdict is copied, and one that is missing or misspelt is ``unknown``.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from ..model.errors import InputError
from ..model.version import VERSION

VERDICTS = ("proved", "refuted", "unknown")
FORMAT = 1
"""The number of the JSON report's schema; a reader of another number refuses it."""


@dataclass(frozen=True)
class Entry:
    """One thing that was decided: a claim, a question on layouts, a row of a validation, an operation of an audit.

    ``kind`` is ``claim``, ``question``, ``certificate``, ``kernel`` or ``operation``; ``word`` what people are shown:
    the verdict, ``finding`` for a refutation that was expected, ``unexpected`` for a surprise. ``operands`` are those
    of a question or an operation.
    """

    kind: str
    name: str
    verdict: str
    statement: str = ""
    source: str = ""
    scope: str = ""
    evidence: tuple[dict[str, Any], ...] = ()
    witness: dict[str, Any] | None = None
    reason: str | None = None
    expected: bool = True
    finding: dict[str, str] | None = None
    hypotheses: str | None = None
    mutant: dict[str, Any] = field(default_factory=dict)
    rows: tuple[dict[str, Any], ...] = ()
    doubts: tuple[int, ...] = ()
    operands: tuple[str, ...] = ()
    result: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    time_ms: float = 0.0

    @property
    def word(self) -> str:
        """``proved``, ``refuted``, ``unknown``, ``finding`` or ``unexpected``."""
        if self.verdict == "unknown":
            return "unknown" if self.mutant.get("verdict") != "proved" else "unexpected"
        if not self.expected:
            return "unexpected"
        return "finding" if self.finding and self.verdict == "refuted" else self.verdict

    @property
    def section(self) -> str:
        """The first part of a claim's name; the kind of anything else."""
        return self.name.split(".")[0] if self.kind == "claim" else self.kind

    def as_dict(self) -> dict[str, Any]:
        """The entry as JSON-ready data, ``word`` included."""
        return {
            "kind": self.kind,
            "name": self.name,
            "verdict": self.verdict,
            "word": self.word,
            "statement": self.statement,
            "source": self.source,
            "scope": self.scope,
            "evidence": list(self.evidence),
            "witness": self.witness,
            "reason": self.reason,
            "expected": self.expected,
            "finding": self.finding,
            "hypotheses": self.hypotheses,
            "mutant": self.mutant or None,
            "rows": list(self.rows),
            "doubts": list(self.doubts),
            "operands": list(self.operands),
            "result": self.result,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "time_ms": self.time_ms,
        }


@dataclass(frozen=True)
class Report:
    """Everything that one report tells; ``versions`` are those of the machine that decided."""

    entries: tuple[Entry, ...]
    title: str = "veritile report"
    versions: dict[str, str] = field(default_factory=dict)
    time_ms: float = 0.0

    @property
    def counts(self) -> dict[str, int]:
        """How many entries have each word, in the order in which they are told."""
        found = Counter(entry.word for entry in self.entries)
        return {word: found[word] for word in ("proved", "finding", "refuted", "unexpected", "unknown")}

    def as_dict(self) -> dict[str, Any]:
        """The JSON report (its schema: ``reports/pages/report.schema.json``)."""
        return {
            "format": FORMAT,
            "title": self.title,
            "versions": dict(self.versions),
            "summary": {"entries": len(self.entries), **self.counts, "time_ms": self.time_ms},
            "entries": [entry.as_dict() for entry in self.entries],
        }


def report_of(told: Any, title: str = "veritile report", versions: Mapping[str, str] | None = None) -> Report:
    """A report from what a command printed with ``--json``, from ``Run.as_dict()``, or from a JSON report.

    >>> report_of({"claims": [{"name": "a.b", "verdict": "proved"}], "summary": {"time_ms": 3.0}}).counts["proved"]
    1
    """
    if not isinstance(told, Mapping):
        raise InputError("a report is made from a JSON object")
    if "entries" in told:
        if told.get("format") != FORMAT:
            raise InputError(f"this report has the format {told.get('format')!r:.20}, not {FORMAT}")
        entries = [_entry(str(one.get("kind") or "claim"), one) for one in _objects(told["entries"], "entries")]
        known = told.get("versions")
        return Report(
            tuple(entries),
            str(told.get("title") or title),
            {str(k): str(v) for k, v in known.items()} if isinstance(known, Mapping) else {},
            _number(_object(told.get("summary")).get("time_ms")),
        )
    entries = [_entry("claim", one) for one in _objects(told.get("claims", []), "claims")]
    entries += [_row(one) for one in _objects(told.get("rows", []), "rows")]
    entries += [_entry("certificate", one) for one in _objects(told.get("certificates", []), "certificates")]
    entries += [_operation(one) for one in _objects(told.get("operations", []), "operations")]
    if "operation" in told:
        entries.append(question_entry(told))
    if not entries and not {"claims", "rows", "certificates", "operations"} & told.keys():
        raise InputError("this JSON holds no claims, rows, certificates, operations or answer to a question")
    time_ms = _number(_object(told.get("summary")).get("time_ms", told.get("time_ms")))
    return Report(tuple(entries), title, dict(versions if versions is not None else here()), time_ms)


def merged(reports: Iterable[Report], title: str) -> Report:
    """Several reports as one; the versions are those of the first that tells them."""
    parts = list(reports)
    versions: dict[str, str] = {}
    for part in reversed(parts):
        versions.update(part.versions)
    return Report(tuple(e for p in parts for e in p.entries), title, versions, sum(p.time_ms for p in parts))


def here() -> dict[str, str]:
    """The versions that decide on this machine."""
    found = {"veritile": VERSION, "Python": platform.python_version()}
    for name, distribution in (("z3", "z3-solver"), ("cvc5", "cvc5"), ("sympy", "sympy"), ("numpy", "numpy")):
        try:
            found[name] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def question_entry(told: Mapping[str, Any]) -> Entry:
    """The entry of one question, from what ``--json`` prints of it; its obligations and properties are its rows."""
    operands = tuple(str(o) for o in told.get("operands") or ())
    operation = str(told.get("operation") or "question")
    details = _object(told.get("details"))
    parts = details.get("obligations") or details.get("properties") or ()
    rows = [dict(one) for one in parts if isinstance(one, Mapping)] if isinstance(parts, (list, tuple)) else []
    return _entry("question", {**told, "name": " ".join((operation, *operands)), "source": "ours", "rows": rows})


def _row(one: Mapping[str, Any]) -> Entry:
    name = " ".join(str(one[k]) for k in ("kernel", "row", "dtype", "size", "arch") if one.get(k) is not None)
    return _entry("kernel", {**one, "name": name or "row"})


_OF_AUDIT = {"right": "proved", "wrong": "refuted"}


def _operation(one: Mapping[str, Any]) -> Entry:
    """The entry of an operation of an audit: what is outside its preconditions or not checked is unknown."""
    word, source = str(one.get("verdict")), str(one.get("source") or "").strip()
    name = f"{one.get('operation')} {one.get('file')}:{one.get('line')}:{one.get('column')} {one.get('kernel')}"
    reason = str(one.get("reason") or "")
    told = {
        **one,
        "name": name,
        "verdict": _OF_AUDIT.get(word, "unknown"),
        "statement": f"{one.get('operation')}: {source}" if source else str(one.get("operation")),
        "source": "ours",
        "scope": "instance",
        "operands": one.get("operands"),
        "evidence": [one["evidence"]] if one.get("evidence") else [],
        "reason": f"{word}: {reason}" if word not in _OF_AUDIT else reason or None,
        "result": one.get("got"),
        "expected": True,
    }
    return _entry("operation", told)


def _entry(kind: str, one: Mapping[str, Any]) -> Entry:
    verdict = one.get("verdict")
    finding = one.get("finding")
    witness = one.get("witness")
    expected = one.get("expected", one.get("as_expected", True))
    return Entry(
        kind if kind in ("claim", "question", "certificate", "kernel", "operation") else "claim",
        str(one.get("name") or ""),
        verdict if verdict in VERDICTS else "unknown",
        str(one.get("statement") or ""),
        str(one.get("source") or ""),
        str(one.get("scope") or ""),
        tuple(_evidence(e) for e in one.get("evidence") or ()),
        dict(witness) if isinstance(witness, Mapping) else None,
        None if one.get("reason") is None else str(one["reason"]),
        bool(expected),
        {str(k): str(v) for k, v in finding.items()} if isinstance(finding, Mapping) else None,
        None if one.get("hypotheses") is None else str(one["hypotheses"]),
        dict(_object(one.get("mutant"))),
        tuple(dict(row) for row in one.get("rows") or () if isinstance(row, Mapping)),
        tuple(d for d in one.get("doubts") or () if isinstance(d, int)),
        tuple(str(o) for o in one.get("operands") or ()),
        None if one.get("result") is None else str(one["result"]),
        None if one.get("file") is None else str(one["file"]),
        _positive(one.get("line")),
        _positive(one.get("column")),
        _number(one.get("time_ms")),
    )


def _evidence(one: Any) -> dict[str, Any]:
    return dict(one) if isinstance(one, Mapping) else {"kind": str(one)}


def _objects(many: Any, what: str) -> list[Mapping[str, Any]]:
    if not isinstance(many, list) or not all(isinstance(one, Mapping) for one in many):
        raise InputError(f"{what} is a list of JSON objects in a report")
    return many


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0


def evidence_text(one: Mapping[str, Any]) -> str:
    """One piece of evidence on a line.

    >>> evidence_text({"kind": "smt", "detail": "obligations", "cases": 4, "solver": "z3", "version": "5.4"})
    'smt: 4 obligations, z3 5.4'
    """
    kind, detail, cases = one.get("kind", ""), one.get("detail"), one.get("cases")
    parts = [f"{cases} {detail or 'cases'}" if cases is not None else str(detail or "")]
    if one.get("solver"):
        parts.append(f"{one['solver']} {one.get('version') or ''}".strip())
    told = ", ".join(part for part in parts if part)
    return f"{kind}: {told}" if told else str(kind)
