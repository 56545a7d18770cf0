"""cummax and cummin as a user meets them: axes, shapes without elements, the NaN policy."""

import pytest
from conftest import cases_of, read_results

OPS = ["cummax", "cummin"]


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ([0], 100),
        ([0], -100),
        ([1, 0], 100),
        ([1, 0], -100),
        ([1, 1, 0], 100),
        ([1, 1, 0], -100),
        ([3], 1),
        ([3], -2),
    ],
)
def test_C09_an_axis_outside_the_rank_is_exit_2_empty_or_not(bench, op, shape, axis):
    done = bench("-c", bench.config(op=op, shapes=[shape], axis=axis), "--verify-only")
    assert done.returncode == 2 and done.stdout == ""
    rank = len(shape)
    assert f"axis {axis} is outside [-{rank}, {rank}) of a shape of rank {rank}" in done.stderr


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ([0], 0),
        ([0, 5], 1),
        ([4, 4, 0], 2),
        ([4, 4, 0], -1),
        ([3, 0, 4], 0),
        ([3, 0, 4], 1),
        ([3, 0, 4], 2),
    ],
)
def test_C10_no_elements_is_ok_and_has_no_bandwidth(bench, op, shape, axis):
    name = bench.config(op=op, shapes=[shape], axis=axis, variants=["host_serial", "host_parallel"])
    done = bench("-c", name, "-o", "out.jsonl", "--verify-only")
    assert done.returncode == 0, done.stderr
    cases = cases_of(read_results(bench.folder / "out.jsonl"))
    assert [case["status"] for case in cases] == ["ok", "ok"]
    for case in cases:
        assert case["shape"] == shape and case["bytes"] == 0
        assert case["verify"] == {"checked": 0, "mismatches": 0}
    shown = (done.stdout + done.stderr).lower()
    assert "nan" not in shown.replace("nanosecond", "") and "inf" not in shown


@pytest.mark.parametrize("op", OPS)
def test_the_axis_is_in_the_id_unless_it_is_the_default(bench, op):
    def listed(axis):
        return bench("-c", bench.config(op=op, shapes=[[2, 3]], axis=axis), "--list").stdout

    assert listed(-1) == f"{op}/host_serial/float32/2x3\n"
    assert listed(0) == f"{op}/host_serial/float32/2x3/axis=0\n"


@pytest.mark.parametrize("op", OPS)
def test_every_dtype_and_axis_verifies(bench, op):
    dtypes = ["float16", "bfloat16", "float32", "float64", "int32", "int64"]
    axes = [0, 1, 2, -1, -3]
    for axis in axes:
        name = bench.config(op=op, dtypes=dtypes, shapes=[[3, 5, 7]], axis=axis, data=["ties"])
        done = bench("-c", name, "-o", "out.jsonl", "--verify-only")
        assert done.returncode == 0, done.stderr
        cases = cases_of(read_results(bench.folder / "out.jsonl"))
        assert [case["verify"] for case in cases] == [{"checked": 210, "mismatches": 0}] * 6


@pytest.mark.parametrize("op", OPS)
def test_the_policy_skip_is_unsupported_with_the_reason(bench, op):
    name = bench.config(op=op, shapes=[[4]], nan="skip", variants=["host_serial", "host_parallel"])
    done = bench("-c", name, "-o", "out.jsonl", "--verify-only")
    assert done.returncode == 5
    cases = cases_of(read_results(bench.folder / "out.jsonl"))
    assert [case["status"] for case in cases] == ["unsupported", "unsupported"]
    assert all('no NaN policy "skip"' in case["reason"] for case in cases)
