"""``veritile banks``: degrees, witnesses, swizzles, and how it ends."""

from __future__ import annotations

import pytest

from .run import veritile

ROWS, TILE = "(8,8):(1,8)", "(8,64):(64,1)"
F16 = ("--element-bits", "16", "--vector", "8")
COLUMN = ("banks", "32:1", "(32,32):(32,1)", "--element-bits", "32")


@pytest.mark.parametrize(
    ("argv", "code", "line"),
    [
        (["banks", ROWS, TILE, *F16], 1, "8-way: lanes 0 and 1 of warp 0 ask bank 0 for the words 0 and 32"),
        (["banks", ROWS, f"S<3,3,3> o 0 o {TILE}", *F16], 0, "degree 1"),
        (["banks", ROWS, f"S<3,4,3> o 0 o {TILE}", *F16], 1, "that mode is S<3,3,3>"),
        (["banks", ROWS, f"S<2,3,3> o 0 o {TILE}", *F16], 1, "degree 2"),
        (["banks", ROWS, TILE, *F16, "--suggest"], 0, "S<3,3,3> o 0 o (8,64):(64,1)"),
        (["banks", ROWS, f"S<2,3,3> o 0 o {TILE}", *F16, "--suggest"], 0, "S<3,3,3> o 0 o (8,64):(64,1)"),
        (["banks", ROWS, TILE, *F16, "--suggest", "--tma"], 0, "8-way without it, 1-way with it"),
        (["banks", ROWS, TILE, *F16, "--suggest", "--other", "((8,8),8):((64,1),8)"], 0, "1-way without it, 1-way"),
        (["banks", ROWS, TILE, *F16, "--suggest", "--other", "((8,8),8):((8,1),64)"], 1, "banks.vector"),
        (["banks", ROWS, TILE, *F16, "--other", "((8,8),2):((1,128),8)", "--other-vector", "1"], 1, "8-way"),
        (list(COLUMN), 1, "32-way"),
        ([*COLUMN, "--suggest"], 1, "no swizzle with B <= 3"),
        ([*COLUMN, "--suggest", "--tma"], 1, "no swizzle that TMA and wgmma know"),
        (["banks", "32:1", "S<5,0,5> o 0 o (32,32):(32,1)", "--element-bits", "32"], 0, "degree 1"),
        (["banks", "32:1", "S<5,0,6> o 0 o (32,32):(32,1)", "--element-bits", "32"], 1, "2-way"),
        (["banks", "32:1", "(32,32):(33,1)", "--element-bits", "32"], 0, "degree 1"),
        (["banks", "(8,4):(1,8)", "(8,32):(33,1)", "--element-bits", "32", "--vector", "4"], 1, "no multiple of 4"),
        (["banks", "(9,8):(1,8)", "(8,8):(8,1)", *F16], 1, "asks for 64"),
    ],
)
def test_banks(argv: list[str], code: int, line: str) -> None:
    said = veritile(*argv)
    assert (said.code, said.err) == (code, "")
    assert line in said.out


def test_json() -> None:
    found = veritile("banks", ROWS, TILE, *F16, "--json").json
    assert found["verdict"] == "refuted" and found["operands"] == [ROWS, TILE] and found["details"]["degree"] == 8
    assert found["witness"] == {
        "kind": "bank", "warp": 0, "value": 0, "bank": 0, "lanes": [0, 1], "words": [0, 32], "degree": 8,
    }  # fmt: skip
    access = found["details"]["accesses"][0]
    assert access["by_phase"] == [{"warp": 0, "vector": 0, "lane": 0, "degree": 8}] and access["phase_lanes"] == 8
    found = veritile("banks", ROWS, TILE, *F16, "--suggest", "--json").json
    assert found["result"] == "S<3,3,3> o 0 o (8,64):(64,1)" and found["details"]["swizzle"] == "S<3,3,3>"
    assert (found["details"]["degree"], found["details"]["degree_without"], found["size"]) == (1, 8, 512)


def test_no_swizzle_is_shown_with_its_evidence() -> None:
    found = veritile(*COLUMN, "--suggest", "--json").json
    assert found["verdict"] == "refuted" and found["witness"]["degree"] == 32
    assert found["evidence"][0].startswith("enumeration (all 109 swizzles")
    assert found["evidence"][1].startswith("smt (no B <= 3, M, S at all; z3 ")


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["banks", ROWS, TILE], "--element-bits"),
        (["banks", ROWS, TILE, "--element-bits", "16", "--vector", "3"], "1, 2, 4, 8 or 16 bytes, not 6"),
        (["banks", ROWS, TILE, "--element-bits", "0"], "positive integer"),
        (["banks", ROWS, "S<3,3,3>", *F16], "a swizzle has no size"),
        (["banks", f"S<3,3,3> o 0 o {ROWS}", TILE, *F16], "an access takes a layout"),
        (["banks", ROWS, "(8,64):(e0,e1)", *F16], "coordinates"),
        (["banks", ROWS, "(8,64):(-64,1)", *F16, "--suggest"], "negative offsets"),
        (["banks", ROWS, TILE, *F16, "--tma"], "--tma goes with --suggest"),
        (["banks", ROWS, TILE, *F16, "--other-vector", "2"], "--other-vector goes with --other"),
    ],
)
def test_refused_input(argv: list[str], line: str) -> None:
    said = veritile(*argv)
    assert said.code == 2 and line in said.err and said.out == ""
