"""Obligations whose operands have names: each decided for every value that the names may have.

A question is a plain function of its operands that gives obligations, as the contracts do. With one name it runs on
polynomials, as in :mod:`.results`, and on *pieces*: n = M·t + r for t from ``start`` to ``stop``. Where a comparison
has different answers on a piece it is cut there, where a quotient asks for it the piece is split into residues, and
what is left are pieces on which the function takes one way; a piece that needs plain numbers is asked value by value.
No solver runs. Several names are asked value by value where they have few, else by :mod:`.paths`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from ...model.errors import InputError, Refuted, Undecided, Witness
from ...model.names import ALWAYS, NEVER, Compare, Condition, Expr, Member, both, either, names_in
from ...smt.germs import (
    HUGE,
    Outside,
    Split,
    Traced,
)
from ..contracts.obligation import Obligation
from ..verdict import Verdict
from .conditions import Vocabulary, hints_of, tail_condition
from .domain import bounds_of, first_classes, named_values, nothing_allowed, scope_of, some_values, values_allowed
from .operands import instantiate, take_apart
from .pieces import Cut, Piece, joined, piece_of
from .results import deadline, decide, require_values
from .symbols import swapped_contracts, symbols

Question = Callable[..., list[Obligation]]
Key = tuple[str, int]  # a rule, and which of its obligations: there may be several of one name

PIECES = 5000  # pieces that are looked at
POINTS = 8000  # values that are asked one by one
SMALL = 2  # values of a piece that are asked at once, without polynomials
FEW = 64  # values that are all asked at once
CHECKED = 24  # pieces that are asked once more at a value
LEAST = 0.2  # seconds that each obligation has, if its question's are spent
SPENT = "the budget was spent"
SHORT = 160  # characters of a condition
WINDOW = 6000  # values among which a short condition is sought


@dataclass
class _Found:
    """What the question came to on a piece, or at one value."""

    said: dict[Key, Obligation]
    piece: Piece | None = None
    value: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all that is owed there is proved."""
        return all(o.verdict is Verdict.PROVED for o in self.said.values())


def decide_named(
    question: Question,
    operands: Sequence[Any],
    where: Condition = ALWAYS,
    seconds: float = 10.0,
    beside: Sequence[Any] = (),
    end: float = math.inf,
) -> list[Obligation]:
    """The obligations of a question, each for every value of the names that ``where`` allows.

    A refuted one has a value in its witness, and in ``details["conditions"]`` exactly where it holds, where that is
    known. Without names it is asked as it is; InputError where no value is allowed. ``beside`` are values whose
    numbers conditions may be made of. ``seconds`` are shared out, and each obligation has a little of its own beside;
    after the time ``end`` none has.

    >>> from ...model.notation import parse
    >>> from ..contracts.offsets import decide_offsets
    >>> rows = parse("(4096,N):(N,1)", names=True)
    >>> for o in decide_named(lambda layout: decide_offsets(layout, 31, 8), [rows])[:1]:
    ...     print(o.verdict.value, o.witness.values["names"], o.details["conditions"])
    refuted {'N': 524289} N <= 524288
    """
    names = sorted(names_in(*operands))
    if not names:
        return question(*operands)
    asked = _Asked(question, operands, names, where, min(deadline(seconds), end), beside, end=end)
    few = values_allowed(names, where, FEW if len(names) == 1 else POINTS)
    if few is not None:
        asked.at_values(few)
    elif len(names) == 1:
        asked.by_pieces()
    else:
        return _by_paths(asked)
    if not asked.found and not asked.left:
        raise nothing_allowed(names, where)
    return [asked.obligation(key) for key in asked.owed()]


@dataclass
class _Asked:
    """One question on its way."""

    question: Question
    operands: Sequence[Any]
    names: Sequence[str]
    where: Condition
    until: float
    beside: Sequence[Any] = ()
    found: list[_Found] = field(default_factory=list)
    left: list[tuple[Piece, str]] = field(default_factory=list)  # pieces that were not decided, and why
    known: dict[tuple[int, ...], dict[Key, Obligation]] = field(default_factory=dict)
    later: list[tuple[Piece, dict[Key, Obligation], str]] = field(default_factory=list)
    plain: dict[Any, dict[Key, Obligation]] = field(default_factory=dict)  # by operands without names
    points: int = 0
    end: float = math.inf  # after which nothing more is asked
    instantiate: Callable[[Any, Mapping[str, Any]], Any] = instantiate

    @property
    def scope(self) -> str:
        """What the verdict is about."""
        return scope_of(self.names, self.where)

    def at(self, key: tuple[int, ...], late: bool = False) -> dict[Key, Obligation]:
        """The obligations at given values."""
        if key not in self.known:
            if time.monotonic() > self.until and not late:
                raise Undecided("the budget was spent before every value of the names was decided")
            values = dict(zip(self.names, key, strict=True))
            self.known[key] = self.of([self.instantiate(operand, values) for operand in self.operands])
        return self.known[key]

    def of(self, operands: Sequence[Any]) -> dict[Key, Obligation]:
        """The obligations of operands: with stand-ins for the contracts where a symbol is about, else as they are."""
        shape, numbers = take_apart(tuple(operands))
        if any(isinstance(n, Traced) for n in numbers):
            with swapped_contracts():
                return keyed(self.question(*operands))
        if (shape, numbers) not in self.plain:
            self.plain[shape, numbers] = keyed(self.question(*operands))
        return self.plain[shape, numbers]

    def at_values(self, keys: Sequence[tuple[int, ...]]) -> None:
        """Asks at every value."""
        for number, key in enumerate(keys):
            try:
                self.found.append(_Found(self.at(key), value=key))
            except Undecided as spent:
                rest = [k[0] for k in keys[number:]]
                self.left.append((Piece(1, 0, min(rest), max(rest)), spent.reason))
                return
        self.points += len(keys)

    def by_pieces(self) -> None:
        """Asks on every piece."""
        name = self.names[0]
        low, high = bounds_of(self.names, self.where)[name]
        waiting = [piece_of(m, r, max(low, 1), high) for m, r in reversed(first_classes(self.where, name))]
        with symbols():
            self._run(waiting)
        self._one_by_one()
        self._check()

    def _run(self, waiting: list[Piece]) -> None:
        name, made = self.names[0], 0
        while waiting:
            piece = waiting.pop()
            if piece.count == 0:
                continue
            made += 1
            if made > PIECES or time.monotonic() > self.until:
                spent = f"more than {PIECES} pieces" if made > PIECES else SPENT
                self.left.append((piece, spent))
                continue
            if piece.count is not None and piece.count <= SMALL:  # plain numbers: outside, where no symbol is about
                self.later.append((piece, {}, SPENT))
                continue
            try:
                value = Traced(piece.name, Expr.of(name))
                if not self.where.at({name: piece.name}):
                    continue
                given = [self.instantiate(operand, {name: value}) for operand in self.operands]
                said = keyed(self.question(*given))
                for obligation in said.values():
                    _look(obligation)
            except Cut as cut:
                waiting += [replace(piece, start=cut.at), replace(piece, stop=cut.at - 1)]
                continue
            except Split as split:
                if made + split.factor > PIECES:
                    self.later.append((piece, {}, f"more than {PIECES} residue classes of {name}"))
                    continue
                waiting += [
                    piece_of(piece.modulus * split.factor, piece.rest + piece.modulus * s, piece.least, piece.greatest)
                    for s in reversed(range(split.factor))
                ]
                continue
            except (Outside, OverflowError, MemoryError, IndexError) as stop:
                self.later.append(
                    (piece, {}, str(stop) if isinstance(stop, Outside) else "code that needs plain numbers")
                )
                continue
            except (Undecided, InputError) as stop:
                self.later.append((piece, {}, stop.reason if isinstance(stop, Undecided) else stop.message))
                continue
            if any(o.verdict is Verdict.UNKNOWN for o in said.values()):
                self.later.append((piece, said, ""))
            else:
                self.found.append(_Found(said, piece=piece))

    def _each(self, piece: Piece) -> bool:
        """Asks at each value of a piece; False where they are too many."""
        if piece.count is None or self.points + piece.count > POINTS:
            return False
        keys = [(n,) for n in piece.values() if self.where.at({self.names[0]: n})]
        start = time.monotonic()
        try:
            for key in keys[:3]:
                self.at(key)
        except Undecided:
            return False
        now = time.monotonic()
        if len(keys) > 3 and (now - start) * len(keys) > self.until - now:  # 3 values foretell: a third of the time
            return False
        try:
            for key in keys:
                self.at(key)
        except Undecided:
            return False
        self.at_values(keys)
        return True

    def _one_by_one(self) -> None:
        """Pieces that symbols did not decide: value by value, or some values: one that fails refutes in any case."""
        for piece, said, reason in self.later:
            if self._each(piece):
                continue
            if said:
                self.found.append(_Found(said, piece=piece))
            else:
                self.left.append((piece, reason))
            self._sample(piece)

    def _sample(self, piece: Piece) -> None:
        few = [piece.start + i for i in (0, 1, 2, 7)] + ([] if piece.stop is None else [piece.stop])
        for t in few:
            n = piece.modulus * t + piece.rest
            if (piece.stop is None or t <= piece.stop) and n >= 1 and self.where.at({self.names[0]: n}):
                self.found.append(_Found(self.at((n,), late=True), value=(n,)))

    def _check(self) -> None:
        """Pieces once more at a value: what polynomials gave is what numbers give."""
        pieces = [f for f in self.found if f.piece is not None]
        for f in pieces[:: max(1, len(pieces) // CHECKED)]:
            assert f.piece is not None
            for n in {f.piece.least, f.piece.greatest or f.piece.least + 5 * f.piece.modulus}:
                if not self.where.at({self.names[0]: n}):
                    continue
                plain = {key: o.verdict for key, o in self.at((n,), late=True).items()}
                told = {key: o.verdict for key, o in f.said.items() if o.verdict is not Verdict.UNKNOWN}
                is_all_told = len(told) == len(f.said)
                if any(plain.get(key) is not verdict for key, verdict in told.items()) or (
                    is_all_told and set(plain) != set(told)
                ):
                    raise AssertionError(f"{self.names[0]} = {n} gives {plain}, not what its piece gives")

    # What is known of each

    def owed(self) -> list[Key]:
        """The obligations that are owed at some value, in order."""
        seen = list(dict.fromkeys(key for f in self.found for key in f.said))
        return seen or ([("names", 0)] if self.left else [])

    def obligation(self, key: Key) -> Obligation:
        """One obligation, for all values."""
        mine = [(f, f.said[key]) for f in self.found if key in f.said]
        if not mine:
            reason = f"not decided for {self.scope}: {self.left[0][1]}"
            return open_obligation(reason)
        of = {verdict: [(f, o) for f, o in mine if o.verdict is verdict] for verdict in Verdict}
        if of[Verdict.REFUTED]:
            return self._refuted(key, of[Verdict.REFUTED], len(of[Verdict.UNKNOWN]) + len(self.left) == 0)
        shown = mine[0][1]
        if of[Verdict.UNKNOWN]:
            f, o = of[Verdict.UNKNOWN][0]
            return replace(o, reason=f"not decided for {self._place(f)}: {o.reason}", evidence=())
        if self.left:
            reason = f"not decided for {self.left[0][0].condition(self.names[0])}: {self.left[0][1]}"
            return Obligation(shown.name, shown.rule, shown.source, Verdict.UNKNOWN, reason)
        shown = next((o for f, o in mine if f.piece is not None), shown)
        reason = _holds_for(self.scope, len(mine) == len(self.found))
        if len(self.found) == 1:
            reason = f"{shown.reason}, for {self.scope}"
        return replace(shown, reason=reason, evidence=self._evidence(), details={"names": list(self.names)})

    def _evidence(self) -> tuple[str, ...]:
        pieces = sum(f.piece is not None for f in self.found)
        parts = []
        if pieces:
            parts.append(f"closed-form ({pieces} piece{'s' * (pieces > 1)} of {self.names[0]})")
        if len(self.found) > pieces:
            parts.append(f"enumeration ({len(self.found) - pieces} of the values of {', '.join(self.names)})")
        return tuple(parts)

    def _place(self, f: _Found) -> str:
        return named_values(self.names, f.value) if f.piece is None else str(f.piece.condition(self.names[0]))

    def _refuted(self, key: Key, failing: list[tuple[_Found, Obligation]], is_all_known: bool) -> Obligation:
        candidates = [f.value if f.piece is None else (self._first(f.piece),) for f, _ in failing]
        least = min(candidates, key=lambda k: (sum(k), k))
        there = self.at(least, late=True)[key]
        inner = there.witness
        values = {"names": dict(zip(self.names, least, strict=True)), **(inner.values if inner is not None else {})}
        witness = Witness(inner.kind if inner is not None else "names", values)
        details: dict[str, Any] = {**there.details, "names": list(self.names)}
        told = ""
        failed = {id(f) for f, _ in failing} | {id(f) for f in self.found if key not in f.said and not f.holds}
        condition = self._condition(failed) if is_all_known else None
        if condition is not None:
            text = "never" if condition == NEVER else condition.code()
            details["conditions"] = text
            told = "; it holds for no value allowed" if text == "never" else f"; it holds exactly where {text}"
        reason = f"fails at {named_values(self.names, least)}: {there.reason}{told}"
        return replace(there, reason=reason, witness=witness, details=details)

    def _hints(self) -> tuple[int, ...]:
        """Numbers that the operands are made of."""
        numbers = [n for operand in (*self.operands, *self.beside) for n in take_apart(operand)[1]]
        named = [int(c) for n in numbers if isinstance(n, Expr) for c in n.terms.values()]
        return hints_of([*named, *(int(n) for n in numbers if not isinstance(n, Expr))])

    def _first(self, piece: Piece) -> int:
        n = piece.least
        while not self.where.at({self.names[0]: n}):
            n += piece.modulus
        return n

    def _condition(self, failing: set[int]) -> Condition | None:
        """Exactly where it holds, among the values allowed; None where no short condition is found."""
        holding = [f for f in self.found if id(f) not in failing]
        if not holding:
            return NEVER
        runs = self._runs(failing) if len(self.names) == 1 else None
        if runs is not None:
            return runs
        flags: dict[tuple[int, ...], bool] = {}
        for f in self.found:
            if f.piece is None:
                flags[f.value] = id(f) not in failing
        pieces = [f for f in self.found if f.piece is not None]
        total, tail = len(flags), None
        if pieces:
            period = math.lcm(*(f.piece.modulus for f in pieces if f.piece is not None))
            settled = max([f.piece.least for f in pieces if f.piece is not None and f.piece.stop is None], default=1)
            settled = max(settled, *(n + 1 for (n,) in flags), 1) if flags else settled
            settled = max(settled, 1 + max((h for h in self._hints() if h <= WINDOW // 3), default=0))
            is_endless = any(f.piece is not None and f.piece.stop is None for f in pieces)
            top = settled + 2 * period
            for f in pieces:
                assert f.piece is not None
                last = f.piece.greatest if f.piece.greatest is not None else top
                total += max(0, (last - f.piece.least) // f.piece.modulus + 1)
            if total <= WINDOW:
                for f in pieces:
                    assert f.piece is not None
                    last = f.piece.greatest if f.piece.greatest is not None else top
                    for n in range(f.piece.least, last + 1, f.piece.modulus):
                        if self.where.at({self.names[0]: n}):
                            flags[(n,)] = id(f) not in failing
                tail = (settled, period) if is_endless else None
        if total <= WINDOW:
            keys = sorted(flags)
            hints = [h for h in self._hints() if tail is None or h < tail[0]]
            found = Vocabulary(self.names, keys, hints, tail, (), 8).condition([flags[k] for k in keys], None)
            if found is not None:
                return found
        if len(self.names) > 1:
            return either(
                *(
                    both(*(Compare(Expr.of(n), "==", Expr.of(v)) for n, v in zip(self.names, f.value, strict=True)))
                    for f in holding
                )
            )
        parts: list[Condition] = joined([f.piece for f in holding if f.piece is not None], self.names[0])
        listed = tuple(f.value[0] for f in holding if f.piece is None)
        whole = either(*parts, *([Member(Expr.of(self.names[0]), listed)] if listed else []))
        return whole if len(whole.code()) <= SHORT else None

    def _runs(self, failing: set[int]) -> Condition | None:
        """As few residue classes, in each of which it holds on few intervals; None where there are no such."""
        period = math.lcm(
            *(f.piece.modulus for f in self.found if f.piece is not None), *(h for h in self._hints() if h < 65)
        )
        name = Expr.of(self.names[0])
        ends = []
        for f in self.found:
            low = f.piece.least if f.piece is not None else f.value[0]
            last = f.piece.greatest if f.piece is not None else f.value[0]
            ends.append(
                (low, math.inf if last is None else last, id(f) not in failing, f.piece.modulus if f.piece else 0)
            )
        ends.sort(key=lambda e: e[:3])
        for m in (m for m in range(1, 257) if period % m == 0):
            classes: dict[int, list[list[Any]]] = {}
            for low, high, holds, modulus in ends:
                if modulus % m:  # its values are in several classes
                    first, step = low, math.gcd(modulus, m)
                    residues = {(first + step * i) % m for i in range(m // step)}
                else:
                    residues = {low % m}
                for r in residues:
                    mine = classes.setdefault(r, [])
                    if mine and mine[-1][2] == holds:
                        mine[-1][1] = max(mine[-1][1], high)
                    else:
                        mine.append([low, high, holds])
            if any(a[1] >= b[0] for mine in classes.values() for a, b in pairwise(mine)):
                continue
            if any(len(mine) > 4 for mine in classes.values()):
                continue
            parts: list[Condition] = []
            for r, mine in sorted(classes.items()):
                for number, (low, high, holds) in enumerate(mine):
                    if holds:
                        inside = [] if m == 1 else [tail_condition(self.names[0], [(m, r)])]
                        if number:
                            inside.append(Compare(name, ">=", Expr.of(int(low))))
                        if number + 1 < len(mine):
                            inside.append(Compare(name, "<=", Expr.of(int(high))))
                        parts.append(both(*inside))
            found = either(*parts)
            if len(found.code()) <= SHORT:
                return found
        return None


def keyed(obligations: Sequence[Obligation]) -> dict[Key, Obligation]:
    """Obligations by their names; of several of one name, by their place among these."""
    found: dict[Key, Obligation] = {}
    counts: dict[str, int] = {}
    for obligation in obligations:
        number = counts.get(obligation.name, 0)
        counts[obligation.name] = number + 1
        found[obligation.name, number] = obligation
    return found


def _look(obligation: Obligation) -> None:
    """Outside where a figure shows that a symbol was used as a plain number."""
    for _, value in obligation.details.items():
        if type(value) is int and abs(value) > HUGE:
            raise Outside("a number so large that a symbol may have been used as a plain one")


@dataclass(frozen=True)
class _Answer:
    """One obligation, as an answer that :func:`.results.decide` reads."""

    verdict: str
    reason: str | None = None
    witness: Witness | None = None
    result: Any = None
    in_bounds: bool | None = None
    exact: bool | None = None
    out_of_range: int = 0


def _by_paths(asked: _Asked) -> list[Obligation]:
    """Several names of many values: each obligation by :mod:`.paths`.

    What is owed differs from value to value, and is seen at small ones. That nothing else is owed and fails is a
    question of its own; the paths of a rule that was decided on all of them answer it too.
    """
    from .paths import grid

    first = next(some_values(asked.names, asked.where), None)
    if first is None:
        require_values(asked.names, asked.where)
        return [open_obligation(f"no small value was found among {asked.scope}")]
    owed = {**asked.at(first, late=True), **_owed_at(asked, grid(asked.operands, asked.names, asked.where))}
    waiting, made, is_all_seen = list(owed), [], False
    while True:
        for key in waiting:
            found, sees_all = _on_paths(asked, key, owed[key], frozenset(owed))
            made.append(found)
            is_all_seen |= sees_all
        if is_all_seen:
            return made
        rest, _ = _on_paths(asked, None, open_obligation(""), frozenset(owed))
        if rest.verdict is Verdict.PROVED:
            return made
        more = _failing_beside(asked, rest, owed)
        if not more:
            return [*made, open_obligation(f"what else is owed is not decided: {rest.reason}")]
        owed |= more
        waiting = list(more)


def open_obligation(reason: str) -> Obligation:
    """That not every value is decided, and why."""
    return Obligation("names", "every value is decided", "ours", Verdict.UNKNOWN, reason)


def _owed_at(asked: _Asked, keys: Sequence[tuple[int, ...]]) -> dict[Key, Obligation]:
    """What is owed at the values, as far as a part of the time goes."""
    owed: dict[Key, Obligation] = {}
    until = time.monotonic() + (asked.until - time.monotonic()) / 8
    for at in keys:
        if time.monotonic() > until:
            break
        with suppress(InputError, Refuted, Undecided):
            owed = {**asked.at(at), **owed}
    return owed


def _failing_beside(asked: _Asked, found: Obligation, owed: Mapping[Key, Obligation]) -> dict[Key, Obligation]:
    """Obligations at the witness that are not known by name yet, and fail there."""
    values = found.witness.values.get("names") if found.verdict is Verdict.REFUTED and found.witness else None
    if values is None:
        return {}
    there = asked.at(tuple(values[name] for name in asked.names), late=True)
    return {key: o for key, o in there.items() if key not in owed and o.verdict is Verdict.REFUTED}


def _on_paths(asked: _Asked, key: Key | None, shown: Obligation, owed: frozenset[Key]) -> tuple[Obligation, bool]:
    """One obligation on every path, or all that are not known by name; and whether it is seen that none of these fails.

    That is seen where the answer rests on all values, and none of what ran owed such a one.
    """
    is_owed_everywhere = is_alone_to_fail = is_nothing_beside = True

    def one(*operands: Any) -> _Answer:
        nonlocal is_owed_everywhere, is_alone_to_fail, is_nothing_beside
        said = asked.of(operands)
        beside = next((o for k, o in said.items() if k not in owed and o.verdict is not Verdict.PROVED), None)
        is_nothing_beside &= beside is None
        mine = beside if key is None else said.get(key)
        if key is not None and mine is None:
            is_owed_everywhere = False
            is_alone_to_fail &= all(o.verdict is Verdict.PROVED for o in said.values())
        return _Answer("proved") if mine is None else _Answer(mine.verdict.value, mine.reason, mine.witness)

    now = time.monotonic()
    if now >= asked.end:
        return Obligation(shown.name, shown.rule, shown.source, Verdict.UNKNOWN, SPENT), False
    left = min(max(LEAST, (asked.until - now) / 4), asked.end - now)
    try:
        answer = decide(one, asked.operands, asked.where, left)
    except (Outside, OverflowError, MemoryError, IndexError, InputError) as stop:
        reason = f"not decided: {stop}"
        return Obligation(shown.name, shown.rule, shown.source, Verdict.UNKNOWN, reason), False
    verdict = Verdict(answer.verdict)
    is_for_all = verdict is Verdict.PROVED or answer.conditions is not None
    details: dict[str, Any] = {"names": list(asked.names)}
    if answer.conditions is not None and is_alone_to_fail:
        details["conditions"] = "never" if answer.conditions == NEVER else answer.conditions.code()
    reason = answer.reason or _holds_for(asked.scope, is_owed_everywhere)
    if verdict is Verdict.REFUTED and "conditions" in details:
        reason += f"; it holds exactly where {details['conditions']}"
    evidence = tuple(answer.evidence)
    found = Obligation(shown.name, shown.rule, shown.source, verdict, reason, answer.witness, evidence, details)
    return found, is_for_all and is_nothing_beside


def _holds_for(scope: str, is_owed_everywhere: bool) -> str:
    return f"holds for {scope}" if is_owed_everywhere else f"holds where it is owed, for {scope}"


__all__ = ["SPENT", "decide_named", "keyed", "open_obligation"]
