"""Operands and results with names: values put in their places, numbers taken out and put back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.composed import ComposedLayout
from ...model.errors import InputError
from ...model.htuple import map_leaves
from ...model.layout import Layout
from ...model.names import Expr, names_in
from ...model.semimodule import CoordinateStride


def instantiate(value: Any, values: Mapping[str, Any]) -> Any:
    """An operand with the names' values in their places; InputError for a size that is not positive."""
    if isinstance(value, Expr):
        return value.at(values)
    if isinstance(value, Layout):
        if not names_in(value):
            return value
        return Layout.of(map_leaves(lambda s: _size(s, values), value.shape), _strides(value.stride, values))
    if isinstance(value, ComposedLayout):
        return ComposedLayout(
            instantiate(value.function, values), instantiate(value.offset, values), instantiate(value.layout, values)
        )
    if isinstance(value, CoordinateStride):
        return _strides(value, values)
    if isinstance(value, (tuple, list)):
        return tuple(instantiate(item, values) for item in value)
    return value


def _size(s: Any, values: Mapping[str, Any]) -> Any:
    if not isinstance(s, Expr):
        return s
    size = s.at(values)
    if size < 1:
        place = ", ".join(f"{n} = {v}" for n, v in values.items() if type(v) is int)
        raise InputError(f"the size {s} is not positive{f' at {place}' if place else ''}: say more with --where")
    return size


def _strides(stride: Any, values: Mapping[str, Any]) -> Any:
    def one(d: Any) -> Any:
        if isinstance(d, Expr):
            return d.at(values)
        if isinstance(d, CoordinateStride):
            terms = [(path, s.at(values) if isinstance(s, Expr) else s) for path, s in d.terms]
            return CoordinateStride(tuple((path, s) for path, s in terms if s != 0)) or 0
        return d

    return map_leaves(one, stride)


def take_apart(value: Any) -> tuple[Any, tuple[Any, ...]]:
    """(shape, numbers): a result with its integers taken out, and these in order.

    >>> take_apart(Layout((4, (2, 3))))
    (('layout', (0, (0, 0)), (0, (0, 0))), (4, 2, 3, 1, 4, 8))
    """
    numbers: list[Any] = []

    def shape_of(v: Any) -> Any:
        if isinstance(v, bool) or v is None or isinstance(v, str):
            return ("fixed", v)
        if isinstance(v, (int, Expr)):
            numbers.append(v)
            return 0
        if isinstance(v, Layout):
            return ("layout", map_leaves(shape_of, v.shape), map_leaves(shape_of, v.stride))
        if isinstance(v, ComposedLayout):
            return ("composed", shape_of(v.function), shape_of(v.offset), shape_of(v.layout))
        if isinstance(v, CoordinateStride):
            numbers.extend(scale for _, scale in v.terms)
            return Along(tuple(path for path, _ in v.terms))
        if isinstance(v, (tuple, list)):
            return ("tuple", *map(shape_of, v))
        if isinstance(v, dict):
            return ("dict", tuple(v), *map(shape_of, v.values()))
        return ("fixed", v)

    return shape_of(value), tuple(numbers)


@dataclass(frozen=True)
class Along:
    """A stride along axes, its scales taken out."""

    paths: tuple[tuple[int, ...], ...]

    def __repr__(self) -> str:
        return f"Along{self.paths}"


def put_together(shape: Any, numbers: Sequence[Any]) -> Any:
    """The result that :func:`take_apart` took apart, with other numbers or expressions.

    >>> shape, numbers = take_apart(Layout((4, (2, 3))))
    >>> put_together(shape, numbers)
    Layout('(4,(2,3)):(1,(4,8))')
    """
    rest = iter(numbers)

    def build(s: Any) -> Any:
        if isinstance(s, int):
            return next(rest)
        if isinstance(s, Along):
            return CoordinateStride(tuple((path, next(rest)) for path in s.paths))
        if not isinstance(s[0], str):
            return tuple(build(item) for item in s)
        if s[0] == "fixed":
            return s[1]
        if s[0] == "layout":
            return Layout.of(map_leaves(build, s[1]), map_leaves(build_leaf, s[2]))
        if s[0] == "composed":
            return ComposedLayout(build(s[1]), build(s[2]), build(s[3]))
        if s[0] == "dict":
            return dict(zip(s[1], map(build, s[2:]), strict=True))
        return tuple(build(item) for item in s[1:])

    def build_leaf(s: Any) -> Any:
        return s[1] if isinstance(s, tuple) and s and s[0] == "fixed" else build(s)

    return build(shape)


__all__ = ["Along", "instantiate", "put_together", "take_apart"]
