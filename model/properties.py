"""What a layout is like: its extent; injective, onto, bijective, contiguous; disjoint from another, equal to it.

Each ``is_…`` has a ``refute_…`` that gives the witness or None. Closed forms decide wherever one is proven; the rest is
enumerated, up to POINTS coordinates; beyond that Undecided is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import f2, htuple
from .coalesce import coalesce
from .composed import AnyLayout, ComposedLayout
from .coordinate import crd2idx, idx2crd
from .errors import InputError, Undecided, Witness
from .htuple import unflatten
from .lattice import find_zero
from .layout import Layout
from .semimodule import F2, CoordinateStride, Element, as_integer
from .swizzle import Swizzle

POINTS = 1 << 20


def size(layout: AnyLayout) -> int:
    """Number of coordinates in bounds."""
    return htuple.size(layout.shape)


def offsets(layout: AnyLayout) -> list[Element]:
    """The offset at every index in bounds, in order; Undecided above POINTS of them.

    >>> offsets(Layout((3, 2), (2, 1)))
    [0, 2, 4, 1, 3, 5]
    """
    total = size(layout)
    if total > POINTS:
        raise Undecided(f"{total} coordinates would have to be enumerated, more than {POINTS}")
    if not isinstance(layout, Layout):
        return [layout(i) for i in range(total)]
    table: list[Element] = [0]
    for s, d in layout.modes:
        table = [before + step for step in [d * c for c in range(s)] for before in table]
    return table


def checked(layout: Any) -> AnyLayout:
    """A layout or a composed one, without a swizzle that moves nothing; InputError for anything else."""
    if isinstance(layout, Layout):
        return layout
    if not isinstance(layout, ComposedLayout):
        raise InputError(f"a layout is needed here, not {type(layout).__name__} {layout!s:.60}")
    function, inner = layout.function, layout.layout
    if isinstance(function, Swizzle) and isinstance(inner, Layout) and layout.offset == 0:
        low, high = offset_range(inner)
        if not function.bits or (low >= 0 and high < first_moved(function)):
            return inner
    return layout


def first_moved(swizzle: Swizzle) -> int:
    """The least offset that a swizzle exchanges for another: its lowest bit that is read."""
    return swizzle.source_mask & -swizzle.source_mask


def offset_range(layout: AnyLayout) -> tuple[int, int]:
    """The least and the greatest integer offset; F₂ offsets count as the integers their bits write.

    >>> offset_range(Layout((4, 8), (-1, 5)))
    (-3, 35)
    """
    if isinstance(layout, Layout):
        kind = layout.semimodule
        if kind == "integer":
            return (
                sum((s - 1) * d for s, d in layout.modes if d < 0),
                sum((s - 1) * d for s, d in layout.modes if d > 0),
            )
        if kind == "F2":
            if all(f2.is_power_of_two(s) for s, _ in layout.modes):
                return 0, f2.span_maximum(f2.bit_vectors(layout))
            return 0, max(map(as_integer, offsets(layout)))
        raise InputError(f"the offsets of {layout} are coordinates and have no order")
    if _gives_coordinates(layout):
        raise InputError(f"the offsets of {layout} are coordinates and have no order")
    if size(layout) > POINTS:
        bound = _swizzled_range(layout)
        if bound is not None:
            return bound
    values = list(map(as_integer, offsets(layout)))
    return min(values), max(values)


def _gives_coordinates(layout: AnyLayout) -> bool:
    """Whether the offsets are coordinates; after a layout it is that one's offsets that count."""
    outer: object = layout
    while isinstance(outer, ComposedLayout):
        outer = outer.function
    return isinstance(outer, Layout) and outer.semimodule == "coordinate"


def _swizzled_range(layout: ComposedLayout) -> tuple[int, int] | None:
    """The range after a swizzle when the layout fills whole periods of it: the same as before."""
    if not isinstance(layout.function, Swizzle) or not isinstance(layout.layout, Layout):
        return None
    low, high = offset_range(layout.layout)
    low, high = low + layout.offset, high + layout.offset
    period = 1 << layout.function.period_bits
    if low % period == 0 and (high + 1) % period == 0 and image_prefix(layout.layout) == high - low + 1:
        return low, high
    return None


def cosize(layout: AnyLayout) -> int | tuple[int, ...]:
    """Number of offsets from the least to the greatest; for coordinates, of each axis in order.

    A negative stride needs its base shifted by the least offset. After a swizzle the offsets themselves count, not
    those before it.

    >>> from .notation import parse
    >>> cosize(Layout((4, 8), (1, 5))), cosize(Layout(8, -1)), cosize(parse("S<1,0,3> o 0 o 9:1"))
    (39, 8, 10)
    >>> cosize(parse("(4,(4,2)):(e1,(e0,6e1))"))
    (4, 10)
    """
    layout = checked(layout)
    if isinstance(layout, Layout) and layout.semimodule == "coordinate":
        return tuple(1 + sum((s - 1) * abs(d) for s, d in modes) for _, modes in by_axis(layout))
    low, high = offset_range(layout)
    return high - min(low, 0) + 1


def by_axis(layout: Layout) -> list[tuple[tuple[int, ...], list[tuple[int, int]]]]:
    """For each axis that the strides name: its path, and every leaf mode with the stride along it."""
    paths = sorted({p for _, d in layout.modes if isinstance(d, CoordinateStride) for p, _ in d.terms})
    return [
        (path, [(s, dict(d.terms).get(path, 0) if isinstance(d, CoordinateStride) else 0) for s, d in layout.modes])
        for path in paths
    ]


def integer_modes(*layouts: Layout) -> list[list[tuple[int, int]]]:
    """The modes with strides as integers that add up to zero exactly where the strides do, over all differences.

    Coordinates are written as digits in a base that no sum of them exceeds.
    """
    if all(isinstance(d, int) for layout in layouts for _, d in layout.modes):
        return [list(layout.modes) for layout in layouts]
    paths = sorted(
        {p for layout in layouts for _, d in layout.modes if isinstance(d, CoordinateStride) for p, _ in d.terms}
    )
    weights: dict[tuple[int, ...], int] = {}
    base = 1
    for path in paths:
        weights[path] = base
        reach = 0
        for layout in layouts:
            for s, d in layout.modes:
                reach += (s - 1) * abs(dict(d.terms).get(path, 0)) if isinstance(d, CoordinateStride) else 0
        base *= 2 * reach + 1

    def as_integer(d: Element) -> int:
        if isinstance(d, CoordinateStride):
            return sum(weights[path] * scale for path, scale in d.terms)
        if d:
            raise InputError("integers and coordinates are never equal")
        return 0

    return [[(s, as_integer(d)) for s, d in layout.modes] for layout in layouts]


def refute_injective(layout: AnyLayout) -> Witness | None:
    """Two coordinates with one offset, or None.

    Closed form where every stride, by magnitude, exceeds what the smaller ones reach together; else a search for a
    zero of the strides' combinations, which a chain of strides leaves one way to go. F₂: the rank of the bits' matrix.

    >>> print(refute_injective(Layout((4, 3), (1, 2))))
    coordinate (2,0), other (0,1), offset 2
    >>> refute_injective(Layout((2**30, 2**30), (2**30, 1))) is None
    True
    """
    return decide_injective(layout)[0]


def decide_injective(layout: AnyLayout) -> tuple[Witness | None, str]:
    """:func:`refute_injective` with its evidence: a search is ``enumeration``, as is a list of the offsets.

    >>> decide_injective(Layout((4, 3), (1, 4)))[1], decide_injective(Layout((3, 3), (2, 3)))[1]
    ('closed-form', 'enumeration')
    """
    layout = checked(layout)
    if isinstance(layout, ComposedLayout):
        if isinstance(layout.function, Swizzle) and isinstance(layout.layout, Layout):
            found, how = decide_injective(layout.layout)
            if found is None:
                return None, how
            return _collision(layout, found.values["coordinate"], found.values["other"]), how
        return _enumerated_collision(layout), "enumeration"
    if layout.semimodule == "F2":
        if not all(f2.is_power_of_two(s) for s, _ in layout.modes):
            return _enumerated_collision(layout), "enumeration"
        vectors = f2.bit_vectors(layout)
        return None if len(f2.echelon(vectors)) == len(vectors) else _dependent_bits(layout, vectors), "closed-form"
    modes = integer_modes(layout)[0]
    reach = 0
    for s, d in _by_stride(modes):
        if d <= reach:
            break
        reach += (s - 1) * d
    else:
        return None, "closed-form"
    how = "closed-form" if any(s > 1 and d == 0 for s, d in modes) else "enumeration"
    first, second = _zero_of(modes)
    if first is None:
        return None, how
    return _collision(layout, unflatten(first, layout.shape), unflatten(second, layout.shape)), how


def _by_stride(modes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return sorted([(s, abs(d)) for s, d in modes if s > 1], key=lambda mode: mode[1])


def _zero_of(modes: list[tuple[int, int]]) -> tuple[Any, Any]:
    """Two digit lists with one offset, or (None, None)."""
    zeros = [0] * len(modes)
    for i, (s, d) in enumerate(modes):
        if s > 1 and d == 0:
            return zeros, [1 if k == i else 0 for k in range(len(modes))]
    live = [i for i, (s, _) in enumerate(modes) if s > 1]
    found = find_zero([(1 - modes[i][0], modes[i][0] - 1, modes[i][1]) for i in live], any)
    if found is None:
        return None, None
    first, second = list(zeros), list(zeros)
    for i, c in zip(live, found, strict=True):
        first[i], second[i] = max(c, 0), max(-c, 0)
    place = len(modes) - 1
    while first[place] == second[place]:
        place -= 1
    return (second, first) if first[place] > second[place] else (first, second)


def _collision(layout: AnyLayout, first: Any, second: Any) -> Witness:
    return Witness("collision", {"coordinate": first, "other": second, "offset": layout(first)})


def _enumerated_collision(layout: AnyLayout) -> Witness | None:
    seen: dict[Element, int] = {}
    for index, offset in enumerate(offsets(layout)):
        if offset in seen:
            return _collision(layout, idx2crd(seen[offset], layout.shape), idx2crd(index, layout.shape))
        seen[offset] = index
    return None


def _dependent_bits(layout: Layout, vectors: list[int]) -> Witness:
    """The index whose bits' vectors cancel, against index 0."""
    basis: dict[int, tuple[int, int]] = {}
    for position, vector in enumerate(vectors):
        combination = 1 << position
        while vector:
            top = vector.bit_length()
            if top not in basis:
                basis[top] = (vector, combination)
                break
            vector, combination = vector ^ basis[top][0], combination ^ basis[top][1]
        else:
            return _collision(layout, idx2crd(0, layout.shape), idx2crd(combination, layout.shape))
    raise AssertionError("the vectors are independent")


def is_injective(layout: AnyLayout) -> bool:
    """Whether no two coordinates in bounds share an offset.

    >>> is_injective(Layout((4, 8), (1, 5))), is_injective(Layout((4, 8), (0, 1)))
    (True, False)
    """
    return refute_injective(layout) is None


def image_prefix(layout: Layout) -> int:
    """The least n ≥ 0 that is no offset, for integer strides none negative.

    Strides in order: while each is at most the number of offsets covered so far, what it adds is covered too;
    the first that is larger leaves that number out, since all that follows lies beyond.

    >>> image_prefix(Layout((4, 8), (1, 4))), image_prefix(Layout((4, 8), (1, 5))), image_prefix(Layout((2, 3), (1, 1)))
    (32, 4, 4)
    """
    covered = 1
    for s, d in _by_stride(list(layout.modes)):
        if d > covered:
            break
        covered += (s - 1) * d
    return covered


def refute_onto(layout: AnyLayout, n: int) -> Witness | None:
    """An offset below ``n`` that no coordinate has, or None: the least, where no swizzle maps it.

    >>> print(refute_onto(Layout((4, 8), (1, 5)), 32))
    offset 4
    """
    layout = checked(layout)
    check_bound(n)
    if _gives_coordinates(layout):
        raise InputError(f"the offsets of {layout} are coordinates, not the integers below {n}")
    if isinstance(layout, Layout) and layout.semimodule == "integer":
        if all(d >= 0 for _, d in layout.modes):
            missing = image_prefix(layout)
            return None if missing >= n else Witness("unreachable", {"offset": missing})
        low, high = offset_range(layout)
        if high < n - 1:
            return _least_missing(layout, n) if size(layout) <= POINTS else Witness("unreachable", {"offset": high + 1})
        if image_prefix(layout) == high - low + 1:
            return None
    if _is_linear_f2(layout):
        missing = _least_outside_span(f2.bit_vectors(layout))  # type: ignore[arg-type]
        return None if missing >= n else Witness("unreachable", {"offset": missing})
    swizzled = _onto_whole_periods(layout, n)
    if swizzled is not None:
        return swizzled[0]
    if size(layout) < n and size(layout) > POINTS:
        raise Undecided(f"{size(layout)} coordinates would have to be enumerated, more than {POINTS}")
    return _least_missing(layout, n)


def _is_linear_f2(layout: AnyLayout) -> bool:
    """Whether the layout is a linear map of bits."""
    return (
        isinstance(layout, Layout) and layout.semimodule == "F2" and all(f2.is_power_of_two(s) for s, _ in layout.modes)
    )


def _least_outside_span(vectors: list[int]) -> int:
    """The least integer that is no XOR of ``vectors``, a power of two: all below it are spanned by smaller ones."""
    basis = {vector.bit_length(): vector for vector in f2.echelon(vectors)}
    bit = 0
    while _reduces(1 << bit, basis):
        bit += 1
    return 1 << bit


def _reduces(vector: int, basis: dict[int, int]) -> bool:
    while vector and vector.bit_length() in basis:
        vector ^= basis[vector.bit_length()]
    return not vector


def _onto_whole_periods(layout: AnyLayout, n: int) -> tuple[Witness | None] | None:
    """A swizzle permutes Z_n when n is a number of its periods: then what is swizzled decides. None: does not apply."""
    if not isinstance(layout, ComposedLayout) or not isinstance(layout.function, Swizzle):
        return None
    if not isinstance(layout.layout, Layout) or layout.offset != 0 or n % (1 << layout.function.period_bits):
        return None
    missing = refute_onto(layout.layout, n)
    if missing is None:
        return (None,)
    return (Witness("unreachable", {"offset": layout.function(missing.values["offset"])}),)


def _least_missing(layout: AnyLayout, n: int) -> Witness | None:
    image = set(map(as_integer, offsets(layout)))
    missing = next(i for i in range(len(image) + 1) if i not in image)
    return None if missing >= n else Witness("unreachable", {"offset": missing})


def is_onto(layout: AnyLayout, n: int) -> bool:
    """Whether every offset of Z_n is reached (offsets beyond are allowed: see :func:`is_within`).

    >>> is_onto(Layout((4, 8), (1, 4)), 32), is_onto(Layout((4, 8), (1, 4)), 33)
    (True, False)
    """
    return refute_onto(layout, n) is None


def refute_within(layout: AnyLayout, n: int) -> Witness | None:
    """A coordinate whose offset lies outside Z_n, or None.

    >>> print(refute_within(Layout((4, 8), (1, 5)), 30))
    coordinate (0,6), offset 30
    """
    layout = checked(layout)
    check_bound(n)
    if isinstance(layout, Layout) and layout.semimodule == "integer":
        beyond = _first_at_least(layout.modes, n)
        below = refute_nonnegative(layout)
        if beyond is None or (below is not None and crd2idx(below.values["coordinate"], layout.shape) < beyond):
            return below
        crd = idx2crd(beyond, layout.shape)
        return Witness("outside", {"coordinate": crd, "offset": layout(crd)})
    if _gives_coordinates(layout):
        raise InputError(f"the offsets of {layout} are coordinates, not the integers below {n}")
    low, high = offset_range(layout)
    if low >= 0 and high < n:
        return None
    for index, value in enumerate(offsets(layout)):
        offset = as_integer(value)
        if not 0 <= offset < n:
            return Witness("outside", {"coordinate": idx2crd(index, layout.shape), "offset": offset})
    return None


def refute_nonnegative(layout: Layout) -> Witness | None:
    """The first coordinate whose integer offset is negative, or None.

    >>> print(refute_nonnegative(Layout((4, 2), (1, -2))))
    coordinate (0,1), offset -2
    """
    index = _first_at_least([(s, -d) for s, d in layout.modes], 1)
    if index is None:
        return None
    crd = idx2crd(index, layout.shape)
    return Witness("negative", {"coordinate": crd, "offset": layout(crd)})


def _first_at_least(modes: Sequence[tuple[int, int]], wanted: int) -> int | None:
    """The least index with an offset of at least ``wanted``: from the last mode on, the least digit that allows it."""
    below = sum((s - 1) * max(d, 0) for s, d in modes)
    if below < wanted:
        return None
    index = 0
    for s, d in reversed(modes):
        below -= (s - 1) * max(d, 0)
        digit = -(-(wanted - below) // d) if d > 0 and wanted > below else 0
        wanted -= digit * d
        index = index * s + digit
    return index


def is_within(layout: AnyLayout, n: int) -> bool:
    """Whether every offset lies in Z_n.

    >>> is_within(Layout((4, 8), (1, 5)), 39), is_within(Layout((4, 8), (1, 5)), 38)
    (True, False)
    """
    return refute_within(layout, n) is None


def refute_bijective(layout: AnyLayout, n: int | None = None) -> Witness | None:
    """What keeps the layout from being one-to-one onto Z_n (n the size if not given): a witness, or None.

    As many coordinates as offsets, all reached: then none is shared and none lies outside.

    >>> print(refute_bijective(Layout((4, 8), (1, 5))))
    offset 4
    """
    n = size(layout) if n is None else n
    missing = refute_onto(layout, n)
    if missing is not None or size(layout) == n:
        return missing
    return refute_within(layout, n) or refute_injective(layout)


def is_bijective(layout: AnyLayout, n: int | None = None) -> bool:
    """Whether the layout is one-to-one onto Z_n, n its size if not given.

    >>> is_bijective(Layout((4, 8), (8, 1))), is_bijective(Layout((4, 8), (1, 5))), is_bijective(Layout((2, 2)), 5)
    (True, False, False)
    """
    return refute_bijective(layout, n) is None


def contiguous_run(layout: AnyLayout) -> int:
    """The largest k ≤ |L| with L(i) = i for every i < k.

    >>> contiguous_run(Layout((4, 8), (1, 4))), contiguous_run(Layout((4, 8), (1, 5))), contiguous_run(Layout(8, 2))
    (32, 4, 1)
    """
    layout = checked(layout)
    if isinstance(layout, Layout) and (layout.semimodule == "integer" or size(layout) == 1):
        first = coalesce(layout).modes[0]
        return first[0] if first[1] == 1 else 1
    if _gives_coordinates(layout):
        raise InputError(f"the offsets of {layout} are coordinates and have no contiguous run")
    if isinstance(layout, Layout):
        first = coalesce(layout).modes[0]
        if f2.is_power_of_two(first[0]) and all(f2.is_power_of_two(s) for s, _ in layout.modes):
            return first[0] if first[1] == F2(1) else 1
    if isinstance(layout, ComposedLayout) and isinstance(layout.function, Swizzle) and layout.offset == 0:
        moved = first_moved(layout.function)
        if isinstance(layout.layout, Layout) and moved and contiguous_run(layout.layout) > moved:
            return moved
    run = 0
    for index in range(size(layout)):
        if index > POINTS:
            raise Undecided(f"a run of more than {POINTS} elements was found by enumeration, and no end")
        value = layout(index)
        if as_integer(value) != index:
            break
        run = index + 1
    return run


def refute_contiguous(layout: AnyLayout, k: int) -> Witness | None:
    """The first index below ``k`` whose offset is not itself, or None."""
    check_bound(k)
    run = contiguous_run(layout)
    if run >= k:
        return None
    got = layout(run) if run < size(layout) else None
    return Witness("difference", {"coordinate": run, "index": run, "expected": run, "got": got})


def is_contiguous(layout: AnyLayout, k: int) -> bool:
    """Whether L(i) = i for every i < k.

    >>> is_contiguous(Layout((4, 8), (1, 5)), 4), is_contiguous(Layout((4, 8), (1, 5)), 5)
    (True, False)
    """
    return refute_contiguous(layout, k) is None


def refute_disjoint(first: AnyLayout, second: AnyLayout) -> Witness | None:
    """A coordinate of each with one offset that is not 0, or None. Every layout has the offset 0.

    >>> print(refute_disjoint(Layout(8, 3), Layout(4, 1)))
    coordinate 1, other 3, offset 3
    """
    first, second = checked(first), checked(second)
    if _is_linear_f2(first) and _is_linear_f2(second):
        vectors = [f2.echelon(f2.bit_vectors(layout)) for layout in (first, second)]  # type: ignore[arg-type]
        if len(f2.echelon(vectors[0] + vectors[1])) == len(vectors[0]) + len(vectors[1]):
            return None
    linear = isinstance(first, Layout) and isinstance(second, Layout)
    if not linear or "F2" in (first.semimodule, second.semimodule):  # type: ignore[union-attr]
        return _enumerated_overlap(first, second)
    modes = integer_modes(first, second)  # type: ignore[arg-type]
    ranges, places = [], []
    for which, (part, sign) in enumerate(zip(modes, (1, -1), strict=True)):
        for i, (s, d) in enumerate(part):
            if s > 1 and d:
                ranges.append((0, s - 1, sign * d))
                places.append((which, i))

    def shares_offset(found: list[int]) -> bool:
        return sum(c * d for c, (_, _, d), (which, _) in zip(found, ranges, places, strict=True) if which == 0) != 0

    found = find_zero(ranges, shares_offset)
    if found is None:
        return None
    digits = [[0] * len(part) for part in modes]
    for (which, i), c in zip(places, found, strict=True):
        digits[which][i] = c
    crd, other = (unflatten(d, layout.shape) for d, layout in zip(digits, (first, second), strict=True))
    return Witness("collision", {"coordinate": crd, "other": other, "offset": first(crd)})


def _enumerated_overlap(first: AnyLayout, second: AnyLayout) -> Witness | None:
    where = {offset: index for index, offset in reversed(list(enumerate(offsets(second)))) if offset != 0}
    for index, offset in enumerate(offsets(first)):
        if offset in where:
            values = {
                "coordinate": idx2crd(index, first.shape),
                "other": idx2crd(where[offset], second.shape),
                "offset": offset,
            }
            return Witness("collision", values)
    return None


def is_disjoint(first: AnyLayout, second: AnyLayout) -> bool:
    """Whether the images share nothing but 0.

    >>> is_disjoint(Layout(4, 1), Layout(8, 4)), is_disjoint(Layout(8, 3), Layout(4, 1))
    (True, False)
    """
    return refute_disjoint(first, second) is None


def refute_equal(first: AnyLayout, second: AnyLayout) -> Witness | None:
    """The first index at which the functions differ, or the first that only one has; None when they are equal.

    Two layouts over the integers or the coordinates are equal iff they coalesce to the same (which is unique).

    >>> print(refute_equal(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 5))))
    coordinate 4, index 4, expected 4, got 5
    >>> refute_equal(Layout((4, 8)), Layout((2, 16))) is None
    True
    """
    index = _first_difference(first, second)
    if index is None:
        return None
    values = {
        "coordinate": index,
        "index": index,
        "expected": first(index) if index < size(first) else None,
        "got": second(index) if index < size(second) else None,
    }
    return Witness("difference", values)


def _first_difference(first: AnyLayout, second: AnyLayout) -> int | None:
    first, second = checked(first), checked(second)
    if isinstance(first, Layout) and isinstance(second, Layout):
        if "F2" not in (first.semimodule, second.semimodule):
            return _first_coalesced_difference(coalesce(first).modes, coalesce(second).modes)
        if first.modes == second.modes:
            return None
        if _is_linear_f2(first) and _is_linear_f2(second):
            pairs = zip(f2.bit_vectors(first), f2.bit_vectors(second), strict=False)
            bit = next((bit for bit, (a, b) in enumerate(pairs) if a != b), None)
            if bit is not None:
                return 1 << bit
            return None if size(first) == size(second) else min(size(first), size(second))
    elif first == second:
        return None
    elif isinstance(first, ComposedLayout) and isinstance(second, ComposedLayout):
        if isinstance(first.function, Swizzle) and first.function == second.function and first.offset == second.offset:
            if isinstance(first.layout, Layout) and isinstance(second.layout, Layout):
                return _first_difference(first.layout, second.layout)
    for index, (a, b) in enumerate(zip(offsets(first), offsets(second), strict=False)):
        if a != b:
            return index
    return None if size(first) == size(second) else min(size(first), size(second))


def _first_coalesced_difference(first: Any, second: Any) -> int | None:
    """Where two coalesced layouts part: at the end of the shorter of the first two modes that differ."""
    index = 1
    trivial = ((1, 0),)
    first, second = (() if m == trivial else m for m in (first, second))
    for k in range(max(len(first), len(second))):
        if k >= len(first) or k >= len(second):
            return index
        if first[k] != second[k]:
            return index if first[k][1] != second[k][1] else index * min(first[k][0], second[k][0])
        index *= first[k][0]
    return None


def equal(first: AnyLayout, second: AnyLayout) -> bool:
    """Whether two layouts are the same function of an index: of one size, with one offset at each.

    >>> equal(Layout((4, 8)), Layout(32)), equal(Layout((4, 8), (1, 5)), Layout(32))
    (True, False)
    """
    return refute_equal(first, second) is None


def check_bound(n: int) -> None:
    """InputError unless ``n`` is a positive integer."""
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise InputError(f"a bound must be a positive integer, not {n}")
