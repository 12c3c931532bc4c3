"""Section 3.5.1: the logical product, blocked and raked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.complement import extended_complement
from ...model.errors import CompositionRefuted, ProductRefuted
from ...model.layout import Layout
from ...model.notation import layout
from ...model.product import (
    blocked_product,
    decide_product,
    flat_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)
from ..claim import Claim, Counterexample, Mutant, exists, for_all
from ..definitions import composition_missing, congruent, differs, flat_layouts, image, naturals, perturbed, volume
from ..verdict import bounded
from .complement import chain_top, not_complement
from .composition import refusal_wrong
from .rows import equals, exhibit, first, on, row_claim, show

A, B = "(3,4):(4,1)", "(2,5):(1,2)"
_ROW = "((3,4),(2,5)):((4,1),(12,24))"
_TILED = "((3,4),2,5):((4,1),12,24)"
_FLAT = "(3,4,2,5):(4,1,12,24)"
_BLOCKED = "((3,2),(4,5)):((4,12),(1,24))"
_RAKED = "((2,3),(5,4)):((12,4),(24,1))"


def not_product(
    r: Layout, a: Layout, b: Layout, star_of: Callable[[Layout], Layout] = extended_complement
) -> Counterexample:
    """What breaks A⊗B = (A, A*∘B): mode 0 is A, and mode 1 at c is A*(B(c)), A* a complement of A by [28]."""
    star = star_of(a)
    wrong = not_complement(a, star)
    if wrong:
        return {"A*": star, **wrong}
    if len(r) != 2 or not congruent(r[0].shape, a.shape) or volume(r[1].shape) != volume(b.shape):
        return {"got": r, "expected": f"two modes, of {a.shape} and {b.shape}"}
    for c in naturals(a.shape):
        if r[0](c) != a(c):
            return {"mode": 0, "coordinate": c, "expected": a(c), "got": r[0](c)}
    for c in naturals(b.shape):
        if r[1](c) != star(b(c)):
            return {"mode": 1, "coordinate": c, "expected": star(b(c)), "got": r[1](c)}
    return None


def _cells(r: Layout, is_raked: bool) -> Counterexample:
    """A 6×20 table: blocked, cell (i,j) is place (i mod 3, j mod 4) of tile (i div 3, j div 4); raked, tile first."""
    if (volume(r[0].shape), volume(r[1].shape)) != (6, 20):
        return {"expected": "6×20", "got": r}
    for i in range(6):
        for j in range(20):
            if is_raked:
                tile_row, row, tile_column, column = i % 2, i // 2, j % 5, j // 5
            else:
                row, tile_row, column, tile_column = i % 3, i // 3, j % 4, j // 4
            expected = (4 * row + column) + 12 * (tile_row + 2 * tile_column)
            if r((i, j)) != expected:
                return {"coordinate": (i, j), "expected": expected, "got": r((i, j))}
    return None


def _zipped_row(name: str, text: str, is_raked: bool) -> Claim:
    R = layout(text)
    operation, swapped = (raked_product, blocked_product) if is_raked else (blocked_product, raked_product)
    other = _BLOCKED if is_raked else _RAKED
    return row_claim(
        f"product.{name}",
        "paper §3.5.1",
        f"{name}: {text} sets the tile {A} {'by turns' if is_raked else 'as a block'} at each place of {B}",
        {
            "every cell of 6×20": on(lambda R: _cells(R, is_raked), R, layout(other)),
            "ours": on(equals(R), lambda: operation(layout(A), layout(B)), lambda: swapped(layout(A), layout(B))),
        },
        f"{other} does",
    )


def _operands() -> Iterator[tuple[Layout, Layout]]:
    firsts = [a for a in flat_layouts(2, (2, 3), (0, 1, 2, 3, 4, 6)) if len(image(a)) == volume(a.shape)]
    seconds = [*flat_layouts(1, (2, 3), (0, 1, 2)), *flat_layouts(2, (2, 3), (1, 2, 3))]
    return ((a, b) for a in firsts for b in seconds)


def _product(a: Layout, b: Layout) -> Layout | None:
    try:
        return logical_product(a, b)
    except ProductRefuted:
        return None


def _definition(
    pair: tuple[Layout, Layout], star_of: Callable[[Layout], Layout] = extended_complement
) -> Counterexample:
    a, b = pair
    try:
        answer = decide_product(a, b)
    except ProductRefuted as refusal:
        missing = composition_missing(extended_complement(a), b)
        if not missing:
            return {"A": a, "B": b, "got": "refused", "expected": "a product"}
        return refusal_wrong(extended_complement(a), b, CompositionRefuted(refusal.reason, refusal.witness))
    wrong = not_product(answer.result, a, b, star_of)
    if not wrong and answer.exact != (chain_top(a) is not None):
        wrong = {"exact": answer.exact, "expected": chain_top(a) is not None}
    return wrong and {"A": a, "B": b, "R": answer.result, **wrong}


def _size_apart(a: Layout) -> Layout:
    """The mutant's complement: the shifts of A are |A| apart."""
    return Layout(1, volume(a.shape))


def _injective(pair: tuple[Layout, Layout], is_any: bool = False) -> Counterexample:
    """For a one-to-one A, the product is one-to-one iff B is: different elements of B become disjoint shifts of A."""
    a, b = pair
    r = _product(a, b)
    if r is None:
        return None
    got, expected = len(image(r)) == volume(r.shape), is_any or len(image(b)) == volume(b.shape)
    return None if got == expected else {"A": a, "B": b, "R": r, "expected": expected, "got": got}


def _meet(case: tuple[Layout, Layout]) -> Counterexample:
    """Shifts of A by the first two offsets of a complement A* that meet."""
    a, star = case
    if not_complement(a, star):
        return None
    moved = [{x + star(i) for x in image(a)} for i in (0, 1)]
    both = moved[0] & moved[1]
    return {"A": a, "A*": star, "offset": min(both)} if both else None


def _formed(operation: Callable[[Layout, Layout], Layout]) -> Callable[[], Layout]:
    return lambda: operation(layout(A), layout(B))


_BOUND = bounded(
    "one-to-one A of two modes, sizes 2 and 3, strides 0 to 4 and 6; B of one mode, strides 0 to 2, of two, strides 1 "
    "to 3, sizes 2 and 3"
)

CLAIMS: tuple[Claim, ...] = (
    row_claim(
        "product.logical",
        "paper §3.5.1",
        f"{A} ⊗ {B} = {_ROW}",
        {
            "(A, A*∘B)": on(
                lambda R: not_product(R, layout(A), layout(B)), lambda: layout(_ROW), lambda: perturbed(layout(_ROW))
            ),
            "ours": on(
                equals(layout(_ROW)),
                lambda: logical_product(layout(A), layout(B)),
                lambda: logical_product(layout(A), layout("(2,5):(1,3)")),
            ),
        },
        f"{A} ⊗ {B} = {perturbed(layout(_ROW))}, and {A} ⊗ (2,5):(1,3) = {_ROW}",
    ),
    _zipped_row("blocked", _BLOCKED, False),
    _zipped_row("raked", _RAKED, True),
    row_claim(
        "product.forms",
        "paper §3.5.1",
        "Zipped, tiled and flat product keep the logical one's function of the index and group its modes: (A, all "
        "shifts), (A, b₀, b₁), (a₀, a₁, b₀, b₁)",
        {
            "zipped": on(equals(layout(_ROW)), _formed(zipped_product), _formed(tiled_product)),
            "tiled": on(equals(layout(_TILED)), _formed(tiled_product), _formed(zipped_product)),
            "flat": on(equals(layout(_FLAT)), _formed(flat_product), _formed(tiled_product)),
            "the index": on(
                lambda forms: next((w for form in forms if (w := differs(form, layout(_ROW)))), None),
                lambda: [layout(_TILED), layout(_FLAT)],
                lambda: [layout(_BLOCKED)],
            ),
        },
        "Each groups as the next does, and the blocked one is that function of the index",
    ),
    Claim(
        "product.definition",
        "paper §3.5.1",
        "logical_product is (A, A*∘B) with A* a complement by [28], exact where A's shifts can reach every offset, and "
        "is refused only where A*∘B does not exist, with a witness of that",
        lambda: for_all(_operands(), _definition, "pairs, at every coordinate"),
        Mutant("A* is 1:|A|", lambda: for_all(_operands(), lambda p: _definition(p, _size_apart))),
        first(_operands, lambda p: isinstance(p[1].shape, tuple) and _product(*p) is not None, show),
        _BOUND,
    ),
    Claim(
        "product.disjoint-shifts",
        "paper §3.5.1; ours",
        "For a one-to-one A the product is one-to-one iff B is: each element of B becomes a shift of A of its own",
        lambda: for_all(_operands(), _injective, "pairs"),
        Mutant("It is one-to-one whatever B is", lambda: for_all(_operands(), lambda p: _injective(p, True))),
        first(_operands, lambda p: len(image(p[1])) == volume(p[1].shape) and _product(*p) is not None, show),
        _BOUND,
    ),
    Claim(
        "product.any-complement",
        "ours; what is in doubt, 7",
        "With some other complement in the sense of [28] the shifts of A meet",
        lambda: exists([(layout("(4,8):(1,5)"), layout("(2,1):(4,40)"))], _meet, "complements"),
        Mutant(
            "With the extended complement they meet",
            lambda: exists(
                [(a, extended_complement(a)) for a in (layout("(4,8):(1,5)"), layout("(2,3):(1,3)"))], _meet
            ),
        ),
        exhibit(
            "(2,1):(4,40) satisfies [28] and [29] for (4,8):(1,5)",
            lambda: not_complement(layout("(4,8):(1,5)"), layout("(2,1):(4,40)")) is None,
        ),
        doubts=(7,),
    ),
)
