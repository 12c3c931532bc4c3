"""What every test can use: Hypothesis profiles, and the interpreter that has other people's tools."""

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# What the solvers decided is kept in the repository's own build folder, not in the user's cache.
os.environ.setdefault("VERITILE_STORE", str(ROOT / "build" / "decisions.sqlite"))

# Never a deadline: a test must not fail because a machine is busy.
settings.register_profile(
    "fast", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("full", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fast")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that the repository lies in."""
    return ROOT


@cache
def _has(python: str, module: str) -> bool:
    """Whether an interpreter finds a module (asked in a process of its own, without importing it)."""
    code = f"import sys, importlib.util; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", code], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


@pytest.fixture(scope="session")
def oracle_python() -> Callable[[str], str]:
    """Asks for the interpreter that has one of other people's tools: ``oracle_python("pycute")``.

    It is VERITILE_ORACLE_PYTHON, or the one that ``make oracles`` makes. The test is skipped where there is none, or
    where it lacks the tool.
    """

    def ask(module: str) -> str:
        python = os.environ.get("VERITILE_ORACLE_PYTHON") or str(ROOT / ".venv-oracles" / "bin" / "python")
        if not Path(python).exists():
            pytest.skip("no other people's tools here: `make oracles` installs them")
        if not _has(python, module):
            pytest.skip(f"{module} is not installed: `make oracles` or `make oracles-dsl` installs it")
        return python

    return ask
