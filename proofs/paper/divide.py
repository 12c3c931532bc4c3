"""Section 3.5.2: the logical divide, [30] and [31]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ...model.coalesce import coalesce
from ...model.complement import complement, extended_complement
from ...model.divide import decide_divide, flat_divide, logical_divide, tiled_divide, zipped_divide
from ...model.errors import ComplementRefuted, CompositionRefuted, DivideRefuted
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
from .complement import refusal_wrong as complement_refusal_wrong
from .composition import composition_row, refusal_wrong
from .rows import equals, first, given, is_wrong, on, row_claim, show

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


_ZIPPED = "((4,8),(2,2)):((20,2),(80,1))"
_TILED = "((4,8),2,2):((20,2),80,1)"
_FLAT = "(4,8,2,2):(20,2,80,1)"


def _formed(operation: Callable[[Layout, Any], Layout]) -> Callable[[], Layout]:
    return lambda: operation(layout("(8,16):(20,1)"), parse_tiler(_TILER))


def _with_8_3(star: str) -> Counterexample:
    return bijection_wrong(together(layout("8:3"), layout(star)), 24)


def _elements_of_24(R: Layout) -> Counterexample:
    same = Counter(table_of(R)) == Counter(table_of(layout("24:3")))
    return None if same else {"expected": table_of(layout("24:3")), "got": table_of(R)}


# The inverses of [30] and [31]


def tilers() -> Iterator[tuple[Layout, int]]:
    """One-to-one tilers and sizes that they tile."""
    for b in [*flat_layouts(1, (1, 2, 3, 4), (1, 2, 3)), *flat_layouts(2, (2, 3), (1, 2, 3, 4, 6, 8))]:
        top = chain_top(b)
        for n in (12, 24):
            if top and n % top == 0:
                yield b, n


def _reflexive(case: tuple[Layout, int], inverse_of: Callable[[Layout], Layout] = right_inverse) -> Counterexample:
    """B★ = (B, B*_N) is onto Z_N, B⁺ a layout, B★B⁺B★ = B★ and B⁺B★B⁺ = B⁺."""
    b, n = case
    star = together(b, complement(b, n))
    wrong = bijection_wrong(star, n)
    if wrong:
        return {"B": b, "N": n, **wrong}
    plus = inverse_of(star)
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
        *flat_layouts(2, (2, 3, 4), (1, 5)),
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


def _definition(pair: tuple[Layout, Layout], base_of: Callable[[Layout], Layout] = coalesce) -> Counterexample:
    """Existence, value inside, extension outside, and the count of what falls outside, by brute force."""
    a, b = pair
    found = least_tiling(b, volume(a.shape))
    star = None if found is None else together(b, complement(b, volume(a.shape)))
    try:
        answer = decide_divide(a, b)
    except DivideRefuted as refusal:
        if star is None:
            return complement_refusal_wrong(b, ComplementRefuted(refusal.reason, refusal.witness))
        if composition_missing(base_of(a), star) is None:
            return {"A": a, "B": b, "got": refusal.reason, "expected": "a divide"}
        return refusal_wrong(coalesce(a), star, CompositionRefuted(refusal.reason, refusal.witness))
    if star is None:
        return {"A": a, "B": b, "got": answer.result, "expected": "none: nothing completes B"}
    r, outside = answer.result, 0
    for c in naturals(star.shape):
        place = star(c)
        is_outside = place >= volume(a.shape)
        outside += is_outside
        expected = base_of(a)(place) if is_outside else a(place)
        if r(c) != expected:
            return {"A": a, "B": b, "R": r, "coordinate": c, "expected": expected, "got": r(c)}
    said = (answer.out_of_range, answer.exact, answer.in_bounds)
    if said != (outside, outside == 0, outside == 0):
        return {"A": a, "B": b, "outside": outside, "said": said}
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


def _first_mode(pair: tuple[Layout, Layout], mode: int = 0) -> Counterexample:
    a, b = pair
    r = _divided(a, b)
    wrong = None if r is None else composition_wrong(r[mode], a, b)
    return wrong and {"A": a, "B": b, "R": r, **wrong}


def _divisible() -> Iterator[tuple[Layout, Layout]]:
    return filter(_divides, _operands())


def _trailing_one(a: str) -> Counterexample:
    """(6,1):(1,4) divides by 4 as 6:1 does: in bounds the same, outside the extension of 6:1."""
    r = _divided(layout(a), Layout(4, 1))
    if r is None:
        return {"A": a, "got": "refused"}
    for i, place in enumerate(table_of(Layout((4, 2)))):
        if r(i) != place:
            return {"A": a, "index": i, "expected": place, "got": r(i)}
    return None


_BOUND = bounded(
    "A of one mode, sizes 6, 8, 12, strides 1 and 3, of two, sizes 2 to 4, strides 1 and 5, (6,1):(1,4), (4,6):(6,1); "
    "B of one mode, sizes to 4, strides 1 to 3, of two, sizes 2 and 3, strides 1 to 4 and 6"
)

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
            "(8:3, 3:1) onto Z_24": on(_with_8_3, "3:1", "2:1"),
            "every element once": on(_elements_of_24, lambda: layout("(8,3):(9,3)"), lambda: layout("(8,3):(9,4)")),
            "ours": on(
                equals(layout("(8,3):(9,3)")),
                lambda: logical_divide(layout("24:3"), layout("8:3")),
                lambda: logical_divide(layout("24:3"), layout("8:1")),
            ),
        },
        "(8:3, 2:1) does, (8,3):(9,4) has each once, and 24:3 ⊘ 8:1 is the same",
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
        given(),
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
            "bijection": on(_with_8_3, "3:1", "4:1"),
            "disjoint in bounds": on(
                lambda star: images_meet(layout("8:3"), star, range(1, volume(star.shape))),
                layout("3:1"),
                layout("4:1"),
            ),
            "ours": on(
                equals(layout("3:1")), lambda: complement(layout("8:3"), 24), lambda: complement(layout("8:3"), 48)
            ),
            "[28] of (3,1):(1,24)": on(
                lambda star: not_complement(layout("8:3"), star), layout("(3,1):(1,24)"), layout("(4,1):(1,24)")
            ),
            "ours, extended": on(
                equals(layout("(3,1):(1,24)")),
                lambda: extended_complement(layout("8:3")),
                lambda: extended_complement(layout("9:3")),
            ),
        },
        "4:1 is bounded and disjoint, and (4,1):(1,24) is that by [28]",
        doubts=(1,),
    ),
    row_claim(
        "divide.row.by-mode",
        "paper §3.5.2",
        f"(8,16):(20,1) ⊘ {_TILER} = {_BY_MODE}: four rows of each half, every other column",
        {
            "every place": on(_by_mode_row, lambda: layout(_BY_MODE), lambda: perturbed(layout(_BY_MODE))),
            "ours": on(equals(layout(_BY_MODE)), _formed(logical_divide), _formed(zipped_divide)),
        },
        f"it is {perturbed(layout(_BY_MODE))}, or zipped",
    ),
    row_claim(
        "divide.zipped",
        "paper §3.5.2",
        "zipped_divide gathers the tiles in mode 0 and the rests in mode 1; tiled and flat divide ungroup them: "
        "(tile, rest₀, rest₁) and (tile₀, tile₁, rest₀, rest₁), the same function of the index",
        {
            "every place": on(_zipped, _formed(zipped_divide), lambda: perturbed(_formed(zipped_divide)())),
            "zipped": on(equals(layout(_ZIPPED)), _formed(zipped_divide), _formed(logical_divide)),
            "tiled": on(equals(layout(_TILED)), _formed(tiled_divide), _formed(zipped_divide)),
            "flat": on(equals(layout(_FLAT)), _formed(flat_divide), _formed(tiled_divide)),
            "the index": on(
                lambda forms: next((w for form in forms if (w := differs(form, layout(_ZIPPED)))), None),
                lambda: [layout(_TILED), layout(_FLAT)],
                lambda: [layout(_BY_MODE)],
            ),
        },
        "Each groups as the one before it does, and the logical divide is the same function of the index",
    ),
    Claim(
        "divide.reflexive-inverse",
        "paper §3.5.2, [30] [31]; what is in doubt, 2",
        "Where B*_N exists, B★ = (B, B*_N) is onto Z_N, and its right inverse B⁺ is a layout with B★B⁺B★ = B★ "
        "and B⁺B★B⁺ = B⁺",
        lambda: for_all(tilers(), _reflexive, "tilers and sizes, at every index"),
        Mutant("B⁺ = B★ serves", lambda: for_all(tilers(), lambda c: _reflexive(c, lambda star: star))),
        first(tilers, lambda c: chain_top(c[0]) is not None and c[0].modes[0][1] > 1, show),
        bounded(
            "B of one mode, sizes to 4, strides 1 to 3, of two, sizes 2 and 3, strides 1 to 4, 6, 8; N = 12 and 24"
        ),
        doubts=(1, 2),
    ),
    Claim(
        "divide.definition",
        "paper §3.5.2; what is in doubt, 1 and 2",
        "A⊘B exists iff B*_|A| and coalesce(A)∘(B,B*) do; inside it is A at the completed tiler, outside it extends "
        "coalesce(A), and what is outside is counted",
        lambda: for_all(_operands(), _definition, "pairs, at every coordinate"),
        Mutant(
            "A itself in place of coalesce(A) will do",
            lambda: for_all(_operands(), lambda p: _definition(p, lambda a: a)),
        ),
        first(_operands, lambda p: _divided(*p) is not None and volume(p[1].shape) > 2, show),
        _BOUND,
        doubts=(1, 2),
    ),
    Claim(
        "divide.multiset",
        "paper §3.5.2",
        "Where top divides |A| the divide has A's elements, each as often as A",
        lambda: for_all(_divisible(), _multiset, "pairs"),
        Mutant("It always has", lambda: for_all(_operands(), _multiset)),
        first(_operands, lambda p: _divides(p) and p[1].modes[0][1] > 1, show),
        _BOUND,
        doubts=(2,),
    ),
    Claim(
        "divide.first-mode",
        "paper §3.5.2",
        "Where top divides |A| the first mode of A⊘B is A∘B: the elements that B points to",
        lambda: for_all(_divisible(), _first_mode, "pairs, at every coordinate"),
        Mutant("The second mode is", lambda: for_all(_divisible(), lambda p: _first_mode(p, 1))),
        first(_operands, lambda p: _divides(p) and len(image(p[1])) > 2, show),
        _BOUND,
    ),
    row_claim(
        "divide.trailing-one",
        "ours; paper §3.5.2 with §2.2",
        "(6,1):(1,4) and 6:1 divide by 4 alike: a trailing mode of size 1 does not decide whether a divide exists",
        {
            "(6,1):(1,4)": on(_trailing_one, "(6,1):(1,4)", "(3,2):(1,4)"),
            "6:1": on(_trailing_one, "6:1", "6:2"),
            "A∘(B,B*) itself does not exist": on(
                is_wrong(composition_missing, "it exists"),
                (layout("(6,1):(1,4)"), layout("(4,2):(1,4)")),
                (layout("6:1"), layout("(4,2):(1,4)")),
            ),
        },
        "(3,2):(1,4) and 6:2 do, and 6:1∘(4,2):(1,4) does not exist",
        doubts=(1, 4),
    ),
)
