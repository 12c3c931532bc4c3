"""The audit around one's own compile, and the fixture of pytest: in a process that has the DSL."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from veritile.kernels.audit.isolation import boot_command

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
