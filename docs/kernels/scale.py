"""A kernel in one file: y(i) = 3·x(i) for every i, whatever the layouts of x and y are."""

from dataclasses import dataclass
from typing import Any

from veritile.kernels.build import Operand
from veritile.kernels.lower import dsl_layout, dsl_type
from veritile.kernels.rows import Row
from veritile.model.errors import InputError
from veritile.model.layout import Layout
from veritile.model.properties import cosize, size

NAME = "scale"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")


@dataclass(frozen=True)
class ScalePlan:
    """x and y, and ``cover``: (threads, blocks) onto the elements, the last ones perhaps beyond."""

    source: Layout
    destination: Layout
    cover: Layout


def plan_scale(source: Layout, destination: Layout, threads: int = 128) -> ScalePlan:
    """The plan; sizes must agree."""
    if size(source) != size(destination):
        raise InputError(f"{source} and {destination} have different sizes")
    return ScalePlan(source, destination, Layout((threads, -(-size(source) // threads))))


# What it owes: the sections of a plan, as docs/plans.md tells of them.


def owes(plan: ScalePlan, architecture: str) -> dict[str, Any]:
    """The plan's sections: each calls for a contract."""
    layouts = {"source": str(plan.source), "destination": str(plan.destination)}
    return {
        "threads": size(plan.cover[0]),
        "tensor": [{"name": name, "element": "i32", "layout": text, "align": 4} for name, text in layouts.items()],
        "map": [{"name": "cover", "layout": str(plan.cover), "tile": [size(plan.cover)]}],
        "guard": [{"name": "cover", "extents": [size(plan.source)], "tiles": [size(plan.cover[0])]}],
        "copy": [
            {
                **{"name": "all", "vector": 1, "source": "source", "destination": "destination"},
                **{"source_tile": layouts["source"], "destination_tile": layouts["destination"]},
            }
        ],
    }


# How it is built: the buffers it takes, the host function, and what its PTX must show.


def operands(plan: ScalePlan) -> tuple[Operand, ...]:
    """Both buffers; the destination is written and not read."""
    return (
        Operand("source", "i32", int(cosize(plan.source)), 4),
        Operand("destination", "i32", int(cosize(plan.destination)), 4, True, False),
    )


def expects(plan: ScalePlan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Accesses of one element each, and no instruction in particular."""
    return {("ld", "global"): {32}, ("st", "global"): {32}}, ()


def host(plan: ScalePlan) -> Any:
    """The host function: two pointers and a stream."""
    import cutlass.cute as cute

    threads, blocks = plan.cover.shape
    kind = dsl_type("i32")

    @cute.kernel
    def scale_kernel(source: cute.Tensor, destination: cute.Tensor):
        thread, _, _ = cute.arch.thread_idx()
        block, _, _ = cute.arch.block_idx()
        i = dsl_layout(plan.cover)((thread, block))
        if i < size(plan.source):
            destination[i] = source[i] * kind(3)

    @cute.jit
    def scale_host(source: cute.Pointer, destination: cute.Pointer, stream):
        scale_kernel(
            cute.make_tensor(source, dsl_layout(plan.source)),
            cute.make_tensor(destination, dsl_layout(plan.destination)),
        ).launch(grid=[blocks, 1, 1], block=[threads, 1, 1], stream=stream)

    return scale_host


# What it is compared with: inputs, the reference, the plan's maps walked in NumPy, and the verdict on a result.


def draw(plan: ScalePlan, seed: int = 0) -> dict[str, Any]:
    """Elements for the source, others for each seed."""
    import numpy as np

    values = np.random.default_rng(seed).integers(-1000, 1000, int(cosize(plan.source)))
    return {"source": values.astype(np.int32)}


def reference(plan: ScalePlan, source: Any) -> Any:
    """The destination's whole buffer, from the definition."""
    import numpy as np

    found = np.full(int(cosize(plan.destination)), -1, np.int32)  # -1 is what a poisoned element holds
    for i in range(size(plan.source)):
        found[plan.destination(i)] = 3 * source[plan.source(i)]
    return found


def emulate(plan: ScalePlan, arrays: dict[str, Any]) -> tuple[Any, Any]:
    """The cover walked thread by thread: what is written, and how often each element is."""
    import numpy as np

    found = np.full(int(cosize(plan.destination)), -1, np.int32)
    seen = np.zeros(size(plan.source), int)
    for step in range(size(plan.cover)):
        i = plan.cover(step)
        if i < size(plan.source):
            found[plan.destination(i)] = 3 * arrays["source"][plan.source(i)]
            seen[i] += 1
    return {"destination": found}, seen


def judge(plan: ScalePlan, arrays: dict[str, Any], found: dict[str, Any]) -> tuple[bool, str, float]:
    """Whether every element is right and the rest is untouched, a reason, and the worst error over its bound."""
    wrong = int((found["destination"] != reference(plan, arrays["source"])).sum())
    return wrong == 0, f"{wrong} of {len(found['destination'])} elements differ", float(wrong > 0)


# Where it is tried: around a block's edge, strided, transposed.


def rows() -> list[Row]:
    """Shapes around a block's edge, strided, transposed."""
    cases = {
        "129": (Layout(129), Layout(129)),
        "strided": (Layout((7, 33), (64, 1)), Layout((7, 33), (40, 1))),
        "transposed": (Layout((20, 31), (31, 1)), Layout((20, 31), (1, 20))),
    }
    return [Row(NAME, name, "i32", lambda case=case: plan_scale(*case)) for name, case in cases.items()]
