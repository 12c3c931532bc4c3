"""Plain evaluation of what a kernel does, to confirm witnesses with: nothing of proofs/ is used here."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from veritile import size
from veritile.proofs.contracts.obligation import Obligation
from veritile.proofs.verdict import Verdict


def verdicts(obligations: list[Obligation]) -> dict[str, str]:
    """The verdict of each rule, by the name after the contract's; what is refuted has a witness and a reason."""
    for o in obligations:
        assert o.name and o.rule and o.source and o.reason
        assert (o.verdict is Verdict.REFUTED) == (o.witness is not None), o
        assert o.evidence or o.verdict is Verdict.UNKNOWN
    return {o.name.partition(".")[2]: o.verdict.value for o in obligations}


def refuted(obligations: list[Obligation]) -> list[str]:
    """The rules that are refuted."""
    return [name for name, verdict in verdicts(obligations).items() if verdict == "refuted"]


def witness(obligations: list[Obligation], rule: str) -> dict[str, Any]:
    """The values of the witness against one rule."""
    found = next(o for o in obligations if o.name.partition(".")[2] == rule)
    assert found.witness is not None, found.reason
    return found.witness.values


def owners(tv: Any, threads: int, elements: int) -> Counter[int]:
    """How often each element of a tile is owned by the first threads."""
    values = size(tv[1])
    places = [tv((t, v)) for t, v in product(range(threads), range(values))]
    return Counter(p for p in places if 0 <= p < elements)


def is_vectorised(source: Any, destination: Any, width: int, owner: Any = None) -> bool:
    """By the definition: groups of ``width``, an aligned block on both sides, in one order, of one owner."""
    groups: dict[Any, list[tuple[int, int]]] = {}
    for i in range(size(source)):
        a, b = source(i), destination(i)
        groups.setdefault((a // width, b // width, owner and owner(i)), []).append((a % width, b % width))
    return all(is_vector(group, width) for group in groups.values())


def is_vector(places: list[tuple[int, int]], width: int) -> bool:
    """Whether (source, destination) places within their blocks are those of a vector, each equally often."""
    times, rest = divmod(len(places), width)
    return not rest and sorted(places) == [(k, k) for k in range(width) for _ in range(times)]
