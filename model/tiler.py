"""Tilers: what a layout is divided by or composed with, mode by mode (paper §3.3.5)."""

from __future__ import annotations

from typing import Any

from .composition import composition
from .errors import InputError
from .layout import Layout

Tiler = Any  # int, Layout, None (keep the mode), or a tuple of tilers


def as_layout(tiler: Any) -> Layout:
    """An integer n as n:1, a layout as itself; InputError for anything else.

    >>> as_layout(4)
    Layout('4:1')
    """
    if isinstance(tiler, Layout):
        return tiler
    if isinstance(tiler, int) and not isinstance(tiler, bool):
        if tiler < 1:
            raise InputError(f"a tile must have a positive size, not {tiler}")
        return Layout.of(tiler, 1)
    raise InputError(f"a tiler is a layout, a positive integer, None, or a tuple of them, not {tiler!r}")


def by_mode(layout: Layout, tiler: tuple[Any, ...]) -> list[tuple[Layout, Any]]:
    """Each mode of the layout with its part of the tiler; None where the tiler has fewer modes. InputError for more."""
    if (not isinstance(layout.shape, tuple) and len(tiler) > 1) or len(tiler) > len(layout):
        raise InputError(f"the tiler has {len(tiler)} modes, more than {layout}")
    modes = list(layout)
    return [(mode, tiler[i] if i < len(tiler) else None) for i, mode in enumerate(modes)]


def joined(parts: list[Layout]) -> Layout:
    """A layout whose modes are ``parts``."""
    return Layout.of(tuple([p.shape for p in parts]), tuple([p.stride for p in parts]))


def tile(layout: Layout, tiler: Tiler) -> Layout:
    """A∘T by mode: ⟨4:1, 8:2⟩ takes a sublayout from the first two modes; ``None`` keeps a mode whole.

    >>> str(tile(Layout((8, 16)), (4, Layout(8, 2))))
    '(4,8):(1,16)'
    """
    if tiler is None:
        return layout
    if isinstance(tiler, (tuple, list)):
        return joined([tile(mode, part) for mode, part in by_mode(layout, tuple(tiler))][: len(tiler)])
    return composition(layout, as_layout(tiler))  # type: ignore[return-value]
