"""Statistics of the gate: pure functions over arrays of microseconds or of their logs.

All differences are differences of natural logs, so that a slow-down and its inverse weigh the same.
scipy.stats is imported where it is used: that takes half a second, and many need none of it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

# The half-width of a 90% interval of a normal quantity, in its standard deviations.
Z_90 = statistics.NormalDist().inv_cdf(0.95)
# Below this many samples or rounds a spread is not an estimate of anything.
MIN_SAMPLES_FOR_SPREAD = 5
MIN_ROUNDS_FOR_SPREAD = 3


def log_median(values_us: Sequence[float]) -> float:
    """The log of a case's time over its rounds: the median of the rounds' logs."""
    if len(values_us) == 1:
        return math.log(values_us[0])
    return float(np.median(np.log(np.asarray(values_us, dtype=np.float64))))


def robust_spread(values: Sequence[float]) -> float:
    """1.4826 x the median absolute deviation: the standard deviation where values are normal."""
    from scipy import stats

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
    spread = None
    if mad_us is not None and mad_us >= 0:
        spread = 1.4826 * mad_us / median_us
    if ci95_us is not None and ci95_us[1] >= ci95_us[0]:
        half = (ci95_us[1] - ci95_us[0]) / (2 * 1.96) / median_us
        spread = half if spread is None else max(spread, half)
    return spread


def interval_90(log_ratio: float, sigma: float) -> tuple[float, float]:
    """Where the log ratio of two single runs lies, each with spread `sigma`."""
    half = Z_90 * math.sqrt(2) * sigma
    return log_ratio - half, log_ratio + half


# How many blocks of one confirmation are the least, however few the candidates.
MIN_BLOCKS = 8


def blocks_needed(candidates: int, rate: float) -> int:
    """Blocks that let one candidate of so many be significant after correction.

    The least p-value of a signed-rank test of R differences is 2^-R, and Benjamini-Hochberg asks
    the first of k for at most rate / k.
    """
    return max(MIN_BLOCKS, math.ceil(math.log2(max(candidates, 1) / rate)))


def signed_rank_p(differences: Sequence[float], limit: float) -> float:
    """P-value of "the median of `differences` is at most `limit`", one-sided (Wilcoxon 1945).

    Exact for the numbers of blocks that a gate has: scipy computes the distribution, or permutes
    where there are ties. 1.0 where every difference is the limit itself.
    """
    from scipy import stats

    shifted = np.asarray(differences, dtype=np.float64) - limit
    if not np.any(shifted):
        return 1.0
    return float(stats.wilcoxon(shifted, alternative="greater").pvalue)


def discoveries(p_values: Sequence[float], rate: float) -> list[bool]:
    """Which hypotheses fall when false ones may be `rate` of them (Benjamini, Hochberg 1995)."""
    from scipy import stats

    if not p_values:
        return []
    adjusted = stats.false_discovery_control(np.asarray(p_values, dtype=np.float64), method="bh")
    return [bool(p <= rate) for p in adjusted]


def _walsh_averages(values: Sequence[float]) -> np.ndarray:
    """The means of all pairs, each value with itself included, sorted."""
    array = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(len(array))
    return np.sort((array[first] + array[second]) / 2)


def hodges_lehmann(values: Sequence[float]) -> float:
    """The median of the means of all pairs (Hodges, Lehmann 1963): the shift, robustly."""
    return float(np.median(_walsh_averages(values)))


def _signed_rank_counts(n: int) -> np.ndarray:
    """How many of the 2^n sign patterns give each rank sum, 0 to n (n + 1) / 2."""
    counts = np.zeros(n * (n + 1) // 2 + 1)
    counts[0] = 1
    for rank in range(1, n + 1):
        counts[rank:] += counts[:-rank].copy()
    return counts


def hodges_lehmann_interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """The interval of `hodges_lehmann` that goes with the signed-rank test, at least so sure.

    Infinite where there are too few values for any finite one.
    """
    n = len(values)
    averages = _walsh_averages(values)
    cumulated = np.cumsum(_signed_rank_counts(n)) / 2.0**n
    # The most averages that may be cut off at each end.
    cut = int(np.searchsorted(cumulated, (1 - confidence) / 2, side="right"))
    if cut == 0:
        return -math.inf, math.inf
    return float(averages[cut - 1]), float(averages[len(averages) - cut])


def rank_sum_p(before: Sequence[float], after: Sequence[float]) -> float:
    """P-value of "`after` is not larger than `before`", one-sided (Mann, Whitney 1947).

    Only to show what a gate that takes samples of one process for independent would say.
    """
    from scipy import stats

    return float(stats.mannwhitneyu(after, before, alternative="greater").pvalue)


class PowerLaw(NamedTuple):
    """time ~ size ** exponent; `low` and `high` hold the exponent with 95% confidence."""

    exponent: float
    low: float
    high: float
    sizes: int  # different sizes in the fit


# With two sizes a line goes through both, and nothing is known of its slope's error.
MIN_SIZES_FOR_FIT = 3


def power_law(sizes: Sequence[float], times: Sequence[float]) -> PowerLaw | None:
    """The exponent of time against size, or None for fewer than three different sizes.

    Least squares of log time on log size; the interval is the slope's, by Student's t with two
    degrees of freedom less than there are points (Draper and Smith, Applied Regression Analysis,
    3rd ed. 1998, section 1.4). It holds what the points stray from a straight line, such as the
    bend where a floor ends: that is far more than the error of a median, which is left out.
    """
    from scipy import stats

    count, points = len(set(sizes)), len(sizes)
    if count < MIN_SIZES_FOR_FIT:
        return None
    # By the sums themselves: scipy's linregress divides by the spread of the times, which a flat
    # line has none of.
    x, y = np.log(sizes), np.log(times)
    across, along = x - x.mean(), y - y.mean()
    spread = float(across @ across)
    slope = float(across @ along) / spread
    residuals = along - slope * across
    error = math.sqrt(float(residuals @ residuals) / (points - 2) / spread)
    half = float(stats.t.ppf(0.975, points - 2)) * error
    return PowerLaw(slope, slope - half, slope + half, count)
