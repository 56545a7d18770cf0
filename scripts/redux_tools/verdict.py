"""The verdict on one case: two values and a threshold in, a word and its reason out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from redux_tools import stats
from redux_tools.exit_codes import ExitCode
from redux_tools.results import Metric
from redux_tools.rounds import Value

# Below this a difference is the clock's and the launcher's, whatever its share.
FLOOR_US = 0.15
# The screen stands below the threshold so that noise does not hide what lies just above it.
SCREEN_SHARE = 2 / 3
SIGMAS = 3
# Calibration varies by a few calls between runs of one binary; beyond this it is another thing.
MAX_CALLS_RATIO = 2


class Verdict(Enum):
    WRONG = "WRONG"
    INVALID = "INVALID"
    NOT_MEASURED = "NOT MEASURED"
    MISSING = "MISSING"
    SLOWER = "SLOWER"
    INCONCLUSIVE = "INCONCLUSIVE"
    INCOMPARABLE = "INCOMPARABLE"
    FASTER = "FASTER"
    NEW = "NEW"
    SAME = "SAME"


@dataclass(frozen=True)
class Confirmation:
    """What fresh, interleaved measurements of both binaries said of a candidate."""

    estimate: float  # Hodges-Lehmann, of the log ratio
    interval: tuple[float, float]  # 90%
    p_value: float  # of "at most half the threshold"
    blocks: int


@dataclass(slots=True)
class Row:
    """One line of a comparison. Times in microseconds; `log_ratio` is log(current / baseline)."""

    id: str
    metric: Metric | None  # None where the whole case is meant
    verdict: Verdict
    reason: str
    baseline_us: float | None = None
    current_us: float | None = None
    log_ratio: float | None = None
    interval: tuple[float, float] | None = None  # 90%, of the log ratio
    sigma: float | None = None
    threshold: float | None = None
    candidate: bool = False  # over the screen: worth measuring again
    confirmation: Confirmation | None = None
    repro: str = ""
    code: ExitCode = ExitCode.OK  # what this row alone would make the script exit with
    strict_code: ExitCode = ExitCode.OK  # the same under --strict


def sigma_of(baseline: Value, current: Value) -> tuple[float, str] | None:
    """Spread of a session's log median and where it is from; None where nobody knows it."""
    if baseline.spread_kept is not None:
        return baseline.spread_kept, "spread kept with the baseline"
    rounds = [v.spread_rounds for v in (baseline, current) if v.spread_rounds is not None]
    if rounds:
        return max(rounds), "spread of the rounds"
    if baseline.spread_within is None or current.spread_within is None:
        return None
    return max(baseline.spread_within, current.spread_within), "spread of the samples"


def calls_differ(baseline: Value, current: Value) -> str:
    """Why the two batches cannot be compared, or empty.

    Calibration fixes how long a batch lasts, so a slower kernel gets fewer calls for an equally
    long batch, and that has to be compared. What cannot be: fewer calls in a much shorter batch, in
    which the cost of starting it weighs more.
    """
    if baseline.calls_per_sample is None or current.calls_per_sample is None:
        return ""
    fewer, more = sorted((baseline, current), key=lambda value: value.calls_per_sample or 0)
    fewer_calls, more_calls = fewer.calls_per_sample or 0, more.calls_per_sample or 0
    if more_calls <= MAX_CALLS_RATIO * fewer_calls:
        return ""
    if fewer_calls * fewer.median_us * MAX_CALLS_RATIO >= more_calls * more.median_us:
        return ""
    return (
        f"{baseline.calls_per_sample:g} calls a sample in the baseline, "
        f"{current.calls_per_sample:g} now, in batches that differ as much"
    )


def percent(log_ratio: float) -> str:
    """exp(log_ratio) - 1 as a signed percentage."""
    if log_ratio > 600:  # noise of a file that somebody made up; exp() has no such number
        return "over 1e260x"
    return f"{math.expm1(log_ratio):+.1%}" if log_ratio < 7 else f"{math.exp(log_ratio):.3g}x"


def margin_of(threshold: float, baseline_us: float) -> float:
    """The log ratio that a case may change by: its threshold, or the floor where that is more."""
    return max(math.log1p(threshold), FLOOR_US / baseline_us)


def is_candidate(ratio: float, threshold: float, baseline_us: float, sigma: float | None) -> bool:
    """Whether a log ratio is over the screen. Unknown noise does not clear a case."""
    noise = 0.0 if sigma is None else SIGMAS * sigma
    screen = SCREEN_SHARE * math.log1p(threshold)
    return ratio > max(screen, noise, FLOOR_US / baseline_us)


def judge(
    case_id: str, metric: Metric, baseline: Value, current: Value, threshold: float, repro: str
) -> Row:
    """Compares two valid values of one case. `threshold` is a share: 0.05 allows 5% more time."""
    ratio = current.log_us - baseline.log_us
    known = sigma_of(baseline, current)
    sigma = known[0] if known else None
    before_us, now_us = baseline.median_us, current.median_us
    interval = None if sigma is None else stats.interval_90(ratio, sigma)
    candidate = is_candidate(ratio, threshold, before_us, sigma)

    def row(verdict: Verdict, reason: str) -> Row:
        strict = verdict in (Verdict.INCONCLUSIVE, Verdict.INCOMPARABLE)
        return Row(
            id=case_id,
            metric=metric,
            verdict=verdict,
            reason=reason,
            baseline_us=before_us,
            current_us=now_us,
            log_ratio=ratio,
            interval=interval,
            sigma=sigma,
            threshold=threshold,
            candidate=candidate and verdict is not Verdict.INCOMPARABLE,
            repro=repro,
            code=ExitCode.REGRESSION if verdict is Verdict.SLOWER else ExitCode.OK,
            strict_code=ExitCode.INCONCLUSIVE if strict else ExitCode.OK,
        )

    if reason := calls_differ(baseline, current):
        return row(Verdict.INCOMPARABLE, reason)
    if known is None or sigma is None or interval is None:
        return row(
            Verdict.INCONCLUSIVE,
            "the noise is not known: no kept spread, under 3 rounds, a side without usable MAD",
        )
    margin = margin_of(threshold, before_us)
    limit = max(margin, SIGMAS * sigma)
    low, high = interval
    size = f"{percent(ratio)} ({now_us - before_us:+.3g} us)"
    spans = f"90% interval {percent(low)} to {percent(high)}"
    if ratio > limit:
        return row(Verdict.SLOWER, f"{size}, {spans}, is over the limit of {percent(limit)}")
    if ratio < -limit:
        return row(Verdict.FASTER, f"{size}, {spans}, is under the limit of {percent(-limit)}")
    if low < -margin or high > margin:
        return row(
            Verdict.INCONCLUSIVE,
            f"{size}, {spans} is not inside "
            f"{percent(-margin)} to {percent(margin)} ({known[1]} {sigma:.1%})",
        )
    if abs(ratio) > math.log1p(threshold):
        return row(Verdict.SAME, f"{size} is below the floor of {FLOOR_US} us")
    if candidate:
        return row(Verdict.SAME, f"{size} is above the screen, below the threshold")
    return row(Verdict.SAME, f"{size} is within {threshold:.1%}")
