"""Walks: pieces, each in an order of its own, that together visit every element of Z_n exactly once.

A copy of a ragged run moves whole vectors in one piece and what is left over in another. The domain is a run ``s:d``
beside a rest, together one-to-one onto Z_n; piece k takes the run from ``starts[k]`` to ``starts[k+1]`` (the last one
to its end), for all of the rest, in the order of a layout that gives offsets from the piece's first element on.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.coalesce import coalesce
from ...model.concatenate import concatenate
from ...model.errors import InputError, Witness
from ...model.layout import Layout
from ...model.properties import POINTS, offsets, refute_bijective, size
from ...model.semimodule import as_integer
from .obligation import Obligation
from .rule import Rule

OURS = "ours: a copy visits every element once"
DOMAIN = Rule("walk.domain", "the run and the rest are one-to-one onto the domain", OURS)
STARTS = Rule("walk.starts", "the pieces of the run follow each other, from its start to its end", OURS)
ORDERS = Rule("walk.orders", "the order of a piece visits that piece of the run, for all of the rest", OURS)


@dataclass(frozen=True)
class Walk:
    """``run`` is a layout of one mode, ``orders[k]`` visits its part from ``starts[k]`` on, relative to its start."""

    domain: int
    run: Layout
    rest: Layout
    starts: tuple[int, ...]
    orders: tuple[Layout, ...]

    def __post_init__(self) -> None:
        layouts = (self.run, self.rest, *self.orders)
        if not all(isinstance(one, Layout) and one.semimodule == "integer" for one in layouts):
            raise InputError("a walk is made of integer layouts S:D")
        if len(self.run.modes) != 1:
            raise InputError(f"a run has one mode s:d, not {self.run}")
        if not self.starts or len(self.starts) != len(self.orders):
            raise InputError(f"{len(self.starts)} starts for {len(self.orders)} orders")

    @property
    def lengths(self) -> tuple[int, ...]:
        """Elements of the run in each piece."""
        return tuple(b - a for a, b in zip(self.starts, (*self.starts[1:], size(self.run)), strict=True))


def decide_walk(walk: Walk) -> list[Obligation]:
    """Three rules; together they say that every element of the domain is visited exactly once.

    >>> whole, tail = Layout((4, 2), (1, 4)), Layout(3)
    >>> [o.verdict.value for o in decide_walk(Walk(11, Layout(11), Layout(1, 0), (0, 8), (whole, tail)))]
    ['proved', 'proved', 'proved']
    >>> print(decide_walk(Walk(11, Layout(11), Layout(1, 0), (0, 8), (whole, Layout(2))))[2].reason)
    the order 2:1 of piece 1 visits 2 of 3 elements
    """
    return [DOMAIN.decide(lambda: _domain(walk)), _starts(walk), ORDERS.decide(lambda: _orders(walk))]


def _domain(walk: Walk) -> Obligation:
    found = refute_bijective(concatenate(walk.run, walk.rest), walk.domain)
    if found is None:
        return DOMAIN.holds(f"{walk.run} and {walk.rest} reach all of {walk.domain}")
    return DOMAIN.refuted(f"{walk.run} and {walk.rest} are not one-to-one onto {walk.domain}", found)


def _starts(walk: Walk) -> Obligation:
    if walk.starts[0] == 0 and all(length > 0 for length in walk.lengths):
        return STARTS.holds(f"pieces of {', '.join(map(str, walk.lengths))}")
    what = f"pieces begin at {', '.join(map(str, walk.starts))} of a run of {size(walk.run)}"
    return STARTS.fails(what, "starts", starts=walk.starts, run=size(walk.run))


def _orders(walk: Walk) -> Obligation:
    evidence = "closed-form"
    for k, (order, length) in enumerate(zip(walk.orders, walk.lengths, strict=True)):
        piece = concatenate(Layout(max(length, 1), walk.run.modes[0][1]), walk.rest)
        if size(order) != size(piece):
            what = f"the order {order} of piece {k} visits {size(order)} of {size(piece)} elements"
            return ORDERS.fails(what, "size", piece=k, expected=size(piece), got=size(order))
        if _sorted(order) == _sorted(piece):
            continue
        if size(order) > POINTS:
            return ORDERS.open(f"the {size(order)} elements of piece {k} would have to be looked at")
        evidence = "enumeration"
        got, wanted = (sorted(as_integer(at) for at in offsets(one)) for one in (order, piece))
        if got != wanted:
            at = next(i for i, (a, b) in enumerate(zip(got, wanted, strict=True)) if a != b)
            missing = wanted[at] if wanted[at] < got[at] else got[at]
            kind = "left out" if wanted[at] < got[at] else "visited and no part of it, or visited twice"
            witness = Witness("element", {"piece": k, "index": missing, "expected": wanted[at], "got": got[at]})
            return ORDERS.refuted(f"element {missing} of piece {k} is {kind}", witness, evidence)
    return ORDERS.holds(f"{len(walk.orders)} orders, each of its piece", evidence)


def _sorted(layout: Layout) -> tuple[tuple[int, int], ...]:
    """The modes by stride, joined where they follow each other: equal ones visit the same elements."""
    modes = sorted(((s, d) for s, d in layout.modes if s > 1), key=lambda mode: mode[1])
    if not modes:
        return ()
    joined = coalesce(Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)))
    return tuple((s, as_integer(d)) for s, d in joined.modes)


__all__ = ["Walk", "decide_walk"]
