"""``veritile certify`` and ``veritile certificate check``: a claim on paper, and the paper re-checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..model.errors import InputError, Refuted, Undecided
from ..proofs.verdict import Verdict
from .parameters import Command
from .question import PROVED, REFUTED, UNKNOWN, write_json


@click.command("certify", cls=Command)
@click.argument("operation", metavar="OPERATION")
@click.argument("operands", metavar="OPERAND...", nargs=-1)
@click.option("-o", "output", metavar="FILE", type=click.Path(dir_okay=False), help="Write here, not to the terminal.")
def certify_command(operation: str, operands: tuple[str, ...], output: str | None) -> int:
    """The certificate of a claim: the theorem that it is an instance of, its hypotheses, and digests.

    With a file that ends in .toml, and nothing else: the certificate of the kernel plan in it, all that it owes.

    OPERATION is compose, complement, coalesce, left-inverse, right-inverse, equal, injective, onto, within, bijective
    or contiguous.

    \b
    veritile certify compose '(4,6,8,10):(2,3,5,7)' 6:12 -o composition.json
    veritile certify docs/plans/softmax.toml -o softmax.json
    """
    from ..proofs.certificate import CertificateRefused, certify

    try:
        made = _certified_plan(operation) if _is_plan(operation, operands) else certify(operation, list(operands))
    except Refuted as refusal:
        click.echo(f"refuted: {refusal}")
        return REFUTED
    except CertificateRefused as refusal:
        is_open = getattr(refusal, "verdict", None) is Verdict.UNKNOWN
        click.echo(f"{'unknown' if is_open else 'refuted'}: {refusal}")
        return UNKNOWN if is_open else REFUTED
    except Undecided as spent:
        click.echo(f"unknown: {spent.reason}")
        return UNKNOWN
    if output is None:
        write_json(made)
        return PROVED
    write_file(output, json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    click.echo(f"{output}: {_told(made)}")
    return PROVED


def _is_plan(operation: str, operands: tuple[str, ...]) -> bool:
    return not operands and operation.strip().lower().endswith(".toml")


def _certified_plan(file: str) -> dict[str, Any]:
    from ..proofs.plan import read_plan
    from ..proofs.plan_certificate import certify_plan

    return certify_plan(read_plan(file))


def write_file(path: str, text: str) -> None:
    """The text written; InputError in one line where that cannot be."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None


@click.group("certificate")
def certificate_command() -> None:
    """What can be done with a certificate."""


@certificate_command.command("check", cls=Command)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("operands", metavar="[OPERAND]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check_file(file: str, operands: tuple[str, ...], as_json: bool) -> int:
    """Re-checks a certificate without a solver; OPERANDs are the layouts that it is meant to be for.

    Of a plan's certificate, every obligation is decided anew.

    \b
    veritile certificate check composition.json
    """
    from ..proofs import plan_certificate
    from ..proofs.certificate import CertificateRefused, check_certificate

    certificate = read_json(file)
    try:
        if isinstance(certificate, dict) and certificate.get("format") == plan_certificate.FORMAT:
            if operands:
                raise InputError(f"{file} is the certificate of a plan: it takes no operands")
            plan_certificate.check_plan_certificate(certificate)
            _answer(as_json, file, "proved", None, _plan_claim(certificate))
            return PROVED
        claim = check_certificate(certificate, list(operands) or None)
    except CertificateRefused as refusal:
        _answer(as_json, file, "refuted", str(refusal), None)
        return REFUTED
    _answer(as_json, file, "proved", None, claim)
    return PROVED


def _answer(as_json: bool, file: str, verdict: str, reason: str | None, claim: dict[str, Any] | None) -> None:
    if as_json:
        write_json({"certificate": file, "verdict": verdict, "reason": reason, "claim": claim})
    elif claim is None:
        click.echo(f"refused: {reason}")
    else:
        click.echo(f"holds: {_sentence(claim) if 'operands' in claim else claim['statement']}")


def _plan_claim(certificate: dict[str, Any]) -> dict[str, Any]:
    """What a plan's certificate says, for programs and for people."""
    plan, count = certificate["plan"], len(certificate["obligations"])
    statement = f"plan {plan['name']} for {plan['arch']} owes {count} obligations, all proved"
    return {"plan": plan["name"], "arch": plan["arch"], "digest": certificate["digest"], "statement": statement}


def _told(certificate: dict[str, Any]) -> str:
    """A certificate in a sentence."""
    return _plan_claim(certificate)["statement"] if "plan" in certificate else _sentence(certificate["claim"])


def _sentence(claim: dict[str, Any]) -> str:
    result = f" = {claim['result']}" if claim["result"] else ""
    return f"{claim['operation']} {' '.join(claim['operands'])}{result}: {claim['statement']}"


def read_json(file: str) -> Any:
    """The data in a file; InputError in one line where it cannot be read."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "it"
        raise InputError(f"{file} is no JSON: {where} is not understood") from None
