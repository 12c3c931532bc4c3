"""Every rendering of a run: what it says, that it validates, that no text breaks out of it, and how large it is."""

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from veritile.model.errors import InputError
from veritile.reports import html, junit, markdown, sarif
from veritile.reports.markup import clean, element
from veritile.reports.page import asset
from veritile.reports.run import Report, report_of
from veritile.reports.sources import placed

from .browser import MODULES
from .samples import hostile, large, small

OFFICIAL = MODULES / "@microsoft" / "jest-sarif" / "lib" / "schemas" / "sarif-2.1.0-rtm.5.json"
# What consumers of SARIF rely on, by the standard's sections 3.13 to 3.30; the official schema is used where it is.
SUBSET: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message", "ruleId", "ruleIndex", "locations"],
                            "properties": {
                                "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"type": "object", "required": ["text"]},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                            },
                        },
                    }
                },
            },
        },
    },
}
NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]><!--",
    "</title></desc></style><svg onload=alert(1)>",
    "a\x1b[31mred\x07\x9b0m",
    "a\u202eevil\u2066",
    "=cmd|' /C calc'!A0",
    "@someone fixes #12 www.evil.example https://evil.example",
    "[x](javascript:alert(1)) ![](//evil) `code` | cell | $x$ <b>",
    "```\n# heading\n```",
    "javascript:alert(1)",
    "../../etc/passwd",
    "\ud800 half",
    "{0} {{1}} %s \\",
    "S:D (4,8):(1,5) \\frac{",
    "- list\n+ more\n1. one",
    "\x00",
]


class Reader(HTMLParser):
    """The elements and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.values: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values += [value or "" for name, value in attrs if name in ("href", "src", "action", "style")]


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


def test_words_and_counts() -> None:
    assert small().counts == {"proved": 2, "finding": 1, "refuted": 0, "unexpected": 1, "unknown": 1}


def test_a_verdict_that_is_not_one_is_unknown() -> None:
    assert report_of({"claims": [{"name": "a", "verdict": "PROVED"}]}).entries[0].word == "unknown"


@pytest.mark.parametrize("told", [[], {}, {"claims": 3}, {"entries": [], "format": 7}, {"claims": ["x"]}, None, "x"])
def test_what_is_no_run_is_refused_in_a_line(told: Any) -> None:
    with pytest.raises(InputError):
        report_of(told)


@pytest.mark.parametrize("report", [small(), large(20), hostile(NASTY[0])])
def test_json_has_its_schema_and_comes_back_the_same(report: Report) -> None:
    told = json.loads(json.dumps(report.as_dict()))
    jsonschema.validate(told, json.loads(asset("report.schema.json")))
    assert report_of(told).as_dict() == report.as_dict()


@pytest.mark.parametrize("report", [small(), large(20), *map(hostile, NASTY)])
def test_sarif_validates(report: Report) -> None:
    log = json.loads(json.dumps(sarif.render(report)))
    jsonschema.validate(log, SUBSET)
    if OFFICIAL.exists():
        schema = json.loads(OFFICIAL.read_text(encoding="utf-8"))
        jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    run = log["runs"][0]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_points_at_the_claim_and_never_calls_unknown_proved() -> None:
    known = report_of({"claims": [{"name": "composition.distribution.condition-two", "verdict": "unknown"}]})
    log = sarif.render(Report(tuple(placed(known.entries))))
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    path, line = place["artifactLocation"]["uri"], place["region"]["startLine"]
    source = (Path(__file__).parents[2] / path).read_text(encoding="utf-8").splitlines()
    assert "composition.distribution.condition-two" in "".join(source[line - 1 : line + 2])
    assert (result["kind"], result["level"]) == ("open", "none")


def test_junit_counts_what_it_holds() -> None:
    root = ET.fromstring(junit.render(small()))
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "1", "1")
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        assert int(suite.get("failures", "")) == sum(case.find("failure") is not None for case in cases)
        assert all(float(case.get("time", "")) >= 0 and case.get("classname") for case in cases)
    assert {case.tag for suite in root for case in suite} == {"testcase"}


def test_html_is_one_page_without_network() -> None:
    text = html.render(small())
    reader = read(text)
    assert not {"link", "img", "iframe", "object", "base", "a"} & set(reader.tags)
    assert not {"src", "href", "style"} & reader.attributes
    assert reader.tags.count("script") == 1
    assert "default-src &#39;none&#39;" in text
    assert "<math" in text and "<svg" in text
    assert not re.search(r"(?<!xmlns=\")https?://", text.replace("http://www.w3.org/2000/svg", ""))


def test_html_of_500_claims_is_under_3_mebibytes() -> None:
    assert len(html.render(large()).encode()) < 3 * 2**20


def test_markdown_tells_the_counterexample() -> None:
    text = markdown.render(small())
    assert "A(7) = 1⋅1 + 1⋅7 = 8" in text
    assert "Expected `8`, got `7`." in text
    assert "| proved | `a.proved` |" in text


def shape_of(text: str) -> tuple[list[str], set[str]]:
    reader = read(text)
    return reader.tags, reader.attributes


def check_nothing_breaks_out(text: str) -> None:
    report = hostile(text)
    plain = hostile("plain words")
    page = html.render(report)
    tags, attributes = shape_of(page)
    known, names = shape_of(html.render(plain))
    assert {"script": tags.count("script"), "style": tags.count("style")} == {"script": 1, "style": 1}
    assert set(tags) <= set(known) | {"svg", "title", "desc", "path", "text", "g", "figure", "figcaption", "ol", "li",
        "pre", "math", "mrow", "mi", "mo", "mn", "mtext", "msub", "msup", "h3", "strong", "table", "p"}  # fmt: skip
    assert not [name for name in attributes - names if name.startswith("on")]
    xml = junit.render(report)
    assert {node.tag for node in ET.fromstring(xml.encode("utf-8")).iter()} <= {
        "testsuites", "testsuite", "testcase", "failure", "error", "system-out"}  # fmt: skip
    for rendering in (page, xml, markdown.render(report)):
        bad = [ch for ch in rendering if not ch.isprintable() and ch != "\n"]
        assert not bad, f"{bad[0]!r} got through"
    log = json.dumps(sarif.render(report))
    for place in re.findall(r'"uri": "([^"]*)"', log):
        assert ":" not in place and not place.startswith("/")
    reader = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    tokens = reader.parse(markdown.render(report))
    inline = [child for token in tokens for child in token.children or ()]
    never = {
        "html_block",
        "html_inline",
        "link_open",
        "image",
        "em_open",
        "strong_open",
        "s_open",
        "hr",
        "blockquote_open",
    }
    assert not {token.type for token in [*tokens, *inline]} & never
    assert next(token.tag for token in tokens if token.type == "heading_open") == "h1"
    for token in inline:  # what a host of Markdown would link by itself stands in code only
        assert token.type != "text" or not re.search(r"@\w|://|www\.|#\d", token.content), token.content
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\$", markdown.prose(text).split("`")[0])) == 0


@pytest.mark.parametrize("text", NASTY)
def test_nothing_breaks_out(text: str) -> None:
    check_nothing_breaks_out(text)


@given(
    st.text(
        alphabet=st.one_of(st.characters(), st.sampled_from("<>&\"'`|[]()!$@#*_=+-\x1b\x9b\u202e\n{}\\")), max_size=40
    )
)
def test_nothing_breaks_out_of_any_rendering(text: str) -> None:
    check_nothing_breaks_out(text)


@given(st.text())
def test_markup_escapes_every_text(text: str) -> None:
    node = ET.fromstring(element("a", text, title=text))
    assert (node.text or "") == clean(text) == node.get("title")
