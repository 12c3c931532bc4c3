"""What answers cost, as ratios measured in the same run.

Every input is a fresh layout that is timed once with each tool, in alternating order, so that neither a cache nor a
busy machine decides. tensor-layouts, which is Python alone, is imported into this process for that: from here, or from
where `make oracles` put it.
"""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from math import prod
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import veritile
from tests.oracles import peers

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Figure:
    """One measured number beside what it is to reach: ``at most`` or ``at least`` the goal."""

    name: str
    measured: float | None
    unit: str
    goal: float
    better: str = "at most"
    detail: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None where nothing was measured."""
        if self.measured is None:
            return None
        return self.measured <= self.goal if self.better == "at most" else self.measured >= self.goal


# --------------------------------------------------------------------------------------------------------------------
# Composition


def realistic_compositions(count: int, seed: int) -> list[tuple[Any, Any]]:
    """Pairs as kernels have them: A of four to eight modes and at most 2^20 elements, B a tile, a thread-value or a
    transposed view of it, with strides at the boundaries of A's modes."""
    rng = Random(seed)
    pairs: list[tuple[Any, Any]] = []
    while len(pairs) < count:
        sizes = [rng.choice((2, 2, 4, 4, 8, 8, 16, 3)) for _ in range(rng.randint(4, 8))]
        if prod(sizes) > 1 << 20:
            continue
        order = list(range(len(sizes)))
        rng.shuffle(order)
        strides, unit = [0] * len(sizes), 1
        for mode in order:
            strides[mode] = unit
            unit *= sizes[mode]
        if rng.random() < 0.2:
            strides[rng.randrange(len(sizes))] = 0
        a = _halves(sizes), _halves(strides)
        chosen = rng.sample(range(len(sizes)), rng.randint(2, min(4, len(sizes))))
        pairs.append((a, (tuple(sizes[m] for m in chosen), tuple(prod(sizes[:m]) for m in chosen))))
    return pairs


def _halves(modes: list[int]) -> tuple[Any, Any]:
    half = len(modes) // 2
    return tuple(modes[:half]), tuple(modes[half:])


def time_compositions(pairs: list[tuple[Any, Any]], tools: list[tuple[Any, Any]]) -> list[list[int | None]]:
    """Nanoseconds of one composition for each pair and tool ``(Layout, compose)``; None where the tool refuses."""
    times: list[list[int | None]] = []
    gc.collect()
    gc.disable()
    try:
        for turn, (a, b) in enumerate(pairs):
            row: list[int | None] = [None] * len(tools)
            for which in range(len(tools)) if turn % 2 else reversed(range(len(tools))):
                make, compose = tools[which]
                one, other = make(*a), make(*b)
                start = time.perf_counter_ns()
                try:
                    compose(one, other)
                except Exception:  # noqa: BLE001 - a refusal is not timed
                    continue
                row[which] = time.perf_counter_ns() - start
            times.append(row)
    finally:
        gc.enable()
    return times


@cache
def tensor_layouts(python: str | None = None) -> Any:
    """The tensor-layouts package, or None: from this environment, or from that of other people's tools."""
    try:
        return importlib.import_module("tensor_layouts")
    except ImportError:
        pass
    code = "import tensor_layouts, os; print(os.path.dirname(os.path.dirname(tensor_layouts.__file__)))"
    asked = subprocess.run([peers.interpreter(python), "-c", code], capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        return None
    sys.path.append(asked.stdout.strip())
    try:
        return importlib.import_module("tensor_layouts")
    finally:
        sys.path.pop()


def composition_figure(count: int, seed: int, python: str | None = None) -> Figure:
    """The median over realistic inputs of veritile's time, validation included, over tensor-layouts' without one."""
    name, unit = "composition, validated, over tensor-layouts' compose", "×"
    other = tensor_layouts(python)
    if other is None:
        return Figure(name, None, unit, 1.0, detail="tensor-layouts is not installed")
    tools = [(veritile.Layout, veritile.composition), (other.Layout, other.compose)]
    time_compositions(realistic_compositions(50, seed + 1), tools)
    pairs = realistic_compositions(count, seed)
    both = [(ours, theirs) for ours, theirs in time_compositions(pairs, tools) if ours and theirs]
    ratio = median(ours / theirs for ours, theirs in both)
    ours, theirs = median(o for o, _ in both), median(t for _, t in both)
    detail = f"{ours / 1e3:.0f} µs against {theirs / 1e3:.0f} µs; {len(both)} inputs of 4 to 8 modes, to 2^20 elements"
    return Figure(name, ratio, unit, 1.0, detail=detail)


# --------------------------------------------------------------------------------------------------------------------
# Properties


def structured(bits: int, count: int, seed: int) -> list[tuple[Any, Any]]:
    """Bijective layouts of 2^bits elements with ten modes, in shuffled order."""
    rng = Random(seed)
    made = []
    for _ in range(count):
        cuts = sorted(rng.sample(range(1, bits), 9)) if bits > 10 else list(range(1, 10))
        sizes = [1 << (high - low) for low, high in zip([0, *cuts], [*cuts, bits], strict=True)]
        order = list(range(10))
        rng.shuffle(order)
        strides, unit = [0] * 10, 1
        for mode in order:
            strides[mode] = unit
            unit *= sizes[mode]
        made.append((_halves(sizes), _halves(strides)))
    return made


def time_property(decide: Callable[[Any], Any], layouts: list[Any]) -> float:
    """The median time of a question, in seconds; each layout is asked once."""
    times = []
    for layout in layouts:
        start = time.perf_counter_ns()
        assert decide(layout) is True
        times.append(time.perf_counter_ns() - start)
    return median(times) / 1e9


def property_figures(seed: int, python: str | None = None, others: bool = True) -> list[Figure]:
    """Injective and bijective: 2^60 against 2^10 elements, and against tensor-layouts at 2^20."""
    figures = []
    for name in ("is_injective", "is_bijective"):
        decide = getattr(veritile, name)
        time_property(decide, [veritile.Layout(*pair) for pair in structured(20, 50, seed + 1)])
        cost = {
            bits: time_property(decide, [veritile.Layout(*pair) for pair in structured(bits, 200, seed)])
            for bits in (10, 20, 60)
        }
        figures.append(
            Figure(
                f"{name} at 2^60 over 2^10 elements",
                cost[60] / cost[10],
                "×",
                1.25,
                detail=", ".join(f"2^{bits} {seconds * 1e6:.0f} µs" for bits, seconds in cost.items()),
            )
        )
        label, unit = f"tensor-layouts' {name} over veritile's at 2^20", "×"
        other = tensor_layouts(python) if others else None
        if other is None:
            detail = "tensor-layouts is not installed" if others else "not asked"
            figures.append(Figure(label, None, unit, 1000, "at least", detail))
            continue
        analysis = importlib.import_module("tensor_layouts.analysis")
        theirs = time_property(getattr(analysis, name), [other.Layout(*pair) for pair in structured(20, 1, seed)])
        figures.append(Figure(label, theirs / cost[20], unit, 1000, "at least", f"{theirs:.1f} s there"))
    return figures


# --------------------------------------------------------------------------------------------------------------------
# The command


def command() -> list[str]:
    """The ``veritile`` command of this interpreter."""
    script = Path(sys.executable).with_name("veritile")
    return [str(script)] if script.exists() else [sys.executable, "-m", "veritile"]


def start_figure(times: int = 9) -> Figure:
    """The median wall time of one composition from a cold shell, and what an empty interpreter takes."""
    question = [*command(), "compose", "(4,6,8,10):(2,3,5,7)", "6:12"]
    walls: list[float] = []
    empty: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        done = subprocess.run(question, capture_output=True, check=False)
        walls.append(time.perf_counter() - start)
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            return Figure("veritile compose, cold", None, "s", 0.3, detail=f"exit {done.returncode}: {' '.join(last)}")
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        empty.append(time.perf_counter() - start)
    ratio = median(walls) / median(empty)
    detail = f"{ratio:.1f} × an empty interpreter ({median(empty):.3f} s); median of {times}"
    return Figure("veritile compose, cold", median(walls), "s", 0.3, detail=detail)


def prove_figures() -> list[Figure]:
    """Wall time and peak memory (its processes together, and the largest alone) of ``veritile prove``."""
    names = ("veritile prove, wall", "veritile prove, peak memory")
    start = time.perf_counter()
    process = subprocess.Popen([*command(), "prove"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    together = 0
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        together = max(together, resident(process.pid))
        time.sleep(0.05)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        detail = f"exit {process.returncode} after {wall:.1f} s"
        return [Figure(names[0], None, "s", 60, detail=detail), Figure(names[1], None, "MiB", 1024, detail=detail)]
    alone = usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    peak = max(together / (1 << 20), alone)
    return [
        Figure(names[0], wall, "s", 60, detail=f"user {usage.ru_utime:.1f} s, {os.cpu_count()} cores"),
        Figure(names[1], peak, "MiB", 1024, detail=f"largest process {alone:.0f} MiB"),
    ]


def resident(root: int) -> int:
    """Resident bytes of a process and all that it started, as Linux tells; zero elsewhere."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
            pages[int(entry.name)] = int(fields[21])
        except (OSError, IndexError, ValueError):
            continue
    total = 0
    for pid in pages:
        above = pid
        while above in parents and above != root:
            above = parents[above]
        if above == root:
            total += pages[pid]
    return total * os.sysconf("SC_PAGE_SIZE")


# --------------------------------------------------------------------------------------------------------------------
# All of it


def run(
    scale: float = 1.0, seed: int = 1, python: str | None = None, prove: bool = True, others: bool = True
) -> list[Figure]:
    """Every figure; ``scale`` says how many inputs are timed."""
    figures = [composition_figure(max(100, round(2000 * scale)), seed, python)]
    figures += property_figures(seed, python, others)
    figures.append(start_figure())
    if prove:
        figures += prove_figures()
    return figures


def table(figures: list[Figure]) -> str:
    """The figures as a Markdown table."""
    lines = [["figure", "measured", "to reach", "met", ""], ["---", "---:", "---:", "---", "---"]]
    for f in figures:
        measured = "not measured" if f.measured is None else f"{f.measured:,.3g} {f.unit}"
        if f.measured is not None and f.measured >= 1000:
            measured = f"{f.measured:,.0f} {f.unit}"
        met = {None: "–", True: "yes", False: "no"}[f.met]
        lines.append([f.name, measured, f"{f.better} {f.goal:,g} {f.unit}", met, f.detail])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def as_data(figures: list[Figure]) -> list[dict[str, Any]]:
    """The figures, JSON-ready."""
    return [{**asdict(f), "met": f.met} for f in figures]
