"""The model's objects as CuTe DSL's: layouts, swizzles and element types, inside a trace. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model.composed import AnyLayout, ComposedLayout
from ..model.errors import InputError
from ..model.layout import Layout
from ..model.swizzle import Swizzle
from .element import element


def dsl_type(name: str) -> Any:
    """CuTe DSL's class of an element type."""
    import cutlass

    return getattr(cutlass, element(name).dsl)


def dsl_layout(layout: AnyLayout) -> Any:
    """The same layout in CuTe DSL, mode for mode; a composed one keeps its swizzle and offset."""
    import cutlass.cute as cute

    if isinstance(layout, ComposedLayout):
        if not isinstance(layout.function, Swizzle):
            raise InputError(f"only a swizzle can stand before a layout on a GPU, not {layout.function}")
        s = layout.function
        swizzle = cute.make_swizzle(s.bits, s.base, s.shift)
        return cute.make_composed_layout(swizzle, layout.offset, dsl_layout(_plain(layout.layout)))
    if not isinstance(layout, Layout):
        raise InputError(f"not a layout: {layout}")
    return cute.make_layout(layout.shape, stride=layout.stride)


def _plain(layout: Any) -> Layout:
    """A layout that stands behind a swizzle, which must be a plain one."""
    if not isinstance(layout, Layout):
        raise InputError(f"one swizzle before a plain layout is what a GPU takes, not one before {layout}")
    return layout


def descriptor_layout(layout: Layout) -> Any:
    """A matrix as TMA's descriptor has it: a single row has a size at run time, else CuTe DSL 4.8.1 makes it rank 1."""
    import cutlass
    import cutlass.cute as cute

    ones = [n == 1 and d != 1 for n, d in zip(layout.shape, layout.stride, strict=True)]
    shape = tuple(cutlass.Int32(n) if one else n for n, one in zip(layout.shape, ones, strict=True))
    return cute.make_layout(shape, stride=layout.stride)


def dsl_major(major: str) -> Any:
    """CuTe DSL's word for which mode of an operand is contiguous: K or MN."""
    from cutlass.cute.nvgpu import OperandMajorMode

    return OperandMajorMode.K if major == "K" else OperandMajorMode.MN


def byte_swizzle(swizzle: Swizzle, bits: int) -> Swizzle:
    """A swizzle of element offsets as one of byte addresses, which is what CuTe DSL's swizzled pointers take.

    >>> str(byte_swizzle(Swizzle(3, 3, 3), 16))
    'S<3,4,3>'
    """
    shift = (bits // 8).bit_length() - 1
    return Swizzle(swizzle.bits, swizzle.base + shift, swizzle.shift)


def shared_tensor(allocator: Any, name: str, layout: AnyLayout, align: int = 1024) -> Any:
    """A tensor in shared memory, the layout's swizzle on its pointer, aligned so that addresses agree with offsets."""
    import cutlass.cute as cute

    if isinstance(layout, ComposedLayout):
        if not isinstance(layout.function, Swizzle) or layout.offset != 0:
            raise InputError(f"shared memory takes S o 0 o L, not {layout}")
        s = byte_swizzle(layout.function, element(name).bits)
        return allocator.allocate_tensor(
            dsl_type(name),
            dsl_layout(_plain(layout.layout)),
            byte_alignment=max(align, 1 << s.period_bits),
            swizzle=cute.make_swizzle(s.bits, s.base, s.shift),
        )
    return allocator.allocate_tensor(dsl_type(name), dsl_layout(layout), byte_alignment=align)


def pointer(address: int, name: str, align: int) -> Any:
    """A pointer to global memory, its alignment in bytes promised to the compiler."""
    from cutlass.cute import AddressSpace
    from cutlass.cute.runtime import make_ptr

    return make_ptr(dsl_type(name), address, AddressSpace.gmem, assumed_align=align)


EVICTION = ("usual", "evict_first", "evict_last")
"""What the second-level cache may be told of an access: nothing, to let its lines go first, or to let them go last."""


def known_hint(hint: str) -> str:
    """A hint of :data:`EVICTION`; InputError for any other."""
    if hint not in EVICTION:
        raise InputError(f"a cache is told one of {', '.join(EVICTION)}, not {hint}")
    return hint


def keeping(hint: str) -> dict[str, Any]:
    """What ``cute.copy`` with a ``CopyG2ROp`` takes for a hint of :data:`EVICTION`, in a trace.

    The policy is made by ``createpolicy.fractional``, for all of the access (PTX, Cache Eviction Priority Hints).
    """
    if known_hint(hint) == "usual":
        return {}
    from cutlass import Int64
    from cutlass._mlir.dialects import llvm

    text = f"createpolicy.fractional.L2::{hint}.b64 $0, 1.0;"
    return {"cache_policy": Int64(llvm.inline_asm(Int64.mlir_type, [], text, "=l", asm_dialect=0))}


def expected_hint(hint: str) -> tuple[str, ...]:
    """The instructions that the PTX must show for a hint: the one that makes its policy.

    >>> expected_hint("evict_last"), expected_hint("usual")
    (('createpolicy.fractional.L2::evict_last',), ())
    """
    return () if hint == "usual" else (f"createpolicy.fractional.L2::{hint}",)


Host = Callable[..., Any]
"""A host function that CuTe DSL compiles: pointers in, a launch out."""
