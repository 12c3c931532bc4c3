"""Random questions with names: how many are decided, how fast, and whether plain evaluation agrees at every value.

``python -m bench.names [--count 2000] [--seed 1] [--processes 2] [--seconds 4]`` exits 1 at a disagreement.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from statistics import median

from tests.oracles.named import Comparison, Named, compared, random_questions
from veritile.commands.budget import Budget
from veritile.model.errors import InputError, Undecided
from veritile.proofs.names import decide

COMPARED = 120.0  # seconds for the comparison of one answer
PAIR = 64  # the largest value of each of two names that is compared, as of one


@dataclass(frozen=True)
class Measured:
    """What came of one question: its verdict in words, the seconds it took, and the comparison of its answer."""

    verdict: str
    seconds: float
    comparison: Comparison = field(default_factory=Comparison)


def one(named: Named, seconds: float, pair: int) -> Measured:
    """One question asked, and its answer compared."""
    start = time.perf_counter()
    try:
        with Budget(1.5 * seconds):
            answer = decide(named.question, named.given, named.condition, seconds)
    except InputError as error:
        return Measured("bad input", time.perf_counter() - start, Comparison(differs=str(error)))
    except Undecided as undecided:
        return Measured(f"unknown: {undecided.reason[:60]}", time.perf_counter() - start)
    spent = time.perf_counter() - start
    if answer.verdict == "unknown":
        return Measured(f"unknown: {(answer.reason or '')[:60]}", spent)
    two = any("m" in operand for operand in named.operands)
    comparison = Comparison()
    try:
        with Budget(COMPARED):
            comparison = compared(named, answer, pair if two else 64)
            left = start + spent + COMPARED - time.perf_counter()
    except Undecided:
        left = 0.0
    if left <= 0 and not comparison.differs:  # some values may have been cut short
        return Measured(f"{answer.verdict}, not compared in {COMPARED:g} s", spent)
    verdict = answer.verdict
    if verdict == "refuted":
        verdict = "refuted by a value, no condition" if answer.conditions is None else "conditions"
    return Measured(verdict, spent, comparison)


def run(count: int, seed: int, processes: int, seconds: float, pair: int = PAIR) -> list[tuple[Named, Measured]]:
    """Each question with what came of it."""
    questions = list(random_questions(count, seed))
    with ProcessPoolExecutor(processes) as pool:
        answers = pool.map(one, questions, [seconds] * count, [pair] * count, chunksize=8)
        return list(zip(questions, answers, strict=True))


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and exit 1 at a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m bench.names", description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=4.0, help="budget of one question")
    parser.add_argument("--list", action="store_true", help="also print what was not decided")
    parser.add_argument("--pair", type=int, default=PAIR, help="the largest value of each of two names")
    given = parser.parse_args(arguments)
    measured = run(given.count, given.seed, given.processes, given.seconds, given.pair)
    if given.list:
        for named, m in measured:
            if m.verdict not in ("proved", "conditions"):
                print(f"{m.seconds:6.1f} s  {named}: {m.verdict}")
    for verdict, number in Counter(m.verdict for _, m in measured).most_common():
        print(f"{number:6} {verdict}")
    ordered = sorted(m.seconds for _, m in measured)
    print(f"median {median(ordered) * 1000:.0f} ms, 95% below {ordered[int(0.95 * len(ordered))] * 1000:.0f} ms")
    values, undecided = sum(m.comparison.compared for _, m in measured), [m.comparison.undecided for _, m in measured]
    print(
        f"{values} values compared; {sum(undecided)} values of {sum(map(bool, undecided))} answers decided by nothing"
    )
    wrong = [f"{named}: {m.comparison.differs}" for named, m in measured if m.comparison.differs]
    print(f"{len(wrong)} disagreements")
    for line in wrong[:20]:
        print(f"  {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
