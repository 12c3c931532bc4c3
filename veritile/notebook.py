"""What a notebook shows of a layout: its picture. Drawn when asked for; nothing is imported before."""

from __future__ import annotations

from typing import Any

from .model.composed import ComposedLayout
from .model.layout import Layout


def picture(layout: Any) -> str:
    """The layout as SVG (``_repr_svg_``)."""
    from .reports.svg.layouts import draw_layout

    return draw_layout(layout).svg()


def page(layout: Any) -> str:
    """The layout as HTML (``_repr_html_``): its picture, which has its notation on top."""
    return f"<div>{picture(layout)}</div>"


def attach() -> None:
    """Gives layouts the two methods that notebooks ask for.

    >>> attach()
    >>> Layout((4, 8), (1, 5))._repr_svg_()[:4]
    '<svg'
    """
    for kind in (Layout, ComposedLayout):
        setattr(kind, "_repr_svg_", picture)  # noqa: B010 (the model knows no pictures)
        setattr(kind, "_repr_html_", page)  # noqa: B010
