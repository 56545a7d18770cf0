"""What profile.py found, as a table, as Markdown and as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redux_tools.exit_codes import ExitCode, first_of
from redux_tools.profile_kernels import Kernel
from redux_tools.tables import Column, console_for, escaped, markdown_table, one_line
from redux_tools.terminal import printable

SCHEMA = 1
COLUMNS = (
    Column("case"),
    Column("kernel"),
    Column("n", number=True),
    Column("us", number=True),
    Column("DRAM", number=True),
    Column("L2", number=True),
    Column("occupancy", number=True),
    Column("waves", number=True),
    Column("regs", number=True),
    Column("shared", number=True),
    Column("sect/ld", number=True),
    Column("sect/st", number=True),
    Column("branch", number=True),
    Column("stalls"),
)
LEGEND = (
    "n: launches, of which medians are shown; DRAM, L2: throughput, % of peak; occupancy: achieved "
    "of theoretical, %; waves: blocks over those that the device holds at once; shared: bytes a "
    "block; sect: 32-byte sectors a global request; branch: uniform branches, %; stalls: share of "
    "the cycles in which warps did not issue"
)


@dataclass
class Profile:
    """What one run of a profiler gave."""

    tool: str
    version: str
    command: list[str]
    report: Path | None
    filters: dict[str, str]  # case id: what ncu was told of its range
    statuses: dict[str, str] = field(default_factory=dict)  # of redux-bench's own record
    idle: set[str] = field(default_factory=set)  # cases that launch nothing, or did not run
    kernels: list[Kernel] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    faults: list[tuple[ExitCode, str]] = field(default_factory=list)

    @property
    def exit_code(self) -> ExitCode:
        return first_of(code for code, _ in self.faults)


def _shown(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "-"
    if abs(value) >= 10**digits:
        return f"{value:.0f}"
    return f"{value:.{digits}g}"


def _rounded(value: float | None) -> str:
    """Of what is never 0 for a kernel that ran: ncu rounds to two digits after the point."""
    return "<0.01" if value == 0 else _shown(value)


def _pair(left: float | None, right: float | None) -> str:
    if left is None and right is None:
        return "-"
    return f"{_shown(left)} of {_shown(right)}"


def _shared(kernel: Kernel) -> float | None:
    parts = [kernel.values["static_shared_bytes"], kernel.values["dynamic_shared_bytes"]]
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def cells_of(kernel: Kernel) -> list[str]:
    values = kernel.values
    return [
        kernel.case_id,
        kernel.name,
        str(kernel.launches),
        _shown(values["duration_us"], 4),
        _rounded(values["dram_pct"]),
        _rounded(values["l2_pct"]),
        _pair(values["occupancy_pct"], values["theoretical_occupancy_pct"]),
        _rounded(values["waves"]),
        _shown(values["registers"]),
        _shown(_shared(kernel)),
        _shown(values["sectors_per_load"]),
        _shown(values["sectors_per_store"]),
        _shown(values["branch_efficiency_pct"]),
        ", ".join(f"{reason} {share:.0%}" for reason, share in kernel.stalls) or "-",
    ]


def _used(rows: Sequence[Sequence[str]]) -> list[int]:
    """The columns in which anything stands: nsys leaves most of them empty."""
    return [i for i in range(len(COLUMNS)) if any(row[i] != "-" for row in rows)]


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """(style, line): the kernels below the id of their case, which may be as long as it likes."""
    used = [index for index in _used(rows) if index > 0]
    shown = [[COLUMNS[i].name for i in used], *([row[i] for i in used] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]

    def line(cells: Sequence[str]) -> str:
        parts = (
            cell.rjust(width) if COLUMNS[i].number else cell.ljust(width)
            for i, cell, width in zip(used, cells, widths, strict=True)
        )
        return "  " + "  ".join(parts).rstrip()

    yield "bold", line(shown[0])
    case = ""
    for row, cells in zip(rows, shown[1:], strict=True):
        if row[0] != case:
            case = row[0]
            yield "bold", case
        yield "", line(cells)


def print_profile(profile: Profile, color: str) -> None:
    console = console_for(color)
    rows = [cells_of(kernel) for kernel in profile.kernels]
    if rows:
        for style, line in _lines(rows):
            console.print(one_line(line, style=style), soft_wrap=True)
        console.print(LEGEND, markup=False)
    if profile.report is not None:
        console.print(one_line(f"report: {profile.report}"), soft_wrap=True)


def render_markdown(profile: Profile) -> str:
    rows = [[escaped(cell) for cell in cells_of(kernel)] for kernel in profile.kernels]
    used = _used(rows) if rows else []
    text = f"# Profile by {profile.tool}\n\n"
    if rows:
        table = [[row[i] for i in used] for row in rows]
        text += markdown_table([COLUMNS[i] for i in used], table) + f"\n{LEGEND}.\n\n"
    for message in (*profile.warnings, *(message for _, message in profile.faults)):
        text += f"- {escaped(message)}\n"
    command = shlex.join(profile.command)
    return printable(f"{text}\n{profile.tool} {profile.version}, recorded with\n\n    {command}\n")


def profile_json(profile: Profile) -> dict[str, Any]:
    """Times in microseconds, shares of stalls from 0 to 1, `_pct` from 0 to 100; null: unknown."""
    cases: dict[str, dict[str, Any]] = {}
    for case_id in (*profile.filters, *(kernel.case_id for kernel in profile.kernels)):
        cases.setdefault(
            case_id,
            {
                "id": case_id,
                "range_filter": profile.filters.get(case_id),
                "status": profile.statuses.get(case_id),
                "kernels": [],
            },
        )
    for kernel in profile.kernels:
        cases[kernel.case_id]["kernels"].append(
            {
                "name": kernel.name,
                "full_name": kernel.full_name,
                "launches": kernel.launches,
                "grid": kernel.grid,
                "block": kernel.block,
                **kernel.values,
                "stalls": [{"reason": reason, "share": share} for reason, share in kernel.stalls],
            }
        )
    return {
        "type": "profile",
        "schema": SCHEMA,
        "tool": profile.tool,
        "tool_version": profile.version,
        "command": profile.command,
        "report": None if profile.report is None else str(profile.report),
        "cases": list(cases.values()),
        "warnings": profile.warnings,
        "faults": [{"exit_code": int(code), "message": text} for code, text in profile.faults],
        "exit_code": int(profile.exit_code),
    }


def render_json(profile: Profile) -> str:
    return json.dumps(profile_json(profile), allow_nan=False, indent=1) + "\n"
