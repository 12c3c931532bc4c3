"""How plans are read: sections are dataclasses whose fields say how their keys are read; errors name the line."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass
from typing import Any, TypeVar

from ..model.errors import InputError
from ..model.names import Expr, names_in, parse_condition, parse_expression
from ..model.notation import parse
from ..model.swizzle import Swizzle

Path = tuple[str | int, ...]
Section = TypeVar("Section")

ELEMENTS = {
    **{"f64": 64, "i64": 64, "u64": 64, "f32": 32, "tf32": 32, "i32": 32, "u32": 32, "f16": 16, "bf16": 16},
    **{"i16": 16, "u16": 16, "e4m3": 8, "e5m2": 8, "ue8m0": 8, "i8": 8, "u8": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4},
}
"""Bits of an element, by the name of its type."""


class PlanError(InputError):
    """A plan that was not understood; the message begins with file, line and key."""


@dataclass(frozen=True)
class Reader:
    """Reads one value: ``name`` says what is expected, ``schema`` the same for JSON Schema."""

    name: str
    read: Callable[[Any], Any]
    schema: Mapping[str, Any]
    section: Any = None

    def many(self) -> Reader:
        """A list of such values, as a tuple."""

        def read(value: Any) -> tuple[Any, ...]:
            if not isinstance(value, list | tuple):
                raise InputError(f"a list of {self.name} is expected")
            return tuple(self.read(v) for v in value)

        return Reader(f"a list of {self.name}", read, {"type": "array", "items": self.schema})


def _integer(least: int, greatest: int | None = None, powers: bool = False) -> Reader:
    upto = "" if greatest is None else f" to {greatest}"
    name = f"a power of two from {least}{upto}" if powers else f"an integer from {least}{upto}"

    def read(value: Any) -> int:
        if isinstance(value, str) and re.search(r"[A-Za-z_]", value):
            raise InputError(f"{name} is expected, not {_shown(value)}: names stand in layouts, extents and tiles only")
        if type(value) is not int or value < least or (greatest is not None and value > greatest):
            raise InputError(f"{name} is expected, not {_shown(value)}")
        if powers and value & (value - 1):
            raise InputError(f"{name} is expected, not {value}")
        return value

    schema = {"type": "integer", "minimum": least, **({} if greatest is None else {"maximum": greatest})}
    return Reader(name, read, schema)


def _sized(least: int) -> Reader:
    """An integer, or a text that is one in names."""
    plain = _integer(least)

    def read(value: Any) -> Any:
        if not isinstance(value, str):
            return plain.read(value)
        found = parse_expression(value)
        return found if isinstance(found, Expr) else plain.read(found)

    schema = {"anyOf": [dict(plain.schema), {"type": "string", "minLength": 1}]}
    return Reader(f"{plain.name} or an expression with names", read, schema)


def _where(value: Any) -> Any:
    if not isinstance(value, str):
        raise InputError(f'a condition in quotes is expected, as "N % 8 == 0, N <= 4096", not {_shown(value)}')
    return parse_condition(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise InputError(f"a text of one line is expected, not {_shown(value)}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"true or false is expected, not {_shown(value)}")
    return value


def _layout(value: Any) -> Any:
    if not isinstance(value, str):
        raise InputError(f'a layout in quotes is expected, as "(4,8):(1,4)", not {_shown(value)}')
    found = parse(value, names=True)
    if isinstance(found, Swizzle):
        raise InputError("a swizzle has no size of its own: compose it with a layout", value, 0)
    return found


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def one_of(*words: str) -> Reader:
    """One word of a list."""

    def read(value: Any) -> str:
        if value not in words:
            raise InputError(f"one of {', '.join(words)} is expected, not {_shown(value)}")
        return str(value)

    return Reader(f"one of {', '.join(words)}", read, {"enum": list(words)})


NATURAL, POSITIVE, POWER = _integer(0), _integer(1), _integer(1, None, True)
SIZE, OFFSET = _sized(1), _sized(0)  # which may have names
PARITY, AXIS = _integer(0, 1), _integer(0, 7)
TEXT = Reader("a text", _text, {"type": "string", "minLength": 1})
FLAG = Reader("true or false", _flag, {"type": "boolean"})
LAYOUT = Reader("a layout", _layout, {"type": "string", "minLength": 1})
WHERE = Reader("a condition", _where, {"type": "string"})
ELEMENT = one_of(*ELEMENTS)


def _sizes(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise InputError("a table of sizes is expected, as { m = 128 }")
    return {name: SIZE.read(number) for name, number in value.items()}


SIZES = Reader("a table of sizes", _sizes, {"type": "object", "additionalProperties": SIZE.schema})


def _values(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError("a table is expected")

    def plain(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {str(name): plain(inner) for name, inner in part.items()}
        if isinstance(part, list | tuple):
            return tuple(plain(inner) for inner in part)
        if not isinstance(part, bool | int | str):
            raise InputError(f"a text, an integer, true, false, a list or a table is expected, not {_shown(part)}")
        return part

    made: dict[str, Any] = plain(value)
    return made


VALUES = Reader("a table", _values, {"type": "object"})


def key(reader: Reader, doc: str, default: Any = MISSING) -> Any:
    """A field of a section: how its key is read, what it means, and its value where it is not written."""
    return dataclasses.field(default=default, metadata={"reader": reader, "doc": doc})


def tables(section: type[Any], doc: str) -> Any:
    """A field that is a list of tables, each read as ``section``; none where nothing is written."""
    reader = Reader("a list of tables", lambda v: v, {"type": "array", "items": schema_of(section)}, section)
    return dataclasses.field(default=(), metadata={"reader": reader, "doc": doc, "many": True})


def table(section: type[Any], doc: str) -> Any:
    """A field that is one table, or None."""
    reader = Reader("a table", lambda v: v, schema_of(section), section)
    return dataclasses.field(default=None, metadata={"reader": reader, "doc": doc, "many": False})


def schema_of(section: type[Any]) -> dict[str, Any]:
    """JSON Schema of a section."""
    fields = dataclasses.fields(section)
    return {
        "type": "object",
        "description": (section.__doc__ or "").split("\n")[0],
        "properties": {_name(f): {**f.metadata["reader"].schema, "description": f.metadata["doc"]} for f in fields},
        "required": [_name(f) for f in fields if f.default is MISSING],
        "additionalProperties": False,
    }


def _name(field: dataclasses.Field[Any]) -> str:
    return field.name.rstrip("_")


class Places:
    """Where each key of a TOML text stands: so that an error can name its line.

    >>> places = Places("p.toml", "name = 'x'\\n[[ring]]\\nstages = 0\\n")
    >>> places.line(("ring", 0, "stages")), places.line(("ring", 0, "name"))
    (3, 2)
    """

    def __init__(self, file: str, text: str):
        self.file, self.lines = file, text.split("\n")
        self.known: dict[Path, int] = {(): 1}
        at: Path = ()
        counts: dict[Path, int] = {}
        for number, line in enumerate(self.lines, 1):
            header = re.match(r"\s*(\[\[?)\s*([\w.\-\s\"']+?)\s*\]\]?\s*(#.*)?$", line)
            if header:
                names = [part.strip().strip("\"'") for part in header.group(2).split(".")]
                at = ()
                for i, name in enumerate(names):
                    at = (*at, name)
                    if i == len(names) - 1 and header.group(1) == "[[":
                        counts[at] = counts.get(at, -1) + 1
                    if at in counts:
                        at = (*at, counts[at])
                self.known.setdefault(at, number)
                continue
            entry = re.match(r"\s*([\w\-]+|\"[^\"]*\"|'[^']*')\s*=", line)
            if entry:
                self.known.setdefault((*at, entry.group(1).strip("\"'")), number)

    def line(self, path: Path) -> int:
        """The line of a key, or of the nearest thing that holds it."""
        while path and path not in self.known:
            path = path[:-1]
        return self.known[path]

    def error(self, path: Path, message: str, cause: InputError | None = None) -> PlanError:
        """An error at a key: one line, and the place where one is known."""
        where = f"{self.file}:{self.line(path)}: {path_text(path)}" if path else f"{self.file}:{self.line(path)}"
        if cause is not None and cause.text is not None:
            return PlanError(f"{where}: {message}", cause.text, cause.position)
        return PlanError(f"{where}: {message}")


def path_text(path: Path) -> str:
    """A path as it is written.

    >>> path_text(("ring", 0, "consumer", 1, "lag"))
    'ring[0].consumer[1].lag'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def load_toml(file: str, text: str) -> tuple[dict[str, Any], Places]:
    """The data of a TOML text, and where its keys stand; PlanError with the line where it is no TOML."""
    try:
        return tomllib.loads(text), Places(file, text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*?) \(at line (\d+), column \d+\)", str(error))
        line, what = (found.group(2), found.group(1)) if found else (str(text.count("\n") + 1), str(error))
        what = what.removesuffix(" (at end of document)")
        raise PlanError(f"{file}:{line}: {what[:1].lower()}{what[1:]}") from None
    except RecursionError:
        raise PlanError(f"{file}:1: tables and lists are nested too deep") from None


def read_section(section: type[Section], data: Any, places: Places, path: Path = ()) -> Section:
    """A section from its table; PlanError at the key that is unknown, missing or not understood."""
    if not isinstance(data, Mapping):
        raise places.error(path, "a table is expected")
    fields = {_name(f): f for f in dataclasses.fields(section)}  # type: ignore[arg-type]
    for name in data:
        if name not in fields:
            raise places.error((*path, name), f"there is no key of this name{_nearest(name, fields)}")
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in data:
            if field.default is MISSING:
                raise places.error(path, f"{name} is missing: {field.metadata['doc']}")
            continue
        values[field.name] = _read_value(field, data[name], places, (*path, name))
    try:
        return section(**values)
    except InputError as error:
        raise places.error(path, error.message, error) from None


def _read_value(field: dataclasses.Field[Any], value: Any, places: Places, path: Path) -> Any:
    reader: Reader = field.metadata["reader"]
    if reader.section is not None:
        if not field.metadata["many"]:
            return read_section(reader.section, value, places, path)
        if not isinstance(value, list):
            raise places.error(path, f"a list of tables is expected: write [[{path_text(path)}]]")
        return tuple(read_section(reader.section, v, places, (*path, i)) for i, v in enumerate(value))
    try:
        return reader.read(value)
    except InputError as error:
        raise places.error(path, error.message, error) from None


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), 1)
    return f"; is {close[0]} meant?" if close else ""


def as_data(value: Any) -> Any:
    """A section as plain data, without the keys that have their defaults."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__plan_section__"):
        parts = ((f, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {_name(f): as_data(part) for f, part in parts if part != f.default}
    if isinstance(value, Mapping):
        return {name: as_data(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [as_data(part) for part in value]
    return value if isinstance(value, bool | int | str) else str(value)


def names_of(value: Any) -> frozenset[str]:
    """The names of sizes in a section or a value of one."""
    if dataclasses.is_dataclass(value) and hasattr(value, "__plan_section__"):
        return frozenset().union(*(names_of(getattr(value, f.name)) for f in dataclasses.fields(value)))
    if isinstance(value, Mapping):
        return frozenset().union(*map(names_of, value.values()))
    if isinstance(value, tuple) and value and hasattr(value[0], "__plan_section__"):
        return frozenset().union(*map(names_of, value))
    return names_in(value)


def named_leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any, int | None]]:
    """The values with names that a section holds: where, what, and the least that an integer there may be."""
    if dataclasses.is_dataclass(value) and hasattr(value, "__plan_section__"):
        for f in dataclasses.fields(value):
            part, inner = getattr(value, f.name), (*path, _name(f))
            if isinstance(part, tuple) and part and hasattr(part[0], "__plan_section__"):
                for i, one in enumerate(part):
                    yield from named_leaves(one, (*inner, i))
            elif hasattr(part, "__plan_section__"):
                yield from named_leaves(part, inner)
            elif names_of(part):
                least = 0 if f.metadata["reader"].name.endswith(OFFSET.name) else 1
                for one in part.values() if isinstance(part, Mapping) else part if isinstance(part, tuple) else (part,):
                    if names_in(one):
                        yield inner, one, least if isinstance(one, Expr) else None


def with_values(value: Any, values: Mapping[str, Any], instantiate: Callable[[Any, Mapping[str, Any]], Any]) -> Any:
    """A section with the names' values in their places."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__plan_section__"):
        changed = {
            f.name: with_values(getattr(value, f.name), values, instantiate)
            for f in dataclasses.fields(value)
            if f.name != "where" and names_of(getattr(value, f.name))
        }
        return dataclasses.replace(value, **changed) if changed else value
    if isinstance(value, Mapping):
        return {name: with_values(part, values, instantiate) for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(with_values(part, values, instantiate) for part in value)
    return instantiate(value, values)
