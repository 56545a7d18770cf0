"""--resume: what a file holds is not measured again, and what it lacks is added to it."""

import json
import signal
import subprocess

import pytest
from conftest import cases_of, read_results, stop, wait_for_cases

SHAPES = [[rows, 8] for rows in range(1, 7)]


@pytest.fixture
def hooks(ending_hooks):
    return ending_hooks


def latest(path):
    """Of each id its last line, as a reader takes it."""
    return {case["id"]: case for case in cases_of(read_results(path))}


def edit(path, change):
    """Rewrites a file line by line."""
    lines = read_results(path)
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


@pytest.fixture
def half(hooks):
    """A run of six slow cases that was interrupted; the words that resume it, and its file."""
    name = hooks.config(variants=["hook_slow"], shapes=SHAPES)
    out = hooks.folder / "out.jsonl"
    process = hooks.start("-c", name, "--verify-only", "-o", out.name)
    wait_for_cases(out, 2)
    returncode, _ = stop(process, signal.SIGINT)
    assert returncode == 130 and 2 <= len(latest(out)) < 6
    return ("-c", name, "--verify-only", "--resume", out.name), out


def test_the_rest_is_added_to_the_file(hooks, half):
    words, out = half
    before = out.read_bytes()
    held = len(latest(out))
    done = hooks(*words, "--csv", "out.csv")
    assert done.returncode == 0, done.stderr
    assert f"holds {held} of the 6 cases; {6 - held} to run" in done.stderr
    assert out.read_bytes().startswith(before)
    lines = read_results(out)
    assert len(cases_of(lines)) == 6 and lines[-1]["complete"] is True
    headers = [line for line in lines if line["type"] == "run"]
    assert len(headers) == 2 and headers[0]["run_id"] == headers[1]["run_id"]
    assert lines[-1]["counts"]["ok"] == 6 - held
    # Tables are of the whole, in the order of the config.
    assert "6 of 6 verified: 6 ok" in done.stdout
    rows = (hooks.folder / "out.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0].rsplit("/")[-1] for row in rows] == [f"{n}x8" for n in range(1, 7)]


def test_a_finished_file_is_left_as_it_is(hooks, half):
    words, out = half
    assert hooks(*words).returncode == 0
    before = out.read_bytes()
    done = hooks(*words, "-o", "./out.jsonl")
    assert done.returncode == 0 and "6 of 6 verified: 6 ok" in done.stdout
    assert "holds 6 of the 6 cases; 0 to run" in done.stderr
    assert out.read_bytes() == before


def test_a_file_without_its_last_line_gets_one(hooks, half):
    words, out = half
    assert hooks(*words).returncode == 0
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:-1]))
    assert hooks(*words).returncode == 0
    lines = read_results(out)
    assert [line["type"] for line in lines[-2:]] == ["run", "end"] and lines[-1]["complete"] is True


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_torn_last_line_is_cut_off(hooks, half, cut):
    words, out = half
    lines = out.read_bytes().splitlines(keepends=True)
    assert b'"end"' in lines[-1]
    torn = b"".join(lines[:-1])[:-cut]
    out.write_bytes(torn)
    done = hooks(*words)
    assert done.returncode == 0, done.stderr
    assert "its last line was cut short and is left out" in done.stderr
    assert read_results(out)[-1]["complete"] is True and len(latest(out)) == 6


def test_a_missing_file_is_begun_and_an_empty_one_too(bench):
    words = ("-c", bench.config(), "--verify-only", "--resume", "new.jsonl")
    done = bench(*words)
    assert done.returncode == 0 and "there is no 'new.jsonl' yet" in done.stderr
    (bench.folder / "new.jsonl").write_bytes(b"")
    done = bench(*words)
    assert done.returncode == 0 and "holds 0 of the 1 cases" in done.stderr
    assert read_results(bench.folder / "new.jsonl")[-1]["complete"] is True


@pytest.mark.parametrize(
    ("variant", "again"),
    [("hook_crashes", True), ("hook_throws", True), ("hook_off_by_one", False)],
)
def test_what_failed_runs_again_and_what_is_wrong_stays_wrong(hooks, variant, again):
    name = hooks.config(variants=["host_serial", variant, "hook_unsupported"])
    words = ("-c", name, "--verify-only", "--resume", "out.jsonl")
    first = hooks(*words)
    second = hooks(*words)
    assert first.returncode == second.returncode == (4 if again else 3)
    assert f"holds {2 if again else 3} of the 3 cases" in second.stderr
    assert second.stdout == first.stdout
    assert f": argmax/{variant}/float32/4x8: " in second.stderr
    assert len(cases_of(read_results(hooks.folder / "out.jsonl"))) == (4 if again else 3)


@pytest.mark.parametrize(
    ("path", "value", "part"),
    [
        (("config", "sha256"), "0" * 64, "another config"),
        (("tool", "git"), "0123456789ab", "another binary"),
        (("tool", "version"), "0.0.1", "another binary"),
        (("tool", "build_id"), "00", "another binary"),
        (("env", "compiler"), "g++ 1.0", "another binary"),
        (("env", "host"), "elsewhere", "another machine"),
        (("env", "cpu"), "Some CPU", "another machine"),
        (("env", "gpu"), {"name": "NVIDIA H200", "uuid": "GPU-1"}, "another device"),
    ],
)
def test_another_machine_config_or_binary_is_exit_6(hooks, half, path, value, part):
    words, out = half

    def change(line):
        if line["type"] == "run":
            line[path[0]][path[1]] = value

    edit(out, change)
    before = out.read_bytes()
    done = hooks(*words)
    assert done.returncode == 6 and done.stdout == "" and done.stderr.count("\n") == 1
    assert part in done.stderr and f"/{path[0]}/{path[1]}" in done.stderr
    assert "there and" in done.stderr and "now" in done.stderr
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("extra", "part"),
    [
        (["--filter", "/1x8$"], "/selection"),
        (["--shard", "1/2"], "/selection"),
        (["--max-samples", "7"], "/measure"),
        (["--seed", "7"], "the seed of argmax/hook_slow/float32/1x8 is 42 there and 7 now"),
        (["-o", "other.jsonl"], "is not the file of --resume"),
    ],
)
def test_other_options_are_exit_2(hooks, half, extra, part):
    words, out = half
    before = out.read_bytes()
    done = hooks(*words, *extra)
    assert done.returncode == 2 and done.stdout == ""
    assert part in done.stderr
    assert out.read_bytes() == before and not (hooks.folder / "other.jsonl").exists()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{}\n{}\n", "out.jsonl:1: is no line of a results file"),
        ('not JSON\n{"type":"run"}\n', "out.jsonl:1: is no line of a results file"),
        ('{"type":"case","id":"x"}\n', "a 'run' line has to come first"),
        ('{"type":"run","schema":2,"run_id":"x"}\n', "its schema is 2, this program writes 1"),
        ("[]\n", "out.jsonl:1: is no line"),
        ("7\n", "out.jsonl:1: is no line"),
    ],
)
def test_what_is_no_results_file_is_refused(bench, text, part):
    (bench.folder / "out.jsonl").write_text(text)
    done = bench("-c", bench.config(), "--verify-only", "--resume", "out.jsonl")
    assert done.returncode == 2 and part in done.stderr, done.stderr
    assert (bench.folder / "out.jsonl").read_text() == text


def test_a_case_line_that_lacks_something_is_refused(hooks, half):
    words, out = half
    edit(out, lambda line: line.pop("verify", None))
    done = hooks(*words)
    assert done.returncode == 2 and "out.jsonl:2: is no line of a results file" in done.stderr


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/dev/fd/1", "is no file that can be continued"),
        (".", "is a folder"),
        ("no/dir/out.jsonl", "does not exist"),
        ("sweep.json", "is also the config"),
        ("", "--resume"),
    ],
)
def test_bad_paths_are_refused(bench, path, part):
    done = bench("-c", bench.config(), "--verify-only", "--resume", path)
    assert done.returncode == 2 and part in done.stderr and "--resume" in done.stderr


@pytest.mark.parametrize("extra", [["--list"], ["--dry-run"], ["--profile"]])
def test_it_has_no_meaning_for_what_writes_no_times(bench, extra):
    done = bench("-c", bench.config(), "--resume", "out.jsonl", *extra)
    assert done.returncode == 2 and "--resume" in done.stderr and extra[0] in done.stderr


def test_a_file_that_is_being_written_is_not_resumed(hooks):
    name = hooks.config(variants=["hook_hangs"])
    process = hooks.start("-c", name, "--verify-only", "-o", "out.jsonl")
    wait_for_cases(hooks.folder / "out.jsonl", 0)
    done = hooks("-c", name, "--verify-only", "--resume", "out.jsonl")
    assert done.returncode == 2 and "another process writes to it" in done.stderr
    stop(process, signal.SIGINT, signal.SIGINT, pause=0.1)


def test_the_last_of_several_runs_in_a_file_is_continued(hooks, half):
    words, out = half
    text = out.read_text()
    run_id = read_results(out)[0]["run_id"]
    out.write_text(text.replace(run_id, "earlier-round") + text)
    assert hooks(*words).returncode == 0
    lines = read_results(out)
    assert {line["run_id"] for line in lines if line["type"] == "run"} == {"earlier-round", run_id}
    assert lines[-1]["complete"] is True and len(latest(out)) == 6


def test_of_two_configs_each_is_continued(hooks):
    first = hooks.config("one", variants=["hook_slow"], shapes=SHAPES)
    second = hooks.config("two", variants=["hook_slow"], shapes=[[9, 8], [10, 8]])
    words = ("-c", first, "-c", second, "--verify-only")
    out = hooks.folder / "out.jsonl"
    process = hooks.start(*words, "-o", out.name)
    wait_for_cases(out, 7)
    stop(process, signal.SIGKILL)
    done = hooks(*words, "--resume", out.name)
    assert done.returncode == 0 and "8 of 8 verified: 8 ok" in done.stdout
    lines = read_results(out)
    assert len(cases_of(lines)) == 8
    assert [line["config"]["name"] for line in lines if line["type"] == "run"] == [
        *("one", "two", "two"),
    ]


def test_a_measured_file_keeps_its_times(hooks):
    name = hooks.config(variants=["host_serial", "hook_throws"])
    words = ("-c", name, "--resume", "out.jsonl", "--csv", "out.csv")
    assert hooks(*words).returncode == 4
    rows = (hooks.folder / "out.csv").read_bytes()
    assert hooks(*words).returncode == 4
    assert (hooks.folder / "out.csv").read_bytes() == rows


def test_a_full_disk_is_no_obstacle_to_going_on_later(hooks, half):
    """A write that fails leaves whole lines behind, and the next run has the rest."""
    words, out = half
    size = out.stat().st_size + 1500  # room for a header and no more
    limited = ["prlimit", f"--fsize={size}", hooks.binary, *words]
    done = subprocess.run(
        ["env", "--ignore-signal=SIGXFSZ", *limited],
        cwd=hooks.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert "write failed" in done.stderr and "the cases before are in" in done.stderr
    read_results(out)
    assert hooks(*words).returncode == 0 and len(latest(out)) == 6
