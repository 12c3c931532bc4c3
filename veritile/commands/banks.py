"""``veritile banks``: bank conflicts of a warp's accesses to shared memory, and a swizzle that prevents them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ..model.layout import Layout
from ..reports.reply import Reply
from .parameters import LAYOUT, POSITIVE, Command, needs_layout, needs_size, question_options
from .question import ask, say


@click.command("banks", cls=Command)
@click.argument("tv", metavar="TV", type=LAYOUT)
@click.argument("layout", metavar="LAYOUT", type=LAYOUT)
@click.option("--element-bits", type=POSITIVE, required=True, help="Bits of one element.")
@click.option("--vector", type=POSITIVE, default=1, show_default=True, help="Elements of one access.")
@click.option("--other", type=LAYOUT, help="The other side: a TV that reads what TV writes.")
@click.option("--other-vector", type=POSITIVE, help="Elements of one access of the other side.  [default: --vector]")
@click.option("--suggest", is_flag=True, help="Look for the smallest swizzle, B <= 3, without conflicts.")
@click.option("--tma", is_flag=True, help="Suggest only the swizzle modes that TMA and wgmma know.")
@question_options
def banks_command(
    tv: Any,
    layout: Any,
    element_bits: int,
    vector: int,
    other: Any,
    other_vector: int | None,
    suggest: bool,
    tma: bool,
    budget: float,
    as_json: bool,
) -> int:
    """The conflict degree of the accesses that TV makes to the tile LAYOUT: words a bank in one phase.

    TV sends (thread, value) to an index of the tile, LAYOUT that to an offset in elements. Proved: the degree is 1, the
    least there is. Refuted: two lanes of a phase want different words of one bank; they are named. With --suggest, the
    tile under the smallest swizzle that serves TV and the other side, or refuted: no swizzle with B <= 3 does.

    \b
    veritile banks '(8,8):(1,8)' '(8,64):(64,1)' --element-bits 16 --vector 8 --suggest
    """
    sides = [(tv, vector)] + ([] if other is None else [(other, other_vector or vector)])
    for side, _ in sides:
        needs_layout(side, "an access")
    needs_size(layout)
    if other is None and other_vector is not None:
        raise click.UsageError("--other-vector goes with --other")
    if tma and not suggest:
        raise click.UsageError("--tma goes with --suggest")

    def question() -> Reply:
        return (
            _suggested(sides, layout, element_bits, tma, budget) if suggest else _decided(sides, layout, element_bits)
        )

    operands = (*(str(side) for side, _ in sides), str(layout))
    return say(ask("banks", operands, budget, question), as_json)


def _decided(sides: list[tuple[Layout, int]], layout: Any, element_bits: int) -> Reply:
    """Every rule for every side, with the degree of each phase."""
    from ..proofs.contracts.banks import Access, decide_banks
    from ..reports.obligations import obligation_lines, obligation_reply

    found = [decide_banks(Access(side, layout, element_bits, k)) for side, k in sides]
    degrees: list[int] = [part[-1].details["degree"] for part in found if "degree" in part[-1].details]
    known = len(degrees) == len(found)
    lines: list[str] = []
    for (side, k), part in zip(sides, found, strict=True):
        lines += [f"  {side}, {k} together:"] if len(sides) > 1 else []
        lines += obligation_lines(part)
    reply = obligation_reply(
        [o for part in found for o in part], lines=tuple(lines), notes=_units(layout, element_bits)
    )
    accesses = [
        {"tv": str(side), "vector": k, **part[-1].details} for (side, k), part in zip(sides, found, strict=True)
    ]
    details = {**reply.details, "degree": max(degrees) if known else None, "accesses": accesses}
    return replace(reply, result=f"degree {max(degrees)}" if known else None, details=details)


def _units(layout: Any, element_bits: int) -> tuple[str, ...]:
    """A note when the swizzle is one of the hardware's modes in bytes, and elements are counted."""
    from ..proofs.contracts.banks import decide_swizzle_units

    if isinstance(layout, Layout) or element_bits not in (4, 16, 32, 64, 128):
        return ()
    obligation = decide_swizzle_units(layout, element_bits)
    return (obligation.reason,) if "in bytes" in obligation.reason else ()


def _suggested(sides: list[tuple[Layout, int]], layout: Any, element_bits: int, tma: bool, budget: float) -> Reply:
    from ..proofs.contracts.banks import Access, decide_banks, degree_of, plain_layout, suggest_swizzle
    from ..proofs.contracts.obligation import verdict_of
    from ..proofs.verdict import Verdict
    from ..reports.obligations import obligation_reply

    plain = plain_layout(layout)
    accesses = [Access(side, plain, element_bits, k) for side, k in sides]
    owed = [o for a in accesses for o in decide_banks(a)[:-1]]
    if verdict_of(owed) is not Verdict.PROVED:
        return obligation_reply(owed)
    before = [degree_of(a) for a in accesses]
    found = suggest_swizzle(accesses, modes_only=tma, budget=budget / 2)
    if found.layout is None or found.swizzle is None:
        kind = "that TMA and wgmma know" if tma else "with B <= 3"
        worst_access = max(zip(before, accesses, strict=True), key=lambda item: item[0])[1]
        return Reply(
            "refuted",
            reason=f"no swizzle {kind} keeps every phase on {plain} without conflicts",
            witness=decide_banks(worst_access)[-1].witness,
            evidence=found.evidence,
            details={"degree": max(before), "tried": found.tried},
        )
    after = [degree_of(a.with_layout(found.layout)) for a in accesses]
    assert max(after) == 1  # counted again, by another route than the search
    return Reply(
        "proved",
        result=found.layout,
        evidence=found.evidence,
        notes=found.notes,
        details={
            "swizzle": str(found.swizzle),
            "degree": max(after),
            "degree_without": max(before),
            "tried": found.tried,
        },
        lines=tuple(
            f"  {a.tv}: {b}-way without it, {c}-way with it" for a, b, c in zip(accesses, before, after, strict=True)
        ),
    )
