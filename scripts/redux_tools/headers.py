"""What a `run` and an `end` line hold besides cases: checked once, so that no reader has to doubt.

Only what is there is checked; which of it has to be there is for the reader of the file to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redux_tools.fields import Place, count, mapping, quantity


def _section(place: Place, entry: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = entry.get(name)
    return {} if value is None else mapping(place.at(name), value)


def _quantities(place: Place, entry: Mapping[str, Any], name: str) -> None:
    section = _section(place, entry, name)
    for each in section:
        quantity(place.at(name), section, each)


def check_end(place: Place, entry: Mapping[str, Any]) -> None:
    """Raises Failure(USAGE) for the first value that is not of its kind."""
    _quantities(place, entry, "ceiling_gbps")


def check_run(place: Place, entry: Mapping[str, Any]) -> None:
    """As check_end, of a run's header."""
    env = _section(place, entry, "env")
    gpu = _section(place.at("env"), env, "gpu")
    for name in ("sms", "l2_bytes", "memory_bytes"):
        count(place.at("env").at("gpu"), gpu, name)
    _section(place, entry, "tool")
    argv = entry.get("argv")
    if argv is not None and not isinstance(argv, list):
        raise place.at("argv").failure("is no array")
    _quantities(place, entry, "floor_us")
    _quantities(place, entry, "ceiling_gbps")
