"""The one reader of result files (JSON Lines, schema 1): strict, and every message says where.

A file holds segments, each a `run` line, its `case` lines and an `end` line: one segment a config
and a process. Several segments that measure the same case are its rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redux_tools import strict_json
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.fields import Place, boolean, count, finite, interval, mapping, text

SCHEMAS = (1,)
STATUSES = ("ok", "wrong", "error", "timeout", "invalid_timing", "skipped", "unsupported")
MODES = ("graph", "stream")
CACHES = ("cold", "warm")


@dataclass(frozen=True)
class Metric:
    """What is timed: how calls are issued and what the caches hold."""

    mode: str
    cache: str

    def __str__(self) -> str:
        return f"{self.mode}/{self.cache}"


@dataclass(frozen=True)
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

    @property
    def valid(self) -> bool:
        return self.median_us is not None and self.median_us > 0


@dataclass(frozen=True)
class CaseResult:
    id: str
    backend: str
    status: str
    reason: str
    timings: dict[Metric, Timing]
    repro: str
    raw: dict[str, Any]


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


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines that are not blank. Raises Failure for bytes that are not UTF-8."""
    content = path.read_bytes()
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Failure(ExitCode.USAGE, f"{path}: is UTF-16; result files are UTF-8")
    # Only "\n" ends a line: str.splitlines() also cuts at what a string may hold.
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"{path}:{number}:{error.start + 1}: not UTF-8"
            raise Failure(ExitCode.USAGE, message) from None
        if line.strip():
            yield number, line


def _timing(place: Place, value: Any) -> Timing:
    entry = mapping(place, value)
    metric = Metric(
        text(place.at("mode"), entry.get("mode"), MODES),
        text(place.at("cache"), entry.get("cache"), CACHES),
    )
    samples = count(place.at("n"), entry.get("n"))
    calls = count(place.at("calls_per_sample"), entry.get("calls_per_sample"))
    throttled = count(place.at("throttled_samples"), entry.get("throttled_samples"))
    return Timing(
        metric=metric,
        median_us=finite(place.at("median_us"), entry.get("median_us")),
        mad_us=finite(place.at("mad_us"), entry.get("mad_us")),
        ci95_us=interval(place.at("ci95_us"), entry.get("ci95_us")),
        samples=samples if samples is not None else 0,
        calls_per_sample=calls,
        throttled=throttled if throttled is not None else 0,
        spread_log=finite(place.at("spread_log"), entry.get("spread_log")),
    )


def _case(place: Place, entry: dict[str, Any]) -> CaseResult:
    case_id = text(place.at("id"), entry.get("id"))
    timings: dict[Metric, Timing] = {}
    listed = entry.get("timings", [])
    if not isinstance(listed, list):
        raise place.at("timings").failure(f"{listed!r} is no array")
    for index, value in enumerate(listed):
        timing = _timing(place.at(f"timings[{index}]"), value)
        if timing.metric in timings:
            raise place.failure(f"duplicate timing {timing.metric} of {case_id}")
        timings[timing.metric] = timing
    return CaseResult(
        id=case_id,
        backend=text(place.at("backend"), entry.get("backend", "cuda")),
        status=text(place.at("status"), entry.get("status"), STATUSES),
        reason=str(entry.get("reason") or entry.get("error") or ""),
        timings=timings,
        repro=str(entry.get("repro") or ""),
        raw=entry,
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
    return Segment(
        run_id=text(place.at("run_id"), entry.get("run_id", "")),
        config_name=text(place.at("config.name"), config.get("name", "")),
        header=entry,
    )


def read_results(path: str) -> ResultFile:
    """Reads and checks `path`. Raises Failure(USAGE) with file, line and column of the first fault.

    FileNotFoundError is left to the caller, to whom a missing baseline is not a missing result.
    """
    file = Path(path)
    if file.is_dir():
        raise Failure(ExitCode.USAGE, f"{path}: is a directory; a results file is needed")
    result = ResultFile(path, [])
    seen: set[tuple[str, str, str]] = set()
    current: Segment | None = None
    try:
        for number, line in _lines(file):
            place = Place(path, number)
            try:
                entry = mapping(place, strict_json.loads(line))
            except strict_json.JsonError as error:
                raise Place(path, number, error.column).failure(str(error)) from None
            kind = text(place.at("type"), entry.get("type"), ("run", "case", "end"))
            if kind == "run":
                current = _segment(place, entry)
                result.segments.append(current)
                continue
            if current is None or current.ended:
                raise place.failure(
                    f"a '{kind}' line outside a run: a 'run' line has to come first"
                )
            if kind == "end":
                current.end = entry
                current.complete = boolean(place.at("complete"), entry.get("complete"))
                continue
            case = _case(place, entry)
            key = (current.run_id, current.config_name, case.id)
            if key in seen:
                raise place.failure(f"duplicate id {case.id}")
            seen.add(key)
            current.cases[case.id] = case
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Failure(ExitCode.USAGE, f"{path}: cannot be read: {error.strerror}") from None
    return result
