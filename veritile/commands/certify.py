"""``veritile certify`` and ``veritile certificate check``: a claim on paper, and the paper re-checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..model.errors import InputError, Refuted, Undecided
from .parameters import Command
from .question import PROVED, REFUTED, UNKNOWN, write_json


@click.command("certify", cls=Command)
@click.argument("operation", metavar="OPERATION")
@click.argument("operands", metavar="OPERAND...", nargs=-1)
@click.option("-o", "output", metavar="FILE", type=click.Path(dir_okay=False), help="Write here, not to the terminal.")
def certify_command(operation: str, operands: tuple[str, ...], output: str | None) -> int:
    """The certificate of a claim: the theorem that it is an instance of, its hypotheses, and digests.

    OPERATION is compose, complement, coalesce, left-inverse, right-inverse, equal, injective, onto, within, bijective
    or contiguous.

    \b
    veritile certify compose '(4,6,8,10):(2,3,5,7)' 6:12 -o composition.json
    """
    from ..proofs.certificate import CertificateRefused, certify

    try:
        made = certify(operation, list(operands))
    except Refuted as refusal:
        click.echo(f"refuted: {refusal}")
        return REFUTED
    except CertificateRefused as refusal:
        click.echo(f"refuted: {refusal}")
        return REFUTED
    except Undecided as spent:
        click.echo(f"unknown: {spent.reason}")
        return UNKNOWN
    if output is None:
        write_json(made)
        return PROVED
    try:
        Path(output).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from None
    click.echo(f"{output}: {_sentence(made['claim'])}")
    return PROVED


@click.group("certificate")
def certificate_command() -> None:
    """What can be done with a certificate."""


@certificate_command.command("check", cls=Command)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("operands", metavar="[OPERAND]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check_file(file: str, operands: tuple[str, ...], as_json: bool) -> int:
    """Re-checks a certificate without a solver; OPERANDs are the layouts that it is meant to be for.

    \b
    veritile certificate check composition.json
    """
    from ..proofs.certificate import CertificateRefused, check_certificate

    try:
        claim = check_certificate(_read(file), list(operands) or None)
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
        click.echo(f"holds: {_sentence(claim)}")


def _sentence(claim: dict[str, Any]) -> str:
    result = f" = {claim['result']}" if claim["result"] else ""
    return f"{claim['operation']} {' '.join(claim['operands'])}{result}: {claim['statement']}"


def _read(file: str) -> Any:
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "it"
        raise InputError(f"{file} is no JSON: {where} is not understood") from None
