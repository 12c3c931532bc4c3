"""What the checks of shipped code share: symbolic layouts, the definition, and how paths become a verdict.

A check is a function of a :class:`~veritile.smt.symbolic.Run`: it makes inputs, calls the shipped function, marks how
that ended, and states what must hold. It runs on symbols (every path, for all sizes and strides) and on numbers (a
model that a solver found is replayed by the code itself, and refutes only then).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ...model.errors import VeritileError
from ...model.htuple import flatten
from ...model.layout import Layout
from ...smt.prover import VERSION, Contradiction, Fact, Prover
from ...smt.solvers import Disagreement
from ...smt.symbolic import End, Ending, Instance, Outside, Run, Unmet, Wrong, explore
from ..claim import Claim, Counterexample, Mutant, Outcome, Row
from ..discharge import solvers_in_use
from ..verdict import Evidence, EvidenceKind, Scope, Verdict
from .kept import kept
from .second import second_opinion

Check = Callable[[Run], None]
Standing = Callable[[], AbstractContextManager[Any]]
PROVED_ENDS = (End.RETURNED, End.REFUSED, End.HANDED_OVER)
GAPS = (End.OUTSIDE, End.CUT)


def layout(run: Run, name: str, rank: int, *, least: int | None = None) -> Layout:
    """A flat layout of unknown sizes and strides; ``least`` bounds the strides from below."""
    sizes = [run.integer(f"{name}.s{k}", 1, is_size=True) for k in range(rank)]
    strides = [run.integer(f"{name}.d{k}", least) for k in range(rank)]
    return Layout.of(*(part[0] if rank == 1 else tuple(part) for part in (sizes, strides)))


def index_below(run: Run, name: str, bound: Any) -> Any:
    """An index from 0 up to ``bound``, the bound left out."""
    index = run.integer(name, 0)
    run.assume(index, "<", bound)
    return index


def digits_of(index: Any, sizes: Iterable[Any]) -> list[Any]:
    """⌊x/P_k⌋ mod S_k with P_k = S_0⋯S_{k−1}, the last one ⌊x/P_k⌋ itself: the definition (paper §2.2)."""
    sizes = list(sizes)
    digits, p = [], 1
    for k, s in enumerate(sizes):
        place = index // p
        digits.append(place if k == len(sizes) - 1 else place % s)
        p = p * s
    return digits


def value(a: Layout, index: Any) -> Any:
    """A(x) = Σ digit·stride, by the definition."""
    total: Any = 0
    for digit, d in zip(digits_of(index, flatten(a.shape)), flatten(a.stride), strict=True):
        total = total + digit * d
    return total


def volume(shape: Any) -> Any:
    """The product of all sizes."""
    total: Any = 1
    for s in flatten(shape):
        total = total * s
    return total


def is_mixed_radix(run: Run, modes: Iterable[tuple[Any, Any]], what: str) -> Any:
    """Shows that modes, in some order, have strides 1, s₀, s₀s₁, …; returns the product of their sizes.

    Such modes are the compact layout of their sizes, permuted: a bijection onto Z of the product (every index has one
    digit in each place). Modes of size 1 contribute nothing.
    """
    left = [(s, d) for s, d in modes if s != 1]
    reached: Any = 1
    while left:
        place = next((k for k, (_, d) in enumerate(left) if run.known(d, "==", reached)), None)
        if place is None:
            run.show(left[0][1], "==", reached, what)
            place = 0
        s, _ = left.pop(place)
        reached = reached * s
    return reached


MALFORMED = ("TypeError", "ValueError", "AttributeError", "NameError")  # what a fault that does not fit the code raises


@dataclass(frozen=True)
class Code:
    """A claim about a piece of shipped code.

    ``checks``     by name, each explored apart
    ``gaps``       what is outside or cut, word for word; shown with the statement. Any other such path is unknown
    ``broken``     stands a fault into the code for the mutant
    """

    name: str
    functions: str
    statement: str
    scope: Scope
    checks: dict[str, Check]
    fault: str
    broken: Standing
    gaps: tuple[str, ...] = ()
    seconds: float = 25.0
    most: int = 60

    def claim(self) -> Claim:
        """The claim: proved when every path is, with the gaps told."""
        return Claim(
            self.name,
            f"the code: {self.functions}",
            self.statement + (f" Not covered: {'; '.join(self.gaps)}." if self.gaps else ""),
            decide=lambda: kept(self.name, self.decide),
            mutant=Mutant(
                f"the same of the code with a fault: {self.fault}",
                lambda: kept(f"{self.name}, with a fault", self.decide_broken),
            ),
            hypotheses=self.instance,
            scope=self.scope,
        )

    def decide(self) -> Outcome:
        """Explores every path of every check."""
        return self._decided([explored(name, check, self) for name, check in self.checks.items()])

    def decide_broken(self) -> Outcome:
        """The same with the fault in place; stops at the first check that it refutes."""
        with self.broken():
            reports = []
            for name, check in self.checks.items():
                reports.append(explored(name, check, self, stop_at_first=True))
                if reports[-1].witness is not None:
                    break
            # No second solver: a fault is refuted by a path with numbers, and a disagreement refutes nothing.
            outcome = self._decided(reports, second=False)
        raised = str((outcome.witness or {}).get("raised", ""))
        if raised.startswith(MALFORMED):
            return Outcome(Verdict.UNKNOWN, outcome.evidence, reason=f"the fault itself fails: {raised}")
        return outcome

    def instance(self) -> str | None:
        """Numbers on which the first check runs through."""
        check = next(iter(self.checks.values()))
        for instance in instances(check, 5000):
            return ", ".join(f"{name}={value}" for name, value in instance.used.items())
        return None

    def _decided(self, reports: list[Report], second: bool = True) -> Outcome:
        rows = tuple(Row(f"{r.name}: {r.summary}", r.verdict, r.witness) for r in reports)
        bad = next((r for r in reports if r.witness is not None), None)
        paths = sum(r.paths for r in reports)
        evidence = Evidence(
            EvidenceKind.SMT,
            f"paths of the code, {sum(r.goals for r in reports)} goals",
            cases=paths,
            solver="z3",
            version=VERSION,
            time_ms=1000 * sum(r.seconds for r in reports),
        )
        if bad is not None:
            return Outcome(Verdict.REFUTED, (evidence,), {"check": bad.name, **(bad.witness or {})}, rows=rows)
        open_ends = [f"{r.name}: {text}" for r in reports for text in r.open_ends]
        if open_ends or not paths:
            return Outcome(Verdict.UNKNOWN, (evidence,), reason="; ".join(open_ends[:3]) or "no path", rows=rows)
        if not second or "cvc5" not in solvers_in_use():
            return Outcome(Verdict.PROVED, (evidence,), rows=rows)
        return self._agreed([one for r in reports for one in r.contradictions], evidence, rows)

    def _agreed(self, found: list[Contradiction], evidence: Evidence, rows: tuple[Row, ...]) -> Outcome:
        """Proved where the other solver finds the same contradictions."""
        try:
            opinion = second_opinion(found)
        except Disagreement as error:
            return Outcome(Verdict.REFUTED, (evidence,), {"kind": "disagreement", "what": str(error)}, rows=rows)
        both = (evidence, opinion.evidence)
        if opinion.open:
            return Outcome(Verdict.UNKNOWN, both, reason="; ".join(opinion.open[:3]), rows=rows)
        return Outcome(Verdict.PROVED, both, rows=rows)

    def contradictions(self) -> list[Contradiction]:
        """What z3 finds contradictory on the paths of all checks: explores them anew."""
        reports = [explored(name, check, self) for name, check in self.checks.items()]
        return list(dict.fromkeys(one for report in reports for one in report.contradictions))


@dataclass
class Report:
    """What became of one check's paths."""

    name: str
    gaps: tuple[str, ...] = ()
    ends: Counter[tuple[End, str]] = field(default_factory=Counter)
    codes: set[Any] = field(default_factory=set)
    contradictions: tuple[Contradiction, ...] = ()
    goals: int = 0
    seconds: float = 0.0
    witness: Counterexample = None

    @property
    def paths(self) -> int:
        """Paths of the code that end in something proved: those that differ in the property alone count once."""
        return len(self.codes)

    @property
    def summary(self) -> str:
        """How many paths ended how."""
        by_end: Counter[str] = Counter()
        for (end, _), n in self.ends.items():
            by_end[end.value] += n
        told = ", ".join(f"{n} {end}" for end, n in sorted(by_end.items()))
        return f"{self.paths} paths of the code; {told}; {self.goals} goals; {self.seconds:.1f} s"

    @property
    def verdict(self) -> Verdict:
        """Proved where nothing is open."""
        if self.witness is not None:
            return Verdict.REFUTED
        return Verdict.UNKNOWN if self.open_ends else Verdict.PROVED

    @property
    def open_ends(self) -> list[str]:
        """What keeps the check from being proved, as sentences."""
        if not self.codes:
            return ["no path of the code is proved"]
        return [
            f"{n} × {end.value} ({what})"
            for (end, what), n in self.ends.items()
            if end not in PROVED_ENDS and not (end in GAPS and what in self.gaps)
        ]


def explored(name: str, check: Check, code: Code, stop_at_first: bool = False) -> Report:
    """Explores one check; a path that is not proved is searched for numbers that refute it."""
    report, prover, started = Report(name, code.gaps), Prover(), time.process_time()
    for ending in explore(check, prover, seconds=code.seconds, most=code.most):
        report.ends[(ending.end, ending.detail)] += 1
        report.goals += len(ending.goals)
        if ending.end in PROVED_ENDS:
            report.codes.add(ending.code if ending.code is not None else ending.decisions)
        if ending.end in (End.UNPROVED, End.RAISED) and report.witness is None:
            report.witness = refutation(check, prover, ending)
            if stop_at_first and report.witness is not None:
                break
    open_ones = (End.UNPROVED, End.RAISED, End.TIMED_OUT)
    if report.witness is None and any(end in open_ones for end, _ in report.ends):
        report.witness = sampled_refutation(check)
    report.seconds = time.process_time() - started
    report.contradictions = tuple(prover.contradictions)
    return report


def refutation(check: Check, prover: Prover, ending: Ending) -> Counterexample:
    """Small numbers that follow the path and break its property, confirmed by running the code on them."""
    facts: list[Fact] = list(ending.facts)
    if ending.failed is not None:
        facts.append(ending.failed.negated())
    for bound in (4, 12):
        model = prover.example(facts, bound)
        if model is None:
            continue
        values = {
            name: poly.evaluate({n: model.get(n, 1) for n in poly.unknowns}) for name, poly in ending.inputs.items()
        }
        found = replayed(check, Instance(values))
        if found is not None:
            return found
    return None


def replayed(check: Check, instance: Instance) -> Counterexample:
    """What is wrong with the code at given numbers; None where nothing is, or they are no instance."""
    try:
        check(instance)
    except Unmet:
        return None
    except Wrong as wrong:
        return {
            **instance.used,
            "property": wrong.what,
            "got": wrong.left,
            "relation": wrong.relation,
            "expected": wrong.right,
        }
    except (VeritileError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        return {**instance.used, "raised": f"{type(error).__name__}: {error}"}
    return None


def instances(check: Check, tries: int, seed: int = 1) -> Iterator[Instance]:
    """Random small instances on which the check runs through."""
    for number in range(tries):
        instance = _random_instance(seed + number)
        try:
            check(instance)
        except (Unmet, Wrong):
            continue
        yield instance


def sampled_refutation(check: Check, tries: int = 2000) -> Counterexample:
    """A random small instance that is wrong, where there is one."""
    for number in range(tries):
        found = replayed(check, _random_instance(number))
        if found is not None:
            return found
    return None


def _random_instance(seed: int) -> Instance:
    random = Random(seed)

    def draw(_: str, low: int | None, is_size: bool) -> int:
        if is_size:
            return (low or 0) + random.choice((0, 1, 1, 2, 3, 5))
        return (random.choice((-3, -1, 0)) if low is None else low) + random.choice((0, 0, 1, 2, 3, 4, 6, 8, 12))

    return Instance(draw)


def outside(what: str) -> Callable[..., Any]:
    """Stands in for code that does not run on symbols."""

    def stop(*_: Any, **__: Any) -> Any:
        raise Outside(what)

    return stop


def only_symbolic(run: Run, *standing: AbstractContextManager[Any]) -> AbstractContextManager[Any]:
    """Contracts and stops in force on symbols; on numbers the code runs whole."""
    stack = ExitStack()
    if run.is_symbolic:
        for one in standing:
            stack.enter_context(one)
    return stack


__all__ = [
    "Check",
    "Code",
    "Report",
    "digits_of",
    "explored",
    "index_below",
    "is_mixed_radix",
    "layout",
    "only_symbolic",
    "outside",
    "sampled_refutation",
    "value",
    "volume",
]
