"""Copies that nothing guards, of tensors whose last tile hangs over their end: what no operation shows by itself.

A partition tells of the overhang, the copy whether it has a predicate; between them the part goes through a few
operations that keep all of it. Followed are those within one region: a copy inside a branch may be guarded by it, and a
part that is sliced may leave the last tile out. So may an element outside its tensor never be reached there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import partial
from typing import Any

from ...model.errors import VeritileError, Witness
from .partitions import SIDES, hanging
from .text import Operation
from .types import MemRefType, TiledCopyType, read_type
from .verdict import OUTSIDE, WRONG, Decision, asked, outside, wrong

KEEPS_ALL = frozenset(("cute.get_iter", "cute.get_layout", "cute.group_modes", "cute.append_to_rank", "cute.make_view"))
SPACES = ("gmem", "smem", "dsmem")
ACCESSES = ("cute.memref.load", "cute.memref.store")


def unguarded(operations: Iterable[Operation]) -> dict[int, Decision]:
    """By the line of a copy in the text: it touches what is not the tensor's, and where.

    By that of a partition: that this was not found out, by a mistake of ours.
    """
    parts: dict[str, tuple[Operation, dict[str, Any]]] = {}
    found: dict[int, Decision] = {}
    for operation in operations:
        if operation.name in SIDES:
            past = asked(partial(_hanging, operation))
            if isinstance(past, Decision):
                found[operation.line] = past
            elif past is not None:
                parts[operation.results[0]] = operation, past
        elif not parts:
            continue
        elif operation.name in KEEPS_ALL:
            origins = {id(parts[name][0]): parts[name] for name in operation.operands if name in parts}
            known = [name in parts for name in operation.operands[: 2 if operation.name == "cute.make_view" else 1]]
            if len(origins) == 1 and all(known):
                parts.update(dict.fromkeys(operation.results, next(iter(origins.values()))))
        elif operation.name == "cute.copy" and len(operation.operands) == 3:
            for name in operation.operands[1:]:
                if name in parts and parts[name][0].around == operation.around:
                    found[operation.line] = _told(*parts[name])
    return found


def _hanging(operation: Operation) -> dict[str, Any] | None:
    copy, tensor = (read_type(text) for text in operation.operand_types[:2])
    if not isinstance(copy, TiledCopyType) or not isinstance(tensor, MemRefType) or tensor.space not in SPACES:
        return None
    try:
        return hanging(copy, tensor, SIDES[operation.name])
    except VeritileError:
        return None


def _told(partition: Operation, past: dict[str, Any]) -> Decision:
    side = SIDES[partition.name]
    reason = (
        f"the last tile hangs over the {past['size']} elements of mode {past['mode']} of the {side}, and no predicate "
        f"guards the copy: thread {past['thread']} takes the coordinate {past['coordinate']}"
    )
    witness = Witness("outside", past)
    got = str(read_type(partition.operand_types[1]).layout)
    return wrong(reason, witness, got=got, advice="give the copy a predicate, or a tile that divides the tensor")


def reached(operation: Operation, decision: Decision, functions: Container[int]) -> Decision:
    """The decision of an element outside its tensor: ``outside`` where the operation stands in a branch or a loop.

    ``functions`` are the lines of kernels and functions: what stands right in one of them is always reached.
    """
    if operation.name not in ACCESSES or operation.around in functions or decision.verdict != WRONG:
        return decision
    if decision.witness is None or decision.witness.kind != OUTSIDE:
        return decision
    reason = f"{decision.reason}; it stands in a branch or a loop, which may keep it from being reached"
    return outside(reason, got=decision.got, advice=decision.advice)
