"""What operands of an MMA live in, and how TMA is told of a tensor."""

import pytest

from veritile.kernels.audit.fragments import accumulator_places
from veritile.kernels.audit.tiling import Unsettled
from veritile.kernels.audit.verdict import NOT_CHECKED, RIGHT, WRONG

from .calling import Case, decide, mutants_of_layout, mutants_of_pointer
from .test_partitions import SM80, SM90, SM100, operand

FRAGMENT = "cute.mma.make_fragment"
LOAD, STORE = "cute_nvgpu.atom.make_non_exec_tiled_tma_load", "cute_nvgpu.atom.make_non_exec_tiled_tma_store"
REDUCE = "cute_nvgpu.atom.make_non_exec_tiled_tma_reduce"
EXEC = "cute_nvgpu.atom.make_exec_tma"
SM100_PAIR = SM100.replace("128x256x16, num_cta = 1", "128x32x16, num_cta = 2")
SM100_TS = SM100.replace("128x256x16, num_cta = 1", "256x256x16, num_cta = 2").replace("= ss", "= ts")


def box(extents: str, bits: int, basis: str = "(1@1,1@0)") -> str:
    return (
        f"!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, bf16, copy_bits = {bits}, "
        f'tma_gbasis = <"{extents}:{basis}">, tma_format = BF16_RN>'
    )


FRAGMENTS = {
    "registers of A": Case(
        FRAGMENT,
        (SM80, '!cute.memref<bf16, smem, align<4>, "((2,2,2),4,(2,2)):((1,512,?{div=8}),2048,(?{div=16},?{div=32}))">'),
        ('!cute.memref<bf16, rmem, align<16>, "((2,2,2),4,(2,2)):((1,2,4),8,(32,64))">',),
        operand(0),
    ),
    "registers of B, in the order of memory": Case(
        FRAGMENT,
        (SM80, '!cute.memref<bf16, gmem, align<4>, "((2,2),(2,2),4):((1,8),(1024,2048),16)">'),
        ('!cute.memref<bf16, rmem, align<8>, "((2,2),(2,2),4):((1,2),(16,32),4)">',),
        operand(1),
    ),
    "registers of C": Case(
        FRAGMENT,
        (SM90, '!cute.shape<"((2,2,32),1,1)">'),
        ('!cute.memref<f32, rmem, align<512>, "((2,2,32),1,1):((1,2,4),0,0)">',),
        operand(2),
    ),
    "descriptors of A": Case(
        FRAGMENT,
        (SM90, '!cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,4):((64,1),0,16,8192)">'),
        ('!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,1024)">',),
        operand(0),
    ),
    "tensor memory of one CTA": Case(
        FRAGMENT,
        (SM100, '!cute.shape<"((128,256),1,2)">'),
        ('!cute.memref<f32, tmem, align<1>, "((128,256),1,2):((65536,1),0,256)">',),
        operand(2),
    ),
    "tensor memory of 16 bits, a column for each": Case(
        FRAGMENT,
        (SM100.replace("bf16, bf16, f32", "f16, f16, f16"), '!cute.shape<"((128,256),1,2)">'),
        ('!cute.memref<f16, tmem, align<1>, "((128,256),1,2):((131072,2),0,512)">',),
        operand(2),
    ),
    "tensor memory of two CTAs, 16 bits": Case(
        FRAGMENT,
        (SM100_PAIR.replace("bf16, bf16, f32", "f16, f16, f16"), '!cute.shape<"((64,32),1,1,2)">'),
        ('!cute.memref<f16, tmem, align<1>, "((64,(16,2)),1,1,2):((131072,(2,8388608)),0,0,32)">',),
        operand(2),
    ),
    "tensor memory of two CTAs": Case(
        FRAGMENT,
        (SM100_PAIR, '!cute.shape<"((64,32),1,1,2)">'),
        ('!cute.memref<f32, tmem, align<1>, "((64,(16,2)),1,1,2):((65536,(1,4194304)),0,0,16)">',),
        operand(2),
    ),
    "tensor memory of A, two elements a column": Case(
        FRAGMENT,
        (SM100_TS, '!cute.shape<"((128,16),1,(4,2))">'),
        ('!cute.memref<bf16, tmem, align<1>, "((128,16),1,(4,2)):((131072,1),0,(16,64))">',),
        operand(0),
    ),
}
TENSORS = {
    "rows contiguous": Case(
        LOAD,
        (
            '!cute.memref<bf16, gmem, align<16>, "(200,72):(72,1)">',
            '!cute.composed_layout<"S<3,4,3> o 0 o ((128,16),1,4):((64,1),0,16)">',
            '!cute.layout<"((128,16),1,4):((1@0,1@1),0,16@1)">',
        ),
        (box("(64,128)", 131072), '!cute.coord_tensor<"(0,0)", "(200,72):(1@1,1@0)">'),
    ),
    "sizes and strides of run time, a third axis": Case(
        STORE,
        (
            '!cute.memref<bf16, gmem, align<16>, "(?,?{div=8},?):(?{i64 div=8},1,?{i64 div=8})">',
            '!cute.composed_layout<"S<2,4,3> o 0 o ((8,8),(32,1)):((32,256),(1,0))">',
            '!cute.layout<"(64,32):(1@0,1@1)">',
        ),
        (
            box("(32,64,1)", 32768, "(1@1,1@0,1@2)").replace("tma_load<sm_90, ", "tma_store<"),
            '!cute.coord_tensor<"(0,0,0)", "(?,?{div=8},?):(1@1,1@0,1@2)">',
        ),
    ),
    "a reduction": Case(
        REDUCE,
        (
            '!cute.memref<f32, gmem, align<16>, "(?,?{div=4}):(?{div=4},1)">',
            '!cute.layout<"(64,32):(32,1)">',
            '!cute.layout<"(64,32):(1@0,1@1)">',
        ),
        (
            box("(32,64)", 65536).replace("tma_load<sm_90, bf16", "tma_reduce<ADD, f32"),
            '!cute.coord_tensor<"(0,0)", "(?,?{div=4}):(1@1,1@0)">',
        ),
        "<{kind = #cute_nvgpu.tma_reduce_kind<ADD>}>",
    ),
}


OTHER_OPERANDS = [
    ("registers of A", 1, "the part has 8 values of B for an atom, which takes 4"),
    ("registers of B, in the order of memory", 2, "takes elements of f32, and here they are bf16"),
    ("registers of C", 1, "B is in rmem, and the instruction takes it from descriptors"),
    ("descriptors of A", 1, "the part has 1024 values of B for an atom, which takes 4096"),
    ("descriptors of A", 2, "C is in descriptors, and the instruction takes it from rmem"),
    ("tensor memory of one CTA", 1, "B is in tmem, and the instruction takes it from descriptors"),
]


@pytest.mark.parametrize("case", [*FRAGMENTS.values(), *TENSORS.values()], ids=[*FRAGMENTS, *TENSORS])
def test_what_was_returned_is_right(case: Case) -> None:
    found = case.decide()
    assert (found.verdict, found.reason) == (RIGHT, "")


@pytest.mark.parametrize("case", FRAGMENTS.values(), ids=FRAGMENTS)
def test_another_number_of_a_fragment_is_wrong(case: Case) -> None:
    planted = 0
    for mutant in mutants_of_layout(case.results[0]):
        found = decide(case.name, case.operands, (mutant,), case.properties)
        assert found.verdict == WRONG, mutant
        planted += 1
    assert planted >= 5


@pytest.mark.parametrize("case", FRAGMENTS.values(), ids=FRAGMENTS)
def test_another_pointer_of_a_fragment_is_wrong(case: Case) -> None:
    for mutant in mutants_of_pointer(case.results[0]):
        found = decide(case.name, case.operands, (mutant,), case.properties)
        assert found.verdict == WRONG, mutant


@pytest.mark.parametrize("case", TENSORS.values(), ids=TENSORS)
def test_another_axis_or_box_is_wrong(case: Case) -> None:
    atom, coordinates = case.results
    others = [
        (atom.replace("1@1,1@0", "1@0,1@1"), coordinates),
        (atom, coordinates.replace("1@1,1@0", "1@0,1@1")),
        (atom, coordinates.replace("1@1,1@0", "1@1,0")),
        (atom, coordinates.replace("1@1,1@0", "2@1,1@0")),
        (atom.replace('"(64,128)', '"(128,64)').replace('"(32,64', '"(64,32'), coordinates),
    ]
    for results in others:
        assert results != case.results
        assert decide(case.name, case.operands, results).verdict == WRONG, results
    apart = case.operands[1].replace("(64,1)", "(65,1)").replace("(1,0)", "(2,0)").replace(":(32,1)", ":(33,1)")
    assert apart != case.operands[1]
    assert decide(case.name, (case.operands[0], apart, case.operands[2]), case.results).verdict == WRONG
    turned = case.operands[2].replace("(1@0,1@1)", "(1@1,1@0)")
    assert decide(case.name, (*case.operands[:2], turned), case.results).verdict == WRONG


def test_sizes_starts_and_elements_of_coordinates() -> None:
    case = TENSORS["sizes and strides of run time, a third axis"]
    atom, coordinates = case.results
    for old, new in (
        ("?,?{div=8},?)", "7,?{div=8},?)"),
        ("?,?{div=8},?)", "?{div=2},?{div=8},?)"),
        ("?,?{div=8},?)", "?,?{div=16},?)"),
        ("?,?{div=8},?)", "?,?{div=8},1)"),
        ("(0,0,0)", "(0,1,0)"),
        ("(0,0,0)", "(0,0,?)"),
    ):
        found = decide(STORE, case.operands, (atom, coordinates.replace(old, new)))
        assert found.verdict == WRONG, new
    assert decide(STORE, case.operands, (atom, coordinates.replace("(0,0,0)", "(0,0)"))).verdict == NOT_CHECKED
    for weaker in ("?,?{div=4},?)", "?,?,?)", "?{i64},?{div=8},?)"):
        assert decide(STORE, case.operands, (atom, coordinates.replace("?,?{div=8},?)", weaker))).verdict == RIGHT
    fixed = TENSORS["rows contiguous"]
    for size in ("?", "201"):
        results = fixed.results[0], fixed.results[1].replace("200", size)
        assert decide(LOAD, fixed.operands, results).verdict == WRONG
    for other, verdict in (("f32", WRONG), ("f16", NOT_CHECKED), ("i8", WRONG)):
        assert decide(STORE, case.operands, (atom.replace("bf16", other), coordinates)).verdict == verdict
    assert decide(STORE, case.operands, (atom.replace("tma_store", "tma_load"), coordinates)).verdict == WRONG


@pytest.mark.parametrize("size", ["?", "1", "7"])
def test_a_mode_that_no_axis_of_the_box_names(size: str) -> None:
    shared, places = TENSORS["rows contiguous"].operands[1:]
    atom = TENSORS["rows contiguous"].results[0]

    def found(step: str, known: str = "0") -> str:
        tensor = f'!cute.memref<bf16, gmem, align<16>, "(200,72,{size}):(72,1,{known})">'
        coordinates = f'!cute.coord_tensor<"(0,0)", "(200,72,{size}):(1@1,1@0,{step})">'
        return decide(LOAD, (tensor, shared, places), (atom, coordinates)).verdict

    assert found("0") == RIGHT
    for step in ("1", "2@0", "1@0+1@1"):
        assert found(step) == (RIGHT if size == "1" else WRONG), step
    assert found("1@0") == found("1@2") == WRONG
    assert found("0", "14400") == (RIGHT if size == "1" else WRONG)  # it moves, and no coordinate does


def test_a_first_axis_with_a_stride_of_run_time_is_open() -> None:
    case = TENSORS["rows contiguous"]
    tensor = case.operands[0].replace("(72,1)", "(72,?)")
    assert decide(LOAD, (tensor, *case.operands[1:]), case.results).verdict == NOT_CHECKED


@pytest.mark.parametrize("name", ["registers of A", "registers of C", "tensor memory of one CTA"])
def test_elements_of_a_fragment(name: str) -> None:
    case = FRAGMENTS[name]
    own = "bf16" if name == "registers of A" else "f32"
    for other, verdict in ((own, RIGHT), ("i8", WRONG), ("f16" if own == "bf16" else "tf32", NOT_CHECKED)):
        result = case.results[0].replace(f"<{own},", f"<{other},")
        assert decide(FRAGMENT, case.operands, (result,), case.properties).verdict == verdict, other
    bits = case.results[0].replace(f"<{own},", "<i16," if own == "bf16" else "<i32,")
    assert decide(FRAGMENT, case.operands, (bits,), case.properties).verdict == RIGHT


def test_a_first_axis_with_a_stride_is_wrong() -> None:
    case = TENSORS["rows contiguous"]
    tensor = case.operands[0].replace("(72,1)", "(144,2)")
    found = decide(LOAD, (tensor, *case.operands[1:]), case.results)
    assert found.verdict == WRONG and "contiguous" in found.reason


def test_what_tma_is_told_of_a_tensor_and_of_shared_memory() -> None:
    tensor, shared, tile = TENSORS["rows contiguous"].operands
    for old, new, verdict, told in (
        ("S<3,4,3>", "S<0,4,3>", RIGHT, ""),
        ("S<3,4,3>", "S<3,3,3>", NOT_CHECKED, "none that is known of TMA"),
        ("S<3,4,3>", "S<4,4,3>", NOT_CHECKED, "none that is known of TMA"),
        ("o 0 o", "o 8 o", NOT_CHECKED, "none that is known of TMA"),
        ("gmem", "generic", RIGHT, ""),
        ("gmem", "smem", WRONG, "the tensor is in smem"),
        ("(72,1)", "(80,1)", RIGHT, ""),
        ("(72,1)", "(76,1)", WRONG, "steps by 76 elements, and TMA by whole units of 16 bytes"),
    ):
        given = tensor.replace(old, new), shared.replace(old, new), tile
        assert given != (tensor, shared, tile)
        found = decide(LOAD, given, TENSORS["rows contiguous"].results)
        assert found.verdict == verdict and told in found.reason, new


def test_registers_that_are_shared_or_left_out() -> None:
    shape = '!cute.shape<"((2,2),4,8)">'
    for layout, told in (
        ("((2,2),4,8):((1,2),4,8)", "share register 8"),
        ("((2,2),4,8):((1,2),4,17)", "register 16 is left out"),
        ("((2,2),4,8):((2,1),4,16)", "not side by side"),
        ("((2,2),8,4):((1,2),4,32)", "mode 1 of the fragment has 8 elements"),
        ("((2,2),4):((1,2),4)", "has 2 modes"),
    ):
        found = decide(FRAGMENT, (SM80, shape), (f'!cute.memref<f32, rmem, align<16>, "{layout}">',), operand(2))
        assert found.verdict == WRONG and told in found.reason, found


def test_a_descriptor_inside_a_unit_of_16_bytes() -> None:
    part = '!cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,4)">'
    view = '!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,{})">'
    found = decide(FRAGMENT, (SM90, part), (view.format(1),), operand(0))
    assert found.verdict == WRONG and "inside a unit of 16" in found.reason


def test_descriptors_are_of_shared_memory() -> None:
    case = FRAGMENTS["descriptors of A"]
    part = case.operands[1].replace("smem", "gmem")
    found = decide(FRAGMENT, (SM90, part), case.results, operand(0))
    assert found.verdict == WRONG and "the part is in gmem" in found.reason


def test_columns_that_tensor_memory_does_not_have() -> None:
    result = '!cute.memref<f32, tmem, align<1>, "((128,256),1,3):((65536,1),0,256)">'
    found = decide(FRAGMENT, (SM100, '!cute.shape<"((128,256),1,3)">'), (result,), operand(2))
    assert found.verdict == WRONG and "outside tensor memory" in found.reason


def test_where_accumulators_lie() -> None:
    lane = 65536
    assert accumulator_places(128, 8, 1, lane)[[1, 128]].tolist() == [lane, 1]
    assert accumulator_places(64, 8, 1, lane)[[15, 16, 64]].tolist() == [15 * lane, 32 * lane, 1]
    assert accumulator_places(64, 8, 2, lane)[[63, 64, 64 * 4]].tolist() == [63 * lane, 1, 64 * lane]
    with pytest.raises(Unsettled):
        accumulator_places(32, 8, 1, lane)


def test_the_same_atom() -> None:
    made = box("(64,128)", 131072)
    ready = (
        "!cute_nvgpu.atom.tma_load<bf16, copy_bits = 131072, mode = tiled, num_cta = 1, "
        'g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>'
    )
    assert decide(EXEC, (made,), (ready,)).verdict == RIGHT
    assert decide(EXEC, (made,), (ready,)).evidence == "definition"
    for old, new in (
        ("131072", "65536"),
        ("(64,128)", "(128,64)"),
        ("1@1,1@0", "1@0,1@1"),
        ("tma_load", "tma_store"),
        ("<bf16", "<f32"),
        ("<bf16", "<f16"),
        ("num_cta = 1", "num_cta = 2"),
        ('"()"> ', '"()"> mcast = true '),
    ):
        assert new in ready.replace(old, new)
        assert decide(EXEC, (made,), (ready.replace(old, new),)).verdict == WRONG, new
    for kind, more, verdict in (
        ("sm_90_multicast", "num_cta = 1, mcast = true", RIGHT),
        ("sm_100_2sm", "num_cta = 2", RIGHT),
        ("sm_100_2sm", "num_cta = 1", WRONG),
        ("sm_100_2sm_multicast", "num_cta = 2", WRONG),
        ("sm_100_2sm", "mode = tiled", NOT_CHECKED),
    ):
        operand = made.replace("sm_90", kind)
        assert decide(EXEC, (operand,), (ready.replace("num_cta = 1", more),)).verdict == verdict, (kind, more)
    stored = made.replace("tma_load<sm_90, ", "tma_store<"), ready.replace("tma_load", "tma_store")
    assert decide(EXEC, stored[:1], (stored[1].replace("num_cta = 1, ", ""),)).verdict == RIGHT
    assert decide(EXEC, stored[:1], (ready,)).verdict == WRONG
    plain = "!cute_nvgpu.atom.universal_copy<f32, 32 b>"
    nameless = made.replace("tma_gbasis", "basis")
    for before, after in ((plain, plain), (plain, plain.replace("f32", "bf16")), (nameless, ready)):
        assert decide(EXEC, (before,), (after,)).verdict == NOT_CHECKED


def test_the_kind_of_an_atom_for_tma() -> None:
    for name, kind, other in (("a reduction", "ADD", "MIN"), ("rows contiguous", "sm_90", "sm_100_2sm")):
        case = TENSORS[name]
        told = f"<{{kind = #cute_nvgpu.some_kind<{kind}>}}>"
        assert decide(case.name, case.operands, case.results, told).verdict == RIGHT
        assert decide(case.name, case.operands, case.results, told.replace(kind, other)).verdict == WRONG
    made = TENSORS["a reduction"].results[0]
    ready = (
        "!cute_nvgpu.atom.tma_reduce<f32, copy_bits = 65536, mode = tiled, kind = ADD, "
        'g_stride = <"()"> tma_gbasis = <"(32,64):(1@1,1@0)">>'
    )
    for more, verdict in (("kind = ADD, ", RIGHT), ("kind = MIN, ", WRONG), ("", NOT_CHECKED)):
        assert decide(EXEC, (made,), (ready.replace("kind = ADD, ", more),)).verdict == verdict


def test_what_is_not_known_is_not_checked() -> None:
    case = FRAGMENTS["registers of C"]
    for operands, result in (
        (("i32", case.operands[1]), case.results[0]),
        ((case.operands[0], '!cute.shape<"((2,2,?),1,1)">'), case.results[0]),
        (
            (SM100.replace("128x256", "32x256"), '!cute.shape<"((32,256),1,1)">'),
            case.results[0].replace("rmem", "tmem"),
        ),
    ):
        assert decide(FRAGMENT, operands, (result,), operand(2)).verdict == NOT_CHECKED
    nested = box("((2,32),1)", 1024, "((1@0,1@1),1@2)")
    tensor = TENSORS["rows contiguous"]
    assert decide(LOAD, tensor.operands, (nested, tensor.results[1])).verdict == NOT_CHECKED


@pytest.mark.parametrize(("name", "number", "reason"), OTHER_OPERANDS)
def test_a_fragment_is_that_of_its_operand(name: str, number: int, reason: str) -> None:
    case = FRAGMENTS[name]
    found = decide(FRAGMENT, case.operands, case.results, operand(number))
    assert found.verdict == WRONG and reason in found.reason
