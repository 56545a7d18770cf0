"""Typed reading of JSON values; a message says place, what was found and what may be.

Each reader takes the object and the name of one of its values: a file of 100 000 cases has millions
of values, so that a place is only put into words where something is wrong.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from redux_tools.exit_codes import ExitCode, Failure

# A femtosecond and eleven days, in microseconds. Quotients of two such numbers, and what is made
# of them, stay finite.
LEAST, MOST = 1e-9, 1e12


class Place(NamedTuple):
    """Somewhere in a results file; `column` counts from 1."""

    path: str
    line: int
    column: int = 1
    name: str = ""

    def at(self, name: str) -> Place:
        return self._replace(name=f"{self.name}.{name}" if self.name else name)

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


def text(
    place: Place,
    entry: Mapping[str, Any],
    name: str,
    allowed: Collection[str] = (),
    default: str | None = None,
) -> str:
    """A string, one of `allowed` where that is given; `default` where it is not there."""
    value = entry.get(name, default)
    if not isinstance(value, str):
        message = f"{_shown(value)} is no string" if value is not None else "is missing"
        raise place.at(name).failure(message)
    if allowed and value not in allowed:
        near = difflib.get_close_matches(value, allowed, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise place.at(name).failure(f"'{value}' is not one of {', '.join(allowed)}{hint}")
    return value


def _bounded(place: Place, name: str, value: float | None, least: float) -> float | None:
    if value is not None and (value > MOST or 0 < value < least):
        raise place.at(name).failure(
            f"{_shown(value)} is beyond all measure; from {least:g} to {MOST:g} is allowed"
        )
    return value


def quantity(place: Place, entry: Mapping[str, Any], name: str) -> float | None:
    """A time or a rate, which can be divided by; None for null and for what is not there.

    What is zero or below is left to the caller, to whom it may mean something.
    """
    value = entry.get(name)
    if type(value) is float and LEAST <= value <= MOST:  # nearly always, and soon said
        return value
    return _bounded(place, name, _finite(place, name, value), LEAST)


def spread(place: Place, entry: Mapping[str, Any], name: str) -> float | None:
    """How far times lie apart, which may be as little as a float's last bit; None as for those."""
    value = entry.get(name)
    if type(value) is float and 0 <= value <= MOST:
        return value
    return _bounded(place, name, _finite(place, name, value), 0)


def boolean(place: Place, entry: Mapping[str, Any], name: str) -> bool:
    value = entry.get(name)
    if not isinstance(value, bool):
        raise place.at(name).failure(f"{_shown(value)} is neither true nor false")
    return value


def _finite(place: Place, name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.at(name).failure(f"{_shown(value)} is neither a number nor null")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise place.at(name).failure("does not fit a 64-bit float")
    return number


def count(place: Place, entry: Mapping[str, Any], name: str) -> int | None:
    """A whole number from 0 to 2^63 - 1; None where it is not there."""
    value = entry.get(name)
    if type(value) is int and 0 <= value < 2**53:
        return value
    number = _finite(place, name, value)
    if number is None:
        return None
    if number < 0 or number != int(number) or number >= 2**63:
        raise place.at(name).failure(f"{_shown(value)} is no count")
    return int(number)


def interval(place: Place, entry: Mapping[str, Any], name: str) -> tuple[float, float] | None:
    """A pair of numbers; None for null, for what is not there and where an end is null."""
    value = entry.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise place.at(name).failure(f"{_shown(value)} is no pair of numbers")
    low, high = _finite(place, name, value[0]), _finite(place, name, value[1])
    for end in (low, high):
        _bounded(place, name, end, LEAST)
    return None if low is None or high is None else (low, high)


def numbers(place: Place, entry: Mapping[str, Any], name: str) -> tuple[float, ...]:
    """An array of numbers; empty where it is not there."""
    value = entry.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise place.at(name).failure(f"{_shown(value)} is no array")
    try:
        if math.isfinite(sum(value)):
            return tuple(value)
    except (TypeError, OverflowError):
        pass  # one of them is no number: found below
    found = tuple(_finite(place, f"{name}[{i}]", each) for i, each in enumerate(value))
    return tuple(number for number in found if number is not None)
