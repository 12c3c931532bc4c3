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
    from veritile.kernels.bundle import certificate_of, is_elsewhere
    from veritile.kernels.gate import admit
    from veritile.kernels.rows import rows
    from veritile.kernels.validate import compiled
    from veritile.proofs.plan_certificate import PlanRefused

    for row in rows(sys.argv[2:]):
        for architecture in row.module.ARCHITECTURES:
            try:
                kernel = admit(row.kernel, certificate_of(row, architecture))
            except PlanRefused as refused:
                if is_elsewhere(refused):
                    continue
                raise
            print(json.dumps(compiled(row, kernel).as_dict()), flush=True)


if __name__ == "__main__":
    main()
