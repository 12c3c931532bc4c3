"""Generic MLIR text to operations, one a line, as CuTe DSL's trace hook prints a kernel before it is lowered.

The text is what ``get_asm(print_generic_op_form=True, use_local_scope=True, enable_debug_info=True)`` gives::

    %21 = "cute.make_layout"(%19, %20) <{properties}> : (types) -> types loc("a = …"("file":10:8))
    "scf.if"(%5) ({
      …
    }, {
    }) {attributes} : (i1) -> () loc(unknown)

Nothing is lost: a line that is not understood is kept in :attr:`Module.unread`, as is an operation whose region is
never closed. Types and properties stay text here (:mod:`.types` reads types). A quotation mark inside a string is
written ``\\22`` in this form, so a string ends at the next mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_BRACKETS = re.compile(r'"[^"]*"|->|[()\[\]{}<>,]')
_HEAD = re.compile(r'(?:(%[^"=]*) = )?"([^"]+)"\(([^()"]*)\)')
_BLOCK = re.compile(r"\^\w+")
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|\\)")
_SYMBOL = re.compile(r'\bsym_name = "([^"]*)"')
_LINE_COLUMN = re.compile(r":(\d+):(\d+)(?: to (?:\d+)?:\d+(?::\d+)?)?")
_KERNELS = frozenset(("cuda.kernel", "gpu.func"))
FUNCTIONS = _KERNELS | {"func.func", "llvm.func"}
MAX_NESTING = 64


@dataclass(frozen=True)
class Place:
    """Where in somebody's source an operation comes from; ``line`` is 0 where it is unknown.

    ``source`` is the text there, if the location names it. ``callers`` are the places of the calls that led here,
    the outermost last.
    """

    file: str
    line: int
    column: int
    source: str | None = None
    callers: tuple[Place, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: names of values as in the text (``%16``, ``%5#1``, ``%arg1``), types and properties as text.

    ``properties`` holds ``<{…}>`` and ``{…}`` as written, joined by a space. ``kernel`` is the symbol of the kernel or
    function around the operation. ``line`` counts from 1 in the text; a region's operation has that of its beginning.
    ``around`` is the line of the operation whose region it is in, 0 outermost.
    """

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    properties: str
    operand_types: tuple[str, ...]
    result_types: tuple[str, ...]
    place: Place | None
    kernel: str
    line: int
    around: int = 0


@dataclass(frozen=True)
class Argument:
    """An argument of a block: of a kernel, a function or a loop's body."""

    name: str
    type: str
    place: Place | None
    kernel: str
    line: int


@dataclass(frozen=True)
class Unread:
    """A line that was not understood."""

    line_number: int
    text: str


@dataclass(frozen=True)
class Module:
    """What a text holds, in its order; ``kernels`` are the symbols of the device's kernels."""

    operations: tuple[Operation, ...]
    unread: tuple[Unread, ...]
    kernels: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()


@dataclass
class _Open:
    """An operation whose regions are being read."""

    slot: int
    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    properties: str
    line: int
    text: str
    kernel: str
    around: int


class _Misread(ValueError):
    """A line that is not of the form expected; it ends in ``unread``."""


def read(text: str) -> Module:
    """The operations of a module in generic form.

    >>> line = '%0:2 = "f.g"() : () -> (i32, i1) loc("x = g()"("a.py":3:4))'
    >>> module = read('"builtin.module"() ({\\n' + line + '\\n}) : () -> () loc(unknown)')
    >>> [(operation.name, operation.results, str(operation.place)) for operation in module.operations]
    [('builtin.module', (), 'None'), ('f.g', ('%0#0', '%0#1'), 'a.py:3:4')]
    >>> read("what is this").unread
    (Unread(line_number=1, text='what is this'),)
    """
    operations: list[Operation | None] = []
    arguments: list[Argument] = []
    unread: list[Unread] = []
    kernels: list[str] = []
    stack: list[_Open] = []
    kernel = ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line:
            continue
        around = stack[-1].line if stack else 0
        try:
            first = line[0]
            if first in '%"':
                if line.endswith("({"):
                    opened = _opened(line, len(operations), number, kernel, around)
                    stack.append(opened)
                    operations.append(None)
                    if opened.name in FUNCTIONS:
                        kernel = _symbol(opened.properties)
                        if opened.name in _KERNELS:
                            kernels.append(kernel)
                else:
                    operations.append(_operation(line, number, kernel, around))
            elif first == "}":
                if line == "}, {":
                    if not stack:
                        raise _Misread
                elif line.startswith("})"):
                    if not stack:
                        raise _Misread
                    operations[stack[-1].slot] = _closed(stack[-1], line)
                    kernel = stack.pop().kernel
                else:
                    raise _Misread
            elif first == "^":
                arguments += _arguments(line, number, kernel)
            else:
                raise _Misread
        except _Misread:
            unread.append(Unread(number, raw))
    unread += [Unread(one.line, one.text) for one in stack]
    done = tuple(operation for operation in operations if operation is not None)
    return Module(done, tuple(sorted(unread, key=lambda one: one.line_number)), tuple(kernels), tuple(arguments))


# Operations


def _operation(line: str, number: int, kernel: str, around: int) -> Operation:
    rest, place = _split_location(line)
    head = _HEAD.match(rest)
    if head is None:
        raise _Misread
    results, name, operands = head.groups()
    properties, operand_types, result_types = _signature(rest[head.end() :])
    names = _results(results)
    values = tuple(operands.split(", ")) if operands else ()
    if (names and len(names) != len(result_types)) or len(values) != len(operand_types):
        raise _Misread
    return Operation(name, values, names, properties, operand_types, result_types, place, kernel, number, around)


def _opened(line: str, slot: int, number: int, kernel: str, around: int) -> _Open:
    head = _HEAD.match(line)
    if head is None:
        raise _Misread
    results, name, operands = head.groups()
    properties, rest = _braces(line[head.end() : -2].strip())
    if rest:
        raise _Misread
    values = tuple(operands.split(", ")) if operands else ()
    return _Open(slot, name, values, _results(results), properties, number, line, kernel, around)


def _closed(opened: _Open, line: str) -> Operation:
    rest, place = _split_location(line)
    attributes, operand_types, result_types = _signature(rest[2:])
    if len(opened.operands) != len(operand_types) or (opened.results and len(opened.results) != len(result_types)):
        raise _Misread
    properties = " ".join(part for part in (opened.properties, attributes) if part)
    return Operation(
        opened.name,
        opened.operands,
        opened.results,
        properties,
        operand_types,
        result_types,
        place,
        opened.kernel,
        opened.line,
        opened.around,
    )


@lru_cache(maxsize=8192)
def _results(text: str | None) -> tuple[str, ...]:
    """``%3`` and ``%3:2`` as one name a result.

    >>> _results("%3:2"), _results("%0, %1:2")
    (('%3#0', '%3#1'), ('%0', '%1#0', '%1#1'))
    """
    names: list[str] = []
    for part in text.split(", ") if text else ():
        name, colon, count = part.partition(":")
        if colon and not count.isdecimal():
            raise _Misread
        names += [f"{name}#{i}" for i in range(int(count))] if colon else [name]
    return tuple(names)


@lru_cache(maxsize=8192)
def _signature(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What follows the operands, before the location: properties, types of operands, types of results."""
    properties, rest = _braces(text.strip())
    if not rest.startswith(": ("):
        raise _Misread
    end = _close(rest, 2)
    if not rest.startswith(" -> ", end):
        raise _Misread
    results = rest[end + 4 :]
    if results.startswith("("):
        if _close(results, 0) != len(results):
            raise _Misread
        results = results[1:-1]
    elif not results:
        raise _Misread
    return properties, split_top(rest[3 : end - 1]), split_top(results)


def _braces(text: str) -> tuple[str, str]:
    """Successors, ``<{…}>`` and ``{…}`` at the beginning as written, and the rest."""
    parts: list[str] = []
    while text.startswith(("<{", "{", "[")):
        end = _close(text, 0)
        parts.append(text[:end])
        text = text[end:].lstrip()
    return " ".join(parts), text


def _close(text: str, start: int) -> int:
    """The place after the bracket that closes the one at ``start``."""
    level = 0
    for match in _BRACKETS.finditer(text, start):
        token = match[0]
        if token in "([{<":
            level += 1
        elif token in ")]}>":
            level -= 1
            if not level:
                return match.end()
    raise _Misread


def split_top(text: str) -> tuple[str, ...]:
    """The parts between commas that stand in no bracket and no string.

    >>> split_top('i32, !cute.layout<"(2,3):(1,2)">, (i1, i1) -> i8')
    ('i32', '!cute.layout<"(2,3):(1,2)">', '(i1, i1) -> i8')
    """
    parts: list[str] = []
    level = begin = 0
    for match in _BRACKETS.finditer(text):
        token = match[0]
        if token == ",":
            if not level:
                parts.append(text[begin : match.start()].strip())
                begin = match.end()
        elif token in "([{<":
            level += 1
        elif token in ")]}>":
            level -= 1
    last = text[begin:].strip()
    return (*parts, last) if last or parts else ()


def _symbol(properties: str) -> str:
    found = _SYMBOL.search(properties)
    return found[1] if found else ""


def _arguments(line: str, number: int, kernel: str) -> Iterator[Argument]:
    """The arguments of ``^bb0(%arg1: type loc(…), …):``."""
    label = _BLOCK.match(line)
    if label is None:
        raise _Misread
    found: list[Argument] = []
    rest = line[label.end() :]
    if rest.startswith("("):
        end = _close(rest, 0)
        for part in split_top(rest[1 : end - 1]):
            name, colon, typed = part.partition(": ")
            if not colon or not name.startswith("%"):
                raise _Misread
            kind, place = _split_location(typed)
            found.append(Argument(name, kind, place, kernel, number))
        rest = rest[end:]
    if not rest.startswith(":") or not (rest == ":" or rest[1:].lstrip().startswith("//")):
        raise _Misread
    return iter(found)


# Locations


def _split_location(line: str) -> tuple[str, Place | None]:
    """The text before ``loc(…)`` at the end, and the place that it tells; the text as it is where there is none."""
    at = line.rfind(" loc(")
    while at >= 0 and line.count('"', at) % 2:  # inside a string
        at = line.rfind(" loc(", 0, at)
    if at < 0:
        return line, None
    if not line.endswith(")"):
        raise _Misread
    return line[:at], _place(line[at + 5 : -1])


@lru_cache(maxsize=16384)
def _place(text: str) -> Place | None:
    """The place that the inside of ``loc(…)`` tells; None for ``unknown``.

    >>> _place('"f(a)"("k.py":3:4)')
    Place(file='k.py', line=3, column=4, source='f(a)', callers=())
    >>> _place('callsite("f"("k.py":3:4) at "g(x)"("k.py":9:0))').callers
    (Place(file='k.py', line=9, column=0, source='g(x)', callers=()),)
    """
    return _location(text.strip(), 0)


def _location(text: str, depth: int) -> Place | None:
    if depth > MAX_NESTING:
        raise _Misread
    if text == "unknown":
        return None
    if text.startswith("callsite("):
        if _close(text, 8) != len(text):
            raise _Misread
        inside = text[9:-1]
        at = _between(inside, " at ")
        return _called(_location(inside[:at], depth + 1), _location(inside[at + 4 :], depth + 1))
    if text.startswith("fused"):
        begin = _close(text, 5) if text.startswith("fused<") else 5
        if not text.startswith("[", begin) or _close(text, begin) != len(text):
            raise _Misread
        places = [_location(part, depth + 1) for part in split_top(text[begin + 1 : -1])]
        return next((place for place in places if place is not None), None)
    if not text.startswith('"'):
        raise _Misread
    end = text.find('"', 1) + 1
    if not end:
        raise _Misread
    first, rest = unescape(text[1 : end - 1]), text[end:]
    if not rest:
        return Place("", 0, 0, first)
    spot = _LINE_COLUMN.fullmatch(rest)
    if spot:
        return Place(first, int(spot[1]), int(spot[2]))
    if not rest.startswith("(") or _close(rest, 0) != len(rest):
        raise _Misread
    inner = _location(rest[1:-1], depth + 1)
    if inner is None:
        return Place("", 0, 0, first)
    return Place(inner.file, inner.line, inner.column, first, inner.callers)


def _called(callee: Place | None, caller: Place | None) -> Place | None:
    if callee is None or caller is None:
        return callee or caller
    outer = (*callee.callers, Place(caller.file, caller.line, caller.column, caller.source), *caller.callers)
    return Place(callee.file, callee.line, callee.column, callee.source, outer)


def _between(text: str, word: str) -> int:
    """Where ``word`` stands in no bracket and no string."""
    level = 0
    at = text.find(word)
    spots = [(m.start(), m[0]) for m in _BRACKETS.finditer(text)]
    while at >= 0:
        level = sum(1 if t in "([{<" else -1 if t in ")]}>" else 0 for p, t in spots if p < at)
        if not level and text.count('"', 0, at) % 2 == 0:
            return at
        at = text.find(word, at + 1)
    raise _Misread


def unescape(text: str) -> str:
    r"""A string of the text as it was: ``\22`` is a quotation mark, ``\C3\A9`` an é.

    >>> unescape(r"print(\22\C3\A9\22)")
    'print("é")'
    """
    if "\\" not in text:
        return text
    raw = bytearray()
    at = 0
    for match in _ESCAPE.finditer(text):
        raw += text[at : match.start()].encode()
        raw += b"\\" if match[1] == "\\" else bytes((int(match[1], 16),))
        at = match.end()
    return (bytes(raw) + text[at:].encode()).decode("utf-8", "replace")
