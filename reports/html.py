"""A report as one HTML file: opens from disk, filters by word and text, light and dark, prints whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.coordinate import as_coordinate
from ..model.errors import InputError, Refuted, Undecided
from ..model.layout import Layout
from ..model.notation import parse, parse_shape, parse_tiler
from .claims import values_text
from .counterexample import Explanation, explanation_of
from .markup import Markup, element
from .mathml import formula
from .page import asset, page
from .run import Entry, Report, evidence_text
from .svg.composition import draw_composition
from .svg.layouts import draw_layout
from .svg.tiles import draw_complement, draw_divide
from .svg.timeline import draw_timeline
from .svg.tv import draw_tv

SIGNS = {"proved": "✓", "finding": "◆", "refuted": "✗", "unexpected": "‼", "unknown": "?"}
PICTURED = 1024  # cells of a picture in a report


def render(report: Report) -> str:
    """The page's text."""
    counts = {word: n for word, n in report.counts.items() if n}
    buttons = [
        element(
            "button",
            element("span", SIGNS[word], class_="sign", aria_hidden="true"),
            f" {n} {word}",
            type="button",
            class_=f"w {word}",
            data_word=word,
            aria_pressed="true",
        )
        for word, n in counts.items()
    ]
    head = element(
        "header",
        element("h1", report.title),
        element("p", f"{len(report.entries)} decided in {_took(report.time_ms)}" if report.time_ms else
                f"{len(report.entries)} decided"),
        element(
            "form",
            element("label", "Search ", element("input", type="search", id="q", autocomplete="off")),
            element("div", buttons, class_="words", role="group", aria_label="Show"),
            element("button", "Open all", type="button", id="open"),
            element("button", "Dark or light", type="button", id="theme"),
            element("output", "", id="shown", aria_live="polite"),
            id="filter",
            role="search",
        ),
    )  # fmt: skip
    sections: dict[str, list[Entry]] = {}
    order = {"unexpected": 0, "refuted": 1, "unknown": 2}
    for entry in sorted(report.entries, key=lambda e: order.get(e.word, 3)):
        heading = "To look at" if entry.word in order else entry.section
        sections.setdefault(heading, []).append(entry)
    parts = [_section(name, entries) for name, entries in sections.items()]
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    foot = element("footer", element("p", f"Decided with {versions}.")) if versions else None
    return page(report.title, [head, element("main", parts), foot], [asset("report.css")], [asset("report.js")])


def _took(time_ms: float) -> str:
    return f"{time_ms / 1000:.1f} s" if time_ms >= 1000 else f"{time_ms:.0f} ms"


def _section(name: str, entries: Sequence[Entry]) -> Markup:
    return element("section", element("h2", name), [_entry(entry) for entry in entries])


def _entry(entry: Entry) -> Markup:
    word = entry.word
    summary = element(
        "summary",
        element(
            "span", element("span", SIGNS[word], class_="sign", aria_hidden="true"), f" {word}", class_=f"word {word}"
        ),
        " ",
        element("code", entry.name),
        " ",
        element("span", entry.statement, class_="what"),
    )
    return element(
        "details",
        summary,
        element("div", entry_body(entry), class_="body"),
        data_word=word,
        open=word in ("unexpected", "refuted"),
    )


def entry_body(entry: Entry) -> list[Any]:
    """What is told of one entry: facts, the counterexample, its picture."""
    facts: list[tuple[str, Any]] = [("statement", entry.statement)] if entry.statement else []
    facts += [("source", entry.source)] if entry.source else []
    facts += (
        [("file", element("code", f"{entry.file}:{entry.line}" if entry.line else entry.file))] if entry.file else []
    )
    facts += [("scope", entry.scope)] if entry.scope else []
    facts += [("evidence", "; ".join(map(evidence_text, entry.evidence)))] if entry.evidence else []
    facts += [("reason", entry.reason)] if entry.reason else []
    facts += [("result", element("code", entry.result))] if entry.result else []
    if entry.finding:
        facts.append(("wrong", entry.finding.get("what", "")))
        facts.append(("repaired by", element("code", entry.finding.get("repaired", ""))))
    facts += [("witness", element("code", values_text(entry.witness)))] if entry.witness else []
    facts += [("not vacuous", entry.hypotheses)] if entry.hypotheses else []
    if entry.mutant.get("statement"):
        facts.append((f"mutant {entry.mutant.get('verdict', '')}", str(entry.mutant["statement"])))
    facts += [("took", f"{entry.time_ms / 1000:.2f} s")] if entry.time_ms >= 10 else []
    listed = element("dl", [(element("dt", name), element("dd", value)) for name, value in facts])
    rows = None
    if entry.rows:
        cells = [
            element(
                "tr",
                element("td", str(row.get("verdict", ""))),
                element("td", element("code", " ".join(str(row[k]) for k in ("subject", "name") if row.get(k)))),
                element("td", str(row.get("reason") or "") or _witness(row)),
            )
            for row in entry.rows
        ]
        head = element("tr", *(element("th", name, scope="col") for name in ("verdict", "row", "found")))
        rows = element(
            "table", element("caption", f"{len(entry.rows)} rows"), element("thead", head), element("tbody", cells)
        )
    explained = explanation_of(entry)
    return [listed, rows, explanation_body(explained) if explained else None, picture_of(entry)]


def _witness(row: dict[str, Any]) -> str:
    return values_text(row["witness"]) if isinstance(row.get("witness"), dict) else ""


def explanation_body(explained: Explanation) -> list[Any]:
    """A counterexample: formulas, inputs, steps, the two values, the smallest change, code."""
    parts: list[Any] = [element("h3", "Counterexample")]
    parts += [element("p", formula(f, True), class_="formula") for f in (explained.statement, explained.instance) if f]
    if explained.inputs:
        parts.append(
            element(
                "p", [(element("code", f"{name} = {value}"), " ") for name, value in explained.inputs], class_="inputs"
            )
        )
    if explained.steps:
        parts.append(element("ol", [element("li", element("code", step)) for step in explained.steps]))
    if explained.difference:
        expected, got = explained.difference
        parts.append(
            element(
                "p", "Expected ", element("strong", expected), ", got ", element("strong", got), ".", class_="differ"
            )
        )
    if explained.change:
        parts.append(element("p", "Smallest change found that makes it true: ", element("code", explained.change)))
    for name, text in explained.code:
        # a newline is a newline here: lines are told apart, each of them cleaned
        lines = [(Markup("\n") if k else None, line) for k, line in enumerate(text.split("\n"))]
        parts.append(
            element("details", element("summary", f"With {name}"), element("pre", lines, tabindex="0"), class_="code")
        )
    return parts


def picture_of(entry: Entry) -> Markup | None:
    """The picture that goes with a question or with the layouts of a witness; None where there is none."""
    if entry.word == "proved" and entry.kind == "claim":
        return None
    try:
        drawing = _drawn(entry)
    except (InputError, Refuted, Undecided, ValueError, KeyError, TypeError):
        return None
    if drawing is None:
        return None
    return element("figure", drawing.svg(standalone=False), element("figcaption", drawing.title))


def _drawn(entry: Entry) -> Any:
    from ..model.htuple import size

    witness = entry.witness or {}
    if entry.kind == "question":
        operation, operands = entry.name.split(" ")[0], entry.operands
        if operation == "compose":
            return _composition(parse(operands[0]), parse(operands[1]))
        if operation == "divide":
            return draw_divide(parse(operands[0]), parse_tiler(operands[1]))
        if operation == "complement":
            return draw_complement(parse(operands[0]), int(operands[1]))
        if operation == "banks":
            return None  # its picture needs the bits of an element: `veritile draw banks`
        if operation == "tv":
            return draw_tv(parse(operands[1]), parse_shape(operands[0]))
        witness = next(
            (w for w in (witness, *(row.get("witness") or {} for row in entry.rows)) if "steps" in w), witness
        )
        if isinstance(witness.get("steps"), list):
            return draw_timeline([str(step) for step in witness["steps"]], str(witness.get("fault") or "it goes wrong"))
        found: Any = parse(operands[0])
    elif isinstance(witness.get("A"), str) and isinstance(witness.get("B"), str):
        return _composition(parse(witness["A"]), parse(witness["B"]))
    else:
        names = [k for k in ("layout", "L", "tiler", "tv") if isinstance(witness.get(k), str)]
        if not names:
            return None
        found = parse(witness[names[0]])
    return draw_layout(found) if 1 < size(found.shape) <= PICTURED else None


def _composition(a: Any, b: Any) -> Any:
    from ..model.htuple import size

    if not isinstance(a, Layout) or not isinstance(b, Layout) or size(a.shape) + size(b.shape) > PICTURED:
        return None
    as_coordinate(b(0), a.shape)
    return draw_composition(a, b)
