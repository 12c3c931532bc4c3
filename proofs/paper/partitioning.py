"""Sections 3.3.4 and 3.1: partitioning by a thread-value layout, and tilers."""

from __future__ import annotations

from itertools import product

from ...model.layout import Layout
from ...model.notation import layout, parse_tiler
from ...model.slicing import slice_
from ...model.tiler import tile
from ..claim import Claim, Counterexample, Mutant, for_all, table
from ..definitions import apply, bijection_wrong, differs, perturbed, together, volume
from .composition import composition_row
from .rows import compose, given, on, row_claim

THR_VAL = "((4,8),2):((16,1),8)"
_SOURCE = "paper §3.3.4, the C matrix of the Ampere FP64 tensor core"

_DATA = {
    "col-major": ("(8,8):(1,8)", "((4,8),2):((16,1),8)"),
    "row-major": ("(8,8):(8,1)", "((4,8),2):((2,8),1)"),
    "padded": ("(8,8):(1,9)", "((4,8),2):((18,1),9)"),
    "swizzled": ("(8,8):(f1,f9)", "((4,8),2):((f18,f1),f9)"),
    "coordinate": ("(8,8):(e0,e1)", "((4,8),2):((2e1,e0),e1)"),
}


def _owners(tv: Layout) -> Counterexample:
    """Every element of the 8×8 tile at exactly one (thread, value)."""
    return bijection_wrong(tv, 64)


def _matrix_of_the_instruction(tv: Layout) -> Counterexample:
    """PTX: thread t holds C[t/4][2·(t mod 4)] and its right neighbour; (row, column) is row + 8·column here."""
    for t in range(32):
        for v in range(2):
            row, column = t // 4, 2 * (t % 4) + v
            if tv((t, v)) != row + 8 * column:
                return {"coordinate": (t, v), "expected": row + 8 * column, "got": tv((t, v))}
    return None


def _sliced(data: str, is_sliced_first: bool = False) -> Counterexample:
    """slice_ of A∘TV by a thread: an offset, and one static layout of the values for all threads.

    The mutant slices TV by the thread first and composes A with what is left: A's offset of the thread is then added to
    A from its start on, as if A were linear.
    """
    A, tv = layout(data), layout(THR_VAL)
    whole = compose(A, tv)
    values = {slice_(whole, (t, None))[0] for t in range(32)}
    if len(values) > 1:
        return {"expected": "one layout of the values", "got": sorted(map(str, values))}
    for t in range(32):
        kept, place = slice_(tv if is_sliced_first else whole, (t, None))
        start = A(place) if is_sliced_first else place
        for v in range(2):
            expected = apply(A, tv((t, v)))
            got = start + (A(v) if is_sliced_first else kept(v))
            if got != expected:
                return {"coordinate": (t, v), "expected": expected, "got": got}
    return None


# Tilers

_LAYOUTS = ("(8,16):(1,8)", "(8,16):(20,1)", "((2,4),(4,4)):((1,8),(2,32))", "(8,16):(e0,e1)")
_SAME = ("(4,8)", "<4,8>", "<4:1,8:1>", "(4,8):(e0,e1)")


def _composed_with(data: str, tiler: str) -> Layout:
    parsed = parse_tiler(tiler)
    if isinstance(parsed, Layout):
        return compose(layout(data), parsed)
    return tile(layout(data), parsed)


def _top_left(data: str, tiler: str) -> Counterexample:
    A = layout(data)
    got = _composed_with(data, tiler)
    if volume(got.shape) != 32:
        return {"expected": "4×8 elements", "got": got}
    for m in range(4):
        for n in range(8):
            if got((m, n)) != A((m, n)):
                return {"A": A, "tiler": tiler, "coordinate": (m, n), "expected": A((m, n)), "got": got((m, n))}
    return None


# Tilers that take 4×8 out of 8×16: each with the rows and the columns that it takes.
_TILERS: dict[str, tuple[str, list[int], list[int]]] = {
    "consecutive": ("<4:1,8:1>", list(range(4)), list(range(8))),
    "every-other": ("<4:2,8:2>", list(range(0, 8, 2)), list(range(0, 16, 2))),
    "rows-consecutive": ("<4:1,8:2>", list(range(4)), list(range(0, 16, 2))),
    "blocks": ("<(2,2):(1,4),(4,2):(1,8)>", [0, 1, 4, 5], [0, 1, 2, 3, 8, 9, 10, 11]),
}


def _takes(tiler: str, rows: list[int], columns: list[int]) -> Counterexample:
    for data in _LAYOUTS:
        A, got = layout(data), tile(layout(data), parse_tiler(tiler))
        for m, row in enumerate(rows):
            for n, column in enumerate(columns):
                if got((m, n)) != A((row, column)):
                    return {"A": A, "coordinate": (m, n), "expected": A((row, column)), "got": got((m, n))}
    return None


def _tiler(name: str) -> Claim:
    text, rows, columns = _TILERS[name]
    return row_claim(
        f"partitioning.tiler.{name}",
        "paper §3.1, tilers that take a 4×8 sublayout from 8×16",
        f"{text} takes rows {rows} and columns {columns}, of every layout tried",
        {"elements": on(lambda taken: _takes(text, *taken), (rows, columns), ([*rows[:-1], rows[-1] + 1], columns))},
        "it takes the next row in place of the last",
    )


def _by_mode(data: str, is_by_mode: bool = True) -> Counterexample:
    """tile against (A₀∘B, A₁∘C), as layouts and at every coordinate; the mutant looks A up at B(m) + C(n)."""
    A, tiler = layout(data), parse_tiler("<4:2,8:1>")
    got, wanted = tile(A, tiler), together(*[compose(A[k], tiler[k]) for k in range(2)])
    if len(got) != 2:
        return {"A": A, "got": got}
    for m, n in product(range(4), range(8)):
        value = got((m, n)) if is_by_mode else apply(A, tiler[0](m) + tiler[1](n))
        if value != wanted((m, n)):
            return {"A": A, "coordinate": (m, n), "expected": wanted((m, n)), "got": value}
    return differs(got, wanted)


CLAIMS: tuple[Claim, ...] = (
    row_claim(
        "partitioning.every-element-once",
        _SOURCE,
        f"{THR_VAL} gives every element of 8×8 to exactly one thread and value",
        {"one-to-one onto Z_64": on(_owners, lambda: layout(THR_VAL), lambda: perturbed(layout(THR_VAL)))},
        "((4,8),2):((16,1),9) does",
    ),
    row_claim(
        "partitioning.instruction",
        _SOURCE,
        f"{THR_VAL} is what the instruction prescribes: thread t holds row t/4, columns 2(t mod 4) and the next",
        {"table": on(_matrix_of_the_instruction, lambda: layout(THR_VAL), lambda: layout("((8,4),2):((1,16),8)"))},
        "((8,4),2):((1,16),8) is, too",
    ),
    *[
        composition_row(f"partitioning.{name}", f"{_SOURCE}, table", data, THR_VAL, result)
        for name, (data, result) in _DATA.items()
    ],
    Claim(
        "partitioning.slice-after-composing",
        _SOURCE,
        "Composing and then slicing by thread gives each thread an offset and one static layout of its values",
        lambda: for_all([data for data, _ in _DATA.values()], _sliced, "data layouts, at every coordinate"),
        Mutant(
            "Slicing by thread and then composing does, the values' offsets being those at the start of the data",
            lambda: for_all([data for data, _ in _DATA.values()], lambda data: _sliced(data, True)),
        ),
        given("(8,8):(8,1) after the thread-value layout"),
    ),
    Claim(
        "partitioning.tilers-equivalent",
        "paper §3.1",
        "(4,8), ⟨4,8⟩, ⟨4:1,8:1⟩ and (4,8):(e0,e1) take the same 4×8 corner",
        lambda: table(
            {
                f"{tiler} of {data}": lambda data=data, tiler=tiler: _top_left(data, tiler)  # type: ignore[misc]
                for data in _LAYOUTS
                for tiler in _SAME
            }
        ),
        Mutant("(4,8):(1,4) does", lambda: table({"row": lambda: _top_left("(8,16):(1,8)", "(4,8):(1,4)")})),
        given(),
    ),
    *[_tiler(name) for name in _TILERS],
    Claim(
        "partitioning.by-mode",
        "paper §3.1",
        "A∘⟨B,C⟩ = (A₀∘B, A₁∘C)",
        lambda: for_all(_LAYOUTS, _by_mode, "layouts, at every index"),
        Mutant("A∘⟨B,C⟩ = A∘(B,C)", lambda: for_all(_LAYOUTS[:3], lambda data: _by_mode(data, False))),
        given("⟨4:2,8:1⟩ and (8,16):(20,1)"),
    ),
)

__all__ = ["CLAIMS", "THR_VAL"]
