"""Bundles: certificates in one file, made where solvers are, run where only NumPy, CuTe DSL and a driver are.

A bundle is JSON: certificates of plans, and for each the row of the validation that it is of, where it is one. Nothing
in it is believed: the gate decides every obligation of every certificate anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model.errors import InputError
from ..proofs.certificate import CertificateRefused
from ..proofs.plan import read_plan
from ..proofs.plan_certificate import PlanRefused, certify_plan
from .plans import certified
from .registry import kernel_modules, load
from .rows import Row, rows

FORMAT = "veritile-bundle/1"
BY_ARCHITECTURE = (
    "plan.features",
    "plan.cluster",
    "shared_memory.capacity",
    "vector.supported",
)
"""Rules whose limit is the architecture's: a plan that one of them refutes is for another architecture."""


@dataclass(frozen=True)
class Entry:
    """A certificate, and the row that it is of: its title, type, and whether it asks for infinities and NaN."""

    certificate: dict[str, Any]
    title: str
    dtype: str = ""
    special: bool = False

    @property
    def architecture(self) -> str:
        """What its plan is for."""
        return str(self.certificate["plan"]["arch"])


def certificate_of(row: Row, architecture: str) -> dict[str, Any]:
    """The certificate of a row's plan on an architecture; PlanRefused where an obligation does not hold.

    >>> certificate_of(rows(["copy/1D/f32"])[0], "sm_80")["plan"]["name"]
    'copy'
    """
    return certify_plan(certified(row.module, row.make(), architecture))


def is_elsewhere(refused: PlanRefused) -> bool:
    """Whether a plan is refused for the limits of its architecture alone."""
    return refused.owed.obligation.name in BY_ARCHITECTURE


def entries_of(parts: Iterable[str], architectures: Iterable[str] = ()) -> list[Entry]:
    """Entries for plans (files that end in .toml), kernels' files (.py: all their rows) and patterns of rows.

    A row is certified for every architecture that its kernel is for and its plan allows. PlanRefused for a plan that
    does not hold on any, InputError for a part that names nothing.
    """
    made: list[Entry] = []
    wanted = tuple(architectures)
    for part in parts:
        if part.lower().endswith(".toml"):
            certificate = certify_plan(read_plan(part))
            made.append(Entry(certificate, f"{certificate['plan']['name']}/{Path(part).name}/plan"))
            continue
        found = list(load(part).rows()) if part.endswith(".py") else rows([part])
        if not found:
            raise InputError(f"{part} is no plan, no kernel's file, and names no row: {', '.join(kernel_modules())}")
        for row in found:
            made += _entries(row, wanted)
    return made


def _entries(row: Row, wanted: tuple[str, ...]) -> list[Entry]:
    made, elsewhere = [], None
    for architecture in row.module.ARCHITECTURES:
        if wanted and architecture not in wanted:
            continue
        try:
            certificate = certificate_of(row, architecture)
        except PlanRefused as refused:
            if not is_elsewhere(refused):
                raise
            elsewhere = refused
            continue
        made.append(Entry(certificate, row.title, row.dtype, row.special))
    if not made and elsewhere is not None:
        raise elsewhere
    return made


def bundle_of(entries: Iterable[Entry]) -> dict[str, Any]:
    """A bundle as plain data."""
    told = [
        {"title": one.title, "dtype": one.dtype, "special": one.special, "certificate": one.certificate}
        for one in entries
    ]
    return {"format": FORMAT, "entries": told}


def read_bundle(path: str) -> list[Entry]:
    """The entries of a bundle; InputError where the file is none. Certificates are checked by the gate, not here."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no bundle: it is no JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("entries"), list):
        found = data.get("format") if isinstance(data, dict) else type(data).__name__
        raise InputError(f"{path} is no bundle: its format is {found}, not {FORMAT}")
    made = []
    for number, entry in enumerate(data["entries"]):
        certificate = entry.get("certificate") if isinstance(entry, dict) else None
        if not isinstance(certificate, dict) or not isinstance(entry.get("title"), str):
            raise InputError(f"{path}: entry {number} has no title or no certificate")
        if not isinstance(certificate.get("plan"), dict) or not isinstance(certificate["plan"].get("arch"), str):
            raise InputError(f"{path}: the certificate of {entry['title']} has no plan")
        made.append(Entry(certificate, entry["title"], str(entry.get("dtype", "")), entry.get("special") is True))
    return made


__all__ = ["FORMAT", "CertificateRefused", "Entry", "bundle_of", "certificate_of", "entries_of", "read_bundle"]
