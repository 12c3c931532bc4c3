"""Rules for the layout algebra: composition, divides, products, complements, inverses, slices and their kin.

A rule reads its operation's types, asks :mod:`.definitions` what the result should be and :mod:`.judging` whether it
is. An operation on a tensor is that on its layout, and what it does to the pointer or to the coordinate that the
tensor stands at: see :mod:`.tensors`. A swizzle in front of a layout stays in front.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import gcd
from typing import Any

from ...model.complement import decide_complement
from ...model.composed import ComposedLayout
from ...model.errors import InputError, Refuted, Undecided, VeritileError, Witness
from ...model.htuple import congruent, flatten, leaves, map_leaves, text_of
from ...model.htuple import size as size_of
from ...model.inverse import decide_left_inverse, decide_right_inverse
from ...model.layout import Layout
from ...model.names import names_in
from ...model.properties import is_injective, refute_injective
from ...model.recast import decide_recast
from ...model.semimodule import CoordinateStride
from ...model.swizzle import Swizzle
from ...model.tiler import joined
from . import definitions
from .definitions import Expected, modes_of
from .judging import MOST_POINTS, first_difference, judge, not_shown, zero_size
from .matching import Unknown, fits, hidden, match_layout, match_tuple, refines, same_function
from .operands import Value, at_values, has_unknown, read_operands, read_results
from .sizes import divisible, is_static, plain, plus, quotient, times
from .symbolic import Unsettled
from .tensors import moved
from .types import TupleType, UnknownType, read_type
from .verdict import OUTSIDE, RIGHT, WRONG, Call, Decision, Rule, not_checked, outside, right, rule, several, wrong

# What the DSL prints where it found none: an x for a number, the base of a swizzle below zero.
_NO_LAYOUT = re.compile(r"[\"(,: ]x[\"),: ]|S<\d+,42949\d{5},")

Operands = tuple[Value, ...]
Body = Callable[[Call, Operands, Operands], Decision]


class NoMode(VeritileError):
    """An operation names a mode that its operand has not: CuTe DSL makes no such one, so none is in a trace of its."""


def layout_rule(*names: str) -> Callable[[Body], Body]:
    """A decorator: the function decides the operations of these names, its types read as values.

    What nothing can be said of is `not checked`: a type that is not understood, a question that is not settled.
    """

    def register(body: Body) -> Body:
        rule(*names)(guarded(body))
        return body

    return register


def guarded(body: Body) -> Rule:
    """The rule that reads a call's types for ``body`` and turns what is not settled into a verdict."""

    def decide(call: Call) -> Decision:
        for one in call.results:
            if isinstance(one, UnknownType) and _NO_LAYOUT.search(one.text):
                return wrong(f"the result {one.text:.80} is no layout", got=one.text)
        for one in (*call.operands, *call.results):
            if isinstance(one, UnknownType):
                return not_checked(f"the type {one.text:.80} is not understood: {one.reason}")
        try:
            given = read_operands(call.operands)
            for value in given:
                inner = innermost(value.layout)
                if inner is not None and zero_size(inner) is not None:
                    return outside(f"an operand, {value.layout}, has a size of zero")
            return body(call, given, read_results(call.results))
        except NoMode as stop:
            return not_checked(f"no such mode: {stop}")
        except (Unsettled, Undecided, InputError) as stop:
            return not_checked(f"not settled: {stop}")

    return decide


def innermost(layout: Any) -> Layout | None:
    """The layout behind swizzles, which operations act on."""
    while isinstance(layout, ComposedLayout):
        layout = layout.layout
    return layout if isinstance(layout, Layout) else None


def integers(call: Call, name: str) -> tuple[int, ...]:
    """An integer property or an array of them, ``mode = array<i32: 0, 1>``; none where it is not there."""
    match = re.search(rf"\b{name} = (?:array<i\d+(?:: ([^>]*))?>|(-?\d+))", call.operation.properties)
    if match is None or not (match[1] or match[2]):
        return ()
    return tuple(int(part) for part in (match[1] or match[2]).split(","))


def mode_at(call: Call, t: Any, path: tuple[int, ...]) -> Any:
    """The mode of a shape, a stride or a tuple at a path; a number is its own mode 0.

    NoMode where there is none.
    """
    for step in path:
        modes = t if isinstance(t, tuple) else (t,)
        if not 0 <= step < len(modes):
            raise NoMode(f"{call.operation.name} names mode {step} of {text_of(t)}, which has rank {len(modes)}")
        t = modes[step]
    return t


def coordinate(call: Call, name: str) -> Any:
    """A coordinate among the properties, ``coord = #cute.coord<"(1,_)">``; Unsettled where it is not there."""
    match = re.search(rf'\b{name} = #(cute\.coord<"[^"]*">)', call.operation.properties)
    found = read_type(f"!{match[1]}") if match else None
    if not isinstance(found, TupleType):
        raise Unsettled(f"no coordinate {name} is named")
    return found.value


def on_layout(
    call: Call, given: Operands, results: Operands, expect: Callable[..., Expected], *rest: Any, offset: Any = 0
) -> Decision:
    """The operation on the first operand's layout: judged on what is behind its swizzle, then the tensor around it."""
    source, got = given[0].layout, results[0].layout
    a, r = innermost(source), innermost(got)
    if a is None or r is None:
        return not_checked("an operand or the result holds no layout S:D")
    if isinstance(source, ComposedLayout) and not same_front(source, got):
        return not_checked("the function in front of the layout has changed")
    if isinstance(got, ComposedLayout) and not isinstance(source, ComposedLayout):
        return not_checked("a function stands in front of the result, and of no operand")
    if isinstance(source, ComposedLayout) and not is_apart(source.function, offset):
        return not_checked(f"an offset of {offset} behind a swizzle")
    decision = judge(expect, (a, *rest), r)
    if decision.verdict != RIGHT:
        return decision
    return moved(given[0], results[0], offset) or decision


def same_front(source: Any, got: Any) -> bool:
    """Whether two composed layouts have the same function and offset in front, however deep."""
    while isinstance(source, ComposedLayout):
        if not isinstance(got, ComposedLayout) or source.function != got.function:
            return False
        if not (is_static(source.offset) and source.offset == got.offset):
            return False
        source, got = source.layout, got.layout
    return not isinstance(got, ComposedLayout)


def tiler_of(value: Value) -> Any:
    """A tiler: a layout, a tile, or a shape taken by mode."""
    if value.layout is not None:
        if isinstance(value.layout, Layout):
            return value.layout
        raise Unsettled("a tiler that is a composed layout")
    return value.value


# Composition, coalesce, divides, products


@layout_rule("cute.composition")
def _composition(call: Call, given: Operands, results: Operands) -> Decision:
    return on_layout(call, given, results, definitions.composition, tiler_of(given[1]))


@layout_rule("cute.coalesce")
def _coalesce(call: Call, given: Operands, results: Operands) -> Decision:
    profile = given[1].value if len(given) > 1 else None
    return on_layout(call, given, results, lambda a: definitions.coalesced(a, profile))


@layout_rule("cute.logical_divide", "cute.zipped_divide", "cute.tiled_divide", "cute.flat_divide")
def _divide(call: Call, given: Operands, results: Operands) -> Decision:
    form = call.operation.name.removeprefix("cute.").removesuffix("_divide")

    def expect(a: Layout, tiler: Any) -> Expected:
        return definitions.divide(a, tiler, form)

    tiler = tiler_of(given[1])
    decision = on_layout(call, given, results, expect, tiler)
    return _tile_alone(decision, given, results, tiler, form)


def _tile_alone(decision: Decision, given: Operands, results: Operands, tiler: Any, form: str) -> Decision:
    """Where the tiler has no complement, its tile is judged alone: A after the tiler is mode 0 of the result."""
    a, r = innermost(given[0].layout), innermost(results[0].layout)
    if decision.verdict != OUTSIDE or form == "flat" or isinstance(tiler, tuple) or a is None or r is None:
        return decision
    if names_in(a, tiler) or has_unknown(r) or len(r) < 2:
        return decision
    tile = judge(definitions.composition, (a, definitions.as_tile(tiler)), r[0])
    return tile if tile.verdict == WRONG else decision


@layout_rule(
    "cute.logical_product",
    "cute.zipped_product",
    "cute.tiled_product",
    "cute.flat_product",
    "cute.blocked_product",
    "cute.raked_product",
)
def _product(call: Call, given: Operands, results: Operands) -> Decision:
    form = call.operation.name.removeprefix("cute.").removesuffix("_product")

    def expect(a: Layout, b: Any) -> Expected:
        return definitions.product(a, b, form)

    tiler = tiler_of(given[1])
    decision = on_layout(call, given, results, expect, tiler)
    return _repeated_apart(decision, given, results, expect, tiler)


@layout_rule("cute.tile_to_shape")
def _tile_to_shape(call: Call, given: Operands, results: Operands) -> Decision:
    order = given[2].value if len(given) > 2 else None

    def expect(a: Layout, shape: Any) -> Expected:
        return definitions.tile_to_shape(a, shape, order)

    decision = on_layout(call, given, results, expect, given[1].value)
    return _repeated_apart(decision, given, results, expect, given[1].value)


def _repeated_apart(
    decision: Decision, given: Operands, results: Operands, expect: Callable[..., Expected], tiler: Any
) -> Decision:
    """A block without an exact complement may be repeated in several ways; where its copies meet, that is wrong."""
    a, r = innermost(given[0].layout), innermost(results[0].layout)
    if decision.verdict not in (WRONG, OUTSIDE) or a is None or r is None:
        return decision
    if names_in(a, tiler) or has_unknown(r) or zero_size(r) is not None:
        return decision
    try:
        found = expect(a, tiler)
    except (VeritileError, Unsettled):
        return decision
    if found.definition is not None and not found.outside:
        return decision
    reason = found.outside[0] if found.outside else found.reason
    if not (is_injective(a) and (not isinstance(tiler, Layout) or is_injective(tiler))):
        return outside(reason, got=str(r))
    collision = refute_injective(r)
    if collision is not None:
        return wrong(f"two copies of {a} share an offset", _evaluated(r, collision), got=str(r))
    return outside(reason, got=str(r))


def _evaluated(layout: Layout, collision: Witness) -> Witness:
    """A collision, confirmed by evaluating both coordinates."""
    first, second = collision.values["coordinate"], collision.values["other"]
    if layout(first) != layout(second) or first == second:
        raise Undecided(f"{layout}: a collision that evaluation does not confirm")
    return collision


@layout_rule("cute.complement")
def _complement(call: Call, given: Operands, results: Operands) -> Decision:
    a, got = given[0].layout, results[0].layout
    if not isinstance(a, Layout) or not isinstance(got, Layout):
        return not_checked("a complement of a composed layout")
    bound = plain(size_of(given[1].value)) if len(given) > 1 else definitions.cosize_of(a)

    def expect(layout: Layout, n: Any) -> Expected:
        found = definitions.bounded_complement(layout, n)
        return Expected(found, plain(size_of(found.shape)), found)

    if names_in(a) or not is_static(bound) or has_unknown(got):
        return judge(expect, (a, bound), got)
    if zero_size(got) is not None:
        return judge(expect, (a, bound), got)
    whole = joined([a, got])
    try:
        exact = decide_complement(a, bound)
    except Refuted as refused:
        if not is_injective(a):
            return outside(refused.reason, got=str(got))
        collision = refute_injective(whole)
        if collision is not None:
            return wrong(
                f"the layout and its complement share an offset; {refused.reason}",
                _evaluated(whole, collision),
                got=str(got),
            )
        return outside(refused.reason, got=str(got))
    return judge(expect, (a, bound), got) if exact else not_checked("no complement")


@layout_rule("cute.right_inverse")
def _right_inverse(call: Call, given: Operands, results: Operands) -> Decision:
    a, got = given[0].layout, results[0].layout
    if not isinstance(a, Layout) or not isinstance(got, Layout):
        return not_checked("an inverse of a composed layout")
    if has_unknown(got):
        return not_checked("an inverse with names")
    if zero_size(got) is not None:
        return wrong(f"the result {got} has a size of zero", got=str(got))
    if names_in(a):
        if _is_largest(a, got):
            return right("closed-form")
        return not_checked("an inverse with names")
    largest = decide_right_inverse(a)
    want = largest.result
    if a.semimodule == "integer" and not same_function(want, got):
        broken = _not_inverted(a, got)
        if isinstance(broken, Witness):
            return wrong(f"{a} after its right inverse is not the identity", broken, str(want), str(got))
        if size_of(got.shape) < size_of(want.shape):
            return outside(f"a larger right inverse exists: {want}", got=str(got), advice=f"{want}")
        if broken:
            return right(several([*largest.evidence, "enumeration"]))
    return judge(lambda _: Expected(want, _sizes(want), want, several(largest.evidence)), (a,), got)


def _is_largest(a: Layout, got: Layout) -> bool:
    """Whether a result is the largest right inverse of a layout with names.

    Modes of the strides 1, s₀, s₀s₁, … up to N give it; where a number above N divides every other stride, no offset
    is N, and none can be larger.
    """
    index: Any = 1
    chain, others = [], 0
    modes = []
    for s, d in zip(flatten(a.shape), flatten(a.stride), strict=True):
        if isinstance(d, CoordinateStride):
            return False
        modes.append((s, d, index))
        index = plain(index * s)
    reached = 1
    for s, d, place in sorted([m for m in modes if is_static(m[0]) and is_static(m[1])], key=lambda m: m[1]):
        if s > 1 and d == reached:
            chain.append((s, place))
            reached *= s
    for s, d, place in modes:
        if (s, place) in chain or (is_static(s) and s == 1):
            continue
        others = gcd(others, d if is_static(d) else gcd(*(int(c) for c in d.terms.values())))
    inverse = Layout.of(tuple([s for s, _ in chain]), tuple([d for _, d in chain]))
    return (others == 0 or others > reached) and same_function(inverse, got)


def _sizes(layout: Layout) -> Any:
    return size_of(layout.shape)


def _not_inverted(a: Layout, got: Layout) -> Witness | bool:
    """A k with L(R(k)) ≠ k; True where all were tried; False where that is too many."""
    total, inside = size_of(got.shape), size_of(a.shape)
    for k in range(min(total, MOST_POINTS)):
        index = got(k)
        if not 0 <= index < inside:
            return Witness("outside", {"coordinate": k, "offset": index})
        back = a(index)
        if back != k:
            return Witness("difference", {"coordinate": k, "index": k, "expected": k, "got": back})
    return total <= MOST_POINTS


@layout_rule("cute.left_inverse")
def _left_inverse(call: Call, given: Operands, results: Operands) -> Decision:
    a, got = given[0].layout, results[0].layout
    if not isinstance(a, Layout) or not isinstance(got, Layout):
        return not_checked("an inverse of a composed layout")
    if names_in(a) or has_unknown(got):
        return not_checked("an inverse with names")
    if zero_size(got) is not None:
        return wrong(f"the result {got} has a size of zero", got=str(got))
    if a.semimodule != "integer":
        by_axis = decide_left_inverse(a)
        want = by_axis.result
        return judge(lambda _: Expected(want, want.shape, want, several(by_axis.evidence)), (a,), got)
    try:
        answer = decide_left_inverse(a)
    except Refuted as refused:
        expected, reason = None, refused.reason
    else:
        if same_function(answer.result, got):
            return right(several(answer.evidence))
        expected, reason = str(answer.result), f"the left inverse does not send the offsets of {a} back"
    total = size_of(a.shape)
    if total > MOST_POINTS:
        return not_checked(f"more than {MOST_POINTS} coordinates to compare; {reason}")
    injective = is_injective(a)
    for index in range(total):
        offset = a(index)
        if offset >= size_of(got.shape):
            witness = Witness("outside", {"coordinate": index, "offset": offset})
            return wrong(
                f"the left inverse {got} has no coordinate for this offset of {a}", witness, expected, str(got)
            )
        back = got(offset)
        if (back != index) if injective else (not 0 <= back < total or a(back) != offset):
            witness = Witness("difference", {"coordinate": index, "offset": offset, "expected": index, "got": back})
            return wrong(reason, witness, expected, str(got))
    return right("enumeration")


# Taking modes


@layout_rule("cute.slice")
def _slice(call: Call, given: Operands, results: Operands) -> Decision:
    crd = given[1].value
    if given[0].layout is None:
        return _tuples(_sliced_tuple(given[0].value, crd), results[0].value)
    source, got = given[0].layout, results[0].layout
    a = innermost(source)
    if a is None or not isinstance(got, (Layout, ComposedLayout)):
        return not_checked("a slice of what is no layout")
    kept, offset = definitions.slice_modes(a, crd)
    if isinstance(source, ComposedLayout):
        return _composed_slice(given[0], results[0], source, crd, (kept, offset), got)

    def expect(layout: Layout, c: Any) -> Expected:
        found, _ = definitions.slice_modes(layout, c)
        return Expected(found, found.shape, _sliced(layout, c), "definition", is_exact=True)

    return on_layout(call, given, results, expect, crd, offset=offset)


def _sliced(layout: Layout, crd: Any) -> Callable[[int], Any] | None:
    """The slice by plain evaluation: the layout at the fixed coordinates and the kept ones, less that at zero."""
    if names_in(layout) or not all(c is None or is_static(c) for c in leaves(crd)):
        return None

    def full(shape: Any, c: Any, index: list[int]) -> Any:
        if c is None:
            n = size_of(shape)
            index[0], here = divmod(index[0], n)
            return here
        if isinstance(c, tuple):
            return tuple([full(s, one, index) for s, one in zip(shape, c, strict=True)])
        return c

    start = layout(full(layout.shape, crd, [0]))

    def value(index: int) -> Any:
        here = layout(full(layout.shape, crd, [index]))
        return here if start == 0 else here - start

    return value


def _sliced_tuple(value: Any, crd: Any) -> Any:
    found: list[Any] = []

    def walk(v: Any, c: Any) -> None:
        if c is None:
            found.append(v)
        elif isinstance(c, tuple):
            for x, one in zip(v, c, strict=True):
                walk(x, one)

    walk(value, crd)
    return found[0] if crd is None else tuple(found)


def _composed_slice(
    given: Value, result: Value, source: ComposedLayout, crd: Any, slice_: tuple[Layout, Any], got: Any
) -> Decision:
    """A slice behind a swizzle: the fixed part goes into the offset, or the result is the plain layout that it is."""
    kept, offset = slice_
    if not isinstance(source.layout, Layout):
        return not_checked("a slice behind several functions")
    if not isinstance(got, ComposedLayout):
        return swizzled_slice(given, result, source, crd, kept, got)
    if got.function != source.function or not isinstance(got.layout, Layout):
        return not_checked("the function in front of the layout has changed")
    fault = match_layout(kept, got.layout)
    if fault is not None:
        return not_checked(f"a slice behind a swizzle: {fault}")
    unseen = hidden(kept, got.layout)
    for start, rest in ((plus(source.offset, offset), 0), (source.offset, offset)):
        if fits(start, got.offset) and ((is_static(rest) and rest == 0) or is_apart(source.function, rest)):
            unseen |= hidden(start, got.offset, "offset")
            return moved(given, result, rest) or not_shown(unseen) or right("closed-form")
    return not_checked(f"the offset {source.offset} behind a swizzle became {got.offset}, {offset} further on")


def is_apart(function: Any, offset: Any) -> bool:
    """Whether an offset is a whole number of a swizzle's periods: f(offset + x) = offset + f(x)."""
    if isinstance(offset, CoordinateStride):
        return False
    return isinstance(function, Swizzle) and divisible(offset, 1 << function.period_bits)


def swizzled_slice(
    given: Value, result: Value, source: ComposedLayout, crd: Any, kept: Layout, got: Layout
) -> Decision:
    """A plain slice of a swizzled layout: its values less the first, for every value of the fixed coordinate.

    A mode that is ``kept`` may have become several: the swizzle tears it. What is right at some values of the fixed
    coordinate, and not at others, is outside; what is right at none is wrong.
    """
    inner, function = source.layout, source.function
    if not isinstance(inner, Layout) or not isinstance(function, Swizzle):
        return not_checked("a slice behind what is no swizzle")
    if names_in(inner) or not is_static(source.offset):
        return not_checked("a swizzled layout with names")
    fixed: list[tuple[Any, Any]] = []

    def walk(shape: Any, c: Any) -> None:
        if isinstance(c, tuple):
            for s, one in zip(shape, c, strict=True):
                walk(s, one)
        elif c is not None and not is_static(c):
            fixed.append((c, size_of(shape)))

    walk(inner.shape, crd)
    points = size_of(got.shape) if not has_unknown(got.shape) else 0
    cases = 1
    for _, n in fixed:
        cases *= n
    if points and not refines(kept.shape, got.shape):
        return wrong(f"the slice has another size or profile than {kept}", got=str(got))
    if not points or cases * points > MOST_POINTS:
        return not_checked(f"a swizzled slice of {cases} positions and {points} values")
    unseen: Any = None
    faults: list[tuple[Any, Decision]] = []
    tried = 0
    for case in range(cases):
        values, rest = {}, case
        for c, n in fixed:
            rest, values[next(iter(c.names))] = divmod(rest, n)
        here = _put(crd, values)
        if here is None:
            continue
        tried += 1
        at = _sliced(inner, here)
        _, start = definitions.slice_modes(inner, here)
        assert at is not None
        base = source.offset + start

        def value(index: int, at: Any = at, base: int = base, function: Swizzle = function) -> int:
            return function(base + at(index)) - function(base)

        filled = _filled_by(got, value)
        if isinstance(filled, str):
            faults.append((here, wrong(filled, got=str(got))))
            continue
        witness, _ = first_difference(value, filled)
        if witness is not None:
            reason = "the slice gives another offset than the swizzled layout"
            faults.append((here, wrong(reason, witness, got=str(got))))
            continue
        known = hidden(filled, got)
        unseen = known if unseen is None else unseen & known
        fault = moved(given, result, function(base)) if given.is_pointer else None
        if fault is not None:
            return fault
    if not faults:
        return not_shown(unseen or frozenset()) or right("enumeration")
    here, first = faults[0]
    if len(faults) < tried:
        return outside(f"the slice is no such layout at {text_of(crd)} = {text_of(here)}", got=str(got))
    return replace(first, reason=f"{first.reason}, here at {text_of(here)}, and so at every other") if fixed else first


def _put(crd: Any, values: dict[str, int]) -> Any:
    """The coordinate with values in the places of its names; None where a divisor leaves the value out."""

    def leaf(c: Any) -> Any:
        if c is None or is_static(c):
            return c
        ((_, scale),) = c.terms.items()
        (name,) = c.names
        return None if values[name] % scale else values[name]

    found = map_leaves(leaf, crd)
    holes = [c is None for c in leaves(crd)]
    if any(c is None and not hole for c, hole in zip(leaves(found), holes, strict=True)):
        return None
    return at_values(found, {})


def _filled_by(got: Layout, value: Callable[[int], int]) -> Layout | str:
    """``got`` with each unknown stride taken from the value one step along its mode."""
    index, strides = 1, []
    for s, d in zip(flatten(got.shape), flatten(got.stride), strict=True):
        if isinstance(d, Unknown):
            want = value(index) if s > 1 else 0
            if want % d.divisor:
                return f"a stride of {want} is no multiple of {d.divisor}"
            d = want
        strides.append(d)
        index *= s
    rest = iter(strides)
    return Layout.of(got.shape, map_leaves(lambda _: next(rest), got.shape))


@layout_rule("cute.dice")
def _dice(call: Call, given: Operands, results: Operands) -> Decision:
    picked = coordinate(call, "coord")

    def keep(c: Any) -> Any:
        return tuple(map(keep, c)) if isinstance(c, tuple) else (None if c is not None else 0)

    def expect(a: Layout) -> Expected:
        found, _ = definitions.slice_modes(a, keep(picked))
        return Expected(found, found.shape, evidence="definition", is_exact=True)

    if given[0].layout is None:
        return _tuples(_sliced_tuple(given[0].value, keep(picked)), results[0].value)
    return on_layout(call, given, results, expect)


@layout_rule("cute.group_modes")
def _group_modes(call: Call, given: Operands, results: Operands) -> Decision:
    ends = integers(call, "begin"), integers(call, "end")
    if not all(ends):
        return not_checked("no modes to group are named")
    (begin,), (end,) = ends

    def grouped(t: Any) -> Any:
        if not isinstance(t, tuple) and (begin, end) == (0, 1):
            return (t,)  # a number is no tuple of one: grouping 8 gives (8), and grouping (8) gives ((8))
        modes = t if isinstance(t, tuple) else (t,)
        if not 0 <= begin < end <= len(modes):
            told = f"modes {begin} to {end - 1} of {text_of(t)}, which has rank {len(modes)}"
            raise NoMode(f"{call.operation.name} names {told}")
        return (*modes[:begin], tuple(modes[begin:end]), *modes[end:])

    if given[0].layout is None:
        return _tuples(grouped(given[0].value), results[0].value)

    def expect(a: Layout) -> Expected:
        return structural(Layout.of(grouped(a.shape), grouped(a.stride)), a)

    return on_layout(call, given, results, expect)


@layout_rule("cute.select")
def _select(call: Call, given: Operands, results: Operands) -> Decision:
    chosen = integers(call, "mode")

    def taken(t: Any) -> Any:
        return tuple(mode_at(call, t, (k,)) for k in chosen)

    if given[0].layout is None:
        return _tuples(taken(given[0].value), results[0].value)
    return on_layout(call, given, results, lambda a: structural(Layout.of(taken(a.shape), taken(a.stride))))


@layout_rule("cute.get")
def _get(call: Call, given: Operands, results: Operands) -> Decision:
    path = integers(call, "mode")

    def taken(t: Any) -> Any:
        return mode_at(call, t, path)

    if given[0].layout is None:
        return _tuples(taken(given[0].value), results[0].value)
    return on_layout(call, given, results, lambda a: structural(Layout.of(taken(a.shape), taken(a.stride))))


@layout_rule("cute.append_to_rank", "cute.prepend_to_rank")
def _to_rank(call: Call, given: Operands, results: Operands) -> Decision:
    (rank,) = integers(call, "rank") or (None,)
    if rank is None:
        return not_checked("no rank is named")
    is_append = call.operation.name == "cute.append_to_rank"

    def grown(t: Any, element: Any) -> Any:
        modes = t if isinstance(t, tuple) else (t,)
        more = (element,) * (rank - len(modes))
        if not more:
            return t
        return (*modes, *more) if is_append else (*more, *modes)

    if given[0].layout is None:
        return _tuples(grown(given[0].value, given[1].value), results[0].value)
    element = given[1].layout
    if not isinstance(element, Layout):
        return not_checked("the element is no layout")
    return on_layout(
        call,
        given,
        results,
        lambda a, e: structural(Layout.of(grown(a.shape, e.shape), grown(a.stride, e.stride))),
        element,
    )


def structural(layout: Layout, same_as: Layout | None = None) -> Expected:
    """What an operation that only moves modes gives: this very layout, and no other profile."""
    is_static_one = same_as is not None and not names_in(same_as)
    return Expected(layout, layout.shape, same_as if is_static_one else None, "definition", is_exact=True)


def _tuples(expected: Any, got: Any) -> Decision:
    fault = match_tuple(expected, got)
    if fault is not None:
        return wrong(str(fault), expected=str(fault.expected), got=str(fault.got))
    return not_shown(hidden(expected, got)) or right("definition")


# Filters, recasts, local tiles


@layout_rule("cute.filter_zeros")
def _filter_zeros(call: Call, given: Operands, results: Operands) -> Decision:
    profile = given[1].value if len(given) > 1 else None
    return on_layout(call, given, results, lambda a: definitions.zeros_filtered(a, profile))


@layout_rule("cute.filter")
def _filter(call: Call, given: Operands, results: Operands) -> Decision:
    return on_layout(call, given, results, definitions.filtered)


@layout_rule("cute.recast_layout")
def _recast_layout(call: Call, given: Operands, results: Operands) -> Decision:
    new, old = integers(call, "new_type_bits"), integers(call, "old_type_bits")
    if not new or not old:
        return not_checked("no widths are named")
    return recast(given[0].layout, old[0], new[0], results[0].layout)


def recast(source: Any, old: int, new: int, got: Any) -> Decision:
    """A recast from ``old`` to ``new`` bits: judged behind the swizzle, whose base moves with the ratio."""
    a, r = innermost(source), innermost(got)
    if a is None or r is None:
        return not_checked("a recast of what is no layout")
    if isinstance(source, ComposedLayout):
        if names_in(source) or has_unknown(got):
            return not_checked("a recast swizzle with names")
        try:
            want = decide_recast(source, old, new).result
        except Refuted as refused:
            return outside(refused.reason, got=str(got))
        if not isinstance(got, ComposedLayout) or got.function != want.function or got.offset != want.offset:
            return not_checked(f"the model gives {want}, another swizzle")

    if new < old and not names_in(a) and match_layout(_scaled_alone(a, old // new), r) is None:
        if all(d != 1 or s == 1 for s, d in a.modes):
            kept = f"no mode has the stride 1: of each element the first of {old // new} parts is kept"
            return outside(kept, got=str(r))

    def expect(layout: Layout) -> Expected:
        if not names_in(layout):
            try:
                found = decide_recast(layout, old, new).result
            except Refuted as refused:
                return Expected(None, None, _starts(layout, old, new, r), reason=refused.reason)
            assert isinstance(found, Layout)
            return Expected(found, size_of(found.shape))
        found, needed = recast_named(layout, old, new)
        return Expected(found, found.shape, outside=needed)

    return judge(expect, (a,), r)


def _scaled_alone(layout: Layout, ratio: int) -> Layout:
    """The layout with its strides scaled and its sizes kept."""
    return Layout.of(layout.shape, map_leaves(lambda d: times(d, ratio), layout.stride))


def _starts(layout: Layout, old: int, new: int, got: Layout) -> Callable[[int], Any] | None:
    """Where the bits of each new element begin, in elements of the new width, where a result has the same modes.

    A mode that became shorter by some factor is walked in steps of it; one that became longer goes on at its end.
    """
    if has_unknown(got) or not congruent(layout.shape, got.shape):
        return None
    steps = [-(-s // n) for (s, _), n in zip(layout.modes, leaves(got.shape), strict=True)]
    if any(n > s for (s, _), n in zip(layout.modes, leaves(got.shape), strict=True)):
        return None

    def start(index: int) -> Any:
        bits = 0
        for (_, d), n, step in zip(layout.modes, leaves(got.shape), steps, strict=True):
            index, digit = divmod(index, n)
            bits += digit * step * d * old
        return bits // new if bits % new == 0 else Fraction(bits, new)

    return start


def recast_named(layout: Layout, old: int, new: int) -> tuple[Layout, tuple[str, ...]]:
    """A recast with names, through the mode of stride 1, and what must divide."""
    sizes, strides, needed = [], [], []
    if old == new:
        return layout, ()
    units = [k for k, d in enumerate(flatten(layout.stride)) if is_static(d) and d == 1]
    if len(units) != 1 or (old % new and new % old):
        raise Unsettled("a recast without one mode of stride 1")
    ratio = max(old, new) // min(old, new)
    for k, (s, d) in enumerate(zip(flatten(layout.shape), flatten(layout.stride), strict=True)):
        if new < old:
            sizes.append(plain(s * ratio) if k == units[0] else s)
            strides.append(d if k == units[0] else times(d, ratio))
            continue
        number = s if k == units[0] else d
        less = quotient(number, ratio) if not isinstance(number, CoordinateStride) else None
        if less is None:
            needed.append(f"{ratio} divides {number}")
            less = plain(number / ratio) if not is_static(number) else -(-number // ratio)
        sizes.append(less if k == units[0] else s)
        strides.append(d if k == units[0] else less)
    n, m = iter(sizes), iter(strides)
    found = Layout.of(map_leaves(lambda _: next(n), layout.shape), map_leaves(lambda _: next(m), layout.shape))
    return found, (f"it is right only where {' and '.join(needed)}",) if needed else ()


@layout_rule("cute.local_tile")
def _local_tile(call: Call, given: Operands, results: Operands) -> Decision:
    a = innermost(given[0].layout)
    if a is None:
        return not_checked("a local tile of what is no layout")
    tiler, crd = tiler_of(given[1]), given[2].value
    if "proj" in call.operation.properties:
        picked = coordinate(call, "proj")
        if not (isinstance(picked, tuple) and isinstance(tiler, tuple) and isinstance(crd, tuple)):
            return not_checked("a local tile with a projection of another profile")
        kept = [k for k, c in enumerate(picked) if c is not None]
        if max(kept) >= min(len(tiler), len(crd)):
            return not_checked("a local tile with a projection of another profile")
        tiler, crd = tuple(tiler[k] for k in kept), tuple(crd[k] for k in kept)
    _, offset = definitions.local_tile(a, tiler, crd)

    def expect(layout: Layout, t: Any, c: Any) -> Expected:
        return definitions.local_tile(layout, t, c)[0]

    return on_layout(call, given, results, expect, tiler, crd, offset=offset)


@layout_rule("cute.local_partition")
def _local_partition(call: Call, given: Operands, results: Operands) -> Decision:
    tiler, index = tiler_of(given[1]), given[2].value
    if not isinstance(tiler, Layout) or index is None:
        return not_checked("a partition by what is no layout")

    def parts(layout: Layout, t: Layout) -> Expected:
        sizes = tuple(plain(size_of(mode.shape)) for mode in modes_of(t))
        whole = definitions.divide(layout, sizes, "zipped")
        if whole.layout is None:
            return whole
        rest = whole.layout[1]
        return Expected(rest, rest.shape, None, whole.evidence, whole.outside, whole.note)

    a = innermost(given[0].layout)
    if a is None or isinstance(given[0].layout, ComposedLayout):
        return not_checked("a partition of what is no layout S:D")
    whole = definitions.divide(a, tuple(plain(size_of(mode.shape)) for mode in modes_of(tiler)), "zipped").layout
    if whole is None:
        return not_checked("the partition does not divide")
    crd = definitions.flat_coordinate(tiler, index)
    return on_layout(call, given, results, parts, tiler, offset=definitions.value_at(whole[0], crd))


__all__ = ["guarded", "innermost", "integers", "layout_rule", "on_layout", "recast", "structural", "tiler_of"]
