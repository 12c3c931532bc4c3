"""Public reports about what a kernel owes, each a test of its own: the right answer, and what was reported refuted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from veritile import Layout, cosize, crd2idx, layout, parse, parse_shape, recast_layout, size
from veritile.proofs.contracts.copy_gemm import decide_copy
from veritile.proofs.contracts.offsets import decide_offsets, held_as
from veritile.proofs.contracts.ownership import decide_ownership
from veritile.proofs.contracts.predicates import (
    Guard,
    decide_active,
    decide_predicate_shape,
    decide_predicates,
    tiles_of,
)
from veritile.proofs.contracts.vector import Copy, decide_atom, decide_vector, widest_vector

from ...model.test_public_cases import CONTRACTS
from .evaluation import is_vectorised, owners, refuted, verdicts, witness

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[2] / "cases" / "public_cases.json").read_text(encoding="utf-8"))
}
CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {}


def case(*names: str) -> Callable[[Callable[[dict[str, Any]], None]], Callable[[dict[str, Any]], None]]:
    def register(check: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
        for name in names:
            assert name not in CHECKS
            CHECKS[name] = check
        return check

    return register


def test_every_case_that_is_left_to_the_contracts_is_here() -> None:
    assert set(CASES) >= set(CHECKS) >= {name for name in CONTRACTS if name.startswith(("tv-", "vec-"))}


# Ownership


@case("tv-2483", "tv-3254", "tv-3254n16")
def owns_once(c: dict[str, Any]) -> None:
    tile = parse_shape(c["inputs"].get("tiler", c["inputs"].get("tile")))
    assert refuted(decide_ownership(layout(c["inputs"]["tv"]), tile)) == []


@case("tv-2483bad")
def overlaps_and_misses(c: dict[str, Any]) -> None:
    tv = layout(c["inputs"]["tv"])
    found = decide_ownership(tv, parse_shape(c["inputs"]["tiler"]))
    assert refuted(found) == ["once", "all"]
    counts = owners(tv, 32, 256)
    assert found[2].details == {"shared": 64, "extra": 64} and counts[witness(found, "once")["offset"]] == 2
    assert found[3].details["missed"] == 64 and witness(found, "all") == {"offset": 192} and counts[192] == 0


@case("tv-2048")
def a_comma_too_many(c: dict[str, Any]) -> None:
    """16 threads where 128 were meant: 112 are left without work, or run past the end of the layout."""
    meant, got = size(layout(c["inputs"]["meant"])), size(layout(c["inputs"]["got"]))
    right = Layout((meant, 4), (4, 1))
    assert refuted(decide_ownership(right, (meant * 4,), meant)) == []
    found = decide_ownership(right, (meant * 4,), got)
    assert refuted(found) == ["threads", "all"] and found[3].details["missed"] == (meant - got) * 4
    found = decide_ownership(Layout((got, 4), (4, 1)), (got * 4,), meant)
    assert refuted(found) == ["threads", "within"] and found[0].details["off"] == [16, 128]


@case("tv-helion")
def threads_past_the_tile(c: dict[str, Any]) -> None:
    """512 threads, each with 64 elements of a tile that has 32 for each: the last reach 32767."""
    found = decide_ownership(Layout((512, 64), (64, 1)), (128, 128))
    assert refuted(found) == ["within"]
    assert found[1].details == {"outside": 16384, "off": list(range(256, 512))}
    assert Layout((512, 64), (64, 1))((511, 63)) == 32767 and witness(found, "within")["offset"] == 16384
    assert refuted(decide_ownership(Layout((512, 32), (32, 1)), (128, 128))) == []


@case("misc-tl2632")
def two_write_one_slot(c: dict[str, Any]) -> None:
    half = layout("(2,4):(0,1)")
    found = decide_copy(Layout((2, 4)), half)
    assert refuted(found) == ["writes"] and {witness(found, "writes")[k] for k in ("index", "other_index")} == {0, 1}
    assert refuted(decide_copy(half, half)) == []


# Predicates


@case("tv-1873")
def two_of_256_threads(c: dict[str, Any]) -> None:
    tv = Layout((256, 8), (8, 1))
    found = decide_active(tv, c["inputs"]["n"], 8)
    assert found.details == {"active": 2, "off": 254, "predicates": 1} and found.witness is None
    assert [t for t in range(256) if tv((t, 0)) < 16] == [0, 1]
    beside = decide_active(tv, 17, 8)
    assert (
        beside.witness is not None and tv(beside.witness.values["coordinate"]) == beside.witness.values["offset"] == 17
    )


@case("tv-2492")
def a_predicate_too_many(c: dict[str, Any]) -> None:
    given, needed = parse_shape("(1,(2,1))"), parse_shape("(1,(1))")
    assert c["inputs"]["pred"].startswith("(1,(2,1))") and c["inputs"]["needed"] == "(1,(1))"
    found = decide_predicate_shape(given, needed)
    assert found.witness is not None and found.witness.values["mode"] == 1
    assert found.witness.values["sizes"] == (1, 2)
    assert decide_predicate_shape(needed, needed).witness is None


@case("vec-1561")
def the_last_tile(c: dict[str, Any]) -> None:
    n, tile = c["inputs"]["n"], c["inputs"]["tile"]
    assert tiles_of(Guard((n,), (tile,))) == {"tiles": [2], "inside": [36], "outside": [28]}
    assert Guard((n,), (tile,)).padded() == (128,)
    assert refuted(decide_predicates(Guard((n,), (tile,), vector=4))) == []
    found = decide_predicates(Guard((n,), (tile,), vector=8))
    assert refuted(found) == ["inside"] and witness(found, "inside")["coordinate"] == (100,)
    assert refuted(decide_predicates(Guard((n,), (tile,), vector=8, test="last", tail=(96, 100)))) == []
    unguarded = decide_predicates(Guard((n,), (tile,), limits=(None,)))
    assert refuted(unguarded) == ["inside"] and witness(unguarded, "inside")["coordinate"] == (100,)


# Vectors


@case("vec-1499")
def six_elements_in_twos(c: dict[str, Any]) -> None:
    source, destination = layout(c["inputs"]["src"]), layout(c["inputs"]["dst"])
    copy = Copy(source, destination, 32, (16, 16))
    best, held, after = widest_vector(copy)
    assert best == 2 and held[-1].details["bits"] == 64 and refuted(after) == ["contiguous", "owned"]
    assert is_vectorised(source, destination, 2) and not is_vectorised(source, destination, 4)


@case("vec-2319")
def one_value_a_thread(c: dict[str, Any]) -> None:
    one = Copy(Layout(256), Layout(256), 32, (16, 16), tv=Layout((256, 1)))
    found = decide_atom(one, 128)
    assert refuted(found) == ["owned"] and witness(found, "owned")["run"] == 1
    four = replace(one, source=Layout(1024), destination=Layout(1024), tv=Layout((256, 4), (4, 1)))
    assert refuted(decide_atom(four, 128)) == []
    assert widest_vector(one)[0] == 1


@case("vec-3033")
def a_pointer_of_unknown_alignment(c: dict[str, Any]) -> None:
    source = layout("((4,1),(1,1)):((1,0),(0,0))")
    assert c["inputs"]["src"].startswith(str(source))
    unstated = Copy(source, source, 32, (4, 16))
    assert refuted(decide_atom(unstated, 128)) == ["aligned"]
    assert witness(decide_atom(unstated, 128), "aligned") == {"side": "source", "address": 4, "multiple_of": 16}
    stated = replace(unstated, align=(16, 16))
    assert refuted(decide_atom(stated, 128)) == []
    assert refuted(decide_atom(replace(stated, source_offsets=(4, 64)), 128)) == []
    assert refuted(decide_atom(replace(stated, source_offsets=(4, 66)), 128)) == ["aligned"]


@case("tv-3111")
def elements_of_four_bits(c: dict[str, Any]) -> None:
    """64 elements are 32 bytes; one element is no byte, two are, and a thread's run is counted in bits."""
    tile = Layout((8, 8))
    assert size(tile) * 4 == 32 * 8 and cosize(recast_layout(tile, 4, 8)) == 32
    copy = Copy(tile, tile, 4, (16, 16), tv=Layout((8, 8), (8, 1)))
    best, held, _ = widest_vector(copy)
    assert best == 8 and held[-1].details["bits"] == 32
    assert refuted(decide_vector(copy, 1)) == ["aligned", "supported"]
    assert refuted(decide_vector(replace(copy, tv=Layout((8, 8), (1, 8))), 2)) == ["owned"]
    assert refuted(decide_atom(copy, 8)) == []


@case("swz-1766")
def vectors_stay_together(c: dict[str, Any]) -> None:
    a = parse(f"{c['inputs']['S']} o 0 o {c['inputs']['L']}")
    copy = Copy(Layout((128, 32)), a, 16, (16, 16))
    assert refuted(decide_vector(copy, 8)) == [] and is_vectorised(copy.source, a, 8)
    assert decide_vector(copy, 8)[0].evidence == ("closed-form",)
    smaller = replace(copy, destination=parse("S<3,2,4> o 0 o (128,32):(1,128)"))
    found = decide_vector(smaller, 8)
    assert "proved" in verdicts(found).values() and {"contiguous", "leading"} & set(refuted(found))
    assert not is_vectorised(copy.source, smaller.destination, 8)
    assert refuted(decide_vector(smaller, 4)) == []


@case("s0-1772")
def size_one_modes_are_no_broadcast(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    assert refuted(decide_copy(Layout(4), a)) == []
    assert widest_vector(Copy(a, a, 32, (16, 16)))[0] == 4


# Offsets


@case("i32-2715")
def a_batch_stride(c: dict[str, Any]) -> None:
    a = Layout((2, 65536, 65536), (c["inputs"]["stride0"], 65536, 1))
    found = decide_offsets(a, 31, 16)
    assert refuted(found) == ["elements", "bytes", "products"]
    assert witness(found, "products") == {"mode": 0, "coordinate": 1, "value": 2**32, "held_as": 0}
    assert held_as(2**32, 31) == 0
    assert refuted(decide_offsets(a, 63, 16)) == []


@case("i32-3208")
def an_offset_beyond(c: dict[str, Any]) -> None:
    a = Layout(2**30 + 1, 4)
    found = decide_offsets(a, 31, 8)
    assert refuted(found) == ["elements", "bytes", "products"]
    assert a(2**30) == 4294967296 and held_as(a(2**30), 31) == 0
    assert (
        refuted(decide_offsets(Layout(2**29, 4), 31, 8)) == [] != refuted(decide_offsets(Layout(2**29 + 1, 4), 31, 8))
    )


@case("i32-3327")
def a_stride_that_is_never_used(c: dict[str, Any]) -> None:
    shape = (1, 2**21, 8, 128)
    found = decide_offsets(Layout(shape, (2147483648, 1024, 128, 1)), 31, 8)
    assert refuted(found) == [] and found[0].details["greatest"] == 2**31 - 1
    assert refuted(decide_offsets(Layout((2, *shape[1:]), (2147483648, 1024, 128, 1)), 31, 8)) != []
    assert refuted(decide_offsets(Layout(shape, (2147483648, 1024, 128, 1)), 31, 16)) == ["bytes"]


@case("i32-3604")
def a_row_beyond(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    found = decide_offsets(a, 31, 8)
    assert refuted(found) == ["elements", "bytes", "products"] and cosize(a) == 2147483652
    w = witness(found, "elements")
    assert (w["coordinate"], w["value"], w["held_as"]) == ((c["inputs"]["row"], 0), 2147483648, -2147483648)
    assert crd2idx(w["coordinate"], a.shape) == c["inputs"]["row"]
    assert refuted(decide_offsets(layout("(536870912,4):(4,1)"), 31, 8)) == []
    assert refuted(decide_offsets(layout("4:1"), 31, 8, base=a((c["inputs"]["row"], 0)))) != []


@case("i32-mslk303")
def a_row_of_heads(c: dict[str, Any]) -> None:
    n = c["inputs"]["N"]
    found = decide_offsets(Layout((n + 1, 8, 128), (8 * 128, 128, 1)), 31, 8)
    assert "products" in refuted(found)
    assert witness(found, "products") == {"mode": 0, "coordinate": n, "value": 2**31, "held_as": -(2**31)}
    assert refuted(decide_offsets(Layout((n, 8, 128), (8 * 128, 128, 1)), 31, 8)) == []


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_case(name: str) -> None:
    CHECKS[name](CASES[name])
