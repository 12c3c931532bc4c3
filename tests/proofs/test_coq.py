"""The Coq definitions are those of model/: same results and refusals on random layouts; what names a Coq theorem."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from veritile.model.coalesce import coalesce
from veritile.model.complement import complement, extended_complement
from veritile.model.composition import composition
from veritile.model.divide import logical_divide
from veritile.model.errors import Refuted, Undecided
from veritile.model.htuple import compatible, size
from veritile.model.inverse import decide_left_inverse, decide_right_inverse
from veritile.model.layout import Layout
from veritile.model.swizzle import Swizzle
from veritile.proofs import discharge
from veritile.proofs.coq_link import BUILD, DIFFERENCES, SOURCES, THEOREMS, CoqEvidence, coq_evidence
from veritile.proofs.discharge import theorems
from veritile.proofs.library import select
from veritile.proofs.verdict import EvidenceKind

MODULES = ["Modes", "Coalesce", "Shapes", "Compose", "Complement", "Divide", "Inverse", "Swizzle"]

PRELUDE = """
Definition mode_eqb (m n : mode) : bool := (fst m =? fst n) && (snd m =? snd n).
Definition list_eqb {A B} (eqb : A -> B -> bool) := fix go (l : list A) (k : list B) : bool :=
  match l, k with [], [] => true | a :: l, b :: k => eqb a b && go l k | _, _ => false end.
Fixpoint tree_eqb {A} (eqb : A -> A -> bool) (t u : tree A) : bool :=
  match t, u with
  | Leaf a, Leaf b => eqb a b
  | Node l, Node k => list_eqb (tree_eqb eqb) l k
  | _, _ => false
  end.
Definition some_eqb {A} (eqb : A -> A -> bool) (o p : option A) : bool :=
  match o, p with None, None => true | Some a, Some b => eqb a b | _, _ => false end.
Definition modes_eqb := list_eqb mode_eqb.
Definition layout_eqb := tree_eqb mode_eqb.
Fixpoint compatibleb (P S : shape) : bool :=
  match P, S with
  | Leaf n, _ => n =? total S
  | Node l, Node k => list_eqb compatibleb l k
  | Node _, Leaf _ => false
  end.
(* Where the search of model/ decides, a closed form that is found must be as large. *)
Definition as_large (o : option modes) (n : Z) : bool := match o with Some R => size R =? n | None => true end.
"""


def _shape(rng: Random, sizes: list[int], depth: int) -> object:
    """The sizes from left to right, nested at random."""
    if len(sizes) == 1 and (depth or rng.random() < 0.7):
        return sizes[0]
    cut = sorted(rng.sample(range(1, len(sizes)), rng.randint(1, len(sizes) - 1))) if len(sizes) > 1 else []
    parts = [sizes[i:j] for i, j in zip([0, *cut], [*cut, len(sizes)], strict=True)]
    return tuple(_shape(rng, part, depth + 1) for part in parts)


def _strides(rng: Random, sizes: list[int]) -> list[int]:
    kind = rng.random()
    if kind < 0.45:  # compact or a chain with gaps, in any order
        order = rng.sample(range(len(sizes)), len(sizes))
        strides, reach = [0] * len(sizes), 1
        for k in order:
            reach *= rng.choice([1, 1, 1, 2, 3])
            strides[k] = reach
            reach *= sizes[k]
        return strides
    low = 0 if kind < 0.8 else -4
    return [rng.randint(low, 12) for _ in sizes]


def _like(shape: object, flat: list[int]) -> object:
    return tuple(_like(s, flat) for s in shape) if isinstance(shape, tuple) else flat.pop(0)


def _layout(rng: Random, rank: int = 3, largest: int = 5) -> Layout:
    sizes = [rng.randint(1, largest) for _ in range(rng.randint(1, rank))]
    shape = _shape(rng, sizes, 0)
    return Layout(shape, _like(shape, _strides(rng, sizes)))


def _z(n: int) -> str:
    return f"({n})" if n < 0 else str(n)


def _modes(layout: Layout) -> str:
    return f"[{';'.join(f'({s},{_z(d)})' for s, d in layout.modes)}]"


def _canonical(layout: Layout) -> str:
    """A list of modes; 1:0 is the empty one."""
    return "[]" if list(layout.modes) == [(1, 0)] else _modes(layout)


def _tree(shape: object, stride: object) -> str:
    if isinstance(shape, tuple):
        assert isinstance(stride, tuple)
        return f"Node [{';'.join(_tree(s, d) for s, d in zip(shape, stride, strict=True))}]"
    assert isinstance(stride, int)
    return f"Leaf ({shape},{_z(stride)})"


def _numbers(t: object) -> str:
    if isinstance(t, tuple):
        return f"Node [{';'.join(map(_numbers, t))}]"
    assert isinstance(t, int)
    return f"Leaf {_z(t)}"


def _some(text: str | None) -> str:
    return "None" if text is None else f"(Some ({text}))"


def _result(operation: Callable[[], Layout]) -> Layout | None:
    """What the model says; None where it refuses. Undecided passes through."""
    try:
        return operation()
    except Refuted:
        return None


def _coordinate(rng: Random, shape: object) -> object:
    if isinstance(shape, tuple) and rng.random() < 0.8:
        return tuple(_coordinate(rng, s) for s in shape)
    return rng.randrange(size(shape))


def _value(rng: Random) -> str:
    a = _layout(rng)
    x = rng.randint(-40, 200)
    return f"value {_modes(a)} {_z(x)} =? {_z(a(x))}"


def _eval(rng: Random) -> str:
    a = _layout(rng, 4)
    c = _coordinate(rng, a.shape)
    return f"eval ({_tree(a.shape, a.stride)}) ({_numbers(c)}) =? {_z(a(c))}"


def _compatible(rng: Random) -> str:
    s = _layout(rng, 4, 3).shape
    p = _layout(rng, 2, 9).shape if rng.random() < 0.3 else _coarser(rng, s)
    return f"Bool.eqb (compatibleb ({_numbers(p)}) ({_numbers(s)})) {str(compatible(p, s)).lower()}"


def _coarser(rng: Random, shape: object) -> object:
    if isinstance(shape, tuple) and rng.random() < 0.7:
        return tuple(_coarser(rng, s) for s in shape)
    return size(shape) + (rng.random() < 0.1)


def _coalesce(rng: Random) -> str:
    a = _layout(rng, 4)
    return f"modes_eqb (coalesce {_modes(a)}) {_canonical(coalesce(a))}"


def _compose(rng: Random) -> str:
    a, b = _layout(rng), _layout(rng)
    r = _result(lambda: composition(a, b))
    expected = _some(None if r is None else _tree(r.shape, r.stride))
    return f"some_eqb layout_eqb (compose {_modes(a)} ({_tree(b.shape, b.stride)})) {expected}"


def _complement(rng: Random) -> str:
    a, n = _layout(rng), rng.randint(1, 60)
    r = _result(lambda: complement(a, n))
    return f"some_eqb modes_eqb (complement {_modes(a)} {n}) {_some(None if r is None else _canonical(r))}"


def _extended(rng: Random) -> str:
    a = _layout(rng)
    if _result(lambda: complement(a, 1)) is None:  # elsewhere the model fills what gaps it can
        return f"some_eqb modes_eqb (extended_complement {_modes(a)}) None"
    return f"some_eqb modes_eqb (extended_complement {_modes(a)}) (Some {_modes(extended_complement(a))})"


def _divide(rng: Random) -> str:
    a, b = _layout(rng), _layout(rng, 2, 4)
    r = _result(lambda: logical_divide(a, b))
    expected = _some(None if r is None else _tree(r.shape, r.stride))
    return f"some_eqb layout_eqb (divide {_modes(a)} ({_tree(b.shape, b.stride)})) {expected}"


def _right(rng: Random) -> str:
    a = _layout(rng)
    answer = decide_right_inverse(a)
    if answer.evidence == ("closed-form",):
        return f"some_eqb modes_eqb (right_inverse {_modes(a)}) (Some {_canonical(answer.result)})"
    return f"as_large (right_inverse {_modes(a)}) {size(answer.result.shape)}"


def _left(rng: Random) -> str:
    a = _layout(rng)
    live = [d for s, d in a.modes if s > 1 and d]
    try:
        answer = decide_left_inverse(a)
        closed = answer.evidence == ("closed-form",) and not (len(live) == 1 and live[0] < 0)
        expected = _canonical(answer.result) if closed else None
    except Refuted:
        expected = None
    return f"some_eqb modes_eqb (left_inverse {_modes(a)}) {_some(expected)}"


def _swizzle(rng: Random) -> str:
    b, m, s = rng.randint(0, 5), rng.randint(0, 5), rng.choice([-6, -4, -3, -2, -1, 1, 2, 3, 4, 6])
    x = rng.randint(-(1 << 20), 1 << 20)
    return f"swizzle {b} {m} {_z(s)} {_z(x)} =? {_z(Swizzle(b, m, s)(x))}"


DRAWS = (
    *(_value, _eval, _compatible, _coalesce, _compose, _compose, _compose),
    *(_complement, _complement, _extended, _divide, _divide, _right, _left, _swizzle),
)


def _cases(count: int, seed: int) -> list[str]:
    rng = Random(seed)
    cases: list[str] = []
    while len(cases) < count:
        try:
            cases.append(DRAWS[len(cases) % len(DRAWS)](rng))
        except Undecided:
            continue
    return cases


def _disagreements(cases: list[str], folder: Path) -> list[str]:
    """The cases that Coq evaluates to false, all in one file. What ``make coq`` built is used where it is current."""
    current = coq_evidence("composition.unique") is not None
    for module in MODULES:
        if current:
            shutil.copy(BUILD / f"{module}.vo", folder)
        else:
            shutil.copy(SOURCES / f"{module}.v", folder)
            _coqc(folder, f"{module}.v")
    lines = ["From Coq Require Import ZArith List Bool.", f"From Veritile Require Import {' '.join(MODULES)}."]
    lines += ["Import ListNotations.", "Open Scope Z_scope.", PRELUDE]
    for start in range(0, len(cases), 100):
        part = ";\n".join(f"({start + k}, {case})" for k, case in enumerate(cases[start : start + 100]))
        lines.append(f"Definition cases_{start} : list (Z * bool) := [{part}].")
        lines.append(f"Eval vm_compute in map fst (filter (fun c => negb (snd c)) cases_{start}).")
    (folder / "Link.v").write_text("\n".join(lines), encoding="utf-8")
    answers = re.findall(r"^ *= (.*)\n", _coqc(folder, "Link.v"), re.MULTILINE)
    assert len(answers) == -(-len(cases) // 100)
    return [cases[int(n)] for answer in answers for n in re.findall(r"\d+", answer)]


def _coqc(folder: Path, file: str) -> str:
    done = subprocess.run(
        ["coqc", "-q", "-Q", ".", "Veritile", file],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed: Debian's package coq")


@needs_coq
def test_coq_and_the_model_agree_on_200_inputs_and_a_false_case_is_told(tmp_path: Path) -> None:
    wrong = "value [(4,1)] 3 =? 4"
    assert _disagreements([*_cases(200, 1), wrong], tmp_path) == [wrong]


@needs_coq
@pytest.mark.slow
def test_coq_and_the_model_agree_on_5000_inputs(tmp_path: Path) -> None:
    cases = _cases(5000, 8)
    for name in ("compose", "complement", "divide", "left_inverse"):
        asked = [case for case in cases if f"({name} " in case]
        refused = [case for case in asked if case.endswith(" None")]
        assert min(len(refused), len(asked) - len(refused)) >= 50, name
    assert _disagreements(cases, tmp_path) == []


def _named() -> set[str]:
    table = (SOURCES / "README.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `([A-Z]\w*\.\w+)` \|", table, re.MULTILINE))


def test_every_theorem_that_is_linked_stands_in_the_table_and_in_the_sources() -> None:
    assert set(DIFFERENCES) <= set(THEOREMS) <= set(theorems())
    assert set(THEOREMS.values()) <= _named()
    for name in _named():
        module, theorem = name.split(".")
        source = (SOURCES / f"{module}.v").read_text(encoding="utf-8")
        assert re.search(rf"^(Theorem|Lemma|Corollary|Example) {theorem}\b", source, re.MULTILINE), name


def _built(folder: Path) -> tuple[Path, Path]:
    """Sources, and a build with a record of them."""
    from hashlib import sha256

    sources, build = folder / "sources", folder / "build"
    sources.mkdir()
    build.mkdir()
    rows = []
    for module in ("Modes", "Compose"):
        (sources / f"{module}.v").write_text(f"(* {module} *)", encoding="utf-8")
        (build / f"{module}.vo").write_bytes(module.encode())
        for file in (sources / f"{module}.v", build / f"{module}.vo"):
            rows.append(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}")
    rows += ["coq  8.16.1", "theorem  Compose.compose_unique"]
    (build / "record").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return sources, build


def test_evidence_needs_a_build_of_these_very_sources(tmp_path: Path) -> None:
    sources, build = _built(tmp_path)
    found = coq_evidence("theorem.composition.unique", sources, build)
    assert isinstance(found, CoqEvidence)
    assert (found.theorem, found.version) == ("Compose.compose_unique", "8.16.1")
    assert coq_evidence("composition.unique", sources, build) == found
    # A theorem that the build did not find closed, and one that has no counterpart.
    assert coq_evidence("coalesce.unique", sources, build) is None
    assert coq_evidence("ring.start", sources, build) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s, b: (s / "Modes.v").write_text("(* changed *)", encoding="utf-8"),
        lambda s, b: (s / "Compose.v").unlink(),
        lambda s, b: (s / "More.v").write_text("", encoding="utf-8"),
        lambda s, b: (b / "Compose.vo").write_bytes(b"other"),
        lambda s, b: (b / "Modes.vo").unlink(),
        lambda s, b: (b / "record").unlink(),
        lambda s, b: (b / "record").write_text("nonsense\n", encoding="utf-8"),
    ],
)
def test_evidence_is_gone_when_anything_changed(tmp_path: Path, spoil: Callable[[Path, Path], object]) -> None:
    sources, build = _built(tmp_path)
    spoil(sources, build)
    assert coq_evidence("composition.unique", sources, build) is None


def test_a_claim_names_its_coq_proof_only_while_the_build_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = select(["theorem.carry.law"])[0]
    for found in (CoqEvidence("Division.carry_law", "8.16.1", "0f" * 32), None):
        monkeypatch.setattr(discharge, "coq_evidence", lambda name, found=found: found)
        kinds = [evidence.kind for evidence in claim.decide().evidence]
        assert (EvidenceKind.KERNEL in kinds) == (found is not None)
