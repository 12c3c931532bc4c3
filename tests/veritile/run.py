"""The command line called in this process, and what it says."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from veritile.cli import main


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> dict[str, Any]:
        """Standard output, which is one JSON object and nothing else."""
        found: dict[str, Any] = json.loads(self.out)
        return found


def veritile(*argv: str) -> Said:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = main(argv)
    return Said(code, out.getvalue(), err.getvalue())
