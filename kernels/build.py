"""Compile a kernel's host function for an architecture, without a GPU, and keep what the compiler made of it."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any

from ..model.errors import VeritileError
from .lower import Host, pointer

ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
"""The architectures that kernels are compiled for."""


def _keep_apart() -> None:
    """CuTe DSL writes what it keeps into the working folder, by names that two processes may share: a folder for each.

    It reads which one once, when it is imported; a folder that the user chose stays.
    """
    if _is_free():
        folder = tempfile.mkdtemp(prefix=_PREFIX)
        os.environ[_VARIABLE] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def kept_in(folder: str) -> dict[str, str]:
    """The environment of a process which keeps what CuTe DSL writes in a folder of its own within ``folder``.

    Who starts the process removes ``folder``: a process that is killed clears nothing away. Empty where the user
    chose a folder: that one stays. Raises OSError where no folder can be made.
    """
    return {_VARIABLE: tempfile.mkdtemp(prefix="dsl-", dir=folder)} if _is_free() else {}


def _is_free() -> bool:
    """Whether nobody chose a folder; one that another process of ours made for itself is not chosen."""
    chosen = os.environ.get(_VARIABLE)
    return chosen is None or os.path.basename(chosen).startswith(_PREFIX)


_VARIABLE = "CUTE_DSL_DUMP_DIR"
_PREFIX = "veritile-dsl-"
_keep_apart()


class BuildFailed(VeritileError):
    """A kernel that did not compile; the message is one line."""


@dataclass(frozen=True)
class Operand:
    """A buffer that a kernel takes: ``size`` elements of ``element`` at an address that is a multiple of ``align``."""

    name: str
    element: str
    size: int
    align: int
    written: bool = False
    read: bool = True


@dataclass(frozen=True)
class Built:
    """A compiled kernel: ``launch(pointers…, stream)``, its PTX, and its cubin."""

    launch: Any
    ptx: str
    cubin: bytes
    architecture: str


def build(host: Host, operands: tuple[Operand, ...], architecture: str, scalars: tuple[Any, ...] = ()) -> Built:
    """The host function compiled for pointers to these operands, then scalars, then a stream."""
    import cutlass.cute as cute
    from cutlass.cute.runtime import make_fake_stream

    pointers = [pointer(max(operand.align, 16), operand.element, operand.align) for operand in operands]
    options = (cute.KeepPTX(), cute.KeepCUBIN(), cute.GPUArch(architecture))
    try:
        made = cute.compile[options](host, *pointers, *scalars, make_fake_stream())
    except Exception as problem:  # whatever the compiler raises, a row is lost, not the run
        lines = [line for line in str(problem).splitlines() if line.strip()] or [type(problem).__name__]
        raise BuildFailed(f"{type(problem).__name__} for {architecture}: {lines[0]}") from problem
    return Built(made, made.__ptx__, made.__cubin__, architecture)
