"""Section 3.5.2: the logical divide, [30] and [31]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...model.coalesce import coalesce
from ...model.complement import complement, extended_complement
from ...model.divide import decide_divide, flat_divide, logical_divide, tiled_divide, zipped_divide
from ...model.errors import DivideRefuted
from ...model.inverse import right_inverse
from ...model.layout import Layout
from ...model.notation import layout, parse_tiler
from ..claim import Claim, Counterexample, Finding, Mutant, for_all, table
from ..definitions import (
    bijection_wrong,
    composition_missing,
    composition_wrong,
    differs,
    flat_layouts,
    image,
    images_meet,
    integral_points,
    naturals,
    perturbed,
    table_of,
    together,
    volume,
)
from ..verdict import bounded
from .complement import chain_top, least_tiling, not_complement
from .composition import composition_row
from .rows import exhibit, first, row_claim, same, show

# The rows


def _by_mode_row(r: Layout) -> Counterexample:
    """(8,16):(20,1) in 4×8 tiles of consecutive rows and every other column: each (row, column) from its places."""
    A = layout("(8,16):(20,1)")
    if (volume(r[0].shape), volume(r[1].shape)) != (8, 16):
        return {"expected": "8×16", "got": r}
    for row_in in range(4):
        for row_tile in range(2):
            for column_in in range(8):
                for column_rest in range(2):
                    c = ((row_in, row_tile), (column_in, column_rest))
                    expected = A((row_in + 4 * row_tile, 2 * column_in + column_rest))
                    if r(c) != expected:
                        return {"coordinate": c, "expected": expected, "got": r(c)}
    return None


def _zipped(r: Layout) -> Counterexample:
    """Mode 0 is the tile, mode 1 the rest, of the same divide."""
    A = layout("(8,16):(20,1)")
    for row_in, column_in in naturals((4, 8)):
        for row_tile, column_rest in naturals((2, 2)):
            expected = A((row_in + 4 * row_tile, 2 * column_in + column_rest))
            got = r(((row_in, column_in), (row_tile, column_rest)))
            if got != expected:
                return {"coordinate": ((row_in, column_in), (row_tile, column_rest)), "expected": expected, "got": got}
    return None


_TILER = "<4:1,8:2>"
_BY_MODE = "((4,2),(8,2)):((20,80),(2,1))"


# The inverses of [30] and [31]


def tilers() -> Iterator[tuple[Layout, int]]:
    """One-to-one tilers and sizes that they tile."""
    for b in [*flat_layouts(1, (1, 2, 3, 4), (1, 2, 3)), *flat_layouts(2, (2, 3), (1, 2, 3, 4, 6, 8))]:
        top = chain_top(b)
        for n in (12, 24):
            if top and n % top == 0:
                yield b, n


def _reflexive(case: tuple[Layout, int], is_swapped: bool = False) -> Counterexample:
    """B★ = (B, B*_N) is onto Z_N, B⁺ a layout, B★B⁺B★ = B★ and B⁺B★B⁺ = B⁺."""
    b, n = case
    star = together(b, complement(b, n))
    wrong = bijection_wrong(star, n)
    if wrong:
        return {"B": b, "N": n, **wrong}
    plus = star if is_swapped else right_inverse(star)
    for i in range(n):
        if star(plus(star(i))) != star(i):
            return {"B": b, "N": n, "B⁺": plus, "equation": "[30]", "index": i, "got": star(plus(star(i)))}
        if plus(star(plus(i))) != plus(i):
            return {"B": b, "N": n, "B⁺": plus, "equation": "[31]", "index": i, "got": plus(star(plus(i)))}
    return None


# The divide in general


def _operands() -> Iterator[tuple[Layout, Layout]]:
    firsts = [
        *flat_layouts(1, (6, 8, 12), (1, 3)),
        *flat_layouts(2, (2, 3, 4), (1, 2, 5)),
        Layout((6, 1), (1, 4)),
        Layout((4, 6), (6, 1)),
    ]
    seconds = [*flat_layouts(1, (1, 2, 3, 4), (1, 2, 3)), *flat_layouts(2, (2, 3), (1, 2, 3, 4, 6))]
    return ((a, b) for a in firsts for b in seconds)


def _divided(a: Layout, b: Layout) -> Layout | None:
    try:
        return logical_divide(a, b)
    except DivideRefuted:
        return None


def _definition(pair: tuple[Layout, Layout]) -> Counterexample:
    """Existence, value inside, extension outside, and the count of what falls outside, by brute force."""
    a, b = pair
    found = least_tiling(b, volume(a.shape))
    try:
        answer = decide_divide(a, b)
    except DivideRefuted as refusal:
        if found is None:
            return None
        star = together(b, complement(b, volume(a.shape)))
        missing = composition_missing(coalesce(a), star)
        return None if missing else {"A": a, "B": b, "got": refusal.reason, "expected": "a divide"}
    if found is None:
        return {"A": a, "B": b, "got": answer.result, "expected": "none: nothing completes B"}
    star = together(b, complement(b, volume(a.shape)))
    r, outside = answer.result, 0
    for c in naturals(star.shape):
        place = star(c)
        is_outside = place >= volume(a.shape)
        outside += is_outside
        expected = coalesce(a)(place) if is_outside else a(place)
        if r(c) != expected:
            return {"A": a, "B": b, "R": r, "coordinate": c, "expected": expected, "got": r(c)}
    if answer.out_of_range != outside or answer.exact != (outside == 0):
        return {"A": a, "B": b, "expected": outside, "got": answer.out_of_range}
    return None


def _divides(pair: tuple[Layout, Layout]) -> bool:
    top = chain_top(pair[1])
    return top is not None and volume(pair[0].shape) % top == 0 and _divided(*pair) is not None


def _multiset(pair: tuple[Layout, Layout]) -> Counterexample:
    r = _divided(*pair)
    if r is None:
        return None
    if Counter(table_of(r)) != Counter(table_of(pair[0])):
        return {"A": pair[0], "B": pair[1], "R": r, "expected": sorted(table_of(pair[0])), "got": sorted(table_of(r))}
    return None


def _first_mode(pair: tuple[Layout, Layout]) -> Counterexample:
    a, b = pair
    r = _divided(a, b)
    wrong = None if r is None else composition_wrong(r[0], a, b)
    return wrong and {"A": a, "B": b, "R": r, **wrong}


def _second_mode(pair: tuple[Layout, Layout]) -> Counterexample:
    a, b = pair
    r = _divided(a, b)
    if r is None or volume(r[1].shape) != volume(b.shape):
        return None
    wrong = next(
        ({"index": i, "expected": a(b(i)), "got": r[1](i)} for i in range(volume(b.shape)) if a(b(i)) != r[1](i)), None
    )
    return wrong and {"A": a, "B": b, "R": r, **wrong}


def _trailing_one(r: Layout | None, a: str) -> Counterexample:
    """(6,1):(1,4) divides by 4 as 6:1 does: in bounds the same, outside the extension of 6:1."""
    if r is None:
        return {"A": a, "got": "refused"}
    for i, place in enumerate(table_of(Layout((4, 2)))):
        if r(i) != place:
            return {"A": a, "index": i, "expected": place, "got": r(i)}
    return None


CLAIMS: tuple[Claim, ...] = (
    composition_row(
        "divide.row.composition",
        "paper §3.5.2",
        "24:3",
        "(8,3):(3,1)",
        "(8,3):(9,3)",
        ", which is 24:3 ⊘ 8:3 = 24:3∘(8:3,3:1)",
        doubts=(1,),
    ),
    row_claim(
        "divide.row.24:3",
        "paper §3.5.2",
        "24:3 ⊘ 8:3 = (8,3):(9,3), and (8:3, 3:1) takes each element of Z_24 once",
        {
            "(8:3, 3:1) onto Z_24": lambda: bijection_wrong(together(layout("8:3"), layout("3:1")), 24),
            "every element once": lambda: (
                None
                if Counter(table_of(layout("(8,3):(9,3)"))) == Counter(table_of(layout("24:3")))
                else {"got": table_of(layout("(8,3):(9,3)"))}
            ),
            "ours": same(lambda: logical_divide(layout("24:3"), layout("8:3")), layout("(8,3):(9,3)")),
        },
        "(8:3, 2:1) takes each element of Z_24 once",
        lambda: bijection_wrong(together(layout("8:3"), layout("2:1")), 24),
        doubts=(1,),
    ),
    Claim(
        "divide.row.complement",
        "paper §3.5.2 with [28]",
        "3:1 is a complement of 8:3 in the sense of [28]",
        lambda: table(
            {"[28]": lambda: images_meet(layout("8:3"), layout("3:1"), integral_points(layout("8:3"), layout("3:1")))}
        ),
        Mutant(
            "In bounds 4:1 is disjoint from it",
            lambda: table({"in bounds": lambda: images_meet(layout("8:3"), layout("4:1"), range(1, 4))}),
        ),
        exhibit("the operands of the row itself"),
        finding=Finding(
            "past its end 3:1 has the value 3, which is the offset of 1 in 8:3", "divide.row.complement-repaired"
        ),
        doubts=(1,),
    ),
    row_claim(
        "divide.row.complement-repaired",
        "ours; repairs paper §3.5.2",
        "3:1 is the bounded complement of 8:3 for 24: ordered, (8:3, 3:1) a bijection onto Z_24, disjoint in bounds; "
        "the complement by [28] is (3,1):(1,24)",
        {
            "bijection": lambda: bijection_wrong(together(layout("8:3"), layout("3:1")), 24),
            "disjoint in bounds": lambda: images_meet(layout("8:3"), layout("3:1"), range(1, 3)),
            "ours": lambda: differs(complement(layout("8:3"), 24), layout("3:1")),
            "[28] of (3,1):(1,24)": lambda: not_complement(layout("8:3"), layout("(3,1):(1,24)")),
            "ours, extended": lambda: (
                None
                if extended_complement(layout("8:3")) == layout("(3,1):(1,24)")
                else {"got": extended_complement(layout("8:3"))}
            ),
        },
        "(4,1):(1,24) is that by [28]",
        lambda: not_complement(layout("8:3"), layout("(4,1):(1,24)")),
        doubts=(1,),
    ),
    row_claim(
        "divide.row.by-mode",
        "paper §3.5.2",
        f"(8,16):(20,1) ⊘ {_TILER} = {_BY_MODE}: four rows of each half, every other column",
        {
            "every place": lambda: _by_mode_row(layout(_BY_MODE)),
            "ours": same(lambda: logical_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)), layout(_BY_MODE)),
        },
        f"it is {perturbed(layout(_BY_MODE))}",
        lambda: _by_mode_row(perturbed(layout(_BY_MODE))),
    ),
    row_claim(
        "divide.zipped",
        "paper §3.5.2",
        "zipped_divide gathers the tiles in mode 0 and the rests in mode 1; tiled and flat divide ungroup them",
        {
            "zipped": lambda: _zipped(zipped_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER))),
            "tiled": lambda: differs(
                tiled_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)),
                zipped_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)),
            ),
            "flat": lambda: differs(
                flat_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)),
                zipped_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)),
            ),
        },
        "The logical divide is the same function of the index",
        lambda: differs(
            logical_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)),
            zipped_divide(layout("(8,16):(20,1)"), parse_tiler(_TILER)),
        ),
    ),
    Claim(
        "divide.reflexive-inverse",
        "paper §3.5.2, [30] [31]; what is in doubt, 2",
        "Where B*_N exists, B★ = (B, B*_N) is onto Z_N, and its right inverse B⁺ is a layout with B★B⁺B★ = B★ "
        "and B⁺B★B⁺ = B⁺",
        lambda: for_all(tilers(), _reflexive, "tilers and sizes, at every index"),
        Mutant("B⁺ = B★ serves", lambda: for_all(tilers(), lambda c: _reflexive(c, True))),
        first(tilers, lambda c: chain_top(c[0]) is not None and c[0].modes[0][1] > 1, show),
        bounded("rank 2, sizes to 4, strides to 8; N = 12 and 24"),
        doubts=(1, 2),
    ),
    Claim(
        "divide.definition",
        "paper §3.5.2; what is in doubt, 1 and 2",
        "A⊘B exists iff B*_|A| and coalesce(A)∘(B,B*) do; inside it is A at the completed tiler, outside it extends "
        "coalesce(A), and what is outside is counted",
        lambda: for_all(_operands(), _definition, "pairs, at every coordinate"),
        Mutant(
            "It exists iff B*_|A| does",
            lambda: for_all(
                _operands(),
                lambda p: (
                    None
                    if (least_tiling(p[1], volume(p[0].shape)) is not None) == (_divided(*p) is not None)
                    else {"A": p[0], "B": p[1]}
                ),
            ),
        ),
        first(_operands, lambda p: _divided(*p) is not None and volume(p[1].shape) > 2, show),
        bounded("A of rank 2, sizes to 12; B of rank 2, sizes to 4, strides to 6"),
        doubts=(1, 2),
    ),
    Claim(
        "divide.multiset",
        "paper §3.5.2",
        "Where top divides |A| the divide has A's elements, each as often as A",
        lambda: for_all((p for p in _operands() if _divides(p)), _multiset, "pairs"),
        Mutant("It always has", lambda: for_all(_operands(), _multiset)),
        first(_operands, lambda p: _divides(p) and p[1].modes[0][1] > 1, show),
        bounded("A of rank 2, sizes to 12; B of rank 2, sizes to 4, strides to 6"),
        doubts=(2,),
    ),
    Claim(
        "divide.first-mode",
        "paper §3.5.2",
        "Where top divides |A| the first mode of A⊘B is A∘B: the elements that B points to",
        lambda: for_all((p for p in _operands() if _divides(p)), _first_mode, "pairs, at every coordinate"),
        Mutant("The second mode is", lambda: for_all((p for p in _operands() if _divides(p)), _second_mode)),
        first(_operands, lambda p: _divides(p) and len(image(p[1])) > 2, show),
        bounded("A of rank 2, sizes to 12; B of rank 2, sizes to 4, strides to 6"),
    ),
    row_claim(
        "divide.trailing-one",
        "ours; paper §3.5.2 with §2.2",
        "(6,1):(1,4) and 6:1 divide by 4 alike: a trailing mode of size 1 does not decide whether a divide exists",
        {
            "(6,1):(1,4)": lambda: _trailing_one(_divided(layout("(6,1):(1,4)"), Layout(4, 1)), "(6,1):(1,4)"),
            "6:1": lambda: _trailing_one(_divided(layout("6:1"), Layout(4, 1)), "6:1"),
            "A∘(B,B*) itself does not exist": lambda: (
                None if composition_missing(layout("(6,1):(1,4)"), layout("(4,2):(1,4)")) else {"got": "it exists"}
            ),
        },
        "(6,1):(1,4) past its end is 6:1",
        lambda: next(
            (
                {"index": i, "expected": i, "got": layout("(6,1):(1,4)")(i)}
                for i in range(8)
                if layout("(6,1):(1,4)")(i) != i
            ),
            None,
        ),
        doubts=(1, 4),
    ),
)
