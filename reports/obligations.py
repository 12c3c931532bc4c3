"""Obligations as one reply: the verdict on all, each rule on a line, the first that fails with its witness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..proofs.contracts.obligation import Obligation, verdict_of
from ..proofs.verdict import Verdict
from .reply import Reply


def obligation_dict(obligation: Obligation) -> dict[str, Any]:
    """One obligation as plain data, for ``--json``.

    >>> from ..proofs.contracts.copy_gemm import decide_copy
    >>> from ..model.layout import Layout
    >>> sorted(obligation_dict(decide_copy(Layout(7), Layout(7, 0))[1]))
    ['details', 'evidence', 'name', 'reason', 'rule', 'source', 'verdict', 'witness']
    """
    return {
        "name": obligation.name,
        "rule": obligation.rule,
        "source": obligation.source,
        "verdict": obligation.verdict.value,
        "reason": obligation.reason,
        "witness": None if obligation.witness is None else obligation.witness.as_dict(),
        "evidence": list(obligation.evidence),
        "details": obligation.details,
    }


def obligation_lines(obligations: Iterable[Obligation]) -> tuple[str, ...]:
    """A line a rule: its verdict, its name, and what was found.

    >>> from ..proofs.contracts.copy_gemm import decide_copy
    >>> from ..model.layout import Layout
    >>> print("\\n".join(obligation_lines(decide_copy(Layout(7), Layout(7, 0)))))
      proved   copy.sizes   both have 7 elements
      refuted  copy.writes  indices 0 and 1 are both written to 0, from 0 and 1
    """
    told = list(obligations)
    pad = max((len(o.name) for o in told), default=0)
    return tuple(f"  {o.verdict.value:<8} {o.name:<{pad}}  {o.reason}" for o in told)


def obligation_reply(obligations: Sequence[Obligation], **more: Any) -> Reply:
    """The reply to a question that several rules answer; ``more`` are fields of the reply.

    The verdict is the worst; reason and witness are those of the first rule that has it.
    """
    verdict = verdict_of(obligations)
    worst = next((o for o in obligations if o.verdict is verdict and verdict is not Verdict.PROVED), None)
    how = tuple(dict.fromkeys(kind for o in obligations for kind in o.evidence))
    reply = Reply(
        verdict.value,
        reason=None if worst is None else f"{worst.name}: {worst.reason}",
        witness=None if worst is None else worst.witness,
        evidence=how if verdict is Verdict.PROVED else (),
        details={"obligations": [obligation_dict(o) for o in obligations]},
        lines=obligation_lines(obligations),
    )
    details = {**reply.details, **more.pop("details", {})}
    return replace(reply, details=details, **more)
