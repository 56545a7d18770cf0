"""The self-test's order of gates in a time budget, on a bench without processes."""

from __future__ import annotations

import io
import json

import fake_gate
import pytest
import result_files as rf
from redux_tools.comparison import Options
from redux_tools.gate_progress import Budget, Progress
from redux_tools.selftest import SelfTest, Settings
from redux_tools.thresholds import Thresholds

TIMES = dict.fromkeys(rf.ids(40), 20.0)


def gates(folder, budget, **counts):
    """The `gate` lines of a self-test, and the seconds that it took on the runner's clock."""
    runner = fake_gate.FakeRunner(TIMES, session_noise=0.001, case_noise=0.001)
    settings = Settings(
        bench=fake_gate.BASE,
        folder=folder,
        rounds=3,
        baseline_rounds=3,
        shares=(0.2,),
        portion=0.1,
        seed=1,
        options=Options(thresholds=Thresholds(fixed=0.03)),
        threshold=0.03,
        **counts,
    )
    spent = Budget(budget, now=lambda: runner.clock)
    test = SelfTest(settings, runner, Progress(spent, quiet=True), spent)
    out = io.StringIO()
    test.go(out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return [line for line in lines if line["type"] == "gate"], runner.clock


def test_the_two_kinds_of_gates_take_turns(tmp_path):
    done, _ = gates(tmp_path, None, gates=2, planted_gates=2)
    assert [line["planted"] > 0 for line in done] == [False, True, False, True]
    assert all(line["candidates"] >= 4 for line in done if line["planted"])


@pytest.mark.parametrize("budget", [40.0, 100.0, 250.0])
def test_a_budget_begins_no_gate_that_would_not_end(tmp_path, budget):
    """A round takes 5 s, a gate with nothing changed 15 s, one that confirms 4 cases 82 s."""
    done, seconds = gates(tmp_path, budget, gates=20, planted_gates=20)
    assert seconds <= budget
    assert 1 <= len(done) < 40
    assert any(line["planted"] for line in done) == (budget > 150)
    assert seconds > budget - 20  # what no slow gate fits into, quick ones use
