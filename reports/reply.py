"""What one question found, as programs read it: the fields of ``--json``, one object a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..model.answer import Answer
from ..model.errors import Witness
from ..model.htuple import size
from ..model.semimodule import F2, CoordinateStride


@dataclass(frozen=True)
class Reply:
    """The answer to one question.

    ``verdict`` is ``proved``, ``refuted`` or ``unknown``; ``result`` a layout, an offset or None; ``scope`` what the
    verdict is about: these very operands, or every value of the names in them. ``conditions`` tells exactly where a
    question with names holds, when not everywhere. ``in_bounds``, ``exact``: None where they do not apply.
    ``details`` holds what an operation tells beyond the common fields, ``notes`` sentences that go with them, and
    ``lines`` what only people are shown.
    """

    verdict: str
    operation: str = ""
    operands: tuple[str, ...] = ()
    result: Any = None
    reason: str | None = None
    witness: Witness | None = None
    scope: str = "instance"
    evidence: tuple[str, ...] = ()
    in_bounds: bool | None = None
    exact: bool | None = None
    out_of_range: Any = 0
    notes: tuple[str, ...] = ()
    conditions: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    time_ms: float = 0.0

    @classmethod
    def of(cls, answer: Answer, **more: Any) -> Reply:
        """The reply that an established answer makes."""
        return cls(
            "proved",
            result=answer.result,
            evidence=answer.evidence,
            in_bounds=answer.in_bounds,
            exact=answer.exact,
            out_of_range=answer.out_of_range,
            notes=answer.notes,
            **more,
        )

    def as_dict(self, version: str) -> dict[str, Any]:
        """The object that ``--json`` prints; ``details`` is there only where an operation has any.

        >>> " ".join(Reply("proved", details={"offset": 8}).as_dict("0"))
        'operation operands verdict result size reason witness scope evidence conditions in_bounds exact out_of_range \
time_ms version details'
        """
        found = {
            "operation": self.operation,
            "operands": list(self.operands),
            "verdict": self.verdict,
            "result": None if self.result is None else str(self.result),
            "size": plain(size_of(self.result)),
            "reason": self.reason,
            "witness": None if self.witness is None else plain(self.witness),
            "scope": self.scope,
            "evidence": list(self.evidence),
            "conditions": self.conditions,
            "in_bounds": self.in_bounds,
            "exact": self.exact,
            "out_of_range": plain(self.out_of_range),
            "time_ms": round(self.time_ms, 3),
            "version": version,
        }
        details = {**self.details, **({"notes": self.notes} if self.notes else {})}
        return {**found, "details": plain(details)} if details else found


def plain(value: Any) -> Any:
    """JSON's own types: a coordinate of several modes is a list, an integral one an integer, a stride its notation.

    >>> from ..model.semimodule import E
    >>> plain({"coordinate": (2, (0, 1)), "got": E(0) + 2 * E(1)})
    {'coordinate': [2, [0, 1]], 'got': 'e0+2e1'}
    """
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Witness):
        return plain(value.as_dict())
    if isinstance(value, (CoordinateStride, F2)):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def size_of(result: Any) -> int | None:
    """The number of coordinates of a layout; None for what is no layout."""
    shape = getattr(result, "shape", None)
    return None if shape is None else size(shape)
