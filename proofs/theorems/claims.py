"""The theorems as claims of the library."""

from __future__ import annotations

from ..discharge import claims

CLAIMS = claims()
