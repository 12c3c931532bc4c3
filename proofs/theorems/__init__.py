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
    "necessity",
    "divide",
    "inverse",
    "completeness",
    "properties",
    "swizzle",
    "f2",
    "vector",
    "ring",
)


def load() -> None:
    """Registers every theorem, in this order; done once, when any of these files is imported."""
    for topic in TOPICS:
        import_module(f".{topic}", __package__)


load()
