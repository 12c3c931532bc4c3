"""Section 3.5.1: the logical product, blocked and raked."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.complement import extended_complement
from ...model.errors import ProductRefuted
from ...model.layout import Layout
from ...model.notation import layout
from ...model.product import (
    blocked_product,
    flat_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)
from ..claim import Claim, Counterexample, Mutant, exists, for_all
from ..definitions import composition_missing, flat_layouts, image, naturals, perturbed, table_of, together, volume
from ..verdict import bounded
from .complement import not_complement
from .rows import exhibit, first, row_claim, same, show

A, B = "(3,4):(4,1)", "(2,5):(1,2)"
_ROW = "((3,4),(2,5)):((4,1),(12,24))"
_BLOCKED = "((3,2),(4,5)):((4,12),(1,24))"
_RAKED = "((2,3),(5,4)):((12,4),(24,1))"


def not_product(r: Layout, a: Layout, b: Layout) -> Counterexample:
    """What breaks A⊗B = (A, A*∘B): mode 0 is A, and mode 1 at c is A*(B(c)), A* a complement of A by [28]."""
    star = extended_complement(a)
    wrong = not_complement(a, star)
    if wrong:
        return {"A*": star, **wrong}
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
    operation = raked_product if is_raked else blocked_product
    other = _BLOCKED if is_raked else _RAKED
    return row_claim(
        f"product.{name}",
        "paper §3.5.1",
        f"{name}: {text} sets the tile {A} {'by turns' if is_raked else 'as a block'} at each place of {B}",
        {"every cell of 6×20": lambda: _cells(R, is_raked), "ours": same(lambda: operation(layout(A), layout(B)), R)},
        f"{other} does",
        lambda: _cells(layout(other), is_raked),
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


def _definition(pair: tuple[Layout, Layout]) -> Counterexample:
    a, b = pair
    r = _product(a, b)
    if r is None:
        missing = composition_missing(extended_complement(a), b)
        return None if missing else {"A": a, "B": b, "got": "refused", "expected": "a product"}
    wrong = not_product(r, a, b)
    return wrong and {"A": a, "B": b, "R": r, **wrong}


def _injective(pair: tuple[Layout, Layout]) -> Counterexample:
    """For a one-to-one A, the product is one-to-one iff B is: different elements of B become disjoint shifts of A."""
    a, b = pair
    r = _product(a, b)
    if r is None:
        return None
    got, expected = len(image(r)) == volume(r.shape), len(image(b)) == volume(b.shape)
    return None if got == expected else {"A": a, "B": b, "R": r, "expected": expected, "got": got}


def _always_injective(pair: tuple[Layout, Layout]) -> Counterexample:
    r = _product(*pair)
    if r is None or len(image(r)) == volume(r.shape):
        return None
    return {"A": pair[0], "B": pair[1], "R": r}


def _cosize(pair: tuple[Layout, Layout]) -> Counterexample:
    """The mutant: shifts are |A| apart."""
    a, b = pair
    r = _product(a, b)
    if r is None or b != Layout(2, 1):
        return None
    return None if r[1](1) == volume(a.shape) else {"A": a, "B": b, "R": r, "got": r[1](1), "expected": volume(a.shape)}


def _forms() -> Counterexample:
    logical = logical_product(layout(A), layout(B))
    for operation in (zipped_product, tiled_product, flat_product):
        r = operation(layout(A), layout(B))
        if sorted(table_of(r)) != sorted(table_of(logical)) or table_of(r) != table_of(logical):
            return {"form": operation.__name__, "got": r}
    return None


_BOUND = bounded("one-to-one A of rank 2, sizes to 3, strides to 6; B of rank 2, sizes to 3, strides to 3")

CLAIMS: tuple[Claim, ...] = (
    row_claim(
        "product.logical",
        "paper §3.5.1",
        f"{A} ⊗ {B} = {_ROW}",
        {
            "(A, A*∘B)": lambda: not_product(layout(_ROW), layout(A), layout(B)),
            "ours": same(lambda: logical_product(layout(A), layout(B)), layout(_ROW)),
        },
        f"{A} ⊗ {B} = {perturbed(layout(_ROW))}",
        lambda: not_product(perturbed(layout(_ROW)), layout(A), layout(B)),
    ),
    _zipped_row("blocked", _BLOCKED, False),
    _zipped_row("raked", _RAKED, True),
    row_claim(
        "product.forms",
        "paper §3.5.1",
        "Zipped, tiled and flat product regroup the modes of the logical one: the function of the index is the same",
        {"tables": _forms},
        "So does the blocked one",
        lambda: (
            None
            if table_of(blocked_product(layout(A), layout(B))) == table_of(logical_product(layout(A), layout(B)))
            else {"got": blocked_product(layout(A), layout(B))}
        ),
    ),
    Claim(
        "product.definition",
        "paper §3.5.1",
        "logical_product is (A, A*∘B) with A* a complement by [28], and is refused only where A*∘B does not exist",
        lambda: for_all(_operands(), _definition, "pairs, at every coordinate"),
        Mutant("The shifts of A are |A| apart", lambda: for_all(_operands(), _cosize)),
        first(_operands, lambda p: isinstance(p[1].shape, tuple) and _product(*p) is not None, show),
        _BOUND,
    ),
    Claim(
        "product.disjoint-shifts",
        "paper §3.5.1; ours",
        "For a one-to-one A the product is one-to-one iff B is: each element of B becomes a shift of A of its own",
        lambda: for_all(_operands(), _injective, "pairs"),
        Mutant("It is one-to-one whatever B is", lambda: for_all(_operands(), _always_injective)),
        first(_operands, lambda p: len(image(p[1])) == volume(p[1].shape) and _product(*p) is not None, show),
        _BOUND,
    ),
    Claim(
        "product.any-complement",
        "ours; what is in doubt, 7",
        "With some other complement in the sense of [28] the shifts of A meet",
        lambda: exists(
            [(layout("(4,8):(1,5)"), layout("(2,1):(4,40)"), Layout(2, 1))],
            lambda t: (
                None
                if not_complement(t[0], t[1]) or len(image(together(t[0], t[1]))) == 64
                else {"A": t[0], "A*": t[1], "B": t[2], "distinct": len(image(together(t[0], t[1]))), "of": 64}
            ),
        ),
        Mutant(
            "With the extended complement they meet",
            lambda: exists(
                [layout("(4,8):(1,5)")],
                lambda a: (
                    None
                    if len(image(logical_product(a, Layout(2, 1)))) == 64
                    else {"A": a, "R": logical_product(a, Layout(2, 1))}
                ),
            ),
        ),
        exhibit("(2,1):(4,40) satisfies [28] for (4,8):(1,5)"),
        doubts=(7,),
    ),
)
