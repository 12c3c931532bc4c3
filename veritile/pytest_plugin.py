"""A fixture for pytest: ``with veritile_audit(): cute.compile(…)`` fails the test where a layout operation is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest


@pytest.fixture
def veritile_audit() -> Callable[..., AbstractContextManager[Any]]:
    """:func:`veritile.kernels.audit.auditing`, a test failed in the words of ``veritile audit``.

    It works in the process of the tests: where CuTe DSL dies on a signal, so do they.
    """

    @contextmanager
    def audited(*allow: str, **options: Any) -> Iterator[Any]:
        from .kernels.audit import AuditFailed, auditing
        from .reports.audit import text_lines

        try:
            with auditing(allow, **options) as session:
                yield session
        except AuditFailed as failed:
            pytest.fail("\n".join(text_lines(failed.report)), pytrace=False)

    return audited
