"""One side of a comparison: the rounds of a file gathered by case."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field

from redux_tools import stats
from redux_tools.results import Metric, ResultFile, Segment, Timing

# What spoils a case goes first: a case that was wrong in any round is wrong.
BY_SEVERITY = ("wrong", "error", "timeout", "invalid_timing", "skipped", "unsupported", "ok")


@dataclass(slots=True)
class MeasuredCase:
    """A case over all rounds of one file."""

    id: str
    backend: str
    status: str
    reason: str
    segment: Segment  # the last that holds it: whose header speaks for it
    repro: str
    rounds: dict[Metric, list[Timing]] = field(default_factory=dict)


@dataclass(slots=True)
class Value:
    """A case's time in one metric over the rounds of one file. Times in microseconds."""

    log_us: float
    rounds: int
    calls_per_sample: float | None
    spread_kept: float | None  # between A/A sessions, kept with a baseline
    spread_rounds: float | None
    spread_within: float | None

    @property
    def median_us(self) -> float:
        return math.exp(self.log_us)


def gather(file: ResultFile) -> dict[str, MeasuredCase]:
    """The cases of `file` by id; a case's status is the worst of its rounds."""
    cases: dict[str, MeasuredCase] = {}
    for segment in file.segments:
        for result in segment.cases.values():
            case = cases.get(result.id)
            if case is None:
                rounds = {metric: [timing] for metric, timing in result.timings.items()}
                cases[result.id] = MeasuredCase(
                    result.id,
                    result.backend,
                    result.status,
                    result.reason,
                    segment,
                    result.repro,
                    rounds,
                )
                continue
            case.segment = segment
            if BY_SEVERITY.index(result.status) < BY_SEVERITY.index(case.status):
                case.status, case.reason, case.repro = result.status, result.reason, result.repro
            for metric, timing in result.timings.items():
                case.rounds.setdefault(metric, []).append(timing)
    return cases


def _single(timing: Timing) -> Value | None:
    """`value_of` for one round, without the arrays: most files of many cases have but one."""
    median_us = timing.median_us
    if median_us is None or median_us <= 0:
        return None
    return Value(
        log_us=math.log(median_us),
        rounds=1,
        calls_per_sample=timing.calls_per_sample or None,
        spread_kept=timing.spread_log,
        spread_rounds=None,
        spread_within=stats.spread_within_run(
            median_us, timing.mad_us, timing.ci95_us, timing.samples
        ),
    )


def value_of(timings: list[Timing]) -> Value | None:
    """None where a round's median is null, zero or negative: that is no time."""
    if len(timings) == 1:
        return _single(timings[0])
    medians = [t.median_us for t in timings if t.median_us is not None and t.median_us > 0]
    if len(medians) != len(timings) or not medians:
        return None
    kept = [t.spread_log for t in timings if t.spread_log is not None]
    calls = [t.calls_per_sample for t in timings if t.calls_per_sample]
    # A round of unknown spread makes the whole unknown: the others say nothing of it.
    within = [
        stats.spread_within_run(median, t.mad_us, t.ci95_us, t.samples)
        for median, t in zip(medians, timings, strict=True)
    ]
    known = [spread for spread in within if spread is not None]
    return Value(
        log_us=stats.log_median(medians),
        rounds=len(medians),
        calls_per_sample=statistics.median(calls) if calls else None,
        spread_kept=max(kept, default=None),
        spread_rounds=stats.spread_of_rounds(medians),
        spread_within=max(known) if len(known) == len(within) else None,
    )
