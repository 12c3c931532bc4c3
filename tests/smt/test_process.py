"""A function in a process of its own: its value, or a sentence that says why there is none."""

import os
import signal
import threading

import pytest

from veritile.smt.process import Failed, Finished, run_limited


def _hang() -> None:
    signal.pause()


def _fill_memory() -> int:
    return len(bytearray(4 * 2**30))


def _die(number: int) -> None:
    os.kill(os.getpid(), number)


def _leave() -> None:
    os._exit(7)


class _Unpicklable(Exception):
    def __reduce__(self) -> str:
        raise TypeError("no")


def _raise(error: type[Exception]) -> None:
    raise error("first line\nsecond line")


def test_a_value_comes_back() -> None:
    answer = run_limited(divmod, 22, 4)
    assert isinstance(answer, Finished)
    assert answer.value == (5, 2)


@pytest.mark.parametrize(
    ("function", "args", "reason"),
    [
        (_hang, (), "took longer than 0.2 s"),
        (_die, (signal.SIGKILL,), "its process died (signal SIGKILL)"),
        (_die, (signal.SIGTERM,), "its process died (signal SIGTERM)"),
        (_leave, (), "its process died (exit status 7)"),
        (_raise, (ValueError,), "ValueError: first line"),
        (_raise, (_Unpicklable,), "RuntimeError: _Unpicklable: first line"),
    ],
)
def test_what_goes_wrong_is_said(function: object, args: tuple[object, ...], reason: str) -> None:
    answer = run_limited(function, *args, seconds=0.2 if function is _hang else 20)  # type: ignore[arg-type]
    assert isinstance(answer, Failed)
    assert answer.reason == reason


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the limit is Linux's")
def test_memory_is_limited() -> None:
    answer = run_limited(_fill_memory, memory_mb=256)
    assert isinstance(answer, Failed)
    assert answer.reason == "needed more than 256 MiB"


def test_an_answer_larger_than_a_pipe_comes_whole() -> None:
    answer = run_limited(bytes, 3 * 2**20)
    assert isinstance(answer, Finished)
    assert len(answer.value) == 3 * 2**20


def test_an_error_comes_back_itself() -> None:
    answer = run_limited(_raise, KeyError)
    assert isinstance(answer, Failed)
    assert isinstance(answer.error, KeyError)


def test_with_threads_beside_it_the_process_is_spawned() -> None:
    gate = threading.Event()
    thread = threading.Thread(target=gate.wait)
    thread.start()
    try:
        answer = run_limited(pow, 2, 10)
    finally:
        gate.set()
        thread.join()
    assert isinstance(answer, Finished)
    assert answer.value == 1024
