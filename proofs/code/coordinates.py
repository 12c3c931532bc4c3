"""``idx2crd`` and ``crd2idx``, flat and nested: the definition, and inverse to one another in bounds."""

from __future__ import annotations

from typing import Any

from ...model import coordinate
from ...model.htuple import flatten, unflatten
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, digits_of, volume

PROFILES: dict[str, Any] = {
    "s": 0,
    "(s,s)": (0, 0),
    "(s,s,s)": (0, 0, 0),
    "((s,s),s)": ((0, 0), 0),
    "(s,(s,s))": (0, (0, 0)),
    "(s,(s),s)": (0, (0,), 0),
}


def _shape(run: Run, profile: Any) -> Any:
    count = len(flatten(profile))
    return unflatten([run.integer(f"s{k}", 1, is_size=True) for k in range(count)], profile)


def index_first(profile: Any) -> Check:
    """idx2crd has the digits that the definition names, and crd2idx goes back, for every integer."""

    def check(run: Run) -> None:
        shape = _shape(run, profile)
        index = run.integer("i")
        crd = coordinate.idx2crd(index, shape)
        back = coordinate.crd2idx(crd, shape)
        run.ended(End.RETURNED)
        for got, wanted in zip(flatten(crd), digits_of(index, flatten(shape)), strict=True):
            run.show(got, "==", wanted, "a digit is ⌊x/P⌋ mod S")
        run.show(back, "==", index, "crd2idx(idx2crd(x)) = x")

    return check


def coordinate_first(profile: Any) -> Check:
    """A natural coordinate in bounds has an index in bounds, and idx2crd goes back."""

    def check(run: Run) -> None:
        shape = _shape(run, profile)
        digits = [run.integer(f"c{k}", 0) for k in range(len(flatten(shape)))]
        for c, s in zip(digits, flatten(shape), strict=True):
            run.assume(c, "<", s)
        index = coordinate.crd2idx(unflatten(digits, profile), shape)
        crd = coordinate.idx2crd(index, shape)
        run.ended(End.RETURNED)
        run.show(0, "<=", index, "an index is not negative")
        run.show(index, "<", volume(shape), "an index is below the size")
        for got, wanted in zip(flatten(crd), digits, strict=True):
            run.show(got, "==", wanted, "idx2crd(crd2idx(c)) = c")

    return check


def _last_first(index: Any, shape: Any) -> Any:
    """A fault: the last mode fastest."""
    if not isinstance(shape, tuple):
        return index
    crd = []
    for mode in reversed(shape[1:]):
        index, rest = divmod(index, volume(mode))
        crd.append(_last_first(rest, mode))
    return (_last_first(index, shape[0]), *reversed(crd))


CODE = (
    Code(
        "code.coordinates",
        "model.coordinate.idx2crd, crd2idx",
        "idx2crd gives the digits ⌊x/P⌋ mod S of every integer, the last unreduced; crd2idx is its inverse.",
        rank_at_most(3, "flat and nested"),
        {
            **{f"{name}, from an index": index_first(profile) for name, profile in PROFILES.items()},
            **{f"{name}, from a coordinate": coordinate_first(profile) for name, profile in PROFILES.items()},
        },
        "idx2crd with the last mode fastest",
        lambda: standing_in(coordinate, idx2crd=_last_first),
    ),
)
