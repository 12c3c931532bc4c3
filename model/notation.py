"""The notation S:D in and out, including what CuTe prints; text is parsed, never evaluated.

==============  ==============================================================================================
layout          ``((2,2),(4,2)):((1,8),(2,16))``; ``(4,8)`` alone is compact; ``(_4,_8):(_1,_4)``
stride          ``-3``, ``e0``, ``2e1``, ``e0+2e1``, ``2@1``, ``1@1@0`` (mode 1 of mode 0), ``f5``
composed        ``S<3,4,3> o 0 o (8,64):(64,1)``, ``Sw<…>`` and ``∘`` too
coordinate      ``22``, ``(2,5)``, ``(_,(1,0))``; ``_`` keeps a mode in a slice
tiler           a layout ``4:2``, a shape ``(4,8)``, by mode ``<4:1,8:2>``; ``_`` keeps a mode
==============  ==============================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .composed import AnyLayout, ComposedLayout
from .errors import InputError
from .htuple import HTuple
from .layout import Layout
from .semimodule import F2, E, Element
from .swizzle import Swizzle

MAX_LENGTH = 65_536
MAX_DEPTH = 64
MAX_DIGITS = 640
_TOKEN = re.compile(r"\s*([0-9]+|[A-Za-z][A-Za-z]*|.)", re.DOTALL)

Tiler = Any  # int, Layout, None, or a tuple of tilers


def layout(text: str | Layout) -> Layout:
    """The layout that ``text`` writes; InputError with the place when it writes none.

    >>> layout("((2,2),(4,2)):((1,8),(2,16))")(22)
    26
    >>> str(layout("(_4,_8):(_1,_4)")), str(layout("(4,8):(1@0,1@1)"))
    ('(4,8):(1,4)', '(4,8):(e0,e1)')
    """
    if isinstance(text, Layout):
        return text
    parsed = parse(text)
    if not isinstance(parsed, Layout):
        raise InputError("a layout S:D is needed here, not a swizzle or a composed layout", text, 0)
    return parsed


def parse(text: str) -> AnyLayout | Swizzle:
    """The layout, swizzle or composed layout that ``text`` writes.

    >>> str(parse("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)")), str(parse("S<3,4,3>"))
    ('S<3,4,3> o 0 o (8,64):(64,1)', 'S<3,4,3>')
    """
    return _whole(text, _Parser.composed)


def parse_coordinate(text: str) -> HTuple:
    """An HTuple of integers; ``_`` reads as None.

    >>> parse_coordinate("(_,(1,-2))")
    (None, (1, -2))
    """
    return _whole(text, lambda p: p.htuple(p.coordinate_leaf))


def parse_shape(text: str) -> HTuple:
    """An HTuple of positive integers.

    >>> parse_shape("(4,(2,3))")
    (4, (2, 3))
    """
    return _whole(text, lambda p: p.htuple(p.size_leaf))


def parse_tiler(text: str) -> Tiler:
    """A tiler: a layout, an integer, None for ``_``, or a tuple of tilers for ``<…>`` and for a shape.

    >>> parse_tiler("<4:1,8:2>"), parse_tiler("(32,_,40)"), parse_tiler("(4,8):(1,4)")
    ((Layout('4:1'), Layout('8:2')), (32, None, 40), Layout('(4,8):(1,4)'))
    """
    return _whole(text, _Parser.tiler)


def _whole(text: str, rule: Callable[[_Parser], Any]) -> Any:
    if not isinstance(text, str):
        raise InputError(f"text in the notation S:D is needed, not {type(text).__name__}")
    parser = _Parser(text)
    result = rule(parser)
    parser.end()
    return result


def _is_digits(token: str) -> bool:
    return token.isascii() and token.isdecimal()


class _Parser:
    """Recursive descent over tokens; every complaint names the place of its token."""

    def __init__(self, text: str):
        if len(text) > MAX_LENGTH:
            raise InputError(f"the text is longer than {MAX_LENGTH} characters")
        self.text = text
        self.tokens = [(m.group(1), m.start(1)) for m in _TOKEN.finditer(text.rstrip())]
        self.at = 0
        self.depth = 0

    # tokens

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def place(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text.rstrip())

    def fail(self, message: str, position: int | None = None) -> InputError:
        return InputError(message, self.text, self.place() if position is None else position)

    def take(self, *wanted: str) -> bool:
        if self.peek() in wanted:
            self.at += 1
            return True
        return False

    def need(self, *wanted: str) -> None:
        if not self.take(*wanted):
            raise self.fail(f"{' or '.join(wanted)} is expected here, not {self.shown()}")

    def shown(self) -> str:
        token = self.peek()
        return f"'{token[:20]}'" if token else "the end"

    def end(self) -> None:
        if self.peek():
            raise self.fail(f"nothing more is expected here, but there is {self.shown()}")

    # leaves

    def number(self) -> int:
        """Digits, with CuTe's leading underscore."""
        if self.peek() == "_" and _is_digits(self.peek(1)):
            self.at += 1
        token = self.peek()
        if not _is_digits(token):
            raise self.fail(f"an integer is expected here, not {self.shown()}")
        if len(token) > MAX_DIGITS:
            raise self.fail(f"an integer of more than {MAX_DIGITS} digits")
        self.at += 1
        return int(token)

    def integer(self) -> int:
        return -self.number() if self.take("-") else self.number()

    def size_leaf(self) -> int:
        position = self.place()
        if self.peek() == "?":
            raise self.fail("a size known only at run time ('?'): give its value")
        if self.peek().isalpha():
            raise self.fail(f"the size {self.shown()} has no value: sizes with names are not read here")
        value = self.integer()
        if value < 1:
            raise self.fail(f"a size must be positive, not {value}", position)
        return value

    def coordinate_leaf(self) -> int | None:
        if self.peek() == "_" and not _is_digits(self.peek(1)):
            self.at += 1
            return None
        return self.integer()

    def stride_leaf(self) -> Element:
        position = self.place()
        total = self.term(-1 if self.take("-") else 1)
        while self.peek() in ("+", "-"):
            sign = -1 if self.take("-") else 1
            self.take("+")
            term = self.term(sign)
            try:
                total = total + term
            except InputError as error:
                raise self.fail(error.message, position) from None
            except TypeError:
                raise self.fail("integers are not summed in a stride", position) from None
            if isinstance(total, int):
                raise self.fail("integers are not summed in a stride", position)
        return total

    def term(self, sign: int) -> Element:
        if self.peek() == "f":
            self.at += 1
            position = self.place()
            bits = self.number()
            if sign < 0:
                raise self.fail("an element of F2 has no sign", position)
            return F2(bits)
        if self.peek() == "e":
            self.at += 1
            return sign * E(self.number())
        if self.peek() == "?":
            raise self.fail("a stride known only at run time ('?'): give its value")
        if self.peek().isalpha():
            raise self.fail(f"a stride is an integer, e0, 2e1, 2@1 or f5, not {self.shown()}")
        scale = sign * self.number()
        if self.take("*"):
            self.need("e")
            return scale * E(self.number())
        if self.take("e"):
            return scale * E(self.number())
        path: list[int] = []
        while self.take("@"):
            path.append(self.number())
        return scale * E(*reversed(path)) if path else scale

    # structures

    def htuple(self, leaf: Callable[[], Any]) -> HTuple:
        if not self.take("("):
            return leaf()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"nested deeper than {MAX_DEPTH}")
        modes = [self.htuple(leaf)]
        while self.take(","):
            if self.peek() == ")":
                break
            modes.append(self.htuple(leaf))
        self.need(")")
        self.depth -= 1
        return tuple(modes)

    def layout(self) -> Layout:
        position = self.place()
        shape = self.htuple(self.size_leaf)
        if not self.take(":"):
            return Layout(shape)
        stride_position = self.place()
        stride = self.htuple(self.stride_leaf)
        try:
            return Layout(shape, stride)
        except InputError as error:
            raise self.fail(error.message, stride_position if "stride" in error.message else position) from None

    def swizzle(self) -> Swizzle:
        position = self.place()
        self.need("S", "Sw")
        self.need("<")
        parts = [self.integer()]
        for _ in range(2):
            self.need(",")
            parts.append(self.integer())
        self.need(">")
        try:
            return Swizzle(*parts)
        except InputError as error:
            raise self.fail(error.message, position) from None

    def composed(self) -> AnyLayout | Swizzle:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"nested deeper than {MAX_DEPTH}")
        position = self.place()
        function = self.swizzle() if self.peek() in ("S", "Sw") else self.layout()
        if not self.take("o", "∘"):
            self.depth -= 1
            return function
        offset = self.stride_leaf()
        self.need("o", "∘")
        inner = self.composed()
        self.depth -= 1
        try:
            return ComposedLayout(function, offset, inner)
        except InputError as error:
            raise self.fail(error.message, position) from None

    def tiler(self) -> Tiler:
        if self.take("<", "⟨"):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self.fail(f"nested deeper than {MAX_DEPTH}")
            modes = [self.tiler()]
            while self.take(","):
                modes.append(self.tiler())
            self.need(">", "⟩")
            self.depth -= 1
            return tuple(modes)
        if self.peek() == "_" and not _is_digits(self.peek(1)):
            self.at += 1
            return None
        start = self.at
        shape = self.htuple(lambda: self.coordinate_leaf() if self.peek() == "_" else self.size_leaf())
        if self.peek() == ":":
            self.at = start
            return self.layout()
        return shape
