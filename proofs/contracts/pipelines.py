"""Pipelines: rings of stages with barriers, rings of manual groups, and graphs of agents and barriers.

For a ring the hypotheses of the theorems ``ring.*`` (:mod:`..theorems.ring`) are decided for the numbers at hand; they
then hold for every number of stages and iterations and every skew. Where one fails, a small instance is searched state
by state, and the shortest run that goes wrong is the witness.

The semantics, named:

- A parity is one bit: a wait for parity P passes whenever the phase under way has the other parity. It cannot tell a
  phase from the one two before. Producers begin with parity 1, which passes on a barrier that is new; consumers with 0.
- ``mbarrier.arrive.expect_tx`` is one arrival; its bytes are not arrivals.
- ``PipelineTmaAsync.consumer_release`` arrives once a warp, at each multicast partner: the count is warps × partners.
- wgmma reads shared memory until its ``wait_group``: a release before it lets the producer overwrite what is read.
- ``cp.async`` completes by group: a wait for at most W open groups leaves the W last ones in flight.
- An arrival releases the arriving thread's accesses alone: other lanes' need a ``syncwarp`` before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .machine import MAX_STATES, Machine, Searched, Step, arrive, copy, expect, read, search, wait
from .obligation import Obligation
from .rule import ENUMERATION, Rule, counted

MBARRIER = "PTX ISA, mbarrier"
_STEPS = ("start", "produce", "fill", "fill-other", "consume", "release", "release-other")
RING_THEOREMS = tuple(f"ring.{name}" for name in (*_STEPS, "advance", "stage", "owes", "progress", "drained"))
GROUP_THEOREMS = ("ring.groups", "ring.refill")
MAX_COUNT = 2**20 - 1
ASYNC_READS = ("wgmma", "tcgen05")
WARP = 32


@dataclass(frozen=True)
class Producer:
    """Fills a stage: ``arrivals`` on full a round; the bytes of its bulk copies are the ring's ``landing``.

    ``parity`` is what its first wait on empty asks for; ``iterations`` how often it fills, None for the ring's n.
    """

    name: str = "producer"
    arrivals: int = 1
    parity: int = 1
    iterations: int | None = None


@dataclass(frozen=True)
class Consumer:
    """Reads a stage and releases it: ``arrivals`` on empty a round, from each of ``partners`` CTAs (its own counted).

    ``reads``    ``ld`` (done when the instruction is), ``wgmma`` or ``tcgen05`` (in flight until waited for)
    ``pending``  groups left open by the wait before a release (``wait_group``); for asynchronous reads
    ``lag``      how many iterations before the one just read it releases
    ``lanes``    lanes that read and do not arrive themselves, and ``synced`` whether they meet before the arrival
    """

    name: str = "consumer"
    arrivals: int = 1
    partners: int = 1
    reads: str = "ld"
    pending: int = 0
    lag: int = 0
    parity: int = 0
    iterations: int | None = None
    lanes: int = 0
    synced: bool = True


@dataclass(frozen=True)
class Ring:
    """``stages`` buffers with a barrier ``full`` and a barrier ``empty`` each, as initialised with these counts.

    ``expected``  bytes that arrive.expect_tx announces a round, 0 without bulk copies
    ``landing``   bytes of each bulk copy that signals full in a round: whole boxes, slices of partners included
    ``tail``      whether the producer waits for all stages at its end (``producer_tail``)
    """

    stages: int
    producers: tuple[Producer, ...] = (Producer(),)
    consumers: tuple[Consumer, ...] = (Consumer(),)
    full_count: int = 1
    empty_count: int = 1
    expected: int = 0
    landing: tuple[int, ...] = ()
    tail: bool = True
    name: str = "ring"


def _rule(name: str, text: str, source: str) -> Rule:
    return Rule(f"pipelines.{name}", text, source)


STAGES = _rule("stages", "a ring has at least one stage", "ours")
PARITY = _rule("parity", "producers first wait for parity 1, consumers for parity 0", f"{MBARRIER}.test_wait")
FULL = _rule("full-count", "full's count is the arrivals that producers make in a round", f"{MBARRIER}.init")
EMPTY = _rule("empty-count", "empty's count is the arrivals that all consumers make in a round", f"{MBARRIER}.init")
BYTES = _rule("bytes", "the bytes expected are the bytes that land in a round", f"{MBARRIER}.expect_tx")
RELEASE = _rule("release", "a stage is released after its reads are done", "PTX ISA, wgmma.wait_group")
LANES = _rule("lanes", "every lane that reads arrives, or meets the lane that does", f"{MBARRIER}.arrive: .release")
LAG = _rule("lag", "a consumer holds fewer stages than there are when it waits", "ours")
EQUAL = _rule("iterations", "all agents of a ring make the same number of iterations", "ours")
TAIL = _rule("tail", "a CTA stays until its partners' last arrivals are in", "PTX ISA, mapa: shared::cluster")
RING = _rule(
    "ring",
    "no stage is overwritten before it is read or read before it is written, none waits forever, all is drained",
    "ours",
)


def decide_ring(ring: Ring) -> list[Obligation]:
    """The hypotheses of the ring theorems for these numbers, and what follows from them.

    >>> good = Ring(4, (Producer(),), (Consumer("group 0", 4, reads="wgmma"), Consumer("group 1", 4, reads="wgmma")),
    ...             full_count=1, empty_count=8, expected=49152, landing=(16384, 32768))
    >>> {o.verdict.value for o in decide_ring(good)}
    {'proved'}
    >>> bad = decide_ring(Ring(2, consumers=(Consumer(arrivals=4),), empty_count=128, expected=64, landing=(64,)))
    >>> bad[-1].verdict.value, bad[-1].reason
    ('refuted', 'producer waits on empty[0] for parity 0, and nothing can happen any more')
    """
    if not ring.producers or not ring.consumers:
        return [RING.fails("a ring without a producer or without a consumer", "agents", producers=len(ring.producers))]
    made = [_stages(ring), _parity(ring), _full(ring), _empty(ring), _bytes(ring), *_releases(ring), _lag(ring)]
    made += [_iterations(ring), _tail(ring)]
    return [*made, _whole(ring, made)]


def _stages(ring: Ring) -> Obligation:
    if ring.stages < 1:
        return STAGES.fails(f"{ring.stages} stages", "stages", stages=ring.stages)
    return STAGES.holds(f"{ring.stages} stages", stages=ring.stages)


def _parity(ring: Ring) -> Obligation:
    for wanted, agents in ((1, ring.producers), (0, ring.consumers)):
        for agent in agents:
            if agent.parity != wanted:
                what = f"{agent.name} first waits for parity {agent.parity}, not {wanted}"
                return PARITY.fails(what, "parity", agent=agent.name, expected=wanted, got=agent.parity)
    return PARITY.holds("as new barriers need it")


def _count(rule: Rule, got: int, arrivals: Iterable[tuple[str, int]]) -> Obligation:
    arriving = dict(arrivals)
    total = sum(arriving.values())
    told = " + ".join(f"{n} of {name}" for name, n in arriving.items())
    if any(n < 1 for n in arriving.values()):
        name = next(name for name, n in arriving.items() if n < 1)
        return rule.fails(f"{name} makes no arrival", "count", agent=name, expected=1, got=arriving[name])
    if total != got:
        return rule.fails(f"the count is {got}, the arrivals are {told} = {total}", "count", expected=total, got=got)
    if not 1 <= got <= MAX_COUNT:
        return rule.fails(f"a count of {got} is beyond {MAX_COUNT}", "count", expected=MAX_COUNT, got=got)
    return rule.holds(f"{told} = {got}", count=got)


def _full(ring: Ring) -> Obligation:
    return _count(FULL, ring.full_count, ((p.name, p.arrivals) for p in ring.producers))


def _empty(ring: Ring) -> Obligation:
    return _count(EMPTY, ring.empty_count, ((c.name, c.arrivals * c.partners) for c in ring.consumers))


def _bytes(ring: Ring) -> Obligation:
    landing = sum(ring.landing)
    told = " + ".join(map(str, ring.landing)) or "no bulk copy"
    if landing != ring.expected:
        what = f"{ring.expected} bytes are expected, {told}{f' = {landing}' if len(ring.landing) > 1 else ''} land"
        return BYTES.fails(what, "bytes", expected=landing, got=ring.expected)
    if landing > MAX_COUNT:
        return BYTES.fails(
            f"a phase counts to {MAX_COUNT} bytes, not {landing}", "bytes", expected=MAX_COUNT, got=landing
        )
    return BYTES.holds(f"{told} = {landing}" if ring.landing else told, bytes=landing)


def _releases(ring: Ring) -> list[Obligation]:
    late = next((c for c in ring.consumers if c.reads in ASYNC_READS and c.lag < c.pending), None)
    if late is None:
        first = RELEASE.holds("every release follows the wait for its reads")
    else:
        reading = f"{counted(late.pending, 'group')} may still be reading"
        what = f"{late.name} releases {late.lag} iterations back while {reading}"
        first = RELEASE.fails(what, "release", agent=late.name, expected=late.pending, got=late.lag)
    loose = next((c for c in ring.consumers if c.lanes and not c.synced), None)
    if loose is None:
        return [first, LANES.holds("no lane reads or writes unreleased")]
    what = f"{loose.lanes} lanes of {loose.name} are not released by the lane that arrives"
    return [first, LANES.fails(what, "lanes", agent=loose.name, lanes=loose.lanes)]


def _lag(ring: Ring) -> Obligation:
    for c in ring.consumers:
        if c.lag >= ring.stages:
            what = f"{c.name} waits for a new stage while it holds all {ring.stages}"
            return LAG.fails(what, "lag", agent=c.name, limit=ring.stages - 1, got=c.lag)
    return LAG.holds(f"at most {max(c.lag for c in ring.consumers)} of {ring.stages} held")


def _iterations(ring: Ring) -> Obligation:
    given = {p.name: p.iterations for p in ring.producers} | {c.name: c.iterations for c in ring.consumers}
    if len(set(given.values())) > 1:
        told = ", ".join(f"{name} {'n' if n is None else n}" for name, n in given.items())
        first, *others = given.items()
        other = next(o for o in others if o[1] != first[1])
        return EQUAL.fails(told, "iterations", agent=first[0], expected=first[1], other=other[0], got=other[1])
    return EQUAL.holds("the same number each")


def _tail(ring: Ring) -> Obligation:
    remote = next((c for c in ring.consumers if c.partners > 1), None)
    if remote is not None and not ring.tail:
        what = f"{remote.name} of {remote.partners - 1} other CTAs may arrive here after this CTA has exited"
        return TAIL.fails(what, "tail", agent=remote.name, partners=remote.partners)
    return TAIL.holds("the producer waits for every stage at its end" if ring.tail else "no other CTA arrives here")


def _whole(ring: Ring, made: list[Obligation]) -> Obligation:
    failed = [o for o in made if o.verdict.value != "proved"]
    if not failed:
        evidence = f"induction ({len(RING_THEOREMS)} theorems ring.*, for every S, n and skew)"
        return RING.holds("every hypothesis of the ring theorems holds", evidence, theorems=list(RING_THEOREMS))
    if ring.stages < 1:
        return RING.fails("there is no stage", "stages", stages=ring.stages)
    return _traced(RING, failed, _small(ring), "no small instance of it goes wrong")


def _traced(rule: Rule, failed: list[Obligation], machines: Iterable[Machine], none: str) -> Obligation:
    """The shortest run that goes wrong in the first machine that has one."""
    seen = 0
    for machine in machines:
        found = search(machine, MAX_STATES - seen)
        seen += found.states
        if found.fault is not None:
            return rule.fails(
                found.fault.what,
                "trace",
                f"{ENUMERATION} ({seen} states)",
                fault=found.fault.kind,
                steps=list(found.fault.trace),
            )
        if seen >= MAX_STATES:
            break
    return rule.open(f"{failed[0].name} does not hold ({failed[0].reason}), and {none} ({seen} states)")


def _small(ring: Ring) -> Iterable[Machine]:
    """Instances from few iterations on, with two or three stages; who holds every stage still does, others do not."""
    S = ring.stages
    stages = min(
        S, 2 if any(c.lag >= S for c in ring.consumers) else max(2, min(3, *(c.lag + 1 for c in ring.consumers)))
    )
    held = {c: stages if c.lag >= S else min(c.lag, stages - 1) for c in ring.consumers}
    late = {c: c.pending - c.lag for c in ring.consumers}  # what may still be read at a release stays as much
    consumers = tuple(replace(c, lag=held[c], pending=max(0, held[c] + late[c])) for c in ring.consumers)
    ring = replace(ring, consumers=consumers)
    for n in (1, stages, stages + 1, 2 * stages + 1, 3 * stages):
        yield machine_of(replace(ring, stages=stages), n)


def machine_of(ring: Ring, iterations: int) -> Machine:
    """The ring as a machine that makes this many iterations; each partner's consumer is an agent of its own CTA.

    Where an agent's own number of iterations differs from the first one's, the difference is kept.
    """
    S, base = ring.stages, ring.producers[0].iterations
    agents: dict[str, tuple[Step, ...]] = {}
    cta: dict[str, int] = {}
    readers: list[str] = []
    parts = max(1, len(ring.landing)) * len(ring.producers)

    def rounds(own: int | None) -> int:
        return iterations + (0 if own == base else -1 if own is None or base is None else own - base)

    for p in ring.producers:
        steps: list[Step] = []
        for i in range(rounds(p.iterations)):
            s, k = i % S, i // S
            steps.append(wait(f"empty[{s}]", (k + p.parity) % 2))
            if ring.landing or ring.expected:
                steps += [arrive(f"full[{s}]", p.arrivals - 1)] * (p.arrivals > 1)
                steps += [expect(f"full[{s}]", ring.expected)] * (p.arrivals > 0)
                steps += [copy(f"stage[{s}]", k, f"full[{s}]", count) for count in ring.landing]
            else:
                steps += [Step("write", f"stage[{s}]", k), arrive(f"full[{s}]", p.arrivals)]
        if ring.tail:
            last = rounds(p.iterations)
            steps += [wait(f"empty[{i % S}]", (i // S + p.parity) % 2) for i in range(last, last + S)]
        agents[p.name] = tuple(steps)
    for c in ring.consumers:
        for partner in range(c.partners):
            name = c.name if partner == 0 else f"{c.name} of CTA {partner}"
            cta[name] = partner
            readers.append(name)
            agents[name] = tuple(_consumer(c, S, rounds(c.iterations), partner))
            if c.lanes and not c.synced:
                lanes = f"other lanes of {name}"
                readers.append(lanes)
                cta[lanes] = partner
                agents[lanes] = tuple(
                    step
                    for i in range(rounds(c.iterations))
                    for step in (wait(f"full[{i % S}]", (i // S + c.parity) % 2), read(f"stage[{i % S}]", i // S))
                )
    bars = {f"full[{s}]": ring.full_count for s in range(S)} | {f"empty[{s}]": ring.empty_count for s in range(S)}
    bufs = {f"stage[{s}]": parts for s in range(S)}
    return Machine(agents, bars, bufs, {b: tuple(readers) for b in bufs}, cta=cta)


def _consumer(c: Consumer, S: int, n: int, partner: int) -> Iterable[Step]:
    scope = "cluster" if partner else "cta"
    for i in range(n):
        yield wait(f"full[{i % S}]", (i // S + c.parity) % 2)
        if c.reads in ASYNC_READS:
            yield from (Step("mma", f"stage[{i % S}]", i // S), Step("commit"), Step("wait_group", number=c.pending))
        else:
            yield read(f"stage[{i % S}]", i // S)
        if i >= c.lag and c.arrivals:
            yield arrive(f"empty[{(i - c.lag) % S}]", c.arrivals, scope)
    if c.reads in ASYNC_READS:
        yield Step("wait_group", number=0)
    for i in range(max(0, n - c.lag), n):
        if c.arrivals:
            yield arrive(f"empty[{i % S}]", c.arrivals, scope)


# Rings of manual groups.


@dataclass(frozen=True)
class Groups:
    """A ring of cp.async groups without barriers, driven by the threads that also compute.

    ``ahead`` tiles are issued before the loop, a group each; iteration k does the steps of ``body`` in order: ``wait``
    (until at most ``open`` groups are), ``sync`` (all threads), ``compute`` (reads tile k), ``refill`` (issues tile
    k + ahead), ``commit``. ``commit_empty``: whether a group is committed when no tile is left.
    """

    stages: int
    ahead: int
    open: int
    body: tuple[str, ...] = ("wait", "sync", "compute", "refill", "commit")
    commit_empty: bool = True
    name: str = "groups"


BODY = ("wait", "sync", "compute", "refill", "commit")
SHAPE = _rule(
    "groups-body", "an iteration waits, meets and computes in this order, and commits what it refills", "ours"
)
COMPLETE = _rule("groups-wait", "tile k's group is complete when iteration k reads it", "PTX ISA, cp.async.wait_group")
APART = _rule("groups-refill", "all threads have read a stage, and met since, before it is refilled", "ours")
MEET = _rule(
    "groups",
    "no tile is read before every thread's copies of it are complete, none overwritten before it is read",
    "ours",
)


def decide_groups(ring: Groups) -> list[Obligation]:
    """The hypotheses of ``ring.groups`` and ``ring.refill`` for these numbers, and what follows.

    >>> [o.verdict.value for o in decide_groups(Groups(4, 3, 2))]
    ['proved', 'proved', 'proved', 'proved', 'proved']
    >>> bad = decide_groups(Groups(4, 3, 3))
    >>> bad[2].reason, bad[-1].reason
    ('3 groups may be open, 2 can be', 'thread 0 reads version 0 of stage[0] before it is written')
    """
    made = [_group_stages(ring), _body(ring)]
    if all(o.verdict.value == "proved" for o in made):
        made += [_complete(ring), _apart(ring)]
    failed = [o for o in made if o.verdict.value != "proved"]
    if not failed:
        evidence = f"induction (theorems {', '.join(GROUP_THEOREMS)}, for every n and skew)"
        return [
            *made,
            MEET.holds("every hypothesis of the group theorems holds", evidence, theorems=list(GROUP_THEOREMS)),
        ]
    if ring.stages < 1 or not set(ring.body) <= set(BODY):
        return made
    sizes = (1, ring.stages, ring.stages + 1, 2 * ring.stages + 1)
    return [*made, _traced(MEET, failed, (group_machine(ring, n) for n in sizes), "no small instance of it goes wrong")]


def _group_stages(ring: Groups) -> Obligation:
    if ring.stages < 1 or ring.ahead < 0 or ring.open < 0:
        what = f"{ring.stages} stages, {ring.ahead} ahead, {ring.open} open"
        return STAGES.fails(what, "stages", stages=ring.stages, ahead=ring.ahead, open=ring.open)
    return STAGES.holds(f"{ring.stages} stages", stages=ring.stages)


def _body(ring: Groups) -> Obligation:
    for step in ring.body:
        if step not in BODY:
            return SHAPE.fails(f"{step} is no step", "body", step=step)
    for step in BODY:
        if step not in ring.body:
            return SHAPE.fails(f"no {step} in the loop", "body", missing=step)
    at = {step: ring.body.index(step) for step in BODY}
    met = any(s == "sync" and at["wait"] < i < at["compute"] for i, s in enumerate(ring.body))
    if not met:
        return SHAPE.fails("no sync between the wait and the computation", "body", missing="sync", after="wait")
    if at["commit"] < at["refill"]:
        return SHAPE.fails("the commit comes before the refill that it is for", "body", first="commit", second="refill")
    for step in ("wait", "compute", "refill", "commit"):
        if ring.body.count(step) > 1:
            return SHAPE.fails(f"{step} stands twice", "body", step=step)
    return SHAPE.holds(", ".join(ring.body))


def _complete(ring: Groups) -> Obligation:
    early = ring.body.index("commit") < ring.body.index("wait")
    limit = ring.ahead + early - 1
    if ring.open > limit:
        what = f"{counted(ring.open, 'group')} may be open, {max(limit, 0)} can be"
        return COMPLETE.fails(what, "groups", limit=limit, got=ring.open)
    if not ring.commit_empty and ring.open > 0:
        what = f"at the tail no group is committed, and {ring.open} may be open: among them those that are read"
        return COMPLETE.fails(what, "groups", limit=0, got=ring.open)
    return COMPLETE.holds(f"at most {ring.open} open of {ring.ahead + early} issued ahead")


def _apart(ring: Groups) -> Obligation:
    gap = ring.stages - ring.ahead
    compute, refill = ring.body.index("compute"), ring.body.index("refill")
    syncs = [i for i, step in enumerate(ring.body) if step == "sync"]
    between = any(compute < i < refill for i in syncs)
    since = any(i > compute or i < refill for i in syncs)
    if gap >= 2 or (gap == 1 and since) or (gap == 0 and between):
        return APART.holds(f"{ring.stages} stages, {ring.ahead} tiles ahead")
    what = f"{ring.ahead} tiles ahead in {ring.stages} stages: a refill meets what is read in the same iteration"
    if gap < 0:
        what = f"{ring.ahead} tiles ahead do not fit {ring.stages} stages"
    return APART.fails(what, "refill", limit=ring.stages - 1, got=ring.ahead)


def group_machine(ring: Groups, iterations: int, threads: int = 2) -> Machine:
    """The ring as a machine: each thread copies its part of every tile, and reads the whole of it."""
    S, P, n = ring.stages, ring.ahead, iterations
    steps: list[Step] = []

    def issue(tile: int) -> None:
        if tile < n:
            steps.append(Step("cp", f"stage[{tile % S}]", tile // S))

    for tile in range(P):
        issue(tile)
        if tile < n or ring.commit_empty:
            steps.append(Step("cp_commit"))
    for k in range(n):
        for at, step in enumerate(ring.body):
            if step == "wait":
                steps.append(Step("cp_wait", number=ring.open))
            elif step == "sync":
                steps.append(Step("sync", f"barrier {at}", k))
            elif step == "compute":
                steps.append(read(f"stage[{k % S}]", k // S))
            elif step == "refill":
                issue(k + P)
            elif k + P < n or ring.commit_empty:
                steps.append(Step("cp_commit"))
    names = tuple(f"thread {t}" for t in range(threads))
    bufs = {f"stage[{s}]": threads for s in range(S)}
    meetings = {f"barrier {at}": names for at, step in enumerate(ring.body) if step == "sync"}
    return Machine(dict.fromkeys(names, tuple(steps)), {}, bufs, dict.fromkeys(bufs, names), meetings)


# Graphs of agents and barriers.

ARRIVALS = _rule("arrivals", "every wait has its arrivals, and no barrier gets more than its count", MBARRIER)
GRAPH = _rule("graph", "no order of the agents' steps deadlocks, reads too early or overwrites too early", "ours")


def decide_graph(machine: Machine) -> list[Obligation]:
    """Agents with their steps written out: every order in which they can follow one another is gone through.

    >>> leader = (wait("A", 0), read("mine", 0), read("peer's", 0))
    >>> copies = (expect("A", 64), copy("mine", 0, "A", 64)), (expect("B", 64), copy("peer's", 0, "B", 64))
    >>> graph = Machine({"leader": leader, "load 0": copies[0], "load 1": copies[1]}, {"A": 1, "B": 1},
    ...                 {"mine": 1, "peer's": 1}, {"mine": ("leader",), "peer's": ("leader",)})
    >>> decide_graph(graph)[-1].reason
    "leader reads version 0 of peer's before it is written"
    """
    made = [_arrivals(machine)]
    found: Searched = search(machine)
    if found.fault is not None:
        f = found.fault
        what = GRAPH.fails(f.what, "trace", f"{ENUMERATION} ({f.states} states)", fault=f.kind, steps=list(f.trace))
        return [*made, what]
    if not found.whole:
        return [*made, GRAPH.open(f"{found.states} states were seen, and more are left")]
    return [*made, GRAPH.holds("no order goes wrong", f"{ENUMERATION} ({found.states} states)", states=found.states)]


def _arrivals(machine: Machine) -> Obligation:
    counts = dict.fromkeys(machine.barriers, 0)
    waited: dict[str, set[int]] = {}
    for steps in machine.agents.values():
        seen: dict[str, int] = {}
        for step in steps:
            if step.do in ("arrive", "expect"):
                counts[step.on] += step.number if step.do == "arrive" else 1
            elif step.do == "wait":
                needed = seen.get(step.on, 0) + 1
                if step.number != 1 or needed > 1:  # parity 1 passes on a new barrier
                    seen[step.on] = needed
                    waited.setdefault(step.on, set()).add(needed)
    for bar, needed_phases in waited.items():
        needed = max(needed_phases) * machine.barriers[bar]
        if counts[bar] < needed:
            times, count = max(needed_phases), machine.barriers[bar]
            what = f"{bar} is waited for {times} times at a count of {count}: {counts[bar]} arrive"
            return ARRIVALS.fails(what, "count", barrier=bar, expected=needed, got=counts[bar])
    for bar, made in counts.items():
        if made % machine.barriers[bar]:
            what = f"{made} arrivals on {bar} are no multiple of its count {machine.barriers[bar]}"
            return ARRIVALS.fails(what, "count", barrier=bar, expected=machine.barriers[bar], got=made)
    return ARRIVALS.holds("as many as are waited for")
