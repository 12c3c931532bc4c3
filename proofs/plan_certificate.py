"""Certificates of plans: all that a plan owes, decided, with digests of what it was decided by.

A certificate is JSON: the plan's data, its digest, every obligation with its verdict, a digest of each contract that
has a say in them (its rules and its source) and of each theorem that they rest on, and one of the schema of plans. It
is made for a plan whose obligations are all proved. Checking it decides every obligation anew, by integer arithmetic
and without a solver, so that a forged certificate is of no use: what it says must be what is found. Versions of
Python, of a solver or of CUDA are no part of it.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any

from ..model.errors import InputError, Witness
from . import contracts, plan
from .certificate import CertificateRefused, digest_of, sealed, theorem_digest
from .contracts.rule import Rule
from .names import without_solver
from .plan import Owed, Plan, plan_of, plan_schema
from .verdict import Verdict

FORMAT = "veritile-plan-certificate/1"
PARTS = ("format", "schema", "plan", "digest", "contracts", "theorems", "obligations")


class PlanRefused(CertificateRefused):
    """A plan that does not hold, or is not known to: the obligation, the part that owes it, and the witness."""

    def __init__(self, owed: Owed):
        self.owed = owed
        one = owed.obligation
        shown = f" ({one.witness})" if one.witness else ""
        super().__init__(f"{owed.subject}: {one.name} is {one.verdict.value}: {one.reason}{shown}")

    @property
    def witness(self) -> Witness | None:
        """What shows the obligation false; None where it is unknown."""
        return self.owed.obligation.witness

    @property
    def verdict(self) -> Verdict:
        """Refuted or unknown."""
        return self.owed.obligation.verdict


def certify_plan(made: Plan) -> dict[str, Any]:
    """The certificate of a plan; PlanRefused at the first obligation that is refuted, else at one that is unknown.

    >>> from .plan import parse_plan
    >>> text = 'name = "scale"\\narch = "sm_80"\\n[[map]]\\nname = "rows"\\nlayout = "(32,4):(4,1)"\\ntile = [128]'
    >>> certificate = certify_plan(parse_plan(text))
    >>> certificate["contracts"].keys(), check_plan_certificate(certificate).name
    (dict_keys(['ownership']), 'scale')
    >>> certify_plan(parse_plan(text.replace("(4,1)", "(3,1)")))
    Traceback (most recent call last):
    ...
    veritile.proofs.plan_certificate.PlanRefused: map rows: ownership.once is refuted: 31 owned elements have several \
owners: (0,3) and (1,0), as (thread, value), both own 3 (coordinate (0,3), other (1,0), offset 3)
    """
    owed = discharged(_read(made.as_dict()))
    names = sorted({contract_of(one.obligation.name) for one in owed})
    return sealed(
        {
            "format": FORMAT,
            "schema": schema_digest(),
            "plan": made.as_dict(),
            "digest": made.digest,
            "contracts": {name: contract_digest(name) for name in names},
            "theorems": {name: theorem_digest(name) for name in _theorems(owed)},
            "obligations": [_told(one) for one in owed],
        }
    )


def discharged(made: Plan) -> list[Owed]:
    """Every obligation of a plan, all of them proved without a solver, for every value of its names.

    No clock has a say: counts of pieces and of values bound the work, and a slow machine comes to the same answer.
    PlanRefused where one is not, InputError where there is none.
    """
    with without_solver():
        owed = made.owed()
    if not owed:
        raise InputError(f"the plan {made.name} has no part that owes anything")
    for verdict in (Verdict.REFUTED, Verdict.UNKNOWN):
        for one in owed:
            if one.obligation.verdict is verdict:
                raise PlanRefused(one)
    return owed


def check_plan_certificate(certificate: Any) -> Plan:
    """The plan of a certificate, after deciding all that it owes anew; CertificateRefused with which part fails."""
    _check_form(certificate)
    for part in PARTS:
        if certificate["digests"].get(part) != digest_of(certificate[part]):
            raise CertificateRefused(f"the {part} was changed: its digest is another")
    if certificate["schema"] != schema_digest():
        raise CertificateRefused("the certificate is stale: the schema of plans has changed since: certify again")
    for name, digest in certificate["contracts"].items():
        if name not in contract_modules() or digest != contract_digest(name):
            raise CertificateRefused(f"the certificate is stale: the contract {name} has changed since: certify again")
    made = _read(certificate["plan"])
    if made.digest != certificate["digest"]:
        raise CertificateRefused("the digest is another plan's")
    owed = discharged(made)
    _check_obligations(owed, certificate["obligations"])
    if _theorems(owed) != sorted(certificate["theorems"]):
        raise CertificateRefused("the theorems are not those that the obligations rest on")
    for name, digest in certificate["theorems"].items():
        if digest != theorem_digest(name):
            raise CertificateRefused(f"the certificate is stale: the theorem {name} is stated otherwise now")
    if {contract_of(one.obligation.name) for one in owed} != set(certificate["contracts"]):
        raise CertificateRefused("the contracts are not those of the obligations")
    return made


def _read(data: Any) -> Plan:
    """The plan of its data; its sizes too are positive without a solver's word."""
    try:
        with without_solver():
            return plan_of(data)
    except InputError as error:
        raise CertificateRefused(f"the plan is not understood: {error.message}") from None


def _theorems(owed: list[Owed]) -> list[str]:
    """The theorems that obligations rest on, as they name them."""
    return sorted({str(name) for one in owed for name in one.obligation.details.get("theorems", ())})


def _check_obligations(owed: list[Owed], stand: list[Any]) -> None:
    for one, told in zip(owed, stand, strict=False):
        if _told(one) != told:
            name = told.get("name") if isinstance(told, dict) else told
            raise CertificateRefused(
                f"the obligation {one.obligation.name} of {one.subject} is not told as it is found: {name} stands there"
            )
    if len(owed) != len(stand):
        raise CertificateRefused(f"{len(stand)} obligations stand there, and the plan owes {len(owed)}")


def _told(one: Owed) -> dict[str, Any]:
    obligation = one.obligation
    return {
        "part": one.subject,
        "name": obligation.name,
        "verdict": obligation.verdict.value,
        "reason": obligation.reason,
        "evidence": list(obligation.evidence),
    }


def _check_form(certificate: Any) -> None:
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        found = certificate.get("format") if isinstance(certificate, dict) else type(certificate).__name__
        raise CertificateRefused(f"the format is {found}, not {FORMAT}")
    wanted = {*PARTS, "digests"}
    if set(certificate) != wanted:
        raise CertificateRefused(f"the parts are not {', '.join(sorted(wanted))}")
    for part, kind in {"plan": dict, "contracts": dict, "theorems": dict, "digests": dict, "obligations": list}.items():
        if not isinstance(certificate[part], kind):
            raise CertificateRefused(f"the {part} are no {'list' if kind is list else 'table'}")


# Digests of what decides.


@cache
def schema_digest() -> str:
    """The digest of the schema of plans: other keys, other meanings."""
    return digest_of(plan_schema())


def contract_of(obligation: str) -> str:
    """The contract that an obligation's name begins with.

    >>> contract_of("vector.aligned")
    'vector'
    """
    return obligation.partition(".")[0]


@cache
def contract_modules() -> dict[str, tuple[str, ...]]:
    """By contract, the modules that state rules of its name.

    >>> contract_modules()["vector"], contract_modules()["plan"]
    (('contracts.vector',), ('plan',))
    """
    found: dict[str, list[str]] = {}
    modules = {f"contracts.{one.name}": f"{contracts.__name__}.{one.name}" for one in iter_modules(contracts.__path__)}
    for short, name in {**modules, "plan": plan.__name__}.items():
        for rule in _rules(vars(import_module(name))):
            known = found.setdefault(contract_of(rule.name), [])
            if short not in known:
                known.append(short)
    return {name: tuple(known) for name, known in found.items()}


def _rules(names: dict[str, Any]) -> list[Rule]:
    parts = [part for value in names.values() for part in (value.values() if isinstance(value, dict) else [value])]
    return [part for part in parts if isinstance(part, Rule)]


@cache
def contract_digest(name: str) -> str:
    """The digest of a contract's rules and of the source that decides them, with the contracts that it is made of."""
    modules = contract_modules()[name]
    return digest_of({short: _source(short) for module in modules for short in _closure(module)})


@cache
def _source(short: str) -> str:
    *folder, name = short.split(".")
    return files(__package__).joinpath(*folder, f"{name}.py").read_text(encoding="utf-8").replace("\r\n", "\n")


@cache
def _closure(short: str) -> tuple[str, ...]:
    """A module of contracts, and those that it imports, in order; the plan by itself."""
    if short == "plan":
        return (short,)
    found = [short]
    for at in found:
        for node in ast.parse(_source(at)).body:
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                names = [node.module] if node.module else [alias.name for alias in node.names]
                found += [f"contracts.{one}" for one in names if one and f"contracts.{one}" not in found]
    return tuple(sorted(found))


__all__ = ["FORMAT", "PlanRefused", "certify_plan", "check_plan_certificate", "discharged"]
