"""Decides claims in processes of their own; one that dies or hangs is unknown, with the reason, and costs no other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from ..model.errors import Undecided
from ..smt.process import Failed, die_with_parent, run_limited
from .claim import Claim, Example, Outcome, plain, unknown
from .verdict import Evidence, Verdict

RETRIES = 1  # how often a claim is handed out again when the worker that held it died


@dataclass(frozen=True)
class ClaimResult:
    """What became of one claim, as plain values (``as_dict`` is what ``veritile prove --json`` prints)."""

    name: str
    source: str
    statement: str
    verdict: Verdict
    scope: str
    evidence: tuple[Evidence, ...] = ()
    witness: dict[str, Any] | None = None
    reason: str | None = None
    rows: tuple[dict[str, Any], ...] = ()
    hypotheses: str | None = None
    mutant: dict[str, Any] = field(default_factory=dict)
    finding: dict[str, str] | None = None
    doubts: tuple[int, ...] = ()
    time_ms: float = 0.0

    @property
    def expected(self) -> Verdict:
        """Proved, or refuted for a finding."""
        return Verdict.PROVED if self.finding is None else Verdict.REFUTED

    @property
    def is_defect(self) -> bool:
        """Whether the claim itself is no good: its mutant was not refuted."""
        return self.mutant.get("verdict") == Verdict.PROVED.value

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one and the mutant was refuted."""
        return self.verdict is self.expected and self.mutant.get("verdict") == Verdict.REFUTED.value

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data."""
        return {
            "name": self.name,
            "source": self.source,
            "statement": self.statement,
            "verdict": self.verdict.value,
            "scope": self.scope,
            "evidence": [one.as_dict() for one in self.evidence],
            "witness": self.witness,
            "time_ms": round(self.time_ms, 1),
            "reason": self.reason,
            "as_expected": self.as_expected,
            "finding": self.finding,
            "hypotheses": self.hypotheses,
            "mutant": self.mutant,
            "rows": list(self.rows),
            "doubts": list(self.doubts),
        }


@dataclass(frozen=True)
class Run:
    """The results of a run, in the order of its claims."""

    results: tuple[ClaimResult, ...]
    time_ms: float

    @property
    def summary(self) -> dict[str, Any]:
        """How many of each verdict; ``unexpected`` counts wrong verdicts and mutants that were proved."""
        verdicts = [result.verdict for result in self.results]
        return {
            "claims": len(self.results),
            "proved": verdicts.count(Verdict.PROVED),
            "refuted": verdicts.count(Verdict.REFUTED),
            "unknown": verdicts.count(Verdict.UNKNOWN),
            "findings": sum(result.finding is not None and result.as_expected for result in self.results),
            "unexpected": sum(map(_is_unexpected, self.results)),
            "mutants": sum(bool(result.mutant) for result in self.results),
            "mutants_refuted": sum(result.mutant.get("verdict") == "refuted" for result in self.results),
            "time_ms": round(self.time_ms, 1),
        }

    @property
    def exit_code(self) -> int:
        """1 for an unexpected verdict, else 3 for an unknown one or when nothing was decided, else 0."""
        if any(map(_is_unexpected, self.results)):
            return 1
        is_open = not self.results or any(result.verdict is Verdict.UNKNOWN for result in self.results)
        return 3 if is_open else 0

    def as_dict(self) -> dict[str, Any]:
        """``{"claims": […], "summary": {…}}``."""
        return {"claims": [result.as_dict() for result in self.results], "summary": self.summary}


def _is_unexpected(result: ClaimResult) -> bool:
    return result.is_defect or (result.verdict is not Verdict.UNKNOWN and result.verdict is not result.expected)


def decide(claim: Claim) -> ClaimResult:
    """Decides a claim here and now: its hypotheses, then itself, then its mutant.

    Unknown when nothing satisfies the hypotheses (the claim is vacuous) and when the mutant is not refuted, unless a
    witness refutes a claim that should hold: that stands.
    """
    started = time.monotonic()
    exhibit = claim.hypotheses()
    outcome = _decided(claim.decide)
    if isinstance(exhibit, Example):
        cases = sum(evidence.cases or 0 for evidence in outcome.evidence)
        such = f", such as {exhibit}" if exhibit else ""
        exhibit = f"no hypotheses; {cases} evaluated{such}" if cases else None
    mutant = _decided(claim.mutant.decide)
    if outcome.verdict is Verdict.REFUTED and outcome.witness is None:
        outcome = unknown("it was refuted without a witness", *outcome.evidence)
    stands = outcome.verdict is Verdict.REFUTED and claim.expected is Verdict.PROVED
    if mutant.verdict is not Verdict.REFUTED and not stands:
        why = f"its mutant was not refuted, so the claim shows nothing: {claim.mutant.statement}"
        outcome = Outcome(Verdict.UNKNOWN, outcome.evidence, outcome.witness, why, outcome.rows)
    if exhibit is None and not stands:
        outcome = Outcome(Verdict.UNKNOWN, outcome.evidence, reason="nothing satisfies its hypotheses: it is vacuous")
    return ClaimResult(
        **_told(claim),
        verdict=outcome.verdict,
        evidence=outcome.evidence,
        witness=plain(outcome.witness),
        reason=outcome.reason,
        rows=tuple(
            {"name": row.name, "verdict": row.verdict.value, "witness": plain(row.witness)} for row in outcome.rows
        ),
        hypotheses=exhibit,
        mutant={
            "statement": claim.mutant.statement,
            "verdict": mutant.verdict.value,
            "witness": plain(mutant.witness),
            "reason": mutant.reason,
        },
        time_ms=1000 * (time.monotonic() - started),
    )


def _decided(decision: Callable[[], Outcome]) -> Outcome:
    try:
        return decision()
    except Undecided as error:
        return unknown(error.reason)


def _told(claim: Claim) -> dict[str, Any]:
    return {
        "name": claim.name,
        "source": claim.source,
        "statement": claim.statement,
        "scope": str(claim.scope),
        "finding": claim.finding and {"what": claim.finding.what, "repaired": claim.finding.repaired},
        "doubts": claim.doubts,
    }


def _undecided(claim: Claim, reason: str, seconds: float = 0.0) -> ClaimResult:
    return ClaimResult(**_told(claim), verdict=Verdict.UNKNOWN, reason=reason, time_ms=1000 * seconds)


# What goes to a worker: a claim of the library by its name, one of a file by file and name, any other as it is.


def _reference(claim: Claim) -> Any:
    from .library import library

    if claim.origin:
        return (claim.origin, claim.name)
    return claim.name if library().get(claim.name) is claim else claim


def _resolve(reference: Any) -> Claim:
    from .library import from_file, library

    if isinstance(reference, str):
        return library()[reference]
    if isinstance(reference, tuple):
        origin, name = reference
        return next(claim for claim in from_file(origin) if claim.name == name)
    return reference


def _decide_reference(reference: Any) -> ClaimResult:
    """In the child of :func:`decide_limited`: what a decision prints does not mix with what the caller prints."""
    from .library import stdout_to_stderr

    with stdout_to_stderr():
        return decide(_resolve(reference))


def decide_limited(reference: Any, seconds: float, memory_mb: int) -> ClaimResult:
    """What a worker does: decides a claim in a process of its own; unknown when that ends without an answer."""
    claim = _resolve(reference)
    answer = run_limited(_decide_reference, reference, seconds=seconds, memory_mb=memory_mb)
    if isinstance(answer, Failed):
        return _undecided(claim, answer.reason, answer.seconds)
    return answer.value


def _start_worker(parent: int) -> None:
    """Ctrl-C is the caller's affair; a worker ends with its caller. Imports once what every claim needs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)
    import numpy  # noqa: F401

    from ..smt import layouts  # noqa: F401
    from .library import library

    library()


def run_claims(
    claims: Iterable[Claim],
    *,
    jobs: int = 2,
    seconds: float = 120.0,
    memory_mb: int = 1024,
    executor: Executor | None = None,
    on_result: Callable[[ClaimResult], None] | None = None,
) -> Run:
    """Decides ``claims``, ``jobs`` at a time, each in a process of its own within ``seconds`` and ``memory_mb``.

    ``executor`` is anything with the interface of ``concurrent.futures`` (a pool of Dask or Ray, say); without one a
    pool of ``jobs`` processes is made and ended. ``on_result`` is called in this thread with each result as it comes.
    The run's results are in the order of ``claims``, whatever order they came in. A claim whose process dies or takes
    too long is unknown, with the reason; one whose worker dies is handed out once more. On Ctrl-C the workers are
    ended and KeyboardInterrupt goes on.
    """
    started = time.monotonic()
    wanted = list(claims)
    results: dict[int, ClaimResult] = {}

    def take(index: int, result: ClaimResult) -> None:
        results[index] = result
        if on_result is not None:
            on_result(result)

    apart = [i for i, claim in enumerate(wanted) if claim.together is None]
    if executor is not None:
        _drain(executor, wanted, apart, seconds, memory_mb, take, len(apart))
        for index in set(apart) - set(results):
            take(index, _undecided(wanted[index], "the executor broke down"))
    elif apart:
        _with_own_pool(wanted, apart, max(1, jobs), seconds, memory_mb, take, results)
    groups: dict[Any, list[int]] = {}
    for i, claim in enumerate(wanted):
        if claim.together is not None:
            groups.setdefault(claim.together, []).append(i)
    for together, members in groups.items():
        together([wanted[i].name for i in members], max(1, jobs), executor)
        for i in members:
            take(i, decide(wanted[i]))
    return Run(tuple(results[i] for i in range(len(wanted))), 1000 * (time.monotonic() - started))


def _with_own_pool(
    wanted: list[Claim],
    indices: list[int],
    jobs: int,
    seconds: float,
    memory_mb: int,
    take: Callable[[int, ClaimResult], None],
    results: dict[int, ClaimResult],
) -> None:
    held: dict[int, int] = {}  # how often a claim was in the hands of a worker that died
    while left := [i for i in indices if i not in results]:
        suspects = [i for i in left if i in held]  # one of these brought the pool down: each gets a pool of its own
        left, jobs = (suspects[:1], 1) if suspects else (left, jobs)
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(
            min(jobs, len(left)),
            multiprocessing.get_context("spawn"),
            initializer=_start_worker,
            initargs=(os.getpid(),),
        )
        try:
            lost = _drain(pool, wanted, left, seconds, memory_mb, take, jobs)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            raise
        pool.shutdown(wait=True, cancel_futures=True)
        for index in lost or [i for i in left if i not in results]:
            held[index] = held.get(index, 0) + 1
            if held[index] > RETRIES:
                take(index, _undecided(wanted[index], "the worker that held it died, twice"))


def _drain(
    pool: Executor,
    wanted: list[Claim],
    indices: list[int],
    seconds: float,
    memory_mb: int,
    take: Callable[[int, ClaimResult], None],
    at_once: int,
) -> list[int]:
    """Hands claims out, at most ``at_once`` at a time, until all came back or the pool broke; returns those it held."""
    waiting = list(reversed(indices))
    running: dict[Future[ClaimResult], int] = {}
    lost: list[int] = []
    is_broken = False
    while (waiting and not is_broken) or running:
        while waiting and not is_broken and len(running) < at_once:
            index = waiting.pop()
            try:
                running[pool.submit(decide_limited, _reference(wanted[index]), seconds, memory_mb)] = index
            except BrokenExecutor:
                is_broken = True
        if not running:
            break
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            index = running.pop(future)
            try:
                take(index, future.result())
            except BrokenExecutor:
                is_broken = True
                lost.append(index)
            except Exception as error:  # noqa: BLE001 - whatever a worker raised is the reason
                line = (str(error).splitlines() or [""])[0]
                take(index, _undecided(wanted[index], f"{type(error).__name__}: {line}"))
    return lost
