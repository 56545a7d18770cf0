"""Whatever a results file holds, a script ends with one of its exit codes and a message.

No traceback, no control character on the terminal, no file outside the paths that were given.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import hostile_values as hv
import pytest
import result_files as rf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redux_tools import baseline_cli, compare_cli, diagnose_cli, report_cli

CODES = frozenset(range(8))
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
FEW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def good(tmp_path):
    return rf.write(tmp_path / "good.jsonl", hv.lines())


def run(main, *words):
    """Exit code and all that was printed. An exception of `main` is the test's failure."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:  # argparse's own way out
            code = int(ended.code or 0)
    return code, out.getvalue()


def check(folder: Path, good: Path, data: bytes) -> None:
    file = folder / "hostile.jsonl"
    file.write_bytes(data)
    inside = folder / "out"
    inside.mkdir(exist_ok=True)
    for main, words in (
        (compare_cli.main, [file, good, "--json", inside / "c.json", "--junit", inside / "c.xml"]),
        (compare_cli.main, [good, file, "--markdown", inside / "c.md", "--github"]),
        (diagnose_cli.main, [file, "--json", inside / "d.json", "--markdown", inside / "d.md"]),
        (report_cli.main, [file, "--output", inside / "r.html", "--baseline", good]),
        (baseline_cli.main, ["--root", inside / "base", "accept", file]),
        (baseline_cli.main, ["--root", inside / "base", "refresh-spread", file]),
    ):
        code, said = run(main, *words)
        assert code in CODES
        assert not STEERING.search(said), said
    assert {path.name for path in folder.iterdir()} == {"good.jsonl", "hostile.jsonl", "out"}
    code, said = run(baseline_cli.main, "--root", inside / "base", "show")
    assert code in CODES and not STEERING.search(said)


@FEW
@given(data=hv.changed_files())
def test_other_values(tmp_path, good, data):
    check(tmp_path, good, data)


@FEW
@given(data=hv.damaged_files())
def test_damaged_bytes(tmp_path, good, data):
    check(tmp_path, good, data)


@FEW
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes(tmp_path, good, data):
    check(tmp_path, good, data)


# Each ended in a traceback once: where, what, and the field that the message has to name.
ONCE = [
    (("run", "env", "gpu"), True, "env.gpu"),
    (("run", "env", "gpu", "sms"), 10**400, "env.gpu.sms"),
    (("run", "tool"), True, "tool"),
    (("run", "argv"), True, "argv"),
    (("run", "config", "gate", "threshold"), 10**400, "config.gate threshold"),
    (("run", "config", "gate", "overrides"), True, "config.gate.overrides"),
    (("run", "floor_us"), True, "floor_us"),
    (("run", "floor_us", "graph"), 10**400, "floor_us.graph"),
    (("run", "floor_us", "stream"), "fast", "floor_us.stream"),
    (("run", "ceiling_gbps"), True, "ceiling_gbps"),
    (("run", "ceiling_gbps", "read"), [1], "ceiling_gbps.read"),
    (("case", "timings", 0, "median_us"), 1e308, "timings[0].median_us"),
    (("case", "timings", 0, "median_us"), 5e-324, "timings[0].median_us"),
    (("case", "timings", 0, "mad_us"), 2**64, "timings[0].mad_us"),
    (("case", "timings", 0, "ci95_us"), [1.0, 1e300], "timings[0].ci95_us"),
    (("case", "bytes"), 10**400, "its bytes is"),
    (("case", "gathered_bytes"), 2**63, "its gathered_bytes is"),
    (("case", "shape"), [2**63, 1], "its shape is"),
    (("case", "shape"), [1] * 33, "its shape is"),
    (("end", "ceiling_gbps"), {"read": "fast"}, "ceiling_gbps.read"),
]


def changed(path, value):
    lines = hv.lines()
    for line in lines:
        if line["type"] == path[0] and (path[0] != "case" or line["timings"]):
            hv.put(line, path[1:], value)
    return lines


@pytest.mark.parametrize(("path", "value", "named"), ONCE, ids=[str(i) for i in range(len(ONCE))])
def test_what_ended_in_a_traceback_once(tmp_path, good, path, value, named):
    file = rf.write(tmp_path / "once.jsonl", changed(path, value))
    runs = [
        run(compare_cli.main, good, file),
        run(diagnose_cli.main, file),
        run(report_cli.main, file, "--output", tmp_path / "r.html"),
    ]
    refused = [said for code, said in runs if code == 2]
    assert refused and all(named in said and len(said) < 500 for said in refused), runs


@pytest.mark.parametrize("path", [("launch", "occupancy"), ("launch", "kernels")])
@pytest.mark.parametrize("value", [1e308, 10**400, "many"])
def test_a_launch_that_cannot_be_is_passed_over(tmp_path, path, value):
    lines = hv.lines()
    for line in lines:
        if "launch" in line:
            line["launch"] = line["launch"] | {path[1]: value}
    file = rf.write(tmp_path / "launch.jsonl", lines)
    assert run(diagnose_cli.main, file, "--json", tmp_path / "d.json")[0] == 0


@pytest.mark.parametrize("half", ["\ud800", "x\udfff", "\udc00\ud800"])
def test_half_a_surrogate_pair_is_no_text(tmp_path, half):
    lines = hv.lines()
    lines[0]["config"]["name"] = half
    file = rf.write(tmp_path / "half.jsonl", lines)
    code, said = run(compare_cli.main, file, file)
    assert code == 2
    column = file.read_text().split("\n")[0].index("\\ud") + 1
    assert f"half.jsonl:1:{column}: half of a surrogate pair stands alone" in said


def test_whole_surrogate_pairs_are_text(tmp_path):
    lines = hv.lines()
    lines[0]["config"]["name"] = "\U0001f600 \\ud800"
    assert "\\ud83d\\ude00" in rf.write(tmp_path / "pair.jsonl", lines).read_text()
    file = tmp_path / "pair.jsonl"
    assert run(compare_cli.main, file, file)[0] == 3


def test_a_path_that_is_no_utf8_stands_in_no_report(tmp_path, good):
    odd = tmp_path / "odd-\udcff.jsonl"
    odd.write_bytes(good.read_bytes())
    code, said = run(compare_cli.main, odd, good, "--markdown", tmp_path / "c.md")
    assert code == 3 and "odd-\\udcff.jsonl" in said
    assert "odd-" in (tmp_path / "c.md").read_text(encoding="utf-8")


def test_no_escape_of_a_file_reaches_the_terminal(tmp_path):
    """In every text at once, through every report that may be sent to one."""
    lines = hv.lines()
    for line in lines:
        for name in ("id", "reason", "repro", "op", "variant", "compare_to"):
            if name in line:
                line[name] += "\x1b]0;owned\x07\x9b2J\u202e"
        if line["type"] == "run":
            line["config"]["name"] = line["env"]["gpu"]["name"] = "\x1b[2J"
            line["env"]["gpu"]["driver"] = f"\x1b[{len(lines)}m"
    file = rf.write(tmp_path / "escapes.jsonl", lines)
    page = tmp_path / "page.md"
    for main, words in (
        (compare_cli.main, [file, file, "--github"]),
        (compare_cli.main, [file, file, "--markdown", page, "--color", "always"]),
        (diagnose_cli.main, [file, "--markdown", page]),
        (baseline_cli.main, ["--root", tmp_path / "b", "accept", file]),
    ):
        code, said = run(main, *words)
        assert code in CODES
        said += page.read_text(encoding="utf-8") if page.exists() else ""
        left = re.sub("\x1b\\[[0-9;]*m", "", said)  # rich's own colours
        assert not STEERING.search(left), left
