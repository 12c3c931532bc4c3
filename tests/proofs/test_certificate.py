from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import veritile as vt
from veritile.model.errors import InputError, Refuted, Undecided
from veritile.proofs.certificate import KINDS, CertificateRefused, certify, check_certificate, sealed

from ..veritile.run import veritile

GOOD = [
    ("compose", "(4,6,8,10):(2,3,5,7)", "6:12"),
    ("compose", "(8,8):(f1,f9)", "((4,8),2):((16,1),8)"),
    ("compose", "(8,8):(e0,e1)", "((4,8),2):((16,1),8)"),
    ("compose", "((4,2),8):((1,32),4)", "(4,8):(e0,e1)"),
    ("compose", "(6,4):(1,6)", "(3,2):(2,6)"),
    ("complement", "(2,2):(1,6)", "24"),
    ("complement", "4:2", "9"),
    ("right-inverse", "(4,8):(8,1)"),
    ("right-inverse", "(2,3):(1,1)"),
    ("left-inverse", "(4,8):(1,5)"),
    ("left-inverse", "(2,2):(2,3)"),
    ("left-inverse", "((2,2),(2,4)):((0,2),(0,4))"),
    ("coalesce", "(2,(1,6)):(1,(6,2))"),
    ("equal", "(4,8):(1,4)", "32:1"),
    ("injective", "(1073741824,1073741824):(1073741824,1)"),
    ("injective", "(6,6):(16,3)"),
    ("onto", "(4,8):(8,1)", "32"),
    ("onto", "(4,2):(1,-1)", "4"),
    ("within", "(4,8):(1,5)", "39"),
    ("bijective", "(4,8):(8,1)", "32"),
    ("contiguous", "(4,8):(1,5)", "4"),
]
BAD = [  # the off-by-one twins
    ("compose", "(6,2):(1,7)", "(3,2):(2,3)"),
    ("complement", "(2,3):(1,3)", "18"),
    ("left-inverse", "(3,3):(2,3)"),
    ("equal", "(4,8):(1,4)", "(4,8):(1,5)"),
    ("injective", "(4,3):(1,2)"),
    ("onto", "(4,8):(8,1)", "33"),
    ("within", "(4,8):(1,5)", "38"),
    ("bijective", "(4,8):(1,5)", "32"),
    ("contiguous", "(4,8):(1,5)", "5"),
]


@pytest.mark.parametrize("claim", GOOD, ids=" ".join)
def test_a_true_claim_is_certified_and_checked(claim: tuple[str, ...]) -> None:
    made = json.loads(json.dumps(certify(claim[0], list(claim[1:]))))
    assert check_certificate(made, list(claim[1:]))["operation"] == claim[0]


@pytest.mark.parametrize("claim", BAD, ids=" ".join)
def test_a_false_claim_is_not(claim: tuple[str, ...]) -> None:
    with pytest.raises((Refuted, CertificateRefused)):
        certify(claim[0], list(claim[1:]))


def test_every_kind_is_tried() -> None:
    assert {claim[0] for claim in GOOD} == set(KINDS)


def test_what_a_certificate_says_holds_by_plain_evaluation() -> None:
    a, b, r = (vt.layout(s) for s in ("(6,4):(1,6)", "(3,2):(2,6)", certify(*_split(GOOD[4]))["claim"]["result"]))
    assert all(r(c) == a(b(c)) for c in b.domain)


def _split(claim: tuple[str, ...]) -> tuple[str, list[str]]:
    return claim[0], list(claim[1:])


@pytest.mark.parametrize("claim", [GOOD[0], GOOD[5], GOOD[19]], ids=" ".join)
def test_any_changed_byte_is_refused(claim: tuple[str, ...]) -> None:
    text = json.dumps(certify(*_split(claim)))
    for place, character in enumerate(text):
        changed = text[:place] + ("x" if character != "x" else "y") + text[place + 1 :]
        with pytest.raises((CertificateRefused, InputError, ValueError)):
            check_certificate(json.loads(changed), list(claim[1:]))


def test_another_version_is_told() -> None:
    made = certify("bijective", ["(4,8):(8,1)", "32"])
    made["version"] = "0.0.9"
    with pytest.raises(CertificateRefused, match=r"made by veritile 0\.0\.9"):
        check_certificate(_resealed(made))


def _resealed(made: dict[str, Any]) -> dict[str, Any]:
    return sealed({name: part for name, part in made.items() if name != "digests"})


def test_a_forger_who_recomputes_the_digests_is_refused() -> None:
    made = certify("compose", ["(4,6,8,10):(2,3,5,7)", "6:12"])
    for change in ("(2,3):(9,6)", "6:9", "(3,2):(9,14)"):
        forged = copy.deepcopy(made)
        forged["claim"]["result"] = change
        with pytest.raises(CertificateRefused):
            check_certificate(_resealed(forged))
    forged = copy.deepcopy(made)
    forged["claim"]["operands"] = ["(6,2):(1,7)", "(3,2):(2,3)"]
    forged["claim"]["result"] = "(3,2):(2,3)"
    with pytest.raises(CertificateRefused):
        check_certificate(_resealed(forged))
    forged = copy.deepcopy(made)
    forged["evidence"][0]["hypotheses"] = []
    with pytest.raises(CertificateRefused, match="not those of these layouts"):
        check_certificate(_resealed(forged))
    forged = copy.deepcopy(made)
    forged["evidence"] = []
    with pytest.raises(CertificateRefused, match="complete"):
        check_certificate(_resealed(forged))


def test_a_theorem_stated_otherwise_since_is_told() -> None:
    made = certify("bijective", ["(4,8):(8,1)", "32"])
    made["evidence"][0]["digest"] = "0" * 64
    with pytest.raises(CertificateRefused, match=r"properties\.dense is stated otherwise"):
        check_certificate(_resealed(made))


def test_for_other_layouts_it_is_refused() -> None:
    made = certify("bijective", ["(4,8):(8,1)", "32"])
    with pytest.raises(CertificateRefused, match="not for"):
        check_certificate(made, ["(4,8):(1,4)", "32"])


@pytest.mark.parametrize("bad", [None, [], 3, {}, {"format": "veritile-certificate/0"}, {"format": 1}])
def test_what_is_no_certificate_is_refused(bad: Any) -> None:
    with pytest.raises(CertificateRefused):
        check_certificate(bad)


def test_random_compositions_are_certified_exactly_when_they_exist() -> None:
    rng = Random(7)
    for _ in range(400):
        a, b = (
            vt.Layout(
                tuple(rng.choice([1, 2, 3, 4, 6]) for _ in range(rank)),
                tuple(rng.choice([0, 1, 2, 3, 4, 6, 12]) for _ in range(rank)),
            )
            for rank in (rng.randint(1, 3), rng.randint(1, 2))
        )
        try:
            expected = str(vt.composition(a, b))
        except Refuted:
            with pytest.raises(Refuted):
                certify("compose", [str(a), str(b)])
            continue
        made = certify("compose", [str(a), str(b)])
        assert made["claim"]["result"] == expected
        check_certificate(made)


def test_checking_needs_no_solver(tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    file.write_text(json.dumps(certify("compose", ["(4,6,8,10):(2,3,5,7)", "6:12"])))
    program = (
        "import json, sys\n"
        "for name in ('z3', 'cvc5', 'sympy', 'numpy'):\n"
        "    sys.modules[name] = None\n"
        "from veritile.proofs.certificate import check_certificate\n"
        f"print(check_certificate(json.load(open({str(file)!r})))['result'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "(2,3):(9,5)\n"), done.stderr


def test_the_command_line(tmp_path: Path) -> None:
    file = str(tmp_path / "made.json")
    said = veritile("certify", "compose", "(4,6,8,10):(2,3,5,7)", "6:12", "-o", file)
    assert said.code == 0 and "(2,3):(9,5)" in said.out
    assert veritile("certificate", "check", file).code == 0
    assert veritile("certificate", "check", file, "(4,6,8,10):(2,3,5,7)", "6:12", "--json").json["verdict"] == "proved"
    assert veritile("certificate", "check", file, "(4,6,8,10):(2,3,5,7)", "6:13").code == 1
    Path(file).write_text(Path(file).read_text().replace("9,5", "9,6"))
    said = veritile("certificate", "check", file)
    assert said.code == 1 and said.lines == ["refused: the claim was changed: its digest is another"]
    Path(file).write_text("{")
    said = veritile("certificate", "check", file)
    assert said.code == 2 and "is no JSON" in said.err
    assert veritile("certificate", "check", str(tmp_path / "none")).code == 2
    assert veritile("certify", "compose", "(6,2):(1,7)", "(3,2):(2,3)").code == 1
    assert veritile("certify", "compose", "(6,0):(1,7)", "6").code == 2
    assert veritile("certify", "nothing", "6").code == 2


def test_a_large_claim_that_no_theorem_covers_is_not_certified() -> None:
    with pytest.raises((CertificateRefused, Undecided)):
        certify("injective", ["(70000,3):(2,3)"])
