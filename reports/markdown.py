"""A report as Markdown, for a pull request or an issue: names and layouts are code, prose is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from .claims import values_text
from .counterexample import Explanation, explanation_of
from .markup import clean
from .run import Entry, Report, evidence_text

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")
_LEADING = re.compile(r"^(\s*)([-+#=]|\d+(?=[.)]))")
_LINKS = re.compile(r"@|#\d|://|www\.|\bGH-\d", re.IGNORECASE)


def prose(text: str) -> str:
    """``text`` as words, no sign of it markup; what could become a link or a mention is code.

    >>> prose("a*b <i> $x$"), prose("ask @someone")
    ('a\\\\*b \\\\<i\\\\> \\\\$x\\\\$', '`ask @someone`')
    """
    text = clean(text)
    if _LINKS.search(text):
        return code(text)
    text = _SPECIAL.sub(r"\\\1", text.strip())
    if _LEADING.match(text):  # a list, a heading or a rule, but for a sign that shows as nothing
        text = "&#8203;" + text
    return text


def code(text: str, in_table: bool = False) -> str:
    """``text`` as code, whatever backticks are in it.

    >>> code("a`b"), code("(4,8):(1,5)"), code("a|b", True)
    ('`` a`b ``', '`(4,8):(1,5)`', '`a\\\\|b`')
    """
    text = clean(text).strip() or "�"
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    body = f" {text} " if longest else text
    return f"{fence}{body.replace('|', chr(92) + '|') if in_table else body}{fence}"


def block(lines: Iterable[str], language: str = "") -> list[str]:
    """A fenced block; the fence is longer than any in it."""
    body = [clean(line.expandtabs()).rstrip() for text in lines for line in text.split("\n")]
    longest = max((len(run) for line in body for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *body, fence]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; cells are Markdown already, a bar in them escaped."""
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]


def render(report: Report) -> str:
    """The whole report: counts, what is not plainly proved with its counterexample, a table of all, versions."""
    counts = [f"{n} {word}" for word, n in report.counts.items() if n]
    lines = [f"# {prose(report.title)}", "", f"{len(report.entries)} decided: {', '.join(counts) or 'nothing'}."]
    told = [entry for entry in report.entries if entry.word != "proved"]
    for word, heading in (
        ("unexpected", "Unexpected"),
        ("refuted", "Refuted"),
        ("unknown", "Unknown"),
        ("finding", "Findings"),
    ):
        these = [entry for entry in told if entry.word == word]
        if these:
            lines += ["", f"## {heading}"]
        for entry in these:
            lines += ["", *entry_lines(entry)]
    lines += ["", "## All", "", *_all(report.entries)]
    if report.versions:
        versions = ", ".join(f"{prose(name)} {code(version)}" for name, version in report.versions.items())
        lines += ["", f"Decided with {versions}."]
    return "\n".join(lines) + "\n"


def entry_lines(entry: Entry, level: int = 3) -> list[str]:
    """One entry: statement, source, what was found, its counterexample."""
    lines = [f"{'#' * level} {code(entry.name)}", ""]
    lines += [prose(entry.statement), ""] if entry.statement else []
    facts = [("verdict", f"{entry.word}{f' ({prose(entry.scope)})' if entry.scope else ''}")]
    facts += [("source", prose(entry.source))] if entry.source else []
    facts += [("found in", code(f"{entry.file}:{entry.line}" if entry.line else entry.file))] if entry.file else []
    facts += [("evidence", prose("; ".join(map(evidence_text, entry.evidence))))] if entry.evidence else []
    facts += [("reason", prose(entry.reason))] if entry.reason else []
    if entry.finding:
        facts.append(("wrong", prose(entry.finding.get("what", ""))))
        facts.append(("repaired", code(entry.finding.get("repaired", ""))))
    facts += [("witness", code(values_text(entry.witness)))] if entry.witness else []
    lines += [f"- {name}: {value}" for name, value in facts]
    explained = explanation_of(entry)
    return [*lines, *explanation_lines(explained)] if explained else lines


def explanation_lines(explained: Explanation) -> list[str]:
    """A counterexample: inputs, step by step, the two values, the smallest change, code."""
    steps = [f"{name} = {value}" for name, value in explained.inputs]
    steps += [*([""] if steps else []), *explained.steps] if explained.steps else []
    lines = ["", *block(steps, "text")] if steps else []
    if explained.difference:
        lines += ["", f"Expected {code(explained.difference[0])}, got {code(explained.difference[1])}."]
    if explained.change:
        lines += ["", f"Smallest change found that makes it true: {prose(explained.change)}"]
    for name, text in explained.code:
        lines += ["", f"With {name}:", "", *block([text], "python")]
    return lines


def _all(entries: Iterable[Entry]) -> list[str]:
    def cell(entry: Entry) -> list[Any]:
        how = ", ".join(dict.fromkeys(str(e.get("kind", "")) for e in entry.evidence))
        return [entry.word, code(entry.name, True), prose(entry.scope), prose(how), prose(entry.source)]

    return table(["verdict", "name", "scope", "evidence", "source"], map(cell, entries))
