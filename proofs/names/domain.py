"""The values that names may have: bounds, residues, all of them where they are few, and how to tell of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ...model.errors import InputError
from ...model.names import ALWAYS, Compare, Condition, Member, both, conjuncts

Key = tuple[int, ...]


def scope_of(names: Sequence[str], where: Condition) -> str:
    """``every N with N % 8 == 0``."""
    mine = [part for part in conjuncts(where) if part.names <= set(names)]
    told = both(*mine)
    return f"every {', '.join(names)}" + ("" if told == ALWAYS else f" with {told.code()}")


def bounds_of(names: Sequence[str], where: Condition) -> dict[str, tuple[int, int | None]]:
    """For each name the least and the greatest value that the conjuncts about it alone leave."""
    found: dict[str, tuple[int, int | None]] = dict.fromkeys(names, (1, None))
    for part in conjuncts(where):
        if isinstance(part, Member) and part.inside and isinstance(part.left.single, str):
            low, high = found[part.left.single]
            top = max(part.values, default=0)
            found[part.left.single] = low, top if high is None else min(high, top)
        if not isinstance(part, Compare):
            continue
        for left, sign, right in (
            (part.left, part.relation, part.right),
            (part.right, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(part.relation, part.relation), part.left),
        ):
            if not isinstance(left.single, str) or right.value is None:
                continue
            low, high = found[left.single]
            value = right.value
            if sign in ("<", "<=", "=="):
                top = value - (sign == "<")
                high = top if high is None else min(high, top)
            if sign in (">", ">=", "=="):
                low = max(low, value + (sign == ">"))
            found[left.single] = low, high
    return found


def values_allowed(names: Sequence[str], where: Condition, most: int) -> list[Key] | None:
    """All values allowed, when they are known to be at most so many."""
    bounds = bounds_of(names, where)
    if any(high is not None and high < low for low, high in bounds.values()):
        return []
    total, ranges = 1, []
    for name in names:
        low, high = bounds[name]
        if high is None:
            return None
        step, first = 1, low
        for part in conjuncts(where):
            modulus, rest = congruence(part, name)
            if modulus and step == 1:
                step, first = modulus, low + (rest - low) % modulus
        ranges.append(range(first, high + 1, step))
        total *= max(len(ranges[-1]), 0)
        if total > 64 * most:
            return None
    keys = [key for key in product(*ranges) if where.at(dict(zip(names, key, strict=True)))]
    return keys if len(keys) <= most else None


def some_values(names: Sequence[str], where: Condition) -> Iterator[Key]:
    """Small values that are allowed."""
    sizes = [2**i for i in range(13)] + [3, 5, 6, 12, 24, 48, 96, 1000]
    for key in product(sizes, repeat=len(names)):
        if where.at(dict(zip(names, key, strict=True))):
            yield key


def nothing_allowed(names: Sequence[str], where: Condition) -> InputError:
    """The error of a condition that no value meets: every claim would hold of none.

    >>> from ...model.names import parse_condition
    >>> nothing_allowed(["N"], parse_condition("N < 1")).message
    'no value of N is allowed: N < 1'
    """
    code = where.code()
    what = f"no value of {', '.join(names)} is allowed" if names else "it never holds"
    return InputError(f"{what}: {code}", code, 0)


def congruence(part: Condition, name: str) -> tuple[int, int]:
    """(k, c) for ``n % k == c``; (0, 0) for what is none."""
    if isinstance(part, Compare) and part.relation == "==" and part.right.value is not None:
        call = part.left.single
        if call is not None and not isinstance(call, str) and call.kind == "mod" and call.left.single == name:
            k = call.right.value
            if k and 0 <= part.right.value < k:
                return k, part.right.value
    return 0, 0


def first_classes(where: Condition, name: str) -> list[tuple[int, int]]:
    """(M, r) of the residue classes to begin with: the one that a condition tells, else all integers."""
    for part in conjuncts(where):
        modulus, rest = congruence(part, name)
        if modulus > 1:
            return [(modulus, rest)]
    return [(1, 0)]


def named_values(names: Sequence[str], key: Key) -> str:
    """``m = 3, n = 4``."""
    return ", ".join(f"{n} = {v}" for n, v in zip(names, key, strict=True))


__all__ = [
    "Key",
    "bounds_of",
    "congruence",
    "first_classes",
    "named_values",
    "nothing_allowed",
    "scope_of",
    "some_values",
    "values_allowed",
]
