"""The self-test's table, from its counts or from the files that it wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from redux_tools import strict_json
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.selftest import LONG_US, METHODS, Summary, Tally
from redux_tools.tables import Column, markdown_table

COLUMNS = (
    Column("what was done"),
    Column("timings", number=True),
    *(Column(f"{method} flags", number=True) for method in METHODS),
)


def table_rows(summary: Summary) -> list[list[str]]:
    """One row a kind of case; of what was slowed down, the share that was found."""
    tally = summary.unchanged
    rows = [["nothing", str(tally.total), *(str(tally.flagged[m]) for m in METHODS)]]
    for (share, is_long), tally in sorted(summary.planted.items(), key=lambda item: item[0]):
        size = f"{LONG_US:g} us and more" if is_long else f"under {LONG_US:g} us"
        found = (f"{tally.flagged[m] / tally.total:.0%}" for m in METHODS)
        rows.append([f"{share:.0%} slower, {size}", str(tally.total), *found])
    return rows


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(ExitCode.USAGE, f"{path}: cannot be read: {error}") from None
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            lines.append(strict_json.loads(line))
        except strict_json.JsonError as error:
            message = f"{path}:{number}:{error.column}: {error}"
            raise Failure(ExitCode.USAGE, message) from None
    return lines


def _add(tally: Tally, line: dict[str, Any]) -> None:
    tally.total += line["timings"]
    for method in METHODS:
        tally.flagged[method] += line["flagged"][method]


def summed(lines: list[dict[str, Any]]) -> Summary:
    """Of the `summary` lines: several self-tests in one file count together."""
    summary = Summary()
    for line in lines:
        if line["type"] != "summary":
            continue
        if line["what"] == "unchanged":
            _add(summary.unchanged, line)
            summary.gates += line["gates"]
            summary.seconds += line["seconds"]
            summary.inconclusive += line["inconclusive"]
            summary.controls_flagged += line["controls_flagged"]
        else:
            key = (line["share"], line["at_least_5_us"])
            _add(summary.planted.setdefault(key, Tally()), line)
    return summary


def selftest_block(path: Path) -> str:
    """The README's block: what was measured where, and the table. Raises Failure."""
    lines = _lines(path)
    heads = [line for line in lines if line.get("type") == "selftest"]
    if not heads:
        raise Failure(ExitCode.USAGE, f"{path}: holds no self-test")
    summary = summed(lines)
    head = heads[-1]
    env, tool = head.get("env") or {}, head.get("tool") or {}
    device = (env.get("gpu") or {}).get("name") or env.get("cpu", "unknown")
    configs = ", ".join(dict.fromkeys(name for line in heads for name in line["configs"]))
    a_gate = summary.seconds / summary.gates if summary.gates else 0.0
    caption = [
        f"{summary.gates} gates over {configs} on one {device}, "
        f"redux-bench {tool.get('version', '?')} ({tool.get('git', '?')}), started "
        f"{str(heads[0].get('started', 'unknown'))[:10]},",
        f"threshold {head['threshold']:.0%}, {head['rounds']} rounds each, {a_gate:.0f} s a gate. "
        "The same files judged in three ways: timings flagged where nothing was done, and the",
        "share found of those that were slowed down. The gate left "
        f"{summary.inconclusive} timings without a verdict; its control was flagged in "
        f"{summary.controls_flagged} gates.",
    ]
    return "\n".join(caption) + "\n\n" + markdown_table(COLUMNS, table_rows(summary))
