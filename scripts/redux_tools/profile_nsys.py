"""Reading an nsys report that was exported to SQLite: which kernels were launched in which case."""

from __future__ import annotations

import contextlib
import csv
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.profile_command import DOMAIN
from redux_tools.profile_kernels import MOST, Launch, number

PHASES = frozenset({"warmup", "timed", "verify"})
# The upper bits of a thread's global id are those of its process.
PROCESS = ~0xFFFFFF
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"
# Launches of one kernel in one range: more of them than memory should hold are no report's.
MAX_INSTANCES = 1_000_000


class _Unreadable(Exception):
    """A value that is not of its column's type, which SQLite does not see to."""


def _whole(value: Any, what: str) -> int:
    if type(value) is not int:
        raise _Unreadable(f"{what} is {value!r}, where a whole number is needed")
    return value


def _fact(value: Any) -> int | None:
    """A number of the launch; None where it is not there, or none that a launch can have."""
    return value if type(value) is int and 0 <= value <= MOST else None


def _name(value: Any) -> str:
    return value if isinstance(value, str) else "?"


class _Range(NamedTuple):
    start: int
    end: int
    thread: int
    name: str


def _columns(base: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in base.execute(f"PRAGMA table_info({table})")}


def _ranges(base: sqlite3.Connection) -> list[_Range]:
    columns = _columns(base, "NVTX_EVENTS")
    if not {"start", "end", "globalTid", "text"} <= columns:
        return []
    # A registered name is in the table of strings, a plain one in the event.
    text, join = "event.text", ""
    if "textId" in columns:
        text = "COALESCE(event.text, name.value)"
        join = "LEFT JOIN StringIds AS name ON name.id = event.textId"
    query = (
        f"SELECT event.start, event.end, event.globalTid, {text} FROM NVTX_EVENTS AS event {join} "
        f"WHERE event.end IS NOT NULL AND {text} IS NOT NULL ORDER BY event.start, event.end DESC"
    )
    return [
        _Range(_whole(start, "a range's start"), _whole(end, "a range's end"), thread, text)
        for start, end, thread, text in base.execute(query)
        if isinstance(text, str)
    ]


def _case_at(ranges: Sequence[_Range], ids: frozenset[str], thread: int, time: int) -> str | None:
    """The case in whose range, and there among what is captured, a thread was at that time."""
    open_then = [r.name for r in ranges if r.thread == thread and r.start <= time <= r.end]
    if "timed" not in open_then:
        return None
    for name in open_then:
        if name in ids or (not ids and name not in PHASES):
            return name
    return None


def _optional(columns: set[str], name: str) -> str:
    return f"kernel.{name}" if name in columns else "NULL"


def _launches(base: sqlite3.Connection, ids: frozenset[str]) -> list[Launch]:
    columns = _columns(base, KERNELS)
    if not columns or not _columns(base, CALLS):
        return []  # nsys leaves a table out that would be empty
    name = "demangledName" if "demangledName" in columns else "shortName"
    extents = [f"{what}{axis}" for what in ("grid", "block") for axis in "XYZ"]
    facts = ("registersPerThread", "staticSharedMemory", "dynamicSharedMemory")
    wanted = ", ".join(_optional(columns, column) for column in (*extents, *facts))
    process = ""
    if "globalPid" in columns:
        process = f"AND (call.globalTid & {PROCESS}) = (kernel.globalPid & {PROCESS})"
    query = (
        f"SELECT kernel.end - kernel.start, call.start, call.globalTid, name.value, {wanted} "
        f"FROM {KERNELS} AS kernel "
        f"JOIN {CALLS} AS call ON call.correlationId = kernel.correlationId {process} "
        f"LEFT JOIN StringIds AS name ON name.id = kernel.{name} ORDER BY kernel.start"
    )
    ranges = _ranges(base)
    launches = []
    for taken_ns, called, thread, kernel, *rest in base.execute(query):
        known = zip(
            ("registers", "static_shared_bytes", "dynamic_shared_bytes"), rest[6:], strict=True
        )
        values = {key: float(fact) for key, value in known if (fact := _fact(value)) is not None}
        taken_ns = _whole(taken_ns, "a kernel's time")
        if abs(taken_ns) > MOST:
            raise _Unreadable(f"a kernel's time is {taken_ns} ns")
        launches.append(
            Launch(
                # By where it was launched: it may run when the range is long closed.
                case_id=_case_at(ranges, ids, thread, _whole(called, "a launch's time")),
                kernel=_name(kernel),
                grid=", ".join(str(n) for n in rest[:3] if n is not None),
                block=", ".join(str(n) for n in rest[3:6] if n is not None),
                values={"duration_us": taken_ns / 1e3, **values},
            )
        )
    return launches


def _instances(text: str, path: str) -> int:
    found = number(text)
    if found is None or not 0 <= found <= MAX_INSTANCES or found != int(found):
        message = f"{path}: Kern Inst is {text!r}; a count of at most {MAX_INSTANCES} is allowed"
        raise Failure(ExitCode.NOT_MEASURED, message)
    return int(found)


def _case_named(text: str, ids: Sequence[str]) -> str | None:
    """The case of a range that nsys prints as DOMAIN:NAME."""
    name = text.removeprefix(f"{DOMAIN}:")
    if ids:
        return name if name in ids else None
    return name if name != text and name not in PHASES else None


def read_nsys_csv(text: str, path: str, ids: Sequence[str] = ()) -> list[Launch]:
    """What `nsys stats --report nvtx_kern_sum --format csv` prints: a row a range and kernel."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("NVTX Range,")), None)
    if first is None:
        raise Failure(ExitCode.NOT_MEASURED, f"{path}: holds no nvtx_kern_sum of nsys's")
    launches = []
    try:
        rows = list(csv.DictReader(lines[first:], restval=""))
    except csv.Error as error:
        raise Failure(ExitCode.NOT_MEASURED, f"{path}: cannot be read: {error}") from None
    for row in rows:
        taken_ns = number(row.get("Med (ns)") or row.get("Avg (ns)") or "")
        launch = Launch(
            case_id=_case_named(row["NVTX Range"], ids),
            kernel=row.get("Kernel Name", ""),
            values={} if taken_ns is None else {"duration_us": taken_ns / 1e3},
        )
        launches += [launch] * _instances(row.get("Kern Inst", ""), path)
    return launches


def read_nsys(path: Path, ids: Sequence[str] = ()) -> list[Launch]:
    """The launches of an exported report; see read_ncu. Raises Failure."""
    if not path.exists():
        raise Failure(ExitCode.NOT_MEASURED, f"{path}: there is no such export of nsys's")
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        ) as base:
            return _launches(base, frozenset(ids))
    except (sqlite3.Error, _Unreadable) as error:
        raise Failure(ExitCode.NOT_MEASURED, f"{path}: cannot be read: {error}") from None
