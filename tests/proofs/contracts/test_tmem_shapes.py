"""TMEM shapes: every layout against the figures in words, and planted faults of a warp's access."""

from __future__ import annotations

import pytest

from veritile import InputError, is_injective, layout
from veritile.proofs.contracts.atoms import decide_atom
from veritile.proofs.contracts.obligation import verdict_of
from veritile.proofs.contracts.tmem_shapes import (
    LANE_STEP,
    TmemAccess,
    address_layout,
    decide_tmem_access,
    tmem_fragment,
    tmem_library,
)
from veritile.proofs.verdict import Verdict


@pytest.mark.parametrize("atom", tmem_library(), ids=lambda atom: atom.name)
def test_shape(atom: object) -> None:
    assert verdict_of(decide_atom(atom)) is Verdict.PROVED  # type: ignore[arg-type]


@pytest.mark.parametrize(("shape", "registers"), [("32x32b", 1), ("16x64b", 1), ("16x128b", 2), ("16x256b", 4)])
def test_registers_and_bits(shape: str, registers: int) -> None:
    lanes, bits = map(int, shape.rstrip("b").split("x"))
    for x in (1, 2, 8):
        atom = tmem_fragment(shape, x)
        assert atom.elements == registers * x and atom.tile == (lanes, bits * x // 32)


@pytest.mark.parametrize("shape", ["32x32b", "16x64b", "16x128b", "16x256b"])
def test_addresses_are_the_fragment_s(shape: str) -> None:
    for x in (1, 4):
        atom, addresses = tmem_fragment(shape, x), address_layout(shape, x)
        assert is_injective(addresses)
        for thread in range(32):
            for r in range(atom.elements):
                lane, column = atom.formula(thread, r)
                assert addresses((thread, r)) == lane * LANE_STEP + column


FRAGMENTS = [
    ("16x64b: odd threads in the next column", ("16x64b", 1), "((2,2,8),1):((1,16,2),1)"),
    ("16x128b: registers along the columns", ("16x128b", 2), "((4,8),(2,2)):((1,8),(4,64))"),
    ("16x256b: one column a thread", ("16x256b", 1), "((4,8),(2,2)):((1,8),(4,64))"),
    ("32x32b: lanes fastest", ("32x32b", 2), "(32,2):(1,32)"),
    ("16x64b for 16x128b", ("16x128b", 1), "((2,2,8),2):((32,1,4),2)"),
    ("half the registers", ("16x256b", 2), "((4,8),(2,2)):((2,16),(1,128))"),
]


@pytest.mark.parametrize(("which", "bad"), [f[1:] for f in FRAGMENTS], ids=[f[0] for f in FRAGMENTS])
def test_planted_fragment_fault(which: tuple[str, int], bad: str) -> None:
    atom, wrong = tmem_fragment(*which), layout(bad)
    found = decide_atom(atom, wrong)[0]
    assert found.verdict is Verdict.REFUTED and found.witness is not None
    w = found.witness.values
    if found.witness.kind == "difference":
        lane, column = atom.formula(*w["coordinate"])
        assert wrong(w["coordinate"]) == w["got"] != w["expected"] == column + atom.tile[1] * lane
    assert verdict_of(decide_atom(atom)) is Verdict.PROVED


ACCESSES = [
    ("another warp's lanes", TmemAccess("32x32b", 1, 1, 0, 0), TmemAccess("32x32b", 1, 1, 32, 0)),
    ("warp 4 is warp 0's equal", TmemAccess("32x32b", 1, 4, 128, 0), TmemAccess("32x32b", 1, 4, 0, 0)),
    ("halves start 16 apart", TmemAccess("16x64b", 1, 2, 72, 0), TmemAccess("16x64b", 1, 2, 80, 0)),
    ("one column beyond", TmemAccess("32x32b", 32, 0, 0, 97, 128), TmemAccess("32x32b", 32, 0, 0, 96, 128)),
    ("one column before", TmemAccess("16x256b", 1, 0, 0, 31, 32, 32), TmemAccess("16x256b", 1, 0, 0, 32, 32, 32)),
    ("the last column", TmemAccess("16x128b", 2, 3, 96, 505), TmemAccess("16x128b", 2, 3, 96, 504)),
]


@pytest.mark.parametrize(("bad", "good"), [a[1:] for a in ACCESSES], ids=[a[0] for a in ACCESSES])
def test_planted_access_fault(bad: TmemAccess, good: TmemAccess) -> None:
    refuted = [o for o in decide_tmem_access(bad) if o.verdict is Verdict.REFUTED]
    assert len(refuted) == 1 and refuted[0].witness is not None
    w = refuted[0].witness.values
    atom = tmem_fragment(bad.shape, bad.repetitions)
    touched = {atom.formula(t, r) for t in range(32) for r in range(atom.elements)}
    if refuted[0].witness.kind == "lanes":
        reachable = range(32 * (bad.warp % 4), 32 * (bad.warp % 4) + 32)
        lanes = {bad.lane + lane for lane, _ in touched}
        assert not lanes <= set(reachable) or bad.lane % atom.tile[0]
        assert all({a + lane for lane, _ in touched} <= set(reachable) for a in w["allowed"])
    else:
        columns = {bad.column + column for _, column in touched}
        assert w["offset"] in columns and not bad.first <= w["offset"] < min(bad.first + bad.allocated, 512)
    assert verdict_of(decide_tmem_access(good)) is Verdict.PROVED


def test_refused_input() -> None:
    for shape, x in (("16x32b", 1), ("32x32b", 3), ("32x32b", 256), ("16x256b", 64), ("16x128b", 0)):
        with pytest.raises(InputError):
            tmem_fragment(shape, x)
    assert tmem_fragment("16x256b", 32).elements == 128
    with pytest.raises(InputError):
        decide_tmem_access(TmemAccess("32x32b", 1, -1, 0, 0))
