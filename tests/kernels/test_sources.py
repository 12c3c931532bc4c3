"""A kernel that is edited while it is validated: a run speaks of one state of its source, or says that it changed."""

import inspect
import tempfile
from pathlib import Path
from typing import Any

import pytest

from veritile import InputError
from veritile.kernels import registry
from veritile.kernels.registry import load
from veritile.kernels.sources import FOLDER, SourceChanged, check, held, hold, release, states
from veritile.kernels.validation import _Worker, tasks_of

from .linked import ROOT

SCALE = (ROOT / "docs" / "kernels" / "scale.py").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def kernels_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))


def own(folder: Path, name: str) -> Path:
    """The kernel of docs/validation.md under another name, in a file of its own."""
    file = folder / f"{name}.py"
    file.write_text(SCALE.replace('NAME = "scale"', f'NAME = "{name}"'), encoding="utf-8")
    return file


def test_a_file_that_was_edited_has_the_lines_that_were_read(tmp_path: Path) -> None:
    file = own(tmp_path, "edited_lines")
    host = load(str(file)).host
    told = inspect.getsource(host)
    file.write_text("# one line more\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert inspect.getsource(host) == told
    release(str(file))
    assert inspect.getsource(host) != told  # what CuTe DSL would compile


def test_a_file_is_executed_as_it_was_held(tmp_path: Path) -> None:
    file = own(tmp_path, "held_first")
    hold(str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("held_first", "edited_since"), encoding="utf-8")
    assert load(str(file)).NAME == "held_first"


def test_a_file_that_failed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mended_kernel.py"
    file.write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        load(str(file))
    own(tmp_path, "mended_kernel")
    assert load(str(file)).NAME == "mended_kernel"


@pytest.mark.parametrize(("content", "told"), [(None, "cannot be read"), (b"# \xff\n", "is no text"), (b"#\n", "")])
def test_what_cannot_be_read(tmp_path: Path, content: bytes | None, told: str) -> None:
    file = tmp_path / "kernel.py"
    if content is not None:
        file.write_bytes(content)
    if told:
        with pytest.raises(InputError, match=told):
            hold(str(file))
    else:
        assert hold(str(file)) == content


def test_states_are_of_now_and_what_is_held_is_of_then(tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text("a = 1\n", encoding="utf-8")
    before = states([str(file)])
    assert set(before) == {str(file), *map(str, FOLDER.glob("*.py"))}
    check(before, held(before))
    file.write_text("a = 2\n", encoding="utf-8")
    after = states([str(file)])
    check(before, held(before))
    with pytest.raises(SourceChanged, match=r"kernel\.py changed during the run"):
        check(after, held(after))


def test_tasks_tell_the_sources_of_the_run() -> None:
    told = tasks_of(["copy/1D/f32"])[0]["sources"]
    assert told == states()


def asked(task: dict[str, Any], worker: _Worker) -> tuple[str, str]:
    answer = worker.ask({**task, "compile": False, "emulate": True}, 60.0)
    return answer["verdict"], answer["reason"]


def test_a_worker_goes_on_with_what_it_read_and_one_started_later_says_that_it_changed(tmp_path: Path) -> None:
    file = own(tmp_path, "edited_during")
    task = tasks_of([str(file)])[0]
    with tempfile.TemporaryDirectory() as folder:
        first, second = _Worker((), folder), _Worker((), folder)
        try:
            right = asked(task, first)
            assert right[0] == "proved"
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace("3 *", "5 *"), encoding="utf-8")
            assert asked(task, first) == right
            assert asked(task, second) == ("unknown", f"{file} changed during the run: validate it again")
        finally:
            first.end()
            second.end()


def test_a_kernel_of_this_folder_that_is_edited_while_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    from veritile.kernels import worker

    copy = str(FOLDER / "copy.py")
    task = {**tasks_of(["copy/1D/f32"])[0], "compile": False, "emulate": True}
    assert worker.judge(task)["verdict"] == "proved"
    monkeypatch.setattr(worker, "_imported", lambda: {**states(), copy: "another"})
    found = worker.judge(task)
    assert (found["verdict"], found["reason"]) == ("unknown", f"{copy} changed during the run: validate it again")
