"""Coalesce: the same function on in-bounds indices, with as few modes as there can be (paper §3.2)."""

from __future__ import annotations

from .answer import Answer
from .errors import InputError
from .htuple import HTuple, text_of
from .layout import Layout, plain
from .semimodule import F2, Element


def coalesce(layout: Layout, profile: HTuple = None) -> Layout:
    """R with |R| = |A|, depth at most one and R(i) = A(i) for every i in bounds (definition 3.2).

    Modes of size 1 go, and (s₀:d₀, s₁:d₁) becomes (s₀s₁:d₀) where d₁ = s₀·d₀. Over the integers and the coordinates
    the result is the only one with no such pair, hence of least rank. Over F₂ a pair merges where s₀ is a power of two
    (then i₀ + s₀·i₁ has no carry) or both strides are zero. With a ``profile`` the modes at its leaves are coalesced
    one by one. Past the end values can change, when a trailing mode of size 1 is dropped.

    >>> from .notation import layout
    >>> str(coalesce(layout("(2,(1,6)):(1,(6,2))"))), str(coalesce(layout("((4,3),5):((15,1),3)")))
    ('12:1', '(4,15):(15,1)')
    >>> str(coalesce(layout("(2,(1,6)):(1,(6,2))"), (None, None)))
    '(2,6):(1,2)'
    """
    plain(layout, "coalesce")
    if isinstance(profile, tuple):
        return _by_profile(layout, profile)
    modes: list[tuple[int, Element]] = []
    for s, d in layout.modes:
        if s == 1:
            continue
        if modes and _continues(*modes[-1], d):
            modes[-1] = (modes[-1][0] * s, modes[-1][1])
        else:
            modes.append((s, d))
    return from_modes(modes)


def decide_coalesce(layout: Layout, profile: HTuple = None) -> Answer:
    """:func:`coalesce` with its evidence."""
    return Answer(coalesce(layout, profile), ("closed-form",), exact=True)


def _continues(s: int, d: Element, following: Element) -> bool:
    if isinstance(d, F2) or isinstance(following, F2):
        return (s & (s - 1) == 0 and following == d * s) or (not d and not following)
    return bool(following == d * s)


def from_modes(modes: list[tuple[int, Element]]) -> Layout:
    """A layout of depth at most one; no modes make 1:0.

    >>> str(from_modes([])), str(from_modes([(4, 2)])), str(from_modes([(4, 1), (8, 5)]))
    ('1:0', '4:2', '(4,8):(1,5)')
    """
    if not modes:
        return Layout.of(1, 0)
    if len(modes) == 1:
        return Layout.of(*modes[0])
    return Layout.of(tuple([s for s, _ in modes]), tuple([d for _, d in modes]))


def _by_profile(layout: Layout, profile: tuple[HTuple, ...]) -> Layout:
    if not isinstance(layout.shape, tuple) or len(layout.shape) < len(profile):
        raise InputError(f"the profile {text_of(profile)} has more modes than {layout}")
    parts = [coalesce(mode, part) for mode, part in zip(layout, profile, strict=False)]
    parts += list(layout)[len(profile) :]
    return Layout.of(tuple(p.shape for p in parts), tuple(p.stride for p in parts))
