"""Sections 3.3.4 and 3.1: partitioning by a thread-value layout, and tilers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ...model.layout import Layout
from ...model.notation import layout, parse_tiler
from ...model.tiler import tile
from ..claim import Claim, Counterexample, Mutant, table
from ..definitions import apply, bijection_wrong, differs, perturbed, together, volume
from .composition import composition_row
from .rows import compose, exhibit, row_claim

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


def _sliced(data: str) -> Callable[[], Counterexample]:
    """(A∘TV)(t, v) = A∘TV at (t, 0) plus the values' layout at v: a pointer and a static layout for each thread."""

    def check() -> Counterexample:
        whole = compose(layout(data), layout(THR_VAL))
        for t in range(32):
            for v in range(2):
                expected = apply(layout(data), layout(THR_VAL)((t, v)))
                if whole((t, 0)) + whole[1](v) != expected:
                    return {"coordinate": (t, v), "expected": expected, "got": whole((t, 0)) + whole[1](v)}
        return None

    return check


def _sliced_before(data: str) -> Counterexample:
    """The mutant: slice TV by thread first, then compose with the values' layout from an index of A."""
    A, tv = layout(data), layout(THR_VAL)
    for t in range(32):
        base = tv((t, 0))
        for v in range(2):
            expected = apply(A, tv((t, v)))
            if A(base) + A(base + tv((0, v))) - A(base) != A(base) + A(v):
                return {"coordinate": (t, v), "expected": expected, "got": A(base) + A(v)}
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
        {"elements": lambda: _takes(text, rows, columns)},
        "it takes the next row in place of the last",
        lambda: _takes(text, [*rows[:-1], rows[-1] + 1], columns),
    )


def _by_mode() -> dict[str, Callable[[], Counterexample]]:
    tiler = parse_tiler("<4:2,8:1>")

    def check(data: str) -> Counterexample:
        A = layout(data)
        return differs(tile(A, tiler), together(*[compose(A[k], tiler[k]) for k in range(2)]))

    return {data: lambda data=data: check(data) for data in _LAYOUTS}  # type: ignore[misc]


CLAIMS: tuple[Claim, ...] = (
    row_claim(
        "partitioning.every-element-once",
        _SOURCE,
        f"{THR_VAL} gives every element of 8×8 to exactly one thread and value",
        {"one-to-one onto Z_64": lambda: _owners(layout(THR_VAL))},
        "((4,8),2):((16,1),9) does",
        lambda: _owners(perturbed(layout(THR_VAL))),
    ),
    row_claim(
        "partitioning.instruction",
        _SOURCE,
        f"{THR_VAL} is what the instruction prescribes: thread t holds row t/4, columns 2(t mod 4) and the next",
        {"table": lambda: _matrix_of_the_instruction(layout(THR_VAL))},
        "((8,4),2):((1,16),8) is, too",
        lambda: _matrix_of_the_instruction(layout("((8,4),2):((1,16),8)")),
    ),
    *[
        composition_row(f"partitioning.{name}", f"{_SOURCE}, table", data, THR_VAL, result)
        for name, (data, result) in _DATA.items()
    ],
    Claim(
        "partitioning.slice-after-composing",
        _SOURCE,
        "Composing and then slicing by thread gives each thread an offset and one static layout of its values",
        lambda: table({name: _sliced(data) for name, (data, _) in _DATA.items()}, "data layouts, at every coordinate"),
        Mutant(
            "The values' offsets are those at the start of the data",
            lambda: table({"row-major": lambda: _sliced_before("(8,8):(8,1)")}),
        ),
        exhibit("(8,8):(8,1) after the thread-value layout"),
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
        exhibit("(8,16):(20,1) is a layout of rank 2"),
    ),
    *[_tiler(name) for name in _TILERS],
    Claim(
        "partitioning.by-mode",
        "paper §3.1",
        "A∘⟨B,C⟩ = (A₀∘B, A₁∘C)",
        lambda: table(_by_mode()),
        Mutant(
            "A∘⟨B,C⟩ = A∘(B,C)",
            lambda: table(
                {
                    "(8,16):(20,1)": lambda: next(
                        (
                            {"coordinate": (m, n), "expected": 40 * m + n, "got": layout("(8,16):(20,1)")(2 * m + n)}
                            for n, m in product(range(8), range(4))
                            if layout("(8,16):(20,1)")(2 * m + n) != 40 * m + n
                        ),
                        None,
                    )
                }
            ),
        ),
        exhibit("⟨4:2,8:1⟩ and (8,16):(20,1)"),
    ),
)

__all__ = ["CLAIMS", "THR_VAL"]
