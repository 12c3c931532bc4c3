"""What is timed and checked on a GPU comes through the gate: no kernel without a certificate, on either machine."""

import ast
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from veritile import kernels
from veritile.kernels import copy
from veritile.kernels.bundle import Entry, bundle_of
from veritile.kernels.gate import GateClosed
from veritile.kernels.plans import certified
from veritile.model.layout import Layout
from veritile.proofs.plan_certificate import PlanRefused, certify_plan

from .linked import ROOMS, ROOT

BUILDERS = {"kernels/build.py", "kernels/gate.py", "kernels/laboratory.py", "kernels/audit/target.py"}
"""Who compiles: the gate; the laboratory, layouts that no certificate is for; the audit, other people's kernels."""


def bench() -> Any:
    """The module that times and checks on a GPU."""
    spec = importlib.util.spec_from_file_location("veritile_bench_gpu", ROOT / "bench" / "gpu.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    plan = copy.plan_copy(Layout(64), Layout(64), "f32")
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps(bundle_of([Entry(certify_plan(certified(copy, plan, "sm_90a")), "bench/copy/plan")])))
    return str(path)


def test_with_a_bundle_a_plan_of_it_is_built_and_no_other(bundle: str) -> None:
    certificates = bench().Certificates(bundle)
    assert certificates.kernel(copy, copy.plan_copy(Layout(64), Layout(64), "f32")).architecture == "sm_90a"
    for other in (copy.plan_copy(Layout(65), Layout(65), "f32"), copy.plan_copy(Layout(64), Layout(64), "bf16")):
        with pytest.raises(GateClosed, match="the bundle has no certificate of this plan of copy"):
            certificates.kernel(copy, other)
    with pytest.raises(GateClosed, match="no certificate"):
        bench().Certificates(bundle, "sm_80").kernel(copy, copy.plan_copy(Layout(64), Layout(64), "f32"))


def test_a_forged_certificate_of_a_bundle_is_refused_where_it_is_used(bundle: str) -> None:
    data = json.loads(Path(bundle).read_text())
    data["entries"][0]["certificate"]["plan"]["threads"] = 1
    Path(bundle).write_text(json.dumps(data))
    with pytest.raises(GateClosed, match="plan was changed"):
        bench().Certificates(bundle).kernel(copy, copy.plan_copy(Layout(64), Layout(64), "f32"))


def test_without_a_bundle_a_plan_that_does_not_hold_is_refused() -> None:
    from dataclasses import replace

    wide = replace(copy.plan_copy(Layout(64), Layout(64), "f32"), align=4)
    with pytest.raises(PlanRefused, match=r"vector\.aligned"):
        bench().Certificates(None).kernel(copy, wide)


@pytest.mark.slow
def test_all_that_is_timed_has_a_certificate() -> None:
    module = bench()
    certificates = module.Certificates(None)
    names = [name for name, kernel, plan in module.timed_plans() if certificates.kernel(kernel, plan)]
    assert len(names) == len(set(names)) == 3 + 2 + 28 + 4 + 6


def test_four_gib_are_copied_by_offsets_of_32_bits_and_addresses_of_64() -> None:
    plan = copy.plan_copy(Layout(2**30), Layout(2**30), "f32")
    owed = certified(copy, plan, "sm_90a")
    bits = {tensor.name: tensor.index_bits for tensor in owed.tensor}
    assert bits["source"] == 63 and bits["source of part 0 by elements"] == 31
    assert kernels.copy(certify_plan(owed)).plan == plan


def test_nobody_but_the_gate_compiles_a_kernel() -> None:
    found = set()
    for folder in (*ROOMS, "veritile", "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.parent == ROOT / "bench" / "dsl":
                continue  # programs that show faults of CuTe DSL: no kernel of ours, compiled and not run
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                imported = isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == "build"
                if imported and any(alias.name == "build" for alias in node.names):
                    found.add(path.relative_to(ROOT).as_posix())
                if isinstance(node, ast.Attribute) and node.attr == "compile" and ast.unparse(node.value) == "cute":
                    found.add(path.relative_to(ROOT).as_posix())
    assert found == BUILDERS


def test_no_kernel_has_layouts_from_the_dsls_helpers() -> None:
    """``cutlass.utils`` makes layouts, tiled copies and products of its own: ours are a plan's."""
    for path in (ROOT / "kernels").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            for name in names:
                assert not f"{module}.{name}.".lstrip(".").startswith("cutlass.utils."), path
