"""Whether the witness of a refusal refutes what was refused, judged on tables.

A witness is plain data: ``{"kind": …, …}``. What counts, kind by kind:

``difference``   at ``coordinate`` (``index`` in colexicographic order) the definition gives ``expected``, not ``got``
``run``          the same, and ``run`` elements do not divide ``size``
``collision``    ``coordinate`` and ``other`` differ and both have ``offset``
``negative``     ``coordinate`` has the ``offset``, which is below zero
``unreachable``  every translate that holds ``offset`` meets those that every tiling needs, for some modes alone
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from . import brute
from .brute import HTuple, Pair


def value(layout: Pair, coordinate: HTuple) -> int:
    """A layout's value at any admissible coordinate: integers where the shape is a tuple are read as an index.

    >>> value((((2, 2), (4, 2)), ((1, 8), (2, 16))), (2, (1, 1)))
    26
    """
    shape, stride = layout
    if isinstance(coordinate, tuple):
        return sum(value((s, d), c) for s, d, c in zip(shape, stride, coordinate, strict=True))
    return int(brute.at(layout, np.array([coordinate]))[0])


def index(shape: HTuple, coordinate: HTuple) -> int:
    """The place of an in-bounds coordinate in colexicographic order."""
    if not isinstance(coordinate, tuple):
        return int(coordinate)
    place, unit = 0, 1
    for s, c in zip(shape, coordinate, strict=True):
        place += unit * index(s, c)
        unit *= brute.size(s)
    return place


def refutes(question: list[Any], witness: dict[str, Any] | None) -> bool:
    """Whether a witness refutes that the question has an answer."""
    operation, layout, *more = question
    if operation == "left_inverse":
        return True  # no coordinate shows by itself that no layout inverts
    if witness is None:
        return False
    kind = witness.get("kind")
    if operation == "composition" and kind in ("difference", "run"):
        return _differs(layout, more[0], witness)
    if operation == "complement":
        return _no_tiling(layout, witness)
    if operation == "divide":
        if kind in ("collision", "negative", "unreachable"):
            return _no_tiling(more[0], witness)
        rest = brute.complement_truth(more[0], brute.size(layout[0])).answer
        short = brute.shortest_layout(brute.table(layout))
        if rest is None or short is None or kind not in ("difference", "run"):
            return False
        return _differs(short, ((more[0][0], rest[0]), (more[0][1], rest[1])), witness)
    return False


def _differs(a: Pair, b: Pair, witness: dict[str, Any]) -> bool:
    place = witness["index"]
    if not 0 <= place < brute.size(b[0]):
        return False
    right = int(brute.at(a, brute.table(b)[place : place + 1])[0])
    if witness["expected"] != right or witness["got"] == right:
        return False
    if witness["kind"] == "run" and witness["size"] % witness["run"] == 0:
        return False
    coordinate = witness["coordinate"]
    try:
        return bool(index(b[0], coordinate) == place)
    except (TypeError, ValueError):
        # the rest may be written with other modes than here: the index alone says which coordinate it is
        return isinstance(b[0], tuple)


def _no_tiling(layout: Pair, witness: dict[str, Any]) -> bool:
    kind = witness["kind"]
    if kind == "collision":
        one, other = witness["coordinate"], witness["other"]
        same = bool(value(layout, one) == value(layout, other) == witness["offset"])
        return same and index(layout[0], one) != index(layout[0], other)
    if kind == "negative":
        return bool(value(layout, witness["coordinate"]) == witness["offset"] < 0)
    if kind != "unreachable" or brute.table(layout).min() < 0:
        return False
    # What tiles with the whole tiles with any of its modes: the other modes are part of the rest.
    modes = [mode for mode in zip(*map(brute.leaves, layout), strict=True) if mode[0] > 1]
    parts = (part for n in range(1, len(modes) + 1) for part in combinations(modes, n))
    return any(
        _out_of_reach((tuple(s for s, _ in part), tuple(d for _, d in part)), witness["offset"]) for part in parts
    )


def _out_of_reach(layout: Pair, offset: int) -> bool:
    """Whether no translate of the image that holds an offset fits in with those that every tiling needs.

    The least offset that is not covered can only be covered by the translate that starts there: these are needed.
    """
    image = {int(x) for x in brute.table(layout)}
    if len(image) < brute.size(layout[0]):
        return False
    covered = set(image)
    while True:
        start = next(x for x in range(len(covered) + 1) if x not in covered)
        more = {start + x for x in image}
        if start == len(covered):
            return False
        if more & covered:
            break
        covered |= more
    return offset not in covered and all({offset - x + y for y in image} & covered for x in image if x <= offset)
