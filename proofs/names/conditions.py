"""A set of values as a condition that people read: found by trying, and equal to the set at every value.

The set is given by its members among ``keys``, tuples of values of some names. :func:`condition_for` tries single
facts (divisibility, comparisons, equalities), then two joined, then covers the set by such and lists what is left, so
that the result always has exactly the members given. Where the keys are a sample, the caller says why it decides: of
one name, values to T + P − 1 decide when from T on the set repeats with period P (``tail`` is (T, P)), since then only
facts are used that do so too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from math import prod

from ...model.errors import InputError
from ...model.names import ALWAYS, NEVER, Compare, Condition, Expr, Member, both, divides, either

Key = tuple[int, ...]
MAX_LISTED = 400  # values that a condition lists
PAIRS = 160  # facts of which pairs are tried
TERMS = 8  # of a cover


class _Fact:
    """A condition with its members as bits."""

    __slots__ = ("condition", "cost", "mask")

    def __init__(self, condition: Condition, mask: int, cost: int):
        self.condition, self.mask, self.cost = condition, mask, cost


def condition_for(
    names: Sequence[str],
    keys: Sequence[Key],
    truth: Sequence[bool],
    hints: Iterable[int] = (),
    tail: tuple[int, int] | None = None,
    more: Iterable[Compare] = (),
    cost: int = 8,
) -> Condition | None:
    """The simplest condition found that holds at exactly the keys with ``truth``; None where too much is left to list.

    >>> keys = [(n,) for n in range(1, 200)]
    >>> str(condition_for(["n"], keys, [n % 48 == 0 or n in (1, 2, 3) for n, in keys], [48]))
    'n <= 3 or n % 48 == 0'
    >>> str(condition_for(["m", "n"], [(m, n) for m in range(1, 9) for n in range(1, 9)],
    ...     [n % m == 0 for m in range(1, 9) for n in range(1, 9)]))
    'n % m == 0'
    """
    return Vocabulary(names, keys, hints, tail, more, cost).condition(truth)


class Vocabulary:
    """The facts that conditions on some keys are made of, each with its members; many conditions can be sought."""

    def __init__(
        self,
        names: Sequence[str],
        keys: Sequence[Key],
        hints: Iterable[int] = (),
        tail: tuple[int, int] | None = None,
        more: Iterable[Compare] = (),
        cost: int = 8,
    ):
        self.names, self.keys, self.tail = names, keys, tail
        self.facts = _facts(names, keys, sorted({h for h in hints if 1 < h <= 1 << 16}), tail)
        values = [dict(zip(names, key, strict=True)) for key in keys]
        for condition in more:
            try:
                mask = _mask([condition.at(one) for one in values])
            except (ZeroDivisionError, InputError):  # it has no value everywhere
                continue
            self.facts.append(_Fact(condition, mask, cost + len(condition.code()) // 4))

    def condition(self, truth: Sequence[bool], among: Sequence[bool] | None = None) -> Condition | None:
        """The simplest condition found with these members, of the keys that count (``among``)."""
        counted = (1 << len(self.keys)) - 1 if among is None else _mask(among)
        wanted = _mask(truth) & counted
        if wanted == counted:
            return ALWAYS
        if not wanted:
            return NEVER
        edges = _edge_facts(self.names, self.keys, wanted, counted, self.tail)
        found: dict[int, _Fact] = {}
        for fact in sorted([*self.facts, *edges], key=lambda f: f.cost):
            mask = fact.mask & counted
            if mask not in (0, counted):
                found.setdefault(mask, _Fact(fact.condition, mask, fact.cost))
        facts = list(found.values())
        if wanted in found:
            return found[wanted].condition
        pair = _pair(facts, wanted)
        if pair is not None:
            return pair
        return _cover(self.names, self.keys, facts, wanted, counted, self.tail)


def _mask(truth: Iterable[bool]) -> int:
    return int("".join("1" if t else "0" for t in truth)[::-1] or "0", 2)


def _facts(names: Sequence[str], keys: Sequence[Key], hints: list[int], tail: tuple[int, int] | None) -> list[_Fact]:
    found: list[_Fact] = []

    def add(condition: Condition, test: Callable[[Key], bool], cost: int) -> None:
        found.append(_Fact(condition, _mask([test(key) for key in keys]), cost))

    def compare(left: Expr, sign: str, right: Expr | int, test: Callable[[Key], bool], cost: int) -> None:
        add(Compare(left, sign, Expr.of(right)), test, cost)

    moduli = _moduli(hints, tail[1] if tail else None, len(names))
    for j, name in enumerate(names):
        e = Expr.of(name)
        for k in moduli:
            compare(e % k, "==", 0, lambda key, j=j, k=k: key[j] % k == 0, 10)  # type: ignore[misc]
            compare(e % k, "!=", 0, lambda key, j=j, k=k: key[j] % k != 0, 12)  # type: ignore[misc]
            for c in range(1, k) if tail and k <= 32 else ():
                compare(e % k, "==", c, lambda key, j=j, k=k, c=c: key[j] % k == c, 11)  # type: ignore[misc]
        for k in hints:
            if tail is None or k < tail[0]:
                compare(Expr.of(k) % e, "==", 0, lambda key, j=j, k=k: k % key[j] == 0, 14)  # type: ignore[misc]
    for i, j in combinations(range(len(names)), 2):
        x, y = Expr.of(names[i]), Expr.of(names[j])
        for a, b, p, q in ((x, y, i, j), (y, x, j, i)):
            compare(a, "<=", b, lambda key, p=p, q=q: key[p] <= key[q], 9)  # type: ignore[misc]
            compare(a, "<", b, lambda key, p=p, q=q: key[p] < key[q], 9)  # type: ignore[misc]
            compare(a % b, "==", 0, lambda key, p=p, q=q: key[p] % key[q] == 0, 12)  # type: ignore[misc]
            for c in [c for c in hints if c <= 64][:12]:
                compare(a, "==", c * b, lambda key, p=p, q=q, c=c: key[p] == c * key[q], 14)  # type: ignore[misc]
                compare(a, "<=", c * b, lambda key, p=p, q=q, c=c: key[p] <= c * key[q], 14)  # type: ignore[misc]
                compare(a, ">=", c * b, lambda key, p=p, q=q, c=c: key[p] >= c * key[q], 14)  # type: ignore[misc]
                compare((c * a) % b, "==", 0, lambda key, p=p, q=q, c=c: c * key[p] % key[q] == 0, 15)  # type: ignore[misc]
                compare(a % (c * b), "==", 0, lambda key, p=p, q=q, c=c: key[p] % (c * key[q]) == 0, 15)  # type: ignore[misc]
        compare(x, "==", y, lambda key, i=i, j=j: key[i] == key[j], 8)  # type: ignore[misc]
        compare(x, "!=", y, lambda key, i=i, j=j: key[i] != key[j], 9)  # type: ignore[misc]
        for k in hints[:24]:
            compare(x * y, "<=", k, lambda key, i=i, j=j, k=k: key[i] * key[j] <= k, 15)  # type: ignore[misc]
            compare(x * y, ">=", k, lambda key, i=i, j=j, k=k: key[i] * key[j] >= k, 15)  # type: ignore[misc]
            compare(x * y, "==", k, lambda key, i=i, j=j, k=k: key[i] * key[j] == k, 15)  # type: ignore[misc]
            compare((x * y) % k, "==", 0, lambda key, i=i, j=j, k=k: key[i] * key[j] % k == 0, 16)  # type: ignore[misc]
            compare(
                Expr.of(k) % (x * y),
                "==",
                0,
                lambda key, i=i, j=j, k=k: k % (key[i] * key[j]) == 0,  # type: ignore[misc]
                16,
            )
    return found


def _edge_facts(
    names: Sequence[str], keys: Sequence[Key], wanted: int, counted: int, tail: tuple[int, int] | None
) -> list[_Fact]:
    """Comparisons with the values of one name at which the truth changes."""
    found: list[_Fact] = []
    for j, name in enumerate(names):
        e = Expr.of(name)
        column = [key[j] for key in keys]
        for edge in _edges(keys, wanted, counted, j):
            if tail and edge > tail[0]:
                continue
            right = Expr.of(edge)
            at_most = _mask([v <= edge for v in column])
            same = _mask([v == edge for v in column])
            found.append(_Fact(Compare(e, ">=", right), ((1 << len(keys)) - 1) & ~at_most | same, 9))
            if not tail or edge < tail[0]:
                found.append(_Fact(Compare(e, "<=", right), at_most, 9))
                found.append(_Fact(Compare(e, "==", right), same, 8))
                found.append(_Fact(Compare(e, "!=", right), ((1 << len(keys)) - 1) & ~same, 9))
    return found


def _moduli(hints: list[int], period: int | None, count: int) -> list[int]:
    if period is not None:
        return [k for k in _divisors(period) if k > 1][:96]
    found = {2, 3, 4, 5, 6, 8, 12, 16} | {k for h in hints for k in _divisors(h)}
    return sorted(k for k in found if 1 < k <= 4096)[: 64 // count]


def _divisors(n: int) -> list[int]:
    if n > 1 << 32:
        return []
    small = [k for k in range(1, int(n**0.5) + 1) if n % k == 0]
    return sorted({*small, *(n // k for k in small)})


def _edges(keys: Sequence[Key], wanted: int, counted: int, j: int) -> list[int]:
    """Values of one name at which the truth changes, those next to them, and the ends."""
    values: dict[int, int] = {}
    for bit, key in enumerate(keys):
        if not counted >> bit & 1:
            continue
        old = values.get(key[j], 0)
        values[key[j]] = old | (2 if wanted >> bit & 1 else 1)
    ordered = sorted(values)
    found: list[int] = []
    for a, b in pairwise(ordered):
        if values[a] != values[b]:
            found += [a, b]
    found = list(dict.fromkeys(found))
    return found if len(found) <= 48 else found[:32] + found[-16:]


def _pair(facts: list[_Fact], wanted: int) -> Condition | None:
    """Two facts joined by ``and`` or ``or``, the cheapest."""
    best: tuple[int, Condition] | None = None
    above = sorted((f for f in facts if f.mask & wanted == wanted), key=lambda f: f.cost)[:PAIRS]
    below = sorted((f for f in facts if f.mask | wanted == wanted), key=lambda f: f.cost)[:PAIRS]
    for group, is_all in ((above, True), (below, False)):
        for f, g in combinations(group, 2):
            if (f.mask & g.mask if is_all else f.mask | g.mask) == wanted:
                cost = f.cost + g.cost
                if best is None or cost < best[0]:
                    join = both if is_all else either
                    best = cost, join(f.condition, g.condition)
    return best[1] if best else None


def _cover(
    names: Sequence[str],
    keys: Sequence[Key],
    facts: list[_Fact],
    wanted: int,
    everything: int,
    tail: tuple[int, int] | None,
) -> Condition | None:
    """The set, or what it leaves out, as few facts joined and the rest listed, whichever is shorter."""
    found = [
        option
        for option in (
            _covered(names, keys, facts, wanted, tail, inside=True),
            _covered(names, keys, facts, everything & ~wanted, tail, inside=False),
        )
        if option is not None
    ]
    return min(found, key=lambda c: len(c.code()), default=None)


def _covered(
    names: Sequence[str],
    keys: Sequence[Key],
    facts: list[_Fact],
    wanted: int,
    tail: tuple[int, int] | None,
    inside: bool,
) -> Condition | None:
    """``wanted`` as a union of facts, pairs of facts and values (``inside``), or the complement of that union."""
    below = [f for f in facts if f.mask | wanted == wanted]
    useful = sorted(facts, key=lambda f: (-(f.mask & wanted).bit_count() + (f.mask & ~wanted).bit_count(), f.cost))[:90]
    for f, g in combinations(useful, 2):
        mask = f.mask & g.mask
        if mask and mask | wanted == wanted and mask not in (f.mask, g.mask):
            below.append(_Fact(both(f.condition, g.condition), mask, f.cost + g.cost))
    left, parts = wanted, list[Condition]()
    while left and len(parts) < TERMS:
        best = max(below, key=lambda f: (f.mask & left).bit_count() * 1000 // f.cost, default=None)
        if best is None or (best.mask & left).bit_count() < 3:
            break
        parts.append(best.condition)
        left &= ~best.mask
    listed = [key for bit, key in enumerate(keys) if left >> bit & 1]
    if len(listed) > MAX_LISTED or (tail and any(key[0] >= tail[0] for key in listed)):
        return None
    if listed and len(names) == 1:
        parts.append(Member(Expr.of(names[0]), tuple(key[0] for key in listed)))
    else:
        for key in listed:
            parts.append(both(*(Compare(Expr.of(n), "==", Expr.of(v)) for n, v in zip(names, key, strict=True))))
    return either(*parts) if inside else both(*map(_negated, parts))


def _negated(condition: Condition) -> Condition:
    if isinstance(condition, Compare):
        return condition.negated()
    if isinstance(condition, Member):
        return Member(condition.left, condition.values, not condition.inside)
    parts = getattr(condition, "parts")  # noqa: B009
    return (either if getattr(condition, "is_all") else both)(*map(_negated, parts))  # noqa: B009


def tail_condition(name: str, classes: Sequence[tuple[int, int]]) -> Condition:
    """The union of the residue classes (modulus, rest) of a name.

    >>> str(tail_condition("n", [(8, 0), (8, 4)]))
    'n % 8 == 0 or n % 8 == 4'
    """
    e = Expr.of(name)
    parts: list[Condition] = []
    for modulus, rest in classes:
        if modulus == 1:
            return ALWAYS
        parts.append(divides(modulus, e) if rest == 0 else Compare(e % modulus, "==", Expr.of(rest)))
    return either(*parts)


def hints_of(values: Iterable[int]) -> tuple[int, ...]:
    """Integers that conditions on layouts of these numbers speak of: themselves, products of neighbours, of all."""
    numbers = [abs(v) for v in values if abs(v) > 1][:16]
    found = set(numbers)
    for i in range(len(numbers)):
        for j in range(i + 1, len(numbers) + 1):
            product = prod(numbers[i:j])
            if product <= 1 << 16:
                found.add(product)
    for a, b in combinations(numbers, 2):
        if a % b == 0 or b % a == 0:
            found.add(max(a, b) // min(a, b))
    return tuple(sorted(found))
