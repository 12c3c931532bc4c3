"""COPY (2.6.1 of the paper): dst(i) = src(i), any rank, at the widest vector that both layouts allow.

The domain Z_N is cut into at most two parts, each walked by an *order*, a layout (vector, accesses) into Z_N: composed
with an order, source and destination become (vector, accesses) with a unit stride in their first mode, and one access
moves one vector. The accesses are dealt to threads by ``cover``, (threads, values, blocks) onto the accesses; the same
two layouts give coordinates, predicates and addresses on the GPU and in the NumPy emulation.
"""

from dataclasses import dataclass, replace
from math import gcd
from typing import Any

from ..model.complement import complement
from ..model.composition import composition
from ..model.concatenate import concatenate, flatten_layout
from ..model.errors import InputError, Refuted
from ..model.layout import Layout, size
from ..model.properties import cosize, is_bijective
from ..model.vector import max_common_layout
from .build import Operand
from .element import element
from .lower import Host, dsl_layout, dsl_type, expected_hint, keeping, known_hint
from .tables import table

NAME = "copy"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
WIDEST = 16
"""Bytes that one thread moves at once on every architecture here."""


@dataclass(frozen=True)
class Part:
    """The elements ``first + order(vector, access)``, read at ``source`` and written at ``destination``."""

    first: int
    order: Layout
    source: Layout
    destination: Layout
    cover: Layout

    @property
    def vector(self) -> int:
        """Elements of one access."""
        return size(self.order[0])

    @property
    def accesses(self) -> int:
        """Accesses in all; the cover may hold more, which a predicate leaves out."""
        return size(self.order[1])


@dataclass(frozen=True)
class CopyPlan:
    """How to copy ``source`` to ``destination``: both pointers are multiples of ``align`` bytes.

    ``load`` is what the second-level cache is told of what is read (:data:`~.lower.EVICTION`).
    """

    element: str
    source: Layout
    destination: Layout
    align: int
    threads: int
    values: int
    parts: tuple[Part, ...]
    load: str = "evict_last"

    @property
    def bits(self) -> int:
        """Bits of the widest access."""
        return max(part.vector for part in self.parts) * element(self.element).bits


def plan_copy(
    source: Layout,
    destination: Layout,
    name: str = "f32",
    *,
    align: int = 16,
    threads: int = 256,
    values: int = 1,
    widest: int = WIDEST,
    load: str = "evict_last",
) -> CopyPlan:
    """The plan at the widest vector: what is left over past the last whole vector of a run is copied one by one.

    >>> plan = plan_copy(Layout((8, (3, 5)), (1, (57, 8))), Layout((8, 15), (1, 8)), "f32", align=4)
    >>> [(part.first, str(part.order)) for part in plan.parts]
    [(0, '(1,(8,15)):(0,(1,8))')]
    >>> [str(p.order) for p in plan_copy(Layout(1003), Layout(1003), "bf16").parts]
    ['(8,125):(1,8)', '(1,3):(0,1)']
    """
    total = size(source)
    if total != size(destination):
        raise InputError(f"COPY needs equal sizes: source has {total}, destination {size(destination)}")
    try:
        plan = _planned(source, destination, name, align, threads, values, widest, *_common_run(source, destination))
    except Refuted:  # an order that cuts across the layouts' modes: element by element there is always one
        plan = _planned(source, destination, name, align, threads, values, widest, Layout(1, 0), Layout(total))
    return replace(plan, load=known_hint(load))


def _planned(
    source: Layout,
    destination: Layout,
    name: str,
    align: int,
    threads: int,
    values: int,
    widest: int,
    run: Layout,
    rest: Layout,
) -> CopyPlan:
    """The plan along a run of the domain and the rest of it."""
    limit = max(min(widest, align) // element(name).bytes, 1)
    vector = _width(size(run), rest, source, destination, limit)
    tail = size(run) % vector
    parts = [_part(0, vector, size(run) - tail, run, rest, source, destination, threads, values)]
    if tail:
        first = (size(run) - tail) * run.stride
        parts.append(_part(first, 1, tail, run, rest, source, destination, threads, values))
    return CopyPlan(name, source, destination, align, threads, values, tuple(parts))


def _common_run(source: Layout, destination: Layout) -> tuple[Layout, Layout]:
    """The longest run n:d of the domain along which both layouts step by one from 0, and the rest."""
    total = size(source)
    modes = [mode for mode in flatten_layout(max_common_layout(source, destination)).modes if mode[0] > 1]
    if modes:
        run = Layout(*modes[0])
        try:
            rest = complement(run, total)
            if is_bijective(concatenate(run, rest), total):
                return run, rest
        except Refuted:
            pass
    return Layout(1, 0), Layout(total)


def _width(run: int, rest: Layout, source: Layout, destination: Layout, limit: int) -> int:
    """The widest power of two within the limit that the run holds and that divides every other stride."""
    strides = [limit]
    for layout in (source, destination):
        for _, stride in _composed(layout, rest).modes:
            strides.append(abs(int(stride)))
    width = 1
    while 2 * width <= min(limit, run) and gcd(*strides) % (2 * width) == 0:
        width *= 2
    return width


def _part(
    first: int,
    vector: int,
    length: int,
    run: Layout,
    rest: Layout,
    source: Layout,
    destination: Layout,
    threads: int,
    values: int,
) -> Part:
    """``length`` elements of every run, from ``first`` on, by vectors; neighbours at the destination are neighbours."""
    step = int(run.stride)
    modes = [(length // vector, vector * step), *((n, d) for n, d in rest.modes)]
    modes = [mode for mode in modes if mode[0] > 1]
    modes.sort(key=lambda mode: abs(int(_stride(destination, mode))))
    walk = Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes)) if modes else Layout(1, 0)
    if len(modes) == 1:
        walk = Layout(modes[0][0], modes[0][1])
    order = Layout((vector, walk.shape), (step if vector > 1 else 0, walk.stride))
    accesses = size(walk)
    threads = min(threads, max(32, -(-accesses // 32) * 32))
    blocks = -(-accesses // (threads * values))
    return Part(
        first,
        order,
        _congruent(_composed(source, order), order),
        _congruent(_composed(destination, order), order),
        Layout((threads, values, blocks), (1, threads, threads * values)),
    )


def _composed(layout: Layout, order: Layout) -> Layout:
    """The plain layout composed with an order; Refuted where there is none."""
    found = composition(layout, order)
    if not isinstance(found, Layout):
        raise InputError(f"{layout} after {order} is no plain layout")
    return found


def _stride(layout: Layout, mode: tuple[int, int]) -> int:
    """Where the mode's second element goes."""
    return layout(mode[1])


def _congruent(composed: Layout, order: Layout) -> Layout:
    """The composition as (vector, accesses); its modes may be finer than the order's, its two halves are not."""
    if len(composed) != 2 or size(composed[0]) != size(order[0]):
        raise InputError(f"{composed} is not in two halves as {order} is")
    return composed


def operands(plan: CopyPlan) -> tuple[Operand, ...]:
    """Source and destination buffers."""
    return (
        Operand("source", plan.element, int(cosize(plan.source)), plan.align),  # type: ignore[arg-type]
        Operand("destination", plan.element, int(cosize(plan.destination)), plan.align, True, False),  # type: ignore[arg-type]
    )


def expects(plan: CopyPlan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show: one access of every part's vector, nothing narrower."""
    bits = {part.vector * element(plan.element).bits for part in plan.parts}
    return {("ld", "global"): bits, ("st", "global"): bits}, expected_hint(plan.load)


def host(plan: CopyPlan) -> Host:
    """The host function: two pointers and a stream; one launch a part."""
    import cutlass
    import cutlass.cute as cute

    kind = dsl_type(plan.element)

    def device(part: Part) -> Any:
        values = part.cover.shape[1]
        whole = size(part.cover) == part.accesses

        @cute.kernel  # type: ignore[untyped-decorator]
        def copy_kernel(source: cute.Tensor, destination: cute.Tensor):  # type: ignore[no-untyped-def]
            thread, _, _ = cute.arch.thread_idx()
            block, _, _ = cute.arch.block_idx()
            cover = dsl_layout(part.cover)
            moved = cute.make_rmem_tensor((part.vector, values), kind)
            vector = cute.make_copy_atom(cute.nvgpu.CopyG2ROp(), kind, num_bits_per_copy=part.vector * kind.width)
            kept = keeping(plan.load)
            for value in cutlass.range_constexpr(values):
                access = cover((thread, value, block))
                if cutlass.const_expr(whole):
                    cute.copy(vector, source[None, access], moved[None, value], **kept)
                else:
                    if access < part.accesses:
                        cute.copy(vector, source[None, access], moved[None, value], **kept)
            for value in cutlass.range_constexpr(values):
                access = cover((thread, value, block))
                if cutlass.const_expr(whole):
                    cute.autovec_copy(moved[None, value], destination[None, access])
                else:
                    if access < part.accesses:
                        cute.autovec_copy(moved[None, value], destination[None, access])

        return copy_kernel

    kernels = [device(part) for part in plan.parts]

    @cute.jit  # type: ignore[untyped-decorator]
    def copy_host(source: cute.Pointer, destination: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        for index in cutlass.range_constexpr(len(plan.parts)):
            part = plan.parts[index]
            threads, _, blocks = part.cover.shape
            first = (plan.source(part.first), plan.destination(part.first))
            kernels[index](
                cute.make_tensor(source + first[0], dsl_layout(part.source)),
                cute.make_tensor(destination + first[1], dsl_layout(part.destination)),
            ).launch(grid=[blocks, 1, 1], block=[threads, 1, 1], stream=stream)

    return copy_host


def reference(plan: CopyPlan, source: Any, destination: Any) -> Any:
    """The destination's buffer after dst(i) = src(i), one coordinate after the other as the definition says."""
    found = destination.copy()
    for i in range(size(plan.source)):
        found[plan.destination(i)] = source[plan.source(i)]
    return found


def emulate(plan: CopyPlan, source: Any, destination: Any) -> tuple[Any, Any]:
    """The plan's maps walked thread by thread: the buffer written, and how often each element of Z_N was."""
    import numpy as np

    found, seen = destination.copy(), np.zeros(size(plan.source), int)
    for part in plan.parts:
        at = plan.source(part.first), plan.destination(part.first)
        accesses = table(part.cover)
        steps = accesses[accesses < part.accesses][:, None] * part.vector + np.arange(part.vector)
        from_, into, order = (table(one)[steps] for one in (part.source, part.destination, part.order))
        found[at[1] + into] = source[at[0] + from_]
        np.add.at(seen, part.first + order, 1)
    return found, seen
