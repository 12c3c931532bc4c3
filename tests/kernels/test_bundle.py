"""Bundles: made here, checked by the gate and compiled where there are only NumPy and CuTe DSL."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from veritile import InputError
from veritile.kernels.bundle import bundle_of, entries_of, read_bundle
from veritile.kernels.validation import tasks_of
from veritile.kernels.worker import judge
from veritile.model.errors import Witness
from veritile.proofs.plan import Owed, Plan
from veritile.proofs.verdict import Verdict

from ..veritile.run import veritile
from .linked import ROOT, run

SOFTMAX = str(ROOT / "docs" / "plans" / "softmax.toml")
SCALE = str(ROOT / "docs" / "kernels" / "scale.py")


def test_entries_of_plans_rows_and_files() -> None:
    entries = entries_of([SOFTMAX, "copy/gather/f32", SCALE], ["sm_90a"])
    assert [(one.title.split("/")[0], one.architecture) for one in entries] == [
        ("softmax", "sm_80"),
        ("copy", "sm_90a"),
        *[("scale", "sm_90a")] * 3,
    ]


def test_a_row_is_left_out_where_its_architecture_has_too_little() -> None:
    entries = entries_of(["gemm_sm80/300x520x320-wide/*"])
    assert [one.architecture for one in entries] == ["sm_90a", "sm_100a"]


def test_a_bundle_is_read_back(tmp_path: Path) -> None:
    entries = entries_of(["copy/gather/f32"])
    path = tmp_path / "b.json"
    path.write_text(json.dumps(bundle_of(entries)), encoding="utf-8")
    assert read_bundle(str(path)) == entries
    tasks = tasks_of(bundle=str(path))
    assert [t["architecture"] for t in tasks] == ["sm_80", "sm_90a", "sm_100a"]
    assert [t["emulate"] for t in tasks] == [False, False, True]
    assert judge({**tasks[2], "compile": False})["reason"].endswith("emulated: agrees")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("[]", "its format is list"),
        ('{"format": "x"}', "its format is x"),
        ('{"format": "veritile-bundle/1", "entries": [1]}', "entry 0"),
        ('{"format": "veritile-bundle/1", "entries": [{"title": "a", "certificate": {}}]}', "no plan"),
    ],
)
def test_what_is_no_bundle_is_refused_in_a_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_bundle(str(path))


def test_a_forged_entry_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    data = bundle_of(entries_of(["copy/gather/f32"]))
    data["entries"][1]["certificate"]["plan"]["threads"] = 64
    path = tmp_path / "b.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    verdicts = [judge({**task, "compile": False, "emulate": True}) for task in tasks_of(bundle=str(path))]
    assert [v["verdict"] for v in verdicts] == ["proved", "refuted", "proved"]
    assert verdicts[1]["reason"] == "the plan was changed: its digest is another"


@pytest.mark.parametrize("verdict", [Verdict.UNKNOWN, Verdict.REFUTED])
def test_what_the_gate_finds_of_an_obligation_is_told_with_its_verdict(
    monkeypatch: pytest.MonkeyPatch, verdict: Verdict
) -> None:
    """An obligation that holds where the certificate was made, and does not where it is used."""
    task = tasks_of(["copy/gather/f32"])[0]
    certificate = entries_of(["copy/gather/f32"], [task["architecture"]])[0].certificate
    witness = Witness("outside", {"coordinate": 5, "offset": 5})
    owed = Plan.owed

    def changed(plan: Plan) -> list[Owed]:
        first, *others = owed(plan)
        broken = replace(first.obligation, verdict=verdict, reason="changed", witness=witness)
        return [replace(first, obligation=broken), *others]

    monkeypatch.setattr(Plan, "owed", changed)
    answer = judge({"title": task["title"], "architecture": task["architecture"], "certificate": certificate})
    assert (answer["verdict"], answer["witness"]) == (verdict.value, witness.as_dict())
    assert "changed" in answer["reason"]


def test_a_row_that_is_not_there_is_unknown() -> None:
    assert judge({"title": "nowhere/1D/f32", "architecture": "sm_80"})["verdict"] == "unknown"


def test_a_kernel_that_is_not_known_there_needs_its_file(tmp_path: Path) -> None:
    entry = entries_of([SCALE], ["sm_80"])[0]
    renamed = json.loads(json.dumps(entry.certificate).replace('"scale"', '"skale"'))
    assert judge({"title": "skale/129/i32", "architecture": "sm_80", "certificate": renamed})["verdict"] == "refuted"
    path = tmp_path / "b.json"
    path.write_text(json.dumps(bundle_of([entry])), encoding="utf-8")
    assert [task["file"] for task in tasks_of([SCALE], bundle=str(path))] == [SCALE]


def test_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    answer = veritile("bundle", "copy/gather/*", SOFTMAX, "--arch", "sm_90a", "-o", str(path))
    assert (answer.code, answer.out) == (0, f"{path}: 5 certificates\n")
    assert veritile("bundle", "nothing/*", "-o", str(path)).code == 2
    assert veritile("bundle", "copy/gather/f32", "--arch", "sm_70", "-o", str(path)).code == 2
    bad = tmp_path / "bad.toml"
    bad.write_text(Path(SOFTMAX).read_text().replace("((32,4),(4,8)):((16,1)", "((32,4),(4,8)):((8,1)"))
    answer = veritile("bundle", str(bad), "-o", str(path))
    assert answer.code == 1 and answer.out.startswith("refuted: map rows: ownership.once")


def test_a_plans_certificate_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    answer = veritile("certify", SOFTMAX, "-o", str(path))
    assert (answer.code, answer.out) == (0, f"{path}: plan softmax for sm_80 owes 32 obligations, all proved\n")
    assert veritile("certificate", "check", str(path)).code == 0
    path.write_text(path.read_text().replace("1000", "1001"))
    answer = veritile("certificate", "check", str(path))
    assert (answer.code, answer.out) == (1, "refused: the plan was changed: its digest is another\n")


def test_elsewhere_with_numpy_and_the_dsl_alone(tmp_path: Path, oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("cutlass")
    (tmp_path / "b.json").write_text(json.dumps(bundle_of(entries_of(["copy/gather/f32"], ["sm_90a"]))))
    answer = run(python, tmp_path, "-m", "veritile.kernels.validation", "--bundle", "b.json", "--json", "-")
    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    assert [(row["verdict"], row["arch"]) for row in report["rows"]] == [("proved", "sm_90a")]
    assert report["rows"][0]["reason"].endswith("compiled sm_90a: as proved")
