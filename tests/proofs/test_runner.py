"""Claims in processes: one that dies, hangs or takes its worker along costs no other; Ctrl-C leaves nothing behind."""

import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from veritile.model.errors import InputError
from veritile.proofs.library import select
from veritile.proofs.runner import ClaimResult, Run, run_claims
from veritile.proofs.verdict import Verdict

CLAIMS = """
import os, signal
from veritile.proofs.claim import Claim, Mutant, proved, refuted

FAILS = Mutant("broken", lambda: refuted({"got": 1}))

def claim(name, decide=proved):
    return Claim(name, "ours", "it holds", decide, FAILS, lambda: "4:1")

def hang():
    signal.pause()

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def take_the_worker_along():
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()

def raises():
    raise ZeroDivisionError("a bug of the claim")

def fill():
    return bytearray(8 * 2**30)

"""


def _file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "own.py"
    path.write_text(CLAIMS + text)
    return str(path)


def _reasons(run: Run) -> dict[str, str | None]:
    return {result.name: result.reason for result in run.results}


@pytest.mark.slow
def test_what_dies_or_hangs_is_unknown_and_the_rest_is_decided(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        "CLAIMS = [claim('a'), claim('hangs', hang), claim('dies', die), claim('raises', raises),"
        " claim('fills', fill), claim('z')]",
    )
    seen: list[str] = []
    run = run_claims(select([path]), jobs=2, seconds=2.0, memory_mb=512, on_result=lambda r: seen.append(r.name))
    assert [result.name for result in run.results] == ["a", "hangs", "dies", "raises", "fills", "z"]
    assert sorted(seen) == sorted(result.name for result in run.results)
    assert _reasons(run) == {
        "a": None,
        "hangs": "took longer than 2 s",
        "dies": "its process died (signal SIGKILL)",
        "raises": "ZeroDivisionError: a bug of the claim",
        "fills": "needed more than 512 MiB",
        "z": None,
    }
    assert [result.verdict for result in run.results if result.reason is None] == [Verdict.PROVED] * 2
    assert run.exit_code == 3


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_one_claim(tmp_path: Path) -> None:
    path = _file(tmp_path, "CLAIMS = [claim('a'), claim('kills', take_the_worker_along), claim('b'), claim('c')]")
    run = run_claims(select([path]), jobs=2, seconds=5.0)
    assert _reasons(run) == {"a": None, "kills": "the worker that held it died, twice", "b": None, "c": None}


def test_an_executor_can_be_passed_in(tmp_path: Path) -> None:
    path = _file(tmp_path, "CLAIMS = [claim('a'), claim('dies', die)]")
    with ThreadPoolExecutor(2) as pool:
        run = run_claims(select([path]), executor=pool)
    assert _reasons(run) == {"a": None, "dies": "its process died (signal SIGKILL)"}


class _Here(Executor):
    """Runs what is submitted at once, and breaks down where it is told to."""

    def __init__(self, failing: int):
        self.failing = failing
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        future: Future[Any] = Future()
        if self.submitted == self.failing:
            future.set_exception(OSError("the network is down"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_an_executor_that_fails_costs_what_it_held(tmp_path: Path) -> None:
    path = _file(tmp_path, "CLAIMS = [claim('a'), claim('b'), claim('c')]")
    run = run_claims(select([path]), executor=_Here(failing=2))
    assert _reasons(run) == {"a": None, "b": "OSError: the network is down", "c": None}


def test_claims_of_the_library_go_by_name() -> None:
    claims = select(["divide.row.24:3", "complement.coordinate-row"])
    run = run_claims(claims, executor=_Here(failing=0))
    assert [(r.name, r.verdict.value, r.as_expected) for r in run.results] == [
        ("complement.coordinate-row", "refuted", True),
        ("divide.row.24:3", "proved", True),
    ]


def test_no_claims_decide_nothing() -> None:
    assert (run_claims([]).results, run_claims([]).exit_code) == ((), 3)


def test_results_come_in_the_thread_of_the_caller(tmp_path: Path) -> None:
    import threading

    path = _file(tmp_path, "CLAIMS = [claim('a')]")
    seen: list[tuple[str, bool]] = []

    def on_result(result: ClaimResult) -> None:
        seen.append((result.name, threading.current_thread() is threading.main_thread()))

    run_claims(select([path]), on_result=on_result, executor=_Here(failing=0))
    assert seen == [("a", True)]


PROGRAM = """
import signal, sys
from veritile.proofs.library import select
from veritile.proofs.runner import run_claims

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
    try:
        run_claims(select([sys.argv[1]]), seconds=300, on_result=lambda r: print(r.name, flush=True))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "last"), [(signal.SIGINT, "interrupted\n"), (signal.SIGTERM, ""), (signal.SIGKILL, "")]
)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the children run on to their limit")
def test_a_run_that_is_ended_leaves_no_process(tmp_path: Path, number: signal.Signals, last: str) -> None:
    path = _file(tmp_path, "CLAIMS = [claim('a'), *(claim(f'hangs {n}', hang) for n in range(4))]")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with subprocess.Popen(
        [sys.executable, str(program), path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "a\n"
        process.send_signal(number)
        # The end of the pipe says that no process holds it any more, the workers' children neither.
        out, err = process.communicate(timeout=60)
    assert out == last
    assert number is not signal.SIGINT or err == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CLAIMS = [1]", "holds something that is no claim"),
        ("raise OSError('gone')", "cannot be read: OSError: gone"),
        ("", "cannot be read: AttributeError"),
    ],
)
def test_a_file_without_claims_is_bad_input(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.py"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        select([str(path)])


def test_a_file_that_is_not_there_is_bad_input() -> None:
    with pytest.raises(InputError, match=r"there is no file nowhere\.py"):
        select(["nowhere.py"])
