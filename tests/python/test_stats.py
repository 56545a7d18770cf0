"""The statistics module against scipy, published tables and tables made by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from redux_tools import stats

REALS = st.floats(-10, 10, allow_nan=False).map(lambda x: round(x, 6))


def signed_rank_by_hand(differences):
    """All sign patterns counted: P(W+ at least as large) for distinct absolute values."""
    ranks = np.argsort(np.argsort(np.abs(differences))) + 1
    seen = sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    patterns = itertools.product((0, 1), repeat=len(ranks))
    sums = [sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in patterns]
    return sum(total >= seen for total in sums) / len(sums)


@pytest.mark.parametrize(
    "differences",
    [
        [1, 2, 3, 4, 5, 6, 7, 8],
        [-1, 2, 3, 4, 5, 6, 7, 8],
        [-8, 2, 3, 4, 5, 6, 7, -1],
        [0.5, -0.25, 0.125, 3, -4, 5.5, 6, 9, -10, 11],
    ],
)
def test_signed_rank_p_is_exact(differences):
    expected = signed_rank_by_hand(differences)
    assert stats.signed_rank_p(differences, 0.0) == pytest.approx(expected)
    shifted = [d + 0.3 for d in differences]
    assert stats.signed_rank_p(shifted, 0.3) == pytest.approx(expected)


def test_signed_rank_p_of_eight_alike_is_the_least_there_is():
    assert stats.signed_rank_p([0.1 + i / 1000 for i in range(8)], 0.02) == pytest.approx(2**-8)
    assert stats.signed_rank_p([0.1] * 8, 0.02) == pytest.approx(2**-8)
    assert stats.signed_rank_p([0.02] * 8, 0.02) == 1.0
    assert stats.signed_rank_p([-0.1] * 8, 0.02) > 0.99


def test_blocks_needed_let_one_candidate_pass():
    by_hand = {1: 8, 12: 8, 13: 9, 20: 9, 100: 11, 300: 13, 1000: 15}
    assert {k: stats.blocks_needed(k, 0.05) for k in by_hand} == by_hand
    for k in (1, 7, 50, 300):
        assert 2.0 ** -stats.blocks_needed(k, 0.05) <= 0.05 / k


# Benjamini and Hochberg (1995), the example of section 4: four hypotheses fall at 0.05.
EXAMPLE = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
EXAMPLE += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]


def test_discoveries_of_the_published_example():
    assert stats.discoveries(EXAMPLE, 0.05) == [True] * 4 + [False] * 11
    turned = stats.discoveries(EXAMPLE[::-1], 0.05)
    assert turned == [False] * 11 + [True] * 4
    assert stats.discoveries([], 0.05) == []


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.sampled_from([0.01, 0.05, 0.2]))
def test_discoveries_are_those_of_the_step_up_rule(p_values, rate):
    ordered = sorted(p_values)
    k = len(ordered)
    passing = [i for i, p in enumerate(ordered, start=1) if p <= rate * i / k * (1 - 1e-12)]
    at_least = ordered[passing[-1] - 1] if passing else -1.0
    found = stats.discoveries(p_values, rate)
    for p, is_found in zip(p_values, found, strict=True):
        if p <= at_least:
            assert is_found
        if p > rate:
            assert not is_found


def test_hodges_lehmann_by_hand():
    # The means of all pairs of 1, 2, 4 are 1, 1.5, 2, 2.5, 3, 4.
    assert stats.hodges_lehmann([1, 2, 4]) == 2.25
    assert stats.hodges_lehmann([5]) == 5
    # One wild value moves it little.
    assert stats.hodges_lehmann([1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0, 100.0]) < 1.1


def test_hodges_lehmann_interval_cuts_where_the_published_tables_say():
    # One-sided critical values at 0.05 (Wilcoxon's tables): 5 for n = 8, 10 for n = 10, 60 for 20.
    for n, critical in ((8, 5), (10, 10), (20, 60)):
        values = list(range(n))
        means = sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])
        low, high = stats.hodges_lehmann_interval(values, 0.90)
        assert (low, high) == (means[critical], means[-critical - 1])


def test_hodges_lehmann_interval_of_too_few_is_infinite():
    assert stats.hodges_lehmann_interval([1, 2, 3, 4], 0.90) == (-math.inf, math.inf)
    low, high = stats.hodges_lehmann_interval([1, 2, 3, 4, 5], 0.90)
    assert (low, high) == (1, 5)


def test_hodges_lehmann_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(2000):
        low, high = stats.hodges_lehmann_interval(rng.normal(0, 1, 9).tolist(), 0.90)
        inside += low <= 0 <= high
    assert 0.89 <= inside / 2000 <= 0.94


@settings(deadline=None)
@given(st.lists(REALS, min_size=5, max_size=12))
def test_the_estimate_lies_in_its_interval_and_moves_with_the_data(values):
    low, high = stats.hodges_lehmann_interval(values, 0.90)
    estimate = stats.hodges_lehmann(values)
    assert low <= estimate <= high
    moved = [value + 3 for value in values]
    assert stats.hodges_lehmann(moved) == pytest.approx(estimate + 3)


@settings(deadline=None)
@given(st.lists(st.floats(0.01, 1e6), min_size=3, max_size=40))
def test_spreads_and_medians_are_scipys(values):
    logs = np.log(values)
    assert stats.log_median(values) == pytest.approx(float(np.median(logs)))
    expected = scipy.stats.median_abs_deviation(logs, scale="normal")
    assert stats.spread_of_rounds(values) == pytest.approx(float(expected))
    assert stats.robust_spread(values) == pytest.approx(
        float(scipy.stats.median_abs_deviation(values, scale="normal"))
    )


def test_interval_90_by_hand():
    low, high = stats.interval_90(0.02, 0.01)
    assert low == pytest.approx(0.02 - 1.6448536 * math.sqrt(2) * 0.01)
    assert high == pytest.approx(0.02 + 1.6448536 * math.sqrt(2) * 0.01)


def test_rank_sum_p_by_hand():
    # All of three above all of three: one of the twenty ways to draw three of six.
    assert stats.rank_sum_p([1, 2, 3], [4, 5, 6]) == pytest.approx(1 / 20)
    assert stats.rank_sum_p([4, 5, 6], [1, 2, 3]) == 1.0
