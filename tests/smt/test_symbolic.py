"""Symbolic integers: what the engine says of small functions must be what plain integers say of them."""

import itertools
from random import Random

import pytest

from veritile.smt.polynomial import Poly
from veritile.smt.prover import DIFFERENT, EQUAL, Fact, Prover
from veritile.smt.symbolic import Cut, End, Failed, Instance, Outside, Run, Unmet, Wrong, explore

X, Y, Z = map(Poly.of, "xyz")


def ends(check, **how):
    return [(e.end.value, e.detail) for e in explore(check, **how)]


def test_polynomials_agree_with_integers():
    random = Random(3)
    for _ in range(200):
        values = {name: random.randint(-5, 5) for name in "xyz"}
        p = X * random.randint(-3, 3) + Y * Z - random.randint(0, 4)
        q = X * X - Y * random.randint(-2, 2) + 1
        whole, rest = (p * q + Z).split(q)
        assert (whole * q + rest).evaluate(values) == (p * q + Z).evaluate(values)
        assert (p * q).put("x", Y + 2).evaluate(values) == (p * q).evaluate({**values, "x": values["y"] + 2})


@pytest.mark.parametrize(
    ("facts", "goal", "holds"),
    [
        ([Fact(X - 1), Fact(Y - 2)], Fact(X * Y - 2), True),
        ([Fact(X - 1), Fact(Y - 2)], Fact(X * Y - 3), False),
        ([Fact(X), Fact(Y - X - 1), Fact(Z - 1)], Fact(Y * Z - X * Z - 1), True),
        ([Fact(X), Fact(Y - X)], Fact(Y - X - 1), False),
        ([Fact(X * Y - 1), Fact(Y)], Fact(X - 1), True),
        ([Fact(X * Y), Fact(Y)], Fact(X), False),
        ([Fact(X - Y, EQUAL)], Fact(X * X - Y * Y, EQUAL), True),
        ([Fact(X - 2)], Fact(X - 1, DIFFERENT), True),
        ([Fact(X - 1)], Fact(X - 1, DIFFERENT), False),
    ],
)
def test_the_prover(facts, goal, holds):
    assert Prover().implies(facts, goal) is holds
    for values in itertools.product(range(-3, 4), repeat=3):
        model = dict(zip("xyz", values, strict=True))
        if holds and all(fact.holds(model) for fact in facts):
            assert goal.holds(model)


def test_an_example_satisfies_what_was_asked():
    facts = [Fact(X * Y - 7, EQUAL), Fact(X - 2)]
    model = Prover().example(facts, bound=9)
    assert model is not None and all(fact.holds(model) for fact in facts)
    assert Prover().example([*facts, Fact(Y - 2)], bound=9) is None


def test_division_has_python_s_signs():
    def check(run: Run) -> None:
        a, b = run.integer("a"), run.integer("b")
        run.assume(b, "!=", 0)
        q, r = divmod(a, b)
        run.ended(End.RETURNED, "b > 0" if b > 0 else "b < 0")
        run.show(q * b + r, "==", a, "a = q·b + r")
        run.show(0, "<=" if b > 0 else "<", r + (0 if b > 0 else 1 - b), "r is no further than b from 0")
        run.show(r if b > 0 else b, "<", b if b > 0 else r, "r is nearer to 0 than b")

    assert ends(check) == [("returned", "b > 0"), ("returned", "b < 0")]
    for a, b in itertools.product(range(-7, 8), (-3, -1, 2, 5)):
        check(Instance({"a": a, "b": b}))


def test_a_division_by_zero_is_a_path():
    def check(run: Run) -> None:
        7 // run.integer("b", 0)

    assert ends(check) == [("returned", ""), ("raised", "ZeroDivisionError: division by a symbol that is 0")]


def test_every_order_of_three_numbers_is_a_path_of_sorted():
    def check(run: Run) -> None:
        numbers = [run.integer(name) for name in "abc"]
        low, middle, high = sorted(numbers)
        run.ended(End.RETURNED)
        run.show(low, "<=", middle, "sorted")
        run.show(middle, "<=", high, "sorted")
        run.show(low + middle + high, "==", sum(numbers), "the same numbers")

    assert len(ends(check)) == 6


def test_what_is_false_is_unproved_and_refuted_by_numbers():
    def check(run: Run) -> None:
        n = run.integer("n", 1)
        run.show(n * n, "<=", 4 * n, "n² ≤ 4n")

    (ending,) = explore(check)
    assert ending.end is End.UNPROVED
    model = Prover().example([*ending.facts, ending.failed.negated()], 12)
    with pytest.raises(Wrong):
        check(Instance(model))


def test_loops_are_cut_and_said_to_be():
    def check(run: Run) -> None:
        n = run.integer("n", 0)
        while n > 0:
            n = n - 1

    found = list(explore(check, most=5))
    assert [e.end for e in found].count(End.CUT) == 1
    assert [e.end for e in found].count(End.RETURNED) == 5


@pytest.mark.parametrize("use", [hash, range, float, lambda n: [1, 2][n], lambda n: n & 1, lambda n: {n: 1}, int])
def test_a_symbol_is_never_taken_for_a_plain_number(use):
    def check(run: Run) -> None:
        use(run.integer("n", 0)).__len__() if use is not range else run.show(len(use(run.integer("n", 0))), "<", 5, "")

    assert all(end in ("outside", "raised", "unproved") for end, _ in ends(check))


def test_paths_that_cannot_be_are_none():
    def check(run: Run) -> None:
        n = run.integer("n", 3)
        if n * n < 9:
            raise AssertionError("out of reach")
        run.ended(End.RETURNED)

    assert ends(check) == [("returned", "")]


def test_stops_pass_through_the_code_s_own_handlers():
    def check(run: Run) -> None:
        try:
            raise Outside("here")
        except Exception:  # noqa: BLE001 - what the code under examination might do
            run.ended(End.RETURNED)

    assert ends(check) == [("outside", "here")]
    assert not issubclass(Cut, Exception) and not issubclass(Failed, Exception)


def test_an_instance_that_breaks_a_hypothesis_is_none():
    def check(run: Run) -> None:
        run.assume(run.integer("n", 0), "<", 3)

    with pytest.raises(Unmet):
        check(Instance({"n": 3}))


def test_the_paths_of_a_function_agree_with_all_small_numbers():
    """Each plain run follows exactly one of the paths: none is lost, none is counted twice."""

    def check(run: Run) -> None:
        s, d = run.integer("s", 1), run.integer("d", 0)
        kind = "one" if s == 1 else "flat" if d == 0 else "chain" if d % s == 0 else "none"
        run.ended(End.RETURNED, kind)

    found = list(explore(check))
    assert sorted(e.detail for e in found) == ["chain", "flat", "none", "one"]
    for s, d in itertools.product(range(1, 7), range(13)):
        instance = Instance({"s": s, "d": d})
        check(instance)
        assert instance.finish.split()[1] in {e.detail for e in found}


def test_counting_up_to_a_symbol_ends_outside():
    def check(run: Run) -> None:
        n, d = run.integer("n", 1), run.integer("d")
        [d * c for c in range(n)]

    assert ends(check) == [("outside", "an enumeration: a symbol was used as a plain number")]
