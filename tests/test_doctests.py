"""Every example in a docstring, the README and docs/ runs and prints what it says.

pytest's own ``--doctest-modules`` would import ``model/layout.py`` as ``model.layout``; its name is
``veritile.model.layout``, and its relative imports work under that name alone.
"""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "veritile": "veritile",
    "model": "veritile.model",
    "smt": "veritile.smt",
    "proofs": "veritile.proofs",
    "kernels": "veritile.kernels",
    "reports": "veritile.reports",
}
FLAGS = doctest.NORMALIZE_WHITESPACE


def _modules() -> list[str]:
    names = []
    for folder, package in ROOMS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            # A file without an example costs an import here and tells nothing.
            if path.name != "__main__.py" and ">>>" in path.read_text(encoding="utf-8"):
                parts = path.relative_to(ROOT / folder).with_suffix("").parts
                names.append(".".join((package, *(p for p in parts if p != "__init__"))))
    return names


@pytest.mark.parametrize("name", _modules())
def test_module(name: str) -> None:
    module = importlib.import_module(name)
    assert ROOT in Path(module.__file__ or "").resolve().parents, f"{name} comes from {module.__file__}, not this tree"
    failed, tried = doctest.testmod(module, optionflags=FLAGS)
    assert tried, f"{name} has a >>> that no docstring holds"
    assert not failed


@pytest.mark.parametrize("page", ["README.md", *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))])
def test_page(page: str) -> None:
    failed, _ = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert not failed
