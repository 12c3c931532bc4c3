"""Section 3.5: the complement, [28] and [29], read in the three ways that the paper and the tools mix up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from ...model.complement import complement, extended_complement, partial_complement
from ...model.errors import ComplementRefuted
from ...model.layout import Layout
from ...model.notation import layout
from ..claim import Claim, Counterexample, Finding, Mutant, Outcome, exists, for_all, proved, refuted, table
from ..definitions import (
    bijection_wrong,
    congruent_points,
    flat_layouts,
    image,
    images_meet,
    integral_points,
    not_ordered,
    table_of,
    tiles,
    together,
    volume,
)
from ..verdict import Evidence, EvidenceKind, bounded, rank_at_most
from .rows import by_solver, exhibit, first, row_claim, show, smt

REACH = 48  # sizes of Z_N up to which brute force looks for a tiling

_ROWS = {
    "col-major": ("(4,8):(1,4)", "1:32", "1:31"),
    "row-major": ("(4,8):(8,1)", "1:32", "1:31"),
    "padded": ("(4,8):(1,5)", "1:40", "1:38"),
    "spaced": ("(4,8):(1,8)", "(2,1):(4,64)", "(2,1):(4,32)"),
    "broadcast": ("((2,2),(2,4)):((0,2),(0,4))", "(2,1):(1,16)", "(2,1):(1,14)"),
}


def not_complement(L: Layout, star: Layout) -> Counterexample:
    """What breaks [28] at integral coordinates, in bounds or not, or [29]."""
    return images_meet(L, star, integral_points(L, star)) or not_ordered(star)


def _row(name: str) -> Claim:
    a, r, broken = _ROWS[name]
    L, star = layout(a), layout(r)
    return row_claim(
        f"complement.{name}",
        "paper §3.5, table of complements, [28] [29]",
        f"{r} is a complement of {a}: ordered, and disjoint at integral coordinates past its end too",
        {
            "[28], [29]": lambda: not_complement(L, star),
            "ours": lambda: (
                None if extended_complement(L) == star else {"expected": star, "got": extended_complement(L)}
            ),
        },
        f"{broken} is a complement of {a}",
        lambda: not_complement(L, layout(broken)),
    )


def _congruent(name: str) -> Callable[[], Counterexample]:
    a, r, _ = _ROWS[name]
    return lambda: images_meet(layout(a), layout(r), congruent_points(layout(r), REACH))


def _coordinate_row(star: str, reach: int = 9) -> Counterexample:
    L = layout("(4,8):(e0,e1)")
    R = layout(star)
    return images_meet(L, R, congruent_points(R, reach)) or images_meet(L, R, range(1, reach))


# Does [28] make (L, L*) one-to-one?


def _complements() -> Iterator[tuple[Layout, Layout]]:
    """Pairs that satisfy [28] and [29], smallest L first."""
    for L in flat_layouts(2, (2, 3), (1, 2, 3, 4, 5)):
        if len(image(L)) < volume(L.shape):
            continue
        top = max(image(L)) + 1
        for d in range(1, top + 1):
            star = Layout((2, 1), (d, 2 * top))
            if not_complement(L, star) is None:
                yield L, star


def _one_to_one(pair: tuple[Layout, Layout]) -> Counterexample:
    L, star = pair
    whole = together(L, star)
    seen: dict[int, int] = {}
    for i, offset in enumerate(table_of(whole)):
        if offset in seen:
            n = volume(L.shape)
            first_pair, second = divmod(seen[offset], n)[::-1], divmod(i, n)[::-1]
            return {"L": L, "L*": star, "coordinates": (first_pair, second), "offset": offset}
        seen[offset] = i
    return None


def _ordered_only() -> Iterator[tuple[Layout, Layout]]:
    for L in flat_layouts(2, (2, 3), (1, 2, 3)):
        if len(image(L)) == volume(L.shape):
            for d in range(1, 6):
                yield L, Layout((2, 1), (d, 20))


def _padded_instance() -> Counterexample:
    L, star = layout("(4,8):(1,5)"), layout("(2,1):(4,40)")
    if not_complement(L, star):
        return not_complement(L, star)
    found = _one_to_one((L, star))
    return None if found and star(1) + L((1, 0)) == L((0, 1)) else {"got": found}


# The bounded complement


def tilers() -> Iterator[Layout]:
    """Layouts of one and two modes, with zero and negative strides."""
    yield from flat_layouts(1, (1, 2, 3), (-1, 0, 1, 2, 3, 5))
    yield from flat_layouts(2, (1, 2, 3), (-1, 0, 1, 2, 3, 4, 6, 8))


def chain_top(L: Layout) -> int | None:
    """size·stride of the last mode where the sorted modes form a divisor chain; None where they do not."""
    top = 1
    for s, d in sorted((mode for mode in L.modes if mode[0] > 1), key=lambda mode: mode[1]):
        if d <= 0 or d % top:
            return None
        top = s * d
    return top


def least_tiling(L: Layout, n: int) -> tuple[int, tuple[int, ...]] | None:
    """The least M ≥ n up to REACH for which a set J has L + J = Z_M, each element once; by brute force."""
    offsets = sorted(table_of(L))
    if offsets[0] < 0 or len(set(offsets)) < len(offsets):
        return None
    for m in range(n, REACH + 1):
        found = tiles(offsets, m)
        if found is not None:
            return m, found
    return None


def _chain_criterion(L: Layout) -> Counterexample:
    for n in (1, 5, 8):
        found, top = least_tiling(L, n), chain_top(L)
        expected = None if top is None else top * -(-n // top)
        if (found and found[0]) != expected:
            return {"L": L, "N": n, "least M by brute force": found and found[0], "got": expected}
    return None


def _injective_criterion(L: Layout) -> Counterexample:
    is_fine = len(image(L)) == volume(L.shape) and min(image(L)) >= 0
    return None if is_fine == (least_tiling(L, 1) is not None) else {"L": L, "offsets": sorted(image(L))}


def _bounded(L: Layout) -> Counterexample:
    """veritile's complement against brute force: existence, M, and the very set of offsets."""
    for n in (1, 6, 8):
        found = least_tiling(L, n)
        try:
            star = complement(L, n)
        except ComplementRefuted as refusal:
            if found is not None:
                return {"L": L, "N": n, "expected": found[0], "got": refusal.reason}
            continue
        if found is None:
            return {"L": L, "N": n, "expected": "none", "got": star}
        wrong = bijection_wrong(together(L, star), found[0]) or not_ordered(star)
        if wrong or tuple(table_of(star)) != found[1]:
            return {"L": L, "N": n, "L*": star, "expected": found[1], **(wrong or {})}
    return None


def _exactly(L: Layout) -> Counterexample:
    """The mutant: the complement always tiles N itself."""
    top = chain_top(L)
    if top is None:
        return None
    wrong = bijection_wrong(together(L, complement(L, 8)), 8)
    return wrong and {"L": L, "N": 8, **wrong}


# The smallest tiler that tiles nothing


def _smallest_non_tiling(is_injective: bool = True) -> Outcome:
    """(s₀,s₁):(d₀,d₁), one-to-one, and an offset x that nothing can reach.

    x is not in the image, and each shift j = x − b > 0 that would reach it collides with the tile at 0: j + b' = b''.
    All are unknown; the least extent is asked for. Brute force then confirms what the solver found.
    """
    from ...smt.layouts import VERSION, Question, Stopwatch, SymbolicLayout, every, implies, read_layout, some

    watch = Stopwatch()
    size, reach = 3, 12
    q = Question(20_000, bits=10)
    B = SymbolicLayout.unknown(q, "B", 2, sizes=(1, size), strides=(1, reach))
    x = q.unknown("x", 1, 4 * reach)
    cells = [
        (every(B.shape[0] > i, B.shape[1] > j), B.stride[0] * i + B.stride[1] * j)
        for i, j in product(range(size), range(size))
    ]
    if is_injective:
        for k, (here, b) in enumerate(cells):
            q.know(*[implies(every(here, there), b != c) for there, c in cells[:k]])
    for here, b in cells:
        hits = [every(p, r, x - b + c == e) for p, c in cells for r, e in cells]
        q.know(implies(here, every(x != b, some(x < b, *hits))))
    extent = (B.shape[0] - 1) * B.stride[0] + (B.shape[1] - 1) * B.stride[1]
    model = q.smallest([extent, B.shape[0] + B.shape[1], B.stride[0], x])
    evidence = smt("the tiler of least extent with an unreachable offset", VERSION, watch.ms)
    if model is None:
        return proved(evidence)
    found = read_layout(model, "B")
    offsets = sorted(image(found))
    if any(tiles(offsets, n) is not None for n in range(1, REACH + 1)):
        raise AssertionError(f"the solver's {found} tiles after all")
    smaller = [
        L
        for L in flat_layouts(2, (1, 2, 3), range(1, max(offsets) + 1))
        if len(image(L)) == volume(L.shape) and max(image(L)) < max(offsets) and least_tiling(L, 1) is None
    ]
    if is_injective and smaller:
        raise AssertionError(f"{smaller[0]} is smaller than the solver's {found}")
    checked = Evidence(EvidenceKind.ENUMERATION, f"every Z_N to N={REACH}, and every smaller tiler", cases=REACH)
    return refuted({"kind": "unreachable", "tiler": found, "offsets": offsets, "offset": model["x"]}, evidence, checked)


# The extended and the partial one


def _extended(L: Layout) -> Counterexample:
    star = extended_complement(L)
    wrong = not_complement(L, star)
    if wrong:
        return {"L": L, "L*": star, **wrong}
    reach = 3 * volume(star.shape) + 3
    bad = next((a for a in range(1, reach) if not star(a - 1) < star(a)), None)
    return None if bad is None else {"L": L, "L*": star, "kind": "order past the end", "index": bad}


def _past_its_end(L: Layout) -> Counterexample:
    """The bounded complement for 8, held against [28]."""
    wrong = not_complement(L, complement(L, 8))
    return wrong and {"L": L, "L*": complement(L, 8), **wrong}


def _non_negative() -> Iterator[Layout]:
    return (L for L in tilers() if all(d >= 0 or s == 1 for s, d in L.modes))


def _partial(L: Layout) -> Counterexample:
    if len(image(L)) < volume(L.shape):
        return None
    return _one_to_one((L, partial_complement(L, 20)))


def _full(L: Layout) -> Counterexample:
    if len(image(L)) < volume(L.shape):
        return None
    whole = together(L, partial_complement(L, 20))
    wrong = bijection_wrong(whole, volume(whole.shape))
    return wrong and {"L": L, **wrong}


def _one_mode(shift: int = 0) -> Outcome:
    """(s:d, d:1) is a bijection onto Z_sd: x = i·d + j has one i and one j."""
    from ...smt.layouts import VERSION, Question, Stopwatch

    watch = Stopwatch()

    def unique() -> Counterexample:
        q = Question()
        d, i, j = q.unknown("d", 1), q.unknown("i", 0), q.unknown("j", 0)
        q.know(j < d + shift)
        quotient, rest = q.divide(j + d * i, d)
        return q.refute(quotient != i) or q.refute(rest != j)

    def inside() -> Counterexample:
        q = Question()
        s, d, i, j = q.unknown("s", 1), q.unknown("d", 1), q.unknown("i", 0), q.unknown("j", 0)
        q.know(i <= s - 1, j < d)
        # i·d ≤ (s−1)·d, stated through the slack k = s − 1 − i ≥ 0
        return q.refute(i * d + j >= i * d + (s - 1 - i) * d + d)

    def reached() -> Counterexample:
        q = Question()
        d, x = q.unknown("d", 1), q.unknown("x", 0)
        quotient, _ = q.divide(x, d)
        return q.refute(quotient < 0)

    obligations = {"one i and one j": unique, "x < s·d": inside, "every x ≥ 0 has an i ≥ 0": reached}
    return by_solver(obligations, VERSION, lambda: watch.ms)


_SWEEP = bounded("one and two modes, sizes to 3, strides −1 to 8; Z_N to N=48")

CLAIMS: tuple[Claim, ...] = (
    *[_row(name) for name in _ROWS],
    Claim(
        "complement.coordinate-row",
        "paper §3.5, table of complements, [28]",
        "(1,1):(4e0,4e1) is a complement of (4,8):(e0,e1)",
        lambda: table({"[28]": lambda: _coordinate_row("(1,1):(4e0,4e1)")}),
        Mutant("(1,1):(3e0,8e1) is", lambda: table({"[28]": lambda: _coordinate_row("(1,1):(3e0,8e1)")})),
        exhibit("the operands of the row itself"),
        finding=Finding("4e1 is the offset of (0,4)", "complement.coordinate"),
        doubts=(5,),
    ),
    row_claim(
        "complement.coordinate",
        "ours; repairs paper §3.5, table of complements",
        "(1,1):(4e0,8e1) is a complement of (4,8):(e0,e1), at congruent coordinates too",
        {
            "[28]": lambda: _coordinate_row("(1,1):(4e0,8e1)", 20),
            "ours": lambda: (
                None
                if extended_complement(layout("(4,8):(e0,e1)")) == layout("(1,1):(4e0,8e1)")
                else {"got": extended_complement(layout("(4,8):(e0,e1)"))}
            ),
        },
        "(1,1):(4e0,7e1) is",
        lambda: _coordinate_row("(1,1):(4e0,7e1)"),
        doubts=(5,),
    ),
    Claim(
        "complement.congruent-reading",
        "paper §3.5, [28] with [2.14]",
        "The rows of the table satisfy [28] at congruent coordinates out of bounds",
        lambda: table({name: _congruent(name) for name in _ROWS}),
        Mutant(
            "Those with one mode and a stride one less do",
            lambda: table({"1:31": lambda: images_meet(layout("(4,8):(1,4)"), layout("1:31"), range(1, 9))}),
        ),
        exhibit("(8,0) is admissible for the shape (2,1)"),
        finding=Finding("(2,0) of (2,1):(4,64) has the offset 8, which is L(0,1)", "complement.integral-reading"),
        doubts=(1,),
    ),
    Claim(
        "complement.integral-reading",
        "ours; repairs paper §3.5, [28]",
        "They satisfy it at every integral coordinate, and at congruent ones where L* has one mode",
        lambda: table(
            {
                **{f"{name}, integral": lambda n=name: not_complement(*map(layout, _ROWS[n][:2])) for name in _ROWS},  # type: ignore[misc]
                **{f"{name}, congruent": _congruent(name) for name in ("col-major", "row-major", "padded")},
            }
        ),
        Mutant("At congruent ones where L* has two modes", lambda: table({"broadcast": _congruent("broadcast")})),
        exhibit("the five integer rows"),
        bounded("congruent coordinates to 48 a mode; integral ones until past the image of L"),
        doubts=(1,),
    ),
    Claim(
        "complement.one-to-one",
        "paper §3.5, [28] [29]",
        "For a one-to-one L, [28] and [29] make (L, L*) one-to-one",
        lambda: for_all(_complements(), _one_to_one, "pairs that satisfy [28] and [29], smallest L first"),
        Mutant("[29] alone does", lambda: for_all(_ordered_only(), _one_to_one)),
        first(_complements, lambda p: _one_to_one(p) is None, show),
        bounded("L of rank 2, sizes to 3, strides to 5; L* = (2,1) with every stride"),
        finding=Finding("sums of an offset of L* and one of L can meet though the images do not", "complement.bounded"),
        doubts=(7,),
    ),
    row_claim(
        "complement.one-to-one.instance",
        "ours; what is in doubt, 7",
        "(2,1):(4,40) satisfies [28] and [29] for (4,8):(1,5), and 4 + 1 = L(0,1)",
        {"as said": _padded_instance},
        "(4,8):(1,5) with (2,1):(4,40) is one-to-one",
        lambda: _one_to_one((layout("(4,8):(1,5)"), layout("(2,1):(4,40)"))),
        doubts=(7,),
    ),
    Claim(
        "complement.bounded",
        "ours; what is in doubt, 1 and 7",
        "The bounded complement makes (L, L*) a bijection onto Z_M, M the least size ≥ N that any set of offsets "
        "tiles, and is the only ordered one; it is refused exactly where no set of offsets tiles",
        lambda: for_all(tilers(), _bounded, "layouts, against every set of offsets"),
        Mutant("It makes it a bijection onto Z_N", lambda: for_all(tilers(), _exactly)),
        first(
            tilers, lambda L: volume(L.shape) > 3 and chain_top(L) is not None and volume(complement(L, 8).shape) > 1
        ),
        _SWEEP,
        doubts=(1, 2, 7),
    ),
    Claim(
        "complement.every-tiler-tiles",
        "paper §3.5.2, where B*_N is taken for any tiler",
        "Every one-to-one tiler B ≥ 0 has a set of offsets that completes it to a bijection onto some Z_N",
        _smallest_non_tiling,
        Mutant("Every tiler without negative offsets has", lambda: _smallest_non_tiling(False)),
        exhibit("(2,2):(1,2) with {0} tiles Z_4"),
        bounded("rank 2, sizes to 3, strides to 12"),
        finding=Finding("some tilers leave an offset that no shift reaches without a collision", "complement.chain"),
        doubts=(2,),
    ),
    Claim(
        "complement.chain",
        "ours; what is in doubt, 2",
        "A set of offsets completes B to a bijection onto some Z_M iff B's strides are positive and, sorted, form a "
        "divisor chain sᵢdᵢ | dᵢ₊₁; the least M ≥ N is then top·⌈N/top⌉",
        lambda: for_all(tilers(), _chain_criterion, "layouts, against every set of offsets"),
        Mutant("Iff B is one-to-one without negative offsets", lambda: for_all(tilers(), _injective_criterion)),
        first(tilers, lambda L: volume(L.shape) == 9 and chain_top(L) is not None),
        _SWEEP,
        doubts=(2,),
    ),
    Claim(
        "complement.one-mode",
        "ours; paper §3.5.2",
        "d:1 completes s:d to a bijection onto Z_sd, for every s and d",
        lambda: _one_mode(),
        Mutant("(d+1):1 does", lambda: _one_mode(1)),
        exhibit("8:3 with 3:1 onto Z_24"),
        rank_at_most(1),
        doubts=(1, 2),
    ),
    row_claim(
        "complement.padded-tiles-nothing",
        "ours; paper §3.5, the row (4,8):(1,5)",
        "(4,8):(1,5) has a complement in the sense of [28], and no set of offsets completes it to a bijection onto any "
        "Z_N to N=160",
        {
            "no set": lambda: next(
                ({"N": n} for n in range(1, 161) if tiles(sorted(image(layout("(4,8):(1,5)"))), n) is not None), None
            ),
            "ours refuses": lambda: _refused("(4,8):(1,5)", 160),
        },
        "No set completes (4,8):(1,8)",
        lambda: next(
            ({"N": n} for n in range(1, 161) if tiles(sorted(image(layout("(4,8):(1,8)"))), n) is not None), None
        ),
        doubts=(1, 2),
    ),
    Claim(
        "complement.extended",
        "paper §3.5, [28] [29]",
        "The extended complement satisfies [28] and [29] at every integral coordinate, for broadcasts and gaps too",
        lambda: for_all(_non_negative(), _extended, "layouts"),
        Mutant(
            "So does the bounded complement, evaluated past its end",
            lambda: for_all(
                (L for L in _non_negative() if chain_top(L) is not None),
                _past_its_end,
            ),
        ),
        first(_non_negative, lambda L: 0 in [d for _, d in L.modes] and volume(extended_complement(L).shape) > 1),
        bounded("one and two modes, sizes to 3, strides to 8"),
        doubts=(1,),
    ),
    Claim(
        "complement.partial",
        "ours; paper §3.5",
        "The partial complement keeps (L, L*) one-to-one wherever L is",
        lambda: for_all(_non_negative(), _partial, "layouts"),
        Mutant("It makes it a bijection", lambda: for_all(_non_negative(), _full)),
        first(_non_negative, lambda L: chain_top(L) is None and len(image(L)) == volume(L.shape)),
        bounded("one and two modes, sizes to 3, strides to 8, N=20"),
        doubts=(7,),
    ),
    Claim(
        "complement.two-readings-differ",
        "ours; what is in doubt, 1",
        "Some bounded complement breaks [28] past its end",
        lambda: exists(
            (L for L in _non_negative() if chain_top(L) is not None),
            _past_its_end,
            "layouts, smallest first",
        ),
        Mutant(
            "Some extended complement does",
            lambda: exists(_non_negative(), _extended),
        ),
        first(_non_negative, lambda L: chain_top(L) is not None),
        bounded("one and two modes, sizes to 3, strides to 8"),
        doubts=(1,),
    ),
)


def _refused(text: str, n: int) -> Counterexample:
    try:
        return {"got": complement(layout(text), n)}
    except ComplementRefuted as refusal:
        return None if refusal.witness is not None else {"got": "no witness"}
