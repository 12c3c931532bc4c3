"""Copies that nothing guards, of tensors that their tiles hang over."""

import pytest

from veritile.kernels.audit import guards
from veritile.kernels.audit.audit import audit_text
from veritile.kernels.audit.verdict import NOT_CHECKED, OUTSIDE, RIGHT, WRONG

from .test_partitions import BY_16

TENSOR, PART = "({},64):(64,1)", "((8,1),{},1):((1,0),1024,0)"
GROUPED = "((8,1),({},1)):((1,0),(1024,0))"


def memory(layout: str, space: str = "gmem") -> str:
    return f'!cute.memref<bf16, {space}, align<16>, "{layout}">'


def kernel(rows: int, way: str, predicate: bool = False, inside: bool = False) -> str:
    """A copy of a thread's part of ``rows`` rows in tiles of 16, by way of some operations on it."""
    count = -(-rows // 16)
    tensor, part, grouped = memory(TENSOR.format(rows)), memory(PART.format(count)), memory(GROUPED.format(count))
    iterator, layout = "!cute.ptr<bf16, gmem, align<16>>", f'!cute.layout<"{PART.format(count)}">'
    sliced = memory("((8,1),1):((1,0),0)")
    there, kept = memory(GROUPED.format(count), "smem"), grouped
    lines = [
        f'%4 = "cute.tiled.copy.partition_S"(%0, %1, %2) : ({BY_16}, {tensor}, !cute.coord<"?">) -> {part} loc(unknown)'
    ]
    if way == "view":
        lines += [
            f'%5 = "cute.get_iter"(%4) : ({part}) -> {iterator} loc(unknown)',
            f'%6 = "cute.get_layout"(%4) : ({part}) -> {layout} loc(unknown)',
            f'%7 = "cute.make_view"(%5, %6) : ({iterator}, {layout}) -> {part} loc(unknown)',
        ]
    else:
        lines += [f'%7 = "cute.group_modes"(%4) <{{begin = 0 : i32, end = 0 : i32}}> : ({part}) -> {part} loc(unknown)']
    lines += [f'%8 = "cute.group_modes"(%7) <{{begin = 1 : i32, end = 3 : i32}}> : ({part}) -> {grouped} loc(unknown)']
    if way == "slice":
        there, kept = memory("((8,1),1):((1,0),0)", "smem"), sliced
        crd = '!cute.coord<"(_,0,_)">'
        lines[-1] = f'%8 = "cute.slice"(%7, %9) : ({part}, {crd}) -> {sliced} loc(unknown)'
    operands, mask = f"{BY_16}, {kept}, {there}", memory("(1,(1,1)):(0,(0,0))", "rmem")
    guard = f", %12) <{{operandSegmentSizes = array<i32: 1, 1, 1, 1>}}> : ({operands}, {mask}"
    free = f") <{{operandSegmentSizes = array<i32: 1, 1, 1, 0>}}> : ({operands}"
    copy = f'"cute.copy"(%0, %8, %3{guard if predicate else free}) -> () loc("cute.copy(…)"("k.py":9:4))'
    lines += ['"scf.if"(%20) ({', copy, "}, {", "}) : (i1) -> () loc(unknown)"] if inside else [copy]
    return "\n".join(lines)


def verdict(text: str) -> tuple[str, str]:
    """What is said of the copy."""
    found = audit_text(text)
    assert found.unread == ()
    (one,) = [one for one in found.checked if one.operation.name == "cute.copy"]
    return one.decision.verdict, one.decision.reason


@pytest.mark.parametrize("way", ["view", "modes"])
def test_a_whole_part_that_hangs_over(way: str) -> None:
    found, reason = verdict(kernel(120, way))
    assert found == WRONG
    assert "hangs over the 120 elements of mode 0 of the source" in reason
    assert "thread 64 takes the coordinate 120" in reason
    assert verdict(kernel(128, way)) == (RIGHT, "")


def test_what_may_be_guarded_is_not_told() -> None:
    assert verdict(kernel(120, "view", predicate=True))[0] == RIGHT
    assert verdict(kernel(120, "view", inside=True))[0] == RIGHT
    assert verdict(kernel(120, "slice"))[0] == RIGHT


def test_the_witness_is_a_coordinate_past_the_end() -> None:
    (one,) = [one for one in audit_text(kernel(120, "view")).checked if one.operation.name == "cute.copy"]
    witness = one.decision.witness
    assert witness is not None
    assert witness.values == {"thread": 64, "mode": 0, "coordinate": 120, "size": 120}
    # Thread 64 starts in row 8; the last of 8 tiles begins at row 112.
    assert 64 // 8 + 7 * 16 == 120


@pytest.mark.parametrize("name", ["cute.memref.load", "cute.memref.store"])
@pytest.mark.parametrize("around", [None, "scf.if", "scf.for", "scf.while"])
def test_an_element_outside_its_tensor(name: str, around: str | None) -> None:
    for row, verdict in ((7, RIGHT), (8, WRONG if around is None else OUTSIDE)):
        tensor, crd = memory("(8):(1)"), f'!cute.coord<"{row}">'
        moved = " -> bf16" if name.endswith("load") else " -> ()"
        given = f"%0, %1) : ({tensor}, {crd})" if name.endswith("load") else f"%0, %1, %2) : ({tensor}, {crd}, bf16)"
        line = f'"{name}"({given}{moved} loc("x[8]"("k.py":9:4))'
        line = f"%3 = {line}" if name.endswith("load") else line
        lines = [line] if around is None else [f'"{around}"(%4) ({{', line, "}) : (i1) -> () loc(unknown)"]
        kernel = ['"cuda.kernel"() <{sym_name = "k"}> ({', *lines, "}) : () -> () loc(unknown)"]
        for text in (kernel, ['"gpu.module"() ({', *kernel, "}) : () -> () loc(unknown)"]):
            found = audit_text("\n".join(text))
            assert found.unread == ()
            (one,) = [one for one in found.checked if one.operation.name == name]
            assert one.decision.verdict == verdict, one.decision
            assert ("the coordinate 8 is not in (8)" in one.decision.reason) is (row == 8)
            assert ("in a branch or a loop" in one.decision.reason) is (verdict == OUTSIDE)


def test_a_mistake_of_ours_loses_one_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*operands: object) -> None:
        raise ValueError("no such axis")

    monkeypatch.setattr(guards, "hanging", broken)
    found = {one.operation.name: one.decision for one in audit_text(kernel(120, "view")).checked}
    assert (found["cute.tiled.copy.partition_S"].verdict, found["cute.copy"].verdict) == (NOT_CHECKED, RIGHT)
    assert "internal error: ValueError: no such axis" in found["cute.tiled.copy.partition_S"].reason
