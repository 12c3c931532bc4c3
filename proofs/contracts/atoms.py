"""Copy and MMA atoms: who holds which element, from the PTX ISA's index formulas, as layouts.

An atom's fragment is a function of (thread, register element) that the PTX ISA prints as formulas of a lane's group
(lane / 4) and its place in it (lane mod 4). Each function here says one such formula; :func:`derive` reads the strides
off at unit coordinates, and :func:`decide_atom` compares layout and formula at every point and shows the layout to be
one-to-one onto its tile. Offsets number a tile of rows × columns with the rows fastest, as CuTe does for A (M, K),
B (N, K) and C (M, N); ldmatrix and stmatrix number the elements of 8×8 matrices, row after row, matrix after matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...model.composed import AnyLayout, ComposedLayout
from ...model.coordinate import crd2idx
from ...model.errors import InputError, PropertyRefuted
from ...model.htuple import HTuple, flatten, text_of, unflatten
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.properties import offsets, refute_bijective, size
from ...model.swizzle import Swizzle
from .banks import mode_in_elements
from .obligation import Obligation
from .rule import ENUMERATION, Rule

Place = Callable[[int, int], tuple[int, int]]
"""(thread, element of its registers) ↦ (row, column)."""

FRAGMENT = Rule("atoms.fragment", "the layout is the instruction's formula at every thread and register", "PTX ISA")
BIJECTIVE = Rule(
    "atoms.bijective", "every element of the tile is held exactly once", "PTX ISA: each element is printed once"
)
OPERAND = Rule(
    "atoms.operand",
    "a shared-memory operand of wgmma has one of the canonical layouts, K-major or MN-major",
    "PTX ISA, Shared Memory Matrix Layout of wgmma: canonical layouts, matrix descriptor",
)
TILES = Rule("atoms.tiles", "the atom divides each extent of the tile", "ours")


@dataclass(frozen=True)
class Atom:
    """One fragment: its formula, the shape of its threads and register elements, its tile, and the layout.

    ``formula``   (thread, element) ↦ (row, column) of the tile
    ``tile``      rows, columns
    ``layout``    (thread, element) ↦ row + rows · column, or column + columns · row where ``rows_first`` is False
    """

    name: str
    source: str
    threads: int
    elements: int
    tile: tuple[int, int]
    formula: Place
    layout: Layout
    rows_first: bool = True

    def offset(self, thread: int, element: int) -> int:
        """The tile's number of what a thread's register element holds, by the formula."""
        row, column = self.formula(thread, element)
        rows, columns = self.tile
        return row + rows * column if self.rows_first else column + columns * row

    def where(self, offset: int) -> tuple[int, int]:
        """Row and column of a number of the tile."""
        rows, columns = self.tile
        return (offset % rows, offset // rows) if self.rows_first else (offset // columns, offset % columns)


def derive(
    name: str, source: str, formula: Place, shape: HTuple, tile: tuple[int, int], rows_first: bool = True
) -> Atom:
    """The atom whose layout has ``shape`` (threads, elements) and the strides that the formula has at unit coordinates.

    The layout is a guess until :func:`decide_atom` compares it everywhere.
    """
    threads, elements = size_of(shape[0]), size_of(shape[1])

    def number(thread: int, element: int) -> int:
        row, column = formula(thread, element)
        return row + tile[0] * column if rows_first else column + tile[1] * row

    sizes = flatten(shape)
    strides = []
    for k, s in enumerate(sizes):
        crd = unflatten([int(i == k and s > 1) for i in range(len(sizes))], shape)
        strides.append(number(crd2idx(crd[0], shape[0]), crd2idx(crd[1], shape[1])) - number(0, 0))
    layout = Layout(shape, unflatten(strides, shape))
    return Atom(name, source, threads, elements, tile, formula, layout, rows_first)


def decide_atom(atom: Atom, layout: AnyLayout | None = None) -> list[Obligation]:
    """The layout (the atom's own, or one to be compared) is the formula everywhere, and one-to-one onto the tile.

    Its modes are threads and register elements; what is nested inside is free.

    >>> from ...model.notation import layout
    >>> printed = layout("((4,8,4),(2,2)):((128,1,16),(64,8))")
    >>> [o.verdict.value for o in decide_atom(wgmma_accumulator(8), printed)]
    ['proved', 'proved']
    >>> wrong = layout("((4,8,4),(2,2)):((128,1,16),(8,64))")
    >>> decide_atom(wgmma_accumulator(8), wrong)[0].reason
    'thread 0, element 1 holds (8,0) where PTX has (0,1)'
    """
    layout = atom.layout if layout is None else layout
    fragment = Rule(FRAGMENT.name, FRAGMENT.text, atom.source)
    return [_is_formula(atom, layout, fragment), _covers(atom, layout)]


def _is_formula(atom: Atom, layout: AnyLayout, rule: Rule) -> Obligation:
    if len(layout) != 2:
        raise InputError(f"a fragment has two modes, threads and register elements; {layout} has {len(layout)}")
    threads, elements = size_of(layout.shape[0]), size_of(layout.shape[1])
    if (threads, elements) != (atom.threads, atom.elements):
        return rule.fails(
            f"{atom.name} has {atom.threads} threads of {atom.elements} elements, the layout {threads} of {elements}",
            "size",
            expected=(atom.threads, atom.elements),
            got=(threads, elements),
        )
    table = offsets(layout)
    for thread in range(threads):
        for element in range(elements):
            expected, got = atom.offset(thread, element), table[thread + threads * element]
            if got != expected:
                here = text_of(atom.where(got)) if isinstance(got, int) else str(got)
                reason = (
                    f"thread {thread}, element {element} holds {here} where PTX has {text_of(atom.where(expected))}"
                )
                values = {"coordinate": (thread, element), "expected": expected, "got": got}
                return rule.fails(reason, "difference", ENUMERATION, **values)
    return rule.holds(f"{layout} is {atom.name}", f"{ENUMERATION} ({threads * elements} points)")


def _covers(atom: Atom, layout: AnyLayout) -> Obligation:
    n = atom.tile[0] * atom.tile[1]
    witness = refute_bijective(layout, n)
    if witness is not None:
        return BIJECTIVE.refuted(f"{layout} is not one-to-one onto the {n} elements of the tile", witness)
    return BIJECTIVE.holds(f"each of the {n} elements of {atom.tile[0]}x{atom.tile[1]} once")


# ldmatrix, stmatrix

_LDMATRIX = "PTX ISA, ldmatrix: fragment layout of one 8x8 matrix with .b16 elements"
_STMATRIX = "PTX ISA, stmatrix: fragment layout of one 8x8 matrix with .b16 elements"


def matrix_fragment(matrices: int, transposed: bool = False, store: bool = False) -> Atom:
    """What ldmatrix .x1, .x2, .x4 gives each lane (and stmatrix takes from it): 16-bit elements of 8×8 matrices.

    A lane has two elements of each matrix, one 32-bit register: row lane/4, columns 2·(lane mod 4) and the next; with
    ``.trans`` rows and columns change places. The tile is 8·matrices rows of 8 columns, numbered row after row.

    >>> str(matrix_fragment(4).layout), str(matrix_fragment(4, transposed=True).layout)
    ('((4,8),(2,4)):((2,8),(1,64))', '((4,8),(2,4)):((16,1),(8,64))')
    """
    _check_matrices(matrices)

    def formula(lane: int, element: int) -> tuple[int, int]:
        matrix, half = divmod(element, 2)
        across, along = lane // 4, 2 * (lane % 4) + half
        return (8 * matrix + along, across) if transposed else (8 * matrix + across, along)

    name = f"{'stmatrix' if store else 'ldmatrix'}.x{matrices}{'.trans' if transposed else ''}"
    shape = ((4, 8), (2, matrices))
    return derive(name, _STMATRIX if store else _LDMATRIX, formula, shape, (8 * matrices, 8), rows_first=False)


def matrix_rows(matrices: int, store: bool = False) -> Atom:
    """The rows whose addresses lanes give to ldmatrix and stmatrix: lane i that of row i mod 8 of matrix i / 8.

    Lanes from 8·matrices on are left out: their addresses are not read. The 8 elements of a row lie side by side.

    >>> str(matrix_rows(4).layout)
    '(32,8):(8,1)'
    """
    _check_matrices(matrices)
    name = f"{'stmatrix' if store else 'ldmatrix'}.x{matrices}.rows"
    source = f"PTX ISA, {'stmatrix' if store else 'ldmatrix'}: threads that give the row addresses, by .num"
    return derive(
        name, source, lambda lane, element: (lane, element), (8 * matrices, 8), (8 * matrices, 8), rows_first=False
    )


def _check_matrices(matrices: int) -> None:
    if matrices not in (1, 2, 4):
        raise InputError(f"ldmatrix and stmatrix move 1, 2 or 4 matrices, not {matrices}")


# mma.sync

MMA_K = {16: (8, 16), 32: (4, 8), 8: (16, 32)}
"""The k of mma.sync.m16n8, by the bits of an element of A and B: f16 and bf16, tf32, 8-bit floating point."""


def mma_fragment(operand: str, k: int, element_bits: int = 16) -> Atom:
    """A, B or C (and D) of mma.sync.m16n8k{k}: tiles (16,k), (8,k) and (16,8), registers in PTX's order a0, a1, …

    A register of 32 bits holds 32/bits consecutive k of one row. With v of them a register, g = lane/4, t = lane mod 4,
    element i, register i/v: A has row g or g+8, by the register's bit 0, and k from v·t or v·(t+4), by its bit 1; B has
    n = g and k from v·t or v·(t+4), by its bit 0; C has row g or g+8, by the bit 1 of i, and column 2t or 2t+1.

    >>> [str(mma_fragment(x, 16).layout) for x in "ABC"]  # doctest: +NORMALIZE_WHITESPACE
    ['((4,8),(2,2,2)):((32,1),(16,8,128))', '((4,8),(2,2)):((16,1),(8,64))', '((4,8),(2,2)):((32,1),(16,8))']
    >>> str(mma_fragment("A", 4, 32).layout), str(mma_fragment("A", 8, 32).layout)
    ('((4,8),(1,2)):((16,1),(0,8))', '((4,8),(1,2,2)):((16,1),(0,8,64))')
    """
    if element_bits not in MMA_K or k not in MMA_K[element_bits]:
        known = "; ".join(f"{bits} bits: {' or '.join(map(str, ks))}" for bits, ks in MMA_K.items())
        raise InputError(f"mma.sync.m16n8 has no k{k} for elements of {element_bits} bits: {known}")
    v = 32 // element_bits
    halves = k // (4 * v)
    kind = {16: "f16", 32: "tf32", 8: "f8"}[element_bits]
    name = f"mma.m16n8k{k}.{kind}.{operand}"
    source = f"PTX ISA, Matrix Fragments for mma.m16n8k{k}"

    def a(lane: int, i: int) -> tuple[int, int]:
        register, byte = divmod(i, v)
        return lane // 4 + 8 * (register % 2), v * (lane % 4 + 4 * (register // 2)) + byte

    def b(lane: int, i: int) -> tuple[int, int]:
        register, byte = divmod(i, v)
        return lane // 4, v * (lane % 4 + 4 * register) + byte

    def c(lane: int, i: int) -> tuple[int, int]:
        return lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2

    if operand == "A":
        return derive(name, source, a, ((4, 8), (v, 2, 2) if halves == 2 else (v, 2)), (16, k))
    if operand == "B":
        return derive(name, source, b, ((4, 8), (v, 2) if halves == 2 else (v, 1)), (8, k))
    if operand == "C":
        return derive(name, source, c, ((4, 8), (2, 2)), (16, 8))
    raise InputError(f"the operands of mma.sync are A, B and C, not {operand}")


# wgmma

WGMMA_K = {32: 8, 16: 16, 8: 32}
"""k of wgmma.m64nNk, by the bits of an element of A and B: tf32, f16 and bf16, 8-bit floating point: 256 bits."""


def wgmma_accumulator(n: int) -> Atom:
    """D of wgmma.m64n{n}: 128 threads, n/2 elements each; n from 8 to 256 in steps of 8, whatever k is.

    Warp w has the rows 16w to 16w+15. With g = lane/4 and t = lane mod 4, element i lies in row 16w + g, or 8 below it
    when bit 1 of i is set, and in column 8·(i/4) + 2t + (i mod 2).

    >>> str(wgmma_accumulator(8).layout), str(wgmma_accumulator(256).layout)
    ('((4,8,4),(2,2,1)):((128,1,16),(64,8,0))', '((4,8,4),(2,2,32)):((128,1,16),(64,8,512))')
    """
    if type(n) is not int or not (8 <= n <= 256 and n % 8 == 0):
        raise InputError(f"n of wgmma is a multiple of 8 from 8 to 256, not {n}")

    def formula(thread: int, i: int) -> tuple[int, int]:
        warp, lane = divmod(thread, 32)
        return 16 * warp + lane // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (lane % 4) + i % 2

    source = "PTX ISA, Register Fragments for wgmma.mma_async.m64nNk16: accumulator D"
    return derive(f"wgmma.m64n{n}.D", source, formula, ((4, 8, 4), (2, 2, n // 8)), (64, n))


def wgmma_a(element_bits: int = 16) -> Atom:
    """A of wgmma in registers: 128 threads, tile (64, k) with k·bits = 256; each warp's 16 rows as mma.sync's A.

    >>> str(wgmma_a(16).layout)
    '((4,8,4),(2,2,2)):((128,1,16),(64,8,512))'
    """
    k = _wgmma_k(element_bits)
    v = 32 // element_bits

    def formula(thread: int, i: int) -> tuple[int, int]:
        warp, lane = divmod(thread, 32)
        register, byte = divmod(i, v)
        return 16 * warp + lane // 4 + 8 * (register % 2), v * (lane % 4 + 4 * (register // 2)) + byte

    kind = {16: "f16", 32: "tf32", 8: "f8"}[element_bits]
    source = f"PTX ISA, Register Fragments for wgmma.mma_async.m64nNk{k}: A"
    return derive(f"wgmma.m64k{k}.{kind}.A", source, formula, ((4, 8, 4), (v, 2, 2)), (64, k))


def _wgmma_k(element_bits: int) -> int:
    if element_bits not in WGMMA_K:
        raise InputError(f"wgmma has A and B of 8, 16 or 32 bits, not {element_bits}")
    return WGMMA_K[element_bits]


# Shared-memory operands of wgmma

CHUNK_BITS = 128
SPANS = (16, 32, 64, 128)
"""Bytes of a row of the pattern: without a swizzle, and in the modes of 32, 64 and 128 bytes."""


def smem_atom(major: str, span_bytes: int, element_bits: int) -> AnyLayout:
    """The smallest shared-memory tile (MN, K) of a mode: 8 rows of ``span_bytes``, or its transpose for MN-major.

    >>> str(smem_atom("K", 128, 16)), str(smem_atom("MN", 64, 16)), str(smem_atom("K", 16, 8))
    ('S<3,3,3> o 0 o (8,64):(64,1)', 'S<2,3,3> o 0 o (32,8):(1,32)', '(8,16):(16,1)')
    """
    _check_major(major, element_bits)
    if span_bytes not in SPANS:
        raise InputError(f"a row of the pattern has 16, 32, 64 or 128 bytes, not {span_bytes}")
    wide = span_bytes * 8 // element_bits
    plain = Layout((8, wide), (wide, 1)) if major == "K" else Layout((wide, 8), (1, wide))
    if span_bytes == 16:
        return plain
    return ComposedLayout(mode_in_elements(span_bytes, element_bits), 0, plain)


def _check_major(major: str, element_bits: int) -> None:
    _wgmma_k(element_bits)
    if major not in ("K", "MN"):
        raise InputError(f"an operand is K-major or MN-major, not {major}")
    if major == "MN" and element_bits != 16:
        raise InputError(f"wgmma transposes 16-bit operands only: elements of {element_bits} bits are K-major")


def tile_to_shape(atom: AnyLayout, shape: tuple[int, ...], order: tuple[int, ...] | None = None) -> AnyLayout:
    """The atom repeated over a tile, the modes of lower ``order`` first; PropertyRefuted unless it divides each extent.

    >>> str(tile_to_shape(smem_atom("K", 128, 16), (64, 128)))
    'S<3,3,3> o 0 o ((8,8),(64,2)):((64,512),(1,4096))'
    >>> tile_to_shape(Layout((8, 16), (16, 1)), (4, 16))
    Traceback (most recent call last):
    ...
    veritile.model.errors.PropertyRefuted: 8 does not divide the extent 4 of mode 0 (mode 0, atom 8, extent 4)
    """
    obligation = decide_tiles(atom, shape)
    if obligation.witness is not None:
        raise PropertyRefuted(obligation.reason, obligation.witness)
    order = tuple(range(len(shape))) if order is None else order
    if sorted(order) != list(range(len(shape))):
        raise InputError(f"an order of {len(shape)} modes has each of 0 to {len(shape) - 1} once, not {order}")
    inner = atom.layout if isinstance(atom, ComposedLayout) else atom
    assert isinstance(inner, Layout)
    step = size(inner)
    rest: dict[int, tuple[int, int]] = {}
    for mode in sorted(range(len(shape)), key=lambda m: order[m]):
        count = shape[mode] // size_of(inner.shape[mode])
        rest[mode] = (count, step)
        step *= count
    tiled = Layout(
        tuple((inner.shape[m], rest[m][0]) for m in range(len(shape))),
        tuple((inner.stride[m], rest[m][1] if rest[m][0] > 1 else 0) for m in range(len(shape))),
    )
    return ComposedLayout(atom.function, atom.offset, tiled) if isinstance(atom, ComposedLayout) else tiled


def decide_tiles(atom: AnyLayout, shape: tuple[int, ...]) -> Obligation:
    """The atom has as many modes as the tile and divides the extent of each."""
    if not isinstance(atom.shape, tuple) or len(atom.shape) != len(shape):
        raise InputError(f"{atom} has not the {len(shape)} modes of the tile {shape}")
    for mode, extent in enumerate(shape):
        part = size_of(atom.shape[mode])
        if extent % part:
            reason = f"{part} does not divide the extent {extent} of mode {mode}"
            return TILES.fails(reason, "divide", mode=mode, atom=part, extent=extent)
    return TILES.holds(f"{atom} divides {shape}")


@dataclass(frozen=True)
class Canonical:
    """A canonical layout: the mode, and the two byte offsets that a matrix descriptor gives."""

    major: str
    span_bytes: int
    leading_bytes: int
    stride_bytes: int

    def layout(self, rows: int, element_bits: int) -> Callable[[int, int], int]:
        """The offset in elements of (mn, k), before the swizzle, for one instruction's k of 256 bits.

        With T = 128/bits elements a chunk of 16 bytes and w chunks a row of the pattern: K-major counts mn as (8, …)
        with steps w·T and the stride offset, k as (T, 2) with steps 1 and T (the leading offset where w = 1).
        MN-major counts mn as (T·w, …) with steps 1 and the leading offset, k as (8, …) with steps w·T and the stride
        offset; without a swizzle leading and stride change places.
        """
        t = CHUNK_BITS // element_bits
        w = self.span_bytes // 16
        leading, stride = (x * 8 // element_bits for x in (self.leading_bytes, self.stride_bytes))
        if self.major == "K":
            step = leading if w == 1 else t
            return lambda mn, k: mn % 8 * w * t + mn // 8 * stride + k % t + k // t * step
        if w == 1:
            leading, stride = stride, leading
        return lambda mn, k: mn % (t * w) + mn // (t * w) * leading + k % 8 * w * t + k // 8 * stride


def decide_operand(layout: AnyLayout, element_bits: int, major: str = "K") -> Obligation:
    """A tile (MN, K) in shared memory, K of 256 bits, is one that a wgmma descriptor can give; which, in ``details``.

    The swizzle must be a mode's in elements, the tile must start in the first row of its pattern, at a multiple of 16
    bytes, and the rest must be the canonical layout of that mode for some leading and stride byte offset, read off at
    one element each and then compared with the layout everywhere. These offsets are below 2^18 and multiples of 16, or
    of the whole pattern where there is a swizzle: a descriptor has one base offset for all its patterns.

    >>> from ...model.notation import parse
    >>> tile = parse("S<3,3,3> o 0 o ((8,8),16):((64,512),1)")  # the first k16 of 64×64, f16
    >>> decide_operand(tile, 16).details
    {'major': 'K', 'span_bytes': 128, 'leading_bytes': 16, 'stride_bytes': 1024}
    >>> decide_operand(parse("S<3,4,3> o 0 o ((8,8),16):((64,512),1)"), 16).reason
    'S<3,4,3> is no mode of wgmma in elements of 16 bits'
    """
    _check_major(major, element_bits)
    if len(layout) != 2:
        raise InputError(f"an operand has two modes, MN and K; {layout} has {len(layout)}")
    mn, k = size_of(layout.shape[0]), size_of(layout.shape[1])
    if k != _wgmma_k(element_bits):
        reason = f"one instruction takes k = {_wgmma_k(element_bits)} of {element_bits} bits, and the layout has {k}"
        return OPERAND.fails(reason, "size", expected=_wgmma_k(element_bits), got=k)
    if mn % 8:
        return OPERAND.fails(f"{mn} rows are no multiple of 8", "size", expected=-(-mn // 8) * 8, got=mn)
    inner: Any = layout
    span = 16
    if isinstance(layout, ComposedLayout):
        swizzle = layout.function
        modes = {mode_in_elements(s, element_bits): s for s in SPANS[1:]}
        if isinstance(swizzle, Swizzle) and not swizzle.bits:
            span = 16
        elif isinstance(swizzle, Swizzle) and swizzle in modes:
            span = modes[swizzle]
        else:
            reason = f"{swizzle} is no mode of wgmma in elements of {element_bits} bits"
            return OPERAND.fails(reason, "swizzle", got=str(swizzle), modes=tuple(map(str, modes)))
        start = layout.offset * element_bits
        if start % CHUNK_BITS or (isinstance(swizzle, Swizzle) and layout.offset & swizzle.source_mask):
            reason = (
                f"the tile starts at element {layout.offset}, inside a chunk of 16 bytes or below a pattern's first row"
            )
            return OPERAND.fails(reason, "outside", coordinate=(0, 0), offset=layout.offset)
        inner = layout.layout
    canonical = _read_off(inner, element_bits, major, span, mn, k)
    wanted = canonical.layout(mn, element_bits)
    for j in range(k):
        for i in range(mn):
            if inner((i, j)) != wanted(i, j):
                got, expected = inner((i, j)), wanted(i, j)
                kind = f"a {span}-byte {major}-major operand"
                reason = f"({i},{j}) lies at element {got} where {kind} has {expected}"
                values = {"coordinate": (i, j), "expected": expected, "got": got}
                return OPERAND.fails(reason, "difference", ENUMERATION, **values)
    multiple = 16 if span == 16 else 8 * span
    for name, value in _used(canonical, mn, k, element_bits):
        if value % multiple or not 0 <= value < 1 << 18:
            reason = f"the {name} byte offset {value} is no multiple of {multiple} below 2^18"
            return OPERAND.fails(reason, "descriptor", offset=value, multiple=multiple, limit=1 << 18)
    told = f"{major}-major, {span} bytes a row" + (", no swizzle" if span == 16 else "")
    return OPERAND.holds(
        told,
        f"{ENUMERATION} ({mn * k} points)",
        major=major,
        span_bytes=span,
        leading_bytes=canonical.leading_bytes,
        stride_bytes=canonical.stride_bytes,
    )


def _used(canonical: Canonical, mn: int, k: int, element_bits: int) -> list[tuple[str, int]]:
    """The byte offsets of a descriptor that the tile has steps of; a swizzled K-major tile has no leading one."""
    t, w = CHUNK_BITS // element_bits, canonical.span_bytes // 16
    outer, along = (mn > 8, w == 1) if canonical.major == "K" else (mn > t * w, k > 8)
    leading, stride = ("leading", canonical.leading_bytes), ("stride", canonical.stride_bytes)
    if canonical.major == "MN" and w > 1:
        leading, stride = stride, leading
    return [pair for pair, used in ((stride, outer), (leading, along)) if used]


def _read_off(inner: Any, element_bits: int, major: str, span: int, mn: int, k: int) -> Canonical:
    """The canonical layout that agrees with the tile at one element of each outer mode; 16 where there is none."""
    t, w = CHUNK_BITS // element_bits, span // 16

    def in_bytes(i: int, j: int) -> int:
        return inner((i, j)) * element_bits // 8 if i < mn and j < k else 16

    if major == "K":
        return Canonical(major, span, in_bytes(0, t) if w == 1 else 16, in_bytes(8, 0))
    outer, along = in_bytes(t * w, 0), in_bytes(0, 8)
    return Canonical(major, span, *((along, outer) if w == 1 else (outer, along)))


def library() -> list[Atom]:
    """Every atom with its fragment: ldmatrix and stmatrix, mma.sync, wgmma for each n.

    >>> len(library())
    71
    """
    found = [matrix_fragment(m, t, s) for m in (1, 2, 4) for t in (False, True) for s in (False, True)]
    found += [matrix_rows(m, s) for m in (1, 2, 4) for s in (False, True)]
    found += [mma_fragment(x, k, bits) for bits, ks in MMA_K.items() for k in ks for x in "ABC"]
    found += [wgmma_a(bits) for bits in WGMMA_K]
    return found + [wgmma_accumulator(n) for n in range(8, 257, 8)]
