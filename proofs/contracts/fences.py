"""Fences: what must stand between two events of a kernel, by the order of its plan.

The events are a list: each is of one agent, and each agent does its own in this order. Events of different agents are
ordered by a ``sync`` of both, by an arrival on a barrier before a wait on it, and by what lands on a barrier before a
wait on it. Every rule is about a pair of events; the witness names the two and what is missing between them.

======================================  ==============================================================================
``write`` ``read``                      of shared memory by ordinary instructions (``st.shared``, ``stmatrix``)
``cp-async`` ``cp-commit`` ``cp-wait``  cp.async into shared memory; waits until at most ``number`` groups are open
``tma-load``                            bulk copy into shared memory, completing on ``barrier``
``tma-store`` ``bulk-commit``           bulk copy out of shared memory; ``bulk-wait-read`` and ``bulk-wait`` wait until
                                        at most ``number`` groups are open (not yet read; not yet written)
``wgmma`` ``wgmma-commit``              reads buffers ``on``, accumulates in ``registers``; ``wgmma-wait`` as above;
                                        ``wgmma-fence``
``umma`` ``umma-commit``                tcgen05.mma reading ``on``, accumulating in the tensor memory ``registers``; its
                                        commit arrives on ``barrier``
``tmem-load`` ``tmem-store``            tcgen05.ld and st of ``on``, with ``registers``; ``tmem-wait-load``,
                                        ``tmem-wait-store``, ``tmem-fence-before``, ``tmem-fence-after``
``use``                                 ordinary instructions that read or write ``registers``
``init`` ``arrive`` ``wait``            an mbarrier
``sync``                                of the agents ``agents``; of all where none are named
``fence-proxy-async`` ``fence-init``    fence.proxy.async; fence.mbarrier_init
``exit``                                the agent ends
======================================  ==============================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...model.errors import InputError
from .obligation import Obligation
from .rule import Rule, counted

KINDS = (
    "write read cp-async cp-commit cp-wait tma-load tma-store bulk-commit bulk-wait-read bulk-wait wgmma wgmma-commit "
    "wgmma-wait wgmma-fence umma umma-commit tmem-load tmem-store tmem-wait-load tmem-wait-store tmem-fence-before "
    "tmem-fence-after use init arrive wait sync fence-proxy-async fence-init exit"
)
KNOWN = frozenset(KINDS.split())
ASYNC_READS = ("wgmma", "umma", "tma-store")
BARRIER_USES = ("arrive", "wait", "tma-load", "umma-commit")


@dataclass(frozen=True)
class Event:
    """One event; ``on`` names buffers of shared memory, places in tensor memory, or (for ``init``…) nothing."""

    agent: str
    do: str
    on: tuple[str, ...] = ()
    barrier: str = ""
    registers: tuple[str, ...] = ()
    number: int = 0
    agents: tuple[str, ...] = ()
    loop: bool = False

    def __str__(self) -> str:
        what = ", ".join((*self.on, *self.registers)) or self.barrier
        return f"{self.agent}: {self.do} {what}".rstrip()


def unrolled(events: Sequence[Event], times: int = 2) -> list[Event]:
    """The events with what is marked ``loop``, which must stand together, repeated: so that rounds meet each other.

    >>> [e.do for e in unrolled([Event("t", "init"), Event("t", "write", loop=True), Event("t", "exit")])]
    ['init', 'write', 'write', 'exit']
    """
    marked = [i for i, e in enumerate(events) if e.loop]
    if not marked:
        return list(events)
    first, last = marked[0], marked[-1] + 1
    if len(marked) != last - first:
        raise InputError("the events of a loop stand together")
    body = [replace(e, loop=False) for e in events[first:last]]
    return [*events[:first], *body * times, *events[last:]]


class Order:
    """Which event is known to come before which: the transitive closure of what orders two events."""

    def __init__(self, events: Sequence[Event]):
        for at, event in enumerate(events):
            if event.do not in KNOWN:
                raise InputError(f"event {at}: {event.do} is no kind of event")
        self.events = list(events)
        self.agents = list(dict.fromkeys(e.agent for e in events if e.do != "sync" or not e.agents))
        self.agents = list(dict.fromkeys([*self.agents, *(a for e in events for a in e.agents)]))

    def members(self, at: int) -> tuple[str, ...]:
        """The agents that take part in an event."""
        event = self.events[at]
        return tuple(dict.fromkeys(event.agents or self.agents)) if event.do == "sync" else (event.agent,)

    @cached_property
    def before(self) -> list[int]:
        """For each event a bit for every event that is known to come before it."""
        last: dict[str, int] = {}
        arrived: dict[str, int] = {}
        known: list[int] = []
        for at, event in enumerate(self.events):
            mask = 0
            for agent in self.members(at):
                if agent in last:
                    mask |= known[last[agent]] | 1 << last[agent]
                last[agent] = at
            if event.do == "wait":
                mask |= arrived.get(event.barrier, 0)
            known.append(mask)
            if event.do in ("arrive", "tma-load", "umma-commit"):
                arrived[event.barrier] = arrived.get(event.barrier, 0) | mask | 1 << at
        return known

    def ordered(self, first: int, second: int) -> bool:
        """Whether ``first`` is known to come before ``second``."""
        return bool(self.before[second] >> first & 1)

    def begun(self, first: int, second: int) -> bool:
        """Whether ``first`` is known to come before ``second`` begins: by what its agent did before, not by itself."""
        agent = self.events[second].agent
        own = [at for at in range(second) if agent in self.members(at)]
        return bool(own) and (own[-1] == first or self.ordered(first, own[-1]))

    def between(self, first: int, second: int, do: str, agent: str) -> list[int]:
        """Events of an agent, of one kind, that are known to come after ``first`` and before ``second``."""
        found = self.by(agent, (do,), first, second)
        return [at for at in found if self.ordered(first, at) and self.ordered(at, second)]

    def by(self, agent: str, kinds: tuple[str, ...], first: int, second: int) -> list[int]:
        """The events of these kinds that an agent makes between two places of the list."""
        return [at for at in range(first + 1, second) if self.events[at].do in kinds and self.events[at].agent == agent]

    def group_done(self, first: int, second: int, commit: str, waits: tuple[str, ...]) -> str:
        """What is missing for the group of ``first`` to be complete before ``second``; empty when nothing is."""
        agent = self.events[first].agent
        mine = [i for i, e in enumerate(self.events) if e.agent == agent]
        own = [i for i in mine if self.events[i].do == commit and i > first]
        if not own or own[0] > second:
            return commit
        for at in mine:
            if own[0] < at and self.events[at].do in waits and (at == second or self.ordered(at, second)):
                younger = sum(1 for c in own[1:] if c < at)
                if self.events[at].number <= younger:
                    return ""
        return f"{waits[0]} {sum(1 for c in own[1:] if c < second)}"


Missing = tuple[int, int, str]


def _rule(name: str, text: str, source: str) -> Rule:
    return Rule(f"fences.{name}", text, source)


PROXY = _rule(
    "proxy",
    "an ordinary write of shared memory is followed by the writer's fence.proxy.async, and by a barrier where another"
    " agent reads it, before TMA or the tensor cores touch it",
    "PTX ISA, proxies; fence.proxy.async",
)
INIT = _rule(
    "init",
    "a barrier is initialised, and fence.mbarrier_init or fence.proxy.async made, before another agent or TMA uses it",
    "PTX ISA, mbarrier.init; fence.mbarrier_init",
)
WGMMA = _rule(
    "wgmma", "wgmma.fence stands before the first wgmma, and after registers of it were touched", "PTX ISA, wgmma.fence"
)
RESULT = _rule(
    "wgmma-wait", "registers of a wgmma are touched after its group is waited for", "PTX ISA, wgmma.wait_group"
)
READS = _rule(
    "mma-reads",
    "what wgmma or tcgen05.mma reads is overwritten after its end is waited for",
    "PTX ISA, wgmma.wait_group; tcgen05.commit",
)
STORE = _rule(
    "bulk-read",
    "what a bulk store reads is overwritten, or the CTA ended, after bulk wait_group.read",
    "PTX ISA, cp.async.bulk.wait_group",
)
COPIES = _rule("cp-async", "what cp.async writes is read after its group is waited for", "PTX ISA, cp.async.wait_group")
LOADED = _rule("tma-load", "what a bulk copy writes is read after a wait on its barrier", "PTX ISA, cp.async.bulk")
LOAD = _rule("tmem-load", "registers of tcgen05.ld are used after wait::ld", "PTX ISA, tcgen05.wait")
SAVE = _rule("tmem-store", "what tcgen05.st writes is read after wait::st", "PTX ISA, tcgen05.wait")
THREADS = _rule(
    "tmem-order",
    "tensor memory that two agents touch has tcgen05.fence::before_thread_sync, a barrier, and ::after_thread_sync"
    " between",
    "PTX ISA, tcgen05.fence",
)


def decide_fences(events: Sequence[Event]) -> list[Obligation]:
    """Every rule on the order of these events; those that speak of nothing here hold, and say so.

    >>> tile = [Event("warp", "write", ("s",)), Event("warp", "fence-proxy-async"), Event("warp", "tma-store", ("s",))]
    >>> end = [Event("warp", "bulk-commit"), Event("warp", "bulk-wait-read"), Event("warp", "exit")]
    >>> {o.verdict.value for o in decide_fences([*tile, *end])}
    {'proved'}
    >>> bad = decide_fences([tile[0], tile[2], *end])
    >>> [o.reason for o in bad if o.witness]
    ['fence-proxy-async is missing between "warp: write s" and "warp: tma-store s"']
    """
    order = Order(unrolled(events))
    checks = (
        (PROXY, _proxy), (INIT, _init), (WGMMA, _wgmma), (RESULT, _results), (READS, _mma_reads), (STORE, _stores),
        (COPIES, _copies), (LOADED, _loaded), (LOAD, _tmem_loads), (SAVE, _tmem_stores), (THREADS, _tmem_agents),
    )  # fmt: skip
    made = []
    for rule, check in checks:
        pairs = list(check(order))
        bad = next((p for p in pairs if p[2]), None)
        if bad is None:
            made.append(
                rule.holds(f"{counted(len(pairs), 'pair')} of events" if pairs else "no such events", pairs=len(pairs))
            )
            continue
        first, second, missing = bad
        one, two = (str(order.events[i]) if i >= 0 else "the beginning" for i in (first, second))
        what = f'{missing} is missing between "{one}" and "{two}"'
        values: dict[str, Any] = {
            "first": one,
            "first_at": first,
            "second": two,
            "second_at": second,
            "missing": missing,
        }
        made.append(rule.fails(what, "events", **values))
    return made


def _shared(one: Event, other: Event) -> bool:
    return bool(set(one.on) & set(other.on))


def _proxy(o: Order) -> Iterator[Missing]:
    """Each ordinary write with each later access through the async proxy."""
    for i, event in enumerate(o.events):
        if event.do not in ("write", "cp-async"):
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            if later.do not in (*ASYNC_READS, "tma-load") or not _shared(event, later):
                continue
            fences = o.by(event.agent, ("fence-proxy-async",), i, j)
            if event.do == "cp-async":  # nothing is written before its group is complete
                fences = [f for f in fences if not o.group_done(i, f, "cp-commit", ("cp-wait",))]
            if not fences:
                yield i, j, "fence-proxy-async"
            else:
                past = any(o.ordered(f, j) for f in fences)
                yield i, j, "" if past else f"a barrier of {event.agent} and {later.agent} after its fence-proxy-async"


def _init(o: Order) -> Iterator[Missing]:
    """Each use of a barrier with its init; a barrier that TMA or tcgen05 signals needs a fence as well."""
    made: dict[str, int] = {}
    for i, event in enumerate(o.events):
        if event.do == "init":
            made.setdefault(event.barrier, i)
    signalled = {e.barrier for e in o.events if e.do in ("tma-load", "umma-commit")}
    for j, event in enumerate(o.events):
        if event.do not in BARRIER_USES or not event.barrier:
            continue
        i = made.get(event.barrier, j)
        if i >= j:
            yield -1, j, f"init of {event.barrier}"
            continue
        agent = o.events[i].agent
        if event.barrier in signalled and (event.agent != agent or event.do == "tma-load"):
            fences = o.by(agent, ("fence-init", "fence-proxy-async"), i, j)
            if not fences:
                yield i, j, "fence-init"
                continue
            past = any(o.begun(f, j) for f in fences)
        else:
            past = o.begun(i, j)
        yield i, j, "" if past else f"a barrier of {agent} and {event.agent}"


def _wgmma(o: Order) -> Iterator[Missing]:
    for agent in o.agents:
        mine = [i for i, e in enumerate(o.events) if e.agent == agent]
        fenced = -1
        touched: dict[str, int] = {}
        first = True
        for i in mine:
            event = o.events[i]
            if event.do == "wgmma-fence":
                fenced = i
            elif event.do in ("use", "tmem-load"):
                touched |= dict.fromkeys(event.registers, i)
            elif event.do == "wgmma":
                last = max((touched[r] for r in event.registers if r in touched), default=-1)
                missing = fenced < last or (first and fenced < 0)
                yield last, i, "wgmma-fence" if missing else ""
                first = False


def _results(o: Order) -> Iterator[Missing]:
    for i, event in enumerate(o.events):
        if event.do != "wgmma":
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            if later.do == "use" and later.agent == event.agent and set(later.registers) & set(event.registers):
                yield i, j, o.group_done(i, j, "wgmma-commit", ("wgmma-wait",))


def _mma_reads(o: Order) -> Iterator[Missing]:
    for i, event in enumerate(o.events):
        if event.do not in ("wgmma", "umma"):
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            if later.do in ("write", "cp-async", "tma-load") and _shared(event, later):
                done = (
                    _committed(o, i, j) if event.do == "umma" else o.group_done(i, j, "wgmma-commit", ("wgmma-wait",))
                )
                yield i, j, done


def _committed(o: Order, i: int, j: int) -> str:
    """What is missing for the tcgen05.mma at ``i`` to be over at ``j``: its commit, or a wait for that."""
    commits = o.by(o.events[i].agent, ("umma-commit",), i, j)
    if not commits:
        return "umma-commit"
    bar = o.events[commits[0]].barrier
    waits = [w for w in range(commits[0] + 1, j) if o.events[w].do == "wait" and o.events[w].barrier == bar]
    return "" if any(o.ordered(w, j) for w in waits) else f"wait on {bar}"


def _stores(o: Order) -> Iterator[Missing]:
    for i, event in enumerate(o.events):
        if event.do != "tma-store":
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            overwrites = later.do in ("write", "cp-async", "tma-load") and _shared(event, later)
            if overwrites or (later.do == "exit" and later.agent == event.agent):
                yield i, j, o.group_done(i, j, "bulk-commit", ("bulk-wait-read", "bulk-wait"))


def _copies(o: Order) -> Iterator[Missing]:
    for i, event in enumerate(o.events):
        if event.do != "cp-async":
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            if later.do in ("read", *ASYNC_READS) and _shared(event, later):
                yield i, j, o.group_done(i, j, "cp-commit", ("cp-wait",))


def _loaded(o: Order) -> Iterator[Missing]:
    """Each bulk copy with each later read: the reader must be past a wait on the copy's barrier after it."""
    for i, event in enumerate(o.events):
        if event.do != "tma-load":
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            if later.do in ("read", *ASYNC_READS) and _shared(event, later):
                waits = [
                    w for w in range(i + 1, j) if o.events[w].do == "wait" and o.events[w].barrier == event.barrier
                ]
                past = any(o.ordered(w, j) for w in waits)
                yield i, j, "" if past else f"wait on {event.barrier}"


def _tmem_loads(o: Order) -> Iterator[Missing]:
    for i, event in enumerate(o.events):
        if event.do != "tmem-load":
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            used = later.do == "use" and later.agent == event.agent and set(later.registers) & set(event.registers)
            written = later.do in ("umma", "tmem-store") and set(_written(later)) & set(event.on)
            if used or written:
                yield i, j, "" if o.between(i, j, "tmem-wait-load", event.agent) else "tmem-wait-load"


def _written(event: Event) -> tuple[str, ...]:
    """The tensor memory that an event writes."""
    return event.registers if event.do == "umma" else event.on


def _tmem_stores(o: Order) -> Iterator[Missing]:
    for i, event in enumerate(o.events):
        if event.do != "tmem-store":
            continue
        for j in range(i + 1, len(o.events)):
            later = o.events[j]
            if later.do in ("umma", "tmem-load") and _shared(event, later):
                yield i, j, "" if o.between(i, j, "tmem-wait-store", event.agent) else "tmem-wait-store"


def _tmem_agents(o: Order) -> Iterator[Missing]:
    """Pairs of tcgen05 of two agents on one place, unless both only read it or both are tcgen05.mma."""
    touching = [i for i, e in enumerate(o.events) if e.do in ("tmem-load", "tmem-store", "umma")]
    for n, i in enumerate(touching):
        for j in touching[n + 1 :]:
            one, two = o.events[i], o.events[j]
            if one.agent == two.agent or not _touched(one) & _touched(two):
                continue
            if {one.do, two.do} in ({"umma"}, {"tmem-load"}):
                continue
            after = o.between(i, j, "tmem-fence-after", two.agent)
            if one.do == "umma":  # its commit orders by itself on its side
                yield i, j, _committed(o, i, j) or ("" if after else "tmem-fence-after")
                continue
            before = o.between(i, j, "tmem-fence-before", one.agent)
            if not before:
                yield i, j, "tmem-fence-before"
            elif not any(o.ordered(b, a) for b in before for a in after):
                yield i, j, "tmem-fence-after" if o.ordered(i, j) else f"a barrier of {one.agent} and {two.agent}"
            else:
                yield i, j, ""


def _touched(event: Event) -> set[str]:
    return {*event.on, *event.registers} if event.do == "umma" else set(event.on)


__all__ = ["KNOWN", "Event", "Order", "decide_fences", "unrolled"]
