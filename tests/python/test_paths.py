"""No results file, profile or config makes a script write outside the paths that it was given."""

from __future__ import annotations

from pathlib import Path

import hostile_values as hv
import page_files
import pytest
import result_files as rf
from redux_tools import baseline_cli, report_cli
from redux_tools.baselines import slug
from redux_tools.profile_command import Plan, safe_name

NAMES = (
    "../../evil",
    "/evil",
    "..",
    ".",
    "",
    "@@name",
    "a/b",
    "a\0b",
    "con:stream",
    "~root",
    "-rf",
    "%2e%2e%2fevil",
    "中文",
    "x" * 5000,
    "\n",
    "$(touch evil)",
)


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_a_device_is_one_folder(tmp_path, name):
    lines = hv.lines()
    lines = [line for line in lines if line.get("status") != "wrong"]
    for line in lines:
        if line["type"] == "run":
            line["env"]["gpu"]["name"] = name
    results = rf.write(tmp_path / "r.jsonl", lines)
    root = tmp_path / "deep" / "er" / "baselines"
    root.mkdir(parents=True)
    assert baseline_cli.main(["--root", str(root), "accept", str(results)]) == 0
    (stored,) = files_below(tmp_path) - {"r.jsonl"}
    assert Path(stored).parent.parent == Path("deep/er/baselines")
    assert Path(stored).name == "demo.jsonl"
    assert Path(stored).parent.name == slug(name or "no GPU")
    assert baseline_cli.main(["--root", str(root), "show"]) == 0


@pytest.mark.parametrize("name", [name for name in NAMES if name != "-rf"])
def test_a_config_that_is_no_name_is_not_stored(tmp_path, name, capsys):
    lines = [line for line in hv.lines() if line.get("status") != "wrong"]
    for line in lines:
        if line["type"] == "run":
            line["config"]["name"] = name
    results = rf.write(tmp_path / "r.jsonl", lines)
    assert baseline_cli.main(["--root", str(tmp_path / "b"), "accept", str(results)]) == 2
    assert "is not [a-z0-9-]+" in capsys.readouterr().err
    assert files_below(tmp_path) == {"r.jsonl"}


def test_a_config_of_a_long_name_is_not_stored(tmp_path, capsys):
    lines = [line for line in hv.lines() if line.get("status") != "wrong"]
    for line in lines:
        if line["type"] == "run":
            line["config"]["name"] = "n" * 101
    results = rf.write(tmp_path / "r.jsonl", lines)
    assert baseline_cli.main(["--root", str(tmp_path / "b"), "accept", str(results)]) == 2
    assert "at most 100" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_charts_stay_in_their_folder(tmp_path, name):
    lines = [line for line in hv.lines() if line["type"] != "case" or "argmax" in line["id"]]
    for line in lines:
        if line["type"] == "case":
            line |= {"op": name, "variant": f"{name}{line['variant']}", "compare_to": name}
            line["id"] = f"{name}/{line['id']}"
    results = rf.write(tmp_path / "r.jsonl", lines)
    folder = tmp_path / "deep" / "charts"
    words = [str(results), "-o", str(tmp_path / "out.html"), "--png", str(folder)]
    assert report_cli.main(words) == 0
    made = files_below(tmp_path) - {"r.jsonl", "out.html"}
    assert made and all(Path(path).parent == Path("deep/charts") for path in made)


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_stays_in_its_folder(name):
    folder = Path("out/profile")
    plan = Plan("ncu", "ncu", "redux-bench", (), (name,), folder)
    for path in (plan.report, plan.results, plan.stem):
        assert path.parent == folder
        assert len(path.name.encode()) < 200
        assert not path.name.startswith(("-", "."))
    assert safe_name(name) != safe_name(name + "x")


def test_the_page_is_written_where_it_was_asked_for(tmp_path):
    results = page_files.write(tmp_path / "r.jsonl")
    words = [str(results), "-o", str(tmp_path / "o.html"), "--title", "../../evil"]
    assert report_cli.main(words) == 0
    assert files_below(tmp_path) == {"r.jsonl", "o.html"}
