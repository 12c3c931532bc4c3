"""Copies of what threads slice for themselves: past the end, and two owners, each beside its twin."""

import pytest

from veritile.kernels.audit import threads
from veritile.kernels.audit.audit import Checked, audit_text
from veritile.kernels.audit.text import read
from veritile.kernels.audit.threads import touched
from veritile.kernels.audit.verdict import NOT_CHECKED, RIGHT, WRONG
from veritile.model.notation import layout


def memory(text: str, space: str = "gmem") -> str:
    return f'!cute.memref<f32, {space}, align<8>, "{text}">'


def kernel(
    tv: str = "(32,4):(4,1)",
    whole: str = "(128):(1)",
    threads: int = 32,
    blocks: int = 1,
    tile: int | None = None,
    index: str = "nvvm.read.ptx.sreg.tid.x",
    is_load: bool = False,
    is_guarded: bool = False,
    predicate: bool = False,
    atom: str = "!cute_nvgpu.atom.universal_copy<f32, 32 b>",
) -> str:
    """One whole tensor, or a tile of it for each block, given to threads by ``tv`` and copied with registers."""
    full, given = memory(whole), memory(tv)
    values = ":".join(mode.rpartition(",")[2].strip("()") for mode in tv.split(":"))
    part, held = memory(f"({values.replace(':', '):(')})"), memory("(4):(1)", "rmem")
    lines = [
        '"gpu.module"() <{sym_name = "kernels"}> ({',
        '"cuda.kernel"() <{sym_name = "k"}> ({',
        f"^bb0(%arg0: {full} loc(unknown)):",
        f'%0 = "{index}"() : () -> i32 loc(unknown)',
        '%1 = "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32 loc(unknown)',
        '%2 = "cute.make_coord"(%0) : (i32) -> !cute.coord<"(?,_)"> loc(unknown)',
    ]
    start = "%arg0"
    if tile is not None:
        size = layout(whole)[0].shape
        assert isinstance(size, int)
        divided, block = memory(f"({tile},{-(-size // tile)}):(1,{tile})"), memory(f"({tile}):(1)")
        lines += [
            f'%3 = "cute.zipped_divide"(%arg0, %20) : ({full}, !cute.tile<"[{tile}:1]">) -> {divided} loc(unknown)',
            '%4 = "cute.make_coord"(%1) : (i32) -> !cute.coord<"(_,?)"> loc(unknown)',
            f'%5 = "cute.slice"(%3, %4) : ({divided}, !cute.coord<"(_,?)">) -> {block} loc(unknown)',
        ]
        start, full = "%5", block
    sides = f"%7, {held}, {part}" if not is_load else f"%7, {part}, {held}"
    names = "%8, %9, %7" if not is_load else "%8, %7, %9"
    types = sides.partition(", ")[2]
    mask = f", %10) : ({atom}, {types}, {held})" if predicate else f") : ({atom}, {types})"
    copy = f'"cute.copy"({names}{mask} -> () loc("copy"("k.py":9:4))'
    lines += [
        f'%6 = "cute.composition"({start}, %21) : ({full}, !cute.layout<"{tv}">) -> {given} loc(unknown)',
        f'%7 = "cute.slice"(%6, %2) : ({given}, !cute.coord<"(?,_)">) -> {part} loc(unknown)',
        *(['"scf.if"(%22) ({', copy, "}, {", "}) : (i1) -> () loc(unknown)"] if is_guarded else [copy]),
        f"}}) {{cutlass_launch_facts = {{exact_grid_dim = array<i64: {blocks}, 1, 1>}}, "
        f"nvvm.reqntid = array<i32: {threads}, 1, 1>}} : () -> () loc(unknown)",
        "}) : () -> () loc(unknown)",
    ]
    return "\n".join(lines)


def copied(text: str) -> Checked:
    found = audit_text(text)
    assert found.unread == ()
    (one,) = [one for one in found.checked if one.operation.name == "cute.copy"]
    return one


OVERLAP = "(32,4):(2,1)"


def test_two_threads_that_store_to_one_element() -> None:
    decision = copied(kernel(OVERLAP)).decision
    assert (decision.verdict, decision.evidence) == (WRONG, "evaluation")
    assert "(0,2) and (1,0), as (thread, value), both to offset 2" in decision.reason
    assert decision.witness is not None
    values = decision.witness.values
    tv = layout(OVERLAP)
    assert tv(values["coordinate"]) == tv(values["other"]) == values["offset"]
    assert copied(kernel("(32,4):(4,1)")).decision.verdict == RIGHT


def test_threads_that_repeat_a_store_are_not_blamed() -> None:
    assert copied(kernel("((8,4),4):((4,0),1)")).decision.verdict == RIGHT
    assert copied(kernel("((8,4),4):((2,0),1)")).decision.verdict == WRONG


@pytest.mark.parametrize(
    "more",
    [
        {"is_guarded": True},
        {"predicate": True},
        {"is_load": True},
        {"index": "nvvm.read.ptx.sreg.laneid"},
        {"threads": 1},
        {"threads": 64},  # more than the mode has
        {"whole": "(?):(1)"},
        {"atom": "!cute_nvgpu.atom.surprise<f32>"},
    ],
)
def test_what_is_not_known_to_overlap_is_not_blamed(more: dict[str, object]) -> None:
    assert touched(read(kernel(OVERLAP, **more))) == {}  # type: ignore[arg-type]
    assert len(touched(read(kernel(OVERLAP)))) == 1


@pytest.mark.parametrize("is_load", [False, True])
def test_a_tile_past_the_end(is_load: bool) -> None:
    text = kernel(whole="(250):(1)", tile=128, blocks=2, is_load=is_load)
    decision = copied(text).decision
    assert decision.verdict == WRONG
    side = "source" if is_load else "destination"
    assert f"touches offset 255 of the {side}, whose last is 249: block x 1, thread 31, value 3" in decision.reason
    assert 128 * 1 + 4 * 31 + 3 == 255
    for twin in (
        kernel(whole="(256):(1)", tile=128, blocks=2, is_load=is_load),
        kernel(whole="(250):(1)", tile=128, blocks=1, is_load=is_load),  # the last tile has no block
        kernel(whole="(250):(1)", tile=128, blocks=2, is_load=is_load, is_guarded=True),
        kernel(whole="(250):(1)", tile=128, blocks=2, is_load=is_load, predicate=True),
        kernel(whole="(250):(1)", tile=128, blocks=3, is_load=is_load),  # what a third block does is not known here
    ):
        assert touched(read(twin)) == {}


def test_one_element_past_the_end_and_none() -> None:
    assert len(touched(read(kernel(whole="(255):(1)", tile=128, blocks=2)))) == 1
    assert touched(read(kernel(whole="(256):(1)", tile=128, blocks=2))) == {}


def test_a_part_of_size_zero_loses_nothing() -> None:
    for tv in ("(32,0):(4,1)", "(0,4):(4,1)"):
        text = kernel(tv)
        assert touched(read(text)) == {}
        found = audit_text(text)
        assert [one.operation.name for one in found.checked][-1] == "cute.copy"
    assert copied(kernel("(32,0):(4,1)")).decision.verdict == WRONG  # its own rule says so: 4 elements into none
    assert copied(kernel("(32,4):(4,1)")).decision.verdict == RIGHT
    assert touched(read(kernel(whole="(250):(1)", tile=128, blocks=0))) == {}


@pytest.mark.parametrize(("function", "name"), [("_copied", "cute.copy"), ("_sliced", "cute.slice"), ("_whole", None)])
def test_a_mistake_of_ours_loses_one_operation(
    monkeypatch: pytest.MonkeyPatch, function: str, name: str | None
) -> None:
    plain = audit_text(kernel(OVERLAP))
    assert [one.decision.verdict for one in plain.checked][-1] == WRONG

    def broken(*operands: object) -> None:
        raise ValueError("attempt to get argmax of an empty sequence")

    monkeypatch.setattr(threads, function, broken)
    found = audit_text(kernel(OVERLAP))
    assert [one.operation for one in found.checked] == [one.operation for one in plain.checked]
    lost = {one.operation.name for one in found.checked if "internal error: ValueError" in one.decision.reason}
    assert lost == ({name} if name else set())
    assert all(one.decision.verdict == NOT_CHECKED for one in found.checked if one.operation.name in lost)
