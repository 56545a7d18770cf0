"""Output files: refused early, whole at every moment, parsable by anything strict."""

import csv
import io
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess

import pytest
from conftest import cases_of, read_results

OUTPUTS = {"--output": "out.jsonl", "--csv": "out.csv", "--markdown": "out.md"}


@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("no/such/dir/out", "does not exist"),
        (".", "is a folder"),
        ("sweep.json/out", "is not a folder"),
        ("/proc/out", "cannot be written"),
        ("sweep.json", "is also the config"),
        ("./sweep.json", "is also the config"),
    ],
)
def test_R02_bad_paths_are_refused_before_the_first_case(bench, option, path, part):
    name = bench.config()
    before = (bench.folder / name).read_bytes()
    done = bench("-c", name, option, path)
    assert done.returncode == 2 and done.stdout == ""
    assert option in done.stderr and path in done.stderr and part in done.stderr
    assert "[1/" not in done.stderr
    assert (bench.folder / name).read_bytes() == before


def test_R02_a_read_only_folder_is_refused(bench):
    folder = bench.folder / "locked"
    folder.mkdir(mode=0o555)
    command = [bench.binary, "-c", bench.config(), "-o", "locked/out.jsonl"]
    if os.geteuid() == 0:
        # Root may write anywhere unless it gives up that right.
        if shutil.which("setpriv") is None:
            pytest.skip("root may write to read-only folders, and setpriv is not installed")
        command = ["setpriv", "--bounding-set=-dac_override", *command]
    done = subprocess.run(command, cwd=bench.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "locked/out.jsonl" in done.stderr and "Permission denied" in done.stderr


def test_R02_two_outputs_may_not_be_one_file(bench):
    done = bench("-c", bench.config(), "-o", "out", "--csv", "./out")
    assert done.returncode == 2 and "--csv" in done.stderr and "--output" in done.stderr
    assert not (bench.folder / "out").exists()


@pytest.mark.parametrize("option", OUTPUTS)
def test_R02_a_full_device_is_no_success(bench, option):
    done = bench("-c", bench.config(), "--verify-only", option, "/dev/full")
    assert done.returncode == (2 if option == "--output" else 4)
    assert option in done.stderr and "write failed" in done.stderr


def only(count):
    """Files grow to `count` bytes and no further: a disk that fills up, without one to mount."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (count, count))

    return {"preexec_fn": limit}


def test_R02_a_disk_that_fills_up_keeps_the_last_good_file(bench):
    out = bench.folder / "out.jsonl"
    assert bench("-c", bench.config(), "--verify-only", "-o", out).returncode == 0
    before = out.read_bytes()
    # 300 cases of half a kilobyte and more do not fit.
    name = bench.config("many", shapes=[[rows, 8] for rows in range(1, 301)])
    done = bench("-c", name, "--verify-only", "-o", out, **only(64 * 1024))
    assert done.returncode == 4
    assert "File too large" in done.stderr
    assert out.read_bytes() == before
    (partial,) = bench.folder.glob("out.jsonl.partial-*")
    assert str(partial) in done.stderr
    assert 0 < len(cases_of(read_results(partial))) < 300
    # The summary is of what was measured, not of what was stored.
    assert f"of {len(cases_of(read_results(partial))) + 1} verified" in done.stdout


def test_R02_a_disk_that_is_full_at_the_start_is_refused(bench):
    out = bench.folder / "out.jsonl"
    done = bench("-c", bench.config(), "--verify-only", "-o", out, **only(100))
    assert done.returncode == 2 and "File too large" in done.stderr
    assert not out.exists()


def pipeline(bench, *words):
    """Runs it with all that it prints going to a reader that takes one line and ends."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [bench.binary, *words], cwd=bench.folder, stdout=write, stderr=subprocess.PIPE, text=True
    )
    os.close(write)
    with os.fdopen(read, "rb", buffering=0) as reader:
        while b"\n" not in reader.read(1):
            pass
    _, error = process.communicate(timeout=60)
    return process.returncode, error


def test_R02_results_for_a_reader_that_ends_are_no_success(bench):
    name = bench.config(shapes=[[rows, 8] for rows in range(1, 201)])
    code, error = pipeline(bench, "-c", name, "--verify-only", "--quiet", "-o", "/dev/fd/1")
    assert code == 4
    assert "--output '/dev/fd/1'" in error and "Broken pipe" in error
    assert "not run" in error


def test_R02_a_reader_of_the_progress_that_ends_costs_no_results(bench):
    name = bench.config(shapes=[[rows, 8] for rows in range(1, 201)])
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [bench.binary, "-c", name, "--verify-only", "-o", "out.jsonl", "--csv", "out.csv"],
        cwd=bench.folder,
        stdout=write,
        stderr=write,
    )
    os.close(write)
    assert done.returncode == 2
    lines = read_results(bench.folder / "out.jsonl")
    assert lines[-1]["complete"] is True and len(cases_of(lines)) == 200
    assert (bench.folder / "out.csv").read_bytes().count(b"\r\n") == 201


def test_a_refused_run_leaves_the_earlier_file(bench):
    name = bench.config()
    assert bench("-c", name, "--verify-only", "-o", "out.jsonl").returncode == 0
    before = (bench.folder / "out.jsonl").read_bytes()
    assert bench("-c", name, "-o", "out.jsonl", "--csv", "no/dir.csv").returncode == 2
    assert (bench.folder / "out.jsonl").read_bytes() == before
    assert sorted(p.name for p in bench.folder.iterdir()) == ["out.jsonl", "sweep.json"]


@pytest.mark.parametrize("pair", list(itertools.combinations(OUTPUTS, 2)))
@pytest.mark.parametrize("extra", [["--verify-only"], ["--quiet"], ["--verbose"]])
def test_R16_every_pair_of_outputs_is_parsable(bench, pair, extra):
    words = [word for option in pair for word in (option, OUTPUTS[option])]
    done = bench("-c", bench.config(shapes=[[4, 8], [1, 100]]), *words, *extra)
    assert done.returncode == 0, done.stderr
    if "--output" in pair:
        lines = read_results(bench.folder / "out.jsonl")
        assert len(cases_of(lines)) == 2 and lines[-1]["complete"] is True
    if "--csv" in pair:
        text = (bench.folder / "out.csv").read_bytes().decode()
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        assert len(rows) == 3 and len({len(row) for row in rows}) == 1
    if "--markdown" in pair:
        text = (bench.folder / "out.md").read_text()
        assert text.startswith("# redux-bench results\n") and "| 4x8 |" in text


def test_R16_cold_and_warm_are_two_timings(bench):
    name = bench.config(measure={"caches": ["warm", "cold"]})
    bench("-c", name, "-o", "out.jsonl", "--csv", "out.csv")
    (case,) = cases_of(read_results(bench.folder / "out.jsonl"))
    assert {t["cache"] for t in case["timings"]} == {"warm", "cold"}


def test_R16_five_hundred_cases(bench):
    name = bench.config(shapes=[[rows, 4] for rows in range(1, 501)])
    done = bench("-c", name, "--verify-only", "-o", "out.jsonl")
    assert done.returncode == 0
    lines = read_results(bench.folder / "out.jsonl")
    assert len({case["id"] for case in cases_of(lines)}) == 500
    assert lines[-1]["counts"]["ok"] == 500


def test_R16_control_bytes_and_broken_utf8_stay_parsable(hooks):
    name = hooks.config(variants=["hook_throws"])
    words = ("--verify-only", "-o", "out.jsonl", "--csv", "out.csv", "--markdown", "out.md")
    done = hooks("-c", name, *words)
    assert done.returncode == 4
    (case,) = cases_of(read_results(hooks.folder / "out.jsonl"))
    assert "\x01 control byte, \ufffd not UTF-8" in case["reason"]
    (row,) = csv.DictReader(io.StringIO((hooks.folder / "out.csv").read_bytes().decode()))
    assert row["reason"] == case["reason"]
    assert "\x01" not in done.stderr


@pytest.fixture(scope="session")
def locales(tmp_path_factory):
    """Locales with a decimal comma, made here so that the machine needs none."""
    folder = tmp_path_factory.mktemp("locales")
    for name in ("de_DE", "fr_FR"):
        try:
            done = subprocess.run(
                ["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"],
                capture_output=True,
            )
        except FileNotFoundError:
            pytest.skip("no locale with a decimal comma: localedef is not installed")
        if not (folder / f"{name}.UTF-8" / "LC_NUMERIC").exists():
            pytest.skip(f"no locale with a decimal comma: {done.stderr.decode()}")
    return folder


@pytest.mark.parametrize("name", ["de_DE.UTF-8", "fr_FR.UTF-8"])
def test_R09_numbers_do_not_depend_on_the_locale(hooks, locales, name):
    env = {"LC_ALL": name, "LOCPATH": str(locales), "REDUX_HOOK_SETLOCALE": "1"}
    config = hooks.config(measure={"max_seconds": 0.0125})
    for words in (["--dry-run", "--format", "json"], ["--dry-run"], ["--list"], ["--help"]):
        plain, local = hooks("-c", config, *words), hooks("-c", config, *words, env=env)
        assert plain.returncode == local.returncode == 0
        assert plain.stdout == local.stdout
    done = hooks(
        *("-c", config, "--max-seconds", "0.025", "-o", "out.jsonl", "--csv", "out.csv"), env=env
    )
    assert done.returncode == 0, done.stderr
    run, case, _ = read_results(hooks.folder / "out.jsonl")
    assert run["config"]["gate"]["threshold"] == 0.05
    assert run["measure"]["max_seconds"] == 0.025
    (row,) = csv.DictReader(io.StringIO((hooks.folder / "out.csv").read_bytes().decode()))
    assert float(row["median_us"]) == case["timings"][0]["median_us"]


@pytest.mark.parametrize("name", ["de_DE.UTF-8", "fr_FR.UTF-8"])
def test_R09_verified_results_are_byte_identical(hooks, locales, name):
    env = {"LC_ALL": name, "LOCPATH": str(locales), "REDUX_HOOK_SETLOCALE": "1"}
    config = hooks.config(dtypes=["float32", "float64"], data=["random", "specials"])
    path = hooks.folder / config
    gate = {"threshold": 0.05, "overrides": [{"match": "/4x", "threshold": 0.125}]}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"gate": gate}))
    written = []
    for extra in ({}, env):
        words = ("--verify-only", "-o", "out.jsonl", "--csv", "out.csv", "--markdown", "out.md")
        done = hooks("-c", config, *words, env=extra)
        assert done.returncode == 0
        assert read_results(hooks.folder / "out.jsonl")[0]["config"]["gate"] == gate
        lines = (hooks.folder / "out.jsonl").read_bytes().splitlines()
        cases = [line for line in lines if line.startswith(b'{"type":"case"')]
        assert len(cases) == 4
        table = (hooks.folder / "out.md").read_text().partition("## ")[2]
        printed = done.stdout.partition("cases")[0]
        written.append((cases, (hooks.folder / "out.csv").read_bytes(), table, printed))
    assert written[0] == written[1]
