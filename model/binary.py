"""Layouts with strides in F₂ as binary matrices, and back: the form of Triton's linear layouts (paper §2.4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from . import f2
from .coalesce import coalesce, from_modes
from .errors import InputError
from .layout import Layout, plain
from .semimodule import F2
from .swizzle import Swizzle


def binary_matrix(layout: Layout | Swizzle) -> tuple[int, ...]:
    """The columns: the offsets, as integers, at the indices 1, 2, 4, …; the sizes must be powers of two.

    A layout over F₂ is the XOR of the columns at the bits of its index. Integer strides are taken when no sum of
    them carries, else InputError; a swizzle is taken on one period.

    >>> binary_matrix(Layout((4, 2), (F2(1), F2(5)))), binary_matrix(Swizzle(1, 0, 2))
    ((1, 2, 5), (1, 2, 5))
    """
    if isinstance(layout, Swizzle):
        return binary_matrix(layout.as_layout())
    f2.check_is_f2(plain(layout, "a binary matrix"))
    if layout.semimodule == "coordinate":
        raise InputError(f"the offsets of {layout} are coordinates and have no bits")
    columns = tuple(f2.bit_vectors(layout))
    if layout.semimodule == "integer":
        seen = 0
        for column in columns:
            if column < 0 or seen & column:
                raise InputError(f"the strides of {layout} carry into one another: it is no linear map of bits")
            seen |= column
    return columns


def from_binary_matrix(columns: Sequence[int]) -> Layout:
    """The coalesced layout over F₂ with these columns.

    >>> str(from_binary_matrix([1, 2, 5]))
    '(4,2):(f1,f5)'
    """
    if any(type(column) is not int or column < 0 for column in columns):
        raise InputError("a column is an integer of at least 0, its bits the rows")
    return coalesce(from_modes([(2, F2(column) or 0) for column in columns]))


def apply_matrix(columns: Sequence[int], index: int) -> int:
    """The XOR of the columns at the bits of ``index``.

    >>> [apply_matrix([1, 2, 5], i) for i in range(8)]
    [0, 1, 2, 3, 5, 4, 7, 6]
    """
    value = 0
    for bit, column in enumerate(columns):
        if index >> bit & 1:
            value ^= column
    return value
