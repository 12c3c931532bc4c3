"""Concatenation: (L₀, L₁, …)(c) = L₀(c₀) + L₁(c₁) + …, and its inverse, taking modes (paper §3.1)."""

from __future__ import annotations

from .errors import InputError
from .layout import Layout, plain
from .semimodule import semimodule_of
from .tiler import joined


def concatenate(*layouts: Layout) -> Layout:
    """One layout with the given ones as its modes; their offsets must live in one semimodule.

    >>> str(concatenate(Layout(4, 1), Layout((2, 3), (4, 8))))
    '(4,(2,3)):(1,(4,8))'
    """
    if not layouts:
        raise InputError("nothing to concatenate: give at least one layout")
    semimodule_of(d for layout in [plain(layout, "concatenation") for layout in layouts] for _, d in layout.modes)
    return joined(list(layouts))


def select(layout: Layout, *modes: int) -> Layout:
    """The modes named, in the order named.

    >>> str(select(Layout((4, 2, 3)), 2, 0))
    '(3,4):(8,1)'
    """
    plain(layout, "taking modes")
    for mode in modes:
        if not -len(layout) <= mode < len(layout):
            raise InputError(f"{layout} has no mode {mode}")
    return joined([layout[mode] for mode in modes])


def group_modes(layout: Layout, begin: int, end: int) -> Layout:
    """Modes ``begin`` to ``end`` (left out) gathered into one; the function is the same.

    >>> str(group_modes(Layout((4, 2, 3)), 0, 2))
    '((4,2),3):((1,4),8)'
    """
    modes = list(plain(layout, "grouping modes"))
    if not 0 <= begin < end <= len(modes):
        raise InputError(f"{layout} has no modes {begin} to {end}")
    return joined([*modes[:begin], joined(modes[begin:end]), *modes[end:]])


def flatten_layout(layout: Layout) -> Layout:
    """The leaf modes side by side; the function of an index is the same.

    >>> str(flatten_layout(Layout(((2, 2), 3))))
    '(2,2,3):(1,2,4)'
    """
    plain(layout, "flattening")
    return Layout.of(tuple(s for s, _ in layout.modes), tuple(d for _, d in layout.modes))
