"""The comparison as GitHub Actions' workflow commands: annotations on the run.

GitHub shows at most ten errors and ten warnings a step, so one annotation says what the whole came
to and nine more name the worst cases.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.exit_codes import ExitCode
from redux_tools.terminal import printable
from redux_tools.verdict import Verdict

WORST_SHOWN = 9
MAX_MESSAGE = 1000


def _data(text: str) -> str:
    """A command's message: what would end it or start another one is encoded."""
    clean = printable(text.replace("\r", " "))
    return clean.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _command(level: str, title: str, message: str) -> str:
    return f"::{level} title={_property(title)}::{_data(message[:MAX_MESSAGE])}\n"


def render_github(result: Comparison) -> str:
    """At most ten lines, the aggregate first."""
    failed = result.exit_code is not ExitCode.OK
    inconclusive = Verdict.INCONCLUSIVE in result.counts()
    level = "error" if failed else "warning" if inconclusive else "notice"
    message = "\n".join([f"{summary.counts_line(result)}.", *result.notices, *result.warnings])
    lines = [_command(level, f"redux-bench: {summary.headline(result)}", message)]
    for row in summary.worst_first(result):
        if len(lines) > WORST_SHOWN:
            break
        bad = result.code_of(row) is not ExitCode.OK
        if not bad and row.verdict not in (Verdict.SLOWER, Verdict.INCONCLUSIVE):
            continue
        title = f"{row.verdict.value} {row.id}" + (f" {row.metric}" if row.metric else "")
        text = row.reason + (f"\n{row.repro}" if row.repro else "")
        lines.append(_command("error" if bad else "warning", title, text))
    return "".join(lines)


@contextmanager
def commands_stopped() -> Iterator[None]:
    """What is printed inside is no command, whatever a results file made it say."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}")
    sys.stdout.flush()
    try:
        yield
    finally:
        sys.stdout.flush()
        print(f"::{token}::")
