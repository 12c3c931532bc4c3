"""Products: A repeated where B says (paper §3.5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .answer import Answer
from .complement import decide_extended_complement
from .composition import decide_composition
from .errors import ComplementRefuted, CompositionRefuted, InputError, ProductRefuted, Witness
from .htuple import text_of
from .layout import Layout, plain, size
from .tiler import Tiler, as_layout, by_mode, joined


def logical_product(layout: Layout, tiler: Tiler) -> Layout:
    """A⊗B = (A, A*∘B), A* the extended complement of A; by mode for a tuple of tilers, None keeps a mode.

    Every element of B is replaced by a shift of A; shifts of different offsets of B do not meet. Refused for an A
    with a negative offset, and where A*∘B is no layout.

    >>> from .notation import layout
    >>> str(logical_product(layout("(3,4):(4,1)"), layout("(2,5):(1,2)")))
    '((3,4),(2,5)):((4,1),(12,24))'
    """
    return decide_product(layout, tiler).result


def blocked_product(layout: Layout, tiler: Tiler) -> Layout:
    """The logical product with the modes of A and B zipped, A's first; the lower rank is padded with 1:0.

    Parts of size 1 are left out of the zipped modes, as CuTe does.

    >>> from .notation import layout
    >>> str(blocked_product(layout("(3,4):(4,1)"), layout("(2,5):(1,2)")))
    '((3,2),(4,5)):((4,12),(1,24))'
    """
    return decide_product(layout, tiler, "blocked").result


def raked_product(layout: Layout, tiler: Tiler) -> Layout:
    """The logical product with the modes of A and B zipped, B's first: A is raked over B.

    >>> from .notation import layout
    >>> str(raked_product(layout("(3,4):(4,1)"), layout("(2,5):(1,2)")))
    '((2,3),(5,4)):((12,4),(24,1))'
    """
    return decide_product(layout, tiler, "raked").result


def zipped_product(layout: Layout, tiler: Tiler) -> Layout:
    """The logical product with the modes of A gathered in mode 0 and those of the repetition in mode 1.

    >>> str(zipped_product(Layout((4, 2)), (3, None)))
    '((4),(3,2)):((1),(4,4))'
    """
    return decide_product(layout, tiler, "zipped").result


def tiled_product(layout: Layout, tiler: Tiler) -> Layout:
    """The zipped product with the modes of the repetition side by side: (A, b₀, b₁, …).

    >>> from .notation import layout
    >>> str(tiled_product(layout("(3,4):(4,1)"), layout("(2,5):(1,2)")))
    '((3,4),2,5):((4,1),12,24)'
    """
    return decide_product(layout, tiler, "tiled").result


def flat_product(layout: Layout, tiler: Tiler) -> Layout:
    """The zipped product with all modes side by side: (a₀, a₁, …, b₀, b₁, …).

    >>> from .notation import layout
    >>> str(flat_product(layout("(3,4):(4,1)"), layout("(2,5):(1,2)")))
    '(3,4,2,5):(4,1,12,24)'
    """
    return decide_product(layout, tiler, "flat").result


def tile_to_shape(layout: Layout, shape: tuple[int, ...], order: tuple[int, ...] | None = None) -> Layout:
    """The layout repeated until it fills ``shape``, mode by mode; ``order`` ranks the modes, the lowest fastest.

    ProductRefuted where a mode of the layout does not divide its target.

    >>> str(tile_to_shape(Layout((8, 64), (64, 1)), (16, 128), (1, 0)))
    '((8,2),(64,2)):((64,1024),(1,512))'
    >>> tile_to_shape(Layout((8, 16), (16, 1)), (4, 16))
    Traceback (most recent call last):
    ...
    veritile.model.errors.ProductRefuted: (8,16):(16,1) does not tile (4,16): 8 does not divide 4 in mode 0 \
(mode 0, size 8, target 4)
    """
    if not isinstance(shape, tuple) or len(shape) < len(layout) or any(type(n) is not int or n < 1 for n in shape):
        raise InputError(f"the target {text_of(shape)} needs a positive size for each mode of {layout}")
    ranks = tuple(range(len(shape))) if order is None else tuple(order)
    if len(ranks) != len(shape) or len(set(ranks)) != len(shape):
        raise InputError(f"the order {text_of(ranks)} does not rank {len(shape)} modes")
    modes = [size(mode) for mode in layout] + [1] * (len(shape) - len(layout))
    for k, (have, want) in enumerate(zip(modes, shape, strict=True)):
        if want % have:
            raise ProductRefuted(
                f"{layout} does not tile {text_of(shape)}: {have} does not divide {want} in mode {k}",
                Witness("outside", {"mode": k, "size": have, "target": want}),
            )
    stride, reach = [0] * len(shape), 1
    for k in sorted(range(len(shape)), key=lambda k: ranks[k]):
        stride[k] = reach
        reach *= shape[k] // modes[k]
    repeats = Layout(tuple(want // have for have, want in zip(modes, shape, strict=True)), tuple(stride))
    return blocked_product(_padded(layout, len(shape)), repeats)


FORMS = ("logical", "blocked", "raked", "zipped", "tiled", "flat")


def decide_product(layout: Layout, tiler: Tiler, form: str = "logical") -> Answer:
    """The product in one of FORMS with its evidence; ``exact`` when A's shifts can fill every offset."""
    if form not in FORMS:
        raise InputError(f"a product is {', '.join(FORMS)}, not {form}")
    plain(layout, "a product")
    if isinstance(tiler, (tuple, list)):
        return _by_mode(layout, tuple(tiler), form)
    b = as_layout(tiler)
    a = layout
    if form in ("blocked", "raked"):
        rank = max(len(a), len(b))
        a, b = _padded(a, rank), _padded(b, rank)
    repeated, evidence, exact = _repeat(a, b)
    if form == "logical":
        result = joined([a, repeated])
    elif form in ("blocked", "raked"):
        pairs = zip(a, repeated, strict=True)
        result = joined([_zipped(*(pair if form == "blocked" else pair[::-1])) for pair in pairs])
    else:
        result = _arranged(a, repeated, form)
    return Answer(result, evidence, exact=exact)


def _repeat(a: Layout, b: Layout) -> tuple[Layout, tuple[str, ...], bool]:
    """A*∘B, or the refusal."""
    try:
        extended = decide_extended_complement(a)
        composed = decide_composition(extended.result, b)
    except (ComplementRefuted, CompositionRefuted) as refusal:
        raise ProductRefuted(f"{a} is not repeated over {b}: {refusal.reason}", refusal.witness) from None
    evidence = tuple(dict.fromkeys((*extended.evidence, *composed.evidence)))
    return composed.result, evidence, bool(extended.exact)


def _by_mode(layout: Layout, tiler: tuple[Any, ...], form: str) -> Answer:
    if form in ("blocked", "raked"):
        raise InputError(f"a {form} product takes a layout to repeat over, not a tiler by mode")
    pieces = _product(layout, tiler)
    if form == "logical":
        result = pieces.logical
    elif pieces.tile is None:
        raise InputError("a tiler of `_` alone repeats nothing")
    else:
        result = _arranged(pieces.tile, pieces.rest, form)
    return Answer(result, tuple(dict.fromkeys(pieces.evidence)), exact=pieces.exact)


@dataclass(frozen=True)
class _Pieces:
    """One product by mode: its logical form, what is repeated (None: nothing), the repetition, and what is known."""

    logical: Layout
    tile: Layout | None
    rest: Layout
    evidence: tuple[str, ...] = ()
    exact: bool = True


def _product(layout: Layout, tiler: Tiler) -> _Pieces:
    if tiler is None:
        return _Pieces(layout, None, layout)
    if not isinstance(tiler, (tuple, list)):
        repeated, evidence, exact = _repeat(layout, as_layout(tiler))
        return _Pieces(joined([layout, repeated]), layout, repeated, evidence, exact)
    parts = [_product(mode, part) for mode, part in by_mode(layout, tuple(tiler))]
    tiles = [part.tile for part in parts if part.tile is not None]
    return _Pieces(
        joined([part.logical for part in parts]),
        joined(tiles) if tiles else None,
        joined([part.rest for part in parts]),
        tuple(how for part in parts for how in part.evidence),
        all(part.exact for part in parts),
    )


def _arranged(a: Layout, repeated: Layout, form: str) -> Layout:
    left = list(a) if form == "flat" else [a]
    right = [repeated] if form == "zipped" else list(repeated)
    return joined(left + right)


def _zipped(first: Layout, second: Layout) -> Layout:
    parts = [part for part in (first, second) if size(part) > 1]
    return joined(parts) if len(parts) == 2 else (parts or [first])[0]


def _padded(layout: Layout, rank: int) -> Layout:
    modes = list(layout)
    return joined(modes + [Layout.of(1, 0)] * (rank - len(modes)))


__all__ = [
    "FORMS",
    "blocked_product",
    "decide_product",
    "flat_product",
    "logical_product",
    "raked_product",
    "tile_to_shape",
    "tiled_product",
    "zipped_product",
]
