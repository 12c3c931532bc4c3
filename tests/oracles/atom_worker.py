"""Prints the layouts of the CuTe DSL's atoms: ``python atom_worker.py GROUP``, a JSON list ``[name, layout]`` a line.

The first line is ``{"version": …}`` or ``{"missing": …}``. An atom that the DSL refuses prints ``[name, null, why]``.
The architecture is the environment's CUTE_DSL_ARCH. This file imports nothing of the project.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

Question = tuple[str, Callable[[], Any]]


def say(line: Any) -> None:
    """One line, at once: a later atom may kill the process."""
    print(json.dumps(line), flush=True)


def warp_questions() -> Iterator[Question]:
    """mma.sync, ldmatrix and stmatrix."""
    import cutlass
    from cutlass import cute
    from cutlass.cute.nvgpu import warp

    ops = [
        (f"mma.m16n8k{k}.f16", lambda k=k: warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, k)))
        for k in (8, 16)
    ]
    ops += [
        (f"mma.m16n8k{k}.bf16", lambda k=k: warp.MmaF16BF16Op(cutlass.BFloat16, cutlass.Float32, (16, 8, k)))
        for k in (8, 16)
    ]
    ops += [(f"mma.m16n8k{k}.tf32", lambda k=k: warp.MmaTF32Op((16, 8, k))) for k in (4, 8)]
    ops += [
        (f"mma.m16n8k{k}.f8", lambda k=k: warp.MmaFP8Op(cutlass.Float8E4M3FN, cutlass.Float32, (16, 8, k)))
        for k in (16, 32)
    ]
    for name, op in ops:
        for operand in "ABC":
            yield (
                f"{name}.{operand}",
                lambda op=op, operand=operand: getattr(cute.make_tiled_mma(op()), f"tv_layout_{operand}"),
            )
    for kind, fragment, rows in (("Ld", "dst", "src"), ("St", "src", "dst")):
        for number in (1, 2, 4):
            for transposed in (False, True):
                name = f"{kind.lower()}matrix.x{number}{'.trans' if transposed else ''}"

                def atom(kind: str = kind, number: int = number, transposed: bool = transposed) -> Any:
                    return cute.make_copy_atom(
                        getattr(warp, f"{kind}Matrix8x8x16bOp")(transposed, number), cutlass.Float16
                    )

                yield name, lambda atom=atom, side=fragment: getattr(atom(), f"layout_{side}_tv")
                yield f"{name}.rows", lambda atom=atom, side=rows: getattr(atom(), f"layout_{side}_tv")


def tmem_questions() -> Iterator[Question]:
    """tcgen05.ld and st."""
    import cutlass
    from cutlass import cute
    from cutlass.cute.nvgpu import tcgen05

    for shape, most in (("32x32b", 128), ("16x64b", 128), ("16x128b", 64), ("16x256b", 32)):
        for kind, side in (("Ld", "dst"), ("St", "src")):
            x = 1
            while x <= most:

                def layout(shape: str = shape, kind: str = kind, side: str = side, x: int = x) -> Any:
                    op = getattr(tcgen05, f"{kind}{shape}Op")(getattr(tcgen05.Repetition, f"x{x}"))
                    return getattr(cute.make_copy_atom(op, cutlass.Float32), f"layout_{side}_tv")

                yield f"tmem.{shape}.x{x}.{kind.lower()}", layout
                x *= 2


def wgmma_questions() -> Iterator[Question]:
    """wgmma: accumulators, A in registers, and the atoms of shared memory."""
    import cutlass
    from cutlass import cute
    from cutlass.cute.nvgpu import OperandMajorMode, warpgroup

    major = OperandMajorMode.K

    def mma(bits: int, n: int, source: Any) -> Any:
        if bits == 16:
            op = warpgroup.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (64, n, 16), source, major, major)
        else:
            f8 = cutlass.Float8E4M3FN
            op = warpgroup.MmaF8Op(f8, f8, cutlass.Float32, (64, n, 32), source, major, major)
        return cute.make_tiled_mma(op)

    for n in range(8, 257, 8):
        for bits in (16, 8):
            yield (
                f"wgmma.m64n{n}.f{bits}.D",
                lambda n=n, bits=bits: mma(bits, n, warpgroup.OperandSource.SMEM).tv_layout_C,
            )
    for bits, k in ((16, 16), (8, 32)):
        yield f"wgmma.m64k{k}.f{bits}.A", lambda bits=bits: mma(bits, 64, warpgroup.OperandSource.RMEM).tv_layout_A
    types = {8: cutlass.Float8E4M3FN, 16: cutlass.Float16, 32: cutlass.TFloat32}
    for span, mode in ((16, "INTER"), (32, "SW32"), (64, "SW64"), (128, "SW128")):
        for side in ("K", "MN"):
            for bits, dtype in types.items():
                if side == "K" or bits == 16:
                    kind = getattr(warpgroup.SmemLayoutAtomKind, f"{side}_{mode}")
                    yield (
                        f"smem.{side}.{span}.{bits}",
                        lambda kind=kind, dtype=dtype: warpgroup.make_smem_layout_atom(kind, dtype),
                    )


GROUPS = {"warp": warp_questions, "tmem": tmem_questions, "wgmma": wgmma_questions}


def main(group: str) -> None:
    """Answers all questions of a group."""
    try:
        from cutlass._mlir import ir

        say({"version": metadata.version("nvidia-cutlass-dsl")})
    except Exception as error:  # noqa: BLE001 - what does not import is not installed
        say({"missing": f"{type(error).__name__}: {error}"[:200]})
        return
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            for name, question in GROUPS[group]():
                try:
                    text = str(question().type)
                    say([name, text[text.index('"') + 1 : text.rindex('"')]])
                except Exception as error:  # noqa: BLE001 - whatever a tool raises is its refusal
                    say([name, None, f"{type(error).__name__}: {error}"[:300]])


if __name__ == "__main__":
    main(sys.argv[1])
