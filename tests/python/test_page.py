"""report.py: what is in the page, that it is whole by itself, and what is refused."""

from __future__ import annotations

import json
import re

import page_files
import pytest
import result_files as rf
from redux_tools import page_plots, report_cli
from redux_tools.page import ASSETS, SCRIPTS, render_page
from redux_tools.page_data import MAX_SAMPLES, page_data
from redux_tools.results import read_results


@pytest.fixture
def results(tmp_path):
    return page_files.write(tmp_path / "results.jsonl")


def data_of(path):
    return page_data(read_results(str(path), whole=True))


def embedded(text):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found, parse_constant=pytest.fail)


def run(capsys, *words):
    code = report_cli.main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_rounds_are_gathered_by_case(results):
    data = data_of(results)
    case = next(c for c in data.cases if c.id == "argmax/single_pass/float32/1x65536")
    timing = case.timings["graph/cold"]
    assert len(timing.rounds_us) == len(timing.samples) == 2
    assert (case.rows, case.cols, case.elements, case.bytes) == (1, 65536, 65536, 262144)
    assert data.metrics == ["graph/cold", "stream/warm"]
    assert data.floors_us["cuda graph"] == 0.5
    assert data.ceilings_gbps == {"cuda": 4500.0, "host": 100.0}
    facts = dict(data.facts)
    assert facts["GPU"].startswith("NVIDIA H200, 132 SMs")
    assert facts["Rounds"] == "2"


def test_a_case_that_is_wrong_in_one_round_has_no_time(tmp_path):
    name = rf.ids(1)[0]
    path = rf.write(
        tmp_path / "r",
        rf.segment([rf.case(name)]),
        rf.segment([rf.case(name, rf.timing(1.0), status="wrong")], run_id="r2"),
    )
    (case,) = data_of(path).cases
    assert case.status == "wrong"
    assert case.timings == {}


def test_groups_hold_what_is_not_the_default(tmp_path):
    line = rf.case("cummax/lookback/int64/8x16/axis=0/data=ties", attrs={"axis": 0})
    (case,) = data_of(rf.write(tmp_path / "r", rf.segment([line]))).cases
    assert case.group == "int64 axis=0 data=ties"
    assert (case.rows, case.cols) == (16, 8)


def test_a_graph_has_nodes_features_and_what_its_edges_name(tmp_path):
    line = rf.case("csr_max/warp_per_node/float32/with_empty-640-16-localx80/index=int64")
    line |= {"graph": "with_empty-640-16-local", "shape": [640, 10234, 80], "gathered_bytes": 99}
    (case,) = data_of(rf.write(tmp_path / "r", rf.segment([line]))).cases
    assert (case.rows, case.cols, case.elements) == (640, 80, 10234 * 80)
    assert (case.edges, case.gathered_bytes) == (10234, 99)
    assert case.shape == "with_empty-640-16-localx80"
    assert case.group == "float32 index=int64"
    assert (case.graph, case.kind) == ("with_empty-640-16-local", "with_empty")


def test_charts_of_graphs_join_what_is_of_one_kind(tmp_path):
    cases = data_of(page_files.write_graphs(tmp_path / "r")).cases
    x, label, own = page_plots._widest(cases)
    assert (x, label) == ("rows", "nodes, uniform, 16 features")
    wide = [case for case in cases if case.cols == 64 and case.graph != "uniform-8000-1"]
    x, label, own = page_plots._widest(wide)
    assert (x, label) == ("edges", "edges, uniform, 64 features")
    assert {case.graph for case in own} == {f"uniform-{n}000-8" for n in (1, 2, 4)}


def test_samples_are_thinned_with_both_ends_kept(tmp_path):
    samples = [10 + i / 1000 for i in range(500)]
    line = rf.case(rf.ids(1)[0], rf.timing(10.0, samples_us=samples))
    (case,) = data_of(rf.write(tmp_path / "r", rf.segment([line]))).cases
    kept = case.timings["graph/cold"].samples[0]
    assert (len(kept), kept[0], kept[-1]) == (MAX_SAMPLES, samples[0], samples[-1])


def test_the_page_asks_for_nothing_and_holds_what_it_shows(results):
    text = render_page(data_of(results))
    addresses = set(re.findall(r"[a-z]+://[^\s\"']+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not a place to load from
    assert "default-src &#x27;none&#x27;" in text
    assert not re.search(r"<(?:script|img|iframe|object|embed)[^>]+src=", text)
    assert not re.findall(r"\{\{\w+\}\}", text)


def test_what_results_say_is_no_markup(results):
    text = render_page(data_of(results))
    assert text.count("</script>") == 2
    reasons = {case["reason"] for case in embedded(text)["cases"]}
    assert page_files.HOSTILE in reasons


def test_the_page_holds_the_diagnosis_of_each_timing(tmp_path, results, capsys):
    out = tmp_path / "out.html"
    assert run(capsys, results, "-o", out)[0] == 0
    diagnosis = embedded(out.read_text())["diagnosis"]
    assert list(diagnosis) == ["graph/cold", "stream/warm"]
    cold = diagnosis["graph/cold"]
    kind, evidence = cold["cases"]["argmax/single_pass/float32/1x65536"]
    assert kind == "latency-bound, small problem"
    assert "of the read ceiling" in evidence
    assert {s["variant"] for s in cold["series"]} == set(page_files.VARIANTS)
    (choice,) = cold["choices"]
    assert choice["picked"] == choice["best"] == "single_pass"


def test_a_page_of_several_devices_has_no_diagnosis(tmp_path, capsys):
    parts = [rf.segment([rf.case(rf.ids(1)[0])], run_id=name) for name in ("a", "b")]
    parts[1][0]["env"]["gpu"]["name"] = "NVIDIA A100"
    path, out = rf.write(tmp_path / "r", *parts), tmp_path / "out.html"
    assert run(capsys, path, "-o", out)[0] == 0
    assert embedded(out.read_text())["diagnosis"] == {}


def test_a_title_is_escaped(results):
    data = data_of(results)
    data.title = "{{data}} <b>"
    text = render_page(data)
    assert "<title>{{data}} &lt;b&gt;</title>" in text
    assert text.count('id="data"') == 1


def test_the_page_is_made_of_small_files():
    for name in (*SCRIPTS, "style.css", "page.html"):
        assert len((ASSETS / name).read_text().splitlines()) <= 300
    assert {path.name for path in ASSETS.glob("*.js")} == set(SCRIPTS)


def test_a_verdict_from_a_baseline(tmp_path, results, capsys):
    slow = page_files.write(tmp_path / "slow.jsonl", slower=1.2)
    out = tmp_path / "out.html"
    code, said, _ = run(capsys, slow, "--baseline", results, "-o", out)
    assert code == 0
    assert "39 cases" in said
    verdict = embedded(out.read_text())["verdict"]
    assert verdict["exit_code"] == 3  # one case is wrong
    assert verdict["counts"]["SLOWER"] == 1


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_verdict_from_a_gate_or_from_compare(tmp_path, results, capsys, wrapped):
    made = tmp_path / "compared.json"
    rf.compare(results, results, "--json", made)
    if wrapped:
        inner = json.loads(made.read_text())
        made.write_text(json.dumps({"type": "gate", "schema": 1, "comparison": inner}))
    out = tmp_path / "out.html"
    assert run(capsys, results, "--gate", made, "-o", out)[0] == 0
    assert embedded(out.read_text())["verdict"]["verdict"].startswith("FAIL: wrong results")


def test_a_gate_that_did_not_come_to_a_verdict(tmp_path, results, capsys):
    made = tmp_path / "gate.json"
    made.write_text('{"type": "gate", "schema": 1, "comparison": null}')
    out = tmp_path / "out.html"
    assert run(capsys, results, "--gate", made, "-o", out)[0] == 0
    assert embedded(out.read_text())["verdict"] is None


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["{none}", "-o", "{out}"], 2, "no such results file"),
        (["{results}", "-o", "{results}"], 2, "path of its own"),
        (["{results}", "-o", "{dir}/no/out.html"], 2, "cannot be written"),
        (["{results}", "-o", "{out}", "--baseline", "{none}"], 6, "no such baseline"),
        (["{results}", "-o", "{out}", "--gate", "{none}"], 2, "cannot be read"),
        (["{results}", "-o", "{out}", "--gate", "{results}"], 2, "--gate"),
        (["{empty}", "-o", "{out}"], 5, "no case"),
    ],
)
def test_what_is_refused(tmp_path, results, capsys, words, code, said):
    places = {
        "results": results,
        "none": tmp_path / "none",
        "out": tmp_path / "out.html",
        "dir": tmp_path,
        "empty": rf.write(tmp_path / "empty", rf.segment([])),
    }
    found, _, err = run(capsys, *(word.format(**places) for word in words))
    assert found == code
    assert said in err
    assert not places["out"].exists()


def test_charts_as_files(tmp_path, results, capsys):
    folder = tmp_path / "charts"
    out = tmp_path / "out.html"
    assert run(capsys, results, "-o", out, "--png", folder)[0] == 0
    names = sorted(path.name for path in folder.iterdir())
    assert "argmax-float32-graph-cold-time.png" in names
    assert "cummax-float32-graph-cold-roofline.svg" in names
    assert "argmax-float32-graph-cold-speed-up.png" in names
    assert "argmax-float32-graph-cold-equal-work.svg" in names
    assert not any("warm-roofline" in name for name in names)  # a warm one says nothing of memory
    for path in folder.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    svg = (folder / "argmax-float32-graph-cold-time.svg").read_text()
    assert "single_pass" in svg or "<path" in svg


def test_the_script_itself_runs(tmp_path, results):
    done = rf.run_script("report.py", results, "-o", tmp_path / "out.html")
    assert done.returncode == 0, done.stderr
    assert rf.run_script("report.py", results).returncode == 2


COLOURS = re.compile(r"--([\w-]+): (#[0-9a-f]{6})")


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1])
def test_text_and_marks_stand_out_in_both_themes(theme):
    """WCAG 2: 4.5 for text, 3 for what is drawn."""
    style = (ASSETS / "style.css").read_text()
    block = re.findall(r":root[^{]*\{(.*?)\n\}", style, re.S)[theme]
    colours = dict(COLOURS.findall(block))
    for ground in ("paper", "panel"):
        for ink in ("ink", "soft", "accent"):
            assert contrast(colours[ink], colours[ground]) >= 4.5
    for word in ("good", "bad", "warn"):
        assert contrast(colours[word], colours[f"{word}-paper"]) >= 4.5
        assert contrast(colours["ink"], colours[f"{word}-paper"]) >= 4.5
    for index in range(7):
        assert contrast(colours[f"c{index}"], colours["paper"]) >= 3
