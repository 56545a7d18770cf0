"""What simpler gates would have said of the same data, for comparison with ours (GATE.md).

Both are in wide use and both are wrong in their own way: the first has no idea of noise, the second
takes the samples of one process for independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from redux_tools import stats
from redux_tools.gate_confirm import FALSE_DISCOVERY_RATE, Key
from redux_tools.results import ResultFile

MEDIAN_RATIO = "median ratio"
POOLED_U = "pooled U test"
RIVALS = (MEDIAN_RATIO, POOLED_U)


def pooled_samples(file: ResultFile) -> dict[Key, list[float]]:
    """All samples of all rounds by case and metric; the file has to be read whole."""
    samples: dict[Key, list[float]] = {}
    for segment in file.segments:
        for case in segment.cases.values():
            if case.status != "ok":
                continue
            for metric, timing in case.timings.items():
                samples.setdefault((case.id, metric), []).extend(timing.samples_us)
    return {key: values for key, values in samples.items() if values}


def median_ratio(
    before: dict[Key, list[float]], after: dict[Key, list[float]], threshold: float
) -> set[Key]:
    """Flags where the medians of all samples differ by more than the threshold."""
    limit = math.log1p(threshold)
    return {
        key
        for key in before.keys() & after.keys()
        if math.log(float(np.median(after[key])) / float(np.median(before[key]))) > limit
    }


def pooled_u_test(
    before: dict[Key, list[float]],
    after: dict[Key, list[float]],
    rate: float = FALSE_DISCOVERY_RATE,
) -> set[Key]:
    """Flags by a rank test of all samples, corrected after Benjamini and Hochberg."""
    keys: Sequence[Key] = sorted(before.keys() & after.keys(), key=str)
    p_values = [stats.rank_sum_p(before[key], after[key]) for key in keys]
    found = stats.discoveries(p_values, rate)
    return {key for key, is_found in zip(keys, found, strict=True) if is_found}


def verdicts(before: ResultFile, after: ResultFile, threshold: float) -> dict[str, set[Key]]:
    """The keys that each rival flags."""
    old, new = pooled_samples(before), pooled_samples(after)
    return {MEDIAN_RATIO: median_ratio(old, new, threshold), POOLED_U: pooled_u_test(old, new)}
