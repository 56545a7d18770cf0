"""A case that ends its process, or never ends, costs that case and nothing else."""

import resource
import signal
import subprocess
import time

import pytest
from conftest import cases_of, read_results, stop, wait_for_cases
from processes import children, gone, worker_of


@pytest.fixture
def hooks(ending_hooks):
    return ending_hooks


def sweep(hooks, bad, *words, **kwargs):
    """Runs four cases of which `bad` is the second; returns the process and them by variant."""
    name = hooks.config(variants=["host_serial", bad, "host_parallel", "hook_slow"])
    done = hooks("-c", name, "--verify-only", "-o", "out.jsonl", *words, **kwargs)
    lines = read_results(hooks.folder / "out.jsonl")
    assert lines[-1]["complete"] is True
    cases = {case["variant"]: case for case in cases_of(lines)}
    others = {case["status"] for variant, case in cases.items() if variant != bad}
    assert len(cases) == 4 and others == {"ok"}
    return done, cases[bad]


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        ("hook_crashes", "was ended by SIGSEGV (Segmentation fault)"),
        ("hook_aborts", "was ended by SIGABRT (Aborted)"),
        ("hook_killed", "was ended by SIGKILL, as the kernel does where memory runs out"),
        ("hook_exits", "ended with exit code 9"),
    ],
)
def test_R08_a_case_that_ends_its_process_is_an_error(hooks, bad, part):
    done, case = sweep(hooks, bad)
    assert done.returncode == 4
    assert case["status"] == "error" and case["timings"] == []
    assert case["reason"] == f"the worker process {part} while it ran this case"
    assert f"error: {case['id']}" in done.stderr and f"reproduce: {case['repro']}" in done.stderr
    assert "3 of 4 verified: 3 ok, 1 error" in done.stdout


def test_a_case_that_hangs_is_a_timeout(hooks):
    started = time.monotonic()
    done, case = sweep(hooks, "hook_hangs", "--timeout", "0.5")
    assert time.monotonic() - started < 30
    assert done.returncode == 4
    assert case["status"] == "timeout"
    assert case["reason"] == "took longer than 0.5 s (--timeout) and was killed"
    assert "3 of 4 verified: 3 ok, 1 timeout" in done.stdout


def test_R03_running_out_of_host_memory_is_skipped(hooks):
    limit = 1 << 30  # bytes of address space

    def narrow():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    done, case = sweep(hooks, "hook_eats_memory", preexec_fn=narrow)
    assert done.returncode == 4
    assert case["status"] == "skipped" and "too little memory" in case["reason"]


def test_R03_the_worker_is_what_the_kernel_takes_first(hooks):
    process = hooks.start("-c", hooks.config(variants=["hook_hangs"]), "--verify-only")
    worker = worker_of(process)
    deadline = time.monotonic() + 10
    score = None
    while score != "1000" and time.monotonic() < deadline:
        with open(f"/proc/{worker}/oom_score_adj") as file:
            score = file.read().strip()
    assert score == "1000"
    with open(f"/proc/{process.pid}/oom_score_adj") as file:
        assert file.read().strip() != "1000"
    stop(process, signal.SIGTERM, signal.SIGTERM, pause=0.1)


def test_a_clock_that_stands_still_is_no_time(hooks):
    name = hooks.config(variants=["hook_takes_no_time", "host_serial"])
    done = hooks("-c", name, "-o", "out.jsonl")
    assert done.returncode == 4
    cases = {c["variant"]: c for c in cases_of(read_results(hooks.folder / "out.jsonl"))}
    bad = cases["hook_takes_no_time"]
    assert bad["status"] == "invalid_timing" and "positive, finite time" in bad["reason"]
    assert bad["timings"][0]["median_us"] is None and bad["timings"][0]["invalid_samples"] > 0
    assert cases["host_serial"]["status"] == "ok"


def worker_during(hooks, variant, *words):
    name = hooks.config(variants=["host_serial", variant])
    process = hooks.start("-c", name, "--verify-only", "-o", "out.jsonl", *words)
    wait_for_cases(hooks.folder / "out.jsonl", 1)
    return process, worker_of(process)


def test_R08_damaged_memory_is_left_to_its_process(hooks):
    """What ran in the process of a wild write is not vouched for, so nothing else runs there."""
    shapes = [[rows, 8] for rows in range(1, 4)]
    name = hooks.config(variants=["hook_out_of_bounds", "host_serial"], shapes=shapes)
    process = hooks.start("-c", name, "--verify-only", "-o", "out.jsonl")
    seen = set()
    while process.poll() is None:
        seen.update(children(process.pid))
        time.sleep(0.0005)
    process.communicate()
    assert process.returncode == 3
    assert len(seen) >= 2
    statuses = {
        c["variant"]: c["status"] for c in cases_of(read_results(hooks.folder / "out.jsonl"))
    }
    assert statuses == {"hook_out_of_bounds": "wrong", "host_serial": "ok"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_worker_ends_with_its_supervisor(hooks, number):
    process, worker = worker_during(hooks, "hook_hangs")
    assert worker is not None
    stop(process, number)
    assert gone(worker)


def test_a_second_signal_takes_a_hanging_worker_along(hooks):
    process, worker = worker_during(hooks, "hook_hangs")
    returncode, _ = stop(process, signal.SIGINT, signal.SIGINT, pause=0.1)
    assert returncode == 130 and gone(worker)
    assert read_results(hooks.folder / "out.jsonl")[-1]["complete"] is False


def test_no_worker_is_left_by_a_run_that_ends(hooks):
    name = hooks.config(variants=["host_serial", "hook_crashes", "hook_hangs"])
    process = hooks.start("-c", name, "--verify-only", "--timeout", "0.3")
    seen = set()
    while process.poll() is None:
        seen.update(children(process.pid))
        time.sleep(0.001)
    process.communicate()
    assert len(seen) >= 2 and all(gone(worker) for worker in seen)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_R01_a_signal_to_the_whole_group_lets_the_case_end(hooks, number, code):
    """As a terminal sends it, and a batch system: the worker is not to take it for its own."""
    name = hooks.config(variants=["hook_slow"], shapes=[[rows, 8] for rows in range(1, 21)])
    process = subprocess.Popen(
        [str(hooks.binary), "-c", name, "--verify-only", "-o", "out.jsonl"],
        cwd=hooks.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    wait_for_cases(hooks.folder / "out.jsonl", 3)
    signal_group(process, number)
    _, error = process.communicate(timeout=30)
    assert process.returncode == code, error
    lines = read_results(hooks.folder / "out.jsonl")
    assert 3 <= len(cases_of(lines)) < 20 and lines[-1]["complete"] is False
    assert {case["status"] for case in cases_of(lines)} == {"ok"}


def signal_group(process, number):
    subprocess.run(["kill", f"-{int(number)}", "--", f"-{process.pid}"], check=True)


def test_time_in_which_the_run_is_stopped_does_not_count(hooks):
    """Ctrl-Z stops the supervisor and the worker."""
    name = hooks.config(variants=["hook_slow"], shapes=[[rows, 8] for rows in range(1, 31)])
    process = subprocess.Popen(
        [str(hooks.binary), "-c", name, "--verify-only", "-o", "out.jsonl", "--timeout", "2"],
        cwd=hooks.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    wait_for_cases(hooks.folder / "out.jsonl", 3)
    signal_group(process, signal.SIGSTOP)
    time.sleep(3)
    signal_group(process, signal.SIGCONT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 0, error


def test_a_worker_that_is_killed_between_cases_costs_at_most_one(hooks):
    process, worker = worker_during(hooks, "hook_slow")
    subprocess.run(["kill", "-9", str(worker)], check=True)
    process.communicate(timeout=30)
    cases = cases_of(read_results(hooks.folder / "out.jsonl"))
    assert len(cases) == 2 and cases[0]["status"] == "ok"
    assert (cases[1]["status"], process.returncode) in (("ok", 0), ("error", 4))


def test_a_worker_that_cannot_start_ends_the_run(hooks):
    env = {"REDUX_HOOK_WORKER_DIES": "1"}
    done = hooks("-c", hooks.config(), "--verify-only", "-o", "out.jsonl", env=env)
    assert done.returncode == 4
    assert "no worker process lives until its first case" in done.stderr
    assert "exit code 97" in done.stderr and done.stderr.count("\n") == 1
    assert not (hooks.folder / "out.jsonl").exists()


def test_a_worker_that_cannot_be_replaced_keeps_what_was_measured(hooks):
    name = hooks.config(variants=["host_serial", "hook_crashes", "host_parallel"])
    (hooks.folder / "die-later").touch()
    env = {"REDUX_HOOK_WORKER_DIES_AFTER": "die-later"}
    done = hooks(*("-c", name, "--verify-only", "-o", "out.jsonl", "--csv", "out.csv"), env=env)
    assert done.returncode == 4
    assert "no worker process lives until its first case" in done.stderr
    lines = read_results(hooks.folder / "out.jsonl")
    assert [case["status"] for case in cases_of(lines)] == ["ok", "error"]
    assert lines[-1]["complete"] is False
    assert "1 not run" in done.stdout
    assert (hooks.folder / "out.csv").read_bytes().count(b"\r\n") == 3


def test_a_config_is_read_once(hooks):
    """Through a pipe, it is not there a second time."""
    name = hooks.config(variants=["host_serial", "hook_crashes", "host_parallel"])
    text = (hooks.folder / name).read_text()
    done = hooks("-c", "/dev/stdin", "--verify-only", "-o", "out.jsonl", input=text)
    assert done.returncode == 4
    statuses = [case["status"] for case in cases_of(read_results(hooks.folder / "out.jsonl"))]
    assert statuses == ["ok", "error", "ok"]


def test_without_isolation_there_is_one_process(hooks):
    name = hooks.config(variants=["host_serial", "hook_slow"])
    process = hooks.start("-c", name, "--verify-only", "--no-isolation")
    seen = set()
    while process.poll() is None:
        seen.update(children(process.pid))
        time.sleep(0.001)
    process.communicate()
    assert process.returncode == 0 and seen == set()
    done = hooks("-c", hooks.config(variants=["hook_crashes"]), "--verify-only", "--no-isolation")
    assert done.returncode == -signal.SIGSEGV


def test_with_and_without_isolation_results_are_the_same(hooks):
    name = hooks.config(
        variants=["host_serial", "host_parallel", "hook_off_by_one", "hook_throws"],
        data=["random", "specials"],
    )
    written = []
    for extra in ([], ["--no-isolation"]):
        done = hooks(*("-c", name, "--verify-only", "-o", "out.jsonl", "--csv", "out.csv", *extra))
        assert done.returncode == 3
        cases = cases_of(read_results(hooks.folder / "out.jsonl"))
        written.append((cases, (hooks.folder / "out.csv").read_bytes(), done.stdout))
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--timeout", "0"], ["--timeout", "above 0"]),
        (["--timeout", "-1"], ["--timeout", "'-1'"]),
        (["--timeout", "5m"], ["--timeout", "'5m'", "seconds"]),
        (["--timeout", "1", "--no-isolation"], ["--timeout", "--no-isolation"]),
        (["--timeout", "1", "--profile"], ["--timeout", "--profile"]),
        (["--timeout", "1", "--list"], ["--timeout", "--list"]),
        (["--no-isolation", "--dry-run"], ["--no-isolation", "--dry-run"]),
        (["--worker-channel", "7"], ["--worker-channel", "7"]),
        (["--worker-channel", "x"], ["--worker-channel", "'x'"]),
        (["--timout", "1"], ["--timout", "did you mean", "--timeout"]),
    ],
)
def test_options_of_isolation(bench, words, parts):
    done = bench("-c", bench.config(), *words)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("redux-bench: ") and done.stdout == ""
    for part in parts:
        assert part in done.stderr


def test_help_says_what_isolation_means(bench):
    text = bench("--help").stdout
    for part in ("--timeout S", "--no-isolation", "default: 300", "--profile"):
        assert part in text
    assert "worker-channel" not in text
