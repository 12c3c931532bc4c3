"""Ownership: each answer against counting, each fault with a pair or an element that evaluation confirms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout, Refuted, layout, parse, size
from veritile.proofs.contracts.ownership import decide_layout_tv, decide_ownership, make_layout_tv

from ...model.strategies import chains, layouts
from .evaluation import owners, refuted, verdicts, witness

ROW_OF_32 = "((8,4),(4,2)):((16,1),(4,128))"

FAULTS = [
    ("((8,4),(4,2)):((16,1),(4,64))", (4, 64), None, ["once", "all"]),  # a value stride halved
    ("((8,4),(4,2)):((16,1),(4,256))", (4, 64), None, ["within", "all"]),  # doubled
    ("((8,4),(4,2)):((16,0),(4,128))", (4, 64), None, ["once", "all"]),  # four threads alike
    ("((8,4),(4,2)):((16,1),(4,128))", (4, 63), None, ["within"]),  # a ragged tile
    ("((8,4),(4,2)):((16,1),(4,128))", (4, 65), None, ["all"]),  # a tile of one column more
    ("((8,4),(4,2)):((16,1),(4,128))", (4, 64), 33, ["threads", "once"]),  # one thread more than the layout has
    ("((8,4),(4,2)):((16,1),(4,128))", (4, 64), 31, ["threads", "all"]),  # one fewer
    ("(32,4):(4,1)", (128,), 64, ["threads", "within"]),  # those past the end leave the tile
    ("(32,(2,2)):(4,(1,3))", (128,), None, ["within", "once", "all"]),
    ("(32,4):(1,31)", (128,), None, ["once", "all"]),
]


@pytest.mark.parametrize(("tv", "tile", "threads", "broken"), FAULTS)
def test_a_fault_is_refuted(tv: str, tile: tuple[int, ...], threads: int | None, broken: list[str]) -> None:
    a = layout(tv)
    found = decide_ownership(a, tile, threads)
    assert refuted(found) == broken
    confirm(a, tile, threads, found)


def confirm(a: Any, tile: Any, threads: int | None, found: Any) -> None:
    """Verdicts, witnesses and figures against counting."""
    elements = size(Layout(tile))
    running = threads or size(a[0])
    counts = owners(a, running, elements)
    told = verdicts(found)
    assert told["once"] == ("proved" if max(counts.values(), default=0) < 2 else "refuted")
    assert told["all"] == ("proved" if len(counts) == elements else "refuted")
    assert told["threads"] == ("proved" if running == size(a[0]) else "refuted")
    total = running * size(a[1])
    assert told["within"] == ("proved" if counts.total() == total else "refuted")
    if told["once"] == "refuted":
        w = witness(found, "once")
        assert w["coordinate"] != w["other"]
        assert a(w["coordinate"]) == a(w["other"]) == w["offset"] and 0 <= w["offset"] < elements
        assert max(w["coordinate"][0], w["other"][0]) < running
        assert found[2].details["shared"] == sum(n > 1 for n in counts.values())
    if told["all"] == "refuted":
        assert counts[witness(found, "all")["offset"]] == 0
        assert found[3].details["missed"] == elements - len(counts)
    if told["within"] == "refuted":
        w = witness(found, "within")
        assert a(w["coordinate"]) == w["offset"] and not 0 <= w["offset"] < elements
        assert found[1].details["outside"] == total - counts.total()
    if told["threads"] == "refuted":
        w = witness(found, "threads")
        place = a((w["thread"], w["value"]))
        assert w["element"] == (place if 0 <= place < elements else None)
        ends = sorted((running, size(a[0])))
        assert w["thread"] == ends[0]
        assert found[0].details == {"off" if running > size(a[0]) else "absent": ends}


def test_the_right_one_beside_them() -> None:
    found = decide_ownership(layout(ROW_OF_32), (4, 64))
    assert refuted(found) == []
    assert [o.evidence for o in found] == [("definition",), ("closed-form",), ("closed-form",), ("closed-form",)]


def test_spare_threads_are_kept_out_by_a_guard() -> None:
    found = decide_ownership(layout(ROW_OF_32), (4, 64), threads=64, active=32)
    assert refuted(found) == [] and "threads 32 to 63 are kept out" in found[0].reason
    assert refuted(decide_ownership(layout(ROW_OF_32), (4, 64), threads=64, active=33)) == ["threads", "once"]
    assert found[0].details == {"threads": 32}
    assert decide_ownership(layout(ROW_OF_32), (4, 64), threads=64)[0].details["off"] == [32, 64]


def test_which_threads_have_nothing_in_a_ragged_tile() -> None:
    found = decide_ownership(layout("(32,4):(4,1)"), (100,))
    assert refuted(found) == ["within"]
    assert found[1].details == {"outside": 28, "off": list(range(25, 32))}
    assert decide_ownership(layout("(32,4):(4,1)"), (102,))[1].details == {"outside": 26, "off": list(range(26, 32))}


def test_elements_may_be_coordinates() -> None:
    fp64 = layout("((4,8),2):((2e1,e0),e1)")
    assert refuted(decide_ownership(fp64, (8, 8))) == []
    # 8 columns of 7 rows: row 7 is outside, though its index would be the next column's
    found = decide_ownership(fp64, (7, 8))
    assert refuted(found) == ["within"] and found[1].details["outside"] == 8
    assert refuted(decide_ownership(layout("((4,8),2):((e1,e0),e1)"), (8, 8))) == ["once", "all"]
    with pytest.raises(InputError, match="no axis"):
        decide_ownership(layout("((4,8),2):((2e2,e0),e1)"), (8, 8))


def test_a_swizzled_map_owns_once_too() -> None:
    assert refuted(decide_ownership(parse("S<2,0,2> o 0 o (4,4):(4,1)"), (16,))) == []
    assert refuted(decide_ownership(parse("S<2,0,2> o 0 o (4,4):(4,2)"), (16,))) == ["within", "once", "all"]


def test_sizes_beyond_enumeration() -> None:
    large = Layout((2**20, 2**10), (2**10, 1))
    assert refuted(decide_ownership(large, (2**30,))) == []
    found = decide_ownership(large, (2**30 + 1,))
    assert refuted(found) == ["all"] and witness(found, "all")["offset"] == 2**30
    met = decide_ownership(Layout((2**20, 2**10), (2**10 - 1, 1)), (2**30,))
    w = witness(met, "once")
    assert (2**10 - 1) * w["coordinate"][0] + w["coordinate"][1] == (2**10 - 1) * w["other"][0] + w["other"][1]


@pytest.mark.parametrize("tv", ["32:1", "(2,2,2):(1,2,4)"])
def test_two_modes_are_wanted(tv: str) -> None:
    with pytest.raises(InputError, match="two modes"):
        decide_ownership(layout(tv), (32,))


@given(layouts(rank=1), layouts(rank=2), st.integers(1, 40), st.one_of(st.none(), st.integers(1, 12)))
def test_any_map_is_decided_as_counting_does(a: Layout, b: Layout, elements: int, threads: int | None) -> None:
    tv = Layout((a.shape, b.shape), (a.stride, b.stride))
    confirm(tv, (elements,), threads, decide_ownership(tv, (elements,), threads))


# make_layout_tv; the expected layouts are what CuTe DSL 4.8.1 gives

MADE = [
    ("(4,8):(8,1)", "(2,4):(4,1)", (8, 32), "((8,4),(4,2)):((32,2),(8,1))"),
    ("(4,8):(1,4)", "(1,4):(0,1)", (4, 32), "((4,8),4):((1,16),4)"),
    ("(16,8):(8,1)", "(1,8):(0,1)", (16, 64), "((8,16),8):((128,1),16)"),
    ("32:1", "4:1", (128,), "(32,4):(4,1)"),
    ("(4,8):(8,1)", "4:1", (16, 8), "((8,4),4):((16,4),1)"),
    ("(2,2,2):(1,2,4)", "(2,1,3):(1,0,2)", (4, 2, 6), "((4,2),(2,3)):((2,24),(1,8))"),
]


@pytest.mark.parametrize(("threads", "values", "tiler", "tv"), MADE)
def test_a_map_is_made_and_owns_once(threads: str, values: str, tiler: tuple[int, ...], tv: str) -> None:
    made = make_layout_tv(layout(threads), layout(values))
    assert (made.tiler, str(made.layout)) == (tiler, tv)
    owes = decide_layout_tv(layout(threads), layout(values))[1]
    assert refuted(owes) == []


@pytest.mark.parametrize(
    ("threads", "values", "kind"),
    [
        ("(4,8):(9,1)", "4:1", "unreachable"),
        ("(4,8):(0,1)", "4:1", "unreachable"),
        ("32:1", "4:2", "unreachable"),
        ("32:2", "4:1", "unreachable"),
        ("(4,8):(4,1)", "(1,4):(0,1)", "unreachable"),
    ],
)
def test_no_map_is_made_of_what_is_not_compact(threads: str, values: str, kind: str) -> None:
    with pytest.raises(Refuted) as error:
        make_layout_tv(layout(threads), layout(values))
    assert error.value.witness is not None and error.value.witness.kind == kind
    missing = error.value.witness.values["offset"]
    parts = [layout(threads), layout(values)]
    assert any(missing < size(p) and missing not in [p(i) for i in range(size(p))] for p in parts)


@given(chains(rank=2, gaps=st.just(1)), chains(rank=2, gaps=st.just(1)))
def test_every_map_that_is_made_owns_once(threads: Layout, values: Layout) -> None:
    tv, owes = decide_layout_tv(threads, values)
    assert tv is not None and refuted(owes) == []
    elements = size(Layout(tv.tiler))
    assert owners(tv.layout, size(threads), elements) == dict.fromkeys(range(elements), 1)
    assert size(tv.layout[0]) == size(threads) and size(tv.layout[1]) == size(values)


DSL = """
import json, sys
import cutlass.cute as cute
from cutlass._mlir import ir
with ir.Context(), ir.Location.unknown():
    m = ir.Module.create()
    with ir.InsertionPoint(m.body):
        for (ts, td), (vs, vd) in eval(sys.argv[1]):
            tiler, tv = cute.make_layout_tv(cute.make_layout(ts, stride=td), cute.make_layout(vs, stride=vd))
            print(f"{tiler}|{tv.shape}:{tv.stride}".replace(" ", ""))
"""


@pytest.mark.slow
def test_the_same_as_the_dsl(oracle_python: Callable[[str], str]) -> None:
    import subprocess

    parts = [(layout(t), layout(v), tiler, tv) for t, v, tiler, tv in MADE]
    argument = repr([((t.shape, t.stride), (v.shape, v.stride)) for t, v, _, _ in parts])
    said = subprocess.run(
        [oracle_python("cutlass"), "-c", DSL, argument], capture_output=True, text=True, check=True, timeout=120
    )
    for line, (_, _, tiler, tv) in zip(said.stdout.splitlines(), parts, strict=True):
        assert line == f"{tiler}|{tv}".replace(" ", "")
