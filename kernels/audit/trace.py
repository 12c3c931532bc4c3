"""The text of every kernel that CuTe DSL traces: nothing is run, nothing is changed, the DSL's own hook is asked.

The hook is called when a trace is finished, before it is lowered, for every compile in the process: ``cute.compile``,
a call of a ``@cute.jit`` function, and those that a library does. Operands are never reached through the DSL's
bindings, which can end the process; the module is asked for its text alone.
"""

from __future__ import annotations

import linecache
import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...model.errors import VeritileError

ENVIRONMENT = {"CUTE_DSL_LINEINFO": "1", "CUTE_DSL_NO_CACHE": "1", "CUTE_DSL_DISABLE_FILE_CACHING": "1"}
"""What the DSL reads at its import: source lines in the trace, and no cache, which would hide one."""


class NoDSL(VeritileError):
    """CuTe DSL is not there, or is one without the hook; in one line."""


@dataclass(frozen=True)
class Traced:
    """One trace: its name in the DSL, its text, and the seconds that it took to write the text."""

    name: str
    text: str
    seconds: float


class LeftOut:
    """What a compile that was left out gives: a call of it, or of anything in it, does nothing and gives it again."""

    def __call__(self, *_: Any, **__: Any) -> LeftOut:
        """Itself."""
        return self

    def __getattr__(self, name: str) -> LeftOut:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


@dataclass
class Clock:
    """Seconds spent in ``cute.compile`` while a trace was listened to, the listeners' own taken off."""

    compile: float = 0.0
    listening: float = 0.0

    def as_dict(self) -> dict[str, float]:
        """Both in milliseconds."""
        return {"compile_ms": round(self.compile * 1000, 1), "listening_ms": round(self.listening * 1000, 1)}


@contextmanager
def tracing(on_trace: Callable[[Traced], None], leave_out: Callable[[], bool] = lambda: False) -> Iterator[Clock]:
    """Tells ``on_trace`` of every trace in the block; source lines are on in it. NoDSL where there is none.

    ``leave_out`` is asked before each ``cute.compile`` whether it is left out; its result then does nothing when it is
    called. What ``on_trace`` raises ends that compile, as an error of the DSL.
    """
    instances, callable_ = _dsl()
    clock = Clock()

    def hook(owner: Any, module: Any, name: str) -> None:
        begun = time.perf_counter()
        try:
            text = module.operation.get_asm(print_generic_op_form=True, use_local_scope=True, enable_debug_info=True)
            on_trace(Traced(str(name), text, time.perf_counter() - begun))
        finally:
            clock.listening += time.perf_counter() - begun

    plain = callable_.__call__

    def timed(self: Any, *args: Any, **kwargs: Any) -> Any:
        if leave_out():
            return LeftOut()
        begun, heard = time.perf_counter(), clock.listening
        try:
            return plain(self, *args, **kwargs)
        finally:
            clock.compile += time.perf_counter() - begun - (clock.listening - heard)

    lines = [one.envar.lineinfo for one in instances]
    unlocated = _locate_tiled_copies()
    callable_.__call__ = timed
    for one in instances:
        one.envar.lineinfo = True
        one.register_trace_finalize_hook(hook)
    try:
        yield clock
    finally:
        callable_.__call__ = plain
        unlocated()
        for one, before in zip(instances, lines, strict=True):
            one.envar.lineinfo = before
            one._trace_finalize_hooks.remove(hook)


def _locate_tiled_copies() -> Callable[[], None]:
    """Gives ``cute.make_tiled_copy`` its caller's line, which 4.8.1 forgets: all it makes stands at the function's.

    It alone of the DSL's public functions lacks the decorator that notes the line. Whoever imported the function itself
    before keeps it as it is. What comes back undoes it.
    """
    from cutlass import cute
    from cutlass.cutlass_dsl import dsl_user_op

    plain = cute.make_tiled_copy
    if not hasattr(plain, "__wrapped__"):
        cute.make_tiled_copy = dsl_user_op(plain)

    def undo() -> None:
        cute.make_tiled_copy = plain

    return undo


def _dsl() -> tuple[list[Any], Any]:
    """The DSL's instances, and the class of ``cute.compile``."""
    try:
        from cutlass.base_dsl.compiler import CompileCallable
        from cutlass.cutlass_dsl.cutlass import CuTeDSL, CuteExperimentalDSL
    except ImportError as missing:
        first = (str(missing).splitlines() or [""])[0]
        raise NoDSL(f"CuTe DSL cannot be imported here: {first}") from missing
    instances = [kind._get_dsl() for kind in (CuTeDSL, CuteExperimentalDSL)]
    if not all(hasattr(one, "register_trace_finalize_hook") for one in instances):
        raise NoDSL("this CuTe DSL has no hook for finished traces: version 4.8.1 has one")
    return instances, CompileCallable


def unfinished(problem: BaseException) -> Traced | None:
    """The trace that an exception ended, as far as it came; None where none was going on.

    The module is found where the DSL's function that builds it was left, before it was finished: a finished trace was
    told of already.
    """
    for frame, _ in traceback.walk_tb(problem.__traceback__):
        if frame.f_code.co_name == _BUILDS and is_of_the_dsl(frame.f_code.co_filename):
            module = dict(frame.f_locals).get("module")
            if module is None:
                return None
            begun = time.perf_counter()
            text = module.operation.get_asm(print_generic_op_form=True, use_local_scope=True, enable_debug_info=True)
            return Traced("unfinished", text, time.perf_counter() - begun)
    return None


_BUILDS = "build_ir_module"


def is_of_the_dsl(file: str) -> bool:
    """Whether a source file is one of the DSL's own."""
    return f"{os.sep}dsl_packages{os.sep}" in f"{os.sep}{file}"


def innermost(problem: BaseException) -> dict[str, Any] | None:
    """Where an exception left the code that is audited: its innermost frame outside the DSL and this package.

    ``operation`` is the public function of the DSL that was called there, ``target`` where there is none; ``file``,
    ``line``, ``column`` (from 1, None where Python does not tell) and ``source``.
    """
    inside: list[str] = []
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if is_of_the_dsl(frame.filename):
            inside.append(frame.name)
        elif os.path.dirname(os.path.realpath(frame.filename)) == _HERE or frame.filename.startswith("<"):
            continue
        else:
            column = None if frame.colno is None else frame.colno + 1
            source = linecache.getline(frame.filename, frame.lineno or 0).strip() or None
            place = {"file": frame.filename, "line": frame.lineno, "column": column, "source": source}
            return {"operation": called(inside), **place}
    return None


_HERE = os.path.dirname(os.path.realpath(__file__))
_WRAPPERS = frozenset({"wrapper", "inner", "timed", "decorator"})


def called(inside: Sequence[str]) -> str:
    """The DSL's function that was called from outside, of the names of its frames, the innermost first.

    >>> called(["__init__", "size", "wrapper"]), called([])
    ('size', 'target')
    """
    named = [one for one in reversed(inside) if one not in _WRAPPERS and not one.startswith("_")]
    return named[0] if named else "target"


def version() -> str | None:
    """The version of the DSL that is installed here; None where there is none."""
    from importlib import metadata

    try:
        return metadata.version("nvidia-cutlass-dsl")
    except metadata.PackageNotFoundError:
        return None
