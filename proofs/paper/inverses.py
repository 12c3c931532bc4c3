"""Sections 3.4.1 and 3.4.3: right and left inverses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from ...model.errors import InverseRefuted, Undecided
from ...model.htuple import unflatten
from ...model.inverse import left_inverse, right_inverse
from ...model.layout import Layout
from ...model.notation import layout
from ..claim import Claim, Counterexample, Finding, Mutant, exists, for_all
from ..definitions import (
    factorisations,
    flat,
    flat_layouts,
    image,
    largest_right_inverse,
    left_inverse_wrong,
    perturbed,
    right_inverse_wrong,
    table_of,
    volume,
)
from ..verdict import bounded
from .rows import exhibit, first, given, on, row_claim, same

# Right inverses


def _is_largest(a: Layout, r: Layout) -> Counterexample:
    if a.semimodule == "coordinate":  # one-to-one, so no more than all of Z_|A|
        return None if volume(r.shape) == volume(a.shape) else {"expected": volume(a.shape), "got": volume(r.shape)}
    best = largest_right_inverse(a)
    return None if volume(best.shape) == volume(r.shape) else {"expected": best, "got": r}


def _right(name: str, a: str, r: str, source: str = "paper §3.4.1, table of right inverses") -> Claim:
    A, R = layout(a), layout(r)
    return row_claim(
        f"inverse.right.{name}",
        source,
        f"{r} is a right inverse of {a}, and none is larger",
        {
            "definition": on(lambda R: right_inverse_wrong(R, A), R, lambda: perturbed(R)),
            "largest": on(lambda R: _is_largest(A, R), R, Layout(1, 0)),
            "ours": on(
                lambda got: right_inverse_wrong(got, A) or _is_largest(A, got),
                lambda: right_inverse(A),
                lambda: perturbed(right_inverse(A)),
            ),
        },
        f"{perturbed(R)} is a right inverse of {a}, and none is larger than 1:0",
        doubts=(5,) if "5" in source else (),
    )


_RIGHT = {
    "col-major": ("(4,8):(1,4)", "32:1"),
    "row-major": ("(4,8):(8,1)", "(8,4):(4,1)"),
    "three-modes": ("(3,7,5):(5,15,1)", "(5,21):(21,1)"),
    "padded": ("(4,8):(1,5)", "4:1"),
    "coordinate": ("(4,8):(e0,e1)", "(4,8):(1,4)"),
}
_BROADCAST = "((2,2),(2,4)):((0,1),(0,2))"


def _circulating() -> Claim:
    A, R = layout(_BROADCAST), layout("(2,2):(4,8)")
    return Claim(
        "inverse.right.circulating-row",
        "paper §3.4.1, a row that circulates",
        f"(2,2):(4,8) is a right inverse of {_BROADCAST}",
        lambda: for_all([R], lambda r: right_inverse_wrong(r, A), "row"),
        Mutant("(2,2):(4,1) is", lambda: for_all([layout("(2,2):(4,1)")], lambda r: right_inverse_wrong(r, A))),
        given(),
        finding=Finding("index 4 has the offset 0, since the third mode has stride 0", "inverse.right.broadcast"),
        doubts=(5,),
    )


def small() -> Iterator[Layout]:
    """Layouts with zero and negative strides, one-to-one and not."""
    yield from flat_layouts(1, (1, 2, 3, 5), (-1, 0, 1, 2))
    yield from flat_layouts(2, (2, 3, 4), range(-1, 7))
    for stride in product((0, 1, 2, 4), repeat=3):
        yield Layout((2, 3, 2), stride)


def _right_of(a: Layout, inverse_of: Callable[[Layout], Layout] = right_inverse) -> Counterexample:
    r = inverse_of(a)
    wrong = right_inverse_wrong(r, a) or _is_largest(a, r)
    return wrong and {"layout": a, "result": r, **wrong}


def _law(a: Layout, whole: bool = False) -> Counterexample:
    """L‡(L(k')) = k' at k' = L‡(k); the mutant asks it at every index of L."""
    r = right_inverse(a)
    for k in range(volume(a.shape)) if whole else table_of(r):
        if r(a(k)) != k:
            return {"layout": a, "result": r, "index": k, "expected": k, "got": r(a(k))}
    return None


def by_sorted_strides(a: Layout) -> Layout:
    """The rule of the tools: modes sorted by stride, taken as long as each stride is the size so far."""
    below, modes, unit = [], [], 1
    for s, d in a.modes:
        below.append((d, s, unit))
        unit *= s
    size = 1
    for d, s, place in sorted(below):
        if d == size and s > 1:
            modes.append((s, place))
            size *= s
    if not modes:
        return Layout(1, 0)
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def _is_injective(a: Layout) -> bool:
    return len(image(a)) == volume(a.shape) and min(image(a)) >= 0


def _injective(layouts: Iterator[Layout]) -> Iterator[Layout]:
    return filter(_is_injective, layouts)


# Left inverses

_BROADCAST_BY_2 = "((2,2),(2,4)):((0,2),(0,4))"
_LEFT = {
    "col-major": ("(4,8):(1,4)", "32:1"),
    "row-major": ("(4,8):(8,1)", "(8,4):(4,1)"),
    "padded": ("(4,8):(1,5)", "(5,8):(1,4)"),
    "broadcast": (_BROADCAST_BY_2, "(2,2,4):(0,2,8)"),
    "coordinate": ("(4,(4,2)):(e1,(e0,6e1))", "(4,(6,2)):(4,(1,16))"),
}


def _half(r: Layout) -> Layout:
    """A layout with every stride twice as long: no left inverse any more."""
    return Layout(r.shape, unflatten([2 * d for d in flat(r.stride)], r.shape))


def _left(name: str, a: str, r: str) -> Claim:
    A, R = layout(a), layout(r)
    changed = layout("(2,2,4):(0,2,4)") if name == "broadcast" else perturbed(R)
    return row_claim(
        f"inverse.left.{name}",
        "paper §3.4.3, table of left inverses",
        f"{r} is a left inverse of {a}",
        {
            "definition": on(lambda R: left_inverse_wrong(R, A), R, changed),
            "ours": on(lambda R: left_inverse_wrong(R, A), lambda: left_inverse(A), lambda: _half(left_inverse(A))),
        },
        f"{changed} is a left inverse of {a}",
    )


def _others() -> Iterator[Layout]:
    """Layouts of the broadcast row's shape."""
    for stride in product(range(4), (2, 3), (8, 9)):
        yield Layout((2, 2, 4), stride)


def _another(r: Layout, row: str = "broadcast") -> Counterexample:
    A, R = map(layout, _LEFT[row])
    if table_of(r) != table_of(R) and left_inverse_wrong(r, A) is None:
        return {"layout": A, "another": r}
    return None


def left_inverses(a: Layout) -> Layout | None:
    """Some layout R with R(A(k)) = k for an injective A ≥ 0; None where there is none.

    Only sizes whose product stays at or below the largest offset make a difference (the last mode is not reduced),
    and for given sizes the strides solve linear equations, which the solver decides.
    """
    from ...smt.layouts import Question

    offsets = table_of(a)
    top = max(offsets)
    for below in range(1, top + 1):
        for sizes in factorisations(below):
            q = Question()
            strides = [q.unknown(f"d{k}") for k in range(len(sizes) + 1)]
            for k, x in enumerate(offsets):
                value: Any = 0
                for s, d in zip(sizes, strides, strict=False):
                    x, digit = divmod(x, s)
                    value = value + digit * d
                q.know(value + x * strides[-1] == k)
            model = q.find()
            if model is not None:
                last = -(-(top + 1) // prod(sizes))
                return Layout((*sizes, last), tuple(model[f"d{k}"] for k in range(len(strides))))
    return None


def _candidates() -> Iterator[Layout]:
    """One-to-one layouts, smallest first, strides ascending."""
    for shape in ((2,), (3,), (2, 2), (2, 3), (3, 2), (3, 3)):
        for stride in product(range(1, 6), repeat=len(shape)):
            a = Layout(shape, stride)
            if list(stride) == sorted(stride) and len(image(a)) == volume(shape):
                yield a


def _has_left(a: Layout) -> Counterexample:
    r = left_inverses(a)
    if r is None:
        return {"layout": a, "offsets": sorted(image(a))}
    wrong = left_inverse_wrong(r, a)
    return wrong and {"layout": a, "result": r, **wrong}


def _chain(a: Layout) -> bool:
    modes = sorted((mode for mode in a.modes if mode[0] > 1), key=lambda mode: mode[1])
    return all(d > 0 for _, d in modes) and all(
        modes[k + 1][1] % modes[k][1] == 0 and modes[k + 1][1] >= modes[k][0] * modes[k][1]
        for k in range(len(modes) - 1)
    )


def _ours_left(a: Layout) -> Counterexample:
    try:
        r = left_inverse(a)
    except (InverseRefuted, Undecided) as refusal:
        return {"layout": a, "got": refusal.reason}
    wrong = left_inverse_wrong(r, a)
    return wrong and {"layout": a, "result": r, **wrong}


_BOUND = bounded(
    "one mode, sizes 1, 2, 3, 5, strides −1 to 2; two, sizes 2 to 4, strides −1 to 6; (2,3,2) with strides 0, 1, 2, 4"
)

CLAIMS: tuple[Claim, ...] = (
    *[_right(name, *row) for name, row in _RIGHT.items()],
    _circulating(),
    _right("broadcast", _BROADCAST, "(2,4):(2,8)", "ours; repairs a row that circulates (doubt 5)"),
    Claim(
        "inverse.right.largest",
        "paper §3.4.1",
        "right_inverse is a right inverse into Z_|L| and none is larger, one-to-one L or not",
        lambda: for_all(small(), _right_of, "layouts, against every factorisation and preimage"),
        Mutant(
            "So is what sorting by stride gives", lambda: for_all(small(), lambda a: _right_of(a, by_sorted_strides))
        ),
        first(small, lambda a: volume(a.shape) > volume(right_inverse(a).shape) > 1),
        _BOUND,
    ),
    Claim(
        "inverse.right.law",
        "paper §3.4.1",
        "L‡(L(L‡(k))) = L‡(k)",
        lambda: for_all(small(), _law, "layouts, at every k"),
        Mutant("L‡(L(i)) = i for every i of L", lambda: for_all(small(), lambda a: _law(a, True))),
        first(small, lambda a: volume(right_inverse(a).shape) > 2),
        _BOUND,
    ),
    Claim(
        "inverse.right.sorted-strides",
        "ours; paper §3.4.1",
        "Sorting by stride gives the largest right inverse of every one-to-one layout without negative offsets",
        lambda: for_all(_injective(small()), lambda a: _right_of(a, by_sorted_strides), "layouts"),
        Mutant(
            "Of every layout without negative strides",
            lambda: for_all(
                (a for a in small() if all(d >= 0 for _, d in a.modes)), lambda a: _right_of(a, by_sorted_strides)
            ),
        ),
        first(lambda: _injective(small()), lambda a: volume(right_inverse(a).shape) > 2),
        _BOUND,
    ),
    row_claim(
        "inverse.right.overlapping",
        "ours; paper §3.4.1",
        "(2,3):(1,1) has the right inverse (2,2):(1,4), larger than the 2:1 that sorting by stride gives",
        {
            "definition": on(
                lambda R: right_inverse_wrong(R, layout("(2,3):(1,1)")), layout("(2,2):(1,4)"), layout("(2,2):(1,3)")
            ),
            "largest": on(lambda R: _is_largest(layout("(2,3):(1,1)"), R), layout("(2,2):(1,4)"), layout("2:1")),
            "sorting": on(
                same(layout("2:1")),
                lambda: by_sorted_strides(layout("(2,3):(1,1)")),
                lambda: by_sorted_strides(layout("(2,3):(1,2)")),
            ),
        },
        "(2,2):(1,3) is one, 2:1 is the largest, and sorting gives it for (2,3):(1,2)",
    ),
    *[_left(name, *row) for name, row in _LEFT.items()],
    Claim(
        "inverse.left.not-unique",
        "paper §3.4.3",
        "Of a layout that is not one-to-one there are several left inverses",
        lambda: exists(_others(), _another, "layouts of the row's shape"),
        Mutant(
            "Of (4,8):(1,4) there are several on its image",
            lambda: exists(flat_layouts(1, (32,), range(5)), lambda r: _another(r, "col-major")),
        ),
        exhibit(
            "((2,2),(2,4)):((0,2),(0,4)) has each offset four times",
            lambda: set(Counter(table_of(layout(_BROADCAST_BY_2))).values()) == {4},
        ),
    ),
    Claim(
        "inverse.left.always",
        "ours; what is in doubt, 2",
        "It is not so that every one-to-one layout has a left inverse that is a layout: the values prescribed on the "
        "image need not be those of any layout",
        lambda: exists(_candidates(), _has_left, "layouts, smallest first; every size of R, strides by solver"),
        Mutant(
            "It is not so of those whose strides form a chain", lambda: exists(filter(_chain, _candidates()), _has_left)
        ),
        first(_candidates, lambda a: len(a.modes) == 2),
        bounded("one and two modes, sizes 2 and 3, strides 1 to 5, ascending"),
        doubts=(2,),
    ),
    Claim(
        "inverse.left.chain",
        "ours; repairs paper §3.4.3",
        "A layout whose positive strides, sorted, each divide the next, sizes fitting in between, has one; ours is it",
        lambda: for_all((a for a in small() if _chain(a)), _ours_left, "layouts"),
        Mutant(
            "So has every one-to-one layout with positive strides",
            lambda: for_all((a for a in small() if min(d for _, d in a.modes) > 0 and _is_injective(a)), _ours_left),
        ),
        first(small, lambda a: _chain(a) and len(a.modes) == 2 and a.stride[1] > a.shape[0] * a.stride[0]),
        _BOUND,
        doubts=(2,),
    ),
)
