"""--profile: what a profiler is told, and what a user is. A tool of our own records the ranges."""

import shutil
import subprocess

import pytest
from conftest import cases_of, read_results

ID = "argmax/host_serial/float32/4x8"
HOST = ("--backend", "host")


@pytest.fixture
def recorded(bench):
    """Runs the executable with NVTX recorded; returns the process and the events."""
    recorder = bench.binary.parent / "redux-nvtx-recorder.so"
    if not recorder.exists():
        pytest.skip("a build without CUDA marks no ranges")
    path = bench.folder / "ranges.txt"

    def run(*words):
        env = {"NVTX_INJECTION64_PATH": str(recorder), "REDUX_NVTX_RECORD": str(path)}
        done = bench(*words, env=env)
        return done, path.read_text().splitlines() if path.exists() else []

    return run


def ranges(events):
    """(depth, name, payload) of each range, in the order in which they were opened."""
    found, depth = [], 0
    for event in events:
        kind, domain, *rest = event.split(" ", 4)
        assert domain == "redux-bench"
        if kind == "push":
            registered, payload, name = rest
            assert registered == "registered"
            found.append((depth, name, int(payload)))
            depth += 1
        elif kind == "pop":
            depth -= 1
            assert depth >= 0
    assert depth == 0
    return found


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--profile", "0"], ["--profile", "'0'", "at least 1"]),
        (["--profile", "-1"], ["--profile"]),
        (["--profile", "two"], ["--profile", "'two'"]),
        (["--profile", "1.5"], ["--profile", "'1.5'"]),
        (["--profile="], ["--profile"]),
        (["--profile", "1", "2"], ["'2'"]),
        (["--profile", "--verify-only"], ["--verify-only", "--profile"]),
        (["--profile", "--handicap", "host=2"], ["--handicap", "--profile"]),
        (["--profile", "--gbench", "x.json"], ["--gbench", "--profile"]),
        (["--profile", "--max-seconds", "1"], ["--max-seconds", "--profile"]),
        (["--profile", "--min-samples", "1"], ["--min-samples", "--profile"]),
        (["--profile", "--backend", "simt"], ["--profile", "--backend simt"]),
        (["--profile-cold"], ["--profile-cold", "without --profile"]),
        (["--profile-cold=2", "--profile"], ["--profile-cold takes no value"]),
        (["--list", "--profile"], ["--profile", "--list"]),
    ],
)
def test_usage_errors(bench, words, parts):
    done = bench("-c", bench.config(), *words)
    assert done.returncode == 2, done.stderr
    for part in parts:
        assert part in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "calls", "said"),
    [
        (["--profile"], 1, "called once"),
        (["--profile", "3"], 3, "called 3 times"),
        (["--profile=2", "--profile-cold"], 2, "called 2 times"),
    ],
)
def test_a_host_variant_is_called_and_verified_and_has_nothing_to_capture(
    bench, words, calls, said
):
    done = bench("-c", bench.config(), *HOST, *words, "-o", "out.jsonl", "--csv", "out.csv")
    assert done.returncode == 0, done.stderr
    assert said in done.stderr and "no kernels for a profiler to capture" in done.stderr
    assert "1 of 1 verified: 1 ok" in done.stdout
    run, *_ = lines = read_results(bench.folder / "out.jsonl")
    assert run["selection"]["profile"] == calls and run["selection"]["verify_only"] is True
    assert run["floor_us"] == {"graph": None, "stream": None, "host": None}
    (case,) = cases_of(lines)
    assert case["status"] == "ok" and case["timings"] == []
    assert case["verify"]["checked"] == 4 * (calls if "--profile-cold" in words else 1)


def test_the_option_may_stand_before_another(bench):
    name = bench.config()
    for words in (["--profile", "-c", name, *HOST], ["-c", name, *HOST, "--profile"]):
        assert bench(*words).returncode == 0


def test_a_wrong_result_is_still_one_and_is_reproduced_under_the_profiler(hooks):
    name = hooks.config(variants=["hook_off_by_one"])
    done = hooks("-c", name, *HOST, "--profile", "2")
    assert done.returncode == 3
    assert "--profile 2" in done.stderr.split("reproduce:")[1]


def test_a_case_is_a_range_and_its_phases_are_in_it(bench, recorded):
    done, events = recorded("-c", bench.config(), *HOST, "--profile", "3")
    assert done.returncode == 0, done.stderr
    bytes_moved = 4 * 8 * 4 + 4 * 8
    # The case's range is opened again for what is captured: a range that was open before the
    # capture started is not in a timeline of it.
    assert ranges(events) == [
        (0, ID, bytes_moved),
        (1, "warmup", 1),
        (0, ID, bytes_moved),
        (1, "timed", 3),
        (0, ID, bytes_moved),
        (1, "verify", 1),
    ]


def test_a_measured_case_is_one_range(bench, recorded):
    done, events = recorded("-c", bench.config(), *HOST, "-o", "out.jsonl")
    assert done.returncode == 0, done.stderr
    (timing,) = cases_of(read_results(bench.folder / "out.jsonl"))[0]["timings"]
    found = ranges(events)
    assert [name for depth, name, _ in found if depth == 0] == [ID]
    timed = [payload for _, name, payload in found if name == "timed"]
    assert timed == [timing["calls_per_sample"]] * (timing["n"] + timing["invalid_samples"])
    assert [name for _, name, _ in found][-1] == "verify"


def test_N12_any_case_id_is_the_name_of_its_range(bench, recorded):
    sweep = {"op": "cummax", "shapes": [[4, 8], [2, 3, 5]], "axis": 0, "data": ["ties"]}
    done, events = recorded("-c", bench.config(**sweep), *HOST, "--profile")
    assert done.returncode == 0, done.stderr
    listed = bench("-c", bench.config(**sweep), *HOST, "--list").stdout.split()
    named = {name for depth, name, _ in ranges(events) if depth == 0}
    assert named == {word for word in listed if word.startswith("cummax/")} and len(named) == 2


def has_gpu():
    smi = shutil.which("nvidia-smi")
    return (
        smi is not None
        and "GPU " in subprocess.run([smi, "-L"], capture_output=True, text=True).stdout
    )


@pytest.mark.skipif(not has_gpu(), reason="needs a GPU")
@pytest.mark.parametrize("env", [{}, {"CUDA_MODULE_LOADING": "LAZY", "CUDA_LAUNCH_BLOCKING": "1"}])
@pytest.mark.parametrize("words", [[], ["--profile-cold"]])
def test_N01_every_cuda_variant_can_be_profiled(bench, env, words):
    name = bench.config(variants=["*"], shapes=[[64, 4096], [1, 65537]])
    out = ("-o", "out.jsonl")
    done = bench("-c", name, "--backend", "cuda", "--profile", "3", *words, *out, env=env)
    assert done.returncode == 0, done.stderr
    for case in cases_of(read_results(bench.folder / "out.jsonl")):
        assert case["status"] in ("ok", "unsupported"), case
        if case["status"] == "ok" and case["launch"]["occupancy"] is not None:
            assert case["launch"]["waves"] > 0
