"""A report as SARIF 2.1.0: what is refuted or unknown, each at the file and line that it came from where there is one.

What is proved is a result of kind ``pass``; a finding is a ``warning``, a refutation an ``error``, an unknown a result
of kind ``open``, which SARIF keeps apart from both.
"""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from .claims import values_text
from .markup import clean
from .run import Entry, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVEL = {"finding": "warning", "refuted": "error", "unexpected": "error"}
KIND = {"proved": "pass", "unknown": "open", "unexpected": "fail", "refuted": "fail", "finding": "fail"}


def render(report: Report) -> dict[str, Any]:
    """The log as a JSON-ready object.

    >>> from .run import report_of
    >>> log = render(report_of({"claims": [{"name": "a.b", "verdict": "refuted", "as_expected": False}]}))
    >>> [(r["ruleId"], r["kind"], r["level"]) for r in log["runs"][0]["results"]]
    [('a.b', 'fail', 'error')]
    """
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for entry in report.entries:
        name = _rule(entry)
        rules.setdefault(name, _described(name, entry))
        results.append({"ruleId": name, **_result(entry)})
    order = {name: index for index, name in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = order[result["ruleId"]]
    driver = {
        "name": "veritile",
        "semanticVersion": report.versions.get("veritile", "0.0.0"),
        "rules": list(rules.values()),
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the repository."}}},
                "results": results,
            }
        ],
    }


def _rule(entry: Entry) -> str:
    """A stable name: a claim's own, the operation of a question, the kernel of a row."""
    name = entry.name if entry.kind == "claim" else f"{entry.kind}.{(entry.name.split() or ['row'])[0]}"
    return clean(name)[:200] or entry.kind


def _described(name: str, entry: Entry) -> dict[str, Any]:
    told = clean(entry.statement) or name
    rule: dict[str, Any] = {"id": name, "shortDescription": {"text": told}}
    if entry.source:
        rule["fullDescription"] = {"text": f"{told} ({clean(entry.source)})"}
    return rule


def _result(entry: Entry) -> dict[str, Any]:
    word = entry.word
    result: dict[str, Any] = {
        "kind": KIND[word],
        "level": LEVEL.get(word, "none"),
        "message": {"text": _message(entry)},
        "partialFingerprints": {"entry/v1": _fingerprint(entry)},
    }
    if entry.file:
        # a path is a name here, never an address: every sign that could make it one is written %XX
        path = quote(entry.file.replace("\\", "/").lstrip("/"), safe="/._-", errors="replace")
        place: dict[str, Any] = {"artifactLocation": {"uri": path, "uriBaseId": "ROOT"}}
        if entry.line:
            place["region"] = {"startLine": entry.line, **({"startColumn": entry.column} if entry.column else {})}
        result["locations"] = [{"physicalLocation": place}]
    else:
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": clean(entry.name), "kind": entry.kind}]}]
    return result


def _fingerprint(entry: Entry) -> str:
    return hashlib.sha256(f"{entry.kind} {entry.name}".encode("utf-8", "replace")).hexdigest()


def _message(entry: Entry) -> str:
    parts = [f"{entry.word}: {entry.statement or entry.name}"]
    parts += [entry.finding.get("what", "")] if entry.finding else []
    parts += [entry.reason] if entry.reason else []
    parts += [f"witness: {values_text(entry.witness)}"] if entry.witness else []
    # brackets are links in a SARIF message, braces are arguments
    text = clean(". ".join(part for part in parts if part))
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("{", "{{").replace("}", "}}")
