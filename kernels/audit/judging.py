"""One operation judged: what it should return against what it did.

A result that is not as expected is `wrong` only with a coordinate at which plain evaluation of the operands differs
from the result, for the values of the names given beside it; or where its size or its profile is not the documented
one. What differs without such a coordinate is `not checked`, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from ...model.coordinate import idx2crd
from ...model.errors import InputError, Refuted, Undecided, VeritileError, Witness
from ...model.htuple import congruent, flatten, leaves, unflatten
from ...model.htuple import size as size_of
from ...model.layout import Layout
from ...model.names import Expr, names_in
from ...model.properties import refute_equal
from ...model.semimodule import CoordinateStride
from .definitions import Expected
from .matching import Fault, Unknown, hidden, match_layout, refines, same_function
from .operands import at_values, has_unknown
from .symbolic import Unsettled
from .verdict import OUTSIDE, RIGHT, Decision, not_checked, outside, right, several, wrong

MOST_SPLITS = 3  # names whose values are split into cases, one after another
MOST_POINTS = 1 << 16  # coordinates evaluated one by one for a witness
FIRST_POINTS = 1 << 8  # of these, as many before one step along every mode
VALUES = (
    (1, 1, 1),
    (2, 2, 2),
    (3, 3, 3),
    (5, 3, 2),
    (1, 2, 4),
    (7, 11, 13),
    (18, 10, 9),
    (33, 48, 65),
    (301, 133, 95),
    (1025, 771, 515),
)
Hidden = frozenset[tuple[str, str]]
NOTHING: Hidden = frozenset()
MOST_FILLINGS = 64  # ways to put sizes in the places of what is unknown


def judge(expect: Callable[..., Expected], operands: tuple[Any, ...], got: Layout) -> Decision:
    """The verdict on a layout ``got`` that should be what ``expect`` says of the operands."""
    decision, unseen = _judged(expect, operands, got, 0)
    return (not_shown(unseen) or decision) if decision.verdict == RIGHT else decision


def not_shown(unseen: Hidden) -> Decision | None:
    """The verdict on a result that fits and hides a number that is known; None where it hides none."""
    if not unseen:
        return None
    place, number = min(unseen)
    return not_checked(f"{place} is `?` and should be {number}: the number behind it is in no type")


def _judged(
    expect: Callable[..., Expected], operands: tuple[Any, ...], got: Layout, depth: int
) -> tuple[Decision, Hidden]:
    """As :func:`judge`, and the places where a right result hides a number that is known.

    ``depth`` counts the names whose values have been split into cases.
    """
    zero = zero_size(got)
    if zero is not None:
        return _zero(expect, operands, got), NOTHING
    try:
        expected = expect(*operands)
    except Refuted as refused:
        return outside(refused.reason, got=str(got)), NOTHING
    except Unsettled as stop:
        if stop.split is not None and depth < MOST_SPLITS:
            return _by_cases(expect, operands, got, str(stop), stop.split, depth)
        return _sampled(expect, operands, got, str(stop)), NOTHING
    except (Undecided, InputError) as stop:
        return _sampled(expect, operands, got, str(stop)), NOTHING
    decision = compare(expect, operands, expected, got)
    return decision, hidden(expected.layout, got) if decision.verdict == RIGHT and has_unknown(got) else NOTHING


def compare(expect: Callable[..., Expected], operands: tuple[Any, ...], expected: Expected, got: Layout) -> Decision:
    """The verdict once it is known what is expected."""
    if expected.layout is None:
        return _no_layout(expected, got)
    is_right = match_layout(expected.layout, got) is None
    if not is_right and not expected.is_exact:
        is_right = refines(expected.coarse, got.shape) and same_function(expected.layout, got)
    if is_right:
        if expected.outside:
            return outside("; ".join(expected.outside), got=str(got), evidence=expected.evidence)
        return right(expected.evidence, expected.note)
    if names_in(expected.layout, *operands) or has_unknown(got):
        return _with_names(expect, operands, expected, got)
    return _differs(expected, got)


def zero_size(layout: Layout) -> int | None:
    """The leaf whose size is zero or less, or None."""
    return next((k for k, s in enumerate(leaves(layout.shape)) if isinstance(s, int) and s < 1), None)


def _zero(expect: Callable[..., Expected], operands: tuple[Any, ...], got: Layout) -> Decision:
    """A result with a size of zero has no coordinate at all."""
    try:
        found = expect(*operands).layout
        text = None if found is None else str(found)
        reason = ""
    except Refuted as refused:
        text, reason = None, f"; {refused.reason}"
    except (VeritileError, Unsettled):
        text, reason = None, ""
    return wrong(f"the result {got} has a size of zero, and so no coordinate{reason}", expected=text, got=str(got))


def _no_layout(expected: Expected, got: Layout) -> Decision:
    """The model refuses: wrong where the result differs from the definition, else outside."""
    if expected.definition is None or has_unknown(got):
        return outside(expected.reason, got=str(got))
    if expected.coarse is not None and not refines(expected.coarse, got.shape):
        reason = f"the result has another size or profile; {expected.reason}"
        return wrong(reason, got=str(got), advice=expected.advice)
    witness, is_all = first_difference(expected.definition, got)
    if witness is not None:
        return wrong(expected.reason, witness, got=str(got), advice=expected.advice)
    if not is_all:
        return not_checked(f"more than {MOST_POINTS} coordinates to compare; {expected.reason}")
    reason = f"{expected.beyond}; {expected.reason}" if expected.beyond else expected.reason
    return outside(reason, got=str(got), evidence="enumeration")


def _differs(expected: Expected, got: Layout) -> Decision:
    """A static result that is not the expected one."""
    assert expected.layout is not None
    text = str(expected.layout)
    code = as_code(expected.layout)
    if size_of(got.shape) != size_of(expected.layout.shape):
        return wrong(
            f"the result has {size_of(got.shape)} elements and should have {size_of(expected.layout.shape)}",
            expected=text,
            got=str(got),
            advice=code,
        )
    shape = expected.layout.shape
    is_profiled = congruent(got.shape, shape) if expected.is_exact else refines(expected.coarse, got.shape)
    definition = expected.definition or expected.layout
    witness, is_all = first_difference(definition, got, expected.layout)
    if witness is not None:
        reason = "the result gives another offset than its definition"
        return wrong(reason, witness, text, str(got), advice=code)
    if not is_profiled:
        reason = f"the result has the profile {_profile(got)}, not {_profile(expected.layout)}"
        return wrong(reason, None, text, str(got), advice=code)
    if is_all:
        if expected.beyond:
            return outside(expected.beyond, got=str(got), evidence="enumeration")
        return right("enumeration", expected.note)
    return not_checked("the result is not what the model gives, and no coordinate shows where")


def as_code(layout: Layout) -> str:
    """How to build a layout in CuTe DSL.

    >>> as_code(Layout((4, (2, 3)), (1, (12, 4))))
    'write cute.make_layout((4, (2, 3)), stride=(1, (12, 4)))'
    """
    if any(not isinstance(x, int) for x in (*leaves(layout.shape), *leaves(layout.stride))):
        return f"build {layout}"
    return f"write cute.make_layout({layout.shape}, stride={layout.stride})"


def first_difference(
    definition: Callable[[int], Any], got: Layout, likely: Layout | None = None, most: int = MOST_POINTS
) -> tuple[Witness | None, bool]:
    """The first coordinate at which a result differs from its definition, by evaluation; whether all were looked at.

    Up to ``most`` are, from the first on, and one step along every mode.
    """
    total = size_of(got.shape)
    first: list[int] = []
    if likely is not None:
        found = refute_equal(likely, got)
        if found is not None:
            first = [found.values["index"]]
    few = range(min(total, FIRST_POINTS))
    for index in (*first, *few, *_steps(got), *range(min(total, most))):
        want = definition(index)
        if want is None:
            continue
        have = got(index)
        if want != have:
            crd = idx2crd(index, got.shape)
            return Witness("difference", {"coordinate": crd, "index": index, "expected": want, "got": have}), True
    return None, total <= most


def _steps(layout: Layout) -> Iterator[int]:
    """The index one step along each mode, which may lie past every index that is looked at in order.

    >>> list(_steps(Layout((4, 1, (2, 3)))))
    [1, 4, 8]
    """
    index = 1
    for size in leaves(layout.shape):
        if size > 1:
            yield index
        index *= size


# Names


def assignments(names: Any) -> Iterator[dict[str, int]]:
    """A few values for the names, small ones first."""
    ordered = sorted(names)
    for values in VALUES:
        yield {name: values[k % len(values)] for k, name in enumerate(ordered)}
        if not ordered:
            return


def _with_names(
    expect: Callable[..., Expected], operands: tuple[Any, ...], expected: Expected, got: Layout
) -> Decision:
    """Values of the names at which the result is not what it should be, shown by evaluation there."""
    assert expected.layout is not None
    fault = match_layout(expected.layout, got)
    text = str(expected.layout)
    for most, values in product((FIRST_POINTS, MOST_POINTS), assignments(names_in(*operands))):
        given = tuple(at_values(operand, values) for operand in operands)
        try:
            there = expect(*given)
        except (VeritileError, Unsettled):
            continue
        if there.layout is None:
            continue
        is_profiled = congruent(there.layout.shape, got.shape)
        if not (is_profiled if expected.is_exact else refines(there.coarse, got.shape)):
            if is_profiled or not has_unknown(got.shape):
                size = _other_size(there.layout, got) if is_profiled else None
                return wrong(
                    f"{size or 'the result has another size or profile'}{_where(values)}", None, text, str(got)
                )
            continue
        filled = _filled(there.layout, got)
        if filled is None:
            witness = _never(there, got)
            if witness is not None:
                witness = Witness("difference", {**values, **witness.values})
                return wrong(f"no values of what is open make it right{_where(values)}", witness, text, str(got))
            continue
        if isinstance(filled, Fault):
            witness = Witness("difference", {**values, "expected": filled.expected, "got": str(filled.got)})
            return wrong(f"{filled}{_where(values)}", witness, text, str(got))
        size = _other_size(there.layout, filled) if is_profiled else None
        if size is not None:
            return wrong(f"{size}{_where(values)}", None, text, str(got))
        witness, _ = first_difference(there.definition or there.layout, filled, there.layout, most)
        if witness is not None:
            witness = Witness("difference", {**values, **witness.values})
            reason = f"{fault}" if fault is not None and fault.leaf is not None else "the result gives another offset"
            return wrong(f"{reason}{_where(values)}", witness, text, str(got))
    return not_checked(f"{fault or 'the result is another'}, and no values of the names tried show it by evaluation")


def _other_size(expected: Layout, got: Layout) -> str | None:
    """The first mode of another size, of two layouts of one profile."""
    for k, (want, have) in enumerate(zip(leaves(expected.shape), leaves(got.shape), strict=True)):
        if not isinstance(have, Unknown) and want != have:
            return f"the size of mode {k} should be {want}, not {have}"
    return None


def _by_cases(
    expect: Callable[..., Expected],
    operands: tuple[Any, ...],
    got: Layout,
    reason: str,
    split: tuple[str, int],
    depth: int,
) -> tuple[Decision, Hidden]:
    """Each value of a name below a number by itself, and all those from it on: right where every case is.

    A number is known, and may be hidden, where it is the same in every case.
    """
    name, first = split
    unseen: Hidden | None = None
    how: list[str] = []
    same = {one: Expr.of(one) for one in names_in(*operands)}
    for value in (*range(1, first), Expr.of(name) + (first - 1)):
        given = tuple(at_values(operand, {**same, name: value}) for operand in operands)
        decision, here = _judged(expect, given, got, depth + 1)
        if decision.verdict == RIGHT:
            unseen = here if unseen is None else unseen & here
            how.append(decision.evidence)
            continue
        place = f"{name} = {value}" if isinstance(value, int) else f"{name} >= {first}"
        if decision.verdict == OUTSIDE:
            told = f"it is right only where {reason}: not at {place}"
            return outside(told, str(got), evidence=decision.evidence), NOTHING
        return replace(decision, reason=f"at {place}: {decision.reason}"), NOTHING
    return right(several(how), f"by cases of {name}"), unseen or NOTHING


def _sampled(expect: Callable[..., Expected], operands: tuple[Any, ...], got: Layout, reason: str) -> Decision:
    """What is not settled for every value of the names, at a few of them."""
    names = names_in(*operands)
    if not names:
        return not_checked(reason)
    for values in assignments(names):
        given = tuple(at_values(operand, values) for operand in operands)
        try:
            there = expect(*given)
        except Refuted as refused:
            return outside(f"it is right only where {reason}{_where(values)} {refused.reason}", got=str(got))
        except (VeritileError, Unsettled):
            continue
        if there.layout is None:
            return outside(f"it is right only where {reason}:{_where(values)} {there.reason}", got=str(got))
    return not_checked(f"not settled for every value of the names: {reason}")


def _filled(expected: Layout, got: Layout) -> Layout | Fault | None:
    """``got`` with what is unknown taken from a layout of the same profile; a fault where a divisor is not kept."""
    if not has_unknown(got):
        return got
    if not congruent(expected.shape, got.shape):
        return None
    sizes: list[Any] = []
    strides: list[Any] = []
    pairs = zip(flatten(expected.shape), flatten(expected.stride), flatten(got.shape), flatten(got.stride), strict=True)
    for k, (s, d, n, e) in enumerate(pairs):
        if isinstance(n, Unknown):
            if s % n.divisor:
                return Fault(f"size of mode {k}", s, f"a multiple of {n.divisor}", k)
            n = s
        if isinstance(e, Unknown):
            if isinstance(d, CoordinateStride) or (d % e.divisor and s > 1):
                return Fault(f"stride of mode {k}", d, f"a multiple of {e.divisor}", k)
            e = d
        elif isinstance(e, CoordinateStride) and any(isinstance(x, Unknown) for _, x in e.terms):
            filled = _filled_stride(d, e)
            if filled is None:
                return Fault(f"stride of mode {k}", d, e, k)
            e = filled
        sizes.append(n)
        strides.append(e)
    return Layout.of(unflatten(sizes, got.shape), unflatten(strides, got.shape))


def _never(expected: Expected, got: Layout) -> Witness | None:
    """A difference where no sizes and strides in the places of what is unknown make a result right; else None."""
    assert expected.layout is not None
    definition = expected.definition or expected.layout
    total = size_of(expected.layout.shape)
    last: Witness | None = None
    for count, sizes in enumerate(_sizes_for(list(leaves(got.shape)), total)):
        if count == MOST_FILLINGS:
            return None
        shape = unflatten(sizes, got.shape)
        if not refines(expected.coarse, shape):
            continue
        strides, index = [], 1
        for s, d in zip(sizes, leaves(got.stride), strict=True):
            value = definition(index) if s > 1 else 0
            if value is None:
                return None
            if isinstance(d, Unknown):
                d = value if isinstance(value, int) and value % d.divisor == 0 else 0
            elif isinstance(d, CoordinateStride):
                d = _filled_stride(value, d) or 0
            strides.append(d)
            index *= s
        witness, _ = first_difference(definition, Layout.of(shape, unflatten(strides, got.shape)))
        if witness is None:
            return None
        last = witness
    return last


def _sizes_for(sizes: list[Any], total: int) -> Iterator[list[int]]:
    """All ways to put sizes in the places of the unknown ones so that they multiply to ``total``."""
    if not sizes:
        if total == 1:
            yield []
        return
    first, *rest = sizes
    divisor = first.divisor if isinstance(first, Unknown) else first
    choices = range(divisor, total + 1, divisor) if isinstance(first, Unknown) else (first,)
    for size in choices:
        if total % size == 0:
            for others in _sizes_for(rest, total // size):
                yield [size, *others]


def _filled_stride(want: Any, have: CoordinateStride) -> Any:
    scales = dict(want.terms) if isinstance(want, CoordinateStride) else {}
    terms = []
    for path, x in have.terms:
        if isinstance(x, Unknown):
            if scales.get(path, 0) % x.divisor:
                return None
            x = scales.get(path, 0)
        terms.append((path, x))
    return CoordinateStride(tuple((path, x) for path, x in terms if x)) or 0


def _where(values: dict[str, int]) -> str:
    return f" at {', '.join(f'{name} = {value}' for name, value in values.items())}" if values else ""


def _profile(layout: Layout) -> str:
    def text(t: Any) -> str:
        return f"({','.join(map(text, t))})" if isinstance(t, tuple) else "*"

    return text(layout.shape)


__all__ = ["assignments", "compare", "first_difference", "judge", "not_shown", "zero_size"]
