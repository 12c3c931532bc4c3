"""Swizzle(B,M,S): the XOR of B bits of an offset into B others (CuTe's ``Swizzle``; F₂ strides of paper §2.3)."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InputError
from .layout import Layout
from .semimodule import F2

MAX_BITS = 4096


@dataclass(frozen=True)
class Swizzle:
    """x ↦ x XOR ((x AND Y) shifted by S), Y the ``bits`` bits from ``base + max(shift, 0)`` up.

    ``bits`` is CuTe's B, ``base`` M, ``shift`` S. A positive shift moves the bits down, a negative one up. A bijection
    of every aligned block of 2^(M+B+|S|) offsets when S ≠ 0 or B = 0; its own inverse when also |S| ≥ B. S = 0 with
    B > 0 clears bits, is no bijection and is refused as InputError.

    >>> [Swizzle(1, 0, 1)(x) for x in range(4)], Swizzle(3, 4, 3).is_involution, Swizzle(2, 0, 1).is_involution
    ([0, 1, 3, 2], True, False)
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        if any(type(part) is not int for part in (self.bits, self.base, self.shift)):
            raise InputError("a swizzle has three integers: bits, base, shift")
        if self.bits < 0 or self.base < 0:
            raise InputError(f"{self} needs bits and base of at least 0")
        if max(self.bits, self.base, abs(self.shift)) > MAX_BITS:
            raise InputError(f"{self} reaches beyond {MAX_BITS} bits")
        if self.shift == 0 and self.bits > 0:
            raise InputError(f"{self} is no bijection: with shift 0 it clears bits instead of exchanging them")

    @property
    def source_mask(self) -> int:
        """Y: the bits that are read."""
        return ((1 << self.bits) - 1) << (self.base + max(self.shift, 0))

    @property
    def period_bits(self) -> int:
        """log2 of the aligned block that the swizzle permutes: M + B + |S|."""
        return self.base + self.bits + abs(self.shift)

    @property
    def is_involution(self) -> bool:
        """Whether applying it twice changes nothing: |S| ≥ B."""
        return abs(self.shift) >= self.bits

    def __call__(self, offset: int) -> int:
        """The offset that ``offset`` is exchanged for."""
        read = offset & self.source_mask
        return offset ^ (read >> self.shift if self.shift >= 0 else read << -self.shift)

    def inverse_at(self, offset: int) -> int:
        """The x with ``self(x) == offset``: one application when |S| ≥ B, else as many as the bits need.

        >>> S = Swizzle(3, 0, 1)
        >>> [S.inverse_at(S(x)) for x in range(16)] == list(range(16))
        True
        """
        x = offset
        for _ in range(0, max(self.bits, 1), max(abs(self.shift), 1)):
            x = offset ^ (self(x) ^ x)
        return x

    def as_layout(self) -> Layout:
        """The swizzle on one period as a layout with strides in F₂.

        >>> str(Swizzle(2, 0, 3).as_layout())
        '(8,4):(f1,f9)'
        """
        unit = 1 << self.bits
        if not self.bits:
            return Layout(1 << self.period_bits, F2(1))
        low, apart = 1 << self.base, 1 << abs(self.shift)
        if self.shift > 0:
            return Layout((low * apart, unit), (F2(1), F2(low * apart ^ low)))
        return Layout((low, unit, apart), (F2(1), F2(low ^ low * apart), F2(low * unit)))

    def __str__(self) -> str:
        return f"S<{self.bits},{self.base},{self.shift}>"
