"""What profile.py starts is ended with all that it started, and what was recorded is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import result_files as rf
from fake_profiler import IDS, maker
from redux_tools import profile_process
from redux_tools.profile_command import Plan
from redux_tools.profile_run import run_profile


@pytest.fixture
def program(tmp_path):
    return maker(tmp_path)


def plan_of(tmp_path, program, **spec):
    bench = program("target", "fake-bench", **spec.pop("target", {}))
    tool = program("ncu", "fake-ncu", **spec)
    return Plan("ncu", str(tool), str(bench), ("-c", "a"), tuple(IDS), tmp_path / "out")


def gone(pid):
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_N11_a_target_that_hangs_is_ended_and_the_report_kept(tmp_path, program):
    plan = plan_of(tmp_path, program, target={"hang": True})
    found = run_profile(plan, seconds=3, grace=10)
    assert found.exit_code == 4 and "timed out after capture" in found.faults[0][1]
    assert len(found.kernels) == 4 and plan.report.exists()


def test_a_tool_that_hangs_is_ended_with_all_that_it_started(tmp_path, program):
    pid_file = tmp_path / "pids"
    plan = plan_of(tmp_path, program, hang="child", pid_file=str(pid_file))
    found = run_profile(plan, seconds=3, grace=1)
    assert found.exit_code == 4 and "timed out after capture" in found.faults[0][1]
    assert all(gone(pid) for pid in pid_file.read_text().split())


def test_a_tool_that_hangs_before_it_wrote_anything(tmp_path, program):
    pid_file = tmp_path / "pids"
    plan = plan_of(tmp_path, program, hang="child", pid_file=str(pid_file), record=False)
    found = run_profile(plan, seconds=3, grace=1)
    assert found.exit_code == 4 and "before anything was captured" in found.faults[0][1]


def test_what_a_tool_leaves_running_is_ended(tmp_path):
    code = (
        "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid)"
    )
    command = [sys.executable, "-c", code]
    ended = profile_process.run_tree(command, tmp_path / "log", 60, "none", grace=1)
    assert ended.code == 0 and not ended.timed_out
    assert gone(int(ended.said))


def test_an_interrupted_run_leaves_nothing_running(tmp_path, program):
    pid_file = tmp_path / "pids"
    bench = program("target", "fake-bench")
    tool = program("ncu", "fake-ncu", hang="child", pid_file=str(pid_file))
    words = ["--binary", bench, "-c", "a", "--tool-path", tool, "-o", tmp_path / "out"]
    process = subprocess.Popen(
        [sys.executable, str(rf.ROOT / "scripts" / "profile.py"), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    deadline = time.monotonic() + 60
    while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert all(gone(pid) for pid in pid_file.read_text().split())
