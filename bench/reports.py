"""How long renderings take and how large they are: ``python -m bench.reports``."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

from tests.reports.samples import large
from veritile import parse
from veritile.reports import html, junit, markdown, sarif
from veritile.reports.explorer import explorer
from veritile.reports.svg.layouts import draw_layout


def main() -> None:
    """Prints a line a rendering of 500 claims, 100 of them with a counterexample; and of a 4,096-cell picture."""
    report = large(500)
    renderings: dict[str, Any] = {
        "html": lambda: html.render(report),
        "md": lambda: markdown.render(report),
        "json": lambda: json.dumps(report.as_dict()),
        "sarif": lambda: json.dumps(sarif.render(report)),
        "junit": lambda: junit.render(report),
        "64×64 svg": lambda: draw_layout(parse("(64,64):(64,1)")).svg(),
        "explorer": explorer,
    }
    for name, render in renderings.items():
        start = perf_counter()
        size = len(render().encode())
        print(f"{name:<10} {perf_counter() - start:6.2f} s {size / 1024:8.0f} KiB")


if __name__ == "__main__":
    main()
