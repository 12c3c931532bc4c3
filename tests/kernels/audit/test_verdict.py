import pytest

from veritile.kernels.audit import verdict
from veritile.kernels.audit.verdict import Decision, not_checked, outside, right, rule, wrong


def test_a_verdict_owes_its_grounds() -> None:
    assert right("closed-form").verdict == verdict.RIGHT
    assert [d.verdict for d in (wrong("r"), outside("r"), not_checked("r"))] == ["wrong", "outside", "not checked"]
    for bare in ({"verdict": "right"}, {"verdict": "wrong"}, {"verdict": "outside"}, {"verdict": "proved"}):
        with pytest.raises(ValueError, match=r"owes|no verdict"):
            Decision(**bare)


def test_a_name_has_one_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "RULES", {})
    rule("cute.a", "cute.b")(lambda call: right("closed-form"))
    assert set(verdict.RULES) == {"cute.a", "cute.b"}
    with pytest.raises(ValueError, match=r"cute\.a has a rule"):
        rule("cute.a")(lambda call: right("closed-form"))
