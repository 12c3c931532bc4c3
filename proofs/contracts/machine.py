"""A small machine of barriers, buffers and agents, searched state by state: the shortest run that goes wrong, or none.

An agent is a list of steps, done in order. What is asynchronous (a bulk copy, a wgmma, a cp.async) is in flight after
its step and lands at any later moment. The search goes through every order in which agents and landings can follow one
another; it ends at the first fault, which the shortest run has, or when all states were seen.

========================================  ============================================================================
``init(bar)``                             the barrier can be used from here on
``wait(bar, parity)``                     passes when the phase of this parity is complete: one bit, no more
``arrive(bar, n)``                        n arrivals; ``scope`` must be "cluster" when the barrier is another CTA's
``expect(bar, bytes)``                    arrive.expect_tx: one arrival, and the phase waits for these bytes
``copy(buf, version, bar, bytes)``        a bulk copy: lands whole, and completes its bytes on the barrier
``write(buf, version)``                   written by the agent itself, at once
``read(buf, version)``                    read by the agent itself, at once
``mma(buf, version)``                     read in flight until its group is waited for; ``commit``, ``wait_group(n)``
``cp(buf, version)``                      cp.async: written in flight; ``cp_commit``, ``cp_wait(n)``
``sync(name)``                            all agents of that barrier meet
========================================  ============================================================================
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MAX_STATES = 60_000


class Step(NamedTuple):
    """One step of an agent: what, on which barrier or buffer, and its numbers."""

    do: str
    on: str = ""
    number: int = 0
    bar: str = ""
    bytes: int = 0
    scope: str = "cta"

    def __str__(self) -> str:
        told = {
            "wait": f"waits on {self.on} for parity {self.number}",
            "arrive": f"arrives {self.number} times on {self.on}" if self.number != 1 else f"arrives on {self.on}",
            "expect": f"arrives on {self.on} and expects {self.bytes} bytes",
            "copy": f"copies version {self.number} into {self.on}, {self.bytes} bytes on {self.bar}",
            "write": f"writes version {self.number} of {self.on}",
            "read": f"reads version {self.number} of {self.on}",
            "mma": f"begins to read version {self.number} of {self.on} (wgmma)",
            "cp": f"begins to write version {self.number} of {self.on} (cp.async)",
            "commit": "commits a wgmma group",
            "cp_commit": "commits a cp.async group",
            "wait_group": f"waits until at most {self.number} wgmma groups are open",
            "cp_wait": f"waits until at most {self.number} cp.async groups are open",
            "sync": f"meets the others at {self.on}",
            "init": f"initialises {self.on}",
        }
        return told.get(self.do, self.do)


def init(bar: str) -> Step:
    """The barrier is initialised."""
    return Step("init", bar)


def wait(bar: str, parity: int) -> Step:
    """A wait for the phase of a parity."""
    return Step("wait", bar, parity)


def arrive(bar: str, n: int = 1, scope: str = "cta") -> Step:
    """Arrivals."""
    return Step("arrive", bar, n, scope=scope)


def expect(bar: str, count: int) -> Step:
    """arrive.expect_tx."""
    return Step("expect", bar, bytes=count)


def copy(buf: str, version: int, bar: str, count: int) -> Step:
    """A bulk copy into a buffer."""
    return Step("copy", buf, version, bar, count)


def read(buf: str, version: int) -> Step:
    """A read at once."""
    return Step("read", buf, version)


@dataclass(frozen=True)
class Machine:
    """``agents`` and their steps; ``barriers`` with their counts; ``buffers`` with the parts that fill a version.

    ``readers``  for each buffer the agents that read every version of it
    ``meetings`` for each ``sync`` name the agents that meet
    ``cta``      the CTA of agents and barriers, 0 where nothing is said
    """

    agents: Mapping[str, tuple[Step, ...]]
    barriers: Mapping[str, int] = field(default_factory=dict)
    buffers: Mapping[str, int] = field(default_factory=dict)
    readers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    meetings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cta: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """The shortest run that goes wrong: its steps as sentences, the kind of fault, and what it is."""

    kind: str
    what: str
    trace: tuple[str, ...]
    states: int


@dataclass(frozen=True)
class Searched:
    """How a search ended: a fault, or none in ``states`` states; ``whole`` when all states were seen."""

    fault: Fault | None
    states: int
    whole: bool


class _Wrong(Exception):
    def __init__(self, kind: str, what: str):
        super().__init__(what)
        self.kind, self.what = kind, what


State = tuple[
    Any, ...
]  # places, barriers (ready, phase, pending, bytes), buffers (version, parts, readers), flight, groups


def search(machine: Machine, limit: int = MAX_STATES) -> Searched:
    """Every order of steps, breadth first.

    >>> one = Machine({"t": (wait("full", 0),)}, {"full": 1})
    >>> search(one).fault.what
    't waits on full for parity 0, and nothing can happen any more'
    """
    run = _Run(machine)
    first = run.start()
    came: dict[State, tuple[State, str] | None] = {first: None}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        moved = False
        for label, move in run.moves(state):
            moved = True
            try:
                after = move()
            except _Wrong as wrong:
                return Searched(_fault(wrong, came, state, label), len(came), False)
            if after not in came:
                if len(came) >= limit:
                    return Searched(None, len(came), False)
                came[after] = (state, label)
                queue.append(after)
        if not moved:
            try:
                run.must_be_at_its_end(state)
            except _Wrong as wrong:
                return Searched(_fault(wrong, came, state, ""), len(came), False)
    return Searched(None, len(came), True)


def _fault(wrong: _Wrong, came: Mapping[State, tuple[State, str] | None], state: State, last: str) -> Fault:
    labels = [last] if last else []
    back = came[state]
    while back is not None:
        labels.append(back[1])
        back = came[back[0]]
    return Fault(wrong.kind, wrong.what, tuple(reversed(labels)), len(came))


class _Run:
    """The steps of one machine, on states that are tuples."""

    def __init__(self, machine: Machine):
        self.m = machine
        self.names = list(machine.agents)
        self.steps = [machine.agents[n] for n in self.names]
        self.bars, self.bufs = list(machine.barriers), list(machine.buffers)
        self.bar_at = {b: i for i, b in enumerate(self.bars)}
        self.buf_at = {b: i for i, b in enumerate(self.bufs)}
        self.masks = [sum(1 << self.names.index(a) for a in machine.readers.get(b, ())) for b in self.bufs]
        made = {s.on for steps in self.steps for s in steps if s.do == "init"}
        self.ready = [b not in made for b in self.bars]

    def start(self) -> State:
        bars = tuple((r, 0, self.m.barriers[b], 0) for b, r in zip(self.bars, self.ready, strict=True))
        return (0,) * len(self.names), bars, ((-1, 0, 0),) * len(self.bufs), (), ((0, 0),) * len(self.names)

    def moves(self, state: State) -> Iterator[tuple[str, Any]]:
        places, _, _, flight, _ = state
        for i, place in enumerate(places):
            if place < len(self.steps[i]):
                step = self.steps[i][place]
                if step.do == "sync":
                    who = [self.names.index(n) for n in self.m.meetings[step.on]]
                    if i == who[0] and all(self._stands_at(places, j, step) for j in who):
                        yield f"{', '.join(self.names[j] for j in who)}: {step}", lambda w=who: self._meet(state, w)
                elif self._can(state, i, step):
                    yield f"{self.names[i]}: {step}", lambda i=i, step=step: self._do(state, i, step)
        for item in dict.fromkeys(flight):
            yield self._landing_text(item), lambda item=item: self._land(state, item)

    def _stands_at(self, places: Any, agent: int, step: Step) -> bool:
        return places[agent] < len(self.steps[agent]) and self.steps[agent][places[agent]] == step

    def _can(self, state: State, agent: int, step: Step) -> bool:
        _, bars, _, flight, groups = state
        if step.do == "wait":
            ready, phase, _, _ = bars[self.bar_at[step.on]]
            return not ready or phase % 2 != step.number
        if step.do in ("wait_group", "cp_wait"):
            kind = 0 if step.do == "wait_group" else 1
            oldest_open = groups[agent][kind] - step.number
            return not any(f[0] == ("mma", "cp")[kind] and f[1] == agent and f[2] < oldest_open for f in flight)
        return True

    def _meet(self, state: State, who: list[int]) -> State:
        places = tuple(p + (i in who) for i, p in enumerate(state[0]))
        return (places, *state[1:])

    def _do(self, state: State, agent: int, step: Step) -> State:
        places, bars, bufs, flight, groups = state
        places = (*places[:agent], places[agent] + 1, *places[agent + 1 :])
        do = step.do
        if do in ("init", "wait", "arrive", "expect"):
            bars = self._barrier(state, agent, step)
        elif do in ("copy", "write", "cp"):
            if do == "copy":
                self._must_be_ready(bars, step.bar, agent, step)
            bufs = self._begin_write(bufs, flight, step)
            if do == "write":
                bufs = self._end_write(bufs, step.on, step.number)
            else:
                number = groups[agent][1]
                item = ("copy", step.on, step.number, step.bar, step.bytes)
                flight = _with(flight, item if do == "copy" else ("cp", agent, number, step.on, step.number))
        elif do in ("read", "mma"):
            self._must_be_there(bufs, agent, step)
            if do == "read":
                bufs = self._has_read(bufs, agent, step.on)
            else:
                flight = _with(flight, ("mma", agent, groups[agent][0], step.on, step.number))
        elif do in ("commit", "cp_commit"):
            pair = groups[agent]
            pair = (pair[0] + 1, pair[1]) if do == "commit" else (pair[0], pair[1] + 1)
            groups = (*groups[:agent], pair, *groups[agent + 1 :])
        return places, bars, bufs, flight, groups

    def _must_be_ready(self, bars: Any, bar: str, agent: int, step: Step) -> None:
        if not bars[self.bar_at[bar]][0]:
            raise _Wrong("not-initialised", f"{self.names[agent]} {step}, before {bar} is initialised")

    def _barrier(self, state: State, agent: int, step: Step) -> Any:
        bars = state[1]
        at = self.bar_at[step.on]
        if step.do == "init":
            return (*bars[:at], (True, 0, self.m.barriers[step.on], 0), *bars[at + 1 :])
        self._must_be_ready(bars, step.on, agent, step)
        if step.do == "wait":
            return bars
        here, there = self.m.cta.get(self.names[agent], 0), self.m.cta.get(step.on, 0)
        if here != there:
            if step.scope != "cluster":
                raise _Wrong(
                    "scope", f"{self.names[agent]} arrives on {step.on} of another CTA at the scope of its own"
                )
            ours = [i for i, n in enumerate(self.names) if self.m.cta.get(n, 0) == there]
            if ours and all(state[0][i] == len(self.steps[i]) for i in ours):
                raise _Wrong("exited", f"{self.names[agent]} arrives on {step.on} of a CTA that has exited")
        ready, phase, pending, count = bars[at]
        n = step.number if step.do == "arrive" else 1
        if n > pending:
            raise _Wrong(
                "arrivals", f"{self.names[agent]} {step}: more arrivals than its count {self.m.barriers[step.on]}"
            )
        return self._settled(bars, at, (ready, phase, pending - n, count + step.bytes * (step.do == "expect")))

    def _settled(self, bars: Any, at: int, bar: tuple[bool, int, int, int]) -> Any:
        ready, phase, pending, count = bar
        if pending == 0 and count == 0:
            bar = (ready, phase + 1, self.m.barriers[self.bars[at]], 0)
        return (*bars[:at], bar, *bars[at + 1 :])

    def _begin_write(self, bufs: Any, flight: Any, step: Step) -> Any:
        at = self.buf_at[step.on]
        version, parts, read_by = bufs[at]
        if step.number != version + 1:
            raise _Wrong(
                "overwritten", f"version {step.number} of {step.on} is written while version {version + 1} is not whole"
            )
        if version >= 0 and not parts and read_by != self.masks[at]:
            left = [n for i, n in enumerate(self.names) if self.masks[at] >> i & 1 and not read_by >> i & 1]
            still = {self.names[f[1]] for f in flight if f[0] == "mma" and f[3] == step.on}
            why = f"{left[0]} still reads it" if left[0] in still else f"{left[0]} has read it"
            joined = "while" if left[0] in still else "before"
            raise _Wrong("overwritten", f"version {version} of {step.on} is overwritten {joined} {why}")
        return (*bufs[:at], (version, parts or -1, read_by), *bufs[at + 1 :])

    def _end_write(self, bufs: Any, name: str, number: int) -> Any:
        at = self.buf_at[name]
        version, parts, read_by = bufs[at]
        landed = max(parts, 0) + 1
        done = (number, 0, 0) if landed == self.m.buffers[name] else (version, landed, read_by)
        return (*bufs[:at], done, *bufs[at + 1 :])

    def _must_be_there(self, bufs: Any, agent: int, step: Step) -> None:
        version, parts, _ = bufs[self.buf_at[step.on]]
        who = self.names[agent]
        if version < step.number:
            raise _Wrong("unwritten", f"{who} reads version {step.number} of {step.on} before it is written")
        if version > step.number or parts:
            raise _Wrong("overwritten", f"{who} reads version {step.number} of {step.on} after it is overwritten")

    def _has_read(self, bufs: Any, agent: int, name: str) -> Any:
        at = self.buf_at[name]
        version, parts, read_by = bufs[at]
        return (*bufs[:at], (version, parts, read_by | 1 << agent & self.masks[at]), *bufs[at + 1 :])

    def _landing_text(self, item: tuple[Any, ...]) -> str:
        if item[0] == "copy":
            return f"bulk copy: version {item[2]} of {item[1]} lands, {item[4]} bytes on {item[3]}"
        what = "is read to its end" if item[0] == "mma" else "lands"
        whose = f"{self.names[item[1]]}'s {'wgmma' if item[0] == 'mma' else 'cp.async'}"
        return f"{whose}: version {item[4]} of {item[3]} {what}"

    def _land(self, state: State, item: tuple[Any, ...]) -> State:
        places, bars, bufs, flight, groups = state
        left = list(flight)
        left.remove(item)
        if item[0] == "copy":
            bufs = self._end_write(bufs, item[1], item[2])
            at = self.bar_at[item[3]]
            ready, phase, pending, count = bars[at]
            bars = self._settled(bars, at, (ready, phase, pending, count - item[4]))
        elif item[0] == "cp":
            bufs = self._end_write(bufs, item[3], item[4])
        else:
            bufs = self._has_read(bufs, item[1], item[3])
        return places, bars, bufs, tuple(left), groups

    def must_be_at_its_end(self, state: State) -> None:
        places, bars, bufs, _, _ = state
        for i, place in enumerate(places):
            if place < len(self.steps[i]):
                raise _Wrong("deadlock", f"{self.names[i]} {self.steps[i][place]}, and nothing can happen any more")
        for name, (version, _, read_by), mask in zip(self.bufs, bufs, self.masks, strict=True):
            if version >= 0 and read_by != mask:
                left = [n for i, n in enumerate(self.names) if mask >> i & 1 and not read_by >> i & 1]
                raise _Wrong("not-drained", f"all have ended, and {left[0]} has not read version {version} of {name}")
        for name, (_, _, _, count) in zip(self.bars, bars, strict=True):
            if count:
                raise _Wrong("not-drained", f"all have ended, and {name} is {count} bytes away from its phase")


def _with(flight: tuple[Any, ...], item: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted((*flight, item), key=repr))
