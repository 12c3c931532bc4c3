"""Right and left inverses of a layout, as layouts (paper §3.4.1 and §3.4.3)."""

from __future__ import annotations

from collections.abc import Callable

from . import f2
from .answer import Answer
from .axes import Axis, join_axes, split_axes
from .coalesce import coalesce, from_modes
from .errors import InverseRefuted
from .inverse_search import search_right
from .lattice import find_zero
from .layout import Layout, plain, size
from .left_inverse_search import search_left
from .properties import POINTS, refute_injective
from .semimodule import F2, Element


def right_inverse(layout: Layout) -> Layout:
    """The largest L‡ into Z_|L| with L(L‡(k)) = k for every k below its size.

    The modes sorted by stride give it, as long as each stride is the product of the sizes before, where the offset at
    which they end is not reached: all other strides are more, or the modes of non-zero stride are injective and a
    search finds it nowhere. Elsewhere larger ones can exist ((2,3):(1,1) has (2,2):(1,4));
    they are searched for, and Undecided is raised when the budget is spent. Coordinates: one axis at a time, k is the
    coordinate. Over F₂ (sizes 2^k): by elimination. Every layout has one of size 1 at least.

    >>> from .notation import layout
    >>> texts = "(4,8):(1,4)", "(4,8):(8,1)", "(3,7,5):(5,15,1)", "(4,8):(1,5)", "(4,8):(e0,e1)", "(2,3):(1,1)"
    >>> [str(right_inverse(layout(s))) for s in texts]
    ['32:1', '(8,4):(4,1)', '(5,21):(21,1)', '4:1', '(4,8):(1,4)', '(2,2):(1,4)']
    """
    return decide_right_inverse(layout).result


def decide_right_inverse(layout: Layout) -> Answer:
    """:func:`right_inverse` with its evidence; ``exact`` when it reaches as far as the image does without a gap."""
    kind = plain(layout, "a right inverse").semimodule
    if kind == "F2":
        return _right_over_f2(layout)
    if kind == "coordinate":
        axes = split_axes(layout)
        parts = [_right_of_axis(axis) for axis in axes]
        evidence = tuple(dict.fromkeys(how for _, how in parts))
        return Answer(join_axes(axes, [part for part, _ in parts]), evidence, exact=True)
    index, modes = 1, []
    for s, d in layout.modes:
        if s > 1:
            modes.append((s, d, index))
        index *= s
    result, how = _right_of_axis(Axis((), tuple(modes)))
    return Answer(result, (how,), exact=True)


def _right_of_axis(axis: Axis) -> tuple[Layout, str]:
    """The largest right inverse along one axis, checked: L after it is the identity."""
    modes = [mode for mode in axis.modes if mode[1]]
    plain = from_modes([(s, d) for s, d, _ in modes])
    found, reached = [], 1
    left = []
    for s, d, index in sorted(modes, key=lambda mode: mode[1]):
        if d == reached:
            found.append((s, index))
            reached *= s
        else:
            left.append(d)
    how = "closed-form"
    if not all(d > reached for d in left):  # else no index has the offset ``reached``
        how = "enumeration"
        if refute_injective(plain) is not None or _is_offset(plain, reached):
            found = search_right([(s, d, index) for s, d, index in axis.modes])
    result = coalesce(from_modes(found))
    _check_right(axis, result)
    return result, how


def _is_offset(layout: Layout, offset: int) -> bool:
    """Whether an injective layout has the positive ``offset``."""
    ranges = [(0, s - 1, d) for s, d in layout.modes if s > 1]
    return find_zero([*ranges, (-1, 0, offset)], lambda found: found[-1] == -1) is not None


def _check_right(axis: Axis, result: Layout) -> None:
    """L(R(k)) = k: R's modes step through L without a carry, and land on 1, n₀, n₀n₁, …"""
    total = size(result)
    digits = _index_digits(axis)
    reached = 1
    for s, d in result.modes:
        if s > 1 and digits(d) != reached:
            raise AssertionError(f"{result} is no right inverse at {reached}")
        reached *= s
    if total <= POINTS and any(digits(result(k)) != k for k in range(min(total, 64))):
        raise AssertionError(f"{result} is no right inverse")


def _index_digits(axis: Axis) -> Callable[[int], int]:
    """The offset along the axis of an index of the whole layout."""

    def offset(index: int) -> int:
        return sum((index // stride % s) * d for s, d, stride in axis.modes)

    return offset


def left_inverse(layout: Layout) -> Layout:
    """L† with L(L†(L(k))) = L(k) and L†(L(k)) in Z_|L|; where L is injective, L†(L(k)) = k.

    Where the modes of non-zero stride, sorted, have strides that divide one another with sizes that fit between, each
    stride of L becomes a mode boundary of L†. Others may have one ((2,2):(2,3) has (2,3):(1,1)) or none
    ((3,3):(2,3)): every chain of mode boundaries is tried, and Undecided is raised when the budget is spent.

    >>> from .notation import layout
    >>> texts = "(4,8):(1,4)", "(4,8):(8,1)", "(4,8):(1,5)", "((2,2),(2,4)):((0,2),(0,4))", "(2,2):(2,3)"
    >>> [str(left_inverse(layout(s))) for s in texts]
    ['32:1', '(8,4):(4,1)', '(5,8):(1,4)', '(2,2,4):(0,2,8)', '(2,3):(1,1)']
    >>> str(left_inverse(layout("(4,(4,2)):(e1,(e0,6e1))")))
    '(4,(6,2)):(4,(1,16))'
    >>> left_inverse(layout("(3,3):(2,3)"))
    Traceback (most recent call last):
    ...
    veritile.model.errors.InverseRefuted: no layout sends the offsets of (3,3):(2,3) back to coordinates that have \
them: every chain of mode sizes was tried, and no single coordinate shows it
    """
    return decide_left_inverse(layout).result


def decide_left_inverse(layout: Layout) -> Answer:
    """:func:`left_inverse` with its evidence; ``exact`` when L is injective."""
    kind = plain(layout, "a left inverse").semimodule
    if kind == "F2":
        return _left_over_f2(layout)
    if kind == "coordinate":
        axes = split_axes(layout)
        parts = [_left_of_axis(axis, layout) for axis in axes]
        evidence = tuple(dict.fromkeys(how for _, how in parts))
        return _left_answer(layout, join_axes(axes, [part for part, _ in parts]), evidence)
    index, modes = 1, []
    for s, d in layout.modes:
        if s > 1:
            modes.append((s, d, index))
        index *= s
    result, how = _left_of_axis(Axis((), tuple(modes)), layout)
    return _left_answer(layout, result, (how,))


def _left_answer(layout: Layout, result: Layout, how: tuple[str, ...]) -> Answer:
    injective = refute_injective(layout) is None
    notes = () if injective else (f"{layout} is not injective: L(L†(L(k))) = L(k) holds, L†(L(k)) = k does not",)
    return Answer(result, how, exact=injective, notes=notes)


def _left_of_axis(axis: Axis, layout: Layout) -> tuple[Layout, str]:
    live = sorted([mode for mode in axis.modes if mode[1]], key=lambda mode: mode[1])
    found = _left_chain(live)
    if found is not None:
        return coalesce(from_modes(found)), "closed-form"
    searched = search_left(list(axis.modes))
    if searched is None:
        raise InverseRefuted(
            f"no layout sends the offsets of {layout} back to coordinates that have them: every chain of mode sizes "
            "was tried, and no single coordinate shows it"
        )
    return coalesce(from_modes(searched)), "enumeration"


def _left_chain(live: list[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """Modes (dₖ₊₁/dₖ : index stride of k) when every stride divides the next and every size fits before it."""
    modes: list[tuple[int, int]] = []
    if not live:
        return modes
    first = live[0][1]
    if first < 0:  # ⌊−c·d/d⌋ = −c, the last mode not reduced
        return [(-first, 0), (live[0][0], -live[0][2])] if len(live) == 1 else None
    if first > 1:
        modes.append((first, 0))
    for (s, d, index), following in zip(live, [*live[1:], None], strict=True):
        if following is None:
            modes.append((s, index))
        elif following[1] % d or following[1] // d < s:
            return None
        else:
            modes.append((following[1] // d, index))
    return modes


def _right_over_f2(layout: Layout) -> Answer:
    """For each bit of the offset, an index whose offset is that bit alone, as far as there are any."""
    f2.check_is_f2(layout)
    sources = f2.bit_sources(layout)
    modes: list[tuple[int, Element]] = []
    bit = 0
    while (index := _solve_bits(sources, 1 << bit)) is not None and (1 << bit) < size(layout):
        modes.append((2, index))
        bit += 1
    return Answer(_xor_layout(modes), ("closed-form",), exact=True)


def _left_over_f2(layout: Layout) -> Answer:
    f2.check_is_f2(layout)
    basis: dict[int, tuple[int, int]] = {}
    for index, vector in f2.bit_sources(layout):
        _insert(basis, vector, index)
    width = max((vector.bit_length() for vector in f2.bit_vectors(layout)), default=0)
    modes: list[tuple[int, Element]] = []
    for bit in range(width):
        modes.append((2, _reduced(basis, 1 << bit)))
    injective = refute_injective(layout) is None
    return Answer(_xor_layout(modes), ("closed-form",), exact=injective)


def _insert(basis: dict[int, tuple[int, int]], vector: int, index: int) -> None:
    while vector:
        top = vector.bit_length()
        if top not in basis:
            basis[top] = (vector, index)
            return
        vector, index = vector ^ basis[top][0], index ^ basis[top][1]


def _reduced(basis: dict[int, tuple[int, int]], vector: int) -> int:
    """The index that elimination assigns to a vector, what is outside the span read as 0."""
    index = 0
    for top in sorted(basis, reverse=True):
        if vector >> (top - 1) & 1:
            vector, index = vector ^ basis[top][0], index ^ basis[top][1]
    return index


def _solve_bits(sources: list[tuple[int, int]], wanted: int) -> int | None:
    basis: dict[int, tuple[int, int]] = {}
    for index, vector in sources:
        _insert(basis, vector, index)
    index = 0
    while wanted:
        top = wanted.bit_length()
        if top not in basis:
            return None
        wanted, index = wanted ^ basis[top][0], index ^ basis[top][1]
    return index


def _xor_layout(modes: list[tuple[int, Element]]) -> Layout:
    """Modes of two whose strides are indices, added without carry: a layout over F₂."""
    return coalesce(from_modes([(s, F2(int(d))) for s, d in modes]))


__all__ = ["decide_left_inverse", "decide_right_inverse", "left_inverse", "right_inverse"]
