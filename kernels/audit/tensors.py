"""What an operation does to a tensor besides its layout: to its pointer, or to the coordinate it stands at."""

from __future__ import annotations

from typing import Any

from ...model.errors import Witness
from ...model.htuple import HTuple, text_of
from ...model.names import Expr
from ...model.semimodule import CoordinateStride
from .judging import assignments, not_shown
from .matching import hidden, match_tuple
from .operands import Value, at_values
from .sizes import Number, divisible, is_static, plain, plus, times
from .symbolic import Unsettled
from .types import CoordIterType, PointerType, ViewType
from .verdict import Decision, not_checked, outside, wrong


def moved(source: Value, result: Value, offset: Any = 0) -> Decision | None:
    """What is wrong with the tensor around a right layout, ``offset`` further on; None where nothing is."""
    before, after = source.type, result.type
    if isinstance(before, CoordIterType):
        if not isinstance(after, CoordIterType):
            return not_checked(f"a tensor of coordinates became {after.text:.40}")
        return moved_base(source.value, offset, result.value)
    if isinstance(before, PointerType):
        if not isinstance(after, PointerType):
            return not_checked(f"a tensor in memory became {after.text:.40}")
        return moved_pointer(before, after, offset)
    if isinstance(before, ViewType):
        if isinstance(after, ViewType) and before.iterator == after.iterator:
            return None
        return not_checked("the iterator of the view has changed")
    if isinstance(after, (PointerType, CoordIterType, ViewType)):
        return not_checked(f"a layout became {after.text:.40}")
    return None


def moved_base(base: HTuple, offset: Any, got: HTuple) -> Decision | None:
    """The coordinate that a tensor of coordinates stands at, ``offset`` further on."""
    expected = shifted(base, offset)
    fault = match_tuple(expected, got)
    if fault is None:
        return not_shown(hidden(expected, got, "axis"))
    want, have = text_of(expected), text_of(got)
    return wrong(f"the tensor stands at {have} and should at {want}", expected=want, got=have)


def shifted(base: HTuple, offset: Any) -> HTuple:
    """A coordinate and an offset along its axes.

    >>> from ...model.semimodule import E
    >>> shifted((0, 5), 8 * E(1))
    (0, 13)
    """
    if not isinstance(offset, CoordinateStride):
        if is_static(offset) and offset == 0:
            return base
        if isinstance(base, tuple):
            raise Unsettled(f"an offset of {offset} from the coordinate {text_of(base)}")
        return plus(base, offset)
    for path, scale in offset.terms:
        base = _added(base, path, scale)
    return base


def _added(base: HTuple, path: tuple[int, ...], scale: Number) -> HTuple:
    if not path:
        if isinstance(base, tuple):
            raise Unsettled(f"an offset of {scale} from the coordinate {text_of(base)}")
        return plain(base + scale)
    if not isinstance(base, tuple) or path[0] >= len(base):
        raise Unsettled(f"an offset along a mode that {text_of(base)} does not have")
    return (*base[: path[0]], _added(base[path[0]], path[1:], scale), *base[path[0] + 1 :])


def moved_pointer(before: PointerType, after: PointerType, offset: Any) -> Decision | None:
    """A pointer ``offset`` elements further on: of one element, space and swizzle, its alignment no better."""
    other = changed(before, after)
    if other is not None:
        what, old, new = other
        return wrong(f"the {what} of the pointer should be {old}, not {new}", expected=old, got=new)
    return aligned(before, after, offset)


def changed(before: PointerType, after: PointerType) -> tuple[str, str, str] | None:
    """What no step along a tensor changes in its pointer, and changed here: its name, before, after.

    >>> from .types import read_type
    >>> changed(read_type("!cute.ptr<f32, smem, S<3,4,3>>"), read_type("!cute.ptr<f32, smem>"))
    ('swizzle', 'S<3,4,3>', 'none')
    """
    for what in ("element", "space", "swizzle"):
        old, new = getattr(before, what), getattr(after, what)
        if old != new:
            return what, str(old or "none"), str(new or "none")
    return None


def aligned(before: PointerType, after: PointerType, offset: Any) -> Decision | None:
    """Whether the alignment that a pointer claims follows from that before and the offset in elements."""
    bits = before.element_bits
    if bits is None:
        return None if after.align is None else not_checked(f"the width of {before.element} is not known")
    own = max(bits // 8, 1)
    claimed, known = 8 * (after.align or own), 8 * (before.align or own)
    if known % claimed:
        return wrong(
            f"the pointer claims an alignment of {claimed // 8} bytes, and that before has {known // 8}",
            expected=f"align<{known // 8}>",
            got=f"align<{claimed // 8}>",
        )
    if before.space == "tmem" or isinstance(offset, CoordinateStride):
        return None  # tensor memory is addressed by lane and column: there an offset is no number of bytes
    bytes_on = times(offset, bits)
    if divisible(bytes_on, claimed):
        return None
    if is_static(bytes_on):
        return _misaligned(claimed, bytes_on, {})
    for values in assignments(bytes_on.names):
        there = at_values(bytes_on, values)
        if isinstance(there, int) and there % claimed:
            return _misaligned(claimed, there, values)
    return outside(f"the alignment of {claimed // 8} bytes needs {Expr.of(bytes_on)} bits to be a multiple of it")


def _misaligned(claimed: int, there: int, values: dict[str, int]) -> Decision:
    witness = Witness("difference", {**values, "expected": f"a multiple of {claimed // 8}", "got": f"{there / 8:g}"})
    return wrong(f"the pointer claims an alignment of {claimed // 8} bytes, and is {there / 8:g} bytes on", witness)


__all__ = ["aligned", "changed", "moved", "moved_base", "moved_pointer", "shifted"]
