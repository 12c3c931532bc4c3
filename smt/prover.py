"""Whether polynomial facts over the integers imply another: by signs, by linear arithmetic with products, by search.

Three steps, each sound, from cheap to costly. *Signs*: written in how far each unknown lies above its lower bound, a
polynomial without negative coefficients is not negative. *Products*: monomials are taken for unknowns of their own,
products of facts (p ≥ 0 and q ≥ 0 give p·q ≥ 0) are added, and z3 decides what is then linear. *Search*: z3's own
nonlinear arithmetic. Only ``unsat`` counts as a proof.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import z3

from .polynomial import Monomial, Poly
from .terms import Term, eq, ne

VERSION = z3.get_version_string()
AT_LEAST, EQUAL, DIFFERENT = "≥", "=", "≠"


@dataclass(frozen=True)
class Fact:
    """``poly`` ≥ 0, = 0 or ≠ 0."""

    poly: Poly
    kind: str = AT_LEAST

    def __str__(self) -> str:
        return f"{self.poly} {self.kind} 0"

    @property
    def constant(self) -> bool | None:
        """Whether it holds, where the polynomial is a number."""
        value = self.poly.value
        if value is None:
            return None
        return value >= 0 if self.kind == AT_LEAST else (value == 0) == (self.kind == EQUAL)

    def negated(self) -> Fact:
        """What holds where it does not."""
        if self.kind == AT_LEAST:
            return Fact(-self.poly - 1)
        return Fact(self.poly, DIFFERENT if self.kind == EQUAL else EQUAL)

    def put(self, name: str, value: Poly) -> Fact:
        """``value`` in the place of an unknown."""
        poly = self.poly.put(name, value)
        return self if poly is self.poly else Fact(poly, self.kind)

    def as_term(self) -> Term:
        """The fact as a term of obligations."""
        p = self.poly.as_term()
        return p >= 0 if self.kind == AT_LEAST else eq(p, 0) if self.kind == EQUAL else ne(p, 0)

    def holds(self, values: dict[str, int]) -> bool:
        """The fact at given values."""
        return bool(Fact(Poly.constant(self.poly.evaluate(values)), self.kind).constant)


@dataclass(frozen=True)
class Contradiction:
    """Declarations and assertions that cannot all hold: of reals, or of integers alone."""

    lines: str
    over_integers: bool

    @property
    def text(self) -> str:
        """The SMT-LIB 2 script that is unsatisfiable."""
        return f"(set-logic ALL)\n{self.lines}\n(check-sat)\n"

    @property
    def over_reals(self) -> str:
        """The same of reals, often decided sooner: what no reals satisfy, no integers do."""
        return self.text.replace(" Int)", " Real)")


@dataclass
class Prover:
    """Decides implications, remembers them, and counts.

    ``product_work`` and ``search_work`` bound one call of z3 in its own units of work (thirty million: about 1 s):
    what is decided does not depend on how busy the machine is. ``contradictions`` are the texts that z3 found
    unsatisfiable, for another solver to decide again.

    >>> x, y = Poly.of("x"), Poly.of("y")
    >>> prover = Prover()
    >>> prover.implies([Fact(x - 1), Fact(y - 2)], Fact(x * y - 2))
    True
    >>> prover.implies([Fact(x - 1), Fact(y - 2)], Fact(x * y - 3))
    False
    """

    product_work: int = 10_000_000
    search_work: int = 30_000_000
    asked: int = 0
    spent: float = 0.0
    known: dict[Any, bool] = field(default_factory=dict)
    contradictions: dict[Contradiction, None] = field(default_factory=dict)
    by: dict[str, int] = field(default_factory=dict)

    def implies(
        self, facts: Sequence[Fact], goal: Fact, deep: bool = True, models: Iterable[dict[str, int]] = ()
    ) -> bool:
        """Whether it was shown that the facts imply the goal. ``deep`` allows the search.

        ``models`` are numbers for which all facts hold: one that breaks the goal saves the solver the question.
        """
        if goal.constant is not None:
            if goal.constant:
                return True
        elif any(not goal.holds(model) for model in models):
            return False
        key = (frozenset(facts), goal)
        if (key, deep) in self.known:
            return self.known[(key, deep)]
        self.asked += 1
        started = time.perf_counter()
        how = follows_by_signs(facts, goal) or self._by_solver(facts, goal, deep)
        self.spent += time.perf_counter() - started
        if how:
            self.by[how] = self.by.get(how, 0) + 1
        self.known[(key, deep)] = bool(how)
        return bool(how)

    def _by_solver(self, facts: Sequence[Fact], goal: Fact, deep: bool) -> str:
        negated = goal.negated()
        cases = [negated]
        if negated.kind == DIFFERENT:
            cases = [Fact(negated.poly - 1), Fact(-negated.poly - 1)]
        for case in cases:
            if not self._excluded_by_products([*facts, case]):
                if not deep or not self._excluded(_integer_lines([*facts, case]), self.search_work, True):
                    return ""
                self.by["search"] = self.by.get("search", 0) + 1
        return "products"

    def _excluded_by_products(self, facts: Sequence[Fact]) -> bool:
        """Whether the facts contradict one another already as linear facts over monomials, products of pairs added."""
        for wide in (False, True):
            lines = _product_lines(facts, wide)
            if lines is None or self._excluded(lines, self.product_work, False):
                return True
        return False

    def _excluded(self, lines: list[str], work: int, over_integers: bool) -> bool:
        text = "\n".join(lines)
        solver = z3.Solver() if over_integers else z3.SimpleSolver()
        solver.set("rlimit", work)
        solver.from_string(text)
        if solver.check() != z3.unsat:
            return False
        self.contradictions[Contradiction(text, over_integers)] = None
        return True

    def example(self, facts: Iterable[Fact], bound: int = 6, work: int = 20_000_000) -> dict[str, int] | None:
        """Values within ``bound`` for which all facts hold, or None where none was found."""
        solver = z3.Solver()
        solver.set("rlimit", work)
        solver.from_string("\n".join(_integer_lines(facts, bound)))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return {d.name(): model[d].as_long() for d in model.decls()}


def follows_by_signs(facts: Sequence[Fact], goal: Fact) -> str:
    """``signs`` where lower bounds of single unknowns show the goal, else nothing."""
    if goal.kind == EQUAL:
        return ""
    lows = lower_bounds(facts)
    if sign_is_known(goal.poly, lows, 0 if goal.kind == AT_LEAST else 1):
        return "signs"
    if goal.kind == DIFFERENT and sign_is_known(-goal.poly, lows, 1):
        return "signs"
    return ""


def lower_bounds(facts: Iterable[Fact]) -> dict[str, int]:
    """What the facts that speak of one unknown alone say of its least value."""
    lows: dict[str, int] = {}
    for fact in facts:
        if fact.kind != AT_LEAST or len(fact.poly.terms) > 2:
            continue
        rest = fact.poly.terms.get((), 0)
        for m, c in fact.poly.terms.items():
            if len(m) == 1 and c == 1 and len(fact.poly.terms) == 1 + (rest != 0):
                lows[m[0]] = max(lows.get(m[0], -rest), -rest)
    return lows


def sign_is_known(poly: Poly, lows: dict[str, int], least: int) -> bool:
    """Whether signs alone show poly ≥ least."""
    if any(c < 0 and m for m, c in poly.terms.items()) and len(poly.terms) == 1:
        return False
    shifted = poly
    for name in poly.unknowns:
        if name not in lows:
            return False
        if lows[name]:
            shifted = shifted.put(name, Poly({(name,): 1, (): lows[name]}))
    return all(c >= 0 for m, c in shifted.terms.items() if m) and shifted.terms.get((), 0) >= least


def _product_lines(facts: Sequence[Fact], wide: bool) -> list[str] | None:
    """The facts and products of pairs, linear over monomials; None where a fact is plainly false."""
    facts = _tightened(facts)
    if any(fact.constant is False for fact in facts):
        return None
    facts = [fact for fact in facts if fact.constant is None]
    products = _wide_products(facts) if wide else _products(facts)
    everything = [*facts, *products]
    monomials = dict.fromkeys(m for fact in everything for m in fact.poly.terms if m)
    lines = [f"(declare-const {_symbol(m)} Real)" for m in monomials]
    return lines + [f"(assert {_linear(fact)})" for fact in everything]


def _tightened(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with unknowns that can only be one number replaced, and x·p ≥ 1 with x ≥ 1 read as p ≥ 1."""
    lows = lower_bounds(facts)
    fixed = {name: low for name, low in lows.items() if Fact(Poly({(name,): -1, (): low})) in facts}
    for fact in facts:
        solution = fact.poly.solve() if fact.kind == EQUAL and len(fact.poly.unknowns) == 1 else None
        if solution and solution[1].value is not None:
            fixed[solution[0]] = solution[1].value
    for name, number in fixed.items():
        value = Poly.constant(number)
        facts = [fact.put(name, value) for fact in facts]
    found = dict.fromkeys(facts)
    for fact in facts:
        if fact.kind != AT_LEAST or fact.poly.terms.get((), 0) >= 0:
            continue
        rest = [m for m in fact.poly.terms if m]
        for name in sorted(set(rest[0]).intersection(*rest[1:])) if rest else ():
            if lows.get(name, 0) >= 1:
                part = Poly({m: c for m, c in fact.poly.terms.items() if m}).split(Poly.of(name))[0]
                found[Fact(part - 1)] = None
    return list(found)


def _symbol(m: Monomial) -> str:
    return f"|{'·'.join(m)}|"


@lru_cache(maxsize=1 << 16)
def _linear(fact: Fact) -> str:
    """The fact as text, every monomial an unknown of its own. Text is what z3 reads fastest."""
    parts = [_symbol(m) if c == 1 else f"(* {_number(c)} {_symbol(m)})" for m, c in fact.poly.terms.items() if m]
    total = f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]
    rest = _number(-fact.poly.terms.get((), 0))
    if fact.kind == DIFFERENT:
        return f"(not (= {total} {rest}))"
    return f"({'>=' if fact.kind == AT_LEAST else '='} {total} {rest})"


def _number(c: int) -> str:
    return str(c) if c >= 0 else f"(- {-c})"


@lru_cache(maxsize=1 << 16)
def _product(p: Poly, q: Poly) -> Poly:
    return p * q


def _products(facts: Sequence[Fact]) -> list[Fact]:
    """Products of two facts p ≥ 0, and of a fact = 0 with an unknown, that bring in no monomial that is not there."""
    there = {m for fact in facts for m in fact.poly.terms}
    signed = list(dict.fromkeys(fact.poly for fact in facts if fact.kind == AT_LEAST))
    equal = list(dict.fromkeys(fact.poly for fact in facts if fact.kind == EQUAL))
    top = max((len(m) for m in there), default=0)
    found: dict[Fact, None] = {}
    for i, p in enumerate(signed):
        for q in signed[i:]:
            if len(p.leading) + len(q.leading) > top:
                continue
            product = _product(p, q)
            if all(m in there for m in product.terms if len(m) > 1):
                found[Fact(product)] = None
    for p in equal:
        for name in sorted({n for m in there for n in m}):
            product = _product(p, Poly.of(name))
            if all(m in there for m in product.terms if len(m) > 1):
                found[Fact(product, EQUAL)] = None
    return list(found)


def _wide_products(facts: Sequence[Fact]) -> list[Fact]:
    """Products with an unknown that is not negative of the facts of low degree, whatever monomials they bring in."""
    there = {m for fact in facts for m in fact.poly.terms}
    low = max((len(m) for m in there), default=0)
    lows = lower_bounds(facts)
    found = dict.fromkeys(_products(facts))
    for fact in facts:
        if fact.kind == DIFFERENT or len(fact.poly.leading) >= max(low, 2):
            continue
        for name in sorted(fact.poly.unknowns | lows.keys()):
            if fact.kind == EQUAL or lows.get(name, -1) >= 0:
                found[Fact(_product(fact.poly, Poly.of(name)), fact.kind)] = None
    return list(found)


def _integer_lines(facts: Iterable[Fact], bound: int | None = None) -> list[str]:
    """The facts as they are, over the integers."""
    facts = list(facts)
    names = sorted({name for fact in facts for name in fact.poly.unknowns})
    lines = [f"(declare-const |{name}| Int)" for name in names]
    if bound is not None:
        lines += [f"(assert (<= (- {bound}) |{name}| {bound}))" for name in names]
    return lines + [f"(assert {_nonlinear(fact)})" for fact in facts]


@lru_cache(maxsize=1 << 16)
def _nonlinear(fact: Fact) -> str:
    parts = [
        f"(* {' '.join([_number(c), *(f'|{name}|' for name in m)])})" if m else _number(c)
        for m, c in fact.poly.terms.items()
    ]
    total = f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "0"
    if fact.kind == DIFFERENT:
        return f"(not (= {total} 0))"
    return f"({'>=' if fact.kind == AT_LEAST else '='} {total} 0)"
