"""The gate's self-test on real measurements of this machine's host variants, small."""

from __future__ import annotations

import json
import os

import result_files as rf


def test_selftest_on_the_host(tmp_path):
    """It runs to its end, slows the case drawn down, and writes all of its lines."""
    program = os.environ.get("REDUX_BENCH")
    assert program, "REDUX_BENCH has to name the redux-bench executable"
    config = tmp_path / "small.json"
    measure = '{"modes": ["stream"], "caches": ["warm"], "min_samples": 5, "max_samples": 10}'
    config.write_text(
        f'{{"version": 1, "name": "small", "measure": {measure}, "sweeps": [{{"op": "argmax",'
        ' "variants": ["host_serial"], "dtypes": ["float32"],'
        ' "shapes": [[1, 65536], [1, 131072], [1, 262144], [16, 65536]]}]}'
    )
    words = ["-c", config, "--binary", program, "--backend", "host", "--max-seconds", "0.02"]
    words += ["--gates", 1, "--planted-gates", 1, "--shares", "100%", "--portion", "25%"]
    words += ["--threshold", "20%", "--baseline-rounds", 3]  # of a machine that others use, too
    words += ["-o", tmp_path / "out"]
    # One thread: the ceilings' threads wait for each other where others take the cores.
    done = rf.run_script("gate.py", "selftest", *words, OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [
        json.loads(text) for text in (tmp_path / "out" / "selftest.jsonl").read_text().splitlines()
    ]
    unchanged, planted = (line for line in lines if line["type"] == "summary")
    assert unchanged["timings"] == 7
    assert unchanged["flagged"]["gate"] <= 1  # of a shared machine nobody knows
    assert (planted["share"], planted["timings"]) == (1.0, 1)
    # The planted case itself: SLOWER, or, where others took the machine, without a verdict.
    (timing,) = [line for line in lines if line["type"] == "timing" and line["planted"]]
    assert timing["verdict"] in ("SLOWER", "INCONCLUSIVE")
    rounds = (tmp_path / "out" / "gate-02" / "rounds" / "current-1.jsonl").read_text()
    assert json.loads(rounds.splitlines()[0])["handicap"][0]["factor"] == 2.0
