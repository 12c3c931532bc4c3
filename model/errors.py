"""The one tree of errors: bad input, a refusal with its witness, a budget spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .htuple import text_of


@dataclass(frozen=True)
class Witness:
    """The smallest evidence that refutes a claim, as named values.

    ``kind`` says how to read ``values``:

    ``difference``   the only possible result differs: ``coordinate``, ``index``, ``expected``, ``got``
    ``run``          a linear run of ``run`` elements ends at ``index`` and must divide ``size``
    ``collision``    two coordinates share one offset: ``coordinate``, ``other``, ``offset``
    ``negative``     ``coordinate`` has the negative ``offset``
    ``unreachable``  no coordinate has ``offset``, and nothing can be added that reaches it
    ``outside``      ``coordinate`` has an ``offset`` outside the range asked for
    ``element``      a new element ``offset`` would need bits that the layout does not hold together

    >>> Witness("negative", {"coordinate": 3, "offset": -3}).as_dict()
    {'kind': 'negative', 'coordinate': 3, 'offset': -3}
    """

    kind: str
    values: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The witness as plain data; tuples stay tuples and offsets keep their type."""
        return {"kind": self.kind, **self.values}

    def __str__(self) -> str:
        return ", ".join(f"{name} {text_of(value)}" for name, value in self.values.items())


class VeritileError(Exception):
    """The root of everything that veritile raises on purpose."""


class InputError(VeritileError, ValueError):
    """The input was not understood: ``message``, and the place in ``text`` where one is known.

    >>> print(InputError("a size must be positive", "(4,0)", 3))
    a size must be positive
      (4,0)
         ^
    """

    def __init__(self, message: str, text: str | None = None, position: int | None = None):
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position

    def __str__(self) -> str:
        if self.text is None or self.position is None:
            return self.message
        text, position = excerpt(self.text, self.position)
        return f"{self.message}\n  {text}\n  {' ' * position}^"


def excerpt(text: str, position: int, width: int = 76) -> tuple[str, int]:
    """At most ``width`` printable characters of ``text`` around ``position``, and where it stands in them."""
    shown = "".join(ch if ch.isprintable() else "?" for ch in text)
    start = max(0, min(position - width // 2, len(shown) - width))
    return shown[start : start + width], position - start


class Refuted(VeritileError):
    """The claim is false or no such result exists: ``reason`` is the sentence, ``witness`` the evidence."""

    def __init__(self, reason: str, witness: Witness | None = None):
        super().__init__(reason)
        self.reason = reason
        self.witness = witness

    def __str__(self) -> str:
        return self.reason if self.witness is None else f"{self.reason} ({self.witness})"


class CompositionRefuted(Refuted):
    """No layout compatible with B equals A∘B on Z(B)."""


class ComplementRefuted(Refuted):
    """No complement of the kind asked for exists."""


class InverseRefuted(Refuted):
    """No inverse of the kind asked for exists."""


class DivideRefuted(Refuted):
    """The tiler does not divide the layout."""


class ProductRefuted(Refuted):
    """The tiler does not repeat the layout."""


class RecastRefuted(Refuted):
    """An element of the new width would straddle bits that the layout does not keep together."""


class PropertyRefuted(Refuted):
    """The layout does not have the property."""


class Undecided(VeritileError):
    """The budget was spent before the question was decided; ``reason`` says on what."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason
