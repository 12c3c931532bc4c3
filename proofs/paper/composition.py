"""Section 3.3: composition, its conditions, identities and associativity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from ...model.coalesce import coalesce
from ...model.composition import decide_composition
from ...model.errors import CompositionRefuted
from ...model.layout import Layout
from ...model.notation import layout
from ...model.semimodule import E, Element
from ..claim import Claim, Counterexample, Mutant, Outcome, exists, for_all
from ..definitions import (
    apply,
    composition_missing,
    composition_wrong,
    differs,
    flat,
    flat_layouts,
    image,
    is_layout,
    perturbed,
    table_of,
    volume,
)
from ..verdict import bounded, rank_at_most
from .rows import by_solver, compose, equals, exhibit, first, given, is_wrong, on, ours, row_claim, same, show

# Rows


def composition_row(
    name: str, source: str, a: str, b: str, r: str, said: str = "", doubts: tuple[int, ...] = ()
) -> Claim:
    """A row A∘B = R: R against the definition, and veritile's composition against R."""
    A, B, R = layout(a), layout(b), layout(r)
    return row_claim(
        name,
        source,
        f"{a} ∘ {b} = {r}{said}",
        {
            "definition": on(lambda R: composition_wrong(R, A, B), R, lambda: perturbed(R)),
            "ours": ours(compose, R, A, B),
            "in bounds": on(
                equals(is_inside(A, B)),
                lambda: decide_composition(A, B).in_bounds,
                lambda: not decide_composition(A, B).in_bounds,
            ),
        },
        f"{a} ∘ {b} = {perturbed(R)}, and what is out of bounds is inside",
        doubts=doubts,
    )


def is_inside(a: Layout, b: Layout) -> bool:
    """Whether every offset of B is an index of A in bounds."""
    return all(0 <= x < volume(a.shape) for x in image(b))


def refusal_wrong(a: Layout, b: Layout, refusal: CompositionRefuted) -> Counterexample:
    """What a refusal's witness says against plain evaluation: A(B(c)), and another value that the parts give."""
    values = refusal.witness.values if refusal.witness else {}
    holds = "coordinate" in values and values.get("expected") == apply(a, b(values["coordinate"])) != values.get("got")
    return None if holds else {"A": a, "B": b, "witness": values}


def _violation(name: str, a: str, b: str, condition: str, source: str = "paper §3.3.3") -> Claim:
    A, B = layout(a), layout(b)

    def refused(case: tuple[Layout, Layout]) -> Counterexample:
        try:
            return {"got": compose(*case)}
        except CompositionRefuted as refusal:
            return refusal_wrong(*case, refusal)

    return row_claim(
        f"composition.violation.{name}",
        source,
        f"{a} ∘ {b} violates {condition} and not the other condition, and no layout of any factorisation equals it",
        {
            "no layout": on(is_wrong(composition_missing, "a layout exists"), (A, B), (Layout(1, 0), B)),
            "that condition alone fails": on(
                equals((condition[-4:],)), lambda: failing(A, *B.modes[0]), lambda: failing(A, 6, 12)
            ),
            "ours refuses with a true witness": on(refused, (A, B), (Layout(1, 0), B)),
        },
        f"no layout equals 1:0 after {b}, and 6:12 violates it",
        doubts=(2,),
    )


# The base case, [19] to [21]


def base_case(a: Layout, d: int, i: int) -> Element:
    """The right side of [19]: Σ_{r<R} (⌊i·d/P_r⌋ mod S_r)·D_r + ⌊i·d/P_R⌋·D_R, R the last mode."""
    total: Element = 0
    p = 1
    for r, (s, stride) in enumerate(a.modes):
        digit = i * d // p
        total = total + stride * (digit if r == len(a.modes) - 1 else digit % s)
        p *= s
    return total


def reached(a: Layout, s: int, d: int) -> list[tuple[int, int, Element]]:
    """(P_r, S_r, D_r) of the modes of A that s:d, d ≥ 1, gets to: R is the last mode with ρ_R = ⌈P_R/d⌉ < s."""
    below, p = [], 1
    for size, stride in a.modes:
        below.append((p, size, stride))
        p *= size
    last = max(r for r, (p, _, _) in enumerate(below) if r == 0 or -(-p // d) < s)
    return below[: last + 1]


def failing(a: Layout, s: int, d: int) -> tuple[str, ...]:
    """Which of stride divisibility [20] and shape divisibility [21] fail for A∘(s:d), d ≥ 1.

    >>> failing(layout("(4,6,8):(2,3,5)"), 6, 3), failing(layout("(4,6,8):(2,3,5)"), 6, 1)
    (('[20]',), ('[21]',))
    """
    modes = reached(a, s, d)
    stride = any(p % d and d % p for p, _, _ in modes)
    shape = any(s % -(-p // d) for p, _, _ in modes)
    return ("[20]",) * stride + ("[21]",) * shape


def by_conditions(a: Layout, s: int, d: int, needed: tuple[str, ...] = ("[20]", "[21]")) -> Layout | None:
    """The layout that [20] and [21] build for A∘(s:d), d ≥ 1; None where a ``needed`` one fails.

    None too where the sizes that they build are not those of s:d, though both hold.
    """
    if any(condition in needed for condition in failing(a, s, d)):
        return None
    modes = reached(a, s, d)
    sizes, strides = [], []
    for r, (p, size, stride) in enumerate(modes):
        rho, delta = -(-p // d), -(-d // p)
        sizes.append(-(-size // delta) if r < len(modes) - 1 else s // rho)
        strides.append(stride * delta)
    return Layout(tuple(sizes), tuple(strides)) if prod(sizes) == s or len(needed) < 2 else None


def _generic(rank: int, sizes: tuple[int, ...]) -> Iterator[Layout]:
    """Layouts whose strides are e₀, e₁, …: what holds of these holds of every stride, by linearity."""
    for shape in product(sizes, repeat=rank):
        yield Layout(shape, tuple(E(k) for k in range(rank)))


def _base_cases() -> Iterator[tuple[Layout, int, int]]:
    for rank in (1, 2, 3):
        for a in _generic(rank, (2, 3, 4)):
            for s, d in product(range(2, 7), range(1, 13)):
                yield a, s, d


def _formula(case: tuple[Layout, int, int], is_reduced: bool = False) -> Counterexample:
    a, s, d = case
    for i in range(s):
        index = i * d % volume(a.shape) if is_reduced else i * d
        if a(index) != base_case(a, d, i):
            return {"A": a, "B": f"{s}:{d}", "index": i, "expected": a(index), "got": base_case(a, d, i)}
    return None


def _sufficient(case: tuple[Layout, int, int], needed: tuple[str, ...] = ("[20]", "[21]")) -> Counterexample:
    a, s, d = case
    r = by_conditions(a, s, d, needed)
    if r is None:
        return None
    if volume(r.shape) != s:
        return {"A": a, "B": f"{s}:{d}", "R": r, "kind": "size"}
    for i in range(s):
        if r(i) != a(i * d):
            return {"A": a, "B": f"{s}:{d}", "R": r, "index": i, "expected": a(i * d), "got": r(i)}
    return None


def _coalesced() -> Iterator[tuple[Layout, int, int]]:
    """Coalesced A of three modes with a diagonal, in order of size."""
    shapes = sorted(product((2, 3, 4, 6), (2, 3, 4, 6), (2,)), key=prod)
    for shape in shapes:
        for stride in product((0, 1, 2, 7), (0, 1, 3, 8), (0, 1, 6)):
            a = Layout(shape, stride)
            if coalesce(a) != a:
                continue
            for s, d in product((3, 4), range(1, 7)):  # every function on Z_2 is a layout
                if (s - 1) * d < volume(shape):
                    yield a, s, d


def _necessary(case: tuple[Layout, int, int]) -> Counterexample:
    a, s, d = case
    if by_conditions(a, s, d) is None and is_layout([a(i * d) for i in range(s)]):
        return {"A": a, "B": f"{s}:{d}", "values": [a(i * d) for i in range(s)]}
    return None


def _one_mode() -> Iterator[tuple[Layout, int, int]]:
    for size, stride, s, d in product((2, 3, 4), (0, 1, 2, 7), (3, 4), range(1, 7)):
        yield Layout(size, stride), s, d


# Which functions are layouts: the longest run


def run_of(values: list[int]) -> int:
    """The first index m with f(m) ≠ m·f(1), or all of them."""
    return next((i for i in range(len(values)) if values[i] != i * values[1]), len(values)) if len(values) > 1 else 1


def _ruled(values: list[int], rule: Callable[[list[int]], bool] | None = None) -> Counterexample:
    said = (rule or by_longest_run)(values)
    return None if said == is_layout(values) else {"values": values, "rule": said}


def by_longest_run(values: list[int]) -> bool:
    """Whether the rule of the longest run accepts a table: f(i+m·j) = i·f(1)+f(m·j), and so on with j ↦ f(m·j)."""
    while len(values) > 1:
        n = len(values)
        m = run_of(values)
        if n % m or any(values[j + i] != i * values[1] + values[j] for j in range(0, n, m) for i in range(m)):
            return False
        values = values[::m]
    return True


def _functions() -> Iterator[list[int]]:
    for n in (1, 2, 3, 4, 6):
        for rest in product(range(5), repeat=n - 1):
            yield [0, *rest]
    for rest in product(range(3), repeat=7):
        yield [0, *rest]


# Existence, in general


def operands() -> Iterator[tuple[Layout, Layout]]:
    """A of rank 1 and 2 with B of rank 1 and 2, in bounds and not, with zero and negative strides."""
    firsts = [*flat_layouts(1, (1, 4), (1, 3)), *flat_layouts(2, (2, 3, 4), (0, 1, 2, 5)), Layout((3, 1), (1, 4))]
    seconds = [*flat_layouts(1, (2, 3, 4, 6), range(-1, 6)), *flat_layouts(2, (2, 3), (0, 1, 2, 3, 4))]
    return product(firsts, seconds)


Missing = Callable[[Layout, Layout], Counterexample]


def exact(case: tuple[Layout, Layout], missing_of: Missing = composition_missing) -> Counterexample:
    """veritile's composition against the definition: existence, values, in_bounds, and the witness of a refusal."""
    a, b = case
    missing = missing_of(a, b)
    try:
        answer = decide_composition(a, b)
    except CompositionRefuted as refusal:
        if missing is None:
            return {"A": a, "B": b, "got": refusal.reason, "expected": "a layout"}
        return refusal_wrong(a, b, refusal)
    r = answer.result
    wrong = missing or composition_wrong(r, a, b)
    if wrong:
        return {"A": a, "B": b, "R": r, **wrong}
    if answer.in_bounds != is_inside(a, b):
        return {"A": a, "B": b, "in bounds": answer.in_bounds, "offsets of B": sorted(image(b))}
    return None


def leaf_missing(a: Layout, b: Layout) -> Counterexample:
    """A leaf of B over which A is no layout; the mutant's reason for no A∘B, the only one."""
    missing = composition_missing(a, b)
    return missing if missing and missing["kind"] == "leaf" else None


def _identity(a: Layout, step: int = 1) -> Counterexample:
    flat_shape = tuple(flat(a.shape))
    rights = {
        "compact": Layout(a.shape),
        "coordinates": Layout(flat_shape, tuple(E(k) for k in range(len(flat_shape)))),
    }
    for name, right in rights.items():
        if name == "coordinates" and not isinstance(a.shape, tuple):
            continue
        got = compose(a, right)
        wrong = differs(got, a)
        if wrong:
            return {"layout": a, "identity": name, **wrong}
    left = compose(Layout(1 + max(map(abs, image(a))), step), a)
    wrong = differs(left, a)
    return wrong and {"layout": a, "identity": "left", **wrong}


# Associativity


def _triples() -> Iterator[tuple[Layout, Layout, Layout]]:
    for a in flat_layouts(2, (2, 3), (0, 1, 2, 5)):
        for b in [*flat_layouts(1, (2, 3, 4), (1, 2)), *flat_layouts(2, (2, 3), (1, 2, 3))]:
            for c in flat_layouts(1, (2, 3), (1, 2, 3)):
                yield a, b, c


def _of_one_mode() -> Iterator[tuple[Layout, Layout, Layout]]:
    for a in flat_layouts(1, (4, 6), (1, 5)):
        for b in flat_layouts(2, (2, 3), (1, 2, 3)):
            for c in flat_layouts(1, (2, 3), (1, 2, 3)):
                yield a, b, c


def _composed(a: Layout, b: Layout) -> Layout | None:
    try:
        return compose(a, b)
    except CompositionRefuted:
        return None


def _associates(case: tuple[Layout, Layout, Layout], must_exist: bool, images: bool = True) -> Counterexample:
    a, b, c = case
    if images and not (is_inside(a, b) and is_inside(b, c)):
        return None
    ab, bc = _composed(a, b), _composed(b, c)
    left = ab and _composed(ab, c)
    right = bc and _composed(a, bc)
    if left and right:
        wrong = differs(left, right)
        return wrong and {"A": a, "B": b, "C": c, "(A∘B)∘C": left, "A∘(B∘C)": right, **wrong}
    if must_exist and (left or right):
        missing = {"(A∘B)∘C": left or "none", "A∘(B∘C)": right or "none"}
        return {"A": a, "B": b, "C": c, **missing}
    return None


def _instance_of_doubt(middle: str) -> Counterexample:
    a, b, c = layout("(6,3,3):(16,9,11)"), layout(middle), layout("2:3")
    if not (is_inside(a, b) and is_inside(b, c)):
        return {"got": "the image conditions fail"}
    if composition_missing(a, b) is None:
        return {"got": "A∘B exists"}
    bc = compose(b, c)
    return composition_missing(a, bc) or composition_wrong(compose(a, bc), a, bc)


# Coordinate strides


def _along(case: tuple[Layout, int, int, int], shift: int = 0) -> Counterexample:
    a, k, s, scale = case
    values = [apply(a, E(k) * (scale * i)) for i in range(s)]
    alone = [a[(k + shift) % 2](scale * i) for i in range(s)]
    if values != alone:
        return {"A": a, "mode": k, "B": f"{s}:{scale}e{k}", "expected": alone, "got": values}
    got = _composed(a, Layout(s, E(k) * scale))
    if (got is None) != (not is_layout(alone)) or (got is not None and table_of(got) != alone):
        return {"A": a, "mode": k, "B": f"{s}:{scale}e{k}", "expected": alone, "got": got}
    return None


def _along_cases() -> Iterator[tuple[Layout, int, int, int]]:
    for text in ("(4,8):(1,4)", "(4,(4,2)):(4,(1,16))", "((2,2),(4,2)):((1,8),(2,16))", "(4,8):(1,5)"):
        for k, s, scale in product((0, 1), (2, 3, 4), (1, 2, 3)):
            yield layout(text), k, s, scale


# With unknown sizes


def _symbolic(shift: int = 0) -> Outcome:
    """Quotient and remainder are stated, and found to be those of the division, which has only one of each."""
    from ...smt.layouts import VERSION, Question, Stopwatch

    watch = Stopwatch()

    def unique() -> Counterexample:
        q = Question()
        n, r, left = q.unknown("n", 1), q.unknown("r", 0), q.unknown("q")
        q.know(r < n)
        quotient, rest = q.divide(r + n * left, n)
        return q.refute(quotient != left) or q.refute(rest != r)

    def past() -> Counterexample:
        """d = S₀·δ: i·d = (i·δ)·S₀ + 0."""
        q = Question()
        i, delta, size, D1 = q.unknown("i"), q.unknown("δ"), q.unknown("S0", 1), q.unknown("D1")
        return q.refute(i * (delta * size) != (i * delta) * size) or q.refute(
            (i * delta) * D1 + shift != i * (delta * D1)
        )

    def within() -> Counterexample:
        """S₀ = ρ·d and i = l + ρ·h with l < ρ: i·d = h·S₀ + l·d, and l·d < S₀."""
        q = Question()
        d, rho, low, high = q.unknown("d", 1), q.unknown("ρ", 1), q.unknown("l", 0), q.unknown("h", 0)
        D0, D1 = q.unknown("D0"), q.unknown("D1")
        q.know(low < rho)
        return (
            q.refute((low + rho * high) * d != high * (rho * d) + low * d)
            or q.refute(low * d >= rho * d)
            or q.refute(low * d * D0 + high * D1 != low * (d * D0) + high * D1)
        )

    obligations = {"division is unique": unique, "d a multiple of S₀": past, "d a divisor of S₀": within}
    return by_solver(obligations, VERSION, lambda: watch.ms)


_B = bounded(
    "A of two modes, sizes 2 to 4, strides 0, 1, 2, 5, of one, sizes 1 and 4, strides 1 and 3, and (3,1):(1,4); B of "
    "one mode, sizes 2, 3, 4, 6, strides −1 to 5, of two, sizes 2 and 3, strides 0 to 4; in bounds or not"
)
_T = bounded(
    "A of two modes, sizes 2 and 3, strides 0, 1, 2, 5; B of one, sizes 2 to 4, strides 1 and 2, of two, sizes 2 and "
    "3, strides 1 to 3; C of one, sizes 2 and 3, strides 1 to 3"
)
_SOURCE = "paper §3.3.2, examples"

CLAIMS: tuple[Claim, ...] = (
    composition_row(
        "composition.example.out-of-bounds", _SOURCE, "7:11", "3:4", "3:44", ", 7 and 8 being out of bounds"
    ),
    composition_row("composition.example.two-modes", _SOURCE, "7:11", "(3,5):(6,3)", "(3,5):(66,33)"),
    composition_row("composition.example.divisible", _SOURCE, "(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)"),
    composition_row(
        "composition.apparent-violation",
        "paper §3.3.3",
        "(4,2,8):(3,12,97)",
        "3:3",
        "3:9",
        ", though 3 neither divides 4 nor is divided by it",
        doubts=(2,),
    ),
    composition_row(
        "composition.diagonal",
        "ours; what is in doubt, 2",
        "(3,6,2):(7,8,6)",
        "3:4",
        "3:15",
        ": a diagonal that breaks [20] and [21]",
        doubts=(2,),
    ),
    row_claim(
        "composition.apparent-violation.steps",
        "paper §3.3.3",
        "(4,2,8):(3,12,97) coalesces to (8,8):(3,97), of which 3:3 reaches one mode: there [20] and [21] hold",
        {
            "coalesce": on(
                equals(layout("(8,8):(3,97)")),
                lambda: coalesce(layout("(4,2,8):(3,12,97)")),
                lambda: coalesce(layout("(4,2,8):(3,13,97)")),
            ),
            "before, [20] and [21] fail": on(
                equals(("[20]", "[21]")),
                lambda: failing(layout("(4,2,8):(3,12,97)"), 3, 3),
                lambda: failing(layout("(8,8):(3,97)"), 3, 3),
            ),
            "after, they give 3:9": on(
                same(layout("3:9")),
                lambda: by_conditions(layout("(8,8):(3,97)"), 3, 3) or Layout(1),
                lambda: by_conditions(layout("(4,2,8):(3,12,97)"), 3, 3) or Layout(1),
            ),
        },
        "(4,2,8):(3,13,97) coalesces to it, (8,8):(3,97) does not satisfy them, (4,2,8):(3,12,97) does as it stands",
        doubts=(2,),
    ),
    _violation("stride", "(4,6,8):(2,3,5)", "6:3", "stride divisibility [20]"),
    _violation("shape", "(4,6,8):(2,3,5)", "6:1", "shape divisibility [21]"),
    _violation("every-third", "(4,6):(2,3)", "6:3", "stride divisibility [20]", "ours; what is in doubt, 2"),
    Claim(
        "composition.base-case",
        "paper §3.3.2, [19]",
        "A(i·d) = Σ_{r<R}(⌊i·d/P_r⌋ mod S_r)·D_r + ⌊i·d/P_R⌋·D_R",
        lambda: for_all(_base_cases(), _formula, "A and s:d, at every index"),
        Mutant(
            "The same for A started again past its end", lambda: for_all(_base_cases(), lambda c: _formula(c, True))
        ),
        given("(2,3):(e0,e1) and 4:2"),
        bounded("A of one to three modes, sizes 2 to 4, every stride (e₀, e₁, e₂); s from 2 to 6, d from 1 to 12"),
    ),
    Claim(
        "composition.sufficient",
        "paper §3.3.2, [20] [21]",
        "Where stride and shape divisibility hold, the layout that they build is A∘(s:d)",
        lambda: for_all(_base_cases(), _sufficient, "A and s:d, at every index"),
        Mutant("Where stride divisibility holds", lambda: for_all(_base_cases(), lambda c: _sufficient(c, ("[20]",)))),
        first(
            _base_cases,
            lambda c: (r := by_conditions(*c)) is not None and isinstance(r.shape, tuple) and len(r) > 1,
            show,
        ),
        bounded("A of one to three modes, sizes 2 to 4, every stride (e₀, e₁, e₂); s from 2 to 6, d from 1 to 12"),
        doubts=(2,),
    ),
    Claim(
        "composition.sufficient-symbolic",
        "paper §3.3.2, [20] [21]",
        "For two modes of any sizes and strides: A∘(s:S₀δ) is s:δD₁, and A∘(s:d) with S₀=ρd is (ρ,s/ρ):(dD₀,D₁)",
        lambda: _symbolic(),
        Mutant("A∘(s:S₀δ) is one more", lambda: _symbolic(1)),
        exhibit(
            "S₀=6, d=2, ρ=3, and S₀=2, d=4, δ=2",
            lambda: (
                compose(layout("(6,4):(1,9)"), layout("6:2")) == layout("(3,2):(2,9)")
                and compose(layout("(2,9):(1,9)"), layout("3:4")) == layout("3:18")
            ),
        ),
        rank_at_most(2),
        doubts=(2,),
    ),
    Claim(
        "composition.necessary",
        "ours; what is in doubt, 2",
        "It is not so that for a coalesced A, truncated to what s:d reaches, s > 2, no layout is A∘(s:d) where [20] or "
        "[21] fails: a diagonal through the modes can be linear where neither holds",
        lambda: exists(_coalesced(), _necessary, "A and s:d, smallest A first"),
        Mutant("It is not so for an A of one mode", lambda: exists(_one_mode(), _necessary)),
        first(_coalesced, lambda c: by_conditions(*c) is None, show),
        bounded(
            "A of three modes, sizes 2, 3, 4, 6 and a last 2, strides of 0, 1, 2, 7 | 0, 1, 3, 8 | 0, 1, 6; s 3 and 4, "
            "d to 6"
        ),
        doubts=(2,),
    ),
    Claim(
        "composition.longest-run",
        "ours; one-dimensional representability",
        "A function on Z_n is a layout iff its longest linear run divides n and repeats, and what is left is a layout",
        lambda: for_all(_functions(), _ruled, "functions, against every factorisation"),
        Mutant(
            "It is one iff its longest run divides n",
            lambda: for_all(_functions(), lambda f: _ruled(f, lambda f: len(f) % run_of(f) == 0)),
        ),
        first(_functions, lambda f: len(f) == 6 and f[1] != 0 and is_layout(f) and f[5] != 5 * f[1]),
        bounded("every function with f(0)=0 on Z_n, n 1, 2, 3, 4, 6 with values 0 to 4, n=8 with values 0 to 2"),
        doubts=(2,),
    ),
    Claim(
        "composition.exact",
        "ours; paper §3.3, [3.3]",
        "A∘B exists iff every leaf's values are a layout and A adds up over the leaves; ours is it, or a true witness, "
        "and says whether B stays in bounds of A",
        lambda: for_all(operands(), exact, "pairs A, B, against every factorisation"),
        Mutant(
            "It exists whenever every leaf's values are a layout",
            lambda: for_all(operands(), lambda c: exact(c, leaf_missing)),
        ),
        first(
            operands,
            lambda c: isinstance(c[1].shape, tuple) and composition_missing(*c) is None and any(table_of(c[0])),
            show,
        ),
        _B,
        doubts=(2, 3),
    ),
    Claim(
        "composition.identities",
        "paper §3.3",
        "The compact layout and the coordinates of S are right identities, n:1 is a left one",
        lambda: for_all(flat_layouts(2, (1, 2, 3), (0, 1, 2, 5)), _identity, "layouts"),
        Mutant(
            "n:2 is a left identity",
            lambda: for_all(flat_layouts(2, (1, 2, 3), (0, 1, 2, 5)), lambda a: _identity(a, 2)),
        ),
        given("(2,3):(1,5)"),
        bounded("two modes, sizes to 3, strides 0, 1, 2, 5"),
    ),
    Claim(
        "composition.associative",
        "ours; what is in doubt, 7",
        "It is not so that where image(C)⊆Z(B) and image(B)⊆Z(A) one of (A∘B)∘C and A∘(B∘C) exists only with the other",
        lambda: exists(_triples(), lambda t: _associates(t, True), "triples, smallest first"),
        Mutant("It is not so for an A of one mode", lambda: exists(_of_one_mode(), lambda t: _associates(t, True))),
        first(_triples, lambda t: is_inside(t[0], t[1]) and is_inside(t[1], t[2]), show),
        _T,
        doubts=(7,),
    ),
    Claim(
        "composition.associative-repaired",
        "paper §3.3",
        "Under the image conditions, where all four compositions exist, (A∘B)∘C and A∘(B∘C) are one function",
        lambda: for_all(_triples(), lambda t: _associates(t, False), "triples"),
        Mutant(
            "They are without the image conditions",
            lambda: for_all(_triples(), lambda t: _associates(t, False, images=False)),
        ),
        first(
            _triples,
            lambda t: is_inside(t[0], t[1]) and is_inside(t[1], t[2]) and _composed(*t[:2]) is not None,
            show,
        ),
        _T,
        doubts=(7,),
    ),
    row_claim(
        "composition.associative.instance",
        "ours; what is in doubt, 7",
        "A=(6,3,3):(16,9,11), B=(2,3):(6,3), C=2:3: the image conditions hold, A∘(B∘C) exists, and A∘B does not",
        {"as said": on(_instance_of_doubt, "(2,3):(6,3)", "(2,3):(6,18)")},
        "So it is for B=(2,3):(6,18)",
        doubts=(7,),
    ),
    Claim(
        "composition.coordinate-strides",
        "paper §3.3.2",
        "A∘(s:a·e_i) = A_i∘(s:a)",
        lambda: for_all(_along_cases(), _along, "A, mode, size and scale"),
        Mutant("It is that of the other mode", lambda: for_all(_along_cases(), lambda c: _along(c, 1))),
        exhibit("(4,8):(1,4) and 4:2e1", lambda: apply(layout("(4,8):(1,4)"), layout("4:2e1")(3)) == layout("8:4")(6)),
        bounded("four layouts of two modes; s from 2 to 4, a to 3"),
    ),
)

__all__ = ["CLAIMS", "composition_row", "exact", "leaf_missing", "operands", "refusal_wrong"]
