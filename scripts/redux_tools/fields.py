"""Typed reading of JSON values; a message says place, what was found and what may be."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from redux_tools.exit_codes import ExitCode, Failure


@dataclass(frozen=True)
class Place:
    """Somewhere in a results file; `column` counts from 1."""

    path: str
    line: int
    column: int = 1
    name: str = ""

    def at(self, name: str) -> Place:
        return replace(self, name=f"{self.name}.{name}" if self.name else name)

    def failure(self, message: str) -> Failure:
        field = f"{self.name}: " if self.name else ""
        where = f"{self.path}:{self.line}:{self.column}"
        return Failure(ExitCode.USAGE, f"{where}: {field}{message}")


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def mapping(place: Place, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise place.failure(f"{_shown(value)} is no object")
    return value


def text(place: Place, value: Any, allowed: Sequence[str] = ()) -> str:
    """A string, one of `allowed` where that is given."""
    if not isinstance(value, str):
        raise place.failure(f"{_shown(value)} is no string" if value is not None else "is missing")
    if allowed and value not in allowed:
        near = difflib.get_close_matches(value, allowed, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise place.failure(f"'{value}' is not one of {', '.join(allowed)}{hint}")
    return value


def boolean(place: Place, value: Any) -> bool:
    if not isinstance(value, bool):
        raise place.failure(f"{_shown(value)} is neither true nor false")
    return value


def finite(place: Place, value: Any) -> float | None:
    """A number, or None for null and for what is not there."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.failure(f"{_shown(value)} is neither a number nor null")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise place.failure("does not fit a 64-bit float")
    return number


def count(place: Place, value: Any) -> int | None:
    number = finite(place, value)
    if number is None:
        return None
    if number < 0 or number != int(number):
        raise place.failure(f"{_shown(value)} is no count")
    return int(number)


def interval(place: Place, value: Any) -> tuple[float, float] | None:
    """A pair of numbers; None for null, for what is not there and where an end is null."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise place.failure(f"{_shown(value)} is no pair of numbers")
    low, high = finite(place, value[0]), finite(place, value[1])
    return None if low is None or high is None else (low, high)
