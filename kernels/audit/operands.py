"""The types of one operation as plain values: what its rule computes with.

Operands' ``?`` become names that no two share: ``n0`` a size, ``d1`` a stride, ``c2`` a coordinate or another number,
each times its divisor. A result's ``?`` becomes :class:`~.matching.Unknown`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...model.composed import AnyLayout, ComposedLayout
from ...model.htuple import HTuple, leaves, map_leaves
from ...model.layout import Layout
from ...model.names import Expr
from ...model.semimodule import CoordinateStride
from .matching import Unknown
from .sizes import plain
from .types import CoordIterType, PointerType, ScalarType, TileType, TupleType, Type

Substitution = Callable[[Expr, str], Any]


@dataclass(frozen=True)
class Value:
    """A type read: its ``layout``, and its ``value`` (an HTuple, a tiler, a base, a number), where it has them."""

    type: Type
    layout: AnyLayout | None = None
    value: Any = None

    @property
    def is_pointer(self) -> bool:
        """Whether it lies in memory."""
        return isinstance(self.type, PointerType)


def read_operands(types: tuple[Type, ...]) -> tuple[Value, ...]:
    """The operands of one operation, their numbers named apart.

    >>> from .types import read_type
    >>> texts = '!cute.layout<"(4,?{div=8}):(1,?)">', '!cute.coord<"(?,_)">'
    >>> [str(v.layout or v.value) for v in read_operands(tuple(map(read_type, texts)))]
    ['(4,8*n0):(1,d1)', '(c2, None)']
    """
    count = 0
    found = []
    for one in types:
        divisors = {d.name: d.divisor for d in one.dynamic}

        def named(e: Expr, kind: str, divisors: dict[str, int] = divisors) -> Any:
            nonlocal count
            if not e.names:
                return e
            ((monomial, scale),) = e.terms.items()
            (name,) = monomial
            fresh = Expr.of(f"{kind}{count}") * (divisors.get(name, 1) * scale)
            count += 1
            return fresh

        value = _value(one, named)
        if isinstance(one, ScalarType) and one.text.startswith(("i", "!cute.i")):
            value = Value(one, value=Expr.of(f"c{count}") * one.divisor)
            count += 1
        found.append(value)
    return tuple(found)


def read_results(types: tuple[Type, ...]) -> tuple[Value, ...]:
    """The results of one operation, each ``?`` an :class:`Unknown`."""
    found = []
    for one in types:
        divisors = {d.name: d.divisor for d in one.dynamic}

        def unknown(e: Expr, kind: str, divisors: dict[str, int] = divisors) -> Any:
            if not e.names:
                return e
            (name,) = e.names
            return Unknown(divisors.get(name, 1))

        found.append(_value(one, unknown))
    return tuple(found)


def _value(one: Type, change: Substitution) -> Value:
    layout = one.layout
    value: Any = None
    if isinstance(one, TupleType):
        kind = "n" if one.kind == "shape" else "c"
        value = one.value if not one.dynamic else _changed(one.value, kind, change)
    elif isinstance(one, TileType):
        value = one.value if not one.dynamic else _tile(one.value, change)
    elif isinstance(one, CoordIterType):
        value = one.base if not one.dynamic else _changed(one.base, "c", change)
    if layout is not None and one.dynamic:
        layout = _layout(layout, change)
    return Value(one, layout, value)


def _changed(t: HTuple, kind: str, change: Substitution) -> HTuple:
    def leaf(x: Any) -> Any:
        if isinstance(x, Expr):
            return change(x, kind)
        if isinstance(x, CoordinateStride):
            return CoordinateStride(tuple((path, change(s, kind) if isinstance(s, Expr) else s) for path, s in x.terms))
        return x

    return map_leaves(leaf, t)


def _layout(layout: AnyLayout, change: Substitution) -> AnyLayout:
    if isinstance(layout, ComposedLayout):
        inner: Any = layout.layout
        function: Any = layout.function
        if isinstance(inner, (Layout, ComposedLayout)):
            inner = _layout(inner, change)
        if isinstance(function, (Layout, ComposedLayout)):
            function = _layout(function, change)
        return unchecked(function, _changed(layout.offset, "c", change), inner)
    return Layout.of(_changed(layout.shape, "n", change), _changed(layout.stride, "d", change))


def unchecked(function: Any, offset: Any, inner: Any) -> ComposedLayout:
    """A composed layout of parts that may be unknown: nothing is checked."""
    made = object.__new__(ComposedLayout)
    for name, part in (("function", function), ("offset", offset), ("layout", inner)):
        object.__setattr__(made, name, part)
    return made


def _tile(tiler: Any, change: Substitution) -> Any:
    if isinstance(tiler, tuple):
        return tuple(_tile(part, change) for part in tiler)
    if isinstance(tiler, Layout):
        return _layout(tiler, change)
    return change(tiler, "n") if isinstance(tiler, Expr) else tiler


def at_values(value: Any, values: dict[str, Any]) -> Any:
    """A value with integers or expressions put in for its names; what is unknown stays."""
    if isinstance(value, Expr):
        return plain(value.at(values)) if value.names else value
    if isinstance(value, CoordinateStride):
        terms = [(path, at_values(s, values)) for path, s in value.terms]
        kept = tuple((path, s) for path, s in terms if not (isinstance(s, int) and s == 0))
        return CoordinateStride(kept) if kept else 0
    if isinstance(value, Layout):
        return Layout.of(at_values(value.shape, values), at_values(value.stride, values))
    if isinstance(value, ComposedLayout):
        parts = (value.function, value.offset, value.layout)
        return unchecked(*(at_values(part, values) for part in parts))
    if isinstance(value, tuple):
        return tuple(at_values(part, values) for part in value)
    return value


def has_unknown(value: Any) -> bool:
    """Whether anything in a result is known at run time alone."""
    if isinstance(value, ComposedLayout):
        return any(has_unknown(part) for part in (value.function, value.offset, value.layout))
    if isinstance(value, Layout):
        return has_unknown(value.shape) or has_unknown(value.stride)
    for leaf in leaves(value):
        if isinstance(leaf, Unknown):
            return True
        if isinstance(leaf, CoordinateStride) and any(isinstance(s, Unknown) for _, s in leaf.terms):
            return True
    return False
