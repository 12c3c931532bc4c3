"""The judge against values known by hand, each beside its off-by-one twin; then veritile against the judge."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from . import brute, cases, peers, witnesses
from .brute import RIGHT, UNKNOWN, WRONG, WRONGLY_REFUSED
from .ours import ask_veritile, describe, describe_answer, judge, truth_of, witness_holds

REFUSED = ("refused", None)


def layout(shape: Any, stride: Any) -> tuple[Any, ...]:
    return "layout", shape, stride


# --- composition


@pytest.mark.parametrize(
    ("a", "b", "r", "twin"),
    [
        # paper §3.3: out of bounds, allowed
        ((7, 11), (3, 4), (3, 44), (3, 43)),
        ((7, 11), ((3, 5), (6, 3)), ((3, 5), (66, 33)), ((3, 5), (66, 34))),
        (((4, 6, 8, 10), (2, 3, 5, 7)), (6, 12), ((2, 3), (9, 5)), ((3, 2), (9, 5))),
        # apparent violations of divisibility
        (((4, 2, 8), (3, 12, 97)), (3, 3), (3, 9), (3, 10)),
        (((3, 6, 2), (7, 8, 6)), (3, 4), (3, 15), (3, 16)),
        (((8, 8), (8, 1)), (3, 3), (3, 24), (3, 3)),
        # partitioning (§3.3.4)
        (
            ((8, 8), (8, 1)),
            (((4, 8), 2), ((16, 1), 8)),
            (((4, 8), 2), ((2, 8), 1)),
            (((4, 8), 2), ((2, 8), 2)),
        ),
        # a trailing mode of one is evaluated past its end
        (((4, 1), (1, 10)), (3, 2), None, (3, 2)),
        (((4, 1), (1, 2)), (3, 4), (3, 2), (3, 4)),
        # negative strides go below zero, where the first mode wraps
        (((4, 2), (1, 10)), (2, -4), (2, -10), (2, -4)),
    ],
)
def test_composition_known(a: Any, b: Any, r: Any, twin: Any) -> None:
    assert brute.check_composition(a, b, layout(*twin)) == WRONG
    assert brute.check_composition(a, b, ("unknown",)) == UNKNOWN
    if r is None:
        assert brute.check_composition(a, b, REFUSED) == RIGHT
    else:
        assert brute.check_composition(a, b, layout(*r)) == RIGHT
        assert brute.check_composition(a, b, REFUSED) == WRONGLY_REFUSED


@pytest.mark.parametrize(
    ("a", "b", "near"),
    [
        # paper §3.3: stride and shape divisibility fail, and no other layout has the table
        (((4, 6, 8), (2, 3, 5)), (6, 3), (4, 2)),
        (((4, 6, 8), (2, 3, 5)), (6, 1), (4, 1)),
        # the carry between modes of B; without it the same modes compose
        (((6, 2), (1, 7)), ((3, 2), (2, 3)), ((3, 2), (2, 1))),
    ],
)
def test_composition_refused(a: Any, b: Any, near: Any) -> None:
    assert brute.composition_truth(a, b).answer is None
    assert brute.check_composition(a, b, REFUSED) == RIGHT
    assert brute.composition_truth(a, near).answer is not None


def test_composition_must_refine_the_shape_of_b() -> None:
    a, b = ((4, 6), (6, 1)), ((4, 6), (1, 4))
    assert brute.check_composition(a, b, layout((4, 6), (6, 1))) == RIGHT
    assert brute.check_composition(a, b, layout((4, (2, 3)), (6, (1, 2)))) == RIGHT
    assert brute.check_composition(a, b, layout((4, 2, 3), (6, 1, 2))) == WRONG
    assert brute.check_composition(a, b, layout((4, 6), (6, (1,)))) == WRONG


def test_every_table_of_a_layout_is_found_to_be_one() -> None:
    for sizes, d, e in product(((2, 3), (3, 2), (4, 4)), range(-3, 4), range(-3, 4)):
        values = brute.table((sizes, (d, e)))
        found = brute.shortest_layout(values)
        assert found is not None
        assert np.array_equal(brute.table(found), values)
        values[-1] += 1
        others = list(brute.layouts_of(values))
        assert all(np.array_equal(brute.table(other), values) for other in others)


# --- complement


@pytest.mark.parametrize(
    ("a", "bound", "r", "twin"),
    [
        (((4, 8), (1, 4)), 32, (1, 32), (2, 32)),
        (((4, 8), (8, 1)), 32, (1, 0), (2, 32)),
        (((4, 8), (1, 8)), 64, (2, 4), (2, 8)),
        ((4, 2), 24, ((2, 3), (1, 8)), ((2, 4), (1, 8))),
        (((2, 2), (1, 6)), 24, ((3, 2), (2, 12)), ((3, 2), (2, 11))),
        # a ragged bound goes to the next multiple of the top, no further
        ((4, 2), 9, ((2, 2), (1, 8)), ((2, 3), (1, 8))),
        # below what L covers
        ((4, 2), 3, (2, 1), (1, 0)),
        # order matters, as does each element once
        ((2, 2), 8, ((2, 2), (1, 4)), ((2, 2), (4, 1))),
    ],
)
def test_complement_known(a: Any, bound: int, r: Any, twin: Any) -> None:
    assert brute.check_complement(a, bound, layout(*r)) == RIGHT
    assert brute.check_complement(a, bound, layout(*twin)) == WRONG
    assert brute.check_complement(a, bound, REFUSED) == WRONGLY_REFUSED


@pytest.mark.parametrize(
    ("a", "why"),
    [
        (((2, 3), (1, 3)), "offset 2 cannot be covered"),
        (((4, 8), (1, 5)), "offset 4 cannot be covered"),
        (((4, 3), (1, 2)), "not injective"),
        ((4, -1), "negative offset"),
        (((2, 2), (0, 1)), "not injective"),
    ],
)
def test_complement_refused(a: Any, why: str) -> None:
    truth = brute.complement_truth(a, 40)
    assert truth.answer is None
    assert truth.why == why
    assert brute.check_complement(a, 40, REFUSED) == RIGHT


def test_partial_complement_is_told_apart() -> None:
    a = ((4, 8), (1, 5))
    assert brute.is_disjoint_complement(a, (2, 40))
    assert not brute.is_disjoint_complement(a, (2, 39 - 4))
    assert brute.check_complement(a, 80, layout(2, 40)) == WRONG


def test_complement_agrees_with_every_small_pair() -> None:
    """No ordered layout of rank two at most tiles where the judge finds no tiling, and none tiles less."""
    for sizes, d, e in product(((2, 2), (2, 3), (3, 2)), range(1, 8), range(1, 8)):
        a = (sizes, (d, e))
        least = None
        for m, n, p, q in product(range(1, 5), range(1, 4), range(1, 8), range(1, 13)):
            rest = brute.table(((m, n), (p, q)))
            sums = np.sort((rest[:, None] + brute.table(a)[None, :]).ravel())
            if np.all(np.diff(rest) > 0) and np.array_equal(sums, np.arange(len(sums))):
                least = min(least or len(sums), len(sums))
        truth = brute.complement_truth(a, 1)
        if least is not None:
            assert truth.bound == least
        elif truth.answer is not None:
            assert truth.bound > 12


# --- divide


@pytest.mark.parametrize(
    ("a", "b", "r", "twin"),
    [
        ((24, 3), (8, 3), ((8, 3), (9, 3)), ((8, 3), (9, 4))),
        ((4, 3), (4, 1), ((4, 1), (3, 0)), ((4, 2), (3, 12))),
        # ragged: five elements by two are three tiles
        ((5, 1), (2, 1), ((2, 3), (1, 2)), ((2, 2), (1, 2))),
        # a trailing mode of one does not decide
        (((4, 1), (1, 9)), (3, 1), ((3, 2), (1, 3)), ((3, 2), (1, 4))),
        (((12, 32), (1, 12)), ((4, 8), (1, 4)), (((4, 8), 12), ((1, 4), 32)), (((4, 8), 11), ((1, 4), 32))),
    ],
)
def test_divide_known(a: Any, b: Any, r: Any, twin: Any) -> None:
    assert brute.check_divide(a, b, layout(*r)) == RIGHT
    assert brute.check_divide(a, b, layout(*twin)) == WRONG
    assert brute.check_divide(a, b, REFUSED) == WRONGLY_REFUSED


def test_divide_refused() -> None:
    # the first 128 elements are no layout, as 12 does not divide 128; the first 96 are one
    a = ((12, (4, 8)), (7, (1, 30)))
    assert brute.check_divide(a, (128, 1), REFUSED) == RIGHT
    assert brute.check_divide(a, (96, 1), REFUSED) == WRONGLY_REFUSED
    # a tiler without a complement
    assert brute.check_divide((24, 1), ((2, 3), (1, 3)), REFUSED) == RIGHT


# --- inverses


@pytest.mark.parametrize(
    ("a", "r", "twin"),
    [
        (((4, 8), (1, 4)), (32, 1), (16, 1)),
        (((4, 8), (8, 1)), ((8, 4), (4, 1)), ((8, 4), (4, 2))),
        (((3, 7, 5), (5, 15, 1)), ((5, 21), (21, 1)), ((5, 20), (21, 1))),
        (((4, 8), (1, 5)), (4, 1), (5, 1)),
        ((((2, 2), (2, 4)), ((0, 1), (0, 2))), ((2, 4), (2, 8)), ((2, 2), (4, 8))),
        (((2, 3), (1, 1)), ((2, 2), (1, 4)), (2, 1)),
        (((2, 2), (2, 3)), (1, 0), (2, 1)),
        (((2, 2), (-1, 1)), (2, 2), (1, 0)),
    ],
)
def test_right_inverse_known(a: Any, r: Any, twin: Any) -> None:
    assert brute.check_right_inverse(a, layout(*r)) == RIGHT
    assert brute.check_right_inverse(a, layout(*twin)) == WRONG
    assert brute.check_right_inverse(a, REFUSED) == WRONGLY_REFUSED


@pytest.mark.parametrize(
    ("a", "r", "twin"),
    [
        (((4, 8), (1, 4)), (32, 1), (32, 2)),
        (((4, 8), (8, 1)), ((8, 4), (4, 1)), ((8, 4), (4, 2))),
        (((4, 8), (1, 5)), ((5, 8), (1, 4)), ((5, 8), (1, 5))),
        ((((2, 2), (2, 4)), ((0, 2), (0, 4))), ((2, 2, 4), (0, 2, 8)), ((2, 2, 4), (0, 2, 4))),
        (((2, 2), (2, 3)), ((2, 3), (1, 1)), ((2, 3), (1, 2))),
        # below zero: the last mode is not reduced
        ((8, -1), (1, -1), (1, 1)),
        (((2, 2), (-1, 2)), ((2, 1), (3, 2)), ((2, 1), (1, 2))),
    ],
)
def test_left_inverse_known(a: Any, r: Any, twin: Any) -> None:
    assert brute.check_left_inverse(a, layout(*r)) == RIGHT
    assert brute.check_left_inverse(a, layout(*twin)) == WRONG
    assert brute.check_left_inverse(a, REFUSED) == WRONGLY_REFUSED


def test_left_inverse_refused() -> None:
    assert brute.check_left_inverse(((3, 3), (2, 3)), REFUSED) == RIGHT


def test_left_inverse_agrees_with_every_small_layout() -> None:
    """Layouts of three modes at most with small strides invert nothing that the judge calls not invertible."""
    tries = [
        ((m, n, 1), strides)
        for m, n in product((1, 2, 3, 4), (1, 2, 3))
        for strides in product(range(-2, 6), range(-2, 6), range(-2, 6))
    ]
    for sizes, d, e in product(((2, 2), (3, 2)), range(-2, 5), range(-2, 5)):
        a = (sizes, (d, e))
        offsets = brute.table(a)
        truth = brute.left_inverse_truth(a)
        if truth.answer is not None:
            assert brute.check_left_inverse(a, layout(*truth.answer), truth) == RIGHT
            continue
        for r in tries:
            back = brute.at(r, offsets)
            if back.min() >= 0 and back.max() < len(offsets):
                assert not np.array_equal(offsets[back], offsets), (a, r)


def test_integer_systems() -> None:
    assert brute.solve_integers((((2, 4), 6), ((0, 3), 3)), 2) == (1, 1)
    assert brute.solve_integers((((2, 4), 6), ((0, 3), 4)), 2) is None
    assert brute.solve_integers((), 3) == (0, 0, 0)


# --- witnesses


@pytest.mark.parametrize(
    ("question", "witness", "twin"),
    [
        (
            ["composition", ((6, 2), (1, 7)), ((3, 2), (2, 3))],
            {"kind": "difference", "coordinate": (2, 1), "index": 5, "expected": 8, "got": 7},
            {"kind": "difference", "coordinate": (2, 1), "index": 5, "expected": 7, "got": 8},
        ),
        (
            ["composition", ((4, 6, 8), (2, 3, 5)), (6, 1)],
            {"kind": "run", "coordinate": 4, "index": 4, "expected": 3, "got": 8, "run": 4, "size": 6},
            {"kind": "run", "coordinate": 4, "index": 4, "expected": 3, "got": 8, "run": 3, "size": 6},
        ),
        (
            ["complement", ((2, 3), (1, 3)), 18],
            {"kind": "unreachable", "offset": 2},
            {"kind": "unreachable", "offset": 3},
        ),
        (
            ["complement", ((4, 3), (1, 2)), 24],
            {"kind": "collision", "coordinate": (2, 0), "other": (0, 1), "offset": 2},
            {"kind": "collision", "coordinate": (2, 0), "other": (2, 0), "offset": 2},
        ),
        (
            ["complement", (4, -1), 8],
            {"kind": "negative", "coordinate": 1, "offset": -1},
            {"kind": "negative", "coordinate": 1, "offset": -2},
        ),
        (
            ["divide", (24, 1), ((2, 3), (1, 3))],
            {"kind": "unreachable", "offset": 2},
            {"kind": "unreachable", "offset": 6},
        ),
    ],
)
def test_witnesses(question: Any, witness: Any, twin: Any) -> None:
    assert witnesses.refutes(question, witness)
    assert not witnesses.refutes(question, twin)
    assert not witnesses.refutes(question, None)


# --- the questions, and other people's tools


@pytest.mark.parametrize("operation", cases.OPERATIONS)
def test_questions_depend_on_the_seed_alone(operation: str) -> None:
    whole = list(cases.cases(operation, 700, 3))
    assert whole == [*cases.cases(operation, 450, 3), *cases.cases(operation, 250, 3, first=450)]
    assert whole[:50] != list(cases.cases(operation, 50, 4))
    assert all(brute.well_formed(o) for q in whole for o in q[1:] if isinstance(o, tuple))
    assert all(brute.size(o[0]) <= cases.LIMIT for q in whole for o in q[1:] if isinstance(o, tuple))


def test_compositions_are_of_every_kind() -> None:
    questions = list(cases.cases("composition", 600, 1))
    exists = sum(brute.composition_truth(a, b).answer is not None for _, a, b in questions)
    inside = sum(brute.table(b).min() >= 0 and brute.table(b).max() < brute.size(a[0]) for _, a, b in questions)
    assert 0.4 < exists / len(questions) < 0.8
    assert 0.35 < inside / len(questions) < 0.65
    assert any(min(brute.leaves(a[1])) < 0 for _, a, _ in questions)
    assert any(0 in brute.leaves(b[1]) for _, _, b in questions)


def test_a_missing_tool_is_no_error(tmp_path: Any) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    assert peers.ask("pycute", [["right_inverse", (4, 1)]], str(python)).version is None


@pytest.mark.parametrize(("tool", "module"), [("pycute", "pycute"), ("tensor-layouts", "tensor_layouts")])
def test_tools_answer(tool: str, module: str, oracle_python: Any) -> None:
    questions: list[list[Any]] = [
        ["composition", (7, 11), (3, 4)],
        ["composition", ((6, 2), (1, 7)), ((3, 2), (2, 3))],
        ["complement", (4, 2), 24],
    ]
    replies = peers.ask(tool, questions, oracle_python(module))
    assert replies.version
    assert judge(questions[0], replies.answers[0], None) == RIGHT
    assert judge(questions[1], replies.answers[1], None) == WRONG
    assert judge(questions[2], replies.answers[2], None) == RIGHT


def test_the_dsl_dies_alone(oracle_python: Any) -> None:
    """A question that kills the DSL costs its own answer and no other."""
    questions: list[Any] = [["divide", (24, 3), (8, 3)]] * 3
    questions[1:1] = list(cases.cases("divide", 300, 1))
    replies = peers.ask("CuTe DSL", questions, oracle_python("cutlass"))
    assert len(replies.answers) == len(questions)
    assert any(answer[0] == peers.DIED for answer in replies.answers)
    assert brute.check_divide((24, 3), (8, 3), replies.answers[-1]) == RIGHT


# --- veritile against the judge


def failures(operation: str, count: int, seed: int) -> list[str]:
    """The questions that veritile does not answer right, or refuses without a witness that refutes."""
    found = []
    for question in cases.cases(operation, count, seed):
        answer = ask_veritile(question)
        word = judge(question, answer, truth_of(question))
        if word != RIGHT or (answer[0] == "refused" and not witness_holds(question, answer[1])):
            found.append(f"{word}: {describe(question)} -> {describe_answer(answer)}")
    return found


@pytest.mark.parametrize("operation", cases.OPERATIONS)
def test_veritile_is_exact(operation: str) -> None:
    assert failures(operation, 150, seed=20) == []


@pytest.mark.slow
@pytest.mark.parametrize("operation", cases.OPERATIONS)
def test_veritile_is_exact_on_many(operation: str) -> None:
    assert failures(operation, 3_000 if operation != "left_inverse" else 1_000, seed=21) == []


@pytest.mark.sweep
@pytest.mark.parametrize("operation", cases.OPERATIONS)
def test_veritile_is_exact_on_a_sweep(operation: str) -> None:
    assert failures(operation, 20_000, seed=22) == []
