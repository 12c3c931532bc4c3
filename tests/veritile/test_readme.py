"""Every command that the README and docs/audit.md show is run, and says what they show."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from ..kernels.linked import run
from .run import veritile

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sessions(page: str = "README.md") -> list[tuple[str, list[str]]]:
    """The commands of every console block, each with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def matches(shown: list[str], said: list[str]) -> bool:
    """Whether ``said`` is what is ``shown``: ``…`` on a line of its own stands for lines, inside one for anything."""

    def pattern(line: str) -> str:
        if line == "…":
            return r"(?:.*\n)*?"
        return r".*?".join(map(re.escape, line.split("…"))) + r"\n"

    whole = "".join(map(pattern, shown))
    return re.fullmatch(whole, "".join(f"{line}\n" for line in said)) is not None


@pytest.mark.parametrize(
    ("shown", "said", "does"),
    [
        (["a", "…", "d"], ["a", "b", "c", "d"], True),
        (["a", "…", "d"], ["a", "d"], True),
        (["took … s"], ["took 0.1 s"], True),
        (["took … s"], ["took 0.1 ms"], False),
        (["a"], ["a", "b"], False),
        (["0, …, 38"], ["0, …, 38"], True),
    ],
)
def test_the_reading_of_an_abridged_output(shown: list[str], said: list[str], does: bool) -> None:
    assert matches(shown, said) is does


def check(command: str, shown: list[str], *more: str) -> None:
    words = shlex.split(command)
    assert words[0] == "veritile"
    said = veritile(*words[1:], *more)
    assert said.code in (0, 1, 3) or said.err
    lines = (said.err + said.out).splitlines()
    assert matches(shown, lines), "\n".join(lines)


def is_quick(command: str) -> bool:
    return not command.startswith(("veritile prove", "veritile audit", "veritile bundle", "veritile validate"))


@pytest.mark.parametrize(("command", "shown"), [s for s in sessions() if is_quick(s[0])])
def test_a_question_is_answered_as_shown(command: str, shown: list[str]) -> None:
    check(command, shown)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), [s for s in sessions() if s[0].startswith("veritile prove")])
def test_a_proof_goes_as_shown(command: str, shown: list[str]) -> None:
    check(command, shown)


@pytest.mark.slow
def test_kernels_are_bundled_and_validated_as_shown(
    tmp_path: Path, oracle_python: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundle is made here; it is validated where CuTe DSL is, and that part skipped where that lacks click."""
    monkeypatch.chdir(tmp_path)
    (bundle, made), (validate, shown) = [
        s for s in sessions() if s[0].startswith(("veritile bundle", "veritile validate"))
    ]
    check(bundle, made)
    python = oracle_python("cutlass")
    said = run(python, tmp_path, "-c", "import click, rich")
    if said.returncode:
        pytest.skip("the interpreter with CuTe DSL lacks what the command line needs")
    said = run(python, tmp_path, "-m", "veritile", *shlex.split(validate)[1:])
    assert matches(shown, said.stdout.splitlines()), said.stdout + said.stderr


AUDITS = [s for page in ("README.md", "docs/audit.md") for s in sessions(page) if s[0].startswith("veritile audit")]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), AUDITS)
def test_an_audit_goes_as_shown(
    command: str, shown: list[str], oracle_python: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skipped where the interpreter with other people's tools lacks the DSL, or the kernel's own package."""
    package = shlex.split(command)[2].split(".")[0]
    monkeypatch.chdir(ROOT)
    check(command, shown, "--python", oracle_python("cutlass" if "/" in package else package))


def test_there_are_commands_to_run() -> None:
    assert len(sessions()) >= 7
    assert sessions()[0][0] == "veritile prove"
