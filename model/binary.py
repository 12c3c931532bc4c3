"""Layouts with strides in F₂ as binary matrices, and back: the form of Triton's linear layouts (paper §2.4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from . import f2
from .coalesce import coalesce, from_modes
from .errors import InputError, InverseRefuted, Witness
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


def solve_linear(a: Layout | Swizzle, b: Layout | Swizzle) -> Layout:
    """The linear C with A(C(x)) = B(x) for every index x of B, as a layout over F₂: Triton's conversion of B to A.

    Inputs of A that change no offset, once the ones before them are chosen, are free; C keeps them as they are in x.
    InverseRefuted with an index 2^k whose offset A does not have. Sizes must be powers of two.

    >>> from .notation import layout
    >>> str(solve_linear(layout("((2,2),2):((f1,f2),f0)"), layout("((2,2),2):((f2,f1),f0)")))
    '(2,2,2):(f2,f1,f4)'
    >>> solve_linear(layout("(2,2):(f1,f2)"), layout("(2,2):(f1,f4)"))
    Traceback (most recent call last):
    ...
    veritile.model.errors.InverseRefuted: (2,2):(f1,f2) has no index with the offset 4, which (2,2):(f1,f4) has at 2 \
(index 2, offset 4)
    """
    pivots: dict[int, tuple[int, int]] = {}  # by the leading bit: a sum of columns, and which columns
    free: list[tuple[int, int]] = []  # an input that is free, and the inputs that undo it together with it
    for bit, column in enumerate(binary_matrix(a)):
        left, inputs = _reduced(pivots, column)
        if left:
            pivots[left.bit_length()] = left, inputs ^ (1 << bit)
        else:
            free.append((1 << bit, inputs ^ (1 << bit)))
    columns = []
    for bit, wanted in enumerate(binary_matrix(b)):
        left, inputs = _reduced(pivots, wanted)
        if left:
            raise InverseRefuted(
                f"{a} has no index with the offset {wanted}, which {b} has at {1 << bit}",
                Witness("unreachable", {"index": 1 << bit, "offset": wanted}),
            )
        for own, undoing in free:
            if own == 1 << bit:
                inputs ^= undoing
        columns.append(inputs)
    return from_binary_matrix(columns)


def _reduced(pivots: dict[int, tuple[int, int]], vector: int) -> tuple[int, int]:
    """What is left of a vector after the pivots, and the inputs that were taken away."""
    inputs = 0
    for lead in sorted(pivots, reverse=True):
        if vector >> (lead - 1) & 1:
            vector, inputs = vector ^ pivots[lead][0], inputs ^ pivots[lead][1]
    return vector, inputs


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
