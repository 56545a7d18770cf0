"""The simpler gates that the self-test is held against: what they flag, and why that is wrong."""

from __future__ import annotations

import random

import result_files as rf
from fake_gate import FakeRunner, baseline_of, gate_of
from redux_tools import rivals
from redux_tools.results import METRICS, merged, read_results
from redux_tools.verdict import Verdict

METRIC = METRICS["graph", "cold"]
NAMES = rf.ids(100)


def test_a_median_ratio_by_hand():
    before = {("a", METRIC): [10.0, 11.0, 12.0], ("b", METRIC): [10.0], ("only", METRIC): [1.0]}
    after = {("a", METRIC): [11.5, 11.6, 11.7], ("b", METRIC): [10.4]}
    assert rivals.median_ratio(before, after, 0.05) == {("a", METRIC)}
    assert rivals.median_ratio(before, after, 0.03) == {("a", METRIC), ("b", METRIC)}


def test_a_pooled_u_test_flags_any_shift_of_many_samples():
    rng = random.Random(1)
    quiet = {("a", METRIC): [rng.gauss(10, 0.01) for _ in range(100)]}
    shifted = {("a", METRIC): [rng.gauss(10.01, 0.01) for _ in range(100)]}
    assert rivals.pooled_u_test(quiet, shifted) == {("a", METRIC)}
    assert rivals.pooled_u_test(shifted, quiet) == set()


def test_samples_are_pooled_over_rounds_and_wrong_cases_left_out(tmp_path):
    parts = [
        rf.segment(
            [
                rf.case("a/b/c/1x1", rf.timing(10.0, samples_us=[10.0 + index])),
                rf.case("a/b/c/2x2", rf.timing(10.0, samples_us=[1.0]), status="wrong"),
            ],
            run_id=f"r{index}",
        )
        for index in range(3)
    ]
    file = read_results(str(rf.write(tmp_path / "r", *parts)), whole=True)
    assert rivals.pooled_samples(file) == {("a/b/c/1x1", METRIC): [10.0, 11.0, 12.0]}


def test_where_nothing_changed_the_pooled_test_cries_wolf_and_the_gate_does_not(tmp_path):
    pooled = total = 0
    for seed in range(4):
        noise = {"session_noise": 0.008, "case_noise": 0.008, "seed": seed}
        runner = FakeRunner(dict.fromkeys(NAMES, 10.0), **noise)
        folder = tmp_path / str(seed)
        baseline_of(folder, runner)
        before = read_results(str(folder / "baseline.jsonl"), whole=True)
        result = gate_of(folder, runner, before).go()
        paths = sorted((folder / "rounds").glob("current-*.jsonl"))
        after = merged("rounds", [read_results(str(path), whole=True) for path in paths])
        pooled += len(rivals.verdicts(before, after, 0.05)[rivals.POOLED_U])
        total += len(result.rows)
        assert not any(row.verdict is Verdict.SLOWER for row in result.rows)
    assert pooled > total / 10
