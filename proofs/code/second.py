"""What z3 found contradictory on the paths of the code, decided once more by another solver."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing import current_process

from ...smt.process import Finished, run_limited
from ...smt.prover import Contradiction
from ...smt.solvers import MEMORY_MB, SECONDS, Decision, Disagreement, ask, ask_here, version_of
from ..verdict import Evidence, EvidenceKind

BATCH = 64
REALS = 1.0  # seconds


@dataclass(frozen=True)
class SecondOpinion:
    """How many texts a solver decided as z3 did, and which it left open."""

    solver: str
    agreed: int
    open: tuple[str, ...]
    seconds: float

    @property
    def evidence(self) -> Evidence:
        """The opinion as evidence."""
        return Evidence(
            EvidenceKind.SMT,
            "contradictions that z3 found on the paths",
            cases=self.agreed,
            solver=self.solver,
            version=version_of(self.solver),
            time_ms=1000 * self.seconds,
        )


def second_opinion(found: Iterable[Contradiction], solver: str = "cvc5", seconds: float = SECONDS) -> SecondOpinion:
    """Asks a solver of each contradiction, in processes with limits; raises Disagreement where it finds a model.

    A contradiction over the integers is asked of the reals first; a model there says nothing.
    """
    started = time.monotonic()
    wanted = list(dict.fromkeys(found))
    agreed, open_ = 0, []
    for k in range(0, len(wanted), BATCH):
        batch = wanted[k : k + BATCH]
        answers = _within_limits(solver, batch, seconds)
        for one, decision in zip(batch, answers, strict=True):
            if decision.answer == "sat":
                raise Disagreement(f"z3: unsat, {solver} {decision.version}: sat, of {one.lines}")
            if decision.answer == "unsat":
                agreed += 1
            else:
                open_.append(f"{solver}: {decision.answer} {decision.reason}".strip())
    return SecondOpinion(solver, agreed, tuple(open_), time.monotonic() - started)


def _within_limits(solver: str, batch: Sequence[Contradiction], seconds: float) -> list[Decision]:
    if current_process().daemon:  # this is such a process, and may start no other
        return _decided(solver, batch, seconds)
    run = run_limited(_decided, solver, batch, seconds, seconds=2 * seconds, memory_mb=MEMORY_MB)
    return run.value if isinstance(run, Finished) else [_alone(solver, one, seconds) for one in batch]


def _decided(solver: str, batch: Sequence[Contradiction], seconds: float) -> list[Decision]:
    answers = []
    for one in batch:
        decision = ask_here(solver, one.over_reals, REALS) if one.over_integers else None
        if decision is None or decision.answer != "unsat":
            decision = ask_here(solver, one.text, seconds)
        answers.append(decision)
    return answers


def _alone(solver: str, one: Contradiction, seconds: float) -> Decision:
    decision = ask(solver, one.over_reals, REALS) if one.over_integers else None
    return decision if decision is not None and decision.answer == "unsat" else ask(solver, one.text, seconds)


__all__ = ["SecondOpinion", "second_opinion"]
