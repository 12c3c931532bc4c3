"""Faults planted in the model; do the claims on the paper notice? ``python -m bench.claims_mutation [WORD …]``.

Each fault is one line of the shipped code written wrong, in a temporary copy of the package; the claims of the section
that speaks of it are then decided there, in a process of its own, until one is not as expected. WORD takes the faults
whose name has it. Exits 1 when a fault goes unnoticed, 2 when the line to be changed is no longer there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("model", "smt", "proofs", "kernels", "reports")
SECONDS = 120

# Prints the first claim that is not as expected, with its verdict; nothing when all are.
JUDGE = """
import sys
from veritile.proofs import library
library.MODULES[:] = [name for name in library.MODULES if name.startswith("paper.")]
from veritile.proofs.runner import decide
for claim in library.select(sys.argv[1:]):
    try:
        result = decide(claim)
        said = None if result.as_expected else f"{result.verdict.value} {result.reason or result.witness}"
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    if said:
        print(claim.name, said.splitlines()[0])
        break
"""


@dataclass(frozen=True)
class Fault:
    """A line of ``model/file.py`` written wrong, and the claims that must notice."""

    name: str
    file: str
    right: str
    wrong: str
    claims: str


FAULTS = (
    Fault(
        "tiled product is the zipped one",
        "product",
        'right = [repeated] if form == "zipped" else list(repeated)',
        'right = [repeated] if form in ("zipped", "tiled") else list(repeated)',
        "product.*",
    ),
    Fault(
        "flat product does not flatten A",
        "product",
        'left = list(a) if form == "flat" else [a]',
        "left = [a]",
        "product.*",
    ),
    Fault(
        "raked product is the blocked one",
        "product",
        'pair if form == "blocked" else pair[::-1]',
        "pair",
        "product.*",
    ),
    Fault(
        "product always exact",
        "product",
        "return Answer(result, evidence, exact=exact)",
        "return Answer(result, evidence, exact=True)",
        "product.*",
    ),
    Fault(
        "flat divide is the tiled one",
        "divide",
        'left = [pieces.tile] if form != "flat" else _modes(pieces.tile)',
        "left = [pieces.tile]",
        "divide.*",
    ),
    Fault(
        "tiled divide is the zipped one",
        "divide",
        'right = [pieces.rest] if form == "zipped" else _modes(pieces.rest)',
        'right = [pieces.rest] if form in ("zipped", "tiled") else _modes(pieces.rest)',
        "divide.*",
    ),
    Fault("divide always exact", "divide", "exact=not outside", "exact=True", "divide.*"),
    Fault("divide always in bounds", "divide", "in_bounds=not outside", "in_bounds=True", "divide.*"),
    Fault("divide counts nothing outside", "divide", "out_of_range=outside", "out_of_range=0", "divide.*"),
    Fault(
        "a slice has its modes reversed",
        "slicing",
        "inner = joined(kept) if kept",
        "inner = joined(kept[::-1]) if kept",
        "representation.*",
    ),
    Fault(
        "a slice drops what is fixed",
        "tensor",
        "self.start + offset)",
        "self.start)",
        "representation.*",
    ),
    Fault("a slice drops the start", "tensor", "self.start + offset)", "offset)", "representation.*"),
    Fault(
        "a tensor is read from 0",
        "tensor",
        "place = self.start + self._offset(crd)\n        if callable",
        "place = self._offset(crd)\n        if callable",
        "representation.*",
    ),
    Fault("copy copies nothing", "tensor", "destination[index] = source[index]", "pass", "copy.*"),
    Fault(
        "copy reads the first element",
        "tensor",
        "destination[index] = source[index]",
        "destination[index] = source[0]",
        "copy.*",
    ),
    Fault(
        "unreachable offset 0",
        "complement",
        '{"offset": hole, "meets": meets}',
        '{"offset": 0, "meets": meets}',
        "complement.*",
    ),
    Fault(
        "negative offset at 0",
        "complement",
        "witness = refute_nonnegative(layout)",
        'witness = Witness("negative", {"coordinate": 0, "offset": 0})',
        "complement.*",
    ),
    Fault("bounded complement always exact", "complement", "exact=reached == bound,", "exact=True,", "complement.*"),
    Fault("extended complement always exact", "complement", "exact=exact)", "exact=True)", "complement.*"),
    Fault(
        "partial complement always exact",
        "complement",
        "exact=exact and reached == bound",
        "exact=True",
        "complement.*",
    ),
    Fault("partial complement fills no gap", "complement", "gaps.append(candidate)", "pass", "complement.*"),
    Fault(
        "complement over F2 is empty",
        "complement",
        "for bit in range(bits) if bit not in leading]",
        "for bit in range(0)]",
        "complement.*",
    ),
    Fault("composition always in bounds", "composition", "in_bounds=inside", "in_bounds=True", "composition.*"),
    Fault("composition never in bounds", "composition", "in_bounds=inside", "in_bounds=False", "composition.*"),
    Fault("partition never in bounds", "composition", "in_bounds=inside", "in_bounds=False", "partitioning.*"),
    Fault(
        "refused composition names another value",
        "composition",
        '"expected": expected, "got": got',
        '"expected": got, "got": expected',
        "composition.*",
    ),
    Fault(
        "coalesce over F2 as over the integers",
        "coalesce",
        "(s & (s - 1) == 0 and following == d * s)",
        "(following == d * s)",
        "coalesce.*",
    ),
    Fault(
        "coalesce by mode coalesces nothing",
        "coalesce",
        "parts = [coalesce(mode, part) for",
        "parts = [mode for",
        "coalesce.*",
    ),
    Fault(
        "the last digit is reduced",
        "coordinate",
        "crd.append(_idx2crd(index, shape[-1]))",
        "crd.append(_idx2crd(index % size(shape[-1]), shape[-1]))",
        "representation.*",
    ),
    Fault(
        "every admissible coordinate is in bounds",
        "coordinate",
        "return 0 <= crd < size(shape)",
        "return True",
        "representation.*",
    ),
    Fault(
        "anything concatenates",
        "layout",
        "semimodule_of(",
        "(lambda *_: 'integer')(",
        "representation.*",
    ),
    Fault(
        "right inverse keeps one mode",
        "inverse",
        "result = coalesce(from_modes(found))",
        "result = coalesce(from_modes(found[:1]))",
        "inverse.*",
    ),
    Fault("a swizzle is undone by itself", "swizzle", "return x\n", "return self(offset)\n", "f2.*"),
    Fault("every swizzle undoes itself", "swizzle", "return abs(self.shift) >= self.bits", "return True", "f2.*"),
    Fault("shift 0 is taken", "swizzle", "if self.shift == 0 and self.bits > 0:", "if False:", "f2.*"),
    Fault(
        "the common vector is one mode",
        "vector",
        "            if n != m:\n",
        "            if True:\n",
        "vectorisation.*",
    ),
)


def planted(fault: Fault, folder: Path) -> bool:
    """The package in ``folder`` with the fault; False where its line is not found."""
    package = folder / "veritile"
    package.mkdir()
    for entry in (ROOT / "veritile").iterdir():
        (package / entry.name).symlink_to(entry)
    for room in ROOMS:
        if room != "model":
            (package / room).symlink_to(ROOT / room)
    shutil.copytree(ROOT / "model", package / "model", ignore=shutil.ignore_patterns("__pycache__"))
    path = package / "model" / f"{fault.file}.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    return fault.right in text


def noticed(fault: Fault) -> str | None:
    """What the first claim that notices says; "" when none does; None when the fault cannot be planted."""
    with tempfile.TemporaryDirectory() as name:
        if not planted(fault, Path(name)):
            return None
        environment = {**os.environ, "PYTHONPATH": name, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            told = subprocess.run(
                [sys.executable, "-c", JUDGE, fault.claims],
                cwd=name,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            return "does not end"
    if told.returncode:
        return (told.stderr.strip().splitlines() or [f"exit status {told.returncode}"])[-1]
    return told.stdout.strip()


def main(arguments: list[str] | None = None) -> int:
    """Plants the faults and prints a line for each."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims_mutation", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", help="faults whose name has one of these words; all by default")
    words = parser.parse_args(arguments).words
    wanted = [fault for fault in FAULTS if not words or any(word in fault.name for word in words)]
    started, code, caught = time.monotonic(), 0, 0
    for fault in wanted:
        said = noticed(fault)
        caught += bool(said)
        code = max(code, 2 if said is None else 0 if said else 1)
        word = "no such line" if said is None else "noticed" if said else "UNNOTICED"
        print(f"{word:12} {fault.name}: {(said or '')[:110]}", flush=True)
    print(f"\n{caught} of {len(wanted)} faults noticed; {time.monotonic() - started:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
