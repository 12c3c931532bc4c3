"""The library as a whole: enough claims, each with what a claim needs, every doubt decided, every finding repaired."""

import re
from pathlib import Path

import pytest

from veritile.model.errors import InputError
from veritile.proofs.library import library, names, select
from veritile.proofs.verdict import Verdict

PAPER = [claim for claim in select() if "paper" in claim.source or "ours" in claim.source or "doubt" in claim.source]


def test_there_are_at_least_a_hundred_claims_on_the_paper() -> None:
    assert len(PAPER) >= 100


@pytest.mark.parametrize("doubt", range(1, 8))
def test_every_doubt_is_decided(doubt: int) -> None:
    assert [claim.name for claim in PAPER if doubt in claim.doubts]


def test_every_finding_names_a_claim_that_repairs_it() -> None:
    findings = [claim for claim in library().values() if claim.finding is not None]
    assert findings
    for claim in findings:
        assert claim.finding is not None
        repair = library()[claim.finding.repaired]
        assert repair.expected is Verdict.PROVED, claim.name


def test_names_are_dotted_and_statements_are_sentences_without_end() -> None:
    for claim in PAPER:
        assert re.fullmatch(r"[a-z0-9]+(\.[A-Za-z0-9:-]+)+", claim.name), claim.name
        assert not claim.statement.endswith("."), claim.name
        assert claim.statement != claim.mutant.statement, claim.name
        assert claim.source, claim.name


def test_select_keeps_the_order_of_the_library() -> None:
    chosen = [claim.name for claim in select(["divide.*", "complement.padded", "coalesce.unique"])]
    assert chosen == [name for name in names() if name in set(chosen)]
    assert chosen[:2] == ["coalesce.unique", "complement.padded"]


def test_a_pattern_that_names_nothing_is_bad_input() -> None:
    with pytest.raises(InputError, match="no claim is named coalsece"):
        select(["coalsece.*"])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("raise SystemExit(7)", "SystemExit: 7"),
        ("import os; os._exit(9)", "its process died (exit status 9)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt: "),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_file_that_exits_or_raises_is_bad_input(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "own.py"
    path.write_text(line)
    with pytest.raises(InputError) as caught:
        select([str(path)])
    assert caught.value.message == f"the claims of {path} cannot be read: {why}"


def test_what_a_file_prints_goes_to_stderr(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.py"
    path.write_text("import os\nprint('hello')\nos.system('echo there')\nCLAIMS = []")
    assert select([str(path)]) == []
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("hello") == err.count("there") == 2  # tried in a process of its own, then loaded
