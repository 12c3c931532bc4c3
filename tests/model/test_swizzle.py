"""Swizzles: bijections by bits, with either sign of the shift, and their form over F₂."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import InputError, Swizzle

from . import postconditions as post
from .strategies import swizzles


def by_bits(s: Swizzle, x: int) -> int:
    y = x
    for k in range(s.bits):
        source = s.base + max(s.shift, 0) + k
        if x >> source & 1:
            y ^= 1 << source - s.shift
    return y


@given(swizzles())
def test_by_bits_and_bijective(s: Swizzle) -> None:
    period = 1 << s.period_bits
    image = [s(x) for x in range(period)]
    assert image == [by_bits(s, x) for x in range(period)] and sorted(image) == list(range(period))
    assert [s.inverse_at(y) for y in image] == list(range(period))
    assert (all(s(y) == x for x, y in enumerate(image))) or not s.is_involution
    assert s.is_involution == (abs(s.shift) >= s.bits)
    f2 = s.as_layout()
    assert [post.as_integer(f2(x)) for x in range(period)] == image
    assert s(image[-1] + 5 * period) - 5 * period == s(image[-1])


@given(swizzles(), st.integers(-(2**80), 2**80))
def test_everywhere(s: Swizzle, x: int) -> None:
    assert s.inverse_at(s(x)) == x


@pytest.mark.parametrize(
    "parts", [(1, 0, 0), (-1, 0, 1), (1, -1, 1), (1.0, 0, 1), (True, 0, 1), ("3", 4, 3), (9999, 0, 1)]
)
def test_what_is_no_swizzle(parts: tuple[int, int, int]) -> None:
    post.raises(InputError, lambda: Swizzle(*parts))


def test_not_its_own_inverse() -> None:
    s = Swizzle(2, 0, 1)
    assert not s.is_involution and s(s(4)) != 4 and s.inverse_at(s(4)) == 4
    assert Swizzle(0, 4, 0)(123) == 123
