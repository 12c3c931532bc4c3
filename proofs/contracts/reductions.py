"""Reductions: shuffles within a group of lanes, then one step through shared memory, combine every lane exactly once.

What a register holds is a multiset of lanes: how often the value of each was combined into it. The operation is only
taken to be associative and commutative, so that a multiset says all there is. Each step is evaluated as the manuals
define it, every lane at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...model.errors import InputError, Witness
from .obligation import Obligation
from .rule import Rule

WARP = 32
PTX = "PTX ISA, shfl.sync: bfly reads lane XOR offset, down lane + offset, its own when that is out of range"
ACTIVE = Rule("reductions.active", "no lane reads one that takes no part", "PTX ISA, shfl.sync: undefined else")
GROUP = Rule("reductions.group", "every lane of a group is combined exactly once", PTX)
LAST_ACTIVE = Rule("reductions.last_active", "no lane of the last step reads one that takes no part", ACTIVE.source)
SLOTS = Rule("reductions.slots", "every warp writes a slot of its own, which exists", "ours: a race else")
SYNC = Rule(
    "reductions.sync", "a barrier lies between the writes and the reads", "CUDA programming guide, __syncthreads"
)
READS = Rule("reductions.reads", "every slot that is read was written, or is replaced by the identity", "ours")
BLOCK = Rule("reductions.block", "every warp's partial is combined exactly once", PTX)

Combined = Counter[int]


@dataclass(frozen=True)
class Shuffles:
    """Shuffles one after another, each followed by the operation with what is there.

    ``offsets`` of the steps; ``group`` lanes that are to be combined; ``mode`` ``bfly`` (all lanes get the result) or
    ``down`` (the first lane of each group does); ``segment`` the lanes that a shuffle may not read beyond (its width);
    ``lanes`` that take part, of one warp.
    """

    offsets: tuple[int, ...]
    group: int = WARP
    mode: str = "bfly"
    segment: int = WARP
    lanes: int = WARP

    def __post_init__(self) -> None:
        if self.mode not in ("bfly", "down"):
            raise InputError(f"a shuffle is bfly or down, not {self.mode}")
        if not 1 <= self.group <= WARP or not 1 <= self.lanes <= WARP:
            raise InputError(f"a group and the lanes that take part are 1 to {WARP}")
        if self.segment not in (1, 2, 4, 8, 16, 32):
            raise InputError(f"the width of a shuffle is a power of two up to {WARP}, not {self.segment}")
        if any(not 0 <= offset < WARP for offset in self.offsets):
            raise InputError(f"an offset of a shuffle is 0 to {WARP - 1}")

    def read_by(self, lane: int, offset: int) -> int:
        """The lane that a shuffle reads: its own where the other is out of range."""
        last = lane - lane % self.segment + self.segment - 1
        other = lane ^ offset if self.mode == "bfly" else lane + offset
        return other if other <= last else lane


def butterfly(lanes: int) -> tuple[int, ...]:
    """The offsets that combine a power of two of lanes: half of them, then half of that, to 1.

    >>> butterfly(32), butterfly(1)
    ((16, 8, 4, 2, 1), ())
    """
    return tuple(1 << bit for bit in reversed(range((lanes - 1).bit_length())))


def combine(shuffles: Shuffles, start: Sequence[Combined] | None = None) -> list[Combined]:
    """What every lane holds after the steps: of each lane, how often.

    >>> combine(Shuffles((1,), group=2))[3]
    Counter({3: 1, 2: 1})
    """
    held = [Counter({lane: 1}) for lane in range(WARP)] if start is None else list(start)
    for offset in shuffles.offsets:
        held = [held[lane] + held[shuffles.read_by(lane, offset)] for lane in range(WARP)]
    return held


def decide_shuffles(shuffles: Shuffles) -> list[Obligation]:
    """Whether every group ends with each of its lanes once, in all of its lanes or (``down``) in its first.

    >>> [o.verdict.value for o in decide_shuffles(Shuffles(butterfly(32)))]
    ['proved', 'proved']
    >>> decide_shuffles(Shuffles((16, 8, 4, 1)))[1].reason
    'lane 0 ends without lane 2'
    >>> decide_shuffles(Shuffles((16, 8, 4, 2, 2, 1)))[1].reason
    'lane 0 ends with lane 0 combined 2 times'
    """
    return [_active(shuffles), _group(GROUP, shuffles, combine(shuffles), "lane")]


def _active(shuffles: Shuffles, rule: Rule = ACTIVE) -> Obligation:
    for step, offset in enumerate(shuffles.offsets):
        for lane in range(shuffles.lanes):
            other = shuffles.read_by(lane, offset)
            if other >= shuffles.lanes:
                values = {"step": step, "offset": offset, "lane": lane, "read": other}
                return rule.refuted(
                    f"step {step}, by {offset}: lane {lane} reads lane {other}, and {shuffles.lanes} take part",
                    Witness("inactive", values),
                    "enumeration",
                )
    return rule.holds(f"every lane reads one of the {shuffles.lanes}", "enumeration")


def _group(rule: Rule, shuffles: Shuffles, held: list[Combined], what: str) -> Obligation:
    for lane in range(0, shuffles.lanes, 1 if shuffles.mode == "bfly" else shuffles.group):
        first = lane - lane % shuffles.group
        wanted = range(first, min(first + shuffles.group, shuffles.lanes))
        for other in sorted({*wanted, *held[lane]}):
            times, due = held[lane][other], int(other in wanted)
            if times != due:
                found = f"without {what} {other}" if not times else f"with {what} {other} combined {_times(times)}"
                if times and not due:
                    found += ", which is of another group"
                return rule.refuted(
                    f"lane {lane} ends {found}",
                    Witness("combined", {"lane": lane, "of": other, "expected": due, "got": times}),
                    "enumeration",
                )
    return rule.holds(f"each of {min(shuffles.group, shuffles.lanes)} once", f"enumeration ({WARP} lanes)")


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


@dataclass(frozen=True)
class BlockReduction:
    """A reduction of a block: of each warp by ``shuffles``, then through ``slots`` words of shared memory by one warp.

    ``warps`` write their partial to slot (warp mod ``slot_modulus``, all their own if None), after which, past a
    ``barrier``, lane i of one warp reads slot i when i < ``guard`` and takes the identity otherwise; ``last`` combines.
    """

    shuffles: Shuffles
    warps: int
    last: Shuffles
    slots: int
    guard: int
    slot_modulus: int | None = None
    barrier: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.warps <= WARP:
            raise InputError(f"a block has 1 to {WARP} warps")
        if not 0 <= self.guard <= WARP or self.slots < 0:
            raise InputError(f"one warp reads at most {WARP} slots")

    def slot(self, warp: int) -> int:
        """The slot that a warp writes."""
        return warp if self.slot_modulus is None else warp % self.slot_modulus


def block_reduction(warps: int) -> BlockReduction:
    """The usual reduction of a block; the last step runs over a whole power of two of lanes.

    >>> block_reduction(3).last.offsets
    (2, 1)
    """
    width = 1 << (warps - 1).bit_length()
    return BlockReduction(Shuffles(butterfly(WARP)), warps, Shuffles(butterfly(width), width), warps, warps)


def decide_reduction(block: BlockReduction) -> list[Obligation]:
    """Whether lane 0 of the last warp ends with every lane of every warp exactly once.

    >>> all(o.verdict.value == "proved" for warps in (1, 3, 8, 32) for o in decide_reduction(block_reduction(warps)))
    True
    """
    last = block.last
    held: list[Combined] = []
    for lane in range(WARP):
        written = [warp for warp in range(block.warps) if block.slot(warp) == lane] if lane < block.slots else []
        held.append(Counter({written[-1]: 1}) if written and lane < block.guard else Counter())
    final = Counter(combine(last, held)[0])
    own = decide_shuffles(block.shuffles)
    return [*own, _slots(block), _sync(block), _reads(block), _active(last, LAST_ACTIVE), _last(block, final)]


def _slots(block: BlockReduction) -> Obligation:
    owner: dict[int, int] = {}
    for warp in range(block.warps):
        slot = block.slot(warp)
        if slot >= block.slots:
            return SLOTS.refuted(
                f"warp {warp} writes slot {slot} of {block.slots}", Witness("slot", {"warp": warp, "slot": slot})
            )
        if slot in owner:
            values = {"warp": owner[slot], "other": warp, "slot": slot}
            return SLOTS.refuted(f"warps {owner[slot]} and {warp} both write slot {slot}", Witness("slot", values))
        owner[slot] = warp
    return SLOTS.holds(f"{block.warps} warps write {block.warps} slots", "enumeration")


def _sync(block: BlockReduction) -> Obligation:
    if block.barrier or block.warps == 1:
        return SYNC.holds("there is one" if block.barrier else "one warp reads what it wrote", "definition")
    return SYNC.refuted(
        "the last warp may read slot 1 before warp 1 has written it",
        Witness("order", {"warp": 1, "slot": 1}),
        "definition",
    )


def _reads(block: BlockReduction) -> Obligation:
    written = {block.slot(warp) for warp in range(block.warps)}
    wrong = next((lane for lane in range(block.guard) if lane not in written or lane >= block.slots), None)
    if wrong is None:
        return READS.holds(f"lanes 0 to {block.guard - 1} read, the others take the identity", "enumeration")
    return READS.refuted(
        f"lane {wrong} reads slot {wrong}, which nobody wrote",
        Witness("slot", {"lane": wrong, "slot": wrong}),
        "enumeration",
    )


def _last(block: BlockReduction, final: Combined) -> Obligation:
    for warp in range(block.warps):
        if final[warp] != 1:
            found = f"combined {_times(final[warp])}" if final[warp] else "left out"
            return BLOCK.refuted(
                f"the partial of warp {warp} is {found}",
                Witness("combined", {"lane": 0, "of": warp, "expected": 1, "got": final[warp]}),
                "enumeration",
            )
    return BLOCK.holds(f"each of {block.warps} partials once", f"enumeration ({block.warps} warps)")
