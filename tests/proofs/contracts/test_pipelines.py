"""Pipelines: rings that hold run well in random orders; planted faults are refuted, and go wrong when they are run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile.proofs.contracts import pipelines
from veritile.proofs.contracts.machine import Machine, Step, arrive, copy, expect, init, read, search, wait
from veritile.proofs.contracts.obligation import verdict_of
from veritile.proofs.contracts.pipelines import (
    Consumer,
    Groups,
    Producer,
    Ring,
    decide_graph,
    decide_groups,
    decide_ring,
)
from veritile.proofs.discharge import decide_theorems
from veritile.proofs.verdict import Verdict

from . import ring_runs
from .evaluation import refuted, verdicts, witness

GROUPS = (
    Consumer("group 0", 4, reads="wgmma", pending=1, lag=1),
    Consumer("group 1", 4, reads="wgmma", pending=1, lag=1),
)
GEMM = Ring(2, (Producer(),), GROUPS, full_count=1, empty_count=8, expected=48, landing=(16, 32))
SHARED = Ring(2, (Producer(),), (Consumer("c", 4, partners=2),), full_count=1, empty_count=8, expected=8, landing=(8,))
GOOD = {
    "gemm": GEMM,
    "deep": replace(GEMM, stages=7),
    "one stage": Ring(1),
    "several producers": Ring(3, (Producer("a", 2), Producer("b", 3)), (Consumer("x"), Consumer("y", 2)), 5, 3),
    "multicast": SHARED,
    "lag of S - 1": replace(GEMM, consumers=tuple(replace(c, lag=1, pending=0) for c in GROUPS)),
}

BAD = {
    "full counts one more": (replace(GEMM, full_count=2), "full-count", "deadlock"),
    "full counts expect_tx twice": (replace(GEMM, producers=(Producer(arrivals=2),)), "full-count", "unwritten"),
    "empty counts threads": (replace(GEMM, empty_count=256), "empty-count", "deadlock"),
    "empty counts one group": (replace(GEMM, empty_count=4), "empty-count", None),
    "empty forgets the partners": (replace(SHARED, empty_count=4), "empty-count", None),
    "fewer bytes": (replace(GEMM, expected=16), "bytes", "unwritten"),
    "more bytes": (replace(GEMM, expected=64), "bytes", "deadlock"),
    "producer begins with parity 0": (replace(GEMM, producers=(Producer(parity=0),)), "parity", "deadlock"),
    "consumer begins with parity 1": (
        replace(GEMM, consumers=(replace(GROUPS[0], parity=1), GROUPS[1])), "parity", "unwritten"
    ),
    "released before wait_group": (
        replace(GEMM, consumers=(replace(GROUPS[0], lag=0), GROUPS[1])), "release", "overwritten"
    ),
    "holds every stage": (replace(GEMM, consumers=tuple(replace(c, lag=2) for c in GROUPS)), "lag", "deadlock"),
    "one iteration more": (
        replace(GEMM, producers=(Producer(iterations=5),), consumers=tuple(replace(c, iterations=4) for c in GROUPS)),
        "iterations",
        "deadlock",
    ),
    "no tail": (replace(SHARED, tail=False), "tail", "exited"),
    "lanes that do not arrive": (
        replace(GEMM, consumers=(replace(GROUPS[0], reads="ld", lanes=31, synced=False), GROUPS[1])),
        "lanes",
        "overwritten",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_a_ring_that_holds(name: str) -> None:
    found = decide_ring(GOOD[name])
    assert set(verdicts(found).values()) == {"proved"}
    assert "every S, n and skew" in found[-1].evidence[0]
    for seed in range(60):
        assert ring_runs.run(GOOD[name], 1 + seed % 9, seed) is None
    small = replace(GOOD[name], stages=min(GOOD[name].stages, 2))
    seen = search(pipelines.machine_of(small, 3))
    assert seen.fault is None and seen.whole


@pytest.mark.parametrize("name", BAD)
def test_a_planted_fault(name: str) -> None:
    ring, rule, fault = BAD[name]
    found = decide_ring(ring)
    assert rule in refuted(found) and found[-1].name == "pipelines.ring"
    values = witness(found, "ring")
    assert fault in (None, values["fault"]) and values["steps"] is not None
    if name in ("no tail", "lanes that do not arrive"):
        return  # what ends outside the ring, and lanes: told by the machine alone
    went = [ring_runs.run(ring, 2 * ring.stages + 1, seed) for seed in range(400)]
    assert any(went), "plain runs do not go wrong"


def test_the_shortest_run_is_shown_step_by_step() -> None:
    found = decide_ring(replace(GEMM, expected=16))
    steps = witness(found, "ring")["steps"]
    assert steps == [
        "producer: waits on empty[0] for parity 1",
        "producer: arrives on full[0] and expects 16 bytes",
        "producer: copies version 0 into stage[0], 16 bytes on full[0]",
        "bulk copy: version 0 of stage[0] lands, 16 bytes on full[0]",
        "group 0: waits on full[0] for parity 0",
        "group 0: begins to read version 0 of stage[0] (wgmma)",
    ]


@given(
    st.integers(1, 3), st.integers(0, 3), st.integers(0, 2), st.integers(1, 2), st.integers(-1, 1), st.integers(-1, 1),
    st.integers(0, 1), st.booleans(),
)  # fmt: skip
def test_what_is_decided_happens(
    stages: int, lag: int, pending: int, arrivals: int, more: int, bytes_off: int, parity: int, wgmma: bool
) -> None:
    """Proved rings have no fault in any order of a small instance; what goes wrong in one is refuted."""
    c = Consumer(
        "c", arrivals, reads="wgmma" if wgmma else "ld", pending=pending if wgmma else 0, lag=lag, parity=parity
    )
    ring = Ring(stages, (Producer(),), (c,), 1, max(1, arrivals + more), expected=8 + bytes_off, landing=(8,))
    found = decide_ring(ring)
    seen = [search(pipelines.machine_of(ring, n)) for n in (1, stages + 1, 2 * stages + 2)]
    if verdict_of(found) is Verdict.PROVED:
        assert all(s.fault is None and s.whole for s in seen)
    if any(s.fault for s in seen):
        assert found[-1].verdict is Verdict.REFUTED


@pytest.mark.slow
def test_the_theorems_are_proved_by_two_solvers() -> None:
    results = decide_theorems([*pipelines.RING_THEOREMS, *pipelines.GROUP_THEOREMS])
    assert {r.verdict for r in results.values()} == {Verdict.PROVED}


GROUP_RINGS = {
    "four stages": Groups(4, 3, 2),
    "two stages": Groups(2, 1, 0),
    "not overlapped": Groups(1, 0, 0, ("refill", "commit", "wait", "sync", "compute", "sync")),
    "full of tiles, with a second sync": Groups(2, 2, 1, ("wait", "sync", "compute", "sync", "refill", "commit")),
    "no empty groups, none open": Groups(3, 2, 0, commit_empty=False),
}
GROUP_FAULTS = {
    "one group more left open": (Groups(4, 3, 3), "groups-wait", "unwritten"),
    "no group at the tail": (Groups(3, 2, 1, commit_empty=False), "groups-wait", "unwritten"),
    "as many ahead as stages": (Groups(3, 3, 1), "groups-refill", "overwritten"),
    "more ahead than stages": (Groups(2, 3, 1), "groups-refill", "overwritten"),
    "no sync": (Groups(2, 1, 0, ("wait", "compute", "refill", "commit")), "groups-body", "unwritten"),
    "sync before the wait": (
        Groups(2, 1, 0, ("sync", "wait", "compute", "refill", "commit")), "groups-body", "unwritten"
    ),
    "refilled before all have read": (
        Groups(1, 0, 0, ("refill", "commit", "wait", "sync", "compute")), "groups-refill", "overwritten"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUP_RINGS)
def test_groups_that_hold(name: str) -> None:
    ring = GROUP_RINGS[name]
    assert set(verdicts(decide_groups(ring)).values()) == {"proved"}
    for n in (1, 3):
        seen = search(pipelines.group_machine(ring, n))
        assert seen.fault is None and seen.whole


@pytest.mark.parametrize("name", GROUP_FAULTS)
def test_groups_with_a_planted_fault(name: str) -> None:
    ring, rule, fault = GROUP_FAULTS[name]
    found = decide_groups(ring)
    assert rule in refuted(found)
    assert witness(found, "groups")["fault"] == fault


def test_groups_without_a_commit_are_refused() -> None:
    found = decide_groups(Groups(2, 1, 0, ("wait", "sync", "compute", "refill")))
    assert witness(found, "groups-body")["missing"] == "commit"


def pair(*leader: Step, **more: tuple[Step, ...]) -> Machine:
    """A leader of CTA 0 that reads what is loaded in both CTAs."""
    agents = {
        "load 0": (expect("B0", 64), copy("mine", 0, "B0", 64)),
        "load 1": (expect("B1", 64), copy("peer's", 0, "B1", 64)),
        "leader": leader,
        **{name.replace("_", " "): steps for name, steps in more.items()},
    }
    readers = {"mine": ("leader",), "peer's": ("leader",)}
    cta = {"load 1": 1, "relay": 1, "B1": 1}
    return Machine(agents, {"B0": 1, "B1": 1, "both": 1}, {"mine": 1, "peer's": 1}, readers, cta=cta)


def test_graphs_of_barriers() -> None:
    reads = (read("mine", 0), read("peer's", 0))
    relayed = pair(wait("B0", 0), wait("both", 0), *reads, relay=(wait("B1", 0), arrive("both", scope="cluster")))
    assert set(verdicts(decide_graph(relayed)).values()) == {"proved"}
    faults = {
        "unwritten": pair(wait("B0", 0), *reads),
        "scope": pair(wait("B0", 0), wait("both", 0), *reads, relay=(wait("B1", 0), arrive("both"))),
        "deadlock": pair(wait("B0", 0), wait("both", 0), *reads),
        "arrivals": pair(wait("B0", 0), wait("both", 0), *reads, relay=(arrive("both", 2, "cluster"),)),
        "not-initialised": Machine({"a": (init("x"),), "b": (wait("x", 0),), "c": (arrive("x"),)}, {"x": 1}),
    }
    for kind, machine in faults.items():
        found = decide_graph(machine)
        assert witness(found, "graph")["fault"] == kind, kind
    assert refuted(decide_graph(faults["deadlock"])) == ["arrivals", "graph"]


def test_a_search_that_is_not_whole_proves_nothing() -> None:
    seen = search(pipelines.machine_of(GEMM, 5), limit=50)
    assert not seen.whole and seen.fault is None
