"""The operations of the algebra: ``coalesce compose complement inverse divide product recast slice``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ..model.errors import CompositionRefuted, Witness
from ..model.htuple import at, map_leaves, size, text_of
from ..model.layout import Layout
from ..model.semimodule import CoordinateStride
from ..model.swizzle import Swizzle
from ..reports.reply import Reply
from .named import INNER, LAYOUT, SIZE, SLICE, TILER, is_named, named_question_options
from .parameters import POSITIVE, PROFILE, Command, needs_layout, needs_size, tiler_text
from .question import ask, say

DIVIDES = ("logical", "zipped", "tiled", "flat")
PRODUCTS = ("logical", "blocked", "raked", "zipped", "tiled", "flat")


@click.command("coalesce", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.option("--profile", metavar="P", type=PROFILE, help="Coalesce the modes at the leaves of P one by one: (_,_).")
@named_question_options
def coalesce_command(layout: Any, profile: Any, budget: float, as_json: bool) -> int:
    """The same function of an index with as few modes as there can be.

    \b
    veritile coalesce '(2,(1,6)):(1,(6,2))'
    """
    from ..model.coalesce import decide_coalesce

    plain = needs_layout(layout, "coalesce")
    operands = (str(layout),) if profile is None else (str(layout), text_of(profile))

    def question(plain: Any) -> Reply:
        return Reply.of(decide_coalesce(plain, profile))

    return say(ask("coalesce", operands, budget, question, (plain,)), as_json)


@click.command("compose", cls=Command)
@click.argument("a", metavar="A", type=LAYOUT)
@click.argument("b", metavar="B", type=INNER)
@click.option("--in-bounds", "stay", is_flag=True, help="Refute when B leaves A.")
@named_question_options
def compose_command(a: Any, b: Any, stay: bool, budget: float, as_json: bool) -> int:
    """R with R(c) = A(B(c)) at every coordinate c of B, refining B; or the coordinate where none can be.

    A is evaluated past its end as the paper defines. B may be a tiler by mode, '<4:1,8:2>'.

    \b
    veritile compose '(4,6,8,10):(2,3,5,7)' 6:12
    """
    from ..model.composition import decide_composition

    def question(a: Any, b: Any) -> Reply:
        if isinstance(b, tuple):
            return _by_mode(needs_layout(a, "composition by mode"), b, stay)
        if stay:
            _refuse_leaving(a, b)
        return Reply.of(decide_composition(a, b))

    reply = ask("compose", (str(a), tiler_text(b)), budget, question, (a, b))
    return say(reply if isinstance(b, tuple) or is_named((a, b)) else _with_intermediates(reply, a, b), as_json)


def _by_mode(a: Layout, tiler: tuple[Any, ...], stay: bool) -> Reply:
    """A∘⟨T₀,T₁,…⟩: the modes composed one by one; a mode without a tile, or with ``_``, is kept."""
    from ..model.composition import decide_composition
    from ..model.tiler import as_layout, by_mode, joined

    parts: list[Any] = []
    known: list[str] = []
    inside = True
    for mode, part in by_mode(a, tiler)[: len(tiler)]:
        if isinstance(part, tuple):
            reply = _by_mode(mode, part, stay)
        elif part is None:
            reply = Reply("proved", result=mode, in_bounds=True)
        else:
            if stay:
                _refuse_leaving(mode, as_layout(part))
            reply = Reply.of(decide_composition(mode, as_layout(part)))
        parts.append(reply.result)
        known += reply.evidence
        inside = inside and reply.in_bounds is not False
    return Reply(
        "proved",
        result=joined(parts),
        evidence=tuple(dict.fromkeys(known)) or ("definition",),
        in_bounds=inside,
        exact=True,
    )


def _refuse_leaving(a: Any, b: Any) -> None:
    """CompositionRefuted when an offset of B is no coordinate of A in bounds; a swizzle has no bounds to leave."""
    from ..model.properties import refute_within

    if isinstance(a, Swizzle) or isinstance(b, Swizzle):
        return
    for extent, along in _axes(a, b):
        witness = refute_within(along, extent)
        if witness is not None:
            values = {**witness.values, "offset": b(witness.values["coordinate"])}
            raise CompositionRefuted(
                f"{b} leaves {a}, which has {extent} coordinates there", Witness("outside", values)
            )


def _axes(a: Any, b: Any) -> list[tuple[int, Any]]:
    """For each mode of A that B's offsets are coordinates of: its size, and B's offsets along it, integers."""
    if not isinstance(b, Layout) or b.semimodule != "coordinate":
        return [(size(a.shape), b)]
    paths = sorted({path for _, d in b.modes if isinstance(d, CoordinateStride) for path, _ in d.terms})

    def along(path: tuple[int, ...]) -> Layout:
        return Layout(b.shape, map_leaves(lambda d: dict(d.terms).get(path, 0) if d else 0, b.stride))

    try:
        return [(size(at(a.shape, path)), along(path)) for path in paths]
    except IndexError:
        return []  # composition refuses this as bad input


def _with_intermediates(reply: Reply, a: Any, b: Any) -> Reply:
    """With the values on the way to the difference: what B gives, and what A gives there."""
    from ..model.coordinate import as_coordinate

    if reply.witness is None or not {"coordinate", "expected"} <= reply.witness.values.keys():
        return reply
    coordinate = reply.witness.values["coordinate"]
    place = as_coordinate(b(coordinate), a.shape)
    at = text_of(coordinate) if isinstance(coordinate, tuple) else f"({coordinate})"
    inner = text_of(place) if isinstance(place, tuple) else f"({place})"
    return replace(reply, lines=(f"  B{at} = {text_of(place)}, A{inner} = {a(place)}",))


@click.command("complement", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.option("--bound", metavar="N", type=SIZE, help="Fill Z_N, or the next size that can be filled.")
@click.option("--partial", is_flag=True, help="Disjoint from L and ordered, whether or not gaps stay.")
@click.option("--extended", is_flag=True, help="The one that a product composes with, evaluated past its end.")
@named_question_options
def complement_command(layout: Any, bound: Any, partial: bool, extended: bool, budget: float, as_json: bool) -> int:
    """The ordered L* such that (L, L*) is a bijection onto Z_N, or onto the next size that one exists for.

    \b
    veritile complement 4:2 --bound 16
    """
    from ..model import complement

    plain = needs_layout(layout, "complement")
    if extended and (partial or bound is not None):
        raise click.UsageError("--extended takes neither --bound nor --partial")
    if not extended and bound is None:
        raise click.UsageError("--bound N is missing")

    def question(plain: Any, bound: Any) -> Reply:
        if bound is None:
            return Reply.of(complement.decide_extended_complement(plain))
        decide = complement.decide_partial_complement if partial else complement.decide_complement
        return Reply.of(decide(plain, bound))

    kind = "extended" if extended else "partial" if partial else "bounded"
    reply = ask(
        "complement", (str(layout),) if bound is None else (str(layout), str(bound)), budget, question, (plain, bound)
    )
    return say(_detailed(reply, kind=kind), as_json)


def _detailed(reply: Reply, **details: Any) -> Reply:
    return replace(reply, details={**details, **reply.details})


@click.command("inverse", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.option("--left", is_flag=True, help="L† with L†(L(k)) = k where L is injective.")
@click.option("--right", is_flag=True, help="The largest L‡ with L(L‡(k)) = k.")
@named_question_options
def inverse_command(layout: Any, left: bool, right: bool, budget: float, as_json: bool) -> int:
    """The left or the right inverse, or why there is none.

    \b
    veritile inverse '(4,8):(8,1)' --right
    """
    from ..model import inverse

    plain = needs_layout(layout, "inverse")
    if left == right:
        raise click.UsageError("--left or --right is missing" if not left else "--left or --right, not both")
    decide = inverse.decide_left_inverse if left else inverse.decide_right_inverse
    reply = ask("inverse", (str(layout),), budget, lambda plain: Reply.of(decide(plain)), (plain,))
    return say(_detailed(reply, side="left" if left else "right"), as_json)


@click.command("divide", cls=Command)
@click.argument("a", metavar="A", type=LAYOUT)
@click.argument("tiler", metavar="T", type=TILER)
@click.option("--form", type=click.Choice(DIVIDES), default="logical", show_default=True, help="How modes are grouped.")
@named_question_options
def divide_command(a: Any, tiler: Any, form: str, budget: float, as_json: bool) -> int:
    """A split into tiles: the tile first, then the rest. Ragged sizes round up, and the answer says so.

    \b
    veritile divide '(8,16):(20,1)' '<4:1,8:2>' --form zipped
    """
    from ..model.divide import decide_divide

    plain = needs_layout(a, "divide")
    operands = (str(a), tiler_text(tiler))
    reply = ask("divide", operands, budget, lambda a, t: Reply.of(decide_divide(a, t, form)), (plain, tiler))
    return say(_detailed(reply, form=form), as_json)


@click.command("product", cls=Command)
@click.argument("a", metavar="A", type=LAYOUT)
@click.argument("b", metavar="B", type=TILER)
@click.option(
    "--form", type=click.Choice(PRODUCTS), default="logical", show_default=True, help="How modes are grouped."
)
@named_question_options
def product_command(a: Any, b: Any, form: str, budget: float, as_json: bool) -> int:
    """A repeated in the arrangement of B.

    \b
    veritile product '(3,4):(4,1)' '(2,5):(1,2)' --form raked
    """
    from ..model.product import decide_product

    plain = needs_layout(a, "product")
    operands = (str(a), tiler_text(b))
    reply = ask("product", operands, budget, lambda a, b: Reply.of(decide_product(a, b, form)), (plain, b))
    return say(_detailed(reply, form=form), as_json)


@click.command("recast", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.option("--from", "old", metavar="BITS", type=POSITIVE, required=True, help="Bits of an element now.")
@click.option("--to", "new", metavar="BITS", type=POSITIVE, required=True, help="Bits of an element afterwards.")
@named_question_options
def recast_command(layout: Any, old: int, new: int, budget: float, as_json: bool) -> int:
    """The same bytes in elements of another width, or the element that breaks it.

    \b
    veritile recast '(8,4):(1,8)' --from 16 --to 32
    """
    from ..model.recast import decide_recast

    needs_size(layout)
    operands = (str(layout), str(old), str(new))
    reply = ask("recast", operands, budget, lambda plain: Reply.of(decide_recast(plain, old, new)), (layout,))
    return say(reply, as_json)


@click.command("slice", cls=Command)
@click.argument("layout", metavar="L", type=LAYOUT)
@click.argument("coordinate", metavar="C", type=SLICE)
@named_question_options
def slice_command(layout: Any, coordinate: Any, budget: float, as_json: bool) -> int:
    """The layout of the modes that C keeps with ``_``, and the offset of those that it fixes.

    \b
    veritile slice '(4,(4,2)):(4,(1,16))' '(_,(1,0))'
    """
    from ..model.slicing import decide_slice

    needs_size(layout)

    def question(layout: Any, coordinate: Any) -> Reply:
        answer = decide_slice(layout, coordinate)
        kept, offset = answer.result
        reply = replace(Reply.of(answer), result=kept, details={"offset": offset})
        return replace(reply, lines=(f"  offset {offset}",))

    return say(ask("slice", (str(layout), text_of(coordinate)), budget, question, (layout, coordinate)), as_json)
