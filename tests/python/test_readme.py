"""README.md's commands run, every option that it names exists, its generated blocks are fresh."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from project_files import ROOT
from redux_tools import readme, readme_cli
from redux_tools.exit_codes import Failure
from redux_tools.selftest_table import selftest_block

README = ROOT / "README.md"
TESTED = re.compile(r"<!-- tested -->\s*\n```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN_FILE = re.compile(r"<!-- file: ([\w.-]+) -->\s*\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Options of other programs that a README may show.
FOREIGN = {"--preset", "--build", "--target", "--test-dir", "--gtest"}


def commands_tested() -> list[str]:
    """The commands of the blocks marked as tested; a backslash goes on with the next line."""
    if not README.exists():
        return []
    blocks = TESTED.findall(README.read_text(encoding="utf-8"))
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def program() -> Path:
    given = os.environ.get("REDUX_BENCH")
    assert given, "REDUX_BENCH has to name the redux-bench executable"
    return Path(given).resolve()


def test_readme_has_tested_commands():
    assert README.exists()
    assert commands_tested() != []


@pytest.mark.parametrize("command", commands_tested())
def test_command(command, tmp_path):
    # A reader builds any preset; here it is the one under test, and files go to a scratch folder.
    here = command.replace("./", "", 1) if command.startswith("./") else command
    here = re.sub(r"\bbuild/\w+/redux-bench\b", "redux-bench", here)
    for folder in ("configs", "baselines", "scripts", "tests"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for file, content in SHOWN_FILE.findall(README.read_text(encoding="utf-8")):
        (tmp_path / file).write_text(content, encoding="utf-8")
    path = os.pathsep.join([str(program().parent), str(Path(sys.executable).parent)])
    environment = {**os.environ, "PATH": path + os.pathsep + os.environ["PATH"]}
    done = subprocess.run(
        ["bash", "-c", here],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_option_named_exists():
    named = set(OPTION.findall(README.read_text(encoding="utf-8"))) - FOREIGN
    helps = [[str(program()), "--help"]]
    helps += [
        [sys.executable, str(ROOT / "scripts" / script), "--help"]
        for script in (
            "compare.py",
            "gate.py",
            "baseline.py",
            "report.py",
            "readme.py",
            "diagnose.py",
            "merge.py",
            "profile.py",
        )
    ]
    helps.append([sys.executable, str(ROOT / "scripts" / "gate.py"), "selftest", "--help"])
    known: set[str] = set()
    for command in helps:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        known |= set(OPTION.findall(done.stdout))
    assert named
    assert sorted(named - known) == []


def text() -> str:
    return README.read_text(encoding="utf-8")


def test_measured_table_is_that_of_the_baseline():
    assert readme.block(text(), readme.RESULTS) == readme_cli.measured(readme_cli.BASELINE)


def test_self_test_shown_is_that_of_the_file():
    assert readme.block(text(), readme.SELFTEST) == selftest_block(readme_cli.SELFTEST_FILE)


def test_listed_ops_are_those_of_the_program():
    listed = readme_cli.listed_ops(program())
    shown = readme.block(text(), readme.OPS)
    # A program without CUDA knows the host variants alone.
    assert readme.lacking(shown, listed) == []
    if readme.has_cuda(readme.parse_ops(listed)):
        assert shown == readme.ops_block(listed)
    assert readme.has_cuda(readme.parse_ops(shown))


LISTED = "### a: first\n\n{0}\n### b: second\n\n{0}\n### c: third\n\n{1}\n"
LISTED = LISTED.format("| v |\n| --- |\n| x | host |\n", "| v |\n| --- |\n| y | cuda |\n")


def test_ops_with_equal_variants_share_a_table():
    made = readme.ops_block(LISTED)
    assert made.count("| x | host |") == 1
    assert readme.parse_ops(made) == readme.parse_ops(LISTED)
    assert readme.lacking(made, LISTED) == []


def test_an_op_or_variant_that_the_readme_lacks_is_named():
    made = readme.ops_block(LISTED)
    added = LISTED.replace("| y | cuda |", "| y | cuda |\n| z | host |") + "### d: d\n\n| v |\n"
    assert readme.lacking(made, added) == [
        "lacks of 'c: third': | z | host |",
        "lacks of 'd: d': | v |",
    ]


def test_only_the_inside_of_a_block_is_replaced():
    marked = "before\n<!-- generated: x -->\nold\n<!-- end -->\nafter <!-- end -->\n"
    assert readme.block(marked, "x") == "old\n"
    assert readme.replaced(marked, "x", "new\n") == marked.replace("old", "new")
    for bad in ("nothing", marked + marked):
        with pytest.raises(Failure, match="needs 1"):
            readme.block(bad, "x")


def test_a_command_is_shown_without_folders_of_one_machine():
    argv = ["/somewhere/redux-bench", "--config", "configs/a.json", "-o", "/elsewhere/out.jsonl"]
    assert readme.command_of(argv) == "redux-bench --config configs/a.json -o out.jsonl"
