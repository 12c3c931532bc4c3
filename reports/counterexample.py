"""A refutation as a person would explain it: statement, inputs, steps digit by digit, the two values that differ.

Then the smallest change found that makes it true, which was tried and not guessed, and code that shows it with
veritile, pycute and the CuTe DSL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..model import htuple
from ..model.coordinate import as_coordinate, natural
from ..model.errors import InputError, Refuted, Undecided
from ..model.htuple import HTuple, flatten, text_of, unflatten
from ..model.layout import Layout
from ..model.notation import parse, parse_tiler
from ..model.properties import refute_injective
from ..model.semimodule import CoordinateStride
from .mathml import layout_formula
from .run import Entry

TRIALS = 300  # changed inputs that are tried
MOST_BITS = 64  # of a number that is worked through digit by digit


@dataclass(frozen=True)
class Explanation:
    """A counterexample, ready to be shown.

    ``statement`` is the formula that fails, in LaTeX; ``instance`` the same with its numbers. ``difference`` holds the
    two values that should be one, ``change`` a sentence, ``code`` pairs of a tool and a program for it.
    """

    statement: str
    instance: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    steps: tuple[str, ...] = ()
    difference: tuple[str, str] | None = None
    change: str | None = None
    code: tuple[tuple[str, str], ...] = ()


STATEMENTS = {
    "compose": r"R(c) = A(B(c)) \text{ for } c \in Z(B), B \preceq R",
    "complement": r"(L, L^{\ast}) \text{ is a bijection onto } Z_M, M \ge N",
    "divide": r"A \oslash T = A \circ (T, T^{\ast})",
    "product": r"A \otimes B = (A, A^{\ast} \circ B)",
    "injective": r"L(a) = L(b) \Rightarrow a = b",
    "onto": r"\forall n < N \exists c \in Z(L) \colon L(c) = n",
    "equal": r"L(i) = M(i) \text{ for } i < |L| = |M|",
    "inverse": r"L(L^{\dagger}(L(k))) = L(k)",
}


def evaluation(name: str, layout: Any, coordinate: HTuple) -> list[str]:
    """A layout at a coordinate, digit by digit.

    >>> evaluation("A", parse("(6,2):(1,7)"), 7)
    ['7 = (1,1) in (6,2): 7 mod 6 = 1, 7 div 6 = 1', 'A(7) = 1⋅1 + 1⋅7 = 8']
    >>> evaluation("B", parse("(3,2):(2,3)"), (2, 1))
    ['B(2,1) = 2⋅2 + 1⋅3 = 7']
    """
    if not isinstance(layout, Layout):
        return [f"{name}{_call(coordinate)} = {layout(coordinate)}"]
    lines = []
    digits = natural(coordinate, layout.shape)
    if isinstance(layout.shape, tuple) and not isinstance(coordinate, tuple) and isinstance(coordinate, int):
        rest, sizes, parts = coordinate, flatten(layout.shape), []
        for size in sizes[:-1]:
            parts.append(f"{rest} mod {size} = {rest % size}")
            parts.append(f"{rest} div {size} = {rest // size}")
            rest //= size
        lines.append(f"{coordinate} = {text_of(digits)} in {text_of(layout.shape)}: {', '.join(parts)}")
    terms = [f"{c}⋅{d}" for c, (_, d) in zip(flatten(digits), layout.modes, strict=True)]
    return [*lines, f"{name}{_call(coordinate)} = {' + '.join(terms)} = {layout(coordinate)}"]


def _call(coordinate: HTuple) -> str:
    text = text_of(coordinate)
    return text if text.startswith("(") else f"({text})"


def explanation_of(entry: Entry) -> Explanation | None:
    """The counterexample of an entry that is refuted; None where there is nothing to work through.

    >>> from .run import question_entry
    >>> told = {"operation": "compose", "operands": ["(6,2):(1,7)", "(3,2):(2,3)"], "verdict": "refuted"}
    >>> explanation_of(question_entry(told)).difference
    ('8', '7')
    """
    if entry.verdict != "refuted" or not (entry.witness or entry.operands):
        return None
    try:
        if entry.kind == "question" and entry.name:
            return explain(entry.name.split(" ")[0], entry.operands)
        return _of_claim(entry.witness or {})
    except (InputError, Refuted, Undecided, ValueError, OverflowError):
        return None


def explain(operation: str, operands: Sequence[str]) -> Explanation | None:
    """Why an operation has no result for these operands; None when it has one, or it is not explained here."""
    maker = _MAKERS.get(operation)
    try:
        return None if maker is None else maker([str(one) for one in operands])
    except Undecided:
        return None


# composition


def _compose(operands: list[str]) -> Explanation | None:
    a, b = parse(operands[0]), parse(operands[1])
    refusal = _refusal(lambda: _run("compose", [a, b]))
    if refusal is None or refusal.witness is None or "coordinate" not in refusal.witness.values:
        return None
    assert isinstance(a, Layout) and isinstance(b, Layout)
    values = refusal.witness.values
    c, expected, got = values["coordinate"], values["expected"], values["got"]
    middle = b(c)
    steps = [*evaluation("B", b, c), *evaluation("A", a, as_coordinate(middle, a.shape))]
    if refusal.witness.kind == "run":
        run = values["run"]
        steps += [
            f"the first {run} values of A(B(·)) along this mode are multiples of one step, and the next is not",
            f"a mode of {run} does not divide the {values['size']} elements that are left: no modes give {expected}",
        ]
    else:
        steps += _parts(a, b, c, got)
    where = layout_formula(_call(c))
    return Explanation(
        STATEMENTS["compose"],
        rf"A(B{where}) = A({layout_formula(str(middle))}) = {layout_formula(str(expected))}"
        rf" \ne {layout_formula(str(got))} = R{where}",
        (("A", str(a)), ("B", str(b))),
        tuple(steps),
        (str(expected), str(got)),
        _smallest_change("compose", ["A", "B"], [a, b]),
        _programs("compose", [a, b], c),
    )


def _parts(a: Layout, b: Layout, c: HTuple, got: Any) -> list[str]:
    """What a layout would have to add: A∘B at the parts of the coordinate."""
    flat = flatten(c)
    told, values, total = [], [], 0
    for k, digit in enumerate(flat):
        if not digit:
            continue
        part = unflatten([digit if i == k else 0 for i in range(len(flat))], c)
        value = a(as_coordinate(b(part), a.shape))
        told.append(f"A(B{_call(part)})")
        values.append(str(value))
        total = value + total
    if total != got or len(told) < 2:
        return [f"the only layout that agrees with A(B(·)) on its first coordinates has {got} there"]
    return [f"a layout adds the parts of its coordinate: {' + '.join(told)} = {' + '.join(values)} = {got}"]


# one layout


def _complement(operands: list[str]) -> Explanation | None:
    layout, bound = parse(operands[0]), int(operands[1])
    refusal = _refusal(lambda: _run("complement", [layout, bound]))
    if refusal is None or refusal.witness is None or not isinstance(layout, Layout):
        return None
    values = refusal.witness.values
    instance, steps = _witnessed("L", layout, values)
    if "coordinate" not in values:
        image = sorted(offset for offset in (layout(i) for i in range(min(htuple.size(layout.shape), 1 << 12))))
        steps = [f"L reaches {', '.join(map(str, image[:12]))}{', …' if len(image) > 12 else ''}"]
        steps.append(f"{values['offset']} must be reached by a shift of L that starts there")
        if "meets" in values:
            steps.append(f"that shift also reaches {values['meets']}, which is reached already")
            instance = rf"{values['meets']} \text{{ is reached twice}}"
    return Explanation(
        STATEMENTS["complement"],
        instance,
        (("L", str(layout)), ("N", str(bound))),
        tuple(steps),
        None,
        _smallest_change("complement", ["L", "N"], [layout, bound], fixed=(1,)),
        _programs("complement", [layout, bound], None),
    )


def _check(operands: list[str]) -> Explanation | None:
    layout = parse(operands[0])
    if not any(one.startswith(("injective", "bijective")) for one in operands[1:]):
        return None
    witness = refute_injective(layout)  # type: ignore[arg-type]
    if witness is None:
        return None
    instance, steps = _witnessed("L", layout, witness.values)
    return Explanation(
        STATEMENTS["injective"],
        instance,
        (("L", str(layout)),),
        tuple(steps),
        None,
        _smallest_change("injective", ["L"], [layout]),
        _programs("evaluate", [layout], (witness.values["coordinate"], witness.values["other"])),
    )


def _witnessed(name: str, layout: Any, values: dict[str, Any]) -> tuple[str, list[str]]:
    """The formula and the steps of two coordinates with one offset, or of one with a bad offset."""
    if "coordinate" not in values:
        return "", []
    first, steps = values["coordinate"], evaluation(name, layout, values["coordinate"])
    left = layout_formula(f"{name}{_call(first)}")
    if "other" not in values:
        return f"{left} = {layout_formula(str(values['offset']))}", steps
    second = values["other"]
    right = layout_formula(f"{name}{_call(second)}")
    steps += evaluation(name, layout, second)
    return f"{left} = {layout_formula(str(values['offset']))} = {right}", steps


def _divide(operands: list[str]) -> Explanation | None:
    layout, tiler = parse(operands[0]), parse_tiler(operands[1])
    refusal = _refusal(lambda: _run("divide", [layout, tiler]))
    if refusal is None:
        return None
    steps = [refusal.reason]
    if isinstance(tiler, Layout) and refusal.witness is not None:
        steps += _witnessed("T", tiler, refusal.witness.values)[1] if "other" in refusal.witness.values else []
    change = _smallest_change("divide", ["A", "T"], [layout, tiler]) if isinstance(tiler, Layout) else None
    return Explanation(
        STATEMENTS["divide"],
        "",
        (("A", str(layout)), ("T", operands[1])),
        tuple(steps),
        None,
        change,
        _programs("divide", [layout, tiler], None) if isinstance(tiler, (Layout, int)) else (),
    )


_MAKERS: dict[str, Callable[[list[str]], Explanation | None]] = {
    "compose": _compose,
    "complement": _complement,
    "divide": _divide,
    "check": _check,
}


# witnesses of claims


def _of_claim(witness: dict[str, Any]) -> Explanation | None:
    """What the values of a claim's witness show: its layouts, evaluated where the witness says."""
    layouts: dict[str, Any] = {}
    for name, value in witness.items():
        if isinstance(value, str) and ":" in value:
            try:
                layouts[name] = parse(value)
            except InputError:
                continue
    places = [_tuple(witness[k]) for k in ("coordinate", "other", "index") if k in witness]
    places += [_tuple(one) for one in witness.get("coordinates", ()) if isinstance(one, (int, list))]
    places = [place for place in places if all(isinstance(c, int) for c in flatten(place))]
    steps: list[str] = []
    said = ""
    if "A" in layouts and "B" in layouts and places:
        a, b, c = layouts["A"], layouts["B"], places[0]
        if isinstance(a, Layout) and isinstance(b, Layout) and b.in_bounds(c):
            steps = [*evaluation("B", b, c), *evaluation("A", a, as_coordinate(b(c), a.shape))]
            said = f"A(B{_call(c)}) = "
    else:
        for name, layout in layouts.items():
            for place in places:
                if _small(place) and htuple.weakly_congruent(place, layout.shape):
                    steps += evaluation(name if len(name) < 4 else f"[{name}]", layout, place)
    difference = None
    if "expected" in witness and "got" in witness:
        difference = (_text(witness["expected"]), _text(witness["got"]))
    if not layouts and difference is None:
        return None
    code: tuple[tuple[str, str], ...] = ()
    if set(layouts) >= {"A", "B"} and all(isinstance(layouts[k], Layout) for k in "AB"):
        code = _programs("compose", [layouts["A"], layouts["B"]], places[0] if places else None)
    instance = rf"{layout_formula(said + difference[0])} \ne {layout_formula(difference[1])}" if difference else ""
    inputs = tuple((str(name), _text(value)) for name, value in witness.items() if name not in ("kind", "row"))
    return Explanation("", instance, inputs, tuple(dict.fromkeys(steps)), difference, None, code)


def _tuple(value: Any) -> HTuple:
    return tuple(map(_tuple, value)) if isinstance(value, (list, tuple)) else value


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"({','.join(map(_text, value))})"
    return str(value)


def _small(place: HTuple) -> bool:
    return all(c.bit_length() <= MOST_BITS for c in flatten(place))


# the smallest change


def _refusal(question: Callable[[], Any]) -> Refuted | None:
    try:
        question()
    except Refuted as refusal:
        return refusal
    return None


def _run(operation: str, operands: Sequence[Any]) -> Any:
    from ..model.complement import complement
    from ..model.composition import composition
    from ..model.divide import logical_divide

    if operation == "injective":
        witness = refute_injective(operands[0])
        if witness is not None:
            raise Refuted("not injective", witness)
        return "one-to-one"
    calls: dict[str, Callable[..., Any]] = {"compose": composition, "complement": complement, "divide": logical_divide}
    return calls[operation](*operands)


def _smallest_change(
    operation: str, names: Sequence[str], operands: Sequence[Any], fixed: Sequence[int] = ()
) -> str | None:
    """The first change of one number, nearest first, for which the operation has a result; None where none was found.

    Strides are changed before sizes, the last operand before the first, up before down.
    """
    tried = 0
    for distance in range(1, 9):
        for which in reversed([k for k in range(len(operands)) if k not in fixed]):
            for changed in _changed(operands[which], distance):
                tried += 1
                if tried > TRIALS:
                    return None
                trial = [*operands[:which], changed, *operands[which + 1 :]]
                try:
                    result = _run(operation, trial)
                except (InputError, Refuted, Undecided, AssertionError):
                    continue
                return f"{names[which]} = {changed} instead of {operands[which]}; the result is then {result}"
    return None


def _changed(operand: Any, distance: int) -> Iterator[Layout]:
    """The layouts that differ from this one in one integer, by ``distance``."""
    if not isinstance(operand, Layout):
        return
    sizes, strides = list(flatten(operand.shape)), list(flatten(operand.stride))
    for numbers, least, is_stride in ((strides, None, True), (sizes, 1, False)):
        for k, value in enumerate(numbers):
            if not isinstance(value, int):
                continue
            for new in (value + distance, value - distance):
                if (least is not None and new < least) or (is_stride and value >= 0 > new):
                    continue
                other = [*numbers[:k], new, *numbers[k + 1 :]]
                tree = unflatten(other, operand.shape)
                try:
                    yield Layout(operand.shape, tree) if is_stride else Layout(tree, operand.stride)
                except InputError:
                    continue


# code


def _programs(operation: str, operands: Sequence[Any], coordinate: Any) -> tuple[tuple[str, str], ...]:
    """The question as a program for each tool that can be asked."""
    call = {"compose": "composition", "complement": "complement", "divide": "logical_divide"}.get(operation)
    names = {"compose": ["A", "B"], "complement": ["L", "N"], "divide": ["A", "T"]}.get(operation, ["L"])
    plain = all(isinstance(one, int) or _is_plain(one) for one in operands)
    ours = ["import veritile as vt", ""]
    ours += [
        f'{n} = vt.layout("{o}")' if not isinstance(o, int) else f"{n} = {o}"
        for n, o in zip(names, operands, strict=True)
    ]
    told = [("veritile", "\n".join([*ours, *_ours(operation, names, call, coordinate)]))]
    if call is None or not plain:
        return tuple(told)
    theirs = [f"from pycute import Layout, {call}", ""]
    theirs += [
        f"{n} = {o}" if isinstance(o, int) else f"{n} = Layout({o.shape}, {o.stride})"
        for n, o in zip(names, operands, strict=True)
    ]
    theirs += [f"R = {call}({', '.join(names)})", "print(R)"]
    if operation == "compose" and coordinate is not None:
        theirs.append(f"print(R({_spread(coordinate)}), A(B({_spread(coordinate)})))  # equal where R is right")
    dsl = ["import cutlass.cute as cute", "", "", "@cute.jit", "def main():"]
    dsl += [
        f"    {n} = {o}" if isinstance(o, int) else f"    {n} = cute.make_layout({o.shape}, stride={o.stride})"
        for n, o in zip(names, operands, strict=True)
    ]
    dsl += [f"    print(cute.{call}({', '.join(names)}))", "", "", "main()"]
    return (*told, ("pycute", "\n".join(theirs)), ("CuTe DSL", "\n".join(dsl)))


def _ours(operation: str, names: Sequence[str], call: str | None, coordinate: Any) -> list[str]:
    if call is None:
        return [f"print({', '.join(f'L({place!r})' for place in coordinate)})"]
    lines = [] if coordinate is None or operation != "compose" else [f"print(A(B({coordinate!r})))"]
    return [*lines, f"vt.{call}({', '.join(names)})"]


def _is_plain(operand: Any) -> bool:
    """Whether other tools can be given it as integers."""
    return isinstance(operand, Layout) and not any(
        isinstance(d, CoordinateStride) or not isinstance(d, int) for _, d in operand.modes
    )


def _spread(coordinate: HTuple) -> str:
    return (
        ", ".join(map(repr, coordinate)) if isinstance(coordinate, tuple) and len(coordinate) > 1 else repr(coordinate)
    )
