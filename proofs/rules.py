"""The rules of proof. This file, with the definitions of :mod:`.language`, is what a theorem's proof rests on.

A proof holds *facts*, each true for all values of the variables that satisfies the hypotheses, and a *goal*. A rule
adds a fact that follows, or records an *obligation*: facts that must imply a formula, without quantifiers, for the
solvers to decide. A theorem is proved when every obligation of its proof, and of every theorem that it uses, is
unsatisfiable in the negation. The rules:

====================  ================================================================================================
``have``, ``done``    a formula, or the goal, follows from facts: an obligation
``division``          x = y·⌊x/y⌋ + x mod y with 0 ≤ x mod y < y, where y ≥ 1: what ⌊x/y⌋ and x mod y mean
``unfold``            the defining equation of a recursive function, where its list is written out
``use``               a theorem that stands before this one, at terms: each of its hypotheses is an obligation (one
                      with a quantifier must be a fact already), its conclusion is the fact
``at``                a fact ∀ k: φ(k), at terms
``every``             ∀ k: φ(k), when φ holds of variables that nothing is assumed of
``suppose``           the premise of a goal that is an implication; the goal is then its conclusion
``algebra``           an identity of polynomials: sympy expands the difference to 0, and it is an obligation as well
``cases``             the goal in each case; that one of the cases holds is an obligation
``split``             a list is ``base`` of some fields or ``cons`` of some fields and a tail, its guard holding
``induction``         along a list that is given: the goal for ``base``; and for ``cons``, with the theorem itself (its
                      hypotheses as obligations, all its other variables at any terms) for the tail
``descent``           along a measure: that it is ≥ 0 is an obligation; the theorem itself may be used at terms where
                      the measure is smaller, which is one more obligation beside its hypotheses
====================  ================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..smt.smtlib import Obligation
from ..smt.terms import Function, Term, as_term, disj, division, eq, substitute, variable
from .language import THEOREMS, All, Counted, Formula, ListSort, Recursive, Theorem


class ProofError(ValueError):
    """A proof that does not follow the rules; it proves nothing."""


@dataclass
class Ledger:
    """What one proof came to: its steps as text, its obligations, the theorems and rules that it uses."""

    theorem: Theorem
    steps: list[str] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
    uses: dict[str, None] = field(default_factory=dict)
    rules: dict[str, None] = field(default_factory=dict)
    identities: list[tuple[Term, Term]] = field(default_factory=list)
    fresh: int = 0


class Proof:
    """A proof under way: facts, a goal, and the rules as methods."""

    def __init__(self, ledger: Ledger, facts: Iterable[Formula], goal: Term, depth: int = 0, is_root: bool = False):
        self._ledger, self._goal, self._depth, self._is_root = ledger, goal, depth, is_root
        self._facts: dict[Formula, None] = {}
        self._closed = False
        self.number = 0  # among the cases that it is one of
        self._hypothesis: tuple[str, Mapping[Term, Term], Term | None] | None = None
        for fact in facts:
            self._add(fact)

    @property
    def goal(self) -> Term:
        """What is to be proved here."""
        return self._goal

    @property
    def is_first(self) -> bool:
        """Whether this is the first of several cases."""
        return self.number == 0

    @property
    def theorem(self) -> Theorem:
        """What the whole proof is of."""
        return self._ledger.theorem

    # Rules that add a fact.

    def have(self, claim: Term, *by: Formula, why: str = "") -> Term:
        """``claim`` follows from the facts ``by``, or from all facts where none are named."""
        self._oblige(claim, by, f"have {claim}" + (f", {why}" if why else ""))
        return self._add(claim)

    def division(self, x: Term | int, y: Term | int) -> Term:
        """What ⌊x/y⌋ and x mod y mean."""
        return self._given("division", division(x, y))

    def unfold(self, *terms: Term) -> Term:
        """The defining equations at these terms; the last of them comes back."""
        fact = as_term(True)
        for term in terms:
            if term.op != "apply" or not isinstance(term.data, Recursive | Counted):
                raise ProofError(f"{term} is not defined by recursion")
            try:
                equation = term.data.definition(term)
            except ValueError as error:
                raise ProofError(str(error)) from None
            fact = self._given("unfold", equation)
        return fact

    def use(self, name: str, **at: Any) -> Term:
        """The conclusion of an earlier theorem at terms; a variable that is not named stays itself."""
        mine, names = self._ledger.theorem, list(THEOREMS)
        if name not in THEOREMS or (mine.name in THEOREMS and names.index(name) >= names.index(mine.name)):
            raise ProofError(f"{mine.name} cannot use {name}, which does not stand before it")
        self._ledger.uses[name] = None
        values = ", ".join(f"{k} := {v}" for k, v in at.items() if isinstance(v, Term | int))
        what = name + f" at {values}" * bool(values)
        return self._apply(THEOREMS[name], *_instantiation(THEOREMS[name], at), "use", what)

    def at(self, fact: Formula, *terms: Term | int) -> Term:
        """A fact ∀ k: φ(k) at terms."""
        if not isinstance(fact, All):
            raise ProofError(f"{fact} has no quantifier")
        if fact not in self._facts:
            raise ProofError(f"{fact} is not established")
        return self._given("at", fact.at(*terms))

    def every(self, claim: All, prove: Callable[..., None]) -> All:
        """∀ k: φ(k), where ``prove(proof, k…)`` proves φ of variables that are new."""
        new = [self._fresh(n, b.sort) for n, b in zip(claim.names, claim.bound, strict=True)]
        self._say("every", f"show {claim}")
        inner = self._child((), claim.at(*new))
        prove(inner, *new)
        inner._must_be_closed()
        self._facts[claim] = None
        return claim

    def algebra(self, left: Term, right: Term) -> Term:
        """left = right as polynomials in whatever stands in them."""
        if not is_identity(left, right):
            raise ProofError(f"{left} = {right} is no identity of polynomials")
        self._ledger.identities.append((left, right))
        claim = eq(left, right)
        self._oblige(claim, (as_term(True),), f"algebra {claim}", "algebra")
        return self._add(claim)

    def suppose(self) -> Term:
        """Where the goal is an implication: its premise is a fact, and what is left to prove is its conclusion."""
        if self._goal.op != "=>":
            raise ProofError(f"{self._goal} is no implication")
        premise, self._goal = self._goal.args
        return self._given("suppose", premise)

    # Rules that end a proof or divide it.

    def done(self, *by: Formula) -> None:
        """The goal follows from the facts ``by``, or from all facts."""
        self._oblige(self._goal, by, f"hence {self._goal}")
        self._closed = True

    def cases(self, *conditions: Term) -> Iterator[Proof]:
        """A proof of the goal for each condition; that one of them holds is an obligation."""
        self._oblige(disj(*conditions), (), "cases " + " | ".join(map(str, conditions)), "cases")
        return self._branches([("case", str(c), (c,)) for c in conditions])

    def split(self, value: Term, sort: ListSort, last: Callable[..., None], longer: Callable[..., None]) -> None:
        """``last(proof, fields…)`` where a list is ``base``, ``longer(proof, fields…, tail)`` where it is ``cons``."""
        if value.sort != sort.name:
            raise ProofError(f"{value} is no {sort.name}")
        for prove, made, guard in self._made(sort, last, longer):
            self._say("split", f"{value} = {made}")
            branch = self._child((eq(value, made), guard), self._goal)
            prove(branch, *made.args)
            branch._must_be_closed()
        self._closed = True

    def induction(self, on: Term, sort: ListSort, base: Callable[..., None], step: Callable[..., None]) -> None:
        """``base(proof, fields…)``, and ``step(proof, fields…, tail)`` in which ``ih`` may be used."""
        theorem = self._whole_theorem(on)
        if on.sort != sort.name:
            raise ProofError(f"{on} is no {sort.name}")
        for prove, made, guard in self._made(sort, base, step):
            self._say("induction", f"{'base' if prove is base else 'step'}: {on} = {made}")
            facts = [guard, *(_replaced(h, {on: made}, {}) for h in theorem.hypotheses)]
            branch = self._fork(facts, substitute(theorem.conclusion, {on: made}))
            if prove is step:
                branch._hypothesis = ("tail", {on: made.args[-1]}, None)
            prove(branch, *made.args)
            branch._must_be_closed()
        self._closed = True

    def _made(self, sort: ListSort, base: Any, step: Any) -> Iterator[tuple[Any, Term, Term]]:
        """The two ways to make a list, each from new variables that satisfy the guard."""
        ends = [self._fresh(n, s) for n, s in sort.base_fields.items()]
        yield base, sort.base(*ends), sort.guard(*ends)
        front = [self._fresh(n, s) for n, s in sort.element_fields.items()]
        yield step, sort.cons(*front, self._fresh("tail", sort.name)), sort.guard(*front)

    def descent(self, measure: Term) -> None:
        """The theorem may be used (``ih``) wherever ``measure`` ≥ 0 is smaller than here."""
        self._whole_theorem(None)
        self._ledger.rules["descent"] = None
        self._oblige(measure >= 0, (), f"descent along {measure}", "descent")
        self._hypothesis = ("descent", {}, measure)

    def ih(self, **at: Any) -> Term:
        """The theorem itself: for the tail after ``induction``, where the measure is smaller after ``descent``."""
        if self._hypothesis is None:
            raise ProofError("there is no induction here")
        theorem = self._ledger.theorem
        _, fixed, measure = self._hypothesis
        values, functions = _instantiation(theorem, at)
        if any(v in fixed and values[v] is not v for v in values if v in fixed):
            raise ProofError("the induction hypothesis is about the tail alone")
        values = {**values, **fixed}
        shown = ", ".join(f"{k} := {v}" for k, v in at.items())
        if measure is not None:
            smaller = substitute(measure, values, functions) < measure
            self._oblige(smaller, (), f"the measure is smaller at {shown}", "descent")
        return self._apply(theorem, values, functions, "induction", f"hypothesis at {shown}")

    # What the rules rest on.

    def _apply(self, theorem: Theorem, values: Any, functions: Any, rule: str, what: str) -> Term:
        self._ledger.rules[rule] = None
        for hypothesis in theorem.hypotheses:
            needed = _replaced(hypothesis, values, functions)
            if isinstance(needed, All):
                if needed not in self._facts:
                    raise ProofError(f"{what} needs {needed}, which is not established")
            elif needed not in self._facts and needed is not as_term(True):
                self._oblige(needed, (), f"for {what}: {needed}", rule)
        fact = substitute(theorem.conclusion, values, functions)
        self._say(rule, f"{what}: {fact}")
        return self._add(fact)

    def _whole_theorem(self, on: Term | None) -> Theorem:
        theorem = self._ledger.theorem
        if not self._is_root or self._hypothesis is not None:
            raise ProofError("an induction stands at the beginning of a proof")
        if on is not None and on not in theorem.given:
            raise ProofError(f"{on} is not given")
        return theorem

    def _branches(self, branches: list[tuple[str, str, tuple[Term, ...]]]) -> Iterator[Proof]:
        for number, (rule, what, facts) in enumerate(branches):
            self._say(rule, what)
            branch = self._child(facts, self._goal)
            branch.number = number
            yield branch
            branch._must_be_closed()
        self._closed = True

    def _child(self, facts: Iterable[Formula], goal: Term) -> Proof:
        child = Proof(self._ledger, (*self._facts, *facts), goal, self._depth + 1)
        child._hypothesis = self._hypothesis
        return child

    def _fork(self, facts: Iterable[Formula], goal: Term) -> Proof:
        return Proof(self._ledger, facts, goal, self._depth + 1)

    def _fresh(self, name: str, sort: str) -> Term:
        self._ledger.fresh += 1
        return variable(f"{name}!{self._ledger.fresh}", sort)

    def _given(self, rule: str, fact: Term) -> Term:
        self._say(rule, str(fact))
        return self._add(fact)

    def _add(self, fact: Any) -> Any:
        self._facts[fact] = None
        if isinstance(fact, Term) and fact.op == "and":
            for part in fact.args:
                self._add(part)
        return fact

    def _oblige(self, claim: Term, by: tuple[Formula, ...], what: str, rule: str = "have") -> None:
        missing = [f for f in by if f not in self._facts and f is not as_term(True)]
        if missing:
            raise ProofError(f"{missing[0]} is not established")
        facts = tuple(f for f in (by or self._facts) if isinstance(f, Term))
        self._say(rule, what)
        ledger = self._ledger
        name = f"{ledger.theorem.name}/{len(ledger.obligations) + 1} {what}"
        ledger.obligations.append(Obligation(name, facts, claim))

    def _say(self, rule: str, text: str) -> None:
        self._ledger.rules[rule] = None
        self._ledger.steps.append("  " * self._depth + (text if rule in _SPOKEN else f"{rule} {text}"))

    def _must_be_closed(self) -> None:
        if not self._closed:
            raise ProofError(f"a branch of {self._ledger.theorem.name} ends without its goal {self._goal}")


_SPOKEN = ("have", "algebra", "cases", "descent", "every")


def run(theorem: Theorem) -> Ledger:
    """The proof of a theorem, step by step; raises ProofError when it does not follow the rules."""
    ledger = Ledger(theorem)
    proof = Proof(ledger, theorem.hypotheses, theorem.conclusion, is_root=True)
    theorem.proof(proof)
    proof._must_be_closed()
    return ledger


def _replaced(formula: Formula, values: Mapping[Term, Term], functions: Mapping[Function, Any]) -> Any:
    if isinstance(formula, All):
        return formula.replace(values, functions)
    return substitute(formula, values, functions)


def _instantiation(theorem: Theorem, at: Mapping[str, Any]) -> tuple[dict[Term, Term], dict[Function, Any]]:
    """Terms for the variables and callables for the functions of a theorem; sorts must fit."""
    values: dict[Term, Term] = {}
    functions: dict[Function, Any] = {}
    left = dict(at)
    for given in theorem.given:
        if isinstance(given, Function):
            if given.name in left:
                functions[given] = left.pop(given.name)
            continue
        value = as_term(left.pop(given.data)) if given.data in left else given
        if value.sort != given.sort:
            raise ProofError(f"{given} of {theorem.name} is {given.sort}; {value} is {value.sort}")
        values[given] = value
    if left:
        raise ProofError(f"{theorem.name} has no variable {next(iter(left))}")
    return values, functions


def is_identity(left: Term, right: Term) -> bool:
    """Whether left − right expands to 0, everything that is no sum or product being a symbol of its own (sympy).

    >>> from ..smt.terms import div, ints
    >>> x, y = ints("x y")
    >>> is_identity((x + y) * (x - y), x * x - y * y), is_identity(div(x, y) * y, x)
    (True, False)
    """
    import sympy

    symbols: dict[Term, Any] = {}

    def build(t: Term) -> Any:
        if t.op == "int":
            return sympy.Integer(t.data)
        if t.op in ("+", "-", "*"):
            a, b = map(build, t.args)
            return a + b if t.op == "+" else a - b if t.op == "-" else a * b
        return symbols.setdefault(t, sympy.Symbol(f"t{len(symbols)}"))

    return bool(sympy.expand(build(left) - build(right)) == 0)


__all__ = ["Ledger", "Proof", "ProofError", "is_identity", "run"]
