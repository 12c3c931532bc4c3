"""report, draw and explore from the command line, and the pictures that the README shows."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ..veritile.run import veritile

ROOT = Path(__file__).resolve().parents[2]
REFUTED = "compose (6,2):(1,7) (3,2):(2,3)"


def test_a_report_in_every_format(tmp_path: Path) -> None:
    said = veritile("report", "complement.coordinate-row", "--format", "html,md,json,sarif,junit", "-o", str(tmp_path))
    assert said.code == 0, said.err
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"report.html", "report.md", "report.json", "report.sarif", "report.xml"}
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert told["entries"][0]["word"] == "finding" and told["entries"][0]["file"].startswith("proofs/paper/")
    ET.parse(tmp_path / "report.xml")
    again = veritile("report", str(tmp_path / "report.json"), "--format", "json", "-o", "-")
    assert json.loads(again.out)["entries"] == told["entries"]


def test_a_saved_run_and_a_question(tmp_path: Path) -> None:
    saved = tmp_path / "answer.json"
    saved.write_text(veritile("check", "(4,8):(1,2)", "injective", "--json").out, encoding="utf-8")
    said = veritile("report", str(saved), "--question", REFUTED, "--format", "md", "-o", "-")
    assert said.code == 1
    assert "`compose (6,2):(1,7) (3,2):(2,3)`" in said.out and "Expected `8`, got `7`." in said.out
    said = veritile("report", "--question", "complement (2,3):(1,3) --bound 18", "--format", "md", "-o", "-")
    assert said.code == 1 and "that shift also reaches 3" in said.out


@pytest.mark.parametrize(
    "argv",
    [
        ("report", "--format", "pdf"),
        ("report", "no-such-claim"),
        ("report", "no-such-file.json"),
        ("report", "--question", "rm -rf /"),
        ("report", "--question", "compose '"),
        ("report", "--question", "compose (4,0) 3"),
        ("report", "coalesce.*", "--format", "html,md", "-o", "-"),
        ("draw", "cat", "4:1"),
        ("draw", "compose", "4:1"),
        ("draw", "tv", "(4,2):(1,4)"),
        ("draw", "swizzle", "4:1"),
        ("draw", "timeline", "no-such-plan.toml"),
        ("draw", "layout", "4:1", "-o", "/no/such/folder/x.svg"),
        ("explore", "-o", "/no/such/folder/x.html"),
        ("show", "(4,n):(1,4)", "--svg"),
    ],
)
def test_what_is_not_understood_is_one_line(argv: tuple[str, ...]) -> None:
    said = veritile(*argv)
    assert said.code == 2 and said.err.startswith("veritile: "), (said.out, said.err)


def test_broken_json_is_refused(tmp_path: Path) -> None:
    for text in ("{", "[]", "{}", '{"entries": [], "format": 9}', '{"claims": [1]}', "[" * 100_000):
        path = tmp_path / "x.json"
        path.write_text(text, encoding="utf-8")
        assert veritile("report", str(path), "-o", str(tmp_path / "out.html")).code == 2, text[:20]


@pytest.mark.parametrize(
    "argv",
    [
        ("draw", "layout", "(4,8):(1,5)"),
        ("show", "(4,8):(1,5)", "--svg"),
        ("draw", "tv", "((4,8),2):((16,1),8)", "--tile", "(8,8)"),
        ("draw", "compose", "(4,8):(1,4)", "8:2", "--at", "3"),
        ("draw", "divide", "(8,16):(20,1)", "<4:1,8:2>"),
        ("draw", "complement", "(2,2):(1,6)", "--bound", "24"),
        ("draw", "complement", "(4,8):(1,5)"),
        ("draw", "banks", "(8,8):(1,8)", "(8,64):(64,1)", "--vector", "8"),
        ("draw", "swizzle", "S<2,0,3>"),
    ],
)
def test_pictures_are_printed(argv: tuple[str, ...]) -> None:
    said = veritile(*argv)
    assert said.code == 0, said.err
    assert ET.fromstring(said.out).get("role") == "img"


def test_a_divide_that_does_not_exist_is_refuted() -> None:
    said = veritile("draw", "divide", "24:1", "(2,2):(1,3)")
    assert (said.code, said.out) == (1, "") and said.err.startswith("refuted: ")


def test_the_run_of_a_plan_that_goes_wrong(tmp_path: Path) -> None:
    text = """
name = "ring"
arch = "sm_90a"

[[ring]]
name = "tiles"
stages = 2
full_count = 1
empty_count = 128

[[ring.producer]]
name = "producer"

[[ring.consumer]]
name = "consumer"
arrivals = 4
"""
    plan = tmp_path / "plan.toml"
    plan.write_text(text, encoding="utf-8")
    said = veritile("draw", "timeline", str(plan))
    assert said.code == 0, said.err
    assert "arrives 4 times on empty[0]" in said.out and "✕" in said.out


def test_the_explorer_is_written(tmp_path: Path) -> None:
    path = tmp_path / "explorer.html"
    assert veritile("explore", "-o", str(path)).code == 0
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        ("trace", ("compose", "(6,2):(1,7)", "(3,2):(2,3)")),
        ("tv", ("tv", "((4,8),2):((16,1),8)", "--tile", "(8,8)")),
    ],
)
def test_the_pictures_of_the_readme_are_made_by_draw(name: str, argv: tuple[str, ...]) -> None:
    made = veritile("draw", *argv).out
    assert (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == made
    assert f"docs/pictures/{name}.svg" in (ROOT / "README.md").read_text(encoding="utf-8")
