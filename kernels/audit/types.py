"""The types of CuTe DSL's IR: their text to frozen dataclasses that hold the model's layouts.

======================================================  ====================================================
``!cute.layout<"(4,?{div=8}):(1,?{i64})">``             :class:`LayoutType`: a Layout, with names for ``?``
``!cute.composed_layout<"S<3,3,3> o 0 o (8,64):…">``    :class:`LayoutType` with a ComposedLayout
``!cute.memref<bf16, smem, align<16>, S<3,4,3>, "…">``  :class:`MemRefType`: a pointer and a layout
``!cute.coord_tensor<"(0,?)", "(8,8):(1@0,1@1)">``      :class:`CoordTensorType`: a coordinate and a layout
``!cute.tile<"[16:1;_]">``                              :class:`TileType`: a tiler as the model's algebra takes it
``!cute.tiled_copy<atom, layout_copy_tv = …>``          :class:`TiledCopyType`
``!cute_nvgpu.sm80.mma<16x8x16, …>``                    :class:`AtomType`: parameters as written, by position and name
``i32``, ``vector<4xf32>``, ``!llvm.ptr<3>``            :class:`ScalarType`, :class:`OtherType`: no layout in them
======================================================  ====================================================

A number known only at run time is written ``?``, ``?{div=8}`` or ``?{i64 div=8}``. Each becomes a name, numbered from
left to right: ``n0``, ``n1``, …; :attr:`Type.dynamic` tells its divisor and its width. Two types that are read with
different prefixes share no name. A type that is not understood is an :class:`UnknownType`, never an error.

A shape of no modes, ``()``, is rank 0 here, which :class:`~veritile.model.layout.Layout` itself refuses: it is built
unchecked, as is a size of zero, which CuTe DSL prints where it went wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...model.composed import AnyLayout, ComposedLayout
from ...model.errors import InputError
from ...model.htuple import HTuple, congruent
from ...model.layout import Layout
from ...model.names import Expr, as_number
from ...model.semimodule import CoordinateStride, E, Element
from ...model.swizzle import Swizzle
from .text import split_top

MAX_NESTING = 64
_DYNAMIC = r"\?(?:\{[^}]*\})?"
_LEAF = re.compile(rf"(_(?!\d))|(-?)({_DYNAMIC}|_?\d+(?:/\d+)?)((?:@\d+)*)")
_HINT = re.compile(r"i(?P<bits>\d+)|div=(?P<divisor>[1-9]\d*)")
_SWIZZLE = re.compile(r"S<\s*(\d+)\s*,\s*(\d+)\s*,\s*(-?\d+)\s*>")
_SPACES = frozenset(("gmem", "smem", "rmem", "tmem", "dsmem", "generic"))
_BUILTIN = re.compile(
    r"index|none|i\d+|si\d+|ui\d+|bf16|tf32|f\d+\w*|vector<.*>|tuple<.*>|memref<.*>|tensor<.*>|\(.*->.*"
)
_BITS = re.compile(r"(?:bf|tf|f|i|si|ui)(\d+)")
_ALIGN = re.compile(r"align<([1-9]\d*)>")
_CUTE_SCALAR = re.compile(r"!cute\.i(\d+)(?:<divby ([1-9]\d*)>)?")


_ONE = Layout(1)


@dataclass(frozen=True)
class Dynamic:
    """A number known only at run time: its name, what divides it, how many bits hold it."""

    name: str
    divisor: int = 1
    bits: int = 32


@dataclass(frozen=True)
class Type:
    """A type: its text, and the numbers in it that are known only at run time."""

    text: str
    dynamic: tuple[Dynamic, ...] = ()

    @property
    def layout(self) -> AnyLayout | None:
        """The layout that it holds, or None."""
        return None


@dataclass(frozen=True)
class OtherType(Type):
    """A type that holds no layout: a builtin one, one of another dialect, a descriptor, a token."""


@dataclass(frozen=True)
class ScalarType(Type):
    """An integer or a float of ``bits`` bits; ``divisor`` divides it."""

    bits: int = 32
    divisor: int = 1


@dataclass(frozen=True)
class UnknownType(Type):
    """A type that was not understood, and why."""

    reason: str = ""


@dataclass(frozen=True)
class TupleType(Type):
    """A ``shape``, ``stride``, ``int_tuple`` or ``coord`` (``kind``): ``value`` an HTuple, None for ``_``."""

    kind: str = "int_tuple"
    value: HTuple = 0


@dataclass(frozen=True)
class LayoutType(Type):
    """A layout or a composed layout."""

    value: AnyLayout = _ONE

    @property
    def layout(self) -> AnyLayout:
        """The layout."""
        return self.value


@dataclass(frozen=True)
class SwizzleType(Type):
    """A swizzle; ``value`` is None for one of shift 0 that clears bits, which the model refuses."""

    value: Swizzle | None = None


@dataclass(frozen=True)
class TileType(Type):
    """A tiler as :mod:`veritile.model.divide` takes it: a layout, None for ``_``, a tuple of tilers for ``[…;…]``."""

    value: Any = None


@dataclass(frozen=True)
class PointerType(Type):
    """A pointer: ``align`` in bytes, or None where only the element's own is known.

    A pointer's swizzle acts on addresses in bytes, a composed layout's on offsets in elements.
    """

    element: str = "i8"
    space: str = "generic"
    align: int | None = None
    swizzle: Swizzle | None = None

    @property
    def element_bits(self) -> int | None:
        """The width of an element, or None where it is not known."""
        return bits_of(self.element)


@dataclass(frozen=True)
class MemRefType(PointerType):
    """A tensor in memory: a pointer and a layout of offsets in elements."""

    value: AnyLayout = _ONE

    @property
    def layout(self) -> AnyLayout:
        """The layout."""
        return self.value


@dataclass(frozen=True)
class CoordIterType(Type):
    """An iterator over coordinates, which stands at ``base``."""

    base: HTuple = 0


@dataclass(frozen=True)
class CoordTensorType(CoordIterType):
    """A tensor of coordinates: ``base`` plus what the layout gives."""

    value: AnyLayout = _ONE

    @property
    def layout(self) -> AnyLayout:
        """The layout."""
        return self.value


@dataclass(frozen=True)
class ViewType(Type):
    """A view through another iterator, as of descriptors of shared memory."""

    iterator: Type = OtherType("")
    value: AnyLayout = _ONE

    @property
    def layout(self) -> AnyLayout:
        """The layout."""
        return self.value


@dataclass(frozen=True)
class AtomType(Type):
    """An atom of a copy or an MMA: ``family`` (``universal_copy``, ``sm80.mma``), then its parameters as written.

    >>> atom = read_type("!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >")
    >>> atom.family, atom.flags, atom.option("elem_type")
    ('sm80.mma', ('16x8x16',), '(bf16, bf16, f32)')
    """

    family: str = ""
    flags: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str) -> str | None:
        """A parameter by its name, without the marks of ``<"…">``; None where it is not given."""
        return dict(self.options).get(name)


@dataclass(frozen=True)
class TiledCopyType(Type):
    """A tiled copy: ``layout_tv`` from (thread, value) into the tile whose modes ``tiler`` picks."""

    atom: AtomType = AtomType("")
    layout_tv: Layout = _ONE
    tiler: Any = None


@dataclass(frozen=True)
class TiledMmaType(Type):
    """A tiled MMA: atoms laid out over M, N, K, and a permutation of each mode (None for ``_``)."""

    atom: AtomType = AtomType("")
    atom_layout: Layout = _ONE
    permutation: Any = None


# Reading


@lru_cache(maxsize=65536)
def read_type(text: str, prefix: str = "n") -> Type:
    """The type that ``text`` writes; names of dynamic numbers begin with ``prefix``, which no basis may (``e``, ``f``).

    >>> read_type('!cute.layout<"(4,?{div=8}):(1,?{i64})">').layout
    Layout('(4,n0):(1,n1)')
    >>> read_type('!cute.memref<f32, gmem, align<16>, "(?):(1)">', "a").dynamic
    (Dynamic(name='a0', divisor=1, bits=32),)
    >>> read_type('!cute.tile<"[4:1;_]">').value
    (Layout('4:1'), None)
    >>> read_type('!cute.surprise<1>')
    UnknownType(text='!cute.surprise<1>', dynamic=(), reason='no type of this name is known')
    """
    reader = _Reader(prefix)
    try:
        found = _read(text.strip(), reader)
    except InputError as error:
        return UnknownType(text, reason=error.message)
    except RecursionError:
        return UnknownType(text, reason=f"nested deeper than {MAX_NESTING}")
    return replace(found, text=text, dynamic=tuple(reader.dynamic))


def _read(text: str, reader: _Reader) -> Type:
    if not text.startswith("!"):
        if _BUILTIN.fullmatch(text):
            bits = _BITS.match(text)
            return ScalarType(text, bits=int(bits[1])) if bits else OtherType(text)
        raise InputError("no builtin type of this name is known")
    head, arguments = _head(text)
    dialect, _, name = head[1:].partition(".")
    if dialect not in ("cute", "cute_nvgpu"):
        return OtherType(text)
    if dialect == "cute":
        scalar = _CUTE_SCALAR.fullmatch(text)
        if scalar:
            return ScalarType(text, bits=int(scalar[1]), divisor=int(scalar[2] or 1))
        rule = _CUTE.get(name)
        if rule is not None:
            return rule(text, arguments, reader)
    elif name in _OPAQUE:
        return OtherType(text)
    elif name == "smem_desc_view":
        return _view(text, arguments, reader)
    elif name.startswith("atom.") or name.endswith((".mma", ".mma_bs", ".mma_sparse")) or ".mma." in name:
        return _atom(text, name.removeprefix("atom."), arguments)
    raise InputError("no type of this name is known")


_OPAQUE = frozenset(
    (
        "smem_desc",
        "sm103.smem_desc_circular",
        "sm107.smem_desc_circular",
        "tma_descriptor_ptr",
        "tma_descriptor_tiled",
        "tma_descriptor_im2col",
    )
)


def _head(text: str) -> tuple[str, tuple[str, ...]]:
    """``!cute.layout<"…">`` as its name and the arguments between the outermost angles."""
    begin = text.find("<")
    if begin < 0:
        return text, ()
    if not text.endswith(">"):
        raise InputError("the type does not end with >")
    return text[:begin], split_top(text[begin + 1 : -1])


def _string(text: str) -> str:
    """The inside of ``"…"`` or ``<"…">``."""
    inside = text.strip()
    if inside.startswith("<") and inside.endswith(">"):
        inside = inside[1:-1].strip()
    if len(inside) < 2 or inside[0] != '"' or inside[-1] != '"':
        raise InputError(f"a string is expected here, not {text[:40]}")
    return inside[1:-1]


def _one(arguments: tuple[str, ...], name: str) -> str:
    if len(arguments) != 1:
        raise InputError(f"{name} has one argument, not {len(arguments)}")
    return _string(arguments[0])


def _tuple(kind: str) -> Any:
    def rule(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
        return TupleType(text, kind=kind, value=reader.htuple(_one(arguments, kind), kind == "coord"))

    return rule


def _layout(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    return LayoutType(text, value=reader.layout(_one(arguments, "a layout")))


def _swizzle(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    return SwizzleType(text, value=_swizzle_of(_one(arguments, "a swizzle")))


def _tile(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    return TileType(text, value=reader.tile(_one(arguments, "a tile")))


def _coord_iter(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    return CoordIterType(text, base=reader.htuple(_one(arguments, "an iterator")))


def _coord_tensor(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    if len(arguments) != 2:
        raise InputError("a tensor of coordinates has a coordinate and a layout")
    base = reader.htuple(_string(arguments[0]))
    return CoordTensorType(text, base=base, value=reader.layout(_string(arguments[1])))


def _pointer(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    element, space, align, swizzle, rest = _address(arguments)
    if rest:
        raise InputError(f"a pointer with {rest[0][:40]} is not known")
    return PointerType(text, element=element, space=space, align=align, swizzle=swizzle)


def _memref(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    element, space, align, swizzle, rest = _address(arguments)
    if len(rest) != 1:
        raise InputError("a memref has one layout")
    layout = reader.layout(_string(rest[0]))
    return MemRefType(text, element=element, space=space, align=align, swizzle=swizzle, value=layout)


def _address(arguments: tuple[str, ...]) -> tuple[str, str, int | None, Swizzle | None, list[str]]:
    """Element, space, alignment in bytes and swizzle of a pointer, and the arguments that are none of these."""
    if len(arguments) < 2 or arguments[1] not in _SPACES:
        raise InputError("a pointer has an element and a space")
    align: int | None = None
    swizzle: Swizzle | None = None
    rest: list[str] = []
    for argument in arguments[2:]:
        aligned = _ALIGN.fullmatch(argument)
        if aligned:
            align = int(aligned[1])
        elif argument.startswith("S<"):
            swizzle = _swizzle_of(argument)
        else:
            rest.append(argument)
    return arguments[0], arguments[1], align, swizzle, rest


def _view(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    if len(arguments) != 2:
        raise InputError("a view has an iterator and a layout")
    return ViewType(text, iterator=_read(arguments[0], reader), value=reader.layout(_string(arguments[1])))


def _atom(text: str, family: str, arguments: tuple[str, ...]) -> AtomType:
    """Parameters by position and by name; a comma is missing before some names, so names are looked for inside too."""
    flags: list[str] = []
    options: list[tuple[str, str]] = []
    for argument in arguments:
        key, equals, value = argument.partition(" = ")
        if not equals or not key.replace("_", "a").isalnum():
            flags.append(argument)
            continue
        options += _options(key, value)
    return AtomType(text, family=family, flags=tuple(flags), options=tuple(options))


_NEXT = re.compile(r"(?<=[>\w)\"]) (?=[A-Za-z_]\w* = )")


def _options(key: str, value: str) -> list[tuple[str, str]]:
    parts = _NEXT.split(value)
    named = [(key, parts[0])]
    for part in parts[1:]:
        name, _, more = part.partition(" = ")
        named.append((name, more))
    return [(name, _bare(what.strip())) for name, what in named]


def _bare(value: str) -> str:
    return value[2:-2] if value.startswith('<"') and value.endswith('">') else value


def _tiled(arguments: tuple[str, ...], reader: _Reader) -> tuple[AtomType, dict[str, str]]:
    if not arguments:
        raise InputError("an atom is expected")
    atom = _read(arguments[0], reader)
    if not isinstance(atom, AtomType):
        raise InputError(f"{arguments[0][:40]} is no atom")
    options: dict[str, str] = {}
    for argument in arguments[1:]:
        key, equals, value = argument.partition(" = ")
        if not equals:
            raise InputError(f"{argument[:40]} is not understood")
        options[key] = _string(value)
    return atom, options


def _tiled_copy(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    atom, options = _tiled(arguments, reader)
    if set(options) != {"layout_copy_tv", "tiler_mn"}:
        raise InputError(f"a tiled copy with {', '.join(options)} is not known")
    mapping = reader.plain(options["layout_copy_tv"])
    return TiledCopyType(text, atom=atom, layout_tv=mapping, tiler=reader.tile(options["tiler_mn"]))


def _tiled_mma(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    atom, options = _tiled(arguments, reader)
    if set(options) != {"atom_layout_MNK", "permutation_MNK"}:
        raise InputError(f"a tiled MMA with {', '.join(options)} is not known")
    mapping = reader.plain(options["atom_layout_MNK"])
    return TiledMmaType(text, atom=atom, atom_layout=mapping, permutation=reader.tile(options["permutation_MNK"]))


def _other(text: str, arguments: tuple[str, ...], reader: _Reader) -> Type:
    return OtherType(text)


_CUTE: dict[str, Any] = {
    **{kind: _tuple(kind) for kind in ("shape", "stride", "int_tuple", "coord")},
    "layout": _layout,
    "composed_layout": _layout,
    "swizzle": _swizzle,
    "tile": _tile,
    "arith_tuple_iter": _coord_iter,
    "coord_tensor": _coord_tensor,
    "ptr": _pointer,
    "memref": _memref,
    "tiled_copy": _tiled_copy,
    "tiled_mma": _tiled_mma,
    "fast_divmod_divisor": _other,
}


def _swizzle_of(text: str) -> Swizzle | None:
    match = _SWIZZLE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"a swizzle S<B,M,S> is expected, not {text[:40]}")
    bits, base, shift = (int(part) for part in match.groups())
    return Swizzle(bits, base, shift) if shift or not bits else None


class _Reader:
    """Numbers, tuples, layouts and tiles of one type; it names what is dynamic."""

    def __init__(self, prefix: str):
        self.prefix = prefix
        self.dynamic: list[Dynamic] = []

    def layout(self, text: str) -> AnyLayout:
        """A layout, or a function after an offset after a layout."""
        parts = _split(text, " o ")
        if len(parts) == 1:
            return self.plain(text)
        if len(parts) < 3:
            raise InputError("a composed layout has three parts")
        first = _swizzle_of(parts[0]) if parts[0].startswith("S<") else self.layout(_stripped(parts[0]))
        if first is None:
            raise InputError(f"{parts[0]} is no bijection")
        offset = _element(self.htuple(parts[1]))
        return ComposedLayout(first, offset, self.layout(_stripped(" o ".join(parts[2:]))))

    def plain(self, text: str) -> Layout:
        """A layout S:D."""
        parts = _split(text, ":")
        if len(parts) != 2:
            raise InputError(f"a layout S:D is expected, not {text[:40]}")
        shape, stride = self.htuple(parts[0]), self.htuple(parts[1])
        if not congruent(shape, stride):
            raise InputError(f"the stride of {text[:80]} is not congruent with the shape")
        return Layout.of(shape, stride)

    def tile(self, text: str) -> Any:
        """``[a;b]`` by mode, a layout, ``_``."""
        text = text.strip()
        if text.startswith("[") and text.endswith("]"):
            return tuple(self.tile(part) for part in _split(text[1:-1], ";"))
        if text == "_":
            return None
        return self.plain(text) if len(_split(text, ":")) == 2 else self.htuple(text)

    def htuple(self, text: str, free: bool = False) -> HTuple:
        """An HTuple of numbers; ``_`` where ``free``."""
        value, end = self._modes(text, 0, free, 0)
        if end != len(text):
            raise InputError(f"nothing more is expected after {text[:end][-40:]}")
        return value

    def _modes(self, text: str, at: int, free: bool, depth: int) -> tuple[HTuple, int]:
        if depth > MAX_NESTING:
            raise InputError(f"nested deeper than {MAX_NESTING}")
        if not text.startswith("(", at):
            return self._leaf(text, at, free)
        at += 1
        modes: list[HTuple] = []
        while not text.startswith(")", at):
            if modes:
                if not text.startswith(",", at):
                    raise InputError(f", or ) is expected after {text[:at][-40:]}")
                at += 1
            mode, at = self._modes(text, at, free, depth + 1)
            modes.append(mode)
        return tuple(modes), at + 1

    def _leaf(self, text: str, at: int, free: bool) -> tuple[Any, int]:
        value, at = self._term(text, at, free)
        while text.startswith("+", at):
            more, at = self._term(text, at + 1, False)
            if not isinstance(value, CoordinateStride) or not isinstance(more, CoordinateStride):
                raise InputError(f"only coordinates are summed: {text[:40]}")
            value = value + more
        return value, at

    def _term(self, text: str, at: int, free: bool) -> tuple[Any, int]:
        match = _LEAF.match(text, at)
        if match is None:
            raise InputError(f"a number is expected at {text[at : at + 40]}")
        hole, minus, number, path = match.groups()
        if hole:
            if not free:
                raise InputError("_ is expected in coordinates alone")
            return None, match.end()
        value: Any = self._dynamic(number) if number[0] == "?" else _number(number.lstrip("_"))
        value = -value if minus else value
        if path:
            steps = tuple(int(step) for step in reversed(path[1:].split("@")))
            value = CoordinateStride(((steps, value),)) if isinstance(value, Expr) else E(*steps) * value
        return value, match.end()

    def _dynamic(self, text: str) -> Expr:
        divisor, bits = 1, 32
        for word in text[2:-1].split():
            match = _HINT.fullmatch(word)
            if match is None:
                raise InputError(f"{text} is not understood")
            divisor = int(match["divisor"] or divisor)
            bits = int(match["bits"] or bits)
        one = Dynamic(f"{self.prefix}{len(self.dynamic)}", divisor, bits)
        self.dynamic.append(one)
        return Expr.of(one.name)


def _number(text: str) -> Any:
    """An integer, or a quotient such as 1/2: it scales a basis where elements are narrower than what is counted."""
    top, slash, bottom = text.partition("/")
    if slash and int(bottom) == 0:
        raise InputError(f"{text} divides by 0")
    return as_number(Expr.of(Fraction(int(top), int(bottom)))) if slash else int(top)


def _split(text: str, word: str) -> list[str]:
    """The parts between ``word`` where it stands in no bracket."""
    parts: list[str] = []
    level = begin = at = 0
    while at < len(text):
        if text[at] in "([{<":
            level += 1
        elif text[at] in ")]}>":
            level -= 1
        elif not level and text.startswith(word, at):
            parts.append(text[begin:at])
            at += len(word)
            begin = at
            continue
        at += 1
    return [*parts, text[begin:]]


def _stripped(text: str) -> str:
    """A layout without the parentheses around the whole of it."""
    text = text.strip()
    return text[1:-1] if text.startswith("(") and len(_split(text, ":")) == 1 and text.endswith(")") else text


def _element(value: HTuple, path: tuple[int, ...] = ()) -> Element:
    """A coordinate as the sum of its bases; a number is itself."""
    if not isinstance(value, tuple):
        return E(*path) * value if path and not isinstance(value, Expr) else value
    total: Element = 0
    for step, mode in enumerate(value):
        part = _element(mode, (*path, step))
        if isinstance(part, Expr):
            part = CoordinateStride((((*path, step), part),))
        total = total + part
    return total


# Questions


def bits_of(element: str) -> int | None:
    """The width of an element type, or None where it is not known.

    >>> bits_of("bf16"), bits_of("f8E4M3FN"), bits_of("!cute.ptr<i8, smem>")
    (16, 8, None)
    """
    match = _BITS.match(element)
    return int(match[1]) if match else None
