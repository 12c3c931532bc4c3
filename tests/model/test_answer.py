"""Answers: what each operation says beside its result."""

import dataclasses

import pytest

import veritile as vt
from veritile import Answer, layout


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
