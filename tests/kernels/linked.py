"""The rooms linked as one package, for an interpreter that has CuTe DSL and NumPy and no installed veritile."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("model", "smt", "proofs", "kernels", "reports")


def environment(folder: Path) -> dict[str, str]:
    """The environment in which ``import veritile`` finds this tree, linked into ``folder``."""
    package = folder / "links" / "veritile"
    if not package.exists():
        package.mkdir(parents=True)
        for entry in (ROOT / "veritile").iterdir():
            (package / entry.name).symlink_to(entry)
        for room in ROOMS:
            (package / room).symlink_to(ROOT / room)
    return {**os.environ, "PYTHONPATH": str(folder / "links"), "CUTE_DSL_NO_CACHE": "1"}


def run(python: str, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """An interpreter run in a folder of its own."""
    return subprocess.run(
        [python, *arguments],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
