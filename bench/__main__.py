"""All figures by one command: ``python -m bench [exactness] [speed] [--scale 0.01] [--json FILE]``."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import Any

import veritile

from . import exactness, speed


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and exit 1 when veritile was wrong anywhere."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="How exact, and how fast, as ratios.")
    parser.add_argument("parts", nargs="*", help="exactness, speed; both by default")
    parser.add_argument("--scale", type=float, default=1.0, help="a fraction of all questions (default 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--python", help="the interpreter that has other people's tools")
    parser.add_argument("--alone", action="store_true", help="do not ask other people's tools")
    parser.add_argument("--no-prove", action="store_true", help="do not time `veritile prove`")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    given = parser.parse_args(arguments)
    unknown = set(given.parts) - {"exactness", "speed"}
    if unknown or given.scale <= 0:
        parser.error(f"unknown part {min(unknown)}" if unknown else "--scale must be positive")
    parts = given.parts or ["exactness", "speed"]

    data: dict[str, Any] = {
        "veritile": veritile.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "seed": given.seed,
        "scale": given.scale,
    }
    exact = True
    print(f"veritile {data['veritile']}, Python {data['python']}, {data['machine']}, seed {given.seed}\n")
    if "exactness" in parts:
        tallies = exactness.run(given.scale, given.seed, given.python, given.processes, not given.alone)
        data["exactness"] = exactness.as_data(tallies)
        exact = exactness.exact(tallies)
        print(exactness.table(tallies), exactness.remarks(tallies), sep="\n\n", end="\n\n")
    if "speed" in parts:
        figures = speed.run(min(1.0, given.scale), given.seed, given.python, not given.no_prove, not given.alone)
        data["speed"] = speed.as_data(figures)
        print(speed.table(figures))
    if given.json:
        given.json.write_text(json.dumps(data, indent=2) + "\n")
    return 0 if exact else 1


if __name__ == "__main__":
    sys.exit(main())
