"""TMA: how it is told of a tensor, the order of a part, and the boxes of a copy."""

import pytest

from veritile.kernels.audit.verdict import NOT_CHECKED, OUTSIDE, RIGHT, WRONG

from .calling import Case, aligned_further, assert_planted_are_wrong, decide
from .test_partitions import SMEM

LOAD, STORE = "cute_nvgpu.atom.make_non_exec_tiled_tma_load", "cute_nvgpu.atom.make_non_exec_tiled_tma_store"
REDUCE = "cute_nvgpu.atom.make_non_exec_tiled_tma_reduce"
EXEC = "cute_nvgpu.atom.make_exec_tma"
PARTITION = "cute_nvgpu.atom.tma_partition"
MOVE = "cute.copy"


def box(extents: str, bits: int, basis: str = "(1@1,1@0)", kind: str = "load<sm_90") -> str:
    return (
        f"!cute_nvgpu.atom.non_exec_tiled_tma_{kind}, bf16, copy_bits = {bits}, "
        f'tma_gbasis = <"{extents}:{basis}">, tma_format = BF16_RN>'
    )


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
PARTS = {
    "one box": Case(
        PARTITION,
        (
            box("(64,128)", 131072),
            '!cute.coord<"0">',
            '!cute.layout<"1:0">',
            f'{SMEM}, S<3,4,3>, "(((128,16),1,4),4):(((64,1),0,16),8192)">',
            '!cute.coord_tensor<"(0,?{div=128})", "(((128,16),1,4),2):(((1@1,1@0),0,16@0),64@0)">',
        ),
        (
            f'{SMEM}, S<3,4,3>, "((8192,1),4):((1,0),8192)">',
            '!cute.coord_tensor<"(0,?{div=128})", "(((64,128),1),2):(((1@0,1@1),0),64@0)">',
        ),
    ),
    "two boxes, shared out between two CTAs": Case(
        PARTITION,
        (
            box("(64,128)", 131072, kind="load<sm_90_multicast"),
            '!cute.coord<"?">',
            '!cute.layout<"(2):(1)">',
            f'{SMEM}, S<3,4,3>, "(((128,16),1,(4,2)),2):(((64,1),0,(16,8192)),16384)">',
            '!cute.coord_tensor<"(0,0)", "(((128,16),1,8),1):(((1@1,1@0),0,16@0),0)">',
        ),
        (
            f'{SMEM}, S<3,4,3>, "((8192,2),2):((1,8192),16384)">',
            '!cute.coord_tensor<"(0,?{div=64})", "(((64,128),2),1):(((1@0,1@1),64@0),0)">',
        ),
    ),
}


@pytest.mark.parametrize("case", [*TENSORS.values(), *PARTS.values()], ids=[*TENSORS, *PARTS])
def test_what_was_returned_is_right(case: Case) -> None:
    found = case.decide()
    assert (found.verdict, found.reason) == (RIGHT, "")


# Atoms and coordinates of a tensor


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


def test_a_box_with_nested_modes_is_not_checked() -> None:
    nested = box("((2,32),1)", 1024, "((1@0,1@1),1@2)")
    tensor = TENSORS["rows contiguous"]
    assert decide(LOAD, tensor.operands, (nested, tensor.results[1])).verdict == NOT_CHECKED


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


# Parts


@pytest.mark.parametrize("case", PARTS.values(), ids=PARTS)
def test_another_number_of_a_part_is_wrong(case: Case) -> None:
    assert_planted_are_wrong(case)


@pytest.mark.parametrize("case", PARTS.values(), ids=PARTS)
def test_an_alignment_that_does_not_follow_is_wrong(case: Case) -> None:
    assert decide(case.name, case.operands, (aligned_further(case.results[0]), case.results[1])).verdict == WRONG


def test_a_box_that_is_not_what_shared_memory_holds_is_wrong() -> None:
    case = PARTS["one box"]
    other = (box("(128,64)", 131072), *case.operands[1:])
    found = decide(PARTITION, other, case.results)
    assert found.verdict == WRONG and "the box (128,64)" in found.reason
    padded = (*case.operands[:3], case.operands[3].replace("(64,1)", "(72,1)"), case.operands[4])
    assert decide(PARTITION, padded, case.results).verdict == WRONG
    longer = (box("(64,256)", 131072), *case.operands[1:])
    assert decide(PARTITION, longer, case.results).verdict == NOT_CHECKED
    wider = (case.operands[0].replace("bf16,", "f32,"), *case.operands[1:])
    found = decide(PARTITION, wider, case.results)
    assert found.verdict == WRONG and "moves 4096 elements at a time" in found.reason


# Boxes of a copy


def test_a_copy_by_tma() -> None:
    box = (
        "!cute_nvgpu.atom.tma_load<bf16, copy_bits = 65536, mode = tiled, num_cta = 1, "
        'g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>'
    )
    tile = '!cute.coord_tensor<"(?,?)", "(((64,64),1)):(((1@0,1@1),0))">'
    shared = '!cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">'
    assert decide(MOVE, (box, tile, shared), ()).verdict == RIGHT
    assert decide(MOVE, (box, tile, shared.replace("(1,0)", "(2,0)")), ()).verdict == WRONG
    assert decide(MOVE, (box.replace("65536", "131072"), tile, shared), ()).verdict == WRONG


BOX = '!cute_nvgpu.atom.tma_load<bf16, copy_bits = 1024, tma_gbasis = <"(64,1):(1@0,1@1)">>'
WALK = '!cute.coord_tensor<"(0,?)", "((64,2),(2)):((1@0,1@1),(2@1))">'
BOXES = '!cute.memref<bf16, smem, align<128>, "((64,2),(2)):((1,64),(128))">'


@pytest.mark.parametrize("space", ["smem", "dsmem"])
@pytest.mark.parametrize("stored", [False, True])
def test_every_box_of_a_copy_by_tma_is_a_run_and_starts_at_128_bytes(stored: bool, space: str) -> None:
    atom = BOX.replace("tma_load", "tma_store") if stored else BOX

    def found(places: str, shared: str) -> tuple[str, str]:
        sides = (shared.replace("smem", space), places) if stored else (places, shared.replace("smem", space))
        decision = decide(MOVE, (atom, *sides), ())
        return decision.verdict, decision.reason

    for swizzle in ("", "S<1,4,3>, ", "S<2,4,3>, ", "S<3,4,3>, "):
        assert found(WALK, BOXES.replace('"((', f'{swizzle}"((')) == (RIGHT, "")
    assert found(WALK, BOXES.replace("128>", "1024>"))[0] == RIGHT
    assert found(WALK, BOXES.replace("(128)", "(?{div=64})"))[0] == RIGHT
    for old, new, verdict, told in (
        ("((1,64)", "((1,7)", WRONG, "box 1 starts 14 bytes on"),
        ("((1,64)", "((1,65)", WRONG, "box 1 starts 130 bytes on"),
        ("((64,2),(2)):((1,64)", "((64,(2,1)),(2)):((1,(72,0))", WRONG, "box 1 starts 144 bytes on"),
        ("((64,2),(2)):((1,64)", "((63,2),(2)):((1,63)", WRONG, "the source has 12"),
        ("((64,2),(2)):((1,64)", "(((64,1),2),(2)):(((2,0),128)", WRONG, "no run"),
        ("((64,2),(2)):((1,64)", "((32,4),(2)):((1,64)", WRONG, "no run"),
        ("((64,2),(2)):((1,64)", "(128,(2)):(2", WRONG, "no run"),
        ("(128))", "(127))", WRONG, "127 elements apart"),
        ("(128))", "(?{div=32}))", OUTSIDE, "for every value"),
        ("align<128>", "align<64>", OUTSIDE, "known to be a multiple of 64"),
        (", align<128>", "", OUTSIDE, "known to be a multiple of 2"),
        ("bf16", "f32", WRONG, "are not the 1024 bits"),
        ('"((64,2)', 'S<3,3,3>, "((64,2)', NOT_CHECKED, "none that is known of TMA"),
        ('"((64,2)', '"S<3,4,3> o 0 o ((64,2)', NOT_CHECKED, "behind a swizzle"),
        ("smem", "gmem", NOT_CHECKED, "no shared memory"),
    ):
        changed = BOXES.replace(old, new)
        assert changed != BOXES
        got = found(WALK, changed)
        assert got[0] == verdict and told in got[1], (new, got)


def test_the_coordinates_of_every_box_of_a_copy_by_tma() -> None:
    for places, verdict, told in (
        (WALK.replace("1@1),", "64@0),"), RIGHT, ""),
        (WALK.replace("(0,?)", "(64,?{div=2})"), RIGHT, ""),
        (WALK.replace("(1@0,", "(2@0,"), WRONG, "another coordinate along axis 0"),
        (WALK.replace("(1@0,", "(1@1,"), WRONG, "another coordinate along axis 1"),
        (WALK.replace("((64,2),(2)):((1@0,1@1)", "((63,2),(2)):((1@0,1@1)"), WRONG, "126"),
        (WALK.replace("((64,2),(2)):((1@0,1@1)", "((32,4),(2)):((1@0,1@1)"), WRONG, "another coordinate along axis 0"),
        (WALK.replace("((64,2),(2)):((1@0,1@1)", "(((64,1),(1,2)),(2)):(((1@0,0),(0,1@1))"), RIGHT, ""),
        (WALK.replace("(1@0,", "(0,"), RIGHT, "does not step along axis 0"),
        (WALK.replace("(1@0,1@1)", "(1@0,1@2)"), RIGHT, ""),  # boxes may be anywhere
        (WALK.replace("(1@0,1@1)", "(1@2,1@1)"), NOT_CHECKED, "that the box does not have"),
        (WALK.replace("(0,?)", "(0,?,0)"), NOT_CHECKED, "have 3 axes, the box 2"),
    ):
        found = decide(MOVE, (BOX, places, BOXES), ())
        assert found.verdict == verdict and told in found.reason, (places, found)
    assert decide(MOVE, (BOX.replace("64,1", "32,1"), WALK, BOXES), ()).verdict == WRONG
    assert decide(MOVE, (BOX.replace("64,1", "48,1"), WALK, BOXES), ()).verdict == NOT_CHECKED
    assert decide(MOVE, (BOX.replace("tma_gbasis", "basis"), WALK, BOXES), ()).verdict == NOT_CHECKED
    assert decide(MOVE, (BOX, BOXES, BOXES), ()).verdict == NOT_CHECKED
    nothing = decide(MOVE, (BOX, WALK.replace("64,2", "64,0"), BOXES.replace("64,2", "64,0")), ())
    assert nothing.verdict == NOT_CHECKED and "has no elements" in nothing.reason


def test_a_box_of_elements_narrower_than_what_tma_counts() -> None:
    box = '!cute_nvgpu.atom.tma_load<i8, copy_bits = 4096, tma_gbasis = <"((2,4,32),1):((1@1@1,1@1@0,1@0@0),1@1@1)">>'
    places = '!cute.coord_tensor<"(?,?)", "((512,2),(1)):((1/2@0,256@0),(0))">'
    shared = '!cute.memref<i8, smem, align<128>, "((512,2),(1)):((1,512),(0))">'
    assert decide(MOVE, (box, places, shared), ()).verdict == RIGHT
    for step in ("1@0,256", "1/4@0,256", "1/2@0,1/2"):
        found = decide(MOVE, (box, places.replace("1/2@0,256", step), shared), ())
        assert found.verdict == WRONG and "along axis 0" in found.reason, found


def test_boxes_of_tma_that_overlap() -> None:
    box = BOX.replace("1024", "2048").replace("(64,1)", "(128,1)")
    walk = WALK.replace("(64,2)", "(128,2)")
    for step, verdict in ((128, RIGHT), (64, WRONG)):
        shared = f'!cute.memref<bf16, smem, align<128>, "((128,2),(2)):((1,{step}),(256))">'
        assert decide(MOVE, (box, walk, shared), ()).verdict == verdict, step


def test_a_note_on_the_coordinates_hides_no_parts_that_overlap() -> None:
    still = WALK.replace("(1@0,", "(0,")
    for step, verdict in ((128, RIGHT), (64, WRONG)):
        found = decide(MOVE, (BOX, still, BOXES.replace("(128))", f"({step}))")), ())
        assert found.verdict == verdict, step
        assert ("does not step along axis 0" if verdict == RIGHT else "share the offset") in found.reason


def test_the_evidence_of_boxes() -> None:
    assert decide(MOVE, (BOX, WALK, BOXES), ()).evidence == "enumeration, closed-form"
    assert PARTS["two boxes, shared out between two CTAs"].decide().evidence == "enumeration"
    assert PARTS["one box"].decide().evidence == "enumeration, closed-form"  # it starts at a number of run time
