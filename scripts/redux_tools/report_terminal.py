"""The comparison as a table on the terminal."""

from __future__ import annotations

from typing import TextIO

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.exit_codes import ExitCode
from redux_tools.tables import Cell, Column, console_for, one_line, terminal_table
from redux_tools.verdict import Row, Verdict

ROWS_SHOWN = 40
REPRODUCTIONS_SHOWN = 10
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
COLUMNS = (
    Column("verdict"),
    Column("case", fold=True),
    Column("metric"),
    Column("baseline us", number=True),
    Column("current us", number=True),
    Column("change", number=True),
    Column("noise", number=True),
    Column("reason", fold=True),
)


def _cells(row: Row) -> tuple[Cell | str, ...]:
    return (
        Cell(row.verdict.value, STYLES.get(row.verdict, "")),
        row.id,
        str(row.metric or ""),
        summary.time_us(row.baseline_us),
        summary.time_us(row.current_us),
        summary.change(row),
        summary.noise(row),
        row.reason,
    )


def print_comparison(result: Comparison, color: str = "auto", stream: TextIO | None = None) -> None:
    """Verdict and counts first, then notices, the worst rows and what reproduces them."""
    console = console_for(color, stream)
    style = "bold green" if result.exit_code is ExitCode.OK else "bold red"
    console.print(one_line(summary.headline(result), style=style))
    console.print(one_line(f"{len(result.rows)} compared or listed: {summary.counts_line(result)}"))
    console.print(one_line(f"baseline {result.baseline_path}, current {result.current_path}"))
    if Verdict.SLOWER in result.counts() and not result.confirmed:
        console.print(one_line("screen alone: no slower case was measured again to confirm it"))
    for notice in result.notices:
        console.print(one_line(f"note: {notice}"))
    for warning in result.warnings:
        console.print(one_line(f"warning: {warning}", style="yellow"))
    if not result.rows:
        return
    rows = summary.worst_first(result)
    console.print()
    console.print(terminal_table(COLUMNS, map(_cells, rows[:ROWS_SHOWN])))
    if len(rows) > ROWS_SHOWN:
        left = len(rows) - ROWS_SHOWN
        console.print(one_line(f"... and {left} more; --markdown and --json have them"))
    lines = summary.reproductions(rows, REPRODUCTIONS_SHOWN)
    if lines:
        console.print("\nTo run a failing case alone:")
        for line in lines:
            console.print(one_line("  " + line), soft_wrap=True)
