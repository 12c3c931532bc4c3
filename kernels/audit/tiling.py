"""Partitions compared with their definition, point by point, whatever the sizes and strides known at run time are.

A partition gives a thread its part of a tensor: a value mode, then one mode for the tiles along each divided mode of
the tensor, then the tensor's other modes. Along mode i the thread t and value v stand at u = uᵢ(t, v) + stepᵢ · r in
tile r, and at the coordinate φᵢ(u) of the tensor's mode, where φᵢ spreads the tiler over the mode: its own order, or
the permutation that the tiler is, beside its complement. The definition is

    F(t, v, r, …) = Σᵢ Tᵢ(φᵢ(uᵢ(t, v) + stepᵢ · rᵢ)) + the other modes

and the result must be F less F(t, 0, 0, …), which goes to the pointer. Offsets are linear in strides: a table holds one
array of coefficients for each axis and each product of names, so that a comparison holds for every value of the names.
Where the last size of a mode is known only at run time, tile numbers are compared over two common periods of both
sides, after which both only repeat themselves.

A result's ``?`` is known at run time alone, one number for each thread: it takes the value that the definition has
there, if what its type claims of it (a divisor) follows, and if all places that a thread has need the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any

import numpy as np

from ...model.complement import complement
from ...model.composed import AnyLayout, ComposedLayout
from ...model.errors import VeritileError, Witness
from ...model.htuple import HTuple, congruent, flatten, leaves, text_of
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.names import Expr
from ...model.semimodule import CoordinateStride
from ...model.swizzle import Swizzle
from .tensors import changed
from .types import CoordTensorType, Dynamic, MemRefType, PointerType, Type
from .verdict import WRONG

Key = tuple[tuple[int, ...], tuple[str, ...]]  # where a coefficient counts: an axis, and a product of names
Array = Any  # a NumPy array of integers
Table = dict[Key, Array]
POINTS = 1 << 20
PERIODS = 1 << 14


class Unsettled(VeritileError):
    """The comparison says nothing here; the message says why."""


@dataclass(frozen=True)
class Fault:
    """Where result and definition differ: ``where`` names the coordinate, ``advice`` what to write instead."""

    reason: str
    where: dict[str, Any]
    expected: Any = None
    got: Any = None
    advice: str | None = None
    verdict: str = WRONG  # OUTSIDE where a precondition does not hold and no result is touched

    @property
    def witness(self) -> Witness:
        """The witness, with both values."""
        return Witness("difference", {**self.where, "expected": self.expected, "got": self.got})


@dataclass(frozen=True)
class Axis:
    """One divided mode of a tensor: where (thread, value) stands in its first tile, how far tiles are apart, and φ.

    ``step`` is 0 where the whole mode is one tile, and the result has no mode for its tiles.
    """

    mode: Layout
    start: Array  # [threads, values]
    step: int
    spread: Layout | None = None


@dataclass(frozen=True)
class Partition:
    """What a partition is by its definition: divided axes, other modes, the numbers of the threads that take part."""

    axes: tuple[Axis, ...]
    others: tuple[Layout, ...]
    threads: Array


@dataclass
class Ground:
    """What numbers count in: the denominator of every coefficient, and the divisors of names."""

    scale: int = 1
    divisors: dict[str, int] = field(default_factory=dict)

    @classmethod
    def under(cls, *types: Type) -> Ground:
        """The ground under some types."""
        divisors = {one.name: one.divisor for kind in types for one in kind.dynamic}
        denominators = [c.denominator for kind in types for e in _expressions(kind) for c in e.terms.values()]
        return cls(lcm(1, *denominators), divisors)

    def steps(self, stride: Any) -> dict[Key, int]:
        """A stride as coefficients, times the scale."""
        if isinstance(stride, CoordinateStride):
            found: dict[Key, int] = {}
            for path, part in stride.terms:
                for key, c in self._terms(part, path).items():
                    found[key] = found.get(key, 0) + c
            return found
        return self._terms(stride, ())

    def _terms(self, number: Any, path: tuple[int, ...]) -> dict[Key, int]:
        if isinstance(number, int):
            return {(path, ()): number * self.scale} if number else {}
        found = {}
        for monomial, c in Expr.of(number).terms.items():
            if not all(isinstance(atom, str) for atom in monomial):
                raise Unsettled(f"{number} is no product of names")
            found[path, monomial] = int(c * self.scale)
        return found

    def divides(self, divisor: int, steps: dict[Key, int]) -> bool:
        """Whether a number is a multiple of ``divisor`` whatever the names are."""
        known = (c * prod(self.divisors.get(name, 1) for name in key[1]) for key, c in steps.items())
        return all(c % (divisor * self.scale) == 0 for c in known)

    def told(self, steps: dict[Key, int]) -> str:
        """Coefficients in notation."""
        parts = []
        for (path, names), c in sorted(steps.items()):
            if c:
                number = Fraction(c, self.scale)
                text = "*".join([*([] if number == 1 and names else [str(number)]), *names])
                parts.append(text + "".join(f"@{step}" for step in reversed(path)))
        return "+".join(parts) or "0"


def _expressions(kind: Type) -> Iterator[Expr]:
    layout: Any = kind.layout
    while isinstance(layout, ComposedLayout):
        layout = layout.layout
    if isinstance(layout, Layout):
        for stride in leaves(layout.stride):
            for part in [scale for _, scale in stride.terms] if isinstance(stride, CoordinateStride) else [stride]:
                if isinstance(part, Expr):
                    yield part


# Evaluation


def offsets_at(mode: Layout, index: Array, ground: Ground) -> Table:
    """The offsets of a mode at indices, in bounds or not: its last leaf is not reduced.

    A leaf whose size has a name takes the indices below what divides the size, which is the least that it can be.
    """
    total: Table = {}
    sizes, strides = flatten(mode.shape), flatten(mode.stride)
    for k, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        if k == len(sizes) - 1:
            digit = index
        elif isinstance(size, int):
            index, digit = np.divmod(index, size)
        else:
            if index.size and int(index.max(initial=0)) >= least_size(size, ground):
                raise Unsettled(f"the mode {mode} goes on after a size known only at run time")
            index, digit = np.zeros_like(index), index
        for key, c in ground.steps(stride).items():
            total[key] = total[key] + digit * c if key in total else digit * c
    return total


def least_size(size: Any, ground: Ground) -> int:
    """The least value of a size: names are at least what divides them."""
    if isinstance(size, int):
        return size
    if any(c < 0 or c.denominator > 1 for c in size.terms.values()):
        return 1
    return int(sum(c * prod(ground.divisors.get(name, 1) for name in m) for m, c in size.terms.items()))


def added(*tables: Table) -> Table:
    """The sum, arrays broadcast against each other."""
    total: Table = {}
    for table in tables:
        for key, values in table.items():
            total[key] = total[key] + values if key in total else values
    return total


def less(table: Table, other: Table) -> Table:
    """The difference."""
    return added(table, {key: -values for key, values in other.items()})


def spread(axis: Axis, u: Array) -> Array:
    """φ: where the place ``u`` of the tiled mode lies in the mode."""
    if axis.spread is None:
        return u
    within, gaps, covered = spread_of(axis.spread)
    tile, rest = u % len(within), u // len(within)
    return within[tile] + gaps[rest % len(gaps)] + covered * (rest // len(gaps))


def spread_of(tile: Layout) -> tuple[Array, Array, int]:
    """The tile's coordinates, its complement's, and how many they cover together; each once, or Unsettled.

    >>> [part.tolist() if hasattr(part, "tolist") else part for part in spread_of(Layout((2, 2), (1, 4)))]
    [[0, 1, 4, 5], [0, 2], 8]
    """
    within = indices_of(tile)
    if min(within) < 0 or len(set(within.tolist())) != len(within):
        raise Unsettled(f"the tiler {tile} takes a place twice or steps back")
    try:
        gaps = indices_of(complement(tile, int(within.max()) + 1))
    except VeritileError as error:
        raise Unsettled(f"the tiler {tile} has no complement: {error}") from None
    covered = len(within) * len(gaps)
    if set((within[:, None] + gaps[None, :]).ravel().tolist()) != set(range(covered)):
        raise Unsettled(f"the tiler {tile} and its complement leave gaps")
    return within, gaps, covered


def indices_of(layout: Layout) -> Array:
    """The integer offsets of a layout in order."""
    if any(not isinstance(x, int) for x in (*leaves(layout.shape), *leaves(layout.stride))):
        raise Unsettled(f"{layout} is not known when the kernel is compiled, or gives coordinates")
    if size_of(layout.shape) > POINTS:
        raise Unsettled(f"{layout} has more than {POINTS} points")
    table = np.zeros(1, dtype=np.int64)
    for size, stride in layout.modes:
        table = (table[None, :] + np.arange(size, dtype=np.int64)[:, None] * stride).ravel()
    return table


def same_place(table: Array) -> tuple[int, int] | None:
    """The first two indices that have the least place which several have; None where all places differ.

    >>> same_place(np.array([5, 3, 5, 3, 3])), same_place(np.arange(4))
    ((1, 3), None)
    """
    order = np.argsort(table, kind="stable")
    twice = np.nonzero(np.diff(table[order]) == 0)[0]
    return (int(order[twice[0]]), int(order[twice[0] + 1])) if len(twice) else None


def is_identity(tile: Layout) -> bool:
    """Whether a tiler takes the first places in order."""
    return bool((indices_of(tile) == np.arange(size_of(tile.shape))).all())


# Comparison


@dataclass(frozen=True)
class Result:
    """The result's layout, plain; what its type claims of its dynamic numbers; what it hides that is known.

    ``hides`` grows while the result is compared.
    """

    layout: Layout
    claims: dict[str, Dynamic]
    hides: list[str] = field(default_factory=list)

    def settle(self) -> None:
        """Unsettled where a ``?`` of a result that agrees stands for a number that is known."""
        if self.hides:
            raise Unsettled(f"{self.hides[0]}: the number behind it is in no type")


def compare(partition: Partition, result: Result, ground: Ground, label: str = "value") -> Fault | None:
    """The first point in which result and definition differ; None where they agree everywhere.

    Unsettled where the sizes do not allow a comparison.
    """
    divided = [axis for axis in partition.axes if axis.step]
    wanted = 1 + len(divided) + len(partition.others)
    modes = _modes_of(result.layout, wanted)
    if modes is None:
        return Fault(f"the result has {len(result.layout)} modes", {}, f"{wanted} modes", text_of(result.layout.shape))
    values, rests = modes[0], modes[1 : 1 + len(divided)]
    fault = _values(partition, values, result, ground, label)
    if fault is not None:
        return fault
    for number, (axis, rest) in enumerate(zip(divided, rests, strict=True)):
        fault = _tiles(number, axis, rest, result, ground)
        if fault is not None:
            return fault
    for mode, kept in zip(partition.others, modes[1 + len(divided) :], strict=True):
        fault = check_kept(mode, kept, result, ground)
        if fault is not None:
            return fault
    result.settle()
    return None


def _modes_of(layout: Layout, count: int) -> list[Layout] | None:
    if not isinstance(layout.shape, tuple):
        return [layout] if count == 1 else None
    return list(layout) if len(layout) == count else None


def base_of(partition: Partition, ground: Ground) -> Table:
    """F(t, 0, 0, …): what each thread's part starts with."""
    return added(*(offsets_at(axis.mode, spread(axis, axis.start[:, 0]), ground) for axis in partition.axes), {})


def _values(partition: Partition, values: Layout, result: Result, ground: Ground, label: str) -> Fault | None:
    threads, count = partition.axes[0].start.shape
    size: Any = size_of(values.shape)
    if not isinstance(size, int):
        raise Unsettled(f"a thread has {count} values, and the result does not say how many")
    if size != count:
        return Fault(f"a thread has {count} values, the result {size}", {}, count, size)
    table = added(*(offsets_at(axis.mode, spread(axis, axis.start), ground) for axis in partition.axes))
    moved = {key: part - part[:, :1] for key, part in table.items()}
    inside = np.ones((threads, count), dtype=bool)
    for axis in partition.axes:
        limit = _limit(axis)
        if limit is not None:
            inside &= spread(axis, axis.start) < limit
    return _match(values, moved, inside, result, ground, lambda t, v: {"thread": int(partition.threads[t]), label: v})


def _limit(axis: Axis) -> int | None:
    """The size of the mode where it is known."""
    size = size_of(axis.mode.shape)
    return size if isinstance(size, int) else None


def _tiles(number: int, axis: Axis, rest: Layout, result: Result, ground: Ground) -> Fault | None:
    """Tile r lies where the definition has it, from every place in the first tile."""
    limit = _limit(axis)
    count = tiles_of(axis)
    size: Any = size_of(rest.shape)
    if count is not None and isinstance(size, int) and size != count:
        return Fault(f"mode {number} has {count} tiles, the result {size}", {"mode": number}, count, size)
    if count is None and isinstance(size, int):
        names = _other_count(axis, size, ground)
        reason = f"mode {number} has a number of tiles known only at run time, the result {size}"
        return Fault(reason, {"mode": number, **names}, f"⌈{text_of(axis.mode.shape)}/{axis.step}⌉", size)
    if count is not None and not isinstance(size, int):
        result.hides.append(f"the number of tiles of mode {number} is `?` and should be {count}")
    if count is None:
        fault = check_count(number, axis, rest, result, ground)
        if fault is not None:
            return fault
    upto = count if count is not None else 2 * _period(axis, rest, ground)
    if upto > PERIODS:
        raise Unsettled(f"{upto} tiles of mode {number} would have to be looked at, more than {PERIODS}")
    starts = np.unique(axis.start)
    tiles = np.arange(upto, dtype=np.int64)
    places = starts[:, None] + axis.step * tiles[None, :]
    if places.size > POINTS:
        raise Unsettled(f"{places.size} places of mode {number} would have to be looked at, more than {POINTS}")
    coordinates = spread(axis, places)
    table = offsets_at(axis.mode, coordinates, ground)
    moved = {key: part - part[:, :1] for key, part in table.items()}
    inside = coordinates < limit if limit is not None else np.ones(coordinates.shape, dtype=bool)
    return _match(
        rest,
        moved,
        inside,
        result,
        ground,
        lambda u, r: {"mode": number, "place in the tile": int(starts[u]), "tile": r},
        np.searchsorted(starts, axis.start),
    )


def tiles_of(axis: Axis) -> int | None:
    """How many tiles there are along the mode, the last one rounded up; None where that is known only at run time."""
    size = _limit(axis)
    if size is None:
        return None
    if axis.spread is not None:
        _, gaps, covered = spread_of(axis.spread)
        tile = covered // len(gaps)
        size = tile * len(gaps) * -(-size // covered)
    return -(-size // axis.step)


def _other_count(axis: Axis, size: int, ground: Ground) -> dict[str, int]:
    """Values of the names at which there are more tiles than ``size``."""
    names = sorted({name for s in leaves(axis.mode.shape) if isinstance(s, Expr) for name in s.names})
    return {name: ground.divisors.get(name, 1) * (axis.step * (size + 1)) for name in names}


def check_count(number: int, axis: Axis, rest: Layout, result: Result, ground: Ground) -> Fault | None:
    """What the type claims of a dynamic number of tiles follows from what is known of the mode's size."""
    size = Expr.of(size_of(axis.mode.shape))
    known = [int(c) * prod(ground.divisors.get(name, 1) for name in m) for m, c in size.terms.items()]
    whole = gcd(*known)
    follows = whole // axis.step if whole % axis.step == 0 else 1
    claimed = prod(result.claims[name].divisor for s in leaves(rest.shape) if isinstance(s, Expr) for name in s.names)
    fixed = prod(s for s in leaves(rest.shape) if isinstance(s, int))
    if follows % (claimed * fixed):
        reason = f"the number of tiles of mode {number} is no multiple of {claimed * fixed} for every size"
        where = {"mode": number, "size": min(known), "multiple of": whole}
        return Fault(reason, where, -(-min(known) // axis.step), f"a multiple of {claimed * fixed}")
    return None


def _period(axis: Axis, rest: Layout, ground: Ground) -> int:
    """After so many tiles both sides repeat themselves, further on."""
    inner = 1
    for size in flatten(axis.mode.shape)[:-1]:
        if not isinstance(size, int):
            raise Unsettled(f"the mode {axis.mode} goes on after a size known only at run time")
        inner *= size
    period, advance = 1, axis.step
    if axis.spread is not None:
        _, _, covered = spread_of(axis.spread)
        period = covered // gcd(covered, axis.step)
        advance = axis.step * period
    period *= inner // gcd(inner, advance)
    own = 1
    for size in flatten(rest.shape)[:-1]:
        if not isinstance(size, int):
            raise Unsettled(f"the tiles {rest} go on after a size known only at run time")
        own *= size
    return lcm(period, own)


def check_kept(mode: Layout, kept: Layout, result: Result, ground: Ground) -> Fault | None:
    """A mode that is not divided is the tensor's own."""
    if not congruent(mode.shape, kept.shape):
        if any(isinstance(s, Expr) for s in (*leaves(mode.shape), *leaves(kept.shape))):
            raise Unsettled(f"the mode {mode} has become {kept}")
        axis = Axis(mode, np.zeros((1, 1), dtype=np.int64), 1)
        return _tiles(0, axis, kept, result, ground)
    for s, t in zip(leaves(mode.shape), leaves(kept.shape), strict=True):
        if not _fits(t, ground.steps(s), result, ground):
            return Fault(f"a size of {mode} has become {t}", {}, str(s), str(t))
    sizes = leaves(mode.shape)
    for s, d, e in zip(sizes, leaves(mode.stride), leaves(kept.stride), strict=True):
        if s != 1 and not _fits(e, ground.steps(d), result, ground):
            return Fault(f"a stride of {mode} has become {e}", {}, str(d), str(e))
    return None


def _fits(got: Any, expected: dict[Key, int], result: Result, ground: Ground) -> bool:
    """Whether a number of the result can be what is expected: equal, or dynamic with what it claims of itself shown."""
    wanted = {key: c for key, c in expected.items() if c}
    told = {key: c for key, c in _own_steps(got, result, ground).items() if c}
    for key in {*wanted, *told}:
        c = told.get(key)
        if isinstance(c, _Claimed):
            there = {k: v for k, v in wanted.items() if k[0] == key[0]}
            if not ground.divides(c.divisor, there):
                return False
            if not any(names for _, names in there):
                result.hides.append(f"a number that is kept is `?` and should be {ground.told(there)}")
        elif not any(isinstance(x, _Claimed) and k[0] == key[0] for k, x in told.items()):
            if wanted.get(key, 0) != (c or 0):
                return False
    return True


@dataclass(frozen=True)
class _Claimed:
    """A dynamic number of a result, a multiple of ``divisor``."""

    divisor: int


@dataclass(frozen=True)
class _Refused:
    """A row in which a dynamic stride is no multiple of ``divisor``."""

    row: int
    divisor: int


def _own_steps(number: Any, result: Result, ground: Ground) -> dict[Key, Any]:
    """A result's number as coefficients; a name of its own is what it claims."""
    found: dict[Key, Any] = {}
    parts = number.terms if isinstance(number, CoordinateStride) else (((), number),)
    for path, part in parts:
        if isinstance(part, Expr) and part.names & set(result.claims):
            (name,) = part.names
            found[path, ()] = _Claimed(result.claims[name].divisor)
        else:
            found.update(ground._terms(part, path))
    return found


def _match(
    mode: Layout,
    table: Table,
    inside: Array,
    result: Result,
    ground: Ground,
    where: Any,
    together: Array | None = None,
) -> Fault | None:
    """Whether a mode of the result is the table, [rows, index], at every row, at the indices that are inside.

    Strides that are known are compared; a dynamic one takes the table's value one step along its leaf. ``together``
    holds the rows of one thread in each of its own; without it each row is a thread. Unsettled where the rows of a
    thread would need several numbers for one stride.
    """
    rows, count = inside.shape
    index = np.arange(count, dtype=np.int64)
    expected = {key: part for key, part in table.items() if part.any()}
    got: Table = {}
    below = 1
    sizes, strides = flatten(mode.shape), flatten(mode.stride)
    for k, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        last = k == len(sizes) - 1
        if not isinstance(size, int) and not last:
            raise Unsettled(f"the mode {mode} goes on after a size known only at run time")
        digit = index // below if last else index // below % size
        own = _own_steps(stride, result, ground)
        if any(isinstance(c, _Claimed) for c in own.values()) and below < count and size != 1:
            own = _unified(own, {key: part[:, below] for key, part in expected.items()}, ground)
            refused = next((c for c in own.values() if isinstance(c, _Refused)), None)
            if refused is not None:
                there = ground.told({k: int(p[refused.row, below]) for k, p in expected.items()})
                claim = f"a multiple of {refused.divisor}"
                return Fault(f"a stride of {mode} claims {claim}", where(refused.row, below), there, claim)
            found = {key: values for key, values in own.items() if np.ndim(values)}
            if together is not None and any(_differs(values[together]) for values in found.values()):
                raise Unsettled(f"the tiles {mode} have one stride for places of a thread that need several")
            if not any(values.any() if names else _differs(values[None, :]) for (_, names), values in found.items()):
                number = ground.told({key: int(values[0]) for key, values in found.items()})
                result.hides.append(f"a stride of {mode} is `?` and should be {number}")
        for key, c in own.items():
            part = np.asarray(0 if isinstance(c, _Claimed) else c)
            part = part[:, None] * digit[None, :] if part.ndim else part * digit[None, :]
            got[key] = got[key] + part if key in got else part
        below *= size if isinstance(size, int) else 1
    wrong = np.zeros((rows, count), dtype=bool)
    for key in {*expected, *got}:
        zero = np.zeros((1, 1), dtype=np.int64)
        wrong |= (expected.get(key, zero) != got.get(key, zero)) & inside
    if not wrong.any():
        return None
    row, column = (int(x[0]) for x in np.nonzero(wrong))
    wide = {key: np.broadcast_to(part, (rows, count)) for key, part in got.items()}
    right = {key: int(np.broadcast_to(part, (rows, count))[row, column]) for key, part in expected.items()}
    told = {key: int(part[row, column]) for key, part in wide.items()}
    where_it_is = {**where(row, column), **_sample(right, told, ground)}
    reason = f"the result {mode} is not what the definition has"
    return Fault(reason, where_it_is, ground.told(right), ground.told(told))


def _differs(rows: Array) -> bool:
    """Whether a row holds two numbers."""
    return bool((rows != rows[:, :1]).any())


def _sample(right: dict[Key, int], told: dict[Key, int], ground: Ground) -> dict[str, int]:
    """Values of the names at which two sums differ: the least, or ones a step further."""
    names = sorted({name for key in (*right, *told) for name in key[1]})
    if not names:
        return {}
    for extra in range(4):
        values = {name: ground.divisors.get(name, 1) * (1 + extra * (7 + i)) for i, name in enumerate(names)}

        def total(steps: dict[Key, int], values: dict[str, int] = values) -> dict[tuple[int, ...], int]:
            found: dict[tuple[int, ...], int] = {}
            for (path, monomial), c in steps.items():
                found[path] = found.get(path, 0) + c * prod(values[name] for name in monomial)
            return {path: x for path, x in found.items() if x}

        if total(right) != total(told):
            return values
    raise Unsettled("the result differs from the definition as an expression, but at no value that was tried")


def _unified(own: dict[Key, Any], unit: dict[Key, Array], ground: Ground) -> dict[Key, Any]:
    """A dynamic stride as the value that the definition has, row by row; refused where its divisor does not follow."""
    found: dict[Key, Any] = {key: c for key, c in own.items() if not isinstance(c, _Claimed)}
    for (path, _), c in own.items():
        if isinstance(c, _Claimed):
            for key, part in unit.items():
                if key[0] == path:
                    known = prod(ground.divisors.get(name, 1) for name in key[1])
                    bad = np.nonzero(part * known % (c.divisor * ground.scale))[0]
                    found[key] = _Refused(int(bad[0]), c.divisor) if len(bad) else part
    return found


# With a swizzle: the whole domain


@dataclass(frozen=True)
class Whole:
    """F at every point of a swizzled tensor's partition: ``table`` [thread, index], what is ``inside``, the sizes."""

    table: Array
    inside: Array
    sizes: tuple[int, ...]
    threads: Array

    def where(self, row: int, index: int) -> dict[str, Any]:
        """The thread and the coordinate of a place of the table."""
        places = []
        for s in self.sizes:
            index, digit = divmod(index, s)
            places.append(digit)
        return {"thread": int(self.threads[row]), "coordinate": tuple(places)}

    @property
    def moved(self) -> Array:
        """F less F(t, 0, 0, …)."""
        return self.table - self.table[:, :1]


def whole_of(partition: Partition, function: Swizzle, offset: int, result: Layout) -> Whole | Fault:
    """Every point of a partition of a tensor behind a swizzle; a fault where the result has other sizes."""
    ground = Ground()
    modes = _modes_of(result, 1 + len(partition.axes) + len(partition.others))
    if modes is None:
        wanted = 1 + len(partition.axes) + len(partition.others)
        return Fault(f"the result has {len(result)} modes", {}, f"{wanted} modes", text_of(result.shape))
    counts: list[Any] = [tiles_of(axis) for axis in partition.axes]
    sizes = [size_of(mode.shape) for mode in modes]
    wanted_sizes = [partition.axes[0].start.shape[1], *counts, *(size_of(other.shape) for other in partition.others)]
    if any(not isinstance(s, int) for s in (*sizes, *wanted_sizes)):
        raise Unsettled("a swizzled tensor with sizes known only at run time")
    for place, (s, w) in enumerate(zip(sizes, wanted_sizes, strict=True)):
        if s != w:
            return Fault(f"mode {place} of the result has {s} elements", {"mode": place}, w, s)
    threads = len(partition.threads)
    if threads * prod(sizes) > POINTS:
        raise Unsettled(f"{threads * prod(sizes)} points would have to be looked at, more than {POINTS}")
    rank = len(sizes)

    def along(values: Array, axis: int, start: bool = False) -> Array:
        shape = [1] * (rank + 1)
        if start:
            shape[0], shape[1] = values.shape
        else:
            shape[axis] = len(values)
        return values.reshape(shape)

    total = np.zeros([1] * (rank + 1), dtype=np.int64)
    inside = np.ones([1] * (rank + 1), dtype=bool)
    for number, (axis, count) in enumerate(zip(partition.axes, counts, strict=True)):
        place = along(axis.start, 0, start=True) + axis.step * along(np.arange(count), 2 + number)
        coordinate = spread(axis, place)
        inside = inside & (coordinate < size_of(axis.mode.shape))
        total = total + _plain(offsets_at(axis.mode, coordinate, ground))
    for number, other in enumerate(partition.others):
        total = total + along(indices_of(other), 2 + len(partition.axes) + number)
    table = swizzled(function, total + offset)
    table = np.broadcast_to(table, (threads, *sizes)).reshape((threads, -1), order="F")
    inside = np.broadcast_to(inside, (threads, *sizes)).reshape((threads, -1), order="F")
    return Whole(table, inside, tuple(sizes), partition.threads)


def compare_swizzled(partition: Partition, function: Swizzle, offset: int, result: Result) -> Fault | None:
    """As :func:`compare` where the tensor's offsets go through a swizzle and the result's do not.

    Each thread's part is compared by itself: the dynamic strides of the result may have other values in each thread.
    """
    whole = whole_of(partition, function, offset, result.layout)
    if isinstance(whole, Fault):
        return whole
    flat = Layout.of(tuple(flatten(result.layout.shape)), tuple(flatten(result.layout.stride)))
    fault = _match(flat, {((), ()): whole.moved}, whole.inside, result, Ground(), whole.where)
    if fault is None:
        result.settle()
    return fault


def compare_behind(
    partition: Partition, function: Swizzle, offset: int, end: ComposedLayout, result: Type, bits: int | None
) -> Fault | None:
    """As :func:`compare_swizzled` where the result is behind the same swizzle, after an offset of each thread.

    How much of a thread's start is in that offset and how much in the pointer is in no type. The offset may be what
    the type says, or whatever multiple it claims: the result is right if for each thread one of them gives its
    elements from a pointer that is aligned as claimed. Offsets that differ by the swizzle's period give the same.
    """
    if end.function != function:
        return Fault("the result has another swizzle", {}, str(function), str(end.function))
    inner: Any = end.layout
    whole = whole_of(partition, function, offset, inner)
    if isinstance(whole, Fault):
        return whole
    part = indices_of(inner)
    first: Any = end.offset
    if isinstance(first, Expr):
        divisor = next((one.divisor for one in result.dynamic if one.name in first.names), 1)
        step = gcd(divisor, 1 << function.period_bits)
        offsets = np.arange(0, 1 << function.period_bits, step, dtype=np.int64)
        told = f"a multiple of {divisor}"
    else:
        offsets, told = np.array([first], dtype=np.int64), str(first)
    if len(offsets) * len(part) > POINTS:
        raise Unsettled(f"{len(offsets) * len(part)} points would have to be looked at, more than {POINTS}")
    starts = swizzled(function, offsets)
    given = swizzled(function, offsets[:, None] + part[None, :]) - starts[:, None]
    align = result.align if isinstance(result, PointerType) and result.align and bits else None
    for row, (moved, inside) in enumerate(zip(whole.moved, whole.inside, strict=True)):
        wrong = (given != moved[None, :]) & inside[None, :]
        fits = ~wrong.any(axis=1)
        if align is not None:
            fits &= (whole.table[row, 0] - starts) * (bits or 8) % (8 * align) == 0
        if fits.any():
            continue
        best = int(wrong.sum(axis=1).argmin())
        if not wrong[best].any():
            reason = f"no offset of {told} before the swizzle leaves a pointer that is a multiple of {align} bytes"
            return Fault(reason, whole.where(row, 0), f"a multiple of {align}", told)
        place = int(np.nonzero(wrong[best])[0][0])
        reason = f"no offset before the swizzle that is {told} gives a thread its elements; {offsets[best]} is nearest"
        return Fault(reason, whole.where(row, place), int(moved[place]), int(given[best, place]))
    return None


def _plain(table: Table) -> Array:
    if set(table) - {((), ())}:
        raise Unsettled("a swizzled tensor with strides known only at run time")
    return table.get(((), ()), np.zeros(1, dtype=np.int64))


def swizzled(function: Swizzle, offsets: Array) -> Array:
    """The swizzle of many offsets."""
    read = offsets & function.source_mask
    return offsets ^ (read >> function.shift if function.shift >= 0 else read << -function.shift)


# What the type says of the start


def check_start(tensor: Type, result: Type, start: Table, ground: Ground, threads: Array) -> Fault | None:
    """The pointer, its alignment or the coordinate that the result's type says follows from the tensor's and the start.

    Unsettled for a part that is another kind of tensor, and for one that is in neither memory nor coordinates.
    """
    if isinstance(tensor, MemRefType) and isinstance(result, MemRefType):
        return check_pointer(tensor, result) or check_alignment(tensor, result, start, ground, threads)
    if isinstance(tensor, CoordTensorType) and isinstance(result, CoordTensorType):
        return _check_coordinate(tensor, result, start, ground, threads)
    raise Unsettled(f"a part of {tensor.text[:40]} has become {result.text[:40]}")


def check_pointer(tensor: PointerType, result: PointerType) -> Fault | None:
    """The pointer of a part is of the tensor's element, space and swizzle, and claims no better an alignment."""
    other = changed(tensor, result)
    if other is not None:
        what, old, new = other
        return Fault(f"the {what} of the pointer should be {old}, not {new}", {}, old, new)
    bits = tensor.element_bits
    if result.align is None:
        return None
    if bits is None:
        raise Unsettled(f"the width of {tensor.element} is not known")
    known = tensor.align if tensor.align is not None else max(1, bits // 8)
    if known % result.align:
        reason = f"the result claims {result.align} bytes, and its tensor is known to be a multiple of {known} only"
        return Fault(reason, {}, known, result.align)
    return None


def check_alignment(
    tensor: PointerType, result: PointerType, start: Table, ground: Ground, threads: Array
) -> Fault | None:
    """Every start is a multiple of the result's alignment in bytes, as far as strides tell."""
    bits = tensor.element_bits
    if result.align is None or bits is None or tensor.space == "tmem":
        return None
    for (_, names), part in start.items():
        each = part * bits * prod(ground.divisors.get(name, 1) for name in names)
        bad = np.nonzero(each % (8 * result.align * ground.scale))[0]
        if len(bad):
            t = int(bad[0])
            at = Fraction(int(each[t]), 8 * ground.scale)
            reason = (
                f"the part of thread {int(threads[t])} starts {at} bytes on, which is no multiple of {result.align}"
            )
            return Fault(reason, {"thread": int(threads[t])}, str(at), f"a multiple of {result.align}")
    return None


def _check_coordinate(
    tensor: CoordTensorType, result: CoordTensorType, start: Table, ground: Ground, threads: Array
) -> Fault | None:
    own = {one.name: one.divisor for one in result.dynamic}
    before, after = dict(paths(tensor.base)), dict(paths(result.base))
    if set(before) != set(after):
        return Fault(
            "the result's start has other axes than the tensor's", {}, text_of(tensor.base), text_of(result.base)
        )
    hides = ""
    for path, got in after.items():
        base = ground.steps(before[path])
        starts: set[str] = set()
        for t, thread in enumerate(threads):
            moved = {key: int(part[t]) for key, part in start.items() if key[0] == path and part[t]}
            total: dict[Key, int] = dict(moved)
            for (_, names), c in base.items():
                total[path, names] = total.get((path, names), 0) + c
            if isinstance(got, Expr):
                divisor = own[next(iter(got.names))]
                if not ground.divides(divisor, total):
                    reason = f"axis {text_of(path)} of the start claims a multiple of {divisor}"
                    return Fault(reason, {"thread": int(thread)}, ground.told(_bare(total)), f"a multiple of {divisor}")
                starts.add("?" if any(names for _, names in _bare(total)) else ground.told(_bare(total)))
            elif _bare(total) != _bare({(path, ()): got * ground.scale} if got else {}):
                reason = f"axis {text_of(path)} of the start is said to be {got}"
                return Fault(reason, {"thread": int(thread)}, ground.told(_bare(total)), str(got))
        if len(starts) == 1 and starts != {"?"}:
            hides = f"axis {text_of(path)} of the start is `?` and should be {starts.pop()}"
    if hides:
        raise Unsettled(f"{hides}: the number behind it is in no type")
    return None


def _bare(steps: dict[Key, int]) -> dict[Key, int]:
    return {((), names): c for (_, names), c in steps.items() if c}


def paths(base: HTuple, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The leaves of an HTuple, each with the modes that lead to it.

    >>> list(paths((4, (2, 3))))
    [((0,), 4), ((1, 0), 2), ((1, 1), 3)]
    """
    if isinstance(base, tuple):
        for step, part in enumerate(base):
            yield from paths(part, (*path, step))
    else:
        yield path, base


def plain_result(layout: AnyLayout, dynamic: tuple[Dynamic, ...]) -> Result:
    """A result whose layout is plain; Unsettled for any other."""
    if not isinstance(layout, Layout):
        raise Unsettled(f"the result {layout} is no plain layout")
    return Result(layout, {one.name: one for one in dynamic})
