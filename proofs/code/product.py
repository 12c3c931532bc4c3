"""``decide_product``: A beside A*∘B, and how the modes of both are arranged."""

from __future__ import annotations

from typing import Any

from ...model import composition, floor_form, properties
from ...model import product as module
from ...model.errors import ProductRefuted
from ...model.htuple import flatten
from ...model.layout import Layout
from ...smt.symbolic import End, Run, standing_in
from ..verdict import rank_at_most
from .checks import Check, Code, index_below, layout, only_symbolic, outside, value, volume
from .complement import FILLED
from .composition import MORE_RUNS, _limited, leaves_of
from .floor_form import CANCELLED, ENUMERATED


def shifts(form: str) -> Check:
    """s:d repeated over n:m, all of the code: R(a, b) = A(a) + A*(B(b)), and A* is 1:sd with the gap d before."""

    def check(run: Run) -> None:
        a, b = layout(run, "A", 1, least=0), layout(run, "B", 1, least=0)
        stops = (
            standing_in(properties, find_zero=outside(FILLED)),
            standing_in(floor_form, EVENTS=1, _enumerate_carries=outside(ENUMERATED)),
            standing_in(composition, FloorForm=_limited(1), in_bounds=lambda *_: None),
        )
        with only_symbolic(run, *stops):
            try:
                r = module.decide_product(a, b, form).result
            except ProductRefuted:
                run.ended(End.HANDED_OVER, "the refusal of the composition")
                return
        run.ended(End.RETURNED)
        s, d = a.modes[0]
        first, second = index_below(run, "a", volume(a.shape)), index_below(run, "b", volume(b.shape))
        offset = second * b.modes[0][1]
        if s == 1 or d == 0:
            shift = offset
        else:
            gap = offset // d  # A* = (d:1, 1:s·d): what is below d stays, the rest goes s times as far
            shift = offset - gap * d + gap * s * d
        parts = leaves_of(r, (0, 0))
        run.show(volume(r.shape), "==", volume(a.shape) * volume(b.shape), "every element of B repeats A")
        run.show(value(parts[0], first), "==", first * d, "mode A is A")
        run.show(value(parts[1], second), "==", shift, "mode B is A*∘B")

    return check


def arranged(form: str) -> Check:
    """A compact (s,t):(1,s) over B (n,m):(p,q), all of the code: A* is 1:st, and each form has its places."""

    def check(run: Run) -> None:
        sizes = [run.integer(f"A.s{k}", 2, is_size=True) for k in range(2)]
        a = Layout.of(tuple(sizes), (1, sizes[0]))
        b = layout(run, "B", 2)
        for n in flatten(b.shape):
            run.assume(1, "<", n)
        r = module.decide_product(a, b, form).result
        run.ended(End.RETURNED)
        i, j = (index_below(run, f"a{k}", s) for k, s in enumerate(sizes))
        k, m = (index_below(run, f"b{k}", s) for k, s in enumerate(flatten(b.shape)))
        places: dict[str, Any] = {
            "logical": ((i, j), (k, m)),
            "blocked": ((i, k), (j, m)),
            "raked": ((k, i), (m, j)),
            "zipped": ((i, j), (k, m)),
            "tiled": ((i, j), k, m),
            "flat": (i, j, k, m),
        }
        offset = k * b.modes[0][1] + m * b.modes[1][1]
        wanted = i + j * sizes[0] + offset * sizes[0] * sizes[1]
        run.show(volume(r.shape), "==", volume(a.shape) * volume(b.shape), "every element of B repeats A")
        run.show(r(places[form]), "==", wanted, "R(a, b) = A(a) + |A|·B(b)")

    return check


def _b_itself(a: Layout, b: Layout) -> Any:
    """A fault: B is not composed with the complement."""
    return b, ("definition",), True


CODE = (
    Code(
        "code.product",
        "model.product.decide_product, all of its code",
        "The product of s:d and n:m is (A, A*∘B) with A* = (d:1, 1:sd).",
        rank_at_most(1, "strides not negative; A*∘B of one run"),
        {form: shifts(form) for form in ("logical", "zipped")},
        "B is not composed with the complement",
        lambda: standing_in(module, _repeat=_b_itself),
        gaps=(MORE_RUNS, CANCELLED, ENUMERATED, FILLED),
    ),
    Code(
        "code.product.forms",
        "model.product.decide_product, in its forms, all of its code",
        "The product of a compact A and any B has the value A(a) + |A|·B(b) at the places that each form names.",
        rank_at_most(2, "A = (s,t):(1,s), B = (n,m):(p,q), no size 1"),
        {form: arranged(form) for form in module.FORMS},
        "B is not composed with the complement",
        lambda: standing_in(module, _repeat=_b_itself),
    ),
)
