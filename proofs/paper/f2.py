"""Section 2.3: F₂ as an integer-semimodule, swizzles, and what is linear over F₂."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ...model.errors import CompositionRefuted, InputError
from ...model.layout import Layout
from ...model.semimodule import F2
from ...model.swizzle import Swizzle
from ..claim import Claim, Counterexample, Finding, Mutant, Outcome, for_all, proved, refuted, table
from ..definitions import composition_missing, composition_wrong, flat_layouts, is_layout, table_of, volume
from ..verdict import bounded
from .rows import by_solver, compose, exhibit, first, row_claim, smt

WIDTH = 4  # bits of the scales in the solver's questions

# The axioms [2.16], with scaling by the carry-less product, as bit-vectors


def _axiom(power_of_two: bool = False, element: int | None = None) -> Outcome:
    """a·(b·m) = (ab)·m for a, b below 2^WIDTH and m below 2^WIDTH, all of them bit-vectors wide enough."""
    from ...smt.layouts import VERSION, Question, Stopwatch, carry_less, some

    watch = Stopwatch()
    q = Question(20_000, bits=4 * WIDTH)
    a, b, m = (q.unknown(name, 1, 2**WIDTH - 1) for name in "abm")
    if power_of_two:
        q.know(some(*[b == 1 << k for k in range(WIDTH)]))
    if element is not None:
        q.know(m == element)
    left, right = carry_less(a, carry_less(b, m, WIDTH), WIDTH), carry_less(a * b, m, 2 * WIDTH)
    model = q.smallest([a + b + m, a], left != right)
    evidence = smt("a·(b·m) against (ab)·m", VERSION, watch.ms)
    if model is None:
        return proved(evidence)
    a_, b_, m_ = model["a"], model["b"], model["m"]
    if F2(m_) * b_ * a_ == F2(m_) * (a_ * b_):
        raise AssertionError(f"the solver's {model} is no counterexample")
    return refuted({**model, "a·(b·m)": F2(m_) * b_ * a_, "(ab)·m": F2(m_) * (a_ * b_)}, evidence)


def _other_axioms(is_in_scale: bool = False) -> Outcome:
    """Associative +, 1·m = m, a·(m+n) = a·m + a·n; the mutant asks for (a+b)·m = a·m + b·m."""
    from ...smt.layouts import VERSION, Question, Stopwatch, carry_less

    watch = Stopwatch()

    def ask(build: Callable[[Any, Any, Any, Any], Any]) -> Counterexample:
        q = Question(bits=4 * WIDTH)
        a, b, m, n = (q.unknown(name, 0, 2**WIDTH - 1) for name in "abmn")
        return q.find(build(a, b, m, n))

    obligations: dict[str, Callable[[], Counterexample]] = {
        "(m+n)+a = m+(n+a)": lambda: ask(lambda a, b, m, n: (m ^ n) ^ a != m ^ (n ^ a)),
        "a·(m+n) = a·m + a·n": lambda: ask(
            lambda a, b, m, n: carry_less(a, m ^ n, WIDTH) != carry_less(a, m, WIDTH) ^ carry_less(a, n, WIDTH)
        ),
        "0·m = 0": lambda: ask(lambda a, b, m, n: carry_less(a & 0, m, WIDTH) != 0),
    }
    if is_in_scale:
        obligations["(a+b)·m = a·m + b·m"] = lambda: ask(
            lambda a, b, m, n: carry_less(a + b, m, WIDTH + 1) != carry_less(a, m, WIDTH) ^ carry_less(b, m, WIDTH)
        )
    return by_solver(obligations, VERSION, lambda: watch.ms)


def _ours(case: tuple[int, int]) -> Counterexample:
    """The model's product against the sum of shifted copies."""
    a, m = case
    wanted = 0
    for k in range(a.bit_length()):
        wanted ^= (m << k) * (a >> k & 1)
    return None if F2(m) * a == F2(wanted) and a * F2(m) == F2(wanted) else {"a": a, "m": m, "expected": F2(wanted)}


# Scaling by parity: F₂ with XOR and AND, as the paper names it


def _parity(scale: int, m: int) -> int:
    return m if scale % 2 else 0


def _parity_axioms(case: tuple[int, int, int]) -> Counterexample:
    a, b, m = case
    holds = (
        _parity(a, _parity(b, m)) == _parity(a * b, m)
        and _parity(1, m) == m
        and _parity(a + b, m) == _parity(a, m) ^ _parity(b, m)
    )
    return None if holds else {"a": a, "b": b, "m": m}


def _carry_less_axioms(case: tuple[int, int, int]) -> Counterexample:
    a, b, m = case
    got, expected = F2(m) * b * a, F2(m) * (a * b)
    return None if got == expected else {"a": a, "b": b, "m": m, "expected": expected, "got": got}


def _row_by_parity(scaled: Callable[[int, int], int]) -> Counterexample:
    """(8,8):(f1,f9) after ((4,8),2):((16,1),8) is ((4,8),2):((f18,f1),f9), with this scaling throughout."""
    for t in range(32):
        for v in range(2):
            place = 16 * (t % 4) + t // 4 + 8 * v
            whole = scaled(place % 8, 1) ^ scaled(place // 8, 9)
            row = scaled(t % 4, 18) ^ scaled(t // 4, 1) ^ scaled(v, 9)
            if whole != row:
                return {"coordinate": (t, v), "expected": F2(whole), "got": F2(row)}
    return None


def _keeps_apart(scaled: Callable[[int, int], int]) -> Counterexample:
    """The 4×12 example of §2.4 is one-to-one."""
    seen: dict[int, int] = {}
    for i in range(48):
        x = scaled(i % 4, 1) ^ scaled(i // 4 % 4, 5) ^ scaled(i // 16, 16)
        if x in seen:
            return {"kind": "collision", "coordinate": i, "other": seen[x], "offset": F2(x)}
        seen[x] = i
    return None


def _carry_less(scale: int, m: int) -> int:
    return (F2(m) * scale).bits


# Layouts over F₂


def _power_of_two() -> Iterator[Layout]:
    yield from flat_layouts(2, (2, 4), [F2(b) for b in range(8)])


def _is_linear(L: Layout) -> Counterexample:
    for i, j in product(range(volume(L.shape)), repeat=2):
        if L(i ^ j) != L(i) + L(j):
            return {"layout": L, "indices": (i, j), "expected": L(i) + L(j), "got": L(i ^ j)}
    return None


def _any_size() -> Iterator[Layout]:
    yield from flat_layouts(2, (2, 3, 4), [F2(b) for b in (0, 1, 2, 3, 5)])


def by_longest_run(values: list[Any]) -> bool:
    """The rule of the longest run (composition.longest-run), taken to F₂."""
    while len(values) > 1:
        n = len(values)
        m = next((i for i in range(n) if values[i] != values[1] * i), n)
        if n % m or any(values[j + i] != values[1] * i + values[j] for j in range(0, n, m) for i in range(m)):
            return False
        values = values[::m]
    return True


def _tables(sizes: tuple[int, ...]) -> Iterator[list[Any]]:
    for L in flat_layouts(2, sizes, [F2(b) for b in range(1, 8)]):
        yield table_of(L)
    for n in sizes:
        for bits in product(range(4), repeat=n - 1):
            yield [F2(0), *map(F2, bits)]


def _run_rule(values: list[Any]) -> Counterexample:
    if by_longest_run(values) != is_layout(values):
        return {"values": values, "is a layout": is_layout(values), "rule": by_longest_run(values)}
    return None


def _compositions() -> Iterator[tuple[Layout, Layout]]:
    firsts = [
        *flat_layouts(2, (2, 4), [F2(b) for b in (0, 1, 2, 3, 6)]),
        Layout((3, 2), (F2(1), F2(3))),
        Layout((3, 4), (F2(5), F2(2))),
    ]
    seconds = [*flat_layouts(1, (2, 3, 4, 6), (0, 1, 2, 3)), *flat_layouts(2, (2, 3), (1, 2, 4))]
    return product(firsts, seconds)


def _composed(pair: tuple[Layout, Layout]) -> Counterexample:
    a, b = pair
    missing = composition_missing(a, b)
    try:
        r = compose(a, b)
    except CompositionRefuted as refusal:
        return None if missing else {"A": a, "B": b, "got": refusal.reason, "expected": "a layout"}
    wrong = missing or composition_wrong(r, a, b)
    return wrong and {"A": a, "B": b, "R": r, **wrong}


def _by_leaves(pair: tuple[Layout, Layout]) -> Counterexample:
    missing = composition_missing(*pair)
    return {"A": pair[0], "B": pair[1], **missing} if missing and missing["kind"] == "sum" else None


# Swizzles


def _swizzles() -> Iterator[Swizzle]:
    for bits, base, shift in product(range(4), range(3), range(-4, 5)):
        if shift or not bits:
            yield Swizzle(bits, base, shift)


def _as_layout(S: Swizzle) -> Counterexample:
    L = S.as_layout()
    for x in range(1 << S.period_bits):
        got = L(x)
        if got != F2(S(x)) if S(x) else got:
            return {"swizzle": S, "layout": L, "index": x, "expected": F2(S(x)), "got": got}
    return None


def _wrong_sign(S: Swizzle) -> Counterexample:
    other = Swizzle(S.bits, S.base, -S.shift)
    bad = next((x for x in range(1 << S.period_bits) if S(x) != other(x)), None)
    return None if bad is None else {"swizzle": S, "index": bad, "expected": S(bad), "got": other(bad)}


def _bit_vector_swizzle(width: int, what: str) -> Outcome:
    """x ↦ x XOR ((x AND Y) >> S) and its mirror, for every B, M, S and x that fit in ``width`` bits."""
    from ...smt.layouts import VERSION, Question, Stopwatch, every, shift_down

    watch = Stopwatch()

    def ask(up: bool) -> Counterexample:
        q = Question(20_000, bits=width)
        bits, base, shift = q.unknown("B", 1, width // 2), q.unknown("M", 0, width // 2), q.unknown("S", 1, width // 2)
        q.know(bits + base + shift < width - 1)
        x = q.unknown("x", 0, 2 ** (width - 1) - 1)
        one = q.constant(1)
        mask = ((one << bits) - 1) << (base if up else base + shift)
        block = one << (bits + base + shift)

        def swizzle(y: Any) -> Any:
            read = y & mask
            return y ^ (read << shift if up else shift_down(read, shift))

        if what == "block":
            return q.find(shift_down(swizzle(x), bits + base + shift) != shift_down(x, bits + base + shift))
        if what == "one-to-one":
            y = q.unknown("y", 0, 2 ** (width - 1) - 1)
            return q.find(every(x != y, swizzle(x) == swizzle(y)))
        if what == "involution":
            q.know(shift >= bits)
        q.know(x < block)
        return q.find(swizzle(swizzle(x)) != x)

    return by_solver({"S > 0": lambda: ask(False), "S < 0": lambda: ask(True)}, VERSION, lambda: watch.ms)


def _inverse(S: Swizzle) -> Counterexample:
    for x in range(1 << S.period_bits):
        if S.inverse_at(S(x)) != x:
            return {"swizzle": S, "index": x, "got": S.inverse_at(S(x))}
    return None


def _self_inverse(S: Swizzle) -> Counterexample:
    bad = next((x for x in range(1 << S.period_bits) if S(S(x)) != x), None)
    return None if (bad is None) == S.is_involution else {"swizzle": S, "index": bad}


def _always_self_inverse(S: Swizzle) -> Counterexample:
    bad = next((x for x in range(1 << S.period_bits) if S(S(x)) != x), None)
    return None if bad is None else {"swizzle": S, "index": bad, "expected": bad, "got": S(S(bad))}


def _clears(bits: int, base: int) -> Counterexample:
    """x XOR (x AND Y) with S = 0 sends 2^M, and 0, to 0."""
    mask = ((1 << bits) - 1) << base
    x = 1 << base
    return None if x ^ (x & mask) != 0 else {"kind": "collision", "coordinate": x, "other": 0, "offset": 0}


def _refuses_shift_zero() -> Counterexample:
    try:
        return {"got": Swizzle(2, 1, 0)}
    except InputError:
        return None


def _scales_alike(a: int, b: int, bits: int) -> str | None:
    """Three elements at which a·(b·m) and (ab)·m are the same."""
    once = (a * b) * F2(bits)
    return f"a={a}, b={b}, m=f{bits}: both sides are {once}" if a * (b * F2(bits)) == once else None


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "f2.semimodule.scaling",
        "paper §2.3, [2.16]",
        "F₂ with the scaling of the examples (2·f9 = f18) satisfies a·(b·m) = (ab)·m",
        _axiom,
        Mutant("It satisfies it for m = f1", lambda: _axiom(element=1)),
        lambda: _scales_alike(2, 2, 9),
        bounded(f"scales and elements below 2^{WIDTH}"),
        finding=Finding(
            "the product of integers carries, the carry-less one does not", "f2.semimodule.scaling-repaired"
        ),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.scaling-repaired",
        "ours; repairs paper §2.3, [2.16]",
        "It satisfies a·(b·m) = (ab)·m where b is a power of two",
        lambda: _axiom(power_of_two=True),
        Mutant("It does where b is any", _axiom),
        lambda: _scales_alike(3, 2, 5),
        bounded(f"scales and elements below 2^{WIDTH}"),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.other-axioms",
        "paper §2.3, [2.16]",
        "Addition is associative, and scaling by one integer is additive",
        lambda: _other_axioms(),
        Mutant("Scaling of one element is additive in the scale", lambda: _other_axioms(True)),
        exhibit("f5 + f3 = f6"),
        bounded(f"scales and elements below 2^{WIDTH}"),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.product",
        "paper §2.3, the examples' strides",
        "2·f9 = f18 and 3·f5 = f15: scaling is the carry-less product, in veritile too",
        lambda: for_all(product(range(32), range(32)), _ours, "products"),
        Mutant(
            "Scaling multiplies the bits as an integer",
            lambda: for_all(
                product(range(8), range(8)),
                lambda c: (
                    None if F2(c[1]) * c[0] == F2(c[0] * c[1]) else {"a": c[0], "m": c[1], "got": F2(c[1]) * c[0]}
                ),
            ),
        ),
        exhibit("2·f9 = f18"),
        bounded("scales and elements below 32"),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.parity",
        "paper §2.3, F₂ with XOR and AND",
        "With scaling by AND (a·m = (a mod 2)·m) all axioms of [2.16] hold",
        lambda: for_all(product(range(8), repeat=3), _parity_axioms, "triples"),
        Mutant("With the carry-less product they do", lambda: for_all(product(range(8), repeat=3), _carry_less_axioms)),
        exhibit("3·(3·f1) = f1 = 9·f1"),
        bounded("scales and elements below 8"),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.parity-rows",
        "paper §2.3 with §2.4 and §3.3.4",
        "The paper's F₂ rows hold with that scaling",
        lambda: table(
            {
                "the swizzled 4×12 example": lambda: _keeps_apart(_parity),
                "the swizzled partitioning": lambda: _row_by_parity(_parity),
            }
        ),
        Mutant(
            "They hold where every scale but 0 counts as 1",
            lambda: table({"4×12": lambda: _keeps_apart(lambda a, m: m if a else 0)}),
        ),
        exhibit("(4,(4,3)):(f1,(f5,f16))"),
        finding=Finding("2·f9 is 0 then, and rows of tables collapse", "f2.semimodule.carry-less-rows"),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.carry-less-rows",
        "ours; repairs paper §2.3",
        "They hold with the carry-less product",
        lambda: table(
            {
                "the swizzled 4×12 example": lambda: _keeps_apart(_carry_less),
                "the swizzled partitioning": lambda: _row_by_parity(_carry_less),
            }
        ),
        Mutant("They hold with the parity", lambda: table({"4×12": lambda: _keeps_apart(_parity)})),
        exhibit("(8,8):(f1,f9) after ((4,8),2):((16,1),8)"),
        doubts=(6,),
    ),
    Claim(
        "f2.linear",
        "paper §2.4.4",
        "A layout over F₂ whose sizes are powers of two is linear in the bits of its index: L(i XOR j) = L(i) + L(j)",
        lambda: for_all(_power_of_two(), _is_linear, "layouts, at all pairs"),
        Mutant("Whatever its sizes are", lambda: for_all(_any_size(), _linear_where_defined)),
        first(_power_of_two, lambda L: len(set(table_of(L))) == 4),
        bounded("rank 2, sizes 2 and 4, strides f0 to f7"),
        doubts=(6,),
    ),
    Claim(
        "f2.longest-run",
        "ours; what is in doubt, 6",
        "The rule of the longest run decides which tables over F₂ are layouts, as over the integers",
        lambda: for_all(_tables((2, 3, 4)), _run_rule, "tables, against every factorisation"),
        Mutant(
            "A table of integers is a layout iff its longest run is all of it",
            lambda: for_all(
                _tables((2, 4)),
                lambda v: None if is_layout(v) == all(x == v[1] * i for i, x in enumerate(v)) else {"values": v},
            ),
        ),
        first(lambda: _tables((2, 3, 4)), is_layout),
        bounded("tables of all layouts of rank 2, sizes 2 to 4, strides f1 to f7; all tables of 2 to 4 values to f3"),
        finding=Finding("f(m) = m·f(1) can go on past the mode: (3,2):(f1,f3) runs to 4", "f2.longest-run-repaired"),
        doubts=(6,),
    ),
    Claim(
        "f2.longest-run-repaired",
        "ours; what is in doubt, 6",
        "It does for tables whose size is a power of two",
        lambda: for_all(_tables((2, 4)), _run_rule, "tables, against every factorisation"),
        Mutant("It does for tables of 6", lambda: for_all(_tables((2, 3)), _run_rule)),
        first(lambda: _tables((2, 4)), lambda v: len(v) == 8),
        bounded("tables of all layouts of rank 2, sizes 2 and 4, strides f1 to f7; all tables of 2 and 4 values to f3"),
        doubts=(6,),
    ),
    Claim(
        "f2.composition",
        "ours; paper §3.3 with §2.3",
        "Over F₂ composition returns a layout that equals A∘B, and refuses exactly where none does, whatever the sizes",
        lambda: for_all(_compositions(), _composed, "pairs, against every factorisation"),
        Mutant("A∘B exists whenever every leaf's values are a layout", lambda: for_all(_compositions(), _by_leaves)),
        first(
            _compositions,
            lambda p: composition_missing(*p) is None and any(table_of(p[0])),
            lambda p: f"{p[0]} and {p[1]}",
        ),
        bounded("A of rank 2, sizes to 4, strides to f6; B of rank 2, sizes to 6, strides to 4"),
        doubts=(6,),
    ),
    Claim(
        "f2.swizzle.as-layout",
        "paper §2.3; CuTe's Swizzle",
        "Swizzle(B,M,S) on one period is a layout with strides in F₂",
        lambda: for_all(_swizzles(), _as_layout, "swizzles, at every offset of a period"),
        Mutant("S and −S are the same swizzle", lambda: for_all(_swizzles(), _wrong_sign)),
        exhibit("S<2,0,3> is (8,4):(f1,f9)"),
        bounded("B to 3, M to 2, |S| to 4"),
    ),
    Claim(
        "f2.swizzle.bijection",
        "ours; CuTe's Swizzle",
        "For S ≠ 0 a swizzle is one-to-one on every aligned block of 2^(M+B+|S|), to which it keeps",
        lambda: _both(_bit_vector_swizzle(16, "one-to-one"), _bit_vector_swizzle(16, "block")),
        Mutant("For S = 0 it is", lambda: for_all(product((1, 2), (0, 1)), lambda c: _clears(*c))),
        exhibit("B=3, M=4, S=3"),
        bounded("every B, M, S and offset of 16 bits"),
    ),
    Claim(
        "f2.swizzle.involution",
        "ours; CuTe's Swizzle",
        "A swizzle with |S| ≥ B is its own inverse",
        lambda: _bit_vector_swizzle(16, "involution"),
        Mutant("Every swizzle is", lambda: _bit_vector_swizzle(16, "every")),
        exhibit("B=3, M=4, S=3"),
        bounded("every B, M, S and offset of 16 bits"),
    ),
    Claim(
        "f2.swizzle.inverse",
        "ours; CuTe's Swizzle",
        "It is its own inverse only then, and inverse_at undoes it always",
        lambda: for_all(
            _swizzles(), lambda S: _inverse(S) or _self_inverse(S), "swizzles, at every offset of a period"
        ),
        Mutant("It always is", lambda: for_all(_swizzles(), _always_self_inverse)),
        exhibit("S<2,0,1> sends 2 to 3 and 3 to 2, 4 to 6, 6 to 5"),
        bounded("B to 3, M to 2, |S| to 4"),
    ),
    row_claim(
        "f2.swizzle.shift-zero",
        "ours; CuTe's Swizzle",
        "With S = 0 and B > 0 a swizzle clears bits, sends 2^M and 0 to 0, and veritile refuses it",
        {
            "collision": lambda: None if _clears(2, 1) else {"got": "one-to-one"},
            "refused": _refuses_shift_zero,
        },
        "It is one-to-one",
        lambda: _clears(2, 1),
    ),
)


def _both(*outcomes: Outcome) -> Outcome:
    bad = next((outcome for outcome in outcomes if outcome.witness is not None), None)
    evidence = tuple(one for outcome in outcomes for one in outcome.evidence)
    return bad or Outcome(outcomes[0].verdict, evidence, rows=tuple(row for o in outcomes for row in o.rows))


def _linear_where_defined(L: Layout) -> Counterexample:
    """L(i XOR j) = L(i) + L(j) wherever i XOR j is in bounds."""
    n = volume(L.shape)
    for i, j in product(range(n), repeat=2):
        if i ^ j < n and L(i ^ j) != L(i) + L(j):
            return {"layout": L, "indices": (i, j), "expected": L(i) + L(j), "got": L(i ^ j)}
    return None
