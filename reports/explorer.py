"""The explorer: one page on which layouts are typed, seen, composed, divided and complemented, with the same verdicts.

Its engine, ``pages/engine.js``, is a port of ``model/`` and is compared with it on random inputs in a browser. Over F₂
it evaluates and coalesces; compositions and complements there are unknown to it, which it says.
"""

from __future__ import annotations

from .markup import Markup, element
from .page import asset, page

OPERATIONS = (
    ("compose", "compose A with B"),
    ("divide", "divide A by B"),
    ("complement", "complement of A below B"),
    ("coalesce", "coalesce A"),
    ("eval", "A at the coordinate B"),
)
EXAMPLES = (
    ("a carry between modes", "compose", "(6,2):(1,7)", "(3,2):(2,3)"),
    ("a diagonal that exists", "compose", "(3,6,2):(7,8,6)", "3:4"),
    ("tensor-core fragment", "compose", "(8,8):(1,9)", "((4,8),2):((16,1),8)"),
    ("tiles", "divide", "(8,16):(20,1)", "<4:1,8:2>"),
    ("a gap nothing fills", "complement", "(2,3):(1,3)", "18"),
    ("a complement", "complement", "(2,2):(1,6)", "24"),
)


def explorer() -> str:
    """The page's text.

    >>> "Engine" in explorer() and "://" not in explorer()
    True
    """
    options = [element("option", text, value=value) for value, text in OPERATIONS]
    forms = [element("option", form, value=form) for form in ("logical", "zipped")]
    form = element(
        "form",
        _field("a", "A", "(6,2):(1,7)"),
        element("label", "Operation ", element("select", options, id="operation")),
        _field("b", "B", "(3,2):(2,3)"),
        element("label", "Form ", element("select", forms, id="form")),
        element("button", "Dark or light", type="button", id="theme"),
        id="question",
    )  # fmt: skip
    stepping = element(
        "div",
        element("button", "◀ back", type="button", id="back"),
        element("label", "Coordinate ", element("input", id="c", size="14", autocomplete="off")),
        element("button", "next ▶", type="button", id="next"),
        id="steps",
        role="group",
        aria_label="Step a coordinate through",
    )
    examples = [
        element("button", name, type="button", class_="example", data_operation=operation, data_a=a, data_b=b)
        for name, operation, a, b in EXAMPLES
    ]
    body = [
        element(
            "header", element("h1", "Layout explorer"), element("p", "The address of this page carries the question.")
        ),
        element(
            "main",
            form,
            element("p", examples, role="group", aria_label="Examples"),
            element("h2", "Answer"),
            element("div", "", id="answer", role="status"),
            element("h2", "Grids"),
            stepping,
            element("ol", "", id="trace"),
            element("div", "", id="grids"),
        ),
    ]
    scripts = [asset("engine.js"), asset("explorer.js")]
    return page("Layout explorer", body, [asset("report.css"), asset("explorer.css")], scripts)


def _field(name: str, label: str, value: str) -> Markup:
    field = element("input", id=name, value=value, size="24", autocomplete="off", autocapitalize="off")
    return element("label", f"{label} ", field)
