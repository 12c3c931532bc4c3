"""Offsets: every element and byte offset, and every product and sum on the way there, fits the integers that hold it.

A layout is evaluated from the first mode to the last: coordinate times stride, added to what is there. 31 bits are a
signed 32-bit integer without its sign, 63 those of a signed 64-bit one, 32 an unsigned one.
"""

from __future__ import annotations

from typing import Any

from ...model.composed import AnyLayout
from ...model.coordinate import idx2crd
from ...model.errors import InputError, Undecided, Witness
from ...model.htuple import text_of, unflatten
from ...model.layout import Layout
from ...model.properties import offset_range, refute_within
from .obligation import Obligation
from .rule import Rule

CPP = "C++ [expr.pre]: signed overflow is undefined; PTX ISA, mad.lo: the product is cut to 32 bits"
ELEMENTS = Rule("offsets.elements", "every offset in elements fits", CPP)
BYTES = Rule("offsets.bytes", "every offset in bytes fits", CPP)
PRODUCTS = Rule("offsets.products", "every coordinate times its stride fits, and every sum of them on the way", CPP)
WIDTHS = (31, 32, 63)


def decide_offsets(layout: AnyLayout, bits: int, element_bits: int, base: int = 0) -> list[Obligation]:
    """Whether offsets of ``layout`` from ``base``, in elements and in bytes, fit ``bits`` bits; three rules.

    A mode of one element is never multiplied, so that its stride does not matter. ``details`` has the least and the
    greatest value, and of a rule that fails the largest size that the mode with the longest step could have had.

    >>> [o.verdict.value for o in decide_offsets(Layout((2**15, 2**16)), 31, 8)]
    ['proved', 'proved', 'proved']
    >>> for o in decide_offsets(Layout((536870913, 4), (4, 1)), 31, 8):
    ...     print(o.reason)
    the offset at (536870912,0) is 2147483648, held as -2147483648; mode 0 may have 536870912
    the byte offset at (536870912,0) is 2147483648, held as -2147483648; mode 0 may have 536870912
    536870912 times the stride 4 is 2147483648, held as -2147483648; mode 0 may have 536870912
    """
    if bits not in WIDTHS:
        raise InputError(f"offsets are held in {', '.join(map(str, WIDTHS))} bits, not {bits}")
    if element_bits < 1:
        raise InputError("an element has at least one bit")
    return [
        ELEMENTS.decide(lambda: _total(ELEMENTS, layout, bits, 8, base)),
        BYTES.decide(lambda: _total(BYTES, layout, bits, element_bits, base)),
        PRODUCTS.decide(lambda: _products(layout, bits, base)),
    ]


def limits(bits: int) -> tuple[int, int]:
    """The least and the greatest integer: unsigned for 32 bits, signed for 31 and 63.

    >>> limits(31), limits(32)
    ((-2147483648, 2147483647), (0, 4294967295))
    """
    return (0, 2**32 - 1) if bits == 32 else (-(2**bits), 2**bits - 1)


def held_as(value: int, bits: int) -> int:
    """What an integer of that width holds of a value.

    >>> held_as(2**31, 31), held_as(2**32, 31), held_as(2**32, 32)
    (-2147483648, 0, 0)
    """
    least, greatest = limits(bits)
    return (value - least) % (greatest - least + 1) + least


def _total(rule: Rule, layout: AnyLayout, bits: int, element_bits: int, base: int) -> Obligation:
    """The offsets in units of ``element_bits``/8 bytes: elements of 8 bits are bytes, and count elements too."""
    low, high = offset_range(layout)
    least, greatest = limits(bits)
    low, high = low + base, high + base
    ends = low * element_bits // 8, high * element_bits // 8
    what = "offset" if rule is ELEMENTS else "byte offset"
    if least <= ends[0] and ends[1] <= greatest:
        return rule.holds(f"the {what}s go from {ends[0]} to {ends[1]}", least=ends[0], greatest=ends[1])
    crd = _first(layout, least, greatest, element_bits, base)
    offset = layout(crd) + base
    value = offset * element_bits // 8
    room = _room(layout, greatest, element_bits, base)
    return rule.refuted(
        f"the {what} at {text_of(crd)} is {value}, held as {held_as(value, bits)}"
        + (f"; mode {room[0]} may have {room[1]}" if room else ""),
        Witness("overflow", {"coordinate": crd, "value": value, "held_as": held_as(value, bits)}),
        least=ends[0],
        greatest=ends[1],
        room=room and {"mode": room[0], "size": room[1]},
    )


def _first(layout: AnyLayout, least: int, greatest: int, element_bits: int, base: int) -> Any:
    """The first coordinate whose value lies above; where there is none, that of the least offset."""
    beyond = -(-(greatest + 1) * 8 // element_bits) - base  # the first offset whose byte lies beyond
    if beyond < 1:
        return idx2crd(0, layout.shape)
    is_above = offset_range(layout)[1] >= beyond
    if isinstance(layout, Layout) and layout.semimodule == "integer":
        return _above(layout, beyond) if is_above else _lowest(layout)
    if offset_range(layout)[0] < 0:
        raise Undecided(f"{layout} has offsets below 0 and beyond what fits")
    witness = refute_within(layout, beyond)
    assert witness is not None
    return witness.values["coordinate"]


def _above(layout: Layout, wanted: int) -> Any:
    """The first coordinate with an offset of at least ``wanted``, from the last mode on."""
    below = sum((s - 1) * max(d, 0) for s, d in layout.modes)
    digits = []
    for s, d in reversed(layout.modes):
        below -= (s - 1) * max(d, 0)
        digit = -(-(wanted - below) // d) if d > 0 and wanted > below else 0
        wanted -= digit * d
        digits.append(digit)
    return unflatten(digits[::-1], layout.shape)


def _lowest(layout: Layout) -> Any:
    return unflatten([s - 1 if d < 0 else 0 for s, d in layout.modes], layout.shape)


def _room(layout: AnyLayout, greatest: int, element_bits: int, base: int) -> tuple[int, int] | None:
    """The mode of the longest step and the largest size that it could have, the others as they are."""
    if not isinstance(layout, Layout) or layout.semimodule != "integer":
        return None
    steps = [((s - 1) * d, d, i) for i, (s, d) in enumerate(layout.modes) if d > 0 and s > 1]
    if not steps:
        return None
    _, stride, mode = max(steps)
    others = sum((s - 1) * max(d, 0) for i, (s, d) in enumerate(layout.modes) if i != mode)
    last = -(-(greatest + 1) * 8 // element_bits) - 1 - base
    return mode, max((last - others) // stride + 1, 0)


def _products(layout: AnyLayout, bits: int, base: int) -> Obligation:
    inner: Any = layout
    while not isinstance(inner, Layout):
        inner = inner.layout
        if not hasattr(inner, "shape"):
            return PRODUCTS.holds("a swizzle multiplies nothing")
    if inner.semimodule != "integer":
        raise InputError(f"the offsets of {inner} are {inner.semimodule}, no integers")
    least, greatest = limits(bits)
    low = high = base
    for i, (s, d) in enumerate(inner.modes):
        product = (s - 1) * d
        low, high = low + min(product, 0), high + max(product, 0)
        wrong = product if not least <= product <= greatest else None
        if wrong is None and not least <= low <= high <= greatest:
            total = high if high > greatest else low
            return PRODUCTS.refuted(
                f"the sum of the first {i + 1} products reaches {total}, held as {held_as(total, bits)}",
                Witness("overflow", {"modes": i + 1, "value": total, "held_as": held_as(total, bits)}),
            )
        if wrong is not None:
            c = _factor(d, least, greatest)
            return PRODUCTS.refuted(
                f"{c} times the stride {d} is {c * d}, held as {held_as(c * d, bits)}; mode {i} may have {c}",
                Witness("overflow", {"mode": i, "coordinate": c, "value": c * d, "held_as": held_as(c * d, bits)}),
            )
    return PRODUCTS.holds(f"every sum on the way lies between {low} and {high}", least=low, greatest=high)


def _factor(d: int, least: int, greatest: int) -> int:
    """The least coordinate whose product with the stride does not fit."""
    return max(-(-(greatest + 1) // d) if d > 0 else -(-(1 - least) // -d), 1)
