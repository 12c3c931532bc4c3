"""``decide_composition``: leaf by leaf on the runs of A, then the one question whether the parts add up.

A enters as a function nothing is known of but what its floor form was proved to do apart (``code.floor-form``):
``run`` returns the longest run, ``first_carry`` a coordinate at which A does not add up, or None where it does. What
is proved here is what composition makes of that: sizes, values at every coordinate of B, and both refusals. The whole
code, floor form and all, runs once more on small ranks.
"""

from __future__ import annotations

from typing import Any

from ...model import composition as module
from ...model import floor_form
from ...model.errors import CompositionRefuted, Undecided
from ...model.htuple import flatten, unflatten
from ...model.layout import Layout
from ...model.semimodule import CoordinateStride
from ...smt.polynomial import Poly
from ...smt.symbolic import Cut, End, Path, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, digits_of, index_below, layout, only_symbolic, outside, value, volume
from .floor_form import CANCELLED, ENUMERATED, _no_slope

RUNS = 3
MORE_RUNS = f"leaves of more than {RUNS} runs ({RUNS - 1} where B has two leaves, 1 in the whole code at rank 2)"


class Function(Layout):
    """A layout whose values are unknowns, one for each index; A(0) = 0."""

    __slots__ = ("known", "most", "run")
    run: Path
    most: int
    known: dict[Poly, Any]

    @classmethod
    def made(cls, run: Path, a: Layout, most: int) -> Function:
        """``a`` with its values forgotten, for at most so many runs a leaf."""
        self = object.__new__(cls)
        parts = {"shape": a.shape, "stride": a.stride, "_modes": None, "run": run, "known": {}, "most": most}
        for name, part in parts.items():
            object.__setattr__(self, name, part)
        return self

    def __call__(self, crd: Any) -> Any:
        """The unknown for an index: the same for what is equal as a polynomial."""
        place = self.run.poly(crd)
        if place.value == 0:
            return 0
        for index, found in self.known.items():
            if self.run.normal(index) == place:
                return found
        found = self.run.integer(self.run.name("A"))
        self.known[place] = found
        return found

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class Contract:
    """A floor form by what is proved of it: stands in for FloorForm while composition runs on symbols."""

    def __init__(self, a: Function):
        self.a, self.run_of = a, a.run
        self.boxes: list[tuple[list[Any], list[Any]]] = []
        self.count, self.most = 0, a.most

    @classmethod
    def of(cls, a: Function, paths: Any = ((),)) -> Contract:
        """As FloorForm.of."""
        a.run.contract = cls(a)  # type: ignore[attr-defined]
        return a.run.contract  # type: ignore[attr-defined]

    def step(self, stride: Any) -> Any:
        """One axis: the stride itself."""
        return (stride,)

    def __call__(self, step: Any) -> Any:
        """A at a step."""
        return self.a(step[0])

    def run(self, step: Any, limit: Any) -> Any:
        """1 ≤ m ≤ limit; where m < limit, A(m·step) ≠ m·A(step)."""
        self.count += 1
        if self.count > self.most:
            raise Cut(MORE_RUNS)
        m = self.run_of.integer(self.run_of.name("m"), 1, is_size=True)
        self.run_of.assume(m, "<=", limit)
        if m < limit:
            self.run_of.assume(2, "<=", m)  # A(0) = 0 and A(step) = A(step): two elements always run
            self.run_of.assume(self.a(m * step[0]), "!=", m * self.a(step[0]))
        else:
            self.count = 0
        return m

    def first_carry(self, sizes: Any, steps: Any) -> Any:
        """None, and A adds up over the box; or a coordinate of the box at which it does not."""
        self.boxes.append((list(sizes), [x[0] for x in steps]))
        if self.run_of.integer(self.run_of.name("carries"), 0) == 0:
            return None, "closed-form"
        crd = [index_below(self.run_of, self.run_of.name("w"), n) for n in sizes]
        apart = sum([c * self.a(x[0]) for c, x in zip(crd, steps, strict=True)])
        together = self.a(sum([c * x[0] for c, x in zip(crd, steps, strict=True)]))
        self.run_of.assume(together, "!=", apart)
        return tuple(crd), "closed-form"


def by_contract(profile: Any) -> Check:
    """A any function with A(0) = 0 that its floor form describes; B of this profile."""

    def check(run: Run) -> None:
        a: Layout = layout(run, "A", 2)
        flat = layout(run, "B", len(flatten(profile)))
        b = Layout.of(unflatten(flatten(flat.shape), profile), unflatten(flatten(flat.stride), profile))
        if isinstance(run, Path):
            a = Function.made(run, a, RUNS - (len(b.modes) > 1))
        with only_symbolic(run, standing_in(module, FloorForm=Contract, in_bounds=lambda *_: None)):
            try:
                r = module.decide_composition(a, b).result
            except CompositionRefuted as refusal:
                refused(run, a, b, refusal)
                return
        run.ended(End.RETURNED)
        crd = [index_below(run, f"c{k}", s) for k, s in enumerate(flatten(b.shape))]
        offset = sum([c * d for c, d in zip(crd, flatten(b.stride), strict=True)])
        parts = leaves_of(r, b.shape)
        got = sum([value(part, c) for part, c in zip(parts, crd, strict=True)])
        for part, s in zip(parts, flatten(b.shape), strict=True):
            run.show(volume(part.shape), "==", s, "a leaf of R has the size of B's")
        if isinstance(run, Path):
            add_up(run, a, parts, crd, offset)
        run.show(got, "==", a(offset), "R(c) = A(B(c))")

    return check


def leaves_of(r: Layout, profile: Any) -> list[Layout]:
    """The parts of R at the leaves of a profile."""
    if not isinstance(profile, tuple):
        return [r]
    return [leaf for part, mode in zip(r, profile, strict=True) for leaf in leaves_of(part, mode)]


def add_up(run: Path, a: Any, parts: list[Layout], crd: list[Any], offset: Any) -> None:
    """What first_carry promised, at the digits of this coordinate: they lie in the box, and lead to the offset."""
    if not run.contract.boxes:  # type: ignore[attr-defined]
        return
    (sizes, steps), *_ = run.contract.boxes  # type: ignore[attr-defined]
    digits = [digit for part, c in zip(parts, crd, strict=True) for digit in digits_of(c, flatten(part.shape))]
    run.show(len(digits), "==", len(sizes), "R has the modes that were checked")
    for digit, n in zip(digits, sizes, strict=True):
        run.show(0, "<=", digit, "a digit lies in the box that was checked")
        run.show(digit, "<", n, "a digit lies in the box that was checked")
    run.show(sum([c * x for c, x in zip(digits, steps, strict=True)]), "==", offset, "Σ digit·step = B(c)")
    apart = sum([c * a(x) for c, x in zip(digits, steps, strict=True)])
    run.assume(a(offset), "==", apart)


def refused(run: Run, a: Any, b: Layout, refusal: CompositionRefuted) -> None:
    """Both refusals name a coordinate in bounds, the value that A∘B has there, and the value that was forced."""
    assert refusal.witness is not None
    kind, values = refusal.witness.kind, refusal.witness.values
    run.ended(End.HANDED_OVER, f"{kind}: the candidate was forced (theorem on runs)")
    crd = flatten(values["coordinate"])
    for c, s in zip(crd, flatten(b.shape), strict=True):
        run.show(0, "<=", c, "the witness lies in B")
        run.show(c, "<", s, "the witness lies in B")
    offset = sum([c * d for c, d in zip(crd, flatten(b.stride), strict=True)])
    run.show(values["expected"], "==", a(offset), "expected is A(B(c))")
    run.show(values["got"], "!=", values["expected"], "the forced value differs from A(B(c))")
    if kind == "run":
        m, left = values["run"], values["size"]
        run.show(m, "<", left, "the run stops short")
        run.show(left % m, "!=", 0, "the run does not divide what is left")


def whole(rank: int, leaves: int) -> Check:
    """All of the code, nothing standing in but the stops; values at every coordinate of B, by the definition."""

    def check(run: Run) -> None:
        a, b = layout(run, "A", rank), layout(run, "B", leaves)
        stops = (
            standing_in(floor_form, EVENTS=1, _enumerate_carries=outside(ENUMERATED)),
            standing_in(module, FloorForm=_limited(RUNS if rank == 1 else 1), in_bounds=lambda *_: None),
        )
        with only_symbolic(run, *stops):
            try:
                r = module.decide_composition(a, b).result
            except CompositionRefuted as refusal:
                offset_of = refusal.witness
                assert offset_of is not None
                run.ended(End.HANDED_OVER, f"{offset_of.kind}: the candidate was forced (theorem on runs)")
                run.show(offset_of.values["got"], "!=", offset_of.values["expected"], "the values differ")
                return
            except Undecided:
                if not run.is_symbolic:
                    raise
                raise Cut(CANCELLED) from None
        run.ended(End.RETURNED)
        crd = [index_below(run, f"c{k}", s) for k, s in enumerate(flatten(b.shape))]
        offset = sum([c * d for c, d in zip(crd, flatten(b.stride), strict=True)])
        wanted = value(a, offset)
        got = sum([value(part, c) for part, c in zip(leaves_of(r, b.shape), crd, strict=True)])
        run.show(got, "==", wanted, "R(c) = A(B(c))")
        run.show(volume(r.shape), "==", volume(b.shape), "|R| = |B|")

    return check


def _limited(most: int) -> Any:
    """The floor form itself, with the bound on runs."""
    calls: list[Any] = []

    class Limited(floor_form.FloorForm):
        """Counts the runs of a leaf."""

        def run(self, step: Any, limit: Any) -> Any:
            """At most so many of them."""
            calls.append(limit)
            if len(calls) > most:
                raise Cut(MORE_RUNS)
            return super().run(step, limit)

    return Limited


def bounds(leaves: int) -> Check:
    """in_bounds says whether every offset of B is an index of A in bounds."""

    def check(run: Run) -> None:
        a, b = layout(run, "A", 2), layout(run, "B", leaves)
        inside = module.in_bounds(a, b)
        run.ended(End.RETURNED, "inside" if inside else "not inside")
        if inside:
            crd = [index_below(run, f"c{k}", s) for k, s in enumerate(flatten(b.shape))]
            offset = sum([c * d for c, d in zip(crd, flatten(b.stride), strict=True)])
            run.show(0, "<=", offset, "no offset is negative")
            run.show(offset, "<", volume(a.shape), "every offset is below |A|")
            return
        low = sum([(s - 1) * d for s, d in b.modes if d < 0])
        high = sum([(s - 1) * d for s, d in b.modes if d >= 0])
        if low >= 0:
            run.show(volume(a.shape), "<=", high, "an extreme offset lies outside")

    return check


def _undivided(a: Layout, b: Layout, paths: Any) -> Any:
    """A fault: a run that does not divide is rounded up."""
    form = vars(module)["FloorForm"].of(a, paths)
    leaves: list[Any] = []
    for s, d in b.modes:
        step, left, modes = form.step(d), s, []
        while left > 1:
            m = form.run(step, left)
            modes.append((m, step, form(step)))
            left = -(-left // m)
            step = tuple([m * x for x in step])
        leaves.append(modes or [(1, step, 0)])
    flat = [mode for modes in leaves for mode in modes]
    where, how = form.first_carry([n for n, _, _ in flat], [x for _, x, _ in flat])
    if where is not None:
        raise module._refuse(a, b, leaves, where)
    return leaves, how


def _unasked(a: Layout, b: Layout, paths: Any) -> Any:
    """A fault: the leaves alone decide."""
    form = vars(module)["FloorForm"].of(a, paths)
    leaves: list[Any] = []
    for s, d in b.modes:
        step, left, modes = form.step(d), s, []
        while left > 1:
            m = form.run(step, left)
            if left % m:
                raise module._refuse_run(a, b, form, len(leaves), s // left * m, m, left, form(step))
            modes.append((m, step, form(step)))
            left //= m
            step = tuple([m * x for x in step])
        leaves.append(modes or [(1, step, 0)])
    return leaves, "closed-form"


def coordinates(run: Run) -> None:
    """A of two modes, B with coordinate strides a·e₀ and b·e₁: A∘B by axes."""
    a, sizes = layout(run, "A", 2), [run.integer(f"B.s{k}", 1, is_size=True) for k in range(2)]
    scales = [run.integer(f"B.a{k}", 1) for k in range(2)]
    b = Layout.of(tuple(sizes), tuple(CoordinateStride((((k,), x),)) for k, x in enumerate(scales)))
    r = module.decide_composition(a, b).result
    run.ended(End.RETURNED)
    crd = [index_below(run, f"c{k}", s) for k, s in enumerate(sizes)]
    wanted = sum([d * x * c for (_, d), x, c in zip(a.modes, scales, crd, strict=True)])
    run.show(r(tuple(crd)), "==", wanted, "R(c) = A(B(c))")


CODE = (
    Code(
        "code.composition",
        "model.composition.decide_composition",
        "Where composition returns R, each leaf of R has the size of B's and R(c) = A(B(c)) on Z(B); where it refuses, "
        "its witness lies in B and the forced value differs from A(B(c)) there.",
        rank_at_most(3, f"A as its floor form describes it; B of one leaf, {RUNS} runs"),
        {
            "B s:d": by_contract(0),
            "B ((s)):((d))": by_contract(((0,),)),
        },
        "a run that does not divide is rounded up",
        lambda: standing_in(module, _compose_leaves=_undivided),
        gaps=(MORE_RUNS,),
    ),
    Code(
        "code.composition.leaves",
        "model.composition.decide_composition",
        "The same with two leaves in B, whose parts have to add up.",
        rank_at_most(3, f"A as its floor form describes it; B of 2 leaves, {RUNS - 1} runs a leaf"),
        {"B (s,s):(d,d)": by_contract((0, 0))},
        "whether the parts add up is not asked",
        lambda: standing_in(module, _compose_leaves=_unasked),
        gaps=(MORE_RUNS,),
    ),
    Code(
        "code.composition.whole",
        "model.composition.decide_composition, with its floor form",
        "The whole code, from layouts to layout: R(c) = A(B(c)) on Z(B) and |R| = |B|; a refusal's values differ.",
        rank_at_most(2, "A of rank 2 with B s:d of one run, of rank 1 with two leaves"),
        {
            "rank 1 after s:d": whole(1, 1),
            "rank 2 after s:d": whole(2, 1),
            "rank 1 after (s,s):(d,d)": whole(1, 2),
            "coordinate strides": coordinates,
        },
        "E_k = D_k in place of D_k − S_{k−1}·D_{k−1}",
        lambda: standing_in(floor_form, _add_floors=_no_slope),
        gaps=(MORE_RUNS, CANCELLED, ENUMERATED),
    ),
    Code(
        "code.composition.in-bounds",
        "model.composition.in_bounds",
        "in_bounds is true exactly when every offset of B is an index of A in bounds.",
        rank_at_most(2),
        {"s:d": bounds(1), "(s,s):(d,d)": bounds(2)},
        "the last offset not looked at",
        lambda: standing_in(module, in_bounds=lambda a, b, paths=((),): True),
    ),
)
