"""The theorems, one file a topic, in the order in which they rest on one another."""

from __future__ import annotations

from importlib import import_module

TOPICS = (
    "euclid",
    "modes",
    "floor_form",
    "carry",
    "coalesce",
    "composition",
    "complement",
    "divide",
    "inverse",
    "completeness",
    "properties",
    "swizzle",
    "vector",
)


def load() -> dict[str, object]:
    """Registers every theorem, once."""
    from ..language import THEOREMS

    for topic in TOPICS:
        import_module(f".{topic}", __package__)
    return dict(THEOREMS)
