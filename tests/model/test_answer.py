"""Answers: what each operation says beside its result."""

import dataclasses

import pytest

import veritile as vt
from veritile import Answer, layout, parse
from veritile.model.properties import decide_injective
from veritile.model.semimodule import F2
from veritile.model.vector import decide_max_common_layout, decide_nullspace

CLOSED, SEARCHED = ("closed-form",), ("closed-form", "enumeration")


def test_answers_are_frozen_and_say_how() -> None:
    answers = [
        vt.decide_coalesce(layout("(4,8)")),
        vt.decide_composition(layout("(4,8)"), layout("4:2")),
        vt.decide_complement(layout("4:1"), 8),
        vt.decide_divide(layout("8:1"), 4),
        vt.decide_product(layout("8:1"), 4),
        vt.decide_right_inverse(layout("8:1")),
        vt.decide_left_inverse(layout("8:1")),
        vt.decide_recast(layout("8:1"), 8, 16),
        vt.decide_slice(layout("(4,8)"), (None, 1)),
    ]
    for answer in answers:
        assert isinstance(answer, Answer) and answer.evidence and answer.out_of_range == 0
        with pytest.raises(dataclasses.FrozenInstanceError):
            answer.exact = None  # type: ignore[misc]


def test_what_was_enumerated_or_searched_is_not_said_to_be_a_closed_form() -> None:
    """Each twin is decided by the same function, the first without a search."""
    f2 = vt.Layout((4, 2), (F2(1), F2(4)))
    swizzled = parse("S<1,2,3> o 0 o (2,4):(1,16)")
    for answer, evidence in (
        (vt.decide_slice(parse("S<3,4,3> o 0 o (8,4):(2,64)"), (None, 1)), CLOSED),
        (vt.decide_slice(parse("S<1,0,2> o 0 o (2,5):(1,2)"), (None, 4)), ("enumeration",)),
        (vt.decide_composition(swizzled, layout("2:1")), CLOSED),
        (vt.decide_composition(parse("S<1,2,3> o 0 o (5,4):(1,5)"), layout("4:3")), CLOSED),
        (vt.decide_composition(f2, layout("4:2")), CLOSED),
        (vt.decide_composition(f2, layout("3:1")), ("enumeration",)),
        (vt.decide_extended_complement(layout("(4,8):(1,5)")), CLOSED),
        (vt.decide_extended_complement(layout("(3,3):(2,5)")), SEARCHED),
        (vt.decide_partial_complement(layout("(4,8):(1,5)"), 64), CLOSED),
        (vt.decide_partial_complement(layout("(3,3):(2,5)"), 64), SEARCHED),
        (vt.decide_product(layout("(4,8):(1,5)"), layout("1:0")), CLOSED),
        (vt.decide_product(layout("(3,3):(2,5)"), layout("1:0")), SEARCHED),
        (vt.decide_right_inverse(layout("(4,2):(1,8)")), CLOSED),
        (vt.decide_right_inverse(layout("(4,2):(1,-4)")), ("enumeration",)),
        (decide_max_common_layout(layout("(4,8):(1,4)"), layout("(4,8):(1,4)")), CLOSED),
        (decide_max_common_layout(layout("(3,3):(2,3)"), layout("(3,3):(2,3)")), SEARCHED),
        (decide_max_common_layout(layout("(2,2):(1,-1)"), layout("(2,2):(1,-1)")), ("enumeration",)),
        (decide_nullspace(layout("(4,2):(1,0)")), CLOSED),
        (decide_nullspace(layout("(3,3):(-2,3)")), SEARCHED),
        (decide_nullspace(layout("(2,2):(1,-1)")), ("enumeration",)),
    ):
        assert answer.evidence == evidence, answer


def test_the_evidence_of_injectivity() -> None:
    for text, evidence in (
        ("(4,3):(1,4)", "closed-form"),
        ("(4,3):(0,4)", "closed-form"),
        ("(3,3):(2,5)", "closed-form"),
        ("(3,3):(2,3)", "enumeration"),
        ("(3,4):(2,3)", "enumeration"),
        ("S<1,2,3> o 0 o (4,3):(1,4)", "closed-form"),
    ):
        assert decide_injective(parse(text))[1] == evidence, text
    assert decide_injective(vt.Layout((4, 2), (F2(1), F2(4))))[1] == "closed-form"
    assert decide_injective(vt.Layout((3, 2), (F2(1), F2(4))))[1] == "enumeration"
