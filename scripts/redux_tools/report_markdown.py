"""The comparison as Markdown, for a pull request's comment or a job's summary."""

from __future__ import annotations

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.tables import Column, escaped, markdown_table
from redux_tools.terminal import printable
from redux_tools.verdict import Row

WORST_SHOWN = 20
REPRODUCTIONS_SHOWN = 10
# Job summaries are cut at 1 MiB; the rest is for the lines around the table.
MAX_TABLE_BYTES = 900_000
COLUMNS = (
    Column("verdict"),
    Column("case"),
    Column("metric"),
    Column("baseline us", number=True),
    Column("current us", number=True),
    Column("change", number=True),
    Column("noise", number=True),
    Column("reason"),
)


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.verdict.value,
        escaped(row.id),
        str(row.metric or ""),
        summary.time_us(row.baseline_us),
        summary.time_us(row.current_us),
        summary.change(row),
        summary.noise(row),
        escaped(row.reason),
    )


def _table(rows: list[Row], budget_bytes: int) -> str:
    return markdown_table(COLUMNS, [_cells(row) for row in rows], budget_bytes)


def render_markdown(result: Comparison) -> str:
    """Verdict and counts first, the worst 20 rows, the rest folded; under 1 MiB."""
    rows = summary.worst_first(result)
    parts = [
        f"## {summary.headline(result)}\n\n",
        f"{summary.counts_line(result)}.\n\n",
        f"Baseline {escaped(result.baseline_path)}, current {escaped(result.current_path)}.\n\n",
    ]
    said = [*result.notices, *(f"warning: {warning}" for warning in result.warnings)]
    parts.extend(f"- {escaped(line)[:2000]}\n" for line in said[:20])
    if said:
        parts.append("\n")
    if rows:
        parts.append(_table(rows[:WORST_SHOWN], MAX_TABLE_BYTES // 4))
    lines = [line[:2000] for line in summary.reproductions(rows, REPRODUCTIONS_SHOWN)]
    if lines:
        # Indented, not fenced: a command may hold a fence of its own.
        parts.append("\nTo run a failing case alone:\n\n")
        parts.extend(f"    {' '.join(line.splitlines())}\n" for line in lines)
    rest = rows[WORST_SHOWN:]
    if rest:
        parts.append(f"\n<details><summary>{len(rest)} more</summary>\n\n")
        parts.append(_table(rest, MAX_TABLE_BYTES // 2))
        parts.append("\n</details>\n")
    return printable("".join(parts))
