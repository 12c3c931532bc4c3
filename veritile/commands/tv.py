"""``veritile tv``: whether a thread–value layout owns every element of its tile exactly once."""

from __future__ import annotations

from typing import Any

import click

from ..model.htuple import text_of
from .named import LAYOUT, SIZE, named_question_options, obligations_reply, read_named_shape
from .parameters import Command, Notation, needs_size
from .question import ask, say

SHAPE = Notation("shape", read_named_shape)


@click.command("tv", cls=Command)
@click.argument("tv", metavar="TV", type=LAYOUT)
@click.option("--tile", metavar="SHAPE", type=SHAPE, required=True, help="The shape of the tile, as in (64,8).")
@click.option("--threads", metavar="N", type=SIZE, help="Threads that are launched; those of TV if not given.")
@click.option("--active", metavar="N", type=SIZE, help="How many of them a guard lets through.")
@named_question_options
def tv_command(tv: Any, tile: Any, threads: Any, active: Any, budget: float, as_json: bool) -> int:
    """Whether the threads own every element of the tile exactly once; overlaps and holes are named.

    TV maps (thread, value) to an element of the tile, by its index (first mode fastest) or its coordinate.

    \b
    veritile tv '((8,4),(4,2)):((16,1),(4,128))' --tile '(4,64)'
    veritile tv '((8,4),(4,N)):((16,1),(4,128))' --tile '(4,32*N)' --where 'N <= 64'
    """
    from ..proofs.contracts.ownership import decide_ownership

    needs_size(tv)
    operands = (text_of(tile), str(tv))
    question = lambda: obligations_reply(decide_ownership, (tv, tile, threads, active), budget)  # noqa: E731
    return say(ask("tv", operands, budget, question), as_json)
