"""Reading what ncu prints of a report as CSV: its raw page, and its details page."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.profile_command import DOMAIN
from redux_tools.profile_kernels import METRICS, Launch, number, to_own_unit

STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
SAMPLED_STALL = re.compile(r"smsp__pcsamp_warps_issue_stalled_(\w+)")
RANGES = re.compile(r"Domain:(?:Push/Pop|Start/Stop)_Range")
# DOMAIN:NAME and then payload type, payload, colour type, colour, message type and message.
RANGE = re.compile(rf'"?{DOMAIN}:(?P<name>[^"]+?)(?P<rest>(?::[^:"]*){{6}})"?')
PHASES = frozenset({"warmup", "timed", "verify"})


def case_in(ranges: str, ids: Sequence[str]) -> str | None:
    """The case whose range is among `ranges`, as a cell of ncu's holds them."""
    # The longest first: an id may be the start of another.
    for case_id in sorted(ids, key=len, reverse=True):
        if f"{DOMAIN}:{case_id}:" in ranges:
            return case_id
    if ids:
        return None
    names = [match["name"] for match in RANGE.finditer(ranges)]
    return next((name for name in names if name not in PHASES), None)


def _rows(lines: Iterable[str], path: str) -> tuple[list[str], list[list[str]]]:
    """The header and the rows below it; what ncu says before the table is passed over."""
    table = [line for line in lines if not line.startswith("==")]
    for index, line in enumerate(table):
        if line.startswith(('"ID"', "ID,")):
            try:
                header, *rows = list(csv.reader(table[index:]))
            except csv.Error as error:
                message = f"{path}: its table cannot be read: {error}"
                raise Failure(ExitCode.NOT_MEASURED, message) from None
            return header, [row for row in rows if len(row) == len(header)]
    if any(line.strip() for line in table):
        raise Failure(ExitCode.NOT_MEASURED, f"{path}: holds no table of ncu's")
    return [], []


def _ranges(header: Sequence[str], row: Sequence[str]) -> str:
    return " ".join(row[i] for i, name in enumerate(header) if RANGES.search(name))


def _launch(header: list[str], row: list[str], ids: Sequence[str], one: str | None) -> Launch:
    cells = dict(zip(header, row, strict=True))
    ranges = _ranges(header, row)
    return Launch(
        case_id=case_in(ranges, ids) if f"{DOMAIN}:" in ranges else one,
        kernel=cells.get("Kernel Name", ""),
        grid=cells.get("Grid Size", "").strip("() "),
        block=cells.get("Block Size", "").strip("() "),
    )


def _stalls(values: dict[str, float]) -> dict[str, float]:
    for pattern in (STALL, SAMPLED_STALL):
        found = {
            match.group(1): value
            for name, value in values.items()
            if (match := pattern.fullmatch(name)) and not match.group(1).endswith("_not_issued")
        }
        if found:
            return found
    return {}


def _fill(launch: Launch, values: dict[str, float], units: dict[str, str]) -> None:
    for metric in METRICS:
        for name in (*metric.raw, metric.label):
            if name and name in values:
                value = to_own_unit(metric.key, values[name], units.get(name, ""))
                launch.values.setdefault(metric.key, value)
    launch.stalls = _stalls(values)


def _raw(
    header: list[str], rows: list[list[str]], ids: Sequence[str], one: str | None
) -> list[Launch]:
    """A row a launch, a column a metric; the first row below the header holds the units."""
    units = dict(zip(header, rows[0], strict=True)) if rows and not rows[0][0] else {}
    launches = []
    for row in rows[1:] if units else rows:
        launch = _launch(header, row, ids, one)
        known = ((name, number(cell)) for name, cell in zip(header, row, strict=True))
        _fill(launch, {name: value for name, value in known if value is not None}, units)
        launches.append(launch)
    return launches


def _details(
    header: list[str], rows: list[list[str]], ids: Sequence[str], one: str | None
) -> list[Launch]:
    """A row a launch and metric."""
    place = {name: index for index, name in enumerate(header)}
    by_launch: dict[str, list[list[str]]] = {}
    for row in rows:
        by_launch.setdefault(row[0], []).append(row)
    launches = []
    for group in by_launch.values():
        launch = _launch(header, group[0], ids, one)
        values, units = {}, {}
        for row in group:
            name = row[place["Metric Name"]]
            value = number(row[place["Metric Value"]])
            unit = row[place["Metric Unit"]] if "Metric Unit" in place else ""
            # Another section has a "Memory Throughput" in bytes; ours are told apart by unit.
            if value is not None and name not in values:
                values[name], units[name] = value, unit
        _fill(launch, values, units)
        launches.append(launch)
    return launches


def read_ncu(text: str, path: str, ids: Sequence[str] = ()) -> list[Launch]:
    """The launches of a report as CSV. `ids`: the cases that it may be of; empty: any.

    Where it holds no ranges and there is but one case, all are of that one. Raises Failure.
    """
    header, rows = _rows(text.splitlines(), path)
    if not header:
        return []
    if "Metric Name" in header and "Metric Value" not in header:
        raise Failure(ExitCode.NOT_MEASURED, f"{path}: has metrics and no column 'Metric Value'")
    one = ids[0] if len(ids) == 1 else None
    read = _details if "Metric Name" in header else _raw
    return read(header, rows, ids, one)
