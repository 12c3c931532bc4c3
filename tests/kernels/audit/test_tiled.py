"""What is built of atoms, and copies and products of parts."""

import pytest

from veritile.kernels.audit.contracts import offsets_apart
from veritile.kernels.audit.verdict import NOT_CHECKED, OUTSIDE, RIGHT, WRONG
from veritile.model.errors import Undecided
from veritile.model.layout import Layout

from .calling import decide
from .test_partitions import BY_16, FROM_TMEM, LDMATRIX, LOAD_A, SM80, SM90, SM100

COPY, MMA, TMEM = "cute.make_tiled_copy", "cute.make_tiled_mma", "cute_nvgpu.atom.make_tmem_copy"
MOVE, GEMM = "cute.copy", "cute.gemm"
UNIVERSAL = "!cute_nvgpu.atom.universal_copy<bf16, 128 b>"
LOAD = "!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x32>"
ACCUMULATOR = '!cute.memref<f32, tmem, align<16>, "((128,32)):((65536,1))">'


def atom_of(tiled: str) -> str:
    return tiled.removeprefix("!cute.tiled_mma<").split(", atom_layout")[0]


@pytest.mark.parametrize(
    ("atom", "copy", "note"),
    [
        (UNIVERSAL, BY_16, ""),
        (LDMATRIX, LOAD_A, "each element is held 2 times"),
        (LOAD, FROM_TMEM, ""),
    ],
)
def test_tiled_copies(atom: str, copy: str, note: str) -> None:
    found = decide(COPY, (atom,), (copy,))
    assert (found.verdict, found.reason) == (RIGHT, note)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("((128,1),16)", "((64,1),16)", "several owners"),
        ("((128,1),16)", "((128,1),17)", "outside the tile"),
        ("((128,1),16)", "((128,1),8)", "several owners"),
        ("((128,1),16)", "((128,0),16)", "owned by nobody"),
        ("((8,16),8)", "((8,16),4)", "owned by nobody"),
        ("[16:1;64:1]", "[16:1;128:1]", "owned by nobody"),
        ("[16:1;64:1]", "[16:1;32:1]", "outside the tile"),
        ("bf16, 128 b", "bf16, 256 b", "another atom"),
    ],
)
def test_tiled_copies_that_do_not_own_their_tile(old: str, new: str, told: str) -> None:
    found = decide(COPY, (UNIVERSAL,), (BY_16.replace(old, new),))
    assert found.verdict == WRONG
    assert told in found.reason


def test_a_tiled_copy_of_broken_atoms() -> None:
    wide = UNIVERSAL.replace("128 b", "256 b")
    found = decide(COPY, (wide,), (BY_16.replace("128 b", "256 b"),))
    assert found.verdict == WRONG and "no whole number of atoms of 16" in found.reason
    unknown = "!cute_nvgpu.atom.surprise<bf16>"
    found = decide(COPY, (unknown,), (BY_16.replace(UNIVERSAL, unknown),))
    assert found.verdict == NOT_CHECKED


@pytest.mark.parametrize("mma", [SM80, SM90, SM100])
def test_tiled_mmas(mma: str) -> None:
    assert decide(MMA, (atom_of(mma),), (mma,)).verdict == RIGHT


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("(2,2,1):(1,2,0)", "(2,2,1):(1,1,0)", "the same threads"),
        ("(2,2,1):(1,2,0)", "(2,2,1):(1,3,0)", "left out"),
        ("(2,2,1):(1,2,0)", "(2,2,1):(1,0,0)", "the same threads"),
        ("(2,2,1):(1,2,0)", "(2,2):(1,2)", "over M, N and K"),
        ("[32:1;32:1;16:1]", "[48:1;32:1;16:1]", "no whole number of atoms"),
        ("[32:1;32:1;16:1]", "[32:1;8:1;16:1]", "no whole number of atoms"),
        ("16x8x16", "16x8x8", "another atom"),
    ],
)
def test_tiled_mmas_that_are_wrong(old: str, new: str, told: str) -> None:
    found = decide(MMA, (atom_of(SM80),), (SM80.replace(old, new),))
    assert found.verdict == WRONG
    assert told in found.reason


def test_a_copy_of_tensor_memory() -> None:
    assert decide(TMEM, (LOAD, ACCUMULATOR), (FROM_TMEM,)).verdict == RIGHT
    for old, new, told in (
        ("((0,1),(4,128))", "((0,32),(1,128))", "is not where the instruction finds it"),  # warps side by side
        ("[(128,32):(32,1)]", "[(128,32):(1,128)]", "is not where the instruction finds it"),
        ("((0,1),(4,128))", "((0,2),(4,128))", "outside the tile"),
        ("((32,4),(32,32)):((0,1),(4,128))", "((32,2),(32,32)):((0,1),(4,128))", "owned by nobody"),
    ):
        found = decide(TMEM, (LOAD, ACCUMULATOR), (FROM_TMEM.replace(old, new),))
        assert found.verdict == WRONG, new
        assert told in found.reason


def test_a_copy_of_tensor_memory_by_another_atom() -> None:
    for given in ("16 DP, 256 bit, x1", "32 DP, 32 bit, x16"):
        found = decide(TMEM, (LOAD.replace("32 DP, 32 bit, x32", given), ACCUMULATOR), (FROM_TMEM,))
        assert found.verdict == WRONG and "another atom" in found.reason
    for element, verdict in (("bf16", WRONG), ("tf32", NOT_CHECKED)):
        assert decide(TMEM, (LOAD, ACCUMULATOR.replace("<f32,", f"<{element},")), (FROM_TMEM,)).verdict == verdict
    assert decide(COPY, ("i32",), (BY_16,)).verdict == NOT_CHECKED


def test_a_warp_in_the_lanes_of_another() -> None:
    turned = ACCUMULATOR.replace("((128,32)):((65536,1))", "(((32,2,2),32)):(((65536,4194304,2097152),1))")
    found = decide(TMEM, (LOAD, turned), (FROM_TMEM,))
    assert found.verdict == WRONG and "warp 1 reaches the lanes 32 to 63" in found.reason


PART = '!cute.memref<bf16, {}, align<16>, "((8,1),8,1):((1,0),{},0)">'


@pytest.mark.parametrize("atom", [UNIVERSAL, BY_16])
def test_copies(atom: str) -> None:
    source, destination = PART.format("gmem", "?{i64 div=128}"), PART.format("smem", 1024)
    assert decide(MOVE, (atom, source, destination), ()).verdict == RIGHT
    for others, told in (
        ((source, destination.replace("8,1):", "7,1):")), "the destination 7"),
        ((source.replace("div=128", "div=4"), destination), "the source"),
        ((source, destination.replace("align<16>", "align<8>")), "the destination"),
        ((source, destination.replace("((1,0)", "((2,0)")), "are apart"),
        ((source, destination.replace("1024", "1028")), "1028 elements apart"),
        ((source, destination.replace("align<16>, ", "align<16>, S<3,3,3>, ")), "tears"),
    ):
        found = decide(MOVE, (atom, *others), ())
        assert found.verdict == WRONG, others
        assert told in found.reason


def test_copies_of_matrices_and_of_tensor_memory() -> None:
    rows = '!cute.memref<bf16, smem, align<16>, "((8,1),4):((1,0),1024)">'
    registers = '!cute.memref<bf16, rmem, align<16>, "((8,1),4):((1,0),8)">'
    assert decide(MOVE, (LOAD_A, rows, registers), ()).verdict == RIGHT
    assert decide(MOVE, (LOAD_A, rows.replace("(1,0)", "(64,0)"), registers), ()).verdict == WRONG
    lanes = '!cute.memref<f32, tmem, align<16>, "(((32,32),1),1,4):(((1,65536),0),0,32)">'
    held = '!cute.memref<f32, rmem, align<32>, "((32,1),1,4):((1,0),0,32)">'
    assert decide(MOVE, (FROM_TMEM, lanes, held), ()).verdict == RIGHT
    assert decide(MOVE, (FROM_TMEM, lanes, held.replace("1,4):", "1,3):")), ()).verdict == WRONG


@pytest.mark.parametrize(("matrices", "transposed"), [(1, "n"), (2, "n"), (2, "t"), (4, "t")])
@pytest.mark.parametrize("stored", [False, True])
def test_a_lane_of_few_matrices_names_more_elements_than_it_is_given(
    matrices: int, transposed: str, stored: bool
) -> None:
    atom = f'!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, num_matrices = {matrices}, {transposed}>'
    atom = atom.replace("ldsm<val_type = bf16", "stsm<bf16") if stored else atom
    rows = '!cute.memref<bf16, smem, align<16>, "((8,{}),4):((1,8),1024)">'
    registers = '!cute.memref<bf16, rmem, align<16>, "(({},{}),4):((1,{}),32)">'

    def found(in_rows: int, held: int, in_registers: int) -> tuple[str, str]:
        sides = rows.format(in_rows), registers.format(held, in_registers, held)
        decision = decide(MOVE, (atom, *(sides[::-1] if stored else sides)), ())
        return decision.verdict, decision.reason

    held = 2 * matrices
    assert found(1, held, 1) == found(2, held, 2) == (RIGHT, "")
    assert found(2, held, 1)[0] == found(1, held, 2)[0] == WRONG
    assert "no whole number of atoms" in found(1, held - 1, 1)[1]
    assert found(1, 8, 1)[0] == (RIGHT if matrices == 4 else WRONG)


def test_vectors_of_elements_of_another_type() -> None:
    atom = "!cute_nvgpu.atom.universal_copy<f32, 128 b>"
    for values, element, other, verdict in (
        (8, "bf16", "bf16", RIGHT),
        (8, "bf16", "f16", RIGHT),  # as many bits
        (12, "bf16", "bf16", WRONG),
        (4, "bf16", "bf16", WRONG),
        (4, "f32", "f32", RIGHT),
        (2, "f64", "f64", RIGHT),
        (8, "bf16", "f32", WRONG),
    ):
        sides = (f'!cute.memref<{one}, rmem, align<16>, "({values},2):(1,{values})">' for one in (element, other))
        assert decide(MOVE, (atom, *sides), ()).verdict == verdict, (values, element, other)


def test_copies_in_bulk() -> None:
    bulk = "!cute_nvgpu.atom.bulk_copy_g2s<f32>"
    run = '!cute.memref<f32, gmem, align<16>, "(128,1):(1,0)">'
    there = run.replace("gmem", "smem")
    assert decide(MOVE, (bulk, run, there), ()).verdict == RIGHT
    for other in (run.replace("align<16>", "align<8>"), run.replace("(1,0)", "(2,0)")):
        assert decide(MOVE, (bulk, other, there), ()).verdict == WRONG
    for other in (there.replace("align<16>", "align<16>, S<3,4,3>"), there.replace("128", "0")):
        one = run if "S<" in other else run.replace("128", "0")
        assert decide(MOVE, (bulk, one, other), ()).verdict == NOT_CHECKED
    assert decide(MOVE, (bulk, run, there.replace("align<16>", "align<16>, S<0,4,3>")), ()).verdict == RIGHT
    short = run.replace("128", "126")
    assert decide(MOVE, (bulk, short, short.replace("gmem", "smem")), ()).verdict == WRONG


@pytest.mark.parametrize(
    "operands",
    [
        ("i32", PART.format("gmem", 8), PART.format("smem", 8)),
        (UNIVERSAL, "i32", PART.format("smem", 8)),
        (UNIVERSAL, PART.format("gmem", 8)),
        ("!cute_nvgpu.atom.surprise<bf16>", PART.format("gmem", 8), PART.format("smem", 8)),
        ("!cute_nvgpu.atom.surprise<bf16>", PART.format("gmem", 8).replace("(8,1)", "(4,1)"), PART.format("smem", 8)),
        ("!cute_nvgpu.atom.tma_load_im2col<bf16>", PART.format("gmem", 8), PART.format("smem", 8)),
        (UNIVERSAL, PART.format("gmem", 8).replace("8,1)", "?,1)", 1), PART.format("smem", 8)),
    ],
)
def test_copies_that_are_not_known(operands: tuple[str, ...]) -> None:
    assert decide(MOVE, operands, ()).verdict == NOT_CHECKED


def test_products() -> None:
    d = '!cute.memref<f32, rmem, align<32>, "((2,2),2,8):((1,2),4,8)">'
    a = '!cute.memref<bf16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">'
    b = '!cute.memref<bf16, rmem, align<8>, "((2,2),8,4):((1,2),4,32)">'
    assert decide(GEMM, (SM80, d, a, b, d), ()).verdict == RIGHT
    for operands, told in (
        ((d, a.replace(",2,4)", ",3,4)"), b, d), "along M"),
        ((d, a, b.replace(",8,4)", ",7,4)"), d), "along N"),
        ((d, a, b.replace(",8,4)", ",8,3)"), d), "along K"),
        ((d, a, b, d.replace(",2,8)", ",8,2)")), "D and C"),
    ):
        found = decide(GEMM, (SM80, *operands), ())
        assert found.verdict == WRONG
        assert told in found.reason
    assert decide(GEMM, (SM80, d, a, b), ()).verdict == NOT_CHECKED
    assert decide(GEMM, (SM80, d, a.replace(",2,4)", ",2,?)"), b, d), ()).verdict == NOT_CHECKED


D_ = '!cute.memref<f32, rmem, "((2,2),2,8):((1,2),4,8)">'
A_ = '!cute.memref<bf16, rmem, "((2,2,2),2):((1,2,4),8)">'
B_ = '!cute.memref<bf16, rmem, "((2,2),8):((1,2),4)">'


@pytest.mark.parametrize(
    ("old", "new", "verdict", "told"),
    [
        ("", "", RIGHT, ""),
        (A_, A_.replace("((2,2,2),2)", "((2,2,1),2)"), WRONG, "has 4 values of A for an atom, which takes 8"),
        (A_, A_.replace("((2,2,2),2):((1,2,4)", "(9,2):(1"), WRONG, "has 9 values of A"),
        (A_, A_.replace("((2,2,2),2):((1,2,4),8)", "((2,2,2),2):((1,2,8),4)"), RIGHT, ""),
        (B_, B_.replace("((2,2),8)", "((2,1),8)"), WRONG, "has 2 values of B"),
        (B_, B_.replace("bf16", "i8"), WRONG, "B: the atom takes elements of bf16"),
        (B_, B_.replace("bf16", "f16"), NOT_CHECKED, "elements of bf16"),
        (B_, B_.replace("rmem", "smem"), WRONG, "B is in smem"),
        (D_, D_.replace("f32", "f16"), WRONG, "D: the atom takes elements of f32"),
        (D_, D_.replace("((2,2),2,8):((1,2)", "((2,3),2,8):((1,2)"), WRONG, "has 6 values of D"),
        (D_, D_.replace("4,8)", "4,6)"), WRONG, "have one place"),
        (D_, D_.replace("(1,2)", "(1,1)"), WRONG, "the values 1 and 2 of D have one place, 1"),
        (D_, D_.replace("4,8)", "4,10)"), RIGHT, ""),
    ],
)
def test_fragments_of_a_product(old: str, new: str, verdict: str, told: str) -> None:
    operands = tuple(new if one == old else one for one in (SM80, D_, A_, B_, D_))
    found = decide(GEMM, operands, ())
    assert found.verdict == verdict and told in found.reason


def test_products_of_descriptors_and_of_tensor_memory() -> None:
    d = '!cute.memref<f32, tmem, align<16>, "((128,256),1,1):((65536,1),0,0)">'
    view = '!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">'
    assert decide(GEMM, (SM100, d, view, view, d), ()).verdict == RIGHT
    for operands, told in (
        ((d.replace("(65536,1)", "(65536,2)"), view, view, d), "not where the instruction has it"),
        ((d, view, view, d.replace("(128,256)", "(128,128)")), "has 16384 values of C"),
        ((d.replace("tmem", "rmem"), view, view, d), "D is in rmem, and the instruction takes it from tmem"),
        ((d, view.replace("(1,1,4)", "(2,1,4)"), view, d), "has 2 values of A for an atom, which takes 1"),
        ((d, d.replace("f32", "bf16").replace("1,1)", "1,4)"), view, d), "A is in tmem"),
    ):
        found = decide(GEMM, (SM100, *operands), ())
        assert found.verdict == WRONG and told in found.reason, found
    halves = SM100.replace("bf16, bf16, f32", "bf16, bf16, f16")
    columns = d.replace("f32", "f16").replace("(65536,1)", "(131072,2)")
    assert decide(GEMM, (halves, columns, view, view, columns), ()).verdict == RIGHT
    packed = columns.replace("(131072,2)", "(131072,1)")
    assert decide(GEMM, (halves, packed, view, view, packed), ()).verdict == WRONG
    registers = '!cute.memref<f32, rmem, "((2,2,32),1,1):((1,2,4),0,0)">'
    a = '!cute.memref<bf16, rmem, "((2,2,2),1,4):((1,2,4),0,8)">'
    by_registers = SM90.replace("frag_kind = ss", "frag_kind = rs")
    assert by_registers != SM90
    assert decide(GEMM, (SM90, registers, view, view, registers), ()).verdict == RIGHT
    assert decide(GEMM, (by_registers, registers, a, view, registers), ()).verdict == RIGHT
    assert decide(GEMM, (by_registers, registers, view, view, registers), ()).verdict == WRONG
    assert decide(GEMM, (SM90, registers, a, view, registers), ()).verdict == WRONG
    assert decide(GEMM, (SM90.replace("64x256", "48x256"), registers, view, view, registers), ()).verdict == NOT_CHECKED
    assert decide(GEMM, (SM100, "i32", view, view, d), ()).verdict == NOT_CHECKED


def test_products_with_factors_for_blocks() -> None:
    mma = (
        "!cute.tiled_mma<!cute_nvgpu.sm100.mma_bs<128x64x32, num_cta = 1, ab_major = (k, k), "
        "elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>, "
        'atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[_;_;_]">>'
    )
    d = '!cute.memref<f32, tmem, align<16>, "((128,64),1,1):((65536,1),0,0)">'
    view = '!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">'
    factors = '!cute.memref<f8E8M0FNU, tmem, align<16>, "((((32,4),4),(32,1)),1,4):((((262144,4),8388608),(0,0)),0,1)">'
    found = decide(GEMM, (mma, d, view, factors, view, factors, d), ())
    assert found.verdict == NOT_CHECKED and "factors for blocks" in found.reason
    assert decide(GEMM, (mma, d, view, factors, view, factors, d.replace("128,64", "64,64")), ()).verdict == WRONG


def test_a_rule_names_its_evidence() -> None:
    source, destination = PART.format("gmem", 8), PART.format("smem", 1024)
    assert decide(MOVE, (UNIVERSAL, source, destination), ()).evidence == "closed-form"
    lanes = '!cute.memref<f32, tmem, align<16>, "(((32,32),1),1,4):(((1,65536),0),0,32)">'
    held = '!cute.memref<f32, rmem, align<32>, "((32,1),1,4):((1,0),0,32)">'
    assert decide(MOVE, (FROM_TMEM, lanes, held), ()).evidence == "definition, closed-form"
    searched = PART.format("smem", 1024).replace("8,1):", "3,3):").replace(",1024,0)", ",16,24)")
    found = decide(MOVE, (UNIVERSAL, searched.replace("smem", "gmem"), searched), ())
    assert (found.verdict, found.evidence) == (RIGHT, "closed-form, enumeration")
    assert decide(GEMM, (SM80, D_, A_, B_, D_), ()).evidence == "enumeration"
    assert decide(COPY, (UNIVERSAL,), (BY_16,)).evidence == "enumeration"


def test_a_destination_of_which_too_much_would_have_to_be_searched_is_not_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(layout: Layout) -> None:
        raise Undecided("a search of 5 steps was spent")

    offsets_apart.cache_clear()
    monkeypatch.setattr("veritile.kernels.audit.contracts.decide_injective", stop)
    source, destination = PART.format("gmem", 8), PART.format("smem", 1024)
    found = decide(MOVE, (UNIVERSAL, source, destination), ())
    offsets_apart.cache_clear()
    assert found.verdict == NOT_CHECKED and "a search of 5 steps was spent" in found.reason


@pytest.mark.parametrize("name", ["cute.memref.load", "cute.memref.store"])
@pytest.mark.parametrize("behind", ["", "S<1,1,2> o 0 o "])
def test_one_element(name: str, behind: str) -> None:
    rows = f'!cute.memref<f32, gmem, "{behind}(4,(?,8)):(8,(32,1))">'
    known = rows.replace("?", "1")
    for tensor, crd, verdict in (
        (known, "(3,7)", RIGHT),
        (known, "(4,7)", WRONG),
        (known, "(3,8)", WRONG),
        (known, "31", RIGHT),
        (known, "32", WRONG),
        (known, "(?,7)", RIGHT),
        (known, "(?,8)", WRONG),
        (known, "(?,(?,7))", RIGHT),
        (rows, "(3,99)", RIGHT),
        (rows, "(4,?)", WRONG),
        (rows, "(3,(?,7))", RIGHT),
        (rows, "(3,(?,8))", WRONG),
        (rows.replace(":(8,", ":(0,"), "(4,?)", OUTSIDE),
        (rows, "(1,2,3)", NOT_CHECKED),
    ):
        found = decide(name, (tensor, f'!cute.coord<"{crd}">'), ())
        assert found.verdict == verdict, (tensor, crd, found)
        assert ("is not in (4,(" in found.reason) is (verdict in (WRONG, OUTSIDE))
    assert decide(name, (rows, "i32"), ()).verdict == NOT_CHECKED
    wrong = decide(name, (rows, '!cute.coord<"(4,0)">'), ())
    assert wrong.witness is not None and wrong.witness.as_dict() == {"kind": "outside", "coordinate": 4, "size": 4}


def test_the_type_of_one_element() -> None:
    rows, crd = '!cute.memref<f32, gmem, "(4,8):(8,1)">', '!cute.coord<"(?,?)">'
    pointer = "!llvm.ptr"
    for other, verdict in (("f32", RIGHT), ("i1", WRONG), ("f64", WRONG), ("i32", NOT_CHECKED), (pointer, NOT_CHECKED)):
        assert decide("cute.memref.load", (rows, crd), (other,)).verdict == verdict, other
        assert decide("cute.memref.store", (rows, crd, other), ()).verdict == verdict, other


LDSM = '!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, num_matrices = 4, n>'


@pytest.mark.parametrize(
    ("atom", "homes", "others"),
    [
        (LDSM, ("smem", "rmem"), (("gmem", "rmem"), ("rmem", "rmem"), ("smem", "smem"))),
        (LDSM.replace("ldsm<val_type = bf16", "stsm<bf16"), ("rmem", "smem"), (("smem", "smem"), ("rmem", "gmem"))),
        (
            "!cute_nvgpu.atom.simt_async_copy<bf16, cache = global, 128 b>",
            ("gmem", "smem"),
            (("smem", "smem"), ("gmem", "rmem")),
        ),
        ("!cute_nvgpu.atom.bulk_copy_g2s<bf16>", ("gmem", "smem"), (("smem", "smem"), ("gmem", "gmem"))),
        (UNIVERSAL, ("smem", "rmem"), (("tmem", "rmem"), ("rmem", "tmem"))),
    ],
)
def test_an_instruction_reaches_its_own_memories(
    atom: str, homes: tuple[str, str], others: tuple[tuple[str, str], ...]
) -> None:
    def found(spaces: tuple[str, str]) -> tuple[str, str]:
        sides = (f'!cute.memref<bf16, {space}, align<16>, "((8,1),2):((1,0),8)">' for space in spaces)
        decision = decide(MOVE, (atom, *sides), ())
        return decision.verdict, decision.reason

    assert found(homes) == (RIGHT, "")
    for spaces in others:
        assert found(spaces)[0] == WRONG and "does not reach" in found(spaces)[1], spaces
    generic = homes[0].replace("gmem", "generic").replace("smem", "generic"), homes[1].replace("smem", "generic")
    assert found(generic) == (RIGHT, "")


def test_two_values_of_a_destination_at_one_place() -> None:
    source = '!cute.memref<f32, smem, align<8>, "(2,8):(1,8)">'
    held = '!cute.memref<f32, rmem, align<32>, "(2,8):(1,{})">'
    atom = "!cute_nvgpu.atom.universal_copy<f32, 64 b>"
    for step, verdict in ((2, RIGHT), (0, RIGHT), (1, WRONG)):
        found = decide(MOVE, (atom, source, held.format(step)), ())
        assert found.verdict == verdict, step
    assert "share the offset 1" in found.reason


def test_a_copy_of_tensor_memory_is_made_for_a_tensor_there() -> None:
    found = decide(TMEM, (LOAD, ACCUMULATOR.replace("tmem", "smem")), (FROM_TMEM,))
    assert found.verdict == WRONG and "is in smem" in found.reason
