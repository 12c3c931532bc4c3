"""TMEM: columns allocated, regions live in them, lanes that a warp reaches, and the order of alloc, use and dealloc."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .obligation import Obligation
from .rule import Rule, counted

ALLOC = "PTX ISA, tcgen05.alloc, tcgen05.dealloc, tcgen05.relinquish_alloc_permit"
LAYOUT = "PTX ISA, Tensor Memory addressing"
ACCESS = "PTX ISA, tcgen05.ld: access restrictions"
LANES, WARP_LANES = 128, 32
LEAST = 32
COLUMNS = {"sm_100": 512, "sm_100a": 512, "sm_100f": 512, "sm_103": 512, "sm_103a": 512, "sm_103f": 512}


@dataclass(frozen=True)
class Allocation:
    """``columns`` taken by one tcgen05.alloc; ``live`` from its event to its dealloc, both ends included."""

    name: str
    columns: int
    live: tuple[int, int] = (0, 1)


@dataclass(frozen=True)
class Region:
    """A rectangle of an allocation: ``columns`` from ``column`` on, in ``lanes``, used from ``live[0]`` to ``live[1]``.

    Two regions that share a place must be live at different times, with an order between: that order is the plan's.
    """

    name: str
    allocation: str
    column: int
    columns: int
    lanes: tuple[int, int] = (0, LANES)
    live: tuple[int, int] = (0, 1)


@dataclass(frozen=True)
class Access:
    """tcgen05.ld or st of ``count`` lanes from ``lane`` on by a warp of the CTA."""

    warp: int
    lane: int
    count: int = WARP_LANES


@dataclass(frozen=True)
class Step:
    """One event: ``do`` is alloc, dealloc, relinquish, use or exit; ``cta_group`` 1 or 2 as the instruction has it."""

    do: str
    allocation: str = ""
    columns: int = 0
    cta_group: int = 1


def _rule(name: str, text: str, source: str) -> Rule:
    return Rule(f"tmem.{name}", text, source)


ARCH = _rule("arch", "the architecture has tensor memory", LAYOUT)
POWER = _rule("columns", "columns are allocated in powers of two from 32 to 512", ALLOC)
CAPACITY = _rule("capacity", "what is allocated at any time fits the 512 columns", LAYOUT)
INSIDE = _rule("inside", "every region lies within its allocation and the 128 lanes", LAYOUT)
DISJOINT = _rule("disjoint", "regions that are live together share no lane and column", "ours")
REACH = _rule("lanes", "warp w reaches the lanes from 32·(w mod 4) to 32·(w mod 4) + 31", ACCESS)
FREED = _rule("freed", "what is allocated is freed once, by its columns, before the kernel exits", ALLOC)
ORDER = _rule("order", "nothing is used before it is allocated or after it is freed", ALLOC)
RELINQUISH = _rule("relinquish", "no allocation follows relinquish_alloc_permit", ALLOC)
GROUP = _rule("cta-group", "all tcgen05 instructions of a kernel have one cta_group", ALLOC)
STEPS = ("alloc", "dealloc", "relinquish", "use", "exit")


def decide_tmem(
    arch: str,
    allocations: Sequence[Allocation],
    regions: Sequence[Region] = (),
    accesses: Sequence[Access] = (),
    steps: Sequence[Step] = (),
) -> list[Obligation]:
    """Every rule on tensor memory.

    >>> accumulators = [Region("acc 0", "all", 0, 256), Region("acc 1", "all", 256, 256)]
    >>> {o.verdict.value for o in decide_tmem("sm_100a", [Allocation("all", 512)], accumulators)}
    {'proved'}
    >>> scales = Region("SFA", "all", 496, 16)
    >>> bad = decide_tmem("sm_100a", [Allocation("all", 512)], [*accumulators, scales])
    >>> [o.reason for o in bad if o.witness]
    ['acc 1 and SFA are live together in column 496']
    """
    if arch not in COLUMNS:
        return [ARCH.fails(f"{arch} has none", "arch", arch=arch)]
    limit = COLUMNS[arch]
    made = [ARCH.holds(f"{limit} columns of {LANES} lanes"), _power(allocations, limit), _capacity(allocations, limit)]
    if regions:
        made += [_inside(allocations, regions), _disjoint(regions)]
    if accesses:
        made.append(_reach(accesses))
    if steps:
        made += _ordered(steps)
    return made


def _power(allocations: Sequence[Allocation], limit: int) -> Obligation:
    for one in allocations:
        n = one.columns
        if not LEAST <= n <= limit or n & (n - 1):
            return POWER.fails(f"{one.name} takes {n} columns", "columns", allocation=one.name, got=n, next=rounded(n))
    return POWER.holds(", ".join(str(a.columns) for a in allocations) or "nothing is allocated")


def rounded(columns: int) -> int:
    """The columns that must be allocated to have as many.

    >>> rounded(48), rounded(8), rounded(512)
    (64, 32, 512)
    """
    return max(LEAST, 1 << max(columns - 1, 0).bit_length())


def _together(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _capacity(allocations: Sequence[Allocation], limit: int) -> Obligation:
    most = 0
    for at in sorted({a.live[0] for a in allocations}):
        live = {a.name: a.columns for a in allocations if a.live[0] <= at <= a.live[1]}
        total = sum(live.values())
        if total > limit:
            told = " + ".join(f"{n} of {name}" for name, n in live.items())
            return CAPACITY.fails(f"{told} = {total} columns", "capacity", at=at, got=total, limit=limit, columns=live)
        most = max(most, total)
    return CAPACITY.holds(f"{most} of {limit} columns at most", columns=most, left=limit - most)


def _inside(allocations: Sequence[Allocation], regions: Sequence[Region]) -> Obligation:
    known = {a.name: a for a in allocations}
    for r in regions:
        home = known.get(r.allocation)
        if home is None:
            return INSIDE.fails(f"{r.name} lies in {r.allocation}, which is not allocated", "region", region=r.name)
        if r.column < 0 or r.columns < 1 or r.column + r.columns > home.columns:
            what = f"{r.name} has columns {r.column} to {r.column + r.columns - 1} of {home.columns}"
            return INSIDE.fails(what, "region", region=r.name, last=r.column + r.columns - 1, columns=home.columns)
        if not 0 <= r.lanes[0] < r.lanes[1] <= LANES:
            return INSIDE.fails(
                f"{r.name} has lanes {r.lanes[0]} to {r.lanes[1] - 1}", "region", region=r.name, lanes=r.lanes
            )
        if not (home.live[0] <= r.live[0] <= r.live[1] <= home.live[1]):
            what = (
                f"{r.name} is live from {r.live[0]} to {r.live[1]}, {home.name} from {home.live[0]} to {home.live[1]}"
            )
            return INSIDE.fails(what, "region", region=r.name, live=r.live, allocation=home.live)
    return INSIDE.holds(counted(len(regions), "region"))


def _disjoint(regions: Sequence[Region]) -> Obligation:
    for i, one in enumerate(regions):
        for other in regions[i + 1 :]:
            if one.allocation != other.allocation or not _together(one.live, other.live):
                continue
            column = max(one.column, other.column)
            lane = max(one.lanes[0], other.lanes[0])
            ends = one.column + one.columns, other.column + other.columns
            if column < min(ends) and lane < min(one.lanes[1], other.lanes[1]):
                what = f"{one.name} and {other.name} are live together in column {column}"
                at = max(one.live[0], other.live[0])
                values: dict[str, Any] = {
                    "first": one.name,
                    "second": other.name,
                    "lane": lane,
                    "column": column,
                    "at": at,
                }
                return DISJOINT.fails(what, "overlap", **values)
    return DISJOINT.holds(
        f"{counted(len(regions), 'region')}, {counted(len(regions) * (len(regions) - 1) // 2, 'pair')}"
    )


def _reach(accesses: Sequence[Access]) -> Obligation:
    for a in accesses:
        low = WARP_LANES * (a.warp % 4)
        if a.lane < low or a.lane + a.count > low + WARP_LANES:
            lane = a.lane if a.lane < low else max(a.lane, low + WARP_LANES)
            what = f"warp {a.warp} reaches lanes {low} to {low + WARP_LANES - 1}, not {lane}"
            return REACH.fails(what, "lane", warp=a.warp, lane=lane, low=low, high=low + WARP_LANES - 1)
    return REACH.holds(f"{len(accesses)} accesses")


def _ordered(steps: Iterable[Step]) -> list[Obligation]:
    """The rules on the order of events; ``at`` in a witness counts them from 0."""
    known = list(steps)
    found: dict[str, Obligation] = {}

    def fails(rule: Rule, what: str, at: int, **values: Any) -> None:
        found.setdefault(rule.name, rule.fails(what, "event", at=at, **values))

    held: dict[str, int] = {}
    freed: set[str] = set()
    relinquished: int | None = None
    group: int | None = None
    ended = False
    for at, step in enumerate(known):
        if step.do in ("alloc", "dealloc", "relinquish", "use"):
            group = step.cta_group if group is None else group
            if step.cta_group != group:
                fails(
                    GROUP, f"{step.do} has cta_group::{step.cta_group} after cta_group::{group}", at, got=step.cta_group
                )
        if step.do == "alloc":
            if relinquished is not None:
                what = f"{step.allocation} is allocated after the permit was given up"
                fails(RELINQUISH, what, at, relinquished=relinquished, allocation=step.allocation)
            held[step.allocation] = step.columns
            freed.discard(step.allocation)
        elif step.do == "dealloc":
            if step.allocation not in held:
                what = f"{step.allocation} is freed {'twice' if step.allocation in freed else 'and was not allocated'}"
                fails(FREED, what, at, allocation=step.allocation)
            elif step.columns not in (0, held[step.allocation]):
                what = f"{step.columns} columns of {step.allocation} are freed, {held[step.allocation]} were allocated"
                fails(FREED, what, at, allocation=step.allocation, got=step.columns)
            if held.pop(step.allocation, None) is not None:
                freed.add(step.allocation)
        elif step.do == "use" and step.allocation not in held:
            when = "after it is freed" if step.allocation in freed else "before it is allocated"
            what = f"{step.allocation} is used {when}"
            fails(ORDER, what, at, allocation=step.allocation)
        elif step.do == "relinquish" and relinquished is None:
            relinquished = at
        elif step.do == "exit":
            ended = True
            if held:
                name = next(iter(held))
                fails(FREED, f"the kernel exits, and {name} is not freed", at, allocation=name)
    if not ended and held:
        name = next(iter(held))
        fails(FREED, f"the events end, and {name} is not freed", len(known), allocation=name)
    return [found.get(rule.name) or rule.holds(f"{len(known)} events") for rule in (FREED, ORDER, RELINQUISH, GROUP)]
