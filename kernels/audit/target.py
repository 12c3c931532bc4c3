"""A target done: its file or module run, or what it names made and compiled with fake arguments, all in this process.

Nothing here looks at a trace: :mod:`.trace` listens meanwhile. A file with arguments and no name is compiled by its
only ``@cute.jit`` function.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import runpy
import sys
from collections.abc import Mapping
from typing import Any

from ...model.errors import InputError
from .arguments import made, read_argument

Task = Mapping[str, Any]


def perform(task: Task) -> None:
    """Does what :meth:`.recipe.Target.as_task` tells. InputError where it is no target; else whatever it raises."""
    place, name = task["place"], task["name"]
    if name is None and not task["args"] and not task["make"]:
        _run(place)
        return
    module = _module(place)
    if name is None:
        name, found = _only(module, place)
    else:
        found = _attribute(module, name, place)
    _compile(name, found, task)


def _run(place: str) -> None:
    """Runs a file or a module as a program."""
    if place.endswith(".py"):
        sys.argv = [place]
        sys.path.insert(0, os.path.dirname(place))
        runpy.run_path(place, run_name="__main__")
        return
    sys.argv = [place]
    _found(place)
    runpy.run_module(place, run_name="__main__", alter_sys=True)


def _found(place: str) -> None:
    try:
        spec = importlib.util.find_spec(place)
    except ModuleNotFoundError as missing:
        raise InputError(f"there is no module {missing.name or place}") from None
    if spec is None:
        raise InputError(f"there is no module {place}")


def _module(place: str) -> Any:
    if not place.endswith(".py"):
        _found(place)
        return importlib.import_module(place)
    name = os.path.basename(place)[:-3]
    sys.path.insert(0, os.path.dirname(place))
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _attribute(module: Any, name: str, place: str) -> Any:
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise InputError(f"there is no {name} in {os.path.basename(place)}")
        found = getattr(found, part)
    return found


def _only(module: Any, place: str) -> tuple[str, Any]:
    """The only ``@cute.jit`` function that a module defines."""
    own = [
        (name, value)
        for name, value in vars(module).items()
        if inspect.isfunction(value) and is_jit(value) and value.__module__ == module.__name__
    ]
    if len(own) != 1:
        names = ", ".join(name for name, _ in own) or "none"
        file = os.path.basename(place)
        raise InputError(f"{file} has not one @cute.jit function but {names}: name one, {file}:NAME")
    return own[0]


def is_jit(value: Any) -> bool:
    """Whether ``cute.compile`` takes it: a ``@cute.jit`` function, or an object whose ``__call__`` is one."""
    call = value if inspect.isroutine(value) else getattr(type(value), "__call__", None)  # noqa: B004 - itself is meant
    call = getattr(call, "__func__", call)
    while call is not None:
        if getattr(call, "_decorator_kind", "") == "jit":
            return True
        call = getattr(call, "__wrapped__", None)
    return False


def _compile(name: str, found: Any, task: Task) -> None:
    if not is_jit(found):
        found = _called(name, found, task["make"])
        if isinstance(found, tuple) and found and is_jit(found[0]):
            _cute_compile(found[0], found[1:], {})
            return
        if not is_jit(found):
            if task["args"]:
                raise InputError(f"{name} gives no @cute.jit function that could take the arguments")
            return  # what it compiled itself was listened to
    elif task["make"]:
        raise InputError(f"{name} is a @cute.jit function: nothing makes it")
    arguments = made({key: read_argument(value) for key, value in task["args"].items()})
    signature = inspect.signature(found)
    _check(name, signature, arguments, "a fake argument")
    _cute_compile(found, (), arguments)


def _called(name: str, factory: Any, values: Mapping[str, Any]) -> Any:
    if not callable(factory):
        raise InputError(f"{name} is a {type(factory).__name__}, neither a @cute.jit function nor one that makes one")
    arguments = made({key: read_argument(value) for key, value in values.items()})
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return factory(**arguments)
    _check(name, signature, arguments, "an argument")
    return factory(**arguments)


def _check(name: str, signature: inspect.Signature, arguments: Mapping[str, Any], what: str) -> None:
    """InputError for an argument that is unknown or missing."""
    parameters = signature.parameters.values()
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    known = [one.name for one in parameters if one.kind in _BY_NAME]
    for given in arguments:
        if given not in known and not takes_any:
            raise InputError(f"{name} has no parameter {given}: it has {', '.join(known) or 'none'}")
    for one in parameters:
        if one.name not in arguments and one.default is inspect.Parameter.empty and one.kind in _NEEDED:
            raise InputError(f"{what} is missing: {name} needs {one.name}")


_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_NEEDED = (*_BY_NAME, inspect.Parameter.POSITIONAL_ONLY)


def _cute_compile(found: Any, positional: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    from cutlass import cute

    cute.compile(found, *positional, **named)
