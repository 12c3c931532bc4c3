"""The fixture of pytest, with a session in place of the DSL's."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.reports.test_audit import SMALL
from veritile.kernels import audit
from veritile.pytest_plugin import veritile_audit

fixture: Callable[[], Callable[..., Any]] = veritile_audit.__wrapped__  # type: ignore[attr-defined]


def test_a_fault_fails_the_test_in_the_words_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def auditing(allow: tuple[str, ...], **_: Any) -> Iterator[str]:
        yield "session"
        if allow != ("cute.slice",):
            raise audit.AuditFailed(SMALL)

    monkeypatch.setattr(audit, "auditing", auditing)
    with fixture()("cute.slice") as session:
        assert session == "session"
    with pytest.raises(pytest.fail.Exception, match=r"k\.py:12:9: cute\.composition") as failed, fixture()():
        pass
    assert "expected 8, got 7" in str(failed.value)
