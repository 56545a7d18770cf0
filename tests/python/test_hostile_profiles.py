"""Whatever a profiler's report holds, profile.py ends with one of its exit codes and a message."""

from __future__ import annotations

import contextlib
import csv
import io
import sqlite3

import hostile_values as hv
import nsys_base
import project_files
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redux_tools import profile_cli
from test_hostile_results import CODES, STEERING

PROFILES = project_files.ROOT / "tests" / "python" / "profiles"
REPORTS = sorted(PROFILES.glob("*.csv"))
FEW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def check(report):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = profile_cli.main(["--import", str(report), "--json", str(report) + ".json"])
    assert code in CODES
    assert not STEERING.search(out.getvalue()), out.getvalue()


@FEW
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
@pytest.mark.parametrize("suffix", [".csv", ".sqlite"])
def test_arbitrary_bytes(tmp_path, suffix, data):
    report = tmp_path / f"r{suffix}"
    report.write_bytes(data)
    check(report)


@FEW
@given(data=st.data())
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_other_cells(tmp_path, path, data):
    """Cells of a real report, its header's among them, hold something else or are not there."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    for _ in range(data.draw(st.integers(1, 3))):
        row = rows[data.draw(st.integers(0, len(rows) - 1))]
        if not row:
            continue
        place = data.draw(st.integers(0, len(row) - 1))
        text = st.one_of(st.sampled_from(hv.STRINGS), st.text(max_size=8), st.just("1e400"))
        row[place : place + 1] = data.draw(st.lists(text, max_size=2))
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    report = tmp_path / "r.csv"
    report.write_bytes(out.getvalue().encode(errors="surrogatepass"))
    check(report)


@FEW
@given(data=st.data())
def test_other_values_in_a_database(tmp_path, data):
    report = tmp_path / "r.sqlite"
    report.unlink(missing_ok=True)
    made = nsys_base.Base(report)
    made.range("argmax/cub/float32/1x8", 0, 1000)
    made.range("timed", 10, 900, registered=False)
    made.kernel("void cub::kernel<int>(int)", 20, 50, 300)
    made.done()
    value = st.one_of(
        st.none(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(),
        st.binary(max_size=5),
        st.sampled_from([text for text in hv.STRINGS if text.isprintable()]),
    )
    with contextlib.closing(sqlite3.connect(report)) as base, base:
        tables = [
            row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for _ in range(data.draw(st.integers(1, 3))):
            table = data.draw(st.sampled_from(tables))
            columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
            column = data.draw(st.sampled_from(columns))
            with contextlib.suppress(sqlite3.Error):  # what the table's own rules refuse
                base.execute(f"UPDATE {table} SET {column} = ?", (data.draw(value),))
    check(report)
