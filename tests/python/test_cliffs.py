"""Stored times at the shapes of public reports (configs/cliffs.json), against what each asks."""

from __future__ import annotations

from itertools import pairwise

import pytest
import result_files as rf
from redux_tools import results

FILE = rf.ROOT / "baselines" / "nvidia-h200" / "cliffs.jsonl"
BYTES = {"float16": 2, "float32": 4, "int64": 8}


@pytest.fixture(scope="module")
def us():
    """Medians of graph/cold by id."""
    return {
        case.id: case.timings[results.Metric("graph", "cold")].median_us
        for segment in results.read_results(str(FILE)).segments
        for case in segment.cases.values()
        if case.status == "ok" and case.backend == "cuda"
    }


def argmax(us, rows, cols, dtype="float32", op="argmax"):
    return us[f"{op}/auto/{dtype}/{rows}x{cols}"]


def gbps(us, rows, cols, op="argmax"):
    return rows * cols * BYTES["float32"] / argmax(us, rows, cols, op=op) / 1e3


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_P01_one_row_of_a_vocabulary(us, dtype):
    one = argmax(us, 1, 129280, dtype)
    assert one <= 60
    assert argmax(us, 4, 129280, dtype) <= 2 * one


def test_P02_a_wide_row_is_read_at_the_rate_of_many(us):
    assert gbps(us, 1, 2**24) >= 0.25 * gbps(us, 14400, 14400)
    times = [argmax(us, 1, 2**k) for k in range(10, 25)]
    assert max(larger / smaller for smaller, larger in pairwise(times)) <= 3


@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_P03_equal_bytes_over_row_counts(us, op):
    rates = [gbps(us, rows, 19_200_000 // rows, op) for rows in (1, 2, 8, 64, 512)]
    assert max(rates) < 3 * min(rates)


def test_P05_millions_of_tiny_rows(us):
    assert gbps(us, 7_840_000, 4) >= 0.5 * gbps(us, 30_625, 1024)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_P05_a_row_that_fits_no_vector_costs_no_more_than_the_next_that_does(us, dtype):
    times = {c: argmax(us, 7_840_000, c, dtype) for c in (5, 7, 8, 9, 12, 15, 16)}
    assert max(times[5], times[7]) <= 1.1 * times[8]
    assert max(times[9], times[12], times[15]) <= 1.1 * times[16]


@pytest.mark.parametrize("op", ["cummax", "cummin"])
def test_P07_a_scan_of_one_long_row(us, op):
    assert us[f"{op}/auto/int64/65536"] <= 120
    assert us[f"{op}/auto/int64/1x65536"] <= 120
    times = {k: us[f"{op}/auto/int64/{2**k}"] for k in range(12, 25)}
    assert all(times[k + 1] < 2.2 * times[k] for k in range(12, 24))
    # Flat below 2^16: sixteen times the row for at most twice the time.
    assert times[16] <= 2 * times[12]


def test_P09_a_second_column(us):
    times = {d: us[f"cummax/auto/float32/1048576x{d}/axis=0"] for d in (1, 2, 4, 8, 16, 32)}
    assert times[2] <= 4 * times[1]
    assert times[32] <= 64 * times[1]


def test_P13_64_bit_places_cost_no_more_than_5_percent(us):
    shape = "float32/1x268435456"
    narrow, wide = us[f"argmax/cooperative/{shape}"], us[f"argmax/cooperative_int64/{shape}"]
    assert wide <= 1.05 * narrow
