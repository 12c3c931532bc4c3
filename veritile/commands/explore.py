"""``veritile explore``: a page on which layouts are typed, seen, composed, divided and complemented; no server."""

from __future__ import annotations

from pathlib import Path

import click

from ..model.errors import InputError
from .parameters import Command
from .question import PROVED


@click.command("explore", cls=Command)
@click.option(
    "-o", "output", metavar="FILE.html", default="explorer.html", show_default=True, help="Where to write it."
)
def explore_command(output: str) -> int:
    """Writes the explorer: one HTML file that opens from disk and asks for nothing else.

    \b
    veritile explore -o explorer.html
    """
    from ..reports.explorer import explorer

    text = explorer()
    if output == "-":
        click.echo(text, nl=False)
        return PROVED
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from None
    click.echo(f"{click.format_filename(output)}: {len(text.encode()) / 1024:.0f} KiB")
    return PROVED
