"""What a claim is: a statement with its source, a check that it is not vacuous, a decision, and a mutant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from .verdict import INSTANCE, Evidence, EvidenceKind, Scope, Verdict

Values = Mapping[str, Any]
Counterexample = Values | None


@dataclass(frozen=True)
class Row:
    """One row of a table, decided on its own."""

    name: str
    verdict: Verdict
    witness: Counterexample = None


@dataclass(frozen=True)
class Outcome:
    """What a decision found: verdict, evidence, and the witness where it is refuted.

    A claim that something exists is proved by its witness, which is then given too. ``rows`` holds the parts of a
    table that were decided one by one; ``reason`` is a sentence, needed where the verdict is unknown.
    """

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    witness: Counterexample = None
    reason: str | None = None
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Mutant:
    """The claim with one thing broken: it must be refuted, or the claim proves nothing."""

    statement: str
    decide: Callable[[], Outcome]


@dataclass(frozen=True)
class Finding:
    """Why a claim is expected to be refuted: what is wrong, and the name of the claim that repairs it."""

    what: str
    repaired: str


class Example(str):
    """What a claim without hypotheses exhibits, one of its cases or "": it stands only where cases were counted."""

    __slots__ = ()


@dataclass(frozen=True)
class Claim:
    """A statement that can be decided by a call.

    ``name``         dotted, unique, its first part the section: ``composition.distribution.carry-free``
    ``source``       where it stands: "paper §3.3.2, [20]"
    ``statement``    one sentence
    ``decide``       the decision; takes nothing, returns an :class:`Outcome`
    ``mutant``       the claim with one thing broken; must be refuted
    ``hypotheses``   exhibits an instance that satisfies the hypotheses, as a sentence; None where there is none,
                     which makes the claim vacuous and its verdict unknown. An :class:`Example` says that there are
                     none: the cases that the decision evaluated must then be at least one
    ``scope``        what the verdict is about
    ``finding``      set where the definitions refute the paper: the expected verdict is then ``refuted``
    ``doubts``       which items of "what is in doubt" it decides
    ``origin``       the file it was loaded from; empty for the library
    ``together``     decides many claims of one kind beforehand, in processes of its own, given their names, the number
                     of jobs and an executor or None: deciding each is then a look-up, done in the caller's process
    """

    name: str
    source: str
    statement: str
    decide: Callable[[], Outcome]
    mutant: Mutant
    hypotheses: Callable[[], str | None]
    scope: Scope = INSTANCE
    finding: Finding | None = None
    doubts: tuple[int, ...] = ()
    origin: str = field(default="", compare=False)
    together: Callable[[list[str], int, Executor | None], None] | None = None

    @property
    def expected(self) -> Verdict:
        """Proved, or refuted for a finding."""
        return Verdict.PROVED if self.finding is None else Verdict.REFUTED


def proved(*evidence: Evidence, witness: Counterexample = None) -> Outcome:
    """A proved outcome."""
    return Outcome(Verdict.PROVED, evidence, witness)


def refuted(witness: Values, *evidence: Evidence) -> Outcome:
    """A refuted outcome; the witness shows it."""
    return Outcome(Verdict.REFUTED, evidence, witness)


def unknown(reason: str, *evidence: Evidence) -> Outcome:
    """An outcome that decides nothing; ``reason`` says why."""
    return Outcome(Verdict.UNKNOWN, evidence, None, reason)


def for_all(cases: Iterable[Any], check: Callable[[Any], Counterexample], what: str = "cases") -> Outcome:
    """Proved when ``check`` finds nothing wrong with any case; refuted by the first that it does.

    No case at all is unknown: nothing was decided.

    >>> for_all(range(5), lambda n: {"n": n} if n * n != n + n else None).witness
    {'n': 1}
    >>> for_all([], lambda n: None).reason
    'there was no case to evaluate'
    """
    count = 0
    for case in cases:
        count += 1
        witness = check(case)
        if witness is not None:
            return refuted(witness, Evidence(EvidenceKind.ENUMERATION, what, cases=count))
    if not count:
        return unknown("there was no case to evaluate")
    return proved(Evidence(EvidenceKind.ENUMERATION, what, cases=count))


def exists(cases: Iterable[Any], holds: Callable[[Any], Counterexample], what: str = "cases") -> Outcome:
    """Proved by the first case for which ``holds`` returns values, which are its witness; else refuted.

    >>> exists(range(2, 9), lambda n: {"n": n} if n * n > 20 else None).witness
    {'n': 5}
    """
    count = 0
    for case in cases:
        count += 1
        witness = holds(case)
        if witness is not None:
            return proved(Evidence(EvidenceKind.ENUMERATION, what, cases=count), witness=witness)
    return refuted({"kind": "none", "tried": count}, Evidence(EvidenceKind.ENUMERATION, what, cases=count))


def table(rows: Mapping[str, Callable[[], Counterexample]], what: str = "rows") -> Outcome:
    """A table decided row by row: proved when every row is; the first refuted row gives the witness.

    >>> answer = table({"one": lambda: None, "two": lambda: {"got": 3}})
    >>> answer.verdict.value, answer.witness, [row.verdict.value for row in answer.rows]
    ('refuted', {'row': 'two', 'got': 3}, ['proved', 'refuted'])
    """
    decided = []
    for name, check in rows.items():
        witness = check()
        decided.append(Row(name, Verdict.PROVED if witness is None else Verdict.REFUTED, witness))
    evidence = (Evidence(EvidenceKind.ENUMERATION, what, cases=len(decided)),)
    bad = next((row for row in decided if row.witness is not None), None)
    if bad is None:
        return Outcome(Verdict.PROVED, evidence, rows=tuple(decided))
    return Outcome(Verdict.REFUTED, evidence, {"row": bad.name, **(bad.witness or {})}, rows=tuple(decided))


def plain(value: Any) -> Any:
    """``value`` as JSON-ready data: mappings and sequences kept, everything else that is no number as its text.

    >>> plain({"a": (1, None), "b": Verdict.PROVED})
    {'a': [1, None], 'b': 'Verdict.PROVED'}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
