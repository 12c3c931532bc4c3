"""``veritile vector``: the widest vector that a copy may use, with its six conditions."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

import click

from ..model.errors import InputError
from ..reports.obligations import obligation_lines, obligation_reply
from ..reports.reply import Reply
from .named import LAYOUT, SIZE, is_named, named_question_options, obligations_reply, read_expression
from .parameters import POSITIVE, Command, Notation, needs_layout, needs_size
from .question import ask, say

SPACES = ("global", "shared", "register")


def read_arch(text: str) -> int:
    """An architecture, ``sm_90a`` or 90.

    >>> read_arch("sm_90a"), read_arch("100")
    (90, 100)
    """
    digits = text.strip().removeprefix("sm_").rstrip("af")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 4:
        raise InputError("an architecture is expected here, as in sm_90", text, 0)
    return int(digits)


@click.command("vector", cls=Command)
@click.argument("source", metavar="SRC", type=LAYOUT)
@click.argument("destination", metavar="DST", type=LAYOUT)
@click.option("--element-bits", metavar="B", type=POSITIVE, required=True, help="Bits of an element.")
@click.option(
    "--align", metavar="BYTES", type=POSITIVE, required=True, help="What both pointers are known to be multiples of."
)
@click.option("--align-dst", metavar="BYTES", type=POSITIVE, help="The same of the destination, where it differs.")
@click.option("--atom", metavar="BITS", type=POSITIVE, help="Decide this width, not the widest.")
@click.option("--tv", metavar="TV", type=LAYOUT, help="Which thread owns which index: SRC and DST are of the tile.")
@click.option(
    "--offset",
    "offsets",
    metavar="ELEMENTS",
    type=Notation("offset", read_expression),
    multiple=True,
    help="A tile offset; may be repeated.",
)
@click.option("--extent", metavar="N", type=SIZE, help="Elements along the vector that a predicate admits.")
@click.option("--op", metavar="OP", help="ld.global, st.shared, cp.async …; not given: a synchronous copy.")
@click.option("--from", "start", type=click.Choice(SPACES), default="global", show_default=True, help="Where SRC is.")
@click.option("--to", "end", type=click.Choice(SPACES), default="shared", show_default=True, help="Where DST is.")
@click.option("--arch", type=Notation("arch", read_arch), default="sm_80", show_default=True, help="Architecture.")
@named_question_options
def vector_command(
    source: Any,
    destination: Any,
    element_bits: int,
    align: int,
    align_dst: int | None,
    atom: int | None,
    tv: Any,
    offsets: tuple[Any, ...],
    extent: Any,
    op: str | None,
    start: str,
    end: str,
    arch: int,
    budget: float,
    as_json: bool,
) -> int:
    """The widest legal vector of the copy DST(i) = SRC(i), a power of two of elements, and why it is no wider.

    \b
    veritile vector '(2,3):(1,2)' '(2,3):(1,2)' --element-bits 32 --align 16
    veritile vector '(4,64):(N,1)' '(4,64):(64,1)' --element-bits 32 --align 16 --where 'N % 4 == 0'
    """
    from ..proofs.contracts.obligation import verdict_of
    from ..proofs.contracts.vector import Copy, decide_atom, widest_vector
    from ..proofs.verdict import Verdict

    needs_size(source)
    needs_size(destination)
    if tv is not None:
        needs_layout(tv, "vector")

    def copy_of(source: Any, destination: Any, offsets: Any, tv: Any, extent: Any) -> Copy:
        aligned = (align, align_dst or align)
        return Copy(source, destination, element_bits, aligned, offsets, offsets, tv, extent, op, (start, end), arch)

    given = (source, destination, offsets, tv, extent)

    def question() -> Reply:
        if is_named(given):
            return named()
        copy = copy_of(*given)
        if atom is not None:
            return obligation_reply(decide_atom(copy, atom))
        width, held, after = widest_vector(copy)
        found = f"{width} elements, {width * element_bits} bits" if width else None
        reply = obligation_reply(held, result=found, details={"width": width})
        if not width:
            return reply
        open_ = [line for line in obligation_lines(after) if not line.startswith("  proved")]
        known = verdict_of(after) is not Verdict.UNKNOWN
        head = "  wider ones are not:" if known else "  a wider one was not decided:"
        lines = (*reply.lines, head, *(f"  {line}" for line in open_))
        if known:
            return replace(reply, lines=lines)
        return replace(reply, verdict="unknown", reason=f"{found} are legal, and more may be", evidence=(), lines=lines)

    def named() -> Reply:
        widths = [1 << k for k in reversed(range(8)) if element_bits << k <= 128] or [1]
        tried = [atom] if atom is not None else [w * element_bits for w in widths]
        spent = monotonic() + budget
        for left, bits in zip(reversed(range(1, len(tried) + 1)), tried, strict=True):
            share = (spent - monotonic()) / left
            if share <= 0:
                return Reply("unknown", reason=f"of {bits} bits and fewer: the budget was spent")
            reply = obligations_reply(lambda *v, bits=bits: decide_atom(copy_of(*v), bits), given, share)
            if reply.verdict == "proved":
                break
        if reply.verdict != "proved" or atom is not None:
            return reply
        width = bits // element_bits
        details = {**reply.details, "width": width}
        notes = ("the widest for all values; for some of them a wider one may do",)
        return replace(reply, result=f"{width} elements, {bits} bits", details=details, notes=notes)

    return say(ask("vector", (str(source), str(destination)), budget, question), as_json)
