"""csr_max as a user meets it: generated graphs, files, input checks, both kinds of bytes."""

import json
import shutil

import numpy as np
import pytest
from conftest import ROOT, cases_of, read_results, strict_json

KARATE = ROOT / "tests" / "graphs" / "karate.mtx"
CYCLIC = {"kind": "cyclic", "nodes": 640, "degree": 16}
BOTH = ["host_serial", "host_parallel"]


def graphs(bench, *graphs, **keys):
    """A config over graphs in the folder of `bench`."""
    document = bench.folder / bench.config(
        op="csr_max", graphs=list(graphs), **({"features": [8]} | keys)
    )
    sweep = strict_json(document.read_text())
    del sweep["sweeps"][0]["shapes"]
    document.write_text(json.dumps(sweep))
    return document.name


def results(bench):
    return cases_of(read_results(bench.folder / "out.jsonl"))


def save(bench, name, values, dtype=np.int64):
    np.save(bench.folder / name, np.array(values, dtype=dtype))
    return name


def pair(bench, row_ptr, col_idx):
    """A graph of two arrays."""
    return {
        "row_ptr": save(bench, "row_ptr.npy", row_ptr),
        "col_idx": save(bench, "col_idx.npy", col_idx),
    }


def test_the_sources_graph_has_the_bytes_of_its_text(bench):
    name = graphs(bench, CYCLIC, features=[80], variants=BOTH, measure={"caches": ["cold"]})
    done = bench("-c", name, "-o", "out.jsonl", "--csv", "out.csv")
    assert done.returncode == 0, done.stderr
    for case in results(bench):
        assert case["shape"] == [640, 10234, 80] and case["graph"] == "cyclic-640-16"
        assert case["id"] == f"csr_max/{case['variant']}/float32/cyclic-640-16x80"
        assert case["bytes"] == (641 + 10234 + 2 * 640 * 80) * 4
        assert case["gathered_bytes"] == 10234 * 80 * 4
        assert case["gather_gbps"] > 0 and case["gbps"] > 0 and case["ceiling_share"] > 0
        assert case["gather_gbps"] / case["gbps"] == pytest.approx(
            case["gathered_bytes"] / case["bytes"]
        )
    assert "gather GB/s" in done.stdout
    header = (bench.folder / "out.csv").read_text().splitlines()[0].split(",")
    assert {"gathered_bytes", "gather_gbps"} <= set(header)


def test_rows_that_no_edge_names_are_not_counted(bench):
    graph = pair(bench, [0, 3, 3, 5, 5], [1, 1, 3, 3, 1])
    done = bench("-c", graphs(bench, graph, features=[10]), "-o", "out.jsonl", "--verify-only")
    assert done.returncode == 0, done.stderr
    (case,) = results(bench)
    assert case["bytes"] == (5 + 5) * 4 + (2 + 4) * 10 * 4
    assert case["gathered_bytes"] == 5 * 10 * 4


def test_ops_over_tensors_have_no_gathered_bytes(bench):
    bench("-c", bench.config(), "-o", "out.jsonl", "--verify-only")
    assert "gathered_bytes" not in results(bench)[0]


def test_zacharys_karate_club(bench):
    shutil.copy(KARATE, bench.folder)
    name = graphs(bench, {"file": "karate.mtx"}, variants=BOTH, index=["int32", "int64"])
    done = bench("-c", name, "-o", "out.jsonl", "--verify-only")
    assert done.returncode == 0, done.stderr
    cases = results(bench)
    assert len(cases) == 4
    assert all(case["shape"] == [34, 156, 8] for case in cases)
    assert [case["verify"]["checked"] for case in cases] == [34 * 8] * 4
    assert cases[0]["id"].endswith("/float32/karatex8")


def test_a_file_that_is_not_right_is_exit_2_with_the_line(bench):
    (bench.folder / "bad.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern general\n% comment\n3 3 2\n1 2\n4 1\n"
    )
    done = bench("-c", graphs(bench, {"file": "bad.mtx"}), "--verify-only")
    assert done.returncode == 2 and done.stdout == ""
    assert "bad.mtx:5: row 4 is outside 1 to 3" in done.stderr


@pytest.mark.parametrize(
    ("row_ptr", "edges", "message"),
    [
        ([0], 10, "row_ptr ends at 0 (position 0) but there are 10 edges"),
        ([], 0, "row_ptr is empty"),
    ],
)
def test_S13_a_row_pointer_that_does_not_cover_the_edges(bench, row_ptr, edges, message):
    done = bench("-c", graphs(bench, pair(bench, row_ptr, [0] * edges)), "--verify-only")
    assert done.returncode == 2 and message in done.stderr


def test_S13_no_nodes_and_no_edges_is_ok(bench):
    done = bench("-c", graphs(bench, pair(bench, [0], [])), "-o", "out.jsonl", "--verify-only")
    assert done.returncode == 0, done.stderr
    assert results(bench)[0]["shape"] == [0, 0, 8]


@pytest.mark.parametrize(
    ("row_ptr", "message"),
    [
        ([0, 3, 7], "row_ptr ends at 7 (position 2) but there are 8 edges"),
        ([1, 8], "row_ptr is 1 at position 0, where it has to be 0"),
        ([0, 5, 3, 8], "row_ptr falls from 5 to 3 at position 2"),
        ([0, 3, 9], "row_ptr ends at 9 (position 2) but there are 8 edges"),
        ([-9, -1024, 0], "row_ptr is -9 at position 0, where it has to be 0"),
    ],
)
def test_S14_the_first_bad_place_is_named_before_anything_runs(bench, row_ptr, message):
    done = bench("-c", graphs(bench, pair(bench, row_ptr, [0] * 8)), "--verify-only")
    assert done.returncode == 2 and done.stdout == ""
    assert f"row_ptr.npy: {message}" in done.stderr


@pytest.mark.parametrize("column", [-1, 2, 2**31, 2**32])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_a_column_outside_the_table_is_refused_not_cut(bench, column, index):
    graph = pair(bench, [0, 1, 2], [0, column])
    done = bench("-c", graphs(bench, graph, index=[index]), "--verify-only")
    assert done.returncode == 2
    assert f"col_idx.npy: col_idx is {column} at position 1, outside [0, 2)" in done.stderr


def test_S20_more_edges_than_int32_counts(bench):
    graph = {"kind": "uniform", "nodes": 1000, "edges": 2283022784}
    done = bench("-c", graphs(bench, graph), "--list")
    assert done.returncode == 2 and "edge count 2283022784 exceeds int32" in done.stderr
    done = bench("-c", graphs(bench, graph, index=["int64"]), "--list")
    assert done.stdout == "csr_max/host_serial/float32/uniform-1000-e2283022784x8/index=int64\n"


def test_S11_no_edges_and_no_features(bench):
    name = graphs(
        bench,
        {"kind": "uniform", "nodes": 5, "degree": 0},
        features=[0, 64],
        variants=BOTH,
        nan="skip",
        empty="0",
    )
    done = bench("-c", name, "-o", "out.jsonl", "--verify-only")
    assert done.returncode == 0, done.stderr
    cases = results(bench)
    assert [case["status"] for case in cases] == ["ok"] * 4
    assert [case["verify"]["checked"] for case in cases] == [0, 0, 320, 320]


def test_another_seed_is_another_power_law(bench):
    name = graphs(bench, {"kind": "power_law", "nodes": 2000, "degree": 7})

    def edges(*words):
        assert bench("-c", name, "-o", "out.jsonl", "--verify-only", *words).returncode == 0
        (case,) = results(bench)
        (bench.folder / "out.jsonl").unlink()
        return case["shape"][1]

    assert edges() == edges("--seed", "42") != edges("--seed", "43")


def test_every_dtype_policy_and_kind_of_data_verifies(bench):
    dtypes = ["float16", "bfloat16", "float32", "float64", "int32", "int64"]
    for nan in ["skip", "propagate"]:
        for empty in ["-inf", "0"]:
            name = graphs(
                bench,
                {"kind": "with_empty", "nodes": 50, "degree": 4},
                dtypes=dtypes,
                data=["specials", "ties", "nan_middle"],
                variants=BOTH,
                nan=nan,
                empty=empty,
            )
            done = bench("-c", name, "-o", "out.jsonl", "--verify-only")
            assert done.returncode == 0, done.stderr
            cases = results(bench)
            assert [case["verify"] for case in cases] == [{"checked": 400, "mismatches": 0}] * 36
            (bench.folder / "out.jsonl").unlink()
