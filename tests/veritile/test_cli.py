"""What each command answers, in text and as JSON, with its exit code."""

import json
import re

import pytest

from veritile.commands.root import COMMANDS

from .run import veritile

FIELDS = [
    "operation",
    "operands",
    "verdict",
    "result",
    "size",
    "reason",
    "witness",
    "scope",
    "evidence",
    "conditions",
    "in_bounds",
    "exact",
    "out_of_range",
    "time_ms",
    "version",
]


@pytest.mark.parametrize(
    ("argv", "result"),
    [
        ("eval ((2,2),(4,2)):((1,8),(2,16)) 22", "26"),
        ("eval ((2,2),(4,2)):((1,8),(2,16)) (2,5)", "26"),
        ("eval ((2,2),(4,2)):((1,8),(2,16)) ((0,1),(1,1))", "26"),
        ("eval 4:-1 -3", "3"),
        ("eval (4,8):(e0,e1) (3,-2)", "3e0-2e1"),
        ("eval (8,8):(f1,f9) (1,1)", "f8"),
        ("eval S<1,0,1> 2", "3"),
        ("coalesce (2,(1,6)):(1,(6,2))", "12:1"),
        ("coalesce (2,(1,6)):(1,(6,2)) --profile (_,_)", "(2,6):(1,2)"),
        ("compose (4,6,8,10):(2,3,5,7) 6:12", "(2,3):(9,5)"),
        ("compose (4,2,8):(3,12,97) 3:3", "3:9"),
        ("compose (8,8):(f1,f9) ((4,8),2):((16,1),8)", "((4,8),2):((f18,f1),f9)"),
        ("compose (8,16):(20,1) <4:1,8:2>", "(4,8):(20,2)"),
        ("compose (8,16):(20,1) <4,_>", "(4,16):(20,1)"),
        ("complement (2,2):(1,6) --bound 24", "(3,2):(2,12)"),
        ("complement (4,8):(1,5) --extended", "1:40"),
        ("inverse (4,8):(8,1) --right", "(8,4):(4,1)"),
        ("inverse (4,8):(1,5) --left", "(5,8):(1,4)"),
        ("divide 24:3 8:3", "(8,3):(9,3)"),
        ("divide (8,16):(20,1) <4:1,8:2> --form zipped", "((4,8),(2,2)):((20,2),(80,1))"),
        ("product (3,4):(4,1) (2,5):(1,2)", "((3,4),(2,5)):((4,1),(12,24))"),
        ("product (3,4):(4,1) (2,5):(1,2) --form raked", "((2,3),(5,4)):((12,4),(24,1))"),
        ("recast (8,4):(1,8) --from 16 --to 32", "(4,4):(1,4)"),
        ("slice (8,8):(8,1) (_,5)", "(8):(8)"),
    ],
)
def test_an_operation_answers_with_its_result(argv: str, result: str) -> None:
    said = veritile(*argv.split(" "))
    assert (said.code, said.err) == (0, "")
    assert said.lines[0] == result
    assert said.lines[1].startswith("  proved (instance; ")
    told = veritile(*argv.split(" "), "--json").json
    assert (told["verdict"], told["result"], told["scope"]) == ("proved", result, "instance")


@pytest.mark.parametrize(
    ("argv", "witness"),
    [
        (
            "compose (6,2):(1,7) (3,2):(2,3)",
            {"kind": "difference", "coordinate": [2, 1], "index": 5, "expected": 8, "got": 7},
        ),
        ("compose 7:11 3:4 --in-bounds", {"kind": "outside", "coordinate": 2, "offset": 8}),
        ("compose (4,8) 4:2e0 --in-bounds", {"kind": "outside", "coordinate": 2, "offset": "4e0"}),
        ("compose (8,16):(20,1) <4:1,8:20> --in-bounds", {"kind": "outside", "coordinate": 1, "offset": 20}),
        ("equal (4,8):(1,5) 32", {"kind": "difference", "coordinate": 4, "index": 4, "expected": 5, "got": 4}),
        ("check (4,8):(1,5) onto=32", {"kind": "unreachable", "offset": 4}),
        ("check (4,8):(1,2) injective", {"kind": "collision", "coordinate": [2, 0], "other": [0, 1], "offset": 2}),
    ],
)
def test_a_refusal_gives_its_witness(argv: str, witness: dict[str, object]) -> None:
    said = veritile(*argv.split(" "), "--json")
    assert said.code == 1
    assert (said.json["verdict"], said.json["witness"], said.json["result"]) == ("refuted", witness, None)
    assert said.json["reason"]


def test_a_refused_composition_shows_the_values_on_the_way() -> None:
    said = veritile("compose", "(6,2):(1,7)", "(3,2):(2,3)")
    assert said.lines == [
        "refuted: no layout compatible with (3,2):(2,3) equals (6,2):(1,7) after it: "
        "the parts of its modes do not add up",
        "  at coordinate (2,1), index 5: expected 8, got 7",
        "  B(2,1) = 7, A(7) = 8",
    ]


@pytest.mark.parametrize("argv", ["eval 8:2 3", "compose 4:1 2:2", "compose (6,2):(1,7) (3,2):(2,3)", "coalesce (2,2)"])
def test_json_has_the_fields_of_an_answer_in_order(argv: str) -> None:
    said = veritile(*argv.split(), "--json")
    assert list(said.json) == FIELDS
    assert said.out.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "details"),
    [
        ("slice (4,(4,2)):(4,(1,16)) (_,(1,0))", {"offset": 1}),
        ("slice (4,8):(e0,e1) (_,3)", {"offset": "3e1"}),
        ("equal (4,8) 32", {"functions": True, "profiles": False}),
        ("equal 32:2 32:1", {"functions": False, "profiles": True}),
        ("inverse (4,8) --left", {"side": "left"}),
        ("divide 24:3 8:3 --form flat", {"form": "flat"}),
    ],
)
def test_json_tells_what_an_operation_knows_beyond_the_fields(argv: str, details: dict[str, object]) -> None:
    told = veritile(*argv.split(), "--json").json
    assert list(told) == [*FIELDS, "details"]
    assert details.items() <= told["details"].items()


def test_in_bounds_is_told_and_not_demanded() -> None:
    assert veritile("compose", "7:11", "3:4", "--json").json["in_bounds"] is False
    assert veritile("compose", "7:11", "3:3", "--json").json["in_bounds"] is True
    assert veritile("eval", "7:11", "9", "--json").json["in_bounds"] is False
    assert (
        "  9 is out of range of 7: the last mode is not reduced (paper, section 2.2)"
        in veritile("eval", "7:11", "9").lines
    )


def test_the_overhang_of_a_complement_and_of_a_divide_is_counted() -> None:
    told = veritile("complement", "(2,2):(1,6)", "--bound", "20", "--json").json
    assert (told["exact"], told["out_of_range"]) == (False, 4)
    told = veritile("divide", "25:3", "8:1", "--json").json
    assert (told["exact"], told["out_of_range"]) == (False, 7)


def test_every_property_is_decided_and_the_worst_counts() -> None:
    said = veritile("check", "(4,8):(1,5)", "injective", "onto=32", "contiguous=4", "disjoint=1:0", "within=39")
    assert said.code == 1
    assert [line.split() for line in said.lines[2:]] == [
        ["proved", "injective"],
        ["refuted", "onto=32"],
        ["proved", "contiguous=4"],
        ["proved", "disjoint=1:0"],
        ["proved", "within=39"],
    ]
    assert veritile("check", "(4,8):(8,1)", "injective", "bijective=32", "bijective").code == 0


def test_the_page_of_a_layout() -> None:
    said = veritile("show", "(4,8):(1,5)")
    assert said.code == 0
    assert [re.sub(r"  +", ": ", line.strip()) for line in said.lines[2:10]] == [
        "size: 32",
        "cosize: 39",
        "image: 0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, …, 38 (32 offsets)",
        "injective: yes",
        "onto: no: nothing reaches the offset 4",
        "contiguous run: 4",
        "left inverse: (5,8):(1,4)",
        "right inverse: 4:1",
    ]
    assert said.lines[-1] == " 3 |  3  8 13 18 23 28 33 38"
    told = veritile("show", "(4,8):(1,5)", "--json").json["details"]
    assert told["injective"]["value"] is True
    assert told["onto"] == {
        "verdict": "refuted",
        "value": False,
        "reason": "no",
        "witness": {"kind": "unreachable", "offset": 4},
    }


def test_show_counts_one_offset() -> None:
    assert "image: 0 (1 offset)" in [re.sub(r"  +", ": ", line.strip()) for line in veritile("show", "4:0").lines]


def test_the_page_of_a_layout_of_coordinates() -> None:
    said = veritile("show", "(4,8):(e0,e1)")
    assert said.code == 0
    assert any(line.split() == ["cosize", "(4,8)"] for line in said.lines)
    assert any(line.startswith("  onto            does not apply") for line in said.lines)


def test_a_large_layout_is_shown_by_an_excerpt() -> None:
    said = veritile("show", "(1099511627776,1024):(1024,1)")
    assert said.code == 0
    assert len(said.lines) < 40
    assert max(map(len, said.lines)) < 100


@pytest.mark.parametrize(
    ("argv", "err"),
    [
        ("eval (4,0) 3", ["a size must be positive, not 0", "  (4,0)", "     ^"]),
        ("compose 4:1 (2,2):(1,2", [") is expected here, not the end", "  (2,2):(1,2", "            ^"]),
        ("complement 4:2 --bound 0", ["a positive integer is expected here, not 0", "  0", "  ^"]),
        ("eval (4,8) (1,_)", ["an integer is expected here: '_' keeps a mode in a slice only", "  (1,_)", "     ^"]),
        ("eval (4,8) (1,1,1)", ["(1,1,1) is no coordinate of the shape (4,8)", "  (1,1,1)", "  ^"]),
        ("check 4:1 onto=*", ["an integer or a name is expected here, not '*'", "  onto=*", "       ^"]),
        ("check 4:1 disjoint=(4,0)", ["a size must be positive, not 0", "  disjoint=(4,0)", "              ^"]),
        (
            "check 4:1 offset-bits=9 --element-bits 8",
            ["offsets are held in 31, 32, 63 bits, not 9", "  offset-bits=9", "  ^"],
        ),
        ("check 4:1 injective=3", ["injective takes no value", "  injective=3", "           ^"]),
        ("check 4:1 onto", ["onto needs a value: onto=N", "  onto", "      ^"]),
        ("eval 4:1 3 --budget 0", ["a budget is more than 0 and at most 1e+06 seconds", "  0", "  ^"]),
        ("eval 4:1 3 --budget nan", ["a budget is more than 0 and at most 1e+06 seconds", "  nan", "  ^"]),
        ("eval S<2,0,0> 3", ["S<2,0,0> is no bijection: with shift 0 it clears bits instead of exchanging them"]),
        ("show S<2,0,1>", ["a swizzle has no size of its own: compose it with a layout", "  S<2,0,1>", "  ^"]),
        ("compse", ["No such command 'compse'. (see veritile --help)"]),
        ("eval 4:1", ["Missing argument 'C'. (see veritile eval --help)"]),
        ("eval 4:1 3 4", ["Got unexpected extra argument (4) (see veritile eval --help)"]),
        ("eval 4:1 3 --jsn", ["No such option '--jsn'. Did you mean '--json'? (see veritile eval --help)"]),
        ("complement 4:2", ["--bound N is missing (see veritile complement --help)"]),
        ("inverse 4:2", ["--left or --right is missing (see veritile inverse --help)"]),
    ],
)
def test_bad_input_is_told_in_one_line_with_a_caret_under_the_place(argv: str, err: list[str]) -> None:
    for more in ([], ["--json"]):
        said = veritile(*argv.split(" "), *more)
        assert (said.code, said.out) == (2, "")
        assert said.err.removeprefix("veritile: ").splitlines()[: len(err)] == err


def test_an_unknown_form_is_told_with_those_there_are() -> None:
    said = veritile("divide", "8:1", "2", "--form", "raked")
    assert said.code == 2
    assert "'logical', 'zipped', 'tiled', 'flat'" in said.err
    assert len(said.err.splitlines()) == 1


def test_arguments_may_begin_with_a_minus_sign() -> None:
    assert veritile("eval", "4:1", "-3").lines[0] == "-3"
    assert veritile("eval", "--", "4:1", "-3").lines[0] == "-3"
    assert veritile("eval", "--json", "4:1", "-3").json["result"] == "-3"
    said = veritile("eval", "4:1", "-x")
    assert said.code == 2
    assert said.err.startswith("veritile: No such option")
    assert veritile("eval", "-3:1", "1").err.splitlines()[1:] == ["  -3:1", "  ^"]


def test_control_characters_never_reach_the_terminal() -> None:
    for argv in (["eval", "4:\x1b[31m", "1"], ["\x1b]0;title\x07"], ["eval", "4:1", "1", "--\x1b[2J"]):
        said = veritile(*argv)
        assert said.code == 2
        assert all(line.isprintable() for line in said.err.splitlines())


def test_sizes_have_no_end() -> None:
    huge = "(" + ",".join(["9" * 600] * 2) + ")"
    told = veritile("eval", huge, "7", "--json").json
    assert told["result"] == "7"
    assert veritile("coalesce", huge).lines[0].endswith(":1")


def test_help_names_every_command_and_what_they_answer() -> None:
    said = veritile("--help")
    assert said.code == 0
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", said.out, re.MULTILINE)
        page = veritile(command, "--help")
        assert page.code == 0
        assert f"Usage: veritile {command}" in page.out
        for example in re.findall(r"^  veritile (.+)$", page.out, re.MULTILINE):
            assert example.split()[0] == command
    assert veritile().code == 2
    assert veritile("-h").out == said.out


def test_the_version_is_one() -> None:
    version = veritile("--version").out.split()[1]
    assert veritile("eval", "4:1", "3", "--json").json["version"] == version


def test_json_of_a_coordinate_is_made_of_lists_integers_and_notation() -> None:
    told = veritile("compose", "(6,2):(e0,e1)", "(3,2):(2,3)", "--json").json
    assert told["witness"]["coordinate"] == [2, 1]
    assert told["witness"]["expected"] == "e0+e1"
    assert json.loads(json.dumps(told)) == told
