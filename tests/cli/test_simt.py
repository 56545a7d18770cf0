"""--backend simt: CUDA variants verified on the CPU, with or without CUDA, never timed."""

import re
import shlex
import subprocess
import sys

import pytest
from conftest import ROOT, cases_of, read_results, strict_json

SIMT = ("--backend", "simt", "--verify-only")
FAULTS = {
    "hook_race": ("[data-race]", "misbehaving_kernels.cu", "in-order"),
    "hook_reads_past": ("[out-of-bounds]", "misbehaving_kernels.cu", "in-order"),
    "hook_too_wide": ("[launch]", "block x is 2048", "in-order"),
    "hook_by_order": ("got 1, expected 0", "--simt-schedule reverse", "reverse"),
    "hook_by_call": ("got 1, expected 0", "--simt-schedule in-order", "in-order"),
}


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--backend", "simt"], ["--backend simt", "times would mean nothing", "--verify-only"]),
        ([*SIMT, "--device", "0"], ["--device", "--backend simt"]),
        (["--verify-only", "--simt-schedule", "reverse"], ["--simt-schedule", "--backend simt"]),
        (["--list", "--simt-multiprocessors", "2"], ["--simt-multiprocessors", "--backend simt"]),
        (["--list", "--backend", "simt", "--simt-schedule", "reverse"], ["--simt-sch", "--list"]),
        (["--list", "--backend", "simt", "--simt-multiprocessors", "2"], ["--simt-m", "--list"]),
        ([*SIMT, "--simt-schedule", "revers"], ["'revers'", "did you mean 'reverse'"]),
        ([*SIMT, "--simt-schedule", "random"], ["in-order, reverse or random:SEED"]),
        ([*SIMT, "--simt-schedule", "random:-1"], ["random:-1", "0 to 18446744073709551615"]),
        ([*SIMT, "--simt-schedule", "random:7x"], ["'random:7x'"]),
        ([*SIMT, "--simt-schedule", ""], ["--simt-schedule: ''"]),
        ([*SIMT, "--simt-multiprocessors", "0"], ["'0'", "1 to 1024"]),
        ([*SIMT, "--simt-multiprocessors", "1025"], ["'1025'", "1 to 1024"]),
        ([*SIMT, "--simt-multiprocessors", "two"], ["'two'", "1 to 1024"]),
    ],
)
def test_usage_errors(bench, words, parts):
    done = bench("-c", bench.config(), *words)
    assert done.returncode == 2, done.stderr
    for part in parts:
        assert part in done.stderr
    assert done.stdout == ""


def test_every_cuda_variant_but_the_library_is_verified(bench):
    name = bench.config(variants=["*"], shapes=[[3, 70]], compare_to="host_serial")
    done = bench("-c", name, *SIMT, "-o", "out.jsonl")
    assert done.returncode == 0, done.stderr
    run, *_, end = lines = read_results(bench.folder / "out.jsonl")
    assert run["selection"]["backend"] == "simt" and run["selection"]["verify_only"] is True
    gpu = run["env"]["gpu"]
    assert (gpu["name"], gpu["sms"]) == ("simulated, 132 multiprocessors", 132)
    assert gpu["driver"] == gpu["uuid"] == "" and gpu["clocks_locked"] is None
    cases = {case["variant"]: case for case in cases_of(lines)}
    assert {"auto", "thread_per_row", "cooperative", "single_pass", "cub"} <= set(cases)
    assert {case["backend"] for case in cases.values()} == {"cuda"}
    cub = cases.pop("cub")
    assert cub["status"] == "unsupported" and "on a GPU only" in cub["reason"]
    for case in cases.values():
        assert (case["status"], case["reason"], case["timings"]) == ("ok", "", [])
        # Three rows, under three schedules, twice.
        assert case["verify"] == {"checked": 18, "mismatches": 0}
        assert case["repro"].endswith("--seed 42 --backend simt --verify-only")
        assert case["launch"]["kernels"] >= 1
    assert end["counts"]["ok"] == len(cases) and end["counts"]["unsupported"] == 1
    assert "nothing is timed" in done.stderr
    assert "in-order, reverse and random:SEED" in done.stderr


def test_one_schedule_alone(bench):
    name = bench.config(variants=["cooperative"])
    done = bench("-c", name, *SIMT, "--simt-schedule", "random:7", "-o", "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert "twice under random:7" in done.stderr
    (case,) = cases_of(read_results(bench.folder / "out.jsonl"))
    assert case["verify"]["checked"] == 4 * 2


def test_the_device_has_as_many_multiprocessors_as_asked_for(bench):
    name = bench.config(variants=["cooperative"], shapes=[[1, 20000]])
    grids = []
    for number in (1, 132):
        words = ("--simt-multiprocessors", number, "--simt-schedule", "reverse")
        assert bench("-c", name, *SIMT, *words, "-o", "out.jsonl").returncode == 0
        run, case, _ = read_results(bench.folder / "out.jsonl")
        assert run["env"]["gpu"]["sms"] == number
        assert f"--simt-multiprocessors {number}" in case["repro"]
        grids.append(case["launch"]["grid"][0])
    assert grids[0] < grids[1]


def test_host_variants_are_left_out(bench):
    done = bench("-c", bench.config(variants=["host_serial", "host_parallel"]), *SIMT)
    assert done.returncode == 5 and "--backend simt" in done.stderr


def test_a_case_too_big_for_the_host_is_skipped(bench):
    name = bench.config(variants=["thread_per_row"], shapes=[[1, 1 << 40]])
    done = bench("-c", name, *SIMT, "-o", "out.jsonl")
    assert done.returncode == 4
    (case,) = cases_of(read_results(bench.folder / "out.jsonl"))
    assert case["status"] == "skipped" and "of host memory" in case["reason"]


def test_lists_dry_run_and_environment(bench):
    name = bench.config(variants=["*"], shapes=[[1, 64]])
    ids = bench("-c", name, "--list", "--backend", "simt").stdout.split()
    assert "argmax/single_pass/float32/1x64" in ids and not any("host" in one for one in ids)
    ops = strict_json(bench("--list-ops", "--backend", "simt", "--format", "json").stdout)
    assert {"cub", "single_pass"} <= {variant["name"] for variant in ops[0]["variants"]}
    plan = bench("-c", name, "--dry-run", "--backend", "simt", "--format", "json")
    estimates = {case["id"]: case for case in strict_json(plan.stdout)["cases"]}
    assert list(estimates) == ids
    assert {case["seconds"] for case in estimates.values()} == {0}
    assert estimates["argmax/thread_per_row/float32/1x64"]["memory_bytes"] == 64 * 4 + 8
    assert "GPU only" in estimates["argmax/cub/float32/1x64"]["unsupported"]
    text = bench("-c", name, "--dry-run", "--backend", "simt")
    assert text.returncode == 0 and "all of it on the host; nothing was run" in text.stdout
    env = strict_json(bench("--env", "--backend", "simt", "--simt-multiprocessors", "13").stdout)
    assert env["env"]["gpu"]["name"] == "simulated, 13 multiprocessors"


@pytest.mark.parametrize("variant", FAULTS)
def test_a_wrong_kernel_is_exit_3_and_reproduced(hooks, variant):
    text, place, schedule = FAULTS[variant]
    name = hooks.config(variants=[variant, "thread_per_row"], shapes=[[1, 1]])
    done = hooks("-c", name, *SIMT, "-o", "out.jsonl")
    assert done.returncode == 3, done.stderr
    wrong, right = cases_of(read_results(hooks.folder / "out.jsonl"))
    assert (wrong["status"], right["status"]) == ("wrong", "ok")
    assert text in wrong["reason"] and place in wrong["reason"]
    assert f"wrong: {wrong['id']}: {wrong['reason']}" in done.stderr
    assert f"reproduce: {wrong['repro']}" in done.stderr
    assert wrong["repro"].endswith(f"--backend simt --verify-only --simt-schedule {schedule}")
    again = hooks(*shlex.split(wrong["repro"])[1:], "-o", "again.jsonl")
    assert again.returncode == 3
    (same,) = cases_of(read_results(hooks.folder / "again.jsonl"))
    count = re.compile(r"\d+ of \d+ elements differ")  # of one schedule, not of all up to it
    assert count.sub("", same["reason"]) == count.sub("", wrong["reason"])


def test_a_fault_names_the_line_and_the_schedule(hooks):
    name = hooks.config(variants=["hook_race"], shapes=[[1, 1]])
    done = hooks("-c", name, *SIMT, "--simt-schedule", "random:5")
    assert done.returncode == 3
    source = (ROOT / "tests" / "hooks" / "misbehaving_kernels.cu").read_text().splitlines()
    line = 1 + next(i for i, text in enumerate(source) if "threadIdx.x" in text)
    assert re.search(rf"at misbehaving_kernels\.cu\S*:{line}\b", done.stderr)
    assert "output 'indices'" in done.stderr and "random:5" in done.stderr


def test_an_order_that_hides_the_fault_passes(hooks):
    name = hooks.config(variants=["hook_by_order"], shapes=[[1, 1]])
    assert hooks("-c", name, *SIMT, "--simt-schedule", "in-order").returncode == 0
    assert hooks("-c", name, *SIMT, "--simt-schedule", "reverse").returncode == 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["compare.py", "out.jsonl", "out.jsonl"], 4, "verified and not timed"),
        (["baseline.py", "accept", "out.jsonl"], 5, "no case was timed"),
    ],
)
def test_its_results_are_no_measurement(bench, words, code, said):
    name = bench.config(variants=["thread_per_row"])
    assert bench("-c", name, *SIMT, "-o", "out.jsonl").returncode == 0
    script = [sys.executable, str(ROOT / "scripts" / words[0]), *words[1:]]
    done = subprocess.run(script, cwd=bench.folder, capture_output=True, text=True, check=False)
    assert done.returncode == code and said in done.stdout + done.stderr
