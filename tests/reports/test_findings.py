"""The findings page: judged answers, and that the committed page is what a run makes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from veritile.model.htuple import size
from veritile.model.notation import layout
from veritile.proofs.library import library
from veritile.proofs.runner import run_claims
from veritile.reports import findings
from veritile.reports.page import asset
from veritile.reports.run import report_of

from .samples import small

ROOT = Path(__file__).resolve().parents[2]


def test_every_finding_and_its_repair_are_on_the_committed_page() -> None:
    text = (ROOT / "reports" / "findings.md").read_text(encoding="utf-8")
    claims = list(library().values())
    for claim in findings.wanted(claims):
        assert f"`{claim.name}`" in text, f"{claim.name}: run `make report` and commit reports/findings.*"


def test_the_part_on_the_tools_is_what_the_answers_give() -> None:
    """The whole page is compared by the slow test below; this part needs no run."""
    empty = report_of({"claims": [], "summary": {}})
    made = findings.markdown(empty).split("## In the tools")[1]
    assert made in (ROOT / "reports" / "findings.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_committed_page_is_what_a_run_makes() -> None:
    run = run_claims(findings.wanted(list(library().values())), jobs=2, seconds=120.0)
    unknown = [(r.name, r.reason) for r in run.results if r.verdict.value == "unknown"]
    assert not unknown
    report = report_of(run.as_dict())
    for name, text in (("findings.md", findings.markdown(report)), ("findings.html", findings.html(report))):
        assert (ROOT / "reports" / name).read_text(encoding="utf-8") == text, f"run `make report` and commit {name}"


def test_the_page_does_not_depend_on_times_or_versions() -> None:
    told = small().as_dict()
    for entry in told["entries"]:
        entry["time_ms"] = 9999.0
    told["versions"] = {"veritile": "9", "z3": "0"}
    assert findings.markdown(report_of(told)) == findings.markdown(small())
    assert findings.html(report_of(told)) == findings.html(small())


def test_every_fault_of_a_kernel_is_shown_by_its_smallest_question_and_not_by_its_twin() -> None:
    told = json.loads(asset("kernels.json"))
    assert all(fault.shows for fault in findings.faults(told)) and told["faults"]
    told["faults"][0]["banks"]["layout"] = "S<3,3,3> o 0 o (8,64):(64,1)"
    assert not findings.faults(told)[0].shows


def test_what_the_programs_are_told_is_right_is_what_evaluation_gives() -> None:
    """By hand, from the definitions: S<B,M,S> adds bits M + S … to bits M …, without a carry."""
    moved = {c: (64 + c) ^ (((64 + c) >> 3) & 0b111000) for c in range(64)}
    relative = [moved[c] - moved[0] for c in range(64)]
    right, given = layout("(8,(2,2,2)):(1,(-8,16,32))"), layout("(8,8):(1,-8)")
    assert relative == [right(c) for c in range(64)] and relative != [given(c) for c in range(64)]
    assert [moved[c] for c in (0, 8, 16, 24)] == [72, 64, 88, 80]
    one_bit = {x: x ^ ((x >> 3) & 0b10000) for x in (96, 128)}
    assert one_bit == {96: 96, 128: 144}
    rows = layout("(6,2):(1,8)")
    assert [rows(k) for k in (0, 4, 8)] == [0, 4, 10] and size(rows.shape) == 12
    assert (32 << 27) % 2**32 == 0 and 9 * 16 % 32 != 0


def test_every_program_is_on_the_page_and_in_its_file() -> None:
    version, programs = findings.programs()
    page = (ROOT / "reports" / "findings.md").read_text(encoding="utf-8")
    assert f"CuTe DSL {version}" in page
    assert {one["name"] for one in programs} == {path.name for path in (ROOT / "bench" / "dsl").glob("*.py")}
    for one in programs:
        assert one["code"] in (ROOT / "bench" / "dsl" / one["name"]).read_text(encoding="utf-8")
        assert one["title"] in page


def test_right_answers_are_right() -> None:
    for operation, a, b, right in (
        ("composition", "(4,2,8):(3,12,97)", "3:3", "3:9"),
        ("complement", "(2,2):(1,6)", 24, "(3,2):(2,12)"),
        ("divide", "24:3", "8:3", "(8,3):(9,3)"),
    ):
        second = b if isinstance(b, int) else layout(b)
        assert findings.judge(operation, (layout(a), second), layout(right)) is None


def test_wrong_answers_are_wrong() -> None:
    assert "does not refine" in (findings.judge("composition", (layout("8:1"), layout("4:1")), layout("2:1")) or "")
    assert "meet" in (findings.judge("complement", (layout("4:1"), 8), layout("2:2")) or "")
    assert findings.judge("divide", (layout("24:3"), layout("8:3")), layout("(8,3):(3,24)")) == "at index 1 it differs"


def test_an_answer_that_cannot_be_read_is_wrong() -> None:
    asked = findings.questions(
        {
            "questions": [{"operation": "complement", "operands": ["(2,6):(3,2)", 24]}],
            "tools": [{"name": "x", "version": "1", "answers": [{"kind": "layout", "text": "(2,0,4):(1,12,6)"}]}],
        }
    )
    assert [(one.word, one.why) for one in asked[0].judged] == [("wrong", "a size must be positive, not 0")]


@pytest.mark.slow
@pytest.mark.parametrize("peer", ["pycute", "tensor_layouts", "cutlass"])
def test_the_answers_are_what_the_tools_say(peer: str, oracle_python: Callable[[str], str]) -> None:
    from ..oracles.peers import ask

    python = oracle_python(peer)
    name = {"pycute": "pycute", "tensor_layouts": "tensor-layouts", "cutlass": "CuTe DSL"}[peer]
    told = json.loads(asset("peers.json"))
    tool = next(tool for tool in told["tools"] if tool["name"] == name)
    questions = []
    for question in told["questions"]:
        operands = [one if isinstance(one, int) else layout(one) for one in question["operands"]]
        given = [one if isinstance(one, int) else [one.shape, one.stride] for one in operands]
        questions.append([question["operation"], *given])
    replies = ask(name, questions, python)
    if replies.version != tool["version"]:
        pytest.skip(f"{name} {replies.version} is installed, the page tells of {tool['version']}")
    for answer, known in zip(replies.answers, tool["answers"], strict=True):
        assert answer[0] == known["kind"]
