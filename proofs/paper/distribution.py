"""Section 3.3.2: distribution of composition over the modes of B, which condition (2) does not give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Any

from ...model.errors import CompositionRefuted
from ...model.layout import Layout
from ...model.notation import layout
from ...model.semimodule import E
from ..claim import Claim, Counterexample, Finding, Mutant, Outcome, for_all, proved, refuted
from ..definitions import apply, composition_missing, flat, flat_layouts, image, naturals, volume
from ..verdict import Evidence, EvidenceKind, bounded, rank_at_most
from .rows import by_solver, compose, exhibit, first, is_wrong, on, row_claim, show, smt

SIDE = 4  # sizes of B's modes that the search goes to
REACH = 8  # its sizes of A and strides of both


def not_distributed(a: Layout, b: Layout) -> Counterexample:
    """The first natural coordinate of B at which A(Σ cⱼdⱼ) ≠ Σ A(cⱼdⱼ)."""
    strides = flat(b.stride)
    for c in naturals(b.shape):
        parts = [apply(a, d * digit) for d, digit in zip(strides, flat(c), strict=True)]
        whole = apply(a, b(c))
        total = sum(parts[1:], parts[0])
        if whole != total:
            return {"coordinate": c, "expected": whole, "got": total}
    return None


def condition_two(a: Layout, b: Layout) -> bool:
    """Every basic sublayout of B satisfies [20] and [21], and their images meet in 0 alone."""
    below = [1]
    for s in flat(a.shape)[:-1]:
        below.append(below[-1] * s)
    seen: set[int] = set()
    for s, d in b.modes:
        for p in below:
            if d == 0 or (p % d and d % p) or (-(-p // d) < s and s % -(-p // d)):
                return False
        offsets = {i * d for i in range(1, s)}
        if offsets & seen:
            return False
        seen |= offsets
    return True


# The solver's search


def _search(is_disjoint: bool = True) -> Outcome:
    """Two modes A=(S₀,S₁):(D₀,D₁), B=(s₀,s₁):(d₀,d₁): condition (2), and a coordinate where the parts do not add up.

    All are unknown, within SIDE and REACH. The least A is asked for, then the least B, strides and coordinate. What
    the solver finds is checked against the definition before it is believed.
    """
    from ...smt.layouts import VERSION, Question, Stopwatch, SymbolicLayout, every, implies, read_layout, some

    watch = Stopwatch()
    # Offsets of B stay below 2·3·8, values of A and products q·S₀ below 48·8 + 8·8: twice that needs 11 bits.
    q = Question(20_000, bits=12)
    A = SymbolicLayout.unknown(q, "A", 2, sizes=(2, REACH), strides=(1, REACH))
    B = SymbolicLayout.unknown(q, "B", 2, sizes=(2, SIDE), strides=(1, REACH))
    c = [q.unknown("c0", 0, SIDE), q.unknown("c1", 0, SIDE)]
    q.know(B.inside(c))
    S0, S1 = A.shape
    for k, (s, d) in enumerate(zip(B.shape, B.stride, strict=True)):
        rho, t, delta = (q.unknown(f"{name}{k}", 1, REACH) for name in ("ρ", "t", "δ"))
        q.know(some(every(rho * d == S0, some(rho >= s, rho * t == s)), d == delta * S0))
    span = range(-SIDE + 1, SIDE)
    if is_disjoint:  # B is injective, which is more than that the images of its modes are disjoint
        for i, j in product(span, span):
            if (i, j) > (0, 0):
                both = every(B.shape[0] > abs(i), B.shape[1] > abs(j))
                q.know(implies(both, i * B.stride[0] + j * B.stride[1] != 0))
    q.know((B.shape[0] - 1) * B.stride[0] + (B.shape[1] - 1) * B.stride[1] < S0 * S1)
    whole = A.at_index(q, c[0] * B.stride[0] + c[1] * B.stride[1])
    parts = [A.at_index(q, c[k] * B.stride[k]) for k in range(2)]
    total = [sum(pair[1:], pair[0]) for pair in (A.shape, B.shape, B.stride, A.stride)]
    model = q.smallest([*total[:3], B.stride[0], total[3], c[0]], whole != parts[0] + parts[1])
    evidence = smt("the least model of condition (2) without distribution", VERSION, watch.ms)
    if model is None:
        return proved(evidence)
    a, b, where = read_layout(model, "A"), read_layout(model, "B"), (model["c0"], model["c1"])
    found = not_distributed(a, b)
    if found is None or (is_disjoint and not condition_two(a, b)):
        raise AssertionError(f"the solver's model {a}, {b} at {where} is no counterexample")
    is_injective = len(image(b)) == volume(b.shape)
    seen = {"A": a, "B": b, "is_B_injective": is_injective, **found}
    return refuted(seen, evidence, Evidence(EvidenceKind.ENUMERATION, "the model against the definition", cases=1))


# The exact condition


def carries(a: Layout, b: Layout, c: tuple[int, ...]) -> Counterexample:
    """Σ_r carry_r·(D_{r+1} − S_r·D_r) ≠ 0, with carry_r = ⌊Σⱼ (cⱼdⱼ mod P)/P⌋, P = S₀⋯S_r."""
    p, total = 1, 0
    modes = a.modes
    for r in range(len(modes) - 1):
        p *= modes[r][0]
        carry = sum(digit * d % p for digit, (_, d) in zip(c, b.modes, strict=True)) // p
        total += carry * (modes[r + 1][1] - modes[r][0] * modes[r][1])
    return {"coordinate": c, "carried": total} if total else None


def _pairs() -> Iterator[tuple[Layout, Layout]]:
    for shape in product((2, 3, 4, 6), (2, 3)):
        for stride in ((1, shape[0]), (1, shape[0] + 1), (0, 1)):
            for b in flat_layouts(2, (2, 3), range(7)):
                yield Layout(shape, stride), b
    for a in (Layout((2, 3, 2), (1, 5, 2)), Layout((3, 2, 2), (7, 8, 6))):
        for b in flat_layouts(2, (2, 3), range(7)):
            yield a, b


def _distributes_iff(pair: tuple[Layout, Layout], condition: Callable[[Layout, Layout], bool]) -> Counterexample:
    says, is_so = condition(*pair), not_distributed(*pair) is None
    return None if says == is_so else {"A": pair[0], "B": pair[1], "expected": is_so, "got": says}


def _no_carry(a: Layout, b: Layout) -> bool:
    return not any(carries(a, b, c) for c in naturals(b.shape))


def _exact(pair: tuple[Layout, Layout]) -> Counterexample:
    a, b = pair
    for c in naturals(b.shape):
        parts = sum(a(digit * d) for digit, (_, d) in zip(c, b.modes, strict=True))
        carried = carries(a, b, c)
        if a(b(c)) - parts != (carried["carried"] if carried else 0):
            return {"A": a, "B": b, "coordinate": c, "expected": a(b(c)) - parts, "got": carried}
    return None


def _carry_free(pair: tuple[Layout, Layout], is_checked: bool = True) -> Counterexample:
    """At the top corner no remainders reach a prefix product: then nowhere, and A distributes."""
    a, b = pair
    for r in range(1, len(a.modes)):
        p = prod(s for s, _ in a.modes[:r])
        if is_checked and sum((s - 1) * (d % p) for s, d in b.modes) >= p:
            return None
    wrong = not_distributed(a, b)
    return wrong and {"A": a, "B": b, **wrong}


def _carry_law(is_exact: bool = True) -> Outcome:
    """A(x+y) = A(x) + A(y) + carry·(D₁ − S₀·D₀), with the carry of x mod S₀ + y mod S₀."""
    from ...smt.layouts import VERSION, Question, Stopwatch, some

    watch = Stopwatch()

    def unique() -> Counterexample:
        q = Question()
        n, r, left = q.unknown("n", 1), q.unknown("r", 0), q.unknown("q")
        q.know(r < n)
        quotient, rest = q.divide(r + n * left, n)
        return q.refute(quotient != left) or q.refute(rest != r)

    def split(carry: int) -> Counterexample:
        """The quotient and remainder of x+y, stated: they sum up to it, and the remainder is one."""
        q = Question()
        S0, qx, qy, rx, ry = (
            q.unknown("S0", 1),
            q.unknown("qx"),
            q.unknown("qy"),
            q.unknown("rx", 0),
            q.unknown("ry", 0),
        )
        q.know(rx < S0, ry < S0, rx + ry >= S0 if carry else rx + ry < S0)
        rest = rx + ry - carry * S0
        return q.refute((qx + qy + carry) * S0 + rest != (qx * S0 + rx) + (qy * S0 + ry)) or q.refute(
            some(rest < 0, rest >= S0)
        )

    def value(carry: int) -> Counterexample:
        q = Question()
        limits = () if is_exact else (0, 8)  # to find a model of what is false
        names = [q.unknown(name, *limits) for name in ("S0", "D0", "D1", "qx", "qy", "rx", "ry")]
        S0, D0, D1, qx, qy, rx, ry = names
        whole = (rx + ry - carry * S0) * D0 + (qx + qy + carry) * D1
        parts = (rx * D0 + qx * D1) + (ry * D0 + qy * D1)
        return q.refute(whole != parts + (carry * (D1 - S0 * D0) if is_exact else 0))

    obligations: dict[str, Callable[[], Counterexample]] = {"division is unique": unique}
    for carry in (0, 1):
        said = "with a carry" if carry else "without a carry"
        obligations[f"quotient and remainder {said}"] = partial(split, carry)
        obligations[f"value {said}"] = partial(value, carry)
    return by_solver(obligations, VERSION, lambda: watch.ms)


def _compact(shift: int = 0) -> Iterator[tuple[Layout, Layout]]:
    """Pairs of which A has two modes and D₁ = S₀·D₀ + shift."""
    for a, b in _pairs():
        if len(a.modes) == 2 and a.stride[1] == a.shape[0] * a.stride[0] + shift:
            yield a, b


# Condition (1)


def _congruent_codomain() -> Iterator[tuple[Layout, Layout]]:
    shapes = [((2, 3), 4), (3, (2, 2)), (4, 3)]
    for shape in shapes:
        a = Layout(shape, _strides(shape))
        for p, q, r, s in product(range(3), repeat=4):
            yield a, Layout((3, 2), (p * E(0) + q * E(1), r * E(0) + s * E(1)))


def _flat_only(pair: tuple[Layout, Layout]) -> bool:
    return not any(isinstance(mode, tuple) for mode in pair[0].shape)


def _strides(shape: Any) -> Any:
    values = iter((7, 1, 100, 31))

    def build(s: Any) -> Any:
        return tuple(map(build, s)) if isinstance(s, tuple) else next(values)

    return build(shape)


def _distributes(pair: tuple[Layout, Layout]) -> Counterexample:
    wrong = not_distributed(*pair)
    return wrong and {"A": pair[0], "B": pair[1], **wrong}


def _values(text: str) -> Counterexample:
    a, b = layout(text), layout("(3,2):(2,3)")
    said = (condition_two(a, b), len(image(b)), a(b((2, 1))), a(4) + a(3))
    return None if said == (True, 6, 8, 7) else {"condition, |image|, A(B(2,1)), sum": said}


def _refused(text: str) -> Counterexample:
    a, b = layout(text), layout("(3,2):(2,3)")
    try:
        return {"got": compose(a, b)}
    except CompositionRefuted as refusal:
        values = refusal.witness.values if refusal.witness else {}
        return None if (values.get("expected"), values.get("got")) == (8, 7) else {"got": values}


_PAIRS = "A=(S₀,S₁), S₀ 2, 3, 4, 6, S₁ 2, 3, with the strides (1,S₀), (1,S₀+1), (0,1)"
_OF_B = "B of two modes, sizes 2 and 3, strides 0 to 6"
_BOUND = bounded(f"{_PAIRS}, and (2,3,2):(1,5,2), (3,2,2):(7,8,6); {_OF_B}")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "composition.distribution.congruent",
        "paper §3.3.2, condition (1)",
        "Where B's codomain is congruent with A's shape, A∘(B₀,B₁) = (A∘B₀,A∘B₁)",
        lambda: for_all(filter(_flat_only, _congruent_codomain()), _distributes, "pairs, at every coordinate"),
        Mutant(
            "The same where it is weakly congruent with A's shape", lambda: for_all(_congruent_codomain(), _distributes)
        ),
        first(_congruent_codomain, _flat_only, show),
        bounded("A=(4,3):(7,1); B=(3,2) with every stride pe₀+qe₁, p and q to 2"),
        doubts=(3,),
    ),
    Claim(
        "composition.distribution.condition-two",
        "paper §3.3.2, condition (2)",
        "Where every basic sublayout of B satisfies [20] and [21] and their images are disjoint, "
        "A∘(B₀,B₁) = (A∘B₀,A∘B₁)",
        _search,
        Mutant("The same without disjoint images", lambda: _search(is_disjoint=False)),
        first(_pairs, lambda pair: condition_two(*pair) and not_distributed(*pair) is None, show),
        bounded(f"two modes each, sizes of B 2 to {SIDE}, sizes of A 2 to {REACH}, strides 1 to {REACH}"),
        finding=Finding(
            "the remainders of two modes can add up past a prefix product of A: a carry",
            "composition.distribution.exact",
        ),
        doubts=(3,),
    ),
    row_claim(
        "composition.distribution.instance",
        "ours; what is in doubt, 3",
        "(6,2):(1,7) and (3,2):(2,3) satisfy condition (2), B is injective, A(B(2,1)) = 8, the parts add up to 7, "
        "and no layout is A∘B",
        {
            "values": on(_values, "(6,2):(1,7)", "(6,2):(1,6)"),
            "no layout": on(
                is_wrong(composition_missing, "a composition exists"),
                (layout("(6,2):(1,7)"), layout("(3,2):(2,3)")),
                (layout("(6,2):(1,6)"), layout("(3,2):(2,3)")),
            ),
            "ours refuses with these values": on(_refused, "(6,2):(1,7)", "(6,2):(1,8)"),
        },
        "(6,2):(1,6) does, no layout is (6,2):(1,6) after it, and (6,2):(1,8) is refused with them",
        doubts=(3,),
    ),
    Claim(
        "composition.distribution.exact",
        "ours; repairs paper §3.3.2, condition (2)",
        "A(Σcⱼdⱼ) − ΣA(cⱼdⱼ) = Σ_r carry_r·(D_{r+1} − S_r·D_r): A distributes over B iff this is 0 on Z(B)",
        lambda: for_all(_pairs(), lambda p: _exact(p) or _distributes_iff(p, _no_carry), "pairs, at every coordinate"),
        Mutant(
            "It does iff condition (2) holds",
            lambda: for_all(_pairs(), lambda p: _exact(p) or _distributes_iff(p, condition_two)),
        ),
        first(_pairs, lambda pair: not_distributed(*pair) is not None, show),
        _BOUND,
        doubts=(3,),
    ),
    Claim(
        "composition.distribution.carry-law",
        "ours; repairs paper §3.3.2, condition (2)",
        "A(x+y) = A(x) + A(y) + carry·(D₁ − S₀·D₀), the carry being 1 iff x mod S₀ + y mod S₀ ≥ S₀",
        _carry_law,
        Mutant("A(x+y) = A(x) + A(y)", lambda: _carry_law(False)),
        exhibit(
            "(6,2):(1,7) with x=4, y=3: 8 = 4 + 3 + (7 − 6·1)",
            lambda: layout("(6,2):(1,7)")(4 + 3) == 8 == layout("(6,2):(1,7)")(4) + layout("(6,2):(1,7)")(3) + (7 - 6),
        ),
        rank_at_most(2, "every integer x and y"),
        doubts=(3,),
    ),
    Claim(
        "composition.distribution.carry-free",
        "ours; repairs paper §3.3.2, condition (2)",
        "Where Σⱼ(sⱼ−1)·(dⱼ mod P) < P for every prefix product P of A, A distributes over B's modes",
        lambda: for_all(_pairs(), _carry_free, "pairs, at every coordinate"),
        Mutant("It always does", lambda: for_all(_pairs(), lambda p: _carry_free(p, False))),
        first(
            _pairs, lambda p: not condition_two(*p) and _carry_free(p) is None and all(d for _, d in p[1].modes), show
        ),
        _BOUND,
        doubts=(3,),
    ),
    Claim(
        "composition.distribution.stride-zero",
        "ours; repairs paper §3.3.2, condition (2)",
        "For strides D₁ = S₀·D₀ nothing carried is lost: A distributes over every B",
        lambda: for_all(_compact(), _distributes, "pairs"),
        Mutant("It does for D₁ = S₀·D₀ + 1", lambda: for_all(_compact(1), _distributes)),
        first(_compact, lambda p: all(d % p[0].shape[0] for _, d in p[1].modes), show),
        bounded(f"those with D₁ = S₀·D₀ of: {_PAIRS}; {_OF_B}"),
        doubts=(3,),
    ),
)
