"""What operands of an MMA live in."""

import pytest

from veritile.kernels.audit.fragments import accumulator_places
from veritile.kernels.audit.tiling import Unsettled
from veritile.kernels.audit.verdict import NOT_CHECKED, RIGHT, WRONG

from .calling import Case, decide, mutants_of_layout, mutants_of_pointer
from .test_partitions import SM80, SM90, SM100, operand

FRAGMENT = "cute.mma.make_fragment"
SM100_PAIR = SM100.replace("128x256x16, num_cta = 1", "128x32x16, num_cta = 2")
SM100_TS = SM100.replace("128x256x16, num_cta = 1", "256x256x16, num_cta = 2").replace("= ss", "= ts")


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


OTHER_OPERANDS = [
    ("registers of A", 1, "the part has 8 values of B for an atom, which takes 4"),
    ("registers of B, in the order of memory", 2, "takes elements of f32, and here they are bf16"),
    ("registers of C", 1, "B is in rmem, and the instruction takes it from descriptors"),
    ("descriptors of A", 1, "the part has 1024 values of B for an atom, which takes 4096"),
    ("descriptors of A", 2, "C is in descriptors, and the instruction takes it from rmem"),
    ("tensor memory of one CTA", 1, "B is in tmem, and the instruction takes it from descriptors"),
]


@pytest.mark.parametrize("case", FRAGMENTS.values(), ids=FRAGMENTS)
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


@pytest.mark.parametrize("name", ["registers of A", "registers of C", "tensor memory of one CTA"])
def test_elements_of_a_fragment(name: str) -> None:
    case = FRAGMENTS[name]
    own = "bf16" if name == "registers of A" else "f32"
    for other, verdict in ((own, RIGHT), ("i8", WRONG), ("f16" if own == "bf16" else "tf32", NOT_CHECKED)):
        result = case.results[0].replace(f"<{own},", f"<{other},")
        assert decide(FRAGMENT, case.operands, (result,), case.properties).verdict == verdict, other
    bits = case.results[0].replace(f"<{own},", "<i16," if own == "bf16" else "<i32,")
    assert decide(FRAGMENT, case.operands, (bits,), case.properties).verdict == RIGHT


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


@pytest.mark.parametrize(("name", "number", "reason"), OTHER_OPERANDS)
def test_a_fragment_is_that_of_its_operand(name: str, number: int, reason: str) -> None:
    case = FRAGMENTS[name]
    found = decide(FRAGMENT, case.operands, case.results, operand(number))
    assert found.verdict == WRONG and reason in found.reason
