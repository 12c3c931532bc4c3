"""``veritile report``: a run, or an answer, as a page, a machine's format, or the findings page."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
from pathlib import Path
from typing import Any

import click

from ..model.errors import InputError
from .parameters import POSITIVE, SECONDS, Command
from .question import PROVED, REFUTED, UNKNOWN

FORMATS = {"html": ".html", "md": ".md", "json": ".json", "sarif": ".sarif", "junit": ".xml"}
QUESTIONS = ("compose", "complement", "coalesce", "inverse", "divide", "product", "recast", "slice", "equal", "check",
             "tv", "vector", "banks")  # fmt: skip
MOST_BYTES = 1 << 28


@click.command("report", cls=Command)
@click.argument("patterns", metavar="[SELECT]...", nargs=-1)
@click.option(
    "--format", "formats", default="html", show_default=True, help="html, md, json, sarif, junit; with commas."
)
@click.option("--findings", is_flag=True, help="The findings page, as findings.md and findings.html.")
@click.option("--question", "asked", metavar="TEXT", multiple=True, help="A question, such as 'compose 8:2 4:1'.")
@click.option("-o", "output", metavar="PATH", help="A file, or a folder (several formats).  [default: reports/]")
@click.option("--title", default="veritile report", show_default=True, help="The title.")
@click.option("--jobs", metavar="N", type=POSITIVE, default=2, show_default=True, help="Processes at a time.")
@click.option("--budget", type=SECONDS, default=30.0, show_default=True, help="Bound on one claim, in seconds.")
def report_command(
    patterns: tuple[str, ...],
    formats: str,
    findings: bool,
    asked: tuple[str, ...],
    output: str | None,
    title: str,
    jobs: int,
    budget: float,
) -> int:
    """Writes a report of the claims that SELECT names, of saved answers, or of questions.

    SELECT is as for `veritile prove`, or a JSON file that a command printed with --json (or a report in JSON). The exit
    code is the run's: 1 for an unexpected verdict or a refuted question, 3 for an unknown one.

    \b
    veritile report 'complement.*' --format html,md -o out/
    veritile report run.json --format sarif -o run.sarif
    veritile report --question 'compose (6,2):(1,7) (3,2):(2,3)' -o answer.html
    """
    from ..reports.run import merged, report_of
    from ..reports.sources import placed

    wanted = [one.strip() for one in formats.split(",") if one.strip()]
    for one in wanted:
        if one not in FORMATS:
            raise InputError(f"a format is {', '.join(FORMATS)}, not {one}", formats, max(0, formats.find(one)))
    saved = [p for p in patterns if p.endswith(".json")]
    chosen = tuple(p for p in patterns if not p.endswith(".json"))
    parts = [report_of(_read(path), title) for path in saved]
    if chosen or not (saved or asked):
        parts.append(report_of(_run(chosen, findings, jobs, budget), title))
    parts += [report_of(_ask(text), title) for text in asked]
    report = merged(parts, title)
    report = type(report)(tuple(placed(report.entries)), title, report.versions, report.time_ms)
    if findings:
        from ..reports import findings as page

        folder = Path(output or "reports")
        _write(folder / "findings.md", page.markdown(report))
        _write(folder / "findings.html", page.html(report))
    else:
        for one, path in _paths(wanted, output):
            text = _rendered(one, report)
            if path is None:
                click.echo(text, nl=False)
            else:
                _write(path, text)
    counts = report.counts
    if counts["unexpected"] or counts["refuted"]:
        return REFUTED
    return UNKNOWN if counts["unknown"] else PROVED


def _rendered(form: str, report: Any) -> str:
    if form == "html":
        from ..reports.html import render as html

        return html(report)
    if form == "md":
        from ..reports.markdown import render as markdown

        return markdown(report)
    if form == "junit":
        from ..reports.junit import render as junit

        return junit(report)
    from ..reports.sarif import render as sarif

    told = report.as_dict() if form == "json" else sarif(report)
    return json.dumps(told, indent=1, allow_nan=False, ensure_ascii=True, default=str) + "\n"


def _paths(formats: list[str], output: str | None) -> list[tuple[str, Path | None]]:
    """Where each format goes: one to a file or, with ``-``, to the terminal; several into a folder."""
    if output == "-":
        if len(formats) != 1:
            raise InputError("one format alone goes to standard output")
        return [(formats[0], None)]
    path = Path(output or "reports")
    if len(formats) == 1 and output is not None and not output.endswith(("/", "\\")) and not path.is_dir():
        return [(formats[0], path)]
    return [(one, path / f"report{FORMATS[one]}") for one in formats]


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    from ..reports.terminal import printable

    click.echo(printable(f"{path}: {len(text.encode('utf-8', 'replace')) / 1024:.0f} KiB"))


def _read(name: str) -> Any:
    try:
        if Path(name).stat().st_size > MOST_BYTES:
            raise InputError(f"{name} is larger than {MOST_BYTES >> 20} MiB")
        return json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}", name, 0) from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} holds no JSON", name, 0) from None


def _run(chosen: tuple[str, ...], findings: bool, jobs: int, budget: float) -> dict[str, Any]:
    from ..proofs.library import select
    from ..proofs.runner import run_claims

    claims = select(chosen)
    if findings:
        from ..reports.findings import wanted

        claims = wanted(claims)
    return run_claims(claims, jobs=jobs, seconds=budget).as_dict()


def _ask(text: str) -> dict[str, Any]:
    """What the command of a question prints with ``--json``."""
    from .root import root

    try:
        words = shlex.split(text)
    except ValueError:
        raise InputError("a quotation mark is not closed", text, 0) from None
    if not words or words[0] not in QUESTIONS:
        raise InputError(f"a question is {', '.join(QUESTIONS)}, and its operands", text, 0)
    told = io.StringIO()
    with contextlib.redirect_stdout(told), root.make_context("veritile", [*words, "--json"]) as context:
        root.invoke(context)
    answer: dict[str, Any] = json.loads(told.getvalue())
    if words[0] == "complement":  # the bound is an option there, and an operand here
        bound = next((words[k + 1] for k, w in enumerate(words[:-1]) if w == "--bound"), None)
        bound = bound or next((w.split("=", 1)[1] for w in words if w.startswith("--bound=")), None)
        answer["operands"] = [answer["operands"][0], *([bound] if bound else [])]
    if words[0] == "check":
        answer["operands"] = [str(answer["operands"][0]), *[w for w in words[2:] if not w.startswith("-")]]
    return answer
