"""Puts questions to one other tool: ``python peer_worker.py TOOL``, questions on standard input, one JSON list a line.

A question is ``[operation, operand, …]``, an operand an integer or ``[shape, stride]``. The first line of the answer is
``{"version": …}`` or ``{"missing": …}``; then one line a question, in order: ``["layout", shape, stride]``,
``["refused", sentence]`` or ``["died", how]``. This file imports nothing of the project.

The tool is imported once. Questions are answered in a forked child, since some of them kill the process: the parent
notes the death, forks again and goes on with the next question.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Callable
from importlib import metadata
from typing import Any

PATIENCE = 20.0
"""Seconds without an answer after which a child counts as hung."""


def tuples(value: Any) -> Any:
    """JSON lists as tuples."""
    return tuple(tuples(v) for v in value) if isinstance(value, list) else value


def integers(value: Any) -> Any:
    """A tree of whatever the tool uses as plain integers."""
    return tuple(integers(v) for v in value) if isinstance(value, (tuple, list)) else int(value)


def ask_pycute() -> Callable[..., Any]:
    """NVIDIA's pycute, from the nvidia-cutlass distribution."""
    import pycute

    def answer(operation: str, operands: list[Any]) -> Any:
        given = [pycute.Layout(*o) if isinstance(o, tuple) else o for o in operands]
        name = "logical_divide" if operation == "divide" else operation
        result = getattr(pycute, name)(*given)
        return integers(result.shape), integers(result.stride)

    return answer


def ask_tensor_layouts() -> Callable[..., Any]:
    """The tensor-layouts package."""
    import tensor_layouts

    names = {"composition": "compose", "divide": "logical_divide"}

    def answer(operation: str, operands: list[Any]) -> Any:
        given = [tensor_layouts.Layout(*o) if isinstance(o, tuple) else o for o in operands]
        result = getattr(tensor_layouts, names.get(operation, operation))(*given)
        return integers(result.shape), integers(result.stride)

    return answer


def ask_cute_dsl() -> Callable[..., Any]:
    """The CuTe DSL, without a kernel: static layouts in a bare module."""
    from cutlass import cute
    from cutlass._mlir import ir

    state: dict[str, Any] = {}

    def answer(operation: str, operands: list[Any]) -> Any:
        if not state:
            state["context"] = ir.Context()
            state["context"].__enter__()
            state["location"] = ir.Location.unknown()
            state["location"].__enter__()
            state["module"] = ir.Module.create()
            state["point"] = ir.InsertionPoint(state["module"].body)
            state["point"].__enter__()
        given = [cute.make_layout(o[0], stride=o[1]) if isinstance(o, tuple) else o for o in operands]
        name = "logical_divide" if operation == "divide" else operation
        result = getattr(cute, name)(*given)
        return read_layout(str(result.type))

    return answer


def read_layout(text: str) -> Any:
    """The static layout in a printed type such as ``!cute.layout<"(3,(2)):(2,(3))">``."""
    inside = text[text.index('"') + 1 : text.rindex('"')]
    shape, stride = inside.split(":")
    return read_tree(shape), read_tree(stride)


def read_tree(text: str) -> Any:
    """Integers and parentheses as nested tuples; ``(3)`` is a tuple of one."""
    stack: list[list[Any]] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").replace(",", " ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(int(token))
    return stack[0][0]


TOOLS: dict[str, tuple[str, Callable[[], Callable[..., Any]]]] = {
    "pycute": ("nvidia-cutlass", ask_pycute),
    "tensor-layouts": ("tensor-layouts", ask_tensor_layouts),
    "CuTe DSL": ("nvidia-cutlass-dsl", ask_cute_dsl),
}


def work(tool: Callable[..., Any], questions: list[Any], first: int, out: int) -> None:
    """Answer from the ``first`` question on, a line each."""
    with os.fdopen(out, "w", buffering=1) as pipe:
        for operation, *operands in questions[first:]:
            try:
                shape, stride = tool(operation, [tuples(o) for o in operands])
                line = ["layout", shape, stride]
            except Exception as error:  # noqa: BLE001 - whatever a tool raises is its refusal
                line = ["refused", f"{type(error).__name__}: {error}"[:200]]
            pipe.write(json.dumps(line) + "\n")


def forward(source: int, patience: float) -> tuple[int, bool]:
    """Copy whole lines to standard output until the child is done; how many, and whether it hung."""
    count, rest = 0, b""
    while True:
        ready, _, _ = select.select([source], [], [], patience)
        if not ready:
            return count, True
        block = os.read(source, 1 << 16)
        if not block:
            return count, False
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            sys.stdout.buffer.write(line + b"\n")
        count += len(lines)


def main(name: str) -> None:
    """Answer all of standard input."""
    distribution, load = TOOLS[name]
    try:
        tool = load()
        header = {"version": metadata.version(distribution)}
    except Exception as error:  # noqa: BLE001 - a tool that does not import is not installed
        print(json.dumps({"missing": f"{type(error).__name__}: {error}"[:200]}), flush=True)
        return
    print(json.dumps(header), flush=True)
    questions = [json.loads(line) for line in sys.stdin]
    done = 0
    while done < len(questions):
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            work(tool, questions, done, sink)
            os._exit(0)
        os.close(sink)
        count, hung = forward(source, PATIENCE)
        os.close(source)
        if hung:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        done += count
        if done < len(questions):
            how = "no answer" if hung else f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "exit"
            sys.stdout.buffer.write(json.dumps(["died", how]).encode() + b"\n")
            done += 1
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
