"""What stands in, while code runs on symbols, for functions that would look past their methods."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from ...model import complement, floor_form, inverse, inverse_search, lattice, properties, vector
from ...model.errors import InputError, Refuted, Undecided
from ...model.layout import Layout
from ...smt.germs import Limit, Outside, common_divisor, is_symbol, plain_range, zero_of
from ..contracts.obligation import Obligation
from ..contracts.rule import Rule


def _search_unless_symbolic(search: Callable[[Layout], Any], layout: Layout) -> Any:
    """A search for a smaller witness, which is no part of the verdict: not for symbols."""
    return None if any(is_symbol(v) for mode in layout.modes for v in mode) else search(layout)


def standing_in() -> ExitStack:
    """The common divisor that germs have in the place of the one for plain numbers, and budgets told as such."""
    stack = ExitStack()
    swapped: list[tuple[Any, str, Any]] = [(lattice, "gcd", common_divisor)]
    for module in (properties, inverse):
        swapped.append((module, "find_zero", partial(zero_of, lattice.find_zero)))
    swapped.append((complement, "_forced", partial(_search_unless_symbolic, complement._forced)))
    for module in (properties, inverse, inverse_search, floor_form, lattice, vector):
        swapped.append((module, "range", plain_range))
        for name in ("POINTS", "NODES", "EVENTS"):
            if hasattr(module, name):
                swapped.append((module, name, Limit(getattr(module, name))))
    for module, name, value in swapped:
        if name in vars(module):
            stack.callback(setattr, module, name, getattr(module, name))
        else:
            stack.callback(delattr, module, name)
        setattr(module, name, value)
    return stack


@contextmanager
def symbols() -> Iterator[None]:
    """What stands in for functions that would look past the methods of a symbol, while one is about."""
    with standing_in(), swapped_contracts():
        yield


@contextmanager
def swapped_contracts() -> Iterator[None]:
    """The same for the contracts: what they compute for a witness only is left out for symbols."""
    from ..contracts import offsets, predicates
    from ..contracts import vector as vectors

    root = (__package__ or "").rpartition(".")[0]
    home = root.rpartition(".")[0]
    prefixes = (f"{home}.model.", f"{root}.contracts.")
    with ExitStack() as stack:

        def put(module: Any, name: str, value: Any) -> None:
            if name in vars(module):
                stack.callback(setattr, module, name, getattr(module, name))
            else:
                stack.callback(delattr, module, name)
            setattr(module, name, value)

        for name, module in list(sys.modules.items()):
            if not (name.startswith(prefixes) or name == f"{root}.plan") or module is None:
                continue
            if name.endswith((".names", ".notation")):
                continue
            if "range" not in vars(module):
                put(module, "range", plain_range)
            if vars(module).get("gcd") is math.gcd:
                put(module, "gcd", common_divisor)
            if type(vars(module).get("POINTS")) is int:
                put(module, "POINTS", Limit(module.POINTS))
        put(offsets, "held_as", _unless_symbolic(offsets.held_as))
        put(offsets, "_first", _unless_symbolic(offsets._first))
        put(offsets, "_room", _unless_symbolic(offsets._room, None))
        put(offsets, "_factor", _unless_symbolic(offsets._factor))
        put(predicates, "tiles_of", lambda guard: {})
        put(vectors, "_after", _unless_symbolic(vectors._after, None))
        put(Rule, "decide", _decide_symbolic)
        plan = sys.modules.get(f"{root}.plan")
        if plan is not None:
            put(plan, "_safely", _asked)
        yield


def _asked(rule: Rule, question: Callable[..., list[Obligation]], *args: Any) -> list[Obligation]:
    """What a contract says; a call that it refuses may be a symbol where it wants a plain number."""
    try:
        return question(*args)
    except InputError as error:
        raise Outside(f"what a contract refuses: {error.message}") from None
    except Refuted as refused:
        return [rule.refuted(refused.reason, refused.witness)]
    except Undecided as spent:
        return [rule.open(spent.reason)]


def _decide_symbolic(rule: Rule, question: Callable[[], Obligation]) -> Obligation:
    """What a rule finds; open where it needs plain numbers, so that other rules of the contract are decided."""
    try:
        return question()
    except Undecided as undecided:
        return rule.open(undecided.reason)
    except (Outside, OverflowError, MemoryError, IndexError) as stop:
        return rule.open(str(stop) if isinstance(stop, Outside) else "code that needs plain numbers")


def _unless_symbolic(function: Callable[..., Any], otherwise: Any = 0) -> Callable[..., Any]:
    """A figure that a witness shows, and that is no part of the verdict: not for symbols."""

    def stand_in(*args: Any) -> Any:
        is_plain = isinstance(args[0], (int, Layout)) and not any(map(_has_symbol, args))
        if is_plain or not isinstance(args[0], (int, Layout)):
            return function(*args)
        return otherwise

    return stand_in


def _has_symbol(value: Any) -> bool:
    if isinstance(value, Layout):
        return any(is_symbol(v) for mode in value.modes for v in mode)
    return is_symbol(value)


__all__ = ["standing_in", "swapped_contracts", "symbols"]
