"""``veritile audit``: every layout operation that a CuTe DSL kernel does, decided again before anything is launched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from ..model.errors import InputError
from ..reports.terminal import plain_paint
from .certify import write_file
from .parameters import POSITIVE, SECONDS, Command
from .question import has_colour, paint, write_json

FORMATS = ("text", "md", "sarif")


@click.command("audit", cls=Command)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True)
@click.option("--arch", metavar="SM", help="Compile for this architecture, as sm_90a.")
@click.option("--arg", "arguments", metavar="NAME=VALUE", multiple=True, help="A fake argument of the kernel.")
@click.option("--make", "makers", metavar="NAME=VALUE", multiple=True, help="An argument of what makes the kernel.")
@click.option("--kernel", "select", metavar="NAME", help="Only the kernels whose name has this in it, or fits it.")
@click.option("--allow", "allowed", metavar="NAME", multiple=True, help="An operation or a reason that may stay open.")
@click.option("--python", metavar="FILE", help="The interpreter with CuTe DSL and the kernels.  [default: this one]")
@click.option("--jobs", metavar="N", type=POSITIVE, default=2, show_default=True, help="Processes at a time.")
@click.option("--budget", type=SECONDS, default=300.0, show_default=True, help="Bound on one target, in seconds.")
@click.option("--memory", metavar="MIB", type=POSITIVE, default=16384, show_default=True, help="Bound on one target.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to write.")
@click.option("-o", "output", metavar="FILE", type=click.Path(dir_okay=False), help="Write it here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def audit_command(
    targets: tuple[str, ...],
    arch: str | None,
    arguments: tuple[str, ...],
    makers: tuple[str, ...],
    select: str | None,
    allowed: tuple[str, ...],
    python: str | None,
    jobs: int,
    budget: float,
    memory: int,
    form: str,
    output: str | None,
    as_json: bool,
) -> int:
    """Decides every layout operation of the kernels that TARGET compiles; nothing is launched, no GPU is needed.

    TARGET is a file or a dotted module, which is run; either with a name, as kernel.py:host or package.module:make,
    which is compiled with the fake arguments; or a recipe (.toml). Exit code 1: an operation is wrong; 3: nothing is,
    but something is outside its documented preconditions or not checked, and no --allow names it.

    \b
    veritile audit kernel.py --arch sm_90a
    veritile audit kernel.py:host --arg 'x=f16[n%8,128]:(128,1)@16' --arg s=stream
    veritile audit package.module:make_kernel --make n=4096
    """
    from ..kernels.audit.audit import report
    from ..kernels.audit.isolation import Limits, audit_targets
    from ..kernels.audit.recipe import read_architecture

    chosen = _targets(targets, arguments, makers)
    if arch is not None:
        chosen = [replace(one, arch=read_architecture(arch)) for one in chosen]
    found = audit_targets(chosen, jobs=jobs, limits=Limits(budget, memory), select=select, python=_interpreter(python))
    told = report(found, allowed)
    errors = [(one["title"], one["error"]) for one in told["summary"]["targets"] if one["error"]]
    for title, error in errors:
        _complain(f"{title}: {error}")
    if errors and len(errors) == len(found):
        return 2  # on bad input nothing is printed but a line
    _print(told, form, output, as_json)
    return int(told["summary"]["exit"])


def _targets(texts: tuple[str, ...], arguments: tuple[str, ...], makers: tuple[str, ...]) -> list[Any]:
    from ..kernels.audit.arguments import read_pair
    from ..kernels.audit.recipe import read_targets

    args, make = dict(map(read_pair, arguments)), dict(map(read_pair, makers))
    found = read_targets(texts)
    if not args and not make:
        return found
    if any(text.endswith(".toml") for text in texts):
        raise InputError("a recipe says itself which arguments its kernels have")
    return [replace(one, args=args, make=make) for one in found]


def _interpreter(name: str | None) -> str | None:
    import shutil

    if name is None:
        return None
    found = shutil.which(name)
    if found is None:
        raise InputError(f"there is no interpreter {name}")
    return found


def _print(told: dict[str, Any], form: str, output: str | None, as_json: bool) -> None:
    from ..reports import audit

    if as_json:
        write_json(told)
        return
    if form == "text":
        lines = audit.text_lines(told, paint if has_colour() and output is None else plain_paint)
        text = "\n".join(lines) + "\n"
    elif form == "md":
        text = audit.markdown(told)
    else:
        text = json.dumps(audit.sarif(told), indent=1, ensure_ascii=True) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)


def _complain(text: str) -> None:
    from ..reports.terminal import printable

    click.echo(f"veritile: {printable(text)}", err=True)


__all__ = ["audit_command"]
