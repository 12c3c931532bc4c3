"""What a claim becomes: verdicts, vacuity, mutants that are not refuted, plain data."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from veritile.model.errors import Refuted, Undecided
from veritile.model.layout import Layout
from veritile.model.semimodule import F2, E
from veritile.proofs.claim import (
    Claim,
    Example,
    Finding,
    Mutant,
    Outcome,
    exists,
    for_all,
    plain,
    proved,
    refuted,
    table,
    unknown,
)
from veritile.proofs.paper.rows import denied, on, row_claim
from veritile.proofs.runner import Run, decide
from veritile.proofs.verdict import ALL, INSTANCE, Evidence, EvidenceKind, Scope, Verdict, bounded, rank_at_most

FAILS = Mutant("with 8 for 7", lambda: refuted({"got": 8}))
GOOD = Claim("a.good", "ours", "it holds", lambda: proved(), FAILS, lambda: "4:1")


def _undecided() -> Outcome:
    raise Undecided("too many points")


def test_a_claim_that_holds_with_a_mutant_that_does_not_is_proved() -> None:
    result = decide(GOOD)
    assert (result.verdict, result.as_expected, result.hypotheses) == (Verdict.PROVED, True, "4:1")
    assert result.mutant["witness"] == {"got": 8}
    assert Run((result,), 1.0).exit_code == 0


def test_a_finding_is_expected_to_be_refuted() -> None:
    claim = replace(GOOD, decide=lambda: refuted({"index": 3}), finding=Finding("a carry", "a.good"))
    result = decide(claim)
    assert (result.verdict, result.as_expected) == (Verdict.REFUTED, True)
    assert Run((result,), 1.0).exit_code == 0
    assert Run((result,), 1.0).summary["findings"] == 1


@pytest.mark.parametrize(
    ("change", "verdict", "code", "reason"),
    [
        ({"decide": lambda: refuted({"index": 3})}, Verdict.REFUTED, 1, None),
        ({"finding": Finding("a carry", "a.good")}, Verdict.PROVED, 1, None),
        ({"mutant": Mutant("with 7 for 7", lambda: proved())}, Verdict.UNKNOWN, 1, "its mutant was not refuted"),
        ({"mutant": Mutant("with x for 7", lambda: unknown("no"))}, Verdict.UNKNOWN, 3, "its mutant was not refuted"),
        ({"hypotheses": lambda: None}, Verdict.UNKNOWN, 3, "it is vacuous"),
        ({"decide": lambda: unknown("no")}, Verdict.UNKNOWN, 3, "no"),
        ({"decide": _undecided}, Verdict.UNKNOWN, 3, "too many points"),
        ({"decide": lambda: Outcome(Verdict.REFUTED)}, Verdict.UNKNOWN, 3, "without a witness"),
    ],
)
def test_what_is_not_as_expected(change: dict[str, object], verdict: Verdict, code: int, reason: str | None) -> None:
    result = decide(replace(GOOD, **change))  # type: ignore[arg-type]
    assert (result.verdict, result.as_expected) == (verdict, False)
    assert Run((result,), 1.0).exit_code == code
    assert reason is None or reason in (result.reason or "")


def test_a_witness_stands_whatever_becomes_of_the_mutant_and_the_hypotheses() -> None:
    claim = replace(
        GOOD, decide=lambda: refuted({"index": 3}), mutant=Mutant("with 7", proved), hypotheses=lambda: None
    )
    result = decide(claim)
    assert (result.verdict, result.witness, result.as_expected) == (Verdict.REFUTED, {"index": 3}, False)
    found = decide(replace(claim, finding=Finding("a carry", "a.good")))
    assert (found.verdict, found.as_expected) == (Verdict.UNKNOWN, False)


def test_an_example_stands_only_where_cases_were_evaluated() -> None:
    counted = Evidence(EvidenceKind.ENUMERATION, "points", cases=24)
    claim = replace(GOOD, hypotheses=lambda: Example("4:1"))
    assert decide(claim).verdict is Verdict.UNKNOWN
    assert (
        decide(replace(claim, decide=lambda: proved(counted))).hypotheses == "no hypotheses; 24 evaluated, such as 4:1"
    )


def test_a_row_breaks_each_check_in_turn() -> None:
    seven: Callable[[int], dict[str, int] | None] = lambda n: None if n == 7 else {"got": n}  # noqa: E731
    row = row_claim("a.row", "ours", "it holds", {"one": on(seven, 7, 8), "two": on(seven, lambda: 7, 9)}, "8 and 9 do")
    result = decide(row)
    assert (result.verdict, result.as_expected, len(result.rows)) == (Verdict.PROVED, True, 2)
    assert result.mutant["witness"] == {"row": "one", "got": 8, "others": {"two": {"got": 9}}}
    weak = decide(row_claim("a.row", "ours", "it holds", {"one": on(seven, 7, 8), "two": on(seven, 7, 7)}, "8 does"))
    assert weak.verdict is Verdict.UNKNOWN
    assert weak.mutant["reason"] == "two: what is broken there goes unnoticed"


def test_a_row_is_refuted_where_an_operation_refuses() -> None:
    def refuses() -> int:
        raise Refuted("there is none")

    row = row_claim("a.row", "ours", "it holds", {"one": on(lambda n: None, refuses, 8)}, "8 does")
    assert decide(row).witness == {"row": "one", "kind": "refused", "got": "there is none"}


def test_a_denial_is_proved_by_what_refutes() -> None:
    assert denied(refuted({"n": 3})) == proved(witness={"n": 3})
    assert denied(proved()).verdict is Verdict.REFUTED
    assert denied(unknown("no")).verdict is Verdict.UNKNOWN


def test_unexpected_weighs_more_than_unknown() -> None:
    results = [decide(replace(GOOD, decide=decision)) for decision in (_undecided, lambda: refuted({"index": 3}))]
    run = Run(tuple(results), 1.0)
    assert (run.exit_code, run.summary["unknown"], run.summary["unexpected"]) == (1, 1, 1)


def test_a_decision_without_a_case_is_no_proof() -> None:
    assert for_all([], lambda _: None).verdict is Verdict.UNKNOWN
    assert for_all([1], lambda _: None).verdict is Verdict.PROVED


def test_what_exists_is_proved_by_its_witness() -> None:
    assert exists(range(9), lambda n: {"n": n} if n == 4 else None).witness == {"n": 4}
    assert exists(range(3), lambda n: None).verdict is Verdict.REFUTED


def test_a_table_decides_every_row_after_a_bad_one_too() -> None:
    seen: list[str] = []

    def row(name: str, witness: dict[str, int] | None) -> Callable[[], dict[str, int] | None]:
        return lambda: seen.append(name) or witness  # type: ignore[func-returns-value]

    answer = table({"a": row("a", None), "b": row("b", {"got": 1}), "c": row("c", None)})
    assert seen == ["a", "b", "c"]
    assert [r.verdict.value for r in answer.rows] == ["proved", "refuted", "proved"]
    assert answer.witness == {"row": "b", "got": 1}


def test_results_are_plain_data() -> None:
    witness = {"layout": Layout((4, 8)), "offsets": (F2(3), 2 * E(1)), "coordinate": (1, (2, 3)), "none": None}
    claim = replace(GOOD, decide=lambda: refuted(witness, Evidence(EvidenceKind.SMT, solver="z3", version="4")))
    told = json.loads(json.dumps(decide(claim).as_dict()))
    assert told["witness"] == {
        "layout": "(4,8):(1,4)",
        "offsets": ["f3", "2e1"],
        "coordinate": [1, [2, 3]],
        "none": None,
    }
    assert told["evidence"] == [{"kind": "smt", "solver": "z3", "version": "4"}]
    assert {"name", "source", "statement", "verdict", "scope", "evidence", "witness", "time_ms"} <= told.keys()


def test_plain_keeps_what_json_has() -> None:
    assert plain((True, 1.5, "a", [None])) == [True, 1.5, "a", [None]]


@pytest.mark.parametrize(
    ("scope", "text"),
    [
        (ALL, "all"),
        (INSTANCE, "instance"),
        (rank_at_most(3), "rank<=3"),
        (rank_at_most(2, "sizes to 4"), "rank<=2: sizes to 4"),
        (bounded("sizes to 4"), "bounded: sizes to 4"),
    ],
)
def test_a_scope_prints_its_bound(scope: Scope, text: str) -> None:
    assert str(scope) == text


def test_every_word_has_a_line_of_meaning() -> None:
    assert all(word.meaning for word in [*Verdict, *EvidenceKind])
