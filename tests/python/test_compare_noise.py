"""Noise and the size of a change: when a difference is a regression and when it is not."""

from __future__ import annotations

import math
import random

import pytest
import result_files as rf
from redux_tools.comparison import Options, compare
from redux_tools.results import Metric, read_results
from redux_tools.rounds import Value
from redux_tools.stats import MIN_SAMPLES_FOR_SPREAD, spread_of_rounds, spread_within_run
from redux_tools.verdict import Verdict, judge

METRIC = Metric("graph", "cold")
# What scripts/README.md promises for a spread between sessions of up to 0.8%.
DOCUMENTED_FALSE_ALARMS = 1 / 1000


def value(us, kept=None, within=0.002, calls=64.0):
    return Value(math.log(us), 1, calls, kept, None, within)


def verdict(before, now, threshold=0.05):
    return judge("id", METRIC, before, now, threshold, "").verdict


@pytest.mark.parametrize("noise", [0.02, 0.05])
def test_b01_same_binary_with_jitter_is_no_regression(tmp_path, noise):
    rng = random.Random(1)
    jitter = [1 + rng.uniform(-0.03, 0.03) for _ in range(400)]
    names = rf.ids(200)
    sides = []
    for side in range(2):
        cases = [
            rf.case(name, rf.timing(10 * jitter[2 * i + side], noise))
            for i, name in enumerate(names)
        ]
        sides.append(rf.write(tmp_path / f"{side}.jsonl", rf.segment(cases)))
    done = rf.compare(*sides)
    assert done.returncode == 0, done.stdout
    assert "SLOWER" not in done.stdout


def test_b01_false_alarms_of_100_self_comparisons_stay_below_the_documented_rate(tmp_path):
    rng = random.Random(2)
    names = rf.ids(200)
    flagged = 0
    for _ in range(100):
        sides = []
        for side in range(2):
            cases = [
                rf.case(name, rf.timing(10 * math.exp(rng.gauss(0, 0.008)), 0.004))
                for name in names
            ]
            path = rf.write(tmp_path / f"{side}.jsonl", rf.segment(cases))
            sides.append(read_results(str(path)))
        counts = compare(sides[0], sides[1], Options()).counts()
        flagged += counts.get(Verdict.SLOWER, 0)
    assert flagged <= 100 * 200 * DOCUMENTED_FALSE_ALARMS


def test_b01_a_real_slowdown_is_found_in_the_same_simulation(tmp_path):
    rng = random.Random(3)
    names = rf.ids(200)

    def side(name, factor):
        cases = [
            rf.case(n, rf.timing(10 * factor * math.exp(rng.gauss(0, 0.008)), 0.004)) for n in names
        ]
        return read_results(str(rf.write(tmp_path / name, rf.segment(cases))))

    result = compare(side("a", 1.0), side("b", 1.10), Options())
    assert result.counts()[Verdict.SLOWER] >= 190


@pytest.mark.parametrize("unknown", ["both", "baseline", "current"])
def test_b02_unknown_noise_is_inconclusive(tmp_path, unknown):
    before = rf.timing(19612.0, None if unknown != "current" else 0.01)
    now = rf.timing(19131.0, None if unknown != "baseline" else 0.01)
    base = rf.write(tmp_path / "b", rf.segment([rf.case("argmax/cub/float32/1x9", before)]))
    current = rf.write(tmp_path / "c", rf.segment([rf.case("argmax/cub/float32/1x9", now)]))
    done = rf.compare(base, current)
    assert done.returncode == 0
    assert "1 INCONCLUSIVE" in done.stdout
    assert "SAME" not in done.stdout
    assert rf.compare(base, current, "--strict").returncode == 7


@pytest.mark.parametrize(
    ("noise", "word", "code"), [(0.10, "INCONCLUSIVE", 0), (0.005, "SLOWER", 1)]
)
def test_b21_a_threshold_under_the_noise_is_inconclusive(tmp_path, noise, word, code):
    names = rf.ids(1)
    base = rf.write(tmp_path / "b", rf.segment([rf.case(names[0], rf.timing(100.0, noise))]))
    now = rf.write(tmp_path / "c", rf.segment([rf.case(names[0], rf.timing(106.0, noise))]))
    done = rf.compare(base, now, "--threshold", "3%")
    assert done.returncode == code
    assert f"1 {word}" in done.stdout


@pytest.mark.parametrize(
    ("before", "now", "word"), [(1.8, 2.2, "SLOWER"), (0.0018, 0.0022, "SAME")]
)
def test_b16_fractions_of_a_nanosecond_are_kept(tmp_path, before, now, word):
    name = rf.ids(1)[0]
    base = rf.write(tmp_path / "b", rf.segment([rf.case(name, rf.timing(before))]))
    current = rf.write(tmp_path / "c", rf.segment([rf.case(name, rf.timing(now))]))
    done = rf.compare(base, current)
    assert "+22.2%" in done.stdout
    # 0.4 ns more is 22% as well, but far below what a launch can be told apart by.
    assert f"1 {word}" in done.stdout
    assert ("below the floor of 0.15 us" in done.stdout) == (word == "SAME")


@pytest.mark.parametrize(
    ("now", "word"),
    [
        (105.1, Verdict.SLOWER),
        (104.9, Verdict.INCONCLUSIVE),
        (104.0, Verdict.SAME),
        (100.0, Verdict.SAME),
        (94.0, Verdict.FASTER),
    ],
)
def test_verdicts_around_the_threshold(now, word):
    assert verdict(value(100.0), value(now)) is word


def test_between_screen_and_threshold_the_reason_says_so():
    row = judge("id", METRIC, value(100.0), value(104.0), 0.05, "")
    assert "above the screen, below the threshold" in row.reason


def test_spread_kept_with_the_baseline_goes_before_the_samples():
    assert verdict(value(100.0, kept=0.001, within=0.2), value(110.0, within=0.2)) is Verdict.SLOWER
    assert verdict(value(100.0, kept=0.05), value(110.0)) is Verdict.INCONCLUSIVE


def test_rounds_give_the_spread_and_their_median_the_time(tmp_path):
    name = rf.ids(1)[0]

    def rounds(file, medians):
        parts = [
            rf.segment([rf.case(name, rf.timing(us, None))], run_id=f"r{i}")
            for i, us in enumerate(medians)
        ]
        return read_results(str(rf.write(tmp_path / file, *parts)))

    result = compare(
        rounds("b", [100.0, 100.2, 99.8]), rounds("c", [110.0, 500.0, 110.1]), Options()
    )
    (row,) = result.rows
    assert row.verdict is Verdict.SLOWER
    assert row.baseline_us == pytest.approx(100.0)
    assert row.current_us == pytest.approx(110.1)


def test_spread_estimates():
    logs = [math.exp(x) for x in (0.0, 0.01, 0.02)]
    assert spread_of_rounds(logs) == pytest.approx(0.01 * 1.4826, rel=1e-4)
    assert spread_of_rounds(logs[:2]) is None
    assert spread_within_run(100.0, 1.0, None, 40) == pytest.approx(0.014826)
    assert spread_within_run(100.0, 0.0, (90.4, 110.0), 40) == pytest.approx(0.05)
    assert spread_within_run(100.0, None, None, 40) is None
    assert spread_within_run(100.0, 1.0, None, MIN_SAMPLES_FOR_SPREAD - 1) is None


@pytest.mark.parametrize(
    ("before_us", "before_calls", "now_us", "now_calls", "word"),
    [
        (10.0, 64, 10.0, 60, Verdict.SAME),
        (3.0, 64, 30.0, 7, Verdict.SLOWER),  # calibrated: a batch lasts as long as before
        (60.0, 4, 500.0, 1, Verdict.SLOWER),  # one call is already longer than a batch has to be
        (3.0, 1, 3.0, 64, Verdict.INCOMPARABLE),
        (3.0, 64, 3.0, 1, Verdict.INCOMPARABLE),
    ],
)
def test_calls_per_sample(before_us, before_calls, now_us, now_calls, word):
    before, now = value(before_us, calls=before_calls), value(now_us, calls=now_calls)
    assert verdict(before, now) is word


@pytest.mark.parametrize(("slower", "code"), [(1.9, 0), (2.2, 1)])
def test_a_config_may_ask_for_a_threshold_of_100_percent(tmp_path, slower, code):
    name = rf.ids(1, "host_serial")[0]
    gate = {"threshold": 0.05, "overrides": [{"match": "/host_", "threshold": 1.0}]}
    config = {"name": "demo", "sha256": "00", "gate": gate}
    timings = [rf.timing(10.0, mode="stream"), rf.timing(10.0 * slower, mode="stream")]
    files = [
        rf.write(tmp_path / run, rf.segment([rf.case(name, timing)], run_id=run, config=config))
        for run, timing in zip(("base", "now"), timings, strict=True)
    ]
    assert rf.compare(*files).returncode == code


@pytest.mark.parametrize("share", ["5%", 0, -1, True, None])
def test_a_header_threshold_that_is_no_share_is_a_file_error(tmp_path, share):
    config = {"name": "demo", "sha256": "00", "gate": {"threshold": share, "overrides": []}}
    now = rf.write(tmp_path / "now", rf.segment([rf.case(rf.ids(1)[0])], config=config))
    done = rf.compare(now, now)
    assert done.returncode == 2
    assert "config.gate threshold" in done.stderr
