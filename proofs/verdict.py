"""The words for what was decided: verdict, scope, evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Verdict(Enum):
    """What is known of a claim, with a line of meaning each.

    >>> [f"{v.value}: {v.meaning}" for v in Verdict][2]
    'unknown: not decided within the limits; never counted or shown as proved'
    """

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"

    @property
    def meaning(self) -> str:
        """One line that says what the verdict means."""
        return _MEANINGS[self]


_MEANINGS = {
    Verdict.PROVED: "established for everything that the scope names",
    Verdict.REFUTED: "false: the witness shows it",
    Verdict.UNKNOWN: "not decided within the limits; never counted or shown as proved",
}


@dataclass(frozen=True)
class Scope:
    """What a verdict is about; ``kind`` is one of four words, and ``bound`` says the limits of the bounded one.

    ``all``       every rank, shape and stride
    ``rank<=k``   every shape and stride of at most this many modes
    ``bounded``   everything within the printed bound
    ``instance``  these very layouts

    >>> str(bounded("rank<=2, sizes to 4")), str(rank_at_most(3)), str(INSTANCE)
    ('bounded: rank<=2, sizes to 4', 'rank<=3', 'instance')
    """

    kind: str
    bound: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.bound}" if self.bound else self.kind


ALL = Scope("all")
INSTANCE = Scope("instance")


def bounded(bound: str) -> Scope:
    """Exhaustive within ``bound``, which is printed."""
    return Scope("bounded", bound)


def rank_at_most(k: int, note: str = "") -> Scope:
    """Every shape and stride of rank at most ``k``; ``note`` says what else is fixed."""
    return Scope(f"rank<={k}", note)


class EvidenceKind(Enum):
    """How a claim was decided, with a line of meaning each.

    >>> EvidenceKind.ENUMERATION.meaning
    'every case was evaluated'
    """

    INDUCTION = "induction"
    SMT = "smt"
    ALGEBRA = "algebra"
    CLOSED_FORM = "closed-form"
    ENUMERATION = "enumeration"
    KERNEL = "kernel"

    @property
    def meaning(self) -> str:
        """One line that says what the evidence is."""
        return _KINDS[self]


_KINDS = {
    EvidenceKind.INDUCTION: "base and step of an induction on the modes",
    EvidenceKind.SMT: "a solver found the negation unsatisfiable, or a model of it",
    EvidenceKind.ALGEBRA: "an identity of polynomials",
    EvidenceKind.CLOSED_FORM: "a criterion that is proved elsewhere was evaluated",
    EvidenceKind.ENUMERATION: "every case was evaluated",
    EvidenceKind.KERNEL: "Coq's kernel checked a proof, and its compiled file is the one that was checked",
}


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence.

    ``detail`` says what was done. ``cases`` counts what was evaluated, where that is countable. ``solver`` and
    ``version`` name who decided an obligation; ``time_ms`` is what it took.

    >>> str(Evidence(EvidenceKind.ENUMERATION, "points", cases=24))
    'enumeration (24 points)'
    """

    kind: EvidenceKind
    detail: str = ""
    cases: int | None = None
    solver: str | None = None
    version: str | None = None
    time_ms: float | None = None

    def __str__(self) -> str:
        told = [f"{self.cases} {self.detail or 'cases'}" if self.cases is not None else self.detail]
        if self.solver:
            told.append(f"{self.solver} {self.version or ''}".strip())
        text = "; ".join(part for part in told if part)
        return f"{self.kind.value} ({text})" if text else self.kind.value

    def as_dict(self) -> dict[str, Any]:
        """The evidence as plain data, without what does not apply."""
        parts = {
            "kind": self.kind.value,
            "detail": self.detail or None,
            "cases": self.cases,
            "solver": self.solver,
            "version": self.version,
            "time_ms": self.time_ms,
        }
        return {name: value for name, value in parts.items() if value is not None}
