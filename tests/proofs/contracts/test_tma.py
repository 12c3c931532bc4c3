"""TMA: each rule with a valid case beside its off-by-one twin; shared layouts against bytes written one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout, layout, parse
from veritile.proofs.contracts.tma import Box, Landing, decide_expect, decide_shared_layout, decide_tma, encode, period
from veritile.proofs.verdict import Verdict

from .evaluation import refuted, verdicts, witness

GOOD = Box("A", 16, (4096, 512), (8192,), (64, 256), 128, global_align=16, shared_align=1024)


def test_a_box_that_holds() -> None:
    found = verdicts(decide_tma(GOOD))
    assert set(found.values()) == {"proved"} and len(found) == 12


TWINS: dict[str, tuple[str, Box, Box]] = {
    "five modes": (
        "rank",
        Box("x", 16, (64,) * 5, (128, 256, 512, 1024), (64, 1, 1, 1, 1)),
        Box("x", 16, (64,) * 6, (128, 256, 512, 1024, 2048), (64, 1, 1, 1, 1, 1)),
    ),
    "256 a mode": ("box", GOOD, replace(GOOD, box=(64, 257))),
    "at least one": ("box", replace(GOOD, box=(64, 1)), replace(GOOD, box=(64, 0))),
    "16 bytes inside": ("inner-bytes", replace(GOOD, box=(8, 64)), replace(GOOD, box=(9, 64))),
    "the span": ("span", GOOD, replace(GOOD, box=(72, 64))),
    "a span that is known": (
        "swizzle", replace(GOOD, swizzle=64, box=(32, 64)), replace(GOOD, swizzle=96, box=(32, 64))
    ),
    "the address": ("address", GOOD, replace(GOOD, global_align=8)),
    "strides of 16": ("strides", replace(GOOD, strides=(8208,)), replace(GOOD, strides=(8200,))),
    "strides below 2^40": ("strides", replace(GOOD, strides=(2**40 - 16,)), replace(GOOD, strides=(2**40,))),
    "extents to 2^32": ("extents", replace(GOOD, extents=(2**32, 1)), replace(GOOD, extents=(2**32 + 1, 1))),
    "element strides to 8": (
        "element-strides", replace(GOOD, element_strides=(1, 8)), replace(GOOD, element_strides=(1, 9))
    ),
    "a broadcast": (
        "broadcast",
        replace(GOOD, extents=(4096, 1), strides=(0,), box=(64, 1)),
        replace(GOOD, strides=(0,), box=(64, 1)),
    ),
    "shared memory without a swizzle": (
        "shared-address", replace(GOOD, swizzle=0, shared_align=128), replace(GOOD, swizzle=0, shared_align=64)
    ),
    "shared memory with a swizzle": ("shared-address", GOOD, replace(GOOD, shared_align=512)),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_twins(name: str) -> None:
    rule, good, bad = TWINS[name]
    assert rule not in refuted(decide_tma(good))
    found = decide_tma(bad)
    assert rule in refuted(found)
    values = witness(found, rule)
    if "rest" in values and "multiple" in values:
        assert values["bytes"] % values["multiple"] == values["rest"] != 0
    if "low" in values:
        assert not values["low"] <= values["got"] <= values["high"]


def test_packed_elements_are_open_and_odd_ones_refused() -> None:
    assert (
        next(o for o in decide_tma(replace(GOOD, element_bits=4)) if o.name == "tma.element").verdict is Verdict.UNKNOWN
    )
    assert "element" in refuted(decide_tma(replace(GOOD, element_bits=24)))


def written(box: Box) -> dict[tuple[int, ...], int]:
    """Where TMA puts each element of a box, in elements: bytes in order, bits 4… XORed with bits 7… of the address."""
    size, mask = box.element_bits // 8, {0: 0, 32: 1, 64: 3, 128: 7}[box.swizzle]
    places = {}
    for number, crd in enumerate(product(*(range(b) for b in reversed(box.box)))):
        address = number * size
        address ^= (address >> 7 & mask) << 4
        places[tuple(reversed(crd))] = address // size
    return places


@pytest.mark.parametrize(
    ("text", "box", "order", "span", "bits", "holds"),
    [
        ("S<3,3,3> o 0 o (128,64):(64,1)", (64, 128), [1, 0], 128, 16, True),
        ("S<3,4,3> o 0 o (128,64):(64,1)", (64, 128), [1, 0], 128, 16, False),  # the swizzle in bytes
        ("S<2,3,3> o 0 o (128,64):(64,1)", (64, 128), [1, 0], 128, 16, False),  # one bit short
        ("(128,64):(64,1)", (64, 128), [1, 0], 128, 16, False),
        ("(128,64):(64,1)", (64, 128), [1, 0], 0, 16, True),
        ("(128,64):(1,128)", (64, 128), [1, 0], 0, 16, False),
        ("(128,64):(72,1)", (64, 128), [1, 0], 0, 16, False),  # padded
        ("S<3,3,3> o 0 o (64,128):(1,64)", (64, 128), [0, 1], 128, 16, True),
        ("S<2,3,3> o 0 o (64,32):(32,1)", (32, 64), [1, 0], 64, 16, True),
        ("S<3,2,3> o 0 o (16,32):(32,1)", (32, 16), [1, 0], 128, 32, True),
        ("S<3,4,3> o 0 o (16,128):(128,1)", (128, 16), [1, 0], 128, 8, True),
    ],
)
def test_one_box_against_bytes(text: str, box: Any, order: list[int], span: int, bits: int, holds: bool) -> None:
    shared = parse(text)
    one = Box("A", bits, tuple(4096 for _ in box), (8192,), box, span, shared_align=1024)
    found = decide_shared_layout(one, order, shared, tuple(box[order.index(m)] for m in range(2)))
    places = written(one)
    differing = [
        crd for crd in places if shared(tuple(crd[order.index(m)] for m in range(2))) != places[crd]
    ]  # fmt: skip
    assert (found.verdict is Verdict.PROVED) is holds is (not differing)
    if not holds:
        values = found.witness.values
        at = tuple(values["coordinate"][m] for m in order)
        assert at in differing and shared(values["coordinate"]) == values["got"] and places[at] == values["expected"]


def test_a_tile_of_several_boxes() -> None:
    """Two boxes of 64 columns, one after the other: the second begins 128·64 elements on."""
    box = Box("A", 16, (4096, 4096), (8192,), (64, 128), 128, shared_align=1024)
    good = parse("S<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))")
    assert decide_shared_layout(box, [1, 0], good, (128, 128)).verdict is Verdict.PROVED
    assert decide_shared_layout(box, [1, 0], parse("S<3,3,3> o 0 o (128,(64,2)):(64,(1,8256))"), (128, 128)).witness
    assert decide_shared_layout(box, [1, 0], parse("(128,128):(128,1)"), (128, 128)).witness
    assert decide_shared_layout(box, [1, 0], good, (128, 96)).witness.kind == "shape"


def test_tensor_maps_of_layouts() -> None:
    box, order = encode(Layout((4096, 512), (512, 1)), (128, 64), 16)
    assert (box.extents, box.strides, box.box, order) == ((512, 4096), (1024,), (64, 128), [1, 0])
    box, order = encode(layout("(64,(2,32)):(1,(0,64))"), (64, 1, 32), 16)
    assert (box.extents, box.strides, order) == ((64, 32, 1), (128, 0), [0, 2, 1])
    assert "broadcast" not in refuted(decide_tma(box))
    for bad in ("(64,32):(2,128)", "(64,32):(e0,e1)"):
        with pytest.raises(InputError):
            encode(layout(bad), (64, 32), 16)


def test_a_broadcast_that_is_boxed_is_refuted() -> None:
    box, _ = encode(layout("(64,32):(1,0)"), (64, 8), 16)
    assert witness(decide_tma(box), "broadcast") == {"mode": 1, "extent": 1, "box": 8}


@given(
    st.lists(st.integers(1, 256), min_size=1, max_size=5),
    st.sampled_from([8, 16, 32]),
    st.integers(1, 4),
    st.booleans(),
)
def test_bytes_expected(box: list[int], bits: int, slices: int, pair: bool) -> None:
    one = Box("A", bits, (4096,) * len(box), (8192,) * (len(box) - 1), tuple(box))
    total = prod(box) * bits // 8 * slices * (1 + pair)
    landing = Landing("A", one.bytes, slices, 1 + pair)
    assert (decide_expect(total, [landing]).witness is None) is (total <= 2**20 - 1)
    assert decide_expect(total - 1, [landing]).witness.values["expected"] == total
    assert decide_expect(total + 1, [landing]).witness.values["got"] == total + 1


def test_bytes_that_are_forgotten_are_named() -> None:
    ragged = Landing("A", 16384, inside=9216)
    assert "zeros" in decide_expect(9216, [ragged]).reason
    assert "partners" in decide_expect(8192, [Landing("A", 8192, slices=2)]).reason
    assert "pair" in decide_expect(16384, [Landing("A", 16384, ctas=2)]).reason
    assert decide_expect(2 * 16384, [Landing("A", 16384, ctas=2)]).witness is None


def test_element_strides_move_fewer_elements() -> None:
    assert replace(GOOD, element_strides=(1, 2)).bytes == GOOD.bytes // 2
    assert replace(GOOD, box=(64, 3), element_strides=(1, 2)).bytes == 64 * 2 * 2


def test_periods() -> None:
    assert [period(span) for span in (0, 32, 64, 128)] == [128, 256, 512, 1024]
