"""What a diagnosis looks at: each case in one metric, with its device, floor and ceilings."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from redux_tools.environment import NO_GPU, device_of
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.fields import LEAST, MOST
from redux_tools.page_data import CaseView, case_views
from redux_tools.results import METRICS, Metric, ResultFile, Segment, Timing
from redux_tools.rounds import MeasuredCase, gather, value_of

# Resident threads of a multiprocessor by compute capability, where they are not 2048 (CUDA C++
# Programming Guide, "Technical Specifications per Compute Capability").
THREADS_PER_SM = {"7.5": 1024, "8.6": 1536, "8.7": 1536, "8.9": 1536, "12.0": 1536, "12.1": 1536}
USUAL_THREADS_PER_SM = 2048
# These write at least as much as they read, so that a copy is what they can be held against.
COPY_LIKE = frozenset({"cummax", "cummin", "cumsum"})
# What a normal quantity keeps within, 95% of the time, in its standard deviations.
Z_95 = 1.96


class Device(NamedTuple):
    """A GPU, as far as the header of its run says; None where it does not."""

    name: str
    sms: int | None
    threads_per_sm: int
    l2_bytes: int | None


class Launch(NamedTuple):
    """The main kernel of a call; `nodes`: kernels and memsets a call."""

    blocks: int
    threads: int  # in all blocks
    occupancy: float  # resident warps over the most possible, theoretical
    waves: float | None  # blocks over those that the device holds at once
    nodes: int


@dataclass(frozen=True, slots=True)
class Subject:
    """One case in one metric. Times in microseconds, rates in GB/s, None for what is not known.

    `low_us` to `high_us` is where the median lies: the widest of its 95% intervals over the rounds,
    and, where a baseline keeps the spread between sessions, 95% of that.
    """

    view: CaseView
    metric: Metric
    us: float
    low_us: float
    high_us: float
    floor_us: float | None
    ceiling_gbps: float | None  # what memory gives this kind of op
    ceiling_name: str  # "read" or "copy"
    read_gbps: float | None
    device: Device
    launch: Launch | None

    def clearly_below(self, other: Subject) -> bool:
        return self.high_us < other.low_us


def _positive(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and LEAST <= value <= MOST else None


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 < value < 2**63 else None


def _section(owner: dict[str, Any], name: str) -> dict[str, Any]:
    found = owner.get(name)
    return found if isinstance(found, dict) else {}


def _device(segment: Segment, backend: str) -> Device:
    gpu = _section(_section(segment.header, "env"), "gpu")
    capability = str(gpu.get("cc") or "")
    return Device(
        name=device_of(segment, backend),
        sms=_count(gpu.get("sms")),
        threads_per_sm=THREADS_PER_SM.get(capability, USUAL_THREADS_PER_SM),
        l2_bytes=_count(gpu.get("l2_bytes")),
    )


def _launch(raw: dict[str, Any]) -> Launch | None:
    """None where a library chose the grid (its extents are zero) or none was launched."""
    extents = []
    for name in ("grid", "block"):
        listed = raw.get(name)
        if not isinstance(listed, list) or not all(_count(extent) for extent in listed):
            return None
        extents.append(math.prod(listed))
    blocks, threads = extents
    nodes = (_count(raw.get("kernels")) or 1) + (_count(raw.get("memsets")) or 0)
    return Launch(
        blocks=blocks,
        threads=blocks * threads,
        occupancy=_positive(raw.get("occupancy")) or 1.0,
        waves=_positive(raw.get("waves")),
        nodes=nodes,
    )


def resident_threads(launch: Launch, device: Device) -> float | None:
    """Threads that the device holds at once, with the registers and shared memory of the kernel.

    Known exactly where the record has waves; from a table of devices in files that lack them.
    """
    if launch.waves is not None:
        return launch.threads / launch.waves
    if device.sms is None:
        return None
    return device.sms * device.threads_per_sm * launch.occupancy


def _bounds(timings: Sequence[Timing], us: float, kept: float | None) -> tuple[float, float]:
    """See Subject. A round's own median counts too, and a spread that is not known as none."""
    ends = [us]
    for timing in timings:
        ends += [timing.median_us or us, *(timing.ci95_us or ())]
    if kept is not None:
        ends += [us * math.exp(-Z_95 * kept), us * math.exp(Z_95 * kept)]
    return min(ends), max(ends)


def _limits(segment: Segment, view: CaseView, metric: Metric) -> dict[str, Any]:
    floors = _section(segment.header, "floor_us")
    ceilings = _section(segment.end, "ceiling_gbps") or _section(segment.header, "ceiling_gbps")
    prefix = "host_" if view.backend == "host" else ""
    read, copy = _positive(ceilings.get(f"{prefix}read")), _positive(ceilings.get(f"{prefix}copy"))
    copies = view.op in COPY_LIKE and copy is not None
    return {
        "floor_us": _positive(floors.get("host" if view.backend == "host" else metric.mode)),
        "ceiling_gbps": copy if copies else read,
        "ceiling_name": "copy" if copies else "read",
        "read_gbps": read,
    }


def _one_gpu(file: ResultFile) -> None:
    names = {device_of(segment, "cuda") for segment in file.segments} - {NO_GPU}
    if len(names) > 1:
        found = ", ".join(sorted(names))
        message = f"{file.path}: results of several devices ({found}); diagnose one at a time"
        raise Failure(ExitCode.ENVIRONMENT, message)


def _chosen(views: Sequence[CaseView], wanted: Metric | None) -> dict[str, Metric]:
    """The metric of each backend: the one wanted, else the first there, graph/cold before all."""
    order = [wanted] if wanted is not None else list(METRICS.values())
    chosen: dict[str, Metric] = {}
    for backend in {view.backend for view in views}:
        there = {name for view in views if view.backend == backend for name in view.timings}
        found = next((metric for metric in order if str(metric) in there), None)
        if found is not None:
            chosen[backend] = found
    return chosen


def _subject(view: CaseView, metric: Metric, case: MeasuredCase) -> Subject | None:
    timings = case.rounds.get(metric, [])
    value = value_of(timings) if timings else None
    if value is None:
        return None
    low, high = _bounds(timings, value.median_us, value.spread_kept)
    return Subject(
        view=view,
        metric=metric,
        us=value.median_us,
        low_us=low,
        high_us=high,
        device=_device(case.segment, view.backend),
        launch=_launch(view.launch),
        **_limits(case.segment, view, metric),
    )


def subjects(
    file: ResultFile, pattern: re.Pattern[str] | None = None, metric: Metric | None = None
) -> tuple[list[Subject], dict[str, int]]:
    """Every case that was timed, and how many of the others that match have each status.

    `file` has to be read whole. Raises Failure: NOTHING_COMPARABLE where no case that matches was
    timed, ENVIRONMENT for results of several devices, USAGE for a shape that is none.
    """
    _one_gpu(file)
    views = case_views(file)
    wanted = {view.id for view in views if pattern is None or pattern.search(view.id)}
    if not wanted:
        said = "there is no case" if pattern is None else "no case matches --filter"
        raise Failure(ExitCode.NOTHING_COMPARABLE, f"{file.path}: {said}")
    chosen = _chosen(views, metric)
    measured = gather(file)
    found: list[Subject] = []
    others: dict[str, int] = {}
    for view in views:
        own = chosen.get(view.backend)
        subject = own and view.status == "ok" and _subject(view, own, measured[view.id])
        if subject:
            found.append(subject)
        elif view.id in wanted:
            status = "not timed" if view.status == "ok" else view.status
            others[status] = others.get(status, 0) + 1
    if wanted.isdisjoint(subject.view.id for subject in found):
        said = "no case was timed" if metric is None else f"no case was timed in {metric}"
        raise Failure(ExitCode.NOTHING_COMPARABLE, f"{file.path}: {said}")
    return found, others
