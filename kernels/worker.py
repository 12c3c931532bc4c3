"""One process of the validation: takes a row a line on standard input, gives a verdict a line on standard output.

CuTe DSL and a driver can take a process with them; what dies here loses the row that it was at, and no other.
``python -m veritile.kernels.worker`` is started by :mod:`.validation`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from dataclasses import replace
from functools import cache
from typing import Any

from ..model.errors import InputError, VeritileError
from ..proofs.plan_certificate import PlanRefused, check_plan_certificate
from .bundle import certificate_of, is_elsewhere
from .gate import GateClosed, Kernel, admit
from .registry import kernel_modules, load
from .rows import Row, rows
from .sources import check, held, states

Answer = dict[str, Any]
UNABLE = ("OUT_OF_MEMORY", "no CUDA bindings", "no CUDA driver", "NO_DEVICE", "NOT_INITIALIZED", "INSUFFICIENT_DRIVER")
"""What a driver says that speaks of the machine, not of the kernel."""


def judge(task: dict[str, Any]) -> Answer:
    """The verdict on a row for an architecture: proved, certified, through the gate, then compiled or run.

    ``task`` has ``title``, ``architecture``, and where they are meant ``certificate``, ``device``, ``emulate``,
    ``compile``, ``file``, ``sources`` (their digests: :mod:`.sources`). Nothing is raised for a row that fails.

    >>> judge({"title": "copy/1D/f32", "architecture": "sm_80", "emulate": True})["reason"]
    'proved: 32 obligations; emulated: agrees'
    """
    begun = time.perf_counter()
    try:
        answer = _judged(task)
    except PlanRefused as refused:
        answer = {**_of_plan(refused), "elsewhere": is_elsewhere(refused)}
    except GateClosed as closed:
        # What the plan owes may be unknown at the gate too; any other certificate is refused for itself.
        cause = closed.__cause__
        answer = _of_plan(cause) if isinstance(cause, PlanRefused) else {"verdict": "refuted", "reason": _line(closed)}
    except (_Unknown, InputError) as problem:
        answer = {"verdict": "unknown", "reason": _line(problem)}
    except VeritileError as problem:
        answer = {"verdict": "refuted", "reason": _line(problem)}
    except Exception as problem:  # noqa: BLE001 - a mistake of ours must lose one row
        answer = {"verdict": "unknown", "reason": f"internal error: {type(problem).__name__}: {_line(problem)}"}
    return {**answer, "time_ms": round((time.perf_counter() - begun) * 1000, 1)}


def _of_plan(refused: PlanRefused) -> Answer:
    """What an obligation that does not hold says of a row: its verdict and its witness."""
    witness = refused.witness.as_dict() if refused.witness else None
    return {"verdict": refused.verdict.value, "reason": _line(refused), "witness": witness}


def _judged(task: dict[str, Any]) -> Answer:
    from . import validate

    found: Answer
    run = task.get("sources", {})
    check(run, held(run))
    check(run, _imported())
    own = load(task["file"]) if task.get("file") else None
    row = _row(task, own)
    certificate = task.get("certificate") or certificate_of(row, task["architecture"])
    if row.kernel not in kernel_modules() and task.get("certificate"):
        plan = check_plan_certificate(certificate)
        if plan.kernel:
            raise _Unknown(f"the kernel {plan.kernel.get('name')} is not known here: select its file as well")
        found = {"size": None, "digest": plan.digest, "worst": 0.0, "verdict": "proved"}
        return {**found, "reason": f"proved: {len(plan.owed())} obligations; no kernel is built from it"}
    count = len(certificate["obligations"]) if isinstance(certificate.get("obligations"), list) else 0
    kernel = admit(row.kernel, certificate)
    row = replace(row, make=lambda: kernel.plan)
    done = [f"proved: {count} obligations"]
    found = {"size": _size(kernel), "digest": kernel.certified.digest, "worst": 0.0}
    results = []
    if task.get("emulate"):
        results.append(validate.emulated(row))
    if task.get("device") is not None and not (results and not results[-1].holds):
        results.append(_ran(row, kernel, task["device"]))
    elif task.get("compile"):
        results.append(validate.compiled(row, kernel))
    for result in results:
        if not result.holds:
            verdict = "unknown" if any(word in result.reason for word in UNABLE) else "refuted"
            return {
                **found,
                "verdict": verdict,
                "reason": _plain(f"{result.check}: {result.reason}"),
                "worst": result.worst,
            }
        done.append(f"{result.check}: {result.reason}")
        found["worst"] = max(found["worst"], result.worst)
    return {**found, "verdict": "proved", "reason": "; ".join(done)}


@cache
def _imported() -> dict[str, str]:
    """The digests of the sources here once all kernels are imported: one that is as it was held was imported so."""
    kernel_modules()
    return states()


class _Unknown(VeritileError):
    """What leaves a row undecided."""


def _row(task: dict[str, Any], own: Any = None) -> Row:
    """The row of a task; that of a bundle is made of its entry, and its plan comes from the certificate alone."""
    if task.get("certificate"):
        parts: list[str] = [*str(task["title"]).split("/"), ""]
        kernel, name = parts[0], parts[1]

        def none() -> Any:
            raise InputError("the plan of a bundle's row is its certificate's")

        return Row(kernel, name, str(task.get("dtype", "")), none, bool(task.get("special")))
    found = [row for row in (own.rows() if own else rows()) if row.title == task["title"]]
    if not found:
        raise InputError(f"there is no row {task['title']}")
    return found[0]


def _size(kernel: Kernel) -> int:
    """Elements of what the kernel writes."""
    return sum(operand.size for operand in kernel.operands if operand.written)


@cache
def _device(number: int) -> Any:
    from .launch import Device

    return Device(number)


def _ran(row: Row, kernel: Kernel, number: int) -> Any:
    from . import validate

    try:
        device = _device(number)
    except VeritileError as problem:
        return validate.Result(row.title, "ran", False, f"no CUDA device: {_line(problem)}; NO_DEVICE")
    if device.architecture != kernel.architecture:
        return validate.compiled(row, kernel)
    return validate.ran(row, kernel, device)


def _line(problem: BaseException) -> str:
    return _plain((str(problem).splitlines() or [type(problem).__name__])[0])


def _plain(text: str) -> str:
    """A line without a terminal's colours, and not too long."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)[:400]


def main() -> None:
    """Reads tasks until standard input ends; what others print goes to standard error, not among the answers."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in sys.stdin:
        task = json.loads(line)
        answers.write(json.dumps(judge(task)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
