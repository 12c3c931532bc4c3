"""The laboratory: predictions against a walk thread by thread, and against what the DSL really gives."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from veritile.kernels.laboratory import (
    COMPOSITIONS,
    OTHERS,
    Specimen,
    composed,
    conflicts,
    emulations,
    finding,
    specimens,
    unit,
)
from veritile.model.notation import layout

from .linked import run


@pytest.mark.parametrize("specimen", specimens(), ids=lambda s: s.name)
def test_a_prediction_is_what_the_threads_do(specimen: Specimen) -> None:
    told = specimen.compare(specimen.emulated())
    assert told["holds"] and told["off"] == 0 and told["wrong_as_predicted"] > 0
    json.dumps(told)


def test_a_right_kernel_is_not_what_was_predicted() -> None:
    for specimen in specimens():
        told = specimen.compare(specimen.right)
        assert not told["holds"] and told["first_off"]["predicted"] != told["first_off"]["found"]


def test_the_witness_is_among_the_elements_that_are_wrong() -> None:
    for specimen in specimens()[: len(COMPOSITIONS)]:
        at = specimen.witness["index"]
        assert specimen.right[at] == specimen.witness["expected"] != specimen.witness["got"] == specimen.predicted[at]


def test_compositions_by_the_definition() -> None:
    for a, b, said in COMPOSITIONS:
        one = finding("composition", (a, b), said)
        assert one.right.tolist() == composed(layout(a), layout(b))


def test_a_swizzle_in_its_own_unit_has_no_witness() -> None:
    with pytest.raises(IndexError):
        unit("S<3,3,3>", "S<3,3,3>")


def test_conflict_degrees() -> None:
    assert [one.degree for one in conflicts()] == [32, 2, 1]


def test_all_emulations_are_as_predicted() -> None:
    assert all(result["holds"] for result in emulations())


ASK = """
import json, sys
import cutlass.cute as cute
from cutlass._mlir import ir
def plain(x): return x if isinstance(x, int) else tuple(plain(y) for y in x)
with ir.Context(), ir.Location.unknown():
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        for operation, operands in json.load(open("asked.json")):
            made = [o if isinstance(o, int) else cute.make_layout(eval(o[0]), stride=eval(o[1])) for o in operands]
            found = getattr(cute, operation)(*made)
            print(json.dumps([str(plain(found.shape)), str(plain(found.stride))]))
"""


def test_the_dsl_gives_what_the_findings_say(tmp_path: Path, oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("cutlass")
    asked = [("composition", (a, b), said) for a, b, said in COMPOSITIONS] + list(OTHERS)
    told = [
        [name, [o if isinstance(o, int) else [repr(layout(o).shape), repr(layout(o).stride)] for o in operands]]
        for name, operands, _ in asked
    ]
    (tmp_path / "asked.json").write_text(json.dumps(told))
    answer = run(python, tmp_path, "-c", ASK)
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(lines) == len(asked), answer.stderr
    for (name, operands, said), (shape, stride) in zip(asked, lines, strict=True):
        meant = layout(said)
        assert (shape, stride) == (repr(meant.shape), repr(meant.stride)), (name, operands)


def test_every_specimen_compiles(tmp_path: Path, oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("cutlass")
    answer = run(python, tmp_path, "-m", "veritile.kernels.laboratory", "--compile", "sm_90a", "--json", "out.json")
    results = json.loads((tmp_path / "out.json").read_text())["specimens"]
    assert [r for r in results if not r["holds"]] == [] and answer.returncode == 0
    assert len(results) == len(specimens()) + 3
