"""Cases on one side only, failed cases, other devices: what compare.py says and exits with."""

from __future__ import annotations

import copy

import pytest
import result_files as rf

NAMES = rf.ids(10)


def both(tmp_path, base_cases, now_cases, **now_head):
    base = rf.write(tmp_path / "base.jsonl", rf.segment(base_cases))
    now = rf.write(tmp_path / "now.jsonl", rf.segment(now_cases, run_id="r2", **now_head))
    return base, now


def all_of(names=NAMES, **more):
    return [rf.case(name, **more) for name in names]


def env(**changes):
    changed = copy.deepcopy(rf.ENVIRONMENT)
    changed["gpu"].update(changes.pop("gpu", {}))
    return {**changed, **changes}


def test_b04_another_gpu_model_is_refused_by_name_and_compared_on_request(tmp_path):
    base = rf.write(
        tmp_path / "b", rf.segment(all_of(), env=env(gpu={"name": "NVIDIA A100-SXM4-80GB"}))
    )
    now = rf.write(tmp_path / "c", rf.segment(all_of(), run_id="r2"))
    done = rf.compare(base, now)
    assert done.returncode == 6
    assert "NVIDIA A100-SXM4-80GB" in done.stdout
    assert "NVIDIA H200" in done.stdout
    assert "SAME" not in done.stdout
    allowed = rf.compare(base, now, "--allow-different-device")
    assert allowed.returncode == 0
    assert "NOT A GATE" in allowed.stdout
    assert "10 SAME" in allowed.stdout


def test_b04_what_ran_elsewhere_is_no_gate_even_when_slower(tmp_path):
    base = rf.write(tmp_path / "b", rf.segment(all_of(), env=env(gpu={"name": "Other"})))
    slow = [rf.case(name, rf.timing(20.0)) for name in NAMES]
    now = rf.write(tmp_path / "c", rf.segment(slow))
    done = rf.compare(base, now, "--allow-different-device")
    assert done.returncode == 0
    assert "10 SLOWER" in done.stdout


def test_a_baseline_of_a_gpu_does_not_fit_a_machine_without_one(tmp_path):
    without = {**rf.ENVIRONMENT, "gpu": None}
    base = rf.write(tmp_path / "b", rf.segment(all_of()))
    now = rf.write(tmp_path / "c", rf.segment(all_of(rf.ids(2, "host_serial")), env=without))
    done = rf.compare(base, now)
    assert done.returncode == 6
    assert "'no GPU'" in done.stdout


def test_host_variants_are_matched_by_cpu_and_cuda_variants_still_compared(tmp_path):
    cases = all_of(NAMES[:2]) + all_of(rf.ids(2, "host_serial"))
    base, now = both(tmp_path, cases, cases, env=env(cpu="Another CPU"))
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert "2 INCOMPARABLE, 2 SAME" in done.stdout
    assert rf.compare(base, now, "--strict").returncode == 7
    assert rf.compare(base, now, "--filter", "host_serial").returncode == 6


def test_b05_ordinal_uuid_and_free_memory_do_not_matter(tmp_path):
    before = env(gpu={"ordinal": 4, "uuid": "GPU-1", "free_memory_bytes": 7})
    after = env(gpu={"ordinal": 0, "uuid": "GPU-2", "free_memory_bytes": 9})
    base = rf.write(tmp_path / "b", rf.segment(all_of(), env=before))
    now = rf.write(tmp_path / "c", rf.segment(all_of(), env=after))
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert "10 SAME" in done.stdout
    assert "warning" not in done.stdout


def test_b06_missing_cases_fail_unless_a_subset_is_meant(tmp_path):
    base, now = both(tmp_path, all_of(), all_of(NAMES[:2]))
    done = rf.compare(base, now)
    assert done.returncode == 4
    assert "8 MISSING, 2 SAME" in done.stdout
    assert rf.compare(base, now, "--subset").returncode == 0


def test_b07_a_filter_that_matches_nothing(tmp_path):
    base, now = both(tmp_path, all_of(), all_of())
    done = rf.compare(base, now, "--filter", "argmxa")
    assert done.returncode == 5
    assert "0 cases matched" in done.stdout
    assert rf.compare(base, now, "--filter", "(").returncode == 2


@pytest.mark.parametrize("status", ["error", "timeout", "skipped", "unsupported"])
def test_b09_a_case_without_a_time_fails(tmp_path, status):
    broken = rf.case(NAMES[0], status=status, reason="CUDA 700")
    base, now = both(tmp_path, all_of(), [broken, *all_of(NAMES[1:])])
    done = rf.compare(base, now)
    assert done.returncode == 4
    assert "no measurement" in done.stdout
    assert "CUDA 700" in done.stdout


@pytest.mark.parametrize("cases", [[], all_of(status="error")])
def test_b10_nothing_measured(tmp_path, cases):
    base, now = both(tmp_path, all_of(), cases)
    done = rf.compare(base, now)
    assert done.returncode == 5
    assert "nothing was measured" in done.stdout


def test_b11_a_new_case_is_listed(tmp_path):
    base, now = both(tmp_path, all_of(NAMES[:9]), all_of())
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert "1 NEW, 9 SAME" in done.stdout
    assert rf.compare(base, now, "--strict-new").returncode == 4


def test_b24_a_timing_that_the_baseline_lacks_is_new_and_said(tmp_path):
    two = [rf.case(NAMES[0], rf.timing(), rf.timing(cache="warm"))]
    base, now = both(tmp_path, all_of(NAMES[:1]), two)
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert "compared on shared timings: the baseline lacks graph/warm" in done.stdout
    assert "1 NEW, 1 SAME" in done.stdout
    assert rf.compare(now, base).returncode == 4
    assert rf.compare(now, base, "--metric", "graph/cold").returncode == 0
    assert rf.compare(now, base, "--metric", "graph/hot").returncode == 2
    assert rf.compare(now, base, "--metric", "stream/cold").returncode == 5


def test_a_wrong_case_goes_before_everything_measured(tmp_path):
    wrong = rf.case(NAMES[0], rf.timing(5.0), status="wrong", reason="index 3: got 1")
    base, now = both(tmp_path, all_of(), [wrong, rf.case(NAMES[1], rf.timing(90.0))])
    done = rf.compare(base, now)
    assert done.returncode == 3
    assert "1 WRONG, 8 MISSING, 1 SLOWER" in done.stdout
    assert f"--filter '^{NAMES[0]}$'" in done.stdout


def test_a_wrong_case_is_found_on_another_device_and_without_a_baseline(tmp_path):
    wrong = rf.case(NAMES[0], rf.timing(5.0), status="wrong")
    base, now = both(tmp_path, all_of(NAMES[1:]), [wrong], env=env(gpu={"name": "Other"}))
    assert rf.compare(base, now).returncode == 3
    assert rf.compare(tmp_path / "no", now, "--allow-missing-baseline").returncode == 3


def test_the_times_of_a_wrong_baseline_are_not_compared(tmp_path):
    wrong = rf.case(NAMES[0], rf.timing(5.0), status="wrong")
    base, now = both(tmp_path, [wrong, *all_of(NAMES[1:])], all_of())
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert "1 INCOMPARABLE, 9 SAME" in done.stdout


@pytest.mark.parametrize("median", [None, 0, -1.5])
@pytest.mark.parametrize(("side", "code"), [("base", 2), ("now", 4)])
def test_an_invalid_time_spoils_its_case_only(tmp_path, median, side, code):
    spoilt = [rf.case(NAMES[0], rf.timing(None) | {"median_us": median}), *all_of(NAMES[1:])]
    base, now = both(
        tmp_path, spoilt if side == "base" else all_of(), spoilt if side == "now" else all_of()
    )
    done = rf.compare(base, now)
    assert done.returncode == code
    assert "1 INVALID, 9 SAME" in done.stdout


def test_b17_a_case_of_one_sample_or_none_is_never_the_same(tmp_path):
    few = [
        rf.case(NAMES[0], rf.timing(None, n=0)),
        rf.case(NAMES[1], rf.timing(10.0, 0.0, n=1)),
        rf.case(NAMES[2]),
    ]
    base, now = both(tmp_path, all_of(NAMES[:3]), few)
    done = rf.compare(base, now)
    assert done.returncode == 4
    assert "1 INVALID, 1 INCONCLUSIVE, 1 SAME" in done.stdout


def test_what_could_not_run_on_either_side_is_no_fault(tmp_path):
    unsupported = rf.case("argmax/cub/int64/3x3", status="unsupported")
    base, now = both(tmp_path, [*all_of(), unsupported], [*all_of(), unsupported])
    assert rf.compare(base, now).returncode == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cuda_runtime": "12.4"}, "CUDA runtime differs: 13.0 in the baseline, 12.4 now"),
        ({"gpu": {"driver": "550.1"}}, "driver differs: 580.10 in the baseline, 550.1 now"),
        ({"gpu": {"clocks_locked": True}}, "clocks locked differs: False in the baseline, True"),
    ],
)
def test_b25_soft_differences_are_warned_of(tmp_path, change, said):
    base, now = both(tmp_path, all_of(), all_of(), env=env(**copy.deepcopy(change)))
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert said in done.stdout
    assert rf.compare(base, now, "--strict-env").returncode == 6


@pytest.mark.parametrize("how", ["no end line", "complete: false"])
def test_an_incomplete_run_is_said_and_its_missing_cases_fail(tmp_path, how):
    base = rf.write(tmp_path / "b", rf.segment(all_of()))
    lines = rf.segment(all_of(NAMES[:5]), end=False, run_id="r2")
    if how == "complete: false":
        lines.append({**rf.END, "complete": False})
    done = rf.compare(base, rf.write(tmp_path / "c", lines))
    assert done.returncode == 4
    assert how in done.stdout
    assert "5 MISSING, 5 SAME" in done.stdout


def test_a_handicap_is_warned_of(tmp_path):
    slowed = {"handicap": [{"match": ".", "factor": 1.05}]}
    base, now = both(tmp_path, all_of(), all_of(), **slowed)
    assert "the current run was slowed down on purpose" in rf.compare(base, now).stdout


def test_throttled_samples_are_warned_of(tmp_path):
    hot = rf.case(NAMES[3], rf.timing(throttled_samples=2))
    base, now = both(tmp_path, all_of(), [*all_of(NAMES[:3]), hot, *all_of(NAMES[4:])])
    done = rf.compare(base, now)
    assert done.returncode == 0
    assert f"held down for 1 cases of the current run: {NAMES[3]}" in done.stdout


def test_a_resumed_run_is_complete(tmp_path):
    base = rf.write(tmp_path / "b", rf.segment(all_of()))
    first = rf.segment(all_of(NAMES[:5]), end=False, run_id="r2")
    done = rf.compare(
        base, rf.write(tmp_path / "c", first, rf.segment(all_of(NAMES[5:]), run_id="r2"))
    )
    assert done.returncode == 0
    assert "incomplete" not in done.stdout
