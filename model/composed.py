"""Composed layouts: a function after an offset after a layout, as in ``S<3,4,3> o 0 o (8,64):(64,1)``."""

from __future__ import annotations

from dataclasses import dataclass

from . import htuple
from .coordinate import as_coordinate
from .errors import InputError
from .htuple import HTuple
from .layout import Layout
from .semimodule import Element, kind_of, semimodule_of
from .swizzle import Swizzle


@dataclass(frozen=True)
class ComposedLayout:
    """c ↦ f(offset + L(c)), f a swizzle, a layout or another composed layout (CuTe's ``ComposedLayout``).

    ``layout`` has integer offsets when f is a swizzle; a layout after another may take coordinates too.

    >>> str(ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1))))
    'S<3,4,3> o 0 o (8,64):(64,1)'
    """

    function: Swizzle | Layout | ComposedLayout
    offset: Element
    layout: Layout | ComposedLayout | Swizzle

    def __post_init__(self) -> None:
        kinds = (Swizzle, Layout, ComposedLayout)
        if not isinstance(self.function, kinds) or not isinstance(self.layout, kinds):
            raise InputError("a composed layout is a swizzle or layout after an offset after a layout or swizzle")
        inner = self.layout.semimodule if isinstance(self.layout, Layout) else "integer"
        offset = kind_of(self.offset)
        if isinstance(self.function, Swizzle):
            for kind in (offset, inner):
                if kind != "integer":
                    raise InputError(f"{self.function} permutes integer offsets, and there are {kind} ones here")
        elif "F2" in (offset, inner):
            raise InputError(f"offsets in F2 are no coordinates of {self.function}")
        elif isinstance(self.layout, Layout):
            for element in (self.offset, *(d for _, d in self.layout.modes)):
                as_coordinate(element, self.function.shape)
            semimodule_of([self.offset, *(d for _, d in self.layout.modes)])

    @property
    def shape(self) -> HTuple:
        """The shape of the innermost layout; a swizzle's is one period."""
        return self.layout.as_layout().shape if isinstance(self.layout, Swizzle) else self.layout.shape

    def in_bounds(self, crd: HTuple) -> bool:
        """Whether ``crd`` is a coordinate of the layout."""
        return Layout(self.shape).in_bounds(crd)

    def __call__(self, crd: HTuple) -> Element:
        """f(offset + L(crd))."""
        place = self.offset + self.layout(crd)
        return self.function(place if isinstance(self.function, Swizzle) else as_coordinate(place, self.function.shape))

    def __len__(self) -> int:
        return htuple.rank(self.shape)

    def __str__(self) -> str:
        return f"{self.function} o {self.offset} o {self.layout}"


AnyLayout = Layout | ComposedLayout
