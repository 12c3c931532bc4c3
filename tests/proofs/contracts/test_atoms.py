"""Atoms: every layout against the manual's formulas, written a second time; planted faults with their witnesses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from veritile import ComposedLayout, InputError, Layout, Refuted, layout, parse, size, slice_, tile
from veritile.proofs.contracts import atoms
from veritile.proofs.contracts.atoms import (
    Atom,
    decide_atom,
    decide_operand,
    decide_tiles,
    matrix_fragment,
    matrix_rows,
    mma_fragment,
    smem_atom,
    tile_to_shape,
    wgmma_a,
    wgmma_accumulator,
)
from veritile.proofs.contracts.obligation import verdict_of
from veritile.proofs.verdict import Verdict

LIBRARY = {atom.name: atom for atom in atoms.library()}


@pytest.mark.parametrize("name", [name for name in LIBRARY if not name.startswith("wgmma.m64n")])
def test_atom(name: str) -> None:
    assert verdict_of(decide_atom(LIBRARY[name])) is Verdict.PROVED


@pytest.mark.parametrize("n", range(8, 257, 8))
def test_accumulator(n: int) -> None:
    assert verdict_of(decide_atom(wgmma_accumulator(n))) is Verdict.PROVED


# The manual's cases, as it prints them


def a_m16n8k16(lane: int, i: int) -> tuple[int, int]:
    row = lane >> 2 if 0 <= i < 2 or 4 <= i < 6 else (lane >> 2) + 8
    col = (lane % 4) * 2 + (i & 1) if i < 4 else (lane % 4) * 2 + (i & 1) + 8
    return row, col


def b_m16n8k16(lane: int, i: int) -> tuple[int, int]:
    row = (lane % 4) * 2 + (i & 1) if i < 2 else (lane % 4) * 2 + (i & 1) + 8
    return lane >> 2, row


def a_m16n8k8_tf32(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2 if i in (0, 2) else (lane >> 2) + 8), (lane % 4 if i in (0, 1) else lane % 4 + 4)


def a_m16n8k32(lane: int, i: int) -> tuple[int, int]:
    row = lane >> 2 if 0 <= i < 4 or 8 <= i < 12 else (lane >> 2) + 8
    col = (lane % 4) * 4 + (i & 3) if i < 8 else (lane % 4) * 4 + (i & 3) + 16
    return row, col


def c_m16n8(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2 if i < 2 else (lane >> 2) + 8), (lane % 4) * 2 + (i & 1)


PRINTED: list[tuple[Atom, Callable[[int, int], tuple[int, int]]]] = [
    (mma_fragment("A", 16), a_m16n8k16),
    (mma_fragment("B", 16), b_m16n8k16),
    (mma_fragment("A", 8), lambda lane, i: (lane // 4 + 8 * (i >= 2), lane % 4 * 2 + (i & 1))),
    (mma_fragment("B", 8), lambda lane, i: (lane // 4, lane % 4 * 2 + i)),
    (mma_fragment("A", 4, 32), lambda lane, i: (lane // 4 + 8 * i, lane % 4)),
    (mma_fragment("B", 4, 32), lambda lane, i: (lane // 4, lane % 4)),
    (mma_fragment("A", 8, 32), a_m16n8k8_tf32),
    (mma_fragment("B", 8, 32), lambda lane, i: (lane // 4, lane % 4 + 4 * i)),
    (mma_fragment("A", 32, 8), a_m16n8k32),
    (mma_fragment("B", 32, 8), lambda lane, i: (lane // 4, lane % 4 * 4 + (i & 3) + 16 * (i >= 4))),
    (mma_fragment("C", 16), c_m16n8),
    (matrix_fragment(1), lambda lane, i: (lane // 4, 2 * (lane % 4) + i)),
    (matrix_fragment(1, transposed=True), lambda lane, i: (2 * (lane % 4) + i, lane // 4)),
]


@pytest.mark.parametrize(("atom", "printed"), PRINTED, ids=[a.name for a, _ in PRINTED])
def test_layout_is_what_the_manual_prints(atom: Atom, printed: Callable[[int, int], tuple[int, int]]) -> None:
    for lane in range(atom.threads):
        for i in range(atom.elements):
            assert atom.where(atom.layout((lane, i))) == printed(lane, i)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_of_wgmma_is_mma_s_a_in_each_warp(bits: int) -> None:
    a, of_warp = wgmma_a(bits), mma_fragment("A", 256 // bits, bits)
    for thread in range(128):
        for i in range(a.elements):
            row, column = of_warp.where(of_warp.layout((thread % 32, i)))
            assert a.where(a.layout((thread, i))) == (row + 16 * (thread // 32), column)


def test_accumulator_is_mma_s_c_in_each_warp_and_8_columns() -> None:
    d, c = wgmma_accumulator(24), mma_fragment("C", 16)
    for thread in range(128):
        for i in range(12):
            row, column = c.where(c.layout((thread % 32, i % 4)))
            assert d.where(d.layout((thread, i))) == (row + 16 * (thread // 32), column + 8 * (i // 4))


def test_ldmatrix_x4_gives_mma_its_a() -> None:
    """Four matrices, rows first and then halves of k, are the registers of A."""
    a, fragment = mma_fragment("A", 16), matrix_fragment(4)
    for lane in range(32):
        for i in range(8):
            row, column = fragment.where(fragment.layout((lane, i)))
            matrix, row = divmod(row, 8)
            assert a.where(a.layout((lane, i))) == (row + 8 * (matrix % 2), column + 8 * (matrix // 2))


# Planted faults in fragments: the twin is the atom's own layout

FRAGMENTS = [
    ("rows and columns of registers exchanged", mma_fragment("A", 16), "((4,8),(2,2,2)):((32,1),(16,128,8))"),
    ("lanes exchanged", mma_fragment("C", 16), "((8,4),(2,2)):((1,32),(16,8))"),
    ("k of tf32 as k of f16", mma_fragment("A", 8, 32), "((4,8),(2,2)):((16,1),(64,8))"),
    ("B numbered K first", mma_fragment("B", 16), "((4,8),(2,2)):((2,16),(1,8))"),
    ("a warp's rows 8 apart", wgmma_accumulator(8), "((4,8,4),(2,2)):((128,1,8),(64,8))"),
    ("column pairs not adjacent", wgmma_accumulator(16), "((4,8,4),(2,2,2)):((64,1,16),(256,8,512))"),
    ("not transposed", matrix_fragment(4, transposed=True), "(32,(2,4)):(2,(1,64))"),
    ("too few values", wgmma_accumulator(16), "((4,8,4),(2,2)):((128,1,16),(64,8))"),
    ("one thread too many", matrix_rows(4), "(33,8):(8,1)"),
]


@pytest.mark.parametrize(("atom", "bad"), [f[1:] for f in FRAGMENTS], ids=[f[0] for f in FRAGMENTS])
def test_planted_fragment_fault(atom: Atom, bad: str) -> None:
    wrong = layout(bad)
    found = decide_atom(atom, wrong)[0]
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    w = found.witness.values
    if found.witness.kind == "size":
        assert w["got"] == (size(wrong[0]), size(wrong[1])) != w["expected"]
    else:
        row, column = atom.formula(*w["coordinate"])
        assert wrong(w["coordinate"]) == w["got"] != w["expected"]
        assert w["expected"] == (row + atom.tile[0] * column if atom.rows_first else column + atom.tile[1] * row)
    assert verdict_of(decide_atom(atom)) is Verdict.PROVED


def test_a_layout_that_covers_nothing_twice_is_told_apart_from_one_that_does() -> None:
    overlapping = layout("((4,8,4),(2,2)):((128,1,8),(64,8))")
    found = decide_atom(wgmma_accumulator(8), overlapping)[1]
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    assert found.witness.values["offset"] not in {overlapping(i) for i in range(512)}
    permuted = layout("((4,8,4),(2,2)):((128,1,16),(8,64))")
    assert [o.verdict.value for o in decide_atom(wgmma_accumulator(8), permuted)] == ["refuted", "proved"]


# Operands of wgmma in shared memory


def first_k(whole: Any, bits: int) -> Any:
    """The part of a tile that one instruction takes."""
    inner = whole.layout if isinstance(whole, ComposedLayout) else whole
    cut = tile(inner, (size(inner[0]), 256 // bits))
    return ComposedLayout(whole.function, 0, cut) if isinstance(whole, ComposedLayout) else cut


@pytest.mark.parametrize("span", atoms.SPANS)
@pytest.mark.parametrize(("major", "bits"), [("K", 8), ("K", 16), ("K", 32), ("MN", 16)])
def test_tiled_atoms_are_canonical(major: str, bits: int, span: int) -> None:
    atom = smem_atom(major, span, bits)
    k = max(256 // bits, size(Layout(atom.shape[1])))
    for order in ((0, 1), (1, 0)):
        whole = tile_to_shape(atom, (128, 2 * k), order)
        found = decide_operand(first_k(whole, bits), bits, major)
        assert found.verdict is Verdict.PROVED, found.reason
        assert (found.details["span_bytes"], found.details["major"]) == (span, major)


def test_offsets_of_a_descriptor() -> None:
    whole = tile_to_shape(smem_atom("MN", 128, 16), (128, 64))
    found = decide_operand(first_k(whole, 16), 16, "MN")
    assert found.details == {"major": "MN", "span_bytes": 128, "leading_bytes": 1024, "stride_bytes": 2048}
    whole = tile_to_shape(smem_atom("K", 16, 16), (64, 16))
    assert decide_operand(whole, 16).details["leading_bytes"] == 1024


OPERANDS = [
    ("a swizzle in bytes", "S<3,4,3> o 0 o ((8,8),16):((64,512),1)", "S<3,3,3> o 0 o ((8,8),16):((64,512),1)", 16, "K"),
    ("no swizzle on rows of 128 bytes", "((8,8),16):((64,512),1)", "((8,8),(8,2)):((8,64),(1,512))", 16, "K"),
    (
        "64 bytes on rows of 128",
        "S<2,3,3> o 0 o ((8,8),16):((64,512),1)",
        "S<2,3,3> o 0 o ((8,8),16):((32,256),1)",
        16,
        "K",
    ),
    ("padded rows", "S<3,3,3> o 0 o ((8,8),16):((72,576),1)", "S<3,3,3> o 0 o ((8,8),16):((64,1024),1)", 16, "K"),
    (
        "MN-major called K-major",
        "S<3,3,3> o 0 o (64,(8,2)):(1,(64,512))",
        "S<3,3,3> o 0 o ((8,8),16):((64,512),1)",
        16,
        "K",
    ),
    (
        "K-major called MN-major",
        "S<3,3,3> o 0 o ((8,8),16):((64,512),1)",
        "S<3,3,3> o 0 o (64,(8,2)):(1,(64,512))",
        16,
        "MN",
    ),
    ("k of f16 for fp8", "S<3,4,3> o 0 o (64,16):(128,1)", "S<3,4,3> o 0 o (64,32):(128,1)", 8, "K"),
    (
        "a stride that no descriptor holds",
        "S<3,3,3> o 0 o ((8,8),16):((64,516),1)",
        "S<3,3,3> o 0 o ((8,8),16):((64,512),1)",
        16,
        "K",
    ),
    (
        "padding between patterns",
        "S<3,3,3> o 0 o ((8,8),16):((64,576),1)",
        "S<3,3,3> o 0 o ((8,8),16):((64,512),1)",
        16,
        "K",
    ),
    (
        "a start in the second row",
        "S<3,3,3> o 64 o ((8,8),16):((64,512),1)",
        "S<3,3,3> o 16 o ((8,8),16):((64,512),1)",
        16,
        "K",
    ),
    (
        "a start inside a chunk",
        "S<3,3,3> o 4 o ((8,8),16):((64,512),1)",
        "S<3,3,3> o 48 o ((8,8),16):((64,512),1)",
        16,
        "K",
    ),
    (
        "a stride of 2^18",
        "S<3,3,3> o 0 o ((8,8),16):((64,131072),1)",
        "S<3,3,3> o 0 o ((8,8),16):((64,130560),1)",
        16,
        "K",
    ),
]


@pytest.mark.parametrize(("bad", "good", "bits", "major"), [o[1:] for o in OPERANDS], ids=[o[0] for o in OPERANDS])
def test_planted_operand_fault(bad: str, good: str, bits: int, major: str) -> None:
    found = decide_operand(parse(bad), bits, major)
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    w = found.witness.values
    if found.witness.kind == "difference":
        whole = parse(bad)
        inner = whole.layout if isinstance(whole, ComposedLayout) else whole
        assert inner(w["coordinate"]) == w["got"] != w["expected"]
    assert decide_operand(parse(good), bits, major).verdict is Verdict.PROVED


def test_fp8_and_tf32_are_k_major_only() -> None:
    for bits in (8, 32):
        with pytest.raises(InputError, match="K-major"):
            smem_atom("MN", 128, bits)
        with pytest.raises(InputError, match="K-major"):
            decide_operand(parse("(64,8):(1,64)"), bits, "MN")


TILES = [
    ("4 rows by 8", "(8,16):(16,1)", (4, 16), (8, 16)),
    ("65 rows by 8", "(8,64):(64,1)", (65, 64), (64, 64)),
    ("96 columns by 64", "S<3,3,3> o 0 o (8,64):(64,1)", (64, 96), (64, 128)),
    ("32 of an MN-major 64", "S<3,3,3> o 0 o (64,8):(1,64)", (32, 8), (64, 8)),
    ("12 of nested (2,4)", "((2,4),4):((1,2),8)", (12, 4), (16, 4)),
]


@pytest.mark.parametrize(("atom", "bad", "good"), [t[1:] for t in TILES], ids=[t[0] for t in TILES])
def test_planted_tile_fault(atom: str, bad: tuple[int, ...], good: tuple[int, ...]) -> None:
    found = decide_tiles(parse(atom), bad)
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    w = found.witness.values
    assert w["extent"] == bad[w["mode"]] and w["extent"] % w["atom"]
    with pytest.raises(Refuted, match="does not divide"):
        tile_to_shape(parse(atom), bad)
    whole = tile_to_shape(parse(atom), good)
    assert [size(Layout(mode)) for mode in whole.shape] == list(good)


def test_a_tiled_atom_is_the_atom_everywhere() -> None:
    rng = Random(6)
    for _ in range(20):
        rows, columns = rng.choice([2, 4, 8]), rng.choice([2, 3, 8])
        atom = Layout((rows, columns), (columns, 1))
        m, n = rng.randint(1, 3), rng.randint(1, 3)
        order = rng.choice([(0, 1), (1, 0)])
        whole = tile_to_shape(atom, (m * rows, n * columns), order)
        for i in range(m * rows):
            for j in range(n * columns):
                block = i // rows + m * (j // columns) if order == (0, 1) else j // columns + n * (i // rows)
                assert whole((i, j)) == block * rows * columns + atom((i % rows, j % columns))


def test_stages_come_last_in_either_order() -> None:
    for order in ((0, 1, 2), (1, 0, 2)):
        whole = tile_to_shape(Layout((8, 64, 1), (64, 1, 512)), (64, 128, 3), order)
        assert slice_(whole, (0, 0, 1))[1] == 64 * 128


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wgmma_accumulator(12), "multiple of 8"),
        (lambda: wgmma_accumulator(264), "multiple of 8"),
        (lambda: wgmma_a(64), "8, 16 or 32"),
        (lambda: mma_fragment("A", 32), "no k32 for elements of 16 bits"),
        (lambda: mma_fragment("D", 16), "operands"),
        (lambda: matrix_fragment(3), "1, 2 or 4"),
        (lambda: smem_atom("K", 256, 16), "16, 32, 64 or 128"),
        (lambda: smem_atom("M", 128, 16), "K-major or MN-major"),
        (lambda: decide_atom(wgmma_a(), layout("4:1")), "two modes"),
        (lambda: tile_to_shape(layout("(8,8):(1,8)"), (8, 8), (0, 0)), "each of 0 to 1 once"),
        (lambda: tile_to_shape(layout("(8,8):(1,8)"), (8, 8, 8)), "modes"),
    ],
)
def test_refused_input(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
