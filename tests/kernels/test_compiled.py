"""Kernels compiled without a GPU: widths and instructions as the plans say, no stack, no local memory."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from veritile.kernels.machine_code import instructions, uses, widths
from veritile.kernels.rows import KERNELS

REPRESENTATIVE = (
    "evaluate/swizzled/8",
    "copy/ND-ragged/bf16",
    "copy/tensor-transpose/f32",
    "transpose/130x72/bf16",
    "rowwise/softmax-9x1000/bf16",
    "rowwise/rmsnorm-8x32768-cluster2/f32",
    "gemm/GETT/bf16",
    "gemm_sm80/127x136x72/bf16-bf16",
    "gemm_sm90/1x8x8/bf16-bf16",
    "gemm_sm90/200x136x208/e4m3-bf16",
    "gemm_sm100/200x328x72/bf16-bf16",
)
WORKER = Path(__file__).with_name("compile_worker.py")


def compile_rows(python: str, root: Path, patterns: tuple[str, ...]) -> list[dict[str, object]]:
    """What the worker says of the rows."""
    done = subprocess.run(
        [python, str(WORKER), str(root), *patterns], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@pytest.mark.slow
def test_representative(oracle_python: Callable[[str], str], root: Path) -> None:
    """A row of every kernel, every architecture."""
    results = compile_rows(oracle_python("cutlass"), root, REPRESENTATIVE)
    assert {str(result["row"]).split("/")[0] for result in results} == set(KERNELS)
    assert [result for result in results if not result["holds"]] == []


@pytest.mark.sweep
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "evaluate"])
def test_all(kernel: str, oracle_python: Callable[[str], str], root: Path) -> None:
    """Every row of a kernel, every architecture."""
    results = compile_rows(oracle_python("cutlass"), root, (f"{kernel}/*",))
    assert results
    assert [result for result in results if not result["holds"]] == []


def test_kernels_import_without_the_dsl() -> None:
    """The kernels' modules need neither CuTe DSL nor torch nor a driver."""
    code = (
        "import sys\n"
        "for name in ('cutlass', 'torch', 'cuda'): sys.modules[name] = None\n"
        "import veritile.kernels.rows, veritile.kernels.validate, veritile.kernels.launch\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr


def test_widths() -> None:
    """Vectors, predicates, cache hints and cp.async are read."""
    ptx = """
    @%p1 ld.global.L1::no_allocate.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
    ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
    st.global.cs.b16 [%rd1], %rs1;
    ld.shared.b32 %r1, [%r2+128];
    st.local.b32 [%r2], %r1;
    cp.async.cg.shared.global [%r1], [%rd1], 16, %r3;
    ld.param.b64 %rd1, [p_0];
    """
    assert widths(ptx) == {
        ("ld", "global"): {128: 2},
        ("st", "global"): {16: 1},
        ("ld", "shared"): {32: 1},
        ("st", "local"): {32: 1},
        ("cp.async", "shared"): {128: 1},
    }


def test_instructions() -> None:
    """Names end where they end: ``mma.sync`` is not ``wgmma.mma_async``."""
    ptx = """
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%f1}, %rd1, %rd2, %p1, 1, 1, 0, 0;
    cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%rd1];
    """
    assert uses(ptx, "wgmma.fence")
    assert uses(ptx, "cp.async.bulk.tensor.2d")
    assert not uses(ptx, "mma.sync")
    assert not uses(ptx, "cp.async.bulk.tensor.1d")
    assert sum(instructions(ptx).values()) == 3
