"""One HTML page that needs nothing but itself: its style and scripts inside, each allowed by its digest, no network."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Any

from .markup import Markup, element, joined
from .svg.canvas import PAGE_STYLE


def asset(name: str) -> str:
    """The text of a file that lies beside the pages."""
    return (files(__package__) / "pages" / name).read_text(encoding="utf-8")


def page(title: str, body: list[Any], styles: list[str], scripts: list[str]) -> str:
    """The page. Its policy forbids every request and every style or script that is not one of these.

    >>> "default-src &#39;none&#39;" in page("x", [], [], [])
    True
    """
    style = "\n".join([PAGE_STYLE, *styles])
    script = "\n".join(scripts)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src '{_digest(script)}'" if script else "script-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", _raw(style)),
    )
    tail = [element("script", _raw(script))] if script else []
    return f"<!DOCTYPE html>\n{element('html', head, element('body', joined(body), *tail), lang='en')}\n"


def _raw(text: str) -> Markup:
    """Our own style or script, which must not end its element."""
    assert "</" not in text and "<!--" not in text
    return Markup(text)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
