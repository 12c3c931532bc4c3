"""Operations made up for tests, as the IR has them, and faults planted in what they return."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritile.kernels.audit.audit import tables
from veritile.kernels.audit.text import Operation
from veritile.kernels.audit.types import UnknownType, read_type
from veritile.kernels.audit.verdict import WRONG, Call, Decision

_MEMREF = re.compile(r"((?:[a-z]\S* |S<[^>]*> (?!o ))*)(.*)")
_LEAF = re.compile(r"\?(?:\{[^}]*\})?(?:@\d+)*|\d+(?:@\d+)*")
_POINTER = re.compile(
    r"!cute\.(?:memref|ptr)<(?P<element>\w+), (?P<space>\w+)(?:, align<\d+>)?(?P<swizzle>, S<\d,\d,\d>)?"
)
_DIVISOR = re.compile(r"div=(\d+)")


@dataclass(frozen=True)
class Case:
    """An operation that returned the right thing: types of operands, types of results."""

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    properties: str = ""

    def decide(self) -> Decision:
        """What the rule of its name says."""
        return decide(self.name, self.operands, self.results, self.properties)


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


def call(name: str, operands: Sequence[str], results: Sequence[str], properties: str = "") -> Call:
    """The call of an operation, ``cute.NAME`` where no dialect is named, on types as :func:`type_text` reads them."""
    given, got = tuple(map(type_text, operands)), tuple(map(type_text, results))
    values = tuple(f"%{k}" for k in range(len(given)))
    full = name if name.startswith("cute") else f"cute.{name}"
    operation = Operation(full, values, ("%r",) * len(got), properties, given, got, None, "kernel", 1)
    read = [tuple(map(read_type, texts)) for texts in (given, got)]
    for kind in (*read[0], *read[1]):
        assert not isinstance(kind, UnknownType), kind
    return Call(operation, *read)


def decide(name: str, operands: Sequence[str], results: str | Sequence[str], properties: str = "") -> Decision:
    """What the rule of an operation says of a call as of :func:`call`; one result may stand alone."""
    made = call(name, operands, (results,) if isinstance(results, str) else results, properties)
    return tables()[0][made.operation.name](made)


def mutants(text: str) -> Iterator[str]:
    """A type with one thing changed that must not be: a number of its layout, or its pointer."""
    yield from mutants_of_layout(text)
    yield from mutants_of_pointer(text)


def planted(case: Case) -> Iterator[tuple[str, Decision]]:
    """Each result of a case changed as of :func:`mutants`, with what the rule says of the case then."""
    for place, result in enumerate(case.results):
        for mutant in mutants(result):
            results = (*case.results[:place], mutant, *case.results[place + 1 :])
            yield mutant, decide(case.name, case.operands, results, case.properties)


def assert_planted_are_wrong(case: Case) -> None:
    """Each planted fault is told from what was returned, by a witness with both values."""
    found = list(planted(case))
    assert len(found) >= 5
    for mutant, decision in found:
        assert decision.verdict == WRONG, mutant
        assert decision.witness is not None
        assert decision.witness.values["expected"] != decision.witness.values["got"]


def mutants_of_pointer(text: str) -> Iterator[str]:
    """A tensor in memory or a pointer with another element, another space, another swizzle, and with none."""
    found = _POINTER.match(text)
    if found is None:
        return
    element, space, swizzle = found["element"], found["space"], found["swizzle"]
    yield _replaced(text, found, found[0].replace(f"<{element},", f"<{'i8' if element != 'i8' else 'f32'},"))
    yield _replaced(text, found, found[0].replace(f", {space}", f", {'gmem' if space != 'gmem' else 'smem'}"))
    if swizzle:
        yield _replaced(text, found, found[0].replace(swizzle, ""))
        yield _replaced(text, found, found[0].replace("S<3", "S<2"))
    else:
        yield _replaced(text, found, f"{found[0]}, S<3,4,3>")


def mutants_of_layout(text: str) -> Iterator[str]:
    """A type with one number of its layout changed to another that must not do.

    A size grows by one; a stride of more than one element is doubled, and is made one more; what is claimed of a number
    that is known only at run time is doubled. What is claimed of the start (an alignment, a coordinate) is doubled too.
    """
    head, _, end = text.rpartition(', "') if ', "' in text else text.rpartition('<"')
    mark = text[len(head) : len(text) - len(end)]
    layout, close = end[:-2], end[-2:]
    shape, _, stride = layout.rpartition(":")
    prefix = ""
    if " o " in shape:
        prefix, _, shape = shape.rpartition(" o ")
        prefix += " o "
    sizes, strides = list(_LEAF.finditer(shape)), list(_LEAF.finditer(stride))
    for size in sizes:
        if size[0].isdecimal():
            changed = _replaced(shape, size, str(int(size[0]) + 1))
            yield f"{head}{mark}{prefix}{changed}:{stride}{close}"
    for size, step in zip(sizes, strides, strict=True):
        if size[0] != "1":
            for other in _others(step[0]):
                yield f"{head}{mark}{prefix}{shape}:{_replaced(stride, step, other)}{close}"
    for divisor in _DIVISOR.finditer(head):
        yield f"{head[: divisor.start(1)]}{int(divisor[1]) * 2}{head[divisor.end(1) :]}{mark}{layout}{close}"


def _others(step: str) -> Iterator[str]:
    number, at, path = step.partition("@")
    if not number.isdecimal():
        found = _DIVISOR.search(number)
        bits = "i64 " if "i64" in number else ""
        yield f"?{{{bits}div={int(found[1]) * 2 if found else 2}}}{at}{path}"
        return
    yield f"{int(number) + 1}{at}{path}"
    if number != "0":
        yield f"{int(number) * 2}{at}{path}"
        yield "0"
    if at:
        yield f"{number}@{int(path[0]) + 1}{path[1:]}"


def _replaced(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def aligned_further(text: str) -> str:
    """A tensor that claims twice the alignment."""
    return re.sub(r"align<(\d+)>", lambda m: f"align<{int(m[1]) * 2}>", text, count=1)
