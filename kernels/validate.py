"""Validate a row: its maps in NumPy, its PTX and resources without a GPU, its results on one.

What is compiled and run here are kernels that the gate has admitted, and no others.
Each check gives a :class:`Result`; nothing is raised for a row that fails, so that the rest goes on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..model.errors import VeritileError
from ..model.properties import size
from .element import decode, element, encode
from .gate import GateClosed, Kernel
from .machine_code import resources, uses, widths
from .rows import Row


@dataclass(frozen=True)
class Result:
    """A row's verdict: ``worst`` is the largest error over its bound, 0 for exact comparisons that hold."""

    row: str
    check: str
    holds: bool
    reason: str
    worst: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"row": self.row, "check": self.check, "holds": self.holds, "reason": self.reason, "worst": self.worst}


@dataclass(frozen=True)
class Expected:
    """What the PTX must show: the exact widths in bits of each kind of access, and instructions that must be there."""

    widths: dict[tuple[str, str], set[int]]
    instructions: tuple[str, ...] = ()


def inputs(row: Row, plan: Any, seed: int = 0) -> dict[str, Any]:
    """Arrays for every operand that is read, in its storage type; drawn anew for each seed."""
    import numpy as np

    if hasattr(row.module, "draw"):
        return row.module.draw(plan, seed)
    draw = np.random.default_rng([seed, *row.title.encode()])
    if row.kernel == "evaluate":
        return {"parameters": row.module.parameters(plan)}
    arrays = {}
    for operand in row.module.operands(plan):
        kind = element(operand.element)
        if row.kernel in ("copy", "transpose"):
            bits = draw.integers(0, 127, operand.size * kind.bytes, dtype=np.uint8)
            arrays[operand.name] = bits.view(kind.storage)
        else:
            scale = 3.0 if row.kernel == "rowwise" else 1.0
            arrays[operand.name] = encode(scale * draw.standard_normal(operand.size), operand.element)
    if row.special:
        (_special if row.kernel == "rowwise" else _special_product)(plan, arrays)
    return arrays


def _special_product(plan: Any, arrays: dict[str, Any]) -> None:
    """Rows of A: zeros, one with +inf, one with -inf, one with a NaN; B stays finite."""
    import numpy as np

    rows, depth = (size(mode) for mode in (plan.a[0], plan.a[1]))
    batch = (0,) * (len(plan.a) - 2)
    for row, value in zip(range(rows), (0.0, np.inf, -np.inf, np.nan), strict=False):
        at = [int(plan.a((row, k, *batch))) for k in (range(depth) if value == 0 else [depth // 2])]
        arrays["a"][at] = encode(np.full(len(at), value), plan.element)


def _special(plan: Any, arrays: dict[str, Any]) -> None:
    """Rows of zeros, of -inf, with some -inf, with +inf, with a NaN, and with large values, put into the source."""
    import numpy as np

    source = arrays["source"]
    rows, columns = plan.shape
    ld = plan.layout.stride[0]
    softmax = plan.operation == "softmax"
    every_third = np.where(np.arange(columns) % 3 == 0, -np.inf if softmax else 0.0, 1.0)
    values = [np.zeros(columns), np.full(columns, -np.inf if softmax else 0.0), every_third]
    values += [np.where(np.arange(columns) == columns // 2, v, 0.5) for v in (np.inf, np.nan)]
    values += [np.linspace(-1000, 1000, columns)]
    for row, line in enumerate(values[:rows]):
        source[row * ld : row * ld + columns] = encode(line, plan.element)


def compare(row: Row, plan: Any, arrays: dict[str, Any], found: dict[str, Any]) -> tuple[bool, str, float]:
    """Every element of every written buffer: those that the kernel owes against the reference, the rest untouched."""
    import numpy as np

    module = row.module
    if hasattr(module, "judge"):
        return module.judge(plan, arrays, found)
    if row.kernel == "evaluate":
        expected = module.reference(plan)
        wrong = np.flatnonzero(found["offsets"] != expected)
        if len(wrong):
            item = int(np.searchsorted(plan.offsets, wrong[0], "right")) - 1
            at = int(wrong[0]) - plan.offsets[item]
            got, want = int(found["offsets"][wrong[0]]), int(expected[wrong[0]])
            return False, f"{plan.items[item].layout} at {at}: expected {want}, got {got}", 1.0
        return True, f"{len(plan.items)} layouts, {len(expected)} offsets", 0.0
    if row.kernel in ("copy", "transpose"):
        got = found["destination"]
        poison = np.frombuffer(b"\xff" * got.nbytes, got.dtype)
        expected = module.reference(plan, arrays["source"], poison)
        same = got.view(np.uint8).reshape(len(got), -1) == expected.view(np.uint8).reshape(len(got), -1)
        wrong = np.flatnonzero(~same.all(1))
        if len(wrong):
            return False, f"{len(wrong)} of {len(got)} elements differ, first at offset {wrong[0]}", 1.0
        return True, f"{len(got)} elements bit for bit", 0.0
    if row.kernel == "rowwise":
        expected = module.reference(plan, arrays["source"], *([arrays["weight"]] if "weight" in arrays else []))
        got, allowed = module.rows_of(plan, found["destination"]), module.bound(plan, expected)
        image = np.arange(plan.shape[0])[:, None] * plan.layout.stride[0] + np.arange(plan.shape[1])
        return _close(got, expected, allowed, found["destination"], image)
    given = [arrays[name] for name in ("a", "b", *(["c"] if row.kernel == "gemm" else []))]
    with np.errstate(invalid="ignore", over="ignore"):
        expected, magnitude = module.reference(plan, *given)
        allowed = module.bound(plan, expected, magnitude)
    if row.kernel == "gemm":
        return _close(module.matrix(plan.c, found["c"], plan.output), expected, allowed)
    rows, columns = plan.c.shape
    image = np.arange(rows)[:, None] * plan.c.stride[0] + np.arange(columns)
    got = decode(found["c"][image], plan.output)
    return _close(got, expected, allowed, found["c"], image)


def _close(got: Any, expected: Any, allowed: Any, buffer: Any = None, image: Any = None) -> tuple[bool, str, float]:
    """Whether every element is within its bound, NaN where NaN is due, and the buffer untouched elsewhere."""
    import numpy as np

    with np.errstate(invalid="ignore", over="ignore"):
        nan_alike = np.isnan(got) == np.isnan(expected)
        same = np.isnan(expected) | (got == expected)
        ratio = np.where(same, 0.0, np.abs(got - expected) / allowed)
        ratio = np.where(nan_alike, ratio, np.inf)
        ratio = np.where(np.isnan(ratio), np.inf, ratio)
    worst = float(ratio.max()) if ratio.size else 0.0
    if worst > 1:
        at = tuple(int(i) for i in np.unravel_index(int(ratio.argmax()), ratio.shape))
        bad = int((ratio > 1).sum())
        return False, f"{bad} of {ratio.size} off, worst at {at}: expected {expected[at]}, got {got[at]}", worst
    if buffer is not None:
        outside = np.ones(len(buffer), bool)
        outside[np.asarray(image).ravel()] = False
        raw = buffer.view(np.uint8).reshape(len(buffer), -1)
        touched = int((raw[outside] != 0xFF).any(1).sum())
        if touched:
            return False, f"{touched} elements outside the result were written", worst
    return True, f"{ratio.size} elements", worst


def emulated(row: Row) -> Result:
    """The plan's maps, thread by thread in NumPy, against the reference; each element written exactly once."""
    import numpy as np

    try:
        plan = row.make()
        arrays = inputs(row, plan)
        module = row.module
        if hasattr(module, "judge"):
            found, seen = module.emulate(plan, arrays)
            right = module.judge(plan, arrays, found)[0]
        elif row.kernel == "evaluate":
            found, seen = module.emulate(plan)
            right = bool((found == module.reference(plan)).all())
        elif row.kernel in ("copy", "transpose"):
            got = np.full_like(arrays["destination"], 0)
            found, seen = module.emulate(plan, arrays["source"], got)
            right = found.tobytes() == module.reference(plan, arrays["source"], got).tobytes()
        elif row.kernel == "rowwise":
            operands = [arrays["source"], *([arrays["weight"]] if "weight" in arrays else [])]
            with np.errstate(invalid="ignore", over="ignore"):
                found, seen = module.emulate(plan, *operands)
            right = np.allclose(found, module.reference(plan, *operands), rtol=1e-9, atol=1e-300, equal_nan=True)
        else:
            operands = [arrays["a"], arrays["b"], *([arrays["c"]] if row.kernel == "gemm" else [])]
            with np.errstate(invalid="ignore", over="ignore"):
                found, seen = module.emulate(plan, *operands)
                expected = module.reference(plan, *operands)[0]
            right = np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True)
        once = bool((seen == 1).all())
        reason = "agrees" if right else "differs from the reference"
        return Result(row.title, "emulated", right and once, reason if once else "an element is not written once")
    except VeritileError as problem:
        return Result(row.title, "emulated", False, str(problem).splitlines()[0])


def compiled(row: Row, kernel: Kernel) -> Result:
    """An admitted kernel compiled: widths and instructions as its plan says, no stack, no local memory."""
    check = f"compiled {kernel.architecture}"
    try:
        built = kernel.compile()
        expected: Expected = Expected(*row.module.expects(kernel.plan))
        problems = []
        found = widths(built.ptx)
        for access, bits in expected.widths.items():
            got = set(found.get(access, Counter()))
            if got != bits:
                problems.append(f"{'.'.join(access)} of {sorted(got)} bits where {sorted(bits)} are proved")
        problems += [f"no {name}" for name in expected.instructions if not uses(built.ptx, name)]
        if any(space == "local" for _, space in found):
            problems.append("local memory in the PTX")
        for used in resources(built.cubin):
            if used.stack or used.local:
                problems.append(f"{used.stack} bytes of stack, {used.local} of local memory")
        return Result(row.title, check, not problems, "; ".join(problems) or "as proved")
    except VeritileError as problem:
        return Result(row.title, check, False, str(problem).splitlines()[0])


def ran(row: Row, kernel: Kernel, device: Any, seeds: tuple[int, ...] = (0, 1)) -> Result:
    """An admitted kernel run on a device, several seeds, every element compared; then with its origins moved.

    An origin one element off is refused where the certificate is for an alignment that it breaks, else right as well.
    """
    try:
        plan, built = kernel.plan, kernel.compile()
        worst = 0.0
        for seed in seeds:
            arrays = inputs(row, plan, seed)
            holds, reason, ratio = compare(row, plan, arrays, kernel.run(device, arrays, built))
            worst = max(worst, ratio)
            if not holds:
                return Result(row.title, "ran", False, reason, worst)
        shift = off_origin(kernel)
        if any(shift % operand.align for operand in kernel.operands):
            if not _is_refused(kernel, device, arrays, built, shift):
                return Result(row.title, "ran", False, f"an origin {shift} bytes off was not refused", worst)
            return Result(row.title, "ran", True, f"{reason}; {shift} bytes off is refused", worst)
        holds, moved, ratio = compare(row, plan, arrays, kernel.run(device, arrays, built, shift=shift))
        worst = max(worst, ratio)
        told = f"{reason}; {shift} bytes off as well" if holds else f"{shift} bytes off: {moved}"
        return Result(row.title, "ran", holds, told, worst)
    except VeritileError as problem:
        return Result(row.title, "ran", False, str(problem).splitlines()[0])


def off_origin(kernel: Kernel) -> int:
    """The bytes by which an origin is moved: an element, the widest where operands have several."""
    return max(element(operand.element).bytes for operand in kernel.operands)


def _is_refused(kernel: Kernel, device: Any, arrays: dict[str, Any], built: Any, shift: int) -> bool:
    try:
        kernel.run(device, arrays, built, shift=shift)
    except GateClosed:
        return True
    return False


__all__ = ["Expected", "Result", "compare", "compiled", "emulated", "inputs", "off_origin", "ran", "size"]
