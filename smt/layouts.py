"""An integer layout as z3 terms: sizes and strides may be unknowns, and a model is read back, minimised, as layouts.

Division and remainder are never given to the solver as such. A :class:`Question` states each as its Euclidean
witness, x = q·n + r with 0 ≤ r < n, which z3 decides where its own div and mod time out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from ..model.errors import Undecided
from ..model.layout import Layout

VERSION = z3.get_version_string()
Term = Any  # a z3 integer term, or an int


def every(*facts: Any) -> Any:
    """All of them hold."""
    return z3.And(*facts)


def some(*facts: Any) -> Any:
    """One of them holds, at least."""
    return z3.Or(*facts)


def implies(fact: Any, other: Any) -> Any:
    """The other holds wherever the one does."""
    return z3.Implies(fact, other)


def shift_down(x: Term, n: Term) -> Term:
    """A bit-vector without its n lowest bits."""
    return z3.LShR(x, n)


def carry_less(scale: Term, x: Term, bits: int) -> Term:
    """XOR of x shifted to each of the ``bits`` lowest bits of the scale that is set; both are bit-vectors.

    >>> q = Question(bits=16)
    >>> m = q.unknown("m", 0, 100)
    >>> q.find(carry_less(m, q.constant(5), 7) == 15)
    {'m': 3}
    """
    zero = z3.BitVecVal(0, x.size())
    total = zero
    for k in range(bits):
        total = total ^ z3.If(z3.Extract(k, k, scale) == 1, x << k, zero)
    return total


class Question:
    """Unknown integers and what is known of them; asked for a model, or for a proof that there is none.

    ``budget_ms`` bounds each call of the solver. Raises Undecided when the solver gives up. With ``bits`` the unknowns
    are signed bit-vectors of that width, which searches among small numbers many times faster: each then needs both
    bounds, and the caller sees to it that no term within them overflows.

    >>> q = Question()
    >>> n, x = q.unknown("n", 1), q.unknown("x", 0)
    >>> quotient, rest = q.divide(x, n)
    >>> q.refute(quotient * n > x) is None
    True
    """

    def __init__(self, budget_ms: int = 10_000, bits: int | None = None):
        self.solver = z3.SolverFor("QF_BV") if bits else z3.Solver()
        self.bits = bits
        self.solver.set("timeout", budget_ms)
        self.unknowns: dict[str, Term] = {}
        self.fresh = 0

    def unknown(self, name: str, low: int | None = None, high: int | None = None) -> Term:
        """A new unknown integer, within bounds where they are given."""
        if self.bits and (low is None or high is None):
            raise ValueError(f"{name} needs both bounds as a bit-vector")
        term = self._term(name)
        self.unknowns[name] = term
        if low is not None:
            self.solver.add(term >= low)
        if high is not None:
            self.solver.add(term <= high)
        return term

    def constant(self, value: int) -> Term:
        """An integer as a term: a bit-vector where the unknowns are."""
        return z3.BitVecVal(value, self.bits) if self.bits else z3.IntVal(value)

    def know(self, *facts: Any) -> None:
        """Adds hypotheses."""
        self.solver.add(*facts)

    def divide(self, x: Term, n: Term) -> tuple[Term, Term]:
        """⌊x/n⌋ and x mod n for n ≥ 1, as new unknowns with x = q·n + r and 0 ≤ r < n."""
        self.fresh += 1
        q, r = self._term(f"q!{self.fresh}"), self._term(f"r!{self.fresh}")
        self.solver.add(x == q * n + r, r >= 0, r < n)
        if self.bits:
            self.solver.add(q >= 0, q <= x)  # x is not negative here, and without a bound q·n would wrap around
        return q, r

    def _term(self, name: str) -> Term:
        return z3.BitVec(name, self.bits) if self.bits else z3.Int(name)

    def find(self, *facts: Any) -> dict[str, int] | None:
        """A model of the hypotheses and ``facts``: the unknowns by name; None when there is none."""
        self.solver.push()
        try:
            self.solver.add(*facts)
            answer = self.solver.check()
            if answer == z3.unsat:
                return None
            if answer != z3.sat:
                raise Undecided(f"z3 gave up: {self.solver.reason_unknown()}")
            model = self.solver.model()
            return {name: _number(model.eval(term, model_completion=True)) for name, term in self.unknowns.items()}
        finally:
            self.solver.pop()

    def refute(self, fact: Any) -> dict[str, int] | None:
        """The same as :meth:`find`: None proves that the hypotheses exclude ``fact``."""
        return self.find(fact)

    def smallest(self, measures: Sequence[Term], *facts: Any) -> dict[str, int] | None:
        """A model with the least first measure, among those the least second one, and so on; None when none exists.

        Each measure must be bounded below by what is known. Found by halving the interval between 0 and what the
        last model had.

        >>> q = Question()
        >>> x, y = q.unknown("x", 0), q.unknown("y", 0)
        >>> q.smallest([x + y, x], x + 2 * y >= 5)
        {'x': 0, 'y': 3}
        """
        self.solver.push()
        try:
            self.solver.add(*facts)
            best = self.find()
            if best is None:
                return None
            for measure in measures:
                term = measure if z3.is_expr(measure) else z3.IntVal(measure)
                low, high = 0, _value(term, best, self.unknowns)
                while low < high:
                    middle = (low + high) // 2
                    model = self.find(term <= middle)
                    if model is None:
                        low = middle + 1
                    else:
                        best, high = model, _value(term, model, self.unknowns)
                self.solver.add(term == high)
            return best
        finally:
            self.solver.pop()


def _number(term: Term) -> int:
    return int(term.as_signed_long() if z3.is_bv_value(term) else term.as_long())


def _value(term: Term, model: dict[str, int], unknowns: dict[str, Term]) -> int:
    pairs = [(unknowns[name], _constant(value, unknowns[name])) for name, value in model.items()]
    return _number(z3.simplify(z3.substitute(term, *pairs)))


def _constant(value: int, like: Term) -> Term:
    return z3.BitVecVal(value, like.size()) if z3.is_bv(like) else z3.IntVal(value)


@dataclass(frozen=True)
class SymbolicLayout:
    """A flat layout whose sizes and strides are terms.

    >>> q = Question()
    >>> A = SymbolicLayout.unknown(q, "A", 2)
    >>> i = q.unknown("i", 0)
    >>> q.refute(A.at_index(q, 0) != 0) is None
    True
    """

    shape: tuple[Term, ...]
    stride: tuple[Term, ...]

    @classmethod
    def unknown(
        cls,
        question: Question,
        name: str,
        rank: int,
        sizes: tuple[int, int | None] = (1, None),
        strides: tuple[int | None, int | None] = (None, None),
    ) -> SymbolicLayout:
        """``rank`` modes of unknown size ``name_s0`` … and stride ``name_d0`` …, within the bounds given."""
        return cls(
            tuple(question.unknown(f"{name}_s{k}", *sizes) for k in range(rank)),
            tuple(question.unknown(f"{name}_d{k}", *strides) for k in range(rank)),
        )

    @classmethod
    def of(cls, layout: Layout) -> SymbolicLayout:
        """A given layout with its numbers."""
        return cls(tuple(s for s, _ in layout.modes), tuple(d for _, d in layout.modes))

    def digits(self, question: Question, x: Term) -> tuple[Term, ...]:
        """The natural coordinate of an integral one; the last digit is not reduced."""
        digits = []
        for s in self.shape[:-1]:
            x, digit = question.divide(x, s)
            digits.append(digit)
        return (*digits, x)

    def at(self, coordinate: Iterable[Term]) -> Term:
        """The offset at a natural coordinate."""
        terms = [c * d for c, d in zip(coordinate, self.stride, strict=True)]
        return sum(terms[1:], terms[0])

    def at_index(self, question: Question, x: Term) -> Term:
        """The offset at an integral coordinate."""
        return self.at(self.digits(question, x))

    def inside(self, coordinate: Iterable[Term]) -> Any:
        """That a natural coordinate is in bounds."""
        pairs = zip(coordinate, self.shape, strict=True)
        return z3.And(*[z3.And(c >= 0, c < s) for c, s in pairs])


def read_layout(model: dict[str, int], name: str) -> Layout:
    """The layout that a model gives to the unknowns of ``SymbolicLayout.unknown(question, name, rank)``.

    >>> str(read_layout({"A_s0": 6, "A_s1": 2, "A_d0": 1, "A_d1": 7}, "A"))
    '(6,2):(1,7)'
    """
    shape: list[int] = []
    stride: list[int] = []
    while f"{name}_s{len(shape)}" in model:
        stride.append(model[f"{name}_d{len(shape)}"])
        shape.append(model[f"{name}_s{len(shape)}"])
    return Layout(shape[0], stride[0]) if len(shape) == 1 else Layout(tuple(shape), tuple(stride))


class Stopwatch:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self.started = time.monotonic()

    @property
    def ms(self) -> float:
        """What has passed, to a tenth."""
        return round(1000 * (time.monotonic() - self.started), 1)
