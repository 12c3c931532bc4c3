"""Which kernels there are: every module of this folder that says so, and files of one's own.

A module is a kernel when it has the names of :data:`NAMES`. One of this folder is found by itself; a file elsewhere is
read by :func:`load`. A module may have ``rows()`` (what it is validated on) and ``owes(plan, architecture)`` (the
sections of its plan): a kernel is then one file. The kernels here have theirs in ``rows.py`` and ``plans.py``.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from ..model.errors import InputError
from .sources import hold, release

NAMES = ("NAME", "ARCHITECTURES", "operands", "host", "reference", "emulate", "expects")
"""What a kernel's module defines, beside the dataclass of its plan."""
OTHERS = ("gate", "plans", "registry", "rows", "validation", "worker", "bundle", "laboratory")
"""Modules of this folder that rest on the registry, and are no kernels."""

_loaded: dict[str, Any] = {}


class KernelModule(ModuleType):
    """A kernel's module, called: ``kernels.copy(certificate)`` is ``gate.admit("copy", certificate)``."""

    def __call__(self, certificate: Any) -> Any:
        """The kernel on the plan of a certificate."""
        from .gate import admit

        return admit(self.NAME, certificate)


@cache
def own_kernels() -> dict[str, Any]:
    """The kernels of this folder, by name."""
    package = sys.modules[__package__]
    found = {}
    for one in iter_modules(package.__path__):
        if one.name in OTHERS or one.name.startswith("_"):
            continue
        module = import_module(f".{one.name}", __package__)
        if is_kernel(module):
            module.__class__ = KernelModule
            found[module.NAME] = module
    return found


def is_kernel(module: Any) -> bool:
    """Whether a module defines what a kernel's does."""
    return all(hasattr(module, name) for name in NAMES)


def kernel_modules() -> dict[str, Any]:
    """The kernels by name, those of this folder first.

    >>> list(kernel_modules())[:8]
    ['copy', 'evaluate', 'gemm', 'gemm_sm100', 'gemm_sm80', 'gemm_sm90', 'rowwise', 'transpose']
    """
    return {**own_kernels(), **_loaded}


def load(path: str) -> Any:
    """The kernel in a file of one's own, known by its name from now on; InputError where it is none."""
    file = Path(path).resolve()
    spec = spec_from_file_location(f"veritile_kernel_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise InputError(f"{path} is no file of Python")
    if spec.name in sys.modules:
        module = sys.modules[spec.name]
    else:
        source = hold(str(file))
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            exec(compile(source, str(file), "exec", dont_inherit=True), module.__dict__)
        except Exception as problem:  # noqa: BLE001 - whatever is wrong with the file is told in one line
            del sys.modules[spec.name]
            release(str(file))
            raise InputError(f"{path}: {type(problem).__name__}: {str(problem).splitlines()[0]}") from None
    missing = [name for name in (*NAMES, "owes", "rows") if not hasattr(module, name)]
    if missing:
        raise InputError(f"{path} is no kernel: it defines no {', '.join(missing)}")
    if module.NAME in own_kernels():
        raise InputError(f"{path}: there is a kernel {module.NAME} already")
    module.__class__ = KernelModule
    _loaded[module.NAME] = module
    return module


__all__ = ["NAMES", "KernelModule", "is_kernel", "kernel_modules", "load", "own_kernels"]
