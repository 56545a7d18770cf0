"""What the scripts make of a file that was resumed, or whose writer was killed."""

from __future__ import annotations

import pytest
import result_files as rf
from redux_tools.exit_codes import Failure
from redux_tools.outputs import write_text
from redux_tools.results import read_results

NAMES = rf.ids(3)


def statuses(path):
    results = read_results(str(path))
    found = [(c.id, c.status) for segment in results.segments for c in segment.cases.values()]
    return found, results.incomplete_runs() == []


@pytest.mark.parametrize("status", ["error", "timeout", "skipped", "invalid_timing"])
def test_a_case_that_failed_may_be_measured_later_in_the_run(tmp_path, status):
    first = [rf.case(NAMES[0]), rf.case(NAMES[1], status=status)]
    again = [rf.case(NAMES[1]), rf.case(NAMES[2])]
    path = rf.write(tmp_path / "a", rf.segment(first, end=False), rf.segment(again))
    assert statuses(path) == ([(name, "ok") for name in NAMES], True)
    good = rf.write(tmp_path / "good", rf.segment([rf.case(name) for name in NAMES]))
    done = rf.compare(good, path)
    assert done.returncode == 0 and "3 SAME" in done.stdout, done.stdout


@pytest.mark.parametrize("status", ["ok", "wrong", "unsupported"])
def test_one_that_is_settled_may_not(tmp_path, status):
    first = rf.segment([rf.case(NAMES[0], status=status)], end=False)
    path = rf.write(tmp_path / "a", first, rf.segment([rf.case(NAMES[0])]))
    with pytest.raises(Failure, match=f":4:1: duplicate id {NAMES[0]}"):
        read_results(str(path))


def test_one_may_fail_more_than_once_but_not_twice_in_a_segment(tmp_path):
    failed = rf.case(NAMES[0], status="error")
    path = rf.write(tmp_path / "a", *[rf.segment([failed], end=False)] * 3)
    assert statuses(path) == ([(NAMES[0], "error")], False)
    path = rf.write(tmp_path / "b", rf.segment([failed, failed]))
    with pytest.raises(Failure, match="duplicate id"):
        read_results(str(path))


def test_R13_a_last_line_that_is_cut_short_is_left_out(tmp_path):
    names = [*NAMES, "argmax/\u00fc/float32/1x1"]
    path = rf.write(tmp_path / "a", rf.segment([rf.case(name) for name in names], end=False))
    whole = path.read_text(encoding="utf-8").replace("\\u00fc", "\u00fc").encode()
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in range(last, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert statuses(path) == ([(name, "ok") for name in NAMES], False)
    path.write_bytes(whole[: last - 5] + whole[last:])  # not the last line
    with pytest.raises(Failure):
        read_results(str(path))


def test_a_link_that_is_written_to_stays_one(tmp_path):
    """Such as /dev/stdout, where standard output is a file."""
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_text("--json", tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_text() == "new"
