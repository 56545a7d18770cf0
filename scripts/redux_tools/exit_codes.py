"""Exit codes, the same for the executable and every script."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0
    REGRESSION = 1
    USAGE = 2
    WRONG_RESULT = 3
    NOT_MEASURED = 4
    NOTHING_COMPARABLE = 5
    ENVIRONMENT = 6
    INCONCLUSIVE = 7


# What cannot be trusted goes before what was not measured, and that before what was merely slow.
PRECEDENCE = (
    ExitCode.USAGE,
    ExitCode.WRONG_RESULT,
    ExitCode.NOT_MEASURED,
    ExitCode.ENVIRONMENT,
    ExitCode.NOTHING_COMPARABLE,
    ExitCode.REGRESSION,
    ExitCode.INCONCLUSIVE,
)


def first_of(codes: Iterable[ExitCode]) -> ExitCode:
    """The code to exit with when all of `codes` hold; OK for none."""
    held = set(codes)
    return next((code for code in PRECEDENCE if code in held), ExitCode.OK)


class Failure(Exception):
    """Ends a script with `code` and a message that says place, found and allowed."""

    def __init__(self, code: ExitCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class NoBaseline(Failure):
    """There is no baseline to compare with: no such file, or no case in it."""

    def __init__(self, message: str) -> None:
        super().__init__(ExitCode.ENVIRONMENT, message)
