"""The atoms' layouts against the CuTe DSL's own, traced without a GPU in a process for each architecture."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veritile import ComposedLayout, Layout, Swizzle, equal, parse
from veritile.proofs.contracts import atoms
from veritile.proofs.contracts.banks import mode_in_elements
from veritile.proofs.contracts.tmem_shapes import tmem_library

WORKER = Path(__file__).with_name("atom_worker.py")
VERSION = "4.8.1"

pytestmark = pytest.mark.slow  # three processes, each of which imports the DSL


def answers(python: str, group: str, arch: str) -> dict[str, Any]:
    """What the DSL says of each atom, by name."""
    env = {**os.environ, "CUTE_DSL_ARCH": arch}
    done = subprocess.run(
        [python, str(WORKER), group], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    header, *lines = [json.loads(line) for line in done.stdout.splitlines()] or [{"missing": done.stderr[-200:]}]
    if "missing" in header:
        pytest.skip(f"the CuTe DSL does not import: {header['missing']}")
    found = {line[0]: line[1] for line in lines}
    refused = [line for line in lines if line[1] is None]
    if header["version"] != VERSION and refused:
        pytest.skip(f"the CuTe DSL {header['version']} has other names: {refused[0]}")
    assert refused == []
    return found


def test_warp_atoms(oracle_python: Callable[[str], str]) -> None:
    found = answers(oracle_python("cutlass"), "warp", "sm_100a")
    ours = {atom.name: atom.layout for atom in atoms.library()}
    compared = 0
    for name, text in found.items():
        theirs = parse(text)
        mine = ours[name.replace("bf16", "f16").replace(".trans.rows", ".rows")]
        if name.endswith(".rows"):  # the DSL has 32 lanes, of which the last repeat addresses that are not read
            threads = mine.shape[0]
            assert all(theirs((t, i)) == mine((t, i)) for t in range(threads) for i in range(8)), name
        else:
            assert equal(mine, theirs), f"{name}: {mine}, the DSL has {theirs}"
        compared += 1
    assert compared == 8 * 3 + 24


def test_tensor_memory_shapes(oracle_python: Callable[[str], str]) -> None:
    found = answers(oracle_python("cutlass"), "tmem", "sm_100a")
    for atom in tmem_library():
        for kind in ("ld", "st"):
            theirs = parse(found.pop(f"{atom.name}.{kind}"))
            assert equal(atom.layout, theirs), f"{atom.name}: {atom.layout}, the DSL has {theirs}"
    assert found == {}


def test_wgmma(oracle_python: Callable[[str], str]) -> None:
    found = answers(oracle_python("cutlass"), "wgmma", "sm_90a")
    for n in range(8, 257, 8):
        for bits in (16, 8):
            assert equal(atoms.wgmma_accumulator(n).layout, parse(found[f"wgmma.m64n{n}.f{bits}.D"]))
    assert equal(atoms.wgmma_a(16).layout, parse(found["wgmma.m64k16.f16.A"]))
    assert equal(atoms.wgmma_a(8).layout, parse(found["wgmma.m64k32.f8.A"]))
    compared = 0
    for name, text in found.items():
        if name.startswith("smem."):
            _, major, span, bits = name.split(".")
            assert str(in_elements(parse(text), int(bits))) == str(atoms.smem_atom(major, int(span), int(bits))), name
            compared += 1
    assert compared == 16


def in_elements(theirs: Any, element_bits: int) -> Any:
    """The DSL's atom with its swizzle counted in elements.

    It prints the swizzle of byte addresses, which it hands to the pointer, beside a layout of elements.
    """
    if isinstance(theirs, Layout):
        return theirs
    assert isinstance(theirs.function, Swizzle) and (theirs.function.base, theirs.function.shift) == (4, 3)
    return ComposedLayout(mode_in_elements(16 << theirs.function.bits, element_bits), 0, theirs.layout)
