"""Bank conflicts against a plain loop over the lanes; planted faults beside their valid twins; the swizzle search."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from veritile import ComposedLayout, InputError, Layout, Swizzle, layout, parse
from veritile.model.htuple import flatten
from veritile.proofs.contracts.banks import (
    Access,
    candidates,
    closed_degree,
    decide_banks,
    decide_matrix_banks,
    decide_swizzle_units,
    degree_of,
    idle,
    mode_in_elements,
    phase_lanes,
    solver_evidence,
    suggest_swizzle,
    unserved,
)
from veritile.proofs.contracts.obligation import Obligation
from veritile.proofs.verdict import Verdict
from veritile.smt.smtlib import script
from veritile.smt.solvers import ask

# A second evaluation, that shares no code with the first: digits, sums, masks.

LANES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}


def digits_sum(shape: Any, stride: Any, index: int) -> int:
    total, sizes, steps = 0, flatten(shape), flatten(stride)
    for k, (s, d) in enumerate(zip(sizes, steps, strict=True)):
        last = k == len(sizes) - 1
        total += (index if last else index % s) * d
        index //= s
    return total


def xored(b: int, m: int, s: int, x: int) -> int:
    mask = (2**b - 1) * 2**m
    return x ^ (x // 2**s & mask) if s > 0 else x ^ (x & mask) * 2**-s


def plain_offset(tile: Any, index: int) -> int:
    if isinstance(tile, Layout):
        return digits_sum(tile.shape, tile.stride, index)
    return xored(tile.function.bits, tile.function.base, tile.function.shift, plain_offset(tile.layout, index))


def plain_address(access: Access, thread: int, value: int) -> int:
    index = digits_sum(access.tv.shape[0], access.tv.stride[0], thread)
    index += digits_sum(access.tv.shape[1], access.tv.stride[1], value)
    return plain_offset(access.layout, index) * access.element_bits // 8


def plain_degree(access: Access) -> int:
    """Every lane, every byte, every word, every bank."""
    worst = 0
    width = access.element_bits * access.vector // 8
    for warp in range(0, access.threads, 32):
        for value in range(0, access.values, access.vector):
            for first in range(warp, min(warp + 32, access.threads), LANES[width]):
                words = defaultdict(set)
                for thread in range(first, min(first + LANES[width], warp + 32, access.threads)):
                    start = plain_address(access, thread, value)
                    for byte in range(start, start + width):
                        words[byte // 4 % 32].add(byte // 4)
                worst = max(worst, *map(len, words.values()))
    return worst


def witness_holds(access: Access, obligation: Obligation) -> bool:
    """The two lanes of the witness do want two words of its bank, in one phase."""
    assert obligation.witness is not None
    w = obligation.witness.values
    width = access.element_bits * access.vector // 8
    a, b = (w["warp"] * 32 + lane for lane in w["lanes"])
    if a // LANES[width] != b // LANES[width]:
        return False
    for thread, word in zip((a, b), w["words"], strict=True):
        start = plain_address(access, thread, w["value"])
        if word not in range(start // 4, (start + width + 3) // 4) or word % 32 != w["bank"]:
            return False
    return w["words"][0] != w["words"][1]


# Random layouts


def split(rng: Random, total: int) -> tuple[int, ...]:
    """The total as a product of one to three sizes."""
    sizes = []
    for _ in range(rng.randint(0, 2)):
        divisors = [d for d in range(1, total + 1) if total % d == 0]
        sizes.append(rng.choice(divisors))
        total //= sizes[-1]
    return (*sizes, total)


def compact(sizes: tuple[int, ...]) -> list[int]:
    steps = [1]
    for s in sizes[:-1]:
        steps.append(steps[-1] * s)
    return steps


def random_access(rng: Random) -> Access:
    """Vectors that are whole: the layout's first mode is contiguous, the TV's first value mode runs along it."""
    element_bits = rng.choice([8, 16, 32, 64])
    vector = rng.choice([v for v in (1, 2, 4, 8) if element_bits * v <= 128])
    width = rng.choice([vector, 2 * vector, 8, 16, 64, 3 * vector])
    width = max(width // vector, 1) * vector
    rows = rng.choice([4, 8, 16, 32, 33, 48])
    pad = rng.choice([0, 0, 0, vector, 2 * vector])
    inner = Layout((width, rows), (1, width + pad))
    tile: Any = inner
    if rng.random() < 0.6:
        base = (vector - 1).bit_length() + rng.randint(0, 3)
        bits = rng.randint(0, 4)
        shift = rng.choice([-1, 1, 1, 1]) * rng.randint(1, 6)
        tile = ComposedLayout(Swizzle(bits, base, shift), 0, inner)
    chunks = width // vector
    values = rng.choice([n for n in (1, 1, 2, 3, 4) if n <= max(chunks, 1)])
    if rng.random() < 0.5:  # down the rows, then along them
        along = rng.choice([n for n in (1, 2, 4) if n * values <= chunks] or [1])
        sizes: tuple[int, ...] = (*split(rng, rows), along)
        steps = [width * step for step in compact(sizes[:-1])] + [vector]
        values = values if along * values <= chunks else 1
        apart = along
    else:
        threads = rng.choice([t for t in (4, 8, 16, 20, 32, 64) if t * values <= chunks * rows] or [1])
        sizes = split(rng, threads)
        steps = [vector * step for step in compact(sizes)]
        apart = rng.choice([1, threads]) if threads > 1 else 1
    if rng.random() < 0.3:
        steps = [0 if rng.random() < 0.3 else d for d in steps]
    tv = Layout((sizes, (vector, values)), (tuple(steps), (1, vector * apart)))
    return Access(tv, tile, element_bits, vector)


def check_random(count: int, seed: int) -> tuple[int, int, int]:
    rng = Random(seed)
    done = closed = conflicts = 0
    while done < count:
        access = random_access(rng)
        obligations = decide_banks(access)
        if any(o.verdict is not Verdict.PROVED for o in obligations[:2]):
            assert obligations[2].verdict is Verdict.UNKNOWN
            continue
        done += 1
        expected = plain_degree(access)
        told = f"{access.tv} on {access.layout}, {access.element_bits} bits, {access.vector} together"
        assert degree_of(access) == obligations[2].details["degree"] == expected, told
        if closed_degree(access) is not None:
            closed += 1
            assert closed_degree(access) == expected, told
        assert (obligations[2].verdict is Verdict.PROVED) == (expected == 1), told
        if expected > 1:
            conflicts += 1
            assert witness_holds(access, obligations[2]), told
    return done, closed, conflicts


def test_degree_agrees_with_a_loop_over_the_lanes() -> None:
    done, closed, conflicts = check_random(300, seed=4)
    assert done == 300 and closed > 50 and 50 < conflicts < 290


@pytest.mark.slow
def test_degree_agrees_with_a_loop_over_the_lanes_10000_times() -> None:
    done, closed, conflicts = check_random(10_000, seed=5)
    assert done == 10_000 and closed > 2_000 and 2_000 < conflicts < 9_500


def test_the_closed_form_holds_for_bits_offsets_and_swizzles_of_swizzles() -> None:
    rng = Random(9)
    closed = 0
    for _ in range(400):
        sizes = tuple(rng.choice([2, 4, 8]) for _ in range(2))
        text = f"({sizes[0]},{sizes[1]}):"
        kind = rng.choice(["f2", "offset", "nested"])
        if kind == "f2":
            text += "({},{})".format(*(f"f{rng.choice([1, 2, 5, 9, 33, 64, 97])}" for _ in sizes))
        else:
            text += "({},{})".format(*(rng.choice([1, 2, 8, 16, 32, 64, 128]) for _ in sizes))
            inner = "S<2,1,3> o 0 o " if kind == "nested" else ""
            offset = 0 if inner else rng.choice([0, 4, 512])
            text = f"S<{rng.randint(0, 3)},{rng.randint(0, 3)},{rng.choice([-3, 3, 4])}> o {offset} o {inner}{text}"
        threads = rng.choice([4, 8, sizes[0] * sizes[1]])
        if threads > sizes[0] * sizes[1]:
            continue
        access = Access(
            Layout((threads, 1), (sizes[0] * sizes[1] // threads, 1)), parse(text), rng.choice([8, 16, 32]), 1
        )
        degree = closed_degree(access)
        if degree is None:
            continue
        closed += 1
        words: dict[int, set[int]] = defaultdict(set)
        for thread in range(min(threads, 32)):
            word = access.offset(thread, 0) * access.element_bits // 32
            words[word % 32].add(word)
        assert degree == max(map(len, words.values())), f"{access.tv} on {text}"
    assert closed > 150


@pytest.mark.parametrize(
    ("threads", "element_bits", "vector", "degree"),
    [
        # consecutive accesses are free of conflicts at every width
        ("32:1", 32, 1, 1),
        ("32:2", 64, 2, 1),
        ("32:4", 32, 4, 1),
        ("32:8", 16, 8, 1),
        # with a gap of one access, every width is 2-way
        ("32:2", 32, 1, 2),
        ("32:4", 32, 2, 2),
        ("32:8", 32, 4, 2),
        # one word for all is no conflict; two halves of one word are none
        ("32:0", 32, 1, 1),
        ("32:1", 16, 1, 1),
        ("32:2", 16, 1, 1),
        ("32:4", 16, 1, 2),
        ("32:4", 8, 1, 1),
        ("32:1", 8, 1, 1),
    ],
)
def test_known_degrees(threads: str, element_bits: int, vector: int, degree: int) -> None:
    tv = layout(f"({threads.split(':')[0]},{vector}):({threads.split(':')[1]},1)")
    access = Access(tv, layout("1024:1"), element_bits, vector)
    if element_bits * vector > 128:
        return
    assert degree_of(access) == plain_degree(access) == degree


# Planted faults, each beside its valid twin

ROWS = "(8,8):(1,8)"
CHUNKS = "((8,8),8):((1,64),8)"
FAULTS: list[tuple[str, tuple[str, str, int, int], tuple[str, str, int, int], str]] = [
    (
        "no swizzle under ldmatrix",
        (ROWS, "(8,64):(64,1)", 16, 8),
        (ROWS, "S<3,3,3> o 0 o (8,64):(64,1)", 16, 8),
        "conflict_free",
    ),
    (
        "a swizzle in bytes",
        (ROWS, "S<3,4,3> o 0 o (8,64):(64,1)", 16, 8),
        (ROWS, "S<3,3,3> o 0 o (8,64):(64,1)", 16, 8),
        "conflict_free",
    ),
    (
        "a swizzle too small",
        (ROWS, "S<2,3,3> o 0 o (8,64):(64,1)", 16, 8),
        (ROWS, "S<2,3,3> o 0 o (8,32):(32,1)", 16, 8),
        "conflict_free",
    ),
    (
        "a column without padding",
        ("(32,1):(1,32)", "(32,32):(32,1)", 32, 1),
        ("(32,1):(1,32)", "(32,32):(33,1)", 32, 1),
        "conflict_free",
    ),
    (
        "padding that is even",
        ("(32,1):(1,32)", "(32,32):(34,1)", 32, 1),
        ("(32,1):(1,32)", "(32,32):(35,1)", 32, 1),
        "conflict_free",
    ),
    (
        "a shift off by one",
        ("(32,1):(1,32)", "S<5,0,6> o 0 o (32,32):(32,1)", 32, 1),
        ("(32,1):(1,32)", "S<5,0,5> o 0 o (32,32):(32,1)", 32, 1),
        "conflict_free",
    ),
    (
        "padding that breaks the vector",
        ("(8,4):(1,8)", "(8,32):(33,1)", 32, 4),
        ("(8,4):(1,8)", "(8,32):(36,1)", 32, 4),
        "vector",
    ),
    (
        "values across the rows",
        ("(8,4):(4,1)", "(32,8):(8,1)", 32, 4),
        ("(8,4):(4,1)", "(32,8):(1,32)", 32, 4),
        "vector",
    ),
    (
        "a swizzle inside the vector",
        (CHUNKS, "S<3,2,3> o 0 o (8,64):(64,1)", 16, 8),
        (CHUNKS, "S<3,3,3> o 0 o (8,64):(64,1)", 16, 8),
        "vector",
    ),
    (
        "threads beyond the tile",
        ("(9,8):(1,8)", "(8,8):(8,1)", 16, 8),
        (ROWS, "S<0,3,3> o 0 o (8,8):(8,1)", 16, 8),
        "inside",
    ),
]


def read(case: tuple[str, str, int, int]) -> Access:
    tv, tile, element_bits, vector = case
    return Access(layout(tv), parse(tile), element_bits, vector)


@pytest.mark.parametrize(("bad", "good", "rule"), [c[1:] for c in FAULTS], ids=[c[0] for c in FAULTS])
def test_planted_fault(bad: Any, good: Any, rule: str) -> None:
    access = read(bad)
    found = {o.name: o for o in decide_banks(access)}
    obligation = found[f"banks.{rule}"]
    assert obligation.verdict is Verdict.REFUTED and obligation.witness is not None
    w = obligation.witness.values
    if rule == "conflict_free":
        assert witness_holds(access, obligation) and w["degree"] == plain_degree(access)
    elif obligation.witness.kind == "alignment":
        assert plain_address(access, *w["coordinate"]) == w["offset"] * access.element_bits // 8
        assert w["offset"] % w["multiple"]
    elif obligation.witness.kind == "difference":
        thread, value = w["coordinate"]
        start = plain_address(access, thread, value - value % access.vector) * 8 // access.element_bits
        assert w["expected"] == start + value % access.vector
        assert w["got"] == plain_address(access, thread, value) * 8 // access.element_bits != w["expected"]
    else:
        assert not access.layout.in_bounds(w["offset"])
    assert [o.verdict for o in decide_banks(read(good))] == [Verdict.PROVED] * 3
    assert plain_degree(read(good)) == 1


MATRICES = [
    ("rows of 128 bytes", [128 * r for r in range(8)], [144 * r for r in range(8)]),
    ("rows of 64 bytes", [64 * r for r in range(8)], [16 * r for r in range(8)]),
    ("the last matrix alone", [16 * r for r in range(24)] + [128 * r for r in range(8)], [16 * r for r in range(32)]),
    ("one row moved onto another's banks", [16 * r for r in range(7)] + [128], [16 * r for r in range(7)] + [112]),
    ("a row off by 8 bytes", [16 * r for r in range(7)] + [120], [16 * r for r in range(8)]),
]


@pytest.mark.parametrize(("bad", "good"), [m[1:] for m in MATRICES], ids=[m[0] for m in MATRICES])
def test_planted_matrix_fault(bad: list[int], good: list[int]) -> None:
    bad = (bad * 4)[:16] if len(bad) not in (8, 32) else bad
    obligation = decide_matrix_banks(bad)
    assert obligation.verdict is Verdict.REFUTED and obligation.witness is not None
    w = obligation.witness.values
    if obligation.witness.kind == "alignment":
        assert bad[w["coordinate"]] == w["offset"] and w["offset"] % 16
    else:
        starts = [bad[8 * w["matrix"] + lane] // 4 for lane in w["lanes"]]
        offsets = [word - start for word, start in zip(w["words"], starts, strict=True)]
        assert all(0 <= o < 4 for o in offsets) and {word % 32 for word in w["words"]} == {w["bank"]}
        assert w["words"][0] != w["words"][1]
    assert decide_matrix_banks(good).verdict is Verdict.PROVED


UNITS = [
    ("128 bytes, f16", "S<3,4,3> o 0 o (8,64):(64,1)", "S<3,3,3> o 0 o (8,64):(64,1)", 16),
    ("128 bytes, f32", "S<3,4,3> o 0 o (32,8):(1,32)", "S<3,2,3> o 0 o (32,8):(1,32)", 32),
    ("64 bytes, f16", "S<2,4,3> o 0 o (8,32):(32,1)", "S<2,3,3> o 0 o (8,32):(32,1)", 16),
    ("f16's swizzle for bytes", "S<3,3,3> o 0 o (8,128):(128,1)", "S<3,4,3> o 0 o (8,128):(128,1)", 8),
    ("a shift that no mode has", "S<3,3,4> o 0 o (8,64):(64,1)", "S<3,3,3> o 0 o (8,64):(64,1)", 16),
    ("five bits", "S<5,0,5> o 0 o (32,32):(32,1)", "(32,32):(32,1)", 32),
]


@pytest.mark.parametrize(("bad", "good", "bits"), [u[1:] for u in UNITS], ids=[u[0] for u in UNITS])
def test_planted_unit_fault(bad: str, good: str, bits: int) -> None:
    obligation = decide_swizzle_units(parse(bad), bits)
    assert obligation.verdict is Verdict.REFUTED and obligation.witness is not None
    w = obligation.witness.values
    tile: Any = parse(bad)
    right: Any = parse(obligation.details["mode"])
    if "index" in w:
        assert plain_offset(tile, w["index"]) == w["got"] != w["expected"]
        assert w["expected"] == xored(right.bits, right.base, right.shift, plain_offset(tile.layout, w["index"]))
    assert decide_swizzle_units(parse(good), bits).verdict is Verdict.PROVED


def test_a_unit_fault_beyond_the_tile_is_shown_at_an_offset() -> None:
    obligation = decide_swizzle_units(parse("S<3,4,3> o 0 o (8,8):(8,1)"), 16)
    assert obligation.witness is not None
    w = obligation.witness.values
    assert xored(3, 4, 3, w["offset"]) == w["got"] != w["expected"] == xored(3, 3, 3, w["offset"])


# The search for a swizzle


def exists_by_trying(accesses: list[Access], swizzles: list[tuple[int, int, int]]) -> bool:
    for b, m, s in swizzles:
        if all(plain_degree(a.with_layout(ComposedLayout(Swizzle(b, m, s), 0, a.layout))) == 1 for a in accesses):
            return True
    return False


def every_swizzle(vector: int, reach: int) -> list[tuple[int, int, int]]:
    low = (vector - 1).bit_length()
    shifts = [s for s in range(-reach, reach + 1) if s]
    space = [(b, m, s) for b in (1, 2, 3) for s in shifts if abs(s) >= b for m in range(low, reach)]
    return [(0, 0, 1), *space]


def random_sides(rng: Random, wide: bool = False) -> list[Access]:
    """One or two accesses to a small tile, with whole vectors; ``wide``: often too many rows for three bits."""
    element_bits, vector = rng.choice([(16, 8), (32, 4), (32, 1), (32, 2), (16, 1), (8, 16), (64, 1)])
    chunks, rows = rng.choice([2, 4, 8]), rng.choice([4, 8, 8, 16, 6])
    if wide:
        chunks, rows = rng.choice([8, 16, 32]), rng.choice([8, 16, 32])
    pad = rng.choice([0, 0, 0, vector])
    tile = Layout((vector * chunks, rows), (1, vector * chunks + pad))
    down = Layout((rows, vector), (vector * chunks, 1))
    along = Layout(((chunks, rows), vector), ((vector, vector * chunks), 1))
    two = Layout(((rows, 2), vector), ((vector * chunks, vector), 1))
    sides = rng.sample([down, along, two], rng.randint(1, 2))
    return [Access(tv, tile, element_bits, vector) for tv in sides]


def check_search(count: int, seed: int, reach: int) -> tuple[int, int]:
    rng = Random(seed)
    found_some = found_none = 0
    for _ in range(count):
        sides = random_sides(rng)
        found = suggest_swizzle(sides)
        told = " and ".join(f"{a.tv} on {a.layout}, {a.element_bits} bits" for a in sides)
        if found.swizzle is None:
            found_none += 1
            assert not exists_by_trying(sides, every_swizzle(sides[0].vector, reach)), told
        else:
            found_some += 1
            assert found.swizzle.bits <= 3 and found.swizzle.base >= (sides[0].vector - 1).bit_length() * bool(
                found.swizzle.bits
            )
            assert all(plain_degree(a.with_layout(found.layout)) == 1 for a in sides), told
            fewer = [s for s in every_swizzle(sides[0].vector, reach) if s[0] < found.swizzle.bits]
            assert not exists_by_trying(sides, fewer), told
    return found_some, found_none


def test_the_search_misses_no_swizzle() -> None:
    found_some, _ = check_search(8, seed=11, reach=8)
    assert found_some > 2


@pytest.mark.slow
def test_the_search_misses_no_swizzle_often() -> None:
    found_some, found_none = check_search(100, seed=12, reach=11)
    assert found_some > 20 and found_none > 2


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize(
    ("tv", "tile", "bits", "vector", "exists"),
    [
        ("(8,8):(1,8)", "(8,64):(64,1)", 16, 8, True),
        ("(32,1):(1,32)", "(32,32):(32,1)", 32, 1, False),
        ("(16,1):(1,16)", "(16,16):(16,1)", 64, 1, False),
        ("(8,1):(1,8)", "(8,32):(32,1)", 32, 1, True),
    ],
)
def test_a_solver_agrees_with_the_search(tv: str, tile: str, bits: int, vector: int, exists: bool, solver: str) -> None:
    access = Access(layout(tv), parse(tile), bits, vector)
    assert (suggest_swizzle([access]).swizzle is not None) is exists
    answers = [ask(solver, unserved([access], down).text, 20).answer for down in (True, False)]
    assert ("sat" in answers) is exists and "unknown" not in answers


@pytest.mark.slow
def test_a_solver_agrees_with_the_search_on_random_sides() -> None:
    rng = Random(13)
    asked = none = 0
    while asked < 60:
        sides = random_sides(rng, wide=True)
        if any(a.columns is None for a in sides):
            continue
        asked += 1
        found = suggest_swizzle(sides)
        answers = [ask("z3", unserved(sides, down).text, 20).answer for down in (True, False)]
        # The solver's B may be 0: a tile without conflicts is served too.
        assert ("sat" in answers) == (found.swizzle is not None)
        none += found.swizzle is None
    assert 2 < none < 58


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("down", [True, False], ids=["down", "up"])
@pytest.mark.parametrize(
    ("vector", "bits", "greatest"),
    [(8, 16, 511), (1, 32, 1023), (1, 16, 4095), (1, 8, 255), (1, 64, 65535), (4, 8, 1023)],
)
def test_a_swizzle_outside_the_search_ends_no_conflict(
    vector: int, bits: int, greatest: int, down: bool, solver: str
) -> None:
    obligation = idle(vector, bits, greatest, down)
    assert ask(solver, obligation.text, 20).answer == "unsat"
    assert ask(solver, script(obligation.hypotheses), 20).answer == "sat"  # there are such swizzles, and conflicts


def test_bits_from_inside_a_word_can_end_a_conflict() -> None:
    """Two halves of two words of one bank: the half's bit, moved up onto the word's, makes them one word."""
    access = Access(layout("(2,1):(65,1)"), layout("128:1"), 16, 1)
    assert plain_degree(access) == 2
    swizzle = Swizzle(1, 0, -6)
    assert plain_degree(access.with_layout(ComposedLayout(swizzle, 0, access.layout))) == 1
    assert swizzle in candidates(1, 16, 127)
    assert suggest_swizzle([access]).swizzle is not None


def test_no_swizzle_is_told_with_the_solver() -> None:
    access = Access(layout("(32,1):(1,32)"), layout("(32,32):(32,1)"), 32, 1)
    found = suggest_swizzle([access])
    assert found.swizzle is None and found.layout is None
    assert found.evidence[0].startswith("enumeration (all 109 ") and found.evidence[1].startswith("smt (no B <= 3")
    padded = Access(layout("(32,1):(1,32)"), layout("(32,32):(34,1)"), 32, 1)
    assert solver_evidence([padded]) == ()


def test_reader_and_writer_are_served_together() -> None:
    tile = layout("(8,64):(64,1)")
    writer, reader = Access(layout("((8,8),8):((64,1),8)"), tile, 16, 8), Access(layout("(8,8):(1,8)"), tile, 16, 8)
    found = suggest_swizzle([writer, reader])
    assert str(found.swizzle) == "S<3,3,3>" and str(found.layout) == "S<3,3,3> o 0 o (8,64):(64,1)"
    assert plain_degree(reader) == 8 and plain_degree(writer.with_layout(found.layout)) == 1


def test_only_modes_that_the_hardware_knows_are_offered() -> None:
    column = Access(layout("(8,1):(1,8)"), layout("(8,32):(32,1)"), 32, 1)
    assert str(suggest_swizzle([column], modes_only=True).swizzle) == "S<3,2,3>"
    narrow = Access(layout("(8,4):(1,8)"), layout("(8,16):(16,1)"), 32, 4)
    assert suggest_swizzle([narrow], modes_only=True).swizzle == mode_in_elements(64, 32)
    free = suggest_swizzle([Access(layout("(32,1):(1,32)"), layout("(32,32):(32,1)"), 32, 1)], modes_only=True)
    assert free.swizzle is None and free.tried == 3


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (("(32,1):(1,32)", "(32,32):(32,1)", 32, 3), "bytes"),
        (("(32,3):(1,32)", "(32,32):(32,1)", 32, 2), "no whole number of vectors"),
        (("(32,1):(1,32)", "(32,32):(32,1)", 4, 1), "no whole number of bytes"),
        (("(32,1):(1,32)", "(32,32):(e0,e1)", 32, 1), "coordinates"),
        (("(32,1,2):(1,32,0)", "(32,32):(32,1)", 32, 1), "two modes"),
        (("(32,1):(f1,f0)", "(32,32):(32,1)", 32, 1), "bits"),
    ],
)
def test_refused_input(case: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(case)


def test_widths_of_an_access() -> None:
    assert [phase_lanes(width) for width in (1, 2, 4, 8, 16)] == [32, 32, 32, 16, 8]
    for width in (3, 32):
        with pytest.raises(InputError):
            phase_lanes(width)
