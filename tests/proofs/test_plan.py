"""Plans: the examples hold, each planted fault is refuted where it was planted, and errors name file, line and key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from veritile.proofs.contracts.rule import Rule
from veritile.proofs.plan import PARTS, PlanError, decide_major, first_k, parse_plan, plan_of, plan_schema, read_plan
from veritile.proofs.plan_reading import Places, path_text
from veritile.proofs.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
PLANS = sorted((ROOT / "docs" / "plans").glob("*.toml"))
GEMM = (ROOT / "docs" / "plans" / "gemm_sm90.toml").read_text(encoding="utf-8")
SOFTMAX = (ROOT / "docs" / "plans" / "softmax.toml").read_text(encoding="utf-8")
AMPERE = (ROOT / "docs" / "plans" / "gemm_sm80.toml").read_text(encoding="utf-8")
TMEM = (ROOT / "docs" / "plans" / "tmem_sm100.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PLANS, ids=lambda p: p.stem)
def test_an_example_holds(path: Path) -> None:
    plan = read_plan(path)
    owed = plan.owed()
    contracts = {o.obligation.name.split(".")[0] for o in owed}
    if path.stem == "gemm_sm90":
        assert contracts >= {"offsets", "ownership", "atoms", "shared_memory", "banks", "tma", "pipelines", "fences"}
    assert [(o.subject, o.obligation.name) for o in owed if o.obligation.verdict is not Verdict.PROVED] == []
    assert owed and all(o.obligation.source for o in owed)


@pytest.mark.parametrize("path", PLANS, ids=lambda p: p.stem)
def test_a_plan_is_its_data(path: Path) -> None:
    plan = read_plan(path)
    data = json.loads(json.dumps(plan.as_dict()))
    assert plan_of(data) == plan and plan_of(data).digest == plan.digest
    jsonschema.validate(data, plan_schema())
    spaced = "# a comment\n\n" + path.read_text(encoding="utf-8").replace(" = ", "  =  ")
    assert parse_plan(spaced).digest == plan.digest
    assert parse_plan(spaced.replace("name  =  ", 'name  =  "other"  # ', 1)).digest != plan.digest


FAULTS = [
    (GEMM, "swizzle = 128", "swizzle = 64", "tma load A", "tma.span"),
    (GEMM, "box = [256, 64]", "box = [257, 64]", "tma load B", "tma.box"),
    (GEMM, "S<3,3,3> o 0 o (256,64):(64,1)", "S<3,4,3> o 0 o (256,64):(64,1)", "tma load B", "tma.shared-layout"),
    (GEMM, "S<3,3,3> o 0 o (256,64):(64,1)", "S<3,4,3> o 0 o (256,64):(64,1)", "operand sB", "atoms.operand"),
    (GEMM, 'layout = "(8192,8192):(8192,1)"', 'layout = "(8192,8192):(8196,1)"', "tma load A", "tma.strides"),
    (GEMM, 'layout = "(8192,8192):(8192,1)"', 'layout = "(65536,65536):(65536,1)"', "tensor A", "offsets.elements"),
    (GEMM, "expected_bytes = 49152", "expected_bytes = 16384", "ring mainloop", "tma.expect"),
    (GEMM, "empty_count = 8", "empty_count = 256", "ring mainloop", "pipelines.empty-count"),
    (GEMM, "lag = 1", "lag = 0", "ring mainloop", "pipelines.release"),
    (GEMM, "stages = 4", "stages = 3", "ring mainloop", "plan.stages"),
    (GEMM, "stages = 4", "stages = 9", "shared memory", "shared_memory.capacity"),
    (GEMM, 'arch = "sm_90a"', 'arch = "sm_80"', "kernel", "plan.features"),
    (GEMM, 'arch = "sm_90a"', 'arch = "sm_100a"', "kernel", "plan.features"),
    (GEMM, "threads = 384", "threads = 380", "kernel", "plan.threads"),
    (GEMM, "threads = 384", "threads = 384\ncluster = [4, 4, 1]", "kernel", "plan.cluster"),
    (GEMM, 'major = "K"', 'major = "MN"', "operand sA", "plan.major"),
    (GEMM, "(64,8,512)", "(8,64,512)", "map accumulator", "atoms.fragment"),
    (GEMM, "(64,8,512)", "(64,8,256)", "map accumulator", "ownership.once"),
    (GEMM, 'do = "fence-proxy-async"', 'do = "fence-init"', "events", "fences.proxy"),
    (GEMM, 'do = "wgmma-fence"', 'do = "fence-init"', "events", "fences.wgmma"),
    (GEMM, 'layout = "(8,8):(1,64)"', 'layout = "(8,8):(8,64)"', "access stmatrix rows", "banks.conflict_free"),
    (SOFTMAX, "vector = 4\nop", "vector = 8\nop", "copy load", "vector.owned"),
    (
        SOFTMAX,
        'layout = "(4096,1000):(1000,1)"',
        'layout = "(4096,1000):(1000,1)"\nalign = 8',
        "copy load",
        "vector.aligned",
    ),
    (SOFTMAX, "offsets = [4000]", "offsets = [4001]", "copy load", "vector.aligned"),
    (SOFTMAX, "extent = 1000", "extent = 1001", "copy load", "vector.predicated"),
    (SOFTMAX, "extents = [4096, 1000]", "extents = [4096, 1002]", "guard columns", "predicates.inside"),
    (SOFTMAX, "((16,1),(4,512))", "((16,1),(4,256))", "map rows", "ownership.once"),
    (SOFTMAX, "lanes = 32", "lanes = 32\noffsets = [8, 4, 2, 1]", "reduction maximum and sum", "reductions.group"),
    (AMPERE, "ahead = 3", "ahead = 4", "groups mainloop", "pipelines.groups-refill"),
    (AMPERE, "open = 2", "open = 3", "groups mainloop", "pipelines.groups-wait"),
    (AMPERE, 'c = "(128,128):(128,1)"', 'c = "(128,64):(64,1)"', "gemm tile", "gemm.n"),
    (AMPERE, "S<2,3,3> o 0 o (128,32):(32,1)", "(128,32):(32,1)", "access ldmatrix rows", "banks.conflict_free"),
    (TMEM, "column = 384", "column = 383", "tensor memory", "tmem.disjoint"),
    (TMEM, "columns = 512", "columns = 480", "tensor memory", "tmem.columns"),
    (TMEM, "lane = 64", "lane = 32", "tensor memory", "tmem.lanes"),
    (TMEM, 'do = "tmem-wait-load"', 'do = "tmem-wait-store"', "events", "fences.tmem-load"),
    (TMEM, 'arch = "sm_100a"', 'arch = "sm_90a"', "tensor memory", "tmem.arch"),
]


PART_OF = {part.__name__: part for part in PARTS}
WHO = {
    "tma": "_tmas",
    "operand": "_operands",
    "tensor": "_tensors",
    "ring": "_rings",
    "shared": "_buffers",
    "map": "_maps",
}
WHO |= {"kernel": "_kernel", "events": "_events", "access": "_accesses", "copy": "_copies", "guard": "_guards"}
WHO |= {"reduction": "_reductions", "groups": "_groups", "gemm": "_products"}


@pytest.mark.parametrize(("text", "right", "wrong", "subject", "name"), FAULTS)
def test_a_planted_fault(text: str, right: str, wrong: str, subject: str, name: str) -> None:
    assert right in text
    plan = parse_plan(text.replace(right, wrong, 1))
    part = PART_OF["_tensor_memory" if subject == "tensor memory" else WHO[subject.split()[0]]]
    owed = list(part(plan))
    refuted = {(o.subject, o.obligation.name) for o in owed if o.obligation.verdict is Verdict.REFUTED}
    assert (subject, name) in refuted
    assert all(o.obligation.witness is not None for o in owed if o.obligation.verdict is Verdict.REFUTED)


def test_multicast_counts_every_slice() -> None:
    """Two CTAs send half of A each: the same bytes land in each, and twice the consumers arrive."""
    text = GEMM.replace("box = [128, 64]\nswizzle = 128", "box = [64, 64]\nswizzle = 128\nmulticast = 2")
    text = text.replace("threads = 384", "threads = 384\ncluster = [2, 1, 1]")
    text = text.replace("arrivals = 4", "arrivals = 4\npartners = 2").replace("empty_count = 8", "empty_count = 16")
    assert {o.obligation.verdict for o in PART_OF["_rings"](parse_plan(text))} == {Verdict.PROVED}
    half = PART_OF["_rings"](parse_plan(text.replace("expected_bytes = 49152", "expected_bytes = 40960")))
    reasons = [o.obligation.reason for o in half if o.obligation.name == "tma.expect"]
    assert "the slices that partners send are counted too" in reasons[0]
    alone = parse_plan(text.replace("partners = 2", "partners = 1").replace("empty_count = 16", "empty_count = 8"))
    assert [o.obligation.name for o in PART_OF["_rings"](alone) if o.obligation.witness] == ["plan.partners"]
    uneven = [o.obligation for o in PART_OF["_rings"](parse_plan(text.replace("multicast = 2", "multicast = 3")))]
    assert [o.name for o in uneven] == ["plan.shape"] and uneven[0].verdict is Verdict.REFUTED


HEAD = 'name = "x"\narch = "sm_90a"\n'
ERRORS = [
    ("name = 'x'\n", "p.toml:1: arch is missing"),
    (HEAD + "archh = 1\n", "p.toml:3: archh: there is no key of this name; is arch meant?"),
    (HEAD + "format = 2\n", "p.toml:1: format 2 is not known here: 1 is"),
    ('name = "x"\narch = "sm_75"\n', "p.toml:2: arch: one of sm_80, "),
    ('name = ""\narch = "sm_80"\n', "p.toml:1: name: a text of one line is expected, not ''"),
    (HEAD + "threads = true\n", "p.toml:3: threads: an integer from 1 is expected, not true"),
    (HEAD + "threads = 0\n", "p.toml:3: threads: an integer from 1 is expected, not 0"),
    (HEAD + "threads = 1.5\n", "p.toml:3: threads: an integer from 1 is expected, not 1.5"),
    (HEAD + "threads = [\n", "p.toml:"),
    (HEAD + "[[map]]\nname = 'm'\n", "p.toml:3: map[0]: layout is missing: its layout"),
    (HEAD + "[map]\nname = 'm'\n", "p.toml:3: map: a list of tables is expected: write [[map]]"),
    (HEAD + "map = 3\n", "p.toml:3: map: a list of tables is expected"),
    (HEAD + "[[map]]\nname = 'm'\nlayout = '(4,8'\ntile = [32]\n", "p.toml:5: map[0].layout: "),
    (HEAD + "[[map]]\nname = 'm'\nlayout = 4\ntile = [32]\n", 'p.toml:5: map[0].layout: a layout in quotes'),
    (HEAD + "[[map]]\nname = 'm'\nlayout = 'S<3,3,3>'\ntile = [32]\n", "p.toml:5: map[0].layout: a swizzle"),
    (HEAD + "[[buffer]]\nname = 'b'\n", "p.toml:3: buffer[0]: buffer b needs a layout or bytes"),
    (HEAD + "[[buffer]]\nname = 'b'\nbytes = 4\nalign = 3\n", "p.toml:6: buffer[0].align: a power of two"),
    (HEAD + "[[buffer]]\nname = 'b'\nbytes = 4\n" + "[[buffer]]\nname = 'b'\nbytes = 4\n", "p.toml:7: buffer[1].name:"),
    (
        HEAD + "[[access]]\nname = 'a'\nbuffer = 'b'\nlayout = '(4,8)'\n",
        "p.toml:5: access[0].buffer: there is no buffer of the name b",
    ),
    (
        HEAD + "[[ring]]\nname = 'r'\nstages = 2\nfull_count = 1\nempty_count = 1\n"
        "[[ring.consumer]]\nname = 'c'\nreads = 'lds'\n",
        "p.toml:10: ring[0].consumer[0].reads: one of ld, wgmma, tcgen05 is expected, not 'lds'",
    ),
    (
        HEAD + "[[event]]\nagent = 'a'\ndo = 'write'\non = ['sC']\n",
        "p.toml:6: event[0].on: there is no buffer or tmem.region of the name sC",
    ),
    (HEAD + "[[event]]\nagent = 'a'\ndo = 'jump'\n", "p.toml:5: event[0].do: one of arrive, "),
    (HEAD + "tile = { m = 0 }\n", "p.toml:3: tile: an integer from 1 is expected, not 0"),
    (HEAD + "[tmem]\nallocation = [1]\n", "p.toml:4: tmem.allocation[0]: a table is expected"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_errors_name_file_line_and_key(text: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(text, "p.toml")
    assert str(caught.value).startswith(message)
    assert "\n" not in caught.value.message


def test_a_plan_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="cannot be read"):
        read_plan(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PlanError, match="no text in UTF-8"):
        read_plan(tmp_path / "bytes.toml")
    (tmp_path / "long.toml").write_text("#" * (2**20 + 1))
    with pytest.raises(PlanError, match="longer than"):
        read_plan(tmp_path / "long.toml")
    with pytest.raises(PlanError, match=r"nested too deep|p\.toml:"):
        parse_plan("x = " + "[" * 5000, "p.toml")


def test_what_does_not_fit_together_is_refuted_not_raised() -> None:
    bad = GEMM.replace('element = "bf16"\nlayout = "S<3,3,3> o 0 o (128,64):(64,1)"',
                       'element = "f32"\nlayout = "S<3,2,3> o 0 o (128,64):(64,1)"')  # fmt: skip
    shape = [o for o in PART_OF["_tmas"](parse_plan(bad)) if o.obligation.name == "plan.shape"]
    assert shape and "elements of bf16" in shape[0].obligation.reason


def test_what_is_too_large_or_outside_is_no_traceback() -> None:
    large = parse_plan(GEMM.replace("S<3,3,3> o 0 o (128,64):(64,1)", "S<3,3,3> o 0 o (1048576,64):(64,1)"))
    assert {o.obligation.verdict for o in PART_OF["_buffers"](large)} > {Verdict.PROVED}
    outside = parse_plan(SOFTMAX.replace("((32,4),(4,8)):((16,1),(4,512))", "((32,4),(4,8)):((1,1000),(7,1000))"))
    found = [o.obligation for o in PART_OF["_copies"](outside) if o.obligation.witness]
    assert [o.name for o in found] == ["plan.shape"] and "leaves the 4096 elements" in found[0].reason


def test_an_empty_plan_proves_nothing() -> None:
    assert parse_plan(HEAD).verdict() is Verdict.UNKNOWN and parse_plan(HEAD).owed() == []


def test_the_page_on_plans_tells_of_every_section_and_key() -> None:
    page = (ROOT / "docs" / "plans.md").read_text(encoding="utf-8")

    def told(schema: dict[str, Any], heading: str) -> None:
        part = page.split(f"### {heading}\n", 1)[1].split("\n### ")[0] if heading in page else page
        for name, one in schema["properties"].items():
            inner = one.get("items", one)
            if "properties" not in inner:
                assert f"| `{name}` |" in part, f"{heading}: {name}"
                continue
            is_list = one["type"] == "array"
            path = name if heading == "The top level" else f"{heading.strip('`[]')}.{name}"
            told(inner, f"`[[{path}]]`" if is_list else f"`[{path}]`")

    told(plan_schema(), "The top level")


def test_no_part_is_left_out() -> None:
    assert len(PARTS) == 16 and all(callable(part) for part in PARTS)
    assert Rule("a", "b", "c").holds("d").name == "a"


def test_places_of_keys() -> None:
    text = "a = 1\n[t]\nb = [\n 1,\n]\n[[u]]\nc = 1\n[[u.v]]\nd = 2\n[[u]]\n[[u.v]]\nd = 3\n"
    places = Places("f", text)
    paths = (("a",), ("t", "b"), ("u", 0, "c"), ("u", 0, "v", 0, "d"), ("u", 1, "v", 0, "d"))
    assert [places.line(path) for path in paths] == [1, 3, 7, 9, 12]
    assert places.line(("u", 1, "c")) == 10 and path_text(("u", 1, "c")) == "u[1].c"


def test_major_and_first_k() -> None:
    from veritile import layout, parse

    assert decide_major(layout("(64,32):(32,1)"), "K").witness is None
    assert decide_major(layout("(64,32):(32,1)"), "MN").witness is not None
    assert str(first_k(parse("S<3,3,3> o 0 o (128,64):(64,1)"), 16)) == "S<3,3,3> o 0 o (128,16):(64,1)"
