"""Section 2: HTuples, coordinates, layouts, and the 4×8 examples."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product, starmap
from typing import Any

from ...model import htuple
from ...model.concatenate import concatenate
from ...model.coordinate import Extended, InBounds, crd2idx, idx2crd, is_admissible, is_in_bounds
from ...model.errors import InputError
from ...model.layout import Layout
from ...model.notation import layout
from ...model.semimodule import F2, CoordinateStride, E
from ...model.slicing import slice_
from ...model.tensor import Tensor
from ..claim import Claim, Counterexample, Finding, Mutant, Outcome, exists, for_all, table
from ..definitions import (
    HTuple,
    bijection_wrong,
    coarsens,
    congruent,
    coordinates,
    evaluate,
    flat,
    flat_layouts,
    image,
    join,
    naturals,
    perturbed,
    refined_by,
    shape_text,
    split,
    table_of,
    volume,
)
from ..verdict import bounded, rank_at_most
from .rows import Check, Wrong, by_solver, exhibit, first, given, on, row_claim, show


def shapes(leaves: int = 3, sizes: tuple[int, ...] = (1, 2, 3)) -> Iterator[HTuple]:
    """Every shape of at most this many leaves and depth at most 2, smallest first."""
    for n in range(1, leaves + 1):
        for flat_shape in product(sizes, repeat=n):
            if n == 1:
                yield flat_shape[0]
            for cuts in range(2 ** (n - 1)):
                parts, part = [], [flat_shape[0]]
                for k in range(1, n):
                    if cuts >> (k - 1) & 1:
                        parts.append(part)
                        part = []
                    part.append(flat_shape[k])
                parts.append(part)
                yield tuple(p[0] if len(p) == 1 else tuple(p) for p in parts)


def nested(sizes: tuple[int, ...] = (1, 2, 3), strides: tuple[int, ...] = (0, 1, 3)) -> Iterator[Layout]:
    """Layouts of every shape of at most three leaves."""
    for shape in shapes(3, sizes):
        for stride in product(strides, repeat=len(flat(shape))):
            yield Layout(shape, htuple.unflatten(stride, shape))


# Order relations on profiles and shapes


def _same_size(p: HTuple, s: HTuple) -> bool:
    """The mutant's P⪯S."""
    return coarsens(p, s) and volume(p) == volume(s)


def _orders(p: HTuple, s: HTuple, refined_by: Callable[[HTuple, HTuple], bool] = refined_by) -> Counterexample:
    pairs = {
        "congruent": (htuple.congruent(p, s), congruent(p, s)),
        "weakly congruent": (htuple.weakly_congruent(p, s), coarsens(p, s)),
        "compatible": (htuple.compatible(p, s), refined_by(p, s)),
    }
    for name, (got, expected) in pairs.items():
        if got != expected:
            return {"P": p, "S": s, "relation": name, "expected": expected, "got": got}
    if coarsens(p, s) and coarsens(s, p) and not congruent(p, s):
        return {"P": p, "S": s, "relation": "P≲S and S≲P but not P~S"}
    if refined_by(p, s) and refined_by(s, p) and p != s:
        return {"P": p, "S": s, "relation": "P⪯S and S⪯P but P≠S"}
    if refined_by(p, s) and not (coarsens(p, s) and volume(p) == volume(s)):
        return {"P": p, "S": s, "relation": "P⪯S without P≲S and equal sizes"}
    return None


def _nesting(t: HTuple) -> int:
    """The depth, read off the notation: the most brackets open at once."""
    most = depth = 0
    for sign in shape_text(t):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        most = max(most, depth)
    return most


def _rank_and_depth(t: HTuple, rank: Callable[[HTuple], int]) -> Counterexample:
    got, expected = (rank(t), htuple.depth(t)), (len(t) if isinstance(t, tuple) else 1, _nesting(t))
    return None if got == expected else {"htuple": t, "expected": expected, "got": got}


def _transitive(relation: Callable[[HTuple, HTuple], bool]) -> Outcome:
    some = list(shapes(3, (1, 2)))
    above = {p: [s for s in some if relation(p, s)] for p in some}

    def check(p: HTuple) -> Counterexample:
        for s in above[p]:
            for t in above[s]:
                if not relation(p, t):
                    return {"P": p, "S": s, "T": t}
        return None

    return for_all(some, check, "shapes, with all above them")


def _pairs() -> Iterator[tuple[HTuple, HTuple]]:
    some = [*shapes(3, (1, 2)), (4, 2), 8, ((2, 2), 2), (2, (2, 2))]
    return product(some, some)


# Coordinates


def _index_round_trip(shape: HTuple, to_coordinate: Callable[[int, HTuple], HTuple] = idx2crd) -> Counterexample:
    n = volume(shape)
    seen = []
    for i in range(-n - 2, 3 * n + 2):
        crd = to_coordinate(i, shape)
        if crd != split(i, shape) or crd2idx(crd, shape) != i or join(crd, shape) != i:
            return {"shape": shape, "index": i, "coordinate": crd, "expected": split(i, shape)}
        if 0 <= i < n:
            seen.append(crd)
    if seen != list(naturals(shape)):
        return {"shape": shape, "got": seen, "expected": list(naturals(shape))}
    return None


def _colexicographic(shape: HTuple, fastest_first: bool = True) -> Counterexample:
    before = None
    for i in range(volume(shape)):
        key = flat(idx2crd(i, shape))[:: -1 if fastest_first else 1]
        if before is not None and not before < key:
            return {"shape": shape, "index": i}
        before = key
    return None


def _back_and_forth_outside(case: tuple[HTuple, HTuple]) -> Counterexample:
    shape, crd = case
    there = idx2crd(crd2idx(crd, shape), shape)
    return None if there == crd else {"shape": shape, "coordinate": crd, "index": crd2idx(crd, shape), "got": there}


def _outside(is_outside: bool) -> Iterator[tuple[HTuple, HTuple]]:
    for shape in ((2, 2), (2, (2, 1))):
        inside = set(naturals(shape))
        for crd in naturals(htuple.map_leaves(lambda s: s + 1, shape)):
            if is_in_bounds(crd, shape) != (crd in inside):
                raise AssertionError(f"is {crd} in bounds of {shape}?")
            if (crd in inside) != is_outside:
                yield shape, crd


def _two_types() -> dict[str, Check]:
    """Each set with what is in it and what is not; the set in its place that must not have the same."""
    inside, extended, profile = InBounds((4, 8)), Extended((4, 8)), Extended((4, 8), congruent_only=True)

    def members(inside: list[HTuple], outside: list[HTuple]) -> Wrong:
        def check(found: Any) -> Counterexample:
            bad = [c for c in inside if c not in found] + [c for c in outside if c in found]
            return {"coordinate": bad[0], "expected": bad[0] in inside} if bad else None

        return check

    return {
        "in bounds is finite": on(
            lambda shape: None if len(InBounds(shape)) == 32 == len(set(InBounds(shape))) else {"shape": shape},
            lambda: (4, 8),
            lambda: (4, 9),
        ),
        "integral [2.10]": on(members([0, 31], [32, -1]), inside, extended),
        "natural [2.11]": on(members([(3, 7)], [(4, 0), (0, -1)]), inside, profile),
        "admissible [2.12]": on(members([(9, -9), 32, -1, (4, 0)], [(1, 1, 1)]), extended, profile),
        "congruent [2.14]": on(members([(4, 0), (-1, 9)], [4, (1, 1, 1)]), profile, extended),
        "out of bounds [2.13]": on(
            lambda c: None if is_admissible(c, (4, 8)) and not is_in_bounds(c, (4, 8)) else {"coordinate": c},
            lambda: (4, 0),
            lambda: (3, 0),
        ),
    }


def _solver_round_trip(is_last_first: bool = False) -> Outcome:
    """The index is c₀ + s₀·(c₁ + s₁·(…)), so one step, with X what the later digits count, serves every digit.

    c + s·X, c < s, has the remainder c and the quotient X; the mutant counts the last mode fastest: X + t·c, t what the
    later modes count. That idx2crd takes remainder after remainder is compared at small sizes.
    """
    from ...smt.layouts import VERSION, Question, Stopwatch

    watch = Stopwatch()

    def step(is_digit: bool) -> Counterexample:
        q = Question()
        s, c, rest, below = q.unknown("s", 1), q.unknown("c", 0), q.unknown("X", 0), q.unknown("t", 1)
        q.know(c < s)
        quotient, digit = q.divide(rest + below * c if is_last_first else c + s * rest, s)
        return q.refute(digit != c if is_digit else quotient != rest)

    steps = {"the remainder is the digit": lambda: step(True), "the quotient is what is left": lambda: step(False)}
    decided = by_solver(steps, VERSION, lambda: watch.ms)
    if decided.witness is not None:
        return decided
    taken = for_all(product(range(1, 4), repeat=3), _by_remainders, "sizes, idx2crd against remainders")
    return replace(taken, evidence=decided.evidence + taken.evidence, rows=decided.rows)


def _by_remainders(sizes: tuple[int, ...]) -> Counterexample:
    """idx2crd against remainder after remainder, the last quotient left as it is, to twice the size."""
    for i in range(2 * volume(sizes)):
        rest, digits = i, []
        for s in sizes[:-1]:
            rest, digit = divmod(rest, s)
            digits.append(digit)
        if idx2crd(i, sizes) != (*digits, rest):
            return {"shape": sizes, "index": i, "expected": (*digits, rest), "got": idx2crd(i, sizes)}
    return None


# Layouts


def _last_fastest(crd: HTuple, shape: HTuple) -> int:
    """The index that counts the last mode fastest."""
    if not isinstance(crd, tuple):
        return int(crd)
    total = 0
    for c, mode in zip(crd, shape, strict=True):
        total = total * volume(mode) + _last_fastest(c, mode)
    return total


def _every_coarsening(L: Layout, index: Callable[[HTuple, HTuple], int] = join) -> Counterexample:
    for c in coordinates(L.shape):
        if L(c) != evaluate(L, c) or L(c) != L(index(c, L.shape)):
            return {"layout": L, "coordinate": c, "expected": evaluate(L, c), "got": L(c)}
    return None


def _extended_values(L: Layout, value: Callable[[int], Any] | None = None) -> Counterexample:
    value = value or L
    for i in range(-volume(L.shape), 3 * volume(L.shape)):
        if value(i) != evaluate(L, i):
            return {"layout": L, "index": i, "expected": evaluate(L, i), "got": value(i)}
    return None


def _is_linear(L: Layout, points: Iterator[tuple[HTuple, HTuple]]) -> Counterexample:
    for a, b in points:
        total = htuple.unflatten([x + y for x, y in zip(flat(a), flat(b), strict=True)], a)
        if L(total) != L(a) + L(b):
            return {"layout": L, "coordinates": (a, b), "expected": L(a) + L(b), "got": L(total)}
    return None


def _natural_pairs(L: Layout) -> Iterator[tuple[HTuple, HTuple]]:
    some = list(naturals(L.shape))
    return product(some, some)


def _index_pairs(L: Layout) -> Iterator[tuple[int, int]]:
    n = volume(L.shape)
    return ((i, j) for i in range(n) for j in range(n - i))


def _linear_family() -> list[Layout]:
    texts = ["(4,8):(1,4)", "((2,2),(4,2)):((1,8),(2,16))", "(3,5):(2,-7)", "(4,8):(e0,e1)", "(4,(4,2)):(e1,(e0,6e1))"]
    return [layout(text) for text in texts]


def _matrix_rows(m: int, offset: Any) -> list[int]:
    if isinstance(offset, CoordinateStride):
        scales = dict(offset.terms)
        return [scales.get((k,), 0) for k in range(m)]
    if isinstance(offset, F2):
        return [offset.bits >> k & 1 for k in range(m)]
    return [offset] + [0] * (m - 1)


def _as_matrix(L: Layout, m: int, modulus: int | None = None) -> Counterexample:
    """The matrix has the strides as columns; over F₂ the digits of power-of-two modes are taken as bits."""
    columns, sizes = [], []
    for s, d in L.modes:
        bits = (s - 1).bit_length() if modulus else 1
        for bit in range(bits):
            columns.append(_matrix_rows(m, d * (1 << bit)))
            sizes.append(2 if modulus else s)
    for i in range(volume(L.shape)):
        digits, rest = [], i
        for s in sizes:
            rest, digit = divmod(rest, s)
            digits.append(digit)
        got = [sum(column[k] * x for column, x in zip(columns, digits, strict=True)) for k in range(m)]
        got = [x % modulus for x in got] if modulus else got
        if got != _matrix_rows(m, L(i)):
            return {"layout": L, "index": i, "expected": _matrix_rows(m, L(i)), "got": got}
    return None


_MATRICES: dict[str, tuple[str, int, int | None]] = {
    "integers, 1×n": ("((2,2),(4,2)):((1,8),(2,16))", 1, None),
    "coordinates, 2×n": ("(4,(4,2)):(e1,(e0,6e1))", 2, None),
    "F2, 6×n": ("(8,8):(f1,f9)", 6, 2),
}


def _sends(crd: HTuple, offset: int) -> Wrong:
    """What is wrong where a layout does not send ``crd`` there, called and by definition."""

    def check(L: Layout) -> Counterexample:
        got = (L(crd), evaluate(L, crd))
        return None if got == (offset, offset) else {"coordinate": crd, "expected": offset, "got": got}

    return check


# The 4×8 examples


def _is_f(f: Callable[[int, int], Any]) -> Wrong:
    def check(L: Layout) -> Counterexample:
        for n in range(8):
            for m in range(4):
                if L((m, n)) != f(m, n) or evaluate(L, (m, n)) != f(m, n):
                    return {"coordinate": (m, n), "expected": f(m, n), "got": L((m, n))}
        return None

    return check


def _image_size(wanted: int) -> Wrong:
    return lambda L: None if len(image(L)) == wanted else {"expected": f"{wanted} offsets", "got": len(image(L))}


def _wider(L: Layout) -> Layout:
    """The layout with the stride of its first live mode set to 0."""
    strides = flat(L.stride)
    live = next(k for k, d in enumerate(strides) if d)
    return Layout(L.shape, htuple.unflatten([0 if k == live else d for k, d in enumerate(strides)], L.shape))


_EXAMPLES: dict[str, tuple[str, Callable[[int, int], Any], str, int]] = {
    "col-major": ("(4,8):(1,4)", lambda m, n: m + 4 * n, "neighbours of a column are neighbours in memory", 32),
    "row-major": ("(4,8):(8,1)", lambda m, n: 8 * m + n, "neighbours of a row are neighbours in memory", 32),
    "padded": ("(4,8):(1,5)", lambda m, n: m + 5 * n, "columns of 4 begin 5 apart", 32),
    "interleaved": (
        "(4,(4,2)):(4,(1,16))",
        lambda m, n: n % 4 + 4 * m + 16 * (n // 4),
        "4×4 blocks, each row-major, one after the other",
        32,
    ),
    "mixed": (
        "((2,2),(4,2)):((1,8),(2,16))",
        lambda m, n: m % 2 + 2 * (n % 4) + 8 * (m // 2) + 16 * (n // 4),
        "2×4 blocks, each column-major, in column-major order",
        32,
    ),
    "blocked-broadcast": (
        "((2,2),(2,4)):((0,2),(0,4))",
        lambda m, n: 2 * (m // 2) + 4 * (n // 2),
        "every 2×2 block reads one element",
        8,
    ),
    "coordinate": ("(4,8):(e0,e1)", lambda m, n: m * E(0) + n * E(1), "each coordinate is sent to itself", 32),
    "coordinate-permuted": (
        "(4,(4,2)):(e1,(e0,6e1))",
        lambda m, n: (n % 4) * E(0) + (m + 6 * (n // 4)) * E(1),
        "4×4 blocks are transposed and set 6 apart",
        32,
    ),
}


def _example(name: str) -> Claim:
    text, f, meaning, images = _EXAMPLES[name]
    L = layout(text)
    checks = {
        "table": on(_is_f(f), L, lambda: perturbed(L)),
        "distinct offsets": on(_image_size(images), L, lambda: _wider(L)),
    }
    if name in ("col-major", "row-major", "interleaved", "mixed"):
        checks["one-to-one onto Z_32"] = on(lambda R: bijection_wrong(R, 32), L, lambda: perturbed(L))
    return row_claim(
        f"representation.example.{name}",
        "paper §2.4, the 4×8 examples",
        f"{text}: {meaning}; it has {images} distinct offsets",
        checks,
        f"{perturbed(L)} is, and {_wider(L)} has as many offsets",
    )


def _swizzled() -> Claim:
    L = layout("(4,(4,3)):(f1,(f5,f16))")

    def bits(m: int, n: int) -> F2:
        """Strides scaled bit by bit: XOR of the stride shifted to every bit that is set."""
        x = 0
        for digit, stride in ((m, 1), (n % 4, 5), (n // 4, 16)):
            for bit in range(2):
                if digit >> bit & 1:
                    x ^= stride << bit
        return F2(x)

    def against(candidate: Layout) -> Counterexample:
        for n in range(12):
            for m in range(4):
                if candidate((m, n)) != bits(m, n):
                    return {"coordinate": (m, n), "expected": bits(m, n), "got": candidate((m, n))}
        return None

    def one_to_one(candidate: Layout) -> Counterexample:
        return None if len(image(candidate)) == 48 else {"expected": "48 offsets", "got": len(image(candidate))}

    return row_claim(
        "representation.example.swizzled",
        "paper §2.4, the 4×12 example over F₂",
        "(4,(4,3)):(f1,(f5,f16)) is the XOR of its strides, one shifted copy for each bit of a digit, and one-to-one",
        {
            "table": on(against, L, layout("(4,(4,3)):(f1,(f5,f19))")),
            "one-to-one": on(one_to_one, L, layout("(4,(4,3)):(f1,(f5,f6))")),
        },
        "(4,(4,3)):(f1,(f5,f19)) is the same function, and (4,(4,3)):(f1,(f5,f6)) one-to-one",
    )


# Slicing and the snippet of 2.5.1

_SNIPPET = """
thr_layout = composition(data, thr_val)
tiled_data = zipped_divide(thr_layout, tiler)
thr_data = {sliced}[thr_id, None]
"""


def _unbound(sliced: str) -> Outcome:
    """Names that are read before anything binds them; what the snippet is given counts as bound."""
    bound = {"composition", "zipped_divide", "data", "thr_val", "tiler", "thr_id"}
    for statement in ast.parse(_SNIPPET.format(sliced=sliced)).body:
        assert isinstance(statement, ast.Assign)
        for node in ast.walk(statement.value):
            if isinstance(node, ast.Name) and node.id not in bound:
                return table({"names": lambda name=node.id, line=node.lineno: {"unbound": name, "line": line - 1}})  # type: ignore[misc]
        bound |= {t.id for t in statement.targets if isinstance(t, ast.Name)}
    return table({"names": lambda: None})


def _choices(shape: HTuple, crd: HTuple) -> Iterator[tuple[HTuple, HTuple]]:
    """A coordinate with some of its parts kept (None) in place of fixed, and what was kept, grouped as the slice is.

    Within a tuple the kept parts stand side by side; a tuple of which one part is kept stands for that part.
    """
    yield None, (crd,)
    yield crd, ()
    if not isinstance(crd, tuple):
        return
    for parts in product(*map(_choices, shape, crd)):
        asked = tuple(part for part, _ in parts)
        kept: list[HTuple] = []
        for part, rest in parts:
            kept += [rest] if isinstance(part, tuple) and len(rest) > 1 else rest
        if any(part is None or isinstance(part, tuple) for part in asked):
            yield asked, tuple(kept)


Slice = Callable[[Tensor, HTuple], Any]


def _slices(L: Layout, sliced: Slice = lambda T, asked: T[asked]) -> Counterexample:
    """T(c)=*(e+L(c)) with c = c'+c*: the slice of a tensor, itself a tensor, has at what is kept what T has at c.

    The accessor counts: the element at an offset is the offset. Every choice of what is kept is tried, all of it too.
    """
    T = Tensor(lambda place: place, L, L(1))
    for c in naturals(L.shape):
        expected = evaluate(L, c) + evaluate(L, 1)
        if T[c] != expected:
            return {"layout": L, "coordinate": c, "expected": expected, "got": T[c]}
        for asked, kept in _choices(L.shape, c):
            if not kept:
                continue
            part = sliced(T, asked)
            at = kept if asked is not None and (len(kept) > 1 or isinstance(part.layout.shape, tuple)) else kept[0]
            if not is_in_bounds(at, part.layout.shape) or part[at] != expected:
                got = part[at] if is_in_bounds(at, part.layout.shape) else f"{at} is out of bounds of {part.layout}"
                return {"layout": L, "coordinate": c, "slice": asked, "kept": at, "expected": expected, "got": got}
    return None


def _mixed_semimodules(strides: tuple[Any, Any]) -> Counterexample:
    """Layouts of both kinds that are made after all: as modes of one, or concatenated."""
    makes: list[Callable[[], Any]] = [
        lambda: Layout((4, 3), strides),
        lambda: concatenate(Layout(4, strides[0]), Layout(3, strides[1])),
    ]
    for make in makes:
        try:
            return {"strides": strides, "got": make()}
        except InputError:
            pass
    return None


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "representation.htuple.orders",
        "paper §2.1, [2.3] [2.4] [2.7]",
        "Congruence, weak congruence and compatibility are what the definitions say; ≲ is antisymmetric up to ~, "
        "⪯ up to equality, and P⪯S gives P≲S and |P|=|S|",
        lambda: for_all(_pairs(), lambda pair: _orders(*pair), "pairs of shapes"),
        Mutant(
            "P≲S with equal sizes already gives P⪯S",
            lambda: for_all(_pairs(), lambda pair: _orders(pair[0], pair[1], _same_size)),
        ),
        first(_pairs, lambda pair: refined_by(*pair) and pair[0] != pair[1], show),
        bounded("shapes of at most 3 leaves, sizes to 2, depth to 2, and four of size 8"),
    ),
    Claim(
        "representation.htuple.transitive",
        "paper §2.1, [2.4] [2.7]",
        "Weak congruence and compatibility are transitive, so coarsenings of coarsenings are coarsenings",
        lambda: _transitive(lambda p, s: coarsens(p, s) and refined_by(p, s) == htuple.compatible(p, s)),
        Mutant(
            "The union of ⪯ and its converse is transitive",
            lambda: _transitive(lambda p, s: refined_by(p, s) or refined_by(s, p)),
        ),
        exhibit(
            "4 ⪯ (2,2) ⪯ (2,(2,1)) and 4 ⪯ (2,(2,1))",
            lambda: all(starmap(refined_by, [(4, (2, 2)), ((2, 2), (2, (2, 1))), (4, (2, (2, 1)))])),
        ),
        bounded("shapes of at most 3 leaves, sizes to 2"),
    ),
    Claim(
        "representation.htuple.rank-depth",
        "paper §2.1, [2.2]",
        "An element has rank 1 and depth 0; a tuple has as many modes as parts and is one deeper than its deepest part",
        lambda: for_all(shapes(), lambda t: _rank_and_depth(t, htuple.rank), "HTuples"),
        Mutant(
            "The rank is the number of leaves",
            lambda: for_all(shapes(), lambda t: _rank_and_depth(t, lambda t: len(flat(t)))),
        ),
        first(shapes, lambda t: _nesting(t) == 2 and len(t) < len(flat(t)), shape_text),
        bounded("at most 3 leaves, depth to 2"),
    ),
    Claim(
        "representation.coordinates.index-bijection",
        "paper §2.2, idx2crd and crd2idx",
        "idx2crd takes Z_|S| one-to-one onto the natural coordinates in bounds; crd2idx undoes it at every integer",
        lambda: for_all(shapes(), _index_round_trip, "shapes, each at indices from −|S|−2 to 3|S|+1"),
        Mutant(
            "So does idx2crd with period |S|",
            lambda: for_all(shapes(), lambda s: _index_round_trip(s, lambda i, s: idx2crd(i % volume(s), s))),
        ),
        first(shapes, lambda s: len(list(naturals(s))) == 12, lambda s: f"{shape_text(s)} has 12 coordinates"),
        bounded("shapes of at most 3 leaves, sizes to 3"),
    ),
    Claim(
        "representation.coordinates.index-bijection-symbolic",
        "paper §2.2, idx2crd and crd2idx",
        "idx2crd recovers every in-bounds natural coordinate from its index, whatever the sizes",
        _solver_round_trip,
        Mutant("It does so from the index that counts the last mode fastest", lambda: _solver_round_trip(True)),
        exhibit("the sizes (2,3,4) and the index 23 of (1,2,3)", lambda: join((1, 2, 3), (2, 3, 4)) == 23),
        rank_at_most(3, "idx2crd itself is compared at sizes to 3"),
    ),
    Claim(
        "representation.coordinates.inverse-in-bounds-only",
        "paper §2.2",
        "Out of bounds idx2crd does not undo crd2idx: two natural coordinates share an index",
        lambda: exists(_outside(True), _back_and_forth_outside, "coordinates out of bounds"),
        Mutant("Two in bounds do", lambda: exists(_outside(False), _back_and_forth_outside)),
        exhibit(
            "(2,0) is admissible for the shape (2,2), and out of bounds",
            lambda: is_admissible((2, 0), (2, 2)) and not is_in_bounds((2, 0), (2, 2)),
        ),
    ),
    Claim(
        "representation.coordinates.colexicographic",
        "paper §2.2",
        "Indices count natural coordinates in colexicographic order: the first mode fastest",
        lambda: for_all(shapes(), _colexicographic, "shapes"),
        Mutant("The order is lexicographic", lambda: for_all(shapes(), lambda s: _colexicographic(s, False))),
        first(shapes, lambda s: len(flat(s)) > 1 and volume(s) > max(flat(s)), shape_text),
        bounded("shapes of at most 3 leaves, sizes to 3"),
    ),
    Claim(
        "representation.coordinates.last-mode-unreduced",
        "paper §2.2, §2.4.3",
        "The last digit is not reduced, so a layout has a value at every integer; (3,1):(1,4) sends 3 to 4",
        lambda: table(
            {
                "(3,1):(1,4) at 3": lambda: (
                    None if layout("(3,1):(1,4)")(3) == 4 else {"got": layout("(3,1):(1,4)")(3)}
                ),
                "all of them": lambda: for_all(nested((1, 2), (0, 1, 3)), _extended_values).witness,
            }
        ),
        Mutant(
            "Past its end a layout starts again",
            lambda: for_all(nested((1, 2), (0, 1, 3)), lambda L: _extended_values(L, lambda i: L(i % volume(L.shape)))),
        ),
        exhibit(
            "3 is an integral coordinate out of bounds of (3,1)",
            lambda: 3 in Extended((3, 1)) and not is_in_bounds(3, (3, 1)),
        ),
        bounded("shapes of at most 3 leaves, sizes to 2, strides 0, 1, 3"),
    ),
    row_claim(
        "representation.coordinates.two-sets",
        "paper §2.2, [2.9] to [2.14]",
        "The bounded coordinate set and the unbounded one, printed with nearly the same sign, are different sets",
        _two_types(),
        "One set has what is said of the other",
    ),
    Claim(
        "representation.layout.every-coarsening",
        "paper §2.4, [2.8] [2.17]",
        "A layout is one function for each coordinate set in Z(S): coordinates with one index have one offset",
        lambda: for_all(nested((1, 2), (0, 1, 3)), _every_coarsening, "layouts, each at all of Z(S)"),
        Mutant(
            "So have coordinates whose index is counted with the last mode fastest",
            lambda: for_all(nested((1, 2), (0, 1, 3)), lambda L: _every_coarsening(L, _last_fastest)),
        ),
        exhibit(
            "11, (3,2) and ((1,1),2) are one coordinate of ((2,2),3)",
            lambda: {join(c, ((2, 2), 3)) for c in (11, (3, 2), ((1, 1), 2))} == {11},
        ),
        bounded("shapes of at most 3 leaves, sizes to 2, strides 0, 1, 3"),
    ),
    row_claim(
        "representation.layout.example-26",
        "paper §2.4, [2.17]",
        "((2,2),(4,2)):((1,8),(2,16)) sends 22, (2,5) and ((0,1),(1,1)) to 26",
        {
            shape_text(c): on(
                _sends(c, 26), layout("((2,2),(4,2)):((1,8),(2,16))"), layout("((2,2),(4,2)):((1,9),(2,16))")
            )
            for c in (22, (2, 5), ((0, 1), (1, 1)))
        },
        "((2,2),(4,2)):((1,9),(2,16)) does",
    ),
    Claim(
        "representation.layout.zero",
        "paper §2.4",
        "L(0) = 0, always",
        lambda: _zero(),
        Mutant("L(1) = 0, always", lambda: _zero(at=1)),
        exhibit("(2,3):(5,7) is a layout of rank 2 with |L| > 0", lambda: volume(layout("(2,3):(5,7)").shape) == 6),
        rank_at_most(3),
        doubts=(4,),
    ),
    Claim(
        "representation.layout.linear-in-natural-coordinates",
        "paper §2.4.4",
        "A layout is additive in natural coordinates of its own profile",
        lambda: for_all(_linear_family(), lambda L: _is_linear(L, _natural_pairs(L)), "layouts, each at all pairs"),
        Mutant(
            "It is additive in integral coordinates",
            lambda: for_all(_linear_family(), lambda L: _is_linear(L, _index_pairs(L))),
        ),
        exhibit("(1,2)+(2,1) = (3,3), in bounds of (4,8)", lambda: is_in_bounds((1 + 2, 2 + 1), (4, 8))),
    ),
    Claim(
        "representation.layout.not-linear-elsewhere",
        "paper §2.4.4",
        "In integral coordinates a layout need not be additive",
        lambda: exists(
            flat_layouts(2, (1, 2), (0, 1)), lambda L: _is_linear(L, _index_pairs(L)), "layouts, smallest first"
        ),
        Mutant(
            "Some layout with one mode is not additive in integral coordinates",
            lambda: exists(flat_layouts(1, (1, 2, 3), (0, 1, 2)), lambda L: _is_linear(L, _index_pairs(L))),
        ),
        given("2:1"),
    ),
    Claim(
        "representation.layout.matrices",
        "paper §2.4.4",
        "Integer strides are a 1×n integer matrix, coordinate strides an m×n one, F₂ strides one over F₂",
        lambda: table({k: lambda v=v: _as_matrix(layout(v[0]), *v[1:]) for k, v in _MATRICES.items()}),  # type: ignore[misc]
        Mutant(
            "F₂ strides are an integer matrix of bits",
            lambda: table({"F2": lambda: _as_matrix(layout("(8,8):(f1,f9)"), 6)}),
        ),
        given(),
    ),
    *[_example(name) for name in _EXAMPLES],
    _swizzled(),
    Claim(
        "representation.concatenation",
        "paper §3.1",
        "(L₀,L₁)(c₀,c₁) = L₀(c₀)+L₁(c₁), and layouts of different semimodules do not concatenate",
        lambda: table(
            {
                "sum": lambda: (
                    for_all(
                        product(nested((2, 3), (0, 1)), flat_layouts(1, (2, 3), (0, 5))),
                        lambda p: _concatenated(*p),
                    ).witness
                ),
                "4:2 and 3:e0": lambda: _mixed_semimodules((2, E(0))),
                "4:f2 and 3:2": lambda: _mixed_semimodules((F2(2), 2)),
            }
        ),
        Mutant(
            "(L₀,L₁)(c₀,c₁) = L₀(c₁)+L₁(c₀)",
            lambda: for_all(
                product(nested((2, 3), (0, 1)), flat_layouts(1, (2, 3), (0, 5))),
                lambda p: _concatenated(p[0], p[1], True),
            ),
        ),
        exhibit(
            "4:2 and 3:1 have offsets in one semimodule, 4:2 and 3:e0 have not",
            lambda: layout("4:2").semimodule == layout("3:1").semimodule != layout("3:e0").semimodule,
        ),
        bounded("first part of at most 3 leaves, sizes 2 and 3, strides 0 and 1; second of one, strides 0 and 5"),
    ),
    Claim(
        "representation.tensor.slicing",
        "paper §2.5, [2.18] [2.19]",
        "Slicing splits c = c'+c*: T(c) = (e+L(c'))∘L(c*) for every choice of what is fixed",
        lambda: for_all(_linear_family(), _slices, "layouts, a tensor each, at every coordinate and choice"),
        Mutant(
            "So it is without the offset of what is fixed",
            lambda: for_all(
                _linear_family(), lambda L: _slices(L, lambda T, asked: Tensor(T.data, slice_(L, asked)[0], T.start))
            ),
        ),
        exhibit(
            "((2,2),(4,2)):((1,8),(2,16)) with one mode of four fixed",
            lambda: ((None, (1, None)), ((1, 1), 0)) in list(_choices(((2, 2), (4, 2)), ((1, 1), (1, 0)))),
        ),
    ),
    Claim(
        "representation.tensor.snippet-unbound-name",
        "paper §2.5.1, the 'permute and reshape' snippet",
        "Every name that the snippet reads is bound: it defines tiled_data and slices thr_tile_data",
        lambda: _unbound("thr_tile_data"),
        Mutant("The same without the definition of tiled_data", lambda: _unbound("data_tiled")),
        given("the snippet, retold"),
        finding=Finding("thr_tile_data is read and never bound", "representation.tensor.snippet-repaired"),
        doubts=(5,),
    ),
    Claim(
        "representation.tensor.snippet-repaired",
        "ours; paper §2.5.1",
        "With tiled_data sliced every name of the snippet is bound",
        lambda: _unbound("tiled_data"),
        Mutant("With tiled sliced it is, too", lambda: _unbound("tiled")),
        given("the snippet, retold"),
        doubts=(5,),
    ),
)


def _concatenated(a: Layout, b: Layout, is_swapped: bool = False) -> Counterexample:
    whole = concatenate(a, b)
    if whole != Layout((a.shape, b.shape), (a.stride, b.stride)):
        return {"layouts": (a, b), "got": whole}
    for i in range(volume(a.shape)):
        for j in range(volume(b.shape)):
            expected = a(j) + b(i) if is_swapped else a(i) + b(j)
            if whole((i, j)) != expected:
                return {"layouts": (a, b), "coordinate": (i, j), "expected": expected, "got": whole((i, j))}
    return None


def _zero(at: int = 0) -> Outcome:
    from ...smt.layouts import VERSION, Question, Stopwatch, SymbolicLayout

    watch = Stopwatch()

    def ask(rank: int) -> Counterexample:
        q = Question()
        L = SymbolicLayout.unknown(q, "L", rank)
        return q.refute(L.at_index(q, at) != 0)

    return by_solver({f"rank {rank}": partial(ask, rank) for rank in (1, 2, 3)}, VERSION, lambda: watch.ms)


__all__ = ["CLAIMS", "nested", "shapes", "table_of"]
