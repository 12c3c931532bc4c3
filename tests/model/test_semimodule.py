"""Stride elements: the laws that hold, and the one that F₂ breaks (§2.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import F2, CoordinateStride, E, InputError
from veritile.model.semimodule import kind_of, semimodule_of

from . import postconditions as post
from .strategies import steps

BITS = st.integers(0, 2**70)
SCALES = st.integers(-9, 9)


def carryless(a: int, b: int) -> int:
    product = 0
    for bit in range(a.bit_length()):
        if a >> bit & 1:
            product ^= b << bit
    return product


@given(BITS, BITS, st.integers(0, 2**20))
def test_f2(a: int, b: int, n: int) -> None:
    assert F2(a) + F2(b) == F2(a ^ b) == F2(b) + F2(a) and F2(a) - F2(b) == F2(a ^ b)
    assert n * F2(a) == F2(a) * n == F2(carryless(n, a))
    assert n * (F2(a) + F2(b)) == n * F2(a) + n * F2(b)
    assert 1 * F2(a) == F2(a) and F2(a) + 0 == 0 + F2(a) == F2(a) and F2(a) + F2(a) == 0


def test_f2_is_no_integer_semimodule() -> None:
    assert 3 * (3 * F2(1)) == F2(5) != 9 * F2(1) == F2(9)
    assert 2 * F2(9) == F2(18) and 3 * F2(5) == F2(15)


@given(steps(3), steps(3), SCALES, SCALES)
def test_coordinates(a: object, b: object, m: int, n: int) -> None:
    assert a + b == b + a and n * (a + b) == n * a + n * b and (m * n) * a == m * (n * a)
    assert (m + n) * a == m * a + n * a and a - a == 0 and 0 * a == 0 and a + 0 == a
    assert hash(a + b) == hash(b + a)


def test_zero_equals_zero() -> None:
    assert F2(0) == 0 == 0 * E(1) and hash(F2(0)) == hash(0) == hash(0 * E(1))
    assert F2(1) != 1 and E(0) != 1 and F2(1) != E(0) and F2(1) != True  # noqa: E712


@pytest.mark.parametrize(
    "call",
    [
        lambda: F2(1) + 1,
        lambda: E(0) + 1,
        lambda: E(0) + F2(1),
        lambda: F2(1) + E(0),
        lambda: E(0) + E(0, 1),
        lambda: F2(-1),
        lambda: -1 * F2(1),
        lambda: E(),
        lambda: E(-1),
        lambda: E("0"),
        lambda: semimodule_of([1, E(0)]),
        lambda: semimodule_of([F2(1), E(0)]),
        lambda: kind_of(True),
        lambda: kind_of(1.5),
    ],
)
def test_what_does_not_mix(call: object) -> None:
    post.raises(InputError, call)  # type: ignore[arg-type]


def test_text() -> None:
    assert [str(x) for x in (E(0) + 2 * E(1), -E(1), E(0) - E(1), 3 * E(0, 1), 0 * E(0), F2(5))] == [
        "e0+2e1",
        "-e1",
        "e0-e1",
        "3@1@0",
        "0",
        "f5",
    ]
    assert isinstance(E(0) + 0, CoordinateStride)
