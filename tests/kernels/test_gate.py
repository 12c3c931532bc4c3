"""The gate: every kernel's plan is proved on some architecture, and nothing but its certificate opens it."""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from veritile import InputError, Layout, kernels, layout, parse
from veritile.kernels import copy, gate, gemm_sm80, gemm_sm90, registry, rowwise, transpose
from veritile.kernels.bundle import BY_ARCHITECTURE, certificate_of, is_elsewhere
from veritile.kernels.gate import GateClosed, admit
from veritile.kernels.plans import as_data, certified, from_data, kernel_plan, plan_class
from veritile.kernels.rows import rows
from veritile.proofs import plan_certificate
from veritile.proofs.certificate import CertificateRefused, digest_of
from veritile.proofs.plan import plan_of, read_plan
from veritile.proofs.plan_certificate import PlanRefused, certify_plan, check_plan_certificate

from .linked import ROOT, run

ROWS = ["copy/gather/f32", "transpose/64x64/bf16", "rowwise/softmax-9x77/f32", "gemm/NT/f32", "evaluate/swizzled/8"]
ROWS += ["gemm_sm80/128x128x64/bf16-bf16", "gemm_sm90/128x256x64/bf16-bf16", "gemm_sm100/128x256x64/bf16-bf16"]


def made(title: str) -> dict[str, Any]:
    row = rows([title])[0]
    return certificate_of(row, row.module.ARCHITECTURES[-1])


def resealed(certificate: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """A forger's certificate: parts replaced, every digest computed anew."""
    changed = {k: v for k, v in {**certificate, **parts}.items() if k != "digests"}
    return {**changed, "digests": {name: digest_of(part) for name, part in changed.items()}}


@pytest.mark.parametrize("title", ROWS)
def test_a_certificate_opens_its_kernel_with_the_same_plan(title: str) -> None:
    row = rows([title])[0]
    certificate = json.loads(json.dumps(made(title)))
    kernel = getattr(kernels, row.kernel)(certificate)
    assert kernel.plan == row.make() and kernel.operands == row.module.operands(row.make())
    assert getattr(gate.kernels, row.kernel)(certificate).plan == kernel.plan


@pytest.mark.parametrize("row", rows(["copy/*", "transpose/*", "gemm/*", "rowwise/*-9*/f32"]), ids=lambda r: r.title)
def test_the_plans_of_rows_are_proved_and_come_back(row: Any) -> None:
    plan = row.make()
    owed = certified(row.module, plan, row.module.ARCHITECTURES[1])
    bad = [f"{o.subject}: {o.obligation.name}" for o in owed.owed() if o.obligation.verdict.value != "proved"]
    assert bad == []
    assert kernel_plan(row.module, plan_of(json.loads(json.dumps(owed.as_dict())))) == plan


@pytest.mark.slow
@pytest.mark.parametrize("row", rows(["gemm_*", "rowwise/*", "evaluate/*"]), ids=lambda r: r.title)
def test_every_row_is_proved_on_an_architecture_and_else_beyond_its_limits(row: Any) -> None:
    proved = 0
    for architecture in row.module.ARCHITECTURES:
        try:
            certificate_of(row, architecture)
            proved += 1
        except PlanRefused as refused:
            assert is_elsewhere(refused), str(refused)
    assert proved


def test_builders_take_a_certificate_and_nothing_else() -> None:
    for name in registry.kernel_modules():
        assert list(inspect.signature(getattr(gate.kernels, name)).parameters) == ["certificate"]
    assert list(inspect.signature(admit).parameters) == ["name", "certificate"]


@pytest.mark.parametrize("bad", [None, True, "copy", {}, {"format": "other"}, copy.plan_copy(Layout(8), Layout(8))])
def test_no_certificate_no_kernel(bad: Any) -> None:
    with pytest.raises(GateClosed, match="certificate"):
        kernels.copy(bad)


def test_a_plan_is_no_certificate_and_another_kernel_none() -> None:
    certificate = made("copy/gather/f32")
    with pytest.raises(GateClosed, match="kernel copy, not of transpose"):
        kernels.transpose(certificate)
    with pytest.raises(GateClosed, match="no kernel's"):
        kernels.gemm_sm90(certify_plan(read_plan(ROOT / "docs" / "plans" / "gemm_sm90.toml")))


@pytest.mark.parametrize("part", ["schema", "plan", "digest", "contracts", "theorems", "obligations", "format"])
def test_a_changed_part_is_named(part: str) -> None:
    certificate = made("gemm_sm90/128x256x64/bf16-bf16")
    value = certificate[part]
    changed = {**value, "x": 1} if isinstance(value, dict) else value[:-1]
    with pytest.raises(CertificateRefused, match=part):
        check_plan_certificate({**certificate, part: changed})


def test_any_changed_byte_is_refused() -> None:
    certificate = made("copy/gather/f32")
    text = json.dumps(certificate)
    for at in range(0, len(text), 37):
        changed = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
        try:
            data = json.loads(changed)
        except ValueError:
            continue
        if data != certificate:
            with pytest.raises(CertificateRefused):
                check_plan_certificate(data)


def test_a_forger_who_computes_the_digests_anew_is_refused() -> None:
    certificate = made("copy/gather/f32")
    plan = json.loads(json.dumps(certificate["plan"]))
    plan["map"][0]["layout"] = "(32,(1,1)):(0,(32,32))"
    digest = plan_of(plan).digest
    with pytest.raises(GateClosed, match=r"map part 0: ownership\.once is refuted: .*own 0") as closed:
        kernels.copy(resealed(certificate, plan=plan, digest=digest))
    assert isinstance(closed.value.__cause__, PlanRefused) and closed.value.__cause__.witness is not None
    told = [{**certificate["obligations"][0], "reason": "because"}, *certificate["obligations"][1:]]
    with pytest.raises(GateClosed, match="is not told as it is found"):
        kernels.copy(resealed(certificate, obligations=told))
    with pytest.raises(GateClosed, match="the plan owes"):
        kernels.copy(resealed(certificate, obligations=certificate["obligations"][:-1]))


def test_for_other_layouts_it_is_refused() -> None:
    """The obligations are another plan's: all of them hold, and the kernel's own plan owes others."""
    certificate, other = made("copy/gather/f32"), made("copy/scatter/f32")
    plan = {**certificate["plan"], "kernel": other["plan"]["kernel"]}
    with pytest.raises(GateClosed, match=r"other layouts than copy has: copy part 0: destination_tile is .* is owed"):
        kernels.copy(resealed(certificate, plan=plan, digest=plan_of(plan).digest))


def test_part_of_a_plan_that_does_not_follow_from_the_rest_is_refused() -> None:
    plan = copy.plan_copy(Layout(64), Layout(64), "f32")
    forged = replace(plan, parts=(replace(plan.parts[0], source=layout("(4,16):(1,8)")),))
    with pytest.raises(InputError, match=r"the source of part 0 is .*, and .* follows"):
        certified(copy, forged, "sm_80")


def test_another_architecture_is_refused_with_the_obligation() -> None:
    plan = gemm_sm90.plan_gemm_sm90(128, 256, 64)
    with pytest.raises(PlanRefused, match=r"plan\.cluster is refuted|plan\.features is refuted.*not sm_80"):
        certify_plan(certified(gemm_sm90, plan, "sm_80"))
    certificate = certify_plan(certified(copy, copy.plan_copy(Layout(64), Layout(64)), "sm_89"))
    with pytest.raises(GateClosed, match=r"runs on sm_80, sm_90a, sm_100a; the certificate is for sm_89"):
        kernels.copy(certificate)

    class Elsewhere:
        architecture = "sm_90a"

    kernel = kernels.copy(certify_plan(certified(copy, copy.plan_copy(Layout(64), Layout(64)), "sm_80")))
    with pytest.raises(GateClosed, match="the certificate is for sm_80, and the device is sm_90a"):
        kernel.run(Elsewhere(), {})


def test_too_much_shared_memory_is_another_architecture() -> None:
    row = rows(["gemm_sm80/300x520x320-wide/*"])[0]
    with pytest.raises(PlanRefused, match="beyond the 166912 of sm_80") as refused:
        certificate_of(row, "sm_80")
    assert is_elsewhere(refused.value) and refused.value.owed.obligation.name in BY_ARCHITECTURE
    assert certificate_of(row, "sm_90a")


@pytest.mark.parametrize(
    ("plan", "change", "rule"),
    [
        (copy.plan_copy(Layout(64), Layout(64)), {"align": 4}, "vector.aligned"),
        (transpose.plan_transpose(64, 64), {"writing": "((8,32),(4,2,1)):((4,64),(1,32,1024))"}, "ownership.all"),
        (transpose.plan_transpose(64, 64), {"shared": "S<3,0,6> o 0 o (64,64):(64,1)"}, "vector.leading"),
        (rowwise.plan_rowwise("softmax", 9, 77), {"map": "((8,32),(1,10)):((32,1),(0,128))"}, "ownership.once"),
        (gemm_sm80.plan_gemm_sm80(128, 128, 64), {"store": "((16,8),(8,16)):((1024,1),(128,4))"}, "ownership.once"),
        (
            gemm_sm90.plan_gemm_sm90(128, 256, 64),
            {"owners": "((8,4,4),(2,2,8)):((128,1,16),(64,8,512))"},
            "atoms.fragment",
        ),
        (gemm_sm90.plan_gemm_sm90(128, 256, 64), {"cluster": (3, 3)}, "plan.cluster"),
    ],
)
def test_a_planted_fault_is_refuted_by_its_rule(plan: Any, change: dict[str, Any], rule: str) -> None:
    module = sys.modules[type(plan).__module__]
    values = {k: parse(v) if isinstance(v, str) else v for k, v in change.items()}
    owed = certified(module, replace(plan, **values), module.ARCHITECTURES[-1])
    with pytest.raises(PlanRefused):
        certify_plan(owed)
    assert rule in {o.obligation.name for o in owed.owed() if o.obligation.verdict.value == "refuted"}


def test_stale_certificates_say_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = made("gemm_sm90/128x256x64/bf16-bf16")
    digest = plan_certificate.contract_digest
    with monkeypatch.context() as patch:
        patch.setattr(plan_certificate, "contract_digest", lambda n: "0" * 64 if n == "tma" else digest(n))
        with pytest.raises(GateClosed, match="stale: the contract tma has changed"):
            kernels.gemm_sm90(certificate)
    with monkeypatch.context() as patch:
        patch.setattr(plan_certificate, "schema_digest", lambda: "0" * 64)
        with pytest.raises(GateClosed, match="stale: the schema of plans has changed"):
            kernels.gemm_sm90(certificate)
    with monkeypatch.context() as patch:
        patch.setattr(plan_certificate, "theorem_digest", lambda name: "0" * 64)
        with pytest.raises(GateClosed, match=r"stale: the theorem .* is stated otherwise now"):
            kernels.gemm_sm90(certificate)
    assert kernels.gemm_sm90(certificate)


def test_contract_digests_tell_contracts_apart() -> None:
    names = plan_certificate.contract_modules()
    assert len({plan_certificate.contract_digest(name) for name in names}) >= len(names) - 1  # copy and gemm: one file
    assert "contracts.machine" in plan_certificate._closure("contracts.pipelines")


@pytest.mark.parametrize("title", ROWS)
def test_a_kernels_plan_survives_as_data(title: str) -> None:
    row = rows([title])[0]
    plan = row.make()
    assert from_data(plan_class(row.module), json.loads(json.dumps(as_data(plan)))) == plan


@pytest.mark.parametrize("bad", [None, 3, {"element": 4}, {"unknown": 1}, {"element": "f32"}])
def test_data_of_no_plan_is_refused_in_a_line(bad: Any) -> None:
    with pytest.raises(InputError) as refused:
        from_data(copy.CopyPlan, bad)
    assert "\n" not in str(refused.value)


def test_checking_needs_no_solver(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(made("gemm_sm90/128x256x64/bf16-bf16")), encoding="utf-8")
    code = (
        "import sys, json\n"
        "for name in ('z3', 'cvc5', 'sympy', 'click', 'rich'): sys.modules[name] = None\n"
        "from veritile import kernels\n"
        "print(kernels.gemm_sm90(json.load(open(sys.argv[1]))).architecture)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert (answer.returncode, answer.stdout.strip()) == (0, "sm_90a"), answer.stderr


DIRECT = """
import json, sys
from veritile import kernels
from veritile.kernels.build import build
for certificate in json.load(open(sys.argv[1])):
    kernel = getattr(kernels, certificate["plan"]["name"])(certificate)
    direct = build(kernel.module.host(kernel.plan), kernel.module.operands(kernel.plan), kernel.architecture)
    print(kernel.name, kernel.compile().ptx == direct.ptx)
"""


def test_the_gate_costs_nothing_at_run_time(tmp_path: Path, oracle_python: Callable[[str], str]) -> None:
    python = oracle_python("cutlass")
    titles = ["copy/gather/f32", "transpose/64x64/bf16"]
    (tmp_path / "c.json").write_text(json.dumps([made(title) for title in titles]), encoding="utf-8")
    answer = run(python, tmp_path, "-c", DIRECT, "c.json")
    assert answer.stdout.split() == ["copy", "True", "transpose", "True"], answer.stderr
