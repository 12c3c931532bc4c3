"""``veritile validate``: its rows, its parts, and what becomes of a row whose process dies, hangs or babbles."""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veritile import InputError
from veritile.kernels import validation
from veritile.kernels.validation import Report, join, parse_shard, run_tasks, tasks_of, validate

from ..veritile.run import veritile
from .linked import ROOT, run

SCALE = str(ROOT / "docs" / "kernels" / "scale.py")

WORKER = """
import json, os, signal, sys, time
for line in sys.stdin:
    title = json.loads(line)["title"].split("/")[1]
    if title == "dies": os.kill(os.getpid(), signal.SIGFPE)
    if title == "ends": sys.exit(7)
    if title == "hangs": time.sleep(600)
    if title == "babbles": print("what?", flush=True); continue
    print(json.dumps({"verdict": "proved", "reason": "fine", "size": 4, "time_ms": 1.0}), flush=True)
"""


def task(name: str) -> dict[str, Any]:
    return {"title": f"copy/{name}/f32", "architecture": "sm_80"}


def answers(*names: str, **options: Any) -> dict[str, tuple[str, str]]:
    done = run_tasks([task(name) for name in names], command=(sys.executable, "-c", WORKER), **options)
    assert [row["row"] for row in done] == list(names)
    return {row["row"]: (row["verdict"], row["reason"]) for row in done}


def test_a_death_loses_one_row_and_says_which() -> None:
    found = answers("a", "dies", "b", "ends", "babbles", "c", jobs=2)
    assert found == {
        "a": ("proved", "fine"),
        "dies": ("unknown", "its process died (signal SIGFPE)"),
        "b": ("proved", "fine"),
        "ends": ("unknown", "its process died (exit status 7)"),
        "babbles": ("unknown", "its process gave no answer that can be read"),
        "c": ("proved", "fine"),
    }


def test_a_row_that_takes_too_long_is_ended() -> None:
    found = answers("hangs", "a", jobs=1, seconds=1.0)
    assert found == {"hangs": ("unknown", "took longer than 1 s"), "a": ("proved", "fine")}


KEEPER = """
import json, os, sys, time
for line in sys.stdin:
    open(os.environ["CUTE_DSL_DUMP_DIR"] + "/kept.ptx", "w").close()
    title = json.loads(line)["title"].split("/")[1]
    if title == "hangs": time.sleep(600)
    print(json.dumps({"verdict": "proved", "reason": os.environ["CUTE_DSL_DUMP_DIR"]}), flush=True)
"""


@pytest.mark.parametrize("chosen", [False, True])
def test_workers_that_are_killed_leave_no_folder_but_one_that_was_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, chosen: bool
) -> None:
    mine, temporary = tmp_path / "mine", tmp_path / "temporary"
    mine.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("CUTE_DSL_DUMP_DIR", str(mine if chosen else temporary / "veritile-dsl-of-another"))
    named = [task(name) for name in ("a", "hangs", "b")]
    done = run_tasks(named, command=(sys.executable, "-c", KEEPER), jobs=1, seconds=1.0)
    assert [row["verdict"] for row in done] == ["proved", "unknown", "proved"]
    folders = {row["reason"] for row in done if row["verdict"] == "proved"}
    assert len(folders) == (1 if chosen else 2)  # after a death, a worker has another
    assert list(temporary.iterdir()) == []
    assert [path.name for path in mine.iterdir()] == (["kept.ptx"] if chosen else [])


def test_a_worker_that_cannot_be_started_loses_its_rows() -> None:
    done = run_tasks([task("a")], command=("/nowhere/at/all",))
    assert done[0]["verdict"] == "unknown" and "cannot be reached" in done[0]["reason"]


def test_tasks_of_rows_and_of_a_kernels_own_file() -> None:
    assert [t["architecture"] for t in tasks_of(["gemm_sm90/128x256x64/bf16-bf16"])] == ["sm_90a"]
    mine = tasks_of([SCALE])
    assert {t["title"] for t in mine} == {"scale/129/i32", "scale/strided/i32", "scale/transposed/i32"}
    assert all(t["file"] == SCALE for t in mine) and len(mine) == 9
    assert len(tasks_of([SCALE, "copy/1D/f32"])) == 12
    with pytest.raises(InputError, match="no row is selected"):
        tasks_of(["nothing/*"])


def test_on_a_device_rows_run_there_and_other_architectures_compile() -> None:
    tasks = tasks_of(["copy/1D/f32", "gemm_sm100/128x256x64/bf16-bf16"], device=0, here="sm_90a")
    assert [(t["architecture"], t.get("device"), t.get("compile")) for t in tasks] == [
        ("sm_90a", 0, None),
        ("sm_100a", None, True),
    ]


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2"])
def test_parts_are_read(text: str) -> None:
    with pytest.raises(InputError, match="a part is i/n"):
        parse_shard(text)


def part(i: int, n: int, rows: int, total: int = 4) -> dict[str, Any]:
    verdicts = [
        {"kernel": "copy", "row": f"{i}-{k}", "dtype": "", "arch": "", "verdict": "proved"} for k in range(rows)
    ]
    return Report(tuple(verdicts), total, (i, n), ("copy/*",)).as_dict()


def test_parts_join_into_one() -> None:
    whole = join(json.loads(json.dumps([part(2, 2, 2), part(1, 2, 2)])))
    assert [row["row"] for row in whole.rows] == ["1-0", "1-1", "2-0", "2-1"] and whole.exit_code == 0
    assert whole.as_dict()["part"] == {"shard": [1, 1], "select": ["copy/*"], "mode": "compile-only", "total": 4}


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([part(1, 2, 2)], "part 2 of 2 is missing"),
        ([part(1, 2, 2), part(1, 2, 2)], "part 1 of 2 is there twice"),
        ([part(1, 2, 2), part(2, 2, 1)], "3 rows of 4"),
        ([part(1, 2, 2), part(2, 3, 2)], "different"),
        ([{}], "one is not"),
        ([], "no parts"),
    ],
)
def test_parts_that_do_not_fit_are_refused(parts: list[Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        join(parts)


def test_exit_codes() -> None:
    def of(*verdicts: str) -> int:
        return Report(tuple({"verdict": v} for v in verdicts), 1).exit_code

    assert (of("proved"), of("proved", "refuted", "unknown"), of("proved", "unknown"), of()) == (0, 1, 3, 3)


def test_without_the_dsl_one_line_and_every_row_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "missing_dsl", lambda: "CuTe DSL is not installed here")
    told: list[str] = []
    report = validate(["copy/1D/f32"], notice=told.append)
    assert told == ["CuTe DSL is not installed here"] and report.exit_code == 3
    assert {(row["verdict"], row["reason"]) for row in report.rows} == {("unknown", told[0])}


def test_another_version_of_the_dsl_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(validation.importlib.metadata, "version", lambda name: "4.9.0")
    assert validation.missing_dsl() == "CuTe DSL 4.9.0 is here, and 4.8.1 is meant: its layouts may differ"


def test_a_device_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "missing_dsl", lambda: None)
    monkeypatch.setattr(validation, "architecture_of", lambda device: None)
    report = validate(["copy/1D/f32"], device=3)
    assert report.exit_code == 3 and report.rows[0]["reason"] == "no CUDA device 3 can be used here"


def test_the_command_line(tmp_path: Path) -> None:
    answer = veritile("validate", "--list", "--select", "copy/1D/f32")
    assert answer.out.split("\n")[:2] == ["copy/1D/f32 sm_80", "copy/1D/f32 sm_90a"]
    assert veritile("validate", "--select", "nothing").code == 2
    assert veritile("validate", "--shard", "3/2").code == 2
    assert veritile("validate", "--device", "0", "--compile-only").code == 2
    paths = [tmp_path / "1.json", tmp_path / "2.json"]
    for i, path in enumerate(paths, 1):
        path.write_text(json.dumps(part(i, 2, 2)))
    joined = veritile("validate", "--join", str(paths[0]), "--join", str(paths[1]), "--json")
    assert joined.code == 0 and json.loads(joined.out)["summary"]["proved"] == 4
    assert veritile("validate", "--join", str(paths[0])).code == 2


def test_a_representative_part_is_compiled(tmp_path: Path, oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("cutlass")
    selected = ["copy/1D-ragged/bf16", "transpose/64x64/bf16", "gemm_sm90/128x256x64/bf16-bf16", SCALE]
    flags = [word for name in selected for word in ("--select", name)]
    answer = run(python, tmp_path, "-m", "veritile.kernels.validation", *flags, "--json", "-")
    report = json.loads(answer.stdout)
    assert [f"{row['row']}: {row['reason']}" for row in report["rows"] if row["verdict"] != "proved"] == []
    assert answer.returncode == 0 and len(report["rows"]) == 16


@pytest.mark.sweep
def test_every_row_is_compiled(tmp_path: Path, oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("cutlass")
    answer = run(python, tmp_path, "-m", "veritile.kernels.validation", "--json", "-")
    report = json.loads(answer.stdout)
    assert [f"{row['row']}: {row['reason']}" for row in report["rows"] if row["verdict"] != "proved"] == []
    assert answer.returncode == 0
