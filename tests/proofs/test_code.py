"""The claims about shipped code: proved with their gaps told, refuted with a fault, and true of random numbers."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from veritile.model import complement
from veritile.model.coalesce import coalesce
from veritile.proofs.code import checks, kept
from veritile.proofs.code.claims import CODE
from veritile.proofs.code.second import SecondOpinion, second_opinion
from veritile.proofs.verdict import Verdict
from veritile.smt.prover import Contradiction
from veritile.smt.solvers import Decision, Disagreement, ask
from veritile.smt.store import Store
from veritile.smt.symbolic import End, Instance, Outside, Run, Unmet, standing_in

QUICK = (
    "code.coordinates",
    "code.coalesce",
    "code.floor-form.carry",
    "code.composition.in-bounds",
    "code.complement.extended",
    "code.left-inverse",
    "code.recast.narrower",
    "code.contiguous-run",
)


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_claim_is_proved(name):
    outcome = CODE[name].decide()
    assert outcome.verdict is Verdict.PROVED, outcome.reason
    assert all("paths of the code" in row.name for row in outcome.rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CODE.keys() - set(QUICK)))
def test_a_claim_is_proved(name):
    outcome = CODE[name].decide()
    assert outcome.verdict is Verdict.PROVED, outcome.reason


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_in_the_code_is_refuted_by_numbers(name):
    outcome = CODE[name].decide_broken()
    assert outcome.verdict is Verdict.REFUTED and outcome.witness


@pytest.mark.parametrize("name", CODE)
def test_random_numbers_agree(name):
    """Every check also runs on plain integers: nothing a path proves may be false of numbers."""
    count = 0
    for check in CODE[name].checks.values():
        assert checks.sampled_refutation(check, tries=60) is None
        count += sum(1 for _ in checks.instances(check, 60))
    assert count


def test_a_check_that_leaves_the_code_is_unknown_unless_it_is_told():
    def check(run: Run) -> None:
        if run.integer("n", 0) > 3:
            raise Outside("a search")
        run.ended(End.RETURNED)

    plain = CODE["code.coalesce"]
    untold = checks.Code("t", "f", "s", plain.scope, {"only": check}, "none", plain.broken)
    told = checks.Code("t", "f", "s", plain.scope, {"only": check}, "none", plain.broken, gaps=("a search",))
    assert untold.decide().verdict is Verdict.UNKNOWN
    assert told.decide().verdict is Verdict.PROVED
    assert "Not covered: a search." in told.claim().statement


def test_a_check_without_a_proved_path_is_unknown():
    def check(run: Run) -> None:
        raise Outside("a search")

    plain = CODE["code.coalesce"]
    code = checks.Code("t", "f", "s", plain.scope, {"only": check}, "none", plain.broken, gaps=("a search",))
    assert code.decide().verdict is Verdict.UNKNOWN


def test_the_shipped_function_itself_runs():
    """The checks import the function of model/: what is proved is what is called."""
    from veritile.proofs.code import coalesce as file

    assert file.module.coalesce is coalesce


def test_outcomes_are_kept_for_the_same_sources_alone(tmp_path, monkeypatch):
    store = Store(tmp_path / "decisions.sqlite")
    calls = []

    def decide():
        calls.append(1)
        return CODE["code.floor-form.carry"].decide()

    first = kept.kept("t", decide, store)
    again = kept.kept("t", decide, store)
    assert len(calls) == 1 and again.verdict is first.verdict is Verdict.PROVED
    assert [row.name for row in again.rows] == [row.name for row in first.rows]
    assert "kept for these sources" in str(again.evidence[0])
    monkeypatch.setattr(kept, "sources_digest", lambda: "another")
    kept.kept("t", decide, store)
    assert len(calls) == 2


def test_what_is_unknown_is_not_kept(tmp_path):
    from veritile.proofs.claim import unknown

    store = Store(tmp_path / "decisions.sqlite")
    kept.kept("t", lambda: unknown("no time"), store)
    assert store.get(kept.text_of("t"), "z3", kept.VERSION) is None
    assert isinstance(Decision("z3", "1", "unsat", 0.0), Decision)


def test_an_instance_is_read_as_given():
    with pytest.raises(Unmet):
        CODE["code.coalesce"].checks["rank 1"](Instance({"A.s0": 0}))


def contradiction(lines: str, over_integers: bool = True) -> Contradiction:
    return Contradiction("(declare-const x Int)\n" + lines, over_integers)


IMPOSSIBLE = contradiction("(assert (> (* x x) 1))\n(assert (< (* x x) 4))")  # not of reals
HOLLOW = contradiction("(assert (> x 1))")


def test_another_solver_decides_the_contradictions_again():
    opinion = second_opinion([IMPOSSIBLE, contradiction("(assert (< (* x x) 0))")])
    assert (opinion.agreed, opinion.open) == (2, ())


def test_a_model_of_what_was_found_contradictory_stops_everything(monkeypatch):
    with pytest.raises(Disagreement, match="cvc5"):
        second_opinion([IMPOSSIBLE, HOLLOW])
    monkeypatch.setattr(checks, "explored", lambda *_: replace(REPORT, contradictions=(HOLLOW,)))
    outcome = CODE["code.coordinates"].decide()
    assert outcome.verdict is Verdict.REFUTED and outcome.witness["kind"] == "disagreement"


REPORT = checks.explored("s", CODE["code.coordinates"].checks["s, from an index"], CODE["code.coordinates"])


def test_a_disagreement_refutes_no_fault(monkeypatch):
    monkeypatch.setattr(checks, "explored", lambda *_, **__: replace(REPORT, contradictions=(HOLLOW,)))
    changes_nothing = replace(CODE["code.coordinates"], broken=nullcontext)
    assert changes_nothing.decide_broken().verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("gaps", "verdict"),
    [
        (lambda a: ([], 1, True), Verdict.UNKNOWN),  # three values where the code takes four
        (lambda a: ([], 1, True, ("closed-form",)), Verdict.REFUTED),
    ],
)
def test_a_fault_that_does_not_fit_the_code_is_not_refuted(gaps, verdict):
    broken = replace(CODE["code.complement.extended"], broken=lambda: standing_in(complement, _gaps=gaps))
    outcome = broken.decide_broken()
    assert outcome.verdict is verdict
    if verdict is Verdict.UNKNOWN:
        assert outcome.reason.startswith("the fault itself fails: ValueError")


def test_what_the_other_solver_leaves_open_is_unknown(monkeypatch):
    monkeypatch.setattr(checks, "second_opinion", lambda found: SecondOpinion("cvc5", 0, ("cvc5: unknown",), 0.0))
    assert CODE["code.coordinates"].decide().verdict is Verdict.UNKNOWN
    monkeypatch.setenv("VERITILE_SOLVERS", "z3")
    outcome = CODE["code.coordinates"].decide()
    assert outcome.verdict is Verdict.PROVED and [e.solver for e in outcome.evidence] == ["z3"]


def test_contradictions_stand_alone():
    found = CODE["code.coordinates"].contradictions()
    assert found and {ask("z3", one.text).answer for one in found} == {"unsat"}
