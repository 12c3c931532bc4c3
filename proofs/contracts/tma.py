"""TMA: what a tensor map may say, where a box lands in shared memory, and the bytes that its barrier must expect.

Modes are in the descriptor's order: mode 0 is the contiguous one. Extents and boxes are in elements, strides in bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from ...model.composed import AnyLayout, ComposedLayout
from ...model.errors import InputError
from ...model.htuple import flatten, size
from ...model.layout import Layout
from ...model.properties import offsets
from ...model.swizzle import Swizzle
from .obligation import Obligation
from .rule import ENUMERATION, Rule

ENCODE = "CUDA driver API, cuTensorMapEncodeTiled"
GUIDE = "CUDA programming guide, tensor memory access: swizzle modes"
EXPECT = "PTX ISA, mbarrier.expect_tx and cp.async.bulk.tensor: completion by bytes"
MAX_RANK, MAX_BOX, MAX_ELEMENT_STRIDE = 5, 256, 8
MAX_EXTENT, STRIDE_END, MAX_TX = 2**32, 2**40, 2**20 - 1
UNIT, SHARED = 16, 128  # bytes
SPANS = {0: 0, 32: 1, 64: 2, 128: 3}  # swizzle span in bytes: bits of its swizzle


@dataclass(frozen=True)
class Box:
    """A tensor map and the box that one copy moves.

    ``extents``          of the tensor, mode 0 first; ``strides`` in bytes of the modes from 1 on
    ``box``              elements that a copy moves in each mode
    ``swizzle``          span in bytes: 0, 32, 64 or 128
    ``global_align``     bytes that the tensor's address is known to be a multiple of
    ``shared_align``     bytes that every destination in shared memory is known to be a multiple of
    ``element_strides``  the steps between the elements that are moved; 1 where nothing is given
    """

    name: str
    element_bits: int
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    swizzle: int = 0
    global_align: int = 16
    shared_align: int = 128
    element_strides: tuple[int, ...] = ()

    @property
    def steps(self) -> tuple[int, ...]:
        """The element strides, one a mode."""
        return self.element_strides or (1,) * len(self.box)

    @property
    def moved(self) -> tuple[int, ...]:
        """Elements that a copy moves in each mode: ⌈box/step⌉."""
        return tuple(-(-b // max(e, 1)) for b, e in zip(self.box, self.steps, strict=True))

    @property
    def bytes(self) -> int:
        """Bytes that one copy writes and completes on its barrier: the whole box, what lies out of bounds included.

        >>> Box("A", 16, (100, 100), (208,), (64, 128)).bytes
        16384
        """
        return prod(self.moved) * self.element_bits // 8


def encode(
    tensor: Layout, box: Sequence[int], element_bits: int, name: str = "", *, keep: bool = False, **more: Any
) -> tuple[Box, list[int]]:
    """The tensor map of a layout in global memory, and which mode of the layout stands where in it.

    The mode of stride 1 comes first, the others in the order of their strides. A mode of stride 0 (a broadcast) is
    encoded as extent 1, stride 0, since all its coordinates are one element; so are modes of size 1, unless ``keep``
    says that they have their stride, as one does whose size is known at run time only. InputError where no mode has
    stride 1: the elements of mode 0 are contiguous by definition.

    >>> box, order = encode(Layout((4096, 512), (512, 1)), (128, 64), 16)
    >>> box.extents, box.strides, box.box, order
    ((512, 4096), (1024,), (64, 128), [1, 0])
    >>> encode(Layout((64, 32), (1, 0)), (64, 1), 16)[0].extents
    (64, 1)
    """
    shape, stride = flatten(tensor.shape), flatten(tensor.stride)
    if len(box) != len(shape):
        raise InputError(f"a box of {len(box)} modes for a tensor of {len(shape)}")
    if not all(isinstance(d, int) for d in stride):
        raise InputError("the strides of a tensor in memory are integers")
    last = [m for m in range(len(shape)) if stride[m] == 0 or (shape[m] == 1 and stride[m] != 1 and not keep)]
    inner = [m for m in range(len(shape)) if stride[m] == 1 and m not in last]
    if not inner:
        raise InputError(f"no mode of {tensor} has stride 1, and the first mode of a tensor map is contiguous")
    first = max(inner, key=lambda m: shape[m])
    others = sorted((m for m in range(len(shape)) if m != first and m not in last), key=lambda m: stride[m])
    order = [first, *others, *last]
    extents = tuple(1 if m in last else shape[m] for m in order)
    strides = tuple(0 if m in last else stride[m] * element_bits // 8 for m in order[1:])
    return Box(name, element_bits, extents, strides, tuple(box[m] for m in order), **more), order


def _rule(name: str, text: str, source: str = ENCODE) -> Rule:
    return Rule(f"tma.{name}", text, source)


RANK = _rule("rank", "a tensor map has 1 to 5 modes")
BITS = _rule("element", "elements are of 8, 16, 32 or 64 bits")
EXTENT = _rule("extents", "every extent is from 1 to 2^32")
BOX = _rule("box", "a box has 1 to 256 elements a mode")
STEP = _rule("element-strides", "element strides are from 1 to 8")
INNER = _rule("inner-bytes", "the contiguous mode of a box is a multiple of 16 bytes")
SPAN = _rule("span", "with a swizzle, the contiguous mode of a box lies within its span")
MODE = _rule("swizzle", "swizzles have spans of 32, 64 and 128 bytes")
ADDRESS = _rule("address", "the tensor's address is a multiple of 16")
STRIDE = _rule("strides", "the strides are multiples of 16 below 2^40")
BROADCAST = _rule("broadcast", "a mode of stride 0 has extent 1, and the box one element of it")
TARGET = _rule("shared-address", "a destination is a multiple of 128 bytes, and of the swizzle's period", GUIDE)
LAYOUT = _rule("shared-layout", "the layout in shared memory is the order that TMA writes in", GUIDE)
TX = _rule("expect", "the bytes expected are all bytes that the copies complete on the barrier", EXPECT)


def decide_tma(box: Box) -> list[Obligation]:
    """Every rule on a tensor map and its box.

    >>> {o.verdict.value for o in decide_tma(Box("A", 16, (4096, 4096), (8192,), (64, 128), 128, shared_align=1024))}
    {'proved'}
    >>> [o.reason for o in decide_tma(Box("A", 16, (4096, 4096), (8192,), (128, 128), 128)) if o.witness]
    ['256 bytes, a span of 128', '128 bytes known, 1024 needed']
    """
    count = len(box.box)
    if not 1 <= count <= MAX_RANK or len(box.extents) != count or len(box.strides) != count - 1:
        told = f"{count} modes in the box, {len(box.extents)} extents, {len(box.strides)} strides"
        return [RANK.fails(told, "rank", rank=count, limit=MAX_RANK)]
    if len(box.steps) != count:
        return [RANK.fails(f"{len(box.steps)} element strides for {count} modes", "rank", rank=count, limit=MAX_RANK)]
    made = [RANK.holds(f"{count} modes", rank=count), _bits(box)]
    made += [_each(EXTENT, "extent", box.extents, 1, MAX_EXTENT), _each(BOX, "box", box.box, 1, MAX_BOX)]
    made += [_each(STEP, "element stride", box.steps, 1, MAX_ELEMENT_STRIDE)]
    if any(o.witness for o in made):
        return made
    return [*made, _inner(box), *_swizzle(box), _address(box), _strides(box), _broadcast(box), _target(box)]


def _bits(box: Box) -> Obligation:
    if box.element_bits in (4, 6):
        return BITS.open(f"packed elements of {box.element_bits} bits have further rules that are not encoded here")
    if box.element_bits not in (8, 16, 32, 64):
        return BITS.fails(f"{box.element_bits} bits", "element", bits=box.element_bits)
    return BITS.holds(f"{box.element_bits} bits")


def _each(rule: Rule, what: str, values: Sequence[int], low: int, high: int) -> Obligation:
    for mode, value in enumerate(values):
        if not low <= value <= high:
            return rule.fails(f"{what} {value} in mode {mode}", "mode", mode=mode, got=value, low=low, high=high)
    return rule.holds(f"{', '.join(map(str, values))}")


def _inner_bits(box: Box) -> int:
    return box.box[0] * box.element_bits


def _inner(box: Box) -> Obligation:
    bits = _inner_bits(box)
    if bits % (8 * UNIT):
        what = f"{box.box[0]} elements of {box.element_bits} bits are {bits // 8} bytes"
        return INNER.fails(what, "bytes", bytes=bits // 8, multiple=UNIT, rest=bits // 8 % UNIT)
    return INNER.holds(f"{bits // 8} bytes", bytes=bits // 8)


def _swizzle(box: Box) -> list[Obligation]:
    if box.swizzle not in SPANS:
        return [MODE.fails(f"a span of {box.swizzle}", "swizzle", span=box.swizzle, known=list(SPANS))]
    if not box.swizzle:
        return [MODE.holds("none"), SPAN.holds("no swizzle, no span")]
    count = _inner_bits(box) // 8
    if count > box.swizzle:
        told = f"{count} bytes, a span of {box.swizzle}"
        return [MODE.holds(f"{box.swizzle} bytes"), SPAN.fails(told, "span", bytes=count, span=box.swizzle)]
    return [MODE.holds(f"{box.swizzle} bytes"), SPAN.holds(f"{count} of {box.swizzle} bytes")]


def _address(box: Box) -> Obligation:
    if box.global_align % UNIT:
        return ADDRESS.fails(f"{box.global_align} bytes known", "alignment", known=box.global_align, needed=UNIT)
    return ADDRESS.holds(f"a multiple of {box.global_align}")


def _strides(box: Box) -> Obligation:
    for mode, stride in enumerate(box.strides, 1):
        if stride % UNIT or not 0 <= stride < STRIDE_END:
            limit = "no multiple of 16" if stride % UNIT else "not from 0 to 2^40 − 1"
            return STRIDE.fails(
                f"{stride} bytes in mode {mode}: {limit}", "stride", mode=mode, got=stride, rest=stride % UNIT
            )
    return STRIDE.holds(", ".join(map(str, box.strides)) or "one mode")


def _broadcast(box: Box) -> Obligation:
    for mode, stride in enumerate(box.strides, 1):
        if stride == 0 and (box.extents[mode] != 1 or box.box[mode] != 1):
            what = f"mode {mode} has stride 0: encode it as extent 1, stride 0, and box 1"
            return BROADCAST.fails(what, "mode", mode=mode, extent=box.extents[mode], box=box.box[mode])
    return BROADCAST.holds("no mode is repeated")


def period(swizzle: int) -> int:
    """Bytes after which the pattern of a swizzle comes again, and that its start is a multiple of.

    >>> [period(span) for span in (0, 32, 64, 128)]
    [128, 256, 512, 1024]
    """
    return max(8 * swizzle, SHARED)


def _target(box: Box) -> Obligation:
    needed = period(box.swizzle if box.swizzle in SPANS else 0)
    if box.shared_align % needed:
        what = f"{box.shared_align} bytes known, {needed} needed"
        return TARGET.fails(what, "alignment", known=box.shared_align, needed=needed)
    return TARGET.holds(f"a multiple of {box.shared_align}")


def swizzle_of(span: int, element_bits: int) -> Swizzle:
    """The swizzle of a span on offsets in elements: in bytes it exchanges bits 4… with bits 7….

    >>> str(swizzle_of(128, 16)), str(swizzle_of(64, 8)), str(swizzle_of(128, 32))
    ('S<3,3,3>', 'S<2,4,3>', 'S<3,2,3>')
    """
    return Swizzle(SPANS[span], 4 - (element_bits // 8).bit_length() + 1, 3)


def decide_shared_layout(box: Box, order: Sequence[int], layout: AnyLayout, tile: Sequence[int]) -> Obligation:
    """Whether ``layout``, of a tile in shared memory, is where the copies of a tile put its elements.

    ``tile`` and the modes of ``layout`` are in the tensor's order; ``order`` says which mode of it stands where in the
    descriptor. A tile of several boxes is copied box by box, each box where the layout puts its first element. Offsets
    are in elements, from the start of the buffer, which is aligned to the swizzle's period.

    >>> from ...model.notation import parse
    >>> box = Box("A", 16, (4096, 4096), (8192,), (64, 128), 128, shared_align=1024)
    >>> decide_shared_layout(box, [1, 0], parse("S<3,3,3> o 0 o (128,64):(64,1)"), (128, 64)).verdict.value
    'proved'
    >>> decide_shared_layout(box, [1, 0], parse("S<3,4,3> o 0 o (128,64):(64,1)"), (128, 64)).witness.as_dict()
    {'kind': 'difference', 'coordinate': (1, 0), 'index': 1, 'expected': 72, 'got': 64}
    """
    inner = [0] * len(tile)
    for place, mode in enumerate(order):
        inner[mode] = box.box[place]
    if size(layout.shape) != prod(tile) or any(t % b for t, b in zip(tile, inner, strict=True)):
        told = f"a tile {tuple(tile)} of boxes {tuple(inner)}, a layout of {size(layout.shape)} elements"
        return LAYOUT.fails(told, "shape", tile=tuple(tile), box=tuple(inner), size=size(layout.shape))
    swizzle = swizzle_of(box.swizzle, box.element_bits)
    every = period(box.swizzle) * 8 // box.element_bits
    weights, step = [0] * len(tile), 1
    for place, mode in enumerate(order):
        weights[mode], step = step, step * box.box[place]
    strides = [prod(tile[:m]) for m in range(len(tile))]
    table = _offsets(layout)
    inside = [
        (
            part,
            sum(c * d for c, d in zip(part, strides, strict=True)),
            swizzle(sum(c * w for c, w in zip(part, weights, strict=True))),
        )
        for part in (tuple(reversed(p)) for p in product(*(range(b) for b in reversed(inner))))
    ]
    for first in product(*(range(0, t, b) for t, b in reversed(list(zip(tile, inner, strict=True))))):
        start = tuple(reversed(first))
        first_index = sum(c * d for c, d in zip(start, strides, strict=True))
        base = table[first_index]
        if base % (SHARED * 8 // box.element_bits) or (box.swizzle and base % every):
            return LAYOUT.fails(
                f"the box at {start} begins at element {base}", "alignment", coordinate=start, offset=base
            )
        for part, index, place in inside:
            wanted = base + place
            if table[first_index + index] != wanted:
                at = tuple(s + c for s, c in zip(start, part, strict=True))
                values = {
                    "coordinate": at,
                    "index": first_index + index,
                    "expected": wanted,
                    "got": table[first_index + index],
                }
                return LAYOUT.fails(f"TMA writes element {at} at {wanted}", "difference", ENUMERATION, **values)
    return LAYOUT.holds(f"{prod(tile)} elements in boxes {tuple(inner)}", f"{ENUMERATION} ({prod(tile)} elements)")


def _offsets(layout: AnyLayout) -> list[int]:
    """The offset at every index; a swizzle of a layout without evaluating the layout at each."""
    if (
        isinstance(layout, ComposedLayout)
        and isinstance(layout.layout, Layout)
        and isinstance(layout.function, Swizzle)
    ):
        function, start = layout.function, layout.offset
        return [function(start + place) for place in offsets(layout.layout)]
    return list(offsets(layout))


@dataclass(frozen=True)
class Landing:
    """Copies that complete their bytes on one barrier in a round.

    ``bytes`` of one box; ``slices`` how many of them land in this CTA (with multicast: its own and those that its
    partners send); ``ctas`` in how many CTAs they land and signal this barrier (2 with cta_group::2: the leader's
    barrier counts the pair's); ``inside`` the bytes within the tensor, for the message alone.
    """

    name: str
    bytes: int
    slices: int = 1
    ctas: int = 1
    inside: int | None = None

    @property
    def total(self) -> int:
        """Bytes in all."""
        return self.bytes * self.slices * self.ctas


def decide_expect(expected: int, landings: Iterable[Landing]) -> Obligation:
    """Whether ``arrive.expect_tx`` announces exactly the bytes that land.

    >>> a, b = Landing("A", 16384), Landing("B", 16384)
    >>> decide_expect(32768, [a, b]).reason
    'A 16384 + B 16384 = 32768'
    >>> decide_expect(98304, [Landing("A", 16384, ctas=2), Landing("B", 16384, ctas=2)]).witness.as_dict()
    {'kind': 'bytes', 'expected': 65536, 'got': 98304, 'copies': {'A': 32768, 'B': 32768}}
    """
    copies = list(landings)
    total = sum(c.total for c in copies)
    told = " + ".join(f"{c.name} {c.total}" for c in copies) or "no copy"
    if expected != total:
        what = f"{expected} bytes expected, {told} = {total} land"
        if any(c.inside is not None for c in copies) and expected == sum(
            (c.bytes if c.inside is None else c.inside) * c.slices * c.ctas for c in copies
        ):
            what += "; what lies out of bounds is written as zeros, and counted"
        elif expected == sum(c.bytes * c.ctas for c in copies):
            what += "; the slices that partners send are counted too"
        elif expected == sum(c.bytes * c.slices for c in copies):
            what += "; the other CTA of the pair signals this barrier too"
        return TX.fails(what, "bytes", expected=total, got=expected, copies={c.name: c.total for c in copies})
    if total > MAX_TX:
        return TX.fails(f"a phase counts to {MAX_TX} bytes, not {total}", "bytes", expected=MAX_TX, got=total)
    return TX.holds(f"{told} = {total}", bytes=total)
