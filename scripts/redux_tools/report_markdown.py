"""The comparison as Markdown, for a pull request's comment or a job's summary."""

from __future__ import annotations

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.verdict import Row

WORST_SHOWN = 20
REPRODUCTIONS_SHOWN = 10
# Job summaries are cut at 1 MiB; the rest is for the lines around the table.
MAX_TABLE_BYTES = 900_000
HEADER = (
    "| verdict | case | metric | baseline us | current us | change | noise | reason |\n"
    "|---|---|---|---:|---:|---:|---:|---|\n"
)


def escaped(text: str) -> str:
    """`text` as one cell of a table: no markup, no line end and no bar of its own."""
    flat = " ".join(text.split())
    for character in "\\`*_{}[]<>|#~":
        flat = flat.replace(character, "\\" + character)
    return flat


def _line(row: Row) -> str:
    cells = (
        row.verdict.value,
        escaped(row.id),
        str(row.metric or ""),
        summary.time_us(row.baseline_us),
        summary.time_us(row.current_us),
        summary.change(row),
        summary.noise(row),
        escaped(row.reason),
    )
    return "| " + " | ".join(cells) + " |\n"


def _table(rows: list[Row], budget_bytes: int) -> str:
    lines = [HEADER]
    used = len(HEADER)
    for index, row in enumerate(rows):
        line = _line(row)
        used += len(line.encode())
        if used > budget_bytes:
            lines.append(f"\n{len(rows) - index} more rows left out for size.\n")
            break
        lines.append(line)
    return "".join(lines)


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
    return "".join(parts)
