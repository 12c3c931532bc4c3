"""Pieces of the values of one name: n = M·t + r for t from ``start`` to ``stop``, cut where a comparison turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...model.names import Compare, Condition, Expr, both
from ...smt.germs import Stop, Tail, _settled
from .conditions import tail_condition


class Cut(Stop):
    """The piece must be cut before ``at``."""

    def __init__(self, at: int):
        super().__init__(f"from {at} on")
        self.at = at


@dataclass
class Piece(Tail):
    """The values n = modulus·t + rest with start ≤ t ≤ stop; without end where ``stop`` is None.

    >>> piece = Piece(1, 0, 1, 100)
    >>> piece.name < 200
    True
    >>> try:
    ...     piece.name < 50
    ... except Cut as cut:
    ...     cut.at
    51
    """

    stop: int | None = None

    def sign(self, p: tuple[int, ...]) -> int:
        """The sign that a polynomial has on the whole piece; Cut where it has several."""
        if len(p) < 2:
            return 0 if not p else 1 if p[0] > 0 else -1
        shifted = _shifted(p, self.start)
        if shifted[0] and all(c * shifted[0] >= 0 for c in shifted):
            return 1 if shifted[0] > 0 else -1
        if self.stop is not None:
            width = self.stop - self.start
            low = shifted[0] + sum(min(c, 0) * width**i for i, c in enumerate(shifted) if i)
            high = shifted[0] + sum(max(c, 0) * width**i for i, c in enumerate(shifted) if i)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if width == 0:
                return 0
        upward = p if p[-1] > 0 else tuple(-c for c in p)
        at = _settled(upward, self.start)
        if at <= self.start:
            at = self.start + 1
        if self.stop is not None and at > self.stop:
            at = self.stop if len(p) == 2 else (self.start + self.stop + 1) // 2
        raise Cut(at)

    @property
    def greatest(self) -> int | None:
        """The greatest value of the name; None without end."""
        return None if self.stop is None else self.modulus * self.stop + self.rest

    @property
    def count(self) -> int | None:
        """How many values it has."""
        return None if self.stop is None else max(0, self.stop - self.start + 1)

    def values(self) -> Iterator[int]:
        """Its values, which must have an end."""
        assert self.stop is not None
        return (self.modulus * t + self.rest for t in range(self.start, self.stop + 1))

    def condition(self, name: str) -> Condition:
        """Where a name is in it."""
        parts = [tail_condition(name, [(self.modulus, self.rest)])]
        if self.least > self.modulus or self.start > 1:
            parts.append(Compare(Expr.of(name), ">=", Expr.of(self.least)))
        if self.greatest is not None:
            parts.append(Compare(Expr.of(name), "<=", Expr.of(self.greatest)))
        return both(*parts)


def _shifted(p: tuple[int, ...], t: int) -> list[int]:
    found = list(p)
    for i in range(len(found) - 1):
        for j in range(len(found) - 2, i - 1, -1):
            found[j] += t * found[j + 1]
    return found


def joined(pieces: list[Piece], name: str) -> list[Condition]:
    """Pieces as conditions, neighbours of one class as one."""
    merged: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: (p.modulus, p.rest, p.start)):
        last = merged[-1] if merged else None
        if (
            last is not None
            and (last.modulus, last.rest) == (piece.modulus, piece.rest)
            and last.stop == piece.start - 1
        ):
            merged[-1] = replace(last, stop=piece.stop)
        else:
            merged.append(piece)
    return [piece.condition(name) for piece in merged]


def piece_of(modulus: int, rest: int, low: int, high: int | None) -> Piece:
    """The values of a class between two bounds."""
    return Piece(modulus, rest, max(0, -(-(low - rest) // modulus)), None if high is None else (high - rest) // modulus)


__all__ = ["Cut", "Piece", "joined", "piece_of"]
