"""Divides: A split into tiles that B points to and the rest (paper §3.5.2, [30] and [31])."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .answer import Answer
from .coalesce import coalesce
from .complement import decide_complement
from .composition import decide_composition
from .errors import ComplementRefuted, CompositionRefuted, DivideRefuted, InputError
from .layout import Layout, plain, size
from .tiler import Tiler, as_layout, by_mode, joined


def logical_divide(layout: Layout, tiler: Tiler) -> Layout:
    """A⊘B = A∘(B, B*), B* the bounded complement of B for |A|; by mode for a tuple of tilers, None keeps a mode.

    (B, B*) is a bijection onto Z_M with M ≥ |A|. Where M = |A| every element of A appears once. Else the last tiles
    are ragged: M − |A| coordinates fall outside, and their values extend coalesce(A) past its end, so that a trailing
    mode of size 1 does not decide whether a divide exists. Refused with the witness of the complement or of the
    composition.

    >>> from .notation import layout
    >>> str(logical_divide(layout("24:3"), layout("8:3")))
    '(8,3):(9,3)'
    >>> str(logical_divide(layout("(8,16):(20,1)"), (layout("4:1"), layout("8:2"))))
    '((4,2),(8,2)):((20,80),(2,1))'
    """
    return decide_divide(layout, tiler).result


def zipped_divide(layout: Layout, tiler: Tiler) -> Layout:
    """The logical divide with the tiles gathered in mode 0 and the rests in mode 1.

    >>> str(zipped_divide(Layout((8, 6, 4)), (4, 3)))
    '((4,3),(2,2,4)):((1,8),(4,24,48))'
    """
    return decide_divide(layout, tiler, "zipped").result


def tiled_divide(layout: Layout, tiler: Tiler) -> Layout:
    """The zipped divide with the modes of the rest side by side: (tile, rest₀, rest₁, …).

    >>> str(tiled_divide(Layout((8, 6, 4)), (4, 3)))
    '((4,3),2,2,4):((1,8),4,24,48)'
    """
    return decide_divide(layout, tiler, "tiled").result


def flat_divide(layout: Layout, tiler: Tiler) -> Layout:
    """The zipped divide with all modes side by side: (tile₀, tile₁, …, rest₀, rest₁, …).

    >>> str(flat_divide(Layout((8, 6, 4)), (4, 3)))
    '(4,3,2,2,4):(1,8,4,24,48)'
    """
    return decide_divide(layout, tiler, "flat").result


FORMS = ("logical", "zipped", "tiled", "flat")


def decide_divide(layout: Layout, tiler: Tiler, form: str = "logical") -> Answer:
    """The divide in one of FORMS with its evidence; ``exact`` and ``out_of_range`` tell what is ragged."""
    if form not in FORMS:
        raise InputError(f"a divide is {', '.join(FORMS)}, not {form}")
    pieces = _divide(plain(layout, "a divide"), _tuples(tiler))
    if form == "logical":
        result = pieces.logical
    else:
        if pieces.tile is None:
            raise InputError("a tiler of `_` alone divides nothing")
        left = [pieces.tile] if form != "flat" else _modes(pieces.tile)
        right = [pieces.rest] if form == "zipped" else _modes(pieces.rest)
        result = joined(left + right)
    outside = pieces.covered - size(layout)
    notes: tuple[str, ...] = ()
    if outside:
        notes = (f"ragged: {outside} of {pieces.covered} coordinates fall outside, {_outside_text(pieces)}",)
    return Answer(
        result,
        tuple(dict.fromkeys(pieces.evidence)),
        in_bounds=not outside,
        exact=not outside,
        out_of_range=outside,
        notes=notes,
    )


@dataclass(frozen=True)
class _Pieces:
    """One divide: the logical form, its tile and rest, and what is covered.

    ``ragged`` lists (mode path, size, covered) of the divided modes whose tiles reach beyond them.
    """

    logical: Layout
    tile: Layout | None
    rest: Layout
    covered: int
    evidence: tuple[str, ...]
    ragged: tuple[tuple[tuple[int, ...], int, int], ...]


def _divide(layout: Layout, tiler: Tiler, path: tuple[int, ...] = ()) -> _Pieces:
    if tiler is None:
        return _Pieces(layout, None, layout, size(layout), (), ())
    if not isinstance(tiler, tuple):
        return _divide_one(layout, as_layout(tiler), path)
    parts = [_divide(mode, part, (*path, i)) for i, (mode, part) in enumerate(by_mode(layout, tiler))]
    covered = 1
    for part in parts:
        covered *= part.covered
    tiles = [part.tile for part in parts if part.tile is not None]
    return _Pieces(
        joined([part.logical for part in parts]),
        joined(tiles) if tiles else None,
        joined([part.rest for part in parts]),
        covered,
        tuple(how for part in parts for how in part.evidence),
        tuple(r for part in parts for r in part.ragged),
    )


def _divide_one(layout: Layout, tile: Layout, path: tuple[int, ...]) -> _Pieces:
    if tile.semimodule != "integer":
        raise InputError(f"the tile {tile} gives {tile.semimodule} offsets: divide by integers, or by mode")
    try:
        completed = decide_complement(tile, size(layout))
    except ComplementRefuted as refusal:
        raise DivideRefuted(f"{layout} is not divided by {tile}: {refusal.reason}", refusal.witness) from None
    both = joined([tile, completed.result])
    try:
        divided = decide_composition(coalesce(layout), both)
    except CompositionRefuted as refusal:
        raise DivideRefuted(f"{layout} is not divided by {tile}: {refusal.reason}", refusal.witness) from None
    result = divided.result
    covered = size(both)
    ragged = ((path, size(layout), covered),) if covered != size(layout) else ()
    evidence = (*completed.evidence, *divided.evidence)
    return _Pieces(result, result[0], result[1], covered, evidence, ragged)


def _outside_text(pieces: _Pieces) -> str:
    """Which coordinates fall outside: those whose place in a divided mode is at least its size."""
    parts = []
    for path, inside, covered in pieces.ragged:
        where = "the layout" if not path else "mode " + ".".join(map(str, path))
        parts.append(f"at places {inside} to {covered - 1} of {where}")
    return " or ".join(parts)


def _modes(layout: Layout) -> list[Layout]:
    return list(layout) if isinstance(layout.shape, tuple) else [layout]


def _tuples(tiler: Any) -> Tiler:
    return tuple(_tuples(t) for t in tiler) if isinstance(tiler, (tuple, list)) else tiler


__all__ = ["FORMS", "decide_divide", "flat_divide", "logical_divide", "tiled_divide", "zipped_divide"]
