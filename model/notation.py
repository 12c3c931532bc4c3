"""The notation S:D in and out, including what CuTe prints; text is parsed, never evaluated.

==============  ==============================================================================================
layout          ``((2,2),(4,2)):((1,8),(2,16))``; ``(4,8)`` alone is compact; ``(_4,_8):(_1,_4)``
stride          ``-3``, ``e0``, ``2e1``, ``e0+2e1``, ``2@1``, ``1@1@0`` (mode 1 of mode 0), ``f5``
composed        ``S<3,4,3> o 0 o (8,64):(64,1)``, ``Sw<…>`` and ``∘`` too
coordinate      ``22``, ``(2,5)``, ``(_,(1,0))``; ``_`` keeps a mode in a slice
tiler           a layout ``4:2``, a shape ``(4,8)``, by mode ``<4:1,8:2>``; ``_`` keeps a mode
==============  ==============================================================================================

With ``names`` a size or a stride may be an expression over names that are not known yet: ``(4,n):(n,1)``, ``4*n``,
``n/8`` (a quotient known to be whole), ``ceil(n/8)``, ``n*e1`` (see :mod:`.names`). What holds them is built, and
evaluates only where the names have values.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .composed import AnyLayout, ComposedLayout
from .errors import InputError
from .htuple import HTuple, congruent, flatten, text_of
from .layout import Layout, compact_stride
from .names import BASIS, NAME, RESERVED, Expr, Reader, as_number, names_in
from .semimodule import F2, CoordinateStride, E, Element
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


def parse(text: str, names: bool = False) -> AnyLayout | Swizzle:
    """The layout, swizzle or composed layout that ``text`` writes.

    >>> str(parse("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)")), str(parse("S<3,4,3>"))
    ('S<3,4,3> o 0 o (8,64):(64,1)', 'S<3,4,3>')
    >>> str(parse("(4, 2*n)", names=True)), str(parse("(4,(n+1)/8,ceil(n/8)):(0,e0,n*e1)", names=True))
    ('(4,2*n):(1,4)', '(4,(n+1)/8,ceil(n/8)):(0,e0,n*e1)')
    """
    return _whole(text, _Parser.composed, names)


def parse_coordinate(text: str, names: bool = False) -> HTuple:
    """An HTuple of integers; ``_`` reads as None.

    >>> parse_coordinate("(_,(1,-2))")
    (None, (1, -2))
    """
    return _whole(text, lambda p: p.htuple(p.coordinate_leaf), names)


def parse_shape(text: str, names: bool = False) -> HTuple:
    """An HTuple of positive integers.

    >>> parse_shape("(4,(2,3))")
    (4, (2, 3))
    """
    return _whole(text, lambda p: p.htuple(p.size_leaf), names)


def parse_tiler(text: str, names: bool = False) -> Tiler:
    """A tiler: a layout, an integer, None for ``_``, or a tuple of tilers for ``<…>`` and for a shape.

    >>> parse_tiler("<4:1,8:2>"), parse_tiler("(32,_,40)"), parse_tiler("(4,8):(1,4)")
    ((Layout('4:1'), Layout('8:2')), (32, None, 40), Layout('(4,8):(1,4)'))
    """
    return _whole(text, _Parser.tiler, names)


def _whole(text: str, rule: Callable[[_Parser], Any], names: bool = False) -> Any:
    if not isinstance(text, str):
        raise InputError(f"text in the notation S:D is needed, not {type(text).__name__}")
    parser = _Parser(text, names)
    result = rule(parser)
    parser.end()
    return result


def _named_layout(shape: HTuple, stride: HTuple) -> Layout:
    """A layout whose sizes or strides hold names: what can be checked without their values is."""
    if not congruent(shape, stride):
        raise InputError(f"the stride {text_of(stride)} is not congruent with the shape {text_of(shape)}")
    kinds = {
        "integer" if isinstance(d, (int, Expr)) else type(d).__name__
        for d in flatten(stride)
        if not (isinstance(d, int) and d == 0)
    }
    if len(kinds) > 1:
        raise InputError(f"the strides {text_of(stride)} belong to different semimodules")
    return Layout.of(shape, stride)


def _named_stride(reader: Reader) -> Element:
    """A sum of terms, each an expression or an expression times a basis coordinate (``n*e1``, ``n@1``)."""
    plain: Any = Expr.of(0)
    along: dict[tuple[int, ...], Any] = {}
    place, sign, bare = reader.place, -1 if reader.take("-") else 1, False
    while True:
        scale, path = _named_term(reader)
        if path is None:
            plain, bare = plain + scale * sign, True
        else:
            along[path] = along.get(path, Expr.of(0)) + scale * sign
        if reader.token not in ("+", "-"):
            break
        sign = -1 if reader.token == "-" else 1
        reader.next_token()
    if not along:
        return as_number(plain)
    if bare:
        raise reader.fail("integers and coordinates are not summed in a stride", place)
    return CoordinateStride(tuple((path, as_number(along[path])) for path in sorted(along) if along[path] != 0))


def _named_term(reader: Reader) -> tuple[Expr, tuple[int, ...] | None]:
    if BASIS.fullmatch(reader.token) and reader.token[0] == "e":
        return Expr.of(1), (_basis(reader),)
    number = re.fullmatch(r"[0-9]+", reader.token) and BASIS.fullmatch(reader.ahead()) and reader.ahead()[0] == "e"
    if number:
        scale = Expr.of(int(reader.token))
        reader.next_token()
        return scale, (_basis(reader),)
    scale = reader.product()
    if reader.token == "*":
        reader.next_token()
        if not (BASIS.fullmatch(reader.token) and reader.token[0] == "e"):
            raise reader.fail(f"a basis coordinate such as e0 is expected here, not {reader.shown()}")
        return scale, (_basis(reader),)
    path: list[int] = []
    while reader.take("@"):
        step = reader.factor().value
        if step is None:
            raise reader.fail("the number of a mode is expected here")
        path.append(step)
    return scale, tuple(reversed(path)) if path else None


def _basis(reader: Reader) -> int:
    number = int(reader.token[1:])
    reader.next_token()
    return number


def _is_digits(token: str) -> bool:
    return token.isascii() and token.isdecimal()


class _Parser:
    """Recursive descent over tokens; every complaint names the place of its token."""

    def __init__(self, text: str, names: bool = False):
        if len(text) > MAX_LENGTH:
            raise InputError(f"the text is longer than {MAX_LENGTH} characters")
        self.text = text
        self.names = names
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

    # names

    def is_named(self) -> bool:
        """Whether the leaf here holds a name: what is looked at ends with the leaf."""
        if not self.names:
            return False
        level, at, has_sign = 0, self.at, False
        while at < len(self.tokens):
            token, place = self.tokens[at]
            if token in ("(", "<"):
                level += 1
            elif (token in (")", ">", ",", ":") and not level) or token in (":", "o", "∘"):
                break
            elif token in (")", ">"):
                level -= 1
            elif token in ("*", "/", "%"):
                has_sign = True
            elif token[0].isascii() and token[0].isalpha():
                name = NAME.match(self.text, place)
                if name and not BASIS.fullmatch(name[0]) and name[0] not in ("e", "f"):
                    return name[0] not in RESERVED or name[0] in ("ceil", "floor", "min", "max", "mod")
                return False
            at += 1
        return has_sign

    def is_group(self) -> bool:
        """Whether the parenthesis here is part of an expression: no comma in it, and an operator after it."""
        if not self.names:
            return False
        level = 0
        for at in range(self.at, len(self.tokens)):
            token = self.tokens[at][0]
            if token == "(":
                level += 1
            elif token == ")":
                level -= 1
                if not level:
                    return at + 1 < len(self.tokens) and self.tokens[at + 1][0] in ("+", "-", "*", "/", "%")
            elif token == ":" or (token == "," and level == 1):
                return False
        return False

    def read_named(self, rule: Callable[[Reader], Any]) -> Any:
        """What a reader of expressions makes of the text here; the tokens that it took are passed over."""
        reader = Reader(self.text, self.place())
        found = rule(reader)
        while self.at < len(self.tokens) and self.tokens[self.at][1] < reader.place:
            self.at += 1
        return found

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

    def size_leaf(self) -> Any:
        position = self.place()
        if self.is_named() or (self.names and self.peek() == "("):
            size = as_number(self.read_named(Reader.sum))
            if isinstance(size, int) and size < 1:
                raise self.fail(f"a size must be positive, not {size}", position)
            return size
        if self.peek() == "?":
            raise self.fail("a size known only at run time ('?'): give its value")
        if self.peek().isalpha():
            raise self.fail(f"the size {self.shown()} has no value: sizes with names are not read here")
        value = self.integer()
        if value < 1:
            raise self.fail(f"a size must be positive, not {value}", position)
        return value

    def coordinate_leaf(self) -> Any:
        if self.is_named() or (self.names and self.peek() == "("):
            return as_number(self.read_named(Reader.sum))
        if self.peek() == "_" and not _is_digits(self.peek(1)):
            self.at += 1
            return None
        return self.integer()

    def stride_leaf(self) -> Element:
        position = self.place()
        if self.is_named() or (self.names and self.peek() == "("):
            return self.read_named(_named_stride)
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
        if self.peek() != "(" or self.is_group():
            return leaf()
        self.at += 1
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
            return Layout.of(shape, compact_stride(shape)) if self.names and names_in(shape) else Layout(shape)
        stride_position = self.place()
        stride = self.htuple(self.stride_leaf)
        try:
            return _named_layout(shape, stride) if self.names and names_in(shape, stride) else Layout(shape, stride)
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
