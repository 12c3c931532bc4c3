"""Vector width: the six conditions against the definition, evaluated element by element."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Layout, layout, parse, size
from veritile.proofs.contracts.vector import OPS, Copy, decide_atom, decide_vector, widest_vector

from ...model.strategies import chains, layouts
from .evaluation import is_vector, is_vectorised, refuted, verdicts, witness

ROW = Copy(Layout(8), Layout(8), 16, (16, 16))

FAULTS: list[tuple[str, Copy, int, list[str]]] = [
    ("a gap in the source", replace(ROW, source=layout("(4,2):(1,5)")), 8, ["contiguous", "owned", "leading"]),
    ("a stride of two", replace(ROW, source=layout("8:2")), 8, ["contiguous", "owned", "leading"]),
    ("another order in the destination", replace(ROW, destination=layout("(2,4):(4,1)")), 8, ["contiguous", "owned"]),
    ("six of eight", Copy(Layout(6), Layout(6), 16, (16, 16)), 4, ["contiguous", "owned"]),
    ("a pointer of 8 bytes", replace(ROW, align=(8, 16)), 8, ["aligned"]),
    ("the other pointer", replace(ROW, align=(16, 8)), 8, ["aligned"]),
    ("a tile offset of 4", replace(ROW, source_offsets=(64, 4)), 8, ["aligned"]),
    (
        "a leading dimension of 12",
        replace(ROW, source=layout("(8,2):(1,12)"), destination=Layout((8, 2))),
        8,
        ["leading"],
    ),
    ("an extent of 100", replace(ROW, extent=100), 8, ["predicated"]),
    (
        "256 bits on sm_90",
        Copy(Layout(8), Layout(8), 32, (32, 32), spaces=("global", "register"), arch=90),
        8,
        ["supported"],
    ),
    ("256 bits to shared memory", Copy(Layout(8), Layout(8), 32, (32, 32), arch=100), 8, ["supported"]),
    ("cp.async of 2 bytes", replace(ROW, op="cp.async"), 1, ["supported"]),
    ("cp.async.cg of 8 bytes", replace(ROW, op="cp.async.cg"), 4, ["supported"]),
    ("cp.async on sm_75", replace(ROW, op="cp.async", arch=75), 8, ["supported"]),
    ("cp.async from shared memory", replace(ROW, op="cp.async", spaces=("shared", "register")), 8, ["supported"]),
    ("two threads' values", replace(ROW, tv=layout("(4,2):(2,1)")), 8, ["owned"]),
    ("values that are not adjacent", replace(ROW, tv=layout("(4,2):(1,4)")), 2, ["owned"]),
    ("one value of 4 bits", Copy(Layout(8), Layout(8), 4, (16, 16)), 1, ["aligned", "supported"]),
    ("an offset of 4 before a swizzle", replace(ROW, source=parse("S<1,3,2> o 4 o 8:1")), 8, ["contiguous", "owned"]),
    ("a swizzle of pairs", replace(ROW, source=parse("S<1,1,2> o 0 o 16:1"), destination=Layout(16)), 8, ["leading"]),
]

RIGHT: list[tuple[Copy, int]] = [
    (ROW, 8),
    (replace(ROW, source=layout("(8,2):(1,16)"), destination=Layout((8, 2))), 8),
    (replace(ROW, destination=layout("(4,2):(1,4)")), 8),
    (Copy(Layout(6), Layout(6), 16, (16, 16)), 2),
    (replace(ROW, align=(8, 16)), 4),
    (replace(ROW, source_offsets=(64, 4)), 4),
    (replace(ROW, extent=104), 8),
    (Copy(Layout(8), Layout(8), 32, (32, 32), spaces=("global", "register"), arch=100), 8),
    (replace(ROW, op="cp.async"), 8),
    (replace(ROW, op="cp.async"), 2),
    (replace(ROW, tv=layout("(4,2):(2,1)")), 2),
    (replace(ROW, tv=layout("(1,8):(0,1)")), 8),
    (Copy(Layout(8), Layout(8), 4, (16, 16)), 2),
    (replace(ROW, source=parse("S<1,3,2> o 0 o 64:1"), destination=Layout(64)), 8),
    (replace(ROW, source=parse("S<1,3,2> o 8 o 8:1")), 8),
    (replace(ROW, source=parse("S<1,3,2> o 4 o 8:1")), 4),
    (replace(ROW, source=layout("(4,2):(1,0)"), destination=Layout((4, 2))), 4),
    (replace(ROW, source=layout("(4,2):(1,0)"), destination=layout("(4,2):(1,0)"), tv=layout("(2,4):(4,1)")), 4),
]


@pytest.mark.parametrize(("name", "copy", "width", "broken"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_a_fault_is_refuted(name: str, copy: Copy, width: int, broken: list[str]) -> None:
    found = decide_vector(copy, width)
    assert refuted(found) == broken
    confirm(copy, width, found)
    assert widest_vector(copy)[0] != width


@pytest.mark.parametrize(("copy", "width"), RIGHT)
def test_the_right_one_beside_it(copy: Copy, width: int) -> None:
    found = decide_vector(copy, width)
    assert refuted(found) == []
    confirm(copy, width, found)


def confirm(copy: Copy, width: int, found: Any) -> None:
    """Verdicts of the conditions on layouts against the definition, and witnesses by evaluation."""
    told = verdicts(found)
    owner = None
    if copy.tv is not None:
        threads = size(copy.tv[0])
        thread_of = {copy.tv((t, v)): t for t in range(threads) for v in range(size(copy.tv[1]))}
        owner = thread_of.get
    moves = is_vectorised(copy.source, copy.destination, width, owner)
    assert moves == all(told[name] == "proved" for name in ("contiguous", "owned", "leading"))
    if owner is not None:
        assert told["owned"] == "proved" or not moves
    for name in ("contiguous", "owned"):
        if told[name] == "refuted" and "run" in (w := witness(found, name)) and copy.tv is None:
            run = w["run"]
            pairs = {(copy.source(i), copy.destination(i)) for i in range(size(copy.source))}
            plain = all(isinstance(side, Layout) for side in (copy.source, copy.destination))
            assert run % width
            if plain:
                assert all((k, k) in pairs for k in range(run)) and (run, run) not in pairs
                for side, where in ((copy.source, w["source"]), (copy.destination, w["destination"])):
                    assert side(where) == run if where is not None else run not in [side(i) for i in range(size(side))]

        elif told[name] == "refuted" and "index" in w:
            assert breaks_its_group(copy, width, w, owner)
    if told["leading"] == "refuted" and "multiple_of" in (w := witness(found, "leading")):
        assert w["offset"] % w["multiple_of"]


def breaks_its_group(copy: Copy, width: int, w: dict[str, Any], owner: Any) -> bool:
    """Whether the blocks that hold an index, of its owner, are no vector."""
    places = [(copy.source(i), copy.destination(i), owner and owner(i)) for i in range(size(copy.source))]
    a, b, t = places[w["index"]]
    whose = [(x, y) for x, y, z in places if z == t and x // width == a // width and y // width == b // width]
    return not is_vector([(x % width, y % width) for x, y in whose], width)


@given(chains(), st.sampled_from((2, 4, 8)), st.data())
def test_layouts_are_decided_by_the_definition(source: Layout, width: int, data: Any) -> None:
    destination = data.draw(st.one_of(chains(), layouts()).filter(lambda m: size(m) == size(source)) | st.just(source))
    copy = Copy(source, destination, 16, (64, 64))
    confirm(copy, width, decide_vector(copy, width))


@given(chains(), st.sampled_from((2, 4)), st.booleans(), st.data())
def test_broadcasts_are_decided_by_the_definition(source: Layout, width: int, swapped: bool, data: Any) -> None:
    rests = data.draw(st.lists(st.booleans(), min_size=len(source.modes), max_size=len(source.modes)))
    shape = tuple(s for s, _ in source.modes)
    first = Layout(shape, tuple(d for _, d in source.modes))
    second = Layout(shape, tuple(0 if rest else d for (_, d), rest in zip(source.modes, rests, strict=True)))
    first = data.draw(st.sampled_from((first, second)))
    copy = Copy(second, first, 16, (64, 64)) if swapped else Copy(first, second, 16, (64, 64))
    confirm(copy, width, decide_vector(copy, width))
    n = size(first)
    values = data.draw(st.sampled_from([v for v in range(1, n + 1) if n % v == 0]))
    copy = replace(copy, tv=Layout((n // values, values), (values, 1)))
    confirm(copy, width, decide_vector(copy, width))


@given(layouts(), st.sampled_from((2, 4)), st.sampled_from((0, 1, 2, 3)), st.sampled_from((1, 2)), st.integers(0, 4))
def test_swizzles_are_decided_by_the_definition(source: Layout, width: int, base: int, shift: int, offset: int) -> None:
    swizzled = parse(f"S<1,{base},{shift}> o {offset} o {source}")
    copy = Copy(swizzled, source, 16, (64, 64))
    confirm(copy, width, decide_vector(copy, width))
    copy = Copy(swizzled, swizzled, 16, (64, 64))
    confirm(copy, width, decide_vector(copy, width))


@given(chains(rank=3), st.sampled_from((2, 4)), st.data())
def test_threads_are_decided_by_the_definition(source: Layout, width: int, data: Any) -> None:
    n = size(source)
    values = data.draw(st.sampled_from([v for v in range(1, n + 1) if n % v == 0]))
    first = data.draw(st.booleans())
    strides = (values, 1) if first else (1, n // values)
    copy = Copy(source, source, 16, (64, 64), tv=Layout((n // values, values), strides))
    confirm(copy, width, decide_vector(copy, width))


def test_the_widest_is_the_largest_that_is_legal() -> None:
    for copy, width in RIGHT:
        best, held, after = widest_vector(copy)
        assert best >= width and refuted(held) == [] and refuted(after)
        assert refuted(decide_vector(copy, best)) == []
        wider = [w for w in (2 * best, 4 * best, 8 * best) if not refuted(decide_vector(copy, w))]
        assert wider == []


def test_nothing_is_legal() -> None:
    assert widest_vector(Copy(Layout(4), Layout(4), 4, (1, 1)))[0] == 2
    best, held, after = widest_vector(Copy(Layout(4, 2), Layout(4, 2), 4, (1, 1)))
    assert best == 0 and "aligned" in refuted(held) and refuted(after)


def test_large_layouts_need_no_enumeration() -> None:
    wide = Layout((2**14, 2**14), (1, 2**14 + 8))
    found = decide_vector(Copy(wide, Layout((2**14, 2**14)), 16, (16, 16)), 8)
    assert refuted(found) == []
    assert "leading" in refuted(decide_vector(Copy(Layout((2**14, 2**14), (1, 2**14 + 4)), wide, 16, (16, 16)), 8))
    broad = Layout((2**14, 2**14), (1, 0))
    assert widest_vector(Copy(broad, wide, 16, (16, 16)))[0] == 8
    folded = Layout((2**14, 2**14), (1, 1))
    best, _, after = widest_vector(Copy(folded, wide, 16, (16, 16)))
    assert best == 1 and verdicts(after)["contiguous"] == "unknown"


def test_an_atom_is_a_whole_number_of_elements() -> None:
    assert refuted(decide_atom(replace(ROW, element_bits=24), 128)) == ["supported"]
    assert refuted(decide_atom(ROW, 128)) == []


def test_what_is_refused() -> None:
    for change in (
        {"source": Layout(7)},
        {"element_bits": 0},
        {"align": (0, 16)},
        {"op": "ldmatrix"},
        {"spaces": ("register", "register")},
        {"tv": Layout(8)},
        {"source": layout("8:e0")},
    ):
        with pytest.raises(InputError):
            replace(ROW, **change)
    with pytest.raises(InputError):
        decide_vector(ROW, 0)
    assert {bits for widths in OPS.values() for bits in widths} == {8, 16, 32, 64, 128, 256}
