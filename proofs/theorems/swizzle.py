"""Swizzles and strides in F₂ (paper §2.3): for all B, M, S on sequences of bits, and on 64-bit words by bit-vectors."""

# ruff: noqa: D103 — what each proof proves stands above it.
from __future__ import annotations

from random import Random

from ...model.errors import InputError
from ...model.swizzle import Swizzle
from ...smt.terms import (
    BOOL,
    INT,
    Function,
    Term,
    bit_vector,
    bits,
    bits_le,
    bitwise,
    conj,
    disj,
    eq,
    iff,
    ints,
    ite,
    ne,
    neg,
    variable,
    xor,
)
from ..language import Instance, Mutant, always, theorem
from ..rules import Proof

B, M, S, k = ints("B M S k")
x, y = Function("x", (INT,), BOOL), Function("y", (INT,), BOOL)


def target(k: Term | int) -> Term:
    """Whether the swizzle changes the bit k: B bits from M, or from M − S for a negative S."""
    base = M + ite(S < 0, -S, 0)
    return conj(base <= k, k < base + B)


def swizzled(x: Function, k: Term) -> Term:
    """The bit k of Swizzle(B,M,S) of x: x_k, XOR x_(k+S) where k is a target."""
    return xor(x(k), conj(target(k), x(k + S)))


def twice(k: Term) -> Term:
    """The bit k after the swizzle is applied two times."""
    return xor(swizzled(x, k), conj(target(k), swizzled(x, k + S)))


def _draw(rng: Random) -> Instance:
    word, other = rng.getrandbits(24), rng.getrandbits(24)
    return {
        "B": rng.randint(0, 4),
        "M": rng.randint(0, 3),
        "S": rng.randint(-5, 5),
        "k": rng.randint(-1, 16),
        "x": lambda i: i >= 0 and bool(word >> i & 1),
        "y": lambda i: i >= 0 and bool(other >> i & 1),
    }


def _bit_of_model(i: Instance) -> bool:
    """The model's swizzle has the same bit."""
    try:
        swizzle = Swizzle(i["B"], i["M"], i["S"])
    except InputError:
        return True
    word = sum(i["x"](n) << n for n in range(30))
    low = i["M"] + max(-i["S"], 0)
    expected = i["x"](i["k"]) != (low <= i["k"] < low + i["B"] and i["x"](i["k"] + i["S"]))
    return i["k"] < 0 or bool(swizzle(word) >> i["k"] & 1) == expected


@theorem(
    "swizzle.involution",
    "A swizzle with |S| ≥ B is its own inverse, for all B, M, S and words of any length.",
    given=(B, M, S, x, k),
    hypotheses=(disj(S >= B, -S >= B),),
    conclusion=iff(twice(k), x(k)),
    instance=_draw,
    mutants=(
        Mutant("any S", hypotheses=()),
        Mutant("|S| ≥ B − 1", hypotheses=(disj(S >= B - 1, -S >= B - 1), B >= 2)),
        Mutant("applied once", conclusion=iff(swizzled(x, k), x(k))),
    ),
    meaning=_bit_of_model,
    source="CuTe's Swizzle; paper §2.3",
)
def involution(p: Proof) -> None:
    p.done()


@theorem(
    "swizzle.no-involution",
    "For 0 < |S| < B it is not: two applications differ from none exactly where k and k+S are targets and "
    "x_(k+2S) = 1, "
    "and there is such a k.",
    given=(B, M, S, x, k),
    hypotheses=(disj(conj(S > 0, S < B), conj(S < 0, -S < B)),),
    conclusion=conj(
        iff(xor(twice(k), x(k)), conj(target(k), target(k + S), x(k + S + S))),
        disj(conj(target(M), target(M + S)), conj(target(M - S + B - 1), target(M - S + B - 1 + S))),
    ),
    instance=_draw,
    mutants=(
        Mutant("|S| = B allowed", hypotheses=(disj(conj(S > 0, S <= B), conj(S < 0, -S <= B)),)),
        Mutant("always an involution", conclusion=iff(twice(k), x(k))),
        Mutant("x_(k+S) for x_(k+2S)", conclusion=iff(xor(twice(k), x(k)), conj(target(k), target(k + S), x(k + S)))),
    ),
)
def no_involution(p: Proof) -> None:
    p.done()


@theorem(
    "swizzle.block",
    "A swizzle leaves every bit below M and from M + B + |S| on as it is: it maps each aligned block of "
    "2^(M+B+|S|) into itself.",
    given=(B, M, S, x, k),
    hypotheses=(B >= 0, disj(k < M, conj(k >= M + B + S, k >= M + B - S))),
    conclusion=iff(swizzled(x, k), x(k)),
    instance=_draw,
    mutants=(
        Mutant("from M + B on", hypotheses=(B >= 0, disj(k < M, k >= M + B))),
        Mutant("every bit", hypotheses=(B >= 0,)),
        Mutant("up to M", hypotheses=(B >= 0, disj(k <= M, k >= M + B + S))),
    ),
)
def block(p: Proof) -> None:
    p.done()


_SAME = always((k,), iff(swizzled(x, k), swizzled(y, k)))


@theorem(
    "swizzle.injective",
    "A swizzle with S ≠ 0 is one-to-one: words with one image are equal, bit by bit. With swizzle.block: a "
    "bijection of every "
    "aligned block of 2^(M+B+|S|).",
    given=(B, M, S, x, y, k),
    hypotheses=(ne(S, 0), _SAME),
    conclusion=iff(x(k), y(k)),
    instance=lambda rng: (lambda i: i | ({"y": i["x"]} if rng.random() < 0.5 else {}))(_draw(rng)),
    mutants=(
        Mutant(
            "S = 0",
            hypotheses=(_SAME,),
            instance=lambda rng: (
                _draw(rng)
                | {"S": 0, "B": 2, "M": 0, "x": lambda i: i == 1, "y": lambda i: i == 0, "k": rng.randint(0, 1)}
            ),
        ),
        Mutant("images unknown", hypotheses=(ne(S, 0),)),
        Mutant("the image is the word", conclusion=iff(swizzled(x, k), x(k))),
    ),
)
def injective(p: Proof) -> None:
    base = M + ite(S < 0, -S, 0)
    # A target's bit rests on the bit k + S, which is nearer to the end of the targets.
    p.descent(ite(S > 0, ite(k < base + B, base + B - k, 0), ite(k >= base, k - base + 1, 0)))
    p.at(_SAME, k)
    for case in p.cases(target(k), neg(target(k))):
        if case.is_first:
            case.ih(k=k + S)
        case.done()


@theorem(
    "swizzle.clears",
    "With S = 0 it is no swizzle: every target bit becomes 0.",
    given=(B, M, S, x, k),
    hypotheses=(eq(S, 0), target(k)),
    conclusion=neg(swizzled(x, k)),
    instance=lambda rng: _draw(rng) | {"S": rng.choice([0, 0, 1])},
    mutants=(
        Mutant("any S", hypotheses=(target(k),)),
        Mutant("every bit", hypotheses=(eq(S, 0),)),
        Mutant("becomes 1", conclusion=swizzled(x, k)),
    ),
)
def clears(p: Proof) -> None:
    p.done()


# Words of 64 bits, as the code computes: masks and shifts.

WORD = bit_vector(64)
wb, wm, ws, w, v = (variable(name, WORD) for name in ("b", "m", "s", "w", "v"))
_ONE = bits(1, 64)


def _mask(down: bool) -> Term:
    low = bitwise("bvsub", bitwise("bvshl", _ONE, wb), _ONE)
    return bitwise("bvshl", low, bitwise("bvadd", wm, ws) if down else wm)


def word_swizzled(w: Term, down: bool) -> Term:
    """w XOR ((w AND mask) shifted by s), down or up, as ``Swizzle.__call__`` computes it."""
    return bitwise("bvxor", w, bitwise("bvlshr" if down else "bvshl", bitwise("bvand", w, _mask(down)), ws))


def _words(rng: Random) -> Instance:
    i = {name: rng.randint(0, 20) for name in "bms"}
    return i | {"w": rng.getrandbits(64), "v": rng.getrandbits(64)}


def _model_word(i: Instance) -> bool:
    if i["s"] == 0:
        return True
    down, up = Swizzle(i["b"], i["m"], i["s"]), Swizzle(i["b"], i["m"], -i["s"])
    at = {name: i[name] for name in "bmsw"}
    from ...smt.terms import evaluator

    return down(i["w"]) == evaluator(word_swizzled(w, True))(at) and up(i["w"]) == evaluator(word_swizzled(w, False))(
        at
    )


_LIMITS = (bits_le(wb, bits(64, 64)), bits_le(wm, bits(64, 64)), bits_le(ws, bits(64, 64)))
_FITS = bits_le(bitwise("bvadd", bitwise("bvadd", wb, wm), ws), bits(64, 64))


@theorem(
    "swizzle.word-involution",
    "On 64-bit words, computed by masks and shifts: with |S| ≥ B and M + B + |S| ≤ 64, B < 64, a swizzle down "
    "and one up are "
    "each their own inverse, for symbolic B, M, S.",
    given=(wb, wm, ws, w),
    hypotheses=(*_LIMITS, _FITS, bits_le(wb, ws)),
    conclusion=conj(
        eq(word_swizzled(word_swizzled(w, True), True), w), eq(word_swizzled(word_swizzled(w, False), False), w)
    ),
    instance=_words,
    mutants=(
        Mutant("any shift", hypotheses=(*_LIMITS, _FITS)),
        Mutant("applied once", conclusion=eq(word_swizzled(w, True), w)),
        Mutant("down, then up", conclusion=eq(word_swizzled(word_swizzled(w, True), False), w)),
    ),
    meaning=_model_word,
    source="CuTe's Swizzle",
)
def word_involution(p: Proof) -> None:
    both = []
    for down in (True, False):
        shift = "bvlshr" if down else "bvshl"
        masks = p.have(eq(bitwise("bvand", bitwise(shift, _mask(down), ws), _mask(down)), bits(0, 64)))
        part = bitwise(shift, bitwise("bvand", w, _mask(down)), ws)
        apart = p.have(eq(bitwise("bvand", part, _mask(down)), bits(0, 64)), *p.theorem.hypotheses, masks)
        same = p.have(
            eq(bitwise("bvand", word_swizzled(w, down), _mask(down)), bitwise("bvand", w, _mask(down))), apart
        )
        both.append(p.have(eq(word_swizzled(word_swizzled(w, down), down), w), same))
    p.done(*both)
