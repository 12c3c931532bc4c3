"""One process of the audit: does a target, writes every trace down as it comes, then decides them.

Started by :mod:`.isolation` with a folder that holds ``task.json``; what it leaves there is read, whatever becomes of
it:

``compile-N``     the Nth ``cute.compile`` was begun (counted from 0); the file is empty
``trace-N.json``  the Nth trace: its name, its text, the number of its compile
``answer.json``   the target is done: times, what stopped it
``audit-N.json``  what was decided of the Nth trace
``place.txt``     where the process was when it died or ran out of time, by :mod:`faulthandler`
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...model.errors import InputError, VeritileError

MOST_WRITTEN = 1 << 30  # bytes of one file, what a target prints among them


def main(folder: str) -> None:
    """Does the task of a folder; ends the process without what others left to be done at its end."""
    place = Path(folder)
    task = json.loads((place / "task.json").read_text(encoding="utf-8"))
    os.dup2(2, 1)  # what a target prints is no answer
    sys.stdout = sys.stderr
    _limit(task["memory_mb"])
    with (place / "place.txt").open("w") as dump:
        faulthandler.enable(dump, all_threads=False)
        faulthandler.dump_traceback_later(task["seconds"], exit=True, file=dump)
        answer = _traced(place, task) if task["perform"] else {}
        if task["perform"]:
            _write(place / "answer.json", answer)
        begun = time.perf_counter()
        _decide(place, task)
        if task["perform"]:
            answer["audit_ms"] = round(answer.get("audit_ms", 0.0) + (time.perf_counter() - begun) * 1000, 1)
            _write(place / "answer.json", answer)
        faulthandler.cancel_dump_traceback_later()
    sys.stderr.flush()
    os._exit(0)


def _traced(place: Path, task: Mapping[str, Any]) -> dict[str, Any]:
    """Does the target; what came of it."""
    from . import torch_stub
    from .audit import tables
    from .target import perform
    from .trace import NoDSL, Traced, innermost, tracing, unfinished, version

    begun = time.perf_counter()
    number = {"compile": -1, "trace": -1}
    skip = set(task["skip"])

    def leave_out() -> bool:
        number["compile"] += 1
        (place / f"compile-{number['compile']}").touch()
        return number["compile"] in skip

    def on_trace(traced: Traced) -> None:
        number["trace"] += 1
        told = {"name": traced.name, "text": traced.text, "compile": number["compile"]}
        _write(place / f"trace-{number['trace']}.json", told)

    answer: dict[str, Any] = {"dsl": version(), "stopped": None, "error": None}
    try:
        tables()  # what decides is imported with the rest
        answer["torch_stub"] = torch_stub.install()
        with tracing(on_trace, leave_out) as clock:
            answer["import_ms"] = round((time.perf_counter() - begun) * 1000, 1)
            try:
                perform(task)
            except (InputError, NoDSL):
                raise
            except SystemExit as ended:
                if ended.code not in (None, 0):
                    answer["stopped"] = f"it ended with exit status {ended.code}"
            except MemoryError:
                answer["stopped"] = f"it needed more than {task['memory_mb']} MiB"
            except BaseException as problem:  # noqa: BLE001 - whatever a target raises is told, and ends it alone
                answer["stopped"], answer["stopped_at"] = told_of(problem), innermost(problem)
                _write(place / "answer.json", answer)  # the DSL's own printer may end the process
                begun_trace = unfinished(problem)
                if begun_trace is not None:
                    on_trace(begun_trace)
            answer.update(clock.as_dict())
            answer["audit_ms"] = clock.listening * 1000  # what deciding takes comes to it
    except VeritileError as problem:
        answer["error"] = str(problem).split("\n")[0]
    return answer


def _decide(place: Path, task: Mapping[str, Any]) -> None:
    from .audit import Memory, as_dict, audit_text

    memory: Memory = {}
    for number in range(sum(1 for _ in place.glob("trace-*.json"))):
        told = json.loads((place / f"trace-{number}.json").read_text(encoding="utf-8"))
        found = as_dict(audit_text(told["text"], told["name"], memory, task["select"]))
        _write(place / f"audit-{number}.json", {**found, "compile": told["compile"]})


def _write(path: Path, told: Any) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(told), encoding="utf-8")
    os.replace(part, path)


def _limit(memory_mb: int) -> None:
    """Bounds the memory that this process may write to, and the size of a file that it may write (Linux)."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN,) * 2)
    except (ImportError, OSError, ValueError):
        pass  # not Linux, or a tighter limit is set already: the time limit alone holds


_DETAIL = re.compile(r'error: (?:(?:".*"\(".*":\d+:\d+\)|".*":\d+:\d+|unknown): )?(.*)')
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def told_of(problem: BaseException) -> str:
    """An exception in one line: its type and the first words of its text; a syntax error with its place.

    >>> told_of(ValueError("a\\nb"))
    'ValueError: a'
    >>> told_of(ValueError('creation failed:\\nerror: "c = f(a)"("k.py":10:6): the type has invalid values.'))
    'ValueError: creation failed: the type has invalid values.'
    """
    if isinstance(problem, SyntaxError) and problem.filename:
        return f"SyntaxError: {problem.msg} ({os.path.basename(problem.filename)}, line {problem.lineno})"
    lines = [line.strip() for line in _COLOUR.sub("", str(problem)).splitlines()]
    first = next((line for line in lines if any(sign.isalnum() for sign in line)), "")
    detail = next((found[1] for line in lines if (found := _DETAIL.match(line))), "")
    if detail and first.endswith(":"):
        first = f"{first} {detail}"
    return f"{type(problem).__name__}: {first}"[:300].rstrip(": ")
