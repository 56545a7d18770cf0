"""Statistics of the gate: pure functions over arrays of microseconds or of their logs.

All differences are differences of natural logs, so that a slow-down and its inverse weigh the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

# The half-width of a 90% interval of a normal quantity, in its standard deviations.
Z_90 = float(stats.norm.ppf(0.95))
# Below this many samples or rounds a spread is not an estimate of anything.
MIN_SAMPLES_FOR_SPREAD = 5
MIN_ROUNDS_FOR_SPREAD = 3


def log_median(values_us: Sequence[float]) -> float:
    """The log of a case's time over its rounds: the median of the rounds' logs."""
    return float(np.median(np.log(np.asarray(values_us, dtype=np.float64))))


def robust_spread(values: Sequence[float]) -> float:
    """1.4826 x the median absolute deviation: the standard deviation where values are normal."""
    return float(stats.median_abs_deviation(np.asarray(values, dtype=np.float64), scale="normal"))


def spread_of_rounds(values_us: Sequence[float]) -> float | None:
    """Spread of the logs of the rounds' medians, or None for fewer than three rounds."""
    if len(values_us) < MIN_ROUNDS_FOR_SPREAD:
        return None
    return robust_spread(np.log(np.asarray(values_us, dtype=np.float64)).tolist())


def spread_within_run(
    median_us: float, mad_us: float | None, ci95_us: tuple[float, float] | None, samples: int
) -> float | None:
    """A stand-in for the spread between runs, from one run: the relative spread of its samples.

    It is not divided by the root of their number: samples of one process share its clocks and
    placement, so that their number says nothing of how the next process will differ. None where the
    run holds too few samples or does not say how they spread.
    """
    if samples < MIN_SAMPLES_FOR_SPREAD:
        return None
    candidates = []
    if mad_us is not None and mad_us >= 0:
        candidates.append(1.4826 * mad_us / median_us)
    if ci95_us is not None and ci95_us[1] >= ci95_us[0]:
        candidates.append((ci95_us[1] - ci95_us[0]) / (2 * 1.96) / median_us)
    return max(candidates, default=None)


def interval_90(log_ratio: float, sigma: float) -> tuple[float, float]:
    """Where the log ratio of two single runs lies, each with spread `sigma`."""
    half = Z_90 * math.sqrt(2) * sigma
    return log_ratio - half, log_ratio + half
