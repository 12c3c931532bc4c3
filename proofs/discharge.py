"""From a theorem to a verdict: its obligations, and those of all it rests on, decided and kept in the store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from ..model.errors import InputError
from ..smt.process import run_limited
from ..smt.smtlib import Obligation, digest, export
from ..smt.solvers import (
    MEMORY_MB,
    SECONDS,
    Decision,
    Disagreement,
    MissingSolver,
    agreed,
    ask,
    ask_here,
    version_of,
)
from ..smt.store import Store
from .claim import Claim, Outcome, proved, refuted, unknown
from .claim import Mutant as ClaimMutant
from .coq_link import coq_evidence
from .language import THEOREMS, Theorem, sample
from .rules import Ledger, ProofError, run
from .verdict import ALL, Evidence, EvidenceKind, Verdict

SOLVERS = ("z3", "cvc5")
MUTANT_SAMPLES = 4000
BATCH = 16  # obligations that go to one process


@dataclass(frozen=True)
class TheoremResult:
    """What became of one theorem.

    ``verdict`` is proved only where every obligation of it and of every theorem in ``rests_on`` is unsatisfiable for
    every solver in ``solvers``. ``seconds`` is what its own obligations took when they were decided.
    """

    name: str
    verdict: Verdict
    reason: str
    obligations: int
    rules: tuple[str, ...]
    rests_on: tuple[str, ...]
    solvers: tuple[tuple[str, str, float], ...]  # name, version, seconds


def solvers_in_use() -> tuple[str, ...]:
    """The solvers that every obligation goes to: $VERITILE_SOLVERS (``z3,cvc5``), else those that are installed."""
    given = os.environ.get("VERITILE_SOLVERS")
    if given:
        names = tuple(name.strip() for name in given.split(",") if name.strip())
        for name in names:
            if name not in SOLVERS:
                raise InputError(f"there is no solver {name}: z3 and cvc5 are known")
            version_of(name)
        return names
    return tuple(name for name in SOLVERS if _is_installed(name))


def use_solvers(choice: str) -> None:
    """Sets who decides obligations from here on, in this process and those it starts: z3, cvc5, or both.

    InputError for one that is not installed.
    """
    names = SOLVERS if choice == "both" else (choice,)
    for name in names:
        if not _is_installed(name):
            raise InputError(f"the solver {name} is not installed: pip install veritile[cross] brings cvc5")
    os.environ["VERITILE_SOLVERS"] = ",".join(names)


def _is_installed(name: str) -> bool:
    try:
        version_of(name)
    except MissingSolver:
        return False
    return True


def theorems() -> dict[str, Theorem]:
    """Every theorem by name, each after those it rests on."""
    from . import theorems  # noqa: F401 — registers them

    return dict(THEOREMS)


@cache
def ledger_of(name: str) -> Ledger:
    """The proof of a theorem, run through its rules."""
    return run(theorems()[name])


@cache
def rests_on(name: str) -> tuple[str, ...]:
    """Every theorem that a proof uses, directly or not, in order."""
    found: dict[str, None] = {}
    for used in ledger_of(name).uses:
        found |= dict.fromkeys((*rests_on(used), used))
    return tuple(n for n in theorems() if n in found)


@cache
def source_digest() -> str:
    """A digest of the rules, the definitions and all proofs: what a kept verdict on a theorem is valid for."""
    here = Path(__file__).parent
    files = [
        *(here / n for n in ("language.py", "rules.py", "discharge.py")),
        *sorted((here / "theorems").glob("*.py")),
    ]
    files += [here.parent / "smt" / n for n in ("terms.py", "smtlib.py", "solvers.py", "process.py")]
    return digest("\n".join(digest(f.read_text(encoding="utf-8")) for f in files))


def decide_text(text: str, solvers: Sequence[str], store_path: str | None, seconds: float = SECONDS) -> list[Decision]:
    """One obligation's text through every solver; each decision is kept as soon as it is made. Picklable."""
    store = Store(Path(store_path)) if store_path else None
    decisions = []
    for solver in solvers:
        decision = store.get(text, solver, version_of(solver)) if store is not None else None
        if decision is None:
            decision = ask(solver, text, seconds)
            if store is not None:
                store.put(text, decision)
        decisions.append(decision)
    agreed(decisions)
    return decisions


def decide_texts(
    texts: Sequence[str], solvers: Sequence[str], store_path: str, seconds: float = SECONDS
) -> list[list[Decision]]:
    """Several obligations, a process for each solver instead of for each text.

    What that process decides it keeps at once; what it did not come to (it died, or ran out of time) is asked alone.
    """
    for solver in solvers:
        run_limited(_decide_batch, solver, texts, store_path, seconds, seconds=seconds + 2, memory_mb=MEMORY_MB)
    return [decide_text(text, solvers, store_path, seconds) for text in texts]


def _decide_batch(solver: str, texts: Sequence[str], store_path: str, seconds: float) -> None:
    store = Store(Path(store_path))
    for text in texts:
        if store.get(text, solver, version_of(solver)) is None:
            decision = ask_here(solver, text, seconds)
            if decision.answer in ("sat", "unsat"):
                store.put(text, decision)


def decide_theorems(
    names: Iterable[str] | None = None,
    *,
    solvers: Sequence[str] | None = None,
    store: Store | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    seconds: float = SECONDS,
    on_result: Callable[[TheoremResult], None] | None = None,
) -> dict[str, TheoremResult]:
    """Verdicts on theorems and on all that they rest on, in order.

    ``executor`` is anything with the interface of ``concurrent.futures``; without one, ``jobs`` processes are used
    (none but the solvers' own for one job). Raises Disagreement when two solvers contradict each other.
    """
    solvers = tuple(solvers or solvers_in_use())
    store = Store() if store is None else store
    known = theorems()
    asked = list(known) if names is None else list(names)
    for name in asked:
        if name not in known:
            raise InputError(f"no theorem is named {name}")
    kept = _kept(store, solvers)
    needed = {n for name in asked for n in (*(kept[name].rests_on if name in kept else rests_on(name)), name)}
    order = [n for n in known if n in needed]
    results = {name: kept[name] for name in order if name in kept}
    left = [name for name in order if name not in kept]
    decided = _decide_obligations(left, solvers, store, jobs, executor, seconds)
    for name in order:
        if name not in results:
            results[name] = _conclude(name, solvers, decided, results)
            _keep(store, results[name], solvers)
        if on_result is not None:
            on_result(results[name])
    return {name: results[name] for name in order}


def _decide_obligations(
    names: Sequence[str],
    solvers: Sequence[str],
    store: Store,
    jobs: int,
    executor: Executor | None,
    seconds: float,
) -> dict[str, list[Decision]]:
    """The decisions on every obligation of these theorems, by digest: from the store, else from the solvers."""
    texts = {o.key: o.text for name in names for o in ledger_of(name).obligations}
    if not texts:
        return {}
    found = [store.get_many(texts, solver, version_of(solver)) for solver in solvers]
    decided = {key: [f[key] for f in found] for key in texts if all(key in f for f in found)}
    for key, decisions in decided.items():
        agreed(decisions, key)
    open_ = [key for key in texts if key not in decided]
    path = str(store.path)
    if executor is None and jobs <= 1:
        for key in open_:
            decided[key] = decide_text(texts[key], solvers, path, seconds)
        return decided
    batches = [open_[i : i + BATCH] for i in range(0, len(open_), BATCH)]
    pool = executor or ProcessPoolExecutor(jobs)
    try:
        futures = {
            pool.submit(decide_texts, [texts[key] for key in batch], tuple(solvers), path, seconds): batch
            for batch in batches
        }
        for future in as_completed(futures):
            decided.update(zip(futures[future], future.result(), strict=True))
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)
    return decided


def _conclude(
    name: str, solvers: Sequence[str], decided: dict[str, list[Decision]], results: dict[str, TheoremResult]
) -> TheoremResult:
    ledger = ledger_of(name)
    reason = ""
    spent = dict.fromkeys(solvers, 0.0)
    for obligation in ledger.obligations:
        decisions = decided[obligation.key]
        for decision in decisions:
            spent[decision.solver] += decision.seconds
        answer = agreed(decisions, obligation.name)
        if answer != "unsat" and not reason:
            told = ", ".join(f"{d.solver}: {d.answer} {d.reason}".strip() for d in decisions)
            reason = f"an obligation is not proved ({told}): {obligation.name}"
    for used in rests_on(name):
        if results[used].verdict is not Verdict.PROVED and not reason:
            reason = f"it rests on {used}, which is not proved"
    return TheoremResult(
        name,
        Verdict.UNKNOWN if reason else Verdict.PROVED,
        reason,
        len(ledger.obligations),
        tuple(ledger.rules),
        rests_on(name),
        tuple((solver, version_of(solver), round(spent[solver], 3)) for solver in solvers),
    )


# A verdict on a theorem is kept beside its obligations, for the exact sources and versions that it was reached with.


def _verdict_text(name: str) -> str:
    return f"theorem {name} of {source_digest()}"


def _names(solvers: Sequence[str]) -> tuple[str, str]:
    return "+".join(solvers), "+".join(version_of(s) for s in solvers)


def _keep(store: Store, result: TheoremResult, solvers: Sequence[str]) -> None:
    if result.verdict is Verdict.PROVED:
        told = [result.obligations, result.rules, result.rests_on, result.solvers]
        names, versions = _names(solvers)
        spent = sum(s for _, _, s in result.solvers)
        store.put(_verdict_text(result.name), Decision(names, versions, "unsat", spent, model=json.dumps(told)))


def _kept(store: Store, solvers: Sequence[str]) -> dict[str, TheoremResult]:
    by_key = {digest(_verdict_text(name)): name for name in theorems()}
    results = {}
    for key, decision in store.get_many(by_key, *_names(solvers)).items():
        obligations, rules, rests, spent = json.loads(decision.model)
        told = tuple((s, v, t) for s, v, t in spent)
        results[by_key[key]] = TheoremResult(
            by_key[key], Verdict.PROVED, "", obligations, tuple(rules), tuple(rests), told
        )
    return results


# What is printed, exported, and shown among the claims.


def explain(name: str) -> str:
    """A theorem with its proof, step by step, as text.

    >>> print(explain("euclid.small").splitlines()[0])
    euclid.small: For 0 ≤ x < b: ⌊x/b⌋ = 0 and x mod b = x.
    """
    found = theorems().get(name)
    if found is None:
        raise InputError(f"no theorem is named {name}")
    ledger = ledger_of(name)
    given = ", ".join(str(g) if not callable(g) else g.name for g in found.given)
    lines = [f"{name}: {found.statement}", f"  source: {found.source}", f"  for all {given}"]
    if found.latex:
        lines.append(f"  in LaTeX: {found.latex}")
    lines += [f"  given {h}" for h in found.hypotheses]
    lines += [f"  then {found.conclusion}", "Proof."]
    lines += [f"  {step}" for step in ledger.steps]
    count = len(ledger.obligations)
    lines.append(f"{count} obligation{'s' * (count != 1)}; rules: {', '.join(ledger.rules)}.")
    if ledger.uses:
        lines.append(f"Uses {', '.join(ledger.uses)}.")
    return "\n".join(lines)


def obligations_of(names: Iterable[str] | None = None) -> list[Obligation]:
    """The obligations of theorems and of all that they rest on."""
    known = theorems()
    asked = list(known) if names is None else list(names)
    needed = {n for name in asked for n in (*rests_on(name), name)}
    return [o for name in known if name in needed for o in ledger_of(name).obligations]


def export_obligations(folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Writes every obligation as a file of SMT-LIB 2 that z3 and cvc5 replay: each must answer ``unsat``."""
    return export(obligations_of(names), folder)


def claims() -> tuple[Claim, ...]:
    """The theorems as claims of the library, scope ``all``."""
    return tuple(_claim(one) for one in theorems().values())


def _claim(theorem: Theorem) -> Claim:
    name = theorem.name
    return Claim(
        name=f"theorem.{name}",
        source=theorem.source,
        statement=theorem.statement.rstrip("."),
        decide=partial(_decide_claim, name),
        mutant=ClaimMutant("; ".join(m.change for m in theorem.mutants), partial(_decide_mutants_of, name)),
        hypotheses=partial(_exhibit_of, name),
        scope=ALL,
        together=decide_claims,
    )


def decide_claims(names: list[str], jobs: int, executor: Executor | None) -> None:
    """Decides the theorems of these claims and keeps the verdicts; what goes wrong is told by the claims themselves."""
    try:
        decide_theorems([name.removeprefix("theorem.") for name in names], jobs=jobs, executor=executor)
    except (Disagreement, ProofError):
        return


def _decide_mutants_of(name: str) -> Outcome:
    return decide_mutants(theorems()[name])


def _exhibit_of(name: str) -> str | None:
    return exhibit(theorems()[name])


def _decide_claim(name: str) -> Outcome:
    try:
        result = decide_theorems([name])[name]
    except Disagreement as error:
        return refuted({"kind": "disagreement", "what": str(error)})
    except ProofError as error:
        return unknown(f"its proof does not follow the rules: {error}")
    if result.verdict is not Verdict.PROVED:
        return unknown(result.reason)
    rules = set(result.rules)
    kind = EvidenceKind.INDUCTION if rules & {"induction", "descent"} else EvidenceKind.SMT
    detail = f"{result.obligations} obligations; rules {', '.join(result.rules)}"
    if result.rests_on:
        detail += f"; rests on {', '.join(result.rests_on)}"
    evidence = [
        Evidence(kind, detail, solver=solver, version=version, time_ms=1000 * seconds)
        for solver, version, seconds in result.solvers
    ]
    if "algebra" in rules:
        evidence.append(Evidence(EvidenceKind.ALGEBRA, "identities of polynomials, expanded by sympy"))
    checked = coq_evidence(name)
    if checked is not None:
        told = f"{checked.theorem}, sources {checked.digest[:12]}"
        told += f"; {checked.difference}" if checked.difference else ""
        evidence.append(Evidence(EvidenceKind.KERNEL, told, solver="coq", version=checked.version))
    return proved(*evidence)


def exhibit(theorem: Theorem) -> str | None:
    """An instance that satisfies the hypotheses, as text; None where none was found (the theorem could be vacuous)."""
    from random import Random

    from .language import statement_of

    statement = statement_of(theorem)
    rng = Random(theorem.name)
    for _ in range(MUTANT_SAMPLES):
        instance = theorem.instance(rng)
        if statement.assumed(instance):
            return _shown(instance)
    return None


def _shown(instance: dict[str, Any]) -> str:
    return ", ".join(f"{k} = {[v(i) for i in range(8)] if callable(v) else v}" for k, v in instance.items())


def decide_mutants(theorem: Theorem, store: Store | None = None) -> Outcome:
    """Refuted when each mutant of a theorem has a counterexample, found by evaluation; those found are kept."""
    store = Store() if store is None else store
    text = f"mutants of {_verdict_text(theorem.name)}"
    kept = store.get(text, "evaluation", "1")
    if kept is None:
        found = {}
        for mutant in theorem.mutants:
            instance = sample(theorem, MUTANT_SAMPLES, mutant=mutant, tries=20).counterexample
            if instance is None:
                return unknown(f"no counterexample to the mutant was found: {mutant.change}")
            found[mutant.change] = _shown(instance)
        kept = Decision("evaluation", "1", "sat", 0.0, model=json.dumps(found))
        store.put(text, kept)
    witnesses = json.loads(kept.model)
    evidence = Evidence(EvidenceKind.ENUMERATION, "mutants, each with a counterexample", cases=len(witnesses))
    return refuted({"kind": "mutants", **witnesses}, evidence)


def spent(results: Iterable[TheoremResult]) -> float:
    """Seconds that the solvers took for these theorems when they decided them."""
    return sum(seconds for result in results for _, _, seconds in result.solvers)


__all__ = ["TheoremResult", "claims", "decide_mutants", "decide_text", "decide_theorems", "exhibit", "explain"]
__all__ += ["export_obligations", "ledger_of", "obligations_of", "rests_on", "solvers_in_use", "spent", "theorems"]
