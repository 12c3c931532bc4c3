"""The group ``veritile``: a table of commands, each imported when it is called for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from .question import version

COMMANDS = {
    "eval": "evaluate",
    "show": "show",
    "coalesce": "algebra",
    "compose": "algebra",
    "complement": "algebra",
    "inverse": "algebra",
    "divide": "algebra",
    "product": "algebra",
    "recast": "algebra",
    "slice": "algebra",
    "equal": "check",
    "check": "check",
    "tv": "tv",
    "vector": "vector",
    "banks": "banks",
    "prove": "prove",
    "certify": "certify",
    "certificate": "certify",
    "bundle": "validate",
    "validate": "validate",
    "audit": "audit",
    "report": "report",
    "draw": "draw",
    "explore": "explore",
}


class Lazy(click.Group):
    """A group that knows the names of its commands and imports one to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, as they are listed in the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f".{COMMANDS[cmd_name]}", __package__)
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command


def _print_version(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"veritile {version()}")
        ctx.exit()


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 it holds, 1 refuted (with a witness), 2 the input was not understood, 3 unknown.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def root() -> None:
    """Decides questions on CuTe layouts exactly, each with a proof or a witness."""
