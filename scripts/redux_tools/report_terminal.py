"""The comparison as a table on the terminal."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.exit_codes import ExitCode
from redux_tools.verdict import Verdict

ROWS_SHOWN = 40
REPRODUCTIONS_SHOWN = 10
WIDTH_WITHOUT_TERMINAL = 160
STYLES = {
    Verdict.WRONG: "bold red",
    Verdict.INVALID: "bold red",
    Verdict.NOT_MEASURED: "red",
    Verdict.MISSING: "red",
    Verdict.SLOWER: "bold red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.INCOMPARABLE: "yellow",
    Verdict.FASTER: "green",
    Verdict.NEW: "cyan",
}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Goes on in silence: rich would exit with 1, which here means a regression."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _console(color: str, stream: TextIO) -> Console:
    terminal = stream.isatty()
    forced = {"always": True, "never": False}.get(color)
    return _Console(
        file=stream,
        force_terminal=forced,
        no_color=color == "never" or None,
        width=None if terminal else WIDTH_WITHOUT_TERMINAL,
        highlight=False,
        emoji=False,
    )


def _table(result: Comparison) -> Table:
    # No box: its characters would depend on the locale, and the output must not.
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("case", overflow="fold")
    table.add_column("metric", no_wrap=True)
    for name in ("baseline us", "current us", "change", "noise"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for row in summary.worst_first(result)[:ROWS_SHOWN]:
        table.add_row(
            Text(row.verdict.value, style=STYLES.get(row.verdict, "")),
            Text(row.id),
            str(row.metric or ""),
            summary.time_us(row.baseline_us),
            summary.time_us(row.current_us),
            summary.change(row),
            summary.noise(row),
            Text(row.reason),
        )
    return table


def print_comparison(result: Comparison, color: str = "auto", stream: TextIO | None = None) -> None:
    """Verdict and counts first, then notices, the worst rows and what reproduces them."""
    console = _console(color, stream or sys.stdout)
    style = "bold green" if result.exit_code is ExitCode.OK else "bold red"
    console.print(Text(summary.headline(result), style=style))
    console.print(Text(f"{len(result.rows)} compared or listed: {summary.counts_line(result)}"))
    console.print(Text(f"baseline {result.baseline_path}, current {result.current_path}"))
    if Verdict.SLOWER in result.counts():
        console.print(Text("screen alone: no slower case was measured again to confirm it"))
    for notice in result.notices:
        console.print(Text(f"note: {notice}"))
    for warning in result.warnings:
        console.print(Text(f"warning: {warning}", style="yellow"))
    if not result.rows:
        return
    console.print()
    console.print(_table(result))
    if len(result.rows) > ROWS_SHOWN:
        console.print(Text(f"... and {len(result.rows) - ROWS_SHOWN} more; --markdown has them"))
    lines = summary.reproductions(summary.worst_first(result), REPRODUCTIONS_SHOWN)
    if lines:
        console.print("\nTo run a failing case alone:")
        for line in lines:
            console.print(Text("  " + line), soft_wrap=True)
