"""What a run tells its caller, and what of it stands in the files."""

import csv
import io

import pytest
from conftest import cases_of, read_results

MISBEHAVING = ["hook_throws", "hook_out_of_bounds", "hook_writes_input", "hook_off_by_one"]


def run(hooks, variants, *words, **sweep):
    name = hooks.config(variants=variants, **sweep)
    done = hooks("-c", name, "--verify-only", "-o", "out.jsonl", *words)
    return done, {c["variant"]: c for c in cases_of(read_results(hooks.folder / "out.jsonl"))}


def test_all_ok_is_0(bench):
    done = bench("-c", bench.config(), "-o", "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert "1 of 1 measured: 1 ok" in done.stdout
    run_line, case, end = read_results(bench.folder / "out.jsonl")
    assert (run_line["type"], case["type"], end["type"]) == ("run", "case", "end")
    assert case["status"] == "ok" and case["reason"] == "" and case["verify"]["mismatches"] == 0
    assert case["timings"][0]["median_us"] > 0
    assert end["complete"] is True and sum(end["counts"].values()) == 1
    assert run_line["argv"][1:] == ["-c", "sweep.json", "-o", "out.jsonl"]


def test_R06_a_wrong_index_is_exit_3_and_named(hooks):
    done, cases = run(hooks, ["host_serial", "hook_off_by_one", "host_parallel"])
    assert done.returncode == 3
    wrong = cases["hook_off_by_one"]
    first = wrong["verify"]["first"]
    assert wrong["status"] == "wrong" and wrong["timings"] == []
    assert wrong["verify"]["mismatches"] >= 1
    assert (first["output"], first["position"]) == ("indices", 3)
    assert int(first["got"]) == int(first["expected"]) + 1
    assert cases["host_serial"]["status"] == cases["host_parallel"]["status"] == "ok"
    assert f"wrong: {wrong['id']}" in done.stderr
    assert f"reproduce: {wrong['repro']}" in done.stderr
    assert "2 of 3 verified: 2 ok, 1 wrong" in done.stdout and "WRONG" in done.stdout


def test_R06_a_wrong_time_is_offered_to_nobody(hooks):
    name = hooks.config(variants=["host_serial", "hook_off_by_one"])
    done = hooks("-c", name, "-o", "out.jsonl")
    assert done.returncode == 3
    cases = {c["variant"]: c for c in cases_of(read_results(hooks.folder / "out.jsonl"))}
    assert cases["hook_off_by_one"]["status"] == "wrong"
    assert cases["hook_off_by_one"]["gbps"] is None
    (row,) = [line.split() for line in done.stdout.splitlines() if line.startswith("4x8 ")]
    assert row[:2] == ["4x8", "host_serial"] and "WRONG" in row


def test_a_throwing_variant_is_an_error_and_exit_4(hooks):
    done, cases = run(hooks, ["hook_throws", "host_serial"])
    assert done.returncode == 4
    assert cases["hook_throws"]["status"] == "error"
    assert "thrown by hook_throws" in cases["hook_throws"]["reason"]
    assert cases["host_serial"]["status"] == "ok"
    assert "reproduce: " in done.stderr


def test_a_write_past_the_end_is_caught(hooks):
    done, cases = run(hooks, ["hook_out_of_bounds", "host_serial"])
    assert done.returncode in (3, 4)
    assert cases["hook_out_of_bounds"]["status"] in ("wrong", "error")
    assert "indices" in cases["hook_out_of_bounds"]["reason"]
    assert cases["host_serial"]["status"] == "ok"


def test_a_changed_input_is_caught(hooks):
    done, cases = run(hooks, ["hook_writes_input", "host_serial"])
    assert done.returncode in (3, 4)
    assert cases["hook_writes_input"]["status"] in ("wrong", "error")
    assert "input" in cases["hook_writes_input"]["reason"]
    assert cases["host_serial"]["status"] == "ok"


def test_a_wrong_case_outranks_an_error(hooks):
    done, _ = run(hooks, MISBEHAVING)
    assert done.returncode == 3


def test_R05_three_unsupported_cases_are_exit_5(hooks):
    done, cases = run(hooks, ["hook_unsupported"], shapes=[[1, 8], [2, 8], [3, 8]])
    assert done.returncode == 5
    assert "0 of 3 verified: 3 unsupported" in done.stdout
    assert cases["hook_unsupported"]["reason"] == "hook_unsupported supports nothing"
    assert "unsupported: argmax/hook_unsupported: 3 cases" in done.stderr


def test_unsupported_cases_beside_good_ones_are_no_fault(hooks):
    done, cases = run(hooks, ["hook_unsupported", "host_serial"])
    assert done.returncode == 0
    assert cases["hook_unsupported"]["status"] == "unsupported"
    assert "1 of 2 verified: 1 ok, 1 unsupported" in done.stdout and "unsup" in done.stdout


TOO_BIG = [[1, 1 << 40], [2, 1 << 40], [3, 1 << 40]]


def test_R05_three_cases_too_big_for_memory_are_exit_4(bench):
    done = bench("-c", bench.config(shapes=TOO_BIG, dtypes=["int64"]), "-o", "out.jsonl")
    assert done.returncode == 4
    assert "0 of 3 measured: 3 skipped" in done.stdout
    cases = cases_of(read_results(bench.folder / "out.jsonl"))
    assert [(case["status"], case["timings"]) for case in cases] == [("skipped", [])] * 3


def test_R05_allowed_skips_do_not_fail_a_run_that_measured_something(bench):
    name = bench.config(shapes=[[4, 8], TOO_BIG[0]])
    assert bench("-c", name, "--verify-only").returncode == 4
    assert bench("-c", name, "--verify-only", "--allow-skips").returncode == 0
    name = bench.config(shapes=TOO_BIG)
    assert bench("-c", name, "--verify-only", "--allow-skips").returncode == 5


def test_B17_a_case_without_timings_is_a_row_of_empty_cells(bench):
    name = bench.config(shapes=[[4, 8], TOO_BIG[0]], measure={"min_samples": 1, "max_samples": 1})
    done = bench("-c", name, "-o", "out.jsonl", "--csv", "out.csv", "--allow-skips")
    assert done.returncode == 0, done.stderr
    text = (bench.folder / "out.csv").read_bytes().decode()
    assert text.count("\r\n") == 3 and text.endswith("\r\n")
    one, none = csv.DictReader(io.StringIO(text, newline=""))
    assert one["n"] == "1" and float(one["median_us"]) > 0
    assert none["status"] == "skipped"
    assert none["median_us"] == none["mode"] == none["n"] == none["gbps"] == ""
    assert "nan" not in text.replace("nan=", "").lower() and "inf" not in text.lower()
    first, second = cases_of(read_results(bench.folder / "out.jsonl"))
    assert first["timings"][0]["n"] == 1 and second["timings"] == []


@pytest.mark.parametrize("value", ["", "-1"])
def test_R11_without_a_device_cuda_alone_is_exit_6(bench, value):
    env = {"CUDA_VISIBLE_DEVICES": value}
    operators = bench("--list-ops", "--format", "json").stdout
    if '"cuda"' not in operators:
        name, expected = bench.config(), 5  # no variant of CUDA is in this build at all
    else:
        name, expected = bench.config(variants=["*"]), 6
    done = bench("-c", name, "--backend", "cuda", "--verify-only", env=env)
    assert done.returncode == expected
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("redux-bench: ")


@pytest.mark.parametrize("value", ["", "-1"])
def test_R11_without_a_device_the_host_variants_run(bench, value):
    env = {"CUDA_VISIBLE_DEVICES": value}
    name = bench.config(variants=["*"])
    done = bench("-c", name, "--verify-only", "-o", "out.jsonl", env=env)
    assert done.returncode == 0, done.stderr
    sides = {case["backend"] for case in cases_of(read_results(bench.folder / "out.jsonl"))}
    assert sides == {"host"}
    for words in (["--help"], ["-c", name, "--list"], ["--list-ops"], ["-c", name, "--dry-run"]):
        assert bench(*words, env=env).returncode == 0


def test_R12_a_device_that_is_not_there_is_exit_6(bench):
    done = bench("-c", bench.config(), "--device", "63", "--verify-only")
    assert done.returncode == 6
    assert done.stderr.startswith("redux-bench: ") and done.stdout == ""


def test_several_configs_are_segments_of_one_file(bench):
    first = bench.config("one", shapes=[[1, 8]])
    second = bench.config("two", shapes=[[2, 8], [3, 8]])
    done = bench("-c", first, "-c", second, "--verify-only", "-o", "out.jsonl")
    assert done.returncode == 0
    lines = read_results(bench.folder / "out.jsonl")
    assert [line["type"] for line in lines] == ["run", "case", "end", "run", "case", "case", "end"]
    assert [lines[0]["config"]["name"], lines[3]["config"]["name"]] == ["one", "two"]
    assert lines[0]["run_id"] == lines[3]["run_id"]
    assert [lines[2]["counts"]["ok"], lines[6]["counts"]["ok"]] == [1, 2]
