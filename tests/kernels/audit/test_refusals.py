"""Every rule refuses something: one that is `right` of whatever it is given decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from veritile.kernels.audit.audit import tables
from veritile.kernels.audit.verdict import NOT_CHECKED, OUTSIDE, RIGHT, WRONG

from . import test_algebra, test_fragments, test_partitions, test_structure, test_tma
from .calling import Case, decide, mutants
from .test_partitions import BY_16, FROM_TMEM, SHAPE, SM80, operand
from .test_tiled import A_, ACCUMULATOR, B_, D_, LOAD, PART, UNIVERSAL, atom_of

NEVER_RIGHT = {
    "cute_nvgpu.atom.get_copy_s2t_smem_desc_view": (("i32",), ("i32",)),
    "cute_nvgpu.atom.make_s2t_copy": (("i32",), ("i32",)),
}
ROW = "memref f32 gmem (8):(1)"
BOX_MADE, BOX_READY = (
    f'!cute_nvgpu.atom.{kind} tma_gbasis = <"(64,128):(1@1,1@0)">{rest}>'
    for kind, rest in (
        ("non_exec_tiled_tma_load<sm_90, bf16, copy_bits = 131072,", ", tma_format = BF16_RN"),
        ('tma_load<bf16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()">', ""),
    )
)


def cases() -> Iterator[tuple[Case, Case]]:
    """A right operation, and one that differs from it in one thing."""
    for name, given, good, bad, properties in test_algebra.CASES:
        yield Case(name, tuple(given), (good,), properties), Case(name, tuple(given), (bad,), properties)
    for name, given, goods, bads, properties in test_structure.CASES:
        yield Case(name, tuple(given), tuple(goods), properties), Case(name, tuple(given), tuple(bads), properties)
    for case in (*test_partitions.CASES.values(), *test_fragments.FRAGMENTS.values(), *test_tma.PARTS.values()):
        yield case, replace(case, results=(next(mutants(case.results[0])), *case.results[1:]))
    for case in test_tma.TENSORS.values():
        yield case, replace(case, results=(case.results[0], case.results[1].replace("1@1,1@0", "1@0,1@1")))
    for name, operands, results, (old, new), properties in (
        ("cute.make_tiled_copy", (UNIVERSAL,), (BY_16,), ("((8,16),8)", "((8,16),4)"), ""),
        ("cute.make_tiled_mma", (atom_of(SM80),), (SM80,), ("(1,2,0)", "(1,3,0)"), ""),
        ("cute_nvgpu.atom.make_tmem_copy", (LOAD, ACCUMULATOR), (FROM_TMEM,), ("(4,128)", "(4,64)"), ""),
        ("cute_nvgpu.atom.make_exec_tma", (BOX_MADE,), (BOX_READY,), ("(64,128)", "(64,64)"), ""),
        (SHAPE, (SM80, "shape (128,128)"), ("shape ((2,2),4,8)",), ("4,8", "4,4"), operand(2)),
    ):
        case = Case(name, operands, results, properties)
        yield case, replace(case, results=tuple(one.replace(old, new) for one in results))
    part = PART.format("gmem", 1024)
    for name, operands, results, other in (
        ("cute.copy", (UNIVERSAL, part, part), (), (UNIVERSAL, part, part.replace("8,1):", "7,1):"))),
        ("cute.copy_atom_call", (UNIVERSAL, part, part), (), (UNIVERSAL, part, part.replace("8,1):", "7,1):"))),
        ("cute.gemm", (SM80, D_, A_, B_, D_), (), (SM80, D_, A_.replace("2,2),2)", "2,2),3)"), B_, D_)),
        ("cute.memref.load", (ROW, "coord 7"), ("f32",), (ROW, "coord 8")),
        ("cute.memref.store", (ROW, "coord 7", "f32"), (), (ROW, "coord 8", "f32")),
    ):
        yield Case(name, operands, results), Case(name, other, results)


CASES: dict[str, tuple[Case, Case]] = {}
for _good, _bad in cases():
    CASES.setdefault(_good.name if _good.name.startswith("cute") else f"cute.{_good.name}", (_good, _bad))


@pytest.mark.parametrize("name", sorted(tables()[0]))
def test_every_rule_refuses_something(name: str) -> None:
    if name in NEVER_RIGHT:
        assert decide(name, *NEVER_RIGHT[name]).verdict == NOT_CHECKED
        return
    good, bad = CASES[name]
    assert good != bad
    assert good.decide().verdict == RIGHT
    found = bad.decide()
    assert found.verdict in (WRONG, OUTSIDE), found


def test_no_rule_is_without_its_case() -> None:
    assert set(CASES) | set(NEVER_RIGHT) == set(tables()[0])
