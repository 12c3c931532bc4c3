"""A layout S:D, a shape and a congruent stride: the function D∘S (paper §2.4, definition 2.17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import htuple
from .coordinate import InBounds, is_admissible, is_in_bounds
from .errors import InputError
from .htuple import HTuple, congruent, flatten, map_leaves, text_of
from .semimodule import Element, semimodule_of

MAX_BITS = 4096  # of a size or a stride that a caller gives


class Layout:
    """The function that sends a coordinate of ``shape`` to an offset: its natural coordinate times ``stride``.

    Without a stride the layout is compact, first mode fastest. Immutable; equality is that of shape and stride, not
    of functions (see :func:`veritile.equal`). Called with any admissible coordinate, in bounds or not: the last mode
    of an integral coordinate is not reduced (paper §2.2). Raises InputError for a size below one, a stride of
    another profile, and strides of different semimodules.

    >>> L = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))
    >>> L(22), L((2, 5)), L(((0, 1), (1, 1)))
    (26, 26, 26)
    >>> str(Layout((4, 8))), Layout((4, 8))(35)
    ('(4,8):(1,4)', 35)
    """

    __slots__ = ("_modes", "shape", "stride")
    _modes: tuple[tuple[int, Element], ...] | None
    shape: HTuple
    stride: HTuple

    def __init__(self, shape: HTuple, stride: HTuple = None):
        shape = _tuples(shape)
        for s in htuple.leaves(shape):
            if type(s) is not int and (not isinstance(s, int) or isinstance(s, bool)):
                raise InputError(f"a size must be an integer, not {s!r}")
            if s < 1:
                raise InputError(f"a size must be positive, not {s}")
        if htuple.size(shape).bit_length() > MAX_BITS:
            raise InputError(f"a layout of more than 2^{MAX_BITS} elements")
        if stride is None:
            stride = compact_stride(shape)
        else:
            stride = _tuples(stride)
            if not congruent(shape, stride):
                raise InputError(f"the stride {text_of(stride)} is not congruent with the shape {text_of(shape)}")
            semimodule_of(htuple.leaves(stride))
            if any(type(d) is int and d.bit_length() > MAX_BITS for d in htuple.leaves(stride)):
                raise InputError(f"a stride of more than {MAX_BITS} bits")
            stride = map_leaves(lambda d: d or 0, stride)
        _set(self, shape, stride)

    @classmethod
    def of(cls, shape: HTuple, stride: HTuple) -> Layout:
        """A layout from parts that are known to fit: nothing is checked."""
        self = object.__new__(cls)
        _set(self, shape, stride)
        return self

    @property
    def modes(self) -> tuple[tuple[int, Element], ...]:
        """The leaf modes as (size, stride), from left to right."""
        modes = self._modes
        if modes is None:
            if isinstance(self.shape, tuple):
                modes = tuple(zip(flatten(self.shape), flatten(self.stride), strict=True))
            else:
                modes = ((self.shape, self.stride),)
            object.__setattr__(self, "_modes", modes)
        return modes

    @property
    def semimodule(self) -> str:
        """``'integer'``, ``'coordinate'`` or ``'F2'``: where the offsets live."""
        return semimodule_of(d for _, d in self.modes)

    @property
    def domain(self) -> InBounds:
        """Z(S), the coordinates in bounds."""
        return InBounds(self.shape)

    def in_bounds(self, crd: HTuple) -> bool:
        """Whether ``crd`` is a coordinate of the layout, in any coarsening."""
        return is_in_bounds(crd, self.shape)

    def __call__(self, crd: HTuple) -> Element:
        """The offset at any admissible coordinate, in bounds or not."""
        if type(crd) is int:
            return _at_index(crd, self.modes)
        if not is_admissible(crd, self.shape):
            raise InputError(f"{text_of(crd)} is no coordinate of the shape {text_of(self.shape)}")
        return _inner(crd, self.shape, self.stride)

    def __getitem__(self, index: int) -> Layout:
        """The mode ``index`` as a layout; a layout of rank one without nesting is its own mode 0."""
        if not isinstance(self.shape, tuple):
            if index not in (0, -1):
                raise IndexError(index)
            return self
        return Layout.of(self.shape[index], self.stride[index])

    def __len__(self) -> int:
        return htuple.rank(self.shape)

    def __iter__(self) -> Iterator[Layout]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.shape == other.shape and self.stride == other.stride

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def __str__(self) -> str:
        return f"{text_of(self.shape)}:{text_of(self.stride)}"

    def __repr__(self) -> str:
        return f"Layout({str(self)!r})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a layout is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Layout.of, (self.shape, self.stride))


def _set(layout: Layout, shape: HTuple, stride: HTuple) -> None:
    object.__setattr__(layout, "shape", shape)
    object.__setattr__(layout, "stride", stride)
    object.__setattr__(layout, "_modes", None)


def _tuples(t: Any) -> HTuple:
    """Lists read as tuples; InputError for an empty one."""
    if not isinstance(t, (tuple, list)):
        return t
    if not t:
        raise InputError("an empty tuple has no modes")
    return tuple(_tuples(m) for m in t)


def _at_index(index: int, modes: Any) -> Element:
    offset: Element = 0
    last = len(modes) - 1
    for k, (s, d) in enumerate(modes):
        if k == last:
            return offset + d * index
        index, digit = divmod(index, s)
        if digit:
            offset = offset + d * digit
    return offset


def _inner(crd: HTuple, shape: HTuple, stride: HTuple) -> Element:
    if isinstance(crd, tuple):
        offset: Element = 0
        for c, s, d in zip(crd, shape, stride, strict=True):
            offset = offset + _inner(c, s, d)
        return offset
    if isinstance(shape, tuple):
        return _at_index(crd, tuple(zip(flatten(shape), flatten(stride), strict=True)))
    return stride * crd


def plain(operand: Any, operation: str) -> Layout:
    """The operand of an operation that takes a layout S:D; InputError for a swizzle, a composed layout, anything else.

    >>> plain(Layout(4), "coalesce")
    Layout('4:1')
    """
    if isinstance(operand, Layout):
        return operand
    raise InputError(f"{operation} takes a layout S:D, not {type(operand).__name__} {operand!s:.60}")


def compact_stride(shape: HTuple) -> HTuple:
    """The strides of the compact layout, first mode fastest.

    >>> compact_stride((4, (2, 3)))
    (1, (4, 8))
    """
    scale = 1

    def next_stride(s: int) -> int:
        nonlocal scale
        stride, scale = scale, scale * s
        return stride

    return map_leaves(next_stride, shape)


def size(layout: Layout) -> int:
    """Number of coordinates in bounds, |S|.

    >>> size(Layout((4, (2, 3))))
    24
    """
    return htuple.size(layout.shape)


def rank(layout: Layout) -> int:
    """Number of modes."""
    return htuple.rank(layout.shape)


def depth(layout: Layout) -> int:
    """Levels of nesting of the shape."""
    return htuple.depth(layout.shape)
