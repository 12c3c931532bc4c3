"""An obligation: one rule that a kernel owes, with its verdict, and a witness where it fails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ...model.errors import Witness
from ..verdict import Verdict


@dataclass(frozen=True)
class Obligation:
    """A rule, decided for the layouts at hand.

    ``name``        contract and rule, as in ``ownership.once``
    ``rule``        the rule as a sentence
    ``source``      the manual and section that state it, ``ours``, or ``measured`` where no manual does
    ``verdict``     proved, refuted, or unknown; never wider than ``evidence``
    ``reason``      what was found, as a sentence
    ``witness``     what shows it false: None unless refuted
    ``evidence``    how it was decided
    ``details``     figures that a reader or a later step wants, plain data
    """

    name: str
    rule: str
    source: str
    verdict: Verdict
    reason: str
    witness: Witness | None = None
    evidence: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


def verdict_of(obligations: Iterable[Obligation]) -> Verdict:
    """Refuted if any is, else unknown if any is, else proved; nothing decided is unknown.

    >>> verdict_of([])
    <Verdict.UNKNOWN: 'unknown'>
    """
    verdicts = [obligation.verdict for obligation in obligations]
    if Verdict.REFUTED in verdicts:
        return Verdict.REFUTED
    return Verdict.PROVED if verdicts and all(v is Verdict.PROVED for v in verdicts) else Verdict.UNKNOWN
