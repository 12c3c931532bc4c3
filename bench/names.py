"""Random questions with names: how many are decided, how fast, and whether plain evaluation agrees at every value.

``python -m bench.names [--count 2000] [--seed 1] [--processes 2] [--seconds 4]`` exits 1 at a disagreement.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from statistics import median
from typing import Any

from tests.oracles.named import Named, disagreement, random_questions
from veritile.commands.budget import Budget
from veritile.model.errors import InputError, Undecided
from veritile.proofs.names import decide

COMPARED = 120.0  # seconds for the comparison of one answer
PAIR = 64  # the largest value of each of two names that is compared, as of one


def one(named: Named, seconds: float, pair: int) -> tuple[str, str, float, str]:
    """(kind, verdict, seconds, disagreement) of one question."""
    start = time.perf_counter()
    try:
        with Budget(1.5 * seconds):
            answer = decide(named.question, named.given, named.condition, seconds)
    except InputError as error:
        return named.kind, "bad input", time.perf_counter() - start, str(error)
    except Undecided as undecided:
        return named.kind, f"unknown: {undecided.reason[:60]}", time.perf_counter() - start, ""
    spent = time.perf_counter() - start
    if answer.verdict == "unknown":
        return named.kind, f"unknown: {(answer.reason or '')[:60]}", spent, ""
    two = any("m" in operand for operand in named.operands)
    wrong = ""
    try:
        with Budget(COMPARED):
            wrong = disagreement(named, answer, pair if two else 64)
            left = start + spent + COMPARED - time.perf_counter()
    except Undecided:
        left = 0.0
    if left <= 0 and not wrong:  # some values may have been cut short
        return named.kind, f"{answer.verdict}, not compared in {COMPARED:g} s", spent, ""
    verdict = answer.verdict
    if verdict == "refuted":
        verdict = "no condition" if answer.conditions is None else "conditions"
    return named.kind, verdict, spent, wrong


def run(
    count: int, seed: int, processes: int, seconds: float, pair: int = PAIR, show: bool = False
) -> tuple[Counter[str], list[str], Any]:
    """Verdicts, disagreements and times."""
    questions = list(random_questions(count, seed))
    found: Counter[str] = Counter()
    wrong: list[str] = []
    times: list[float] = []
    with ProcessPoolExecutor(processes) as pool:
        answers = pool.map(one, questions, [seconds] * count, [pair] * count, chunksize=8)
        for named, (_, verdict, spent, problem) in zip(questions, answers, strict=True):
            found[verdict] += 1
            if show and (verdict.startswith(("unknown", "no condition", "bad")) or "not compared" in verdict):
                print(f"{spent:6.1f} s  {named}: {verdict}")
            times.append(spent)
            if problem:
                wrong.append(f"{named}: {problem}")
    return found, wrong, times


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
    found, wrong, times = run(given.count, given.seed, given.processes, given.seconds, given.pair, given.list)
    for verdict, number in found.most_common():
        print(f"{number:6} {verdict}")
    ordered = sorted(times)
    print(f"median {median(times) * 1000:.0f} ms, 95% below {ordered[int(0.95 * len(times))] * 1000:.0f} ms")
    print(f"{len(wrong)} disagreements")
    for line in wrong[:20]:
        print(f"  {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
