"""Outcomes that are kept: exploring all paths of the same code again, with the same prover, would find the same.

An outcome belongs to the digest of every source it rests on (``model/``, the symbolic engine, the checks) and to the
versions of z3 and Python. Changing one character of any of them decides everything again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ...smt.prover import VERSION
from ...smt.solvers import Decision, version_of
from ...smt.store import Store
from ..claim import Outcome, Row, plain
from ..discharge import solvers_in_use
from ..verdict import Evidence, EvidenceKind, Verdict

ROOMS = Path(__file__).resolve().parents[2]
KEPT = {Verdict.PROVED: "unsat", Verdict.REFUTED: "sat"}


@cache
def sources_digest() -> str:
    """The SHA-256 over the sources that an outcome rests on."""
    total = hashlib.sha256(f"{sys.version_info[:2]} z3 {VERSION}".encode())
    smt = [ROOMS / "smt" / f"{name}.py" for name in ("polynomial", "prover", "symbolic")]
    for path in [*sorted((ROOMS / "model").glob("*.py")), *smt, *sorted((ROOMS / "proofs" / "code").glob("*.py"))]:
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def text_of(name: str) -> str:
    """What an outcome is kept under: its name, the sources and who decides."""
    names = " ".join(f"{solver} {version_of(solver)}" for solver in solvers_in_use())
    return f"; every path of {name}\n; {sources_digest()}\n; {names}\n"


def kept(name: str, decide: Callable[[], Outcome], store: Store | None = None) -> Outcome:
    """The outcome that was kept under ``name`` for these very sources, else the one that ``decide`` finds, now kept.

    What is unknown is not kept.
    """
    store = store or Store()
    text = text_of(name)
    found = store.get(text, "z3", VERSION)
    if found is not None:
        return _read(found)
    outcome = decide()
    if outcome.verdict in KEPT:
        seconds = sum((e.time_ms or 0.0) for e in outcome.evidence) / 1000
        store.put(text, Decision("z3", VERSION, KEPT[outcome.verdict], seconds, model=_written(outcome)))
    return outcome


def _written(outcome: Outcome) -> str:
    data = {
        "witness": plain(outcome.witness),
        "reason": outcome.reason,
        "evidence": [one.as_dict() for one in outcome.evidence],
        "rows": [(row.name, row.verdict.value, plain(row.witness)) for row in outcome.rows],
    }
    return json.dumps(data)


def _read(found: Decision) -> Outcome:
    data: dict[str, Any] = json.loads(found.model)
    verdict = {answer: verdict for verdict, answer in KEPT.items()}[found.answer]
    evidence = tuple(Evidence(**{**one, "kind": EvidenceKind(one["kind"])}) for one in data["evidence"])
    evidence = tuple(replace(one, detail=f"{one.detail}, kept for these sources") for one in evidence)
    rows = tuple(Row(name, Verdict(value), witness) for name, value, witness in data["rows"])
    return Outcome(verdict, evidence, data["witness"], data["reason"], rows)
