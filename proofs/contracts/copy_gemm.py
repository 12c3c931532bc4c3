"""COPY and GEMM: the paper's preconditions, and that writes which coincide write one value (§2.6.1, §2.6.2)."""

from __future__ import annotations

from typing import Any

from ...model.composed import AnyLayout
from ...model.coordinate import idx2crd
from ...model.errors import Undecided, Witness
from ...model.htuple import size as size_of
from ...model.htuple import text_of
from ...model.layout import Layout
from ...model.properties import POINTS, offsets, refute_injective, size
from .obligation import Obligation
from .rule import Rule

COPY_SIZES = Rule("copy.sizes", "source and destination have one size", "arXiv 2603.02298, §2.6.1")
COPY_WRITES = Rule(
    "copy.writes", "elements that are written to one place are one element of the source", "ours: a race else"
)
GEMM_MODES = Rule("gemm.modes", "A, B and C have two modes each, or three with a batch", "arXiv 2603.02298, §2.6.2")
GEMM_SIZES = {
    "m": Rule("gemm.m", "mode 0 of A and mode 0 of C have one size", "arXiv 2603.02298, §2.6.2"),
    "n": Rule("gemm.n", "mode 0 of B and mode 1 of C have one size", "arXiv 2603.02298, §2.6.2"),
    "k": Rule("gemm.k", "mode 1 of A and mode 1 of B have one size", "arXiv 2603.02298, §2.6.2"),
    "l": Rule("gemm.l", "the batch modes of A, B and C have one size", "arXiv 2603.02298, §2.6.2"),
}
GEMM_WRITES = Rule("gemm.writes", "every element of C is accumulated in a place of its own", "ours: a race else")


def decide_copy(source: AnyLayout, destination: AnyLayout) -> list[Obligation]:
    """The preconditions of dst(i) = src(i) over every index.

    Writes may coincide where the source gives the same element: a stride of 0 in both.

    >>> [o.verdict.value for o in decide_copy(Layout(7, 0), Layout(7, 0))]
    ['proved', 'proved']
    >>> decide_copy(Layout(7, 1), Layout(7, 0))[1].reason
    'indices 0 and 1 are both written to 0, from 0 and 1'
    """
    sizes = _same_size(COPY_SIZES, source, destination, ("the source", "the destination"))
    if sizes.witness is not None:
        return [sizes, COPY_WRITES.open("the sizes differ")]
    return [sizes, COPY_WRITES.decide(lambda: _writes(source, destination))]


def _same_size(rule: Rule, first: AnyLayout, second: AnyLayout, names: tuple[str, str]) -> Obligation:
    return _equal_sizes(rule, size(first), size(second), names)


def _equal_sizes(rule: Rule, a: int, b: int, names: tuple[str, str]) -> Obligation:
    if a == b:
        return rule.holds(f"both have {a} elements", "definition", size=a)
    witness = Witness("size", {"expected": a, "got": b, "index": min(a, b)})
    return rule.refuted(f"{names[0]} has {a} elements, {names[1]} {b}", witness, "definition")


def _writes(source: AnyLayout, destination: AnyLayout) -> Obligation:
    found = refute_injective(destination)
    if found is None:
        return COPY_WRITES.holds("no two indices are written to one place")
    if _is_constant_there(source, destination):
        return COPY_WRITES.holds("writes coincide along strides of 0 only, along which the source is constant")
    if size(source) > POINTS:
        raise Undecided(f"{size(source)} elements would have to be looked at, more than {POINTS}")
    written: dict[Any, tuple[int, Any]] = {}
    for index, (value, place) in enumerate(zip(offsets(source), offsets(destination), strict=True)):
        first, before = written.setdefault(place, (index, value))
        if before != value:
            witness = Witness(
                "race",
                {
                    "coordinate": idx2crd(first, destination.shape),
                    "other": idx2crd(index, destination.shape),
                    "index": first,
                    "other_index": index,
                    "offset": place,
                    "values": (before, value),
                },
            )
            return COPY_WRITES.refuted(
                f"indices {first} and {index} are both written to {place}, from {before} and {value}",
                witness,
                "enumeration",
            )
    return COPY_WRITES.holds("writes that coincide are of one element", "enumeration")


def _is_constant_there(source: AnyLayout, destination: AnyLayout) -> bool:
    """Whether the modes agree in size, and dropping those of stride 0 in both leaves an injective destination."""
    if not isinstance(source, Layout) or not isinstance(destination, Layout):
        return False
    ours = [m for m in source.modes if m[0] > 1]
    theirs = [m for m in destination.modes if m[0] > 1]
    if [s for s, _ in ours] != [s for s, _ in theirs]:
        return False
    left = [theirs[i] for i, (s, d) in enumerate(ours) if d or theirs[i][1]]
    if not left:
        return True
    return refute_injective(Layout(tuple(s for s, _ in left), tuple(d for _, d in left))) is None


def decide_gemm(a: AnyLayout, b: AnyLayout, c: AnyLayout) -> list[Obligation]:
    """The preconditions of C(m,n) += A(m,k)·B(n,k), or with a third mode of every batch l by itself.

    >>> ntt = Layout((4, 8), (1, 4)), Layout((16, 8), (1, 16)), Layout((4, 16), (1, 4))
    >>> [o.name for o in decide_gemm(*ntt) if o.verdict.value != "proved"]
    []
    >>> decide_gemm(Layout((4, 8)), Layout((8, 16)), Layout((4, 16)))[2].reason
    'mode 0 of B has 8 elements, mode 1 of C 16'
    """
    ranks = (len(a), len(b), len(c))
    if ranks not in ((2, 2, 2), (3, 3, 3)):
        told = f"{ranks[0]}, {ranks[1]} and {ranks[2]} modes"
        return [GEMM_MODES.fails(f"A, B and C have {told}", "modes", expected=(2, 3), got=ranks)]
    found = [
        GEMM_MODES.holds(f"{ranks[0]} modes each"),
        _mode_sizes("m", (a, 0, "A"), (c, 0, "C")),
        _mode_sizes("n", (b, 0, "B"), (c, 1, "C")),
        _mode_sizes("k", (a, 1, "A"), (b, 1, "B")),
    ]
    if ranks == (3, 3, 3):
        first = _mode_sizes("l", (a, 2, "A"), (c, 2, "C"))
        found.append(first if first.witness is not None else _mode_sizes("l", (b, 2, "B"), (c, 2, "C")))
    return [*found, GEMM_WRITES.decide(lambda: _accumulates(c))]


def _mode_sizes(name: str, first: tuple[AnyLayout, int, str], second: tuple[AnyLayout, int, str]) -> Obligation:
    a, b = (size_of(layout.shape[i]) for layout, i, _ in (first, second))
    return _equal_sizes(GEMM_SIZES[name], a, b, (f"mode {first[1]} of {first[2]}", f"mode {second[1]} of {second[2]}"))


def _accumulates(c: AnyLayout) -> Obligation:
    found = refute_injective(c)
    if found is None:
        return GEMM_WRITES.holds("C is injective")
    values = found.values
    return GEMM_WRITES.refuted(
        f"{text_of(values['coordinate'])} and {text_of(values['other'])} of C are both at {values['offset']}", found
    )
