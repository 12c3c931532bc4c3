"""The rules refuse what does not follow from them: a wrong step is an error or leaves an obligation unproved."""

import pytest

from veritile.model.errors import InputError
from veritile.proofs import discharge
from veritile.proofs.language import (
    THEOREMS,
    All,
    Counted,
    ListSort,
    Mutant,
    Recursive,
    Theorem,
    always,
    every,
    register,
    sample,
)
from veritile.proofs.rules import ProofError, run
from veritile.proofs.theorems.modes import MODES, A, cons, one, size, value
from veritile.smt.solvers import ask
from veritile.smt.terms import INT, Function, as_term, conj, eq, ints, variable

x, y, k, n = ints("x y k n")
f = Function("f", (INT,), INT)
discharge.theorems()


def _theorem(proof, conclusion=None, hypotheses=(), given=(x, y)):
    never = Mutant("", conclusion=as_term(False))
    return Theorem(
        name="test",
        statement="",
        given=given,
        hypotheses=tuple(hypotheses),
        conclusion=as_term(True) if conclusion is None else conclusion,
        proof=proof,
        instance=lambda rng: {"x": rng.randint(-9, 9), "y": rng.randint(-9, 9)},
        mutants=(never,) * 3,
    )


def _is_proved(theorem) -> bool:
    return all(ask("z3", o.text, seconds=5).answer == "unsat" for o in run(theorem).obligations)


def test_a_true_theorem_goes_through():
    assert _is_proved(_theorem(lambda p: p.done(), x <= y, [x < y]))


@pytest.mark.parametrize(
    ("what", "proof"),
    [
        ("nothing is shown", lambda p: None),
        ("a fact from nowhere", lambda p: p.done(x < y)),
        ("no identity", lambda p: p.algebra(x * y, x + y)),
        ("a theorem that is not there", lambda p: p.use("no.such")),
        ("a variable that is not there", lambda p: p.use("euclid.small", c=x)),
        ("a wrong sort", lambda p: p.use("euclid.small", x=A)),
        ("a quantified hypothesis that is not established", lambda p: p.use("coalesce.unique", B=A)),
        ("a quantified fact that is not established", lambda p: p.at(every(k, 0, n, f(k) <= 0), x)),
        ("unfolding what is not written out", lambda p: p.unfold(value(A, x))),
        ("unfolding what has no definition", lambda p: p.unfold(f(x))),
        ("an induction hypothesis without an induction", lambda p: p.ih()),
        ("induction over what is not given", lambda p: p.induction(A, MODES, lambda *a: None, lambda *a: None)),
        ("no implication", lambda p: p.suppose()),
        ("a branch that is left open", lambda p: list(p.cases(x <= y, x > y))),
        ("a descent below another", lambda p: [p.descent(x), p.descent(y)]),
    ],
)
def test_a_proof_that_breaks_the_rules_is_refused(what, proof):
    with pytest.raises(ProofError):
        run(_theorem(proof, x <= y))


def _leaves_cases_out(p):
    for case in p.cases(x < y):
        case.done()


def _descends_to_larger(p):
    p.descent(x)
    p.ih(x=x + 1)
    p.done()


def _descends_below_nothing(p):
    p.descent(x)
    p.ih(x=x - 1)
    p.done()


def _ignores_hypotheses(p):
    p.use("euclid.small", x=x, b=y)
    p.done()


@pytest.mark.parametrize(
    ("proof", "conclusion", "hypotheses"),
    [
        (lambda p: p.done(), x <= y, []),
        (_leaves_cases_out, x <= y, []),
        (_descends_to_larger, x < 0, [x >= 0]),
        (_descends_below_nothing, eq(y, 0), []),
        (_ignores_hypotheses, x < y, []),
    ],
)
def test_a_false_theorem_keeps_an_obligation_that_is_not_proved(proof, conclusion, hypotheses):
    assert not _is_proved(_theorem(proof, conclusion, hypotheses))


def test_sizes_below_one_prove_nothing():
    """size(cons(0, …)) unfolds only where the size is at least 1."""

    def proof(p):
        p.use("modes.size-positive", A=cons(0, 0, A))
        p.unfold(size(cons(0, 0, A)))
        p.done()

    assert not _is_proved(_theorem(proof, as_term(False), given=(A,)))


def test_the_induction_hypothesis_is_about_the_tail_alone():
    def step(p, s, d, tail):
        p.ih(A=cons(s, d, tail))

    with pytest.raises(ProofError):
        run(_theorem(lambda p: p.induction(A, MODES, lambda p, s, d: p.done(), step), eq(size(A), 1), given=(A,)))


def test_the_step_needs_its_hypotheses_again():
    def step(p, s, d, tail):
        p.ih()
        p.unfold(size(cons(s, d, tail)))
        p.done()

    def base(p, s, d):
        p.unfold(size(one(s, d)))
        p.done()

    false = _theorem(
        lambda p: p.induction(A, MODES, base, step), eq(size(A), 2), [eq(size(A), 2) if False else x > 0], (A, x)
    )
    assert not _is_proved(false)


def test_new_variables_are_new():
    """∀ k: f(k) ≤ x does not follow from f(x) ≤ x."""

    def proof(p):
        p.every(always((k,), f(k) <= x), lambda q, k: q.done())
        p.done()

    assert not _is_proved(_theorem(proof, f(y) <= x, [f(x) <= x], (f, x, y)))


def test_quantifiers_that_say_the_same_are_equal_and_capture_nothing():
    assert every(k, 0, n, f(k) <= x) == every(y, 0, n, f(y) <= x)
    assert every(k, 0, n, f(k) <= k) != every(k, 0, n, f(k) <= x)
    replaced = every(k, 0, n, f(k) <= x).replace({x: k}, {})
    assert isinstance(replaced, All)
    assert replaced.at(y) is every(x, 0, n, f(x) <= k).at(y)


def test_recursion_is_on_the_tail_alone():
    wrong = Recursive("wrong", MODES, base=lambda s, d: 0, step=lambda s, d, T: 1 + wrong(cons(s, d, T)))
    with pytest.raises(ValueError, match="tail"):
        _ = wrong.bodies
    count = Counted("count", zero=lambda: 0, step=lambda n: 1 + count(n))
    with pytest.raises(ValueError, match="n − 1"):
        _ = count.bodies


def test_definitions_rest_on_nothing_undefined():
    loose = Recursive("loose", MODES, base=lambda s, d: f(s), step=lambda s, d, T: loose(T))
    with pytest.raises(ValueError, match="no definition"):
        _ = loose.bodies


def test_fields_and_parameters_of_one_name_are_kept_apart():
    pair = ListSort("Pair", {"s": INT}, {"s": INT})
    both = Recursive(
        "both", pair, base=lambda s, t: s - t, step=lambda s, T, t: s - t + both(T, t), parameters={"s": INT}
    )
    assert both.on(((5,), (3,)), 2) == (5 - 2) + (3 - 2)
    term = both(pair.base(x), y)
    assert str(both.definition(term)).endswith("= x - y")


def test_names_are_registered_once_and_with_mutants():
    theorem = THEOREMS["euclid.small"]
    with pytest.raises(ValueError, match="two theorems"):
        register(theorem)
    with pytest.raises(ValueError, match="not given"):
        _theorem(lambda p: p.done(), x <= k)
    with pytest.raises(ValueError, match="new and for bound"):
        _theorem(lambda p: p.done(), given=(x, y, variable("z!1")))


def test_a_theorem_uses_only_what_stands_before_it():
    names = list(discharge.theorems())
    for name in names:
        assert all(names.index(used) < names.index(name) for used in discharge.ledger_of(name).uses)


def test_a_mutant_that_holds_is_not_called_refuted(tmp_path):
    from dataclasses import replace

    from veritile.smt.store import Store

    theorem = replace(THEOREMS["euclid.small"], mutants=(Mutant("nothing is changed"),) * 3)
    assert discharge.decide_mutants(theorem, Store(tmp_path / "s")).verdict.value == "unknown"


def test_a_false_statement_is_found_by_evaluation():
    false = _theorem(lambda p: p.done(), conj(x <= y))
    assert sample(false, 100).counterexample is not None


def test_explain_prints_the_proof_and_unknown_names_are_one_line():
    text = discharge.explain("composition.diagonal")
    assert "induction step" in text and "euclid.product-positive" in text
    with pytest.raises(InputError, match="no theorem"):
        discharge.explain("no.such")
