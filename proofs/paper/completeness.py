"""Section 2.4.3: completeness. Every f on Z_N with f(0)=0 as a finite composition of layouts: pointwise alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from ...model.coalesce import coalesce
from ...model.layout import Layout
from ...model.semimodule import E, Element
from ..claim import Claim, Counterexample, Finding, Mutant, exists, for_all
from ..definitions import composition_missing, flat_layouts, is_layout, volume
from ..verdict import bounded
from .representation import nested
from .rows import exhibit, given

MOST = 12


def factors(n: int) -> list[Layout]:
    """The rightmost N−3 layouts, first applied last: (3,1):(1,4), (4,1):(1,6), …, (N−1,1):(1,2(N−2)).

    >>> [str(L) for L in factors(5)]
    ['(3,1):(1,4)', '(4,1):(1,6)']
    """
    return [Layout((k, 1), (1, 2 * (k - 1))) for k in range(3, n)]


def last_factor(values: list[Element]) -> Layout:
    """(2,2,2,…):(f(1),f(2),f(3),…)."""
    return Layout((2,) * len(values), tuple(values))


def _generic(n: int) -> list[Element]:
    """f(k) = e_{k−1}: what holds of this f holds of every f, since a layout is linear in its strides."""
    return [E(k) for k in range(n - 1)]


def _value(n: int, i: int, layouts: Iterable[Layout]) -> Element:
    """The composition at i, rightmost layout first, each evaluated past its end where it must."""
    x: Element = i
    for L in reversed(list(layouts)):
        x = L(x)
    return last_factor(_generic(n))(x)


def _pointwise(n: int, is_coalesced: bool = False) -> Counterexample:
    layouts = [coalesce(L) if is_coalesced else L for L in factors(n)]
    for i in range(n):
        expected = 0 if i == 0 else E(i - 1)
        got = _value(n, i, layouts)
        if got != expected:
            return {"N": n, "index": i, "expected": expected, "got": got}
    return None


def _powers(n: int, shift: int = 1) -> Counterexample:
    """The rightmost N−3 layouts send i ≥ 1 to 2^(i−1)."""
    for i in range(1, n):
        x = i
        for L in reversed(factors(n)):
            x = L(x)
        if x != 2 ** (i - shift):
            return {"N": n, "index": i, "expected": 2 ** (i - shift), "got": x}
    return None


def _admissible(n: int, is_reversed: bool = False) -> Counterexample:
    """Definition 3.3 for the last composition, from the left: a layout equal to it on Z of its right operand."""
    whole = last_factor(_generic(n)[:: -1 if is_reversed else 1])
    missing = composition_missing(whole, factors(n)[0]) if n > 3 else None
    return missing and {"N": n, "A": whole, "B": factors(n)[0], **missing}


def _covers(n: int, size: int) -> Counterexample:
    """Whether the domain of the rightmost factor is Z_size, as a composition's on it must be."""
    rightmost = factors(n)[-1]
    return None if volume(rightmost.shape) == size else {"N": n, "factor": rightmost, "size": volume(rightmost.shape)}


def _functions(zero: Iterable[int]) -> Iterator[list[int]]:
    for n in (2, 3, 4):
        for first in zero:
            for rest in product(range(4), repeat=n - 1):
                yield [first, *rest]


def _zero_stays(chain: tuple[Layout, ...], at: int = 0) -> Counterexample:
    x: Element = at
    for L in reversed(chain):
        x = L(x)
    return None if x == 0 else {"chain": chain, "index": at, "got": x}


def _chains() -> Iterator[tuple[Layout, Layout]]:
    some = list(flat_layouts(2, (2, 3), (0, 1, 4)))
    return product(some, some)


def _three_k(n: int, shift: int) -> Counterexample:
    """f(k) = 3k + shift: reached by the pointwise construction iff f(0) = 0."""
    values = [3 * k + shift for k in range(n)]
    for i in range(n):
        x: Element = i
        for L in reversed(factors(n)):
            x = L(x)
        got = last_factor(values[1:])(x)
        if got != values[i]:
            return {"N": n, "index": i, "expected": values[i], "got": got}
    return None


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "completeness.pointwise",
        "paper §2.4.3",
        "The printed sequence, each layout evaluated past its end, is f at every i in Z_N, for every f with f(0)=0",
        lambda: for_all(range(2, MOST + 1), _pointwise, "N, with f(k)=e_{k−1}, at every index"),
        Mutant(
            "So it is when its layouts are coalesced",
            lambda: for_all(range(2, MOST + 1), lambda n: _pointwise(n, True)),
        ),
        given("N=4: (2,2,2):(e0,e1,e2) after (3,1):(1,4)"),
        bounded(f"N from 2 to {MOST}, every f (its values are independent unknowns)"),
        doubts=(4,),
    ),
    Claim(
        "completeness.powers-of-two",
        "paper §2.4.3",
        "The rightmost N−3 layouts send i ≥ 1 to 2^(i−1)",
        lambda: for_all(range(3, MOST + 1), _powers, "N, at every index"),
        Mutant("They send it to 2^(i−2)", lambda: for_all(range(4, MOST + 1), lambda n: _powers(n, 2))),
        given("(3,1):(1,4) sends 1, 2, 3 to 1, 2, 4"),
        bounded(f"N from 2 to {MOST}"),
        doubts=(4,),
    ),
    Claim(
        "completeness.admissible",
        "paper §2.4.3 with §3.3, [3.3]",
        "The sequence is a composition of layouts in the sense of [3.3]: each step is a layout",
        lambda: for_all(range(2, MOST + 1), _admissible, "N, smallest first"),
        Mutant(
            "It is with (2,2,…):(f(N−1),…,f(1)) on the left",
            lambda: for_all(range(2, MOST + 1), lambda n: _admissible(n, True)),
        ),
        given("N=4"),
        bounded(f"N from 2 to {MOST}"),
        finding=Finding("already (2,2,2):(f(1),f(2),f(3)) after (3,1):(1,4) is no layout", "completeness.pointwise"),
        doubts=(4,),
    ),
    Claim(
        "completeness.domain",
        "ours; paper §2.4.3 with §3.3, [3.3]",
        "The rightmost layout has N−1 elements, so that it is evaluated past its end at the last index of Z_N",
        lambda: for_all(range(4, MOST + 1), lambda n: _covers(n, n - 1), "N"),
        Mutant(
            "It has the N on which the composition is to be f",
            lambda: for_all(range(4, MOST + 1), lambda n: _covers(n, n)),
        ),
        given("N=4: (3,1):(1,4)"),
        bounded(f"N from 4 to {MOST}"),
        doubts=(4,),
    ),
    Claim(
        "completeness.one-layout",
        "paper §2.4.3",
        "One layout alone does not do: some f with f(0)=0 is the table of none",
        lambda: exists(_functions([0]), lambda f: None if is_layout(f) else {"values": f}, "functions, smallest first"),
        Mutant(
            "Some f with f(0)=0 on Z_2 is the table of none",
            lambda: exists(([0, x] for x in range(-4, 5)), lambda f: None if is_layout(f) else {"values": f}),
        ),
        given("f on Z_3"),
        bounded("N from 2 to 4, values 0 to 3"),
        doubts=(4,),
    ),
    Claim(
        "completeness.zero-stays",
        "paper §2.4.3; what is in doubt, 4",
        "Every composition of layouts sends 0 to 0, so f(k)=3k+1 on ten elements is out of reach",
        lambda: for_all([*((L,) for L in nested()), *_chains()], _zero_stays, "layouts and pairs"),
        Mutant(
            "Every one sends 1 to 0",
            lambda: for_all([*((L,) for L in nested()), *_chains()], lambda chain: _zero_stays(chain, 1)),
        ),
        exhibit("f(0) = 1 for f(k) = 3k+1", lambda: _three_k(10, 1) == {"N": 10, "index": 0, "expected": 1, "got": 0}),
        bounded(
            "3 leaves, sizes to 3, strides 0, 1, 3; pairs of rank 2; see representation.layout.zero for every layout"
        ),
        doubts=(4,),
    ),
    Claim(
        "completeness.shifted",
        "ours; what is in doubt, 4",
        "f(k)−f(0) is in reach: of 3k+1 on ten elements the sequence gives 3k",
        lambda: for_all([10], lambda n: _three_k(n, 0), "N, at every index"),
        Mutant("3k+1 itself is", lambda: for_all([10], lambda n: _three_k(n, 1))),
        given("f(k) = 3k on ten elements"),
        doubts=(4,),
    ),
)
