"""What operations should return, beside the model's own operations."""

from __future__ import annotations

from random import Random

import pytest

from veritile.kernels.audit import definitions
from veritile.kernels.audit.symbolic import Unsettled
from veritile.model.coordinate import as_coordinate, crd2idx
from veritile.model.divide import decide_divide
from veritile.model.errors import Refuted
from veritile.model.layout import Layout, size
from veritile.model.names import Expr
from veritile.model.product import decide_product
from veritile.model.properties import equal
from veritile.model.slicing import slice_

N = Expr.of("n0")


def random_compact(rng: Random) -> Layout:
    sizes = tuple(rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.randint(1, 3)))
    return definitions.ordered(sizes, tuple(rng.sample(range(len(sizes)), len(sizes))))


@pytest.mark.parametrize("form", definitions.FORMS)
@pytest.mark.parametrize("seed", range(10))
def test_divides_are_the_models(seed: int, form: str) -> None:
    rng = Random(seed)
    a = random_compact(rng)
    tiler = tuple(rng.choice((1, 2, 3)) for _ in range(rng.randint(1, len(a))))
    expected = definitions.divide(a, tiler, form)
    try:
        found = decide_divide(a, tiler, form).result
    except Refuted:
        assert expected.layout is None
        return
    assert expected.layout is not None
    assert equal(expected.layout, found)
    assert expected.definition is not None
    values = [(expected.definition(i), found(i)) for i in range(size(found))]
    assert all(want is None or want == have for want, have in values)
    assert sum(want is not None for want, _ in values) == size(a)


@pytest.mark.parametrize("form", ["logical", "zipped", "tiled", "flat", "blocked", "raked"])
def test_a_product_that_no_layout_is_has_a_definition(form: str) -> None:
    a, b = Layout((2, 3), (9, 3)), Layout(8, 2)
    found = definitions.product(a, b, form)
    assert found.layout is None
    assert found.definition is not None
    values = sorted(found.definition(i) for i in range(48))
    assert len(set(values)) == 48
    whole = decide_product(a, Layout(3, 1), form).result
    assert definitions.product(a, Layout(3, 1), form).layout == whole


def test_slices_are_the_models() -> None:
    a = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))
    for crd in ((None, 3), ((1, None), None), (None, (1, None)), (2, 5), ((0, 1), (None, 1))):
        kept, offset = definitions.slice_modes(a, crd)
        theirs, start = slice_(a, crd)
        assert offset == start
        assert [kept(i) for i in range(size(kept))] == [theirs(i) for i in range(size(kept))]  # type: ignore[operator]
    with pytest.raises(Unsettled):
        definitions.slice_modes(a, (None, None, 1))


def test_a_tile_by_mode_points_at_coordinates() -> None:
    a = Layout((8, (2, 4)), (8, (1, 2)))
    where = definitions.by_mode(a, (Layout(4, 2), None))
    assert [a(as_coordinate(where(i), a.shape)) for i in range(size(where))] == [
        a((2 * (i % 4), i // 4)) for i in range(32)
    ]


def test_values_at_coordinates_with_names() -> None:
    a = Layout((4, (2, 8)), (16, (1, 2)))
    for c in range(4):
        for d in range(16):
            named = definitions.value_at(a, (Expr.of("c0"), Expr.of("c1")))
            assert named.at({"c0": c, "c1": d}) == a((c, d))
            assert definitions.value_at(a, Expr.of("c0")).at({"c0": c + 4 * d}) == a(crd2idx((c, d), a.shape))
    assert str(definitions.value_at(Layout.of(N, 3), Expr.of("c0"))) == "3*c0"


def test_conditions_of_the_paper_are_named() -> None:
    assert definitions.composition(Layout((3, 6, 2), (7, 8, 6)), Layout(3, 4)).outside
    assert definitions.composition(Layout((4, 6), (1, 4)), Layout(3, 5)).outside == ()
    assert definitions.composition(Layout((4, 6), (6, 1)), Layout(8, 1)).outside == ()
    assert definitions.composition(Layout((4, 6), (6, 1)), Layout(6, 1)).layout is None
