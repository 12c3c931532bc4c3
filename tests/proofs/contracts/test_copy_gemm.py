"""COPY and GEMM: preconditions against sizes, coinciding writes against a copy that is carried out."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import Layout, layout, parse, size
from veritile.proofs.contracts.copy_gemm import decide_copy, decide_gemm

from ...model.strategies import layouts
from .evaluation import refuted, verdicts, witness

COPY_ROWS = [
    ("8:1", "8:1"),
    ("(8,2,3):(1,16,32)", "(8,2,3):(1,16,32)"),
    ("(2,3,2):(42,1,128)", "12:1"),
    ("12:1", "(2,3,2):(42,1,128)"),
    ("7:0", "7:1"),
    ("7:0", "7:0"),
    ("(8,3):(1,8)", "(8,3):(3,1)"),
    ("(8,(3,5)):(1,(57,8))", "(8,15):(1,8)"),
]

COPY_FAULTS = [
    ("8:1", "7:1", ["sizes"]),
    ("(2,3,2):(42,1,128)", "13:1", ["sizes"]),
    ("7:1", "7:0", ["writes"]),
    ("(4,2):(1,4)", "(4,2):(1,0)", ["writes"]),
    ("(4,2):(0,1)", "(4,2):(1,0)", ["writes"]),
    ("(4,3):(1,4)", "(4,3):(1,2)", ["writes"]),
    ("(2,2):(0,1)", "(2,2):(1,1)", ["writes"]),
    ("8:1", "S<1,0,1> o 0 o (4,2):(1,2)", ["writes"]),
]


def outcomes(source: Any, destination: Any) -> set[tuple[Any, ...]]:
    """What memory may hold afterwards, over both orders of the writes: one outcome where none race."""
    found = set()
    for order in (range(size(source)), reversed(range(size(source)))):
        memory = {}
        for i in order:
            memory[destination(i)] = source(i)
        found.add(tuple(sorted(memory.items())))
    return found


def confirm_copy(source: Any, destination: Any, found: Any) -> None:
    told = verdicts(found)
    assert (told["sizes"] == "proved") == (size(source) == size(destination))
    if told["sizes"] == "refuted":
        w = witness(found, "sizes")
        assert (w["expected"], w["got"]) == (size(source), size(destination)) and told["writes"] == "unknown"
        return
    written: dict[Any, set[Any]] = {}
    for i in range(size(source)):
        written.setdefault(destination(i), set()).add(source(i))
    races = any(len(values) > 1 for values in written.values())
    assert told["writes"] == ("refuted" if races else "proved")
    if races:
        w = witness(found, "writes")
        i, j = w["index"], w["other_index"]
        assert (
            destination(i) == destination(j) == w["offset"] == destination(w["coordinate"]) == destination(w["other"])
        )
        assert (source(i), source(j)) == w["values"] and source(i) != source(j)


@pytest.mark.parametrize(("source", "destination"), COPY_ROWS)
def test_the_rows_of_the_paper(source: str, destination: str) -> None:
    found = decide_copy(layout(source), layout(destination))
    assert refuted(found) == []
    confirm_copy(layout(source), layout(destination), found)
    assert len(outcomes(layout(source), layout(destination))) == 1


@pytest.mark.parametrize(("source", "destination", "broken"), COPY_FAULTS)
def test_a_faulty_copy_is_refuted(source: str, destination: str, broken: list[str]) -> None:
    a, b = parse(source), parse(destination)
    found = decide_copy(a, b)
    assert refuted(found) == broken
    confirm_copy(a, b, found)
    if broken == ["writes"]:
        assert len(outcomes(a, b)) == 2


@given(layouts(), layouts())
def test_any_copy_is_decided_as_memory_does(source: Layout, destination: Layout) -> None:
    confirm_copy(source, destination, decide_copy(source, destination))


@given(layouts(), st.data())
def test_copies_of_one_shape(source: Layout, data: Any) -> None:
    strides = data.draw(st.permutations([d for _, d in source.modes]))
    destination = Layout(tuple(s for s, _ in source.modes), tuple(strides))
    confirm_copy(source, destination, decide_copy(source, destination))


def test_large_copies() -> None:
    broad = Layout((2**20, 2**20), (1, 0))
    assert refuted(decide_copy(broad, broad)) == []
    assert verdicts(decide_copy(Layout((2**20, 2**20)), broad))["writes"] == "unknown"


M, N, K = 4, 6, 8
GEMM_ROWS = [
    (f"({M},{K}):(1,{M})", f"({N},{K}):(1,{N})", f"({M},{N}):(1,{M})"),  # NT
    (f"({M},{K}):({K},1)", f"({N},{K}):({K},1)", f"({M},{N}):(1,{M})"),  # TN
    (f"({N},{K}):(1,{N})", f"({M},{K}):(1,{M})", f"({N},{M}):(1,{N})"),  # NTT
    (f"({M},{K}):(3,50)", f"({N},{K}):(7,60)", f"({M},{N}):(2,9)"),  # BLIS
    (f"((2,2),{K}):((1,9),20)", f"({N},{K}):({K},1)", f"((2,2),{N}):((1,40),4)"),  # GETT
    (
        f"({M},(2,2,2)):(8,(1,2,4))",
        "((1,1,2,3),(2,2,2)):((0,0,5,1),(1,7,20))",
        f"({M},(1,1,2,3)):(6,(0,0,3,1))",
    ),  # CONV
    (f"({M},{K},3):(1,{M},32)", f"({N},{K},3):(1,{N},48)", f"({M},{N},3):(1,{M},24)"),  # batched
]

GEMM_FAULTS = [
    (f"({M},{K}):(1,{M})", f"({N},{K}):(1,{N})", f"({M + 1},{N}):(1,{M + 1})", ["m"]),
    (f"({M},{K}):(1,{M})", f"({N + 1},{K}):(1,{N})", f"({M},{N}):(1,{M})", ["n"]),
    (f"({M},{K}):(1,{M})", f"({N},{K - 1}):(1,{N})", f"({M},{N}):(1,{M})", ["k"]),
    (f"({M},{K}):(1,{M})", f"({K},{N}):(1,{K})", f"({M},{N}):(1,{M})", ["n", "k"]),
    (f"({M},{K}):(1,{M})", f"({N},{K}):(1,{N})", f"({M},{N}):(1,{M - 1})", ["writes"]),
    (f"({M},{K}):(0,{M})", f"({N},{K}):(1,{N})", f"({M},{N}):(0,1)", ["writes"]),
    (f"({M},{K},3):(1,{M},32)", f"({N},{K},3):(1,{N},48)", f"({M},{N},2):(1,{M},24)", ["l"]),
    (f"({M},{K},3):(1,{M},32)", f"({N},{K},2):(1,{N},48)", f"({M},{N},3):(1,{M},24)", ["l"]),
    (f"({M},{K},3):(1,{M},32)", f"({N},{K},3):(1,{N},48)", f"({M},{N},3):(1,{M},0)", ["writes"]),
]


def confirm_gemm(a: Layout, b: Layout, c: Layout, found: Any) -> None:
    told = verdicts(found)
    pairs = {"m": (a[0], c[0]), "n": (b[0], c[1]), "k": (a[1], b[1])}
    for name, (x, y) in pairs.items():
        assert told[name] == ("proved" if size(x) == size(y) else "refuted")
        if told[name] == "refuted":
            w = witness(found, name)
            assert (w["expected"], w["got"]) == (size(x), size(y))
    image = [c(i) for i in range(size(c))]
    assert told["writes"] == ("proved" if len(set(image)) == len(image) else "refuted")
    if told["writes"] == "refuted":
        w = witness(found, "writes")
        assert w["coordinate"] != w["other"] and c(w["coordinate"]) == c(w["other"]) == w["offset"]


@pytest.mark.parametrize(("a", "b", "c"), GEMM_ROWS)
def test_the_gemms_of_the_paper(a: str, b: str, c: str) -> None:
    found = decide_gemm(layout(a), layout(b), layout(c))
    assert refuted(found) == []
    confirm_gemm(layout(a), layout(b), layout(c), found)


@pytest.mark.parametrize(("a", "b", "c", "broken"), GEMM_FAULTS)
def test_a_faulty_gemm_is_refuted(a: str, b: str, c: str, broken: list[str]) -> None:
    found = decide_gemm(layout(a), layout(b), layout(c))
    assert refuted(found) == broken
    confirm_gemm(layout(a), layout(b), layout(c), found)


@pytest.mark.parametrize("order", [p for p in permutations(range(3)) if p != (0, 1, 2)])
def test_operands_in_another_order(order: tuple[int, ...]) -> None:
    operands = [layout(text) for text in GEMM_ROWS[0]]
    given_ = [operands[i] for i in order]
    found = decide_gemm(*given_)
    confirm_gemm(*given_, found)
    assert (refuted(found) == []) == (order == (1, 0, 2) and M == N)


@pytest.mark.parametrize(
    ("shapes", "verdict"),
    [
        (((4, 8), (6, 8), (4, 6)), "proved"),
        (((4, 8), (6, 8), 24), "refuted"),
        (((4, 8, 2), (6, 8, 2), (4, 6, 2)), "proved"),
        (((4, 8, 2), (6, 8, 2), (4, 6)), "refuted"),
        (((4, 8, 2, 1), (6, 8, 2, 1), (4, 6, 2, 1)), "refuted"),
    ],
)
def test_the_modes_that_a_b_and_c_have(shapes: tuple[Any, Any, Any], verdict: str) -> None:
    found = decide_gemm(*[Layout(shape) for shape in shapes])
    assert (found[0].name, found[0].verdict.value) == ("gemm.modes", verdict)
    assert len(found) == (1 if verdict == "refuted" else len(shapes[0]) + 3)
    if verdict == "refuted":
        assert witness(found, "modes")["got"] == tuple(1 if isinstance(s, int) else len(s) for s in shapes)
