"""What holds for any data: order does not matter, nor the unit; what is there is found."""

from __future__ import annotations

import json
import math
import random
import tempfile
from pathlib import Path

import pytest
import result_files as rf
from fake_gate import FakeRunner, baseline_of, gate_of
from hypothesis import given, settings
from hypothesis import strategies as st
from redux_tools.comparison import Options, compare
from redux_tools.report_json import comparison_json
from redux_tools.results import Metric, read_results
from redux_tools.rounds import Value
from redux_tools.thresholds import Thresholds
from redux_tools.verdict import Verdict, judge

NAMES = rf.ids(12)
METRIC = Metric("graph", "cold")
# Where the floor of 0.15 us is below 5% on both sides, times may be scaled.
LONG_US = st.floats(4, 1e6)
# What the gate's README says of a machine with 0.8% between sessions and between processes.
STATED_FALSE_ALARMS = 1 / 1000


def compared(folder, before, after):
    return compare(read_results(str(before)), read_results(str(after)), Options())


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_order_of_cases_rounds_and_keys_changes_nothing(data):
    factor = st.floats(0.8, 1.25)
    rounds = st.lists(factor, min_size=2, max_size=4)
    times = {name: (data.draw(rounds), data.draw(rounds)) for name in NAMES}

    def write(path, side, shuffle):
        longest = max(len(pair[side]) for pair in times.values())
        parts = []
        for index in range(longest):
            cases = [
                rf.case(name, rf.timing(10 * pair[side][index]))
                for name, pair in times.items()
                if index < len(pair[side])
            ]
            shuffle(cases)
            parts.append(rf.segment(cases, run_id=f"r{index}"))
        shuffle(parts)
        return rf.write(path, *parts)

    rng = random.Random(data.draw(st.integers(0, 99)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = []
        for shuffle in (lambda items: None, rng.shuffle):
            files = [write(folder / f"{side}.jsonl", side, shuffle) for side in (0, 1)]
            found.append(comparison_json(compared(folder, *files)))
    assert json.dumps(found[0], sort_keys=True) == json.dumps(found[1], sort_keys=True)


@settings(deadline=None)
@given(LONG_US, st.floats(0.7, 1.4), st.floats(0.0001, 0.1), st.floats(1, 1e4))
def test_scaling_both_sides_changes_no_verdict(before_us, factor, spread, scale):
    def verdict(by):
        before = Value(math.log(before_us * by), 1, 64, None, None, spread)
        after = Value(math.log(before_us * factor * by), 1, 64, None, None, spread)
        return judge("id", METRIC, before, after, 0.05, "").verdict

    if abs(math.log(factor)) - math.log1p(0.05) > 1e-9:
        assert verdict(1.0) is verdict(scale)
    elif verdict(1.0) is Verdict.SAME:
        # At the very limit, rounding may decide between two words for "within".
        assert verdict(scale) in (Verdict.SAME, Verdict.INCONCLUSIVE)


@settings(deadline=None)
@given(LONG_US, LONG_US, st.floats(0.0001, 0.3))
def test_exchanging_the_sides_exchanges_slower_and_faster(before_us, after_us, spread):
    before = Value(math.log(before_us), 1, 64, None, None, spread)
    after = Value(math.log(after_us), 1, 64, None, None, spread)
    there = judge("id", METRIC, before, after, 0.05, "").verdict
    back = judge("id", METRIC, after, before, 0.05, "").verdict
    if there is Verdict.SLOWER:
        assert back is Verdict.FASTER


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(5, 1000), st.sampled_from(NAMES))
def test_a_planted_20_percent_is_always_found_with_10_quiet_rounds(seed, time_us, name):
    times = dict.fromkeys(NAMES, time_us)
    runner = FakeRunner(times, {name: 1.2}, session_noise=0.005, case_noise=0.005, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        base = baseline_of(Path(folder), runner, rounds=10)
        result = gate_of(Path(folder), runner, base, rounds=10).go()
        alone = gate_of(Path(folder) / "alone", runner, base, base=None, rounds=10).go()
    for found in (result, alone):
        assert {row.id for row in found.rows if row.verdict is Verdict.SLOWER} == {name}
        assert found.exit_code == 1


@pytest.mark.parametrize(("share", "least"), [(0.05, 0.90), (0.10, 0.95)])
def test_what_is_slower_is_found_as_often_as_stated(tmp_path, share, least):
    """On a machine as quiet as a GPU of its own: 0.3% between sessions, 0.3% between processes."""
    names = rf.ids(200)
    found = planted = 0
    for seed in range(4):
        slow = random.Random(seed).sample(names, 20)
        factors = dict.fromkeys(slow, 1 + share)
        runner = FakeRunner(dict.fromkeys(names, 10.0), factors, seed=seed)
        folder = tmp_path / str(seed)
        options = Options(thresholds=Thresholds(fixed=0.03))
        result = gate_of(folder, runner, baseline_of(folder, runner), options=options).go()
        flagged = {row.id for row in result.rows if row.verdict is Verdict.SLOWER}
        assert flagged <= set(slow)
        found, planted = found + len(flagged), planted + len(slow)
    assert found >= least * planted


def test_what_is_flagged_with_nothing_changed_stays_below_the_stated_rate(tmp_path):
    names = rf.ids(200)
    flagged = total = 0
    for seed in range(20):
        times = dict.fromkeys(names, 10.0)
        runner = FakeRunner(times, session_noise=0.008, case_noise=0.008, seed=seed)
        folder = tmp_path / str(seed)
        result = gate_of(folder, runner, baseline_of(folder, runner)).go()
        flagged += sum(row.verdict is Verdict.SLOWER for row in result.rows)
        total += len(result.rows)
    assert total == 4000
    assert flagged <= total * STATED_FALSE_ALARMS
