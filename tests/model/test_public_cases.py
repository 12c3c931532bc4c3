"""Public reports with the right value, each a test of its own wherever its operation exists in model/."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import veritile as vt
from veritile import InputError, Layout, layout, parse
from veritile.model.properties import refute_injective, refute_within

from . import postconditions as post

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent.parent / "cases" / "public_cases.json").read_text(encoding="utf-8"))
}

NAMES = {"coal-3469", "comp-3470", "div-3513dyn", "rinv-3471"}
"""Cases of sizes that are not known yet, each a test of its own in tests/proofs/test_names.py."""

CONTRACTS = {
    "bank-343f16",
    "bank-leimao22",
    "misc-2874",
    "tma-2364",
    "tma-2404",
    "tma-2701",
    "tma-3121",
    "tma-3314",
    "tma-3643",
    "tma-cudnn426",
    "tmem-2995",
    "tmem-3535",
    "tv-1873",
    "tv-2492",
    "tv-3111",
    "vec-1561",
    "vec-2319",
    "vec-3033",
}
"""Cases of what a kernel owes, each a test of its own in tests/proofs/contracts/."""

CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {}


def case(*names: str) -> Callable[[Callable[[dict[str, Any]], None]], Callable[[dict[str, Any]], None]]:
    def register(check: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
        for name in names:
            assert name not in CHECKS
            CHECKS[name] = check
        return check

    return register


@pytest.mark.parametrize("name", sorted(set(CASES) - NAMES - CONTRACTS))
def test_case(name: str) -> None:
    CHECKS[name](CASES[name])


def test_no_case_is_lost() -> None:
    assert len(CASES) == 92
    assert set(CHECKS).isdisjoint(NAMES) and CONTRACTS.isdisjoint({*CHECKS, *NAMES})
    assert set(CHECKS) | NAMES | CONTRACTS == set(CASES)


def right_layout(text: str) -> Layout:
    return layout(text.split(";")[0].split(" ")[0])


def tiler(value: Any) -> Any:
    """Tilers as the file writes them: Python tuples of integers, None and texts, or a layout."""
    if isinstance(value, int):
        return value
    text = str(value).replace("None", "_").replace("'", "").replace(" ", "").replace(",)", ")")
    if text.startswith("(") and ":" in text and "),(" in text.replace("):(", ""):
        return vt.parse_tiler("<" + text[1:-1] + ">")
    if "3:3" in text:
        return vt.parse_tiler("<" + text[1:-1] + ">")
    return vt.parse_tiler(text)


# Composition


@case("comp-1353b", "comp-2113", "comp-2432", "comp-2515a", "comp-leimao", "comp-trunc-1", "comp-trunc-2")
def composes(c: dict[str, Any]) -> None:
    a, b = layout(c["inputs"]["A"]), layout(c["inputs"]["B"])
    r = vt.composition(a, b)
    assert r == right_layout(c["right"])
    post.holds_composition(a, b, r)
    shown = c["right"].split("[")[1].rstrip("]").replace(",...", "")
    values = [int(v) for v in shown.split(",")]
    assert post.table(r)[: len(values)] == values


@case("comp-2955", "comp-3177")
def refuses_to_compose(c: dict[str, Any]) -> None:
    a, b = layout(c["inputs"]["A"]), layout(c["inputs"]["B"])
    refusal = post.raises(vt.CompositionRefuted, lambda: vt.composition(a, b))
    post.holds_composition_refusal(a, b, refusal.witness)
    values = [int(v) for v in c["right"].split("[")[1].rstrip("]").split(",")]
    assert values[refusal.witness.values["index"]] == refusal.witness.values["expected"]


@case("comp-oob-silent")
def leaves_its_operand(c: dict[str, Any]) -> None:
    answer = vt.decide_composition(layout(c["inputs"]["A"]), layout(c["inputs"]["B"]))
    assert answer.in_bounds is False
    assert post.table(answer.result) == [0, 4, 8, 12, 16, 20, 24, 28]
    assert vt.decide_composition(layout("(4,4):(1,4)"), layout("4:4")).in_bounds is True


# Complement


@case("compl-1466", "compl-3058")
def complements(c: dict[str, Any]) -> None:
    a, bound = layout(c["inputs"]["L"]), c["inputs"]["bound"]
    assert vt.complement(a, bound) == right_layout(c["right"])
    post.holds_complement(a, bound, vt.complement(a, bound), 0)


@case("compl-inadm", "compl-neg", "compl-overlap")
def has_no_complement(c: dict[str, Any]) -> None:
    a, bound = layout(c["inputs"]["L"]), c["inputs"]["bound"]
    refusal = post.raises(vt.ComplementRefuted, lambda: vt.complement(a, bound))
    kind = {"compl-inadm": "unreachable", "compl-neg": "negative", "compl-overlap": "collision"}[c["id"]]
    assert refusal.witness.kind == kind
    post.holds_complement_refusal(a, refusal.witness)
    if c["id"] == "compl-inadm":
        partial = vt.decide_partial_complement(a, bound)
        assert not partial.exact and partial.notes
        post.holds_partial(a, bound, partial.result)


# Divide and product


@case(
    "div-1230",
    "div-1449",
    "div-2083",
    "div-2545",
    "div-fly739a",
    "div-fly739b",
    "div-mojo5909",
    "div-nested",
    "div-ragged",
    "coal-1x",
)
def divides(c: dict[str, Any]) -> None:
    inputs = c["inputs"]
    a = layout(str(inputs.get("A", inputs.get("L"))).replace(",)", ")"))
    form = "zipped" if "zipped" in c["operation"] else "logical"
    answer = vt.decide_divide(a, tiler(inputs.get("T", inputs.get("tiler"))), form)
    want = layout(c["right"].split(";")[0].replace(",)", ")"))
    got = answer.result
    assert vt.size(got) == vt.size(want)
    for i in post.indices(vt.size(want)):
        assert got(i) == want(i), f"{got} against {want} at {i}"
    assert len(got) == len(want)
    if "out of range" in c["right"]:
        count = int(c["right"].split(";")[-1].split()[0])
        assert answer.out_of_range == count and answer.exact is False and answer.notes
    else:
        assert answer.out_of_range == 0 and answer.exact is True


@case("div-3513")
def refuses_to_divide(c: dict[str, Any]) -> None:
    a, t = layout(c["inputs"]["A"]), layout(c["inputs"]["T"])
    refusal = post.raises(vt.DivideRefuted, lambda: vt.zipped_divide(a, t))
    w = refusal.witness.values
    assert w["expected"] != w["got"] and w["expected"] == a(w["index"])


@case("prod-3478")
def repeats(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["A"])
    r = vt.logical_product(a, c["inputs"]["T"])
    assert r == right_layout(c["right"])
    post.holds_product(a, layout("4:1"), r)


@case("prod-rank")
def rakes(c: dict[str, Any]) -> None:
    r = vt.raked_product(layout(c["inputs"]["thr"]), layout(c["inputs"]["val"]))
    assert vt.equal(r, right_layout(c["right"])) and len(r) == 2


# Inverses


@case("linv-2094", "linv-2094b", "linv-3485b", "linv-3485c", "linv-pad")
def inverts_from_the_left(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    r = vt.left_inverse(a)
    assert all(r(a(i)) == i for i in range(vt.size(a)))


@case("linv-2722")
def inverts_with_a_shape(c: dict[str, Any]) -> None:
    r = vt.composition(vt.left_inverse(layout(c["inputs"]["L"])), Layout((8, 2)))
    assert r == right_layout(c["right"])


@case("rinv-1625")
def inverts_from_the_right(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    r = vt.right_inverse(a)
    post.holds_right_inverse(a, r)
    assert vt.size(r) == 72 and vt.equal(r, layout("(2,3,4,3):(1,8,2,24)"))


@case("swz-tile")
def no_tiling_of_four_rows_by_eight(c: dict[str, Any]) -> None:
    atom = layout(c["inputs"]["atom"])
    post.raises(vt.ProductRefuted, lambda: vt.tile_to_shape(atom, (4, 16), (0, 1)))
    assert str(vt.tile_to_shape(atom, (8, 16), (0, 1))) == "(8,16):(16,1)"


# Coordinates


@case("crd-2323")
def swapped_arguments(c: dict[str, Any]) -> None:
    assert layout("(2,2):(1,2)")((0, 1)) == 2
    post.raises(InputError, lambda: layout("(2,2):(1,2)")(layout("(2,2):(1,2)")))
    post.raises(InputError, lambda: vt.crd2idx(layout("(2,2):(1,2)"), (0, 1)))


@case("crd-3491")
def a_coordinate_with_a_size_one_mode(c: dict[str, Any]) -> None:
    shape = vt.parse_shape(c["inputs"]["shape"])
    crd = vt.idx2crd(3, shape)
    assert crd == (0, (1, 1))
    a = Layout(shape, (0, (1, 2)))
    assert a(crd) == 3
    # 7 lies outside (1,(2,2)): the last mode is not reduced, and the reported value is the one reduced
    assert vt.idx2crd(7 % 4, shape) == (0, (1, 1)) and not a.in_bounds(7)


@case("crd-oob")
def out_of_range_is_told(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    assert (a(6), a.in_bounds(6)) == (12, True)
    assert (a(14), a.in_bounds(14)) == (32, False)


@case("tv-helion")
def indexed_past_its_end(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["tile"])
    assert a.in_bounds(16383) and not a.in_bounds(16384) and not a.in_bounds(32767)
    assert vt.is_within(a, 16384) and 32767 - (vt.size(a) - 1) == 16384


# Sizes beyond 32 bits


@case("i32-2715")
def a_batch_stride(c: dict[str, Any]) -> None:
    a = Layout((2, 65536, 65536), (c["inputs"]["stride0"], 65536, 1))
    assert a((1, 0, 0)) == 1 << 32 and vt.is_bijective(a)


@case("i32-3208")
def an_offset_beyond(c: dict[str, Any]) -> None:
    assert Layout(2**31, 4)(2**30) == 4294967296


@case("i32-3327")
def a_stride_that_is_never_used(c: dict[str, Any]) -> None:
    shape = (1, 2**21, 8, 128)
    a = Layout(shape, (2147483648, 1024, 128, 1))
    assert vt.cosize(a) == 2**31 and vt.is_bijective(a)
    assert vt.equal(a, Layout(shape, (0, 1024, 128, 1)))


@case("i32-3604")
def a_row_beyond(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    assert vt.slice_(a, (c["inputs"]["row"], None))[1] == 2147483648
    assert vt.cosize(a) == 2147483652 > 2**31


@case("i32-mslk303")
def a_row_of_heads(c: dict[str, Any]) -> None:
    n = c["inputs"]["N"]
    assert Layout((n + 1, 8, 128), (8 * 128, 128, 1))((n, 0, 0)) == 2**31


# Properties


@case("misc-mojo6672")
def a_row_stride_is_used(c: dict[str, Any]) -> None:
    t = vt.Tensor(range(1, 9), layout(c["inputs"]["A"]))
    assert [[t[i, j] for j in range(2)] for i in range(2)] == [[1, 2], [5, 6]]


@case("misc-tl2632")
def halves_collide(c: dict[str, Any]) -> None:
    a = layout("(2,4):(0,1)")  # i -> i//2
    assert [a(i) for i in range(8)] == [i // 2 for i in range(8)]
    w = refute_injective(a)
    assert w is not None
    post.holds_witness(a, w)
    assert {vt.crd2idx(w.values["coordinate"], a.shape), vt.crd2idx(w.values["other"], a.shape)} == {0, 1}


@case("misc-tri4115")
def converts_one_linear_layout_to_another(c: dict[str, Any]) -> None:
    def columns(text: str) -> dict[str, int]:
        return {name: int(to) for name, to in (part.split("->") for part in text.split(","))}

    a, b = columns(c["inputs"]["A"]), columns(c["inputs"]["B"])
    names = list(a)
    first, second = (vt.from_binary_matrix(list(part.values())) for part in (a, b))
    r = vt.binary_matrix(vt.solve_linear(first, second))
    assert {name: names[to.bit_length() - 1] for name, to in zip(b, r, strict=True)} == {
        "t1": "t2",
        "t2": "t1",
        "b1": "b1",
    }
    assert all(to & (to - 1) == 0 for to in r)


@case("s0-1772")
def no_broadcast(c: dict[str, Any]) -> None:
    assert vt.is_injective(layout(c["inputs"]["L"])) and vt.size(layout(c["inputs"]["L"])) == 4


@case("s0-3031")
def the_leading_mode(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    assert vt.coalesce(a) == layout("32:1") and vt.contiguous_run(a) == 32


@case("tv-2048")
def a_comma_too_many(c: dict[str, Any]) -> None:
    assert (vt.size(layout(c["inputs"]["meant"])), vt.size(layout(c["inputs"]["got"]))) == (128, 16)


@case("tv-2483", "tv-3254", "tv-3254n16")
def covers_its_tile(c: dict[str, Any]) -> None:
    tv = layout(c["inputs"]["tv"])
    n = int(c["right"].split("bijective on ")[1].split()[0].rstrip(":"))
    tile = vt.parse_shape(c["inputs"].get("tiler", c["inputs"].get("tile")))
    assert vt.is_bijective(tv, n) and not vt.is_bijective(tv, n + 1) and vt.size(Layout(tile)) == n


@case("tv-2483bad")
def overlaps(c: dict[str, Any]) -> None:
    tv = layout(c["inputs"]["tv"])
    w = refute_injective(tv)
    assert w is not None and not vt.is_bijective(tv, 256)
    post.holds_witness(tv, w)
    assert 256 - len(set(post.table(tv))) == 64
    assert refute_within(tv, 192) is None and not vt.is_onto(tv, 193)


@case("tma-ao4647")
def compact_and_row_major(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["smem"])
    assert vt.is_bijective(a, 4096) and a[1] == layout("128:1")


# Vectors


@case("vec-1499")
def a_count_is_no_width(c: dict[str, Any]) -> None:
    assert vt.max_common_vector(layout(c["inputs"]["src"]), layout(c["inputs"]["dst"])) == 6


# Swizzles


@case("swz-1497")
def one_more_element(c: dict[str, Any]) -> None:
    assert vt.cosize(parse("S<1,0,3> o 0 o 9:1")) == 10 and vt.cosize(layout("9:1")) == 9


@case("swz-1766")
def vectors_stay_together(c: dict[str, Any]) -> None:
    a = parse("S<3,3,4> o 0 o (128,32):(1,128)")
    assert vt.is_bijective(a)
    assert all(a(i + k) == a(i) + k for i in range(0, 4096, 8) for k in range(8))


@case("swz-2634")
def in_units_of_elements(c: dict[str, Any]) -> None:
    assert parse("S<3,4,3> o 0 o (32,8):(1,32)")((0, 1)) == 32
    in_floats = vt.recast_layout(parse("S<3,4,3> o 0 o (128,8):(1,128)"), 8, 32)
    assert str(in_floats) == "S<3,2,3> o 0 o (32,8):(1,32)" and in_floats((0, 1)) == 36


@case("swz-3119")
def elements_not_bytes(c: dict[str, Any]) -> None:
    assert parse("S<1,3,3> o 0 o (64,16):(16,1)")((4, 0)) == 72


@case("swz-3454b")
def a_slice_that_moves_nothing(c: dict[str, Any]) -> None:
    part, offset = vt.slice_(parse("S<3,4,3> o 0 o (8,2):(2,1)"), (None, 0))
    assert isinstance(part, Layout) and vt.equal(part, layout("8:2")) and offset == 0


@case("swz-3605", "swz-slice-b")
def a_slice_that_stays_composed(c: dict[str, Any]) -> None:
    a = parse(f"{c['inputs']['S']} o 0 o {c['inputs']['L']}")
    crd = vt.parse_coordinate(c["inputs"]["slice"])
    part, offset = vt.slice_(a, crd)
    assert isinstance(part, vt.ComposedLayout) and offset == 0
    assert [part(i) for i in range(3)] == [int(v) for v in c["right"].split("[")[1].split("]")[0].split(",")]
    post.holds_slice(a, crd, part, offset)


@case("swz-slice-a")
def a_slice_with_its_own_step(c: dict[str, Any]) -> None:
    a = parse("S<1,0,2> o 0 o (2,5):(1,2)")
    part, offset = vt.slice_(a, (None, 4))
    assert [offset + part(i) for i in range(2)] == [8, 9] and part(1) == 1
    other, offset = vt.slice_(a, (None, 2))
    assert other(1) == -1
    post.holds_slice(a, (None, 2), other, offset)


@case("swz-fly634")
def recast_with_its_swizzle(c: dict[str, Any]) -> None:
    a = parse("S<3,4,3> o 0 o (8,128):(128,1)")
    for bits, want in ((16, "S<3,3,3> o 0 o (8,64):(64,1)"), (32, "S<3,2,3> o 0 o (8,32):(32,1)")):
        r = vt.recast_layout(a, 8, bits)
        assert str(r) == want
        post.holds_recast(a, 8, bits, r)


@case("swz-neg")
def eight_from_the_least_to_the_greatest(c: dict[str, Any]) -> None:
    assert vt.cosize(layout("8:-1")) == 8 and min(post.table(layout("8:-1"))) == -7


@case("swz-rev")
def a_swizzle_inside(c: dict[str, Any]) -> None:
    a = vt.composition(layout("16:3"), parse("S<2,0,2>"))
    assert [a(i) for i in range(16)] == [int(v) for v in c["right"].split("[")[1].rstrip("]").split(",")]


# Recast


@case("rec-2132", "rec-3026")
def recasts(c: dict[str, Any]) -> None:
    a = layout(c["inputs"]["L"])
    before, after = map(int, c["inputs"]["bits"].split("->"))
    r = vt.recast_layout(a, before, after)
    post.holds_recast(a, before, after, r)
    assert r == layout({"rec-2132": "8:1", "rec-3026": "(4,1):(1,0)"}[c["id"]])
