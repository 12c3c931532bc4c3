"""Questions with names: what must be decided, and random ones compared with plain evaluation at every value."""

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from veritile.commands.budget import Budget
from veritile.model.errors import InputError, Refuted, Undecided, Witness
from veritile.model.names import ALWAYS, Expr, parse_condition
from veritile.model.notation import parse
from veritile.proofs.names import Case, NamedAnswer, decide, results
from veritile.reports.reply import Reply

from ..model.test_public_cases import NAMES
from ..oracles import named as oracle
from ..oracles.named import QUESTIONS, Comparison, Named, compared, plain, random_questions

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent.parent / "cases" / "public_cases.json").read_text(encoding="utf-8"))
}


def answer(named: Named, seconds: float = 10.0) -> NamedAnswer:
    return decide(named.question, named.given, named.condition, seconds)


def decided(kind: str, *operands: str, where: str = "", largest: int = 64) -> NamedAnswer:
    """The answer, which agrees with plain evaluation at every value up to ``largest``."""
    named = Named(kind, operands, where)
    found = answer(named)
    assert found.verdict != "unknown", found
    assert compared(named, found, largest).differs == ""
    return found


# The public reports on dynamic shapes


def test_coal_3469() -> None:
    found = decided("coalesce", CASES["coal-3469"]["inputs"]["L"])
    assert (found.verdict, str(found.result), found.scope) == ("proved", "192*n:1", "every n")


def test_comp_3470() -> None:
    inputs = CASES["comp-3470"]["inputs"]
    b = inputs["B"].split(", n=")[0]
    found = decided("compose", inputs["A"], b, where="n % 8 == 0")
    assert (found.verdict, str(found.result)) == ("proved", "(4,n/8,8,4):(1,128,16,4)")
    assert str(found.where_in_bounds) == "n <= 32"


def test_div_3513dyn() -> None:
    inputs = CASES["div-3513dyn"]["inputs"]
    found = decided("divide", inputs["A"], "n:1", largest=500)
    assert found.verdict == "refuted" and found.witness is not None and found.witness.values["names"] == {"n": 5}
    assert found.conditions is not None and not found.conditions.at({"n": inputs["n"]})
    assert [n for n in range(1, 1000) if found.conditions.at({"n": n})] == [
        1, 2, 3, 4, 6, 12, 24, *range(48, 1000, 48),
    ]  # fmt: skip


def test_rinv_3471() -> None:
    found = decided("right inverse", CASES["rinv-3471"]["inputs"]["L"])
    assert (found.verdict, str(found.result)) == ("proved", "16*n:1")


def test_every_public_case_with_names_has_its_test() -> None:
    assert {f"test_{name.replace('-', '_')}" for name in NAMES} <= set(globals())


# One name


def test_never_is_a_condition() -> None:
    found = decided("compose", "(4,n,8):(2,3,5)", "6:3")
    assert (found.verdict, str(found.conditions)) == ("refuted", "False")


@pytest.mark.parametrize(
    ("kind", "operands", "where", "conditions"),
    [
        ("compose", "(4,8):(1,5) n:1", "", "n <= 4 or n % 4 == 0"),
        ("compose", "(4,8):(1,5) n:1", "n % 4 == 0", "None"),
        ("complement", "(4,8):(1,n) 64", "", "n % 4 == 0"),
        ("injective", "(4,n):(1,n)", "", "n == 1 or n >= 4"),
        ("within", "(n,4):(1,64) 4096", "", "n <= 3904"),
        ("contiguous", "(4,n):(1,4) 5", "", "n != 1"),
        ("equal", "(4,n):(1,4) 4*n:1", "", "None"),
        ("onto", "(4,n):(1,5) 4*n", "", "n == 1"),
        ("bijective", "(n,8):(8,1) 8*n", "n <= 65536", "None"),
        ("compose", "(65536,4):(1,100000) n:1", "", "n <= 65536 or n % 65536 == 0"),
    ],
)
def test_a_condition(kind: str, operands: str, where: str, conditions: str) -> None:
    assert str(decided(kind, *operands.split(), where=where).conditions) == conditions


@pytest.mark.parametrize(
    ("kind", "operands", "result"),
    [
        ("coalesce", "(m,n):(1,m)", "m*n:1"),
        ("coalesce", "(m,n):(n,1)", "(m,n):(n,1)"),
        ("left inverse", "(m,n):(n,1)", "(n,m):(m,1)"),
        ("right inverse", "(m,n):(n,1)", "(n,m):(m,1)"),
        ("compose", "(m,n):(n,1) (m,n):(e0,e1)", "(m,n):(n,1)"),
        ("product", "(m,n):(1,m) 4:1", "((m,n),4):((1,m),m*n)"),
        ("divide", "24:1 n:1", "(n,ceil(24/n)):(1,n)"),
        ("left inverse", "(4,n):(n,1)", "(n,4):(4,1)"),
    ],
)
def test_one_formula_for_all(kind: str, operands: str, result: str) -> None:
    found = decided(kind, *operands.split(), largest=24)
    assert (found.verdict, str(found.result)) == ("proved", result)


@pytest.mark.parametrize(
    ("kind", "operands", "conditions"),
    [
        ("compose", "(m,n):(n,1) 4:1", "m != 3"),
        ("injective", "(m,n):(1,4)", "n == 1 or m < 5"),
        ("within", "(m,n):(1,4) 64", "m + 4 * n < 69"),
        ("equal", "(m,n):(1,m) (n,m):(1,4)", "m == 1 or n == 4"),
    ],
)
def test_a_condition_on_two_names(kind: str, operands: str, conditions: str) -> None:
    found = decided(kind, *operands.split(), largest=24)
    wanted = parse_condition(conditions)
    assert found.conditions is not None
    for m in range(1, 80):
        for n in range(1, 80):
            assert found.conditions.at({"m": m, "n": n}) == wanted.at({"m": m, "n": n})


def test_the_stride_of_a_mode_of_size_1_has_a_value_too() -> None:
    decided("divide", "(10,3*n):(3,3*n)", "n/8:4*n", where="n % 8 == 0", largest=90)


def test_what_is_not_decided_is_unknown() -> None:
    found = answer(Named("right inverse", ("(4,n,6):(9,12,-1)",)), 2.0)
    assert found.verdict == "unknown" and found.conditions is None and found.reason


@pytest.mark.parametrize(
    ("operand", "where", "message"),
    [
        ("(4,n/8):(1,4)", "", "n/8 is no integer for every value allowed"),
        ("(4,n-1):(1,4)", "", "the size n-1 is not positive"),
        ("(4,n):(1,4)", "k == 1", "--where speaks of k"),
    ],
)
def test_bad_input(operand: str, where: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        answer(Named("coalesce", (operand,), where))


def _agrees(named: Named) -> None:
    try:
        with Budget(6.0):
            found = answer(named, 3.0)
    except Undecided:
        return
    if found.verdict != "unknown":
        two = any("m" in operand for operand in named.operands)
        assert compared(named, found, 10 if two else 64).differs == "", named


@pytest.mark.parametrize("seed", range(8))
def test_random_questions(seed: int) -> None:
    for named in random_questions(8, 1000 + seed):
        if not any("m" in operand for operand in named.operands) and "inverse" not in named.kind:
            _agrees(named)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_more_random_questions(seed: int) -> None:
    for named in random_questions(10, 2000 + seed):
        _agrees(named)


def test_every_kind_is_asked() -> None:
    assert {named.kind for named in random_questions(400, 1)} == set(QUESTIONS)


@pytest.mark.parametrize(("fails", "verdict"), [(5, "refuted"), (150, "unknown")])
def test_a_value_that_fails_is_told_when_the_time_is_spent(
    monkeypatch: pytest.MonkeyPatch, fails: int, verdict: str
) -> None:
    monkeypatch.setattr(results, "time", SimpleNamespace(monotonic=count().__next__))

    def question(n: int) -> Reply:
        if n == fails:
            raise Refuted("it is so small", None)
        return Reply("proved")

    found = decide(question, [Expr.of("n")], parse_condition("n <= 200"), seconds=50)
    assert found.verdict == verdict and found.conditions is None
    if verdict == "refuted":
        assert found.witness is not None and found.witness.values == {"names": {"n": 5}}
        assert found.notes[0].startswith("the exact condition is not known: the budget was spent")


def test_the_clock_of_whoever_asks_ends_a_question_unless_a_value_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(asked: Any, scope: str) -> NamedAnswer:
        asked.at((1,))
        raise Undecided("the clock")

    monkeypatch.setattr(results, "_decided", ended)
    with pytest.raises(Undecided, match="the clock"):
        answer(Named("injective", ("(4,n):(1,4)",)))
    found = answer(Named("onto", ("n:1", "2")))
    assert (found.verdict, found.notes) == ("refuted", ("the exact condition is not known: the clock",))


@pytest.mark.parametrize(
    ("named", "change"),
    [
        (Named("compose", ("(4,8):(1,5)", "n:1")), {"conditions": parse_condition("n <= 4 or n % 2 == 0")}),
        (Named("coalesce", ("(4,n):(1,4)",)), {"cases": (Case(ALWAYS, parse("4*n:2", names=True)),)}),
        (Named("coalesce", ("(4,n):(1,4)",)), {"verdict": "refuted", "witness": Witness("names", {"names": {"n": 2}})}),
        (Named("injective", ("(4,n):(1,n)",)), {"verdict": "proved", "conditions": None}),
    ],
)
def test_the_comparison_tells_a_wrong_answer(named: Named, change: dict[str, Any]) -> None:
    found = answer(named)
    assert compared(named, found) == Comparison(64)
    assert compared(named, replace(found, **change)).differs


def test_without_a_condition_the_witness_is_compared() -> None:
    named = Named("injective", ("(4,n):(1,n)",))
    unconditional = replace(answer(named), conditions=None)
    assert compared(named, unconditional) == Comparison(1)
    elsewhere = replace(unconditional, witness=Witness("names", {"names": {"n": 4}}))
    assert compared(named, elsewhere).differs == "the witness {'n': 4} is none"


def test_a_value_that_nothing_decides_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    named = Named("injective", ("(4,n):(1,n)",))
    found = answer(named)
    monkeypatch.setattr(oracle, "plain", lambda _, values: (None, None) if values["n"] == 7 else plain(named, values))
    assert compared(named, found) == Comparison(63, undecided=1)
