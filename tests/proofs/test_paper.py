"""Every claim on the paper, decided here as the runner decides it; and what the solver and the searches find."""

import pytest

from veritile.proofs.library import library
from veritile.proofs.runner import decide

# Above a second: `make prove` decides them too.
SLOW = {
    "composition.exact",
    "composition.distribution.condition-two",
    "composition.associative-repaired",
    "complement.every-tiler-tiles",
    "divide.definition",
    "gemm.preconditions",
    "product.definition",
    "product.disjoint-shifts",
}
SECTIONS = {
    "representation", "copy", "gemm", "coalesce", "composition", "partitioning", "inverse", "vectorisation",
    "admissibility", "complement", "product", "divide", "completeness", "f2",
}  # fmt: skip
ON_THE_PAPER = [name for name in library() if name.split(".")[0] in SECTIONS]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in ON_THE_PAPER]
)
def test_a_claim_is_as_expected(name: str) -> None:
    result = decide(library()[name])
    assert result.as_expected, result.as_dict()
    assert result.hypotheses
    assert result.evidence


@pytest.mark.slow
def test_the_solver_finds_the_least_counterexample_to_condition_two() -> None:
    found = decide(library()["composition.distribution.condition-two"]).witness
    assert found is not None
    assert (found["A"].split(":")[0], found["B"], found["coordinate"]) == ("(6,2)", "(3,2):(2,3)", [2, 1])
    assert found["is_B_injective"]


@pytest.mark.slow
def test_the_solver_finds_the_least_tiler_that_tiles_nothing() -> None:
    found = decide(library()["complement.every-tiler-tiles"]).witness
    assert found is not None
    assert (found["tiler"], found["offset"]) == ("(2,2):(1,3)", 2)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("divide.row.complement", {"coordinate": 3, "other": 1, "offset": 3}),
        ("complement.coordinate-row", {"offset": "4e1", "other": [0, 4]}),
        ("f2.semimodule.scaling", {"a": 3, "b": 3, "m": 1, "a·(b·m)": "f5", "(ab)·m": "f9"}),
        ("completeness.admissible", {"N": 4, "B": "(3,1):(1,4)"}),
        ("inverse.left.always", {"layout": "(3,3):(2,3)"}),
        ("complement.one-to-one", {"L": "(2,2):(1,3)"}),
        ("f2.longest-run", {"values": ["f0", "f1", "f2", "f3", "f2", "f1"]}),
        ("coalesce.past-the-end", {"layout": "1:1", "index": 1, "expected": 1, "got": 0}),
    ],
)
def test_what_refutes_or_proves_by_example(name: str, part: dict[str, object]) -> None:
    found = decide(library()[name]).witness
    assert found is not None
    assert part.items() <= found.items()
