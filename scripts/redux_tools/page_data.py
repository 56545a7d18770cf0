"""What the page and the plots show of result files: plain data, as the page's scripts take it."""

from __future__ import annotations

import math
import re
import reprlib
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from redux_tools.environment import device_of
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.readme import command_of
from redux_tools.results import CaseResult, Metric, ResultFile, Segment
from redux_tools.rounds import BY_SEVERITY

# Enough for a distribution's shape; the results file has them all.
MAX_SAMPLES = 64
MAX_EXTENTS = 32  # as of redux-bench
# Of the whole page: with very many cases each has fewer, so that a browser can still open it.
MAX_ALL_SAMPLES = 500_000


@dataclass
class TimingView:
    """A case in one metric; microseconds. `rounds_us`: the median of each process."""

    metric: str
    median_us: float
    rounds_us: list[float]
    ci95_us: tuple[float, float] | None
    samples: list[list[float]]  # of each round, thinned

    def as_json(self) -> dict[str, Any]:
        return {
            "median": self.median_us,
            "rounds": self.rounds_us,
            "ci": self.ci95_us,
            "samples": self.samples,
        }


@dataclass
class CaseView:
    """One case over all rounds. `rows` and `cols`: along and across what is reduced.

    Of a graph these are nodes and features, and `kind` is how the graph was made.
    """

    id: str
    op: str
    variant: str
    backend: str
    group: str  # dtype and what is not the default
    shape: str
    rows: int
    cols: int
    elements: int
    bytes: int
    gathered_bytes: int
    graph: str
    kind: str
    edges: int
    status: str
    reason: str
    compare_to: str
    picked: str
    repro: str
    launch: dict[str, Any] = field(default_factory=dict)  # as the record has it; not in the page
    timings: dict[str, TimingView] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        apart = ("launch", "timings")
        plain = {name: value for name, value in vars(self).items() if name not in apart}
        return {**plain, "timings": {m: t.as_json() for m, t in self.timings.items()}}


@dataclass
class PageData:
    title: str
    facts: list[tuple[str, str]]
    floors_us: dict[str, float]  # by backend and mode, "cuda graph"
    ceilings_gbps: dict[str, float]  # read, by backend
    metrics: list[str]
    cases: list[CaseView]
    verdict: dict[str, Any] | None = None
    diagnosis: dict[str, Any] = field(default_factory=dict)  # by metric

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "cases": [case.as_json() for case in self.cases]}


def _thinned(samples: Sequence[float], most: int) -> list[float]:
    """At most `most` (two or more) of them, evenly spaced, both ends kept."""
    if len(samples) <= most:
        return list(samples)
    last = len(samples) - 1
    return [samples[round(i * last / (most - 1))] for i in range(most)]


def _extents(case: CaseResult) -> tuple[int, int, int, int]:
    """(rows, cols, elements, edges); 1, 1, 1, 0 for a case that does not say its shape.

    Of a graph: nodes, features, and the elements that its edges name.
    """
    shape = case.raw.get("shape") or [1]
    whole = isinstance(shape, list) and all(type(n) is int and 0 <= n < 2**63 for n in shape)
    if not whole or len(shape) > MAX_EXTENTS:
        message = (
            f"{case.id}: its shape is {reprlib.repr(shape)}; it has to be an array of "
            f"whole numbers below 2^63, at most {MAX_EXTENTS}"
        )
        raise Failure(ExitCode.USAGE, message)
    if case.raw.get("graph"):
        nodes, edges, features = [*shape, 1, 1][:3]
        return nodes, features, edges * features, edges
    attributes = case.raw.get("attrs")
    axis = attributes.get("axis", -1) if isinstance(attributes, dict) else -1
    if type(axis) is not int:
        message = f"{case.id}: its axis is {axis!r}; it has to be a whole number"
        raise Failure(ExitCode.USAGE, message)
    elements = math.prod(shape)
    cols = shape[axis] if -len(shape) <= axis < len(shape) else shape[-1]
    return (elements // cols if cols else 0), cols, elements, 0


def _bytes(case: CaseResult, name: str) -> int:
    found = case.raw.get(name)
    if found is None:
        return 0
    if type(found) is not int or not 0 <= found < 2**63:
        said = reprlib.repr(found)
        message = f"{case.id}: its {name} is {said}; it has to be a whole number from 0 to 2^63 - 1"
        raise Failure(ExitCode.USAGE, message)
    return found


def _view(case: CaseResult) -> CaseView:
    raw = case.raw
    # The id is op/variant/dtype/shape and then what is not the default.
    parts = [*case.id.split("/"), "", "", "", ""]
    rows, cols, elements, edges = _extents(case)
    graph = str(raw.get("graph") or "")
    found = raw.get("launch")
    launch = found if isinstance(found, dict) else {}
    return CaseView(
        id=case.id,
        op=str(raw.get("op") or parts[0]),
        variant=str(raw.get("variant") or parts[1]),
        backend=case.backend,
        group=" ".join(part for part in (parts[2], *parts[4:]) if part),
        shape=parts[3],
        rows=rows,
        cols=cols,
        elements=elements,
        bytes=_bytes(case, "bytes"),
        gathered_bytes=_bytes(case, "gathered_bytes"),
        graph=graph,
        kind=re.sub(r"-\d.*", "", graph),  # "uniform" of "uniform-65536-16"
        edges=edges,
        status=case.status,
        reason=case.reason,
        compare_to=str(raw.get("compare_to") or ""),
        picked=str(launch.get("picked") or ""),
        repro=case.repro,
        launch=launch,
    )


def _add_round(view: CaseView, case: CaseResult, most: int) -> None:
    for metric, timing in case.timings.items():
        if timing.median_us is None or timing.median_us <= 0:
            continue
        found = view.timings.get(str(metric))
        if found is None:
            found = TimingView(str(metric), 0.0, [], timing.ci95_us, [])
            view.timings[str(metric)] = found
        found.rounds_us.append(timing.median_us)
        found.samples.append(_thinned(timing.samples_us, most))
        found.median_us = statistics.median(found.rounds_us)


def case_views(file: ResultFile) -> list[CaseView]:
    """Each case over all rounds; `file` has to be read whole."""
    views: dict[str, CaseView] = {}
    timings = sum(len(c.timings) for s in file.segments for c in s.cases.values())
    most = max(2, min(MAX_SAMPLES, MAX_ALL_SAMPLES // max(timings, 1)))
    for segment in file.segments:
        for case in segment.cases.values():
            view = views.get(case.id)
            if view is None:
                view = views[case.id] = _view(case)
            elif BY_SEVERITY.index(case.status) < BY_SEVERITY.index(view.status):
                view.status, view.reason = case.status, case.reason
            if case.status == "ok":
                _add_round(view, case, most)
    for view in views.values():
        if view.status != "ok":  # its times are offered to nobody
            view.timings.clear()
    return list(views.values())


def _text(value: Any, unknown: str = "unknown") -> str:
    return unknown if value is None or value == "" else str(value)


def _facts(file: ResultFile) -> list[tuple[str, str]]:
    last = file.segments[-1]
    env = last.header.get("env") or {}
    gpu = env.get("gpu") or {}
    tool = last.header.get("tool") or {}
    facts = []
    if gpu:
        l2_mib = (gpu.get("l2_bytes") or 0) / 2**20
        said = f"{_text(gpu.get('name'))}, {gpu.get('sms', '?')} SMs, {l2_mib:.0f} MiB L2"
        facts.append(("GPU", said))
        facts.append(("Driver", _text(gpu.get("driver"))))
        facts.append(("CUDA runtime", _text(env.get("cuda_runtime"))))
        locked = gpu.get("clocks_locked")
        said = "unknown" if locked is None else "locked" if locked else "not locked"
        facts.append(("Clocks", said))
    facts += [
        ("CPU", _text(env.get("cpu"))),
        ("System", _text(env.get("os"))),
        ("redux-bench", f"{_text(tool.get('version'))} ({_text(tool.get('git'))})"),
        ("Build", f"{_text(env.get('build'))}, {_text(env.get('compiler'))}"),
        ("Started", _text(last.header.get("started"))),
        ("Configs", ", ".join(dict.fromkeys(s.config_name for s in file.segments))),
        ("Rounds", str(_round_count(file))),
        ("Command", command_of([str(word) for word in last.header.get("argv") or []])),
    ]
    if any(segment.header.get("handicap") for segment in file.segments):
        facts.append(("Handicap", "slowed down on purpose: these are no results"))
    if file.incomplete_runs():
        facts.append(("Complete", "no: a run did not come to its end"))
    return facts


def _round_count(file: ResultFile) -> int:
    runs: dict[str, int] = {}
    for segment in file.segments:
        runs[segment.config_name] = runs.get(segment.config_name, 0) + 1
    return max(runs.values())


def _limits(segments: Sequence[Segment]) -> tuple[dict[str, float], dict[str, float]]:
    """Floors by backend and mode, read ceilings by backend, as the last run that has them says."""
    floors: dict[str, float] = {}
    ceilings: dict[str, float] = {}
    for segment in segments:
        floor = segment.header.get("floor_us") or {}
        ceiling = segment.end.get("ceiling_gbps") or segment.header.get("ceiling_gbps") or {}
        for name, key in (
            ("graph", "cuda graph"),
            ("stream", "cuda stream"),
            ("host", "host stream"),
        ):
            if floor.get(name):
                floors[key] = float(floor[name])
        for name, key in (("read", "cuda"), ("host_read", "host")):
            if ceiling.get(name):
                ceilings[key] = float(ceiling[name])
    return floors, ceilings


def page_data(file: ResultFile, title: str = "") -> PageData:
    """`file` has to be read whole. Raises Failure(NOTHING_COMPARABLE) where it holds no case."""
    if file.case_count == 0:
        raise Failure(ExitCode.NOTHING_COMPARABLE, f"{file.path}: there is no case to show")
    cases = case_views(file)
    order = [str(Metric(mode, cache)) for mode in ("graph", "stream") for cache in ("cold", "warm")]
    there = {metric for case in cases for metric in case.timings}
    floors, ceilings = _limits(file.segments)
    backends = {case.backend for case in cases}
    device = device_of(file.segments[-1], "cuda" if "cuda" in backends else "host")
    names = ", ".join(dict.fromkeys(segment.config_name for segment in file.segments))
    return PageData(
        title=title or f"{names or 'redux-bench'} on {device}",
        facts=_facts(file),
        floors_us=floors,
        ceilings_gbps=ceilings,
        metrics=[metric for metric in order if metric in there],
        cases=cases,
    )
