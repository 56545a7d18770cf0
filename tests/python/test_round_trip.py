"""What redux-bench writes is what the scripts read, whichever way its config spells a case."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from redux_tools import baseline_cli
from redux_tools.comparison import Options, compare
from redux_tools.results import read_results
from redux_tools.verdict import Verdict

SIZES = ["1024", "1024, 1024", '{"pow2": [10, 10]}', '{"linear": [1024, 1024, 1]}']


def run(tmp_path, name, sweep):
    """Measures one sweep with the executable under test; returns the results file."""
    program = os.environ.get("REDUX_BENCH")
    assert program, "REDUX_BENCH has to name the redux-bench executable"
    measure = (
        '{"modes": ["stream"], "caches": ["warm"], "min_samples": 5, "max_samples": 5,'
        ' "max_seconds": 0.01}'
    )
    config = tmp_path / "demo.json"
    config.write_text(
        f'{{"version": 1, "name": "demo", "measure": {measure}, "sweeps": [{{{sweep}}}]}}'
    )
    out = tmp_path / f"{name}.jsonl"
    command = [program, "--config", str(config), "--backend", "host", "--output", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return out


def grid_of(size):
    rows = "[2]"
    columns = size if size.startswith("{") else f"[{size}]"
    return (
        f'"op": "argmax", "variants": ["host_serial"], "dtypes": ["float32", "int64"],'
        f' "grid": [{rows}, {columns}]'
    )


@pytest.mark.parametrize("size", SIZES)
def test_b14_one_case_has_one_id_however_it_is_written(tmp_path, size):
    first = read_results(str(run(tmp_path, "first", grid_of("1024"))))
    again = read_results(str(run(tmp_path, "again", grid_of(size))))
    result = compare(first, again, Options())
    assert {row.id for row in result.rows} == {
        "argmax/host_serial/float32/2x1024",
        "argmax/host_serial/int64/2x1024",
    }
    assert not {Verdict.NEW, Verdict.MISSING} & set(result.counts())


def test_a_run_compared_with_itself_differs_nowhere(tmp_path):
    path = str(run(tmp_path, "first", grid_of("100, 1000")))
    result = compare(read_results(path), read_results(path), Options())
    assert len(result.rows) == 4
    assert {row.log_ratio for row in result.rows} == {0.0}
    assert result.warnings == []
    assert result.exit_code == 0


def test_b17_what_is_written_holds_no_word_that_json_lacks(tmp_path):
    path = run(tmp_path, "first", grid_of("64"))
    results = read_results(str(path))
    assert results.incomplete_runs() == []
    assert results.case_count == 2
    for line in path.read_text().splitlines():
        assert json.loads(line)["type"] in ("run", "case", "end")


def test_a_run_can_be_stored_as_a_baseline_and_compared_with(tmp_path):
    path = run(tmp_path, "first", grid_of("100"))
    root = tmp_path / "baselines"
    assert baseline_cli.main(["--root", str(root), "accept", str(path)]) == 0
    (stored,) = root.glob("*/demo.jsonl")
    result = compare(read_results(str(stored)), read_results(str(path)), Options())
    assert {row.log_ratio for row in result.rows} == {0.0}
    assert result.exit_code == 0
