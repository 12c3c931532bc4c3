"""What an audit says to people and programs, from the object that the command prints."""

import json
from typing import Any

import jsonschema
import pytest

from veritile.reports import audit
from veritile.reports.page import asset
from veritile.reports.run import report_of

from .test_renderings import NASTY, OFFICIAL, SUBSET

WITNESS = {"kind": "difference", "coordinate": [2, 1], "index": 5, "expected": 8, "got": 7}


def operation(verdict: str, **more: Any) -> dict[str, Any]:
    return {
        "target": "k.py",
        "kernel": "kernel_cutlass_k_tensor_0",
        "operation": "cute.composition",
        "verdict": verdict,
        "reason": None if verdict == "right" else "a reason",
        "file": "k.py",
        "line": 12,
        "column": 9,
        "source": "c = cute.composition(a, b)",
        "callers": [],
        "operands": ['!cute.layout<"(6,2):(1,7)">', '!cute.layout<"(3,2):(2,3)">'],
        "results": ['!cute.layout<"(3,2):(2,3)">'],
        "properties": "",
        "witness": WITNESS if verdict == "wrong" else None,
        "expected": None,
        "got": "(3,2):(2,3)",
        "advice": "swap the modes" if verdict == "wrong" else None,
        "evidence": "enumeration",
        "count": 1,
        **more,
    }


def told(*operations: dict[str, Any], **more: Any) -> dict[str, Any]:
    counted = {word: sum(one["count"] for one in operations if one["verdict"] == word) for word in audit.STYLES}
    target = {"title": "k.py", "arch": "sm_90a", "error": None, "kernels": ["kernel_cutlass_k_tensor_0"]}
    summary = {
        "targets": [target],
        "kernels": 1,
        "operations": sum(counted.values()),
        **{word.replace(" ", "_"): number for word, number in counted.items()},
        "allowed": 0,
        "by_operation": {"cute.composition": counted},
        "no_layout": 5,
        "unread": [],
        "unknown_operations": {},
        "unknown_types": {},
        "compile_ms": 200.0,
        "reading_ms": 10.0,
        "deciding_ms": 20.0,
        "exit": 1,
        **more,
    }
    return {"operations": list(operations), "summary": summary}


SMALL = told(
    operation("right", count=4),
    operation("wrong"),
    operation("outside", line=13),
    *(operation("not checked", line=line, reason="too large", operation="cute.slice") for line in range(20, 25)),
)


def test_text() -> None:
    assert audit.text_lines(SMALL) == [
        "wrong        k.py:12:9: cute.composition",
        "             c = cute.composition(a, b)",
        "             in k_tensor_0",
        "             of (6,2):(1,7) and (3,2):(2,3)",
        "             a reason",
        "             at coordinate (2,1), index 5: expected 8, got 7",
        "             the DSL gives (3,2):(2,3)",
        "             instead: swap the modes",
        "",
        "outside      cute.composition",
        "             a reason",
        "             at k.py:13:9: c = cute.composition(a, b)",
        "not checked  cute.slice (5)",
        "             too large",
        *(f"             at k.py:{line}:9: c = cute.composition(a, b)" for line in (20, 21, 22)),
        "             and at 2 places more",
        "k.py: 1 kernel for sm_90a",
        "11 layout operations: 4 right, 1 wrong, 1 outside, 5 not checked",
        "5 other operations without layout work, 0 lines unread; compile 0.20 s, reading 0.01 s, deciding 0.02 s",
    ]


def test_the_right_layout_is_told_where_there_is_one() -> None:
    lines = audit.text_lines(told(operation("wrong", expected="(3,2):(2,4)", count=3)))
    assert "             the DSL gives (3,2):(2,3); right is (3,2):(2,4)" in lines
    assert "             in k_tensor_0, 3 times" in lines


def test_all_four_counts_are_told_where_nothing_is_open() -> None:
    assert "1 layout operation: 1 right, 0 wrong, 0 outside, 0 not checked" in audit.text_lines(
        told(operation("right"))
    )


def test_lines_that_were_not_read_are_told() -> None:
    lines = audit.text_lines(told(operation("right"), unread=["k: 12: what is this"]))
    assert lines[0] == "unread       k: 12: what is this"
    assert "1 line unread" in lines[-1]


def test_markdown() -> None:
    page = audit.markdown(SMALL)
    assert "| right | wrong | outside | not checked |\n|---|---|---|---|\n| 4 | 1 | 1 | 5 |" in page
    assert "## `k.py:12:9`: `cute.composition`" in page
    assert "| not checked | `cute.slice` | 5 | too large | `k.py:20:9` |" in page


def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(OFFICIAL.read_text(encoding="utf-8")) if OFFICIAL.exists() else SUBSET
    return found


@pytest.mark.parametrize("text", ["plain", *NASTY])
def test_sarif_holds_its_schema_whatever_is_in_it(text: str) -> None:
    log = audit.sarif(told(operation("wrong", source=text, file=text or None, reason=text), operation("outside")))
    jsonschema.validate(json.loads(json.dumps(log)), schema())


def test_sarif_has_a_result_at_the_place_of_each_that_is_not_right() -> None:
    results = audit.sarif(SMALL)["runs"][0]["results"]
    assert [(one["ruleId"], one["kind"], one["level"]) for one in results[:2]] == [
        ("operation.cute.composition", "fail", "error"),
        ("operation.cute.composition", "open", "none"),
    ]
    assert results[0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 12, "startColumn": 9}
    assert len(results) == 7
    assert len({one["partialFingerprints"]["entry/v1"] for one in results}) == 7


def test_a_saved_audit_is_a_report() -> None:
    report = report_of(SMALL)
    assert report.counts == {"proved": 1, "finding": 0, "refuted": 1, "unexpected": 0, "unknown": 6}
    jsonschema.validate(json.loads(json.dumps(report.as_dict())), json.loads(asset("report.schema.json")))


@pytest.mark.parametrize("text", NASTY)
def test_nothing_that_a_terminal_would_obey_is_printed(text: str) -> None:
    one = operation("wrong", source=text, reason=text, kernel=text, file=text, advice=text)
    for line in [
        *audit.text_lines(told(one, operation("outside", reason=text, operation=text))),
    ]:
        assert line.isprintable()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('!cute.coord_tensor<"(0,?)", "(8,4):(1@0,1@1)">', "(8,4):(1@0,1@1)"),
        ('!cute.memref<bf16, smem, align<16>, S<3,4,3>, "(8,4):(4,1)">', "(8,4):(4,1)"),
        ('!cute.coord<"(0,?)">', "(0,?)"),
        ('!cute.tile<"[4:1;_]">', "[4:1;_]"),
        ('!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,4):(0,2)">', "(1,4):(0,2)"),
        (
            '!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, num_matrices = 4, n>, '
            'layout_copy_tv = <"(32,8):(8,1)">, tiler_mn = <"[16:1;16:1]">>',
            "(32,8):(8,1)",
        ),
        (
            "!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, "
            'atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>',
            "(2,2,1):(1,2,0)",
        ),
        (
            '!cute_nvgpu.atom.tma_load<bf16, copy_bits = 8192, g_stride = <"()"> tma_gbasis = <"(64,8):(1@1,1@0)">>',
            "(64,8):(1@1,1@0)",
        ),
        ('!cute_nvgpu.atom.ldsm<mode = <"(8,8)">, n>', '!cute_nvgpu.atom.ldsm<mode = <"(8,8)">, n>'),
        ("vector<4xf32>", "vector<4xf32>"),
    ],
)
def test_the_layout_in_a_type(text: str, told: str) -> None:
    assert audit.type_text(text) == told


def test_an_operation_that_gives_nothing() -> None:
    copy = operation("wrong", operation="cute.copy", results=[], got=None, expected=None)
    lines = [line.strip() for line in audit.text_lines(told(copy))]
    assert not any(line.startswith("the DSL gives") for line in lines)
    assert "a reason" in lines
