"""Sections 2.6.1 and 2.6.2: COPY and GEMM, each row run on a memory of its own and compared with what its name says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from ...model.htuple import unflatten
from ...model.layout import Layout
from ...model.notation import layout
from ...model.tensor import Tensor, copy
from ..claim import Claim, Counterexample, Mutant, Outcome, for_all, proved, refuted
from ..definitions import flat, flat_layouts, image, naturals, perturbed, table_of, volume
from ..verdict import Evidence, EvidenceKind, bounded
from .rows import Wrong, exhibit, first, on, row_claim, show

# COPY


def copied(source: Layout, target: Layout) -> dict[int, int]:
    """What veritile's copy writes, from a memory where every offset holds itself: offset of the target -> offset read.

    Places that nothing is written to are left out.
    """
    memory: list[int | None] = [None] * (max(table_of(target)) + 1)
    copy(Tensor(lambda offset: offset, source), Tensor(memory, target))
    return {offset: read for offset, read in enumerate(memory) if read is not None}


def copy_wrong(source: Layout, target: Layout) -> Counterexample:
    """The precondition, and dst(i) = src(i) for every i once all are written."""
    if volume(source.shape) != volume(target.shape):
        return {"kind": "size", "expected": volume(source.shape), "got": volume(target.shape)}
    memory = copied(source, target)
    for i in range(volume(source.shape)):
        if memory.get(target(i)) != source(i):
            return {"index": i, "expected": source(i), "got": memory.get(target(i))}
    return None


def _moves(wanted: Callable[[], dict[int, int]]) -> Wrong:
    def check(case: tuple[str, str]) -> Counterexample:
        got = copied(*map(layout, case))
        for offset, read in wanted().items():
            if got.get(offset) != read:
                return {"offset": offset, "expected": read, "got": got.get(offset)}
        return None if len(got) == len(wanted()) else {"kind": "count", "expected": len(wanted()), "got": len(got)}

    return check


_COPIES: dict[str, tuple[str, str, str, Callable[[], dict[int, int]]]] = {
    "1D": ("8:1", "8:1", "each of 8 elements to its own place", lambda: {i: i for i in range(8)}),
    "ND": (
        "(8,2,3):(1,16,32)",
        "(8,2,3):(1,16,32)",
        "a box of 8×2×3 in a larger array, to its own place",
        lambda: {i + 16 * j + 32 * k: i + 16 * j + 32 * k for i in range(8) for j in range(2) for k in range(3)},
    ),
    "gather": (
        "(2,3,2):(42,1,128)",
        "12:1",
        "scattered elements to 12 places in a row",
        lambda: {i + 2 * j + 6 * k: 42 * i + j + 128 * k for i in range(2) for j in range(3) for k in range(2)},
    ),
    "scatter": (
        "12:1",
        "(2,3,2):(42,1,128)",
        "12 elements in a row to scattered places",
        lambda: {42 * i + j + 128 * k: i + 2 * j + 6 * k for i in range(2) for j in range(3) for k in range(2)},
    ),
    "broadcast": ("7:0", "7:1", "one element to 7 places", lambda: dict.fromkeys(range(7), 0)),
    "constant": ("7:0", "7:0", "one element to one place, 7 times", lambda: {0: 0}),
    "transpose": (
        "(8,3):(1,8)",
        "(8,3):(3,1)",
        "a column-major matrix to a row-major one",
        lambda: {3 * m + n: m + 8 * n for m in range(8) for n in range(3)},
    ),
    "tensor-transpose": (
        "(8,(3,5)):(1,(57,8))",
        "(8,15):(1,8)",
        "two modes of a tensor in the other order",
        lambda: {m + 8 * j + 24 * k: m + 57 * j + 8 * k for m in range(8) for j in range(3) for k in range(5)},
    ),
}


def _copy(name: str) -> Claim:
    source, target, meaning, wanted = _COPIES[name]
    # The source is changed: a constant copy's target may be anything with one value read.
    changed = str(perturbed(layout(source)))
    return row_claim(
        f"copy.{name}",
        "paper §2.6.1, table of COPY",
        f"{source} → {target} copies {meaning}",
        {
            "sizes agree, dst(i) = src(i)": on(
                lambda case: copy_wrong(*map(layout, case)), (source, target), ("8:1", "(4,2):(1,0)")
            ),
            "what its name says": on(_moves(wanted), (source, target), (changed, target)),
        },
        f"{changed} → {target} copies the same, and 8:1 → (4,2):(1,0) is a copy",
    )


def _copy_pairs() -> Iterator[tuple[Layout, Layout]]:
    some = list(flat_layouts(2, (1, 2, 3), (0, 1, 2)))
    return ((a, b) for a, b in product(some, some) if volume(a.shape) == volume(b.shape))


def _well_defined(pair: tuple[Layout, Layout], is_enough: Callable[[tuple[Layout, Layout]], bool]) -> Counterexample:
    wrong = copy_wrong(*pair)
    return None if (wrong is None) == is_enough(pair) else {"source": pair[0], "target": pair[1], **(wrong or {})}


def _is_function(pair: tuple[Layout, Layout]) -> bool:
    """dst(i) = dst(j) gives src(i) = src(j): each place is written with one value."""
    reads: dict[int, set[int]] = {}
    for s, d in zip(table_of(pair[0]), table_of(pair[1]), strict=True):
        reads.setdefault(d, set()).add(s)
    return all(len(offsets) == 1 for offsets in reads.values())


# GEMM


Matrix = dict[tuple[Any, ...], int]


def _preconditions(A: Layout, B: Layout, C: Layout) -> Counterexample:
    pairs = {"size₀A = size₀C": (A[0], C[0]), "size₀B = size₁C": (B[0], C[1]), "size₁A = size₁B": (A[1], B[1])}
    for name, (left, right) in pairs.items():
        if volume(left.shape) != volume(right.shape):
            return {"precondition": name, "left": volume(left.shape), "right": volume(right.shape)}
    for name, part in {"batch of A": A, "batch of B": B}.items():
        if len(C) > 2 and volume(part[2].shape) != volume(C[2].shape):
            return {"precondition": name, "left": volume(part[2].shape), "right": volume(C[2].shape)}
    return None


def gemm(A: Layout, B: Layout, C: Layout) -> dict[int, int]:
    """The generic GEMM on memories where A holds a²+1 and B 3b+2 at offsets a, b: what C holds afterwards."""
    memory: dict[int, int] = {}
    batches = [(b,) for b in range(volume(C[2].shape))] if len(C) > 2 else [()]
    m, n, k = (volume(part.shape) for part in (C[0], C[1], A[1]))
    for batch in batches:
        for i, j, p in product(range(m), range(n), range(k)):
            a, b = A((i, p, *batch)), B((j, p, *batch))
            where = C((i, j, *batch))
            memory[where] = memory.get(where, 0) + (a * a + 1) * (3 * b + 2)
    return memory


def a_at(offset: int) -> int:
    """What A's memory holds."""
    return offset * offset + 1


def b_at(offset: int) -> int:
    """What B's memory holds."""
    return 3 * offset + 2


# Each row with numbers, and its meaning: every offset of C with the sum that belongs there, written without layouts.
M, N, K = 4, 3, 2
LDA, LDB, LDC = 5, 7, 6


def _nt() -> dict[int, int]:
    return {
        m + LDC * n: sum(a_at(m + LDA * k) * b_at(n + LDB * k) for k in range(K)) for m in range(M) for n in range(N)
    }


def _tn() -> dict[int, int]:
    return {
        m + LDC * n: sum(a_at(LDA * m + k) * b_at(LDB * n + k) for k in range(K)) for m in range(M) for n in range(N)
    }


def _ntt() -> dict[int, int]:
    """Row-major C of M×N with leading dimension ldc: c[m·ldc + n] = Σ lda-matrix(m,k)·ldb-matrix(n,k)."""
    return {
        LDC * m + n: sum(a_at(n + LDB * k) * b_at(m + LDA * k) for k in range(K)) for m in range(M) for n in range(N)
    }


def _blis() -> dict[int, int]:
    return {
        2 * m + 11 * n: sum(a_at(3 * m + 17 * k) * b_at(5 * n + 19 * k) for k in range(K))
        for m in range(M)
        for n in range(N)
    }


def _gett() -> dict[int, int]:
    """A tensor A[m₁ + 4·m₂ + 9·k], a matrix B[2·n + k], a tensor C[m₁ + 5·m₂ + 13·n]."""
    return {
        i + 5 * j + 13 * n: sum(a_at(i + 4 * j + 9 * k) * b_at(2 * n + k) for k in range(2))
        for i in range(2)
        for j in range(2)
        for n in range(3)
    }


def _conv() -> dict[int, int]:
    """A convolution written as such: out[z,p,q,k] = Σ filter[k,c,t,r,s] · in[z+t, p+r, q+s, c], one image."""
    out = {}
    for k, z, p, q in product(range(2), range(2), range(2), range(3)):
        total = 0
        for c, t, r, s in product(range(2), range(2), range(1), range(2)):
            weight = k + 2 * (c + 2 * (t + 2 * (r + s)))
            pixel = c + 2 * ((q + s) + 4 * ((p + r) + 2 * (z + t)))
            total += a_at(weight) * b_at(pixel)
        out[k + 2 * (q + 3 * (p + 2 * z))] = total
    return out


_GEMMS: dict[str, tuple[str, str, str, str, Callable[[], dict[int, int]]]] = {
    "NT": ("(4,2):(1,5)", "(3,2):(1,7)", "(4,3):(1,6)", "A and B column-major, C column-major", _nt),
    "TN": ("(4,2):(5,1)", "(3,2):(7,1)", "(4,3):(1,6)", "A and B row-major, C column-major", _tn),
    "NTT": ("(3,2):(1,7)", "(4,2):(1,5)", "(3,4):(1,6)", "the N×M problem, which is a row-major M×N C", _ntt),
    "BLIS": ("(4,2):(3,17)", "(3,2):(5,19)", "(4,3):(2,11)", "any strides", _blis),
    "GETT": (
        "((2,2),2):((1,4),9)",
        "(3,2):(2,1)",
        "((2,2),3):((1,5),13)",
        "a tensor contraction, two modes folded into M",
        _gett,
    ),
    "CONV": (
        "(2,(2,2,1,2)):(1,(2,4,8,8))",
        "((1,2,2,3),(2,2,1,2)):((0,16,8,2),(1,16,8,2))",
        "(2,(1,2,2,3)):(1,(0,12,6,2))",
        "a convolution through its im2col layout",
        _conv,
    ),
}


def _result(A: Layout, B: Layout, C: Layout, wanted: Callable[[], dict[int, int]]) -> Counterexample:
    got = gemm(A, B, C)
    for where, value in wanted().items():
        if got.get(where) != value:
            return {"offset": where, "expected": value, "got": got.get(where)}
    return None if got.keys() == wanted().keys() else {"kind": "offsets", "got": sorted(got)}


def _gemm(name: str) -> Claim:
    a, b, c, meaning, wanted = _GEMMS[name]
    A, B, C = layout(a), layout(b), layout(c)
    exchanged = perturbed_size(A)
    mutant = f"{a} | {perturbed(B)} | {c} computes the same, and {exchanged} in place of A meets the preconditions"
    if name == "NTT":
        exchanged = B
        mutant = "(M,K):(1,lda) | (N,K):(1,ldb) | (N,M):(1,ldc) meets the preconditions: the transposition suspected"

    return row_claim(
        f"gemm.{name}",
        "paper §2.6.2, table of GEMM",
        f"{name}: {a} | {b} | {c} meets the preconditions and computes {meaning}",
        {
            "preconditions": on(
                lambda case: _preconditions(*case), (A, B, C), (exchanged, A if name == "NTT" else B, C)
            ),
            "result": on(lambda B: _result(A, B, C, wanted), B, lambda: perturbed(B)),
        },
        mutant,
        doubts=(5,) if name == "NTT" else (),
    )


def perturbed_size(L: Layout) -> Layout:
    """The layout with one more element in its first mode."""
    sizes = flat(L.shape)
    return Layout(unflatten([sizes[0] + 1, *sizes[1:]], L.shape), L.stride)


def _batched(name: str) -> Claim:
    a, b, c, _, _ = _GEMMS[name]

    def with_batch(L: Layout, step: int) -> Layout:
        return Layout((*L.shape, 2), (*L.stride, step))

    A, B, C = with_batch(layout(a), 100), with_batch(layout(b), 1000), with_batch(layout(c), 500)

    def with_three(L: Layout) -> Layout:
        return Layout((*L.shape, 3), (*L.stride, 1000))

    def result(batched_b: Layout) -> Counterexample:
        got = gemm(A, batched_b, C)
        wanted: dict[int, int] = {}
        for batch in range(2):
            for m, n, k in product(naturals(C[0].shape), naturals(C[1].shape), naturals(A[1].shape)):
                where = layout(c)((m, n)) + 500 * batch
                a_value, b_value = layout(a)((m, k)) + 100 * batch, layout(b)((n, k)) + 1000 * batch
                wanted[where] = wanted.get(where, 0) + a_at(a_value) * b_at(b_value)
        for where, value in wanted.items():
            if got.get(where) != value:
                return {"offset": where, "expected": value, "got": got.get(where)}
        return None

    return row_claim(
        f"gemm.batched.{name}",
        "paper §2.6.2, batched GEMM",
        f"{name} with one more mode of 2 on each operand is two independent products",
        {
            "preconditions": on(lambda case: _preconditions(*case), (A, B, C), (A, with_three(layout(b)), C)),
            "result": on(result, B, Layout(B.shape, (*layout(b).stride, 0))),
        },
        "B may have three of them, and its batch mode with stride 0 is the same",
    )


# The preconditions for all sizes: both sides are products of named sizes

# The sizes of each row by name, and the names of each operand's modes: together the shapes of the row's layouts.
_SIZES: dict[str, dict[str, int]] = {
    "NT": {"M": M, "N": N, "K": K},
    "TN": {"M": M, "N": N, "K": K},
    "NTT": {"M": M, "N": N, "K": K},
    "BLIS": {"M": M, "N": N, "K": K},
    "GETT": {"M1": 2, "M2": 2, "N": 3, "K": 2},
    "CONV": {"K": 2, "C": 2, "T": 2, "R": 1, "S": 2, "N": 1, "Z": 2, "P": 2, "Q": 3},
}
_NAMES: dict[str, tuple[str, str, str]] = {
    "NT": ("M|K", "N|K", "M|N"),
    "TN": ("M|K", "N|K", "M|N"),
    "NTT": ("N|K", "M|K", "N|M"),
    "BLIS": ("M|K", "N|K", "M|N"),
    "GETT": ("M1 M2|K", "N|K", "M1 M2|N"),
    "CONV": ("K|C T R S", "N Z P Q|C T R S", "K|N Z P Q"),
}


def _not_its_layout(row: str, names: str, L: Layout) -> Counterexample:
    """Whether the names of an operand's modes, at the row's sizes, are the shape of the row's layout."""
    sizes = tuple(tuple(_SIZES[row][name] for name in mode.split()) for mode in names.split("|"))
    wanted = tuple(mode[0] if len(mode) == 1 else mode for mode in sizes)
    return None if L.shape == wanted else {"row": row, "names": names, "expected": L.shape, "got": wanted}


def _for_all_sizes(rows: Iterable[str], is_exchanged: bool = False) -> Outcome:
    """The preconditions of each row as identities of products of named sizes, the names being those of its layouts."""
    import sympy

    def sizes(mode: str) -> Any:
        return sympy.prod([sympy.Symbol(name, positive=True, integer=True) for name in mode.split()])

    identities = 0
    for row in rows:
        names = dict(zip("ABC", _NAMES[row], strict=True))
        for operand, text in zip("ABC", _GEMMS[row][:3], strict=True):
            wrong = _not_its_layout(row, names[operand], layout(text))
            if wrong:
                return refuted(wrong)
        if is_exchanged:
            names["A"], names["B"] = names["B"], names["A"]
        (a0, a1), (b0, b1), (c0, c1) = (tuple(map(sizes, names[operand].split("|"))) for operand in "ABC")
        for what, left, right in (
            ("size₀A = size₀C", a0, c0),
            ("size₀B = size₁C", b0, c1),
            ("size₁A = size₁B", a1, b1),
        ):
            identities += 1
            if sympy.expand(left - right) != 0:
                return refuted({"row": row, "precondition": what, "left": str(left), "right": str(right)})
    return proved(
        Evidence(EvidenceKind.ALGEBRA, "identities", cases=identities, solver="sympy", version=sympy.__version__)
    )


CLAIMS: tuple[Claim, ...] = (
    *[_copy(name) for name in _COPIES],
    Claim(
        "copy.well-defined",
        "paper §2.6.1, the postcondition dst(i) = src(i)",
        "COPY establishes dst(i) = src(i) for every i exactly when dst(i) = dst(j) gives src(i) = src(j)",
        lambda: for_all(_copy_pairs(), lambda p: _well_defined(p, _is_function), "pairs of layouts of one size"),
        Mutant("Equal sizes are enough", lambda: for_all(_copy_pairs(), lambda p: _well_defined(p, lambda _: True))),
        first(_copy_pairs, lambda p: _is_function(p) and len(image(p[1])) > 1, show),
        bounded("two modes each, sizes to 3, strides 0 to 2"),
    ),
    *[_gemm(name) for name in _GEMMS],
    *[_batched(name) for name in _GEMMS],
    Claim(
        "gemm.preconditions",
        "paper §2.6.2, table of GEMM",
        "All six rows, NTT among them, meet the preconditions for every size of every mode",
        lambda: _for_all_sizes(_GEMMS),
        Mutant("So does NTT with its operands exchanged", lambda: _for_all_sizes(["NTT"], True)),
        exhibit(
            "M=4, N=3, K=2, the sizes of the rows run",
            lambda: _preconditions(*map(layout, _GEMMS["NTT"][:3])) is None,
        ),
        bounded("the rows' own profiles, of every size"),
        doubts=(5,),
    ),
)
