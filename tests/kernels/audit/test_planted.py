"""Kernels with one planted fault each, beside the same kernel without: all found at the right line, no false alarm.

A kernel of ``planted/`` marks the line of its fault: ``# fault: CLASS, VERDICT``. They need CuTe DSL, no GPU, no torch.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veritile.kernels.audit.audit import audit_text

from ...veritile.run import veritile

PLANTED = Path(__file__).with_name("planted")
NAMES = sorted(path.stem for path in PLANTED.glob("*.py") if path.stem != "kit")

MARK = re.compile(r"# fault: (\w+), (.*)$")
FOLLOWS = "# follows from the fault"  # wrong as well, because of it

WITHOUT_TYPES = {"product_that_dies", "tile_past_the_end"}  # what they do besides says it: no operation alone

Operations = list[dict[str, Any]]


def marked(name: str) -> tuple[int, str, set[str]]:
    """Of a planted kernel, the line of its fault, the class and the verdicts that find it."""
    lines = (PLANTED / f"{name}.py").read_text(encoding="utf-8").splitlines()
    [(line, found)] = [(number, MARK.search(text)) for number, text in enumerate(lines, 1) if MARK.search(text)]
    assert found is not None
    return line, found[1], set(found[2].split(" or "))


@pytest.fixture(scope="module")
def audited(oracle_python: Callable[[str], str]) -> dict[str, Operations]:
    """The operations of every target, ``NAME:fault`` and ``NAME:twin``, by one call of the command."""
    targets = [f"{name}:{which}" for name in NAMES for which in ("fault", "twin")]
    files = [str(PLANTED / target.replace(":", ".py:")) for target in targets]
    told = veritile("audit", *files, "--python", oracle_python("cutlass"), "--arch", "sm_90a", "--json").json
    assert told["summary"]["unread"] == []
    assert [one["error"] for one in told["summary"]["targets"]] == [None] * len(targets)
    return {
        target: [one for one in told["operations"] if one["target"] == file]
        for target, file in zip(targets, files, strict=True)
    }


def expect_found(name: str, operations: Operations) -> None:
    line, kind, verdicts = marked(name)
    path = PLANTED / f"{name}.py"
    here = [one for one in operations if one["line"] == line and Path(str(one["file"])) == path]
    found = [one for one in here if one["verdict"] in verdicts and kind in one["operation"]]
    assert found, [(one["operation"], one["verdict"], one["reason"]) for one in here]
    others = [one for one in operations if one["verdict"] == "wrong" and one not in here]
    assert [one for one in others if not str(one["source"]).endswith(FOLLOWS)] == []


def expect_clean(operations: Operations) -> None:
    assert operations
    assert [one for one in operations if one["verdict"] in ("wrong", "outside")] == []


def stored() -> list[tuple[str, str]]:
    """The deciding operations, kept as text: a target's name and the operation's line in the trace."""
    lines = (PLANTED / "operations.mlir").read_text(encoding="utf-8").splitlines()
    return [(name.removeprefix("// "), text) for name, text in zip(lines[::2], lines[1::2], strict=True)]


def as_text(operation: dict[str, Any]) -> str:
    """An operation as a line of a trace, its values numbered from 0."""
    count, results = len(operation["operands"]), operation["results"]
    head = f"%{count} = " if results else ""
    values = ", ".join(f"%{number}" for number in range(count))
    properties = f" {operation['properties']}" if operation["properties"] else ""
    given = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f'{head}"{operation["operation"]}"({values}){properties} : ({", ".join(operation["operands"])}) -> {given}'


@pytest.mark.parametrize(("target", "text"), stored())
def test_the_deciding_operation_alone(target: str, text: str) -> None:
    """Without the DSL: the types alone say what is wrong."""
    name, _, which = target.partition(":")
    (checked,) = audit_text(text).checked
    if which == "fault":
        assert checked.decision.verdict in marked(name)[2]
    else:
        assert checked.decision.verdict == "right"


@pytest.mark.slow
def test_what_is_kept_is_what_the_dsl_gives(audited: dict[str, Operations]) -> None:
    kept = stored()
    assert {target.partition(":")[0] for target, _ in kept} == set(NAMES) - WITHOUT_TYPES
    assert [target for target, text in kept if text not in map(as_text, audited[target])] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_planted_fault_is_found_at_its_line(name: str, audited: dict[str, Operations]) -> None:
    expect_found(name, audited[f"{name}:fault"])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_twin_is_blamed(name: str, audited: dict[str, Operations]) -> None:
    expect_clean(audited[f"{name}:twin"])


def test_there_are_twenty() -> None:
    assert len(NAMES) >= 20
    assert {marked(name)[1] for name in NAMES} >= {"composition", "complement", "divide", "product", "recast", "copy"}
