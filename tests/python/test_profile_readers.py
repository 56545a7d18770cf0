"""What profile.py reads out of reports, and the words that it gives to the tools."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import result_files as rf
from nsys_base import OTHER_THREAD, Base
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.profile_command import (
    ANY_RANGE,
    Plan,
    range_filter,
    range_filters,
    read_command,
    safe_name,
    tool_command,
)
from redux_tools.profile_faults import no_kernels, target_fault, tool_fault
from redux_tools.profile_kernels import add_launch_facts, kernels_of, short_name, to_own_unit
from redux_tools.profile_ncu import case_in, read_ncu
from redux_tools.profile_nsys import read_nsys, read_nsys_csv
from redux_tools.profile_process import Ended

PROFILES = Path(__file__).with_name("profiles")
RAW = PROFILES / "handwritten-ncu-raw.csv"
DETAILS = PROFILES / "handwritten-ncu-details.csv"
AUTO, THREAD, CUB = (f"argmax/{v}/float32/1x129280" for v in ("auto", "thread_per_row", "cub"))


def raw(ids=(AUTO, THREAD, CUB), text=None):
    return kernels_of(read_ncu(text or RAW.read_text(), "raw.csv", ids))


def test_each_kernel_of_each_case_with_the_medians_of_its_launches():
    auto, reduce, single, thread = raw()
    assert [k.case_id for k in (auto, reduce, single, thread)] == [AUTO, CUB, CUB, THREAD]
    assert (auto.name, auto.launches) == ("single_pass", 2)
    assert (reduce.name, single.name) == ("DeviceReduceKernel", "DeviceReduceSingleTileKernel")
    assert auto.values["duration_us"] == pytest.approx((5.088 + 5.120) / 2)
    assert thread.values["duration_us"] == pytest.approx(2865.12)
    assert auto.values["dram_pct"] == pytest.approx(1.70)
    assert auto.values["l2_pct"] == pytest.approx(3.03)
    assert auto.values["occupancy_pct"] == pytest.approx(23.83)
    assert auto.values["theoretical_occupancy_pct"] == 75
    assert (auto.values["registers"], auto.values["waves"]) == (40, 0.12)
    assert auto.values["static_shared_bytes"] == 1152 and auto.values["dynamic_shared_bytes"] == 0
    assert (reduce.values["sectors_per_load"], reduce.values["sectors_per_store"]) == (16, 1)
    assert single.values["branch_efficiency_pct"] == 93.75
    assert (auto.grid, auto.block) == ("64, 1, 1", "256, 1, 1")


def test_stalls_are_shares_without_the_warps_that_issue():
    auto = raw()[0]
    assert [reason for reason, _ in auto.stalls] == ["long_scoreboard", "wait", "barrier"]
    assert sum(share for _, share in auto.stalls) == pytest.approx(1)
    assert auto.stalls[0][1] == pytest.approx(9.4 / 12)


def test_the_details_page_says_what_it_says_and_nothing_else():
    auto, thread = kernels_of(read_ncu(DETAILS.read_text(), "details.csv", (AUTO, THREAD)))
    assert auto.values["duration_us"] == 5.09
    assert auto.values["static_shared_bytes"] == 1150
    assert auto.values["sectors_per_load"] is None and auto.stalls == []
    assert thread.values["occupancy_pct"] is None


def test_launches_of_other_cases_are_left_out():
    assert {k.case_id for k in raw(ids=(THREAD,))} == {THREAD}
    assert raw(ids=("argmax/auto/float32/1x12928",)) == []


def test_without_ids_any_case_is_read():
    assert {k.case_id for k in raw(ids=())} == {AUTO, THREAD, CUB}


@pytest.mark.parametrize(
    "case_id", ["argmax/float32/1x129280", "a@b", "with spaces", "x" * 200, "a:b/c", 'q"[*+],\\']
)
def test_N12_any_id_is_found_in_its_range(case_id):
    cell = f'77  "redux-bench:{case_id}:int64:8:none:none:registered:none"  "redux-bench:timed:..."'
    assert case_in(cell, [case_id[:-1], case_id, case_id + "/axis=0"]) == case_id
    assert case_in(cell, ["another"]) is None


def test_a_report_without_ranges_is_of_the_one_case_there_is():
    text = re.sub(r'"[^"\n]*Range:[^"\n]*"', '"x"', RAW.read_text(), count=2)
    assert {k.case_id for k in raw(ids=(AUTO,), text=text)} == {AUTO}
    assert raw(text=text) == []


@pytest.mark.parametrize(
    "text", ["", "==PROF== Connected\n==WARNING== No kernels were profiled.\n"]
)
def test_an_empty_report_holds_no_launch(text):
    assert read_ncu(text, "x.csv") == []


def test_what_is_no_table_is_refused():
    with pytest.raises(Failure) as caught:
        read_ncu("Segmentation fault\n", "x.csv")
    assert caught.value.code == ExitCode.NOT_MEASURED and "x.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "unit", "expected"),
    [
        ("duration_us", 5000, "ns", 5),
        ("duration_us", 5000, "nsecond", 5),
        ("duration_us", 5, "us", 5),
        ("duration_us", 5, "usecond", 5),
        ("duration_us", 2, "ms", 2000),
        ("duration_us", 2, "second", 2e6),
        ("static_shared_bytes", 1.5, "Kbyte/block", 1500),
        ("static_shared_bytes", 32, "byte/block", 32),
        ("dram_pct", 12, "%", 12),
    ],
)
def test_units(key, value, unit, expected):
    assert to_own_unit(key, value, unit) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("vector4", "vector4"),
        ("void a::<unnamed>::f<a::T<float, (bool)1>, (a::R)0>(a::C<T1::S>, int)", "f"),
        ("void a::(anonymous namespace)::g<int>(int)", "g"),
        ("void cub::CUB_1::DeviceScanKernel<P, const int *>(T2, T3)", "DeviceScanKernel"),
        ("", ""),
    ],
)
def test_short_names(full, short):
    assert short_name(full) == short


def a_plan(tool, ids, **more):
    words = ("--config", "my configs/a.json", "--backend", "cuda", "--filter", "^x$")
    return Plan(tool, tool, "bin/redux-bench", words, tuple(ids), Path("out"), **more)


def test_the_command_of_ncu_is_words_that_no_shell_has_to_read():
    plan = a_plan("ncu", [AUTO], launches=3, cold=True)
    command = tool_command(plan)
    assert command[command.index("--nvtx-include") + 1] == (
        "redux-bench@argmax\\/auto\\/float32\\/1x129280/"
    )
    for option, value in (
        ("--profile-from-start", "off"),
        ("--clock-control", "none"),
        ("--cache-control", "all"),
        ("--replay-mode", "kernel"),
        ("--export", str(plan.report)),
        ("--config", "my configs/a.json"),
        ("--profile", "3"),
        ("--output", str(plan.results)),
    ):
        assert command[command.index(option) + 1] == value
    assert command.index("--nvtx") < command.index("bin/redux-bench")
    assert command[command.index("bin/redux-bench") :][-1] == "never"
    assert "--profile-cold" in command
    assert read_command("ncu", "ncu", plan.report)[1:3] == ["--import", str(plan.report)]


def test_the_command_of_nsys_captures_one_case_and_tells_several_apart_by_range():
    one = tool_command(a_plan("nsys", [AUTO]))
    assert one[one.index("--capture-range") + 1] == "cudaProfilerApi"
    assert one[one.index("--kill") + 1] == "none"
    assert "--capture-range" not in tool_command(a_plan("nsys", [AUTO, CUB]))


def test_N12_filters_and_names():
    assert range_filter("a@b,c[d]/e*f+g\\h") == ("redux-bench@a\\@b\\,c\\[d\\]\\/e\\*f\\+g\\\\h/")
    assert range_filters([str(i) for i in range(65)]) == [ANY_RANGE] == range_filters([])
    names = [AUTO, AUTO + "/axis=0", "a@b", "a/b", "with spaces", "x" * 200, "x" * 201, "..", "ä"]
    made = [safe_name(name) for name in names]
    assert len(set(made)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._=-]*", name) for name in made)
    assert max(map(len, made)) < 100


def one_case(base, name=AUTO):
    base.range(name, 1000, 2000)
    base.range("timed", 1100, 1900)
    return base


def test_N07_a_kernel_belongs_to_the_range_it_was_launched_in(tmp_path):
    base = one_case(Base(tmp_path / "a.sqlite"))
    base.kernel("void n::single_pass<int>(int)", called=1200, start=5000, taken_ns=5120)
    base.kernel("void n::single_pass<int>(int)", called=1300, start=9000, taken_ns=5080)
    base.kernel("warmed_up", called=1050, start=1500, taken_ns=10)  # in the case, not in "timed"
    base.kernel("another", called=1250, start=1400, taken_ns=10, thread=OTHER_THREAD)
    (kernel,) = kernels_of(read_nsys(base.done(), (AUTO,)))
    assert (kernel.case_id, kernel.name, kernel.launches) == (AUTO, "single_pass", 2)
    assert kernel.values["duration_us"] == pytest.approx(5.1)
    assert kernel.values["registers"] == 40 and kernel.values["static_shared_bytes"] == 1152
    assert kernel.values["dram_pct"] is None
    add_launch_facts(
        kernel, {"grid": [64, 1, 1], "block": [256, 1, 1], "occupancy": 0.75, "waves": 0.0625}
    )
    assert kernel.values["theoretical_occupancy_pct"] == 75 and kernel.values["waves"] == 0.0625


def test_facts_of_another_launch_are_not_taken_for_this_one(tmp_path):
    base = one_case(Base(tmp_path / "a.sqlite"))
    base.kernel("k", called=1200, start=5000, taken_ns=5120)
    (kernel,) = kernels_of(read_nsys(base.done()))
    add_launch_facts(kernel, {"grid": [1, 1, 1], "block": [256, 1, 1], "occupancy": 0.75})
    add_launch_facts(kernel, None)
    assert kernel.values["theoretical_occupancy_pct"] is None


def test_a_plain_name_is_read_as_a_registered_one_is(tmp_path):
    base = Base(tmp_path / "a.sqlite")
    base.range(AUTO, 1000, 2000, registered=False)
    base.range("timed", 1100, 1900, registered=False)
    base.range("left open", 1100, None)
    base.kernel("k", called=1200, start=5000, taken_ns=10)
    assert [launch.case_id for launch in read_nsys(base.done(), (AUTO,))] == [AUTO]


def test_N09_ranges_without_kernels_are_no_launches(tmp_path):
    base = one_case(Base(tmp_path / "a.sqlite"))
    base.base.execute("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL")
    assert read_nsys(base.done(), (AUTO,)) == []


@pytest.mark.parametrize("content", [None, b"no database at all, but long enough to be one" * 40])
def test_what_is_no_export_is_refused(tmp_path, content):
    path = tmp_path / "a.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Failure) as caught:
        read_nsys(path)
    assert caught.value.code == ExitCode.NOT_MEASURED and "a.sqlite" in str(caught.value)


def test_the_summary_that_nsys_prints_of_ranges_and_kernels():
    path = PROFILES / "handwritten-nsys-nvtx-kern-sum.csv"
    for ids in ((), (AUTO, THREAD, CUB)):
        thread, cub = kernels_of(read_nsys_csv(path.read_text(), path.name, ids))
        assert (thread.case_id, thread.name, thread.launches) == (THREAD, "thread_per_row", 2)
        assert (cub.case_id, cub.name) == (CUB, "DeviceReduceKernel")
        assert thread.values["duration_us"] == pytest.approx(2865.12)
    assert kernels_of(read_nsys_csv(path.read_text(), path.name, (AUTO,))) == []
    with pytest.raises(Failure, match="nvtx_kern_sum"):
        read_nsys_csv("nothing\n", "x.csv")


RECORDED = sorted(PROFILES.glob("h200-*-raw.csv"))


def test_recorded_reports_are_there():
    assert RECORDED


def test_a_recorded_report_of_three_variants_number_by_number():
    text = (PROFILES / "h200-seed-argmax-raw.csv").read_text()
    single_pass, reduce, reduce_end, thread = kernels_of(read_ncu(text, "a"))
    shape = "float32/1x129280"
    assert [k.case_id for k in (single_pass, reduce, reduce_end, thread)] == [
        f"argmax/auto/{shape}",
        f"argmax/cub/{shape}",
        f"argmax/cub/{shape}",
        f"argmax/thread_per_row/{shape}",
    ]
    assert [k.name for k in (single_pass, reduce, reduce_end, thread)] == [
        "single_pass",
        "DeviceReduceKernel",
        "DeviceReduceSingleTileKernel",
        "thread_per_row",
    ]
    assert (single_pass.grid, single_pass.block, single_pass.launches) == (
        "1, 33, 1",
        "512, 1, 1",
        2,
    )
    # Medians of its two launches, as they stand in the file: 3488 and 3360 ns, 3.16 and 3.27 %.
    assert single_pass.values == pytest.approx(
        {
            "duration_us": 3.424,
            "dram_pct": 3.215,
            "l2_pct": 4.7,
            "occupancy_pct": 22.655,
            "theoretical_occupancy_pct": 100,
            "registers": 21,
            "static_shared_bytes": 128,
            "dynamic_shared_bytes": 0,
            "waves": 0.06,
            "sectors_per_load": 15.32,
            "sectors_per_store": 1.335,
            "branch_efficiency_pct": 99.95,
        }
    )
    assert thread.values["duration_us"] == pytest.approx(4352.848)
    assert [reason for reason, _ in thread.stalls] == ["long_scoreboard", "wait"]
    assert reduce_end.stalls[0][0] == "no_instruction"


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_a_recorded_report_says_everything_of_every_kernel(path):
    kernels = kernels_of(read_ncu(path.read_text(), path.name))
    assert kernels
    for kernel in kernels:
        assert kernel.case_id.count("/") >= 3
        # A kernel that never loads, stores or branches has no ratio of these.
        ratios = ("sectors_per_load", "sectors_per_store", "branch_efficiency_pct")
        unknown = {key for key, value in kernel.values.items() if value is None}
        assert unknown <= set(ratios), kernel.name
        assert kernel.values["duration_us"] > 0.5 and kernel.stalls
        shares = [value for key, value in kernel.values.items() if key.endswith("_pct")]
        assert all(share is None or 0 <= share <= 101 for share in shares), kernel.name


def test_the_standard_module_of_that_name_is_not_hidden():
    code = "import cProfile, profile; print(profile.Profile, cProfile.run.__doc__[:3])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=rf.ROOT / "scripts",
    )
    assert done.returncode == 0, done.stderr
    assert "profile.Profile" in done.stdout


def recorded(name, code):
    return Ended(code, 1.0, False, (PROFILES / f"h200-ncu-{name}.log").read_text())


def test_what_ncu_said_on_a_device_is_told_apart():
    """Recorded with the exit codes 2, 1 and 0."""
    target = target_fault("ncu", recorded("target-fails", 2))
    assert target.code == ExitCode.USAGE and "program failed with exit 2" in str(target)
    tool = target_fault("ncu", recorded("no-section", 1))
    assert tool.code == ExitCode.NOT_MEASURED and "ncu failed with exit 1" in str(tool)
    empty = recorded("no-kernel", 0)
    assert target_fault("ncu", empty) is None
    assert "it says so itself" in str(no_kernels("ncu", empty.said))
    for said in (recorded(name, 0).said for name in ("target-fails", "no-section", "no-kernel")):
        assert tool_fault("ncu", said) is None
