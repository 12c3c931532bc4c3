"""What is shown of numbers with names holds at values of them."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from veritile.kernels.audit.sizes import (
    at_most,
    divisible,
    is_below,
    least,
    plus,
    quotient,
    rest,
    rounded_up,
    times,
)
from veritile.model.names import Expr
from veritile.model.semimodule import CoordinateStride, E

N, M, C = Expr.of("n0"), Expr.of("n1"), Expr.of("c2")
VALUES = [{"n0": n, "n1": m, "c2": c} for n, m, c in product((1, 2, 3, 8), (1, 2, 5), (-3, 0, 4))]


def value(e: Any, values: dict[str, int]) -> Any:
    return e.at(values) if isinstance(e, Expr) else e


def random_number(rng: Random) -> Any:
    parts = [rng.choice((0, 1, 3, 8, -2)), rng.choice((0, 0, 4, 8)) * N, rng.choice((0, 0, 6)) * M]
    return sum(parts[1:], Expr.of(parts[0])) * rng.choice((1, 1, N, 8))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_shown_holds_at_every_value(seed: int) -> None:
    rng = Random(seed)
    a, b = random_number(rng), random_number(rng)
    k = rng.choice((2, 4, 8))
    whole, low, left, up = quotient(a, b), least(a), rest(a, k), rounded_up(a, k)
    for values in VALUES:
        x, y = value(a, values), value(b, values)
        if divisible(a, k):
            assert x % k == 0
        if whole is not None and y:
            assert value(whole, values) * y == x
        if low is not None:
            assert x >= low
        if is_below(a, b):
            assert x < y
        if at_most(a, b):
            assert x <= y
        if left is not None:
            assert x % k == value(left, values)
        assert value(up, values) == -(-x // k)


def test_what_is_not_shown_beside_what_is() -> None:
    assert divisible(8 * N, 4)
    assert not divisible(8 * N + 2, 4)
    assert is_below(7, 8 * N)
    assert not is_below(8, 8 * N)
    assert least(N * M - 1) == 0
    assert least(N - M) is None
    assert least(C) is None
    assert least(N // 8) == 0
    assert least(rounded_up(N, 8)) == 1
    assert least(C // 8) is None
    assert quotient(8 * N * M, 4 * M) == 2 * N
    assert quotient(8 * N * M + 1, 4 * M) is None
    assert quotient((N + 1) * (M + 2), N + 1) == M + 2
    assert quotient((N + 1) * (M + 2) + 1, N + 1) is None
    assert quotient(N / 2, 1) is None


def test_strides_along_axes() -> None:
    assert times(E(1), N) == CoordinateStride((((1,), N),))
    assert times(E(1), 0) == 0
    assert plus(times(E(0), N), times(E(0), 3 * N)) == CoordinateStride((((0,), 4 * N),))
    assert plus(E(0), -E(0)) == 0
    assert plus(0, E(0)) == E(0)
    with pytest.raises(ValueError, match="semimodules"):
        plus(1, E(0))
