"""Coordinate layouts, axis by axis."""

from hypothesis import given

from veritile import E, InputError, Layout, layout
from veritile.model.axes import split_axes

from . import postconditions as post
from .strategies import coordinate_layouts


@given(coordinate_layouts(3, 2, diagonal=False))
def test_the_axes_add_up_to_the_layout(a: Layout) -> None:
    axes = split_axes(a)
    for i in range(post.size_of(a.shape)):
        total: object = 0
        for axis in axes:
            total = total + sum(i // unit % s * d for s, d, unit in axis.modes) * axis.basis  # type: ignore[operator]
        assert total == post.value_of(a, i)


def test_a_diagonal_does_not_split() -> None:
    post.raises(InputError, lambda: split_axes(Layout((2, 2), (E(0) + E(1), E(1)))))
    assert [axis.path for axis in split_axes(layout("4:e1"))] == [(0,), (1,)]
