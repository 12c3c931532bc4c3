"""Questions with names for sizes: what is known of them, the answer with its condition, and the condition as code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

import click

from ..model.errors import InputError
from ..model.names import (
    ALWAYS,
    LANGUAGES,
    NEVER,
    Compare,
    Condition,
    both,
    guard,
    names_in,
    parse_condition,
    parse_expression,
)
from ..model.notation import parse, parse_coordinate, parse_shape, parse_tiler
from ..reports.reply import Reply
from .parameters import Notation, question_options, read_positive

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
WHERE, GUARD = "veritile.where", "veritile.guard"


def read_layout(text: str) -> Any:
    """A layout, its sizes and strides possibly with names."""
    return parse(text, names=True)


def read_inner(text: str) -> Any:
    """A layout, or a tiler by mode."""
    return parse_tiler(text, names=True) if text.lstrip().startswith(("<", "⟨")) else parse(text, names=True)


def read_slice(text: str) -> Any:
    """A coordinate; ``_`` keeps a mode."""
    return parse_coordinate(text, names=True)


def read_coordinate(text: str) -> Any:
    """A coordinate without ``_``."""
    found = parse_coordinate(text, names=True)
    if _has_none(found):
        raise InputError("an integer is expected here: '_' keeps a mode in a slice only", text, text.index("_"))
    return found


def _has_none(crd: Any) -> bool:
    return any(map(_has_none, crd)) if isinstance(crd, tuple) else crd is None


def read_size(text: str) -> Any:
    """A positive integer, or an expression with names.

    >>> read_size("32"), read_size("4*n")
    (32, 4*n)
    """
    found = parse_coordinate(text, names=True)
    return found if names_in(found) and not isinstance(found, tuple) else read_positive(text)


def read_guards(text: str) -> tuple[str, ...]:
    """Languages, joined by commas.

    >>> read_guards("python, cute")
    ('python', 'cute')
    """
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    for part in found:
        if part not in LANGUAGES:
            raise InputError(f"a guard is written in {', '.join(LANGUAGES)}, not {part[:20]!r}", text, text.index(part))
    return found


LAYOUT = Notation("layout", read_layout)
INNER = Notation("layout", read_inner)
TILER = Notation("tiler", lambda text: parse_tiler(text, names=True))
COORDINATE = Notation("coordinate", read_coordinate)
SLICE = Notation("coordinate", read_slice)
SIZE = Notation("n", read_size)


def _kept(key: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        ctx.meta[key] = value
        return value

    return keep


def named_question_options(command: Decorated) -> Decorated:
    """The options of every question, and ``--where`` and ``--guard`` for names."""
    command = question_options(command)
    command = click.option(
        "--guard",
        metavar="LANGUAGES",
        type=Notation("languages", read_guards),
        expose_value=False,
        callback=_kept(GUARD),
        help="Print the condition as code: python, cpp, cute.",
    )(command)
    return click.option(
        "--where",
        metavar="CONDITION",
        type=Notation("condition", parse_condition),
        expose_value=False,
        callback=_kept(WHERE),
        help="What is known of the names: 'n % 8 == 0, n <= 65536'.",
    )(command)


def told(key: str) -> Any:
    """What the command line says under a key of ``--where`` or ``--guard``."""
    context = click.get_current_context(silent=True)
    return context.meta.get(key) if context else None


def is_named(given: Sequence[Any]) -> bool:
    """Whether the question has names; InputError where ``--where`` speaks of others, or allows no value of them."""
    names = names_in(*given)
    where: Condition | None = told(WHERE)
    if where is None:
        return bool(names)
    strange = where.names - names
    if strange:
        raise InputError(f"--where speaks of {', '.join(sorted(strange))}, which no operand has")
    from ..proofs.names import require_values

    require_values(sorted(names), where)
    return bool(names)


def named_reply(question: Callable[..., Reply], given: Sequence[Any], budget: float) -> Reply:
    """The answer to a question with names, as a reply."""
    from ..proofs.names import decide

    where: Condition = told(WHERE) or ALWAYS
    answer = decide(question, given, where, max(0.05, 0.7 * budget))
    conditions = (
        None if answer.conditions is None else "never" if answer.conditions == NEVER else str(answer.conditions)
    )
    details: dict[str, Any] = {}
    lines: list[str] = []
    if conditions is not None:
        lines.append(f"holds exactly where: {conditions}" if conditions != "never" else "holds for no value allowed")
    if len(answer.cases) > 1:
        details["cases"] = [{"when": str(c.when), "result": str(c.result), **c.details} for c in answer.cases]
        lines += [f"where {case.when}: {case.result}{_more(case.details)}" for case in answer.cases]
    elif answer.cases:
        details |= answer.cases[0].details
        if answer.result is not None and answer.verdict == "refuted":
            lines.append(f"there it is: {answer.result}{_more(details)}")
        elif details:
            lines.append(_more(details).strip("; "))
    wanted = told(GUARD) or ()
    condition = answer.conditions if answer.conditions is not None else where if answer.verdict == "proved" else None
    if wanted and condition is not None:
        details["guard"] = {language: guard(condition, language) for language in wanted}
        for language, code in details["guard"].items():
            lines += [f"{language}: {line}" for line in code.split("\n")]
    return Reply(
        answer.verdict,
        result=answer.result,
        reason=answer.reason,
        witness=answer.witness,
        scope=answer.scope,
        evidence=answer.evidence,
        conditions=conditions,
        in_bounds=answer.in_bounds,
        exact=answer.exact,
        out_of_range=0 if answer.out_of_range is None else answer.out_of_range,
        notes=answer.told,
        details=details,
        lines=tuple(f"  {line}" for line in lines),
    )


def _more(details: dict[str, Any]) -> str:
    return "".join(f"; {name} {value}" for name, value in details.items())


def plain_result(reply: Reply) -> Reply:
    """The reply without details that no formula is sought for."""
    return replace(reply, details={}, lines=())


def obligations_reply(question: Callable[..., Any], given: tuple[Any, ...], budget: float, **more: Any) -> Reply:
    """The reply to a question that several rules answer: each for every value of the names that ``--where`` allows."""
    from ..reports.obligations import obligation_reply

    if not is_named(given):
        return obligation_reply(question(*given), **more)
    from ..proofs.names import scope_of
    from ..proofs.names.obligations import decide_named

    where: Condition = told(WHERE) or ALWAYS
    names = sorted(names_in(*given))
    end = monotonic() + 0.8 * budget  # what was decided is told, before the budget's own clock ends the whole reply
    reply = obligation_reply(decide_named(question, given, where, max(0.05, 0.7 * budget), end=end), **more)
    worst = next((o for o in reply.details["obligations"] if o["verdict"] == reply.verdict), None)
    condition = None
    if reply.verdict == "refuted" and worst is not None:
        failing = [o for o in reply.details["obligations"] if o["verdict"] == "refuted"]
        if all("conditions" in o["details"] for o in failing):
            told_ = list(dict.fromkeys(o["details"]["conditions"] for o in failing))
            is_open = any(o["verdict"] == "unknown" for o in reply.details["obligations"])
            condition = None if is_open else "never" if "never" in told_ else _all_of(told_)
    lines = list(reply.lines)
    details = dict(reply.details)
    wanted = told(GUARD) or ()
    known = parse_condition(condition) if condition not in (None, "never") else None
    if known is None and reply.verdict == "proved":
        known = where
    if wanted and known is not None:
        details["guard"] = {language: guard(known, language) for language in wanted}
        for language, code in details["guard"].items():
            lines += [f"  {language}: {line}" for line in code.split("\n")]
    return replace(reply, scope=scope_of(names, where), conditions=condition, lines=tuple(lines), details=details)


def _all_of(conditions: Sequence[str]) -> str:
    """All of some conditions; of several upper bounds on one name the least."""
    found = list(map(parse_condition, conditions))
    if all(isinstance(c, Compare) and c.relation == "<=" and c.right.value is not None for c in found):
        if len({str(c.left) for c in found}) == 1:  # type: ignore[attr-defined]
            return min(found, key=lambda c: c.right.value).code()  # type: ignore[attr-defined]
    return both(*found).code()


def read_named_shape(text: str) -> Any:
    """A shape, its sizes possibly with names."""
    found = parse_coordinate(text, names=True)
    return found if names_in(found) else parse_shape(text)


def read_expression(text: str) -> Any:
    """An integer, possibly with names.

    >>> read_expression("-4"), read_expression("4*N")
    (-4, 4*N)
    """
    return int(text) if text.strip().lstrip("-").isdigit() else parse_expression(text)
