"""veritile's answers in the judge's words."""

from __future__ import annotations

from typing import Any

import veritile

from . import brute, peers, witnesses

CRASHED = "crashed"


def ask_veritile(question: list[Any]) -> tuple[Any, ...]:
    """veritile's answer in the judge's words; an exception that is none of its own is a crash."""
    operation, *operands = question
    given = [veritile.Layout(*o) if isinstance(o, tuple) else o for o in operands]
    name = "logical_divide" if operation == "divide" else operation
    try:
        result = getattr(veritile, name)(*given)
    except veritile.Refuted as refusal:
        return "refused", None if refusal.witness is None else refusal.witness.as_dict()
    except veritile.Undecided:
        return ("unknown",)
    except Exception as error:  # noqa: BLE001 - counted, with the question that did it
        return CRASHED, f"{type(error).__name__}: {error}"
    return "layout", result.shape, result.stride


def truth_of(question: list[Any]) -> Any:
    """What the judge finds; handed to :func:`judge` for each tool's answer."""
    return getattr(brute, f"{question[0]}_truth")(*question[1:])


def judge(question: list[Any], answer: tuple[Any, ...], truth: Any) -> str:
    """The judge's word on an answer."""
    if answer[0] in (CRASHED, peers.DIED):
        return str(answer[0])
    word: str = getattr(brute, f"check_{question[0]}")(*question[1:], answer, truth)
    return word


def witness_holds(question: list[Any], witness: dict[str, Any] | None) -> bool:
    """Whether a witness refutes the question; one of another form does not."""
    try:
        return witnesses.refutes(question, witness)
    except (KeyError, TypeError, ValueError):
        return False


def describe(question: list[Any]) -> str:
    """A question in the notation."""
    return " ".join([question[0], *(_notation(o) if isinstance(o, tuple) else str(o) for o in question[1:])])


def describe_answer(answer: tuple[Any, ...]) -> str:
    """An answer in the notation."""
    return _notation(answer[1:]) if answer[0] == "layout" else " ".join(map(str, answer))


def _notation(layout: tuple[Any, ...]) -> str:
    return f"{_tree(layout[0])}:{_tree(layout[1])}"


def _tree(tree: Any) -> str:
    return "(" + ",".join(map(_tree, tree)) + ")" if isinstance(tree, tuple) else str(tree)
