"""The reports of compare.py that other programs read: JUnit, annotations, JSON."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest
import result_files as rf
from redux_tools.report_github import WORST_SHOWN, render_github
from redux_tools.report_junit import render_junit

NAMES = rf.ids(8)


@pytest.fixture
def mixed(tmp_path):
    """A baseline of the same cases, and a run in which each went another way."""
    base = rf.write(tmp_path / "base.jsonl", rf.segment([rf.case(name) for name in NAMES[:7]]))
    cases = [
        rf.case(NAMES[0]),
        rf.case(NAMES[1], rf.timing(12.0)),
        rf.case(NAMES[2], rf.timing(5.0)),
        rf.case(NAMES[3], status="wrong", reason="output 'indices' at 3: got 1 <&> \x01"),
        rf.case(NAMES[4], status="error", reason="CUDA 700"),
        rf.case(NAMES[5], rf.timing(10.0, None)),
        rf.case(NAMES[6], status="unsupported", reason="no float64"),
        rf.case(NAMES[7]),
        rf.case("argmax/cub/int64/3x3", status="unsupported", reason="rows of 3"),
    ]
    return base, rf.write(tmp_path / "now.jsonl", rf.segment(cases, run_id="r2"))


def by_name(root):
    return {case.get("name"): case for case in root.iter("testcase")}


def test_junit_says_what_failed_what_broke_and_what_was_left_out(tmp_path, mixed):
    out = tmp_path / "out.xml"
    assert rf.compare(*mixed, "--junit", out).returncode == 3
    root = ET.parse(out).getroot()
    suite = root.find("testsuite")
    cases = by_name(root)
    metric = "graph/cold"
    assert list(cases[f"{NAMES[0]} {metric}"]) == []
    slower = cases[f"{NAMES[1]} {metric}"].find("failure")
    assert "+20.0%" in slower.get("message")
    assert NAMES[1] in slower.text
    assert list(cases[f"{NAMES[2]} {metric}"]) == []
    assert "<&> \N{REPLACEMENT CHARACTER}" in cases[NAMES[3]].find("failure").get("message")
    assert "CUDA 700" in cases[NAMES[4]].find("error").get("message")
    assert "INCONCLUSIVE" in cases[f"{NAMES[5]} {metric}"].find("skipped").get("message")
    assert cases["argmax/cub/int64/3x3"].find("skipped").get("message").endswith("rows of 3")
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    found = len(list(root.iter("testcase")))
    assert counts == {"tests": str(found), "failures": "2", "errors": "2", "skipped": "3"}
    assert float(cases[f"{NAMES[1]} {metric}"].get("time")) == pytest.approx(12e-6)
    assert float(suite.get("time")) == pytest.approx(sum(float(c.get("time")) for c in suite))


def test_junit_tells_a_fault_of_the_whole(tmp_path):
    a100 = {**rf.ENVIRONMENT, "gpu": {"name": "NVIDIA A100-SXM4-80GB"}}
    base = rf.write(tmp_path / "b", rf.segment([rf.case(NAMES[0])], env=a100))
    now = rf.write(tmp_path / "c", rf.segment([rf.case(NAMES[0])]))
    out = tmp_path / "out.xml"
    assert rf.compare(base, now, "--junit", out).returncode == 6
    suite = ET.parse(out).getroot().find("testsuite")
    assert suite.get("errors") == "1"
    assert "NVIDIA A100-SXM4-80GB" in suite.find("testcase/error").text


def test_under_strict_what_is_inconclusive_is_a_failure(tmp_path):
    base = rf.write(tmp_path / "b", rf.segment([rf.case(NAMES[0], rf.timing(10.0, None))]))
    out = tmp_path / "out.xml"
    assert rf.compare(base, base, "--junit", out, "--strict").returncode == 7
    assert ET.parse(out).getroot().find("testsuite").get("failures") == "1"


COMMAND = re.compile(r"^::(error|warning|notice) title=([^:,\n]+)::([^\n]*)$")


def test_github_annotations_are_at_most_ten_and_escaped(tmp_path):
    names = [f"argmax/a,b:c/float32/1x{i}" for i in range(50)]
    base = rf.write(tmp_path / "b", rf.segment([rf.case(name) for name in names]))
    slow = [rf.case(name, rf.timing(20.0 + i)) for i, name in enumerate(names)]
    now = rf.write(tmp_path / "c", rf.segment(slow))
    done = rf.compare(base, now, "--github")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    stop = next(i for i, line in enumerate(lines) if line.startswith("::stop-commands::"))
    token = lines[stop].rpartition("::")[2]
    resumed = lines.index(f"::{token}::")
    commands = [COMMAND.match(line) for line in lines[resumed + 1 :]]
    assert all(commands)
    assert len(commands) == 1 + WORST_SHOWN
    assert commands[0].group(3).startswith("50 SLOWER.%0A") or commands[0].group(3) == "50 SLOWER."
    assert "argmax/a%2Cb%3Ac/float32/1x49" in commands[1].group(2)
    assert "+590.0%25" in commands[1].group(3)


def test_github_says_that_all_is_well_in_one_notice(tmp_path):
    base = rf.write(tmp_path / "b", rf.segment([rf.case(name) for name in NAMES]))
    annotations = rf.compare(base, base, "--github").stdout.splitlines()[-1]
    assert annotations == "::notice title=redux-bench%3A PASS (exit 0)::8 SAME."


def test_a_results_file_cannot_give_commands(tmp_path):
    evil = rf.case(NAMES[0], status="error", reason="x\n::error title=owned::no")
    base = rf.write(tmp_path / "b", rf.segment([rf.case(NAMES[0]), rf.case(NAMES[1])]))
    now = rf.write(tmp_path / "c", rf.segment([evil, rf.case(NAMES[1])]))
    text = rf.compare(base, now, "--github").stdout
    token = re.search(r"^::stop-commands::(\w+)$", text, re.MULTILINE).group(1)
    _, _, after = text.partition(f"\n::{token}::\n")
    assert all(COMMAND.match(line) for line in after.splitlines())
    assert not any(line.startswith("::error title=owned") for line in after.splitlines())


def test_json_holds_all_of_it(tmp_path, mixed):
    out = tmp_path / "out.json"
    assert rf.compare(*mixed, "--json", out).returncode == 3
    found = json.loads(out.read_text(), parse_constant=pytest.fail)
    assert (found["type"], found["schema"], found["exit_code"]) == ("comparison", 1, 3)
    rows = {row["id"]: row for row in found["rows"]}
    slower = rows[NAMES[1]]
    assert slower["verdict"] == "SLOWER"
    assert slower["change"] == pytest.approx(0.2)
    low, high = slower["interval_90"]
    assert low < 0.2 < high
    assert (slower["candidate"], slower["exit_code"]) == (True, 1)
    assert NAMES[1] in slower["repro"]
    assert {row["id"]: row["reason"] for row in found["unsupported"]}["argmax/cub/int64/3x3"]
    assert sum(found["counts"].values()) == len(found["rows"])


def test_shown_by_a_planted_20_percent(tmp_path):
    base = rf.write(tmp_path / "b", rf.segment([rf.case(name) for name in NAMES]))
    cases = [rf.case(name, rf.timing(12.0 if name == NAMES[3] else 10.0)) for name in NAMES]
    done = rf.run_script("compare.py", base, rf.write(tmp_path / "c", rf.segment(cases)))
    assert done.returncode == 1
    text = " ".join(done.stdout.split())
    assert re.search(rf"SLOWER {NAMES[3]} graph/cold 10\.00 12\.00 \+20\.0%", text)
    assert "90% interval +19.4% to +20.6%" in text
    assert f"redux-bench --config c.json --filter '^{NAMES[3]}$' --seed 42" in text


def test_outputs_may_not_be_inputs_or_each_other(tmp_path, mixed):
    base, now = mixed
    before = base.read_text()
    for options in (("--json", base), ("--junit", now), ("--json", "x", "--markdown", "x")):
        done = rf.compare(base, now, *options)
        assert done.returncode == 2
        assert "path of its own" in done.stderr
    assert base.read_text() == before


def test_no_baseline_is_told_in_every_format(tmp_path, mixed):
    _, now = mixed
    files = {name: tmp_path / f"out.{name}" for name in ("json", "junit", "markdown")}
    options = [word for name, path in files.items() for word in (f"--{name}", path)]
    done = rf.compare(tmp_path / "none", now, "--allow-missing-baseline", "--github", *options)
    assert done.returncode == 3  # one case is wrong all the same
    for text in (done.stdout, *(path.read_text() for path in files.values())):
        assert "there is no such baseline" in text.replace("\\", "")


def test_renderers_take_an_empty_comparison():
    from redux_tools.comparison import Comparison

    empty = Comparison("a", "b")
    assert 'tests="1"' in render_junit(empty)
    assert render_github(empty).startswith("::notice ")
