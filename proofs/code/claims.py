"""The claims about shipped code, for the library."""

from __future__ import annotations

from . import (
    coalesce,
    complement,
    composition,
    coordinates,
    divide,
    evaluation,
    floor_form,
    inverse,
    product,
    properties,
    recast,
)

FILES = (
    coordinates,
    evaluation,
    coalesce,
    floor_form,
    composition,
    complement,
    inverse,
    divide,
    product,
    recast,
    properties,
)
CODE = {code.name: code for file in FILES for code in file.CODE}
CLAIMS = tuple(code.claim() for code in CODE.values())
