"""Rules of the layout algebra: what the DSL returns, beside its off-by-one twin."""

from __future__ import annotations

import re

import pytest

from veritile.kernels.audit.types import read_type
from veritile.kernels.audit.verdict import NOT_CHECKED, OUTSIDE, RIGHT, RULES, WRONG, Call
from veritile.model.errors import Witness

from .calling import call, decide, type_text

MEMORY = "memref bf16 gmem align<16>"

# name, operands, a right result, the wrong twin, properties
CASES = [
    ("zipped_product", ["(4,2):(1,4)", "3:1"], "((4,2),(3)):((1,4),(8))", "((4,2),(3)):((1,4),(4))", ""),
    ("composition", ["(4,6,8,10):(2,3,5,7)", "6:12"], "(2,3):(9,5)", "(2,3):(9,6)", ""),
    ("composition", ["(8,128):(128,1)", "(128,8):(1,128)"], "((8,16),8):((128,1),16)", "((8,16),8):((128,1),8)", ""),
    ("composition", ["32:1", "(8,4):(1,8)"], "(8,4):(1,8)", "(4,8):(1,8)", ""),
    ("composition", ["(8,16):(16,1)", "tile [4:2;8:1]"], "(4,8):(32,1)", "(4,8):(16,1)", ""),
    ("composition", ["(?,?):(1@0,1@1)", "tile [128:1;64:1]"], "(128,64):(1@0,1@1)", "(128,64):(1@1,1@0)", ""),
    ("composition", ["(?{div=8},?):(1,?)", "16:1"], "(?{div=8},?):(1,?)", "(?{div=8},?):(2,?)", ""),
    (
        "composition",
        ["S<3,3,3> o 0 o (8,64):(64,1)", "(4,8):(1,8)"],
        "S<3,3,3> o 0 o (4,8):(64,1)",
        "S<3,3,3> o 0 o (4,8):(64,2)",
        "",
    ),
    ("coalesce", ["((4,5),3):((1,4),20)"], "60:1", "60:2", ""),
    ("coalesce", ["(2,(1,6)):(1,(6,2))", "coord (1,1)"], "(2,6):(1,2)", "12:1", ""),
    ("coalesce", ["(4,?):(1,4)"], "?{div=4}:1", "?{div=8}:1", ""),
    ("logical_divide", ["24:3", "8:3"], "(8,3):(9,3)", "(8,3):(9,6)", ""),
    ("logical_divide", ["((4,1),10,1):((1,0),4,0)", "4:1"], "(4,10):(1,4)", "(4,10):(1,8)", ""),
    ("logical_divide", ["(16,8):(1,16)", "tile [4:1;_]"], "((4,4),8):((1,4),16)", "((4,4),8):((1,4),8)", ""),
    ("logical_divide", ["3:3", "tile [2:1]"], "((2,2)):((3,6))", "((2,2)):((3,3))", ""),
    ("flat_divide", ["8:1", "tile [2:3]"], "(2,(3,2)):(3,(1,6))", "(2,(3,2)):(3,(1,5))", ""),
    ("logical_divide", ["100:1", "8:1"], "(8,13):(1,8)", "(8,12):(1,8)", ""),
    (
        "zipped_divide",
        ["(8,6,4):(1,8,48)", "tile [4:1;3:1]"],
        "((4,3),(2,2,4)):((1,8),(4,24,48))",
        "((4,3),(2,2,4)):((1,8),(4,48,24))",
        "",
    ),
    (
        "zipped_divide",
        [f"{MEMORY} (?,?{{div=8}}):(?{{i64 div=8}},1)", "tile [64:1;32:1]"],
        f"{MEMORY} ((64,32),(?,?)):((?{{i64 div=8}},1),(?{{i64 div=512}},32))",
        f"{MEMORY} ((64,32),(?,?)):((?{{i64 div=8}},1),(?{{i64 div=1024}},32))",
        "",
    ),
    ("tiled_divide", ["(8,6):(1,8)", "tile [4:1;3:1]"], "((4,3),2,2):((1,8),4,24)", "((4,3),2,2):((1,8),4,16)", ""),
    ("flat_divide", ["(8,6):(1,8)", "tile [4:1;3:1]"], "(4,3,2,2):(1,8,4,24)", "(4,3,2,2):(1,8,24,4)", ""),
    ("flat_divide", ["(?,?):(1,?)", "tile [8:1;4:1]"], "(8,4,?,?):(1,?,8,?{div=4})", "(8,4,?,?):(1,?,4,?{div=4})", ""),
    (
        "local_tile",
        ["coord_tensor (0,0) (?,1024):(1@0,1@1)", "tile [8:1;1024:1]", "coord (?,0)"],
        "coord_tensor (?{div=8},0) (8,1024):(1@0,1@1)",
        "coord_tensor (?{div=16},0) (8,1024):(1@0,1@1)",
        "",
    ),
    (
        "local_tile",
        [f"{MEMORY} (?,?{{div=8}}):(?{{i64 div=8}},1)", "tile [128:1;128:1;32:1]", "coord (?,?,_)"],
        f"{MEMORY} (128,32,?):(?{{i64 div=8}},1,32)",
        f"{MEMORY} (128,32,?):(?{{i64 div=8}},1,64)",
        '<{proj = #cute.coord<"(1,_,1)">}>',
    ),
    ("local_partition", ["(16,32):(1,16)", "(2,4):(4,1)", "i32"], "(8,8):(2,64)", "(8,8):(2,32)", ""),
    ("logical_product", ["(2,2):(1,2)", "3:1"], "((2,2),3):((1,2),4)", "((2,2),3):((1,2),8)", ""),
    (
        "logical_product",
        ["(4,2):(1,4)", "(?,?):(1,?)"],
        "((4,2),(?,?)):((1,4),(8,?{div=8}))",
        "((4,2),(?,?)):((1,4),(8,?{div=16}))",
        "",
    ),
    (
        "blocked_product",
        ["(3,4):(4,1)", "(2,5):(1,2)"],
        "((3,2),(4,5)):((4,12),(1,24))",
        "((3,2),(4,5)):((4,24),(1,12))",
        "",
    ),
    ("raked_product", ["(16,8):(8,1)", "(1,8):(0,1)"], "(16,(8,8)):(8,(128,1))", "(16,(8,8)):(8,(64,1))", ""),
    ("tiled_product", ["(3,4):(4,1)", "(2,5):(1,2)"], "((3,4),2,5):((4,1),12,24)", "((3,4),2,5):((4,1),24,12)", ""),
    ("flat_product", ["(3,4):(4,1)", "(2,5):(1,2)"], "(3,4,2,5):(4,1,12,24)", "(3,4,2,5):(4,1,12,48)", ""),
    (
        "tile_to_shape",
        ["(8,64):(64,1)", "shape (16,128)", "int_tuple (2,1)"],
        "((8,2),(64,2)):((64,1024),(1,512))",
        "((8,2),(64,2)):((64,512),(1,1024))",
        "",
    ),
    (
        "tile_to_shape",
        ["S<3,3,3> o 0 o (8,64):(64,1)", "shape (64,128,3)", "int_tuple (0,1,2)"],
        "S<3,3,3> o 0 o ((8,8),(64,2),(1,3)):((64,512),(1,4096),(0,8192))",
        "S<3,3,3> o 0 o ((8,8),(64,2),(1,3)):((64,512),(1,4096),(0,4096))",
        "",
    ),
    ("complement", ["(2,2):(1,6)", "shape 24"], "(3,2):(2,12)", "(3,2):(2,6)", ""),
    ("complement", ["8:1", "shape ?"], "?:8", "?:4", ""),
    ("right_inverse", ["(8,(8,16)):(16,(128,1))"], "(16,64):(64,1)", "(16,64):(32,1)", ""),
    ("right_inverse", ["(128,8):(1,128)"], "1024:1", "1025:1", ""),
    (
        "left_inverse",
        ["((8,4,2),(4,2,2)):((1,16,8),(128,64,512))"],
        "(8,2,4,2,4,2):(1,32,8,256,64,512)",
        "(8,2,4,2,4,2):(1,8,32,256,64,512)",
        "",
    ),
    ("left_inverse", ["(4,8):(8,1)"], "(8,4):(4,1)", "(8,4):(4,2)", ""),
    ("slice", ["((8,1),1,8):((1,0),0,128)", "coord ((0,_),_,_)"], "(1,1,8):(0,0,128)", "(1,1,8):(0,0,64)", ""),
    ("slice", ["((2,2),(4,2)):((1,8),(2,16))", "coord (_,(1,_))"], "((2,2),2):((1,8),16)", "(2,2,2):(1,8,16)", ""),
    (
        "slice",
        ["coord_tensor (0,0) (?,?):(1@1,1@0)", "coord (_,?{div=8})"],
        "coord_tensor (?{div=8},0) (?):(1@1)",
        "coord_tensor (0,?{div=8}) (?):(1@1)",
        "",
    ),
    (
        "slice",
        [f"{MEMORY} ((4),8):((1),4)", "coord (_,?)"],
        "memref bf16 gmem align<8> ((4)):((1))",
        f"{MEMORY} ((4)):((1))",
        "",
    ),
    ("slice", ["S<3,3,3> o 0 o (8,64):(64,1)", "coord (3,_)"], "((8,4,2)):((1,-8,32))", "((8,4,2)):((1,8,32))", ""),
    (
        "dice",
        ["((128,16),(1,8)):((1,128),(0,2))"],
        "((128,16),1,8):((1,128),0,2)",
        "((128,16),1,8):((1,128),0,1)",
        'coord = #cute.coord<"(1,(1,1))">',
    ),
    (
        "group_modes",
        ["(4,2,3):(1,4,8)"],
        "(4,(2,3)):(1,(4,8))",
        "(4,(2,3)):(1,(4,6))",
        "<{begin = 1 : i32, end = 3 : i32}>",
    ),
    ("group_modes", ["8:1"], "(8):(1)", "((8)):((1))", "<{begin = 0 : i32, end = 1 : i32}>"),
    ("group_modes", ["(8):(1)"], "((8)):((1))", "(8):(1)", "<{begin = 0 : i32, end = 1 : i32}>"),
    ("select", ["(4,?,3):(1,?,8)"], "(3,4):(8,1)", "(3,4):(1,8)", "<{mode = array<i32: 2, 0>}>"),
    ("get", ["(8,(4,2)):(1,(8,32))"], "4:8", "4:32", "<{mode = array<i32: 1, 0>}>"),
    (
        "append_to_rank",
        ["((8192,2)):((1,8192))", "1:0"],
        "((8192,2),1):((1,8192),0)",
        "((8192,2)):((1,8192))",
        "<{rank = 2 : si32}>",
    ),
    ("prepend_to_rank", ["(?,8):(8,1)", "2:0"], "(2,?,8):(0,8,1)", "(?,8,2):(8,1,0)", "<{rank = 3 : si32}>"),
    ("filter_zeros", ["((4,1),1,2):((0,0),0,4)"], "((1,1),1,2):((0,0),0,4)", "((4,1),1,2):((0,0),0,4)", ""),
    ("filter", ["((4,8,4),(2,2,2)):((0,1,16),(0,8,0))"], "(8,4,2):(1,16,8)", "(8,4,2):(1,8,16)", ""),
    (
        "recast_layout",
        ["(128,64):(1,128)"],
        "(16,64):(1,16)",
        "(16,64):(1,32)",
        "<{new_type_bits = 32 : i32, old_type_bits = 4 : i32}>",
    ),
    (
        "recast_layout",
        ["(16,64):(1,16)"],
        "(128,64):(1,128)",
        "(128,64):(1,64)",
        "<{new_type_bits = 8 : i32, old_type_bits = 64 : i32}>",
    ),
    (
        "recast_layout",
        ["S<3,4,3> o 0 o (8,128):(128,1)"],
        "S<3,3,3> o 0 o (8,64):(64,1)",
        "S<3,3,3> o 0 o (8,64):(128,1)",
        "<{new_type_bits = 16 : i32, old_type_bits = 8 : i32}>",
    ),
]


@pytest.mark.parametrize(("name", "operands", "good", "bad", "properties"), CASES)
def test_a_right_result_beside_its_twin(name: str, operands: list[str], good: str, bad: str, properties: str) -> None:
    assert decide(name, operands, good, properties).verdict == RIGHT
    found = decide(name, operands, bad, properties)
    assert found.verdict == WRONG, found


def test_a_right_result_beside_a_twin_that_is_not() -> None:
    assert decide("right_inverse", ["((2,16)):((?{div=16},256))"], "1:0").verdict == RIGHT
    assert decide("right_inverse", ["((2,16)):((?{div=16},256))"], "2:1").verdict == NOT_CHECKED
    operands = ["S<3,3,3> o 0 o (8,64):(64,1)", "coord (?,_)"]
    assert decide("slice", operands, "((8,2,2,2)):((1,?{div=8},?{div=16},?{div=32}))").verdict == RIGHT
    assert decide("slice", operands, "((8,2,2,2)):((2,?{div=8},?{div=16},?{div=32}))").verdict == WRONG


@pytest.mark.parametrize(
    ("name", "operands", "result", "place"),
    [
        ("composition", ["(4,6,8):(2,3,5)", "6:3"], "(2,3):(6,3)", {"index": 2, "expected": 7, "got": 3}),
        ("composition", ["(6,2):(1,7)", "(3,2):(2,3)"], "(3,2):(2,3)", {"coordinate": (2, 1), "expected": 8, "got": 7}),
        ("complement", ["(2,6):(3,2)", "shape 24"], "(2,0,4):(1,12,6)", None),
        (
            "slice",
            ["S<3,3,3> o 0 o (12,64):(64,1)", "coord (1,_)"],
            "((8,8)):((1,-8))",
            {"index": 16, "expected": 16, "got": -16},
        ),
    ],
)
def test_known_wrong_answers(name: str, operands: list[str], result: str, place: dict[str, object] | None) -> None:
    found = decide(name, operands, result)
    assert found.verdict == WRONG
    assert found.got is not None
    if place is None:
        assert "size of zero" in found.reason
        return
    assert isinstance(found.witness, Witness)
    values = found.witness.values
    assert {key: values[key] for key in place} == place
    assert name == "slice" or found.advice is not None


@pytest.mark.parametrize(
    ("name", "operands", "result", "why"),
    [
        # the function agrees, a condition of the paper does not hold
        ("composition", ["(3,6,2):(7,8,6)", "3:4"], "3:15", r"\[20\]"),
        # A goes on past its end otherwise than the result
        ("composition", ["(4,2):(1,10)", "2:-4"], "2:-4", "outside"),
        # right for some values of the names only
        ("composition", ["(?,?):(1,?)", "8:1"], "(?,?):(1,?)", "8 <= n0 or n0 divides 8"),
        ("right_inverse", ["(2,3):(1,1)"], "2:1", "larger"),
        ("logical_divide", ["24:1", "(2,3):(1,1)"], "((2,3),4):((1,1),6)", "not injective"),
        ("logical_product", ["(2,4):(1,31)", "2:1"], "((2,4),2):((1,31),2)", "complement"),
        ("complement", ["(2,3):(1,3)", "shape 18"], "2:9", "no complement"),
        ("recast_layout", ["(1,4):(0,16)"], "(1,4):(0,8)", "together"),
    ],
)
def test_what_lies_outside_a_precondition(name: str, operands: list[str], result: str, why: str) -> None:
    properties = "<{new_type_bits = 32 : i32, old_type_bits = 16 : i32}>" if name == "recast_layout" else ""
    found = decide(name, operands, result, properties)
    assert found.verdict == OUTSIDE, found
    assert re.search(why, found.reason), found.reason


def test_what_the_dsl_prints_for_no_layout_is_wrong() -> None:
    operands = [type_text("(?,?):(1,?)"), type_text("shape 100")]
    kinds = tuple(map(read_type, operands))
    for text in ('!cute.layout<"x:x">', '!cute.composed_layout<"S<3,4294967294,3> o 0 o (6,4):(8,2)">'):
        made = Call(call("complement", ["8:1", "shape 24"], ["3:8"]).operation, kinds, (read_type(text),))
        assert RULES["cute.complement"](made).verdict == WRONG
    assert decide("complement", ["8:1", "shape 24"], "3:8").verdict == RIGHT


def test_a_recast_without_a_mode_of_stride_one_keeps_parts_alone() -> None:
    found = decide("recast_layout", ["6:2"], "6:4", "<{new_type_bits = 4 : i32, old_type_bits = 8 : i32}>")
    assert (found.verdict, "first of 2 parts" in found.reason) == (OUTSIDE, True)
    assert (
        decide("recast_layout", ["6:2"], "6:3", "<{new_type_bits = 4 : i32, old_type_bits = 8 : i32}>").verdict == WRONG
    )


def test_products_whose_copies_meet_are_wrong() -> None:
    found = decide("logical_product", ["(3,8):(10,11)", "2:1"], "((3,8),2):((10,11),1)")
    assert found.verdict == WRONG
    assert found.witness is not None
    assert found.witness.kind == "collision"
    found = decide("tile_to_shape", ["(4,6):(3,8)", "shape (8,6)", "int_tuple (0,1)"], "((4,2),(6,1)):((3,1),(8,0))")
    assert (found.verdict, found.witness and found.witness.kind) == (WRONG, "collision")


def test_a_block_that_is_not_repeated_needs_no_complement() -> None:
    operands = ["(2,4):(8,3)", "shape (2,4,1)", "int_tuple (2,1,0)"]
    assert decide("tile_to_shape", operands, "((2,1),(4,1),(1,1)):((8,0),(3,0),(0,0))").verdict == RIGHT
    assert decide("tile_to_shape", operands, "((2,1),(4,1),(1,1)):((8,0),(2,0),(0,0))").verdict == WRONG


def test_a_ragged_divide_is_right_inside_and_says_so() -> None:
    found = decide("zipped_divide", ["(6,5):(1,6)", "tile [4:1;2:1]"], "((4,2),(2,3)):((1,6),(4,12))")
    assert found.verdict == RIGHT
    assert "ragged: the tiles cover 8 of 6; ragged: the tiles cover 6 of 5" in found.reason
    assert decide("zipped_divide", ["(6,5):(1,6)", "tile [4:1;2:1]"], "((4,2),(2,3)):((1,6),(3,12))").verdict == WRONG


def test_a_claim_that_does_not_follow_is_wrong_at_values_of_the_names() -> None:
    found = decide("zipped_divide", ["(?):(?{div=2})", "tile [4:1]"], "((4),(?)):((?{div=2}),(?{div=16}))")
    assert found.verdict == WRONG
    assert "n0 = 1" in found.reason
    assert (
        decide("zipped_divide", ["(?):(?{div=2})", "tile [4:1]"], "((4),(?)):((?{div=2}),(?{div=8}))").verdict == RIGHT
    )


def test_a_pointer_keeps_its_element_its_space_and_its_alignment() -> None:
    operands = ["memref bf16 smem align<128> (8,16):(16,1)", "coord (?,_)"]
    assert decide("slice", operands, "memref bf16 smem align<32> (16):(1)").verdict == RIGHT
    for other in (
        "memref f16 smem align<32> (16):(1)",
        "memref bf16 gmem align<32> (16):(1)",
        "memref bf16 smem align<64> (16):(1)",
        "memref bf16 smem align<32> S<3,4,3> (16):(1)",
    ):
        assert decide("slice", operands, other).verdict == WRONG


def test_what_cannot_be_said_is_not_checked() -> None:
    assert decide("right_inverse", ["(?,4):(1,?)"], "4:1").verdict == NOT_CHECKED
    assert decide("logical_divide", ["(0,4):(1,2)", "2:1"], "(2,0):(1,2)").verdict == OUTSIDE
    swizzle = ["S<3,3,3> o 0 o (8,64):(64,1)", "(4,8):(1,8)"]
    assert decide("composition", swizzle, "S<2,3,3> o 0 o (4,8):(64,1)").verdict == NOT_CHECKED


@pytest.mark.parametrize(
    ("name", "operands", "bad", "good"),
    [
        ("composition", ["(4,8):(1,4)", "(2,4):(1,2)"], "(?,4):(1,2)", "(2,4):(1,2)"),
        ("composition", ["(4,8):(1,4)", "(2,4):(1,2)"], "(2,4):(1,?)", "(2,4):(1,2)"),
        ("composition", ["(?{div=8},?):(1,?)", "8:1"], "(?{div=8},?):(1,?)", "8:1"),
        ("coalesce", ["(4,?):(1,4)"], "(?,?):(1,4)", "(?{div=4}):(1)"),
        ("coalesce", ["(4,8):(1,4)"], "(?,?):(1,?)", "32:1"),
        ("composition", ["(8,?):(1@0,?@1)", "tile [4:1;_]"], "(4,?):(?@0,?@1)", "(4,?):(1@0,?@1)"),
        ("slice", ["shape (4,(?,2))", "coord (_,(_,1))"], "shape (?,?)", "shape (4,?)"),
        ("slice", ["S<3,3,3> o 0 o (8,8):(64,8)", "coord (0,_)"], "(8):(?)", "(8):(8)"),
        ("slice", ["S<3,3,3> o 0 o (8,8):(64,8)", "coord (_,1)"], "S<3,3,3> o ? o (8):(64)", "S<3,3,3> o 8 o (8):(64)"),
        ("group_modes", ["shape (4,8)"], "shape ((4,?))", "shape ((4,8))"),
    ],
)
def test_what_hides_a_number_that_is_known_is_not_checked(name: str, operands: list[str], bad: str, good: str) -> None:
    properties = "<{begin = 0 : i32, end = 2 : i32}>" if name == "group_modes" else ""
    assert decide(name, operands, good, properties).verdict == RIGHT
    found = decide(name, operands, bad, properties)
    assert found.verdict == NOT_CHECKED
    assert re.search(r"is `\?` and should be [0-9e]", found.reason), found.reason


@pytest.mark.parametrize(
    ("name", "operand", "properties", "good", "told"),
    [
        ("select", "(4,8):(1,4)", "mode = array<i32: 0, {}>", "(4,8):(1,4)", "mode 2 of (4,8), which has rank 2"),
        ("select", "shape (4,8)", "mode = array<i32: 0, {}>", "shape (4,8)", "mode 2 of (4,8), which has rank 2"),
        ("get", "(4,8):(1,4)", "mode = array<i32: {}>", "8:4", "mode 2 of (4,8), which has rank 2"),
        ("get", "(?,8):(1,4)", "mode = array<i32: {}>", "8:4", "which has rank 2"),
        ("get", "((4,8),2):((1,4),32)", "mode = array<i32: 0, {}>", "8:4", "mode 2 of (4,8), which has rank 2"),
        (
            "group_modes",
            "(4,8):(1,4)",
            "begin = 0 : i32, end = {} : i32",
            "",
            "modes 0 to 2 of (4,8), which has rank 2",
        ),
    ],
)
def test_a_mode_past_the_rank_is_named(name: str, operand: str, properties: str, good: str, told: str) -> None:
    """CuTe DSL refuses to make such an operation: no trace of its has one."""
    last = 2 if name == "group_modes" else 1
    good = good or "((4,8)):((1,4))"
    assert decide(name, [operand], good, f"<{{{properties.format(last)}}}>").verdict == RIGHT
    found = decide(name, [operand], good, f"<{{{properties.format(last + 1)}}}>")
    assert found.verdict == NOT_CHECKED
    assert found.reason.startswith(f"no such mode: cute.{name} names ") and found.reason.endswith(told)


def test_a_number_is_its_own_mode_0_and_has_no_mode_1() -> None:
    assert decide("get", ["8:1"], "8:1", "<{mode = array<i32: 0, 0>}>").verdict == RIGHT
    found = decide("get", ["8:1"], "8:1", "<{mode = array<i32: 0, 1>}>")
    assert found.reason == "no such mode: cute.get names mode 1 of 8, which has rank 1"
    assert decide("group_modes", ["8:1"], "(8):(1)", "<{begin = 1 : i32, end = 2 : i32}>").verdict == NOT_CHECKED
    empty = decide("group_modes", ["(4,8):(1,4)"], "(4,(),8):(1,(),4)", "<{begin = 1 : i32, end = 1 : i32}>")
    assert empty.verdict == NOT_CHECKED


def test_a_slice_behind_a_swizzle_moves_the_offset_or_whole_periods() -> None:
    narrow = ["S<3,3,3> o 0 o (8,4):(64,8)", "coord (_,3)"]
    assert decide("slice", narrow, "S<3,3,3> o 24 o (8):(64)").verdict == RIGHT
    assert decide("slice", narrow, "S<3,3,3> o 0 o (8):(64)").verdict == NOT_CHECKED
    stages = ["S<3,3,3> o 0 o (8,4):(64,512)", "coord (_,?)"]
    assert decide("slice", stages, "S<3,3,3> o 0 o (8):(64)").verdict == RIGHT
    assert decide("slice", stages, "S<3,3,3> o 0 o (8):(32)").verdict == NOT_CHECKED


def test_a_plain_slice_of_a_swizzled_tensor_keeps_its_alignment() -> None:
    operands = ["memref f32 smem align<128> S<3,2,3> o 0 o (128,32):(32,1)", "coord (?,_)"]
    result = "((4,2,2,2)):((1,?{div=4},?{div=8},?{div=16}))"
    assert decide("slice", operands, f"memref f32 smem align<16> {result}").verdict == RIGHT
    assert decide("slice", operands, f"memref f32 smem align<32> {result}").verdict == WRONG


def test_a_recast_that_splits_elements_is_wrong_where_the_bits_begin_elsewhere() -> None:
    widths = "<{new_type_bits = 32 : i32, old_type_bits = 16 : i32}>"
    found = decide("recast_layout", ["(8,4):(1,9)"], "(4,4):(1,5)", widths)
    assert found.verdict == WRONG
    assert found.witness is not None
    assert {key: str(value) for key, value in found.witness.values.items()} == {
        "coordinate": "(0, 1)",
        "index": "4",
        "expected": "9/2",
        "got": "5",
    }
    assert decide("recast_layout", ["(8,4):(1,10)"], "(4,4):(1,5)", widths).verdict == RIGHT
    odd = decide("recast_layout", ["(7,4):(1,7)"], "(4,4):(1,4)", widths)
    assert (odd.verdict, odd.expected is not None) == (WRONG, True)


def test_a_plain_slice_that_a_swizzle_allows_at_no_position_or_at_some() -> None:
    rows = ["S<3,2,3> o 0 o (128,32):(32,1)", "coord (?,_)"]
    for bad, verdict, told in (
        ("((4,2,2,2)):((1,?{div=4},?{div=8},?{div=16}))", RIGHT, ""),
        ("((4,2,2,2)):((1,4,8,16))", OUTSIDE, "no such layout at"),  # right where the row's number is a multiple of 8
        (
            "((4,2,2,2)):((1,?{div=8},?{div=8},?{div=16}))",
            WRONG,
            "no multiple of 8, here at (0,_), and so at every other",
        ),
        ("((4,2,2,2)):((2,?{div=4},?{div=8},?{div=16}))", WRONG, "than the swizzled layout, here at (0,_)"),
        ("(4,2,2,2):(1,?{div=4},?{div=8},?{div=16})", WRONG, "another size or profile"),
        ("((4,2,2)):((1,?{div=4},?{div=8}))", WRONG, "another size or profile"),
    ):
        found = decide("slice", rows, bad)
        assert found.verdict == verdict and told in found.reason, (bad, found)
    found = decide("slice", ["S<3,3,3> o 0 o (8,64):(64,1)", "coord (3,_)"], "(8,4,2):(1,-8,32)")
    assert found.verdict == WRONG and "profile" in found.reason


def test_a_left_inverse_has_a_coordinate_for_every_offset() -> None:
    operands = ["(2,2,2):(1,4,16)"]
    assert decide("left_inverse", operands, "(4,4,2):(1,2,4)").verdict == RIGHT
    assert decide("left_inverse", operands, "(4,4,3):(1,2,4)").verdict == RIGHT  # sends every offset back as well
    found = decide("left_inverse", operands, "(4,4,1):(1,2,4)")
    assert found.verdict == WRONG and found.witness is not None
    assert found.witness.values == {"coordinate": 4, "offset": 16}
