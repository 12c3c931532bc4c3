"""Partitions: what CuTe DSL returned for kernels of ours is right, and every number of it matters."""

import pytest

from veritile.kernels.audit.partitions import copy_elements, mma_axes, tiled_axes
from veritile.kernels.audit.types import TiledCopyType, read_type
from veritile.kernels.audit.verdict import NOT_CHECKED, RIGHT, WRONG
from veritile.model.layout import Layout

from .calling import Case, aligned_further, assert_planted_are_wrong, decide

SOURCE, DESTINATION = "cute.tiled.copy.partition_S", "cute.tiled.copy.partition_D"
RETILE, MMA, SHAPE = "cute.tiled.copy.retile", "cute.tiled.mma.partition", "cute.tiled.mma.partition_shape"
BY_16 = (
    "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, "
    'layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>'
)
LDMATRIX = '!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>'
LOAD_A = (
    f"!cute.tiled_copy<{LDMATRIX}, "
    'layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>'
)
LOAD_B = (
    f"!cute.tiled_copy<{LDMATRIX}, "
    'layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>'
)
FROM_TMEM = (
    "!cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x32>, "
    'layout_copy_tv = <"((32,4),(32,32)):((0,1),(4,128))">, tiler_mn = <"[(128,32):(32,1)]">>'
)
SM80 = (
    "!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, "
    'atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>'
)
SM90 = (
    "!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x256x16, ab_major = (k, k), elem_type = (bf16, bf16, f32), "
    'frag_kind = ss>, atom_layout_MNK = <"(2,1,1):(1,0,0)">, permutation_MNK = <"[_;_;_]">>'
)
SM100 = (
    "!cute.tiled_mma<!cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (bf16, bf16, f32), "
    'frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[_;_;_]">>'
)
THREAD = '!cute.coord<"?">'
SMEM = "!cute.memref<bf16, smem, align<1024>"
RMEM = "!cute.memref<bf16, rmem, align<16>"


def operand(number: int) -> str:
    return f"<{{operand_id = {number} : i32}}>"


CASES = {
    "rows of a tensor with a stride of run time": Case(
        SOURCE,
        (BY_16, '!cute.memref<bf16, gmem, align<16>, "(128,64):(?{i64 div=8},1)">', THREAD),
        ('!cute.memref<bf16, gmem, align<16>, "((8,1),8,1):((1,0),?{i64 div=128},0)">',),
    ),
    "a number of tiles of run time": Case(
        SOURCE,
        (BY_16, '!cute.memref<bf16, gmem, align<16>, "(?{div=16},?,?):(?{i64 div=8},1,?{i64 div=8})">', THREAD),
        ('!cute.memref<bf16, gmem, align<16>, "((8,1),?,?,?):((1,0),?{i64 div=128},64,?{i64 div=8})">',),
    ),
    "shared memory under a swizzle in elements": Case(
        DESTINATION,
        (BY_16, f'{SMEM}, "S<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">', THREAD),
        ('!cute.memref<bf16, smem, align<16>, "((8,1),8,1):((1,0),1024,0)">',),
    ),
    "shared memory under a swizzle of the pointer": Case(
        DESTINATION,
        (BY_16, f'{SMEM}, S<3,4,3>, "(64,(64,4)):(64,(1,4096))">', THREAD),
        ('!cute.memref<bf16, smem, align<16>, S<3,4,3>, "((8,1),4,4):((1,0),1024,4096)">',),
    ),
    "coordinates": Case(
        SOURCE,
        (BY_16, '!cute.coord_tensor<"(?{div=64},0)", "(64,512):(1@0,1@1)">', THREAD),
        ('!cute.coord_tensor<"(?,?{div=8})", "((8,1),4,8):((1@1,0),16@0,64@1)">',),
    ),
    "ldmatrix: the rows of matrices, strides that depend on the thread": Case(
        SOURCE,
        (LOAD_A, f'{SMEM}, "S<3,3,3> o 0 o (128,64,3):(64,1,8192)">', THREAD),
        ('!cute.memref<bf16, smem, align<16>, "((8,1),4,(2,2),3):((1,0),2048,(?{div=16},?{div=32}),8192)">',),
    ),
    "tensor memory: a warp's rectangle": Case(
        SOURCE,
        (FROM_TMEM, '!cute.memref<f32, tmem, align<16>, "((128,32),8):((65536,1),32)">', THREAD),
        ('!cute.memref<f32, tmem, align<16>, "(((32,32),1),1,8):(((1,65536),0),0,32)">',),
    ),
    "tensor memory: a thread's registers": Case(
        DESTINATION,
        (FROM_TMEM, '!cute.memref<f32, tmem, align<16>, "((128,32),8):((65536,1),32)">', THREAD),
        ('!cute.memref<f32, tmem, align<16>, "((32,1),1,8):((1,0),0,32)">',),
    ),
    "mma.sync: A under a swizzle": Case(
        MMA,
        (SM80, f'{SMEM}, "S<3,3,3> o 0 o (128,64):(64,1)">', THREAD),
        ('!cute.memref<bf16, smem, align<4>, "((2,2,2),4,(2,2)):((1,512,?{div=8}),2048,(?{div=16},?{div=32}))">',),
        operand(0),
    ),
    "mma.sync: C with a stride of run time": Case(
        MMA,
        (SM80, '!cute.memref<bf16, gmem, align<16>, "(128,64):(?{i64 div=8},1)">', THREAD),
        ('!cute.memref<bf16, gmem, align<4>, "((2,2),4,4):((1,?{i64 div=64}),?{i64 div=256},16)">',),
        operand(2),
    ),
    "mma.sync: B in whole permutations": Case(
        MMA,
        (SM80, '!cute.memref<bf16, gmem, align<16>, "(64,64):(64,1)">', THREAD),
        ('!cute.memref<bf16, gmem, align<4>, "((2,2),(2,2),4):((1,8),(1024,2048),16)">',),
        operand(1),
    ),
    "mma.sync: coordinates of C": Case(
        MMA,
        (SM80, '!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">', THREAD),
        ('!cute.coord_tensor<"(?,?{div=2})", "((2,2),4,4):((1@1,8@0),32@0,16@1)">',),
        operand(2),
    ),
    "wgmma: A in shared memory, for each warpgroup": Case(
        MMA,
        (SM90, f'{SMEM}, S<3,4,3>, "(128,64,4):(64,1,8192)">', THREAD),
        (f'{SMEM}, S<3,4,3>, "((64,16),1,4,4):((64,1),0,16,8192)">',),
        operand(0),
    ),
    "tcgen05: A as coordinates": Case(
        MMA,
        (SM100, '!cute.coord_tensor<"(0,?{div=128})", "(128,64,2):(1@1,1@0,64@0)">', '!cute.coord<"0">'),
        ('!cute.coord_tensor<"(0,?{div=128})", "((128,16),1,4,2):((1@1,1@0),0,16@0,64@0)">',),
        operand(0),
    ),
    "registers of mma.sync for ldmatrix": Case(
        RETILE,
        (LOAD_A, f'{RMEM}, "((2,2,2),4,(2,2)):((1,2,4),8,(32,64))">'),
        (f'{RMEM}, "((8,1),4,4):((1,0),8,32)">',),
    ),
    "registers of mma.sync, two atoms for one ldmatrix": Case(
        RETILE,
        (LOAD_B, f'{RMEM}, "((2,2),8,(2,2)):((1,2),4,(32,64))">'),
        (f'{RMEM}, "((8,1),4,4):((1,0),8,32)">',),
    ),
}
SHAPES = {
    (SM80, '"(128,128)"', 2): '"((2,2),4,8)"',
    (SM90, '"(128,256)"', 2): '"((2,2,32),1,1)"',
    (SM100, '"(256,64)"', 1): '"((256,16),1,4)"',
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_was_returned_is_right(case: Case) -> None:
    found = case.decide()
    assert (found.verdict, found.reason) == (RIGHT, "")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_another_number_is_wrong(case: Case) -> None:
    """Every size, every stride, every claim: changed, it is told from what was returned."""
    assert_planted_are_wrong(case)


ALIGNED = {name: case for name, case in CASES.items() if "align" in case.results[0]}


@pytest.mark.parametrize("case", ALIGNED.values(), ids=ALIGNED)
def test_an_alignment_that_does_not_follow_is_wrong(case: Case) -> None:
    found = decide(case.name, case.operands, (aligned_further(case.results[0]), *case.results[1:]), case.properties)
    assert found.verdict == WRONG


@pytest.mark.parametrize(("given", "shape"), SHAPES.items())
def test_shapes_of_parts(given: tuple[str, str, int], shape: str) -> None:
    mma, whole, number = given
    operands = (mma, f"!cute.shape<{whole}>")
    assert decide(SHAPE, operands, (f"!cute.shape<{shape}>",), operand(number)).verdict == RIGHT
    for place, size in enumerate(("2", "16", "(4,4)")):
        other = shape.replace("1,", f"{size},", 1) if place < 2 else shape.replace("4,8", size)
        if other != shape:
            assert decide(SHAPE, operands, (f"!cute.shape<{other}>",), operand(number)).verdict == WRONG


def test_the_evidence_of_parts() -> None:
    """Places are enumerated; of numbers of run time a period of them, and the rest follows in closed form."""
    for name, evidence in (
        ("wgmma: A in shared memory, for each warpgroup", "enumeration"),
        ("registers of mma.sync for ldmatrix", "enumeration"),
        ("rows of a tensor with a stride of run time", "enumeration, closed-form"),
        ("shared memory under a swizzle of the pointer", "enumeration, closed-form"),  # whose offsets are distinct
    ):
        assert CASES[name].decide().evidence == evidence, name
    (mma, whole, number), shape = next(iter(SHAPES.items()))
    found = decide(SHAPE, (mma, f"!cute.shape<{whole}>"), (f"!cute.shape<{shape}>",), operand(number))
    assert found.evidence == "closed-form"  # sizes alone


def test_what_a_shape_of_parts_claims_follows() -> None:
    operands = (SM80, '!cute.shape<"(?{div=64},?,?{div=4})">')
    for shape, verdict in (
        ("((2,2),?{div=2},?,?{div=4})", RIGHT),
        ("((2,2),?,?,?{div=2})", RIGHT),
        ("((2,2),?{div=4},?,?{div=4})", WRONG),
        ("((2,2),?{div=2},?{div=2},?{div=4})", WRONG),
        ("((2,2),?{div=2},?,?{div=8})", WRONG),
        ("((2,2),?{div=2},?,4)", NOT_CHECKED),
    ):
        found = decide(SHAPE, operands, (f'!cute.shape<"{shape}">',), operand(2))
        assert found.verdict == verdict, (shape, found)


def test_a_tile_that_hangs_over_is_no_fault() -> None:
    tensor = '!cute.memref<bf16, gmem, align<16>, "(120,64):(64,1)">'
    part = '!cute.memref<bf16, gmem, align<16>, "((8,1),{},1):((1,0),1024,0)">'
    found = decide(SOURCE, (BY_16, tensor, THREAD), (part.format(8),))
    assert (found.verdict, found.reason) == (RIGHT, "the last tile hangs over the 120 elements of mode 0")
    assert decide(SOURCE, (BY_16, tensor, THREAD), (part.format(7),)).verdict == WRONG


def test_one_thread_starts_where_it_says() -> None:
    tensor = '!cute.coord_tensor<"(0,0)", "(64,64):(1@0,1@1)">'
    for base, verdict in (
        ("(1,0)", RIGHT),
        ("(0,0)", WRONG),
        ("(1,8)", WRONG),
        ("(?,0)", NOT_CHECKED),
        ("(1,?{div=8})", NOT_CHECKED),
        ("(?{div=2},0)", WRONG),
    ):
        result = f'!cute.coord_tensor<"{base}", "((8,1),4,1):((1@1,0),16@0,0)">'
        assert decide(SOURCE, (BY_16, tensor, '!cute.coord<"8">'), (result,)).verdict == verdict, base


def test_a_thread_that_is_a_multiple_is_only_such_threads() -> None:
    tensor = '!cute.coord_tensor<"(0,0)", "(64,64):(1@0,1@1)">'
    result = '!cute.coord_tensor<"(?,0)", "((8,1),4,1):((1@1,0),16@0,0)">'
    assert decide(SOURCE, (BY_16, tensor, '!cute.coord<"?{div=8}">'), (result,)).verdict == RIGHT
    assert decide(SOURCE, (BY_16, tensor, '!cute.coord<"?{div=4}">'), (result,)).verdict == WRONG


def test_the_offset_before_a_swizzle_may_go_to_the_pointer_as_far_as_that_gives_the_same() -> None:
    mma = SM80.replace("(2,2,1):(1,2,0)", "(4,1,1):(1,0,0)").replace("[32:1;32:1;16:1]", "[64:1;16:1;16:1]")
    tensor = f'{SMEM}, "S<3,3,3> o 0 o ((64,1),(8,8)):((1,0),(64,512))">'
    # What the thread adds and what its values add are in bits that the swizzle keeps apart here.
    for offset in ("?{div=16}", "?", "?{div=512}", "0"):
        result = f'!cute.memref<bf16, smem, "S<3,3,3> o {offset} o ((2,2,2),1,4):((64,8,512),0,1024)">'
        assert decide(MMA, (mma, tensor, THREAD), (result,), operand(0)).verdict == RIGHT, offset
    aligned = '!cute.memref<bf16, smem, align<16>, "S<3,3,3> o ?{div=16} o ((2,2,2),1,4):((64,8,512),0,1024)">'
    assert decide(MMA, (mma, tensor, THREAD), (aligned,), operand(0)).verdict == WRONG
    other = '!cute.memref<bf16, smem, "S<2,3,3> o ?{div=16} o ((2,2,2),1,4):((64,8,512),0,1024)">'
    assert decide(MMA, (mma, tensor, THREAD), (other,), operand(0)).verdict == WRONG
    for step in ("(65,8,512)", "(64,16,512)", "(64,8,1024)"):
        mutant = f'!cute.memref<bf16, smem, "S<3,3,3> o ?{{div=16}} o ((2,2,2),1,4):({step},0,1024)">'
        assert decide(MMA, (mma, tensor, THREAD), (mutant,), operand(0)).verdict == WRONG, step


def test_a_part_behind_the_same_swizzle_keeps_its_pointer() -> None:
    """S<3,4,3> of the pointer, the element, the space; and no better an alignment than the tensor's 4 bytes."""
    mma = SM80.replace("(2,2,1):(1,2,0)", "(4,1,1):(1,0,0)").replace("[32:1;32:1;16:1]", "[64:1;16:1;16:1]")
    tensor = '!cute.memref<bf16, smem, align<4>, "S<3,3,3> o 0 o ((64,1),(8,8)):((1,0),(64,512))">'
    part = '!cute.memref<bf16, smem, align<4>, "S<3,3,3> o ? o ((2,2,2),1,4):((64,8,512),0,1024)">'
    assert decide(MMA, (mma, tensor, THREAD), (part,), operand(0)).verdict == RIGHT
    for old, new in (("<bf16,", "<f16,"), (" smem", " gmem"), ("align<4>", "align<4>, S<3,4,3>"), ("<4>", "<8>")):
        mutant = part.replace(old, new, 1)
        assert mutant != part
        assert decide(MMA, (mma, tensor, THREAD), (mutant,), operand(0)).verdict == WRONG, mutant


def test_a_dynamic_stride_is_one_number_for_all_places_of_a_thread() -> None:
    """Tiles of 6 in a mode of (4,3):(1,d): place 0 goes on by 2 + d, place 3, the same thread's, by 2d - 2."""
    copy = (
        "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, "
        'layout_copy_tv = <"(3,2):(1,3)">, tiler_mn = <"[6:1]">>'
    )
    part = '!cute.memref<f32, gmem, "((1,2),2):((0,3),{})">'
    for stride, tiles, verdict in (
        (100, "?", NOT_CHECKED),
        (100, 102, WRONG),
        (100, 198, WRONG),
        (4, "?", NOT_CHECKED),
        (4, "?{div=2}", NOT_CHECKED),
        (4, 6, RIGHT),
        (4, "?{div=4}", WRONG),
    ):
        tensor = f'!cute.memref<f32, gmem, "((4,3)):((1,{stride}))">'
        found = decide(SOURCE, (copy, tensor, '!cute.coord<"0">'), (part.format(tiles),))
        assert found.verdict == verdict, (stride, tiles, found)
    tensor = '!cute.memref<f32, gmem, "((4,3)):((1,?))">'
    found = decide(SOURCE, (copy, tensor, '!cute.coord<"0">'), ('!cute.memref<f32, gmem, "((1,2),2):((0,?),?)">',))
    assert found.verdict == NOT_CHECKED and "places of a thread that need several" in found.reason


@pytest.mark.parametrize(
    "part",
    [
        "((8,1),8,1,2):((1,0),?{div=128},0,8192)",
        "((8,1),?,1,2):((1,0),1024,0,8192)",
        "((?,1),8,1,2):((1,0),1024,0,8192)",
        "((8,1),8,1,2):((?,0),1024,0,8192)",
        "((8,1),8,1,?):((1,0),1024,0,8192)",
        "((8,1),8,1,2):((1,0),1024,0,?)",
    ],
)
def test_a_part_that_hides_a_number_that_is_known_is_not_checked(part: str) -> None:
    tensor = '!cute.memref<bf16, gmem, align<16>, "{}">'
    operands = (BY_16, tensor.format("(128,64,2):(64,1,8192)"), THREAD)
    assert decide(SOURCE, operands, (tensor.format("((8,1),8,1,2):((1,0),1024,0,8192)"),)).verdict == RIGHT
    assert decide(SOURCE, operands, (tensor.format(part),)).verdict == NOT_CHECKED


def test_threads_may_each_have_a_dynamic_stride_of_their_own() -> None:
    """The same tiles, one value for each of six threads."""
    copy = (
        "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 32 b>, "
        'layout_copy_tv = <"(6,1):(1,0)">, tiler_mn = <"[6:1]">>'
    )
    tensor = '!cute.memref<f32, gmem, "((4,3)):((1,100))">'
    part = '!cute.memref<f32, gmem, "((1,1),2):((0,0),{})">'
    assert decide(SOURCE, (copy, tensor, THREAD), (part.format("?"),)).verdict == RIGHT
    assert decide(SOURCE, (copy, tensor, THREAD), (part.format("102"),)).verdict == WRONG
    found = decide(SOURCE, (copy, tensor.replace("100", "6"), THREAD), (part.format("?{div=8}"),))
    assert found.verdict == WRONG and found.witness is not None
    values = found.witness.values  # the first place goes on by 8, and shows nothing
    assert (values["place in the tile"], values["expected"], values["got"]) == (2, "10", "a multiple of 8")


@pytest.mark.parametrize("behind", ["", "S<3,3,3> o 0 o "])
def test_a_part_that_is_another_kind_of_tensor_is_not_checked(behind: str) -> None:
    tensor = f'!cute.memref<bf16, smem, "{behind}(16,64):(64,1)">'
    part = '!cute.coord_tensor<"0", "((8,1),1,1):((1,0),0,0)">'
    found = decide(SOURCE, (BY_16, tensor, THREAD), (part,))
    assert (found.verdict, "has become" in found.reason) == (NOT_CHECKED, True)


def test_low_bits_in_the_pointer_are_told_from_ones_that_carry() -> None:
    """Every third column: with 3 bits in the pointer, the next element would carry into what the swizzle reads."""
    copy = (
        "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, "
        'layout_copy_tv = <"((8,4),16):((1,128),8)">, tiler_mn = <"[8:1;64:1]">>'
    )
    rows = f'{SMEM}, "S<3,3,3> o 0 o (24,64):(1,24)">'
    part = '!cute.memref<bf16, smem, "S<3,3,3> o ?{div=384} o ((8,2),3,1):((24,192),8,0)">'
    assert decide(DESTINATION, (copy, rows, THREAD), (part,)).verdict == RIGHT
    single = (
        copy.replace("128 b", "16 b")
        .replace("((8,4),16):((1,128),8)", "(16,3):(3,1)")
        .replace("[8:1;64:1]", "[24:1;2:1]")
    )
    narrow = f'{SMEM}, "S<3,3,3> o 0 o (48,2,2):(2,1,96)">'
    carried = '!cute.memref<bf16, smem, "S<3,3,3> o ?{div=8} o ((1,3),2,1,2):((0,2),48,0,96)">'
    found = decide(SOURCE, (single, narrow, THREAD), (carried,))
    assert found.verdict == WRONG
    assert found.witness is not None and (found.witness.values["expected"], found.witness.values["got"]) == (104, 88)


def test_what_the_dsl_returns_for_tiles_that_cross_a_mode_is_wrong() -> None:
    """Tiles of 32 in a mode of (48,2): there are three, and each but the first crosses into the next 48."""
    copy = (
        "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 16 b>, "
        'layout_copy_tv = <"((16,4),(2,2)):((2,64),(32,1))">, tiler_mn = <"[32:1;8:1]">>'
    )
    tensor = '!cute.memref<bf16, gmem, align<16>, "((48,2),(4,2)):((4,1),(192,2))">'
    returned = '!cute.memref<bf16, gmem, align<4>, "((1,(2,2)),(2,2),1):((0,(192,4)),(128,1),0)">'
    found = decide(DESTINATION, (copy, tensor, THREAD), (returned,))
    assert found.verdict == WRONG and "mode 0 has 3 tiles, the result 4" in found.reason


def test_values_that_the_atom_does_not_divide_are_wrong() -> None:
    copy = (
        "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 32 b>, "
        'layout_copy_tv = <"((4,8),(3,4)):((96,3),(1,24))">, tiler_mn = <"[24:1;16:1]">>'
    )
    returned = '!cute.memref<bf16, smem, "((2,(2,4)),2,1):((1,(2,48)),24,0)">'
    found = decide(DESTINATION, (copy, f'{SMEM}, "(48,16):(1,48)">', THREAD), (returned,))
    assert found.verdict == WRONG and "a thread has 12 values, the result 16" in found.reason


@pytest.mark.parametrize(
    ("operands", "reason"),
    [
        ((BY_16.replace("universal_copy<bf16, 128 b>", "surprise<bf16>"), "", THREAD), "atom"),
        ((BY_16.replace("[16:1;64:1]", "[16:1;_]"), "", THREAD), "not by mode"),
        ((BY_16.replace("[16:1;64:1]", "[16:1;32:1]"), "", THREAD), "a tile of 512"),
        ((BY_16, "", '!cute.coord<"(?,?)">'), "no one number"),
        ((BY_16, "", '!cute.coord<"128">'), "no thread 128"),
        ((BY_16, "!cute.ptr<bf16, gmem>", THREAD), "no tensor"),
        ((BY_16, '!cute.memref<bf16, gmem, "((?,4),64):((1,8),16)">', THREAD), "known only at run time"),
    ],
)
def test_what_is_not_known_is_not_checked(operands: tuple[str, str, str], reason: str) -> None:
    copy, tensor, thread = operands
    tensor = tensor or '!cute.memref<bf16, gmem, "(128,64):(64,1)">'
    found = decide(SOURCE, (copy, tensor, thread), ('!cute.memref<bf16, gmem, "((8,1),8,1):((1,0),1024,0)">',))
    assert found.verdict == NOT_CHECKED
    assert reason in found.reason


def test_the_elements_of_a_thread() -> None:
    copy = read_type(LOAD_A)
    assert isinstance(copy, TiledCopyType)
    registers, rows = copy_elements(copy, "destination"), copy_elements(copy, "source")
    assert registers.shape == rows.shape == (128, 8)
    # Lane 1 holds columns 2 and 3 of row 0 of the first matrix; it gives the address of row 1.
    assert registers[1, :2].tolist() == [64, 96]
    assert rows[1].tolist() == [1 + 32 * k for k in range(8)]


def test_axes() -> None:
    copy = read_type(BY_16)
    assert isinstance(copy, TiledCopyType)
    (place, size, spread), (second, _, other) = tiled_axes(copy_elements(copy, "source"), copy.tiler)
    assert (size, spread, other) == (16, None, None)
    assert place[:10, 0].tolist() == [0] * 8 + [1] * 2 and second[:3, 0].tolist() == [0, 8, 16]
    rows, _ = mma_axes(read_type(SM80), 0)
    assert rows[1:] == (32, Layout(32))


def test_a_retiled_fragment_that_hangs_over_its_registers_is_noted() -> None:
    for atoms, note in ((8, ""), (7, "the last tile hangs over the 7 elements of mode 1")):
        tensor = f'{RMEM}, "((2,2),{atoms},(2,2)):((1,2),4,({4 * atoms},{8 * atoms}))">'
        result = f'{RMEM}, "((8,1),4,4):((1,0),8,{4 * atoms})">'
        found = decide(RETILE, (LOAD_B, tensor), (result,))
        assert (found.verdict, found.reason) == (RIGHT, note)
