"""Predicates: each answer against every coordinate of the padded tensor, each fault confirmed there."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout
from veritile.proofs.contracts.predicates import (
    Guard,
    decide_active,
    decide_predicate_shape,
    decide_predicates,
    tiles_of,
)

from .evaluation import refuted, verdicts, witness

ROWS = Guard((30, 104), (16, 64), vector=8, axis=1)

FAULTS: list[tuple[str, Guard, list[str]]] = [
    ("a vector sticks out", replace(ROWS, extents=(30, 100)), ["inside"]),
    ("at most instead of less", replace(ROWS, limits=(30, 105)), ["inside"]),
    ("a row too many", replace(ROWS, limits=(31, 104)), ["inside"]),
    ("rows are not looked at", replace(ROWS, limits=(None, 104)), ["inside"]),
    ("columns are not looked at", replace(ROWS, limits=(30, None)), ["inside"]),
    ("a row too few", replace(ROWS, limits=(29, 104)), ["covered"]),
    ("a vector too few", replace(ROWS, limits=(30, 96)), ["covered"]),
    ("the last coordinate, no tail", replace(ROWS, extents=(30, 100), test="last"), ["covered"]),
    ("a tail too short", replace(ROWS, extents=(30, 100), test="last", tail=(96, 99)), ["covered"]),
    ("a tail too late", replace(ROWS, extents=(30, 100), test="last", tail=(97, 100)), ["covered"]),
    ("a tail too early", replace(ROWS, extents=(30, 100), test="last", tail=(95, 100)), ["once"]),
    ("a tile of 60", replace(ROWS, tiles=(16, 60)), ["whole"]),
]

RIGHT = [
    ROWS,
    replace(ROWS, extents=(30, 100), vector=4),
    replace(ROWS, extents=(30, 100), test="last", tail=(96, 100)),
    replace(ROWS, limits=(30, 97)),
    replace(ROWS, extents=(32, 104), limits=(None, 104)),
    replace(ROWS, tiles=(16, 56)),
    replace(ROWS, extents=(30, 128), limits=(30, None)),
    Guard((100,), (64,)),
]


def confirm(guard: Guard, found: Any) -> None:
    told = verdicts(found)
    start, stop = guard.tail or (0, 0)
    inside, admitted, tail = set(), set(), set()
    for crd in product(*map(range, guard.padded())):
        if all(c < n for c, n in zip(crd, guard.extents, strict=True)):
            inside.add(crd)
            if start <= crd[guard.axis] < stop:
                tail.add(crd)
        if guard.admits(crd):
            admitted.add(crd)
    assert told["inside"] == ("proved" if admitted <= inside else "refuted")
    covered = inside <= admitted | tail
    assert told["covered"] == ("proved" if covered else "refuted")
    if told["once"] == "refuted" or not tail:
        assert told["once"] == ("refuted" if start < guard.ends()[guard.axis] and start < stop else "proved")
    if told["inside"] == "refuted":
        crd = witness(found, "inside")["coordinate"]
        assert crd in admitted and crd not in inside
    if told["covered"] == "refuted":
        crd = witness(found, "covered")["coordinate"]
        assert crd in inside and crd not in admitted | tail
    if told["once"] == "refuted" and tail & admitted:
        crd = witness(found, "once")["coordinate"]
        assert guard.admits(crd) and start <= crd[guard.axis] < stop
    assert told["whole"] == ("refuted" if guard.tiles[guard.axis] % guard.vector else "proved")


@pytest.mark.parametrize(("name", "guard", "broken"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_a_fault_is_refuted(name: str, guard: Guard, broken: list[str]) -> None:
    found = decide_predicates(guard)
    assert refuted(found) == broken
    if broken != ["whole"]:
        confirm(guard, found)


@pytest.mark.parametrize("guard", RIGHT)
def test_the_right_one_beside_it(guard: Guard) -> None:
    found = decide_predicates(guard)
    assert refuted(found) == []
    confirm(guard, found)


@given(
    st.integers(1, 20),
    st.integers(1, 6),
    st.sampled_from((1, 2, 3, 4)),
    st.integers(1, 4),
    st.one_of(st.none(), st.integers(0, 24)),
    st.sampled_from(("first", "last")),
    st.one_of(st.none(), st.tuples(st.integers(0, 20), st.integers(0, 24))),
)
def test_any_guard_is_decided_as_counting_does(
    extent: int, tiles: int, vector: int, rows: int, limit: int | None, test: str, tail: tuple[int, int] | None
) -> None:
    guard = Guard((rows, extent), (2, tiles * vector), vector, 1, (rows, limit), test, tail)
    confirm(guard, decide_predicates(guard))


def test_what_sticks_out() -> None:
    assert tiles_of(Guard((100, 30), (64, 16))) == {"tiles": [2, 2], "inside": [36, 14], "outside": [28, 2]}
    assert tiles_of(Guard((128,), (64,))) == {"tiles": [2], "inside": [64], "outside": [0]}
    found = decide_predicates(Guard((100,), (64,), vector=8))
    assert next(o for o in found if o.name == "predicates.inside").details["tail"] == [96, 100]


@pytest.mark.parametrize(
    ("predicate", "rest", "fits"),
    [
        ((1, (2, 1)), (1, (1,)), False),
        ((1, (1,)), (1, (1,)), True),
        ((1, 2), (1, (2, 1)), True),
        ((1, (2, 1)), (1, 2), True),
        ((2, 1), (1, 2), False),
        ((1, 2, 1), (1, 2), False),
        (4, (2, 2), True),
        (4, (2, 3), False),
    ],
)
def test_a_predicate_for_each_vector(predicate: Any, rest: Any, fits: bool) -> None:
    found = decide_predicate_shape(predicate, rest)
    assert (found.witness is None) == fits and found.verdict.value == ("proved" if fits else "refuted")


@pytest.mark.parametrize("elements", [0, 1, 8, 12, 16, 17, 24, 31, 32, 100])
def test_active_threads_are_counted(elements: int) -> None:
    tv = Layout((4, (4, 2)), (8, (1, 4)))
    found = decide_active(tv, elements, 4)
    assert (found.witness is None) == (elements % 4 == 0 or elements > 32)
    if found.witness is None:
        assert found.details["active"] == min(-(-elements // 8), 4)
    else:
        w = found.witness.values
        t, v = w["coordinate"]
        assert tv((t, v)) == w["offset"] >= elements > tv((t, v - v % 4))


def test_vectors_of_a_thread_are_whole() -> None:
    assert decide_active(Layout((4, 6), (6, 1)), 24, 4).witness is not None
    assert decide_active(Layout((2**20, 8), (8, 1)), 24, 4).verdict.value == "unknown"
    with pytest.raises(InputError):
        decide_active(Layout(4), 4, 1)


@pytest.mark.parametrize(
    "change",
    [{"extents": (3,)}, {"tiles": (0, 4)}, {"vector": 0}, {"axis": 2}, {"limits": (3,)}, {"test": "middle"}],
)
def test_what_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        replace(ROWS, **change)
