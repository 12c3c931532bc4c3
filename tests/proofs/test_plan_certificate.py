"""Certificates of plans with names: checked by integer arithmetic alone, and refused whatever is changed in them."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from veritile.proofs.certificate import CertificateRefused, sealed
from veritile.proofs.plan import parse_plan, plan_of, read_plan
from veritile.proofs.plan_certificate import PlanRefused, certify_plan, check_plan_certificate
from veritile.proofs.verdict import Verdict

from ..veritile.run import veritile

SOFTMAX = Path(__file__).parents[2] / "docs" / "plans" / "softmax_named.toml"
TWO = """
name = "rows"
arch = "sm_80"
where = "N % 4 == 0, N <= 65536, M <= 65536"
[[guard]]
name = "columns"
extents = ["M", "N"]
tiles = [4, 64]
vector = 4
axis = 1
"""


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(certify_plan(read_plan(SOFTMAX))))
    return made


def resealed(changed: dict[str, Any]) -> dict[str, Any]:
    """A forger's work: every digest computed anew."""
    return sealed({part: value for part, value in changed.items() if part != "digests"})


def test_it_holds_and_says_for_which_values(certificate: dict[str, Any]) -> None:
    assert check_plan_certificate(certificate).scope == "every N with N % 4 == 0 and N <= 65536"
    told = [one["reason"] for one in certificate["obligations"] if one["part"] == "guard columns"]
    assert told and all(reason == "holds for every N with N % 4 == 0 and N <= 65536" for reason in told)


def test_checking_needs_no_solver(certificate: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    file.write_text(json.dumps(certificate))
    program = (
        "import json, sys\n"
        "for name in ('z3', 'cvc5'):\n"
        "    sys.modules[name] = None\n"
        "from veritile.proofs.plan_certificate import check_plan_certificate\n"
        f"print(check_plan_certificate(json.load(open({str(file)!r}))).name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "softmax_named\n"), done.stderr


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("N <= 65536", "refuted: fails at N = 1"),  # vectors of 4 cross the end of a row
        ("N % 2 == 0 and N <= 65536", "refuted: fails at N = 2"),
        ("N % 4 == 0 and N <= 1048576", "refuted"),  # 4096 rows of them do not fit 32 bits
        ("N % 4 == 0 and N <= 65540", "not told as it is found"),
        ("N % 8 == 0 and N <= 65536", "not told as it is found"),
    ],
)
def test_wider_hypotheses_with_every_digest_anew_are_decided_again(
    certificate: dict[str, Any], where: str, reason: str
) -> None:
    forged = deepcopy(certificate)
    forged["plan"]["where"] = where
    forged["digest"] = plan_of(forged["plan"]).digest
    with pytest.raises(CertificateRefused, match=reason):
        check_plan_certificate(resealed(forged))


@pytest.mark.parametrize("key", ["verdict", "reason", "evidence", "name", "part"])
def test_an_obligation_told_otherwise_is_refused(certificate: dict[str, Any], key: str) -> None:
    for number in (1, len(certificate["obligations"]) // 2, -1):
        forged = deepcopy(certificate)
        value = forged["obligations"][number][key]
        forged["obligations"][number][key] = [*value, "more"] if isinstance(value, list) else value + "x"
        with pytest.raises(CertificateRefused, match="not told as it is found"):
            check_plan_certificate(resealed(forged))


def test_an_obligation_left_out_or_added_is_refused(certificate: dict[str, Any]) -> None:
    for change in (lambda told: told[:-1], lambda told: [*told, told[-1]], lambda told: told[1:]):
        forged = {**certificate, "obligations": change(certificate["obligations"])}
        with pytest.raises(CertificateRefused):
            check_plan_certificate(resealed(forged))


def test_any_changed_byte_is_refused(certificate: dict[str, Any]) -> None:
    text = json.dumps(certificate)
    for at in range(0, len(text), 61):
        changed = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
        try:
            data = json.loads(changed)
        except ValueError:
            continue
        if data != certificate:
            with pytest.raises(CertificateRefused):
                check_plan_certificate(data)


def test_what_takes_a_solver_gets_no_certificate(tmp_path: Path) -> None:
    """Two names of many values are decided by z3: proved, and yet nobody could check it without one."""
    plan = parse_plan(TWO)
    assert plan.verdict() is Verdict.PROVED
    with pytest.raises(PlanRefused, match="several names take a solver") as refusal:
        certify_plan(plan)
    assert refusal.value.verdict is Verdict.UNKNOWN
    twin = parse_plan(TWO.replace('"M"', "4096").replace(", M <= 65536", ""))
    assert check_plan_certificate(certify_plan(twin)).names == {"N"}
    file = tmp_path / "two.toml"
    file.write_text(TWO)
    said = veritile("certify", str(file))
    assert said.code == 3 and said.lines[0].startswith("unknown: guard columns: ")


def test_the_command_line(certificate: dict[str, Any], tmp_path: Path) -> None:
    file = str(tmp_path / "made.json")
    said = veritile("certify", str(SOFTMAX), "-o", file)
    assert said.code == 0 and json.loads(Path(file).read_text()) == certificate
    assert veritile("certificate", "check", file).code == 0
    Path(file).write_text(Path(file).read_text().replace("N % 4 == 0 and N <= 65536", "N % 2 == 0 and N <= 65536"))
    said = veritile("certificate", "check", file)
    assert said.code == 1 and said.lines == ["refused: the plan was changed: its digest is another"]


CONFLICTS = """
name = "x"
arch = "sm_90a"
where = "N <= 60, N % 2 == 1"
[[buffer]]
name = "b"
element = "f16"
layout = "S<3,3,3> o 0 o (8,64*N):(64*N,1)"
[[access]]
name = "r"
buffer = "b"
layout = "(32,1):(1,0)"
"""


def test_no_clock_has_a_say_in_a_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bank conflicts of 30 values, each asked: with no time at all a check is unknown, and the certificate stands."""
    plan = parse_plan(CONFLICTS)
    certificate = certify_plan(plan)
    monkeypatch.setattr("veritile.proofs.plan.SECONDS", 0.0)
    assert plan.verdict() is Verdict.UNKNOWN
    assert check_plan_certificate(certificate) == plan
    assert certify_plan(plan) == certificate


def test_counts_bound_what_a_certificate_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = CONFLICTS.replace("N <= 60", "N <= 200")
    monkeypatch.setattr("veritile.proofs.names.obligations.POINTS", 99)
    with pytest.raises(PlanRefused) as refused:
        certify_plan(parse_plan(wide))
    assert refused.value.verdict is Verdict.UNKNOWN
