"""The theorems: each holds on random instances, has mutants that do not, and is proved by both solvers."""

import pytest

from veritile.model.coalesce import coalesce
from veritile.proofs import discharge
from veritile.proofs.language import sample
from veritile.proofs.verdict import Verdict
from veritile.smt.solvers import ask
from veritile.smt.store import Store

THEOREMS = discharge.theorems()
NAMES = list(THEOREMS)


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_on_random_instances(name):
    found = sample(THEOREMS[name], 200)
    assert found.counterexample is None
    assert found.satisfied >= 100, "too few instances satisfy its hypotheses"


@pytest.mark.parametrize("wrong", [lambda layout: layout, lambda layout: coalesce(layout)[0]])
def test_what_f2_coalesce_means_is_what_the_code_does(monkeypatch, wrong):
    """A coalesce that merges nothing keeps every value; one that drops modes merges."""
    monkeypatch.setattr("veritile.proofs.theorems.f2.coalesce", wrong)
    assert sample(THEOREMS["f2.coalesce"], 200).counterexample is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.sweep)])
def test_it_holds_on_thousands_of_instances(name, count):
    found = sample(THEOREMS[name], count, seed=1)
    assert found.counterexample is None
    assert found.satisfied == count


@pytest.mark.parametrize("name", NAMES)
def test_every_mutant_has_a_counterexample(name, tmp_path):
    outcome = discharge.decide_mutants(THEOREMS[name], Store(tmp_path / "decisions.sqlite"))
    assert outcome.verdict is Verdict.REFUTED, outcome.reason


@pytest.mark.parametrize("name", NAMES)
def test_its_hypotheses_can_hold(name):
    assert discharge.exhibit(THEOREMS[name])


def _decided(names, tmp_path, **how):
    return discharge.decide_theorems(names, solvers=("z3", "cvc5"), store=Store(tmp_path / "decisions.sqlite"), **how)


def test_what_a_theorem_rests_on_is_decided_with_it(tmp_path):
    results = _decided(["floor-form"], tmp_path)
    assert list(results) == [*discharge.rests_on("floor-form"), "floor-form"]
    assert {r.verdict for r in results.values()} == {Verdict.PROVED}
    assert [s for s, _, _ in results["floor-form"].solvers] == ["z3", "cvc5"]


@pytest.mark.slow
def test_all_are_proved_by_both_solvers_and_then_known(tmp_path):
    results = _decided(None, tmp_path, jobs=2)
    assert [name for name, r in results.items() if r.verdict is not Verdict.PROVED] == []
    assert list(results) == NAMES
    assert _decided(None, tmp_path) == results


def test_an_obligation_that_is_not_proved_leaves_all_that_rests_on_it_unknown(tmp_path, monkeypatch):
    broken = discharge.ledger_of("euclid.unique").obligations[0].text

    def some(solver, text, *args, **kwargs):
        answer = ask(solver, text, *args, **kwargs)
        return type(answer)(solver, answer.version, "unknown", 0.0, "broken") if text == broken else answer

    monkeypatch.setattr(discharge, "ask", some)
    results = _decided(["euclid.nested", "euclid.product-positive"], tmp_path)
    verdicts = {name: r.verdict.value for name, r in results.items()}
    assert verdicts == {"euclid.product-positive": "proved", "euclid.unique": "unknown", "euclid.nested": "unknown"}
    assert "rests on euclid.unique" in results["euclid.nested"].reason


def test_solvers_that_disagree_stop_everything(tmp_path, monkeypatch):
    def contrary(solver, text, *args, **kwargs):
        answer = ask(solver, text, *args, **kwargs)
        return answer if solver == "z3" else type(answer)(solver, answer.version, "sat", 0.0)

    monkeypatch.setattr(discharge, "ask", contrary)
    with pytest.raises(discharge.Disagreement):
        _decided(["euclid.unique"], tmp_path)


def test_an_executor_can_be_passed_in(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        results = _decided(["euclid.unique"], tmp_path, executor=pool)
    assert results["euclid.unique"].verdict is Verdict.PROVED


def test_every_obligation_is_exported(tmp_path):
    paths = discharge.export_obligations(tmp_path, ["floor-form"])
    assert len(paths) == len(discharge.obligations_of(["floor-form"]))
    assert all("(check-sat)" in p.read_text(encoding="utf-8") for p in paths)
