"""``veritile show``: what a layout is like, on one page."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import click

from ..model import htuple
from ..model.errors import InputError, PropertyRefuted, Witness
from ..model.htuple import text_of
from ..model.names import names_in
from ..model.semimodule import F2
from ..reports.reply import Reply
from ..reports.terminal import picture, table_lines, witness_text
from .named import LAYOUT, is_named, named_question_options
from .parameters import Command, needs_layout, needs_size
from .question import PROVED, ask, say, worst

EXCERPT = 12  # offsets of the image that are listed
ENUMERATED = 1 << 14  # coordinates up to which the image is enumerated


@click.command("show", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.option("--svg", "as_svg", is_flag=True, help="Print the picture alone, as SVG.")
@named_question_options
def show_command(layout: Any, as_svg: bool, budget: float, as_json: bool) -> int:
    """Size, cosize, image, injective?, onto?, contiguous run, inverses, and a picture of L.

    Onto means that every offset from 0 to the greatest is reached. The picture has the first mode down and the others
    across.

    \b
    veritile show '(4,8):(1,5)'
    """
    needs_size(layout)
    is_named((layout,))  # what --where has wrong is bad input, and no line of the table
    if as_svg:
        return _draw(layout)
    start = perf_counter()
    replies: dict[str, Reply] = {}
    for name, question in _questions(layout).items():
        left = max(0.01, budget - (perf_counter() - start))
        try:
            replies[name] = ask(name, (str(layout),), left, question, (layout,))
        except InputError as error:
            replies[name] = Reply("refuted", name, reason=f"does not apply: {error.message}")
    undecided = [reply for reply in replies.values() if reply.verdict == "unknown"]
    reply = Reply(
        worst([reply.verdict for reply in undecided]),
        "show",
        (str(layout),),
        result=layout,
        scope=next((r.scope for r in replies.values() if r.scope != "instance"), "instance"),
        reason=undecided[0].reason if undecided else None,
        evidence=("each line decided on its own",),
        details={name.replace(" ", "_"): _detail(reply) for name, reply in replies.items()},
        lines=(
            *table_lines([("size", str(htuple.size(layout.shape))), *((n, _told(r)) for n, r in replies.items())]),
            *(() if names_in(layout) else ("", *picture(layout))),
        ),
        time_ms=(perf_counter() - start) * 1000,
    )
    return say(reply, as_json)


def _draw(layout: Any) -> int:
    from ..reports.svg.layouts import draw_layout

    if names_in(layout):
        raise InputError("a picture needs the values of all names", str(layout), 0)
    click.echo(draw_layout(layout).svg())
    return PROVED


def _questions(layout: Any) -> dict[str, Callable[[Any], Reply]]:
    from ..model import inverse, properties

    def holds(refute: Callable[[Any], Witness | None]) -> Callable[[Any], Reply]:
        def question(layout: Any) -> Reply:
            witness = refute(layout)
            if witness is not None:
                raise PropertyRefuted("no", witness)
            return Reply("proved", result=True)

        return question

    def onto(layout: Any) -> Witness | None:
        extent = properties.cosize(layout)
        if not isinstance(extent, int):
            raise InputError("the offsets are coordinates")
        return properties.refute_onto(layout, extent)

    return {
        "cosize": lambda layout: Reply("proved", result=properties.cosize(layout)),
        **({} if names_in(layout) else {"image": lambda layout: Reply("proved", result=_image(layout))}),
        "injective": holds(properties.refute_injective),
        "onto": holds(onto),
        "contiguous run": lambda layout: Reply("proved", result=properties.contiguous_run(layout)),
        "left inverse": lambda layout: Reply.of(inverse.decide_left_inverse(needs_layout(layout, "an inverse"))),
        "right inverse": lambda layout: Reply.of(inverse.decide_right_inverse(needs_layout(layout, "an inverse"))),
    }


def _image(layout: Any) -> str:
    """The first offsets in order and the last; of very many coordinates the range alone."""
    from ..model import properties

    if htuple.size(layout.shape) > ENUMERATED:
        low, high = properties.offset_range(layout)
        return f"from {low} to {high}"
    offsets = list(dict.fromkeys(properties.offsets(layout)))
    if all(isinstance(offset, (int, F2)) for offset in offsets):
        offsets.sort(key=lambda offset: offset.bits if isinstance(offset, F2) else offset)
    texts = [str(offset) for offset in offsets]
    listed = texts if len(texts) <= EXCERPT else [*texts[: EXCERPT - 1], "…", texts[-1]]
    return f"{', '.join(listed)} ({len(texts)} offset{'s' * (len(texts) != 1)})"


def _told(reply: Reply) -> str:
    if reply.verdict == "proved":
        if "cases" in reply.details:
            return "; ".join(f"{case['result']} where {case['when']}" for case in reply.details["cases"])
        return "yes" if reply.result is True else text_of(reply.result)
    if reply.conditions not in (None, "never"):
        return f"{'yes' if reply.result is True else reply.result or 'one'} only where {reply.conditions}"
    if reply.verdict == "unknown":
        return f"unknown: {reply.reason}"
    if (reply.reason or "").startswith("does not apply"):
        return str(reply.reason)
    why = [reply.reason] if reply.reason and reply.reason != "no" else []
    why += [witness_text(reply.witness)] if reply.witness is not None else []
    return f"{'no' if reply.reason == 'no' else 'none'}: {'; '.join(why)}"


def _detail(reply: Reply) -> dict[str, Any]:
    """Whether it was decided, and the value; false for a property that fails, null where there is no value."""
    value = {"proved": reply.result, "refuted": False if reply.reason == "no" else None}.get(reply.verdict)
    named = {} if reply.conditions is None else {"conditions": reply.conditions}
    cases = {name: value for name, value in reply.details.items() if name in ("cases", "guard")}
    told = {"verdict": reply.verdict, "value": value, "reason": reply.reason, "witness": reply.witness}
    return {**told, **named, **cases}
