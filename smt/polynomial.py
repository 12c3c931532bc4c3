"""Polynomials with integer coefficients over named unknowns: what arithmetic on symbolic integers makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

from .terms import Term, as_term, variable

Monomial = tuple[str, ...]  # the unknowns, sorted, each as often as its power


class Poly:
    """A sum of integer multiples of monomials, in normal form: equal polynomials are equal objects of one hash.

    >>> x, y = Poly.of("x"), Poly.of("y")
    >>> (x + y) * (x - y) == x * x - y * y, str((x + 1) * (y - 2))
    (True, 'x·y − 2·x + y − 2')
    """

    __slots__ = ("_hash", "terms")
    terms: dict[Monomial, int]

    def __init__(self, terms: Mapping[Monomial, int]):
        self.terms = {m: c for m, c in terms.items() if c}
        self._hash: int | None = None

    @classmethod
    def of(cls, name: str) -> Poly:
        """One unknown."""
        return cls({(name,): 1})

    @classmethod
    def constant(cls, value: int) -> Poly:
        """A number."""
        return cls({(): value})

    def __add__(self, other: Poly | int) -> Poly:
        total = dict(self.terms)
        for m, c in _terms(other).items():
            total[m] = total.get(m, 0) + c
        return Poly(total)

    def __sub__(self, other: Poly | int) -> Poly:
        total = dict(self.terms)
        for m, c in _terms(other).items():
            total[m] = total.get(m, 0) - c
        return Poly(total)

    def __neg__(self) -> Poly:
        return Poly({m: -c for m, c in self.terms.items()})

    def __mul__(self, other: Poly | int) -> Poly:
        total: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            for n, d in _terms(other).items():
                key = m if not n else n if not m else tuple(sorted(m + n))
                total[key] = total.get(key, 0) + c * d
        return Poly(total)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __str__(self) -> str:
        text = ""
        for m, c in sorted(self.terms.items(), key=lambda item: (-len(item[0]), item[0])):
            sign = " − " if c < 0 else " + "
            body = "·".join(([str(abs(c))] if abs(c) != 1 or not m else []) + list(m))
            text += (sign if text else sign.strip().replace("+", "")) + body
        return text or "0"

    def __repr__(self) -> str:
        return f"Poly({self})"

    @property
    def value(self) -> int | None:
        """The number that the polynomial is, or None."""
        if not self.terms:
            return 0
        return self.terms[()] if len(self.terms) == 1 and () in self.terms else None

    @property
    def unknowns(self) -> set[str]:
        """The names that occur."""
        return {name for m in self.terms for name in m}

    @property
    def leading(self) -> Monomial:
        """The monomial of highest degree, the first of those by name."""
        return min(self.terms, key=lambda m: (-len(m), m))

    def put(self, name: str, value: Poly) -> Poly:
        """``value`` in the place of an unknown."""
        if not any(name in m for m in self.terms):
            return self
        result = Poly({m: c for m, c in self.terms.items() if name not in m})
        for m, c in self.terms.items():
            if name in m:
                part = Poly({tuple(n for n in m if n != name): c})
                for _ in range(m.count(name)):
                    part = part * value
                result = result + part
        return result

    def split(self, divisor: Poly) -> tuple[Poly, Poly]:
        """(Q, R) with self = Q·divisor + R and no term of R a multiple of the divisor's leading one.

        >>> a, b, x = map(Poly.of, "abx")
        >>> (a * b * x + a * x + b).split(a * b)
        (Poly(x), Poly(a·x + b))
        """
        lead = divisor.leading
        scale = divisor.terms[lead]
        quotient, rest, left = Poly({}), Poly({}), self
        while left.terms:
            m = left.leading
            c = left.terms[m]
            over = _over(m, lead)
            if over is None or c % scale:
                one = Poly({m: c})
                rest, left = rest + one, left - one
            else:
                one = Poly({over: c // scale})
                quotient, left = quotient + one, left - one * divisor
        return quotient, rest

    def solve(self, order: Callable[[str], Any] = str) -> tuple[str, Poly] | None:
        """(x, p) with self = 0 ⟺ x = p, for an unknown that stands alone in one term with coefficient ±1.

        Of several the least by ``order`` is taken; one that ``order`` gives None for never is.

        >>> (Poly.of("d") - Poly.of("s") * Poly.of("e")).solve()
        ('d', Poly(e·s))
        """
        counts: dict[str, int] = {}
        for m in self.terms:
            for name in set(m):
                counts[name] = counts.get(name, 0) + 1
        able = [n for n in counts if counts[n] == 1 and abs(self.terms.get((n,), 0)) == 1 and order(n) is not None]
        if not able:
            return None
        best = min(able, key=lambda n: (order(n), n))
        rest = Poly({m: c for m, c in self.terms.items() if m != (best,)})
        return best, (-rest if self.terms[(best,)] == 1 else rest)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The number at given values."""
        total = 0
        for m, c in self.terms.items():
            for name in m:
                c *= values[name]
            total += c
        return total

    def as_term(self) -> Term:
        """The polynomial as a term of obligations."""
        total = as_term(0)
        for m, c in sorted(self.terms.items()):
            one = as_term(c)
            for name in m:
                one = one * variable(name)
            total = total + one
        return total


def monomial_divisors(m: Monomial) -> Iterator[Monomial]:
    """The proper divisors of a monomial, long ones first.

    >>> list(monomial_divisors(("a", "b", "c")))[:4]
    [('a', 'b'), ('a', 'c'), ('b', 'c'), ('a',)]
    """
    for length in range(len(m) - 1, 0, -1):
        yield from dict.fromkeys(combinations(m, length))


def _terms(p: Poly | int) -> Mapping[Monomial, int]:
    return p.terms if isinstance(p, Poly) else {(): p} if p else {}


def _over(m: Monomial, lead: Monomial) -> Monomial | None:
    left = list(m)
    for name in lead:
        if name not in left:
            return None
        left.remove(name)
    return tuple(left)
