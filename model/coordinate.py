"""Coordinates of a shape: in bounds, admissible, congruent (paper §2.2, definitions 2.6 to 2.14).

The paper prints the bounded coordinate set and the unbounded one with nearly the same sign. Here they are two types:
:class:`InBounds`, finite and iterable, and :class:`Extended`, which only knows membership.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from .errors import InputError
from .htuple import HTuple, at, congruent, flatten, leaves, size, text_of, unflatten, weakly_congruent
from .semimodule import CoordinateStride, Element


def idx2crd(index: int, shape: HTuple) -> HTuple:
    """The natural coordinate of an integral one, first mode fastest; the last mode is not reduced (§2.2).

    Defined for every integer. An index past the end, or below zero, gives a coordinate out of bounds.

    >>> idx2crd(22, ((2, 2), (4, 2)))
    ((0, 1), (1, 1))
    >>> idx2crd(3, (3, 1)), idx2crd(-1, (4, 8))
    ((0, 1), (3, -1))
    """
    if not isinstance(index, int):
        raise InputError(f"an index is an integer, not {index!r}")
    _check_shape(shape)
    return _idx2crd(index, shape)


def _idx2crd(index: int, shape: HTuple) -> HTuple:
    if not isinstance(shape, tuple):
        return index
    crd = []
    for mode in shape[:-1]:
        index, rest = divmod(index, size(mode))
        crd.append(_idx2crd(rest, mode))
    crd.append(_idx2crd(index, shape[-1]))
    return tuple(crd)


def _check_shape(shape: HTuple) -> None:
    """InputError unless the leaves are positive integers and no tuple is empty."""
    if shape == () or any(not isinstance(s, int) or s < 1 for s in leaves(shape)):
        raise InputError(f"a shape holds positive integers, not {text_of(shape)}")


def crd2idx(crd: HTuple, shape: HTuple) -> int:
    """The integral coordinate of any admissible one; the inverse of :func:`idx2crd` in bounds (§2.2).

    >>> crd2idx(((0, 1), (1, 1)), ((2, 2), (4, 2))), crd2idx((2, 5), ((2, 2), (4, 2)))
    (22, 22)
    """
    _check_shape(shape)
    if not is_admissible(crd, shape):
        raise InputError(f"{crd!r} is no coordinate of the shape {text_of(shape)}")
    return _crd2idx(crd, shape)


def _crd2idx(crd: HTuple, shape: HTuple) -> int:
    if not isinstance(crd, tuple):
        return crd
    index, scale = 0, 1
    for c, mode in zip(crd, shape, strict=True):
        index += scale * _crd2idx(c, mode)
        scale *= size(mode)
    return index


def natural(crd: HTuple, shape: HTuple) -> HTuple:
    """The natural coordinate (definition 2.11): congruent with ``shape``, from any admissible ``crd``, else InputError.

    >>> natural((2, 5), ((2, 2), (4, 2)))
    ((0, 1), (1, 1))
    """
    if not is_admissible(crd, shape):
        raise InputError(f"{crd!r} is no coordinate of the shape {text_of(shape)}")
    if isinstance(crd, tuple):
        return tuple(natural(c, mode) for c, mode in zip(crd, shape, strict=True))
    return _idx2crd(crd, shape)


def is_admissible(crd: HTuple, shape: HTuple) -> bool:
    """Integers in a profile that coarsens the shape's (definition 2.12)."""
    return weakly_congruent(crd, shape) and all(isinstance(c, int) for c in flatten(crd))


def is_in_bounds(crd: HTuple, shape: HTuple) -> bool:
    """Whether ``crd`` belongs to Z(S) (definition 2.9).

    >>> is_in_bounds(31, (4, 8)), is_in_bounds((3, 8), (4, 8)), is_in_bounds((1, 1, 1), (4, 8))
    (True, False, False)
    """
    if not is_admissible(crd, shape):
        return False
    if isinstance(crd, tuple):
        return all(is_in_bounds(c, mode) for c, mode in zip(crd, shape, strict=True))
    return 0 <= crd < size(shape)


@dataclass(frozen=True)
class InBounds:
    """Z(S), the in-bounds coordinates of a shape (definitions 2.8 and 2.9).

    Iteration and length go over the natural coordinates, first mode fastest; membership accepts every coarsening.

    >>> domain = InBounds((2, 3))
    >>> list(domain), (1, 2) in domain, 5 in domain, 6 in domain
    ([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)], True, True, False)
    """

    shape: HTuple

    def __contains__(self, crd: object) -> bool:
        return is_in_bounds(crd, self.shape)

    def __len__(self) -> int:
        return size(self.shape)

    def __iter__(self) -> Iterator[HTuple]:
        sizes = flatten(self.shape)
        for reverse in product(*(range(s) for s in reversed(sizes))):
            yield unflatten(reverse[::-1], self.shape)


@dataclass(frozen=True)
class Extended:
    """The admissible coordinates of a shape, in bounds or not (definitions 2.12 to 2.14).

    ``congruent_only`` keeps Z^S, the coordinates of the shape's own profile (definition 2.14).

    >>> (-1, 99) in Extended((2, 3)), 99 in Extended((2, 3)), 99 in Extended((2, 3), congruent_only=True)
    (True, True, False)
    """

    shape: HTuple
    congruent_only: bool = False

    def __contains__(self, crd: object) -> bool:
        return is_admissible(crd, self.shape) and (not self.congruent_only or congruent(crd, self.shape))


def as_coordinate(offset: Element, shape: HTuple) -> HTuple:
    """The coordinate of ``shape`` that an offset names: an integer, or one integer for each mode.

    InputError for an offset along a mode that the shape does not have.

    >>> from .semimodule import E
    >>> as_coordinate(3 * E(0) + 2 * E(1), (4, 8)), as_coordinate(2 * E(1, 0), (4, (2, 3))), as_coordinate(7, (4, 8))
    ((3, 2), (0, (2, 0)), 7)
    """
    if not isinstance(offset, CoordinateStride):
        return offset
    scales = dict(offset.terms)
    for path in scales:
        try:
            at(shape, path)
        except IndexError:
            raise InputError(
                f"the offset {offset} is along a mode that the shape {text_of(shape)} does not have"
            ) from None

    def build(part: HTuple, path: tuple[int, ...]) -> HTuple:
        if path in scales or not isinstance(part, tuple) or not any(p[: len(path)] == path for p in scales):
            return scales.get(path, 0)
        return tuple(build(mode, (*path, i)) for i, mode in enumerate(part))

    return build(shape, ())
