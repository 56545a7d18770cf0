"""Each option and each usage error; nothing here measures."""

import os
import subprocess

import pytest
from conftest import cases_of, read_results, strict_json

SHAPES = [[1, 32], [2, 32], [3, 32], [4, 32], [5, 32]]
IDS = [f"argmax/host_serial/float32/{rows}x32" for rows in range(1, 6)]


def test_help_is_grouped_and_has_two_examples(bench):
    done = bench("--help")
    assert done.returncode == 0 and done.stderr == ""
    groups = [done.stdout.index(f"\n{g}:") for g in ("Selection", "Running", "Output")]
    assert groups == sorted(groups) and "\nInformation:" in done.stdout
    assert done.stdout.split("Examples:")[1].count("\n  redux-bench ") == 2
    assert bench("-h").stdout == done.stdout


def test_version(bench):
    done = bench("--version")
    assert done.returncode == 0
    assert done.stdout.split()[0] == "redux-bench" and done.stdout.split()[1][0].isdigit()


def test_without_anything_it_says_what_to_give(bench):
    done = bench()
    assert done.returncode == 2 and done.stdout == ""
    assert "--config" in done.stderr


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--confg", "a.json"], ["--confg", "did you mean", "--config"]),
        (["--verfy-only"], ["--verfy-only", "did you mean", "--verify-only"]),
        (["--op", "not_an_op"], ["'--op'"]),
        (["sweep.json"], ["unexpected argument", "--config sweep.json"]),
        (["--config"], ["--config"]),
        (["--seed"], ["--seed"]),
        (["--seed", "-1"], ["--seed", "'-1'", "0 to 18446744073709551615"]),
        (["--seed", "18446744073709551616"], ["--seed", "18446744073709551615"]),
        (["--seed", "1.5"], ["--seed", "'1.5'"]),
        (["--seed", "1", "--seed", "2"], ["--seed"]),
        (["--min-samples", "0"], ["--min-samples", "at least 1"]),
        (["--max-samples", "ten"], ["--max-samples", "'ten'"]),
        (["--min-samples", "9", "--max-samples", "3"], ["--min-samples 9", "--max-samples 3"]),
        (["--max-samples", "1"], ["min_samples 2", "--max-samples"]),
        (["--max-seconds", "0"], ["--max-seconds", "above 0"]),
        (["--max-seconds", "nan"], ["--max-seconds", "'nan'"]),
        (["--max-seconds", "0,5"], ["--max-seconds", "'0,5'"]),
        (["--handicap", "host"], ["--handicap", "'host'", "REGEX=FACTOR"]),
        (["--handicap", "=1.5"], ["--handicap", "REGEX=FACTOR"]),
        (["--handicap", "host=1"], ["--handicap", "above 1"]),
        (["--handicap", "host=nan"], ["--handicap", "above 1"]),
        (["--handicap", "host=1e9"], ["--handicap", "above 1"]),
        (["--handicap", "(=1.5"], ["--handicap", "'('", "regular expression"]),
        (["--handicap", "host=1.5", "--verify-only"], ["--handicap", "--verify-only"]),
        (["--handicap", "host=1.5", "--list"], ["--handicap", "--list"]),
        (["--gbench", "x.json", "--list"], ["--gbench", "--list"]),
        (["--gbench", "x.json", "--verify-only"], ["--gbench", "--verify-only"]),
        (["--gbench-rows", "median"], ["--gbench-rows", "without --gbench"]),
        (["--gbench", "x", "--gbench-rows", "all"], ["--gbench-rows", "median or repetitions"]),
        (["--shard", "0/4"], ["--shard", "1/4 to 4/4"]),
        (["--shard", "5/4"], ["--shard", "'5/4'"]),
        (["--shard", "1"], ["--shard", "I/N"]),
        (["--shard", "1/"], ["--shard", "I/N"]),
        (["--device", "abc"], ["--device", "'abc'", "0, 1, 2"]),
        (["--device", "-1"], ["--device", "'-1'"]),
        (["--device", "0", "--backend", "host"], ["--device", "--backend host"]),
        (["--backend", "hots"], ["--backend", "'hots'", "did you mean 'host'"]),
        (["--color", "blue"], ["--color", "auto, always or never"]),
        (["--list", "--format", "xml"], ["--format", "text, json or markdown"]),
        (["--format", "json"], ["--format", "--list"]),
        (["--list", "--env"], ["--list", "--env", "exclude"]),
        (["--list", "-o", "x.jsonl"], ["--output", "--list"]),
        (["--verify-only=7"], ["--verify-only takes no value", "'7'"]),
        (["--quiet", "--verbose"], ["--quiet", "--verbose"]),
        (["--filter", "("], ["--filter", "'('", "regular expression"]),
        (["--exclude", "["], ["--exclude", "'['", "regular expression"]),
    ],
)
def test_usage_errors(bench, words, parts):
    done = bench("-c", bench.config(), *words)
    assert done.returncode == 2, done.stderr
    for part in parts:
        assert part in done.stderr
    assert done.stdout == ""


def test_list_prints_one_id_a_line(bench):
    done = bench("-c", bench.config(shapes=SHAPES), "--list")
    assert (done.returncode, done.stdout.splitlines()) == (0, IDS)


def test_list_as_json_and_markdown(bench):
    name = bench.config(shapes=SHAPES, tags=["decode"])
    listed = strict_json(bench("-c", name, "--list", "--format", "json").stdout)
    assert [entry["id"] for entry in listed] == IDS
    assert listed[0]["tags"] == ["decode"] and listed[0]["backend"] == "host"
    table = bench("-c", name, "--list", "--format", "markdown").stdout.splitlines()
    assert len(table) == 2 + len(IDS) and table[2].startswith(f"| {IDS[0]} |")


def test_F15_filter_and_exclude_are_searched_in_the_id(bench):
    name = bench.config(shapes=SHAPES)
    assert bench("-c", name, "--list", "-k", "/[23]x").stdout.splitlines() == IDS[1:3]
    assert bench("-c", name, "--list", "--exclude", "/[23]x").stdout.splitlines() == [
        IDS[0],
        *IDS[3:],
    ]


@pytest.mark.parametrize("words", [["--list"], ["--dry-run"], [], ["-o", "out.jsonl"]])
def test_F15_a_filter_that_matches_nothing_is_exit_5(bench, words):
    done = bench("-c", bench.config(), "--filter", "nomatch", *words)
    assert done.returncode == 5
    assert "no case matches" in done.stderr and "nomatch" in done.stderr
    assert not (bench.folder / "out.jsonl").exists()


def test_F15_an_empty_sweep_is_exit_2(bench):
    done = bench("-c", bench.config(dtypes=[]), "--list")
    assert done.returncode == 2 and "dtypes" in done.stderr


def test_shards_are_a_partition(bench):
    name = bench.config(shapes=SHAPES)
    parts = [bench("-c", name, "--list", "--shard", f"{i}/3").stdout.split() for i in (1, 2, 3)]
    assert parts == [IDS[0::3], IDS[1::3], IDS[2::3]]
    empty = bench("-c", name, "--list", "--shard", "6/6")
    assert empty.returncode == 5 and "--shard 6/6" in empty.stderr


def test_all_faults_of_all_configs_are_reported_together(bench):
    first = bench.config("one", op="argmx")
    second = bench.config("two", dtypes=["float31"])
    done = bench("-c", first, "-c", second, "-c", "missing.json")
    assert done.returncode == 2
    for part in ("one.json", "argmax", "two.json", "float32", "missing.json"):
        assert part in done.stderr


def test_equal_ids_of_two_configs_run_once_with_a_notice(bench):
    first = bench.config("one", shapes=SHAPES[:2])
    second = bench.config("two", shapes=SHAPES[1:3])
    done = bench("-c", first, "-c", second, "--list")
    assert done.stdout.splitlines() == IDS[:3]
    assert "two.json" in done.stderr and IDS[1] in done.stderr


def test_a_config_given_twice_is_refused(bench):
    name = bench.config()
    done = bench("-c", name, "-c", name, "--list")
    assert done.returncode == 2 and "twice" in done.stderr


def test_R15_an_unknown_op_or_variant_says_what_there_is(bench):
    done = bench("-c", bench.config(op="argmux"), "--list")
    assert done.returncode == 2 and "argmax" in done.stderr
    done = bench("-c", bench.config(variants=["host_seriel"]), "--list")
    assert done.returncode == 2 and "host_serial" in done.stderr


def test_list_ops_names_every_variant_with_a_line(bench):
    ops = {op["op"]: op for op in strict_json(bench("--list-ops", "--format", "json").stdout)}
    assert {"argmax", "argmin"} <= set(ops)
    text = bench("--list-ops").stdout
    markdown = bench("--list-ops", "--format", "markdown").stdout
    for op in ops.values():
        assert f"{op['op']}: {op['about']}" in text
        assert {v["name"] for v in op["variants"]} >= {"host_serial"}
        for variant in op["variants"]:
            assert variant["about"] and "\n" not in variant["about"]
            assert variant["about"] in text
            assert f"| {variant['name']} | {variant['backend']} |" in markdown


def test_dry_run_estimates_and_runs_nothing(bench):
    name = bench.config(shapes=[[4, 1024]], measure={"caches": ["cold", "warm"]})
    done = bench("-c", name, "--dry-run", "--format", "json")
    assert done.returncode == 0
    plan = strict_json(done.stdout)
    assert [case["id"] for case in plan["cases"]] == ["argmax/host_serial/float32/4x1024"]
    assert plan["largest_memory_bytes"] == 4 * 1024 * 4 + 4 * 8
    assert plan["seconds"] == pytest.approx(2 * 0.01)  # two timings of max_seconds
    text = bench("-c", name, "--dry-run").stdout
    assert "4x1024" in text and "16.0 KiB" in text and "nothing was run" in text


def test_env_is_json_and_needs_no_gpu(bench):
    done = bench("--env", env={"CUDA_VISIBLE_DEVICES": ""})
    assert done.returncode == 0
    facts = strict_json(done.stdout)
    assert facts["env"]["host"] and facts["env"]["cpu_threads"] == os.cpu_count()
    assert facts["env"]["gpu"] is None and facts["tool"]["version"]


def test_overrides_reach_the_measurement_and_the_header(bench):
    done = bench(
        *("-c", bench.config(), "-o", "out.jsonl", "--seed", "18446744073709551615"),
        *("--min-samples", "4", "--max-samples", "4", "--max-seconds", "0.5"),
    )
    assert done.returncode == 0, done.stderr
    run, case, _ = read_results(bench.folder / "out.jsonl")
    assert run["measure"]["min_samples"] == run["measure"]["max_samples"] == 4
    assert run["measure"]["max_seconds"] == 0.5
    assert case["seed"] == 18446744073709551615
    assert case["timings"][0]["n"] == 4 == len(case["timings"][0]["samples_us"])
    assert "--seed 18446744073709551615" in case["repro"]


def test_the_reproduction_line_selects_just_its_case(bench):
    name = bench.config(shapes=[[1, 32], [11, 32], [1, 320]])
    bench("-c", name, "--verify-only", "-o", "out.jsonl")
    for case in cases_of(read_results(bench.folder / "out.jsonl")):
        command = case["repro"].replace("redux-bench", str(bench.binary), 1) + " --list"
        assert os.popen(f"cd '{bench.folder}' && {command}").read().split() == [case["id"]]


def test_colour_only_where_asked_for(bench):
    words = ("-c", bench.config(), "--max-seconds", "0.01")
    assert "\x1b[" in bench(*words, "--color", "always").stdout
    assert "\x1b[" not in bench(*words, "--color", "never").stdout
    assert "\x1b[" not in bench(*words).stdout  # no terminal


def test_quiet_and_verbose(bench):
    name = bench.config()
    quiet = bench("-c", name, "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    verbose = bench("-c", name, "--verbose")
    assert "every timing" in verbose.stdout and "stream warm" in verbose.stdout
    assert "every timing" not in bench("-c", name).stdout


def test_progress_is_on_stderr_alone(bench):
    done = bench("-c", bench.config(shapes=SHAPES), "--verify-only")
    assert [line.split()[0] for line in done.stderr.splitlines()] == [
        f"[{i}/5]" for i in range(1, 6)
    ]
    assert "[1/5]" not in done.stdout and done.stdout.endswith("5 of 5 verified: 5 ok\n")


def test_verify_only_times_nothing(bench):
    done = bench("-c", bench.config(), "--verify-only", "-o", "out.jsonl")
    assert done.returncode == 0, done.stderr
    run, case, end = read_results(bench.folder / "out.jsonl")
    assert case["timings"] == [] and case["gbps"] is None and case["verify"]["checked"] == 4
    assert run["ceiling_gbps"]["host_read"] is None and end["counts"]["ok"] == 1


def test_a_full_standard_output_is_no_success(bench):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [bench.binary, "--list-ops"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2 and b"write failed" in done.stderr
