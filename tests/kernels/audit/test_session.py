"""The audit around one's own compile, and the fixture of pytest: in a process that has the DSL."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from veritile.kernels.audit import AuditFailed, auditing, session
from veritile.kernels.audit.isolation import boot_command
from veritile.kernels.audit.trace import Clock, Traced
from veritile.model.errors import InputError

from .test_audit import line, text

SAMPLES = Path(__file__).with_name("samples")
PROGRAM = """
import sys
sys.path.insert(0, {samples!r})
import plain
from veritile.kernels.audit import AuditFailed, auditing
from veritile.model.errors import InputError

with auditing(strict=False) as session:
    plain.compile_itself()
summary = session.report["summary"]
print(len(session.traces), summary["kernels"], session.exit_code, summary["operations"] > 10)
with auditing(strict=False, select="_kernel_") as session:
    plain.compile_itself()
print(session.report["summary"]["operations"] < summary["operations"])
for block in (lambda: None, lambda: plain.missing):
    try:
        with auditing():
            block()
    except (InputError, AttributeError) as error:
        print(type(error).__name__, str(error)[:18])
try:
    with auditing(select="nothing"):
        plain.compile_itself()
except InputError as error:
    print(error)
from cutlass.cutlass_dsl.cutlass import CuTeDSL
dsl = CuTeDSL._get_dsl()
print(dsl.envar.lineinfo, len(dsl._trace_finalize_hooks))
"""


@pytest.fixture
def one_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block compiles a kernel with one operation that nothing here knows."""

    @contextmanager
    def tracing(on_trace: Callable[[Traced], None]) -> Iterator[Clock]:
        yield Clock()
        on_trace(Traced("k", text(line("cute.surprise")), 0.0))

    monkeypatch.setattr(session, "tracing", tracing)


@pytest.mark.parametrize(
    ("allow", "code"), [((), 3), ("cute.copy", 3), (["cute.copy"], 3), ("cute.surprise", 0), (["surprise"], 0)]
)
@pytest.mark.usefixtures("one_open")
def test_a_text_is_one_name_that_may_stay_open(allow: str | list[str], code: int) -> None:
    with auditing(allow, strict=False) as found:
        pass
    assert (found.report["summary"]["not_checked"], found.exit_code) == (1, code)


@pytest.mark.usefixtures("one_open")
def test_what_stays_open_fails_the_block() -> None:
    with pytest.raises(AuditFailed, match=r"cute\.surprise: unknown operation"), auditing("cute.copy"):
        pass


@pytest.mark.usefixtures("one_open")
def test_a_name_that_is_no_text_is_refused_before_anything_is_compiled() -> None:
    with pytest.raises(InputError, match="named by a text, not 7"), auditing([7]):  # type: ignore[list-item]
        raise AssertionError("the block was entered")


@pytest.mark.slow
def test_auditing_a_block(oracle_python: Callable[[str], str], tmp_path: Path) -> None:
    code = PROGRAM.format(samples=str(SAMPLES))
    environment = {"CUTE_DSL_ARCH": "sm_90a"}
    command = boot_command(oracle_python("cutlass"), code)
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1 1 1 True",
        "True",
        "InputError nothing was traced",
        "AttributeError module 'plain' has",
        "no kernel that was traced fits nothing",
        "False 0",
    ]
