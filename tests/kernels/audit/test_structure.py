"""Rules for layouts, tuples and tensors made and taken apart: what the DSL returns, beside its twin."""

from __future__ import annotations

import pytest

from veritile.kernels.audit.verdict import NOT_CHECKED, RIGHT, WRONG

from .calling import decide

PTR = "ptr bf16 smem align<128>"

# name, operands, right results, the wrong twin, properties
CASES: list[tuple[str, list[str], list[str], list[str], str]] = [
    ("make_layout", ["shape (4,(2,?))"], ["(4,(2,?)):(1,(4,8))"], ["(4,(2,?)):(1,(4,4))"], ""),
    ("make_layout", ["shape (6,2)", "stride (1,7)"], ["(6,2):(1,7)"], ["(6,2):(7,1)"], ""),
    ("make_ordered_layout", ["shape (128,?)", "int_tuple (1,0)"], ["(128,?):(?,1)"], ["(128,?):(1,128)"], ""),
    (
        "make_ordered_layout",
        ["shape ((64,2),(8,16))", "int_tuple (1,0)"],
        ["((64,2),(8,16)):((128,8192),(1,8))"],
        ["((64,2),(8,16)):((128,8192),(16,1))"],
        "",
    ),
    ("make_fragment_like", ["(2,10):(16,1)"], ["(2,10):(10,1)"], ["(2,10):(1,2)"], ""),
    ("make_layout_like", ["((2,10,1)):((1,8,0))"], ["((2,10,1)):((1,2,0))"], ["((2,10,1)):((10,1,0))"], ""),
    (
        "make_layout_like",
        ["((8,1),4,2):((1,0),?{i64 div=128},64)"],
        ["((8,1),4,2):((1,0),16,8)"],
        ["((8,1),4,2):((1,0),8,32)"],
        "",
    ),
    (
        "make_identity_layout",
        ["shape (4,(2,?))"],
        ["(4,(2,?)):(1@0,(1@0@1,1@1@1))"],
        ["(4,(2,?)):(1@0,(1@1@1,1@0@1))"],
        "",
    ),
    (
        "make_identity_tensor",
        ["shape (?,64)"],
        ["coord_tensor (0,0) (?,64):(1@0,1@1)"],
        ["coord_tensor (0,0) (?,64):(1@1,1@0)"],
        "",
    ),
    (
        "make_composed_layout",
        ["swizzle S<3,4,3>", "int_tuple 0", "(8,64):(64,1)"],
        ["S<3,4,3> o 0 o (8,64):(64,1)"],
        ["S<3,3,3> o 0 o (8,64):(64,1)"],
        "",
    ),
    ("make_composed_layout", ["swizzle S<0,4,3>", "int_tuple 0", "8:1"], ["8:1"], ["8:2"], ""),
    ("composed_get_inner", ["S<3,4,3> o 0 o (8,64):(64,1)"], ["swizzle S<3,4,3>"], ["swizzle S<2,4,3>"], ""),
    ("composed_get_offset", ["S<3,4,3> o 8 o (8,64):(64,1)"], ["int_tuple 8"], ["int_tuple 0"], ""),
    ("composed_get_outer", ["S<3,4,3> o 0 o (8,64):(64,1)"], ["(8,64):(64,1)"], ["(8,64):(1,8)"], ""),
    ("make_shape", ["i32"], ["shape (4,?)"], ["shape (4,?{div=2})"], ""),
    ("make_stride", ["int_tuple ?{i64 div=8}"], ["stride (1,?{i64 div=8})"], ["stride (1,?{i64 div=16})"], ""),
    ("make_int_tuple", ["!cute.i32<divby 4>"], ["int_tuple ?{div=4}"], ["int_tuple ?{div=8}"], ""),
    ("make_tile", ["i32"], ["tile [8:1;?:1]"], ["tile [8:1;?{div=8}:1]"], ""),
    ("make_coord", ["!cute.i32<divby 8>", "i32"], ["coord (?{div=8},_,?)"], ["coord (?,_,?{div=8})"], ""),
    ("static", [], ["(4,8):(1,4)"], ["(4,?):(1,4)"], ""),
    (
        "make_view",
        [PTR, "(8,4):(1,8)"],
        ["memref bf16 smem align<128> (8,4):(1,8)"],
        ["memref bf16 smem align<256> (8,4):(1,8)"],
        "",
    ),
    ("make_view", [PTR], ["memref bf16 smem align<128> (8):(1)"], ["memref f16 smem align<128> (8):(1)"], ""),
    (
        "make_view",
        ["arith_tuple_iter (0,0)", "(8,4):(1@0,1@1)"],
        ["coord_tensor (0,0) (8,4):(1@0,1@1)"],
        ["coord_tensor (5,7) (8,4):(1@0,1@1)"],
        "",
    ),
    (
        "make_view",
        ["arith_tuple_iter (0,0)"],
        ["coord_tensor (0,0) (8,4):(1@0,1@1)"],
        ["coord_tensor (5,7) (8,4):(1@0,1@1)"],
        "",
    ),
    ("get_iter", ["memref bf16 smem align<128> (8,4):(1,8)"], [PTR], ["ptr bf16 gmem align<128>"], ""),
    (
        "get_iter",
        ["coord_tensor (0,?{div=8}) (8):(1@0)"],
        ["arith_tuple_iter (0,?{div=8})"],
        ["arith_tuple_iter (?,0)"],
        "",
    ),
    (
        "get_layout",
        ["memref bf16 smem align<128> (?,4):(1,?{div=8})"],
        ["(?,4):(1,?{div=8})"],
        ["(?,4):(1,?{div=16})"],
        "",
    ),
    ("get_shape", ["(?,(4,2)):(1,(8,32))"], ["shape (?,(4,2))"], ["shape (?,(2,4))"], ""),
    ("get_shape", ["tile [128:1;32:1]"], ["shape (128,32)"], ["shape (32,128)"], ""),
    ("get_stride", ["(?,(4,2)):(1,(8,32))"], ["stride (1,(8,32))"], ["stride (1,(32,8))"], ""),
    (
        "get_leaves",
        ["int_tuple (8,(?,2))"],
        ["int_tuple 8", "int_tuple ?", "int_tuple 2"],
        ["int_tuple 8", "int_tuple ?", "int_tuple 3"],
        "",
    ),
    ("get_scalars", ["int_tuple (8,?)"], ["i32"], ["!cute.i32<divby 64>"], ""),
    ("get_scalars", ["int_tuple (8,?{div=64})"], ["!cute.i32<divby 64>"], ["!cute.i32<divby 128>"], ""),
    ("get_scalars", ["int_tuple (8,?)"], ["!cute.i32<divby 4>", "i32"], ["!cute.i32<divby 16>", "i32"], ""),
    ("get_scalars", ["int_tuple (8,?)"], ["i64"], ["f32"], ""),
    ("get_scalars", ["int_tuple (8,?)"], ["i32"], ["int_tuple ?"], ""),
    ("get_scalars", ["int_tuple (?{i64},?)"], ["i64", "i32"], ["i32", "i32"], ""),
    (
        "make_arith_tuple_iter",
        ["int_tuple (0,?{div=8})"],
        ["arith_tuple_iter (0,?{div=8})"],
        ["arith_tuple_iter (0,0)"],
        "",
    ),
    ("unpack_tuple", ["int_tuple (8,4)"], ["int_tuple (8,4)"], ["int_tuple (4,8)"], ""),
    ("to_int_tuple", ["shape (8,?{div=4})"], ["int_tuple (8,?{div=4})"], ["int_tuple (8,?{div=8})"], ""),
    ("deref_arith_tuple_iter", ["arith_tuple_iter (0,?)"], ["int_tuple (0,?)"], ["int_tuple (1,?)"], ""),
    ("size", ["((8,1),?{div=4}):((1,0),8)"], ["int_tuple ?{div=32}"], ["int_tuple ?{div=64}"], "<{mode = array<i32>}>"),
    ("size", ["((8,1),?):((1,0),8)"], ["int_tuple 8"], ["int_tuple 9"], "<{mode = array<i32: 0>}>"),
    ("cosize", ["((64,16),1,8):((1,64),0,1024)"], ["int_tuple 8192"], ["int_tuple 8193"], "<{mode = array<i32>}>"),
    ("cosize", ["S<3,4,3> o 0 o (8,64):(64,1)"], ["int_tuple 512"], ["int_tuple 511"], "<{mode = array<i32>}>"),
    ("crd2idx", ["coord (0,0,5)", "(1,1,(4,2)):(0,0,(2,1024))"], ["int_tuple 1026"], ["int_tuple 10"], ""),
    ("crd2idx", ["coord (_,?)", "(2,8):(1,16)"], ["int_tuple ?{div=16}"], ["int_tuple ?{div=32}"], ""),
    ("crd2idx", ["coord (?,3)", "(8,8):(1@1,8@0)"], ["int_tuple (24,?)"], ["int_tuple (?,24)"], ""),
    ("crd2idx", ["coord (1,0)", "S<3,3,3> o 0 o (8,64):(64,1)"], ["int_tuple 72"], ["int_tuple 64"], ""),
    ("idx2crd", ["int_tuple 7", "shape (4,(2,2))"], ["coord (3,(1,0))"], ["coord (3,(0,1))"], ""),
    ("get_hier_coord", ["i32", "((2),1,4):((1),0,2)"], ["coord ((?),0,?)"], ["coord ((?),?,0)"], ""),
    ("get_flat_coord", ["i32", "((2),1,2):((1),0,2)"], ["coord (?,0,?)"], ["coord (?,1,?)"], ""),
    ("get_integral_coord", ["int_tuple 5", "(2,4):(1,2)"], ["coord 5"], ["coord 6"], ""),
    (
        "tuple_add",
        ["int_tuple (?{div=8},3)", "int_tuple (?{div=4},4)"],
        ["int_tuple (?{div=4},7)"],
        ["int_tuple (?{div=8},7)"],
        "",
    ),
    (
        "tuple_add",
        ["int_tuple (?,0,?)", "int_tuple (0,?{div=8})"],
        ["int_tuple (?,?{div=8},?)"],
        ["int_tuple (?,0,?)"],
        "",
    ),
    ("tuple_sub", ["int_tuple (9,?)", "int_tuple (4,1)"], ["int_tuple (5,?)"], ["int_tuple (-5,?)"], ""),
    ("tuple_mul", ["int_tuple ?{div=8}", "int_tuple 4"], ["int_tuple ?{div=32}"], ["int_tuple ?{div=64}"], ""),
    ("tuple_div", ["int_tuple -7", "int_tuple 2"], ["int_tuple -3"], ["int_tuple -4"], ""),
    ("tuple_mod", ["int_tuple ?{div=32}", "int_tuple 64"], ["int_tuple ?{div=32}"], ["int_tuple ?{div=64}"], ""),
    ("tuple.product", ["int_tuple ((8,1),?)"], ["int_tuple ?{div=8}"], ["int_tuple 8"], ""),
    ("tuple.product_each", ["int_tuple ((8,2),4)"], ["int_tuple (16,4)"], ["int_tuple (10,4)"], ""),
    (
        "ceil_div",
        ["int_tuple (?{div=16},9)", "tile [8:1;4:1]"],
        ["int_tuple (?{div=2},3)"],
        ["int_tuple (?{div=2},2)"],
        "",
    ),
    ("shape_div", ["shape (4,5,6)", "shape 40"], ["shape (1,1,3)"], ["shape (1,1,6)"], ""),
    ("increment_coord", ["coord (1,0)", "shape (2,2)"], ["coord (0,1)"], ["coord (1,1)"], ""),
    (
        "add_offset",
        ["ptr i8 smem align<1024>", "int_tuple 48"],
        ["ptr i8 smem align<16>"],
        ["ptr i8 smem align<32>"],
        "",
    ),
    ("add_offset", ["ptr bf16 smem align<1024>", "int_tuple ?{div=64}"], [PTR], ["ptr bf16 smem align<256>"], ""),
    (
        "add_offset",
        ["arith_tuple_iter (?,3)", "int_tuple (8,1)"],
        ["arith_tuple_iter (?,4)"],
        ["arith_tuple_iter (?,3)"],
        "",
    ),
    (
        "recast_iter",
        ["ptr i8 smem align<1024>"],
        ["ptr bf16 smem align<1024> S<3,4,3>"],
        ["ptr bf16 smem align<2048>"],
        "",
    ),
    (
        "memref.alloca",
        ["(8,4):(1,8)"],
        ["memref f32 rmem align<32> (8,4):(1,8)"],
        ["memref f32 rmem align<32> (8,4):(4,1)"],
        "",
    ),
    (
        "memref.alloc_smem",
        ["(8,4):(1,8)"],
        ["memref f32 smem align<32> (8,4):(1,8)"],
        ["memref f32 smem align<32> (8,4):(4,1)"],
        "",
    ),
]


@pytest.mark.parametrize(("name", "operands", "good", "bad", "properties"), CASES)
def test_a_right_result_beside_its_twin(
    name: str, operands: list[str], good: list[str], bad: list[str], properties: str
) -> None:
    found = decide(name, operands, good, properties)
    assert found.verdict == RIGHT, found
    found = decide(name, operands, bad, properties)
    assert found.verdict == WRONG, found


@pytest.mark.parametrize(
    ("name", "operands", "result"),
    [
        ("get_hier_coord", ["i32", "(2,6):(1,2)"], "coord (0,3)"),
        ("cosize", ["(?,4):(1,?{div=8})"], "int_tuple ?{div=2}"),
        ("make_coord", ["i32"], "coord (0,0)"),
        ("make_coord", ["i32", "int_tuple 3"], "coord (?,4)"),
        ("make_coord", ["int_tuple 3"], "coord 4"),
        ("make_coord", [], "coord (0,0)"),
        ("memref.alloca", [], "memref f32 rmem (8,?):(1,8)"),
        ("memref.alloca", [], "memref f32 rmem (8,8):(1,1)"),
        ("make_view", ["ptr f32 gmem align<4>"], "memref f32 gmem align<4> (8,?):(?,3)"),
        ("make_view", ["arith_tuple_iter (0,0)"], "memref f32 gmem (8):(1)"),
        ("get_scalars", ["(8,?):(1,8)"], "i32"),
        ("get_scalars", ["int_tuple (8,?,?)"], "i32"),
        ("tuple_mul", ["int_tuple (2,3)", "int_tuple 4"], "int_tuple (8,12)"),
        ("recast_iter", ["arith_tuple_iter (0,0)"], "arith_tuple_iter (0,0)"),
        ("composed_get_offset", ["(8,4):(1,8)"], "int_tuple 0"),
    ],
)
def test_what_cannot_be_said_is_not_checked(name: str, operands: list[str], result: str) -> None:
    assert decide(name, operands, result, "<{mode = array<i32>}>" if name == "cosize" else "").verdict == NOT_CHECKED


@pytest.mark.parametrize(
    ("name", "operands", "bad", "good"),
    [
        ("make_layout", ["shape (4,8)", "stride (1,4)"], "(?,?):(?,?)", "(4,8):(1,4)"),
        ("make_layout", ["shape (4,?)", "stride (1,?)"], "(4,?):(?,?)", "(4,?):(1,?)"),
        ("size", ["(4,8):(1,4)"], "int_tuple ?{div=8}", "int_tuple 32"),
        ("cosize", ["(4,8):(1,4)"], "int_tuple ?", "int_tuple 32"),
        ("tuple_add", ["int_tuple (?,3)", "int_tuple (1,4)"], "int_tuple (?,?)", "int_tuple (?,7)"),
        (
            "add_offset",
            ["arith_tuple_iter (?,3)", "int_tuple (8,1)"],
            "arith_tuple_iter (?,?)",
            "arith_tuple_iter (?,4)",
        ),
        ("composed_get_offset", ["S<3,4,3> o 8 o (8,64):(64,1)"], "int_tuple ?{div=8}", "int_tuple 8"),
        (
            "make_composed_layout",
            ["swizzle S<3,4,3>", "int_tuple 0", "(8,64):(64,1)"],
            "S<3,4,3> o ? o (8,64):(64,1)",
            "S<3,4,3> o 0 o (8,64):(64,1)",
        ),
        (
            "get_layout",
            ["S<3,4,3> o 8 o (8,64):(64,1)"],
            "S<3,4,3> o ? o (8,64):(64,1)",
            "S<3,4,3> o 8 o (8,64):(64,1)",
        ),
        ("get_leaves", ["tile [8:1]"], "?:1", "8:1"),
        ("crd2idx", ["coord (?,3)", "(8,8):(1@1,8@0)"], "int_tuple (?,?)", "int_tuple (24,?)"),
    ],
)
def test_what_hides_a_number_that_is_known_is_not_checked(name: str, operands: list[str], bad: str, good: str) -> None:
    properties = "<{mode = array<i32>}>" if name in ("size", "cosize") else ""
    assert decide(name, operands, good, properties).verdict == RIGHT
    found = decide(name, operands, bad, properties)
    assert (found.verdict, "is `?` and should be" in found.reason) == (NOT_CHECKED, True), found


@pytest.mark.parametrize(
    ("name", "operand", "good", "shown"),
    [
        ("size", "(4,8):(1,4)", "int_tuple 8", "(4,8)"),
        ("size", "shape (4,8)", "int_tuple 8", "(4,8)"),
        ("get_shape", "(4,8):(1,4)", "shape 8", "(4,8)"),
        ("get_stride", "(4,8):(1,4)", "stride 4", "(1,4)"),
    ],
)
def test_a_mode_past_the_rank_is_named(name: str, operand: str, good: str, shown: str) -> None:
    assert decide(name, [operand], good, "<{mode = array<i32: 1>}>").verdict == RIGHT
    found = decide(name, [operand], good, "<{mode = array<i32: 2>}>")
    told = f"no such mode: cute.{name} names mode 2 of {shown}, which has rank 2"
    assert (found.verdict, found.reason) == (NOT_CHECKED, told)
    deeper = decide(name, [operand], good, "<{mode = array<i32: 1, 1>}>")
    assert deeper.verdict == NOT_CHECKED and "which has rank 1" in deeper.reason


def test_a_cosize_of_which_nothing_is_claimed_says_so() -> None:
    assert "nothing is claimed" in decide("cosize", ["(?,4):(1,?{div=8})"], "int_tuple ?").reason
