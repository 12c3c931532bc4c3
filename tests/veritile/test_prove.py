"""`veritile prove`: a line a claim, findings as findings, the summary last, the exit code of the run."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from veritile.proofs import library, runner
from veritile.proofs.claim import Claim
from veritile.proofs.runner import ClaimResult, Run, decide
from veritile.reports.claims import claim_lines

from . import own_claims
from .run import veritile

OWN = str(Path(own_claims.__file__))


@pytest.fixture
def claims(monkeypatch: pytest.MonkeyPatch) -> list[Claim]:
    """The library, of claims that a test puts in; decided in this process."""
    held: list[Claim] = []

    def here(wanted: Iterable[Claim], *, on_result: Callable[[ClaimResult], None] | None = None, **limits: Any) -> Run:
        assert limits.keys() == {"jobs", "seconds"}
        results = []
        for claim in wanted:
            results.append(decide(claim))
            if on_result is not None:
                on_result(results[-1])
        return Run(tuple(results), 1500.0)

    monkeypatch.setattr(runner, "run_claims", here)
    monkeypatch.setattr(library, "library", lambda: {claim.name: claim for claim in held})
    return held


def test_a_finding_is_expected_and_told_with_its_repair(claims: list[Claim]) -> None:
    claims += [own_claims.GOOD, own_claims.FOUND]
    said = veritile("prove")
    assert (said.code, said.err) == (0, "")
    assert [" ".join(line.split()) for line in said.lines] == [
        "proved own.good enumeration; instance; ours",
        "finding own.found enumeration; instance; paper §9",
        "claim: it fails",
        "witness: coordinate (2,1), expected 8, got 7",
        "finding: a carry",
        "repaired: own.good",
        "",
        "2 claims: 1 proved, 1 finding, 2 of 2 mutants refuted; 1.5 s",
    ]


@pytest.mark.parametrize(
    ("held", "code", "word"),
    [
        ([own_claims.BAD], 1, "UNEXPECTED"),
        ([own_claims.OPEN], 3, "unknown"),
        ([own_claims.WEAK], 1, "UNEXPECTED"),
        ([own_claims.OPEN, own_claims.BAD], 1, "unknown"),
        ([own_claims.GOOD], 0, "proved"),
    ],
)
def test_the_exit_code_is_that_of_the_run(claims: list[Claim], held: list[Claim], code: int, word: str) -> None:
    claims += held
    said = veritile("prove")
    assert said.code == code
    assert said.lines[0].split()[:2] == [word, held[0].name]
    assert all(line.isprintable() for line in said.lines)
    assert veritile("prove", "--json").code == code


def test_claims_are_selected_by_name_and_pattern(claims: list[Claim]) -> None:
    claims += [own_claims.GOOD, own_claims.FOUND, own_claims.OPEN]
    assert len(veritile("prove", "own.f*", "own.good", "--json").json["claims"]) == 2
    said = veritile("prove", "own.good", "compozition.*")
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines()[1:] == ["  compozition.*", "  ^"]


def test_the_list_decides_nothing(claims: list[Claim]) -> None:
    claims += [own_claims.GOOD, own_claims.BAD]
    said = veritile("prove", "--list")
    assert (said.code, said.lines) == (0, ["own.good  ours: it holds", "own.bad   ours: it fails?[31m"])
    told = veritile("prove", "--list", "--json").json
    assert [c["name"] for c in told["claims"]] == ["own.good", "own.bad"]


def test_json_is_that_of_the_run(claims: list[Claim]) -> None:
    claims += [own_claims.GOOD, own_claims.FOUND]
    told = veritile("prove", "--json").json
    assert list(told) == ["claims", "summary"]
    fields = {"name", "source", "statement", "verdict", "scope", "evidence", "witness", "time_ms"}
    assert all(fields <= claim.keys() for claim in told["claims"])
    assert [claim["verdict"] for claim in told["claims"]] == ["proved", "refuted"]
    assert told["summary"]["findings"] == 1


def test_verbose_tells_what_a_claim_rests_on() -> None:
    lines = [line.strip() for line in claim_lines(decide(own_claims.GOOD), verbose=True)]
    assert lines[1:] == [
        "claim: it holds",
        "evidence: enumeration (24 points)",
        "not vacuous: 4:1",
        "mutant refuted: with 8 for 7",
    ]


def test_a_file_of_claims_is_decided_in_processes_of_its_own() -> None:
    said = veritile("prove", OWN, "--jobs", "1")
    assert (said.code, said.err) == (0, "")
    assert sorted(line.split()[1] for line in said.lines if line.startswith(("proved", "finding"))) == [
        "own.found",
        "own.good",
    ]


def test_a_file_that_prints_or_has_no_claims_ends_alike_with_and_without_json(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("print('hello')\nCLAIMS = []")
    assert [veritile("prove", str(path), *more).code for more in ((), ("--json",))] == [3, 3]
    assert veritile("prove", str(path), "--json").json["claims"] == []


def test_a_file_that_is_none_is_bad_input() -> None:
    said = veritile("prove", "no_such_file.py")
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines()[0] == "veritile: there is no file no_such_file.py"


def test_a_theorem_is_told_with_its_solvers_and_rules() -> None:
    said = veritile("prove", "theorem.euclid.small", "--solver", "z3")
    assert said.code == 0
    assert "all; ours" in said.out and "z3" in said.out and "rules" in said.out


def test_a_proof_is_explained() -> None:
    said = veritile("prove", "--explain", "carry.law")
    assert said.code == 0 and said.out.startswith("carry.law: A(x+y) = A(x) + A(y)") and "Proof." in said.out
    assert veritile("prove", "--explain", "theorem.carry.law").out == said.out
    assert veritile("prove", "--explain", "carry.lore").code == 2


def test_obligations_are_exported(tmp_path: Path) -> None:
    said = veritile("prove", "theorem.euclid.small", "--export", str(tmp_path))
    files = sorted(tmp_path.glob("*.smt2"))
    assert said.code == 0 and files and "(check-sat)" in files[0].read_text(encoding="utf-8")
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert veritile("prove", "theorem.euclid.small", "--export", str(blocked)).code == 2
