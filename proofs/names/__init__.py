"""Questions and obligations with names for sizes, answered for every value that the names may have.

=================  ================================================================================================
``operands``       values put in the places of names; results taken apart into numbers, and put together again
``domain``         the values that are allowed
``symbols``        what stands in for functions that need plain numbers while code runs on symbols
``results``        where an operation or a property of layouts holds, and its result as formulas: ``decide``
``obligations``    what a contract owes, on pieces of the values: ``decide_named``
``pieces``         n = M·t + r from one t to another
``paths``          several names: guessed from small values, proved on every path by a solver
``conditions``     short conditions that are so exactly where they are wanted
=================  ================================================================================================
"""

from __future__ import annotations

from .domain import scope_of
from .operands import instantiate, put_together, take_apart
from .results import Case, NamedAnswer, decide, require_values, without_solver

__all__ = [
    "Case",
    "NamedAnswer",
    "decide",
    "instantiate",
    "put_together",
    "require_values",
    "scope_of",
    "take_apart",
    "without_solver",
]
