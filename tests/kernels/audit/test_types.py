"""The types of CuTe DSL's IR: each kind read into the model, and what is not understood named."""

from fractions import Fraction

import pytest

from veritile.kernels.audit.types import (
    AtomType,
    CoordIterType,
    CoordTensorType,
    Dynamic,
    LayoutType,
    MemRefType,
    OtherType,
    PointerType,
    ScalarType,
    SwizzleType,
    TiledCopyType,
    TiledMmaType,
    TileType,
    TupleType,
    UnknownType,
    ViewType,
    bits_of,
    read_type,
)
from veritile.model.composed import ComposedLayout
from veritile.model.layout import Layout
from veritile.model.names import Expr
from veritile.model.notation import layout, parse
from veritile.model.semimodule import CoordinateStride, E
from veritile.model.swizzle import Swizzle


@pytest.mark.parametrize(
    "notation",
    ["4:1", "(4,8):(1,4)", "((2,2),(4,2)):((1,8),(2,16))", "(4):(1)", "(8,1):(1,0)", "(4,2):(-1,7)"],
)
def test_layouts_are_those_of_the_notation(notation: str) -> None:
    found = read_type(f'!cute.layout<"{notation}">')
    assert isinstance(found, LayoutType)
    assert found.layout == layout(notation)
    assert found.dynamic == ()


@pytest.mark.parametrize(
    ("text", "stride"),
    [
        ("(2,3):(1@0,1@1)", (E(0), E(1))),
        ("(2,3):(16@1,0)", (16 * E(1), 0)),
        ("(2,3):(1@1@0,2@0)", (E(0, 1), 2 * E(0))),
        ("(2,3):(1@0+1@1,4@0)", (E(0) + E(1), 4 * E(0))),
    ],
)
def test_basis_strides(text: str, stride: object) -> None:
    found = read_type(f'!cute.layout<"{text}">').layout
    assert isinstance(found, Layout)
    assert found.stride == stride


def test_numbers_of_run_time_are_named_from_left_to_right() -> None:
    found = read_type('!cute.layout<"(4,?{div=8},?):(1,?{i64 div=16},?{i64})">')
    assert str(found.layout) == "(4,n0,n1):(1,n2,n3)"
    assert found.dynamic == (
        Dynamic("n0", 8, 32),
        Dynamic("n1", 1, 32),
        Dynamic("n2", 16, 64),
        Dynamic("n3", 1, 64),
    )
    other = read_type('!cute.layout<"(?):(1)">', "a")
    assert str(other.layout) == "(a0):(1)"


def test_a_basis_scaled_by_a_number_of_run_time() -> None:
    found = read_type('!cute.layout<"(2):(?{div=4}@1)">').layout
    assert isinstance(found, Layout)
    assert found.stride == (CoordinateStride((((1,), Expr.of("n0")),)),)


def test_a_basis_scaled_by_a_half() -> None:
    found = read_type('!cute.layout<"((512,1)):((1/2@0,0))">').layout
    assert isinstance(found, Layout)
    half = found.stride[0][0]
    assert isinstance(half, CoordinateStride)
    assert half.terms == (((0,), Expr.of(Fraction(1, 2))),)
    whole = read_type('!cute.layout<"(2):(4/2@0)">').layout
    assert isinstance(whole, Layout) and whole.stride == (2 * E(0),)


def test_ranks_and_sizes_that_the_model_refuses_are_read_all_the_same() -> None:
    nothing = read_type('!cute.layout<"():()">').layout
    assert nothing is not None and nothing.shape == ()
    zero = read_type('!cute.layout<"(2,0,4):(1,12,6)">').layout
    assert zero is not None and zero.shape == (2, 0, 4)


def test_composed_layouts() -> None:
    text = "S<3,4,3> o 0 o ((128,16),1,4):((64,1),0,16)"
    assert read_type(f'!cute.composed_layout<"{text}">').layout == parse(text)
    found = read_type('!cute.composed_layout<"S<3,3,3> o ? o (8,?):(64,1)">')
    assert str(found.layout) == "S<3,3,3> o n0 o (8,n1):(64,1)"
    shifted = read_type('!cute.composed_layout<"(8,8):(8,1) o (0,4) o (2,2):(1@0,1@1)">').layout
    assert isinstance(shifted, ComposedLayout)
    assert shifted((1, 1)) == 8 + 5


def test_memory() -> None:
    found = read_type('!cute.memref<bf16, smem, align<1024>, S<3,4,3>, "(64,64,?):(64,1,4096)">')
    assert isinstance(found, MemRefType)
    assert (found.element, found.element_bits, found.space, found.align) == ("bf16", 16, "smem", 1024)
    assert found.swizzle == Swizzle(3, 4, 3)
    assert str(found.layout) == "(64,64,n0):(64,1,4096)"
    inside = read_type('!cute.memref<bf16, smem, align<128>, "S<3,3,3> o 0 o (8,64):(64,1)">')
    assert isinstance(inside, MemRefType)
    assert (inside.swizzle, inside.layout) == (None, parse("S<3,3,3> o 0 o (8,64):(64,1)"))
    bare = read_type("!cute.ptr<f8E4M3FN, smem, S<3,4,3>>")
    assert isinstance(bare, PointerType)
    assert (bare.element_bits, bare.align, bare.swizzle) == (8, None, Swizzle(3, 4, 3))


def test_tuples() -> None:
    found = read_type('!cute.coord<"((_,0),_,?{div=2})">')
    assert isinstance(found, TupleType)
    assert (found.kind, found.value) == ("coord", ((None, 0), None, Expr.of("n0")))
    for kind, value in (("shape", (4, (2, 3))), ("stride", (0, (1, 4))), ("int_tuple", 7), ("shape", ())):
        text = str(value).replace(" ", "")
        again = read_type(f'!cute.{kind}<"{text}">')
        assert isinstance(again, TupleType)
        assert (again.kind, again.value) == (kind, value)
    basis = read_type('!cute.stride<"(1@0,1@1)">')
    assert isinstance(basis, TupleType) and basis.value == (E(0), E(1))


def test_coordinates() -> None:
    tensor = read_type('!cute.coord_tensor<"(?{div=64},0)", "((8,32),2):((2@0,1@1),1@0)">')
    assert isinstance(tensor, CoordTensorType)
    assert (tensor.base, str(tensor.layout)) == ((Expr.of("n0"), 0), "((8,32),2):((2e0,e1),e0)")
    place = read_type('!cute.arith_tuple_iter<"(?,0)">')
    assert isinstance(place, CoordIterType) and place.layout is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("_", None),
        ("8:1", Layout(8)),
        ("[4:1]", (Layout(4),)),
        ("[4:1;_]", (Layout(4), None)),
        ("[(128,32):(32,1)]", (Layout((128, 32), (32, 1)),)),
        ("[_;[2:1;4:1]]", (None, (Layout(2), Layout(4)))),
    ],
)
def test_tiles(text: str, value: object) -> None:
    found = read_type(f'!cute.tile<"{text}">')
    assert isinstance(found, TileType) and found.value == value


def test_a_tiled_copy() -> None:
    found = read_type(
        '!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, num_matrices = 4, n>, '
        'layout_copy_tv = <"((4,8),(2,2)):((64,1),(32,8))">, tiler_mn = <"[16:1;16:1]">>'
    )
    assert isinstance(found, TiledCopyType)
    assert found.layout_tv == layout("((4,8),(2,2)):((64,1),(32,8))")
    assert found.tiler == (Layout(16), Layout(16))
    assert (found.atom.family, found.atom.flags) == ("ldsm", ("n",))
    assert [found.atom.option(name) for name in ("val_type", "mode", "num_matrices", "cache")] == [
        "bf16",
        "(8,8)",
        "4",
        None,
    ]


def test_a_tiled_mma() -> None:
    found = read_type(
        "!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, "
        'atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;_;16:1]">>'
    )
    assert isinstance(found, TiledMmaType)
    assert found.atom_layout == layout("(2,2,1):(1,2,0)")
    assert found.permutation == (Layout(32), None, Layout(16))
    assert (found.atom.family, found.atom.flags) == ("sm80.mma", ("16x8x16",))


def test_an_atom_with_a_comma_missing() -> None:
    found = read_type(
        "!cute_nvgpu.atom.tma_load<bf16, copy_bits = 262144, "
        'g_stride = <"()"> mcast = true tma_gbasis = <"(64):(1@1)">>'
    )
    assert isinstance(found, AtomType)
    assert found.flags == ("bf16",)
    assert found.options == (
        ("copy_bits", "262144"),
        ("g_stride", "()"),
        ("mcast", "true"),
        ("tma_gbasis", "(64):(1@1)"),
    )


def test_the_others() -> None:
    swizzle = read_type('!cute.swizzle<"S<2,4,3>">')
    assert isinstance(swizzle, SwizzleType) and swizzle.value == Swizzle(2, 4, 3)
    view = read_type('!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,4):(0,2)">')
    assert isinstance(view, ViewType) and view.layout == layout("(1,4):(0,2)")
    held = read_type("!cute.i32<divby 8>")
    assert isinstance(held, ScalarType) and (held.bits, held.divisor) == (32, 8)
    for text in ("index", "vector<4xf32>", "!llvm.ptr<3>", "!cuda.stream", "(i32) -> i1", "tuple<i32, i64>"):
        assert isinstance(read_type(text), OtherType), text
    for text, bits in (("i1", 1), ("bf16", 16), ("f8E4M3FN", 8), ("i64", 64)):
        assert bits_of(text) == bits
        assert isinstance(read_type(text), ScalarType)


@pytest.mark.parametrize(
    "text",
    [
        "surprise",
        "!cute.surprise",
        '!cute.layout<"(2,3):(1)">',
        '!cute.layout<"(2,3)">',
        '!cute.layout<"(2,3:(1,2)">',
        '!cute.layout<"(2,3):(1,2)x">',
        '!cute.layout<"(2,_):(1,2)">',
        '!cute.layout<"(2):(?{mod=3})">',
        '!cute.layout<"(2):(1+1@0)">',
        '!cute.layout<"(2):(1/0@0)">',
        "!cute.layout<4:1>",
        '!cute.layout<"4:1"',
        '!cute.layout<"4:1", "4:1">',
        '!cute.composed_layout<"S<3,4> o 0 o 4:1">',
        '!cute.composed_layout<"S<3,4,3> o 4:1">',
        '!cute.composed_layout<"S<3,4,0> o 0 o 4:1">',
        "!cute.ptr<f32>",
        "!cute.ptr<f32, nowhere>",
        "!cute.ptr<f32, gmem, surprise<3>>",
        "!cute.memref<f32, gmem>",
        "!cute.ptr<f32, gmem, align<x>>",
        '!cute.tile<"[4:1;x]">',
        '!cute.tiled_copy<i32, layout_copy_tv = <"4:1">, tiler_mn = <"[4:1]">>',
        '!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, layout_copy_tv = <"4:1">>',
        '!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16>, atom_layout_MNK = <"4:1">, more = <"4:1">>',
        "!cute_nvgpu.surprise",
        '!cute.layout<"(?{div=0}):(1)">',
        '!cute.memref<f32, gmem, align<0>, "(4):(1)">',
        "!cute.i32<divby 0>",
        '!cute.layout<"' + "(" * 80 + "1" + ")" * 80 + ":" + "(" * 80 + "1" + ")" * 80 + '">',
        '!cute.layout<"' + "(" * 2000,
    ],
)
def test_what_is_not_understood_is_unknown(text: str) -> None:
    found = read_type(text)
    assert isinstance(found, UnknownType)
    assert found.text == text
    assert found.reason
