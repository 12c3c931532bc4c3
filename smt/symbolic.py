"""Symbolic integers: shipped Python runs on them unchanged, every path of it is explored.

A :class:`Symbolic` is an ``int`` whose arithmetic makes polynomials. Comparisons and truth values fork: the code runs
once for every way they can turn out (:func:`explore` replays it with a longer prefix of decisions; ways that a solver
excludes are left out). ``//``, ``%`` and ``divmod`` name the quotient and the rest: first candidates are tried, exact
parts split off and the bounds of the rest proved (division is unique), and what remains gets an unknown quotient and
rest with x = q·y + r and 0 ≤ r < y.

Every path ends in one of the words of :class:`End`. A path is never silently dropped: what exceeds a bound is *cut*,
what enters code that cannot run on symbols (enumeration, vectorised arithmetic, searches) is *outside*.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any

from .polynomial import Poly, monomial_divisors
from .prover import AT_LEAST, DIFFERENT, EQUAL, Fact, Prover, follows_by_signs

POISON = 10**40  # the plain value of every symbol: where C code looks past our methods, it shows
LIMIT = 10**30
STEPS = 20_000  # arithmetic on one path: what needs more counts up to a symbol's plain value
MODELS = 48  # random numbers that follow a path, as far as they do


class Stop(BaseException):
    """Ends a path; no ``except Exception`` of the code under examination holds it."""


class Infeasible(Stop):
    """What was assumed cannot hold here: this is no path."""


class Cut(Stop):
    """A bound on loops or decisions was reached."""


class Outside(Stop):
    """The path enters code that does not run on symbols."""


class TimedOut(Stop):
    """The path's time is spent."""


class Failed(Stop):
    """A property that was to be proved is not; ``goal`` says which."""

    def __init__(self, what: str, goal: Fact | None = None):
        super().__init__(what)
        self.what, self.goal = what, goal


class End(Enum):
    """How a path ended."""

    RETURNED = "returned"
    REFUSED = "refused"
    HANDED_OVER = "handed over"
    RAISED = "raised"
    OUTSIDE = "outside"
    CUT = "cut"
    TIMED_OUT = "timed out"
    UNPROVED = "unproved"


@dataclass
class Ending:
    """One path: how it ended, after which decisions, what was proved on it, and what was not."""

    end: End
    detail: str
    decisions: tuple[bool, ...]
    code: tuple[bool, ...] | None
    facts: tuple[Fact, ...] = ()
    goals: tuple[tuple[str, tuple[Fact, ...], Fact], ...] = ()
    failed: Fact | None = None
    inputs: dict[str, Poly] = field(default_factory=dict)


class Run:
    """What a check is written against: inputs, assumptions, and properties to be shown.

    :class:`Path` runs it on symbols, :class:`Instance` on given numbers.
    """

    def integer(self, name: str, low: int | None = None, is_size: bool = False) -> Any:
        """An input, at least ``low``. Sizes are eliminated last."""
        raise NotImplementedError

    def assume(self, left: Any, relation: str, right: Any) -> None:
        """A hypothesis: ``<``, ``<=``, ``==`` or ``!=``."""
        raise NotImplementedError

    def show(self, left: Any, relation: str, right: Any, what: str) -> None:
        """A property to be proved on this path."""
        raise NotImplementedError

    def known(self, left: Any, relation: str, right: Any) -> bool:
        """Whether it follows from what is known on this path: no fork, no proof asked for."""
        raise NotImplementedError

    def ended(self, end: End, detail: str = "") -> None:
        """The code under examination is done; what follows are the properties."""
        raise NotImplementedError

    @property
    def is_symbolic(self) -> bool:
        """Whether contracts may stand in for functions that were proved apart."""
        raise NotImplementedError


class Path(Run):
    """One way through the code: decisions so far, facts, and what is solved for."""

    def __init__(
        self,
        prover: Prover,
        prefix: tuple[bool, ...],
        seconds: float = 20.0,
        most: int = 60,
        asked: dict[tuple[bool, ...], Fact] | None = None,
    ):
        self.prover, self.prefix, self.most = prover, prefix, most
        self.asked = {} if asked is None else asked  # what was decided after which decisions, over all paths
        self.decisions: list[bool] = []
        self.open: list[bool] = []  # which decisions could also go the other way
        self.facts: list[Fact] = []
        self.solved: dict[str, Poly] = {}
        self.sizes: set[str] = set()
        self.inputs: dict[str, Poly] = {}
        self.divisions: list[tuple[Poly, Poly, Poly, Poly]] = []
        self.goals: list[tuple[str, tuple[Fact, ...], Fact]] = []
        self.fresh = self.steps = 0
        self.models: list[dict[str, int]] = [{} for _ in range(MODELS)]
        self.refills, self.names = 3, set[str]()
        self.finish: tuple[End, str, tuple[bool, ...]] | None = None
        self.deadline = time.process_time() + seconds

    @property
    def is_symbolic(self) -> bool:
        """On symbols."""
        return True

    # What a check says.

    def integer(self, name: str, low: int | None = None, is_size: bool = False) -> Any:
        """An unknown integer."""
        if is_size:
            self.sizes.add(name)
        self.inputs[name] = Poly.of(name)
        self.names.add(name)
        for number, model in enumerate(self.models):
            model[name] = _drawn(f"{name}/{number}", low, is_size)
        if low is not None:
            self.add(Fact(Poly.of(name) - low))
        return Symbolic(self, Poly.of(name))

    def assume(self, left: Any, relation: str, right: Any) -> None:
        """Adds a hypothesis; the path ends as none where it cannot hold."""
        fact = self.relation(left, relation, right)
        if self.implies(fact.negated()):
            raise Infeasible
        self.add(fact)

    def show(self, left: Any, relation: str, right: Any, what: str) -> None:
        """Proves a property from the facts of this path; raises Failed where that does not succeed."""
        goal = self.relation(left, relation, right)
        if goal.constant is None or not goal.constant:
            self.goals.append((what, tuple(self.facts), goal))
            if not self.implies(goal, deep=True):
                raise Failed(what, goal)
            if goal.kind == EQUAL:
                self.add(goal)
        else:
            self.goals.append((what, (), goal))

    def known(self, left: Any, relation: str, right: Any) -> bool:
        """Whether the facts of this path imply it."""
        return self.implies(self.relation(left, relation, right))

    def implies(self, fact: Fact, deep: bool = False) -> bool:
        """Whether the facts of this path were shown to imply another."""
        if not self.models and self.refills and fact.constant is None:
            self.refills -= 1
            model = self.prover.example(self.facts, 9, 5_000_000)
            if model is not None:
                self.models.append({name: model.get(name, 1) for name in self.names})
        return self.prover.implies(self.facts, fact, deep, self.models)

    def ended(self, end: End, detail: str = "") -> None:
        """Marks where the code's own decisions end."""
        self.finish = (end, detail, tuple(self.decisions))

    def relation(self, left: Any, relation: str, right: Any) -> Fact:
        """A relation of two values as a fact."""
        a, b = self.poly(left), self.poly(right)
        if relation == "<":
            return Fact(b - a - 1)
        if relation == "<=":
            return Fact(b - a)
        return Fact(a - b, EQUAL if relation == "==" else DIFFERENT)

    # What the symbols do.

    def poly(self, value: Any) -> Poly:
        """A value as a polynomial in what is not solved for."""
        if isinstance(value, Symbolic):
            return self.normal(value.poly)
        if isinstance(value, int):
            if abs(value) >= LIMIT:
                raise Outside("a symbol was used as a plain number")
            return Poly.constant(int(value))
        raise Failed(f"{type(value).__name__} where an integer is meant")

    def normal(self, poly: Poly) -> Poly:
        """What is solved for replaced."""
        while names := [name for name in poly.unknowns if name in self.solved]:
            for name in names:
                poly = poly.put(name, self.solved[name])
        return poly

    def lift(self, poly: Poly) -> Any:
        """A polynomial as a value: a plain integer where it is a number."""
        value = poly.value
        return value if value is not None else Symbolic(self, poly)

    def name(self, text: str) -> str:
        """A name that was not used on this path."""
        self.fresh += 1
        return f"{text}{self.fresh}"

    def add(self, fact: Fact, is_new: bool = True) -> None:
        """Adds a fact; equations are solved for an unknown where one stands alone.

        One that was there before (``is_new`` false) keeps its form, unless it is that short: a dividend made of a
        quotient and a rest must stay recognisable.
        """
        fact = Fact(self.normal(fact.poly), fact.kind)
        if fact.constant:
            return
        if fact.constant is False:
            raise Infeasible
        if fact.kind == EQUAL:
            fact = Fact(self.without_factors(fact.poly), EQUAL)
            solution = fact.poly.solve(self.order) if is_new or len(fact.poly.terms) <= 2 else None
            if solution:
                self.put(*solution)
                return
        elif fact.kind == DIFFERENT:
            for sign in (fact.poly, -fact.poly):
                if self.implies(Fact(sign)):
                    fact = Fact(sign - 1)
                    break
        if fact.kind == AT_LEAST and follows_by_signs(self.facts, fact):
            return
        self.models = [model for model in self.models if fact.holds(model)]
        if fact not in self.facts:
            self.facts.append(fact)

    def order(self, name: str) -> Any:
        """Quotients and rests are solved for first, then strides and indices, sizes last."""
        return 2 if name in self.sizes else 0 if name[0] in "⌊%" else 1

    def put(self, name: str, value: Poly) -> None:
        """Solves for an unknown: it is replaced everywhere."""
        self.solved[name] = value
        for model in self.models:
            model[name] = value.evaluate(model)
        old, self.facts = self.facts, []
        again = []
        for fact in old:
            new = fact.put(name, value)
            if new is fact:
                self.facts.append(fact)
            else:
                again.append(new)
        self.divisions = [
            (x.put(name, value), y.put(name, value), q.put(name, value), r.put(name, value))
            for x, y, q, r in self.divisions
        ]
        self.models = [m for m in self.models if all(fact.holds(m) for fact in (*self.facts, *again))]
        for fact in again:
            self.add(fact, is_new=False)

    def without_factors(self, poly: Poly) -> Poly:
        """The polynomial without unknown factors that are known not to be 0."""
        for name in sorted(poly.unknowns):
            while poly.terms and all(name in m for m in poly.terms):
                if not self.implies(Fact(Poly.of(name), DIFFERENT)):
                    break
                poly = poly.split(Poly.of(name))[0]
        return poly

    def decide(self, fact: Fact) -> bool:
        """Whether a fact holds: what the facts imply, else a fork."""
        fact = Fact(self.normal(fact.poly), fact.kind)
        if fact.constant is not None:
            return fact.constant
        if time.process_time() > self.deadline:
            raise TimedOut("the time for one path is spent")
        place = len(self.decisions)
        if self.asked.setdefault(tuple(self.decisions), fact) != fact:
            raise TimedOut("a replay came to another question: the solver did not answer as before")
        if place < len(self.prefix):
            answer, is_open = self.prefix[place], False
        else:
            if place >= self.most:
                raise Cut(f"more than {self.most} decisions")
            if self.implies(fact):
                answer, is_open = True, False
            elif self.implies(fact.negated()):
                answer, is_open = False, False
            else:
                answer, is_open = True, True
        self.decisions.append(answer)
        self.open.append(is_open)
        self.add(fact if answer else fact.negated())
        return answer

    def divide(self, x: Poly, y: Poly) -> tuple[Poly, Poly]:
        """⌊x/y⌋ and x mod y as Python has them."""
        x, y = self.normal(x), self.normal(y)
        if not self.decide(Fact(y - 1)):
            if self.decide(Fact(y, EQUAL)):
                raise ZeroDivisionError("division by a symbol that is 0")
            q, r = self.divide(-x, -y)
            return q, -r
        x, y = self.normal(x), self.normal(y)
        return self._divide(x, y)

    def _divide(self, x: Poly, y: Poly, depth: int = 4) -> tuple[Poly, Poly]:
        if y.value == 1:
            return x, Poly({})
        whole, rest = x.split(y)
        for more in (0, -1, 1):
            if self._is_rest(rest - y * more, y):
                if more:
                    self.divisions.append((rest, y, Poly.constant(more), rest - y * more))
                return whole + more, rest - y * more
        nested = self._nested(rest, y)
        if nested:
            return whole + nested[0], nested[1]
        for x0, y0, q0, r0 in self.divisions:
            if y0 == y and x0.terms and depth:
                # What was divided by the same before: rest = u·x0 + v, and x0 = q0·y + r0.
                u, v = rest.split(x0)
                if u.terms:
                    exact, left = (u * r0 + v).split(y)
                    q, r = self._divide(left, y, depth - 1)
                    return self.normal(whole + u * q0 + exact) + q, r
        return self._witness(whole, rest, y)

    def _witness(self, whole: Poly, rest: Poly, y: Poly) -> tuple[Poly, Poly]:
        tag = self.name("")
        quotient, left = Poly.of(f"⌊{tag}"), Poly.of(f"%{tag}")
        self.names |= {f"⌊{tag}", f"%{tag}"}
        at_least_0 = self.implies(Fact(rest))
        for model in self.models:
            model[f"⌊{tag}"], model[f"%{tag}"] = divmod(rest.evaluate(model), y.evaluate(model))
        self.add(Fact(left))
        self.add(Fact(y - left - 1))
        if at_least_0:
            self.add(Fact(quotient))
        elif self.implies(Fact(-rest - 1)):
            self.add(Fact(-quotient - 1))
        equation = rest - quotient * y - left
        # One unknown alone is replaced by its quotient and rest; what is made of several keeps its form.
        held = y.unknowns | self.sizes
        alone = len(rest.unknowns) == 1
        solution = equation.solve(lambda n: self.order(n) if alone and n in rest.unknowns - held else None)
        self.divisions.append((rest, y, quotient, left))
        if solution:
            self.put(*solution)
        else:
            self.facts.append(Fact(equation, EQUAL))
        return self.normal(whole + quotient), self.normal(left)

    def _is_rest(self, rest: Poly, y: Poly) -> bool:
        if rest.value == 0:
            return True
        return all(self.implies(Fact(p)) for p in (rest, y - rest - 1))

    def _nested(self, x: Poly, y: Poly) -> tuple[Poly, Poly] | None:
        """x = a·u + v with 0 ≤ v < a and y = a·b: then ⌊x/y⌋ = ⌊u/b⌋, and the rest is a·(u mod b) + v."""
        if len(y.terms) != 1:
            return None
        m, c = y.leading, y.terms[y.leading]
        for divisor in monomial_divisors(m):
            a = Poly({divisor: 1})
            u, v = x.split(a)
            if not u.terms or not self._is_rest(v, a):
                continue
            b = y.split(a)[0] if c == 1 else Poly({_rest_of(m, divisor): c})
            q, r = self._divide(u, b)
            a, v = self.normal(a), self.normal(v)
            return self.normal(q), a * self.normal(r) + v
        return None


def _rest_of(m: tuple[str, ...], divisor: tuple[str, ...]) -> tuple[str, ...]:
    left = list(m)
    for name in divisor:
        left.remove(name)
    return tuple(left)


def _drawn(key: str, low: int | None, is_size: bool) -> int:
    """A small number for an input, the same for the same key."""
    random = Random(key)
    if is_size:
        return max(low or 0, random.choice((1, 2, 2, 3, 3, 4, 6, 8)))
    return (random.choice((0, 0, 0, -7)) if low is None else low) + random.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12))


class Unmet(Exception):
    """Given numbers do not satisfy a hypothesis."""


class Wrong(Exception):
    """Given numbers refute a property: ``what``, and the two values."""

    def __init__(self, what: str, left: Any, relation: str, right: Any):
        super().__init__(f"{what}: {left} {relation} {right} does not hold")
        self.what, self.left, self.relation, self.right = what, left, relation, right


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


class Instance(Run):
    """The same check on given numbers: a model is replayed by running the code itself."""

    def __init__(self, values: dict[str, int] | Callable[[str, int | None, bool], int]):
        self.values, self.used, self.finish = values, {}, ""  # type: tuple[Any, dict[str, int], str]

    @property
    def is_symbolic(self) -> bool:
        """On numbers."""
        return False

    def integer(self, name: str, low: int | None = None, is_size: bool = False) -> Any:
        """The number given for an input."""
        value = self.values(name, low, is_size) if callable(self.values) else self.values.get(name, low or 0)
        if low is not None and value < low:
            raise Unmet(name)
        self.used[name] = value
        return value

    def assume(self, left: Any, relation: str, right: Any) -> None:
        """Raises Unmet where a hypothesis does not hold."""
        if not _RELATIONS[relation](left, right):
            raise Unmet(f"{left} {relation} {right}")

    def show(self, left: Any, relation: str, right: Any, what: str) -> None:
        """Raises Wrong where a property does not hold."""
        if not _RELATIONS[relation](left, right):
            raise Wrong(what, left, relation, right)

    def known(self, left: Any, relation: str, right: Any) -> bool:
        """Whether it holds."""
        return _RELATIONS[relation](left, right)

    def ended(self, end: End, detail: str = "") -> None:
        """Remembers how the code ended."""
        self.finish = f"{end.value} {detail}".strip()


class Symbolic(int):
    """An integer that is not known: a polynomial on a path."""

    path: Path
    poly: Poly

    def __new__(cls, path: Path, poly: Poly) -> Symbolic:
        """On a path; its plain value is poison."""
        self = super().__new__(cls, POISON)
        self.path, self.poly = path, poly
        return self

    def _of(self, other: Any) -> Poly | None:
        if isinstance(other, int):
            return self.path.poly(other)
        return None

    def _made(self, poly: Poly) -> Any:
        self.path.steps += 1
        if self.path.steps > STEPS:
            raise Outside("an enumeration: a symbol was used as a plain number")
        return self.path.lift(self.path.normal(poly))

    def __add__(self, other: Any) -> Any:
        p = self._of(other)
        return NotImplemented if p is None else self._made(self.poly + p)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        p = self._of(other)
        return NotImplemented if p is None else self._made(self.poly - p)

    def __rsub__(self, other: Any) -> Any:
        p = self._of(other)
        return NotImplemented if p is None else self._made(p - self.poly)

    def __mul__(self, other: Any) -> Any:
        p = self._of(other)
        return NotImplemented if p is None else self._made(self.path.normal(self.poly) * p)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self._made(-self.poly)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __divmod__(self, other: Any) -> Any:
        p = self._of(other)
        return NotImplemented if p is None else _lifted(self.path, self.poly, p)

    def __rdivmod__(self, other: Any) -> Any:
        p = self._of(other)
        return NotImplemented if p is None else _lifted(self.path, p, self.poly)

    def __floordiv__(self, other: Any) -> Any:
        return divmod(self, other)[0]

    def __rfloordiv__(self, other: Any) -> Any:
        return divmod(other, self)[0]

    def __mod__(self, other: Any) -> Any:
        return divmod(self, other)[1]

    def __rmod__(self, other: Any) -> Any:
        return divmod(other, self)[1]

    def _decided(self, other: Any, relation: str) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        return self.path.decide(self.path.relation(self, relation, other))

    def __lt__(self, other: Any) -> Any:
        return self._decided(other, "<")

    def __le__(self, other: Any) -> Any:
        return self._decided(other, "<=")

    def __gt__(self, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        return self.path.decide(self.path.relation(other, "<", self))

    def __ge__(self, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        return self.path.decide(self.path.relation(other, "<=", self))

    def __eq__(self, other: object) -> Any:
        return self._decided(other, "==")

    def __ne__(self, other: object) -> Any:
        return self._decided(other, "!=")

    def __bool__(self) -> bool:
        return self.path.decide(Fact(self.poly, DIFFERENT))

    def __str__(self) -> str:
        return str(self.path.normal(self.poly))

    def __format__(self, spec: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"Symbolic({self})"

    def _outside(self, *_: Any) -> Any:
        raise Outside("code that needs a plain number: bits, a hash, an index, a range")

    __hash__ = __index__ = __int__ = __float__ = __pow__ = __rpow__ = _outside
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _outside
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __truediv__ = __rtruediv__ = _outside
    bit_length = bit_count = to_bytes = _outside  # type: ignore[assignment]


def _lifted(path: Path, x: Poly, y: Poly) -> tuple[Any, Any]:
    q, r = path.divide(x, y)
    return path.lift(path.normal(q)), path.lift(path.normal(r))


def explore(
    check: Callable[[Run], None],
    prover: Prover | None = None,
    *,
    paths: int = 5000,
    seconds: float = 60.0,
    path_seconds: float = 20.0,
    most: int = 60,
) -> Iterator[Ending]:
    """Every path of ``check``, depth first. What is left when ``paths`` or ``seconds`` are spent is one path, cut.

    >>> def check(run):
    ...     a, b = run.integer("a"), run.integer("b", 1)
    ...     q, r = divmod(a, b)
    ...     run.show(r, "<", b, "the rest is small")
    ...     run.show(q * b + r, "==", a, "and makes up the difference")
    ...     run.ended(End.RETURNED, "positive" if a > 0 else "not positive")
    >>> [(e.end.value, e.detail) for e in explore(check)]
    [('returned', 'positive'), ('returned', 'not positive')]
    """
    prover = prover or Prover()
    until = time.process_time() + seconds
    waiting: list[tuple[bool, ...]] = [()]
    count = 0
    asked: dict[tuple[bool, ...], Fact] = {}
    while waiting:
        if count >= paths or time.process_time() > until:
            what = f"{len(waiting)} prefixes left after {count} paths"
            yield Ending(End.CUT if count >= paths else End.TIMED_OUT, what, waiting[-1], None)
            return
        prefix = waiting.pop()
        path = Path(prover, prefix, min(path_seconds, max(0.1, until - time.process_time())), most, asked)
        ending = _follow(check, path)
        for place in range(len(path.decisions) - 1, len(prefix) - 1, -1):
            if path.open[place]:
                waiting.append((*path.decisions[:place], not path.decisions[place]))
        waiting.sort(key=len)
        if ending is not None:
            count += 1
            yield ending


def _follow(check: Callable[[Run], None], path: Path) -> Ending | None:
    end, detail, failed = End.RETURNED, "", None
    try:
        check(path)
    except Infeasible:
        return None
    except Cut as stop:
        end, detail = End.CUT, str(stop)
    except Outside as stop:
        end, detail = End.OUTSIDE, str(stop)
    except TimedOut as stop:
        end, detail = End.TIMED_OUT, str(stop)
    except Failed as stop:
        end, detail, failed = End.UNPROVED, stop.what, stop.goal
    except Stop:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the code raised is how the path ended
        if path.prover.implies(path.facts, Fact(Poly.constant(-1))):
            return None
        end, detail = End.RAISED, f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    code = None
    if path.finish is not None:
        code = path.finish[2]
        if end is End.RETURNED:
            end, detail = path.finish[0], path.finish[1]
    if failed is not None and path.prover.implies(path.facts, Fact(Poly.constant(-1))):
        return None
    inputs = {name: path.normal(poly) for name, poly in path.inputs.items()}
    decisions, facts = tuple(path.decisions), tuple(path.facts)
    return Ending(end, detail, decisions, code, facts, tuple(path.goals), failed, inputs)


@contextmanager
def standing_in(module: Any, **replacements: Any) -> Iterator[None]:
    """Names of a module replaced for a while: a contract for what is proved apart, a stop for what is outside."""
    old = {name: getattr(module, name, None) for name in replacements}
    for name, value in replacements.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in old.items():
            if value is None:
                delattr(module, name)
            else:
                setattr(module, name, value)


__all__ = [
    "AT_LEAST",
    "End",
    "Ending",
    "Instance",
    "Path",
    "Run",
    "Symbolic",
    "Unmet",
    "Wrong",
    "explore",
    "standing_in",
]
