"""A rule before it is decided: its name, its sentence and its source, from which obligations are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...model.errors import Undecided, Witness
from ..verdict import Verdict
from .obligation import Obligation

CLOSED_FORM = "closed-form"
ENUMERATION = "enumeration"


def counted(number: int, thing: str) -> str:
    """``1 pair``, ``3 pairs``.

    >>> counted(1, "pair"), counted(3, "pair")
    ('1 pair', '3 pairs')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


@dataclass(frozen=True)
class Rule:
    """What is owed; ``holds``, ``fails``, ``refuted`` and ``open`` make the obligation that says how it was decided.

    >>> rule = Rule("tma.rank", "a box has 1 to 5 modes", "CUDA driver API, cuTensorMapEncodeTiled")
    >>> rule.fails("6 modes", "rank", rank=6, limit=5).witness.as_dict()
    {'kind': 'rank', 'rank': 6, 'limit': 5}
    """

    name: str
    text: str
    source: str

    def holds(self, reason: str, evidence: str = CLOSED_FORM, **details: Any) -> Obligation:
        """The obligation, proved."""
        return Obligation(self.name, self.text, self.source, Verdict.PROVED, reason, None, (evidence,), details)

    def fails(self, reason: str, kind: str, evidence: str = CLOSED_FORM, **values: Any) -> Obligation:
        """The obligation, refuted by a witness of this kind."""
        witness = Witness(kind, values)
        return Obligation(self.name, self.text, self.source, Verdict.REFUTED, reason, witness, (evidence,))

    def open(self, reason: str, **details: Any) -> Obligation:
        """The obligation, not decided."""
        return Obligation(self.name, self.text, self.source, Verdict.UNKNOWN, reason, details=details)

    def refuted(self, reason: str, witness: Witness | None, evidence: str = CLOSED_FORM, **details: Any) -> Obligation:
        """The obligation, refuted by a witness that is there already, with figures beside it."""
        return Obligation(self.name, self.text, self.source, Verdict.REFUTED, reason, witness, (evidence,), details)

    def decide(self, question: Callable[[], Obligation]) -> Obligation:
        """What ``question`` finds; open where its budget is spent.

        >>> def question():
        ...     raise Undecided("too many points")
        >>> Rule("copy.sizes", "sizes are equal", "ours").decide(question).reason
        'too many points'
        """
        try:
            return question()
        except Undecided as undecided:
            return self.open(undecided.reason)
