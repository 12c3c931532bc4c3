"""Ownership, vectors, banks and offsets of what a kernel builds."""

import numpy as np
import pytest

from veritile.kernels.audit.contracts import (
    bank_contract,
    banks,
    beyond_31_bits,
    owned,
    shared_offsets,
    vector_fault,
    with_offsets,
)
from veritile.kernels.audit.text import Operation
from veritile.kernels.audit.tiling import Fault, Unsettled
from veritile.kernels.audit.types import MemRefType, read_type
from veritile.kernels.audit.verdict import OUTSIDE, RIGHT, WRONG, Call, right
from veritile.model.notation import layout


def tensor(text: str) -> MemRefType:
    found = read_type(f"!cute.memref<{text}>")
    assert isinstance(found, MemRefType)
    return found


@pytest.mark.parametrize(
    ("tv", "tile"),
    [("((8,16),8):((128,1),16)", 1024), ("((4,8),(2,2)):((32,1),(16,8))", 128), ("(1,4):(0,1)", 4)],
)
def test_a_tile_that_is_owned(tv: str, tile: int) -> None:
    assert owned(layout(tv), tile) is None


@pytest.mark.parametrize(
    ("tv", "tile", "told"),
    [
        ("((8,16),8):((128,1),17)", 1024, "outside the tile"),
        ("((8,16),8):((128,1),8)", 1024, "several owners"),
        ("((8,16),8):((64,1),16)", 1024, "several owners"),
        ("((8,16),8):((128,1),16)", 1025, "owned by nobody"),
        ("((8,16),8):((128,1),16)", 1023, "outside the tile"),
        ("((8,16),7):((128,1),16)", 1024, "owned by nobody"),
        ("((8,(16,2)),8):((128,(1,0)),8)", 1024, "several owners"),
    ],
)
def test_a_tile_that_is_not(tv: str, tile: int, told: str) -> None:
    found = owned(layout(tv), tile)
    assert isinstance(found, Fault)
    assert told in found.reason
    assert found.witness.values


def test_replication_is_noted() -> None:
    tv = layout("((4,8,2,2),(2,2)):((32,1,0,0),(16,8))")
    assert owned(tv, 128) == "each element is held 4 times"
    assert owned(tv, 128, 2) == "each element is held 2 times"
    assert owned(tv, 128, 4) is None
    with pytest.raises(Unsettled):
        owned(layout("(4):(1)"), 4)


@pytest.mark.parametrize(
    ("part", "bits"),
    [
        ('bf16, gmem, align<16>, "((8,1),8,1):((1,0),?{i64 div=128},0)"', 128),
        ('bf16, gmem, align<16>, "((8,4),3):((1,8),40)"', 128),
        ('bf16, gmem, align<4>, "((2,8),3):((1,2),6)"', 32),
        ('bf16, smem, align<16>, S<3,4,3>, "((8,1),4):((1,0),1024)"', 128),
        ('bf16, smem, align<16>, "S<3,3,3> o 0 o ((8,1),4):((1,0),1024)"', 128),
        ('bf16, rmem, "((8,1),4):((1,0),9)"', 128),
        ('f32, gmem, "(1,4):(0,3)"', 32),
        ('bf16, smem, align<16>, S<0,4,3>, "(8):(1)"', 128),
    ],
)
def test_vectors_that_exist(part: str, bits: int) -> None:
    assert vector_fault(tensor(part), bits) is None


@pytest.mark.parametrize(
    ("part", "bits", "told"),
    [
        ('bf16, gmem, align<8>, "((8,1),8):((1,0),128)"', 128, "a multiple of 8"),
        ('bf16, gmem, "((8,1),8):((1,0),128)"', 128, "a multiple of 2"),
        ('bf16, gmem, align<16>, "((8,1),8):((2,0),128)"', 128, "are apart"),
        ('bf16, gmem, align<16>, "((4,2),8):((1,8),128)"', 128, "are apart"),
        ('bf16, gmem, align<16>, "((4,1),8):((1,0),128)"', 128, "has 4"),
        ('bf16, gmem, align<16>, "((8,1),8):((1,0),132)"', 128, "132 elements apart"),
        ('bf16, gmem, align<16>, "((8,1),8):((1,0),?{i64 div=4})"', 128, "elements apart"),
        ('bf16, smem, align<16>, S<3,3,3>, "((8,1),4):((1,0),1024)"', 128, "tears vectors of 16 bytes"),
        ('bf16, smem, align<16>, "S<3,2,3> o 0 o ((8,1),4):((1,0),1024)"', 128, "tears vectors of 8 elements"),
        ('f32, smem, align<16>, "S<3,0,3> o 0 o ((4,1),4):((1,0),1024)"', 128, "tears vectors of 4 elements"),
    ],
)
def test_vectors_that_do_not(part: str, bits: int, told: str) -> None:
    found = vector_fault(tensor(part), bits)
    assert isinstance(found, Fault)
    assert told in found.reason
    assert found.expected != found.got


def test_a_torn_vector_has_its_offset() -> None:
    found = vector_fault(tensor('bf16, smem, align<16>, "S<3,2,3> o 0 o ((8,1),4):((1,0),1024)"'), 128)
    assert found is not None
    swizzle, offset = (lambda x: x ^ (x & 0b11100000) >> 3), found.where["offset"]
    assert swizzle(offset) == found.got != found.expected


def test_vectors_that_are_not_known() -> None:
    for part, bits in (
        ('bf16, gmem, align<16>, "((?,1),8):((1,0),128)"', 128),
        ('bf16, gmem, align<16>, "((8,1),8):((?,0),128)"', 128),
        ('bf16, gmem, align<16>, "((8,1),8):((1,0),128)"', 24),
    ):
        with pytest.raises(Unsettled):
            vector_fault(tensor(part), bits)


ROWS = np.arange(8)[:, None] * 64 + np.arange(8)[None, :]  # [row, 8 elements of it] of a tile of 64 columns


def test_banks() -> None:
    plain = bank_contract(tensor('bf16, smem, "(8,64):(64,1)"'), ROWS, 128)
    assert isinstance(plain, str) and plain.startswith("bank conflicts: 8 lanes of a phase")
    assert bank_contract(tensor('bf16, smem, "S<3,3,3> o 0 o (8,64):(64,1)"'), ROWS, 128) is None
    assert bank_contract(tensor('bf16, smem, S<3,4,3>, "(8,64):(64,1)"'), ROWS, 128) is None
    assert bank_contract(tensor('bf16, gmem, "(8,64):(64,1)"'), ROWS, 128) is None
    assert banks(ROWS, 3) is None


def test_a_swizzle_that_counts_bytes_on_elements_is_a_fault_where_it_costs() -> None:
    found = bank_contract(tensor('bf16, smem, "S<3,4,3> o 0 o (8,64):(64,1)"'), ROWS, 128)
    assert isinstance(found, Fault)
    assert "counted in bytes" in found.reason and "S<3,3,3>" in found.reason
    assert "results are unaffected" in found.reason
    assert (found.expected, found.got, found.verdict) == ("1-way", "2-way", "outside")
    # Bytes are the elements: the mode is what it says, whatever it costs.
    columns = np.arange(8)[:, None] * 128 * 8 + np.arange(16)[None, :]
    told = bank_contract(tensor('f8E4M3FN, smem, "S<3,4,3> o 0 o (64,128):(128,1)"'), columns, 128)
    assert isinstance(told, str)
    # No conflicts, no fault.
    run = np.arange(64).reshape(8, 8)
    assert bank_contract(tensor('bf16, smem, "S<3,4,3> o 0 o (8,64):(64,1)"'), run, 128) is None
    # Conflicts that the right unit has as well.
    same = np.arange(8)[:, None] * 1024 + np.arange(8)[None, :]
    told = bank_contract(tensor('bf16, smem, "S<3,4,3> o 0 o (8,1024):(1024,1)"'), same, 128)
    assert isinstance(told, str)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ('f32, gmem, "(65536,32768):(32768,1)"', True),
        ('f32, gmem, "(65536,32769):(32769,1)"', False),
        ('i8, gmem, "(2,2):(2147483647,1)"', False),
        ('i8, gmem, "(2,1):(2147483647,0)"', True),
        ('f32, gmem, "(?,65536):(65536,1)"', True),
        ('f32, smem, "(65536,65536):(65536,1)"', True),
    ],
)
def test_31_bits(text: str, fits: bool) -> None:
    assert (beyond_31_bits(tensor(text)) is None) is fits


def test_an_offset_that_does_not_fit_where_it_is_computed() -> None:
    big = 'f32, gmem, "({},65536):(65536,1)"'
    thread, wide = '!cute.coord<"(?,?)">', '!cute.coord<"(?{i64},?)">'
    for name, rows, crd, verdict in (
        ("cute.memref.store", 65536, thread, OUTSIDE),  # 32 bits hold it where it has no sign
        ("cute.memref.store", 65537, thread, WRONG),  # and this one never
        ("cute.memref.store", 65537, wide, RIGHT),
        ("cute.slice", 65537, thread, WRONG),
        ("cute.get_iter", 65537, thread, RIGHT),
        ("cute.slice", 32768, thread, RIGHT),
    ):
        operands = (tensor(big.format(rows)), read_type(crd))
        operation = Operation(name, ("%0", "%1"), (), "", tuple(one.text for one in operands), (), None, "kernel", 1)
        found = with_offsets(Call(operation, operands, ()), right("closed-form"))
        assert found.verdict == verdict, (name, rows, crd)
        if verdict == WRONG:
            assert found.witness is not None
            assert found.witness.values["expected"] == 65536 * 65536 and found.witness.values["got"] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('f32, smem, "(16,32):(32,1)"', None),
        ('f32, smem, "(16,32):(33,1)"', None),
        ('bf16, smem, "S<3,3,3> o 0 o (8,64):(64,1)"', None),
        ('f32, gmem, "(?,32):(16,1)"', None),
        ('f32, tmem, "(16,32):(16,1)"', None),
        ('f32, smem, "(16,32):(0,1)"', "does not move"),
        ('f32, smem, "(16,32):(16,1)"', "share the offset 16"),
        ('f32, rmem, "(16,32):(16,1)"', "share the offset 16"),
        ('f32, smem, "(16,32):(31,1)"', "share the offset 31"),
        ('bf16, smem, "S<3,3,3> o 0 o (8,64):(32,1)"', "share the offset 32"),
    ],
)
def test_destinations(text: str, told: str | None) -> None:
    found = shared_offsets(tensor(text))
    if told is None:
        assert found is None
    else:
        assert found is not None and told in (found.reason if isinstance(found, Fault) else found)
