"""What the claims of several sections share: rows of tables, and claims that a solver decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any

from ...model.composition import composition
from ...model.errors import Refuted
from ...model.layout import Layout
from ...model.notation import layout
from ..claim import Claim, Counterexample, Example, Mutant, Outcome, Row, Values, proved, refuted, table
from ..definitions import differs, perturbed
from ..verdict import INSTANCE, Evidence, EvidenceKind, Scope, Verdict

Wrong = Callable[[Any], Counterexample]


@dataclass(frozen=True)
class Check:
    """What is wrong with a subject (None: nothing), and the subject with one thing broken, which must be found wrong.

    ``subject`` and ``broken`` are made when they are looked at.
    """

    wrong: Wrong
    subject: Callable[[], Any]
    broken: Callable[[], Any]


def on(wrong: Wrong, subject: Any, broken: Any) -> Check:
    """``wrong`` of ``subject``, and of ``broken`` in its place; a function among the two is called for its value.

    >>> check = on(lambda n: {"got": n} if n % 7 else None, 14, lambda: 2 * 4)
    >>> check.wrong(check.subject()), check.wrong(check.broken())
    (None, {'got': 8})
    """
    return Check(wrong, _late(subject), _late(broken))


def _late(value: Any) -> Callable[[], Any]:
    return value if isinstance(value, FunctionType) else lambda: value


def compose(a: Layout, b: Layout) -> Layout:
    """veritile's composition of two layouts, which is a layout."""
    result = composition(a, b)
    assert isinstance(result, Layout)
    return result


def exhibit(sentence: str, holds: Callable[[], bool]) -> Callable[[], str | None]:
    """An instance of the hypotheses, written as ``sentence``; it stands only where evaluating it says so.

    >>> exhibit("8 is even", lambda: 8 % 2 == 0)(), exhibit("7 is even", lambda: 7 % 2 == 0)()
    ('8 is even', None)
    """
    return lambda: sentence if holds() else None


def given(case: str = "") -> Callable[[], str | None]:
    """For a claim without hypotheses, all its operands given: the runner counts that it evaluated something."""
    return lambda: Example(case)


def same(wanted: Layout) -> Wrong:
    """What is not the function that ``wanted`` is."""
    return lambda got: differs(got, wanted)


def equals(wanted: Any) -> Wrong:
    """What is not ``wanted`` itself: profile, sizes and strides of a layout; any other value."""
    return lambda got: None if got == wanted else {"expected": wanted, "got": got}


def is_wrong(wrong: Callable[..., Counterexample], what: str = "it does not fail") -> Wrong:
    """The denial: None where ``wrong`` finds something in the arguments, a tuple."""
    return lambda case: {"got": what} if wrong(*case) is None else None


def ours(operation: Callable[..., Any], wanted: Layout, *operands: Any) -> Check:
    """That veritile's operation returns the function ``wanted``; the same comparison must refuse a changed stride."""
    return on(same(wanted), lambda: operation(*operands), lambda: perturbed(operation(*operands)))


def row_claim(
    name: str,
    source: str,
    statement: str,
    checks: Mapping[str, Check],
    mutant: str,
    doubts: tuple[int, ...] = (),
    scope: Scope = INSTANCE,
) -> Claim:
    """A row of a table: each of ``checks`` decided. Its mutant breaks one thing in each, and each must notice."""
    return Claim(
        name,
        source,
        statement,
        decide=lambda: table(
            {title: partial(_looked_at, check) for title, check in checks.items()},
            "checks by evaluation at every point",
        ),
        mutant=each_noticed(mutant, checks),
        hypotheses=given(),
        scope=scope,
        doubts=doubts,
    )


def _looked_at(check: Check) -> Counterexample:
    try:
        return check.wrong(check.subject())
    except Refuted as refusal:
        return {"kind": "refused", "got": refusal.reason}


def each_noticed(statement: str, checks: Mapping[str, Check]) -> Mutant:
    """Refuted when every check refutes its broken subject; proved, with the name, when one of them does not."""

    def decide() -> Outcome:
        witnesses = {}
        for title, check in checks.items():
            witness = check.wrong(check.broken())
            if witness is None:
                return Outcome(Verdict.PROVED, (), None, f"{title}: what is broken there goes unnoticed")
            witnesses[title] = dict(witness)
        title, values = next(iter(witnesses.items()))
        seen = Evidence(EvidenceKind.ENUMERATION, "checks, each with one thing broken", cases=len(witnesses))
        more = {"others": {t: w for t, w in witnesses.items() if t != title}} if len(witnesses) > 1 else {}
        return refuted({"row": title, **values, **more}, seen)

    return Mutant(statement, decide)


def texts(*notations: str) -> list[Layout]:
    """Layouts from their notations."""
    return [layout(notation) for notation in notations]


def by_solver(obligations: Mapping[str, Callable[[], Values | None]], version: str, ms: Callable[[], float]) -> Outcome:
    """Each obligation asks a solver for a model of the negation; proved when none of them has one."""
    rows = []
    for name, ask in obligations.items():
        model = ask()
        rows.append(Row(name, Verdict.PROVED if model is None else Verdict.REFUTED, model))
    evidence = Evidence(EvidenceKind.SMT, "obligations", cases=len(rows), solver="z3", version=version, time_ms=ms())
    bad = next((row for row in rows if row.witness is not None), None)
    if bad is None:
        return Outcome(Verdict.PROVED, (evidence,), rows=tuple(rows))
    return Outcome(Verdict.REFUTED, (evidence,), {"obligation": bad.name, **(bad.witness or {})}, rows=tuple(rows))


def smt(detail: str, version: str, ms: float) -> Evidence:
    """Evidence of z3."""
    return Evidence(EvidenceKind.SMT, detail, solver="z3", version=version, time_ms=ms)


def first(cases: Any, holds: Callable[[Any], bool], say: Callable[[Any], str] = str) -> Callable[[], str | None]:
    """Hypotheses that are searched: the first of ``cases()`` that satisfies them, as a sentence."""

    def search() -> str | None:
        found = next((case for case in cases() if holds(case)), None)
        return None if found is None else say(found)

    return search


def show(case: Any) -> str:
    """A case as a sentence: layouts by their notation."""
    if isinstance(case, Sequence) and not isinstance(case, str):
        return ", ".join(map(str, case))
    return str(case)


def denied(outcome: Outcome) -> Outcome:
    """That something is not so: proved by the witness that refutes it, refuted where it is so."""
    if outcome.verdict is Verdict.REFUTED:
        return Outcome(Verdict.PROVED, outcome.evidence, outcome.witness, rows=())
    if outcome.verdict is Verdict.PROVED:
        return Outcome(Verdict.REFUTED, outcome.evidence, {"kind": "none", "got": "it is so"})
    return outcome


__all__ = [
    "Check",
    "by_solver",
    "compose",
    "denied",
    "each_noticed",
    "equals",
    "exhibit",
    "first",
    "given",
    "is_wrong",
    "on",
    "ours",
    "proved",
    "refuted",
    "row_claim",
    "same",
    "show",
    "smt",
    "texts",
]
