"""How often veritile and other tools are right, wrong or wrongly refuse, on seeded random questions.

The judge is ``tests/oracles/brute.py``, which shares no code with ``model/``. Other tools get the same questions in
processes of their own, and are judged by the same definitions; where a tool means something else by a word (pycute and
CuTe return a *partial* complement where no complete one exists) that shows here as wrong, and is counted beside it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import veritile
from tests.oracles import brute, peers
from tests.oracles.cases import OPERATIONS, cases
from tests.oracles.ours import CRASHED, ask_veritile, describe, describe_answer, judge, truth_of, witness_holds

COUNTS = {
    "composition": 100_000,
    "complement": 20_000,
    "divide": 20_000,
    "right_inverse": 10_000,
    "left_inverse": 10_000,
}
"""The figures to reach: so many questions of each kind, none wrong, wrongly refused or unknown."""

OURS = "veritile"
BAD_WITNESS, PARTIAL, IN_BOUNDS, EXISTS = "witness fails", "partial", "in bounds", "exists"
_CHUNK = 2_500


def _zeros() -> dict[str, float]:
    return defaultdict(float)


@dataclass
class Tally:
    """What was counted over some questions of one kind."""

    operation: str
    questions: int = 0
    facts: Counter[str] = field(default_factory=Counter)
    tools: dict[str, Counter[str]] = field(default_factory=dict)
    versions: dict[str, str | None] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=_zeros)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally's counts to this one's."""
        self.questions += other.questions
        self.facts += other.facts
        for tool, counts in other.tools.items():
            self.tools.setdefault(tool, Counter()).update(counts)
        self.versions |= other.versions
        for name, seconds in other.seconds.items():
            self.seconds[name] += seconds
        self.failures = (self.failures + other.failures)[:8]


def count_chunk(operation: str, count: int, seed: int, first: int, python: str | None, others: bool) -> Tally:
    """Count some questions of one kind through every tool."""
    questions = list(cases(operation, count, seed, first))
    tally = Tally(operation, len(questions))
    start = time.perf_counter()
    truths = [truth_of(question) for question in questions]
    tally.seconds["judge"] += time.perf_counter() - start
    for question, truth in zip(questions, truths, strict=True):
        main = truth[0] if isinstance(truth, tuple) else truth
        tally.facts[EXISTS] += main.answer is not None
        if operation == "composition":
            offsets = brute.table(question[2])
            tally.facts[IN_BOUNDS] += bool(offsets.min() >= 0 and offsets.max() < brute.size(question[1][0]))

    start = time.perf_counter()
    answers = [ask_veritile(question) for question in questions]
    tally.seconds[OURS] += time.perf_counter() - start
    counts = tally.tools.setdefault(OURS, Counter())
    tally.versions[OURS] = veritile.__version__
    for question, truth, answer in zip(questions, truths, answers, strict=True):
        word = judge(question, answer, truth)
        counts[word] += 1
        if word != brute.RIGHT:
            tally.failures.append(f"{word}: {describe(question)} -> {describe_answer(answer)}")
        elif answer[0] == "refused" and not witness_holds(question, answer[1]):
            counts[BAD_WITNESS] += 1
            tally.failures.append(f"{BAD_WITNESS}: {describe(question)} -> {answer[1]}")

    for peer in peers.PEERS if others else ():
        start = time.perf_counter()
        replies = peers.ask(peer, questions, python)
        tally.seconds[peer] += time.perf_counter() - start
        tally.versions[peer] = replies.version
        counts = tally.tools.setdefault(peer, Counter())
        for question, truth, answer in zip(questions, truths, replies.answers, strict=False):
            word = judge(question, answer, truth)
            counts[word] += 1
            if operation == "complement" and word == brute.WRONG:
                counts[PARTIAL] += brute.is_disjoint_complement(question[1], answer[1:])
    return tally


def run(
    scale: float = 1.0, seed: int = 1, python: str | None = None, processes: int = 2, others: bool = True
) -> dict[str, Tally]:
    """Count everything, ``scale`` times the questions of :data:`COUNTS`, in so many processes."""
    jobs = list(_jobs(scale, seed, python, others))
    tallies = {operation: Tally(operation) for operation in OPERATIONS}
    start = time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        for done, tally in enumerate(pool.map(count_chunk, *zip(*jobs, strict=True)), 1):
            tallies[tally.operation].add(tally)
            if sys.stderr.isatty():
                end = "" if done < len(jobs) else "\n"
                print(f"\rexactness: {done}/{len(jobs)}, {time.monotonic() - start:.0f} s", end=end, file=sys.stderr)
    return tallies


def _jobs(scale: float, seed: int, python: str | None, others: bool) -> Iterator[tuple[Any, ...]]:
    for operation in OPERATIONS:
        total = max(1, round(COUNTS[operation] * scale))
        for first in range(0, total, _CHUNK):
            yield operation, min(_CHUNK, total - first), seed, first, python, others


def table(tallies: dict[str, Tally]) -> str:
    """The counts as a Markdown table, a line for each tool and operation."""
    head = ["operation", "tool", "questions", "right", "wrong", "wrongly refused", "unknown", "died"]
    lines = [head, ["---"] * 2 + ["---:"] * 6]
    for operation, tally in tallies.items():
        for tool, counts in tally.tools.items():
            version = tally.versions.get(tool)
            if version is None:
                lines.append([operation, tool, peers.NOT_INSTALLED, *[""] * 5])
                continue
            words = (brute.RIGHT, brute.WRONG, brute.WRONGLY_REFUSED, brute.UNKNOWN)
            died = counts[peers.DIED] + counts[CRASHED]
            numbers = [tally.questions, *(counts[word] for word in words), died]
            lines.append([operation, f"{tool} {version}", *(f"{n:,}" for n in numbers)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def remarks(tallies: dict[str, Tally]) -> str:
    """What the table does not show: how the questions are made up, and veritile's failures."""
    lines = []
    for operation, tally in tallies.items():
        n = max(1, tally.questions)
        facts = f"{operation}: an answer exists for {tally.facts[EXISTS] / n:.0%}"
        if operation == "composition":
            facts += f", B stays inside A for {tally.facts[IN_BOUNDS] / n:.0%}"
        if operation == "complement":
            for tool, counts in tally.tools.items():
                if counts[PARTIAL]:
                    facts += f"; {counts[PARTIAL]:,} of {tool}'s wrong ones are disjoint but leave gaps"
        ours = tally.tools.get(OURS, Counter())
        facts += f"; witnesses that fail: {ours[BAD_WITNESS]}"
        lines += [facts, *(f"  {failure}" for failure in tally.failures)]
    return "\n".join(lines)


def as_data(tallies: dict[str, Tally]) -> dict[str, Any]:
    """The counts, JSON-ready."""
    return {
        operation: {
            "questions": tally.questions,
            "facts": dict(tally.facts),
            "tools": {
                tool: {"version": tally.versions.get(tool), **dict(counts)} for tool, counts in tally.tools.items()
            },
            "seconds": {name: round(seconds, 3) for name, seconds in tally.seconds.items()},
            "failures": tally.failures,
        }
        for operation, tally in tallies.items()
    }


def exact(tallies: dict[str, Tally]) -> bool:
    """Whether veritile was right on every question, with witnesses that hold."""
    return all(
        tally.tools[OURS][brute.RIGHT] == tally.questions and not tally.tools[OURS][BAD_WITNESS]
        for tally in tallies.values()
    )
