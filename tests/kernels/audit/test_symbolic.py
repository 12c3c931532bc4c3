"""Compositions and complements with names, against the model's at values of the names."""

from __future__ import annotations

from random import Random

import pytest

from veritile.kernels.audit.operands import at_values
from veritile.kernels.audit.symbolic import Conditions, Unsettled, complement, compose, cosize
from veritile.model.complement import complement as model_complement
from veritile.model.composition import decide_composition
from veritile.model.layout import Layout, size
from veritile.model.names import Expr, names_in
from veritile.model.properties import cosize as model_cosize
from veritile.model.properties import equal
from veritile.model.semimodule import CoordinateStride, E

N, M, D = Expr.of("n0"), Expr.of("n1"), Expr.of("d2")
VALUES = [{"n0": n, "n1": m, "d2": d} for n in (1, 2, 3, 5) for m in (1, 2, 4) for d in (1, 3, 64)]


def random_named(rng: Random) -> Layout:
    sizes = [rng.choice((2, 4, 8, 8 * N, 4 * M, 16 * N)) for _ in range(rng.randint(1, 3))]
    strides = [rng.choice((1, 2, 8, D, 4 * D, 8 * N)) for _ in sizes]
    return Layout.of(tuple(sizes), tuple(strides))


@pytest.mark.parametrize("seed", range(150))
def test_compositions_hold_at_every_value(seed: int) -> None:
    rng = Random(seed)
    a = random_named(rng)
    b = Layout(
        tuple(rng.choice((2, 4, 8)) for _ in range(2)),
        rng.choice(((1, 8), (1, 4), (2, 16), (1, 2), (8, 1), (0, 4), (3, 6))),
    )
    conditions = Conditions()
    try:
        found = compose(a, b, conditions)
    except Unsettled:
        return
    if conditions.needed or not names_in(a):
        return
    for values in VALUES:
        there = decide_composition(at_values(a, values), b).result
        assert equal(at_values(found, values), there), (a, b, values)


def test_a_composition_that_is_settled_beside_one_that_is_not() -> None:
    assert str(compose(Layout.of((8 * N, M), (1, D)), Layout(8), Conditions())) == "8:1"
    with pytest.raises(Unsettled) as stop:
        compose(Layout.of((8 * N, M), (1, D)), Layout(16), Conditions())
    assert stop.value.split == ("n0", 2)
    conditions = Conditions()
    with pytest.raises(Unsettled, match="n0 divides 6"):
        compose(Layout.of((N, M), (1, D)), Layout(6), conditions)
    # two modes of B that meet inside one of A carry together: 2·4 + 3·1 = 11 < 16, and not below 8
    b = Layout((4, 3), (1, 4))
    assert str(compose(Layout.of((16 * N, M), (1, D)), b, Conditions())) == "(4,3):(1,4)"
    with pytest.raises(Unsettled):
        compose(Layout.of((8 * N, M), (1, D)), b, Conditions())


def test_coordinates_go_axis_by_axis() -> None:
    a = Layout.of((N, (M, 8)), (D, (1, M)))
    b = Layout((4, 2), (E(0), 4 * E(1, 1)))
    assert str(compose(a, b, Conditions())) == "(4,2):(d2,4*n1)"
    with pytest.raises(Unsettled, match="several axes"):
        compose(a, Layout(4, E(0) + E(1)), Conditions())
    with pytest.raises(Unsettled, match="does not have"):
        compose(a, Layout(4, E(2)), Conditions())
    assert compose(a, Layout(4, E(0)), Conditions()).stride != CoordinateStride((((0,), 1),))


@pytest.mark.parametrize(("shape", "stride"), [(4, 1), (4, 2), ((2, 2), (1, 8)), ((4, 2), (2, 16)), ((2, 3), (3, 6))])
def test_complements_hold_at_every_bound(shape: object, stride: object) -> None:
    layout = Layout(shape, stride)
    found = complement(layout, 8 * N + M)
    for values in VALUES:
        bound = (8 * N + M).at(values)
        assert equal(at_values(found, values), model_complement(layout, bound)), (values, bound)
        assert size(at_values(found, values)) * size(layout) >= bound


def test_complements_with_names_in_their_strides() -> None:
    assert str(complement(Layout.of((4, N), (1, 8)), 64 * N)) == "(2,8):(4,8*n0)"
    for broken in (Layout.of((4, 2), (1, D)), Layout((2, 3), (2, 3)), Layout((2, 2), (1, 1)), Layout(2, E(0))):
        with pytest.raises(Unsettled):
            complement(broken, N)


def test_cosizes() -> None:
    named = Layout.of((4, N), (1, 4))
    for values in VALUES:
        assert cosize(named).at(values) == model_cosize(at_values(named, values))
    with pytest.raises(Unsettled, match="sign"):
        cosize(Layout.of((4, N), (1, D)))
