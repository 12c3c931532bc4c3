"""Complements: the offsets that a layout leaves out, as a layout (paper §3.5, [28] and [29]).

Three things that one word covers elsewhere:

=====================  ==========================================================================================
``complement``         the *bounded* one: (L, L*) is a bijection onto Z_M, M the least size ≥ N with one
``extended_…``         keeps its last mode ``1:top`` and is evaluated past its end: what a product composes with
``partial_…``          fills what gaps it can; (L, L*) is injective, but some offsets stay unreachable
=====================  ==========================================================================================
"""

from __future__ import annotations

from . import f2
from .answer import Answer
from .axes import join_axes, split_axes
from .coalesce import from_modes
from .errors import ComplementRefuted, InputError, Witness
from .htuple import HTuple, map_leaves
from .layout import Layout, plain, size
from .properties import (
    check_bound,
    decide_injective,
    image_prefix,
    offset_range,
    offsets,
    refute_injective,
    refute_nonnegative,
)
from .semimodule import F2, CoordinateStride

Mode = tuple[int, int]
FORCED = 1 << 16  # offsets covered before the first forced collision is given up


def complement(layout: Layout, bound: int) -> Layout:
    """The bounded complement: ordered L* such that (L, L*) is a bijection onto Z_M, M the least such size ≥ ``bound``.

    With modes of size 1 dropped it exists iff no stride is negative, L is injective and its modes sorted by stride
    form a divisor chain: each stride is a multiple of size·stride of the one before. M is top·⌈N/top⌉, top the last
    size·stride. Refused with two coordinates of one offset, with the coordinate of a negative offset, or with an
    offset that nothing can reach. Over F₂ (sizes 2^k) it is the span of the bits that lead no offset, and M is 2^m.

    >>> from .notation import layout
    >>> str(complement(layout("(2,2):(1,6)"), 24)), str(complement(layout("4:2"), 8))
    ('(3,2):(2,12)', '2:1')
    >>> complement(layout("(2,3):(1,3)"), 18)
    Traceback (most recent call last):
    ...
    veritile.model.errors.ComplementRefuted: no complement of (2,3):(1,3) tiles any size: counting up, every offset \
not yet covered forces a shift of the layout, and the shift by 2 meets another at 3 (offset 2, meets 3)
    """
    return decide_complement(layout, bound).result


def decide_complement(layout: Layout, bound: int) -> Answer:
    """:func:`complement` with its evidence; ``exact`` when M is the bound, else the overhang is counted."""
    check_bound(bound)
    _check_ordered(layout, f2_too=True)
    if layout.semimodule == "F2":
        return _complement_over_f2(layout, bound)
    modes, top = _chain(layout)
    rest = -(-bound // top)
    if rest > 1:
        modes = [*modes, (rest, top)]
    reached = top * rest
    _check_tiles(layout, modes, reached)
    return Answer(
        from_modes(modes),
        ("closed-form",),
        exact=reached == bound,
        out_of_range=reached - bound,
        notes=_overhang(reached, bound),
    )


def extended_complement(layout: Layout) -> Layout:
    """The complement without a bound: its last mode 1:top goes on, evaluated past its end.

    Satisfies [28] for integral coordinates, L(b) ≠ L*(a) for b in Z(L) and every a ≥ 1, and [29], L*(a−1) < L*(a).
    Where the chain of strides breaks, the gaps that cannot be filled stay: see :func:`partial_complement`. Modes of
    stride 0 count as absent. Refused for a negative offset. Coordinates: one axis at a time.

    >>> from .notation import layout
    >>> [str(extended_complement(layout(s))) for s in ("(4,8):(1,4)", "(4,8):(1,5)", "(4,8):(1,8)")]
    ['1:32', '1:40', '(2,1):(4,64)']
    >>> str(extended_complement(layout("(4,8):(e0,e1)")))
    '(1,1):(4e0,8e1)'
    """
    return decide_extended_complement(layout).result


def decide_extended_complement(layout: Layout) -> Answer:
    """:func:`extended_complement` with its evidence; ``exact`` when every offset is reached."""
    if plain(layout, "complement").semimodule == "coordinate":
        axes = split_axes(layout)
        answers = [decide_extended_complement(axis.layout) for axis in axes]
        parts = [
            Layout.of(answer.result.shape, _along(axis.basis, answer.result.stride))
            for axis, answer in zip(axes, answers, strict=True)
        ]
        how = tuple(dict.fromkeys(word for answer in answers for word in answer.evidence))
        return Answer(join_axes(axes, parts), how, exact=all(answer.exact for answer in answers))
    _check_ordered(layout)
    modes, top, exact, how = _gaps(layout)
    return Answer(from_modes([*modes, (1, top)]), how, exact=exact)


def _along(basis: CoordinateStride, stride: HTuple) -> HTuple:
    return map_leaves(lambda d: basis * d or 0, stride)


def partial_complement(layout: Layout, bound: int) -> Layout:
    """What gaps below ``bound`` can be filled, ordered and with (L, L*) injective; modes of stride 0 count as absent.

    >>> from .notation import layout
    >>> str(partial_complement(layout("(2,3):(1,3)"), 18)), str(partial_complement(layout("(4,8):(1,5)"), 80))
    ('2:9', '2:40')
    """
    return decide_partial_complement(layout, bound).result


def decide_partial_complement(layout: Layout, bound: int) -> Answer:
    """:func:`partial_complement` with its evidence; ``exact`` when it is the bounded complement of a full tiling."""
    check_bound(bound)
    _check_ordered(layout)
    modes, top, exact, how = _gaps(layout)
    rest = -(-bound // top)
    if rest > 1:
        modes = [*modes, (rest, top)]
    reached = top * rest
    notes = () if exact else ("partial: some offsets stay unreachable",)
    return Answer(
        from_modes(modes),
        how,
        exact=exact and reached == bound,
        out_of_range=reached - bound,
        notes=notes + _overhang(reached, bound),
    )


def _overhang(reached: int, bound: int) -> tuple[str, ...]:
    return () if reached == bound else (f"tiles {reached} offsets, {reached - bound} beyond the bound {bound}",)


def _sorted_modes(layout: Layout) -> list[Mode]:
    return sorted([mode for mode in layout.modes if mode[0] > 1], key=lambda mode: mode[1])


def _chain(layout: Layout) -> tuple[list[Mode], int]:
    """The gaps between the sorted modes, and top, when the strides form a divisor chain; else the refusal."""
    gaps: list[Mode] = []
    filled: list[Mode] = []
    top = 1
    for s, d in _sorted_modes(layout):
        if d <= 0 or d % top:
            raise _refuse(layout, filled, gaps, d)
        if d > top:
            gaps.append((d // top, top))
        filled.append((s, d))
        top = s * d
    return gaps, top


def _check_ordered(layout: Layout, f2_too: bool = False) -> None:
    plain(layout, "complement")
    if layout.semimodule == "coordinate":
        raise InputError(f"the offsets of {layout} are coordinates: only the extended complement goes axis by axis")
    if layout.semimodule == "F2" and not f2_too:
        raise InputError(f"the offsets of {layout} live in F2: only the bounded complement is defined there")


def _refuse(layout: Layout, filled: list[Mode], gaps: list[Mode], d: int) -> ComplementRefuted:
    """Why the chain of ``filled`` modes and ``gaps`` breaks at stride ``d``: a negative offset, a collision, a hole."""
    if offset_range(layout)[0] < 0:
        return _refuse_negative(layout)
    collision = refute_injective(layout)
    if collision is not None:
        return ComplementRefuted(f"{layout} is not injective, so nothing completes it to a bijection", collision)
    forced = _forced(layout)
    if forced is not None:
        hole, meets = forced
        return ComplementRefuted(
            f"no complement of {layout} tiles any size: counting up, every offset not yet covered forces a shift of "
            f"the layout, and the shift by {hole} meets another at {meets}",
            Witness("unreachable", {"offset": hole, "meets": meets}),
        )
    hole = _hole(filled, gaps, d)
    return ComplementRefuted(
        f"no complement of {layout} tiles any size: a shift of it that reaches the offset {hole} collides with one "
        "that every tiling needs",
        Witness("unreachable", {"offset": hole}),
    )


def _forced(layout: Layout) -> tuple[int, int] | None:
    """The first offset whose forced shift meets another, and where; None when that is beyond FORCED steps.

    In a tiling the least offset that is not covered is reached by the shift by itself and no other, since the layout
    has 0 and no negative offset.
    """
    if size(layout) > FORCED:
        return None
    image = sorted(offsets(layout))
    covered: set[int] = set()
    shift = steps = 0
    while steps < FORCED:
        for x in image:
            if shift + x in covered:
                return shift, shift + x
            covered.add(shift + x)
        steps += len(image)
        while shift in covered:
            covered.discard(shift)
            shift += 1
    return None


def _hole(filled: list[Mode], gaps: list[Mode], d: int) -> int:
    """An offset that no shift can reach, when the next stride ``d`` of an injective layout breaks the chain.

    The shifts by the gaps' offsets are forced up to the break, and with ``filled`` they cover whole blocks of top
    offsets. Where d lies inside the last mode, d = q·p + h with p its stride, and the one shift that reaches h also
    reaches d. Where d = k·top + r lies beyond, the shifts of block k that come as far as r have no room.
    """
    s, p = filled[-1]
    top = s * p
    if d < top:
        return d % p
    wanted = d % top - sum((n - 1) * e for n, e in filled)
    least, below = 0, sum((n - 1) * e for n, e in gaps)
    for n, e in reversed(gaps):
        below -= (n - 1) * e
        digit = max(0, -(-(wanted - least - below) // e))
        least += digit * e
    return d // top * top + least


def _refuse_negative(layout: Layout) -> ComplementRefuted:
    witness = refute_nonnegative(layout)
    return ComplementRefuted(f"{layout} has a negative offset, and a complement counts from 0", witness)


def _check_tiles(layout: Layout, modes: list[Mode], reached: int) -> None:
    """Established by a route of its own: all modes together cover Z_M, as many coordinates as offsets."""
    everything = Layout.of(*zip(*[*layout.modes, *modes], strict=True)) if modes else layout
    if size(everything) != reached or image_prefix(everything) != reached:
        raise AssertionError(f"{layout} with {modes} is no bijection onto {reached} offsets")


def _gaps(layout: Layout) -> tuple[list[Mode], int, bool, tuple[str, ...]]:
    """Gaps that keep the filled layout injective, the first offset past it, whether every gap is filled, and how."""
    if offset_range(layout)[0] < 0:
        raise _refuse_negative(layout)
    live = [mode for mode in _sorted_modes(layout) if mode[1]]
    try:
        gaps, top = _chain(from_modes(live))
        return gaps, top, len(live) == len(_sorted_modes(layout)), ("closed-form",)
    except ComplementRefuted:
        pass
    gaps, top = [], 1
    how = ["closed-form"]
    for s, d in live:
        candidate = (d // top, top)
        if candidate[0] > 1:
            collision, word = decide_injective(from_modes([*live, *gaps, candidate]))
            how.append(word)
            if collision is None:
                gaps.append(candidate)
        top = max(top, s * d)
    reach = 1 + sum((s - 1) * d for s, d in [*live, *gaps])
    return gaps, max(top, reach), False, tuple(dict.fromkeys(how))


def _complement_over_f2(layout: Layout, bound: int) -> Answer:
    f2.check_is_f2(layout)
    collision = refute_injective(layout)
    if collision is not None:
        raise ComplementRefuted(f"{layout} is not injective, so nothing completes it to a bijection", collision)
    leading = {vector.bit_length() - 1 for vector in f2.echelon(f2.bit_vectors(layout))}
    bits = max(max(leading, default=-1) + 1, (bound - 1).bit_length())
    modes = [(2, F2(1 << bit)) for bit in range(bits) if bit not in leading]
    merged: list[tuple[int, F2]] = []
    for s, d in modes:
        if merged and d == merged[-1][1] * merged[-1][0]:
            merged[-1] = (merged[-1][0] * s, merged[-1][1])
        else:
            merged.append((s, d))
    reached = 1 << bits
    return Answer(
        from_modes(merged),
        ("closed-form",),
        exact=reached == bound,
        out_of_range=reached - bound,
        notes=_overhang(reached, bound),
    )


__all__ = [
    "complement",
    "decide_complement",
    "decide_extended_complement",
    "decide_partial_complement",
    "extended_complement",
    "partial_complement",
]
