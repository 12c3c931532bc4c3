"""The rows of the validation: for every kernel the shapes, types and layouts that it is checked on.

A row is a kernel, a name, an element type and a plan; sizes lie around tile edges, strides are longer than rows, and
layouts are the paper's tables with real sizes. Rows are light: a plan is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from random import Random
from typing import Any

from ..model import htuple
from ..model.coalesce import coalesce
from ..model.complement import complement
from ..model.errors import Refuted
from ..model.htuple import flatten
from ..model.layout import Layout, compact_stride
from ..model.notation import parse
from ..model.properties import cosize, size
from . import copy, evaluate, gemm, gemm_sm80, gemm_sm90, gemm_sm100, rowwise, transpose
from .element import element
from .registry import kernel_modules, own_kernels

KERNELS: dict[str, Any] = {
    module.NAME: module for module in (evaluate, copy, transpose, rowwise, gemm, gemm_sm80, gemm_sm90, gemm_sm100)
}
"""The kernels, by name: modules with a plan, ``operands``, ``host``, ``reference``, ``emulate``, ``expects``."""


@dataclass(frozen=True)
class Row:
    """One line of the validation; ``special`` asks for infinities, NaN and zeros among the inputs."""

    kernel: str
    name: str
    dtype: str
    make: Callable[[], Any] = field(repr=False)
    special: bool = False

    @property
    def title(self) -> str:
        """``kernel/name/type``, by which a row is selected."""
        return f"{self.kernel}/{self.name}/{self.dtype}"

    @property
    def module(self) -> Any:
        """The kernel's module."""
        return KERNELS.get(self.kernel) or kernel_modules()[self.kernel]


COPIES = {
    "1D": ("8:1", "8:1"),
    "ND": ("(8,2,3):(1,16,32)", "(8,2,3):(1,16,32)"),
    "gather": ("(2,3,2):(42,1,128)", "12:1"),
    "scatter": ("12:1", "(2,3,2):(42,1,128)"),
    "broadcast": ("7:0", "7:1"),
    "constant": ("7:0", "7:0"),
    "transpose": ("(8,3):(1,8)", "(8,3):(3,1)"),
    "tensor-transpose": ("(8,(3,5)):(1,(57,8))", "(8,15):(1,8)"),
    "1D-long": ("20000:1", "20000:1"),
    "1D-ragged": ("20003:1", "20003:1"),
    "ND-long": ("(64,(32,8)):(1,(64,4096))", "(64,256):(1,64)"),
    "ND-ragged": ("(1003,12):(1,1008)", "(1003,12):(1,1016)"),
    "gather-long": ("(96,(24,5)):(128,(1,12288))", "11520:1"),
    "scatter-long": ("11520:1", "(96,(24,5)):(128,(1,12288))"),
    "broadcast-long": ("(500,64):(0,1)", "(500,64):(1,512)"),
    "permuted": ("(64,(2,3),40):(6,(1,2),400)", "(64,(2,3),40):(6,(1,2),384)"),
    "transpose-long": ("(150,111):(1,152)", "(150,111):(111,1)"),
}
"""The rows of the paper's COPY table, source and destination, then the same with real sizes."""


def _copies() -> Iterable[Row]:
    for name, (source, destination) in COPIES.items():
        for dtype in ("f32", "bf16", "i8", "f64"):
            yield Row("copy", name, dtype, _later(copy.plan_copy, parse(source), parse(destination), dtype))
    for name in ("1D-ragged", "ND-ragged", "transpose-long", "gather-long"):
        source, destination = COPIES[name]
        for dtype in ("f32", "bf16", "i8", "f64"):
            make = _later(copy.plan_copy, parse(source), parse(destination), dtype, align=element(dtype).bytes)
            yield Row("copy", f"{name}-unaligned", dtype, make)
    for count in (1, 3, 4, 5, 255, 256, 257, 1023, 1024, 1025):
        yield Row("copy", f"1D-{count}", "f32", _later(copy.plan_copy, Layout(count), Layout(count), "f32"))
    for load in ("usual", "evict_first"):
        make = _later(copy.plan_copy, Layout(1003), Layout(1003), "bf16", load=load)
        yield Row("copy", f"1D-1003-{load}", "bf16", make)


GEMMS: dict[str, tuple[str, str, str]] = {
    "NT": ("(130,97):(1,144)", "(75,97):(1,80)", "(130,75):(1,136)"),
    "TN": ("(130,97):(100,1)", "(75,97):(97,1)", "(130,75):(1,136)"),
    "NTT": ("(75,97):(1,80)", "(130,97):(1,144)", "(75,130):(1,75)"),
    "BLIS": ("(66,50):(2,211)", "(75,50):(3,240)", "(66,75):(2,133)"),
    "GETT": ("((5,13),40):((1,12),300)", "(75,40):(40,1)", "((5,13),75):((1,7),120)"),
    "batched": ("(40,33,5):(1,48,2000)", "(35,33,5):(1,40,1600)", "(40,35,5):(1,44,1600)"),
    "batched-broadcast": ("(40,33,5):(1,48,2000)", "(35,33,5):(1,40,0)", "(40,35,5):(1,44,1600)"),
    "tiny": ("(1,3):(1,1)", "(1,3):(1,1)", "(1,1):(1,1)"),
}
"""The rows of the paper's GEMM table with real sizes; CONV is below."""


def convolution() -> tuple[Layout, Layout, Layout]:
    """CONV: 2 images 2×9×8 of 3 channels, 11 filters 2×3×3; the filter, the overlapping image, the result."""
    channels, (n, d, h, w), (t, r, s), filters = 3, (2, 2, 9, 8), (2, 3, 3), 11
    strides = (d * h * w * channels, h * w * channels, w * channels, channels)
    image = gemm.im2col((n, d, h, w, channels), 1, (t, r, s), strides)
    taps = channels * t * r * s
    out = (n, d - t + 1, h - r + 1, w - s + 1)
    weights = Layout((filters, (channels, t, r, s)), (taps, (1, channels * r * s, channels * s, channels)))
    return weights, image, Layout((filters, out), (1, _scaled(out, filters)))


def _scaled(shape: tuple[int, ...], by: int) -> tuple[int, ...]:
    """Compact strides of a shape, times ``by``."""
    return tuple(by * int(d) for d in compact_stride(shape))


def _gemms() -> Iterable[Row]:
    tables = {name: tuple(parse(text) for text in row) for name, row in GEMMS.items()}
    tables["CONV"] = convolution()
    for name, (a, b, c) in tables.items():
        for dtype, output in (("f32", "f32"), ("bf16", "f32"), ("f16", "f16"), ("f64", "f64")):
            make = _later(gemm.plan_gemm, a, b, c, dtype, output=output)
            yield Row("gemm", name, dtype, make, name in ("NT", "TN", "NTT", "BLIS", "batched"))
    for m, n, k in ((31, 33, 1), (32, 32, 32), (33, 31, 7), (1, 65, 3)):
        layouts = Layout((m, k)), Layout((n, k), (k, 1)), Layout((m, n), (n, 1))
        yield Row("gemm", f"{m}x{n}x{k}", "f32", _later(gemm.plan_gemm, *layouts, "f32"), True)


def _transposes() -> Iterable[Row]:
    shapes = [(64, 64), (63, 65), (128, 192), (130, 72), (72, 136), (1, 1), (200, 136), (257, 319)]
    for rows, columns in shapes:
        for dtype in ("f32", "bf16", "f64"):
            yield Row("transpose", f"{rows}x{columns}", dtype, _later(transpose.plan_transpose, rows, columns, dtype))
    for rows, columns in ((127, 129), (128, 127), (1, 200), (200, 1)):
        yield Row("transpose", f"{rows}x{columns}", "bf16", _later(transpose.plan_transpose, rows, columns, "bf16"))
    for dtype in ("f32", "bf16", "f64"):
        make = _later(transpose.plan_transpose, 130, 72, dtype, align=element(dtype).bytes)
        yield Row("transpose", "130x72-unaligned", dtype, make)
    wide = _later(transpose.plan_transpose, 200, 100, "bf16", lds=128, ldd=216)
    yield Row("transpose", "strided", "bf16", wide)
    for load in ("usual", "evict_first"):
        yield Row("transpose", f"72x136-{load}", "f32", _later(transpose.plan_transpose, 72, 136, "f32", load=load))


def _rowwise() -> Iterable[Row]:
    sizes = [(9, 1), (9, 8), (9, 77), (64, 256), (9, 1000), (17, 1024), (9, 1025), (10, 4096), (8, 5000), (8, 16384)]
    for operation in rowwise.OPERATIONS:
        for dtype in ("f32", "bf16", "f16"):
            for rows, columns in sizes:
                make = _later(rowwise.plan_rowwise, operation, rows, columns, dtype)
                yield Row("rowwise", f"{operation}-{rows}x{columns}", dtype, make, rows > 7)
            for rows, columns, cluster in ((9, 3000, 4), (8, 32768, 2), (7, 65536, 4), (9, 65536, 8), (5, 40001, 8)):
                make = _later(rowwise.plan_rowwise, operation, rows, columns, dtype, cluster=cluster)
                yield Row("rowwise", f"{operation}-{rows}x{columns}-cluster{cluster}", dtype, make, rows > 7)
            for rows, columns, cluster in ((43, 1000, 1), (41, 4096, 1), (21, 16384, 2), (35, 60000, 8)):
                make = _later(rowwise.plan_rowwise, operation, rows, columns, dtype, cluster=cluster, turns=4)
                yield Row("rowwise", f"{operation}-{rows}x{columns}-turns", dtype, make, True)
            for rows, columns in ((9, 255), (9, 257), (9, 1023), (9, 4095), (9, 4097)):
                make = _later(rowwise.plan_rowwise, operation, rows, columns, dtype)
                yield Row("rowwise", f"{operation}-{rows}x{columns}", dtype, make, True)
            make = _later(rowwise.plan_rowwise, operation, 9, 1000, dtype, align=element(dtype).bytes)
            yield Row("rowwise", f"{operation}-9x1000-unaligned", dtype, make, True)
            for load in ("usual", "evict_first"):
                make = _later(rowwise.plan_rowwise, operation, 9, 5000, dtype, load=load, late=True)
                yield Row("rowwise", f"{operation}-9x5000-{load}", dtype, make, True)
            make = _later(rowwise.plan_rowwise, operation, 33, 500, dtype, ld=512)
            yield Row("rowwise", f"{operation}-strided", dtype, make, True)


def _sm80() -> Iterable[Row]:
    sizes = [(128, 128, 64), (127, 136, 72), (129, 127, 200), (256, 384, 512), (1, 8, 8), (300, 200, 1000)]
    sizes += [(128, 120, 56), (129, 129, 64)]
    for m, n, k in sizes:
        for dtype, output in (("bf16", "bf16"), ("f16", "f32")):
            make = _later(gemm_sm80.plan_gemm_sm80, m, n, k, dtype, output=output)
            yield Row("gemm_sm80", f"{m}x{n}x{k}", f"{dtype}-{output}", make, m % 128 != 0)
    for a, b in (("MN", "K"), ("K", "MN"), ("MN", "MN")):
        for m, n, k in ((128, 128, 64), (120, 136, 72), (264, 248, 200), (8, 8, 8)):
            for dtype, output in (("bf16", "bf16"), ("f16", "f32")):
                make = _later(gemm_sm80.plan_gemm_sm80, m, n, k, dtype, output=output, major=(a, b))
                yield Row("gemm_sm80", f"{m}x{n}x{k}-{a}-{b}", f"{dtype}-{output}", make, m % 128 != 0)
        make = _later(gemm_sm80.plan_gemm_sm80, 200, 104, 56, major=(a, b), lda=208, ldb=112, ldc=120)
        yield Row("gemm_sm80", f"strided-{a}-{b}", "bf16-bf16", make)
    wide = _later(gemm_sm80.plan_gemm_sm80, 300, 520, 320, tile=(128, 256, 64), warps=(2, 4), stages=4)
    yield Row("gemm_sm80", "300x520x320-wide", "bf16-bf16", wide)
    strided = _later(gemm_sm80.plan_gemm_sm80, 130, 100, 96, lda=104, ldb=128, ldc=120)
    yield Row("gemm_sm80", "strided", "bf16-bf16", strided)


def _majors(kernel: str, planner: Callable[..., Any]) -> Iterable[Row]:
    """Operands of which one or both are MN-major, rows and columns past their ends left between."""
    for a, b in (("MN", "K"), ("K", "MN"), ("MN", "MN")):
        for dtype, output in (("bf16", "bf16"), ("f16", "f32")):
            for m, n, k in ((128, 256, 64), (200, 328, 72), (257, 520, 129), (8, 8, 1)):
                lda, ldb = (-(-x // 8) * 8 + 8 for x in (m if a == "MN" else k, n if b == "MN" else k))
                make = _later(planner, m, n, k, dtype, output=output, major=(a, b), lda=lda, ldb=ldb)
                yield Row(kernel, f"{m}x{n}x{k}-{a}-{b}", f"{dtype}-{output}", make, m % 64 != 0)


def _sm90() -> Iterable[Row]:
    sizes = [(128, 256, 64), (256, 256, 128), (200, 328, 72), (127, 264, 520), (1, 8, 8), (1, 256, 512)]
    sizes += [(64, 64, 8), (2, 1000, 64), (1000, 1000, 1000), (129, 248, 56), (255, 256, 64), (257, 520, 136)]
    for m, n, k in sizes:
        for dtype, output in (("bf16", "bf16"), ("f16", "f16")):
            make = _later(gemm_sm90.plan_gemm_sm90, m, n, k, dtype, output=output)
            yield Row("gemm_sm90", f"{m}x{n}x{k}", f"{dtype}-{output}", make, m % 64 != 0)
    for m, n, k in [(128, 128, 128), (200, 136, 208), (1000, 1000, 1008)]:
        yield Row("gemm_sm90", f"{m}x{n}x{k}", "e4m3-bf16", _later(gemm_sm90.plan_gemm_sm90, m, n, k, "e4m3"))
    for cluster in ((1, 1), (1, 2), (2, 2)):
        make = _later(gemm_sm90.plan_gemm_sm90, 520, 1040, 256, cluster=cluster)
        yield Row("gemm_sm90", f"520x1040x256-cluster{cluster[0]}{cluster[1]}", "bf16-bf16", make)
    yield from _majors("gemm_sm90", gemm_sm90.plan_gemm_sm90)
    for m, n, k in ((128, 256, 64), (200, 328, 72), (127, 260, 520), (1, 4, 8)):
        for dtype in ("bf16", "f16"):
            make = _later(gemm_sm90.plan_gemm_sm90, m, n, k, dtype, output="f32")
            yield Row("gemm_sm90", f"{m}x{n}x{k}", f"{dtype}-f32", make, m % 64 != 0)
    make = _later(gemm_sm90.plan_gemm_sm90, 200, 136, 208, "e4m3", output="f32")
    yield Row("gemm_sm90", "200x136x208", "e4m3-f32", make)
    short = _later(gemm_sm90.plan_gemm_sm90, 200, 328, 97, lda=104, ldb=104)
    yield Row("gemm_sm90", "200x328x97-strided", "bf16-bf16", short)
    strided = _later(gemm_sm90.plan_gemm_sm90, 130, 104, 96, lda=104, ldb=128, ldc=120)
    yield Row("gemm_sm90", "strided", "bf16-bf16", strided)


def _sm100() -> Iterable[Row]:
    for m, n, k in [(128, 256, 64), (200, 328, 72), (1000, 1000, 1000)]:
        for dtype in ("bf16", "f16"):
            for output in (dtype, "f32"):
                make = _later(gemm_sm100.plan_gemm_sm100, m, n, k, dtype, output=output)
                yield Row("gemm_sm100", f"{m}x{n}x{k}", f"{dtype}-{output}", make, m % 64 != 0)
    yield Row(
        "gemm_sm100", "129x132x8", "bf16-f32", _later(gemm_sm100.plan_gemm_sm100, 129, 132, 8, output="f32"), True
    )
    yield from _majors("gemm_sm100", gemm_sm100.plan_gemm_sm100)


def _evaluates(layouts: int = 2000, each: int = 50, results: int = 125) -> Iterable[Row]:
    for number in range(layouts // each):
        yield Row("evaluate", f"random-{number}", f"{each}", _later(random_evaluation, number, each))
    yield Row("evaluate", "swizzled", "8", swizzled_evaluation)
    for operation in evaluate.OPERATIONS:
        yield Row("evaluate", operation, f"{results}", _later(random_results, operation, results))


def random_evaluation(seed: int, count: int) -> evaluate.EvaluatePlan:
    """Random layouts, flat and nested, of up to 2,048 coordinates, strides of either sign and zero, in all ways."""
    draw = Random(seed)

    def shape(depth: int) -> Any:
        if depth == 0 or draw.random() < 0.6:
            return draw.randint(1, 9)
        return tuple(shape(depth - 1) for _ in range(draw.randint(1, 3)))

    def stride(profile: Any) -> Any:
        if isinstance(profile, tuple):
            return tuple(stride(part) for part in profile)
        return draw.choice((0, 1, draw.randint(-9, 9), draw.randint(-500, 5000)))

    items: list[evaluate.Item] = []
    while len(items) < count:
        profile = tuple(shape(2) for _ in range(draw.randint(1, 3)))
        if htuple.size(profile) > 2048:
            continue
        items.append(evaluate.Item(Layout(profile, stride(profile)), draw.choice(evaluate.WAYS)))
    return evaluate.plan_evaluate(tuple(items))


def random_results(operation: str, count: int) -> evaluate.EvaluatePlan:
    """Random operands of one of CuTe DSL's operations, where the model says that there is a result.

    A composition is drawn among those that CuTe's own rule takes, :func:`divides_along`: of those that exist beside
    it CuTe DSL 4.8.1 refuses most and gets some wrong, which is the laboratory's matter.
    """
    draw = Random(f"{operation} {count}")
    items: list[evaluate.Item] = []
    while len(items) < count:
        operands = _drawn(draw, operation)
        try:
            taken = operation != "logical_product" or _taken(
                complement(operands[0], size(operands[0]) * int(cosize(operands[1]))),  # type: ignore[arg-type]
                operands[1],
            )
            item = evaluate.of_operation(operation, *operands)
        except Refuted:
            continue
        if taken and (operation != "composition" or _taken(*operands)) and item.count <= 1024:
            items.append(item)
    return evaluate.plan_evaluate(tuple(items))


def _drawn(draw: Random, operation: str) -> tuple[Any, ...]:
    """Operands of an operation, for which it often has a result."""
    if operation == "coalesce":
        return (_scattered(draw, 3) if draw.random() < 0.3 else _spread(draw, 3),)
    if operation == "complement":
        one = _spread(draw, 3)
        return one, size(one) * draw.choice((1, 2, 3, 4, 6, 12))
    if operation in ("left_inverse", "right_inverse"):
        return (_spread(draw, 3, gaps=operation == "left_inverse" or draw.random() < 0.3),)
    if operation == "logical_product":
        return _spread(draw, 2), _spread(draw, 2)
    return (_spread(draw, 3) if draw.random() < 0.6 else _scattered(draw, 3)), _spread(draw, 2)


def _spread(draw: Random, most: int, *, gaps: bool = True) -> Layout:
    """An injective layout of up to ``most`` modes in any order, with gaps between them or none."""
    sizes = [draw.choice((2, 3, 4, 5, 6, 8)) for _ in range(draw.randint(1, most))]
    strides, step = [0] * len(sizes), 1
    for mode in draw.sample(range(len(sizes)), len(sizes)):
        step *= draw.choice((1, 1, 2, 3, 4)) if gaps else 1
        strides[mode], step = step, step * sizes[mode]
    return _of_modes(sizes, strides)


def _scattered(draw: Random, most: int) -> Layout:
    """A layout of up to ``most`` modes with any small strides, zero among them."""
    count = draw.randint(1, most)
    sizes = [draw.randint(2, 8) for _ in range(count)]
    return _of_modes(sizes, [draw.choice((0, 1, 2, 4, 8, draw.randint(1, 40))) for _ in range(count)])


def _of_modes(sizes: list[int], strides: list[int]) -> Layout:
    return Layout(tuple(sizes), tuple(strides)) if len(sizes) > 1 else Layout(sizes[0], strides[0])


def _taken(a: Layout, b: Layout) -> bool:
    """Whether CuTe's rule of divisibility takes every mode of B through A."""
    modes = zip(flatten(b.shape), flatten(b.stride), strict=True)
    return all(divides_along(a, n, d) for n, d in modes if n > 1 and d > 0)


def divides_along(a: Layout, count: int, stride: int) -> bool:
    """CuTe's rule for (count:stride) composed with A: its stride, then its count, divides A's extents mode by mode.

    >>> divides_along(parse("(6,2):(8,2)"), 6, 2), divides_along(parse("(3,2):(2,1)"), 2, 4)
    (True, False)
    """
    *inner, _ = flatten(coalesce(a).shape)
    for extent in inner:
        if stride % extent == 0:
            stride //= extent
            continue
        if extent % stride:
            return False
        room, stride = extent // stride, 1
        if room % count == 0:
            return True
        if count % room:
            return False
        count //= room
    return True


def swizzled_evaluation() -> evaluate.EvaluatePlan:
    """Swizzled layouts of the kinds that TMA and wgmma know, and others."""
    texts = ["S<3,4,3> o 0 o (8,64):(64,1)", "S<3,3,3> o 0 o (64,64):(64,1)", "S<2,4,3> o 0 o (16,32):(32,1)"]
    texts += ["S<1,4,3> o 0 o (16,16):(16,1)", "S<3,3,6> o 0 o (64,64):(64,1)", "S<3,2,6> o 0 o (64,64):(64,1)"]
    texts += ["S<3,0,3> o 0 o (8,8):(1,8)", "S<2,3,4> o 0 o (32,128):(128,1)"]
    return evaluate.plan_evaluate(tuple(evaluate.Item(parse(text)) for text in texts))  # type: ignore[arg-type]


def _later(function: Callable[..., Any], *args: Any, **options: Any) -> Callable[[], Any]:
    return lambda: function(*args, **options)


def rows(patterns: Iterable[str] = ()) -> list[Row]:
    """All rows, or those whose title fits a pattern.

    >>> [row.title for row in rows(["copy/gather/*"])]
    ['copy/gather/f32', 'copy/gather/bf16', 'copy/gather/i8', 'copy/gather/f64']
    """
    wanted = list(patterns)
    every = [_evaluates(), _copies(), _transposes(), _rowwise(), _gemms(), _sm80(), _sm90(), _sm100()]
    every += [module.rows() for module in own_kernels().values() if hasattr(module, "rows")]
    return [row for part in every for row in part if not wanted or any(fnmatchcase(row.title, p) for p in wanted)]
