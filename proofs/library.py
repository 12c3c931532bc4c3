"""All claims that veritile comes with, and how they are selected by name."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from ..model.errors import InputError
from ..smt.process import Failed, run_limited
from .claim import Claim

LOADING_SECONDS = 30.0  # that a file of claims may take to be executed

# In the order in which they are printed. Each has CLAIMS, a tuple of claims.
MODULES = [
    "paper.representation",
    "paper.copy_gemm",
    "paper.coalesce",
    "paper.composition",
    "paper.distribution",
    "paper.partitioning",
    "paper.inverses",
    "paper.vectorisation",
    "paper.admissibility",
    "paper.complement",
    "paper.product",
    "paper.divide",
    "paper.completeness",
    "paper.f2",
    "theorems.claims",
    "code.claims",
]


@cache
def library() -> dict[str, Claim]:
    """Every claim of the library by name, in library order; a name that stands twice is an error."""
    claims: dict[str, Claim] = {}
    for module in MODULES:
        for claim in importlib.import_module(f".{module}", __package__).CLAIMS:
            if claim.name in claims:
                raise ValueError(f"two claims are named {claim.name}")
            claims[claim.name] = claim
    return claims


def names() -> list[str]:
    """The names of the library's claims, in library order."""
    return list(library())


def select(patterns: Iterable[str] = ()) -> list[Claim]:
    """The claims that ``patterns`` name, in library order; all of them when there is no pattern.

    A pattern is a name, a glob (``complement.*``), or a Python file that defines ``CLAIMS``, an iterable of claims.
    Raises InputError for a pattern that names nothing and for a file that cannot be read.

    >>> [claim.name for claim in select(["divide.row.24*", "complement.spaced"])]
    ['complement.spaced', 'divide.row.24:3']
    """
    patterns = list(patterns)
    if not patterns:
        return list(library().values())
    chosen: set[str] = set()
    own: list[Claim] = []
    for pattern in patterns:
        if pattern.endswith(".py"):
            own += from_file(pattern)
            continue
        matching = {name for name in library() if fnmatchcase(name, pattern)}
        if not matching:
            raise InputError(f"no claim is named {pattern}: `veritile prove --list` names them")
        chosen |= matching
    return [claim for name, claim in library().items() if name in chosen] + own


@cache
def from_file(path: str) -> tuple[Claim, ...]:
    """The claims that a Python file defines as ``CLAIMS``; the file is executed, and what it prints goes to stderr.

    It is executed in a process of its own first: one that ends its process, or that never ends, is bad input.
    """
    resolved = Path(path).resolve()
    if not resolved.is_file():
        raise InputError(f"there is no file {path}")
    if multiprocessing.parent_process() is None:
        tried = run_limited(_execute, path, resolved, seconds=LOADING_SECONDS)
        if isinstance(tried, Failed):
            why = tried.error.message if isinstance(tried.error, InputError) else _cannot(path, tried.reason)
            raise InputError(why)
    return _execute(path, resolved).claims


def _cannot(path: str, why: str) -> str:
    return f"the claims of {path} cannot be read: {why}"


class _Loaded:
    """Claims that stay in the process that loaded them: functions of a file are not pickled."""

    def __init__(self, claims: tuple[Claim, ...]):
        self.claims = claims

    def __reduce__(self) -> tuple[type[_Loaded], tuple[tuple[()]]]:
        return _Loaded, ((),)


def _execute(path: str, resolved: Path) -> _Loaded:
    spec = importlib.util.spec_from_file_location(f"_claims_of_{resolved.stem}", resolved)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        with stdout_to_stderr():
            spec.loader.exec_module(module)
            claims = tuple(module.CLAIMS)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's file can raise anything
        line = (str(error).splitlines() or [""])[0]
        raise InputError(_cannot(path, f"{type(error).__name__}: {line}")) from None
    if not all(isinstance(claim, Claim) for claim in claims):
        raise InputError(f"CLAIMS of {path} holds something that is no claim")
    return _Loaded(tuple(replace(claim, origin=str(resolved)) for claim in claims))


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """What is printed meanwhile, by Python or by a process that it starts, goes to stderr."""
    sys.stdout.flush()
    with contextlib.redirect_stdout(sys.stderr):
        try:
            kept = os.dup(1)
            os.dup2(2, 1)
        except OSError:  # one of them is closed
            yield
            return
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)
