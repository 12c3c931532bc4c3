"""The house rules that a reader would otherwise have to check: arrows between rooms, names, docstrings, versions."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Which rooms a room may import, and which packages from outside (besides the standard library).
ARROWS: dict[str, set[str]] = {
    "model": set(),
    "smt": {"model"},
    "proofs": {"model", "smt"},
    "kernels": {"model", "proofs"},
    "reports": {"model", "proofs"},
    "veritile": {"model", "smt", "proofs", "kernels", "reports"},
}
OUTSIDE: dict[str, set[str]] = {
    "model": {"sympy", "numpy"},
    "smt": {"sympy", "numpy", "z3", "cvc5"},
    "proofs": {"sympy", "numpy"},
    "kernels": {"numpy", "cutlass", "cuda", "torch"},
    "reports": {"rich", "numpy"},
    "veritile": {"click", "rich", "numpy", "pytest"},
}
# Costly to import (sympy 0.25 s): inside functions only, so that a cold command line answers at once.
LAZY = {"sympy", "numpy", "z3", "cvc5", "cutlass", "cuda", "torch"}


def _sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def _package(path: Path) -> list[str]:
    """The dotted name, in parts, of the package that a file's relative imports start from."""
    parts = list(path.relative_to(ROOT).parts[:-1])
    return parts if parts[0] == "veritile" else ["veritile", *parts]


def _imports(path: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every import of a file, as (line, absolute dotted name)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            package = _package(path)
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            # `from .. import model` names the room only in what is imported.
            for alias in node.names:
                yield node.lineno, ".".join([*module, alias.name] if module == ["veritile"] else module)


def _broken_arrows(room: str, path: Path, source: str) -> list[str]:
    broken = []
    for line, name in _imports(path, ast.parse(source)):
        first, _, rest = name.partition(".")
        if first == "veritile":
            target = rest.split(".")[0]
            target = target if target in ARROWS else "veritile"
            allowed = target == room or target in ARROWS[room]
        elif first in ARROWS:
            allowed = False  # `import model` would be a second copy of the room
        else:
            allowed = first in sys.stdlib_module_names or first in OUTSIDE[room]
        if not allowed:
            broken.append(f"{path.relative_to(ROOT)}:{line}: {room}/ may not import {name}")
    return broken


@pytest.mark.parametrize("room", ARROWS)
def test_arrows_between_rooms_go_one_way(room: str) -> None:
    assert [b for path in _sources(room) for b in _broken_arrows(room, path, path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("room", "source", "is_broken"),
    [
        ("model", "from ..smt import encode", True),
        ("model", "from .. import smt", True),
        ("model", "from veritile.proofs.claim import Claim", True),
        ("model", "import veritile", True),
        ("model", "import model.layout", True),
        ("model", "def f():\n    import z3", True),
        ("model", "from .layout import Layout\nimport math", False),
        ("smt", "from ..model.layout import Layout\nfrom .. import model", False),
        ("smt", "from ..proofs import claim", True),
        ("reports", "from ..kernels import gate", True),
        ("kernels", "from ..smt import solve", True),
        ("veritile", "from .model import Layout\nfrom .cli import main", False),
    ],
)
def test_the_reading_of_arrows(room: str, source: str, is_broken: bool) -> None:
    assert bool(_broken_arrows(room, ROOT / room / "made_up.py", source)) is is_broken


@pytest.mark.parametrize("room", ["model", "veritile"])
def test_costly_packages_are_imported_inside_functions(room: str) -> None:
    early = []
    for path in _sources(room):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                early += [
                    f"{path.relative_to(ROOT)}:{line}: {name}"
                    for line, name in _imports(path, node)
                    if name.split(".")[0] in LAZY
                ]
    assert early == []


def test_import_of_veritile_brings_in_no_costly_package() -> None:
    code = "import sys, veritile; print(*sorted(set(sys.modules) & set(sys.argv[1:])))"
    answer = subprocess.run(
        [sys.executable, "-c", code, *sorted(LAZY)], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert (answer.returncode, answer.stdout.strip()) == (0, ""), answer.stderr


@pytest.mark.parametrize("room", ["model"])
def test_every_public_function_and_class_has_a_docstring(room: str) -> None:
    bare = []
    for path in _sources(room):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not ast.get_docstring(tree):
            bare.append(f"{path.relative_to(ROOT)}: the module")
        classes = [n for n in tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]
        for node in [*tree.body, *(n for c in classes for n in c.body)]:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                is_overload = isinstance(node, ast.FunctionDef) and any(
                    ast.unparse(d).endswith("overload") for d in node.decorator_list
                )
                if not ast.get_docstring(node) and not is_overload:
                    bare.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}")
    assert bare == []


def test_every_package_folder_is_built_into_a_wheel() -> None:
    tables = PROJECT["tool"]["setuptools"]
    folders = {p.parent.relative_to(ROOT).parts for room in ARROWS for p in (ROOT / room).rglob("__init__.py")}
    found = {".".join(f if f[0] == "veritile" else ("veritile", *f)) for f in folders}
    assert found == set(tables["packages"])
    assert set(tables["package-dir"].values()) == set(ARROWS)


def test_every_folder_with_code_is_a_package() -> None:
    folders = {p.parent for room in ARROWS for p in _sources(room)}
    assert [str(f.relative_to(ROOT)) for f in sorted(folders) if not (f / "__init__.py").exists()] == []


def test_the_changelog_tells_of_the_current_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == PROJECT["project"]["version"]


def test_the_readme_names_the_two_commands_and_the_makefile_has_them() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("prove", "test"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_every_direct_dependency_is_pinned() -> None:
    def canonical(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [p for p in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", p)] == []
    assert len({canonical(p.split("==")[0]) for p in pins}) == len(pins)
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = [*PROJECT["project"]["dependencies"], *(d for extra in extras for d in extra)]
    names = {canonical(re.split(r"[<>=!~\[; ]", d, maxsplit=1)[0]) for d in wanted}
    assert names - {canonical(p.split("==")[0]) for p in pins} == set()


# Written in two halves, so that this file does not name them itself.
MACHINE_PATHS = ["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/opt" + "/", "/Use" + "rs/"]
REGISTRY_HOSTS = ["pypi" + ".org", "python" + "hosted", "npm" + "js", "conda" + ".anaconda", "pypi." + "nvidia"]


def _texts() -> Iterator[tuple[Path, str]]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        try:
            yield path, path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue


def test_no_file_names_a_machine_path_or_a_registry_host() -> None:
    named = []
    for path, text in _texts():
        for word in [*MACHINE_PATHS, *REGISTRY_HOSTS]:
            # A path of a machine starts a word; inside one it is part of an address or of a relative path.
            if re.search(rf"(?<![\w.}}]){re.escape(word)}", text):
                named.append(f"{path.relative_to(ROOT)}: {word}")
    assert named == []


def test_text_files_are_clean() -> None:
    untidy = []
    for path, text in _texts():
        if path.suffix in {".py", ".md", ".toml", ".txt", ".json"} or path.name in {"Makefile", "run"}:
            if text and not text.endswith("\n"):
                untidy.append(f"{path.relative_to(ROOT)}: no newline at the end")
            if "\r" in text:
                untidy.append(f"{path.relative_to(ROOT)}: carriage returns")
    assert untidy == []
