"""The terms that obligations are made of: integers, Booleans, bit-vectors, and functions that nothing is known of.

A term is immutable and interned: the same term is the same object. It has a sort, prints for people (``str``), prints
as SMT-LIB 2 (``smt``), and is evaluated on plain Python values (``evaluator``). ``div`` and ``mod`` are functions like
any other to a solver, with no meaning of their own; what is known of them is the Euclidean witness ``division(x, y)``:
where y ≥ 1, x = y·⌊x/y⌋ + x mod y and 0 ≤ x mod y < y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

INT, BOOL = "Int", "Bool"
Environment = Mapping[str, Any]
_INTERNED: dict[tuple[Any, ...], Term] = {}


def bit_vector(width: int) -> str:
    """The sort of ``width`` bits.

    >>> bit_vector(64)
    '(_ BitVec 64)'
    """
    return f"(_ BitVec {width})"


def width_of(sort: str) -> int:
    """How many bits a bit-vector sort has."""
    return int(sort.removeprefix("(_ BitVec ").removesuffix(")"))


class Function:
    """A function symbol; ``python`` evaluates it where it has a meaning of its own (constructors, recursion)."""

    __slots__ = ("arguments", "name", "python", "result")

    def __init__(self, name: str, arguments: tuple[str, ...], result: str, python: Callable[..., Any] | None = None):
        self.name, self.arguments, self.result, self.python = name, arguments, result, python

    def __call__(self, *args: Term | int) -> Term:
        """The function applied; the sorts of the arguments must fit."""
        terms = tuple(as_term(a) for a in args)
        if tuple(t.sort for t in terms) != self.arguments:
            raise TypeError(f"{self.name} takes {self.arguments}, not {tuple(t.sort for t in terms)}")
        return make("apply", terms, self.result, self)

    def __repr__(self) -> str:
        return f"Function({self.name!r})"


class Term:
    """An expression with its sort; made by ``make`` and the functions below, compared by identity."""

    __slots__ = ("args", "data", "op", "sort")
    op: str
    args: tuple[Term, ...]
    sort: str
    data: Any

    def __add__(self, other: Term | int) -> Term:
        return arithmetic("+", self, as_term(other))

    def __radd__(self, other: int) -> Term:
        return arithmetic("+", as_term(other), self)

    def __sub__(self, other: Term | int) -> Term:
        return arithmetic("-", self, as_term(other))

    def __rsub__(self, other: int) -> Term:
        return arithmetic("-", as_term(other), self)

    def __mul__(self, other: Term | int) -> Term:
        return arithmetic("*", self, as_term(other))

    def __rmul__(self, other: int) -> Term:
        return arithmetic("*", as_term(other), self)

    def __neg__(self) -> Term:
        return arithmetic("-", as_term(0), self)

    def __le__(self, other: Term | int) -> Term:
        return _compare("<=", self, as_term(other))

    def __lt__(self, other: Term | int) -> Term:
        return _compare("<", self, as_term(other))

    def __ge__(self, other: Term | int) -> Term:
        return _compare("<=", as_term(other), self)

    def __gt__(self, other: Term | int) -> Term:
        return _compare("<", as_term(other), self)

    def __bool__(self) -> bool:
        raise TypeError(f"{self} is a term, not a truth value")

    def __str__(self) -> str:
        return _text(self, 0)

    def __repr__(self) -> str:
        return f"Term({self})"


def make(op: str, args: tuple[Term, ...], sort: str, data: Any = None) -> Term:
    """The one term with these parts."""
    key = (op, args, sort, data)
    found = _INTERNED.get(key)
    if found is None:
        found = object.__new__(Term)
        found.op, found.args, found.sort, found.data = op, args, sort, data
        _INTERNED[key] = found
    return found


def as_term(value: Term | int | bool) -> Term:
    """A Python integer or truth value as a constant."""
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        return make("bool", (), BOOL, value)
    if isinstance(value, int):
        return make("int", (), INT, value)
    raise TypeError(f"{value!r} is no term")


def variable(name: str, sort: str = INT) -> Term:
    """A free variable. Its name is part of it: the same name and sort is the same variable."""
    return make("variable", (), sort, name)


def ints(names: str) -> tuple[Term, ...]:
    """Integer variables, named in one string.

    >>> x, y = ints("x y")
    >>> str(x * (y + 1) <= 2 * x), str(div(x, y)), str(mod(x, y))
    ('x·(y + 1) ≤ 2·x', '⌊x/y⌋', '(x mod y)')
    """
    return tuple(variable(name) for name in names.split())


def arithmetic(op: str, left: Term, right: Term) -> Term:
    """A sum, difference or product of integers; constants are folded and 0 and 1 vanish."""
    if left.sort != INT or right.sort != INT:
        raise TypeError(f"{left} {op} {right}: integers are meant")
    a, b = (t.data if t.op == "int" else None for t in (left, right))
    if a is not None and b is not None:
        return as_term(a + b if op == "+" else a - b if op == "-" else a * b)
    if (op == "+" and a == 0) or (op == "*" and (a == 1 or b == 0)):
        return right
    if (op in "+-" and b == 0) or (op == "*" and (b == 1 or a == 0)):
        return left
    return make(op, (left, right), INT)


def div(x: Term | int, y: Term | int) -> Term:
    """⌊x/y⌋ for y ≥ 1; some integer otherwise."""
    return make("div", (as_term(x), as_term(y)), INT)


def mod(x: Term | int, y: Term | int) -> Term:
    """x − y·⌊x/y⌋ for y ≥ 1; some integer otherwise."""
    return make("mod", (as_term(x), as_term(y)), INT)


def division(x: Term | int, y: Term | int) -> Term:
    """What is known of ⌊x/y⌋ and x mod y: the Euclidean witness, where y ≥ 1.

    >>> print(division(*ints("x y")))
    1 ≤ y ⇒ x = y·⌊x/y⌋ + (x mod y) ∧ 0 ≤ (x mod y) ∧ (x mod y) < y
    """
    x, y = as_term(x), as_term(y)
    q, r = div(x, y), mod(x, y)
    return implies(y >= 1, conj(eq(x, y * q + r), r >= 0, r < y))


def _compare(op: str, left: Term, right: Term) -> Term:
    if left.sort != INT or right.sort != INT:
        raise TypeError(f"{left} {op} {right}: integers are meant")
    return make(op, (left, right), BOOL)


def eq(left: Term | int | bool, right: Term | int | bool) -> Term:
    """left = right, of any one sort."""
    left, right = as_term(left), as_term(right)
    if left.sort != right.sort:
        raise TypeError(f"{left} = {right}: sorts {left.sort} and {right.sort}")
    return make("=", (left, right), BOOL)


def ne(left: Term | int, right: Term | int) -> Term:
    """left ≠ right."""
    return neg(eq(left, right))


def _logical(term: Term | bool) -> Term:
    term = as_term(term)
    if term.sort != BOOL:
        raise TypeError(f"{term} is not a truth value")
    return term


def neg(term: Term | bool) -> Term:
    """Not."""
    return make("not", (_logical(term),), BOOL)


def conj(*terms: Term | bool) -> Term:
    """And; of nothing, true."""
    parts = tuple(_logical(t) for t in terms)
    return parts[0] if len(parts) == 1 else make("and", parts, BOOL) if parts else as_term(True)


def disj(*terms: Term | bool) -> Term:
    """Or; of nothing, false."""
    parts = tuple(_logical(t) for t in terms)
    return parts[0] if len(parts) == 1 else make("or", parts, BOOL) if parts else as_term(False)


def implies(left: Term | bool, right: Term | bool) -> Term:
    """left ⇒ right."""
    return make("=>", (_logical(left), _logical(right)), BOOL)


def iff(left: Term | bool, right: Term | bool) -> Term:
    """left ⟺ right."""
    return eq(_logical(left), _logical(right))


def xor(left: Term | bool, right: Term | bool) -> Term:
    """Exactly one of the two."""
    return ne(_logical(left), _logical(right))


def ite(condition: Term, then: Term | int | bool, otherwise: Term | int | bool) -> Term:
    """``then`` where the condition holds, ``otherwise`` elsewhere."""
    then, otherwise = as_term(then), as_term(otherwise)
    if then.sort != otherwise.sort:
        raise TypeError("both branches must have one sort")
    return make("ite", (_logical(condition), then, otherwise), then.sort)


def bits(value: int, width: int) -> Term:
    """A bit-vector constant."""
    return make("bits", (), bit_vector(width), value % (1 << width))


_BIT_OPERATIONS: dict[str, Callable[[int, int, int], int]] = {
    "bvand": lambda a, b, w: a & b,
    "bvor": lambda a, b, w: a | b,
    "bvxor": lambda a, b, w: a ^ b,
    "bvadd": lambda a, b, w: (a + b) % (1 << w),
    "bvsub": lambda a, b, w: (a - b) % (1 << w),
    "bvshl": lambda a, b, w: (a << b) % (1 << w) if b < w else 0,
    "bvlshr": lambda a, b, w: a >> b if b < w else 0,
}


def bitwise(op: str, left: Term, right: Term) -> Term:
    """One of SMT-LIB's operations on bit-vectors: bvand, bvor, bvxor, bvadd, bvsub, bvshl, bvlshr."""
    if left.sort != right.sort or op not in _BIT_OPERATIONS:
        raise TypeError(f"{op} of {left.sort} and {right.sort}")
    return make(op, (left, right), left.sort)


def bits_le(left: Term, right: Term) -> Term:
    """Unsigned left ≤ right."""
    if left.sort != right.sort:
        raise TypeError(f"bvule of {left.sort} and {right.sort}")
    return make("bvule", (left, right), BOOL)


def subterms(roots: Iterable[Term]) -> list[Term]:
    """Every term inside, each once, arguments before what holds them."""
    seen: dict[Term, None] = {}
    stack = [(t, False) for t in reversed(list(roots))]
    while stack:
        term, ready = stack.pop()
        if term in seen:
            continue
        if ready:
            seen[term] = None
        else:
            stack.append((term, True))
            stack += [(a, False) for a in reversed(term.args)]
    return list(seen)


def variables(roots: Iterable[Term]) -> list[Term]:
    """The free variables, in order of appearance."""
    return [t for t in subterms(roots) if t.op == "variable"]


def substitute(term: Term, values: Mapping[Term, Term], functions: Mapping[Function, Any] | None = None) -> Term:
    """The term with variables replaced, and functions by whatever Python callable gives their value as a term."""
    done: dict[Term, Term] = dict(values)
    for t in subterms([term]):
        if t in done:
            continue
        if not t.args and t.op != "apply":
            done[t] = t
            continue
        args = tuple([done[a] for a in t.args])
        if t.op == "apply" and functions and t.data in functions:
            done[t] = as_term(functions[t.data](*args))
        elif args == t.args:
            done[t] = t
        elif t.op in ("+", "-", "*"):
            done[t] = arithmetic(t.op, *args)
        else:
            done[t] = make(t.op, args, t.sort, t.data)
    return done[term]


# Printing: for people, and as SMT-LIB 2.

_SIGNS = {"+": ("+", 5), "-": ("-", 5), "*": ("·", 6), "<=": ("≤", 4), "<": ("<", 4), "=": ("=", 4)}
_SIGNS |= {"and": ("∧", 3), "or": ("∨", 2), "=>": ("⇒", 1), "bvule": ("≤", 4)}
_SIGNS |= {"bvand": ("&", 5), "bvor": ("|", 5), "bvxor": ("⊕", 5), "bvadd": ("+", 5), "bvsub": ("-", 5)}
_SIGNS |= {"bvshl": ("<<", 5), "bvlshr": (">>", 5)}


def _text(t: Term, outer: int) -> str:
    if t.op in ("int", "bits"):
        return str(t.data) if t.data >= 0 or outer < 5 else f"({t.data})"
    if t.op == "bool":
        return "true" if t.data else "false"
    if t.op == "variable":
        return str(t.data)
    if t.op == "div":
        return f"⌊{_text(t.args[0], 6)}/{_text(t.args[1], 7)}⌋"
    if t.op == "mod":
        return f"({_text(t.args[0], 6)} mod {_text(t.args[1], 6)})"
    if t.op == "apply":
        return f"{t.data.name}({', '.join(_text(a, 0) for a in t.args)})"
    if t.op == "not":
        inner = t.args[0]
        if inner.op == "=":
            return _bracket(f"{_text(inner.args[0], 5)} ≠ {_text(inner.args[1], 5)}", outer > 4)
        return f"¬({_text(inner, 0)})"
    if t.op == "ite":
        condition, then, otherwise = (_text(a, 0) for a in t.args)
        return f"({then} if {condition} else {otherwise})"
    if t.op == "=" and t.args[0].sort == BOOL:
        return _bracket(f"{_text(t.args[0], 3)} ⟺ {_text(t.args[1], 3)}", outer > 1)
    if t.op == "-" and t.args[0].op == "int" and t.args[0].data == 0:
        return _bracket(f"−{_text(t.args[1], 6)}", outer > 5)
    sign, level = _SIGNS[t.op]
    space = "" if sign == "·" else " "
    first = _text(t.args[0], level + (t.op in ("=>", "<=", "<", "=") or (level == 5 and t.op not in ("+", "-"))))
    rest = [_text(a, level + (t.op in ("-", "*", "<=", "<", "=") or t.op.startswith("bv"))) for a in t.args[1:]]
    return _bracket(f"{space}{sign}{space}".join([first, *rest]), outer > level)


def _bracket(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def symbol(name: str) -> str:
    """A name as SMT-LIB writes it: quoted where it is not a plain symbol."""
    plain = name.replace("_", "").replace("!", "").replace("'", "x")
    return name if plain.isalnum() and name.isascii() and not name[0].isdigit() and "'" not in name else f"|{name}|"


def smt(term: Term, known: Mapping[Term, str] | None = None) -> str:
    """The term as SMT-LIB 2.

    >>> x, y = ints("x y")
    >>> smt(implies(y >= 1, mod(x, y) < y))
    '(=> (<= 1 y) (< (mod_ x y) y))'
    """
    done: dict[Term, str] = dict(known or {})
    for t in subterms([term]):
        if t not in done:
            done[t] = _smt(t, [done[a] for a in t.args])
    return done[term]


def _smt(t: Term, args: list[str]) -> str:
    if t.op == "int":
        return str(t.data) if t.data >= 0 else f"(- {-t.data})"
    if t.op == "bits":
        return f"(_ bv{t.data} {width_of(t.sort)})"
    if t.op == "bool":
        return "true" if t.data else "false"
    if t.op == "variable":
        return symbol(t.data)
    if t.op == "apply":
        name = symbol(t.data.name)
        return f"({name} {' '.join(args)})" if args else name
    name = {"div": "div_", "mod": "mod_"}.get(t.op, t.op)
    return f"({name} {' '.join(args)})"


# Evaluation on plain values.


def evaluator(term: Term) -> Callable[[Environment], Any]:
    """A function from values of the variables (by name; functions as callables, by name) to the term's value.

    >>> x, y = ints("x y")
    >>> evaluator(conj(div(x, y) < 3, eq(mod(x, y), 1)))({"x": 7, "y": 3})
    True
    """
    return _evaluators(term, {})


def _evaluators(t: Term, done: dict[Term, Callable[[Environment], Any]]) -> Callable[[Environment], Any]:
    if t not in done:
        done[t] = _build(t, [_evaluators(a, done) for a in t.args])
    return done[t]


def _build(t: Term, f: list[Callable[[Environment], Any]]) -> Callable[[Environment], Any]:
    data, op = t.data, t.op
    if op in ("int", "bool", "bits"):
        return lambda e: data
    if op == "variable":
        return lambda e: e[data]
    if op == "apply":
        name, python = data.name, data.python
        if python is None:
            return lambda e: e[name](*[g(e) for g in f])
        return lambda e: python(e, *[g(e) for g in f])
    if op == "and":
        return lambda e: all(g(e) for g in f)
    if op == "or":
        return lambda e: any(g(e) for g in f)
    if op == "not":
        return lambda e: not f[0](e)
    if op == "ite":
        return lambda e: f[1](e) if f[0](e) else f[2](e)
    a, b = f
    if op == "+":
        return lambda e: a(e) + b(e)
    if op == "-":
        return lambda e: a(e) - b(e)
    if op == "*":
        return lambda e: a(e) * b(e)
    if op == "div":
        return lambda e: _floor(a(e), b(e))
    if op == "mod":
        return lambda e: _rest(a(e), b(e))
    if op in ("<=", "bvule"):
        return lambda e: a(e) <= b(e)
    if op == "<":
        return lambda e: a(e) < b(e)
    if op == "=":
        return lambda e: a(e) == b(e)
    if op == "=>":
        return lambda e: not a(e) or b(e)
    work, width = _BIT_OPERATIONS[op], width_of(t.sort)
    return lambda e: work(a(e), b(e), width)


def _floor(x: int, y: int) -> int:
    return x // y if y > 0 else 0


def _rest(x: int, y: int) -> int:
    return x % y if y > 0 else 0
