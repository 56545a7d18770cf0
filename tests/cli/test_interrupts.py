"""Signals: what was measured is never lost."""

import signal

import pytest
from conftest import cases_of, read_results, stop, wait_for_cases

SLOW = [[rows, 8] for rows in range(1, 21)]


def start(hooks, *words):
    name = hooks.config(variants=["hook_slow"], shapes=SLOW)
    return hooks.start("-c", name, "--verify-only", "-o", "out.jsonl", *words)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_R01_the_first_signal_finishes_the_case_and_the_file(hooks, number, code):
    process = start(hooks, "--csv", "out.csv")
    out = hooks.folder / "out.jsonl"
    wait_for_cases(out, 5)
    returncode, error = stop(process, number)
    assert returncode == code, error
    lines = read_results(out)
    cases = cases_of(lines)
    assert 5 <= len(cases) < 20
    assert all(case["status"] == "ok" for case in cases)
    assert lines[-1]["type"] == "end" and lines[-1]["complete"] is False
    assert lines[-1]["counts"]["ok"] == len(cases)
    assert (hooks.folder / "out.csv").read_bytes().count(b"\r\n") == 1 + len(cases)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_R01_a_second_signal_ends_at_once_with_a_valid_file(hooks, number):
    process = start(hooks)
    out = hooks.folder / "out.jsonl"
    wait_for_cases(out, 2)
    returncode, _ = stop(process, number, number, pause=0.002)
    assert returncode == 128 + number
    lines = read_results(out)
    assert 2 <= len(cases_of(lines)) < 20
    assert lines[-1]["type"] == "end" and lines[-1]["complete"] is False
    assert lines[-1]["counts"]["ok"] == len(cases_of(lines))


def test_R01_an_interrupted_rerun_replaces_the_earlier_file(hooks):
    out = hooks.folder / "out.jsonl"
    name = hooks.config()
    assert hooks("-c", name, "--verify-only", "-o", "out.jsonl").returncode == 0
    earlier = read_results(out)[0]["run_id"]
    process = start(hooks)
    partial = None
    while partial is None:
        partial = next(iter(hooks.folder.glob("out.jsonl.partial-*")), None)
    wait_for_cases(partial, 2)
    assert read_results(out)[0]["run_id"] == earlier
    returncode, _ = stop(process, signal.SIGINT)
    assert returncode == 130
    lines = read_results(out)
    assert lines[0]["run_id"] != earlier and lines[-1]["complete"] is False
    assert list(hooks.folder.glob("*.partial-*")) == []


def test_R13_a_killed_rerun_leaves_the_earlier_file_whole(hooks):
    out = hooks.folder / "out.jsonl"
    assert hooks("-c", hooks.config(), "--verify-only", "-o", "out.jsonl").returncode == 0
    before = out.read_bytes()
    process = start(hooks)
    partial = None
    while partial is None:
        partial = next(iter(hooks.folder.glob("out.jsonl.partial-*")), None)
    wait_for_cases(partial, 3)
    stop(process, signal.SIGKILL)
    assert out.read_bytes() == before
    kept = read_results(partial)  # and what the killed run had is beside it
    assert len(cases_of(kept)) >= 3 and kept[-1]["type"] != "end"


def test_R13_a_killed_first_run_is_marked_incomplete(hooks):
    process = start(hooks)
    out = hooks.folder / "out.jsonl"
    wait_for_cases(out, 3)
    stop(process, signal.SIGKILL)
    lines = read_results(out)
    assert lines[0]["type"] == "run" and lines[0]["run_id"] and lines[0]["started"]
    assert all(line["type"] == "case" for line in lines[1:])
