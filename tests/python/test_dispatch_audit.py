"""Regret of auto, and the threshold tables that would have been best: exact answers."""

from __future__ import annotations

import math

import diagnosis_files as df
import pytest

SIZES = [1024, 4096, 16384, 65536, 262144]
ONE_ROW = [(1, cols) for cols in SIZES]


def audited(tmp_path, *laws, picks=None, half=0.0):
    """`laws`: (variant, time by cols) each; `picks`: what auto picked by cols."""
    cases = []
    for name, times in laws:
        for cols, us in times.items():
            launch = {**df.FULL, "picked": picks[cols]} if name == "auto" and picks else df.FULL
            cases.append(df.case(f"argmax/{name}/float32/1x{cols}", us, launch, half=half))
    return df.diagnosed(tmp_path / "r", cases)


def level(us):
    return dict.fromkeys(SIZES, us)


def test_regret_is_what_the_best_variant_would_have_saved(tmp_path):
    auto = {**level(10.0), 4096: 12.0, 65536: 20.0}
    found = audited(tmp_path, ("auto", auto), ("a", level(10.0)), ("b", level(11.0)))
    regrets = {c.auto.view.cols: c.regret for c in found.audit.choices}
    assert regrets == pytest.approx({1024: 0, 4096: 0.2, 16384: 0, 65536: 1.0, 262144: 0})
    assert [c.auto.view.cols for c in found.audit.choices][:2] == [65536, 4096]  # the worst first
    assert found.audit.geometric_mean == pytest.approx((1.2 * 2.0) ** 0.2 - 1)


def test_an_auto_that_noise_makes_faster_has_no_regret(tmp_path):
    found = audited(tmp_path, ("auto", level(9.0)), ("a", level(10.0)))
    assert {c.regret for c in found.audit.choices} == {0}
    assert found.audit.geometric_mean == 0
    assert df.said(found) == set()


def test_a_regret_above_five_percent_is_told(tmp_path):
    found = audited(tmp_path, ("auto", level(10.6)), ("a", level(10.0)))
    (finding,) = found.findings
    assert (finding.fault, finding.variant, finding.more) == ("regret", "auto", 4)
    assert "regret 6.0%" in finding.said
    below = audited(tmp_path, ("auto", level(10.4)), ("a", level(10.0)))
    assert below.findings == []


def test_a_regret_within_the_intervals_is_not(tmp_path):
    found = audited(tmp_path, ("auto", level(10.6)), ("a", level(10.0)), half=0.04)
    assert found.findings == []
    assert not found.audit.choices[0].clear


def test_the_pick_under_its_own_name_shows_the_noise(tmp_path):
    """auto ran `a`, which took 10.0 us under its own name: `b` at 9.9 us would not have helped."""
    picks = dict.fromkeys(SIZES, "a")
    laws = ("auto", level(11.0)), ("a", level(10.0)), ("b", level(9.95))
    assert audited(tmp_path, *laws, picks=picks, half=0.01).findings == []
    right = audited(tmp_path, *laws[:2], picks=picks).audit.choices[0]
    assert right.right
    assert not right.fault(0.05)


def test_a_pick_for_any_graph_of_these_sizes_is_no_fault(tmp_path):
    """Sizes do not tell a hub: what is best over both graphs is the right pick for either."""
    names = "uniform-1000-e8000", "hub-1000-e8000"
    times = {"balanced": (12.0, 13.0), "vector4": (10.0, 900.0)}

    def found(pick):
        cases = [
            df.graph(variant, name, 1000, 8000, 64, us)
            for variant, own in times.items()
            for name, us in zip(names, own, strict=True)
        ]
        for name, us in zip(names, times[pick], strict=True):
            launch = {**df.FULL, "picked": pick}
            cases.append(df.graph("auto", name, 1000, 8000, 64, us, launch=launch))
        return df.diagnosed(tmp_path / pick, cases)

    assert ("regret", "csr_max", "auto") not in df.said(found("balanced"))
    assert found("balanced").audit.choices[0].robust
    assert ("regret", "csr_max", "auto") in df.said(found("vector4"))


def test_the_best_table_has_its_threshold_where_lines_cross(tmp_path):
    found = audited(
        tmp_path,
        ("auto", level(100.0)),
        ("level", level(100.0)),
        ("rising", {cols: cols**0.5 for cols in SIZES}),
    )
    (table,) = found.audit.tables
    first, second = table.ranges
    assert (first.variant, second.variant) == ("rising", "level")
    assert first.up_to == pytest.approx(10_000)
    assert (first.last, first.next) == (4096, 16384)
    assert (second.up_to, second.next) == (None, None)
    assert table.regret == 0
    logs = [math.log(100 / cols**0.5) for cols in SIZES[:2]]
    assert table.auto_regret == pytest.approx(math.exp(sum(logs) / 5) - 1)


def test_a_variant_that_is_not_clearly_beaten_stays(tmp_path):
    """`b` is ahead by 1% at one size only, with intervals of 2%: no table changes for that."""
    found = audited(
        tmp_path,
        ("auto", level(10.0)),
        ("a", level(10.0)),
        ("b", {**level(20.0), 16384: 9.9}),
        half=0.02,
    )
    (table,) = found.audit.tables
    assert [(r.variant, r.up_to) for r in table.ranges] == [("a", None)]
    assert table.regret == pytest.approx((10 / 9.9) ** 0.2 - 1)


def test_without_auto_there_is_no_audit(tmp_path):
    found = audited(tmp_path, ("a", level(1.0)), ("b", level(2.0)))
    assert (found.audit.choices, found.audit.tables) == ([], [])
    assert found.audit.geometric_mean is None
