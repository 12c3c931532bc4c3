"""``decide_divide``: A after (B, B*), and how tiles and rests are arranged."""

from __future__ import annotations

from typing import Any

from ...model import divide as module
from ...model import properties
from ...model.answer import Answer
from ...model.coalesce import coalesce
from ...model.complement import decide_complement
from ...model.composition import decide_composition
from ...model.errors import CompositionRefuted, DivideRefuted
from ...model.htuple import flatten
from ...model.layout import Layout, size
from ...model.tiler import joined
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, is_mixed_radix, layout, only_symbolic, outside, value, volume
from .complement import SEARCHED


class Composed(Layout):
    """A∘B by its definition: what composition was proved to return (``code.composition``)."""

    __slots__ = ("a", "b")
    a: Any
    b: Any

    @classmethod
    def made(cls, a: Layout, b: Layout) -> Composed:
        """R with B's profile and R(c) = A(B(c))."""
        self = object.__new__(cls)
        for name, part in {"shape": b.shape, "stride": b.stride, "_modes": None, "a": a, "b": b}.items():
            object.__setattr__(self, name, part)
        return self

    def __getitem__(self, index: int) -> Layout:
        return Composed.made(self.a, self.b[index])

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def at(r: Layout, crd: Any) -> Any:
    """R at a coordinate of leaves, by the definition of a layout or of a composition."""
    if isinstance(r, Composed):
        return value(r.a, sum([c * d for c, d in zip(crd, flatten(r.b.stride), strict=True)]))
    return sum([c * d for c, d in zip(crd, flatten(r.stride), strict=True)])


def whole_layout(rank: int, tile_rank: int) -> Check:
    """A of this rank divided by one tile: sizes, values, what is outside, and that nothing is counted twice."""

    def check(run: Run) -> None:
        a, tile = layout(run, "A", rank), layout(run, "T", tile_rank)
        contract = standing_in(module, decide_composition=lambda a, b: Answer(Composed.made(a, b), ("definition",)))
        with only_symbolic(run, contract, standing_in(properties, find_zero=outside(SEARCHED))):
            try:
                answer = module.decide_divide(a, tile)
            except (DivideRefuted, CompositionRefuted):
                run.ended(End.HANDED_OVER, "the refusal of the complement or of the composition")
                return
        run.ended(End.RETURNED)
        r = answer.result
        if not run.is_symbolic:
            run.show(volume(r.shape), "==", volume(a.shape) + answer.out_of_range, "every coordinate is counted")
            images = sorted(value(r, i) for i in range(volume(r.shape)))
            if answer.exact:
                run.show(
                    int(images == sorted(value(a, i) for i in range(volume(a.shape)))), "==", 1, "all values, once"
                )
            for i in range(volume(tile.shape)):
                offset = value(tile, i)
                if offset < volume(a.shape):
                    run.show(value(r[0], i), "==", value(a, offset), "the tile is A∘T")
            return
        reached = is_mixed_radix(run, r.b.modes, "(T, T*) is a bijection onto Z_M")
        run.show(reached, "==", volume(a.shape) + answer.out_of_range, "M − |A| coordinates are outside")
        run.show(0, "<=", answer.out_of_range, "M ≥ |A|")
        exact = run.known(reached, "==", volume(a.shape))
        run.show(int(bool(answer.exact)), "==", int(exact), "exact says whether M = |A|")
        crd = [index_below(run, f"c{k}", s) for k, s in enumerate(flatten(tile.shape))]
        offset = sum([c * d for c, d in zip(crd, flatten(tile.stride), strict=True)])
        run.show(int(r[0].shape == tile.shape), "==", 1, "mode 0 has the tile's shape")
        if not exact:
            if offset >= volume(a.shape):
                return
        run.show(offset, "<", volume(a.shape), "T gives indices of A")
        wanted = value(a, offset)
        run.show(at(r[0], crd), "==", wanted, "the tile is A∘T")

    return check


def _complement_of_a_tile(tile: Layout, bound: Any) -> Answer:
    """The bounded complement of n:1, as ``code.complement`` proves it: ⌈N/n⌉:n."""
    return Answer(Layout.of(-(-bound // tile.shape), tile.shape), ("closed-form",))


def by_mode(form: str) -> Check:
    """(s,6) by ⟨n,2⟩ in one of the forms: the value at tile and rest coordinates that lie in bounds."""

    def check(run: Run) -> None:
        s, d, other = run.integer("A.s", 1, is_size=True), run.integer("A.d0"), run.integer("A.d1")
        a = Layout.of((s, 6), (d, other))
        tiles = [run.integer("T.n", 1, is_size=True), 2]
        contract = standing_in(module, decide_complement=_complement_of_a_tile)
        with only_symbolic(run, contract):
            answer = module.decide_divide(a, tuple(Layout.of(n, 1) for n in tiles), form)
        run.ended(End.RETURNED)
        r = answer.result
        covered: Any = 1
        crd: dict[str, list[Any]] = {"tile": [], "rest": []}
        wanted: Any = 0
        for k, ((s, d), n) in enumerate(zip(a.modes, tiles, strict=True)):
            rests = -(-s // n)
            tile, rest = index_below(run, f"t{k}", n), index_below(run, f"r{k}", rests)
            crd["tile"].append(tile)
            crd["rest"].append(rest)
            run.assume(tile + n * rest, "<", s)
            wanted = wanted + (tile + n * rest) * d
            covered = covered * n * rests
        (t0, t1), (r0, r1) = crd["tile"], crd["rest"]
        places = {
            "logical": ((t0, r0), (t1, r1)),
            "zipped": ((t0, t1), (r0, r1)),
            "tiled": ((t0, t1), r0, r1),
            "flat": (t0, t1, r0, r1),
        }
        run.show(volume(r.shape), "==", covered, "all tiles are counted")
        run.show(answer.out_of_range, "==", covered - volume(a.shape), "what is outside is counted")
        run.show(r(places[form]), "==", wanted, "R(tile, rest) = A(tile + n·rest) by mode")

    return check


def _swapped(a: Layout, tile: Layout, path: Any) -> Any:
    """A fault: rest first."""
    completed = decide_complement(tile, size(a))
    both = joined([completed.result, tile])
    divided = decide_composition(coalesce(a), both)
    return module._Pieces(divided.result, divided.result[0], divided.result[1], size(both), (), ())


CODE = (
    Code(
        "code.divide",
        "model.divide.decide_divide",
        "A divide by a tile T is A∘(T, T*), with (T, T*) a bijection onto Z_M: mode 0 is A∘T where T gives indices "
        "of A, and M − |A| coordinates are outside.",
        rank_at_most(2, "one tile of rank 1; composition by its contract"),
        {f"rank {rank} by rank {tile}": whole_layout(rank, tile) for rank, tile in ((1, 1), (2, 1))},
        "the rest in mode 0",
        lambda: standing_in(module, _divide_one=_swapped),
        gaps=(SEARCHED,),
    ),
    Code(
        "code.divide.by-mode",
        "model.divide.decide_divide, by mode",
        "By mode ⟨n,2⟩ the value at a tile and a rest is A(tile + n·rest) in each mode, where that is in bounds, in "
        "all four forms.",
        rank_at_most(2, "(s,6):(d,e) by ⟨n:1,2:1⟩, complement by its contract"),
        {form: by_mode(form) for form in module.FORMS},
        "the rest in mode 0",
        lambda: standing_in(module, _divide_one=_swapped),
    ),
)
