"""What diagnose.py refuses, with place, found and allowed; each exit code of the process."""

from __future__ import annotations

import contextlib
import io

import diagnosis_files as df
import pytest
import result_files as rf
from hypothesis import given, settings
from hypothesis import strategies as st
from redux_tools import diagnose_cli


@pytest.fixture
def results(tmp_path):
    return df.idle_beside_good(tmp_path / "results.jsonl")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["{none}"], 2, "there is no such results file"),
        (["{dir}"], 2, "is a directory"),
        (["{broken}"], 2, "broken:1:"),
        (["{shapeless}"], 2, "its shape is ['a']; it has to be an array of whole numbers"),
        (["{negative}"], 2, "its shape is [-1, -8]"),
        (["{weightless}"], 2, "its bytes is 'many'; it has to be a whole number from 0"),
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
    found = diagnose_cli.main([word.format(**places) for word in words])
    out, err = capsys.readouterr()
    assert found == code
    assert said in err
    assert "Traceback" not in err
    assert out == "" or "cannot be written" in said
    assert not places["x"].exists()


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
    found = df.segment(
        df.law("a", df.SHAPES, df.slow, launch), floor_us=limits, ceiling_gbps=limits
    )
    found[1]["launch"] = whole
    found[0]["env"]["gpu"].update(gpu)
    path = rf.write(folder / "r", found)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert diagnose_cli.main([str(path), "--json", str(folder / "d.json")]) in (0, 2)
        found[0]["floor_us"] = whole
        rf.write(folder / "r", found)
        assert diagnose_cli.main([str(path), "--json", str(folder / "d.json")]) in (0, 2)
