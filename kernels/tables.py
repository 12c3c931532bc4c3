"""A layout's offsets at every integral coordinate, as a NumPy array: what the walks of plans' maps go by."""

from __future__ import annotations

from typing import Any

from ..model.composed import AnyLayout, ComposedLayout
from ..model.htuple import flatten
from ..model.layout import Layout
from ..model.properties import size


def table(layout: AnyLayout) -> Any:
    """The offset at each integral coordinate, in order; a plain layout's mode by mode.

    >>> table(Layout((2, (3, 2)), (1, (4, 2)))).tolist()
    [0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11]
    """
    import numpy as np

    if not isinstance(layout, Layout):
        if isinstance(layout, ComposedLayout) and isinstance(layout.layout, Layout) and callable(layout.function):
            inner = table(layout.layout)
            return np.array([int(layout.function(int(layout.offset) + at)) for at in inner.tolist()], np.int64)
        return np.array([int(layout(i)) for i in range(size(layout))], np.int64)
    found = np.zeros(1, np.int64)
    for extent, stride in zip(flatten(layout.shape), flatten(layout.stride), strict=True):
        found = (found[None, :] + np.arange(extent)[:, None] * int(stride)).ravel()
    return found
