"""Printing: whatever a results file or another program says, it does not steer the terminal.

Ids, reasons, names of devices and messages are somebody else's text. All of it goes through here,
or through tables.py, which uses this.
"""

from __future__ import annotations

import re
import sys
from typing import TextIO

# C0, DEL and C1; marks that turn the direction of text, which can make a line read as another one;
# and halves of surrogate pairs, which no encoding can write. Line ends are left to the caller.
_UNSAFE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """`text` with what would steer a terminal written as \\x1b or \\u202e; line ends stay."""
    return _UNSAFE.sub(_escape, text)


def say(text: str, stream: TextIO | None = None) -> None:
    """Prints `text` and a line end, by default to standard output."""
    print(printable(text), file=stream or sys.stdout)


def complain(text: str) -> None:
    """Prints to standard error: "error: ...", "warning: ..."."""
    say(text, sys.stderr)
