"""``veritile prove``: decides the library of claims, a line a claim, the summary last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import click

from ..model.errors import InputError
from ..reports.terminal import plain_paint
from .parameters import POSITIVE, SECONDS, Command
from .question import PROVED, has_colour, is_terminal, paint, write_json

LIVE_AFTER = 1.0  # seconds until progress is shown


@click.command("prove", cls=Command)
@click.argument("patterns", metavar="[SELECT]...", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Name the claims, and decide none.")
@click.option("--jobs", metavar="N", type=POSITIVE, default=2, show_default=True, help="Processes at a time.")
@click.option("--budget", type=SECONDS, default=120.0, show_default=True, help="Bound on one claim, in seconds.")
@click.option(
    "--solver",
    metavar="z3|cvc5|both",
    type=click.Choice(["z3", "cvc5", "both"]),
    help="Who decides the theorems' obligations; both must agree. Not given: those that are installed.",
)
@click.option("--explain", metavar="NAME", help="Print the proof of a theorem, step by step, and decide nothing.")
@click.option("--export", "directory", metavar="DIR", help="Write the obligations of theorems and code as SMT-LIB 2.")
@click.option("--verbose", is_flag=True, help="With each claim its statement, evidence, witness and mutant.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def prove_command(
    patterns: tuple[str, ...],
    only_list: bool,
    jobs: int,
    budget: float,
    solver: str | None,
    explain: str | None,
    directory: str | None,
    verbose: bool,
    as_json: bool,
) -> int:
    """Decides the claims that SELECT names, or all of them.

    SELECT is a name, a pattern such as 'complement.*', or a Python file that defines CLAIMS. A claim of the paper that
    the definitions refute is a finding, with the repaired statement, and expected: it does not fail the run. Exit code
    1 is an unexpected verdict, 3 an unknown one.

    \b
    veritile prove
    veritile prove 'theorem.*' --solver both
    veritile prove --explain carry.law
    """
    if explain is not None:
        return _explain(explain)
    if directory is not None:
        return _export(directory, patterns)
    if solver is not None:
        from ..proofs.discharge import use_solvers

        use_solvers(solver)
    from ..proofs.library import select

    claims = _selected(patterns, select)
    if only_list:
        return _list(claims, as_json)
    from ..proofs.runner import run_claims
    from ..reports.claims import claim_lines, summary_lines

    colour = paint if has_colour() else plain_paint
    if as_json:
        run = run_claims(claims, jobs=jobs, seconds=budget)
        write_json(run.as_dict())
        return run.exit_code
    with _Progress([claim.name for claim in claims]) as progress:
        run = run_claims(
            claims,
            jobs=jobs,
            seconds=budget,
            on_result=lambda result: progress.tell(result.name, claim_lines(result, colour, verbose)),
        )
    for line in summary_lines(run, colour):
        click.echo(line)
    return run.exit_code


def _theorem(name: str) -> str:
    return name.removeprefix("theorem.")


def _explain(name: str) -> int:
    from ..proofs.discharge import explain, theorems

    if _theorem(name) not in theorems():
        raise InputError(f"no theorem is named {name}: `veritile prove --list 'theorem.*'` names them", name, 0)
    click.echo(explain(_theorem(name)))
    return PROVED


def _export(directory: str, patterns: tuple[str, ...]) -> int:
    from pathlib import Path

    from ..proofs.code.claims import CODE
    from ..proofs.discharge import export_obligations
    from ..proofs.library import select
    from ..smt.smtlib import Script, export

    wanted = [claim.name for claim in select(patterns)]
    theorems = [_theorem(name) for name in wanted if name.startswith("theorem.")]
    code = [name for name in wanted if name in CODE]
    try:
        written = export_obligations(Path(directory), theorems)
        click.echo(f"{directory}: {len(written)} obligations of {len(theorems)} theorems; each is unsat when it holds")
        for name in code:
            found = CODE[name].contradictions()
            scripts = [Script(f"{name} {number + 1}", one.text) for number, one in enumerate(found)]
            export(scripts, Path(directory) / name)
            click.echo(f"{directory}/{name}: {len(found)} contradictions on the paths of the code; each is unsat")
    except OSError as error:
        raise InputError(f"{directory} cannot be written: {error.strerror}", directory, 0) from None
    return PROVED


def _selected(patterns: tuple[str, ...], select: Callable[[tuple[str, ...]], list[Any]]) -> list[Any]:
    """The claims, or InputError at the pattern that names none."""
    for pattern in patterns:
        try:
            select((pattern,))
        except InputError as error:
            raise InputError(error.message, error.text or pattern, error.position or 0) from None
    return select(patterns)


def _list(claims: list[Any], as_json: bool) -> int:
    if as_json:
        told = [{"name": c.name, "source": c.source, "statement": c.statement, "scope": str(c.scope)} for c in claims]
        write_json({"claims": told, "summary": {"claims": len(told)}})
    else:
        from ..reports.claims import listing_lines

        for line in listing_lines(claims):
            click.echo(line)
    return 0


class _Progress:
    """Lines in the order of the claims, as soon as it can be kept; on a terminal, below them, how far the run is."""

    def __init__(self, names: list[str]):
        self.names = names
        self.told = 0
        self.waiting: dict[str, list[list[str]]] = {}  # a file's claim may have the name of another
        self.say: Callable[[str], Any] = click.echo
        self.bar: Any = None

    def __enter__(self) -> _Progress:
        if is_terminal():
            self._start_bar()
        return self

    def _start_bar(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.text import Text

        self.bar = Progress(
            TextColumn("deciding"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), transient=True
        )
        self.task = self.bar.add_task("", total=len(self.names))
        self.say = lambda line: self.bar.console.print(Text.from_ansi(line), soft_wrap=True)
        self.timer = threading.Timer(LIVE_AFTER, self.bar.start)
        self.timer.daemon = True
        self.timer.start()

    def tell(self, name: str, lines: list[str]) -> None:
        """Prints what was decided, when all before it is."""
        self.waiting.setdefault(name, []).append(lines)
        while self.told < len(self.names) and self.waiting.get(self.names[self.told]):
            self.say("\n".join(self.waiting[self.names[self.told]].pop(0)))
            self.told += 1
        if self.bar is not None:
            self.bar.advance(self.task)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.timer.cancel()
            self.timer.join()
            self.bar.stop()
