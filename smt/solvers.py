"""Two solvers, each in a process with limits of time and memory: an obligation's text in, a decision out."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from .process import Failed, run_limited

PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5"}
SECONDS, MEMORY_MB = 20.0, 1024


@dataclass(frozen=True)
class Decision:
    """What one solver said of one text: ``unsat``, ``sat`` or ``unknown`` (then ``reason`` says why).

    ``model`` shows values where the answer is ``sat`` and they were asked for.
    """

    solver: str
    version: str
    answer: str
    seconds: float
    reason: str = ""
    model: str = ""


class Disagreement(RuntimeError):
    """One solver says sat and another unsat: one of them is wrong, and nothing that rests on them can be believed."""


class MissingSolver(RuntimeError):
    """A solver that was asked for is not installed."""


@cache
def version_of(solver: str) -> str:
    """The version of an installed solver's package; raises MissingSolver.

    >>> version_of("z3").count(".") >= 2
    True
    """
    try:
        return version(PACKAGES[solver])
    except PackageNotFoundError:
        raise MissingSolver(f"{solver} is not installed: pip install {PACKAGES[solver]}") from None


def ask(solver: str, text: str, seconds: float = SECONDS, memory_mb: int = MEMORY_MB, model: bool = False) -> Decision:
    """One solver's answer to an SMT-LIB script, in a process that dies at its limits.

    >>> from .smtlib import script
    >>> from .terms import ints
    >>> x, y = ints("x y")
    >>> [ask(solver, script([x < y, y < x])).answer for solver in ("z3", "cvc5")]
    ['unsat', 'unsat']
    """
    release = version_of(solver)
    if threading.active_count() == 1:
        _import(solver)  # once here, instead of in every forked child
    run = run_limited(_WORK[solver], text, seconds, model, seconds=seconds + 2, memory_mb=memory_mb)
    if isinstance(run, Failed):
        return Decision(solver, release, "unknown", run.seconds, run.reason)
    answer, reason, values = run.value
    return Decision(solver, release, answer, run.seconds, reason, values)


def ask_here(solver: str, text: str, seconds: float = SECONDS) -> Decision:
    """One solver's answer in this very process, which must be one that may die: see :func:`ask`.

    >>> from .smtlib import script
    >>> from .terms import ints
    >>> x, y = ints("x y")
    >>> ask_here("z3", script([x < y, y < x])).answer
    'unsat'
    """
    started = time.monotonic()
    answer, reason, values = _WORK[solver](text, seconds, False)
    return Decision(solver, version_of(solver), answer, time.monotonic() - started, reason, values)


def agreed(decisions: Sequence[Decision], name: str = "") -> str:
    """The answer that stands after all solvers spoke: sat or unsat when one says so and none objects.

    Raises Disagreement when two solvers contradict each other. ``unknown`` beside an answer leaves ``unknown``: what
    one solver alone decided is not agreed.
    """
    answers = {d.answer for d in decisions}
    if {"sat", "unsat"} <= answers:
        told = ", ".join(f"{d.solver} {d.version}: {d.answer}" for d in decisions)
        raise Disagreement(f"solvers disagree on {name or 'an obligation'}: {told}")
    return answers.pop() if len(answers) == 1 else "unknown"


def _import(solver: str) -> None:
    if solver == "z3":
        import z3  # noqa: F401
    else:
        import cvc5  # noqa: F401


def _ask_z3(text: str, seconds: float, model: bool) -> tuple[str, str, str]:
    import z3

    solver = z3.Solver(ctx=z3.Context())  # what was asked before has no part in the answer
    solver.set("timeout", int(seconds * 1000))
    solver.from_string(text)
    answer = str(solver.check())
    values = str(solver.model()) if model and answer == "sat" else ""
    return answer, solver.reason_unknown() if answer == "unknown" else "", values


def _ask_cvc5(text: str, seconds: float, model: bool) -> tuple[str, str, str]:
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(int(seconds * 1000)))
    if model:
        solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(check-sat)", ""), "obligation")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        told = command.invoke(solver, symbols)
        if told and told.strip() not in ("", "success"):
            return "unknown", str(told).strip(), ""
    result = solver.checkSat()
    if result.isUnsat():
        return "unsat", "", ""
    if result.isSat():
        values = ""
        if model:
            values = ", ".join(f"{t} = {solver.getValue(t)}" for t in symbols.getDeclaredTerms())
        return "sat", "", values
    return "unknown", str(result.getUnknownExplanation()), ""


_WORK = {"z3": _ask_z3, "cvc5": _ask_cvc5}
