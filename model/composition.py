"""Composition: R = A∘B, R(c) = A(B(c)) on Z(B) with B⪯R, whenever such a layout exists (paper §3.3)."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

from . import f2
from .answer import Answer
from .composed import AnyLayout, ComposedLayout
from .coordinate import as_coordinate, crd2idx
from .errors import CompositionRefuted, InputError, Witness
from .floor_form import FloorForm, Step
from .htuple import at, size, unflatten
from .layout import Layout
from .semimodule import CoordinateStride, Element, kind_of
from .swizzle import Swizzle

Mode = tuple[int, Step, Element]  # size, step through A's coordinates, A's value there


def composition(a: AnyLayout | Swizzle, b: AnyLayout | Swizzle) -> AnyLayout:
    """A∘B, or CompositionRefuted with a witness when no layout compatible with B equals it.

    A is evaluated past its end as the paper defines: the last mode of an index is not reduced. A result exists iff,
    for every leaf s:d of B, i ↦ A(i·d) is a layout on Z_s, and A adds up over the leaves; both are decided here on
    the floor form of A, where all that can fail is a carry. The leaves of the result are those of B, each replaced by
    its coalesced layout. After a swizzle, or of one, the composition is formal: a :class:`ComposedLayout`.

    >>> from .notation import layout
    >>> str(composition(layout("(4,6,8,10):(2,3,5,7)"), layout("6:12")))
    '(2,3):(9,5)'
    >>> str(composition(layout("(4,2,8):(3,12,97)"), layout("3:3"))), str(composition(layout("7:11"), layout("3:4")))
    ('3:9', '3:44')
    >>> composition(layout("(6,2):(1,7)"), layout("(3,2):(2,3)"))
    Traceback (most recent call last):
    ...
    veritile.model.errors.CompositionRefuted: no layout compatible with (3,2):(2,3) equals (6,2):(1,7) after it: \
the parts of its modes do not add up (coordinate (2,1), index 5, expected 8, got 7)
    """
    return decide_composition(a, b).result


def decide_composition(a: AnyLayout | Swizzle, b: AnyLayout | Swizzle) -> Answer:
    """:func:`composition` with its evidence, and whether B stays inside A (``in_bounds``)."""
    if not isinstance(a, Layout) or not isinstance(b, Layout):
        return _formal(a, b)
    paths = _axes(a, b)
    if any(kind_of(d) == "F2" for _, d in b.modes):
        raise InputError(f"the offsets of {b} live in F2 and are no coordinates of {a}")
    inside = in_bounds(a, b, paths)
    if a.semimodule == "F2":
        leaves, how = f2.compose_leaves(a, b, paths, partial(_refuse, a, b))
    else:
        leaves, how = _compose_leaves(a, b, paths)
    shape = unflatten([_grouped([n for n, _, _ in modes]) for modes in leaves], b.shape)
    stride = unflatten([_grouped([d for _, _, d in modes]) for modes in leaves], b.shape)
    return Answer(Layout.of(shape, stride), (how,), in_bounds=inside, exact=True)


def _compose_leaves(a: Layout, b: Layout, paths: Any) -> tuple[list[list[Mode]], str]:
    """The modes of the only candidate, a list for each leaf of B, and the proof that it is right (or the refusal)."""
    form = FloorForm.of(a, paths)
    leaves: list[list[Mode]] = []
    for leaf, (s, d) in enumerate(b.modes):
        step, left = form.step(d), s
        modes: list[Mode] = []
        while left > 1:
            run = form.run(step, left)
            if left % run:
                raise _refuse_run(a, b, form, leaf, s // left * run, run, left, form(step))
            modes.append((run, step, form(step) or 0))
            left //= run
            step = tuple([run * x for x in step])
        leaves.append(modes or [(1, step, 0)])
    flat = [mode for modes in leaves for mode in modes]
    where, how = form.first_carry([n for n, _, _ in flat], [x for _, x, _ in flat])
    if where is not None:
        raise _refuse(a, b, leaves, where)
    return leaves, how


def _grouped(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def _axes(a: Layout, b: Layout) -> tuple[tuple[int, ...], ...]:
    """The modes of A that B's offsets are coordinates of; the whole of A for integer offsets."""
    paths = sorted({path for _, d in b.modes if isinstance(d, CoordinateStride) for path, _ in d.terms})
    if not paths:
        return ((),)
    for shorter, longer in pairwise(paths):
        if longer[: len(shorter)] == shorter:
            raise InputError(f"{b} names a mode of {a} both whole and by parts")
    return tuple(paths)


def in_bounds(a: Layout, b: Layout, paths: Any = ((),)) -> bool:
    """Whether every offset of B is a coordinate of A in bounds.

    >>> from .notation import layout
    >>> in_bounds(layout("7:11"), layout("3:3")), in_bounds(layout("7:11"), layout("3:4"))
    (True, False)
    """
    for path in paths:
        low = high = 0
        for s, d in b.modes:
            x = d if not path else dict(d.terms).get(path, 0) if isinstance(d, CoordinateStride) else 0
            if x < 0:
                low += (s - 1) * x
            else:
                high += (s - 1) * x
        try:
            extent = size(at(a.shape, path))
        except IndexError:
            raise InputError(f"{b} gives coordinates that {a} does not have") from None
        if low < 0 or high >= extent:
            return False
    return True


def _refuse_run(
    a: Layout, b: Layout, form: FloorForm, leaf: int, index: int, run: int, left: int, value: Element
) -> CompositionRefuted:
    """The leaf's run of ``run`` elements ends at ``index``, and does not divide the ``left`` that remain."""
    crd = [0] * len(b.modes)
    crd[leaf] = index
    s, d = b.modes[leaf]
    witness = _witness("run", a, b, crd, run * value, run=run, size=left)
    return CompositionRefuted(
        f"no layout has the values of {a} at the first {s} multiples of {d}: a run of {run} does not divide {left}",
        witness,
    )


def _refuse(a: Layout, b: Layout, leaves: list[list[Mode]], where: Any, reason: str = "") -> CompositionRefuted:
    """The only candidate differs from A∘B at the coordinate ``where`` of its modes."""
    digits = iter(where)
    got: Element = 0
    crd = []
    for modes in leaves:
        index, scale = 0, 1
        for n, _, value in modes:
            digit = next(digits)
            got = got + value * digit
            index += scale * digit
            scale *= n
        crd.append(index)
    return CompositionRefuted(
        reason or f"no layout compatible with {b} equals {a} after it: the parts of its modes do not add up",
        _witness("difference", a, b, crd, got),
    )


def _witness(kind: str, a: Layout, b: Layout, crd: list[int], got: Element, **more: Any) -> Witness:
    natural = unflatten(crd, b.shape)
    offset = b(natural)
    expected = a(as_coordinate(offset, a.shape))
    index = crd2idx(natural, b.shape)
    return Witness(kind, {"coordinate": natural, "index": index, "expected": expected, "got": got, **more})


def _formal(a: Any, b: Any) -> Answer:
    """f∘B where f or B is no layout: c ↦ f(B(c)), nothing to compute."""
    note = "a swizzle or a composed layout stays in front: the composition is formal"
    if isinstance(a, ComposedLayout) and isinstance(b, Layout) and isinstance(a.layout, Layout):
        try:
            inner = decide_composition(a.layout, b)
        except CompositionRefuted:
            return Answer(ComposedLayout(a, 0, b), ("definition",), exact=True, notes=(note,))
        return Answer(ComposedLayout(a.function, a.offset, inner.result), inner.evidence, exact=True, notes=(note,))
    return Answer(ComposedLayout(a, 0, b), ("definition",), exact=True, notes=(note,))
