"""The laboratory: refuted layouts run on purpose, and the wrong result predicted element by element.

A refutation is worth as much as the machine agrees with it. Each specimen takes layouts that a contract or a definition
refutes, says which obligation falls and with which witness, and predicts every element of the buffer that the kernel
leaves behind, the wrong ones and the untouched ones alike. The kernels here take no certificate, for there is none;
they are reachable from nowhere else and write only into guarded buffers of their own.

    python -m veritile.kernels.laboratory --json OUT       on a GPU, in guarded buffers
    python -m veritile.kernels.laboratory --emulate        thread by thread in NumPy
    python -m veritile.kernels.laboratory --compile sm_90a compiled, not run
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..model.complement import complement
from ..model.composed import ComposedLayout
from ..model.coordinate import as_coordinate
from ..model.divide import logical_divide
from ..model.errors import Refuted, VeritileError
from ..model.layout import Layout
from ..model.notation import layout, parse
from ..model.properties import size
from ..model.swizzle import Swizzle
from ..proofs.contracts import banks, ownership, predicates
from ..proofs.contracts.obligation import Obligation
from ..proofs.verdict import Verdict
from . import evaluate
from .build import Operand, build
from .lower import Host, dsl_layout, dsl_type

NAME = "the laboratory"
POISON = -1
"""What a poisoned element of 32 or 64 bits holds: every byte 0xFF."""


@dataclass(frozen=True)
class Specimen:
    """A refuted layout, and what a kernel on it leaves behind.

    ``right`` is what a right kernel would leave, ``predicted`` what this one does, both whole buffers; ``emulated``
    walks the kernel thread by thread; ``obligation`` names what is refuted and ``witness`` shows it.
    """

    name: str
    fault: str
    obligation: str
    witness: dict[str, Any]
    operands: tuple[Operand, ...]
    arrays: dict[str, Any] = field(repr=False)
    right: Any = field(repr=False)
    predicted: Any = field(repr=False)
    emulated: Callable[[], Any] = field(repr=False)
    host: Callable[[], Host] = field(repr=False)

    @property
    def written(self) -> str:
        """The operand that the prediction is of."""
        return next(operand.name for operand in self.operands if operand.written)

    def compare(self, found: Any) -> dict[str, Any]:
        """What was found beside what was predicted, element by element."""
        import numpy as np

        off = np.flatnonzero(found != self.predicted)
        told: dict[str, Any] = {
            "specimen": self.name,
            "fault": self.fault,
            "obligation": self.obligation,
            "witness": self.witness,
            "elements": len(self.predicted),
            "wrong_as_predicted": int((self.predicted != self.right).sum()),
            "off": len(off),
            "holds": len(off) == 0 and bool((self.predicted != self.right).any()),
        }
        if len(off):
            at = int(off[0])
            told["first_off"] = {"at": at, "predicted": int(self.predicted[at]), "found": int(found[at])}
        return told


def _refuted(obligations: list[Obligation]) -> tuple[str, dict[str, Any]]:
    """The first refuted obligation's name and witness; a specimen that nothing refutes is a mistake of this file."""
    one = next((o for o in obligations if o.verdict is Verdict.REFUTED), None)
    if one is None or one.witness is None:
        raise VeritileError("nothing refutes this specimen")
    return one.name, json.loads(json.dumps(one.witness.as_dict(), default=str))


# Findings about CuTe DSL 4.8.1: what its operations give, evaluated on the device beside the definition.

COMPOSITIONS = (
    ("(4,6,8):(2,3,5)", "6:3", "(2,3):(6,3)"),
    ("(6,2):(1,7)", "(3,2):(2,3)", "(3,2):(2,3)"),
    ("(8,4,5):(6,1,9)", "(5,6):(1,4)", "(5,(2,3)):(6,(24,1))"),
    ("(5,7):(10,6)", "(2,4):(3,4)", "(2,(2,2)):(30,(40,6))"),
    ("(4,6,5):(1,6,10)", "(4,2):(3,4)", "((2,2),2):((3,6),6)"),
    ("(2,6,6):(4,10,2)", "(4,4):(2,8)", "(4,(2,2)):(10,(40,2))"),
    ("(5,7,5):(4,12,7)", "(6,6):(5,4)", "(6,(2,3)):(12,(16,12))"),
    ("(7,8,7):(11,3,2)", "(6,4):(7,6)", "(6,(2,2)):(3,(66,3))"),
    ("(8,7,5):(1,12,9)", "(2,4):(6,2)", "(2,4):(6,2)"),
    ("(7,7,6):(1,6,7)", "(4,2):(2,2)", "(4,2):(2,2)"),
)
"""A, B, and what CuTe DSL 4.8.1 gives for A∘B: ``measured``. The definition has another value somewhere."""
OTHERS: tuple[tuple[str, tuple[str | int, ...], str], ...] = (
    ("complement", ("(2,3):(1,3)", 18), "2:9"),
    ("complement", ("(2,2):(1,3)", 12), "2:6"),
    ("logical_divide", ("24:1", "(2,2):(1,3)"), "((2,2),4):((1,3),6)"),
)
"""Operation, operands, and what CuTe DSL 4.8.1 gives: ``measured``; no complement tiles, or elements are lost."""


def composed(a: Layout, b: Layout) -> list[int]:
    """A(B(i)) for every i: the definition, whether a layout has these values or not."""
    return [int(a(as_coordinate(b(i), a.shape))) for i in range(size(b))]


def finding(operation: str, operands: tuple[str | int, ...], said: str) -> Specimen:
    """A layout operation of CuTe DSL whose result is wrong: the device evaluates what the DSL makes of it.

    >>> one = finding("composition", COMPOSITIONS[0][:2], COMPOSITIONS[0][2])
    >>> one.right.tolist(), one.predicted.tolist(), one.witness["index"]
    ([0, 6, 7, 8, 9, 15], [0, 6, 3, 9, 6, 12], 2)
    """
    import numpy as np

    given = tuple(layout(one) if isinstance(one, str) else one for one in operands)
    wrong = layout(said)
    predicted = np.array([int(wrong(i)) for i in range(size(wrong))], np.int64)
    right = _right(operation, given, len(predicted))
    at = int(np.flatnonzero(right != predicted)[0])
    plan = evaluate.plan_evaluate((evaluate.Item(wrong, "integral", operation, given),))

    def emulated() -> Any:
        return evaluate.emulate(plan)[0]

    witness = {"kind": "difference", "index": at, "expected": int(right[at]), "got": int(predicted[at])}
    return Specimen(
        f"{operation} {' '.join(map(str, operands))}",
        f"CuTe DSL 4.8.1 gives {said}",
        f"definition of {operation}",
        witness,
        evaluate.operands(plan),
        {"parameters": evaluate.parameters(plan)},
        right,
        predicted,
        emulated,
        lambda: evaluate.host(plan),
    )


def _right(operation: str, given: tuple[Any, ...], count: int) -> Any:
    """The values that the definition gives, -1 where it gives none: there is no such result, or it is shorter."""
    import numpy as np

    values: list[int] = []
    if operation == "composition":
        values = composed(*given)
    else:
        try:
            made = complement(*given) if operation == "complement" else logical_divide(*given)
            values = [int(made(i)) for i in range(size(made))]
        except Refuted:
            values = []
    return np.array([*values, *([POISON] * count)][:count], np.int64)


# Planted faults.


def doubled(name: str, fault: str, tv: Layout, tile: int, slack: int = 32) -> Specimen:
    """x ← 2x over a tile of ``tile`` elements by a thread–value map that owns some twice, none, or outside ones.

    Threads take turns, so that the result is one: an element that k pairs own becomes 2^k·x.

    >>> one = doubled("overlap", "threads 4 apart own 8 elements each", layout("(8,8):(4,1)"), 36)
    >>> one.obligation, int((one.predicted != one.right).sum())
    ('ownership.once', 28)
    """
    import numpy as np

    name_, witness = _refuted(ownership.decide_ownership(tv, tile))
    threads, values = size(tv[0]), size(tv[1])
    x = (np.arange(tile + slack, dtype=np.int32) + 1) * 3
    owned = [int(tv((t, v))) for t in range(threads) for v in range(values)]
    if max(owned) >= tile + slack or min(owned) < 0:
        raise VeritileError(f"{tv} leaves the buffer of {tile + slack} elements")
    times = np.bincount(owned, minlength=tile + slack)
    right = np.where(np.arange(tile + slack) < tile, 2 * x, x).astype(np.int32)
    predicted = (x * 2**times).astype(np.int32)

    def emulated() -> Any:
        found = x.copy()
        for t in range(threads):
            for v in range(values):
                found[tv((t, v))] *= 2
        return found

    def host() -> Host:
        import cutlass
        import cutlass.cute as cute

        @cute.kernel  # type: ignore[untyped-decorator]
        def doubling_kernel(buffer: cute.Tensor):  # type: ignore[no-untyped-def]
            thread, _, _ = cute.arch.thread_idx()
            mapping = dsl_layout(tv)
            for turn in cutlass.range(threads, unroll=1):
                if thread == turn:
                    for value in cutlass.range_constexpr(values):
                        at = mapping((thread, value))
                        buffer[at] = buffer[at] + buffer[at]
                cute.arch.sync_threads()

        @cute.jit  # type: ignore[untyped-decorator]
        def doubling_host(buffer: cute.Pointer, stream):  # type: ignore[no-untyped-def]
            doubling_kernel(cute.make_tensor(buffer, cute.make_layout(tile + slack))).launch(
                grid=[1, 1, 1], block=[threads, 1, 1], stream=stream
            )

        return doubling_host

    operand = Operand("x", "i32", tile + slack, 16, True)
    return Specimen(name, fault, name_, witness, (operand,), {"x": x}, right, predicted, emulated, host)


def overrun(rows: int = 8, columns: int = 100, vector: int = 8, ld: int = 128) -> Specimen:
    """A ragged row copied by vectors whose predicate looks at their first element: the last one runs over.

    The columns that a row has not are padding of the destination, poisoned; the last vector of every row writes there
    what the source holds beyond its row.

    >>> one = overrun()
    >>> one.obligation, one.witness["coordinate"], int((one.predicted != one.right).sum())
    ('predicates.inside', [100], 32)
    """
    import numpy as np

    name, witness = _refuted(predicates.decide_predicates(predicates.Guard((columns,), (ld,), vector)))
    across = ld // vector
    tv = Layout(((across, rows), vector), ((vector, ld), 1))
    source = np.arange(rows * ld, dtype=np.int32) * 7 + 1
    column = np.arange(rows * ld) % ld
    right = np.where(column < columns, source, POISON).astype(np.int32)
    reached = -(-columns // vector) * vector
    predicted = np.where(column < reached, source, POISON).astype(np.int32)
    threads = across * rows

    def emulated() -> Any:
        found = np.full(rows * ld, POISON, np.int32)
        for t in range(threads):
            if tv((t, 0)) % ld < columns:
                for v in range(vector):
                    found[tv((t, v))] = source[tv((t, v))]
        return found

    def host() -> Host:
        import cutlass.cute as cute

        kind = dsl_type("i32")

        @cute.kernel  # type: ignore[untyped-decorator]
        def overrun_kernel(given: cute.Tensor, found: cute.Tensor):  # type: ignore[no-untyped-def]
            thread, _, _ = cute.arch.thread_idx()
            mapping = dsl_layout(tv)
            taken, put = cute.composition(given, mapping), cute.composition(found, mapping)
            held = cute.make_rmem_tensor(vector, kind)
            if mapping((thread, 0)) % ld < columns:
                cute.autovec_copy(taken[thread, None], held)
                cute.autovec_copy(held, put[thread, None])

        @cute.jit  # type: ignore[untyped-decorator]
        def overrun_host(given: cute.Pointer, found: cute.Pointer, stream):  # type: ignore[no-untyped-def]
            flat = cute.make_layout(rows * ld)
            overrun_kernel(cute.make_tensor(given, flat), cute.make_tensor(found, flat)).launch(
                grid=[1, 1, 1], block=[threads, 1, 1], stream=stream
            )

        return overrun_host

    count = rows * ld
    operands = (Operand("source", "i32", count, 16), Operand("destination", "i32", count, 16, True, False))
    told = f"vectors of {vector} over rows of {columns}, their first element tested"
    return Specimen("predicate", told, name, witness, operands, {"source": source}, right, predicted, emulated, host)


def unit(elements: str = "S<3,3,3>", read: str = "S<3,4,3>", rows: int = 16, columns: int = 64) -> Specimen:
    """A tile written through a swizzle of elements and read through the one that is meant for bytes.

    What is read at i lies where the writer put j: R(i) = W(j), so that the result is x(W⁻¹(R(i))).

    >>> one = unit()
    >>> one.obligation, int((one.predicted != one.right).sum())
    ('definition of the swizzle', 768)
    """
    import numpy as np

    tile = Layout((rows, columns), (columns, 1))
    write, got = (ComposedLayout(_swizzle(text), 0, tile) for text in (elements, read))
    count = rows * columns
    places = np.array([write(i) for i in range(count)]), np.array([got(i) for i in range(count)])
    if sorted(places[0]) != list(range(count)) or sorted(places[1]) != list(range(count)):
        raise VeritileError(f"{write} and {got} do not fill the tile")
    x = np.arange(count, dtype=np.int32) * 5 + 2
    inverse = np.empty(count, int)
    inverse[places[0]] = np.arange(count)
    predicted = x[inverse[places[1]]]
    at = int(np.flatnonzero(places[0] != places[1])[0])
    witness = {"kind": "difference", "index": at, "expected": int(places[0][at]), "got": int(places[1][at])}
    threads = 128

    def emulated() -> Any:
        memory, found = {}, np.empty(count, np.int32)
        for t in range(threads):
            for i in range(t, count, threads):
                memory[int(write(i))] = x[i]
        for t in range(threads):
            for i in range(t, count, threads):
                found[i] = memory[int(got(i))]
        return found

    def host() -> Host:
        import cutlass
        import cutlass.cute as cute

        kind = dsl_type("i32")

        @cute.kernel  # type: ignore[untyped-decorator]
        def unit_kernel(given: cute.Tensor, found: cute.Tensor):  # type: ignore[no-untyped-def]
            thread, _, _ = cute.arch.thread_idx()
            words = cute.recast_ptr(cutlass.memory.SmemAllocator().allocate(4 * count, 1024), dtype=kind)
            into = cute.make_tensor(words, dsl_layout(write))
            out = cute.make_tensor(words, dsl_layout(got))
            for step in cutlass.range_constexpr(count // threads):
                into[thread + step * threads] = given[thread + step * threads]
            cute.arch.sync_threads()
            for step in cutlass.range_constexpr(count // threads):
                found[thread + step * threads] = out[thread + step * threads]

        @cute.jit  # type: ignore[untyped-decorator]
        def unit_host(given: cute.Pointer, found: cute.Pointer, stream):  # type: ignore[no-untyped-def]
            flat = cute.make_layout(count)
            unit_kernel(cute.make_tensor(given, flat), cute.make_tensor(found, flat)).launch(
                grid=[1, 1, 1], block=[threads, 1, 1], stream=stream
            )

        return unit_host

    operands = (Operand("source", "i32", count, 16), Operand("destination", "i32", count, 16, True, False))
    told = f"written through {elements} of elements, read through {read}"
    return Specimen(
        *("swizzle unit", told, "definition of the swizzle", witness, operands),
        {"source": x},
        x.copy(),
        predicted,
        emulated,
        host,
    )


def _swizzle(text: str) -> Swizzle:
    found = parse(text)
    assert isinstance(found, Swizzle)
    return found


def specimens() -> list[Specimen]:
    """Every specimen, the tool's findings first."""
    made = [finding("composition", (a, b), said) for a, b, said in COMPOSITIONS]
    made += [finding(*other) for other in OTHERS]
    made += [
        doubled("overlap", "threads 4 apart own 8 elements each", layout("(8,8):(4,1)"), 36),
        doubled("overlap of modes", "a mode steps by 64 for 128", layout("((8,4),(4,2)):((16,1),(4,64))"), 256),
        doubled("missed", "every second element is nobody's", layout("(32,4):(8,2)"), 256),
        doubled("outside", "the last thread's values leave the tile", layout("(8,8):(8,1)"), 60),
        overrun(),
        overrun(columns=97, vector=4),
        unit(),
        unit("S<2,3,3>", "S<2,4,3>", 16, 32),
    ]
    return made


# Bank conflicts: the predicted degree beside the cycles that a load takes.


@dataclass(frozen=True)
class Conflict:
    """Warps that read columns of words of a 32 × 32 tile, again and again; ``degree`` is predicted, 1 for none.

    All warps of a CTA keep shared memory busy, so that a warp's load takes as many cycles as the busiest bank is asked
    for words: what a multiprocessor's clock counts, and a counter where the machine has one.
    """

    name: str
    layout: Layout | ComposedLayout
    warps: int = 32
    repeats: int = 256

    @property
    def degree(self) -> int:
        """Words that the busiest bank is asked for at once, by the contract on banks."""
        return banks.degree_of(banks.Access(layout("(32,1):(1,32)"), self.layout, 32, 1))

    @property
    def loads(self) -> int:
        """Loads of all warps: every column, ``repeats`` times."""
        return 32 * self.warps * self.repeats

    def operands(self) -> tuple[Operand, ...]:
        """One sum a thread, and the cycles that the loads took."""
        return (
            Operand("sums", "i32", 32 * self.warps, 4, True, False),
            Operand("cycles", "i64", 1, 8, True, False),
        )

    def host(self) -> Host:
        """Each lane reads its word of every column and adds it up, between two readings of the clock."""
        import cutlass
        import cutlass.cute as cute

        kind = dsl_type("i32")
        threads = 32 * self.warps

        @cute.kernel  # type: ignore[untyped-decorator]
        def conflict_kernel(sums: cute.Tensor, cycles: cute.Tensor):  # type: ignore[no-untyped-def]
            thread, _, _ = cute.arch.thread_idx()
            lane = thread % 32
            words = cute.recast_ptr(cutlass.memory.SmemAllocator().allocate(4096, 1024), dtype=kind)
            place = dsl_layout(self.layout)
            if thread < 32:
                for step in cutlass.range_constexpr(32):
                    words[cute.crd2idx((lane, step), place)] = cutlass.Int32(1)
            cute.arch.sync_threads()
            begun = cute.arch.clock64()
            total = cutlass.Int32(0)
            for _ in cutlass.range(self.repeats, unroll=1):
                for step in cutlass.range_constexpr(32):
                    # Relaxed: each word is read for itself, and again, not four at once where a lane's lie together.
                    word = words + cute.crd2idx((lane, step), place)
                    total = total + cute.arch.load(word, kind, sem="relaxed", scope="cta", ss="cta")
            cute.arch.sync_threads()
            ended = cute.arch.clock64()
            sums[thread] = total
            if thread == 0:
                cycles[0] = ended - begun

        @cute.jit  # type: ignore[untyped-decorator]
        def conflict_host(sums: cute.Pointer, cycles: cute.Pointer, stream):  # type: ignore[no-untyped-def]
            conflict_kernel(
                cute.make_tensor(sums, cute.make_layout(threads)), cute.make_tensor(cycles, cute.make_layout(1))
            ).launch(grid=[1, 1, 1], block=[threads, 1, 1], stream=stream)

        return conflict_host


def conflicts() -> tuple[Conflict, Conflict, Conflict]:
    """A row-major tile read by columns, half as bad, and swizzled so that no two lanes meet.

    >>> [one.degree for one in conflicts()]
    [32, 2, 1]
    """
    rows = Layout((32, 32), (32, 1))
    return (
        Conflict("column of a row-major tile", rows),
        Conflict("swizzled by half", ComposedLayout(Swizzle(4, 0, 5), 0, rows)),
        Conflict("swizzled", ComposedLayout(Swizzle(5, 0, 5), 0, rows)),
    )


def replay(device: Any, specimen: Specimen) -> dict[str, Any]:
    """The specimen run on a device, in guarded buffers, and compared element by element."""
    from .launch import run

    built = build(specimen.host(), specimen.operands, device.architecture)
    return specimen.compare(run(device, built, specimen.operands, specimen.arrays)[specimen.written])


def measured(device: Any, runs: int = 5) -> list[dict[str, Any]]:
    """Cycles that a warp's load took in each layout, the least of a few runs, beside the degree that was predicted."""
    from .launch import run

    chosen = conflicts()
    spent = []
    for one in chosen:
        built = build(one.host(), one.operands(), device.architecture)
        found = [run(device, built, one.operands(), {}) for _ in range(runs)]
        if any((each["sums"] != 32 * one.repeats).any() for each in found):
            raise VeritileError(f"{one.name}: the sums are wrong")
        spent.append(min(int(each["cycles"][0]) for each in found) / one.loads)
    return [
        {
            "layout": str(one.layout),
            "name": one.name,
            "degree": one.degree,
            "cycles": cycles,
            "ratio": cycles / spent[-1],
        }
        for one, cycles in zip(chosen, spent, strict=True)
    ]


def emulations() -> list[dict[str, Any]]:
    """Every specimen walked thread by thread in NumPy, and compared with its prediction."""
    return [{**one.compare(one.emulated()), "by": "emulation"} for one in specimens()]


def compilations(architecture: str) -> list[dict[str, Any]]:
    """Every specimen and every conflict compiled for an architecture."""
    made = []
    for name, host, operands in (
        *((one.name, one.host, one.operands) for one in specimens()),
        *((one.name, one.host, one.operands()) for one in conflicts()),
    ):
        try:
            build(host(), operands, architecture)
            made.append({"specimen": name, "holds": True, "by": f"compiled for {architecture}"})
        except VeritileError as problem:
            made.append({"specimen": name, "holds": False, "reason": str(problem).splitlines()[0]})
    return made


def main(arguments: list[str] | None = None) -> int:
    """Replays every specimen; 0 when each is as predicted, 1 when one is not, 3 when there is no device."""
    parser = argparse.ArgumentParser(prog="python -m veritile.kernels.laboratory")
    parser.add_argument("--device", type=int, default=0, metavar="N")
    parser.add_argument("--emulate", action="store_true", help="in NumPy, without a device")
    parser.add_argument("--conflicts", action="store_true", help="conflicts alone, a launch each: for a profiler")
    parser.add_argument("--compile", metavar="SM", help="compile only, for this architecture")
    parser.add_argument("--json", metavar="OUT", help="write the results there")
    given = parser.parse_args(arguments)
    timed: list[dict[str, Any]] = []
    if given.emulate:
        results = emulations()
    elif given.compile:
        results = compilations(given.compile)
    else:
        from .launch import Device

        try:
            device = Device(given.device)
        except VeritileError as problem:
            print(f"no device: {str(problem).splitlines()[0]}", file=sys.stderr)
            return 3
        results = []
        for one in [] if given.conflicts else specimens():
            try:
                results.append({**replay(device, one), "by": device.name})
            except VeritileError as problem:
                results.append({"specimen": one.name, "holds": False, "reason": str(problem).splitlines()[0]})
        timed = measured(device, 1 if given.conflicts else 5)
    for result in results:
        told = f"{result['wrong_as_predicted']} of {result['elements']} wrong" if "elements" in result else ""
        print(
            "as predicted" if result["holds"] else "NOT PREDICTED", result["specimen"], told, result.get("reason", "")
        )
    for result in timed:
        told = f"{result['cycles']:6.2f} cycles a load, {result['ratio']:.2f} of the layout without a conflict"
        print(f"{result['degree']:>3}-way {told}: {result['name']}")
    if given.json:
        data = {"specimens": results, "conflicts": timed}
        Path(given.json).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0 if all(result["holds"] for result in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
