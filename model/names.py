"""Names for sizes that are not known yet: expressions and conditions over positive integers, read and never evaluated.

An :class:`Expr` is a polynomial over names and over ``floor(a/b)``, ``ceil(a/b)``, ``mod(a,b)``, ``min``, ``max`` of
expressions, with rational coefficients (``n/8``) that are integers wherever the expression has a value. A condition is
a comparison, a membership ``n in (1, 2, 4)``, or several joined by ``and`` and ``or``. Both evaluate at values of any
type that adds, multiplies, divides and compares like integers (:meth:`Expr.at`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from .errors import InputError

MAX_TERMS = 256
MAX_DEGREE = 32
MAX_TEXT = 65_536
MAX_DEPTH = 64
MAX_DIGITS = 640
RESERVED = frozenset(
    ("o", "S", "Sw", "e", "f", "and", "or", "not", "in", "min", "max", "ceil", "floor", "mod", "True", "False")
)
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
BASIS = re.compile(r"[ef][0-9]+")

Atom = Any  # a name, or a Call
Monomial = tuple[Atom, ...]
Values = Mapping[str, Any]


class NotAnInteger(InputError):
    """An expression such as n/8 has no integer value at the values given."""


@dataclass(frozen=True)
class Call:
    """``floor``, ``ceil``, ``mod``, ``min``, ``max``, or ``exact`` (a quotient known whole) of two expressions."""

    kind: str
    left: Expr
    right: Expr

    @cached_property
    def text(self) -> str:
        """The notation, kept."""
        return str(self)

    def at(self, values: Values) -> Any:
        """The value; NotAnInteger for an ``exact`` quotient with a rest."""
        a, b = self.left.at(values), self.right.at(values)
        if self.kind == "floor":
            return a // b
        if self.kind == "ceil":
            return -(-a // b)
        if self.kind == "mod":
            return a % b
        if self.kind == "exact":
            return _whole(a, b, self)
        return (a if a <= b else b) if self.kind == "min" else (a if a >= b else b)

    def __str__(self) -> str:
        if self.kind in ("floor", "ceil"):
            return f"{self.kind}({_factor(self.left)}/{_factor(self.right)})"
        if self.kind == "exact":
            return f"{_factor(self.left)}/{_factor(self.right)}"
        return f"{self.kind}({self.left},{self.right})"


def _whole(a: Any, b: Any, of: Any) -> Any:
    q, r = divmod(a, b)
    if r != 0:
        raise NotAnInteger(f"{of} is no integer for every value allowed: say more with --where")
    return q


def _factor(e: Expr) -> str:
    text = str(e)
    return text if re.fullmatch(r"\w+", text) or (isinstance(e.single, Call) and text.endswith(")")) else f"({text})"


class Expr:
    """A polynomial over names and calls: what a size or a stride with names is. Equal polynomials are equal objects.

    >>> n = Expr.of("n")
    >>> str(4 * n), str((8 * n + 3) // 8), str(-(-n // 8)), str((n * 12 + 5) % 4)
    ('4*n', 'n', 'ceil(n/8)', '1')
    >>> (n // 8).at({"n": 20}), str(n / 8), (n * n - 1).at({"n": 5})
    (2, 'n/8', 24)
    """

    __slots__ = ("_hash", "_plan", "terms")
    terms: dict[Monomial, Fraction]
    _plan: tuple[int, list[tuple[int, Monomial]]] | None

    def __init__(self, terms: Mapping[Monomial, Fraction | int]):
        self.terms = {m: Fraction(c) for m, c in terms.items() if c}
        if len(self.terms) > MAX_TERMS or any(len(m) > MAX_DEGREE for m in self.terms):
            raise InputError(f"an expression of more than {MAX_TERMS} terms or of a degree above {MAX_DEGREE}")
        self._hash: int | None = None
        self._plan = None

    @classmethod
    def of(cls, value: Any) -> Expr:
        """A name, an integer, a call or an expression as an expression."""
        if isinstance(value, Expr):
            return value
        if isinstance(value, (int, Fraction)):
            return cls({(): Fraction(value)})
        return cls({(value,): Fraction(1)})

    @property
    def value(self) -> int | None:
        """The integer that it is whatever the names are, or None."""
        if not self.terms:
            return 0
        c = self.terms.get(())
        return int(c) if len(self.terms) == 1 and c is not None and c.denominator == 1 else None

    @property
    def single(self) -> Atom | None:
        """The one atom that it is, or None."""
        if len(self.terms) == 1:
            ((m, c),) = self.terms.items()
            if c == 1 and len(m) == 1:
                return m[0]
        return None

    @property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        return frozenset(_names_of(self))

    def at(self, values: Values) -> Any:
        """The value where the names have ``values``; NotAnInteger where it is none."""
        if self._plan is None:
            scale = lcm(*(c.denominator for c in self.terms.values()))
            self._plan = scale, [(int(c * scale), m) for m, c in self.terms.items()]
        scale, terms = self._plan
        total: Any = 0
        for c, m in terms:
            part: Any = c
            for atom in m:
                part = part * (values[atom] if isinstance(atom, str) else atom.at(values))
            total = total + part
        return total if scale == 1 else _whole(total, scale, self)

    def with_calls(self, value_of: Callable[[Call], int | None]) -> Expr:
        """The expression with the calls that ``value_of`` knows as integers in their places."""
        total = Expr.of(0)
        for m, c in self.terms.items():
            part = Expr({(): c})
            for atom in m:
                known = None if isinstance(atom, str) else value_of(atom)
                part = part * (Expr.of(atom) if known is None else known)
            total = total + part
        return total

    def __add__(self, other: Any) -> Expr:
        total = dict(self.terms)
        for m, c in Expr.of(other).terms.items():
            total[m] = total.get(m, Fraction(0)) + c
        return Expr(total)

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Any) -> Expr:
        return self + -Expr.of(other)

    def __rsub__(self, other: Any) -> Expr:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, (int, Fraction, Expr)):
            return NotImplemented
        total: dict[Monomial, Fraction] = {}
        for m, c in self.terms.items():
            for n, d in Expr.of(other).terms.items():
                key = m + n if not m or not n else tuple(sorted(m + n, key=_text))
                total[key] = total.get(key, Fraction(0)) + c * d
        return Expr(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Expr:
        """The quotient where it is known to be whole."""
        over = Expr.of(other)
        if over.value is not None and over.value != 0:
            return self * Fraction(1, over.value)
        whole, rest = self._split(over)
        return whole if not rest.terms else Expr.of(Call("exact", self, over))

    def __rtruediv__(self, other: Any) -> Expr:
        return Expr.of(other) / self

    def __floordiv__(self, other: Any) -> Expr:
        over = Expr.of(other)
        whole, rest = self._split(over)
        if rest.value is not None and over.value is not None and over.value:
            return whole + rest.value // over.value
        if not rest.terms:
            return whole
        scale = lcm(*(c.denominator for c in (*rest.terms.values(), *over.terms.values())))
        rest, over = rest * scale, over * scale
        if all(c < 0 for c in rest.terms.values()):
            return whole - Expr.of(Call("ceil", -rest, over))
        return whole + Expr.of(Call("floor", rest, over))

    def __rfloordiv__(self, other: Any) -> Expr:
        return Expr.of(other) // self

    def __mod__(self, other: Any) -> Expr:
        over = Expr.of(other)
        _, rest = self._split(over)
        if rest.value is not None and over.value:
            return Expr.of(rest.value % over.value)
        return rest if not rest.terms else Expr.of(Call("mod", rest, over))

    def __rmod__(self, other: Any) -> Expr:
        return Expr.of(other) % self

    def __divmod__(self, other: Any) -> tuple[Expr, Expr]:
        return self // other, self % other

    def _split(self, over: Expr) -> tuple[Expr, Expr]:
        """(Q, R) with self = Q·over + R, Q's coefficients integers, for an ``over`` of one term; else (0, self)."""
        if len(over.terms) != 1:
            return (Expr({(): 1}), Expr({})) if over == self and over.terms else (Expr({}), self)
        ((lead, scale),) = over.terms.items()
        whole: dict[Monomial, Fraction] = {}
        rest: dict[Monomial, Fraction] = {}
        for m, c in self.terms.items():
            left = list(m)
            for atom in lead:
                if atom in left:
                    left.remove(atom)
                else:
                    break
            else:
                ratio = c / scale
                if ratio.denominator == 1 and all(isinstance(atom, str) for atom in left):
                    whole[tuple(left)] = ratio
                    continue
            rest[m] = c
        return Expr(whole), Expr(rest)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return self.value == other
        return isinstance(other, Expr) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items())) if self.value is None else hash(self.value)
        return self._hash

    def _unknown(self, *_: Any) -> Any:
        raise InputError(f"the value of {self} is not known here: names are not read by this command")

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __index__ = __int__ = __abs__ = _unknown

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        scale = lcm(*(c.denominator for c in self.terms.values()))
        if scale > 1 and len(self.terms) > 1:
            return f"({self * scale})/{scale}"
        text = ""
        for m, c in sorted(self.terms.items(), key=lambda item: (-len(item[0]), [str(a) for a in item[0]])):
            top = abs(c.numerator)
            parts = [str(top)] if top != 1 or not m else []
            body = "*".join(parts + [str(atom) for atom in m])
            text += ("-" if c < 0 else "+" if text else "") + body + (f"/{c.denominator}" if c.denominator > 1 else "")
        return text

    __repr__ = __str__


def _text(atom: Atom) -> str:
    return atom if isinstance(atom, str) else atom.text


def _names_of(e: Expr) -> Iterator[str]:
    for m in e.terms:
        for atom in m:
            if isinstance(atom, str):
                yield atom
            else:
                yield from _names_of(atom.left)
                yield from _names_of(atom.right)


def as_number(value: Any) -> Any:
    """An expression without names as the integer that it is."""
    if isinstance(value, Expr) and value.value is not None:
        return value.value
    return value


def code_of(e: Expr, language: str = "python", tight: bool = False) -> str:
    """The expression as code: ``python``, as in conditions, or ``cpp`` (for values that are not negative).

    >>> code_of(Expr.of("n") % 8), code_of(-(-Expr.of("n") // 8), "cpp")
    ('n % 8', '(n + 7) / 8')
    """
    scale = lcm(*(c.denominator for c in e.terms.values())) if e.terms else 1
    if scale > 1:
        slash = "//" if language == "python" else "/"
        text = f"{code_of(e * scale, language, tight=True)} {slash} {scale}"
        return f"({text})" if tight else text
    text = ""
    for m, c in sorted(e.terms.items(), key=lambda item: (-len(item[0]), [str(a) for a in item[0]])):
        inside = len(m) + (abs(c) != 1) > 1 or c < 0  # -(a % b) is not -a % b
        parts = [str(abs(c))] if abs(c) != 1 or not m else []
        parts += [a if isinstance(a, str) else _call_code(a, language, inside or len(e.terms) > 1) for a in m]
        text += (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
        text += " * ".join(parts)
    text = text or "0"
    return f"({text})" if tight and " " in text and not _is_enclosed(text) else text


def _is_enclosed(text: str) -> bool:
    """Whether one pair of parentheses holds all of it: ``(a) + (b)`` has two.

    >>> _is_enclosed("((a) + (b))"), _is_enclosed("(a) + (b)")
    (True, False)
    """
    depth = 0
    for place, ch in enumerate(text):
        depth += (ch == "(") - (ch == ")")
        if depth == 0:
            return ch == ")" and place == len(text) - 1
    return False


def _call_code(call: Call, language: str, tight: bool) -> str:
    if call.kind in ("min", "max"):
        prefix = "std::" if language == "cpp" else ""
        return f"{prefix}{call.kind}({code_of(call.left, language)}, {code_of(call.right, language)})"
    right = code_of(call.right, language, tight=True)
    slash = "//" if language == "python" else "/"
    if call.kind == "ceil" and language == "python":
        text = f"-({code_of(-call.left, language, tight=True)} // {right})"
        return f"({text})" if tight else text
    if call.kind == "ceil":
        text = f"{code_of(call.left + call.right - 1, language, tight=True)} {slash} {right}"
    else:
        sign = "%" if call.kind == "mod" else slash
        text = f"{code_of(call.left, language, tight=True)} {sign} {right}"
    return f"({text})" if tight else text


# Conditions


class Condition:
    """What may hold of names."""

    def at(self, values: Values) -> bool:
        """Whether it holds where the names have ``values``."""
        raise NotImplementedError

    def code(self, language: str = "python") -> str:
        """The condition as an expression of ``python`` (which :func:`parse_condition` reads too) or ``cpp``."""
        raise NotImplementedError

    @property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.code()

    def __and__(self, other: Condition) -> Condition:
        return both(self, other)


RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
OPPOSITE = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}


@dataclass(frozen=True)
class Compare(Condition):
    """A relation of two expressions."""

    left: Expr
    relation: str
    right: Expr

    def at(self, values: Values) -> bool:
        """Whether it holds."""
        return bool(RELATIONS[self.relation](self.left.at(values), self.right.at(values)))

    def code(self, language: str = "python") -> str:
        """As code."""
        return f"{code_of(self.left, language)} {self.relation} {code_of(self.right, language)}"

    @property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        return self.left.names | self.right.names

    def negated(self) -> Compare:
        """What holds where it does not."""
        return Compare(self.left, OPPOSITE[self.relation], self.right)

    __str__ = Condition.__str__


@dataclass(frozen=True)
class Member(Condition):
    """An expression is one of some integers, or none of them."""

    left: Expr
    values: tuple[int, ...]
    inside: bool = True

    def at(self, values: Values) -> bool:
        """Whether it holds."""
        value = self.left.at(values)
        return any(value == v for v in self.values) == self.inside

    def code(self, language: str = "python") -> str:
        """As code."""
        left = code_of(self.left, language)
        if language == "cpp":
            sign, joint = ("==", " || ") if self.inside else ("!=", " && ")
            text = joint.join(f"{left} {sign} {v}" for v in self.values)
            return f"({text})" if len(self.values) > 1 else text
        if len(self.values) == 1:
            return f"{left} {'==' if self.inside else '!='} {self.values[0]}"
        return f"{left} {'in' if self.inside else 'not in'} ({', '.join(map(str, self.values))})"

    @property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        return self.left.names

    __str__ = Condition.__str__


@dataclass(frozen=True)
class Joined(Condition):
    """All of some conditions (``is_all``), or at least one of them; all of none always holds, one of none never."""

    is_all: bool
    parts: tuple[Condition, ...]

    def at(self, values: Values) -> bool:
        """Whether it holds."""
        if self.is_all:
            return all(part.at(values) for part in self.parts)
        return any(part.at(values) for part in self.parts)

    def code(self, language: str = "python") -> str:
        """As code."""
        if not self.parts:
            always, never = ("True", "False") if language == "python" else ("true", "false")
            return always if self.is_all else never
        words = {("python", True): "and", ("python", False): "or", ("cpp", True): "&&", ("cpp", False): "||"}
        texts = []
        for part in self.parts:
            text = part.code(language)
            loose = isinstance(part, Joined) and len(part.parts) > 1 and part.is_all != self.is_all
            texts.append(f"({text})" if loose and len(self.parts) > 1 else text)
        return f" {words[language, self.is_all]} ".join(texts)

    @property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        return frozenset(name for part in self.parts for name in part.names)

    __str__ = Condition.__str__


ALWAYS = Joined(True, ())
NEVER = Joined(False, ())


def both(*parts: Condition) -> Condition:
    """All of the conditions, flat."""
    return _joined(True, parts)


def either(*parts: Condition) -> Condition:
    """At least one of the conditions, flat."""
    return _joined(False, parts)


def _joined(is_all: bool, parts: Sequence[Condition]) -> Condition:
    flat: list[Condition] = []
    for part in parts:
        if isinstance(part, Joined) and (part.is_all == is_all or not part.parts):
            if not part.parts and part.is_all != is_all:
                return part
            flat += part.parts
        elif part not in flat:
            flat.append(part)
    return flat[0] if len(flat) == 1 else Joined(is_all, tuple(flat))


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    """The parts that all have to hold."""
    return condition.parts if isinstance(condition, Joined) and condition.is_all else (condition,)


def divides(k: int, e: Expr) -> Compare:
    """k | e."""
    return Compare(Expr.of(Call("mod", e, Expr.of(k))), "==", Expr.of(0))


def divisor_of(condition: Condition) -> tuple[str, int] | None:
    """(n, k) for the condition ``n % k == 0``."""
    if isinstance(condition, Compare) and condition.relation == "==" and condition.right.value == 0:
        call = condition.left.single
        if isinstance(call, Call) and call.kind == "mod" and isinstance(call.left.single, str):
            k = call.right.value
            return (call.left.single, k) if k else None
    return None


LANGUAGES = ("python", "cpp", "cute")


def guard(condition: Condition, language: str) -> str:
    """The condition as code that stops where it does not hold, or, for ``cute``, that tells the compiler of it.

    ``cute.assume`` knows divisibility alone: what is more than that becomes a host-side check before it.

    >>> condition = parse_condition("n % 48 == 0 or n in (1, 2, 3)")
    >>> guard(condition, "python"), guard(condition, "cpp")
    ('n % 48 == 0 or n in (1, 2, 3)', 'assert(n % 48 == 0 || (n == 1 || n == 2 || n == 3));')
    >>> print(guard(parse_condition("n % 8 == 0, n <= 64"), "cute"))
    assert n <= 64  # on the host: cute.assume knows divisibility alone
    n = cute.assume(n, divby=8)
    """
    if language == "python":
        return condition.code()
    if language == "cpp":
        return f"assert({condition.code('cpp')});"
    checked, assumed = [], []
    for part in conjuncts(condition):
        known = divisor_of(part)
        if known:
            assumed.append(f"{known[0]} = cute.assume({known[0]}, divby={known[1]})")
        else:
            checked.append(part)
    lines = []
    if checked:
        lines.append(f"assert {both(*checked).code()}  # on the host: cute.assume knows divisibility alone")
    return "\n".join(lines + assumed) or "# nothing to assume: it holds for every value allowed"


# Reading


_TOKEN = re.compile(r"\s*([0-9]+|[A-Za-z][A-Za-z0-9_]*|==|!=|<=|>=|//|&&|\|\||.)", re.DOTALL)


class Reader:
    """Recursive descent over an expression or a condition in ``text`` from ``start`` on."""

    def __init__(self, text: str, start: int = 0):
        if len(text) > MAX_TEXT:
            raise InputError(f"the text is longer than {MAX_TEXT} characters")
        self.text, self.position, self.depth = text, start, 0
        self.next_token()

    def next_token(self) -> None:
        """Moves to the next token."""
        self.before = self.position
        match = _TOKEN.match(self.text, self.position)
        if match is None or not match.group(1).strip():
            self.token, self.place = "", len(self.text.rstrip())
        else:
            self.token, self.place, self.position = match.group(1), match.start(1), match.end(1)

    def take(self, *wanted: str) -> bool:
        """Whether the token is one of these, and if so moves past it."""
        if self.token in wanted and self.token:
            self.next_token()
            return True
        return False

    def fail(self, message: str, place: int | None = None) -> InputError:
        """The complaint at the token."""
        return InputError(message, self.text, self.place if place is None else place)

    def shown(self) -> str:
        """The token as complaints show it."""
        return f"'{self.token[:20]}'" if self.token else "the end"

    def need(self, wanted: str) -> None:
        """Moves past the token, which must be this."""
        if not self.take(wanted):
            raise self.fail(f"{wanted} is expected here, not {self.shown()}")

    def deeper(self) -> None:
        """Counts one level of nesting."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"nested deeper than {MAX_DEPTH}")

    def sum(self) -> Expr:
        """Products added and subtracted."""
        total = -self.product() if self.take("-") else self.product()
        while self.token in ("+", "-"):
            minus = self.token == "-"
            self.next_token()
            total = total - self.product() if minus else total + self.product()
        return total

    def product(self) -> Expr:
        """Factors multiplied and divided; ``/`` is a quotient known to be whole."""
        total = self.factor()
        while self.token in ("*", "/", "//", "%"):
            if self.token == "*" and BASIS.fullmatch(self.ahead()):
                break
            sign, place = self.token, self.place
            self.next_token()
            other = self.factor()
            if sign == "*":
                total = total * other
            elif other.value == 0:
                raise self.fail("a division by 0", place)
            else:
                total = total / other if sign == "/" else total // other if sign == "//" else total % other
        return total

    def ahead(self) -> str:
        """The token after this one."""
        match = _TOKEN.match(self.text, self.position)
        return match.group(1) if match else ""

    def factor(self) -> Expr:
        """A number, a name, a call or a sum in parentheses."""
        token, place = self.token, self.place
        if token.isascii() and token.isdecimal():
            if len(token) > MAX_DIGITS:
                raise self.fail(f"an integer of more than {MAX_DIGITS} digits")
            self.next_token()
            if NAME.match(self.token) and self.place == place + len(token):
                raise self.fail(f"write {token}*{self.token} for a product")
            return Expr.of(int(token))
        if token == "(":
            self.deeper()
            self.next_token()
            inner = self.sum()
            self.need(")")
            self.depth -= 1
            return inner
        if token in ("ceil", "floor", "min", "max", "mod"):
            self.deeper()
            self.next_token()
            call = self.call(token)
            self.depth -= 1
            return call
        if NAME.fullmatch(token) and token not in RESERVED and not BASIS.fullmatch(token):
            self.next_token()
            return Expr.of(token)
        raise self.fail(f"an integer or a name is expected here, not {self.shown()}", place)

    def call(self, kind: str) -> Expr:
        """The arguments of a call."""
        self.need("(")
        if kind in ("ceil", "floor"):
            left = self.factor()
            while self.take("*"):
                left = left * self.factor()
            self.need("/")
            right = self.factor()
        else:
            left = self.sum()
            self.need(",")
            right = self.sum()
        self.need(")")
        if kind in ("ceil", "floor", "mod") and right.value == 0:
            raise self.fail("a division by 0")
        if kind == "mod":
            return left % right
        if kind == "ceil":
            return -(-left // right)
        return left // right if kind == "floor" else Expr.of(Call(kind, left, right))

    def condition(self) -> Condition:
        """Alternatives; a comma binds least and means ``and``."""
        found = self.alternatives()
        while self.take(",", ";"):
            found = both(found, self.alternatives())
        return found

    def alternatives(self) -> Condition:
        """Conjunctions joined by ``or``."""
        found = self.conjunction()
        while self.take("or", "||"):
            found = either(found, self.conjunction())
        return found

    def conjunction(self) -> Condition:
        """Relations joined by ``and``."""
        found = self.relation()
        while self.take("and", "&&"):
            found = both(found, self.relation())
        return found

    def relation(self) -> Condition:
        """A chain of comparisons, a membership, or a condition in parentheses."""
        if self.take("True"):
            return ALWAYS
        if self.take("False"):
            return NEVER
        if self.token == "(":
            state = self.position, self.token, self.place, self.before, self.depth
            try:
                return self.comparison()
            except InputError:
                self.position, self.token, self.place, self.before, self.depth = state
            self.deeper()
            self.next_token()
            found = self.condition()
            self.need(")")
            self.depth -= 1
            return found
        return self.comparison()

    def comparison(self) -> Condition:
        """``a == b``, ``1 <= n < 9``, ``n in (1, 2)``, ``n not in (1, 2)``."""
        left = self.sum()
        if self.token in ("in", "not"):
            inside = self.token == "in"
            self.next_token()
            if not inside:
                self.need("in")
            return Member(left, self.members(), inside)
        if self.token == "=":
            raise self.fail("write == for a comparison")
        if self.token not in RELATIONS:
            raise self.fail(f"a comparison is expected here, not {self.shown()}")
        parts: list[Condition] = []
        while self.token in RELATIONS:
            sign = self.token
            self.next_token()
            right = self.sum()
            parts.append(Compare(left, sign, right))
            left = right
        return both(*parts)

    def members(self) -> tuple[int, ...]:
        """``(1, 2, 4)``."""
        self.need("(")
        found = []
        while True:
            sign = -1 if self.take("-") else 1
            value = self.factor().value
            if value is None:
                raise self.fail("an integer is expected here")
            found.append(sign * value)
            if not self.take(","):
                break
            if self.token == ")":
                break
        self.need(")")
        return tuple(found)


def parse_condition(text: str) -> Condition:
    """What is known of names, as ``--where`` has it; a comma means ``and``.

    >>> str(parse_condition("n % 8 == 0, 1 <= n <= 65536"))
    'n % 8 == 0 and 1 <= n and n <= 65536'
    >>> parse_condition("n == 4 or n % 3 = 0")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: write == for a comparison
      n == 4 or n % 3 = 0
                      ^
    """
    reader = Reader(text)
    if not reader.token:
        return ALWAYS
    found = reader.condition()
    if reader.token:
        raise reader.fail(f"nothing more is expected here, but there is {reader.shown()}")
    return found


def parse_expression(text: str) -> Any:
    """An expression with names; an integer where it has none.

    >>> parse_expression("n/8 + 2*n"), parse_expression("3*4")
    (17*n/8, 12)
    """
    reader = Reader(text)
    found = reader.sum()
    if reader.token:
        raise reader.fail(f"nothing more is expected here, but there is {reader.shown()}")
    return as_number(found)


# Values that hold expressions


def names_in(*values: Any) -> frozenset[str]:
    """The names that occur in layouts, tuples, strides and expressions."""
    found: set[str] = set()
    for value in values:
        for part in parts_of(value):
            found |= part.names
    return frozenset(found)


def parts_of(value: Any) -> Iterator[Expr]:
    """The expressions that a value holds."""
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from parts_of(item)
    elif hasattr(value, "shape") and hasattr(value, "stride"):
        yield from parts_of(value.shape)
        yield from parts_of(value.stride)
    elif hasattr(value, "layout") and hasattr(value, "offset"):
        yield from parts_of((value.function, value.offset, value.layout))
    elif hasattr(value, "terms"):
        for _, scale in value.terms:
            yield from parts_of(scale)
