"""Kernels on a GPU: every row checked, then timed beside torch and cuBLAS in the same run.

    python bench/gpu.py --certify bundle.json    where the proofs are: certificates of all that is checked and timed
    python bench/gpu.py --bundle bundle.json     checks and times everything; one table of ratios last
    python bench/gpu.py --check 'copy/*'         rows whose title fits
    python bench/gpu.py --time copy gemm_sm90
    python bench/gpu.py --tune transpose         variants of a plan beside each other

Every kernel comes through the gate. With a bundle its certificates are all there are: what has none is not run.
Without one they are made here. Needs CuTe DSL, NumPy, CUDA's Python bindings and, for times, torch; no solver, and no
installed veritile: the rooms of this repository are linked into a folder of their own. Checks run in processes side by
side; what is timed holds a lock on the GPU. A process that dies or hangs loses its rows and says which.
"""

from __future__ import annotations

import argparse
import datetime
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("model", "smt", "proofs", "kernels", "reports")
ARCHITECTURE = "sm_90a"
PROCESSORS = 132
"""The H200's: what is certified and timed is meant for it."""
GIB = 1 << 30
CACHE = 1 << 26  # bytes; an H200's second-level cache holds 50 MB
COPIED = (("f32", 1), ("bf16", 1), ("f32", 4))
TRANSPOSED = (("f32", 16384, 16384), ("bf16", 32768, 16384))
GEMM_SIZES = (4096, 8192)
GEMM_TYPES = {"gemm_sm80": ("bf16", "f16"), "gemm_sm90": ("bf16", "f16", "e4m3")}
ROW_SIZES = (1024, 2048, 4096, 8192, 16384, 32768, 65536)
BUNDLE = "VERITILE_BUNDLE"
"""The environment's name for the bundle, as processes of this file are told of it."""
ROW_PAIRS = [(operation, name) for operation in ("softmax", "rmsnorm") for name in ("bf16", "f32")]
TARGETS = {
    "copy": 0.95,
    "transpose f32": 0.85,
    "transpose bf16": 0.75,
    "softmax": 0.90,
    "rmsnorm": 0.90,
    "gemm_sm90 bf16": 0.85,
    "gemm_sm80 bf16": 0.45,
}


def make_importable() -> None:
    """Links the rooms into a folder as ``veritile`` and puts it on the path, unless veritile is installed."""
    try:
        import veritile  # noqa: F401

        return
    except ImportError:
        pass
    folder = Path(tempfile.mkdtemp(prefix="veritile-links-"))
    (folder / "veritile").mkdir()
    for entry in (ROOT / "veritile").iterdir():
        (folder / "veritile" / entry.name).symlink_to(entry)
    for room in ROOMS:
        (folder / "veritile" / room).symlink_to(ROOT / room)
    sys.path.insert(0, str(folder))


def hints() -> list[dict[str, Any]]:
    """A variant for each thing that the second-level cache may be told of what is read."""
    from veritile.kernels.lower import EVICTION

    return [{"load": load} for load in EVICTION]


def failures() -> tuple[type[Exception], ...]:
    """What a plan, a compiler or torch may raise for a variant, which is then left out."""
    from veritile.model.errors import VeritileError

    return (VeritileError, RuntimeError, ValueError, TypeError)


def say(**fields: Any) -> None:
    """One JSON line on standard output, for the parent process."""
    print(json.dumps(fields), flush=True)


class Certificates:
    """Certificates by the digest of their plan: those of a bundle and no others, or made when they are asked for."""

    def __init__(self, bundle: str | None, architecture: str = ARCHITECTURE) -> None:
        from veritile.kernels.bundle import read_bundle

        self.architecture = architecture
        self.known: dict[str, Any] | None = None
        if bundle is not None:
            self.known = {str(e.certificate.get("digest")): e.certificate for e in read_bundle(bundle)}

    def kernel(self, module: Any, plan: Any) -> Any:
        """The kernel on a plan, through the gate; GateClosed where the bundle has no certificate of it."""
        from veritile.kernels.gate import GateClosed, admit
        from veritile.kernels.plans import certified
        from veritile.proofs.plan_certificate import certify_plan

        owed = certified(module, plan, self.architecture)
        if self.known is None:
            return admit(module.NAME, certify_plan(owed))
        if owed.digest not in self.known:
            raise GateClosed(f"the bundle has no certificate of this plan of {module.NAME}")
        return admit(module.NAME, self.known[owed.digest])


def check(patterns: list[str], bundle: str | None, jobs: int, limit: float) -> list[dict[str, Any]]:
    """Every row of the patterns that this GPU can run, each through the gate, in processes side by side."""
    from veritile.kernels.validation import run_tasks, tasks_of

    tasks = tasks_of(patterns, bundle=bundle, device=0, here=ARCHITECTURE)
    tasks = [task for task in tasks if task.get("device") is not None and task["title"].partition("/")[0] != "bench"]
    lines = []
    for task, answer in zip(tasks, run_tasks(tasks, jobs=jobs, seconds=limit), strict=True):
        if answer.pop("elsewhere", False):
            continue
        told = {"row": task["title"], "reason": answer["reason"], "worst": answer.get("worst", 0.0)}
        seconds = round(answer.get("time_ms", 0.0) / 1e3, 2)
        lines.append({"kind": "check", **told, "holds": answer["verdict"] == "proved", "seconds": seconds})
    return lines


def timed_plans() -> Iterator[tuple[str, Any, Any]]:
    """What is timed: a name, the kernel's module and its plan."""
    from veritile.kernels import copy, gemm_sm80, gemm_sm90, rowwise, transpose
    from veritile.kernels.element import element
    from veritile.model.layout import Layout

    for name, gib in COPIED:
        size = gib * GIB // element(name).bytes
        yield f"copy-{gib}GiB-{name}", copy, copy.plan_copy(Layout(size), Layout(size), name)
    for name, rows, columns in TRANSPOSED:
        yield f"transpose-{name}", transpose, transpose.plan_transpose(rows, columns, name)
    for operation, name in ROW_PAIRS:
        for columns in ROW_SIZES:
            plan = rowwise.plan_rowwise(operation, GIB // (columns * element(name).bytes), columns, name)
            yield f"{operation}-{columns}-{name}", rowwise, plan
    for module, planner, names, more in (
        (gemm_sm80, gemm_sm80.plan_gemm_sm80, GEMM_TYPES["gemm_sm80"], {}),
        (gemm_sm90, gemm_sm90.plan_gemm_sm90, GEMM_TYPES["gemm_sm90"], {"ctas": PROCESSORS}),
    ):
        for name in names:
            for n in GEMM_SIZES:
                plan = planner(n, n, n, name, output="f16" if name == "f16" else "bf16", **more)
                yield f"{module.NAME}-{n}-{name}", module, plan


def certify(path: Path) -> int:
    """A bundle of all that is checked and timed; how many certificates it holds."""
    from veritile.kernels.bundle import Entry, bundle_of, entries_of
    from veritile.kernels.plans import certified
    from veritile.kernels.registry import own_kernels
    from veritile.proofs.plan_certificate import certify_plan

    here = [name for name, module in own_kernels().items() if ARCHITECTURE in module.ARCHITECTURES]
    entries = entries_of([f"{name}/*" for name in here], [ARCHITECTURE])
    for name, module, plan in timed_plans():
        entries.append(Entry(certify_plan(certified(module, plan, ARCHITECTURE)), f"bench/{name}/plan"))
    path.write_text(json.dumps(bundle_of(entries)) + "\n")
    return len(entries)


@contextmanager
def alone() -> Iterator[None]:
    """The GPU's lock, held while something is timed; others may compile meanwhile."""
    with open(os.environ.get("VERITILE_GPU_LOCK", Path(tempfile.gettempdir()) / "veritile-gpu-lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Bench:
    """What the timed tasks share: the device, torch, compiled kernels as actions."""

    def __init__(self) -> None:
        import torch

        from veritile.kernels.launch import Device

        self.torch, self.device = torch, Device()
        self.certificates = Certificates(os.environ.get(BUNDLE), self.device.architecture)
        torch.manual_seed(1)
        self.scratch = torch.zeros(CACHE, device="cuda")  # four times CACHE bytes

    def clean(self) -> None:
        """Reads more than the second-level cache holds: what another contender wrote is written back, untimed."""
        self.scratch.sum()

    def times(self, actions: list[Callable[[], Any]], repeats: int, warm: int = 3) -> list[list[float]]:
        """Milliseconds of each action, each from a cache that holds nothing to write back."""
        return self.device.times(actions, repeats, warm, self.clean)

    def action(self, module: Any, plan: Any, *tensors: Any) -> Callable[[], Any]:
        """A launch of the kernel on torch tensors, one an operand; admitted and compiled now."""
        from veritile.kernels.lower import pointer

        kernel = self.certificates.kernel(module, plan)
        for tensor, operand in zip(tensors, kernel.operands, strict=True):
            kernel.check_address(operand.name, tensor.data_ptr())
        built = kernel.compile()
        pointers = [pointer(t.data_ptr(), o.element, o.align) for t, o in zip(tensors, kernel.operands, strict=True)]
        return lambda: built.launch(*pointers, self.device.stream)

    def report(
        self,
        name: str,
        detail: str,
        actions: dict[str, Callable[[], Any]],
        repeats: int = 20,
        bytes_: int = 0,
        flops: int = 0,
        right: bool | None = None,
    ) -> None:
        """Times the actions in turns; the first is ours, the second what it is held against."""
        spans = self.times(list(actions.values()), repeats)
        medians = {key: median(span) for key, span in zip(actions, spans, strict=True)}
        ours, *others = medians
        rate = (bytes_ / 1e9 if bytes_ else flops / 1e9) / medians[ours]
        ratios = {key: round(medians[key] / medians[ours], 4) for key in others}
        ms = {k: round(v, 4) for k, v in medians.items()}
        say(kind="time", name=name, detail=detail, rate=round(rate, 1), right=right, ratios=ratios, ms=ms)


def dtype_of(bench: Bench, name: str) -> Any:
    """torch's type of an element type."""
    from veritile.kernels.element import element

    return getattr(bench.torch, element(name).torch)


def drawn(bench: Bench, name: str, *shape: int) -> Any:
    """Normal numbers on the GPU."""
    return bench.torch.randn(*shape, device="cuda", dtype=bench.torch.float32).to(dtype_of(bench, name))


def time_copy(variants: list[dict[str, Any]]) -> None:
    """Arrays of 1 GiB and 4 GiB copied, beside torch's device-to-device copy."""
    from veritile.kernels import copy
    from veritile.kernels.element import element
    from veritile.model.layout import Layout

    bench = Bench()
    for name, gib in COPIED if len(variants) == 1 else COPIED[:1]:
        size = gib * GIB // element(name).bytes
        source = drawn(bench, name, size)
        target = bench.torch.empty_like(source)
        for options in variants:
            plan = copy.plan_copy(Layout(size), Layout(size), name, **options)
            ours = bench.action(copy, plan, source, target)
            with alone():
                target.fill_(float("nan"))
                ours()
                bench.device.wait()
                right = bench.torch.equal(source, target)
                actions = {"ours": ours, "torch copy": lambda t=target, s=source: t.copy_(s)}
                bench.report(f"copy {name}", f"{gib} GiB {options or ''}", actions, 20, 2 * gib * GIB, right=right)
        del source, target


def time_transpose(variants: list[dict[str, Any]]) -> None:
    """1 GiB transposed, beside torch's copy of as many bytes and torch's own transpose."""
    from veritile.kernels import transpose

    bench = Bench()
    for name, rows, columns in TRANSPOSED:
        source = drawn(bench, name, rows, columns)
        target = bench.torch.empty(columns, rows, device="cuda", dtype=dtype_of(bench, name))
        flat = bench.torch.empty_like(source)
        for options in variants:
            try:
                plan = transpose.plan_transpose(rows, columns, name, **options)
            except failures() as problem:
                say(kind="note", text=f"transpose {options}: {problem}")
                continue
            ours = bench.action(transpose, plan, source, target)
            with alone():
                target.fill_(float("nan"))
                ours()
                bench.device.wait()
                right = bench.torch.equal(source.t(), target)
                actions = {"ours": ours, "torch copy": lambda f=flat, s=source: f.copy_(s)}
                if len(variants) == 1:
                    actions["torch transpose"] = lambda t=target, s=source: t.copy_(s.t())
                bench.report(
                    f"transpose {name}", f"{rows}x{columns} {options or ''}", actions, 15, 2 * GIB, right=right
                )


class Rows:
    """1 GiB of rows of one length: the source, weights, a result, and what they are held against."""

    def __init__(self, bench: Bench, operation: str, name: str, columns: int) -> None:
        from veritile.kernels.element import element

        self.bench, self.operation, self.name, self.columns = bench, operation, name, columns
        self.element = element(name)
        self.rows = GIB // (columns * self.element.bytes)
        self.x, self.w = drawn(bench, name, self.rows, columns), drawn(bench, name, columns)
        self.y, self.flat = bench.torch.empty_like(self.x), bench.torch.empty_like(self.x)

    def plan(self, **options: Any) -> Any:
        """The plan on these rows."""
        from veritile.kernels import rowwise

        return rowwise.plan_rowwise(self.operation, self.rows, self.columns, self.name, **options)

    def ours(self, plan: Any) -> Callable[[], Any]:
        """A launch of the kernel on them."""
        from veritile.kernels import rowwise

        return self.bench.action(rowwise, plan, self.x, *([self.w] if self.operation == "rmsnorm" else []), self.y)

    def eager(self, x: Any, w: Any) -> Any:
        """torch's own operation."""
        torch = self.bench.torch
        if self.operation == "softmax":
            return torch.softmax(x, -1)
        return torch.nn.functional.rms_norm(x, (x.shape[-1],), w, 1e-6)

    def others(self) -> dict[str, Callable[[], Any]]:
        """torch's copy of as many bytes, its eager operation, and its compiled one where it compiles."""
        torch = self.bench.torch
        actions = {
            "torch copy": lambda: self.flat.copy_(self.x),
            "torch eager": lambda: self.eager(self.x, self.w),
        }
        try:
            torch._dynamo.reset()
            compiled = torch.compile(self.eager, dynamic=False)
            compiled(self.x, self.w)
            actions["torch compiled"] = lambda: compiled(self.x, self.w)
        except failures() as problem:
            say(kind="note", text=f"torch.compile of {self.operation}: {str(problem).splitlines()[0]}")
        return actions

    def right(self, ours: Callable[[], Any]) -> bool:
        """Whether rows at the front, in the middle and at the end are right, and none is NaN."""
        self.y.fill_(float("nan"))
        ours()
        self.bench.device.wait()
        right = True
        for start in (0, self.rows // 2, self.rows - 64):
            part = slice(start, start + 64)
            expected, got = self.eager(self.x[part].double(), self.w.double()), self.y[part].double()
            allowed = expected.abs() * (2 * self.element.epsilon + 2e-5) + 1e-37
            right = right and bool(((got - expected).abs() <= allowed).all())
        return right and not bool(self.bench.torch.isnan(self.y).any())


def time_rowwise(operation: str, name: str) -> None:
    """1 GiB of rows, beside torch's copy of as many bytes, torch's eager and its compiled operation."""
    bench = Bench()
    for columns in ROW_SIZES:
        rows = Rows(bench, operation, name, columns)
        plan, others = rows.plan(), rows.others()
        ours = rows.ours(plan)
        with alone():
            text = f"N={columns} {plan.tile} x{plan.cluster}, {plan.turns} turns"
            bench.report(f"{operation} {name}", text, {"ours": ours, **others}, 40, 2 * GIB, right=rows.right(ours))


def tune_rowwise(operation: str, name: str, columns: int) -> None:
    """Variants of a plan in three rounds, the fastest of each going on: its threads, its caches, then beside torch."""
    from itertools import product

    bench = Bench()
    rows = Rows(bench, operation, name, columns)
    times: dict[Any, tuple[float, dict[str, Any], Callable[[], Any]]] = {}

    def tried(options: dict[str, Any]) -> None:
        try:
            plan = rows.plan(**options)
            if plan in times:
                return
            ours = rows.ours(plan)
        except failures() as problem:
            say(kind="variant", options=options, reason=str(problem).splitlines()[0])
            return
        with alone():
            (spans,) = bench.times([ours], 9, 2)
        times[plan] = median(spans), options, ours
        say(kind="variant", name=f"{operation} {name} {columns}", options=options, ms=round(median(spans), 4))

    def best(count: int) -> list[tuple[float, dict[str, Any], Callable[[], Any]]]:
        return sorted(times.values(), key=lambda one: one[0])[:count]

    ways = [{"late": False}, {"late": True}] if operation == "rmsnorm" else [{}]
    clusters = (1, 2, 4, 8) if columns >= 8192 else (1,)
    for held, threads, turns in product((4, 8, 16, 32), (128, 256, 512, 1024), (1, 2, 4, 8)):
        for way, cluster in product(ways, clusters):
            if columns <= cluster * 1024 * held:
                tried({"held": held, "threads": threads, "turns": turns, "cluster": cluster, **way})
    for _, options, _ in best(5):
        for hint in hints():
            tried({**options, **hint})
    others = rows.others()
    for _, options, ours in [(0.0, {}, rows.ours(rows.plan())), *best(6)]:
        with alone():
            detail = f"N={columns} {json.dumps(options)}"
            bench.report(f"{operation} {name}", detail, {"ours": ours, **others}, 20, 2 * GIB, right=rows.right(ours))


def time_gemm(kernel: str, variants: list[dict[str, Any]], names: tuple[str, ...] = ("bf16",)) -> None:
    """Square products of normal numbers, taking turns with cuBLAS."""
    from veritile.kernels import gemm_sm80, gemm_sm90
    from veritile.kernels.element import element

    module, planner = (
        (gemm_sm80, gemm_sm80.plan_gemm_sm80) if kernel == "gemm_sm80" else (gemm_sm90, gemm_sm90.plan_gemm_sm90)
    )
    bench = Bench()
    torch = bench.torch
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    for name in names:
        for n in GEMM_SIZES:
            a, b = drawn(bench, name, n, n), drawn(bench, name, n, n)
            output = "f16" if name == "f16" else "bf16"
            c, d = (torch.empty(n, n, device="cuda", dtype=dtype_of(bench, output)) for _ in range(2))
            eight = element(name).bits == 8
            exact, magnitude = a.float() @ b.float().t(), a.float().abs() @ b.float().abs().t()
            if eight:
                one = torch.ones((), device="cuda")
                theirs = lambda a=a, b=b, d=d, one=one: torch._scaled_mm(  # noqa: E731
                    a, b.t(), one, one, out_dtype=d.dtype, out=d, use_fast_accum=False
                )
            else:
                theirs = lambda a=a, b=b, d=d: torch.matmul(a, b.t(), out=d)  # noqa: E731
            for options in variants:
                try:
                    more = {"ctas": PROCESSORS} if kernel == "gemm_sm90" else {}
                    plan = planner(n, n, n, name, output=output, **more, **options)
                    ours = bench.action(module, plan, a, b, c)
                except failures() as problem:
                    say(kind="note", text=f"{kernel} {options}: {problem}")
                    continue
                with alone():
                    c.fill_(float("nan"))
                    ours()
                    bench.device.wait()
                    allowed = (
                        module.bound(plan, exact, magnitude) + n * 2.0**-24 * magnitude
                    )  # the reference is float32
                    worst = ((c.float() - exact).abs() / allowed).nan_to_num(9.0).max().item()
                    detail = f"{n}^3 {options or ''} error {worst:.2f} of its bound"
                    actions = {"ours": ours, "cuBLAS": theirs}
                    try:
                        bench.report(f"{kernel} {name}", detail, actions, 30, flops=2 * n**3, right=worst <= 1)
                    except RuntimeError as problem:
                        say(kind="note", text=f"beside {kernel} {name}: {str(problem).splitlines()[0]}")
                        bench.report(f"{kernel} {name}", detail, {"ours": ours}, 30, flops=2 * n**3)


TIMES: dict[str, Callable[[], None]] = {
    "copy": lambda: time_copy([{}]),
    "transpose": lambda: time_transpose([{}]),
    **{f"{o}-{n}": (lambda o=o, n=n: time_rowwise(o, n)) for o, n in ROW_PAIRS},
    **{kernel: (lambda k=kernel, n=names: time_gemm(k, [{}], n)) for kernel, names in GEMM_TYPES.items()},
}
TUNES: dict[str, Callable[[], None]] = {
    "copy": lambda: time_copy(
        [{"threads": t, "values": v} for t in (128, 256, 512, 1024) for v in (1, 2, 4, 8)] + hints(),
    ),
    "transpose": lambda: time_transpose(
        [
            {"tile": tile, "threads": t, "group": g}
            for tile in ((64, 64), (128, 64), (64, 128), (128, 128))
            for t in (128, 256, 512)
            for g in (0, 8)
        ]
        + hints()
    ),
    **{
        f"{o}-{n}-{size}": (lambda o=o, n=n, size=size: tune_rowwise(o, n, size))
        for o, n in ROW_PAIRS
        for size in ROW_SIZES
    },
    "gemm_sm80": lambda: time_gemm(
        "gemm_sm80",
        [
            {"tile": (128, 128, 64), "warps": (2, 2), "stages": 3},
            {"tile": (128, 128, 64), "warps": (2, 4), "stages": 3},
            {"tile": (128, 256, 64), "warps": (2, 4), "stages": 4},
            {"tile": (256, 128, 64), "warps": (4, 2), "stages": 4},
            {"tile": (128, 256, 64), "warps": (2, 4), "stages": 3, "group": 16},
        ],
    ),
    "gemm_sm90": lambda: time_gemm(
        "gemm_sm90",
        [
            {"cluster": c, "group": g, "tile": t}
            for t in ((128, 256), (128, 128))
            for c in ((2, 1), (1, 2), (1, 1))
            for g in (4, 8, 16)
        ],
    ),
}


def child(task: str, limit: float) -> list[dict[str, Any]]:
    """A task in a process of its own, with a time limit; its lines, and a note when it did not end well."""
    command = [sys.executable, str(Path(__file__).resolve()), "--task", task]
    lines: list[dict[str, Any]] = []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        output, error, code = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        output = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        error, code = f"no end within {limit:g} s", -1
    for line in output.splitlines():
        if line.startswith("{"):
            lines.append(json.loads(line))
    if code != 0:
        reason = (error.strip().splitlines() or [f"exit {code}"])[-1]
        lines.append({"kind": "lost", "task": task, "reason": reason})
    return lines


def parallel(tasks: list[str], jobs: int, limit: float) -> list[dict[str, Any]]:
    """Tasks side by side; their lines in the tasks' order."""
    with ThreadPoolExecutor(jobs) as pool:
        return [line for lines in pool.map(lambda task: child(task, limit), tasks) for line in lines]


def table(lines: list[dict[str, Any]]) -> Iterator[str]:
    """What people read: failures, then counts by kernel, then times as ratios."""
    checks = [line for line in lines if line["kind"] == "check"]
    for line in checks:
        if not line["holds"]:
            yield f"FAILED {line['row']}: {line['reason']}"
    for line in lines:
        if line["kind"] == "lost":
            yield f"LOST {line['task']}: {line['reason']}"
        if line["kind"] == "note":
            yield f"note: {line['text']}"
    for kernel in dict.fromkeys(line["row"].split("/")[0] for line in checks):
        mine = [line for line in checks if line["row"].startswith(kernel + "/")]
        worst = max(line["worst"] for line in mine)
        held = sum(line["holds"] for line in mine)
        yield f"{kernel:12} {held} of {len(mine)} rows hold, worst error {worst:.3f} of its bound"
    for line in lines:
        if line["kind"] == "time":
            ratios = "  ".join(f"{key} {value:.3f}" for key, value in line["ratios"].items())
            target = next((v for k, v in TARGETS.items() if line["name"].startswith(k)), None)
            wanted = f" (wanted {target:.2f})" if target else ""
            state = {True: "right", False: "WRONG", None: ""}[line["right"]]
            yield f"{line['name']:16} {line['detail']:44} {line['rate']:8.1f}/s {state}  {ratios}{wanted}"


def versions() -> str:
    """Date, card and versions, in a line."""
    from importlib import metadata

    def version(name: str) -> str:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return "?"

    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        card = subprocess.run(query, capture_output=True, text=True).stdout.strip()
    except OSError:
        card = "no nvidia-smi"
    names = ("nvidia-cutlass-dsl", "torch", "numpy", "triton")
    listed = ", ".join(f"{name} {version(name)}" for name in names)
    return f"{datetime.date.today()}  {card}  CPython {sys.version.split()[0]}, {listed}"


def main() -> int:
    """Checks, times and variants as asked; 1 when a row fails or is lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--certify", type=Path, metavar="FILE", help="write the bundle; nothing is run")
    parser.add_argument("--bundle", metavar="FILE", help="these certificates and no others")
    parser.add_argument("--check", nargs="*", metavar="PATTERN")
    parser.add_argument("--time", nargs="*", metavar="KERNEL", choices=list(TIMES), default=None)
    parser.add_argument("--tune", nargs="*", metavar="KERNEL", choices=list(TUNES), default=None)
    parser.add_argument("--jobs", type=int, default=min(14, os.cpu_count() or 1))
    parser.add_argument("--limit", type=float, default=150, help="seconds that a process, or a row, may take")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    args = parser.parse_args()
    make_importable()
    if args.task:
        kind, _, name = args.task.partition(":")
        {"time": TIMES, "tune": TUNES}[kind][name]()
        return 0
    if args.certify:
        print(f"{certify(args.certify)} certificates in {args.certify}")
        return 0
    if args.bundle:
        os.environ[BUNDLE] = args.bundle
    everything = args.check is None and args.time is None and args.tune is None
    lines: list[dict[str, Any]] = []
    print(versions(), flush=True)
    if args.check is not None or everything:
        begun = time.perf_counter()
        lines += check(args.check or [], args.bundle, args.jobs, args.limit)
        print(f"check: {len(lines)} rows, {time.perf_counter() - begun:.0f} s", flush=True)
    for kind, given, names in (("tune", args.tune, TUNES), ("time", args.time, TIMES)):
        if given is None and not (everything and kind == "time"):
            continue
        begun = time.perf_counter()
        tasks = [f"{kind}:{name}" for name in (given or names)]
        lines += parallel(tasks, args.jobs, args.limit)
        print(f"{kind}: {len(tasks)} processes, {time.perf_counter() - begun:.0f} s", flush=True)
    for text in table(lines):
        print(text)
    if args.json:
        args.json.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    failed = any(
        line["kind"] == "lost" or (line["kind"] == "check" and not line["holds"]) or line.get("right") is False
        for line in lines
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
