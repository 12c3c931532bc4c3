"""Questions on layouts whose sizes or strides have names: answered for every value allowed, or under a condition.

A question is a plain function of its operands, as the operations of ``model/`` are. It is decided by one of three
routes, all of which run that same function.

*Tails* (one name). The values are split into residue classes n = M·t + r. In each the function runs on polynomials in
t (:mod:`...smt.germs`), which settles all t from some start on; M grows where a quotient asks for it. The values before
the starts, finitely many, are asked one by one. So every value is decided, and beyond a bound T the answer repeats
with a period P: a condition that agrees with it at the values below T + P, made of facts that repeat so too, agrees
everywhere.

*Values*. Where ``--where`` leaves few enough values they are all asked.

*Paths* (several names): :mod:`.paths`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import gcd, inf, lcm
from typing import Any

from ...model.errors import InputError, Refuted, Undecided, Witness
from ...model.htuple import flatten
from ...model.names import (
    ALWAYS,
    NEVER,
    Compare,
    Condition,
    Expr,
    Member,
    NotAnInteger,
    both,
    conjuncts,
    either,
    names_in,
    parts_of,
)
from ...smt.germs import HUGE, Germ, Outside, Split, Tail, Traced, is_symbol
from .conditions import Vocabulary, hints_of, tail_condition
from .domain import Key, bounds_of, first_classes, named_values, nothing_allowed, scope_of, some_values, values_allowed
from .operands import Along, instantiate, put_together, take_apart
from .symbols import standing_in

Question = Callable[..., Any]

CLASSES = 256  # residue classes looked at before paths are tried
MOST_CLASSES = 4000  # and after
POINTS = 30_000  # values asked one by one
FEW = 256  # values that are all asked at once
ALL = 4096  # values that are all asked where nothing else decides
WINDOW = 20_000  # T + P up to which conditions are sought by trying
CASES = 6  # formulas for one result
SHOWN = 240  # characters of a condition that is only known at the values tried
SEEN = 0.5  # seconds that are left, if it is sought
HOLDS, FAILS, OPEN = "holds", "fails", "open"


@dataclass(frozen=True)
class Case:
    """The result where a condition holds."""

    when: Condition
    result: Any
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NamedAnswer:
    """What is known of a question with names.

    ``verdict``     ``proved`` for every value allowed, ``refuted`` where some allowed value fails, else ``unknown``
    ``conditions``  exactly where it holds: None where that is everywhere allowed, or where it is not known
    ``cases``       the results, each with the condition under which it is the one; one alone where one formula serves
    ``where_…``     where it is in bounds and exact, when that depends on the names
    ``witness``     the names' values at which it fails, and the witness there
    """

    verdict: str
    scope: str
    conditions: Condition | None = None
    cases: tuple[Case, ...] = ()
    reason: str | None = None
    witness: Witness | None = None
    evidence: tuple[str, ...] = ()
    in_bounds: bool | None = None
    exact: bool | None = None
    out_of_range: Any = 0
    notes: tuple[str, ...] = ()
    where_in_bounds: Condition | None = None
    where_exact: Condition | None = None

    @property
    def told(self) -> tuple[str, ...]:
        """The notes, with where it is in bounds and exact when that depends on the names."""
        found = [
            f"{text} exactly where {when.code()}"
            for text, when in (("in bounds", self.where_in_bounds), ("exact", self.where_exact))
            if when is not None
        ]
        if self.out_of_range is None:
            found.append("how many coordinates fall outside depends on the names")
        return (*found, *self.notes)

    @property
    def result(self) -> Any:
        """The result, where one formula serves all values for which there is one."""
        return self.cases[0].result if len(self.cases) == 1 else None


@dataclass(frozen=True)
class Outcome:
    """What the question came to at one value, or from some value of a residue class on."""

    kind: str
    shape: Any = None  # the result with its numbers taken out
    numbers: tuple[Any, ...] = ()
    flags: tuple[Any, ...] = (None, None)  # in_bounds, exact
    outside: Any = 0
    reason: str = ""
    witness: Witness | None = None


@dataclass
class _Member:
    """A value, or a residue class from its start on, with its outcome."""

    outcome: Outcome
    key: Key | None = None
    tail: Tail | None = None


class TooMany(Exception):
    """More classes or values than a route looks at."""


# Operands and results


def ask_at(question: Question, operands: Sequence[Any], values: Mapping[str, Any]) -> Outcome:
    """The outcome of the question where the names have ``values``."""
    given = [instantiate(operand, values) for operand in operands]
    is_symbolic = any(map(is_symbol, values.values()))
    try:
        answer = question(*given)
    except (OverflowError, MemoryError):
        if is_symbolic:
            raise Outside("code that needs plain numbers") from None
        raise
    except Refuted as refused:
        return Outcome(FAILS, reason=refused.reason, witness=refused.witness)
    except Undecided as undecided:
        return Outcome(OPEN, reason=undecided.reason)
    if getattr(answer, "verdict", "proved") == "refuted":
        return Outcome(FAILS, reason=answer.reason or "", witness=answer.witness)
    if getattr(answer, "verdict", "proved") == "unknown":
        return Outcome(OPEN, reason=answer.reason or "")
    shape, numbers = take_apart((answer.result, dict(getattr(answer, "details", {}))))
    if is_symbolic and any(type(n) is int and abs(n) > HUGE for n in numbers):
        raise Outside("a number so large that a symbol may have been used as a plain one")
    return Outcome(HOLDS, shape, numbers, (answer.in_bounds, answer.exact), answer.out_of_range)


# The routes


_IS_SOLVER_ALLOWED: ContextVar[bool] = ContextVar("_IS_SOLVER_ALLOWED", default=True)


@contextmanager
def without_solver() -> Iterator[None]:
    """What takes a solver is unknown, and none is asked: for certificates, which anyone can check by arithmetic.

    No clock runs either: what is looked at is bounded by counts alone, so that every machine comes to one answer.

    >>> from ...model.coalesce import decide_coalesce
    >>> from ...model.notation import parse
    >>> with without_solver():
    ...     answers = [decide(decide_coalesce, [parse(t, names=True)]) for t in ("(4,n):(1,4)", "(m,n):(1,m)")]
    >>> [answer.verdict for answer in answers], answers[1].reason
    (['proved', 'unknown'], 'several names take a solver, and none is asked here')
    """
    token = _IS_SOLVER_ALLOWED.set(False)
    try:
        yield
    finally:
        _IS_SOLVER_ALLOWED.reset(token)


def deadline(seconds: float) -> float:
    """When a budget is spent; never without a solver, where counts bound what is looked at."""
    return time.monotonic() + seconds if _IS_SOLVER_ALLOWED.get() else inf


def _paths(asked: _Asked, until: float, scope: str) -> NamedAnswer:
    if not _IS_SOLVER_ALLOWED.get():
        what = "several names take" if len(asked.names) > 1 else "this takes"
        return NamedAnswer("unknown", scope, reason=f"{what} a solver, and none is asked here")
    from .paths import by_paths

    return by_paths(asked.again(until=until), scope)


def decide(
    question: Question, operands: Sequence[Any], where: Condition = ALWAYS, seconds: float = 10.0
) -> NamedAnswer:
    """Where the question's answer is yes, and the result there, for all values of the names that ``where`` allows.

    InputError where it allows none.

    >>> from ...model.inverse import decide_right_inverse
    >>> from ...model.notation import parse
    >>> answer = decide(decide_right_inverse, [parse("(16,n):(1,16)", names=True)])
    >>> answer.verdict, str(answer.result), answer.scope
    ('proved', '16*n:1', 'every n')
    """
    names = sorted(names_in(*operands))
    strange = where.names - set(names)
    if strange:
        raise InputError(f"--where speaks of {', '.join(sorted(strange))}, which no operand has")
    asked = _Asked(question, operands, names, where, deadline(seconds))
    scope = scope_of(names, where)
    try:
        found = _decided(asked, scope)
    except Undecided as undecided:  # the clock of whoever asks: theirs, unless a value is known to fail
        found = _by_what_is_known(NamedAnswer("unknown", scope, reason=undecided.reason), asked)
        if found.verdict == "unknown":
            raise
        return found
    return _by_what_is_known(found, asked) if found.verdict == "unknown" else found


def _decided(asked: _Asked, scope: str) -> NamedAnswer:
    """The routes one after the other; what is known at given values grows on the way."""
    names, where = asked.names, asked.where
    reasons: list[str] = []
    few = values_allowed(names, where, FEW)
    if few is not None:
        try:
            return _summed(asked.again().at_values(few), scope)
        except Undecided as undecided:
            return NamedAnswer("unknown", scope, reason=undecided.reason)
    if len(names) == 1:
        try:
            return _summed(asked.again().by_tails(CLASSES), scope)
        except (TooMany, Outside, Undecided) as stop:
            reasons.append(str(stop))
    now = time.monotonic()
    found = _paths(asked, now + (asked.until - now) * (0.5 if len(names) == 1 else 0.9), scope)
    if found.verdict != "unknown":
        return found
    reasons.append(found.reason or "")
    if len(names) == 1:
        try:
            return _summed(asked.again().by_tails(MOST_CLASSES), scope)
        except (TooMany, Outside, Undecided):
            pass
    some = values_allowed(names, where, ALL)
    if some is not None:
        try:
            return _summed(asked.again().at_values(some), scope)
        except Undecided as undecided:
            reasons.append(undecided.reason)
    return replace(found, reason="; ".join(r for r in dict.fromkeys(reasons) if r and not _is_said(r, reasons)))


def _is_said(reason: str, reasons: Sequence[str]) -> bool:
    """Whether another reason says it too."""
    return any(reason != other and reason in other for other in reasons)


def _by_what_is_known(unknown: NamedAnswer, asked: _Asked) -> NamedAnswer:
    """Refuted by the least value that is known to fail, whatever else was not decided; else how many were tried."""
    known = asked.known
    failing = [key for key, outcome in known.items() if outcome.kind == FAILS]
    if not failing:
        tried = f"; at {_count(len(known), 'small value')} tried nothing fails" if known else ""
        return replace(unknown, reason=f"{unknown.reason}{tried}")
    least = min(failing, key=lambda key: (sum(key), key))
    witness, reason = witness_at(known[least], asked.names, least)
    return replace(
        unknown,
        verdict="refuted",
        reason=reason,
        witness=witness,
        evidence=(f"one value that fails, of {len(known)} tried",),
        notes=(f"the exact condition is not known: {unknown.reason}", *_seen(asked)),
    )


def _seen(asked: _Asked) -> Iterator[str]:
    """Where it holds among the values tried, if all are decided, time is left for that and it is short."""
    kinds = [outcome.kind for outcome in asked.known.values()]
    if len(kinds) < 2 or OPEN in kinds or asked.until - time.monotonic() < SEEN:
        return
    if HOLDS not in kinds:
        yield f"at the {len(asked.known)} values tried it never holds"
        return
    text = asked.again().at_values(sorted(asked.known)).condition(_holds).code()
    if 0 < len(text) < SHOWN:
        yield f"at the {len(asked.known)} values tried it holds exactly where {text}"


def require_values(names: Sequence[str], where: Condition) -> None:
    """InputError where it is known that no value of the names is allowed: of none, everything would hold.

    >>> from ...model.names import parse_condition
    >>> require_values(["M", "N"], parse_condition("M < N"))
    >>> require_values(["N"], parse_condition("N % 2 == 0, N % 2 == 1"))
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: no value of N is allowed: N % 2 == 0 and N % 2 == 1
      N % 2 == 0 and N % 2 == 1
      ^
    """
    if next(some_values(names, where), None) is None:
        decide(lambda *_: _Trivial(), [Expr.of(name) for name in names], where)


@dataclass(frozen=True)
class _Trivial:
    """The answer to a question that every value answers with yes."""

    result: Any = None
    in_bounds: bool | None = None
    exact: bool | None = None
    out_of_range: int = 0


@dataclass
class _Asked:
    """One question on its way."""

    question: Question
    operands: Sequence[Any]
    names: Sequence[str]
    where: Condition
    until: float
    members: list[_Member] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    found: list[_Member] = field(default_factory=list)
    tail: tuple[int, int] | None = None
    evidence: tuple[str, ...] = ()
    words: list[Compare] | None = None
    facts: Vocabulary | None = None
    known: dict[Key, Outcome] = field(default_factory=dict)
    cost: int = 8  # of what the code itself compares, against facts of our own

    def again(self, **changes: Any) -> _Asked:
        """The same question from the start; what is known at given values stays, and grows for both."""
        mine: dict[str, Any] = {"until": self.until, "known": self.known, **changes}
        return _Asked(self.question, self.operands, self.names, self.where, **mine)

    def clock(self) -> None:
        """Raises Undecided when the time is spent."""
        if time.monotonic() > self.until:
            raise Undecided("the budget was spent before every value of the names was decided")

    def at(self, key: Key) -> _Member:
        """The question at given values."""
        if key not in self.known:
            self.clock()
            self.known[key] = ask_at(self.question, self.operands, dict(zip(self.names, key, strict=True)))
        return _Member(self.known[key], key=key)

    def at_values(self, keys: list[Key]) -> _Asked:
        """The question at every value allowed."""
        for key in keys:
            self.clock()
            self.members.append(self.at(key))
        self.keys, self.found = keys, self.members
        self.evidence = (f"enumeration of all {len(keys)} values allowed",) if len(keys) != 1 else ("the one value",)
        return self

    def by_tails(self, classes: int) -> _Asked:
        """The question in every residue class, and at the values before the starts."""
        name = self.names[0]
        low, high = bounds_of(self.names, self.where)[name]
        waiting = first_classes(self.where, name)
        tails: list[_Member] = []
        excluded: list[Tail] = []
        points = 0
        while waiting:
            self.clock()
            modulus, rest = waiting.pop()
            tail = Tail(modulus, rest)
            if modulus * tail.start + rest < 1:
                tail.start = 1
            try:
                with standing_in():
                    value = Traced(tail.name, Expr.of(name))
                    if not self.relaxed.at({name: tail.name}):
                        excluded.append(tail)
                    else:
                        outcome = ask_at(self.question, self.operands, {name: value})
                        if outcome.kind == OPEN:
                            raise Outside(outcome.reason)
                        tails.append(_Member(outcome, tail=tail))
            except Split as split:
                if len(tails) + len(excluded) + len(waiting) + split.factor > classes:
                    raise TooMany(f"more than {classes} residue classes of {name}") from None
                waiting += [(modulus * split.factor, rest + modulus * s) for s in reversed(range(split.factor))]
        everything: list[Tail] = [*(m.tail for m in tails if m.tail is not None), *excluded]
        for tail in everything:
            points += tail.start
        if points > POINTS:
            raise TooMany(f"more than {POINTS} values of {name} would have to be asked one by one")
        by_key: dict[int, _Member] = {}
        for tail in everything:
            for t in range(tail.start):
                n = tail.modulus * t + tail.rest
                if n >= max(low, 1) and (high is None or n <= high) and self.where.at({name: n}):
                    self.clock()
                    by_key[n] = self.at((n,))
        tails = [m for m in tails if m.tail and (high is None or m.tail.least <= high)]
        _check(self, tails)
        self.members = [*(by_key[n] for n in sorted(by_key)), *tails]
        settled = max([t.least for t in everything] + [n + 1 for n in by_key] + [1])
        period = lcm(*(t.modulus for t in everything))
        hints = hints_of(int(c) for e in parts_of(list(self.operands)) for c in e.terms.values() if c.denominator == 1)
        largest = max((h for h in (*hints, *self.hints) if h <= 4096), default=1)
        settled = max(settled, largest + 1) if settled + period + largest < WINDOW else settled
        if settled + period > WINDOW:
            self.tail = None
            self.evidence = (f"closed-form in {len(tails)} residue classes, enumeration of {len(by_key)} values",)
            return self
        of_rest: dict[int, _Member] = {}
        for m in tails:
            assert m.tail is not None
            for rest in range(m.tail.rest, period, m.tail.modulus):
                of_rest[rest] = m
        top = settled + period if high is None else min(high + 1, settled + period)
        for n in range(max(low, 1), top):
            member = by_key.get(n)
            if member is None:
                late = of_rest.get(n % period)
                if late is not None and late.tail is not None and n >= late.tail.least and self.where.at({name: n}):
                    member = late
            if member is not None:
                self.keys.append((n,))
                self.found.append(member)
        self.tail = (settled, period) if high is None or high >= settled + period else None
        closed = f"closed-form from {name} = {max((m.tail.least for m in tails if m.tail), default=1)} on"
        self.evidence = (
            f"{closed} (residues modulo {period})" if period > 1 else closed,
            *((f"enumeration of {_count(len(by_key), 'smaller value')}",) if by_key else ()),
        )
        return self

    @property
    def relaxed(self) -> Condition:
        """What is known of the names without upper bounds, which would make every tail empty."""
        kept = []
        for part in conjuncts(self.where):
            if isinstance(part, Compare) and part.relation in ("<", "<=", ">", ">="):
                is_less = part.relation in ("<", "<=")
                small, large = (part.left, part.right) if is_less else (part.right, part.left)
                if isinstance(small.single, str) and large.value is not None:
                    continue
            kept.append(part)
        return both(*kept)

    @property
    def hints(self) -> tuple[int, ...]:
        """Numbers that the operands are made of."""
        numbers: list[int] = []
        for operand in self.operands:
            for number in take_apart(operand)[1]:
                numbers += [int(c) for c in number.terms.values()] if isinstance(number, Expr) else [int(number)]
        return hints_of(numbers)

    def condition(self, holds: Callable[[_Member], bool], among: Callable[[_Member], bool] | None = None) -> Condition:
        """Where a property of the outcomes holds, among the values of those that count."""
        if not self.keys and self.members:
            return self._by_classes(holds)
        if self.facts is None:
            more = self.vocabulary() if self.tail is None else ()
            self.facts = Vocabulary(self.names, self.keys, self.hints, self.tail, more, self.cost)
        counted = None if among is None else [among(m) for m in self.found]
        found = self.facts.condition([holds(m) for m in self.found], counted)
        return self._by_classes(holds) if found is None else found

    def vocabulary(self) -> list[Compare]:
        """What the code itself compares, at some of the values asked."""
        if self.words is None:
            found: dict[Compare, None] = {}
            points = [m.key for m in self.members if m.key is not None]
            for key in [*points[:: max(1, len(points) // 12)], *points[-6:]]:
                trace: list[Any] = []
                values = {n: Traced(v, Expr.of(n), trace) for n, v in zip(self.names, key, strict=True)}
                with standing_in():
                    ask_at(self.question, self.operands, values)
                for left, sign, right, answer in trace:
                    one = _tidy(left - Expr.of(right), sign)
                    if one is not None:
                        found[one if answer else one.negated()] = None
            self.words = [w for word in list(found)[:60] for w in (word, word.negated())]
        return self.words

    def _by_classes(self, holds: Callable[[_Member], bool]) -> Condition:
        """As a union of classes and values, with no regard to length."""
        name = Expr.of(self.names[0])
        listed = [m.key for m in self.members if m.key is not None and holds(m)]
        parts: list[Condition] = []
        for m in self.members:
            if m.tail is not None and holds(m):
                inside = tail_condition(self.names[0], [(m.tail.modulus, m.tail.rest)])
                parts.append(both(inside, Compare(name, ">=", Expr.of(m.tail.least))))
        if len(self.names) == 1 and listed:
            parts.append(Member(name, tuple(key[0] for key in listed)))
        else:
            parts += [
                both(*(Compare(Expr.of(n), "==", Expr.of(v)) for n, v in zip(self.names, key, strict=True)))
                for key in listed
            ]
        return either(*parts)

    def traced(self, member: _Member) -> tuple[Any, ...]:
        """The expressions that the numbers of a result came from."""
        if member.tail is not None:
            return tuple(map(_expression, member.outcome.numbers))
        assert member.key is not None
        values = {n: Traced(v, Expr.of(n)) for n, v in zip(self.names, member.key, strict=True)}
        with standing_in():
            outcome = ask_at(self.question, self.operands, values)
        return tuple(map(_expression, outcome.numbers))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _expression(number: Any) -> Expr:
    return number.expression if isinstance(number, Traced) else Expr.of(number)


def _check(asked: _Asked, tails: Iterable[_Member]) -> None:
    """Each class once more at a value: what polynomials gave is what numbers give."""
    for member in tails:
        assert member.tail is not None
        key = (member.tail.least,)
        if not asked.where.at({asked.names[0]: key[0]}):
            continue
        plain = asked.at(key).outcome
        if (
            plain.kind != member.outcome.kind
            or plain.shape != member.outcome.shape
            or plain.numbers != _numbers_at(member, key)
        ):
            raise AssertionError(f"{asked.names[0]} = {key[0]} gives {plain}, not {member.outcome}")


def _numbers_at(member: _Member, key: Key) -> tuple[int, ...]:
    return tuple(_number_at(member, number, key) for number in member.outcome.numbers)


def _number_at(member: _Member, number: Any, key: Key) -> int:
    value = number.value if isinstance(number, Traced) else number
    if isinstance(value, Germ):
        assert member.tail is not None
        return value.at((key[0] - member.tail.rest) // member.tail.modulus)
    return int(value)


# Summing up


def _summed(asked: _Asked, scope: str) -> NamedAnswer:
    members = asked.members
    if not members:
        raise nothing_allowed(asked.names, asked.where)
    failing = [m for m in members if m.outcome.kind == FAILS]
    open_ = [m for m in members if m.outcome.kind == OPEN]
    holding = [m for m in members if m.outcome.kind == HOLDS]
    if open_:
        place = _least(asked, open_)
        reason = f"not decided at {named_values(asked.names, place)}: {open_[0].outcome.reason}"
        if not failing:
            return NamedAnswer("unknown", scope, reason=reason)
        witness, why = _witness(asked, failing)
        return NamedAnswer("refuted", scope, reason=why, witness=witness, evidence=asked.evidence, notes=(reason,))
    conditions: Condition | None = None
    if failing:
        conditions = asked.condition(lambda m: m.outcome.kind == HOLDS) if holding else NEVER
    cases = _cases(asked, holding)
    answer = _with_qualities(NamedAnswer("proved", scope, conditions, cases, evidence=asked.evidence), asked, holding)
    if not failing:
        return answer
    witness, why = _witness(asked, failing)
    return replace(answer, verdict="refuted", reason=why, witness=witness)


def _least(asked: _Asked, members: Iterable[_Member]) -> Key:
    keys = []
    for m in members:
        if m.key is not None:
            keys.append(m.key)
        elif m.tail is not None:
            n = m.tail.least
            while not asked.where.at({asked.names[0]: n}):
                n += m.tail.modulus
            keys.append((n,))
    return min(keys, key=lambda key: (sum(key), key))


def _witness(asked: _Asked, failing: Iterable[_Member]) -> tuple[Witness, str]:
    """The least values at which it fails, with the witness there, and the reason."""
    return witness_at(asked.at(_least(asked, failing)).outcome, asked.names, _least(asked, failing))


def witness_at(outcome: Outcome, names: Sequence[str], key: Key) -> tuple[Witness, str]:
    """The witness at given values of the names, which it tells too, and the reason."""
    inner = outcome.witness
    values = {"names": dict(zip(names, key, strict=True)), **(inner.values if inner is not None else {})}
    return Witness(
        inner.kind if inner is not None else "names", values
    ), f"fails at {named_values(names, key)}: {outcome.reason}"


def _cases(asked: _Asked, holding: list[_Member]) -> tuple[Case, ...]:
    """The results as formulas: one for all where there is one, else by cases."""
    found = list(_formulas(asked, holding))
    cases = []
    for shape, numbers, part in found:
        result, details = put_together(shape, [_plain(e) for e in numbers])
        chosen = set(map(id, part))

        def is_here(m: _Member, chosen: set[int] = chosen) -> bool:
            return id(m) in chosen

        when = ALWAYS if len(found) == 1 else asked.condition(is_here, _holds)
        cases.append(Case(when, result, details))
    return tuple(cases)


def _holds(member: _Member) -> bool:
    return member.outcome.kind == HOLDS


def _plain(e: Expr) -> Any:
    return e.value if e.value is not None else e


Formula = tuple[Any, tuple[Expr, ...], list[_Member]]


def _formulas(asked: _Asked, members: list[_Member]) -> Iterator[Formula]:
    """Formulas for the results, each with the members that it serves; the last serve one member each."""
    left = members
    for _ in range(CASES):
        if not left:
            return
        by_shape: dict[Any, list[_Member]] = {}
        for m in left:
            by_shape.setdefault(m.outcome.shape, []).append(m)
        shape = max(by_shape, key=lambda s: _weight(by_shape[s]))
        best, served = _formula(asked, shape, by_shape[shape])
        if not served:
            break
        served += [m for m in left if m.outcome.shape != shape and _is_the_same_function(asked, m, shape, best)]
        yield shape, best, served
        chosen = set(map(id, served))
        left = [m for m in left if id(m) not in chosen]
    for m in left:
        yield m.outcome.shape, _polynomials(asked, m), [m]


def _weight(members: list[_Member]) -> tuple[int, int]:
    return sum(m.tail is not None for m in members), len(members)


def _formula(asked: _Asked, shape: Any, members: list[_Member]) -> tuple[tuple[Expr, ...], list[_Member]]:
    """The formula that serves most members of one shape."""
    width = len(members[0].outcome.numbers)
    points = [m for m in members if m.tail is None]
    tails = [m for m in members if m.tail is not None]
    rows: list[tuple[Expr, ...]] = []
    for m in _spread(tails, 6) + _spread(points, 5)[::-1]:
        raw = asked.traced(m)
        rows.append(_polynomials(asked, m))
        if len(raw) == width:
            rows += [tuple(_without_calls(asked, m, e) for e in raw), raw]
    options: list[list[Expr]] = [[] for _ in range(width)]
    for row in rows:
        for place, e in enumerate(row):
            if e not in options[place]:
                options[place].append(e)
    for place, column in enumerate(options):
        column += [e for e in _proportional(asked, points, place) if e not in column]
    free = _strides_of_ones(shape, members)
    some = sorted({i * (len(members) - 1) // 11 for i in range(12)})

    def agrees(i: int, e: Expr, which: Iterable[int]) -> list[bool]:
        return [_agrees(asked, members[k], i, e, (k, i) in free) for k in which]

    best_row: list[Expr] = []
    for i, column in enumerate(options):
        scores = [(sum(agrees(i, e, some)), -len(str(e)), -k, e) for k, e in enumerate(column)]
        top = max(score[0] for score in scores)
        close = sorted((s for s in scores if s[0] >= min(top, len(some) // 2)), reverse=True)[:6]
        if top == len(some) and all(agrees(i, close[0][3], range(len(members)))):
            best_row.append(close[0][3])
        else:
            best_row.append(max(close, key=lambda s, i=i: (sum(agrees(i, s[3], range(len(members)))), s[1]))[3])  # type: ignore[misc]

    def served(row: Sequence[Expr]) -> list[_Member]:
        oks = [agrees(i, e, range(len(members))) for i, e in enumerate(row)]
        return [m for k, m in enumerate(members) if all(ok[k] for ok in oks)]

    best = tuple(best_row)
    found = served(best)
    for row in rows:
        if len(found) < len(members):
            other = served(row)
            if len(other) > len(found):
                best, found = row, other
    return best, found


def _spread(members: list[_Member], count: int) -> list[_Member]:
    """Some of the members, evenly."""
    if len(members) <= count:
        return members
    return [members[i * (len(members) - 1) // (count - 1)] for i in range(count)]


def _without_calls(asked: _Asked, member: _Member, e: Expr) -> Expr:
    """The expression with every call that is 0 or 1 for this member as that."""
    if member.key is not None:
        values: dict[str, Any] = dict(zip(asked.names, member.key, strict=True))
    else:
        assert member.tail is not None
        values = {asked.names[0]: Tail(member.tail.modulus, member.tail.rest, member.tail.start).name}

    def value_of(call: Any) -> int | None:
        try:
            value = call.at(values)
        except (NotAnInteger, ZeroDivisionError, Split, Outside):
            return None
        return value if type(value) is int and value in (0, 1) else None

    return e.with_calls(value_of)


def _proportional(asked: _Asked, points: list[_Member], place: int) -> Iterator[Expr]:
    """c·n and c/n for values that are so."""
    if len(asked.names) != 1 or len(points) < 2:
        return
    name = Expr.of(asked.names[0])
    pairs = [(m.key[0], int(m.outcome.numbers[place])) for m in points if m.key is not None]
    for n, v in (pairs[-1], pairs[0], pairs[len(pairs) // 2]):
        if v:
            yield name * Fraction(v, n)
            yield Expr.of(v * n) / name
            yield -(-Expr.of(v * n) // name)


def _strides_of_ones(shape: Any, members: list[_Member]) -> set[tuple[int, int]]:
    """(member, place) of the strides 0 of modes of size 1: another stride there is the same function in bounds."""
    places = [(s, d) for s, d in _mode_places(shape) if d is not None]
    found = set()
    for m_id, m in enumerate(members):
        numbers = m.outcome.numbers
        for s, d in places:
            if _is(numbers[s], 1) and _is(numbers[d], 0):
                found.add((m_id, d))
    return found


def _is(number: Any, value: int) -> bool:
    return type(number.value if isinstance(number, Traced) else number) is int and int(number) == value


def _mode_places(shape: Any) -> list[tuple[int, int | None]]:
    """For each mode of the layouts in a result the places of its size and of its integer stride among the numbers."""
    found: list[tuple[int, int | None]] = []
    place = 0

    def walk(s: Any) -> None:
        nonlocal place
        if isinstance(s, int):
            place += 1
        elif isinstance(s, Along):
            place += len(s.paths)
        elif isinstance(s, tuple) and s and s[0] == "layout":
            sizes = [place + i for i in range(len(flatten(s[1])))]
            place += len(sizes)
            for size, d in zip(sizes, _leaves(s[2]), strict=True):
                found.append((size, place if isinstance(d, int) else None))
                walk(d)
        elif isinstance(s, tuple) and s and isinstance(s[0], str) and s[0] != "fixed":
            for item in s[1:]:
                if not (isinstance(item, tuple) and item and all(isinstance(i, str) for i in item)) or item[0] in KINDS:
                    walk(item)

    walk(shape)
    return found


KINDS = ("layout", "composed", "tuple", "dict", "fixed")


def _leaves(stride: Any) -> list[Any]:
    if isinstance(stride, tuple) and stride and stride[0] != "fixed":
        return [leaf for item in stride for leaf in _leaves(item)]
    return [stride]


def _is_the_same_function(asked: _Asked, member: _Member, shape: Any, numbers: tuple[Expr, ...]) -> bool:
    """Whether a flat layout by formula is the member's with modes of size 1 more or less."""
    ours, theirs = _flat_modes(shape), _flat_modes(member.outcome.shape)
    if ours is None or theirs is None:
        return False
    wanted = [(member.outcome.numbers[s], member.outcome.numbers[d]) for s, d in theirs]
    wanted = [(_value(s), _value(d)) for s, d in wanted if not _is(s, 1)]
    try:
        if member.key is not None:
            values: dict[str, Any] = dict(zip(asked.names, member.key, strict=True))
        else:
            assert member.tail is not None
            tail = Tail(member.tail.modulus, member.tail.rest, member.tail.start)
            values = {asked.names[0]: tail.name}
        got = [(numbers[s].at(values), numbers[d].at(values)) for s, d in ours]
        if member.tail is not None and tail.start != member.tail.start:
            return False
    except (NotAnInteger, ZeroDivisionError, Split, Outside):
        return False
    got = [(s, d) for s, d in got if not (type(s) is int and s == 1)]
    return [_form(x) for pair in got for x in pair] == [_form(x) for pair in wanted for x in pair]


def _tidy(difference: Expr, sign: str) -> Compare | None:
    """``difference sign 0`` with positive terms on both sides; None where no name is in it."""
    if not difference.names or any(c.denominator > 1 for c in difference.terms.values()):
        return None
    common = gcd(*(int(c) for m, c in difference.terms.items() if m))
    left = Expr({m: c for m, c in difference.terms.items() if c > 0 and m})
    right = Expr({m: -c for m, c in difference.terms.items() if c < 0 and m})
    constant = int(difference.terms.get((), 0))
    if not left.terms:
        left, right, constant = right, left, -constant
        sign = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
    if common > 1 and constant % common == 0:
        left, right, constant = left / common, right / common, constant // common
    if constant > 0 and (right.terms or sign in ("==", "!=")):
        return Compare(left + constant, sign, right)
    return Compare(left, sign, right - constant)


def _value(number: Any) -> Any:
    return number.value if isinstance(number, Traced) else number


def _form(value: Any) -> Any:
    return value.coefficients if isinstance(value, Germ) else value


def _flat_modes(shape: Any) -> list[tuple[int, int]] | None:
    """The places of (size, stride) of a result that is one layout of depth at most one, with integer strides."""
    if not (isinstance(shape, tuple) and len(shape) == 3 and shape[0] == "tuple" and shape[2] == ("dict", ())):
        return None
    inner = shape[1]
    if not (isinstance(inner, tuple) and inner and inner[0] == "layout"):
        return None
    sizes = inner[1] if isinstance(inner[1], tuple) else (inner[1],)
    if any(isinstance(s, tuple) for s in sizes) or not all(isinstance(d, int) for d in _leaves(inner[2])):
        return None
    return [(i, len(sizes) + i) for i in range(len(sizes))]


def _polynomials(asked: _Asked, member: _Member) -> tuple[Expr, ...]:
    """The numbers of a class as polynomials in the name, of a value as they are."""
    found = []
    for number in member.outcome.numbers:
        value = number.value if isinstance(number, Traced) else number
        if isinstance(value, Germ):
            assert member.tail is not None
            t = (Expr.of(asked.names[0]) - member.tail.rest) * Fraction(1, member.tail.modulus)
            e, power = Expr.of(0), Expr.of(1)
            for c in value.coefficients:
                e, power = e + power * c, power * t
            found.append(e)
        else:
            found.append(Expr.of(int(value)))
    return tuple(found)


def _agrees(asked: _Asked, member: _Member, place: int, e: Expr, is_free: bool = False) -> bool:
    """Whether an expression has the value of a number at every value of the member; any integer where it is free."""
    number = member.outcome.numbers[place]
    try:
        if member.key is not None:
            value = e.at(dict(zip(asked.names, member.key, strict=True)))
            return is_free or bool(value == number)
        assert member.tail is not None
        tail = Tail(member.tail.modulus, member.tail.rest, member.tail.start)
        value = e.at({asked.names[0]: tail.name})
        wanted = number.value if isinstance(number, Traced) else number
        if is_free:
            return tail.start == member.tail.start
        if _form(value) != _form(wanted):
            return False
        for t in range(member.tail.start, tail.start):
            n = tail.modulus * t + tail.rest
            if e.at({asked.names[0]: n}) != _number_at(member, number, (n,)):
                return False
    except (NotAnInteger, ZeroDivisionError, Split, Outside):
        return False
    return True


def _with_qualities(answer: NamedAnswer, asked: _Asked, holding: list[_Member]) -> NamedAnswer:
    """in_bounds, exact and what lies outside, each as one value where it is the same for all; else with where."""
    flags: list[bool | None] = []
    where: list[Condition | None] = []
    for place in (0, 1):
        seen = {m.outcome.flags[place] for m in holding}
        flags.append(seen.pop() if len(seen) == 1 else None)
        is_so = partial(_has_flag, place)
        where.append(asked.condition(is_so, _holds) if seen else None)
    outside: Any = 0
    moved = [replace_outcome(m) for m in holding]
    if any(m.outcome.numbers != (0,) for m in moved):
        found = list(_formulas(_OutsideOf(asked), moved))
        outside = _plain(found[0][1][0]) if len(found) == 1 else None
    return replace(
        answer,
        in_bounds=flags[0],
        exact=flags[1],
        where_in_bounds=where[0],
        where_exact=where[1],
        out_of_range=outside,
    )


def _has_flag(place: int, member: _Member) -> bool:
    return member.outcome.flags[place] is True


def replace_outcome(member: _Member) -> _Member:
    """The member with what lies outside as its only number."""
    return _Member(replace(member.outcome, shape=0, numbers=(member.outcome.outside,)), member.key, member.tail)


class _OutsideOf(_Asked):
    """The same question, its result what lies outside."""

    def __init__(self, asked: _Asked):
        super().__init__(asked.question, asked.operands, asked.names, asked.where, asked.until)

    def traced(self, member: _Member) -> tuple[Any, ...]:
        """The expression that the count came from."""
        if member.tail is not None:
            return (_expression(member.outcome.numbers[0]),)
        assert member.key is not None
        values = {n: Traced(v, Expr.of(n)) for n, v in zip(self.names, member.key, strict=True)}
        with standing_in():
            return (_expression(ask_at(self.question, self.operands, values).outside),)


__all__ = ["Case", "NamedAnswer", "deadline", "decide", "require_values", "without_solver"]
