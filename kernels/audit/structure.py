"""Rules for what surrounds the algebra: layouts, tuples and tensors made and taken apart, arithmetic on tuples."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Any

from ...model.composed import ComposedLayout
from ...model.htuple import HTuple, flatten, leaves, map_leaves, text_of
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.names import names_in
from ...model.properties import cosize as static_cosize
from ...model.semimodule import CoordinateStride, E
from ...model.swizzle import Swizzle
from . import definitions, symbolic
from .algebra import Operands, innermost, integers, layout_rule, mode_at, same_front, structural
from .judging import judge, not_shown
from .matching import Unknown, fits, hidden, match_layout, match_tuple
from .operands import Value, has_unknown
from .sizes import Number, divisible, is_static, plain, rounded_up
from .symbolic import Unsettled
from .tensors import moved, moved_base, moved_pointer, shifted
from .types import (
    CoordIterType,
    CoordTensorType,
    PointerType,
    ScalarType,
    SwizzleType,
    TileType,
    TupleType,
    ViewType,
)
from .verdict import WRONG, Call, Decision, not_checked, outside, right, wrong


def says(expected: HTuple, got: HTuple, what: str = "value") -> Decision:
    """The verdict on a tuple that should be what is expected."""
    fault = match_tuple(expected, got, what)
    if fault is None:
        return not_shown(hidden(expected, got, what)) or right("definition")
    return wrong(
        f"the result is {text_of(got)} and should be {text_of(expected)}", None, text_of(expected), text_of(got)
    )


def gives(layout: Layout, got: Any) -> Decision:
    """The verdict on a layout that should be this very one, of its profile."""
    if not isinstance(got, Layout):
        return not_checked("the result is no layout S:D")
    return judge(lambda a: structural(a), (layout,), got)


def whole(t: HTuple) -> Number:
    """The product of the numbers of a tuple."""
    return plain(size_of(t))


# Making


@layout_rule("cute.make_shape", "cute.make_stride", "cute.make_coord", "cute.make_int_tuple", "cute.make_tile")
def _make_tuple(call: Call, given: Operands, results: Operands) -> Decision:
    value = results[0].value
    if any(isinstance(x, (Layout, tuple)) for x in (value if isinstance(value, tuple) else (value,))) and isinstance(
        results[0].type, TileType
    ):
        holes = [x for part in _layouts_of(value) for x in (*flatten(part.shape), *flatten(part.stride))]
    else:
        holes = list(leaves(value))
    wanted = [x for x in map(_unknown, holes) if x is not None]
    numbers = [x for one in given for x in _dynamic_leaves(one.value if one.layout is None else one.layout)]
    if len(wanted) != len(numbers):
        return not_checked(f"{len(numbers)} numbers are given for {len(wanted)} that are open")
    if not numbers or len(numbers) != sum(_count(one) for one in given):
        return not_checked("where numbers that are known go is in no type")
    for have, want in zip(numbers, wanted, strict=True):
        if not divisible(have, want.divisor):
            return wrong(f"a multiple of {want.divisor} is claimed of {have}", expected=str(have), got=str(want))
    return right("definition")


def _count(value: Value) -> int:
    """How many numbers a value holds."""
    layout = innermost(value.layout)
    return len(flatten(value.value)) if layout is None else 2 * len(flatten(layout.shape))


def _layouts_of(tiler: Any) -> list[Layout]:
    if isinstance(tiler, Layout):
        return [tiler]
    return [one for part in tiler for one in _layouts_of(part)] if isinstance(tiler, tuple) else []


def _unknown(x: Any) -> Unknown | None:
    if isinstance(x, Unknown):
        return x
    if isinstance(x, CoordinateStride):
        return next((s for _, s in x.terms if isinstance(s, Unknown)), None)
    return None


def _dynamic_leaves(value: Any) -> list[Any]:
    if isinstance(value, Layout):
        return [*_dynamic_leaves(value.shape), *_dynamic_leaves(value.stride)]
    found = []
    for x in leaves(value):
        if isinstance(x, CoordinateStride):
            found += [s for _, s in x.terms if not is_static(s)]
        elif x is not None and not is_static(x):
            found.append(x)
    return found


@layout_rule("cute.static")
def _static(call: Call, given: Operands, results: Operands) -> Decision:
    if results[0].type.dynamic:
        return wrong(f"a static value has a number that is open: {results[0].type.text}")
    return right("definition")


@layout_rule("cute.make_layout")
def _make_layout(call: Call, given: Operands, results: Operands) -> Decision:
    if not given or any(one.value is None for one in given):
        return not_checked("a layout made of what is neither shape nor stride")
    shape = given[0].value
    if len(given) == 1:
        return gives(definitions.compact(shape), results[0].layout)
    return gives(Layout.of(shape, given[1].value), results[0].layout)


@layout_rule("cute.make_ordered_layout")
def _make_ordered_layout(call: Call, given: Operands, results: Operands) -> Decision:
    order = given[1].value if len(given) > 1 else None
    return gives(definitions.ordered(given[0].value, order), results[0].layout)


@layout_rule("cute.make_layout_like", "cute.make_fragment_like")
def _make_layout_like(call: Call, given: Operands, results: Operands) -> Decision:
    """Compact, of the same shape, modes in the order of their strides; a mode of stride 0 keeps it."""
    source, got = given[0].layout, results[0].layout
    if not isinstance(source, Layout) or not isinstance(got, Layout):
        return not_checked("a layout like what is no layout S:D")
    modes = list(zip(flatten(source.shape), flatten(source.stride), strict=True))
    if any(isinstance(d, CoordinateStride) for _, d in modes):
        return not_checked("a layout like one of coordinates")
    live = [k for k, (s, d) in enumerate(modes) if not (is_static(d) and d == 0) and not (is_static(s) and s == 1)]
    fixed = sorted((k for k in live if is_static(modes[k][1])), key=lambda k: abs(modes[k][1]))
    order = [*fixed, *(k for k in live if k not in fixed)]
    strides: list[Any] = [0] * len(modes)
    reached: Any = 1
    for k in order:
        strides[k] = reached
        reached = plain(reached * modes[k][0])
    rest = iter(strides)
    decision = gives(Layout.of(source.shape, map_leaves(lambda _: next(rest), source.shape)), got)
    ties = [modes[k][1] for k in fixed]
    if decision.verdict == WRONG and len(set(ties)) < len(ties):
        return outside(f"two modes of {source} have one stride, and no order between them", got=str(got))
    return decision


@layout_rule("cute.make_identity_layout", "cute.make_identity_tensor")
def _make_identity(call: Call, given: Operands, results: Operands) -> Decision:
    shape = given[0].value

    def stride(s: HTuple, path: tuple[int, ...]) -> HTuple:
        if isinstance(s, tuple):
            return tuple([stride(mode, (*path, k)) for k, mode in enumerate(s)])
        return E(*path) if path else 1

    decision = gives(Layout.of(shape, stride(shape, ())), results[0].layout)
    if decision.verdict != "right" or not isinstance(results[0].type, CoordTensorType):
        return decision
    return says(map_leaves(lambda _: 0, shape), results[0].value)


@layout_rule("cute.make_composed_layout")
def _make_composed_layout(call: Call, given: Operands, results: Operands) -> Decision:
    if len(given) != 3:
        return not_checked("a composed layout has three parts")
    first, offset, inner = given
    got = results[0].layout
    function: Any = first.type.value if isinstance(first.type, SwizzleType) else first.layout
    if not isinstance(got, ComposedLayout):
        # A swizzle of no bits is the identity, and the DSL leaves it away.
        plain = isinstance(function, Swizzle) and function.bits == 0 and _offsets_fit(offset.value, 0)
        if plain and isinstance(inner.layout, Layout):
            return gives(inner.layout, got)
        return not_checked("the result is no composed layout")
    if got.function != function:
        return wrong(f"{got.function} stands in front and should be {function}", None, str(function), str(got.function))
    if not _offsets_fit(offset.value, got.offset):
        want = text_of(offset.value)
        return wrong(f"the offset is {got.offset} and should be {want}", None, want, str(got.offset))
    unseen = _offset_not_shown(offset.value, got.offset)
    if unseen is not None:
        return unseen
    if not isinstance(inner.layout, Layout) or not isinstance(got.layout, Layout):
        return right("definition") if inner.layout == got.layout else not_checked("several functions in front")
    return gives(inner.layout, got.layout)


def _offsets_fit(expected: HTuple, got: Any) -> bool:
    if not isinstance(expected, tuple):
        return fits(expected, got)
    return all(is_static(x) and x == 0 for x in leaves(expected)) and is_static(got) and got == 0


def _offset_not_shown(expected: HTuple, got: Any) -> Decision | None:
    """What is said of an offset that fits: nothing is decided where a ``?`` hides one that is known."""
    return None if isinstance(expected, tuple) else not_shown(hidden(expected, got, "offset"))


@layout_rule("cute.make_view")
def _make_view(call: Call, given: Operands, results: Operands) -> Decision:
    if len(given) < 2:
        if has_unknown(results[0].layout):
            return not_checked("a view with numbers that no operand gives")
        return _like(given[0], results[0]) or right("definition")
    source, got = given[1].layout, results[0].layout
    a, r = innermost(source), innermost(got)
    if a is None or r is None:
        return not_checked("a view of what is no layout")
    if isinstance(source, ComposedLayout) != isinstance(got, ComposedLayout) or (
        isinstance(source, ComposedLayout) and not same_front(source, got)
    ):
        return not_checked("the function in front of the layout has changed")
    decision = gives(a, r)
    if decision.verdict != "right":
        return decision
    if isinstance(results[0].type, ViewType):
        if results[0].type.iterator.text == given[0].type.text:
            return decision
        return not_checked("the view's iterator is another")
    return _like(given[0], results[0]) or decision


def _like(before: Value, after: Value) -> Decision | None:
    """What is wrong with a pointer, or a coordinate, that should be the one before."""
    if isinstance(before.type, PointerType) and isinstance(after.type, PointerType):
        return moved_pointer(before.type, after.type, 0)
    if isinstance(before.type, CoordIterType) and isinstance(after.type, CoordIterType):
        return moved_base(before.value, 0, after.value)
    return not_checked(f"{before.type.text:.40} became {after.type.text:.40}")


# Taking apart


@layout_rule("cute.get_layout")
def _get_layout(call: Call, given: Operands, results: Operands) -> Decision:
    source, got = given[0].layout, results[0].layout
    a, r = innermost(source), innermost(got)
    if a is None or r is None:
        return not_checked("a tensor without a layout")
    if isinstance(source, ComposedLayout) or isinstance(got, ComposedLayout):
        if not isinstance(source, ComposedLayout) or not isinstance(got, ComposedLayout):
            return not_checked("the function in front of the layout has changed")
        if source.function != got.function or not fits(source.offset, got.offset):
            return not_checked("the function in front of the layout has changed")
        unseen = _offset_not_shown(source.offset, got.offset)
        if unseen is not None:
            return unseen
    return gives(a, r)


@layout_rule("cute.get_iter")
def _get_iter(call: Call, given: Operands, results: Operands) -> Decision:
    before, after = given[0].type, results[0].type
    if isinstance(before, ViewType):
        same = before.iterator.text == after.text
        return right("definition") if same else not_checked("the view's iterator is another")
    return _like(given[0], results[0]) or right("definition")


@layout_rule("cute.get_shape")
def _get_shape(call: Call, given: Operands, results: Operands) -> Decision:
    return _taken(call, given, results, lambda a: a.shape)


@layout_rule("cute.get_stride")
def _get_stride(call: Call, given: Operands, results: Operands) -> Decision:
    return _taken(call, given, results, lambda a: a.stride)


def _taken(call: Call, given: Operands, results: Operands, part: Callable[[Layout], HTuple]) -> Decision:
    a = innermost(given[0].layout)
    if isinstance(given[0].type, TileType):
        value = _parts_of(given[0].value, part)
    elif a is None:
        return not_checked("what it is taken of is no layout S:D")
    else:
        value = part(a)
    return says(mode_at(call, value, integers(call, "mode")), results[0].value)


def _parts_of(tiler: Any, part: Callable[[Layout], HTuple]) -> HTuple:
    """The shape or the stride of a tile, mode by mode."""
    if isinstance(tiler, tuple):
        return tuple([_parts_of(one, part) for one in tiler])
    if isinstance(tiler, Layout):
        return part(tiler)
    raise Unsettled("a tile with `_`")


@layout_rule("cute.get_leaves")
def _get_leaves(call: Call, given: Operands, results: Operands) -> Decision:
    value = given[0].value
    if given[0].layout is not None:
        return not_checked("the leaves of a layout")
    if isinstance(given[0].type, TileType):
        parts = list(leaves(value))
        if len(parts) != len(results):
            return wrong(f"{len(results)} leaves are given and there are {len(parts)}")
        for part, one in zip(parts, results, strict=True):
            if isinstance(part, Layout):
                if not isinstance(one.layout, Layout) and not isinstance(one.value, Layout):
                    return not_checked("the leaf of a tile is another kind")
                found: Layout = one.layout if isinstance(one.layout, Layout) else one.value
                if match_layout(part, found) is not None:
                    return wrong(f"the leaf is {found} and should be {part}", None, str(part), str(found))
                unseen = not_shown(hidden(part, found))
                if unseen is not None:
                    return unseen
        return right("definition")
    return says(tuple(leaves(value)), tuple(one.value for one in results))


@layout_rule("cute.get_scalars")
def _get_scalars(call: Call, given: Operands, results: Operands) -> Decision:
    """A tuple's numbers of run time, or all of them, as integers that are as wide and claim what follows."""
    if any(one.layout is not None or not isinstance(one.type, TupleType) for one in given):
        return not_checked("the scalars of what is no tuple")
    numbers = [x for one in given for x in leaves(one.value) if x is not None]
    widths = iter([d.bits for one in given for d in one.type.dynamic])
    told = [(x, 0 if is_static(x) else next(widths)) for x in numbers]
    dynamic = [one for one in told if not is_static(one[0])]
    if len(results) not in (len(dynamic), len(told)):
        return not_checked(f"{len(results)} scalars of {len(numbers)} numbers")
    for (number, width), one in zip(told if len(results) == len(told) else dynamic, results, strict=True):
        kind = one.type
        if not isinstance(kind, ScalarType) or not kind.text.startswith(("i", "!cute.i")):
            return wrong(
                f"a number became {kind.text:.40}, and should be an integer", expected="an integer", got=kind.text
            )
        if kind.bits < width:
            return wrong(f"a number of {width} bits became one of {kind.bits}", expected=f"i{width}", got=kind.text)
        if not divisible(number, kind.divisor):
            reason = f"a multiple of {kind.divisor} is claimed of {number}"
            return wrong(reason, expected=str(number), got=kind.text)
    return right("definition")


@layout_rule("cute.to_int_tuple", "cute.deref_arith_tuple_iter", "cute.make_arith_tuple_iter", "cute.unpack_tuple")
def _same_tuple(call: Call, given: Operands, results: Operands) -> Decision:
    return says(given[0].value, results[0].value)


@layout_rule("cute.composed_get_inner", "cute.composed_get_offset", "cute.composed_get_outer")
def _composed_part(call: Call, given: Operands, results: Operands) -> Decision:
    source = given[0].layout
    if not isinstance(source, ComposedLayout):
        if call.operation.name == "cute.composed_get_outer" and isinstance(source, Layout):
            return gives(source, results[0].layout)
        return not_checked("a part of what is no composed layout")
    if call.operation.name == "cute.composed_get_offset":
        got = results[0].value
        if isinstance(got, tuple) and _offsets_fit(got, source.offset):
            return right("definition")
        if not isinstance(got, tuple) and fits(source.offset, got):
            return _offset_not_shown(source.offset, got) or right("definition")
        if isinstance(got, tuple) or isinstance(source.offset, CoordinateStride):
            return not_checked(f"the offset {source.offset} became {text_of(got)}")
        return wrong(
            f"the offset is {text_of(got)} and should be {source.offset}", None, str(source.offset), text_of(got)
        )
    if call.operation.name == "cute.composed_get_outer":
        inner = source.layout
        if isinstance(inner, Layout):
            return gives(inner, results[0].layout)
        return right("definition") if inner == results[0].layout else not_checked("several functions in front")
    found: Any = results[0].type.value if isinstance(results[0].type, SwizzleType) else results[0].layout
    if found == source.function:
        return right("definition")
    return wrong(f"the function is {found} and should be {source.function}", None, str(source.function), str(found))


# Sizes, coordinates


@layout_rule("cute.size")
def _size(call: Call, given: Operands, results: Operands) -> Decision:
    a = innermost(given[0].layout)
    if a is None and given[0].layout is not None:
        return not_checked("the size of what is no layout S:D")
    shape = a.shape if a is not None else given[0].value
    return says(whole(mode_at(call, shape, integers(call, "mode"))), results[0].value, "size")


@layout_rule("cute.cosize")
def _cosize(call: Call, given: Operands, results: Operands) -> Decision:
    source, got = given[0].layout, results[0].value
    path = integers(call, "mode")
    if path or source is None:
        return not_checked("the cosize of a mode")
    inner = innermost(source)
    if not names_in(source):
        expected: Any = static_cosize(source) if isinstance(source, Layout) else None
        if expected is None and inner is not None:
            # CuTe's cosize of a composed layout is that of its layout.
            expected = static_cosize(inner)
        return says(expected, got, "cosize")
    if not isinstance(source, Layout):
        return not_checked("the cosize of a composed layout with names")
    try:
        return says(symbolic.cosize(source), got, "cosize")
    except Unsettled as stop:
        if isinstance(got, Unknown) and got.divisor == 1:
            return right("definition", f"nothing is claimed of it; {stop} is not known")
        raise


@layout_rule("cute.crd2idx")
def _crd2idx(call: Call, given: Operands, results: Operands) -> Decision:
    crd, layout = given[0].value, given[1].layout
    crd = map_leaves(lambda c: 0 if c is None else c, crd) if crd is not None else 0
    if layout is None:
        layout = definitions.compact(given[1].value)
    a = innermost(layout)
    if a is None:
        return not_checked("an index in what is no layout")
    got = results[0].value
    inside = definitions.value_at(a, crd)
    if isinstance(layout, ComposedLayout):
        if is_static(inside) and is_static(layout.offset) and isinstance(layout.function, Swizzle):
            return says(layout.function(layout.offset + inside), got)
        if isinstance(got, Unknown) and got.divisor == 1:
            return right("definition", "nothing is claimed of it")
        return not_checked("an index behind a swizzle")
    if isinstance(got, tuple) or isinstance(inside, CoordinateStride):
        return says(shifted(map_leaves(lambda _: 0, got), inside), got)
    return says(inside, got)


@layout_rule("cute.idx2crd", "cute.get_hier_coord", "cute.get_flat_coord", "cute.get_integral_coord")
def _coordinate(call: Call, given: Operands, results: Operands) -> Decision:
    index, layout = given[0].value, given[1].layout
    name = call.operation.name
    got = results[0].value
    if index is None:
        return not_checked("the coordinate of what is no number")
    if isinstance(index, tuple):
        return not_checked("the coordinate of a tuple")
    if name == "cute.idx2crd":
        shape = given[1].value if layout is None else innermost(layout).shape  # type: ignore[union-attr]
        layout = definitions.compact(shape)
    if not isinstance(layout, Layout):
        return not_checked("a coordinate in what is no layout S:D")
    if any(isinstance(d, CoordinateStride) for d in flatten(layout.stride)):
        return not_checked("a coordinate in a layout of coordinates")

    last = len(flatten(layout.shape)) - 1 if name == "cute.idx2crd" else -1
    position = -1

    def digit(s: HTuple, d: HTuple) -> HTuple:
        nonlocal position
        if isinstance(s, tuple):
            return tuple([digit(x, y) for x, y in zip(s, d, strict=True)])
        position += 1
        if (is_static(s) and s == 1 and position != last) or (is_static(d) and d == 0):
            return 0
        inside = plain(index // d)
        return inside if position == last else plain(inside % s)

    natural = digit(layout.shape, layout.stride)
    if name in ("cute.get_hier_coord", "cute.idx2crd"):
        expected = natural
    else:
        modes = definitions.modes_of(layout)
        parts = natural if isinstance(natural, tuple) else (natural,)
        flat = tuple(definitions.value_at(definitions.compact(m.shape), c) for m, c in zip(modes, parts, strict=True))
        expected = flat
        if name == "cute.get_integral_coord":
            expected = definitions.value_at(definitions.compact(layout.shape), flat)
    if not has_unknown(got) and names_in(expected):
        return not_checked("the index is a constant that its type does not tell")
    return says(expected, got)


# Arithmetic on tuples


def _leaf_by_leaf(
    expression: Callable[[Any, Any], Any], is_padded: bool
) -> Callable[[Call, Operands, Operands], Decision]:
    """The rule for arithmetic leaf by leaf; ``is_padded``: the shorter tuple has zeros at its end."""

    def body(call: Call, given: Operands, results: Operands) -> Decision:
        def combined(x: HTuple, y: HTuple) -> HTuple:
            if isinstance(x, tuple) and isinstance(y, tuple):
                if len(x) != len(y):
                    if not is_padded:
                        raise Unsettled("tuples of other profiles")
                    short, long = sorted((x, y), key=len)
                    zeros = tuple([map_leaves(lambda _: 0, mode) for mode in long[len(short) :]])
                    x, y = (x + zeros, y) if x is short else (x, y + zeros)
                return tuple([combined(p, q) for p, q in zip(x, y, strict=True)])
            if isinstance(x, tuple) or isinstance(y, tuple):
                raise Unsettled("a tuple and a number")
            return plain(expression(x, y))

        return says(combined(given[0].value, given[1].value), results[0].value)

    return body


def _truncated(x: Any, y: Any) -> Any:
    """The quotient, where both are known to round alike."""
    if is_static(x) and is_static(y):
        return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) if y else 0
    return x // y


def _remainder(x: Any, y: Any) -> Any:
    """The remainder; a divisor common to both divides it, whatever the signs."""
    if is_static(x) and is_static(y):
        return x - y * _truncated(x, y)
    common = gcd(_common(x), _common(y))
    rest = x % y
    if is_static(rest) or common == 1:
        return rest
    return common * ((x / common) % (y / common if not is_static(y) else y // common))


def _common(x: Any) -> int:
    return x if is_static(x) else gcd(*(int(c) if c.denominator == 1 else 1 for c in x.terms.values()))


for _name, _expression in {
    "cute.tuple_add": lambda x, y: x + y,
    "cute.tuple_sub": lambda x, y: x - y,
    "cute.tuple_mul": lambda x, y: x * y,
    "cute.tuple_div": _truncated,
    "cute.tuple_mod": _remainder,
}.items():
    layout_rule(_name)(_leaf_by_leaf(_expression, _name in ("cute.tuple_add", "cute.tuple_sub")))


@layout_rule("cute.tuple.product")
def _tuple_product(call: Call, given: Operands, results: Operands) -> Decision:
    return says(whole(given[0].value), results[0].value)


@layout_rule("cute.tuple.product_each")
def _tuple_product_each(call: Call, given: Operands, results: Operands) -> Decision:
    value = given[0].value
    expected = tuple(whole(mode) for mode in value) if isinstance(value, tuple) else value
    return says(expected, results[0].value)


@layout_rule("cute.ceil_div")
def _ceil_div(call: Call, given: Operands, results: Operands) -> Decision:
    value, got = given[0].value, results[0].value
    tiler: Any = given[1].layout if given[1].layout is not None else given[1].value

    def divided(x: HTuple, t: Any) -> HTuple:
        if isinstance(t, tuple):
            modes = x if isinstance(x, tuple) else (x,)
            if len(t) > len(modes):
                raise Unsettled("a tiler of more modes")
            return (*[divided(m, p) for m, p in zip(modes, t, strict=False)], *modes[len(t) :])
        if t is None:
            return x
        by = whole(t.shape) if isinstance(t, Layout) else t
        return rounded_up(whole(x), by)

    return says(divided(value, tiler), got)


@layout_rule("cute.shape_div")
def _shape_div(call: Call, given: Operands, results: Operands) -> Decision:
    def one(x: Any, y: Any) -> Any:
        if is_static(x) and is_static(y) and x % y and y % x:
            raise Unsettled(f"neither of {x} and {y} divides the other")
        return rounded_up(x, y)

    def divided(x: HTuple, y: HTuple) -> HTuple:
        if isinstance(x, tuple) and isinstance(y, tuple):
            if len(x) != len(y):
                raise Unsettled("tuples of other profiles")
            return tuple([divided(p, q) for p, q in zip(x, y, strict=True)])
        if isinstance(x, tuple):
            found, left = [], y
            for mode in x:
                found.append(divided(mode, left))
                left = divided(left, whole(mode))
            return tuple(found)
        return one(x, whole(y))

    return says(divided(given[0].value, given[1].value), results[0].value)


@layout_rule("cute.increment_coord")
def _increment_coord(call: Call, given: Operands, results: Operands) -> Decision:
    crd, shape = given[0].value, given[1].value
    if not all(is_static(x) for x in (*leaves(crd), *leaves(shape))):
        return not_checked("a coordinate with names, counted up")
    index = definitions.value_at(definitions.compact(shape), crd) + 1
    return says(definitions.natural(index % whole(shape), shape), results[0].value)


# Pointers


@layout_rule("cute.memref.alloca", "cute.memref.alloc_smem")
def _alloc(call: Call, given: Operands, results: Operands) -> Decision:
    """Memory of its own: the tensor has the layout that is asked for."""
    if not given or given[0].layout is None or results[0].layout is None:
        return not_checked("memory for which no layout is asked")
    if isinstance(given[0].layout, ComposedLayout):
        return right("definition") if given[0].layout == results[0].layout else not_checked("a swizzled layout")
    return gives(given[0].layout, results[0].layout)


@layout_rule("cute.add_offset")
def _add_offset(call: Call, given: Operands, results: Operands) -> Decision:
    offset = given[1].value
    if isinstance(given[0].type, CoordIterType):

        def added(x: HTuple, y: HTuple) -> HTuple:
            if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y):
                return tuple([added(p, q) for p, q in zip(x, y, strict=True)])
            if isinstance(x, tuple) or isinstance(y, tuple):
                raise Unsettled("a coordinate and an offset of other profiles")
            return plain(x + y)

        return says(added(given[0].value, offset), results[0].value)
    if offset is None or isinstance(offset, tuple):
        return not_checked("an offset that is no number")
    if not isinstance(given[0].type, PointerType):
        return not_checked(f"an offset to {given[0].type.text:.40}")
    return moved(given[0], results[0], offset) or right("definition")


@layout_rule("cute.recast_iter")
def _recast_iter(call: Call, given: Operands, results: Operands) -> Decision:
    before, after = given[0].type, results[0].type
    if not isinstance(before, PointerType) or not isinstance(after, PointerType):
        return not_checked("a recast of what is no pointer")
    if before.space != after.space:
        return wrong(f"the space of the pointer should be {before.space}, not {after.space}")
    old, new = before.element_bits, after.element_bits
    if old is None or new is None:
        return not_checked("a recast of elements whose width is not known")
    before_align, after_align = before.align or max(old // 8, 1), after.align or max(new // 8, 1)
    if before_align % after_align:
        return wrong(f"the pointer claims an alignment of {after_align} bytes, and that before has {before_align}")
    note = f"the pointer's swizzle is set anew: {after.swizzle}" if before.swizzle != after.swizzle else ""
    return right("definition", note)
