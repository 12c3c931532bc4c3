"""Obligations as SMT-LIB 2: the text that is decided, kept, exported and replayed is one and the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .terms import BOOL, INT, Term, as_term, neg, smt, subterms, symbol

BUILT_IN = (BOOL, INT)


@dataclass(frozen=True)
class Obligation:
    """Hypotheses that must imply a goal, without quantifiers: free variables stand for any value.

    ``name`` says where it comes from; it is no part of what is decided. ``expected`` is ``unsat`` for a goal to prove
    and ``sat`` for a check that hypotheses can hold.
    """

    name: str
    hypotheses: tuple[Term, ...]
    goal: Term
    expected: str = "unsat"

    @property
    def text(self) -> str:
        """The SMT-LIB 2 script that is unsatisfiable exactly when the hypotheses imply the goal."""
        return script([*self.hypotheses, neg(self.goal)])

    @property
    def key(self) -> str:
        """The SHA-256 digest of the text."""
        return digest(self.text)


@dataclass(frozen=True)
class Script:
    """A text that is to be exported as it is."""

    name: str
    text: str
    expected: str = "unsat"


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def script(assertions: Iterable[Term]) -> str:
    """A script that declares what the assertions mention, asserts them, and asks whether they can all hold.

    >>> from .terms import ints
    >>> x, y = ints("x y")
    >>> print(script([x < y, neg(x <= y)]))
    (set-logic ALL)
    (declare-const x Int)
    (declare-const y Int)
    (assert (< x y))
    (assert (not (<= x y)))
    (check-sat)
    <BLANKLINE>
    """
    assertions = list(dict.fromkeys(t for t in assertions if t is not as_term(True)))
    lines = ["(set-logic ALL)"]
    sorts: dict[str, None] = {}
    declarations: dict[str, str] = {}
    terms = subterms(assertions)
    for t in terms:
        if t.sort not in BUILT_IN and not t.sort.startswith("("):
            sorts[t.sort] = None
        if t.op == "variable":
            _declare(declarations, t.data, f"(declare-const {symbol(t.data)} {t.sort})")
        elif t.op == "apply":
            f = t.data
            _declare(declarations, f.name, f"(declare-fun {symbol(f.name)} ({' '.join(f.arguments)}) {f.result})")
        elif t.op in ("div", "mod"):
            _declare(declarations, f"{t.op}_", f"(declare-fun {t.op}_ (Int Int) Int)")
    lines += [f"(declare-sort {sort} 0)" for sort in sorts]
    lines += declarations.values()
    texts: dict[Term, str] = {}
    for t in terms:
        texts[t] = smt(t, texts)
    lines += [f"(assert {texts[t]})" for t in assertions]
    return "\n".join([*lines, "(check-sat)", ""])


def _declare(declarations: dict[str, str], name: str, line: str) -> None:
    if declarations.setdefault(name, line) != line:
        raise ValueError(f"two symbols are named {name}")


def export(
    obligations: Iterable[Obligation | Script], folder: Path, notes: Mapping[str, str] | None = None
) -> list[Path]:
    """Writes one ``.smt2`` file for each obligation, with its name and expected answer as ``set-info``.

    Any solver that reads SMT-LIB 2 replays them: ``z3 FILE`` and ``cvc5 FILE`` print ``unsat`` (``sat`` for the files
    that say so).
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, one in enumerate(obligations):
        name = re.sub(r"[^a-z0-9.-]+", "-", one.name.lower()).strip("-")[:100]
        path = folder / f"{number:04}-{name}.smt2"
        head = [f"; {line}" for line in (one.name, *(notes or {}).get(one.name, "").splitlines()) if line]
        head += [f"(set-info :source |{one.name.replace('|', '/')}|)", f"(set-info :status {one.expected})"]
        logic, rest = one.text.split("\n", 1)
        path.write_text("\n".join([*head[:-2], logic, *head[-2:], rest]), encoding="utf-8")
        paths.append(path)
    return paths
