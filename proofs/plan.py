"""A plan: what a kernel is made of (tiles, layouts, element types, copies, stages, events), and all that it owes.

A plan is one frozen object. ``read_plan`` makes it from TOML, ``Plan.obligations`` decides every contract that its
sections call for, by integer arithmetic: a solver runs only where several names of many values are left open. The
sections and their keys are the dataclasses below; ``plan_schema`` gives the same as JSON Schema.
"""

# ruff: noqa: RUF009 — a field is made by a function that says how its key is read.

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from math import gcd, inf, prod
from pathlib import Path as File
from time import monotonic
from typing import Any

from ..model.composed import AnyLayout, ComposedLayout
from ..model.composition import composition
from ..model.errors import InputError, Refuted, Undecided
from ..model.htuple import size
from ..model.layout import Layout
from ..model.names import ALWAYS, Condition, Expr, both, conjuncts
from ..model.properties import refute_within
from .contracts import (
    atoms,
    banks,
    copy_gemm,
    fences,
    offsets,
    ownership,
    pipelines,
    predicates,
    reductions,
    shared_memory,
    tma,
    tmem,
    vector,
    walk,
)
from .contracts.obligation import Obligation, verdict_of
from .contracts.rule import Rule
from .names.operands import instantiate
from .plan_reading import (
    AXIS,
    ELEMENT,
    ELEMENTS,
    FLAG,
    LAYOUT,
    NATURAL,
    OFFSET,
    PARITY,
    POSITIVE,
    POWER,
    SIZE,
    SIZES,
    TEXT,
    VALUES,
    WHERE,
    Places,
    PlanError,
    as_data,
    key,
    load_toml,
    named_leaves,
    names_of,
    one_of,
    read_section,
    schema_of,
    table,
    tables,
    with_values,
)
from .verdict import Verdict

FORMAT = 1
MAX_BYTES = 2**20
SECONDS = 3.0  # for the obligations of one part with names
NAMES = TEXT.many()
ARCHITECTURES = (
    "sm_80",
    "sm_86",
    "sm_89",
    "sm_90",
    "sm_90a",
    "sm_100",
    "sm_100a",
    "sm_103",
    "sm_103a",
    "sm_120",
    "sm_120a",
)


class PlanSection:
    """What marks a dataclass as a section of a plan."""

    __plan_section__ = True


@dataclass(frozen=True)
class Tensor(PlanSection):
    """A tensor in global memory: ``[[tensor]]``."""

    name: str = key(TEXT, "what the tensor is called")
    element: str = key(ELEMENT, "the type of its elements")
    layout: AnyLayout = key(LAYOUT, "its layout S:D, strides in elements")
    align: int = key(POWER, "bytes that its address is a multiple of", 16)
    offsets: tuple[int, ...] = key(OFFSET.many(), "elements that tile offsets are multiples of", ())
    index_bits: int = key(POSITIVE, "bits of the integers that offsets are computed in: 31, 32 or 63", 31)


@dataclass(frozen=True)
class Buffer(PlanSection):
    """Shared memory: ``[[buffer]]``, by a layout of one stage or by bytes."""

    name: str = key(TEXT, "what the buffer is called")
    element: str = key(ELEMENT, "the type of its elements", "u8")
    layout: AnyLayout | None = key(LAYOUT, "the layout of one stage, offsets in elements", None)
    bytes: int | None = key(SIZE, "its size without a layout, of one stage", None)
    stages: int = key(POSITIVE, "how many stages follow each other", 1)
    align: int | None = key(POWER, "bytes that it starts at a multiple of; else what its swizzle needs", None)
    offset: int | None = key(NATURAL, "where it starts; else after the buffer before", None)
    live: tuple[int, ...] | None = key(NATURAL.many(), "first and last step at which it is in use; else always", None)
    swizzles: str = key(one_of("addresses", "offsets"), "what its swizzle permutes: bits of addresses, as TMA, wgmma "
                        "and swizzled pointers do, or of offsets from its start", "addresses")  # fmt: skip

    def __post_init__(self) -> None:
        if (self.layout is None) == (self.bytes is None):
            raise InputError(f"buffer {self.name} needs a layout or bytes, and not both")
        if self.live is not None and len(self.live) != 2:
            raise InputError("live has two numbers: the first and the last step")

    @property
    def bits(self) -> int:
        """Bits of an element."""
        return ELEMENTS[self.element]

    @cached_property
    def placed(self) -> shared_memory.Buffer:
        """The buffer with all its stages, as the contract takes it."""
        live = None if self.live is None else (self.live[0], self.live[1])
        if self.layout is None:
            assert self.bytes is not None
            whole = shared_memory.Buffer(self.name, self.bytes * self.stages, self.offset, self.align or 16, live=live)
        else:
            one = shared_memory.buffer_of(self.name, self.layout, self.bits, offset=self.offset, live=live)
            if self.swizzles == "offsets":
                one = replace(one, alignment=16, layout=None)
            whole = replace(one, size=one.size * self.stages, alignment=max(one.alignment, self.align or 1))
        return whole

    @property
    def stage_bytes(self) -> int:
        """Bytes of one stage."""
        return self.placed.size // self.stages


@dataclass(frozen=True)
class Map(PlanSection):
    """A thread–value map: ``[[map]]``, (thread, value) ↦ element of a tile."""

    name: str = key(TEXT, "what the map is called")
    layout: AnyLayout = key(LAYOUT, "its layout: two modes, threads and values")
    tile: tuple[int, ...] = key(SIZE.many(), "the shape of the tile")
    threads: int | None = key(SIZE, "threads that are launched; else those of the layout", None)
    active: int | None = key(SIZE, "threads that a guard lets through; else all", None)
    atom: str | None = key(TEXT, "an instruction whose fragment the layout must be, as wgmma.m64n256.d", None)


@dataclass(frozen=True)
class CopyStep(PlanSection):
    """A tiled copy: ``[[copy]]``, of vectors from one place to another."""

    name: str = key(TEXT, "what the copy is called")
    source: str = key(TEXT, "a tensor, a buffer, or registers")
    destination: str = key(TEXT, "a tensor, a buffer, or registers")
    source_tile: AnyLayout = key(LAYOUT, "the layout of the tile in the source, in elements")
    destination_tile: AnyLayout = key(LAYOUT, "the layout of the tile in the destination")
    vector: int = key(POSITIVE, "elements of one instruction")
    map: str | None = key(TEXT, "the thread–value map of the tile; else all is one thread's", None)
    op: str | None = key(TEXT, "the instruction, as cp.async; else an ordinary copy", None)
    extent: int | None = key(SIZE, "elements along the vector that a predicate admits; else no predicate", None)


@dataclass(frozen=True)
class Guard(PlanSection):
    """The predicate of a ragged tensor: ``[[guard]]``."""

    name: str = key(TEXT, "what it guards")
    extents: tuple[int, ...] = key(SIZE.many(), "extents of the tensor")
    tiles: tuple[int, ...] = key(SIZE.many(), "extents of the tile")
    vector: int = key(POSITIVE, "elements of one vector", 1)
    axis: int = key(AXIS, "the axis along which vectors lie", 0)
    test: str = key(one_of("first", "last"), "which coordinate of a vector is compared", "first")
    tail: tuple[int, ...] | None = key(OFFSET.many(), "start and stop of what scalars cover", None)


@dataclass(frozen=True)
class WalkOf(PlanSection):
    """Pieces that visit a domain once, each in its order: ``[[walk]]``."""

    name: str = key(TEXT, "what is visited")
    domain: int = key(SIZE, "how many elements there are")
    run: AnyLayout = key(LAYOUT, "a mode s:d of the domain, which the pieces divide")
    rest: AnyLayout = key(LAYOUT, "all that is beside the run")
    starts: tuple[int, ...] = key(OFFSET.many(), "where in the run each piece begins")
    orders: tuple[AnyLayout, ...] = key(LAYOUT.many(), "the order of each piece, relative to its first element")


@dataclass(frozen=True)
class Access(PlanSection):
    """Threads that read or write a buffer: ``[[access]]``, for bank conflicts."""

    name: str = key(TEXT, "what the access is called")
    buffer: str = key(TEXT, "the buffer")
    layout: AnyLayout = key(LAYOUT, "(thread, value) ↦ index of the buffer's tile")
    vector: int = key(POSITIVE, "elements of one access", 1)


@dataclass(frozen=True)
class TmaCopy(PlanSection):
    """A bulk tensor copy: ``[[tma]]``, a tile of a tensor to or from one stage of a buffer."""

    name: str = key(TEXT, "what the copy is called")
    tensor: str = key(TEXT, "the tensor")
    buffer: str = key(TEXT, "the buffer; its layout has the tensor's modes")
    box: tuple[int, ...] = key(SIZE.many(), "elements of one copy in the modes of the tensor")
    tile: tuple[int, ...] | None = key(SIZE.many(), "the tile that is copied; else the buffer's shape", None)
    swizzle: int = key(NATURAL, "span of the swizzle in bytes: 0, 32, 64 or 128", 0)
    multicast: int = key(POSITIVE, "CTAs among which the copies of a tile are divided, each sent to all", 1)
    keep: bool = key(FLAG, "whether modes of one element keep their stride: sizes known at run time only", False)
    element_strides: tuple[int, ...] = key(POSITIVE.many(), "steps between the elements that are moved", ())


@dataclass(frozen=True)
class RingProducer(PlanSection):
    """Who fills the stages: ``[[ring.producer]]``."""

    name: str = key(TEXT, "what the agent is called")
    arrivals: int = key(NATURAL, "its arrivals on full in a round; arrive.expect_tx is one", 1)
    parity: int = key(PARITY, "the parity that it first waits for", 1)
    iterations: int | None = key(NATURAL, "how many rounds it makes, where that is fixed", None)


@dataclass(frozen=True)
class RingConsumer(PlanSection):
    """Who reads the stages: ``[[ring.consumer]]``."""

    name: str = key(TEXT, "what the agent is called")
    arrivals: int = key(NATURAL, "its arrivals on empty in a round; consumer_release is one a warp", 1)
    partners: int = key(POSITIVE, "CTAs whose consumers arrive here (multicast), its own counted", 1)
    reads: str = key(one_of("ld", "wgmma", "tcgen05"), "how it reads", "ld")
    pending: int = key(NATURAL, "groups left open by the wait before a release", 0)
    lag: int = key(NATURAL, "iterations between a stage's reads and its release", 0)
    parity: int = key(PARITY, "the parity that it first waits for", 0)
    iterations: int | None = key(NATURAL, "how many rounds it makes, where that is fixed", None)
    lanes: int = key(NATURAL, "lanes that read and do not arrive themselves", 0)
    synced: bool = key(FLAG, "whether those meet the lane that arrives", True)


@dataclass(frozen=True)
class Ring(PlanSection):
    """A pipeline with barriers: ``[[ring]]``."""

    name: str = key(TEXT, "what the pipeline is called")
    stages: int = key(NATURAL, "its depth")
    full_count: int = key(POSITIVE, "the arrival count that full barriers are initialised with")
    empty_count: int = key(POSITIVE, "the arrival count that empty barriers are initialised with")
    copies: tuple[str, ...] = key(NAMES, "the bulk copies (tma) that fill a stage", ())
    expected_bytes: int = key(NATURAL, "bytes that arrive.expect_tx announces", 0)
    pair: int = key(POSITIVE, "CTAs whose copies signal this barrier: 2 with cta_group::2", 1)
    tail: bool = key(FLAG, "whether the producer waits for all stages at its end", True)
    producer: tuple[RingProducer, ...] = tables(RingProducer, "who fills the stages")
    consumer: tuple[RingConsumer, ...] = tables(RingConsumer, "who reads them")


@dataclass(frozen=True)
class GroupRing(PlanSection):
    """A ring of cp.async groups: ``[[groups]]``."""

    name: str = key(TEXT, "what the pipeline is called")
    stages: int = key(NATURAL, "its depth")
    ahead: int = key(NATURAL, "tiles that are issued before the loop")
    open: int = key(NATURAL, "groups that the wait leaves open")
    body: tuple[str, ...] = key(
        one_of(*pipelines.BODY).many(), "the steps of an iteration in order", pipelines.Groups(1, 0, 0).body
    )
    commit_empty: bool = key(FLAG, "whether a group is committed when no tile is left", True)


@dataclass(frozen=True)
class Reduction(PlanSection):
    """A reduction: ``[[reduction]]``, by shuffles within lanes, and through shared memory over warps."""

    name: str = key(TEXT, "what is reduced")
    lanes: int = key(POWER, "lanes of a warp that are combined", 32)
    warps: int = key(POSITIVE, "warps that are combined", 1)
    offsets: tuple[int, ...] | None = key(NATURAL.many(), "the offsets of the shuffles; else a butterfly", None)


@dataclass(frozen=True)
class Product(PlanSection):
    """A matrix product: ``[[gemm]]``, C(m,n) += A(m,k)·B(n,k)."""

    name: str = key(TEXT, "what the product is called")
    a: AnyLayout = key(LAYOUT, "the layout of A (m,k)")
    b: AnyLayout = key(LAYOUT, "the layout of B (n,k)")
    c: AnyLayout = key(LAYOUT, "the layout of C (m,n)")


@dataclass(frozen=True)
class Operand(PlanSection):
    """An operand that tensor cores read from a buffer: ``[[operand]]``, of modes (MN, K)."""

    buffer: str = key(TEXT, "the buffer")
    major: str = key(one_of("K", "MN"), "the mode that is contiguous")
    instruction: str = key(one_of("wgmma", "any"), "wgmma: its descriptor must be able to give the layout", "wgmma")


@dataclass(frozen=True)
class PlanEvent(PlanSection):
    """An event: ``[[event]]``, in the order in which they happen; the kinds are those of the contract on fences."""

    agent: str = key(TEXT, "whose it is")
    do: str = key(one_of(*sorted(fences.KNOWN)), "what happens")
    on: tuple[str, ...] = key(NAMES, "buffers, or places in tensor memory", ())
    barrier: str = key(TEXT, "the barrier", "")
    registers: tuple[str, ...] = key(NAMES, "registers that are read or written", ())
    number: int = key(NATURAL, "groups that a wait leaves open", 0)
    agents: tuple[str, ...] = key(NAMES, "who meets at a sync; else all", ())
    loop: bool = key(FLAG, "whether it is in the loop", False)


@dataclass(frozen=True)
class TmemAllocation(PlanSection):
    """Columns of tensor memory: ``[[tmem.allocation]]``."""

    name: str = key(TEXT, "what the allocation is called")
    columns: int = key(POSITIVE, "columns of tcgen05.alloc")
    live: tuple[int, ...] = key(NATURAL.many(), "first and last step at which it is held", (0, 1))


@dataclass(frozen=True)
class TmemRegion(PlanSection):
    """A rectangle of an allocation: ``[[tmem.region]]``."""

    name: str = key(TEXT, "what lies there")
    allocation: str = key(TEXT, "the allocation")
    column: int = key(NATURAL, "its first column in the allocation")
    columns: int = key(POSITIVE, "its columns")
    lane: int = key(NATURAL, "its first lane", 0)
    lanes: int = key(POSITIVE, "its lanes", 128)
    live: tuple[int, ...] = key(NATURAL.many(), "first and last step at which it is in use", (0, 1))


@dataclass(frozen=True)
class TmemAccess(PlanSection):
    """tcgen05.ld or st by a warp: ``[[tmem.access]]``."""

    warp: int = key(NATURAL, "the warp of the CTA")
    lane: int = key(NATURAL, "the first lane")
    count: int = key(POSITIVE, "how many lanes", 32)


@dataclass(frozen=True)
class TmemStep(PlanSection):
    """The life of an allocation: ``[[tmem.step]]``, in order."""

    do: str = key(one_of(*tmem.STEPS), "what happens")
    allocation: str = key(TEXT, "to which allocation", "")
    columns: int = key(NATURAL, "columns of the instruction", 0)
    cta_group: int = key(POSITIVE, "1 or 2", 1)


@dataclass(frozen=True)
class Tmem(PlanSection):
    """Tensor memory: ``[tmem]``."""

    allocation: tuple[TmemAllocation, ...] = tables(TmemAllocation, "what is allocated")
    region: tuple[TmemRegion, ...] = tables(TmemRegion, "what lies where")
    access: tuple[TmemAccess, ...] = tables(TmemAccess, "which warp reads which lanes")
    step: tuple[TmemStep, ...] = tables(TmemStep, "the order of alloc, use, dealloc")


@dataclass(frozen=True)
class Owed:
    """An obligation, and the part of the plan that owes it: ``tma A``."""

    subject: str
    obligation: Obligation


@dataclass(frozen=True)
class Plan(PlanSection):
    """A kernel's plan; its keys at the top level, and its sections."""

    name: str = key(TEXT, "what the kernel is called")
    arch: str = key(one_of(*ARCHITECTURES), "the architecture that it is compiled for")
    format: int = key(POSITIVE, "the format of the file: 1", FORMAT)
    where: Condition | None = key(WHERE, 'what is known of the names for sizes, as "N % 8 == 0, N <= 4096"', None)
    threads: int | None = key(POSITIVE, "threads of a CTA", None)
    cluster: tuple[int, ...] = key(POSITIVE.many(), "CTAs of a cluster in x, y, z", (1, 1, 1))
    tile: dict[str, int] = key(SIZES, "sizes of the tile, by name", None)
    tensor: tuple[Tensor, ...] = tables(Tensor, "tensors in global memory")
    buffer: tuple[Buffer, ...] = tables(Buffer, "buffers in shared memory")
    map: tuple[Map, ...] = tables(Map, "thread–value maps")
    copy: tuple[CopyStep, ...] = tables(CopyStep, "tiled copies")
    guard: tuple[Guard, ...] = tables(Guard, "predicates")
    walk: tuple[WalkOf, ...] = tables(WalkOf, "pieces that visit a domain once")
    access: tuple[Access, ...] = tables(Access, "accesses to shared memory")
    tma: tuple[TmaCopy, ...] = tables(TmaCopy, "bulk tensor copies")
    ring: tuple[Ring, ...] = tables(Ring, "pipelines with barriers")
    groups: tuple[GroupRing, ...] = tables(GroupRing, "pipelines of cp.async groups")
    reduction: tuple[Reduction, ...] = tables(Reduction, "reductions")
    gemm: tuple[Product, ...] = tables(Product, "matrix products")
    operand: tuple[Operand, ...] = tables(Operand, "operands of tensor cores in shared memory")
    event: tuple[PlanEvent, ...] = tables(PlanEvent, "events in order")
    tmem: Tmem | None = table(Tmem, "tensor memory")
    kernel: dict[str, Any] | None = key(
        VALUES, "the kernel that is built from the plan: its name, and its own plan", None
    )

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise InputError(f"format {self.format} is not known here: {FORMAT} is")

    @property
    def sm(self) -> int:
        """The number of the architecture: 90 of sm_90a."""
        return int(re.sub(r"\D", "", self.arch))

    def find(self, kind: str, name: str) -> Any:
        """The section of a kind with this name; None where there is none."""
        return next((s for s in getattr(self, kind) if s.name == name), None)

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain data; :func:`plan_of` makes the same plan of it."""
        data: dict[str, Any] = as_data(self)
        return data

    @property
    def digest(self) -> str:
        """SHA-256 over the plan's data in canonical JSON: comments and order of keys do not matter."""
        text = json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def owed(self, seconds: float = inf) -> list[Owed]:
        """Every obligation with the part that owes it; one that mentions names for sizes holds for all their values.

        After ``seconds`` nothing more is asked about names: what is not decided by then is unknown.
        """
        if self.names:
            return list(_named(self, monotonic() + seconds))
        return [one for part in PARTS for one in part(self)]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names for sizes that the plan has.

        >>> plan_of({"name": "x", "arch": "sm_80", "tile": {"columns": "4*N"}}).names
        frozenset({'N'})
        """
        return names_of(self)

    def at(self, **values: int) -> Plan:
        """The plan with values for its names; InputError for a value that ``where`` does not allow.

        >>> plan = plan_of({"name": "x", "arch": "sm_80", "where": "N <= 8", "tile": {"columns": "4*N"}})
        >>> plan.at(N=2).tile
        {'columns': 8}
        """
        missing = self.names - set(values)
        if missing:
            raise InputError(f"there is no value for {', '.join(sorted(missing))}")
        if self.where is not None and not self.where.at(values):
            raise InputError(f"{self.where} does not allow {', '.join(f'{n} = {v}' for n, v in values.items())}")
        plan: Plan = replace(with_values(self, values, instantiate), where=None)
        return plan

    @property
    def scope(self) -> str | None:
        """The values that verdicts are about: None without names."""
        from .names import scope_of

        return scope_of(sorted(self.names), self.where or ALWAYS) if self.names else None

    def obligations(self) -> list[Obligation]:
        """Every obligation, decided by integer arithmetic; a solver runs only for several names of many values."""
        return [one.obligation for one in self.owed()]

    def verdict(self) -> Verdict:
        """Refuted if any obligation is, else unknown if any is, else proved."""
        return verdict_of(self.obligations())


def read_plan(path: str | File) -> Plan:
    """The plan in a TOML file; PlanError, which begins with file and line, where it is not understood."""
    file = File(path)
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise PlanError(f"{path} is longer than {MAX_BYTES} bytes")
        text = data.decode("utf-8")
    except OSError as error:
        raise PlanError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path} is no text in UTF-8") from None
    return parse_plan(text, str(path))


def parse_plan(text: str, file: str = "plan.toml") -> Plan:
    """The plan that a TOML text writes.

    >>> plan = parse_plan('''
    ... name = "scale"
    ... arch = "sm_80"
    ... [[map]]
    ... name = "rows"
    ... layout = "((8,4),(4,2)):((16,1),(4,128))"
    ... tile = [4, 64]
    ... ''')
    >>> plan.verdict().value, [o.name for o in plan.obligations()][-2:]
    ('proved', ['ownership.once', 'ownership.all'])
    >>> parse_plan('name = "x"\\narch = "sm_90a"\\nstages = 4')
    Traceback (most recent call last):
    ...
    veritile.proofs.plan_reading.PlanError: plan.toml:3: stages: there is no key of this name
    """
    data, places = load_toml(file, text.replace("\r\n", "\n"))
    return _made(data, places)


def plan_of(data: dict[str, Any], file: str = "plan") -> Plan:
    """The plan that plain data makes: what :meth:`Plan.as_dict` gave."""
    return _made(data, Places(file, ""))


def _made(data: Any, places: Places) -> Plan:
    plan = read_section(Plan, data, places)
    for kind in (
        "tensor",
        "buffer",
        "map",
        "copy",
        "guard",
        "walk",
        "access",
        "tma",
        "ring",
        "groups",
        "reduction",
        "gemm",
    ):
        seen: dict[str, int] = {}
        for i, part in enumerate(getattr(plan, kind)):
            if part.name in seen:
                raise places.error((kind, i, "name"), f"there is a {kind} of the name {part.name} already")
            seen[part.name] = i
    for path, wanted, name in _references(plan):
        if name not in {known for kind in wanted for known in _names(plan, kind)}:
            raise places.error(path, f"there is no {' or '.join(wanted)} of the name {name}")
    _check_names(plan, places)
    return plan


def _check_names(plan: Plan, places: Places) -> None:
    """What has names is a positive integer (a natural one where 0 is allowed) for every value that is allowed."""
    if plan.where is not None and plan.where.names - plan.names:
        strange = ", ".join(sorted(plan.where.names - plan.names))
        raise places.error(("where",), f"it speaks of {strange}, which no size of the plan has")
    if plan.where is not None:
        from .names import require_values

        try:
            require_values(sorted(plan.names), plan.where)
        except InputError as error:
            raise places.error(("where",), error.message) from None
    if not plan.names:
        return
    from .names.obligations import decide_named

    seen: set[tuple[str, int | None]] = set()
    for path, value, least in named_leaves(plan):
        if (str(value), least) in seen:
            continue
        seen.add((str(value), least))

        def question(given: Any, *_: Any, value: Any = value, least: int | None = least) -> list[Obligation]:
            if least is None or given >= least:
                return [SHAPE.holds("a size")]
            return [SHAPE.fails(f"{value} is {given}, and an integer from {least} is expected", "size", got=given)]

        def decided(names: list[str], where: Condition, value: Any = value, ask: Any = question) -> list[Obligation]:
            more = [Expr.of(name) for name in names if name not in names_of(value)]
            return decide_named(ask, [value, *more], where, 1.0)

        try:
            (found,) = _decided_about(decided, names_of(value), plan.where)
        except InputError as error:
            raise places.error(path, error.message.replace("--where", "where")) from None
        if found.verdict is not Verdict.PROVED:
            raise places.error(path, f"{found.reason}: say more with where")


Decided = Callable[[list[str], Condition], list[Obligation]]


def _decided_about(decided: Decided, names: frozenset[str], where: Condition | None) -> list[Obligation]:
    """Obligations of a part with some of the names, for all values that the whole of ``where`` allows.

    First with what ``where`` says of these names alone. That allows no less, so what is proved stands. What is refuted
    stands where its value is one of a value of all names that is allowed; else it is decided with the names that
    ``where`` ties to these, and the rest of what it says.
    """
    if where is None:
        return decided(sorted(names), ALWAYS)
    from .names.obligations import keyed

    tied = _tied(where, names)
    if tied == names:
        return decided(sorted(names), _about(where, names))
    more = _about(where, tied)
    try:
        found = decided(sorted(names), _about(where, names))
    except InputError:  # N/8 where N is tied to a multiple of 8
        return decided(sorted(tied), more)
    stands = {
        key: o
        for key, o in keyed(found).items()
        if o.verdict is Verdict.PROVED or (o.verdict is Verdict.REFUTED and _is_allowed(o, tied, more))
    }
    if all(key in stands or o.verdict is Verdict.UNKNOWN for key, o in keyed(found).items()):
        return found
    again = keyed(decided(sorted(tied), more))
    return [stands.get(key, o) if o.verdict is Verdict.UNKNOWN else o for key, o in again.items()]


def _about(where: Condition, names: frozenset[str]) -> Condition:
    """What is known of some of the names alone."""
    return both(*(part for part in conjuncts(where) if part.names <= names))


def _tied(where: Condition, names: frozenset[str]) -> frozenset[str]:
    """The names, and all that ``where`` ties to one of them: by N <= M it ties M to N."""
    found = names
    for _ in conjuncts(where):
        found = found.union(*(part.names for part in conjuncts(where) if part.names & found))
    return found


def _is_allowed(obligation: Obligation, names: frozenset[str], where: Condition) -> bool:
    """Whether the values in a witness are found to be some of values of all the names that are allowed."""
    if obligation.witness is None:
        return False
    told: dict[str, int] = obligation.witness.values["names"]
    rest = sorted(names - set(told))
    near = {max(1, v + d) for v in told.values() for d in (-1, 0, 1)}
    sizes = sorted({1, 2, 3, 4, 8, 16, 64, 256, 1024, 4096, 65536, 2**20, 2**31, *near})
    some = islice(product(sizes, repeat=len(rest)), 20_000)
    return any(where.at({**told, **dict(zip(rest, values, strict=True))}) for values in some)


def _names(plan: Plan, kind: str) -> list[str]:
    """The names of a kind of section; ``registers`` is the one of its kind."""
    if kind == "registers":
        return ["registers"]
    if kind == "tmem.region":
        return [] if plan.tmem is None else [r.name for r in plan.tmem.region]
    return [s.name for s in getattr(plan, kind)]


def _references(plan: Plan) -> Iterator[tuple[tuple[str | int, ...], tuple[str, ...], str]]:
    """Every name that must be another section's: where it stands, what kinds it may be, and itself."""
    for i, c in enumerate(plan.copy):
        yield ("copy", i, "source"), ("tensor", "buffer", "registers"), c.source
        yield ("copy", i, "destination"), ("tensor", "buffer", "registers"), c.destination
        if c.map is not None:
            yield ("copy", i, "map"), ("map",), c.map
    for i, a in enumerate(plan.access):
        yield ("access", i, "buffer"), ("buffer",), a.buffer
    for i, t in enumerate(plan.tma):
        yield ("tma", i, "tensor"), ("tensor",), t.tensor
        yield ("tma", i, "buffer"), ("buffer",), t.buffer
    for i, r in enumerate(plan.ring):
        for name in r.copies:
            yield ("ring", i, "copies"), ("tma",), name
    for i, o in enumerate(plan.operand):
        yield ("operand", i, "buffer"), ("buffer",), o.buffer
    for i, e in enumerate(plan.event):  # a name that is not there would be in no pair of events, and owe nothing
        for name in e.on:
            yield ("event", i, "on"), ("buffer", "tmem.region"), name
        for name in e.registers if e.do == "umma" else ():
            yield ("event", i, "registers"), ("tmem.region",), name


def plan_schema() -> dict[str, Any]:
    """JSON Schema of a plan's data.

    >>> sorted(plan_schema()["required"])
    ['arch', 'name']
    """
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "veritile plan", **schema_of(Plan)}


# What each part owes.


def _rule(name: str, text: str, source: str = "ours") -> Rule:
    return Rule(f"plan.{name}", text, source)


GUIDE = "CUDA programming guide, compute capabilities"
THREADS = _rule("threads", "a CTA has whole warps, and at most 1024 threads", GUIDE)
CLUSTER = _rule("cluster", "a cluster has at most 8 CTAs (more is not portable), and sm_90 or later", GUIDE)
FEATURES = _rule("features", "the architecture has what the plan uses", "PTX ISA, target architectures")
STAGES = _rule("stages", "a ring has as many stages as its buffers")
PARTNERS = _rule("partners", "every CTA that a multicast copy fills releases its stages to the CTA that sends")
STRIDE = _rule("stage-stride", "each stage starts at what its swizzle and TMA need")
MAJOR = _rule("major", "the mode that is said to be contiguous is", "PTX ISA, wgmma: matrix descriptor, major-ness")
SHAPE = _rule("shape", "parts that belong together have the shapes that they need")


def _safely(rule: Rule, question: Callable[..., list[Obligation]], *args: Any) -> list[Obligation]:
    """What a contract says; a call that it refuses is a refutation of ``rule``, a spent budget leaves it open."""
    try:
        return question(*args)
    except InputError as error:
        return [rule.fails(error.message, "refused")]
    except Refuted as refused:
        return [rule.refuted(refused.reason, refused.witness)]
    except Undecided as spent:
        return [rule.open(spent.reason)]


def _all(subject: str, question: Callable[..., list[Obligation]], *args: Any) -> list[Owed]:
    return [Owed(subject, one) for one in _safely(SHAPE, question, *args)]


def _kernel(plan: Plan) -> Iterator[Owed]:
    found = []
    if plan.threads is not None:
        n = plan.threads
        if n > 1024 or n % 32:
            found.append(THREADS.fails(f"{n} threads", "threads", got=n, limit=1024, rest=n % 32))
        else:
            found.append(THREADS.holds(f"{n} threads, {n // 32} warps"))
    ctas = prod(plan.cluster)
    if ctas > 1 and (ctas > 8 or plan.sm < 90):
        found.append(CLUSTER.fails(f"{ctas} CTAs on {plan.arch}", "cluster", got=ctas, limit=8, arch=plan.arch))
    elif ctas > 1:
        found.append(CLUSTER.holds(f"{ctas} CTAs"))
    found += _features(plan)
    yield from (Owed("kernel", one) for one in found)


def _features(plan: Plan) -> list[Obligation]:
    used = {e.do for e in plan.event} | {c.reads for r in plan.ring for c in r.consumer}
    wgmma = {"wgmma"} & used or {o.buffer for o in plan.operand if o.instruction == "wgmma"}
    tcgen = plan.tmem is not None or any(u in used for u in ("tcgen05", "umma", "tmem-load", "tmem-store"))
    needs = [
        ("bulk tensor copies", bool(plan.tma), plan.sm >= 90, "sm_90 or later"),
        ("wgmma", bool(wgmma), plan.arch == "sm_90a", "sm_90a alone"),
        ("tcgen05", tcgen, plan.sm in (100, 103) and plan.arch.endswith("a"), "sm_100a or sm_103a"),
        ("cp.async", bool(plan.groups), plan.sm >= 80, "sm_80 or later"),
    ]
    made = []
    for what, is_used, has, needed in needs:
        if is_used and not has:
            made.append(FEATURES.fails(f"{what} needs {needed}, not {plan.arch}", "arch", feature=what, arch=plan.arch))
    told = ", ".join(what for what, is_used, _, _ in needs if is_used)
    return made or ([FEATURES.holds(f"{plan.arch} has {told}")] if told else [])


def _tensors(plan: Plan) -> Iterator[Owed]:
    for t in plan.tensor:
        yield from _all(f"tensor {t.name}", offsets.decide_offsets, t.layout, t.index_bits, ELEMENTS[t.element])


def _buffers(plan: Plan) -> Iterator[Owed]:
    if not plan.buffer:
        return
    yield from _all("shared memory", _shared_memory, plan)
    for buffer in plan.buffer:
        if buffer.stages > 1:
            yield from _all(f"buffer {buffer.name}", _stage_stride, buffer)


def _shared_memory(plan: Plan) -> list[Obligation]:
    return shared_memory.decide_shared_memory([b.placed for b in plan.buffer], plan.sm)


def _stage_stride(buffer: Buffer) -> list[Obligation]:
    step, needed = buffer.stage_bytes, buffer.placed.alignment
    if step % needed:
        return [
            STRIDE.fails(
                f"stage 1 starts at {step} bytes, and {needed} is needed", "alignment", known=step, needed=needed
            )
        ]
    return [STRIDE.holds(f"{step} bytes, a multiple of {needed}")]


def _maps(plan: Plan) -> Iterator[Owed]:
    for m in plan.map:
        subject = f"map {m.name}"
        tile = m.tile if len(m.tile) > 1 else m.tile[0]
        yield from _all(subject, ownership.decide_ownership, m.layout, tile, m.threads, m.active)
        if m.atom is not None:
            yield from _all(subject, _fragment, m.atom, m.layout)


def _fragment(name: str, layout: AnyLayout) -> list[Obligation]:
    return atoms.decide_atom(atom_of(name), layout)


def atom_of(name: str) -> atoms.Atom:
    """The fragment of an instruction by its name; InputError for one that is not known.

    >>> atom_of("wgmma.m64n16.d").name, atom_of("mma.m16n8k16.a").tile
    ('wgmma.m64n16.d', (16, 16))
    """
    if found := re.fullmatch(r"wgmma\.m64n(\d+)\.d", name):
        return replace(atoms.wgmma_accumulator(int(found.group(1))), name=name)
    if found := re.fullmatch(r"mma\.m16n8k(\d+)\.([abc])(?:\.b(8|16|32))?", name):
        return replace(
            atoms.mma_fragment(found.group(2).upper(), int(found.group(1)), int(found.group(3) or 16)), name=name
        )
    if found := re.fullmatch(r"ldmatrix\.x([124])(\.trans)?", name):
        return replace(atoms.matrix_fragment(int(found.group(1)), bool(found.group(2))), name=name)
    raise InputError(f"{name} is no fragment: wgmma.m64nN.d, mma.m16n8kK.a (b, c; .b8, .b32), ldmatrix.xN(.trans) are")


def _copies(plan: Plan) -> Iterator[Owed]:
    for c in plan.copy:
        subject = f"copy {c.name}"
        yield from _all(subject, copy_gemm.decide_copy, c.source_tile, c.destination_tile)
        yield from _all(subject, _vectors, plan, c)


def _vectors(plan: Plan, c: CopyStep) -> list[Obligation]:
    copy = vector_copy(plan, c)
    outside = None if copy.tv is None else refute_within(copy.tv, size(c.source_tile.shape))
    if outside is not None:
        return [SHAPE.refuted(f"the map {c.map} leaves the {size(c.source_tile.shape)} elements of the tile", outside)]
    return vector.decide_vector(copy, c.vector)


def vector_copy(plan: Plan, c: CopyStep) -> vector.Copy:
    """The copy as the contract on vectors takes it: alignments and offsets of the parts that it names."""
    sides = [_side(plan, c.source), _side(plan, c.destination)]
    bits = {side[0] for side in sides if side[0]}
    if len(bits) > 1:
        raise InputError(f"{c.source} and {c.destination} have elements of {' and '.join(map(str, sorted(bits)))} bits")
    if not bits:
        raise InputError("a copy has a tensor or a buffer on one side")
    tv = None if c.map is None else plan.find("map", c.map).layout
    return vector.Copy(
        c.source_tile,
        c.destination_tile,
        bits.pop(),
        (sides[0][1], sides[1][1]),
        sides[0][2],
        sides[1][2],
        tv,
        c.extent,
        c.op,
        (sides[0][3], sides[1][3]),
        plan.sm,
    )


def _side(plan: Plan, name: str) -> tuple[int, int, tuple[int, ...], str]:
    """Bits of an element (0 for registers), alignment in bytes, offsets, and the space."""
    if name == "registers":
        return 0, 1024, (), "register"
    tensor: Tensor | None = plan.find("tensor", name)
    if tensor is not None:
        return ELEMENTS[tensor.element], tensor.align, tensor.offsets, "global"
    buffer: Buffer = plan.find("buffer", name)
    whole = buffer.placed
    start = whole.alignment if whole.offset is None else gcd(whole.offset, 1024) or 1024
    step = buffer.stage_bytes * 8 // buffer.bits
    return buffer.bits, start, (step,) if buffer.stages > 1 else (), "shared"


def _guards(plan: Plan) -> Iterator[Owed]:
    for g in plan.guard:

        def question(g: Guard = g) -> list[Obligation]:
            tail = None if g.tail is None else (g.tail[0], g.tail[-1])
            guard = predicates.Guard(g.extents, g.tiles, g.vector, g.axis, test=g.test, tail=tail)
            return predicates.decide_predicates(guard)

        yield from _all(f"guard {g.name}", question)


def _walks(plan: Plan) -> Iterator[Owed]:
    for w in plan.walk:

        def question(w: WalkOf = w) -> list[Obligation]:
            return walk.decide_walk(walk.Walk(w.domain, w.run, w.rest, w.starts, w.orders))  # type: ignore[arg-type]

        yield from _all(f"walk {w.name}", question)


def _accesses(plan: Plan) -> Iterator[Owed]:
    for a in plan.access:

        def question(a: Access = a) -> list[Obligation]:
            buffer: Buffer = plan.find("buffer", a.buffer)
            if buffer.layout is None:
                raise InputError(f"buffer {buffer.name} has no layout")
            if not isinstance(a.layout, Layout):
                raise InputError("the threads of an access are S:D, without a swizzle")
            return banks.decide_banks(banks.Access(a.layout, buffer.layout, buffer.bits, a.vector))

        yield from _all(f"access {a.name}", question)


@dataclass(frozen=True)
class Landed:
    """A bulk copy of a plan, worked out: its box, the order of its modes, its tile, and what lands in a stage."""

    box: tma.Box
    order: tuple[int, ...]
    tile: tuple[int, ...]
    landing: tma.Landing


def tma_box(plan: Plan, t: TmaCopy) -> Landed:
    """A bulk copy's tensor map and what it lands; InputError where its parts do not belong together."""
    tensor: Tensor = plan.find("tensor", t.tensor)
    buffer: Buffer = plan.find("buffer", t.buffer)
    if tensor.element != buffer.element:
        raise InputError(f"{t.tensor} has elements of {tensor.element}, {t.buffer} of {buffer.element}")
    if buffer.layout is None:
        raise InputError(f"buffer {buffer.name} has no layout")
    if not isinstance(tensor.layout, Layout):
        raise InputError(f"tensor {tensor.name} has a layout that no tensor map describes")
    tile = t.tile or tuple(size(buffer.layout.shape[m]) for m in range(len(buffer.layout)))
    bits = ELEMENTS[tensor.element]
    whole = buffer.placed
    start = gcd(*(x for x in (whole.alignment, whole.offset, buffer.stage_bytes if buffer.stages > 1 else 0) if x))
    offset = gcd(*(o * bits // 8 for o in tensor.offsets), 0)
    box, order = tma.encode(
        tensor.layout,
        t.box,
        bits,
        t.name,
        keep=t.keep,
        swizzle=t.swizzle,
        global_align=gcd(tensor.align, offset),
        shared_align=start,
    )
    box = replace(box, element_strides=t.element_strides)
    copies = prod(-(-a // b) for a, b in zip(tile, t.box, strict=False))
    if copies % t.multicast:
        raise InputError(f"{copies} copies of a tile are not divided among {t.multicast} CTAs")
    landing = tma.Landing(t.name, box.bytes * (copies // t.multicast), t.multicast)
    return Landed(box, tuple(order), tile, landing)


def _tmas(plan: Plan) -> Iterator[Owed]:
    for t in plan.tma:

        def question(t: TmaCopy = t) -> list[Obligation]:
            found = tma_box(plan, t)
            made = tma.decide_tma(found.box)
            if verdict_of(made) is not Verdict.REFUTED and t.swizzle in tma.SPANS:
                layout = plan.find("buffer", t.buffer).layout
                made.append(tma.decide_shared_layout(found.box, found.order, layout, found.tile))
            return made

        yield from _all(f"tma {t.name}", question)


def _rings(plan: Plan) -> Iterator[Owed]:
    for r in plan.ring:

        def question(r: Ring = r) -> list[Obligation]:
            landings = [replace(tma_box(plan, plan.find("tma", name)).landing, ctas=r.pair) for name in r.copies]
            made = []
            for name in r.copies:
                buffer: Buffer = plan.find("buffer", plan.find("tma", name).buffer)
                if buffer.stages != r.stages:
                    what = f"{buffer.name} has {buffer.stages} stages, {r.name} {r.stages}"
                    made.append(STAGES.fails(what, "stages", buffer=buffer.name, expected=r.stages, got=buffer.stages))
            if not made and r.copies:
                made.append(STAGES.holds(f"{r.stages} stages each"))
            made += _partners(r, max((plan.find("tma", name).multicast for name in r.copies), default=1))
            if r.copies or r.expected_bytes:
                made.append(tma.decide_expect(r.expected_bytes, landings))
            return [*made, *pipelines.decide_ring(ring_of(r, [one.total for one in landings]))]

        yield from _all(f"ring {r.name}", question)


def _partners(r: Ring, multicast: int) -> list[Obligation]:
    if multicast == 1:
        return []
    for c in r.consumer:
        if c.partners < multicast:
            what = f"copies go to {multicast} CTAs, and {c.name} of {c.partners} releases here"
            return [PARTNERS.fails(what, "partners", agent=c.name, expected=multicast, got=c.partners)]
    return [PARTNERS.holds(f"{multicast} CTAs")]


def ring_of(r: Ring, landing: list[int]) -> pipelines.Ring:
    """The ring as the contract on pipelines takes it."""
    producers = tuple(pipelines.Producer(p.name, p.arrivals, p.parity, p.iterations) for p in r.producer)
    consumers = tuple(
        pipelines.Consumer(
            c.name, c.arrivals, c.partners, c.reads, c.pending, c.lag, c.parity, c.iterations, c.lanes, c.synced
        )
        for c in r.consumer
    )
    counts = (r.full_count, r.empty_count, r.expected_bytes)
    return pipelines.Ring(r.stages, producers, consumers, *counts, tuple(landing), r.tail, r.name)


def _groups(plan: Plan) -> Iterator[Owed]:
    for g in plan.groups:
        ring = pipelines.Groups(g.stages, g.ahead, g.open, g.body, g.commit_empty, g.name)
        yield from _all(f"groups {g.name}", pipelines.decide_groups, ring)


def _reductions(plan: Plan) -> Iterator[Owed]:
    for r in plan.reduction:

        def question(r: Reduction = r) -> list[Obligation]:
            steps = reductions.butterfly(r.lanes) if r.offsets is None else r.offsets
            shuffles = reductions.Shuffles(steps, group=r.lanes)
            if r.warps == 1:
                return reductions.decide_shuffles(shuffles)
            return reductions.decide_reduction(replace(reductions.block_reduction(r.warps), shuffles=shuffles))

        yield from _all(f"reduction {r.name}", question)


def _products(plan: Plan) -> Iterator[Owed]:
    for g in plan.gemm:
        yield from _all(f"gemm {g.name}", copy_gemm.decide_gemm, g.a, g.b, g.c)


def _operands(plan: Plan) -> Iterator[Owed]:
    for o in plan.operand:

        def question(o: Operand = o) -> list[Obligation]:
            buffer: Buffer = plan.find("buffer", o.buffer)
            if buffer.layout is None or len(buffer.layout) != 2:
                raise InputError(f"an operand has two modes, (MN, K); buffer {buffer.name} has not")
            made = [decide_major(buffer.layout, o.major)]
            if o.instruction == "wgmma":
                made.append(atoms.decide_operand(first_k(buffer.layout, 256 // buffer.bits), buffer.bits, o.major))
            return made

        yield from _all(f"operand {o.buffer}", question)


def decide_major(layout: AnyLayout, major: str) -> Obligation:
    """Whether the mode that is said to be major, K the second or MN the first, is the contiguous one.

    >>> decide_major(Layout((64, 32), (1, 64)), "K").reason
    'mode 1 (K) begins with a step of 64, mode 0 (MN) of 1'
    """
    names = {"MN": 0, "K": 1}
    other = "K" if major == "MN" else "MN"
    steps = {}
    for name, mode in names.items():
        next_to_it = tuple(1 if m == mode else 0 for m in range(2))
        steps[name] = layout(next_to_it) - layout((0, 0)) if size(layout.shape[mode]) > 1 else None
    if steps[major] == 1 or (steps[major] is None and steps[other] != 1):
        return MAJOR.holds(f"{major}-major")
    here, there = f"mode {names[major]} ({major})", f"mode {names[other]} ({other})"
    what = f"{here} begins with a step of {steps[major]}, {there} of {steps[other]}"
    return MAJOR.fails(what, "major", expected=major, step=steps[major], other=steps[other])


def first_k(layout: AnyLayout, k: int) -> AnyLayout:
    """The first ``k`` of mode 1 of a tile (MN, K), as one instruction reads them."""
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    if not isinstance(inner, Layout):
        raise InputError(f"{layout} is no swizzle of a layout")
    if size(inner.shape[1]) % k:
        raise InputError(f"K of {size(inner.shape[1])} elements is not divided by the {k} of one instruction")
    rows, columns = (composition(inner[0], Layout(size(inner.shape[0]))), composition(inner[1], Layout(k)))
    assert isinstance(rows, Layout) and isinstance(columns, Layout)
    part = Layout((rows.shape, columns.shape), (rows.stride, columns.stride))
    return ComposedLayout(layout.function, layout.offset, part) if isinstance(layout, ComposedLayout) else part


def _events(plan: Plan) -> Iterator[Owed]:
    if plan.event:

        def question() -> list[Obligation]:
            events = [
                fences.Event(e.agent, e.do, e.on, e.barrier, e.registers, e.number, e.agents, e.loop)
                for e in plan.event
            ]
            return fences.decide_fences(events)

        yield from _all("events", question)


def _tensor_memory(plan: Plan) -> Iterator[Owed]:
    if plan.tmem is None:
        return
    t = plan.tmem

    def question() -> list[Obligation]:
        allocations = [tmem.Allocation(a.name, a.columns, _span(a.live)) for a in t.allocation]
        regions = [
            tmem.Region(r.name, r.allocation, r.column, r.columns, (r.lane, r.lane + r.lanes), _span(r.live))
            for r in t.region
        ]
        accesses = [tmem.Access(a.warp, a.lane, a.count) for a in t.access]
        steps = [tmem.Step(s.do, s.allocation, s.columns, s.cta_group) for s in t.step]
        return tmem.decide_tmem(plan.arch, allocations, regions, accesses, steps)

    yield from _all("tensor memory", question)


def _span(live: tuple[int, ...]) -> tuple[int, int]:
    if len(live) != 2 or live[0] > live[1]:
        raise InputError("live has two numbers: the first and the last step")
    return live[0], live[1]


Part = Callable[[Plan], Iterator[Owed]]
PARTS: tuple[Part, ...] = (
    _kernel, _tensors, _maps, _copies, _guards, _walks, _buffers, _accesses, _operands, _tmas, _rings, _groups,
    _reductions, _products, _events, _tensor_memory,
)  # fmt: skip

OWING: dict[str, Part] = {
    "tensor": _tensors, "map": _maps, "copy": _copies, "guard": _guards, "walk": _walks, "access": _accesses,
    "operand": _operands, "tma": _tmas, "ring": _rings, "reduction": _reductions, "gemm": _products,
}  # fmt: skip
REFERS = {
    "copy": ("source", "destination", "map"), "access": ("buffer",), "operand": ("buffer",),
    "tma": ("tensor", "buffer"), "ring": ("copies",),
}  # fmt: skip


def _named(plan: Plan, end: float) -> Iterator[Owed]:
    """What a plan with names owes: section by section, for all values of the names that it and what it uses mention.

    ``end`` is the time after which nothing more is asked about names.
    """
    kinds = {part: kind for kind, part in OWING.items()}
    for part in PARTS:
        kind = kinds.get(part)
        if kind is not None:
            for section in getattr(plan, kind):
                used = _used(plan, kind, section)
                parts: dict[str, Any] = {k: tuple(v) for k, v in used.items()}
                yield from _for_all(replace(plan, **parts), part, end, f"{kind} {section.name}")
        elif part is _buffers:
            none: dict[str, Any] = dict.fromkeys(OWING, ())
            yield from _for_all(replace(plan, **none), part, end, plan.name)
        else:
            yield from part(plan)


def _used(plan: Plan, kind: str, section: Any) -> dict[str, list[Any]]:
    """The section, and those that it refers to, by kind; no others."""
    used: dict[str, list[Any]] = {k: [] for k in (*OWING, "buffer")}
    waiting = [(kind, section)]
    while waiting:
        k, one = waiting.pop()
        used[k].append(one)
        for field in REFERS.get(k, ()):
            named = getattr(one, field)
            for name in named if isinstance(named, tuple) else (named,):
                for other in ("tensor", "buffer", "map", "tma"):
                    found = plan.find(other, name) if name is not None else None
                    if found is not None and all(found is not known for known in used[other]):
                        waiting.append((other, found))
    return used


def _for_all(plan: Plan, part: Part, end: float, subject: str) -> Iterator[Owed]:
    """What a part of the plan owes, for all values of the names that are left in it; ``subject`` names the part."""
    from .names.obligations import SPENT, decide_named, open_obligation

    rest: dict[str, Any] = {"where": None, "tile": None, "kernel": None}
    operand = replace(plan, **rest)
    names = names_of(operand)
    if not names:
        yield from part(operand)
        return
    if monotonic() >= end:
        yield Owed(subject, open_obligation(SPENT))
        return
    asked = sorted(names)

    def question(*values: Any) -> list[Obligation]:
        given = with_values(operand, dict(zip(asked, values, strict=True)), instantiate)
        made = []
        for owed in part(given):
            mark = f"{owed.subject}\n{owed.obligation.name}"
            made.append(replace(owed.obligation, name=mark))
        return made

    def decided(names: list[str], where: Condition) -> list[Obligation]:
        nonlocal asked
        asked = names
        return decide_named(question, [Expr.of(n) for n in names], where, SECONDS, _numbers_in(operand), end)

    for found in _decided_about(decided, names, plan.where):
        whose, _, name = found.name.rpartition("\n")
        yield Owed(whose or subject, replace(found, name=name))


def _numbers_in(section: Any) -> list[Any]:
    """The values with names in a section, and the numbers beside them: what conditions are made of."""
    found = [value for _, value, _ in named_leaves(section)]
    for copy in section.copy:
        found.append(copy.vector)
    for guard in section.guard:
        found += [guard.vector, *guard.tiles]
    return found


__all__ = ["FORMAT", "Owed", "Plan", "PlanError", "atom_of", "parse_plan", "plan_of", "plan_schema", "read_plan"]
