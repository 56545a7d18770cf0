"""Every exit code of compare.py as a user's shell sees it, and its speed on many cases."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import result_files as rf

NAMES = rf.ids(4)
SAME = [rf.case(name) for name in NAMES]
SLOW = [rf.case(NAMES[0], rf.timing(20.0)), *SAME[1:]]
UNKNOWN = [rf.case(NAMES[0], rf.timing(10.0, None)), *SAME[1:]]
OTHER = {**rf.ENVIRONMENT, "gpu": {"name": "NVIDIA A100-SXM4-80GB"}}


@pytest.mark.parametrize(
    ("code", "cases", "options", "head"),
    [
        (0, SAME, [], {}),
        (1, SLOW, [], {}),
        (2, SAME, ["--threshold", "nan"], {}),
        (2, SAME, ["--no-such-option"], {}),
        (3, [rf.case(NAMES[0], status="wrong"), *SLOW[1:]], [], {}),
        (4, SAME[1:], [], {}),
        (5, SAME, ["--filter", "argmxa"], {}),
        (6, SAME, [], {"env": OTHER}),
        (7, UNKNOWN, ["--strict"], {}),
    ],
)
def test_exit_code(tmp_path, code, cases, options, head):
    base = rf.write(tmp_path / "b", rf.segment(SAME))
    now = rf.write(tmp_path / "c", rf.segment(cases, run_id="r2", **head))
    done = rf.run_script("compare.py", base, now, *options)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_memory_and_time_on_many_cases(tmp_path):
    """A tenth of what compare_speed.py measures by default; its limits there are 10 s and 1 GiB."""
    script = rf.ROOT / "tests" / "python" / "compare_speed.py"
    done = subprocess.run(
        [sys.executable, str(script), "--cases", "10000", "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["cases"] == 10_000
    assert found["peak_mib"] < 300
    print(done.stdout)
