"""Left inverses that no closed form gives: a search over every layout that can be one, within a budget.

Write the mode boundaries of a layout R as 1 = P₀ | P₁ | …, the products of its sizes. Digit k of y is
⌊y/Pₖ⌋ − (Pₖ₊₁/Pₖ)·⌊y/Pₖ₊₁⌋, so R(y) = Σ fₖ·⌊y/Pₖ⌋ with fₖ = eₖ − (Pₖ/Pₖ₋₁)·eₖ₋₁ for strides eₖ: any integers fₖ are a
layout's. A boundary beyond a non-negative y does not touch R(y), and one with fₖ = 0 can be left out. Offsets are
therefore taken in ascending order: what is known of f are the solutions of linear equations, one for each offset whose
index was chosen; offsets whose value these settle are looked at all at once; and a boundary is tried only where it can
change something before the first offset that is wrong or not settled.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .errors import Undecided
from .inverse_search import IndexedMode, offset_at

NODES = 1 << 15  # choices tried
MACHINE = 1 << 62  # magnitudes below are computed in 64 bits


@dataclass(frozen=True)
class _Solutions:
    """All integer solutions of the equations so far: ``point`` plus any integer combination of ``basis``."""

    point: tuple[int, ...]
    basis: tuple[tuple[int, ...], ...]

    def with_unknown(self, taken: int) -> _Solutions:
        """One more unknown, free; ``taken`` times it is what the first unknown loses."""
        new = (-taken, *[0] * (len(self.point) - 1), 1)
        return _Solutions((*self.point, 0), (*((*b, 0) for b in self.basis), new))

    def with_equation(self, row: list[int], value: int) -> _Solutions | None:
        """One more equation; None when no integer solution is left.

        Euclid's algorithm on what the basis vectors give brings all but one of them to zero.
        """
        missing = value - _dot(row, self.point)
        gives = [(_dot(row, b), b) for b in self.basis]
        kept = [b for g, b in gives if g == 0]
        live = [(g, b) for g, b in gives if g]
        while len(live) > 1:
            live.sort(key=lambda pair: abs(pair[0]))
            g, b = live[0]
            rest = []
            for other, vector in live[1:]:
                q = other // g
                vector = tuple(v - q * x for v, x in zip(vector, b, strict=True))
                if other - q * g:
                    rest.append((other - q * g, vector))
                else:
                    kept.append(vector)
            live = [(g, b), *rest]
        if not live:
            return self if missing == 0 else None
        g, b = live[0]
        if missing % g:
            return None
        return _Solutions(tuple(x + missing // g * y for x, y in zip(self.point, b, strict=True)), tuple(kept))

    def has_zero(self, first: int) -> bool:
        """Whether an unknown from ``first`` on is 0 in every solution."""
        return any(not self.point[k] and not any(b[k] for b in self.basis) for k in range(first, len(self.point)))


def _dot(row: list[int], vector: tuple[int, ...]) -> int:
    return sum(a * x for a, x in zip(row, vector, strict=True))


@dataclass(frozen=True)
class _State:
    """The offsets before ``at`` have their indices; ``known`` are the f beyond the boundaries, and those of each."""

    at: int
    boundaries: tuple[int, ...]
    known: _Solutions


class _Search:
    """The offsets by magnitude, their indices, and what remains of the budget."""

    def __init__(self, modes: list[IndexedMode]):
        import numpy as np

        indices_of: dict[int, list[int]] = {}
        for index, offset in offset_at(modes).items():
            indices_of.setdefault(offset, []).append(index)
        self.modes = modes
        self.offsets = sorted(indices_of, key=lambda y: (abs(y), y))
        self.indices = [indices_of[y] for y in self.offsets]
        self.reach = abs(self.offsets[-1])
        self.is_signed = min(self.offsets) < 0
        self.small: Any = np.array(self.offsets, dtype=np.int64) if self.reach < MACHINE else None
        self.large: Any = np.array(self.offsets, dtype=object)
        self.left = NODES

    def count(self) -> None:
        """One more choice; Undecided when the budget is spent."""
        self.left -= 1
        if self.left < 0:
            raise Undecided(f"more than {NODES} choices were tried for a left inverse")

    def first_beyond(self, magnitude: int) -> int:
        """The place of the first offset of at least that magnitude."""
        return bisect_left(self.offsets, magnitude, key=abs)

    def row(self, offset: int, boundaries: tuple[int, ...]) -> list[int]:
        """What the unknowns count for at an offset; the first is the sum of all f of boundaries beyond it."""
        return [-1 if offset < 0 else 0, *(offset // p for p in boundaries)]

    def values(self, boundaries: tuple[int, ...], f: Sequence[Any], at: int, end: int | None = None) -> Any:
        """Σ fₖ·⌊y/Pₖ⌋ at the offsets from ``at`` on, as far as ``end``; each fₖ an integer, or a column of them."""
        import numpy as np

        largest = sum(max(map(abs, np.ravel(factor).tolist())) for factor in f)
        fits = self.small is not None and largest * (self.reach + 1) < MACHINE
        y = (self.small if fits else self.large)[at:end]
        total = np.asarray(f[0], dtype=y.dtype) * -(y < 0).astype(y.dtype)
        for p, factor in zip(boundaries, f[1:], strict=True):
            total = total + np.asarray(factor, dtype=y.dtype) * (y // p)
        return total

    def is_right(self, values: Any, at: int, end: int | None = None) -> Any:
        """Whether each value is an index of its offset, from ``at`` on, as far as ``end``; for any number of rows."""
        index = offset = 0
        for s, d, w in self.modes:
            digit = values // w % s
            index, offset = index + digit * w, offset + digit * d
        y = self.large if self.small is None or values.dtype == object else self.small
        return ((index == values) & (offset == y[at:end])).astype(bool)


def search_left(modes: list[IndexedMode]) -> list[tuple[int, int]] | None:
    """Modes of a layout R with R(y) an index of offset y, for every offset y; None when there is none.

    Undecided for more offsets than are tabulated, or more choices than are tried.

    >>> search_left([(2, 2, 1), (2, 3, 2)])
    [(2, 1), (3, 1)]
    >>> search_left([(3, 2, 1), (3, 3, 3)]) is None
    True
    """
    search = _Search(modes)
    first = _Solutions((0, 0), ((1, 0), (0, 1)) if search.is_signed else ((0, 1),))
    stack = [iter([_State(0, (1,), first)])]
    while stack:
        state = next(stack[-1], None)
        if state is None:
            stack.pop()
            continue
        search.count()
        event, is_free = _first_event(search, state)
        if event is None:
            return _modes_of(search, state)
        stack.append(_next_states(search, state, event, is_free))
    return None


def _first_event(search: _Search, state: _State) -> tuple[int | None, bool]:
    """The first offset whose value is not settled (True), or is none of its indices; None where all are right."""
    import numpy as np

    if state.at == len(search.offsets):
        return None, False
    is_free = np.zeros(len(search.offsets) - state.at, dtype=bool)
    for b in state.known.basis:
        is_free |= search.values(state.boundaries, b, state.at) != 0
    is_right = search.is_right(search.values(state.boundaries, state.known.point, state.at), state.at)
    events = is_free | ~is_right
    place = int(np.argmax(events))
    return (state.at + place, bool(is_free[place])) if events[place] else (None, False)


def _next_states(search: _Search, state: _State, event: int, is_free: bool) -> Iterator[_State]:
    """The offset of the event on each of its indices, where it is free; then each boundary before it."""
    if is_free:
        row = search.row(search.offsets[event], state.boundaries)
        for index in _possible(search, state, event, row):
            known = state.known.with_equation(row, index)
            if known is not None and not known.has_zero(2):
                yield _State(event + 1, state.boundaries, known)
    known = state.known.with_unknown(int(search.is_signed))
    for boundary, at in _boundaries(search, state, event):
        yield _State(at, (*state.boundaries, boundary), known)


def _possible(search: _Search, state: _State, event: int, row: list[int]) -> list[int]:
    """The indices of the event's offset that are not wrong before the next boundary, looked at where one is free."""
    import numpy as np

    indices = search.indices[event]
    if len(state.known.basis) != 1 or len(indices) == 1:
        return indices
    top, (b,) = state.boundaries[-1], state.known.basis
    limit = (abs(search.offsets[event]) // top + 1) * top
    end = search.first_beyond(limit)
    step, at_point = _dot(row, b), _dot(row, state.known.point)
    indices = [index for index in indices if (index - at_point) % step == 0]
    if not indices:
        return []
    counts = np.array([(index - at_point) // step for index in indices], dtype=object).reshape(-1, 1)
    f = [x + counts * y for x, y in zip(state.known.point, b, strict=True)]
    is_right = search.is_right(search.values(state.boundaries, f, event, end), event, end).all(axis=1)
    return [index for index, right in zip(indices, is_right, strict=True) if right]


def _boundaries(search: _Search, state: _State, event: int) -> Iterator[tuple[int, int]]:
    """Boundaries, each with the first offset it reaches: the event's own if it is one, then all that change something.

    Where an offset before the event has a single index, it has it already: a boundary that ends there alone must have
    f = 0, unless a further boundary comes before the same offset.
    """
    top, reach = state.boundaries[-1], abs(search.offsets[event])
    first = max(top, abs(search.offsets[state.at - 1]) if state.at else 0) // top * top + top
    if reach >= first and reach % top == 0:
        yield reach, search.first_beyond(reach)
    for boundary in range(first, reach, top):
        search.count()
        at = search.first_beyond(boundary)
        if search.is_signed or at == event or len(search.indices[at]) > 1 or 2 * boundary <= search.offsets[at]:
            yield boundary, at


def _modes_of(search: _Search, state: _State) -> list[tuple[int, int]]:
    """Sizes and strides from boundaries and f."""
    boundaries, (beyond, *f) = list(state.boundaries), state.known.point
    if beyond and search.is_signed:
        top = boundaries[-1]
        boundaries.append(top * (search.reach // top + 1))
        f.append(beyond)
    modes, stride = [], 0
    sizes = [q // p for p, q in pairwise(boundaries)]
    for k, factor in enumerate(f):
        stride = factor + (sizes[k - 1] * stride if k else 0)
        last = max(-(-(search.reach + 1) // boundaries[-1]), 1 + search.is_signed)
        modes.append((sizes[k] if k < len(sizes) else last, stride))
    return modes
