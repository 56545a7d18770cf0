"""How much slower a case may get: from the command line, else from the config that was run."""

from __future__ import annotations

import math
import re
import reprlib
from dataclasses import dataclass
from typing import Any

from redux_tools.exit_codes import ExitCode, Failure

DEFAULT_THRESHOLD = 0.05
MOST_SHARE = 10.0  # as in configs


def compile_regex(option: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        message = f"{option} '{pattern}': no regular expression: {error}"
        raise Failure(ExitCode.USAGE, message) from None


def parse_threshold(option: str, text: str) -> float:
    """A share from '0.05' or '5%'. Raises Failure(USAGE) for anything that is no positive share."""
    found = text.strip()
    try:
        value = float(found[:-1]) / 100 if found.endswith("%") else float(found)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 0:
        message = f"{option}: '{text}' is no threshold; write a share above 0, as 0.05 or 5%"
        raise Failure(ExitCode.USAGE, message)
    if value >= 1 and not found.endswith("%"):
        message = f"{option}: '{text}' would be {value:.0%}; write {found}% for that many percent"
        raise Failure(ExitCode.USAGE, message)
    return value


def header_share(where: str, value: Any) -> float:
    """A share that a config stated: a JSON number, so that 1.0 can only mean 100%."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value < MOST_SHARE:  # NaN is neither
        message = (
            f"{where}: config.gate threshold is {reprlib.repr(value)}; it has to be a number above "
            f"0 and below {MOST_SHARE:g}"
        )
        raise Failure(ExitCode.USAGE, message)
    return float(value)


def parse_threshold_for(text: str) -> tuple[re.Pattern[str], float]:
    """REGEX=SHARE; the last '=' parts them, since the regex may hold others."""
    pattern, sign, share = text.rpartition("=")
    if not sign or not pattern:
        raise Failure(ExitCode.USAGE, f"--threshold-for: '{text}' is not REGEX=SHARE")
    option = "--threshold-for"
    return compile_regex(option, pattern), parse_threshold(option, share)


@dataclass(frozen=True)
class Thresholds:
    """`for_ids` go before `fixed`, and that before what the header says; the last match wins."""

    fixed: float | None = None
    for_ids: tuple[tuple[re.Pattern[str], float], ...] = ()

    def of(self, case_id: str, gate: Any, where: str) -> float:
        """The share for a case; `gate` is its run's config.gate, `where` names the file."""
        for pattern, share in reversed(self.for_ids):
            if pattern.search(case_id):
                return share
        if self.fixed is not None:
            return self.fixed
        if gate is None:
            return DEFAULT_THRESHOLD
        if not isinstance(gate, dict):
            raise Failure(ExitCode.USAGE, f"{where}: config.gate is no object")
        overrides = gate.get("overrides") or []
        if not isinstance(overrides, list):
            raise Failure(ExitCode.USAGE, f"{where}: config.gate.overrides is no array")
        for override in reversed(overrides):
            if not isinstance(override, dict):
                raise Failure(ExitCode.USAGE, f"{where}: config.gate.overrides holds no object")
            pattern = compile_regex(f"{where}: config.gate match", str(override.get("match", "")))
            if pattern.search(case_id):
                return header_share(where, override.get("threshold"))
        return header_share(where, gate.get("threshold", DEFAULT_THRESHOLD))
