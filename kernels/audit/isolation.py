"""Targets audited in processes of their own, with limits of time and memory; what dies there takes nothing with it.

Where a process dies in a ``cute.compile``, the target is done again with that compile left out: what it compiles after
it is audited as well. The place of a death comes from Python's own fault handler, which writes the stack of calls when
a signal arrives: the innermost frame outside the DSL is the source line, the call from it the operation.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import linecache
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..build import kept_in
from ..validation import ending
from .recipe import Target
from .trace import ENVIRONMENT, called, is_of_the_dsl

GRACE = 5.0  # seconds that a process which is past its time has to say where it was
CACHES = {"QUACK_CACHE_ENABLED": "0", "FLASH_ATTENTION_CUTE_DSL_CACHE_ENABLED": "0"}
"""Disk caches of libraries that are known here, switched off: what a cache gives is not traced."""
MOST_READ = 1 << 16  # bytes of what a process said last
MOST_DEATHS = 8  # compiles of one target that are left out, each after a death
_ROOMS = ("", ".model", ".smt", ".proofs", ".kernels", ".reports")
_BOOT = """
import importlib.util, json, sys
rooms = json.loads(sys.argv[1])
class Rooms:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in rooms:
            return importlib.util.spec_from_file_location(
                name, rooms[name] + "/__init__.py", submodule_search_locations=[rooms[name]])
sys.meta_path.insert(0, Rooms)
code, sys.argv = sys.argv[2], ["", *sys.argv[3:]]
exec(code)
"""
_WORKER = "import sys; from veritile.kernels.audit.worker import main; main(sys.argv[1])"
_FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')


@dataclass(frozen=True)
class Limits:
    """What one process may take."""

    seconds: float = 300.0
    memory_mb: int = 16384


def audit_targets(
    targets: Sequence[Target],
    *,
    jobs: int = 2,
    limits: Limits = Limits(),
    select: str | None = None,
    python: str | None = None,
    on_target: Callable[[dict[str, Any]], None] = lambda told: None,
) -> list[dict[str, Any]]:
    """What came of every target, in their order, ``jobs`` side by side; ``python`` is the interpreter with the DSL.

    Each is plain data: ``title``, ``arch``, ``error`` (None, or why nothing could be audited), ``traces`` (as
    :func:`.audit.as_dict` tells them), ``events`` (what was lost, as operations that are not checked) and times.
    """
    pool = ThreadPoolExecutor(max(1, min(jobs, len(targets))))
    running: set[subprocess.Popen[bytes]] = set()
    try:
        waiting = [pool.submit(audit_target, one, limits, select, python, running) for one in targets]
        found = []
        for one in waiting:
            found.append(one.result())
            on_target(found[-1])
        return found
    finally:  # on an interrupt as well: processes of sessions of their own do not hear of it
        pool.shutdown(wait=False, cancel_futures=True)
        for process in tuple(running):
            _end(process)


def audit_target(
    target: Target,
    limits: Limits,
    select: str | None,
    python: str | None,
    running: set[subprocess.Popen[bytes]],
) -> dict[str, Any]:
    """What came of one target; ``running`` holds its process while there is one."""
    begun = time.perf_counter()
    told: dict[str, Any] = {"title": target.title, "arch": target.arch, "error": None, "traces": [], "events": []}
    told["lost"] = False
    skip: list[int] = []
    while True:
        with tempfile.TemporaryDirectory(prefix="veritile-") as name:
            folder = Path(name)
            task = {**target.as_task(), "select": select, "skip": skip, "perform": True}
            end = _run(folder, task, target, limits, python, running)
            answer = _read(folder / "answer.json")
            told.update({key: value for key, value in (answer or {}).items() if value is not None})
            if answer is None and (folder / "trace-0.json").exists():  # what was traced before it ended
                _run(folder, {**task, "perform": False}, target, limits, python, running)
            if end.event is not None:
                more = " while the traces were decided" if answer else ""
                told["events"].append({**end.event, "reason": end.event["reason"] + more})
                told["lost"] = told["lost"] or end.lost
            traces, undecided = _audits(folder)
            compile_ = sum(1 for _ in folder.glob("compile-*")) - 1
            if answer is None and end.died and compile_ >= 0 and compile_ not in skip and len(skip) < MOST_DEATHS:
                # all but the compile that was lost comes once more
                told["traces"] += [one for one in traces if one["compile"] == compile_]
                skip.append(compile_)
                continue
            told["traces"] += traces
            told["events"] += undecided
            if answer and answer["stopped"]:
                stopped = event("target", f"the target stopped before its end: {answer['stopped']}")
                told["events"].append({**stopped, **(answer.get("stopped_at") or {})})
            break
    told["time_ms"] = round((time.perf_counter() - begun) * 1000, 1)
    return _judged(told, select)


def _judged(told: dict[str, Any], select: str | None) -> dict[str, Any]:
    """An error where nothing was traced and nothing was lost on the way, or nothing that was traced is selected."""
    stopped, at = told.pop("stopped", None), told.pop("stopped_at", None)
    if stopped is not None and at is not None:
        column = f":{at['column']}" if at["column"] else ""
        stopped += f" at {at['file']}:{at['line']}{column}" + (f": {at['source']}" if at["source"] else "")
    if told["error"] is None and not told["traces"] and not told.pop("lost"):
        ended = [one["reason"] for one in told["events"]] if stopped is None else [stopped]
        told["error"] = f"nothing was traced: {'; '.join(ended) or 'it compiles no kernel here, or a cache gave it'}"
    elif select is not None and told["traces"] and not any(one["kernels"] for one in told["traces"]):
        told["error"] = f"no kernel that was traced fits {select}"
    told.pop("lost", None)
    return told if told["error"] is None else {**told, "traces": [], "events": []}


def event(operation: str, reason: str, place: tuple[str, int] | None = None) -> dict[str, Any]:
    """Something that was lost, as an operation that is not checked."""
    source = linecache.getline(*place).strip() if place else None
    return {
        "kernel": "",
        "operation": operation,
        "verdict": "not checked",
        "reason": reason,
        "file": place[0] if place else None,
        "line": place[1] if place else None,
        "column": None,
        "source": source or None,
        "callers": [],
        "operands": [],
        "results": [],
        "properties": "",
        "witness": None,
        "expected": None,
        "got": None,
        "advice": None,
        "evidence": None,
        "count": 1,
    }


@dataclass(frozen=True)
class _End:
    """How a process ended: what that lost, if anything; whether a signal did it; whether it was against its will."""

    event: dict[str, Any] | None = None
    died: bool = False
    lost: bool = True


def _run(
    folder: Path,
    task: dict[str, Any],
    target: Target,
    limits: Limits,
    python: str | None,
    running: set[subprocess.Popen[bytes]],
) -> _End:
    task = {**task, "seconds": limits.seconds, "memory_mb": limits.memory_mb}
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    environment = {**CACHES, **os.environ, **kept_in(str(folder)), **target.environment, **ENVIRONMENT}
    if target.arch:
        environment["CUTE_DSL_ARCH"] = target.arch
    with (folder / "stderr.txt").open("wb") as errors:
        try:
            process = subprocess.Popen(
                boot_command(python or sys.executable, _WORKER, str(folder)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                start_new_session=True,
            )
        except OSError as problem:
            return _End(event("target", f"its process cannot be started: {problem.strerror}"))
        running.add(process)
        try:
            code = process.wait(limits.seconds + GRACE)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(process)
            running.discard(process)
    return _ended(folder, code, limits)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all that it started."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _ended(folder: Path, code: int | None, limits: Limits) -> _End:
    if code == 0 and (folder / "answer.json").exists():
        return _End(lost=False)
    written = _text(folder / "place.txt")
    operation, place = where(written)
    if code is None or written.startswith("Timeout"):
        return _End(event(operation, f"took longer than {limits.seconds:g} s", place))
    last = _last_line(_text(folder / "stderr.txt"))
    if "MemoryError" in last or "bad_alloc" in last:
        return _End(event(operation, f"needed more than {limits.memory_mb} MiB", place))
    if code < 0:
        return _End(event(operation, f"the process died here ({ending(code)})", place), died=code not in _FROM_OUTSIDE)
    reason = f"its process ended before the audit did ({ending(code)})"
    return _End(event("target", f"{reason}: {last}" if last else reason), lost=False)


def where(written: str) -> tuple[str, tuple[str, int] | None]:
    """The operation and the source line in what :mod:`faulthandler` wrote; ``target`` where it is in no operation.

    >>> text = '''Fatal Python error: Floating point exception
    ...
    ... Current thread 0x1 (most recent call first):
    ...   File "dsl_packages/cutlass/cute/core.py", line 9 in logical_product
    ...   File "dsl_packages/cutlass/base_dsl/dsl.py", line 7 in wrapper
    ...   File "kernel.py", line 12 in host
    ... '''
    >>> where(text)
    ('logical_product', ('kernel.py', 12))
    >>> where("")
    ('target', None)
    """
    inside: list[str] = []
    for file, line, name in _FRAME.findall(written):
        if is_of_the_dsl(file):
            inside.append(name)
        elif not file.startswith("<"):
            return called(inside), (file, int(line))
    return (inside[-1] if inside else "target"), None


_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)


def _audits(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What was decided of the traces, and an event for each of which nothing was."""
    decided, lost = [], []
    for number in range(sum(1 for _ in folder.glob("trace-*.json"))):
        found = _read(folder / f"audit-{number}.json")
        if found is None:
            name = (_read(folder / f"trace-{number}.json") or {}).get("name", "")
            lost.append(event("target", f"the trace {name} was not decided"))
        else:
            decided.append(found)
    return decided, lost


def _read(path: Path) -> dict[str, Any] | None:
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return told
    except (OSError, ValueError):
        return None


def _text(path: Path) -> str:
    """The end of a file's text; none where there is no file."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MOST_READ))
            return file.read().decode("utf-8", errors="replace")
    except OSError:
        return ""


def _last_line(text: str) -> str:
    return next((line.strip()[:300] for line in reversed(text.splitlines()) if line.strip()), "")


def boot_command(python: str, code: str, *arguments: str) -> list[str]:
    """The command that runs code in an interpreter which finds this very package, though it may not have it."""
    return [python, "-c", _BOOT, json.dumps(_rooms()), code, *arguments]


def _rooms() -> dict[str, str]:
    """Where this package and its rooms lie, for an interpreter that does not have them."""
    found = {}
    for room in _ROOMS:
        name = __name__.split(".")[0] + room
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        found[name] = str(Path(spec.origin).resolve().parent)
    return found
