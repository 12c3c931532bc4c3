"""Section 3.4.4: which layouts of tensor memory an instruction admits."""

from __future__ import annotations

from itertools import product

from ...model.errors import InverseRefuted
from ...model.inverse import left_inverse
from ...model.layout import Layout
from ...model.notation import layout
from ..claim import Claim, Counterexample, Mutant, for_all
from ..definitions import left_inverse_wrong, perturbed, table_of, volume
from .rows import exhibit, is_wrong, on, row_claim

LANE = 16384
TMEM = f"(512,128):(1,{LANE})"  # columns of 32 bits, lanes

_INSTRUCTIONS = {
    "32x32b.x1": (f"(1,128):(1,{LANE})", 1),
    "32x32b.x2": (f"(2,128):(1,{LANE})", 2),
    "16x256b.x1": (f"(8,(16,4)):(1,({LANE},{32 * LANE}))", 8),
}


def not_admissible(a: Layout, t: Layout) -> Counterexample:
    """What breaks A(A†(T(i))) = T(i), A†(T(i)) in bounds of A, and each of them once."""
    back = left_inverse(a)
    seen: dict[int, int] = {}
    for i, offset in enumerate(table_of(t)):
        index = back(offset)
        if not 0 <= index < volume(a.shape):
            return {"kind": "outside", "index": i, "offset": offset, "got": index}
        if a(index) != offset:
            return {"index": i, "expected": offset, "got": a(index)}
        if index in seen:
            return {"kind": "collision", "coordinate": i, "other": seen[index], "offset": index}
        seen[index] = i
    return None


def _touches(t: Layout, columns: int) -> Counterexample:
    """The lanes and columns that the instruction reads, from its name: lanes in each warp's 32, columns of 32 bits."""
    lanes = {offset // LANE for offset in table_of(t)}
    got = {offset % LANE for offset in table_of(t)}
    per_warp = 16 if columns == 8 else 32
    wanted = {32 * warp + lane for warp in range(4) for lane in range(per_warp)}
    if lanes != wanted:
        return {"expected": sorted(wanted)[:8], "got": sorted(lanes)[:8]}
    return None if got == set(range(columns)) else {"expected": columns, "got": sorted(got)}


def _instruction(name: str) -> Claim:
    text, columns = _INSTRUCTIONS[name]
    T = layout(text)
    narrow = layout(f"(512,{T.shape[1] if isinstance(T.shape[1], int) else 64}):(1,{LANE // 2})")
    return row_claim(
        f"admissibility.{name}",
        "paper §3.4.4, table of tcgen05 loads",
        f"tcgen05 {name}, {text}, is admissible for the whole tensor memory {TMEM}",
        {
            "admissible": on(lambda a: not_admissible(a, T), lambda: layout(TMEM), narrow),
            "lanes and columns": on(lambda T: _touches(T, columns), T, lambda: perturbed(T)),
        },
        f"it is for {narrow}, whose lanes are half as far apart, and {perturbed(T)} touches the same",
    )


def _admits(columns: int, t: str) -> Counterexample:
    """An accumulator of so many columns: where it is too narrow the index leaves it, or the offset is another."""
    return not_admissible(layout(f"({columns},128):(1,{LANE})"), layout(t))


def _with_table(case: tuple[str, str], each_once: bool = True) -> Counterexample:
    """The definition with a table in place of A†, where A is small."""
    a, t = map(layout, case)
    places = {offset: i for i, offset in enumerate(table_of(a))}
    missing = next((i for i, offset in enumerate(table_of(t)) if offset not in places), None)
    by_table = missing is None and (len(set(table_of(t))) == volume(t.shape) or not each_once)
    try:
        by_inverse = not_admissible(a, t) is None and left_inverse_wrong(left_inverse(a), a) is None
    except InverseRefuted as refusal:
        return {"A": a, "T": t, "got": refusal.reason}
    return None if by_table == by_inverse else {"A": a, "T": t, "expected": by_table, "got": by_inverse}


_SMALL = ("(4,8):(1,16)", "(4,8):(1,4)", "(2,8):(1,16)")
_SMALL_T = ("(1,8):(1,16)", "(4,8):(1,16)", "(2,8):(1,16)", "(4,(2,2)):(1,(16,64))", "(2,2):(0,1)")

CLAIMS: tuple[Claim, ...] = (
    *[_instruction(name) for name in _INSTRUCTIONS],
    row_claim(
        "admissibility.left-inverse",
        "paper §3.4.4",
        f"A† of the tensor memory {TMEM} recovers each of its 65536 elements",
        {
            "A†": on(
                lambda a: left_inverse_wrong(left_inverse(a), layout(TMEM)),
                lambda: layout(TMEM),
                lambda: layout(f"(512,128):(1,{LANE // 2})"),
            )
        },
        "So does the one of lanes half as far apart",
    ),
    row_claim(
        "admissibility.too-narrow",
        "paper §3.4.4",
        "An accumulator with fewer columns than an instruction reads does not admit it",
        {
            f"{name} on {columns} columns": on(
                is_wrong(_admits, "admissible"), (columns, _INSTRUCTIONS[name][0]), (enough, _INSTRUCTIONS[name][0])
            )
            for name, columns, enough in (("32x32b.x2", 1, 2), ("16x256b.x1", 4, 8))
        },
        "Nor does one with just as many",
    ),
    Claim(
        "admissibility.definition",
        "paper §3.4.4",
        "A(A†(T(i))) = T(i) with unique A†(T(i)) in bounds says that T's offsets are A's, each once",
        lambda: for_all(product(_SMALL, _SMALL_T), _with_table, "pairs, against a table"),
        Mutant(
            "It says that T's offsets are A's",
            lambda: for_all(product(_SMALL, _SMALL_T), lambda case: _with_table(case, False)),
        ),
        exhibit(
            "(2,8):(1,16) is admissible for (4,8):(1,16)",
            lambda: not_admissible(layout("(4,8):(1,16)"), layout("(2,8):(1,16)")) is None,
        ),
    ),
)
