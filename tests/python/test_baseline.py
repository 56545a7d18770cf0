"""What baseline.py stores, and what it refuses to."""

from __future__ import annotations

import json
import math

import pytest
import result_files as rf
from redux_tools import baseline_cli
from redux_tools.baselines import MAX_SAMPLES, slug
from redux_tools.results import Metric, read_results

NAMES = rf.ids(10)


@pytest.fixture
def root(tmp_path):
    return tmp_path / "baselines"


def run(capsys, root, *arguments):
    code = baseline_cli.main(["--root", str(root), *(str(a) for a in arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def stored_lines(root, device="nvidia-h200", config="demo"):
    text = (root / device / f"{config}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_accept_writes_one_sorted_line_a_case_with_few_samples(tmp_path, root, capsys):
    samples = [10.0 + i / 1000 for i in range(200)]
    cases = [rf.case(n, rf.timing(10.0, samples_us=samples, n=200)) for n in reversed(NAMES)]
    path = rf.write(tmp_path / "r.jsonl", rf.segment(cases))
    code, out, _ = run(capsys, root, "accept", path)
    assert code == 0
    assert "wrote" in out
    lines = stored_lines(root)
    assert [line["type"] for line in lines] == ["run", *["case"] * 10, "end"]
    assert lines[0] == rf.header()
    assert [line["id"] for line in lines[1:-1]] == sorted(NAMES)
    kept = lines[1]["timings"][0]["samples_us"]
    assert len(kept) == MAX_SAMPLES
    assert (kept[0], kept[-1]) == (samples[0], samples[-1])
    assert lines[1]["timings"][0]["n"] == 200
    assert lines[-1] == {**rf.END, "counts": {"ok": 10}}
    code, out, _ = run(capsys, root, "accept", path)
    assert "replaced" in out


def test_what_is_stored_compares_equal_to_what_was_measured(tmp_path, root, capsys):
    path = rf.write(tmp_path / "r.jsonl", rf.segment([rf.case(n) for n in NAMES]))
    assert run(capsys, root, "accept", path)[0] == 0
    done = rf.compare(root / "nvidia-h200" / "demo.jsonl", path)
    assert done.returncode == 0
    assert "10 SAME" in done.stdout


def test_rounds_are_stored_as_the_middle_one_with_their_spread(tmp_path, root, capsys):
    medians = [10.2, 10.0, 9.9, 10.1]
    parts = [
        rf.segment([rf.case(NAMES[0], rf.timing(us))], run_id=f"r{i}")
        for i, us in enumerate(medians)
    ]
    assert run(capsys, root, "accept", rf.write(tmp_path / "r", *parts))[0] == 0
    stored = read_results(str(root / "nvidia-h200" / "demo.jsonl"))
    timing = stored.segments[0].cases[NAMES[0]].timings[Metric("graph", "cold")]
    assert timing.median_us == 10.0
    logs = sorted(math.log(us) for us in medians)
    middle = (logs[1] + logs[2]) / 2
    deviations = sorted(abs(x - middle) for x in logs)
    assert timing.spread_log == pytest.approx(
        1.4826 * (deviations[1] + deviations[2]) / 2, rel=1e-4
    )


def test_each_config_has_a_file_of_its_own(tmp_path, root, capsys):
    other = {"name": "other", "sha256": "1", "gate": {}}
    path = rf.write(
        tmp_path / "r",
        rf.segment([rf.case(NAMES[0])]),
        rf.segment([rf.case(n) for n in rf.ids(2, "host_serial")], config=other, run_id="r2"),
    )
    assert run(capsys, root, "accept", path)[0] == 0
    assert len(stored_lines(root)) == 3
    assert len(stored_lines(root, device="some-cpu-9000", config="other")) == 4
    code, out, _ = run(capsys, root, "show")
    assert code == 0
    assert "NVIDIA H200" in out
    assert "Some CPU 9000" in out


ALL = [rf.case(n) for n in NAMES]


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        (rf.segment(ALL, end=False), 4, "did not run to its end"),
        ([*rf.segment(ALL, end=False), {**rf.END, "complete": False}], 4, "did not run to its end"),
        (rf.segment([*ALL[1:], rf.case(NAMES[0], status="wrong")]), 3, NAMES[0]),
        (rf.segment([*ALL[2:], *(rf.case(n, status="error") for n in NAMES[:2])]), 4, "2 of 10"),
        (rf.segment([rf.case(n, status="unsupported") for n in NAMES]), 5, "no case was timed"),
        (rf.segment([]), 5, "there is no case"),
        (rf.segment([rf.case(NAMES[0], rf.timing(None))]), 4, "no valid median"),
        (rf.segment(ALL, argv=["redux-bench", "--handicap", ".=1.05"]), 2, "--handicap"),
        (rf.segment(ALL, config={"name": "../up"}), 2, "'../up'"),
    ],
)
def test_what_is_refused_is_not_written(tmp_path, root, capsys, lines, code, said):
    found, out, err = run(capsys, root, "accept", rf.write(tmp_path / "r", lines))
    assert found == code
    assert said in err
    assert out == ""
    assert not root.exists()


def test_missing_files_are_named(tmp_path, root, capsys):
    assert run(capsys, root, "accept", tmp_path / "no")[0] == 2
    code, _, err = run(capsys, root, "show")
    assert code == 6
    assert str(root) in err


def test_the_script_itself_runs(root):
    assert rf.run_script("baseline.py", "--root", root, "show").returncode == 6
    assert rf.run_script("baseline.py", "acept").returncode == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [("NVIDIA H200", "nvidia-h200"), ("AMD EPYC(TM) 9654 96-Core", "amd-epyc-tm-9654-96-core")],
)
def test_device_folders(name, expected):
    assert slug(name) == expected
