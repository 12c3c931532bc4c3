"""The plans' maps in NumPy, thread by thread: every element once and right; planted faults are seen."""

from dataclasses import replace

import numpy as np
import pytest

from veritile.kernels import copy, gemm, gemm_sm80, rowwise, transpose
from veritile.kernels.rows import KERNELS, Row, rows
from veritile.kernels.validate import compare, emulated, inputs
from veritile.model.layout import Layout

REPRESENTATIVE = (
    "copy/1D/*",
    "copy/ND/f32",
    "copy/gather/bf16",
    "copy/broadcast/f32",
    "copy/constant/f32",
    "copy/tensor-transpose/i8",
    "copy/permuted/f32",
    "transpose/63x65/f32",
    "transpose/130x72/bf16",
    "transpose/strided/bf16",
    "rowwise/softmax-9x77/f32",
    "rowwise/softmax-17x1024/bf16",
    "rowwise/rmsnorm-9x3000-cluster4/f32",
    "rowwise/rmsnorm-43x1000-turns/f16",
    "rowwise/softmax-strided/f32",
    "gemm/GETT/f32",
    "gemm/CONV/bf16",
    "gemm/NTT/f64",
    "gemm/batched-broadcast/f32",
    "gemm_sm80/127x136x72/bf16-bf16",
    "gemm_sm80/strided/*",
    "gemm_sm90/200x328x72/bf16-bf16",
    "gemm_sm90/1x8x8/f16-f16",
    "gemm_sm90/200x136x208/e4m3-bf16",
    "gemm_sm100/200x328x72/f16-f16",
    "gemm_sm100/257x520x129-MN-MN/f16-f32",
    "evaluate/random-0/50",
    "evaluate/swizzled/8",
)


@pytest.mark.parametrize("row", rows(REPRESENTATIVE), ids=lambda row: row.title)
def test_representative(row: Row) -> None:
    """A row of every kind."""
    result = emulated(row)
    assert result.holds, result


@pytest.mark.sweep
@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
def test_all(row: Row) -> None:
    """Every row."""
    result = emulated(row)
    assert result.holds, result


def test_every_kernel_has_rows() -> None:
    """No kernel goes unchecked, and titles are unique."""
    titles = [row.title for row in rows()]
    assert len(set(titles)) == len(titles)
    assert {title.split("/")[0] for title in titles} == set(KERNELS)


def test_overlapping_cover_is_seen() -> None:
    """Threads that step by 31 of 32 write elements twice and miss others."""
    plan = copy.plan_copy(Layout(4096), Layout(4096), "f32", threads=32)
    part = plan.parts[0]
    threads, values, blocks = part.cover.shape  # type: ignore[misc]
    faulty = replace(plan, parts=(replace(part, cover=Layout((threads, values, blocks), (1, 31, 31))),))
    source, destination = np.arange(4096), np.full(4096, -1)
    _, seen = copy.emulate(faulty, source, destination)
    assert (seen > 1).any()
    assert (seen == 0).any()


def test_wrong_unit_of_swizzle_is_seen() -> None:
    """Reading the tile without the swizzle that wrote it gives other elements."""
    plan = transpose.plan_transpose(64, 64, "bf16", tile=(64, 64), threads=256)
    source = np.arange(4096)
    right, _ = transpose.emulate(plan, source, np.zeros(4096, int))
    height = plan.tile[0]
    faulty = replace(plan, writing=Layout(plan.writing.shape, _swapped(plan.writing.stride, height)))
    wrong, seen = transpose.emulate(faulty, source, np.zeros(4096, int))
    assert (right == transpose.reference(plan, source, np.zeros(4096, int))).all()
    assert not ((wrong == right).all() and (seen == 1).all())


def _swapped(stride: tuple[tuple[int, ...], tuple[int, ...]], height: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The threads' strides with rows and columns exchanged."""
    (lanes, rest), values = stride
    return (rest, lanes), values


def test_owners_are_the_accumulator_of_ptx() -> None:
    """m16n8: lane 4r + q holds (r, 2q), (r, 2q+1), (r+8, 2q), (r+8, 2q+1), repeated for warps and atoms."""
    rows_, columns, (wm, wn) = 64, 64, (2, 2)
    owners = gemm_sm80._owners(rows_, columns, (wm, wn))
    for thread in range(32 * wm * wn):
        lane, warp = thread % 32, thread // 32
        row, quad = lane // 4, lane % 4
        for down in range(rows_ // (16 * wm)):
            for across in range(columns // (8 * wn)):
                for h in range(2):
                    for e in range(2):
                        m = row + 8 * h + 16 * (warp % wm) + 16 * wm * down
                        n = 2 * quad + e + 8 * (warp // wm) + 8 * wn * across
                        at = owners(((quad, row, warp % wm, warp // wm), (e, h, down, across)))
                        assert at == m + rows_ * n


@pytest.mark.parametrize("operation", rowwise.OPERATIONS)
@pytest.mark.parametrize("name", ["f32", "bf16"])
def test_row_bounds_hold_in_float32_and_are_tight(operation: str, name: str) -> None:
    """The rows computed in float32 are within the bound; one percent off is not."""
    from veritile.kernels.element import decode, encode

    plan = rowwise.plan_rowwise(operation, 8, 1000, name)
    row = Row("rowwise", "bound", name, lambda: plan, True)
    arrays = inputs(row, plan)
    weights = [arrays["weight"]] if operation == "rmsnorm" else []
    x = rowwise.rows_of(plan, arrays["source"]).astype(np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        if operation == "softmax":
            top = x.max(1, keepdims=True)
            mass = np.exp(x - np.where(np.isneginf(top), np.float32(0), top))
            total = mass.sum(1, keepdims=True)
            y = np.where(total == 0, np.float32(0), mass / np.where(total == 0, np.float32(1), total))
        else:
            mean = np.mean(x * x, axis=1, keepdims=True, dtype=np.float32)
            y = x / np.sqrt(mean + np.float32(plan.epsilon)) * decode(weights[0], name).astype(np.float32)
    stored = encode(y.astype(np.float64), name).reshape(-1)
    holds, reason, _ = compare(row, plan, arrays, {"destination": stored})
    assert holds, reason
    wrong = stored.copy()
    wrong[6 * 1000 + 3] = encode(decode(wrong[6 * 1000 + 3 : 6 * 1000 + 4], name) * 1.02, name)[0]
    assert not compare(row, plan, arrays, {"destination": wrong})[0]


def test_gemm_bound_sees_a_missing_product() -> None:
    """Leaving one k out of 96 is further off than the bound allows."""
    plan = gemm.plan_gemm(Layout((8, 96), (1, 8)), Layout((8, 96), (1, 8)), Layout((8, 8), (1, 8)), "f32")
    row = Row("gemm", "bound", "f32", lambda: plan)
    arrays = inputs(row, plan)
    exact, _ = gemm.reference(plan, arrays["a"], arrays["b"], arrays["c"])
    whole = exact[:, :, 0].T.reshape(-1).astype(np.float32)
    assert compare(row, plan, arrays, {"c": whole})[0]
    a, b = (gemm.matrix(layout, arrays[key], "f32") for layout, key in ((plan.a, "a"), (plan.b, "b")))
    short = exact - np.einsum("ml,nl->mnl", a[:, 95], b[:, 95])
    assert not compare(row, plan, arrays, {"c": short[:, :, 0].T.reshape(-1).astype(np.float32)})[0]


def test_touched_padding_is_seen() -> None:
    """An element between the rows that is no longer poison fails the row."""
    plan = rowwise.plan_rowwise("softmax", 4, 100, "f32", ld=104)
    row = Row("rowwise", "padding", "f32", lambda: plan)
    arrays = inputs(row, plan)
    destination = np.frombuffer(b"\xff" * (4 * (3 * 104 + 100)), np.float32).copy()
    expected = rowwise.reference(plan, arrays["source"])
    for m in range(4):
        destination[104 * m : 104 * m + 100] = expected[m]
    assert compare(row, plan, arrays, {"destination": destination})[0]
    destination[101] = 0
    assert "outside" in compare(row, plan, arrays, {"destination": destination})[1]
