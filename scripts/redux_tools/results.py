"""The one reader of result files (JSON Lines, schema 1): strict, and every message says where.

A file holds segments, each a `run` line, its `case` lines and an `end` line: one segment a config
and a process. Several segments that measure the same case are its rounds, unless they are of one
run (`run_id`): then a later process resumed it, and measured again what had failed. A file is read
line by line, and of a case only what a comparison needs is kept unless more is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from redux_tools import strict_json
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.fields import (
    Place,
    boolean,
    count,
    interval,
    mapping,
    numbers,
    quantity,
    spread,
    text,
)
from redux_tools.headers import check_end, check_run

SCHEMAS = (1,)
# What a resumed run does not measure again.
SETTLED = ("ok", "wrong", "unsupported")
STATUSES = ("ok", "wrong", "error", "timeout", "invalid_timing", "skipped", "unsupported")
MODES = ("graph", "stream")
CACHES = ("cold", "warm")


class Metric(NamedTuple):
    """What is timed: how calls are issued and what the caches hold."""

    mode: str
    cache: str

    def __str__(self) -> str:
        return f"{self.mode}/{self.cache}"


METRICS = {(mode, cache): Metric(mode, cache) for mode in MODES for cache in CACHES}


@dataclass(slots=True)
class Timing:
    """One measured distribution; times of one call in microseconds, None for null."""

    metric: Metric
    median_us: float | None
    mad_us: float | None
    ci95_us: tuple[float, float] | None
    samples: int
    calls_per_sample: int | None
    throttled: int  # samples taken while the clocks were held down
    spread_log: float | None  # between A/A sessions; baselines may hold it
    samples_us: tuple[float, ...] = ()  # only where the whole of the file was asked for

    @property
    def valid(self) -> bool:
        return self.median_us is not None and self.median_us > 0


@dataclass(slots=True)
class CaseResult:
    id: str
    backend: str
    status: str
    reason: str
    timings: dict[Metric, Timing]
    repro: str
    raw: dict[str, Any]  # the line; empty unless the whole of the file was asked for


@dataclass
class Segment:
    """One process's run of one config."""

    run_id: str
    config_name: str
    header: dict[str, Any]
    cases: dict[str, CaseResult] = field(default_factory=dict)
    end: dict[str, Any] = field(default_factory=dict)  # its `end` line, if it has one
    complete: bool = False  # the end line is there and says so

    @property
    def ended(self) -> bool:
        return bool(self.end)

    def env(self, *path: str) -> str | None:
        """A fact of the header's `env` as text, e.g. env("gpu", "driver"); None where absent."""
        value: Any = self.header.get("env")
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return None if value is None or isinstance(value, dict) else str(value)


@dataclass
class ResultFile:
    path: str
    segments: list[Segment]

    @property
    def case_count(self) -> int:
        return sum(len(segment.cases) for segment in self.segments)

    def incomplete_runs(self) -> list[Segment]:
        """The runs whose last segment is not complete; earlier ones may be resumed."""
        last: dict[tuple[str, str], Segment] = {}
        for segment in self.segments:
            last[segment.run_id, segment.config_name] = segment
        return [segment for segment in last.values() if not segment.complete]


def _lines(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Numbered lines that are not blank, each with whether it is whole: has its newline.

    Raises Failure for bytes that are not UTF-8.
    """
    # Only "\n" ends a line: a text file or str.splitlines() also cut at what a string may hold.
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if number == 1:
                if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise Failure(ExitCode.USAGE, f"{path}: is UTF-16; result files are UTF-8")
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            whole = raw.endswith(b"\n")
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                if not whole:  # cut in the middle of a character
                    return
                message = f"{path}:{number}:{error.start + 1}: not UTF-8"
                raise Failure(ExitCode.USAGE, message) from None
            if line := line.rstrip("\n"):
                if line.isspace():
                    continue
                yield number, line, whole


def _timing(place: Place, value: Any, whole: bool) -> Timing:
    entry = mapping(place, value)
    mode = text(place, entry, "mode", MODES)
    metric = METRICS[mode, text(place, entry, "cache", CACHES)]
    samples_us = numbers(place, entry, "samples_us")
    return Timing(
        metric=metric,
        median_us=quantity(place, entry, "median_us"),
        mad_us=spread(place, entry, "mad_us"),
        ci95_us=interval(place, entry, "ci95_us"),
        samples=count(place, entry, "n") or 0,
        calls_per_sample=count(place, entry, "calls_per_sample"),
        throttled=count(place, entry, "throttled_samples") or 0,
        spread_log=spread(place, entry, "spread_log"),
        samples_us=samples_us if whole else (),
    )


def _case(place: Place, entry: dict[str, Any], whole: bool) -> CaseResult:
    case_id = text(place, entry, "id")
    timings: dict[Metric, Timing] = {}
    listed = entry.get("timings", [])
    if not isinstance(listed, list):
        raise place.at("timings").failure(f"{listed!r} is no array")
    for index, value in enumerate(listed):
        timing = _timing(Place(place.path, place.line, 1, f"timings[{index}]"), value, whole)
        if timing.metric in timings:
            raise place.failure(f"duplicate timing {timing.metric} of {case_id}")
        timings[timing.metric] = timing
    return CaseResult(
        id=case_id,
        backend=text(place, entry, "backend", default="cuda"),
        status=text(place, entry, "status", STATUSES),
        reason=str(entry.get("reason") or entry.get("error") or ""),
        timings=timings,
        repro=str(entry.get("repro") or ""),
        raw=entry if whole else {},
    )


def _segment(place: Place, entry: dict[str, Any]) -> Segment:
    known = ", ".join(str(schema) for schema in SCHEMAS)
    if "schema" not in entry:
        raise place.failure(f"no schema version; this reader knows {known}")
    schema = entry["schema"]
    if isinstance(schema, bool) or schema not in SCHEMAS:
        raise place.failure(f"schema version {schema!r}; this reader knows {known}")
    config = mapping(place.at("config"), entry.get("config", {}))
    mapping(place.at("env"), entry.get("env", {}))
    check_run(place, entry)
    return Segment(
        run_id=text(place, entry, "run_id", default=""),
        config_name=text(place.at("config"), config, "name", default=""),
        header=entry,
    )


class _Reading:
    """The state between two lines of a file."""

    def __init__(self, path: str, whole: bool) -> None:
        self.result = ResultFile(path, [])
        self._whole = whole
        # Of each id the segment that holds it, by run and config.
        self._seen: dict[tuple[str, str], dict[str, Segment]] = {}

    def take(self, number: int, line: str, whole: bool) -> None:
        """A line that is not whole may be cut short, by a writer that was killed: no fault."""
        place = Place(self.result.path, number)
        try:
            try:
                value = strict_json.loads(line)
            except strict_json.JsonError:
                if not whole and self.result.segments:
                    return
                raise
            entry = mapping(place, value)
            try:
                self._take(place, entry)
            except Failure:
                strict_json.require_finite(line, entry)  # says the column
                raise
        except strict_json.JsonError as error:
            raise Place(place.path, number, error.column).failure(str(error)) from None

    def _take(self, place: Place, entry: dict[str, Any]) -> None:
        kind = text(place, entry, "type", ("run", "case", "end"))
        segments = self.result.segments
        if kind == "run":
            segments.append(_segment(place, entry))
            return
        if not segments or segments[-1].ended:
            raise place.failure(f"a '{kind}' line outside a run: a 'run' line has to come first")
        current = segments[-1]
        if kind == "end":
            check_end(place, entry)
            current.end = entry
            current.complete = boolean(place, entry, "complete")
            return
        case = _case(place, entry, self._whole)
        seen = self._seen.setdefault((current.run_id, current.config_name), {})
        earlier = seen.get(case.id)
        if earlier is not None:
            if earlier is current or earlier.cases[case.id].status in SETTLED:
                raise place.failure(f"duplicate id {case.id}")
            del earlier.cases[case.id]
        seen[case.id] = current
        current.cases[case.id] = case


def read_results(path: str, whole: bool = False) -> ResultFile:
    """Reads and checks `path`; with `whole` the lines themselves and their samples are kept too.

    Raises Failure(USAGE) with file, line and column of the first fault. FileNotFoundError is left
    to the caller, to whom a missing baseline is not a missing result.
    """
    file = Path(path)
    if file.is_dir():
        raise Failure(ExitCode.USAGE, f"{path}: is a directory; a results file is needed")
    reading = _Reading(path, whole)
    try:
        for number, line, ends in _lines(file):
            reading.take(number, line, ends)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Failure(ExitCode.USAGE, f"{path}: cannot be read: {error.strerror}") from None
    return reading.result


def merged(path: str, files: Iterable[ResultFile]) -> ResultFile:
    """The segments of several files as one, under the name `path`: rounds, or several configs."""
    return ResultFile(path, [segment for file in files for segment in file.segments])


def read_whole(paths: Sequence[str]) -> ResultFile:
    """All of several files as one. Raises Failure(USAGE), for a file that is not there too."""
    files = []
    for path in paths:
        try:
            files.append(read_results(path, whole=True))
        except FileNotFoundError:
            message = f"{path}: there is no such results file"
            raise Failure(ExitCode.USAGE, message) from None
    return files[0] if len(files) == 1 else merged(", ".join(paths), files)
