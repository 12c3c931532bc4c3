"""The validation: every row proved, certified, taken through the gate, compiled or run, in processes of its own.

    python -m veritile.kernels.validation [--select PATTERN] [--bundle FILE] [--device N] [--shard I/N] [--json FILE]

needs NumPy and CuTe DSL, for ``--device`` CUDA's Python bindings, and nothing else; ``veritile validate`` is the same.
A process that dies or takes too long loses the row it was at, which says so; the others go on.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import os
import queue
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ..model.errors import InputError, VeritileError
from ..model.version import VERSION
from .build import kept_in
from .bundle import read_bundle
from .registry import load
from .rows import Row, rows
from .sources import states

DSL = "4.8.1"
"""The version of CuTe DSL that the kernels are written for."""
Task = dict[str, Any]
Answer = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """The rows, each with its verdict, in the order of the tasks; which shard of which selection they are."""

    rows: tuple[Answer, ...]
    total: int
    shard: tuple[int, int] = (1, 1)
    select: tuple[str, ...] = ()
    mode: str = "compile-only"
    elsewhere: tuple[Answer, ...] = ()
    time_ms: float = 0.0

    @property
    def summary(self) -> dict[str, Any]:
        """Counts by verdict, and what was run."""
        counts = {name: sum(row["verdict"] == name for row in self.rows) for name in ("proved", "refuted", "unknown")}
        return {"rows": len(self.rows), **counts, "not_allowed": len(self.elsewhere), "time_ms": self.time_ms}

    @property
    def exit_code(self) -> int:
        """0 all proved, 1 one is refuted, 3 one is unknown, or there is none."""
        found = {row["verdict"] for row in self.rows}
        return 1 if "refuted" in found else 3 if "unknown" in found or not found else 0

    def as_dict(self) -> dict[str, Any]:
        """Plain data; parts of one selection are joined by :func:`join`."""
        part = {"shard": list(self.shard), "select": list(self.select), "mode": self.mode, "total": self.total}
        rest = {"not_allowed": list(self.elsewhere), "part": part, "version": VERSION}
        return {"rows": list(self.rows), "summary": self.summary, **rest}


def tasks_of(
    select: Iterable[str] = (), *, bundle: str | None = None, device: int | None = None, here: str | None = None
) -> list[Task]:
    """What is to be done: a row on each architecture that its kernel is for, the last with its emulation.

    On a device (of the architecture ``here``) a row runs there, and a kernel for others only is compiled.
    ``select`` are patterns of titles, or files of one's own kernels (given by their whole paths to the workers). Each
    task has the digests of the sources, as they are now: a worker that finds others says so.

    >>> [(t["title"], t["architecture"]) for t in tasks_of(["copy/1D/f32"])][:2]
    [('copy/1D/f32', 'sm_80'), ('copy/1D/f32', 'sm_90a')]
    """
    patterns = tuple(select)
    globs, own = [p for p in patterns if not p.endswith(".py")], [_whole(p) for p in patterns if p.endswith(".py")]
    sources = states(own)
    loaded = {load(path).NAME: path for path in own}
    made: list[Task] = []
    if bundle is not None:
        for entry in read_bundle(bundle):
            if globs and not any(fnmatchcase(entry.title, p) for p in globs):
                continue
            task = {"title": entry.title, "architecture": entry.architecture, "certificate": entry.certificate}
            file = loaded.get(entry.title.split("/")[0])
            made.append({**task, "dtype": entry.dtype, "special": entry.special, "file": file})
    else:
        found: list[tuple[Row, str | None]] = [(row, None) for row in (rows(globs) if globs or not own else [])]
        found += [(row, path) for path in own for row in load(path).rows()]
        made = [
            {"title": row.title, "architecture": architecture, "dtype": row.dtype, "file": file}
            for row, file in found
            for architecture in row.module.ARCHITECTURES
        ]
    if not made:
        raise InputError(f"no row is selected: {' '.join(patterns) or 'nothing is there'}")
    return [{**task, "sources": sources} for task in _placed(made, device, here)]


def _whole(path: str) -> str:
    return str(Path(path).resolve())


def _placed(made: list[Task], device: int | None, here: str | None) -> list[Task]:
    """Where each task is done: on the device what is for it, compiled what is for others only."""
    by_row: dict[str, list[Task]] = {}
    for task in made:
        by_row.setdefault(task["title"], []).append(task)
    placed = []
    for together in by_row.values():
        if device is not None and here in {task["architecture"] for task in together}:
            together = [task for task in together if task["architecture"] == here]
            placed += [{**task, "device": device} for task in together]
            continue
        last = together[-1]  # the architecture that allows most
        placed += [{**task, "compile": True, "emulate": task is last} for task in together]
    return placed


def parse_shard(text: str) -> tuple[int, int]:
    """``i/n``: the part i of n, counted from 1.

    >>> parse_shard("2/3")
    (2, 3)
    """
    first, slash, last = text.partition("/")
    if not (slash and first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= 10**6):
        raise InputError("a part is i/n, from 1/n to n/n", text, 0)
    return int(first), int(last)


def missing_dsl() -> str | None:
    """Why CuTe DSL cannot be used here, in one line; None where it can."""
    if importlib.util.find_spec("cutlass") is None or importlib.util.find_spec("cutlass.cute") is None:
        return f"CuTe DSL is not installed here: pip install nvidia-cutlass-dsl=={DSL}"
    try:
        found = importlib.metadata.version("nvidia-cutlass-dsl")
    except importlib.metadata.PackageNotFoundError:
        return f"CuTe DSL is here without its package: pip install nvidia-cutlass-dsl=={DSL}"
    return None if found == DSL else f"CuTe DSL {found} is here, and {DSL} is meant: its layouts may differ"


def architecture_of(device: int, seconds: float = 60.0) -> str | None:
    """The architecture of a device, asked in a process of its own; None where there is none."""
    code = f"from veritile.kernels.launch import Device; print(Device({device}).architecture)"
    try:
        asked = subprocess.run(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            env=_environment(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = asked.stdout.split()
    return words[-1] if asked.returncode == 0 and words else None


def run_tasks(
    tasks: list[Task],
    *,
    jobs: int = 2,
    seconds: float = 120.0,
    command: tuple[str, ...] = (),
    on_row: Callable[[Answer], None] | None = None,
) -> list[Answer]:
    """The answer to every task, in their order; ``jobs`` processes side by side, each row at most ``seconds`` long.

    ``command`` starts a worker (this interpreter's where none is given). ``on_row`` is told each answer as it comes.
    """
    answers: list[Answer | None] = [None] * len(tasks)
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(tasks)):
        waiting.put(number)
    told = threading.Lock()
    stop = threading.Event()

    def serve(worker: _Worker) -> None:
        try:
            while not stop.is_set():
                try:
                    number = waiting.get_nowait()
                except queue.Empty:
                    return
                answer = {**_head(tasks[number]), **worker.ask(tasks[number], seconds)}
                answers[number] = answer
                if on_row is not None:
                    with told:
                        on_row(answer)
        finally:
            worker.end()

    with tempfile.TemporaryDirectory(prefix="veritile-") as folder:
        workers = [_Worker(command, folder) for _ in range(max(1, min(jobs, len(tasks))))]
        threads = [threading.Thread(target=serve, args=(worker,), daemon=True) for worker in workers]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        finally:
            stop.set()
            for worker in workers:
                worker.end()
            for thread in threads:
                thread.join(5)
    lost = {"verdict": "unknown", "reason": "its process could not be started"}
    return [{**_head(task), **lost} if a is None else a for task, a in zip(tasks, answers, strict=True)]


def _head(task: Task) -> Answer:
    parts: list[str] = [*str(task["title"]).split("/"), "", ""]
    told = {"kernel": parts[0], "row": parts[1], "dtype": task.get("dtype") or parts[2], "size": None}
    return {**told, "arch": task["architecture"], "verdict": "unknown", "reason": None}


@dataclass
class _Worker:
    """A worker's process, started when it is asked and again after a death."""

    command: tuple[str, ...]
    folder: str
    process: subprocess.Popen[bytes] | None = None
    lock: Any = field(default_factory=threading.Lock)
    ended: bool = False

    def ask(self, task: Task, seconds: float) -> Answer:
        """The answer to a task; where the process dies or takes too long, one that says so."""
        try:
            process = self._started()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps(task).encode() + b"\n")
            process.stdin.flush()
            line = _line(process.stdout, time.monotonic() + seconds)
        except OSError as problem:
            self._kill()
            return {"verdict": "unknown", "reason": f"its process cannot be reached: {problem.strerror or problem}"}
        if line is None:
            self._kill()
            return {"verdict": "unknown", "reason": f"took longer than {seconds:g} s"}
        if not line.endswith(b"\n"):
            process.wait()
            code = process.returncode
            self._kill()
            return {"verdict": "unknown", "reason": f"its process died ({ending(code)})"}
        try:
            answer: Answer = json.loads(line)
        except ValueError:
            self._kill()
            return {"verdict": "unknown", "reason": "its process gave no answer that can be read"}
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        with self.lock:
            if self.ended:
                raise OSError("it was ended")
            if self.process is None:
                command = self.command or (sys.executable, "-m", f"{__package__}.worker")
                self.process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=self.folder,
                    env={**_environment(), **kept_in(self.folder)},
                )
            return self.process

    def _kill(self) -> None:
        with self.lock:
            process, self.process = self.process, None
        if process is not None:
            process.kill()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            process.wait()

    def end(self) -> None:
        """Ends the process for good."""
        with self.lock:
            self.ended = True
        self._kill()


def _line(stream: Any, until: float) -> bytes | None:
    """A line, without its end where the stream ends before; None when it does not come in time."""
    got = b""
    while not got.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or not select.select([stream], [], [], left)[0]:
            return None
        part = os.read(stream.fileno(), 1 << 16)
        if not part:
            return got
        got += part
    return got


def ending(code: int) -> str:
    """How a process ended, by its exit status.

    >>> ending(-9), ending(1)
    ('signal SIGKILL', 'exit status 1')
    """
    import signal

    try:
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
    except ValueError:
        return f"signal {-code}"


def _environment() -> dict[str, str]:
    """The environment of a worker: it finds this package as this process does, and keeps no compiled kernels."""
    paths = [str(Path(p or ".").resolve()) for p in sys.path if (Path(p or ".") / "veritile").is_dir()]
    known = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([*paths, *([known] if known else [])])
    return {"CUTE_DSL_NO_CACHE": "1", **os.environ, **({"PYTHONPATH": path} if path else {})}


def validate(
    select: Iterable[str] = (),
    *,
    bundle: str | None = None,
    device: int | None = None,
    shard: tuple[int, int] = (1, 1),
    jobs: int = 2,
    seconds: float = 120.0,
    on_row: Callable[[Answer], None] | None = None,
    notice: Callable[[str], None] = lambda text: None,
) -> Report:
    """The report on the selected rows; ``notice`` is told once, in a line, what keeps them from being decided.

    ``device`` None is compile-only. A row that an architecture's limits forbid is no row of it, and told apart.
    """
    begun = time.perf_counter()
    patterns = tuple(select)
    here, missing = None, missing_dsl()
    if missing is None and device is not None:
        here = architecture_of(device)
        missing = None if here else f"no CUDA device {device} can be used here"
    everything = tasks_of(patterns, bundle=bundle, device=device, here=here)
    tasks = everything[shard[0] - 1 :: shard[1]]
    if missing is not None:
        notice(missing)
        answers = [{**_head(task), "reason": missing} for task in tasks]
    else:
        answers = run_tasks(tasks, jobs=jobs, seconds=seconds, on_row=on_row)
    elsewhere = tuple(answer for answer in answers if answer.pop("elsewhere", False))
    mode = "compile-only" if device is None else f"device {device} ({here})"
    kept = tuple(answer for answer in answers if not any(answer is other for other in elsewhere))
    spent = round((time.perf_counter() - begun) * 1000, 1)
    return Report(kept, len(everything), shard, patterns, mode, elsewhere, spent)


def join(parts: Iterable[Any]) -> Report:
    """One report of the parts of one selection, each as :meth:`Report.as_dict` gave it; InputError where one lacks."""
    found: dict[int, dict[str, Any]] = {}
    shape: tuple[Any, ...] | None = None
    for part in parts:
        try:
            i, n = part["part"]["shard"]
            this = (n, tuple(part["part"]["select"]), part["part"]["mode"], part["part"]["total"])
            rows_, elsewhere = list(part["rows"]), list(part["not_allowed"])
            spent = float(part["summary"]["time_ms"])
        except (KeyError, TypeError, ValueError):
            raise InputError("a part is what `veritile validate --json` printed, and one is not") from None
        if shape is not None and this != shape:
            raise InputError("the parts are of different selections, modes or numbers of parts")
        if i in found:
            raise InputError(f"part {i} of {n} is there twice")
        shape = this
        found[i] = {"rows": rows_, "elsewhere": elsewhere, "time_ms": spent}
    if shape is None:
        raise InputError("there are no parts to join")
    count, select_, mode, total = shape
    lacking = [i for i in range(1, count + 1) if i not in found]
    if lacking:
        raise InputError(f"part {lacking[0]} of {count} is missing")
    ordered = [found[i] for i in sorted(found)]
    joined = tuple(row for part in ordered for row in part["rows"])
    elsewhere_ = tuple(row for part in ordered for row in part["elsewhere"])
    if len(joined) + len(elsewhere_) != total:
        raise InputError(f"the parts have {len(joined) + len(elsewhere_)} rows of {total}")
    spent = round(sum(part["time_ms"] for part in ordered), 1)
    return Report(joined, total, (1, 1), select_, mode, elsewhere_, spent)


def row_line(answer: Answer) -> str:
    """A row as a line of text."""
    title = "/".join(part for part in (answer["kernel"], answer["row"], answer["dtype"]) if part)
    return f"{answer['verdict']:<8} {title} {answer['arch']}: {answer['reason']}"


def _tell(answer: Answer) -> None:
    if not answer.get("elsewhere"):
        print(row_line(answer), flush=True)


def main(arguments: list[str] | None = None) -> int:
    """The command line for a machine that has neither click nor solvers."""
    parser = argparse.ArgumentParser(prog="python -m veritile.kernels.validation", description=__doc__.split("\n")[0])
    parser.add_argument("--select", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--bundle", metavar="FILE")
    parser.add_argument("--device", type=int, metavar="N", help="run there; not given: compile only")
    parser.add_argument("--shard", default="1/1", metavar="I/N")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=float, default=120.0, metavar="SECONDS")
    parser.add_argument("--json", metavar="FILE", help="the report; - for standard output")
    given = parser.parse_args(arguments)
    try:
        report = validate(
            given.select,
            bundle=given.bundle,
            device=given.device,
            shard=parse_shard(given.shard),
            jobs=given.jobs,
            seconds=given.budget,
            on_row=None if given.json == "-" else _tell,
            notice=lambda text: print(text, file=sys.stderr),
        )
        text = json.dumps(report.as_dict())
        if given.json == "-":
            print(text)
        elif given.json:
            Path(given.json).write_text(text + "\n", encoding="utf-8")
        if given.json != "-":
            print(report.summary)
    except (VeritileError, OSError) as problem:
        print(str(problem).splitlines()[0], file=sys.stderr)
        return 2
    return report.exit_code


if __name__ == "__main__":
    raise SystemExit(main())
