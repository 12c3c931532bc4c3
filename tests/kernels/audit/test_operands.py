"""Types as values: numbers named apart, and put in."""

from __future__ import annotations

from veritile.kernels.audit.matching import Unknown
from veritile.kernels.audit.operands import at_values, has_unknown, read_operands, read_results
from veritile.kernels.audit.types import read_type
from veritile.model.composed import ComposedLayout
from veritile.model.htuple import text_of
from veritile.model.layout import Layout

from .calling import type_text


def read(*texts: str) -> list[object]:
    values = read_operands(tuple(read_type(type_text(text)) for text in texts))
    return [v.layout if v.layout is not None else v.value for v in values]


def test_operands_share_no_name() -> None:
    a, b, c, d = read("(?,4):(1,?{div=8})", "(?):(1)", "coord (?,_)", "!cute.i32<divby 4>")
    assert [str(a), str(b)] == ["(n0,4):(1,8*d1)", "(n2):(1)"]
    assert text_of(c) == "(c3,_)"
    assert str(d) == "4*c4"


def test_bases_tiles_and_swizzled_layouts() -> None:
    tensor, tile, swizzled = read("coord_tensor (0,?) (?,2):(?@0,1@1)", "tile [?:1;_]", "S<3,4,3> o ? o (8,?):(?,1)")
    assert str(tensor) == "(n1,2):(d2*e0,e1)"
    assert str(tile) == "(Layout('n3:1'), None)"
    assert isinstance(swizzled, ComposedLayout)
    assert str(swizzled) == "S<3,4,3> o c6 o (8,n4):(d5,1)"


def test_results_are_unknown_and_keep_their_divisors() -> None:
    (value,) = read_results((read_type(type_text("(?{div=4},2):(1,?)")),))
    assert isinstance(value.layout, Layout)
    assert value.layout.shape == (Unknown(4), 2)
    assert has_unknown(value.layout)
    assert not has_unknown(Layout((4, 2)))


def test_values_are_put_in() -> None:
    (a,) = read("(?,4):(?@0,?@1)")
    there = at_values(a, {"n0": 3, "d1": 2, "d2": 0})
    assert str(there) == "(3,4):(2e0,0)"
