"""Terms: sorts, folding, printing, substitution; evaluation agrees with what a solver makes of the same term."""

from random import Random

import pytest

from veritile.smt import terms as t
from veritile.smt.smtlib import script
from veritile.smt.solvers import ask


def test_the_same_term_is_the_same_object():
    x, y = t.ints("x y")
    assert x + y is x + y
    assert x + y is not y + x


def test_constants_are_folded_and_neutral_ones_vanish():
    (x,) = t.ints("x")
    assert t.as_term(2) * 3 is t.as_term(6)
    assert x + 0 is x
    assert x * 1 is x
    assert x * 0 is t.as_term(0)


@pytest.mark.parametrize(
    "build",
    [
        lambda: t.conj(t.ints("x")[0]),
        lambda: t.ints("x")[0] + t.variable("p", t.BOOL),
        lambda: t.eq(t.ints("x")[0], True),
        lambda: t.bitwise("bvand", t.bits(1, 8), t.bits(1, 9)),
        lambda: t.as_term("x"),  # type: ignore[arg-type]
    ],
)
def test_sorts_that_do_not_fit_are_refused(build):
    with pytest.raises(TypeError):
        build()


def test_a_term_is_no_truth_value():
    x, y = t.ints("x y")
    with pytest.raises(TypeError):
        bool(x <= y)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (lambda x, y: x - (y - x), "x - (y - x)"),
        (lambda x, y: (x + y) * 2, "(x + y)·2"),
        (lambda x, y: t.neg(t.eq(x, y)), "x ≠ y"),
        (lambda x, y: t.implies(t.conj(x <= y, y < 3), t.disj(x < 3, x <= 1)), "x ≤ y ∧ y < 3 ⇒ x < 3 ∨ x ≤ 1"),
        (lambda x, y: t.div(x + 1, y), "⌊(x + 1)/y⌋"),
    ],
)
def test_text(term, text):
    assert str(term(*t.ints("x y"))) == text


def test_substitution_is_simultaneous_and_reaches_functions():
    x, y = t.ints("x y")
    f = t.Function("f", (t.INT,), t.INT)
    assert t.substitute(x + f(y), {x: y, y: x}, {f: lambda v: v * v}) is y + x * x


def _random_term(rng: Random, depth: int) -> t.Term:
    if depth == 0:
        return rng.choice([*t.ints("x y"), t.as_term(rng.randint(-4, 4))])
    a, b = _random_term(rng, depth - 1), _random_term(rng, depth - 1)
    return rng.choice([a + b, a - b, a * b, t.ite(a <= b, a, b), t.div(a, 3), t.mod(a, 3)])


@pytest.mark.parametrize("seed", range(6))
def test_evaluation_is_what_the_solvers_compute(seed):
    rng = Random(seed)
    x, y = t.ints("x y")
    term = _random_term(rng, 4)
    values = {"x": rng.randint(-9, 9), "y": rng.randint(-9, 9)}
    witnesses = [t.division(*s.args) for s in t.subterms([term]) if s.op in ("div", "mod")]
    fixed = [t.eq(x, values["x"]), t.eq(y, values["y"]), *witnesses]
    text = script([*fixed, t.ne(term, t.evaluator(term)(values))])
    assert {s: ask(s, text).answer for s in ("z3", "cvc5")} == {"z3": "unsat", "cvc5": "unsat"}


@pytest.mark.parametrize("op", ["bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvshl", "bvlshr"])
def test_bit_operations_are_those_of_the_solvers(op):
    rng = Random(op)
    a, b = t.variable("a", t.bit_vector(8)), t.variable("b", t.bit_vector(8))
    for other in (rng.randint(0, 255), 3, 9):
        at = {"a": rng.randint(0, 255), "b": other}
        value = t.evaluator(t.bitwise(op, a, b))(at)
        fixed = [t.eq(a, t.bits(at["a"], 8)), t.eq(b, t.bits(at["b"], 8))]
        assert ask("z3", script([*fixed, t.ne(t.bitwise(op, a, b), t.bits(value, 8))])).answer == "unsat"
