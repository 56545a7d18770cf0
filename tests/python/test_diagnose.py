"""diagnose.py as a command: what it prints and writes, each exit code, what is refused."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex

import diagnosis_files as df
import pytest
import result_files as rf
from hypothesis import given, settings
from hypothesis import strategies as st
from redux_tools import diagnose_cli

SHAPES = [(1, 4096), (1, 16384), (1, 65536), (256, 256)]


def slow(rows, cols):
    return cols / 40


@pytest.fixture
def results(tmp_path):
    """An idle and linear variant, a good one, and an auto that picks the good one."""
    auto = {**df.FULL, "picked": "single_pass"}
    cases = [
        *df.law("thread_per_row", SHAPES, slow, df.ONE_BLOCK),
        *df.law("single_pass", SHAPES, lambda rows, cols: 2.0),
        *df.law("auto", SHAPES, lambda rows, cols: 2.02, auto),
    ]
    return df.write(tmp_path / "results.jsonl", cases)


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
        *df.law("a", SHAPES, lambda rows, cols: 10.0),
        *df.law("auto", SHAPES, lambda rows, cols: 10.6, {**df.FULL, "picked": "b"}),
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
    cases = [*df.law("a", SHAPES, slow, df.ONE_BLOCK), other]
    path = df.write(tmp_path / "r", cases)
    assert run(capsys, path)[0] == 0
    found, out, _ = run(capsys, path, "--fail-on", "idle")
    assert found == code
    assert f"not diagnosed: 1 {status}" in out


def test_an_incomplete_run_is_not_fully_measured(tmp_path, capsys):
    lines = df.segment(df.law("a", SHAPES, lambda rows, cols: 2.0))[:-1]
    path = rf.write(tmp_path / "r", lines)
    assert run(capsys, path)[0] == 0
    assert run(capsys, path, "--fail-on", "idle")[0] == 4


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["{none}"], 2, "there is no such results file"),
        (["{dir}"], 2, "is a directory"),
        (["{broken}"], 2, "broken:1:"),
        (["{shapeless}"], 2, "its shape is ['a']; it has to be an array of whole numbers"),
        (["{negative}"], 2, "its shape is [-1, -8]"),
        (["{weightless}"], 2, "its bytes is 'many'; it has to be a whole number from 0 on"),
        (["{skewed}"], 2, "its axis is 'x'; it has to be a whole number"),
        (["{results}", "--filter", "("], 2, "--filter '('"),
        (["{results}", "--metric", "graph"], 2, "--metric 'graph' is not one of graph/cold"),
        (["{results}", "--json", "{results}"], 2, "path of its own"),
        (["{results}", "--json", "{x}", "--markdown", "{x}"], 2, "path of its own"),
        (["{results}", "--json", "{dir}/no/d.json"], 2, "cannot be written"),
        (["{results}", "--fail-on", "clif=4"], 2, "'clif=4' is not one of cliff=RATIO"),
        (["{results}", "--fail-on", ""], 2, "is not one of cliff=RATIO, regret=SHARE, idle"),
        (["{results}", "--fail-on", "cliff"], 2, "'cliff' is not one of"),
        (["{results}", "--fail-on", "cliff=1"], 2, "write a ratio above 1"),
        (["{results}", "--fail-on", "cliff=nan"], 2, "write a ratio above 1"),
        (["{results}", "--fail-on", "regret=-5%"], 2, "--fail-on regret: '-5%'"),
        (["{results}", "--fail-on", "idle=2"], 2, "'idle=2' is not one of"),
        (["{results}", "--fail-on", "idle,idle"], 2, "'idle' is given twice"),
        (["{results}", "--filter", "nomatch"], 5, "no case matches --filter"),
        (["{results}", "--metric", "stream/warm"], 5, "no case was timed in stream/warm"),
        (["{empty}"], 5, "there is no case"),
        (["{failed}"], 5, "no case was timed"),
        (["{results}", "{other}"], 6, "results of several devices"),
    ],
)
def test_what_is_refused(tmp_path, results, capsys, words, code, said):
    line = df.case("argmax/a/float32/8x8", 1.0)
    other = df.segment([line])
    other[0]["env"]["gpu"]["name"] = "NVIDIA A100"
    (tmp_path / "broken").write_text("{]\n")
    places = {
        "results": results,
        "none": tmp_path / "none",
        "dir": tmp_path,
        "x": tmp_path / "x",
        "broken": tmp_path / "broken",
        "shapeless": df.write(tmp_path / "shapeless", [line | {"shape": ["a"]}]),
        "negative": df.write(tmp_path / "negative", [line | {"shape": [-1, -8]}]),
        "weightless": df.write(tmp_path / "weightless", [line | {"bytes": "many"}]),
        "skewed": df.write(tmp_path / "skewed", [line | {"attrs": {"axis": "x"}}]),
        "empty": rf.write(tmp_path / "empty", rf.segment([])),
        "failed": df.write(tmp_path / "failed", [rf.case("a/b/c/1x1", status="error")]),
        "other": rf.write(tmp_path / "other", other),
    }
    found, out, err = run(capsys, *(word.format(**places) for word in words))
    assert found == code
    assert said in err
    assert "Traceback" not in err
    assert out == "" or "cannot be written" in said
    assert not places["x"].exists()


def test_the_readmes_example_is_what_it_prints(capsys, monkeypatch):
    text = (rf.ROOT / "README.md").read_text()
    (command,) = re.findall(r"^scripts/diagnose.py (.* --filter '/thread_per_row/.*)$", text, re.M)
    (shown,) = re.findall(r"<!-- diagnosed -->\n```text\n(.*?)^```", text, re.S | re.M)
    monkeypatch.chdir(rf.ROOT)
    _, out, _ = run(capsys, *shlex.split(command))
    flat = " ".join(out.split())
    missing = [line for line in shown.splitlines() if " ".join(line.split()) not in flat]
    assert missing == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, ["{results}"]),
        (1, ["{results}", "--fail-on", "idle"]),
        (2, ["{results}", "--no-such-option"]),
        (3, ["{wrong}", "--fail-on", "idle"]),
        (4, ["{failed}", "--fail-on", "idle"]),
        (5, ["{results}", "--filter", "nomatch"]),
        (6, ["{results}", "{other}"]),
    ],
)
def test_each_exit_code_of_the_process(tmp_path, results, code, words):
    line = df.case("argmax/a/float32/8x8", 1.0)
    other = df.segment([line])
    other[0]["env"]["gpu"]["name"] = "NVIDIA A100"
    faulty = {
        status: df.write(tmp_path / status, [line, rf.case("a/b/c/1x1", status=status)])
        for status in ("wrong", "error")
    }
    places = {
        "results": results,
        "other": rf.write(tmp_path / "other", other),
        "wrong": faulty["wrong"],
        "failed": faulty["error"],
    }
    done = rf.run_script("diagnose.py", *(word.format(**places) for word in words))
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


ODD = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2**40)
    | st.text(max_size=3)
    | st.just([0, 0])
    | st.just({})
)


@settings(max_examples=60, deadline=None)
@given(
    launch=st.dictionaries(st.sampled_from(["grid", "block", "occupancy", "kernels"]), ODD),
    limits=st.dictionaries(st.sampled_from(["graph", "read", "copy"]), ODD),
    gpu=st.dictionaries(st.sampled_from(["sms", "cc", "l2_bytes"]), ODD),
    whole=ODD,
)
def test_odd_headers_and_launches_are_diagnosed_or_refused(
    tmp_path_factory, launch, limits, gpu, whole
):
    folder = tmp_path_factory.mktemp("odd")
    found = df.segment(df.law("a", SHAPES, slow, launch), floor_us=limits, ceiling_gbps=limits)
    found[1]["launch"] = whole
    found[0]["env"]["gpu"].update(gpu)
    path = rf.write(folder / "r", found)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert diagnose_cli.main([str(path), "--json", str(folder / "d.json")]) in (0, 2)
        found[0]["floor_us"] = whole
        rf.write(folder / "r", found)
        assert diagnose_cli.main([str(path), "--json", str(folder / "d.json")]) in (0, 2)
