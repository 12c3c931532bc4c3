"""What the compiler made: instructions and access widths from PTX, registers, stack and local memory from a cubin.

The cubin is an ELF file; its ``.nv.info`` sections hold attributes of four bytes' header each (format, attribute,
size), read here without any of CUDA's tools. Attribute numbers are ``measured``: they agree with what ``cuobjdump
-res-usage`` prints.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from dataclasses import dataclass

_ACCESS = re.compile(
    r"^\s*(?:@!?%p\d+\s+)?(ld|st)\.((?:[a-z_0-9:]+\.)*?)(global|shared|local)((?:::[a-z]+)?(?:\.[A-Za-z_0-9:]+)*?)"
    r"(?:\.(v2|v4|v8))?\.([bfus])(\d+)\s",
    re.M,
)
_CP_ASYNC = re.compile(r"cp\.async\.(ca|cg)\.shared(?:::cta)?\.global[^\n]*?\],\s*(\d+)")


def widths(ptx: str) -> dict[tuple[str, str], Counter[int]]:
    """How many accesses of each width in bits: keys (``ld`` or ``st`` or ``cp.async``, space).

    >>> widths("  ld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%rd1];")
    {('ld', 'global'): Counter({128: 1})}
    """
    found: dict[tuple[str, str], Counter[int]] = {}
    for operation, _, space, _, vector, _, bits in _ACCESS.findall(ptx):
        count = int(vector[1:]) if vector else 1
        found.setdefault((operation, space), Counter())[count * int(bits)] += 1
    for _, count in _CP_ASYNC.findall(ptx):
        found.setdefault(("cp.async", "shared"), Counter())[8 * int(count)] += 1
    return found


def instructions(ptx: str) -> Counter[str]:
    """How often each instruction stands in the PTX, by its whole name.

    >>> instructions("  @%p1 bra L;\\n  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1}, [%r2];")["bra"]
    1
    """
    return Counter(
        re.findall(r"^\s*(?:\{\s*)?(?:@!?%p\d+\s+)?([a-z][a-z0-9_]*(?:[.:]+[A-Za-z0-9_]+)*)[\s;]", ptx, re.M)
    )


def uses(ptx: str, name: str) -> bool:
    """Whether an instruction of that name, or one that begins with it, is there.

    >>> uses("  cp.async.cg.shared.global [%r1], [%rd1], 16;", "cp.async")
    True
    """
    return any(found == name or found.startswith(name + ".") for found in instructions(ptx))


@dataclass(frozen=True)
class Resources:
    """What a kernel of a cubin takes: registers a thread, stack and local bytes a thread, static shared bytes."""

    kernel: str
    registers: int
    stack: int
    local: int
    shared: int


_REGISTERS, _FRAME, _MINIMUM_STACK = 0x2F, 0x11, 0x12


def resources(cubin: bytes) -> tuple[Resources, ...]:
    """The resources of every kernel in a cubin (ELF64, little-endian)."""
    sections = _sections(cubin)
    symbols = _symbols(cubin, sections)
    figures: dict[tuple[int, int], int] = {}
    for name, data in sections:
        if name == ".nv.info":
            for attribute, payload in _attributes(data):
                if attribute in (_REGISTERS, _FRAME, _MINIMUM_STACK) and len(payload) == 8:
                    index, value = struct.unpack("<II", payload)
                    figures[attribute, index] = value
    kernels = [name[len(".text.") :] for name, _ in sections if name.startswith(".text.")]
    sizes = {name: len(data) for name, data in sections}
    found = []
    for kernel in kernels:
        index = symbols.get(kernel, -1)
        found.append(
            Resources(
                kernel,
                figures.get((_REGISTERS, index), 0),
                max(figures.get((_FRAME, index), 0), figures.get((_MINIMUM_STACK, index), 0)),
                sizes.get(f".nv.local.{kernel}", 0),
                sizes.get(f".nv.shared.{kernel}", 0),
            )
        )
    return tuple(found)


def _sections(data: bytes) -> list[tuple[str, bytes]]:
    """Name and bytes of every section; a section without bits in the file gives as many zero bytes."""
    start, size, count, names_index = (
        struct.unpack_from("<Q", data, 0x28)[0],
        *struct.unpack_from("<HHH", data, 0x3A),
    )
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    names = headers[names_index]
    table = data[names[4] : names[4] + names[5]]
    found = []
    for header in headers:
        name = table[header[0] : table.index(b"\0", header[0])].decode()
        found.append((name, bytes(header[5]) if header[1] == 8 else data[header[4] : header[4] + header[5]]))
    return found


def _symbols(data: bytes, sections: list[tuple[str, bytes]]) -> dict[str, int]:
    """The number of every named symbol."""
    parts = dict(sections)
    symbols, names = parts.get(".symtab", b""), parts.get(".strtab", b"")
    found = {}
    for number in range(len(symbols) // 24):
        at = struct.unpack_from("<I", symbols, 24 * number)[0]
        if at:
            found[names[at : names.index(b"\0", at)].decode()] = number
    return found


def _attributes(data: bytes) -> list[tuple[int, bytes]]:
    """The attributes of an information section: format 4 has a payload of the size given, others two bytes inline."""
    found, at = [], 0
    while at + 4 <= len(data):
        form, attribute, size = struct.unpack_from("<BBH", data, at)
        if form == 4:
            found.append((attribute, data[at + 4 : at + 4 + size]))
            at += 4 + size
        else:
            found.append((attribute, data[at + 2 : at + 4]))
            at += 4
    return found
