"""gate.py as a user starts it: every exit code, signals, what is left in its folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
import result_files as rf
from redux_tools.selftest_table import selftest_block

NAMES = rf.ids(4)
TIMES = dict.fromkeys(NAMES, 10.0)
FAKE = rf.ROOT / "tests" / "python" / "fake_bench.py"


@pytest.fixture
def program(tmp_path):
    """Makes an executable that measures what it is told."""

    def make(name, **spec):
        path = tmp_path / name
        (tmp_path / f"{name}.json").write_text(json.dumps({"times": TIMES, **spec}))
        path.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} {path}.json "$@"\n')
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def stored(tmp_path):
    """A baseline of three rounds with a spread of 0.1%."""
    parts = [
        rf.segment([rf.case(n, rf.timing(us, spread_log=0.001)) for n in NAMES], run_id=str(us))
        for us in (9.99, 10.0, 10.01)
    ]
    return rf.write(tmp_path / "stored.jsonl", *parts)


def command(tmp_path, *words):
    config = tmp_path / "demo.json"
    config.write_text("{}")
    return ("--config", config, "-o", tmp_path / "out", "--quiet", *words)


def gate(tmp_path, *words):
    return rf.run_script("gate.py", *command(tmp_path, *words))


@pytest.mark.parametrize(
    ("code", "spec", "words"),
    [
        (0, {}, []),
        (1, {"factors": {NAMES[0]: 1.2}}, []),
        (2, {}, ["--threshold", "nan"]),
        (2, {}, ["--budget", "soon"]),
        (2, {}, ["--rounds", "0"]),
        (2, {}, ["--no-such-option"]),
        (3, {"status": {NAMES[0]: "wrong"}}, []),
        (4, {"status": {NAMES[0]: "error"}}, []),
        (4, {"exit": 77}, []),
        (5, {}, ["--filter", "argmxa"]),
        (5, {"status": dict.fromkeys(NAMES, "error")}, []),
        (7, {"noise": 0.2}, ["--strict"]),
    ],
)
def test_exit_code(tmp_path, program, stored, code, spec, words):
    new, base = program("new", **spec), program("base")
    words = ["--binary", new, "--base-binary", base, "--baseline", stored, *words]
    done = gate(tmp_path, *words)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_no_baseline(tmp_path, program):
    new = program("new")
    done = gate(tmp_path, "--binary", new, "--baseline", tmp_path / "none.jsonl")
    assert done.returncode == 6 and "none.jsonl" in done.stderr
    done = gate(tmp_path, "--binary", new)
    assert done.returncode == 6 and "nvidia-h200/demo.jsonl" in done.stderr
    done = gate(tmp_path, "--binary", new, "--allow-missing-baseline")
    assert done.returncode == 0 and "nothing is compared" in done.stdout


def test_a_base_that_cannot_be_run_is_said_before_anything_is_measured(tmp_path, program, stored):
    new = program("new")
    words = ["--binary", new, "--base-binary", tmp_path / "none", "--baseline", stored]
    done = gate(tmp_path, *words)
    assert done.returncode == 2
    assert f"{tmp_path / 'none'}: cannot be run" in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_base_may_have_a_config_of_its_own(tmp_path, program, stored):
    new, base = program("new", factors={NAMES[0]: 1.2}), program("base")
    old = tmp_path / "old.json"
    words = ["--binary", new, "--base-binary", base, "--base-config", old, "--baseline", stored]
    assert gate(tmp_path, *words).returncode == 1
    lines = (tmp_path / "out" / "log.txt").read_text().splitlines()
    configs = {line.split()[0]: line.split()[2] for line in lines if line.startswith("/")}
    assert configs == {str(new): str(tmp_path / "demo.json"), str(base): str(old)}
    alone = gate(tmp_path, "--binary", new, "--base-config", old, "--baseline", stored)
    assert alone.returncode == 2 and "without --base-binary" in alone.stderr


def test_without_a_base_binary_the_screen_decides_and_says_so(tmp_path, program, stored):
    new = program("new", factors={NAMES[0]: 1.2})
    done = gate(tmp_path, "--binary", new, "--baseline", stored)
    assert done.returncode == 1
    assert "screen alone" in done.stdout


def test_a_confirmed_regression_is_told_in_every_report(tmp_path, program, stored):
    new, base = program("new", factors={NAMES[1]: 1.2}), program("base")
    words = ["--binary", new, "--base-binary", base, "--baseline", stored, "--github"]
    done = gate(tmp_path, *words)
    assert done.returncode == 1
    assert "confirmed" in done.stdout
    assert f"::error title=SLOWER {NAMES[1]} graph/cold::" in done.stdout
    out = tmp_path / "out"
    for name in ("report.md", "report.html", "junit.xml", "annotations.txt", "gate.json"):
        assert NAMES[1] in (out / name).read_text()
    assert len(list((out / "rounds").glob("*.jsonl"))) == 3
    assert len(list((out / "confirm").glob("*/*.jsonl"))) == 8 * 6
    log = (out / "log.txt").read_text()
    assert log.count("exit 0") == 3 + 8 * 6
    # The same words, in the same folder: refused, since it holds another gate's results.
    again = gate(tmp_path, *words)
    assert again.returncode == 2 and "is there already" in again.stderr


def test_a_dry_run_prints_the_plan_and_makes_nothing(tmp_path, program, stored):
    new, base = program("new"), program("base")
    words = ["--binary", new, "--base-binary", base, "--baseline", stored]
    done = gate(tmp_path, *words, "--budget", "5m", "--dry-run")
    assert done.returncode == 0
    for part in ("4 cases", "rounds: 3", str(stored), "8 to 8 blocks of 6", "budget: 5m"):
        assert part in done.stdout
    assert not (tmp_path / "out").exists()
    alone = gate(tmp_path, "--binary", new, "--baseline", stored, "--dry-run")
    assert "screen alone" in alone.stdout


def test_a_budget_ends_a_round_that_takes_too_long(tmp_path, program, stored):
    slow = program("new", sleep=60)
    done = gate(tmp_path, "--binary", slow, "--baseline", stored, "--budget", "2s")
    assert done.returncode == 4
    assert "not one round" in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_in_good_order(tmp_path, program, stored, number, code):
    new, base = program("new", factors={NAMES[0]: 1.2}), program("base", sleep=60)
    words = command(
        tmp_path, "--binary", new, "--base-binary", base, "--baseline", stored, "--budget", "5m"
    )
    process = subprocess.Popen(
        [sys.executable, str(rf.ROOT / "scripts" / "gate.py"), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    out = tmp_path / "out"
    deadline = time.monotonic() + 60
    while not (out / "confirm").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert str(out) in errors and "Traceback" not in errors
    found = json.loads((out / "gate.json").read_text())
    assert found["interrupted"] is True
    assert found["rounds"]["done"] == 3
    assert len(list((out / "rounds").glob("*.jsonl"))) == 3
    # The process that it ran is gone, too.
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert str(tmp_path / "base.json") not in listed


def selftest(tmp_path, *words):
    config = tmp_path / "demo.json"
    config.write_text("{}")
    return rf.run_script("gate.py", "selftest", "-c", config, "-o", tmp_path / "self", *words)


def test_selftest_counts_what_is_found_and_what_is_not_there(tmp_path, program):
    times = dict.fromkeys(rf.ids(20), 20.0) | {"argmax/tiny/float32/1x8": 1.0}
    bench = program("bench", times=times, noise=0.002)
    words = ("--gates", 1, "--planted-gates", 1, "--portion", "20%", "--shares", "5%,20%")
    done = selftest(tmp_path, "--binary", bench, *words, "--most-false-alarms", "1%")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(t) for t in (tmp_path / "self" / "selftest.jsonl").read_text().splitlines()]
    assert lines[0]["type"] == "selftest" and lines[0]["env"]["gpu"]["name"] == "NVIDIA H200"
    gates = [line for line in lines if line["type"] == "gate"]
    assert [line["planted"] for line in gates] == [0, 8]
    summaries = [line for line in lines if line["type"] == "summary"]
    unchanged = summaries[0]
    assert unchanged["what"] == "unchanged" and unchanged["timings"] == 2 * 21 - 8
    assert unchanged["flagged"]["gate"] == 0
    planted = {(s["share"], s["at_least_5_us"]): s for s in summaries[1:]}
    assert sum(s["timings"] for s in planted.values()) == 8
    big = planted[0.2, True]
    assert big["flagged"]["gate"] == big["timings"] > 0
    table = (tmp_path / "self" / "selftest.md").read_text()
    assert "| 20% slower, 5 us and more |" in table and "pooled U test flags" in table
    assert "2 gates at a threshold of 3%" in done.stdout
    # Two self-tests in one file count together.
    both = tmp_path / "both.jsonl"
    both.write_text(2 * (tmp_path / "self" / "selftest.jsonl").read_text())
    block = selftest_block(both)
    assert block.startswith("4 gates over demo on one NVIDIA H200, redux-bench 0.1.0 (abc)")
    assert f"| nothing | {2 * unchanged['timings']} | 0 |" in block
    assert f"| 20% slower, 5 us and more | {2 * big['timings']} | 100% |" in block


def test_selftest_refuses_what_makes_no_sense(tmp_path, program):
    bench = program("bench")
    for words in (
        ["--shares", "x"],
        ["--baseline-rounds", "2"],
        ["--gates", "-1"],
        ["--budget", "soon"],
    ):
        assert selftest(tmp_path, "--binary", bench, *words).returncode == 2
    assert selftest(tmp_path, "--binary", tmp_path / "none").returncode == 2
