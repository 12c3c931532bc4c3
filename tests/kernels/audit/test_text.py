"""Generic MLIR text to operations: every form of line, and nothing lost where a line is not understood.

``scale.mlir`` is made up: every form of line that a trace has, in a few lines.
"""

from pathlib import Path

import pytest

from veritile.kernels.audit.text import Place, Unread, read, split_top, unescape

KERNEL = Path(__file__).with_name("scale.mlir").read_text(encoding="utf-8")


def test_a_kernel_is_read_whole() -> None:
    module = read(KERNEL)
    assert module.unread == ()
    assert module.kernels == ("kernel_scale",)
    assert [(one.name, one.kernel) for one in module.operations] == [
        ("builtin.module", ""),
        ("gpu.module", ""),
        ("cuda.kernel", ""),
        ("cute.make_shape", "kernel_scale"),
        ("cute.make_layout", "kernel_scale"),
        ("cute.print", "kernel_scale"),
        ("scf.if", "kernel_scale"),
        ("scf.yield", "kernel_scale"),
        ("scf.yield", "kernel_scale"),
        ("cf.br", "kernel_scale"),
        ("cuda.return", "kernel_scale"),
        ("cuda.return", "kernel_scale"),
        ("func.func", ""),
        ("func.return", "host"),
    ]
    assert [(one.name, one.type, one.kernel) for one in module.arguments] == [
        ("%arg1", '!cute.memref<f32, gmem, "(?{div=4}):(1)">', "kernel_scale"),
        ("%arg2", "i32", "kernel_scale"),
        ("%40", "i32", "kernel_scale"),
        ("%arg0", "i32", "host"),
    ]


def test_the_parts_of_an_operation() -> None:
    made = next(one for one in read(KERNEL).operations if one.name == "cute.make_layout")
    assert (made.operands, made.results) == (("%19", "%arg2"), ("%21",))
    assert made.operand_types == ('!cute.shape<"(6,2)">', "i32")
    assert made.result_types == ('!cute.layout<"(6,2):(?,7)">',)
    assert made.properties == (
        '<{operandSegmentSizes = array<i32: 1, 1>}> {note = "a } b", "other" = {x = [1 : i32, 2 : i32]}}'
    )
    assert made.place == Place("scale.py", 10, 8, "a = cute.make_layout((6,2), stride=(1,7))")
    assert KERNEL.split("\n")[made.line - 1].lstrip().startswith("%21 =")


def test_a_location_inside_a_string_is_none() -> None:
    said = next(one for one in read(KERNEL).operations if one.name == "cute.print")
    assert said.place == Place("scale.py", 13, 4, 'print(" loc(x)")')
    assert said.properties == r'<{fmt = "say \22loc(x)\22: {}\0A"}>'


def test_an_operation_with_regions_has_the_line_of_its_beginning_and_the_types_of_its_end() -> None:
    chosen = next(one for one in read(KERNEL).operations if one.name == "scf.if")
    assert chosen.results == ("%30#0", "%30#1")
    assert chosen.operand_types == ("i32",)
    assert chosen.result_types == ('!cute.layout<"(6,2):(?,7)">', "i32")
    assert chosen.properties == "{loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}"
    assert "scf.if" in KERNEL.split("\n")[chosen.line - 1]
    branch = next(one for one in read(KERNEL).operations if one.name == "cf.br")
    assert (branch.operands, branch.properties) == (("%30#1",), "[^bb1]")


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("unknown", None),
        ('"k.py":3:4', Place("k.py", 3, 4)),
        ('"k.py":3:4 to :9', Place("k.py", 3, 4)),
        ('"k.py":3:4 to 5:9', Place("k.py", 3, 4)),
        ('"f"("k.py":3:4)', Place("k.py", 3, 4, "f")),
        ('"alone"', Place("", 0, 0, "alone")),
        (r'"x = \22\C3\A9\22"("k.py":3:4)', Place("k.py", 3, 4, 'x = "é"')),
        ('callsite("f"("k.py":3:4) at "h.py":5:6)', Place("k.py", 3, 4, "f", (Place("h.py", 5, 6),))),
        (
            'callsite("a.py":1:0 at callsite("b at c"("b.py":2:0) at "c.py":3:0))',
            Place("a.py", 1, 0, None, (Place("b.py", 2, 0, "b at c"), Place("c.py", 3, 0))),
        ),
        (
            'callsite(callsite("a.py":1:0 at "b.py":2:0) at "c.py":3:0)',
            Place("a.py", 1, 0, None, (Place("b.py", 2, 0), Place("c.py", 3, 0))),
        ),
        ('"f(x)"(callsite("a.py":1:0 at "b.py":2:0))', Place("a.py", 1, 0, "f(x)", (Place("b.py", 2, 0),))),
        ('fused[unknown, "a.py":1:0, "b.py":2:0]', Place("a.py", 1, 0)),
        ('fused<"inlined">["a.py":1:0]', Place("a.py", 1, 0)),
        ('callsite(unknown at "b.py":2:0)', Place("b.py", 2, 0)),
    ],
)
def test_locations(location: str, place: Place | None) -> None:
    module = read(f'%0 = "f.g"() : () -> i32 loc({location})')
    assert module.unread == ()
    assert module.operations[0].place == place


@pytest.mark.parametrize(
    "line",
    [
        "surprise",
        '%0 = "f.g"(%1) : (i32, i32) -> i32 loc(unknown)',  # one operand, two types
        '%0:2 = "f.g"(%1) : (i32) -> i32 loc(unknown)',  # two results, one type
        '%0 = "f.g"(%1 : (i32) -> i32 loc(unknown)',
        '%0 = "f.g"(%1) (i32) -> i32 loc(unknown)',
        '%0 = "f.g"(%1) : (i32 -> i32 loc(unknown)',
        '%0 = "f.g"(%1) <{a = 1} : (i32) -> i32 loc(unknown)',
        '%0 = "f.g"(%1) : (i32) -> loc(unknown)',
        '%0 = "f.g"() : () -> i32 loc("a.py":1)',
        '%0 = "f.g"() : () -> i32 loc(elsewhere("a.py":1:0))',
        '%0 = "f.g"() : () -> i32 loc(unknown) more',
        '%0:x = "f.g"() : () -> i32 loc(unknown)',
        "}, {",
        "}) : () -> () loc(unknown)",
        "} else {",
        "^bb0(%a):",
        "^(%a: i32):",
        "^bb0(%a: i32)",
        "#map = affine_map<(d0) -> (d0)>",
    ],
)
def test_what_is_not_understood_is_kept(line: str) -> None:
    good = '"f.f"() : () -> () loc(unknown)'
    module = read(f"{good}\n  {line}\n{good}")
    assert module.unread == (Unread(2, f"  {line}"),)
    assert [one.name for one in module.operations] == ["f.f", "f.f"]


def test_a_region_that_is_never_closed_is_kept() -> None:
    text = '"a.b"() ({\n"f.f"() : () -> () loc(unknown)'
    module = read(text)
    assert module.unread == (Unread(1, '"a.b"() ({'),)
    assert [one.name for one in module.operations] == ["f.f"]


def test_a_region_that_is_closed_by_a_bad_line_is_kept() -> None:
    module = read('"a.b"() ({\n}) : (i32) -> () loc(unknown)')
    assert {one.line_number for one in module.unread} == {1, 2}


def test_operations_know_what_they_are_in() -> None:
    operations = read(KERNEL).operations
    lines = {one.line: one.name for one in operations}
    around = {one.name: lines.get(one.around, "") for one in operations}
    assert (around["builtin.module"], around["cuda.kernel"]) == ("", "gpu.module")
    assert (around["cute.print"], around["scf.yield"], around["func.return"]) == ("cuda.kernel", "scf.if", "func.func")


def test_no_line_is_lost() -> None:
    """Every line of the text is an operation's, a block's, the end of a region, or unread."""
    lines = [line.strip() for line in KERNEL.split("\n") if line.strip()]
    structure = [line for line in lines if line[0] in "}^"]
    assert len(read(KERNEL).operations) + len(structure) == len(lines)


def test_commas_in_brackets_and_strings_part_nothing() -> None:
    assert split_top('!a<"(1,2):(3,4)">, (i1, i1) -> i8, vector<4xf32>') == (
        '!a<"(1,2):(3,4)">',
        "(i1, i1) -> i8",
        "vector<4xf32>",
    )
    assert split_top("") == ()


def test_escapes() -> None:
    assert unescape(r"a\0Ab\\c\5Cd") == "a\nb\\c\\d"
