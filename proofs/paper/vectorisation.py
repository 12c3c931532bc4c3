"""Section 3.4.2: the widest common vector of two layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from ...model.htuple import unflatten
from ...model.layout import Layout
from ...model.notation import layout
from ...model.vector import max_common_layout, max_common_vector
from ..claim import Claim, Counterexample, Finding, Mutant, for_all
from ..definitions import factorisations, flat, flat_layouts, image, layouts_of, table_of, volume
from ..verdict import bounded
from .inverses import by_sorted_strides
from .rows import equals, first, on, row_claim, show


def inverse_tables(a: Layout) -> Iterator[list[int]]:
    """The tables of every largest right inverse that is a layout: every shape and every choice of preimages."""
    from ..definitions import largest_right_inverse, right_inverse_wrong

    size = volume(largest_right_inverse(a).shape)
    preimages: dict[int, list[int]] = {}
    for i, offset in enumerate(table_of(a)):
        preimages.setdefault(offset, []).append(i)
    if size == 1:
        yield [0]
    for sizes in factorisations(size):
        units, below = [], 1
        for s in sizes:
            units.append(preimages[below])
            below *= s
        for strides in product(*units):
            if sizes and right_inverse_wrong(Layout(sizes, strides), a) is None:
                yield table_of(Layout(sizes, strides))


def common(first_table: list[int], second_table: list[int]) -> int:
    """The largest K with both tables equal below K."""
    pairs = zip(first_table, second_table, strict=False)
    return next((k for k, (x, y) in enumerate(pairs) if x != y), min(len(first_table), len(second_table)))


def widths(a: Layout, b: Layout) -> set[int]:
    """K for every choice of A‡ and B‡."""
    return {common(x, y) for x in inverse_tables(a) for y in inverse_tables(b)}


def widest(a: Layout, b: Layout) -> int:
    """The most elements of any layout V with A(V(k)) = B(V(k)) = k, by trying every shape and stride."""
    n = min(volume(a.shape), volume(b.shape))
    places: dict[int, list[int]] = {}
    for i in range(n):
        if a(i) == b(i):
            places.setdefault(a(i), []).append(i)
    k = 0
    while k in places:
        k += 1
    for size in range(k, 1, -1):
        for sizes in factorisations(size):
            units, below = [], 1
            for s in sizes:
                units.append(places[below])
                below *= s
            for strides in product(*units):
                v = Layout(sizes, strides)
                if all(0 <= v(j) < n and a(v(j)) == j == b(v(j)) for j in range(size)):
                    return size
    return 1


def _pairs() -> Iterator[tuple[Layout, Layout]]:
    shapes = ((2, 2), (2, 3), (4, 2))
    for shape in shapes:
        some = [Layout(shape, stride) for stride in product((1, 2, 3, 4), repeat=2)]
        some = [a for a in some if len(image(a)) == volume(shape)]
        yield from product(some, some)


def _all_pairs() -> Iterator[tuple[Layout, Layout]]:
    some = list(flat_layouts(2, (2,), (0, 1, 2)))
    return product(some, some)


def _one_width(pair: tuple[Layout, Layout], least: int = 1) -> Counterexample:
    """One K, whichever inverses are taken; the mutant asks for at least ``least`` as well."""
    found = widths(*pair)
    return None if len(found) == 1 and min(found) >= least else {"A": pair[0], "B": pair[1], "widths": sorted(found)}


def _read_off(pair: tuple[Layout, Layout], whole: bool = False) -> Counterexample:
    """K from A∘B‡ = (I_K, X): the first k with A(B‡(k)) ≠ k; the mutant takes all of B‡."""
    a, b = pair
    back = next(inverse_tables(b))
    k = len(back) if whole else next((k for k, i in enumerate(back) if a(i) != k), len(back))
    return None if {k} == widths(a, b) else {"A": a, "B": b, "expected": widths(a, b), "got": k}


def _ours(
    pair: tuple[Layout, Layout], common_of: Callable[[Layout, Layout], Layout] = max_common_layout
) -> Counterexample:
    a, b = pair
    v = common_of(a, b)
    for k in range(volume(v.shape)):
        if not (a(v(k)) == b(v(k)) == k):
            return {"A": a, "B": b, "V": v, "index": k, "got": (a(v(k)), b(v(k)))}
    return None if volume(v.shape) == widest(a, b) else {"A": a, "B": b, "expected": widest(a, b), "got": v}


def _by_sorting(a: Layout, b: Layout) -> Layout:
    """The mutant's V: the common part of what sorting by stride gives for each."""
    one = by_sorted_strides(a)
    k = common(table_of(one), table_of(by_sorted_strides(b)))
    return next((v for v in layouts_of(table_of(one)[:k])), Layout(1, 0))


_ROWS = {
    "ND-copy": ("(8,2,3):(1,16,32)", "(8,2,3):(1,16,32)", 8),
    "padded": ("(4,8):(1,4)", "(4,8):(1,5)", 4),
    "transpose": ("(8,3):(1,8)", "(8,3):(3,1)", 1),
    "both-row-major": ("(4,8):(8,1)", "(4,8):(8,1)", 32),
    "mixed": ("((2,2),(4,2)):((1,8),(2,16))", "(4,8):(1,4)", 2),
}


def _row(name: str) -> Claim:
    a, b, k = _ROWS[name]
    A, B = layout(a), layout(b)
    other = A if k == 1 else perturbed_first(B)
    return row_claim(
        f"vectorisation.{name}",
        "paper §3.4.2, applied to layouts of §2.4 and §2.6",
        f"The widest common vector of {a} and {b} has {k} elements",
        {
            "A‡ = B‡ on Z_K": on(equals({k}), lambda: widths(A, B), lambda: widths(A, other)),
            "ours": on(equals(k), lambda: max_common_vector(A, B), lambda: max_common_vector(A, other)),
        },
        f"{a} and {other} have one of {k}",
    )


def perturbed_first(L: Layout) -> Layout:
    """The layout with the stride of its first mode of more than one element one more."""
    sizes, strides = flat(L.shape), flat(L.stride)
    k = next(k for k, s in enumerate(sizes) if s > 1)
    return Layout(L.shape, unflatten([d + (j == k) for j, d in enumerate(strides)], L.shape))


_BOUND = bounded("one-to-one layouts of shapes (2,2), (2,3), (4,2), strides 1 to 4")

CLAIMS: tuple[Claim, ...] = (
    *[_row(name) for name in _ROWS],
    Claim(
        "vectorisation.one-width",
        "paper §3.4.2",
        "The largest K with A‡ = B‡ on Z_K is a function of A and B",
        lambda: for_all(_all_pairs(), _one_width, "pairs, every choice of inverses"),
        Mutant("It is, and at least 2", lambda: for_all(_all_pairs(), lambda p: _one_width(p, 2))),
        first(_all_pairs, lambda p: 2 in widths(*p), show),
        bounded("shape (2,2), strides 0, 1, 2"),
        finding=Finding(
            "where a layout is not one-to-one K depends on which inverse is taken", "vectorisation.one-width-repaired"
        ),
        doubts=(2,),
    ),
    row_claim(
        "vectorisation.one-width.instance",
        "ours; what is in doubt, 2",
        "A=(2,2):(0,1) and B=(2,2):(1,0) have K = 1 or 2, as the inverses are taken",
        {
            "K": on(
                equals({1, 2}),
                lambda: widths(layout("(2,2):(0,1)"), layout("(2,2):(1,0)")),
                lambda: widths(layout("(2,2):(1,2)"), layout("(2,2):(1,4)")),
            )
        },
        "(2,2):(1,2) and (2,2):(1,4) have, too",
        doubts=(2,),
    ),
    Claim(
        "vectorisation.one-width-repaired",
        "ours; repairs paper §3.4.2",
        "It is for one-to-one layouts, and then it is where A∘B‡ stops being the identity",
        lambda: for_all(_pairs(), lambda p: _one_width(p) or _read_off(p), "pairs, every choice of inverses"),
        Mutant("It is the size of B‡", lambda: for_all(_pairs(), lambda p: _one_width(p) or _read_off(p, True))),
        first(_pairs, lambda p: p[0] != p[1] and max(widths(*p)) > 1, show),
        _BOUND,
        doubts=(2,),
    ),
    Claim(
        "vectorisation.widest",
        "ours; paper §3.4.2",
        "max_common_layout is the widest V with A(V(k)) = B(V(k)) = k, one-to-one layouts or not",
        lambda: for_all([*_pairs(), *_all_pairs()], _ours, "pairs, against every shape and place"),
        Mutant(
            "So is what sorting by stride gives for each",
            lambda: for_all(_all_pairs(), lambda p: _ours(p, _by_sorting)),
        ),
        first(_pairs, lambda p: widest(*p) > 2, show),
        bounded("one-to-one layouts of shapes (2,2), (2,3), (4,2), strides 1 to 4; all of (2,2) with strides to 2"),
    ),
)
