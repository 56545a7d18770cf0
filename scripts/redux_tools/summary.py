"""What every report says of a comparison: its first line, its order and how numbers are printed."""

from __future__ import annotations

import math

from redux_tools.comparison import Comparison
from redux_tools.exit_codes import ExitCode
from redux_tools.verdict import Row, Verdict, percent

SAID = {
    ExitCode.OK: "PASS",
    ExitCode.REGRESSION: "FAIL: slower than the baseline allows",
    ExitCode.USAGE: "FAIL: the baseline holds invalid times",
    ExitCode.WRONG_RESULT: "FAIL: wrong results",
    ExitCode.NOT_MEASURED: "FAIL: not everything was measured",
    ExitCode.NOTHING_COMPARABLE: "FAIL: nothing to compare",
    ExitCode.ENVIRONMENT: "FAIL: the environment differs",
    ExitCode.INCONCLUSIVE: "FAIL: inconclusive, and --strict was given",
}
RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}


def headline(result: Comparison) -> str:
    code = result.exit_code
    said = SAID[code]
    if code is ExitCode.OK and not result.gate:
        said = "NOT A GATE"
    return f"{said} (exit {int(code)})"


def counts_line(result: Comparison) -> str:
    counts = result.counts()
    if not counts:
        return "no case"
    return ", ".join(f"{number} {verdict.value}" for verdict, number in counts.items())


def worst_first(result: Comparison) -> list[Row]:
    """By verdict, the gravest first; within one by the size of the change, then by id."""

    metrics = {row.metric: str(row.metric or "") for row in result.rows}

    def key(row: Row) -> tuple[int, float, str, str]:
        change = -abs(row.log_ratio) if row.log_ratio is not None else 0.0
        return RANK[row.verdict], change, row.id, metrics[row.metric]

    return sorted(result.rows, key=key)


def time_us(value: float | None) -> str:
    """Four significant digits or all before the point, in microseconds; '-' where there is none."""
    if value is None:
        return "-"
    if 1e4 <= value < 1e9:
        return f"{value:.0f}"
    digits = 3 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{digits}f}" if 0 <= digits <= 9 else f"{value:.4g}"


def change(row: Row) -> str:
    return "-" if row.log_ratio is None else percent(row.log_ratio)


def noise(row: Row) -> str:
    return "-" if row.sigma is None else f"{row.sigma:.1%}"


def failing(rows: list[Row]) -> list[Row]:
    """The rows worth reproducing: what was wrong, not measured or slower."""
    faults = (Verdict.WRONG, Verdict.INVALID, Verdict.NOT_MEASURED, Verdict.SLOWER)
    return [row for row in rows if row.verdict in faults and row.repro]


def reproductions(rows: list[Row], limit: int) -> list[str]:
    """Command lines that run one failing case each, without repeats."""
    return list(dict.fromkeys(row.repro for row in failing(rows)))[:limit]
