"""``veritile draw``: a picture of a layout, an operation, shared memory or a run, as SVG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..model.errors import InputError, Refuted, Undecided
from ..model.notation import parse, parse_shape, parse_tiler
from .parameters import COORDINATE, POSITIVE, Command, needs_layout, needs_size, read_positive
from .question import PROVED, REFUTED, UNKNOWN


@click.command("draw", cls=Command)
@click.argument("kind", metavar="KIND")
@click.argument("operands", metavar="OPERAND...", nargs=-1)
@click.option("--bound", metavar="N", help="complement: how far it reaches.")
@click.option("--tile", metavar="SHAPE", help="tv: the shape of the tile.")
@click.option("--at", "coordinate", type=COORDINATE, help="compose: the coordinate to trace.")
@click.option("--element-bits", type=POSITIVE, default=16, show_default=True, help="banks: bits of one element.")
@click.option("--vector", type=POSITIVE, default=1, show_default=True, help="banks: elements of one access.")
@click.option(
    "-o", "output", metavar="FILE.svg", type=click.Path(dir_okay=False), help="Write here, not to the terminal."
)
def draw_command(kind: str, operands: tuple[str, ...], output: str | None, **options: Any) -> int:
    """Draws KIND: layout L, tv TV, compose A B, divide A T, complement L, banks TV LAYOUT, swizzle S, timeline PLAN.

    A composition or a complement that does not exist is drawn with what is in its way; of a plan, the run of its first
    pipeline that goes wrong.

    \b
    veritile draw compose '(6,2):(1,7)' '(3,2):(2,3)' -o trace.svg
    veritile draw tv '((4,8),2):((16,1),8)' --tile '(8,8)' -o tv.svg
    """
    if kind not in KINDS:
        raise InputError(f"a picture is one of {', '.join(KINDS)}", kind, 0)
    count, make = KINDS[kind]
    if len(operands) != count:
        raise InputError(f"draw {kind} takes {count} operand{'s' if count > 1 else ''}, and there are {len(operands)}")
    try:
        text = make(list(operands), options).svg()
    except Refuted as refusal:
        click.echo(f"refuted: {refusal.reason}", err=True)
        return REFUTED
    except Undecided as spent:
        click.echo(f"unknown: {spent.reason}", err=True)
        return UNKNOWN
    return write_svg(text, output)


def write_svg(text: str, output: str | None) -> int:
    """The picture to a file, or to standard output."""
    if output is None:
        click.echo(text)
        return PROVED
    try:
        Path(output).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from None
    return PROVED


def _layout(operands: list[str], options: Any) -> Any:
    from ..reports.svg.layouts import draw_layout

    found = parse(operands[0])
    needs_size(found)
    return draw_layout(found)


def _tv(operands: list[str], options: Any) -> Any:
    from ..reports.svg.tv import draw_tv

    if options["tile"] is None:
        raise InputError("draw tv needs --tile SHAPE")
    found = parse(operands[0])
    needs_size(found)
    return draw_tv(found, parse_shape(options["tile"]))


def _compose(operands: list[str], options: Any) -> Any:
    from ..reports.svg.composition import draw_composition

    a, b = (needs_layout(parse(one), "a composition that is drawn") for one in operands)
    coordinate = options["coordinate"]
    if coordinate is not None and not b.in_bounds(coordinate):
        raise InputError(f"--at is no coordinate of {b}")
    return draw_composition(a, b, coordinate)


def _divide(operands: list[str], options: Any) -> Any:
    from ..reports.svg.tiles import draw_divide

    return draw_divide(needs_layout(parse(operands[0]), "a divide"), parse_tiler(operands[1]))


def _complement(operands: list[str], options: Any) -> Any:
    from ..model.layout import size
    from ..model.properties import cosize
    from ..reports.svg.tiles import draw_complement

    found = needs_layout(parse(operands[0]), "complement")
    reach = cosize(found) if options["bound"] is None and found.semimodule == "integer" else size(found)
    assert isinstance(reach, int)
    return draw_complement(found, reach if options["bound"] is None else read_positive(options["bound"]))


def _banks(operands: list[str], options: Any) -> Any:
    from ..proofs.contracts.banks import Access
    from ..reports.svg.banks import draw_banks

    tv, tile = (parse(one) for one in operands)
    needs_size(tile)
    return draw_banks(Access(needs_layout(tv, "an access"), tile, options["element_bits"], options["vector"]))  # type: ignore[arg-type]


def _swizzle(operands: list[str], options: Any) -> Any:
    from ..reports.svg.banks import draw_swizzle, swizzle_of

    return draw_swizzle(swizzle_of(parse(operands[0])))


def _timeline(operands: list[str], options: Any) -> Any:
    from ..proofs.plan import parse_plan
    from ..reports.svg.timeline import draw_timeline

    try:
        text = Path(operands[0]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{operands[0]} cannot be read", operands[0], 0) from None
    for owed in parse_plan(text).owed():
        witness = owed.obligation.witness
        if witness is not None and witness.kind == "trace":
            fault = str(witness.values.get("fault") or owed.obligation.reason)
            return draw_timeline(witness.values["steps"], fault, f"{owed.subject}: {owed.obligation.name}")
    raise InputError("no pipeline of this plan goes wrong, so there is no run to draw", operands[0], 0)


KINDS: dict[str, tuple[int, Callable[[list[str], Any], Any]]] = {
    "layout": (1, _layout),
    "tv": (1, _tv),
    "compose": (2, _compose),
    "divide": (2, _divide),
    "complement": (1, _complement),
    "banks": (2, _banks),
    "swizzle": (1, _swizzle),
    "timeline": (1, _timeline),
}
