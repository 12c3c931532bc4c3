"""What people read of a plan: a line a part, below it what does not hold, with its witness or its run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..proofs.plan import Owed, Plan
from ..proofs.verdict import Verdict
from .obligations import obligation_dict, obligation_reply
from .reply import Reply
from .terminal import count, witness_text

STEPS = 60  # of a run that are shown


def plan_reply(plan: Plan, owed: Sequence[Owed]) -> Reply:
    """The reply to ``check PLAN.toml``: the worst verdict, the first that has it, and every obligation.

    >>> from ..proofs.plan import parse_plan
    >>> text = '[[reduction]]\\nname = "sum"\\nlanes = 4\\noffsets = [1]'
    >>> plan = parse_plan('name = "x"\\narch = "sm_80"\\n' + text)
    >>> reply = plan_reply(plan, plan.owed())
    >>> reply.verdict, reply.reason
    ('refuted', 'reduction sum: reductions.group: lane 0 ends without lane 2')
    """
    obligations = [one.obligation for one in owed]
    reply = obligation_reply(obligations)
    subject = next((o.subject for o in owed if o.obligation.verdict.value == reply.verdict), "")
    reason = "a plan without a section owes nothing" if not owed else reply.reason and f"{subject}: {reply.reason}"
    return Reply(
        reply.verdict,
        reason=reason,
        witness=reply.witness,
        scope=plan.scope or "instance",
        evidence=_kinds(reply.evidence),
        details={
            "plan": plan.name,
            "digest": plan.digest,
            "obligations": [{"subject": o.subject, **obligation_dict(o.obligation)} for o in owed],
        },
        lines=tuple(plan_lines(owed)),
    )


def _kinds(evidence: Sequence[str]) -> tuple[str, ...]:
    """How it was decided, without the figures of each obligation; what rests on a theorem says on which."""
    return tuple(dict.fromkeys(e if e.startswith("induction") else e.split(" (")[0] for e in evidence))


def plan_lines(owed: Sequence[Owed]) -> Iterator[str]:
    """A line a part of the plan; below it every obligation that is not proved."""
    subjects = list(dict.fromkeys(one.subject for one in owed))
    pad = max((len(s) for s in subjects), default=0)
    for subject in subjects:
        mine = [one.obligation for one in owed if one.subject == subject]
        verdicts = [o.verdict for o in mine]
        worst = next((v for v in (Verdict.REFUTED, Verdict.UNKNOWN) if v in verdicts), Verdict.PROVED)
        yield f"  {worst.value:<8} {subject:<{pad}}  {count(len(mine), 'obligation')}"
        for obligation in mine:
            if obligation.verdict is Verdict.PROVED:
                continue
            yield f"           {obligation.verdict.value} {obligation.name}: {obligation.reason}"
            witness = obligation.witness
            if witness is None:
                continue
            if witness.kind != "trace":
                yield f"             {witness_text(witness)}"
                continue
            steps = witness.values["steps"]
            for number, step in enumerate(steps[:STEPS], 1):
                yield f"             {number:>3} {step}"
            if len(steps) > STEPS:
                yield f"             … {len(steps) - STEPS} more"
