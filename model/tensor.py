"""A tensor: an accessor and a layout, T(c) = *(e + L(c)) (paper §2.5, definitions 2.18 and 2.19)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .composed import AnyLayout
from .errors import InputError
from .htuple import HTuple, text_of
from .properties import size
from .semimodule import Element
from .slicing import slice_


@dataclass(frozen=True)
class Tensor:
    """``data`` read through ``layout`` from ``start`` on.

    ``data`` is a sequence, or a function of the offset (a counting accessor, say). Coordinates must be in bounds;
    InputError otherwise. A coordinate with ``None`` slices.

    >>> from .layout import Layout
    >>> T = Tensor("abcdefgh", Layout((2, 4), (4, 1)))
    >>> T[1, 2], T[3], "".join(T[0, None])
    ('g', 'f', 'abcd')
    """

    data: Sequence[Any] | Callable[[Element], Any]
    layout: AnyLayout
    start: Element = 0

    def __getitem__(self, crd: HTuple) -> Any:
        if _has_none(crd):
            layout, offset = slice_(self.layout, crd)
            return Tensor(self.data, layout, self.start + offset)
        place = self.start + self._offset(crd)
        if callable(self.data):
            return self.data(place)
        if not 0 <= place < len(self.data):
            raise InputError(f"the offset {place} lies outside the {len(self.data)} elements of the data")
        return self.data[place]

    def __setitem__(self, crd: HTuple, value: Any) -> None:
        place = self.start + self._offset(crd)
        data: Any = self.data
        if callable(data) or not hasattr(data, "__setitem__"):
            raise InputError("this tensor's data cannot be written")
        if not 0 <= place < len(data):
            raise InputError(f"the offset {place} lies outside the {len(data)} elements of the data")
        data[place] = value

    def _offset(self, crd: HTuple) -> Element:
        if not self.layout.in_bounds(crd):
            raise InputError(f"{text_of(crd)} is no coordinate in bounds of {self.layout}")
        return self.layout(crd)

    def __len__(self) -> int:
        return size(self.layout)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))


def _has_none(crd: HTuple) -> bool:
    return any(map(_has_none, crd)) if isinstance(crd, tuple) else crd is None


def copy(source: Tensor, destination: Tensor) -> None:
    """dst(i) = src(i) for every index; the sizes must agree (paper §2.6.1).

    >>> from .layout import Layout
    >>> out = [0] * 6
    >>> copy(Tensor("abcdef", Layout((2, 3), (3, 1))), Tensor(out, Layout(6)))
    >>> "".join(out)
    'adbecf'
    """
    if len(source) != len(destination):
        raise InputError(f"the source has {len(source)} elements, the destination {len(destination)}")
    for index in range(len(source)):
        destination[index] = source[index]
