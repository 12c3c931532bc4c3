"""The error tree: one line, a caret, a witness that JSON takes."""

import json

import pytest

import veritile as vt
from veritile import InputError, Refuted, Undecided, VeritileError, Witness, layout


@pytest.mark.parametrize("position", [0, 5, 99, 5000])
def test_an_excerpt_is_short(position: int) -> None:
    shown = str(InputError("bad", "x\t\n" * 2000, position)).split("\n")
    assert len(shown) == 3 and all(len(line) <= 80 for line in shown)


def test_the_tree() -> None:
    for name in ("Composition", "Complement", "Inverse", "Divide", "Product", "Recast", "Property"):
        assert issubclass(getattr(vt, f"{name}Refuted"), Refuted)
    assert issubclass(InputError, ValueError) and issubclass(InputError, VeritileError)
    assert not issubclass(Undecided, Refuted) and Undecided("spent").reason == "spent"


def test_a_refusal_shows_its_witness() -> None:
    with pytest.raises(Refuted) as caught:
        vt.composition(layout("(6,2):(1,7)"), layout("(3,2):(2,3)"))
    assert caught.value.witness is not None and "expected 8, got 7" in str(caught.value)
    assert json.loads(json.dumps(caught.value.witness.as_dict()))["index"] == 5
    assert str(Refuted("because")) == "because" and str(Witness("run", {"run": 3})) == "run 3"
