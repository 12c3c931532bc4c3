"""The operations that do no layout work, each with the reason; one that is named nowhere is unknown, never left out.

A name that ends in a dot is a whole dialect. Here is also what has a layout and nothing to hold it to: a comparison, an
assumption, and a constant, whose type is all that there is of it (:func:`is_constant`). They are no `right`.
"""

from __future__ import annotations

from .text import Operation
from .types import UnknownType, read_type
from .verdict import NO_LAYOUT, RULES

_NUMBERS = "numbers at run time"
_CONTROL = "structure and control flow"
_MACHINE = "an instruction of the machine, on values that are given"
_ACCESS = "an access at run time: the layout that it reads was decided where it was made"

_COMPARED = "one bit at run time: no type tells it"

_NAMES = {
    "arith.": _NUMBERS,
    "math.": _NUMBERS,
    "vector.": "values in registers",
    "builtin.": _CONTROL,
    "func.": _CONTROL,
    "scf.": _CONTROL,
    "cf.": _CONTROL,
    "gpu.": _CONTROL,
    "cuda.": "the launch",
    "iket.": "marks for a profiler",
    "llvm.": _MACHINE,
    "nvvm.": _MACHINE,
    "cute.make_atom": "names an instruction: what is built of it is decided there",
    "cute.print": "prints",
    "cute.elem_less": _COMPARED,
    "cute.equal": _COMPARED,
    "cute.assume": "an assumption of the kernel's own: what it says is taken as true",
    "cute.kernel_smem_size": "the launch",
    "cute.memref.load_vec": _ACCESS,
    "cute.memref.store_vec": _ACCESS,
    "cute.fast_divmod.create_divisor": _NUMBERS,
    "cute.fast_divmod.compute": _NUMBERS,
    "cute.inttoptr": "an address",
    "cute.ptrtoint": "an address",
    "cute_nvgpu.arch.make_warp_uniform": _NUMBERS,
    "cute_nvgpu.arch.sm100.alloc_tmem": _MACHINE,
    "cute_nvgpu.arch.sm100.dealloc_tmem": _MACHINE,
    "cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit": _MACHINE,
    "cute_nvgpu.arch.sm100.retrieve_tmem_ptr": _MACHINE,
    "cute_nvgpu.atom.get_value": "a field of an atom at run time, such as a barrier or an accumulation flag",
    "cute_nvgpu.atom.set_value": "a field of an atom at run time, such as a barrier or an accumulation flag",
    "cute_nvgpu.prefetch_tma_desc": _MACHINE,
}

CONSTANTS = frozenset(
    (
        "cute.make_shape",
        "cute.make_stride",
        "cute.make_coord",
        "cute.make_int_tuple",
        "cute.make_tile",
        "cute.static",
        "cute.memref.alloca",
        "cute.memref.alloc_smem",
    )
)


def is_constant(operation: Operation) -> bool:
    """Whether an operation has no operands, and its type says all of its result: there is nothing to hold it to.

    One with a number that is open, or with a type that is not understood, is not: its rule says so.

    >>> one = Operation("cute.make_shape", (), ("%0",), "", (), ('!cute.shape<"(4,8)">',), None, "kernel", 1)
    >>> from dataclasses import replace
    >>> is_constant(one), is_constant(replace(one, result_types=('!cute.shape<"(4,?)">',)))
    (True, False)
    """
    if operation.name not in CONSTANTS or operation.operand_types:
        return False
    kinds = [read_type(text) for text in operation.result_types]
    return not any(isinstance(kind, UnknownType) or kind.dynamic for kind in kinds)


def fill() -> None:
    """Puts the names into the table of :mod:`.verdict`. ValueError for one that has a rule."""
    for name in _NAMES.keys() & RULES.keys():
        raise ValueError(f"{name} has a rule, and is said to do no layout work")
    NO_LAYOUT.update(_NAMES)


fill()
