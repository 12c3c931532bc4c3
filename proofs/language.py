"""The language that theorems are stated in: lists of modes, functions defined along them, statements, mutants.

Everything here can also be evaluated: a list is a Python tuple of tuples, a recursive function runs, and a statement
is true or false of an instance. What it takes to *prove* one stands in :mod:`.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from ..smt.terms import (
    BOOL,
    INT,
    Function,
    Term,
    as_term,
    conj,
    eq,
    evaluator,
    implies,
    substitute,
    subterms,
    variable,
    variables,
)

if TYPE_CHECKING:
    from .rules import Proof

Instance = dict[str, Any]
SAMPLED = range(-3, 26)  # where a quantifier without bounds is looked at when a statement is evaluated


class ListSort:
    """A sort of finite lists. ``base`` ends a list (with fields of its own, or with none), ``cons`` puts an element
    in front; ``guard`` says which fields are meant. Every value of the sort is made by the two from such fields.
    """

    def __init__(
        self,
        name: str,
        base: Mapping[str, str],
        element: Mapping[str, str],
        guard: Callable[..., Term] = lambda *fields: as_term(True),
    ):
        self.name, self.guard = name, guard
        self.base_fields, self.element_fields = dict(base), dict(element)
        self.base = Function(f"{name}.one" if base else f"{name}.none", tuple(base.values()), name, self._last)
        self.cons = Function(f"{name}.cons", (*element.values(), name), name, self._front)

    def _last(self, e: Any, *fields: Any) -> tuple[Any, ...]:
        return (fields,) if fields else ()

    def _front(self, e: Any, *fields: Any) -> tuple[Any, ...]:
        return (fields[:-1], *fields[-1])

    def is_base(self, value: tuple[Any, ...]) -> bool:
        """Whether a Python value is one that ``base`` makes."""
        return len(value) == (1 if self.base_fields else 0)

    def variable(self, name: str) -> Term:
        """A variable for any list."""
        return variable(name, self.name)


class Recursive(Function):
    """A function defined along a list: ``base`` on the fields of its end, ``step`` on those of its front and the tail.

    ``step`` may call the function on the tail, and on nothing else; so there is exactly one such function.
    """

    __slots__ = ("_base", "_bodies", "_evaluators", "_step", "over", "parameters")

    def __init__(
        self,
        name: str,
        over: ListSort,
        base: Callable[..., Term | int | bool],
        step: Callable[..., Term | int | bool],
        parameters: Mapping[str, str] | None = None,
        result: str = INT,
    ):
        self.over, self.parameters = over, dict(parameters or {})
        super().__init__(name, (over.name, *self.parameters.values()), result, self._run)
        self._base, self._step = base, step
        self._bodies: Any = None
        self._evaluators: Any = None

    @property
    def bodies(self) -> tuple[tuple[tuple[Term, ...], Term], tuple[tuple[Term, ...], Term]]:
        """(formal fields and parameters, body) for the end of a list and for its front."""
        if self._bodies is None:
            # Fields and parameters may share names; their formal variables must not.
            extra = [variable(f"{n}@given", s) for n, s in self.parameters.items()]
            ends = [variable(f"{n}@", s) for n, s in self.over.base_fields.items()]
            front = [variable(f"{n}@", s) for n, s in self.over.element_fields.items()]
            tail = self.over.variable("tail@")
            base, step = as_term(self._base(*ends, *extra)), as_term(self._step(*front, tail, *extra))
            for t in subterms([base, step]):
                if t.op == "apply" and isinstance(t.data, Recursive | Counted):
                    if t.data is self and (t.args[0] is not tail or t in subterms([base])):
                        raise ValueError(f"{self.name} calls itself on something else than the tail")
                elif t.op == "apply" and t.data.python is None:
                    raise ValueError(f"{self.name} rests on {t.data.name}, which has no definition")
            if base.sort != self.result or step.sort != self.result:
                raise TypeError(f"{self.name} is declared {self.result}")
            for formals in ((*ends, *extra), (*front, tail, *extra)):
                if len(set(formals)) != len(formals):
                    raise ValueError(f"{self.name} has two formal variables of one name")
            self._bodies = ((*ends, *extra), base), ((*front, tail, *extra), step)
        return self._bodies

    def on(self, *values: Any) -> Any:
        """Its value at Python values."""
        return self._run({}, *values)

    def _run(self, e: Any, value: tuple[Any, ...], *extra: Any) -> Any:
        if self._evaluators is None:
            self._evaluators = [([f.data for f in formals], evaluator(body)) for formals, body in self.bodies]
        if self.over.is_base(value):
            names, body = self._evaluators[0]
            fields = value[0] if value else ()
            return body(dict(zip(names, (*fields, *extra), strict=True)))
        names, body = self._evaluators[1]
        return body(dict(zip(names, (*value[0], value[1:], *extra), strict=True)))

    def definition(self, term: Term) -> Term:
        """The defining equation at a term whose list is written out; raises ValueError where it is not."""
        made = term.args[0]
        if made.op != "apply" or made.data not in (self.over.base, self.over.cons):
            raise ValueError(f"{term} cannot be unfolded: {made} is not written out")
        is_base = made.data is self.over.base
        formals, body = self.bodies[0 if is_base else 1]
        actual = (*made.args, *term.args[1:])
        fields = made.args if is_base else made.args[:-1]
        value = substitute(body, dict(zip(formals, actual, strict=True)))
        return implies(self.over.guard(*fields), eq(term, value))


class Counted(Function):
    """A function defined along the natural numbers: ``zero`` for n ≤ 0, ``step`` for n ≥ 1 from its value at n − 1."""

    __slots__ = ("_bodies", "_evaluators", "_step", "_zero", "parameters")

    def __init__(
        self,
        name: str,
        zero: Callable[..., Term | int],
        step: Callable[..., Term | int],
        parameters: Mapping[str, str] | None = None,
        result: str = INT,
    ):
        self.parameters = dict(parameters or {})
        super().__init__(name, (INT, *self.parameters.values()), result, self._run)
        self._zero, self._step = zero, step
        self._bodies: Any = None
        self._evaluators: Any = None

    @property
    def bodies(self) -> tuple[tuple[Term, ...], Term, Term]:
        """The formal number and parameters, the body for n ≤ 0 and that for n ≥ 1."""
        if self._bodies is None:
            n = variable("n@")
            extra = [variable(f"{p}@given", s) for p, s in self.parameters.items()]
            zero, step = as_term(self._zero(*extra)), as_term(self._step(n, *extra))
            for t in subterms([zero, step]):
                if t.op == "apply" and t.data is self and (t.args[0] is not n - 1 or t in subterms([zero])):
                    raise ValueError(f"{self.name} calls itself on something else than n − 1")
                if t.op == "apply" and t.data is not self and t.data.python is None:
                    raise ValueError(f"{self.name} rests on {t.data.name}, which has no definition")
            self._bodies = ((n, *extra), zero, step)
        return self._bodies

    def on(self, *values: Any) -> Any:
        """Its value at Python values."""
        return self._run({}, *values)

    def _run(self, e: Any, n: int, *extra: Any) -> Any:
        formals, zero, step = self.bodies
        if self._evaluators is None:
            self._evaluators = ([f.data for f in formals], evaluator(zero), evaluator(step))
        names, at_zero, at_step = self._evaluators
        return (at_zero if n <= 0 else at_step)(dict(zip(names, (n, *extra), strict=True)))

    def definition(self, term: Term) -> Term:
        """The defining equations at a term."""
        formals, zero, step = self.bodies
        values = dict(zip(formals, term.args, strict=True))
        n = term.args[0]
        return conj(
            implies(n <= 0, eq(term, substitute(zero, values))), implies(n >= 1, eq(term, substitute(step, values)))
        )


@dataclass(frozen=True)
class All:
    """∀ bound variables: body. Bound variables are numbered, so that two of these that say the same are equal.

    Made by :func:`every` and :func:`always`; ``ranges`` is for evaluation only (its bounds are part of the body).
    """

    bound: tuple[Term, ...]
    body: Term
    names: tuple[str, ...] = field(compare=False)
    ranges: tuple[tuple[Term, Term] | None, ...] = field(compare=False)

    def at(self, *terms: Term | int) -> Term:
        """The body at given terms."""
        values = [as_term(t) for t in terms]
        if [v.sort for v in values] != [b.sort for b in self.bound]:
            raise TypeError(f"{self} cannot be taken at {terms}")
        return substitute(self.body, dict(zip(self.bound, values, strict=True)))

    def replace(self, values: Mapping[Term, Term], functions: Mapping[Function, Any]) -> All:
        """Free variables and functions replaced; what replaces them never mentions a bound variable."""
        body = substitute(self.body, values, functions)
        bounds = tuple(
            None if r is None else (substitute(r[0], values, functions), substitute(r[1], values, functions))
            for r in self.ranges
        )
        return All(self.bound, body, self.names, bounds)

    def __str__(self) -> str:
        named = {b: variable(n, b.sort) for b, n in zip(self.bound, self.names, strict=True)}
        return f"∀ {', '.join(self.names)}: {substitute(self.body, named)}"


Formula = Term | All


def always(bound: tuple[Term, ...], body: Term, ranges: tuple[tuple[Term, Term] | None, ...] | None = None) -> All:
    """∀ these variables: body.

    >>> from ..smt.terms import ints
    >>> k, n = ints("k n")
    >>> print(always((k,), n + k >= k))
    ∀ k: k ≤ n + k
    """
    ranges = ranges or (None,) * len(bound)
    numbered = {b: variable(f"{i}@bound", b.sort) for i, b in enumerate(bound)}
    limits = tuple(None if r is None else (substitute(r[0], numbered), substitute(r[1], numbered)) for r in ranges)
    return All(tuple(numbered.values()), substitute(body, numbered), tuple(b.data for b in bound), limits)


def every(k: Term, low: Term | int, high: Term | int, body: Term) -> All:
    """∀ k with low ≤ k < high: body."""
    low, high = as_term(low), as_term(high)
    return always((k,), implies(conj(low <= k, k < high), body), ((low, high),))


def mentions(formula: Formula) -> set[Term]:
    """The free variables of a formula."""
    if isinstance(formula, All):
        return set(variables([formula.body])) - set(formula.bound)
    return set(variables([formula]))


@dataclass(frozen=True)
class Mutant:
    """A theorem with one thing broken: ``hypotheses`` or ``conclusion`` take the place of its own."""

    change: str
    conclusion: Term | None = None
    hypotheses: tuple[Formula, ...] | None = None
    instance: Callable[[Random], Instance] | None = None


@dataclass(frozen=True)
class Theorem:
    """A statement and its proof.

    ``given``       the variables, and functions, that it holds for all of
    ``hypotheses``  what is assumed
    ``conclusion``  what holds then
    ``proof``       builds the proof with the rules of :mod:`.rules`
    ``instance``    a random instance; some of these satisfy the hypotheses, and some do not
    ``mutants``     the statement with one thing broken
    ``meaning``     the same statement evaluated on an instance with ``model/`` instead of these terms, where given
    """

    name: str
    statement: str
    given: tuple[Term | Function, ...]
    hypotheses: tuple[Formula, ...]
    conclusion: Term
    proof: Callable[[Proof], None]
    instance: Callable[[Random], Instance]
    mutants: tuple[Mutant, ...]
    meaning: Callable[[Instance], bool] | None = None
    source: str = "ours"
    latex: str = ""

    def __post_init__(self) -> None:
        free = set().union(*(mentions(f) for f in (*self.hypotheses, self.conclusion)))
        unknown = free - {g for g in self.given if isinstance(g, Term)}
        if unknown:
            raise ValueError(f"{self.name} mentions {', '.join(map(str, unknown))}, which is not given")
        if any(mark in (g.data if isinstance(g, Term) else g.name) for g in self.given for mark in "!@"):
            raise ValueError("names with ! and @ are for new and for bound variables")

    @property
    def topic(self) -> str:
        """The file that it stands in."""
        return self.proof.__module__.rsplit(".", 1)[-1]


class Statement:
    """Hypotheses and a conclusion that can be evaluated on instances."""

    def __init__(self, hypotheses: tuple[Formula, ...], conclusion: Term):
        self._hypotheses = [_truth(h) for h in hypotheses]
        self._conclusion = evaluator(conclusion)

    def assumed(self, instance: Instance) -> bool:
        """Whether the instance satisfies the hypotheses."""
        return all(h(instance) for h in self._hypotheses)

    def concluded(self, instance: Instance) -> bool:
        """Whether it satisfies the conclusion."""
        return bool(self._conclusion(instance))


def _truth(formula: Formula) -> Callable[[Any], bool]:
    if isinstance(formula, Term):
        return evaluator(formula)
    names = [b.data for b in formula.bound]
    limits = [None if r is None else (evaluator(r[0]), evaluator(r[1])) for r in formula.ranges]
    body = evaluator(formula.body)

    def holds(e: Instance, i: int = 0) -> bool:
        if i == len(names):
            return bool(body(e))
        r = limits[i]
        values = SAMPLED if r is None else range(r[0](e), r[1](e))
        return all(holds({**e, names[i]: v}, i + 1) for v in values)

    return holds


def statement_of(theorem: Theorem, mutant: Mutant | None = None) -> Statement:
    """What a theorem, or one of its mutants, says."""
    if mutant is None:
        return Statement(theorem.hypotheses, theorem.conclusion)
    hypotheses = theorem.hypotheses if mutant.hypotheses is None else mutant.hypotheses
    return Statement(hypotheses, theorem.conclusion if mutant.conclusion is None else mutant.conclusion)


@dataclass(frozen=True)
class Sampled:
    """How a statement fared on random instances: ``satisfied`` of ``tried`` met the hypotheses."""

    tried: int
    satisfied: int
    counterexample: Instance | None


def sample(theorem: Theorem, wanted: int, seed: int = 0, mutant: Mutant | None = None, tries: int = 60) -> Sampled:
    """Evaluates a statement on random instances until ``wanted`` of them met its hypotheses, or one refutes it.

    At most ``tries`` times as many are drawn. A theorem's ``meaning`` is evaluated beside the formal statement.
    """
    rng = Random(f"{theorem.name}/{mutant.change if mutant else ''}/{seed}")
    draw = mutant.instance if mutant is not None and mutant.instance is not None else theorem.instance
    statement = statement_of(theorem, mutant)
    tried = satisfied = 0
    while satisfied < wanted and tried < wanted * tries:
        tried += 1
        instance = draw(rng)
        if not statement.assumed(instance):
            continue
        satisfied += 1
        holds = statement.concluded(instance)
        if holds and mutant is None and theorem.meaning is not None:
            holds = theorem.meaning(instance)
        if not holds:
            return Sampled(tried, satisfied, instance)
    return Sampled(tried, satisfied, None)


# The registry. A theorem can use only what was registered before it: no proof can go in a circle.

THEOREMS: dict[str, Theorem] = {}


def register(theorem: Theorem) -> Theorem:
    """Adds a theorem under its name, after all those that its proof may use."""
    if theorem.name in THEOREMS:
        raise ValueError(f"two theorems are named {theorem.name}")
    if len(theorem.mutants) < 3:
        raise ValueError(f"{theorem.name} has fewer than three mutants")
    THEOREMS[theorem.name] = theorem
    return theorem


def theorem(name: str, statement: str, **parts: Any) -> Callable[[Callable[[Proof], None]], Theorem]:
    """Decorates a proof with the statement that it proves, and registers both."""

    def with_proof(proof: Callable[[Proof], None]) -> Theorem:
        return register(Theorem(name=name, statement=statement, proof=proof, **parts))

    return with_proof


__all__ = ["BOOL", "INT", "THEOREMS", "All", "Counted", "Formula", "Instance", "ListSort", "Mutant", "Recursive"]
__all__ += ["Sampled", "Statement", "Theorem", "always", "every", "mentions", "register", "sample", "statement_of"]
__all__ += ["theorem"]
