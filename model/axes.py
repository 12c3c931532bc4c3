"""Layouts whose offsets are coordinates, taken one axis at a time when no stride points along two."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InputError
from .layout import Layout
from .semimodule import CoordinateStride, E


@dataclass(frozen=True)
class Axis:
    """The modes along one axis: its ``path``, and (size, scale, stride of the index) for each leaf mode, in order."""

    path: tuple[int, ...]
    modes: tuple[tuple[int, int, int], ...]

    @property
    def layout(self) -> Layout:
        """The axis alone, over the integers."""
        if not self.modes:
            return Layout.of(1, 0)
        return Layout.of(tuple([s for s, _, _ in self.modes]), tuple([d for _, d, _ in self.modes]))

    @property
    def basis(self) -> CoordinateStride:
        """The stride of one step along the axis."""
        return E(*self.path)


def join_axes(axes: list[Axis], parts: list[Layout]) -> Layout:
    """One layout of coordinates from a part for each axis: the part of e₀ is mode 0, that of a nested axis nested so.

    A mode that no axis leads to is 1:0.

    >>> str(join_axes([Axis((0,), ())], [Layout(4, 1)])), str(join_axes([Axis((1, 0), ())], [Layout(4, 1)]))
    ('(4):(1)', '(1,(4)):(0,(1))')
    """
    by_path = {axis.path: part for axis, part in zip(axes, parts, strict=True)}

    def build(prefix: tuple[int, ...]) -> Layout:
        if prefix in by_path:
            return by_path[prefix]
        here = [path[len(prefix)] for path in by_path if path[: len(prefix)] == prefix]
        if not here:
            return Layout.of(1, 0)
        modes = [build((*prefix, k)) for k in range(max(here) + 1)]
        return Layout.of(tuple([m.shape for m in modes]), tuple([m.stride for m in modes]))

    return build(())


def split_axes(layout: Layout) -> list[Axis]:
    """The axes of a coordinate layout, e₀ first, those without a mode included; InputError for a diagonal stride.

    Modes of size 1 and of stride 0 belong to no axis.

    >>> from .notation import layout
    >>> [(a.path, a.modes) for a in split_axes(layout("(4,(4,2)):(e1,(e0,6e1))"))]
    [((0,), ((4, 1, 4),)), ((1,), ((4, 1, 1), (2, 6, 16)))]
    """
    found: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    index = 1
    for s, d in layout.modes:
        if isinstance(d, CoordinateStride) and d:
            if len(d.terms) > 1:
                raise InputError(f"the stride {d} points along several axes: {layout} does not split into them")
            path, scale = d.terms[0]
            found.setdefault(path, [])
            if s > 1:
                found[path].append((s, scale, index))
        index *= s
    if all(len(path) == 1 for path in found):
        found = {(k,): found.get((k,), []) for k in range(max(path[0] for path in found) + 1)} if found else {}
    return [Axis(path, tuple(modes)) for path, modes in sorted(found.items())]
