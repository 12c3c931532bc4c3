"""Integers of one name n = M·t + r for large t, as polynomials in t: shipped Python runs on them without a solver.

A :class:`Germ` stands for the values of a polynomial at t = start, start + 1, … of a :class:`Tail`. A comparison is
decided by the sign that the difference has from some t on; the tail's ``start`` moves there. A quotient is exact:
q·y + r = x with 0 ≤ r < y holds as polynomials from some t on, or the tail must be split into residues first
(:class:`Split`). Code that ran to its end has therefore taken the same way at every t ≥ start, and what it returned
is what it returns there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Any

MAX_START = 1 << 40
POISON = 10**40  # the plain value of every symbol: where C code looks past our methods, it shows
HUGE = 10**30


class Stop(BaseException):
    """Ends a run on germs; no ``except Exception`` of the code under examination holds it."""


class Split(Stop):
    """The tail must be split into residues modulo ``factor`` first."""

    def __init__(self, factor: int):
        super().__init__(f"residues modulo {factor}")
        self.factor = factor


class Outside(Stop):
    """The run enters code that needs plain numbers, or values too large to go on with."""


@dataclass
class Tail:
    """The values n = modulus·t + rest with t ≥ start, and nothing smaller than ``low``.

    >>> tail = Tail(8, 0)
    >>> n = tail.name
    >>> str(n // 4), n % 4, n > 100, tail.start
    ('2t', 0, True, 13)
    """

    modulus: int
    rest: int
    start: int = 0

    @property
    def name(self) -> Any:
        """The name itself."""
        return Germ(self, (self.rest, self.modulus))

    @property
    def least(self) -> int:
        """The least value of the name."""
        return self.modulus * self.start + self.rest

    def sign(self, p: tuple[int, ...]) -> int:
        """The sign of a polynomial from some t on; ``start`` moves there."""
        if not p:
            return 0
        sign = 1 if p[-1] > 0 else -1
        if len(p) > 1:
            self.start = max(self.start, _settled(p if sign > 0 else tuple([-c for c in p]), self.start))
            if self.start > MAX_START:
                raise Outside("values beyond 2^40")
        return sign

    def divide(self, x: tuple[int, ...], y: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """⌊x/y⌋ and x mod y, as Python has them."""
        sign = self.sign(y)
        if sign == 0:
            raise ZeroDivisionError("division by 0")
        if sign < 0:
            q, r = self.divide(_times(x, (-1,)), _times(y, (-1,)))
            return q, _times(r, (-1,))
        if len(y) == 1:
            k = y[0]
            common = gcd(k, *x[1:]) if len(x) > 1 else k
            if common != k:
                raise Split(k // common)
            if not x:
                return (), ()
            whole = _trimmed([x[0] // k, *[c // k for c in x[1:]]])
            return whole, _trimmed([x[0] % k])
        quotient = _ratio(x, y)
        factor = lcm(1, *[c.denominator for c in quotient[1:]])
        if factor != 1:
            raise Split(factor)
        whole = _trimmed([_floor(quotient[0]), *[int(c) for c in quotient[1:]]]) if quotient else ()
        left = _plus(x, _times(_times(whole, y), (-1,)))
        if self.sign(left) < 0:
            whole, left = _plus(whole, (-1,)), _plus(left, y)
        if self.sign(left) < 0 or self.sign(_plus(left, _times(y, (-1,)))) >= 0:
            raise Outside("a quotient that no polynomial is")
        return whole, left


def _floor(c: Fraction) -> int:
    return c.numerator // c.denominator


def _settled(p: tuple[int, ...], start: int) -> int:
    """A t from which on a polynomial of positive leading coefficient is positive: shifted there it has no other."""
    if all(c >= 0 for c in p) and (p[0] > 0 or start > 0):
        return start
    low, high = start - 1, max(start, 1)
    while not _positive_from(p, high):
        low, high = high, 2 * high
        if high > 4 * MAX_START:
            raise Outside("values beyond 2^40")
    while high - low > 1:
        middle = (low + high) // 2
        if _positive_from(p, middle):
            high = middle
        else:
            low = middle
    return high


def _positive_from(p: tuple[int, ...], t: int) -> bool:
    if t < 0:
        return False
    shifted = list(p)
    for i in range(len(shifted) - 1):
        for j in range(len(shifted) - 2, i - 1, -1):
            shifted[j] += t * shifted[j + 1]
    return shifted[0] > 0 and all(c >= 0 for c in shifted)


def _trimmed(p: list[int]) -> tuple[int, ...]:
    while p and not p[-1]:
        p.pop()
    return tuple(p)


def _plus(p: tuple[int, ...], q: tuple[int, ...]) -> tuple[int, ...]:
    if len(p) < len(q):
        p, q = q, p
    total = list(p)
    for i, c in enumerate(q):
        total[i] += c
    return _trimmed(total)


def _times(p: tuple[int, ...], q: tuple[int, ...]) -> tuple[int, ...]:
    if not p or not q:
        return ()
    total = [0] * (len(p) + len(q) - 1)
    for i, c in enumerate(p):
        for j, d in enumerate(q):
            total[i + j] += c * d
    return _trimmed(total)


def _ratio(x: tuple[int, ...], y: tuple[int, ...]) -> list[Fraction]:
    """The polynomial part of x/y."""
    rest = [Fraction(c) for c in x]
    found = [Fraction(0)] * max(0, len(x) - len(y) + 1)
    for i in reversed(range(len(found))):
        c = rest[i + len(y) - 1] / y[-1]
        found[i] = c
        for j, d in enumerate(y):
            rest[i + j] -= c * d
    return found


class Germ:
    """A polynomial in t on a tail, ``coefficients`` from the constant up; arithmetic gives plain integers back."""

    __slots__ = ("coefficients", "tail")

    def __init__(self, tail: Tail, coefficients: tuple[int, ...]):
        self.tail, self.coefficients = tail, coefficients

    def _of(self, other: Any) -> tuple[int, ...]:
        if isinstance(other, Germ):
            return other.coefficients
        return (int(other),) if other else ()

    def _made(self, p: tuple[int, ...]) -> Any:
        if not p:
            return 0
        return p[0] if len(p) == 1 else Germ(self.tail, p)

    def at(self, t: int) -> int:
        """The value at one t."""
        total = 0
        for c in reversed(self.coefficients):
            total = total * t + c
        return total

    def __add__(self, other: Any) -> Any:
        return self._made(_plus(self.coefficients, self._of(other)))

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._made(_times(self.coefficients, (-1,)))

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __sub__(self, other: Any) -> Any:
        return self._made(_plus(self.coefficients, _times(self._of(other), (-1,))))

    def __rsub__(self, other: Any) -> Any:
        return self._made(_plus(self._of(other), _times(self.coefficients, (-1,))))

    def __mul__(self, other: Any) -> Any:
        return self._made(_times(self.coefficients, self._of(other)))

    __rmul__ = __mul__

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        q, r = self.tail.divide(self.coefficients, self._of(other))
        return self._made(q), self._made(r)

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        q, r = self.tail.divide(self._of(other), self.coefficients)
        return self._made(q), self._made(r)

    def __floordiv__(self, other: Any) -> Any:
        return divmod(self, other)[0]

    def __rfloordiv__(self, other: Any) -> Any:
        return divmod(other, self)[0]

    def __mod__(self, other: Any) -> Any:
        return divmod(self, other)[1]

    def __rmod__(self, other: Any) -> Any:
        return divmod(other, self)[1]

    def _sign(self, other: Any) -> int:
        return self.tail.sign(_plus(self.coefficients, _times(self._of(other), (-1,))))

    def __lt__(self, other: Any) -> bool:
        return self._sign(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._sign(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._sign(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._sign(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self._sign(other) == 0

    def __ne__(self, other: object) -> bool:
        return self._sign(other) != 0

    def __bool__(self) -> bool:
        return self._sign(0) != 0

    def __str__(self) -> str:
        powers = ["", "t", *[f"t^{i}" for i in range(2, len(self.coefficients))]]
        parts = [
            (f"{c}" if c != 1 or not power else "") + power
            for c, power in zip(self.coefficients, powers, strict=False)
            if c
        ]
        return " + ".join(reversed(parts))

    __repr__ = __str__

    def _outside(self, *_: Any) -> Any:
        raise Outside("code that needs a plain number: bits, a hash, an index, a range")

    __hash__ = __index__ = __int__ = _outside


class Limit(int):
    """A budget, such as a number of points: what grows without end is beyond it, from wherever on that may be."""


class Traced(int):
    """An integer together with the expression over names that it came from.

    ``value`` is a plain integer, a germ or another symbol; comparisons are decided by it, and noted in ``trace`` as
    (expression, relation, expression, answer) where one is kept.
    """

    value: Any
    expression: Any
    trace: list[Any] | None

    def __new__(cls, value: Any, expression: Any, trace: list[Any] | None = None) -> Any:
        """A plain integer where the expression has no names."""
        if expression.value is not None:
            return expression.value
        self = super().__new__(cls, value if type(value) is int else POISON)
        self.value, self.expression, self.trace = value, expression, trace
        return self

    def _pair(self, other: Any) -> tuple[Any, Any]:
        if isinstance(other, Traced):
            return other.value, other.expression
        if (other > HUGE or other < -HUGE) and type(self.value) is not int:
            raise Outside("a number so large that a symbol may have been used as a plain one")
        return other, other

    def _made(self, value: Any, expression: Any) -> Any:
        return Traced(value, expression, self.trace)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        v, e = self._pair(other)
        return self._made(self.value + v, self.expression + e)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        v, e = self._pair(other)
        return self._made(self.value - v, self.expression - e)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        v, e = self._pair(other)
        return self._made(self.value * v, self.expression * e)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self._made(-self.value, -self.expression)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __divmod__(self, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        v, e = self._pair(other)
        q, r = divmod(self.value, v)
        return self._made(q, self.expression // e), self._made(r, self.expression % e)

    def __rdivmod__(self, other: Any) -> Any:
        q, r = divmod(other, self.value)
        return self._made(q, other // self.expression), self._made(r, other % self.expression)

    def __floordiv__(self, other: Any) -> Any:
        return divmod(self, other)[0] if isinstance(other, int) else NotImplemented

    def __rfloordiv__(self, other: Any) -> Any:
        return divmod(other, self)[0]

    def __mod__(self, other: Any) -> Any:
        return divmod(self, other)[1] if isinstance(other, int) else NotImplemented

    def __rmod__(self, other: Any) -> Any:
        return divmod(other, self)[1]

    def _noted(self, relation: str, other: Any, decide: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        v, e = self._pair(other)
        if isinstance(other, Limit) and type(self.value) is not int:
            falls = isinstance(self.value, Germ) and self.value.coefficients[-1] < 0
            v = self.value + 1 if falls else self.value - 1
        answer = bool(decide(self.value, v))
        if self.trace is not None:
            self.trace.append((self.expression, relation, e, answer))
        return answer

    def __lt__(self, other: Any) -> Any:
        return self._noted("<", other, lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return self._noted("<=", other, lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return self._noted(">", other, lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return self._noted(">=", other, lambda a, b: a >= b)

    def __eq__(self, other: object) -> Any:
        return self._noted("==", other, lambda a, b: a == b)

    def __ne__(self, other: object) -> Any:
        return self._noted("!=", other, lambda a, b: a != b)

    def __bool__(self) -> bool:
        return bool(self._noted("!=", 0, lambda a, b: a != b))

    def _plain(self) -> int:
        if type(self.value) is not int:
            raise Outside("code that needs a plain number: bits, a hash, an index, a range")
        return self.value

    def __hash__(self) -> int:
        return hash(self._plain())

    def __index__(self) -> int:
        return self._plain()

    __int__ = __index__

    def __str__(self) -> str:
        return str(self.expression)

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return str(self)

    def bit_length(self) -> int:
        """Bits of a plain value; elsewhere outside."""
        return self._plain().bit_length()

    def __and__(self, other: Any) -> Any:
        return self._plain() & other

    def __or__(self, other: Any) -> Any:
        return self._plain() | other

    def __xor__(self, other: Any) -> Any:
        return self._plain() ^ other

    def __lshift__(self, other: Any) -> Any:
        return self._plain() << other

    def __rshift__(self, other: Any) -> Any:
        return self._plain() >> other

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __rlshift__(self, other: Any) -> Any:
        return other << self._plain()

    def __rrshift__(self, other: Any) -> Any:
        return other >> self._plain()

    def __pow__(self, *other: Any) -> Any:
        return pow(self._plain(), *other)

    def __float__(self) -> float:
        return float(self._plain())

    def __truediv__(self, other: Any) -> Any:
        return self._plain() / other


def plain_range(*ends: Any) -> range:
    """``range``, which would look past the methods of a symbol, of plain numbers."""
    return range(*[end._plain() if isinstance(end, Traced) else end for end in ends])


def is_symbol(value: Any) -> bool:
    """Whether it is an integer that has no plain value."""
    return isinstance(value, Traced) and type(value.value) is not int


def zero_of(search: Any, ranges: list[tuple[Any, Any, Any]], accept: Any) -> Any:
    """What :func:`..model.lattice.find_zero` finds, for ranges with symbols.

    A stride that exceeds all that the others reach together has the coefficient 0. Of two strides a and b the zeros are
    the multiples of (b/g, −a/g), g their common divisor, and the range holds one but 0 only if it holds that or its
    negative. What is left beyond is searched.
    """
    if not any(is_symbol(v) for r in ranges for v in r):
        return search(ranges, accept)
    live = list(range(len(ranges)))
    again = True
    while again and live:
        again = False
        for i in reversed(live):
            reach: Any = 0
            for j in live:
                if j != i:
                    low, high, d = ranges[j]
                    reach = reach + max(-low, high) * abs(d)
            if abs(ranges[i][2]) > reach:
                live.remove(i)
                again = True
                break
    found: list[Any] = [0] * len(ranges)
    if not live:
        return None
    if len(live) != 2:
        few = _small_zero([ranges[i] for i in live], lambda part: accept(_placed(found, live, part)))
        if few is not None:
            return _placed(found, live, few)
        rest = search([ranges[i] for i in live], lambda part: accept(_placed(found, live, part)))
        return None if rest is None else _placed(found, live, rest)
    i, j = live
    (low, high, a), (least, most, b) = ranges[i], ranges[j]
    g = common_divisor(a, b)
    c, e = b // g, -(a // g)
    for sign in (1, -1):
        if low <= sign * c <= high and least <= sign * e <= most:
            zero = _placed(found, live, [sign * c, sign * e])
            if accept(zero):
                return zero
    return None


def _small_zero(ranges: list[tuple[Any, Any, Any]], accept: Any) -> Any:
    """A zero of small coefficients, of germs, which compare without a fork; None where there is none so small."""
    if any(is_symbol(v) and not isinstance(v.value, Germ) for r in ranges for v in r):
        return None
    most = {3: 8, 4: 4, 5: 3}.get(len(ranges), 1)
    small = []
    for low, high, _ in ranges:
        small.append([c for c in range(-most, most + 1) if low <= c <= high])
    ways = 1
    for choices in small:
        ways *= len(choices)
    if ways > 20_000:
        return None
    for part in sorted(product(*small), key=lambda p: sum(map(abs, p))):
        total: Any = 0
        for c, (_, _, d) in zip(part, ranges, strict=True):
            if c:
                total = total + d * c
        if _vanishes(total) and accept(list(part)):
            return list(part)
    return None


def _vanishes(total: Any) -> bool:
    """Whether a sum is 0; of a germ on a piece with an end, whether it is so everywhere: that cuts no piece."""
    value = total.value if isinstance(total, Traced) else total
    if isinstance(value, Germ) and hasattr(value.tail, "stop"):
        return False
    return bool(total == 0)


def _placed(zeros: list[Any], places: list[int], values: list[Any]) -> list[Any]:
    found = list(zeros)
    for place, value in zip(places, values, strict=True):
        found[place] = value
    return found


def common_divisor(*values: Any) -> Any:
    """``math.gcd`` for germs too, by Euclid's algorithm."""
    found: Any = 0
    for value in values:
        a, b = found, abs(value)
        while b != 0:
            a, b = b, a % b
        found = a
    return found
