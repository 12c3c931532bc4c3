"""``veritile check PLAN.toml``: all that a plan owes, decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .question import ask, say


@dataclass(frozen=True)
class PlanFile:
    """The path of a plan, told apart from a layout by its ending."""

    path: str


def read_operand(text: str) -> Any:
    """A plan where the text ends as a file of TOML does, else a layout.

    >>> read_operand("gemm.toml"), str(read_operand("(4,8)"))
    (PlanFile(path='gemm.toml'), '(4,8):(1,4)')
    """
    from .named import read_layout

    return PlanFile(text.strip()) if text.strip().lower().endswith(".toml") else read_layout(text)


def check_plan(file: PlanFile, budget: float, as_json: bool) -> int:
    """Reads the plan (exit code 2 with file, line and key where it is not understood), decides it and prints."""
    from ..proofs.plan import read_plan
    from ..reports.plans import plan_reply

    plan = read_plan(file.path)
    # What was decided is told, before the budget's own clock ends the whole reply.
    return say(ask("check", (file.path,), budget, lambda: plan_reply(plan, plan.owed(0.8 * budget))), as_json)
