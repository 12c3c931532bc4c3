"""TMEM loads and stores: which lane and column each register of tcgen05.ld and tcgen05.st is, as layouts.

Tensor memory has 128 lanes of 512 columns of 32 bits. An address holds the lane in bits 16 to 31 and the column below
(PTX ISA, tensor memory addressing). A warp reaches the 32 lanes from 32·(warp mod 4) on. The shapes are those of PTX
ISA, Matrix fragments for shape .32x32b, .16x64b, .16x128b and .16x256b. The manual shows them as figures without
formulas: the formulas here are those of the CuTe DSL 4.8.1's copy atoms in words; no test on a GPU stands behind them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.errors import InputError
from ...model.htuple import map_leaves
from ...model.layout import Layout
from .atoms import Atom, derive
from .obligation import Obligation
from .rule import Rule

LANES, COLUMNS = 128, 512
LANE_STEP = 1 << 16
"""What an address grows by from one lane to the next."""

SHAPES = {"32x32b": (32, 1, 128), "16x64b": (16, 2, 128), "16x128b": (16, 4, 64), "16x256b": (16, 8, 32)}
"""Lanes, columns of one repetition, and the most repetitions, by shape."""

REACH = Rule(
    "tmem_shapes.lanes",
    "a warp reaches the 32 lanes from 32 x (warp mod 4) on, and no other",
    "PTX ISA, tcgen05.ld and tcgen05.st: access restrictions of tensor memory",
)
WIDTH = Rule(
    "tmem_shapes.columns", "every column lies inside the allocation", "PTX ISA, tcgen05.alloc: columns of an allocation"
)


def tmem_fragment(shape: str, repetitions: int = 1) -> Atom:
    """One warp's tcgen05.ld (or st) of a shape: lanes × columns of 32 bits, and the registers of each thread.

    With g = thread/4 and t = thread mod 4, register r lies

    ``32x32b``    in lane thread, column r
    ``16x64b``    in lane g, or g + 8 for an odd thread; in column t/2 + 2r
    ``16x128b``   in lane g + 8·(r mod 2), column t + 4·(r/2)
    ``16x256b``   in lane g + 8·(r/2 mod 2), column 2t + r mod 2 + 8·(r/4)

    The tile is numbered lane after lane: column + columns · lane.

    >>> [str(tmem_fragment(shape, 2).layout) for shape in ("32x32b", "16x64b", "16x128b")]
    ['(32,2):(2,1)', '((2,2,8),2):((32,1,4),2)', '((4,8),(2,2)):((1,8),(64,4))']
    >>> str(tmem_fragment("16x256b").layout)
    '((4,8),(2,2,1)):((2,8),(1,64,0))'
    """
    lanes, wide, most = _shape(shape)
    x = repetitions
    if type(x) is not int or x < 1 or x & (x - 1) or x > most:
        raise InputError(f".{shape} is repeated a power of two of times, at most {most}, not {x}")

    def formula(thread: int, r: int) -> tuple[int, int]:
        g, t = divmod(thread, 4)
        if shape == "32x32b":
            return thread, r
        if shape == "16x64b":
            return g + 8 * (t % 2), t // 2 + 2 * r
        if shape == "16x128b":
            return g + 8 * (r % 2), t + 4 * (r // 2)
        return g + 8 * (r // 2 % 2), 2 * t + r % 2 + 8 * (r // 4)

    shapes = {
        "32x32b": (32, x),
        "16x64b": ((2, 2, 8), x),
        "16x128b": ((4, 8), (2, x)),
        "16x256b": ((4, 8), (2, 2, x)),
    }
    source = f"PTX ISA, Matrix fragments for shape .{shape} (a figure; in formulas as the CuTe DSL 4.8.1 has it)"
    name = f"tmem.{shape}.x{x}"
    return derive(name, source, formula, shapes[shape], (lanes, wide * x), rows_first=False)


def _shape(shape: str) -> tuple[int, int, int]:
    if shape not in SHAPES:
        raise InputError(f"tcgen05.ld and st have the shapes {', '.join(SHAPES)} here, not {shape}")
    return SHAPES[shape]


def address_layout(shape: str, repetitions: int = 1) -> Layout:
    """The fragment as addresses of tensor memory, from the one that the instruction is given.

    >>> str(address_layout("16x64b"))
    '((2,2,8),1):((524288,1,65536),0)'
    """
    atom = tmem_fragment(shape, repetitions)
    _, columns = atom.tile

    def step(d: int) -> int:
        lane, column = divmod(d, columns)
        return lane * LANE_STEP + column

    return Layout(atom.layout.shape, map_leaves(step, atom.layout.stride))


@dataclass(frozen=True)
class TmemAccess:
    """One warp's load or store: its shape, and the lane and column that its address names.

    ``allocated``   columns of the allocation, counted from column 0 of tensor memory or from ``first`` on
    """

    shape: str
    repetitions: int
    warp: int
    lane: int
    column: int
    allocated: int = COLUMNS
    first: int = 0


def decide_tmem_access(access: TmemAccess) -> list[Obligation]:
    """The warp may reach the lanes, and the columns are allocated.

    >>> access = TmemAccess("32x32b", 32, warp=5, lane=32, column=96, allocated=128)
    >>> [o.verdict.value for o in decide_tmem_access(access)]
    ['proved', 'proved']
    >>> decide_tmem_access(TmemAccess("32x32b", 32, warp=5, lane=64, column=97, allocated=128))[1].reason
    'columns 97 to 128 leave the allocation of 0 to 127'
    """
    lanes, columns = tmem_fragment(access.shape, access.repetitions).tile
    low = 32 * (access.warp % 4)
    last = access.lane + lanes - 1
    asked = f"lanes {access.lane} to {last}"
    if access.warp < 0:
        raise InputError(f"a warp is numbered from 0, not {access.warp}")
    starts = range(low, low + 32, lanes)
    if access.lane in starts:
        reach = REACH.holds(f"{asked} belong to warp {access.warp}")
    else:
        allowed = " or ".join(map(str, starts))
        reason = f"warp {access.warp} asks for {asked}; .{access.shape} starts at lane {allowed} for it"
        reach = REACH.fails(reason, "lanes", warp=access.warp, lane=access.lane, allowed=tuple(starts))
    end = access.column + columns
    limit = min(access.first + access.allocated, COLUMNS)
    told = f"columns {access.column} to {end - 1}"
    if access.first <= access.column and end <= limit:
        return [reach, WIDTH.holds(f"{told} of {access.first} to {limit - 1}")]
    outside = access.column if access.column < access.first else end - 1
    reason = f"{told} leave the allocation of {access.first} to {limit - 1}"
    return [reach, WIDTH.fails(reason, "outside", coordinate=(access.lane, outside), offset=outside)]


def tmem_library() -> list[Atom]:
    """Every shape at every number of repetitions.

    >>> len(tmem_library())
    29
    """
    return [tmem_fragment(shape, 1 << b) for shape, (_, _, most) in SHAPES.items() for b in range(most.bit_length())]
