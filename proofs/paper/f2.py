"""Section 2.3: F₂ as an integer-semimodule, swizzles, and what is linear over F₂."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ...model.errors import InputError
from ...model.layout import Layout
from ...model.semimodule import F2
from ...model.swizzle import Swizzle
from ..claim import Claim, Counterexample, Finding, Mutant, Outcome, exists, for_all, proved, refuted, table
from ..definitions import composition_missing, flat_layouts, is_layout, table_of, volume
from ..verdict import bounded
from .composition import exact, leaf_missing
from .rows import by_solver, exhibit, first, given, on, row_claim, smt

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


def _scaled(a: int, m: int) -> F2 | None:
    return F2(m) * a if F2(m) * a == a * F2(m) else None


def _ours(case: tuple[int, int], scaled: Callable[[int, int], F2 | None] = _scaled) -> Counterexample:
    """The model's product, from both sides, against the sum of shifted copies."""
    a, m = case
    wanted = 0
    for k in range(a.bit_length()):
        wanted ^= (m << k) * (a >> k & 1)
    got = scaled(a, m)
    return None if got == F2(wanted) else {"a": a, "m": m, "expected": F2(wanted), "got": got}


# Scaling by parity: F₂ with XOR and AND, as the paper names it


def _parity(scale: int, m: int) -> int:
    return m if scale % 2 else 0


def _axioms(case: tuple[int, int, int], scaled: Callable[[int, int], int]) -> Counterexample:
    a, b, m = case
    sides = {
        "a·(b·m), (ab)·m": (scaled(a, scaled(b, m)), scaled(a * b, m)),
        "1·m, m": (scaled(1, m), m),
        "(a+b)·m, a·m + b·m": (scaled(a + b, m), scaled(a, m) ^ scaled(b, m)),
    }
    bad = next((name for name, (left, right) in sides.items() if left != right), None)
    return None if bad is None else {"a": a, "b": b, "m": m, bad: tuple(map(F2, sides[bad]))}


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
    """L(i XOR j) = L(i) + L(j) wherever i XOR j is in bounds: everywhere for a power of two."""
    n = volume(L.shape)
    for i, j in product(range(n), repeat=2):
        if i ^ j < n and L(i ^ j) != L(i) + L(j):
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


# Swizzles


def _swizzles() -> Iterator[Swizzle]:
    for bits, base, shift in product(range(4), range(3), range(-4, 5)):
        if shift or not bits:
            yield Swizzle(bits, base, shift)


def _as_layout(S: Swizzle, sign: int = 1) -> Counterexample:
    L = Swizzle(S.bits, S.base, sign * S.shift).as_layout()
    for x in range(1 << S.period_bits):
        got = L(x)
        if got != F2(S(x)) if S(x) else got:
            return {"swizzle": S, "layout": L, "index": x, "expected": F2(S(x)), "got": got}
    return None


def _bit_vector_swizzle(what: str, width: int = 16, least: int = 1) -> Outcome:
    """x ↦ x XOR ((x AND Y) >> S) and its mirror, for every B ≥ 1, M and S with B+M+|S| ≤ width and every x < 2^width.

    ``least`` is the least |S|. Two more bits are used, so that no term is negative or overflows.
    """
    from ...smt.layouts import VERSION, Question, Stopwatch, every, shift_down

    watch = Stopwatch()

    def ask(up: bool) -> Counterexample:
        q = Question(20_000, bits=width + 2)
        bits, base, shift = q.unknown("B", 1, width), q.unknown("M", 0, width), q.unknown("S", least, width)
        q.know(bits + base + shift <= width)
        x = q.unknown("x", 0, 2**width - 1)
        one = q.constant(1)
        mask = ((one << bits) - 1) << (base if up else base + shift)

        def swizzle(y: Any) -> Any:
            read = y & mask
            return y ^ (read << shift if up else shift_down(read, shift))

        if what == "block":
            return q.find(shift_down(swizzle(x), bits + base + shift) != shift_down(x, bits + base + shift))
        if what == "one-to-one":
            y = q.unknown("y", 0, 2**width - 1)
            return q.find(every(x != y, swizzle(x) == swizzle(y)))
        if what == "involution":
            q.know(shift >= bits)
        return q.find(swizzle(swizzle(x)) != x)

    return by_solver(
        {f"{what}, S > 0": lambda: ask(False), f"{what}, S < 0": lambda: ask(True)}, VERSION, lambda: watch.ms
    )


def _inverse(S: Swizzle) -> Counterexample:
    for x in range(1 << S.period_bits):
        if S.inverse_at(S(x)) != x:
            return {"swizzle": S, "index": x, "got": S.inverse_at(S(x))}
    return None


def _self_inverse(S: Swizzle, says: bool | None = None) -> Counterexample:
    """Whether S∘S is the identity, against what ``is_involution`` says."""
    says = S.is_involution if says is None else says
    bad = next((x for x in range(1 << S.period_bits) if S(S(x)) != x), None)
    if (bad is None) == says:
        return None
    return {
        "swizzle": S,
        "index": bad,
        "expected": bad if says else "another",
        "got": bad if bad is None else S(S(bad)),
    }


def _collides(case: tuple[int, int, int]) -> Counterexample:
    """2^M and 0 have one image under x ↦ x XOR ((x AND Y) >> S), and it is 0; the witness tells the image otherwise."""
    bits, base, shift = case
    mask = ((1 << bits) - 1) << (base + shift)
    images = [x ^ ((x & mask) >> shift) for x in (0, 1 << base)]
    return None if images == [0, 0] else {"images": images}


def _refused(case: tuple[int, int, int]) -> Counterexample:
    try:
        return {"got": Swizzle(*case)}
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
        exhibit("f5 + f3 = f6", lambda: F2(5) + F2(3) == F2(6)),
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
            lambda: for_all(product(range(32), range(32)), lambda c: _ours(c, lambda a, m: F2(a * m))),
        ),
        exhibit("2·f9 = f18 and 3·f5 = f15", lambda: (2 * F2(9), 3 * F2(5)) == (F2(18), F2(15))),
        bounded("scales and elements below 32"),
        doubts=(6,),
    ),
    Claim(
        "f2.semimodule.parity",
        "paper §2.3, F₂ with XOR and AND",
        "With scaling by AND (a·m = (a mod 2)·m) all axioms of [2.16] hold",
        lambda: for_all(product(range(8), repeat=3), lambda c: _axioms(c, _parity), "triples"),
        Mutant(
            "With the carry-less product they do",
            lambda: for_all(product(range(8), repeat=3), lambda c: _axioms(c, _carry_less)),
        ),
        exhibit("3·(3·f1) = f1 = 9·f1", lambda: _parity(3, _parity(3, 1)) == 1 == _parity(9, 1)),
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
        given(),
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
        given(),
        doubts=(6,),
    ),
    Claim(
        "f2.linear",
        "paper §2.4.4",
        "A layout over F₂ whose sizes are powers of two is linear in the bits of its index: L(i XOR j) = L(i) + L(j)",
        lambda: for_all(_power_of_two(), _is_linear, "layouts, at all pairs"),
        Mutant("Whatever its sizes are", lambda: for_all(_any_size(), _is_linear)),
        first(_power_of_two, lambda L: len(set(table_of(L))) == 4),
        bounded("two modes, sizes 2 and 4, strides f0 to f7"),
        doubts=(6,),
    ),
    Claim(
        "f2.longest-run",
        "ours; what is in doubt, 6",
        "It is not so that the rule of the longest run decides which tables over F₂ are layouts, as over the integers: "
        "f(m) = m·f(1) can go on past the mode",
        lambda: exists(_tables((2, 3, 4)), _run_rule, "tables, against every factorisation"),
        Mutant("It is not so of tables whose size is a power of two", lambda: exists(_tables((2, 4)), _run_rule)),
        first(lambda: _tables((2, 3, 4)), is_layout),
        bounded(
            "tables of all layouts of two modes, sizes 2 to 4, strides f1 to f7; all tables of 2 to 4 values to f3"
        ),
        doubts=(6,),
    ),
    Claim(
        "f2.longest-run-repaired",
        "ours; what is in doubt, 6",
        "It does for tables whose size is a power of two",
        lambda: for_all(_tables((2, 4)), _run_rule, "tables, against every factorisation"),
        Mutant("It does for tables of 6", lambda: for_all(_tables((2, 3)), _run_rule)),
        first(lambda: _tables((2, 4)), lambda v: len(v) == 8),
        bounded(
            "tables of all layouts of two modes, sizes 2 and 4, strides f1 to f7; all tables of 2 and 4 values to f3"
        ),
        doubts=(6,),
    ),
    Claim(
        "f2.composition",
        "ours; paper §3.3 with §2.3",
        "Over F₂ composition returns a layout that equals A∘B, and refuses exactly where none does, whatever the "
        "sizes, with a true witness",
        lambda: for_all(_compositions(), exact, "pairs, against every factorisation"),
        Mutant(
            "A∘B exists whenever every leaf's values are a layout",
            lambda: for_all(_compositions(), lambda c: exact(c, leaf_missing)),
        ),
        first(
            _compositions,
            lambda p: composition_missing(*p) is None and any(table_of(p[0])),
            lambda p: f"{p[0]} and {p[1]}",
        ),
        bounded(
            "A of two modes, sizes 2 and 4, strides f0 to f3 and f6, (3,2):(f1,f3) and (3,4):(f5,f2); B of one mode, "
            "sizes 2, 3, 4, 6, strides 0 to 3, of two, sizes 2 and 3, strides 1, 2, 4"
        ),
        doubts=(6,),
    ),
    Claim(
        "f2.swizzle.as-layout",
        "paper §2.3; CuTe's Swizzle",
        "Swizzle(B,M,S) on one period is a layout with strides in F₂",
        lambda: for_all(_swizzles(), _as_layout, "swizzles, at every offset of a period"),
        Mutant("S and −S are the same swizzle", lambda: for_all(_swizzles(), lambda S: _as_layout(S, -1))),
        given("S<2,0,3>"),
        bounded("B to 3, M to 2, |S| to 4"),
    ),
    Claim(
        "f2.swizzle.bijection",
        "ours; CuTe's Swizzle",
        "For S ≠ 0 a swizzle is one-to-one on every aligned block of 2^(M+B+|S|), to which it keeps",
        lambda: _both(_bit_vector_swizzle("one-to-one"), _bit_vector_swizzle("block")),
        Mutant("For S = 0 too", lambda: _bit_vector_swizzle("one-to-one", least=0)),
        first(_swizzles, lambda S: S.bits == 3 and S.shift == 3),
        bounded("every B ≥ 1, M and S with B+M+|S| ≤ 16, and every offset of 16 bits"),
    ),
    Claim(
        "f2.swizzle.involution",
        "ours; CuTe's Swizzle",
        "A swizzle with |S| ≥ B is its own inverse",
        lambda: _bit_vector_swizzle("involution"),
        Mutant("Every swizzle is", lambda: _bit_vector_swizzle("every")),
        first(_swizzles, lambda S: S.shift >= S.bits == 3),
        bounded("every B ≥ 1, M and S with B+M+|S| ≤ 16, and every offset of 16 bits"),
    ),
    Claim(
        "f2.swizzle.inverse",
        "ours; CuTe's Swizzle",
        "It is its own inverse only then, and inverse_at undoes it always",
        lambda: for_all(
            _swizzles(), lambda S: _inverse(S) or _self_inverse(S), "swizzles, at every offset of a period"
        ),
        Mutant("It always is", lambda: for_all(_swizzles(), lambda S: _inverse(S) or _self_inverse(S, True))),
        first(_swizzles, lambda S: bool(S.bits) and not S.is_involution),
        bounded("B to 3, M to 2, |S| to 4"),
    ),
    row_claim(
        "f2.swizzle.shift-zero",
        "ours; CuTe's Swizzle",
        "With S = 0 and B > 0 a swizzle clears bits, sends 2^M and 0 to 0, and veritile refuses it",
        {
            "collision": on(_collides, (2, 1, 0), (2, 1, 2)),
            "refused": on(_refused, (2, 1, 0), (2, 1, 2)),
        },
        "So it does, and so does veritile, with S = 2",
    ),
)


def _both(*outcomes: Outcome) -> Outcome:
    bad = next((outcome for outcome in outcomes if outcome.witness is not None), None)
    evidence = tuple(one for outcome in outcomes for one in outcome.evidence)
    return bad or Outcome(outcomes[0].verdict, evidence, rows=tuple(row for o in outcomes for row in o.rows))
