"""HTuples: an element, or a tuple of HTuples (paper §2.1, definitions 2.2 to 2.4, 2.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

HTuple = Any  # an element (not a tuple), or a tuple of HTuples


def rank(t: HTuple) -> int:
    """Number of modes; a leaf has one (definition 2.2).

    >>> rank((4, (2, 3))), rank(7)
    (2, 1)
    """
    return len(t) if isinstance(t, tuple) else 1


def depth(t: HTuple) -> int:
    """Levels of nesting; a leaf has none (definition 2.2).

    >>> depth(7), depth((4, 8)), depth((4, (2, 3)))
    (0, 1, 2)
    """
    return 1 + max((depth(m) for m in t), default=0) if isinstance(t, tuple) else 0


def leaves(t: HTuple) -> Iterator[Any]:
    """The elements from left to right."""
    if isinstance(t, tuple):
        for mode in t:
            yield from leaves(mode)
    else:
        yield t


def flatten(t: HTuple) -> tuple[Any, ...]:
    """The elements as one tuple.

    >>> flatten(((2, 2), (4, 2)))
    (2, 2, 4, 2)
    """
    return tuple(leaves(t))


def unflatten(flat: Any, profile: HTuple) -> HTuple:
    """The elements of the sequence ``flat`` put into the places of ``profile``; the counts must agree.

    >>> unflatten((1, 8, 2, 16), ((2, 2), (4, 2)))
    ((1, 8), (2, 16))
    """
    rest = iter(flat)
    try:
        result = map_leaves(lambda _: next(rest), profile)
    except (StopIteration, RuntimeError):
        raise ValueError("fewer elements than places") from None
    if next(rest, rest) is not rest:
        raise ValueError("more elements than places")
    return result


def map_leaves(function: Callable[[Any], Any], t: HTuple) -> HTuple:
    """``function`` of every element, the nesting kept."""
    return tuple([map_leaves(function, mode) for mode in t]) if isinstance(t, tuple) else function(t)


def size(shape: HTuple) -> int:
    """|S|, the product of the elements (definition 2.5).

    >>> size((4, (2, 3)))
    24
    """
    return prod(leaves(shape))


def congruent(p: HTuple, s: HTuple) -> bool:
    """Same profile (definition 2.3).

    >>> congruent((1, (2, 3)), (7, (7, 7))), congruent((1, 2), (7, (7, 7)))
    (True, False)
    """
    if isinstance(p, tuple) and isinstance(s, tuple):
        return len(p) == len(s) and all(map(congruent, p, s))
    return not isinstance(p, tuple) and not isinstance(s, tuple)


def weakly_congruent(p: HTuple, s: HTuple) -> bool:
    """P≲S: P's profile coarsens S's (definition 2.4).

    >>> weakly_congruent(6, (2, 3)), weakly_congruent((1, 2), (2, (3, 4))), weakly_congruent((1, 2), 6)
    (True, True, False)
    """
    if not isinstance(p, tuple):
        return True
    return isinstance(s, tuple) and len(p) == len(s) and all(map(weakly_congruent, p, s))


def compatible(p: HTuple, s: HTuple) -> bool:
    """P⪯S: S refines P, with the same sizes (definition 2.7).

    >>> compatible(24, (4, (2, 3))), compatible((4, 6), (4, (2, 3))), compatible((6, 4), (4, (2, 3)))
    (True, True, False)
    """
    if not isinstance(p, tuple):
        return bool(p == size(s))
    return isinstance(s, tuple) and len(p) == len(s) and all(map(compatible, p, s))


def at(t: HTuple, path: tuple[int, ...]) -> HTuple:
    """The mode that ``path`` leads to; IndexError where there is none.

    >>> at((4, (2, 3)), (1, 0))
    2
    """
    for step in path:
        if not isinstance(t, tuple):
            raise IndexError(f"no mode {step} in a leaf")
        t = t[step]
    return t


def text_of(t: HTuple) -> str:
    """The notation of an HTuple: a tuple of one mode is ``(4)``, None is ``_``.

    >>> text_of(((2, None), (4,)))
    '((2,_),(4))'
    """
    if isinstance(t, tuple):
        return f"({','.join(map(text_of, t))})"
    return "_" if t is None else str(t)
