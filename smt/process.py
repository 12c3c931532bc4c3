"""A function run in a process of its own, with limits of time and memory: what dies there takes nothing with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

GRACE = 0.5  # seconds that a process which is past its time has to say so itself


@dataclass(frozen=True)
class Finished:
    """The function returned ``value`` after ``seconds``."""

    value: Any
    seconds: float


@dataclass(frozen=True)
class Failed:
    """There is no value: ``reason`` says why, in a sentence; ``error`` is what the function raised, if it did."""

    reason: str
    seconds: float
    error: BaseException | None = None


def run_limited(
    function: Callable[..., Any], *args: Any, seconds: float = 30.0, memory_mb: int = 1024
) -> Finished | Failed:
    """``function(*args)`` in a child process, at most ``seconds`` long.

    ``memory_mb`` bounds the address space that the child may take beyond what this process holds (Linux). The child
    is forked where that is safe (Linux, one thread), otherwise spawned: then the function must be importable.
    Whatever happens to the child (killed, crashed, hung, out of memory) comes back as :class:`Failed`. It outlives
    neither the call nor its own time, nor, on Linux, this process.

    >>> run_limited(pow, 2, 10).value
    1024
    >>> run_limited(time.sleep, 60, seconds=0.1).reason
    'took longer than 0.1 s'
    """
    context: Any = multiprocessing.get_context("fork" if _can_fork() else "spawn")
    ours, theirs = context.Pipe(duplex=False)
    started = time.monotonic()
    process = context.Process(
        target=_child, args=(os.getpid(), theirs, function, args, seconds, memory_mb), daemon=_is_daemon_allowed()
    )
    try:
        process.start()
        theirs.close()
        answer = _receive(ours, seconds + GRACE + (0 if _can_fork() else 10))
    finally:
        ours.close()
        _end(process)
    elapsed = time.monotonic() - started
    if answer is None:
        if process.exitcode in (-signal.SIGALRM, -signal.SIGKILL) and elapsed >= seconds:
            return Failed(f"took longer than {seconds:g} s", elapsed)
        return Failed(f"its process died ({_how(process.exitcode)})", elapsed)
    returned, value = answer
    if returned:
        return Finished(value, elapsed)
    if isinstance(value, MemoryError):
        return Failed(f"needed more than {memory_mb} MiB", elapsed, value)
    return Failed(f"{type(value).__name__}: {_first_line(value)}", elapsed, value)


def _receive(connection: Connection, seconds: float) -> tuple[bool, Any] | None:
    """What the child sent; None when it sent nothing whole in time."""
    try:
        if connection.poll(seconds):
            return pickle.loads(connection.recv_bytes())
    except (EOFError, OSError, pickle.UnpicklingError):
        pass
    return None


def die_with_parent(parent: int) -> None:
    """Ends this process when its parent, whose id was ``parent``, ends, however that does (Linux; elsewhere nothing).

    A worker of a pool would otherwise wait forever for work from a caller that was killed.
    """
    if sys.platform != "linux":
        return
    import ctypes

    pr_set_pdeathsig = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _child(
    parent: int, connection: Connection, function: Callable[..., Any], args: Any, seconds: float, memory_mb: int
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _limit_memory(memory_mb)
    try:
        answer: tuple[bool, Any] = (True, function(*args))
        data = pickle.dumps(answer)
    except BaseException as error:  # noqa: BLE001 - whatever it raised is the answer
        error.__traceback__ = None
        try:
            data = pickle.dumps((False, error))
            pickle.loads(data)
        except Exception:  # noqa: BLE001 - an error that cannot be pickled
            data = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {_first_line(error)}")))
    with contextlib.suppress(OSError):
        connection.send_bytes(data)
        connection.close()
    sys.stdout.flush()
    os._exit(0)


def _limit_memory(memory_mb: int) -> None:
    try:
        import resource

        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + memory_mb * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        pass  # not Linux, or a tighter limit is set already: the time limit alone holds


def _can_fork() -> bool:
    return sys.platform == "linux" and threading.active_count() == 1


def _is_daemon_allowed() -> bool:
    return not multiprocessing.current_process().daemon


def _end(process: Any) -> None:
    if process.pid is None:
        return
    process.join(0)
    if process.is_alive():
        process.join(0.05)
    if process.is_alive():
        process.kill()
    process.join()


def _how(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit status {code}"


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:300]
