"""Writing files: whole or not at all, and never over an input."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from redux_tools.exit_codes import ExitCode, Failure

# A path on the command line may hold bytes that are no UTF-8, and stands in reports.
UNWRITABLE = "backslashreplace"


def refuse_clashes(outputs: Iterable[tuple[str, str | None]], inputs: Iterable[str]) -> None:
    """Raises Failure(USAGE) where an output is an input or another output.

    `outputs`: (option, path), None where it was not given.
    """
    taken = {Path(path).resolve(): f"the input '{path}'" for path in inputs}
    for option, path in outputs:
        if path is None:
            continue
        place = Path(path).resolve()
        if place in taken:
            message = f"{option} {path}: is also {taken[place]}; give a path of its own"
            raise Failure(ExitCode.USAGE, message)
        taken[place] = f"that of {option}"


def write_text(option: str, path: str | Path, text: str) -> None:
    """Replaces `path` in one step: whoever reads it sees the old text or the new one.

    What is no regular file (/dev/stdout, a pipe) is written to. Raises Failure(USAGE).
    """
    target = Path(path)
    if target.is_file():
        target = target.resolve()  # a link stays one: /dev/stdout, where that is a file
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    label = f"{option} {path}" if option else str(path)
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8", errors=UNWRITABLE)
            return
        temporary.write_text(text, encoding="utf-8", errors=UNWRITABLE)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        message = f"{label}: cannot be written: {error.strerror}"
        raise Failure(ExitCode.USAGE, message) from None
