"""The pages in a headless Chromium: keyboard, filter, dark mode, print, the trace, no request, and axe-core."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import veritile as vt
from veritile.model.coalesce import decide_coalesce
from veritile.model.complement import decide_complement
from veritile.model.composition import decide_composition
from veritile.model.divide import decide_divide
from veritile.model.errors import InputError, Refuted, Undecided
from veritile.reports import findings, html
from veritile.reports.explorer import explorer
from veritile.reports.reply import plain

from .browser import MODULES, Browser, chromium
from .samples import hostile, large, small
from .test_renderings import NASTY

pytestmark = pytest.mark.slow
QUESTIONS = 5000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: VERITILE_CHROMIUM names one")
    opened = Browser(path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    texts = {
        "small": html.render(small()),
        "large": html.render(large()),
        "findings": findings.html(small()),
        "explorer": explorer(),
        **{f"hostile{k}": html.render(hostile(text)) for k, text in enumerate(NASTY)},
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8", errors="replace")
    return folder


def test_the_report_filters_by_word_and_text(browser: Browser, pages: Path) -> None:
    browser.open(pages / "large.html")
    shown = "[...document.querySelectorAll('main details[data-word]')].filter((d) => d.offsetParent !== null).length"
    assert browser.run(shown) == 500
    browser.key("/", "/", 191)
    assert browser.run("document.activeElement.id") == "q"
    for letter in "claim-77":
        browser.key(letter, letter)
    assert browser.run("document.getElementById('shown').textContent") == "1 of 500 shown"
    assert browser.run(shown) == 1
    browser.key("Escape", "", 27)
    assert browser.run(shown) == 500
    browser.run("document.querySelector('button[data-word=proved]').click()")
    assert browser.run(shown) == 100
    assert browser.complaints() == []


def test_the_report_is_used_by_keyboard(browser: Browser, pages: Path) -> None:
    browser.open(pages / "small.html")
    browser.run("document.querySelector('main details:not([open]) summary').focus()")
    before = browser.run("document.querySelectorAll('details[open]').length")
    browser.key("Enter", "\r", 13)
    assert browser.run("document.querySelectorAll('details[open]').length") == before + 1
    browser.run("document.getElementById('open').focus()")
    browser.key("Enter", "\r", 13)
    assert browser.run("document.querySelectorAll('main details[data-word]:not([open])').length") == 0


def test_dark_mode_and_print(browser: Browser, pages: Path) -> None:
    browser.open(pages / "small.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = browser.run(colour)
    browser.media(scheme="dark")
    dark = browser.run(colour)
    assert light == "rgb(255, 255, 255)" and dark == "rgb(13, 17, 23)"
    browser.run("document.getElementById('theme').click()")
    assert browser.run(colour) == light
    browser.media(type="print")
    assert browser.run("getComputedStyle(document.querySelector('form')).display") == "none"
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("document.querySelectorAll('details:not([open])').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run("document.querySelectorAll('details:not([open])').length") > 0
    browser.media()
    assert browser.complaints() == []


def test_no_text_becomes_markup_or_script(browser: Browser, pages: Path) -> None:
    for k in range(len(NASTY)):
        browser.open(pages / f"hostile{k}.html")
        assert browser.run("document.querySelectorAll('script').length") == 1
        assert browser.run("document.querySelectorAll('img, a, iframe, [onload], [onerror]').length") == 0
        assert browser.complaints() == []


@pytest.mark.parametrize("name", ["small", "findings", "explorer"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, pages: Path, name: str, scheme: str) -> None:
    if not (MODULES / "axe-core").exists():
        pytest.skip("no axe-core here: `make browser` installs it")
    browser.media(scheme=scheme)
    browser.open(pages / f"{name}.html")
    browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert browser.axe() == []
    assert browser.complaints() == []
    browser.media()


def test_the_explorer_traces_the_failing_coordinate(browser: Browser, pages: Path) -> None:
    browser.open(pages / "explorer.html", "#operation=compose&a=(6,2):(1,7)&b=(3,2):(2,3)")
    assert "refuted" in browser.run("document.getElementById('answer').textContent")
    assert browser.run("document.getElementById('c').value") == "(2,1)"
    trace = "[...document.querySelectorAll('#trace li')].map((li) => li.textContent)"
    assert browser.run(trace) == ["B(2,1) = 2⋅2 + 1⋅3 = 7", "A(7) = 1⋅1 + 1⋅7 = 8", "expected 8, got 7: no layout"]
    assert browser.run("[...document.querySelectorAll('td.here')].map((td) => td.textContent)") == ["7", "8", "8≠7"]
    browser.run("document.getElementById('next').focus()")
    browser.key("Enter", "\r", 13)
    assert browser.run("document.getElementById('c').value") == "(0,0)"
    assert browser.complaints() == []


def test_the_explorers_link_carries_the_question(browser: Browser, pages: Path) -> None:
    browser.open(pages / "explorer.html")
    browser.run(
        "(() => { const a = document.getElementById('a'); a.value = '(8,8):(1,9)'; "
        "a.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    link = browser.run("location.hash")
    answer = browser.run("document.getElementById('answer').textContent")
    browser.open(pages / "explorer.html", link)
    assert browser.run("document.getElementById('a').value") == "(8,8):(1,9)"
    assert browser.run("document.getElementById('answer').textContent") == answer
    for text in NASTY:
        browser.run(f"location.hash = new URLSearchParams({{a: {json.dumps(text)}, operation: 'eval'}}).toString()")
        browser.run("new Promise((done) => setTimeout(done, 0))")
        assert browser.run("document.querySelectorAll('img, a, iframe').length") == 0
    assert browser.complaints() == []


# the same semantics


def htuple(rng: random.Random, leaf: Any, depth: int = 2) -> Any:
    if depth == 0 or rng.random() < 0.45:
        return leaf()
    return tuple(htuple(rng, leaf, depth - 1) for _ in range(rng.randint(1, 3)))


def random_layout(rng: random.Random, axes: int = 0, most: int = 9) -> str:
    shape = htuple(rng, lambda: rng.choice([1, 2, 2, 3, 4, 4, 5, 6, 8]))
    kinds = rng.random()

    def stride(_: Any) -> Any:
        if kinds < (0.15 if axes else 0.04):
            return rng.choice([0, vt.E(0), 2 * vt.E(1), vt.E(0) + 3 * vt.E(1), -1 * vt.E(0)])
        if kinds > 0.97:
            return vt.F2(rng.randint(0, 20))
        return rng.choice([0, 1, 2, 3, 4, 6, 8, 12, 16, 24, rng.randint(-2, 40)])

    from veritile.model.htuple import map_leaves, text_of

    if rng.random() < 0.05:
        return text_of(shape)
    return f"{text_of(shape)}:{text_of(map_leaves(stride, shape))}"


def damaged(rng: random.Random, text: str) -> str:
    k = rng.randint(0, len(text))
    signs = ["", "(", ")", ",", ":", "0", "x", "-", "_", "e", "f", "@", " ", "?", "S<1,0,3> o 0 o "]
    return text[:k] + rng.choice(signs) + text[k + rng.randint(0, 2) :]


def question(rng: random.Random) -> tuple[str, list[str], str]:
    operation = rng.choice(["compose", "compose", "complement", "divide", "coalesce", "eval"])
    a, form = random_layout(rng, axes=1), rng.choice(["logical", "zipped"])
    if operation == "coalesce":
        operands = [a]
    elif operation == "complement":
        operands = [a, str(rng.randint(1, 99))]
    elif operation == "eval":
        operands = [a, str(htuple(rng, lambda: rng.randint(-9, 40))).replace(" ", "").replace(",)", ")")]
    elif operation == "divide":
        tiles = [
            random_layout(rng) if rng.random() < 0.5 else rng.choice(["2", "4", "_", "3:2", "4:1"]) for _ in range(2)
        ]
        operands = [a, tiles[0] if rng.random() < 0.5 else f"<{','.join(tiles)}>"]
    else:
        operands = [a, random_layout(rng, axes=1)]
    if rng.random() < 0.08:
        k = rng.randrange(len(operands))
        operands[k] = damaged(rng, operands[k])
    return operation, operands, form


def in_python(operation: str, operands: list[str], form: str) -> dict[str, Any]:
    try:
        if operation == "eval":
            layout, crd = vt.parse(operands[0]), vt.parse_coordinate(operands[1])
            if None in vt.model.htuple.flatten(crd) or isinstance(layout, vt.Swizzle):  # type: ignore[attr-defined]
                raise InputError("no coordinate")
            value = layout(crd)
            return {"verdict": "proved", "result": str(value), "in_bounds": layout.in_bounds(crd)}
        first = vt.parse(operands[0])
        if operation == "coalesce":
            answer = decide_coalesce(first)  # type: ignore[arg-type]
        elif operation == "compose":
            second = vt.parse(operands[1])
            if not (isinstance(first, vt.Layout) and isinstance(second, vt.Layout)):
                raise InputError("the page composes layouts only")
            answer = decide_composition(first, second)
        elif operation == "divide":
            answer = decide_divide(first, vt.parse_tiler(operands[1]), form)  # type: ignore[arg-type]
        else:
            bound = vt.parse_coordinate(operands[1])
            if not isinstance(bound, int) or bound < 1:
                raise InputError("no bound")
            answer = decide_complement(first, bound)  # type: ignore[arg-type]
    except InputError:
        return {"verdict": "input", "result": None}
    except Refuted as refusal:
        return {"verdict": "refuted", "result": None, "reason": refusal.reason, "witness": plain(refusal.witness)}
    except Undecided:
        return {"verdict": "unknown", "result": None}
    return {
        "verdict": "proved",
        "result": str(answer.result),
        "in_bounds": answer.in_bounds,
        "exact": answer.exact,
        "out_of_range": answer.out_of_range,
    }


def is_f2(operands: list[str]) -> bool:
    return any("f" in text for text in operands)


def test_the_engine_says_what_python_says(browser: Browser, pages: Path) -> None:
    rng = random.Random(6)
    asked = [question(rng) for _ in range(QUESTIONS)]
    browser.open(pages / "explorer.html")
    answers: list[dict[str, Any]] = []
    for start in range(0, QUESTIONS, 500):
        part = json.dumps(asked[start : start + 500])
        answers += browser.run(f"({part}).map(([operation, operands, form]) => Engine.told(operation, operands, form))")
    verdicts: dict[str, int] = {}
    for (operation, operands, form), told in zip(asked, answers, strict=True):
        verdicts[told["verdict"]] = verdicts.get(told["verdict"], 0) + 1
        if told["verdict"] == "unknown":
            assert is_f2(operands), (operation, operands)  # the page says that it does not decide these
            continue
        expected = in_python(operation, operands, form)
        got = {name: told.get(name) for name in expected}
        assert got == expected, (operation, operands, form)
    assert verdicts["proved"] > 1000 and verdicts["refuted"] > 500 and verdicts["input"] > 100, verdicts
    assert browser.complaints() == []
