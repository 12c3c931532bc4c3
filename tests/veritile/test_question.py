"""Budgets, mistakes and interruptions: what is not decided is unknown, and nothing hangs."""

import json
import signal
import subprocess
import sys
from contextlib import suppress
from typing import NoReturn

import pytest

from veritile import cli
from veritile.commands import root
from veritile.commands.budget import Budget
from veritile.commands.question import ask
from veritile.model.errors import Refuted, Undecided
from veritile.reports.reply import Reply
from veritile.smt.germs import Outside

from .run import veritile


def forever() -> NoReturn:
    while True:
        pass


def test_a_question_without_end_is_unknown() -> None:
    reply = ask("compose", ("4:1", "2:1"), 0.05, forever)
    assert (reply.verdict, reply.reason) == ("unknown", "the budget of 0.05 s was spent")
    assert (reply.operation, reply.operands, reply.evidence) == ("compose", ("4:1", "2:1"), ())


def test_a_question_that_swallows_the_end_of_its_budget_ends_all_the_same() -> None:
    def stubborn() -> NoReturn:
        with suppress(Undecided):
            forever()
        forever()

    assert ask("eval", (), 0.05, stubborn).verdict == "unknown"


def test_an_alarm_in_a_finaliser_rings_again_and_is_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    class Stubborn:
        def __del__(self) -> None:
            forever()

    def leaves_one() -> NoReturn:
        Stubborn()
        forever()

    assert ask("eval", (), 0.05, leaves_one).verdict == "unknown"
    assert capsys.readouterr().err == ""


def test_the_clock_is_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    ask("eval", (), 0.02, forever)
    with pytest.raises(Undecided), Budget(0.02):
        forever()
    with Budget(5):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize(
    "error", [ValueError("odd\nlines"), MemoryError(), RecursionError(), AssertionError("no inverse")]
)
def test_a_mistake_of_ours_is_unknown_and_never_proved(error: Exception) -> None:
    def broken() -> Reply:
        raise error

    reply = ask("eval", ("4:1", "1"), 5, broken)
    assert reply.verdict == "unknown"
    assert type(error).__name__ in (reply.reason or "")


def test_a_refusal_without_a_witness_is_a_refutation_still() -> None:
    def refused() -> Reply:
        raise Refuted("there is none")

    reply = ask("inverse", ("4:0",), 5, refused)
    assert (reply.verdict, reply.reason, reply.witness) == ("refuted", "there is none", None)


def test_ctrl_c_is_told_in_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(root.root, "invoke", interrupted)
    said = veritile("eval", "4:1", "1")
    assert (said.code, said.out, said.err) == (130, "", "veritile: interrupted\n")


def test_the_last_guard_shows_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> NoReturn:
        raise RuntimeError("a \x1b[31mmistake")

    monkeypatch.setattr(root.root, "invoke", broken)
    said = veritile("eval", "4:1", "1")
    assert (said.code, said.out) == (cli.UNKNOWN, "")
    assert said.err == "veritile: internal error: RuntimeError: a ?[31mmistake (please report it)\n"


def test_no_symbol_gets_past_either_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends a run on symbols is no ``Exception``: past both guards it was a traceback and exit code 1."""

    def stopped(*_: object, **__: object) -> NoReturn:
        raise Outside("plain numbers are needed")

    monkeypatch.setattr("veritile.commands.question._answered", stopped)
    said = veritile("eval", "4:1", "1")
    assert said.code == cli.UNKNOWN
    assert "internal error: Outside: plain numbers are needed" in said.out
    monkeypatch.setattr(root.root, "invoke", stopped)
    said = veritile("eval", "4:1", "1")
    assert (said.code, said.out) == (cli.UNKNOWN, "")
    assert said.err == "veritile: internal error: Outside: plain numbers are needed (please report it)\n"


def test_a_budget_bounds_a_question_of_the_command_line() -> None:
    # in a process of its own: the bound is an alarm in the main thread, which a test runner's worker may not be
    argv = ["check", "(3,349525):(f1,f3)", "injective", "--budget", "0.01", "--json"]
    done = subprocess.run([sys.executable, "-m", "veritile", *argv], capture_output=True, text=True, cwd="/")
    assert done.returncode == 3, done.stderr
    said = json.loads(done.stdout)
    assert (said["verdict"], said["reason"]) == ("unknown", "the budget of 0.01 s was spent")
