"""Questions with several names: guessed from small values, then proved on every path of the function that decides.

The question is asked at a grid of small values, and the answer there summed up as a condition and formulas. Then the
same function runs on symbolic integers (:mod:`...smt.symbolic`): on every path that a solver does not exclude the
condition must hold exactly where the path ends well, and the formulas must give the path's result, both proved from
what the path knows. A path on which that fails gives values that join the grid, and the guess is made anew. What cannot
run on symbols, or is not proved in time, is unknown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from ...model.errors import InputError, Undecided
from ...model.names import ALWAYS, Compare, Condition, Expr, NotAnInteger, conjuncts
from ...smt import germs
from ...smt.germs import Traced
from ...smt.polynomial import Poly
from ...smt.prover import VERSION, Fact, Prover
from ...smt.symbolic import End, Infeasible, Outside, Path, Run, explore
from .domain import Key, congruence, nothing_allowed
from .operands import take_apart
from .results import (
    HOLDS,
    OPEN,
    Case,
    NamedAnswer,
    Outcome,
    _Asked,
    _flat_modes,
    _mode_places,
    _summed,
    ask_at,
)
from .symbols import standing_in

GRID = 324  # values of the grid, about
ROUNDS = 6
PATHS = 400
PATH_SECONDS = 4.0
DECISIONS = 150
CONDITION = "the condition"
QUALITIES = "whether it is in bounds and exact"


class _Differs(Exception):
    """A path on which the guess is not proved; ``what`` says of it what."""


def by_paths(question: _Asked, scope: str) -> NamedAnswer:
    """The answer for all values that ``where`` allows, or unknown with the reason."""
    names, where = question.names, question.where
    keys = grid(question.operands, names, where)
    if not keys and _is_impossible(names, where, question.until):
        raise nothing_allowed(names, where)
    reason = "nothing is known of the values allowed"
    for number in range(ROUNDS):
        if not keys:
            break
        asked = question.again(cost=8 if number < 2 else 2)
        try:
            asked.at_values(keys)
        except Undecided as undecided:
            reason = undecided.reason
            break
        guess = _summed(asked, scope)
        if guess.verdict == "unknown":
            return guess
        more: list[Key] = []
        for attempt in (guess, _without_qualities(guess), _without_result(guess)):
            found = _proved(question, attempt)
            if isinstance(found, int):
                return replace(attempt, evidence=_evidence(found, keys))
            reason, more = found
            more = [key for key in more if key not in keys]
            if more or CONDITION in reason:
                break
        if not more and number:
            break
        keys = sorted({*keys, *more})
    return NamedAnswer("unknown", scope, reason=reason)


def _without_qualities(guess: NamedAnswer) -> NamedAnswer:
    return replace(
        guess,
        in_bounds=None,
        exact=None,
        where_in_bounds=None,
        where_exact=None,
        out_of_range=None,
        notes=("whether it is in bounds and exact is not decided",),
    )


def _without_result(guess: NamedAnswer) -> NamedAnswer:
    return replace(_without_qualities(guess), cases=(), notes=("the result is not proved to be one formula by cases",))


def _evidence(paths: int, keys: Sequence[Key]) -> tuple[str, ...]:
    return (
        f"{paths} {'path' if paths == 1 else 'paths'} of the code, each decided by z3 {VERSION}",
        f"condition and result sought at {len(keys)} values",
    )


def grid(operands: Sequence[Any], names: Sequence[str], where: Condition) -> list[Key]:
    """Small values of the names, and those around the numbers of the operands, as far as they are allowed."""
    asked = _Asked(lambda: None, operands, names, where, 0.0)
    width = max(4, int(GRID ** (1 / len(names))))
    steps = dict.fromkeys(names, 1)
    for part in conjuncts(where):
        for name in names:
            modulus, rest = congruence(part, name)
            if modulus and rest == 0:
                steps[name] = max(steps[name], modulus)
    ranges = [list(range(steps[n], steps[n] * width + 1, steps[n])) for n in names]
    for k, name in enumerate(names if len(names) > 1 else ()):
        near = sorted({v for h in asked.hints for v in (h, h + 1) if v > ranges[k][-1] and v % steps[name] == 0})
        ranges[k] += near[:4]
    if len(names) == 1:
        around = {v for h in asked.hints for v in (h - 1, h, h + 1, 2 * h, 3 * h, 4 * h + 1)}
        ranges[0] = sorted({*ranges[0], *(v for v in around if v >= 1 and v % steps[names[0]] == 0)})
    keys = list(product(*ranges))
    return [key for key in keys if where.at(dict(zip(names, key, strict=True)))]


def _proved(asked: _Asked, guess: NamedAnswer) -> int | tuple[str, list[Key]]:
    """How many paths there are, all of them proved to be as guessed; or why not, with values to look at."""
    names, where = asked.names, asked.where
    paths: list[Path] = []

    def check(run: Run) -> None:
        assert isinstance(run, Path)
        paths.append(run)
        symbols = _symbols(run, names, where)
        traced = {name: Traced(symbols[name], Expr.of(name)) for name in names}
        try:
            with standing_in():
                outcome = ask_at(asked.question, asked.operands, traced)
        except germs.Outside as stop:
            raise Outside(str(stop)) from None
        if outcome.kind == OPEN:
            raise Outside(outcome.reason)
        expected = guess.conditions is None or guess.conditions.at(symbols)
        if (outcome.kind == HOLDS) != expected:
            raise _Differs(CONDITION)
        if outcome.kind == HOLDS and guess.cases and not _is_told(run, guess.cases, outcome, symbols):
            raise _Differs("the result")
        if outcome.kind == HOLDS and not _are_qualities(run, guess, outcome, symbols):
            raise _Differs(QUALITIES)
        run.ended(End.RETURNED)

    prover = Prover()
    seconds = asked.until - time.monotonic()
    if seconds <= 0:
        return "the budget was spent before every path was decided", []
    count = 0
    for ending in explore(check, prover, paths=PATHS, seconds=seconds, path_seconds=PATH_SECONDS, most=DECISIONS):
        count += 1
        if ending.end is End.RETURNED:
            continue
        if ending.end is End.RAISED and ending.detail.startswith("_Differs"):
            what = ending.detail.partition(": ")[2]
            return f"{what} is not proved on a path", _examples(prover, ending.facts, names, where, paths[-1])
        if ending.end is End.RAISED and "InputError" in ending.detail:
            raise InputError(ending.detail.partition(": ")[2])
        return f"a path is {ending.end.value}: {ending.detail}", []
    return count or ("no path is known to be one", [])


def _is_impossible(names: Sequence[str], where: Condition, until: float) -> bool:
    """Whether it is proved that no values are allowed."""

    def check(run: Run) -> None:
        _symbols(run, names, where)
        run.ended(End.RETURNED)

    seconds = min(PATH_SECONDS, until - time.monotonic())
    return seconds > 0 and not any(explore(check, paths=PATHS, seconds=seconds, path_seconds=seconds, most=DECISIONS))


def _symbols(run: Run, names: Sequence[str], where: Condition) -> dict[str, Any]:
    """A symbol for each name, of which all is assumed that is known."""
    symbols: dict[str, Any] = {name: run.integer(name, 1, is_size=True) for name in names}
    for part in conjuncts(where):
        _assume(run, part, symbols)
    return symbols


def _examples(prover: Prover, facts: Sequence[Fact], names: Sequence[str], where: Condition, path: Path) -> list[Key]:
    """Values that follow a path, where the solver finds some."""
    found: list[Key] = []
    for model in path.models:
        values = {**dict.fromkeys(path.names, 1), **model}
        key = tuple(path.normal(Poly.of(name)).evaluate(values) for name in names)
        if all(v >= 1 for v in key) and where.at(dict(zip(names, key, strict=True))) and key not in found:
            found.append(key)
    if found:
        return found[:4]
    for bound in (24, 300, 100_000, 1 << 34, 1 << 70):
        found_model = prover.example(facts, bound)
        if found_model is None:
            continue
        values = {**dict.fromkeys(path.names, 1), **found_model}
        key = tuple(path.normal(Poly.of(name)).evaluate(values) for name in names)
        if all(v >= 1 for v in key) and where.at(dict(zip(names, key, strict=True))):
            found.append(key)
            break
    return found


def _assume(run: Run, part: Condition, symbols: dict[str, Any]) -> None:
    if isinstance(part, Compare):
        left, right = part.left.at(symbols), part.right.at(symbols)
        if part.relation in (">", ">="):
            left, right = right, left
        run.assume(left, {">": "<", ">=": "<="}.get(part.relation, part.relation), right)
    elif not part.at(symbols):
        raise Infeasible


def _is_told(run: Path, cases: Sequence[Case], outcome: Outcome, symbols: dict[str, Any]) -> bool:
    """Whether the case that holds here gives the result of this path."""
    for case in cases:
        if case.when == ALWAYS or case.when.at(symbols):
            shape, numbers = take_apart((case.result, case.details))
            try:
                values = [e.at(symbols) if isinstance(e, Expr) else e for e in numbers]
            except NotAnInteger:
                return False
            found = [n.value if isinstance(n, Traced) else n for n in outcome.numbers]
            if shape == outcome.shape:
                free = {
                    d for s, d in _mode_places(shape) if d is not None and _one(run, values[s]) and _zero(run, found[d])
                }
                return all(
                    run.known(a, "==", b) or i in free for i, (a, b) in enumerate(zip(values, found, strict=True))
                )
            ours, theirs = _flat_modes(shape), _flat_modes(outcome.shape)
            if ours is None or theirs is None:
                return False
            left = [(values[s], values[d]) for s, d in ours if not _one(run, values[s])]
            right = [(found[s], found[d]) for s, d in theirs if not _one(run, found[s])]
            return len(left) == len(right) and all(
                run.known(a, "==", b) for p, q in zip(left, right, strict=True) for a, b in zip(p, q, strict=True)
            )
    return False


def _one(run: Path, value: Any) -> bool:
    return run.known(value, "==", 1)


def _zero(run: Path, value: Any) -> bool:
    return run.known(value, "==", 0)


def _are_qualities(run: Path, guess: NamedAnswer, outcome: Outcome, symbols: dict[str, Any]) -> bool:
    """Whether in_bounds, exact and what lies outside are as told."""
    for told, when, found in zip(
        (guess.in_bounds, guess.exact), (guess.where_in_bounds, guess.where_exact), outcome.flags, strict=True
    ):
        if told is not None and told != found:
            return False
        if when is not None and when.at(symbols) != (found is True):
            return False
    if guess.out_of_range is None:
        return True
    outside = guess.out_of_range
    value = outside.at(symbols) if isinstance(outside, Expr) else outside
    found = outcome.outside.value if isinstance(outcome.outside, Traced) else outcome.outside
    return run.known(value, "==", found)


__all__ = ["by_paths", "grid"]
