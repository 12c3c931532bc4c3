"""What the claims of several sections share: rows of tables, and claims that a solver decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...model.composition import composition
from ...model.errors import Refuted
from ...model.layout import Layout
from ...model.notation import layout
from ..claim import Claim, Counterexample, Example, Mutant, Outcome, Row, Values, proved, refuted, table
from ..definitions import differs
from ..verdict import Evidence, EvidenceKind, Verdict

Check = Callable[[], Counterexample]


def compose(a: Layout, b: Layout) -> Layout:
    """veritile's composition of two layouts, which is a layout."""
    result = composition(a, b)
    assert isinstance(result, Layout)
    return result


def exhibit(sentence: str) -> Callable[[], str | None]:
    """An example of the cases that the claim evaluates, written: the runner counts that there are any."""
    return lambda: Example(sentence)


def same(operation: Callable[[], Any], wanted: Layout) -> Check:
    """That what veritile's operation returns is the function that ``wanted`` is."""

    def check() -> Counterexample:
        try:
            return differs(operation(), wanted)
        except Refuted as refusal:
            return {"kind": "refused", "got": refusal.reason, "expected": wanted}

    return check


def row_claim(
    name: str,
    source: str,
    statement: str,
    checks: Mapping[str, Check],
    mutant: str,
    broken: Check,
    doubts: tuple[int, ...] = (),
) -> Claim:
    """A row of a table: each of ``checks`` decided, and the same definition refuting a changed row."""
    return Claim(
        name,
        source,
        statement,
        decide=lambda: table(checks, "checks by evaluation at every point"),
        mutant=Mutant(mutant, lambda: table({"changed": broken})),
        hypotheses=exhibit("the operands of the row itself"),
        doubts=doubts,
    )


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


__all__ = ["by_solver", "compose", "exhibit", "first", "proved", "refuted", "row_claim", "same", "show", "smt", "texts"]
