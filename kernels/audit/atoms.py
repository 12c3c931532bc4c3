"""Atoms as the IR names them: which thread and value hold which element of the atom's own tile.

A copy atom has a source and a destination side, each (thread, value) ↦ element of the atom, and one of them is the
reference that a tiled copy's thread–value layout speaks of: what the instruction puts into registers for ``ldmatrix``,
what it takes from them for ``stmatrix``, tensor memory for ``tcgen05.ld`` and ``st``. An MMA atom has A, B and C as
(thread, value) ↦ element of (M, K), (N, K) and (M, N), the first fastest; the threads of ``tcgen05.mma`` are the CTAs
of its group.

The formulas are those of :mod:`veritile.proofs.contracts.atoms` and :mod:`veritile.proofs.contracts.tmem_shapes`, which
have them from the PTX ISA. An atom that is not known here is None, and what is built from it is not checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ...model.errors import InputError
from ...model.htuple import map_leaves
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...proofs.contracts.atoms import matrix_fragment, matrix_rows, mma_fragment, wgmma_a, wgmma_accumulator
from ...proofs.contracts.tmem_shapes import LANE_STEP, address_layout
from .types import AtomType, Type, bits_of, read_type

_BITS = re.compile(r"(\d+) b")
_SHAPE = re.compile(r"(\d+)x(\d+)x(\d+)")
_ELEMENTS = re.compile(r"\(([^,]+), ([^,]+), ([^,]+)\)")
_TMEM = re.compile(r"(\d+) DP|(\d+) bit|x(\d+)")


@dataclass(frozen=True)
class CopyAtom:
    """A copy atom: how many threads work together, the width that one moves at a time, and its two sides.

    ``source`` and ``destination`` are (thread, value) ↦ element; ``reference`` is the side that the thread–value layout
    of a tiled copy speaks of. ``bits`` is what one thread moves in one instruction, None where only the compiler says.
    """

    threads: int
    source: Layout
    destination: Layout
    reference: Layout
    bits: int | None
    element: str

    @property
    def values(self) -> int:
        """Values of the reference that one thread has."""
        return size_of(self.reference.shape[1])


@dataclass(frozen=True)
class MmaAtom:
    """An MMA atom: its extents M, N, K, its threads, (thread, value) ↦ element of A, B, C, and their types."""

    extents: tuple[int, int, int]
    threads: int
    operands: tuple[Layout, Layout, Layout]
    elements: tuple[str, str, str]

    def tile(self, operand: int) -> tuple[int, int]:
        """The extents of an operand: (M, K), (N, K), (M, N)."""
        m, n, k = self.extents
        return ((m, k), (n, k), (m, n))[operand]


@lru_cache(maxsize=1024)
def copy_atom(atom: AtomType) -> CopyAtom | None:
    """The copy atom that a type names; None for one that is not known here.

    >>> from .types import read_type
    >>> copy_atom(read_type("!cute_nvgpu.atom.universal_copy<bf16, 128 b>")).values
    8
    >>> made = copy_atom(read_type('!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, num_matrices = 4, n>'))
    >>> str(made.source), str(made.destination)
    ('(32,8):(8,1)', '((4,8),(2,4)):((2,8),(1,64))')
    """
    try:
        return _copy_atom(atom)
    except InputError:
        return None


def _copy_atom(atom: AtomType) -> CopyAtom | None:
    family, flags = atom.family, atom.flags
    if family in ("universal_copy", "simt_async_copy"):
        element = flags[0]
        width = bits_of(element)
        asked = next((int(m[1]) for m in map(_BITS.fullmatch, flags) if m), None)
        if width is None or (asked is not None and asked % width):
            return None
        one = Layout((1, (asked or width) // width))
        return CopyAtom(1, one, one, one, asked, element)
    if family in ("ldsm", "stsm"):
        return _matrices(atom)
    if family in ("tmem_load", "tmem_store"):
        return _tmem(atom)
    return None


def _matrices(atom: AtomType) -> CopyAtom | None:
    """ldmatrix and stmatrix of 8x8 matrices of 16 bits."""
    store = atom.family == "stsm"
    element = atom.option("val_type") or atom.flags[0]
    if atom.option("mode") != "(8,8)" or bits_of(element) != 16 or atom.option("sz_pattern") not in (None, "u16"):
        return None
    matrices = int(atom.option("num_matrices") or 0)
    given = atom.flags[-1]
    if given not in ("n", "t"):
        return None
    registers = matrix_fragment(matrices, given == "t", store).layout
    rows = matrix_rows(matrices, store).layout
    # Lanes that give no address repeat those of the others, as far as they have any.
    lanes = size_of(rows.shape[0])
    if lanes < 32:
        rows = Layout(((lanes, 32 // lanes), 8), ((8, 0), 1))
    sides = (registers, rows) if store else (rows, registers)
    return CopyAtom(32, *sides, registers, 128, element)


def _tmem(atom: AtomType) -> CopyAtom | None:
    """tcgen05.ld and st: a warp and a rectangle of tensor memory, which every thread of it is given whole."""
    lanes = width = repetitions = 0
    for flag in atom.flags[1:]:
        match = _TMEM.fullmatch(flag)
        if match is None:
            return None
        lanes, width, repetitions = (
            int(new) if new else old for new, old in zip(match.groups(), (lanes, width, repetitions), strict=True)
        )
    bits = bits_of(atom.flags[0])
    if bits is None or 32 % bits or not (lanes and width and repetitions):
        return None
    packed = 32 // bits
    addresses = address_layout(f"{lanes}x{width}b", repetitions)
    columns = width // 32 * repetitions * packed

    def number(address: int) -> int:
        # Numbers of the rectangle: column + columns · lane, the order in which the whole of it is given to each thread.
        lane, column = divmod(address, LANE_STEP)
        return lane * columns + column * packed

    threads, registers = (map_leaves(number, part) for part in addresses.stride)
    memory = Layout((32, (columns, lanes)), (0, (1, columns)))
    shape, values = addresses.shape
    held = Layout((shape, values), (threads, registers))
    if packed > 1:
        held = Layout((shape, (packed, values)), (threads, (1, registers)))
    sides = (memory, held) if atom.family == "tmem_load" else (held, memory)
    return CopyAtom(32, *sides, memory, None, atom.flags[0])


def tma_box(atom: Type) -> Layout | None:
    """The box of one TMA instruction: from its axes to modes of the tensor; None where a type does not tell.

    >>> from .types import read_type
    >>> print(tma_box(read_type('!cute_nvgpu.atom.tma_load<bf16, copy_bits = 512, tma_gbasis = <"(4,8):(1@1,1@0)">>')))
    (4,8):(e1,e0)
    """
    text = atom.option("tma_gbasis") if isinstance(atom, AtomType) else None
    made = read_type(f'!cute.layout<"{text}">').layout if text else None
    return made if isinstance(made, Layout) and isinstance(made.shape, tuple) else None


@lru_cache(maxsize=1024)
def mma_atom(atom: AtomType) -> MmaAtom | None:
    """The MMA atom that a type names; None for one that is not known here.

    >>> from .types import read_type
    >>> made = mma_atom(read_type("!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >"))
    >>> [str(operand) for operand in made.operands]  # doctest: +NORMALIZE_WHITESPACE
    ['((4,8),(2,2,2)):((32,1),(16,8,128))', '((4,8),(2,2)):((16,1),(8,64))', '((4,8),(2,2)):((32,1),(16,8))']
    """
    shape = next((m for m in map(_SHAPE.fullmatch, atom.flags) if m), None)
    types = _ELEMENTS.fullmatch(atom.option("elem_type") or "")
    if shape is None or types is None:
        return None
    m, n, k = (int(part) for part in shape.groups())
    elements = (types[1].strip(), types[2].strip(), types[3].strip())
    bits = bits_of(elements[0])
    if bits is None or bits_of(elements[1]) != bits:
        return None
    try:
        if atom.family == "sm80.mma" and (m, n) == (16, 8):
            a, b, c = (mma_fragment(operand, k, bits).layout for operand in "ABC")
            return MmaAtom((m, n, k), 32, (a, b, c), elements)
        if atom.family == "sm90.mma" and m == 64:
            in_registers = atom.option("frag_kind") == "rs"
            a = wgmma_a(bits).layout if in_registers else _whole(128, m, k)
            if size_of(a.shape) != 128 * m * k // (128 if in_registers else 1):
                return None
            return MmaAtom((m, n, k), 128, (a, _whole(128, n, k), wgmma_accumulator(n).layout), elements)
        if atom.family in ("sm100.mma", "sm100.mma_bs"):
            group = int(atom.option("num_cta") or 0)
            if group not in (1, 2) or m % group or n % group:
                return None
            parts = (_parted(group, m, k), _parted(group, n, k), _parted(group, m, n))
            return MmaAtom((m, n, k), group, parts, elements)
    except InputError:
        return None
    return None


def _whole(threads: int, rows: int, columns: int) -> Layout:
    """An operand in shared memory: every thread is given the whole of it."""
    return Layout((threads, (rows, columns)), (0, (1, rows)))


def _parted(group: int, rows: int, columns: int) -> Layout:
    """An operand of a group of CTAs: each has as many rows, one block after another."""
    part = rows // group
    return Layout((group, (part, columns)), (part if group > 1 else 0, (1, rows)))
