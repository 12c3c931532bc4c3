"""Which Coq theorem (``proofs/coq/``) stands behind a theorem of this library, while a build of these sources is there.

``make coq`` leaves ``build/coq/record``: the SHA-256 of each source and of each compiled file, Coq's version, and the
theorems that were found without an assumption. Nothing here runs Coq.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
SOURCES = _ROOT / "proofs" / "coq"
BUILD = _ROOT / "build" / "coq"

# Theorem of proofs/theorems -> the Coq theorem on the same matter. Where the Coq statement does not give all that the
# other says, DIFFERENCES tells so, and the evidence repeats it.
THEOREMS = {
    "carry.law": "Division.carry_law",
    "coalesce.complete": "Coalesce.coalesce_complete",
    "coalesce.merge": "Coalesce.merge",
    "coalesce.trailing-one": "Modes.trailing_one",
    "coalesce.unique": "Coalesce.canonical_unique",
    "coalesce.values": "Coalesce.coalesce_correct",
    "complement.bijection": "Complement.complement_sound",
    "complement.disjoint": "Complement.extended_complement_sound",
    "complement.necessary": "Complement.complement_iff",
    "complement.ordered": "Complement.extended_complement_sound",
    "complement.unique": "Complement.tiling_set",
    "completeness.pointwise": "Completeness.completeness",
    "composition.associative": "Compose.compose_associative",
    "composition.divisibility": "Division.divisibility",
    "composition.exists-iff": "Compose.compose_exists_iff",
    "composition.run-complete": "Coalesce.run_complete",
    "composition.truncation": "Modes.truncation",
    "composition.unique": "Compose.compose_unique",
    "divide.rearranges": "Divide.divide_sound",
    "divide.tile": "Divide.divide_sound",
    "floor-form": "Division.floor_form",
    "inverse.left": "Inverse.left_inverse_sound",
    "inverse.right": "Inverse.right_inverse_sound",
    "swizzle.block": "Swizzle.swizzle_block",
    "swizzle.clears": "Swizzle.swizzle_clears",
    "swizzle.injective": "Swizzle.swizzle_injective",
    "swizzle.involution": "Swizzle.swizzle_involution",
    "swizzle.no-involution": "Swizzle.swizzle_no_involution",
}

DIFFERENCES = {
    "complement.bijection": "as a permutation of 0 … M-1; modes in any order, those of size 1 left out",
    "complement.disjoint": "modes in any order, those of size 1 left out",
    "complement.ordered": "for the whole complement, p = 1",
    "composition.run-complete": "in bounds",
    "divide.rearranges": "as multisets, where |B|·|B*| = |A|",
    "inverse.left": "wherever the closed form answers; modes in any order",
    "inverse.right": "wherever the closed form answers; modes in any order, indices in bounds",
    "swizzle.no-involution": "that an integer shows it, not which bits",
}


@dataclass(frozen=True)
class CoqEvidence:
    """A theorem that Coq's kernel accepted: its name, Coq's version, a digest over all sources of that build.

    ``difference`` says how its statement differs from the theorem that was asked for; empty where it implies that.

    >>> str(CoqEvidence("Compose.compose_iff", "8.16.1", "0f" * 32))
    'coq 8.16.1: Compose.compose_iff (sources 0f0f0f0f0f0f)'
    """

    theorem: str
    version: str
    digest: str
    difference: str = ""

    def __str__(self) -> str:
        differs = f"; {self.difference}" if self.difference else ""
        return f"coq {self.version}: {self.theorem} (sources {self.digest[:12]}{differs})"


def coq_evidence(name: str, sources: Path = SOURCES, build: Path = BUILD) -> CoqEvidence | None:
    """The Coq theorem behind the theorem ``name`` (with or without ``theorem.`` in front).

    None where there is none, where nothing was built, and where a source or a compiled file is not the one that was
    checked: one that changed, one more, one less.

    >>> coq_evidence("no.such-theorem") is None
    True
    """
    name = name.removeprefix("theorem.")
    theorem = THEOREMS.get(name)
    if theorem is None:
        return None
    try:
        rows = [line.split("  ", 1) for line in (build / "record").read_text(encoding="utf-8").splitlines()]
        fields: dict[str, list[str]] = {}
        digests: dict[str, str] = {}
        for key, value in rows:
            if len(key) == 64:
                digests[value] = key
            else:
                fields.setdefault(key, []).append(value)
        names = {path.name for path in sources.glob("*.v")}
        if {file for file in digests if file.endswith(".v")} != names or theorem not in fields["theorem"]:
            return None
        for file, digest in digests.items():
            folder = sources if file.endswith(".v") else build
            if sha256((folder / file).read_bytes()).hexdigest() != digest:
                return None
        together = sha256("\n".join(digests[file] for file in sorted(names)).encode()).hexdigest()
        return CoqEvidence(theorem, fields["coq"][0], together, DIFFERENCES.get(name, ""))
    except (OSError, UnicodeDecodeError, ValueError, KeyError):
        return None
