"""The paper's definitions, written out as plain enumerations.

They evaluate layouts at points and use nothing of the operations in ``model/``: what an operation returns, and what a
row of the paper prints, is held against these. A function named ``…_wrong`` returns what breaks the definition, or
None when nothing does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from ..model.layout import Layout
from ..model.semimodule import F2, CoordinateStride, Element

Values = dict[str, Any]
HTuple = Any


def flat(t: HTuple) -> list[Any]:
    """The leaves of an HTuple.

    >>> flat(((2, 2), 3))
    [2, 2, 3]
    """
    return [leaf for mode in t for leaf in flat(mode)] if isinstance(t, tuple) else [t]


@lru_cache(1 << 12)
def volume(shape: HTuple) -> int:
    """|S|, the product of the leaves."""
    n = 1
    for s in flat(shape):
        n *= s
    return n


def coordinates(shape: HTuple) -> Iterator[HTuple]:
    """Z(S): the in-bounds coordinates of every coarsening of S (definition 2.8).

    >>> list(coordinates((2, 1)))
    [0, 1, (0, 0), (1, 0)]
    """
    yield from range(volume(shape))
    if isinstance(shape, tuple):
        modes = [list(coordinates(mode)) for mode in shape]
        for reverse in product(*reversed(modes)):
            yield reverse[::-1]


def naturals(shape: HTuple) -> Iterator[HTuple]:
    """The in-bounds coordinates of S's own profile, first mode fastest (definition 2.11).

    >>> list(naturals((2, (1, 2))))
    [(0, (0, 0)), (1, (0, 0)), (0, (0, 1)), (1, (0, 1))]
    """
    if not isinstance(shape, tuple):
        yield from range(shape)
        return
    for reverse in product(*[list(naturals(mode)) for mode in reversed(shape)]):
        yield reverse[::-1]


def split(index: int, shape: HTuple) -> HTuple:
    """idx2crd as §2.2 prints it: mod and floor by the sizes, the last mode not reduced.

    >>> split(22, ((2, 2), (4, 2))), split(3, (3, 1))
    (((0, 1), (1, 1)), (0, 1))
    """
    if not isinstance(shape, tuple):
        return index
    crd = []
    below = 1
    for k, mode in enumerate(shape):
        rest = index // below
        crd.append(split(rest if k == len(shape) - 1 else rest % volume(mode), mode))
        below *= volume(mode)
    return tuple(crd)


def join(crd: HTuple, shape: HTuple) -> int:
    """crd2idx: the index of a coordinate, first mode fastest.

    >>> join(((0, 1), (1, 1)), ((2, 2), (4, 2)))
    22
    """
    if not isinstance(crd, tuple):
        return int(crd)
    total, below = 0, 1
    for c, mode in zip(crd, shape, strict=True):
        total += below * join(c, mode)
        below *= volume(mode)
    return total


def evaluate(layout: Layout, crd: HTuple) -> Element:
    """D∘S at a coordinate, by definition 2.17: the natural coordinate, then the inner product with the stride.

    >>> evaluate(Layout(((2, 2), (4, 2)), ((1, 8), (2, 16))), (2, 5))
    26
    """

    def inner(c: HTuple, s: HTuple, d: HTuple) -> Element:
        if not isinstance(s, tuple):
            return d * c
        total: Element = 0
        for part in zip(c if isinstance(c, tuple) else split(c, s), s, d, strict=True):
            total = total + inner(*part)
        return total

    return inner(crd, layout.shape, layout.stride)


def table_of(layout: Layout) -> list[Element]:
    """L(0), …, L(|L|−1)."""
    return list(_table_of(layout))


@lru_cache(1 << 12)
def _table_of(layout: Layout) -> tuple[Element, ...]:
    return tuple([layout(i) for i in range(volume(layout.shape))])


def image(layout: Layout) -> set[Element]:
    """image(L) = L(Z_|L|)."""
    return set(table_of(layout))


def shape_text(t: HTuple) -> str:
    """An HTuple as it is printed."""
    return f"({','.join(map(shape_text, t))})" if isinstance(t, tuple) else str(t)


def differs(got: Layout, wanted: Layout) -> Values | None:
    """The first index at which two layouts differ as functions in bounds; their sizes first."""
    if volume(got.shape) != volume(wanted.shape):
        return {"got": f"{got} of size {volume(got.shape)}", "expected": f"size {volume(wanted.shape)}"}
    for i, (left, right) in enumerate(zip(table_of(got), table_of(wanted), strict=True)):
        if left != right:
            return {"index": i, "expected": right, "got": left}
    return None


def congruent(p: HTuple, s: HTuple) -> bool:
    """Same profile (definition 2.3)."""
    if isinstance(p, tuple) != isinstance(s, tuple):
        return False
    return not isinstance(p, tuple) or (len(p) == len(s) and all(map(congruent, p, s)))


def coarsens(p: HTuple, s: HTuple) -> bool:
    """P≲S (definition 2.4)."""
    return not isinstance(p, tuple) or (isinstance(s, tuple) and len(p) == len(s) and all(map(coarsens, p, s)))


def refined_by(p: HTuple, s: HTuple) -> bool:
    """P⪯S (definition 2.7)."""
    if not isinstance(p, tuple):
        return bool(p == volume(s))
    return isinstance(s, tuple) and len(p) == len(s) and all(map(refined_by, p, s))


def point(offset: Element, shape: HTuple) -> HTuple:
    """The coordinate of ``shape`` that an offset names: an integer itself, Σ aᵢeᵢ the tuple (a₀, a₁, …).

    >>> from ..model.semimodule import E
    >>> point(2 * E(1), (4, 8)), point(7, (4, 8))
    ((0, 2), 7)
    """
    if not isinstance(offset, CoordinateStride):
        return offset
    scales = dict(offset.terms)

    def build(path: tuple[int, ...], mode: HTuple) -> HTuple:
        if path in scales or not any(p[: len(path)] == path for p in scales):
            return scales.get(path, 0)
        return tuple(build((*path, k), part) for k, part in enumerate(mode))

    return tuple(build((k,), mode) for k, mode in enumerate(shape)) if isinstance(shape, tuple) else build((0,), shape)


def apply(layout: Layout, offset: Element) -> Element:
    """The layout at the coordinate that an offset of another layout names."""
    return layout(point(offset, layout.shape))


# Which functions are layouts


def factorisations(n: int) -> Iterator[tuple[int, ...]]:
    """Every ordered way to write n as a product of sizes of at least 2; () for 1.

    >>> list(factorisations(8))
    [(2, 2, 2), (2, 4), (4, 2), (8,)]
    """
    if n == 1:
        yield ()
    for first in range(2, n + 1):
        if n % first == 0:
            for rest in factorisations(n // first):
                yield (first, *rest)


def layouts_of(values: Sequence[Element]) -> Iterator[Layout]:
    """Every layout without size-1 modes, of rank 1 or flat, whose table is ``values``.

    A stride is the value at the index where its digit alone is 1, so there is one candidate a factorisation.

    >>> [str(L) for L in layouts_of([0, 1, 2, 3])]
    ['(2,2):(1,2)', '4:1']
    """
    for sizes in factorisations(len(values)):
        strides, below = [], 1
        for s in sizes:
            strides.append(values[below])
            below *= s
        layout = Layout(sizes, tuple(strides)) if len(sizes) > 1 else Layout((sizes or (1,))[0], (strides or [0])[0])
        if table_of(layout) == list(values):
            yield layout


def is_layout(values: Sequence[Element]) -> bool:
    """Whether some layout has this table."""
    return _is_layout(tuple(values))


@lru_cache(1 << 14)
def _is_layout(values: tuple[Element, ...]) -> bool:
    return next(layouts_of(values), None) is not None


# Coalesce (definition 3.2)


def coalesce_wrong(r: Layout, a: Layout) -> Values | None:
    """What breaks: |R| = |A|, depth(R) ≤ 1, R(i) = A(i) for i in Z_|A|."""
    if isinstance(r.shape, tuple) and any(isinstance(mode, tuple) for mode in r.shape):
        return {"kind": "depth", "got": r}
    return differs(r, a)


def least_rank(a: Layout) -> int:
    """The least rank of a layout with A's values: 1 at least."""
    return min(max(1, len(flat(layout.shape))) for layout in layouts_of(table_of(a)))


# Composition (definition 3.3)


def composition_wrong(r: Layout, a: Layout, b: Layout) -> Values | None:
    """What breaks: B⪯R, and R(c) = A(B(c)) at every c in Z(B)."""
    if not refined_by(b.shape, r.shape):
        return {"kind": "compatible", "expected": f"a refinement of {shape_text(b.shape)}", "got": shape_text(r.shape)}
    for c in coordinates(b.shape):
        expected, got = apply(a, b(c)), r(c)
        if expected != got:
            return {"coordinate": c, "expected": expected, "got": got}
    return None


def composition_missing(a: Layout, b: Layout) -> Values | None:
    """Why no layout is A∘B; None when one exists.

    R refines B, so over the leaf s:d its values are A(i·d), and R is the sum of its leaves: both are forced.
    """
    sizes, strides = flat(b.shape), flat(b.stride)
    parts = []
    for k, (s, d) in enumerate(zip(sizes, strides, strict=True)):
        values = [apply(a, d * i) for i in range(s)]
        if not is_layout(values):
            return {"kind": "leaf", "leaf": f"{s}:{d}", "mode": k, "values": values}
        parts.append(values)
    for reverse in product(*[range(s) for s in reversed(sizes)]):
        c = reverse[::-1]
        offset: Element = 0
        got: Element = 0
        for digit, d, values in zip(c, strides, parts, strict=True):
            offset, got = offset + d * digit, got + values[digit]
        expected = apply(a, offset)
        if expected != got:
            return {"kind": "sum", "coordinate": c, "expected": expected, "got": got}
    return None


# Inverses (§3.4)


def right_inverse_wrong(r: Layout, a: Layout) -> Values | None:
    """What breaks: R injective into Z_|A| with A(R(k)) = k (over Z), A(R(c)) = c for coordinates c of R."""
    seen: dict[Element, Any] = {}
    for c in naturals(r.shape):
        index = r(c)
        if index in seen:
            return {"kind": "collision", "coordinate": c, "other": seen[index], "offset": index}
        seen[index] = c
        if not 0 <= index < volume(a.shape):
            return {"kind": "outside", "coordinate": c, "offset": index}
        offset = a(index)
        got = point(offset, r.shape) if a.semimodule == "coordinate" else offset
        wanted = tuple(c) if a.semimodule == "coordinate" and isinstance(c, tuple) else join(c, r.shape)
        if got != wanted and not (got == 0 and not any(flat(wanted))):
            return {"coordinate": c, "expected": wanted, "got": got}
    return None


def largest_right_inverse(a: Layout) -> Layout:
    """The largest layout R with A(R(k)) = k, over the integers, by trying every shape and every preimage."""
    preimages: dict[Element, list[int]] = {}
    for i, offset in enumerate(table_of(a)):
        preimages.setdefault(offset, []).append(i)
    k = 0
    while k in preimages:
        k += 1
    for size in range(k, 1, -1):
        for sizes in factorisations(size):
            units, below = [], 1
            for s in sizes:
                units.append(preimages[below])
                below *= s
            for strides in product(*units):
                r = Layout(sizes, strides)
                if right_inverse_wrong(r, a) is None:
                    return r
    return Layout(1, 0)


def left_inverse_wrong(r: Layout, a: Layout) -> Values | None:
    """What breaks: A(R(A(k))) = A(k), and R(A(k)) = k when A is injective."""
    offsets = table_of(a)
    is_injective = len(set(offsets)) == len(offsets)
    for k, offset in enumerate(offsets):
        back = apply(r, offset)
        if a(back) != offset:
            return {"index": k, "expected": offset, "got": a(back)}
        if is_injective and back != k:
            return {"index": k, "expected": k, "got": back}
    return None


# Complement (definition 3.5, [28], [29])


def not_ordered(star: Layout) -> Values | None:
    """What breaks L*(a−1) < L*(a) in bounds."""
    offsets = table_of(star)
    for a in range(1, len(offsets)):
        if not offsets[a - 1] < offsets[a]:
            return {"kind": "order", "index": a, "before": offsets[a - 1], "got": offsets[a]}
    return None


def images_meet(layout: Layout, star: Layout, points: Iterable[HTuple]) -> Values | None:
    """What breaks L(b) ≠ L*(a), for a ≠ 0 among ``points`` of the extended domain of L*."""
    first: dict[Element, HTuple] = {}
    for b in naturals(layout.shape):
        first.setdefault(layout(b), b)
    for a in points:
        if any(flat(a)) and star(a) in first:
            return {"kind": "collision", "coordinate": a, "other": first[star(a)], "offset": star(a)}
    return None


def integral_points(layout: Layout, star: Layout) -> range:
    """Integral coordinates of L* out to where its offsets have left the image of L behind."""
    return range(1, volume(star.shape) * (max(map(abs, image(layout)), default=0) + 2))


def congruent_points(star: Layout, reach: int) -> Iterator[HTuple]:
    """Coordinates of L*'s own profile with every entry from 0 to ``reach``, in bounds or not."""

    def build(shape: HTuple) -> Iterator[HTuple]:
        if not isinstance(shape, tuple):
            yield from range(reach + 1)
            return
        for reverse in product(*[list(build(mode)) for mode in reversed(shape)]):
            yield reverse[::-1]

    yield from build(star.shape)


def together(*layouts: Layout) -> Layout:
    """The concatenation (L₀, L₁, …) (definition 3.1)."""
    return Layout(tuple(L.shape for L in layouts), tuple(L.stride for L in layouts))


def bijection_wrong(layout: Layout, n: int) -> Values | None:
    """What breaks: one-to-one from Z_|L| onto Z_n."""
    seen: dict[Element, int] = {}
    for i, offset in enumerate(table_of(layout)):
        if offset in seen:
            return {"kind": "collision", "coordinate": i, "other": seen[offset], "offset": offset}
        if not 0 <= offset < n:
            return {"kind": "outside", "coordinate": i, "offset": offset}
        seen[offset] = i
    missing = next((x for x in range(n) if x not in seen), None)
    return None if missing is None else {"kind": "unreachable", "offset": missing}


def tiles(offsets: Sequence[int], n: int) -> tuple[int, ...] | None:
    """A set J with every element of Z_n exactly once in ``offsets`` + J, smallest first; None when there is none.

    The least element that is not covered yet must be covered by the least offset, 0.

    >>> tiles([0, 2], 4), tiles([0, 1, 3, 4], 8)
    ((0, 1), None)
    """
    covered = [False] * n
    chosen = []
    for x in range(n):
        if covered[x]:
            continue
        for b in offsets:
            if x + b >= n or covered[x + b]:
                return None
            covered[x + b] = True
        chosen.append(x)
    return tuple(chosen)


# Ranges of layouts for exhaustive claims


def flat_layouts(rank: int, sizes: Iterable[int], strides: Iterable[Element]) -> Iterator[Layout]:
    """Every layout of this rank with these sizes and strides, smallest first."""
    sizes, strides = list(sizes), list(strides)
    for shape in product(sizes, repeat=rank):
        for stride in product(strides, repeat=rank):
            yield Layout(shape[0], stride[0]) if rank == 1 else Layout(shape, stride)


def perturbed(layout: Layout) -> Layout:
    """The layout with the stride of its last mode of more than one element changed: what mutants of rows use.

    >>> str(perturbed(Layout((4, (8, 1)), (1, (4, 0)))))
    '(4,(8,1)):(1,(5,0))'
    """
    sizes, strides = flat(layout.shape), flat(layout.stride)
    k = max((k for k, s in enumerate(sizes) if s > 1), default=len(sizes) - 1)
    d = strides[k]
    if isinstance(d, F2):
        strides[k] = F2(d.bits ^ 3)
    elif isinstance(d, CoordinateStride):
        strides[k] = d * 2
    else:
        strides[k] = d + 1
    rest = iter(strides)

    def build(shape: HTuple) -> HTuple:
        return tuple([build(mode) for mode in shape]) if isinstance(shape, tuple) else next(rest)

    return Layout(layout.shape, build(layout.shape))
