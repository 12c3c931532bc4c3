"""What each operation owes, checked by plain evaluation: one post-condition an operation, shared by all tests.

Only ``Layout.__call__`` and the element arithmetic of ``model/`` are used, never an operation that is under test. Each
function asserts; it returns nothing, or what the caller may look at.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise, product
from math import prod
from typing import Any

import pytest

from veritile import (
    F2,
    ComposedLayout,
    CompositionRefuted,
    CoordinateStride,
    InputError,
    Layout,
    Refuted,
    Undecided,
    Witness,
)

MANY = 4096  # coordinates that are all looked at; of larger domains a sample is


# Plain evaluation


def leaves(t: Any) -> list[Any]:
    return [leaf for m in t for leaf in leaves(m)] if isinstance(t, tuple) else [t]


def size_of(shape: Any) -> int:
    return prod(leaves(shape))


def profile(t: Any) -> Any:
    return tuple(map(profile, t)) if isinstance(t, tuple) else None


def refines(fine: Any, coarse: Any) -> bool:
    """Whether ``coarse`` ⪯ ``fine`` (definition 2.7)."""
    if not isinstance(coarse, tuple):
        return size_of(fine) == coarse
    return isinstance(fine, tuple) and len(fine) == len(coarse) and all(map(refines, fine, coarse))


def value_of(layout: Any, crd: Any) -> Any:
    """A layout by the definition, written a second time: natural digits times strides, the last not reduced."""
    if not isinstance(layout, Layout):
        return layout(crd)

    def inner(c: Any, shape: Any, stride: Any) -> Any:
        if isinstance(c, tuple):
            assert isinstance(shape, tuple) and len(c) == len(shape)
            total: Any = 0
            for parts in zip(c, shape, stride, strict=True):
                total = total + inner(*parts)
            return total
        sizes, strides = leaves(shape), leaves(stride)
        total = 0
        for k, (s, d) in enumerate(zip(sizes, strides, strict=True)):
            digit = c if k == len(sizes) - 1 else c % s
            c //= s
            if digit:
                total = total + d * digit
        return total

    return inner(crd, layout.shape, layout.stride)


def modes_of(layout: Layout) -> list[tuple[int, Any]]:
    return list(zip(leaves(layout.shape), leaves(layout.stride), strict=True))


def table(layout: Any) -> list[Any]:
    return [value_of(layout, i) for i in range(size_of(layout.shape))]


def as_integer(offset: Any) -> int:
    return offset.bits if isinstance(offset, F2) else offset


def indices(total: int, seed: int = 0) -> Iterable[int]:
    """All indices below ``total``, or a sample with the ends, powers of two and their neighbours."""
    if total <= MANY:
        return range(total)
    rng = random.Random(seed)
    chosen = {0, 1, 2, 3, total - 1, total - 2, total // 2}
    for bit in range(total.bit_length()):
        chosen |= {(1 << bit) - 1, 1 << bit, (1 << bit) + 1}
    chosen |= {rng.randrange(total) for _ in range(256)}
    return sorted(i for i in chosen if 0 <= i < total)


def at_offset(layout: Any, offset: Any) -> Any:
    """A(x), x an integer or a coordinate that names modes of A."""
    if isinstance(offset, CoordinateStride):
        scales = dict(offset.terms)

        def build(shape: Any, path: tuple[int, ...]) -> Any:
            if path in scales or not isinstance(shape, tuple):
                return scales.get(path, 0)
            return tuple(build(mode, (*path, i)) for i, mode in enumerate(shape))

        return value_of(layout, build(layout.shape, ()))
    return value_of(layout, as_integer(offset))


def coarsenings(shape: Any) -> list[Any]:
    """Every profile of a coordinate of ``shape``: None for an integer, or a tuple of them."""
    if not isinstance(shape, tuple):
        return [None]
    return [None, *(tuple(parts) for parts in product(*(coarsenings(mode) for mode in shape)))]


def coordinates(shape: Any, form: Any) -> Iterator[Any]:
    """The coordinates in bounds of one profile, first mode fastest."""
    if form is None:
        yield from range(size_of(shape))
        return
    parts = [list(coordinates(s, f)) for s, f in zip(shape, form, strict=True)]
    for reverse in product(*reversed(parts)):
        yield tuple(reversed(reverse))


def natural_of(index: int, shape: Any) -> Any:
    """The natural coordinate of an index, the last mode not reduced."""
    if not isinstance(shape, tuple):
        return index
    crd = []
    for k, mode in enumerate(shape):
        digit = index if k == len(shape) - 1 else index % size_of(mode)
        index //= size_of(mode)
        crd.append(natural_of(digit, mode))
    return tuple(crd)


def is_legal(layout: Layout) -> None:
    """What comes out of an operation is a layout as good as any that goes in."""
    assert profile(layout.shape) == profile(layout.stride)
    assert Layout(layout.shape, layout.stride) == layout


def has_plain_zeros(layout: Layout) -> None:
    """A stride that is zero is the integer 0, whatever semimodule it comes from."""
    assert all(type(d) is int for d in leaves(layout.stride) if not d), f"{layout!r} holds another zero"


# Evaluation


def agrees_everywhere(layout: Layout) -> None:
    """One function for each coordinate set in Z(S), all with the same values (definition 2.17)."""
    for form in coarsenings(layout.shape):
        for index, crd in enumerate(coordinates(layout.shape, form)):
            assert layout.in_bounds(crd)
            assert layout(crd) == value_of(layout, index)


# Coalesce


def holds_coalesce(a: Layout, r: Layout) -> None:
    """|R| = |A|, depth at most one, R(i) = A(i) in bounds (definition 3.2), and no two modes that would merge."""
    is_legal(r)
    assert size_of(r.shape) == size_of(a.shape)
    assert not isinstance(r.shape, tuple) or not any(isinstance(m, tuple) for m in r.shape)
    for i in indices(size_of(a.shape)):
        assert value_of(r, i) == value_of(a, i)
    modes = modes_of(r)
    assert len(modes) == 1 or all(s > 1 for s, _ in modes)


def least_rank(values: list[Any]) -> int | None:
    """The least rank of a layout with these values, by trying every ordered factorisation; None when there is none."""
    ranks = [len(sizes) for sizes in factorisations(len(values)) if fits(values, sizes) is not None]
    return min((max(r, 1) for r in ranks), default=None)


def factorisations(n: int) -> Iterator[tuple[int, ...]]:
    """Ordered factors of at least two with the product n."""
    if n == 1:
        yield ()
    for first in range(2, n + 1):
        if n % first == 0:
            for rest in factorisations(n // first):
                yield (first, *rest)


def fits(values: list[Any], sizes: tuple[int, ...]) -> Layout | None:
    """The layout of these sizes with these values, or None: the strides are forced."""
    strides, unit = [], 1
    for s in sizes:
        strides.append(values[unit])
        unit *= s
    candidate = Layout(sizes, tuple(strides)) if sizes else Layout(1, 0)
    return candidate if all(value_of(candidate, i) == v for i, v in enumerate(values)) else None


# Composition


def holds_composition(a: Layout, b: Layout, r: Layout) -> None:
    """B⪯R, and R(c) = A(B(c)) on Z(B), natural coordinates of R included (§3.3)."""
    is_legal(r)
    assert refines(r.shape, b.shape), f"{r} does not refine {b}"
    for i in indices(size_of(b.shape)):
        assert value_of(r, i) == at_offset(a, value_of(b, i)), f"{a} o {b} = {r} at {i}"


def composition_exists(a: Layout, b: Layout) -> bool:
    """Whether any layout compatible with B equals A∘B, by trying every factorisation of every leaf of B."""
    choices = []
    for s, d in modes_of(b):
        values = [at_offset(a, d * i) for i in range(s)]
        found = [f for sizes in factorisations(s) if (f := fits(values, sizes)) is not None]
        if not found:
            return False
        choices.append(found)
    # All that fit a leaf are the same function of its index, so one of each decides.
    flat = [options[0] for options in choices]
    for digits in product(*(range(s) for s, _ in modes_of(b))):
        offset: Any = 0
        total: Any = 0
        for (_, d), part, digit in zip(modes_of(b), flat, digits, strict=True):
            offset, total = offset + d * digit, total + value_of(part, digit)
        if at_offset(a, offset) != total:
            return False
    return True


def holds_composition_refusal(a: Layout, b: Layout, witness: Witness | None) -> None:
    """The witness's values are those of A∘B and of the only candidate there, and they differ."""
    assert witness is not None and witness.kind in ("difference", "run")
    w = witness.values
    assert value_of(b, w["coordinate"]) == value_of(b, w["index"])
    assert b.in_bounds(w["coordinate"])
    assert w["expected"] == at_offset(a, value_of(b, w["coordinate"]))
    assert w["expected"] != w["got"]
    digits = leaves(w["coordinate"])
    if witness.kind == "run":
        # One leaf alone: its values run linearly for `run` steps of a start that the runs before it reach.
        assert w["size"] % w["run"] != 0
        leaf = next(k for k, c in enumerate(digits) if c)
        assert sum(map(bool, digits)) == 1
        s, d = modes_of(b)[leaf]
        assert digits[leaf] % w["run"] == 0 and s % w["size"] == 0
        step = digits[leaf] // w["run"]
        assert s // w["size"] == step
        first = at_offset(a, d * step)
        assert all(at_offset(a, d * (step * i)) == first * i for i in indices(w["run"]))
        assert first * w["run"] == w["got"] != at_offset(a, d * (step * w["run"]))
        return
    total: Any = 0
    for (s, d), digit in zip(modes_of(b), digits, strict=True):
        values = [at_offset(a, d * i) for i in range(s)] if s <= MANY else None
        if values is None:
            return
        found = [f for sizes in factorisations(s) if (f := fits(values, sizes)) is not None]
        total = total + (value_of(found[0], digit) if found else only_candidate(values, digit))
    assert total == w["got"]


def only_candidate(values: list[Any], index: int) -> Any:
    """At ``index``, the one layout that could have had these values: its modes are runs, each as long as can be.

    Over F2 a layout of 2^k elements is linear in the bits of its index; of others the linear start is compared.
    """
    total: Any = 0
    unit = 1
    if any(isinstance(v, F2) for v in values):
        if len(values) & (len(values) - 1):
            return values[1] * index
        for bit in range(index.bit_length()):
            total = total + values[1 << bit] * (index >> bit & 1)
        return total
    while unit < len(values):
        run = next((m for m in range(1, len(values) // unit) if values[unit * m] != values[unit] * m), None)
        run = len(values) // unit if run is None else run
        assert len(values) // unit % run == 0
        total = total + values[unit] * (index // unit % run)
        unit *= run
    return total


def checked_composition(
    compose: Callable[[Layout, Layout], Layout], a: Layout, b: Layout, exhaustive: bool = True
) -> Layout | None:
    """Composes and checks whichever answer comes; with ``exhaustive`` a refusal is checked against every layout."""
    try:
        r = compose(a, b)
    except CompositionRefuted as refusal:
        holds_composition_refusal(a, b, refusal.witness)
        if exhaustive:
            assert not composition_exists(a, b), f"{a} o {b} exists and was refused"
        return None
    holds_composition(a, b, r)
    return r


# Complements


def is_ordered(r: Layout) -> None:
    values = [as_integer(value_of(r, i)) for i in indices(size_of(r.shape))]
    assert all(x < y for x, y in pairwise(values)), f"{r} is not ordered"


def holds_complement(layout: Layout, bound: int, r: Layout, out_of_range: int | None = None) -> None:
    """Ordered, (L, L*) one-to-one onto Z_M with M ≥ bound, and M the least."""
    is_legal(r)
    is_ordered(r)
    total = size_of(layout.shape) * size_of(r.shape)
    assert total >= bound
    if out_of_range is not None:
        assert out_of_range == total - bound
    if total <= MANY:
        both = sorted(as_integer(x + y) for x in table(layout) for y in table(r))
        assert both == list(range(total)), f"{layout} with {r} is not one-to-one onto {total}"
        if total > 1:
            f2 = any(isinstance(d, F2) for d in leaves(layout.stride))  # there M is a power of two
            smaller = [m for m in range(bound, total) if (not f2 or m & (m - 1) == 0) and tiles(layout, m)]
            assert not smaller, f"{layout} is completed to {smaller[0]} already, not to {total} only"


def tiles(layout: Layout, m: int) -> bool:
    """Whether shifts of the image of L, one-to-one, tile Z_m with shifts that form an ordered layout."""
    offsets = [as_integer(v) for v in table(layout)]
    if len(set(offsets)) < len(offsets) or min(offsets) < 0 or m % len(offsets):
        return False
    f2 = any(isinstance(d, F2) for d in leaves(layout.stride))
    left, shifts = set(range(m)), []
    while left:
        least = min(left)
        moved = {x ^ least if f2 else x + least for x in offsets}
        if not moved <= left:
            return False
        left -= moved
        shifts.append(F2(least) if f2 and least else least)
    return least_rank(shifts) is not None


def holds_extended(layout: Layout, r: Layout, integral: int = 400) -> None:
    """[28] for integral coordinates up to a bound, the extended domain included, and [29] in bounds and beyond."""
    is_legal(r)
    image = set(table(layout))
    values = [value_of(r, a) for a in range(integral)]
    for a, v in enumerate(values[1:], 1):
        assert v not in image, f"{layout} and {r} meet at {a}"
    if all(isinstance(d, int) for d in leaves(r.stride)):
        assert all(x < y for x, y in pairwise(values))


def holds_partial(layout: Layout, bound: int, r: Layout) -> None:
    """Ordered, and (L, L*) shares no offset but by what L itself repeats."""
    is_legal(r)
    is_ordered(r)
    offsets = Counter(table(layout))
    both: Counter[Any] = Counter()
    for shift in table(r):
        for x, n in offsets.items():
            both[x + shift] += n
    assert sum(both.values()) == size_of(layout.shape) * size_of(r.shape)
    assert len(both) == len(offsets) * size_of(r.shape), f"{layout} and {r} overlap"
    assert max(as_integer(v) for v in both) + 1 >= min(bound, 1)


def holds_complement_refusal(layout: Layout, witness: Witness | None, look: int = 64) -> None:
    """Two coordinates of one offset, a negative offset, or an offset that no tiling of any size reaches."""
    assert witness is not None
    holds_witness(layout, witness)
    if witness.kind == "unreachable" and size_of(layout.shape) <= 32:
        offsets = [as_integer(v) for v in table(layout)]
        assert witness.values["offset"] not in offsets
    if size_of(layout.shape) <= 32:
        top = max(as_integer(v) for v in table(layout)) + 1
        assert not any(tiles(layout, m) for m in range(1, min(top + 2 * look, 4 * look)))


def holds_witness(layout: Any, witness: Witness) -> None:
    """A property's witness, read back by evaluation."""
    w = witness.values
    if witness.kind == "collision":
        assert w["coordinate"] != w["other"]
        assert layout.in_bounds(w["coordinate"]) and layout.in_bounds(w["other"])
        assert value_of(layout, w["coordinate"]) == value_of(layout, w["other"]) == w["offset"]
    elif witness.kind in ("negative", "outside"):
        assert layout.in_bounds(w["coordinate"])
        assert as_integer(value_of(layout, w["coordinate"])) == w["offset"]
        assert witness.kind == "outside" or w["offset"] < 0
    elif witness.kind == "unreachable":
        if size_of(layout.shape) <= MANY:
            assert w["offset"] not in {as_integer(v) for v in table(layout)}
    else:
        raise AssertionError(witness.kind)


# Inverses


def holds_right_inverse(layout: Layout, r: Layout) -> None:
    """L(R(k)) = k on Z_|R|, R into Z_|L|; a coordinate layout gives back the coordinate."""
    is_legal(r)
    for k in indices(size_of(r.shape)):
        index = as_integer(value_of(r, k))
        assert 0 <= index < size_of(layout.shape)
        offset = value_of(layout, index)
        if any(isinstance(d, CoordinateStride) for d in leaves(layout.stride)):
            crd = natural_of(k, tuple(size_of(mode) for mode in r.shape))
            index = value_of(r, crd)
            offset = value_of(layout, index)
            assert (dict(offset.terms) if offset else {}) == {(i,): c for i, c in enumerate(crd) if c}
        else:
            assert as_integer(offset) == k, f"{r} is no right inverse of {layout} at {k}"


def largest_right_inverse(layout: Layout) -> int:
    """The size of the largest one, by trying every first stride, every size and every next stride."""
    values = [as_integer(v) for v in table(layout)]
    best = 1

    def grow(reached: list[int]) -> None:
        nonlocal best
        best = max(best, len(reached))
        count = len(reached)
        for stride in [i for i, v in enumerate(values) if v == count]:
            grown, n = list(reached), 1
            while True:
                step = [x + n * stride for x in reached]
                want = range(len(grown), len(grown) + count)
                if any(not 0 <= x < len(values) for x in step):
                    break
                if any(values[x] != k for x, k in zip(step, want, strict=True)):
                    break
                grown += step
                n += 1
                grow(list(grown))

    grow([0])
    return best


def indexed(a: Layout) -> list[tuple[int, int, int]]:
    """The modes of size above 1, each with the stride of its index."""
    modes, unit = [], 1
    for s, d in modes_of(a):
        if s > 1:
            modes.append((s, d, unit))
        unit *= s
    return modes


def as_one(modes: list[tuple[int, int]]) -> Layout:
    """Modes (size, stride) as a layout."""
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)) if modes else Layout(1, 0)


def holds_left_inverse(layout: Layout, r: Layout) -> None:
    """L(R(L(k))) = L(k) with R(L(k)) in Z_|L|; R(L(k)) = k when L is injective."""
    is_legal(r)
    total = size_of(layout.shape)
    small = total <= MANY
    injective = small and len(set(table(layout))) == total
    for k in indices(total):
        offset = value_of(layout, k)
        if any(isinstance(d, CoordinateStride) for d in leaves(layout.stride)):
            scales = dict(offset.terms) if offset else {}
            back = value_of(r, tuple(scales.get((i,), 0) for i in range(len(r.shape))))
        else:
            back = as_integer(value_of(r, as_integer(offset)))
        assert 0 <= back < total, f"{r} sends {offset} of {layout} to {back}"
        assert value_of(layout, back) == offset, f"{r} is no left inverse of {layout} at {k}"
        if injective:
            assert back == k


# Divides and products


def holds_divide(a: Layout, tile: Layout, r: Layout, out_of_range: int) -> None:
    """A⊘B: mode 0 is A∘B; with nothing outside the offsets are A's, each as often; else the count is right."""
    is_legal(r)
    total, inside = size_of(r.shape), size_of(a.shape)
    assert isinstance(r.shape, tuple) and len(r.shape) == 2
    assert refines(r.shape[0], tile.shape)
    assert total - inside == out_of_range >= 0
    whole = fits_coalesced(a)
    for i in indices(size_of(tile.shape)):
        index = value_of(tile, i)
        assert value_of(r[0], i) == value_of(whole, index)
        if index < inside:
            assert value_of(whole, index) == value_of(a, index)
    if total <= MANY:
        got = Counter(table(r))
        if out_of_range == 0:
            assert got == Counter(table(a)), f"{a} / {tile} = {r} holds other offsets"
        else:
            assert got == Counter(value_of(whole, i) for i in range(total))


def fits_coalesced(a: Layout) -> Layout:
    """A without the size-1 modes that decide nothing in bounds, so that values past the end are coalesced ones."""
    modes: list[tuple[int, Any]] = []
    for s, d in modes_of(a):
        if s == 1:
            continue
        if modes and not isinstance(d, F2) and modes[-1][1] * modes[-1][0] == d:
            modes[-1] = (modes[-1][0] * s, modes[-1][1])
        else:
            modes.append((s, d))
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)) if modes else Layout(1, 0)


def holds_product(a: Layout, b: Layout, r: Layout) -> None:
    """A⊗B: mode 0 is A, mode 1 refines B; shifts by different offsets of B do not meet, equal ones are equal."""
    is_legal(r)
    assert len(r.shape) == 2 and r[0] == a
    assert refines(r[1].shape, b.shape)
    image = set(table(a))
    shifts: dict[Any, Any] = {}
    for i in range(size_of(b.shape)):
        shift = value_of(r[1], i)
        assert shifts.setdefault(value_of(b, i), shift) == shift
    seen: set[Any] = set()
    for shift in shifts.values():
        moved = {x + shift for x in image}
        assert not moved & seen, f"{a} (x) {b} = {r}: shifts meet"
        seen |= moved


# Recast, slice, vectors


def bits_of(layout: Any, width: int) -> Counter[int]:
    return Counter(layout(i) * width + b for i in range(size_of(layout.shape)) for b in range(width))


def holds_recast(layout: Any, from_bits: int, to_bits: int, r: Any) -> None:
    """The same multiset of bits."""
    assert bits_of(layout, from_bits) == bits_of(r, to_bits), f"{layout} from {from_bits} to {to_bits}: {r}"


def can_recast(layout: Any, from_bits: int, to_bits: int) -> bool:
    """Whether the multiset of bits falls into whole new elements."""
    bits = bits_of(layout, from_bits)
    return all(bits[x // to_bits * to_bits + k] == n for x, n in bits.items() for k in range(to_bits))


def holds_slice(layout: Any, crd: Any, part: Any, offset: Any) -> None:
    """L(c) = offset + part(kept part of c) wherever the kept coordinates lie, in order."""
    base = layout
    while isinstance(base, ComposedLayout):
        base = base.layout

    def whole(shape: Any, c: Any) -> list[Any]:
        if c is None:
            return [natural_of(i, shape) for i in range(size_of(shape))]
        if isinstance(c, tuple):
            parts = [whole(s, d) for s, d in zip(shape, c, strict=True)]
            return [tuple(reversed(reverse)) for reverse in product(*reversed(parts))]
        return [c]

    crds = whole(base.shape, crd)
    assert len(crds) == size_of(part.shape)
    for i, c in enumerate(crds):
        assert offset + part(i) == layout(c), f"{layout} at {crd}: {part} at {i}"


def longest_common(a: Layout, b: Layout) -> int:
    """The size of the largest V with A(V(k)) = B(V(k)) = k, by brute force."""
    both = [x if x == y else None for x, y in zip(table(a), islice(table(b), size_of(a.shape)), strict=False)]
    best = 1

    def grow(reached: list[int]) -> None:
        nonlocal best
        best = max(best, len(reached))
        count = len(reached)
        for stride in [i for i, v in enumerate(both) if v == count]:
            grown, n = list(reached), 1
            while True:
                step = [x + n * stride for x in reached]
                want = range(len(grown), len(grown) + count)
                if any(not 0 <= x < len(both) for x in step):
                    break
                if any(both[x] != k for x, k in zip(step, want, strict=True)):
                    break
                grown += step
                n += 1
                grow(list(grown))

    grow([0])
    return best


def largest_nullspace(layout: Layout) -> int:
    """The size of the largest injective layout into the indices of offset 0."""
    zeros = {i for i, v in enumerate(table(layout)) if not v}
    best = 1

    def grow(reached: frozenset[int], least: int) -> None:
        nonlocal best
        best = max(best, len(reached))
        for stride in sorted(zeros):
            if stride < max(least, 1):
                continue
            grown, n = reached, 1
            while True:
                step = {x + n * stride for x in reached}
                if not step <= zeros or step & grown:
                    break
                grown, n = grown | step, n + 1
                grow(grown, stride)

    grow(frozenset({0}), 1)
    return best


# What may come out at all


def only_ours(call: Callable[[], Any]) -> Any:
    """The call's answer, or the name of the refusal; any other exception is a defect."""
    try:
        return call()
    except Refuted as refusal:
        assert refusal.reason and "\n" not in refusal.reason
        assert refusal.witness is None or refusal.witness.as_dict()["kind"]
        return refusal
    except (InputError, Undecided) as error:
        assert str(error)
        return error


def raises(error: type[Exception], call: Callable[[], Any]) -> Any:
    with pytest.raises(error) as caught:
        call()
    return caught.value
