"""Kept decisions: found again by text, solver and version; two runs at once, a killed run, a damaged file."""

import multiprocessing
import os
import signal
import sqlite3
import time

import pytest

from veritile.smt.solvers import Decision
from veritile.smt.store import Store

PROVED = Decision("z3", "5", "unsat", 0.5)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "kept" / "decisions.sqlite")


def test_a_decision_is_found_by_text_solver_and_version_only(store):
    store.put("text", PROVED)
    assert store.get("text", "z3", "5") == PROVED
    assert store.get("Text", "z3", "5") is store.get("text", "cvc5", "5") is store.get("text", "z3", "6") is None


def test_unknown_is_not_kept(store):
    store.put("text", Decision("z3", "5", "unknown", 20.0, "timeout"))
    assert store.count() == 0


def _write(path, start, count):
    own = Store(path)
    for i in range(start, start + count):
        own.put(f"text {i}", PROVED)


def test_two_runs_at_once_do_no_harm(store):
    processes = [multiprocessing.Process(target=_write, args=(store.path, start, 40)) for start in (0, 20)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert store.count() == 60
    assert store.notes == []


def test_a_killed_run_loses_nothing_that_it_had_decided(store):
    for round_ in range(3):
        process = multiprocessing.Process(target=_write, args=(store.path, 0, 100_000))
        process.start()
        deadline = time.monotonic() + 30
        while Store(store.path).count() < 10 * (round_ + 1) and time.monotonic() < deadline:
            pass
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        again = Store(store.path)
        kept = again.count()
        assert kept >= 10 * (round_ + 1)
        assert all(again.get(f"text {i}", "z3", "5") == PROVED for i in range(kept))
        assert again.notes == []


@pytest.mark.parametrize("damage", [b"no database at all" * 100, b""])
def test_a_damaged_file_is_noticed_and_begun_again(store, damage):
    store.put("text", PROVED)
    store.path.write_bytes(damage)
    for suffix in ("-wal", "-shm"):
        store.path.with_name(store.path.name + suffix).unlink(missing_ok=True)
    again = Store(store.path)
    assert again.get("text", "z3", "5") is None
    assert bool(again.notes) == bool(damage)
    again.put("text", PROVED)
    assert Store(store.path).get("text", "z3", "5") == PROVED


def test_bytes_broken_in_the_middle_never_give_a_wrong_decision(store):
    for i in range(200):
        store.put(f"text {i}", PROVED)
    data = bytearray(store.path.read_bytes())
    for at in range(5000, len(data), 997):
        data[at] ^= 0xFF
    store.path.write_bytes(bytes(data))
    again = Store(store.path)
    for i in range(200):
        assert again.get(f"text {i}", "z3", "5") in (None, PROVED)
    assert again.notes


def test_a_row_that_was_changed_is_not_believed(store):
    store.put("text", Decision("z3", "5", "sat", 0.5))
    connection = sqlite3.connect(store.path)
    connection.execute("UPDATE decisions SET answer = 'unsat'")
    connection.commit()
    connection.close()
    assert store.get("text", "z3", "5") is None
    assert "damaged" in store.notes[0]


def test_a_place_that_cannot_be_written_keeps_nothing_and_says_so(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    store = Store(tmp_path / "file" / "decisions.sqlite")
    store.put("text", PROVED)
    assert store.get("text", "z3", "5") is None
    assert store.notes
