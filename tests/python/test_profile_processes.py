"""profile.py as a user starts it, with tools and a redux-bench that do as they are told."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
import result_files as rf
from fake_profiler import IDS, maker
from nsys_base import Base
from test_profile_readers import AUTO, CUB, RAW, THREAD

NO_PERMISSION = (
    "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
    "Performance Counters on the target device 0. For instructions on enabling permissions see "
    "https://developer.nvidia.com/ERR_NVGPUCTRPERM"
)
TOO_OLD = (
    "==ERROR== Profiling is not supported on device 0. To find out supported GPUs refer "
    "--list-chips option."
)
OTHER = "Ensure that no other tool (like DCGM) is concurrently collecting profiling data."
NOTHING = "==WARNING== No kernels were profiled."


@pytest.fixture
def program(tmp_path):
    return maker(tmp_path)


@pytest.fixture
def profile(tmp_path, program):
    """Runs profile.py with a fake redux-bench, and the tool that is given."""

    def run(*words, tool="ncu", target=None, **spec):
        bench = program("target", "fake-bench", **(target or {}))
        program(tool, f"fake-{tool}", **spec)
        given = ["--tool", tool, "--binary", bench, "--config", tmp_path / "a.json"]
        given += ["--tool-path", tmp_path / "bin" / f"fake-{tool}", "-o", tmp_path / "out"]
        return rf.run_script("profile.py", *given, *words)

    return run


@pytest.fixture
def exported(tmp_path):
    """What nsys exports of the three cases."""
    base = Base(tmp_path / "exported.sqlite")
    for index, case_id in enumerate(IDS):
        base.range(case_id, 1000 * index, 1000 * index + 900)
        base.range("timed", 1000 * index + 100, 1000 * index + 800)
        base.kernel(f"kernel_{index}", 1000 * index + 200, 5000 + index, 2000 + index)
    return str(base.done())


def test_a_table_of_three_variants_from_one_command(tmp_path, profile):
    out = tmp_path / "p.json", tmp_path / "p.md"
    done = profile("--json", out[0], "--markdown", out[1], "--launches", "2", "--filter", "x y")
    assert done.returncode == 0, done.stderr
    for part in (*IDS, "single_pass", "DeviceReduceSingleTileKernel", "long_scoreboard 78%"):
        assert part in done.stdout
    words = json.loads((tmp_path / "words.json").read_text())
    assert words.count("--nvtx-include") == 3 and words[words.index("--filter") + 1] == "x y"
    assert words[words.index("--profile") + 1] == "2"
    found = json.loads(out[0].read_text())
    assert found["type"] == "profile" and found["exit_code"] == 0 and found["faults"] == []
    assert "2025.3.1.0" in found["tool_version"] and found["command"][1:] == words
    cases = {case["id"]: case for case in found["cases"]}
    assert set(cases) == set(IDS) and {case["status"] for case in cases.values()} == {"ok"}
    assert "\\/" in cases[AUTO]["range_filter"] and Path(found["report"]).exists()
    (kernel,) = cases[AUTO]["kernels"]
    assert kernel["launches"] == 2 and kernel["duration_us"] == pytest.approx(5.104)
    assert kernel["stalls"][0] == {"reason": "long_scoreboard", "share": pytest.approx(9.4 / 12)}
    text = out[1].read_text()
    assert "| single\\_pass | 2 | 5.104 |" in text and "--profile-from-start off" in text


def test_nsys_gives_times_and_our_own_record_gives_occupancy(profile, exported, tmp_path):
    out = tmp_path / "p.json"
    done = profile("--json", out, tool="nsys", report=exported)
    assert done.returncode == 0, done.stderr
    assert "DRAM" not in done.stdout.splitlines()[0]  # of which nsys knows nothing
    cases = {case["id"]: case for case in json.loads(out.read_text())["cases"]}
    (kernel,) = cases[THREAD]["kernels"]
    assert (kernel["name"], kernel["duration_us"]) == ("kernel_1", 2.001)
    assert kernel["theoretical_occupancy_pct"] == 75 and kernel["waves"] == 0.125
    assert kernel["dram_pct"] is None


def test_print_command_runs_nothing_and_needs_neither_tool_nor_program(tmp_path, profile):
    done = profile("--print-command")
    assert done.returncode == 0, done.stderr
    made, recorded, read = map(shlex.split, done.stdout.splitlines())
    assert made[:2] == ["mkdir", "-p"] and recorded.count("--nvtx-include") == 3
    assert "--clock-control" in recorded and "--import" in read
    assert not (tmp_path / "words.json").exists() and not (tmp_path / "out").exists()
    done = rf.run_script(
        "profile.py", "-c", "it's.json", "--binary", tmp_path / "none", "--print-command"
    )
    assert done.returncode == 0, done.stderr
    recorded = shlex.split(done.stdout.splitlines()[1])
    assert recorded[0] == "ncu" and "it's.json" in recorded
    assert recorded[recorded.index("--nvtx-include") + 1] == "regex:redux-bench@.+/"


def test_a_report_is_read_again(profile, program, tmp_path):
    assert profile().returncode == 0
    (report,) = (tmp_path / "out").glob("*.ncu-rep")
    words = ["--import", report, "--tool-path", tmp_path / "bin" / "fake-ncu"]
    done = rf.run_script("profile.py", *words)
    assert done.returncode == 0 and THREAD in done.stdout, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--config", "a.json", "--launches", "0"],
        ["--config", "a.json", "--timeout", "soon"],
        ["--config", "a.json", "--tool", "nvprof"],
        ["--config", "a.json", "--json", "a.json"],
        ["--config", "a.json", "--binary", "no/such/bench"],
        ["--import", "none.ncu-rep"],
        ["--import", str(RAW), "--config", "a.json"],
        ["--config", "a.json", "--json", "x.json", "--markdown", "x.json"],
    ],
)
def test_usage_errors(words):
    done = rf.run_script("profile.py", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize("tool", ["ncu", "nsys"])
def test_N08_a_tool_that_is_not_there(program, tmp_path, tool):
    bench = program("target", "fake-bench")
    words = ["--tool", tool, "--binary", bench, "-c", "a.json"]
    done = rf.run_script("profile.py", *words, "--tool-path", tmp_path / "none")
    assert done.returncode == 6 and "is no program" in done.stderr
    if shutil.which(tool) or list(Path("/usr/local/cuda").glob(f"nsight-*/**/{tool}")):
        return
    done = rf.run_script("profile.py", *words)
    assert done.returncode == 6
    assert f"{tool} is not here" in done.stderr and "--print-command" in done.stderr


@pytest.mark.parametrize("code", [0, 1])
def test_N03_no_permission_for_counters(profile, code):
    done = profile(says=NO_PERMISSION, exit=code, record=code == 0)
    assert done.returncode == 6 and done.stdout == ""
    for part in ("ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0", "--tool nsys"):
        assert part in done.stderr


def test_N03_a_report_without_counters_is_no_success(profile, tmp_path):
    lines = RAW.read_text().splitlines()
    metrics = lines[0].count(",") - 12
    bare = [",".join(['"n/a"'] * metrics)]
    path = tmp_path / "bare.csv"
    kept = [lines[0], lines[1]]
    for line in lines[2:]:
        identity = line.split('","9.0",')[0] + '","9.0",'
        kept.append(identity + bare[0])
    path.write_text("\n".join(kept) + "\n")
    done = profile(report=str(path))
    assert done.returncode == 6 and "no counters" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("says", "part"),
    [
        (TOO_OLD, "install a newer one"),
        ("==ERROR== Cuda driver is not compatible with Nsight Compute.", "do not fit together"),
        ("==ERROR== Nsight Compute failed to connect to the CUDA driver", "no CUDA driver"),
        (f"==ERROR== Profiling failed because a driver resource was unavailable. {OTHER}", "DCGM"),
        ("==ERROR== Failed to create lock file /tmp/nsight-compute-lock", "lock"),
    ],
)
def test_N08_a_tool_that_cannot_work_here(profile, says, part):
    done = profile(says=says, exit=1, record=False)
    assert done.returncode == 6 and part in done.stderr


def test_a_tool_that_gives_up_and_ends_the_program_is_not_the_programs_failure(profile):
    says = '==ERROR== Failed to profile "k" in process 7\n==PROF== Trying to shutdown target'
    done = profile(says=says, target={"exit": 9}, exit=9)
    assert done.returncode == 4 and "ncu failed with exit 9" in done.stderr


@pytest.mark.parametrize("tool", ["ncu", "nsys"])
@pytest.mark.parametrize(("code", "expected"), [(1, 1), (2, 2), (5, 5), (77, 4), (139, 4)])
def test_N08_a_target_that_fails_is_told_as_such(profile, exported, tool, code, expected):
    report = exported if tool == "nsys" else str(RAW)
    done = profile(tool=tool, target={"exit": code}, report=report)
    assert done.returncode == expected
    assert f"the profiled program failed with exit {code}" in done.stderr
    assert "target runs" in done.stderr  # what it said


def test_a_target_without_a_device_is_not_taken_for_a_tool_that_does_not_fit(profile):
    says = "no CUDA device can be used (CUDA driver version is insufficient for CUDA runtime)"
    done = profile(target={"exit": 6, "says": says})
    assert done.returncode == 6 and "the profiled program failed with exit 6" in done.stderr
    assert says in done.stderr


def test_a_wrong_result_goes_before_everything_else(profile):
    done = profile(target={"exit": 3, "status": {CUB: "wrong"}})
    assert done.returncode == 3 and f"wrong, as redux-bench says: {CUB}" in done.stderr
    assert CUB in done.stdout  # the table is still shown


def test_a_tool_that_fails_by_itself(profile):
    done = profile(says="==ERROR== out of luck", exit=9, record=False)
    assert done.returncode == 4 and "ncu failed with exit 9" in done.stderr
    assert "out of luck" in done.stderr
    done = profile(read_exit=1)
    assert done.returncode == 4 and "cannot read it" in done.stderr


@pytest.mark.parametrize("record", [True, False])
def test_N05_N09_no_kernel_in_the_report(profile, tmp_path, record):
    empty = tmp_path / "empty.csv"
    empty.write_text(NOTHING + "\n")
    done = profile(says=NOTHING, report=str(empty), record=record)
    assert done.returncode == 4 and "no kernel of the selected cases" in done.stderr
    base = Base(tmp_path / "ranges.sqlite")
    base.range(AUTO, 0, 100)
    done = profile(tool="nsys", report=str(base.done()), record=record)
    assert done.returncode == 4 and "no kernel of the selected cases" in done.stderr


def test_N09_one_case_without_kernels_is_named(profile):
    other = "argmax/two_stage/float32/1x129280"
    done = profile(target={"ids": [*IDS, other]})
    assert done.returncode == 4 and f"of 1 of 4 cases: {other}" in done.stderr
    assert THREAD in done.stdout
    done = profile(target={"ids": [*IDS, other], "status": {other: "unsupported"}})
    assert done.returncode == 0, done.stderr


def test_a_case_that_launches_nothing_is_not_missed(profile, tmp_path):
    empty = "argmax/auto/float32/0x8"
    done = profile(target={"ids": [*IDS, empty], "empty": [empty]})
    assert done.returncode == 0, done.stderr
    none = tmp_path / "none.csv"
    none.write_text(NOTHING + "\n")
    done = profile(target={"ids": [empty], "empty": [empty]}, report=str(none))
    assert done.returncode == 5 and "nothing to profile" in done.stderr


def test_nothing_selected(profile, tmp_path):
    done = profile(target={"ids": []})
    assert done.returncode == 5 and "no case matches" in done.stderr
    assert not (tmp_path / "words.json").exists()


def test_N10_a_big_case_gets_a_warning_and_a_smaller_twin(profile):
    big = "argmax/auto/float32/1x9999999999"
    target = {"ids": [*IDS, big], "memory": {big: 40 << 30}, "status": {big: "skipped"}}
    done = profile(target=target)
    assert done.returncode == 0, done.stderr
    assert f"{big} needs 40.0 GiB" in done.stderr and f"smaller twin is {AUTO}" in done.stderr
    assert "--replay-mode application" in done.stderr


def test_an_old_report_is_not_taken_for_a_new_one(profile):
    assert profile().returncode == 0
    done = profile(record=False)
    assert done.returncode == 4 and done.stdout == ""


def test_the_readmes_profile_is_what_it_prints():
    readme = (rf.ROOT / "README.md").read_text()
    (shown,) = re.findall(r"<!-- profiled -->\n```text\n(.*?)^```", readme, re.S | re.M)
    path = "tests/python/profiles/h200-seed-argmax-raw.csv"
    done = rf.run_script("profile.py", "--tool", "ncu", "--import", rf.ROOT / path)
    printed = done.stdout.splitlines()
    for line in shown.splitlines():
        assert any(full.startswith(line) for full in printed), line
