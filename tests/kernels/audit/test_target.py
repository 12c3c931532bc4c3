"""What a target names, and what of it is compiled; the DSL's compile is a list here."""

import sys
from pathlib import Path
from typing import Any

import pytest

from veritile.kernels.audit import target
from veritile.kernels.audit.target import is_jit, perform
from veritile.model.errors import InputError


def jit(function: Any) -> Any:
    """As the DSL's decorator marks it: the function inside a wrapper."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    function._decorator_kind = "jit"
    wrapper.__wrapped__ = function  # type: ignore[attr-defined]
    wrapper.__signature__ = __import__("inspect").signature(function)  # type: ignore[attr-defined]
    wrapper.__module__ = function.__module__
    return wrapper


SOURCE = """
import sys
from tests.kernels.audit.test_target import jit

@jit
def host(a, b=2):
    pass

class Object:
    @jit
    def __call__(self, a):
        pass

def make(n):
    return host if n else 3

def with_arguments():
    return host, 5

def by_itself():
    seen.append("by itself")

seen = []
if __name__ == "__main__":
    sys.modules["tests.kernels.audit.test_target"].RAN.append(sys.argv)
"""
RAN: list[list[str]] = []


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    monkeypatch.setitem(sys.modules, "tests.kernels.audit.test_target", sys.modules[__name__])
    (tmp_path / "k.py").write_text(SOURCE)
    return str(tmp_path / "k.py")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr(target, "made", lambda given: {name: one.value for name, one in given.items()})
    monkeypatch.setattr(target, "_cute_compile", lambda *given: found.append((type(given[0]).__name__, *given[1:])))
    return found


def task(place: str, name: str | None = None, **more: Any) -> dict[str, Any]:
    return {"place": place, "name": name, "args": {}, "make": {}, **more}


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        ("host", {"args": {"a": "1"}}, ("function", (), {"a": 1})),
        (None, {"args": {"a": 1, "b": "3"}}, ("function", (), {"a": 1, "b": 3})),
        ("Object", {"args": {"a": 1}}, ("Object", (), {"a": 1})),
        ("make", {"make": {"n": 1}, "args": {"a": 1}}, ("function", (), {"a": 1})),
        ("with_arguments", {}, ("function", (5,), {})),
    ],
)
def test_what_is_compiled(
    file: str, compiled: list[Any], name: str | None, more: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    perform(task(file, name, **more))
    assert compiled == [expected]


def test_a_function_that_compiles_by_itself_is_called(file: str, compiled: list[Any]) -> None:
    perform(task(file, "by_itself"))
    assert (compiled, sys.modules["k"].seen) == ([], ["by itself"])


def test_a_file_alone_is_run_as_a_program(file: str, compiled: list[Any]) -> None:
    RAN.clear()
    perform(task(file))
    assert (compiled, RAN) == ([], [[file]])


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("none", {}, "there is no none in k.py"),
        ("host.none", {}, "there is no host.none in k.py"),
        ("host", {"args": {"c": "1"}}, "host has no parameter c: it has a, b"),
        ("host", {}, "a fake argument is missing: host needs a"),
        ("host", {"make": {"n": 1}}, "host is a @cute.jit function: nothing makes it"),
        ("make", {}, "an argument is missing: make needs n"),
        ("make", {"make": {"n": 0}, "args": {"a": 1}}, "make gives no @cute.jit function"),
        ("seen", {}, "seen is a list, neither"),
    ],
)
def test_what_is_no_target_is_refused(
    file: str, compiled: list[Any], name: str, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as refused:
        perform(task(file, name, **more))
    assert words in refused.value.message


def test_a_module_that_is_not_there(compiled: list[Any]) -> None:
    for place in ("no_such_module", "json.no_such_module"):
        with pytest.raises(InputError, match=f"there is no module {place}"):
            perform(task(place))


def test_what_a_compile_takes() -> None:
    assert is_jit(jit(lambda: None))
    assert not is_jit(lambda: None)
    assert not is_jit(3)
    assert not is_jit(dict)
