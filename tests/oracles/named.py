"""Random questions on layouts with names, and what plain evaluation at every value says of an answer to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

import numpy as np

from veritile.model import htuple
from veritile.model.coalesce import decide_coalesce
from veritile.model.complement import decide_complement
from veritile.model.composition import decide_composition
from veritile.model.coordinate import as_coordinate
from veritile.model.divide import decide_divide
from veritile.model.errors import Refuted, Undecided
from veritile.model.inverse import decide_left_inverse, decide_right_inverse
from veritile.model.layout import Layout
from veritile.model.names import ALWAYS, Condition, guard, parse_condition
from veritile.model.notation import parse, parse_coordinate
from veritile.model.product import decide_product
from veritile.model.properties import (
    refute_bijective,
    refute_contiguous,
    refute_disjoint,
    refute_equal,
    refute_injective,
    refute_onto,
    refute_within,
)
from veritile.proofs.names import NamedAnswer, instantiate
from veritile.reports.reply import Reply

LARGEST = 64
TABLED = 1 << 11


def property_of(refute: Callable[..., Any]) -> Callable[..., Reply]:
    def question(*operands: Any) -> Reply:
        witness = refute(*operands)
        if witness is None:
            return Reply("proved")
        return Reply("refuted", reason="it is not so", witness=witness)

    return question


QUESTIONS: dict[str, Callable[..., Any]] = {
    "coalesce": decide_coalesce,
    "compose": decide_composition,
    "complement": decide_complement,
    "left inverse": decide_left_inverse,
    "right inverse": decide_right_inverse,
    "divide": decide_divide,
    "product": decide_product,
    "injective": property_of(refute_injective),
    "onto": property_of(refute_onto),
    "bijective": property_of(refute_bijective),
    "within": property_of(refute_within),
    "contiguous": property_of(refute_contiguous),
    "disjoint": property_of(refute_disjoint),
    "equal": property_of(refute_equal),
}


@dataclass(frozen=True)
class Named:
    """One question: its kind, its operands as text, and what is known of the names."""

    kind: str
    operands: tuple[str, ...]
    where: str = ""

    @cached_property
    def question(self) -> Callable[..., Any]:
        return QUESTIONS[self.kind]

    @cached_property
    def given(self) -> tuple[Any, ...]:
        return tuple(parse(t, names=True) if ":" in t else parse_coordinate(t, names=True) for t in self.operands)

    @cached_property
    def condition(self) -> Condition:
        return parse_condition(self.where) if self.where else ALWAYS

    def __str__(self) -> str:
        return f"{self.kind} {' '.join(self.operands)}" + (f" where {self.where}" if self.where else "")


def random_questions(count: int, seed: int) -> Iterator[Named]:
    random = Random(seed)
    for _ in range(count):
        yield _question(random)


def _question(random: Random) -> Named:
    names = ["n"] if random.random() < 0.7 else ["m", "n"]
    kind = random.choice(list(QUESTIONS))
    k = random.choice((0, 0, 2, 4, 8, 3))
    where = f"n % {k} == 0" if k else random.choice(("", "", "n <= 64", "n >= 2"))
    while True:
        operands = [_layout(random, names, k)]
        if kind in ("compose", "divide", "product", "disjoint", "equal"):
            operands.append(_layout(random, names, k, small=True))
        if kind in ("complement", "onto", "bijective", "within", "contiguous"):
            operands.append(_size(random, names, k, largest=64))
        text = " ".join(operands)
        if all(name in text for name in names):
            return Named(kind, tuple(operands), where)


def _size(random: Random, names: list[str], k: int, largest: int = 12) -> str:
    name = random.choice(names)
    kind = random.random()
    if kind < 0.5:
        return str(random.randint(1, largest))
    if kind < 0.8:
        return name
    if kind < 0.9 or not k or name != "n":
        return f"{random.randint(2, 4)}*{name}"
    return f"{name}/{k}"


def _layout(random: Random, names: list[str], k: int, small: bool = False) -> str:
    rank = random.choice((1, 1, 2) if small else (1, 2, 2, 3))
    sizes = [_size(random, names, k, 6 if small else 12) for _ in range(rank)]
    if random.random() < 0.3:
        shape = f"({','.join(sizes)})" if rank > 1 else sizes[0]
        return f"{shape}:{_compact(sizes, random)}"
    strides = []
    for _ in range(rank):
        kind = random.random()
        if kind < 0.7:
            strides.append(str(random.choice((0, 1, 1, 2, 3, 4, 5, 8, 12, 16))))
        else:
            strides.append(_size(random, names, k))
    if rank == 1:
        return f"{sizes[0]}:{strides[0]}"
    return f"({','.join(sizes)}):({','.join(strides)})"


def _compact(sizes: list[str], random: Random) -> str:
    order = list(range(len(sizes)))
    random.shuffle(order)
    strides, before = [""] * len(sizes), "1"
    for place in order:
        strides[place] = before
        before = f"{before}*{sizes[place]}" if before != "1" else sizes[place]
    return f"({','.join(strides)})" if len(sizes) > 1 else strides[0]


def values_of(names: list[str], where: Condition, largest: int = LARGEST) -> Iterator[dict[str, int]]:
    """Every value up to ``largest`` that is allowed."""
    for key in product(range(1, largest + 1), repeat=len(names)):
        values = dict(zip(names, key, strict=True))
        if where.at(values):
            yield values


@dataclass(frozen=True)
class Comparison:
    """An answer beside plain evaluation: the values compared, those that nothing here decides, what differs first."""

    compared: int = 0
    undecided: int = 0
    differs: str = ""


def compared(named: Named, answer: NamedAnswer, largest: int = LARGEST) -> Comparison:
    """An answer and plain evaluation at every value up to ``largest``; without a condition, at the witness alone.

    A value that plain evaluation leaves undecided is compared by the definition, where the answer tells a result.
    """
    if answer.verdict == "refuted":
        assert answer.witness is not None
        place = answer.witness.values["names"]
        if not named.condition.at(place) or plain(named, place)[0] is True:
            return Comparison(differs=f"the witness {place} is none")
        if answer.conditions is None:
            return Comparison(compared=1)
    names = sorted({name for name in ("m", "n") if any(name in operand for operand in named.operands)})
    code = None if answer.conditions is None else compile(guard(answer.conditions, "python"), "guard", "eval")
    cases = [(compile(guard(c.when, "python"), "when", "eval"), parse_result(c.result)) for c in answer.cases]
    count = undecided = 0
    for values in values_of(names, named.condition, largest):
        expected = eval(code, {}, dict(values)) if code else answer.verdict == "proved"
        told = [result for when, result in cases if eval(when, {}, dict(values))] if expected else []
        holds, found = plain(named, values)
        if holds is not None and holds != expected:
            return Comparison(count, undecided, f"{values}: holds is {holds}, the answer says {expected}")
        if expected and cases and len(told) != 1:
            return Comparison(count, undecided, f"{values}: {len(told)} cases")
        results = [instantiate(result, values) for result in told if isinstance(result, Layout)]
        if holds is None and not (results and named.kind in DEFINED and is_small(named, values, results[0])):
            undecided += 1
            continue
        count += 1
        if isinstance(found, Layout) and results and not same_function(found, results[0]):
            return Comparison(count, undecided, f"{values}: {found} is told as {results[0]}")
        for result in results or ([found] if isinstance(found, Layout) else []):
            wrong = wrong_by_definition(named, values, result)
            if wrong:
                return Comparison(count, undecided, f"{values}: {wrong}")
    return Comparison(count, undecided)


def parse_result(result: Any) -> Any:
    """What is printed, read again."""
    return parse(str(result), names=True) if isinstance(result, Layout) else result


def plain(named: Named, values: dict[str, int]) -> tuple[bool | None, Any]:
    """Whether it holds at given values (None: undecided), and the result."""
    given = [instantiate(operand, values) for operand in named.given]
    try:
        answer = named.question(*given)
    except Refuted:
        return False, None
    except Undecided:
        return None, None
    holds = getattr(answer, "verdict", "proved") == "proved"
    by_hand = property_by_hand(named.kind, given)
    assert by_hand is None or by_hand == holds, (named, values)
    return holds, answer.result


def property_by_hand(kind: str, given: list[Any]) -> bool | None:
    """A property by enumeration of all offsets; None for what is no property, or too large."""
    a = given[0]
    if kind not in PROPERTIES or htuple.size(a.shape) > TABLED:
        return None
    table = table_of(a)
    if kind == "injective":
        return len(np.unique(table)) == len(table)
    if kind == "onto":
        return len(np.unique(table[(table >= 0) & (table < given[1])])) == given[1]
    if kind == "bijective":
        return np.array_equal(np.sort(table), np.arange(given[1]))
    if kind == "within":
        return bool(((table >= 0) & (table < given[1])).all())
    if kind == "contiguous":
        return np.array_equal(table[: given[1]], np.arange(given[1]))
    b = given[1]
    if htuple.size(b.shape) > TABLED:
        return None
    other = table_of(b)
    return np.array_equal(table, other) if kind == "equal" else not np.any(np.intersect1d(table, other))


PROPERTIES = ("injective", "onto", "bijective", "within", "contiguous", "disjoint", "equal")


def values_at(layout: Layout, indices: Any) -> Any:
    """The layout at an array of indices, by the definition: digits in mixed radix, the last one not reduced.

    >>> values_at(Layout((2, (2, 3)), (1, (10, 100))), np.arange(13)).tolist()
    [0, 1, 10, 11, 100, 101, 110, 111, 200, 201, 210, 211, 300]
    """
    sizes, strides = htuple.flatten(layout.shape), htuple.flatten(layout.stride)
    rest, total = np.asarray(indices, dtype=object if _is_large(sizes, strides) else np.int64), 0
    for k, (s, d) in enumerate(zip(sizes, strides, strict=True)):
        digit = rest if k == len(sizes) - 1 else rest % s
        total, rest = total + digit * d, rest // s
    return total


def _is_large(sizes: Any, strides: Any) -> bool:
    """Whether offsets of the few thousand indices that are looked at may not fit 64 bits."""
    return any(type(n) is not int or abs(n) >= 1 << 40 for n in (*sizes, *strides))


def table_of(layout: Layout) -> Any:
    return values_at(layout, np.arange(htuple.size(layout.shape)))


DEFINED = ("coalesce", "compose", "complement", "left inverse")  # what the definition says of a result is all there is


def is_small(named: Named, values: dict[str, int], r: Layout) -> bool:
    """Whether a result is held to its definition."""
    return max(htuple.size(instantiate(named.given[0], values).shape), htuple.size(r.shape)) <= 256


def wrong_by_definition(named: Named, values: dict[str, int], r: Layout) -> str:
    """What the definition of the operation says against a result; looked at where it is small."""
    if not is_small(named, values, r):
        return ""
    a, *rest = [instantiate(operand, values) for operand in named.given]
    indices = np.arange(htuple.size(a.shape))
    if named.kind == "coalesce":
        return "" if np.array_equal(values_at(a, indices), values_at(r, indices)) else "another function"
    if named.kind == "compose":
        inner = np.arange(htuple.size(rest[0].shape))
        if rest[0].semimodule == "coordinate":
            same = all(r(i) == a(as_coordinate(rest[0](i), a.shape)) for i in map(int, inner))
            return "" if same else "R(i) is not A(B(i))"
        wanted = values_at(a, values_at(rest[0], inner))
        return "" if np.array_equal(values_at(r, inner), wanted) else "R(i) is not A(B(i))"
    if named.kind == "right inverse":
        k = np.arange(htuple.size(r.shape))
        return "" if np.array_equal(values_at(a, values_at(r, k)), k) else "L(R(k)) is not k"
    if named.kind == "left inverse":
        offsets = values_at(a, indices)
        return "" if np.array_equal(values_at(a, values_at(r, offsets)), offsets) else "L(R(L(i))) is not L(i)"
    if named.kind == "complement":
        both = np.sort(np.add.outer(values_at(a, indices), table_of(r)), axis=None)
        return "" if np.array_equal(both, np.arange(len(both))) and len(both) >= rest[0] else "no bijection"
    return ""


def same_function(first: Layout, second: Layout) -> bool:
    """Whether two layouts have one size and one offset at each index, looked at up to some size."""
    size = htuple.size(first.shape)
    if size != htuple.size(second.shape):
        return False
    looked = (
        np.arange(size) if size <= 512 else np.array([size // 256 * k for k in range(257) if size // 256 * k < size])
    )
    return np.array_equal(values_at(first, looked), values_at(second, looked))
