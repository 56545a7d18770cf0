"""The gate on simulated machines: what is confirmed, what is not, and what a budget does."""

from __future__ import annotations

import json
import math

import pytest
import result_files as rf
from fake_gate import BASE, NEW, FakeRunner, baseline_of, gate_of
from redux_tools.comparison import Options
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_bench import MAX_FILTER, Interrupted, Outcome, exact_filter
from redux_tools.gate_confirm import Side, block_order
from redux_tools.gate_report import gate_json, write_artefacts
from redux_tools.verdict import Verdict

NAMES = rf.ids(30)
TIMES = {name: 10.0 + index for index, name in enumerate(NAMES)}


def verdicts(result):
    return {row.id: row.verdict for row in result.rows}


def test_a_planted_20_percent_is_confirmed_and_nothing_else(tmp_path):
    slow = dict.fromkeys(NAMES[:3], 1.2)
    runner = FakeRunner(TIMES, slow)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner))
    result = gate.go()
    assert result.exit_code is ExitCode.REGRESSION
    found = {name for name, verdict in verdicts(result).items() if verdict is Verdict.SLOWER}
    assert found == set(slow)
    row = next(row for row in result.rows if row.id == NAMES[0])
    assert row.confirmation.blocks == 8
    assert row.confirmation.p_value == pytest.approx(2**-8)
    assert math.exp(row.confirmation.estimate) == pytest.approx(1.2, rel=0.01)
    assert "confirmed" in row.reason and NAMES[0] in row.repro
    assert gate.run.control.flagged == ()


@pytest.mark.parametrize("seed", range(20))
def test_nothing_changed_is_nothing_flagged(tmp_path, seed):
    runner = FakeRunner(TIMES, session_noise=0.008, case_noise=0.008, seed=seed)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner))
    result = gate.go()
    assert result.exit_code is ExitCode.OK
    assert Verdict.SLOWER not in verdicts(result).values()


def test_a_session_that_was_slow_as_a_whole_is_cleared(tmp_path):
    """The screen's rounds were all taken in a bad hour; the confirmation was not."""

    def special(path, case_id):
        return 1.10 if path.parent.name == "rounds" else None

    runner = FakeRunner(TIMES, special=special)
    baseline = baseline_of(tmp_path, runner)
    alone = gate_of(tmp_path / "alone", runner, baseline, base=None).go()
    assert alone.exit_code is ExitCode.REGRESSION
    assert not alone.confirmed
    gate = gate_of(tmp_path / "confirmed", runner, baseline)
    result = gate.go()
    assert result.exit_code is ExitCode.OK
    assert set(verdicts(result).values()) == {Verdict.SAME}
    assert gate.run.candidates == gate.run.confirmed == len(NAMES)
    assert gate.run.blocks_needed == 10  # ceil(log2(30 / 0.05))
    assert all("not confirmed" in row.reason for row in result.rows)


def test_only_candidates_are_measured_again(tmp_path):
    runner = FakeRunner(TIMES, {NAMES[4]: 1.3})
    gate_of(tmp_path, runner, baseline_of(tmp_path, runner)).go()
    assert runner.ran[:3] == [(NEW.binary, 30)] * 3
    again = runner.ran[3:]
    assert len(again) == 8 * 6
    assert {count for _, count in again} == {1}
    assert [binary for binary, _ in again].count(NEW.binary) == 8 * 2


def test_blocks_are_mirrored_and_every_side_comes_first():
    for index in range(9):
        order = block_order(index)
        assert order == order[::-1]
        assert sorted(side.value for side in order) == sorted(2 * [s.value for s in Side])
    assert {block_order(index)[0] for index in range(3)} == set(Side)


def test_drift_through_the_blocks_adds_nothing(tmp_path):
    runner = FakeRunner(TIMES, session_noise=0.0, case_noise=0.001)

    def special(path, case_id):
        if path.parent.name == "rounds":
            return 1.2
        return 1 + 0.002 * len(runner.ran)  # 0.2% slower with every process

    runner.special = special
    result = gate_of(tmp_path, runner, baseline_of(tmp_path, runner)).go()
    assert set(verdicts(result).values()) == {Verdict.SAME}
    assert all(abs(row.confirmation.estimate) < 0.002 for row in result.rows)


def test_a_control_that_is_flagged_takes_the_verdicts_with_it(tmp_path):
    def special(path, case_id):
        return 1.2 if "control" in path.name and case_id == NAMES[1] else None

    runner = FakeRunner(TIMES, {NAMES[0]: 1.2, NAMES[1]: 1.2}, special=special)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner))
    result = gate.go()
    assert gate.run.control.flagged == (f"{NAMES[1]} graph/cold",)
    assert verdicts(result)[NAMES[0]] is Verdict.INCONCLUSIVE
    assert "the base against itself was flagged" in result.rows[0].reason
    assert any("control" in warning for warning in result.warnings)
    assert result.exit_code is ExitCode.OK


def test_under_strict_a_flagged_control_is_inconclusive(tmp_path):
    def special(path, case_id):
        return 1.2 if "control" in path.name else None

    runner = FakeRunner(TIMES, {NAMES[0]: 1.2}, special=special)
    baseline = baseline_of(tmp_path, runner)
    gate = gate_of(tmp_path, runner, baseline, options=Options(strict=True))
    assert gate.go().exit_code is ExitCode.INCONCLUSIVE


def test_without_a_stored_baseline_the_base_is_measured_in_turn(tmp_path):
    runner = FakeRunner(TIMES, {NAMES[0]: 1.2})
    gate = gate_of(tmp_path, runner, None)
    result = gate.go()
    assert [binary for binary, _ in runner.ran[:6]] == [NEW.binary, BASE.binary] * 3
    assert verdicts(result)[NAMES[0]] is Verdict.SLOWER
    assert result.exit_code is ExitCode.REGRESSION


def test_what_is_wrong_when_measured_again_is_wrong(tmp_path):
    def special(path, case_id):
        if path.parent.name == "block-03" and "new" in path.name and case_id == NAMES[0]:
            return "wrong"
        return None

    runner = FakeRunner(TIMES, {NAMES[0]: 1.2, NAMES[1]: 1.2}, special=special)
    result = gate_of(tmp_path, runner, baseline_of(tmp_path, runner)).go()
    assert result.exit_code is ExitCode.WRONG_RESULT
    assert verdicts(result)[NAMES[0]] is Verdict.WRONG
    assert verdicts(result)[NAMES[1]] is Verdict.SLOWER


def test_a_candidate_that_fails_when_measured_again_is_inconclusive(tmp_path):
    def special(path, case_id):
        return "error" if path.parent.name == "block-03" and case_id == NAMES[0] else None

    runner = FakeRunner(TIMES, {NAMES[0]: 1.2}, special=special)
    result = gate_of(tmp_path, runner, baseline_of(tmp_path, runner)).go()
    assert verdicts(result)[NAMES[0]] is Verdict.INCONCLUSIVE
    assert "in 7 of 8 blocks" in next(r for r in result.rows if r.id == NAMES[0]).reason


def test_a_candidate_that_the_base_does_not_know_is_inconclusive(tmp_path):
    runner = FakeRunner(TIMES, {NAMES[0]: 1.2})
    baseline = baseline_of(tmp_path, runner)

    def outcome(path):
        known = "new" in path.name or path.parent.name == "rounds"
        return None if known else Outcome(5, 0.1, said="no case matches")

    runner.outcome = outcome
    result = gate_of(tmp_path, runner, baseline).go()
    assert verdicts(result)[NAMES[0]] is Verdict.INCONCLUSIVE
    assert result.exit_code is ExitCode.OK


def test_a_budget_too_short_for_any_confirmation(tmp_path):
    runner = FakeRunner(TIMES, {NAMES[0]: 1.2, NAMES[1]: 1.3})
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner), budget=15.0)
    result = gate.go()
    assert runner.clock <= 15.0
    assert gate.run.rounds_done == 3
    assert result.exit_code is ExitCode.OK
    for name in NAMES[:2]:
        row = next(row for row in result.rows if row.id == name)
        assert row.verdict is Verdict.INCONCLUSIVE
        assert "budget" in row.reason or "blocks" in row.reason


def test_a_budget_for_some_keeps_the_worst(tmp_path):
    slow = {name: 1.2 + 0.01 * index for index, name in enumerate(NAMES)}
    runner = FakeRunner(TIMES, slow, start_seconds=0.1, case_seconds=1.0)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner), budget=700.0)
    result = gate.go()
    assert runner.clock <= 700.0
    by_verdict = verdicts(result)
    found = [name for name in NAMES if by_verdict[name] is Verdict.SLOWER]
    assert 3 <= len(found) < len(NAMES)
    assert found == NAMES[-len(found) :]
    assert all(by_verdict[name] is Verdict.INCONCLUSIVE for name in NAMES[: -len(found)])
    assert result.exit_code is ExitCode.REGRESSION
    assert any("inconclusive" in notice for notice in result.notices)


def test_a_budget_too_short_for_all_rounds_says_so(tmp_path):
    runner = FakeRunner(TIMES)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner), budget=9.0)
    result = gate.go()
    assert gate.run.rounds_done == 2
    assert any("2 of 3 rounds" in warning for warning in result.warnings)


def test_a_budget_too_short_for_one_round_is_not_measured(tmp_path):
    runner = FakeRunner(TIMES)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner), budget=2.0)
    with pytest.raises(Failure) as caught:
        gate.go()
    assert caught.value.code is ExitCode.NOT_MEASURED


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (2, ExitCode.USAGE),
        (5, ExitCode.NOTHING_COMPARABLE),
        (6, ExitCode.ENVIRONMENT),
        (1, ExitCode.NOT_MEASURED),
        (-11, ExitCode.NOT_MEASURED),
    ],
)
def test_a_bench_that_ends_badly_ends_the_gate_with_its_words(tmp_path, code, expected):
    runner = FakeRunner(TIMES)
    baseline = baseline_of(tmp_path, runner)
    runner.outcome = lambda path: Outcome(code, 0.1, said="its own words")
    with pytest.raises(Failure, match="its own words") as caught:
        gate_of(tmp_path, runner, baseline).go()
    assert caught.value.code is expected


def test_an_interruption_keeps_what_is_there(tmp_path):
    runner = FakeRunner(TIMES, {NAMES[0]: 1.2})
    baseline = baseline_of(tmp_path, runner)

    def outcome(path):
        if path.parent.name == "block-02":
            raise Interrupted(2)

    runner.outcome = outcome
    gate = gate_of(tmp_path, runner, baseline)
    with pytest.raises(Interrupted):
        gate.go()
    write_artefacts(gate.run, 3.0, True)
    found = json.loads((tmp_path / "gate.json").read_text())
    assert found["interrupted"] is True
    assert found["confirmation"]["blocks"] == {"planned": 8, "done": 1}
    rows = {row["id"]: row for row in found["comparison"]["rows"]}
    assert rows[NAMES[0]]["verdict"] == "INCONCLUSIVE"
    assert "1 of 8 blocks" in rows[NAMES[0]]["reason"]
    assert len(list((tmp_path / "rounds").glob("*.jsonl"))) == 3
    assert (tmp_path / "junit.xml").exists()


def test_the_artefacts_say_how_the_verdict_came_about(tmp_path):
    runner = FakeRunner(TIMES, {NAMES[0]: 1.2})
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner))
    gate.go()
    found = gate_json(gate.run, 12.34, False)
    json.dumps(found, allow_nan=False)
    assert found["rounds"] == {"planned": 3, "done": 3}
    assert found["confirmation"]["control"] == {"tested": 1, "flagged": []}
    (row,) = [row for row in found["comparison"]["rows"] if row["id"] == NAMES[0]]
    low, high = row["confirmation"]["interval_90"]
    assert low < 0.2 < high
    assert row["confirmation"]["blocks"] == 8


def test_more_candidates_than_can_be_named_leave_the_least_inconclusive(tmp_path):
    names = [f"argmax/{'v' * 300}/float32/1x{1000 + i}" for i in range(250)]
    slow = {name: 1.2 + 0.01 * index for index, name in enumerate(names)}
    runner = FakeRunner(dict.fromkeys(names, 10.0), slow)
    gate = gate_of(tmp_path, runner, baseline_of(tmp_path, runner))
    by_verdict = verdicts(gate.go())
    told = [name for name in names if by_verdict[name] is Verdict.SLOWER]
    assert 150 < len(told) < 250
    assert told == names[-len(told) :]
    assert len(exact_filter(told)) <= MAX_FILTER
    assert gate.run.candidates == 250


def test_exact_filters_match_their_ids_alone():
    pattern = exact_filter(["a/b.c", "x|y(1)"])
    assert pattern == "^(?:a/b\\.c|x\\|y\\(1\\))$"
    with pytest.raises(Failure, match="too many"):
        exact_filter(["x" * 100] * 1000)
