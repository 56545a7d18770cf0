"""Exponents, jumps, cliffs and crossovers of times that follow known laws: exact answers."""

from __future__ import annotations

import math

import diagnosis_files as df
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redux_tools.stats import power_law

SIZES = [1024, 4096, 16384, 65536, 262144]
ONE_ROW = [(1, cols) for cols in SIZES]


def only(found, variant, x="cols"):
    (line,) = [s for s in found.series if s.variant == variant and s.axis.x == x]
    return line


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_a_power_law_gives_its_exponent_and_no_doubt(tmp_path, exponent):
    cases = df.law("a", ONE_ROW, lambda rows, cols: 3 * cols**exponent)
    fit = only(df.diagnosed(tmp_path / "r", cases), "a").fit
    assert fit.exponent == pytest.approx(exponent, abs=1e-9)
    assert (fit.low, fit.high) == pytest.approx((exponent, exponent), abs=1e-6)
    assert fit.sizes == 5


def test_the_interval_is_students_of_the_slope():
    """Four points off a line: slope and error worked out by the textbook's sums."""
    x, y = np.log([1.0, 2.0, 4.0, 8.0]), np.log([1.0, 2.5, 3.5, 9.0])
    dx = x - x.mean()
    slope = (dx @ y) / (dx @ dx)
    residuals = y - y.mean() - slope * dx
    error = math.sqrt(residuals @ residuals / 2 / (dx @ dx))
    fit = power_law([1, 2, 4, 8], [1, 2.5, 3.5, 9])
    quantile = 4.302652729911275  # of Student's t with 2 degrees of freedom, 97.5%
    assert fit.exponent == pytest.approx(slope)
    assert (fit.low, fit.high) == pytest.approx(
        (slope - quantile * error, slope + quantile * error)
    )


def test_two_sizes_are_no_fit():
    assert power_law([1, 2], [1, 2]) is None
    assert power_law([1, 2, 2, 1], [1, 2, 2, 1]) is None


@given(
    exponent=st.floats(-1, 3),
    noise=st.lists(st.floats(-0.3, 0.3), min_size=4, max_size=8),
    scale=st.floats(1e-6, 1e6),
)
def test_an_exponent_does_not_depend_on_the_unit_of_time(exponent, noise, scale):
    sizes = [2.0**i for i in range(len(noise))]
    times = [n**exponent * math.exp(e) for n, e in zip(sizes, noise, strict=True)]
    one, other = power_law(sizes, times), power_law(sizes, [scale * t for t in times])
    assert tuple(other) == pytest.approx(tuple(one), abs=1e-6)
    assert one.low <= one.exponent <= one.high


def flags(tmp_path, time_us, launch):
    cases = df.law("a", ONE_ROW, time_us, launch)
    return only(df.diagnosed(tmp_path / "r", cases), "a").linear_while_idle


def test_linear_growth_on_an_idle_device_is_flagged(tmp_path):
    assert flags(tmp_path, lambda rows, cols: cols / 50, df.ONE_BLOCK)


def test_linear_growth_of_a_busy_device_is_not(tmp_path):
    assert not flags(tmp_path, lambda rows, cols: cols / 50, df.FULL)


def test_a_flat_time_of_an_idle_device_is_not(tmp_path):
    assert not flags(tmp_path, lambda rows, cols: 900.0, df.ONE_BLOCK)


def test_growth_that_starts_behind_a_floor_is_flagged(tmp_path):
    assert flags(tmp_path, lambda rows, cols: max(40.0, cols / 400), df.ONE_BLOCK)


@pytest.mark.parametrize(("exponent", "flagged"), [(0.74, False), (0.76, True)])
def test_about_linear_is_from_three_quarters_on(tmp_path, exponent, flagged):
    assert flags(tmp_path, lambda rows, cols: cols**exponent, df.ONE_BLOCK) == flagged


@pytest.mark.parametrize(("excess", "flagged"), [(3.9, False), (4.1, True)])
def test_growth_to_a_few_times_an_empty_call_is_not_flagged(tmp_path, excess, flagged):
    """Linear from a floor on, over rows whose transfer takes next to nothing."""
    cases = df.law(
        "a",
        [(1, 256), (1, 512), (1, 1024)],
        lambda rows, cols: excess * df.FLOOR_US * cols / 1024,
        df.ONE_BLOCK,
        bytes=1,
    )
    line = only(df.diagnosed(tmp_path / "r", cases), "a")
    assert line.points[-1].excess == pytest.approx(excess, rel=1e-3)
    assert line.linear_while_idle == flagged


def test_an_exponent_that_may_be_none_is_not_flagged(tmp_path):
    """Three sizes that jump once: steep, and its interval holds 0."""
    times = {1024: 50.0, 4096: 50.0, 16384: 5000.0}
    cases = df.law("a", [(1, cols) for cols in times], lambda r, c: times[c], df.ONE_BLOCK)
    line = only(df.diagnosed(tmp_path / "r", cases), "a")
    assert line.idle.exponent > 0.75
    assert line.idle.low < 0
    assert not line.linear_while_idle


def test_a_vector_and_a_matrix_of_one_row_are_two_lines(tmp_path):
    matrices = df.law("a", ONE_ROW, lambda rows, cols: cols / 50)
    vectors = [df.case(f"argmax/a/float32/{cols}", 7.0) for cols in SIZES]
    lines = df.diagnosed(tmp_path / "r", matrices + vectors).series
    assert sorted(round(line.fit.exponent, 6) for line in lines) == [0.0, 1.0]


@pytest.mark.parametrize(("ratio", "told"), [(7.9, False), (8.1, True)])
def test_a_jump_is_twice_what_the_size_explains(tmp_path, ratio, told):
    times = {1024: 10.0, 4096: 10.0 * ratio, 16384: 10.0 * ratio, 65536: 11.0 * ratio}
    cases = df.law("a", [(1, cols) for cols in times], lambda rows, cols: times[cols])
    jump = only(df.diagnosed(tmp_path / "r", cases), "a").jump
    assert (jump is not None) == told
    if told:
        assert jump.before.subject.view.shape == "1x1024"
        assert jump.after.subject.view.shape == "1x4096"
        assert (jump.time_ratio, jump.size_ratio) == (pytest.approx(8.1), 4)


EQUAL = [(1, 65536), (16, 4096), (256, 256), (4096, 16)]


def test_a_cliff_names_the_two_shapes_that_make_it(tmp_path):
    times = {1: 300.0, 16: 30.0, 256: 4.0, 4096: 5.0}
    cases = df.law("a", [*EQUAL, (1, 1024)], lambda rows, cols: times[rows] * cols * rows / 65536)
    (cliff,) = df.diagnosed(tmp_path / "r", cases).cliffs
    assert cliff.ratio == pytest.approx(75.0)
    assert (cliff.slowest.subject.view.shape, cliff.fastest.subject.view.shape) == (
        "1x65536",
        "256x256",
    )
    assert (cliff.elements, cliff.shapes) == (65536, 4)


def test_one_shape_written_twice_is_no_cliff(tmp_path):
    cases = [df.case("argmax/a/float32/65536", 9.0), df.case("argmax/a/float32/1x65536", 1.0)]
    assert df.diagnosed(tmp_path / "r", cases).cliffs == []


def crossed(tmp_path, slope, level, half=0.0, sizes=SIZES):
    """`rising` takes n^slope, `level` so many microseconds."""
    shapes = [(1, cols) for cols in sizes]
    cases = [
        *df.law("rising", shapes, lambda rows, cols: cols**slope, half=half),
        *df.law("level", shapes, lambda rows, cols: level, half=half),
    ]
    return df.diagnosed(tmp_path / "r", cases).crossovers


def test_lines_of_power_laws_cross_where_they_are_equal(tmp_path):
    (cross,) = crossed(tmp_path, 0.5, 100.0)
    assert cross.size == pytest.approx(10_000)
    assert (cross.below, cross.above) == ("rising", "level")
    assert (cross.low, cross.high) == (4096, 16384)
    assert cross.of_best


def test_sizes_at_which_the_intervals_overlap_are_in_doubt(tmp_path):
    """At 16384 the times are 128 and 120 us: with 5% each nobody knows."""
    (sure,) = crossed(tmp_path, 0.5, 120.0)
    assert (sure.low, sure.high) == (4096, 16384)
    (doubtful,) = crossed(tmp_path, 0.5, 120.0, half=0.05)
    assert (doubtful.low, doubtful.high) == (4096, 65536)
    assert doubtful.size == pytest.approx(14_400)


def test_lines_that_never_meet_do_not_cross(tmp_path):
    assert crossed(tmp_path, 0.5, 1e6) == []
    assert crossed(tmp_path, 0.0, 1.01, half=0.05) == []


def test_a_variant_that_is_never_best_crosses_beside_the_best(tmp_path):
    cases = [
        *df.law("best", ONE_ROW, lambda rows, cols: 1.0),
        *df.law("rising", ONE_ROW, lambda rows, cols: cols**0.5),
        *df.law("level", ONE_ROW, lambda rows, cols: 100.0),
    ]
    (cross,) = df.diagnosed(tmp_path / "r", cases).crossovers
    assert not cross.of_best


def test_graphs_of_one_kind_lie_on_a_line_by_edges(tmp_path):
    cases = [
        df.graph("vector4", f"uniform-1000-{d}", 1000, 1000 * d, 64, 2.0 * d)
        for d in (4, 8, 16, 32)
    ]
    (line,) = df.diagnosed(tmp_path / "r", cases).series
    assert line.axis.x == "edges"
    assert line.fit.exponent == pytest.approx(1.0)


TIMES = st.lists(st.floats(1.0, 1e4), min_size=4, max_size=4)


@settings(max_examples=25, deadline=None)
@given(first=TIMES, second=TIMES, scale=st.sampled_from([0.25, 2.0, 1024.0]))
def test_a_unit_of_time_changes_no_answer(tmp_path_factory, first, second, scale):
    folder = tmp_path_factory.mktemp("scaled")

    def found(factor):
        cases = []
        for name, times in (("a", first), ("b", second), ("auto", second)):
            own = dict(zip(EQUAL, times, strict=True))
            cases += df.law(name, EQUAL, lambda r, c, own=own: factor * own[r, c])
            wide = dict(zip(ONE_ROW, [*times, times[0]], strict=True))
            cases += df.law(name, ONE_ROW[:3], lambda r, c, wide=wide: factor * wide[r, c])
        return df.diagnosed(folder / f"{factor}", cases, floor_us={}, ceiling_gbps={})

    one, other = found(1.0), found(scale)
    assert [c.ratio for c in other.cliffs] == pytest.approx([c.ratio for c in one.cliffs])
    regrets = {c.auto.view.id: c.regret for c in one.audit.choices}
    scaled = {c.auto.view.id: c.regret for c in other.audit.choices}
    assert scaled == pytest.approx(regrets, rel=1e-9, abs=1e-12)
    assert other.audit.geometric_mean == pytest.approx(
        one.audit.geometric_mean, rel=1e-9, abs=1e-12
    )
    exponents = [s.fit.exponent for s in one.series]
    assert [s.fit.exponent for s in other.series] == pytest.approx(exponents, abs=1e-9)
    places = [(c.low, c.high, c.below) for c in one.crossovers]
    assert [(c.low, c.high, c.below) for c in other.crossovers] == places
