"""A report as JUnit XML, which every build server reads: a suite a section, a test an entry.

Refuted and unexpected entries are failures, unknown ones errors; a finding is expected and passes, with its text.
"""

from __future__ import annotations

from collections.abc import Sequence

from .claims import values_text
from .markup import Markup, closed
from .run import Entry, Report, evidence_text


def render(report: Report) -> str:
    """The XML text.

    >>> from .run import report_of
    >>> render(report_of({"claims": [{"name": "a.b", "verdict": "unknown"}]})).split("\\n")[1]
    '<testsuites name="veritile report" tests="1" failures="0" errors="1" time="0.000">'
    """
    sections: dict[str, list[Entry]] = {}
    for entry in report.entries:
        sections.setdefault(entry.section, []).append(entry)
    suites = [_suite(name, entries) for name, entries in sections.items()]
    whole = closed(
        "testsuites", Markup("\n"), suites, name=report.title, **_counts(report.entries), time=_seconds(report.time_ms)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}\n'


def _counts(entries: Sequence[Entry]) -> dict[str, int]:
    words = [entry.word for entry in entries]
    failures = words.count("refuted") + words.count("unexpected")
    return {"tests": len(words), "failures": failures, "errors": words.count("unknown")}


def _seconds(time_ms: float) -> str:
    return f"{max(0.0, time_ms) / 1000:.3f}"


def _suite(name: str, entries: Sequence[Entry]) -> Markup:
    cases = [_case(name, entry) for entry in entries]
    total = sum(entry.time_ms for entry in entries)
    return Markup(
        closed("testsuite", Markup("\n"), cases, name=name, **_counts(entries), skipped=0, time=_seconds(total)) + "\n"
    )


def _case(section: str, entry: Entry) -> Markup:
    told = _told(entry)
    children: list[Markup] = []
    if entry.word in ("refuted", "unexpected"):
        children.append(closed("failure", told, message=entry.reason or entry.statement or entry.word, type=entry.word))
    elif entry.word == "unknown":
        children.append(closed("error", told, message=entry.reason or "not decided", type="unknown"))
    else:
        children.append(closed("system-out", told))
    place = {"file": entry.file, "line": entry.line} if entry.file else {}
    case = closed(
        "testcase", children, classname=f"veritile.{section}", name=entry.name, time=_seconds(entry.time_ms), **place
    )
    return Markup(case + "\n")


def _told(entry: Entry) -> str:
    parts = [f"{entry.word}: {entry.statement}" if entry.statement else entry.word]
    parts += [f"scope: {entry.scope}"] if entry.scope else []
    parts += [f"evidence: {'; '.join(map(evidence_text, entry.evidence))}"] if entry.evidence else []
    parts += [f"finding: {entry.finding.get('what', '')}"] if entry.finding else []
    parts += [f"witness: {values_text(entry.witness)}"] if entry.witness else []
    return " | ".join(parts)
