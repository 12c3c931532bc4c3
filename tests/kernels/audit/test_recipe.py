"""Targets and recipes, and what is refused in them."""

from pathlib import Path

import pytest

from veritile.kernels.audit.recipe import read_architecture, read_recipe, read_target, read_targets
from veritile.model.errors import InputError


def test_a_module_and_a_name() -> None:
    assert (read_target("a.b").place, read_target("a.b").name) == ("a.b", None)
    assert (read_target("a.b:c").place, read_target("a.b:c.d").name) == ("a.b", "c.d")


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("")
    target = read_target("k.py:host", tmp_path)
    assert (target.place, target.name, target.is_file) == (str(tmp_path / "k.py"), "host", True)


@pytest.mark.parametrize("text", ["no.py", "no.py:host", "a b", "a:", "a:1", "", ":", "a..b", "-"])
def test_what_is_no_target_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_target(text)


RECIPE = """
[[kernel]]
target = "k.py:make"
arch = "sm_90a"
make = { n = 4096, dtype = "type bf16" }
args = { x = "bf16[m,4096]" }
environment = { NAME = "1" }

[[kernel]]
title = "second"
target = "a.b:c"
"""


def test_a_recipe(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("")
    (tmp_path / "r.toml").write_text(RECIPE)
    first, second = read_targets((str(tmp_path / "r.toml"),))
    assert (first.title, first.arch, first.make["n"], first.environment) == ("k.py:make", "sm_90a", 4096, {"NAME": "1"})
    assert first.place == str(tmp_path / "k.py")
    assert (second.title, second.place, second.name, second.arch) == ("second", "a.b", "c", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "one .*kernel"),
        ("kernel = 3", "one .*kernel"),
        ("kernel = []", "one .*kernel"),
        ("[[kernel]]\nx = 1", "'x' is none of"),
        ("[[kernel]]\narch = 'sm_90'", "target is missing"),
        ("[[kernel]]\ntarget = 3", "target is a text"),
        ("[[kernel]]\ntarget = 'a.b'\nargs = 3", "args is a table"),
        ("[[kernel]]\ntarget = 'a.b'\nargs = {x = 'f99'}", "x: an element type"),
        ("[[kernel]]\ntarget = 'a.b'\nargs = {x = [1]}", "x: an argument is a text"),
        ("[[kernel]]\ntarget = 'a.b'\nenvironment = {X = 1}", "are texts"),
        ("[[kernel]]\ntarget = 'a.b'\narch = 'sm_91'", "no architecture"),
        ("[[kernel]]\ntarget = 'no.py'", "no file no.py"),
        ("[other]\n[[kernel]]\ntarget = 'a.b'", "not other"),
        ("[[kernel]", "is no TOML"),
    ],
)
def test_what_is_no_recipe_is_refused_in_a_line(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(InputError, match=words):
        read_recipe(tmp_path / "r.toml")


def test_a_recipe_that_is_not_there() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_recipe(Path("no.toml"))


def test_architectures() -> None:
    assert read_architecture("sm_100a") == "sm_100a"
    with pytest.raises(InputError):
        read_architecture("sm_100b")
