"""What people read of a run over claims: a line a claim, findings with their repair, the summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..proofs.claim import Claim
from ..proofs.runner import ClaimResult, Run
from .terminal import Paint, count, plain_paint, printable

NAME_WIDTH = 44
INDENT = " " * 11


def word_of(result: ClaimResult) -> str:
    """The verdict as it is shown: ``finding`` for a refutation that is expected, ``UNEXPECTED`` for a surprise."""
    if result.verdict.value == "unknown" and not result.is_defect:
        return "unknown"
    if not result.as_expected:
        return "UNEXPECTED"
    return "finding" if result.finding else result.verdict.value


def claim_lines(result: ClaimResult, paint: Paint = plain_paint, verbose: bool = False) -> list[str]:
    """One line a claim; below it what is not as plain as that: a finding, a surprise, a reason."""
    word = word_of(result)
    style = {"finding": "finding", "UNEXPECTED": "refuted"}.get(word, word)
    kinds = " and ".join(dict.fromkeys(one.kind.value for one in result.evidence)) or "no evidence"
    by = dict.fromkeys(f"{e.solver} {(e.time_ms or 0) / 1000:.2f} s" for e in result.evidence if e.solver and e.time_ms)
    if by:
        kinds += f" by {', '.join(by)}"
    told = f"{result.name:<{NAME_WIDTH}} {kinds}; {result.scope}; {result.source}"
    lines = [f"{paint(style, f'{word:<10}')} {printable(told)}"]
    below = _below(result, word, verbose)
    return [*lines, *(INDENT + printable(line) for line in below)]


def _below(result: ClaimResult, word: str, verbose: bool) -> Iterable[str]:
    if verbose or word != "proved":
        yield f"claim: {result.statement}"
    rules = dict.fromkeys(one.detail for one in result.evidence if one.solver and "rules" in one.detail)
    if not verbose and word == "proved":
        yield from rules
    if verbose:
        for one in result.evidence:
            yield f"evidence: {one}"
        if result.hypotheses:
            yield f"not vacuous: {result.hypotheses}"
        yield f"mutant {result.mutant.get('verdict', 'not decided')}: {result.mutant.get('statement', '')}"
    if word == "UNEXPECTED":
        yield f"{result.verdict.value}, but {result.expected.value} was expected"
    if result.reason:
        yield f"reason: {result.reason}"
    if result.witness is not None and (verbose or word != "proved"):
        yield f"witness: {values_text(result.witness)}"
    if result.finding:
        yield f"finding: {result.finding['what']}"
        yield f"repaired: {result.finding['repaired']}"


def values_text(values: dict[str, Any]) -> str:
    """Named values on one line.

    >>> values_text({"coordinate": [2, 1], "expected": 8, "got": 7})
    'coordinate (2,1), expected 8, got 7'
    """
    return ", ".join(f"{name} {_value_text(value)}" for name, value in values.items())


def _value_text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"({','.join(map(_value_text, value))})"
    if isinstance(value, dict):
        return f"[{values_text(value)}]"
    return str(value)


def summary_lines(run: Run, paint: Paint = plain_paint) -> list[str]:
    """The counts, last of all."""
    told = run.summary
    parts = [
        count(told["claims"], "claim"),
        paint("proved", f"{told['proved']} proved"),
        paint("finding", count(told["findings"], "finding")),
    ]
    if told["unexpected"]:
        parts.append(paint("refuted", f"{told['unexpected']} unexpected"))
    if told["unknown"]:
        parts.append(paint("unknown", f"{told['unknown']} unknown"))
    parts.append(f"{told['mutants_refuted']} of {count(told['mutants'], 'mutant')} refuted")
    return ["", f"{parts[0]}: {', '.join(parts[1:])}; {told['time_ms'] / 1000:.1f} s"]


def listing_lines(claims: Sequence[Claim]) -> list[str]:
    """The names and statements of claims, a line each."""
    pad = max((len(claim.name) for claim in claims), default=0)
    return [printable(f"{claim.name:<{pad}}  {claim.source}: {claim.statement}") for claim in claims]
