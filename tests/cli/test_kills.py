"""kill -9 at random moments: the file is valid each time, and --resume makes it whole."""

import os
import pathlib
import random
import signal
import subprocess
import time

import pytest
from conftest import cases_of, read_results
from processes import children, gone, worker_of, workers_of
from redux_tools.results import read_results as read_by_tools

MOMENTS = 50  # of the supervisor, and as many of its workers
SHAPES = [[rows, 64] for rows in range(1, 13)]


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def ids_by_tools(path):
    """As the scripts read the file, which they have to: its ids, and whether all runs ended."""
    results = read_by_tools(str(path))
    ids = {case_id for segment in results.segments for case_id in segment.cases}
    return ids, results.incomplete_runs() == []


@pytest.fixture
def sweep(hooks):
    """Words that run a sweep of some tens of milliseconds, how long, and its ids."""
    name = hooks.config(variants=["hook_brief"], shapes=SHAPES)
    words = ("-c", name, "--backend", "host", "--verify-only", "--quiet")
    started = time.monotonic()
    assert hooks(*words, "-o", "whole.jsonl").returncode == 0
    taken = time.monotonic() - started
    ids, complete = ids_by_tools(hooks.folder / "whole.jsonl")
    assert len(ids) == 12 and complete
    return words, taken, ids


def start(hooks, *words):
    return subprocess.Popen(
        [str(hooks.binary), *words],
        cwd=hooks.folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for_a_moment(process, out, draw, taken):
    """While it starts, or at any time in any case, as fast or slow as the machine just is."""
    cases = draw.randrange(-3, len(SHAPES))
    if cases < 0:
        time.sleep(draw.uniform(0, taken))
        return
    while process.poll() is None:
        if out.exists() and out.read_bytes().count(b'\n{"type":"case"') >= cases:
            break
        time.sleep(0.0005)
    time.sleep(draw.uniform(0, 0.006))


def test_R13_the_supervisor_is_killed(hooks, sweep):
    words, taken, ids = sweep
    draw = random.Random(2024)
    out = hooks.folder / "out.jsonl"
    cut_short = 0
    for _ in range(MOMENTS):
        pathlib.Path(out).unlink(missing_ok=True)
        for _ in range(10):  # killed again and again, also while it resumes
            process = start(hooks, *words, "--resume", out.name)
            wait_for_a_moment(process, out, draw, taken)
            seen = children(process.pid)
            kill(process.pid)
            returncode = process.wait()
            assert all(gone(worker) for worker in seen)
            if out.exists():
                held, complete = ids_by_tools(out)
                assert held <= ids and (returncode != 0 or (complete and held == ids))
                cut_short += 0 < len(held) < len(ids)
            if returncode == 0 or draw.random() < 0.5:
                break
        done = hooks(*words, "--resume", out.name)
        assert done.returncode == 0, done.stderr
        assert ids_by_tools(out) == (ids, True)
        assert {case["status"] for case in cases_of(read_results(out))} == {"ok"}
    assert cut_short >= MOMENTS / 5
    assert workers_of(hooks.binary) == []


def test_R08_the_worker_is_killed(hooks, sweep):
    words, taken, ids = sweep
    draw = random.Random(2025)
    out = hooks.folder / "out.jsonl"
    hits = 0
    for _ in range(MOMENTS):
        pathlib.Path(out).unlink(missing_ok=True)
        process = start(hooks, *words, "-o", out.name)
        worker = worker_of(process)
        wait_for_a_moment(process, out, draw, taken)
        hits += worker is not None and kill(worker)
        returncode = process.wait()
        # The one that it was at is an error; one killed before or between cases costs nothing.
        assert ids_by_tools(out) == (ids, True)
        statuses = [case["status"] for case in cases_of(read_results(out))]
        assert statuses.count("error") + statuses.count("ok") == len(ids)
        assert statuses.count("error") <= 1 and (returncode == 4) == ("error" in statuses)
        done = hooks(*words, "--resume", out.name)
        assert done.returncode == 0, done.stderr
        assert ids_by_tools(out) == (ids, True)
    assert hits >= MOMENTS / 3
    assert workers_of(hooks.binary) == []
