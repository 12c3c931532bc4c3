"""Section 3.2: coalesce."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.coalesce import coalesce
from ...model.layout import Layout
from ...model.notation import layout
from ...model.semimodule import F2, Element
from ..claim import Claim, Counterexample, Mutant, Outcome, exists, for_all
from ..definitions import (
    HTuple,
    coalesce_wrong,
    differs,
    flat,
    flat_layouts,
    layouts_of,
    least_rank,
    perturbed,
    table_of,
    volume,
)
from ..verdict import bounded, rank_at_most
from .representation import nested
from .rows import Check, by_solver, equals, exhibit, first, on, row_claim


def _minimal(r: Layout, a: Layout) -> Counterexample:
    least = least_rank(a)
    return None if len(flat(r.shape)) == least else {"expected": f"rank {least}", "got": r}


def _example(name: str, a: str, r: str, profile: HTuple = None) -> Claim:
    A, R = layout(a), layout(r)
    checks: dict[str, Check] = {}
    if profile is None:
        checks["the row"] = on(lambda R: coalesce_wrong(R, A), R, lambda: perturbed(R))
        checks["least rank"] = on(
            lambda R: _minimal(R, A), R, lambda: Layout((*flat(R.shape), 1), (*flat(R.stride), 0))
        )
    else:
        for k in range(len(A)):
            checks[f"mode {k}"] = on(
                lambda r, k=k: coalesce_wrong(r, A[k]) or _minimal(r, A[k]),  # type: ignore[misc]
                lambda k=k: R[k],
                lambda k=k: perturbed(R[k]),
            )
    checks["ours is the row"] = on(equals(R), lambda: coalesce(A, profile), lambda: perturbed(coalesce(A, profile)))
    how = " by mode ⟨*,*⟩" if profile is not None else ""
    return row_claim(
        f"coalesce.example.{name}",
        "paper §3.2, [3.2]",
        f"{a} coalesces{how} to {r}: the same values, depth at most one, and no layout of less rank has them",
        checks,
        f"it coalesces{how} to {perturbed(R)}, and one more mode of size 1 leaves the rank the least",
    )


def _all() -> Iterator[Layout]:
    yield from nested((1, 2, 3), (0, 1, 2))
    yield from flat_layouts(2, (2, 3, 4), (-2, 0, 1, 2, 3, 4, 8))


def _every(a: Layout, operation: Callable[[Layout], Layout] = coalesce) -> Counterexample:
    r = operation(a)
    wrong = coalesce_wrong(r, a) or _minimal(r, a)
    return wrong and {"layout": a, "result": r, **wrong}


def _without_ones(a: Layout) -> Layout:
    modes = [mode for mode in a.modes if mode[0] > 1] or [(1, 0)]
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def _unique(a: Layout, merges: bool = True) -> Counterexample:
    """Among the layouts with A's values without size-1 modes, one alone has no mergeable pair."""

    def mergeable(candidate: Layout) -> bool:
        modes = candidate.modes
        return any(modes[k + 1][1] == modes[k][0] * modes[k][1] for k in range(len(modes) - 1))

    left = [str(candidate) for candidate in layouts_of(table_of(a)) if not (merges and mergeable(candidate))]
    return None if len(left) == 1 else {"layout": a, "got": left}


def _by_profile(a: Layout, operation: Callable[[Layout, HTuple], Layout] = coalesce) -> Counterexample:
    r = operation(a, (None,) * len(a))
    if len(r) != len(a):
        return {"layout": a, "result": r, "expected": f"{len(a)} modes"}
    for k in range(len(a)):
        wrong = coalesce_wrong(r[k], a[k]) or _minimal(r[k], a[k])
        if wrong:
            return {"layout": a, "result": r, "mode": k, **wrong}
    return differs(r, a)


def _tuples() -> Iterator[Layout]:
    return (a for a in nested() if isinstance(a.shape, tuple))


def _lasting() -> Iterator[Layout]:
    """Those whose last mode has more than one element."""
    return (a for a in _all() if flat(a.shape)[-1] > 1)


def _past_the_end(a: Layout) -> Counterexample:
    r = coalesce(a)
    for i in range(volume(a.shape), 2 * volume(a.shape) + 2):
        if r(i) != a(i):
            return {"layout": a, "result": r, "index": i, "expected": a(i), "got": r(i)}
    return None


def _merge(stride_of_second: Callable[..., object], is_bounded: bool = False) -> Outcome:
    """(s₀:d₀, s₁:d₁) against s₀s₁:d₀ at an index, for all sizes and strides."""
    from ...smt.layouts import VERSION, Question, Stopwatch

    watch = Stopwatch()

    def ask() -> Counterexample:
        q = Question()
        s, d, i = q.unknown("s0", 1), q.unknown("d0"), q.unknown("i")
        second = stride_of_second(s, d)
        if is_bounded:
            q.know(s <= 4, d <= 4, d >= 0, i <= 16, i >= 0)
        high, low = q.divide(i, s)
        return q.refute(low * d + high * second != i * d)

    return by_solver({"low·d₀ + high·d₁ = i·d₀": ask}, VERSION, lambda: watch.ms)


# F₂


def naive(a: Layout) -> Layout:
    """The rule of §3.2 taken literally over F₂: merge where d₁ = s₀·d₀, whatever s₀ is."""
    modes: list[tuple[int, Element]] = []
    for s, d in a.modes:
        if s == 1:
            continue
        if modes and d == modes[-1][1] * modes[-1][0]:
            modes[-1] = (modes[-1][0] * s, modes[-1][1])
        else:
            modes.append((s, d))
    if len(modes) == 1:
        return Layout(*modes[0])
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes)) if modes else Layout(1, 0)


def _over_f2() -> Iterator[Layout]:
    return flat_layouts(2, (2, 3, 4, 6), [F2(b) for b in range(9)])


def _with(rule: Callable[[Layout], Layout]) -> Callable[[Layout], Counterexample]:
    def check(a: Layout) -> Counterexample:
        wrong = coalesce_wrong(rule(a), a)
        return wrong and {"layout": a, "result": rule(a), "values": table_of(a), **wrong}

    return check


def _f2_row() -> Claim:
    L = layout("(3,2):(f1,f3)")

    def values(candidate: Layout) -> Counterexample:
        got = [x.bits if isinstance(x, F2) else x for x in table_of(candidate)]
        return None if got == [0, 1, 2, 3, 2, 1] else {"expected": [0, 1, 2, 3, 2, 1], "got": got}

    return row_claim(
        "coalesce.f2.table",
        "paper §2.3, §3.2",
        "(3,2):(f1,f3) has the table 0,1,2,3,2,1 and is left as it is, though f3 = 3·f1",
        {
            "table": on(values, L, layout("6:f1")),
            "f3 = 3·f1": on(equals(F2(3)), lambda: F2(1) * 3, lambda: F2(1) * 2),
            "ours": on(equals(L), lambda: coalesce(L), lambda: naive(L)),
        },
        "6:f1 has that table, f3 = 2·f1, and 6:f1 is left",
        doubts=(6,),
    )


_BOUND = bounded(
    "at most 3 leaves, depth to 2, sizes to 3, strides 0, 1, 2; two modes, sizes 2 to 4, strides −2, 0, 1, 2, 3, 4, 8"
)

CLAIMS: tuple[Claim, ...] = (
    _example("nested-ones", "(2,(1,6)):(1,(6,2))", "12:1"),
    _example("nested-ones-by-mode", "(2,(1,6)):(1,(6,2))", "(2,6):(1,2)", (None, None)),
    _example("unmergeable", "((4,3),5):((15,1),3)", "(4,15):(15,1)"),
    _example("unmergeable-by-mode", "((4,3),5):((15,1),3)", "((4,3),5):((15,1),3)", (None, None)),
    Claim(
        "coalesce.values-and-rank",
        "paper §3.2, [3.2]",
        "coalesce keeps size and values in bounds, has depth at most one, and has the least rank there is",
        lambda: for_all(_all(), _every, "layouts, against every factorisation"),
        Mutant(
            "So has what is left when modes of size 1 alone are dropped",
            lambda: for_all(_all(), lambda a: _every(a, _without_ones)),
        ),
        first(_all, lambda a: len(flat(a.shape)) > len(flat(coalesce(a).shape))),
        _BOUND,
    ),
    Claim(
        "coalesce.unique",
        "paper §3.2; ours",
        "One layout alone has the values and neither a mode of size 1 nor a mergeable pair",
        lambda: for_all(_all(), _unique, "layouts, against every factorisation"),
        Mutant(
            "One layout alone has the values and no mode of size 1",
            lambda: for_all(_all(), lambda a: _unique(a, False)),
        ),
        first(_all, lambda a: len(list(layouts_of(table_of(a)))) > 1),
        _BOUND,
    ),
    Claim(
        "coalesce.by-mode",
        "paper §3.1, §3.2",
        "Coalescing by mode coalesces every mode and changes no value",
        lambda: for_all(_tuples(), _by_profile, "layouts, each mode against every factorisation"),
        Mutant(
            "So does coalescing the whole",
            lambda: for_all(_tuples(), lambda a: _by_profile(a, lambda a, _: coalesce(a))),
        ),
        first(_tuples, lambda a: coalesce(a, (None,) * len(a)) not in (a, coalesce(a))),
        bounded("tuples of at most 3 leaves, depth to 2, sizes to 3, strides 0, 1, 3"),
    ),
    Claim(
        "coalesce.merge-rule",
        "paper §3.2",
        "(s₀:d₀, s₁:s₀d₀) and s₀s₁:d₀ agree at every integer, in bounds or not",
        lambda: _merge(lambda s, d: s * d),
        Mutant("(s₀:d₀, s₁:s₀d₀+1) and s₀s₁:d₀ do", lambda: _merge(lambda s, d: s * d + 1, True)),
        exhibit("s₀=2, d₀=1: (2,3):(1,2) and 6:1", lambda: differs(layout("(2,3):(1,2)"), layout("6:1")) is None),
        rank_at_most(2),
    ),
    Claim(
        "coalesce.past-the-end",
        "ours; paper §2.4.3 with §3.2",
        "It is not so that coalesce keeps the values past the end, on which the completeness construction relies: "
        "a trailing mode of size 1 is dropped, and its stride with it",
        lambda: exists(_all(), _past_the_end, "layouts, smallest first"),
        Mutant("It is not so where the last mode has more than one element", lambda: exists(_lasting(), _past_the_end)),
        first(_all, lambda a: flat(a.shape)[-1] == 1 and bool(flat(a.stride)[-1])),
        _BOUND,
        doubts=(4,),
    ),
    Claim(
        "coalesce.past-the-end-repaired",
        "ours; paper §3.2",
        "Where the last mode has more than one element coalesce keeps the values past the end too",
        lambda: for_all(_lasting(), _past_the_end, "layouts"),
        Mutant(
            "So it does where some mode has more than one element",
            lambda: for_all((a for a in _all() if volume(a.shape) > 1), _past_the_end),
        ),
        first(_all, lambda a: flat(a.shape)[-1] > 1 and coalesce(a) != a),
        _BOUND,
        doubts=(4,),
    ),
    _f2_row(),
    Claim(
        "coalesce.f2.naive",
        "ours; what is in doubt, 6",
        "It is not so that over F₂ modes merge where d₁ = s₀·d₀, as over the integers: sizes that are no powers of two "
        "carry inside the product",
        lambda: exists(_over_f2(), _with(naive), "layouts, smallest first"),
        Mutant(
            "It is not so for first modes of 2 and 4",
            lambda: exists((a for a in _over_f2() if a.shape[0] in (2, 4)), _with(naive)),
        ),
        first(_over_f2, lambda a: naive(a) != a),
        bounded("two modes, sizes 2, 3, 4, 6, strides f0 to f8"),
        doubts=(6,),
    ),
    Claim(
        "coalesce.f2.repaired",
        "ours; paper §3.2 with §2.3",
        "Over F₂ modes merge where d₁ = s₀·d₀ and s₀ is a power of two; veritile's coalesce keeps every value",
        lambda: for_all(_over_f2(), _with(coalesce), "layouts"),
        Mutant(
            "With s₀ even instead", lambda: for_all(_over_f2(), _with(lambda a: naive(a) if a.shape[0] % 2 == 0 else a))
        ),
        first(_over_f2, lambda a: bool(a.stride[0]) and coalesce(a) != a),
        bounded("two modes, sizes 2, 3, 4, 6, strides f0 to f8"),
        doubts=(6,),
    ),
)
