"""What an operation found: the result, how it was established, and what lies outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A result that was established, and what is known beside it.

    ``evidence``      how, a word for each way that was needed: ``definition`` (nothing was to be computed),
                      ``closed-form``, ``enumeration`` (all values were compared, or a search went through all cases)
    ``in_bounds``     whether every value that the definition evaluates lies inside its operand; None: does not apply
    ``exact``         whether the result covers what was asked for and no more; None: does not apply
    ``out_of_range``  how many coordinates of the result fall outside
    ``notes``         sentences that the reader should see
    """

    result: Any
    evidence: tuple[str, ...] = ()
    in_bounds: bool | None = None
    exact: bool | None = None
    out_of_range: int = 0
    notes: tuple[str, ...] = ()
