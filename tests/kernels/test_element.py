"""Element types: exact values, rounding to nearest even."""

from fractions import Fraction

import numpy as np
import pytest

from veritile.kernels.element import ELEMENTS, decode, element, encode

SMALL = ("e4m3", "e5m2")


@pytest.mark.parametrize("name", [*SMALL, "bf16"])
def test_finite_codes_return(name: str) -> None:
    """Every code of a type that NumPy lacks survives decoding and encoding."""
    kind = element(name)
    codes = np.arange(1 << kind.bits).astype(kind.storage)
    values = decode(codes, name)
    finite = np.isfinite(values)
    assert (encode(values[finite], name) == codes[finite]).all()


@pytest.mark.parametrize("name", SMALL)
def test_small_rounding_is_to_nearest_even(name: str) -> None:
    """Halfway between two neighbours the even code is taken, a little beside it the nearer."""
    values = decode(np.arange(128).astype(np.uint8), name)
    last = int(np.flatnonzero(np.isfinite(values))[-1])
    for code in range(last):
        low, high = Fraction(values[code]), Fraction(values[code + 1])
        middle = float((low + high) / 2)
        even = code if code % 2 == 0 else code + 1
        assert encode(np.array([middle]), name)[0] == even
        assert encode(np.array([np.nextafter(middle, -1e9)]), name)[0] == code
        assert encode(np.array([np.nextafter(middle, 1e9)]), name)[0] == code + 1


def test_bf16_rounding() -> None:
    """Ties go to even, NaN stays NaN."""
    values = np.array([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, np.nan])
    got = decode(encode(values, "bf16"), "bf16")
    assert got[:3].tolist() == [1.0, 1 + 2**-6, 1 + 2**-7]
    assert np.isnan(got[3])


def test_epsilon_is_one_rounding() -> None:
    """Random values err by no more than epsilon, and some nearly so."""
    draw = np.random.default_rng(0)
    for name in ("f32", "f16", "bf16", "e4m3", "e5m2"):
        values = draw.uniform(1, 2, 4000)
        error = np.abs(decode(encode(values, name), name) - values) / values
        assert error.max() <= ELEMENTS[name].epsilon
        assert error.max() > ELEMENTS[name].epsilon / 2.2
