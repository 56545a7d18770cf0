"""Times as people write them, budgets, and the lines that say how far a gate is."""

from __future__ import annotations

import io

import pytest
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_progress import Budget, Progress, duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("5m", 300), ("1.5h", 5400), (" 2m ", 120), ("0.5s", 0.5)],
)
def test_durations(text, seconds):
    assert parse_duration("--budget", text) == seconds


@pytest.mark.parametrize(
    "text", ["", "0", "0m", "-5m", "5 minutes", "m", "nan", "inf", "1e3", "5d"]
)
def test_what_is_no_duration(text):
    with pytest.raises(Failure, match="--budget") as caught:
        parse_duration("--budget", text)
    assert caught.value.code is ExitCode.USAGE


def test_durations_are_shown_short():
    assert [duration(s) for s in (0, 42.4, 725, 3723, -3)] == [
        "0:00",
        "0:42",
        "12:05",
        "1:02:03",
        "0:00",
    ]


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_budget_counts_from_its_start():
    clock = Clock()
    clock.now = 100.0
    budget = Budget(60.0, clock)
    clock.now = 130.0
    assert (budget.gone(), budget.left()) == (30.0, 30.0)
    assert budget.allows(30.0) and not budget.allows(31.0)
    without = Budget(None, clock)
    assert without.left() is None and without.allows(1e9)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_a_line_a_step_with_the_time_left():
    clock, stream = Clock(), io.StringIO()
    progress = Progress(Budget(None, clock), stream)
    progress.step("round 1 of 3")
    clock.now = 10.0
    progress.expect(50.0)
    clock.now = 20.0
    progress.tick()
    progress.step("round 2 of 3")
    progress.done()
    assert stream.getvalue() == (
        "gate: round 1 of 3; 0:00 gone\ngate: round 2 of 3; 0:20 gone, about 0:40 left\n"
    )


def test_on_a_terminal_one_line_is_rewritten_and_taken_away():
    clock, stream = Clock(), Terminal()
    progress = Progress(Budget(None, clock), stream)
    progress.step("round 1 of 3")
    clock.now = 1.0
    progress.tick()
    progress.done()
    text = stream.getvalue()
    assert "\n" not in text
    assert text.endswith("\r\x1b[K")
    assert text.count("round 1 of 3") == 2


def test_quiet_says_nothing():
    stream = Terminal()
    progress = Progress(Budget(None, Clock()), stream, quiet=True)
    progress.step("round")
    progress.tick()
    progress.done()
    assert stream.getvalue() == ""
