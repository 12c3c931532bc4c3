"""Solvers in processes: answers, models, limits, deaths, and a disagreement that nothing hides."""

import os
import signal

import pytest

from veritile.smt import solvers
from veritile.smt import terms as t
from veritile.smt.smtlib import script
from veritile.smt.solvers import Decision, Disagreement, MissingSolver, agreed, ask

x, y, z = t.ints("x y z")
HARD = script([x > 2, y > 2, t.eq(x * x * x + y * y * y, z * z * z), z > 2, x < y])


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_sat_comes_with_a_model(solver):
    answer = ask(solver, script([x > 3, x < 5]), model=True)
    assert (answer.answer, "4" in answer.model) == ("sat", True)


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_time_that_is_up_is_unknown_with_the_reason(solver):
    answer = ask(solver, HARD, seconds=0.3)
    assert answer.answer == "unknown"
    assert answer.reason


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_text_that_is_no_script_is_unknown_with_the_reason(solver):
    answer = ask(solver, "(assert (< x")
    assert answer.answer == "unknown"
    assert answer.reason


def test_a_solver_that_dies_is_unknown_with_the_reason(monkeypatch):
    monkeypatch.setitem(solvers._WORK, "z3", lambda *args: os.kill(os.getpid(), signal.SIGKILL))
    answer = ask("z3", script([x < y]))
    assert answer.answer == "unknown"
    assert "died" in answer.reason


def test_one_that_takes_too_much_memory_is_unknown(monkeypatch):
    monkeypatch.setitem(solvers._WORK, "z3", lambda *args: ("unsat", "", str(len(bytearray(2**31)))))
    assert ask("z3", script([x < y]), memory_mb=200).answer == "unknown"


def test_a_solver_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(solvers.PACKAGES, "cvc5", "no-such-solver")
    solvers.version_of.cache_clear()
    with pytest.raises(MissingSolver, match="no-such-solver"):
        ask("cvc5", script([x < y]))
    solvers.version_of.cache_clear()


def _said(*answers: str) -> list[Decision]:
    return [Decision(name, "1", answer, 0.0) for name, answer in zip(("z3", "cvc5"), answers, strict=False)]


def test_solvers_that_contradict_each_other_fail_loudly():
    with pytest.raises(Disagreement, match="z3 1: sat, cvc5 1: unsat"):
        agreed(_said("sat", "unsat"), "a claim")


@pytest.mark.parametrize(("answers", "stands"), [(("unsat", "unsat"), "unsat"), (("unsat", "unknown"), "unknown")])
def test_what_one_solver_alone_decided_is_not_agreed(answers, stands):
    assert agreed(_said(*answers)) == stands
