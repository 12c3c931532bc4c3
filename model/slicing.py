"""Slices: some coordinates fixed, the others kept: T(c) = (e + L(c')) ∘ L(c*) (paper §2.5)."""

from __future__ import annotations

from typing import Any

from .answer import Answer
from .composed import AnyLayout, ComposedLayout
from .coordinate import is_in_bounds
from .errors import InputError, Undecided
from .htuple import HTuple, text_of
from .layout import Layout
from .properties import offset_range, offsets, size
from .semimodule import Element
from .swizzle import Swizzle
from .tiler import joined

AFFINE_POINTS = 1 << 16  # coordinates compared before a slice of a swizzle is left composed


def slice_(layout: AnyLayout, crd: HTuple) -> tuple[AnyLayout, Element]:
    """The layout of what ``None`` keeps in ``crd``, and the offset of what is fixed.

    L(c) = offset + slice(kept part of c). A slice of a composed layout is a plain layout where it is one (the swizzle
    moves nothing, or moves everything alike); else it stays composed, its offset inside, and 0 is returned beside it.

    >>> from .notation import layout, parse
    >>> slice_(layout("((2,2),(4,2)):((1,8),(2,16))"), (None, (1, None)))
    (Layout('((2,2),2):((1,8),16)'), 2)
    >>> str(slice_(parse("S<1,0,1> o 0 o (3,2):(1,3)"), (None, 1))[0])
    'S<1,0,1> o 3 o (3):(1)'
    >>> slice_(parse("S<1,0,2> o 0 o (2,5):(1,2)"), (None, 4))
    (Layout('(2):(1)'), 8)
    """
    return decide_slice(layout, crd).result


def decide_slice(layout: AnyLayout, crd: HTuple) -> Answer:
    """:func:`slice_` with its evidence; ``in_bounds`` tells whether the fixed coordinates lie inside."""
    if not isinstance(layout, (Layout, ComposedLayout)):
        raise InputError(f"a slice is taken of a layout, not of {type(layout).__name__} {layout!s:.60}")
    if crd is None:
        return Answer((layout, 0), ("definition",), in_bounds=True, exact=True)
    base = layout
    while isinstance(base, ComposedLayout):
        if isinstance(base.layout, Swizzle):
            raise InputError(f"{layout} has a swizzle at its end, which has no modes to slice")
        base = base.layout
    kept, offset = _slice(base.shape, base.stride, crd, base)
    inner = joined(kept) if kept else Layout.of(1, 0)
    inside = _fixed_in_bounds(crd, base.shape)
    if isinstance(layout, Layout):
        return Answer((inner, offset), ("definition",), in_bounds=inside, exact=True)
    sliced = _rebased(layout, inner, offset)
    plain, how = _affine(sliced)
    if plain is not None:
        return Answer(plain, (how,), in_bounds=inside, exact=True)
    return Answer((sliced, 0), ("definition",), in_bounds=inside, exact=True)


def _rebased(layout: ComposedLayout, inner: Layout, offset: Element) -> ComposedLayout:
    if isinstance(layout.layout, ComposedLayout):
        return ComposedLayout(layout.function, layout.offset, _rebased(layout.layout, inner, offset))
    return ComposedLayout(layout.function, layout.offset + offset, inner)


def affine(layout: ComposedLayout) -> tuple[Layout, Element] | None:
    """A plain layout and an offset with the same values, when there are; None when not, or when too large to tell.

    Where the swizzle reads only bits that do not change over the slice, it adds a constant by XOR; when no offset
    changes the bits it writes either, that is an addition. Otherwise all values are compared, if they are few.

    >>> from .notation import parse
    >>> affine(parse("S<3,4,3> o 0 o 8:2"))
    (Layout('8:2'), 0)
    """
    return _affine(layout)[0]


def _affine(layout: ComposedLayout) -> tuple[tuple[Layout, Element] | None, str]:
    """:func:`affine` with its evidence."""
    function, inner = layout.function, layout.layout
    if not isinstance(inner, Layout):
        return None, "definition"
    if isinstance(function, Swizzle):
        low, high = offset_range(inner)
        low, high = low + layout.offset, high + layout.offset
        changing = (1 << (low ^ high).bit_length()) - 1 if low >= 0 else -1
        touched = function.source_mask | (function(function.source_mask) ^ function.source_mask)
        if not changing & touched:
            return (inner, function(layout.offset)), "closed-form"
    if size(layout) > AFFINE_POINTS:
        return None, "enumeration"
    try:
        values = offsets(layout)
    except Undecided:
        return None, "enumeration"
    base = values[0]
    if any(not isinstance(v, int) for v in values):
        return None, "enumeration"
    stride, scale = [], 1
    for s, _ in inner.modes:
        stride.append(values[scale] - base if s > 1 else 0)
        scale *= s
    from .htuple import unflatten

    candidate = Layout.of(inner.shape, unflatten(stride, inner.shape))
    is_same = all(base + candidate(i) == v for i, v in enumerate(values))
    return (candidate, base) if is_same else None, "enumeration"


def _slice(shape: HTuple, stride: HTuple, crd: HTuple, whole: Layout) -> tuple[list[Layout], Element]:
    if crd is None:
        return [Layout.of(shape, stride)], 0
    if not isinstance(crd, tuple):
        if not isinstance(crd, int) or isinstance(crd, bool):
            raise InputError(f"a coordinate has integers and `_`, not {crd!r}")
        return [], Layout.of(shape, stride)(crd)
    if not isinstance(shape, tuple) or len(shape) != len(crd):
        raise InputError(f"{text_of(crd)} is no coordinate of the shape {text_of(whole.shape)}")
    kept: list[Layout] = []
    offset: Element = 0
    for s, d, c in zip(shape, stride, crd, strict=True):
        part, value = _slice(s, d, c, whole)
        if part and isinstance(c, tuple):
            kept.append(joined(part) if len(part) > 1 else part[0])
        else:
            kept += part
        offset = offset + value
    return kept, offset


def _fixed_in_bounds(crd: Any, shape: HTuple) -> bool:
    if crd is None:
        return True
    if isinstance(crd, tuple):
        return all(_fixed_in_bounds(c, s) for c, s in zip(crd, shape, strict=True))
    return is_in_bounds(crd, shape)
