"""The same questions through pycute, tensor-layouts and the CuTe DSL, each in a process of its own.

The interpreter that has them is named by ``VERITILE_ORACLE_PYTHON``; otherwise it is the one that ``make oracles``
makes, or this one where there is none. A tool that is not installed there is reported as such and is never an error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PEERS = ("pycute", "tensor-layouts", "CuTe DSL")
DIED = "died"
NOT_INSTALLED = "not installed"
VARIABLE = "VERITILE_ORACLE_PYTHON"
_WORKER = Path(__file__).with_name("peer_worker.py")
_MADE = Path(__file__).parents[2] / ".venv-oracles" / "bin" / "python"


@dataclass(frozen=True)
class Replies:
    """What a tool answered: its version, or None when it is not installed (then there are no answers)."""

    version: str | None
    answers: tuple[tuple[Any, ...], ...] = ()
    reason: str = ""


def interpreter(given: str | None = None) -> str:
    """The interpreter to look for other tools in: the one given, the environment's, `make oracles`', or this one."""
    return given or os.environ.get(VARIABLE) or (str(_MADE) if _MADE.exists() else sys.executable)


def ask(peer: str, questions: list[list[Any]], python: str | None = None) -> Replies:
    """Put questions ``[operation, operand, …]`` to one tool; an answer each, in order.

    An answer is ``("layout", shape, stride)``, ``("refused", sentence)`` or ``("died", how)``.
    """
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(
        [interpreter(python), str(_WORKER), peer],
        input=lines.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    header, *rest = [json.loads(line) for line in done.stdout.splitlines()] or [{"missing": "no process"}]
    if "missing" in header:
        return Replies(None, reason=header["missing"])
    answers = [_tuples(line) for line in rest]
    answers += [(DIED, "the whole process")] * (len(questions) - len(answers))
    return Replies(header["version"], tuple(answers))


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value
