"""A bound on the time that one question takes, and a sign of life while it takes long."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from time import monotonic
from types import FrameType, TracebackType
from typing import Any

from ..model.errors import Undecided


class Budget:
    """Raises Undecided in the block once ``seconds`` have passed; from the first second on says so on a terminal.

    By the alarm clock of the main thread, rung again until the block is left, so that no handler of the question can
    swallow the end. In other threads, and where there is no such clock, the block is not bounded.

    >>> with Budget(10):
    ...     sum(range(5))
    10
    """

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.is_bounded = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self.is_over = False
        self.has_spoken = False
        self.start = 0.0
        self.before: Any = None
        self.hook: Any = None

    def __enter__(self) -> Budget:
        self.start = monotonic()
        if self.is_bounded:
            self.before = signal.signal(signal.SIGALRM, self._ring)
            self.hook, sys.unraisablehook = sys.unraisablehook, self._swallowed
            signal.setitimer(signal.ITIMER_REAL, min(1.0, self.seconds))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stops the clock; a second call does nothing."""
        self.is_over = True
        if self.is_bounded:
            self.is_bounded = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.before or signal.SIG_DFL)
            sys.unraisablehook = self.hook
            if self.has_spoken:
                self._say("\r\x1b[K")

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        if self.is_over:
            return
        spent = monotonic() - self.start
        left = self.seconds - spent
        if left <= 0.001:
            signal.setitimer(signal.ITIMER_REAL, 0.25)
            raise Undecided(f"the budget of {self.seconds:.3g} s was spent")
        signal.setitimer(signal.ITIMER_REAL, min(1.0, left))
        self._say(f"\r… still deciding: {spent:.0f} s of {self.seconds:g} s\x1b[K")
        self.has_spoken = True

    def _swallowed(self, unraisable: Any) -> None:
        """The alarm may ring where Python lets nothing be raised (a finaliser): it rings again, and needs no report."""
        if not isinstance(unraisable.exc_value, Undecided):
            self.hook(unraisable)

    @staticmethod
    def _say(text: str) -> None:
        with suppress(OSError, ValueError, AttributeError):
            if os.isatty(sys.stderr.fileno()):
                os.write(sys.stderr.fileno(), text.encode())
