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
    assert "none" in out


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


def sessions(tmp_path, name, medians, **head):
    """One file a session, each with its median of the first case and 20 us for the second."""
    paths = []
    for index, us in enumerate(medians):
        cases = [rf.case(NAMES[0], rf.timing(us)), rf.case(NAMES[1], rf.timing(20.0))]
        run_id = f"{name}{index}"
        paths.append(rf.write(tmp_path / run_id, rf.segment(cases, run_id=run_id, **head)))
    return paths


def timing_of(root, name=NAMES[0], device="nvidia-h200"):
    line = next(line for line in stored_lines(root, device) if line.get("id") == name)
    return line["timings"][0]


def test_several_files_are_rounds(tmp_path, root, capsys):
    assert run(capsys, root, "accept", *sessions(tmp_path, "a", [10.0, 10.1, 10.2]))[0] == 0
    assert timing_of(root)["median_us"] == 10.1
    assert timing_of(root)["rounds"] == 3


def test_refresh_spread_keeps_the_times(tmp_path, root, capsys):
    assert run(capsys, root, "accept", *sessions(tmp_path, "a", [10.0]))[0] == 0
    before = stored_lines(root)
    medians = [12.0, 12.12, 11.9, 12.06]
    code, out, _ = run(capsys, root, "refresh-spread", *sessions(tmp_path, "b", medians))
    assert code == 0
    assert "2 timings refreshed, 0 kept" in out
    after = stored_lines(root)
    timing = timing_of(root)
    logs = sorted(math.log(us) for us in medians)
    deviations = sorted(abs(x - (logs[1] + logs[2]) / 2) for x in logs)
    expected = 1.4826 * (deviations[1] + deviations[2]) / 2
    assert timing.pop("spread_log") == pytest.approx(expected, rel=1e-4)
    assert timing.pop("rounds") == 4
    assert timing == before[1]["timings"][0]
    assert after[0] == before[0] and after[-1] == before[-1]


def test_refresh_spread_keeps_what_too_few_rounds_say_nothing_of(tmp_path, root, capsys):
    assert run(capsys, root, "accept", *sessions(tmp_path, "a", [10.0, 10.1, 10.3]))[0] == 0
    kept = timing_of(root)["spread_log"]
    code, _, err = run(capsys, root, "refresh-spread", *sessions(tmp_path, "b", [10.0, 11.0]))
    assert code == 4
    assert "three rounds" in err
    assert timing_of(root)["spread_log"] == kept


def test_refresh_spread_wants_rounds_of_one_build_and_a_baseline(tmp_path, root, capsys):
    rounds = sessions(tmp_path, "a", [10.0, 10.1, 10.3])
    code, _, err = run(capsys, root, "refresh-spread", *rounds)
    assert code == 6
    assert "accept one first" in err
    assert run(capsys, root, "accept", *rounds)[0] == 0
    other = sessions(tmp_path, "b", [10.0], tool={"version": "0.1.0", "git": "def"})
    code, _, err = run(capsys, root, "refresh-spread", *rounds, *other)
    assert code == 2
    assert "differ in git: abc, def" in err


def test_a_spread_that_is_lost_is_warned_of(tmp_path, root, capsys):
    assert run(capsys, root, "accept", *sessions(tmp_path, "a", [10.0, 10.1, 10.3]))[0] == 0
    code, _, err = run(capsys, root, "accept", *sessions(tmp_path, "b", [10.0]))
    assert code == 0
    assert "has it no more" in err


def test_the_file_of_another_device_is_left_alone_unless_told(tmp_path, root, capsys):
    rounds = sessions(tmp_path, "a", [10.0, 10.1, 10.3])
    assert run(capsys, root, "accept", *rounds)[0] == 0
    target = root / "nvidia-h200" / "demo.jsonl"
    before = target.read_bytes()
    a100 = {**rf.ENVIRONMENT, "gpu": {"name": "NVIDIA A100-SXM4-80GB"}}
    (foreign,) = sessions(tmp_path, "b", [10.0], env=a100)
    code, _, err = run(capsys, root, "accept", "--to", target, foreign)
    assert code == 6
    assert "'NVIDIA H200'" in err and "'NVIDIA A100-SXM4-80GB'" in err
    assert target.read_bytes() == before
    told = ("--allow-different-device", "--to", target, foreign)
    assert run(capsys, root, "accept", *told)[0] == 0
    assert stored_lines(root)[0]["env"]["gpu"]["name"] == "NVIDIA A100-SXM4-80GB"
    # Two names that make one folder are two devices all the same.
    h200 = {**rf.ENVIRONMENT, "gpu": {"name": "nvidia h200"}}
    (alike,) = sessions(tmp_path, "c", [10.0], env=h200)
    assert run(capsys, root, "accept", alike)[0] == 6


def test_to_takes_one_config(tmp_path, root, capsys):
    other = {"name": "other", "sha256": "1", "gate": {}}
    path = rf.write(
        tmp_path / "r",
        rf.segment([rf.case(NAMES[0])]),
        rf.segment([rf.case(NAMES[1])], config=other, run_id="r2"),
    )
    code, _, err = run(capsys, root, "accept", "--to", tmp_path / "x", path)
    assert code == 2
    assert "demo, other" in err


def test_a_header_that_says_handicap_is_refused(tmp_path, root, capsys):
    slowed = rf.segment(ALL, handicap=[{"match": ".", "factor": 1.05}])
    assert run(capsys, root, "accept", rf.write(tmp_path / "r", slowed))[0] == 2


def test_a_self_tests_file_is_no_baseline(tmp_path, root, capsys):
    path = rf.write(tmp_path / "r", rf.segment(ALL))
    assert run(capsys, root, "accept", path)[0] == 0
    (root / "nvidia-h200" / "gate-selftest.jsonl").write_text('{"type":"selftest"}\n')
    code, out, _ = run(capsys, root, "show")
    assert code == 0
    assert "selftest" not in out


def test_missing_files_are_named(tmp_path, root, capsys):
    assert run(capsys, root, "accept", tmp_path / "no")[0] == 2
    code, _, err = run(capsys, root, "show")
    assert code == 6
    assert str(root) in err


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (0, rf.segment(ALL)),
        (2, rf.segment(ALL, handicap=[{"match": ".", "factor": 1.05}])),
        (3, rf.segment([rf.case(NAMES[0], status="wrong")])),
        (4, rf.segment(ALL, end=False)),
        (5, rf.segment([])),
    ],
)
def test_exit_codes_as_a_shell_sees_them(tmp_path, root, code, lines):
    path = rf.write(tmp_path / "r", lines)
    assert rf.run_script("baseline.py", "--root", root, "accept", path).returncode == code


def test_the_script_itself_runs(root):
    assert rf.run_script("baseline.py", "--root", root, "show").returncode == 6
    assert rf.run_script("baseline.py", "acept").returncode == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [("NVIDIA H200", "nvidia-h200"), ("AMD EPYC(TM) 9654 96-Core", "amd-epyc-tm-9654-96-core")],
)
def test_device_folders(name, expected):
    assert slug(name) == expected
