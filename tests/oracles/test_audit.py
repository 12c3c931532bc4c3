"""The audit's verdicts on what the CuTe DSL really answers, against the judge that tries everything.

Nothing may be called right whose table is another, and nothing wrong whose table is the one asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from veritile.kernels.audit import algebra as _rules
from veritile.kernels.audit.text import Operation
from veritile.kernels.audit.types import read_type
from veritile.kernels.audit.verdict import NOT_CHECKED, RIGHT, RULES, WRONG, Call, Decision

from . import brute, cases, peers
from .brute import Pair

NAMES = {"divide": "logical_divide"}
assert _rules  # importing it fills RULES


def text_of(tree: Any) -> str:
    return f"({','.join(map(text_of, tree))})" if isinstance(tree, tuple) else str(tree)


def type_of(operand: Any) -> str:
    if isinstance(operand, int):
        return f'!cute.shape<"{operand}">'
    return f'!cute.layout<"{text_of(operand[0])}:{text_of(operand[1])}">'


def decide(question: list[Any], result: Pair) -> Decision:
    """The audit's verdict on ``question``, answered with ``result``, as read from types."""
    name = f"cute.{NAMES.get(question[0], question[0])}"
    given = tuple(type_of(operand) for operand in question[1:])
    got = (type_of(result),)
    operation = Operation(name, ("%0",) * len(given), ("%1",), "", given, got, None, "", 1)
    return RULES[name](Call(operation, tuple(map(read_type, given)), tuple(map(read_type, got))))


def product_holds(form: str, a: Pair, b: Pair, r: Pair) -> bool | None:
    """Whether r(…) = A(a) + S(B(b)) with S the shifts that tile from 0 on; None where A does not tile."""
    offsets = brute.table(a)
    wanted = brute.table(b)
    if offsets.min() < 0 or len(set(offsets.tolist())) < len(offsets) or wanted.min() < 0:
        return None
    image = sum(1 << int(x) for x in offsets)
    covered, shifts = 0, []
    while len(shifts) <= int(wanted.max()):
        start = (~covered & (covered + 1)).bit_length() - 1
        if covered & (image << start):
            return None
        covered |= image << start
        shifts.append(start)
    starts = np.array(shifts)
    ranks = [len(x[0]) if isinstance(x[0], tuple) else 1 for x in (a, b)]
    if form == "logical":
        if not isinstance(r[0], tuple) or len(r[0]) != 2:
            return False
        values = (starts[wanted][:, None] + offsets[None, :]).ravel()
        return brute.size(r[0]) == len(values) and bool(np.array_equal(brute.table(r), values))
    modes = []
    for x, rank in zip((a, b), ranks, strict=True):
        sizes = [brute.size(s) for s in x[0]] if isinstance(x[0], tuple) else [brute.size(x[0])]
        modes.append(sizes + [1] * (max(ranks) - rank))
    if not isinstance(r[0], tuple) or [brute.size(s) for s in r[0]] != [m * n for m, n in zip(*modes, strict=True)]:
        return False
    ours = offsets.reshape(modes[0][::-1])
    shift = starts[wanted].reshape(modes[1][::-1])
    k = max(ranks)
    # Axes run slowest first; of each pair the block is the faster in a blocked product, the slower in a raked one.
    total = shift.reshape([n for m in shift.shape for n in ((m, 1) if form == "blocked" else (1, m))])
    block = ours.reshape([n for m in ours.shape for n in ((1, m) if form == "blocked" else (m, 1))])
    values = (total + block).ravel()
    assert len(values) == int(np.prod(modes[0])) * int(np.prod(modes[1])) and k
    return bool(np.array_equal(brute.table(r), values))


def holds(question: list[Any], result: Pair) -> bool | None:
    """Whether the answer has the table asked for, by trying everything; None where the judge has no opinion."""
    operation, a = question[0], question[1]
    answer = ("layout", *result)
    if not brute.well_formed(result):
        return False
    if operation == "composition":
        return brute.check_composition(a, question[2], answer) == brute.RIGHT
    if operation == "divide":
        truth = brute.divide_truth(a, question[2])
        if truth[1].answer is None:
            return None
        covered = brute.size(question[2][0]) * brute.size(truth[1].answer[0])
        if covered == brute.size(a[0]) or brute.check_divide(a, question[2], answer, truth) == brute.RIGHT:
            return brute.check_divide(a, question[2], answer, truth) == brute.RIGHT
        return _inside(a, question[2], truth[1].answer, result)
    if operation == "complement":
        truth = brute.complement_truth(a, question[2])
        if truth.answer is None:
            return None if brute.is_disjoint_complement(a, result) or truth.why == "not injective" else False
        return brute.check_complement(a, question[2], answer, truth) == brute.RIGHT
    if operation == "right_inverse":
        return brute.check_right_inverse(a, answer) == brute.RIGHT
    if operation == "left_inverse":
        return brute.check_left_inverse(a, answer) == brute.RIGHT
    if operation == "coalesce":
        return brute.size(result[0]) == brute.size(a[0]) and bool(np.array_equal(brute.table(a), brute.table(result)))
    return product_holds(operation.removesuffix("_product"), a, question[2], result)


def _inside(a: Pair, b: Pair, rest: Pair, result: Pair) -> bool:
    """A ragged divide: where (B, B*) points inside A, the result has A's value there."""
    where = brute.table(((b[0], rest[0]), (b[1], rest[1])))
    if not isinstance(result[0], tuple) or len(result[0]) != 2 or brute.size(result[0]) != len(where):
        return False
    if not brute.compatible(b[0], result[0][0]):
        return False
    inside = where < brute.size(a[0])
    return bool(np.array_equal(brute.table(result)[inside], brute.table(a)[where[inside]]))


def questions(operation: str, count: int, seed: int) -> list[list[Any]]:
    if operation.endswith("_product") or operation == "coalesce":
        rng = Random(f"{seed}/{operation}")
        found: list[list[Any]] = []
        for _ in range(count):
            a = _small(rng)
            found.append([operation, a] if operation == "coalesce" else [operation, a, _small(rng)])
        return found
    return list(cases.cases(operation, count, seed))


def _small(rng: Random) -> Pair:
    """A layout of few elements, compact in some order more often than not."""
    sizes = cases.random_sizes(rng, rng.randint(1, 3), 24)
    if rng.random() < 0.6:
        order = sorted(range(len(sizes)), key=lambda _: rng.random())
        strides, reached = [0] * len(sizes), rng.choice((1, 1, 2))
        for k in order:
            strides[k] = reached
            reached *= sizes[k] * rng.choice((1, 1, 1, 2))
        return cases.nest(rng, sizes, tuple(strides))
    return cases.nest(rng, sizes, tuple(min(abs(d), 40) for d in cases.random_strides(rng, sizes)))


OPERATIONS = {
    "composition": 800,
    "divide": 600,
    "complement": 400,
    "coalesce": 300,
    "logical_product": 300,
    "blocked_product": 300,
    "raked_product": 300,
    "right_inverse": 300,
    "left_inverse": 300,
}


def compared(operation: str, count: int, seed: int, python: str) -> tuple[Counter[str], list[str]]:
    """Verdicts counted beside what the judge says, and the cases in which they contradict one another."""
    asked = questions(operation, count, seed)
    replies = peers.ask("CuTe DSL", asked, python)
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for question, answer in zip(asked, replies.answers, strict=True):
        if answer[0] != "layout":
            counts[answer[0]] += 1
            continue
        decision = decide(question, answer[1:])
        truth = holds(question, answer[1:])
        counts[f"{decision.verdict}, table {({True: 'agrees', False: 'differs', None: 'open'})[truth]}"] += 1
        if (decision.verdict == RIGHT and truth is False) or (decision.verdict == WRONG and truth is True):
            faults.append(f"{question} -> {answer[1:]}: {decision.verdict}, {decision.reason}")
    return counts, faults


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_verdicts_on_the_dsls_answers(operation: str, oracle_python: Callable[[str], str]) -> None:
    counts, faults = compared(operation, OPERATIONS[operation], 7, oracle_python("cutlass"))
    assert faults == [], counts
    assert counts[f"{RIGHT}, table agrees"] > 0
    assert sum(n for key, n in counts.items() if key.startswith(NOT_CHECKED)) == 0


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        (["composition", ((4, 8), (1, 4)), (8, 2)], (8, 2), (8, 3)),
        (["composition", ((8, 8), (8, 1)), (3, 3)], (3, 24), (3, 3)),
        (["divide", (24, 3), (8, 3)], ((8, 3), (9, 3)), ((8, 3), (9, 6))),
        (["complement", ((2, 2), (1, 6)), 24], ((3, 2), (2, 12)), ((3, 2), (2, 6))),
        (["coalesce", ((4, 8), (1, 4))], (32, 1), (32, 2)),
        (["logical_product", ((2, 2), (1, 2)), (3, 1)], (((2, 2), 3), ((1, 2), 4)), (((2, 2), 3), ((1, 2), 2))),
        (["blocked_product", ((2, 2), (2, 1)), ((3, 2), (1, 3))], ((2, 3), (2, 2)), None),
        (["right_inverse", ((4, 8), (8, 1))], ((8, 4), (4, 1)), ((8, 4), (1, 8))),
        (["left_inverse", ((4, 8), (8, 1))], ((8, 4), (4, 1)), ((8, 4), (4, 2))),
    ],
)
def test_the_judge_and_the_audit_on_known_answers(question: list[Any], good: Any, bad: Any) -> None:
    if bad is None:
        good, bad = (((2, 3), (2, 2)), ((2, 4), (1, 12))), (((2, 3), (2, 2)), ((2, 4), (1, 8)))
    assert holds(question, good) is True
    assert holds(question, bad) is False
    assert decide(question, good).verdict == RIGHT
    assert decide(question, bad).verdict == WRONG
