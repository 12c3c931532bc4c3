"""Element types: their bits, their name in CuTe DSL, and exact conversion from and to float64 in NumPy.

A type that NumPy lacks is stored as unsigned integers of its size; ``decode`` gives the float64 values, ``encode``
rounds to nearest, ties to even, as the hardware converts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..model.errors import InputError


@dataclass(frozen=True)
class Element:
    """An element type: ``bits`` wide, ``dsl`` its CuTe DSL name, ``storage`` its NumPy type, ``torch`` its torch name.

    ``exponent`` and ``fraction`` count bits of a floating type (0 for integers); ``epsilon`` is half a unit in the last
    place at 1, the relative error of one rounding.
    """

    name: str
    bits: int
    dsl: str
    storage: str
    torch: str
    exponent: int = 0
    fraction: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of one element."""
        return self.bits // 8

    @property
    def epsilon(self) -> float:
        """The relative error of one rounding to nearest."""
        return float(2.0 ** -(self.fraction + 1))


_TYPES = (
    Element("f64", 64, "Float64", "float64", "float64", 11, 52),
    Element("f32", 32, "Float32", "float32", "float32", 8, 23),
    Element("f16", 16, "Float16", "float16", "float16", 5, 10),
    Element("bf16", 16, "BFloat16", "uint16", "bfloat16", 8, 7),
    Element("e4m3", 8, "Float8E4M3FN", "uint8", "float8_e4m3fn", 4, 3),
    Element("e5m2", 8, "Float8E5M2", "uint8", "float8_e5m2", 5, 2),
    Element("i64", 64, "Int64", "int64", "int64"),
    Element("i32", 32, "Int32", "int32", "int32"),
    Element("i16", 16, "Int16", "int16", "int16"),
    Element("i8", 8, "Int8", "int8", "int8"),
)
ELEMENTS = {element.name: element for element in _TYPES}


def element(name: str) -> Element:
    """The type of that name.

    >>> element("bf16").bits, element("bf16").epsilon
    (16, 0.00390625)
    >>> element("f8")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: no element type f8: one of f64, f32, f16, bf16, e4m3, e5m2, i64, i32, i16, i8
    """
    if name not in ELEMENTS:
        raise InputError(f"no element type {name}: one of {', '.join(ELEMENTS)}")
    return ELEMENTS[name]


def decode(stored: Any, name: str) -> Any:
    """The float64 values of an array in its storage type.

    >>> import numpy as np
    >>> decode(np.array([0x3F80, 0xC000], np.uint16), "bf16").tolist()
    [1.0, -2.0]
    >>> decode(np.array([0x38, 0x7E, 0x01], np.uint8), "e4m3").tolist()
    [1.0, 448.0, 0.001953125]
    """
    import numpy as np

    kind = element(name)
    if kind.name == "bf16":
        with np.errstate(invalid="ignore"):  # a signalling NaN
            return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if kind.name in ("e4m3", "e5m2"):
        return _small_values(kind)[stored]
    return stored.astype(np.float64)


def encode(values: Any, name: str) -> Any:
    """Values rounded to the type, in its storage type.

    >>> import numpy as np
    >>> [hex(v) for v in encode(np.array([1.0, 1.00390625, 3.0]), "bf16")]
    ['0x3f80', '0x3f80', '0x4040']
    >>> encode(np.array([1.0, 500.0, -0.3]), "e4m3").tolist()
    [56, 126, 170]
    """
    import numpy as np

    kind = element(name)
    values = np.asarray(values, np.float64)
    if kind.name == "bf16":
        bits = values.astype(np.float32).view(np.uint32)
        rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)
    if kind.name in ("e4m3", "e5m2"):
        return _nearest_small(values, kind)
    return values.astype(kind.storage)


def _small_values(kind: Element) -> Any:
    """The values of all 256 codes of an 8-bit type."""
    import numpy as np

    codes = np.arange(256)
    sign = np.where(codes >> 7, -1.0, 1.0)
    exponent = (codes >> kind.fraction) & ((1 << kind.exponent) - 1)
    fraction = (codes & ((1 << kind.fraction) - 1)) / (1 << kind.fraction)
    bias = (1 << (kind.exponent - 1)) - 1
    values = sign * np.where(exponent, 2.0 ** (exponent - bias) * (1 + fraction), 2.0 ** (1 - bias) * fraction)
    if kind.name == "e4m3":
        return np.where((codes & 0x7F) == 0x7F, np.nan, values)
    top = exponent == (1 << kind.exponent) - 1
    return np.where(top, np.where(fraction == 0, sign * np.inf, np.nan), values)


def _nearest_small(values: Any, kind: Element) -> Any:
    """The codes nearest to the values, ties to the even code, saturating as conversions to 8 bits do."""
    import numpy as np

    positive = _small_values(kind)[:128]
    last = int(np.flatnonzero(np.isfinite(positive))[-1])
    table = positive[: last + 1]
    size = np.minimum(np.abs(values), table[-1])
    above = np.clip(np.searchsorted(table, size), 1, last)
    low, high = size - table[above - 1], table[above] - size
    code = np.where((high < low) | ((high == low) & (above % 2 == 0)), above, above - 1)
    return (code + np.where(np.signbit(values), 128, 0)).astype(np.uint8)
