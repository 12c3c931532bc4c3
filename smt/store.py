"""Decisions that are kept: an SQLite file keyed by the digest of an obligation's text, the solver and its version.

Every decision is one transaction in write-ahead mode: two runs at once do no harm, and a run that is killed loses
nothing that it had decided. Each row carries a digest of itself; a damaged file or row is noticed, set aside and
decided again. Only ``sat`` and ``unsat`` are kept: ``unknown`` may become known with more time.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from .smtlib import digest
from .solvers import Decision

FORMAT = 1
T = TypeVar("T")
_TABLE = """
CREATE TABLE IF NOT EXISTS decisions (
    text_digest TEXT NOT NULL, solver TEXT NOT NULL, version TEXT NOT NULL,
    answer TEXT NOT NULL, seconds REAL NOT NULL, model TEXT NOT NULL, row_digest TEXT NOT NULL,
    PRIMARY KEY (text_digest, solver, version)) WITHOUT ROWID
"""


def default_path() -> Path:
    """Where decisions are kept: $VERITILE_STORE, or veritile/decisions.sqlite in the user's cache folder."""
    given = os.environ.get("VERITILE_STORE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "veritile" / "decisions.sqlite"


class Store:
    """Decisions on disk; ``notes`` says what was found damaged. Every method opens and closes its own connection.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "decisions.sqlite")
    ...     store.put("(check-sat)", Decision("z3", "5.4", "unsat", 0.25))
    ...     store.get("(check-sat)", "z3", "5.4").answer, store.get("(check-sat)", "z3", "5.5")
    ('unsat', None)
    """

    def __init__(self, path: Path | None = None):
        self.path = path or default_path()
        self.notes: list[str] = []
        self._is_open = False

    def get(self, text: str, solver: str, version: str) -> Decision | None:
        """What was decided of this text by this solver in this version; None: nothing, or nothing that is whole."""
        key = digest(text)
        return self._read(solver, version, key).get(key)

    def get_many(self, keys: Iterable[str], solver: str, version: str) -> dict[str, Decision]:
        """What is known of many texts, by their digests."""
        wanted = set(keys)
        return {key: found for key, found in self._read(solver, version).items() if key in wanted}

    def _read(self, solver: str, version: str, key: str | None = None) -> dict[str, Decision]:
        def read(connection: sqlite3.Connection) -> list[tuple[str, str, float, str, str]]:
            question = "SELECT text_digest, answer, seconds, model, row_digest FROM decisions"
            where, values = " WHERE solver = ? AND version = ?", [solver, version]
            if key is not None:
                where, values = where + " AND text_digest = ?", [*values, key]
            return connection.execute(question + where, values).fetchall()

        found = {}
        for own, answer, seconds, model, row_digest in self._with(read):
            if row_digest == _row_digest(own, solver, version, answer, seconds, model):
                found[own] = Decision(solver, version, answer, seconds, model=model)
            else:
                self._note(f"a decision of {solver} is damaged and is made again")
        return found

    def put(self, text: str, decision: Decision) -> None:
        """Keeps a decision, at once and whole. ``unknown`` is not kept."""
        if decision.answer not in ("sat", "unsat"):
            return
        key = digest(text)
        d = decision
        row_digest = _row_digest(key, d.solver, d.version, d.answer, d.seconds, d.model)

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute(
                    "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (key, d.solver, d.version, d.answer, d.seconds, d.model, row_digest),
                )

        self._with(write)

    def count(self) -> int:
        """How many decisions are kept."""
        return self._with(lambda c: int(c.execute("SELECT COUNT(*) FROM decisions").fetchone()[0]))

    def _with(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """``work`` on a connection; a damaged file is set aside and a new one begun."""
        try:
            return self._try(work)
        except sqlite3.OperationalError as error:
            # Locked, read-only, no space: not damage. Decisions go on, they are only not kept.
            self._note(f"{self.path} cannot be used: {error}")
        except (sqlite3.DatabaseError, OSError) as error:
            self._set_aside(error)
            with contextlib.suppress(sqlite3.Error, OSError):
                return self._try(work)
        with contextlib.closing(sqlite3.connect(":memory:")) as nothing:
            nothing.execute(_TABLE)
            return work(nothing)

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(sqlite3.connect(self.path, timeout=30)) as connection:
            if not self._is_open:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                    raise sqlite3.DatabaseError("its pages do not fit together")
                known = connection.execute("PRAGMA user_version").fetchone()[0]
                if known not in (0, FORMAT):
                    raise sqlite3.DatabaseError(f"format {known}, not {FORMAT}")
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version={FORMAT}")
                self._is_open = True
            return work(connection)

    def _set_aside(self, error: Exception) -> None:
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
        self._is_open = False
        with contextlib.suppress(OSError):
            os.replace(self.path, aside)
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(OSError):
                os.replace(f"{self.path}{suffix}", f"{aside}{suffix}")
        self._note(f"{self.path} was damaged ({error}); it is kept as {aside.name} and begun again")

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _row_digest(key: str, solver: str, version: str, answer: str, seconds: float, model: str) -> str:
    return digest("\x1f".join((key, solver, version, answer, repr(seconds), model)))
