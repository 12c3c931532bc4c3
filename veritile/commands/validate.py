"""``veritile validate`` and ``veritile bundle``: certified kernels against their references, here or elsewhere."""

from __future__ import annotations

import json
from typing import Any

import click

from ..model.errors import InputError
from .certify import read_json, write_file
from .parameters import POSITIVE, SECONDS, Command
from .question import PROVED, REFUTED, UNKNOWN, has_colour, paint, write_json


@click.command("validate", cls=Command)
@click.option("--device", metavar="N", type=click.IntRange(0), help="Run on this GPU; 0 where there is one.")
@click.option("--compile-only", is_flag=True, help="Run nothing, though there is a GPU.")
@click.option("--bundle", metavar="FILE", type=click.Path(), help="The certificates of this bundle, not new ones.")
@click.option(
    "--select", "patterns", metavar="PATTERN", multiple=True, help="Rows by title, or a kernel's own FILE.py."
)
@click.option("--shard", metavar="I/N", default="1/1", show_default=True, help="Part I of N; --join joins them.")
@click.option("--join", "parts", metavar="FILE", multiple=True, help="Join what --json printed of every part.")
@click.option("--list", "only_list", is_flag=True, help="Name the rows, and decide none.")
@click.option("--jobs", metavar="N", type=POSITIVE, default=2, show_default=True, help="Processes at a time.")
@click.option("--budget", type=SECONDS, default=120.0, show_default=True, help="Bound on one row, in seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def validate_command(
    device: int | None,
    compile_only: bool,
    bundle: str | None,
    patterns: tuple[str, ...],
    shard: str,
    parts: tuple[str, ...],
    only_list: bool,
    jobs: int,
    budget: float,
    as_json: bool,
) -> int:
    """Proves, certifies and builds every kernel on every row, and compares it with its reference.

    On a GPU each row is run, every element compared. Without one it is compiled for every architecture that its plan
    allows, its PTX held against the proof, and its maps are run in NumPy. A row that dies or takes too long is lost,
    and the others go on. Exit code 1: a row is refuted; 3: one is unknown.

    \b
    veritile validate --select 'copy/*' --select 'gemm_sm90/*'
    veritile validate --shard 1/2 --json > one.json
    veritile validate --join one.json --join two.json
    """
    from ..kernels import validation

    if compile_only and device is not None:
        raise click.UsageError("--device runs, --compile-only does not: one of them")
    if parts:
        return _say(validation.join(read_json(part) for part in parts), as_json, every=True)
    part = validation.parse_shard(shard)
    if only_list:
        tasks = validation.tasks_of(patterns, bundle=bundle)
        return _list([f"{task['title']} {task['architecture']}" for task in tasks[part[0] - 1 :: part[1]]], as_json)
    if device is None and not compile_only and validation.missing_dsl() is None and validation.architecture_of(0):
        device = 0
    report = validation.validate(
        patterns,
        bundle=bundle,
        device=device,
        shard=part,
        jobs=jobs,
        seconds=budget,
        on_row=None if as_json else _tell,
        notice=lambda text: click.echo(f"veritile: {text}", err=True),
    )
    return _say(report, as_json)


def _list(names: list[str], as_json: bool) -> int:
    if as_json:
        write_json({"rows": names})
    else:
        click.echo("\n".join(names))
    return PROVED


def _tell(answer: dict[str, Any]) -> None:
    from ..kernels.validation import row_line

    if not answer.get("elsewhere"):
        line = row_line(answer)
        click.echo(
            line.replace(answer["verdict"], paint(answer["verdict"], answer["verdict"]), 1) if has_colour() else line
        )


def _say(report: Any, as_json: bool, every: bool = False) -> int:
    if as_json:
        write_json(report.as_dict())
        return int(report.exit_code)
    if every:
        for answer in report.rows:
            _tell(answer)
    told = report.summary
    rows = "1 row" if told["rows"] == 1 else f"{told['rows']} rows"
    click.echo(
        f"{rows} ({report.mode}): {told['proved']} proved, {told['refuted']} refuted, "
        f"{told['unknown']} unknown; {told['not_allowed']} left out, which their architecture does not allow"
    )
    return int(report.exit_code)


@click.command("bundle", cls=Command)
@click.argument("plans", metavar="PLAN...", nargs=-1, required=True)
@click.option("-o", "output", metavar="FILE", type=click.Path(dir_okay=False), required=True, help="Write here.")
@click.option("--arch", "architectures", metavar="SM", multiple=True, help="For these only, as sm_90a.")
def bundle_command(plans: tuple[str, ...], output: str, architectures: tuple[str, ...]) -> int:
    """Packs certificates for a machine without solvers; there, `veritile validate --bundle` checks and runs them.

    A PLAN is a plan's file (.toml), a pattern of rows of `veritile validate`, or the file of a kernel (.py).

    \b
    veritile bundle 'copy/*' 'gemm_sm90/*' --arch sm_90a -o kernels.json
    """
    from ..kernels.bundle import bundle_of, entries_of
    from ..proofs.plan_certificate import PlanRefused

    try:
        entries = entries_of(plans, architectures)
    except PlanRefused as refused:
        click.echo(f"{refused.verdict.value}: {refused}")
        return REFUTED if refused.verdict.value == "refuted" else UNKNOWN
    if not entries:
        raise InputError(f"no kernel of these is for {', '.join(architectures)}")
    write_file(output, json.dumps(bundle_of(entries), ensure_ascii=False) + "\n")
    click.echo(f"{output}: {len(entries)} certificate{'s' if len(entries) != 1 else ''}")
    return PROVED


__all__ = ["bundle_command", "validate_command"]
