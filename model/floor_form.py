"""The floor form of a layout: A(x) = D·x + Σ E·⌊x/P⌋, for every integer x.

With prefix products P_k = S_0⋯S_{k-1}, the digit k of x is ⌊x/P_k⌋ − S_k·⌊x/P_{k+1}⌋, the last one unreduced, so
A(x) = D_0·x + Σ_{k≥1} (D_k − S_{k-1}·D_{k-1})·⌊x/P_k⌋ (paper §2.2; the sum rearranged). A mode that coalesces with
the one before has E = 0 and vanishes; a trailing mode of size 1 does not. What a layout fails to be linear by is then
carries alone: ⌊(x+y)/P⌋ = ⌊x/P⌋ + ⌊y/P⌋ + [x mod P + y mod P ≥ P].
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Any

from .errors import InputError, Undecided
from .htuple import at, leaves
from .layout import Layout
from .semimodule import CoordinateStride, Element

EVENTS = 1 << 20  # jumps of floors looked at before a run is given up
POINTS = 1 << 22  # coordinates enumerated before a box is given up

Floor = tuple[int, int, Element]  # axis, P, E
Step = tuple[int, ...]  # one integer for each axis


@dataclass(frozen=True)
class FloorForm:
    """A layout as the sum over its axes of D·x + Σ E·⌊x/P⌋.

    An axis is the whole layout (path ``()``, integral coordinates) or the mode that a path leads to. ``floors`` holds
    (axis, P, E) with P > 1 and E ≠ 0; ``slopes`` one D for each axis.

    >>> form = FloorForm.of(Layout((4, 6, 8), (2, 3, 5)))
    >>> form.slopes, form.floors
    ((2,), ((0, 4, -5), (0, 24, -13)))
    >>> all(form((x,)) == Layout((4, 6, 8), (2, 3, 5))(x) for x in range(-9, 300))
    True
    """

    paths: tuple[tuple[int, ...], ...]
    slopes: tuple[Element, ...]
    floors: tuple[Floor, ...]

    @classmethod
    def of(cls, layout: Layout, paths: tuple[tuple[int, ...], ...] = ((),)) -> FloorForm:
        """The floor form of ``layout`` over the modes that ``paths`` lead to."""
        slopes: list[Element] = []
        floors: list[Floor] = []
        for axis, path in enumerate(paths):
            if path:
                try:
                    shape, stride = at(layout.shape, path), at(layout.stride, path)
                except IndexError:
                    raise InputError(f"{_basis(path)} names no mode of {layout}") from None
                modes = tuple(zip(leaves(shape), leaves(stride), strict=True))
            else:
                modes = layout.modes
            slopes.append(_add_floors(axis, modes, floors))
        return cls(paths, tuple(slopes), tuple(floors))

    def __call__(self, x: Step) -> Element:
        """Σ D·x + Σ E·⌊x/P⌋."""
        total: Element = 0
        for slope, value in zip(self.slopes, x, strict=True):
            total = total + slope * value
        for axis, p, e in self.floors:
            total = total + e * (x[axis] // p)
        return total

    def step(self, stride: Element) -> Step:
        """The stride of a layout into this one's coordinates, as one integer an axis."""
        if isinstance(stride, CoordinateStride):
            scales = dict(stride.terms)
            return tuple([scales.get(path, 0) for path in self.paths])
        return (stride,) if self.paths == ((),) else (0,) * len(self.paths)

    def run(self, step: Step, limit: int) -> int:
        """The longest m ≤ ``limit`` with A(i·step) = i·A(step) for all i < m.

        Below the first carry of any floor nothing differs. From there on only jumps of floors matter, which are walked
        in order; they nearly always differ at once. Raises Undecided after EVENTS jumps that cancel.
        """
        wrapping = [(p, step[axis] % p, e) for axis, p, e in self.floors if step[axis] % p]
        if not wrapping:
            return limit
        jumps = [(-(-p // r), k, 1) for k, (p, r, _) in enumerate(wrapping)]
        heapify(jumps)
        total: Element = 0
        for _ in range(EVENTS):
            index, k, count = jumps[0]
            if index >= limit:
                return limit
            p, r, e = wrapping[k]
            total = total + e
            heapreplace(jumps, (-(-(count + 1) * p // r), k, count + 1))
            if jumps[0][0] > index and total:
                return index
        raise Undecided(f"{EVENTS} carries cancelled one another before a run of {limit} elements was decided")

    def carry(self, coordinate: Any, steps: Any) -> Element:
        """A(Σ cᵢ·xᵢ) − Σ cᵢ·A(xᵢ): what the carries add at one coordinate.

        The sum Σ E·⌊Σ cᵢ·(xᵢ mod P) / P⌋, since ⌊Σ cᵢxᵢ/P⌋ = Σ cᵢ⌊xᵢ/P⌋ + ⌊Σ cᵢ(xᵢ mod P)/P⌋.
        """
        total: Element = 0
        for axis, p, e in self.floors:
            count = sum([c * (x[axis] % p) for c, x in zip(coordinate, steps, strict=True)]) // p
            if count:
                total = total + e * count
        return total

    def first_carry(self, sizes: Any, steps: Any) -> tuple[tuple[int, ...] | None, str]:
        """The first coordinate of the box ``sizes`` (first mode fastest) at which A(Σ cᵢ·xᵢ) ≠ Σ cᵢ·A(xᵢ), and how.

        Carries grow with every cᵢ, so where the top corner has none of any floor the box has none: that closed form
        decides nearly always. Elsewhere the modes that can carry are enumerated, vectorised where the numbers fit.
        None: A is linear on the box. Raises Undecided beyond POINTS coordinates.
        """
        carrying = []
        for axis, p, e in self.floors:
            total = 0
            for n, x in zip(sizes, steps, strict=True):
                total += (n - 1) * (x[axis] % p)
            if total >= p:
                carrying.append((axis, p, e))
        if not carrying:
            return None, "closed-form"
        return _enumerate_carries(carrying, tuple(sizes), tuple(steps))


def _add_floors(axis: int, modes: Iterable[tuple[int, Element]], floors: list[Floor]) -> Element:
    """Appends the floors of one axis; the coefficient of ⌊x/1⌋ is its slope. Modes of size 1 share their P."""
    places: list[int] = [1]
    coefficients: list[Element] = [0]
    p, carried = 1, 0
    for s, d in modes:
        if p != places[-1]:
            places.append(p)
            coefficients.append(0)
        coefficients[-1] = coefficients[-1] + d + carried
        p *= s
        carried = -s * d
    floors += [(axis, q, e) for q, e in zip(places[1:], coefficients[1:], strict=True) if e]
    return coefficients[0]


def _enumerate_carries(carrying: list[Floor], sizes: Any, steps: Any) -> tuple[tuple[int, ...] | None, str]:
    """The first coordinate at which the carries do not cancel: the small box around it, then all of it."""
    form = FloorForm((), (), tuple(carrying))
    live = [i for i, n in enumerate(sizes) if n > 1 and any(steps[i][axis] % p for axis, p, _ in carrying)]
    box = [sizes[i] for i in live]
    moves = [steps[i] for i in live]

    def whole(crd: Any) -> tuple[int, ...]:
        full = [0] * len(sizes)
        for i, c in zip(live, crd, strict=True):
            full[i] = int(c)
        return tuple(full)

    points = 1
    for n in box:
        points *= n
    for index in range(min(points, 256)):
        crd = _digits(index, box)
        if form.carry(crd, moves):
            return whole(crd), "enumeration"
    if points <= 256:
        return None, "enumeration"
    if points > POINTS:
        corner = [n - 1 for n in box]
        if not form.carry(corner, moves):
            raise Undecided(f"carries cancel at the top corner of {points} coordinates, more than {POINTS}")
        return whole(_lowered(form, corner, moves)), "closed-form"
    found = _vectorised(carrying, box, moves, points)
    return (None if found is None else whole(_digits(found, box))), "enumeration"


def _digits(index: int, box: Any) -> list[int]:
    crd = []
    for n in box:
        index, digit = divmod(index, n)
        crd.append(digit)
    return crd


def _lowered(form: FloorForm, crd: list[int], moves: Any) -> list[int]:
    """A smaller coordinate that still carries: each entry, last first, made 0 or halved as long as it does."""
    for i in reversed(range(len(crd))):
        for smaller in (0, 1):
            trial = [*crd[:i], smaller, *crd[i + 1 :]]
            if smaller < crd[i] and form.carry(trial, moves):
                crd = trial
        while crd[i] > 1:
            trial = [*crd[:i], crd[i] // 2, *crd[i + 1 :]]
            if not form.carry(trial, moves):
                break
            crd = trial
    return crd


def _vectorised(carrying: list[Floor], box: Any, moves: Any, points: int) -> int | None:
    import numpy as np

    paths = sorted({path for _, _, e in carrying if isinstance(e, CoordinateStride) for path, _ in e.terms})
    bound = max(sum((n - 1) * (x[axis] % p) for n, x in zip(box, moves, strict=True)) for axis, p, _ in carrying)
    scales = [[dict(e.terms).get(path, 0) for path in paths] if paths else [e] for _, _, e in carrying]
    weight = bound * max(abs(s) for row in scales for s in row) * len(carrying)
    dtype = np.int64 if weight < 2**62 else object
    totals = [np.zeros(points, dtype=dtype) for _ in scales[0]]
    for (axis, p, _), row in zip(carrying, scales, strict=True):
        reach = np.zeros(1, dtype=dtype)
        for n, x in zip(box, moves, strict=True):
            reach = (np.arange(n, dtype=dtype)[:, None] * (x[axis] % p) + reach[None, :]).reshape(-1)
        for total, scale in zip(totals, row, strict=True):
            total += scale * (reach // p)
    differs = np.zeros(points, dtype=bool)
    for total in totals:
        differs |= total != 0
    hits = np.flatnonzero(differs)
    return int(hits[0]) if len(hits) else None


def _basis(path: tuple[int, ...]) -> str:
    return f"e{path[0]}" if len(path) == 1 else "1" + "".join(f"@{step}" for step in reversed(path))
