"""merge.py: shards become one file where they are all of one run, and only there."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
import result_files as rf
from redux_tools import merge_cli
from redux_tools.results import read_results

NAMES = rf.ids(7)


def shard(folder, index, count=3, names=NAMES, cases=7, end=True, **head):
    """One shard of `names`, as every count-th of them."""
    selection = {"shard": f"{index}/{count}" if count else "", "cases": cases}
    selection |= head.pop("selection", {})
    lines = rf.segment(
        [rf.case(name) for name in names[index - 1 :: count or 1]],
        end=end,
        run_id=f"r{index}",
        selection=selection,
        **head,
    )
    return rf.write(folder / f"part-{index}-{count}-{len(list(folder.iterdir()))}.jsonl", lines)


def merge(capsys, paths, output):
    code = merge_cli.main([*map(str, paths), "-o", str(output)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def parts(tmp_path):
    return [shard(tmp_path, index) for index in (1, 2, 3)]


@pytest.fixture
def refused(capsys, tmp_path):
    def check(paths, *said):
        code, out, err = merge(capsys, paths, tmp_path / "merged")
        assert code == 2 and out == "" and not (tmp_path / "merged").exists()
        for text in said:
            assert text in err
        assert all(line.startswith("error: ") for line in err.splitlines())
        return err

    return check


def test_the_union_is_written_in_the_order_of_the_shards(capsys, tmp_path, parts):
    code, out, err = merge(capsys, reversed(parts), tmp_path / "merged")
    assert code == 0 and err == ""
    assert out == f"wrote {tmp_path / 'merged'}: 7 cases of 3 shards\n"
    assert (tmp_path / "merged").read_bytes() == b"".join(part.read_bytes() for part in parts)
    results = read_results(str(tmp_path / "merged"))
    assert {name for segment in results.segments for name in segment.cases} == set(NAMES)
    assert results.incomplete_runs() == []
    whole = rf.write(tmp_path / "whole", rf.segment([rf.case(name) for name in NAMES]))
    done = rf.compare(whole, tmp_path / "merged")
    assert done.returncode == 0 and "7 SAME" in done.stdout, done.stdout + done.stderr


def test_shards_of_several_machines_of_one_kind_go_together(capsys, tmp_path):
    env = rf.header()["env"]
    other = env | {"host": "node2", "gpu": env["gpu"] | {"uuid": "GPU-2"}}
    paths = [shard(tmp_path, 1, 2), shard(tmp_path, 2, 2, env=other)]
    assert merge(capsys, paths, tmp_path / "merged")[0] == 0


def test_a_config_may_have_no_case_in_a_shard(capsys, tmp_path):
    second = rf.segment(
        [rf.case("argmax/cub/float32/1x5")],
        run_id="r1",
        config=rf.header()["config"] | {"name": "small"},
        selection={"shard": "1/2", "cases": 1},
    )
    one, two = shard(tmp_path, 1, 2), shard(tmp_path, 2, 2)
    one.write_text(one.read_text() + "".join(json.dumps(line) + "\n" for line in second))
    assert merge(capsys, [one, two], tmp_path / "merged")[0] == 0


def test_a_missing_shard_is_a_gap(refused, parts):
    refused([parts[0], parts[2]], "shard 2 of 3 not given")
    refused([parts[1]], "shards 1, 3 of 3 not given")


def test_a_shard_that_is_there_twice(refused, tmp_path, parts):
    again = shard(tmp_path, 2)
    refused([*parts, again], f"{again}: is shard 2/3, as {parts[1]} is")
    refused([*parts, parts[0]], f"{parts[0]}: is shard 1/3, as {parts[0]} is")


def test_shards_of_another_number(refused, tmp_path, parts):
    other = shard(tmp_path, 3, 4)
    refused([*parts[:2], other], f"{other}: is shard 3/4, {parts[0]} is one of 3")


def test_what_is_no_shard(refused, tmp_path, parts):
    whole = shard(tmp_path, 1, 0)
    refused([whole, *parts], f"{whole}: was run without --shard")
    bare = rf.write(tmp_path / "bare", rf.segment([]))
    refused([bare], f"{bare}: was run without --shard")
    empty = tmp_path / "empty"
    empty.write_text("")
    refused([empty], f"{empty}: holds no run")
    rounds = tmp_path / "rounds"
    rounds.write_text(parts[0].read_text() + parts[1].read_text())
    refused([rounds], f"{rounds}: holds 2 runs; a shard is one")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("config.sha256", "11"),
        ("tool.version", "0.2.0"),
        ("tool.git", "def"),
        ("tool.build_id", "77"),
        ("env.compiler", "g++ 13"),
        ("env.build", "Debug"),
        ("env.cuda_runtime", "13.1"),
        ("env.gpu.name", "NVIDIA H100"),
        ("env.cpu", "Another CPU"),
        ("measure", {"min_samples": 3}),
        ("handicap", [{"match": "x", "factor": 2}]),
        ("selection.filter", "cub"),
        ("selection.exclude", "cub"),
        ("selection.backend", "host"),
        ("selection.verify_only", True),
        ("selection.profile", 2),
        ("selection.cases", 8),
    ],
)
def test_shards_of_another_config_device_or_binary(refused, tmp_path, name, value):
    head = rf.header(selection={"shard": "2/2", "cases": 7})
    inner = head
    *path, last = name.split(".")
    for key in path:
        inner = inner[key]
    inner[last] = value
    del head["type"], head["schema"], head["run_id"]
    one, two = shard(tmp_path, 1, 2), shard(tmp_path, 2, 2, **head)
    refused([one, two], f"{two}: config 'demo': {name} is {value!r}, in {one} it is ")


def test_a_shard_that_was_not_run_to_its_end(refused, tmp_path, parts):
    cut = shard(tmp_path, 2, end=False)
    said = refused([parts[0], cut, parts[2]], f"{cut}: config 'demo' was not run to its end")
    assert f"redux-bench --resume {cut}" in said


def test_cases_that_are_missing(refused, tmp_path, parts):
    lines = parts[1].read_text().splitlines(keepends=True)
    parts[1].write_text("".join(lines[:1] + lines[2:]))
    refused(parts, "config 'demo': 1 of its 7 selected cases are missing")


def test_cases_that_are_there_twice(refused, tmp_path, parts):
    wrong = shard(tmp_path, 2, names=NAMES[:1] + NAMES[:1] + NAMES[2:])
    said = refused([parts[0], wrong, parts[2]], f"{wrong}: {parts[0]} has them too: {NAMES[0]}")
    assert "1 of its 7 selected cases are missing" in said


def test_more_cases_than_were_selected(refused, tmp_path):
    paths = [shard(tmp_path, index, 2, cases=6) for index in (1, 2)]
    refused(paths, "config 'demo': holds 7 cases, 6 were selected")


def test_headers_that_do_not_count(refused, tmp_path):
    paths = [shard(tmp_path, index, 2, cases=None) for index in (1, 2)]
    refused(paths, "config 'demo': the headers do not say how many cases were selected")


def test_files_that_cannot_be_read_or_written(capsys, refused, tmp_path, parts):
    refused([tmp_path / "none"], "there is no such results file")
    code, _, err = merge(capsys, parts, parts[0])
    assert code == 2 and "is also the input" in err
    code, _, err = merge(capsys, parts, tmp_path / "no" / "dir")
    assert code == 2 and "--output" in err
    with pytest.raises(SystemExit) as ended:
        merge_cli.main([str(parts[0])])
    assert ended.value.code == 2


def test_shards_of_a_real_run(tmp_path):
    program = os.environ.get("REDUX_BENCH")
    assert program, "REDUX_BENCH has to name the redux-bench executable"
    config = tmp_path / "demo.json"
    sweep = '{"op": "argmax", "dtypes": ["float32"], "shapes": [[1, 8], [2, 8], [3, 8], [4, 8]]}'
    config.write_text(f'{{"version": 1, "name": "demo", "sweeps": [{sweep}]}}')
    words = [program, "-c", str(config), "--backend", "host", "--verify-only", "--quiet"]
    parts = [tmp_path / f"part-{index}.jsonl" for index in (1, 2, 3)]
    subprocess.run([*words, "-o", tmp_path / "whole.jsonl"], check=True)
    for index, part in enumerate(parts, start=1):
        subprocess.run([*words, "--shard", f"{index}/3", "-o", part], check=True)
    done = rf.run_script("merge.py", *parts, "-o", tmp_path / "merged.jsonl")
    assert done.returncode == 0, done.stderr

    def ids(name):
        results = read_results(str(tmp_path / name))
        return sorted(case for segment in results.segments for case in segment.cases)

    assert ids("merged.jsonl") == ids("whole.jsonl")
