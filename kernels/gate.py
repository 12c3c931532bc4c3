"""The gate: a kernel is built from a certificate of its plan, and from nothing else.

``admit(name, certificate)`` decides everything that the certificate's plan owes anew, by integer arithmetic; a digest
alone could be forged. What it gives is the only thing that compiles: a :class:`Kernel` holds the plan as it was
certified. There is no way around it with a flag.

    from veritile.kernels import gate
    kernel = gate.kernels.copy(certificate)        # the same as veritile.kernels.copy(certificate)
    built = kernel.compile()
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..model.errors import InputError
from ..proofs.certificate import CertificateRefused
from ..proofs.plan import Plan
from ..proofs.plan_certificate import FORMAT, check_plan_certificate
from .build import Built, Operand, build
from .plans import certified, kernel_plan
from .registry import kernel_modules


class GateClosed(CertificateRefused):
    """A certificate that opens no kernel; the message names the obligation and its witness, or the part."""


@dataclass(frozen=True)
class Kernel:
    """An admitted kernel: the plan that was certified, the kernel's own plan, and the architecture of both."""

    name: str
    certified: Plan
    plan: Any
    module: Any

    @property
    def architecture(self) -> str:
        """What it is compiled for."""
        return self.certified.arch

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The buffers that it takes."""
        operands: tuple[Operand, ...] = self.module.operands(self.plan)
        return operands

    def compile(self) -> Built:
        """The kernel compiled for the architecture of its plan; nothing is added to what the module's host does."""
        return build(self.module.host(self.plan), self.operands, self.architecture)

    def check_address(self, name: str, address: int) -> None:
        """Whether a buffer may lie there: GateClosed for an address that is no multiple of what is certified.

        >>> from .bundle import certificate_of
        >>> from .rows import rows
        >>> kernel = admit("copy", certificate_of(rows(["copy/1D/f32"])[0], "sm_80"))
        >>> kernel.check_address("source", 4096 + 4)
        Traceback (most recent call last):
        ...
        veritile.kernels.gate.GateClosed: source lies at 4100, and the certificate is for multiples of 16
        """
        align = next(operand.align for operand in self.operands if operand.name == name)
        if address % align:
            raise GateClosed(f"{name} lies at {address}, and the certificate is for multiples of {align}")

    def run(self, device: Any, arrays: dict[str, Any], built: Built | None = None, *, shift: int = 0) -> dict[str, Any]:
        """The kernel run on a device of its architecture, in guarded buffers; GateClosed on another.

        ``shift`` moves every buffer that many bytes off its alignment, which a certificate for aligned ones refuses.
        """
        from .launch import run

        if device.architecture != self.architecture:
            raise GateClosed(f"the certificate is for {self.architecture}, and the device is {device.architecture}")
        for operand in self.operands:
            self.check_address(operand.name, shift)
        found: dict[str, Any] = run(device, built or self.compile(), self.operands, arrays, shift)
        return found


def admit(name: str, certificate: Any) -> Kernel:
    """The kernel of that name on the plan of a certificate; GateClosed where anything does not hold.

    >>> from ..model.layout import Layout
    >>> from ..proofs.plan_certificate import certify_plan
    >>> from . import copy
    >>> certificate = certify_plan(certified(copy, copy.plan_copy(Layout(64), Layout(64)), "sm_90a"))
    >>> admit("copy", certificate).architecture
    'sm_90a'
    >>> admit("transpose", certificate)
    Traceback (most recent call last):
    ...
    veritile.kernels.gate.GateClosed: the plan is one of the kernel copy, not of transpose
    >>> admit("copy", None)
    Traceback (most recent call last):
    ...
    veritile.kernels.gate.GateClosed: copy is built from a certificate of its plan, and NoneType is none
    """
    modules = kernel_modules()
    if name not in modules:
        raise InputError(f"there is no kernel {name}: {', '.join(modules)} are")
    module = modules[name]
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        raise GateClosed(f"{name} is built from a certificate of its plan, and {_kind_of(certificate)} is none")
    try:
        plan = check_plan_certificate(certificate)
        own = kernel_plan(module, plan)
        if plan.arch not in module.ARCHITECTURES:
            raise GateClosed(f"{name} runs on {', '.join(module.ARCHITECTURES)}; the certificate is for {plan.arch}")
        owed = certified(module, own, plan.arch)
    except InputError as error:
        raise GateClosed(error.message) from None
    except GateClosed:
        raise
    except CertificateRefused as refused:
        closed = GateClosed(str(refused))
        closed.__cause__ = refused
        raise closed from refused
    if owed.digest != plan.digest:
        raise GateClosed(f"the certificate is for other layouts than {name} has: {_first_difference(owed, plan)}")
    return Kernel(name, plan, own, module)


def _kind_of(certificate: Any) -> str:
    if isinstance(certificate, dict) and "format" in certificate:
        return f"what has the format {certificate['format']}"
    return type(certificate).__name__


def _first_difference(owed: Plan, plan: Plan) -> str:
    """The first section in which two plans differ, in words."""
    ours, theirs = owed.as_dict(), plan.as_dict()
    for key in sorted({*ours, *theirs}):
        one, other = ours.get(key), theirs.get(key)
        if one == other:
            continue
        if isinstance(one, list) and isinstance(other, list):
            for a, b in zip(one, other, strict=False):
                if a != b and isinstance(a, dict) and isinstance(b, dict):
                    field = next(k for k in sorted({*a, *b}) if a.get(k) != b.get(k))
                    name = a.get("name", "")
                    return f"{key} {name}: {field} is {b.get(field)}, and {a.get(field)} is owed"
            return f"{len(other)} parts {key}, and {len(one)} are owed"
        return f"{key} is {other}, and {one} is owed"
    return "nothing that is written"


class _Kernels:
    """A builder for each kernel, by its name: ``kernels.copy(certificate)``."""

    def __getattr__(self, name: str) -> Callable[[Any], Kernel]:
        if name not in kernel_modules():
            raise AttributeError(f"there is no kernel {name}: {', '.join(kernel_modules())} are")

        def builder(certificate: Any) -> Kernel:
            return admit(name, certificate)

        builder.__name__ = name
        return builder

    def __dir__(self) -> list[str]:
        return list(kernel_modules())


kernels = _Kernels()

__all__ = ["GateClosed", "Kernel", "admit", "kernels"]
