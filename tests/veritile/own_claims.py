"""Claims of a user's own, as `veritile prove FILE.py` takes them: one of each fate."""

from veritile.proofs.claim import Claim, Finding, Mutant, Outcome, proved, refuted, unknown
from veritile.proofs.verdict import Evidence, EvidenceKind

POINTS = Evidence(EvidenceKind.ENUMERATION, "points", cases=24)


def holds() -> Outcome:
    return proved(POINTS)


def fails() -> Outcome:
    return refuted({"coordinate": (2, 1), "expected": 8, "got": 7}, POINTS)


def stays_open() -> Outcome:
    return unknown("nobody knows")


MUTANT = Mutant("with 8 for 7", fails)
GOOD = Claim("own.good", "ours", "it holds", holds, MUTANT, lambda: "4:1")
FOUND = Claim("own.found", "paper §9", "it fails", fails, MUTANT, lambda: "4:1", finding=Finding("a carry", "own.good"))
BAD = Claim("own.bad", "ours", "it fails\x1b[31m", fails, MUTANT, lambda: "4:1")
OPEN = Claim("own.open", "ours", "it is open", stays_open, MUTANT, lambda: "4:1")
WEAK = Claim("own.weak", "ours", "its mutant holds too", holds, Mutant("with 7 for 7", holds), lambda: "4:1")
CLAIMS = [GOOD, FOUND]
