"""The sources of kernels: a run of the validation speaks of one state of each.

CuTe DSL compiles a function from its lines in its file, and Python reads a file anew that has changed. A kernel that is
edited while rows are validated would be compiled as it is now, and held to the plan and the reference of what it was:
refused for nothing, or proved by them. So a worker reads each source once and compiles what it read (:func:`hold`); and
where a worker's source is not that of the run, which one started after an edit has, its rows are `unknown`
(:func:`check`).
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Iterable, Mapping
from importlib.util import decode_source
from pathlib import Path

from ..model.errors import InputError

FOLDER = Path(__file__).parent
_held: dict[str, bytes] = {}


class SourceChanged(InputError):
    """A source is another than the run began with."""


def states(own: Iterable[str] = ()) -> dict[str, str]:
    """The digest of each source that a row may be compiled from, as it is now: those here, and files of one's own.

    >>> str(FOLDER / "copy.py") in states()
    True
    """
    return {str(file): _digest(_read(str(file))) for file in (*sorted(FOLDER.glob("*.py")), *sorted(set(own)))}


def hold(file: str) -> bytes:
    """A source, read once: from then on its functions have the lines that it had, for CuTe DSL too.

    InputError where it cannot be read.
    """
    if file not in _held:
        source = _read(file)
        try:
            lines = decode_source(source).splitlines(keepends=True)
        except (SyntaxError, ValueError) as error:
            raise InputError(f"{file} is no text: {error}") from None
        linecache.cache[file] = (len(source), None, lines, file)  # without a time of change nobody looks for one
        _held[file] = source
    return _held[file]


def release(file: str) -> None:
    """Forgets a source that is held, so that it is read again."""
    _held.pop(file, None)
    linecache.cache.pop(file, None)


def held(files: Iterable[str]) -> dict[str, str]:
    """The digests of sources as they are held; those that are not yet are held from now on."""
    return {file: _digest(hold(file)) for file in files}


def check(run: Mapping[str, str], found: Mapping[str, str]) -> None:
    """SourceChanged where a source that was found is not the one of the run; both are digests by file.

    >>> check({"copy.py": "1"}, {"copy.py": "1"})
    >>> check({"copy.py": "1"}, {"copy.py": "2"})
    Traceback (most recent call last):
    ...
    veritile.kernels.sources.SourceChanged: copy.py changed during the run: validate it again
    """
    for file, digest in run.items():
        if found.get(file, digest) != digest:
            raise SourceChanged(f"{file} changed during the run: validate it again")


def _read(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()


__all__ = ["SourceChanged", "check", "held", "hold", "release", "states"]
