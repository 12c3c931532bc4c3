"""Answers and pictures as lines of text."""

import pytest

from veritile.model.errors import Witness
from veritile.model.notation import parse
from veritile.reports.reply import Reply
from veritile.reports.terminal import picture, reply_lines, witness_text


@pytest.mark.parametrize(
    ("witness", "text"),
    [
        (
            Witness("difference", {"coordinate": 4, "index": 4, "expected": 4, "got": 5}),
            "at coordinate 4: expected 4, got 5",
        ),
        (
            Witness("run", {"coordinate": (3, 0), "index": 3, "expected": 9, "got": 6, "run": 3, "size": 8}),
            "at coordinate (3,0), index 3: expected 9, got 6",
        ),
        (
            Witness("difference", {"coordinate": 4, "index": 4, "expected": 4, "got": None}),
            "at coordinate 4: expected 4, got nothing",
        ),
        (Witness("negative", {"coordinate": (3, (0, 1)), "offset": -3}), "coordinate (3,(0,1)) has the offset -3"),
        (Witness("outside", {"coordinate": 7, "offset": 38}), "coordinate 7 has the offset 38"),
        (Witness("element", {"offset": 1}), "the new element at offset 1 is not kept together"),
        (Witness("of a kind to come", {"here": (1, 2), "there": 3}), "here (1,2), there 3"),
    ],
)
def test_a_witness_is_one_sentence(witness: Witness, text: str) -> None:
    assert witness_text(witness) == text


def test_a_refusal_without_a_reason_says_so() -> None:
    assert reply_lines(Reply("refuted")) == ["refuted: no reason was given"]


def test_unknown_is_never_shown_as_proved() -> None:
    lines = reply_lines(Reply("unknown", result="4:1", reason="the budget of 1 s was spent"))
    assert lines == ["unknown: the budget of 1 s was spent"]


@pytest.mark.parametrize(
    "text",
    ["1:0", "8:2", "(4,8):(8,1)", "(300,300)", "(2,2,2):(1,2,4)", "((2,2),(4,2)):((1,8),(2,16))", "(4,8):(e0,e1)"],
)
def test_a_picture_fits_and_holds_the_first_offsets(text: str) -> None:
    layout = parse(text)
    lines = picture(layout)
    assert len({len(line.rstrip(" …")) for line in lines[1:17]}) <= 2
    assert max(map(len, lines)) <= 100
    assert str(layout(0)) in lines[1]


def test_offsets_that_are_too_long_have_no_picture() -> None:
    assert picture(parse("4:" + "9" * 200)) == ["  (the offsets are too long for a picture)"]
