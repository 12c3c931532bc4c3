"""Section 3.2: coalesce."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.coalesce import coalesce
from ...model.layout import Layout
from ...model.notation import layout
from ...model.semimodule import F2, Element
from ..claim import Claim, Counterexample, Finding, Mutant, Outcome, for_all
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
from .rows import by_solver, exhibit, first, row_claim


def _minimal(r: Layout, a: Layout) -> Counterexample:
    least = least_rank(a)
    return None if len(flat(r.shape)) == least else {"expected": f"rank {least}", "got": r}


def _example(name: str, a: str, r: str, profile: HTuple = None) -> Claim:
    A, R = layout(a), layout(r)
    if profile is None:
        checks = {
            "the row": lambda: coalesce_wrong(R, A),
            "least rank": lambda: _minimal(R, A),
            "ours is the row": lambda: None if coalesce(A) == R else {"expected": R, "got": coalesce(A)},
        }
    else:
        checks = {f"mode {k}": lambda k=k: coalesce_wrong(R[k], A[k]) or _minimal(R[k], A[k]) for k in range(len(A))}  # type: ignore[misc]
        checks["ours is the row"] = lambda: (
            None if coalesce(A, profile) == R else {"expected": R, "got": coalesce(A, profile)}
        )
    how = " by mode ⟨*,*⟩" if profile is not None else ""
    return row_claim(
        f"coalesce.example.{name}",
        "paper §3.2, [3.2]",
        f"{a} coalesces{how} to {r}: the same values, depth at most one, and no layout of less rank has them",
        checks,
        f"it coalesces{how} to {perturbed(R)}",
        lambda: differs(perturbed(R), A),
    )


def _all() -> Iterator[Layout]:
    yield from nested((1, 2, 3), (0, 1, 2))
    yield from flat_layouts(2, (2, 3, 4), (-2, 0, 1, 2, 3, 4, 8))


def _every(a: Layout) -> Counterexample:
    r = coalesce(a)
    wrong = coalesce_wrong(r, a) or _minimal(r, a)
    return wrong and {"layout": a, "result": r, **wrong}


def _unique(a: Layout) -> Counterexample:
    """Among the layouts with A's values without size-1 modes, one alone has no mergeable pair."""

    def mergeable(candidate: Layout) -> bool:
        modes = candidate.modes
        return any(modes[k + 1][1] == modes[k][0] * modes[k][1] for k in range(len(modes) - 1))

    left = [str(candidate) for candidate in layouts_of(table_of(a)) if not mergeable(candidate)]
    return None if len(left) == 1 else {"layout": a, "got": left}


def _by_profile(a: Layout) -> Counterexample:
    r = coalesce(a, (None,) * len(a))
    for k in range(len(a)):
        wrong = coalesce_wrong(r[k], a[k])
        if wrong:
            return {"layout": a, "mode": k, **wrong}
    return differs(r, a)


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
            "table": lambda: values(L),
            "f3 = 3·f1": lambda: None if F2(1) * 3 == F2(3) else {"got": F2(1) * 3},
            "ours": lambda: None if coalesce(L) == L else {"got": coalesce(L)},
        },
        "6:f1 has that table",
        lambda: values(layout("6:f1")),
        doubts=(6,),
    )


CLAIMS: tuple[Claim, ...] = (
    _example("nested-ones", "(2,(1,6)):(1,(6,2))", "12:1"),
    _example("nested-ones-by-mode", "(2,(1,6)):(1,(6,2))", "(2,6):(1,2)", (None, None)),
    _example("unmergeable", "((4,3),5):((15,1),3)", "(4,15):(15,1)"),
    Claim(
        "coalesce.example.unmergeable-by-mode",
        "paper §3.2",
        "((4,3),5):((15,1),3) is unchanged by mode: neither mode has a layout of less rank",
        lambda: for_all(
            [layout("((4,3),5):((15,1),3)")],
            lambda A: (
                None
                if coalesce(A, (None, None)) == A and all(len(flat(m.shape)) == least_rank(m) for m in A)
                else {"got": coalesce(A, (None, None))}
            ),
        ),
        Mutant(
            "((4,3),5):((15,60),3) is, too",
            lambda: for_all(
                [layout("((4,3),5):((15,60),3)")],
                lambda A: None if coalesce(A, (None, None)) == A else {"got": coalesce(A, (None, None))},
            ),
        ),
        exhibit("the operand of the row itself"),
    ),
    Claim(
        "coalesce.values-and-rank",
        "paper §3.2, [3.2]",
        "coalesce keeps size and values in bounds, has depth at most one, and has the least rank there is",
        lambda: for_all(_all(), _every, "layouts, against every factorisation"),
        Mutant(
            "Coalescing keeps the profile",
            lambda: for_all(_all(), lambda a: None if coalesce(a) == a else {"layout": a}),
        ),
        first(_all, lambda a: len(flat(a.shape)) > len(flat(coalesce(a).shape))),
        bounded("3 leaves with sizes to 3, strides to 2; and rank 2 with sizes to 4, strides −2 to 8"),
    ),
    Claim(
        "coalesce.unique",
        "paper §3.2; ours",
        "One layout alone has the values and neither a mode of size 1 nor a mergeable pair",
        lambda: for_all(_all(), _unique, "layouts, against every factorisation"),
        Mutant(
            "One layout alone has the values and no mode of size 1",
            lambda: for_all(
                _all(),
                lambda a: None if len(list(layouts_of(table_of(a)))) == 1 else {"layout": a},
            ),
        ),
        first(_all, lambda a: len(list(layouts_of(table_of(a)))) > 1),
        bounded("3 leaves with sizes to 3, strides to 2; and rank 2 with sizes to 4, strides −2 to 8"),
    ),
    Claim(
        "coalesce.by-mode",
        "paper §3.1, §3.2",
        "Coalescing by mode coalesces every mode and changes no value",
        lambda: for_all((a for a in nested() if isinstance(a.shape, tuple)), _by_profile, "layouts"),
        Mutant(
            "The whole then has the least rank",
            lambda: for_all(
                (a for a in nested() if isinstance(a.shape, tuple)),
                lambda a: (
                    None
                    if len(flat(coalesce(a, (None,) * len(a)).shape)) == len(flat(coalesce(a).shape))
                    else {"layout": a}
                ),
            ),
        ),
        exhibit("((2,2),3):((1,2),4) becomes (4,3):(1,4)"),
        bounded("3 leaves, sizes to 3, strides 0, 1, 3"),
    ),
    Claim(
        "coalesce.merge-rule",
        "paper §3.2",
        "(s₀:d₀, s₁:s₀d₀) and s₀s₁:d₀ agree at every integer, in bounds or not",
        lambda: _merge(lambda s, d: s * d),
        Mutant("(s₀:d₀, s₁:s₀d₀+1) and s₀s₁:d₀ do", lambda: _merge(lambda s, d: s * d + 1, True)),
        exhibit("s₀=2, d₀=1: (2,3):(1,2) and 6:1"),
        rank_at_most(2),
    ),
    Claim(
        "coalesce.past-the-end",
        "paper §2.4.3 with §3.2",
        "coalesce keeps the values past the end, on which the completeness construction relies",
        lambda: for_all(_all(), _past_the_end, "layouts, smallest first"),
        Mutant(
            "coalesce changes no layout",
            lambda: for_all(nested(), lambda a: None if coalesce(a) == a else {"layout": a}),
        ),
        exhibit("(3,1):(1,4) has the value 4 at 3"),
        bounded("3 leaves with sizes to 3, strides to 2; and rank 2 with sizes to 4, strides −2 to 8"),
        finding=Finding(
            "a trailing mode of size 1 is dropped, and with it the values past the end",
            "coalesce.past-the-end-repaired",
        ),
        doubts=(4,),
    ),
    Claim(
        "coalesce.past-the-end-repaired",
        "ours; paper §3.2",
        "Where the last mode has more than one element coalesce keeps the values past the end too",
        lambda: for_all((a for a in _all() if flat(a.shape)[-1] > 1), _past_the_end, "layouts"),
        Mutant(
            "So it does where some mode has more than one element",
            lambda: for_all((a for a in _all() if volume(a.shape) > 1), _past_the_end),
        ),
        first(_all, lambda a: flat(a.shape)[-1] > 1 and coalesce(a) != a),
        bounded("3 leaves with sizes to 3, strides to 2; and rank 2 with sizes to 4, strides −2 to 8"),
        doubts=(4,),
    ),
    _f2_row(),
    Claim(
        "coalesce.f2.naive",
        "paper §3.2 with §2.3",
        "Over F₂ modes merge where d₁ = s₀·d₀, as over the integers",
        lambda: for_all(_over_f2(), _with(naive), "layouts, smallest first"),
        Mutant(
            "Over F₂ modes merge where d₁ = d₀",
            lambda: for_all(
                _over_f2(),
                _with(lambda a: Layout(volume(a.shape), a.stride[0]) if a.stride[0] == a.stride[1] else a),
            ),
        ),
        first(_over_f2, lambda a: naive(a) != a),
        bounded("rank 2, sizes 2, 3, 4, 6, strides f0 to f8"),
        finding=Finding("sizes that are no powers of two carry inside the product", "coalesce.f2.repaired"),
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
        bounded("rank 2, sizes 2, 3, 4, 6, strides f0 to f8"),
        doubts=(6,),
    ),
)
