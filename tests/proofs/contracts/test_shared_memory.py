"""Shared memory: planted faults, each beside its off-by-one twin, with witnesses confirmed byte by byte."""

from __future__ import annotations

from random import Random

import pytest

from veritile import InputError, parse
from veritile.proofs.contracts.obligation import Obligation, verdict_of
from veritile.proofs.contracts.shared_memory import (
    CAPACITY,
    Buffer,
    buffer_of,
    capacity_of,
    decide_shared_memory,
    place,
    swizzle_alignment,
)
from veritile.proofs.verdict import Verdict


def of(obligations: list[Obligation], name: str) -> list[Obligation]:
    return [o for o in obligations if o.name == f"shared_memory.{name}"]


def bytes_of(buffer: Buffer) -> range:
    assert buffer.offset is not None
    return range(buffer.offset, buffer.offset + buffer.size)


@pytest.mark.parametrize("sm", sorted(CAPACITY))
def test_capacity_to_the_byte(sm: int) -> None:
    limit = capacity_of(sm)
    whole = decide_shared_memory([Buffer("A", limit - 16), Buffer("B", 16)], sm)
    assert verdict_of(whole) is Verdict.PROVED
    beyond = of(decide_shared_memory([Buffer("A", limit - 16), Buffer("B", 17)], sm), "capacity")[0]
    assert beyond.verdict is Verdict.REFUTED and beyond.witness is not None
    assert beyond.witness.values == {"buffer": "B", "end": limit + 1, "capacity": limit}


def test_the_capacities_are_the_manual_s() -> None:
    kib = {80: 163, 86: 99, 89: 99, 120: 99, 90: 227, 100: 227, 103: 227}
    assert {sm: n * 1024 for sm, n in kib.items()} == CAPACITY
    with pytest.raises(InputError, match="sm_70 is not known"):
        capacity_of(70)


def test_a_block_of_400_kb_is_refused_everywhere() -> None:
    for sm in CAPACITY:
        assert verdict_of(decide_shared_memory([Buffer("A", 400_000)], sm)) is Verdict.REFUTED


OVERLAPS = [
    ("one byte", [Buffer("A", 1024, 0), Buffer("B", 16, 1023)], [Buffer("A", 1024, 0), Buffer("B", 16, 1024)]),
    ("one inside the other", [Buffer("A", 1024, 0), Buffer("B", 16, 512)], [Buffer("A", 512, 0), Buffer("B", 16, 512)]),
    (
        "the later one first",
        [Buffer("A", 16, 1008), Buffer("B", 1009, 0)],
        [Buffer("A", 16, 1008), Buffer("B", 1008, 0)],
    ),
    ("the same place", [Buffer("A", 8, 64), Buffer("B", 8, 64)], [Buffer("A", 8, 64), Buffer("B", 8, 72)]),
    (
        "in use together for one step",
        [Buffer("A", 64, 0, live=(0, 4)), Buffer("C", 64, 0, live=(4, 5))],
        [Buffer("A", 64, 0, live=(0, 3)), Buffer("C", 64, 0, live=(4, 5))],
    ),
    (
        "one of them always in use",
        [Buffer("A", 64, 0, live=(0, 3)), Buffer("C", 64, 63)],
        [Buffer("A", 64, 0, live=(0, 3)), Buffer("C", 64, 64)],
    ),
]


@pytest.mark.parametrize(("bad", "good"), [c[1:] for c in OVERLAPS], ids=[c[0] for c in OVERLAPS])
def test_planted_overlap(bad: list[Buffer], good: list[Buffer]) -> None:
    found = of(decide_shared_memory(bad, 90), "disjoint")[0]
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    named = {b.name: b for b in bad}
    assert all(found.witness.values["byte"] in bytes_of(named[name]) for name in found.witness.values["buffers"])
    assert of(decide_shared_memory(good, 90), "disjoint")[0].verdict is Verdict.PROVED


def swizzled(bits: int, span: int) -> str:
    return f"S<{bits},3,3> o 0 o (8,{span}):({span},1)"


ALIGNMENTS = [
    ("128-byte atom", Buffer("A", 1024, 512, layout=parse(swizzled(3, 64)), element_bits=16), 1024),
    ("64-byte atom", Buffer("A", 512, 256, layout=parse(swizzled(2, 32)), element_bits=16), 512),
    ("32-byte atom", Buffer("A", 256, 128, layout=parse(swizzled(1, 16)), element_bits=16), 256),
    ("a mode of TMA without a swizzle", Buffer("A", 256, 64, alignment=128), 128),
    ("a barrier", Buffer("bar", 8, 4, alignment=8), 8),
    ("a 16-byte vector", Buffer("A", 64, 24, alignment=16), 16),
]


@pytest.mark.parametrize(("buffer", "multiple"), [c[1:] for c in ALIGNMENTS], ids=[c[0] for c in ALIGNMENTS])
def test_planted_misalignment(buffer: Buffer, multiple: int) -> None:
    found = of(decide_shared_memory([buffer], 90), "aligned")[0]
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    assert found.witness.values == {"buffer": buffer.name, "offset": buffer.offset, "multiple": multiple}
    assert buffer.offset is not None and buffer.offset % multiple
    good = Buffer(buffer.name, buffer.size, multiple, buffer.alignment, buffer.layout, buffer.element_bits)
    assert verdict_of(decide_shared_memory([good], 90)) is Verdict.PROVED


def test_a_base_that_is_less_aligned_than_the_atom() -> None:
    buffer = Buffer("A", 1024, 0, layout=parse(swizzled(3, 64)), element_bits=16)
    for base, start in ((128, 128), (512, 512), (16, 16)):
        found = of(decide_shared_memory([buffer], 90, base_alignment=base), "aligned")[0]
        assert found.verdict is Verdict.REFUTED and found.witness is not None
        assert found.witness.values["offset"] == start and start % base == 0 and start % 1024
    moved = Buffer("A", 1024, 512, layout=parse(swizzled(3, 64)), element_bits=16)
    found = of(decide_shared_memory([moved], 90, base_alignment=512), "aligned")[0]
    assert found.witness is not None and found.witness.values["offset"] % 1024


def test_a_swizzle_of_offsets_needs_no_alignment() -> None:
    tile = parse("S<5,0,5> o 0 o (32,32):(32,1)")
    for by_address, verdict in ((True, Verdict.REFUTED), (False, Verdict.PROVED)):
        buffer = Buffer("A", 4096, 128, 128, tile, 32, by_address=by_address)
        assert of(decide_shared_memory([buffer], 90, base_alignment=4096), "aligned")[0].verdict is verdict
    assert any(tile.function(32 + x) != 32 + tile.function(x) for x in range(1024))  # the two are not the same


def test_a_swizzle_needs_its_period() -> None:
    """At any smaller multiple some offset and its address are exchanged differently; at the period none is."""
    for bits, span in ((3, 64), (2, 32), (1, 16)):
        tile = parse(swizzled(bits, span))
        period = swizzle_alignment(tile, 16) // 2
        swizzle = tile.function
        for base in (period, 3 * period):
            assert all(swizzle(base + x) == base + swizzle(x) for x in range(2 * period))
        assert any(swizzle(period // 2 + x) != period // 2 + swizzle(x) for x in range(2 * period))


EXTENTS = [
    ("a swizzle that reaches beyond", "S<1,0,3> o 0 o 9:1", 8, 9, 10),
    ("padding forgotten", "(32,32):(33,1)", 32, 32 * 32 * 4, (31 * 33 + 32) * 4),
    ("one element", "(8,64):(64,1)", 16, 1022, 1024),
    ("half a byte", "3:1", 4, 1, 2),
    ("stages forgotten", "(64,64,3):(64,1,4096)", 16, 2 * 8192, 3 * 8192),
]


@pytest.mark.parametrize(("tile", "bits", "small", "right"), [c[1:] for c in EXTENTS], ids=[c[0] for c in EXTENTS])
def test_planted_extent(tile: str, bits: int, small: int, right: int) -> None:
    found = of(decide_shared_memory([Buffer("A", small, layout=parse(tile), element_bits=bits)], 90), "extent")[0]
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    w = found.witness.values
    assert parse(tile)(w["coordinate"]) == w["offset"] and (w["offset"] + 1) * bits > small * 8
    exact = Buffer("A", right, layout=parse(tile), element_bits=bits)
    assert of(decide_shared_memory([exact], 90), "extent")[0].verdict is Verdict.PROVED
    assert buffer_of("A", parse(tile), bits).size == right
    less = Buffer("A", right - 1, layout=parse(tile), element_bits=bits)
    assert of(decide_shared_memory([less], 90), "extent")[0].verdict is Verdict.REFUTED


def test_extents_are_exact() -> None:
    rng = Random(8)
    how = set()
    for _ in range(300):
        sizes = [rng.choice([1, 2, 3, 4, 8]) for _ in range(2)]
        strides = [rng.choice([1, 2, 3, 4, 8, 16]), rng.choice([4, 8, 16, 20, 64])]
        swizzle = f"S<{rng.randint(0, 3)},{rng.randint(0, 2)},{rng.choice([-3, 3, 4])}>"
        text = f"({sizes[0]},{sizes[1]}):({strides[0]},{strides[1]})"
        tile = parse(rng.choice([text, f"{swizzle} o 0 o {text}", f"{swizzle} o 4 o {text}"]))
        greatest = max(tile((i, j)) for i in range(sizes[0]) for j in range(sizes[1]))
        assert buffer_of("A", tile, 8).size == greatest + 1, str(tile)
        exact = of(decide_shared_memory([Buffer("A", greatest + 1, layout=tile, by_address=False)], 90), "extent")[0]
        assert exact.verdict is Verdict.PROVED
        how.update(exact.evidence)
    assert how == {"closed-form", "enumeration"}


def test_large_swizzled_buffers_are_decided_in_closed_form() -> None:
    for text in (
        "S<3,3,3> o 0 o ((8,4096),(64,64),7):((64,512),(1,2097152),134217728)",
        "S<3,3,3> o 0 o (4096,4096):(8192,1)",
    ):
        tile = parse(text)
        found = of(decide_shared_memory([Buffer("A", 1 << 40, layout=tile, element_bits=16)], 90), "extent")[0]
        assert found.verdict is Verdict.PROVED and found.evidence == ("closed-form",)


def test_random_buffers_agree_with_sets_of_bytes() -> None:
    rng = Random(2)
    seen = set()
    for _ in range(300):
        buffers = [
            Buffer(f"b{i}", rng.randint(1, 12), rng.choice([None, rng.randint(0, 30)]), rng.choice([1, 2, 4]))
            for i in range(rng.randint(1, 4))
        ]
        placed = place(buffers)
        found = decide_shared_memory(buffers, 90)
        apart = len({byte for b in placed for byte in bytes_of(b)}) == sum(b.size for b in placed)
        assert (of(found, "disjoint")[0].verdict is Verdict.PROVED) == apart
        for buffer, one in zip(placed, of(found, "aligned"), strict=True):
            assert buffer.offset is not None
            assert (one.verdict is Verdict.PROVED) == (buffer.offset % buffer.alignment == 0)
        seen.add(apart)
    assert seen == {True, False}


def test_placed_buffers_never_meet() -> None:
    rng = Random(3)
    for _ in range(100):
        buffers = [Buffer(f"b{i}", rng.randint(1, 3000), None, 1 << rng.randint(0, 10)) for i in range(5)]
        assert verdict_of(decide_shared_memory(buffers, 90)) is Verdict.PROVED


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: decide_shared_memory([], 90), "one buffer at least"),
        (lambda: decide_shared_memory([Buffer("A", 1), Buffer("A", 2)], 90), "two buffers are named A"),
        (lambda: Buffer("A", 0), "size must be a positive integer"),
        (lambda: Buffer("A", 8, alignment=12), "power of two"),
        (lambda: Buffer("A", 8, -1), "at least 0"),
        (lambda: Buffer("A", 8, live=(3, 2)), "before it"),
        (lambda: buffer_of("A", parse("4:-1"), 8), "before the start"),
        (lambda: buffer_of("A", parse("(4,8):(e0,e1)"), 8), "coordinates"),
    ],
)
def test_refused_input(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
