"""``tv``, ``vector`` and ``check … offset-bits``: what they answer, and how they end."""

from __future__ import annotations

import pytest

from .run import veritile

TV = "((8,4),(4,2)):((16,1),(4,128))"
EIGHT = ("vector", "8:1", "8:1")
LARGE = "(16384,16384):(1,16384)"
F16 = ("--element-bits", "16", "--align", "16")


@pytest.mark.parametrize(
    ("argv", "code", "line"),
    [
        (["tv", TV, "--tile", "(4,64)"], 0, "proved (instance; definition; closed-form)"),
        (["tv", TV, "--tile", "(4,64)", "--threads", "64", "--active", "32"], 0, "; threads 32 to 63 are kept out"),
        (["tv", TV, "--tile", "(4,64)", "--threads", "64"], 1, "threads 32 to 63 must be off"),
        (["tv", TV.replace("128", "64"), "--tile", "(4,64)"], 1, "64 of 256 elements are owned by nobody: 192 to 199"),
        (["tv", "((4,8),2):((2e1,e0),e1)", "--tile", "(8,8)"], 0, "all 64 elements are owned"),
        (["tv", "S<2,0,2> o 0 o (4,4):(4,1)", "--tile", "16"], 0, "all 16 elements are owned"),
        (["vector", "(2,3):(1,2)", "(2,3):(1,2)", "--element-bits", "32", "--align", "16"], 0, "2 elements, 64 bits"),
        ([*EIGHT, *F16], 0, "8 elements, 128 bits"),
        ([*EIGHT, *F16, "--align-dst", "4"], 0, "2 elements, 32 bits"),
        ([*EIGHT, *F16, "--offset", "4"], 0, "4 elements, 64 bits"),
        ([*EIGHT, *F16, "--extent", "98"], 0, "2 elements, 32 bits"),
        ([*EIGHT, "--element-bits", "32", "--align", "32", "--arch", "sm_90a"], 0, "4 elements, 128 bits"),
        ([*EIGHT, "--element-bits", "32", "--align", "32", "--arch", "100", "--to", "register"], 0, "256 bits"),
        ([*EIGHT, "--element-bits", "16", "--align", "4", "--atom", "128"], 1, "a vector has 16"),
        ([*EIGHT, *F16, "--tv", "(4,2):(2,1)"], 0, "2 elements, 32 bits"),
        ([*EIGHT, *F16, "--op", "cp.async"], 0, "cp.async move 128 bits"),
        (["vector", "8:2", "8:2", "--element-bits", "4", "--align", "16"], 1, "no whole bytes"),
        (["check", "(536870912,4):(4,1)", "offset-bits=31", "--element-bits", "8"], 0, "proved"),
        (["check", "(536870913,4):(4,1)", "offset-bits=31", "--element-bits", "8"], 1, "held as -2147483648"),
        (["check", "(536870913,4):(4,1)", "offset-bits=63", "injective", "--element-bits", "8"], 0, "   injective"),
        (["vector", "(16384,16384):(1,0)", LARGE, *F16], 0, "8 elements"),
        (["vector", "(16384,16384):(1,1)", LARGE, *F16], 3, "more may be"),
        (["vector", "(16384,16384):(1,1)", LARGE, *F16, "--atom", "32"], 3, "more than 1048576"),
    ],
)  # fmt: skip
def test_what_is_answered(argv: list[str], code: int, line: str) -> None:
    said = veritile(*argv)
    assert said.code == code, said
    assert any(line in told for told in said.lines), said.out


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["tv", "32:1", "--tile", "32"], "two modes, (threads, values); 32:1 has 1"),
        (["tv", TV], "Missing option '--tile'"),
        (["tv", TV, "--tile", "(4,0)"], "a size must be positive"),
        (["tv", TV, "--tile", "(4,64)", "--threads", "0"], "a positive integer is expected here"),
        (["tv", "S<1,0,1>", "--tile", "4"], "a swizzle has no size of its own"),
        (["vector", "8:1", "7:1", *F16], "have 8 and 7 elements"),
        (["vector", "8:e0", "8:1", *F16], "adjacent in memory"),
        ([*EIGHT, "--align", "16"], "Missing option '--element-bits'"),
        ([*EIGHT, *F16, "--op", "ldmatrix"], "an instruction is"),
        ([*EIGHT, *F16, "--arch", "hopper"], "as in sm_90"),
        ([*EIGHT, *F16, "--from", "register", "--to", "register"], "no copy"),
        (["check", "4:1", "offset-bits=31"], "needs --element-bits"),
        (["check", "4:1", "offset-bits=30", "--element-bits", "8"], "31, 32, 63 bits, not 30"),
        (["check", "4:e0", "offset-bits=31", "--element-bits", "8"], "coordinates"),
    ],
)  # fmt: skip
def test_what_is_not_understood(argv: list[str], told: str) -> None:
    said = veritile(*argv)
    assert said.code == 2 and said.out == "" and told in said.err


def test_each_obligation_in_json() -> None:
    found = veritile("tv", TV, "--tile", "(4,64)", "--threads", "64", "--json").json
    assert found["verdict"] == "refuted" and found["operation"] == "tv" and found["operands"] == ["(4,64)", TV]
    assert found["witness"] == {"kind": "thread", "thread": 32, "value": 0, "element": 4}
    told = found["details"]["obligations"]
    assert [o["name"] for o in told] == [f"ownership.{rule}" for rule in ("threads", "within", "once", "all")]
    assert all(o["rule"] and o["source"] and o["reason"] for o in told)
    assert [o["verdict"] for o in told] == ["refuted", "refuted", "refuted", "proved"]


def test_the_width_in_json() -> None:
    found = veritile("vector", "8:1", "8:1", *F16, "--json").json
    assert found["result"] == "8 elements, 128 bits" and found["details"]["width"] == 8
    assert len(found["details"]["obligations"]) == 6
    found = veritile("check", "8:1", "offset-bits=31", "onto=9", "--element-bits", "8", "--json").json
    assert [p["verdict"] for p in found["details"]["properties"]] == ["proved", "refuted"]
    assert len(found["details"]["properties"][0]["obligations"]) == 3
