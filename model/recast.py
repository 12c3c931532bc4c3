"""Recast: the same bits seen as elements of another width (CuTe's ``recast_layout``)."""

from __future__ import annotations

from math import gcd
from typing import Any

from .answer import Answer
from .coalesce import coalesce
from .composed import AnyLayout, ComposedLayout
from .errors import InputError, RecastRefuted, Witness
from .htuple import map_leaves, unflatten
from .layout import Layout
from .swizzle import Swizzle
from .tiler import joined


def recast_layout(layout: AnyLayout, from_bits: int, to_bits: int) -> AnyLayout:
    """The layout of the same bits in elements of ``to_bits``; offsets count elements, before and after.

    Narrower elements lengthen the mode of stride 1, or, where there is none, become a mode of their own. Wider ones
    shorten the modes that run through an element; every other stride must be a multiple of the ratio. Where the modes
    do not divide, the coalesced layout is tried, and its profile is that of the result; where that does not either,
    RecastRefuted names a wider element whose parts are not side by side in the modes. Widths that do not divide one
    another go through their common divisor. A swizzle moves with its base by the ratio, a power of two.

    >>> from .notation import layout, parse
    >>> str(recast_layout(layout("16:1"), 16, 32)), str(recast_layout(layout("(1,1):(0,0)"), 64, 16))
    ('8:1', '(4,1):(1,0)')
    >>> str(recast_layout(layout("(1,4,1):(2,2,1)"), 16, 8))
    '(1,4,2):(4,4,1)'
    >>> str(recast_layout(parse("S<3,4,3> o 0 o (8,128):(128,1)"), 8, 16))
    'S<3,3,3> o 0 o (8,64):(64,1)'
    """
    return decide_recast(layout, from_bits, to_bits).result


def decide_recast(layout: AnyLayout, from_bits: int, to_bits: int) -> Answer:
    """:func:`recast_layout` with its evidence."""
    for bits in (from_bits, to_bits):
        if type(bits) is not int or bits < 1:
            raise InputError(f"an element has a positive number of bits, not {bits}")
    common = gcd(from_bits, to_bits)
    result = _widened(_narrowed(layout, from_bits // common), to_bits // common)
    return Answer(result, ("closed-form",), exact=True)


def _check(layout: Layout) -> None:
    if layout.semimodule != "integer":
        raise InputError(f"the offsets of {layout} are {layout.semimodule} and count no elements")


def _narrowed(layout: Any, ratio: int) -> Any:
    """Every element becomes ``ratio`` elements side by side."""
    if ratio == 1:
        return layout
    if not isinstance(layout, Layout):
        return _composed(layout, ratio, narrow=True)
    _check(layout)
    strides = [d for _, d in layout.modes]
    unit = next((i for i, (s, d) in enumerate(layout.modes) if d == 1 and s > 1), None)
    if unit is None:  # a mode of one element, whose stride says nothing: rather one that is written with stride 1
        unit = next((i for i, (s, d) in enumerate(layout.modes) if s == 1 and d == 1), None)
    if unit is None:
        unit = next((i for i, (s, _) in enumerate(layout.modes) if s == 1), None)
    if unit is None:
        first = joined([Layout.of(ratio, 1), _scaled(layout[0], ratio)])
        rest = [_scaled(mode, ratio) for mode in list(layout)[1:]]
        return joined([first, *rest]) if isinstance(layout.shape, tuple) else first
    sizes = [s * ratio if i == unit else s for i, (s, _) in enumerate(layout.modes)]
    strides = [1 if i == unit else d * ratio for i, d in enumerate(strides)]
    return Layout.of(unflatten(sizes, layout.shape), unflatten(strides, layout.shape))


def _scaled(layout: Layout, ratio: int) -> Layout:
    return Layout.of(layout.shape, map_leaves(lambda d: d * ratio, layout.stride))


def _widened(layout: Any, ratio: int) -> Any:
    """Every ``ratio`` elements side by side become one."""
    if ratio == 1:
        return layout
    if not isinstance(layout, Layout):
        return _composed(layout, ratio, narrow=False)
    _check(layout)
    flat = coalesce(layout)
    try:
        return _widened_by_mode(layout, ratio)
    except RecastRefuted:
        if flat.modes == layout.modes:
            raise
    return _widened_by_mode(flat, ratio)


def _widened_by_mode(layout: Layout, ratio: int) -> Layout:
    inside = _inside(layout, ratio)
    for i, (s, d) in enumerate(layout.modes):
        if i not in inside and s > 1 and d % ratio:
            crd = unflatten([1 if k == i else 0 for k in range(len(layout.modes))], layout.shape)
            raise RecastRefuted(
                f"{layout} does not keep {ratio} elements together: a stride of {d} starts inside a wider element",
                Witness("element", {"coordinate": crd, "offset": layout(crd)}),
            )
    modes = [inside.get(i, (s, -(-d // ratio))) for i, (s, d) in enumerate(layout.modes)]
    return Layout.of(unflatten([s for s, _ in modes], layout.shape), unflatten([d for _, d in modes], layout.shape))


def _inside(layout: Layout, ratio: int) -> dict[int, tuple[int, int]]:
    """The modes that run through one wider element, with strides 1, s₀, s₀s₁, … up to the ratio, and what is left."""
    left: dict[int, tuple[int, int]] = {}
    reached = run = 1
    for i, (s, d) in sorted(enumerate(layout.modes), key=lambda item: item[1][1]):
        if reached == ratio:
            break
        if s == 1 or d != reached:
            continue
        run = reached * s
        if ratio % run == 0:
            reached, left[i] = run, (1, 0)
        elif run % ratio == 0:
            reached, left[i] = ratio, (run // ratio, 1)
        else:
            break
    if reached != ratio:
        broken = run // ratio * ratio
        raise RecastRefuted(
            f"{layout} does not keep {ratio} elements together: those from offset {broken} on are not side by side in "
            "its modes",
            Witness("element", {"offset": broken}),
        )
    return left


def _composed(layout: ComposedLayout, ratio: int, narrow: bool) -> ComposedLayout:
    function = layout.function
    if not isinstance(function, Swizzle) or not isinstance(layout.layout, Layout):
        raise InputError(f"{layout} is no swizzled layout: only those are recast")
    bits = ratio.bit_length() - 1
    if ratio != 1 << bits:
        raise RecastRefuted(f"a swizzle moves bits, and {ratio} is no power of two", None)
    base = function.base + (bits if narrow else -bits)
    if not function.bits:
        base = max(base, 0)
    if base < 0:
        offset = 1 << (function.base + max(-function.shift, 0))
        raise RecastRefuted(
            f"{function} moves elements apart that {ratio} of would be one",
            Witness("element", {"offset": offset}),
        )
    inner = _narrowed(layout.layout, ratio) if narrow else _widened(layout.layout, ratio)
    if not narrow and layout.offset % ratio:
        raise RecastRefuted(
            f"the offset {layout.offset} starts inside a wider element", Witness("element", {"offset": layout.offset})
        )
    offset = layout.offset * ratio if narrow else layout.offset // ratio
    return ComposedLayout(Swizzle(function.bits, base, function.shift), offset, inner)
