"""Random layouts for Hypothesis: small enough to look at every coordinate, odd enough to break things."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from veritile import F2, ComposedLayout, E, Layout, Swizzle

SIZES = st.sampled_from((1, 1, 2, 2, 3, 4, 5, 6, 8))
STRIDES = st.sampled_from((0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16, 24, 30, -1, -2, -3, -6))
FORWARD = st.sampled_from((0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16, 24, 30))
VECTORS = st.sampled_from((0, 1, 1, 2, 3, 4, 5, 6, 8, 9, 16, 17)).map(F2)


def _nest(flat: tuple[Any, ...], cut: int | None) -> Any:
    """Rank-one layouts with and without a tuple, and a tail that is nested, all from one flat tuple."""
    if cut is None:
        return flat
    if len(flat) == 1:
        return flat[0] if cut % 2 else (flat,)
    cut = cut % (len(flat) - 1)
    return (*flat[:cut], flat[cut:])


@st.composite
def layouts(draw: Any, rank: int = 3, sizes: Any = SIZES, strides: Any = STRIDES) -> Layout:
    n = draw(st.integers(1, rank))
    shape = tuple(draw(sizes) for _ in range(n))
    stride = tuple(draw(strides) for _ in range(n))
    cut = draw(st.one_of(st.none(), st.integers(0, 5)))
    return Layout(_nest(shape, cut), _nest(stride, cut))


@st.composite
def chains(draw: Any, rank: int = 4, gaps: Any = None) -> Layout:
    """Strides that form a divisor chain, in any order of modes: injective, with gaps now and then."""
    n = draw(st.integers(1, rank))
    shape = [draw(st.sampled_from((1, 2, 2, 3, 4, 5))) for _ in range(n)]
    stride = [0] * n
    unit = 1
    for k in draw(st.permutations(range(n))):
        unit *= draw(st.sampled_from((1, 1, 1, 2, 3)) if gaps is None else gaps)
        stride[k] = unit
        unit *= shape[k]
    cut = draw(st.one_of(st.none(), st.integers(0, 5)))
    return Layout(_nest(tuple(shape), cut), _nest(tuple(stride), cut))


def forward(rank: int = 3) -> Any:
    """No stride is negative."""
    return layouts(rank, strides=FORWARD)


def f2_layouts(rank: int = 3, powers: bool = False) -> Any:
    sizes = st.sampled_from((1, 2, 2, 4, 8)) if powers else st.sampled_from((1, 2, 3, 4, 5, 6))
    return layouts(rank, sizes, VECTORS)


def basis(axes: int, nested: bool = False) -> Any:
    paths = [(i,) for i in range(axes - 1)]
    paths += [(axes - 1, 0), (axes - 1, 1)] if nested else [(axes - 1,)]
    return st.sampled_from(paths).map(lambda path: E(*path))


@st.composite
def steps(draw: Any, axes: int, nested: bool = False, diagonal: bool = True, negative: bool = True) -> Any:
    """A coordinate stride along one axis, or along several."""
    scales = st.sampled_from((0, 1, 1, 2, 3, 4, -1) if negative else (0, 1, 1, 2, 3, 4))
    total: Any = 0
    for _ in range(draw(st.sampled_from((1, 1, 2))) if diagonal else 1):
        total = total + draw(scales) * draw(basis(axes, nested))
    return total


def coordinate_layouts(rank: int = 3, axes: int = 2, **kinds: Any) -> Any:
    return layouts(rank, st.sampled_from((1, 2, 3, 4)), steps(axes, **kinds))


def any_layouts(rank: int = 3) -> Any:
    return st.one_of(layouts(rank), chains(rank), f2_layouts(rank), coordinate_layouts(rank))


@st.composite
def swizzles(draw: Any) -> Swizzle:
    return Swizzle(
        draw(st.integers(0, 3)), draw(st.integers(0, 4)), draw(st.sampled_from((-4, -3, -2, -1, 1, 2, 3, 4)))
    )


@st.composite
def composed(draw: Any) -> ComposedLayout:
    inner = draw(st.one_of(layouts(2), chains(3)))
    return ComposedLayout(draw(swizzles()), draw(st.sampled_from((0, 0, 1, 8, 3, -5))), inner)


@st.composite
def slices(draw: Any, shape: Any) -> Any:
    """A coordinate of ``shape`` in bounds with some of it kept."""
    kind = draw(st.sampled_from(("keep", "fix", "part")))
    if isinstance(shape, tuple) and kind == "part":
        return tuple(draw(slices(mode)) for mode in shape)
    if kind == "keep":
        return None
    total = 1
    for s in _leaves(shape):
        total *= s
    return draw(st.integers(0, total - 1))


def _leaves(t: Any) -> Any:
    return [leaf for m in t for leaf in _leaves(m)] if isinstance(t, tuple) else [t]
