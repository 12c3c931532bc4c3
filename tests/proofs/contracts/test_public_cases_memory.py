"""Public reports about shared memory, swizzles and atoms, each a test of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veritile import ComposedLayout, Layout, PropertyRefuted, Swizzle, equal, is_bijective, layout, parse, slice_
from veritile.model.properties import refute_equal
from veritile.proofs.contracts.atoms import decide_atom, decide_tiles, smem_atom, tile_to_shape, wgmma_accumulator
from veritile.proofs.contracts.banks import (
    Access,
    decide_banks,
    decide_matrix_banks,
    decide_swizzle_units,
    degree_of,
    mode_in_elements,
    suggest_swizzle,
)
from veritile.proofs.contracts.obligation import verdict_of
from veritile.proofs.contracts.shared_memory import Buffer, buffer_of, decide_shared_memory, swizzle_alignment
from veritile.proofs.verdict import Verdict

from .evaluation import refuted, verdicts, witness

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


@case("bank-343f16")
def rows_of_a_matrix(c: dict[str, Any]) -> None:
    """The rows that ldmatrix reads: 8-way plain, 1-way swizzled, 2-way with the swizzle in bytes or one bit short."""
    rows = layout("(8,8):(1,8)")
    for swizzle, degree in (("S<0,3,3>", 8), ("S<3,3,3>", 1), ("S<3,4,3>", 2), ("S<2,3,3>", 2)):
        tile = parse(f"{swizzle} o 0 o {c['inputs']['L']}")
        assert f"{degree}-way" in c["right"]
        found = decide_banks(Access(rows, tile, 16, 8))
        assert found[2].details["degree"] == degree and refuted(found) == ["conflict_free"] * (degree > 1)
        addresses = [tile((r, 0)) * 2 for r in range(8)]
        assert decide_matrix_banks(addresses).details["degree"] == degree
        if degree > 1:
            a, b = witness(found, "conflict_free")["lanes"]
            assert (addresses[a] - addresses[b]) % 128 == 0 and addresses[a] != addresses[b]
    wrong = decide_swizzle_units(parse(f"S<3,4,3> o 0 o {c['inputs']['L']}"), 16)
    assert wrong.verdict is Verdict.REFUTED and wrong.details == {"mode": "S<3,3,3>"} and "in bytes" in wrong.reason
    found = suggest_swizzle([Access(rows, layout(c["inputs"]["L"]), 16, 8)], modes_only=True)
    assert found.swizzle == Swizzle(3, 3, 3)


@case("bank-leimao22")
def a_column_of_floats(c: dict[str, Any]) -> None:
    column, tile = layout("(32,1):(1,1)"), layout(c["inputs"]["L"])
    degrees = []
    for swizzle in (Swizzle(0, 0, 5), parse(c["inputs"]["S"]), Swizzle(5, 0, 6)):
        access = Access(column, ComposedLayout(swizzle, 0, tile), 32, 1)
        words = [access.layout((lane, 0)) for lane in range(32)]
        degrees.append(degree_of(access))
        assert degrees[-1] == max(len({w for w in words if w % 32 == bank}) for bank in range(32))
    assert degrees == [32, 1, 2]
    none = suggest_swizzle([Access(column, tile, 32, 1)])
    assert none.swizzle is None and none.evidence[1].startswith("smt")  # it takes five bits


@case("swz-2634")
def units(c: dict[str, Any]) -> None:
    tile = parse(f"{c['inputs']['S']} o 0 o {c['inputs']['L']}")
    found = decide_swizzle_units(tile, 32)
    assert found.reason.startswith("S<3,4,3> is the 128-byte mode in bytes") and found.witness is not None
    right = ComposedLayout(mode_in_elements(128, 32), 0, layout(c["inputs"]["L"]))
    assert (tile((0, 1)), right((0, 1)), Swizzle(3, 4, 3)(4 * 32) // 4) == (32, 36, 36)
    w = found.witness.values
    assert w["coordinate"] == (0, 1) and (w["expected"], w["got"]) == (36, 32)
    assert decide_swizzle_units(right, 32).verdict is Verdict.PROVED


@case("swz-3119")
def elements_and_bytes(c: dict[str, Any]) -> None:
    tile = parse("S<1,3,3> o 0 o (64,16):(16,1)")
    assert (tile((4, 0)), 2 * tile((4, 0))) == (72, 144)
    assert decide_swizzle_units(tile, 16).reason == "S<1,3,3> is the 32-byte mode in elements of 16 bits"
    assert Swizzle(1, 4, 3)(2 * 64) == 144


@case("swz-fly634")
def one_mode_in_every_element(c: dict[str, Any]) -> None:
    for bits, text in ((8, "S<3,4,3>"), (16, "S<3,3,3>"), (32, "S<3,2,3>")):
        assert str(mode_in_elements(128, bits)) == text
        assert swizzle_alignment(parse(f"{text} o 0 o (8,{1024 // bits}):({1024 // bits},1)"), bits) == 1024


@case("swz-1497")
def one_element_short(c: dict[str, Any]) -> None:
    tile = parse("S<1,0,3> o 0 o 9:1")
    found = decide_shared_memory([Buffer("A", 9, layout=tile)], 90)
    assert refuted(found[-1:]) == ["extent"] and witness(found, "extent") == {"coordinate": 8, "offset": 9}
    assert tile(8) == 9 and buffer_of("A", tile, 8).size == 10
    assert verdict_of(decide_shared_memory([Buffer("A", 10, layout=tile)], 90)) is Verdict.PROVED


@case("swz-1766")
def whole_vectors(c: dict[str, Any]) -> None:
    tile = parse("S<3,3,4> o 0 o (128,32):(1,128)")
    along = layout("(512,8):(8,1)")
    assert verdicts(decide_banks(Access(along, tile, 16, 8)))["vector"] == "proved" and is_bijective(tile)
    broken = parse("S<3,2,4> o 0 o (128,32):(1,128)")
    found = decide_banks(Access(along, broken, 16, 8))
    assert refuted(found) == ["vector"]
    w = witness(found, "vector")
    thread, value = w["coordinate"]
    assert broken(8 * thread + value) == w["offset"] and w["offset"] % 8 == 4


@case("swz-tile")
def no_tiling_of_four_rows_by_eight(c: dict[str, Any]) -> None:
    atom = layout(c["inputs"]["atom"])
    found = decide_tiles(atom, (4, 16))
    assert found.witness is not None and found.witness.values == {"mode": 0, "atom": 8, "extent": 4}
    with pytest.raises(PropertyRefuted):
        tile_to_shape(atom, (4, 16), (0, 1))
    assert equal(tile_to_shape(atom, (8, 16), (0, 1)), atom)


@case("misc-2874")
def orders_of_an_operand(c: dict[str, Any]) -> None:
    """K-major tiles go down first, MN-major ones along K first; stages are last in both."""
    k_major, mn_major = smem_atom("K", 128, 16), smem_atom("MN", 128, 16)
    for atom, order, other in ((k_major, (0, 1), (1, 0)), (mn_major, (1, 0), (0, 1))):
        staged = ComposedLayout(atom.function, 0, Layout((*atom.layout.shape, 1), (*atom.layout.stride, 0)))
        whole = tile_to_shape(staged, (128, 128, 3), (*order, 2))
        assert slice_(whole, (0, 0, 1))[0](0) == 0 and whole((0, 0, 1)) == 128 * 128
        wrong = tile_to_shape(staged, (128, 128, 3), (*other, 2))
        assert is_bijective(whole.layout) and is_bijective(wrong.layout)
        difference = refute_equal(whole.layout, wrong.layout)
        assert difference is not None and wrong((0, 0, 1)) == 128 * 128
        index = difference.values["index"]
        assert whole.layout(index) == difference.values["expected"] != difference.values["got"] == wrong.layout(index)


@case("tmem-3535")
def major_of_scale_factors(c: dict[str, Any]) -> None:
    mn_major, k_major = (
        tile_to_shape(layout("(1,1):(0,0)"), (2, 2)),
        tile_to_shape(layout("(1,1):(0,0)"), (2, 2), (1, 0)),
    )
    differ = [(n, k) for n in range(2) for k in range(2) if mn_major((n, k)) != k_major((n, k))]
    assert sorted(differ) == [(0, 1), (1, 0)]
    assert all(mn_major((n, k)) == n + 2 * k and k_major((n, k)) == 2 * n + k for n in range(2) for k in range(2))
    difference = refute_equal(mn_major, k_major)
    assert difference is not None and difference.values["index"] == 1


@case("tv-3254", "tv-3254n16")
def accumulators(c: dict[str, Any]) -> None:
    tv = layout(c["inputs"]["tv"])
    n = int(c["inputs"]["tile"].split(",")[1].rstrip(")"))
    assert verdict_of(decide_atom(wgmma_accumulator(n), tv)) is Verdict.PROVED
    assert equal(tv, wgmma_accumulator(n).layout)
    other = decide_atom(wgmma_accumulator(24 - n), tv)[0]
    assert other.verdict is Verdict.REFUTED and other.witness is not None and other.witness.kind == "size"


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_case(name: str) -> None:
    CHECKS[name](CASES[name])
