"""Public reports on TMA, barriers and tensor memory, each a test of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veritile import Layout, layout
from veritile.proofs.contracts.fences import Event, decide_fences
from veritile.proofs.contracts.machine import Machine, arrive, copy, expect, init, read, wait
from veritile.proofs.contracts.pipelines import Consumer, Producer, Ring, decide_graph, decide_ring
from veritile.proofs.contracts.tma import Box, Landing, decide_expect, decide_tma, encode
from veritile.proofs.contracts.tmem import Allocation, Region, decide_tmem, rounded

from .evaluation import refuted, witness

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[2] / "cases" / "public_cases.json").read_text(encoding="utf-8"))
}
CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {}


def case(name: str) -> Callable[[Callable[[dict[str, Any]], None]], Callable[[dict[str, Any]], None]]:
    def register(check: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
        CHECKS[name] = check
        return check

    return register


@case("tma-2364")
def init_dominates(c: dict[str, Any]) -> None:
    """expect_tx on a barrier that is not initialised; with init(1), its fence and a barrier it is right."""
    use = Event("thread", "tma-load", ("s",), barrier="full")
    values = witness(decide_fences([use]), "init")
    assert values["missing"] == "init of full" and values["first"] == "the beginning"
    made = [Event("thread", "init", barrier="full"), Event("thread", "fence-init"), use]
    assert refuted(decide_fences(made)) == []
    assert "init" in refuted(decide_fences([use, *made[:2]]))
    steps = (expect("full", 64), copy("s", 0, "full", 64))
    for agents, fault in (
        ({"other": (init("full"),), "thread": steps}, "not-initialised"),
        ({"thread": (init("full"), *steps)}, None),
    ):
        found = decide_graph(Machine(agents, {"full": 1}, {"s": 1}))
        assert (witness(found, "graph")["fault"] if refuted(found) else None) == fault


@case("tma-2404")
def arrivals_of_consumers(c: dict[str, Any]) -> None:
    """A stage of 64×128 bf16 expects 16384 bytes; empty counts the arrivals that consumers make: warps, not threads."""
    box = Box("A", 16, (4096, 4096), (8192,), (64, 128), 128, shared_align=1024)
    assert box.bytes == 64 * 128 * 2 == 16384 and "16384" in c["right"]
    for warps in (1, 4):
        good = Ring(3, (Producer(),), (Consumer("c", warps),), 1, warps, expected=16384, landing=(box.bytes,))
        assert refuted(decide_ring(good)) == []
        threads = Ring(3, (Producer(),), (Consumer("c", warps),), 1, 32 * warps, expected=16384, landing=(box.bytes,))
        found = decide_ring(threads)
        assert refuted(found) == ["empty-count", "ring"] and witness(found, "ring")["fault"] == "deadlock"
        assert witness(found, "empty-count") == {"expected": warps, "got": 32 * warps}


@case("tma-2701")
def bytes_of_a_tile(c: dict[str, Any]) -> None:
    """64×64 f32: 16384 bytes, one arrival; 256 bytes inside need no swizzle, and fit no span."""
    box, order = encode(layout(c["inputs"]["smem"]), (64, 64), 32)
    assert box.bytes == 16384 and order == [1, 0] and refuted(decide_tma(box)) == []
    assert decide_expect(16384, [Landing("tile", box.bytes)]).witness is None
    ring = Ring(2, (Producer(),), (Consumer(),), 1, 1, expected=16384, landing=(box.bytes,))
    assert refuted(decide_ring(ring)) == []
    twice = Ring(2, (Producer(),), (Consumer(),), 2, 1, expected=16384, landing=(box.bytes,))
    assert witness(decide_ring(twice), "full-count") == {"expected": 1, "got": 2}
    swizzled, _ = encode(layout(c["inputs"]["smem"]), (64, 64), 32, swizzle=128, shared_align=1024)
    assert witness(decide_tma(swizzled), "span") == {"bytes": 256, "span": 128}


@case("tma-3121")
def a_mode_of_stride_0(c: dict[str, Any]) -> None:
    """Encoded as extent 1, stride 0; as it stands it is refuted."""
    box, _ = encode(Layout((128, 16), (1, 0)), (128, 1), 8)
    assert (box.extents[1], box.strides) == (1, (0,)) and "extent 1, stride 0" in c["right"]
    assert refuted(decide_tma(box)) == []
    assert refuted(decide_tma(Box("SF", 8, (128, 16), (0,), (128, 1)))) == ["broadcast"]


@case("tma-3314")
def bytes_of_a_pair(c: dict[str, Any]) -> None:
    """2-SM MMA 256×256×64 f16: A and B are (128,64) in each CTA, 32768 bytes, 65536 for the pair."""
    copies = [Landing("A", 128 * 64 * 2, ctas=2), Landing("B", 128 * 64 * 2, ctas=2)]
    assert decide_expect(65536, copies).witness is None
    assert witness([decide_expect(98304, copies)], "expect") == {
        "expected": 65536,
        "got": 98304,
        "copies": {"A": 32768, "B": 32768},
    }
    assert "pair" in decide_expect(32768, copies).reason


@case("tma-3643")
def the_peer_is_observed(c: dict[str, Any]) -> None:
    """The leader of two CTAs waits for its own barrier alone: the peer's scale factors are read unwritten."""
    reads = (read("SFB 0", 0), read("SFB 1", 0))
    loads = {f"load {i}": (expect(f"sfb {i}", 64), copy(f"SFB {i}", 0, f"sfb {i}", 64)) for i in (0, 1)}

    def graph(leader: Any, **more: Any) -> Machine:
        readers = dict.fromkeys(("SFB 0", "SFB 1"), ("leader",))
        barriers, cta = {"sfb 0": 1, "sfb 1": 1, "peer": 1}, {"load 1": 1, "relay": 1, "sfb 1": 1}
        return Machine({**loads, "leader": leader, **more}, barriers, {"SFB 0": 1, "SFB 1": 1}, readers, cta=cta)

    found = decide_graph(graph((wait("sfb 0", 0), *reads)))
    assert witness(found, "graph")["fault"] == "unwritten"
    leader = (wait("sfb 0", 0), wait("peer", 0), *reads)
    assert refuted(decide_graph(graph(leader, relay=(wait("sfb 1", 0), arrive("peer", scope="cluster"))))) == []
    narrow = decide_graph(graph(leader, relay=(wait("sfb 1", 0), arrive("peer"))))
    assert witness(narrow, "graph")["fault"] == "scope"


@case("tma-cudnn426")
def lanes_that_do_not_arrive(c: dict[str, Any]) -> None:
    """32 lanes and one arrival: 31 are not released; a count of 32, or a warp sync before the arrival, is right."""
    others = c["inputs"]["stores"] - c["inputs"]["arrivals"]
    loose = Ring(2, (Producer(),), (Consumer("warp", 1, lanes=others, synced=False),), 1, 1)
    found = decide_ring(loose)
    assert witness(found, "lanes") == {"agent": "warp", "lanes": 31}
    assert witness(found, "ring")["fault"] == "overwritten"
    for right in (
        Ring(2, (Producer(),), (Consumer("warp", 32),), 1, 32),
        Ring(2, (Producer(),), (Consumer("warp", 1, lanes=others, synced=True),), 1, 1),
    ):
        assert refuted(decide_ring(right)) == []


@case("tmem-2995")
def columns_of_accumulators(c: dict[str, Any]) -> None:
    """2·256 columns leave none for scale factors: beside them they do not fit, in them one must be dead."""
    total = c["inputs"]["total"]
    accumulators = [Region("acc 0", "all", 0, 256, live=(1, 4)), Region("acc 1", "all", 256, 256, live=(3, 8))]
    whole = Allocation("all", total, (0, 9))
    found = decide_tmem("sm_100a", [whole], accumulators)
    assert refuted(found) == [] and next(o for o in found if o.name == "tmem.capacity").details["left"] == 0
    more = Allocation("SFA and SFB", rounded(32), (0, 9))
    assert witness(decide_tmem("sm_100a", [whole, more]), "capacity")["got"] == 544
    scales = Region("SFA", "all", 496, 16, live=(1, 8))
    assert witness(decide_tmem("sm_100a", [whole], [*accumulators, scales]), "disjoint")["column"] == 496
    apart = Region("SFA", "all", 496, 16, live=(1, 2))
    assert refuted(decide_tmem("sm_100a", [whole], [*accumulators, apart])) == []


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_case(name: str) -> None:
    CHECKS[name](CASES[name])
