"""What two layouts have in common, and what one sends to zero (paper §3.4.2; CuTe's ``nullspace``)."""

from __future__ import annotations

from .answer import Answer
from .coalesce import coalesce, from_modes
from .errors import InputError, Undecided
from .layout import Layout, plain, size
from .properties import POINTS, decide_injective, offsets
from .semimodule import CoordinateStride, Element


def max_common_layout(a: Layout, b: Layout) -> Layout:
    """The longest V with A(V(k)) = B(V(k)) = k for every k below its size: the widest vector of both.

    Where both are injective and none has a negative stride, V is what A‡ and B‡ have in common from the start.
    Elsewhere several indices may serve and all are tried; Undecided when the budget is spent. A count of elements:
    whether an instruction of that width exists is another question.

    >>> str(max_common_layout(Layout((2, 3)), Layout((2, 3))))
    '6:1'
    >>> str(max_common_layout(Layout((4, 8)), Layout((4, 8), (8, 1))))
    '1:0'
    >>> str(max_common_layout(Layout((2, 2), (0, 1)), Layout((2, 2), (1, 0))))
    '2:3'
    """
    return decide_max_common_layout(a, b).result


def max_common_vector(a: Layout, b: Layout) -> int:
    """The size of :func:`max_common_layout`, in elements.

    >>> max_common_vector(Layout((4, 8), (1, 8)), Layout((4, 8), (1, 4)))
    4
    """
    return size(max_common_layout(a, b))


def decide_max_common_layout(a: Layout, b: Layout) -> Answer:
    """:func:`max_common_layout` with its evidence."""
    for layout in (a, b):
        if plain(layout, "a common vector").semimodule != "integer":
            raise InputError(f"a vector is contiguous in memory, and the offsets of {layout} are {layout.semimodule}")
    first, second = _paired(a, b)
    how = [_how_plain(first)]
    if how[0] is not None:
        how.append(_how_plain(second))
    if None not in how:
        modes, reached = [], 1
        for (n, d), (m, e) in zip(_sorted_chain(first), _sorted_chain(second), strict=False):
            if d != e:
                break
            modes.append((min(n, m), d))
            reached *= min(n, m)
            if n != m:
                break
        evidence = tuple(dict.fromkeys(["closed-form", *filter(None, how)]))
        return Answer(coalesce(from_modes(modes)), evidence, exact=True)
    return Answer(_search_common(a, b), ("enumeration",), exact=True)


IndexedMode = tuple[int, int, int]  # size, stride, stride of the index


def _paired(a: Layout, b: Layout) -> tuple[list[IndexedMode], list[IndexedMode]]:
    """The modes of both with the strides of their indices; of one shape, without those that move neither."""
    first, second = _indexed(a), _indexed(b)
    if [s for s, _, _ in first] == [s for s, _, _ in second]:
        moving = [i for i, (m, n) in enumerate(zip(first, second, strict=True)) if m[1] or n[1]]
        return [first[i] for i in moving], [second[i] for i in moving]
    return first, second


def _indexed(layout: Layout) -> list[IndexedMode]:
    index, modes = 1, []
    for s, d in layout.modes:
        if s > 1:
            modes.append((s, d, index))
        index *= s
    return modes


def _how_plain(modes: list[IndexedMode]) -> str | None:
    """On which evidence an offset tells the index: strides positive, no two coordinates with one offset; None: not."""
    if any(d <= 0 for _, d, _ in modes):
        return None
    collision, how = decide_injective(from_modes([(s, d) for s, d, _ in modes]))
    return how if collision is None else None


def _sorted_chain(modes: list[IndexedMode]) -> list[tuple[int, int]]:
    """The largest right inverse of plain modes, coalesced: (size, stride of the index)."""
    chain, reached = [], 1
    for s, d, index in sorted(modes, key=lambda mode: mode[1]):
        if d != reached:
            break
        chain.append((s, index))
        reached *= s
    return [mode for mode in coalesce(from_modes(chain)).modes if mode[0] > 1]


def _search_common(a: Layout, b: Layout) -> Layout:
    """The longest V, over the indices at which both layouts have the same offset."""
    from .inverse_search import search_right_in

    shared = min(size(a), size(b))
    if shared > POINTS:
        raise Undecided(f"{shared} indices would have to be searched, more than {POINTS}")
    both = {i: x for i, (x, y) in enumerate(zip(offsets(a), offsets(b), strict=False)) if x == y}
    return coalesce(from_modes(search_right_in(both)))


def nullspace(layout: Layout) -> Layout:
    """The largest injective N into Z_|L| with L(N(k)) = 0 for every k.

    Where no stride is negative and the offsets are integers or coordinates, the modes of stride 0. Elsewhere the
    indices of offset 0 are searched; Undecided when the budget is spent.

    >>> layouts = Layout((4, 2, 3), (1, 0, 0)), Layout((4, 8)), Layout((2, 2), (1, -1))
    >>> tuple(str(nullspace(layout)) for layout in layouts)
    ('6:4', '1:0', '2:3')
    """
    return decide_nullspace(layout).result


def decide_nullspace(layout: Layout) -> Answer:
    """:func:`nullspace` with its evidence."""
    plain(layout, "nullspace")
    moving = from_modes([(s, d) for s, d in layout.modes if d])
    collision, how = None, "closed-form"
    if not all(_is_positive(d) or not d for _, d in layout.modes):
        collision, how = decide_injective(moving)
    if collision is None:
        index, modes = 1, []
        for s, d in layout.modes:
            if not d and s > 1:
                modes.append((s, index))
            index *= s
        return Answer(coalesce(from_modes(modes)), tuple(dict.fromkeys(["closed-form", how])), exact=True)
    from .inverse_search import search_within

    zeros = [i for i, x in enumerate(offsets(layout)) if not x]
    return Answer(coalesce(from_modes(search_within(zeros))), ("enumeration",), exact=True)


def _is_positive(d: Element) -> bool:
    """Whether a stride moves away from zero, and no sum of such comes back."""
    if isinstance(d, CoordinateStride):
        return bool(d.terms) and all(scale > 0 for _, scale in d.terms)
    return isinstance(d, int) and d > 0
