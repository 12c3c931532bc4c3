"""Linear maps of bits."""

from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, layout
from veritile.model import f2

from . import postconditions as post


def span(vectors: list[int]) -> set[int]:
    reached = {0}
    for v in vectors:
        reached |= {x ^ v for x in reached}
    return reached


@given(st.lists(st.integers(0, 63), max_size=6))
def test_echelon_and_maximum(vectors: list[int]) -> None:
    basis = f2.echelon(vectors)
    assert span(basis) == span(vectors) and len(span(basis)) == 1 << len(basis)
    assert len({v.bit_length() for v in basis}) == len(basis) and basis == sorted(basis)
    assert f2.span_maximum(vectors) == max(span(vectors))


def test_powers() -> None:
    assert [n for n in range(-2, 9) if f2.is_power_of_two(n)] == [1, 2, 4, 8]
    post.raises(InputError, lambda: f2.check_is_f2(layout("(3,2):(f1,f4)")))
