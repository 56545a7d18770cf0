"""The faults of public reports, as results: each is told; and what was measured on the H200."""

from __future__ import annotations

import diagnosis_files as df
import pytest


def of(found, fault, variant):
    return [f for f in found.findings if (f.fault, f.variant) == (fault, variant)]


def test_P01_one_thread_a_row_is_idle_and_linear(tmp_path):
    """3.1 ms for one row of 129,280 beside 60 us: as the report has it."""
    shapes = [(1, 32320), (1, 64640), (1, 129280), (4, 129280)]
    cases = [
        *df.law("thread_per_row", shapes, lambda rows, cols: 3100 * cols / 129280, df.ONE_BLOCK),
        *df.law("block_per_row", shapes, lambda rows, cols: 60 * cols / 129280, df.ONE_BLOCK),
        *df.law("single_pass", shapes, lambda rows, cols: 2.4, df.ONE_BLOCK),
    ]
    found = df.diagnosed(tmp_path / "r", cases)
    (finding,) = of(found, "idle", "thread_per_row")
    assert "time ~ cols^1.00" in finding.said
    assert "1x129280 takes 3100 us" in finding.said
    assert "single_pass: 2.400 us, 1292 times faster" in finding.said
    assert of(found, "idle", "block_per_row")  # better, and the same fault
    assert not of(found, "idle", "single_pass")


def test_P02_a_wide_row_far_slower_than_as_many_elements_in_many_rows(tmp_path):
    def time_us(rows, cols):
        return 5000.0 if rows == 1 else 0.5 + 4 * rows * cols / 4e6

    cases = df.law("thread_per_row", [(1, 2**24), (4096, 4096), (65536, 256)], time_us)
    (cliff,) = df.diagnosed(tmp_path / "r", cases).cliffs
    assert cliff.slowest.subject.view.shape == "1x16777216"
    assert cliff.ratio == pytest.approx(5000 / (0.5 + 4 * 2**24 / 4e6))


def test_P02_a_step_between_neighbours_is_told(tmp_path):
    times = {2**10: 2.0, 2**11: 2.1, 2**12: 13.0, 2**13: 14.0}
    cases = df.law("a", [(1, cols) for cols in times], lambda rows, cols: times[cols])
    (finding,) = of(df.diagnosed(tmp_path / "r", cases), "jump", "a")
    assert finding.said.startswith("1x2048 to 1x4096: 2.100 to 13.00 us, 6.19x for 2x the size")


@pytest.mark.parametrize(("slowest", "told"), [(99.0, False), (130.0, True)])
def test_P03_equal_bytes_over_row_counts(tmp_path, slowest, told):
    shapes = [(rows, 2**22 // rows) for rows in (1, 2, 8, 64, 512)]
    cases = df.law("a", shapes, lambda rows, cols: slowest if rows == 1 else 25.0)
    assert bool(of(df.diagnosed(tmp_path / "r", cases), "cliff", "a")) == told


def test_P05_millions_of_tiny_rows(tmp_path):
    """As many elements in rows of 4 take 8 times as long as in rows of 1024."""
    cases = df.law("a", [(7840000, 4), (30625, 1024)], lambda r, c: 240.0 if c == 4 else 30.0)
    (finding,) = of(df.diagnosed(tmp_path / "r", cases), "cliff", "a")
    assert "7840000x4 takes 240.0 us, 8 times 30625x1024 of as many elements" in finding.said


def test_P07_a_scan_that_grows_with_the_vector_on_an_idle_device(tmp_path):
    sizes = [2**k for k in range(12, 17)]
    slow = [df.case(f"cummax/fixed_16x32/int64/{n}", 2300 * n / 65536, df.ONE_BLOCK) for n in sizes]
    flat = [df.case(f"cummax/lookback/int64/{n}", 3.5, df.ONE_BLOCK) for n in sizes]
    found = df.diagnosed(tmp_path / "r", slow + flat)
    assert of(found, "idle", "fixed_16x32")
    assert not of(found, "idle", "lookback")


def test_P09_a_second_column_that_costs_a_thousandfold(tmp_path):
    times = {1: 50.0, 2: 84_000.0, 4: 100_000.0, 8: 120_000.0, 32: 338_000.0}
    cases = [
        df.case(f"cummax/a/float32/1048576x{cols}/axis=0", us) | {"attrs": {"axis": 0}}
        for cols, us in times.items()
    ]
    (finding,) = of(df.diagnosed(tmp_path / "r", cases), "jump", "a")
    assert "1048576x1 to 1048576x2: 50.00 to 84000 us, 1680x for 2x the size" in finding.said


@pytest.mark.parametrize(("ratio", "told"), [(1.4, False), (3.1, True)])
def test_P11_a_hub_beside_its_uniform_twin(tmp_path, ratio, told):
    sizes = 1_720_000, 7_770_000, 128
    cases = [
        df.graph("vector4", "hub-1720000-e7770000-s50", *sizes, 9000.0 * ratio),
        df.graph("vector4", "uniform-1720000-e7770000", *sizes, 9000.0),
    ]
    assert bool(of(df.diagnosed(tmp_path / "r", cases), "uneven", "vector4")) == told


def test_P16_an_impossible_time_is_no_evidence(tmp_path):
    """redux-bench gives it the status invalid_timing: its time is offered to nobody."""
    impossible = df.case("cummax/a/float32/8192x65536", 1.0) | {"status": "invalid_timing"}
    found = df.diagnosed(tmp_path / "r", [impossible, df.case("cummax/b/float32/8x8", 1.0)])
    assert [case.subject.view.variant for case in found.cases] == ["b"]
    assert found.others == {"invalid_timing": 1}


# ---- what was measured: baselines/nvidia-h200


@pytest.fixture(scope="module")
def argmax():
    return df.stored("seed-argmax")


@pytest.fixture(scope="module")
def cummax():
    return df.stored("seed-cummax")


def one_row(found, op, variant):
    return [
        line
        for line in found.series
        if (line.axis.key.op, line.variant, line.axis.label) == (op, variant, "cols, at 1 row")
    ]


def test_thread_per_row_is_idle_and_linear_over_rows_of_any_width(argmax):
    (line,) = one_row(argmax, "argmax", "thread_per_row")
    assert line.linear_while_idle
    assert line.fit.low > 1.0
    assert line.fit.high < 1.2
    for case in line.points:
        assert case.kind == "latency-bound, idle device"
        assert case.idle_fault
        assert "1 block for 132 SMs" in case.evidence


def test_the_readmes_exponent_of_single_pass(argmax):
    (line,) = one_row(argmax, "argmax", "single_pass")
    assert f"{line.idle.exponent:.2f}" == "0.08"
    assert "exponent over the idle sizes is 0.08" in (df.rf.ROOT / "README.md").read_text()


@pytest.mark.parametrize("variant", ["single_pass", "auto", "cooperative", "two_stage"])
def test_what_spreads_a_row_over_blocks_is_not(argmax, variant):
    (line,) = one_row(argmax, "argmax", variant)
    assert not line.linear_while_idle
    assert not any(case.idle_fault for case in line.points)
    assert ("idle", "argmax", variant) not in df.said(argmax)


@pytest.mark.parametrize("op", ["cummax", "cummin"])
def test_fixed_16x32_is_idle_and_linear_and_lookback_is_not(cummax, op):
    slow, fast = one_row(cummax, op, "fixed_16x32"), one_row(cummax, op, "lookback")
    assert slow
    assert fast
    assert all(line.linear_while_idle for line in slow)
    assert not any(line.linear_while_idle for line in fast)
    assert ("idle", op, "lookback") not in df.said(cummax)
    assert ("idle", op, "auto") not in df.said(cummax)


def test_the_isowork_cliff_of_the_source_is_found():
    found = df.stored("cummax-isowork")
    cliffs = {(c.variant, c.key.group, c.elements): c for c in found.cliffs}
    fixed = cliffs["fixed_16x32", "int64", 65536]
    assert fixed.slowest.subject.view.shape == "1x65536"
    assert fixed.ratio > 200
    auto = [c.ratio for c in found.cliffs if c.variant == "auto"]
    assert max(auto) < 4


def test_hubs_are_uneven_work_where_a_node_has_one_worker():
    found = df.stored("csr-graphs")
    kinds = {case.subject.view.id: case.kind for case in found.cases}
    hub = "float32/hub-62500-e1000000x64"
    assert kinds[f"csr_max/vector4/{hub}"] == "uneven work"
    assert kinds[f"csr_max/balanced/{hub}"] == "bandwidth-bound, L2"
    assert ("uneven", "csr_max", "auto") not in df.said(found)


@pytest.mark.parametrize(
    "name", ["seed-argmax", "seed-cummax", "cummax-isowork", "seed-csr", "csr-graphs"]
)
def test_every_measured_case_has_a_class_and_evidence(name):
    found = df.stored(name)
    assert found.cases
    assert all(case.evidence for case in found.cases)
    assert {case.subject.view.variant for case in found.cases} >= {"auto"}
