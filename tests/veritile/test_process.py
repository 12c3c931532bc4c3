"""The command as a process: what it imports, broken pipes, full disks, odd encodings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COSTLY = ("sympy", "numpy", "z3", "cvc5", "rich", "importlib.metadata", "multiprocessing")


def veritile(*argv: str, **more: object) -> "subprocess.CompletedProcess[str]":
    options = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **more}
    return subprocess.run([sys.executable, "-m", "veritile", *argv], **options)  # type: ignore[call-overload,no-any-return]


def test_the_command_answers_with_its_exit_code() -> None:
    said = veritile("compose", "(6,2):(1,7)", "(3,2):(2,3)")
    assert (said.returncode, said.stderr) == (1, "")
    assert "at coordinate (2,1), index 5: expected 8, got 7" in said.stdout


@pytest.mark.parametrize(
    "argv",
    [
        ["compose", "(4,6,8,10):(2,3,5,7)", "6:12"],
        ["compose", "(6,2):(1,7)", "(3,2):(2,3)", "--json"],
        ["divide", "(8,16):(20,1)", "<4:1,8:2>"],
        ["--help"],
    ],
)
def test_an_answer_imports_nothing_costly(argv: list[str]) -> None:
    code = (
        "import sys; from veritile.cli import main; main(sys.argv[2:]); "
        "print(*[m for m in sys.argv[1].split(',') if m in sys.modules], file=sys.stderr)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, ",".join(COSTLY), *argv], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (said.returncode, said.stderr.strip()) == (0, "")


@pytest.mark.parametrize(("ignored", "code", "said"), [(False, 143, "veritile: ended from outside\n"), (True, 0, "")])
def test_a_process_that_is_asked_to_end_clears_up_first(ignored: bool, code: int, said: str) -> None:
    run = (
        "import os, signal, sys\nfrom veritile import cli\n"
        "def work(argv):\n"
        "    try: os.kill(os.getpid(), signal.SIGTERM); return 0\n"
        "    finally: print('cleared')\n"
        f"if {ignored}: signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "cli._run = work; sys.exit(cli.main([]))"
    )
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout, done.stderr) == (code, "cleared\n", said)


def test_a_reader_that_goes_away_is_told_as_shells_do() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        said = subprocess.run(
            [sys.executable, "-m", "veritile", "show", "(64,64)"],
            stdout=write,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        )
    finally:
        os.close(write)
    assert (said.returncode, said.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_one_line_and_not_as_proved() -> None:
    with open("/dev/full", "w") as full:
        said = subprocess.run(
            [sys.executable, "-m", "veritile", "eval", "4:1", "3"],
            stdout=full,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
    assert said.returncode == 3
    assert said.stderr.splitlines() == ["veritile: the answer cannot be written: No space left on device"]


def test_an_encoding_without_the_signs_is_no_error() -> None:
    said = veritile("show", "(64,64)", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (said.returncode, said.stderr) == (0, "")


def test_bytes_that_are_no_text_are_bad_input() -> None:
    said = subprocess.run(
        [sys.executable.encode(), b"-m", b"veritile", b"eval", b"4:\xff", b"1"],
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert said.returncode == 2
    assert b"Traceback" not in said.stderr
