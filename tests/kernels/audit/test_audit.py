"""The walk over a trace: what is decided, what is left open and why, how it is counted and told."""

from collections.abc import Iterator
from typing import Any

import pytest

from veritile.kernels.audit import audit as module
from veritile.kernels.audit.audit import as_dict, audit_text, exit_code, is_allowed, report
from veritile.kernels.audit.operands import read_operands
from veritile.kernels.audit.partitions import typed
from veritile.kernels.audit.verdict import Call, Decision, not_checked, outside, right, wrong
from veritile.model.errors import InputError, Undecided, Witness

LAYOUT = '!cute.layout<"(6,2):(1,7)">'


def line(name: str, operand: str = LAYOUT, place: str = '"k.py":12:8') -> str:
    return f'      %2 = "{name}"(%1) : ({operand}) -> {LAYOUT} loc("c = f(a)"({place}))'


def text(*lines: str) -> str:
    return "\n".join(
        [
            '"builtin.module"() ({',
            '  "gpu.module"() <{sym_name = "kernels"}> ({',
            '    "cuda.kernel"() <{function_type = () -> (), sym_name = "kernel_one_0"}> ({',
            *lines,
            '    }) : () -> () loc("k"("k.py":1:0))',
            '  }) : () -> () loc("k"("k.py":1:0))',
            '}) : () -> () loc("k"("k.py":1:0))',
        ]
    )


WITNESS = Witness("difference", {"coordinate": (2, 1), "index": 5, "expected": 8, "got": 7})


def _raise(error: Exception) -> Any:
    raise error


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Call]]:
    """Rules of our own; the calls that ``t.right`` was asked."""
    calls: list[Call] = []

    def answered(call: Call) -> Decision:
        calls.append(call)
        return right("closed-form")

    rules = {
        "t.right": answered,
        "t.wrong": lambda call: wrong("it differs", WITNESS, "6:1", "6:2", "write g(a)"),
        "t.outside": lambda call: outside("the tile does not divide"),
        "t.open": lambda call: not_checked("too large"),
        "t.undecided": lambda call: _raise(Undecided("the budget was spent")),
        "t.mistake": lambda call: _raise(KeyError("x")),
        "t.memory": lambda call: _raise(MemoryError()),
    }
    plain = {"builtin.": "", "gpu.": "", "cuda.": "", "t.print": ""}
    monkeypatch.setattr(module, "tables", lambda: (rules, plain))
    yield calls


def verdicts(*lines: str) -> list[tuple[str, str]]:
    return [(one.decision.verdict, one.decision.reason) for one in audit_text(text(*lines)).checked]


def test_each_verdict_and_its_reason(seen: list[Call]) -> None:
    names = ("right", "wrong", "outside", "open", "undecided", "mistake", "memory", "surprise")
    assert verdicts(*(line(f"t.{name}") for name in names)) == [
        ("right", ""),
        ("wrong", "it differs"),
        ("outside", "the tile does not divide"),
        ("not checked", "too large"),
        ("not checked", "the budget was spent"),
        ("not checked", "internal error: KeyError: 'x'"),
        ("not checked", "the question is too large for this machine (MemoryError)"),
        ("not checked", "unknown operation"),
    ]


def test_an_unknown_operation_is_counted_and_named(seen: list[Call]) -> None:
    found = audit_text(text(line("t.surprise"), line("t.surprise"), line("t.right")))
    assert found.unknown == {"t.surprise": 2}
    assert found.kernels == ("kernel_one_0",)


def test_an_unknown_type_is_counted_and_named_and_never_decided(seen: list[Call]) -> None:
    found = audit_text(text(line("t.right", "!cute.surprise<1>"), line("t.right", "!cute.surprise<1>")))
    assert found.unknown_types == {"!cute.surprise": 2}
    assert {one.decision.verdict for one in found.checked} == {"not checked"}
    assert seen == []


def test_what_does_no_layout_work_is_counted_apart(seen: list[Call]) -> None:
    found = audit_text(text(line("t.print"), line("t.right")))
    assert found.no_layout["t.print"] == 1
    assert [one.operation.name for one in found.checked] == ["t.right"]


@pytest.mark.parametrize(
    ("name", "result", "verdict"),
    [
        ("cute.make_shape", '!cute.shape<"(4,8)">', None),
        ("cute.static", '!cute.layout<"(4,8):(1,4)">', None),
        ("cute.memref.alloca", '!cute.memref<f32, rmem, "(8):(1)">', None),
        ("cute.make_shape", '!cute.shape<"(4,?)">', "not checked"),
        ("cute.static", '!cute.layout<"(4,?):(1,4)">', "wrong"),
        ("cute.make_shape", "!cute.surprise<1>", "not checked"),
        ("cute.get_scalars", "i32", "not checked"),
    ],
)
def test_a_constant_is_held_to_nothing_and_counted_apart(name: str, result: str, verdict: str | None) -> None:
    found = audit_text(text(f'      %2 = "{name}"() : () -> {result} loc("c"("k.py":1:0))'))
    assert [one.decision.verdict for one in found.checked] == ([] if verdict is None else [verdict])
    assert found.no_layout[name] == (verdict is None)


@pytest.mark.parametrize("name", ["cute.elem_less", "cute.equal", "cute.assume"])
def test_what_no_type_tells_is_counted_apart(name: str) -> None:
    found = audit_text(text(line(name)))
    assert (found.checked, found.no_layout[name]) == ((), 1)


def test_a_line_that_is_not_read_is_told(seen: list[Call]) -> None:
    found = as_dict(audit_text(text("      what is this", line("t.right"))))
    assert len(found["unread"]) == 1
    told = report([target(found)])
    assert (told["summary"]["exit"], told["summary"]["right"]) == (3, 1)
    assert report([target(found)], ["unread"])["summary"]["exit"] == 0


def test_the_same_types_are_decided_once(seen: list[Call]) -> None:
    found = audit_text(text(line("t.right"), line("t.right"), line("t.right", '!cute.layout<"(6,2):(1,8)">')))
    assert (len(found.checked), len(seen)) == (3, 2)


def test_dynamic_numbers_of_two_operands_have_two_names(seen: list[Call]) -> None:
    both = f'      %2 = "t.right"(%1, %1) : ({DYNAMIC}, {DYNAMIC}) -> {DYNAMIC} loc("c"("k.py":1:0))'
    audit_text(text(both))
    operands, results = typed(seen[0])
    assert len({one.dynamic[0].name for one in (*operands, *results)}) == 3
    assert len({str(one.layout) for one in read_operands(seen[0].operands)}) == 2


DYNAMIC = '!cute.layout<"(?):(1)">'


def target(trace: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"title": "k.py", "arch": "sm_90a", "error": None, "traces": [trace], "events": [], **more}


def test_an_operation_without_a_users_frame_is_told_without_a_place(seen: list[Call]) -> None:
    """CuTe DSL then names its caller: this package."""
    own, other = line("t.wrong", place=f'"{module.__file__}":88:0'), line("t.wrong")
    told = as_dict(audit_text(text(own, other)))["operations"]
    assert [(one["file"], one["line"], one["source"]) for one in told] == [(None, None, None), ("k.py", 12, "c = f(a)")]


def test_operations_are_told_once_a_place_with_their_number(seen: list[Call]) -> None:
    lines = [line("t.wrong"), line("t.wrong"), line("t.wrong", place='"k.py":13:8')]
    told = as_dict(audit_text(text(*lines)))["operations"]
    assert [(one["line"], one["column"], one["count"]) for one in told] == [(12, 9, 2), (13, 9, 1)]
    assert told[0]["witness"] == {"kind": "difference", "coordinate": [2, 1], "index": 5, "expected": 8, "got": 7}
    assert (told[0]["expected"], told[0]["got"], told[0]["advice"]) == ("6:1", "6:2", "write g(a)")


@pytest.mark.parametrize(
    ("names", "allowed", "code"),
    [
        (["right"], [], 0),
        (["right", "wrong"], [], 1),
        (["wrong", "open"], ["t.open"], 1),
        (["wrong"], ["t.wrong"], 1),
        (["right", "outside"], [], 3),
        (["right", "open"], [], 3),
        (["open"], ["t.open"], 0),
        (["open"], ["open"], 0),
        (["open"], ["too large"], 0),
        (["open", "outside"], ["t.open"], 3),
        (["open", "outside"], ["t.open", "does not divide"], 0),
        (["surprise"], ["t.sur*"], 0),
        (["surprise"], [""], 3),
    ],
)
def test_the_exit_code(seen: list[Call], names: list[str], allowed: list[str], code: int) -> None:
    found = as_dict(audit_text(text(*(line(f"t.{name}") for name in names))))
    assert exit_code(found["operations"], allowed) == code
    told = report([target(found)], allowed)["summary"]
    assert told["exit"] == code
    assert sum(told[key] for key in ("right", "wrong", "outside", "not_checked")) == len(names) == told["operations"]


def test_a_text_is_one_name_wherever_it_may_stay_open(seen: list[Call]) -> None:
    found = as_dict(audit_text(text(line("t.open"))))
    (one,) = found["operations"]
    for name, code in (("t.open", 0), ("t.other", 3)):  # a letter of both is in the reason
        assert is_allowed(one, name) is (code == 0)
        assert exit_code([one], name) == report([target(found)], name)["summary"]["exit"] == code
    with pytest.raises(InputError):
        exit_code([one], [4])  # type: ignore[list-item]


def test_an_error_of_a_target_is_the_code_where_nothing_is_wrong(seen: list[Call]) -> None:
    fine, faulty = (as_dict(audit_text(text(line(f"t.{name}")))) for name in ("right", "wrong"))
    lost = target(fine, error="nothing was traced", traces=[])
    assert report([target(fine), lost])["summary"]["exit"] == 2
    assert report([target(faulty), lost])["summary"]["exit"] == 1


def test_nothing_traced_is_no_clean_result_whatever_is_allowed(seen: list[Call]) -> None:
    late = {"operation": "target", "verdict": "not checked", "reason": "took longer than 2 s", "count": 1}
    fine, empty = target(as_dict(audit_text(text(line("t.right"))))), {"traces": [], "events": [late]}
    assert report([{**fine, "events": [late]}], ["target"])["summary"]["exit"] == 0
    assert report([{**fine, **empty}], ["target"])["summary"]["exit"] == 3


def test_selected_kernels_alone(seen: list[Call]) -> None:
    lines = text(line("t.right"))
    assert len(audit_text(lines, select="one").checked) == 1
    assert (audit_text(lines, select="two").checked, audit_text(lines, select="two").kernels) == ((), ())


def test_every_table_names_an_operation_once() -> None:
    rules, plain = module.tables()
    assert not rules.keys() & plain.keys()
    assert all(reason for reason in plain.values())
