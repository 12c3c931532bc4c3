"""The findings page: what this suite found in the paper, in the tools and in kernels, made from a run and from answers.

The part on the paper is made from the claims that are expected to be refuted, those that decide a doubt, and those that
repair a statement. The part on the tools is made from ``pages/peers.json``, which ``python -m bench.findings`` writes;
each answer is judged here against the definition, by evaluating it. The part on kernels is made from
``pages/kernels.json``, which the same program writes from an audit; each has a smallest question that shows the fault,
and what that question answers is decided here.
The part on CuTe DSL in kernels is made from ``pages/dsl.json``. No time and no machine is told, so that the page
comes out the same wherever it is made.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..model.complement import complement
from ..model.composition import composition
from ..model.coordinate import as_coordinate
from ..model.divide import logical_divide
from ..model.errors import InputError, Refuted
from ..model.htuple import compatible, size, text_of
from ..model.layout import Layout
from ..model.notation import layout, parse
from ..model.product import logical_product
from ..model.properties import offsets, refute_injective, refute_onto
from ..model.swizzle import Swizzle
from ..model.version import VERSION
from ..proofs.claim import Claim
from ..proofs.contracts.banks import Access, decide_banks
from ..proofs.verdict import Verdict
from .counterexample import STATEMENTS, explain, explanation_of
from .html import SIGNS, entry_body, explanation_body
from .markdown import code, explanation_lines, prose, table
from .markup import Markup, element
from .page import asset, page
from .run import Entry, Report

TITLE = "What veritile found"
DOUBTS = {
    1: "Is 3:1 a complement of 8:3, as 24:3⊘8:3 needs? What is the bounded complement?",
    2: "When do complement, inverse and composition exist, and are the conditions [20] and [21] needed?",
    3: "Is distribution condition (2) enough?",
    4: "Is every function with f(0)=0 a composition of layouts?",
    5: "Rows of tables and a snippet that look wrong",
    6: "Is F₂ an integer-semimodule, and what become coalesce and longest runs there?",
    7: "Is composition associative under the image conditions alone, and does [28] make (L,L*) one-to-one?",
}
_OPERATIONS = {"composition": "compose", "complement": "complement", "divide": "divide", "logical_product": "product"}
_CALLS: dict[str, Callable[..., Any]] = {
    "composition": composition,
    "complement": complement,
    "divide": logical_divide,
    "logical_product": logical_product,
}


def wanted(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that the page is made from, in the order of the library."""
    repaired = {claim.finding.repaired for claim in claims if claim.finding}
    return [claim for claim in claims if claim.finding or claim.doubts or claim.name in repaired]


@dataclass(frozen=True)
class Judged:
    """A tool's answer: ``word`` is ``right``, ``wrong``, ``refused``, ``refused a result`` or ``died``."""

    tool: str
    version: str
    answer: str
    word: str
    why: str


@dataclass(frozen=True)
class Asked:
    """One question that was put to the tools, the right answer to it, and theirs."""

    operation: str
    operands: tuple[str, ...]
    right: str
    reason: str
    judged: tuple[Judged, ...]

    @property
    def text(self) -> str:
        """The question as one writes it."""
        a, b = self.operands
        return (
            f"{_OPERATIONS[self.operation]} {a} {b}"
            if self.operation != "complement"
            else f"complement {a} --bound {b}"
        )


def judge(operation: str, operands: Sequence[Any], answer: Layout) -> str | None:
    """What is wrong with a layout as an answer, by evaluating it against the definition; None where it is right.

    >>> judge("composition", (layout("(6,2):(1,7)"), layout("(3,2):(2,3)")), layout("(3,2):(2,3)"))
    'at index 5 it has 7, and A(B(5)) = 8'
    >>> judge("complement", (layout("(2,3):(1,3)"), 18), layout("2:9"))
    'nothing reaches 2'
    >>> judge("divide", (layout("24:1"), layout("(2,2):(1,3)")), layout("((2,2),4):((1,3),6)"))
    'it has 16 elements for 24, and no tile holds the offset 2'
    """
    a, b = operands
    if operation == "composition":
        if not compatible(b.shape, answer.shape):
            return f"its shape {text_of(answer.shape)} does not refine {text_of(b.shape)}"
        for i in range(size(b.shape)):
            right = a(as_coordinate(b(i), a.shape))
            if answer(i) != right:
                return f"at index {i} it has {answer(i)}, and A(B({i})) = {right}"
        return None
    if operation == "complement":
        both = Layout((a.shape, answer.shape), (a.stride, answer.stride))
        meets = refute_injective(both)
        if meets is not None:
            return f"{text_of(meets.values['coordinate'])} and {text_of(meets.values['other'])} of (L, L*) meet"
        hole = refute_onto(both, max(b, size(both.shape)))
        return None if hole is None else f"nothing reaches {hole.values['offset']}"
    if operation == "divide":
        missing = [offset for offset in offsets(a) if offset not in set(offsets(answer))]
        if missing:
            return (
                f"it has {size(answer.shape)} elements for {size(a.shape)}, and no tile holds the offset {missing[0]}"
            )
        right_one = logical_divide(a, b)
        return next(
            (f"at index {i} it differs" for i in range(size(right_one.shape)) if answer(i) != right_one(i)), None
        )
    right_one = logical_product(a, b)
    return next((f"at index {i} it differs" for i in range(size(right_one.shape)) if answer(i) != right_one(i)), None)


def questions(told: Any = None) -> list[Asked]:
    """The questions of ``pages/peers.json`` with every answer judged."""
    told = json.loads(asset("peers.json")) if told is None else told
    found = []
    for k, question in enumerate(told["questions"]):
        operation = question["operation"]
        operands = [one if isinstance(one, int) else layout(one) for one in question["operands"]]
        try:
            right, reason = str(_CALLS[operation](*operands)), ""
        except Refuted as refusal:
            right, reason = "none", refusal.reason
        judged = tuple(
            _judged(tool["name"], tool["version"], operation, operands, tool["answers"][k], right != "none")
            for tool in told["tools"]
        )
        found.append(Asked(operation, tuple(map(str, operands)), right, reason, judged))
    return found


def _judged(tool: str, version: str, operation: str, operands: Any, answer: Any, exists: bool) -> Judged:
    text = str(answer["text"])
    if answer["kind"] == "died":
        return Judged(tool, version, "–", "died", f"the process ended: {text}")
    if answer["kind"] == "refused":
        text = " ".join(text.split())[:60]
        return Judged(tool, version, "refused", "refused a result" if exists else "refused", text.rstrip(": "))
    try:
        wrong = judge(operation, operands, layout(text))
    except (InputError, Refuted) as error:
        wrong = str(error).split("\n")[0]
    if wrong is None and not exists:
        wrong = "there is none"
    return Judged(tool, version, text, "right" if wrong is None else "wrong", wrong or "")


# the page

_JUDGED = (
    "The same questions, with what the definitions give, and each answer evaluated: a composition R is right when "
    "R(c) = A(B(c)) everywhere and R refines B, a complement when (L, L*) reaches every offset once, a divide when no "
    "element is lost."
)


_AUDITED = (
    "What `veritile audit` finds in kernels of the package index, as `python -m bench.audit` audits them, each with "
    "the smallest question that shows it and what that question answers. `outside` is no wrong result: the reason says "
    "what it costs."
)

_RUN = (
    "What CuTe DSL makes of operations of kernels, as a trace or the PTX shows it. Each program runs as it stands, "
    "without a GPU; CuTe DSL takes every one of them without an error and without a warning."
)


@dataclass(frozen=True)
class _Parts:
    findings: tuple[tuple[Entry, Entry | None], ...]
    doubts: tuple[tuple[int, tuple[Entry, ...]], ...]
    asked: tuple[Asked, ...]
    faults: tuple[Fault, ...]


def _parts(report: Report, asked: Sequence[Asked] | None) -> _Parts:
    # without the solvers' versions and times, which differ from machine to machine
    entries = [
        replace(e, time_ms=0.0, mutant={}, evidence=_undated(e.evidence), file=None, line=None)
        for e in _relevant(report.entries)
    ]
    by_name = {e.name: e for e in entries}
    findings = tuple(
        (e, by_name.get(e.finding["repaired"])) for e in entries if e.finding is not None and e.word == "finding"
    )
    doubts = tuple((n, tuple(e for e in entries if n in e.doubts)) for n in DOUBTS)
    return _Parts(findings, doubts, tuple(questions() if asked is None else asked), tuple(faults()))


def _relevant(entries: Sequence[Entry]) -> list[Entry]:
    """Those of a whole run that the page is made from."""
    repaired = {e.finding["repaired"] for e in entries if e.finding is not None}
    return [e for e in entries if e.finding is not None or e.doubts or e.name in repaired]


def _undated(evidence: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    for one in evidence:
        told: dict[str, Any] = {name: one[name] for name in ("kind", "detail", "cases") if name in one}
        if told not in found:  # one for each solver
            found.append(told)
    return tuple(found)


@dataclass(frozen=True)
class Fault:
    """What the audit of a kernel found: where, which operation, why, and the smallest question that shows it.

    ``asked`` is that question as one writes it, ``answer`` what it is answered here; ``shows`` whether that refutes.
    """

    package: str
    target: str
    verdict: str
    place: str
    source: str
    operation: str
    operands: tuple[str, ...]
    reason: str
    advice: str
    asked: str
    answer: str
    shows: bool


def faults(told: Any = None) -> list[Fault]:
    """The faults of ``pages/kernels.json``, the question of each decided."""
    told = json.loads(asset("kernels.json")) if told is None else told
    return [_fault(one) for one in told["faults"]]


def _fault(one: Any) -> Fault:
    access = one["banks"]
    tile = parse(access["layout"])
    if isinstance(tile, Swizzle):
        raise InputError("a swizzle has no size of its own: compose it with a layout", access["layout"], 0)
    asked = Access(layout(access["access"]), tile, access["element_bits"], access["vector"])
    last = decide_banks(asked)[-1]
    words = ["banks", access["access"], access["layout"], "--element-bits", str(access["element_bits"])]
    return Fault(
        f"{one['package']} {one['version']}",
        one["target"],
        one["verdict"],
        one["place"],
        one["source"],
        one["operation"],
        tuple(one["operands"]),
        one["reason"],
        one["advice"],
        shlex.join([*words, "--vector", str(access["vector"])]),
        f"{last.verdict.value}: {last.reason}",
        last.verdict is Verdict.REFUTED,
    )


def programs() -> tuple[str, list[dict[str, str]]]:
    """The version of CuTe DSL, and the programs of ``pages/dsl.json``: title, code, what is printed, what is right."""
    told = json.loads(asset("dsl.json"))
    return told["version"], told["programs"]


def _program_facts(one: dict[str, str]) -> list[tuple[str, str, bool]]:
    """Name, value, and whether the value is code."""
    lines = [("it prints", " ".join(line.split()), True) for line in one["printed"].splitlines()]
    return [*lines, ("right", one["right"], False), ("program", f"bench/dsl/{one['name']}", True)]


def _fault_facts(fault: Fault) -> list[tuple[str, str, bool]]:
    """Name, value, and whether the value is code."""
    return [
        ("at", fault.place, True),
        ("source", fault.source, True),
        *(("operand", one, True) for one in fault.operands),
        (fault.verdict, fault.reason, False),
        ("instead", fault.advice, False),
        ("smallest question", f"veritile {fault.asked}", True),
        ("its answer", fault.answer, False),
    ]


def _tally(asked: Sequence[Asked]) -> list[tuple[str, str, dict[str, int]]]:
    tools = {(one.tool, one.version): None for question in asked for one in question.judged}
    words = ("wrong", "died", "refused a result", "refused", "right")
    return [
        (tool, version, {w: sum(j.tool == tool and j.word == w for q in asked for j in q.judged) for w in words})
        for tool, version in tools
    ]


def markdown(report: Report, asked: Sequence[Asked] | None = None) -> str:
    """The page as Markdown."""
    parts = _parts(report, asked)
    lines = [
        f"# {TITLE}",
        "",
        f"Made by `veritile report --findings`, version {VERSION}, from a run of {len(_relevant(report.entries))} "
        "claims and from the tools' own answers; nothing here is typed. A finding is a statement that the definitions "
        "refute; what repairs it is decided in the same run.",
        "",
        "## In the paper",
        "",
        f"C. Cecka, *CuTe Layout Representation and Algebra*: {len(parts.findings)} findings.",
    ]
    for k, (entry, repair) in enumerate(parts.findings, 1):
        wrong = (entry.finding or {}).get("what", "")
        lines += ["", f"### {k}. {prose(wrong)}", "", f"> {prose(entry.statement)}", ""]
        lines += [f"{prose(entry.source)}; refuted, {prose(entry.scope)}; claim {code(entry.name)}."]
        explained = explanation_of(entry)
        if explained:
            lines += explanation_lines(explained)
        elif entry.witness:
            lines += ["", f"Witness: {code(json.dumps(entry.witness, ensure_ascii=False))}"]
        lines += ["", *_repair_lines(repair)]
        lines += ["", f"Reproduce: {code(f'veritile prove {entry.name} --verbose')}"]
    lines += ["", "## What was in doubt", ""]
    for number, entries in parts.doubts:
        lines += [f"**{number}. {prose(DOUBTS[number])}**", ""]
        lines += table(["", "claim", "statement", "scope"], ([f"{SIGNS[e.word]} {e.word}", code(e.name, True),
                       prose(e.statement), prose(e.scope)] for e in entries))  # fmt: skip
        lines.append("")
    lines += [
        "## In the tools",
        "",
        "The same questions, with what the definitions give, and each answer evaluated:",
        "",
    ]
    lines += table(
        ["tool", "version", "wrong", "died", "refused though one exists", "refused, rightly", "right"],
        ([tool, version, *(str(n) for n in words.values())] for tool, version, words in _tally(parts.asked)),
    )
    for question in parts.asked:
        if all(one.word in ("right", "refused") for one in question.judged):
            continue
        lines += ["", f"### {code(question.text)}", ""]
        lines += [
            f"Right: {code(question.right)}."
            if not question.reason
            else f"Right: none, since {prose(question.reason)}."
        ]
        lines += ["", *table(["tool", "answer", "", "why"], ([f"{one.tool} {one.version}", code(one.answer, True),
                  one.word, prose(one.why)] for one in question.judged))]  # fmt: skip
        explained = explain(_OPERATIONS[question.operation], question.operands)
        if explained:
            lines += explanation_lines(explained)
        lines += ["", f"Reproduce: {code('veritile ' + _shell(question.text))}"]
    version, ran = programs()
    lines += ["", f"## In kernels of CuTe DSL {version}", "", _RUN]
    for one in ran:
        lines += ["", f"### {prose(one['title'])}", "", "```python", *one["code"].splitlines(), "```", ""]
        lines += [
            f"- {name}: {code(value) if is_code else prose(value)}" for name, value, is_code in _program_facts(one)
        ]
    lines += ["", "## In other people's kernels", "", _AUDITED]
    for fault in parts.faults:
        lines += ["", f"### {prose(fault.package)}: {code(fault.operation)} in {code(fault.target)}", ""]
        lines += [
            f"- {name}: {code(value) if is_code else prose(value)}" for name, value, is_code in _fault_facts(fault)
        ]
    return "\n".join(lines).rstrip() + "\n"


def _repair_lines(repair: Entry | None) -> list[str]:
    if repair is None:
        return ["No repaired statement was decided in this run."]
    how = ", ".join(
        dict.fromkeys(f"{e['kind']}" + (f" of {e['cases']} cases" if e.get("cases") else "") for e in repair.evidence)
    )
    return [f"Repaired, {repair.verdict} ({prose(repair.scope)}; {prose(how)}), claim {code(repair.name)}:", "",
            f"> {prose(repair.statement)}"]  # fmt: skip


def _shell(text: str) -> str:
    return shlex.join(text.split(" "))


def html(report: Report, asked: Sequence[Asked] | None = None) -> str:
    """The page as HTML."""
    parts = _parts(report, asked)
    intro = (
        f"Made by veritile {VERSION} from a run of {len(_relevant(report.entries))} claims and from the tools' own "
        "answers; nothing here is typed."
    )
    body: list[Any] = [element("header", element("h1", TITLE), element("p", intro))]
    body.append(
        element(
            "main",
            element("section", element("h2", "In the paper"), [_finding(*pair) for pair in parts.findings]),
            element("section", element("h2", "What was in doubt"), [_doubt(n, es) for n, es in parts.doubts]),
            element("section", element("h2", "In the tools"), element("p", _JUDGED), _tools(parts.asked)),
            element(
                "section",
                element("h2", f"In kernels of CuTe DSL {programs()[0]}"),
                element("p", _RUN),
                [_program(one) for one in programs()[1]],
            ),
            element(
                "section",
                element("h2", "In other people's kernels"),
                element("p", _AUDITED),
                [_shown(one) for one in parts.faults],
            ),
        )
    )
    return page(TITLE, body, [asset("report.css")], [])


def _finding(entry: Entry, repair: Entry | None) -> Markup:
    said = element("blockquote", entry.statement)
    mended = (
        [
            element("h3", f"Repaired: {repair.verdict}"),
            element("blockquote", repair.statement),
            *entry_body(replace(repair, statement="")),
        ]
        if repair
        else []
    )
    summary = element(
        "summary", element("strong", (entry.finding or {}).get("what", "")), " ", element("code", entry.name)
    )
    return element(
        "details",
        summary,
        element("div", said, entry_body(replace(entry, statement="")), mended, class_="body"),
        open=True,
    )


def _doubt(number: int, entries: Sequence[Entry]) -> Markup:
    rows = [
        element(
            "tr",
            element("td", f"{SIGNS[e.word]} {e.word}", class_=e.word),
            element("td", element("code", e.name)),
            element("td", e.statement),
            element("td", e.scope),
        )
        for e in entries
    ]
    head = element("tr", *(element("th", name, scope="col") for name in ("verdict", "claim", "statement", "scope")))
    return element(
        "div",
        element("h3", f"{number}. {DOUBTS[number]}"),
        element("table", element("thead", head), element("tbody", rows), tabindex="0"),
    )


def _program(one: dict[str, str]) -> Markup:
    facts = [
        [element("dt", name), element("dd", element("code", value) if is_code else value)]
        for name, value, is_code in _program_facts(one)
    ]
    shown = element("pre", one["code"], tabindex="0")
    return element(
        "details",
        element("summary", one["title"]),
        element("div", shown, element("dl", facts), class_="body"),
        open=True,
    )


def _shown(fault: Fault) -> Markup:
    facts = [
        [element("dt", name), element("dd", element("code", value) if is_code else value)]
        for name, value, is_code in _fault_facts(fault)
    ]
    title = [element("strong", fault.package), " ", element("code", fault.operation), f" in {fault.target}"]
    return element("details", element("summary", title), element("div", element("dl", facts), class_="body"), open=True)


def _tools(asked: Sequence[Asked]) -> list[Markup]:
    found = []
    for question in asked:
        rows = [
            element(
                "tr",
                element("td", f"{one.tool} {one.version}"),
                element("td", element("code", one.answer)),
                element("td", one.word, class_="refuted" if one.word in ("wrong", "died") else None),
                element("td", one.why),
            )
            for one in question.judged
        ]
        head = element("tr", *(element("th", name, scope="col") for name in ("tool", "answer", "verdict", "why")))
        explained = explain(_OPERATIONS[question.operation], question.operands)
        found.append(
            element(
                "details",
                element("summary", element("code", question.text)),
                element(
                    "div",
                    element(
                        "p",
                        "Right: ",
                        element("code", question.right),
                        f". {question.reason}" if question.reason else "",
                    ),
                    element("table", element("thead", head), element("tbody", rows), tabindex="0"),
                    explanation_body(explained) if explained else None,
                    class_="body",
                ),
                open=any(one.word in ("wrong", "died") for one in question.judged),
            )
        )
    return found


__all__ = [
    "DOUBTS",
    "STATEMENTS",
    "Asked",
    "Fault",
    "Judged",
    "faults",
    "html",
    "judge",
    "markdown",
    "programs",
    "questions",
    "wanted",
]
