"""What the audit says of one operation, and the one table of rules that say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ...model.errors import Undecided, VeritileError, Witness

if TYPE_CHECKING:
    from .text import Operation

Answer = TypeVar("Answer")
RIGHT, WRONG, OUTSIDE, NOT_CHECKED = VERDICTS = ("right", "wrong", "outside", "not checked")


@dataclass(frozen=True)
class Decision:
    """What was decided of one operation.

    ``verdict``   ``right``: the result is as documented on the whole domain, for every value of every name;
                  ``wrong``: it is not; ``outside``: a documented precondition does not hold, or holds for some values
                  of the names only; ``not checked``: nothing was decided
    ``reason``    OUTSIDE: which precondition; NOT_CHECKED: why not; WRONG: the fault in a sentence; RIGHT: a note
    ``witness``   WRONG: a coordinate with both values, by plain evaluation
    ``expected``  the right result in notation, if one exists; ``got``: what the operation returned
    ``advice``    what to write instead
    ``evidence``  how it was decided, a word for each way that was needed: ``definition`` (nothing was to be computed),
                  ``closed-form``, ``enumeration`` (all values compared, or a search through all cases); WRONG:
                  ``evaluation`` at the witness

    ValueError for a verdict without what it owes: a witness or a reason.

    >>> Decision("right", evidence="closed-form").verdict
    'right'
    >>> Decision("not checked")
    Traceback (most recent call last):
    ...
    ValueError: 'not checked' owes a reason
    """

    verdict: str
    reason: str = ""
    witness: Witness | None = None
    expected: str | None = None
    got: str | None = None
    advice: str | None = None
    evidence: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"no verdict of an audit: {self.verdict!r}")
        if self.verdict != RIGHT and not self.reason:
            raise ValueError(f"{self.verdict!r} owes a reason")
        if self.verdict == RIGHT and not self.evidence:
            raise ValueError(f"{self.verdict!r} owes its evidence")


@dataclass(frozen=True)
class Call:
    """One operation with its types read: what a rule decides.

    Names of two types may coincide: :func:`.operands.read_operands` and :func:`.partitions.typed` name them apart.
    """

    operation: Operation
    operands: tuple[Any, ...]
    results: tuple[Any, ...]


Rule = Callable[[Call], Decision]

RULES: dict[str, Rule] = {}  # by the name of the operation; filled by the modules that hold the rules
NO_LAYOUT: dict[str, str] = {}  # operations that do no layout work, with the reason; "arith." names a whole dialect


def rule(*names: str) -> Callable[[Rule], Rule]:
    """A decorator: the function decides the operations of these names. ValueError for a name that has a rule."""

    def register(function: Rule) -> Rule:
        for name in names:
            if name in RULES or name in NO_LAYOUT:
                raise ValueError(f"{name} has a rule already")
            RULES[name] = function
        return function

    return register


def several(words: Iterable[str]) -> str:
    """The evidence of several steps as one: each word once.

    >>> several(["closed-form", "enumeration", "closed-form"])
    'closed-form, enumeration'
    """
    return ", ".join(dict.fromkeys(word for told in words for word in told.split(", ")))


def right(evidence: str, note: str = "") -> Decision:
    """The result is as documented on the whole domain."""
    return Decision(RIGHT, note, evidence=evidence)


def also(decision: Decision, words: Iterable[str]) -> Decision:
    """A decision that is right, with the evidence of what was asked besides; any other as it is."""
    if decision.verdict != RIGHT:
        return decision
    return replace(decision, evidence=several([decision.evidence, *words]))


def wrong(
    reason: str,
    witness: Witness | None = None,
    expected: str | None = None,
    got: str | None = None,
    advice: str | None = None,
    evidence: str = "evaluation",
) -> Decision:
    """The result is not as documented: ``witness`` is a coordinate with both values; none for a size or a profile."""
    return Decision(WRONG, reason, witness, expected, got, advice, evidence)


def outside(reason: str, got: str | None = None, advice: str | None = None, evidence: str = "") -> Decision:
    """A documented precondition does not hold: ``reason`` names it."""
    return Decision(OUTSIDE, reason, got=got, advice=advice, evidence=evidence)


def not_checked(reason: str) -> Decision:
    """Nothing was decided, and why."""
    return Decision(NOT_CHECKED, reason)


def asked(question: Callable[[], Answer]) -> Answer | Decision:
    """What a question answers; ``not checked`` with the reason where it ends in an error, a mistake of ours too.

    >>> asked(lambda: 4), asked(lambda: 1 // 0).reason
    (4, 'internal error: ZeroDivisionError: integer division or modulo by zero')
    """
    try:
        return question()
    except Undecided as undecided:
        return not_checked(_line(undecided))
    except (MemoryError, RecursionError) as error:
        return not_checked(f"the question is too large for this machine ({type(error).__name__})")
    except VeritileError as error:
        return not_checked(f"{type(error).__name__}: {_line(error)}")
    except Exception as error:  # noqa: BLE001 - a mistake of ours loses one operation, and is told
        return not_checked(f"internal error: {type(error).__name__}: {_line(error)}")


def _line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
