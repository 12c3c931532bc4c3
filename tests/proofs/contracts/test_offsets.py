"""Offsets: each answer against Python's integers, which do not wrap; each overflow evaluated."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout, layout, parse, size
from veritile.proofs.contracts.offsets import decide_offsets, held_as, limits

from .evaluation import refuted, verdicts, witness

FAULTS: list[tuple[str, int, int, list[str]]] = [
    ("(536870913,4):(4,1)", 31, 8, ["elements", "bytes", "products"]),
    ("(65536,32769):(32768,1)", 31, 8, ["elements", "bytes", "products"]),  # no product reaches 2^31, the sum does
    ("(32768,65536):(65536,1)", 31, 16, ["bytes"]),
    ("(2,65536):(-2147483649,1)", 31, 4, ["elements", "products"]),
    ("(2,8):(4294967296,1)", 32, 8, ["elements", "bytes", "products"]),
    ("(2,8):(-1,8)", 32, 8, ["elements", "bytes", "products"]),  # unsigned
    ("(2,2):(9223372036854775807,1)", 63, 8, ["elements", "bytes", "products"]),
    ("(2,2):(4611686018427387904,1)", 63, 16, ["bytes"]),
    ("(65536,32768):(65536,1)", 31, 4, ["elements", "products"]),
    ("(3,2):(2147483647,-2147483648)", 31, 8, ["elements", "bytes", "products"]),
]

RIGHT = [
    ("(536870912,4):(4,1)", 31, 8),
    ("(65536,32768):(32768,1)", 31, 8),
    ("(32768,32768):(32768,1)", 31, 16),
    ("(2,65536):(-2147483648,1)", 31, 8),
    ("(2,8):(4294967288,1)", 32, 8),
    ("(2,1):(9223372036854775807,1)", 63, 8),
    ("(1,8):(9223372036854775808,1)", 31, 8),
    ("(32768,65536):(65536,1)", 31, 8),
    ("(2,2):(1,-2147483648)", 31, 4),
]


def values_at(a: Any, crd: Any, element_bits: int) -> tuple[int, int]:
    return a(crd), a(crd) * element_bits // 8


def confirm(a: Layout, bits: int, element_bits: int, found: Any) -> None:
    """The extremes are at corners: every digit 0 or its last."""
    told = verdicts(found)
    least, greatest = limits(bits)
    steps = [(s - 1) * d for s, d in a.modes]
    low, high = sum(x for x in steps if x < 0), sum(x for x in steps if x > 0)
    assert told["elements"] == ("proved" if least <= low and high <= greatest else "refuted")
    assert told["bytes"] == (
        "proved" if least <= low * element_bits // 8 and high * element_bits // 8 <= greatest else "refuted"
    )
    sums = [sum(x for x in steps[: i + 1] if (x > 0) == up) for i in range(len(steps)) for up in (False, True)]
    assert told["products"] == ("proved" if all(least <= x <= greatest for x in (*steps, *sums)) else "refuted")
    for rule, which in (("elements", 0), ("bytes", 1)):
        if told[rule] == "refuted":
            w = witness(found, rule)
            assert a.in_bounds(w["coordinate"])
            assert values_at(a, w["coordinate"], element_bits)[which] == w["value"]
            assert not least <= w["value"] <= greatest and least <= w["held_as"] <= greatest
            assert (w["value"] - w["held_as"]) % (greatest - least + 1) == 0
    if told["products"] == "refuted":
        w = witness(found, "products")
        assert not least <= w["value"] <= greatest and w["held_as"] == held_as(w["value"], bits)
        if "mode" in w:
            s, d = a.modes[w["mode"]]
            assert 0 < w["coordinate"] < s and w["coordinate"] * d == w["value"]
            assert least <= (w["coordinate"] - 1) * d <= greatest
        else:
            assert w["value"] in sums


@pytest.mark.parametrize(("text", "bits", "element_bits", "broken"), FAULTS)
def test_a_fault_is_refuted(text: str, bits: int, element_bits: int, broken: list[str]) -> None:
    found = decide_offsets(layout(text), bits, element_bits)
    confirm(layout(text), bits, element_bits, found)
    assert refuted(found) == broken


@pytest.mark.parametrize(("text", "bits", "element_bits"), RIGHT)
def test_the_right_one_beside_it(text: str, bits: int, element_bits: int) -> None:
    found = decide_offsets(layout(text), bits, element_bits)
    assert refuted(found) == []
    confirm(layout(text), bits, element_bits, found)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(-(2**31), 2**32)), min_size=1, max_size=4),
    st.sampled_from((31, 32)),
    st.sampled_from((1, 4, 8, 16, 32)),
)
def test_any_layout_is_decided_as_integers_do(modes: list[tuple[int, int]], bits: int, element_bits: int) -> None:
    a = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    confirm(a, bits, element_bits, decide_offsets(a, bits, element_bits))


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2**31)), min_size=1, max_size=3))
def test_the_first_coordinate_that_overflows_is_named(modes: list[tuple[int, int]]) -> None:
    a = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    found = decide_offsets(a, 31, 32)
    for rule, which in (("elements", 0), ("bytes", 1)):
        beyond = [i for i in range(size(a)) if values_at(a, i, 32)[which] >= 2**31]
        assert (rule in refuted(found)) == bool(beyond)
        if beyond:
            assert a(witness(found, rule)["coordinate"]) == a(beyond[0])


def test_how_large_the_longest_mode_may_be() -> None:
    for n in (100, 2**22, 2**23):
        a = Layout((n, 8, 128), (1024, 128, 1))
        found = decide_offsets(a, 31, 16)
        told = found[1].reason
        if n > 2**20:
            assert found[1].details["room"]["mode"] == 0
            room = found[1].details["room"]["size"]
            assert told.endswith(f"mode 0 may have {room}")
            assert refuted(decide_offsets(Layout((room, 8, 128), a.stride), 31, 16)) == []
            assert "bytes" in refuted(decide_offsets(Layout((room + 1, 8, 128), a.stride), 31, 16))


def test_a_base_is_added() -> None:
    row = layout("4:1")
    assert refuted(decide_offsets(row, 31, 8, base=2**31 - 4)) == []
    found = decide_offsets(row, 31, 8, base=2**31 - 3)
    assert refuted(found) == ["elements", "bytes", "products"] and witness(found, "elements")["coordinate"] == 3
    assert witness(decide_offsets(row, 31, 8, base=2**31 + 5), "elements")["value"] == 2**31 + 5


def test_after_a_swizzle() -> None:
    assert refuted(decide_offsets(parse("S<3,4,3> o 0 o (8,64):(64,1)"), 31, 16)) == []
    far = parse("S<3,4,3> o 0 o (2,64):(4294967296,1)")
    found = decide_offsets(far, 31, 16)
    assert refuted(found) == ["elements", "bytes", "products"]
    assert far(witness(found, "elements")["coordinate"]) == witness(found, "elements")["value"]


def test_what_is_refused() -> None:
    for call in (lambda: decide_offsets(Layout(4), 30, 8), lambda: decide_offsets(Layout(4), 31, 0)):
        with pytest.raises(InputError):
            call()
    with pytest.raises(InputError):
        decide_offsets(layout("4:e0"), 31, 8)
