"""A layout's offsets at every coordinate, as the device computes them: many layouts in one kernel.

Each item is a layout, evaluated at integral coordinates, at natural ones, or with sizes and strides that the kernel
reads at run time; or an operation that CuTe DSL itself does on layouts, evaluated at the integral coordinates of its
result. A block takes an item; its threads take coordinates by ``cover``, (threads, rounds) onto Z_N.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..model import coalesce, complement, composition, divide, inverse, product
from ..model.composed import AnyLayout, ComposedLayout
from ..model.coordinate import idx2crd
from ..model.errors import InputError
from ..model.htuple import flatten
from ..model.layout import Layout
from ..model.properties import size
from .build import Operand
from .lower import Host, dsl_layout

NAME = "evaluate"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
WAYS = ("integral", "natural", "runtime")
OPERATIONS: dict[str, Callable[..., Any]] = {
    "coalesce": coalesce.coalesce,
    "composition": composition.composition,
    "complement": complement.complement,
    "logical_divide": divide.logical_divide,
    "zipped_divide": divide.zipped_divide,
    "logical_product": product.logical_product,
    "left_inverse": inverse.left_inverse,
    "right_inverse": inverse.right_inverse,
}
"""CuTe DSL's operations whose results can be evaluated, and what the model says of each: of a layout, and a layout
or a size."""


@dataclass(frozen=True)
class Item:
    """``layout`` evaluated at its first ``count`` coordinates in one of ``WAYS``.

    With ``operation`` the device evaluates what CuTe DSL makes of ``operands`` instead, and ``layout`` is what the
    model expects; the first ``count`` offsets are written whatever the DSL's result is.
    """

    layout: AnyLayout
    way: str = "integral"
    operation: str | None = None
    operands: tuple[Any, ...] = ()

    @property
    def count(self) -> int:
        """Coordinates that are evaluated."""
        return size(self.layout)

    @property
    def parameters(self) -> tuple[int, ...]:
        """Sizes, then strides, that the kernel reads when they are not known to the compiler."""
        if self.way != "runtime":
            return ()
        if not isinstance(self.layout, Layout):
            raise InputError(f"sizes at run time are for plain layouts, not {self.layout}")
        return (*flatten(self.layout.shape), *flatten(self.layout.stride))


@dataclass(frozen=True)
class EvaluatePlan:
    """Items in one launch, a block each; item i's results begin at ``offsets[i]``, its parameters at ``starts[i]``."""

    items: tuple[Item, ...]
    threads: int = 128

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each item's results begin, and the end."""
        return _sums(item.count for item in self.items)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each item's run-time parameters begin, and the end."""
        return _sums(len(item.parameters) for item in self.items)

    def cover(self, item: Item) -> Layout:
        """(threads, rounds) onto the item's coordinates; the last round may pass the end."""
        return Layout((self.threads, -(-item.count // self.threads)), (1, self.threads))


def _sums(counts: Any) -> tuple[int, ...]:
    found = [0]
    for count in counts:
        found.append(found[-1] + count)
    return tuple(found)


def plan_evaluate(items: tuple[Item, ...], threads: int = 128) -> EvaluatePlan:
    """A plan; what cannot be evaluated on a GPU is refused.

    >>> plan_evaluate((Item(Layout((4, 8), (1, 5))), Item(Layout(6, 3), "runtime"))).offsets
    (0, 32, 38)
    """
    for item in items:
        if item.way not in WAYS:
            raise InputError(f"no way {item.way} to evaluate: one of {', '.join(WAYS)}")
        if item.operation is not None and item.operation not in OPERATIONS:
            raise InputError(f"no operation {item.operation}: one of {', '.join(OPERATIONS)}")
        if isinstance(item.layout, ComposedLayout) and item.way == "runtime":
            raise InputError(f"sizes at run time are for plain layouts, not {item.layout}")
    return EvaluatePlan(items, threads)


def of_operation(operation: str, *operands_: Any) -> Item:
    """What CuTe DSL makes of operands, held against the model's result; Refuted where the model says there is none.

    >>> str(of_operation("composition", Layout((6, 2), (8, 2)), Layout(6, 2)).layout)
    '(3,2):(16,2)'
    """
    if operation not in OPERATIONS:
        raise InputError(f"no operation {operation}: one of {', '.join(OPERATIONS)}")
    return Item(OPERATIONS[operation](*operands_), "integral", operation, operands_)


def operands(plan: EvaluatePlan) -> tuple[Operand, ...]:
    """The run-time parameters, and a 64-bit offset for every coordinate of every item."""
    return (
        Operand("parameters", "i32", max(plan.starts[-1], 1), 4),
        Operand("offsets", "i64", max(plan.offsets[-1], 1), 8, True, False),
    )


def parameters(plan: EvaluatePlan) -> Any:
    """What the parameter buffer holds."""
    import numpy as np

    return np.array([p for item in plan.items for p in item.parameters] or [0], np.int32)


def expects(plan: EvaluatePlan) -> tuple[dict[tuple[str, str], set[int]], tuple[str, ...]]:
    """Widths and instructions that the PTX must show."""
    return {("st", "global"): {64}}, ()


def host(plan: EvaluatePlan) -> Host:
    """The host function: parameters, results, stream."""
    import cutlass
    import cutlass.cute as cute

    def lowered(item: Item, given: Any, start: int) -> Any:
        if item.operation is not None:
            made = [dsl_layout(o) if not isinstance(o, int) else o for o in item.operands]
            return getattr(cute, item.operation)(*made)
        if item.way != "runtime":
            return dsl_layout(item.layout)
        count = len(item.parameters) // 2
        shape = _like(item.layout.shape, [given[start + i] for i in range(count)])
        stride = _like(item.layout.shape, [given[start + count + i] for i in range(count)])
        return cute.make_layout(shape, stride=stride)

    @cute.kernel  # type: ignore[untyped-decorator]
    def evaluate_kernel(given: cute.Tensor, found: cute.Tensor):  # type: ignore[no-untyped-def]
        thread, _, _ = cute.arch.thread_idx()
        block, _, _ = cute.arch.block_idx()
        for index in cutlass.range_constexpr(len(plan.items)):
            if block == index:
                item = plan.items[index]
                asked = lowered(item, given, plan.starts[index])
                cover = dsl_layout(plan.cover(item))
                for round_ in cutlass.range(plan.cover(item).shape[1]):
                    i = cover((thread, round_))
                    if i < item.count:
                        if cutlass.const_expr(item.way == "natural"):
                            at = cute.idx2crd(i, item.layout.shape)
                            found[plan.offsets[index] + i] = cutlass.Int64(cute.crd2idx(at, asked))
                        else:
                            found[plan.offsets[index] + i] = cutlass.Int64(cute.crd2idx(i, asked))

    @cute.jit  # type: ignore[untyped-decorator]
    def evaluate_host(given: cute.Pointer, found: cute.Pointer, stream):  # type: ignore[no-untyped-def]
        evaluate_kernel(
            cute.make_tensor(given, cute.make_layout(max(plan.starts[-1], 1))),
            cute.make_tensor(found, cute.make_layout(max(plan.offsets[-1], 1))),
        ).launch(grid=[len(plan.items), 1, 1], block=[plan.threads, 1, 1], stream=stream)

    return evaluate_host


def _like(shape: Any, values: list[Any]) -> Any:
    """Values in the profile of a shape, taken from the front."""
    if isinstance(shape, tuple):
        return tuple(_like(part, values) for part in shape)
    return values.pop(0)


def reference(plan: EvaluatePlan) -> Any:
    """The model's offset at every coordinate."""
    import numpy as np

    found = []
    for item in plan.items:
        for i in range(item.count):
            at = idx2crd(i, item.layout.shape) if item.way == "natural" else i
            found.append(int(item.layout(at)))
    return np.array(found, np.int64)


def emulate(plan: EvaluatePlan) -> tuple[Any, Any]:
    """The cover walked thread by thread: the offsets, and how often each was written."""
    import numpy as np

    found, seen = np.zeros(plan.offsets[-1], np.int64), np.zeros(plan.offsets[-1], int)
    for begin, item in zip(plan.offsets, plan.items, strict=False):
        cover = plan.cover(item)
        for step in range(size(cover)):
            i = cover(step)
            if i < item.count:
                found[begin + i] = item.layout(i)
                seen[begin + i] += 1
    return found, seen
