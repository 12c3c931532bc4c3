"""The command ``veritile audit``: bad input in a line, exit codes, what it prints and writes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .run import Said, veritile

SAMPLES = Path(__file__).resolve().parents[1] / "kernels" / "audit" / "samples"
PLAIN, PROGRAM = str(SAMPLES / "plain.py"), str(SAMPLES / "program.py")
HOST = (f"{PLAIN}:host", "--arch", "sm_90a", "--arg", "t=f32[n%4]:(1)@16", "--arg", "n=i32")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ((), "Missing argument 'TARGET...'. (see veritile audit --help)"),
        (("no.py",), "there is no file no.py"),
        (("no.toml",), "no.toml cannot be read: No such file or directory"),
        ((f"{PLAIN}:1",), "a name is expected after the colon, such as kernel.py:host"),
        (("a b",), "a target is a file.py, a dotted module, a recipe.toml, or with a name: module:name"),
        ((PLAIN, "--arch", "sm_91"), "no architecture is named sm_91: sm_80, sm_90a and sm_100a are some"),
        ((PLAIN, "--arg", "x"), "an argument is NAME=VALUE, such as x=f16[n%8,128]:(128,1)"),
        ((PLAIN, "--arg", "x=f16[4,8]:(8)"), "2 sizes have 2 strides, not 1"),
        ((PLAIN, "--make", "x=f16["), "a number, a name or ? is expected here"),
        ((PLAIN, "--python", "no-such-python"), "there is no interpreter no-such-python"),
        ((PLAIN, "--jobs", "0"), "a positive integer is expected here, not 0"),
        ((PLAIN, "--budget", "0"), "a budget is more than 0 and at most 1e+06 seconds"),
    ],
)
def test_what_is_no_question_is_refused_in_a_line(words: tuple[str, ...], first: str) -> None:
    said = veritile("audit", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines()[0] == f"veritile: {first}"


def test_an_error_at_its_place() -> None:
    assert veritile("audit", PLAIN, "--arg", "x=f99[4]").err.splitlines()[1:] == ["  x=f99[4]", "    ^"]


def test_a_recipe_takes_no_arguments(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("[[kernel]]\ntarget = 'a.b'\n")
    said = veritile("audit", str(tmp_path / "r.toml"), "--arg", "x=i32")
    assert (said.code, said.err) == (2, "veritile: a recipe says itself which arguments its kernels have\n")


Ask = Callable[..., Said]


@pytest.fixture
def audit(oracle_python: Callable[[str], str]) -> Ask:
    def ask(*words: str) -> Said:
        return veritile("audit", *words, "--python", oracle_python("cutlass"))

    return ask


@pytest.mark.slow
def test_a_wrong_composition_is_told_at_its_line(audit: Ask) -> None:
    said = audit(*HOST)
    assert said.code == 1
    assert "plain.py:11:9: cute.composition" in said.lines[0]
    assert "c = cute.composition(a, b)" in said.lines[1]
    assert any("at coordinate (2,1), index 5: expected 8, got 7" in line for line in said.lines)
    assert "1 wrong" in said.lines[-2]


@pytest.mark.slow
def test_json_is_one_object_with_operations_and_a_summary(audit: Ask) -> None:
    said = audit(*HOST, "--json")
    assert set(said.json) == {"operations", "summary"}
    assert said.json["summary"]["exit"] == said.code == 1
    assert {"right", "wrong", "outside", "not_checked"} < set(said.json["summary"])
    assert {"compile_ms", "reading_ms", "deciding_ms"} < set(said.json["summary"])
    assert said.json["summary"]["unread"] == []


@pytest.mark.slow
def test_a_death_is_not_clean_and_a_name_allows_it(audit: Ask) -> None:
    said = audit(PROGRAM, "--arch", "sm_90a")
    assert said.code == 3
    assert any("the process died here (signal SIGFPE)" in line for line in said.lines)
    assert audit(PROGRAM, "--arch", "sm_90a", "--allow", "logical_product").code == 0


@pytest.mark.slow
def test_one_bad_target_beside_a_good_one_is_told_and_the_good_one_is_audited(audit: Ask, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("x = 1\n")
    said = audit(str(tmp_path / "k.py"), f"{PLAIN}:compile_itself", "--arch", "sm_90a", "--kernel", "_kernel_")
    assert said.code == 1
    assert (
        said.err
        == f"veritile: {tmp_path / 'k.py'}: nothing was traced: it compiles no kernel here, or a cache gave it\n"
    )
    assert "1 wrong" in said.lines[-2]


@pytest.mark.slow
def test_a_target_in_which_nothing_is_traced_is_never_clean(audit: Ask, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("x = 1\n")
    said = audit(str(tmp_path / "k.py"))
    assert (said.code, said.out) == (2, "")
    assert (
        said.err
        == f"veritile: {tmp_path / 'k.py'}: nothing was traced: it compiles no kernel here, or a cache gave it\n"
    )


@pytest.mark.slow
def test_formats_are_written_to_a_file(audit: Ask, tmp_path: Path) -> None:
    for form in ("sarif", "md", "text"):
        assert audit(*HOST, "--format", form, "-o", str(tmp_path / form)).out == ""
    assert json.loads((tmp_path / "sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "md").read_text().startswith("# Audit\n")
    assert "cute.composition" in (tmp_path / "text").read_text()
