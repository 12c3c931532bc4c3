"""``veritile eval``: the offset at a coordinate."""

from __future__ import annotations

from typing import Any

import click

from ..model.errors import InputError
from ..model.htuple import text_of
from ..model.layout import Layout
from ..model.swizzle import Swizzle
from ..reports.reply import Reply
from .named import COORDINATE, LAYOUT, named_question_options
from .parameters import Command
from .question import ask, say


@click.command("eval", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.argument("coordinate", metavar="C", type=COORDINATE)
@named_question_options
def eval_command(layout: Any, coordinate: Any, budget: float, as_json: bool) -> int:
    """The offset of L at the coordinate C: integral, natural or between.

    Past the end L is evaluated as the paper defines: the last mode is not reduced. The answer says so.

    \b
    veritile eval '((2,2),(4,2)):((1,8),(2,16))' '(2,5)'
    """

    def question(layout: Any, coordinate: Any) -> Reply:
        if isinstance(layout, Swizzle):
            if not isinstance(coordinate, int) or coordinate < 0:
                raise InputError(f"{layout} takes an offset of at least 0, not {text_of(coordinate)}")
            return Reply("proved", result=layout(coordinate), evidence=("definition",))
        inside = layout.in_bounds(coordinate)
        notes = () if inside else (_outside(layout, coordinate),)
        return Reply("proved", result=layout(coordinate), evidence=("definition",), in_bounds=inside, notes=notes)

    return say(ask("eval", (str(layout), text_of(coordinate)), budget, question, (layout, coordinate)), as_json)


def _outside(layout: Any, coordinate: Any) -> str:
    shape = text_of(layout.shape)
    if isinstance(layout, Layout):
        return f"{text_of(coordinate)} is out of range of {shape}: the last mode is not reduced (paper, section 2.2)"
    return f"{text_of(coordinate)} is out of range of {shape}"
