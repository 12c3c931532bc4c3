"""Reductions: carried out a second time with numbers, whose sum tells which lanes were combined and how often."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError
from veritile.proofs.contracts.reductions import (
    BlockReduction,
    Shuffles,
    block_reduction,
    butterfly,
    combine,
    decide_reduction,
    decide_shuffles,
)

from .evaluation import refuted, verdicts, witness

BASE = 4096  # lane l starts with BASE^l: the digits of a sum say how often each lane is in it


def carried_out(offsets: tuple[int, ...], mode: str, segment: int) -> list[int]:
    """The shuffles with numbers, as the CUDA programming guide words them."""
    values = [BASE**lane for lane in range(32)]
    for offset in offsets:
        moved = list(values)
        for lane in range(32):
            source = lane ^ offset if mode == "bfly" else lane + offset
            if source // segment > lane // segment:
                source = lane  # a later segment, or past the warp: its own value
            moved[lane] = values[source]
        values = [a + b for a, b in zip(values, moved, strict=True)]
    return values


def digit(value: int, lane: int) -> int:
    return value // BASE**lane % BASE


FAULTS: list[tuple[str, Shuffles, list[str]]] = [
    ("a missing step", Shuffles((16, 8, 4, 1)), ["group"]),
    ("a step twice", Shuffles((16, 8, 4, 4, 2, 1)), ["group"]),
    ("3 for 2", Shuffles((16, 8, 4, 3, 3)), ["group"]),
    ("an offset of 0", Shuffles((16, 8, 4, 2, 0)), ["group"]),
    ("one step too far", Shuffles((8, 4, 2, 1), group=8), ["group"]),
    ("one step too few", Shuffles((2, 1), group=8), ["group"]),
    ("a group of 24", Shuffles((16, 8, 4, 2, 1), group=24), ["group"]),
    ("a segment of 16", Shuffles((16, 8, 4, 2, 1), segment=16), ["group"]),
    ("24 lanes take part", Shuffles((16, 8, 4, 2, 1), lanes=24), ["active", "group"]),
    ("31 lanes take part", Shuffles((16, 8, 4, 2, 1), lanes=31), ["active", "group"]),
    ("down, a missing step", Shuffles((16, 8, 2, 1), mode="down"), ["group"]),
    ("down within 8, a segment of 32", Shuffles((4, 2), group=8, mode="down"), ["group"]),
]

RIGHT = [
    Shuffles(butterfly(32)),
    Shuffles((1, 2, 4, 8, 16)),
    Shuffles((3, 2, 4, 8, 16)),
    Shuffles((4, 2, 1), group=8),
    Shuffles((4, 2, 1), group=8, segment=8),
    Shuffles((), group=1),
    Shuffles((8, 4, 2, 1), group=16, lanes=16),
    Shuffles((16, 8, 4, 2, 1), mode="down"),
    Shuffles((4, 2, 1), group=8, segment=8, mode="down"),
    Shuffles((4, 2, 1), group=8, mode="down"),
]


def confirm(shuffles: Shuffles, found: Any) -> None:
    told = verdicts(found)
    values = carried_out(shuffles.offsets, shuffles.mode, shuffles.segment)
    held = combine(shuffles)
    assert all(digit(values[lane], other) == held[lane][other] for lane in range(32) for other in range(32))
    step = 1 if shuffles.mode == "bfly" else shuffles.group
    holds = True
    for lane in range(0, shuffles.lanes, step):
        group = [other for other in range(shuffles.lanes) if other // shuffles.group == lane // shuffles.group]
        holds &= values[lane] == sum(BASE**other for other in group)
    assert told["group"] == ("proved" if holds else "refuted")
    if not holds:
        w = witness(found, "group")
        assert digit(values[w["lane"]], w["of"]) == w["got"] != w["expected"]
    if told["active"] == "refuted":
        w = witness(found, "active")
        assert (
            w["lane"]
            < shuffles.lanes
            <= w["read"]
            == (w["lane"] ^ w["offset"] if shuffles.mode == "bfly" else w["lane"] + w["offset"])
        )


@pytest.mark.parametrize(("name", "shuffles", "broken"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_a_fault_is_refuted(name: str, shuffles: Shuffles, broken: list[str]) -> None:
    found = decide_shuffles(shuffles)
    assert refuted(found) == broken
    confirm(shuffles, found)


@pytest.mark.parametrize("shuffles", RIGHT)
def test_the_right_one_beside_it(shuffles: Shuffles) -> None:
    found = decide_shuffles(shuffles)
    assert refuted(found) == []
    confirm(shuffles, found)


def test_a_butterfly_combines_exactly_when_its_offsets_are_a_basis() -> None:
    """Three offsets below 8 serve 8 lanes exactly when no XOR of some of them is 0."""
    for offsets in combinations_with_replacement(range(8), 3):
        a, b, c = offsets
        basis = 0 not in (a, b, c, a ^ b, a ^ c, b ^ c, a ^ b ^ c)
        assert (refuted(decide_shuffles(Shuffles(offsets, group=8))) == []) == basis


@given(
    st.lists(st.integers(0, 31), max_size=6),
    st.sampled_from((1, 2, 4, 8, 16, 24, 32)),
    st.sampled_from(("bfly", "down")),
    st.sampled_from((4, 8, 16, 32)),
    st.sampled_from((16, 24, 32)),
)
def test_any_shuffles_are_decided_as_numbers_do(
    offsets: list[int], group: int, mode: str, segment: int, lanes: int
) -> None:
    shuffles = Shuffles(tuple(offsets), group, mode, segment, lanes)
    confirm(shuffles, decide_shuffles(shuffles))


EIGHT = block_reduction(8)
BLOCK_FAULTS: list[tuple[str, BlockReduction, list[str]]] = [
    ("a slot too few", replace(EIGHT, slots=7), ["slots", "reads", "block"]),
    ("two warps share a slot", replace(EIGHT, slot_modulus=4), ["slots", "reads", "block"]),
    ("no barrier", replace(EIGHT, barrier=False), ["sync"]),
    ("the guard lets one lane too many read", replace(EIGHT, guard=9), ["reads"]),
    ("the guard drops a warp", replace(EIGHT, guard=7), ["block"]),
    ("the last step is over 4 lanes", replace(EIGHT, last=Shuffles((2, 1), 4)), ["block"]),
    ("the last step repeats", replace(EIGHT, last=Shuffles((4, 4, 2, 1), 8)), ["block"]),
    ("a warp that is not combined", replace(EIGHT, shuffles=Shuffles((16, 8, 4, 2))), ["group"]),
    ("8 lanes shuffle over 32", replace(EIGHT, last=Shuffles(butterfly(32), 8, lanes=8)), ["last_active"]),
    ("three warps by one shuffle", replace(block_reduction(3), last=Shuffles((1,), 2)), ["block"]),
]


def total(block: BlockReduction) -> int:
    """Lane 0 of the last warp, with numbers: warp w starts with BASE^w in every slot that it writes."""
    shared = {}
    for warp in range(block.warps):
        if block.slot(warp) < block.slots:
            shared[block.slot(warp)] = BASE**warp
    values = [shared.get(lane, 0) if lane < block.guard else 0 for lane in range(32)]
    for offset in block.last.offsets:
        values = [values[lane] + values[lane ^ offset] for lane in range(32)]
    return values[0]


@pytest.mark.parametrize(("name", "block", "broken"), BLOCK_FAULTS, ids=[name for name, *_ in BLOCK_FAULTS])
def test_a_faulty_block_is_refuted(name: str, block: BlockReduction, broken: list[str]) -> None:
    found = decide_reduction(block)
    assert refuted(found) == broken
    if "block" in broken:
        w = witness(found, "block")
        assert digit(total(block), w["of"]) == w["got"] != 1
    else:
        assert total(block) == sum(BASE**warp for warp in range(block.warps))
    if "slots" in broken:
        w = witness(found, "slots")
        assert block.slot(w["warp"]) == w["slot"] and (w["slot"] >= block.slots or block.slot(w["other"]) == w["slot"])
    if "last_active" in broken:
        w = witness(found, "last_active")
        assert w["lane"] < 8 <= w["lane"] ^ w["offset"] == w["read"]
    if "reads" in broken:
        lane = witness(found, "reads")["lane"]
        written = {block.slot(warp) for warp in range(block.warps) if block.slot(warp) < block.slots}
        assert lane < block.guard and lane not in written


@pytest.mark.parametrize("warps", range(1, 33))
def test_a_block_of_any_size(warps: int) -> None:
    block = block_reduction(warps)
    assert refuted(decide_reduction(block)) == [] and total(block) == sum(BASE**w for w in range(warps))


@pytest.mark.parametrize(
    "call",
    [
        lambda: Shuffles((1,), mode="idx"),
        lambda: Shuffles((32,)),
        lambda: Shuffles((1,), group=33),
        lambda: Shuffles((1,), segment=12),
        lambda: replace(EIGHT, warps=33),
        lambda: replace(EIGHT, guard=33),
    ],
)
def test_what_is_refused(call: Any) -> None:
    with pytest.raises(InputError):
        call()
