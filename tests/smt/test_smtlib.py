"""Obligations as text: what is declared, what the digest covers, and files that replay from the file alone."""

import pytest

from veritile.smt import terms as t
from veritile.smt.smtlib import Obligation, digest, export, script
from veritile.smt.solvers import ask

x, y = t.ints("x y")


def test_the_name_is_no_part_of_what_is_decided():
    one = Obligation("one", (x <= y,), x < y + 1)
    assert one.key == Obligation("two", (x <= y,), x < y + 1).key == digest(one.text)
    assert one.key != Obligation("one", (x <= y,), x < y).key


def test_two_symbols_of_one_name_are_refused():
    f = t.Function("x", (t.INT,), t.INT)
    with pytest.raises(ValueError, match="two symbols"):
        script([t.eq(f(x), 0)])


def test_uninterpreted_sorts_are_declared():
    a = t.variable("a", "Modes")
    assert "(declare-sort Modes 0)" in script([t.eq(a, a)])


def test_exported_files_say_what_to_expect_and_replay(tmp_path):
    paths = export(
        [Obligation("a/1 x ≤ y", (x < y,), x <= y), Obligation("a/2", (t.division(x, y), y >= 1), t.mod(x, y) < y)],
        tmp_path,
    )
    assert [p.name for p in paths] == ["0000-a-1-x-y.smt2", "0001-a-2.smt2"]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert "(set-info :status unsat)" in text
        assert [ask(s, text).answer for s in ("z3", "cvc5")] == ["unsat", "unsat"]
