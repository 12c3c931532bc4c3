"""Calls made of the texts of their types, for tests of rules."""

from __future__ import annotations

import re

from veritile.kernels.audit import algebra, structure
from veritile.kernels.audit.text import Operation
from veritile.kernels.audit.types import UnknownType, read_type
from veritile.kernels.audit.verdict import RULES, Call, Decision

MODULES = algebra, structure  # importing them fills RULES
_MEMREF = re.compile(r"((?:[a-z]\S* |S<[^>]*> (?!o ))*)(.*)")


def type_text(text: str) -> str:
    """A type by a short hand: ``8:1`` a layout, ``S<…> o …`` a composed one, ``shape (4,?)``, ``memref f32 gmem …``."""
    if text.startswith("!") or re.fullmatch(r"[iuf]\d+", text):
        return text
    kind, _, rest = text.partition(" ")
    if kind in ("shape", "stride", "coord", "int_tuple", "tile", "arith_tuple_iter", "swizzle"):
        return f'!cute.{kind}<"{rest}">'
    if kind == "coord_tensor":
        base, _, layout = rest.partition(" ")
        return f'!cute.coord_tensor<"{base}", "{layout}">'
    if kind == "memref":
        address, layout = _MEMREF.fullmatch(rest).groups()  # type: ignore[union-attr]
        return f'!cute.memref<{", ".join(address.split())}, "{layout}">'
    if kind == "ptr":
        return f"!cute.ptr<{', '.join(rest.split(' '))}>"
    return f'!cute.composed_layout<"{text}">' if " o " in text else f'!cute.layout<"{text}">'


def call(name: str, operands: list[str], results: list[str], properties: str = "") -> Call:
    """The call of ``cute.NAME`` on types in the short hand of :func:`type_text`."""
    given, got = tuple(map(type_text, operands)), tuple(map(type_text, results))
    read = [tuple(map(read_type, texts)) for texts in (given, got)]
    for kind in (*read[0], *read[1]):
        assert not isinstance(kind, UnknownType), kind
    operation = Operation(f"cute.{name}", ("%0",) * len(given), ("%1",), properties, given, got, None, "", 1)
    return Call(operation, *read)


def decide(name: str, operands: list[str], results: str | list[str], properties: str = "") -> Decision:
    """What the rule for ``cute.NAME`` says."""
    made = call(name, operands, [results] if isinstance(results, str) else results, properties)
    return RULES[made.operation.name](made)
