"""The stand-in for torch: names where torch is not installed, and nothing more."""

import importlib.util
import sys

import pytest

from veritile.kernels.audit import torch_stub


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.delitem(sys.modules, "torch.cuda", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def test_names_of_torch(without_torch: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    assert torch_stub.install()
    torch = sys.modules["torch"]
    assert {torch.float16: 1, torch.bfloat16: 2}[torch.float16] == 1
    assert repr(torch.int8) == "torch.int8"
    assert not torch.cuda.is_available()
    with pytest.raises(AttributeError, match=r"stand-in has no torch\.empty"):
        torch.empty  # noqa: B018
    with pytest.raises(RuntimeError, match="has no tensors"):
        torch.Tensor()
    assert not torch_stub.install()


def test_torch_itself_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", sys)
    assert not torch_stub.install()
    assert sys.modules["torch"] is sys
