"""The command ``veritile``: nothing gets past it but an exit code and lines that can be read."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

UNKNOWN = 3
INTERRUPTED = 130  # what a shell makes of Ctrl-C
READER_GONE = 141  # what a shell makes of a broken pipe


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 holds, 1 refuted, 2 bad input, 3 unknown, 128 + n a signal n.

    >>> main(["compose", "(4,6,8,10):(2,3,5,7)", "6:12"])
    (2,3):(9,5)
      proved (instance; closed-form); in bounds; exact
    0
    """
    code = READER_GONE
    try:
        with _ending_in_order():
            code = _run(sys.argv[1:] if argv is None else list(argv))
        if sys.stdout is not None:
            sys.stdout.flush()
    except _Ended as ended:
        _complain("ended from outside")
        return 128 + ended.number
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
    except OSError as error:
        _complain(f"the answer cannot be written: {error.strerror}")
        _close_output()
        return UNKNOWN
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 (the last guard: no traceback reaches a user, nor a symbol's Stop)
        _complain(f"internal error: {type(error).__name__}: {str(error)[:200]} (please report it)")
        return UNKNOWN
    return code


class _Ended(KeyboardInterrupt):
    """A signal that asks this process to end, raised as Ctrl-C is, so that what it left is cleared away."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP raise :class:`_Ended` in the block, where nobody else has said what they do."""
    asked = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        asked = []  # signals are the main thread's alone
    taken = [one for one in asked if signal.getsignal(one) is signal.SIG_DFL]

    def end(number: int, frame: object) -> None:
        raise _Ended(number)

    for one in taken:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in taken:
            signal.signal(one, signal.SIG_DFL)


def _run(argv: list[str]) -> int:
    import click

    from .commands.root import root
    from .model.errors import InputError, Refuted, Undecided

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # sizes are products of many numbers; what is read is limited by the notation
    try:
        # not root.main(), which makes a broken pipe exit code 1, a refutation
        with root.make_context("veritile", argv) as context:
            code: Any = root.invoke(context)
        return code if isinstance(code, int) else 0
    except InputError as error:
        _complain(str(error))
        return 2
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "veritile"
        _complain(f"{' '.join(error.format_message().split())} (see {path} --help)")
        return 2
    except click.ClickException as error:
        _complain(" ".join(error.format_message().split()))
        return 2
    except click.exceptions.Exit as done:
        return done.exit_code
    except (Refuted, Undecided) as error:  # outside a question, where nothing was asked
        _complain(str(error))
        return UNKNOWN
    finally:
        sys.set_int_max_str_digits(limit)


def _complain(text: str) -> None:
    """Says what is wrong on standard error, if anyone listens."""
    from contextlib import suppress

    from .reports.terminal import printable

    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write("".join(f"{printable(line)}\n" for line in f"veritile: {text}".split("\n")))
            sys.stderr.flush()


def _close_output() -> None:
    """Nothing more is written, so that Python does not complain at its end of a reader that has gone."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        sys.stdout = None
