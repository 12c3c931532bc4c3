"""``veritile check PLAN.toml``: exit codes, the run that goes wrong, errors with file, line and key."""

from __future__ import annotations

from pathlib import Path

from .run import veritile

ROOT = Path(__file__).resolve().parents[2]
SOFTMAX = str(ROOT / "docs" / "plans" / "softmax.toml")
RING = """name = "ring"
arch = "sm_90a"

[[ring]]
name = "main"
stages = 2
full_count = 1
empty_count = 128

[[ring.producer]]
name = "load"

[[ring.consumer]]
name = "warps"
arrivals = 4
"""


def test_a_plan_that_holds() -> None:
    said = veritile("check", SOFTMAX)
    assert said.code == 0 and said.lines[0].startswith("proved (instance; ")
    assert "  proved   copy load                  8 obligations" in said.lines
    found = veritile("check", SOFTMAX, "--json").json
    assert found["verdict"] == "proved" and found["details"]["plan"] == "softmax"
    assert {o["verdict"] for o in found["details"]["obligations"]} == {"proved"}
    assert len(found["details"]["digest"]) == 64


def test_a_ring_that_counts_threads(tmp_path: Path) -> None:
    plan = tmp_path / "ring.toml"
    plan.write_text(RING)
    said = veritile("check", str(plan))
    assert said.code == 1
    assert said.lines[0].startswith(
        "refuted: ring main: pipelines.empty-count: the count is 128, the arrivals are 4 of"
    )
    assert any("load waits on empty[0] for parity 0, and nothing can happen any more" in line for line in said.lines)
    assert any(line.strip() == "1 load: waits on empty[0] for parity 1" for line in said.lines)
    found = veritile("check", str(plan), "--json").json
    assert found["verdict"] == "refuted" and found["witness"] == {"kind": "count", "expected": 4, "got": 128}
    run = next(o for o in found["details"]["obligations"] if o["name"] == "pipelines.ring")
    assert run["witness"]["fault"] == "deadlock" and run["subject"] == "ring main"
    plan.write_text(RING.replace("128", "4"))
    assert veritile("check", str(plan)).code == 0


def test_bad_plans(tmp_path: Path) -> None:
    plan = tmp_path / "bad.toml"
    plan.write_text(RING.replace("stages = 2", "stagse = 2"))
    said = veritile("check", str(plan))
    assert (said.code, said.out) == (2, "")
    assert said.err == f"veritile: {plan}:6: ring[0].stagse: there is no key of this name; is stages meant?\n"
    plan.write_text('name = "x"\narch = "sm_90a"\n[[map]]\nname = "m"\nlayout = "(4,8:1"\ntile = [4]\n')
    said = veritile("check", str(plan))
    assert said.code == 2 and said.err.splitlines()[0].startswith(f"veritile: {plan}:5: map[0].layout: ")
    assert said.err.splitlines()[2].strip() == "^"
    assert veritile("check", str(tmp_path / "none.toml")).code == 2
    assert veritile("check", SOFTMAX, "injective").code == 2
    assert veritile("check", "(4,8)").code == 2


def test_an_empty_plan_is_unknown(tmp_path: Path) -> None:
    plan = tmp_path / "empty.toml"
    plan.write_text('name = "x"\narch = "sm_80"\n')
    said = veritile("check", str(plan))
    assert said.code == 3 and "owes nothing" in said.out
