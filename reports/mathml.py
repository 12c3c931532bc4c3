r"""Formulas: a small part of LaTeX as MathML, which browsers draw by themselves.

Known are letters, digits, signs, ``_`` and ``^`` with one token or a group, ``\frac{…}{…}``, ``\text{…}``, and the
names in SIGNS. Anything else is shown as it is written: a formula never fails.
"""

from __future__ import annotations

import re
from typing import Any

from .markup import Markup, element, escaped

SIGNS = {
    "circ": "∘", "ne": "≠", "neq": "≠", "le": "≤", "ge": "≥", "in": "∈", "notin": "∉", "cdot": "⋅", "times": "×",
    "preceq": "⪯", "lesssim": "≲", "forall": "∀", "exists": "∃", "lfloor": "⌊", "rfloor": "⌋", "mid": "∣", "ast": "∗",
    "oslash": "⊘", "otimes": "⊗", "oplus": "⊕", "sum": "∑", "prod": "∏", "dots": "…", "ldots": "…", "Rightarrow": "⇒",
    "to": "→", "langle": "⟨", "rangle": "⟩", "dagger": "†", "ddagger": "‡", "bmod": "mod", "subseteq": "⊆", "neg": "¬",
    "delta": "δ", "rho": "ρ", "iff": "⇔", "colon": ":",
}  # fmt: skip
_TOKEN = re.compile(r"\\([A-Za-z]+)|\\(.)|([0-9]+)|(.)", re.DOTALL)


def formula(latex: str, display: bool = False) -> Markup:
    r"""The MathML of a formula in LaTeX, with its source as the text alternative.

    >>> formula(r"R(c) = A(B(c))")[:76]
    '<math alttext="R(c) = A(B(c))"><mrow><mi>R</mi><mo stretchy="false">(</mo><m'
    >>> formula(r"\frac{1}{x}").count("mrow"), formula(r"x_0 \ne y")[-58:]
    (6, '<mn>0</mn></mrow></msub><mo>≠</mo><mi>y</mi></mrow></math>')
    """
    reader = _Reader(latex)
    body = reader.row()
    while reader.rest:  # a brace that closes nothing
        body += element("mo", reader.take()) + reader.row()
    return element("math", element("mrow", Markup(body)), alttext=latex, display="block" if display else None)


def layout_formula(text: str) -> str:
    r"""The notation S:D as LaTeX.

    >>> layout_formula("(4,8):(e0,2e1)")
    '(4,8){:}(e_{0},2e_{1})'
    """
    text = re.sub(r"([ef])([0-9]+)", r"\1_{\2}", text.replace("\\", " ").replace("{", "(").replace("}", ")"))
    return text.replace(":", "{:}").replace(" o ", r" \circ ")


class _Reader:
    def __init__(self, latex: str):
        self.rest = [match.group(0) for match in _TOKEN.finditer(latex)]

    def take(self) -> str:
        return self.rest.pop(0)

    def row(self) -> str:
        done: list[Markup] = []
        while self.rest and self.rest[0] != "}":
            token = self.rest[0]
            if token in "_^" and done:
                self.take()
                done.append(element("msub" if token == "_" else "msup", done.pop(), self.group()))
            elif token.isspace():
                self.take()
            else:
                done.append(self.atom())
        return "".join(done)

    def group(self) -> Markup:
        if self.rest and self.rest[0] == "{":
            self.take()
            body = self.row()
            if self.rest:
                self.take()
            return element("mrow", Markup(body))
        return element("mrow", self.atom() if self.rest else None)

    def atom(self) -> Any:
        token = self.take()
        if token == "{":
            self.rest.insert(0, token)
            return self.group()
        if token == r"\frac":
            return element("mfrac", self.group(), self.group())
        if token == r"\text":
            return element("mtext", Markup(escaped(self.raw()).replace(" ", "&#160;")))
        if token.isdecimal() and token.isascii():
            return element("mn", token)
        if token.startswith("\\"):
            sign = SIGNS.get(token[1:], token[1:])
            return element("mi" if sign.isalpha() and len(sign) == 1 else "mo", sign)
        if token.isalpha():
            return element("mi", token)
        return element("mo", "−" if token == "-" else token, stretchy="false" if token in "()[]⌊⌋⟨⟩" else None)

    def raw(self) -> str:
        """The characters of a group, spaces kept."""
        if not self.rest or self.rest[0] != "{":
            return self.take() if self.rest else ""
        self.take()
        text = ""
        while self.rest and self.rest[0] != "}":
            text += self.take()
        if self.rest:
            self.take()
        return text
