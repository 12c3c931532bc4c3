"""Names on the command line: --where, --guard, conditions in text and in JSON, exit codes."""

from itertools import count

import pytest

from veritile.commands import vector

from .run import veritile


def test_a_formula_for_every_value() -> None:
    said = veritile("inverse", "(16,n):(1,16)", "--right", "--json")
    assert said.code == 0
    assert (said.json["verdict"], said.json["result"], said.json["size"]) == ("proved", "16*n:1", "16*n")
    assert (said.json["scope"], said.json["conditions"]) == ("every n", None)


def test_a_condition_is_a_refutation_with_its_witness() -> None:
    said = veritile("divide", "(12,(4,8)):(7,(1,30))", "n:1", "--guard", "python,cpp,cute", "--json")
    assert (said.code, said.json["verdict"]) == (1, "refuted")
    assert said.json["conditions"] == "n % 48 == 0 or n <= 4 or n in (6, 12, 24)"
    assert said.json["witness"]["names"] == {"n": 5}
    guards = said.json["details"]["guard"]
    assert guards["python"] == said.json["conditions"]
    assert guards["cpp"] == "assert(n % 48 == 0 || n <= 4 || (n == 6 || n == 12 || n == 24));"
    assert [eval(guards["python"], {}, {"n": n}) for n in (5, 6, 48, 50)] == [False, True, True, False]


def test_what_is_known_of_the_names_makes_it_hold() -> None:
    said = veritile("divide", "(12,(4,8)):(7,(1,30))", "n:1", "--where", "n % 48 == 0, n >= 96")
    assert said.code == 0
    assert said.lines[0] == "((12,4,n/48),ceil(384/n)):((7,1,30),5*n/8)"
    assert "every n with n % 48 == 0 and n >= 96" in said.lines[1]


def test_never() -> None:
    said = veritile("compose", "(4,n,8):(2,3,5)", "6:3")
    assert said.code == 1
    assert "  holds for no value allowed" in said.lines


def test_properties_with_names() -> None:
    said = veritile("check", "(4,n):(1,5)", "injective", "onto=4*n", "--json")
    assert (said.code, said.json["conditions"]) == (1, "n == 1")
    assert [one["verdict"] for one in said.json["details"]["properties"]] == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("argv", "first"),
    [
        ("eval (4,n):(1,4) (1,n-1)", "4*n-3"),
        ("slice (4,n):(1,4) (_,n-1)", "(4):(1)"),
        ("coalesce (192,n):(1,192)", "192*n:1"),
        ("complement (4,n):(1,4) --bound 64*n", "16:4*n"),
        ("product (4,n):(1,4) n", "((4,n),n):((1,4),4*n)"),
        ("recast (8,n):(1,8) --from 16 --to 32", "(4,n):(1,4)"),
        ("show (4,n):(n,1)", "(4,n):(n,1)"),
        ("equal (4,n):(1,4) 4*n:1", "proved (every n; closed-form from n = 2 on; enumeration of 1 smaller value)"),
    ],
)
def test_every_command_takes_names(argv: str, first: str) -> None:
    said = veritile(*argv.split(" "))
    assert (said.code, said.lines[0]) == (0, first)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["coalesce", "(4,n/8):(1,4)"], "veritile: n/8 is no integer for every value allowed: say more with --where"),
        (["coalesce", "(4,8):(1,4)", "--where", "n > 1"], "veritile: --where speaks of n, which no operand has"),
        (["coalesce", "(4,n):(1,4)", "--where", "n % 8 = 0"], "veritile: write == for a comparison"),
        (
            ["coalesce", "(4,n):(1,4)", "--guard", "C"],
            "veritile: a guard is written in python, cpp, cute, not 'C'",
        ),
        (["coalesce", "(4,2n):(1,4)"], "veritile: write 2*n for a product"),
    ],
)
def test_bad_input_is_one_line_with_a_caret(argv: list[str], message: str) -> None:
    said = veritile(*argv)
    assert (said.code, said.out) == (2, "")
    assert said.err.split("\n")[0] == message


@pytest.mark.parametrize(("budget", "code"), [("30", 0), ("5", 3)])
def test_of_widths_that_no_time_is_left_for_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, budget: str, code: int
) -> None:
    """Each look at the clock takes two seconds: at the third width the five are over."""
    monkeypatch.setattr(vector, "monotonic", count(0, 2).__next__)
    said = veritile(
        "vector", "(4,64):(N,1)", "(4,64):(N,1)", "--element-bits", "32", "--align", "4", "--budget", budget
    )
    assert said.code == code
    assert said.out.startswith(
        "1 elements, 32 bits" if code == 0 else "unknown: of 32 bits and fewer: the budget was spent"
    )
