"""How far a gate is and how long it may still take, on standard error; and its time budget."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from typing import TextIO

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.terminal import printable

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_duration(option: str, text: str) -> float:
    """Seconds from '90', '90s', '5m' or '1.5h'. Raises Failure(USAGE)."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip())
    seconds = float(found[1]) * UNITS[found[2]] if found else 0.0
    if seconds <= 0:
        message = f"{option}: '{text}' is no time; write 90s, 5m or 1h"
        raise Failure(ExitCode.USAGE, message)
    return seconds


def duration(seconds: float) -> str:
    """'0:42', '12:05', '1:02:03'."""
    whole = max(0, round(seconds))
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Budget:
    """Time from now on; without a limit there is always some left."""

    def __init__(self, seconds: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._now = now
        self._start = now()

    def gone(self) -> float:
        return self._now() - self._start

    def left(self) -> float | None:
        return None if self.seconds is None else self.seconds - self.gone()

    def allows(self, seconds: float) -> bool:
        left = self.left()
        return left is None or seconds <= left


class Progress:
    """A line a step; on a terminal one line that is rewritten while the step goes on."""

    def __init__(self, budget: Budget, stream: TextIO | None = None, quiet: bool = False) -> None:
        self._budget = budget
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._text = ""
        self._expected_end: float | None = None

    def expect(self, seconds_left: float) -> None:
        """How much longer all of it will take, as far as is known."""
        self._expected_end = self._budget.gone() + seconds_left

    def step(self, text: str) -> None:
        self._text = printable(text)
        if self._quiet:
            return
        if self._stream.isatty():
            self._rewrite()
        else:
            print(self._line(), file=self._stream, flush=True)

    def tick(self) -> None:
        if not self._quiet and self._stream.isatty():
            self._rewrite()

    def done(self) -> None:
        if not self._quiet and self._stream.isatty():
            print("\r\x1b[K", end="", file=self._stream, flush=True)

    def _rewrite(self) -> None:
        print(f"\r\x1b[K{self._line()}", end="", file=self._stream, flush=True)

    def _line(self) -> str:
        gone = self._budget.gone()
        line = f"gate: {self._text}; {duration(gone)} gone"
        if self._expected_end is not None:
            line += f", about {duration(self._expected_end - gone)} left"
        return line
