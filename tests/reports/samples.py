"""Runs that the tests of renderings are made from: a small one with every word, a large one, and a hostile one."""

from typing import Any

from veritile.reports.run import Report, report_of

VERSIONS = {"veritile": "0.1.0", "Python": "3.11.0"}


def claim(name: str, verdict: str = "proved", **more: Any) -> dict[str, Any]:
    told = {
        "name": name,
        "source": "paper §3.3",
        "statement": "R(c) = A(B(c)) & B⪯R",
        "verdict": verdict,
        "scope": "instance",
        "evidence": [{"kind": "enumeration", "detail": "cases", "cases": 24}],
        "witness": None,
        "time_ms": 12.5,
        "reason": None,
        "as_expected": verdict == "proved",
        "finding": None,
        "hypotheses": "A = 4:1",
        "mutant": {"statement": "broken", "verdict": "refuted", "witness": {"n": 1}},
        "rows": [],
        "doubts": [],
    }
    return {**told, **more}


WITNESS = {"A": "(6,2):(1,7)", "B": "(3,2):(2,3)", "coordinate": [2, 1], "expected": 8, "got": 7}


def small() -> Report:
    finding = {"what": "a carry", "repaired": "a.repaired"}
    claims = [
        claim("a.proved"),
        claim("a.finding", "refuted", as_expected=True, finding=finding, witness=WITNESS, doubts=[3]),
        claim("a.unexpected", "refuted", witness={"coordinate": [1, 0], "expected": "e0", "got": "2e1"}),
        claim("b.unknown", "unknown", reason="the budget was spent"),
        claim("b.rows", rows=[{"name": "row 1", "verdict": "proved", "witness": None}]),
    ]
    return report_of({"claims": claims, "summary": {"time_ms": 61.0}}, versions=VERSIONS)


def large(count: int = 500) -> Report:
    claims = [
        claim(
            f"section{k % 10}.claim-{k}",
            "refuted" if k % 5 == 0 else "proved",
            witness=WITNESS if k % 5 == 0 else None,
            as_expected=True,
            finding={"what": "a carry", "repaired": "x"} if k % 5 == 0 else None,
            statement="Where every basic sublayout of B satisfies the conditions the parts add up " * 3,
        )
        for k in range(count)
    ]
    return report_of({"claims": claims, "summary": {"time_ms": 1.0}}, versions=VERSIONS)


def hostile(text: str) -> Report:
    """``text`` everywhere that a name, a path or a sentence can stand."""
    one = claim(
        text,
        "refuted",
        source=text,
        statement=text,
        scope=text,
        reason=text,
        witness={text: text, "layout": text, "A": text, "got": [text], "expected": text},
        evidence=[{"kind": text, "detail": text, "solver": text, "version": text}],
        finding={"what": text, "repaired": text},
        hypotheses=text,
        mutant={"statement": text, "verdict": text},
        rows=[{"name": text, "verdict": text, "witness": {text: text}}],
        file=text,
        line=3,
    )
    question = {"operation": text, "operands": [text, text], "verdict": "refuted", "witness": {"offset": text}}
    kernel = {"kernel": text, "row": text, "verdict": "unknown"}
    told = {"claims": [one], "rows": [kernel], **question}
    return report_of(told, text, {text: text})
