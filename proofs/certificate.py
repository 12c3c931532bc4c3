"""Certificates: a claim about given layouts, the theorem that it is an instance of, and digests over both.

A certificate is JSON that anyone can re-check without a solver: the theorem's hypotheses are computed again from the
layouts by integer arithmetic, and each is a comparison of two numbers. Where no theorem applies and the domain is
small, the definition is evaluated at every coordinate instead. :mod:`veritile.proofs.theorems` says why the
hypotheses suffice; nothing is believed because the certificate says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..model.coalesce import coalesce
from ..model.complement import decide_complement
from ..model.composition import decide_composition
from ..model.coordinate import as_coordinate
from ..model.errors import InputError, VeritileError
from ..model.floor_form import FloorForm
from ..model.htuple import compatible, leaves, size
from ..model.inverse import decide_left_inverse, decide_right_inverse
from ..model.layout import Layout
from ..model.notation import layout as read_layout
from ..model.semimodule import CoordinateStride
from ..model.tiler import joined
from ..model.version import VERSION

FORMAT = "veritile-certificate/1"
POINTS = 1 << 16  # coordinates evaluated one by one where no theorem applies

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda left, right: bool(left == right),
    "<": lambda left, right: bool(left < right),
    "<=": lambda left, right: bool(left <= right),
    "divides": lambda left, right: bool(left and right % left == 0),
}


class CertificateRefused(VeritileError):
    """The certificate does not hold; the message says which part, and why."""


@dataclass(frozen=True)
class Hypothesis:
    """One comparison: ``left relation right``, and what the two are: numbers, or text for F₂ and coordinates."""

    text: str
    left: Any
    relation: str
    right: Any

    @property
    def holds(self) -> bool:
        """Whether the comparison is true."""
        return _RELATIONS[self.relation](self.left, self.right)

    def as_list(self) -> list[Any]:
        """As it stands in a certificate."""
        return [self.text, self.left, self.relation, self.right]


@dataclass(frozen=True)
class Ground:
    """Why a claim holds: a theorem with its hypotheses at these layouts, or ``evaluation`` at so many coordinates."""

    theorem: str
    hypotheses: tuple[Hypothesis, ...]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in a certificate; a theorem with the digest of its statement."""
        return {
            "theorem": self.theorem,
            "digest": theorem_digest(self.theorem),
            "hypotheses": [h.as_list() for h in self.hypotheses],
        }


EVALUATION = "evaluation"


def theorem_digest(name: str) -> str:
    """The digest of a theorem's statement, hypotheses and conclusion as they stand in the library now."""
    if name == EVALUATION:
        return digest_of("every coordinate evaluated by the definition")
    from .language import THEOREMS
    from .theorems import load

    load()
    theorem = THEOREMS[name]
    return digest_of([theorem.statement, [str(h) for h in theorem.hypotheses], str(theorem.conclusion)])


def digest_of(data: Any) -> str:
    """SHA-256 of data in canonical JSON.

    >>> digest_of({"a": 1})[:12]
    '015abd7f5cc5'
    """
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# Grounds: from layouts to hypotheses. Each names the theorem and reads nothing but its arguments.


def composition_grounds(a: Layout, b: Layout, r: Layout) -> list[Ground]:
    """R(c) = A(B(c)) on Z(B) and B⪯R: R's strides are A's values at the steps of its modes, which never carry."""
    checks = [Hypothesis("B⪯R", int(compatible(b.shape, r.shape)), "=", 1)]
    steps: list[Any] = []
    for leaf, ((_, d), part) in enumerate(zip(b.modes, _parts(b.shape, r.shape), strict=True)):
        step = d
        for n in leaves(part):
            steps.append(step)
            step = step * n
        checks.append(Hypothesis(f"the modes of R for leaf {leaf} of B", size(part), "=", b.modes[leaf][0]))
    values = [a(as_coordinate(x, a.shape)) for x in steps]
    for k, ((n, d), v) in enumerate(zip(r.modes, values, strict=True)):
        if n > 1:
            checks.append(Hypothesis(f"A at the step of mode {k} is its stride", _plain(v), "=", _plain(d)))
    if a.semimodule != "F2":
        form = FloorForm.of(a, _axes(b))
        moves = [form.step(x) for x in steps]
        for axis, p, _ in form.floors:
            total = sum((n - 1) * (x[axis] % p) for (n, _), x in zip(r.modes, moves, strict=True))
            checks.append(Hypothesis(f"no carry at P = {p} in the whole box", total, "<", p))
        if all(check.holds for check in checks):
            return [Ground("carry.distribution-sufficient", tuple(checks))]
    return [_evaluated("R(c) = A(B(c))", r, lambda i: r(i), lambda i: a(as_coordinate(b(i), a.shape)), checks[:1])]


def bijection_grounds(whole: Layout, n: int) -> list[Ground]:
    """One-to-one onto Z_n: as many coordinates as offsets, and all of them reached."""
    return [*onto_grounds(whole, n), Ground("modes.size-positive", (Hypothesis("size", size(whole.shape), "=", n),))]


def onto_grounds(layout: Layout, n: int) -> list[Ground]:
    """Every offset below n is reached: sorted strides, none above what is covered so far."""
    if layout.semimodule == "integer" and all(d >= 0 for _, d in layout.modes):
        checks, covered = [], 1
        for s, d in sorted([m for m in layout.modes if m[0] > 1 and m[1]], key=lambda m: m[1]):
            if covered >= n:
                break
            checks.append(Hypothesis("stride at most the offsets covered", d, "<=", covered))
            covered += (s - 1) * d
        checks.append(Hypothesis("offsets covered", n, "<=", covered))
        return [Ground("properties.dense", tuple(checks))]
    image = {int(v) for v in _values(layout)}
    return [Ground(EVALUATION, (Hypothesis(f"offsets of Z_{n} reached", len(image & set(range(n))), "=", n),))]


def within_grounds(layout: Layout, n: int) -> list[Ground]:
    """Every offset is in Z_n: the least and the greatest are sums over the modes."""
    low = sum((s - 1) * d for s, d in layout.modes if d < 0)
    high = sum((s - 1) * d for s, d in layout.modes if d > 0)
    checks = (Hypothesis("least offset", 0, "<=", low), Hypothesis("greatest offset", high, "<", n))
    return [Ground("modes.zero", checks)]


def injective_grounds(layout: Layout) -> list[Ground]:
    """No two coordinates share an offset: sorted strides, by magnitude each more than the smaller ones reach."""
    if layout.semimodule == "integer":
        checks, reach = [], 0
        for s, d in sorted([(s, abs(d)) for s, d in layout.modes if s > 1], key=lambda m: m[1]):
            checks.append(Hypothesis("reach of the smaller strides", reach, "<", d))
            reach += (s - 1) * d
        if all(check.holds for check in checks):
            return [Ground("properties.spread", tuple(checks))]
    values = _values(layout)
    return [Ground(EVALUATION, (Hypothesis("different offsets", len(set(values)), "=", len(values)),))]


def equal_grounds(first: Layout, second: Layout) -> list[Ground]:
    """The same function of an index: both coalesce to one layout."""
    if "F2" in (first.semimodule, second.semimodule):
        return [_evaluated("L(i) = M(i)", first, first, second, [_same_size(first, second)])]
    checks = (_same_size(first, second), Hypothesis("coalesced", str(coalesce(first)), "=", str(coalesce(second))))
    return [Ground("coalesce.complete", checks)]


def contiguous_grounds(layout: Layout, k: int) -> list[Ground]:
    """L(i) = i for i < k: the first coalesced mode has stride 1 and at least k elements."""
    s, d = coalesce(layout).modes[0]
    checks = (
        Hypothesis("elements of the first coalesced mode", k, "<=", s),
        Hypothesis("its stride", d if k > 1 else 1, "=", 1),
    )
    return [Ground("coalesce.values", checks)]


def complement_grounds(layout: Layout, rest: Layout, n: int) -> list[Ground]:
    """(L, L*) is a bijection onto Z_M, M = |L|·|L*| ≥ n, and L* is ordered."""
    total = size(layout.shape) * size(rest.shape)
    ordered = [
        Hypothesis("L* ascends", (s - 1) * d, "<", e)
        for (s, d), (_, e) in zip(rest.modes, rest.modes[1:], strict=False)
    ]
    bound = Hypothesis("the bound", n, "<=", total)
    return [*bijection_grounds(joined([layout, rest]), total), Ground("complement.ordered", (*ordered, bound))]


def right_inverse_grounds(layout: Layout, inverse: Layout) -> list[Ground]:
    """L(L‡(k)) = k on Z_|L‡|: L∘L‡ is compact, and L‡ stays inside L."""
    inside = (
        Hypothesis("least index", 0, "<=", sum((s - 1) * d for s, d in inverse.modes if d < 0)),
        Hypothesis("greatest index", sum((s - 1) * d for s, d in inverse.modes if d > 0), "<", size(layout.shape)),
    )
    return [*composition_grounds(layout, inverse, Layout(inverse.shape)), Ground("modes.zero", inside)]


def left_inverse_grounds(layout: Layout, inverse: Layout) -> list[Ground]:
    """L†(L(k)) = k on Z_|L|: L†∘L is compact. For an L that is not injective, L(L†(L(k))) = L(k) at every k."""
    compact = Layout(layout.shape)
    try:
        return composition_grounds(inverse, layout, compact)
    except CertificateRefused:
        return [_evaluated("L(L†(L(k))) = L(k)", layout, layout, lambda i: layout(inverse(layout(i))), [])]


def _same_size(first: Layout, second: Layout) -> Hypothesis:
    return Hypothesis("sizes", size(first.shape), "=", size(second.shape))


def _evaluated(
    text: str, domain: Layout, left: Callable[[int], Any], right: Callable[[int], Any], first: list[Hypothesis]
) -> Ground:
    points = size(domain.shape)
    if points > POINTS:
        raise CertificateRefused(f"{text} rests on no theorem here, and {points} coordinates are more than {POINTS}")
    if any(not h.holds for h in first):
        raise CertificateRefused(f"{first[0].text} does not hold")
    differs = sum(left(i) != right(i) for i in range(points))
    if differs:
        raise CertificateRefused(f"{text} fails at {differs} coordinates")
    return Ground(EVALUATION, (*first, Hypothesis(f"{text}: coordinates of {points} that differ", differs, "=", 0)))


def _values(layout: Layout) -> list[Any]:
    points = size(layout.shape)
    if points > POINTS:
        raise CertificateRefused(f"no theorem applies to {layout}, and {points} coordinates are more than {POINTS}")
    return [layout(i) for i in range(points)]


def _plain(value: Any) -> Any:
    return value if isinstance(value, int) else str(value)


def _parts(shape: Any, refined: Any) -> list[Any]:
    """What each leaf of a shape became in a shape that refines it."""
    if not isinstance(shape, tuple):
        return [refined]
    if not isinstance(refined, tuple) or len(refined) != len(shape):
        raise CertificateRefused("R does not refine B")
    return [part for s, r in zip(shape, refined, strict=True) for part in _parts(s, r)]


def _axes(b: Layout) -> tuple[tuple[int, ...], ...]:
    paths = sorted({p for _, d in b.modes if isinstance(d, CoordinateStride) for p, _ in d.terms})
    return tuple(paths) or ((),)


# Claims: what can be certified, how the result is found, and what it then rests on.


@dataclass(frozen=True)
class Kind:
    """One kind of claim: its operands, the sentence, how the result is found, and its grounds.

    ``operands`` names them, ``L`` for a layout and ``n`` for a positive integer; ``find`` gives the result (None for
    a property); ``grounds`` takes the operands and the result.
    """

    operands: tuple[str, ...]
    statement: str
    find: Callable[..., Layout | None]
    grounds: Callable[..., list[Ground]]


def _nothing(*operands: Any) -> None:
    return None


KINDS = {
    "compose": Kind(
        ("A", "B"),
        "R(c) = A(B(c)) for every c in Z(B), and B⪯R",
        lambda a, b: decide_composition(a, b).result,
        composition_grounds,
    ),
    "complement": Kind(
        ("L", "n"),
        "(L, R) is a bijection onto Z_M, M = |L|·|R| ≥ n, and R is ordered",
        lambda a, n: decide_complement(a, n).result,
        lambda a, n, r: complement_grounds(a, r, n),
    ),
    "right-inverse": Kind(
        ("L",),
        "L(R(k)) = k for every k < |R|, with R(k) in Z_|L|",
        lambda a: decide_right_inverse(a).result,
        right_inverse_grounds,
    ),
    "left-inverse": Kind(
        ("L",),
        "R(L(k)) = k for every k < |L|, or L(R(L(k))) = L(k) where L is not injective",
        lambda a: decide_left_inverse(a).result,
        left_inverse_grounds,
    ),
    "coalesce": Kind(("L",), "R(i) = L(i) for every i < |L| = |R|", coalesce, lambda a, r: equal_grounds(a, r)),
    "equal": Kind(("L", "M"), "L(i) = M(i) for every i < |L| = |M|", _nothing, lambda a, b, r: equal_grounds(a, b)),
    "injective": Kind(("L",), "no two coordinates of L share an offset", _nothing, lambda a, r: injective_grounds(a)),
    "onto": Kind(("L", "n"), "every offset of Z_n is one of L", _nothing, lambda a, n, r: onto_grounds(a, n)),
    "within": Kind(("L", "n"), "every offset of L is in Z_n", _nothing, lambda a, n, r: within_grounds(a, n)),
    "bijective": Kind(("L", "n"), "L is one-to-one onto Z_n", _nothing, lambda a, n, r: bijection_grounds(a, n)),
    "contiguous": Kind(("L", "n"), "L(i) = i for every i < n", _nothing, lambda a, n, r: contiguous_grounds(a, n)),
}


def certify(operation: str, operands: list[str]) -> dict[str, Any]:
    """The certificate of a claim, as plain data; Refuted or CertificateRefused when it does not hold.

    >>> made = certify("compose", ["(4,6,8,10):(2,3,5,7)", "6:12"])
    >>> made["claim"]["result"], made["evidence"][0]["theorem"]
    ('(2,3):(9,5)', 'carry.distribution-sufficient')
    >>> certify("injective", ["(4,3):(1,2)"])
    Traceback (most recent call last):
    ...
    veritile.proofs.certificate.CertificateRefused: different offsets: 8 = 12 does not hold
    """
    kind = _kind(operation)
    values = _operands(operation, kind, operands)
    result = kind.find(*values)
    grounds = kind.grounds(*values, result)
    _discharge(grounds)
    claim = {
        "operation": operation,
        "operands": [str(v) for v in values],
        "result": None if result is None else str(result),
        "statement": kind.statement,
    }
    evidence = [ground.as_dict() for ground in grounds]
    return sealed({"format": FORMAT, "version": VERSION, "claim": claim, "evidence": evidence})


def sealed(parts: dict[str, Any]) -> dict[str, Any]:
    """The parts of a certificate with a digest of each."""
    return {**parts, "digests": {name: digest_of(part) for name, part in parts.items()}}


def check_certificate(certificate: Any, operands: list[str] | None = None) -> dict[str, Any]:
    """The claim that a certificate establishes, after re-checking all of it; CertificateRefused with which part fails.

    No solver is used: digests are recomputed, the hypotheses are computed again from the layouts and compared with
    those that stand there, and each comparison is made. ``operands`` are the layouts that the reader has in mind.

    >>> made = certify("bijective", ["(4,8):(8,1)", "32"])
    >>> check_certificate(made)["operation"]
    'bijective'
    >>> check_certificate(made, ["(4,8):(1,8)", "32"])
    Traceback (most recent call last):
    ...
    veritile.proofs.certificate.CertificateRefused: the certificate is for (4,8):(8,1) 32, not for (4,8):(1,8) 32
    """
    _check_form(certificate)
    claim, evidence = certificate["claim"], certificate["evidence"]
    for part in ("format", "version", "claim", "evidence"):
        if certificate["digests"].get(part) != digest_of(certificate[part]):
            raise CertificateRefused(f"the {part} was changed: its digest is another")
    if certificate["version"] != VERSION:
        raise CertificateRefused(f"made by veritile {certificate['version']}, this is {VERSION}: certify again")
    kind = _kind(claim["operation"])
    if claim["statement"] != kind.statement:
        raise CertificateRefused(f"the statement of {claim['operation']} has changed since: certify again")
    if operands is not None:
        wanted = [str(v) for v in _operands(claim["operation"], kind, operands)]
        if wanted != claim["operands"]:
            raise CertificateRefused(
                f"the certificate is for {' '.join(claim['operands'])}, not for {' '.join(wanted)}"
            )
    values = _operands(claim["operation"], kind, claim["operands"])
    result = None if claim["result"] is None else read_layout(claim["result"])
    if (result is None) != (kind.find is _nothing):
        raise CertificateRefused("the result is missing, or one stands where none is meant")
    grounds = kind.grounds(*values, result)
    _discharge(grounds)
    for ground, stands in zip(grounds, evidence, strict=False):
        now = ground.as_dict()
        if now["theorem"] != stands.get("theorem") or now["hypotheses"] != stands.get("hypotheses"):
            raise CertificateRefused(f"the hypotheses of {stands.get('theorem')} are not those of these layouts")
        if now["digest"] != stands.get("digest"):
            raise CertificateRefused(f"the theorem {now['theorem']} is stated otherwise now: certify again")
    if len(grounds) != len(evidence):
        raise CertificateRefused("the evidence is not complete, or more than there is")
    return dict(claim)


def _kind(operation: Any) -> Kind:
    if operation not in KINDS:
        raise InputError(f"nothing is certified for {operation}: {', '.join(KINDS)} are")
    return KINDS[operation]


def _operands(operation: str, kind: Kind, operands: list[str]) -> list[Any]:
    if len(operands) != len(kind.operands):
        raise InputError(f"{operation} takes {' '.join(kind.operands)}, not {len(operands)} operands")
    return [_number(o) if name == "n" else read_layout(o) for name, o in zip(kind.operands, operands, strict=True)]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 640 or int(text) < 1:
        raise InputError("a positive integer is expected", text, 0)
    return int(text)


def _discharge(grounds: list[Ground]) -> None:
    for ground in grounds:
        for h in ground.hypotheses:
            if not h.holds:
                raise CertificateRefused(f"{h.text}: {h.left} {h.relation} {h.right} does not hold")


def _check_form(certificate: Any) -> None:
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        found = certificate.get("format") if isinstance(certificate, dict) else type(certificate).__name__
        raise CertificateRefused(f"the format is {found}, not {FORMAT}")
    wanted = {"format", "version", "claim", "evidence", "digests"}
    if set(certificate) != wanted:
        raise CertificateRefused(f"the parts are not {', '.join(sorted(wanted))}")
    claim = certificate["claim"]
    if not isinstance(claim, dict) or set(claim) != {"operation", "operands", "result", "statement"}:
        raise CertificateRefused("the claim has not the parts operation, operands, result, statement")
    if not isinstance(claim["operands"], list) or not all(isinstance(o, str) for o in claim["operands"]):
        raise CertificateRefused("the operands are not a list of texts")
    if not isinstance(certificate["evidence"], list) or not isinstance(certificate["digests"], dict):
        raise CertificateRefused("the evidence is not a list, or the digests are no table")
    if not all(isinstance(ground, dict) for ground in certificate["evidence"]):
        raise CertificateRefused("the evidence is not a list of tables")


__all__ = ["FORMAT", "KINDS", "CertificateRefused", "Ground", "Hypothesis", "certify", "check_certificate"]
