"""What each operation of the layout algebra should return, as a layout and as a function of an index.

An :class:`Expected` holds both: the layout that the model's exact operation gives, and the definition, evaluated one
index at a time from the operands alone. The first decides; the second confirms what differs, by evaluation that knows
nothing of the operation. Operands with names go through :mod:`.symbolic`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ...model.coalesce import coalesce
from ...model.complement import decide_complement, decide_extended_complement
from ...model.composition import decide_composition
from ...model.coordinate import as_coordinate, idx2crd, is_in_bounds
from ...model.errors import InputError, Refuted
from ...model.htuple import HTuple, at, flatten, leaves, map_leaves
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.names import Expr, names_in
from ...model.product import decide_product
from ...model.semimodule import CoordinateStride
from ...model.tiler import joined
from . import symbolic
from .sizes import is_static, plain, plus, quotient, rounded_up, times
from .symbolic import Conditions, Unsettled
from .verdict import several

Definition = Callable[[int], Any]  # the value at an index, or None where the operands have none


@dataclass(frozen=True)
class Expected:
    """What an operation should return.

    ``layout``      the right result; None where there is none, and ``reason`` says why
    ``coarse``      what the shape of a result must refine (``is_exact``: be)
    ``definition``  the value at an index by plain evaluation; None where only the layout is known
    ``outside``     preconditions that do not hold, or are not shown to
    ``note``        what the reader should know of a right result
    ``beyond``      what does not hold where a result differs only where the definition gives no value
    """

    layout: Layout | None
    coarse: HTuple
    definition: Definition | None = None
    evidence: str = "closed-form"
    outside: tuple[str, ...] = ()
    note: str = ""
    reason: str = ""
    advice: str | None = None
    is_exact: bool = False
    beyond: str = ""


# Composition


def composition(a: Layout, b: Any) -> Expected:
    """A∘B, or A∘⟨T₀, T₁, …⟩ by mode.

    >>> str(composition(Layout((4, 6, 8, 10), (2, 3, 5, 7)), Layout(6, 12)).layout)
    '(2,3):(9,5)'
    >>> composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3))).layout is None
    True
    """
    return _after(a, by_mode(a, b) if isinstance(b, tuple) else b)


def by_mode(a: Layout, tiler: tuple[Any, ...]) -> Layout:
    """A tiler by mode as one layout whose offsets are coordinates of A; None keeps a mode.

    >>> str(by_mode(Layout((8, 16)), (Layout(4, 2), Layout(8, 1))))
    '(4,8):(2e0,e1)'
    """
    return joined([_along((k,), part, at(a.shape, (k,))) for k, part in enumerate(tiler)])


def _along(path: tuple[int, ...], part: Any, shape: HTuple) -> Layout:
    """A tiler of the mode at ``path`` as a layout of coordinates; None keeps each leaf of the mode."""
    if part is None and isinstance(shape, tuple):
        return joined([_along((*path, k), None, mode) for k, mode in enumerate(shape)])
    if isinstance(part, tuple):
        return joined([_along((*path, k), one, at(shape, (k,))) for k, one in enumerate(part)])
    return scaled(as_tile(part if part is not None else shape), path)


def scaled(tile: Layout, path: tuple[int, ...]) -> Layout:
    """A layout of integers turned into one of coordinates along the mode at ``path``; itself for no path."""
    if not path:
        return tile
    stride = map_leaves(lambda d: 0 if is_static(d) and d == 0 else CoordinateStride(((path, d),)), tile.stride)
    return Layout.of(tile.shape, stride)


def as_tile(part: Any) -> Layout:
    """A layout as itself, a size n as n:1."""
    return part if isinstance(part, Layout) else Layout.of(part, map_leaves(lambda _: 1, part))


def compact(shape: HTuple) -> Layout:
    """The compact layout of a shape, first mode fastest, also with names."""
    reached: Any = 1

    def stride(s: Any) -> Any:
        nonlocal reached
        here, reached = reached, plain(reached * s)
        return here

    return Layout.of(shape, map_leaves(stride, shape))


def _after(a: Layout, b: Layout, inside: Callable[[Any], bool] | None = None, note: str = "") -> Expected:
    """A after B, whose offsets are indices or coordinates of A; ``inside`` tells of an offset whether it counts."""
    if names_in(a, b):
        conditions = Conditions()
        layout = symbolic.compose(a, b, conditions)
        needed = (f"it is right only where {' and '.join(conditions.needed)}",) if conditions.needed else ()
        return Expected(layout, b.shape, evidence="closed-form", outside=needed, note=note)

    def definition(index: int) -> Any:
        offset = b(index)
        if inside is not None and not inside(offset):
            return None
        crd = as_coordinate(offset, a.shape)
        return a(crd) if inside is not None or is_in_bounds(crd, a.shape) else None

    beyond = f"{b} gives indices outside {a}, and there alone the result differs" if inside is None else ""
    try:
        answer = decide_composition(a, b)
    except Refuted as refused:
        return Expected(None, b.shape, definition, reason=refused.reason, advice=ADVICE, beyond=beyond)
    except InputError as error:
        raise Unsettled(error.message) from None
    broken = () if inside is not None else tuple(_broken(a, b))
    if inside is None and not answer.in_bounds:
        note = f"{b} gives indices outside {a}, where its last mode goes on"
    return Expected(answer.result, b.shape, definition, several(answer.evidence), broken, note, beyond=beyond)


ADVICE = "index A with B's offsets where they are used, or choose a B whose strides and sizes divide A's modes"


def _broken(a: Layout, b: Layout) -> list[str]:
    """Which of the paper's divisibility conditions [20] and [21] fail for a leaf of B, within what it reaches."""
    found: list[str] = []
    axes: dict[Any, list[int]] = {}
    for s, d in b.modes:
        path: tuple[int, ...] = ()
        if isinstance(d, CoordinateStride):
            if len(d.terms) != 1:
                continue
            path, d = d.terms[0]
        if s == 1 or d == 0 or not isinstance(d, int):
            continue
        d = abs(d)
        if path not in axes:
            modes = symbolic.modes_of(at(a.shape, path), at(a.stride, path))
            places = [1]
            for size, _ in modes[:-1]:
                places.append(places[-1] * size)
            axes[path] = places[1:]
        for place in axes[path]:
            if place > (s - 1) * d:
                break
            if place % d and d % place:
                found.append(f"stride divisibility [20]: {d} and {place}, and neither divides the other")
            elif s % -(-place // d):
                found.append(f"shape divisibility [21]: {-(-place // d)} does not divide {s}")
    return list(dict.fromkeys(found))


# Divides


@dataclass(frozen=True)
class _Parts:
    """A tiler's part of A: where its tile and its rest point, nested as the tiler is, and what is ragged."""

    logical: Layout
    tile: Layout | None
    rest: Layout
    covered: tuple[tuple[tuple[int, ...], Any, Any], ...] = ()  # path, size, covered


FORMS = ("logical", "zipped", "tiled", "flat")


def divide(a: Layout, tiler: Any, form: str = "logical") -> Expected:
    """A divided by a tiler, in one of FORMS.

    >>> str(divide(Layout((8, 6, 4)), (4, 3), "zipped").layout)
    '((4,3),(2,2,4)):((1,8),(4,24,48))'
    """
    parts = _divided(a, tiler, ())
    if form == "logical":
        where = parts.logical
    else:
        if parts.tile is None:
            raise Unsettled("a tiler of `_` alone")
        left = [parts.tile] if form != "flat" else modes_of(parts.tile)
        right = [parts.rest] if form == "zipped" else modes_of(parts.rest)
        where = joined(left + right)
    return _restricted(a, where, parts.covered)


def _restricted(a: Layout, where: Layout, covered: tuple[tuple[tuple[int, ...], Any, Any], ...]) -> Expected:
    """A after ``where``, judged where it points inside A."""
    ragged = [(path, s, c) for path, s, c in covered if not (is_static(s) and is_static(c) and s == c)]
    limits = [(path, s) for path, s, c in ragged if is_static(s)]

    def inside(offset: Any) -> bool:
        for path, s in limits:
            reached = offset if not path else dict(offset.terms).get(path, 0) if offset != 0 else 0
            if reached >= s:
                return False
        return True

    note = "; ".join(f"ragged: the tiles cover {c} of {s}" for _, s, c in ragged if is_static(s) and is_static(c))
    return _after(_coalesced_at(a, [path for path, _, _ in covered]), where, inside, note)


def _coalesced_at(a: Layout, paths: list[tuple[int, ...]]) -> Layout:
    """A with the modes at ``paths`` coalesced, as a divide takes them."""
    if names_in(a):
        return a

    def build(shape: HTuple, stride: HTuple, path: tuple[int, ...]) -> Layout:
        if path in paths:
            return coalesce(Layout.of(shape, stride))
        if not isinstance(shape, tuple) or not any(p[: len(path)] == path for p in paths):
            return Layout.of(shape, stride)
        return joined([build(s, d, (*path, k)) for k, (s, d) in enumerate(zip(shape, stride, strict=True))])

    return build(a.shape, a.stride, ())


def _divided(a: Layout, tiler: Any, path: tuple[int, ...]) -> _Parts:
    shape = at(a.shape, path)
    if tiler is None:
        whole = _along(path, None, shape)
        return _Parts(whole, None, whole)
    if not isinstance(tiler, tuple):
        tile = as_tile(tiler)
        size = size_of(shape)
        other = bounded_complement(tile, size)
        top = plain(size_of(tile.shape) * size_of(other.shape))
        tile, other = scaled(tile, path), scaled(other, path)
        return _Parts(joined([tile, other]), tile, other, ((path, plain(size), top),))
    modes = shape if isinstance(shape, tuple) else (shape,)
    if len(tiler) > len(modes):
        raise Unsettled(f"a tiler of {len(tiler)} modes for {a}")
    if not isinstance(shape, tuple):
        one = _divided(a, tiler[0], path)
        wrapped = None if one.tile is None else joined([one.tile])
        return _Parts(joined([one.logical]), wrapped, joined([one.rest]), one.covered)
    parts = [_divided(a, tiler[k] if k < len(tiler) else None, (*path, k)) for k in range(len(modes))]
    tiles = [part.tile for part in parts if part.tile is not None]
    return _Parts(
        joined([part.logical for part in parts]),
        joined(tiles) if tiles else None,
        joined([part.rest for part in parts]),
        tuple(one for part in parts for one in part.covered),
    )


def bounded_complement(layout: Layout, bound: Any) -> Layout:
    """The bounded complement, with names or without; Refuted where none exists.

    >>> str(bounded_complement(Layout(4), Expr.of("n0")))
    'ceil(n0/4):4'
    """
    if names_in(layout) or not is_static(bound):
        return symbolic.complement(layout, bound)
    try:
        return decide_complement(layout, bound).result
    except InputError as error:
        raise Unsettled(error.message) from None


def modes_of(layout: Layout) -> list[Layout]:
    """The modes of a layout; one without nesting is its only one."""
    return list(layout) if isinstance(layout.shape, tuple) else [layout]


def cosize_of(layout: Layout) -> Any:
    """The last offset and one, with names or without."""
    return symbolic.cosize(layout)


def flat_coordinate(layout: Layout, index: Any) -> tuple[Any, ...]:
    """The coordinate of an offset of a compact layout, one number a mode: (index / stride) mod size.

    >>> flat_coordinate(Layout((4, 2), (2, 1)), 5)
    (2, 1)
    """
    found = []
    for mode in modes_of(layout):
        crd: Any = 0
        scale: Any = 1
        for s, d in zip(flatten(mode.shape), flatten(mode.stride), strict=True):
            if not (is_static(s) and s == 1) and not (is_static(d) and d == 0):
                crd = plain(crd + plain(plain(index // d) % s) * scale)
            scale = plain(scale * s)
        found.append(crd)
    return tuple(found)


def local_tile(a: Layout, tiler: Any, crd: Any) -> tuple[Expected, Any]:
    """The tile of A at ``crd``, and its offset: a zipped divide, sliced. ``_`` in ``crd`` keeps a mode of the rest."""
    parts = _divided(a, tiler, ())
    if parts.tile is None:
        raise Unsettled("a tiler of `_` alone")
    rests = modes_of(parts.rest)
    coordinates = list(crd) if isinstance(crd, tuple) else [crd]
    if not isinstance(crd, tuple) and crd is not None and len(rests) > 1:
        raise Unsettled("one coordinate for several modes of tiles")
    coordinates += [None] * (len(rests) - len(coordinates))
    whole = _restricted(a, joined([parts.tile, parts.rest]), parts.covered)
    if whole.layout is None:
        raise Unsettled(whole.reason)
    kept, offset = slice_modes(whole.layout, (tuple([None] * len(modes_of(parts.tile))), tuple(coordinates)))
    return replace(whole, layout=kept, coarse=kept.shape, definition=None), offset


# Slices


def slice_modes(layout: Layout, crd: Any) -> tuple[Layout, Any]:
    """The modes that ``None`` keeps, side by side, and the offset of the others.

    >>> str(slice_modes(Layout(((2, 2), (4, 2)), ((1, 8), (2, 16))), (None, (1, None)))[0])
    '((2,2),2):((1,8),16)'
    """
    if crd is None:
        return layout, 0
    if not isinstance(crd, tuple):
        return Layout.of((), ()), value_at(layout, crd)
    kept: list[Layout] = []
    offset: Any = 0

    def walk(shape: HTuple, stride: HTuple, c: Any) -> None:
        nonlocal offset
        if c is None:
            kept.append(Layout.of(shape, stride))
        elif isinstance(c, tuple):
            if not isinstance(shape, tuple) or len(shape) != len(c):
                raise Unsettled("a coordinate of another profile")
            for s, d, one in zip(shape, stride, c, strict=True):
                walk(s, d, one)
        else:
            offset = plus(offset, value_at(Layout.of(shape, stride), c))

    walk(layout.shape, layout.stride, crd)
    return joined(kept), offset


def value_at(layout: Layout, crd: Any) -> Any:
    """The offset at a coordinate, names on both sides; a stride of coordinates gives a coordinate.

    >>> str(value_at(Layout((4, 8), (1, 5)), Expr.of("c0"))), str(value_at(Layout((4, 8), (1, 5)), (3, Expr.of("c0"))))
    ('5*floor(c0/4)+mod(c0,4)', '5*c0+3')
    """
    if isinstance(crd, tuple):
        if not isinstance(layout.shape, tuple) or len(crd) != len(layout.shape):
            raise Unsettled("a coordinate of another profile")
        total: Any = 0
        for k, c in enumerate(crd):
            total = plus(total, value_at(layout[k], c))
        return total
    modes = list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))
    while len(modes) > 1 and is_static(modes[-1][0]) and modes[-1][0] == 1:
        modes.pop()
    total = 0
    for k, (s, d) in enumerate(modes):
        if k == len(modes) - 1:
            return plus(total, times(d, crd))
        total = plus(total, times(d, plain(crd % s)))
        crd = plain(crd // s)
    return total


# Products


def product(a: Layout, b: Any, form: str = "logical") -> Expected:
    """A repeated over B in one of the model's forms.

    >>> str(product(Layout((2, 2)), Layout((3, 5)), "raked").layout)
    '((3,2),(5,2)):((4,1),(12,2))'
    """
    coarse: HTuple
    if not names_in(a, b):
        try:
            answer = decide_product(a, b, form)
        except InputError as error:
            raise Unsettled(error.message) from None
        except Refuted as refused:
            return _not_repeated(a, b, form, refused.reason)
        coarse = answer.result.shape
        if form in ("blocked", "raked"):
            coarse = tuple(size_of(mode) for mode in answer.result.shape)
        once = isinstance(b, Layout) and size_of(b.shape) == 1
        outside = (
            () if answer.exact or once or _tiles(a) else (f"{a} has no exact complement: its shifts leave offsets out",)
        )
        return Expected(answer.result, coarse, answer.result, several(answer.evidence), outside)
    if isinstance(b, tuple):
        raise Unsettled("a product by mode with names")
    if names_in(a):
        raise Unsettled("a block with names")
    block = a
    if form in ("blocked", "raked"):
        rank = max(len(a), len(b))
        block, b = _padded(a, rank), _padded(b, rank)
    conditions = Conditions()
    extended = decide_extended_complement(block)
    how = several([*extended.evidence, "closed-form"])
    repeated = symbolic.compose(_unbounded(extended.result), b, conditions)
    if conditions.needed:
        raise Unsettled(" and ".join(conditions.needed))
    if form == "logical":
        return Expected(joined([block, repeated]), (block.shape, b.shape), evidence=how)
    if form in ("blocked", "raked"):
        pairs = [(x, y) if form == "blocked" else (y, x) for x, y in zip(block, repeated, strict=True)]
        layout = joined([joined([x, y]) for x, y in pairs])
        return Expected(layout, tuple(plain(size_of(mode)) for mode in layout.shape), evidence=how)
    left = list(block) if form == "flat" else [block]
    right = [repeated] if form == "zipped" else list(repeated)
    layout = joined(left + right)
    return Expected(layout, layout.shape, evidence=how)


def _not_repeated(a: Layout, b: Any, form: str, reason: str) -> Expected:
    """A product that no layout is: its definition A(a) + A*(B(b)), where A* reaches every offset."""
    if isinstance(b, tuple):
        return Expected(None, None, reason=reason)
    b = as_tile(b)
    try:
        extended = decide_extended_complement(a)
    except Refuted:
        return Expected(None, None, reason=reason)
    if not (extended.exact or _tiles(a)) or b.semimodule != "integer" or min(d for _, d in b.modes) < 0:
        return Expected(None, None, reason=reason)
    is_paired = form in ("blocked", "raked")
    rank = max(len(a), len(b))
    first, second = (_padded(a, rank), _padded(b, rank)) if is_paired else (joined([a]), joined([b]))
    sizes = [(size_of(x.shape), size_of(y.shape)) for x, y in zip(first, second, strict=True)]

    def definition(index: int) -> Any:
        places, shifts = [], []
        for m, n in sizes:
            if form == "raked":
                index, shift = divmod(index, n)
                index, place = divmod(index, m)
            else:
                index, place = divmod(index, m)
                index, shift = divmod(index, n)
            places.append(place)
            shifts.append(shift)
        return first(tuple(places)) + extended.result(second(tuple(shifts)))

    coarse = {
        "tiled": (a.shape, *(mode.shape for mode in modes_of(b))),
        "flat": (*(mode.shape for mode in modes_of(a)), *(mode.shape for mode in modes_of(b))),
        "blocked": tuple(m * n for m, n in sizes),
        "raked": tuple(m * n for m, n in sizes),
    }.get(form, (a.shape, b.shape))
    return Expected(None, coarse, definition, reason=reason, advice=ADVICE)


def _tiles(a: Layout) -> bool:
    """Whether the layout without its modes of stride 0 has an exact complement."""
    live = [(s, d) for s, d in a.modes if not (is_static(d) and d == 0)]
    if len(live) == len(a.modes) or a.semimodule != "integer":
        return False
    return bool(not live or decide_extended_complement(Layout.of(*map(tuple, zip(*live, strict=True)))).exact)


def _unbounded(layout: Layout) -> Layout:
    """An extended complement with a size for its last mode that no other bounds: it goes on without end."""
    modes = list(layout.modes)
    sizes = [s for s, _ in modes[:-1]] + [Expr.of("n_endless")]
    return Layout.of(tuple(sizes), tuple([d for _, d in modes]))


def _padded(layout: Layout, rank: int) -> Layout:
    modes = modes_of(layout)
    return joined(modes + [Layout.of(1, 0)] * (rank - len(modes)))


def tile_to_shape(a: Layout, shape: HTuple, order: HTuple = None) -> Expected:
    """A repeated until it fills ``shape``, the repetitions in ``order``.

    >>> str(tile_to_shape(Layout((8, 64), (64, 1)), (16, 128), (1, 0)).layout)
    '((8,2),(64,2)):((64,1024),(1,512))'
    """
    target = shape if isinstance(shape, tuple) else (shape,)
    block = _padded(a, len(target))
    sizes = [plain(size_of(mode)) for mode in block.shape]
    wanted = [plain(size_of(mode)) for mode in target]
    repeats, ragged = [], []
    for have, want in zip(sizes, wanted, strict=True):
        whole = quotient(want, have)
        if whole is None:
            ragged.append(f"{have} divides {want}")
            whole = rounded_up(want, have)
        repeats.append(whole)
    repeated = ordered(tuple(repeats), order)
    found = product(block, repeated, "blocked")
    if ragged and names_in(shape):
        found = replace(found, note=f"ragged: the tiles reach past the shape where not {' and '.join(ragged)}")
    elif ragged:
        found = replace(found, outside=(*found.outside, f"the block does not tile the shape: not {', '.join(ragged)}"))
    return found


def ordered(shape: HTuple, order: HTuple = None) -> Layout:
    """The compact layout of a shape whose modes are ranked by ``order``, the lowest fastest; ties from left to right.

    >>> str(ordered((4, 8, 2), (2, 0, 1))), str(ordered((2, (2, 2), 2), (0, (2, 3), 1)))
    ('(4,8,2):(16,1,8)', '(2,(2,2),2):(1,(4,8),2)')
    """
    if order is None:
        return compact(shape)
    groups: list[tuple[Any, list[int]]] = []
    sizes = list(leaves(shape))
    position = 0

    def walk(s: HTuple, o: HTuple) -> None:
        nonlocal position
        if isinstance(o, tuple):
            if not isinstance(s, tuple) or len(s) != len(o):
                raise Unsettled("an order of another profile")
            for one, rank in zip(s, o, strict=True):
                walk(one, rank)
            return
        count = len(flatten(s)) if isinstance(s, tuple) else 1
        groups.append((o, list(range(position, position + count))))
        position += count

    walk(shape, order)
    if any(not is_static(rank) for rank, _ in groups):
        raise Unsettled("an order that is known at run time alone")
    strides: list[Any] = [0] * len(sizes)
    reached: Any = 1
    for _, members in sorted(groups, key=lambda group: group[0]):
        for k in members:
            strides[k] = reached
            reached = plain(reached * sizes[k])
    rest = iter(strides)
    return Layout.of(shape, map_leaves(lambda _: next(rest), shape))


# Coalesce and filters


def coalesced(a: Layout, profile: HTuple = None) -> Expected:
    """A with as few modes as can be, mode by mode under a ``profile``."""
    if not names_in(a):
        try:
            result = coalesce(a, profile if isinstance(profile, tuple) else None)
        except InputError as error:
            raise Unsettled(error.message) from None
    else:
        result = _coalesced(a, profile)
    return Expected(result, _collapsed(a.shape, profile), a)


def _collapsed(shape: HTuple, profile: HTuple) -> HTuple:
    if not isinstance(profile, tuple) or not isinstance(shape, tuple):
        return plain(size_of(shape))
    parts = [_collapsed(s, p) for s, p in zip(shape, profile, strict=False)]
    return (*parts, *shape[len(profile) :])


def _coalesced(a: Layout, profile: HTuple) -> Layout:
    if isinstance(profile, tuple) and isinstance(a.shape, tuple):
        parts = [_coalesced(mode, p) for mode, p in zip(a, profile, strict=False)]
        return joined([*parts, *list(a)[len(profile) :]])
    modes = symbolic.modes_of(a.shape, a.stride)
    if len(modes) == 1:
        return Layout.of(*modes[0])
    return Layout.of(tuple([s for s, _ in modes]), tuple([d for _, d in modes]))


def zeros_filtered(a: Layout, profile: HTuple = None) -> Expected:
    """A with every mode of stride 0 given the size 1; ``profile`` stands in for the stride."""
    stride = a.stride if profile is None else profile

    def build(s: HTuple, d: HTuple) -> HTuple:
        if isinstance(d, tuple) and isinstance(s, tuple):
            return tuple(build(x, y) for x, y in zip(s, d, strict=True))
        return map_leaves(lambda _: 1, s) if is_static(d) and d == 0 else s

    shape = build(a.shape, stride)
    return Expected(Layout.of(shape, a.stride), shape, Layout.of(shape, a.stride), is_exact=True)


def filtered(a: Layout) -> Expected:
    """A without modes of stride 0 and of size 1, coalesced."""
    inner = zeros_filtered(a).layout
    assert inner is not None
    return coalesced(inner)


def natural(index: int, shape: HTuple) -> HTuple:
    """The natural coordinate of an index, for a witness."""
    return idx2crd(index, shape)


__all__ = [
    "FORMS",
    "Expected",
    "as_tile",
    "bounded_complement",
    "by_mode",
    "coalesced",
    "compact",
    "composition",
    "divide",
    "filtered",
    "local_tile",
    "modes_of",
    "natural",
    "ordered",
    "product",
    "scaled",
    "slice_modes",
    "tile_to_shape",
    "value_at",
    "zeros_filtered",
]
