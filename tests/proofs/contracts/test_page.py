"""docs/contracts.md tells of every rule with its source, and shows one that holds and one that fails of each contract.

That its examples come out as they stand there is tested in tests/test_doctests.py.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from veritile.proofs import contracts, plan
from veritile.proofs.contracts.rule import Rule

PAGE = (Path(__file__).parents[3] / "docs" / "contracts.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
ROWS = {
    name: row[0]
    for row in re.finditer(r"^\| (`[a-z_]+\.[^|]+) \|.*\|$", PAGE, flags=re.MULTILINE)
    for name in re.findall(r"`([a-z_]+\.[a-z_-]+)`", row[1])
}


def rules() -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    modules = [import_module(f"{contracts.__name__}.{one.name}") for one in iter_modules(contracts.__path__)]
    for module in modules:
        for value in vars(module).values():
            for part in value.values() if isinstance(value, dict) else [value]:
                if isinstance(part, Rule):
                    found[part.name] = part
    return found


@pytest.mark.parametrize("name", sorted(rules()))
def test_every_rule_stands_on_the_page_with_its_source(name: str) -> None:
    assert name in ROWS, f"{name} has no row"
    assert ROWS[name].rsplit("|", 2)[1].strip(), f"{name} has no source on the page"


def test_no_row_is_of_a_rule_that_is_gone() -> None:
    assert set(ROWS) <= set(rules())


def test_every_rule_of_plans_is_told() -> None:
    for value in vars(plan).values():
        if isinstance(value, Rule) and value.name.startswith("plan."):
            assert f"`{value.name}`" in SECTIONS["Plans"], value.name


@pytest.mark.parametrize("section", sorted(set(SECTIONS) - {"Plans"}))
def test_every_contract_shows_what_holds_and_what_fails(section: str) -> None:
    shown = re.findall(r"```python\n(.*?)```", SECTIONS[section], flags=re.DOTALL)
    text = "\n".join(shown)
    for verdict in ("proved", "refuted"):
        assert re.search(rf"^\s*{verdict} ", text, flags=re.MULTILINE), f"{section} shows nothing {verdict}"
