"""Markup that cannot be broken out of: elements built from parts, text escaped because it is text.

HTML, SVG, MathML and XML are all made here. A string is text, always escaped; only :class:`Markup`, which this module
makes, is taken as it is. What no page may show or obey (control characters, bidirectional overrides, half characters)
becomes U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:_-]*\Z")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def clean(text: str) -> str:
    """``text`` with everything that is not shown as U+FFFD; line ends and tabs become spaces.

    >>> clean("a\\x1b[31m\\u202eb\\nc")
    'a�[31m�b c'
    """
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else " " if ch in "\n\r\t" else "\ufffd" for ch in text)


def escaped(text: str) -> Markup:
    """``text`` for any place in markup: between tags or in a quoted attribute.

    >>> escaped('<b onload="x">&')
    '&lt;b onload=&quot;x&quot;&gt;&amp;'
    """
    text = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Markup(text.replace('"', "&quot;").replace("'", "&#39;"))


def element(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """``<name …>children</name>``: strings are escaped, None and False are left out, sequences are spliced in.

    A trailing underscore of an attribute's name goes, the others become hyphens; True is an attribute without a value.

    >>> element("td", "a<b", element("br"), class_="x", data_kind="y", hidden=True)
    '<td class="x" data-kind="y" hidden>a&lt;b<br></td>'
    """
    return Markup(f"<{name}{_attributes(attributes)}>" + ("" if name in VOID else f"{joined(children)}</{name}>"))


def closed(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """The same for XML, where an element without children closes itself.

    >>> closed("rect", width=3)
    '<rect width="3"/>'
    """
    body = joined(children)
    start = f"<{name}{_attributes(attributes)}"
    return Markup(f"{start}>{body}</{name}>" if body else f"{start}/>")


def _attributes(attributes: dict[str, Any]) -> str:
    told = ""
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        assert _NAME.match(name), name
        told += f" {name}" if value is True else f' {name}="{escaped(str(value))}"'
    return told


def joined(children: Iterable[Any]) -> Markup:
    """The children one after another."""
    parts: list[str] = []
    for child in children:
        if child is None or child is False:
            continue
        if isinstance(child, Markup):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(escaped(child))
        elif isinstance(child, (int, float)):
            parts.append(str(child))
        else:
            parts.append(joined(child))
    return Markup("".join(parts))
