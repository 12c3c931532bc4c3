"""Compiles rows of the validation with CuTe DSL, in the interpreter that has it: a JSON line a row.

python compile_worker.py ROOT PATTERN…
"""

import importlib.util
import json
import sys
from pathlib import Path


def main() -> None:
    """Every row of the patterns for every architecture that it is meant for."""
    root = Path(sys.argv[1])
    spec = importlib.util.spec_from_file_location("gpu", root / "bench" / "gpu.py")
    gpu = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gpu)
    gpu.make_importable()
    from veritile.kernels.rows import rows
    from veritile.kernels.validate import compiled

    for row in rows(sys.argv[2:]):
        plan = row.make()
        for architecture in row.module.ARCHITECTURES:
            if architecture == "sm_80" and getattr(plan, "cluster", 1) != 1:
                continue
            print(json.dumps(compiled(row, architecture).as_dict()), flush=True)


if __name__ == "__main__":
    main()
