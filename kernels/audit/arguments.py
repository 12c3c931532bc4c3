"""Fake arguments of a kernel's host function, as text: ``x=f16[n%8,128]:(128,1)@16`` is a tensor without a buffer.

========================== ========================================================================================
``f16[n%8,128]:(128,1)@16`` a tensor in global memory: type, sizes, strides, and the alignment of its first byte
``f16[n,128]``              the same, compact, the last mode fastest
``f16*@16``                 a pointer to global memory
``i32``                     a number that is known when the kernel runs
``stream``                  a stream
``type f16``                the type itself
``128 -1.5 true none 'a'``  a constant
========================== ========================================================================================

A size or a stride is a number, or a name: of a number that is known when the kernel runs, the same wherever the name
is written, ``%8`` a multiple of 8, ``i64`` before it one of 64 bits (32 where nothing is said); what is said of it at
one place holds at all. ``?`` is a name of its own. The one stride of a tensor with one mode needs no parentheses.
Where ``@`` is left out the pointer is aligned to one element, as the DSL assumes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.errors import InputError

TYPES = {
    "f64": "Float64",
    "f32": "Float32",
    "tf32": "TFloat32",
    "f16": "Float16",
    "bf16": "BFloat16",
    "e4m3": "Float8E4M3FN",
    "e5m2": "Float8E5M2",
    "e8m0": "Float8E8M0FNU",
    "e2m1": "Float4E2M1FN",
    "i64": "Int64",
    "i32": "Int32",
    "i16": "Int16",
    "i8": "Int8",
    "i4": "Int4",
    "u64": "Uint64",
    "u32": "Uint32",
    "u16": "Uint16",
    "u8": "Uint8",
    "bool": "Boolean",
}
"""The element types, by the name that CuTe prints or a shorter one, with their name in the DSL."""
MOST_MODES = 64
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIZE = re.compile(r"\s*(?:(i32|i64)\s+)?(?:(\d{1,18})|([A-Za-z_][A-Za-z0-9_]*|\?))(?:\s*%\s*(\d{1,9}))?\s*")


@dataclass(frozen=True)
class Size:
    """A size or a stride: ``value`` where it is known, else its name (``?`` one of its own), divisor and bits.

    ``divisor`` and ``bits`` are None where they are not said: 1 and 32 where they are said nowhere.
    """

    value: int | None = None
    name: str = "?"
    divisor: int | None = None
    bits: int | None = None


@dataclass(frozen=True)
class FakeTensor:
    """A tensor without a buffer; ``stride`` None is compact with the last mode fastest, ``align`` None one element."""

    type: str
    shape: tuple[Size, ...]
    stride: tuple[Size, ...] | None = None
    align: int | None = None


@dataclass(frozen=True)
class FakePointer:
    """A pointer to global memory."""

    type: str
    align: int | None = None


@dataclass(frozen=True)
class Number:
    """A number of that type that is known when the kernel runs."""

    type: str


@dataclass(frozen=True)
class Named:
    """An element type itself."""

    type: str


@dataclass(frozen=True)
class Stream:
    """A stream."""


@dataclass(frozen=True)
class Constant:
    """A value of Python."""

    value: Any


Argument = FakeTensor | FakePointer | Number | Named | Stream | Constant


def read_pair(text: str) -> tuple[str, str]:
    """``NAME=VALUE`` in two, the value read once to see that it is one.

    >>> read_pair("x=f16[n%8,128]:(128,1)")
    ('x', 'f16[n%8,128]:(128,1)')
    """
    name, equals, value = text.partition("=")
    if not equals or not _NAME.fullmatch(name.strip()):
        raise InputError("an argument is NAME=VALUE, such as x=f16[n%8,128]:(128,1)", text, 0)
    try:
        read_argument(value)
    except InputError as error:
        raise InputError(error.message, text, len(name) + 1 + (error.position or 0)) from None
    return name.strip(), value


def read_argument(value: Any) -> Argument:
    """The argument that a text writes; a number or a truth value, as a recipe has it, is a constant.

    >>> tensor = read_argument("bf16[n%8,128]:(128,1)@16")
    >>> tensor.shape[0], tensor.stride[0].value, tensor.align
    (Size(value=None, name='n', divisor=8, bits=None), 128, 16)
    >>> read_argument("f32*@16"), read_argument("i32"), read_argument("type f16"), read_argument("1e-5")
    (FakePointer(type='f32', align=16), Number(type='i32'), Named(type='f16'), Constant(value=1e-05))
    >>> read_argument("f16[4,8]:(8)")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: 2 sizes have 2 strides, not 1
      f16[4,8]:(8)
               ^
    """
    if value is None or isinstance(value, (bool, int, float)):
        return Constant(value)
    if not isinstance(value, str):
        raise InputError(f"an argument is a text, a number or true or false, not {type(value).__name__}")
    return _Reader(value).argument()


class _Reader:
    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def fail(self, message: str, at: int | None = None) -> InputError:
        return InputError(message, self.text, min(self.at if at is None else at, len(self.text)))

    def argument(self) -> Argument:
        self.space()
        begin = self.at
        word = self.match(_NAME)
        if word == "stream":
            return self.end(Stream())
        if word == "type":
            self.space()
            return self.end(Named(self.type(self.at, self.match(_NAME))))
        if word is None or word in ("true", "false", "none", "True", "False", "None"):
            return self.constant(begin)
        kind = self.type(begin, word)
        if self.take("*"):
            return self.end(FakePointer(kind, self.align()))
        if not self.take("["):
            return self.end(Number(kind))
        shape = self.sizes("]", is_stride=False)
        stride: tuple[Size, ...] | None = None
        if self.take(":"):
            if len(shape) == 1 and not self.follows("("):
                stride = (self.size(is_stride=True),)
                return self.end(FakeTensor(kind, shape, stride, self.align()))
            self.expect("(")
            begin = self.at
            stride = self.sizes(")", is_stride=True)
            if len(stride) != len(shape):
                raise self.fail(f"{len(shape)} sizes have {len(shape)} strides, not {len(stride)}", begin - 1)
        return self.end(FakeTensor(kind, shape, stride, self.align()))

    def constant(self, begin: int) -> Constant:
        text = self.text[begin:].strip()
        known = {"true": True, "false": False, "none": None}
        if text in known:
            return Constant(known[text])
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise self.fail("an argument is expected here, such as f16[n,128]:(128,1) or 128", begin) from None
        if value is not None and not isinstance(value, (bool, int, float, str, tuple)):
            raise self.fail("a constant is a number, a text, true, false, none or a tuple of them", begin)
        return Constant(value)

    def type(self, at: int, word: str | None) -> str:
        if word not in TYPES:
            raise self.fail(f"an element type is expected here: {', '.join(TYPES)}", at)
        return word

    def sizes(self, close: str, is_stride: bool) -> tuple[Size, ...]:
        found: list[Size] = []
        while not (is_stride and found and self.take(close)):
            found.append(self.size(is_stride))
            if len(found) > MOST_MODES:
                raise self.fail(f"a tensor here has at most {MOST_MODES} modes")
            if self.take(close):
                break
            self.expect(",")
        return tuple(found)

    def size(self, is_stride: bool) -> Size:
        begin = self.at
        found = _SIZE.match(self.text, self.at)
        if found is None:
            raise self.fail("a number, a name or ? is expected here")
        self.at = found.end()
        bits, number, name, divisor = found.groups()
        if number is not None:
            if bits or divisor:
                raise self.fail("a number that is known has no bits and no divisor", begin)
            if int(number) < 1 and not is_stride:
                raise self.fail("a size must be positive", begin)
            return Size(int(number))
        if divisor is not None and int(divisor) < 1:
            raise self.fail("a divisor must be positive", begin)
        return Size(None, name, int(divisor) if divisor else None, int(bits[1:]) if bits else None)

    def align(self) -> int | None:
        if not self.take("@"):
            return None
        begin = self.at
        digits = self.match(re.compile(r"\d{1,9}"))
        if digits is None or int(digits) < 1 or int(digits) & (int(digits) - 1):
            raise self.fail("an alignment is a power of two, in bytes", begin)
        return int(digits)

    def end(self, argument: Argument) -> Argument:
        self.space()
        if self.at != len(self.text):
            raise self.fail("nothing more is expected here")
        return argument

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def follows(self, sign: str) -> bool:
        self.space()
        return self.text.startswith(sign, self.at)

    def take(self, sign: str) -> bool:
        if self.follows(sign):
            self.at += len(sign)
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise self.fail(f"'{sign}' is expected here")


def made(arguments: Mapping[str, Argument]) -> dict[str, Any]:
    """The arguments as the DSL takes them; a name is one number in all of them. Needs the DSL.

    InputError where a name is written with two divisors or two numbers of bits.
    """
    from cutlass import cute

    names = {
        name: cute.sym_int(size.bits, divisibility=size.divisor, symbol=name)
        for name, size in named(arguments.values()).items()
    }
    return {name: _made(argument, names) for name, argument in arguments.items()}


def named(arguments: Iterable[Argument]) -> dict[str, Size]:
    """What is said of each name in all arguments together, in their order; a name is one number in all of them.

    InputError where a name is written with two divisors or two numbers of bits.

    >>> named([read_argument("f16[m,n%8]:(n,1)"), read_argument("f32[i64 m]")])["n"]
    Size(value=None, name='n', divisor=8, bits=32)
    >>> named([read_argument("f16[n%8]"), read_argument("f16[n%4]")])
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: the name n is written with two divisors, 8 and 4
    """
    divisors: dict[str, int | None] = {}
    bits: dict[str, int | None] = {}
    for argument in arguments:
        for size in (*argument.shape, *(argument.stride or ())) if isinstance(argument, FakeTensor) else ():
            if size.value is None and size.name != "?":
                _say(divisors, size.name, size.divisor, "divisors")
                _say(bits, size.name, size.bits, "numbers of bits")
    return {name: Size(None, name, divisors[name] or 1, bits[name] or 32) for name in divisors}


def _say(said: dict[str, int | None], name: str, value: int | None, what: str) -> None:
    before = said.setdefault(name, value)
    if before is None:
        said[name] = value
    elif value is not None and value != before:
        raise InputError(f"the name {name} is written with two {what}, {before} and {value}")


def _made(argument: Argument, names: Mapping[str, Any]) -> Any:
    import cutlass
    from cutlass import cute
    from cutlass.cute import runtime

    if isinstance(argument, Constant):
        return argument.value
    if isinstance(argument, Stream):
        return runtime.make_fake_stream()
    kind = getattr(cutlass, TYPES[argument.type])
    if isinstance(argument, Named):
        return kind
    if isinstance(argument, Number):
        return kind(1)
    if isinstance(argument, FakePointer):
        return runtime.make_ptr(kind, 0, cute.AddressSpace.gmem, assumed_align=argument.align)
    shape = tuple(_size(one, names) for one in argument.shape)
    if argument.stride is None:
        order = tuple(reversed(range(len(shape))))
        return runtime.make_fake_compact_tensor(kind, shape, stride_order=order, assumed_align=argument.align)
    stride = tuple(_size(one, names) for one in argument.stride)
    return runtime.make_fake_tensor(kind, shape, stride, assumed_align=argument.align)


def _size(size: Size, names: Mapping[str, Any]) -> Any:
    from cutlass import cute

    if size.value is not None:
        return size.value
    if size.name == "?":
        return cute.sym_int(size.bits or 32, divisibility=size.divisor or 1)
    return names[size.name]
