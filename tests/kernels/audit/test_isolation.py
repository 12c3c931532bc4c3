"""Targets in processes of their own: what is traced, and what becomes of one that fails, dies or never ends."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veritile.kernels.audit.isolation import Limits, audit_targets, where
from veritile.kernels.audit.recipe import Target, read_target

SAMPLES = Path(__file__).with_name("samples")
Audit = Callable[..., dict[str, Any]]


def one(place: str, **more: Any) -> Target:
    target = read_target(place, SAMPLES)
    return Target(**{**vars(target), "arch": "sm_90a", **more})


@pytest.fixture
def audit(oracle_python: Callable[[str], str]) -> Audit:
    def ask(place: str, seconds: float = 120.0, memory_mb: int = 16384, **more: Any) -> dict[str, Any]:
        python = oracle_python("cutlass")
        return audit_targets([one(place, **more)], limits=Limits(seconds, memory_mb), python=python)[0]

    return ask


def names(told: dict[str, Any]) -> set[str]:
    return {operation["operation"] for trace in told["traces"] for operation in trace["operations"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "more"),
    [
        ("plain.py:host", {"args": {"t": "f32[n%4]:(1)@16", "n": "i32"}}),
        ("plain.py", {"args": {"t": "f32[128]", "n": 3}}),
        ("plain.py:make", {"make": {"threads": 64}, "args": {"t": "f32[?]:(i64 ?%8)"}}),
        ("plain.py:make_with_arguments", {}),
        ("plain.py:compile_itself", {}),
        ("plain.py:Object", {"args": {"t": "f32[128]"}}),
        ("plain.py:make_object", {"args": {"t": "f32[128]"}}),
    ],
)
def test_each_form_of_a_target_is_traced_with_its_source_lines(audit: Audit, place: str, more: dict[str, Any]) -> None:
    told = audit(place, **more)
    assert (told["error"], told["events"]) == (None, [])
    (trace,) = told["traces"]
    assert len(trace["kernels"]) == 1
    assert trace["unread"] == []
    (composed,) = (operation for operation in trace["operations"] if "composition" in operation["operation"])
    assert (Path(composed["file"]).name, composed["line"], composed["column"]) == ("plain.py", 11, 9)
    assert composed["source"] == "c = cute.composition(a, b)"
    assert told["compile_ms"] > 0


@pytest.mark.slow
def test_a_death_loses_one_compile_and_is_told_with_its_operation_and_line(audit: Audit) -> None:
    told = audit("program.py")
    assert told["error"] is None
    assert len(told["traces"]) == 2
    (event,) = told["events"]
    assert (event["operation"], event["reason"]) == ("logical_product", "the process died here (signal SIGFPE)")
    assert (Path(event["file"]).name, event["line"]) == ("program.py", 15)
    assert "cute.logical_product(a, b)" in event["source"]
    layouts = [trace["operations"][0]["results"] for trace in told["traces"]]
    assert layouts == [['!cute.layout<"(6,2):(1,7)">'], ['!cute.layout<"(4,2):(1,8)">']]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("def f(:", "nothing was traced: SyntaxError: invalid syntax (k.py, line 1)"),
        (
            "import missing",
            "nothing was traced: ModuleNotFoundError: No module named 'missing' at {}:1:1: import missing",
        ),
        ("x = 1", "nothing was traced: it compiles no kernel here, or a cache gave it"),
        ("import sys; sys.exit(3)", "nothing was traced: it ended with exit status 3"),
        ("import os; os._exit(0)", "nothing was traced: its process ended before the audit did (exit status 0)"),
        ("x = bytearray(1 << 60)", "nothing was traced: it needed more than 16384 MiB"),
        ("raise ValueError('first\\nsecond')", "nothing was traced: ValueError: first at {}:1:1: {}"),
    ],
)
def test_where_nothing_is_traced_is_an_error_in_a_line(audit: Audit, tmp_path: Path, source: str, error: str) -> None:
    (tmp_path / "k.py").write_text(source)
    assert audit(str(tmp_path / "k.py"))["error"] == error.format(tmp_path / "k.py", source)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "more", "error"),
    [
        ("plain.py", {}, "nothing was traced: it compiles no kernel here, or a cache gave it"),
        ("plain.py:none", {}, "there is no none in plain.py"),
        ("plain.py:host", {"args": {"x": "f32[4]"}}, "host has no parameter x: it has t, n"),
        ("plain.py:host", {"args": {"t": "f32[4]"}}, "a fake argument is missing: host needs n"),
        ("plain.py:host", {"make": {"x": 3}}, "host is a @cute.jit function: nothing makes it"),
        ("plain.py:make", {"args": {"t": "f32[4]"}}, "an argument is missing: make needs threads"),
        ("plain.py:compile_itself", {"args": {"t": "f32[4]"}},
         "compile_itself gives no @cute.jit function that could take the arguments"),
        ("program.py", {"args": {"t": "f32[4]"}},
         "program.py has not one @cute.jit function but fine, fatal, also_fine: name one, program.py:NAME"),
        ("no.such.module", {}, "there is no module no"),
        ("os:sep", {}, "sep is a str, neither a @cute.jit function nor one that makes one"),
    ],
)  # fmt: skip
def test_what_is_no_target_is_an_error_in_a_line(audit: Audit, place: str, more: dict[str, Any], error: str) -> None:
    told = audit(place, **more)
    assert (told["error"], told["traces"], told["events"]) == (error, [], [])


@pytest.mark.slow
def test_a_trace_that_an_operation_ends_is_audited_until_there(audit: Audit) -> None:
    told = audit("refused.py:host", args={"g": "f32[4096]:1@16", "k": 3})
    assert told["error"] is None
    (event,) = told["events"]
    assert event["reason"].startswith("the target stopped before its end: MLIRError: ")
    assert "(2,0,4):(1,12,6)" in event["reason"]
    assert (Path(event["file"]).name, event["line"], event["column"]) == ("refused.py", 14, 7)
    assert (event["operation"], event["source"]) == ("size", "g[cute.size(c)] = cutlass.Float32(2)")
    (trace,) = told["traces"]
    assert trace["unread"] == []
    assert [(one["operation"], one["line"]) for one in trace["operations"] if one["verdict"] == "wrong"] == [
        ("cute.complement", 12)
    ]
    twin = audit("refused.py:host", args={"g": "f32[4096]:1@16", "k": 6})
    assert (twin["error"], twin["events"]) == (None, [])
    assert {one["verdict"] for trace in twin["traces"] for one in trace["operations"]} == {"right"}


@pytest.mark.slow
def test_an_endless_loop_ends_and_says_where(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("import cutlass\nwhile True:\n    pass\n")
    told = audit(str(tmp_path / "k.py"), seconds=5)
    (event,) = told["events"]
    assert (told["error"], event["reason"], event["verdict"]) == (None, "took longer than 5 s", "not checked")
    assert (Path(event["file"]).name, event["line"] in (2, 3)) == ("k.py", True)


KEEPER = """
import os, cutlass
import veritile.kernels.build
open(os.environ["CUTE_DSL_DUMP_DIR"] + "/kept.ptx", "w").close()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("last", "chosen"),
    [("", False), ("while True: pass", False), ("os.kill(os.getpid(), 9)", False), ("os.kill(os.getpid(), 9)", True)],
)
def test_a_process_that_is_killed_leaves_no_folder_but_one_that_was_chosen(
    audit: Audit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, last: str, chosen: bool
) -> None:
    mine, temporary = tmp_path / "mine", tmp_path / "temporary"
    mine.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("CUTE_DSL_DUMP_DIR", str(mine if chosen else temporary / "veritile-dsl-of-another"))
    (tmp_path / "k.py").write_text(KEEPER + last)
    told = audit(str(tmp_path / "k.py"), seconds=5)
    assert bool(told["events"]) == bool(last)
    assert [path.name for path in temporary.iterdir() if path.name.startswith("veritile-")] == []
    assert [path.name for path in mine.iterdir()] == (["kept.ptx"] if chosen else [])


@pytest.mark.slow
def test_a_signal_outside_the_dsl_is_told(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    (event,) = audit(str(tmp_path / "k.py"))["events"]
    assert (event["operation"], event["reason"]) == ("target", "the process died here (signal SIGSEGV)")


@pytest.mark.slow
def test_what_follows_a_trace_is_told_as_not_audited(audit: Audit, tmp_path: Path) -> None:
    source = SAMPLES.joinpath("plain.py").read_text() + "\ncompile_itself()\nraise RuntimeError('no GPU here')\n"
    (tmp_path / "k.py").write_text(source)
    told = audit(str(tmp_path / "k.py"))
    assert len(told["traces"]) == 1
    (event,) = told["events"]
    assert event["reason"] == "the target stopped before its end: RuntimeError: no GPU here"


@pytest.mark.slow
def test_a_kernel_that_is_not_there_is_an_error(oracle_python: Callable[[str], str]) -> None:
    target = one("plain.py:compile_itself")
    python = oracle_python("cutlass")
    assert (
        audit_targets([target], select="nothing", python=python)[0]["error"] == "no kernel that was traced fits nothing"
    )
    assert audit_targets([target], select="_kernel_", python=python)[0]["error"] is None


def test_an_interpreter_without_the_dsl_is_an_error_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "cutlass.py").write_text("raise ImportError('not here')")
    target = one("plain.py:host", environment={"PYTHONPATH": str(tmp_path)})
    assert audit_targets([target])[0]["error"] == "CuTe DSL cannot be imported here: not here"


def test_an_interpreter_that_cannot_be_started_is_told() -> None:
    (event,) = audit_targets([one("plain.py:host")], python=str(SAMPLES / "plain.py"))[0]["events"]
    assert event["reason"].startswith("its process cannot be started: ")


FATAL = """Fatal Python error: Floating point exception

Current thread 0x00007f (most recent call first):
  File "/p/dsl_packages/cutlass/_mlir/dialects/_cute_ops_gen.py", line 5 in logical_product
  File "/p/dsl_packages/cutlass/cute/core.py", line 4 in logical_product
  File "/p/dsl_packages/cutlass/cutlass_dsl/cutlass.py", line 3 in wrapper
  File "/p/library/tiles.py", line 2 in tile
  File "/p/kernel.py", line 1 in host
"""


@pytest.mark.parametrize(
    ("written", "operation", "place"),
    [
        (FATAL, "logical_product", ("/p/library/tiles.py", 2)),
        ('  File "/p/kernel.py", line 7 in host\n', "target", ("/p/kernel.py", 7)),
        ('  File "<frozen importlib>", line 7 in f\n  File "/p/k.py", line 8 in g\n', "target", ("/p/k.py", 8)),
        ("", "target", None),
        ("Fatal Python error: Aborted\n", "target", None),
    ],
)
def test_the_place_of_a_death(written: str, operation: str, place: object) -> None:
    assert where(written) == (operation, place)
