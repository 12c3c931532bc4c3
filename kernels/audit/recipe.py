"""What is to be audited, as text: a target of the command line, or a recipe in TOML with several.

A target is a file, a dotted module, or either with a name after a colon::

    kernel.py                 run as a program; every compile that it does is audited
    package.module            the same
    kernel.py:host            a @cute.jit function (or an object with one as __call__), compiled with fake arguments
    package.module:make       a function that compiles, or that returns what is to be compiled, alone or with arguments

A recipe::

    [[kernel]]
    target = "package.module:Softmax"
    arch = "sm_90a"
    make = { dtype = "type bf16", n = 4096 }      # arguments of what makes the kernel
    args = { x = "bf16[m,4096]", o = "bf16[m,4096]" }   # fake arguments of the kernel
    environment = { NAME = "value" }              # set before anything is imported
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...model.errors import InputError
from .arguments import read_argument

ARCHITECTURES = ("sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103",
                 "sm_103a", "sm_103f", "sm_107", "sm_107a", "sm_107f", "sm_110", "sm_110a", "sm_110f", "sm_120",
                 "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f")  # fmt: skip
"""Those that CuTe DSL 4.8.1 knows."""
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_KEYS = {"target", "title", "arch", "args", "make", "environment"}


@dataclass(frozen=True)
class Target:
    """One thing to audit, in a process of its own.

    ``place`` is the whole path of a file, or a dotted module; ``name`` what is meant in it, None for all that it
    does when it is run. ``args`` and ``make`` are values as :func:`.arguments.read_argument` reads them.
    """

    title: str
    place: str
    name: str | None = None
    arch: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    make: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_file(self) -> bool:
        """Whether ``place`` is a file."""
        return self.place.endswith(".py")

    def as_task(self) -> dict[str, Any]:
        """Plain data for the process that traces it."""
        return {
            "title": self.title,
            "place": self.place,
            "name": self.name,
            "args": dict(self.args),
            "make": dict(self.make),
        }


def read_targets(texts: tuple[str, ...], folder: Path | None = None) -> list[Target]:
    """The targets that texts of the command line name; a text that ends in ``.toml`` is a recipe."""
    found: list[Target] = []
    for text in texts:
        found += read_recipe(Path(text)) if text.endswith(".toml") else [read_target(text, folder)]
    return found


def read_target(text: str, folder: Path | None = None) -> Target:
    """One target; a file is looked for from ``folder``, the current one where none is given.

    >>> target = read_target("quack.softmax:Softmax")
    >>> target.place, target.name, target.is_file
    ('quack.softmax', 'Softmax', False)
    >>> read_target("no such kernel.py")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: there is no file no such kernel.py
    """
    place, colon, name = text.rpartition(":")
    if not colon:
        place, name = text, ""
    elif not _MODULE.fullmatch(name):
        raise InputError("a name is expected after the colon, such as kernel.py:host", text, len(place) + 1)
    if place.endswith(".py"):
        path = (folder or Path.cwd()) / place
        if not path.is_file():
            raise InputError(f"there is no file {place}")
        return Target(text, str(path.resolve()), name or None)
    if not _MODULE.fullmatch(place):
        raise InputError("a target is a file.py, a dotted module, a recipe.toml, or with a name: module:name", text, 0)
    return Target(text, place, name or None)


def read_recipe(path: Path) -> list[Target]:
    """The kernels of a recipe; files in it are looked for beside it. InputError in a line where it is none."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path} is no TOML: {str(error).splitlines()[0]}") from None
    kernels = told.pop("kernel", None)
    if told:
        raise InputError(f"{path}: a recipe has [[kernel]] alone, not {next(iter(told))}")
    if not isinstance(kernels, list) or not kernels or not all(isinstance(one, dict) for one in kernels):
        raise InputError(f"{path}: a recipe has one [[kernel]] or more")
    return [_kernel(path, number, one) for number, one in enumerate(kernels, 1)]


def _kernel(path: Path, number: int, told: dict[str, Any]) -> Target:
    where = f"{path}: kernel {number}"
    for key in told.keys() - _KEYS:
        raise InputError(f"{where}: {key!r:.60} is none of {', '.join(sorted(_KEYS))}")
    for key in ("target", "title", "arch"):
        if key in told and not isinstance(told[key], str):
            raise InputError(f"{where}: {key} is a text")
    for key in ("args", "make", "environment"):
        if not isinstance(told.get(key, {}), dict):
            raise InputError(f"{where}: {key} is a table")
    if "target" not in told:
        raise InputError(f"{where}: a target is missing")
    environment = told.get("environment", {})
    if not all(isinstance(value, str) for value in environment.values()):
        raise InputError(f"{where}: the values of environment are texts")
    target = read_target(told["target"], path.parent)
    return replace(
        target,
        title=told.get("title", told["target"]),
        arch=read_architecture(told["arch"]) if "arch" in told else None,
        args=checked(told.get("args", {})),
        make=checked(told.get("make", {})),
        environment=environment,
    )


def checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, each read once to see that it is an argument."""
    for name, value in values.items():
        try:
            read_argument(value)
        except InputError as error:
            raise InputError(f"{name}: {error.message}", error.text, error.position) from None
    return dict(values)


def read_architecture(text: str) -> str:
    """An architecture, as the DSL names it.

    >>> read_architecture("sm_90a")
    'sm_90a'
    >>> read_architecture("sm_91")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: no architecture is named sm_91: sm_80, sm_90a and sm_100a are some
      sm_91
      ^
    """
    if text not in ARCHITECTURES:
        raise InputError(f"no architecture is named {text:.40}: sm_80, sm_90a and sm_100a are some", text, 0)
    return text
