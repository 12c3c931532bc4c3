"""A stand-in for torch where it is not installed: enough to import a kernel that names torch's types, and no more.

Many a file imports torch for annotations and for a table from torch's element types to the DSL's. What needs more than
a name says so: an attribute that is not here raises an AttributeError that names the stand-in.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any, NoReturn

DTYPES = ("float16", "bfloat16", "float32", "float64", "half", "float", "double", "float8_e4m3fn", "float8_e5m2",
          "float8_e8m0fnu", "float4_e2m1fn_x2", "int8", "int16", "int32", "int64", "int",
          "long", "uint8", "bool")  # fmt: skip


class dtype:
    """An element type: a name."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class Tensor:
    """A name for annotations; none can be made."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("torch is not installed here, and veritile's stand-in has no tensors")


class _Stub(ModuleType):
    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"torch is not installed here, and veritile's stand-in has no {self.__name__}.{name}")


def install() -> bool:
    """Puts the stand-in in torch's place where torch is not installed; whether it did."""
    if "torch" in sys.modules or importlib.util.find_spec("torch") is not None:
        return False
    torch, cuda = _Stub("torch"), _Stub("torch.cuda")
    for name in DTYPES:
        setattr(torch, name, dtype(name))
    for name, value in {"dtype": dtype, "Tensor": Tensor, "cuda": cuda, "__version__": "0", "__path__": []}.items():
        setattr(torch, name, value)
    cuda.is_available = lambda: False  # type: ignore[attr-defined]
    sys.modules["torch"], sys.modules["torch.cuda"] = torch, cuda
    return True
