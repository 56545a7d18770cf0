"""--gbench: what readers of google/benchmark's JSON find in it; and --handicap in results."""

import json
import pathlib
import statistics

import jsonschema
import pytest
from conftest import cases_of, read_results, strict_json

SCHEMA = json.loads((pathlib.Path(__file__).parent / "gbench.schema.json").read_text())
CACHES = {"measure": {"caches": ["cold", "warm"], "min_samples": 3, "max_samples": 3}}


def run(bench, *words, **sweep):
    name = bench.config(shapes=[[4, 8], [1, 100]], **sweep)
    done = bench("-c", name, "-o", "out.jsonl", "--gbench", "out.json", *words)
    assert done.returncode == 0, done.stderr
    found = strict_json((bench.folder / "out.json").read_text())
    jsonschema.validate(found, SCHEMA)
    return found, cases_of(read_results(bench.folder / "out.jsonl"))


def test_the_schema_is_one_and_refuses_what_readers_cannot_take():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for broken in ({}, {"context": {}, "benchmarks": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, SCHEMA)


def test_medians_are_one_row_a_timing_with_the_times_of_the_results(bench):
    found, cases = run(bench, **CACHES)
    rows = {row["name"]: row for row in found["benchmarks"]}
    assert len(rows) == len(found["benchmarks"]) == 4
    for case in cases:
        for timing in case["timings"]:
            row = rows[f"{case['id']}/{timing['mode']}/{timing['cache']}"]
            assert row["real_time"] == row["cpu_time"] == timing["median_us"]
            assert row["time_unit"] == "us"
            assert row["iterations"] == timing["n"] * timing["calls_per_sample"]


def test_repetitions_are_the_samples_and_their_aggregates(bench):
    found, cases = run(bench, "--gbench-rows", "repetitions", **CACHES)
    for case in cases:
        for timing in case["timings"]:
            name = f"{case['id']}/{timing['mode']}/{timing['cache']}"
            rows = [row for row in found["benchmarks"] if row["run_name"] == name]
            single = [row for row in rows if row["run_type"] == "iteration"]
            assert [row["real_time"] for row in single] == timing["samples_us"]
            assert [row["repetition_index"] for row in single] == [0, 1, 2]
            assert {row["name"] for row in single} == {name}
            aggregates = {r["aggregate_name"]: r["real_time"] for r in rows if r not in single}
            samples = timing["samples_us"]
            assert aggregates["mean"] == pytest.approx(statistics.fmean(samples))
            assert aggregates["median"] == timing["median_us"]
            assert aggregates["stddev"] == pytest.approx(statistics.stdev(samples))


def test_what_is_not_ok_is_left_out(hooks):
    name = hooks.config(variants=["*"], shapes=[[4, 8]])
    hooks("-c", name, "-o", "out.jsonl", "--gbench", "out.json", "--backend", "host")
    found = strict_json((hooks.folder / "out.json").read_text())
    jsonschema.validate(found, SCHEMA)
    cases = cases_of(read_results(hooks.folder / "out.jsonl"))
    ok = {case["id"] for case in cases if case["status"] == "ok"}
    assert ok and len(ok) < len(cases)
    named = {row["name"].removesuffix("/stream/warm") for row in found["benchmarks"]}
    assert named == ok


def test_gbench_files_are_refused_as_other_outputs_are(bench):
    name = bench.config()
    done = bench("-c", name, "--gbench", name)
    assert done.returncode == 2 and "is also the config" in done.stderr
    done = bench("-c", name, "--gbench", "out", "-o", "out")
    assert done.returncode == 2 and "--gbench" in done.stderr


@pytest.mark.parametrize(
    ("path", "part"), [("no/such/dir/out", "does not exist"), (".", "is a folder")]
)
def test_R02_bad_paths_are_refused_before_the_first_case(bench, path, part):
    done = bench("-c", bench.config(), "--gbench", path)
    assert done.returncode == 2 and done.stdout == ""
    assert "--gbench" in done.stderr and part in done.stderr and "[1/" not in done.stderr


def test_R02_a_full_device_is_no_success(bench):
    done = bench("-c", bench.config(), "--gbench", "/dev/full")
    assert done.returncode == 4 and "--gbench" in done.stderr and "write failed" in done.stderr


def test_a_handicap_is_in_the_header_and_said(bench):
    name = bench.config()
    done = bench("-c", name, "-o", "out.jsonl", "--handicap", "host_=1.5", "--handicap", "4x8=2")
    assert done.returncode == 0
    assert "slowed down on purpose" in done.stderr
    header = read_results(bench.folder / "out.jsonl")[0]
    assert header["handicap"] == [
        {"match": "host_", "factor": 1.5},
        {"match": "4x8", "factor": 2.0},
    ]
    assert bench("-c", name, "-o", "plain.jsonl").returncode == 0
    assert "handicap" not in read_results(bench.folder / "plain.jsonl")[0]


def test_a_handicap_that_matches_nothing(bench):
    done = bench("-c", bench.config(), "--handicap", "no_such=1.5")
    assert done.returncode == 0 and "'no_such' matches no selected case" in done.stderr
