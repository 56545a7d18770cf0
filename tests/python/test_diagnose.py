"""diagnose.py as a command: what it prints and writes, each exit code, what is refused."""

from __future__ import annotations

import json
import re
import shlex

import diagnosis_files as df
import pytest
import result_files as rf
from redux_tools import diagnose_cli


@pytest.fixture
def results(tmp_path):
    return df.idle_beside_good(tmp_path / "results.jsonl")


def run(capsys, *words):
    code = diagnose_cli.main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_what_is_wrong_comes_first(results, capsys):
    code, out, err = run(capsys, results)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "2 findings in 12 cases, graph/cold"
    assert lines[1] == f"NVIDIA H200; {results}"
    assert lines[3] == "What is wrong"
    assert lines[5].split()[:3] == ["idle", "argmax", "thread_per_row"]
    places = [out.index(title) for title in ("What is wrong", "What holds", "Regret of auto")]
    assert places == sorted(places)


def test_no_line_is_wider_than_a_terminal_without_one(results, capsys):
    _, out, _ = run(capsys, results)
    assert max(map(len, out.splitlines())) <= 160


def test_colour_is_as_asked(results, capsys):
    assert "\x1b[" in run(capsys, results, "--color", "always")[1]
    assert "\x1b[" not in run(capsys, results, "--color", "never")[1]


def test_json_has_all_of_it(tmp_path, results, capsys):
    path = tmp_path / "d.json"
    words = [results, "--json", path, "--fail-on", "idle,cliff=4"]
    code, _, _ = run(capsys, *words)
    found = json.loads(path.read_text(), parse_constant=pytest.fail)
    assert code == found["exit_code"] == 1
    assert (found["type"], found["schema"]) == ("diagnosis", 1)
    assert [f["fault"] for f in found["findings"]] == ["idle", "cliff"]
    assert len(found["cases"]) == 12
    worst = found["findings"][0]
    assert worst["id"] == "argmax/thread_per_row/float32/1x65536"
    assert worst["repro"].startswith("redux-bench --config")
    (line,) = [s for s in found["series"] if s["linear_while_idle"]]
    assert line["fit"]["exponent"] == pytest.approx(1.0)
    (cliff,) = [c for c in found["cliffs"] if c["ratio"] > 4]
    assert (cliff["slowest"], cliff["fastest"]) == (
        "argmax/thread_per_row/float32/1x65536",
        "argmax/thread_per_row/float32/256x256",
    )
    dispatch = found["dispatch"]
    assert dispatch["geometric_mean_regret"] == pytest.approx(0.01)
    assert len(dispatch["worst"]) == len(dispatch["shapes"]) == 4
    (table,) = [t for t in dispatch["threshold_tables"] if t["axis"] == "cols"]
    assert [(r["variant"], r["up_to"]) for r in table["ranges"]] == [("single_pass", None)]
    assert found["failed"] == [
        "cliff: argmax thread_per_row float32, 1x65536",
        "idle: argmax thread_per_row float32, cols, at 1 row",
    ]


def test_markdown_has_every_case(tmp_path, results, capsys):
    path = tmp_path / "d.md"
    assert run(capsys, results, "--markdown", path)[0] == 0
    text = path.read_text()
    assert text.startswith("## 2 findings in 12 cases")
    assert text.index("### What is wrong") < text.index("### Every case")
    assert text.count("argmax/thread\\_per\\_row/float32/") == 4
    assert "### Threshold tables that would have been best" in text


def test_nothing_wrong_is_said(results, capsys):
    code, out, _ = run(capsys, results, "--filter", "/single_pass/", "--fail-on", "cliff=4,idle")
    assert code == 0
    assert out.startswith("No finding in 4 cases, graph/cold\n")


def test_n12_a_filter_finds_exactly_the_case_of_an_id(tmp_path, capsys):
    names = [
        "argmax/a@b/float32/1x129280",
        "argmax/a@b/float32/1x1292800",
        "argmax/" + "x" * 200 + "/f/1x8",
    ]
    path = df.write(tmp_path / "r", [df.case(name, 1.0) for name in names])
    for name in names:
        out = tmp_path / "d.json"
        assert run(capsys, path, "--filter", f"^{name}$", "--json", out)[0] == 0
        assert [case["id"] for case in json.loads(out.read_text())["cases"]] == [name]


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [
        ("idle", 1),
        ("cliff=4", 1),
        ("cliff=257", 0),
        ("regret=5%", 0),
        ("regret=0.5%", 0),  # auto ran single_pass: what differs is noise
        ("cliff=257,regret=5%", 0),
        ("cliff=257,regret=5%,idle", 1),
    ],
)
def test_fail_on(results, capsys, fail_on, code):
    found, out, _ = run(capsys, results, "--fail-on", fail_on)
    assert found == code
    assert ("--fail-on:" in out) == (code == 1)


def test_regret_fails(tmp_path, capsys):
    cases = [
        *df.law("a", df.SHAPES, lambda rows, cols: 10.0),
        *df.law("auto", df.SHAPES, lambda rows, cols: 10.6, {**df.FULL, "picked": "b"}),
    ]
    path = df.write(tmp_path / "r", cases)
    assert run(capsys, path, "--fail-on", "regret=5%")[0] == 1
    assert run(capsys, path, "--fail-on", "regret=0.07")[0] == 0


def test_a_filter_says_what_is_judged_and_not_beside_what(results, tmp_path, capsys):
    """auto alone is held against every variant, and fails for no fault of theirs."""
    path = tmp_path / "d.json"
    words = ["--filter", "/auto/", "--fail-on", "cliff=4,regret=5%,idle", "--json", path]
    assert run(capsys, results, *words)[0] == 0
    found = json.loads(path.read_text())
    assert {case["id"].split("/")[1] for case in found["cases"]} == {"auto"}
    assert {choice["best"] for choice in found["dispatch"]["shapes"]} == {"single_pass"}
    code, out, _ = run(capsys, results, "--filter", "/thread_per_row/.*/1x")
    assert code == 0
    assert "single_pass: 2.000 us, 819 times faster" in " ".join(out.split())


@pytest.mark.parametrize(
    ("fail_on", "said"),
    [
        ("cliff=4", "cliff: no variant was timed in two shapes"),
        ("regret=5%", "regret: no shape was timed with auto"),
        ("idle", "idle: no case states its grid"),
    ],
)
def test_n09_a_limit_that_nothing_can_be_held_against_is_no_pass(tmp_path, capsys, fail_on, said):
    line = df.case("argmax/cub/float32/8x8", 1.0) | {"launch": None}
    code, out, _ = run(capsys, df.write(tmp_path / "r", [line]), "--fail-on", fail_on)
    assert code == 5
    assert f"cannot be judged: {said}" in out


@pytest.mark.parametrize(
    ("status", "code"), [("wrong", 3), ("error", 4), ("timeout", 4), ("unsupported", 1)]
)
def test_what_was_not_measured_fails_a_gate_and_no_reading(tmp_path, capsys, status, code):
    other = rf.case("argmax/b/float32/1x8", status=status)
    cases = [*df.law("a", df.SHAPES, df.slow, df.ONE_BLOCK), other]
    path = df.write(tmp_path / "r", cases)
    assert run(capsys, path)[0] == 0
    found, out, _ = run(capsys, path, "--fail-on", "idle")
    assert found == code
    assert f"not diagnosed: 1 {status}" in out


def test_an_incomplete_run_is_not_fully_measured(tmp_path, capsys):
    lines = df.segment(df.law("a", df.SHAPES, lambda rows, cols: 2.0))[:-1]
    path = rf.write(tmp_path / "r", lines)
    assert run(capsys, path)[0] == 0
    assert run(capsys, path, "--fail-on", "idle")[0] == 4


def test_the_readmes_example_is_what_it_prints(capsys, monkeypatch):
    text = (rf.ROOT / "README.md").read_text()
    (command,) = re.findall(r"^scripts/diagnose.py (.* --filter '/thread_per_row/.*)$", text, re.M)
    (shown,) = re.findall(r"<!-- diagnosed -->\n```text\n(.*?)^```", text, re.S | re.M)
    monkeypatch.chdir(rf.ROOT)
    _, out, _ = run(capsys, *shlex.split(command))
    flat = " ".join(out.split())
    missing = [line for line in shown.splitlines() if " ".join(line.split()) not in flat]
    assert missing == []
