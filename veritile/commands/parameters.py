"""What the commands take: notation, with a caret where it is wrong, and the options that all share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..model.errors import InputError
from ..model.htuple import flatten, text_of
from ..model.layout import Layout
from ..model.names import Expr
from ..model.notation import parse, parse_coordinate, parse_tiler
from ..model.swizzle import Swizzle

NEGATIVE = re.compile(r"-\d")
MAX_BUDGET = 1e6
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Command(click.Command):
    """A command whose arguments may begin with a minus sign and a digit: a coordinate, never an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Marks negative numbers with a space, which no notation minds."""
        end = args.index("--") if "--" in args else len(args)
        marked = [f" {arg}" if NEGATIVE.match(arg) else arg for arg in args[:end]]
        return super().parse_args(ctx, marked + args[end:])


class Notation(click.ParamType[Any]):
    """An argument in the notation of ``read``, which raises InputError at the place that it does not understand."""

    def __init__(self, name: str, read: Callable[[str], Any]):
        self.name = name
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What the text writes."""
        if not isinstance(value, str):
            return value
        return self.read(value[1:] if NEGATIVE.match(value, 1) and value[0] == " " else value)


def read_coordinate(text: str) -> Any:
    """A coordinate without ``_``."""
    coordinate = parse_coordinate(text)
    if None in flatten(coordinate):
        raise InputError("an integer is expected here: '_' keeps a mode in a slice only", text, text.index("_"))
    return coordinate


def read_inner(text: str) -> Any:
    """A layout, or a tiler by mode."""
    return parse_tiler(text) if text.lstrip().startswith(("<", "⟨")) else parse(text)


def read_positive(text: str) -> int:
    """A positive integer.

    >>> read_positive("32")
    32
    >>> read_positive("0")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: a positive integer is expected here, not 0
      0
      ^
    """
    number = parse_coordinate(text)
    if not isinstance(number, int) or number < 1:
        raise InputError(f"a positive integer is expected here, not {text_of(number)}", text, 0)
    return number


def read_budget(text: str) -> float:
    """Seconds."""
    try:
        seconds = float(text)
    except ValueError:
        raise InputError("a number of seconds is expected here", text, 0) from None
    if not 0 < seconds <= MAX_BUDGET:
        raise InputError(f"a budget is more than 0 and at most {MAX_BUDGET:g} seconds", text, 0)
    return seconds


LAYOUT = Notation("layout", parse)
INNER = Notation("layout", read_inner)
TILER = Notation("tiler", parse_tiler)
COORDINATE = Notation("coordinate", read_coordinate)
SLICE = Notation("coordinate", parse_coordinate)
PROFILE = Notation("profile", parse_coordinate)
POSITIVE = Notation("n", read_positive)
SECONDS = Notation("seconds", read_budget)


def question_options(command: Decorated) -> Decorated:
    """``--budget`` and ``--json``, which every question takes."""
    command = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)
    return click.option(
        "--budget", type=SECONDS, default=10.0, show_default=True, help="Bound on one question, in seconds."
    )(command)


def tiler_text(tiler: Any) -> str:
    """The notation of a tiler.

    >>> tiler_text((4, None)), tiler_text(parse_tiler("<4:1,8:2>"))
    ('(4,_)', '<4:1,8:2>')
    """
    if isinstance(tiler, tuple):
        is_shape = all(leaf is None or isinstance(leaf, (int, Expr)) for leaf in flatten(tiler))
        return text_of(tiler) if is_shape else f"<{','.join(map(tiler_text, tiler))}>"
    return "_" if tiler is None else str(tiler)


def needs_size(layout: Any) -> None:
    """InputError for a bare swizzle, which acts on every integer."""
    if isinstance(layout, Swizzle):
        raise InputError("a swizzle has no size of its own: compose it with a layout", str(layout), 0)


def needs_layout(layout: Any, operation: str) -> Layout:
    """The layout, when it is one without a swizzle in front."""
    if not isinstance(layout, Layout):
        raise InputError(f"{operation} takes a layout S:D, not a swizzle or a composed layout", str(layout), 0)
    return layout
