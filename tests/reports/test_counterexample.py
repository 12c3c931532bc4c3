"""Counterexamples: the steps are right, the smallest change holds when it is tried again, and the code runs."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veritile as vt
from veritile.reports.counterexample import evaluation, explain
from veritile.reports.mathml import formula

QUESTIONS = [
    ("compose", ["(6,2):(1,7)", "(3,2):(2,3)"]),
    ("compose", ["(4,6,8):(2,3,5)", "6:3"]),
    ("compose", ["(4,8):(e0,e1)", "(3,2):(2,3)"]),
    ("complement", ["(2,3):(1,3)", "18"]),
    ("complement", ["(4,8):(1,2)", "64"]),
    ("divide", ["24:1", "(2,2):(1,3)"]),
    ("check", ["(4,8):(1,2)", "injective"]),
]


@pytest.mark.parametrize(("operation", "operands"), QUESTIONS)
def test_the_code_for_veritile_shows_it(operation: str, operands: list[str]) -> None:
    explained = explain(operation, operands)
    assert explained is not None
    code = dict(explained.code)["veritile"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if operation == "check":
        first, second = done.stdout.split()
        assert first == second
    else:
        assert done.returncode == 1 and "Refuted" in done.stderr
        if explained.difference:
            assert done.stdout.split("\n")[0] == explained.difference[0]


@pytest.mark.parametrize(("operation", "operands"), QUESTIONS[:2])
def test_the_code_for_pycute_shows_it(operation: str, operands: list[str], oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("pycute")
    explained = explain(operation, operands)
    assert explained is not None
    code = dict(explained.code)["pycute"]
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if operands[0] == "(6,2):(1,7)":
        assert done.stdout.split("\n")[:2] == ["(3, 2):(2, 3)", "7 8"]
    else:
        assert "AssertionError" in done.stderr


@pytest.mark.slow
def test_the_code_for_the_dsl_shows_it(oracle_python: Callable[[str], str], tmp_path) -> None:
    python = oracle_python("cutlass")
    explained = explain(*QUESTIONS[0])
    assert explained is not None
    path = tmp_path / "show.py"
    path.write_text(dict(explained.code)["CuTe DSL"], encoding="utf-8")
    done = subprocess.run([python, str(path)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert "(3,2):(2,3)" in done.stdout, done.stderr[-500:]


def test_the_smallest_change_makes_it_true() -> None:
    explained = explain("compose", ["(6,2):(1,7)", "(3,2):(2,3)"])
    assert explained is not None and explained.change is not None
    changed = explained.change.split(" ")[2]
    result = explained.change.rsplit(" ", 1)[1]
    assert str(vt.composition(vt.layout("(6,2):(1,7)"), vt.layout(changed))) == result


def test_what_holds_has_no_counterexample() -> None:
    assert explain("compose", ["(4,8):(1,4)", "8:2"]) is None
    assert explain("complement", ["4:1", "8"]) is None
    assert explain("divide", ["24:3", "8:3"]) is None
    assert explain("check", ["4:1", "injective"]) is None
    assert explain("no such", ["4:1"]) is None


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(-9, 9)), min_size=1, max_size=4), st.integers(-40, 400))
def test_the_digits_add_up(modes: list[tuple[int, int]], index: int) -> None:
    shape, stride = tuple(s for s, _ in modes), tuple(d for _, d in modes)
    layout = vt.Layout(shape, stride)
    last = evaluation("L", layout, index)[-1]
    terms, value = last.split(" = ")[1:]
    assert sum(int(t.split("⋅")[0]) * int(t.split("⋅")[1]) for t in terms.split(" + ")) == int(value) == layout(index)


@given(st.text(max_size=30))
def test_a_formula_never_fails(text: str) -> None:
    import xml.etree.ElementTree as ET

    ET.fromstring(formula(text))
