"""TMEM: valid cases beside their off-by-one twins; overlaps confirmed cell by cell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile.proofs.contracts.tmem import Access, Allocation, Region, Step, decide_tmem, rounded

from .evaluation import refuted, verdicts, witness

ALL = Allocation("all", 512, (0, 9))
LIFE = [Step("alloc", "all", 512), Step("use", "all"), Step("relinquish"), Step("dealloc", "all", 512), Step("exit")]


@pytest.mark.parametrize("columns", [32, 64, 128, 256, 512])
def test_powers_of_two(columns: int) -> None:
    assert refuted(decide_tmem("sm_100a", [Allocation("a", columns)])) == []
    for wrong in (columns - 1, columns + 1):
        found = decide_tmem("sm_100a", [Allocation("a", wrong)])
        assert "columns" in refuted(found)
    assert rounded(columns) == columns and rounded(columns + 1) == min(2 * columns, rounded(columns + 1))


def test_small_and_large_allocations() -> None:
    for columns in (16, 1024):
        assert "columns" in refuted(decide_tmem("sm_103a", [Allocation("a", columns)]))


def test_capacity_at_any_time() -> None:
    one, two = Allocation("one", 256, (0, 4)), Allocation("two", 256, (2, 6))
    assert refuted(decide_tmem("sm_100a", [one, two])) == []
    third = Allocation("three", 32, (4, 5))
    values = witness(decide_tmem("sm_100a", [one, two, third]), "capacity")
    assert sum(values["columns"].values()) == values["got"] == 544 > values["limit"] and values["at"] == 4
    assert refuted(decide_tmem("sm_100a", [one, two, replace(third, live=(5, 6))])) == []


def test_architectures_without_tensor_memory() -> None:
    assert refuted(decide_tmem("sm_90a", [ALL])) == ["arch"]


PLACE = (st.integers(0, 63), st.integers(1, 64), st.integers(0, 3), st.integers(1, 4))


@given(st.lists(st.tuples(*PLACE, st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=3))
def test_regions_against_cells(drawn: list[tuple[int, ...]]) -> None:
    regions = [
        Region(f"r{i}", "all", c, n, (32 * lane, min(128, 32 * (lane + lanes))), (start, start + length))
        for i, (c, n, lane, lanes, start, length) in enumerate(drawn)
    ]
    taken: dict[tuple[int, int, int], str] = {}
    clash = False
    for r in regions:
        for at in range(r.live[0], r.live[1] + 1):
            for lane in range(r.lanes[0], r.lanes[1], 32):
                for column in range(r.column, r.column + r.columns):
                    clash |= taken.setdefault((at, lane, column), r.name) != r.name
    found = decide_tmem("sm_100a", [ALL], regions)
    assert ("disjoint" in refuted(found)) is clash
    if clash:
        values = witness(found, "disjoint")
        for name in (values["first"], values["second"]):
            r = next(r for r in regions if r.name == name)
            assert r.live[0] <= values["at"] <= r.live[1] and r.lanes[0] <= values["lane"] < r.lanes[1]
            assert r.column <= values["column"] < r.column + r.columns


def test_regions_stay_inside() -> None:
    small = Allocation("a", 64, (0, 9))
    assert refuted(decide_tmem("sm_100a", [small], [Region("r", "a", 32, 32)])) == []
    for bad in (
        Region("r", "a", 33, 32),
        Region("r", "a", 0, 65),
        Region("r", "b", 0, 32),
        Region("r", "a", 0, 32, (0, 129)),
        Region("r", "a", 0, 32, live=(0, 10)),
    ):
        assert "inside" in refuted(decide_tmem("sm_100a", [small], [bad])), bad


@pytest.mark.parametrize("warp", range(9))
def test_lanes_of_a_warp(warp: int) -> None:
    low = 32 * (warp % 4)
    assert refuted(decide_tmem("sm_100a", [ALL], accesses=[Access(warp, low), Access(warp, low + 16, 16)])) == []
    for lane, count in ((low - 1, 32), (low + 1, 32), (low + 32, 1)):
        values = witness(decide_tmem("sm_100a", [ALL], accesses=[Access(warp, lane, count)]), "lanes")
        assert lane <= values["lane"] < lane + count and not low <= values["lane"] < low + 32


def test_a_life_that_holds() -> None:
    assert set(verdicts(decide_tmem("sm_100a", [ALL], steps=LIFE)).values()) == {"proved"}


FAULTS = {
    "never freed": ("freed", [LIFE[0], LIFE[1], LIFE[4]]),
    "freed twice": ("freed", [*LIFE[:4], LIFE[3], LIFE[4]]),
    "freed by other columns": ("freed", [LIFE[0], Step("dealloc", "all", 256), LIFE[4]]),
    "the events end first": ("freed", LIFE[:3]),
    "used before it is allocated": ("order", [LIFE[1], *LIFE[:1], *LIFE[3:]]),
    "used after it is freed": ("order", [*LIFE[:4], LIFE[1], LIFE[4]]),
    "allocated after relinquish": ("relinquish", [LIFE[2], LIFE[0], *LIFE[3:]]),
    "two forms": ("cta-group", [LIFE[0], Step("use", "all", cta_group=2), *LIFE[2:]]),
    "freed in the other form": ("cta-group", [*LIFE[:3], Step("dealloc", "all", 512, 2), LIFE[4]]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault(name: str) -> None:
    rule, steps = FAULTS[name]
    found = decide_tmem("sm_100a", [ALL], steps=steps)
    assert refuted(found) == [rule]
    at = witness(found, rule)["at"]
    assert refuted(decide_tmem("sm_100a", [ALL], steps=steps[:at])) in ([], ["freed"]), "an earlier event is to blame"
