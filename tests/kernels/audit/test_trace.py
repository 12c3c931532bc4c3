"""Listening to the DSL, which is two objects and a class here; with the DSL itself: test_session.py."""

from types import SimpleNamespace
from typing import Any

import pytest

from veritile.kernels.audit import trace
from veritile.kernels.audit.trace import LeftOut, Traced, tracing


class Compile:
    """As ``cute.compile``: a trace each time that it is called."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __call__(self, name: str) -> str:
        module = SimpleNamespace(operation=SimpleNamespace(get_asm=lambda **given: f"text of {name}"))
        for hook in self.owner._trace_finalize_hooks:
            hook(self.owner, module, name)
        return f"compiled {name}"


def instance() -> Any:
    hooks: list[Any] = []
    return SimpleNamespace(
        envar=SimpleNamespace(lineinfo=False),
        _trace_finalize_hooks=hooks,
        register_trace_finalize_hook=hooks.append,
    )


@pytest.fixture
def dsl(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found = [instance(), instance()]
    monkeypatch.setattr(trace, "_dsl", lambda: (found, Compile))
    monkeypatch.setattr(trace, "_locate_tiled_copies", lambda: lambda: None)
    return found


def test_every_compile_of_both_is_heard_with_its_source_lines_on(dsl: list[Any]) -> None:
    heard: list[Traced] = []
    with tracing(heard.append) as clock:
        assert [Compile(one)(name) for one, name in zip(dsl, "ab", strict=True)] == ["compiled a", "compiled b"]
        assert [one.envar.lineinfo for one in dsl] == [True, True]
    assert [(one.name, one.text) for one in heard] == [("a", "text of a"), ("b", "text of b")]
    assert clock.compile > 0 and clock.listening > 0


def test_all_is_as_it_was_afterwards_also_after_an_error(dsl: list[Any]) -> None:
    plain = Compile.__call__
    heard: list[Traced] = []
    with pytest.raises(KeyError), tracing(heard.append):
        raise KeyError
    assert Compile.__call__ is plain
    assert [(one.envar.lineinfo, one._trace_finalize_hooks) for one in dsl] == [(False, []), (False, [])]
    Compile(dsl[0])("a")
    assert heard == []


def test_a_compile_that_is_left_out_gives_what_does_nothing(dsl: list[Any]) -> None:
    heard: list[Traced] = []
    leave_out = iter([False, True, False])
    with tracing(heard.append, lambda: next(leave_out)):
        answers = [Compile(dsl[0])(name) for name in "abc"]
    assert [one.name for one in heard] == ["a", "c"]
    left: Any = answers[1]
    assert isinstance(left, LeftOut)
    assert left(1, x=2) is left.to(0)(3) is left


def test_an_exception_of_the_listener_goes_through(dsl: list[Any]) -> None:
    def fail(traced: Traced) -> None:
        raise ValueError(traced.name)

    with tracing(fail), pytest.raises(ValueError, match="a"):
        Compile(dsl[0])("a")
