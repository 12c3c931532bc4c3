"""Section 3.5: the complement, [28] and [29], read in the three ways that the paper and the tools mix up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ...model.answer import Answer
from ...model.complement import (
    complement,
    decide_complement,
    decide_extended_complement,
    decide_partial_complement,
    extended_complement,
)
from ...model.coordinate import is_admissible
from ...model.errors import ComplementRefuted, Witness
from ...model.layout import Layout
from ...model.notation import layout
from ...model.semimodule import F2
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
from .rows import by_solver, denied, equals, exhibit, first, given, on, row_claim, show, smt

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
            "[28], [29]": on(lambda star: not_complement(L, star), star, layout(broken)),
            "ours": on(equals(star), lambda: extended_complement(L), lambda: perturbed_last(extended_complement(L))),
        },
        f"{broken} is a complement of {a}",
    )


def perturbed_last(star: Layout) -> Layout:
    """A complement with the stride of its last mode one more."""
    if not isinstance(star.shape, tuple):
        return Layout(star.shape, star.stride + 1)
    return Layout(star.shape, (*star.stride[:-1], star.stride[-1] + 1))


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


def _padded_instance(L: Layout) -> Counterexample:
    star = layout("(2,1):(4,40)")
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


def _chain_criterion(L: Layout, top_of: Callable[[Layout], int | None] = chain_top) -> Counterexample:
    for n in (1, 5, 8):
        found, top = least_tiling(L, n), top_of(L)
        expected = None if top is None else top * -(-n // top)
        if (found and found[0]) != expected:
            return {"L": L, "N": n, "least M by brute force": found and found[0], "got": expected}
    return None


def _loose_top(L: Layout) -> int | None:
    """The mutant's chain: each stride at least size·stride of the one before, not a multiple of it."""
    top = 1
    for s, d in sorted((mode for mode in L.modes if mode[0] > 1), key=lambda mode: mode[1]):
        if d < top:
            return None
        top = s * d
    return top


def refusal_wrong(L: Layout, refusal: ComplementRefuted) -> Counterexample:
    """What a refusal's witness says against what evaluating shows; None when it is as it says.

    A negative offset, two coordinates of one offset, or an offset that is the least not covered once every shift that
    was forced before has been made, with the place where its own shift meets one of those.
    """
    if refusal.witness is None:
        return {"L": L, "got": "no witness"}
    kind, told = refusal.witness.kind, refusal.witness.values
    holds = False
    if kind == "negative":
        holds = L(told["coordinate"]) == told["offset"] < 0
    elif kind == "collision":
        one, other = told["coordinate"], told["other"]
        holds = one != other and L(one) == L(other) == told["offset"]
    elif kind == "unreachable":
        holds = (told["offset"], told.get("meets")) == _first_forced_collision(L)
    return None if holds else {"L": L, "kind": kind, "got": told}


def _first_forced_collision(L: Layout) -> tuple[int, int] | None:
    """The least uncovered offset whose shift of the image meets what is covered, and the least place where it does."""
    offsets = sorted(image(L))
    covered: set[int] = set()
    for x in range(20 * (offsets[-1] + 1)):
        if x in covered:
            continue
        shifted = [x + b for b in offsets]
        meets = [y for y in shifted if y in covered]
        if meets:
            return x, meets[0]
        covered |= set(shifted)
    return None


def _at_zero(L: Layout, refusal: ComplementRefuted) -> Counterexample:
    """The mutant: any witness will do, were its offset 0."""
    told = refusal.witness
    changed = told and Witness(told.kind, {**told.values, "offset": 0})
    return refusal_wrong(L, ComplementRefuted(refusal.reason, changed))


def _bounded(
    L: Layout, onto_bound: bool = False, refused: Callable[..., Counterexample] = refusal_wrong
) -> Counterexample:
    """veritile's complement against brute force: existence, M, the very set of offsets, and what is said beside it."""
    for n in (1, 6, 8):
        found = least_tiling(L, n)
        try:
            answer = decide_complement(L, n)
        except ComplementRefuted as refusal:
            if found is not None:
                return {"L": L, "N": n, "expected": found[0], "got": refusal.reason}
            wrong = refused(L, refusal)
            if wrong:
                return {"L": L, "N": n, **wrong}
            continue
        star = answer.result
        if found is None:
            return {"L": L, "N": n, "expected": "none", "got": star}
        wrong = bijection_wrong(together(L, star), n if onto_bound else found[0]) or not_ordered(star)
        if wrong or tuple(table_of(star)) != found[1]:
            return {"L": L, "N": n, "L*": star, "expected": found[1], **(wrong or {})}
        if (answer.exact, answer.out_of_range) != (found[0] == n, found[0] - n):
            return {"L": L, "N": n, "M": found[0], "exact": answer.exact, "out of range": answer.out_of_range}
    return None


# Over F₂


def _over_f2() -> Iterator[Layout]:
    yield from flat_layouts(1, (2, 4), [F2(b) for b in range(8)])
    yield from flat_layouts(2, (2, 4), [F2(b) for b in range(7)])


def _f2_bounded(L: Layout, operation: Callable[[Layout, int], Layout] = complement) -> Counterexample:
    """(L, L*) takes every element of F₂^m once, 2^m the least power of two that holds N and every offset of L."""
    for n in (1, 4, 9):
        bits = max((n - 1).bit_length(), *[_bits(x).bits.bit_length() for x in table_of(L)])
        collides = len(image(L)) < volume(L.shape)
        try:
            star = operation(L, n)
        except ComplementRefuted as refusal:
            wrong = refusal_wrong(L, refusal) if collides else {"L": L, "N": n, "got": refusal.reason}
            if wrong:
                return wrong
            continue
        seen = sorted(_bits(a + b).bits for a in table_of(L) for b in table_of(star))
        if collides or seen != list(range(1 << bits)):
            return {"L": L, "N": n, "L*": star, "expected": f"F₂^{bits}, each once", "got": seen}
    return None


def _bits(x: Any) -> F2:
    return x if isinstance(x, F2) else F2(x)


# The smallest tiler that tiles nothing


def _smallest_non_tiling(is_chain: bool = False) -> Outcome:
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
    for k, (here, b) in enumerate(cells):
        q.know(*[implies(every(here, there), b != c) for there, c in cells[:k]])
    if is_chain:
        k = q.unknown("k", 1, reach)
        (s0, d0), (s1, d1) = zip(B.shape, B.stride, strict=True)
        q.know(some(d1 == k * (s0 * d0), d0 == k * (s1 * d1)))
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
    if smaller:
        raise AssertionError(f"{smaller[0]} is smaller than the solver's {found}")
    checked = Evidence(EvidenceKind.ENUMERATION, f"every Z_N to N={REACH}, and every smaller tiler", cases=REACH)
    return refuted({"kind": "unreachable", "tiler": found, "offsets": offsets, "offset": model["x"]}, evidence, checked)


# The extended and the partial one


def _extended(L: Layout, complement_of: Callable[[Layout], Layout] = extended_complement) -> Counterexample:
    star = complement_of(L)
    wrong = not_complement(L, star)
    if wrong:
        return {"L": L, "L*": star, **wrong}
    reach = 3 * volume(star.shape) + 3
    bad = next((a for a in range(1, reach) if not star(a - 1) < star(a)), None)
    if bad is not None:
        return {"L": L, "L*": star, "kind": "order past the end", "index": bad}
    says, is_full = decide_extended_complement(L).exact, least_tiling(L, 1) is not None
    return None if says == is_full else {"L": L, "L*": star, "exact": says, "expected": is_full}


def _bounded_by_8(L: Layout) -> Layout:
    return complement(L, 8)


def _nothing(L: Layout, n: int) -> Layout:
    return Layout(1, 0)


def _no_gap(L: Layout, n: int) -> Answer:
    """The mutant: no gap is filled, whole shifts alone are made."""
    reach = max(image(L)) + 1
    return Answer(Layout(-(-n // reach), reach), exact=False)


def _tiling_to_160(text: str) -> Counterexample:
    offsets = sorted(image(layout(text)))
    return next(({"N": n} for n in range(1, 161) if tiles(offsets, n) is not None), None)


def _refused(case: tuple[str, int]) -> Counterexample:
    """A complement where there should be none, or what is wrong with the refusal."""
    L = layout(case[0])
    try:
        return {"L": L, "got": complement(L, case[1])}
    except ComplementRefuted as refusal:
        return refusal_wrong(L, refusal)


def _non_negative() -> Iterator[Layout]:
    return (L for L in tilers() if all(d >= 0 or s == 1 for s, d in L.modes))


def _chains() -> Iterator[Layout]:
    return (L for L in _non_negative() if chain_top(L) is not None)


def _injective() -> Iterator[Layout]:
    return (L for L in _non_negative() if len(image(L)) == volume(L.shape))


def _gaps_by_trial(L: Layout) -> Layout:
    """Up the sorted strides: the gap q:top below a stride d, q = ⌊d/top⌋, wherever (L, it) stays one-to-one."""
    gaps: list[Layout] = []
    top = 1
    for s, d in sorted((mode for mode in L.modes if mode[0] > 1), key=lambda mode: mode[1]):
        candidate = Layout(d // top, top) if d // top > 1 else None
        whole = candidate and together(L, *gaps, candidate)
        if candidate and whole and len(image(whole)) == volume(whole.shape):
            gaps.append(candidate)
        top = max(top, s * d)
    return together(Layout(1, 0), *gaps)


def _partial(
    L: Layout, n: int = 20, operation: Callable[[Layout, int], Answer] = decide_partial_complement
) -> Counterexample:
    answer, found = operation(L, n), least_tiling(L, n)
    star = answer.result
    wrong = _one_to_one((L, star)) or not_ordered(star)
    if wrong:
        return {**wrong, "L*": star}
    if found is not None and tuple(table_of(star)) != found[1]:
        return {"L": L, "N": n, "L*": star, "expected": found[1], "got": table_of(star)}
    if not image(_gaps_by_trial(L)) <= image(star):
        return {"L": L, "N": n, "L*": star, "expected": f"the offsets of {_gaps_by_trial(L)}"}
    if max(image(together(L, star))) + 1 < n:
        return {"L": L, "N": n, "L*": star, "expected": f"offsets up to {n - 1}"}
    is_exact = found is not None and found[0] == n
    return None if answer.exact == is_exact else {"L": L, "N": n, "L*": star, "exact": answer.exact}


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


_TILERS = "one mode, sizes to 3, strides −1 to 3 and 5; two, sizes to 3, strides −1 to 4, 6, 8"
_SWEEP = bounded(f"{_TILERS}; N = 1, 5 or 6, and 8; Z_M to M=48")

CLAIMS: tuple[Claim, ...] = (
    *[_row(name) for name in _ROWS],
    Claim(
        "complement.coordinate-row",
        "paper §3.5, table of complements, [28]",
        "(1,1):(4e0,4e1) is a complement of (4,8):(e0,e1)",
        lambda: table({"[28]": lambda: _coordinate_row("(1,1):(4e0,4e1)")}),
        Mutant("(1,1):(3e0,8e1) is", lambda: table({"[28]": lambda: _coordinate_row("(1,1):(3e0,8e1)")})),
        given(),
        finding=Finding("4e1 is the offset of (0,4)", "complement.coordinate"),
        doubts=(5,),
    ),
    row_claim(
        "complement.coordinate",
        "ours; repairs paper §3.5, table of complements",
        "(1,1):(4e0,8e1) is a complement of (4,8):(e0,e1), at congruent coordinates too",
        {
            "[28]": on(lambda star: _coordinate_row(star, 20), "(1,1):(4e0,8e1)", "(1,1):(4e0,7e1)"),
            "ours": on(
                equals(layout("(1,1):(4e0,8e1)")),
                lambda: extended_complement(layout("(4,8):(e0,e1)")),
                lambda: extended_complement(layout("(4,7):(e0,e1)")),
            ),
        },
        "(1,1):(4e0,7e1) is",
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
        exhibit("(8,0) is admissible for the shape (2,1)", lambda: is_admissible((8, 0), (2, 1))),
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
        given("the five integer rows"),
        bounded("congruent coordinates to 48 a mode; integral ones until past the image of L"),
        doubts=(1,),
    ),
    Claim(
        "complement.one-to-one",
        "ours; what is in doubt, 7",
        "It is not so that for a one-to-one L [28] and [29] make (L, L*) one-to-one: sums of an offset of L* and one "
        "of L can meet though the images do not",
        lambda: exists(_complements(), _one_to_one, "pairs that satisfy [28] and [29], smallest L first"),
        Mutant(
            "It is not so of the extended complement",
            lambda: exists(((L, extended_complement(L)) for L, _ in _complements()), _one_to_one),
        ),
        first(_complements, lambda p: _one_to_one(p) is None, show),
        bounded("L of two modes, sizes 2 and 3, strides 1 to 5; L* = (2,1):(d,2·cosize), d to the cosize"),
        doubts=(7,),
    ),
    row_claim(
        "complement.one-to-one.instance",
        "ours; what is in doubt, 7",
        "(2,1):(4,40) satisfies [28] and [29] for (4,8):(1,5), and 4 + 1 = L(0,1)",
        {"as said": on(_padded_instance, layout("(4,8):(1,5)"), layout("(4,8):(1,8)"))},
        "So it does for (4,8):(1,8)",
        doubts=(7,),
    ),
    Claim(
        "complement.bounded",
        "ours; what is in doubt, 1 and 7",
        "The bounded complement makes (L, L*) a bijection onto Z_M, M the least size ≥ N that any set of offsets "
        "tiles, and is the only ordered one; exact says whether M = N; it is refused exactly where no set of offsets "
        "tiles, with a witness that evaluating confirms",
        lambda: for_all(tilers(), _bounded, "layouts, against every set of offsets"),
        Mutant("It makes it a bijection onto Z_N", lambda: for_all(tilers(), lambda L: _bounded(L, onto_bound=True))),
        first(
            tilers, lambda L: volume(L.shape) > 3 and chain_top(L) is not None and volume(complement(L, 8).shape) > 1
        ),
        _SWEEP,
        doubts=(1, 2, 7),
    ),
    Claim(
        "complement.refusals",
        "ours; what is in doubt, 2",
        "A refused complement names a negative offset, two coordinates of one offset, or the least offset whose shift, "
        "forced by those before it, meets one of them",
        lambda: for_all((L for L in tilers() if chain_top(L) is None), _bounded, "refusals, against plain evaluation"),
        Mutant(
            "The offset that it names may as well be 0",
            lambda: for_all((L for L in tilers() if chain_top(L) is None), lambda L: _bounded(L, refused=_at_zero)),
        ),
        first(tilers, lambda L: chain_top(L) is None and _first_forced_collision(L) == (2, 3)),
        _SWEEP,
        doubts=(2,),
    ),
    Claim(
        "complement.f2",
        "ours; paper §3.5 with §2.3",
        "Over F₂ the bounded complement makes (L, L*) a bijection onto F₂^m, 2^m the least that holds N and every "
        "offset of L, and is refused exactly where L is not one-to-one",
        lambda: for_all(_over_f2(), _f2_bounded, "layouts, at every pair of offsets"),
        Mutant("So does the layout 1:0", lambda: for_all(_over_f2(), lambda L: _f2_bounded(L, _nothing))),
        first(_over_f2, lambda L: len(image(L)) == volume(L.shape) == 8),
        bounded("one and two modes, sizes 2 and 4, strides f0 to f7 and f0 to f6; N = 1, 4, 9"),
        doubts=(6,),
    ),
    Claim(
        "complement.every-tiler-tiles",
        "ours; what is in doubt, 2",
        "It is not so that every one-to-one tiler B ≥ 0 has a set of offsets that completes it to a bijection onto "
        "some Z_N: some leave an offset that no shift reaches without a collision",
        lambda: denied(_smallest_non_tiling()),
        Mutant("It is not so of those whose strides form a divisor chain", lambda: denied(_smallest_non_tiling(True))),
        exhibit("(2,2):(1,2) with {0} tiles Z_4", lambda: tiles(sorted(image(layout("(2,2):(1,2)"))), 4) == (0,)),
        bounded("two modes, sizes to 3, strides 1 to 12"),
        doubts=(2,),
    ),
    Claim(
        "complement.chain",
        "ours; what is in doubt, 2",
        "A set of offsets completes B to a bijection onto some Z_M iff B's strides are positive and, sorted, form a "
        "divisor chain sᵢdᵢ | dᵢ₊₁; the least M ≥ N is then top·⌈N/top⌉",
        lambda: for_all(tilers(), _chain_criterion, "layouts, against every set of offsets"),
        Mutant("Iff sᵢdᵢ ≤ dᵢ₊₁", lambda: for_all(tilers(), lambda L: _chain_criterion(L, _loose_top))),
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
        exhibit("8:3 with 3:1 onto Z_24", lambda: bijection_wrong(together(layout("8:3"), layout("3:1")), 24) is None),
        rank_at_most(1),
        doubts=(1, 2),
    ),
    row_claim(
        "complement.padded-tiles-nothing",
        "ours; paper §3.5, the row (4,8):(1,5)",
        "(4,8):(1,5) has a complement in the sense of [28], and no set of offsets completes it to a bijection onto any "
        "Z_N to N=160",
        {
            "no set": on(_tiling_to_160, "(4,8):(1,5)", "(4,8):(1,8)"),
            "ours refuses": on(_refused, ("(4,8):(1,5)", 160), ("(4,8):(1,8)", 160)),
        },
        "No set completes (4,8):(1,8), and ours refuses it",
        doubts=(1, 2),
    ),
    Claim(
        "complement.extended",
        "paper §3.5, [28] [29]",
        "The extended complement satisfies [28] and [29] at every integral coordinate, for broadcasts and gaps too; "
        "exact says whether its shifts of L reach every offset",
        lambda: for_all(_non_negative(), _extended, "layouts, to thrice the size of L*"),
        Mutant(
            "So does the bounded complement, evaluated past its end",
            lambda: for_all(_chains(), lambda L: _extended(L, _bounded_by_8)),
        ),
        first(_non_negative, lambda L: 0 in [d for _, d in L.modes] and volume(extended_complement(L).shape) > 1),
        bounded(f"those without negative offsets of: {_TILERS}; L* to thrice its size"),
        doubts=(1,),
    ),
    Claim(
        "complement.partial",
        "ours; paper §3.5",
        "Where L is one-to-one the partial complement keeps (L, L*) so, is the bounded one where that exists, fills "
        "each gap below a stride that can be filled whole, reaches N, and is exact only where it tiles N",
        lambda: for_all(_injective(), _partial, "layouts, against every set of offsets and every gap"),
        Mutant(
            "So does ⌈N/cosize⌉ shifts by the cosize", lambda: for_all(_injective(), lambda L: _partial(L, 20, _no_gap))
        ),
        first(_non_negative, lambda L: chain_top(L) is None and len(image(L)) == volume(L.shape)),
        bounded(f"the one-to-one ones without negative offsets of: {_TILERS}; N=20"),
        doubts=(7,),
    ),
    Claim(
        "complement.two-readings-differ",
        "ours; what is in doubt, 1",
        "Some bounded complement breaks [28] past its end",
        lambda: exists(_chains(), lambda L: _extended(L, _bounded_by_8), "layouts, smallest first"),
        Mutant("Some extended complement does", lambda: exists(_chains(), _extended)),
        first(_chains, lambda L: volume(complement(L, 8).shape) > 1),
        bounded(f"those without negative offsets of: {_TILERS}; L* to thrice its size"),
        doubts=(1,),
    ),
)
