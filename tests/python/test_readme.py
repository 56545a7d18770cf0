"""README.md's commands run, and every option that it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from project_files import ROOT

README = ROOT / "README.md"
TESTED = re.compile(r"<!-- tested -->\s*\n```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Options of other programs that a README may show.
FOREIGN = {"--preset", "--build", "--target", "--test-dir"}


def tested_commands() -> list[str]:
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
    assert tested_commands() != []


@pytest.mark.parametrize("command", tested_commands())
def test_command(command, tmp_path):
    # A reader builds any preset; here it is the one under test, and files go to a scratch folder.
    here = command.replace("./", "", 1) if command.startswith("./") else command
    here = re.sub(r"\bbuild/\w+/redux-bench\b", "redux-bench", here)
    for folder in ("configs", "baselines", "scripts"):
        (tmp_path / folder).symlink_to(ROOT / folder)
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
        for script in ("compare.py", "baseline.py")
    ]
    known: set[str] = set()
    for command in helps:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        known |= set(OPTION.findall(done.stdout))
    assert named
    assert sorted(named - known) == []
