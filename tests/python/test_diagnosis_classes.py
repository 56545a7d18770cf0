"""The class of a case, at and beside each threshold, and its evidence."""

from __future__ import annotations

import math

import diagnosis_files as df
import pytest
import result_files as rf
from redux_tools.diagnosis import diagnose
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.results import Metric, read_results


def one(tmp_path, *lines, metric=None, **head):
    """The diagnosis of the first line's case."""
    path = df.write(tmp_path / "r", list(lines), **head)
    found = diagnose(read_results(str(path), whole=True), metric=metric)
    return next(case for case in found.cases if case.subject.view.id == lines[0]["id"])


def streamed(us, count):
    """A full grid that moves `count` bytes in `us`."""
    return df.case("argmax/single_pass/float32/4096x4096", us, bytes=count)


@pytest.mark.parametrize(
    ("us", "nodes", "kind"),
    [
        (0.75, 1, "launch-bound"),
        (0.76, 1, "latency-bound, small problem"),
        (1.5, 2, "launch-bound"),
        (1.51, 2, "latency-bound, small problem"),
    ],
)
def test_within_one_and_a_half_floors_of_each_launch_it_is_launching(tmp_path, us, nodes, kind):
    launch = {**df.FULL, "kernels": 1, "memsets": nodes - 1}
    assert one(tmp_path, df.case("argmax/a/float32/8x8", us, launch)).kind == kind


def test_a_stream_has_its_own_floor(tmp_path):
    line = rf.case("argmax/a/float32/8x8", rf.timing(5.0, mode="stream"), launch=df.FULL)
    assert one(tmp_path, line).kind == "launch-bound"


@pytest.mark.parametrize(
    ("share", "kind"), [(0.61, "bandwidth-bound, DRAM"), (0.59, "no limit near")]
)
def test_from_six_tenths_of_the_ceiling_on_it_is_memory(tmp_path, share, kind):
    found = one(tmp_path, streamed(100.0, int(share * df.READ_GBPS * 1e3 * 100)))
    assert found.kind == kind
    assert found.rates.dram_share == pytest.approx(share, rel=1e-6)
    assert f"{share:.0%} of the read ceiling" in found.evidence


def test_what_writes_as_much_as_it_reads_is_held_against_a_copy(tmp_path):
    found = one(
        tmp_path, df.case("cummax/a/float32/4096x4096", 100.0, bytes=int(0.61 * 3800 * 1e5))
    )
    assert found.kind == "bandwidth-bound, DRAM"
    assert "61% of the copy ceiling" in found.evidence


def test_a_warm_run_of_what_fits_the_cache_says_nothing_of_memory(tmp_path):
    timings = [rf.timing(10.0, cache="warm")]
    line = rf.case("argmax/a/float32/2048x4096", *timings, launch=df.FULL, bytes=40_000_000)
    found = one(tmp_path, line)
    assert found.kind == "bandwidth-bound, L2"
    assert found.rates.dram_share is None
    assert found.rates.l2_gbps == pytest.approx(4000.0)


@pytest.mark.parametrize(
    ("blocks", "threads", "kind"),
    [
        (65, 1024, "latency-bound, idle device"),  # fewer than half of the 132 SMs
        (66, 1024, "no limit near"),
        (132, 255, "latency-bound, idle device"),  # less than an eighth of 132 x 2048 threads
        (132, 256, "no limit near"),
    ],
)
def test_few_blocks_or_few_threads_are_an_idle_device(tmp_path, blocks, threads, kind):
    launch = {**df.FULL, "grid": [1, blocks, 1], "block": [threads, 1, 1]}
    found = one(tmp_path, df.case("argmax/a/float32/64x65536", 1000.0, launch))
    assert found.kind == kind
    assert f"{blocks} blocks for 132 SMs, {blocks * threads} threads where 270336" in found.evidence


@pytest.mark.parametrize(
    ("share", "kind"), [(0.24, "latency-bound, idle device"), (0.26, "no limit near")]
)
def test_few_blocks_that_keep_memory_busy_are_no_idle_device(tmp_path, share, kind):
    count = int(share * df.READ_GBPS * 1e3 * 100)
    line = df.case("argmax/a/float32/64x65536", 100.0, df.ONE_BLOCK, bytes=count)
    assert one(tmp_path, line).kind == kind


@pytest.mark.parametrize(
    ("share", "kind"), [(0.61, "bandwidth-bound, L2"), (0.59, "no limit near")]
)
def test_l2_is_taken_to_give_what_an_h200_measured(tmp_path, share, kind):
    """Of 4500 GB/s from memory it is 6.26 / 4.58 times as much: 6151 GB/s."""
    us = 4e-3 * 1_000_000 * 64 / (share * 6150.66)
    found = one(tmp_path, df.graph("vector4", "uniform-62500-16", 62500, 1_000_000, 64, us))
    assert found.rates.l2_share == pytest.approx(share, rel=1e-4)
    assert found.kind == kind


def test_residency_counts_what_the_kernel_lets_be_resident(tmp_path):
    """132 blocks of 512 threads that fill the registers fill the device."""
    launch = {**df.FULL, "grid": [132, 1, 1], "block": [128, 1, 1], "occupancy": 0.25}
    found = one(tmp_path, df.case("cummax/a/float32/64x65536", 1000.0, launch))
    assert found.thread_share == 0.25
    assert found.kind == "no limit near"


def test_an_idle_device_is_a_fault_from_ten_times_launch_and_transfer_on(tmp_path):
    least = df.FLOOR_US + 4 * 65536 / df.READ_GBPS / 1e3
    name = "argmax/a/float32/1x65536"
    below = one(tmp_path, df.case(name, 9.9 * least, df.ONE_BLOCK))
    above = one(tmp_path, df.case(name, 10.1 * least, df.ONE_BLOCK))
    assert (below.mostly_idle, below.idle_fault) == (True, False)
    assert (above.mostly_idle, above.idle_fault) == (True, True)
    assert above.excess == pytest.approx(10.1)


@pytest.mark.parametrize(
    "launch", [None, {"grid": [0, 0, 0], "block": [0, 0, 0]}, {"grid": "many"}]
)
def test_a_grid_that_is_not_known_is_said_and_never_idle(tmp_path, launch):
    line = df.case("argmax/cub/float32/8x65536", 1000.0) | {"launch": launch}
    found = one(tmp_path, line)
    assert not found.mostly_idle
    assert "its grid is not known" in found.evidence


def test_a_run_without_floor_and_ceiling_is_diagnosed_as_far_as_it_goes(tmp_path):
    line = df.case("argmax/a/float32/1x65536", 1000.0, df.ONE_BLOCK)
    found = one(tmp_path, line, floor_us={"graph": None}, ceiling_gbps={})
    assert found.kind == "latency-bound, idle device"
    assert (found.floors, found.excess) == (None, None)
    assert "share of the ceiling not known" in found.evidence


TWINS = ("hub-62500-e1000000", "uniform-62500-e1000000")


@pytest.mark.parametrize(("us", "kind"), [(74.0, "bandwidth-bound, L2"), (76.0, "uneven work")])
def test_a_skewed_graph_is_held_against_the_uniform_one_of_its_sizes(tmp_path, us, kind):
    hub, uniform = (
        df.graph("vector4", name, 62500, 1_000_000, 64, t)
        for name, t in zip(TWINS, (us, 50.0), strict=True)
    )
    hub["gathered_bytes"] = 4 * hub["gathered_bytes"]  # so that it is near a limit besides
    found = one(tmp_path, hub, uniform)
    assert found.kind == kind
    if kind == "uneven work":
        assert "1.52 times uniform-62500-e1000000 (50.00 us)" in found.evidence


@pytest.mark.parametrize(
    "other",
    [
        df.graph("vector4", "uniform-62500-e999999", 62500, 999_999, 64, 5.0),
        df.graph("vector4", "uniform-62501-e1000000", 62501, 1_000_000, 64, 5.0),
        df.graph("vector4", "uniform-62500-e1000000", 62500, 1_000_000, 32, 5.0),
        df.graph("balanced", "uniform-62500-e1000000", 62500, 1_000_000, 64, 5.0),
        df.graph("vector4", "cyclic-62500-e1000000", 62500, 1_000_000, 64, 5.0),
    ],
)
def test_a_graph_of_other_sizes_is_no_twin(tmp_path, other):
    hub = df.graph("vector4", TWINS[0], 62500, 1_000_000, 64, 500.0)
    found = one(tmp_path, hub, other)
    assert found.twin is None
    assert found.kind != "uneven work"


def test_gathered_rows_count_against_l2_and_compulsory_bytes_against_memory(tmp_path):
    """16 MB of features fit the cache: 256 MB are gathered at 5120 GB/s, 36 MB moved at 720."""
    found = one(tmp_path, df.graph("vector4", "uniform-62500-16", 62500, 1_000_000, 64, 50.0))
    assert found.kind == "bandwidth-bound, L2"
    assert found.rates.l2_gbps == pytest.approx(5120.0)
    assert found.rates.dram_gbps == pytest.approx(720.0)
    assert not found.rates.dram_estimated


def test_rows_gathered_again_from_a_large_table_are_memory_traffic(tmp_path):
    """600 MiB of features in a cache of 60: nine of ten repeated reads go to memory."""
    nodes, edges, features = 1_228_800, 4_915_200, 128
    line = df.graph("vector4", "uniform-1228800-4", nodes, edges, features, 1000.0)
    found = one(tmp_path, line)
    table, gathered = 4 * nodes * features, 4 * edges * features
    moved = line["bytes"] + (gathered - table) * 0.9
    assert found.rates.dram_gbps == pytest.approx(moved / 1e6)
    assert found.rates.dram_estimated
    assert found.kind == "bandwidth-bound, DRAM"
    assert "estimated with repeated reads" in found.evidence


def test_the_metric_is_graph_cold_where_it_is_there(tmp_path):
    timings = [rf.timing(9.0, mode="stream"), rf.timing(3.0)]
    line = rf.case("argmax/a/float32/8x8", *timings, launch=df.FULL)
    host = rf.case("argmax/host_serial/float32/8x8", rf.timing(1.0, mode="stream"), launch=None)
    assert one(tmp_path, line, host).subject.us == pytest.approx(3.0)
    assert one(tmp_path, line, metric=Metric("stream", "cold")).subject.us == pytest.approx(9.0)
    assert str(one(tmp_path, host, line).subject.metric) == "stream/cold"


def test_results_of_several_devices_are_refused(tmp_path):
    line = df.case("argmax/a/float32/8x8", 1.0)
    parts = [df.segment([line], run_id=name) for name in ("a", "b")]
    parts[1][0]["env"]["gpu"]["name"] = "NVIDIA A100"
    path = rf.write(tmp_path / "r", *parts)
    with pytest.raises(Failure, match=r"NVIDIA A100, NVIDIA H200") as caught:
        diagnose(read_results(str(path), whole=True))
    assert caught.value.code is ExitCode.ENVIRONMENT


def test_rounds_widen_the_interval_and_give_one_case(tmp_path):
    parts = [
        df.segment([df.case("argmax/a/float32/8x8", us, half=0.01)], run_id=str(us))
        for us in (10.0, 11.0, 10.5)
    ]
    path = rf.write(tmp_path / "r", *parts)
    (case,) = diagnose(read_results(str(path), whole=True)).cases
    assert case.subject.us == pytest.approx(10.5)
    assert (case.subject.low_us, case.subject.high_us) == pytest.approx((9.9, 11.11))


def test_the_spread_between_sessions_that_a_baseline_keeps_widens_it_too(tmp_path):
    timing = rf.timing(10.0, ci95_us=[9.99, 10.01], spread_log=0.05)
    found = one(tmp_path, rf.case("argmax/a/float32/8x8", timing, launch=df.FULL)).subject
    ends = 10 * math.exp(-1.96 * 0.05), 10 * math.exp(1.96 * 0.05)
    assert (found.low_us, found.high_us) == pytest.approx(ends)


def test_waves_say_exactly_what_the_device_holds(tmp_path):
    """A quarter wave of 132 blocks of 128 threads: 528 such blocks fit, whatever the card."""
    launch = {**df.FULL, "grid": [132, 1, 1], "block": [128, 1, 1], "waves": 0.25}
    found = one(tmp_path, df.case("argmax/a/float32/8x8", 50.0, launch))
    assert found.thread_share == pytest.approx(0.25)
    assert f"16896 threads where {528 * 128} can be resident" in found.evidence
