"""One question: asked within its budget, answered as a reply, printed as text or JSON, and made an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import click

from ..model.errors import InputError, Refuted, Undecided
from ..reports.reply import Reply
from ..reports.terminal import plain_paint, reply_lines
from .budget import Budget

PROVED, REFUTED, BAD_INPUT, UNKNOWN = 0, 1, 2, 3
EXIT = {"proved": PROVED, "refuted": REFUTED, "unknown": UNKNOWN}


def ask(
    operation: str,
    operands: tuple[str, ...],
    budget: float,
    question: Callable[..., Reply],
    given: tuple[Any, ...] = (),
) -> Reply:
    """The reply to ``question`` of the operands ``given``, under a budget in seconds.

    Where an operand has names, the question is asked of all their values (:mod:`.named`).

    A refusal is a refutation; a spent budget, spent memory and a mistake of ours are unknown. Only InputError goes
    through, placed at the last operand where it has no place of its own.
    """
    start = perf_counter()
    clock = Budget(budget)
    try:
        with clock:
            reply = _answered(question, given, budget)
    except Refuted as refuted:
        reply = Reply("refuted", reason=refuted.reason, witness=refuted.witness)
    except Undecided as undecided:
        reply = Reply("unknown", reason=undecided.reason)
    except InputError as error:
        if error.text is None and operands:
            raise InputError(error.message, operands[-1], 0) from None
        raise
    except (MemoryError, RecursionError) as error:
        reply = Reply("unknown", reason=f"the question is too large for this machine ({type(error).__name__})")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 (a mistake of ours, a symbol's Stop too, is no verdict and no traceback)
        reply = Reply("unknown", reason=internal_error(error))
    finally:
        clock.close()
    return replace(reply, operation=operation, operands=operands, time_ms=(perf_counter() - start) * 1000)


def _answered(question: Callable[..., Reply], given: tuple[Any, ...], budget: float) -> Reply:
    if given:
        from .named import is_named, named_reply

        if is_named(given):
            return named_reply(question, given, budget)
    return question(*given)


def internal_error(error: BaseException) -> str:
    """The one line that a mistake of ours is told in."""
    return f"internal error: {type(error).__name__}: {str(error)[:200]} (a mistake in veritile, please report it)"


def say(reply: Reply, as_json: bool) -> int:
    """Prints a reply and returns its exit code."""
    if as_json:
        write_json(reply.as_dict(version()))
    else:
        click.echo("\n".join(reply_lines(reply, paint if has_colour() else plain_paint)))
    return EXIT[reply.verdict]


def worst(verdicts: list[str]) -> str:
    """The verdict on all of several: one refutation refutes, one unknown leaves the rest open.

    >>> worst(["proved", "unknown"]), worst(["unknown", "refuted"]), worst([])
    ('unknown', 'refuted', 'proved')
    """
    return next((verdict for verdict in ("refuted", "unknown") if verdict in verdicts), "proved")


def paint(style: str, text: str) -> str:
    """Colour, for a terminal."""
    colours = {"proved": "green", "refuted": "red", "unknown": "yellow", "finding": "magenta"}
    return click.style(text, fg=colours.get(style), bold=None if style == "dim" else True, dim=style == "dim" or None)


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    try:
        return sys.stdout is not None and sys.stdout.isatty()
    except ValueError:
        return False


def has_colour() -> bool:
    """Whether standard output is a terminal that takes colour."""
    return is_terminal() and not os.environ.get("NO_COLOR")


def write_json(value: Any) -> None:
    """One JSON object on a line of its own."""
    import json

    click.echo(json.dumps(value, allow_nan=False).replace("\x7f", "\\u007f"))


def version() -> str:
    """The version that is installed."""
    from .. import __version__

    return __version__
