"""``veritile check`` and ``veritile equal``: properties of layouts, each decided with a witness where it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import click

from ..model.errors import InputError, Witness
from ..model.htuple import congruent, map_leaves, text_of
from ..reports.reply import Reply
from .named import LAYOUT, is_named, named_question_options, obligations_reply, read_layout, read_size
from .parameters import POSITIVE, Command, Notation, needs_size
from .plans import PlanFile, check_plan, read_operand
from .question import ask, say, worst

PROPERTIES = ("injective", "onto=N", "bijective=N", "within=N", "contiguous=K", "disjoint=M", "offset-bits=31")
Property = tuple[str, Any]


def read_property(text: str) -> Property:
    """The name of a property and its value; ``injective`` has none, ``disjoint`` a layout, the others an integer.

    >>> read_property("onto=32"), read_property("injective")
    (('onto', 32), ('injective', None))
    >>> read_property("onto=*")
    Traceback (most recent call last):
    ...
    veritile.model.errors.InputError: an integer or a name is expected here, not '*'
      onto=*
           ^
    """
    name, equals, value = text.partition("=")
    name = name.strip()
    wanted = next((p for p in PROPERTIES if p.partition("=")[0] == name), None)
    if wanted is None:
        raise InputError(f"a property is expected here: {', '.join(PROPERTIES)}", text, 0)
    if wanted == name and equals:
        raise InputError(f"{name} takes no value", text, text.index("="))
    if wanted != name and not equals:
        if name == "bijective":
            return name, None
        raise InputError(f"{name} needs a value: {wanted}", text, len(text))
    if not equals:
        return name, None
    start = len(text) - len(value)
    try:
        return name, read_layout(value) if name == "disjoint" else read_size(value)
    except InputError as error:
        raise InputError(error.message, text, start + (error.position or 0)) from None


def property_text(wanted: Property) -> str:
    """The property as it is written."""
    name, value = wanted
    return name if value is None else f"{name}={value}"


PROPERTY = Notation("property", read_property)


def refuter(layout: Any, wanted: Property) -> Callable[[], Witness | None]:
    """The question whose answer is a witness against the property, or None when the layout has it."""
    from ..model import properties

    name, value = wanted
    if name == "injective":
        return lambda: properties.refute_injective(layout)
    decide = getattr(properties, f"refute_{name}")
    return lambda: decide(layout, value)


def decide_property(layout: Any, wanted: Property, budget: float, element_bits: int | None = None) -> Reply:
    """Proved or refuted with its witness, or unknown."""
    text = property_text(wanted)
    if wanted[0] == "offset-bits":
        from ..proofs.contracts.offsets import decide_offsets

        bits, element = wanted[1], element_bits or 8

        def offsets() -> Reply:
            reply = obligations_reply(lambda given: decide_offsets(given, bits, element), (layout,), budget)
            if not is_named((layout,)):
                return reply
            lines = [line for line in reply.lines if not line.startswith(("  proved", "  refuted", "  unknown"))]
            if reply.conditions is not None:
                lines.insert(0, f"  holds exactly where: {reply.conditions}")
            guards = {name: value for name, value in reply.details.items() if name == "guard"}
            return replace(reply, lines=tuple(lines), details=guards)

        return ask(text, (str(layout), text), budget, offsets)

    def question(layout: Any, value: Any) -> Reply:
        witness = refuter(layout, (wanted[0], value))()
        if witness is None:
            return Reply("proved", evidence=("closed-form or every coordinate",))
        return Reply("refuted", reason=_refusal(layout, (wanted[0], value)), witness=witness)

    return ask(text, (str(layout), text), budget, question, (layout, wanted[1]))


def _refusal(layout: Any, wanted: Property) -> str:
    name, value = wanted
    return {
        "injective": f"{layout} is not injective",
        "onto": f"{layout} does not reach every offset below {value}",
        "bijective": f"{layout} is not one-to-one onto the offsets below {value or 'its size'}",
        "within": f"{layout} has an offset outside the {value} from 0 on",
        "contiguous": f"{layout} is not the identity on its first {value}",
        "disjoint": f"{layout} and {value} share an offset that is not 0",
    }[name]


@click.command("check", cls=Command)
@click.argument("layout", metavar="L|PLAN.toml", type=Notation("layout", read_operand))
@click.argument("wanted", metavar="PROPERTY...", type=PROPERTY, nargs=-1)
@click.option("--element-bits", metavar="B", type=POSITIVE, help="Bits of an element, for offset-bits.")
@named_question_options
def check_command(
    layout: Any, wanted: tuple[Property, ...], element_bits: int | None, budget: float, as_json: bool
) -> int:
    """Whether L has every PROPERTY; each is decided, and one that fails comes with its witness.

    With a file that ends in .toml: all that the kernel plan in it owes, decided at once.

    \b
    injective      no two coordinates share an offset
    onto=N         every offset below N is reached
    bijective=N    one-to-one onto the offsets below N
    within=N       every offset lies below N, none below 0
    contiguous=K   L(i) = i for every i < K
    disjoint=M     the images of L and of the layout M share nothing but 0
    offset-bits=N  offsets in elements and in bytes fit 31, 32 or 63 bits

    \b
    veritile check '(4,8):(1,5)' injective onto=32 contiguous=4
    veritile check docs/plans/gemm_sm90.toml
    """
    if isinstance(layout, PlanFile):
        if wanted or element_bits is not None:
            raise click.UsageError("a plan is checked as a whole: it takes no property")
        return check_plan(layout, budget, as_json)
    if not wanted:
        raise click.UsageError("Missing argument 'PROPERTY...'.")
    if element_bits is None and any(name == "offset-bits" for name, _ in wanted):
        raise click.UsageError("offset-bits needs --element-bits: offsets are counted in bytes too")
    needs_size(layout)
    for name, value in wanted:
        if name == "disjoint":
            needs_size(value)
    decided = [decide_property(layout, one, budget, element_bits) for one in wanted]
    operands = (str(layout), *map(property_text, wanted))
    return say(_together("check", operands, decided), as_json)


def _together(operation: str, operands: tuple[str, ...], decided: list[Reply]) -> Reply:
    """Several verdicts as one reply: the worst, with the reason and the witness of the first that has it."""
    verdict = worst([one.verdict for one in decided])
    first = next((one for one in decided if one.verdict == verdict and verdict != "proved"), None)
    told = [
        {
            "property": d.operation,
            "verdict": d.verdict,
            "reason": d.reason,
            "witness": d.witness,
            **({} if d.conditions is None else {"conditions": d.conditions}),
            **d.details,
        }
        for d in decided
    ]
    return Reply(
        verdict,
        operation,
        operands,
        reason=first.reason if first else None,
        witness=first.witness if first else None,
        scope=decided[0].scope,
        evidence=decided[0].evidence if verdict == "proved" else (),
        conditions=_joint_conditions(decided),
        notes=tuple(dict.fromkeys(note for d in decided for note in d.notes)),
        details={"properties": told},
        lines=tuple(_lines(decided)),
        time_ms=sum(d.time_ms for d in decided),
    )


def _joint_conditions(decided: list[Reply]) -> str | None:
    """The condition under which all of several properties hold."""
    found = list(dict.fromkeys(one.conditions for one in decided if one.conditions is not None))
    if len(found) < 2:
        return found[0] if found else None
    return "never" if "never" in found else " and ".join(f"({condition})" for condition in found)


def _lines(decided: list[Reply]) -> Iterator[str]:
    """A line a property where there are several, and those of its rules, where it has rules."""
    for one in decided:
        if len(decided) > 1:
            yield f"  {one.verdict:<8} {one.operation}"
        yield from (f"  {line}" if len(decided) > 1 else line for line in one.lines)


@click.command("equal", cls=Command)
@click.argument("first", metavar="L", type=LAYOUT)
@click.argument("second", metavar="M", type=LAYOUT)
@named_question_options
def equal_command(first: Any, second: Any, budget: float, as_json: bool) -> int:
    """Whether L and M are the same function of an index; whether their profiles agree is told beside it.

    \b
    veritile equal '(4,8):(1,4)' 32:1
    """
    from ..model.properties import refute_equal

    needs_size(first)
    needs_size(second)
    same = congruent(first.shape, second.shape)
    told = (
        f"same profile: {_dots(first.shape)}"
        if same
        else f"different profiles: {text_of(first.shape)} and {text_of(second.shape)}"
    )

    def question(first: Any, second: Any) -> Reply:
        witness = refute_equal(first, second)
        if witness is None:
            return Reply("proved", evidence=("closed-form or every coordinate",))
        return Reply("refuted", reason=f"{first} and {second} are different functions", witness=witness)

    reply = ask("equal", (str(first), str(second)), budget, question, (first, second))
    known = {"proved": True, "refuted": False}.get(reply.verdict)
    lines: tuple[str, ...] = (f"  {told}",)
    if reply.witness is not None:
        index, ours, theirs = (reply.witness.values[name] for name in ("index", "expected", "got"))
        lines = (f"  L({index}) = {_value(ours)}, M({index}) = {_value(theirs)}", *lines)
    details = {"functions": known, "profiles": same, **reply.details}
    reply = replace(reply, details=details, lines=(*reply.lines, *lines))
    return say(reply, as_json)


def _value(offset: Any) -> str:
    return "nothing, past its end" if offset is None else str(offset)


def _dots(shape: Any) -> str:
    return text_of(map_leaves(lambda _: "*", shape))
